"""GAMES: every game there is, by name; a game is imported when it is asked for.

First those of the library, one line each, then what installed packages offer as entry points of the group
`foodenvs.games` (`"three_pennies-v0" = "my_package.three_pennies:GAME"`), then what this process has
registered (`foodenvs.register_game`).
"""

import importlib
import warnings
from collections.abc import Iterator, Mapping
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from foodenvs.core.game import Game

GROUP = "foodenvs.games"
_LISTED = (
    "scratch_catch-v0",
    "katsu_curry-v0",
    "catchup_mousetard-v0",
    "fast_food_fury-v0",
    "critter_kitchen-v0",
)  # fmt: skip


def name_of(game_id: str) -> str:
    """The name in an id: `scratch_catch` of `scratch_catch-v0`."""
    return game_id.rpartition("-v")[0]


class Games(Mapping[str, "Game"]):
    """Name to `Game`, in the order in which they came; importing lazily, so that listing costs nothing.

    ids: name to id.
    """

    def __init__(self, listed: tuple[str, ...]) -> None:
        self.ids = {name_of(game_id): game_id for game_id in listed}
        self._addresses = {name: f"{__name__}.{name}:GAME" for name in self.ids}
        self._only_here: set[str] = set()
        for point in entry_points(group=GROUP):
            self._offer(point.name, point.value)

    def _offer(self, game_id: str, address: str) -> None:
        """List what an installed package offers, unless the name is taken or none."""
        name = name_of(game_id)
        if not name or name in self.ids:
            why = f"there is a game {name} already" if name else "it must be called NAME-vN"
            warnings.warn(
                f"the entry point {game_id} ({address}) of {GROUP} is left out: {why}", stacklevel=2
            )
            return
        self.ids[name], self._addresses[name] = game_id, address

    def add(self, game: "Game") -> None:
        """List a game; ValueError where another has its name, or where it cannot be imported by its home."""
        if name_of(game.id) != game.name or not game.name.isidentifier():
            raise ValueError(f"a game's name must be an identifier, got {game.name!r}")
        if getattr(importlib.import_module(game.home), "GAME", None) is not game:
            raise ValueError(f"{game.id} must be called GAME in the module {game.home}, its `home`")
        if game.name in self.ids and self[game.name] is not game:
            raise ValueError(f"there is another game {game.name} already, in {self[game.name].home}")
        if game.name not in self.ids:
            self.ids[game.name], self._addresses[game.name] = game.id, f"{game.home}:GAME"
            self._only_here.add(game.name)

    def everywhere(self, game: "Game") -> str:
        """What another process finds a game by: its name, or `module:GAME` of what only this one has."""
        listed = game.name in self.ids and game.name not in self._only_here
        return game.name if listed else f"{game.home}:GAME"

    def __getitem__(self, name: str) -> "Game":
        if name not in self.ids:
            raise KeyError(name)
        module, _, attribute = self._addresses[name].partition(":")
        game: Any = getattr(importlib.import_module(module), attribute)
        if getattr(game, "id", None) != self.ids[name]:
            raise ValueError(f"{module}:{attribute} is offered as {self.ids[name]}, but is no such game")
        return game

    def __iter__(self) -> Iterator[str]:
        return iter(self.ids)

    def __len__(self) -> int:
        return len(self.ids)


GAMES = Games(_LISTED)
