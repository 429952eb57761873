"""A game between people and agents, for terminal and browser: whose turn it is, hints, undo, saving."""

from collections.abc import Callable, Sequence
from operator import call
from typing import Any

from foodenvs.agents import AGENTS, build_agent, make_agent
from foodenvs.agents.base import agent_seed
from foodenvs.core.documents import named
from foodenvs.core.setup import Setup
from foodenvs.envs.aec import FoodEnv
from foodenvs.replay import Recorder, Replay, ReplayError, told_probabilities

HUMAN = "human"
Think = Callable[[Callable[[], Any]], Any]


class GameSession:
    """A game that goes on one decision at a time.

    seats: HUMAN or an agent id for every seat. Raises ValueError for seats that do not fit.
    """

    def __init__(self, recorder: Recorder, seats: Sequence[str]) -> None:
        self.recorder, self.env = recorder, recorder.unwrapped
        self.setup: Setup = self.env.setup
        names = self.env.possible_agents
        if len(seats) != len(names):
            raise ValueError(f"seats must be {len(names)}, one for each player, got {len(seats)}")
        self.seats = dict(zip(names, seats, strict=True))
        self.humans = [name for name, who in self.seats.items() if who == HUMAN]
        self._agents = {
            name: make_agent(who, self.env, name) for name, who in self.seats.items() if who != HUMAN
        }

    @classmethod
    def deal(cls, setup: Setup, seats: Sequence[str], seed: int) -> "GameSession":
        """A new game."""
        session = cls(Recorder(FoodEnv(setup, events=True)), seats)
        session.recorder.reset(seed=seed)
        session._reset_agents(seed)
        return session

    @classmethod
    def resume(cls, replay: Replay, seats: Sequence[str] = (), allow_code: bool = False) -> "GameSession":
        """A saved game at its end; seats: by default those who played it.

        allow_code: whether the replay may name other agents than those of the library; they are run.
        """
        if not seats and len(replay.agents) == 0:
            raise ReplayError("replay: it does not say who played; name the seats")
        seats = seats or [
            who
            if who == HUMAN
            else named(who, "agent", AGENTS, f"replay: agents: {seat}", allow_code, ReplayError)
            for seat, who in replay.agents.items()
        ]
        session = cls(Recorder.resume(replay), seats)
        session._reset_agents(replay.seed)
        return session

    def _reset_agents(self, seed: int) -> None:
        for name, agent in self._agents.items():
            agent.reset(agent_seed(seed, self.env.possible_agents.index(name)))

    @property
    def turn(self) -> str | None:
        """The agent to act; None when the game is over."""
        return self.env.agent_selection if self.env.position.turn >= 0 else None

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.turn is None

    @property
    def waits(self) -> bool:
        """Whether it is a human's turn."""
        return self.turn in self.humans

    def legal(self) -> list[str]:
        """The legal actions in words, in the order of their numbers."""
        return self.setup.action_names(self.env.position.mask)

    def act(self, action: str) -> None:
        """Play an action of the human to move. ValueError, and nothing changes, for any other text."""
        if not self.waits:
            raise ValueError("the game is over" if self.over else f"it is the turn of {self.turn}")
        self.recorder.step(self.setup.parse_action(action))

    def advance(self, think: Think = call) -> bool:
        """Let the agent to move take one decision; False if a human is to move or the game is over.

        think: calls the function that it is given, which is where time is spent, and gives its value; what
        it raises leaves the game as it is.
        """
        if self.over or self.waits:
            return False
        agent = self._agents[str(self.turn)]
        observation, _, _, _, info = self.env.last()
        action = think(lambda: agent.act(observation, info))
        self.recorder.step(action, told_probabilities(self.setup, agent))
        return True

    def can_undo(self) -> bool:
        """Whether `undo` would take something back."""
        played = any(step.agent in self.humans for step in self.recorder.steps)
        return played and len(self.humans) == 1 and not self.over

    def undo(self) -> None:
        """Take back the human's last decision and all that came after.

        ValueError if there is none, where several people play, and when the game is over.
        """
        if self.over:
            raise ValueError("the game is over")
        if len(self.humans) > 1:
            raise ValueError("taking back is for one player against agents")
        steps = self.recorder.steps
        mine = [number for number, step in enumerate(steps) if step.agent in self.humans]
        if not mine:
            raise ValueError("there is nothing to take back")
        self.recorder.rewind(mine[-1])

    def hint(self, agent_id: str = "greedy") -> str:
        """What an agent would do in the place of the human to move, from what that seat sees."""
        if not self.waits:
            raise ValueError("a hint is for the player to move")
        agent = make_agent(build_agent(agent_id), self.env, str(self.turn))
        agent.reset(len(self.recorder.steps))
        observation, _, _, _, info = self.env.last()
        return self.setup.action_name(self.setup.check_action(agent.act(observation, info), str(self.turn)))

    def replay(self) -> Replay:
        """The game so far. It tells all secrets."""
        return self.recorder.replay(list(self.seats.values()))

    def told(self, viewer: str | None) -> list[str]:
        """What came of each step, in words, as a viewer was told it (see `FoodEnv.events`)."""
        return self.recorder.told(viewer)
