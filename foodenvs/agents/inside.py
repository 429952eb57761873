"""Agents that play inside the engine, at its speed: `random`, the game's own, and trained policies."""

from collections.abc import Sequence
from typing import Any

from foodenvs.agents.base import engine_numbers
from foodenvs.agents.policy import PolicyAgent, ShippedAgent, shipped_policy
from foodenvs.core.setup import Setup
from foodenvs.engine.network import Float32s, Network, image


def engine_players(setup: Setup, agents: Sequence[Any]) -> tuple[list[int | None], Float32s]:
    """What the engine calls each of some agents (ids or objects), and the image of the networks among them.

    None for an agent that plays outside. ValueError for a policy that is for another set-up.
    """
    known = engine_numbers(setup)
    networks: list[Network] = []
    numbers: list[int | None] = []
    for agent in agents:
        policy = _policy(setup, agent)
        if policy is not None:
            numbers.append(len(known) + len(networks))
            networks.append(policy.networks(setup)[0])
        else:
            numbers.append(known.get(agent) if isinstance(agent, str) else None)
    return numbers, image(networks)


def _policy(setup: Setup, agent: Any) -> PolicyAgent | None:
    """The policy that an agent is; a subclass may do what it likes, so it is none."""
    if agent == "ppo" or type(agent) is ShippedAgent:
        return shipped_policy(setup)
    if isinstance(agent, str) and agent.startswith("policy:"):
        return PolicyAgent.load(agent.removeprefix("policy:"))
    return agent if type(agent) is PolicyAgent else None
