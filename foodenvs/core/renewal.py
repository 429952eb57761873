"""Positions in the keys of the version before, in those of today.

A game's words may list under RENAMED what has moved: (old path, new path, change of the value). A path is
made of keys, and of `*` for each place of a list: `seats.*.plan`, `plans.*`. Where a value goes by others, a
row may be a function that changes a whole view and returns the old paths it found.
"""

import copy
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from foodenvs.core.notation import seat_name

Row = tuple[str, str, Callable[[Any], Any]] | Callable[[dict[str, Any]], list[str]]
Renamed = tuple[Row, ...]


def the_same(value: Any) -> Any:
    """Where only the key has changed."""
    return value


def by_name(value: Any) -> Any:
    """Where a seat had its number: its name, "none" for -1."""
    return seat_name(value) if type(value) is int else value


def renewed(view: Mapping[str, Any], table: Renamed) -> tuple[dict[str, Any], list[str]]:
    """A position in today's keys, and the old paths that it had."""
    new, old_paths = copy.deepcopy(dict(view)), []
    for row in table:
        if callable(row):
            old_paths += row(new)
            continue
        old, path, change = row
        for places, value in list(_found(new, old.split("."), ())):
            changed = change(value)
            if old == path and changed is value:
                continue
            if old != path:
                _remove(new, old.split("."), places)
            _put(new, path.split("."), places, changed)
            old_paths += [old] if old not in old_paths else []
    return new, old_paths


def renewed_path(path: str, value: Any, table: Renamed) -> tuple[str, Any]:
    """A dotted path into a view, with its value, in today's keys as far as rows of paths tell them."""
    parts = path.split(".")
    for old, new, change in (row for row in table if not callable(row)):
        pattern = old.split(".")
        if len(pattern) <= len(parts) and all(
            one == other or (one == "*" and other.isdigit())
            for one, other in zip(pattern, parts, strict=False)
        ):
            places = iter([part for one, part in zip(pattern, parts, strict=False) if one == "*"])
            moved = [next(places) if part == "*" else part for part in new.split(".")]
            whole = len(pattern) == len(parts)
            return ".".join(moved + parts[len(pattern) :]), change(value) if whole else value
    return path, value


def _found(data: Any, path: list[str], places: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], Any]]:
    """The values at a path, each with its places in the lists that `*` stands for."""
    if not path:
        yield places, data
    elif path[0] == "*" and isinstance(data, list):
        for place, item in enumerate(data):
            yield from _found(item, path[1:], (*places, place))
    elif isinstance(data, Mapping) and path[0] in data:
        yield from _found(data[path[0]], path[1:], places)


def _remove(data: Any, path: list[str], places: tuple[int, ...]) -> None:
    of_lists = iter(places)
    for part in path[:-1]:
        data = data[next(of_lists) if part == "*" else part]
    del data[path[-1]]


def _put(data: Any, path: list[str], places: tuple[int, ...], value: Any) -> None:
    """Set the value at a path; what is missing on the way is made, list places before it open."""
    of_lists = iter(places)
    for k, part in enumerate(path):
        key: Any = next(of_lists) if part == "*" else part
        if isinstance(data, list):
            data.extend([None] * (key + 1 - len(data)))
        if k == len(path) - 1:
            data[key] = value
            return
        missing = data[key] is None if isinstance(data, list) else key not in data
        if missing:
            data[key] = [] if path[k + 1] == "*" else {}
        data = data[key]
