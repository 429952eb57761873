"""The AEC environment: PettingZoo's own tests, options, errors that change nothing, copies."""

import copy
import inspect
import pickle
import re
import warnings
from dataclasses import fields

import gymnasium
import numpy as np
import pettingzoo
import pytest
import toy
from helpers import interrupted, setups, short
from pettingzoo.test import api_test, seed_test

import foodenvs
from foodenvs.agents import RandomAgent
from foodenvs.core.errors import IllegalActionError
from foodenvs.envs.aec import FoodEnv
from foodenvs.envs.batch import Batch
from foodenvs.envs.configuration import Configuration
from foodenvs.replay import Recorder


def make(**keywords):
    env = foodenvs.make("scratch_catch", **keywords)
    env.reset(seed=1)
    return env


def legal(env):
    return int(np.flatnonzero(env.last()[4]["action_mask"])[0])


def illegal(env):
    return int(np.flatnonzero(env.last()[4]["action_mask"] == 0)[0])


def play_on(env, agent=None):
    """Play to the end with a random agent; the trace of all that is seen."""
    agent = agent or RandomAgent()
    trace = []
    while env.agents:
        observation, reward, terminated, truncated, info = env.last()
        trace.append(
            (env.agent_selection, observation["observation"].tobytes(), reward, terminated, truncated)
        )
        env.step(None if terminated or truncated else agent.act(observation, info))
    return trace


# --- PettingZoo's own tests --------------------------------------------------------------------


@pytest.mark.parametrize("rewards", ["win", "score", "shaped"])
@pytest.mark.parametrize("raw", [False, True])
def test_pettingzoo_api_test(game, rewards, raw):
    api_test(foodenvs.make(game, rewards=rewards, raw=raw), num_cycles=300)


def test_pettingzoo_seed_test(game):
    seed_test(lambda: foodenvs.make(game), num_cycles=50)


def test_pettingzoo_api_test_where_illegal_actions_are_tolerated(game):
    for mode in ("penalize", "terminate"):
        api_test(foodenvs.make(game, illegal=mode), num_cycles=50)


# --- making ------------------------------------------------------------------------------------


def test_every_way_to_name_a_game_makes_it(game):
    for name in (game.name, game.id, f"foodenvs/{game.id}", game):
        assert str(foodenvs.make(name)) == game.id
    env = pettingzoo.make("aec", f"foodenvs/{game.id}", rewards="score")
    assert isinstance(env, FoodEnv)
    assert env.reward_kind == "score"


@pytest.mark.parametrize("name", ["scratch", "scratch_catch-v9", "foodenvs/", "", None, 3])
def test_an_unknown_game_lists_those_that_exist(name):
    with pytest.raises(ValueError, match=r"unknown game .*scratch_catch-v0"):
        foodenvs.make(name)


@pytest.mark.parametrize(
    ("keywords", "error", "message"),
    [
        ({"players": 7}, ValueError, "players must be 2 to 6, got 7"),
        ({"players": 1}, ValueError, "players must be 2 to 6, got 1"),
        ({"players": 2.0}, ValueError, "players must be 2 to 6, got 2.0"),
        ({"players": True}, ValueError, "players must be 2 to 6, got True"),
        ({"players": "3"}, ValueError, "players must be 2 to 6, got '3'"),
        ({"players": None}, ValueError, "players must be 2 to 6, got None"),
        ({"deck_end": "never"}, ValueError, 'deck_end must be "refill" or "empty", got \'never\''),
        ({"isolated_fleas": 2}, ValueError, "isolated_fleas must be 0 to 1, got 2"),
        ({"player": 3}, TypeError, "unknown option 'player'; there are players, "),
        ({"rewards": "money"}, ValueError, 'rewards must be "win", "score" or "shaped", got \'money\''),
        ({"max_refusals": 0}, ValueError, "max_refusals must be a whole number of at least 1, got 0"),
        ({"max_refusals": 2.0}, ValueError, "max_refusals must be"),
        ({"illegal": None}, ValueError, 'illegal must be "raise", "penalize" or "terminate", got None'),
        ({"raw": 1}, ValueError, "raw must be true or false, got 1"),
        ({"render_mode": "hologram"}, ValueError, "render_mode must be "),
        ({"components": "nowhere.toml"}, ValueError, "nowhere.toml: cannot be read"),
        ({"components": {"cardz": {}}}, ValueError, r"components: unknown table \[cardz\]; there are"),
        ({"components": {"cards": []}}, ValueError, r"components: \[cards\] must be a table"),
    ],
)
def test_bad_keywords_are_refused_by_name(keywords, error, message):
    with pytest.raises(error, match=message):
        foodenvs.make("scratch_catch", **keywords)


