"""Processes in which a package is imported with a fault in it, and its tests are run until one fails."""

import functools
import gc
import hashlib
import importlib
import json
import multiprocessing
import os
import pickle
import signal
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from multiprocessing.connection import Connection, wait
from pathlib import Path
from types import CodeType
from typing import Any

import pytest

from .faults import Fault, planted

SLOW = 10.0  # CPU seconds of a test that is not asked
ROOM = 2.0  # a test may take so many CPU seconds more, and PATIENCE times as many, with a fault: its own
# and those of the slowest test of its file, which may have prepared what the others then found ready
PATIENCE = 5


@dataclass(frozen=True)
class Target:
    """A package, the test files that must notice its faults, and which of their tests are its own (-k)."""

    package: str
    folder: Path
    tests: tuple[Path, ...]
    keyword: str = ""
    options: tuple[str, ...] = ()  # more of pytest's


# --- processes -------------------------------------------------------------------------------

Send = Callable[[Any], None]


def in_processes(jobs: Iterable[tuple[Any, Callable[[Send], None]]], workers: int = 1) -> Iterator[Any]:
    """Run each job in a fork; yields (key, what it sent last, or None if it died), as they end."""
    running: dict[Connection, tuple[Any, Any]] = {}
    for key, job in jobs:
        if len(running) == workers:
            yield _next(running)
        ours, theirs = multiprocessing.Pipe(duplex=False)
        process = multiprocessing.get_context("fork").Process(target=job, args=(theirs.send,))
        process.start()
        theirs.close()
        running[ours] = key, process
    while running:
        yield _next(running)


def _next(running: dict[Connection, tuple[Any, Any]]) -> Any:
    ready = wait(list(running))[0]
    assert isinstance(ready, Connection)
    key, process = running.pop(ready)
    try:
        answer = ready.recv()
    except EOFError:
        answer = None
    process.join()
    ready.close()
    return key, answer


class _Planted(SourceFileLoader):
    """Finds one module, and loads it with other source than its file's."""

    def __init__(self, name: str, path: str, source: str) -> None:
        super().__init__(name, path)
        self.source, self.loaded = source, False

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        return spec_from_file_location(name, self.path, loader=self) if name == self.name else None

    def get_code(self, fullname: str) -> CodeType:
        self.loaded = True
        return compile(self.source, self.path, "exec")


def plant(target: Target, *faults: Fault) -> _Planted:
    """From now on in this process the package has these faults of one module. It must not be imported yet."""
    if target.package in sys.modules:
        raise RuntimeError(f"{target.package} is imported already: not all would see the fault")
    module = faults[0].module
    inside = module.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    name = f"{target.package}.{inside}"
    loader = _Planted(name, str(target.folder / module), planted(list(faults)))
    sys.meta_path.insert(0, loader)  # type: ignore[arg-type]
    return loader


# --- tests -----------------------------------------------------------------------------------


class _TooSlow(BaseException):
    pass


def file_of(test: str) -> str:
    return test.partition("::")[0]


class _Watch:
    """A pytest plugin: the quickest tests first, each within its time.

    times: CPU seconds by test, of the tests to run; without it all are run and timed.  killed: how many
    faults each has killed, which counts as so many times as quick.
    """

    def __init__(
        self,
        target: Target,
        times: dict[str, float] | None,
        budget: float,
        send: Send,
        killed: Counter[str] | None = None,
    ) -> None:
        self.target, self.times, self.budget, self.send = target, times, budget, send
        self.killed = killed or Counter()
        self.slowest: dict[str, float] = {}
        for test, seconds in (times or {}).items():
            self.slowest[file_of(test)] = max(seconds, self.slowest.get(file_of(test), 0))
        self.took: dict[str, float] = {}
        self.slow: set[str] = set()
        self.failed = ""
        self.now = "importing"
        signal.signal(signal.SIGPROF, self.ring)
        self.allow(SLOW)

    def allow(self, seconds: float) -> None:
        signal.setitimer(signal.ITIMER_PROF, seconds)

    def ring(self, *_: Any) -> None:
        if self.times is None:
            self.slow.add(self.now)
            raise _TooSlow
        self.send(("killed", f"{self.now} takes too long"))
        os._exit(0)

    def limit(self, test: str) -> float:
        """The CPU seconds that a test may take."""
        if self.times is None:
            return SLOW
        return ROOM + PATIENCE * (self.times[test] + self.slowest[file_of(test)])

    @pytest.hookimpl(trylast=True)
    def pytest_configure(self) -> None:
        _settle_draws()  # after the suite has settled them

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        if self.times is not None:
            items[:] = [item for item in items if item.nodeid in self.times]
            items.sort(key=lambda item: self.times[item.nodeid] / (1 + self.killed[item.nodeid]))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Any:
        self.now = item.nodeid
        begun = time.process_time()
        self.allow(self.limit(item.nodeid))
        try:
            return (yield)
        finally:
            self.allow(0)
            self.took[item.nodeid] = time.process_time() - begun
            if self.times is not None and time.process_time() > self.budget:
                item.session.shouldstop = "the fault has outlived its time"

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.failed = self.failed or f"importing {report.nodeid}"

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and self.now not in self.slow:
            self.failed = self.failed or report.nodeid


