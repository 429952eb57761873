"""What foodenvs uses of numba's inside, and whether it is there."""

import pkgutil
from collections.abc import Mapping, Sequence


def need(used: Mapping[str, Sequence[str]]) -> None:
    """ImportError, with their names, where some of numba's private parts are missing.

    used: owner, as "module" or "module:class", to the names in it; of a class also those of attributes that
        its constructor sets.
    """
    gone = [f"{owner}.{name}" for owner, names in used.items() for name in names if not _has(owner, name)]
    if gone:
        raise ImportError(", ".join(gone).replace(":", "."))


def _has(owner: str, name: str) -> bool:
    try:
        found = pkgutil.resolve_name(owner)
    except (ImportError, AttributeError):
        return False
    constructors = [vars(kind).get("__init__") for kind in getattr(found, "__mro__", ())]
    return hasattr(found, name) or any(
        name in made.__code__.co_names for made in constructors if hasattr(made, "__code__")
    )
