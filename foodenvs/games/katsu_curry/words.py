"""Katsu Curry?! in words: actions, positions, and the table as text. Prices are in yen, products by name."""

import textwrap

from foodenvs.engine import shuffled
from foodenvs.games.katsu_curry.rules import (
    ABSENT,
    CARDS,
    GONE,
    LADDER,
    LETTERS,
    NONE,
    OPEN,
    by_points,
    hand_size,
    left_of,
    rounds_begun,
)
from foodenvs.notation import PositionError, Reader, seat_name

ACTION_RANGES = (
    (0, CARDS - 1, "choose the price card of this price"),
    (CARDS, CARDS + LADDER - 1, "write this price"),
)
KEYS = (
    "round", "product", "deck", "won", "gone", "hands", "hand_sizes", "seen", "chosen", "last", "winners",
)  # fmt: skip
WIDTH = 80


# --- actions -----------------------------------------------------------------------------------


def action_name(box, action):
    """`play 980` for a price card, `write 1000` for a price of the ladder.

    Places for which the box has no price are `play card_57`, `write line_57`; they are never legal.
    """
    if action < CARDS:
        return f"play {box.card_price[action] if action < box.cards else f'card_{action}'}"
    price = action - CARDS
    return f"write {box.ladder_price[price] if price < box.ladder else f'line_{price}'}"


def parse_action(box, text):
    """The inverse of `action_name`; ValueError for any other text."""
    for action in range(CARDS + LADDER):
        if action_name(box, action) == text:
            return action
    raise ValueError(
        f"unknown action {text!r}; actions are {action_name(box, 0)} .. {action_name(box, CARDS - 1)}, "
        f"{action_name(box, CARDS)} .. {action_name(box, CARDS + LADDER - 1)}"
    )


# --- positions ---------------------------------------------------------------------------------


def product_name(box, product):
    """`katsu_curry`; "" for none."""
    return "" if product == NONE else bytes(box.name[product]).rstrip(b"\0").decode()


def price_list(box):
    """The yen of all prices in use by index, and at the end a 0 for NONE."""
    prices = box.ladder_price if box.written else box.card_price
    return [*list(prices)[: box.prices], 0]


def view(box, s):
    """The whole position as a dict of plain values (the random stream aside)."""
    seats = range(box.players)
    yen, owner, holder = price_list(box), list(s.owner), list(s.holder)
    owned = [[p for p in range(box.products) if owner[p] == seat] for seat in seats]
    return {
        "round": rounds_begun(box, s),
        "product": product_name(box, s.product),
        "deck": [product_name(box, s.deck[i]) for i in range(s.deck_size - 1, -1, -1)],
        "won": [
            [{"product": product_name(box, p), "price": yen[s.paid[p]]} for p in products]
            for products in owned
        ],
        "gone": [product_name(box, p) for p in range(box.products) if owner[p] == GONE],
        "hands": [[yen[c] for c in range(CARDS) if holder[c] == seat] for seat in seats],
        "hand_sizes": [hand_size(box, s, seat) for seat in seats],
        "seen": [yen[card] for card, flag in enumerate(s.seen) if flag],
        "chosen": [yen[s.chosen[seat]] for seat in seats],
        "last": last_round(box, s),
        "winners": [seat for seat in seats if s.winners[seat]],
    }


def last_round(box, s):
    if s.last_product == NONE:
        return {}
    yen = price_list(box)
    return {
        "product": product_name(box, s.last_product),
        "bids": [yen[s.last_bids[seat]] for seat in range(box.players)],
        "winner": s.last_winner,
        "price": yen[s.last_price],
    }


def seat_view(box, s, seat):
    """The position as `seat` sees it (-1: a spectator): known cards of other hands only, no deck."""
    known = view(box, s)
    known["deck"] = []
    for other in range(box.players):
        if other != seat:
            known["hands"][other] = [price for price in known["hands"][other] if price in known["seen"]]
            known["chosen"][other] = 0
    return known


# --- a position from its view ------------------------------------------------------------------


def from_view(box, s, view):
    """Set up a position from any subset of a view's keys; what it leaves open is drawn from `s.rng`.

    Raises PositionError (a ValueError) that names the key for a position that cannot be.
    """
    given = Reader(view, "position", PositionError, KEYS)
    prices = PriceList(box)
    read_settled(box, s, given, prices)
    winners = given.integers("winners", None, 0, box.players - 1, [])
    settled = complete_settled(box, s, given, over=bool(winners))
    add_up_points(box, s)
    s.deck[:], s.product = NONE, NONE
    s.deck_size = box.rounds - settled
    complete_deck(box, s, given, settled, over=bool(winners))
    hands = read_hands(box, s, given, prices)
    read_seen(box, s, given, prices, hands)
    read_chosen(box, s, given, prices, hands)
    read_last(box, s, given, prices)
    if winners:
        read_winners(box, s, given, winners)


