"""The table as text, from a view."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from foodenvs.core.notation import UNKNOWN, folded, seat_name
from foodenvs.core.views import View
from foodenvs.engine import Record
from foodenvs.games.critter_kitchen import layout as L
from foodenvs.games.critter_kitchen.rules.cards import names_of


def table(box: Record, view: View, seat: int = -1) -> str:
    """A view as text, with the pending choices of `seat` below (-1: none)."""
    rumours = view["rumours"] if seat < 0 else view["known_rumours"][seat]
    lines = [
        f"round {view['round']}, {view['phase']}; critic: {view['critic']}; "
        f"track: {' '.join(map(str, view['priority']))}",
        f"challenges: {', '.join(challenge_text(box, view)) or 'none'}",
        "rumours: " + ", ".join(f"{number} {name}" for number, name in enumerate(rumours, 1)),
        "",
    ]  # fmt: skip
    for place in view["locations"]:
        lines += location_lines(box, view, place)
    lines += [queue_line(view["shop"]), ""] if view["shop"] else [""]
    for p, own in enumerate(view["seats"]):
        lines += seat_lines(view, p, own)
    if seat >= 0:
        lines += ["", *own_lines(view, seat)]
    return "\n".join(part for line in lines for part in folded(line) or [""]) + "\n"


def short(names: Iterable[str]) -> str:
    """Tokens by type: `bread 2 5 5 spice, wine 7, allspice`."""
    groups: dict[str, list[str]] = {}
    for name in names:
        first, _, rest = name.partition(" ")
        groups.setdefault(first, []).append(rest)
    return ", ".join(f"{first} {' '.join(rest)}".strip() for first, rest in groups.items()) or "-"


def challenge_text(box: Record, view: View) -> Iterator[str]:
    names = names_of(box.challenge_names)
    for plate, name in enumerate(view["challenges"]):
        card = names.index(name)
        needs = [
            f"({kind})" if plate == L.PLATES - 1 and box.challenge_held[card] == t else kind
            for t, kind in enumerate(L.TYPE_NAMES)
            if box.challenge_types[card] >> t & 1
        ]
        yield f"{name} [{' '.join(needs)}]"


def location_lines(box: Record, view: View, place: str) -> list[str]:
    mark = ">" if view["shop"].get("location") == place else " "
    tokens = view["locations"][place]
    lying = [short(tokens)] if tokens else []
    if place == L.LOCATION_NAMES[L.TRUCK] and view["truck_bisque"]:
        lying.append("bisque")
    if place == L.LOCATION_NAMES[-1] and view["academy_sous"]:
        lying.append(f"sous chef {view['academy_sous']}")
    chefs = [
        f"{p} {chef}"
        for p, plan in enumerate(view["plans"])
        for chef, at in (plan or {}).items()
        if at == place
    ]
    return [f"{mark} {place}: {', '.join(lying) or '-'}" + (f" | {', '.join(chefs)}" if chefs else "")]


def queue_line(shop: Mapping[str, Any]) -> str:
    """What the chefs in the queue have taken and can still carry, and whether the first pick is made."""
    each = zip(shop["queue"], shop["taken"], shop["left"], strict=True)
    queue = ", ".join(
        f"{seat_name(seat)} has {taken} and can carry {left} more" for seat, taken, left in each
    )
    return f"queue: {queue}; first pick {'made' if shop['first_pick'] else 'to come'}"


def seat_lines(view: View, p: int, own: dict[str, Any]) -> list[str]:
    held = " ".join(f"{r}{'w' if r in own['wilds'] else ''}" for r in own["rumours"]) or "-"
    private = view["private_rumours"][p]
    signs = own | {"private_rumour": UNKNOWN if private is None else private}
    more = "".join(
        f", {key} {signs[key]}" for key in ("restaurateur", "private_rumour", "sous", "student") if signs[key]
    )
    name = seat_name(p)
    turn = " <- on turn" if view["turn"] == name else ""
    won = " <- winner" if p in view["winners"] else ""
    quality = f", quality {own['quality']}" if view["phase"] == "over" else ""
    meal = [f"    meal: {meal_text(view, p)}"] if view["phase"] == "over" else []
    return [
        f"{name}: {own['stars']} stars, {own['soup']} soup, {own['bisque']} bisque, "
        f"rumours {held}{more}{quality}{turn}{won}",
        f"    {short(own['stock'])}",
        *meal,
    ]


def meal_text(view: View, p: int) -> str:
    pairs = "".join(f", {course} with wine {value}" for course, value in view["pairs"][p].items())
    return (", ".join(view["meals"][p]) or "nothing") + pairs


def own_lines(view: View, seat: int) -> list[str]:
    lines, name = [], seat_name(seat)
    if view["phase"] == "planning":
        plan = ", ".join(f"{chef} to {place}" for chef, place in view["plans"][seat].items())
        lines.append(f"plan of {name}: {plan or 'nothing yet'}")
    for number, plate in enumerate(view["plates"][seat], 1):
        state = " (served)" if plate["served"] else ""
        now = " <- now" if number == view["current_plates"][seat] else ""
        lines.append(f"plate {number} of {name}: {', '.join(plate['items']) or 'empty'}{state}{now}")
    if view["phase"] == "critic":
        course = view["current_courses"][seat]
        now = f" <- now {course}" if course else ""
        lines.append(f"meal of {name}: {meal_text(view, seat)}{now}")
    return lines or [f"seen by {name}"]
