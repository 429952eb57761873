"""The batch: the same games as the environment's, whatever N and threads; illegal actions; bad input."""

import copy
import multiprocessing
import pickle
import re
from functools import partial

import numpy as np
import pytest
import toy
from helpers import interrupted, setups

import foodenvs
from foodenvs.agents import RandomAgent
from foodenvs.core.setup import Setup
from foodenvs.engine import game_seed
from foodenvs.envs.aec import FoodEnv
from foodenvs.envs.batch import Batch


def run(game, n, steps, threads=1, **keywords):
    """The buffers after each step, per slot."""
    batch = foodenvs.make_batch(game, n, seed=21, threads=threads, final=True, **keywords)
    trace = []
    for _ in range(steps):
        batch.step(batch.sample())
        trace.append(
            [
                b.copy()
                for b in (
                    batch.observation,
                    batch.action_mask,
                    batch.seat,
                    batch.rewards,
                    batch.terminated,
                    batch.truncated,
                    batch.scores,
                    batch.illegal,
                    batch.final_observation,
                )
            ]
        )
    return trace


def test_results_depend_neither_on_n_nor_on_threads(game):
    wide = run(game, 7, 150, rewards="shaped")
    for n, threads in ((7, 3), (7, 7), (3, 2), (1, 4)):
        for a, b in zip(wide, run(game, n, 150, threads, rewards="shaped"), strict=True):
            for one, other in zip(a, b, strict=True):
                assert one[:n].tobytes() == other.tobytes()


def test_game_k_of_slot_i_is_the_game_of_its_seed(game):
    for options in setups(game)[:3]:
        batch = foodenvs.make_batch(game, 2, seed=5, final=True, rewards="score", **options)
        games = [0, 0]
        envs = [foodenvs.make(game, raw=True, rewards="score", **options) for _ in range(2)]
        for i, env in enumerate(envs):
            env.reset(seed=game_seed(5, i, 0))
        ended = 0
        while ended < 3:
            actions = batch.sample().copy()
            batch.step(actions)
            for i, env in enumerate(envs):
                env.step(int(actions[i]))
                assert np.allclose(list(env.rewards.values()), batch.rewards[i])
                over = batch.terminated[i] or batch.truncated[i]
                assert over == (any(env.terminations.values()) or any(env.truncations.values()))
                if over:
                    assert list(env.scores().values()) == batch.scores[i].tolist()
                    last = [env.observe(agent)["observation"] for agent in env.possible_agents]
                    assert np.array_equal(last, batch.final_observation[i])
                    ended, games[i] = ended + 1, games[i] + 1
                    env.reset(seed=game_seed(5, i, games[i]))
                assert env.agent_selection == f"player_{batch.seat[i]}"
                seen = env.observe(env.agent_selection)
                assert np.array_equal(seen["observation"], batch.observation[i])
                assert np.array_equal(seen["action_mask"], batch.action_mask[i])


def test_shaped_rewards_of_a_game_sum_to_its_score_reward(game):
    shaped = foodenvs.make_batch(game, 3, seed=2, rewards="shaped")
    score = foodenvs.make_batch(game, 3, seed=2, rewards="score")
    total = np.zeros((3, shaped.setup.players))
    ended = 0
    while ended < 4:
        actions = shaped.sample().copy()
        shaped.step(actions)
        score.step(actions)
        total += shaped.rewards
        for i in np.flatnonzero(shaped.terminated | shaped.truncated):
            assert total[i] == pytest.approx(score.rewards[i], abs=1e-5)
            total[i] = 0
            ended += 1


def wrong_action(batch, i):
    return int(np.flatnonzero(batch.action_mask[i] == 0)[0])


