"""Pages and README say what the code does."""

import re
import sys
from pathlib import Path

import pytest

from foodenvs.cli.scaffold import new
from foodenvs.core.setup import Setup
from foodenvs.docs import tables
from foodenvs.docs.tables import stale
from foodenvs.games import GAMES

HERE = Path(__file__).parent
DOCS = Path(tables.__file__).parent
PAGES = [HERE.parent / "README.md", *sorted(DOCS.rglob("*.md"))]
README = PAGES[0].read_text(encoding="utf-8")
AGENT_GUIDE = (DOCS / "an_agent_of_your_own.md").read_text(encoding="utf-8")
RESULTS = (DOCS / "results.md").read_text(encoding="utf-8")


def snippets(text):
    """The Python of a page, each with what it prints."""
    return re.findall(r"```python\n(.*?)```(?:\n\n```text\n(.*?)```)?", text, re.DOTALL)


SNIPPETS = snippets(README)


def test_the_tables_of_a_page_are_those_of_the_declarations(game):
    assert stale(game) == [], f"run: python -m foodenvs.page {game.name}"


def test_the_command_of_the_page_says_what_it_writes(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(GAMES, "ids", dict(GAMES.ids))
    new("paged_pebbles", tmp_path)
    file = tmp_path / "paged_pebbles.py"
    game = f"{file}:GAME"
    file.write_text(file.read_text().replace("@options@", ""))
    assert tables.main([game, "--check"]) == 1
    assert capsys.readouterr().out == "paged_pebbles-v0: facts, options, observation, actions out of date\n"
    assert tables.main([game]) == 0
    written = (
        f"{file}: wrote facts, observation, actions\nno place for @options@; put it into the docstring\n"
    )
    assert capsys.readouterr().out == written
    assert "| heap | 0 | 1 | 0 to 21 | pebbles on the heap |" in file.read_text()
    assert tables.main([game]) == 0
    assert capsys.readouterr().out.startswith(f"{file}: nothing to write\n")
    for wrong in ([], ["no_such_game"]):
        with pytest.raises(SystemExit) as ended:
            tables.main(wrong)
        assert (ended.value.code, "usage: python -m foodenvs.page" in capsys.readouterr().err) == (
            2,
            True,
        )


@pytest.mark.parametrize(("code", "printed"), SNIPPETS)
def test_a_snippet_of_the_readme_prints_what_it_says(code, printed, capsys):
    exec(code, {"__name__": "__main__"})
    assert capsys.readouterr().out == printed


def test_the_guide_to_an_agent_does_what_it_says(capsys):
    scope = {"__name__": "__main__"}
    assert len(snippets(AGENT_GUIDE)) == 2
    for code, printed in snippets(AGENT_GUIDE):
        exec(code, scope)
        assert capsys.readouterr().out == printed


def test_the_readme_lists_every_game_with_its_sizes(game):
    [row] = [line for line in README.splitlines() if line.startswith("| [" + game.title)]
    seats = game.options["players"].allowed
    [lengths] = re.findall(r"^\| observation length \| ([\d, ]+) for", game.page, re.MULTILINE)
    sizes = [int(length) for length in lengths.split(", ")]
    assert f"games/{game.name}/__init__.py" in row
    assert f"[every clause](foodenvs/docs/rules/{game.name}.md)" in row
    assert f"| {seats[0]}-{seats[-1]} | {Setup(game).actions} | {min(sizes)}-{max(sizes)} |" in row


def anchors(text):
    """The names by which the headings of a page can be linked to."""
    heads = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", PAGES, ids=[page.name for page in PAGES])
def test_the_links_of_a_page_lead_somewhere(page):
    text = page.read_text(encoding="utf-8")
    for link in re.findall(r"\]\(([^)]+)\)", re.sub(r"```.*?```", "", text, flags=re.DOTALL)):
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        assert path.startswith("https:") or target.exists(), link
        assert not anchor or anchor in anchors(target.read_text(encoding="utf-8")), link


def test_a_games_page_leads_to_its_clauses_and_its_figures(game):
    for name in (f"foodenvs/docs/rules/{game.name}.md", "foodenvs/docs/results.md"):
        assert name in game.page
        assert (HERE.parent / name).exists()
    assert f"match {game.name}" in RESULTS
    assert "foodenvs match" not in game.page


def test_no_document_is_named_that_is_not_there():
    for room in (HERE.parent / "foodenvs", HERE):
        for path in [*room.rglob("*.py"), *room.rglob("*.toml"), *room.rglob("*.md")]:
            text = path.read_text(encoding="utf-8")
            assert not re.search(r"\bthe spec\b|\(spec[ ,]|\bspec \d|[Ss]pec\.md", text), path


def test_the_readme_names_the_commands():
    for command in ('pip install -e ".[dev]" && pytest', "pip install -e . && foodenvs demo", "uv run"):
        assert command in README
    assert len(SNIPPETS) >= 2
    assert len(GAMES) == len(re.findall(r"^\| \[", README, re.MULTILINE))
