"""Results files: every block that was played, one JSON line each, so that a run can be taken up again."""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from foodenvs.arena.block import Block, empty_block, label, seatings
from foodenvs.arena.play import Fault
from foodenvs.game import Setup, check_seed

_FORMAT = "foodenvs results 1"


class Results:
    """What was played with one set-up, seed and time limit, by line-up; written to a file where there is one.

    A line that was cut off when a run was interrupted is dropped. Raises ValueError, in one line, for a file
    that is no results file, is damaged, or was played with another set-up, seed, limit or agent file.
    """

    def __init__(self, path: Path | None, setup: Setup, seed: int = 0, seconds: float | None = None) -> None:
        self.path, self.setup, self.seed, self.seconds = path, setup, check_seed(seed), seconds
        self._blocks: dict[tuple[str, ...], Block] = {}
        self._stamps: dict[str, str] = {}
        if path is not None and path.exists():
            self._read(path)
        elif path is not None:
            self._write([_header(setup, seed, seconds)])

    @property
    def lineups(self) -> list[tuple[str, ...]]:
        return list(self._blocks)

    def block(self, lineup: Sequence[Any]) -> Block:
        """All deals of a line-up from the first on."""
        key = self._key(lineup)
        return self._blocks.get(key) or empty_block(self.setup, lineup)

    def add(self, lineup: Sequence[Any], block: Block) -> None:
        """The deals that follow those of before."""
        key = self._key(lineup)
        lines: list[dict[str, Any]] = []
        for name in key:
            if name not in self._stamps:
                self._stamps[name] = _stamp(name)
                lines.append({"agent": name, "stamp": self._stamps[name]})
        first = len(self._blocks.get(key, ()))
        self._blocks[key] = self._blocks[key] + block if key in self._blocks else block
        faults = [[deal, seating, vars(fault)] for deal, seating, fault in block.faults]
        arrays = dict(
            zip(("shares", "scores", "decisions"), (a.tolist() for a in block.arrays()), strict=True)
        )
        lines.append({"lineup": key, "first": first, **arrays, "faults": faults})
        self._write(lines)

    def _key(self, lineup: Sequence[Any]) -> tuple[str, ...]:
        return tuple(label(agent) for agent in lineup)

    def _write(self, lines: list[dict[str, Any]]) -> None:
        if self.path is not None:
            with self.path.open("a", encoding="utf-8") as file:
                file.writelines(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)

    def _read(self, path: Path) -> None:
        lines = _lines(path)
        for key, value in _header(self.setup, self.seed, self.seconds).items():
            if lines[0].get(key) != value:
                raise ValueError(f"{path}: was played with {key} {lines[0].get(key)}, not {value}")
        for number, line in enumerate(lines[1:], 2):
            try:
                self._take(line)
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                if isinstance(error, _Changed):
                    raise ValueError(f"{path}: {error}") from None
                raise ValueError(f"{path}: line {number} is damaged") from None

    def _take(self, line: dict[str, Any]) -> None:
        if "agent" in line:
            self._stamps[line["agent"]] = line["stamp"]
            if line["stamp"] and _stamp(line["agent"]) not in ("", line["stamp"]):
                raise _Changed(f"{line['agent']} has changed since it played; give it another name")
            return
        key = tuple(line["lineup"])
        shape = (-1, len(seatings(self.setup, key)), self.setup.players)
        block = Block(
            np.array(line["shares"], np.float64).reshape(shape),
            np.array(line["scores"], np.int64).reshape(shape),
            np.array(line["decisions"], np.int64).reshape(shape[:2]),
            [(deal, seating, Fault(**fault)) for deal, seating, fault in line["faults"]],
        )
        if line["first"] != len(self._blocks.get(key, ())):
            raise ValueError("deals are missing")
        self._blocks[key] = self._blocks[key] + block if key in self._blocks else block


class _Changed(ValueError):
    """The file of an agent is not the one that played."""


def read_header(path: Path) -> dict[str, Any]:
    """What a results file was played with: game, options, components, seed, seconds."""
    return _lines(path)[0]


def _lines(path: Path) -> list[dict[str, Any]]:
    """The lines of a results file; the last is cut off the file if its writing was interrupted."""
    text = path.read_bytes()
    whole = text[: text.rfind(b"\n") + 1]
    try:
        lines = [json.loads(line) for line in whole.splitlines()]
        known = lines[0]["format"] == _FORMAT
    except (ValueError, LookupError, TypeError):
        known = False
    if not known:
        raise ValueError(f"{path}: is no results file of foodenvs, or a damaged one")
    if len(whole) < len(text):
        with path.open("r+b") as file:
            file.truncate(len(whole))
    return lines


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
