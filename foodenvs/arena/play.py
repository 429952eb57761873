"""One game between agents."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from foodenvs.agents import make_agent
from foodenvs.agents.base import agent_seed


@dataclass(frozen=True)
class Played:
    """A game that was played: returns and rulebook scores by agent, and the number of decisions."""

    returns: dict[str, float]
    scores: dict[str, int]
    decisions: int


def play(env: Any, agents: Any, seed: int) -> Played:
    """Play one game from a seed to its end.

    agents: one agent or id for each seat, as a list or as a dict by agent name; fewer are repeated in turn.
    Each gets its own seed, which tells nothing of the game's. An illegal action is the environment's affair.
    """
    env = env.unwrapped
    seated = {
        name: make_agent(agent, env, name)
        for name, agent in zip(env.possible_agents, seat_agents(env.possible_agents, agents), strict=True)
    }
    env.reset(seed=seed)
    for seat, name in enumerate(env.possible_agents):
        seated[name].reset(agent_seed(seed, seat))
    decisions = 0
    while env.agents:
        observation, _, terminated, truncated, info = env.last()
        if terminated or truncated:
            break
        env.step(seated[env.agent_selection].act(observation, info))
        decisions += 1
    return Played(env.returns(), env.scores(), decisions)


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
