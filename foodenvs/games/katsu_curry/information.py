"""Who may see what in Katsu Curry?!, and nothing else."""

import numpy as np

from foodenvs.core.layout import Field
from foodenvs.engine import below, rule, seed, shuffle
from foodenvs.games.katsu_curry.rules import (
    CARDS,
    GONE,
    LETTERS,
    NONE,
    PRODUCTS,
    ROUNDS,
    hand_size,
    left_of,
    may_come,
    rounds_begun,
    stack_letter,
)

PRODUCT_AT = 0
FACTS_AT = PRODUCT_AT + PRODUCTS
ROUND_AT = FACTS_AT + 2 + len(LETTERS)
LEFT_AT = ROUND_AT + 1
POOL_AT = LEFT_AT + len(LETTERS)
WON_AT = POOL_AT + PRODUCTS


@rule
def gone_at(box):
    return WON_AT + PRODUCTS * box.players


@rule
def rows_at(box):
    """Where the numbers per row begin: count, points, last_bids, last_winner."""
    return gone_at(box) + PRODUCTS


@rule
def choice_at(box):
    return rows_at(box) + 4 * box.players


@rule
def hand_at(box):
    """Where the fields begin that only price cards have: hand, seen, hand_size, paid."""
    return choice_at(box) + box.choices


def fields(box):
    """The observation of a seat, in order. Seats are rotated: the observer is row 0, then to the left."""
    players, count = box.players, list(box.letter_count)
    first = next(letter for letter, n in enumerate(count) if n)
    left = [n - (letter == first) for letter, n in enumerate(count)]
    most = min(box.products_to_win, box.rounds)
    shared = (
        Field("product", (PRODUCTS,), 0, 1, "one-hot: product up; all 0 when over"),
        Field(
            "facts",
            (2 + len(LETTERS),),
            0,
            [box.number_max] + [1] * (1 + len(LETTERS)),
            "its number, 1 = sold in reverse, one-hot letter A to D; all 0 when over",
        ),
        Field("round", (1,), 1, box.rounds, "products turned up so far"),
        Field("left", (len(LETTERS),), 0, left, "face-down products of each letter"),
        Field("pool", (PRODUCTS,), 0, 1, "1 = may still come up"),
        Field("won", (players, PRODUCTS), 0, 1, "products in front of each row"),
        Field("gone", (PRODUCTS,), 0, 1, "products that left the game"),
        Field("count", (players,), 0, most, "number of products per row"),
        Field("points", (players,), 0, box.points_max, "sum of their numbers per row"),
        Field("last_bids", (players,), 0, box.prices, "last round: index of the price bid + 1; 0 before"),
        Field("last_winner", (players,), 0, 1, "one-hot: who won the last round; all 0 if nobody"),
        Field("choice", (box.choices,), 0, 1, "one-hot: own choice of this round; all 0 before"),
    )
    if box.written:
        return shared
    return (
        *shared,
        Field("hand", (CARDS,), 0, 1, "own hand, the chosen card included"),
        Field("seen", (players, CARDS), 0, 1, "cards in the hand of each row that all have seen"),
        Field("hand_size", (players,), 0, box.hand, "cards in the hand of each row"),
        Field("paid", (CARDS,), 0, 1, "cards under products"),
    )


def hidden(box):
    """The fields of the state that no seat sees, for `state()`: the order of the deck."""
    return (Field("deck", (ROUNDS,), NONE, PRODUCTS - 1, "the products in it, the next one last; else -1"),)


# --- the observation -----------------------------------------------------------------------------


@rule
def observe(box, s, seat, out):
    see_product(box, s, out)
    see_pool(box, s, out)
    see_won(box, s, seat, out)
    see_rows(box, s, seat, out)
    choice = out[choice_at(box) : hand_at(box)]
    choice[:] = 0
    if s.chosen[seat] != NONE:
        choice[s.chosen[seat]] = 1
    if not box.written:
        see_cards(box, s, seat, out)


@rule
def see_product(box, s, out):
    up = out[:LEFT_AT]
    up[:] = 0
    product = s.product
    if product != NONE:
        up[PRODUCT_AT + product] = 1
        up[FACTS_AT] = box.number[product]
        up[FACTS_AT + 1] = box.reversed[product]
        up[FACTS_AT + 2 + box.letter[product]] = 1
    up[ROUND_AT] = rounds_begun(box, s)


