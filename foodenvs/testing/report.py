"""What a check found: faults with a repro to paste, results, and the report as text or plain data."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from foodenvs.testing.compare import short

PASSED, FAILED, NOT_RUN = "passed", "failed", "not run"


@dataclass(frozen=True)
class Fault:
    """What is wrong at a position, as a law tells it.

    part: which of the check's demands is broken, for a person and for telling faults apart.
    field: Python source that reads the value from `env`.  probe: source lines that fail at the position.
    steps: how many of the position's actions matter (None: all).
    """

    part: str
    message: str
    agent: str | None = None
    field: str | None = None
    expected: Any = None
    found: Any = None
    probe: tuple[str, ...] = ()
    steps: int | None = None


@dataclass(frozen=True)
class Failure:
    """A fault, with the shortest way to it that was found.

    expected and found are `repr`s.  repro: a test function, ready to paste, that fails.
    """

    check: str
    part: str
    message: str
    configuration: dict[str, Any]
    seed: int
    actions: list[Any]
    agent: str | None
    field: str | None
    expected: str
    found: str
    repro: str

    def __str__(self) -> str:
        lines = [f"{self.check}, {self.part}: {self.message}"]
        if self.field:
            lines.append(f"  {self.field}: expected {self.expected}, found {self.found}")
        configured = f", {self.configuration}" if self.configuration else ""
        lines.append(f"  seed {self.seed}, actions {self.actions}{configured}")
        lines += ["  | " + line for line in self.repro.splitlines()]
        return "\n".join(lines)


def failure(
    check: str,
    fault: Fault,
    address: str | None,
    configuration: Mapping[str, Any],
    seed: int,
    actions: list[Any],
) -> Failure:
    """Put a fault and the way to it into words and into a test."""
    return Failure(
        check,
        fault.part,
        fault.message,
        dict(configuration),
        seed,
        list(actions),
        fault.agent,
        fault.field,
        short(fault.expected),
        short(fault.found),
        repro(check, fault, address, configuration, seed, actions),
    )


def repro(
    check: str,
    fault: Fault,
    address: str | None,
    configuration: Mapping[str, Any],
    seed: int,
    actions: Sequence[Any],
) -> str:
    """The source of a test function that goes to the position and fails there."""
    module, _, name = (address or "my_module:factory").partition(":")
    outer, _, inner = name.partition(".")
    if module == "foodenvs" and outer == "make":
        imports = ["import foodenvs"]
        call = f"foodenvs.make({arguments(configuration)})"
    else:
        imports = [f"from {module} import {outer} as factory"]
        call = f"factory{'.' + inner if inner else ''}({arguments(configuration)})"
    lines = [f"env = {call}", f"env.reset(seed={seed})"]
    if actions:
        lines += [f"for action in {list(actions)}:", "    env.step(action)"]
    name = f"test_{check}_{fault.part}".replace(" ", "_").replace("-", "_")
    body = "\n".join(f"    {line}" for line in [*lines, *fault.probe])
    return "\n".join(imports) + f"\n\n\ndef {name}():\n{body}\n"


def arguments(configuration: Mapping[str, Any]) -> str:
    """Keyword arguments as source; the key "game" stands for the first positional one."""
    parts = [repr(value) if key == "game" else f"{key}={value!r}" for key, value in configuration.items()]
    return ", ".join(parts)


@dataclass
class Result:
    """What one check found. reason: why it was not run.  counts: what it looked at."""

    check: str
    status: str = PASSED
    reason: str = ""
    failures: list[Failure] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    seconds: float = 0.0

    def __str__(self) -> str:
        looked = ", ".join(f"{n} {what}" for what, n in self.counts.items())
        said = self.reason if self.status == NOT_RUN else looked
        lines = [f"{self.check:12} {self.status:8} {said}".rstrip()]
        lines += [f"{'':12} remark: {remark}" for remark in self.remarks]
        return "\n".join(lines)


@dataclass
class Report:
    """The results of all checks of an environment."""

    subject: str
    seconds: float
    seed: int
    results: list[Result]

    @property
    def failures(self) -> list[Failure]:
        """The failures of all checks, in the order of the results."""
        return [f for result in self.results for f in result.failures]

    @property
    def passed(self) -> bool:
        """Whether no check failed (one that could not be run has not failed)."""
        return not self.failures

    def __getitem__(self, check: str) -> Result:
        return next(result for result in self.results if result.check == check)

    def as_dict(self) -> dict[str, Any]:
        """The report as plain data: nested dicts and lists."""
        return {
            "subject": self.subject,
            "seconds": self.seconds,
            "seed": self.seed,
            "passed": self.passed,
            "checks": [asdict(result) for result in self.results],
        }

    def __str__(self) -> str:
        head = (
            f"{self.subject}: {len(self.failures)} faults found"
            if self.failures
            else f"{self.subject}: passed"
        )
        blocks = [head, "\n".join(map(str, self.results)), *map(str, self.failures)]
        return "\n\n".join(blocks) + "\n"


@dataclass(frozen=True)
class Check:
    """A check: its name, what it proves, its share of the time, and the function that does it.

    run: takes a `Trial` and tells it what is wrong.  unable: why a subject cannot be checked, or "".
    """

    name: str
    proves: str
    share: float
    run: Callable[[Any], None]
    unable: Callable[[Any], str] = lambda subject: ""
