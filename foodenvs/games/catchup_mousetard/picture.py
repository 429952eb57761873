"""The table of Catchup & Mousetard as a picture."""

import functools
from collections.abc import Iterable, Mapping

from foodenvs.core.notation import seat_name
from foodenvs.core.views import View
from foodenvs.drawing import kit
from foodenvs.drawing.icons import icon
from foodenvs.drawing.kit import Page, Panel
from foodenvs.drawing.shapes import Picture, Sprite, fitted, moved, rect, text
from foodenvs.engine import Record
from foodenvs.games.catchup_mousetard.rules import ANY_SAUCE, CHARACTERS, DECKS, ICON_CLASS, ICONS, SAUCE
from foodenvs.games.catchup_mousetard.words import card_name, card_names, dish_name

Card = tuple[Sprite, tuple[str, ...], str]  # the actions that a card of a hand stands for, its label
ICON_NAMES = tuple(ICON_CLASS)
TONES = dict(zip(DECKS, (kit.ORANGE, kit.GREEN, kit.BLUE), strict=True))
PHASES = {
    "discard": "discard or draw", "more": "draw more?", "serve": "serve a dish?", "build": "build the dish",
}  # fmt: skip


def draw(
    box: Record, view: View, seat: int = -1, turn: int = -1, last: str = "", narrow: bool = False
) -> Picture:
    """A board per player, the decks with their discards, the menu, and the hand of `seat` (-1: none)."""
    status = f"The game is over in round {view['round']}"
    if turn >= 0:
        status = f"Round {view['round']}: {seat_name(turn)}, {phase_text(box, view)}"
    page = Page("Catchup & Mousetard", status, last, narrow)
    faces = {name: kind for kind, name in enumerate(card_names(box))}
    page.grid(view["players"], 190, lambda panel, p: draw_board(panel, box, view, faces, p, seat, turn))
    page.grid(len(DECKS), 190, lambda panel, k: draw_deck(panel, box, view, faces, DECKS[k]))
    page.block(lambda panel: draw_menu(panel, box))
    if seat >= 0:
        page.block(lambda panel: draw_hand(panel, box, view, faces, seat))
    return page.picture()


def phase_text(box: Record, view: View) -> str:
    """What the seat to act does, and how far it is."""
    phase = PHASES["build" if any(view["dishes"]) else view["phase"]]
    floor = f", from {view['floor']} on" if view["floor"] != card_name(box, 0) else ""
    return phase + floor + (f" ({view['drawn']} drawn)" if view["drawn"] else "")


def face(box: Record, kind: int, old: bool = False, scale: float = 1) -> Sprite:
    """A card: its value, its icon (twice on a double), the colour of its back; old ones say so (CM-50)."""
    name = ICON_NAMES[box.icon[kind]]
    icons = " ".join([name] * box.shown[kind])
    tone = kit.pale(TONES[DECKS[box.deck[kind]]], 0.75)
    caption = "old" if old else name if scale > 0.7 else ""
    return kit.card(str(box.value[kind]), icons, caption, tone, scale=scale)


def sauce_of(box: Record, view: View, p: int) -> str:
    return ICON_NAMES[box.sauce[CHARACTERS.index(view["characters"][p])]]


def draw_board(
    panel: Panel, box: Record, view: View, faces: Mapping[str, int], p: int, seat: int, turn: int
) -> None:
    wins = [kit.badge("trophy", "wins")] if p in view["winners"] else []
    y = panel.seat(p, f"{seat_name(p)} {view['characters'][p]}", p == turn, p == seat, wins)
    counts = [
        kit.badge("star", f"{view['scores'][p]} of {box.target}"),
        kit.badge(sauce_of(box, view, p), str(view["own_sauces"][p])),
    ]
    if p == view["first_player"]:
        counts.append(kit.badge("pawn", "1st"))
    y = panel.row(counts, kit.PAD, y) + 6
    panel.put(track(view["scores"][p], int(box.target), panel.width - 2 * kit.PAD), kit.PAD, y)
    y += 16
    if p != seat:
        hand, old = view["hands"][p], view["old"][p]
        fan = (
            backs(box, faces, view["backs"][p], old)
            if hand is None
            else own_cards(box, faces, hand, old, 0.6)
        )
        panel.fan(fan, kit.PAD, y)
    panel.height = max(panel.height, y + 0.5 * kit.CARD[1] + kit.PAD)


@functools.lru_cache(512)
def track(score: int, target: int, width: float) -> Sprite:
    """The way to the target, with a mark at its half (the second lap)."""
    done = min(score / target, 1) * width
    shapes = [rect(0, 2, width, 7, kit.WHITE, kit.LINE, 1, 3)]
    if done > 2:
        shapes.append(rect(0, 2, done, 7, kit.ORANGE, kit.INK, 1, 3))
    shapes.append(rect(width / 2, 0, 1.5, 11, kit.INK))
    return Sprite(width, 11, tuple(shapes))


