"""The rules of Fast Food Fury: comments name the clauses of the page (`FF-..`) that a line carries out.

Words: a *place* is a deck with its pile, its spot on the table and its hit; a *slot* is the spot of an open
order; a *kind* is what a product side shows; a team's *row* is its faulty cards. All numbers are in layout.py,
the phases of a game in setup.py, hitting.py, checking.py, sauces.py, orders.py and rounds.py.
"""

from foodenvs.engine import rule
from foodenvs.games.fast_food_fury.rules import layout as L
from foodenvs.games.fast_food_fury.rules.box import OPTIONS, draws, max_decisions, pack
from foodenvs.games.fast_food_fury.rules.checking import (
    check_hits,
    may_give_up,
    overflowing,
    pay,
    place_first,
)
from foodenvs.games.fast_food_fury.rules.hitting import (
    choose_hit,
    has_chosen,
    is_free,
    land_hits,
    next_to_choose,
)
from foodenvs.games.fast_food_fury.rules.layout import BOX, STATE, number_of_actions, ranges
from foodenvs.games.fast_food_fury.rules.rounds import settle
from foodenvs.games.fast_food_fury.rules.sauces import is_team_hit, sauce_at_stake, settle_sauce
from foodenvs.games.fast_food_fury.rules.setup import deal

__all__ = [
    "ACTIONS", "BOX", "OPTIONS", "STATE",
    "apply", "deal", "draws", "legal", "max_decisions", "pack", "ranges", "scores", "standing",
]  # fmt: skip


ACTIONS = number_of_actions


@rule
def legal(box, s, mask):
    mask[:] = 0
    seat = s.turn
    if s.phase == L.HIT:
        mask[L.WAIT] = 1
        for place in range(box.places):
            mask[L.HIT_AT + place] = is_free(box, s, place) and not has_chosen(s, seat, place)
    elif s.phase == L.PLACE or s.phase == L.JOKERS:  # asked only when both are possible
        mask[L.PLACE_AT] = 1
        mask[L.PLACE_AT + 1] = 1
    elif s.phase == L.TIE:
        pattern = sauce_at_stake(box, s)
        for k in range(s.claims):
            mask[L.TURN_AT + s.claim_place[k]] = is_team_hit(box, s, k, box.team[seat], pattern)
    elif s.phase == L.DISCARD:
        team = box.team[seat]
        for slot in range(L.SLOTS):
            for kind in range(box.kinds):
                mask[L.DISCARD_AT + L.SLOTS * kind + slot] = may_give_up(box, s, team, slot, kind)
            mask[L.DISCARD_JOKER_AT + slot] = may_give_up(box, s, team, slot, box.joker)


@rule
def apply(box, s, action):
    if s.phase == L.HIT:
        choose_hit(s, s.turn, action)
        if next_to_choose(box, s, s.turn):
            return
        if land_hits(box, s) and next_to_choose(box, s, 0):  # FF-09
            s.tick += 1
            return
        check_hits(box, s)
    elif s.phase == L.DISCARD:
        if action < L.DISCARD_AT:
            pay(box, s, overflowing(box, s), action - L.DISCARD_JOKER_AT, box.joker)
        else:
            kind, slot = divmod(action - L.DISCARD_AT, L.SLOTS)
            pay(box, s, overflowing(box, s), slot, kind)
    elif s.phase == L.PLACE:
        place_first(box, s, action - L.PLACE_AT)
    elif s.phase == L.TIE:
        s.turned[box.team[s.turn]] = action - L.TURN_AT  # FF-29
    else:
        settle_sauce(box, s, sauce_at_stake(box, s), s.turn, action - L.PLACE_AT)
    settle(box, s)


# --- scoring ----------------------------------------------------------------------------------


@rule
def scores(box, s, out):
    for seat in range(box.players):
        out[seat] = s.earned[box.team[seat]]  # FF-36


@rule
def standing(box, s, seat):
    """Higher is better: the team's total first (FF-36), then few orders; level teams share (FF-37)."""
    team = box.team[seat]
    return 1000 * s.earned[team] - s.completed[team]
