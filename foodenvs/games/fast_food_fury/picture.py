"""The table of Fast Food Fury as a picture."""

import functools

from foodenvs.core.notation import seat_name
from foodenvs.core.views import View
from foodenvs.drawing import kit
from foodenvs.drawing.icons import icon
from foodenvs.drawing.kit import Page, Panel
from foodenvs.drawing.shapes import Picture, Sprite, fitted, moved, rect, text
from foodenvs.engine import Record
from foodenvs.games.fast_food_fury.rules import layout as L
from foodenvs.games.fast_food_fury.words.names import TEAM_NAMES, names_of, word

TONES = dict(zip(TEAM_NAMES, (kit.BLUE, kit.RED, kit.GREEN), strict=True))
ICONS = {
    "cheeseburger": "burger+cheese", "chickenburger": "burger+chicken", "veggieburger": "burger+lettuce",
    "margherita": "pizza+tomato", "mushroom": "pizza+mushroom", "broccoli": "pizza+broccoli",
    "small_fries": "fries+S", "medium_fries": "fries+M", "large_fries": "fries+L",
    "pineapple_soda": "drink+pineapple", "lemon_soda": "drink+lemon", "apple_juice": "drink+apple",
    "soda_duo": "drink+pineapple drink+lemon",
}  # fmt: skip
ASKED = {
    "hit": "hit a card",
    "discard": "the trash can overflows",
    "place": "place a card",
    "tie": "turn a card over",
}


def draw(
    box: Record, view: View, seat: int = -1, turn: int = -1, last: str = "", narrow: bool = False
) -> Picture:
    """The two orders, the places with their cards around them, and a panel per team."""
    asked = "hit a second card" if view["chosen"] else ASKED.get(view["phase"], "place a joker")
    who = f"{seat_name(turn)}, {asked}" if turn >= 0 else "the game is over"
    status = f"Round {view['round']}, tick {view['tick']}: {who}"
    page = Page("Fast Food Fury", status, last, narrow)
    looks = Looks(box)
    page.grid(L.SLOTS, 300, lambda panel, slot: draw_order(panel, box, view, looks, slot))
    page.grid(box.places, 125, lambda panel, place: draw_place(panel, box, view, looks, place, seat, turn))
    page.grid(box.teams, 300, lambda panel, team: draw_team(panel, box, view, looks, team, turn))
    return page.picture()


class Looks:
    """What cards look like: a seat's view has their looks, the whole position their names."""

    def __init__(self, box: Record) -> None:
        names = names_of(box)
        self.box, self.faces, self.called, self.orders = box, names.faces, names.called, names.orders
        self.patterns = [word(letters) for letters in box.pattern_name]

    def of(self, name: str) -> tuple[str, str]:
        """Face and pattern of a card by name ("salami-3") or by look ("salami/circle", "sauce_circle")."""
        card = self.called[name][0]
        return self.faces[self.box.face[card]], self.patterns[self.box.pattern[card]]

    def order(self, name: str) -> tuple[str, list[list[str]]]:
        """Payment and lines [number, thing] of an order by card name or by text."""
        payment, _, lines = self.orders[self.called[name][0]].partition(": ")
        return payment, [line.split(" ", 1) for line in lines.split(", ")]

    def icons(self, face: str) -> str:
        """The icons of a face; of one that the shipped box does not have, its family's."""
        if face.startswith("sauce_"):
            return "ketchup"
        if face.startswith("any_"):
            return face.removeprefix("any_")
        family = L.FAMILIES[self.box.family[self.faces.index(face)]]
        return ICONS.get(face, "ice_cream" if family == "dessert" else family)


def in_words(face: str) -> str:
    return face.replace("_", " ")


@functools.lru_cache(512)
def product(face: str, icons: str, pattern: str, scale: float = 1.0) -> Sprite:
    """A card on the square, circle or triangle of its pattern, with its name."""
    width, height = 104, 100
    shapes = [rect(0, 0, width, height, kit.WHITE, kit.INK, 1.5, 8)]
    shapes += moved(icon(pattern), width / 2 - 38, 2, 76 / 24)
    each = 44 if " " not in icons else 34
    names = icons.split()
    for k, name in enumerate(names):
        shapes += moved(icon(name), width / 2 + (k - len(names) / 2) * each, 40 - each / 2 + 4, each / 24)
    shapes += [rect(1.5, 79, width - 3, 19.5, kit.WHITE, "", 0, 7)]
    words, size = fitted(in_words(face), 13, width - 8, True)
    shapes.append(text(width / 2, 93, words, size, kit.INK, "m", True))
    return Sprite(scale * width, scale * height, moved(shapes, 0, 0, scale))


@functools.lru_cache(512)
def line_entry(number: str, thing: str, icons: str, grey: bool) -> Sprite:
    """A line of an order: number, icon (a silhouette is grey), name."""
    shapes = [rect(0, 0, 150, 30, kit.pale(kit.GREY, 0.45) if grey else kit.WHITE, kit.LINE, 1, 6)]
    shapes.append(text(7, 21, f"{number} x", 15, kit.INK, "l", True))
    for k, name in enumerate(icons.split()):
        shapes += moved(icon(name), 34 + 20 * k, 4, 22 / 24)
    left = 60 + 20 * icons.count(" ")
    words, size = fitted(in_words(thing), 13, 146 - left)
    shapes.append(text(left, 20, words, size, kit.INK))
    return Sprite(150, 30, tuple(shapes))


