"""One game between agents."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from foodenvs.agents import make_agent
from foodenvs.agents.base import agent_seed
from foodenvs.game import IllegalActionError, Setup

ILLEGAL, TIMEOUT = "illegal move", "time-out"


class AgentFault(Exception):
    """What an agent did that costs it the game: `kind` in a word or two, the message in full."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


@dataclass(frozen=True)
class Fault:
    """The fault that ended a game: the agent ("player_1"), what kind of fault, and what happened."""

    agent: str
    kind: str
    message: str


@dataclass(frozen=True)
class Played:
    """A game that was played: returns and rulebook scores by agent, the number of decisions, the fault."""

    returns: dict[str, float]
    scores: dict[str, int]
    decisions: int
    fault: Fault | None = None


def play(env: Any, agents: Any, seed: int, *, referee: bool = False, seconds: float | None = None) -> Played:
    """Play one game from a seed to its end.

    agents: one agent or id for each seat, as a list or as a dict by agent name; fewer are repeated in turn.
    Each gets its own seed, which tells nothing of the game's. An illegal action is the environment's affair,
    unless there is a referee: then an illegal action, what is no action at all, a move that took more than
    `seconds`, or an AgentFault of the agent's making, loses the game for its side, and the others share it.
    """
    env = env.unwrapped
    seated = {
        name: make_agent(agent, env, name)
        for name, agent in zip(env.possible_agents, seat_agents(env.possible_agents, agents), strict=True)
    }
    env.reset(seed=seed)
    decisions = 0
    mover = env.possible_agents[0]
    try:
        for seat, mover in enumerate(env.possible_agents):
            seated[mover].reset(agent_seed(seed, seat))
        while env.agents:
            observation, _, terminated, truncated, info = env.last()
            if terminated or truncated:
                break
            mover = env.agent_selection
            if referee:
                _step_watched(env, seated[mover], observation, info, seconds)
            else:
                env.step(seated[mover].act(observation, info))
            decisions += 1
    except AgentFault as fault:
        if not referee:
            raise
        lost = _forfeit(env.setup, env.possible_agents.index(mover))
        returns = dict(zip(env.possible_agents, lost, strict=True))
        return Played(returns, env.scores(), decisions, Fault(mover, fault.kind, str(fault)))
    return Played(env.returns(), env.scores(), decisions)


def _step_watched(env: Any, agent: Any, observation: Any, info: Any, seconds: float | None) -> None:
    started = time.perf_counter()
    action = agent.act(observation, info)
    took = time.perf_counter() - started
    if seconds is not None and took > seconds:
        raise AgentFault(TIMEOUT, f"a move took {took:.3f} s, allowed are {seconds:g} s")
    try:
        env.step(action)
    except (IllegalActionError, TypeError) as error:
        raise AgentFault(ILLEGAL, str(error)) from None


def _forfeit(setup: Setup, seat: int) -> list[float]:
    """The returns when the team of a seat loses by a fault: the other teams share the win."""
    contenders = setup.contenders
    share = 1 / max(1, contenders - 1)
    won = (contenders * share - 1) / max(1, contenders - 1)
    return [-1 / max(1, contenders - 1) if team == setup.teams[seat] else won for team in setup.teams]


def seat_agents(names: Sequence[str], agents: Any) -> list[Any]:
    """One agent per seat: a mapping by name, or a sequence that is repeated in turn. ValueError otherwise."""
    if isinstance(agents, Mapping):
        if set(agents) != set(names):
            raise ValueError(f"agents must name {', '.join(names)}, got {', '.join(map(str, agents))}")
        return [agents[name] for name in names]
    agents = [agents] if isinstance(agents, str) else list(agents)
    if not 1 <= len(agents) <= len(names):
        raise ValueError(f"agents must be 1 to {len(names)}, one per seat, got {len(agents)}")
    return [agents[seat % len(agents)] for seat in range(len(names))]
