"""The picture of a game that has none: its table in words, on the page that all games share."""

from types import SimpleNamespace
from typing import Any

from foodenvs.drawing import kit
from foodenvs.drawing.kit import Page, Panel
from foodenvs.drawing.shapes import Picture


def of(game: Any) -> Any:
    """What stands in for a game's module `picture`."""

    def draw(box: Any, view: Any, seat: int = -1, last: str = "", narrow: bool = False) -> Picture:
        page = Page(game.title, "", last, narrow)

        def lines(panel: Panel) -> None:
            for k, line in enumerate(game.words.table(box, view, seat).splitlines()):
                panel.write(line, kit.PAD, kit.PAD + 18 * k, 14)

        page.block(lines)
        return page.picture()

    return SimpleNamespace(draw=draw)