def _pytest(target: Target, watch: _Watch, show: bool) -> int:
    if not show:
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, 1)
        os.dup2(nothing, 2)
        sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    for name in ("PYTEST_ADDOPTS", "PYTEST_CURRENT_TEST"):
        os.environ.pop(name, None)
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    arguments = ["-p", "no:cacheprovider", "-W", "ignore::pytest.PytestAssertRewriteWarning"]
    # The suite's options, and some of its marks, are for plugins that are not loaded.
    arguments += ["-o", "addopts=", "-W", "ignore::pytest.PytestUnknownMarkWarning", *target.options]
    if target.keyword:
        arguments += ["-k", target.keyword]
    if watch.times is not None:
        arguments.append("-x")
    return int(pytest.main([*arguments, *map(str, target.tests)], plugins=[watch]))


def warm(*modules: str) -> None:
    """Do once what every process would do again."""
    sys.dont_write_bytecode = False  # pytest rewrites a test file only once then
    for module in modules:
        importlib.import_module(module)
    _keep_parsed()
    _settle_draws()
    gc.collect()
    gc.freeze()


def _settle_draws() -> None:
    """Every run draws the same, and what fails is not made smaller."""
    with suppress(ImportError):
        from hypothesis import HealthCheck, Phase, settings

        settings.register_profile(
            "mutants",
            derandomize=True,
            database=None,
            deadline=None,
            phases=(Phase.explicit, Phase.generate),
            suppress_health_check=list(HealthCheck),
        )
        settings.load_profile("mutants")


def _keep_parsed() -> None:
    """Golden cases and components take longer to parse than to run."""
    parse = tomllib.loads
    parsed = functools.cache(lambda text: pickle.dumps(parse(text)))
    tomllib.loads = lambda text: pickle.loads(parsed(text))  # type: ignore[assignment, misc]
    root = Path(__file__).parents[2]
    for path in [*root.glob("tests/golden/*.toml"), *root.glob("foodenvs/games/*/*.toml")]:
        tomllib.loads(path.read_text())


def unmutated_times(target: Target, show: bool = False) -> dict[str, float]:
    """CPU seconds of the target's tests without a fault, but for slow ones; RuntimeError if one fails."""

    def job(send: Send) -> None:
        watch = _Watch(target, None, 0, send)
        code = _pytest(target, watch, show)
        kept = {test: took for test, took in watch.took.items() if test not in watch.slow}
        send((watch.failed or (code > 1 and f"pytest ends with {code}"), kept))

    [(_, answer)] = in_processes([(0, job)])
    failed, times = answer or ("the process dies", {})
    if failed:
        raise RuntimeError(f"fails without a fault: {failed}")
    return dict(times)


def known_times(target: Target, sources: Iterable[Path], show: bool = False) -> dict[str, float]:
    """The same, kept by test file under `.pytest_cache` until the file or one of the `sources` changes."""
    common = hashlib.sha256()
    for file in sorted(sources):
        common.update(file.read_bytes())
    times = {}
    for test in target.tests:
        stamp = common.copy()
        stamp.update(test.read_bytes() + target.keyword.encode())
        kept = Path(".pytest_cache", "mutants", f"{stamp.hexdigest()[:16]}.json")
        if not kept.exists():
            alone = Target(target.package, target.folder, (test,), target.keyword, target.options)
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.write_text(json.dumps(unmutated_times(alone, show)))
        times.update(json.loads(kept.read_text()))
    return times


def kill(
    target: Target,
    faults: Iterable[Fault],
    times: dict[str, float],
    budget: float = 60.0,
    workers: int = 1,
    show: bool = False,
) -> Iterator[tuple[Fault, str]]:
    """Yields each fault with what killed it, "" for a survivor.

    times: the tests to ask, with their CPU seconds.  budget: CPU seconds for one fault.
    RuntimeError if the tests do not import the module of a fault.
    """
    killed: Counter[str] = Counter()

    def job(fault: Fault) -> Callable[[Send], None]:
        def run(send: Send) -> None:
            loader = plant(target, fault)
            watch = _Watch(target, times, budget, send, killed)
            code = _pytest(target, watch, show)
            if code > 2 or not loader.loaded:
                send(
                    (
                        "error",
                        f"pytest ends with {code}" if loader.loaded else "the fault was never imported",
                    )
                )
            else:
                send(("killed", watch.failed) if watch.failed else ("survived", ""))

        return run

    for fault, answer in in_processes(((fault, job(fault)) for fault in faults), workers):
        kind, how = answer or ("killed", "the process dies")
        if kind == "error":
            raise RuntimeError(f"{fault}: {how}")
        killed[how] += 1
        yield fault, how
