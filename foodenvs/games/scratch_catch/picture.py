"""The table of Scratch & Catch as a picture."""

from foodenvs.core.notation import UNKNOWN, seat_name
from foodenvs.core.views import View
from foodenvs.drawing import kit
from foodenvs.drawing.kit import Page, Panel
from foodenvs.drawing.shapes import Picture, Sprite
from foodenvs.engine import Record
from foodenvs.games.scratch_catch.rules import VALUES


def draw(
    box: Record, view: View, seat: int = -1, turn: int = -1, last: str = "", narrow: bool = False
) -> Picture:
    """The line from 1 to 10 in the middle, the seats around it, the hand of `seat` (-1: none) below."""
    status = "The game is over" if turn < 0 else f"{seat_name(turn)} to play, card {view['play']} of 2"
    page = Page("Scratch & Catch", status, last, narrow)
    page.grid(box.players, 210, lambda panel, p: draw_seat(panel, view, p, seat, turn))
    page.block(lambda panel: draw_line(panel, view))
    if seat >= 0:
        page.block(lambda panel: draw_hand(panel, view, seat))
    return page.picture()


def face(name: str, scale: float = 1) -> Sprite:
    """A Cat is white; a Chakapuces has a heavy edge, a dark cat and a star at its value."""
    chakapuces = name.endswith("*")
    return kit.card(
        name, "chakapuce" if chakapuces else "cat", "", kit.pale(kit.PINK) if chakapuces else kit.WHITE,
        scale=scale, heavy=chakapuces,
    )  # fmt: skip


def draw_seat(panel: Panel, view: View, p: int, seat: int, turn: int) -> None:
    name = seat_name(p)
    ended = [kit.badge("flag", "ended it")] if view["ended_by"] == name else []
    y = panel.seat(p, name, p == turn, p == seat, ended)
    counts = [
        kit.badge("flea", str(view["fleas"][p])),
        kit.badge("cat", str(view["cats"][p])),
        kit.badge("chakapuce", str(view["chakapuces"][p])),
    ]
    y = panel.row(counts, kit.PAD, y) + 6
    if p != seat:
        hand = view["hands"][p] or [UNKNOWN] * view["hand_sizes"][p]
        cards = [(kit.back(scale=0.55) if c == UNKNOWN else face(c, 0.55), (), "") for c in hand]
        panel.fan(cards, kit.PAD, y)
    panel.height = max(panel.height, y + 0.55 * kit.CARD[1] + kit.PAD)


def draw_line(panel: Panel, view: View) -> None:
    """Ten columns; the cards of a value lie over each other, Chakapuces on top."""
    step = (panel.width - 2 * kit.PAD) / VALUES
    scale = min(1, (step - 4) / kit.CARD[0])
    height = kit.CARD[1] * scale
    columns = [[c for c in view["line"] if c.removesuffix("*") == str(v + 1)] for v in range(VALUES)]
    show = 0.3 * height
    tall = max(len(column) for column in columns)
    show = min(show, 120 / max(tall - 1, 1))
    for value, column in enumerate(columns):
        x = kit.PAD + value * step + (step - kit.CARD[0] * scale) / 2
        if not column:
            panel.put(kit.place(scale, str(value + 1)), x, kit.PAD)
        for k, name in enumerate(column):
            label = f"value {value + 1}: {len(column)} on the line" if k == len(column) - 1 else ""
            panel.put(face(name, scale), x, kit.PAD + k * show, (), label)
    panel.height = max(panel.height, kit.PAD + height + 4 * show + kit.PAD)


def draw_hand(panel: Panel, view: View, seat: int) -> None:
    panel.write("Your hand", kit.PAD, 6, 13, kit.FAINT)
    for k, name in enumerate(view["hands"][seat]):
        panel.put(face(name, 1.15), kit.PAD + k * 68, 26, f"hand {name}", describe(name))
    deck = kit.back(scale=1.15)
    x = panel.width - kit.PAD - deck.width - 8
    panel.write("Deck", x, 6, 13, kit.FAINT)
    panel.pile(deck, view["deck_size"], x, 26, "deck", f"the deck, {view['deck_size']} cards")


def describe(name: str) -> str:
    return f"Chakapuces {name.removesuffix('*')}" if name.endswith("*") else f"Cat {name}"
