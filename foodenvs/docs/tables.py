"""The tables of a game's page, written from its declarations: `python -m foodenvs.page [--check] GAME`.

The page itself is the docstring of the game's package, or of its module. A test compares the tables in it
with these, so they cannot drift.
"""

import argparse
import importlib
import re
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from foodenvs.core.game import Game
from foodenvs.core.layout import Field
from foodenvs.core.setup import Setup
from foodenvs.envs.registry import find_game


def tables(game: Game) -> dict[str, str]:
    """The generated tables of a page by section: facts, options, observation, actions, not shown, events."""
    setup = Setup(game)
    excuses = getattr(game.words, "NOT_SHOWN", {})
    shown = {form: facts for form, facts in excuses.items() if form != "alone"}  # that one is for the kit
    rows = [(f"`{fact}`", form, why) for form, facts in shown.items() for fact, why in facts.items()]
    some = (
        {"not shown": markdown_table(("part of a seat's view", "not in its", "because"), rows)}
        if rows
        else {}
    )
    kinds = [(f"`{kind}`", f"`{words}`") for kind, words in game.sentences.items()]
    if kinds:
        some["events"] = markdown_table(("event", "in words"), kinds)
    return some | {
        "facts": _facts(game, setup),
        "options": markdown_table(
            ("option", "default", "allowed", "meaning"),
            [(o.name, repr(o.default), o.must_be(), o.meaning) for o in game.options.values()],
        ),
        "observation": markdown_table(
            ("field", "at", "shape", "range", "meaning"),
            _observation_rows(setup),
        ),
        "actions": markdown_table(
            ("index", "name", "meaning"),
            [
                (_span(first, last), _span(setup.action_name(first), setup.action_name(last)), meaning)
                for first, last, meaning in game.action_ranges(setup.box)
            ],
        ),
    }


def _facts(game: Game, setup: Setup) -> str:
    seats = game.options["players"].allowed
    setups = [Setup(game, {"players": players}) for players in seats]
    lengths = [s.length for s in setups]
    rows = [
        ("id", f"`{game.id}`"),
        ("players", f"{seats[0]} to {seats[-1]} (default {setup.players})"),
        ("agents", f"`{setup.agents[0]}` .. `player_N`"),
        ("actions", f"Discrete({setup.actions})"),
        ("observation length", ", ".join(map(str, lengths)) + f" for {seats[0]} to {seats[-1]} players"),
        ("decisions per game", f"at most {', '.join(str(s.max_decisions) for s in setups)}"),
        ("points that count as 1 in rewards", str(game.scale)),
    ]
    return markdown_table(("", ""), rows)


def _observation_rows(setup: Setup) -> list[tuple[str, ...]]:
    layout = setup.layout
    return [
        (f.name, str(layout.at[f.name]), " x ".join(map(str, f.shape)), _range(f), f.meaning)
        for f in layout.fields
    ]


def _range(f: Field) -> str:
    return f"{np.min(f.low)} to {np.max(f.high)}"


def _span(first: object, last: object) -> str:
    return str(first) if first == last else f"{first} .. {last}"


def markdown_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def stale(game: Game) -> list[str]:
    """The generated tables that the page does not hold as they are now."""
    return [section for section, text in tables(game).items() if text not in game.page]


def refresh(game: Game) -> tuple[Path, list[str]]:
    """Write the tables into the page: in place of their old selves (found by head), or of @section@.

    Returns the file, which is left alone where nothing is new, and the sections that are.
    """
    path = Path(importlib.import_module(game.home).__file__ or "")
    source = path.read_text(encoding="utf-8")
    written = []
    for section, text in tables(game).items():
        head = re.escape("\n".join(text.split("\n")[:2]))
        new = re.sub(rf"@{section}@|{head}(\n\|.*)*", text.replace("\\", r"\\"), source, count=1)
        if new != source:
            written.append(section)
        source = new
    if written:
        path.write_text(source, encoding="utf-8")
    return path, written


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; returns the exit code: 1 with --check where the page is not as it would be written."""
    parser = argparse.ArgumentParser("python -m foodenvs.page", description=__doc__.partition("\n")[0])
    parser.add_argument(
        "game", metavar="GAME", help="scratch_catch, my_module:GAME, path/to/my_module.py:GAME"
    )
    parser.add_argument(
        "--check", action="store_true", help="write nothing; say which tables are out of date"
    )
    given = parser.parse_args(arguments)
    try:
        game = find_game(given.game)
        old = stale(game)
        path, written = (Path(), []) if given.check else refresh(game)
    except ValueError as error:
        parser.error(str(error))
    if given.check:
        print(f"{game.id}: {', '.join(old)} out of date" if old else f"{game.id}: the page is up to date")
        return 1 if old else 0
    print(f"{path}: wrote {', '.join(written)}" if written else f"{path}: nothing to write")
    if nowhere := [section for section in old if section not in written]:
        print(f"no place for {', '.join(f'@{section}@' for section in nowhere)}; put it into the docstring")
    return 0


if __name__ == "__main__":
    sys.exit(main())
