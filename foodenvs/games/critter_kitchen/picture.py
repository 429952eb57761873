"""The table of Critter Kitchen as a picture."""

import functools
from collections.abc import Iterable, Mapping
from typing import Any

from foodenvs.core.notation import UNKNOWN, seat_name
from foodenvs.core.views import View
from foodenvs.drawing import kit
from foodenvs.drawing.icons import icon
from foodenvs.drawing.kit import Page, Panel
from foodenvs.drawing.shapes import Picture, Sprite, fitted, moved, oval, rect, text
from foodenvs.engine import Record
from foodenvs.games.critter_kitchen import layout as L
from foodenvs.games.critter_kitchen.rules.cards import names_of
from foodenvs.games.critter_kitchen.words.views import PREPARED, queue_of

TONES = dict(
    zip(
        L.TYPE_NAMES,
        (kit.pale(t, 0.7) for t in (kit.ORANGE, kit.RED, kit.YELLOW, kit.SKY, kit.PINK, kit.GREY, kit.BLUE)),
        strict=True,
    )
)
PHASES = {
    "planning": "plans in secret", "shopping": "shops", "challenges": "lays meals in secret",
    "refrigeration": "refrigerates", "critic": "cooks for the critic in secret",
}  # fmt: skip
SECRET_PHASES = ("planning", "challenges", "critic")


def draw(
    box: Record, view: View, seat: int = -1, turn: int = -1, last: str = "", narrow: bool = False
) -> Picture:
    """The board, the row of locations, a kitchen per seat, and what `seat` (-1: none) plans or cooks."""
    status = f"Round {view['round']}: {seat_name(turn)} {PHASES.get(view['phase'], '')}"
    page = Page("Critter Kitchen", status if turn >= 0 else "The game is over", last, narrow)
    page.block(lambda panel: draw_board(panel, box, view, seat))
    places = list(view["locations"])
    page.grid(len(places), 190, lambda panel, k: draw_location(panel, box, view, places[k], seat, turn))
    page.grid(view["players"], 170, lambda panel, p: draw_kitchen(panel, view, p, seat, turn))
    if seat >= 0:
        page.block(lambda panel: draw_own(panel, view, seat))
    return page.picture()


def in_words(name: str) -> str:
    return name.replace("_", " ")


@functools.lru_cache(512)
def chip(name: str, way: str = "") -> Sprite:
    """A token: an ingredient with its value (and spice), a spice, a rumour, soup, bisque, a sous chef."""
    kind, _, rest = name.partition(" ")
    picture = {"allspice": "spice+star", "wild": "rumour+star", "sous_chef": "chef"}.get(kind, kind)
    if rest == "spice":
        picture, rest = f"spice+{kind}", ""
    wide = (50 if rest else 32) + (16 if way else 0)
    shapes = [rect(0, 0, wide, 30, TONES.get(kind, kit.WHITE), kit.INK, 1.2, 7)]
    shapes += moved(icon(picture), 4, 3)
    if rest:
        shapes.append(text(38, 21, rest, 16, kit.INK, "m", True))
    if way:
        shapes += moved(icon("spice+star" if way == "allspiced" else "spice"), 47, 6, 0.75)
    return Sprite(wide, 30, tuple(shapes))


@functools.lru_cache(256)
def chef_sign(seat: int, chef: str) -> Sprite:
    """A chef: the number of its seat on its colour, its size by the letter of its kind."""
    tone = kit.SEATS[seat % len(kit.SEATS)]
    shapes = (
        rect(0, 0, 40, 24, tone, kit.INK, 1.2, 11),
        oval(2, 2, 20, 20, kit.WHITE, kit.INK, 0.8),
        text(12, 17, str(seat), 14, kit.INK, "m", True),
        text(30, 17.5, chef[0].upper(), 15, kit.on(tone), "m", True),
    )
    return Sprite(40, 24, shapes)


