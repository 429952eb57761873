"""Agents of Fast Food Fury that the engine can run: they see an observation and a mask, never a state."""

import numpy as np

from foodenvs.engine import rule
from foodenvs.games.fast_food_fury.rules import layout as L
from foodenvs.games.fast_food_fury.rules.orders import icons_left, placeable

NEVER = 99  # more icons than an order has


# --- reading the observation -------------------------------------------------------------------


@rule
def side(box, obs, slot):
    """The order side in a slot."""
    first = box.at.orders + box.side_size * slot
    return obs[first : first + box.side_size]


@rule
def cards_of(box, obs, team, slot):
    """A team's cards on the order in a slot, by kind, jokers last; team 0 is the own one."""
    first = box.at.placed + (box.kinds + 1) * (L.SLOTS * team + slot)
    return obs[first : first + box.kinds + 1]


@rule
def own_cards(box, obs, slot):
    return cards_of(box, obs, 0, slot)


@rule
def own_row_size(box, obs):
    """The faulty cards of the own team."""
    return obs[box.at.rows : box.at.rows + box.kinds].sum()


@rule
def on_table(box, obs, place):
    """One-hots of the card on a place: kind or sauce pattern, pattern, claiming seat; its landing number."""
    width = box.thing + box.players + 1
    first = box.at.table + width * place
    return obs[first : first + width]


@rule
def is_of_team(box, obs, row, team):
    """Whether the seat in a row of the observation is of a team (row 0 is oneself, team 0 the own one)."""
    return obs[box.at.seat_team + box.teams * row + team] > 0


@rule
def is_teammate(box, obs, row):
    return is_of_team(box, obs, row, 0)


@rule
def lowest_place(box, obs, row):
    place = 0
    while obs[box.at.place_seat + box.players * place + row] == 0:
        place += 1
    return place


@rule
def kind_of(box, card):
    """The kind that a card on the table shows; NONE for a sauce and where there is none."""
    for kind in range(box.kinds):
        if card[kind]:
            return kind
    return L.NONE


@rule
def landing_number(card):
    return int(card[card.shape[0] - 1])


@rule
def claimed_by(box, obs, team, place):
    card = on_table(box, obs, place)
    for row in range(box.players):
        if card[box.thing + row] and is_of_team(box, obs, row, team):
            return True
    return False


# --- which cards are worth hitting ---------------------------------------------------------------


@rule
def would_be_correct(box, obs, team, a, b, c):
    first, second = cards_of(box, obs, team, 0), cards_of(box, obs, team, 1)
    return placeable(box, side(box, obs, 0), first, side(box, obs, 1), second, a, b, c)


@rule
def claims_of(box, obs, team):
    """The kinds of the first two correct claims of a team in this round, in landing order (FF-13)."""
    a, b = L.NONE, L.NONE
    for number in range(1, box.places + 1):
        for place in range(box.places):
            card = on_table(box, obs, place)
            if landing_number(card) == number and claimed_by(box, obs, team, place):
                kind = kind_of(box, card)
                if b == L.NONE and would_be_correct(box, obs, team, a, kind, L.NONE):
                    if a == L.NONE:
                        a = kind
                    else:
                        b = kind
    return a, b


@rule
def fewest_left(box, obs, kind):
    """The fewest icons missing on an order that one more card of a kind fits; NEVER if it fits none."""
    fewest = NEVER
    for slot in range(L.SLOTS):
        left = icons_left(box, side(box, obs, slot), own_cards(box, obs, slot), kind, L.NONE, L.NONE)
        if 0 <= left < fewest:
            fewest = left
    return fewest


@rule
def required(box, obs, pattern):
    """Whether a sauce of a pattern lies on the table."""
    for place in range(box.places):
        if on_table(box, obs, place)[box.kinds + pattern]:
            return True
    return False


@rule
def is_sauce_round(box, obs):
    for pattern in range(L.PATTERNS):
        if required(box, obs, pattern):
            return True
    return False