def test_make_and_make_batch_take_what_a_configuration_has():
    def taken(function):
        parameters = inspect.signature(function).parameters.items()
        return {name: p.default for name, p in parameters if p.kind is p.KEYWORD_ONLY}

    has = {f.name: f.default for f in fields(Configuration) if f.name != "setup"}
    played = {name: has[name] for name in make().configuration.played}
    many = {"seed": 0, "final": False, "threads": 1}
    assert taken(foodenvs.make) == has | {"components": None}
    assert taken(foodenvs.make_batch) == played | many | {"components": None}
    assert {name: default for name, default in taken(Batch).items() if name in played | many} == played | many

    given = {
        "illegal": "penalize", "max_refusals": 3, "rewards": "score", "raw": True, "events": True,
        "render_mode": "ansi", "render_size": "small", "viewer": "open",
    }  # fmt: skip
    assert given.keys() == has.keys()
    env, batch = make(**given), foodenvs.make_batch("scratch_catch", 1, **{n: given[n] for n in played})
    assert env.configuration == Configuration(env.setup, **given)
    assert batch.configuration.played == env.configuration.played


def test_numpy_integers_are_integers():
    env = make(players=np.int64(4))
    assert env.setup.options["players"] == 4
    env.step(np.int32(legal(env)))
    env.step(np.array(legal(env)))


# --- spaces, observations, infos ---------------------------------------------------------------


def test_spaces_are_the_same_objects_and_hold_every_observation(game):
    for raw in (False, True):
        env = foodenvs.make(game, raw=raw)
        for agent in env.possible_agents:
            assert env.observation_space(agent) is env.observation_space(agent)
            assert env.action_space(agent) is env.action_space(agent)
        env.reset(seed=2)
        assert env.state_space.contains(env.state())
        agent = RandomAgent()
        while env.agents:
            for name in env.possible_agents:
                assert env.observation_space(name).contains(env.observe(name))
            observation, _, over, cut, info = env.last()
            if over or cut:
                break
            env.step(agent.act(observation, info))
        assert env.state_space.contains(env.state())


def test_raw_and_scaled_observations_tell_the_same(game):
    env, counts = foodenvs.make(game, **short(game)), foodenvs.make(game, raw=True, **short(game))
    agent = RandomAgent()
    for e in (env, counts):
        e.reset(seed=4)
    while env.agents:
        scaled, raw = env.last()[0], counts.last()[0]
        assert raw["observation"].dtype == np.int8
        assert np.array_equal(env.setup.raw(scaled), raw["observation"])
        assert np.array_equal(env.setup.scaled(raw["observation"]), scaled["observation"])
        told, counted = env.explain(scaled), counts.explain(raw)
        assert told.keys() == counted.keys() == {f.name for f in env.setup.layout.fields}
        assert all(np.array_equal(values, counted[name]) for name, values in told.items())
        if env.terminations[env.agent_selection] or env.truncations[env.agent_selection]:
            break
        action = agent.act(scaled, env.last()[4])
        env.step(action)
        counts.step(action)


def test_masks_are_zero_for_everybody_but_the_agent_to_act(game):
    env = foodenvs.make(game)
    env.reset(seed=3)
    for agent in env.possible_agents:
        mask, info = env.observe(agent)["action_mask"], env.infos[agent]["action_mask"]
        assert mask.dtype == np.int8
        assert np.array_equal(mask, info)
        assert mask.any() == (agent == env.agent_selection)


