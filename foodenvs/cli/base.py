"""The `foodenvs` command. Wrong input is one line on stderr and exit code 2; a traceback only on demand."""

import contextlib
import os
import re
import signal
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from foodenvs.core.documents import printable
from foodenvs.core.errors import UserError

if TYPE_CHECKING:
    pass

EXIT_CODES = (
    "Exit codes: 0 done; 1 something that was checked or graded failed; 2 wrong input, or something that "
    "this machine refuses (one line says what); 130 interrupted; 128 + n ended by signal n."
)
app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Hidden-information tabletop games for reinforcement learning: play, measure, check.",
    epilog=EXIT_CODES,
)

GameName = Annotated[
    str,
    typer.Argument(metavar="GAME", help="A game: scratch_catch, scratch_catch-v0, or my_module:GAME."),
]
MoreGames = Annotated[
    list[str] | None,
    typer.Option("--game", metavar="GAME", help="my_module:GAME, a game from outside; may be repeated."),
]
Players = Annotated[int | None, typer.Option("--players", help="Number of seats (the option players).")]
Options = Annotated[
    list[str] | None,
    typer.Option(
        "-o", "--option", metavar="NAME=VALUE", help="An option of the game; VALUE is TOML or text."
    ),
]
ComponentFile = Annotated[
    str | None, typer.Option("--components", metavar="FILE", help="A TOML file with card data.")
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document for machines.")]
Seed = Annotated[int, typer.Option("--seed", min=0, max=2**63 - 1, help="Same seed, same result.")]
Workers = Annotated[int, typer.Option("--workers", min=1, help="Processes; the result is the same.")]
Until = Annotated[
    float | None,
    typer.Option("--until", metavar="WIDTH", min=0, help="Stop when the intervals are so narrow."),
]
TimeLimit = Annotated[
    float | None, typer.Option("--time-limit", metavar="SECONDS", min=0, help="A slower move loses the game.")
]
ResultsFile = Annotated[
    Path | None, typer.Option("--results", metavar="FILE", help="Kept game by game; taken up again.")
]
AllowCode = Annotated[
    bool, typer.Option("--allow-code", help="The file may name modules, files and policies; they are run.")
]


class UsageError(UserError):
    """Wrong input on the command line."""


_tracebacks = False  # whether --traceback was given


@app.callback()
def _before_commands(
    traceback: Annotated[
        bool,
        typer.Option(
            "--traceback", envvar="FOODENVS_TRACEBACK", help="Print the traceback of an error above its line."
        ),
    ] = False,
) -> None:
    global _tracebacks
    _tracebacks = traceback


# Beside UserError: a ValueError says what was wrong with a value, an OSError what the machine refused, an
# ImportError which extra is missing.
EXPECTED = (UserError, ValueError, OSError, ImportError)


def main() -> None:
    """Run the command line. What a person can mend is one line on stderr and exit code 2; see EXIT_CODES."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # it was closed, as by `>&-`
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115
    try:
        with ended_in_order():
            code = app(standalone_mode=False)
    except (KeyboardInterrupt, typer.Abort):
        code = 130
    except BrokenPipeError:  # whoever reads has read enough
        sys.stderr.close()
        code = 1
    except EXPECTED as error:
        if _tracebacks:
            traceback.print_exception(error)
        code = _complain(_in_words(error))
    except Exception as error:
        if not hasattr(error, "format_message"):
            raise
        code = _complain(error.format_message())
    sys.exit(code if isinstance(code, int) else 0)


def _in_words(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror is not None:
        return error.strerror if error.filename is None else f"{error.filename}: {error.strerror}"
    return str(error) or type(error).__name__


def _complain(message: str) -> int:
    line = re.sub(r"(?<!:)\n\s*", "; ", message)  # of several faults
    print(f"foodenvs: {printable(' '.join(line.split()))}", file=sys.stderr)
    return 2


@contextlib.contextmanager
def ended_in_order() -> Iterator[None]:
    """What asks a program to end does so here as Ctrl-C does: what was begun is cleaned up on the way out."""

    def end(number: int, frame: Any) -> None:
        raise SystemExit(128 + number)

    asking = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {number: signal.getsignal(number) for number in asking}
    for number in asking:
        if before[number] == signal.SIG_DFL:  # `nohup` lets a program ignore the second
            signal.signal(number, end)
    try:
        yield
    finally:
        for number in asking:
            signal.signal(number, before[number])
