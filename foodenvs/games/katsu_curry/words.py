"""Katsu Curry?! in words: actions, positions, and the table as text. Prices are in yen, products by name."""

import itertools
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from foodenvs.core.events import Event
from foodenvs.core.notation import PositionError, Reader, folded, seat_name
from foodenvs.core.views import Draft, View
from foodenvs.engine import Record, below, shuffled
from foodenvs.games.katsu_curry.rules import (
    ABSENT,
    CARDS,
    GONE,
    LADDER,
    LETTERS,
    NONE,
    OPEN,
    PRODUCTS,
    ROUNDS,
    by_points,
    hand_size,
    move_cards,
    rounds_begun,
    winning_price,
)

ACTION_RANGES = (
    (0, CARDS - 1, "choose the price card of this price"),
    (CARDS, CARDS + LADDER - 1, "write this price"),
)
_IN_SECRET = "all choose in secret, so the order of choosing tells nothing"
_GONE = "these bids no longer lie on the table"
NOT_SHOWN = {
    "observation": {
        "turn": _IN_SECRET,
        "winners": "they follow from the products; the rewards tell who was drawn of the best",
    },
    "text": {"turn": _IN_SECRET},
    "picture": {"earlier": _GONE},
    "alone": {"round": "with all products before it given, it follows from them"},
}


# --- actions -----------------------------------------------------------------------------------


def action_name(box: Record, action: int) -> str:
    """`play 980` for a price card, `write 1000` for a price of the ladder.

    Places for which the box has no price are `play card_57`, `write line_57`; they are never legal.
    """
    if action < CARDS:
        return f"play {box.card_price[action] if action < box.cards else f'card_{action}'}"
    price = action - CARDS
    return f"write {box.ladder_price[price] if price < box.ladder else f'line_{price}'}"


def parse_action(box: Record, text: str) -> int:
    """The inverse of `action_name`; ValueError for any other text."""
    for action in range(CARDS + LADDER):
        if action_name(box, action) == text:
            return action
    raise ValueError(
        f"unknown action {text!r}; actions are {action_name(box, 0)} .. {action_name(box, CARDS - 1)}, "
        f"{action_name(box, CARDS)} .. {action_name(box, CARDS + LADDER - 1)}"
    )


# --- what is seen ------------------------------------------------------------------------------


def public(box: Record, s: Record) -> dict[str, Any]:
    """What everybody sees.

    product: that is up; "" after the end.  won: of each seat the products before it, each with the price that
    was paid.  gone: the products that left the game.  hand_sizes: the number of price cards in each hand.
    seen: of each hand the cards that all have seen.  last: the last round, its product, the bids of all
    seats, the number of the winner and the price; winner -1 and price 0 if the product is gone, {} before.
    earlier: the rounds before that one in the same form, the latest first, as far back as they are known:
    a position that was set up may begin anywhere.
    """
    seats, yen = range(box.players), price_list(box)
    owner, holder, seen = list(s.owner), list(s.holder), list(s.seen)
    rounds = [told_round(box, s, k) for k in range(ROUNDS - 1, -1, -1) if s.sold[k] != NONE]
    return {
        "round": rounds_begun(box, s),
        "product": product_name(box, s.product),
        "won": [
            [
                {"product": product_name(box, p), "price": yen[s.paid[p]]}
                for p in range(box.products)
                if owner[p] == seat
            ]
            for seat in seats
        ],
        "gone": [product_name(box, p) for p in range(box.products) if owner[p] == GONE],
        "hand_sizes": [hand_size(box, s, seat) for seat in seats],
        "seen": [[yen[c] for c in range(CARDS) if holder[c] == seat and seen[c]] for seat in seats],
        "last": rounds[0] if rounds else {},
        "earlier": rounds[1:],
    }


def private(box: Record, s: Record, seat: int) -> dict[str, Any]:
    """What only `seat` sees.

    hands: all its price cards.  chosen: the price chosen in this round, 0 before the choice.
    """
    yen, holder = price_list(box), list(s.holder)
    return {
        "hands": [yen[card] for card in range(CARDS) if holder[card] == seat],
        "chosen": yen[s.chosen[seat]],
    }


