"""Three Pennies, a toy game to test the machinery with: each seat in turn keeps or throws pennies, twice.

Every seat gets 0 to LIMIT pennies, unseen by the others; `throw` pays one away; most pennies left win.
"""

import numpy as np

from foodenvs.core.game import Game, Option
from foodenvs.core.layout import Field
from foodenvs.core.views import Values
from foodenvs.engine import below, rule, start_stream
from toy.limits import LIMIT

SEATS, ACTIONS = 4, 2
OPTIONS = (Option("players", 2, range(2, SEATS + 1), "number of seats"),)
BOX = ()
STATE = (("purse", np.int8, SEATS), ("left", np.int8))


def ranges(box):
    return {"purse": (0, LIMIT), "left": (0, 2 * box.players)}


def max_decisions(box):
    return 2 * box.players


@rule
def deal(box, s):
    s.purse[:] = 0
    for seat in range(box.players):
        s.purse[seat] = below(s.rng, LIMIT + 1)
    s.turn, s.left = 0, 2 * box.players


@rule
def legal(box, s, mask):
    mask[0] = s.turn >= 0
    mask[1] = s.turn >= 0 and s.purse[s.turn] > 0


@rule
def apply(box, s, action):
    s.purse[s.turn] -= action
    s.left -= 1
    s.turn = s.turn + 1 if s.turn + 1 < box.players else 0
    if s.left == 0:
        s.turn, s.done = -1, True


@rule
def standing(box, s, seat):
    """Most pennies left win; those level share."""
    return s.purse[seat]


def fields(box):
    return (Field("purse", (1,), 0, LIMIT, "own pennies"), Field("left", (1,), 0, 8, "decisions left"))


@rule
def observe(box, s, seat, out):
    out[0], out[1] = s.purse[seat], s.left


@rule
def determinize(box, s, seat, seed):
    start_stream(s.rng, seed)
    for other in range(box.players):
        if other != seat and s.turn >= 0:
            s.purse[other] = below(s.rng, LIMIT + 1)


@rule
def keep(box, observation, mask):
    return 0


AGENTS = {"greedy": keep}
NOT_SHOWN = {
    "observation": {
        "turn": "the mask tells",
        "purses": "the others' count at the end, when nothing is left to decide",
        "last": "who threw is told once, and nobody keeps count",
    }
}
ACTION_RANGES = ((0, 1, "keep or throw a penny"),)


def action_name(box, action):
    return ("keep", "throw")[action]


def purses(box, s):
    return [s.purse[seat] for seat in range(box.players)]


def public(box, s):
    return {"left": s.left} | ({"purses": purses(box, s)} if s.turn < 0 else {})  # shown at the end


def private(box, s, seat):
    return {"purses": s.purse[seat], "scores": s.purse[seat]} if s.turn >= 0 else {}


def read_purses(d):
    drawn = [below(d.s.rng, LIMIT + 1) for _ in range(d.box.players)]
    d.s.purse[: d.box.players] = d.of_seats("purses", int, drawn)


def read_turn(d):
    d.s.turn = d.seat("turn", d.box.players, 0)
    d.s.done = d.s.turn < 0


POSITION = (read_purses, Values("left", start=lambda box: 2 * box.players), read_turn)


def table(box, view, seat=-1):
    return f"purses {view['purses']}, {view['turn']} to play, {view['left']} to come\n"


_HERE = __import__("sys").modules[__name__]
GAME = Game("toy", "Three Pennies", 0, _HERE, _HERE, _HERE, _HERE, scale=3, home=__name__)
