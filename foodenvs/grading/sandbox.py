"""Graded agents in processes of their own, with limits on time, memory, processes and output.

This stops careless and mischievous code. Hostile code belongs in a container: a process of the same user can
still send signals to the grader, and one of another user can still use the network and what disk it may.
"""

import contextlib
import ctypes
import json
import os
import pickle
import secrets
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from foodenvs.arena.play import ILLEGAL, TIMEOUT, AgentFault
from foodenvs.core.setup import Setup

START, CRASH, OUTPUT = "slow start", "crash", "too much output"
_ANSWER_BYTES = 2**16  # the longest answer that is read
_TAIL = 2000  # bytes of an agent's output that are kept
_USERS = range(61184, 65520)  # user ids that belong to nobody
_PR_SET_DUMPABLE = 4


@dataclass(frozen=True)
class Limits:
    """What a graded agent may use. seconds: of a move (and a reset); start_seconds: to load.

    faults: after so many lost games the rest is counted as lost, unplayed.
    """

    seconds: float = 1.0
    start_seconds: float = 20.0
    memory_mb: int = 2048
    processes: int = 8
    output_kb: int = 1024
    file_mb: int = 16
    faults: int = 10

    def as_rlimits(self, others: int) -> dict[str, int]:
        """By name in `resource`; `others`: processes of the same user that are none of the agent's."""
        return {
            "RLIMIT_AS": self.memory_mb * 2**20,
            "RLIMIT_NPROC": others + self.processes + 1,  # the thread that waits for the grader's end
            "RLIMIT_FSIZE": self.file_mb * 2**20,
            "RLIMIT_NOFILE": 64,
            "RLIMIT_CORE": 0,
        }


@dataclass
class FaultLog:
    """What happened to a graded agent: its faults with what it saw, and the last of its output."""

    faults: list[dict[str, Any]] = field(default_factory=list)
    output: str = ""
    lost: int = 0


class SandboxedAgent:
    """A graded agent as the grader sees it: an agent whose process is started when it is needed.

    What goes wrong in there is raised as AgentFault and ends the process; the next game starts another.
    """

    def __init__(
        self,
        setup: Setup,
        file: Path,
        name: str | None,
        limits: Limits,
        also: Sequence[Path] = (),
        other_user: bool | None = None,
        record: FaultLog | None = None,
    ) -> None:
        self.setup, self.file, self.name, self.limits, self.also = setup, file, name, limits, tuple(also)
        self.other_user = os.geteuid() == 0 if other_user is None else other_user
        self.record = FaultLog() if record is None else record
        self.label = f"{file.name}:{name}" if name else file.name
        self._seat = setup.agents[0]
        self._process: _AgentProcess | None = None

    def __copy__(self) -> "SandboxedAgent":
        return SandboxedAgent(
            self.setup, self.file, self.name, self.limits, self.also, self.other_user, self.record
        )

    def join(self, table: Any) -> None:
        """Its seat in the next game; the agent hears of it with `reset`."""
        self._seat = table.agent

    def reset(self, seed: int) -> None:
        """A new game begins; the agent's process is started if it is not running.

        AgentFault where the agent fails or takes too long, and, without asking it, after too many faults.
        """
        self._seen: tuple[Any, Any] | None = None
        if len(self.record.faults) >= self.limits.faults:
            self.record.lost += 1
            raise AgentFault("not played", f"lost after {self.limits.faults} faults")
        with self._faults():
            if self._process is None:
                self._start()
            self._ask("reset", (self._seat, seed), self.limits.seconds, TIMEOUT)

    def act(self, observation: Any, info: dict[str, Any]) -> int:
        """The agent's action, a legal one; AgentFault for all else, and where it fails or takes too long."""
        self._seen = (observation, info["action_mask"])
        with self._faults():
            answer = self._ask("act", (observation, info["action_mask"]), self.limits.seconds, TIMEOUT)
            action = answer.get("action")
            if isinstance(action, bool) or not isinstance(action, int):
                raise AgentFault(ILLEGAL, str(answer.get("wrong", "the agent answered without an action")))
            if not (0 <= action < self.setup.actions and info["action_mask"][action]):
                legal = ", ".join(self.setup.action_names(info["action_mask"]))
                name = self.setup.action_name(action) if 0 <= action < self.setup.actions else str(action)
                raise AgentFault(ILLEGAL, f"illegal action: {name[:100]}; legal: {legal}")
        return action

    def load(self) -> None:
        """Start the agent, to see whether it loads; AgentFault if it does not."""
        self._seen = None
        with self._faults():
            self._start()

    def close(self) -> None:
        """End the agent's processes, all of them."""
        if self._process is not None:
            self.record.output = self._process.end() or self.record.output
            self._process = None

    @contextlib.contextmanager
    def _faults(self) -> Iterator[None]:
        try:
            yield
        except AgentFault as fault:
            self.close()
            entry: dict[str, Any] = {"kind": fault.kind, "seat": self._seat, "message": str(fault)}
            if self._seen is not None:
                observation, mask = self._seen
                named = self.setup.explain(observation)
                entry["observation"] = {key: value.tolist() for key, value in named.items()}
                entry["legal"] = self.setup.action_names(mask)
            entry["output"] = self.record.output
            self.record.faults.append(entry)
            raise

    def _start(self) -> None:
        self._process = _AgentProcess(self.other_user, self.limits, [self.file, *self.also])
        given = {
            "setup": self.setup,
            "user": self._process.user,
            "early": self._process.user is not None and bool(closed_to_others()),
            "limits": self.limits.as_rlimits(self._process.others),
            "file": str(self._process.folder / self.file.name),
            "name": self.name,
        }
        self._ask("load", given, self.limits.start_seconds, START)

    def _ask(self, what: str, given: Any, seconds: float, late: str) -> dict[str, Any]:
        assert self._process is not None
        answer = self._process.ask(pickle.dumps((what, given)), seconds, late)
        if "fault" in answer:
            kind = {"crash": CRASH, "memory": "out of memory"}.get(answer["fault"], CRASH)
            raise AgentFault(kind, str(answer.get("message"))[:5000])
        return answer


