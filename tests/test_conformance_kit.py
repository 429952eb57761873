"""The conformance kit tells sound environments from broken ones, and its repros fail as they say."""

import itertools
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from faulty.faults import FAULTS, OneAgainstTheRest, Toasts, ViewTellsMore
from faulty.reference import SealedBids

from foodenvs import cli
from foodenvs.envs.batch import Batch
from foodenvs.testing import CHECKS, check
from foodenvs.testing.checks import OURS
from foodenvs.testing.compare import difference, places_apart
from foodenvs.testing.configurations import configurations, pairwise
from foodenvs.testing.conformance import run_check, subject_of
from foodenvs.testing.peers import table, table_in
from foodenvs.testing.report import Fault
from foodenvs.testing.trial import shrink
from foodenvs.testing.worker import Worker, other_hash_seed

TESTS = Path(__file__).parent
# Seconds, games, and positions of each; most faults show at once.
TRIES = ((1, 2, 6), (1, 5, None), (20, None, None))
NO_REPRO = {"second process"}  # a test function is one process


def found_by(name, subject, part):
    """The failure of a part that a check finds, given time."""
    for seconds, games, positions in TRIES:
        result = run_check(CHECKS[name], subject, seconds, games=games, positions=positions)
        for failure in result.failures:
            if failure.part == part:
                return failure
    raise AssertionError(f"{name} did not find {part}\n{result}\n{result.failures}")


def set_order(names):
    return list(set(names))


def run_repro(failure):
    source = {}
    exec(failure.repro, source)
    next(value for key, value in source.items() if key.startswith("test_"))()


# --- planted faults ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("broken", "name", "part", "options"), FAULTS, ids=[broken.__name__ for broken, *_ in FAULTS]
)
def test_a_planted_fault_is_caught_by_the_check_meant_for_it(broken, name, part, options):
    failure = found_by(name, subject_of(broken, None, options), part)
    if part not in NO_REPRO:
        with pytest.raises(BaseException):  # noqa: B017, PT011
            run_repro(failure)


def test_a_set_of_two_names_is_ordered_otherwise_in_the_second_process():
    names = ["north", "south"]
    with Worker(names) as worker:
        assert worker.ask(set_order, names) != set_order(names)


@pytest.mark.parametrize("number", range(8))
def test_for_any_two_names_there_is_a_hash_seed_that_orders_them_otherwise(number):
    names = [f"north_{number}", f"south_{number}"]
    environment = os.environ | {"PYTHONHASHSEED": str(other_hash_seed(names))}
    command = [sys.executable, "-S", "-c", f"print(*set({names}))"]
    told = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert sorted(told.stdout.split()) == names
    assert told.stdout.split() != set_order(names)


def test_the_sound_reference_passes_everything():
    report = check(SealedBids, games=2, players=[2, 3])
    assert report.passed, report
    assert {r.check for r in report.results if r.status == "passed"} == set(CHECKS) - set(OURS)


def test_teams_of_different_sizes_are_sound():
    result = run_check(CHECKS["play"], subject_of(OneAgainstTheRest), 0.1)
    assert result.status == "passed", result.failures


def leaks(environment):
    """The parts of the check `leak` that say something."""
    result = run_check(CHECKS["leak"], subject_of(environment, [{"render_mode": "ansi"}]), 0, games=2)
    return {failure.part for failure in result.failures}


def test_what_follows_a_secret_choice_in_the_open_is_no_leak_of_it():
    assert leaks(Toasts) == set()


def test_a_choice_is_revealed_by_facts_of_a_view_that_an_observation_need_not_tell(monkeypatch):
    assert leaks(ViewTellsMore) == set()
    monkeypatch.setattr(ViewTellsMore.words, "NOT_SHOWN", {"observation": {"seen": "so"}})
    assert leaks(ViewTellsMore) == {"commitment"}


def test_there_are_faults_for_every_check():
    assert len(FAULTS) >= 20
    assert {name for _, name, *_ in FAULTS} == set(CHECKS) - set(OURS)


# --- engines ----------------------------------------------------------------------------------


def engines(part, **options):
    subject = subject_of("scratch_catch", [{"players": 3, "illegal": "penalize", **options}])
    return found_by("engines", subject, part)


