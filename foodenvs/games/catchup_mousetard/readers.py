"""Catchup & Mousetard: each field of an observation, read from the seat's view by its meaning alone."""

import itertools

from foodenvs.core.readers import Table, by_seat, clockwise, number, one_hot, own, seat_in, tally
from foodenvs.games.catchup_mousetard.rules import CHARACTERS, DECKS

PHASES = ("discard", "more", "serve", "build", "over")
OWN = "own"  # an own sauce, after all kinds of cards


def kinds(components: Table) -> list[str]:
    """The names of the kinds in order."""
    return [card["name"] for card in components["card"]]


def over_decks(cards: dict[str, list[str]]) -> list[str]:
    """The cards that a view lists deck by deck."""
    return list(itertools.chain(*cards.values()))


# --- the turn ----------------------------------------------------------------------------------


def phase(view: Table, options: Table, components: Table) -> list[int]:
    return one_hot("build" if own(view, "dishes") else view["phase"], PHASES)


def first(view: Table, options: Table, components: Table) -> list[int]:
    return one_hot(view["first_player"], clockwise(view))


def floor(view: Table, options: Table, components: Table) -> list[int]:
    """Cards go, and come into a dish, in the order of kinds: what was laid last may come again."""
    names = [*kinds(components), OWN]
    building = own(view, "dishes")
    if building:
        return [max((names.index(card) for card in building["build"]), default=0)]
    return [names.index(view["floor"])]


def rounds_left(view: Table, options: Table, components: Table) -> list[int]:
    return [options["max_turns"] - view["round"]]


# --- cards -------------------------------------------------------------------------------------


def hand(view: Table, options: Table, components: Table) -> list[int]:
    return tally(own(view, "hands"), kinds(components))


def hand_old(view: Table, options: Table, components: Table) -> list[int]:
    return tally(own(view, "old"), kinds(components))


def build(view: Table, options: Table, components: Table) -> list[int]:
    return tally(own(view, "dishes").get("build", []), [*kinds(components), OWN])


def dish(view: Table, options: Table, components: Table) -> list[int]:
    return one_hot(own(view, "dishes").get("dish"), [each["name"] for each in components["dish"]])


def discards(view: Table, options: Table, components: Table) -> list[int]:
    return tally(over_decks(view["discards"]), kinds(components))


def unseen_new(view: Table, options: Table, components: Table) -> list[int]:
    """Of what is in the decks or new in a hand, all but the own new cards."""
    everywhere = tally(over_decks(view["unseen"]), kinds(components))
    mine = zip(hand(view, options, components), hand_old(view, options, components), strict=True)
    return [n - (held - old) for n, (held, old) in zip(everywhere, mine, strict=True)]


def unseen_old(view: Table, options: Table, components: Table) -> list[int]:
    everywhere = tally(over_decks(view["old_in_hands"]), kinds(components))
    return [n - old for n, old in zip(everywhere, hand_old(view, options, components), strict=True)]


def decks(view: Table, options: Table, components: Table) -> list[int]:
    return [view["deck_sizes"][deck] for deck in DECKS]


def backs(view: Table, options: Table, components: Table) -> list[list[list[int]]]:
    return [[view["backs"][seat][deck] for deck in DECKS] for seat in clockwise(view)]


# --- seats and options -------------------------------------------------------------------------


def characters(view: Table, options: Table, components: Table) -> list[list[int]]:
    return [one_hot(view["characters"][seat], CHARACTERS) for seat in clockwise(view)]


def scores(view: Table, options: Table, components: Table) -> list[int]:
    return [min(127, view["scores"][seat]) for seat in clockwise(view)]


def target(view: Table, options: Table, components: Table) -> list[int]:
    return [options["target"]]


def extra_one(view: Table, options: Table, components: Table) -> list[int]:
    return [int(options["extra_ingredients"] == "one")]


READERS = {
    "phase": phase,
    "active": seat_in("turn"),
    "first": first,
    "drawn": number("drawn"),
    "floor": floor,
    "hand": hand,
    "hand_old": hand_old,
    "build": build,
    "dish": dish,
    "discards": discards,
    "unseen_new": unseen_new,
    "unseen_old": unseen_old,
    "decks": decks,
    "backs": backs,
    "own_sauces": by_seat("own_sauces"),
    "characters": characters,
    "scores": scores,
    "rounds_left": rounds_left,
    "target": target,
    "extra_one": extra_one,
}
