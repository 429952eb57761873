"""Grading a student's agent: loads or not, faults, paired scores against a list of opponents, a grade."""

import contextlib
import os
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import Field, dataclass, field, fields
from pathlib import Path
from typing import Any

from foodenvs import __version__
from foodenvs.agents import AGENTS, build_agent
from foodenvs.arena.match import Standing, match
from foodenvs.arena.play import AgentFault
from foodenvs.arena.report import points
from foodenvs.core.checks import check_seed
from foodenvs.core.documents import named, printable, toml_file
from foodenvs.core.notation import Reader
from foodenvs.core.setup import Setup
from foodenvs.grading.sandbox import FaultLog, Limits, SandboxedAgent, closed_memory, closed_to_others

_MOST = 10**9  # of deals, and of what is limited
_LEVEL_KEYS = ("name", "needs", "faults", "passed")
_CLOSED = (
    "the agent ran as a user who may not enter {}, where Python or its packages lie; modules that it imports "
    "by a name not written in its file may have been missing"
)


@dataclass(frozen=True)
class GradeLevel:
    """A grade and what it takes: the least win share against each opponent named, and the most faults."""

    name: str
    needs: Mapping[str, float] = field(default_factory=dict)
    faults: int | None = None
    passed: bool = True


@dataclass(frozen=True)
class GradeTable:
    """What a teacher settles: opponents, deals against each, limits, grades from the best to the last.

    As TOML: `opponents = ["random", "greedy"]`, `deals = 50`, a table `[limits]` with the fields of Limits,
    and for each grade a table `[[grade]]` with `name`, `needs = { greedy = 0.5 }`, `faults = 0` (at most) and
    `passed = false` where it is no pass.
    """

    opponents: tuple[str, ...] = ("random", "greedy")
    deals: int = 50
    limits: Limits = field(default_factory=Limits)
    grades: tuple[GradeLevel, ...] = ()


def read_table(path: Path, allow_code: bool = False) -> GradeTable:
    """A grade table from TOML; ValueError in one line for anything that does not fit.

    allow_code: whether the file may name other opponents than the agents of the library; they are run.
    """
    read = Reader(toml_file(path), str(path), ValueError, ("opponents", "deals", "limits", "grade"))
    opponents = read.items("opponents", None, str, list(GradeTable.opponents))
    if not opponents:
        raise read.fail("opponents", "must name at least one agent")
    for opponent in opponents:
        named(opponent, "agent", AGENTS, f"{path}: opponents", allow_code)
        try:
            build_agent(opponent)
        except ValueError as error:
            raise read.fail("opponents", str(error)) from None
    limits = read.table("limits", [f.name for f in fields(Limits)], {})
    return GradeTable(
        tuple(opponents),
        read.integer("deals", 1, _MOST, GradeTable.deals),
        Limits(**{f.name: _limit(limits, f) for f in fields(Limits)}),
        tuple(_level_of(grade, opponents) for grade in read.tables("grade", "grade", _LEVEL_KEYS, [])),
    )


def _limit(limits: Reader, f: Field[Any]) -> Any:
    if f.type is int:
        return limits.integer(f.name, 1, _MOST, f.default)
    return limits.number(f.name, 0.001, _MOST, f.default)


def _level_of(grade: Reader, opponents: Sequence[str]) -> GradeLevel:
    needs = grade.table("needs", opponents, {})
    return GradeLevel(
        grade.get("name", str),
        {opponent: needs.number(opponent, 0, 1) for opponent in needs.data},
        grade.integer("faults", 0, _MOST, None),
        grade.get("passed", bool, True),
    )


