"""What comes from outside: files that others wrote, and what is sent to the server.

`may_name` is the one place that decides what such a document may name.
"""

from collections.abc import Collection
from typing import Any


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
