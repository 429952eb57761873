"""The ladder: a standing table in a file. A new agent plays only what is missing."""

from collections.abc import Callable, Sequence
from pathlib import Path

from foodenvs.agents import AGENTS
from foodenvs.arena.results import Results, read_header
from foodenvs.arena.tournament import Tournament, lineups_of, tournament
from foodenvs.core.documents import named
from foodenvs.core.notation import Reader
from foodenvs.core.setup import Setup
from foodenvs.envs.registry import named_game

__all__ = ["ladder", "lineups_of", "members", "open_ladder"]


def open_ladder(path: Path, setup: Setup | None, seed: int | None, seconds: float | None) -> Results:
    """The results file of a ladder. A new one needs a set-up; an old one knows its own.

    Raises ValueError where what is given is not what the file was played with.
    """
    if not (path.exists() and path.stat().st_size):
        if setup is None:
            raise ValueError(f"{path}: there is no such ladder yet; give --game to begin one")
        return Results(path, setup, seed or 0, seconds)
    header = Reader(read_header(path), f"{path}: line 1", ValueError)
    if setup is None:
        setup = _setup_of(header)
    if seed is None:
        seed = header.integer("seed", 0, 2**63 - 1)
    if seconds is None and header.data.get("seconds") is not None:
        seconds = header.number("seconds", 0, 1e9)
    return Results(path, setup, seed, seconds)


def _setup_of(header: Reader) -> Setup:
    """What the ladder of a header is played with."""
    tables = header.data.get("components")
    if isinstance(tables, str):
        named(tables, "file of components", (), header.where, None)
    game = named_game(header.get("game", str), header.where)
    tables = None if tables is None else header.get("components", dict)
    try:
        return Setup(game, header.get("options", dict), tables)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{header.where}: {error}") from None


def members(results: Results, agents: Sequence[str], allow_code: bool = False) -> list[str]:
    """The agents of a ladder so far, and the new ones.

    allow_code: whether the file may name other agents than those of the library and the new ones; they are
    run. ValueError if it does and may not.
    """
    listed = [name for lineup in results.lineups for name in lineup]
    for name in listed:
        named(name, "agent", [*AGENTS, *agents], str(results.path), allow_code)
    return list(dict.fromkeys([*listed, *agents]))


def ladder(
    results: Results,
    agents: Sequence[str],
    deals: int | None = None,
    *,
    workers: int = 1,
    progress: Callable[..., None] | None = None,
) -> Tournament:
    """The round robin of `agents`, after playing what is missing of it.

    deals: for each line-up; None for as many as the ladder's longest (100 in a new one).
    """
    longest = max((len(results.dealt(lineup)) for lineup in results.lineups), default=100)
    return tournament(results.setup, agents, deals or longest, results, workers=workers, progress=progress)
