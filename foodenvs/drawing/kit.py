"""The visual language of all games: palette, cards, backs, piles, badges, seats, and a page to lay them on.

Colours are never the only sign: seats have numbers, kinds of cards have icons and words. The palette is that
of Okabe and Ito, "Color universal design" (2008), with two of Paul Tol's for the ninth and tenth seat.
"""

import functools
import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from foodenvs.drawing.icons import icon
from foodenvs.drawing.shapes import (
    Picture,
    Placed,
    Shape,
    Sprite,
    fitted,
    moved,
    path,
    poly,
    rect,
    text,
    text_width,
)

GROUND, PAPER, INK, FAINT, LINE = "#e9e2d3", "#fbf8f1", "#1f2430", "#565d6b", "#b9b09d"
WHITE, BACK, BACK_LINE = "#ffffff", "#2f4b7c", "#6f8bbd"
ORANGE, SKY, GREEN, YELLOW, BLUE, RED, PINK, GREY = (
    "#e69f00", "#56b4e9", "#009e73", "#f0e442", "#0072b2", "#d55e00", "#cc79a7", "#9aa0a6",
)  # fmt: skip
SEATS = (ORANGE, SKY, GREEN, YELLOW, BLUE, RED, PINK, GREY, "#332288", "#882255")

WIDE, NARROW, HEIGHT = 960, 420, 640  # a page on a screen; on a phone it is narrow and as high as it gets
MARGIN, GAP, PAD = 12, 8, 8
CARD = (52, 72)


def on(colour: str) -> str:
    """INK or WHITE, whichever is easier to read on the colour."""
    red, green, blue = (int(colour[k : k + 2], 16) for k in (1, 3, 5))
    return INK if 0.299 * red + 0.587 * green + 0.114 * blue > 120 else WHITE


def pale(colour: str, share: float = 0.8) -> str:
    """The colour mixed with white."""
    parts = (int(colour[k : k + 2], 16) for k in (1, 3, 5))
    return "#" + "".join(f"{round(part + (255 - part) * share):02x}" for part in parts)


# --- sprites -----------------------------------------------------------------------------------


@functools.lru_cache(4096)
def card(
    corner: str = "",
    picture: str = "",
    caption: str = "",
    tone: str = WHITE,
    edge: str = INK,
    scale: float = 1,
    heavy: bool = False,
) -> Sprite:
    """A card face: corner text, one icon or several (names with spaces), a caption; heavy: a thick edge."""
    width, height = CARD
    shapes = [rect(0, 0, width, height, tone, edge, 4 if heavy else 1.5, 6)]
    ink = on(tone)
    room = height - 16 - (14 if caption else 4)
    icons = picture.split()
    side = min(room, 32, (width - 6) / max(len(icons), 1))
    for k, name in enumerate(icons):
        x = width / 2 + (k - len(icons) / 2) * side
        shapes += moved(icon(name), x, 16 + (room - side) / 2, side / 24)
    if corner:
        words, size = fitted(corner, 17, width - 10, True)
        shapes.append(text(6, 19, words, size, ink, "l", True))
    if caption:
        words, size = fitted(caption, 11, width - 8)
        shapes.append(text(width / 2, height - 6, words, size, ink, "m"))
    return Sprite(scale * width, scale * height, moved(shapes, 0, 0, scale))


@functools.lru_cache(256)
def back(tone: str = BACK, picture: str = "", scale: float = 1, mark: str = "") -> Sprite:
    """A card face down: hatched, so that it is told from every face without its colour."""
    width, height = CARD
    light = BACK_LINE if tone == BACK else pale(tone, 0.45)
    shapes: list[Shape] = [rect(0, 0, width, height, tone, INK, 1.5, 6)]
    shapes += [path([(6, y), (width - 6, y - 16)], light, 1.5) for y in range(24, height - 4, 9)]
    if picture:
        shapes.append(rect(width / 2 - 14, height / 2 - 14, 28, 28, WHITE, INK, 1, 6))
        shapes += moved(icon(picture), width / 2 - 12, height / 2 - 12)
    if mark:
        shapes.append(rect(width / 2 - 14, height / 2 - 14, 28, 28, WHITE, INK, 1, 6))
        shapes.append(text(width / 2, height / 2 + 6, mark, 17, INK, "m", True))
    return Sprite(scale * width, scale * height, moved(shapes, 0, 0, scale))


@functools.lru_cache(256)
def place(scale: float = 1, words: str = "") -> Sprite:
    """The empty place of a card."""
    width, height = CARD
    shapes = [rect(0, 0, width, height, "", LINE, 1.5, 6)]
    if words:
        shapes.append(text(width / 2, height / 2 + 4, *fitted(words, 12, width - 6), FAINT, "m"))
    return Sprite(scale * width, scale * height, moved(shapes, 0, 0, scale))


