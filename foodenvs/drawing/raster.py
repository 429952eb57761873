"""A picture as pixels. Sprites are drawn once, larger, reduced (that smooths their edges), and kept."""

import functools
import math
from typing import Any

import numpy as np

from foodenvs.drawing.shapes import BOLD, Picture, Shape, Sprite, font

SIZES = {"small": (480, 320), "medium": (960, 640), "large": (1440, 960)}
_FINE = 4  # sprites are drawn this many times larger


def pixels(picture: Picture, size: str = "medium") -> np.ndarray:
    """uint8 [height, width, 3] of one of SIZES: the picture as large as it fits, in the middle."""
    return np.asarray(image(picture, size)).copy()


def image(picture: Picture, size: str = "medium") -> Any:
    """The picture as a Pillow image of one of SIZES."""
    from PIL import Image

    width, height = SIZES[size]
    scale = min(width / picture.width, height / picture.height)
    left, top = (width - scale * picture.width) / 2, (height - scale * picture.height) / 2
    canvas = Image.new("RGB", (width, height), picture.ground)
    for item in picture.items:
        drawn, mask = _raster(item.sprite, round(scale, 4))
        canvas.paste(drawn, (round(left + scale * item.x), round(top + scale * item.y)), mask)
    return canvas


@functools.lru_cache(4096)
def _raster(sprite: Sprite, scale: float) -> tuple[Any, Any]:
    """The sprite's colours and its mask."""
    from PIL import Image, ImageDraw

    width, height = max(1, math.ceil(scale * sprite.width)), max(1, math.ceil(scale * sprite.height))
    large = Image.new("RGBA", (_FINE * width, _FINE * height), (0, 0, 0, 0))
    draw = ImageDraw.Draw(large)
    for shape in sprite.shapes:
        _DRAW[shape[0]](draw, _FINE * scale, shape)
    premultiplied = large.convert("RGBa").reduce(_FINE).convert("RGBA")
    return premultiplied.convert("RGB"), premultiplied.getchannel("A")


def _rect(draw: Any, k: float, shape: Shape) -> None:
    _, x, y, w, h, fill, line, width, corner = shape
    draw.rounded_rectangle(
        (k * x, k * y, max(k * x, k * (x + w) - 1), max(k * y, k * (y + h) - 1)),
        k * corner, fill or None, line or None, max(1, round(k * width)) if line else 0,
    )  # fmt: skip


def _oval(draw: Any, k: float, shape: Shape) -> None:
    _, x, y, w, h, fill, line, width = shape
    corners = (k * x, k * y, max(k * x, k * (x + w) - 1), max(k * y, k * (y + h) - 1))
    draw.ellipse(corners, fill or None, line or None, max(1, round(k * width)) if line else 0)


def _poly(draw: Any, k: float, shape: Shape) -> None:
    _, points, fill, line, width = shape
    at = [(k * x, k * y) for x, y in points]
    if fill:
        draw.polygon(at, fill)
    if line:
        _strokes(draw, [*at, at[0]], line, k * width)


def _path(draw: Any, k: float, shape: Shape) -> None:
    _, points, line, width = shape
    _strokes(draw, [(k * x, k * y) for x, y in points], line, k * width)


def _strokes(draw: Any, at: list[tuple[float, float]], colour: str, width: float) -> None:
    """Strokes with round joints and ends."""
    draw.line(at, colour, max(1, round(width)))
    r = width / 2
    if r >= 1:
        for x, y in at:
            draw.ellipse((x - r, y - r, x + r, y + r), colour)


def _text(draw: Any, k: float, shape: Shape) -> None:
    _, x, y, words, size, colour, anchor, bold = shape
    outline = k * size * BOLD if bold else 0
    draw.text((k * x, k * y), words, colour, font(k * size), anchor + "s", stroke_width=outline)


_DRAW = {"rect": _rect, "oval": _oval, "poly": _poly, "path": _path, "text": _text}
