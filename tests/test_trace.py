"""Every clause of a game leads to its place in the rulebook, to code and to a case, as a page says."""

import sys
from pathlib import Path

import pytest

from foodenvs.cli.scaffold import new
from foodenvs.docs.trace import main, page, trace
from foodenvs.games import GAMES

HERE = Path(__file__).parent
RULES = HERE.parent / "foodenvs" / "docs" / "rules"


def test_every_rule_has_a_place_in_the_rulebook_code_and_a_case(game):
    clauses = trace(game, HERE)
    assert not [gap for clause in clauses for gap in clause.gaps]
    written = (RULES / f"{game.name}.md").read_text(encoding="utf-8")
    assert written == page(game, clauses), f"run: python -m foodenvs.docs.trace {game.name}"


@pytest.fixture
def traced_pebbles(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(GAMES, "ids", dict(GAMES.ids))
    monkeypatch.chdir(tmp_path)
    new("traced_pebbles", Path())
    yield "traced_pebbles.py:GAME"
    sys.modules.pop("traced_pebbles", None)


def test_a_game_of_ones_own_is_traced(traced_pebbles, capsys):
    def lines(*arguments):
        code = main([*arguments, "--page", "rules.md", traced_pebbles])
        return code, capsys.readouterr().out.splitlines()

    places = 'game = "traced_pebbles-v0"\n[rulebook]\n"page 1" = ["PB-01", "PB-02", "PB-03"]\n'
    cases, code = Path("tests/traced_pebbles.toml"), Path("traced_pebbles.py")
    plain = cases.read_text()
    assert lines() == (
        1,
        [f"PB-0{k}: [rulebook] does not say where it stands" for k in (1, 2, 3)] + ["rules.md: written"],
    )
    cases.write_text(plain.replace('game = "traced_pebbles-v0"\n', places))
    assert lines("--check") == (1, ["rules.md: out of date"])
    assert lines() == (0, ["rules.md: written"])
    assert lines("--check") == (0, ["rules.md: up to date"])
    assert "| PB-02 | page 1 | `legal` | first-turn, last-pebble |" in Path("rules.md").read_text()
    code.write_text(code.read_text().replace("  # PB-02", ""))
    cases.write_text(cases.read_text().replace(', "PB-03"]\ntitle', "]\ntitle"))
    assert lines("--check")[1][:2] == ["PB-02: no code names it", "PB-03: no golden case or test names it"]
    cases.write_text(cases.read_text() + '[excused]\nPB-02 = "an example"\nPB-03 = "flavour"\n')
    assert lines() == (1, ["PB-03: excused, but standing carries it out", "rules.md: written"])
    assert "| PB-02 | page 1 | *an example* | first-turn, last-pebble |" in Path("rules.md").read_text()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            '["PB-01", "PB-02"]',
            '["PB-01", "PB-22"]',
            "first-turn names PB-22, which is not on the page of traced_pebbles",
        ),
        (
            'game = "',
            '[rulebook]\n"page 1" = "PB-01"\n[other]\ngame = "',
            "rulebook: page 1: must be a list, got 'PB-01'",
        ),
    ],
)
def test_a_clause_that_there_is_not_and_a_wrong_table_are_said(traced_pebbles, capsys, old, new, said):
    cases = Path("tests/traced_pebbles.toml")
    cases.write_text(cases.read_text().replace(old, new))
    with pytest.raises(SystemExit) as ended:
        main([traced_pebbles])
    assert ended.value.code == 2
    assert said in capsys.readouterr().err
