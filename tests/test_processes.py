"""Helper processes: their work is done whatever happens to them, and they end with who wanted them."""

import os
import signal
import socket
import subprocess
import sys
import time

import pytest

from foodenvs import cli
from foodenvs.core import processes
from foodenvs.core.processes import WorkerLost, Workers


@pytest.fixture
def watch():
    """Waits until a process that called `linger` with its port is there; the socket ends with the process."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(300)
        yield server


def linger(port):
    """Tell a watch of this process, and never come back."""
    with socket.create_connection(("127.0.0.1", port)):
        time.sleep(3600)


def nothing():
    pass


def square(number):
    return number * number


def fail():
    raise KeyError("mine")


def die_unless(file):
    """End this process at once, the first time."""
    if not file.exists():
        file.touch()
        os._exit(1)
    return "done"


def ends(watch):
    """A function that says whether the next process to call has ended, waiting for that some time."""
    line, _ = watch.accept()
    line.settimeout(60)

    def ended():
        with line:
            return line.recv(1) == b""

    return ended


def test_work_is_done_in_order_or_as_it_comes_though_a_process_is_killed(tmp_path, capsys):
    with Workers(1, nothing) as workers:
        works = (square, 3), (die_unless, tmp_path / "died"), (fail,)
        jobs = [workers.submit(*work) for work in works]
        assert [workers.result(job) for job in jobs[:2]] == [9, "done"]
        assert capsys.readouterr().err.count("begun again") == 1
        with pytest.raises(KeyError, match="mine") as error:
            workers.result(jobs[2])
        assert "in fail" in error.value.__notes__[0]
        assert [value for _, value in workers.results(jobs[:2])] == [9, "done"]


def test_work_at_which_processes_end_again_and_again_is_given_up(monkeypatch):
    monkeypatch.setattr(processes, "MOST_LOSSES", 1)
    with Workers(1, nothing) as workers, pytest.raises(WorkerLost, match="ended 1 times at the same work"):
        workers.result(workers.submit(os._exit, 3))


def test_processes_end_with_the_block(watch):
    with Workers(1, nothing) as workers:
        workers.submit(linger, watch.getsockname()[1])
        ended = ends(watch)
    assert ended()


SCRIPT = """
import socket, time
from pathlib import Path

def linger():
    with socket.socket() as line:
        line.connect((b"127.0.0.1", {port}))
        time.sleep(3600)

def nothing():
    pass

class Student:
    def __init__(self):
        linger()
    act = reset = nothing

def with_workers():
    from foodenvs.core.processes import Workers
    with Workers(1, nothing) as workers:
        workers.result(workers.submit(linger))

def with_a_second_process():
    from foodenvs.testing.worker import Worker
    with Worker() as worker:
        worker.ask(linger)

def with_a_graded_agent():
    from foodenvs.grading.sandbox import SandboxedAgent, Limits
    from foodenvs.core.setup import Setup
    from foodenvs.games import GAMES
    setup, limits = Setup(GAMES["scratch_catch"]), Limits(start_seconds=300)
    SandboxedAgent(setup, Path(__file__), None, limits, other_user=False).load()
"""
ON_LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="its limits are Linux's")


@pytest.mark.parametrize(
    "what", ["workers", "a_second_process", pytest.param("a_graded_agent", marks=ON_LINUX)]
)
def test_helpers_end_with_a_process_that_is_killed(what, watch, tmp_path):
    (tmp_path / "script.py").write_text(SCRIPT.format(port=watch.getsockname()[1]), "utf-8")
    path = os.pathsep.join([str(tmp_path), *sys.path])
    process = subprocess.Popen(
        [sys.executable, "-c", f"import script; script.with_{what}()"],
        env=os.environ | {"PYTHONPATH": path, "TMPDIR": str(tmp_path)},
    )
    try:
        ended = ends(watch)
    finally:
        process.kill()
        process.wait()
    assert ended()
    assert not list(tmp_path.glob("foodenvs-agent-*"))


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_signal_to_end_runs_through_all_that_has_to_be_cleaned_up(name, monkeypatch):
    number, cleaned = getattr(signal, name), []
    outside = signal.signal(number, signal.SIG_DFL)  # under `nohup` it would be ignored

    def run(**_):
        try:
            signal.raise_signal(number)
        finally:
            cleaned.append(True)

    monkeypatch.setattr(cli.base, "app", run)
    try:
        with pytest.raises(SystemExit) as ended:
            cli.main()
        assert (ended.value.code, cleaned) == (128 + number, [True])
        assert signal.getsignal(number) == signal.SIG_DFL
    finally:
        signal.signal(number, outside)
