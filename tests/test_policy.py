"""Policy files: written, played with numpy alone, and refused by name where they do not fit."""

import itertools
import json
import subprocess
import sys

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

import foodenvs
from foodenvs.agents.policy import PolicyAgent, policy_metadata, save_policy
from foodenvs.arena import match
from foodenvs.game import Setup
from foodenvs.gym import SeatEnv, SeatVectorEnv


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
    assert metadata["layout"] == setup.layout
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


def test_an_id_is_enough_anywhere(setup, path):
    policy = f"policy:{path}"
    played = match(setup, [policy, "random"], 2 * setup.players)
    assert {standing.id for standing in played.agents} == {policy, "random"}
    env = foodenvs.make(setup.game)
    assert foodenvs.play(env, [policy], 1).decisions > 0
    single, vector = SeatEnv(setup.game, opponents=policy), SeatVectorEnv(setup.game, 2, opponents=policy)
    observation, _ = single.reset(seed=foodenvs.game_seed(1, 0, 0))
    assert np.array_equal(vector.reset(seed=1)[0][0], observation)


def test_it_needs_no_torch(path):
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
        ({"game": "whist-v0"}, f"the file is for the game whist-v0, the table plays {setup.game.id}"),
        ({"options": options}, f"option players=99, the table has {setup.players}"),
        ({"layout": "0" * 16}, f"observation layout is {'0' * 16}, the table's {setup.layout}"),
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
    assert Setup(game, components=components).layout != Setup(game).layout
    assert Setup(game, {"isolated_fleas": 1}).layout == Setup(game).layout


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
