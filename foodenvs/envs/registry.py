"""Puts every game into the registries of PettingZoo and Gymnasium, and finds a game by its id."""

import contextlib
import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import gymnasium
from pettingzoo.env_registry.registration import aec_registry, register

from foodenvs.core.documents import named
from foodenvs.core.errors import told
from foodenvs.games import GAMES

if TYPE_CHECKING:
    from foodenvs.core.game import Game

NAMESPACE = "foodenvs"


def register_all() -> None:
    """Register the ids, without importing a game. A second call changes nothing."""
    for name in GAMES:
        _register(name)


def _register(name: str) -> None:
    full_id = f"{NAMESPACE}/{GAMES.ids[name]}"
    if full_id not in aec_registry:
        register("aec", full_id, "foodenvs:make", kwargs={"game": name})
    if full_id not in gymnasium.registry:
        # The stock wrappers would hide action_masks(); the environments keep the order themselves.
        gymnasium.register(
            full_id,
            entry_point="foodenvs.envs.gym:SeatEnv",
            vector_entry_point="foodenvs.envs.gym:SeatVectorEnv",
            order_enforce=False,
            disable_env_checker=True,
            kwargs={"game": name},
        )


def register_game(game: Any) -> "Game":
    """Make a game from outside known by its id, in every function, command and file; returns it.

    game: a `Game`, or where it is: `my_module:GAME`, `path/to/my_module.py:GAME`. A second call changes
    nothing. Raises ValueError for what is no game, and for a name that another game has.
    """
    found = load(game) if isinstance(game, str) else game
    if not _is_game(found):
        raise ValueError(f"{game!r} is no foodenvs.core.game.Game")
    GAMES.add(found)
    _register(found.name)
    return found


def find_game(game: Any) -> "Game":
    """The game of an id: `scratch_catch-v0`, `scratch_catch` or `foodenvs/scratch_catch-v0`.

    A Game is itself; one from outside, named `my_module:GAME`, is registered. Raises ValueError that lists
    the ids.
    """
    if isinstance(game, str):
        game_id = game.removeprefix(f"{NAMESPACE}/")
        for name, listed in GAMES.ids.items():
            if game_id in (name, listed):
                return GAMES[name]
        if ":" in game:
            return register_game(game)
    elif _is_game(game):
        return game
    raise ValueError(
        f"unknown game {game!r}; there are {', '.join(GAMES.ids.values())}, and my_module:GAME from outside"
    )


def named_game(game: str, where: str, error: type[ValueError] = ValueError) -> "Game":
    """The game that a document names; `error` unless it is listed here (see `named` of documents)."""
    name = game.removeprefix(f"{NAMESPACE}/")
    named(GAMES.ids.get(name, name), "game", GAMES.ids.values(), where, None, error)
    return find_game(game)


def _is_game(game: Any) -> bool:
    from foodenvs.core.game import Game

    return isinstance(game, Game)


def load(address: str) -> Any:
    """What is called so in a module: `my_module:name`, `path/to/my_module.py:name`, `my_module:Class.name`.

    Modules in the working directory, and those beside a file, are found too, and then by every process that
    this one starts. Raises ValueError for a file or a name that is not there, and for a module that cannot
    be imported, with the line.
    """
    where, _, name = address.rpartition(":")
    if not (where and name):
        raise ValueError(f"{address!r} is not written module:name")
    file = Path(where)
    in_a_file = file.suffix == ".py"
    if in_a_file and not file.is_file():
        raise ValueError(f"{address}: there is no file {file}")
    try:
        with _looking_in(file.resolve().parent if in_a_file else Path.cwd()):
            module = importlib.import_module(file.stem if in_a_file else where)
    except (Exception, SystemExit) as error:
        raise ValueError(f"{address}: {told(error)}") from error
    if in_a_file and Path(module.__file__ or "").resolve() != file.resolve():
        raise ValueError(f"{address}: {file.stem} is the name of another module; rename the file")
    found: Any = module
    for part in name.split("."):
        if not hasattr(found, part):
            raise ValueError(f"{address}: {where} has no {name}")
        found = getattr(found, part)
    return found


@contextlib.contextmanager
def _looking_in(folder: Path) -> Iterator[None]:
    """Find modules in this folder first, as `python FILE` and `python -m` do, and from then on last.

    So what is imported later, and by other processes, is found too, and takes no name from any other module.
    """
    if folder in map(Path.absolute, map(Path, sys.path)):
        yield
        return
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))
    sys.path.append(str(folder))
