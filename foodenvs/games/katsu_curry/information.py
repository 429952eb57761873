"""Who may see what in Katsu Curry?!, and nothing else."""

import numpy as np

from foodenvs.core.layout import Field
from foodenvs.engine import below, next_seat, rule, shuffle, start_stream
from foodenvs.games.katsu_curry.rules import (
    CARDS,
    GONE,
    LETTERS,
    NONE,
    OCTAVE,
    PRODUCTS,
    ROUNDS,
    hand_size,
    left_of,
    may_come,
    rounds_begun,
    rounds_settled,
    stack_letter,
)

REVERSED, LETTER = range(2)  # entries of the field `facts`; from LETTER on, one for each letter
FACTS = LETTER + len(LETTERS)
BASE = 128  # points are in two digits to this base, so that any fit; the first may be below 0
TWO = "in two digits to the base 128"
YEN = "binary digits of a price, and 128ths of the way to the next; 0, 0"


def fields(box):
    """The observation of a seat, in order. Seats are rotated: the observer is row 0, then to the left."""
    players, count = box.players, list(box.letter_count)
    first = next(letter for letter, n in enumerate(count) if n)
    left = [n - (letter == first) for letter, n in enumerate(count)]
    most = min(box.products_to_win, box.rounds)
    cards, holders = (0, 0) if box.written else (CARDS, players)  # KC-23: none with written prices
    low, high = digits_of(min(0, box.number_min), max(0, box.number_max))
    least, greatest = digits_of(box.points_min, box.points_max)
    yen = [max(box.octave), OCTAVE - 1]
    return (
        Field("product", (PRODUCTS,), 0, 1, "one-hot: product up; all 0 when over"),
        Field("number", (2,), low, high, f"its number {TWO}; 0 when over"),
        Field("facts", (FACTS,), 0, 1, "1 = sold in reverse, one-hot letter A to D; all 0 when over"),
        Field("round", (1,), 1, box.rounds, "products turned up so far"),
        Field("left", (len(LETTERS),), 0, left, "face-down products of each letter"),
        Field("pool", (PRODUCTS,), 0, 1, "1 = may still come up"),
        Field("won", (players, PRODUCTS), 0, 1, "products in front of each row"),
        Field("price", (PRODUCTS, 2), 0, [yen] * PRODUCTS, f"paid for each product won: {YEN} if not won"),
        Field("gone", (PRODUCTS,), 0, 1, "products that left the game"),
        Field("count", (players,), 0, most, "number of products per row"),
        Field(
            "points", (players, 2), [least] * players, [greatest] * players, f"sum of their numbers, {TWO}"
        ),
        Field("ago", (PRODUCTS,), 0, box.rounds, "rounds since each product came up, 1 = the last; 0 if not"),
        Field(
            "bids",
            (ROUNDS, players, 2),
            0,
            [[yen] * players] * ROUNDS,
            f"bids of each row in all rounds, the last first: {YEN} if there were none",
        ),
        Field("choice", (box.choices,), 0, 1, "one-hot: own choice of this round; all 0 before"),
        Field("hand", (cards,), 0, 1, "own hand, the chosen card included"),
        Field("seen", (holders, cards), 0, 1, "cards in the hand of each row that all have seen"),
        Field("hand_size", (holders,), 0, box.hand, "cards in the hand of each row"),
        Field("paid", (cards,), 0, 1, "cards under products"),
    )


def digits_of(least, greatest):
    """The least and the greatest two digits of all numbers from `least` to `greatest`."""
    first = int(least) // BASE, int(greatest) // BASE
    last = (int(least) % BASE, int(greatest) % BASE) if first[0] == first[1] else (0, BASE - 1)
    return [first[0], last[0]], [first[1], last[1]]


def hidden(box):
    """The fields of the state that no seat sees, for `state()`: the order of the deck."""
    return (Field("deck", (ROUNDS,), NONE, PRODUCTS - 1, "the products in it, the next one last; else -1"),)


# --- the observation -----------------------------------------------------------------------------