@rule
def see_pool(box, s, out):
    left = out[LEFT_AT:POOL_AT]
    for letter in range(len(LETTERS)):
        left[letter] = left_of(box, s, letter)
    pool = out[POOL_AT:WON_AT]
    for product in range(PRODUCTS):
        pool[product] = may_come(box, s, product)


@rule
def see_won(box, s, seat, out):
    owner = s.owner
    p = np.int8(seat)
    for row in range(box.players):
        won = out[WON_AT + PRODUCTS * row : WON_AT + PRODUCTS * (row + 1)]
        for product in range(PRODUCTS):
            won[product] = owner[product] == p
        p = np.int8(p + 1 if p + 1 < box.players else 0)
    gone = out[gone_at(box) : rows_at(box)]
    left_the_game = np.int8(GONE)
    for product in range(PRODUCTS):
        gone[product] = owner[product] == left_the_game


@rule
def see_rows(box, s, seat, out):
    players = box.players
    last_winner = s.last_winner
    rows = out[rows_at(box) : choice_at(box)]
    p = seat
    for row in range(players):
        rows[row] = s.count[p]
        rows[players + row] = s.points[p]
        rows[2 * players + row] = s.last_bids[p] + 1
        rows[3 * players + row] = p == last_winner
        p = p + 1 if p + 1 < players else 0


@rule
def see_cards(box, s, seat, out):
    players = box.players
    at = hand_at(box)
    holder, seen = s.holder, s.seen
    me, under = np.int8(seat), np.int8(NONE)
    hand = out[at : at + CARDS]
    for card in range(CARDS):
        hand[card] = holder[card] == me
    at += CARDS
    sizes = out[at + CARDS * players : at + (CARDS + 1) * players]
    p = me
    for row in range(players):
        known = out[at : at + CARDS]
        for card in range(CARDS):
            known[card] = seen[card] if holder[card] == p else 0
        at += CARDS
        sizes[row] = hand_size(box, s, p)
        p = np.int8(p + 1 if p + 1 < players else 0)
    at += players
    paid = out[at : at + CARDS]
    for card in range(CARDS):
        paid[card] = holder[card] == under


# --- redealing ------------------------------------------------------------------------------------


@rule
def determinize(box, s, seat, number):
    """Deal all anew that `seat` cannot know: unseen cards, choices of this round, the deck."""
    seed(s.rng, number)
    if not box.written:
        redeal_cards(box, s, seat)
    for other in range(box.players):
        if other != seat and s.chosen[other] != NONE:
            choose_anew(box, s, other)
    for letter in range(len(LETTERS)):
        restack(box, s, letter)


@rule
def redeal_cards(box, s, seat):
    """Shuffle the cards that `seat` knows in no hand, and deal every other hand as many as before."""
    n = 0
    for card in range(box.cards):
        if s.holder[card] >= 0 and s.holder[card] != seat and not s.seen[card]:
            s.pile[n] = card
            n += 1
    shuffle(s.rng, s.pile, n)
    for other in range(box.players):
        if other != seat:
            for _ in range(hand_size(box, s, other) - known_size(box, s, other)):
                n -= 1
                s.holder[s.pile[n]] = other
                s.pile[n] = 0


@rule
def known_size(box, s, seat):
    """The number of cards in a hand that all have seen."""
    size = 0
    for card in range(box.cards):
        if s.seen[card] and s.holder[card] == seat:
            size += 1
    return size


@rule
def choose_anew(box, s, seat):
    """A choice, uniform over what the seat could choose."""
    if box.written:
        s.chosen[seat] = below(s.rng, box.ladder)
        return
    k = below(s.rng, hand_size(box, s, seat))
    for card in range(box.cards):
        if s.holder[card] == seat:
            if k == 0:
                s.chosen[seat] = card
            k -= 1


@rule
def restack(box, s, letter):
    """Shuffle the products of a letter that may still come up; the first of them are in the deck."""
    n = 0
    for product in range(box.products):
        if box.letter[product] == letter and may_come(box, s, product):
            s.pile[n] = product
            n += 1
    stack_letter(box, s, letter, n, left_of(box, s, letter))


def secret(box, s, action):
    """Every choice is, until all have chosen (KC-06)."""
    return True
