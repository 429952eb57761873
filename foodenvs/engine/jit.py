"""`rule`: numba's njit with a disk cache that notices every change a result depends on.

numba's own cache looks at the caller's file alone: after an edit in an imported module it goes on returning
results of the old code, and it never finds a closure over compiled functions again. Here an entry is
stamped with the sources of all functions that it reaches and the values of all constants that it reads,
and a closure is filed under the names of what it closes over.

Neither this nor `foodenvs.engine.inlined` uses a public interface: pyproject.toml pins numba to the tested
range. Where the cache cannot be set up, functions are compiled in memory, with one warning.
"""

import contextlib
import functools
import glob
import hashlib
import inspect
import os
import pickle
import sys
import types
import warnings
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from numba.core import caching, config
from numba.core.registry import cpu_target

from foodenvs.engine import inlined
from foodenvs.engine.turns import TURN

PURE = bool(config.DISABLE_JIT)  # type: ignore[attr-defined]


def rule(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a function of a game's rules; in pure mode return it as it is.

    Calls release the GIL. Division follows numpy: no exception in compiled code. There is no C callback of
    it, which would only take time to compile.
    """
    function._is_rule = True  # type: ignore[attr-defined]
    if PURE:
        return function
    if function.__closure__:
        _name_apart(function)
    called = inlined.Called(function)
    _keep_on_disk(called, _Cache)
    _keep_on_disk(called.inlined, _InlinedCache)
    return called


def _name_apart(function: Callable[..., Any]) -> None:
    """Put what a closure closes over into its name.

    numba makes symbols of compiled code from a function's name and a number that it counts in each process.
    Two closures of one source, one from the cache and one new, can get the same symbol, and the linker then
    takes one for the other.
    """
    function.__qualname__ += "_" + hashlib.sha256(_name(function).encode()).hexdigest()[:12]


def choose(*functions: Callable[..., Any]) -> Callable[..., Any]:
    """One rule out of a table of rules: `choose(f, g, h)(k, *arguments)` calls the k-th of them.

    All must take the same arguments and return the same type. numba cannot index a tuple of functions by a
    variable, so the table becomes a balanced tree of closures. k outside the table calls the nearest end.
    """
    if not functions:
        raise ValueError("choose() needs at least one function")
    return _choose(0, functions)


def _choose(start: int, functions: tuple[Callable[..., Any], ...]) -> Callable[..., Any]:
    if len(functions) <= len(_LEAVES):
        return _LEAVES[len(functions) - 1](start, *functions)
    half = len(functions) // 2
    middle = start + half
    low, high = _choose(start, functions[:half]), _choose(middle, functions[half:])

    @rule
    def branch(k, *arguments):
        if k < middle:
            return low(k, *arguments)
        return high(k, *arguments)

    return branch


def _one(start: int, only: Callable[..., Any]) -> Callable[..., Any]:
    @rule
    def leaf(k, *arguments):
        return only(*arguments)

    return leaf


def _two(start: int, first: Callable[..., Any], second: Callable[..., Any]) -> Callable[..., Any]:
    @rule
    def leaf(k, *arguments):
        if k <= start:
            return first(*arguments)
        return second(*arguments)

    return leaf


def _three(
    start: int, first: Callable[..., Any], second: Callable[..., Any], third: Callable[..., Any]
) -> Callable[..., Any]:
    @rule
    def leaf(k, *arguments):
        if k <= start:
            return first(*arguments)
        if k == start + 1:
            return second(*arguments)
        return third(*arguments)

    return leaf


_LEAVES = (_one, _two, _three)  # few closures, since each is compiled


def announce(function: Callable[..., Any], text: str) -> None:
    """Say `text` on stderr when something that depends on the file of `function` is compiled, once."""
    _announcements[inspect.getfile(_plain(function))] = text


def load_compiler() -> None:
    """Load what the compiler would load at its first use, for a process that may not read it later."""
    if not PURE:
        cpu_target.target_context.refresh()


def silence() -> None:
    """Say nothing of compiling in this process."""
    global _silent
    _silent = True


_announcements: dict[str, str] = {}  # file to text
_announced: set[str] = set()
_silent = False


def _announce(file: str, before: str = "") -> None:
    if file in _announcements and file not in _announced:
        _announced.add(file)
        if not _silent:
            print(f"foodenvs: {before}{_announcements[file]}", file=sys.stderr, flush=True)


def _plain(function: Any) -> Any:
    return getattr(function, "py_func", function)


def is_rule(thing: Any) -> bool:
    """Whether this is a function that went through `rule`."""
    return getattr(_plain(thing), "_is_rule", False)


def uncompiled(function: Callable[..., Any], stand_ins: Mapping[Any, Any]) -> Callable[..., Any]:
    """A rule as plain Python, with all that it reaches, and with others in the place of some functions.

    stand_ins: function to its stand-in. Records must have attributes (see `foodenvs.engine.records`).
    """
    copies: dict[Any, Any] = {_plain(original): other for original, other in stand_ins.items()}

    def copied(thing: Any) -> Any:
        original = _plain(thing)
        if not isinstance(original, types.FunctionType):
            return thing
        if original not in copies:
            scope = dict(original.__globals__)
            cells = tuple(types.CellType() for _ in original.__closure__ or ())
            copies[original] = types.FunctionType(
                original.__code__, scope, original.__name__, original.__defaults__, cells
            )
            scope.update({name: copied(scope[name]) for name in _names(original) if name in scope})
            for cell, closed_over in zip(cells, original.__closure__ or (), strict=True):
                cell.cell_contents = copied(closed_over.cell_contents)
        return copies[original]

    return copied(function)


def _names(function: types.FunctionType) -> Iterator[str]:
    """The names that a function's code may look up in its module."""
    codes = [function.__code__]
    while codes:
        code = codes.pop()
        codes += [c for c in code.co_consts if isinstance(c, types.CodeType)]
        yield from code.co_names


def _reached(function: types.FunctionType) -> Iterator[Any]:
    """What a function's code may read from outside: its globals by name, and what it closes over."""
    for name in _names(function):
        if name in function.__globals__:
            yield function.__globals__[name]
    for cell in function.__closure__ or ():
        yield cell.cell_contents


def _stamp(function: types.FunctionType) -> tuple[str, set[str]]:
    """A hash of all that the compiled code of `function` depends on, and the source files among it."""
    files, constants, functions = set(), [], set()
    todo = [function]
    while todo:
        current = todo.pop()
        if current in functions:
            continue
        functions.add(current)
        files.add(inspect.getfile(current))
        for thing in _reached(current):
            thing = _plain(thing)
            if isinstance(thing, types.FunctionType):
                todo.append(thing)
            elif isinstance(thing, types.ModuleType):
                files.add(getattr(thing, "__file__", None) or thing.__name__)
            else:
                constants.append(repr(thing))
    digest = hashlib.sha256("\n".join(sorted(constants)).encode())
    for file in sorted(files):
        digest.update(_source(file))
    return digest.hexdigest(), files


@functools.cache
def _source(file: str) -> bytes:
    """The contents of a source file; of an installed library, its path is enough."""
    if "site-packages" in file or not os.path.isfile(file):
        return file.encode()
    with open(file, "rb") as f:
        return f.read()


def _name(thing: Any) -> str:
    """A closure is told apart by the names of what it closes over, all the way down."""
    thing = _plain(thing)
    if not isinstance(thing, types.FunctionType):
        return repr(thing)
    cells = "".join(f"({_name(cell.cell_contents)})" for cell in thing.__closure__ or ())
    return f"{thing.__module__}.{thing.__qualname__}{cells}"


class _File(caching.IndexDataCacheFile):
    """Data files carry the stamp in their names, so that no index can ever lead to another version's code.

    They begin with a hash of what follows: a file that was cut off or altered is one that is not there.
    """

    def __init__(self, cache_path: str, filename_base: str, source_stamp: str) -> None:
        super().__init__(cache_path, filename_base, source_stamp)
        self._base = os.path.join(glob.escape(cache_path), glob.escape(filename_base))
        self._data_name_pattern = f"{filename_base}.{source_stamp[:16]}.{{number:d}}.nbc"

    def _save_index(self, overloads: dict[Any, str]) -> None:
        super()._save_index(overloads)
        for path in glob.glob(f"{self._base}.*.nbc"):
            if f".{self._source_stamp[:16]}." not in path:
                with contextlib.suppress(FileNotFoundError):  # another process did the same
                    os.unlink(path)

    def _load_index(self) -> dict[Any, str]:
        try:
            return dict(super()._load_index())
        except Exception:  # what is damaged may raise anything
            return {}

    def _save_data(self, name: str, data: Any) -> None:
        dumped = self._dump(data)
        with self._open_for_write(self._data_path(name)) as f:
            f.write(hashlib.sha256(dumped).digest() + dumped)

    def _load_data(self, name: str) -> Any:
        kept = Path(self._data_path(name)).read_bytes()
        digest, dumped = kept[:_DIGEST], kept[_DIGEST:]
        if hashlib.sha256(dumped).digest() != digest:
            raise FileNotFoundError(name)
        return pickle.loads(dumped)


_DIGEST = hashlib.sha256().digest_size


class _Results(caching.CompileResultCacheImpl):
    _locator_classes = [  # noqa: RUF012
        caching.UserProvidedCacheLocator,  # NUMBA_CACHE_DIR
        caching.InTreeCacheLocator,
        caching.UserWideCacheLocator,
    ]

    def __init__(self, function: types.FunctionType) -> None:
        self._closed_over = hashlib.sha256(_name(function).encode()).hexdigest()[:8]
        super().__init__(function)

    def get_filename_base(self, fullname: str, abiflags: str) -> str:
        base: str = super().get_filename_base(fullname, abiflags)
        return f"{base}.{self._closed_over}"


class _InlinedResults(_Results):
    def get_filename_base(self, fullname: str, abiflags: str) -> str:
        return "inlined." + super().get_filename_base(fullname, abiflags)

    def reduce(self, result: Any) -> Any:
        return inlined.reduce(result)

    def rebuild(self, target_context: Any, kept: Any) -> Any:
        return inlined.rebuild(target_context, kept)


# numba's settings by which it makes other code of the same source.
_FLAGS = ("BOUNDSCHECK", "OPT", "LOOP_VECTORIZE", "SLP_VECTORIZE", "DEBUGINFO_DEFAULT")


class _Cache(caching.FunctionCache):
    _impl_class: type[_Results] = _Results

    @functools.cached_property
    def _stamped(self) -> tuple[caching.IndexDataCacheFile, set[str]]:
        """Made at the first call, when the module that a function reads from is complete."""
        stamp, files = _stamp(self._py_func)
        return _File(self._cache_path, self._impl.filename_base, stamp), files

    @property
    def _cache_file(self) -> caching.IndexDataCacheFile:
        return self._stamped[0]

    @_cache_file.setter
    def _cache_file(self, file: caching.IndexDataCacheFile) -> None:
        """The base class sets one that looks at a single source file."""

    def _index_key(self, sig: Any, codegen: Any) -> tuple[Any, ...]:
        return sig, codegen.magic_tuple(), *(getattr(config, flag, None) for flag in _FLAGS)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """What is kept; if nothing is, what another process makes meanwhile; None if this one has to."""
        result = super().load_overload(sig, target_context)
        if result is not None:
            return result
        file = self._announced_file
        name = hashlib.sha256(file.encode()).hexdigest()[:8]
        lock = Path(self._cache_path, f"{Path(file).parent.name}.{name}.lock")
        if TURN.take(lock, lambda: _announce(file, "another process is ")):
            result = super().load_overload(sig, target_context)
        if result is None:
            _announce(file)
        return result

    @property
    def _announced_file(self) -> str:
        """The file of the game that the function was made for; of a function that serves all, its own."""
        return min(self._stamped[1] & _announcements.keys(), default=inspect.getfile(self._py_func))

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            super().save_overload(sig, data)
        except OSError as error:
            _warn_once(str(error))


class _InlinedCache(_Cache):
    _impl_class = _InlinedResults


def _keep_on_disk(compiled: Any, cache: type[_Cache]) -> None:
    try:
        compiled._cache = cache(compiled.py_func)
    except (RuntimeError, AttributeError, TypeError, OSError) as error:
        _warn_once(str(error))


@functools.cache
def _warned() -> list[str]:
    return []


def _warn_once(reason: str) -> None:
    if not _warned():
        _warned().append(reason)
        warnings.warn(
            "foodenvs compiles in memory, anew in every process, because its cache cannot be used "
            f"({reason}); set NUMBA_CACHE_DIR to a writable folder",
            RuntimeWarning,
            stacklevel=2,
        )
