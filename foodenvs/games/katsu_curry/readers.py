"""Katsu Curry: each field of an observation, read from the seat's view by its meaning alone."""

import itertools
import math
from collections.abc import Collection

from foodenvs.core.readers import Table, by_seat, clockwise, number, one_hot, own
from foodenvs.games.katsu_curry.rules import CARDS, LADDER, LETTERS, PRODUCTS, ROUNDS


def padded(entries: list[int], size: int) -> list[int]:
    """A box of one's own may have less than there is room for."""
    return entries + [0] * (size - len(entries))


# --- products ----------------------------------------------------------------------------------


def named(names: Collection[str], components: Table) -> list[int]:
    """1 for each product that is named, in the order of the components."""
    return padded([int(each["name"] in names) for each in components["product"]], PRODUCTS)


def products_won(view: Table) -> list[list[str]]:
    """The names of the products in front of each seat, the observer's first."""
    return [[entry["product"] for entry in view["won"][seat]] for seat in clockwise(view)]


def product(view: Table, options: Table, components: Table) -> list[int]:
    return named([view["product"]], components)


def two_digits(points: int) -> list[int]:
    """Points to the base 128."""
    return list(divmod(points, 128))


def product_number(view: Table, options: Table, components: Table) -> list[int]:
    numbers = {each["name"]: each["vp"] for each in components["product"]}
    return two_digits(numbers.get(view["product"], 0))


def facts(view: Table, options: Table, components: Table) -> list[int]:
    for up in components["product"]:
        if up["name"] == view["product"]:
            ordinary = up["name"] == "earthquake_donation" and options["donation_reversed"] is False
            return [int(up["reversed"] and not ordinary), *one_hot(up["letter"], LETTERS)]
    return [0] * (1 + len(LETTERS))


def left(view: Table, options: Table, components: Table) -> list[int]:
    """Products come up letter by letter, so the number turned up tells how many of each are not."""
    counts = [components["counts"]["basic"][letter] for letter in LETTERS]
    ends = itertools.accumulate(counts)
    return [min(count, max(0, end - view["round"])) for count, end in zip(counts, ends, strict=True)]


def pool(view: Table, options: Table, components: Table) -> list[int]:
    """In use, not up, not settled before, and some of its letter are still face down."""
    face_down = dict(zip(LETTERS, left(view, options, components), strict=True))
    known = {view["product"], *view["gone"], *itertools.chain(*products_won(view))}
    in_use = [each for each in components["product"] if each["set"] == "basic" or options["extra_products"]]
    may_come = {each["name"] for each in in_use if face_down[each["letter"]]}
    return named(may_come - known, components)


def won(view: Table, options: Table, components: Table) -> list[list[int]]:
    return [named(names, components) for names in products_won(view)]


def gone(view: Table, options: Table, components: Table) -> list[int]:
    return named(view["gone"], components)


def count(view: Table, options: Table, components: Table) -> list[int]:
    return [len(names) for names in products_won(view)]


def points(view: Table, options: Table, components: Table) -> list[list[int]]:
    numbers = {each["name"]: each["vp"] for each in components["product"]}
    return [two_digits(sum(numbers[name] for name in names)) for names in products_won(view)]


# --- prices ------------------------------------------------------------------------------------


def written(options: Table, components: Table) -> bool:
    """Whether prices are written, not played as cards."""
    many = options["players"] >= components["players"]["written_from"]
    return many if options["written_prices"] is None else options["written_prices"]


def prices(options: Table, components: Table) -> list[int]:
    """The prices by their index: of the cards, or of the ladder."""
    return components["written" if written(options, components) else "price_cards"]["prices"]


def cards(held: Collection[int], components: Table) -> list[int]:
    """1 for each price card whose price is among these."""
    return padded([int(price in held) for price in components["price_cards"]["prices"]], CARDS)


def doublings(yen: int) -> list[int]:
    """How many binary digits a price has, and the 128ths of the way to the next; 0, 0 for none."""
    if not yen:
        return [0, 0]
    digits = len(f"{yen:b}")
    return [digits, math.floor(128 * (math.log2(yen / 2**digits) + 1))]


def price(view: Table, options: Table, components: Table) -> list[list[int]]:
    paid = {entry["product"]: entry["price"] for entry in itertools.chain(*view["won"])}
    rows = [doublings(paid.get(each["name"], 0)) for each in components["product"]]
    return rows + [[0, 0]] * (PRODUCTS - len(rows))


def rounds_before(view: Table) -> list[Table]:
    """The rounds before this one, the last first."""
    return [view["last"], *view["earlier"]] if view["last"] else []


def ago(view: Table, options: Table, components: Table) -> list[int]:
    names = ["", *(each["product"] for each in rounds_before(view))]
    found = [names.index(each["name"]) if each["name"] in names else 0 for each in components["product"]]
    return padded(found, PRODUCTS)


def bids(view: Table, options: Table, components: Table) -> list[list[list[int]]]:
    rounds = [[doublings(each["bids"][seat]) for seat in clockwise(view)] for each in rounds_before(view)]
    return rounds + [[[0, 0]] * view["players"]] * (ROUNDS - len(rounds))


def choice(view: Table, options: Table, components: Table) -> list[int]:
    found = one_hot(own(view, "chosen"), prices(options, components))
    return padded(found, LADDER if written(options, components) else CARDS)


def hand(view: Table, options: Table, components: Table) -> list[int]:
    return cards(own(view, "hands"), components)


def seen(view: Table, options: Table, components: Table) -> list[list[int]]:
    return [cards(view["seen"][seat], components) for seat in clockwise(view)]


def paid(view: Table, options: Table, components: Table) -> list[int]:
    return cards([entry["price"] for entry in itertools.chain(*view["won"])], components)


READERS = {
    "product": product,
    "number": product_number,
    "facts": facts,
    "round": number("round"),
    "left": left,
    "pool": pool,
    "won": won,
    "price": price,
    "gone": gone,
    "count": count,
    "points": points,
    "ago": ago,
    "bids": bids,
    "choice": choice,
    "hand": hand,
    "seen": seen,
    "hand_size": by_seat("hand_sizes"),
    "paid": paid,
}
