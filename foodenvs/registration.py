"""Puts every game into the registries of PettingZoo and Gymnasium, and finds a game by its id."""

from typing import TYPE_CHECKING, Any

import gymnasium
from pettingzoo.env_registry.registration import aec_registry, register

from foodenvs.documents import named
from foodenvs.games import GAMES

if TYPE_CHECKING:
    from foodenvs.game import Game

NAMESPACE = "foodenvs"


def register_all() -> None:
    """Register the ids, without importing a game. A second call changes nothing."""
    for name, game_id in GAMES.ids.items():
        full_id = f"{NAMESPACE}/{game_id}"
        if full_id not in aec_registry:
            register("aec", full_id, "foodenvs:make", kwargs={"game": name})
        if full_id not in gymnasium.registry:
            # The stock wrappers would hide action_masks(); the environments keep the order themselves.
            gymnasium.register(
                full_id,
                entry_point="foodenvs.gym:SeatEnv",
                vector_entry_point="foodenvs.gym:SeatVectorEnv",
                order_enforce=False,
                disable_env_checker=True,
                kwargs={"game": name},
            )


def find_game(game: Any) -> "Game":
    """The game of an id: `scratch_catch-v0`, `scratch_catch` or `foodenvs/scratch_catch-v0`.

    A Game is itself. Raises ValueError that lists the ids.
    """
    if not isinstance(game, str):
        from foodenvs.game import Game

        if isinstance(game, Game):
            return game
        raise ValueError(f"unknown game {game!r}; there are {', '.join(GAMES.ids.values())}")
    game_id = game.removeprefix(f"{NAMESPACE}/")
    for name, listed in GAMES.ids.items():
        if game_id in (name, listed):
            return GAMES[name]
    raise ValueError(f"unknown game {game!r}; there are {', '.join(GAMES.ids.values())}")


def named_game(game: str, where: str, error: type[ValueError] = ValueError) -> "Game":
    """The game that a document names; `error` unless it is listed here (see `foodenvs.documents.named`)."""
    name = game.removeprefix(f"{NAMESPACE}/")
    named(GAMES.ids.get(name, name), "game", GAMES.ids.values(), where, None, error)
    return find_game(game)