@rule
def urge(box, obs, place, sauce_round, a, b):
    """What is missing after a hit on a place, on top of the team's claims a and b; NEVER: no good card.

    For a sauce what the card pays less than the most that one may, as payments decide ties (FF-29).
    """
    card = on_table(box, obs, place)
    kind = kind_of(box, card)
    if kind == L.NONE or landing_number(card) > 0:
        return NEVER
    if sauce_round:
        for pattern in range(L.PATTERNS):
            if card[box.faces + pattern] and required(box, obs, pattern):
                return L.HUNDRED - 1 - int(obs[box.at.payments + place])
        return NEVER
    if not would_be_correct(box, obs, 0, a, b, kind):
        return NEVER
    return fewest_left(box, obs, kind)


@rule
def place_in_line(box, obs):
    """How many good cards are left to others: a hit for each teammate before oneself and each own choice."""
    number, own = 0, lowest_place(box, obs, 0)
    for row in range(1, box.players):
        if is_teammate(box, obs, row) and lowest_place(box, obs, row) < own:
            number += int(obs[box.at.hits_left + row])
    for place in range(box.places):
        number += int(obs[box.at.my_choice + L.HIT_AT + place])
    return number


@rule
def choose_card(box, obs, mask):
    """Team-mates take the good cards in the order of their places, so that no two hit the same."""
    sauce_round = is_sauce_round(box, obs)
    a, b = L.NONE, L.NONE
    if not sauce_round:
        a, b = claims_of(box, obs, 0)
    place, last = L.NONE, L.NONE
    for _ in range(place_in_line(box, obs) + 1):
        place, best = L.NONE, NEVER * box.places
        for candidate in range(box.places):
            rank = urge(box, obs, candidate, sauce_round, a, b) * box.places + candidate
            if last < rank < best:
                place, best = candidate, rank
        last = best
    if place == L.NONE or mask[L.HIT_AT + place] == 0:
        return L.WAIT
    return L.HIT_AT + place


# --- penalties and placements ----------------------------------------------------------------------


@rule
def missing(box, obs, slot, kind):
    """The icons missing on the order in a slot, with one more card of a kind (NONE: as it is)."""
    return icons_left(box, side(box, obs, slot), own_cards(box, obs, slot), kind, L.NONE, L.NONE)


@rule
def choose_discard(box, obs, mask):
    """From the order with most icons missing, then the lowest payment; of it a joker last."""
    best, best_rank = L.NONE, L.NONE
    for slot in range(L.SLOTS):
        rank = L.HUNDRED * missing(box, obs, slot, L.NONE) - int(side(box, obs, slot)[L.PAYMENT])
        for k in range(box.kinds + 1):
            action = L.DISCARD_JOKER_AT + slot if k == box.joker else L.DISCARD_AT + L.SLOTS * k + slot
            if mask[action] and rank > best_rank:
                best, best_rank = action, rank
    return best


@rule
def card_to_place(box, obs):
    """The kind of the card that is to be placed now; JOKER for a sauce."""
    kind = box.joker
    for place in range(box.places):
        if obs[box.at.pending + place]:
            if kind_of(box, on_table(box, obs, place)) != L.NONE:
                kind = kind_of(box, on_table(box, obs, place))
    return kind


@rule
def choose_order(box, obs):
    """The order with fewest icons missing afterwards, then the higher payment."""
    kind = card_to_place(box, obs)
    first, second = missing(box, obs, 0, kind), missing(box, obs, 1, kind)
    if second < first:
        return L.PLACE_AT + 1
    if second == first and side(box, obs, 1)[L.PAYMENT] > side(box, obs, 0)[L.PAYMENT]:
        return L.PLACE_AT + 1
    return L.PLACE_AT


