"""One game between agents."""

import contextlib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from foodenvs.agents import make_agent
from foodenvs.agents.base import agent_seed
from foodenvs.core.documents import whole
from foodenvs.core.errors import IllegalActionError, UserError, agent_error
from foodenvs.core.setup import Setup

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
    """Play one game from a seed to its end, on the environment itself if it is wrapped.

    agents: agents or ids for the seats, see `seat_agents`.
    Each gets its own seed, which tells nothing of the game's. An illegal action is the environment's affair,
    unless there is a referee: then an illegal action, what is no action at all, a move that took more than
    `seconds`, or an AgentFault of the agent's making, loses the game for its side, and the others share it;
    any other error of an agent is an AgentError.
    """
    return play_on(env.unwrapped, agents, seed, referee=referee, seconds=seconds)


def play_on(
    env: Any,
    agents: Any,
    seed: int,
    *,
    referee: bool = False,
    seconds: float | None = None,
    step: Callable[[Any, Any], None] | None = None,
) -> Played:
    """As `play`, also on a wrapper; step: plays an action of an agent, instead of `env.step`."""
    step = step or (lambda action, agent: env.step(action))
    seated = {
        name: make_agent(agent, env, name)
        for name, agent in zip(env.possible_agents, seat_agents(env.setup, agents), strict=True)
    }
    env.reset(seed=seed)
    decisions = 0
    mover = env.possible_agents[0]
    try:
        for seat, mover in enumerate(env.possible_agents):
            with _own_code(mover, seated[mover], referee):
                seated[mover].reset(agent_seed(seed, seat))
        while env.agents:
            observation, _, terminated, truncated, info = env.last()
            if terminated or truncated:
                break
            mover = env.agent_selection
            agent = seated[mover]
            if referee:
                _step_watched(env, mover, agent, observation, info, seconds)
            else:
                step(agent.act(observation, info), agent)
            decisions += 1
    except AgentFault as fault:
        if not referee:
            raise
        lost = _forfeit(env.setup, env.possible_agents.index(mover))
        returns = dict(zip(env.possible_agents, lost, strict=True))
        return Played(returns, env.scores(), decisions, Fault(mover, whole(fault.kind), whole(str(fault))))
    return Played(env.returns(), env.scores(), decisions)


@contextlib.contextmanager
def _own_code(name: str, agent: Any, referee: bool) -> Iterator[None]:
    """An error in here is the agent's, and with a referee it is told as such."""
    try:
        yield
    except (AgentFault, UserError):
        raise
    except (Exception, SystemExit) as error:
        if not referee:
            raise
        raise agent_error(f"{type(agent).__name__} ({name})", error) from error


def _step_watched(
    env: Any, name: str, agent: Any, observation: Any, info: Any, seconds: float | None
) -> None:
    started = time.perf_counter()
    with _own_code(name, agent, True):
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


def places(setup: Setup, lineup: Sequence[Any]) -> list[int]:
    """The position in a line-up that each seat plays for: its own, or its team's.

    A line-up has one agent for each seat or, in a team game, one for each team, counted in the order in which
    the teams first sit down.
    """
    if len(lineup) == setup.players:
        return list(range(setup.players))
    order = list(dict.fromkeys(setup.teams))
    return [order.index(team) for team in setup.teams]


def line_up(setup: Setup, agents: Any) -> list[Any]:
    """One agent for each seat of a team game if so many are given, else one for each contender.

    A contender is a team, or a seat where there are none; fewer agents are repeated in turn.
    """
    agents = [agents] if isinstance(agents, str) else list(agents)
    if len(agents) == setup.players:
        return agents
    if not 1 <= len(agents) <= setup.contenders:
        what = "seat" if setup.contenders == setup.players else f"team, or {setup.players}, one per seat"
        raise ValueError(f"agents must be 1 to {setup.contenders}, one per {what}, got {len(agents)}")
    return [agents[k % len(agents)] for k in range(setup.contenders)]


def seat_agents(setup: Setup, agents: Any) -> list[Any]:
    """The agent of each seat: of a mapping by seat name, or of a line-up. ValueError otherwise."""
    names = setup.agents
    if isinstance(agents, Mapping):
        if set(agents) != set(names):
            raise ValueError(f"agents must name {', '.join(names)}, got {', '.join(map(str, agents))}")
        return [agents[name] for name in names]
    lineup = line_up(setup, agents)
    return [lineup[place] for place in places(setup, lineup)]
