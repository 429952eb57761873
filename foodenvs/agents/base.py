"""What an agent is, and what it may know of the table it sits at."""

import hashlib
from typing import Any, Protocol, runtime_checkable

import numpy as np


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
        if self._env.agent_selection != self.agent:
            raise RuntimeError(f"{self.agent} may sample at its own turn only")
        return self._env.determinized(self.agent, seed)


class EngineAgent:
    """An agent that the game gives as a compiled function of observation and mask, such as `greedy`."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._setup: Any = None

    def join(self, table: Table) -> None:
        agents = list(table.game.agents.AGENTS)
        if self.name not in agents:
            raise ValueError(f"{table.game.id} has no agent {self.name}; it has {', '.join(agents)}")
        self._setup, self._number = table.setup, agents.index(self.name) + 1

    def reset(self, seed: int) -> None:
        """Nothing here is left to chance."""

    def act(self, observation: Any, info: dict[str, Any]) -> int:
        if self._setup is None:
            raise RuntimeError(f"agent {self.name} needs a table: make_agent({self.name!r}, env, agent)")
        raw = np.ascontiguousarray(self._setup.raw(observation))
        return int(self._setup.engine.decide(self._number, self._setup.boxes, raw, info["action_mask"]))


def agent_seed(seed: int, seat: int) -> int:
    """The seed of the agent of a seat in the game of a seed; one-way, so it tells nothing of it."""
    digest = hashlib.blake2b(f"{seed} {seat}".encode(), digest_size=8, person=b"foodenvs agent").digest()
    return int.from_bytes(digest, "little") >> 1
