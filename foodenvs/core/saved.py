"""Positions that come back as bytes: sealed with a checksum, and checked before the rules run on them.

Compiled rules index without looking, so a record that is no position could end the interpreter. What was
made or checked in this process is known by its checksum and taken as it is. Anything else must be a position
of the game: each field of STATE in its range (`ranges` of the game's rules), and all of them together what
`set_up` makes of their own view.
"""

import hashlib
import threading
from collections import OrderedDict

import numpy as np

from foodenvs.core.position import Position
from foodenvs.core.setup import Setup

CHECKSUM = 16  # bytes
_REMEMBERED = 4096
_known: OrderedDict[bytes, None] = OrderedDict()  # checksums, the oldest first
_lock = threading.Lock()


def checksum(*parts: bytes) -> bytes:
    """A checksum that no other bytes have."""
    digest = hashlib.blake2b(digest_size=CHECKSUM)
    for part in parts:
        digest.update(part)
    return digest.digest()


def remember(seal: bytes) -> bytes:
    """Note that what has this checksum is sound; the last few thousand of them are known. Returns it."""
    with _lock:
        _known[seal] = None
        if len(_known) > _REMEMBERED:
            _known.popitem(last=False)
    return seal


def is_known(seal: bytes) -> bool:
    """Whether what has this checksum was found sound in this process."""
    return seal in _known


def check_positions(setup: Setup, states: np.ndarray) -> None:
    """ValueError that says what is wrong, unless all records [N] of STATE are positions of the game."""
    check_ranges(setup, states)
    for i in range(len(states)):
        _check_position(setup, states[i : i + 1])


def check_ranges(setup: Setup, states: np.ndarray) -> None:
    """ValueError that names the field, its range and the value, unless all records [N] lie in `ranges`."""
    for name, (low, high) in setup.ranges.items():
        values = states[name]
        if values.dtype == np.bool_:
            values = values.view(np.int8)
        wrong = np.argwhere((values < low) | (values > high))
        if len(wrong):
            game, *entry = wrong[0].tolist()
            at = tuple(entry)
            raise ValueError(
                f"{name}{entry or ''} must be {low[at]} to {high[at]}, got {values[(game, *at)]}"
            )


def _check_position(setup: Setup, states: np.ndarray) -> None:
    position = Position(setup)
    try:
        again = position.drafted(setup.view(states), 0)
        again["rng"] = states["rng"]
        position.place(again)
    except Exception as error:  # what is no position may fail in any way
        raise ValueError(f"there is no such position: {error}") from error
    for name in setup.ranges:
        if again[name].tobytes() != states[name].tobytes():
            raise ValueError(f"there is no such position: {name} does not go with the rest")
    if position.turn >= 0 and not position.mask.any():
        raise ValueError("there is no such position: no action is legal")
