"""The machinery, on a toy game: random stream, records, disk cache, function tables, equal ways to run."""

import inspect
import json
import os
import re
import shutil
import subprocess
import sys
import weakref
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import lacking
import numpy as np
import pytest
import toy
from toy import runs

import foodenvs
from foodenvs.core.position import Position
from foodenvs.core.setup import Setup
from foodenvs.engine import (
    PURE,
    attributes,
    below,
    build,
    choose,
    game_seed,
    given,
    rule,
    shuffle,
    start_stream,
    zeros,
)
from foodenvs.engine.cache import PRIVATE as OF_CACHE
from foodenvs.engine.cache import _File
from foodenvs.engine.functions import plain, reached
from foodenvs.engine.inlined import PRIVATE as OF_INLINED
from foodenvs.engine.private import need

TESTS = Path(__file__).parent
PACKAGE = Path(foodenvs.__file__).parent


def run(program, path=(TESTS,), **env):
    """Standard output and error of a Python process that can import `path`."""
    variables = {k: v for k, v in os.environ.items() if not k.startswith("NUMBA_")} | {
        "PYTHONPATH": os.pathsep.join(map(str, [*path, PACKAGE.parent]))
    }
    done = subprocess.run(
        [sys.executable, "-c", program], env=variables | env, capture_output=True, text=True, check=True
    )
    return done.stdout.strip(), done.stderr


# --- the random stream -------------------------------------------------------------------------


def test_the_stream_is_xoshiro128plusplus():
    """Against a plain implementation with unsigned 32-bit words (Blackman and Vigna's reference order)."""

    def reference(state):
        def rotl(x, k):
            return ((x << k) | (x >> (32 - k))) & 0xFFFFFFFF

        result = (rotl((state[0] + state[3]) & 0xFFFFFFFF, 7) + state[0]) & 0xFFFFFFFF
        t = (state[1] << 9) & 0xFFFFFFFF
        state[2] ^= state[0]
        state[3] ^= state[1]
        state[1] ^= state[2]
        state[0] ^= state[3]
        state[2] ^= t
        state[3] = rotl(state[3], 11)
        return result

    rng = np.array([1, 2, 3, 0xFFFFFFFF], np.uint32)
    plain = [int(x) for x in rng]
    drawn = [below(rng, 2**31) for _ in range(200)]
    assert drawn == [reference(plain) >> 1 for _ in range(200)]


def test_below_is_uniform_and_seeds_differ():
    rng = np.zeros(4, np.uint32)
    first = set()
    counts = np.zeros(6, int)
    for number in range(3000):
        start_stream(rng, number)
        first.add(tuple(rng))
        counts[below(rng, 6)] += 1
    assert len(first) == 3000
    expected = 3000 / 6
    assert ((counts - expected) ** 2 / expected).sum() < 20.5  # chi-square, 5 degrees of freedom, p = 0.001


def test_shuffles_are_uniform():
    rng, counts = np.zeros(4, np.uint32), {}
    start_stream(rng, 1)
    for _ in range(6000):
        items = np.arange(3)
        shuffle(rng, items, 3)
        counts[tuple(items)] = counts.get(tuple(items), 0) + 1
    assert len(counts) == 6
    assert sum((n - 1000) ** 2 / 1000 for n in counts.values()) < 20.5


def test_game_seeds_are_distinct_whole_numbers():
    seeds = {game_seed(s, i, k) for s in (0, 1, 2**63 - 1) for i in range(30) for k in range(30)}
    assert len(seeds) == 2700
    assert all(0 <= s < 2**62 for s in seeds)


# --- records and tables of functions -----------------------------------------------------------


@rule
def _fill(s):
    s.big = 100
    s.row[1, 2] += 3
    s.big *= 3  # more than an int8 holds, computed as a 64-bit int
    s.flag = s.row[1, 2] == 3
    return s.big + s.row[1].sum()


def test_records_mean_the_same_in_both_modes():
    dtype = np.dtype([("big", np.int16), ("row", np.int8, (2, 3)), ("flag", np.bool_), ("pad", np.int8)])

    @rule
    def first(states):
        return _fill(states[0])

    states = zeros(1, dtype)
    assert first(states) == 303
    s = attributes(states)[0]
    assert (s.big, s.flag, s.row[1, 2], list(s.row[0])) == (300, True, 3, [0, 0, 0])
    assert type(s.big) is int
    s.big = 7
    assert states["big"].tolist() == [7]
    with pytest.raises(AttributeError, match="no field 'bog'"):
        s.bog = 7


def test_a_record_is_freed_with_what_was_read_of_it():
    record = attributes(np.zeros(2, [("number", np.int16), ("row", np.int8, 3)]))[1]
    record.number, record.row = 3, [1, 2, 3]
    row, freed = record.row, weakref.ref(record)
    del record
    assert freed() is None
    assert list(row) == [1, 2, 3]