def test_engines_catches_a_batch_that_pays_otherwise(monkeypatch):
    step = Batch.step

    def pays_twice(self, actions):
        step(self, actions)
        self.rewards *= 2

    monkeypatch.setattr(Batch, "step", pays_twice)
    assert engines("batch").field.startswith("batch.rewards")


def test_engines_catches_a_batch_that_takes_any_number_of_refusals(monkeypatch):
    parts = Batch._parts.fget

    def never_too_many(self):
        boxes, terms, *others = parts(self)
        return boxes, (*terms[:3], 99), *others

    monkeypatch.setattr(Batch, "_parts", property(never_too_many))
    assert engines("batch", max_refusals=2).field.startswith("batch.truncated")


def test_engines_catches_threads_that_mix_up_slots(monkeypatch):
    step = Batch.step

    def swaps(self, actions):
        step(self, actions)
        if self.threads > 1:
            self.observation[[0, 1]] = self.observation[[1, 0]]

    monkeypatch.setattr(Batch, "step", swaps)
    assert engines("threads").field.startswith("batch.observation")


def test_engines_catches_a_difference_between_pure_and_compiled(monkeypatch):
    """This process alone shows one more flea, so that it and the other one differ."""
    from foodenvs.core.setup import Setup

    scaled = Setup.scaled
    monkeypatch.setattr(Setup, "scaled", lambda self, raw: scaled(self, raw) / 2)
    assert "observe()" in engines("pure").field


# --- the parts --------------------------------------------------------------------------------


def test_shrink_finds_the_shortest_list_that_still_fails():
    fault = Fault("part", "message")

    def fails(actions):
        return fault if 7 in actions and 3 in actions[actions.index(7) :] else None

    assert shrink([1, 7, 2, 2, 3, 9, 3], fault, fails, 5) == ([7, 3], fault)
    assert shrink([1, 2], fault, lambda actions: fault, 5) == ([], fault)


@pytest.mark.parametrize(
    ("a", "b", "path"),
    [
        ({"x": [1, (2, 3)]}, {"x": [1, (2, 4)]}, "['x'][1][1]"),
        (np.array([[1, 2]]), np.array([[1, 3]]), "[0, 1]"),
        (np.zeros(2, np.int8), np.zeros(2, np.int16), ".dtype"),
        (np.zeros(2), np.zeros(3), ".shape"),
        ({"a": 1}, {"b": 1}, ".keys()"),
        (1, 1.0, ""),
        (float("nan"), 1.0, ""),
    ],
)
def test_the_first_difference_is_named(a, b, path):
    assert difference(a, b)[0] == path
    assert difference(a, a) is None
    assert difference(b, b) is None


def test_all_places_in_which_views_differ_are_named():
    one = {"a": 1, "b": [1, {"c": 2}, 3], "d": {"e": []}}
    other = {"a": True, "b": [1, {"c": 3}], "d": {"e": []}, "f": None}
    assert set(places_apart(one, other)) == {("a",), ("b", 1, "c"), ("b", 2), ("f",)}
    assert not list(places_apart(one, one))


def test_rows_of_a_pairwise_plan_meet_all_pairs_that_are_possible():
    values = {"a": [0, 1, 2], "b": [0, 1], "c": [0, 1, 2, 3], "d": [0, 1]}

    def possible(row):
        return not (row["a"] == 2 and row["c"] == 3)

    rows = pairwise(values, possible)
    assert all(possible(row) for row in rows)
    assert len(rows) < 3 * 2 * 4 * 2 / 2
    for one, other in itertools.combinations(values, 2):
        for x, y in itertools.product(values[one], values[other]):
            met = any(row[one] == x and row[other] == y for row in rows)
            assert met or (one, x, other, y) == ("a", 2, "c", 3)


def test_a_long_table_of_values_occurs_without_all_its_pairs():
    rows = pairwise({"a": list(range(30)), "b": [0, 1], "c": [0, 1]})
    assert {row["a"] for row in rows} == set(range(30))
    assert {(row["b"], row["c"]) for row in rows} == {(0, 0), (0, 1), (1, 0), (1, 1)}
    assert len(rows) == 30


def test_every_player_count_and_option_value_of_a_game_is_checked(game):
    rows = configurations(game.name)
    for name, option in game.options.items():
        if isinstance(option.allowed, tuple) or (
            isinstance(option.allowed, range) and len(option.allowed) < 9
        ):
            assert {row[name] for row in rows} == set(option.allowed), name


