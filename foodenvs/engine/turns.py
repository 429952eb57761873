"""One process compiles a game, and says so, while the others wait, and then load what it made."""

import contextlib
import inspect
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from foodenvs.engine.functions import plain

LONGEST_WAIT = 600  # seconds; who waits longer (for a process that was stopped, say) compiles by itself


class Turn(threading.local):
    """A thread's turn at compiling: taken where something is missing, given back when all of it is made.

    A compilation asks for further functions on its way; they belong to the turn of the outermost one, so
    that no process ever waits for one lock while it holds another. numba's own lock lets one thread of this
    process compile at a time.
    """

    def __init__(self) -> None:
        self._depth = 0
        self._lock: FileLock | None = None

    @contextlib.contextmanager
    def of_one_call(self) -> Iterator[None]:
        """Whatever is missing inside is this process's to compile, once it has taken its turn."""
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1
            if self._depth == 0 and self._lock is not None:
                self._lock.release()
                self._lock = None

    def take(self, lock: Path, wait: Callable[[], None]) -> bool:
        """Take the turn at what `lock` stands for, after whoever has it now; `wait` is called before waiting.

        False if this process had a turn already. Where files cannot be locked everybody compiles.
        """
        if self._depth == 0 or self._lock is not None:
            return False
        self._lock = FileLock(lock, thread_local=False)
        try:
            self._lock.acquire(timeout=0)
        except Timeout:
            wait()
            with contextlib.suppress(Timeout):
                self._lock.acquire(timeout=LONGEST_WAIT)
        except (OSError, NotImplementedError):
            return False
        return True


TURN = Turn()


def announce(functions: Sequence[Callable[..., Any]], text: str) -> None:
    """Say `text` on stderr when something that depends on the file of one of them is compiled, once."""
    files = [inspect.getfile(plain(function)) for function in functions]
    announcements[files[0]] = text
    announced_files.update(dict.fromkeys(files, files[0]))


def silence() -> None:
    """Say nothing of compiling in this process."""
    global _silent
    _silent = True


announcements: dict[str, str] = {}  # a game's first file to text
announced_files: dict[str, str] = {}  # each of its files to the first
_announced: set[str] = set()
_silent = False


def say(file: str, before: str = "") -> None:
    """Say what was announced for `file`, if anything was, and it has not been said yet."""
    if file in announcements and file not in _announced:
        _announced.add(file)
        if not _silent:
            print(f"foodenvs: {before}{announcements[file]}", file=sys.stderr, flush=True)
