"""memory: what was returned is the caller's, copies are exact, and nothing grows."""

import contextlib
import copy
import functools
import gc
import itertools
import linecache
import os
import pickle
import random
import time
import tracemalloc
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from foodenvs.testing.compare import difference, frozen
from foodenvs.testing.drive import (
    Position,
    agent_in,
    copy_difference,
    demand_legal,
    is_over,
    look,
    look_difference,
    play_on,
)
from foodenvs.testing.report import Check, Fault
from foodenvs.testing.trial import Trial

LEAST = 6  # configurations, however little time there is
KEPT = 6  # steps for which returned things are kept and compared
STEPS_AFTER = 40
GAMES = 10_000  # at most; of ours always, in a batch
GAMES_FOR_EACH = 1000  # played in the batch, where so many games are to be looked at
BATCH, BATCH_SECONDS = 256, 20.0  # its games at once; its time where there is less left
RESIDENT_NOISE = 16_000_000  # bytes by which a process may grow for other reasons
LEAST_GAMES = 15
GROWTH = 16.0  # bytes a game that count as growth, in each third of the games
NOISE = 6000.0  # bytes by which a third may differ from the one before (caches that fill)


def run(trial: Trial) -> None:
    """Hold what random games return, and copies of them, to the laws; then watch the memory of many games."""
    for position in trial.walk(share=0.5, least=LEAST):
        trial.hold(arrays_are_the_callers, position)
        trial.hold(infos_are_the_callers, position)
        for law in (deepcopy_continues, pickle_continues, snapshot_continues):
            _hold_copy(trial, law, position)
    for configuration, seed in trial.games(share=0.1, least=LEAST):
        position = trial.subject.position(configuration, seed, [])
        try:
            position.actions = play_on(position.fresh(), random.Random(seed))
        except Exception as error:
            trial.crashed(error, position)
            continue
        trial.hold(functools.partial(returned_things_stay, strict=trial.subject.ours), position)
    with _older_objects_left_alone():
        _watch_growth(trial)
        if trial.subject.ours and "game" in trial.subject.configurations[0]:
            _watch_batch(trial)


def _hold_copy(trial: Trial, law: Any, position: Position) -> None:
    """A copy that is refused with an error is a remark for others; one wrong in silence is a fault."""
    try:
        law(position)
    except Refused as error:
        if not trial.subject.ours:
            trial.remark(str(error))
            return
    except Exception:
        pass
    trial.hold(law, position)


class Refused(Exception):
    """An environment that will not be copied says so."""


# --- returned things ---------------------------------------------------------------------------------


def _arrays(value: Any, path: str) -> Iterator[tuple[str, np.ndarray]]:
    if isinstance(value, np.ndarray):
        yield path, value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _arrays(item, f"{path}[{key!r}]")
    elif isinstance(value, (list, tuple)):
        for i, item in enumerate(value):
            yield from _arrays(item, f"{path}[{i}]")


def _returned(env: Any) -> dict[str, Any]:
    """The things that the interface hands out, themselves and not copies of them."""
    things = {f"observe({agent!r})": env.observe(agent) for agent in env.agents}
    if env.agents:
        things["last()[4]"] = env.last(observe=False)[4]
    return things


def returned_things_stay(position: Position, strict: bool = False) -> Fault | None:
    """What was returned does not change afterwards, and shares no memory with what is returned later.

    strict: dicts that merely are the same object, unchanged, count too.
    """
    env = position.fresh()
    kept: list[tuple[int, dict[str, Any], dict[str, Any]]] = []
    for step in range(len(position.actions) + 1):
        now = _returned(env)
        arrays = [found for source, thing in now.items() for found in _arrays(thing, source)]
        for then, things, copies in kept:
            for source, thing in things.items():
                found = difference(copies[source], thing, source)
                if not found and strict:
                    found = _same_dict(source, thing, now)
                if not found:
                    found = _shared(source, thing, arrays)
                if found:
                    return _reused(position, then, step, found)
        kept = [*kept[-KEPT:], (step, now, frozen(now))]
        if step < len(position.actions):
            demand_legal(env, position.actions[step])
            env.step(position.actions[step])
    return None


def _same_dict(source: str, thing: Any, now: dict[str, Any]) -> Any:
    for other_source, other in now.items():
        if isinstance(thing, dict) and thing is other:
            return source, "a dict of its own", f"the dict that {other_source} returns later"
    return None


