"""Orders: what fits on them (FF-18 to FF-20), and those that are complete (FF-21 to FF-23)."""

from foodenvs.engine import rule
from foodenvs.games.fast_food_fury.rules import layout as L
from foodenvs.games.fast_food_fury.rules.cards import discard


@rule
def open_order(box, s, slot):
    """Turn the next card of the order deck over into a slot; without one the slot stays empty (FF-22)."""
    s.orders[slot] = L.NONE
    for k in range(L.SIDE):
        s.sides[slot, k] = 0
    if s.orders_left > 0:
        s.orders_left -= 1
        card = s.order_deck[s.orders_left]
        s.order_deck[s.orders_left] = 0
        s.where[card] = L.OPEN
        s.orders[slot] = card
        for k in range(box.side_size):
            s.sides[slot, k] = box.side[card, k]


# --- what fits on an order --------------------------------------------------------------------


@rule
def icons_left(box, side, cards, a, b, c):
    """The icons of an order side that `cards` [kinds + 1] and up to three more (kinds or NONE) leave missing.

    NONE where they do not fit; 0 where they complete the order. A card must be shown, by its kind, as a
    silhouette or in units of fries, and not exceed what is shown. A joker stands for one whole icon, no
    matter which, as long as icons are missing (FF-18 to FF-20, FF-27, FF-28).
    """
    if side[L.PRESENT] == 0:
        return L.NONE
    burgers, pizzas, drinks = int(side[L.ANY_BURGER]), int(side[L.ANY_PIZZA]), int(side[L.ANY_DRINK])
    units, portion = int(side[L.UNITS]), int(side[L.PORTION])
    left = 0
    for kind in range(box.kinds):
        count = int(cards[kind])
        if kind == a:
            count += 1
        if kind == b:
            count += 1
        if kind == c:
            count += 1
        family = box.family[kind]
        alone = int(side[box.column[kind]]) if family != L.FRIES else 0
        if alone > 0:  # FF-18
            if count > alone:
                return L.NONE
            left += alone - count
        elif count > 0:
            amount = count * box.amount[kind]
            if family == L.FRIES:
                units -= amount  # FF-20
            elif family == L.BURGER:
                burgers -= amount  # FF-19
            elif family == L.PIZZA:
                pizzas -= amount
            elif family == L.DRINK:
                drinks -= amount
            else:
                return L.NONE
    if burgers < 0 or pizzas < 0 or drinks < 0 or units < 0:
        return L.NONE
    left += burgers + pizzas + drinks
    jokers = int(cards[box.joker])
    if a == box.joker:
        jokers += 1
    portions = units // portion if portion > 0 else 0
    if left + portions < jokers:  # FF-27
        return L.NONE
    if portions * portion < units:
        portions += 1
    return left + portions - jokers


@rule
def fits(box, side, cards, a, b, c):
    """Whether up to three more cards (kinds or NONE) fit an order; none at all always do."""
    return (a == L.NONE and b == L.NONE and c == L.NONE) or icons_left(box, side, cards, a, b, c) >= 0


@rule
def placeable(box, side_0, cards_0, side_1, cards_1, a, b, c):
    """Whether up to three cards (kinds or NONE) can be spread over both orders so that all fit (FF-13)."""
    for a_1 in range(1 if a == L.NONE else 2):
        for b_1 in range(1 if b == L.NONE else 2):
            for c_1 in range(1 if c == L.NONE else 2):
                if fits(
                    box, side_0, cards_0, L.NONE if a_1 else a, L.NONE if b_1 else b, L.NONE if c_1 else c
                ) and fits(
                    box, side_1, cards_1, a if a_1 else L.NONE, b if b_1 else L.NONE, c if c_1 else L.NONE
                ):
                    return True
    return False


# --- orders are completed ---------------------------------------------------------------------


@rule
def complete_order(box, s, slot):
    """Teams that have everything on an order are paid, the order is cleared and the next one opens."""
    order, completed = s.orders[slot], False
    for team in range(box.teams):
        if icons_left(box, s.sides[slot], s.placed[team, slot], L.NONE, L.NONE, L.NONE) == 0:
            if completed:
                take_equal_order(box, s, team, box.side[order, L.PAYMENT])
            else:
                take_order(box, s, team, order)  # FF-21
            completed = True
    if completed:
        clear_order(box, s, slot)
        open_order(box, s, slot)


@rule
def take_order(box, s, team, card):
    s.where[card] = L.WON + team
    s.earned[team] += box.side[card, L.PAYMENT]
    s.completed[team] += 1


@rule
def take_equal_order(box, s, team, payment):
    """A further team takes the lowest card with the same payment from the piles, else a credit (FF-23)."""
    for card in range(box.fastfood):
        place = s.where[card] - L.PILE
        if 0 <= place < box.places and box.side[card, L.PAYMENT] == payment:
            s.piles[place, box.face[card]] -= 1
            s.pile_size[place] -= 1
            take_order(box, s, team, card)
            return
    add_credit(s, team, payment)


@rule
def add_credit(s, team, payment):
    """Note a payment taken without a card, in ascending order."""
    credit = s.credit[team]
    last = 0
    while credit[last] > 0:
        last += 1
    while last > 0 and credit[last - 1] > payment:
        credit[last] = credit[last - 1]
        last -= 1
    credit[last] = payment
    s.earned[team] += payment
    s.completed[team] += 1


@rule
def clear_order(box, s, slot):
    """Everything placed on an order is discarded, the cards of team A first (FF-17, FF-22)."""
    for team in range(box.teams):
        for card in range(box.cards):
            if s.where[card] == L.PLACED + L.SLOTS * team + slot:
                discard(box, s, card)
        for kind in range(box.kinds + 1):
            s.placed[team, slot, kind] = 0
