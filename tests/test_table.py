"""What an agent may learn from its table: of its own position alone, and of that only what its seat knows."""

import copy
import pickle
from collections.abc import Mapping

import numpy as np
import pytest
from pettingzoo.utils import BaseWrapper

import foodenvs
from foodenvs.agents import CheaterAgent, Table, make_agent
from foodenvs.envs.aec import FoodEnv
from foodenvs.envs.gym import SeatEnv

SEARCHES = ("ismcts:iterations=20", "cheater:iterations=20")
ELSEWHERE = r"another position than that of its table \(.*\); make_agent\(agent, copy, 'player_0'\) seats"


class Sampler:
    """Asks its table in every way before it answers."""

    def join(self, table):
        self.table = table

    def reset(self, seed):
        pass

    def act(self, observation, info):
        self.table.sample_position(observation, info, 1)
        world = self.table.sample(observation, info, 2)
        return int(np.flatnonzero(world.last()[4]["action_mask"])[0])


def make(**keywords):
    env = foodenvs.make("scratch_catch", players=2, **keywords)
    env.reset(seed=1)
    return env


def step(env, number):
    legal = np.flatnonzero(env.last()[4]["action_mask"])
    env.step(legal[number % len(legal)])


def over(env):
    return any(env.terminations.values())


def asked(env):
    return env.last()[::4]


# --- other positions ---------------------------------------------------------------------------


@pytest.mark.parametrize("agent_id", [*SEARCHES, Sampler()], ids=[*SEARCHES, "own"])
def test_an_agent_is_told_how_to_sit_at_a_copy_that_it_is_asked_about(agent_id):
    env = make()
    agent, other = make_agent(agent_id, env, "player_0"), copy.deepcopy(env)
    refused = 0
    for number in range(200):
        if over(other):
            break
        if number and other.agent_selection == "player_0":
            with pytest.raises(RuntimeError, match=ELSEWHERE):
                agent.act(*asked(other))
            assert make_agent(agent, other, "player_0") is agent
            assert other.is_legal(agent.act(*asked(other)))
            make_agent(agent, env, "player_0")
            refused += 1
        step(other, number)
    assert refused > 10


def test_the_same_turn_and_mask_are_not_yet_the_same_position():
    here, there = make(), make()
    for env, fleas in ((here, [20, 20]), (there, [20, 19])):
        view = {"line": ["5"], "hands": [["1", "2", "3", "4"], ["?"] * 4], "fleas": fleas}
        env.reset(seed=1, options={"position": view})
    assert np.array_equal(asked(here)[1]["action_mask"], asked(there)[1]["action_mask"])
    for agent_id in SEARCHES:
        agent = make_agent(agent_id, here, "player_0")
        agent.act(*asked(here))
        with pytest.raises(RuntimeError, match="it sees something else there"):
            agent.act(*asked(there))


def test_a_search_refuses_before_it_changes_anything():
    env = make()
    other = copy.deepcopy(env)
    step(other, 0)
    while other.agent_selection != "player_0":
        step(other, 0)
    answers = []
    for wrong in (False, True):
        agent = make_agent("ismcts:iterations=30", env, "player_0")
        agent.act(*asked(env))
        before = agent.visits.copy()
        if wrong:
            with pytest.raises(RuntimeError):
                agent.act(*asked(other))
        assert np.array_equal(agent.visits, before)
        agent.act(*asked(env))
        answers.append(agent.visits.tolist())
    assert answers[0] == answers[1]


def test_a_table_without_a_game_or_at_anothers_turn_says_so():
    env, agent = make(), make_agent(SEARCHES[0], foodenvs.make("scratch_catch", players=2))
    with pytest.raises(RuntimeError, match="no game was dealt there"):
        agent.act(*asked(env))
    with pytest.raises(RuntimeError, match=r"it is not its turn there.*'player_1'\)"):
        make_agent(SEARCHES[0], env, "player_1").act(*asked(env))


def test_agents_of_the_observation_alone_answer_wherever_they_are_asked():
    env = make()
    other = copy.deepcopy(env)
    for _ in range(5):
        step(other, 1)
    for name in ("random", "greedy", "expert"):
        assert other.is_legal(make_agent(name, env, "player_0").act(*asked(other)))


# --- wrapped environments ----------------------------------------------------------------------


