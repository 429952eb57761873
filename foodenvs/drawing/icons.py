"""Icons in a box of 24 x 24, told apart by shape first and colour second. Drawn here, taken from nowhere."""

import functools
import math

from foodenvs.drawing.goods import GOODS
from foodenvs.drawing.shapes import Shape, moved, oval, path, poly, rect, text

_INK = "#1f2430"


def _star(cx: float, cy: float, outer: float, inner: float, points: int = 5) -> list[tuple[float, float]]:
    at = []
    for k in range(2 * points):
        r, angle = (outer if k % 2 == 0 else inner), math.pi * k / points - math.pi / 2
        at.append((cx + r * math.cos(angle), cy + r * math.sin(angle)))
    return at


def _arc(
    cx: float, cy: float, rx: float, ry: float, start: float, end: float, steps: int = 16
) -> list[tuple[float, float]]:
    """Points of an arc from `start` to `end` degrees, 0 to the right, 90 down."""
    angles = [math.radians(start + (end - start) * k / steps) for k in range(steps + 1)]
    return [(cx + rx * math.cos(a), cy + ry * math.sin(a)) for a in angles]


def _cat(fur: str, eyes: str) -> tuple[Shape, ...]:
    return (
        poly([(3, 3), (10, 8), (4, 14)], fur, _INK, 1),
        poly([(21, 3), (14, 8), (20, 14)], fur, _INK, 1),
        oval(3, 6, 18, 16, fur, _INK, 1.2),
        oval(7, 11, 3.4, 4.4, eyes, _INK, 0.8),
        oval(13.6, 11, 3.4, 4.4, eyes, _INK, 0.8),
        poly([(11, 16.5), (13, 16.5), (12, 18)], _INK),
    )


def _bottle(fill: str, letter: str, ink: str = _INK) -> tuple[Shape, ...]:
    return (
        rect(9, 1, 6, 6, "#9aa0a6", _INK, 1, 1),
        rect(5, 6, 14, 17, fill, _INK, 1, 4),
        text(12, 19, letter, 12, ink, "m", True),
    )


