"""The rules of Katsu Curry?!: comments name the clauses of the page (`KC-..`) that a line carries out.

A price is its index in the rising list of prices in use: the price cards, or the ladder of written prices.
"""

import itertools
import math
import re

import numpy as np

from foodenvs.core.game import Option
from foodenvs.engine import below, next_seat, rule, shuffle

SEATS = 10
LETTERS = "ABCD"
PRODUCTS = 28
ROUNDS = 18
CARDS = 60
LADDER = 61
NAME = 24  # room for the letters of a product's name
NUMBER = 500  # the most points of a product, or the most that it costs
OCTAVE = 128  # parts of a price's logarithm to the base 2

ACTIONS = CARDS + LADDER  # action k < CARDS plays price card k, action CARDS + k writes price k of the ladder

NONE = -1  # no seat, no product, no price; as holder of a price card: it lies under a product
ABSENT = -2  # holder of a card that is not in the game
OPEN, GONE = -1, -2  # owner of a product that is not settled, and of one that left the game

OPTIONS = (
    Option("players", 4, range(3, SEATS + 1), "number of seats"),
    Option(
        "written_prices",
        None,
        (None, True, False),
        "write prices instead of playing price cards (KC-23); None: from 7 players on",
    ),
    Option("extra_products", False, (False, True), "play with the ten additional products too (KC-28)"),
    Option(
        "lowest_barred",
        None,
        (None, True, False),
        "the rule that the lowest price cannot win (KC-17, KC-18); None: with exactly 4 players",
    ),
    Option(
        "double_is_common", True, (True, False), "whether exactly double is within two times (KC-09, KC-25)"
    ),
    Option(
        "donation_reversed",
        True,
        (True, "order", False),
        'whether the donation is sold in reverse (KC-16); "order": yes, but the lowest price stays barred',
    ),
    Option(
        "contest", "share", ("share", "draw"), "players still tied share the win, or one is drawn (KC-22)"
    ),
)

BOX = (
    ("card_price", np.int32, CARDS),  # yen, rising; unused places are 0
    ("ladder_price", np.int32, LADDER),
    ("usual_price", np.int32, PRODUCTS),  # yen; no rule reads it
    ("number", np.int16, PRODUCTS),  # points
    ("number_min", np.int16),
    ("number_max", np.int16),
    ("points_min", np.int16),
    ("points_max", np.int16),
    ("name", np.int8, (PRODUCTS, NAME)),  # ASCII, filled up with 0
    ("reach", np.int8, LADDER),  # by price in use: the highest price that is near it
    ("reach_down", np.int8, LADDER),  # the lowest price that is near it
    ("octave", np.int8, LADDER),  # its binary digits: 1 for 1 yen, 2 for 2 and 3 yen, ..
    ("part", np.int8, LADDER),  # how far it is in them, in parts of OCTAVE of the logarithm
    ("common_from", np.int8, PRODUCTS),  # the prices in use within two times of the usual one: from here
    ("common_to", np.int8, PRODUCTS),  # .. up to here
    ("letter", np.int8, PRODUCTS),
    ("reversed", np.int8, PRODUCTS),
    ("barred_too", np.int8, PRODUCTS),  # sold in reverse, but where the lowest price is barred, it is here
    ("in_use", np.int8, PRODUCTS),  # may come up in this game
    ("letter_count", np.int8, len(LETTERS)),  # products of each letter in a game
    ("letter_start", np.int8, len(LETTERS)),  # products that come before those of the letter
    ("cards", np.int8),  # price cards in the box
    ("ladder", np.int8),  # prices that may be written
    ("prices", np.int8),  # prices in use
    ("choices", np.int8),  # room for them in an observation
    ("hand", np.int8),  # cards dealt to each player; 0 with written prices
    ("products", np.int8),  # product cards in the box
    ("rounds", np.int8),
    ("products_to_win", np.int8),
    ("written", np.int8),
    ("barred", np.int8),
    ("draw", np.int8),  # contest = "draw"
)

