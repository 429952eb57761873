"""Policy files: written, played with numpy alone, and refused by name where they do not fit."""

import itertools
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from helpers import size
from safetensors.numpy import load_file, save_file

import foodenvs
from foodenvs import agents
from foodenvs.agents.policy import PolicyAgent, policy_metadata, save_policy
from foodenvs.arena import match
from foodenvs.core.setup import Setup
from foodenvs.envs.gym import SeatEnv, SeatVectorEnv
from foodenvs.games import GAMES


def random_layers(setup, hidden=(16, 8), seed=0):
    rng = np.random.default_rng(seed)
    sizes = [setup.length, *hidden, setup.actions]
    return [
        (rng.normal(size=(b, a)).astype(np.float32), rng.normal(size=b).astype(np.float32))
        for a, b in itertools.pairwise(sizes)
    ]


@pytest.fixture
def setup(game):
    return Setup(game)


@pytest.fixture
def path(setup, tmp_path):
    path = tmp_path / "policy.safetensors"
    evaluation = {"random": {"win_share": 0.5}}
    save_policy(path, setup, random_layers(setup), "relu", command="made here", evaluation=evaluation)
    return path


def test_a_policy_file_tells_where_it_came_from(setup, path):
    metadata = PolicyAgent.load(str(path)).metadata
    assert metadata["game"] == setup.game.id
    assert json.loads(metadata["options"]) == setup.options
    assert metadata["layout"] == setup.layout_hash
    assert metadata["command"] == "made here"
    assert json.loads(metadata["evaluation"]) == {"random": {"win_share": 0.5}}


@pytest.mark.parametrize("activation", ["relu", "tanh"])
def test_it_plays_the_legal_action_of_the_highest_logit(setup, tmp_path, activation):
    layers = random_layers(setup)
    save_policy(tmp_path / "p", setup, layers, activation)
    env = foodenvs.make(setup.game, raw=True)
    agent = foodenvs.make_agent(f"policy:{tmp_path / 'p'}", env, "player_0")
    seen = []
    env.reset(seed=3)
    while True:
        observation, _, terminated, truncated, info = env.last()
        if terminated or truncated:
            break
        x = setup.scaled(observation["observation"]).astype(np.float64)
        for k, (weight, bias) in enumerate(layers):
            x = weight @ x + bias
            if k < len(layers) - 1:
                x = np.maximum(x, 0) if activation == "relu" else np.tanh(x)
        action = agent.act(observation, info)
        assert info["action_mask"][action]
        assert x[action] == pytest.approx(x[info["action_mask"] == 1].max(), abs=1e-3)
        scaled = setup.scaled(observation["observation"])
        assert agent.act({"observation": scaled}, info) == action
        seen.append((observation["observation"], info["action_mask"], action))
        env.step(action)
    observations, masks, actions = map(np.array, zip(*seen, strict=True))
    assert agent.act_many(observations, masks).tolist() == actions.tolist()


def test_presence_tells_the_network_whether_a_count_is_above_its_least(setup, tmp_path):
    presence = np.flatnonzero(setup.layout.high - setup.layout.low > 1)[:3]
    weight = np.zeros((setup.actions, setup.length + 3), np.float32)
    weight[0, -3:] = [1, 10, 100]
    save_policy(tmp_path / "p", setup, [(weight, np.zeros(setup.actions))], "relu", presence=presence)
    agent = foodenvs.make_agent(f"policy:{tmp_path / 'p'}", foodenvs.make(setup.game), "player_0")
    raw = np.stack([setup.layout.low, setup.layout.low]).astype(np.int8)
    raw[1, presence] += [1, 0, 1]
    assert agent.logits(raw)[:, 0].tolist() == [0, 101]
    layers = [(weight, np.zeros(setup.actions))]
    with pytest.raises(ValueError, match=f"places of the observation, 0 to {setup.length - 1}"):
        save_policy(tmp_path / "p", setup, layers, "relu", presence=[*presence[:2], setup.length])


def test_an_id_is_enough_anywhere(setup, path):
    policy = f"policy:{path}"
    played = match(setup, [policy, "random"], 2 * setup.players)
    assert {standing.id for standing in played.agents} == {policy, "random"}
    env = foodenvs.make(setup.game)
    assert foodenvs.play(env, [policy], 1).decisions > 0
    single, vector = SeatEnv(setup.game, opponents=policy), SeatVectorEnv(setup.game, 2, opponents=policy)
    observation, _ = single.reset(seed=foodenvs.game_seed(1, 0, 0))
    assert np.array_equal(vector.reset(seed=1)[0][0], observation)


