"""Agents of Critter Kitchen that the engine can run: they see an observation and a mask, never a state."""

from foodenvs.games.critter_kitchen.expert import expert
from foodenvs.games.critter_kitchen.greedy import greedy

AGENTS = {"greedy": greedy, "expert": expert}
