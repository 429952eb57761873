"""Agents of Critter Kitchen that the engine can run: they see an observation and a mask, never a state."""

from foodenvs.games.critter_kitchen.agents.expert import expert
from foodenvs.games.critter_kitchen.agents.greedy import greedy

AGENTS = {"greedy": greedy, "expert": expert}