class PriceList:
    """The prices in use: `yen` by index, `index` by yen."""

    def __init__(self, box):
        self.yen = price_list(box)
        self.index = {price: k for k, price in enumerate(self.yen[: box.prices])}
        self.what = "price that may be written" if box.written else "price card"

    def read(self, given, key, price):
        """The index of a price; PositionError for anything else."""
        if type(price) is not int or price not in self.index:
            raise given.fail(key, f"{price!r} is no {self.what}")
        return self.index[price]


def read_product(box, given, key, name):
    """The id of a product that is used in this game."""
    for product in range(box.products):
        if product_name(box, product) == name:
            if not box.in_use[product]:
                raise given.fail(key, f"{name!r} is an additional product; set extra_products")
            return product
    raise given.fail(key, f"{name!r} is no product")


def settle(box, s, given, key, product, owner):
    if s.owner[product] != OPEN:
        raise given.fail(key, f"{product_name(box, product)} is named twice")
    s.owner[product] = owner


def read_settled(box, s, given, prices):
    """`won` and `gone`."""
    s.owner[:], s.paid[:] = OPEN, NONE
    for seat, products in enumerate(given.items("won", box.players, list, [[]] * box.players)):
        for item in products:
            entry = Reader(item, "position: won", PositionError, ("product", "price"))
            product = read_product(box, given, "won", entry.get("product", str))
            price = prices.read(given, "won", entry.get("price", int))
            if not box.written and price in list(s.paid):
                raise given.fail("won", f"the price card {prices.yen[price]} is named twice")
            if s.count[seat] == box.products_to_win:
                raise given.fail("won", f"{seat_name(seat)} can have {box.products_to_win} products at most")
            settle(box, s, given, "won", product, seat)
            s.paid[product] = price
            s.count[seat] += 1
    for name in given.items("gone", None, str, []):
        settle(box, s, given, "gone", read_product(box, given, "gone", name), GONE)


def complete_seats(box, s):
    """The seats that have products enough to win at once."""
    return [seat for seat in range(box.players) if s.count[seat] >= box.products_to_win]


def complete_settled(box, s, given, over):
    """Earlier products that nothing names are gone: the lowest ids of the right letters.

    Returns the number of products settled.
    """
    named = sum(s.owner[p] != OPEN for p in range(box.products))
    if named > box.rounds:
        raise given.fail("won", f"there are at most {box.rounds} products in a game")
    begun = given.integer("round", 1, box.rounds, named if over else min(box.rounds, named + 1))
    if not over and (named == box.rounds or complete_seats(box, s)):
        what = "no product is left" if named == box.rounds else "a seat has products enough to win"
        raise given.fail("winners", f"is missing: {what}")
    settled = begun if over else begun - 1
    spoken_for = [given.get("product", str, ""), *given.items("deck", None, str, [])]
    for letter, name in enumerate(LETTERS):
        wanted = min(box.letter_count[letter], max(0, settled - box.letter_start[letter]))
        of_letter = [p for p in range(box.products) if box.letter[p] == letter and box.in_use[p]]
        missing = wanted - sum(s.owner[p] != OPEN for p in of_letter)
        if missing < 0:
            raise given.fail(
                "won", f"with gone, {wanted - missing} products {name}, but round {begun} has {wanted}"
            )
        free = [p for p in of_letter if s.owner[p] == OPEN and product_name(box, p) not in spoken_for]
        if missing > len(free):
            raise given.fail("deck", f"with product, it names products {name} that must have come up before")
        for product in free[:missing]:
            s.owner[product] = GONE
    return settled


def add_up_points(box, s):
    """The points of every seat; they fit once no letter has more products than may be settled."""
    for product in range(box.products):
        if s.owner[product] >= 0:
            s.points[s.owner[product]] += box.number[product]


