"""The picture of a game that has none: its table in words, on the page that all games share."""

from types import SimpleNamespace
from typing import Any

from foodenvs.core.notation import seat_name
from foodenvs.core.views import View
from foodenvs.drawing import kit
from foodenvs.drawing.kit import Page, Panel
from foodenvs.drawing.shapes import Picture
from foodenvs.engine import Record


def of(game: Any) -> Any:
    """What stands in for a game's module `picture`."""

    def draw(
        box: Record, view: View, seat: int = -1, turn: int = -1, last: str = "", narrow: bool = False
    ) -> Picture:
        status = "The game is over" if turn < 0 else f"{seat_name(turn)} to act"
        page = Page(game.title, status, last, narrow)

        def lines(panel: Panel) -> None:
            for k, line in enumerate(game.table(box, view, seat).splitlines()):
                panel.write(line, kit.PAD, kit.PAD + 18 * k, 14)

        page.block(lines)
        return page.picture()

    return SimpleNamespace(draw=draw)