def test_a_table_of_functions_is_one_function():
    @rule
    def plus(a, b):
        return a + b

    @rule
    def minus(a, b):
        return a - b

    @rule
    def times(a, b):
        return a * b

    for size in (1, 2, 3, 4, 7):
        table = choose(*((plus, minus, times) * 3)[:size])
        results = ([9, 5, 14] * 3)[:size]
        assert [table(k, 7, 2) for k in range(-1, size + 1)] == [results[0], *results, results[-1]]
    with pytest.raises(ValueError, match="at least one"):
        choose()


# --- rules inside rules ------------------------------------------------------------------------


_WIDTHS = """
import numpy as np
from foodenvs.engine import rule
@rule
def product(x, y):
    return x * y
@rule
def products(states, n):
    s = states[0]
    return product(s.a, s.b), product(s.b, s.c), product(n, s.a), product(3, 100)
states = np.zeros(1, [("a", np.int8), ("b", np.int16), ("c", np.int64)])
states["a"], states["b"], states["c"] = 100, 200, 2**40
print(products(states, 5), product(100, 3))  # called from Python too, after the other use
print(*product.inlined.overloads)
"""


def test_a_rule_is_compiled_once_for_all_widths_of_whole_numbers(tmp_path):
    out, _ = run(_WIDTHS, NUMBA_CACHE_DIR=str(tmp_path))
    assert out.splitlines() == [f"(20000, {200 * 2**40}, 500, 300) 300", "(int64, int64)"]


_RAISING = """
import raising
for k in (1, -1):
    try:
        print(raising.outer(k))
    except ValueError as error:
        print(error)
"""


def test_an_error_inside_an_inner_rule_keeps_its_words_also_from_the_cache(tmp_path):
    (tmp_path / "raising.py").write_text(
        "from foodenvs.engine import rule\n"
        "@rule\n"
        "def inner(k):\n"
        "    if k < 0:\n"
        "        raise ValueError('below zero', k)\n"
        "    return k\n"
        "@rule\n"
        "def outer(k):\n"
        "    return inner(k) + 1\n"
    )
    for _ in range(2):
        out, _ = run(_RAISING, [tmp_path], NUMBA_CACHE_DIR=str(tmp_path / "cache"))
        assert out.splitlines() == ["2", "('below zero', -1)"]


# --- the disk cache ----------------------------------------------------------------------------

_CACHED = """
import numpy as np, top
print(top.total(3), sum(top.total.stats.cache_hits.values()))
"""
_TOP = """
from foodenvs.engine import rule
from dep import LIMIT, double

@rule
def total(n):
    return double(n) + LIMIT
"""
_DEP = """
from foodenvs.engine import rule

LIMIT = 10

@rule
def double(n):
    return 2 * n
"""


