"""Critter Kitchen: each field of an observation, read from the seat's view by its meaning alone."""

from collections.abc import Collection
from typing import Any

from foodenvs.core.notation import seat_number
from foodenvs.core.readers import FieldReader, Table, clockwise, one_hot, own, seat_in, tally
from foodenvs.games.critter_kitchen import layout as L
from foodenvs.games.critter_kitchen.words.views import INGREDIENT_NAMES, KIND_NAMES, PHASE_NAMES, PREPARED

# --- cards and seats ---------------------------------------------------------------------------


def marked(names: Collection[str], table: str, components: Table) -> list[int]:
    """1 for each card of a table that is named."""
    return [int(card["name"] in names) for card in components[table]]


def types(components: Table) -> list[str]:
    """The types of ingredients, which are the courses of the critic meal too."""
    return components["types"]["names"]


def seats(view: Table) -> list[Any]:
    """What each seat owns, the observer's first."""
    return [view["seats"][seat] for seat in clockwise(view)]


def owned(key: str) -> FieldReader:
    """A reader of one number that each seat has, as far as an observation tells it."""
    return lambda view, options, components: [min(seat[key], L.SHOWN) for seat in seats(view)]


def carded(key: str, table: str) -> FieldReader:
    """A reader of one card that the view names under a key."""
    return lambda view, options, components: marked([view[key]], table, components)


# --- whose turn it is, and to do what ----------------------------------------------------------


def phase(view: Table, options: Table, components: Table) -> list[int]:
    return one_hot(view["phase"], PHASE_NAMES)


def round(view: Table, options: Table, components: Table) -> list[int]:
    return one_hot(view["round"], range(1, L.ROUNDS + 1))


def chef_here(view: Table, seat: int) -> str | None:
    """The chef that a seat's plan sent to the location being resolved."""
    plan, location = view["plans"][seat], view["shop"]["location"]
    return next((name for name, place in plan.items() if place == location), None)


def chef(view: Table, options: Table, components: Table) -> list[int]:
    """Chefs are placed in the order of their names."""
    chefs, current = components["chefs"]["names"], None
    if view["phase"] == "planning" and view["turn"] == view["you"]:
        current = next(name for name in chefs if name not in own(view, "plans"))
    if view["phase"] == "shopping":
        current = chef_here(view, seat_number(view["turn"]))
    return one_hot(current, chefs)


def here(view: Table, options: Table, components: Table) -> list[int]:
    return one_hot(view["shop"].get("location"), view["locations"])


def capacity_and_queue(view: Table, seat: int, components: Table) -> tuple[int, int]:
    """What a seat's chef here carries, and in which queue it picks; (0, 0) if it has none here."""
    carries = dict(zip(components["chefs"]["names"], components["chefs"]["capacity"], strict=True))
    name = chef_here(view, seat)
    if name != "sous":
        capacity = carries.get(name, 0)
        return capacity, capacity
    card = next(card for card in components["sous_chef"] if card["name"] == view["seats"][seat]["sous"])
    return card["capacity"], 0 if card.get("own_queue") else card["capacity"]


def left(view: Table, options: Table, components: Table) -> list[int]:
    """A chef of a later queue is here and can carry all; one of an earlier queue is gone."""
    shop = view["shop"]
    if not shop:
        return [0] * view["players"]
    picking = dict(zip(shop["queue"], shop["left"], strict=True))
    _, current = capacity_and_queue(view, shop["queue"][0], components)
    found = []
    for seat in clockwise(view):
        capacity, queue = capacity_and_queue(view, seat, components)
        found.append(capacity if queue > current else picking.get(seat, 0))
    return found


def taken(view: Table, options: Table, components: Table) -> list[int]:
    shop = view["shop"]
    numbers = dict(zip(shop["queue"], shop["taken"], strict=True)) if shop else {}
    return [numbers.get(seat, 0) for seat in clockwise(view)]


def order(view: Table, options: Table, components: Table) -> list[int]:
    places = {seat: place for place, seat in enumerate(view["shop"].get("queue", []), 1)}
    return [places.get(seat, 0) for seat in clockwise(view)]


def first_pick(view: Table, options: Table, components: Table) -> list[int]:
    return [int(view["shop"].get("first_pick", False))]


def plate(view: Table, options: Table, components: Table) -> list[int]:
    return one_hot(own(view, "current_plates"), range(1, L.PLATES + 1))


def course(view: Table, options: Table, components: Table) -> list[int]:
    return one_hot(own(view, "current_courses"), types(components))


# --- the board and its cards -------------------------------------------------------------------


def priority(view: Table, options: Table, components: Table) -> list[int]:
    return [view["priority"].index(seat) + 1 for seat in clockwise(view)]