STATE = (
    ("points", np.int16, SEATS),  # the sum of the numbers of a seat's products
    ("bids", np.int8, (ROUNDS, SEATS)),  # prices of each round that is settled; NONE where they are unknown
    ("sold", np.int8, ROUNDS),  # the product of each of these rounds
    ("holder", np.int8, CARDS),  # seat of each price card, NONE or ABSENT
    ("seen", np.int8, CARDS),  # 1 = in a hand, and everybody has seen it
    ("pile", np.int8, CARDS),  # cards while they are shuffled; else 0
    ("owner", np.int8, PRODUCTS),  # seat, OPEN or GONE
    ("paid", np.int8, PRODUCTS),  # price, NONE unless a seat owns the product
    ("deck", np.int8, ROUNDS),  # the next product is deck[deck_size - 1], turned places are NONE
    ("chosen", np.int8, SEATS),  # prices of this round, NONE until chosen
    ("winners", np.int8, SEATS),  # 1 = has won; all 0 before the end
    ("count", np.int8, SEATS),  # products in front of each seat
    ("product", np.int8),  # the product up; NONE after the end
    ("deck_size", np.int8),
)


def ranges(box):
    """The least and the greatest value of each field of the state (of each entry, where they differ)."""
    seat, product, price = box.players - 1, box.products - 1, box.prices - 1
    return {
        "points": (box.points_min, box.points_max),
        "bids": (NONE, price),
        "sold": (NONE, product),
        "holder": (ABSENT, seat),
        "seen": (0, 1),
        "pile": (0, 0),
        "owner": (GONE, seat),
        "paid": (NONE, price),
        "deck": (NONE, product),
        "chosen": (NONE, price),
        "winners": (0, 1),
        "count": (0, box.rounds),
        "product": (NONE, product),
        "deck_size": (0, box.rounds - 1),
    }


# --- the box -----------------------------------------------------------------------------------


def pack(box, components, options):
    """Put the cards and the options into the box; ComponentsError for cards that do not fit."""
    box.draw = options["contest"] == "draw"
    pack_products(box, components, options)
    pack_prices(box, components, options)
    pack_commons(box, components, options["double_is_common"])
    check_counts(box, components)


def pack_products(box, components, options):
    rows = components.rows("product", PRODUCTS)
    box.products = len(rows)
    names: list[str] = []
    counts = {"basic": [0] * len(LETTERS), "plus10": [0] * len(LETTERS)}
    for product, row in enumerate(rows):
        row.integer("id", product, product)
        name = product_name(row, names)
        kind, letter = row.choice("set", tuple(counts)), LETTERS.index(row.choice("letter", tuple(LETTERS)))
        counts[kind][letter] += 1
        box.name[product, : len(name)] = list(name.encode())
        box.letter[product] = letter
        box.number[product] = row.integer("vp", -NUMBER, NUMBER)
        donation = options["donation_reversed"] if name == "earthquake_donation" else True
        box.reversed[product] = row.get("reversed", bool) and donation is not False  # KC-14, KC-16
        box.barred_too[product] = donation == "order"
        box.in_use[product] = kind == "basic" or options["extra_products"]  # KC-02
        box.usual_price[product] = row.integer("usual_price", 1, 2**31 - 1)
    for kind, found in counts.items():
        table = components.table("counts")
        if table.get(kind, dict) != dict(zip(LETTERS, found, strict=True)):
            raise table.fail(kind, f"must be {named(found)}, as many as there are [product] rows of this set")
    if components.table("deck").get("order", list) != list(LETTERS):
        raise components.table("deck").fail("order", f"must be {list(LETTERS)}")
    if not 1 <= sum(counts["basic"]) <= ROUNDS:
        raise components.table("counts").fail("basic", f"must be 1 to {ROUNDS} products in all")
    box.letter_count[:] = counts["basic"]
    box.letter_start[:] = [sum(counts["basic"][:letter]) for letter in range(len(LETTERS))]
    pack_limits(box, components)


def product_name(row, names):
    """The name of a product, added to the names so far."""
    name = row.get("name", str)
    if not re.fullmatch(rf"[a-z0-9_]{{1,{NAME}}}", name):
        raise row.fail("name", f"must be 1 to {NAME} of the characters a-z, 0-9 and _, got {name!r}")
    if name in names:
        raise row.fail("name", f"{name!r} is the name of an earlier row too")
    names.append(name)
    return name


def named(counts):
    return ", ".join(f"{letter} = {count}" for letter, count in zip(LETTERS, counts, strict=True))


