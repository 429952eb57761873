"""Errors that are nobody's bug here: what they say, in one line, is all that the person needs."""

import contextlib
import traceback
from collections.abc import Iterator
from typing import Any


class UserError(Exception):
    """Something that the person who reads it can mend."""


class AgentError(UserError):
    """An agent's own code failed: which, how and where. The error itself is its cause."""


def agent_error(who: str, error: BaseException, file: Any = None) -> AgentError:
    """What is said of an error in an agent's code. file: of the agent, to name the line in it."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if frame.filename == str(file)] or frames
    told = isinstance(error, SyntaxError)  # its text names the place
    where = f" ({own[-1].filename}, line {own[-1].lineno})" if own and not told else ""
    return AgentError(f"agent {who}: {type(error).__name__}: {error}{where}")


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
