"""How commands print: tables, JSON, progress."""

import contextlib
import json as jsonlib
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from foodenvs.core.documents import printable

if TYPE_CHECKING:
    from rich.table import Table

    from foodenvs.arena import Match


def print_json(document: Any) -> None:
    """Print a document as indented JSON."""
    print(jsonlib.dumps(document, indent=2))


def new_table(*columns: str, right: int = 0) -> "Table":
    """An empty table whose last `right` columns hold numbers."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD)
    for k, column in enumerate(columns):
        table.add_column(printable(column), justify="right" if k >= len(columns) - right else "left")
    return table


def add_row(table: "Table", *cells: str) -> None:
    """A row of cells, which may hold what files and agents are called."""
    table.add_row(*map(printable, cells))


def print_table(table: "Table") -> None:
    """To a terminal in its width; elsewhere in whatever width the table needs, so that nothing is cut."""
    from rich.console import Console

    width = None if sys.stdout.isatty() else 200
    Console(width=width, markup=False, emoji=False).print(table)


@contextlib.contextmanager
def progress_bar(text: str) -> Iterator[Any]:
    """A progress bar on stderr; yields a function of (done, wanted) and, if there is one, an estimate."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    said = TextColumn("{task.description}", markup=False)
    columns = (said, BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(text, total=None)
        yield lambda done, wanted, estimate="": bar.update(
            task, completed=done, total=wanted, description=printable(f"{text} {estimate}".strip())
        )


def share(low: float, mean: float, high: float) -> str:
    """A win share with its interval, in per cent."""
    return f"{100 * mean:.1f} % [{100 * low:.1f}, {100 * high:.1f}]"


def standings_table(match: "Match") -> "Table":
    """The agents of a match in its order, each with the games that it lost by faults below it."""
    from foodenvs.arena.report import points

    table = new_table("agent", "win share [95 %]", "mean score", "score margin [95 %]", right=3)
    for agent in match.agents:
        margin = "" if agent.margin is None else f"{agent.margin:+.1f}"
        if agent.margin_low is not None:
            margin += f" [{agent.margin_low:+.1f}, {agent.margin_high:+.1f}]"
        add_row(table, agent.id, share(agent.low, agent.win_share, agent.high), points(agent), margin)
        for kind, count in agent.faults.items():
            add_row(table, f"  lost by {kind}", f"{count:,} games", "", "")
    return table
