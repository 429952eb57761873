"""Games between agents: one (`play`), matches in all seatings (`match`), tournaments (`tournament`)."""

from foodenvs.arena.match import Match, Standing, match
from foodenvs.arena.play import AgentFault, Fault, Played, play, seat_agents
from foodenvs.arena.results import Results

__all__ = [
    "AgentFault",
    "Fault",
    "Match",
    "Played",
    "Results",
    "Standing",
    "match",
    "play",
    "seat_agents",
]