class Centred(BaseWrapper):
    """Observations in [-1, 1]: as long and of the same type, but no counts."""

    def observe(self, agent):
        seen = self.env.observe(agent)
        return seen | {"observation": 2 * seen["observation"] - 1}


class Standard(BaseWrapper):
    """Observations less a mean, by a spread."""

    def observe(self, agent):
        seen = self.env.observe(agent)
        return seen | {"observation": (seen["observation"] - np.float32(0.3)) / np.float32(0.7)}


class Flat(BaseWrapper):
    """Observation and mask in one array."""

    def observe(self, agent):
        return np.concatenate(list(self.env.observe(agent).values()), dtype=np.float64)


@pytest.mark.parametrize("wrapper", [BaseWrapper, Centred, Standard, Flat])
@pytest.mark.parametrize("raw", [False, True])
def test_wrapped_environments_stay_usable_and_turn_and_mask_are_compared(wrapper, raw):
    env = wrapper(make(raw=raw))
    agents = {name: make_agent(SEARCHES[0], env, name) for name in env.possible_agents}
    other = wrapper(copy.deepcopy(env.unwrapped))
    while not over(env):
        action = agents[env.agent_selection].act(*asked(env))
        assert env.unwrapped.is_legal(action)
        env.step(action)
    with pytest.raises(RuntimeError, match="it is not its turn there"):
        agents[other.agent_selection].act(*asked(other))


# --- hidden cards ------------------------------------------------------------------------------


def found(thing, seen=None):
    """All environments and record arrays that attributes and items lead to, private ones too."""
    seen = {} if seen is None else seen
    if id(thing) in seen or isinstance(thing, (type, str, bytes, type(copy))) or callable(thing):
        return
    seen[id(thing)] = thing
    if isinstance(thing, FoodEnv) or (isinstance(thing, np.ndarray) and thing.dtype.names):
        yield thing
    parts = [*getattr(thing, "__dict__", {}).values()]
    parts += [getattr(thing, name, None) for name in getattr(type(thing), "__slots__", ())]
    parts += thing.values() if isinstance(thing, Mapping) else ()
    parts += thing if isinstance(thing, (list, tuple, set)) else ()
    for part in parts:
        yield from found(part, seen)


class Peek:
    """Looks for the true position wherever its table leads."""

    def join(self, table):
        self.table, self.found = table, []

    def reset(self, seed):
        pass

    def act(self, observation, info):
        assert not hasattr(self.table, "open_position")
        self.found += found(self.table)
        self.found += found(self.table.sample(observation, info, 1))
        self.found.append(self.table.sample_position(observation, info, 1))
        return int(np.flatnonzero(info["action_mask"])[0])


def test_an_agent_that_looks_through_its_table_does_not_find_the_true_cards():
    env, agent = make(), Peek()
    make_agent(agent, env, "player_0")
    assert env.hidden("player_0")
    agent.act(*asked(env))
    states = [a for a in agent.found if isinstance(a, np.ndarray) and a.dtype == env.setup.game.state_dtype]
    assert states
    assert not any(state.tobytes() == env.position.states.tobytes() for state in states)
    assert not any(thing is env for thing in agent.found)
    hands = [other.view()["hands"][1] for other in agent.found if isinstance(other, FoodEnv)]
    assert hands
    assert env.view()["hands"][1] not in hands


def test_the_cheater_alone_sees_the_cards():
    class Peeker(CheaterAgent):
        pass

    env = make()
    assert np.array_equal(make_agent("cheater", env)._position(*asked(env), 0), env.position.states)
    for agent in (Peeker(), f"{__file__}:Own"):
        with pytest.raises(ValueError, match="cheater needs open cards"):
            make_agent(agent, env)
    with pytest.raises(ValueError, match="cheater needs open cards"):
        CheaterAgent().join(Table(env, "player_0"))


class Own(CheaterAgent):
    """Somebody's agent by inheritance."""


# --- copies ------------------------------------------------------------------------------------


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_agents_that_are_copied_with_their_environment_sit_at_the_copy(copied):
    env = SeatEnv("scratch_catch", players=2, opponents="ismcts:iterations=10", seat=0)
    _, info = env.reset(seed=1)
    for _ in range(3):
        *_, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
    other, action = copied(env), int(np.flatnonzero(info["action_mask"])[0])
    for mine, theirs in zip(env.step(action)[:4], other.step(action)[:4], strict=True):
        assert np.array_equal(mine, theirs)
