"""The tool that plants faults: it finds them, everything sees them, and what no test kills survives."""

import itertools
import os
import sys
import textwrap
from pathlib import Path

import pytest
from mutants import equal, killers
from mutants.equal import together
from mutants.faults import Fault, faults, kernel, planted
from mutants.killers import Target, kill, plant, unmutated_times

RULES = '''\
"""The rules."""

LIMIT = 3
TABLE = (1, 2)


def rule(function):
    return function


@rule
def doubled(n):
    """Twice n, at most LIMIT; 5 of these."""
    if n < 0 or n > 9:
        return -1
    return min(LIMIT, 2 * n)


@rule
def waited(n):
    while n > 0:
        n -= 1
    return n


def made(function):
    @rule
    def closure(n):
        return function(n) + TABLE[n]

    return closure


def packed(n):
    assert n < 100, f"{n + 1}"
'''
TESTS = """\
import toybox
from toybox import BUILT
from toybox.information import LIMIT, doubled, shown


def test_slow():
    assert [sum(range(10**5)) for _ in range(5)]


def test_copies_of_names():
    assert (LIMIT, doubled(1), doubled(2), doubled(-1), doubled(0)) == (3, 2, 3, -1, 0)


def test_objects_built_of_the_rules():
    assert (BUILT.call(0), BUILT.call(1), shown) == (1, 4, {0: 0, 1: 2})


def test_ends():
    assert toybox.rules.waited(2) == 0
"""
SHARING = """\
import functools

import toybox


@functools.cache
def prepared():
    return [sum(range(10**5)) for _ in range(100)]


def test_first():
    assert prepared()


def test_second():
    assert prepared()
"""
FILES = {
    "toybox/__init__.py": """\
        from toybox import information, rules

        class Built:
            call = staticmethod(rules.made(rules.doubled))

        BUILT = Built()
        """,
    "toybox/rules.py": RULES,
    "toybox/information.py": """\
        from toybox.rules import LIMIT, doubled
        shown = {n: doubled(n) for n in range(2)}
        """,
    "test_toybox.py": TESTS,
}


@pytest.fixture
def toybox(tmp_path, monkeypatch):
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(textwrap.dedent(text))
    monkeypatch.syspath_prepend(tmp_path)
    options = ("-c", os.devnull, "--rootdir", str(tmp_path))
    return Target("toybox", tmp_path / "toybox", (tmp_path / "test_toybox.py",), options=options)


def found(kernel_only=True):
    return [fault for fault in faults("rules.py", RULES) if fault.kernel or not kernel_only]


def test_the_faults_of_a_source():
    assert [(fault.function, fault.kind, fault.becomes) for fault in found(kernel_only=False)] == [
        ("", "constant", "LIMIT = 2"),
        ("", "constant", "LIMIT = 4"),
        ("", "constant", "TABLE = (0, 2)"),
        ("", "constant", "TABLE = (2, 2)"),
        ("", "constant", "TABLE = (1, 1)"),
        ("", "constant", "TABLE = (1, 3)"),
        ("doubled", "swapped", "if not (n < 0 or n > 9):"),
        ("doubled", "comparison", "if n <= 0 or n > 9:"),
        ("doubled", "constant", "if n < 1 or n > 9:"),
        ("doubled", "comparison", "if n < 0 and n > 9:"),
        ("doubled", "comparison", "if n < 0 or n >= 9:"),
        ("doubled", "constant", "if n < 0 or n > 10:"),
        ("doubled", "constant", "if n < 0 or n > 8:"),
        ("doubled", "dropped", "pass"),
        ("doubled", "sign", "return 1"),
        ("doubled", "constant", "return -0"),
        ("doubled", "constant", "return -2"),
        ("doubled", "comparison", "return max(LIMIT, 2 * n)"),
        ("doubled", "constant", "return min(LIMIT, 1 * n)"),
        ("doubled", "constant", "return min(LIMIT, 3 * n)"),
        ("doubled", "sign", "return min(LIMIT, 2 + n)"),
        ("waited", "comparison", "while n >= 0:"),
        ("waited", "constant", "while n > 1:"),
        ("waited", "dropped", "pass"),
        ("waited", "sign", "n += 1"),
        ("waited", "sign", "n = 1"),
        ("waited", "constant", "n -= 0"),
        ("waited", "constant", "n -= 2"),
        ("closure", "sign", "return function(n) - TABLE[n]"),
        ("packed", "comparison", 'assert n <= 100, f"{n + 1}"'),
        ("packed", "constant", 'assert n < 101, f"{n + 1}"'),
        ("packed", "constant", 'assert n < 99, f"{n + 1}"'),
    ]
    assert found()[-1].function == "closure"
    assert "-LIMIT = 3\n+LIMIT = 2" in found()[0].diff


def test_every_part_of_a_game_is_found(toybox):
    assert kernel(toybox.folder, "toybox") == {"rules": ["rules.py"], "information": ["information.py"]}


