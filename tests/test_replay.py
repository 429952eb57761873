"""A replay gives the game back, and says so where it cannot."""

import dataclasses
import json
import re

import numpy as np
import pytest
from helpers import setups

import foodenvs
from foodenvs import replay
from foodenvs.core.setup import Setup
from foodenvs.envs.aec import FoodEnv
from foodenvs.replay import Recorder, ReplayError


@pytest.fixture
def played(game):
    return replay.record(foodenvs.make(game.id), ["greedy", "random"], seed=5)


def test_a_recorded_game_is_the_game_that_play_plays(game, played):
    result = foodenvs.play(foodenvs.make(game.id), ["greedy", "random"], seed=5)
    assert played.result["scores"] == result.scores
    assert played.result["returns"] == pytest.approx(result.returns)
    assert len(played.steps) == result.decisions
    assert list(played.agents.values())[:2] == ["greedy", "random"]


def test_a_replay_survives_a_file_and_runs_again(played, tmp_path):
    played.save(tmp_path / "game.json")
    again = replay.load(tmp_path / "game.json")
    assert again == played
    again.verify()
    for step in (0, 1, len(played.steps), -1):
        env = again.at(step)
        expected = again.steps[step - (step > 0)].after if step else again.start
        assert env.position.sight_hash() == expected
    for wrong in (len(played.steps) + 1, -len(played.steps) - 2, True, 1.0, "1"):
        with pytest.raises(ReplayError, match=f"0 to {len(played.steps)}, got {wrong!r}"):
            again.at(wrong)


def test_every_set_of_options_can_be_recorded(game):
    for options in setups(game):
        replay.record(FoodEnv(Setup(game, options)), ["random"], seed=3).verify()


def test_an_environment_is_recorded_as_it_is_used(game):
    recorder = Recorder(foodenvs.make(game.id, illegal="penalize"))
    with pytest.raises(RuntimeError, match="reset"):
        recorder.replay()
    recorder.reset(seed=2)
    for _ in range(7):
        mask = recorder.last()[0]["action_mask"]
        recorder.step(int(np.flatnonzero(mask == 0)[0]))  # refused, so no step of the game
        recorder.step(np.flatnonzero(mask)[-1])
    running = recorder.replay()
    assert len(running.steps) == 7
    assert running.result == {}
    assert running.at(-1).view() == recorder.unwrapped.view()
    recorder.reset()  # the next game of the series
    following = recorder.replay()
    assert following.steps == ()
    assert following.seed != 2
    assert following.make().view() == recorder.unwrapped.view()


def play_on(recorder, steps, choice=-1):
    for _ in range(steps):
        recorder.step(np.flatnonzero(recorder.last()[0]["action_mask"])[choice])


def recorded(**keywords):
    recorder = Recorder(foodenvs.make("scratch_catch", **keywords))
    recorder.reset(seed=1)
    play_on(recorder, 4)
    return recorder


@pytest.mark.parametrize("back", [lambda r: r.restore, lambda r: r.unwrapped.restore])
def test_a_record_goes_on_from_where_the_game_was_brought_back_to(back):
    recorder = recorded()
    snapshot, first = recorder.snapshot(), recorder.steps
    play_on(recorder, 4)
    back(recorder)(snapshot)
    assert recorder.replay().steps == first
    play_on(recorder, 3, choice=0)
    assert recorder.steps[:4] == first
    assert len(recorder.steps) == 7
    recorder.replay().verify()
    recorder.unwrapped.reset(seed=1)
    play_on(recorder, 1)
    assert len(recorder.steps) == 1
    recorder.replay().verify()


