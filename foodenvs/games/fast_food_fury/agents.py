"""Agents of Fast Food Fury that the engine can run: they see an observation and a mask, never a state."""

from foodenvs.engine import rule
from foodenvs.games.fast_food_fury.information import THING
from foodenvs.games.fast_food_fury.rules import (
    DISCARD,
    DISCARD_AT,
    DISCARD_JOKER_AT,
    HIT,
    HIT_AT,
    JOKER,
    KINDS,
    NONE,
    PATTERNS,
    PAYMENT,
    PHASES,
    PLACE_AT,
    SIDE,
    SLOTS,
    WAIT,
    icons_left,
    placeable,
)

NEVER = 99  # more icons than an order has


# --- reading the observation -------------------------------------------------------------------


@rule
def side(box, obs, slot):
    at = len(PHASES) + box.players + 3 + SIDE * slot
    return obs[at : at + SIDE]


@rule
def own_cards(box, obs, slot):
    """The own team's cards on the order in a slot, by kind, jokers last."""
    at = len(PHASES) + box.players + 3 + SIDE * SLOTS + (KINDS + 1) * slot
    return obs[at : at + KINDS + 1]


@rule
def table_at(box):
    """Where the table starts in the observation."""
    return len(PHASES) + box.players + 3 + SIDE * SLOTS + box.teams * (SLOTS * (KINDS + 1) + KINDS + 2)


@rule
def on_table(box, obs, place):
    """One-hots of the card on a place: kind or sauce pattern, pattern, claiming seat; its landing number."""
    width = THING + box.players + 1
    at = table_at(box) + width * place
    return obs[at : at + width]


@rule
def hits_left_at(box):
    return table_at(box) + box.places * (THING + box.players + 1)


@rule
def my_choice_at(box):
    return hits_left_at(box) + box.players


@rule
def is_teammate(box, obs, row):
    """Whether the seat in a row of the observation is of the own team (row 0 is oneself)."""
    return obs[my_choice_at(box) + 1 + 2 * box.places + box.teams + box.teams * row] > 0


@rule
def lowest_place(box, obs, row):
    at = my_choice_at(box) + 1 + 2 * box.places + box.teams + box.teams * box.players
    place = 0
    while obs[at + box.players * place + row] == 0:
        place += 1
    return place


@rule
def kind_of(card):
    """The kind that a card on the table shows; NONE for a sauce and where there is none."""
    for kind in range(KINDS):
        if card[kind]:
            return kind
    return NONE


@rule
def landing_number(card):
    return int(card[card.shape[0] - 1])


@rule
def claimed_by_us(box, obs, place):
    card = on_table(box, obs, place)
    for row in range(box.players):
        if card[THING + row] and is_teammate(box, obs, row):
            return True
    return False


# --- which cards are worth hitting ---------------------------------------------------------------


@rule
def would_be_correct(box, obs, a, b, c):
    return placeable(
        box, side(box, obs, 0), own_cards(box, obs, 0), side(box, obs, 1), own_cards(box, obs, 1), a, b, c
    )


@rule
def own_claims(box, obs):
    """The kinds of the first two correct claims of the own team in this round, in landing order (FF-13)."""
    a, b = NONE, NONE
    for number in range(1, box.places + 1):
        for place in range(box.places):
            card = on_table(box, obs, place)
            if landing_number(card) == number and claimed_by_us(box, obs, place):
                kind = kind_of(card)
                if b == NONE and would_be_correct(box, obs, a, kind, NONE):
                    if a == NONE:
                        a = kind
                    else:
                        b = kind
    return a, b


@rule
def fewest_left(box, obs, kind):
    """The fewest icons missing on an order that one more card of a kind fits; NEVER if it fits none."""
    fewest = NEVER
    for slot in range(SLOTS):
        left = icons_left(box, side(box, obs, slot), own_cards(box, obs, slot), kind, NONE, NONE)
        if 0 <= left < fewest:
            fewest = left
    return fewest