@pytest.mark.parametrize(
    "change",
    [("LIMIT = 10", "LIMIT = 20"), pytest.param(("2 * n", "2 * n + 10"), marks=pytest.mark.long)],
)
def test_a_change_in_an_imported_module_recompiles_in_the_next_process(tmp_path, change):
    (tmp_path / "top.py").write_text(_TOP)
    (tmp_path / "dep.py").write_text(_DEP)
    cache = {"NUMBA_CACHE_DIR": str(tmp_path / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
    assert run(_CACHED, [tmp_path], **cache)[0] == "16 0"
    assert run(_CACHED, [tmp_path], **cache)[0] == "16 1"
    (tmp_path / "dep.py").write_text(_DEP.replace(*change))
    assert run(_CACHED, [tmp_path], **cache)[0] == "26 0"
    of_total = list((tmp_path / "cache").rglob("top.total*.nbc"))
    assert len(of_total) == 1, "the old version's code must be gone"
    of_total[0].write_bytes(b"")
    assert run(_CACHED, [tmp_path], **cache) == ("26 0", "")


_CHOICES = """
from foodenvs.engine import rule
from second import second

@rule
def first(n):
    return n + 1

def wrapped(function):
    @rule
    def closure(n):
        return function(n)
    return closure

one, two = wrapped(first), wrapped(second)

@rule
def both(k, n):
    return one(n) if k == 0 else two(n)
"""
_SECOND = """
@rule
def second(n):
    return n + N
"""
_CHOOSE = "import choices; print(choices.both(0, 10), choices.both(1, 10))"


def test_a_new_closure_is_not_taken_for_a_cached_one_of_the_same_source(tmp_path):
    cache = {"NUMBA_CACHE_DIR": str(tmp_path / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
    for number in (2, 3):
        (tmp_path / "second.py").write_text(f"from foodenvs.engine import rule\nN = {number}\n" + _SECOND)
        (tmp_path / "choices.py").write_text(_CHOICES)
        assert run(_CHOOSE, [tmp_path], **cache)[0] == f"11 {10 + number}"


@pytest.mark.parametrize("left", [0, 30, -1], ids=["empty", "cut off", "altered"])
@pytest.mark.parametrize("ending", ["nbi", "nbc"])
def test_a_damaged_file_of_the_cache_counts_as_missing_and_is_written_anew(tmp_path, ending, left):
    file = _File(str(tmp_path), "rule", "stamp")
    file.save("key", "code" * 100)
    (kept,) = tmp_path.glob(f"*.{ending}")
    whole = kept.read_bytes()
    kept.write_bytes(whole[:left] if left >= 0 else whole[:-9] + b"#" + whole[-8:])
    assert file.load("key") is None
    file.save("key", "code" * 100)
    assert file.load("key") == "code" * 100


def test_code_with_bounds_checked_is_kept_apart(tmp_path):
    (tmp_path / "top.py").write_text(
        "from foodenvs.engine import rule\n@rule\ndef total(row, k):\n    return row[k]\n"
    )
    program = "import numpy as np, top\ntop.total(np.zeros(3), 3)"
    cache = {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    run(program, [tmp_path], **cache)
    with pytest.raises(subprocess.CalledProcessError) as failed:
        run(program, [tmp_path], NUMBA_BOUNDSCHECK="1", **cache)
    assert "IndexError" in failed.value.stderr
    run(program, [tmp_path], **cache)


_PLAY = """
import foodenvs, toy
env = foodenvs.make(toy.GAME)
env.reset(seed=5)
env.step(0)
print(env.state().tolist())
"""
_MADE = """
engine = env.setup.engine
print([sum(loop.stats.cache_misses.values()) for loop in (engine.begin, engine.ask, engine.look)])
"""


@pytest.mark.skipif(PURE, reason="there is no machine code")
def test_a_step_is_called_directly_from_the_second_time_on():
    setup = Setup(toy.GAME)
    setup.engine = engine = build(toy.GAME)
    here, first = Position(setup), engine.play
    here.deal(1)
    assert not here.play(-1)
    assert engine.play is not first
    before = here.states.tobytes(), here.mask.tobytes()
    with pytest.raises(TypeError, match="can't unbox array"):
        engine.play(setup.boxes, setup.boxes, 0, 0, *[here.mask] * 4)
    assert before == (here.states.tobytes(), here.mask.tobytes())
    assert here.play(int(here.mask.argmax()))


def test_of_two_processes_one_compiles_and_says_so_and_the_other_waits(tmp_path):
    with ThreadPoolExecutor(2) as pool:
        ran = list(pool.map(lambda _: run(_PLAY + _MADE, NUMBA_CACHE_DIR=str(tmp_path)), range(2)))
    states, made = zip(*(out.splitlines() for out, _ in ran), strict=True)
    assert states[0] == states[1]
    assert np.sum([json.loads(each) for each in made], axis=0).tolist() == [1, 1, 1]
    assert any("foodenvs: compiling Three Pennies" in said for _, said in ran)
    assert max(said.count("compiling Three Pennies") for _, said in ran) == 1
    assert run(_PLAY, NUMBA_CACHE_DIR=str(tmp_path)) == (states[0], "")


def test_without_a_writable_cache_it_compiles_in_memory_and_warns_once(tmp_path):
    shutil.copytree(PACKAGE, tmp_path / "foodenvs", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(TESTS / "toy", tmp_path / "toy", ignore=shutil.ignore_patterns("__pycache__"))
    for folder in {f.parent for f in tmp_path.rglob("*.py")}:
        (folder / "__pycache__").write_text("a file, so that no folder of this name can be made")
    variables = {"HOME": "/dev/null", "XDG_CACHE_HOME": "/dev/null", "PYTHONPATH": str(tmp_path)}
    program = f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n{_PLAY}"
    out, said = run(program, [tmp_path], **variables)
    assert said.count("RuntimeWarning") == 1
    assert "NUMBA_CACHE_DIR" in said
    assert out == run(_PLAY)[0]


def test_the_compiler_is_a_private_matter_of_the_engine():
    others = [f for f in PACKAGE.rglob("*.py") if f.parent != PACKAGE / "engine"]
    assert len(others) > 50
    assert [f.name for f in others if re.search(r"^\s*(import|from) numba", f.read_text(), re.M)] == []


# --- without numba's private parts -------------------------------------------------------------

_PARTS = {"inlined": OF_INLINED, "cache": OF_CACHE}
_USED = [(part, owner, name) for part, used in _PARTS.items() for owner in used for name in used[owner]]
_FIRST = [next(used for used in _USED if used[0] == part) for part in _PARTS]
_WITHOUT = """
import lacking
lacking.play_without(lambda patch: lacking.{}, {})
"""


@pytest.mark.parametrize(("part", "owner", "name"), _USED)
def test_each_private_part_of_numba_that_is_used_is_looked_for(part, owner, name, monkeypatch):
    need(_PARTS[part])
    lacking.take_away(monkeypatch, owner, name)
    with pytest.raises(ImportError, match=re.escape(f"{owner}.{name}".replace(":", "."))):
        need(_PARTS[part])


@pytest.fixture(scope="module")
def plain_cache(tmp_path_factory):
    """A cache of what plain njit compiles."""
    return str(tmp_path_factory.mktemp("plain"))


@pytest.mark.parametrize(
    ("part", "owner", "name"),
    [pytest.param(*used, marks=[] if used in _FIRST else pytest.mark.long) for used in _USED],
)
def test_without_a_private_part_of_numba_games_are_the_same(part, owner, name, plain_cache):
    taken = f"take_away(patch, {owner!r}, {name!r})"
    out, said = run(_WITHOUT.format(taken, "'episodes'"), NUMBA_CACHE_DIR=plain_cache)
    assert out.splitlines() == [f"[{part!r}]", runs.episodes()]
    assert said.count("RuntimeWarning") == 1
    assert f"{owner}.{name}".replace(":", ".") in said


def test_where_none_of_them_can_be_imported_games_are_the_same(tmp_path):
    used = sorted({owner for part in _PARTS.values() for owner in part})
    played = "'trajectory', 'episodes'"
    out, said = run(_WITHOUT.format(f"take_away_all(patch, {used})", played), NUMBA_CACHE_DIR=str(tmp_path))
    assert out.splitlines() == ["['inlined', 'cache']", f"{runs.trajectory()} {runs.episodes()}"]
    assert said.count("RuntimeWarning") == 1
    assert not list(tmp_path.iterdir())


# --- the loops of a game -----------------------------------------------------------------------


def test_the_loops_of_a_game_find_its_own_functions_and_share_what_needs_none():
    engine = build(toy.GAME)
    todo, found = [plain(loop) for loop in vars(engine).values()], set()
    while todo:
        function = todo.pop()
        if inspect.isfunction(function) and function not in found:
            found.add(function)
            todo += [plain(thing) for thing in reached(function)]
    assert plain(toy.apply) in found
    assert not [f for f in found if f.__module__ == given.__name__]
    assert engine.play is not build(toy.GAME).play
    assert engine.sample is build(toy.GAME).sample


# --- all ways to run are one -------------------------------------------------------------------

_TRAJECTORY = """
from toy import runs
print(runs.trajectory())
"""


def test_pure_and_compiled_runs_give_the_same_bytes():
    other = {} if PURE else {"NUMBA_DISABLE_JIT": "1"}
    assert run(_TRAJECTORY, **other)[0] == runs.trajectory()


def test_batch_and_environment_give_the_same_games():
    batch = foodenvs.make_batch(toy.GAME, 3, seed=11, players=3, final=True)
    envs = [foodenvs.make(toy.GAME, players=3, raw=True) for _ in range(3)]
    games = [0, 0, 0]
    for i, env in enumerate(envs):
        env.reset(seed=game_seed(11, i, 0))
    for _ in range(60):
        actions = batch.sample().copy()
        batch.step(actions)
        for i, env in enumerate(envs):
            env.step(actions[i])
            assert list(env.rewards.values()) == batch.rewards[i].tolist()
            if not batch.terminated[i]:
                continue
            assert list(env.scores().values()) == batch.scores[i].tolist()
            for seat, agent in enumerate(env.possible_agents):
                seen = env.observe(agent)["observation"]
                assert np.array_equal(seen, batch.final_observation[i, seat])
            games[i] += 1
            env.reset(seed=game_seed(11, i, games[i]))
        for i, env in enumerate(envs):
            observation = env.observe(env.agent_selection)
            assert env.agent_selection == f"player_{batch.seat[i]}"
            assert np.array_equal(observation["observation"], batch.observation[i])
            assert np.array_equal(observation["action_mask"], batch.action_mask[i])
    assert min(games) > 3


def test_processes_that_clear_old_code_away_at_once_do_not_disturb_each_other(tmp_path, monkeypatch):
    """Another process may have removed an old file after this one saw it."""
    monkeypatch.setattr("foodenvs.engine.cache.glob.glob", lambda pattern: [str(tmp_path / "old.1.nbc")])
    file = _File(str(tmp_path), "rule", "stamp")
    file.save("key", "code")
    assert file.load("key") == "code"