@pytest.mark.parametrize(
    "lose",
    [
        lambda env: env.reset(seed=2),
        lambda env: env.step(env.last()[4]["action_mask"].argmax()),
        lambda env: env.place(env.redealt("player_0", 7)),
        lambda env: env.restore(env.determinized("player_0", 7).snapshot()),
    ],
)
def test_a_game_that_was_not_recorded_is_never_written_down(lose):
    recorder = recorded()
    before, steps = recorder.unwrapped.view(), recorder.steps
    lose(recorder.unwrapped)
    lost = recorder.snapshot()
    for use in (lambda: play_on(recorder, 1), recorder.replay):
        with pytest.raises(RuntimeError, match="not recorded"):
            use()
        assert recorder.snapshot() == lost
    recorder.rewind(-1)
    assert recorder.unwrapped.view() == before
    assert recorder.steps == steps
    recorder.replay().verify()


def test_what_came_of_each_step_is_recorded_and_forgotten_with_the_step():
    recorder = recorded(events=True)
    lines = recorder.told("player_1")
    assert [line.split()[:2] for line in lines[::2]] == [["player_0", "turns"], ["player_1", "turns"]]
    recorder.rewind(3)
    assert recorder.told("player_1") == lines[:3]
    assert Recorder.resume(recorder.replay()).told("player_1") == lines[:3]
    with pytest.raises(RuntimeError, match="events=True"):
        recorded().told()


def test_rewinding_counts_as_a_replay_does():
    for step, left in ((-1, 4), (-2, 3), (2, 2), (-5, 0)):
        recorder = recorded(rewards="shaped")
        position = recorder.replay().at(step).view()
        recorder.rewind(step)
        assert recorder.unwrapped.view() == position
        assert len(recorder.steps) == left
        play_on(recorder, 2)
        recorder.replay().verify()
    for step in (7, -8):
        with pytest.raises(ReplayError, match="step must be 0 to 2"):
            recorder.rewind(step)
    assert len(recorder.steps) == 2


def test_rewinding_brings_the_rewards_of_that_moment_back():
    recorder, other = recorded(rewards="shaped"), recorded(rewards="shaped")
    for each in (recorder, other):
        play_on(each, 16)
    play_on(recorder, 9)
    recorder.rewind(20)
    for each in (recorder, other):
        play_on(each, 1)
    assert recorder.rewards == other.rewards
    assert recorder.snapshot() == other.snapshot()


def test_a_recorder_keeps_no_hold_of_a_position_that_it_was_given():
    position = recorded().unwrapped.view()
    recorder = Recorder(foodenvs.make("scratch_catch"))
    recorder.reset(seed=9, options={"position": position})
    position["deck"].clear()
    play_on(recorder, 1)
    recorder.replay().verify()


def test_a_position_can_be_the_start(game):
    env = replay.record(foodenvs.make(game.id), ["random"], seed=5).at(6)
    recorder = Recorder(foodenvs.make(game.id))
    recorder.reset(seed=9, options={"position": env.view()})
    recorder.step(int(np.flatnonzero(recorder.last()[0]["action_mask"])[0]))
    document = json.loads(json.dumps(recorder.replay().as_dict()))
    assert replay.from_json(json.dumps(document)).at(-1).view() == recorder.unwrapped.view()


def test_an_early_end_by_an_illegal_action_leaves_a_running_game(game):
    recorder = Recorder(foodenvs.make(game.id, illegal="terminate"))
    recorder.reset(seed=2)
    mask = recorder.last()[0]["action_mask"]
    recorder.step(int(np.flatnonzero(mask == 0)[0]))
    assert recorder.replay().result == {}
    recorder.replay().verify()


