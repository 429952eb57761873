"""What an agent is, and what it may know of the table it sits at."""

import hashlib
from collections.abc import Mapping
from typing import Any, Protocol, runtime_checkable
from weakref import WeakKeyDictionary

import numpy as np

from foodenvs.engine.shared import RANDOM


@runtime_checkable
class Agent(Protocol):
    """Sees observations and masks, never a state. May also have `join(table)`, called before `reset`.

    May also have `probabilities`: of its last decision, by action [A], or None; replays keep them.
    """

    def reset(self, seed: int) -> None:
        """A new game begins; all chance of the agent comes from `seed`, which tells nothing of the game's."""

    def act(self, observation: Any, info: dict[str, Any]) -> int:
        """A legal action: observation and info as the environment's `last()` returns them."""
        raise NotImplementedError


class Table:
    """The table an agent sits at: the game and its options, never the position.

    setup: the `Setup` (game, options, box, fields, spaces' sizes); agent and seat: whose place it is.

    An agent that asks its table for samples hands on what it was asked itself, observation and info. Where
    that is not what its seat meets at this table now, as when the question comes from a copy of the
    environment, there is no sample but a RuntimeError, which says how to seat the agent at the copy.
    Observations are compared where they can be ones of this environment: what a wrapper made of them is not.
    """

    def __init__(self, env: Any, agent: str) -> None:
        self.setup = env.setup
        self.game = env.setup.game
        self.options = dict(env.setup.options)
        self.agent = agent
        self.seat = env.possible_agents.index(agent)
        self.observation_space = env.observation_space(agent)
        self.action_space = env.action_space(agent)
        self.fields = env.setup.layout.fields
        _ENVIRONMENTS[self] = env

    def raw(self, observation: Any) -> np.ndarray:
        """The int8 counts [D] of an observation, scaled or raw."""
        return np.ascontiguousarray(self.setup.raw(observation))

    def sample(self, observation: Any, info: Mapping[str, Any], seed: int) -> Any:
        """An environment at this seat's turn in which all that the seat cannot know is dealt anew.

        It depends on `seed` and on what the seat knows. observation, info: what `act` was given.
        """
        return _environment(self, observation, info).determinized(self.agent, seed)

    def sample_position(self, observation: Any, info: Mapping[str, Any], seed: int) -> np.ndarray:
        """The position of `sample` alone, as [1] record of STATE: what a search starts from."""
        position: np.ndarray = _environment(self, observation, info).redealt(self.agent, seed)
        return position

    def __reduce__(self) -> Any:
        return type(self), (_ENVIRONMENTS[self], self.agent)


class OpenTable(Table):
    """A table with all cards open. `make_agent` gives it to `cheater`, which says so in its name."""

    def open_position(self, observation: Any, info: Mapping[str, Any]) -> np.ndarray:
        """The true position, as [1] record of STATE."""
        position: np.ndarray = _environment(self, observation, info).record()
        return position


# Not in the tables, where an agent would find its opponents' cards. Python keeps nothing from code that looks
# for it in other modules; `foodenvs.grading.grade` plays agents that nobody trusts in processes of their own.
_ENVIRONMENTS: WeakKeyDictionary[Table, Any] = WeakKeyDictionary()


def _environment(table: Table, observation: Any, info: Mapping[str, Any]) -> Any:
    """The environment of a table; RuntimeError where an agent was asked about another position than that."""
    env = _ENVIRONMENTS[table]
    difference = _difference(table, env, observation, info)
    if difference:
        raise RuntimeError(
            f"{table.agent} was asked about another position than that of its table ({difference}); "
            f"make_agent(agent, copy, {table.agent!r}) seats the agent at a copy of the environment"
        )
    return env


def _difference(table: Table, env: Any, observation: Any, info: Mapping[str, Any]) -> str:
    if not hasattr(env, "agents"):
        return "no game was dealt there"
    there = env.observe(table.agent)
    if not there["action_mask"].any():
        return "it is not its turn there"
    if not np.array_equal(there["action_mask"], info["action_mask"]):
        return "other actions are legal there"
    counts = _counts(table.setup, observation)
    if counts is not None and not np.array_equal(counts, table.raw(there)):
        return "it sees something else there"
    return ""


def _counts(setup: Any, observation: Any) -> np.ndarray | None:
    """The int8 counts [D] of an observation, scaled or raw; None for what no environment like this shows."""
    seen = observation.get("observation") if isinstance(observation, Mapping) else observation
    if not isinstance(seen, np.ndarray) or seen.shape != (setup.length,):
        return None
    if seen.dtype == np.int8:
        return seen if ((setup.layout.low <= seen) & (seen <= setup.layout.high)).all() else None
    if seen.dtype != np.float32 or not (seen.min() >= 0 and seen.max() <= 1):
        return None
    counts: np.ndarray = setup.raw(seen)
    return counts if np.array_equal(setup.scaled(counts), seen) else None


class EngineAgent:
    """An agent that the game gives as a compiled function of observation and mask, such as `greedy`."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._setup: Any = None

    def join(self, table: Table) -> None:
        """Take a seat at a table; ValueError where its game has no such agent."""
        self._setup, self._number = table.setup, engine_number(table.setup, self.name)

    def reset(self, seed: int) -> None:
        """Nothing here is left to chance."""

    def act(self, observation: Any, info: dict[str, Any]) -> int:
        """The agent's action for an observation, scaled or raw. RuntimeError without a table."""
        if self._setup is None:
            raise RuntimeError(f"agent {self.name} needs a table: make_agent({self.name!r}, env, agent)")
        raw = np.ascontiguousarray(self._setup.raw(observation))
        mask = checked_masks(self._setup, info["action_mask"], ())
        return int(self._setup.engine.decide(self._number, self._setup.boxes, raw, mask))

    def act_many(self, observation: np.ndarray, action_mask: np.ndarray) -> np.ndarray:
        """Actions int64 [n] for raw observations int8 [n, D] and masks int8 [n, A]."""
        actions = np.zeros(len(observation), np.int64)
        masks = checked_masks(self._setup, action_mask, actions.shape)
        observation = np.ascontiguousarray(self._setup.raw(observation))
        self._setup.engine.decide_many(self._number, self._setup.boxes, observation, masks, actions)
        return actions


def checked_masks(setup: Any, given: Any, shape: tuple[int, ...]) -> np.ndarray:
    """Masks int8 [..., A]; ValueError for another shape, since compiled code indexes without looking."""
    masks, wanted = np.ascontiguousarray(given, np.int8), (*shape, setup.actions)
    if masks.shape != wanted:
        raise ValueError(f"an action mask of {setup.game.id} has shape {wanted}, got {masks.shape}")
    return masks


def engine_numbers(setup: Any) -> dict[str, int]:
    """The agents that play inside the engine, and what it calls them."""
    return {"random": RANDOM} | {name: k for k, name in enumerate(setup.game.agents.AGENTS, 1)}


def engine_number(setup: Any, name: str) -> int:
    """What the engine calls an agent; ValueError for one that it does not know."""
    numbers = engine_numbers(setup)
    if name not in numbers:
        raise ValueError(f"{setup.game.id} has no agent {name}; it has {', '.join(numbers)}")
    return numbers[name]


def agent_seed(seed: int, seat: int) -> int:
    """The seed of the agent of a seat in the game of a seed; one-way, so it tells nothing of it."""
    digest = hashlib.blake2b(f"{seed} {seat}".encode(), digest_size=8, person=b"foodenvs agent").digest()
    return int.from_bytes(digest, "little") >> 1