def face_down(box: Record, s: Record) -> dict[str, Any]:
    """The deck, the next product first."""
    return {"deck": [product_name(box, s.deck[i]) for i in range(s.deck_size - 1, -1, -1)]}


def product_name(box: Record, product: int) -> str:
    """`katsu_curry`; "" for none."""
    return "" if product == NONE else bytes(box.name[product]).rstrip(b"\0").decode()


def price_list(box: Record) -> list[int]:
    """The yen of all prices in use by index, and at the end a 0 for NONE."""
    prices = box.ladder_price if box.written else box.card_price
    return [*list(prices)[: box.prices], 0]


def told_round(box: Record, s: Record, number: int) -> dict[str, Any]:
    """A round that is settled, by its number from 0."""
    yen, product = price_list(box), s.sold[number]
    return {
        "product": product_name(box, product),
        "bids": [yen[s.bids[number, seat]] for seat in range(box.players)],
        "winner": max(s.owner[product], NONE),
        "price": yen[s.paid[product]],
    }


# --- what came of a step -----------------------------------------------------------------------


EVENTS = {
    "chosen": "{seat} chooses {0} yen",
    "bids": "all bids: {numbers} yen",
    "sold": "{seat} gets {things} for {0} yen",
    "drawn": "{seat} gets {things} for {0} yen, by lot",
    "gone": "{things} leaves the game",
    "took": "{seat} takes the card {0} of {things}",
    "nine": "{seat} has {0:product} and wins at once",
    "next": "next comes {things}",
}


def events(box: Record, before: View, after: View, seat: int, action: int | None) -> Iterator[Event]:
    """The own choice; and when all have chosen, how the round ends."""
    if action is not None:
        yield Event("chosen", seat, numbers=(price_list(box)[action if action < CARDS else action - CARDS],))
    if seat + 1 < box.players:
        return
    bids, winner, price = (after["last"][key] for key in ("bids", "winner", "price"))
    product = (before["product"],)
    yield Event("bids", numbers=tuple(bids))
    if winner < 0:
        yield Event("gone", things=product)
    else:
        yield Event("drawn" if bids.count(price) > 1 else "sold", winner, product, (price,))
    if not box.written:
        others = [p for p in range(box.players) if p != winner]
        for giver, taker in zip(others, others[1:] + others[:1], strict=True):
            yield Event("took", taker, (seat_name(giver),), (bids[giver],))
    if after["product"]:
        yield Event("next", things=(after["product"],))
    elif winner >= 0 and len(after["won"][winner]) == box.products_to_win:
        yield Event("nine", winner, numbers=(box.products_to_win,))


# --- a position from its view ------------------------------------------------------------------


def read_product(d: Draft, key: str, name: str) -> int:
    """The number of a product that is used in this game."""
    for product in range(d.box.products):
        if product_name(d.box, product) == name:
            if not d.box.in_use[product]:
                raise d.fail(key, f"{name!r} is an additional product; set extra_products")
            return product
    raise d.fail(key, f"{name!r} is no product")


def read_price(d: Draft, key: str, price: object) -> int:
    """The index of a price in use."""
    yen = price_list(d.box)[: d.box.prices]
    if type(price) is not int or price not in yen:
        what = "price that may be written" if d.box.written else "price card"
        raise d.fail(key, f"{price!r} is no {what}")
    return yen.index(price)


def read_settled(d: Draft) -> None:
    """`won` and `gone`."""
    box, s = d.box, d.s
    s.owner[:], s.paid[:] = OPEN, NONE
    for seat, products in enumerate(d.of_seats("won", list, [[]] * box.players)):
        for item in products:
            entry = Reader(item, "position: won", PositionError, ("product", "price"))
            settle(d, "won", entry.get("product", str), seat, entry.get("price", int))
    for name in d.items("gone", None, str, []):
        settle(d, "gone", name, GONE)


