"""Every golden scenario of every game passes; `test_trace.py` looks after the clauses that they cover."""

from pathlib import Path

import pytest

from foodenvs.games import GAMES
from foodenvs.testing.scenario import convert, load_scenarios, run_scenario

GOLDEN = Path(__file__).parent / "golden"
SCENARIOS = [s for name in GAMES for s in load_scenarios(GOLDEN / f"{name}.toml")]


@pytest.mark.parametrize("scenario", SCENARIOS, ids=[f"{s.game}-{s.id}" for s in SCENARIOS])
def test_golden_scenario(scenario):
    env = run_scenario(scenario)
    again, view = env.setup.new_states(1), env.view()
    env.setup.set_up(again, view, 0)
    again["rng"] = env.position.states["rng"]
    different = [name for name in again.dtype.names if (again[name] != env.position.states[name]).any()]
    assert not different, f"the position at the end reads back with other values in {different}"


OLD = """\
game = "critter_kitchen"
# What a comment says stays.

[[scenario]]
id = "old"
[scenario.position]
turn = 1  # the second
seats = [
  {stock = ["bread 2"], plan = {mouse = "soup_truck"}},
  {stock = []},
]
[scenario.expect]
"seats.0.plan" = {mouse = "soup_truck"}
[scenario.expect.seat_view.player_1]
"seats.0.plan" = {}
"""
NEW = """\
game = "critter_kitchen"
# What a comment says stays.

[[scenario]]
id = "old"
[scenario.position]
turn = "player_1"  # the second
seats = [
    {stock = ["bread 2"]},
    {stock = []},
]
plans = [
    {mouse = "soup_truck"},
]
[scenario.expect]
"plans.0" = {mouse = "soup_truck"}
[scenario.expect.seat_view.player_1]
"plans.0" = "?"
"""


def test_converting_a_file_changes_old_keys_and_nothing_else(tmp_path):
    file = tmp_path / "old.toml"
    file.write_text(OLD)
    assert convert(file) == 5
    assert file.read_text() == NEW
    assert convert(file) == 0