def pack_limits(box, components):
    limits = components.table("limits")
    total = sum(box.letter_count)
    box.rounds = total
    check_count(limits, "rounds", total, "the sum of [counts] basic")
    box.products_to_win = limits.integer("products_to_win", 1, 99)
    numbers = [int(box.number[p]) for p in range(box.products)]
    box.number_min, box.number_max = min(numbers), max(numbers)
    box.points_max = most_points(box, numbers)
    box.points_min = -most_points(box, [-number for number in numbers])


def most_points(box, numbers):
    """The most that one player's products can be worth, by the number of each product in the box."""
    best = []
    for letter, count in enumerate(box.letter_count):
        of_letter = [numbers[p] for p in range(box.products) if box.letter[p] == letter]
        best += sorted(of_letter, reverse=True)[:count]
    return sum(max(0, number) for number in sorted(best, reverse=True)[: box.products_to_win])


def pack_prices(box, components, options):
    cards = rising(components.table("price_cards"), CARDS)
    ladder = rising(components.table("written"), LADDER)
    box.cards, box.ladder = len(cards), len(ladder)
    box.card_price[: len(cards)], box.ladder_price[: len(ladder)] = cards, ladder
    table = components.table("players")
    by_cards, by_writing = player_counts(table, "cards"), player_counts(table, "written")
    players = box.players
    box.written = players >= table.integer("written_from", 1, 99)  # KC-23
    if options["written_prices"] is not None:
        box.written = options["written_prices"]
    for in_use, what, allowed in (
        (not box.written, "price cards", by_cards),
        (box.written, "written prices", by_writing),
    ):
        if in_use and players not in allowed:  # KC-30
            raise ValueError(f"{what} are for {allowed[0]} to {allowed[-1]} players, got {players}")
    box.prices, box.choices = (box.ladder, LADDER) if box.written else (box.cards, CARDS)
    box.hand = 0 if box.written else box.cards // players  # KC-03
    enough = min(box.products_to_win, box.rounds)
    if not box.written and (box.cards % players or box.hand < enough):
        raise components.table("price_cards").fail(
            "prices",
            f"must be {players} equal hands of {enough} cards or more, got {box.cards} cards",
        )
    barred_at = components.table("limits").integer("lowest_barred_at", 0, 99)
    box.barred = players == barred_at  # KC-17
    if options["lowest_barred"] is not None:
        box.barred = options["lowest_barred"]


def rising(table, at_most):
    """The prices of a table, all different and rising."""
    prices = table.integers("prices", None, 1, 2**31 - 1)
    if not 1 <= len(prices) <= at_most:
        raise table.fail("prices", f"must have 1 to {at_most} entries, got {len(prices)}")
    for lower, upper in itertools.pairwise(prices):
        if lower >= upper:
            raise table.fail("prices", f"must rise, {upper} comes after {lower}")
    return prices


def player_counts(table, key):
    """The consecutive player counts of a key."""
    counts = table.integers(key, None, 3, SEATS)
    if not counts or counts != list(range(counts[0], counts[0] + len(counts))):
        raise table.fail(key, f"must be consecutive numbers of players, got {counts}")
    return counts


def pack_commons(box, components, double_is_common):
    """Which prices in use are near each other, and which are near the usual price of each product."""
    factor = components.table("limits").integer("factor", 1, 99)
    prices = [int(price) for price in (box.ladder_price if box.written else box.card_price)[: box.prices]]

    def near(lower, upper):  # KC-09, KC-25
        return upper <= factor * lower if double_is_common else upper < factor * lower

    for k, price in enumerate(prices):
        box.reach[k] = max([k] + [j for j in range(k, len(prices)) if near(price, prices[j])])
        box.reach_down[k] = min([k] + [j for j in range(k) if near(prices[j], price)])
        box.octave[k] = price.bit_length()
        box.part[k] = int(OCTAVE * math.log2(price / 2 ** (price.bit_length() - 1)))
    for product in range(box.products):
        usual = int(box.usual_price[product])
        common = [k for k, price in enumerate(prices) if usual <= factor * price and price <= factor * usual]
        box.common_from[product], box.common_to[product] = (common[0], common[-1]) if common else (0, NONE)


def check_counts(box, components):
    counts = components.table("counts")
    check_count(counts, "price_cards", box.cards, "as many as [price_cards] has prices")
    check_count(counts, "product_cards", box.products, "as many as there are rows of [product]")


def check_count(table, key, number, why):
    """A number that follows from other tables, which are named, as they may be those that were given."""
    if table.get(key, int) != number:
        raise table.fail(key, f"must be {number}, {why}, got {table.get(key, int)}")


