"""Every assignment of the course: the starter file plays, the solution passes, by the teacher's command."""

import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from foodenvs import cli
from foodenvs.core.setup import Setup
from foodenvs.games import GAMES
from foodenvs.grading import grade as arena

pytestmark = pytest.mark.xdist_group("graders")  # see test_grade.py
COURSE = Path(__file__).parents[1] / "examples" / "course"
ASSIGNMENTS = sorted(path.name for path in COURSE.iterdir() if path.is_dir())
DEALS = {"2_search": 2}


@pytest.fixture
def setup():
    return Setup(GAMES["scratch_catch"], {"players": 2})


def graded(assignment, file, setup):
    folder = COURSE / assignment
    table = arena.read_table(folder / "grades.toml")
    settled = arena.GradeTable(("random",), DEALS.get(assignment, 12), table.limits)
    also = [path for path in folder.glob("solution.npy") if file == "solution.py"]
    return arena.grade(folder / file, setup, table=settled, seed=5, also=also)


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_the_starter_file_plays_without_a_fault(assignment, setup, monkeypatch):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")  # in the agent's process
    report = graded(assignment, "starter.py", setup)
    assert report.loads, report.error
    assert report.faults == []


@pytest.mark.parametrize(
    "assignment",
    [pytest.param(name, marks=pytest.mark.long) if name == "2_search" else name for name in ASSIGNMENTS],
)
def test_the_solution_passes(assignment, setup, monkeypatch):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    report = graded(assignment, "solution.py", setup)
    assert report.faults == []
    needed = arena.read_table(COURSE / assignment / "grades.toml").grades[1].needs["random"]
    assert report.matches["random"].win_share > needed


def test_each_assignment_has_its_parts():
    assert ASSIGNMENTS == ["1_rules", "2_search", "3_learning"]
    for assignment in ASSIGNMENTS:
        for name in ("handout.md", "starter.py", "solution.py", "grades.toml"):
            assert (COURSE / assignment / name).is_file()
        assert f"{assignment}/handout.md" in (COURSE / "README.md").read_text()


COMMANDS = re.findall(r"`([^`]*foodenvs grade [^`]*)`", (COURSE / "README.md").read_text())


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A copy of the course in which a student has run learn.py; what that printed."""
    folder = tmp_path_factory.mktemp("copy") / "course"
    shutil.copytree(COURSE, folder)
    done = subprocess.run(
        [sys.executable, "learn.py", "starter", "60"],
        cwd=folder / "3_learning", capture_output=True, text=True, timeout=600,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return folder, done.stdout


@pytest.mark.parametrize(("assignment", "command"), list(zip(ASSIGNMENTS, COMMANDS, strict=True)))
def test_the_command_of_the_course_grades_a_file(course, assignment, command, monkeypatch, capsys):
    folder, _ = course
    monkeypatch.chdir(folder)
    variables, _, arguments = command.partition("foodenvs ")
    for name, _, value in (variable.partition("=") for variable in variables.split()):
        monkeypatch.setenv(name, value)  # for the agent's process
    monkeypatch.setattr(sys, "argv", ["foodenvs", *shlex.split(arguments), "--deals", "1", "--json"])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    out, said = capsys.readouterr()
    assert ended.value.code in (0, 1), said  # 1: the grade says failed
    report = json.loads(out)
    assert report["loads"]
    assert report["faults"] == []
    names = [grade.name for grade in arena.read_table(COURSE / assignment / "grades.toml").grades]
    assert report["grade"] in names
    assert set(report["matches"]) == {"random", "greedy"}


def test_the_model_learns_from_scratch(course):
    folder, told = course
    done = subprocess.run(
        [sys.executable, "learn.py", "solution", "60"],
        cwd=folder / "3_learning", capture_output=True, text=True, timeout=600,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    raw, better = (float(text.split()[-1].strip("%")) for text in (told, done.stdout))
    assert better > 60
    assert better > raw + 10