def complete_deck(box, s, given, settled, over):
    """The products to come: of each letter first the product up, then those of `deck`, then any others."""
    up = given.get("product", str, "")
    if up and over:
        raise given.fail("product", 'must be "" when winners are given')
    listed = [read_product(box, given, "deck", name) for name in given.items("deck", None, str, [])]
    letters = [box.letter[product] for product in listed]
    if letters != sorted(letters):
        raise given.fail("deck", f"must be in the order of the letters {', '.join(LETTERS)}")
    if up:
        product = read_product(box, given, "product", up)
        begun = [letter for letter in range(len(LETTERS)) if box.letter_start[letter] <= settled]
        letter = max(letter for letter in begun if box.letter_count[letter])
        if box.letter[product] != letter:
            raise given.fail(
                "product", f"must be a product {LETTERS[letter]} in round {settled + 1}, got {up!r}"
            )
        listed.insert(0, product)
    for product in listed:
        name = product_name(box, product)
        if s.owner[product] != OPEN or listed.count(product) > 1:
            raise given.fail("deck" if name != up else "product", f"{name} is named twice")
    to_come = []
    for letter in range(len(LETTERS)):
        to_come += letter_to_come(box, s, given, listed, letter)
    s.deck[: len(to_come)] = to_come[::-1]
    if not over:
        s.deck_size -= 1
        s.product = s.deck[s.deck_size]
        s.deck[s.deck_size] = NONE
    s.turn = -1 if over else 0
    s.done = over


def letter_to_come(box, s, given, listed, letter):
    """The products of a letter that are still to come, the listed ones first."""
    left = left_of(box, s, letter)
    first = [p for p in listed if box.letter[p] == letter]
    if len(first) > left:
        raise given.fail(
            "deck", f"names {len(first)} products {LETTERS[letter]} to come, only {left} are left"
        )
    others = [
        p
        for p in range(box.products)
        if box.letter[p] == letter and box.in_use[p] and s.owner[p] == OPEN and p not in first
    ]
    return (first + shuffled(s.rng, others))[:left]


def read_hands(box, s, given, prices):
    """The hands, completed with the cards that are listed nowhere. Returns the listed prices per seat."""
    s.holder[:] = ABSENT
    hands = given.items("hands", box.players, list, [[]] * box.players)
    listed = [[prices.read(given, "hands", price) for price in hand] for hand in hands]
    if box.written:
        if any(listed):
            raise given.fail("hands", "must be empty: there are no price cards with written prices")
        return listed
    under = [price for price in s.paid if price != NONE]
    cards = [card for hand in listed for card in hand]
    for card in cards:
        if card in under or cards.count(card) > 1:
            raise given.fail("hands", f"the price card {prices.yen[card]} is named twice")
    rest = shuffled(s.rng, [card for card in range(box.cards) if card not in under and card not in cards])
    for card in under:
        s.holder[card] = NONE
    for seat, hand in enumerate(listed):
        size = hand_size(box, s, seat)
        if len(hand) > size:
            raise given.fail("hands", f"{seat_name(seat)} can have {size} cards, got {len(hand)}")
        missing = size - len(hand)
        for card in hand + rest[:missing]:
            s.holder[card] = seat
        del rest[:missing]
    return listed


def read_seen(box, s, given, prices, hands):
    listed = [card for hand in hands for card in hand]
    for price in given.items("seen", None, int, []):
        card = prices.read(given, "seen", price)
        if card not in listed:
            raise given.fail("seen", f"{price} must be listed in hands")
        if s.seen[card]:
            raise given.fail("seen", f"{price} is named twice")
        s.seen[card] = 1


def read_chosen(box, s, given, prices, hands):
    """The choices of this round; the seat to choose is the one after them."""
    s.chosen[:] = NONE
    for seat, price in enumerate(given.items("chosen", box.players, int, [0] * box.players)):
        if price == 0:
            continue
        if s.turn != seat or seat == box.players - 1:
            raise given.fail("chosen", "must be the choices of seats 0 to k - 1, at least one short of all")
        chosen = prices.read(given, "chosen", price)
        if not box.written and chosen not in hands[seat]:
            raise given.fail("chosen", f"{price} must be listed in hands of {seat_name(seat)}")
        s.chosen[seat] = chosen
        s.turn += 1


