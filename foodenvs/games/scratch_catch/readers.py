"""Scratch & Catch: each field of an observation, read from the seat's view by its meaning alone."""

from foodenvs.core.readers import Table, by_seat, number, own, seat_in, tally
from foodenvs.games.scratch_catch.words import CARD_NAMES


def line(view: Table, options: Table, components: Table) -> list[int]:
    return tally(view["line"], CARD_NAMES)


def hand(view: Table, options: Table, components: Table) -> list[int]:
    return tally(own(view, "hands"), CARD_NAMES)


def unseen(view: Table, options: Table, components: Table) -> list[int]:
    """All cards in the box but those seen: the own hand, the line, and what was taken from it."""
    spread = components["distribution"]
    seen = tally([*own(view, "hands"), *view["line"], *view["taken"]], CARD_NAMES)
    return [n - known for n, known in zip(spread["cats"] + spread["chakapuces"], seen, strict=True)]


def second(view: Table, options: Table, components: Table) -> list[int]:
    return [int(view["play"] == 2)]


READERS = {
    "line": line,
    "hand": hand,
    "unseen": unseen,
    "fleas": by_seat("fleas"),
    "cats": by_seat("cats"),
    "chakapuces": by_seat("chakapuces"),
    "hand_size": by_seat("hand_sizes"),
    "turn": seat_in("turn"),
    "ended_by": seat_in("ended_by"),
    "deck_size": number("deck_size"),
    "second": second,
}
