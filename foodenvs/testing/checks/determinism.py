"""determinism: a seed and the actions decide everything."""

import contextlib
import functools
import random
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from foodenvs.testing.compare import frozen
from foodenvs.testing.drive import (
    LONGEST,
    Actions,
    Look,
    Position,
    agent_in,
    look,
    look_difference,
    play_on,
    root,
    trajectory,
)
from foodenvs.testing.report import Check, Fault
from foodenvs.testing.trial import Law, Trial
from foodenvs.testing.worker import NoWorker, Worker, digest

LEAST = 6  # configurations, however little time there is


def run(trial: Trial) -> None:
    """Play random games, and hold each to the laws, in this process and in a second one."""
    with contextlib.ExitStack() as stack:
        worker: Worker | None = stack.enter_context(Worker(_agents(trial)))
        openings: dict[str, list[bytes]] = {}
        for number, (configuration, seed) in enumerate(trial.games(least=LEAST)):
            position = trial.subject.position(configuration, seed, [])
            try:
                env = position.fresh()
                openings.setdefault(repr(configuration), []).append(digest(frozen(look(env))))
                position.actions = play_on(env, random.Random(seed))
            except Exception as error:
                trial.crashed(error, position)
                continue
            for law in _laws(trial, number):
                trial.hold(law, position)
            if worker:
                worker = _hold_elsewhere(trial, worker, position)
            trial.count("seeds")
    if any(len(seen) > 2 and len(set(seen)) == 1 for seen in openings.values()):
        trial.remark("all seeds begin the same")


def _agents(trial: Trial) -> list[str]:
    """The agents' names; none where no environment can be made, which the games will tell."""
    with contextlib.suppress(Exception):
        return [str(agent) for agent in trial.at.fresh().possible_agents]
    return []


def _laws(trial: Trial, number: int) -> Sequence[Law]:
    """All laws; when time runs short one in turn, so that each still meets many variants."""
    if trial.few is not None or trial.left() > trial.seconds / 2:
        return LAWS
    return LAWS[number % len(LAWS) :][:1]


def _hold_elsewhere(trial: Trial, worker: Worker, position: Position) -> Worker | None:
    try:
        trial.hold(functools.partial(same_in_a_second_process, worker=worker), position)
    except NoWorker as error:
        trial.remark(f"a second process was not tried ({error})")
        return None
    return worker


# --- one trajectory, in other circumstances ------------------------------------------------------------


def _compared(
    position: Position,
    part: str,
    message: str,
    play: Callable[[], list[Look]],
    before: tuple[str, ...] = (),
    between: tuple[str, ...] = (),
) -> Fault | None:
    """The first difference between the game as it is and as `play` plays it.

    before, between: source lines to run before the second game's reset, and before each of its steps.
    """
    found = first_difference(position.trajectory, play())
    if found is None:
        return None
    step, (source, a, b) = found
    probe = (
        f"other = type(env.unwrapped)(**{position.configuration!r})",
        *before,
        f"other.reset(seed={position.seed})",
        f"for action in {position.actions[:step]}:",
        *(f"    {line}" for line in between),
        "    other.step(action)",
        f"assert repr(env.{root(source)}) == repr(other.{root(source)})",
    )
    return Fault(part, message, agent_in(source), source, a, b, probe, step)


def first_difference(first: list[Look], second: list[Look]) -> tuple[int, tuple[str, Any, Any]] | None:
    """The step and the difference of two games; where one cannot be followed further, its end."""
    for step, (a, b) in enumerate(zip(first, second, strict=False)):
        found = look_difference(a, b)
        if found:
            return step, found
    if len(first) != len(second):
        return min(len(first), len(second)) - 1, ("agents", "the same legal actions", "others")
    return None


def plain_trajectory(position: Position) -> list[Look]:
    """What is seen of a position's game when a fresh environment plays it undisturbed."""
    return trajectory(position.subject.make(position.configuration), position.seed, position.actions)


def same_again(position: Position) -> Fault | None:
    """A second environment with the same seed and actions gives the same game."""
    return _compared(
        position, "again", "the same seed and actions give another game", lambda: plain_trajectory(position)
    )


