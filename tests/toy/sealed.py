"""Sealed Pennies, a toy game of secret choices: in each of two rounds all bid in secret, then all is shown.

A seat may not bid what it bid in the round before. The highest bid that nobody else made wins the round.
"""

import sys

import numpy as np

from foodenvs.core.game import Game, Option
from foodenvs.core.layout import Field
from foodenvs.core.views import Values
from foodenvs.engine import below, row_of, rule, start_stream

SEATS, ROUNDS, MOST = 3, 2, 4
ACTIONS = MOST + 1  # action k bids k pennies
NONE = -1
OPTIONS = (
    Option("players", 2, range(2, SEATS + 1), "number of seats"),
    Option("most", 3, (3, MOST), "pennies in a bid at most"),
)
BOX = (("most", np.int8),)
STATE = (("bid", np.int8, SEATS), ("shown", np.int8, SEATS), ("won", np.int8, SEATS), ("rounds", np.int8))
ACTION_RANGES = ((0, MOST, "bid so many pennies"),)
NOT_SHOWN = {"alone": {"won": "goes with the rounds played", "rounds": "goes with what was shown"}}


def pack(box, components, options):
    box.most = options["most"]


def ranges(box):
    return {
        "bid": (NONE, box.most),
        "shown": (NONE, box.most),
        "won": (0, ROUNDS),
        "rounds": (0, ROUNDS),
    }


def max_decisions(box):
    return ROUNDS * box.players


@rule
def deal(box, s):
    s.bid[:], s.shown[:], s.won[:] = NONE, NONE, 0
    s.rounds, s.turn = 0, 0


@rule
def may_bid(box, s, seat, pennies):
    return pennies <= box.most and pennies != s.shown[seat]


@rule
def legal(box, s, mask):
    for action in range(ACTIONS):
        mask[action] = s.turn >= 0 and may_bid(box, s, s.turn, action)


@rule
def apply(box, s, action):
    s.bid[s.turn] = action
    s.turn += 1
    if s.turn == box.players:
        show(box, s)


@rule
def show(box, s):
    best, winner = NONE, NONE
    for seat in range(box.players):
        if s.bid[seat] > best:
            best, winner = s.bid[seat], seat
        elif s.bid[seat] == best:
            winner = NONE
    if winner != NONE:
        s.won[winner] += 1
    for seat in range(box.players):
        s.shown[seat], s.bid[seat] = s.bid[seat], NONE
    s.rounds += 1
    s.turn = 0
    if s.rounds == ROUNDS:
        s.turn, s.done = -1, True


@rule
def standing(box, s, seat):
    return s.won[seat]


def fields(box):
    return (
        Field("bid", (1,), NONE, box.most, "own bid of this round; -1 before"),
        Field("shown", (box.players,), NONE, box.most, "bids of the round before; -1 before"),
        Field("won", (box.players,), 0, ROUNDS, "rounds won"),
        Field("rounds", (1,), 0, ROUNDS, "rounds played"),
        Field("turn", (box.players,), 0, 1, "one-hot: seat to act"),
    )


@rule
def observe(box, s, seat, out):
    at = box.at
    out[at.bid], out[at.rounds] = s.bid[seat], s.rounds
    for p in range(box.players):
        row = row_of(p, seat, box.players)
        out[at.shown + row], out[at.won + row], out[at.turn + row] = s.shown[p], s.won[p], s.turn == p


@rule
def determinize(box, s, seat, seed):
    start_stream(s.rng, seed)
    for other in range(box.players):
        if other != seat and s.bid[other] != NONE:
            s.bid[other] = below(s.rng, box.most + 1)
            while not may_bid(box, s, other, s.bid[other]):
                s.bid[other] = below(s.rng, box.most + 1)


def secret(box, s, action):
    return True


def action_name(box, action):
    return f"bid {action}"


def by_seat(box, field):
    return [field[seat] for seat in range(box.players)]


def public(box, s):
    return {"rounds": s.rounds, "won": by_seat(box, s.won), "shown": by_seat(box, s.shown)}


def private(box, s, seat):
    return {"bids": s.bid[seat]}


def read_bids(d):
    s, players = d.s, d.box.players
    s.turn = d.seat("turn", players, 0)
    s.done = s.turn < 0
    s.bid[:], s.shown[:] = NONE, NONE
    shown = d.integers("shown", players, NONE, d.box.most, [NONE] * players)
    bids = d.of_seats("bids", int, [None] * players)
    for seat in range(players):
        s.shown[seat] = shown[seat]
        if seat < s.turn:
            s.bid[seat] = d.box.most - 1 if bids[seat] is None else bids[seat]


POSITION = (Values("rounds"), Values("won"), read_bids)


@rule
def highest(box, observation, mask):
    action = ACTIONS - 1
    while mask[action] == 0:
        action -= 1
    return action


AGENTS = {"greedy": highest}
_HERE = sys.modules[__name__]
GAME = Game("sealed", "Sealed Pennies", 0, _HERE, _HERE, _HERE, _HERE, scale=1, home=__name__)