def settle(d: Draft, key: str, name: str, owner: int, price: int = 0) -> None:
    """Give a product to a seat for a price, or GONE."""
    s, product = d.s, read_product(d, key, name)
    if s.owner[product] != OPEN:
        raise d.fail(key, f"{name} is named twice")
    s.owner[product] = owner
    if owner >= 0:
        if s.count[owner] == d.box.products_to_win:
            raise d.fail(key, f"{seat_name(owner)} can have {d.box.products_to_win} products at most")
        s.paid[product] = read_price(d, key, price)
        s.count[owner] += 1


def read_rounds(d: Draft) -> None:
    """The last round and earlier ones; `won` and `gone`, if given, have their products."""
    s, parts = d.s, ("product", "bids", "winner", "price")
    s.sold[:], s.bids[:], s.holder[:] = NONE, NONE, ABSENT
    last, earlier = d.table("last", parts, {}), d.tables("earlier", "earlier", parts, [])
    d.compare("last")
    d.compare("earlier")
    if earlier and not last.data:
        raise d.fail("last", "is missing, the round after those of earlier")
    told = [("earlier", round_) for round_ in reversed(earlier)] + [("last", last)] * bool(last.data)
    if len(told) > len(s.sold):
        raise d.fail("earlier", f"with last, has more than {len(s.sold)} rounds")
    for number, (key, round_) in enumerate(told):
        read_round(d, key, round_, number)


def read_round(d: Draft, key: str, told: Reader, number: int) -> None:
    """A settled round into the place `number`: its product and the bids, and whose their cards were then."""
    box, s = d.box, d.s
    name = told.get("product", str)
    product = read_product(d, key, name)
    if product in list(s.sold):
        raise d.fail(key, f"{name} is named twice")
    if s.owner[product] == OPEN:
        winner = told.integer("winner", NONE, box.players - 1)
        settle(d, key, name, winner if winner >= 0 else GONE, told.get("price", int))
    winner, paid = s.owner[product], s.paid[product]
    bids = [read_price(d, key, price) for price in told.items("bids", box.players, int)]
    if winner >= 0 and bids[winner] != paid:
        price = price_list(box)[paid]
        raise told.fail("bids", f"must have the price {price} of {seat_name(winner)}, who has {name}")
    if not box.written and len(set(bids)) < len(bids):
        raise told.fail("bids", "must be different price cards")
    s.sold[number], s.product = product, product
    s.bids[number, : box.players] = s.chosen[: box.players] = bids
    if (wins := winning_price(box, s)) != paid:
        buyer = "nobody" if wins == NONE else f"who bid {price_list(box)[wins]}"
        raise told.fail("bids", f"by these {name} goes to {buyer}")
    for seat, card in enumerate(bids):
        if not box.written and s.holder[card] not in (ABSENT, seat):
            raise told.fail("bids", f"{seat_name(seat)} cannot have had {price_list(box)[card]} then")
    move_cards(box, s, winner)


def complete_seats(box: Record, s: Record) -> list[int]:
    """The seats that have products enough to win at once."""
    return [seat for seat in range(box.players) if s.count[seat] >= box.products_to_win]


def read_turn(d: Draft) -> None:
    """Whose turn it is: if nothing says so, that of the seat after the last that has chosen."""
    box, s = d.box, d.s
    complete, chosen = complete_seats(box, s), d.of_seats("chosen", int, [0] * box.players)
    after = 1 + max((seat for seat, price in enumerate(chosen) if price), default=-1)
    if "turn" in d:
        s.turn = d.seat("turn", box.players)
    elif complete or PRODUCTS - list(s.owner).count(OPEN) >= box.rounds or d.items("winners", None, int, []):
        s.turn = NONE
    else:
        s.turn = min(after, box.players - 1)
    s.done = s.turn < 0
    if len(complete) > 1:
        raise d.fail("won", f"two seats cannot both have {box.products_to_win} products")
    if complete and not s.done:
        raise d.fail("turn", f"must be none: {seat_name(complete[0])} has products enough to win")


