"""Functions as Python sees them: what they read from outside, their names, their sources."""

import dis
import functools
import hashlib
import inspect
import os
import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any


def plain(function: Any) -> Any:
    """The Python function of a compiled one; anything else as it is."""
    return getattr(function, "py_func", function)


def is_rule(thing: Any) -> bool:
    """Whether this is a function that went through `rule`."""
    return getattr(plain(thing), "_is_rule", False)


def uncompiled(function: Callable[..., Any], stand_ins: Mapping[Any, Any]) -> Callable[..., Any]:
    """A rule as plain Python, with all that it reaches, and with others in the place of some functions.

    stand_ins: function to its stand-in. Records must have attributes (see `foodenvs.engine.records`).
    """
    copies: dict[Any, Any] = {plain(original): other for original, other in stand_ins.items()}

    def copied(thing: Any) -> Any:
        original = plain(thing)
        if not isinstance(original, types.FunctionType):
            return thing
        if original not in copies:
            scope = dict(original.__globals__)
            cells = tuple(types.CellType() for _ in original.__closure__ or ())
            copies[original] = types.FunctionType(
                original.__code__, scope, original.__name__, original.__defaults__, cells
            )
            scope.update({name: copied(scope[name]) for name in names(original) if name in scope})
            for cell, closed_over in zip(cells, original.__closure__ or (), strict=True):
                cell.cell_contents = copied(closed_over.cell_contents)
        return copies[original]

    return copied(function)


def names(function: types.FunctionType) -> Iterator[str]:
    """The names that a function's code may look up in its module."""
    codes = [function.__code__]
    while codes:
        code = codes.pop()
        codes += [c for c in code.co_consts if isinstance(c, types.CodeType)]
        yield from code.co_names


def reached(function: types.FunctionType) -> Iterator[Any]:
    """What a function's code may read from outside: its globals by name, and what it closes over."""
    for name in names(function):
        if name in function.__globals__:
            yield function.__globals__[name]
    for cell in function.__closure__ or ():
        yield cell.cell_contents


def rules_among(functions: Iterable[Any]) -> Iterator[types.FunctionType]:
    """The rules among some functions and in what these reach in their own modules, as Python functions."""
    todo, seen = [plain(function) for function in functions], set()
    while todo:
        function = todo.pop(0)
        if isinstance(function, types.FunctionType) and function not in seen:
            seen.add(function)
            home = function.__module__
            todo += [
                plain(f) for f in reached(function) if is_rule(f) or getattr(f, "__module__", "") == home
            ]
            if is_rule(function):
                yield function


def looked_up(function: types.FunctionType) -> Iterator[tuple[int, str, str]]:
    """The names of the module, and the attributes of local variables, that a function's code looks up.

    Yields line, the variable ("" for a name of the module), and the name.
    """
    code, variable = function.__code__, ""
    for step in dis.get_instructions(code):
        line = (step.positions and step.positions.lineno) or code.co_firstlineno
        if step.opname == "LOAD_GLOBAL":
            yield line, "", step.argval
        elif step.opname in ("LOAD_ATTR", "LOAD_METHOD", "STORE_ATTR") and variable:
            yield line, variable, step.argval
        loaded = step.argval if step.opname.startswith("LOAD_FAST") else ""
        variable = loaded[-1] if isinstance(loaded, tuple) else loaded  # Python 3.13 loads two at once


def stamp(function: types.FunctionType) -> tuple[str, set[str]]:
    """A hash of all that the compiled code of `function` depends on, and the source files among it."""
    files, constants, functions = set(), [], set()
    todo = [function]
    while todo:
        current = todo.pop()
        if current in functions:
            continue
        functions.add(current)
        files.add(inspect.getfile(current))
        for thing in reached(current):
            thing = plain(thing)
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


def name_of(thing: Any) -> str:
    """A closure is told apart by the names of what it closes over, all the way down."""
    thing = plain(thing)
    if not isinstance(thing, types.FunctionType):
        return repr(thing)
    cells = "".join(f"({name_of(cell.cell_contents)})" for cell in thing.__closure__ or ())
    return f"{thing.__module__}.{thing.__qualname__}{cells}"


def with_globals(function: Any, changed: Mapping[str, Any]) -> Any:
    """A copy of a function that finds other things under some names of its module, named apart by them."""
    scope = function.__globals__ | changed
    copy = types.FunctionType(function.__code__, scope, function.__name__, function.__defaults__)
    copy.__qualname__ = function.__qualname__
    name_apart(copy, "".join(f"({name} {name_of(thing)})" for name, thing in sorted(changed.items())))
    return copy


def name_apart(function: Callable[..., Any], by: str) -> None:
    """Put what tells a function from others of the same source, such as what it closes over, into its name.

    numba makes symbols of compiled code from a function's name and a number that it counts in each process.
    Two functions of one source, one from the cache and one new, can get the same symbol, and the linker then
    takes one for the other.
    """
    function.__qualname__ += "_" + hashlib.sha256(by.encode()).hexdigest()[:12]