def max_decisions(box):
    """One choice of every player in every round."""
    return box.rounds * box.players


def draws(box):
    """Price cards and products are shuffled; there may be a lot for each product, and one for the win."""
    price_cards, products = 0 if box.written else int(box.cards), int(box.products)
    return price_cards + products + int(box.rounds) + 1, max(price_cards, products, int(box.players))


# --- setting up ------------------------------------------------------------------------------


@rule
def deal(box, s):
    s.pile[:] = 0
    s.seen[:] = 0
    s.owner[:] = OPEN
    s.paid[:] = NONE
    s.chosen[:] = NONE
    s.bids[:] = NONE
    s.sold[:] = NONE
    s.winners[:] = 0
    s.count[:] = 0
    s.points[:] = 0
    s.turn = 0
    deal_price_cards(box, s)
    stack_deck(box, s)
    turn_up(s)


@rule
def deal_price_cards(box, s):
    """KC-03; with written prices there are none (KC-23)."""
    s.holder[:] = ABSENT
    if box.written:
        return
    for card in range(box.cards):
        s.pile[card] = card
    shuffle(s.rng, s.pile, box.cards)
    seat = 0
    for k in range(box.cards):
        s.holder[s.pile[k]] = seat
        s.pile[k] = 0
        seat = next_seat(box, seat)


@rule
def stack_deck(box, s):
    """KC-04: A on top, then B, C, D. With the additional products some of each letter stay out (KC-28)."""
    s.deck[:] = NONE
    s.deck_size = box.rounds
    for letter in range(len(LETTERS)):
        n = 0
        for product in range(box.products):
            if box.letter[product] == letter and box.in_use[product]:
                s.pile[n] = product
                n += 1
        stack_letter(box, s, letter, n, box.letter_count[letter])


@rule
def stack_letter(box, s, letter, n, left):
    """Shuffle the n products in the pile and make the first of them the `left` of this letter in the deck."""
    shuffle(s.rng, s.pile, n)
    top = box.rounds - box.letter_start[letter] - box.letter_count[letter] + left - 1
    for k in range(n):
        if k < left:
            s.deck[top - k] = s.pile[k]
        s.pile[k] = 0  # KC-29


@rule
def turn_up(s):
    """KC-05: the next product comes up."""
    s.deck_size -= 1
    s.product = s.deck[s.deck_size]
    s.deck[s.deck_size] = NONE


# --- a round ---------------------------------------------------------------------------------


@rule
def legal(box, s, mask):
    turn = s.turn
    seat = np.int8(turn)
    cards = mask[:CARDS]
    holder = s.holder
    for card in range(CARDS):  # KC-06; of written prices nobody holds any card
        cards[card] = holder[card] == seat
    if turn < 0:
        cards[:] = 0
    ladder = mask[CARDS:]
    ladder[:] = 0
    if box.written and turn >= 0:  # KC-24
        for price in range(box.ladder):
            ladder[price] = 1


@rule
def apply(box, s, action):
    seat = s.turn
    s.chosen[seat] = action if action < CARDS else action - CARDS
    if seat + 1 < box.players:
        s.turn = seat + 1
    else:  # KC-06
        resolve(box, s)


@rule
def resolve(box, s):
    """All choices are in: they are revealed, and the round runs to its end."""
    price = winning_price(box, s)
    winner = who_bid(box, s, price)
    settle_product(box, s, winner, price)
    move_cards(box, s, winner)
    record_round(box, s)
    if winner >= 0 and s.count[winner] >= box.products_to_win:  # KC-19
        s.winners[winner] = 1
        end(s)
    elif s.deck_size == 0:  # KC-20
        decide_by_points(box, s)
        end(s)
    else:
        turn_up(s)
        s.turn = 0


