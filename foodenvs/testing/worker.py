"""A second Python process that plays games on request: `python -m foodenvs.testing.worker`.

Jobs and answers are pickles on its standard streams. What the environment itself prints goes to stderr.
"""

import ast
import contextlib
import functools
import hashlib
import itertools
import os
import pickle
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import Any, BinaryIO

from foodenvs.core.processes import messages

HASH_SEEDS = range(1, 25)


class NoWorker(RuntimeError):
    """The second process could not be started, or could not import the factory."""


class Worker:
    """A second process with its own hash seed and environment variables; use it in a `with` block.

    names: words whose sets shall be ordered otherwise there than here.
    `ask(function, *arguments)` runs a function that both processes can import.
    """

    def __init__(self, names: Sequence[str] = (), **variables: str) -> None:
        environment = {**os.environ, "PYTHONHASHSEED": str(other_hash_seed(names)), **variables}
        environment["PYTHONPATH"] = os.pathsep.join(path or os.getcwd() for path in sys.path)
        self._process = subprocess.Popen(
            [sys.executable, "-W", "ignore", "-m", __name__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
        )

    def ask(self, function: Any, *arguments: Any) -> Any:
        """The value of function(*arguments) there, or its error; NoWorker where neither can be had."""
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
        self._process.kill()
        self._process.wait()
        if self._process.stdout:
            self._process.stdout.close()


def other_hash_seed(names: Sequence[str]) -> int:
    """The hash seed under which most pairs of the names stand in a set in another order than here.

    A fixed one would order the names of two players as here in every second process.
    """
    pairs = list(itertools.combinations(dict.fromkeys(names), 2))
    here = [next(iter({*pair})) for pair in pairs]
    best, most = HASH_SEEDS[0], 0
    for number in HASH_SEEDS:
        if most == len(pairs):
            break
        other = sum(a != b for a, b in zip(here, _first_of_each(pairs, number), strict=True))
        if other > most:
            best, most = number, other
    return best


def _first_of_each(pairs: Sequence[tuple[str, str]], hash_seed: int) -> list[str]:
    """Which of two words a set of them begins with, in a process of that hash seed."""
    told = subprocess.run(
        [sys.executable, "-S", "-c", f"for pair in {pairs!r}: print(ascii(next(iter({{*pair}}))))"],
        env={**os.environ, "PYTHONHASHSEED": str(hash_seed)},
        capture_output=True,
        text=True,
        check=True,
    )
    return [ast.literal_eval(line) for line in told.stdout.splitlines()]


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
    elif _has_no_repr(value):
        text.update(type(value).__name__.encode())
    else:
        text.update(repr(value).encode())


def _has_no_repr(value: Any) -> bool:
    plain: Any = object.__repr__
    return type(value).__repr__ is plain


def _serve(jobs: BinaryIO, answers: BinaryIO) -> None:
    for packed in messages(functools.partial(pickle.load, jobs)):
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
