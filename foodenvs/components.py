"""What lies in a game's box: the card tables of `components.toml`, checked as they are read.

A user's file replaces whole tables; tables that it leaves out are the game's own.
"""

import copy
import functools
import importlib
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from foodenvs.notation import Reader

_HERE = "components"


class ComponentsError(ValueError):
    """A component file that cannot be used; the message names file or table, key, and what is wrong."""


def load_components(home: str, given: Any = None) -> dict[str, Any]:
    """All tables of a package's game: its own, with those of a file (a path) or mapping in their place."""
    own = copy.deepcopy(_own_components(home))
    if given is None:
        return own
    tables = dict(given) if isinstance(given, Mapping) else _read(given)
    for name, table in tables.items():
        if name not in own:
            raise ComponentsError(f"{_HERE}: unknown table [{name}]; there are {', '.join(own)}")
        if type(table) is not type(own[name]):
            kind = "an array of tables" if isinstance(own[name], list) else "a table"
            raise ComponentsError(f"{_HERE}: [{name}] must be {kind}")
    return own | tables


@functools.cache
def _own_components(home: str) -> dict[str, Any]:
    file = Path(importlib.import_module(home).__file__ or "").with_name("components.toml")
    return _read(file) if file.is_file() else {}


def small_components(home: str) -> dict[str, Any]:
    """The tables of a game's small box: `small.toml` in its folder; ComponentsError if it has none."""
    return _read(Path(importlib.import_module(home).__file__ or "").with_name("small.toml"))


def _read(path: Any) -> dict[str, Any]:
    try:
        with open(path, "rb") as file:
            return tomllib.load(file)
    except OSError as error:
        raise ComponentsError(f"{_HERE}: cannot read {str(path)!r}: {error.strerror}") from error
    except TypeError as error:
        raise ComponentsError(f"{_HERE}: cannot read {path!r}: {error}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ComponentsError(f"{_HERE}: {path} is not valid TOML: {error}") from error


class Components:
    """The tables of a box. Wrong values raise ComponentsError: `components: [table] key: what is wrong`."""

    def __init__(self, tables: Mapping[str, Any]) -> None:
        self.tables = tables

    def table(self, name: str) -> Reader:
        """A table, to be read with checks."""
        return Reader(self.tables[name], f"{_HERE}: [{name}]", ComponentsError)

    def rows(self, name: str, at_most: int) -> list[Reader]:
        """The rows of an array of tables, 1 to `at_most` of them, each to be read with checks."""
        rows = self.tables[name]
        if not 1 <= len(rows) <= at_most:
            raise ComponentsError(f"{_HERE}: [{name}]: must have 1 to {at_most} rows, got {len(rows)}")
        return [
            Reader(row, f"{_HERE}: [{name}] row {number}", ComponentsError)
            for number, row in enumerate(rows, 1)
        ]