def test_changed_rules_cards_and_versions_are_told(played):
    step = played.steps[3]
    changed = dataclasses.replace(step, after="0" * 16)
    altered = dataclasses.replace(played, steps=(*played.steps[:3], changed, *played.steps[4:]))
    with pytest.raises(ReplayError, match=r"step 4 .*something else.*made by foodenvs"):
        altered.verify()
    assert altered.at(3) is not None
    older = rf"made by foodenvs 0\.0\.1, this is {re.escape(foodenvs.__version__)}"
    for key, value, message in (
        ("game", "no_such_game-v0", "names the game"),
        ("game", played.game[:-1] + "99", "names the game"),
        ("components", "0" * 16, "cards"),
        ("options", {"players": 99}, "players must be"),
        ("options", {"no_such": 1}, "unknown option"),
        ("start", "0" * 16, "first position"),
        ("result", {"scores": {}}, "result"),
    ):
        with pytest.raises(ReplayError, match=f"{message}.*{older}"):
            dataclasses.replace(played, foodenvs="0.0.1", **{key: value}).verify()
    for change, message in (
        ({"agent": "nobody"}, "it is the turn of"),
        ({"action": "fly"}, "step 4: .*action"),
    ):
        steps = (*played.steps[:3], dataclasses.replace(step, **change))
        with pytest.raises(ReplayError, match=f"{message}.*{older}"):
            dataclasses.replace(played, foodenvs="0.0.1", steps=steps).verify()


def test_own_cards_travel_with_a_replay(game):
    setup = Setup(game)
    tables = {name: table for name, table in setup.components.items() if isinstance(table, dict)}
    name, table = next(iter(tables.items()))
    own = replay.record(FoodEnv(Setup(game, {}, {name: table | {"source": "mine"}})), ["random"], seed=1)
    assert own.tables[name]["source"] == "mine"
    own.verify()
    with pytest.raises(ReplayError, match="cards"):
        dataclasses.replace(own, tables={}).verify()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d.pop("seed"), "seed: is missing"),
        (lambda d: d.update(seed=-1), "seed: must be 0"),
        (lambda d: d.update(format="foodenvs replay 0"), "format: must be"),
        (lambda d: d.update(steps={}), "steps: must be a list"),
        (lambda d: d.update(steps=[1]), "step 1: must be a table"),
        (lambda d: d["steps"][0].update(action=3), "step 1: action: must be a string"),
        (lambda d: d["steps"][0].update(probabilities={"a": 2}), "step 1: probabilities: a: must be 0 to 1"),
        (lambda d: d.update(agents={"player_0": 1}), "agents: player_0: must be a string"),
        (lambda d: d.update(extra=1), "extra: unknown key"),
    ],
)
def test_a_document_that_is_none_is_refused_by_key(change, message):
    recorded = replay.record(foodenvs.make("scratch_catch"), ["random"], seed=1).as_dict()
    document = json.loads(json.dumps(recorded))
    change(document)
    with pytest.raises(ReplayError, match=message):
        replay.from_json(json.dumps(document))


@pytest.mark.parametrize("text", ["", "[]", "no json", "[" * 5000, "3"])
def test_a_text_that_is_no_document_is_refused(text):
    with pytest.raises(ReplayError):
        replay.from_json(text)


def test_only_our_environments_can_be_recorded():
    from pettingzoo.utils.env import AECEnv

    with pytest.raises(ValueError, match="only environments of foodenvs"):
        Recorder(AECEnv())


class Certain:
    """Tells that it was certain."""

    def reset(self, seed):
        self.probabilities = None

    def act(self, observation, info):
        self.probabilities = np.zeros(len(info["action_mask"]))
        action = int(np.flatnonzero(info["action_mask"])[0])
        self.probabilities[action] = 1
        return action


def test_what_agents_tell_of_their_choice_is_kept():
    recorded = replay.record(foodenvs.make("scratch_catch"), [Certain(), "random", "random"], seed=1)
    assert recorded.agents["player_0"] == "Certain"
    for step in recorded.steps:
        assert step.probabilities == ({step.action: 1.0} if step.agent == "player_0" else {})
    assert replay.from_json(json.dumps(recorded.as_dict())) == recorded


def test_a_search_tells_the_share_of_its_visits():
    recorded = replay.record(
        foodenvs.make("scratch_catch"), ["ismcts:iterations=20", "random", "random"], seed=1
    )
    told = [step.probabilities for step in recorded.steps if step.agent == "player_0" and step.probabilities]
    assert told
    assert all(sum(shares.values()) == pytest.approx(1, abs=1e-3) for shares in told)