@rule
def winning_price(box, s):
    """The common price that wins, or NONE.

    Neighbours are neighbouring different prices (KC-26). A bid has a near neighbour below it exactly when any
    lower bid is near it, so all pairs may be looked at in any order.
    """
    is_reversed = box.reversed[s.product] == 1
    low, high = s.chosen[0], s.chosen[0]
    for seat in range(box.players):
        low, high = min(low, s.chosen[seat]), max(high, s.chosen[seat])
    passed_over = low if box.barred and box.barred_too[s.product] else NONE  # KC-17
    best, apart = NONE, True
    for a in range(box.players):
        lower = s.chosen[a]
        reach = box.reach[lower]
        for b in range(box.players):
            upper = s.chosen[b]
            if lower < upper and upper <= reach:  # near
                apart = False
                if not is_reversed:  # KC-07, KC-08: the highest that is near the next lower one
                    best = max(best, upper)
                elif lower != passed_over:  # KC-15: the lowest that is near the next higher one
                    best = lower if best == NONE else min(best, lower)
    if best == NONE and not (apart and box.barred):  # else KC-18
        best = high if is_reversed else low  # KC-15, KC-09
    return best


@rule
def who_bid(box, s, price):
    """The seat that bid a price, one of them by lot if there are several (KC-27); NONE if nobody did."""
    writers, last = 0, NONE
    for seat in range(box.players):
        if price != NONE and s.chosen[seat] == price:
            writers += 1
            last = seat
    if writers < 2:
        return last
    k = below(s.rng, writers)
    for seat in range(box.players):
        if s.chosen[seat] == price:
            if k == 0:
                return seat
            k -= 1
    return last


@rule
def settle_product(box, s, winner, price):
    product = s.product
    if winner < 0:  # KC-18
        s.owner[product] = GONE
        return
    s.owner[product] = winner  # KC-10
    s.paid[product] = price
    s.count[winner] += 1
    s.points[winner] += box.number[product]


@rule
def move_cards(box, s, winner):
    """Cards go to the left, past the winner, who gets none (KC-11 to KC-13); all have seen them (KC-32)."""
    if box.written:
        return
    for seat in range(box.players):
        card = s.chosen[seat]
        if seat == winner:
            s.holder[card] = NONE
            s.seen[card] = 0
        else:
            taker = next_seat(box, seat)
            if taker == winner:
                taker = next_seat(box, taker)
            s.holder[card] = taker
            s.seen[card] = 1


@rule
def record_round(box, s):
    """All bids were open, and stay known (KC-32)."""
    this = rounds_begun(box, s) - 1
    s.sold[this] = s.product
    for seat in range(box.players):
        s.bids[this, seat] = s.chosen[seat]
        s.chosen[seat] = NONE


# --- the end ---------------------------------------------------------------------------------


@rule
def end(s):
    s.product = NONE
    s.turn = -1
    s.done = True


@rule
def by_points(box, s, seat):
    """Higher is better: points, then the highest number on an own product (KC-21); none is below all."""
    highest = -2 * NUMBER
    for product in range(box.products):
        if s.owner[product] == seat:
            highest = max(highest, box.number[product])
    return 4 * NUMBER * s.points[seat] + highest


@rule
def decide_by_points(box, s):
    best, tied = by_points(box, s, 0), 0
    for seat in range(box.players):
        own = by_points(box, s, seat)
        if own > best:
            best, tied = own, 0
        if own == best:
            tied += 1
    k = below(s.rng, tied) if box.draw and tied > 1 else 0
    for seat in range(box.players):
        if by_points(box, s, seat) == best:
            s.winners[seat] = k == 0 or not box.draw  # KC-22
            k -= 1


@rule
def scores(box, s, out):
    for seat in range(box.players):
        out[seat] = s.points[seat]


@rule
def standing(box, s, seat):
    """1 for those who have won, else 0; several winners share the win (KC-22)."""
    return s.winners[seat]


# --- what follows from the state ----------------------------------------------------------------


@rule
def hand_size(box, s, seat):
    """KC-13: a hand is one card smaller for each product won."""
    return 0 if box.written else box.hand - s.count[seat]


@rule
def rounds_begun(box, s):
    """Products turned up so far."""
    return box.rounds - s.deck_size


@rule
def rounds_settled(box, s):
    """Products that were sold or have left the game."""
    return rounds_begun(box, s) - (s.product != NONE)


@rule
def left_of(box, s, letter):
    """Face-down products of a letter."""
    below_it = box.rounds - box.letter_start[letter] - box.letter_count[letter]
    return min(box.letter_count[letter], max(0, s.deck_size - below_it))


@rule
def may_come(box, s, product):
    """Whether a product may still come up, for all that anybody knows."""
    if s.owner[product] != OPEN or product == s.product or not box.in_use[product]:
        return False
    return left_of(box, s, box.letter[product]) > 0