def test_arrays_and_infos_are_fresh_and_last_returns_the_info_itself():
    env = make()
    first, second = env.last()[0], env.last()[0]
    assert not np.shares_memory(first["observation"], second["observation"])
    assert not np.shares_memory(first["action_mask"], second["action_mask"])
    assert env.last()[4] is env.infos[env.agent_selection]
    infos, kept = env.infos, env.last()[4]["action_mask"].copy()
    mask = env.last()[4]["action_mask"]
    mask[:] = 1
    env.step(int(np.flatnonzero(kept)[0]))
    assert env.infos is not infos
    assert not env.last()[4]["action_mask"].all(), "writing into an info must not change the environment"


def test_state_is_all_observations_and_the_hidden_fields(game):
    env = foodenvs.make(game)
    env.reset(seed=3)
    seen = np.concatenate([env.observe(agent)["observation"] for agent in env.possible_agents])
    state = env.state()
    assert state.dtype == np.float32
    assert np.array_equal(state[: len(seen)], seen)
    assert len(state) == len(seen) + sum(f.size for f in env.setup.hidden)


def test_text_for_a_seat_a_spectator_and_everybody(game):
    env = foodenvs.make(game, render_mode="ansi")
    env.reset(seed=3)
    texts = [env.render(viewer) for viewer in (*env.possible_agents, None, "open")]
    assert all(isinstance(text, str) and text for text in texts)
    assert max(len(line) for text in texts for line in text.splitlines()) <= 80
    with pytest.raises(ValueError, match="unknown agent"):
        env.render("player_99")


def test_without_a_render_mode_render_says_how():
    with pytest.warns(UserWarning, match="render_mode"):
        assert make().render() is None


# --- order and illegal actions -----------------------------------------------------------------


def test_nothing_works_before_reset():
    env = foodenvs.make("scratch_catch")
    for call in (
        lambda: env.step(0),
        env.last,
        env.agent_iter,
        Recorder(env).last,
        Recorder(env).agent_iter,
        lambda: env.observe("player_0"),
        env.state,
        env.view,
        env.scores,
        lambda: env.determinized("player_0", 1),
    ):
        with pytest.raises(RuntimeError, match=r"reset\(\)"):
            call()
    for name in ("agents", "agent_selection", "rewards", "terminations", "truncations", "infos"):
        with pytest.raises(AttributeError, match=f"{name} does not exist before reset"):
            getattr(env, name)
    with pytest.raises(AttributeError, match="agents does not exist before reset"):
        assert env.num_agents


@pytest.mark.parametrize("wrapped", [lambda env: env, Recorder], ids=["plain", "recorder"])
def test_after_the_end_one_is_told_to_reset(wrapped):
    env = wrapped(make())
    env.reset(seed=1)
    for _ in env.agent_iter():
        env.step(None if env.last()[2] else legal(env))
    assert env.agents == []
    assert env.num_agents == 0
    for call in (lambda: env.step(0), lambda: env.step(None), env.last, env.agent_iter):
        with pytest.raises(RuntimeError, match="the game is over; call reset"):
            call()


def test_an_agent_that_is_done_takes_none_only():
    env = make()
    agent = RandomAgent()
    while not env.last()[2]:
        env.step(agent.act(*env.last()[::4]))
    with pytest.raises(ValueError, match="None"):
        env.step(0)
    for left in (2, 1, 0):
        env.step(None)
        assert len(env.agents) == left


@pytest.mark.parametrize("action", [None, 1.0, "deck", True, np.float32(1), [1], np.array([1, 2])])
def test_an_action_that_is_no_whole_number_is_a_type_error_and_changes_nothing(action):
    for mode in ("raise", "penalize", "terminate"):
        env = make(illegal=mode)
        before = env.snapshot()
        with pytest.raises(TypeError, match="action of player_0 must be a whole number from 0 to 20"):
            env.step(action)
        assert env.snapshot() == before


@pytest.mark.parametrize("action", [-1, 21, 10**30, -(10**30), np.int64(2**62), np.uint64(2**64 - 1)])
def test_an_action_out_of_range_is_illegal_and_changes_nothing(action):
    env = make()
    before = env.snapshot()
    with pytest.raises(IllegalActionError, match=r"illegal action: .* \(player_0\); legal: "):
        env.step(action)
    assert env.snapshot() == before


