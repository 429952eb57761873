"""`rule`: how a function of a game's rules is compiled.

By numba, in ways of our own (`foodenvs.engine.inlined`) and with a disk cache of our own
(`foodenvs.engine.cache`). Both use private parts of numba, which a later numba may lack. Without the one,
rules are compiled by plain `njit`, and no process waits for what another compiles; without the other they are
compiled in memory; one warning says so. Games are the same to the byte, and played as fast.
"""

import importlib
import warnings
from collections.abc import Callable
from typing import Any

import numba
from numba import config, njit

from foodenvs.engine.functions import name_apart, name_of

PURE = bool(config.DISABLE_JIT)  # type: ignore[attr-defined]

_COSTS = {
    "inlined": "first compiles take 1.3 to 2.1 times as long",
    "cache": "compiled code is not kept on disk, and every process compiles anew",
}


def _parts(*names: str) -> list[Any]:
    """These modules of this folder; None for one that needs what this numba lacks."""
    parts: list[Any] = []
    lacking = {}
    for name in names:
        try:
            parts.append(importlib.import_module(f"foodenvs.engine.{name}"))
        except ImportError as error:
            parts.append(None)
            lacking[name] = str(error)
    if lacking:
        warnings.warn(
            f"foodenvs uses private parts of numba that numba {numba.__version__} lacks "
            f"({'; '.join(lacking.values())}): {', and '.join(_COSTS[name] for name in lacking)}. "
            "Games are the same, and played as fast.",
            RuntimeWarning,
            stacklevel=2,
        )
    return parts


inlined, cache = (None, None) if PURE else _parts("inlined", "cache")
_njit = njit(nogil=True, error_model="numpy")


def rule(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a function of a game's rules; in pure mode return it as it is.

    Calls release the GIL. Division follows numpy: no exception in compiled code.
    """
    function._is_rule = True  # type: ignore[attr-defined]
    if PURE:
        return function
    if function.__closure__:
        name_apart(function, name_of(function))
    if inlined:
        compiled = inlined.Called(function)
    else:
        compiled = _njit(function)
    if cache:
        cache.keep_on_disk(compiled)
    return compiled


def direct(compiled: Callable[..., Any]) -> Callable[..., Any]:
    """The machine code of a rule that was called before, to be called with arguments of the same types.

    Half of what a short call costs is the search for the machine code that suits its arguments. Here nothing
    is searched: an array of another number of axes or size of entry is still a TypeError, others are not
    noticed. Gives the rule itself where it has no machine code, or more than one.
    """
    overloads = [*getattr(compiled, "overloads", {}).values()]
    return getattr(overloads[0], "entry_point", compiled) if len(overloads) == 1 else compiled


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


def load_compiler() -> None:
    """Load what the compiler would load at its first use, for a process that may not read it later."""
    _njit(lambda: 0)()