def read_products(d: Draft) -> None:
    """The products before, in and after this round.

    Earlier ones that nothing names are gone: the lowest numbers of the right letters. Later ones are drawn.
    """
    box, s = d.box, d.s
    settled = [box.letter[p] for p in range(box.products) if s.owner[p] != OPEN]
    named = [settled.count(letter) for letter in range(len(LETTERS))]
    to_come = read_to_come(d)
    rounds = rounds_to_come(d, named, to_come)
    date_rounds(d, box.rounds - len(rounds))
    to_come += [NONE] * (len(rounds) - len(to_come))
    for letter, name in enumerate(LETTERS):
        due = box.letter_count[letter] - rounds.count(letter)
        if named[letter] > due:
            raise d.fail("won", f"with gone, {named[letter]} products {name}, but only {due} can be")
        of_letter = [p for p in range(box.products) if box.letter[p] == letter and box.in_use[p]]
        free = [p for p in of_letter if s.owner[p] == OPEN and p not in to_come]
        s.owner[free[: due - named[letter]]] = GONE
        drawn = iter(shuffled(s.rng, free[due - named[letter] :]))
        for k, of_round in enumerate(rounds):
            if of_round == letter and to_come[k] == NONE:
                to_come[k] = next(drawn)
    for product in range(box.products):
        if s.owner[product] >= 0:
            s.points[s.owner[product]] += box.number[product]
    s.product = NONE if s.done else to_come.pop(0)
    s.deck[:] = to_come[::-1] + [NONE] * (len(s.deck) - len(to_come))
    s.deck_size = len(to_come)


def date_rounds(d: Draft, settled: int) -> None:
    """Move the rounds that are told to their places, the last one to the end of those that are settled."""
    box, s = d.box, d.s
    known = [product for product in s.sold if product != NONE]
    letters = [letter for letter in range(len(LETTERS)) for _ in range(box.letter_count[letter])][:settled]
    for back, product in enumerate(reversed(known)):
        number = settled - back
        if number > 0 and box.letter[product] != letters[number - 1]:
            must = f"must have a product {LETTERS[letters[number - 1]]} in round {number}"
            raise d.fail("earlier" if back else "last", f"{must}, got {product_name(box, product)!r}")
    later = max(0, settled - len(known))
    s.sold[:], s.bids[:] = np.roll(s.sold, later), np.roll(s.bids, later, axis=0)


def read_to_come(d: Draft) -> list[int]:
    """The products that `product` and `deck` name, next first; NONE for a product up that is not named."""
    names = [] if d.s.done else [("product", d.get("product", str, ""))]
    names += [("deck", name) for name in d.items("deck", None, str, [])]
    d.compare("product")
    to_come = []
    for key, name in names:
        product = NONE if (key, name) == ("product", "") else read_product(d, key, name)
        if product != NONE and (d.s.owner[product] != OPEN or product in to_come):
            raise d.fail(key, f"{name} is named twice")
        to_come.append(product)
    return to_come


def rounds_to_come(d: Draft, named: list[int], to_come: list[int]) -> list[int]:
    """The letters of the rounds to come, with this one; if `round` is not given, as early as may be."""
    box, s, start = d.box, d.s, list(d.box.letter_start)
    least = [sum(named)] + [start[letter] + count for letter, count in enumerate(named) if count]
    least += [start[box.letter[product]] - k for k, product in enumerate(to_come) if product != NONE]
    first = min(box.rounds, max(least) + (not s.done))
    begun = d.integer("round", 1, box.rounds, box.rounds if s.done and not complete_seats(box, s) else first)
    rounds = [letter for letter in range(len(LETTERS)) for _ in range(box.letter_count[letter])]
    rounds = rounds[begun - (not s.done) :]
    if len(to_come) > len(rounds):
        raise d.fail("deck", f"has {len(to_come) - len(rounds)} products more than are to come")
    for k, product in enumerate(to_come):
        if product != NONE and box.letter[product] != rounds[k]:
            key = "deck" if k or s.done else "product"
            must = f"must be a product {LETTERS[rounds[k]]} in round {begun + k + s.done}"
            raise d.fail(key, f"{must}, got {product_name(box, product)!r}")
    return rounds