@rule
def required(box, obs, pattern):
    """Whether a sauce of a pattern lies on the table."""
    for place in range(box.places):
        if on_table(box, obs, place)[KINDS + pattern]:
            return True
    return False


@rule
def is_sauce_round(box, obs):
    for pattern in range(PATTERNS):
        if required(box, obs, pattern):
            return True
    return False


@rule
def urge(box, obs, place, sauce_round, a, b):
    """What is missing after a hit on a place, on top of the team's claims a and b; NEVER: no good card."""
    card = on_table(box, obs, place)
    kind = kind_of(card)
    if kind == NONE or landing_number(card) > 0:
        return NEVER
    if sauce_round:
        for pattern in range(PATTERNS):
            if card[KINDS + PATTERNS + pattern] and required(box, obs, pattern):
                return 0
        return NEVER
    if not would_be_correct(box, obs, a, b, kind):
        return NEVER
    return fewest_left(box, obs, kind)


@rule
def place_in_line(box, obs):
    """How many good cards are left to others: a hit for each teammate before oneself and each own choice."""
    number, own = 0, lowest_place(box, obs, 0)
    for row in range(1, box.players):
        if is_teammate(box, obs, row) and lowest_place(box, obs, row) < own:
            number += int(obs[hits_left_at(box) + row])
    for place in range(box.places):
        number += int(obs[my_choice_at(box) + 1 + place])
    return number


@rule
def choose_card(box, obs, mask):
    """Team-mates take the good cards in the order of their places, so that no two hit the same."""
    sauce_round = is_sauce_round(box, obs)
    a, b = NONE, NONE
    if not sauce_round:
        a, b = own_claims(box, obs)
    place, last = NONE, NONE
    for _ in range(place_in_line(box, obs) + 1):
        place, best = NONE, NEVER * box.places
        for candidate in range(box.places):
            rank = urge(box, obs, candidate, sauce_round, a, b) * box.places + candidate
            if last < rank < best:
                place, best = candidate, rank
        last = best
    if place == NONE or mask[HIT_AT + place] == 0:
        return WAIT
    return HIT_AT + place


# --- penalties and placements ----------------------------------------------------------------------


@rule
def missing(box, obs, slot, kind):
    """The icons missing on the order in a slot, with one more card of a kind (NONE: as it is)."""
    return icons_left(box, side(box, obs, slot), own_cards(box, obs, slot), kind, NONE, NONE)


@rule
def choose_discard(box, obs, mask):
    """From the order with most icons missing, then the lowest payment."""
    best, best_rank = NONE, NONE
    for slot in range(SLOTS):
        rank = 256 * missing(box, obs, slot, NONE) + 128 - int(side(box, obs, slot)[PAYMENT])
        for k in range(KINDS + 1):
            action = DISCARD_JOKER_AT + slot if k == JOKER else DISCARD_AT + KINDS * slot + k
            if mask[action] and (rank > best_rank or (rank == best_rank and action < best)):
                best, best_rank = action, rank
    return best


@rule
def choose_order(box, obs):
    """The order with fewest icons missing afterwards, then the higher payment."""
    kind = JOKER
    for place in range(box.places):
        if obs[my_choice_at(box) + 1 + box.places + place]:
            if kind_of(on_table(box, obs, place)) != NONE:
                kind = kind_of(on_table(box, obs, place))
    first, second = missing(box, obs, 0, kind), missing(box, obs, 1, kind)
    if second < first:
        return PLACE_AT + 1
    if second == first and side(box, obs, 1)[PAYMENT] > side(box, obs, 0)[PAYMENT]:
        return PLACE_AT + 1
    return PLACE_AT


@rule
def greedy(box, obs, mask):
    """The greedy agent: takes the card that brings an order closest to its end, leaving mates theirs."""
    if obs[HIT]:
        return choose_card(box, obs, mask)
    if obs[DISCARD]:
        return choose_discard(box, obs, mask)
    return choose_order(box, obs)


AGENTS = {"greedy": greedy}