def test_an_illegal_action_names_agent_action_and_the_legal_ones():
    env = foodenvs.make("scratch_catch")
    env.reset(options={"position": {"line": ["5"], "hands": [["1", "2", "2*", "4"], ["?"] * 4, ["?"] * 4]}})
    before = env.snapshot()
    with pytest.raises(
        ValueError, match=r"illegal action: hand 9 \(player_0\); legal: hand 1, hand 2, hand 4, "
    ):
        env.step(env.parse_action("hand 9"))
    assert env.snapshot() == before
    assert issubclass(IllegalActionError, ValueError)


def test_every_illegal_action_is_refused_and_changes_nothing(game):
    env = foodenvs.make(game)
    env.reset(seed=6)
    agent = RandomAgent()
    for _ in range(12):
        before, mask = env.snapshot(), env.last()[4]["action_mask"]
        for action in np.flatnonzero(mask == 0):
            with pytest.raises(IllegalActionError):
                env.step(action)
        assert env.snapshot() == before
        env.step(agent.act(env.last()[0], env.last()[4]))


def test_penalize_pays_minus_one_and_asks_again():
    env = make(illegal="penalize")
    view, info = env.view(), env.infos
    env.step(illegal(env))
    assert env.view() == view
    assert env.agent_selection == "player_0"
    assert env.rewards == {"player_0": -1.0, "player_1": 0.0, "player_2": 0.0}
    assert env.last()[1] == -1.0
    assert env.infos is not info
    env.step(legal(env))
    assert env.rewards["player_0"] == 0.0


