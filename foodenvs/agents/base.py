"""What an agent is, and what it may know of the table it sits at."""

import hashlib
from typing import Any, Protocol, runtime_checkable

import numpy as np

from foodenvs.engine.loops import RANDOM


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
    """

    def __init__(self, env: Any, agent: str) -> None:
        self.setup = env.setup
        self.game = env.setup.game
        self.options = dict(env.setup.options)
        self.agent = agent
        self.seat = env.possible_agents.index(agent)
        self.observation_space = env.observation_space(agent)
        self.action_space = env.action_space(agent)
        self.fields = env.setup.fields
        self._env = env

    def raw(self, observation: Any) -> np.ndarray:
        """The int8 counts [D] of an observation, scaled or raw."""
        return np.ascontiguousarray(self.setup.raw(observation))

    def sample(self, seed: int) -> Any:
        """An environment at this seat's turn in which all that the seat cannot know is dealt anew.

        It depends on `seed` and on what the seat knows. Raises RuntimeError when it is not its turn.
        """
        self._check_turn()
        return self._env.determinized(self.agent, seed)

    def sample_position(self, seed: int) -> np.ndarray:
        """The position of `sample(seed)` alone, as [1] record of STATE: what a search starts from."""
        self._check_turn()
        states: np.ndarray = self._env.redealt(self.agent, seed)
        return states

    def open_position(self) -> np.ndarray:
        """The true position, all cards open: for `cheater`, which says so in its name, and nobody else."""
        return np.frombuffer(self._env._states.tobytes(), self._env._states.dtype)

    def _check_turn(self) -> None:
        if self._env.agent_selection != self.agent:
            raise RuntimeError(f"{self.agent} may sample at its own turn only")


class EngineAgent:
    """An agent that the game gives as a compiled function of observation and mask, such as `greedy`."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._setup: Any = None

    def join(self, table: Table) -> None:
        self._setup, self._number = table.setup, engine_number(table.setup, self.name)

    def reset(self, seed: int) -> None:
        """Nothing here is left to chance."""

    def act(self, observation: Any, info: dict[str, Any]) -> int:
        if self._setup is None:
            raise RuntimeError(f"agent {self.name} needs a table: make_agent({self.name!r}, env, agent)")
        raw = np.ascontiguousarray(self._setup.raw(observation))
        return int(self._setup.engine.decide(self._number, self._setup.boxes, raw, info["action_mask"]))

    def act_many(self, observation: np.ndarray, action_mask: np.ndarray) -> np.ndarray:
        """Actions int64 [n] for raw observations int8 [n, D] and masks int8 [n, A]."""
        actions = np.zeros(len(observation), np.int64)
        self._setup.engine.decide_many(self._number, self._setup.boxes, observation, action_mask, actions)
        return actions


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
