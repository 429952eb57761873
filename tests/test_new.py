"""`foodenvs new`, and the guide that begins there."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import foodenvs as library

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


def test_the_game_of_the_guide_passes_the_kit(tmp_path):
    """In a process of its own, as its author would run it."""
    blocks = re.findall(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    (tmp_path / "one_trick.py").write_text("\n\n".join(blocks))
    program = (
        "from foodenvs.testing import check\n"
        "report = check('one_trick:GAME', seconds=0, games=1, positions=3, configurations=[{}])\n"
        "assert {each.status for each in report.results} == {'passed'}, report"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