def test_the_last_refusal_that_is_allowed_truncates_the_game_for_all():
    env = make(illegal="penalize", max_refusals=5)
    for _ in range(4):  # of several agents, between legal actions, which do not count
        env.step(illegal(env))
        env.step(legal(env))
    copies = [env, copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    for each in copies:
        agent = each.agent_selection
        each.step(illegal(each))
        assert all(each.truncations.values())
        assert not any(each.terminations.values())
        assert each.rewards == dict.fromkeys(each.agents, 0.0) | {agent: -1.0}
        assert not any(each.infos[name]["action_mask"].any() for name in each.agents)
        play_on(each)
        assert each.agents == []
    env.reset(seed=1)
    for _ in range(4):
        env.step(illegal(env))
    assert not any(env.truncations.values())


def test_a_game_of_refusals_alone_ends_by_default():
    env, count = make(illegal="penalize"), 0
    while not any(env.truncations.values()):
        env.step(-1)
        count += 1
    assert count == 100


def test_terminate_ends_the_game_for_all():
    env = make(illegal="terminate")
    env.step(illegal(env))
    assert all(env.terminations.values())
    assert all(env.truncations.values())
    assert env.rewards == {"player_0": -1.0, "player_1": 0.0, "player_2": 0.0}
    assert not any(env.infos[agent]["action_mask"].any() for agent in env.agents)
    play_on(env)
    assert env.agents == []


@pytest.mark.parametrize("call", ["step", "reset"])
def test_what_is_broken_off_leaves_no_position_that_another_seat_goes_on_with(call):
    env = make()
    before, action = env.snapshot(), legal(env)
    with interrupted(env.setup, "play", "begin"), pytest.raises(KeyboardInterrupt):
        env.step(action) if call == "step" else env.reset(seed=1)
    with pytest.raises(RuntimeError, match="broken off"):
        env.step(action)
    assert not hasattr(env, "agents")
    env.restore(before)
    env.step(action)
    env.reset(seed=1)
    env.step(legal(env))


# --- rewards -----------------------------------------------------------------------------------


def total_rewards(env, seed):
    env.reset(seed=seed)
    agent, total = RandomAgent(), dict.fromkeys(env.possible_agents, 0.0)
    last = dict.fromkeys(env.possible_agents, 0.0)
    while env.agents:
        observation, reward, over, cut, info = env.last()
        last[env.agent_selection] += reward
        env.step(None if over or cut else agent.act(observation, info))
        for name, reward in env.rewards.items():
            total[name] += reward if not (over or cut) else 0
    assert {k: pytest.approx(v) for k, v in last.items()} == total
    return total


def test_rewards_mean_what_they_say(game):
    for seed in range(3):
        win = foodenvs.make(game, rewards="win")
        assert total_rewards(win, seed) == pytest.approx(win.returns())
        score = total_rewards(foodenvs.make(game, rewards="score"), seed)
        assert sum({win.teams[agent]: worth for agent, worth in win.returns().items()}.values()) == (
            pytest.approx(0)
        )
        assert score == pytest.approx(score_margins(win))
        assert total_rewards(foodenvs.make(game, rewards="shaped"), seed) == pytest.approx(score)


def score_margins(env):
    """Own score minus the mean of the opponents', over the game's scale."""
    scores, teams = env.scores(), env.teams
    return {
        agent: (scores[agent] - np.mean([scores[other] for other in scores if teams[other] != teams[agent]]))
        / env.setup.game.scale
        for agent in scores
    }


def test_from_a_position_shaped_rewards_pay_what_changes(game):
    env, agent = foodenvs.make(game, rewards="shaped"), RandomAgent()
    env.reset(seed=3)
    while not any(score_margins(env).values()):
        env.step(agent.act(*env.last()[::4]))
    env.reset(seed=4, options={"position": env.view()})
    for _ in range(3):
        before = score_margins(env)
        env.step(agent.act(*env.last()[::4]))
        now = score_margins(env)
        assert env.rewards == pytest.approx({agent: now[agent] - before[agent] for agent in now}, abs=1e-9)


# --- seeds and positions -----------------------------------------------------------------------


def test_the_same_seed_is_the_same_game_whatever_was_played_before(game):
    env = foodenvs.make(game)
    env.reset(seed=8)
    first = play_on(env)
    env.reset(seed=9)
    other = play_on(env)
    assert first != other
    env.step(None) if env.agents else None
    env.reset(seed=8)
    env.step(legal(env))
    env.reset(seed=8)
    assert play_on(env) == first


def test_without_a_seed_the_series_goes_on():
    one, two = make(), make()
    for env in (one, two):
        env.reset()
    assert one.snapshot() == two.snapshot()
    assert one.snapshot() != make().snapshot()
    fresh = [foodenvs.make("scratch_catch") for _ in range(2)]
    for env in fresh:
        env.reset()
    assert fresh[0].snapshot() != fresh[1].snapshot()


@pytest.mark.parametrize("seed", [-1, 2**63, 1.5, "1"])
def test_a_bad_seed_is_refused_and_changes_nothing(seed):
    env = make()
    before = env.snapshot()
    with pytest.raises(ValueError, match="seed must be a whole number"):
        env.reset(seed=seed)
    assert env.snapshot() == before


def test_unknown_reset_options_are_ignored_with_a_warning():
    env = make()
    with pytest.warns(UserWarning, match="'colour' is unknown and ignored"):
        env.reset(seed=1, options={"colour": "red"})
    assert env.snapshot() == make().snapshot()


def test_a_bad_position_is_refused_and_changes_nothing():
    env = make()
    before = env.snapshot()
    for position in ({"fleas": [1, 2]}, {"lin": []}, {"line": ["11"]}, [], {"turn": 3}):
        with pytest.raises(ValueError, match="position"):
            env.reset(seed=3, options={"position": position})
        assert env.snapshot() == before


def test_a_view_is_a_position(game):
    env = foodenvs.make(game)
    env.reset(seed=3)
    agent = RandomAgent()
    for _ in range(10):
        env.step(agent.act(env.last()[0], env.last()[4]))
    other = foodenvs.make(game)
    other.reset(seed=99, options={"position": env.view()})
    assert other.view() == env.view()
    assert other.agent_selection == env.agent_selection
    assert np.array_equal(other.state(), env.state())


# --- copies ------------------------------------------------------------------------------------


def copies(env):
    restored = foodenvs.make(env.setup.game, rewards=env.reward_kind, **env.setup.options)
    restored.reset(seed=77)
    restored.step(legal(restored))
    restored.restore(env.snapshot())
    yield restored
    yield copy.deepcopy(env)
    yield pickle.loads(pickle.dumps(env))


def test_copies_go_on_alike_from_every_step(game):
    env = foodenvs.make(game, rewards="shaped", **short(game))
    env.reset(seed=5)
    agent = RandomAgent()
    step = 0
    while env.agents:
        if step % 11 == 0 or len(env.agents) < len(env.possible_agents):
            before, expected = env.snapshot(), None
            for other in (*copies(env), env):
                assert other.snapshot() == before
                trace = play_on(other, RandomAgent())
                assert expected is None or trace == expected
                expected = trace
            env.restore(before)
        over = any(env.terminations.values()) or any(env.truncations.values())
        env.step(None if over else agent.act(env.last()[0], env.last()[4]))
        step += 1


def test_a_copy_before_reset_is_before_reset():
    env = foodenvs.make("scratch_catch")
    for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        with pytest.raises(RuntimeError, match="reset"):
            other.step(0)
        other.reset(seed=1)
        assert other.snapshot() == make().snapshot()


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"players": 4}, "players 4 (here 3)"),
        ({"deck_end": "empty"}, 'deck_end "empty" (here "refill")'),
        ({"components": {"start_fleas": {str(p): 9 for p in range(2, 7)}}}, "components "),
        ({"rewards": "shaped", "illegal": "penalize"}, 'rewards "shaped" (here "win"), illegal "penalize"'),
    ],
)
def test_a_snapshot_of_an_environment_that_was_made_otherwise_is_refused(keywords, message):
    env = make()
    before = env.snapshot()
    for state in (make(**keywords).snapshot(), foodenvs.make("scratch_catch", **keywords).snapshot()):
        with pytest.raises(ValueError, match=f"^the snapshot was made with {re.escape(message)}"):
            env.restore(state)
        with pytest.raises(ValueError, match=r"^the snapshot was made with"):
            FoodEnv.__new__(FoodEnv).__setstate__(env.__getstate__() | {"snapshot": state})
        assert env.snapshot() == before
    env.restore(make(raw=True, render_mode="ansi", viewer="open").snapshot())