def test_it_needs_no_torch(tmp_path):
    path = tmp_path / "policy.safetensors"
    setup = Setup(GAMES["scratch_catch"])
    save_policy(path, setup, random_layers(setup), "relu")
    code = (
        "import sys, foodenvs, foodenvs.agents; "
        f"foodenvs.make_agent({'policy:' + str(path)!r}); "
        "print([name for name in ('torch', 'stable_baselines3') if name in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "[]\n"


def changed(path, **metadata):
    """The file with other metadata."""
    tensors, old = load_file(path), PolicyAgent.load(str(path)).metadata
    save_file(tensors, path, old | metadata)
    return f"policy:{path}"


def test_a_file_of_another_game_options_or_layout_is_refused_by_name(setup, path):
    env = foodenvs.make(setup.game)
    options = json.dumps(setup.options | {"players": 99})
    for metadata, said in (
        ({"game": "whist-v0"}, f"the file is for the game 'whist-v0', the table plays {setup.game.id}"),
        ({"options": options}, f"option players=99, the table has {setup.players}"),
        ({"layout": "0" * 16}, f"observation layout is '{'0' * 16}', the table's {setup.layout_hash}"),
    ):
        original = path.read_bytes()
        with pytest.raises(ValueError, match=said):
            foodenvs.make_agent(changed(path, **metadata), env, "player_0")
        path.write_bytes(original)
    foodenvs.make_agent(f"policy:{path}", env, "player_0")


def test_other_cards_with_other_ranges_are_another_layout():
    game = foodenvs.GAMES["scratch_catch"]
    cats, chakapuces = [7, 9, 8, 8, 8, 8, 8, 8, 0, 0], [1, 1, 1, 1, 2, 2, 1, 1, 1, 1]
    components = {
        "distribution": {"cats": cats, "chakapuces": chakapuces},
        "cards": {"cats": sum(cats), "chakapuces": sum(chakapuces), "total": sum(cats + chakapuces)},
    }
    assert Setup(game, components=components).layout_hash != Setup(game).layout_hash
    assert Setup(game, {"isolated_fleas": 1}).layout_hash == Setup(game).layout_hash


def test_what_is_no_policy_file_is_said(setup, path, tmp_path):
    (tmp_path / "text").write_text("no policy")
    save_file({"0.weight": np.zeros((1, 1), np.float32)}, tmp_path / "other")
    for name, said in (
        ("policy:", "there is no file ''"),
        (f"policy:{tmp_path / 'nothing'}", "there is no file"),
        (f"policy:{tmp_path / 'text'}", "is no safetensors file"),
        (f"policy:{tmp_path / 'other'}", "its format is None"),
    ):
        with pytest.raises(ValueError, match=said):
            foodenvs.make_agent(name)
    with pytest.raises(RuntimeError, match="needs a table"):
        foodenvs.make_agent(f"policy:{path}").act(np.zeros(setup.length, np.int8), {})


def test_networks_that_do_not_fit_are_refused_when_they_are_written(setup, tmp_path):
    layers = random_layers(setup)
    for wrong in ([], layers[:-1], layers[1:], [(layers[0][0], layers[1][1]), *layers[1:]]):
        with pytest.raises(ValueError, match="layers"):
            save_policy(tmp_path / "p", setup, wrong, "relu")
    with pytest.raises(ValueError, match='activation must be "relu" or "tanh"'):
        policy_metadata(setup, "gelu")


# --- the policies that come with the package ------------------------------------------------------

SHIPPED = [
    pytest.param(GAMES[name], path, id=f"{name}-{path.stem}")
    for name in GAMES
    for path in GAMES[name].policies
]


def test_a_game_has_them_for_its_smallest_and_its_default_number_of_players():
    for game in map(GAMES.get, GAMES):
        seats = game.options["players"]
        assert {int(path.stem) for path in game.policies} in ({seats.allowed[0], seats.default}, set())


@pytest.mark.parametrize(("game", "path"), SHIPPED)
def test_a_shipped_policy_is_small_and_does_what_its_card_says(game, path):
    assert path.stat().st_size < 2_000_000
    setup = Setup(game, {"players": int(path.stem)})
    metadata = PolicyAgent.load(str(path)).metadata
    assert not PolicyAgent.load(str(path)).misfits(setup)
    told = json.loads(metadata["evaluation"])
    assert told.keys() >= set(game.agent_ids) - {"ppo"}
    first = match(setup, ["ppo", *["greedy"] * (setup.contenders - 1)], size(16, 40), seed=77).agents[0]
    assert first.low <= told["greedy"]["win_share"] <= first.high
    if setup.players == game.options["players"].allowed[0]:
        remarked = "What was tried" in path.with_name("README.md").read_text(encoding="utf-8")
        assert remarked or told["greedy"]["low"] > 1 / setup.contenders


@pytest.mark.parametrize("name", [name for name in GAMES if GAMES[name].policies])
def test_the_cards_say_what_the_files_say(name):
    module = agents.load_file(str(Path(__file__).parents[1] / "training" / "policies.py"))
    written = GAMES[name].policies[0].with_name("README.md").read_text(encoding="utf-8")
    assert written == module.cards(GAMES[name])


def test_a_policy_is_for_the_default_of_an_option_that_its_file_does_not_know(path, setup):
    """It was written before there was such a choice."""
    policy = PolicyAgent.load(str(path))
    known = dict(policy.metadata, options=json.dumps({"players": setup.players}))
    old = PolicyAgent(random_layers(setup), "relu", known)
    assert not old.misfits(setup)
    others = [players for players in setup.game.options["players"].allowed if players != setup.players]
    other = Setup(setup.game, {"players": others[0]})
    assert old.misfits(other) == [
        f"the file was trained with the option players={setup.players}, the table has {other.players}"
    ]


def test_where_no_policy_fits_the_agent_says_what_there_is():
    env = foodenvs.make("scratch_catch", players=5)
    with pytest.raises(
        ValueError, match="no policy of scratch_catch-v0 fits this table; there are some for 2, 3"
    ):
        foodenvs.make_agent("ppo", env, "player_0")
    bare = next(game for game in map(GAMES.get, GAMES) if not game.policies)
    with pytest.raises(ValueError, match=f"no policy of {bare.id} fits this table; it has none"):
        foodenvs.make_agent("ppo", foodenvs.make(bare), "player_0")
    with pytest.raises(RuntimeError, match="ppo needs a table"):
        foodenvs.make_agent("ppo").act(np.zeros(3), {})
