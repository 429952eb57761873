"""Which variants of one of our games to check: every two values of options and keywords meet once."""

import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

MOST_VALUES = (
    12  # of one option; of a longer range its ends, and longer tables meet others value by value only
)

Row = tuple[int, ...]  # the number of the value of each name


def configurations(game: Any, fixed: Mapping[str, Any] | None = None) -> list[dict[str, Any]]:
    """Keyword arguments for `foodenvs.make`, the game included, in which all pairs of values occur.

    The values are those of the game's options (one that is checked by a function keeps its default) and of
    `illegal`, `max_refusals`, `rewards` and `raw`. fixed: values that are given. Combinations that the game
    refuses are left out; ValueError where it refuses all.
    """
    from foodenvs.core.checks import ILLEGAL, REWARDS
    from foodenvs.envs.registry import find_game
    from foodenvs.games import GAMES

    game = find_game(game)
    keywords = {"illegal": ILLEGAL, "max_refusals": (100, 2), "rewards": REWARDS, "raw": (False, True)}
    return [{"game": GAMES.everywhere(game), **row} for row in _rows(game, keywords, fixed or {})]


def option_sets(game: Any) -> list[dict[str, Any]]:
    """Options of a game (a `Game`), all by name, in which all pairs of values that it allows occur."""
    return _rows(game, {}, {})


def _rows(game: Any, keywords: Mapping[str, Sequence[Any]], fixed: Mapping[str, Any]) -> list[dict[str, Any]]:
    from foodenvs.core.setup import Setup

    values: dict[str, Sequence[Any]] = {name: option_values(option) for name, option in game.options.items()}
    values |= keywords
    values |= {name: [value] for name, value in fixed.items()}

    def options(row: Mapping[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in row.items() if name in game.options}

    def possible(row: Mapping[str, Any]) -> bool:
        try:
            Setup(game, options(row))
        except ValueError:
            return False
        return True

    rows = pairwise(values, possible)
    if not rows:
        Setup(game, options(fixed))  # says why not
        raise ValueError(f"{game.id} cannot be played with {options(fixed)}")
    return rows


def option_values(option: Any) -> list[Any]:
    """The values of an option, its default first."""
    if not isinstance(option.allowed, (range, tuple)):
        return [option.default]
    allowed = list(option.allowed)
    if isinstance(option.allowed, range) and len(allowed) > MOST_VALUES:
        allowed = [allowed[0], allowed[-1]]
    return [option.default, *(value for value in allowed if value != option.default)]


def pairwise(
    values: Mapping[str, Sequence[Any]], possible: Callable[[dict[str, Any]], bool] = lambda row: True
) -> list[dict[str, Any]]:
    """Few rows, one value for each name, in which every possible pair of values of two names occurs.

    The first row has the first values. Each further one starts from a pair that was not met yet and takes
    for every other name the value that meets most; first values where the game refuses that. Of a name with
    more than MOST_VALUES values each occurs, but not each with every other.
    """
    names = list(values)
    sizes = [len(values[name]) for name in names]

    def named(row: Row) -> dict[str, Any]:
        return {name: values[name][k] for name, k in zip(names, row, strict=True)}

    short = [name for name, size in enumerate(sizes) if size <= MOST_VALUES]
    unmet = {
        ((a, i), (b, j)): None
        for a, b in itertools.combinations(short, 2)
        for i, j in itertools.product(range(sizes[a]), range(sizes[b]))
    }
    for name in set(range(len(names))) - set(short):
        unmet |= {((name, i), (name, i)): None for i in range(sizes[name])}
    rows: list[Row] = []

    def take(row: Row) -> None:
        rows.append(row)
        for a, b in itertools.combinations_with_replacement(range(len(names)), 2):
            unmet.pop(((a, row[a]), (b, row[b])), None)

    first = (0,) * len(names)
    if possible(named(first)):
        take(first)
    while unmet:
        pair = next(iter(unmet))
        candidates = (_full(pair, sizes, unmet), _full(pair, sizes, {}))
        found = next((row for row in candidates if possible(named(row))), None)
        if found is None:
            del unmet[pair]
        else:
            take(found)
    return [named(row) for row in rows]


def _full(pair: Any, sizes: Sequence[int], unmet: Mapping[Any, None]) -> Row:
    """A row with a pair of values, and for every other name the value that meets most unmet pairs."""
    row = dict(pair)
    for name, size in enumerate(sizes):
        if name in row:
            continue

        def meets(k: int, name: int = name) -> int:
            others = [*row.items(), (name, k)]
            return sum(tuple(sorted(((name, k), other))) in unmet for other in others)

        row[name] = max(range(size), key=meets)
    return tuple(row[name] for name in range(len(sizes)))
