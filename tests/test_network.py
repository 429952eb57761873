"""Networks in compiled code: what they give, alone and among many, and where they play."""

import itertools

import numpy as np
import pytest
from helpers import size, visits
from toy import GAME

import foodenvs
from foodenvs.agents.policy import PolicyAgent, policy_metadata, save_policy
from foodenvs.arena import match
from foodenvs.arena.deals import MatchRunner
from foodenvs.core.setup import Setup
from foodenvs.engine.jit import PURE
from foodenvs.engine.network import MOST_WEIGHTS, Network, image
from foodenvs.envs.batch import Batch
from foodenvs.envs.gym import SeatVectorEnv
from foodenvs.envs.opponents import LEARNER

NEAR = 1e-4  # two logits so near each other may change places


def layers_of(setup, hidden=(24, 16), outputs=None, seed=0, more=0):
    """Weights [out, in] and biases as a policy file has them."""
    rng = np.random.default_rng(seed)
    sizes = [setup.length + more, *hidden, setup.actions if outputs is None else outputs]
    return [
        (rng.normal(size=(b, a)).astype(np.float32) / a**0.5, rng.normal(size=b).astype(np.float32))
        for a, b in itertools.pairwise(sizes)
    ]


def by_numpy(setup, layers, activation, presence, raw):
    """The same network as a chain of matrix products."""
    x = setup.scaled(raw)
    x = np.concatenate([x, x[:, presence] > 0], axis=1, dtype=np.float32)
    for weight, bias in layers[:-1]:
        x = x @ weight.T + bias
        x = np.maximum(x, 0) if activation == "relu" else np.tanh(x)
    weight, bias = layers[-1]
    return x @ weight.T + bias


def seated(setup, activation="relu", presence=(), seed=0):
    """A policy of random weights at a table, and its layers."""
    layers = layers_of(setup, seed=seed, more=len(presence))
    agent = PolicyAgent(layers, activation, policy_metadata(setup, activation), presence)
    return foodenvs.make_agent(agent, foodenvs.make(setup.game), "player_0"), layers


def seen_by_players(setup, n):
    """Observations int8 [n, D] and masks int8 [n, A] that come up in random play."""
    batch = foodenvs.make_batch(setup.game, 64, seed=1)
    seen = []
    while len(seen) * 64 < n:
        seen.append((batch.observation.copy(), batch.action_mask.copy()))
        batch.step(batch.sample())
    observations, masks = (np.concatenate(part)[:n] for part in zip(*seen, strict=True))
    return observations, masks


@pytest.mark.parametrize("activation", ["relu", "tanh"])
def test_a_network_gives_what_matrix_products_give(game, activation):
    setup = Setup(game)
    presence = np.flatnonzero(setup.layout.high - setup.layout.low > 1)[:5]
    agent, layers = seated(setup, activation, presence)
    observations, masks = seen_by_players(setup, size(2_000, 100_000))
    logits = by_numpy(setup, layers, activation, presence, observations)
    assert np.allclose(agent.logits(observations), logits, atol=1e-4)
    legal = np.where(masks == 1, logits, -np.inf)
    chosen = agent.act_many(observations, masks)
    assert (masks[np.arange(len(masks)), chosen] == 1).all()
    lead = legal.max(axis=1) - legal[np.arange(len(legal)), chosen]
    assert (lead < NEAR).all()


def test_what_it_gives_does_not_depend_on_how_many_are_asked_with_it(game):
    setup = Setup(game)
    agent, _ = seated(setup)
    observations, _ = seen_by_players(setup, 1024)
    together = agent.logits(observations)
    for n in (1, 7):
        apart = [agent.logits(observations[at : at + n]) for at in range(0, 70, n)]
        assert np.concatenate(apart).tobytes() == together[:70].tobytes()


def test_matches_are_the_same_inside_the_engine_and_outside_of_it(game):
    """A subclass might do anything, so it plays outside."""

    class Own(PolicyAgent):
        label = "PolicyAgent"

    setup = Setup(game)
    of_networks = [layers_of(setup, seed=seed) for seed in (1, 2)]
    metadata = policy_metadata(setup, "relu")
    lineup = [kind(of_networks[0], "relu", metadata) for kind in (PolicyAgent, Own)]
    others = [PolicyAgent(of_networks[1], "relu", metadata)] + ["greedy"] * (setup.contenders - 2)
    for other in others[:1]:
        other.label = "the other"
    inside, outside = (MatchRunner(setup, [agent, *others]) for agent in lineup)
    inside, outside = (runner(7, 0, 1) for runner in (inside, outside))
    assert inside.scores.tobytes() == outside.scores.tobytes()
    assert inside.shares.tobytes() == outside.shares.tobytes()
    assert inside.decisions.tobytes() == outside.decisions.tobytes()


