"""A disk cache that notices every change a compiled function depends on.

numba's own cache looks at the caller's file alone: after an edit in an imported module it goes on returning
results of the old code, and it never finds a closure over compiled functions again. Here an entry is
stamped with the sources of all functions that it reaches and the values of all constants that it reads,
and a closure is filed under the names of what it closes over.

Where no folder can be written to, functions are compiled in memory, with one warning. What this uses of
numba's private parts stands in `PRIVATE`. Importing this where one of them is missing is an ImportError, and
`foodenvs.engine.rule` does without it.
"""

import contextlib
import functools
import glob
import hashlib
import inspect
import os
import pickle
import types
import warnings
from pathlib import Path
from typing import Any

from numba import config
from numba.core import caching

from foodenvs.engine.functions import name_of, stamp
from foodenvs.engine.private import need
from foodenvs.engine.turns import TURN, announced_files, say

PRIVATE = {
    "numba.core.caching": ("InTreeCacheLocator", "UserProvidedCacheLocator", "UserWideCacheLocator"),
    "numba.core.caching:IndexDataCacheFile": (
        *("_data_name_pattern", "_data_path", "_dump", "_load_data", "_load_index", "_open_for_write"),
        *("_save_data", "_save_index", "_source_stamp"),
    ),
    "numba.core.caching:CompileResultCacheImpl": (
        *("_locator_classes", "filename_base", "get_filename_base", "rebuild", "reduce"),
    ),
    "numba.core.caching:FunctionCache": (
        *("_cache_file", "_cache_path", "_impl", "_impl_class", "_index_key", "_py_func"),
        *("load_overload", "save_overload"),
    ),
    "numba.core.codegen:JITCPUCodegen": ("magic_tuple",),
    "numba.core.dispatcher:Dispatcher": ("_cache",),
}
need(PRIVATE)


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
        self._closed_over = hashlib.sha256(name_of(function).encode()).hexdigest()[:8]
        super().__init__(function)

    def get_filename_base(self, fullname: str, abiflags: str) -> str:
        base: str = super().get_filename_base(fullname, abiflags)
        return f"{base}.{self._closed_over}"


class _InlinedResults(_Results):
    """Of rules that `foodenvs.engine.inlined` compiled, which is only there together with what it needs."""

    def get_filename_base(self, fullname: str, abiflags: str) -> str:
        return "inlined." + super().get_filename_base(fullname, abiflags)

    def reduce(self, result: Any) -> Any:
        from foodenvs.engine import inlined

        return inlined.reduce(result)

    def rebuild(self, target_context: Any, kept: Any) -> Any:
        from foodenvs.engine import inlined

        return inlined.rebuild(target_context, kept)


# numba's settings by which it makes other code of the same source.
_FLAGS = ("BOUNDSCHECK", "OPT", "LOOP_VECTORIZE", "SLP_VECTORIZE", "DEBUGINFO_DEFAULT")


class _Cache(caching.FunctionCache):
    _impl_class: type[_Results] = _Results

    @functools.cached_property
    def _stamped(self) -> tuple[caching.IndexDataCacheFile, set[str]]:
        """Made at the first call, when the module that a function reads from is complete."""
        digest, files = stamp(self._py_func)
        return _File(self._cache_path, self._impl.filename_base, digest), files

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
        if TURN.take(lock, lambda: say(file, "another process is ")):
            result = super().load_overload(sig, target_context)
        if result is None:
            say(file)
        return result

    @property
    def _announced_file(self) -> str:
        """The file of the game that the function was made for; of a function that serves all, its own."""
        found = (announced_files[file] for file in self._stamped[1] & announced_files.keys())
        return min(found, default=inspect.getfile(self._py_func))

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            super().save_overload(sig, data)
        except OSError as error:
            _warn_once(str(error))


class _InlinedCache(_Cache):
    _impl_class = _InlinedResults


def keep_on_disk(compiled: Any) -> None:
    """Let a rule, and what of it is inlined in others, be loaded from disk and saved there once compiled."""
    try:
        compiled._cache = _Cache(compiled.py_func)
        if hasattr(compiled, "inlined"):
            compiled.inlined._cache = _InlinedCache(compiled.py_func)
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