def test_an_illegal_action_is_reported_and_leaves_its_game_alone(game):
    batch, other = (foodenvs.make_batch(game, 4, seed=3) for _ in range(2))
    for _ in range(5):
        actions = batch.sample().copy()
        batch.step(actions)
        other.step(actions)
    state, observation = batch._states[1].tobytes(), batch.observation[1].copy()
    actions = batch.sample().copy()
    for wrong in (wrong_action(batch, 1), -1, batch.setup.actions, 2**62, -(2**63)):
        actions[1] = wrong
        before = batch._states.tobytes()
        batch.step(np.where(np.arange(4) == 1, wrong, -5))
        assert batch._states.tobytes() == before
        assert batch.illegal.tolist() == [True] * 4
    batch.step(actions)
    assert batch.illegal.tolist() == [False, True, False, False]
    assert batch._states[1].tobytes() == state
    assert np.array_equal(batch.observation[1], observation)
    assert not batch.rewards.any() or batch.terminated.any()
    legal = actions.copy()
    legal[1] = other.sample()[1]
    other.step(legal)
    for i in (0, 2, 3):
        assert batch._states[i].tobytes() == other._states[i].tobytes()


def test_penalize_and_terminate_act_per_game():
    for mode in ("penalize", "terminate"):
        batch = foodenvs.make_batch("scratch_catch", 3, seed=3, illegal=mode)
        before = batch._states[0].tobytes()
        actions = batch.sample().copy()
        actions[0] = wrong_action(batch, 0)
        batch.step(actions)
        assert batch.rewards[0].tolist() == [-1, 0, 0]
        assert batch.rewards[1:].tolist() == [[0, 0, 0]] * 2
        assert batch.illegal.tolist() == [True, False, False]
        ended = mode == "terminate"
        assert batch.terminated.tolist() == batch.truncated.tolist() == [ended, False, False]
        assert (batch._states[0].tobytes() == before) == (not ended)
        if ended:
            env = foodenvs.make("scratch_catch", raw=True)
            env.reset(seed=game_seed(3, 0, 1))
            assert np.array_equal(env.observe("player_0")["observation"], batch.observation[0])


def test_the_last_refusal_that_is_allowed_truncates_a_game():
    batch = foodenvs.make_batch("scratch_catch", 2, seed=3, illegal="penalize", max_refusals=3)
    for game in range(2):
        for refusal in range(3):
            batch.step(np.where([True, False], -1, batch.sample()))
            assert batch.rewards[0].tolist() == [-1, 0, 0]
            assert batch.truncated[0] == (refusal == 2)
            assert not batch.terminated[0]
        assert batch.game_seed(0) == game_seed(3, 0, game + 1)


@pytest.mark.parametrize("illegal", ["penalize", "terminate"])
def test_a_refused_first_action_brings_what_the_deal_gave(illegal):
    setup = Setup(toy.GAME, {"players": 3})
    batch = Batch(setup, 1, seed=5, rewards="shaped", illegal=illegal)
    env = FoodEnv(setup, rewards="shaped", illegal=illegal)
    env.reset(seed=game_seed(5, 0, 0))
    purses = np.array(list(env.scores().values()))
    margins = (purses - (purses.sum() - purses) / 2) / 3
    assert margins.any()
    env.step(setup.actions)
    batch.step(np.array([setup.actions]))
    assert list(env.rewards.values()) == pytest.approx(margins - [1, 0, 0])
    assert batch.rewards[0] == pytest.approx(margins - [1, 0, 0])
    if illegal == "penalize":
        env.step(0)
        assert not any(env.rewards.values())


def test_reset_starts_the_same_games_again_and_other_seeds_others():
    batch = foodenvs.make_batch("scratch_catch", 3, seed=3)
    first, agents = batch.observation.copy(), [RandomAgent() for _ in range(3)]
    for _ in range(100):
        batch.step([a.act(None, {"action_mask": m}) for a, m in zip(agents, batch.action_mask, strict=True)])
    batch.reset()
    assert np.array_equal(batch.observation, first)
    assert not batch.scores.any()
    batch.reset(4)
    assert not np.array_equal(batch.observation, first)
    other = foodenvs.make_batch("scratch_catch", 3, seed=4)
    assert np.array_equal(batch.observation, other.observation)
    assert np.array_equal(batch.sample(), other.sample())


