"""Icons of things that are not food, in a box of 24 x 24; see `icons`."""

from foodenvs.drawing.shapes import Shape, oval, path, poly, rect, text

_INK = "#1f2430"
_GOLD, _RED, _BLUE, _SKY, _GREEN, _WHITE, _BROWN, _GREY = (
    "#f5c84c", "#d6402b", "#0072b2", "#a9d8f5", "#6fb98f", "#ffffff", "#a0693a", "#9aa0a6",
)  # fmt: skip

GOODS: dict[str, tuple[Shape, ...]] = {
    "curry": (
        oval(1, 5, 22, 16, _WHITE, _INK, 1.2),
        poly([(5, 8), (12, 6), (12, 20), (5, 18), (3, 13)], "#f3e9d8", _INK, 0.8),
        poly([(12, 6), (19, 8), (21, 13), (19, 18), (12, 20)], "#8a4b20", _INK, 0.8),
        *(rect(8 + 3 * k, 9 + k, 2.6, 7, "#d98b3a", _INK, 0.6, 1) for k in range(3)),
    ),
    "pot": (
        rect(3, 9, 18, 11, "#4c5361", _INK, 1, 3),
        rect(0.5, 10, 3, 3, "#4c5361", _INK, 0.8, 1),
        rect(20.5, 10, 3, 3, "#4c5361", _INK, 0.8, 1),
        oval(4, 6, 7, 6, _GREEN, _INK, 0.8),
        oval(9, 5, 7, 7, "#a5452f", _INK, 0.8),
        oval(14, 6, 6, 6, _WHITE, _INK, 0.8),
    ),
    "noodles": (
        poly([(4, 8), (20, 8), (17, 23), (7, 23)], _WHITE, _INK, 1.2),
        rect(5.4, 12, 13.2, 5, _RED),
        rect(3, 5, 18, 4, _WHITE, _INK, 1.2, 1),
        path([(9, 5), (11, 2), (13, 5)], _GOLD, 1.6),
    ),
    "beer": (
        rect(5, 6, 11, 16, _GOLD, _INK, 1.2, 1),
        path([(16, 9), (21, 9), (21, 17), (16, 17)], _INK, 1.6),
        oval(4, 2, 7, 7, _WHITE, _INK, 1),
        oval(9, 2, 8, 7, _WHITE, _INK, 1),
        rect(5.8, 6, 9.4, 3, _WHITE),
    ),
    "ticket": (
        rect(1, 6, 22, 12, _GOLD, _INK, 1.2, 1),
        oval(-2, 9.5, 5, 5, _WHITE, _INK, 1),
        oval(21, 9.5, 5, 5, _WHITE, _INK, 1),
        path([(15, 7), (15, 17)], _INK, 1),
        path([(6, 10), (12, 10)], _INK, 1.4),
        path([(6, 14), (12, 14)], _INK, 1.4),
    ),
    "scissors": (
        path([(4, 3), (16, 17)], _GREY, 2.4),
        path([(20, 3), (8, 17)], _GREY, 2.4),
        oval(3, 15, 7, 7, "", _RED, 2),
        oval(14, 15, 7, 7, "", _RED, 2),
    ),
    "umbrella": (
        path([(12, 10), (12, 20), (15, 22), (17, 20)], _INK, 1.6),
        poly([(1, 12), (4, 6), (12, 2), (20, 6), (23, 12), (17, 11), (12, 13), (7, 11)], _BLUE, _INK, 1),
    ),
    "taxi": (
        poly([(6, 12), (9, 7), (17, 7), (20, 12)], _SKY, _INK, 1),
        rect(1, 12, 22, 7, _GOLD, _INK, 1, 2),
        rect(10, 3.5, 6, 3.5, _WHITE, _INK, 0.8, 1),
        oval(4, 16, 6, 6, _INK),
        oval(14, 16, 6, 6, _INK),
    ),
    "melon": (
        oval(2, 5, 19, 18, _GREEN, _INK, 1.2),
        path([(12, 5), (12, 2), (16, 1)], _INK, 1.6),
        path([(6, 7), (6, 21)], _WHITE, 0.9),
        path([(11.5, 6), (11.5, 22)], _WHITE, 0.9),
        path([(17, 7), (17, 21)], _WHITE, 0.9),
        path([(3, 14), (20, 14)], _WHITE, 0.9),
    ),
    "book": (
        rect(4, 2, 16, 20, _RED, _INK, 1.2, 1),
        rect(6, 2, 2, 20, "#8e1b3a"),
        rect(10, 6, 7, 5, _WHITE, _INK, 0.8),
    ),
    "microphone": (
        path([(12, 12), (4, 22)], _INK, 3.4),
        oval(9, 2, 12, 12, _GREY, _INK, 1.2),
        path([(11, 6), (19, 10)], _INK, 0.8),
        path([(13, 4), (20, 8)], _INK, 0.8),
    ),
    "lottery": (
        rect(3, 3, 18, 18, _WHITE, _INK, 1.2, 2),
        *(
            oval(5.5 + 5 * (k % 3), 5.5 + 5 * (k // 3), 3.4, 3.4, _RED if k % 4 == 0 else _SKY, _INK, 0.6)
            for k in range(9)
        ),
    ),
    "cake": (
        rect(3, 11, 18, 10, "#f7d6e0", _INK, 1.2, 2),
        path([(3, 14), (7, 16), (11, 14), (15, 16), (21, 14)], _WHITE, 1.8),
        *(rect(6 + 4.6 * k, 6, 1.8, 5, _SKY, _INK, 0.6) for k in range(3)),
        *(oval(6 + 4.6 * k, 2, 1.9, 3.4, _GOLD) for k in range(3)),
    ),
    "sushi": (
        rect(3, 12, 18, 9, _WHITE, _INK, 1.2, 4),
        rect(2, 7, 20, 8, "#e8734a", _INK, 1.2, 4),
        path([(7, 8), (9, 14)], _WHITE, 1),
        path([(13, 8), (15, 14)], _WHITE, 1),
    ),
    "spring": (
        oval(2, 13, 20, 9, _SKY, _INK, 1.2),
        *(
            path([(7 + 5 * k, 11), (6 + 5 * k, 8), (8 + 5 * k, 5), (7 + 5 * k, 2)], _RED, 1.6)
            for k in range(3)
        ),
    ),
    "golf": (
        oval(1, 17, 22, 6, _GREEN, _INK, 1),
        path([(14, 20), (14, 2)], _INK, 1.4),
        poly([(14, 2), (5, 5), (14, 9)], _RED, _INK, 0.8),
        oval(5, 15, 5, 5, _WHITE, _INK, 1),
    ),
    "car": (
        poly([(4, 12), (8, 6), (16, 6), (20, 12)], _SKY, _INK, 1),
        rect(1, 11, 22, 8, _RED, _INK, 1, 3),
        oval(3, 15, 7, 7, _INK),
        oval(14, 15, 7, 7, _INK),
    ),
    "gift": (
        rect(3, 9, 18, 13, _WHITE, _INK, 1.2, 1),
        rect(10, 9, 4, 13, _RED),
        oval(4, 3, 8, 6, "", _RED, 1.8),
        oval(12, 3, 8, 6, "", _RED, 1.8),
        rect(2, 8, 20, 3, _RED, _INK, 0.8),
    ),
    "phone": (
        rect(6, 1, 12, 22, _INK, _INK, 1, 2),
        rect(7.4, 4, 9.2, 14, _SKY),
        oval(10.6, 19, 2.8, 2.8, _WHITE),
    ),
    "ring": (
        oval(4, 8, 16, 15, "", _GOLD, 3),
        poly([(8, 5), (10, 2), (14, 2), (16, 5), (12, 10)], _SKY, _INK, 1),
    ),
    "piano": (
        rect(2, 4, 20, 16, _INK, _INK, 1, 2),
        *(rect(3.4 + 3.5 * k, 11, 3, 8, _WHITE) for k in range(5)),
        *(rect(5.6 + 3.5 * k, 11, 1.6, 4.6, _INK) for k in range(4)),
    ),
    "suit": (
        poly([(3, 4), (9, 2), (15, 2), (21, 4), (19, 22), (5, 22)], "#3a4a6b", _INK, 1),
        poly([(9, 2), (15, 2), (12, 13)], _WHITE, _INK, 0.8),
        poly([(11, 4), (13, 4), (13.4, 10), (12, 12), (10.6, 10)], _RED),
    ),
    "syringe": (
        path([(2, 22), (7, 17)], _INK, 1.4),
        path([(7, 17), (16, 8)], _INK, 7),
        path([(7, 17), (16, 8)], _SKY, 5),
        path([(16, 8), (20, 4)], _INK, 2),
        path([(17, 1), (23, 7)], _INK, 2),
    ),
    "bicycle": (
        oval(0.6, 10, 10.6, 10.6, "", _INK, 1.6),
        oval(12.8, 10, 10.6, 10.6, "", _INK, 1.6),
        path([(6, 15), (10, 8), (17, 8), (12, 15), (6, 15)], _RED, 1.6),
        path([(18, 15), (16, 5), (19, 4)], _RED, 1.6),
        path([(12, 15), (9, 6)], _RED, 1.6),
        path([(7, 6), (11, 6)], _INK, 1.8),
    ),
    "donation": (
        rect(3, 10, 18, 12, _WHITE, _INK, 1.2, 1),
        rect(8, 12, 8, 1.8, _INK),
        poly([(12, 10), (6, 4), (7, 1.6), (10, 1), (12, 3), (14, 1), (17, 1.6), (18, 4)], _RED, _INK, 0.8),
        path([(6, 18), (18, 18)], _GREY, 1.2),
    ),
    "bowl": (
        poly([(3, 8), (21, 8), (19, 17), (15, 20), (9, 20), (5, 17)], "#5c6b57", _INK, 1.2),
        oval(3, 5, 18, 6, "#8fae7c", _INK, 1.2),
        rect(9, 20, 6, 2, _INK),
    ),
    "ship": (
        rect(7, 7, 10, 6, _WHITE, _INK, 1),
        rect(10, 2, 3, 5, _RED, _INK, 0.8),
        poly([(1, 13), (23, 13), (19, 20), (5, 20)], _BLUE, _INK, 1),
        path([(1, 22), (5, 21), (9, 22), (13, 21), (17, 22), (22, 21)], _SKY, 1.6),
    ),
    "ballot": (
        rect(3, 11, 18, 11, _BROWN, _INK, 1.2, 1),
        rect(7, 12, 10, 1.8, _INK),
        rect(8, 1.5, 8, 11, _WHITE, _INK, 1),
        path([(9.6, 6), (11.4, 8.4), (14.6, 3.8)], _GREEN, 1.8),
    ),
    "magnifier": (
        path([(14, 14), (22, 22)], _INK, 3.4),
        oval(2, 2, 15, 15, _WHITE, _INK, 2),
        text(9.5, 13, "?", 10, _INK, "m", True),
    ),
    "door": (
        rect(5, 2, 14, 20, _BROWN, _INK, 1.2, 1),
        oval(14.6, 11, 2.6, 2.6, _GOLD, _INK, 0.6),
        rect(8, 5, 8, 5, _SKY, _INK, 0.8),
    ),
    "pawn": (
        oval(8, 2, 8, 8, _GREY, _INK, 1.2),
        poly([(9, 9), (15, 9), (18, 20), (6, 20)], _GREY, _INK, 1.2),
        rect(5, 19, 14, 3.4, _GREY, _INK, 1.2, 1),
    ),
}