def read_last(box, s, given, prices):
    s.last_bids[:] = NONE
    s.last_product = s.last_winner = s.last_price = NONE
    if not given.get("last", dict, {}):
        return
    last = Reader(
        given.get("last", dict), "position: last", PositionError, ("product", "bids", "winner", "price")
    )
    product = read_product(box, last, "product", last.get("product", str))
    bids = [prices.read(last, "bids", price) for price in last.items("bids", box.players, int)]
    winner, price = last.integer("winner", NONE, box.players - 1), last.get("price", int)
    if s.owner[product] != (GONE if winner == NONE else winner):
        raise last.fail("winner", f"must be who has {product_name(box, product)}: see won and gone")
    if price != (0 if winner == NONE else prices.yen[s.paid[product]]):
        raise last.fail("price", f"must be what was paid for {product_name(box, product)}")
    if winner != NONE and prices.yen[bids[winner]] != price:
        raise last.fail("bids", f"must have the price {price} of the winner {seat_name(winner)}")
    if not box.written and len(set(bids)) < len(bids):
        raise last.fail("bids", "must be different price cards")
    s.last_product, s.last_winner = product, winner
    s.last_price = NONE if winner == NONE else bids[winner]
    s.last_bids[: box.players] = bids


def read_winners(box, s, given, winners):
    if len(set(winners)) < len(winners):
        raise given.fail("winners", "must be different seats")
    seats = range(box.players)
    complete = complete_seats(box, s)
    if len(complete) > 1:
        raise given.fail("won", f"two seats cannot both have {box.products_to_win} products")
    if complete:
        best = complete
    elif s.deck_size:
        raise given.fail("winners", "must be [] while products are left and nobody has enough of them")
    else:
        top = max(by_points(box, s, seat) for seat in seats)
        best = [seat for seat in seats if by_points(box, s, seat) == top]
    one_of_them = box.draw and len(winners) == 1 and winners[0] in best
    if sorted(winners) != best and not one_of_them:
        raise given.fail("winners", f"must be {best}")
    for seat in winners:
        s.winners[seat] = 1


# --- the table as text -------------------------------------------------------------------------


def table(box, view, seat=-1):
    """A view as text, with the hand of `seat` below (-1: none), and whatever else the view shows."""
    rows = [f"round {view['round']} of {box.rounds}: {describe(box, view['product'])}"]
    rows += last_lines(box, view["last"])
    if view["gone"]:
        rows += folded(f"gone: {', '.join(view['gone'])}", "  ")
    rows.append("")
    for p in range(box.players):
        rows += seat_lines(box, view, p, seat)
    return "\n".join([*rows, *hidden_lines(box, view, seat)]) + "\n"


def hidden_lines(box, view, seat):
    """The own hand, and of the choices and the deck what the view shows."""
    lines = []
    if seat >= 0 and not box.written:
        lines += folded(f"hand of {seat_name(seat)}: {listing(view['hands'][seat])}", "  ")
    for p, price in enumerate(view["chosen"]):
        if price or p == seat:
            lines.append(f"choice of {seat_name(p)}: {price or 'none yet'}")
    if view["deck"]:
        lines += folded(f"deck, next first: {', '.join(view['deck'])}", "  ")
    return ["", *lines] if lines else []


def folded(text, indent):
    return textwrap.wrap(text, WIDTH, subsequent_indent=indent, break_on_hyphens=False)


def listing(prices):
    return " ".join(map(str, prices)) or "none"


def describe(box, name):
    """A product with its letter, number, usual price, and the arrow of its auction."""
    if not name:
        return "the game is over"
    product = next(p for p in range(box.products) if product_name(box, p) == name)
    order = "lowest common price v" if box.reversed[product] else "highest common price ^"
    letter, number, usual = LETTERS[box.letter[product]], box.number[product], box.usual_price[product]
    return f"{name} ({letter}, {number} VP)\n  usually {usual} yen; {order}"


def last_lines(box, last):
    if not last:
        return []
    won = "nobody" if last["winner"] < 0 else f"{seat_name(last['winner'])} for {last['price']}"
    return folded(f"last round: {last['product']} to {won}; bids {listing(last['bids'])}", "  ")


def seat_lines(box, view, p, seat):
    """Points and products of a seat, and of its hand what the view shows (the own hand stands below)."""
    size, shown = view["hand_sizes"][p], view["hands"][p]
    cards = [] if box.written else [f"{size} in hand"]
    if p != seat and shown:
        cards.append(f"open {listing(shown)}")
    mark = " (winner)" if p in view["winners"] else ""
    points = sum(number_of(box, item["product"]) for item in view["won"][p])
    head = f"{seat_name(p)}{mark}: {points} VP"
    products = ", ".join(f"{item['product']} {item['price']}" for item in view["won"][p])
    lines = folded("; ".join([head, *cards]), "    ")
    return lines + (folded(f"    {len(view['won'][p])} won: {products}", "    ") if products else [])


def number_of(box, name):
    return next(box.number[p] for p in range(box.products) if product_name(box, p) == name)