def test_buffers_stay_the_same_arrays(game):
    batch = foodenvs.make_batch(game, 2, seed=3, final=True)
    names = ("observation", "action_mask", "seat", "rewards", "terminated", "truncated", "scores", "illegal")
    before = {name: getattr(batch, name) for name in (*names, "final_observation")}
    batch.step(batch.sample())
    batch.reset(7)
    assert all(getattr(batch, name) is buffer for name, buffer in before.items())
    n, players = 2, batch.setup.players
    length, actions = batch.setup.length, batch.setup.actions
    assert {name: (b.shape, b.dtype.name) for name, b in before.items()} == {
        "observation": ((n, length), "int8"),
        "action_mask": ((n, actions), "int8"),
        "seat": ((n,), "int8"),
        "rewards": ((n, players), "float32"),
        "terminated": ((n,), "bool"),
        "truncated": ((n,), "bool"),
        "scores": ((n, players), "int32"),
        "illegal": ((n,), "bool"),
        "final_observation": ((n, players, length), "int8"),
    }


@pytest.mark.parametrize(
    ("actions", "error"),
    [
        ([0, 0], ValueError),
        ([[0, 0, 0]], ValueError),
        (0, ValueError),
        ([0.0, 0.0, 0.0], TypeError),
        ([True, False, True], TypeError),
        (["a", "b", "c"], TypeError),
        (None, TypeError),
    ],
)
def test_actions_of_a_wrong_shape_or_dtype_are_refused_and_change_nothing(actions, error):
    batch = foodenvs.make_batch("scratch_catch", 3, seed=3)
    before = batch._states.tobytes()
    with pytest.raises(error, match="actions must"):
        batch.step(actions)
    assert batch._states.tobytes() == before


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.uint64])
def test_actions_of_any_integer_dtype_are_taken(dtype):
    batch, other = (foodenvs.make_batch("scratch_catch", 3, seed=3) for _ in range(2))
    batch.step(batch.sample().astype(dtype))
    other.step(other.sample())
    assert batch._states.tobytes() == other._states.tobytes()


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"num_envs": 0}, "num_envs must be a whole number of at least 1, got 0"),
        ({"num_envs": 2.5}, "num_envs"),
        ({"num_envs": 2, "threads": 0}, "threads must be"),
        ({"num_envs": 2, "max_refusals": 0}, "max_refusals must be"),
        ({"num_envs": 2, "seed": -1}, "seed must be"),
        ({"num_envs": 2, "rewards": "gold"}, "rewards must be"),
        ({"num_envs": 2, "illegal": "shrug"}, "illegal must be"),
        ({"num_envs": 2, "players": 9}, "players must be 2 to 6, got 9"),
    ],
)
def test_bad_keywords_are_refused_by_name(keywords, message):
    with pytest.raises(ValueError, match=message):
        foodenvs.make_batch("scratch_catch", **keywords)


@pytest.mark.parametrize("threads", [1, 2])
def test_after_a_step_that_was_broken_off_a_batch_needs_a_reset(threads):
    batch = foodenvs.make_batch("scratch_catch", 4, seed=3, threads=threads)
    before, actions = batch.snapshot(), batch.sample().copy()
    with interrupted(batch.setup, "step"), pytest.raises(KeyboardInterrupt):
        batch.step(actions)
    for call in (partial(batch.step, actions), batch.snapshot):
        with pytest.raises(RuntimeError, match=r"call reset\(\) first"):
            call()
    batch.restore(before)
    batch.step(actions)
    batch.reset()
    batch.step(actions)


def steps_of(batch):
    """The next steps of a batch: what is seen after each."""
    for _ in range(5):
        batch.step(batch.sample())
        yield batch.observation.copy(), batch.rewards.copy()


@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")
def test_a_batch_with_threads_is_copied_pickled_and_forked():
    batch = foodenvs.make_batch("scratch_catch", 4, seed=3, threads=2)
    for _ in steps_of(batch):
        pass
    others = copy.deepcopy(batch), pickle.loads(pickle.dumps(batch))
    fork = multiprocessing.get_context("fork")
    told, tell = fork.Pipe(duplex=False)
    child = fork.Process(target=lambda: tell.send(list(steps_of(batch))), daemon=True)
    child.start()
    assert told.poll(20), "a step in a forked process does not end"
    traces = [told.recv(), *(list(steps_of(each)) for each in (batch, *others))]
    child.join(20)
    for other in traces[1:]:
        for (seen, paid), (here, gained) in zip(traces[0], other, strict=True):
            assert np.array_equal(seen, here)
            assert np.array_equal(paid, gained)