def draw_board(panel: Panel, box: Record, view: View, seat: int) -> None:
    """Critic, priority track, rumours, and the challenges of the day (the held type in a grey frame)."""
    x = panel.put(kit.badge("chef", f"critic: {in_words(view['critic'])}", kit.YELLOW), kit.PAD, 8) + 12
    if x + 250 > panel.width:
        x, y = kit.PAD, 36
    else:
        y = 8
    for number, name in enumerate(view["known_rumours"][seat] if seat >= 0 else view["rumours"], 1):
        known = name != UNKNOWN
        words = f"{number} {in_words(name) if known else '?'}"
        label = kit.badge("rumour", words, kit.WHITE if known else kit.pale(kit.GREY, 0.5), 12)
        if x + label.width > panel.width - kit.PAD:
            x, y = kit.PAD, y + 24
        x = panel.put(label, x, y) + 4
    y += 30
    panel.write("Track:", kit.PAD, y + 4, 13, kit.FAINT)
    discs = [kit.seat_disc(p, 22) for p in view["priority"]]
    x = kit.PAD + 48
    panel.row(discs, x, y, 3)
    x += 25 * len(discs) + 16
    names = names_of(box.challenge_names)
    for plate, name in enumerate(view["challenges"]):
        card = names.index(name)
        types = [t for t in range(len(L.TYPE_NAMES)) if box.challenge_types[card] >> t & 1]
        held = box.challenge_held[card] if plate == L.PLATES - 1 else -1
        drawn = challenge(
            in_words(name), tuple(L.TYPE_NAMES[t] for t in types), tuple(t == held for t in types)
        )
        if x + drawn.width > panel.width - kit.PAD:
            x, y = kit.PAD, y + 30
        x = panel.put(drawn, x, y - 2) + 6


@functools.lru_cache(64)
def challenge(name: str, types: tuple[str, ...], held: tuple[bool, ...]) -> Sprite:
    title, size = fitted(name, 13, 110, True)
    width = 128 + 26 * len(types)
    shapes = [rect(0, 0, width, 27, kit.WHITE, kit.INK, 1.2, 6), text(6, 18, title, size, kit.INK, "l", True)]
    for k, (kind, hidden) in enumerate(zip(types, held, strict=True)):
        shapes += moved(icon(kind), 122 + 26 * k, 2, 0.95)
        if hidden:
            shapes.append(rect(121 + 26 * k, 11, 25, 4, kit.INK))
    return Sprite(width, 27, tuple(shapes))


def draw_location(panel: Panel, box: Record, view: View, place: str, seat: int, turn: int) -> None:
    """A location with its tokens and the chefs in the order of their queues."""
    here = view["shop"].get("location") == place
    if here:
        panel.mark()
    shops = here and seat == turn
    to_place = tuple(f"{chef} {place}" for chef in L.CHEF_NAMES) if view["phase"] == "planning" else ()
    title = kit.words(in_words(place), 13, kit.INK, True)
    panel.put(title, kit.PAD, 6, to_place, f"send a chef to {in_words(place)}" if to_place else "")
    tokens = list(view["locations"][place])
    if place == L.LOCATION_NAMES[L.TRUCK]:
        tokens = ["soup"] + ["bisque"] * view["truck_bisque"] + tokens
    items = [(chip(name), takes(name) if shops else (), in_words(name)) for name in tokens]
    if place == L.LOCATION_NAMES[-1] and view["academy_sous"]:
        name = in_words(view["academy_sous"])
        items.append((kit.badge("chef", name), ("sous_chef",) if shops else (), f"sous chef {name}"))
    y = panel.row(items, kit.PAD, 28, 3)
    chefs = [
        (p, chef) for p in view["priority"] for chef, at in (view["plans"][p] or {}).items() if at == place
    ]
    chefs.sort(key=lambda of_seat: queue_of(box, view, *of_seat))
    y = panel.row([chef_sign(*of_seat) for of_seat in chefs], kit.PAD, max(y, 58) + 6, 3)
    if here:
        panel.row(queue_signs(view["shop"]), kit.PAD, y + 4, 3)
    panel.height = max(panel.height, 96)


def queue_signs(shop: Mapping[str, Any]) -> list[Any]:
    """For each seat in the queue what its chef has taken, and what more it can carry."""
    signs: list[Any] = [
        (kit.badge("hand", f"{seat}: {taken} + {left}", size=12), (), f"has {taken}, can carry {left} more")
        for seat, taken, left in zip(shop["queue"], shop["taken"], shop["left"], strict=True)
    ]
    return signs if shop["first_pick"] else [*signs, kit.badge("flag", "first pick", size=12)]


def takes(name: str) -> tuple[str, ...]:
    """The actions that take a token."""
    return tuple(f"wild {k}" for k in (1, 2, 3)) if name == "wild" else (name,)


