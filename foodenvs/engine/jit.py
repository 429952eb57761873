"""`rule`: how a function of a game's rules is compiled.

Neither `foodenvs.engine.inlined` nor `foodenvs.engine.cache` uses a public interface of numba:
pyproject.toml pins it to the tested range.
"""

import hashlib
from collections.abc import Callable
from typing import Any

from numba.core import config
from numba.core.registry import cpu_target

from foodenvs.engine import inlined
from foodenvs.engine.cache import keep_on_disk
from foodenvs.engine.functions import name_of

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
    keep_on_disk(called)
    keep_on_disk(called.inlined, inlined=True)
    return called


def _name_apart(function: Callable[..., Any]) -> None:
    """Put what a closure closes over into its name.

    numba makes symbols of compiled code from a function's name and a number that it counts in each process.
    Two closures of one source, one from the cache and one new, can get the same symbol, and the linker then
    takes one for the other.
    """
    function.__qualname__ += "_" + hashlib.sha256(name_of(function).encode()).hexdigest()[:12]


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
    if not PURE:
        cpu_target.target_context.refresh()