@functools.lru_cache(4096)
def words(line: str, size: float = 14, colour: str = INK, bold: bool = False) -> Sprite:
    """A line of text; its box is one line high."""
    return Sprite(
        text_width(line, size, bold) + 2, 1.3 * size, (text(1, size, line, size, colour, "l", bold),)
    )


@functools.lru_cache(4096)
def badge(picture: str, line: str, tone: str = WHITE, size: float = 14, edge: str = LINE) -> Sprite:
    """A rounded label: an icon (or none) and a word or number."""
    height = 1.6 * size
    left = height if picture else 0.55 * size
    width = left + (text_width(line, size, True) + 0.5 * size if line else 0)
    shapes = [rect(0, 0, width, height, tone, edge, 1, height / 2)]
    if picture:
        shapes += moved(icon(picture), 0.3 * size, 0.2 * size, 1.2 * size / 24)
    if line:
        shapes.append(text(left, 1.16 * size, line, size, on(tone), "l", True))
    return Sprite(width, height, tuple(shapes))


@functools.lru_cache(512)
def sign(picture: str, side: float = 24) -> Sprite:
    """An icon alone."""
    return Sprite(side, side, moved(icon(picture), 0, 0, side / 24))


@functools.lru_cache(128)
def seat_disc(seat: int, side: float = 24) -> Sprite:
    """The number of a seat on its colour."""
    tone = SEATS[seat % len(SEATS)]
    shapes = (
        ("oval", 0, 0, side, side, tone, INK, 1.5),
        text(side / 2, 0.7 * side, str(seat), 0.58 * side, on(tone), "m", True),
    )
    return Sprite(side, side, shapes)


@functools.lru_cache(256)
def sheet(width: float, height: float, tone: str, edge: str, thick: float) -> Sprite:
    """A rounded rectangle in a colour with an edge, `thick` wide; "" for a colour draws none."""
    return Sprite(width, height, (rect(0, 0, width, height, tone, edge, thick, 10),))


@functools.lru_cache(16)
def pointer() -> Sprite:
    """The sign before the name of the seat to move."""
    return Sprite(14, 16, (poly([(1, 1), (13, 8), (1, 15)], RED, INK, 1),))


# --- panels and pages --------------------------------------------------------------------------


