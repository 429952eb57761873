"""Errors that are nobody's bug here: what they say, in one line, is all that the person needs."""

import contextlib
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from types import CodeType


class IllegalActionError(ValueError):
    """An action whose mask entry is 0. Nothing has changed."""


class UserError(Exception):
    """Something that the person who reads it can mend."""


class AgentError(UserError):
    """An agent's own code failed: which, how and where. The error itself is its cause."""


def agent_error(who: str, error: BaseException) -> AgentError:
    """What is said of an error in an agent's code."""
    return AgentError(f"agent {who}: {told(error)}")


def told(error: BaseException) -> str:
    """`my_game.py:57, in apply: IndexError: ...`: an error, and the line of somebody's own that led to it.

    That is the innermost one outside of libraries, this one among them; without one, the error alone.
    """
    text = f"{type(error).__name__}: {error}"
    own = [
        (frame.f_code, line)
        for frame, line in traceback.walk_tb(error.__traceback__)
        if _is_own(str(frame.f_globals.get("__name__")))
    ]
    not_installed = [found for found in own if "site-packages" not in found[0].co_filename]
    if not own or isinstance(error, SyntaxError):  # the text of that one names the place
        return text
    return f"{place(*(not_installed or own)[-1])}: {text}"


def place(code: CodeType, line: int) -> str:
    """`my_game.py:57, in apply`; the file as seen from the working directory, where it lies in it."""
    file = Path(code.co_filename)
    with contextlib.suppress(ValueError, OSError):  # it lies elsewhere, or the directory is gone
        file = file.relative_to(Path.cwd())
    return f"{file}:{line}" + ("" if code.co_name == "<module>" else f", in {code.co_qualname}")


_LIBRARIES = {*sys.stdlib_module_names, "foodenvs", "numba", "numpy"}


def _is_own(module: str) -> bool:
    """Whether a module is no library's: a game's, an agent's, the user's."""
    return module.startswith("foodenvs.games.") or module.partition(".")[0] not in _LIBRARIES


@contextlib.contextmanager
def extra(name: str, needed_by: str, error: type[BaseException] = ImportError) -> Iterator[None]:
    """Around imports: `error`, which says what to install, where something of this extra is missing.

    error: ImportError in a module; SystemExit in a script, which ends with that one line.
    """
    try:
        yield
    except ImportError as missing:
        remedy = f'pip install "foodenvs[{name}]"'
        raise error(f"{needed_by} needs the extra {name}: {remedy} ({missing})") from missing