# --- ways in ----------------------------------------------------------------------------------


def test_one_line_gives_a_test_for_each_check_and_seat_count(tmp_path):
    (tmp_path / "test_mine.py").write_text(
        "from foodenvs.testing.pytest import conformance\n"
        "test_sound = conformance('faulty.reference:env', players=[2, 3], seconds=0.1)\n"
        "test_broken = conformance('faulty.faults:MaskIsBool', checks=['mask'], seconds=0.1)\n"
    )
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-v",
        "-p",
        "no:cacheprovider",
        "-c",
        "/dev/null",
        "--rootdir",
        str(tmp_path),
    ]
    environment = {"PYTHONPATH": f"{TESTS}:{TESTS.parent}", "PATH": ""}
    done = subprocess.run([*command, str(tmp_path)], capture_output=True, text=True, env=environment)
    for each in set(CHECKS) - set(OURS):
        for players in (2, 3):
            assert f"test_sound[{each}-players={players}] PASSED" in done.stdout, done.stdout
    assert "test_sound[engines-players=2] SKIPPED" in done.stdout
    assert "test_broken[mask] FAILED" in done.stdout
    assert "assert mask.dtype == 'int8'" in done.stdout


@pytest.fixture
def command(monkeypatch, capsys):
    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["foodenvs", "check", *map(str, arguments)])
        monkeypatch.setattr(sys, "path", [*sys.path])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        return ended.value.code, *capsys.readouterr()

    return run


def test_the_command_reports_a_sound_environment(command):
    code, out, _ = command("faulty.reference:env", "--seconds", 0.1, "-o", "players=[2, 3]", "--explain")
    assert code == 0, out
    assert [line.split()[:2] for line in out.splitlines() if line.startswith("mask  ")] == [
        ["mask", "passed"]
    ]
    assert CHECKS["leak"].proves in out


def test_the_command_reports_a_broken_one_as_json(command):
    code, out, _ = command(
        "faulty.faults:MaskIsBool", "--seconds", 0.1, "--only", "mask", "--seed", 5, "--json"
    )
    report = json.loads(out)
    assert (code, report["passed"], report["seed"]) == (1, False, 5)
    (failure,) = (f for result in report["checks"] for f in result["failures"])
    assert {"seed", "actions", "agent", "field", "expected", "found", "repro"} <= failure.keys()
    assert failure["part"] == "form"


def test_the_command_takes_the_id_of_a_game(command):
    code, out, _ = command("scratch_catch", "--players", 2, "--only", "mask", "--seconds", 0.1)
    assert code == 0
    assert out.startswith("mask")


@pytest.mark.parametrize(
    "arguments",
    [
        ("nowhere:env",),
        ("faulty.reference:nothing",),
        ("no_game",),
        ("faulty.reference:env", "--only", "nonsense"),
        ("faulty.reference:env", "-o", "seats=3"),
        ("faulty.reference:env", "--seconds", 0),
        ("scratch_catch", "--players", 99),
    ],
)
def test_the_command_refuses_what_is_wrong_in_one_line(command, arguments):
    code, out, said = command(*arguments)
    assert (code, out) == (2, "")
    assert said.startswith("foodenvs: ")
    assert said.count("\n") == 1


# --- what others wrote ------------------------------------------------------------------------


@pytest.mark.extra("peers")
def test_the_readme_shows_what_the_kit_finds_in_peers():
    assert table() == table_in((TESTS.parent / "README.md").read_text())


@pytest.mark.extra("peers")
def test_openspiels_games_are_checked_through_their_resampling():
    from shimmy import openspiel_compatibility as compatibility

    from foodenvs.testing.resample import Resampling

    class Poker(Resampling, compatibility.OpenSpielCompatibilityV0):
        def __init__(self, render_mode=None):
            super().__init__(game_name="leduc_poker", render_mode=render_mode)

    class Open(Poker):
        def observe(self, agent):
            return super().observe(self.possible_agents[1])

    parts = {f.part for f in check(Poker, checks=["leak"], seconds=2, games=10).failures}
    assert parts <= {"playable"}  # Shimmy pays agents again while others leave
    assert "observation" in {f.part for f in check(Open, checks=["leak"], seconds=2, games=10).failures}