def same_after_a_game(position: Position, finished: bool) -> Fault | None:
    """A reset with the seed gives the same game, after an unfinished or a finished game of another seed."""
    what = "a finished" if finished else "an unfinished"
    env = position.subject.make(position.configuration)
    env.reset(seed=position.seed + 1)
    earlier = play_on(env, random.Random(position.seed), LONGEST if finished else 5)
    return _compared(
        position,
        f"after {what.split()[1]} game",
        f"after {what} game of another seed the same seed gives another game",
        lambda: trajectory(env, position.seed, position.actions),
        (f"other.reset(seed={position.seed + 1})", f"for action in {earlier}:", "    other.step(action)"),
    )


def same_interleaved(position: Position) -> Fault | None:
    """Another instance of another seed, played in between, changes nothing."""

    def play() -> list[Look]:
        env, other = (position.subject.make(position.configuration) for _ in range(2))
        chance = random.Random(position.seed)
        env.reset(seed=position.seed)
        other.reset(seed=position.seed + 1)

        def meddle() -> None:
            if not other.agents:
                other.reset(seed=position.seed + 2)
            play_on(other, chance, 1)

        return trajectory(env, position.seed, position.actions, meddle)

    return _compared(
        position, "interleaved", "a second instance, played in between, changes the game", play,
        ("import random", "from foodenvs.testing.drive import play_on",
         "third = type(env.unwrapped)()", f"third.reset(seed={position.seed + 1})"),
        ("play_on(third, random.Random(0), 1)",),
    )  # fmt: skip


def same_with_global_chance_disturbed(position: Position) -> Fault | None:
    """The global generators of random, numpy and torch have no influence."""

    def play() -> list[Look]:
        chance = random.Random(position.seed)

        def disturb() -> None:
            number = chance.randrange(2**31)
            random.seed(number)
            np.random.seed(number)  # noqa: NPY002
            if "torch" in sys.modules:
                sys.modules["torch"].manual_seed(number)

        env = position.subject.make(position.configuration)
        disturb()
        return trajectory(env, position.seed, position.actions, disturb)

    with _global_chance_kept():
        return _compared(
            position, "global generators", "the global random generators change the game", play,
            ("import random, numpy",), ("random.seed(77), numpy.random.seed(77)",),
        )  # fmt: skip


@contextlib.contextmanager
def _global_chance_kept() -> Any:
    plain, arrays = random.getstate(), np.random.get_state()  # noqa: NPY002
    try:
        yield
    finally:
        random.setstate(plain)
        np.random.set_state(arrays)  # noqa: NPY002


LAWS = (
    same_again,
    functools.partial(same_after_a_game, finished=False),
    functools.partial(same_after_a_game, finished=True),
    same_interleaved,
    same_with_global_chance_disturbed,
)


def digests(factory: Any, configuration: dict[str, Any], seed: int, actions: Actions, full: int = -1) -> Any:
    """A hash of every look of a game; with `full`, the look after so many actions instead."""
    seen = trajectory(factory(**configuration), seed, actions)
    return [digest(each) for each in seen] if full < 0 else seen[full]


def same_in_a_second_process(position: Position, worker: Worker) -> Fault | None:
    """Another process, with another hash seed, plays the same game."""
    asked = (position.subject.factory, position.configuration, position.seed, position.actions)
    here = digests(*asked)
    there = worker.ask(digests, *asked)
    step = next((k for k, (a, b) in enumerate(zip(here, there, strict=False)) if a != b), None)
    if step is None:
        return None
    source, a, b = look_difference(digests(*asked, step), worker.ask(digests, *asked, step)) or ("", "", "")
    return Fault(
        "second process", "another process plays another game from the same seed and actions", None,
        source, a, b,
        ("# in two processes with different PYTHONHASHSEED", f"print(repr(env.{source}))"), step,
    )  # fmt: skip


DETERMINISM = Check(
    "determinism",
    "A seed and the actions decide everything. Over many seeds, the same game comes again: in a second "
    "instance, after a reset from an unfinished and from a finished game (the options of the environment "
    "kept), interleaved with another instance, with the global generators of random, numpy and torch "
    "disturbed before and between the steps, and in a second process with another hash seed.",
    0.15,
    run,
)
