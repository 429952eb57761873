"""Arrays of records that mean the same compiled and in pure mode (`NUMBA_DISABLE_JIT=1`).

numba reads `s.hand[k]` as a signed 64-bit integer. Plain numpy would give an `np.int8`, whose sums
overflow. The record classes here give Python ints instead, so the same source computes the same, and a
value that does not fit its field raises OverflowError in pure mode (compiled code wraps without a word).
"""

import functools
from collections.abc import Collection, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foodenvs.engine.jit import PURE

Record = Any  # a box or a state; its attributes are made at run time, so no type checker knows them
Records = np.ndarray  # of boxes, states or nodes
Int8s = NDArray[np.int8]
Int64s = NDArray[np.int64]
Floats = NDArray[np.float64]
Float32s = NDArray[np.float32]
Bools = NDArray[np.bool_]
Stream = NDArray[np.uint32]  # [..., 4] random streams


class _Field(np.ndarray):
    """An array field of a record: its items are Python ints, its rows are such fields again."""

    def __getitem__(self, key: Any) -> Any:
        indices = len(key) if type(key) is tuple else type(key) is int
        try:
            item = self.item(key) if indices == self.ndim else super().__getitem__(key)
        except TypeError:  # of a slice among the indices
            item = super().__getitem__(key)
        return item.item() if isinstance(item, np.generic) else item

    def __iter__(self) -> Any:
        return map(self.item if self.ndim == 1 else self.__getitem__, range(len(self)))


class _Records(np.ndarray):
    """An array of records that know their place in it."""

    def __getitem__(self, key: Any) -> Any:
        item = super().__getitem__(key)
        if isinstance(item, np.void):
            item.__dict__[_PLACE] = self, key
        return item

    def __iter__(self) -> Any:
        return map(self.__getitem__, range(len(self)))


_PLACE = "in, at"  # in the dict of a record; no name of a field


def record_dtype(fields: Iterable[tuple[Any, ...]]) -> np.dtype:
    """A record of fields (name, type) or (name, type, shape): large types first, the end filled with `pad`.

    So every field is aligned and no byte is hidden: equal records have equal bytes.
    """
    wide = {name: np.dtype((kind, *shape)) if shape else np.dtype(kind) for name, kind, *shape in fields}
    order = sorted(wide, key=lambda name: -_unit(wide[name]))
    size, unit = sum(kind.itemsize for kind in wide.values()), max(map(_unit, wide.values()))
    padding = [("pad", np.int8, -size % unit)] if size % unit else []
    return np.dtype([*((name, wide[name]) for name in order), *padding])


def _unit(kind: np.dtype) -> int:
    """The bytes of one number of a type: of a record, of its first field."""
    return _unit(kind.base[0]) if kind.base.names else kind.base.itemsize


def zeros(n: int, dtype: np.dtype) -> np.ndarray:
    """[n] records of `dtype`, all bytes zero. In pure mode their items have attributes."""
    array = np.zeros(n, dtype)
    return attributes(array) if PURE else array


def attributes(records: np.ndarray) -> np.ndarray:
    """The same memory, seen from Python as records with attributes: `attributes(states)[0].turn`."""
    return records.view(_with_attributes(records.dtype), _Records)


@functools.cache
def _with_attributes(dtype: np.dtype) -> np.dtype:
    """A record type of these fields, each an attribute; the scalar ones are Python ints or bools.

    `np.record` looks each up by its name, in some microseconds, and rules and views read many thousands.
    """
    assert dtype.names is not None
    fields = {name: _attribute(name, dtype[name]) for name in dtype.names}

    def set_attribute(record: Any, name: str, value: Any) -> None:
        if name not in fields:
            lack(record, name)
        object.__setattr__(record, name, value)

    def lack(record: Any, name: str) -> Any:
        raise AttributeError(f"{_whose(fields)} no field {name!r}; it has: {', '.join(fields)}")

    attributes = fields | {"__setattr__": set_attribute, "__getattr__": lack}
    return np.dtype((type("Record", (np.void,), attributes), dtype))


def _whose(fields: Collection[str]) -> str:
    """Which record has these fields, to say of it; what all have is in `foodenvs.core.game`."""
    if {"rng", "turn", "done"} <= {*fields}:
        return "the state has"
    return "the box has" if {"players", "teams"} <= {*fields} else "box.at has"


def _attribute(name: str, kind: np.dtype) -> property:
    def field(record: Any) -> Any:
        kept = record.__dict__  # no view of the record itself: that would keep it, and it the view, for ever
        if name not in kept:
            records, at = kept[_PLACE]
            part = records.view(np.ndarray)[name]
            kept[name] = attributes(part)[at] if kind.names else part[at, ...].view(_Field)
        return kept[name]

    def scalar(record: Any) -> Any:
        return field(record).item()

    def write(record: Any, value: Any) -> None:
        field(record)[...] = value

    return property(field if kind.names or kind.shape else scalar, write)