class Panel:
    """A part of a page of a given width; its height grows with what is put on it."""

    def __init__(self, width: float) -> None:
        self.width = width
        self.height = 0.0
        self.tone, self.edge, self.thick = PAPER, LINE, 1.0
        self.items: list[Placed] = []

    def put(
        self, sprite: Sprite, x: float, y: float, actions: str | Sequence[str] = (), label: str = ""
    ) -> float:
        """Place a sprite; gives the x just right of it. actions: what it stands for; label: in words."""
        named = (actions,) if isinstance(actions, str) else tuple(actions)
        self.items.append(Placed(sprite, x, y, named, label))
        self.height = max(self.height, y + sprite.height + PAD)
        return x + sprite.width

    def write(
        self, line: str, x: float, y: float, size: float = 14, colour: str = INK, bold: bool = False,
        room: float = 0, right: bool = False,
    ) -> float:  # fmt: skip
        """A line of text whose top is at y, cut to `room` (the rest of the panel); right: ends at x."""
        line, size = fitted(line, size, room or ((x if right else self.width - x) - PAD), bold)
        drawn = words(line, size, colour, bold)
        return self.put(drawn, x - drawn.width if right else x, y)

    def row(self, sprites: Iterable[Any], x: float, y: float, gap: float = 4, room: float = 0) -> float:
        """Sprites, or (sprite, actions, label), side by side in `room` (the rest of the panel) and further
        rows; gives the y below them.
        """
        left, bottom, end = x, y, (x + room if room else self.width - PAD)
        for item in sprites:
            sprite, *more = item if isinstance(item, tuple) else (item,)
            if x > left and x + sprite.width > end + 0.5:
                x, y = left, bottom + gap
            x = self.put(sprite, x, y, *more) + gap
            bottom = max(bottom, y + sprite.height)
        return bottom

    def fan(self, cards: Sequence[tuple[Sprite, Any, str]], x: float, y: float, room: float = 0) -> float:
        """Cards (sprite, actions, label) side by side, overlapping or in further rows where room is short.

        A card is covered to no less than 40 %. Gives the y below them.
        """
        if not cards:
            return y
        room = room or self.width - x - PAD
        width = cards[0][0].width
        most = max(1, int((room - width) / (0.4 * width)) + 1)
        rows = -(-len(cards) // most)
        each = -(-len(cards) // rows)
        step = min(width + 5, (room - width) / max(each - 1, 1))
        for k, (sprite, actions, label) in enumerate(cards):
            self.put(sprite, x + step * (k % each), y + (k // each) * (sprite.height + 5), actions, label)
        return y + rows * (cards[0][0].height + 5) - 5

    def pile(self, top: Sprite, count: int, x: float, y: float, actions: Any = (), label: str = "") -> float:
        """A stack of cards under its top card with its number; an empty place where it has none."""
        if count == 0:
            top = place(top.width / CARD[0], "none")
        for k in range(min(count, 3) - 1, 0, -1):
            self.put(sheet(top.width, top.height, WHITE, INK, 1.5), x + 3 * k, y + 3 * k)
        right = self.put(top, x, y, actions, label)
        number = badge("", str(count), INK, 12)
        self.put(number, right - number.width + 4, y + top.height - number.height + 4)
        return right + 8

    def mark(self) -> None:
        """Draw the panel as that of the seat to move."""
        self.tone, self.edge, self.thick = WHITE, INK, 3

    def seat(self, seat: int, name: str, to_move: bool, viewer: bool, notes: Sequence[Sprite] = ()) -> float:
        """The head line of a seat's panel: number, name, pointer if it is to move; gives the y below it."""
        if to_move:
            self.mark()
        x = self.put(seat_disc(seat), PAD, 6) + 6
        right = self.width - PAD
        for note in reversed(notes):
            right -= note.width
            self.put(note, right, 7)
            right -= 4
        if to_move:
            x = self.put(pointer(), x, 10) + 4
        name = f"{name} (you)" if viewer else name
        self.write(name, x, 9, 15, INK, to_move or viewer, room=max(right - x, 30))
        return 36


class Page:
    """A picture that grows downwards: a head, then blocks and rows of panels."""

    def __init__(self, title: str, status: str, last: str = "", narrow: bool = False) -> None:
        self.narrow = narrow
        self.width = NARROW if narrow else WIDE
        self.rows: list[tuple[float, float, list[Panel]]] = []
        self._head(title, status, last)

    @property
    def inner(self) -> float:
        """The width between the margins."""
        return self.width - 2 * MARGIN

    def _head(self, title: str, status: str, last: str) -> None:
        head = Panel(self.inner)
        head.tone = head.edge = ""
        right = self.inner if self.narrow else 0.45 * self.inner
        head.write(title, 0, 0, 20, INK, True, room=right)
        if self.narrow:
            head.write(status, 0, 26, 14, room=self.inner)
            head.write(last or " ", 0, 46, 14, FAINT, room=self.inner)
        else:
            room = 0.55 * self.inner
            head.write(status, self.inner, 0, 15, INK, True, room=room, right=True)
            head.write(last or " ", self.inner, 22, 14, FAINT, room=room, right=True)
        head.height -= PAD
        self.rows.append((math.ceil(head.height), MARGIN, [head]))

    def block(self, paint: Callable[[Panel], Any]) -> None:
        """One panel across the page."""
        self.grid(1, 0, lambda panel, _: paint(panel))

    def grid(self, count: int, least: float, paint: Callable[[Panel, int], Any], most: int = 99) -> None:
        """`count` equal panels, each at least `least` wide, in as many even rows as that takes."""
        columns = max(1, min(count, most, int((self.inner + GAP) / (least + GAP)) if least else 1))
        columns = -(-count // -(-count // columns))
        width = (self.inner - GAP * (columns - 1)) / columns
        for first in range(0, count, columns):
            panels = []
            for k in range(first, min(first + columns, count)):
                panel = Panel(width)
                paint(panel, k)
                panels.append(panel)
            self.side_by_side(panels)

    def side_by_side(self, panels: Sequence[Panel]) -> None:
        """Finished panels in one row; narrower than the page, they stand in the middle."""
        used = sum(panel.width for panel in panels) + GAP * (len(panels) - 1)
        height = math.ceil(max(panel.height for panel in panels))
        self.rows.append((height, (self.width - used) / 2, list(panels)))

    def picture(self) -> Picture:
        """The finished page: 960 wide and at least 640 high, or narrow and as high as it needs."""
        needed = sum(height for height, _, _ in self.rows) + GAP * (len(self.rows) - 1) + 2 * MARGIN
        spare = 0.0 if self.narrow else max(0.0, HEIGHT - needed)
        extra = min(spare / max(len(self.rows) - 1, 1), 22)
        items: list[Placed] = []
        y = MARGIN + (spare - extra * (len(self.rows) - 1)) / 2 * (0 if self.narrow else 0.5)
        for height, left, panels in self.rows:
            x = left
            for panel in panels:
                if panel.tone:
                    frame = sheet(panel.width, height, panel.tone, panel.edge, panel.thick)
                    items.append(Placed(frame, x, y))
                items += [Placed(i.sprite, x + i.x, y + i.y, i.actions, i.label) for i in panel.items]
                x += panel.width + GAP
            y += height + GAP + extra
        return Picture(self.width, needed if self.narrow else max(HEIGHT, needed), GROUND, tuple(items))