def test_opponents_are_the_same_inside_a_batch_and_outside_of_it(game):
    class Own(PolicyAgent):
        pass

    setup = Setup(game)
    layers, metadata = layers_of(setup, seed=1), policy_metadata(setup, "relu")
    inside, outside = (
        SeatVectorEnv(game, 4, opponents=kind(layers, "relu", metadata), rewards="shaped")
        for kind in (PolicyAgent, Own)
    )
    assert not (inside.batch.player < LEARNER).any()
    inside.reset(seed=3)
    outside.reset(seed=3)
    for _ in range(size(20, 300)):
        actions = inside.batch.sample()
        assert actions.tolist() == outside.batch.sample().tolist()
        seen, rewards = zip(*(env.step(actions)[:2] for env in (inside, outside)), strict=True)
        assert seen[0].tobytes() == seen[1].tobytes()
        assert np.allclose(*rewards, atol=1e-6)  # summed in another order


def test_masks_of_another_shape_are_refused_by_a_policy(toy):
    env, folder = toy
    agent = foodenvs.make_agent(f"policy:{folder / 'both'}", env, env.agent_selection)
    observation, _, _, _, info = env.last()
    raw = env.setup.raw(observation)
    for mask in (np.ones(env.setup.actions + 1, np.int8), info["action_mask"][:-1]):
        with pytest.raises(ValueError, match="an action mask of"):
            agent.act(observation, {"action_mask": mask})
        with pytest.raises(ValueError, match="an action mask of"):
            agent.act_many(raw[None], mask[None])
    with pytest.raises(ValueError, match="an action mask of"):
        agent.act_many(np.stack([raw, raw]), info["action_mask"][None])


def test_a_seat_is_given_to_no_network_that_is_not_there():
    setup = Setup(GAME, {"players": 3})
    most = len(GAME.agents.AGENTS)
    with pytest.raises(ValueError, match=f"a player of the engine is 0 to {most}, got"):
        Batch(setup, 1, seating=lambda seed: [-1, 0, most + 1])


# --- search ------------------------------------------------------------------------------------


@pytest.fixture
def toy(tmp_path):
    """The toy game, with files of a policy that has a value, and of one that has none."""
    setup = Setup(GAME, {"players": 3})
    for name, value in (("both", layers_of(setup, outputs=1, seed=5)), ("policy", ())):
        save_policy(tmp_path / name, setup, layers_of(setup), "relu", value=value)
    env = foodenvs.make(GAME, players=3)
    env.reset(seed=2)
    return env, tmp_path


def test_a_search_is_guided_by_a_network(toy):
    env, folder = toy
    plain, by_policy, by_both, mixed = (
        visits(env, f"ismcts:iterations=60{more}", 1)
        for more in (
            "",
            f",net={folder / 'policy'}",
            f",net={folder / 'both'}",
            f",net={folder / 'both'},trust=0.5",
        )
    )
    assert {sum(counts) for counts in (plain, by_policy, by_both, mixed)} == {59}  # the first makes the root
    assert len({tuple(counts) for counts in (plain, by_policy, by_both, mixed)}) == 4


def test_the_first_try_of_a_guided_search_is_the_networks_choice(toy):
    env, folder = toy
    agent = foodenvs.make_agent(f"policy:{folder / 'both'}", env, env.agent_selection)
    observation, _, _, _, info = env.last()
    counts = visits(env, f"ismcts:iterations=2,net={folder / 'both'}", 1)
    assert counts[agent.act(observation, info)] > 0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("trust=0.5", "give net, too"),
        ("net=nowhere", "there is no file 'nowhere'"),
        ("net=FOLDER/policy,trust=1", "has no value to trust"),
        ("net=FOLDER/policy,trust=2", "trust must be 0 to 1"),
    ],
)
def test_a_wrong_network_of_a_search_is_refused(toy, options, said):
    env, folder = toy
    with pytest.raises(ValueError, match=said):
        foodenvs.make_agent("ismcts:" + options.replace("FOLDER", str(folder)), env, "player_0")


@pytest.mark.skipif(PURE, reason="sixteen million numbers one by one")
def test_networks_too_large_to_be_addressed_are_refused():
    weight = np.zeros((MOST_WEIGHTS, 1), np.float32)
    net = Network([(weight, np.zeros(1, np.float32))], "relu", np.zeros(0, int), np.zeros(0, int))
    with pytest.raises(ValueError, match="at most 16,777,216 weights"):
        image([net])


def test_a_value_that_does_not_fit_is_refused(toy):
    _, folder = toy
    setup = Setup(GAME, {"players": 3})
    with pytest.raises(ValueError, match="layers of the value must lead from"):
        save_policy(folder / "p", setup, layers_of(setup), "relu", value=layers_of(setup, outputs=2))


def test_an_opponent_of_a_match_may_be_a_policy_that_the_engine_plays(toy):
    _, folder = toy
    setup = Setup(GAME, {"players": 3})
    runner = MatchRunner(setup, [f"policy:{folder / 'both'}", "greedy", "random"])
    assert not hasattr(runner, "_env")
    played = match(setup, [f"policy:{folder / 'both'}", "greedy", "random"], 12)
    assert sum(standing.win_share for standing in played.agents) == pytest.approx(1)
