"""A second Python process that plays games on request: `python -m foodenvs.testing.worker`.

Jobs and answers are pickles on its standard streams. What the environment itself prints goes to stderr.
"""

import contextlib
import hashlib
import os
import pickle
import subprocess
import sys
from collections.abc import Mapping
from typing import Any, BinaryIO


class NoWorker(RuntimeError):
    """The second process could not be started, or could not import the factory."""


class Worker:
    """A second process with its own hash seed and environment variables; use it in a `with` block.

    `ask(function, *arguments)` runs a function that both processes can import.
    """

    def __init__(self, **variables: str) -> None:
        environment = {**os.environ, "PYTHONHASHSEED": "4321", **variables}
        environment["PYTHONPATH"] = os.pathsep.join(path or os.getcwd() for path in sys.path)
        self._process = subprocess.Popen(
            [sys.executable, "-W", "ignore", "-m", __name__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
        )

    def ask(self, function: Any, *arguments: Any) -> Any:
        """The value of function(*arguments) there. NoWorker where it cannot be had, or the error raised there."""
        assert self._process.stdin
        assert self._process.stdout
        try:
            pickle.dump(pickle.dumps((function, arguments)), self._process.stdin)
            self._process.stdin.flush()
            answer, value = pickle.load(self._process.stdout)
        except Exception as error:
            raise NoWorker(f"{type(error).__name__}: {error}") from error
        if answer == "cannot":
            raise NoWorker(value)
        if answer == "error":
            raise value
        return value

    def __enter__(self) -> "Worker":
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(5)
        self._process.kill()
        self._process.wait()
        if self._process.stdout:
            self._process.stdout.close()


def digest(value: Any) -> bytes:
    """A hash of a frozen look or of arrays; equal for equal values, also across processes."""
    text = hashlib.blake2b(digest_size=12)
    _feed(text, value)
    return text.digest()


def _feed(text: Any, value: Any) -> None:
    if hasattr(value, "tobytes") and hasattr(value, "dtype"):
        text.update(f"{value.dtype}{getattr(value, 'shape', ())}".encode())
        text.update(repr(value.tolist()).encode() if value.dtype.hasobject else value.tobytes())
    elif isinstance(value, Mapping):
        for key, item in value.items():
            text.update(f"{key!r}:".encode())
            _feed(text, item)
    elif isinstance(value, (list, tuple)):
        text.update(f"{type(value).__name__}{len(value)}".encode())
        for item in value:
            _feed(text, item)
    elif type(value).__repr__ is object.__repr__:
        text.update(type(value).__name__.encode())
    else:
        text.update(repr(value).encode())


def _serve(jobs: BinaryIO, answers: BinaryIO) -> None:
    while True:
        try:
            packed = pickle.load(jobs)
        except EOFError:
            return
        try:
            function, arguments = pickle.loads(packed)
        except Exception as error:
            answer: tuple[str, Any] = ("cannot", f"{type(error).__name__}: {error}")
        else:
            try:
                answer = ("value", function(*arguments))
            except Exception as error:
                answer = ("error", error)
        pickle.dump(answer, answers)
        answers.flush()


if __name__ == "__main__":
    own = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    _serve(sys.stdin.buffer, own)
