"""Arrays of records that mean the same compiled and in pure mode (`NUMBA_DISABLE_JIT=1`).

numba reads `s.hand[k]` as a signed 64-bit integer. Plain numpy would give an `np.int8`, whose sums
overflow. The record classes here give Python ints instead, so the same source computes the same, and a
value that does not fit its field raises OverflowError in pure mode (compiled code wraps without a word).
"""

from typing import Any

import numpy as np

from foodenvs.engine.jit import PURE


class _Field(np.ndarray):
    """An array field of a record: its items are Python ints, its rows are such fields again."""

    def __getitem__(self, key: Any) -> Any:
        item = super().__getitem__(key)
        return item.item() if isinstance(item, np.generic) else item

    def __iter__(self) -> Any:
        return (self[i] for i in range(len(self)))


class _Record(np.record):  # type: ignore[misc]
    """A record with attribute access, whose scalar fields are Python ints or bools."""

    def __getattribute__(self, name: str) -> Any:
        field = np.void.__getattribute__(self, "dtype").fields.get(name)
        if field is None:
            return np.void.__getattribute__(self, name)
        item = self.getfield(*field[:2])
        return item.view(_Field) if item.shape else item.item()


def zeros(n: int, dtype: np.dtype) -> np.ndarray:
    """[n] records of `dtype`, all bytes zero. In pure mode their items have attributes."""
    array = np.zeros(n, dtype)
    return attributes(array) if PURE else array


def attributes(records: np.ndarray) -> np.ndarray:
    """The same memory, seen from Python as records with attributes: `attributes(states)[0].turn`."""
    return records.view(np.dtype((_Record, records.dtype)))