@rule
def observe(box, s, seat, out):
    out[:] = 0
    see_product(box, s, out)
    see_pool(box, s, out)
    see_won(box, s, seat, out)
    see_rounds(box, s, seat, out)
    see_rows(box, s, seat, out)
    see_choice(box, s, seat, out)
    if not box.written:
        see_hands(box, s, seat, out)
        see_paid(box, s, out)


@rule
def see_product(box, s, out):
    at = box.at
    product = s.product
    if product != NONE:
        out[at.product + product] = 1
        see_number(box.number[product], out[at.number :])
        out[at.facts + REVERSED] = box.reversed[product]
        out[at.facts + LETTER + box.letter[product]] = 1
    out[at.round] = rounds_begun(box, s)


@rule
def see_number(number, out):
    out[0] = number // BASE
    out[1] = number % BASE


@rule
def see_price(box, price, out):
    """A price in the form in which twice as much is one more digit, and as far on the way to the next."""
    if price != NONE:
        out[0] = box.octave[price]
        out[1] = box.part[price]


@rule
def see_pool(box, s, out):
    """The products that may still come up, and how many of each letter will."""
    left, pool = out[box.at.left :], out[box.at.pool :]
    for letter in range(len(LETTERS)):
        left[letter] = left_of(box, s, letter)
    for product in range(PRODUCTS):
        pool[product] = may_come(box, s, product)


@rule
def see_won(box, s, seat, out):
    """Whose each product is, what was paid for it (KC-10), and which are nobody's for good."""
    at, owner = box.at, s.owner
    p = np.int8(seat)
    for row in range(box.players):
        won = out[at.won + PRODUCTS * row :]
        for product in range(PRODUCTS):
            won[product] = owner[product] == p
        p = np.int8(next_seat(box, p))
    gone, left_the_game = out[at.gone :], np.int8(GONE)
    for product in range(PRODUCTS):
        gone[product] = owner[product] == left_the_game
        see_price(box, s.paid[product], out[at.price + 2 * product :])


@rule
def see_rounds(box, s, seat, out):
    """The product and all bids of each round before this one (KC-32)."""
    at, settled = box.at, rounds_settled(box, s)
    for ago in range(1, settled + 1):
        then = settled - ago
        if s.sold[then] != NONE:
            out[at.ago + s.sold[then]] = ago
            bids = out[at.bids + 2 * box.players * (ago - 1) :]
            p = seat
            for row in range(box.players):
                see_price(box, s.bids[then, p], bids[2 * row :])
                p = next_seat(box, p)


@rule
def see_rows(box, s, seat, out):
    """What is open of each seat, the observer first."""
    count, points = out[box.at.count :], out[box.at.points :]
    p = seat
    for row in range(box.players):
        count[row] = s.count[p]
        see_number(s.points[p], points[2 * row :])
        p = next_seat(box, p)


@rule
def see_choice(box, s, seat, out):
    if s.chosen[seat] != NONE:
        out[box.at.choice + s.chosen[seat]] = 1


@rule
def see_hands(box, s, seat, out):
    """The own hand, what all know of each hand, and how large each is."""
    at, holder, seen = box.at, s.holder, s.seen
    hand, sizes = out[at.hand :], out[at.hand_size :]
    p = np.int8(seat)
    for card in range(CARDS):
        hand[card] = holder[card] == p
    for row in range(box.players):
        known = out[at.seen + CARDS * row :]
        for card in range(CARDS):
            known[card] = seen[card] if holder[card] == p else 0
        sizes[row] = hand_size(box, s, p)
        p = np.int8(next_seat(box, p))


@rule
def see_paid(box, s, out):
    paid, holder, under = out[box.at.paid :], s.holder, np.int8(NONE)
    for card in range(CARDS):
        paid[card] = holder[card] == under


# --- redealing ------------------------------------------------------------------------------------


@rule
def determinize(box, s, seat, seed):
    """Deal all anew that `seat` cannot know: unseen cards, choices of this round, the deck."""
    start_stream(s.rng, seed)
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