@rule
def choose_to_turn(box, obs, mask):
    """In a tie the card with the highest payment."""
    best, highest = L.NONE, 0
    for place in range(box.places):
        payment = int(obs[box.at.payments + place])
        if mask[L.TURN_AT + place] and payment > highest:
            best, highest = place, payment
    return L.TURN_AT + best


@rule
def greedy(box, obs, mask):
    """The greedy agent: takes the card that brings an order closest to its end, leaving mates theirs."""
    if obs[box.at.phase + L.HIT]:
        return choose_card(box, obs, mask)
    if obs[box.at.phase + L.DISCARD]:
        return choose_discard(box, obs, mask)
    if obs[box.at.phase + L.TIE]:
        return choose_to_turn(box, obs, mask)
    return choose_order(box, obs)


# --- expert ------------------------------------------------------------------------------------

# Chosen over 300 to 1,000 deals for each value, such as those of `foodenvs match fast_food_fury expert greedy
# --games 2000`; 0.6 and 0.8 are as good within the error.
PROGRESS = 0.7  # what an order is worth while an icon is missing, as a share of what it is worth without
WRONG = -1000.0  # the worth of an order with cards that do not fit
SMALL = 1e-9  # a hit must be better by so much, so that rounding does not divide team-mates


@rule
def worth(box, order, cards, a, b, c):
    """The payment of an order side, less for each icon missing after `cards` and up to three more."""
    left = icons_left(box, order, cards, a, b, c)
    if left >= 0:
        return order[L.PAYMENT] * PROGRESS**left
    return 0.0 if a == L.NONE and b == L.NONE and c == L.NONE else WRONG


@rule
def order_worth(box, obs, team, slot, a, b, c):
    return worth(box, side(box, obs, slot), cards_of(box, obs, team, slot), a, b, c)


@rule
def team_worth(box, obs, team, a, b, c):
    """The worth of both orders to a team, up to three more cards spread as is best; below 0: they misfit."""
    best = WRONG
    for a_1 in range(1 if a == L.NONE else 2):
        for b_1 in range(1 if b == L.NONE else 2):
            for c_1 in range(1 if c == L.NONE else 2):
                both = order_worth(
                    box, obs, team, 0, L.NONE if a_1 else a, L.NONE if b_1 else b, L.NONE if c_1 else c
                ) + order_worth(
                    box, obs, team, 1, a if a_1 else L.NONE, b if b_1 else L.NONE, c if c_1 else L.NONE
                )
                best = max(best, both)
    return best


@rule
def is_free(box, obs, place):
    """Whether an unclaimed product lies on a place."""
    card = on_table(box, obs, place)
    return kind_of(box, card) != L.NONE and landing_number(card) == 0


@rule
def write_gains(box, obs, team, a, b, gains):
    """What each free card would bring a team on top of the claims a and b; below 0 where it is faulty."""
    now = team_worth(box, obs, team, a, b, L.NONE)
    for place in range(box.places):
        gains[place] = WRONG
        if is_free(box, obs, place):
            gains[place] = team_worth(box, obs, team, a, b, kind_of(box, on_table(box, obs, place))) - now


@rule
def expect_rivals(box, obs, gains, rivals, stakes):
    """Every rival team is expected to hit the cards that bring it most, one with each hit left.

    rivals, stakes: float64 [places], written: how many hits on each card, and what they bring, on average
    over the rival teams.
    """
    for team in range(1, box.teams):
        a, b = claims_of(box, obs, team)
        write_gains(box, obs, team, a, b, gains)
        hits = 0
        for row in range(1, box.players):
            if is_of_team(box, obs, row, team):
                hits += int(obs[box.at.hits_left + row])
        for _ in range(hits):
            best = gains.argmax()
            if gains[best] > 0:
                rivals[best] += 1
                stakes[best] += gains[best] / (box.teams - 1)
                gains[best] = WRONG


