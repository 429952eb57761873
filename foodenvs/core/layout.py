"""The observation of a game, declared once: its fields by name, and where each stands."""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Field:
    """One named slice of an observation: shape, the least and greatest value of each entry, meaning.

    low, high: whole numbers in int8, or nested sequences of `shape`.
    """

    name: str
    shape: tuple[int, ...]
    low: Any
    high: Any
    meaning: str

    @property
    def size(self) -> int:
        """The number of entries."""
        return int(np.prod(self.shape))

    def scaled(self, values: np.ndarray) -> np.ndarray:
        """Its values as float32 in [0, 1], in one row."""
        low = np.broadcast_to(np.asarray(self.low, np.float32), self.shape)
        span = np.maximum(np.asarray(self.high, np.float32) - low, 1)
        scaled: np.ndarray = ((values.reshape(self.shape) - low) / span).astype(np.float32).ravel()
        return scaled


class Layout:
    """The fields of an observation in their order, one after the other without gaps.

    fields: tuple of Field; those of no entries are left out.  at: name of each field, left out or not, to its
    first entry; the same numbers stand in every box, so that rules and agents read
    `observation[box.at.NAME + k]`.  length: D, the number of entries.  low, high: int8 [D], the bounds of
    each entry.

    Raises ValueError for a name that occurs twice or is no name in Python, and for bounds that int8 does
    not hold.
    """

    def __init__(self, fields: Iterable[Field]) -> None:
        declared = tuple(fields)
        self.fields = tuple(f for f in declared if f.size)
        self.at: dict[str, int] = {}
        self.length = 0
        for f in declared:
            if not f.name.isidentifier() or f.name in self.at:
                why = "another has it" if f.name in self.at else "it is no name in Python"
                raise ValueError(f"the observation cannot have {f.name!r} as the name of a field: {why}")
            self.at[f.name] = self.length
            self.length += f.size
        self.low, self.high = self._bounds("low"), self._bounds("high")

    def _bounds(self, end: str) -> np.ndarray:
        bounds = np.zeros(self.length, np.int8)
        for f in self.fields:
            values = np.broadcast_to(np.asarray(getattr(f, end)), f.shape).ravel()
            if values.min() < -128 or values.max() > 127:
                raise ValueError(
                    f"components: {f.name} in the observation would reach {values.max()}, at most 127 fit"
                )
            bounds[self._part(f)] = values
        return bounds

    def _part(self, f: Field) -> slice:
        return slice(self.at[f.name], self.at[f.name] + f.size)

    def named(self, observation: np.ndarray) -> dict[str, np.ndarray]:
        """The fields of observations [..., D] by name, each [..., *shape] and a view into them."""
        return {
            f.name: observation[..., self._part(f)].reshape(*observation.shape[:-1], *f.shape)
            for f in self.fields
        }

    def entry(self, index: int) -> str:
        """An entry of an observation in words: `tricks[2] (0 to 3)`, its field, place in it and bounds."""
        f = next(f for f in self.fields if index < self.at[f.name] + f.size)
        place = np.unravel_index(index - self.at[f.name], f.shape)
        return f"{f.name}[{', '.join(map(str, place))}] ({self.low[index]} to {self.high[index]})"

    def outside(self, observation: np.ndarray) -> str:
        """The first entry of an observation int8 [D] beyond its bounds: `tricks[2] (0 to 3) is 9`."""
        for index in np.flatnonzero((observation < self.low) | (observation > self.high)):
            return f"{self.entry(int(index))} is {observation[index]}"
        return ""

    def fingerprint(self, actions: int) -> str:
        """A short hash of what a policy meets: names, shapes and bounds of the fields, number of actions."""
        names = [[f.name, list(f.shape)] for f in self.fields]
        return short_hash([names, self.low.tolist(), self.high.tolist(), actions])


def short_hash(parts: Any) -> str:
    """16 hexadecimal digits that tell JSON-like values apart."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:16]
