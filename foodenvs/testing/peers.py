"""What the kit finds in environments that others wrote: `python -m foodenvs.testing.peers [README.md]`.

Prints a Markdown table, or writes it into a file between its two markers. Needs the extra `peers`.
"""

import sys
from pathlib import Path

from foodenvs.testing.checks import CHECKS, OURS
from foodenvs.testing.conformance import check
from foodenvs.testing.report import NOT_RUN, Result

PEERS = ("connect_four_v3", "tictactoe_v3", "leduc_holdem_v4", "texas_holdem_v4", "hanabi_v5")
GAMES = 3  # looked at in each check; a fixed number, so that every machine finds the same
BEGIN, END = "<!-- peers -->", "<!-- /peers -->"


def table() -> str:
    """The table, one row for each environment; of each check what it found, "ok" for nothing."""
    names = [name for name in CHECKS if name not in OURS]
    head = ["PettingZoo classic", *names]
    rows = [head, ["---"] * len(head)]
    for peer in PEERS:
        report = check(f"pettingzoo.classic.{peer}:env", seconds=1, games=GAMES, checks=names)
        rows.append([f"`{peer}`", *(_found(report[name]) for name in names)])
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def _found(result: Result) -> str:
    if result.status == NOT_RUN:
        return "no `determinized`"
    return ", ".join(sorted(failure.part for failure in result.failures)) or "ok"


def table_in(text: str) -> str:
    """The table that a text holds between the markers; ValueError where there are none."""
    _, begun, rest = text.partition(BEGIN)
    inside, ended, _ = rest.partition(END)
    if not (begun and ended):
        raise ValueError(f"there is no {BEGIN} ... {END}")
    return inside.strip()


def refresh(path: Path) -> None:
    """Write the table into a file, between the markers."""
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(table_in(text), table()), encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:]:
        refresh(Path(sys.argv[1]))
    else:
        print(f"{BEGIN}\n{table()}\n{END}")