def draw_order(panel: Panel, box: Record, view: View, looks: Looks, slot: int) -> None:
    """An open order: payment, lines, and below it what each team has placed."""
    name = view["orders"][slot]
    panel.write(f"Order {slot}", kit.PAD, 8, 15, kit.INK, True, room=90)
    if slot == 0:
        left = kit.badge("cards", f"{view['orders_left']} more")
        panel.put(left, panel.width - left.width - kit.PAD, 7)
    y: float = 36
    if name:
        payment, lines = looks.order(name)
        panel.put(
            kit.badge("star", f"pays {payment}"), 80, 7, f"place {slot}", f"order {slot}, pays {payment}"
        )
        entries = [
            line_entry(number, thing, looks.icons(thing), thing.startswith("any_")) for number, thing in lines
        ]
        y = panel.row(entries, kit.PAD, y) + 6
    else:
        panel.write("none", kit.PAD, y, 14, kit.FAINT)
        y += 24
    for team in TEAM_NAMES[: box.teams]:
        panel.put(team_sign(team), kit.PAD, y)
        y = max(y + 22, panel.row(placed(looks, view, team, slot), kit.PAD + 28, y, 3)) + 3


def placed(looks: Looks, view: View, team: str, slot: int) -> list[tuple[Sprite, str, str]]:
    cards = []
    for name in view["placed"][team][slot]:
        face, _ = looks.of(name)
        kind = "joker" if face.startswith("sauce_") else face
        words = in_words(kind)
        cards.append(
            (kit.badge(looks.icons(face).split()[0], words, size=12), f"discard {slot} {kind}", words)
        )
    return cards


@functools.lru_cache(64)
def team_sign(team: str, side: float = 22) -> Sprite:
    tone = TONES[team]
    shapes = (
        rect(0, 0, side, side, tone, kit.INK, 1.5, 4),
        text(side / 2, 0.73 * side, team, 0.62 * side, kit.on(tone), "m", True),
    )
    return Sprite(side, side, shapes)


def draw_place(panel: Panel, box: Record, view: View, looks: Looks, place: int, seat: int, turn: int) -> None:
    """A deck with its pile, its seat, the card that lies there, and who hit it."""
    owner, team = int(box.place_seat[place]), TEAM_NAMES[box.place_team[place]]
    panel.put(team_sign(team), kit.PAD, 7)
    x = panel.put(kit.seat_disc(owner, 22), kit.PAD + 26, 7) + 4
    if owner == turn:
        panel.mark()
        x = panel.put(kit.pointer(), x, 10) + 4
    you = " (you)" if owner == seat else ""
    panel.write(f"{seat_name(owner)}{you}", x, 9, 13, kit.INK, owner in (seat, turn))
    name, x, y = view["table"][place], (panel.width - 104) / 2, 54
    if name:
        face, pattern = looks.of(name)
        action = () if face.startswith("sauce_") else (f"hit {place}", f"turn {place}")
        panel.put(product(face, looks.icons(face), pattern), x, y, action, f"{in_words(face)}, {pattern}")
        if payment := view["payments"][place]:
            turned = bool(view["turned"][place])
            pays = kit.badge("star", str(payment), kit.YELLOW if turned else kit.WHITE, 12)
            words = f"pays {payment}, turned over" if turned else f"pays {payment}"
            panel.put(pays, panel.width - pays.width - kit.PAD, y + 102, (), words)
    else:
        panel.put(kit.sheet(104, 100, "", kit.LINE, 1.5), x, y)
    for number, (claimed, claimant) in enumerate(view["claims"], 1):
        if claimed == place:
            hit = kit.badge("hand", f"{number}: player {claimant}", TONES[TEAM_NAMES[box.team[claimant]]], 13)
            panel.put(hit, (panel.width - hit.width) / 2, y - 23)
    if seat >= 0 and f"hit {place}" in view["choices"][seat]:
        panel.put(kit.badge("hand", "chosen", kit.YELLOW), x + 12, y - 24)
    sizes = f"deck {view['deck_sizes'][place]}, pile {len(view['discards'][place])}"
    panel.write(sizes, kit.PAD, y + 104, 12, kit.FAINT)


def draw_team(panel: Panel, box: Record, view: View, looks: Looks, team: int, turn: int) -> None:
    """Total, orders, hits left and the trash row of a team."""
    name = TEAM_NAMES[team]
    seats = [seat for seat in range(box.players) if box.team[seat] == team]
    panel.put(team_sign(name), kit.PAD, 8)
    panel.write(f"Team {name}", kit.PAD + 30, 9, 15, kit.INK, True, room=90)
    x = panel.put(kit.badge("star", str(view["earned"][name])), 110, 8) + 4
    done = view["completed"][name]
    panel.put(kit.badge("cards", f"{done} order{'' if done == 1 else 's'}"), x, 8)
    hits = [kit.badge("hand", f"player {seat}: {view['hits_left'][seat]}", size=12) for seat in seats]
    if name in view["overflow"]:
        hits.append(kit.badge("trash", f"player {view['overflow'][name]} discards", kit.YELLOW, 12))
    y = panel.row(hits, kit.PAD, 38) + 6
    row = [in_words(looks.of(card)[0]) for card in view["rows"][name]]
    for k in range(int(box.full)):
        panel.put(bin_sign(k < len(row)), kit.PAD + 26 * k, y)
    faulty = [f"{face} x{row.count(face)}" if row.count(face) > 1 else face for face in dict.fromkeys(row)]
    panel.row(
        [kit.badge("", words, kit.PAPER, 11) for words in faulty], kit.PAD + 26 * box.full + 6, y + 4, 2
    )


@functools.lru_cache(2)
def bin_sign(full: bool) -> Sprite:
    shapes = moved(icon("trash"), 0, 0) if full else (rect(5, 6, 14, 16, "", kit.LINE, 1.2, 2),)
    return Sprite(24, 24, shapes)
