"""Shapes, sprites and pictures: what every output (pixels, SVG) is made from. All plain, hashable values.

A shape is a tuple whose first entry names it; lengths are in units of a picture, y grows downwards. A sprite
is a drawing that is used again and again (a card, a badge, a word): shapes in a box of its own. A picture is
a list of sprites in their places, in the order of painting.
"""

import functools
import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

Shape = tuple[Any, ...]
Points = Sequence[tuple[float, float]]

BOLD = 0.022  # outline of bold letters, as a share of the size


def rect(
    x: float, y: float, w: float, h: float, fill: str, line: str = "", width: float = 1, corner: float = 0
) -> Shape:
    """A rectangle with rounded corners; an empty colour means not drawn."""
    return ("rect", x, y, w, h, fill, line, width, corner)


def oval(x: float, y: float, w: float, h: float, fill: str, line: str = "", width: float = 1) -> Shape:
    """An ellipse in its bounding box."""
    return ("oval", x, y, w, h, fill, line, width)


def poly(points: Points, fill: str, line: str = "", width: float = 1) -> Shape:
    """A polygon."""
    return ("poly", tuple((float(x), float(y)) for x, y in points), fill, line, width)


def path(points: Points, line: str, width: float = 1) -> Shape:
    """Straight strokes from point to point."""
    return ("path", tuple((float(x), float(y)) for x, y in points), line, width)


def text(
    x: float, y: float, words: str, size: float, colour: str, anchor: str = "l", bold: bool = False
) -> Shape:
    """One line of text; y is the baseline, anchor "l", "m" or "r" says what of the line lies at x."""
    return ("text", x, y, plain(words), size, colour, anchor, bold)


def moved(shapes: Iterable[Shape], x: float, y: float, scale: float = 1) -> tuple[Shape, ...]:
    """The shapes scaled about the origin, then moved by x, y."""
    return tuple(_moved(shape, x, y, scale) for shape in shapes)


def _moved(shape: Shape, x: float, y: float, k: float) -> Shape:
    kind = shape[0]
    if kind in ("poly", "path"):
        points = tuple((x + k * px, y + k * py) for px, py in shape[1])
        return (kind, points, *shape[2:-1], k * shape[-1])
    if kind == "text":
        return (kind, x + k * shape[1], y + k * shape[2], shape[3], k * shape[4], *shape[5:])
    place = (kind, x + k * shape[1], y + k * shape[2], k * shape[3], k * shape[4], *shape[5:7], k * shape[7])
    return (*place, k * shape[8]) if kind == "rect" else place


@dataclass(frozen=True)
class Sprite:
    """A drawing in a box from 0, 0 to width, height."""

    width: float
    height: float
    shapes: tuple[Shape, ...]

    @functools.cached_property
    def key(self) -> str:
        """A short name that equal sprites share."""
        drawn = repr((self.width, self.height, self.shapes)).encode()
        return hashlib.blake2b(drawn, digest_size=6).hexdigest()


@dataclass(frozen=True)
class Placed:
    """A sprite in its place. actions: names of actions that it stands for; label: what it is, in words."""

    sprite: Sprite
    x: float
    y: float
    actions: tuple[str, ...] = ()
    label: str = ""


@dataclass(frozen=True)
class Picture:
    """Sprites in the order of painting, on a ground of one colour."""

    width: float
    height: float
    ground: str
    items: tuple[Placed, ...]


# --- words -------------------------------------------------------------------------------------

_PLAIN = str.maketrans(
    {"×": "x", "·": "|", "–": "-", "—": "-", "’": "'", "‘": "'", "“": '"', "”": '"', "…": "..."}
)


def plain(words: str) -> str:
    """The words in the characters that the font has: other signs are written out or become "?"."""
    return words.translate(_PLAIN).encode("latin-1", "replace").decode("latin-1")


@functools.lru_cache(64)
def font(size: float) -> Any:
    """Pillow's own font, so that a picture looks the same on every machine."""
    from PIL import ImageFont

    return ImageFont.load_default(size)


@functools.lru_cache(8192)
def text_width(words: str, size: float, bold: bool = False) -> float:
    """The length of a line of text in units."""
    length: float = font(64).getlength(plain(words))
    return length * size / 64 + (2 * BOLD * size if bold else 0)


@functools.lru_cache(8192)
def fitted(words: str, size: float, room: float, bold: bool = False) -> tuple[str, float]:
    """Words and size such that the line fits into `room`: first smaller (to 3/4), then cut at the end."""
    words = plain(words)
    length = text_width(words, size, bold)
    if length <= room:
        return words, size
    size = max(0.75 * size, size * room / length)
    while len(words) > 1 and text_width(words, size, bold) > room:
        words = words.rstrip(".")[:-1].rstrip() + "..."
        if len(words) <= 4:
            break
    return words, size
