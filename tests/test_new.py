"""`foodenvs new`, and the guide that begins there."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from helpers import never_compiled

import foodenvs as library
from foodenvs.core import contract
from foodenvs.envs.registry import load
from foodenvs.games import GAMES
from foodenvs.testing import CHECKS
from foodenvs.testing.conformance import run_check
from foodenvs.testing.drive import Subject

SECOND = "Secret choices, shown cards, options"
GUIDE = Path(library.__file__).parent / "docs" / "a_game_of_your_own.md"


def test_a_new_game_works_before_a_line_is_changed(tmp_path, foodenvs):
    code, out, said = foodenvs("new", "three_pebbles", "--folder", tmp_path / "mine")
    assert (code, said) == (0, "")
    assert out.count(str(tmp_path)) == 5
    source = (tmp_path / "mine" / "three_pebbles.py").read_text()
    code_lines = source[source.index("import numpy") :].split("\n")
    assert sum(bool(line) for line in code_lines) <= 70
    assert "Three Pebbles: in turn" in source
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-k", "golden or mask"],
        cwd=tmp_path / "mine", capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("My Game", "the name of a game is one of a module, like three_pennies; got 'My Game'"),
        ("../evil", "the name of a game"),
        ("class", "the name of a game"),
        ("Upper", "the name of a game"),
        ("scratch_catch", "there is a game scratch_catch already"),
    ],
)
def test_a_name_that_cannot_be_is_refused(tmp_path, foodenvs, name, message):
    code, _, said = foodenvs("new", name, "--folder", tmp_path / "mine")
    assert code == 2
    assert message in said
    assert not (tmp_path / "mine").exists()


def test_no_file_is_written_over(tmp_path, foodenvs):
    (tmp_path / "pyproject.toml").write_text("mine")
    code, _, said = foodenvs("new", "pebbles", "--folder", tmp_path)
    assert code == 2
    assert "pyproject.toml exists already; nothing was written" in said
    assert [file.name for file in tmp_path.iterdir()] == ["pyproject.toml"]


def code_of(section, language="python"):
    """The code of the part of the guide that begins with a heading, up to the next part."""
    text = GUIDE.read_text(encoding="utf-8").partition(f"# {section}\n")[2].partition("\n# ")[0]
    return "\n\n".join(re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL))


def test_the_game_of_the_guide_passes_the_kit(tmp_path):
    """In a process of its own, as its author would run it."""
    (tmp_path / "one_trick.py").write_text(code_of("A game of your own"))
    program = (
        "from foodenvs.testing import check\n"
        "report = check('one_trick:GAME', seconds=0, games=1, positions=3, configurations=[{}])\n"
        "assert {each.status for each in report.results} == {'passed'}, report"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]


@pytest.fixture
def fists(tmp_path, monkeypatch):
    """The second game of the guide, where the file of its golden cases lies beside it."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(GAMES, "ids", dict(GAMES.ids))
    (tmp_path / "fists.py").write_text(code_of(SECOND))
    (tmp_path / "fists.toml").write_text(code_of(SECOND, "toml"))
    yield never_compiled(load(f"{tmp_path / 'fists.py'}:GAME"))
    del sys.modules["fists"]


@pytest.mark.parametrize("check", ["play", "mask", "leak", "contract", "view", "facts"])
def test_the_second_game_of_the_guide_passes_the_kit(fists, check):
    subject = Subject(library.make, [{"game": fists, "players": 3}])
    result = run_check(CHECKS[check], subject, 0, games=1, positions=3)
    assert not result.failures
    assert not [remark for remark in result.remarks if "readers" in remark]


def test_the_golden_case_of_the_guide_holds(fists, foodenvs, tmp_path):
    code, out, _ = foodenvs("scenario", tmp_path / "fists.toml", "--game", f"{tmp_path / 'fists.py'}:GAME")
    assert (code, out) == (0, "1 passed, 0 failed\n")


def test_the_guide_lists_the_contract_as_it_is():
    assert code_of("The contract", "text") == f"{contract.listing()}\n", (
        "put foodenvs.core.contract.listing() there"
    )
    assert contract.listing() in contract.__doc__