def test_rules_may_be_a_package(toybox):
    folder = toybox.folder
    (folder / "rules.py").rename(folder / "limits.py")
    files = {
        "rules/__init__.py": "from toybox.rules.shop import doubled",
        "rules/shop.py": "from toybox import limits as L\nfrom toybox.rules import deep\ndoubled = L.doubled",
        "rules/deep.py": "",
        "rules/apart.py": "",
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    assert kernel(folder, "toybox") == {
        "rules": ["limits.py", "rules/__init__.py", "rules/deep.py", "rules/shop.py"],
        "information": ["information.py"],
    }
    names = [
        plant(toybox, Fault(module, "", True, "", 0, 0, "", "")).name
        for module in ("rules/__init__.py", "rules/shop.py")
    ]
    del sys.meta_path[:2]
    assert names == ["toybox.rules", "toybox.rules.shop"]


def test_a_planted_fault_is_seen_by_everything_and_those_that_no_test_sees_survive(toybox, monkeypatch):
    """Copies of names, tables, closures and objects that are made as the package is imported all have it."""
    monkeypatch.setattr(killers, "ROOM", 1.0)
    times = unmutated_times(toybox)
    assert max(times, key=times.__getitem__).endswith("::test_slow")
    times = {test: number / 1e6 for number, test in enumerate(times)}  # asked in this order
    chosen = [
        "LIMIT = 2",
        "TABLE = (1, 3)",
        "if n < 0 or n > 8:",
        "while n > 1:",
        "n -= 0",
        "return function(n) - TABLE[n]",
    ]
    planted = [fault for fault in found() if fault.becomes in chosen]
    killer = {fault.becomes: how for fault, how in kill(toybox, planted, times)}
    assert [killer[line].partition("::")[2] for line in chosen] == [
        "test_copies_of_names",
        "test_objects_built_of_the_rules",
        "",
        "test_ends",
        "test_ends takes too long",
        "test_objects_built_of_the_rules",
    ]


def test_a_test_may_prepare_what_another_one_of_its_file_found_ready(toybox, monkeypatch):
    """The quick ones are asked first, and take as long as the first then."""
    monkeypatch.setattr(killers, "ROOM", 0.05)
    toybox.tests[0].write_text(SHARING)
    times = unmutated_times(toybox)
    assert [how for _, how in kill(toybox, found()[:1], times)] == [""]


def test_faults_of_different_functions_are_played_together(toybox, monkeypatch):
    chosen = ["return 1", "while n > 1:", "n -= 0", "LIMIT = 2", "LIMIT = 4"]
    faulty = [fault for fault in found() if fault.becomes in chosen]
    groups = [[fault.becomes for fault in group] for group in together(faulty)]
    assert groups == [["LIMIT = 2", "return 1", "while n > 1:"], ["LIMIT = 4", "n -= 0"]]
    assert planted(list(together(faulty)[0])).splitlines() == [
        {"LIMIT = 3": "LIMIT = 2", "        return -1": "        return 1"}.get(line, line)
        for line in RULES.replace("while n > 0", "while n > 1").splitlines()
    ]

    sources = [""]

    def played(game, games):
        return ["a", "b" if "return 1" in sources[-1] or "LIMIT = 4" in sources[-1] else "a"]

    monkeypatch.setattr(equal, "plant", lambda target, *group: sources.append(planted(list(group))))
    monkeypatch.setattr(equal, "played", played)
    differences = {fault.becomes: how for fault, how in equal.differs(toybox, "", faulty, 2, 1)}
    one = "1 of 2 games differ, the first is 1"
    assert differences == dict.fromkeys(chosen, "") | {"return 1": one, "LIMIT = 4": one}


def test_games_played_twice_are_the_same_and_each_is_another():
    first = equal.played("scratch_catch", 2)
    assert first == equal.played("scratch_catch", 2)
    assert len(set(first)) == 2


def test_what_cannot_be_judged_is_an_error(toybox, monkeypatch):
    only = toybox.tests[0]
    with pytest.raises(RuntimeError, match="pytest ends with 5"):
        list(kill(toybox, found()[:1], {}))
    only.write_text("def test_wrong():\n    assert False\n")
    with pytest.raises(RuntimeError, match=r"fails without a fault: test_toybox\.py::test_wrong"):
        unmutated_times(toybox)
    only.write_text("def test_nothing():\n    pass\n")
    with pytest.raises(RuntimeError, match="never imported"):
        list(kill(toybox, found()[:1], {"test_toybox.py::test_nothing": 0.0}))
    monkeypatch.setitem(sys.modules, "toybox", itertools)
    with pytest.raises(RuntimeError, match="imported already"):
        plant(toybox, found()[0])


def test_the_tests_of_the_suite_run_in_one_process():
    """Its options are for plugins that are not loaded."""
    one = Target("", Path(), (Path(__file__),), "test_the_faults_of_a_source")
    assert len(unmutated_times(one)) == 1
