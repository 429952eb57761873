"""Hits are checked (FF-10 to FF-16), and correct ones placed (FF-10, FF-11)."""

from foodenvs.engine import rule
from foodenvs.games.fast_food_fury.rules import layout as L
from foodenvs.games.fast_food_fury.rules.cards import discard, empty_row, order_kind, put_on_order
from foodenvs.games.fast_food_fury.rules.orders import fits, placeable
from foodenvs.games.fast_food_fury.rules.sauces import sauce_place


@rule
def check_hits(box, s):
    """Faulty cards leave for the rows; the claims that stay are correct."""
    claims = s.claims
    s.claims = 0
    for k in range(claims):
        place, seat = s.claim_place[k], s.claim_seat[k]
        s.claim_place[k] = 0
        s.claim_seat[k] = 0
        s.claim_place[s.claims] = place
        s.claim_seat[s.claims] = seat
        s.claims += 1
        if not last_is_correct(box, s):
            s.claims -= 1
            s.claim_place[s.claims] = 0
            s.claim_seat[s.claims] = 0
            put_in_row(box, s, place, seat)
    for team in range(box.teams):
        if s.overflow[team] != L.NONE and row_size(box, s, team) < box.full:
            s.overflow[team] = L.NONE


@rule
def put_in_row(box, s, place, seat):
    """A faulty card goes to the team's row; the seat whose faulty hit landed last decides (FF-14)."""
    card, team = s.table[place], box.team[seat]
    s.table[place] = L.NONE
    s.where[card] = L.ROW + team
    s.rows[team, box.face[card]] += 1
    s.overflow[team] = seat


@rule
def row_size(box, s, team):
    size = 0
    for kind in range(box.kinds):
        size += s.rows[team, kind]
    return size


@rule
def last_is_correct(box, s):
    """Whether the claim that landed last is correct after those before it."""
    card = s.table[s.claim_place[s.claims - 1]]
    if s.sauce_round:  # FF-33
        return sauce_place(box, s, box.pattern[card]) != L.NONE
    return claims_placeable(box, s, box.team[s.claim_seat[s.claims - 1]], 0)  # FF-10, FF-12, FF-13


@rule
def claims_placeable(box, s, team, first):
    """Whether all claims of a team from number `first` on can be placed together."""
    a, b, c = L.NONE, L.NONE, L.NONE
    for k in range(first, s.claims):
        if box.team[s.claim_seat[k]] == team:
            kind = box.face[s.table[s.claim_place[k]]]
            if a == L.NONE:
                a = kind
            elif b == L.NONE:
                b = kind
            else:
                c = kind
    placed = s.placed[team]
    return placeable(box, s.sides[0], placed[0], s.sides[1], placed[1], a, b, c)


@rule
def may_give_up(box, s, team, slot, kind):
    """Whether a team may discard a kind from an order as a penalty; jokers by option (FF-14)."""
    return s.placed[team, slot, kind] > 0 and (kind != box.joker or box.joker_discard)


@rule
def penalties(box, s):
    """Overflowing trash cans, team by team; True when a seat has to choose what to discard."""
    for team in range(box.teams):
        seat = s.overflow[team]
        if seat != L.NONE:
            choices, slot, kind = ways_to_pay(box, s, team)
            if choices > 1:
                s.phase = L.DISCARD
                s.turn = seat
                return True
            if choices == 1:
                pay(box, s, team, slot, kind)
            s.overflow[team] = L.NONE  # FF-15: without a product the can stays full
    return False


@rule
def ways_to_pay(box, s, team):
    """How many choices a team has for its penalty, and slot and kind of the last one."""
    choices, last_slot, last_kind = 0, L.NONE, L.NONE
    for slot in range(L.SLOTS):
        for kind in range(box.kinds + 1):
            if may_give_up(box, s, team, slot, kind):
                choices += 1
                last_slot = slot
                last_kind = kind
    return choices, last_slot, last_kind


@rule
def pay(box, s, team, slot, kind):
    """Discard a product, the lowest card of its kind, and then the row (FF-14)."""
    card = 0
    while s.where[card] != L.PLACED + L.SLOTS * team + slot or order_kind(box, card) != kind:
        card += 1
    s.placed[team, slot, kind] -= 1
    discard(box, s, card)
    empty_row(box, s, team)
    s.overflow[team] = L.NONE


@rule
def overflowing(box, s):
    """The first overflowing team."""
    team = 0
    while s.overflow[team] == L.NONE:
        team += 1
    return team


# --- correct hits are placed ------------------------------------------------------------------


@rule
def may_place(box, s, slot):
    """Whether the first claim may go to a slot: it fits, and its team's later claims remain placeable."""
    team = box.team[s.claim_seat[0]]
    kind = box.face[s.table[s.claim_place[0]]]
    placed = s.placed[team]
    if not fits(box, s.sides[slot], placed[slot], kind, L.NONE, L.NONE):
        return False
    placed[slot, kind] += 1
    may = claims_placeable(box, s, team, 1)
    placed[slot, kind] -= 1
    return may


@rule
def placements(box, s):
    """Correct hits go to the orders in landing order; True when a hitter has to choose one."""
    while s.claims > 0:
        if not may_place(box, s, 1):
            place_first(box, s, 0)
        elif not may_place(box, s, 0):
            place_first(box, s, 1)
        else:
            s.phase = L.PLACE
            s.turn = s.claim_seat[0]  # FF-11
            return True
    return False


@rule
def place_first(box, s, slot):
    place, team = s.claim_place[0], box.team[s.claim_seat[0]]
    put_on_order(box, s, s.table[place], team, slot)
    s.table[place] = L.NONE
    s.claims -= 1
    for k in range(s.claims):
        s.claim_place[k] = s.claim_place[k + 1]
        s.claim_seat[k] = s.claim_seat[k + 1]
    s.claim_place[s.claims] = 0
    s.claim_seat[s.claims] = 0