_ICONS: dict[str, tuple[Shape, ...]] = {
    "star": (poly(_star(12, 12.8, 11, 4.6), "#f0e442", _INK, 1),),
    "trophy": (
        poly([(6, 2), (18, 2), (16, 12), (8, 12)], "#f0e442", _INK, 1),
        rect(11, 12, 2, 6, "#f0e442", _INK, 0.8),
        rect(6, 18, 12, 4, "#e69f00", _INK, 1, 1),
    ),
    "flag": (path([(6, 2), (6, 22)], _INK, 2), poly([(7, 3), (20, 7), (7, 12)], "#d55e00", _INK, 1)),
    "cards": (
        rect(3, 3, 12, 16, "#6f8bbd", _INK, 1, 2),
        rect(8, 6, 12, 16, "#ffffff", _INK, 1, 2),
    ),
    "hand": (
        rect(6, 10, 12, 11, "#ffffff", _INK, 1.2, 4),
        *(rect(6 + 3 * k, 3 + abs(k - 1.5), 3, 11, "#ffffff", _INK, 1, 1.5) for k in range(4)),
    ),
    "trash": (
        poly([(6, 8), (18, 8), (17, 22), (7, 22)], "#9aa0a6", _INK, 1),
        rect(4, 5, 16, 3, "#9aa0a6", _INK, 1, 1),
        path([(10, 11), (10, 19)], _INK, 1),
        path([(14, 11), (14, 19)], _INK, 1),
    ),
    "up": (poly([(12, 2), (21, 12), (15, 12), (15, 22), (9, 22), (9, 12), (3, 12)], "#0072b2", _INK, 1),),
    "down": (poly([(12, 22), (21, 12), (15, 12), (15, 2), (9, 2), (9, 12), (3, 12)], "#d55e00", _INK, 1),),
    "cat": _cat("#e9b872", "#ffffff"),
    "chakapuce": (*_cat("#3a3f4b", "#f0e442"), text(12, 10, "+", 9, "#ffffff", "m", True)),
    "flea": (
        path([(6, 8), (3, 5)], _INK, 1),
        path([(6, 16), (2, 19)], _INK, 1),
        path([(12, 18), (11, 22)], _INK, 1),
        path([(16, 17), (21, 22)], _INK, 1.4),
        oval(4, 6, 16, 13, "#8a4b20", _INK, 1),
        path([(10, 7), (9, 18)], _INK, 0.8),
        path([(15, 7), (14.5, 18)], _INK, 0.8),
        oval(6, 9, 2.6, 2.6, "#ffffff", _INK, 0.6),
    ),
    # --- bread and meat
    "bun": (
        poly([*_arc(12, 11, 10, 8, 180, 360)], "#e0a04a", _INK, 1),
        rect(2, 12, 20, 3, "#7a4a21", _INK, 0.8, 1),
        rect(2, 16, 20, 5, "#e0a04a", _INK, 1, 2),
        *(oval(x, y, 2, 1.4, "#ffffff") for x, y in ((8, 6), (12, 4.6), (15.5, 6.6))),
    ),
    "roll": (
        rect(1, 8, 22, 11, "#e0a04a", _INK, 1, 5),
        path([(4, 13), (20, 13)], "#7a4a21", 1.4),
    ),
    "bread": (
        rect(3, 8, 18, 13, "#d9a05b", _INK, 1, 2),
        rect(2, 3, 20, 8, "#d9a05b", _INK, 1, 4),
        rect(3.6, 8, 16.8, 5, "#d9a05b"),
        path([(8, 8), (8, 17)], "#7a4a21", 1),
        path([(13, 8), (13, 17)], "#7a4a21", 1),
    ),
    "steak": (
        oval(2, 5, 20, 15, "#a5452f", _INK, 1.2),
        oval(6, 8, 5, 5, "#ffffff", _INK, 0.8),
        path([(13, 10), (18, 11)], "#f4c9bb", 1.4),
        path([(12, 15), (17, 15)], "#f4c9bb", 1.4),
    ),
    "veal": (
        oval(2, 5, 20, 15, "#eab3a4", _INK, 1.2),
        path([(7, 8), (7, 17)], "#a5452f", 1.2),
        path([(12, 7), (12, 18)], "#a5452f", 1.2),
        path([(17, 8), (17, 17)], "#a5452f", 1.2),
    ),
    "sausage": (
        path(_arc(12, 6, 8, 10, 20, 160), _INK, 7.5),
        path(_arc(12, 6, 8, 10, 20, 160), "#b5532e", 5.5),
        path(_arc(11, 5, 7, 9, 60, 110), "#f0b59a", 1.2),
    ),
    "bacon": tuple(
        shape
        for y, tone in ((5, "#a5452f"), (10, "#f4c9bb"), (15, "#a5452f"))
        for shape in (
            path([(2, y + 1), (7, y - 1), (12, y + 2), (17, y - 1), (22, y + 1)], _INK, 5),
            path([(2, y + 1), (7, y - 1), (12, y + 2), (17, y - 1), (22, y + 1)], tone, 3.6),
        )
    ),
    "chicken": (
        path([(15, 15), (21, 21)], _INK, 4.4),
        path([(15, 15), (21, 21)], "#ffffff", 2.8),
        oval(2, 2, 15, 15, "#d98b3a", _INK, 1.2),
        path([(6, 7), (9, 5)], "#f7dcb0", 1.6),
    ),
    "meat": (
        path([(15, 9), (21, 3)], _INK, 4.6),
        path([(15, 9), (21, 3)], "#ffffff", 3),
        oval(2, 7, 16, 14, "#a5452f", _INK, 1.2),
        path([(6, 12), (10, 10)], "#f4c9bb", 1.6),
    ),
    "fish": (
        poly([(16, 12), (23, 6), (23, 18)], "#56b4e9", _INK, 1),
        oval(1, 6, 18, 12, "#56b4e9", _INK, 1),
        oval(4.5, 9.5, 2.6, 2.6, "#ffffff", _INK, 0.8),
        path([(10, 9), (11.5, 12), (10, 15)], _INK, 1),
    ),
    # --- greens
    "potato": (
        oval(2, 5, 20, 15, "#cda25a", _INK, 1.2),
        *(oval(x, y, 1.8, 1.2, "#7a5a26") for x, y in ((7, 9), (13, 8), (16, 14), (9, 15))),
    ),
    "carrot": (
        path([(12, 7), (8, 1)], "#2d7d46", 2),
        path([(12, 7), (12, 1)], "#2d7d46", 2),
        path([(12, 7), (16, 1)], "#2d7d46", 2),
        poly([(6, 7), (18, 7), (12, 23)], "#e67e22", _INK, 1),
        path([(8, 11), (12, 11)], "#8a4510", 1),
        path([(13, 15), (11, 15)], "#8a4510", 1),
    ),
    "mushroom": (
        rect(9, 11, 6, 11, "#f3e9d8", _INK, 1, 2),
        poly(_arc(12, 12, 10.5, 9.5, 180, 360), "#b07d62", _INK, 1),
        *(oval(x, y, 3, 2.6, "#f3e9d8") for x, y in ((6, 7), (11, 4.6), (15.5, 8))),
    ),
    "lettuce": (
        poly(_star(12, 12, 11, 8, 9), "#6fb98f", _INK, 1),
        path([(12, 21), (12, 7)], "#2d7d46", 1.2),
        path([(12, 15), (7, 10)], "#2d7d46", 1),
        path([(12, 15), (17, 10)], "#2d7d46", 1),
    ),
    "tomato": (
        oval(2, 4, 20, 18, "#d6402b", _INK, 1.2),
        poly(_star(12, 5, 5, 2, 5), "#2d7d46", _INK, 0.6),
    ),
    "onion": (
        oval(3, 7, 18, 15, "#cdb4db", _INK, 1.2),
        path([(12, 7), (12, 2)], "#7a5a86", 2),
        path(_arc(12, 14.5, 5, 7, -90, 90), "#7a5a86", 1),
        path(_arc(12, 14.5, 5, 7, 90, 270), "#7a5a86", 1),
    ),
    "broccoli": (
        path([(12, 22), (12, 13)], _INK, 6),
        path([(12, 22), (12, 13)], "#9cc26b", 4),
        *(oval(x, y, 9, 9, "#3f8a3f", _INK, 1) for x, y in ((2, 6), (13, 6), (7.5, 1.5), (7.5, 8))),
    ),
    "pineapple": (
        *(path([(12, 9), (x, 1)], "#2d7d46", 2.4) for x in (7, 12, 17)),
        oval(5, 7, 14, 16, "#f5b921", _INK, 1.2),
        path([(7, 11), (17, 20)], "#8a4510", 0.9),
        path([(17, 11), (7, 20)], "#8a4510", 0.9),
    ),
    "lemon": (
        poly([(1, 13), (5, 11), (5, 15)], "#f0e442", _INK, 1),
        poly([(23, 13), (19, 11), (19, 15)], "#f0e442", _INK, 1),
        oval(3.5, 6, 17, 14, "#f0e442", _INK, 1.2),
        path([(12, 6), (15, 2)], "#2d7d46", 2.4),
    ),
    "apple": (
        oval(2, 6, 12, 16, "#d6402b", _INK, 1.2),
        oval(10, 6, 12, 16, "#d6402b", _INK, 1.2),
        rect(7, 9, 10, 10, "#d6402b"),
        path([(12, 8), (13, 2)], "#7a4a21", 2),
        oval(13, 2, 7, 4, "#2d7d46", _INK, 0.8),
    ),
    "pickle": (
        path([(5, 18), (19, 6)], _INK, 9),
        path([(5, 18), (19, 6)], "#7fa650", 7),
        *(oval(x, y, 2, 2, "#3f6121") for x, y in ((7, 15), (11, 11), (15, 8), (11, 15))),
    ),
    "cheese": (
        poly([(1, 15), (20, 5), (23, 11), (23, 15)], "#f5c84c", _INK, 1),
        rect(1, 14.5, 22, 6.5, "#f0b429", _INK, 1, 1),
        *(oval(x, y, 3.4, 3, "#b77f12") for x, y in ((5, 16), (12, 16.6), (16, 10))),
    ),
    "egg": (oval(2, 5, 20, 16, "#ffffff", _INK, 1.2), oval(8, 8, 9, 9, "#f5b921", _INK, 0.8)),
    # --- dishes and drinks
    "soup": (
        path([(8, 3), (7, 6), (9, 8)], "#565d6b", 1.2),
        path([(14, 3), (13, 6), (15, 8)], "#565d6b", 1.2),
        poly(_arc(12, 11, 10.5, 10, 0, 180), "#d9b382", _INK, 1),
        oval(1.5, 9, 21, 5, "#b5532e", _INK, 1),
    ),
    "bisque": (
        poly(_arc(12, 11, 10.5, 10, 0, 180), "#8e5ea2", _INK, 1),
        oval(1.5, 9, 21, 5, "#f2a65a", _INK, 1),
        poly(_star(12, 5, 5, 2.2), "#f0e442", _INK, 0.8),
    ),
    "wine": (
        poly([(6, 2), (18, 2), (16, 12), (8, 12)], "#ffffff", _INK, 1),
        poly([(6.8, 6), (17.2, 6), (16, 12), (8, 12)], "#8e1b3a", _INK, 0.6),
        rect(11, 12, 2, 8, _INK),
        rect(7, 20, 10, 2, _INK, "", 1, 1),
    ),
    "spice": (
        rect(6, 8, 12, 14, "#ffffff", _INK, 1, 2),
        rect(7, 3, 10, 6, "#9aa0a6", _INK, 1, 2),
        *(oval(x, y, 1.6, 1.6, _INK) for x, y in ((9, 5), (12, 5), (14.4, 5))),
        path([(9, 15), (15, 15)], "#d55e00", 2),
    ),
    "rumour": (
        rect(1, 3, 22, 14, "#ffffff", _INK, 1.2, 6),
        poly([(7, 16), (13, 16), (6, 22)], "#ffffff", _INK, 1),
        text(12, 14.5, "?", 12, _INK, "m", True),
    ),
    "ketchup": _bottle("#d6402b", "K", "#ffffff"),
    "mustard": _bottle("#f0c419", "M"),
    "mayonnaise": _bottle("#ffffff", "Y"),
    "barbecue": _bottle("#5a2d16", "B", "#ffffff"),
    "fries": (
        *(rect(5 + 3.6 * k, 2 + (k % 2) * 2, 3, 12, "#f5c84c", _INK, 0.7) for k in range(4)),
        poly([(3, 10), (21, 10), (18, 23), (6, 23)], "#d6402b", _INK, 1),
    ),
    "burger": (
        poly(_arc(12, 10, 10, 8, 180, 360), "#e0a04a", _INK, 1),
        path([(2, 12), (6, 14), (10, 12), (14, 14), (18, 12), (22, 13)], "#4c9a4c", 2),
        rect(2, 14, 20, 3.4, "#7a3b1f", _INK, 0.8, 1.5),
        rect(2, 18, 20, 4, "#e0a04a", _INK, 1, 2),
    ),
    "pizza": (
        poly([(2, 4), (22, 4), (12, 23)], "#f5c84c", _INK, 1),
        rect(1, 1.5, 22, 4.5, "#d9a05b", _INK, 1, 2),
        *(oval(x, y, 4, 4, "#d6402b", _INK, 0.5) for x, y in ((7, 8), (13.4, 8), (10, 14))),
    ),
    "drink": (
        path([(13, 8), (16, 1), (19, 1)], _INK, 1.6),
        poly([(4, 7), (20, 7), (17, 23), (7, 23)], "#56b4e9", _INK, 1),
        rect(3, 6, 18, 3, "#ffffff", _INK, 1, 1),
    ),
    "ice_cream": (
        poly([(6, 12), (18, 12), (12, 23)], "#d9a05b", _INK, 1),
        path([(9, 12), (13.5, 20)], "#7a4a21", 0.8),
        path([(15, 12), (10.5, 20)], "#7a4a21", 0.8),
        oval(4, 2, 16, 12, "#f7d6e0", _INK, 1),
    ),
    "tag": (
        poly([(2, 6), (16, 6), (22, 12), (16, 18), (2, 18)], "#ffffff", _INK, 1.2),
        oval(15, 10.6, 3, 3, _INK),
    ),
    "chef": (
        rect(6, 12, 12, 9, "#ffffff", _INK, 1, 1),
        oval(2, 4, 10, 9, "#ffffff", _INK, 1),
        oval(12, 4, 10, 9, "#ffffff", _INK, 1),
        oval(7, 2, 10, 10, "#ffffff", _INK, 1),
        rect(6.6, 9, 10.8, 6, "#ffffff"),
        path([(6, 18), (18, 18)], _INK, 1),
    ),
    "square": (rect(3, 3, 18, 18, "#cc79a7", _INK, 1.2),),
    "circle": (oval(2, 2, 20, 20, "#56b4e9", _INK, 1.2),),
    "triangle": (poly([(12, 2), (23, 21), (1, 21)], "#f0e442", _INK, 1.2),),
}
_ICONS |= GOODS
NAMES = tuple(_ICONS)


@functools.lru_cache(512)
def icon(name: str) -> tuple[Shape, ...]:
    """The shapes of an icon; of "pizza+mushroom", one with a small one before it.

    Of an unknown name, its first letters in a ring.
    """
    base, _, detail = name.partition("+")
    if detail:
        return (*icon(base), *moved(icon(detail), 10.5, 10.5, 0.58))
    if name in _ICONS:
        return _ICONS[name]
    letters = name[:2].upper()
    return (oval(1, 1, 22, 22, "#ffffff", _INK, 1.2), text(12, 17, letters, 13, _INK, "m", True))
