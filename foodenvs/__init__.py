"""Hidden-information tabletop games as PettingZoo environments, with a batched engine and baseline agents.

    import foodenvs
    env = foodenvs.make("scratch_catch-v0", players=4)

Importing this registers the games with PettingZoo; it loads neither numba nor a game.
"""

from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from foodenvs.envs.registry import find_game as _find_game
from foodenvs.envs.registry import register_all as _register_all
from foodenvs.envs.registry import register_game
from foodenvs.games import GAMES

if TYPE_CHECKING:
    from foodenvs.agents import AGENTS, make_agent
    from foodenvs.arena.play import play
    from foodenvs.core.checks import game_seed
    from foodenvs.core.errors import IllegalActionError
    from foodenvs.envs.aec import FoodEnv
    from foodenvs.envs.batch import Batch

__all__ = [
    "AGENTS",
    "GAMES",
    "IllegalActionError",
    "game_seed",
    "make",
    "make_agent",
    "make_batch",
    "play",
    "register_game",
]

try:
    __version__ = version("foodenvs")
except PackageNotFoundError:
    __version__ = "0"


def make(
    game: Any,
    *,
    illegal: str = "raise",
    max_refusals: int = 100,
    rewards: str = "win",
    raw: bool = False,
    render_mode: str | None = None,
    render_size: str = "medium",
    viewer: str | None = None,
    events: bool = False,
    components: Any = None,
    **options: Any,
) -> "FoodEnv":
    """A game as a PettingZoo AEC environment.

    game: an id (`scratch_catch-v0`, `scratch_catch`, `foodenvs/scratch_catch-v0`), or a game from outside as
    `my_module:GAME`.
    illegal: "raise", "penalize" (max_refusals times in a game) or "terminate"; rewards: "win", "score" or
    "shaped"; raw: int8 counts instead of float32 in [0, 1]; render_mode: None, "ansi", "rgb_array" or
    "human", with render_size "small", "medium" or "large" and a viewer (see `foodenvs.envs.aec.FoodEnv`);
    events: whether to tell what came of each step, in infos too (see `foodenvs.core.events`).
    components: a TOML file (or dict) whose tables replace those of the game's own `components.toml`.
    options: the game's own, see `foodenvs list` or its page.
    Raises ValueError for an unknown id or a bad value, TypeError for an unknown option.
    """
    from foodenvs.core.setup import Setup
    from foodenvs.envs.aec import FoodEnv

    setup = Setup(_find_game(game), options, components)
    return FoodEnv(
        setup,
        illegal=illegal,
        max_refusals=max_refusals,
        rewards=rewards,
        raw=raw,
        render_mode=render_mode,
        render_size=render_size,
        viewer=viewer,
        events=events,
    )


def make_batch(
    game: Any,
    num_envs: int,
    *,
    seed: int | None = 0,
    rewards: str = "win",
    illegal: str = "raise",
    max_refusals: int = 100,
    final: bool = False,
    threads: int = 1,
    components: Any = None,
    **options: Any,
) -> "Batch":
    """`num_envs` games at once, over buffers; see `foodenvs.envs.batch.Batch`. Errors as in `make`."""
    from foodenvs.core.setup import Setup
    from foodenvs.envs.batch import Batch

    setup = Setup(_find_game(game), options, components)
    return Batch(
        setup,
        num_envs,
        seed=seed,
        rewards=rewards,
        illegal=illegal,
        max_refusals=max_refusals,
        final=final,
        threads=threads,
    )


_LAZY = {
    "AGENTS": "foodenvs.agents",
    "make_agent": "foodenvs.agents",
    "play": "foodenvs.arena.play",
    "game_seed": "foodenvs.core.checks",
    "IllegalActionError": "foodenvs.core.errors",
}


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    value = getattr(importlib.import_module(_LAZY[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)


_register_all()