def draw_kitchen(panel: Panel, view: View, p: int, seat: int, turn: int) -> None:
    """Stars, soup, rumours and stock of a seat, by type; secret choices as a card face down."""
    own = view["seats"][p]
    notes = [kit.badge("trophy", "wins")] if p in view["winners"] else []
    if view["phase"] in SECRET_PHASES and 0 <= p < turn:
        notes.append(kit.back(scale=0.3))
    y = panel.seat(p, seat_name(p), p == turn, p == seat, notes)
    signs = [kit.badge("star", str(own["stars"])), kit.badge("soup", str(own["soup"]))]
    signs += [kit.badge("bisque", str(own["bisque"]))] if own["bisque"] else []
    held = [f"{rumour}{'w' if rumour in own['wilds'] else ''}" for rumour in own["rumours"]]
    signs += [kit.badge("rumour", "  ".join(held))] if held else []
    private = view["private_rumours"][p]
    signs += [kit.badge("rumour", f"private: {in_words(private)}", size=12)] if private else []
    signs += [kit.badge("chef", in_words(own[key]), size=12) for key in ("sous", "student") if own[key]]
    signs += [kit.badge("door", in_words(own["restaurateur"]), size=12)] if own["restaurateur"] else []
    signs += [kit.badge("tag", f"quality {own['quality']}", size=12)] if view["phase"] == "over" else []
    y = panel.row(signs, kit.PAD, y, 3) + 5
    if p != seat:
        y = panel.row([kit.badge(*group, size=13) for group in grouped(own["stock"])], kit.PAD, y, 3)
        if view["phase"] == "over":
            meal = [kit.badge(*group, kit.YELLOW, 12) for group in grouped(view["meals"][p])]
            panel.row(meal + pair_signs(view, p), kit.PAD, y + 5, 3)
    panel.height = max(panel.height, 74)


def pair_signs(view: View, p: int) -> list[Sprite]:
    """The tokens that a seat has paired with courses."""
    return [kit.badge("wine", f"{course} {value}", size=12) for course, value in view["pairs"][p].items()]


def grouped(names: Iterable[str]) -> list[tuple[str, str]]:
    """Icon and values of tokens by type; spices on their own, by number."""
    groups: dict[str, list[str]] = {}
    for name in names:
        kind, _, rest = name.partition(" ")
        if rest == "spice":
            groups.setdefault(f"spice+{kind}", []).append("")
        elif rest:
            value, _, way = rest.partition(" ")
            groups.setdefault(kind, []).append(value + {"spiced": "s", "allspiced": "a"}.get(way, ""))
        else:
            groups.setdefault("spice+star" if kind == "allspice" else kind, []).append("")
    return [
        (picture, "  ".join(filter(None, values)) or str(len(values))) for picture, values in groups.items()
    ]


def draw_own(panel: Panel, view: View, seat: int) -> None:
    """The own stock token by token, and what is planned or laid so far."""
    own = view["seats"][seat]
    panel.write("Your kitchen", kit.PAD, 6, 13, kit.FAINT)
    tokens = [(chip(name), lays(name), in_words(name)) for name in own["stock"]]
    tokens += [(chip("soup"), ("soup",), "soup")] * bool(own["soup"])
    tokens += [(chip("bisque"), ("bisque",), "bisque")] * bool(own["bisque"])
    y = panel.row(tokens, kit.PAD, 26, 3)
    y = max(y, 40) + 6
    for number, plate in enumerate(view["plates"][seat], 1):
        if plate["items"] or number == view["current_plates"][seat]:
            title = f"Meal {number}{', served' if plate['served'] else ''}:"
            panel.write(title, kit.PAD, y + 6, 14, kit.INK, True, room=120)
            y = max(panel.row(laid(plate["items"]), 130, y, 3), y + 30) + 5
    if view["phase"] in ("critic", "over"):
        panel.write(
            f"Meal {in_words(view['current_courses'][seat])}:", kit.PAD, y + 6, 14, kit.INK, True, room=118
        )
        panel.row(laid(view["meals"][seat]) + pair_signs(view, seat), 130, y, 3)
    elif view["phase"] == "planning" and view["plans"][seat]:
        plan = ", ".join(f"{chef} to {in_words(place)}" for chef, place in view["plans"][seat].items())
        panel.write(f"Plan: {plan}", kit.PAD, y, 14, kit.INK, True)


def lays(name: str) -> tuple[str, ...]:
    """The actions that lay, or give up, a token of the stock."""
    return (name,) if name.endswith("spice") else tuple(name + way for way in PREPARED)


def laid(items: Iterable[str]) -> list[tuple[Sprite, tuple[()], str]]:
    """Chips of a plate: ingredients with their spices, soup and bisque."""
    chips = []
    for item in items:
        way = item.rpartition(" ")[2] if item.endswith("spiced") else ""
        chips.append((chip(item.removesuffix(way).strip(), way), (), item))
    return chips
