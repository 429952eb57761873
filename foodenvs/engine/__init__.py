"""The compiled machinery: `rule`, records, the random stream and the loops. It knows no game.

numba is a private matter of this folder; a game needs `rule` and what stands below. The loops stand by use:
of one game in `single`, of many at once in `batch`, of whole games in `matches`, of searches in `search`.
"""

from foodenvs.engine.functions import is_rule, uncompiled
from foodenvs.engine.jit import PURE, choose, rule
from foodenvs.engine.loops import Engine, build
from foodenvs.engine.random import below, game_seed, pick, shuffle, shuffled, start_stream
from foodenvs.engine.records import Record, attributes, record_dtype, zeros
from foodenvs.engine.seats import next_seat, row_of, score_margins

__all__ = [
    "PURE",
    "Engine",
    "Record",
    "attributes",
    "below",
    "build",
    "choose",
    "game_seed",
    "is_rule",
    "next_seat",
    "pick",
    "record_dtype",
    "row_of",
    "rule",
    "score_margins",
    "shuffle",
    "shuffled",
    "start_stream",
    "uncompiled",
    "zeros",
]
