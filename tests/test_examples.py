"""Every example and every reference solution of the course runs as it stands."""

import runpy
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"
SAYS = {
    "first_game": "share of the win",
    "own_agent": "player_2",
    "evaluate_agent": "300 games: 100 deals",
    "search": "one step:",
    "batch_rollouts": "shapes: (512, 86)",
    "replay_to_gif": "frames in game.gif",
    "custom_components": "refused: components: [distribution]",
    "check_own_environment": "leak",
}
TRAINING = {
    "train_sb3": ("4096", "decisions trained"),
    "self_play": ("6000", "policy against greedy"),
    "solve": ("5", "after 5 iterations"),
}


def run(name, folder, *arguments):
    script = EXAMPLES / f"{name}.py"
    done = subprocess.run(
        [sys.executable, str(script), *arguments], cwd=folder, capture_output=True, text=True, timeout=900
    )
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout


@pytest.mark.parametrize("name", SAYS)
def test_an_example_runs(name, tmp_path, monkeypatch, capsys):
    script = EXAMPLES / f"{name}.py"
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(EXAMPLES)
    monkeypatch.setattr(sys, "argv", [str(script)])
    code = None
    try:
        runpy.run_path(str(script), run_name="__main__")
    except SystemExit as ended:
        code = ended.code
    assert not code
    assert SAYS[name] in capsys.readouterr().out


@pytest.mark.extra("sb3", "openspiel")
@pytest.mark.parametrize("name", TRAINING)
def test_an_example_that_trains_runs(name, tmp_path):
    steps, says = TRAINING[name]
    assert says in run(name, tmp_path, steps)


def test_no_example_is_left_out():
    assert {path.stem for path in EXAMPLES.glob("*.py")} == {*SAYS, *TRAINING}
