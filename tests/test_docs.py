"""Pages and README say what the code does."""

import re
from pathlib import Path

import pytest

from foodenvs.games import GAMES
from foodenvs.page import stale

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
SNIPPETS = re.findall(r"```python\n(.*?)```(?:\n\n```text\n(.*?)```)?", README, re.DOTALL)


def test_the_tables_of_a_page_are_those_of_the_declarations(game):
    assert stale(game) == [], f"run: python -m foodenvs.page {game.name}"


@pytest.mark.parametrize(("code", "printed"), SNIPPETS)
def test_a_snippet_of_the_readme_prints_what_it_says(code, printed, capsys):
    exec(code, {"__name__": "__main__"})
    assert capsys.readouterr().out == printed


def test_the_readme_lists_every_game_with_its_sizes(game):
    [row] = [line for line in README.splitlines() if line.startswith("| [" + game.title)]
    seats = game.options["players"].allowed
    assert f"games/{game.name}/__init__.py" in row
    assert f"| {seats[0]}-{seats[-1]} | {game.rules.ACTIONS} |" in row


def test_the_readme_names_the_commands():
    for command in ('pip install -e ".[dev]" && pytest', "pip install -e . && foodenvs demo", "uv run"):
        assert command in README
    assert len(SNIPPETS) >= 2
    assert len(GAMES) == len(re.findall(r"^\| \[", README, re.MULTILINE))