OTHERS = [
    ({"players": 4}, "players 4 (here 3)"),
    ({"isolated_fleas": 1}, "isolated_fleas 1 (here 0)"),
    ({"chakapuces_points": 1}, "chakapuces_points 1 (here 0)"),
    ({"deck_end": "empty"}, 'deck_end "empty" (here "refill")'),
    ({"components": {"start_fleas": {str(p): 9 for p in range(2, 7)}}}, "components "),
    ({"rewards": "shaped", "illegal": "penalize"}, 'rewards "shaped" (here "win"), illegal "penalize" (here'),
]


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        *OTHERS,
        ({"num_envs": 2}, "num_envs 2 (here 3)"),
        ({"final": True}, "final true (here false)"),
    ],
)
def test_a_snapshot_of_a_batch_that_was_made_otherwise_is_refused(keywords, message):
    batch = foodenvs.make_batch("scratch_catch", 3)
    other = foodenvs.make_batch("scratch_catch", **{"num_envs": 3} | keywords)
    batch.step(batch.sample())
    before = batch.snapshot()
    with pytest.raises(ValueError, match=f"^the snapshot was made with {re.escape(message)}"):
        batch.restore(other.snapshot())
    assert_same(batch.snapshot(), before)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda s: None, "no snapshot of a batch"),
        (lambda s: [], "no snapshot of a batch"),
        (lambda s: {name: s[name] for name in s if name != "made"}, "no snapshot of a batch"),
        (lambda s: {name: s[name] for name in s if name != "_paid"}, "no snapshot of a batch"),
        (lambda s: s | {"made": np.zeros(3, np.uint8)}, "no snapshot of a batch"),
        (lambda s: s | {"made": np.frombuffer(b"[1]", np.uint8)}, "made with game null"),
        (lambda s: s | {"_states": s["_states"][1:]}, "damaged: _states"),
        (lambda s: s | {"player": s["player"].astype(np.float64)}, "damaged: player"),
        (lambda s: s | {"player": [[1], [2, 3]]}, "no snapshot of a batch"),
        (lambda s: s | {"seed": np.array(-1)}, "its checksum is wrong"),
        (lambda s: s | {"seed": np.array("a")}, "damaged: seed"),
    ],
)
def test_what_is_no_snapshot_of_a_batch_is_refused_and_changes_nothing(change, message):
    batch = foodenvs.make_batch("scratch_catch", 3)
    before = batch.snapshot()
    batch.step(batch.sample())
    now = batch.snapshot()
    with pytest.raises(ValueError, match=message):
        batch.restore(change(before))
    assert_same(batch.snapshot(), now)


def test_a_foreign_pickle_is_refused():
    batch = foodenvs.make_batch("scratch_catch", 3)
    state, other = batch.__getstate__(), foodenvs.make_batch("scratch_catch", 3, deck_end="empty")
    for bad in ({}, None, [1, 2], {"made": ()}, state | {"made": (1, 2)}, state | {"made": 3}):
        with pytest.raises(ValueError, match="this pickle is of no batch"):
            Batch.__new__(Batch).__setstate__(bad)
    with pytest.raises(ValueError, match="deck_end"):
        Batch.__new__(Batch).__setstate__(state | {"snapshot": other.snapshot()})


def test_a_snapshot_of_a_batch_with_opponents_is_refused_by_one_without():
    batch, other = (
        Batch(Setup(foodenvs.GAMES["scratch_catch"]), 2, seating=seating)
        for seating in (None, lambda number: [-1, 0, 0])
    )
    for one, two in ((batch, other), (other, batch)):
        with pytest.raises(ValueError, match="seating"):
            one.restore(two.snapshot())


def assert_same(one, other):
    assert one.keys() == other.keys()
    for name in one:
        assert np.array_equal(one[name], other[name]), name
