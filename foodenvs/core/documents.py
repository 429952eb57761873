"""What comes from outside: files that others wrote, and what is sent to the server.

Such a text is read here, as plain values; `foodenvs.core.notation.Reader` then checks them key by key.
`may_name` is the one place that decides what a document may name, and `printable` what of it is printed.
"""

import json
import math
import tomllib
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

MOST_DEPTH = 40  # of lists and tables inside each other
_TOO_DEEP = f"must have at most {MOST_DEPTH} lists and tables inside each other"


# --- reading -----------------------------------------------------------------------------------


def from_json(text: str | bytes, where: str, error: type[ValueError] = ValueError) -> Any:
    """The value of a JSON text; `error`, which says where and what, unless it is plain: see `check_plain`."""
    return _parsed(json.loads, "JSON", text, where, error)


def from_toml(text: str | bytes, where: str, error: type[ValueError] = ValueError) -> dict[str, Any]:
    """The tables of a TOML text; `error`, which says where and what, unless it is plain."""
    tables: dict[str, Any] = _parsed(tomllib.loads, "TOML", text, where, error)
    return tables


def toml_file(path: Any, error: type[ValueError] = ValueError) -> dict[str, Any]:
    """The tables of a TOML file; `error`, which says where and what, unless it can be read and is plain."""
    try:
        text = Path(path).read_bytes()
    except (OSError, ValueError) as problem:
        raise error(f"{path}: cannot be read: {getattr(problem, 'strerror', problem)}") from problem
    return from_toml(text, str(path), error)


def _parsed(
    parse: Callable[[str], Any], form: str, text: str | bytes, where: str, error: type[ValueError]
) -> Any:
    try:
        value = parse(text.decode() if isinstance(text, bytes) else text)
    except RecursionError:
        raise error(f"{where}: {_TOO_DEEP}") from None
    except ValueError as problem:
        raise error(f"{where}: is not valid {form}: {problem}") from None
    check_plain(value, where, error)
    return value


def check_plain(value: Any, where: str, error: type[ValueError] = ValueError) -> None:
    """Raise `error`, which names the place, unless a value can be written as JSON and read by anybody.

    Allowed are tables with keys of text, lists, text, true, false, null, whole numbers of 64 bits and finite
    numbers, at most `MOST_DEPTH` tables and lists inside each other.
    """
    if problem := not_plain(value):
        raise error(f"{where}: {problem}")


def not_plain(value: Any, depth: int = 0) -> str:
    """What is wrong, after the keys and numbers (from 1) that lead there; "" for plain values."""
    kind = type(value)
    if kind is dict or kind is list:
        if depth == MOST_DEPTH:
            return _TOO_DEEP
        for key, item in value.items() if kind is dict else enumerate(value, 1):
            if kind is dict and (type(key) is not str or not_plain(key, depth)):
                return f"a key must be text, got {key!r}"
            if problem := not_plain(item, depth + 1):
                return f"{printable(key)}: {problem}"
        return ""
    if kind is str:
        return "" if value.isascii() or _encodable(value) else f"must be whole characters, got {value!r}"
    if kind is int:
        return "" if -(2**63) <= value < 2**63 else "must be a number of 64 bits"
    if kind is float:
        return "" if math.isfinite(value) else f"must be a finite number, got {value!r}"
    return (
        "" if kind is bool or value is None else f"must be text, a number, a list or a table, got {value!r}"
    )


def whole(text: str) -> str:
    """Text of an agent's making as a document can hold it: halves of characters as escapes."""
    return text.encode(errors="backslashreplace").decode()


def _encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


# --- writing -----------------------------------------------------------------------------------


def write(path: Any, text: str | bytes) -> None:
    """Write a file, text as UTF-8; OSError that names it where that cannot be done, as on a full disk."""
    try:
        Path(path).write_bytes(text.encode() if isinstance(text, str) else text)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error


# --- printing ----------------------------------------------------------------------------------


def printable(text: Any) -> str:
    """Text that others wrote (names, messages) as it may be printed, on one line.

    Control characters, line ends, marks of direction and halves of characters become escapes like \\x1b: they
    could pass for lines of ours, hide them, or command the terminal.
    """
    text = str(text)
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


# --- naming ------------------------------------------------------------------------------------


def may_name(name: Any, known: Collection[str]) -> bool:
    """Whether a document may name this: an id among `known`, with or without options after a colon.

    Everything else is the way to a module, a file or a policy of this machine, and is the user's to name.
    """
    return isinstance(name, str) and (name in known or name.partition(":")[0] in known)


def named(
    name: Any,
    what: str,
    known: Collection[str],
    where: str,
    allow_code: bool | None = False,
    error: type[ValueError] = ValueError,
) -> Any:
    """A name that a document gives, if it may (see `may_name`) or the user allows it anything.

    what: is named; where: the document and the place in it; allow_code: None where nobody can allow it.
    Raises `error` that says what was named, what may be, and how to allow it.
    """
    if allow_code or may_name(name, known):
        return name
    may = f"it may name {', '.join(known)}" if known else "it may name none"
    how = "" if allow_code is None else "; --allow-code (in Python: allow_code=True) lets it name any"
    raise error(f"{where}: names the {what} {name!r}; {may}{how}")