def _shared(source: str, thing: Any, arrays: list[tuple[str, np.ndarray]]) -> Any:
    for path, array in _arrays(thing, source):
        if array.flags.writeable:
            for other_path, later in arrays:
                if np.shares_memory(array, later):
                    return path, "memory of its own", f"the memory of {other_path}, returned later"
    return None


def _reused(position: Position, then: int, step: int, found: tuple[str, Any, Any]) -> Fault:
    source, before, after = found
    thing = source.partition(")")[0] + ")" + ("[4]" if source.startswith("last") else "")
    actions = position.actions
    return Fault(
        "reused", f"what was returned before is changed or used again {step - then} steps later", None,
        source, before, after,
        ("import copy, numpy", f"env.reset(seed={position.seed})",
         f"for action in {actions[:then]}:", "    env.step(action)",
         f"kept = env.{thing}", "before = copy.deepcopy(kept)",
         f"for action in {actions[then:step]}:", "    env.step(action)",
         "later = [env.observe(a) for a in env.agents] + [env.infos.get(a) for a in env.agents]",
         "assert repr(kept) == repr(before)",
         "def arrays(thing):",
         "    things = thing.values() if isinstance(thing, dict) else [thing]",
         "    return [a for a in things if isinstance(a, numpy.ndarray)]",
         "assert not any(numpy.shares_memory(a, b) for o in later for a in arrays(kept) for b in arrays(o))"),
        step,
    )  # fmt: skip


def arrays_are_the_callers(position: Position) -> Fault | None:
    """Writing into all arrays that were returned changes neither what is seen next nor the game."""
    spoiled, plain = position.twin(), position.twin()
    if not plain.agents:
        return None
    before = {agent: frozen(plain.observe(agent)) for agent in plain.agents}
    for thing in _returned(spoiled).values():
        _scribble(thing)
    for agent, expected in before.items():
        found = difference(expected, spoiled.observe(agent), f"observe({agent!r})")
        if found:
            source, mine, later = found
            return Fault(
                "shared", f"writing into what observe({agent!r}) returned changes what it returns next",
                agent, source, mine, later,
                (*_SCRIBBLE, f"before = repr(env.{source})", f"scribble(env.observe({agent!r}))",
                 f"assert repr(env.{source}) == before"),
            )  # fmt: skip
    found, actions = _goes_on_otherwise(plain, spoiled, position.chance("scribble"))
    if not found:
        return None
    source, mine, later = found
    return Fault(
        "shared", "writing into arrays that were returned changes the game", None, source, mine, later,
        ("import copy", *_SCRIBBLE, "other = copy.deepcopy(env)", "for agent in env.agents:",
         "    scribble(other.observe(agent))", "scribble(other.last()[4])",
         f"for action in {actions}:", "    env.step(action), other.step(action)",
         f"assert repr(env.{source}) == repr(other.{source})"),
    )  # fmt: skip


def infos_are_the_callers(position: Position) -> Fault | None:
    """What is written into the info that last() returned is gone with the next step."""
    spoiled, plain = position.twin(), position.twin()
    if not plain.agents:
        return None
    info = spoiled.last(observe=False)[4]
    info[_MARK] = True
    found, actions = _goes_on_otherwise(plain, spoiled, position.chance("info"))
    if not found:
        return None
    agent = position.env.agent_selection
    source, mine, later = found
    return Fault(
        "info kept", "what is written into the info that last() returned is still there after the next step",
        agent, source, mine, later,
        (f"env.last()[4][{_MARK!r}] = True", f"for action in {actions}:", "    env.step(action)",
         f"assert {_MARK!r} not in env.infos[{agent_in(source) or agent!r}]"),
    )  # fmt: skip


_MARK = "written by a caller"
_SCRIBBLE = (
    "def scribble(thing):",
    "    for array in thing.values() if isinstance(thing, dict) else [thing]:",
    "        if hasattr(array, 'dtype'):",
    "            array[...] = array + 3",
)


def _goes_on_otherwise(plain: Any, spoiled: Any, chance: random.Random) -> Any:
    """The first difference after some steps, and the steps; (None, []) where there is none."""
    if is_over(plain):
        return None, []
    seen: list[Any] = []
    actions = play_on(plain, chance, 6, lambda: seen.append(frozen(look(plain))))
    for k, (action, expected) in enumerate(zip(actions, seen, strict=True)):
        spoiled.step(action)
        found = look_difference(expected, look(spoiled))
        if found:
            return found, actions[: k + 1]
    return None, []


