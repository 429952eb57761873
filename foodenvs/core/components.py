"""What lies in a game's box: the card tables of `components.toml`, checked as they are read.

A user's file replaces whole tables; tables that it leaves out are the game's own.
"""

import copy
import functools
import importlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from foodenvs.core.documents import check_plain, toml_file
from foodenvs.core.notation import Reader, shown

_HERE = "components"


class ComponentsError(ValueError):
    """Components that cannot be used; the message names the file, the table, the key, and what is wrong."""


def load_components(home: str, given: Any = None) -> dict[str, Any]:
    """All tables of a package's game: its own, with those of a file (a path) or mapping in their place."""
    own = copy.deepcopy(_own_components(home))
    if given is None:
        return own
    where = _HERE
    if isinstance(given, Mapping):
        tables = dict(given)
        check_plain(tables, where, ComponentsError)
    elif isinstance(given, (str, os.PathLike)):
        tables, where = toml_file(given, ComponentsError), str(given)
    else:
        raise ComponentsError(f"{where} must be a file or tables, got {shown(given)}")
    for name, table in tables.items():
        if name not in own:
            raise ComponentsError(f"{where}: unknown table [{name}]; there are {', '.join(own)}")
        if type(table) is not type(own[name]):
            kind = "an array of tables" if isinstance(own[name], list) else "a table"
            raise ComponentsError(f"{where}: [{name}] must be {kind}")
    return own | tables


@functools.cache
def _own_components(home: str) -> dict[str, Any]:
    file = Path(importlib.import_module(home).__file__ or "").with_name("components.toml")
    return toml_file(file, ComponentsError) if file.is_file() else {}


def small_components(home: str) -> dict[str, Any]:
    """The tables of a game's small box: `small.toml` in its folder; ComponentsError if it has none."""
    return toml_file(
        Path(importlib.import_module(home).__file__ or "").with_name("small.toml"), ComponentsError
    )


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