def read_cards(d: Draft) -> None:
    """The hands: what `hands`, `chosen` and `seen` list, and for the rest any cards that lie nowhere."""
    box, s, none = d.box, d.s, [()] * d.box.players
    moved = list(s.holder)[: box.cards]  # by the rounds that are told
    s.holder[:], s.seen[:] = ABSENT, 0
    if box.written:  # KC-23
        return
    free = list(range(box.cards))
    for card in s.paid:
        if card != NONE:
            take(d, "won", card, free, NONE)
    chosen = [[price] if price else [] for price in d.of_seats("chosen", int, [0] * box.players)]
    listed = {
        "hands": d.of_seats("hands", list, none),
        "chosen": chosen,
        "seen": d.of_seats("seen", list, none),
    }
    for key, hands in listed.items():
        for seat, prices in enumerate(hands):
            for card in [read_price(d, key, price) for price in prices]:
                if key == "hands" or s.holder[card] != seat or s.seen[card]:
                    take(d, key, card, free, seat)
                s.seen[card] = key == "seen"
    see_moved(d, moved, free)
    rest = shuffled(s.rng, free)
    for seat in range(box.players):
        size, held = hand_size(box, s, seat), list(s.holder).count(seat)
        if held > size:
            raise d.fail("hands", f"{seat_name(seat)} can have {size} cards, got {held}")
        for card in rest[: size - held]:
            s.holder[card] = seat
        del rest[: size - held]


def see_moved(d: Draft, moved: list[int], free: list[int]) -> None:
    """The cards that were open in the rounds told: all know in whose hand each is (KC-32)."""
    seen = d.of_seats("seen", list, [None] * d.box.players)
    for card, holder in enumerate(moved):
        if holder >= 0:
            price = price_list(d.box)[card]
            if card in free:
                take(d, "hands", card, free, holder)
            if d.s.holder[card] != holder:
                raise d.fail("hands", f"{seat_name(holder)} must have {price}, by the last bid of that card")
            if seen[holder] is not None and price not in seen[holder]:
                raise d.fail("seen", f"must have {price} of {seat_name(holder)}, a bid of an earlier round")
            d.s.seen[card] = 1


def take(d: Draft, key: str, card: int, free: list[int], holder: int) -> None:
    """Take a card out of those that are free, for a seat or a product."""
    if card not in free:
        raise d.fail(key, f"the price card {price_list(d.box)[card]} is named twice")
    free.remove(card)
    d.s.holder[card] = holder


def read_choices(d: Draft) -> None:
    """The choices of this round: of all seats before the one whose turn it is; open ones are drawn."""
    box, s = d.box, d.s
    s.chosen[:] = NONE
    for seat, price in enumerate(d.of_seats("chosen", int, [None] * box.players)):
        has_chosen = seat < s.turn
        if price is not None and (price != 0) != has_chosen:
            raise d.fail("chosen", f"must be prices before turn ({seat_name(s.turn)}), 0 from there on")
        if has_chosen:
            own = [card for card in range(CARDS) if s.holder[card] == seat] or range(box.ladder)
            s.chosen[seat] = read_price(d, "chosen", price) if price else own[below(s.rng, len(own))]


def read_winners(d: Draft) -> None:
    """Who has won: that follows from the products, but for the one who is drawn of the best (KC-22)."""
    box, s = d.box, d.s
    d.compare("winners")
    if not s.done:
        return
    best = complete_seats(box, s)
    if s.deck_size and not best:
        raise d.fail("turn", "cannot be none while products are left and nobody has enough of them")
    points = [by_points(box, s, seat) for seat in range(box.players)]
    best = best or [seat for seat, own in enumerate(points) if own == max(points)]
    if box.draw and len(best) > 1:
        drawn = [seat for seat in best if seat in d.items("winners", None, int, [])] or best
        best = [drawn[below(s.rng, len(drawn))]]
    for seat in best:
        s.winners[seat] = 1