class _AgentProcess:
    """A process of a graded agent and all that it starts: an own session, folder, environment and user."""

    def __init__(self, other_user: bool, limits: Limits, files: Sequence[Path]) -> None:
        self.limits = limits
        self.user = _free_user() if other_user else None
        self.others = 0 if other_user else sum(threads for user, threads in _users() if user == os.getuid())
        self.token = secrets.token_hex(16)
        self.folder = Path(tempfile.mkdtemp(prefix="foodenvs-agent-"))
        for file in files:
            shutil.copy(file, self.folder / file.name)
        for path in (self.folder, *self.folder.iterdir()):
            path.chmod(0o700 if path == self.folder else 0o600)
            if self.user is not None:
                os.chown(path, self.user, self.user)
        self.said, self.bytes_said = b"", 0
        asked, self._ask_fd = os.pipe()
        self._answer_fd, answers = os.pipe()
        self._process = subprocess.Popen(
            [
                sys.executable,
                "-P",
                "-m",
                "foodenvs.grading.agent_process",
                str(asked),
                str(answers),
                str(self.folder),
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            pass_fds=(asked, answers),
            cwd=self.folder,
            env=self._environment(),
            start_new_session=True,
        )
        os.close(asked)
        os.close(answers)
        os.set_blocking(self._ask_fd, False)
        self._unread = b""
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def _environment(self) -> dict[str, str]:
        import foodenvs

        kept = {
            name: os.environ[name] for name in ("PATH", "LANG", "NUMBA_DISABLE_JIT") if name in os.environ
        }
        one_thread = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
        places = [
            str(Path(foodenvs.__file__).parent.parent),
            *os.environ.get("PYTHONPATH", "").split(os.pathsep),
        ]
        return (
            kept
            | one_thread
            | {
                "PYTHONPATH": os.pathsep.join(place for place in places if place),
                "PYTHONDONTWRITEBYTECODE": "1",
                "PYTHONUNBUFFERED": "1",
                "HOME": str(self.folder),
                "TMPDIR": str(self.folder),
                "NUMBA_CACHE_DIR": str(self.folder / "numba"),
                "FOODENVS_GUEST": self.token,
            }
        )

    def ask(self, message: bytes, seconds: float, late: str) -> dict[str, Any]:
        """Send a message and read one answer; AgentFault if none comes in time, or nonsense, or too much."""
        deadline = time.monotonic() + seconds
        try:
            while message:
                self._wait([], [self._ask_fd], deadline, seconds, late)
                message = message[os.write(self._ask_fd, message) :]
            while b"\n" not in self._unread:
                self._wait([self._answer_fd], [], deadline, seconds, late)
                more = os.read(self._answer_fd, _ANSWER_BYTES)
                self._unread += more
                if not more or len(self._unread) > _ANSWER_BYTES:
                    raise BrokenPipeError
        except BrokenPipeError:
            raise AgentFault(CRASH, f"the agent's process ended{self._ending()}") from None
        line, _, self._unread = self._unread.partition(b"\n")
        if self._unread:
            raise AgentFault(CRASH, "the agent answered without being asked")
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            raise AgentFault(CRASH, "the agent's process answered nonsense")
        self._check_output()
        return answer

    def _wait(
        self, readable: list[int], writable: list[int], deadline: float, seconds: float, late: str
    ) -> None:
        while True:
            self._check_output()
            left = deadline - time.monotonic()
            if left <= 0:
                raise AgentFault(late, f"no answer in {seconds:g} s")
            ready = select.select(readable, writable, [], min(left, 0.1))
            if ready[0] or ready[1]:
                return

    def _check_output(self) -> None:
        if self.bytes_said > self.limits.output_kb * 2**10:
            raise AgentFault(OUTPUT, f"the agent printed more than {self.limits.output_kb} kB")

    def _ending(self) -> str:
        try:
            code = self._process.wait(1)
        except subprocess.TimeoutExpired:
            return ""
        return f" by {signal.Signals(-code).name}" if code < 0 else f" with code {code}"

    def _listen(self) -> None:
        """Read what the agent prints, so that it never waits for us, and keep the last of it."""
        assert self._process.stdout is not None
        with self._process.stdout as stream:
            while more := os.read(stream.fileno(), 2**16):
                self.bytes_said += len(more)
                self.said = (self.said + more)[-_TAIL:]

    def end(self) -> str:
        """Kill the agent's processes, remove its folder, return the last of its output."""
        os.close(self._ask_fd)
        os.close(self._answer_fd)
        for _ in range(100):
            self._kill()
            if not self._members():
                break
            time.sleep(0.02)
        self._process.wait()
        self._listener.join(5)
        shutil.rmtree(self.folder, ignore_errors=True)
        return self.said.decode("utf-8", "replace")

    def _kill(self) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        if self.user is not None:  # in one stroke, so that no fork can run ahead
            stroke = f"import os; os.setresuid({self.user}, {self.user}, {self.user}); os.kill(-1, 9)"
            subprocess.run([sys.executable, "-S", "-c", stroke], stderr=subprocess.DEVNULL, check=False)
        for process in self._members():
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(process, signal.SIGKILL)
        self._process.poll()

    def _members(self) -> list[int]:
        """The living processes of the agent: by user, else by session or by the mark in the environment."""
        found = []
        for process in _processes():
            with contextlib.suppress(OSError, IndexError, ValueError):
                status = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
                if status[0] == "Z":
                    continue
                if self.user is not None:
                    member = _user_of(process)[0] == self.user
                else:
                    marked = f"FOODENVS_GUEST={self.token}".encode()
                    member = int(status[3]) == self._process.pid
                    member = member or marked in Path(f"/proc/{process}/environ").read_bytes()
                if member:
                    found.append(process)
        return found


def _processes() -> list[int]:
    proc = Path("/proc")
    return [int(path.name) for path in proc.iterdir() if path.name.isdigit()] if proc.is_dir() else []


def _user_of(process: int) -> tuple[int, int]:
    """The real user of a process, and how many threads it has."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    named = dict(line.split(":", 1) for line in lines if ":" in line)
    return int(named["Uid"].split()[0]), int(named["Threads"])


def _users() -> list[tuple[int, int]]:
    found = []
    for process in _processes():
        with contextlib.suppress(OSError, KeyError, ValueError):
            found.append(_user_of(process))
    return found


def _free_user() -> int:
    """A user id that belongs to nobody and has no process."""
    taken = {user for user, _ in _users()}
    return secrets.choice([user for user in _USERS if user not in taken])


def closed_to_others() -> str:
    """The first folder on the way to Python and our packages that others may not enter; "" if none."""
    for file in (os.__file__, np.__file__, __file__):
        for folder in reversed(Path(file).resolve().parents):
            if not folder.stat().st_mode & 1:
                return str(folder)
    return ""


@contextlib.contextmanager
def closed_memory() -> Iterator[None]:
    """While it lasts, no other process of this user can read this one's memory, where the system allows."""
    try:
        prctl = ctypes.CDLL(None).prctl
    except (OSError, AttributeError):
        yield
        return
    prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
    try:
        yield
    finally:
        prctl(_PR_SET_DUMPABLE, 1, 0, 0, 0)


def hide_arguments() -> None:
    """Blank this process's command line in the process table, since it may hold the seed of the deals."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        fields = Path("/proc/self/stat").read_text().rpartition(")")[2].split()
        start, end = int(fields[45]), int(fields[46])
        if 0 < start < end:
            ctypes.memset(start, 0, end - start)