def _scribble(thing: Any) -> None:
    for _, array in _arrays(thing, ""):
        if array.flags.writeable and array.dtype.kind in "iufb":
            array[...] = ~array if array.dtype.kind == "b" else array + 3


# --- copies -------------------------------------------------------------------------------------------


def _continues(position: Position, part: str, make: Callable[[Any], Any], code: str) -> Fault | None:
    env = position.replayed()
    try:
        other = make(env)
    except Exception as error:
        raise Refused(f"a {part} mid-game is refused ({type(error).__name__}: {error})") from error
    try:
        look(other)
    except Exception as error:
        return _forgotten(part, code, error)
    found = copy_difference(env, other, position.chance(part), STEPS_AFTER)
    if not found:
        return None
    source, mine, copied, before, after = found
    return Fault(
        part, f"after a {part} the copy and the original differ", agent_in(source), source, mine, copied,
        ("import copy, pickle", f"other = {code}", f"for action in {before}:", "    other.step(action)",
         f"copied = repr(other.{source})", f"for action in {after}:", "    other.step(action)",
         f"for action in {before}:", "    env.step(action)", f"assert repr(env.{source}) == copied"),
    )  # fmt: skip


def _forgotten(part: str, code: str, error: Exception) -> Fault:
    return Fault(
        part, f"a {part} mid-game has forgotten the game ({type(error).__name__}: {error})", None, "last()",
        "as in the original", "an error",
        ("import copy, pickle", f"assert repr(({code}).last()) == repr(env.last())"),
    )  # fmt: skip


def deepcopy_continues(position: Position) -> Fault | None:
    """A deepcopy shows and plays the same, and playing it leaves the original alone."""
    return _continues(position, "deepcopy", copy.deepcopy, "copy.deepcopy(env)")


def pickle_continues(position: Position) -> Fault | None:
    """So does what comes back from a pickle."""
    return _continues(
        position, "pickle", lambda env: pickle.loads(pickle.dumps(env)), "pickle.loads(pickle.dumps(env))"
    )


def snapshot_continues(position: Position) -> Fault | None:
    """`restore(snapshot())` goes back exactly: the same snapshot, and the same game from there."""
    env = position.twin().unwrapped
    if not hasattr(env, "snapshot") or not hasattr(env, "restore"):
        return None
    snapshot = env.snapshot()
    seen = [frozen(look(env))]
    actions = play_on(env, position.chance("snapshot"), STEPS_AFTER, lambda: seen.append(frozen(look(env))))
    env.restore(snapshot)
    for k in range(len(seen)):
        found = look_difference(seen[k], look(env))
        if not found and k == 0:
            found = difference(snapshot, env.snapshot(), "snapshot()")
        if found:
            return Fault(
                "snapshot", "restore() does not go back to the snapshot", None, *found,
                ("snapshot = env.snapshot()", f"expected = repr(env.{found[0]})", f"for action in {actions}:",
                 "    env.step(action)", "env.restore(snapshot)", f"assert repr(env.{found[0]}) == expected"),
            )  # fmt: skip
        if k < len(actions):
            env.step(actions[k])
    return None


# --- growth -------------------------------------------------------------------------------------------


@contextlib.contextmanager
def _older_objects_left_alone() -> Iterator[None]:
    """Python looks for garbage among what comes from here on: a process can hold a million older objects."""
    others_froze = gc.get_freeze_count()
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        if not others_froze:
            gc.unfreeze()


def _watch_growth(trial: Trial) -> None:
    """Traced memory after each third of the games; steady growth in all of them is a fault."""
    configuration = trial.subject.configurations[0]
    position = trial.subject.position(configuration, trial.seed, [])
    env = trial.subject.make(configuration)
    played = 0

    def play(games: int) -> None:
        nonlocal played
        for _ in range(games):
            env.reset(seed=trial.seed + played)
            play_on(env, random.Random(played))
            played += 1

    tracing = tracemalloc.is_tracing()
    try:
        play(LEAST_GAMES)
        tracemalloc.start(1)
        play(LEAST_GAMES)
        rate = _games_a_second(play)
        third = _third(trial, rate)
        first = _snapshot()
        sizes = [_size()]
        for _ in range(3):
            play(third)
            sizes.append(_size())
        last = _snapshot()
    except Exception as error:
        trial.crashed(error, position)
        return
    finally:
        if not tracing:
            tracemalloc.stop()
    trial.count("games watched for growth", 3 * third)
    growth = [(b - a) / third for a, b in itertools.pairwise(sizes)]
    if min(growth) > max(GROWTH, NOISE / third):
        trial.fail(_growth(growth, first, last), position)