@dataclass(frozen=True)
class Report:
    """What grading found. matches: opponent to the student's standing, over `games` games each.

    faults: of every lost game kind, message, observation and legal actions where there were any; unplayed:
    games that were counted as lost after too many faults.
    """

    file: str
    game: str
    options: dict[str, Any]
    seed: int
    version: str
    loads: bool
    error: str
    games: int
    matches: dict[str, Standing]
    faults: list[dict[str, Any]]
    unplayed: int
    grade: str
    passed: bool
    note: str = ""

    @property
    def clean(self) -> bool:
        """Whether the agent loads, lost no game by a fault, and passes."""
        return self.loads and not self.faults and self.passed

    def as_dict(self) -> dict[str, Any]:
        """The report as plain data, for JSON."""
        plain = dict(vars(self))
        return plain | {"matches": {name: vars(standing) for name, standing in self.matches.items()}}

    def as_text(self) -> str:
        """The report for a person; what the agent said is indented, with control characters escaped."""
        lines = [f"{self.file} in {self.game}, {self.options.get('players')} players, seed {self.seed}"]
        lines.append(f"  loads: {'yes' if self.loads else 'NO'}")
        if self.error:
            lines += ["", *_indented(self.error), ""]
        for opponent, s in self.matches.items():
            lines.append(
                f"  against {opponent}: win share {100 * s.win_share:.1f} % [{100 * s.low:.1f}, "
                f"{100 * s.high:.1f}], mean score {points(s)}, {self.games} games"
            )
        kinds = [fault["kind"] for fault in self.faults]
        counts = ", ".join(f"{kinds.count(kind)} x {kind}" for kind in dict.fromkeys(kinds))
        if self.loads:
            lines.append(f"  games lost by fault: {counts or 'none'}")
        if self.unplayed:
            lines.append(f"  {self.unplayed} further games were counted as lost without being played")
        for fault in self.faults[:3] if self.loads else []:
            lines += ["", f"  {fault['kind']} as {fault['seat']}:"]
            lines += _indented(fault["message"])
            if "observation" in fault:
                lines.append(f"    it saw {fault['observation']}")
                lines.append(f"    legal were {', '.join(fault['legal'])}")
            if fault["output"]:
                lines.append(f"    its output ended with {fault['output'][-300:]!r}")
        if self.grade:
            lines += ["", f"  grade: {self.grade}"]
        if self.note:
            lines += ["", f"  note: {self.note}"]
        return "\n".join(lines)


def _indented(text: str) -> list[str]:
    """The lines of what an agent said, so that none of them can pass for one of the report."""
    return ["    " + printable(line) for line in text.rstrip().splitlines()]


def grade(
    file: Path,
    setup: Setup,
    *,
    name: str | None = None,
    table: GradeTable | None = None,
    seed: int | None = None,
    also: Sequence[Path] = (),
    other_user: bool | None = None,
    progress: Callable[..., None] | None = None,
) -> Report:
    """Play a student's agent against each opponent, in processes of its own and under limits.

    file: the agent's Python file; it and the files `also` are copied into a fresh folder and run there.
    name: the class; without it the file's only one with `act` and `reset`.  seed: of the deals; without it a
    secret one, told in the report.  other_user: run it as a user of its own (by default if we are root).
    See `foodenvs.grading.sandbox` for what this keeps an agent from, and what not.
    """
    table = GradeTable() if table is None else table
    for path in (file, *also):
        if not path.is_file():
            raise ValueError(f"there is no file {path}")
    seed = secrets.randbits(63) if seed is None else check_seed(seed)
    record = FaultLog()
    sandboxed = SandboxedAgent(setup, file, name, table.limits, also, other_user, record)
    matches: dict[str, Standing] = {}
    error, games = "", 0
    shield = contextlib.nullcontext() if os.geteuid() == 0 and sandboxed.other_user else closed_memory()
    with shield:
        try:
            sandboxed.load()
        except AgentFault as fault:
            error = f"{fault.kind}: {fault}"
        else:
            for k, opponent in enumerate(table.opponents):
                matches[opponent], games = _against(
                    sandboxed,
                    opponent,
                    setup,
                    table.deals,
                    seed,
                    _told(progress, opponent, k, len(table.opponents)),
                )
    level = _level(table, matches, record) if not error else None
    return Report(
        file.name, setup.game.id, setup.options, seed, __version__, not error, error, games, matches,
        record.faults, record.lost, level.name if level else "", level.passed if level else not table.grades,
        _CLOSED.format(closed_to_others()) if sandboxed.other_user and closed_to_others() else "",
    )  # fmt: skip


def _against(
    sandboxed: SandboxedAgent, opponent: str, setup: Setup, deals: int, seed: int, progress: Any
) -> tuple[Standing, int]:
    """The student on one place, the opponent on all others, in every seating of every deal."""
    from foodenvs.arena.deals import seatings

    lineup = [sandboxed, *[opponent] * (setup.contenders - 1)]
    games = deals * len(seatings(setup, lineup))
    try:
        result = match(setup, lineup, games, seed, progress=progress)
    finally:
        sandboxed.close()
    return result.agents[0], games


def _told(progress: Callable[..., None] | None, opponent: str, k: int, n: int) -> Callable[..., None] | None:
    if progress is None:
        return None
    return lambda done, wanted, estimate="": progress(k * wanted + done, n * wanted, f"against {opponent}")


def _level(table: GradeTable, matches: Mapping[str, Standing], record: FaultLog) -> GradeLevel | None:
    """The first grade whose needs are met."""
    faults = len(record.faults) + record.lost
    for level in table.grades:
        enough = all(matches[opponent].win_share >= least for opponent, least in level.needs.items())
        if enough and (level.faults is None or faults <= level.faults):
            return level
    return GradeLevel("none", passed=False) if table.grades else None