@rule
def loss(box, obs, slot, kind):
    """What the own team loses with a card of a kind from the order in a slot."""
    order, cards = side(box, obs, slot), own_cards(box, obs, slot).copy()
    before = worth(box, order, cards, L.NONE, L.NONE, L.NONE)
    cards[kind] -= 1
    return before - worth(box, order, cards, L.NONE, L.NONE, L.NONE)


@rule
def price_of_fault(box, obs):
    """The least loss in an overflow (FF-14), shared out among the faults that are missing to it."""
    least = -WRONG
    for slot in range(L.SLOTS):
        for kind in range(box.kinds):
            if own_cards(box, obs, slot)[kind] > 0:
                least = min(least, loss(box, obs, slot, kind))
    return least / max(1, box.full - own_row_size(box, obs)) if least < -WRONG else 0.0  # FF-15


@rule
def best_hit(box, obs, mask):
    """What a hit brings the own team and keeps from the others, times the chance that it lands first.

    The hits of the mates who sit before, and those already chosen, are worked out first, in the same way.
    A second hit of the team on a card raises its chance. A faulty card has its price.
    """
    gains, rivals, stakes = np.zeros(box.places), np.zeros(box.places), np.zeros(box.places)
    expect_rivals(box, obs, gains, rivals, stakes)
    price = price_of_fault(box, obs)
    ours, brings = np.zeros(box.places), np.zeros(box.places)
    a, b = claims_of(box, obs, 0)
    line = place_in_line(box, obs)
    for number in range(line + 1):
        write_gains(box, obs, 0, a, b, gains)
        best, most = L.NONE, 0.0
        for place in range(box.places):
            if is_free(box, obs, place) and (number < line or mask[L.HIT_AT + place]):
                if ours[place] == 0:
                    brings[place] = gains[place] if gains[place] > 0 else -price
                hits = ours[place] + rivals[place]
                chance = (ours[place] + 1) / (hits + 1) - (ours[place] / hits if hits > 0 else 0.0)
                value = chance * (brings[place] + stakes[place])
                if value > most + SMALL:
                    best, most = place, value
        if best == L.NONE:
            return L.WAIT
        if number == line:
            return L.HIT_AT + best
        if ours[best] == 0 and gains[best] > 0:
            if a == L.NONE:
                a = kind_of(box, on_table(box, obs, best))
            else:
                b = kind_of(box, on_table(box, obs, best))
        ours[best] += 1
    return L.WAIT


@rule
def cheapest_discard(box, obs, mask):
    best, least = L.NONE, -WRONG
    for slot in range(L.SLOTS):
        for kind in range(box.kinds + 1):
            action = L.DISCARD_JOKER_AT + slot if kind == box.joker else L.DISCARD_AT + L.SLOTS * kind + slot
            if mask[action] and loss(box, obs, slot, kind) < least:
                best, least = action, loss(box, obs, slot, kind)
    return best


@rule
def best_order(box, obs):
    """The order whose worth rises most by the card or joker that is to be placed."""
    kind = card_to_place(box, obs)
    first = order_worth(box, obs, 0, 0, kind, L.NONE, L.NONE) - order_worth(
        box, obs, 0, 0, L.NONE, L.NONE, L.NONE
    )
    second = order_worth(box, obs, 0, 1, kind, L.NONE, L.NONE) - order_worth(
        box, obs, 0, 1, L.NONE, L.NONE, L.NONE
    )
    return L.PLACE_AT + 1 if second > first else L.PLACE_AT


@rule
def expert(box, obs, mask):
    """The expert: hits for what a card brings and keeps from others, be it faulty; weighs payments."""
    if obs[box.at.phase + L.HIT]:
        return choose_card(box, obs, mask) if is_sauce_round(box, obs) else best_hit(box, obs, mask)
    if obs[box.at.phase + L.DISCARD]:
        return cheapest_discard(box, obs, mask)
    if obs[box.at.phase + L.TIE]:
        return choose_to_turn(box, obs, mask)
    return best_order(box, obs)


AGENTS = {"greedy": greedy, "expert": expert}