def _watch_batch(trial: Trial) -> None:
    """Ours: thousands of games in a batch; neither Python's memory nor that of the process grows."""
    import foodenvs

    configuration = trial.subject.configurations[0]
    keywords = {name: value for name, value in configuration.items() if name not in ("raw", "render_mode")}
    batch = foodenvs.make_batch(num_envs=BATCH, seed=trial.seed, **keywords)
    batch.step(batch.sample())  # compiles, on the first use
    until = time.monotonic() + max(trial.left(), BATCH_SECONDS)
    tracemalloc.start(1)
    games = GAMES if trial.few is None else min(GAMES, trial.few * GAMES_FOR_EACH)
    played = _play_batch(batch, games // 3, until)
    before = _size(), _resident()
    played += _play_batch(batch, games - played, until)
    grown = _size() - before[0], _resident() - before[1]
    tracemalloc.stop()
    trial.count("batched games watched for growth", played)
    if grown[0] > NOISE + GROWTH * played or grown[1] > RESIDENT_NOISE:
        position = trial.subject.position(configuration, trial.seed, [])
        found = f"{grown[0]} bytes in Python, {grown[1]} in the process"
        trial.fail(
            Fault(
                "batch growth", f"{played} games of a batch leave {found} behind", None, None, "none", found
            ),
            position,
        )


def _play_batch(batch: Any, games: int, until: float) -> int:
    played = 0
    while played < games and time.monotonic() < until:
        batch.step(batch.sample())
        played += int(np.count_nonzero(batch.terminated | batch.truncated))
    return played


def _resident() -> int:
    """Bytes of this process that are in memory; 0 where the system does not say."""
    try:
        with open("/proc/self/statm") as statm:
            return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def _third(trial: Trial, rate: float) -> int:
    if trial.few:
        return LEAST_GAMES
    return int(min(GAMES, max(3 * LEAST_GAMES, rate * max(trial.left(), 0.0))) / 3)


def _games_a_second(play: Callable[[int], None]) -> float:
    began = time.perf_counter()
    play(5)
    return 5 / max(time.perf_counter() - began, 1e-6)


def _snapshot() -> tracemalloc.Snapshot:
    own = tracemalloc.Filter(False, tracemalloc.__file__)
    return tracemalloc.take_snapshot().filter_traces([own, tracemalloc.Filter(False, linecache.__file__)])


def _size() -> int:
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


def _growth(growth: list[float], first: tracemalloc.Snapshot, last: tracemalloc.Snapshot) -> Fault:
    most = last.compare_to(first, "lineno")[0]
    frame = most.traceback[0]
    line = linecache.getline(frame.filename, frame.lineno).strip()
    where = f"{frame.filename.rsplit('/', 1)[-1]}:{frame.lineno}: {line}"
    return Fault(
        "growth", f"every game leaves about {min(growth):.0f} bytes behind, most of them from {where}",
        None, None,
        "no growth", f"{min(growth):.0f} bytes a game",
        ("import random, tracemalloc", "from foodenvs.testing.drive import play_on", "sizes = []",
         "tracemalloc.start()", "for game in range(400):", "    env.reset(seed=game)",
         "    play_on(env, random.Random(game))", "    sizes.append(tracemalloc.get_traced_memory()[0])",
         "tracemalloc.stop()", "assert sizes[399] - sizes[199] < 200 * " + str(GROWTH)),
    )  # fmt: skip


MEMORY = Check(
    "memory",
    "What was returned is the caller's: returned arrays and dicts do not change later, share no memory "
    "with later ones or with the state (everything that was returned is written full of other numbers, "
    "and the game goes on as if nothing had happened). A deepcopy and a pickle taken mid-game, and a "
    "snapshot where there is one, continue exactly as the original and leave it alone. Thousands of games "
    "do not grow memory.",
    0.2,
    run,
)
