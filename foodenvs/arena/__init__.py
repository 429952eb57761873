"""Games between agents: one (`play`), and seat-rotated matches of many (`match`)."""

from foodenvs.arena.match import Match, Standing, match
from foodenvs.arena.play import Played, play, seat_agents

__all__ = ["Match", "Played", "Standing", "match", "play", "seat_agents"]
