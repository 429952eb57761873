"""A picture as SVG, and as the JSON from which a page builds the same SVG with parts to click on."""

import functools
from html import escape
from typing import Any

from foodenvs.drawing.shapes import BOLD, Picture, Shape, Sprite, text_width


def svg(picture: Picture) -> str:
    """The picture as one SVG document."""
    inside = "".join(
        f'<g transform="translate({_n(item.x)} {_n(item.y)})">{markup(item.sprite)}</g>'
        for item in picture.items
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_n(picture.width)} {_n(picture.height)}">'
        f'<rect width="100%" height="100%" fill="{picture.ground}"/>{inside}</svg>'
    )


def frame(picture: Picture) -> tuple[dict[str, Any], dict[str, str]]:
    """The picture as plain values, and the SVG of its sprites by key.

    The values: width, height, ground, and items [key, x, y] or [key, x, y, width, height, label, actions].
    """
    items: list[list[Any]] = []
    sprites: dict[str, str] = {}
    for item in picture.items:
        sprite = item.sprite
        sprites.setdefault(sprite.key, markup(sprite))
        values: list[Any] = [sprite.key, round(item.x, 1), round(item.y, 1)]
        if item.label or item.actions:
            values += [sprite.width, sprite.height, item.label, list(item.actions)]
        items.append(values)
    size = {"width": picture.width, "height": picture.height, "ground": picture.ground}
    return {**size, "items": items}, sprites


@functools.lru_cache(4096)
def markup(sprite: Sprite) -> str:
    """The SVG elements of a sprite."""
    return "".join(_MARKUP[shape[0]](shape) for shape in sprite.shapes)


def _n(number: float) -> str:
    return f"{number:.2f}".rstrip("0").rstrip(".")


def _paint(fill: str, line: str, width: float) -> str:
    stroke = f' stroke="{line}" stroke-width="{_n(width)}"' if line else ""
    return f'fill="{fill or "none"}"{stroke}'


def _inset(x: float, y: float, w: float, h: float, line: str, width: float) -> tuple[float, ...]:
    """A line lies inside the edge, as in pixels."""
    d = width if line else 0
    return x + d / 2, y + d / 2, max(w - d, 0), max(h - d, 0)


def _rect(shape: Shape) -> str:
    _, x, y, w, h, fill, line, width, corner = shape
    x, y, w, h = _inset(x, y, w, h, line, width)
    size = f'x="{_n(x)}" y="{_n(y)}" width="{_n(w)}" height="{_n(h)}" rx="{_n(corner)}"'
    return f"<rect {size} {_paint(fill, line, width)}/>"


def _oval(shape: Shape) -> str:
    _, x, y, w, h, fill, line, width = shape
    x, y, w, h = _inset(x, y, w, h, line, width)
    size = f'cx="{_n(x + w / 2)}" cy="{_n(y + h / 2)}" rx="{_n(w / 2)}" ry="{_n(h / 2)}"'
    return f"<ellipse {size} {_paint(fill, line, width)}/>"


def _points(points: Any) -> str:
    return " ".join(f"{_n(x)},{_n(y)}" for x, y in points)


def _poly(shape: Shape) -> str:
    _, points, fill, line, width = shape
    return f'<polygon points="{_points(points)}" stroke-linejoin="round" {_paint(fill, line, width)}/>'


def _path(shape: Shape) -> str:
    _, points, line, width = shape
    ends = 'stroke-linecap="round" stroke-linejoin="round"'
    return f'<polyline points="{_points(points)}" {ends} {_paint("", line, width)}/>'


def _text(shape: Shape) -> str:
    _, x, y, words, size, colour, anchor, bold = shape
    if not words.strip():
        return ""
    where = f'x="{_n(x)}" y="{_n(y)}" font-size="{_n(size)}"'
    at = {"l": "start", "m": "middle", "r": "end"}[anchor]
    length = f'textLength="{_n(text_width(words, size))}" lengthAdjust="spacingAndGlyphs"'
    stroke = f' stroke="{colour}" stroke-width="{_n(2 * BOLD * size)}"' if bold else ""
    return f'<text {where} text-anchor="{at}" {length} fill="{colour}"{stroke}>{escape(words)}</text>'


_MARKUP = {"rect": _rect, "oval": _oval, "poly": _poly, "path": _path, "text": _text}
