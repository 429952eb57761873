"""Results files: all deals that were played, some to a JSON line, so that a run can be taken up again."""

import errno
import hashlib
import io
import json
import os
import sys
import weakref
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from foodenvs.arena.deals import DealResults, label, no_deals, seatings
from foodenvs.arena.play import Fault
from foodenvs.core.checks import check_seed
from foodenvs.core.documents import from_json
from foodenvs.core.notation import Reader, shown
from foodenvs.core.setup import Setup

_FORMAT = "foodenvs results 1"
_ROUNDED = 1e-9  # what a share of the win may be off by


class Results:
    """What was played with one set-up, seed and time limit, by line-up; written to a file where there is one.

    The file belongs to this object until it is closed, by `close`, the end of a `with` block or that of the
    process: another one raises BlockingIOError. A line that was cut off when a run was interrupted is
    dropped. Raises ValueError, in one line, for a file that is no results file, is damaged, or was played
    with another set-up, seed, limit or agent file.
    """

    def __init__(self, path: Path | None, setup: Setup, seed: int = 0, seconds: float | None = None) -> None:
        self.path, self.setup, self.seed, self.seconds = path, setup, check_seed(seed), seconds
        self._dealt: dict[tuple[str, ...], DealResults] = {}
        self._stamps: dict[str, str] = {}
        self._file = None if path is None else _opened(path)
        if path is None or self._file is None:
            return
        self._closes = weakref.finalize(self, self._file.close)
        try:
            if path.stat().st_size:
                self._read(path)
            else:
                self._write([_header(setup, seed, seconds)])
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> "Results":
        return self

    def __exit__(self, *error: Any) -> None:
        self.close()

    def close(self) -> None:
        """Leave the file to others; what was played stays here."""
        if self._file is not None:
            self._closes()

    @property
    def lineups(self) -> list[tuple[str, ...]]:
        """The line-ups that were played, each by its agents' labels, in the order of their first deals."""
        return list(self._dealt)

    def dealt(self, lineup: Sequence[Any]) -> DealResults:
        """All deals of a line-up from the first on."""
        key = self._key(lineup)
        return self._dealt.get(key) or no_deals(self.setup, lineup)

    def add(self, lineup: Sequence[Any], dealt: DealResults) -> None:
        """The deals that follow those of before. OSError where they cannot be kept: nothing has changed."""
        key = self._key(lineup)
        stamps = {name: _stamp(name) for name in key if name not in self._stamps}
        lines: list[dict[str, Any]] = [{"agent": name, "stamp": stamp} for name, stamp in stamps.items()]
        first = len(self._dealt.get(key, ()))
        faults = [[deal, seating, vars(fault)] for deal, seating, fault in dealt.faults]
        arrays = dict(
            zip(("shares", "scores", "decisions"), (a.tolist() for a in dealt.arrays()), strict=True)
        )
        lines.append({"lineup": key, "first": first, **arrays, "faults": faults})
        self._write(lines)
        self._stamps |= stamps
        self._dealt[key] = self._dealt[key] + dealt if key in self._dealt else dealt

    def _key(self, lineup: Sequence[Any]) -> tuple[str, ...]:
        return tuple(label(agent) for agent in lineup)

    def _write(self, lines: list[dict[str, Any]]) -> None:
        if self._file is None:
            return
        text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines).encode()
        before = self._file.seek(0, os.SEEK_END)
        try:
            while text:
                text = text[self._file.write(text) :]
        except OSError as error:  # a full disk takes a part of it
            self._file.truncate(before)
            raise OSError(error.errno, error.strerror, str(self.path)) from error

    def _read(self, path: Path) -> None:
        lines, length = _lines(path)
        if self._file is not None:
            self._file.truncate(length)
        for key, value in _header(self.setup, self.seed, self.seconds).items():
            if lines[0].get(key) != value:
                raise ValueError(f"{path}: was played with {key} {lines[0].get(key)}, not {value}")
        for number, line in enumerate(lines[1:], 2):
            self._take(Reader(line, f"{path}: line {number} is damaged", ValueError))

    def _take(self, read: Reader) -> None:
        if "agent" in read:
            name, stamp = read.get("agent", str), read.get("stamp", str)
            self._stamps[name] = stamp
            if stamp and _stamp(name) not in ("", stamp):
                raise ValueError(f"{self.path}: {name} has changed since it played; give it another name")
            return
        setup, key = self.setup, tuple(read.items("lineup", None, str))
        if len(key) not in (setup.players, setup.contenders):
            raise read.fail("lineup", f"must be {setup.contenders} agents, got {len(key)}")
        known = self._dealt.get(key)
        first = len(known) if known else 0
        read.integer("first", first, first)
        shape = (len(read.get("decisions", list)), len(seatings(setup, key)), setup.players)
        dealt = DealResults(
            _array(read, "shares", np.float64, shape, -_ROUNDED, 1 + _ROUNDED),
            _array(read, "scores", np.int64, shape, -(2**31), 2**31),
            _array(read, "decisions", np.int64, shape[:2], 0, 2**31),
            [
                _fault(fault, f"{read.where}: fault {number}", shape, setup.agents)
                for number, fault in enumerate(read.items("faults", None, list), 1)
            ],
        )
        self._dealt[key] = known + dealt if known else dealt