def needs(view: Table, options: Table, components: Table) -> list[list[int]]:
    """The hold token lies on the rightmost type of the last card of a day."""
    asked = {card["name"]: card["needs"] for card in components["challenge"]}
    cards = [asked[name] for name in view["challenges"]]
    if view["round"] in components["rounds"]["hold_rounds"] and cards:
        cards[-1] = cards[-1][:-1]
    cards += [[]] * (L.PLATES - len(cards))
    return [[int(name in card) for name in types(components)] for card in cards]


def seen_challenges(view: Table, options: Table, components: Table) -> list[int]:
    return marked([*view["challenges"], *view["past_challenges"]], "challenge", components)


def rumours(view: Table, options: Table, components: Table) -> list[list[int]]:
    return [marked([name], "rumour", components) for name in own(view, "known_rumours")]


def face_up(view: Table, options: Table, components: Table) -> list[int]:
    return [int(up) for up in view["face_up"]]


def private(view: Table, options: Table, components: Table) -> list[int]:
    return marked([own(view, "private_rumours")], "rumour", components)


def sous_chef(key: str) -> FieldReader:
    """A reader of the sous chef that one of the seats has under a key, and of its owner."""

    def read(view: Table, options: Table, components: Table) -> list[int]:
        names = [seat[key] for seat in seats(view)]
        return marked(names, "sous_chef", components) + [int(name != "") for name in names]

    return read


def gone_sous(view: Table, options: Table, components: Table) -> list[int]:
    return marked(view["past_sous"], "sous_chef", components)


# --- tokens ------------------------------------------------------------------------------------


def bisques(view: Table, options: Table, components: Table) -> list[int]:
    return [int(view["truck_bisque"]), view["bisque_supply"]]


def items(view: Table, options: Table, components: Table) -> list[list[int]]:
    return [tally(lying, KIND_NAMES) for lying in view["locations"].values()]


def bag(view: Table, options: Table, components: Table) -> list[int]:
    return tally(view["in_bag"], KIND_NAMES)


# --- seats -------------------------------------------------------------------------------------


def restaurateurs(view: Table, options: Table, components: Table) -> list[list[int]]:
    return [marked([seat["restaurateur"]], "restaurateur", components) for seat in seats(view)]


def stock(view: Table, options: Table, components: Table) -> list[list[int]]:
    return [tally(seat["stock"], KIND_NAMES[: L.STOCK]) for seat in seats(view)]


def tokens(view: Table, options: Table, components: Table) -> list[list[int]]:
    """A rumour held by a wild token is among both the rumours and the wilds of a seat."""
    return [tally(seat["rumours"] + seat["wilds"], range(1, L.RUMOURS + 1)) for seat in seats(view)]


def chefs(view: Table, options: Table, components: Table) -> list[list[list[int]]]:
    plans = [view["plans"][seat] or {} for seat in clockwise(view)]
    return [
        [one_hot(plan.get(name), view["locations"]) for name in components["chefs"]["names"]]
        for plan in plans
    ]


# --- the observer's plates ---------------------------------------------------------------------


def laid(view: Table) -> list[list[str]]:
    """What lies on each of the observer's plates: challenge meals, or the critic meal on the first."""
    plates = [plate["items"] for plate in own(view, "plates")] or [own(view, "meals")]
    return plates + [[]] * (L.PLATES - len(plates))


def plates(view: Table, options: Table, components: Table) -> list[list[list[int]]]:
    return [
        [tally(items, [name + way for name in INGREDIENT_NAMES]) for way in PREPARED] for items in laid(view)
    ]


def plate_soup(view: Table, options: Table, components: Table) -> list[list[int]]:
    return [[min(number, L.SHOWN) for number in tally(items, ["soup", "bisque"])] for items in laid(view)]


def served(view: Table, options: Table, components: Table) -> list[int]:
    closed = [int(plate["served"]) for plate in own(view, "plates")]
    return closed or [0] * L.PLATES


def pairs(view: Table, options: Table, components: Table) -> list[int]:
    return [own(view, "pairs").get(name, 0) for name in types(components)]


READERS = {
    "phase": phase,
    "round": round,
    "actor": seat_in("turn"),
    "chef": chef,
    "here": here,
    "left": left,
    "taken": taken,
    "order": order,
    "first_pick": first_pick,
    "plate": plate,
    "course": course,
    "critic": carded("critic", "critic"),
    "priority": priority,
    "needs": needs,
    "seen_challenges": seen_challenges,
    "rumours": rumours,
    "face_up": face_up,
    "private": private,
    "academy_sous": carded("academy_sous", "sous_chef"),
    "sous": sous_chef("sous"),
    "student": sous_chef("student"),
    "gone_sous": gone_sous,
    "bisques": bisques,
    "items": items,
    "bag": bag,
    "restaurateurs": restaurateurs,
    "stock": stock,
    "soup": owned("soup"),
    "bisque": owned("bisque"),
    "tokens": tokens,
    "stars": owned("stars"),
    "chefs": chefs,
    "plates": plates,
    "plate_soup": plate_soup,
    "served": served,
    "pairs": pairs,
}
