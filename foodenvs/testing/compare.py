"""Exact comparison of what environments return: values of any nesting, arrays and plain objects."""

import copy
import itertools
import pickle
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

Difference = tuple[str, Any, Any]
_NOTHING = object()


def frozen(value: Any) -> Any:
    """A deep copy, so that what is written into the original later does not show."""
    if isinstance(value, np.ndarray) and not value.dtype.hasobject:
        return value.copy()
    if value is None or isinstance(value, (bool, int, float, str, bytes, np.generic)):
        return value
    if type(value) is dict:
        return {key: frozen(item) for key, item in value.items()}
    if type(value) in (list, tuple):
        return type(value)(frozen(item) for item in value)
    try:
        return copy.deepcopy(value)
    except Exception:
        return repr(value)


def difference(a: Any, b: Any, path: str = "") -> Difference | None:
    """The first difference: where (as Python source to append to the name of either), and both values.

    Arrays differ by dtype, shape or any entry; NaN equals NaN; 1 and 1.0 and True differ.
    """
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return _array_difference(a, b, path)
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        if list(a) != list(b):
            return f"{path}.keys()", list(a), list(b)
        return _first(difference(a[key], b[key], f"{path}[{key!r}]") for key in a)
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)) and type(a) is type(b):
        if len(a) != len(b):
            return path, a, b
        return _first(difference(x, y, f"{path}[{i}]") for i, (x, y) in enumerate(zip(a, b, strict=True)))
    return None if _same(a, b) else (path, a, b)


def places_apart(a: Any, b: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The ways to all places in which two dicts or lists differ; what only one of them has is one place."""
    if isinstance(a, dict) and isinstance(b, dict):
        pairs = {key: (a.get(key, _NOTHING), b.get(key, _NOTHING)) for key in a | b}
    elif isinstance(a, list) and isinstance(b, list):
        pairs = dict(enumerate(itertools.zip_longest(a, b, fillvalue=_NOTHING)))
    else:
        if difference(a, b):
            yield path
        return
    for key, (x, y) in pairs.items():
        yield from places_apart(x, y, (*path, key))


def _array_difference(a: Any, b: Any, path: str) -> Difference | None:
    if type(a) is not type(b):
        return path, a, b
    for name in ("dtype", "shape"):
        if getattr(a, name) != getattr(b, name):
            return f"{path}.{name}", getattr(a, name), getattr(b, name)
    if a.dtype.hasobject:
        return difference(a.tolist(), b.tolist(), f"{path}.tolist()")
    if a.tobytes() == b.tobytes():
        return None
    unequal = a != b
    if a.dtype.kind == "f":
        unequal &= ~(np.isnan(a) & np.isnan(b))
    if not unequal.any():
        return None
    at = tuple(int(i[0]) for i in np.nonzero(unequal))
    return f"{path}[{', '.join(map(str, at))}]" if at else f"{path}.item()", a[at].item(), b[at].item()


def _first(differences: Any) -> Difference | None:
    return next((d for d in differences if d is not None), None)


def _same(a: Any, b: Any) -> bool:
    if a is b:
        return True
    if type(a) is not type(b):
        return False
    if isinstance(a, float) and a != a:
        return bool(b != b)
    try:
        if bool(a == b):
            return True
    except Exception:
        return False
    identity: Any = object.__eq__
    if type(a).__eq__ is identity:
        return _pickled(a) == _pickled(b)
    return False


def _pickled(value: Any) -> Any:
    try:
        return pickle.dumps(value)
    except Exception:
        return type(value)


def short(value: Any, length: int = 120) -> str:
    """`repr`, cut in the middle where it is long."""
    text = repr(value)
    return text if len(text) <= length else f"{text[: length // 2]} ... {text[-length // 2 :]}"