def _array(read: Reader, key: str, kind: Any, shape: tuple[int, ...], low: float, high: float) -> np.ndarray:
    """Lists in lists as an array of a shape, each number from low to high."""
    given = read.get(key, list)
    try:
        found = np.array(given)
    except ValueError:  # lists of different lengths
        found = np.zeros(0)
    fits = found.shape == shape and found.size and found.dtype != bool and np.can_cast(found.dtype, kind)
    if not fits or not low <= found.min() <= found.max() <= high:
        size = " x ".join(map(str, shape))
        raise read.fail(key, f"must be {size} numbers from {low:g} to {high:g}, got {shown(given)}")
    return found.astype(kind)


def _fault(fault: list[Any], where: str, shape: tuple[int, ...], agents: list[str]) -> tuple[int, int, Fault]:
    entry = Reader(dict(zip(("deal", "seating", "fault"), fault, strict=False)), where, ValueError)
    kept = entry.table("fault", ("agent", "kind", "message"))
    return (
        entry.integer("deal", 0, shape[0] - 1),
        entry.integer("seating", 0, shape[1] - 1),
        Fault(kept.choice("agent", agents), kept.get("kind", str), kept.get("message", str)),
    )


def read_header(path: Path) -> dict[str, Any]:
    """What a results file was played with: game, options, components, seed, seconds."""
    return _lines(path)[0][0]


def _lines(path: Path) -> tuple[list[dict[str, Any]], int]:
    """The lines of a results file, and their length in bytes, without a last one that is not whole."""
    text = path.read_bytes()
    whole = text[: text.rfind(b"\n") + 1]
    first, *others = whole.splitlines() or [b""]
    try:
        header = from_json(first, str(path))
    except ValueError:
        header = None
    if not isinstance(header, dict) or header.get("format") != _FORMAT:
        raise ValueError(f"{path}: is no results file of foodenvs, or a damaged one")
    lines = [from_json(line, f"{path}: line {number} is damaged") for number, line in enumerate(others, 2)]
    return [header, *lines], len(whole)


def _opened(path: Path) -> io.FileIO:
    """The file, to append to, for this process alone; it is made where there is none."""
    if path.exists() and not path.is_file():
        raise ValueError(f"{path}: is no file")
    file = io.FileIO(path, "a")
    try:
        _lock(file)
    except (BlockingIOError, PermissionError):
        file.close()
        raise BlockingIOError(
            errno.EAGAIN, "another run is writing it; give another file, or wait", str(path)
        ) from None
    except OSError:
        pass  # a file system without locks
    return file


# The file is locked itself, where `filelock` would leave a second one beside it.
if sys.platform == "win32":
    import msvcrt

    def _lock(file: io.FileIO) -> None:
        file.seek(2**31 - 2)  # what is locked can be read by nobody else: a place where nothing is
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(file: io.FileIO) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _header(setup: Setup, seed: int, seconds: float | None) -> dict[str, Any]:
    plain = Setup(setup.game, setup.options)
    own = None if plain.components == setup.components else setup.components
    return {
        "format": _FORMAT,
        "game": setup.game.id,
        "options": setup.options,
        "components": own,
        "setup": setup.fingerprint,
        "seed": seed,
        "seconds": seconds,
    }


def _stamp(agent_id: str) -> str:
    """A hash of the file of an agent; "" where there is no such file."""
    path = Path(agent_id.rpartition(":")[0])
    return (
        hashlib.sha256(path.read_bytes()).hexdigest()[:16] if path.suffix == ".py" and path.is_file() else ""
    )
