"""GAMES: every game of the library, by name. One line per game; a game is imported when it is asked for."""

import importlib
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from foodenvs.game import Game

_LISTED = (
    "scratch_catch-v0",
    "katsu_curry-v0",
    "catchup_mousetard-v0",
    "fast_food_fury-v0",
    "critter_kitchen-v0",
)  # fmt: skip


class _Games(Mapping[str, "Game"]):
    """Name to `Game`, in the order of the list; importing lazily, so that listing costs nothing."""

    def __init__(self, ids: tuple[str, ...]) -> None:
        self.ids = {game_id.rpartition("-v")[0]: game_id for game_id in ids}

    def __getitem__(self, name: str) -> "Game":
        if name not in self.ids:
            raise KeyError(name)
        game: Game = importlib.import_module(f"{__name__}.{name}").GAME
        return game

    def __iter__(self) -> Iterator[str]:
        return iter(self.ids)

    def __len__(self) -> int:
        return len(self.ids)


GAMES = _Games(_LISTED)