def seen_by_seat(view: dict[str, Any]) -> list[str]:
    """Before, `seen` was the prices of the cards alone, and `hands` had to list them."""
    seen, hands = view.get("seen"), view.get("hands")
    if type(seen) is not list or any(type(price) is not int for price in seen):
        return []
    hands = [hand if type(hand) is list else [] for hand in (hands if type(hands) is list else [])]
    by_seat = [[price for price in hand if price in seen] for hand in hands]
    if sorted(itertools.chain(*by_seat)) != sorted(seen):
        return []
    view["seen"] = by_seat or None
    return ["seen"]


RENAMED = (seen_by_seat,)
POSITION = (read_settled, read_rounds, read_turn, read_products, read_cards, read_choices, read_winners)


# --- the table as text -------------------------------------------------------------------------


def table(box: Record, view: View, seat: int = -1) -> str:
    """A view as text, with the hands, the choices and the deck below as far as the view shows them."""
    rows = [f"round {view['round']} of {box.rounds}: {describe(box, view['product'])}"]
    rows += round_lines(view)
    if view["gone"]:
        rows += folded(f"gone: {', '.join(view['gone'])}", "  ")
    rows.append("")
    for p in range(box.players):
        rows += seat_lines(box, view, p)
    return "\n".join([*rows, *hidden_lines(box, view, seat)]) + "\n"


def hidden_lines(box: Record, view: View, seat: int) -> list[str]:
    """What the view shows of the hands, the choices and the deck."""
    lines = []
    for p, hand in enumerate(view["hands"]):
        if hand is not None and not box.written:
            lines += folded(f"hand of {seat_name(p)}: {listing(hand)}", "  ")
    for p, price in enumerate(view["chosen"]):
        if price or p == seat:
            lines.append(f"choice of {seat_name(p)}: {price or 'none yet'}")
    if view.get("deck"):
        lines += folded(f"deck, next first: {', '.join(view['deck'])}", "  ")
    return ["", *lines] if lines else []


def listing(prices: Iterable[int]) -> str:
    return " ".join(map(str, prices)) or "none"


def describe(box: Record, name: str) -> str:
    """A product with its letter, number, usual price, and the arrow of its auction."""
    if not name:
        return "the game is over"
    product = next(p for p in range(box.products) if product_name(box, p) == name)
    order = "lowest common price v" if box.reversed[product] else "highest common price ^"
    letter, number, usual = LETTERS[box.letter[product]], box.number[product], box.usual_price[product]
    return f"{name} ({letter}, {number} VP)\n  usually {usual} yen; {order}"


def round_lines(view: View) -> list[str]:
    """The rounds before this one, the last first."""
    lines = []
    for ago, told in enumerate([view["last"], *view["earlier"]] if view["last"] else []):
        when = f"{ago} before it" if ago else "last round"
        won = "nobody" if told["winner"] < 0 else f"{seat_name(told['winner'])} for {told['price']}"
        lines += folded(f"{when}: {told['product']} to {won}; bids {listing(told['bids'])}", "  ")
    return lines


def seat_lines(box: Record, view: View, p: int) -> list[str]:
    """Points and products of a seat, and of its hand what all have seen."""
    cards = [] if box.written else [f"{view['hand_sizes'][p]} in hand"]
    if view["seen"][p]:
        cards.append(f"open {listing(view['seen'][p])}")
    mark = " (winner)" if p in view["winners"] else ""
    head = f"{seat_name(p)}{mark}: {view['scores'][p]} VP"
    products = ", ".join(f"{item['product']} {item['price']}" for item in view["won"][p])
    lines = folded("; ".join([head, *cards]), "    ")
    return lines + (folded(f"    {len(view['won'][p])} won: {products}", "    ") if products else [])