def test_what_is_no_snapshot_is_refused_and_changes_nothing():
    env = make()
    before = env.snapshot()
    other = foodenvs.make(toy.GAME)
    other.reset(seed=1)
    for bad, message in (
        (other.snapshot(), r'made with game "toy-v0" \(here "scratch_catch-v0"\)$'),
        (before[:-1], "damaged"),
        (before[:40], "damaged"),
        (b"", "no snapshot"),
        (pickle.dumps(env), "no snapshot"),
        ("text", "no snapshot"),
    ):
        with pytest.raises(ValueError, match=message):
            env.restore(bad)
        assert env.snapshot() == before


def test_a_foreign_pickle_is_refused():
    for state in ({}, None, {"setup": 1}, [1, 2]):
        with pytest.raises(ValueError, match="pickle"):
            FoodEnv.__new__(FoodEnv).__setstate__(state)


def test_determinized_keeps_what_the_agent_sees(game):
    env = foodenvs.make(game, render_mode="ansi")
    env.reset(seed=5)
    agent = RandomAgent()
    different = 0
    for _ in range(15):
        for name in env.possible_agents:
            before = env.snapshot()
            other = env.determinized(name, seed=3)
            assert env.snapshot() == before
            assert other.snapshot() == env.determinized(name, seed=3).snapshot()
            assert other.render(name) == env.render(name)
            assert other.seat_view(name) == env.seat_view(name)
            assert other.rewards == env.rewards
            assert np.array_equal(other.observe(name)["observation"], env.observe(name)["observation"])
            assert np.array_equal(other.infos[name]["action_mask"], env.infos[name]["action_mask"])
            different += other.view() != env.view()
        env.step(agent.act(env.last()[0], env.last()[4]))
    assert different


# --- odds and ends -----------------------------------------------------------------------------


def test_unwrapped_and_closing():
    env = make()
    assert env.unwrapped is env
    env.close()
    env.close()


def test_all_options_make_playable_games(game):
    for options in setups(game):
        env = foodenvs.make(game, **options)
        env.reset(seed=1)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            play_on(env)
        assert isinstance(env.observation_space(env.possible_agents[0]), gymnasium.spaces.Dict)
