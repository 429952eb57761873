"""Positions and names as text and JSON: the part that all games share.

A game's `words.py` says which keys its positions have; here is how values are read, with errors that name
the key, and how seats are called.
"""

import textwrap
from collections.abc import Collection, Mapping
from typing import Any

from foodenvs.core.documents import printable

NONE = "none"
UNKNOWN = "?"
WIDTH = 80  # columns of the table as text
_REQUIRED = object()
_KINDS = {
    int: "a whole number",
    float: "a number",
    str: "a string",
    list: "a list",
    bool: "true or false",
    dict: "a table",
}
_MOST_SHOWN = 100  # characters of a wrong value in a message


class PositionError(ValueError):
    """A position that cannot be set up; the message names the key and what is wrong with it."""


def folded(text: str, indent: str = "    ") -> list[str]:
    """A text in lines of at most WIDTH columns, broken at spaces; indent: of all lines but the first."""
    return textwrap.wrap(text, WIDTH, subsequent_indent=indent, break_on_hyphens=False)


def seat_name(seat: int) -> str:
    """`player_0` ..; `none` for -1."""
    return NONE if seat < 0 else f"player_{seat}"


def seat_number(name: str) -> int:
    """The inverse of `seat_name`; ValueError for any other text."""
    if name == NONE:
        return -1
    number = name.removeprefix("player_")
    if not (number.isdecimal() and seat_name(int(number)) == name):
        raise ValueError(f"{name!r} is no seat")
    return int(number)


def shown(value: Any) -> str:
    """A wrong value as a message shows it, cut off where it is long."""
    text = repr(value)
    return text if len(text) <= _MOST_SHOWN else text[:_MOST_SHOWN] + " ..."


class Reader:
    """A table of a TOML or JSON document, read with checks.

    Every method returns the checked value of a key, or `default` (unchecked) where the key is missing and a
    default is given; else it raises `error`, whose message starts with `where` and names the key.
    """

    def __init__(
        self,
        data: Mapping[str, Any],
        where: str,
        error: type[ValueError] = PositionError,
        known: Collection[str] | None = None,
    ) -> None:
        self.data, self.where, self.error = data, where, error
        if not isinstance(data, Mapping):
            raise error(f"{where}: must be a table, got {shown(data)}")
        for key in data:
            if known is not None and key not in known:
                raise self.fail(key, f"unknown key; there are {', '.join(known)}")

    def fail(self, key: str, what: str) -> ValueError:
        """The error to raise for a key: `where: key: what`."""
        return self.error(f"{self.where}: {printable(key)}: {what}" if key else f"{self.where}: {what}")

    def __contains__(self, key: str) -> bool:
        return key in self.data

    def any(self, key: str) -> Any:
        """A value of whatever type."""
        if key not in self.data:
            raise self.fail(key, "is missing")
        return self.data[key]

    def get(self, key: str, kind: type, default: Any = _REQUIRED) -> Any:
        """A value of exactly this type; of float, a whole number too."""
        if key not in self.data:
            if default is _REQUIRED:
                raise self.fail(key, "is missing")
            return default
        return self._typed(key, self.data[key], kind)

    def _typed(self, key: str, value: Any, kind: type) -> Any:
        if type(value) is not kind and not (kind is float and type(value) is int):
            raise self.fail(key, f"must be {_KINDS.get(kind, kind.__name__)}, got {shown(value)}")
        return value

    def _bounded(self, key: str, value: Any, low: float, high: float, kind: type = int) -> Any:
        number = self._typed(key, value, kind)
        if not low <= number <= high:
            raise self.fail(key, f"must be {low} to {high}, got {number}")
        return number

    def integer(self, key: str, low: int, high: int, default: Any = _REQUIRED) -> Any:
        """A whole number from low to high."""
        value = self.get(key, int, default)
        return self._bounded(key, value, low, high) if key in self.data else value

    def number(self, key: str, low: float, high: float, default: Any = _REQUIRED) -> Any:
        """A number, whole or not, from low to high."""
        value = self.get(key, float, default)
        return self._bounded(key, value, low, high, float) if key in self.data else value

    def table(self, key: str, known: Collection[str] | None = None, default: Any = _REQUIRED) -> "Reader":
        """A table in this one, to be read with the same checks."""
        return Reader(self.get(key, dict, default), f"{self.where}: {key}", self.error, known)

    def tables(
        self, key: str, one: str, known: Collection[str] | None = None, default: Any = _REQUIRED
    ) -> "list[Reader]":
        """A list of tables, each to be read with the same checks; one: what to call one of them."""
        return [
            Reader(row, f"{self.where}: {one} {number}", self.error, known)
            for number, row in enumerate(self.get(key, list, default), 1)
        ]

    def items(self, key: str, count: int | None, kind: type | None, default: Any = _REQUIRED) -> Any:
        """A list of `count` values (None: any number) of one type (None: of whatever type)."""
        values = self.get(key, list, default)
        if key in self.data:
            if count is not None and len(values) != count:
                raise self.fail(key, f"must have {count} entries, got {len(values)}")
            for value in values:
                self._typed(key, value, kind or type(value))
        return values

    def integers(self, key: str, count: int | None, low: int, high: int, default: Any = _REQUIRED) -> Any:
        """A list of `count` whole numbers from low to high; ValueError for a default of another length."""
        values = self.items(key, count, int, default)
        if key in self.data:
            for value in values:
                self._bounded(key, value, low, high)
        elif count is not None and len(values) != count:
            raise ValueError(f"the default of {key!r} must have {count} entries, got {shown(values)}")
        return values

    def choice(self, key: str, choices: Collection[str], default: Any = _REQUIRED) -> Any:
        """One of some strings."""
        value = self.get(key, str, default)
        if key in self.data and value not in choices:
            raise self.fail(key, f"must be one of {', '.join(choices)}, got {value!r}")
        return value

    def seat(self, key: str, players: int, default: Any = _REQUIRED) -> Any:
        """The number of a seat given by name; -1 for "none"."""
        names = [seat_name(seat) for seat in range(-1, players)]
        value = self.choice(key, names, default)
        return seat_number(value) if key in self.data else value