def backs(
    box: Record, faces: Mapping[str, int], sizes: Mapping[str, list[int]], old: list[str] | None
) -> list[Card]:
    """The backs of a hand in the colours of their decks; old ones have a mark, or a face if it is known."""
    cards: list[Card] = []
    for deck, (new, marked) in sizes.items():
        cards += [(kit.back(TONES[deck], scale=0.5), (), "")] * new
        if old is None:
            cards += [(kit.back(TONES[deck], scale=0.5, mark="o"), (), "")] * marked
        else:
            known = [name for name in old if DECKS[box.deck[faces[name]]] == deck]
            cards += own_cards(box, faces, known, known, 0.5)
    return cards


def own_cards(
    box: Record, faces: Mapping[str, int], names: Iterable[str], old: list[str], scale: float
) -> list[Card]:
    """Cards of a hand; of equal ones the old come first."""
    left = {name: old.count(name) for name in set(old)}
    cards: list[Card] = []
    for name in names:
        is_old = left.get(name, 0) > 0
        left[name] = left.get(name, 0) - 1
        actions = (f"discard {name}", f"add {name}")
        cards.append((face(box, faces[name], is_old, scale), actions, name.replace("_", " ")))
    return cards


def draw_deck(panel: Panel, box: Record, view: View, faces: Mapping[str, int], deck: str) -> None:
    """A deck with its number and its discards, face up."""
    panel.write(deck, kit.PAD, 6, 13, kit.FAINT, True)
    pile = kit.back(TONES[deck], scale=0.8)
    size = view["deck_sizes"][deck]
    x = panel.pile(pile, size, kit.PAD, 26, f"draw {deck}", f"{deck}, {size} cards")
    discards = [(face(box, faces[name], False, 0.65), (), "") for name in view["discards"][deck]]
    panel.fan(discards, x + 8, 26)
    panel.height = max(panel.height, 26 + 0.8 * kit.CARD[1] + 14)


@functools.lru_cache(512)
def pattern(title: str, icons: tuple[str, ...], heavy: bool = False) -> Sprite:
    """A dish of the menu: its name over what it needs."""
    words, size = fitted(title, 12, 116, True)
    shapes = [
        rect(0, 0, 124, 40, kit.WHITE, kit.INK, 2.5 if heavy else 1, 6),
        text(5, 15, words, size, kit.INK, "l", True),
    ]
    step = min(17, 98 / max(len(icons) - 1, 1))
    for k, name in enumerate(icons):
        shapes += moved(icon(name), 5 + step * k, 20, 16 / 24)
    return Sprite(124, 40, tuple(shapes))


def needed(box: Record, dish: int) -> tuple[str, ...]:
    """The icons of a dish, as often as it needs them; `sauce` for one of any kind (CM-27)."""
    icons = [ICON_NAMES[i] for i in range(ICONS) for _ in range(box.need[dish, i])]
    named = sum(ICON_CLASS[name] == SAUCE for name in icons)
    return (*icons, *[ANY_SAUCE] * (box.sauces[dish] - named))


def draw_menu(panel: Panel, box: Record) -> None:
    dishes = [(dish_name(box, dish), needed(box, dish)) for dish in range(box.dishes)]
    entries = [
        (
            pattern(name.replace("_", " "), icons),
            f"dish {name}",
            f"{name.replace('_', ' ')}: {', '.join(icons)}",
        )
        for name, icons in dishes
    ]
    panel.row(entries, kit.PAD, kit.PAD, 3)


def draw_hand(panel: Panel, box: Record, view: View, faces: Mapping[str, int], seat: int) -> None:
    """The own hand, the own sauces, and the dish under construction."""
    dish = view["dishes"][seat]
    build = dish.get("build", [])
    hand, old = list(view["hands"][seat]), list(view["old"][seat])
    for name in build:
        if name in hand:
            hand.remove(name)
            if name in old:
                old.remove(name)
    panel.write("Your hand", kit.PAD, 6, 13, kit.FAINT)
    cards = own_cards(box, faces, hand, old, 1.1)
    left = view["own_sauces"][seat] - build.count("own")
    sauce = kit.card(str(box.value[box.kinds]), sauce_of(box, view, seat), f"{left} own", scale=1.1)
    cards.append((sauce, ("add own",), f"own sauces, {left} left"))
    y = panel.row(cards, kit.PAD, 26, 5)
    if dish:
        name = dish["dish"]
        points = sum(int(box.value[box.kinds if card == "own" else faces[card]]) for card in build)
        title = f"{name.replace('_', ' ')}: {points} points so far"
        panel.write(title, kit.PAD, y + 8, 15, kit.INK, True)
        number = next(d for d in range(box.dishes) if dish_name(box, d) == name)
        shape = pattern(name.replace("_", " "), needed(box, number), True)
        x = panel.put(shape, kit.PAD, y + 30, "serve", "serve") + 8
        own = kit.card(str(box.value[box.kinds]), sauce_of(box, view, seat), "own", scale=0.7)
        laid = [own if card == "own" else face(box, faces[card], False, 0.7) for card in build]
        panel.row(laid, x, y + 30)
