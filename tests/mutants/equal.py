"""Does a fault make a difference in play? The same games with and without it, compared by all that shows."""

import hashlib
import tempfile
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from .faults import Fault
from .killers import Send, Target, in_processes, plant

VIEWS = 300  # decisions from one look at the views to the next: a view takes as long as 100 decisions


def played(game_name: str, games: int) -> list[str]:
    """A digest of each of `games` random games, over all set-ups in turn.

    At every decision: the mask, the shaped rewards, the scores and returns, and one seat's observation, in
    turn; at the end those of all seats. With every 300th of them, and at the end, the whole view and the
    seats' own: they are read from the same position as the observations, but slowly.
    """
    from foodenvs.core.checks import REWARDS
    from foodenvs.core.position import Position
    from foodenvs.core.setup import Setup
    from foodenvs.engine import pick, start_stream
    from foodenvs.games import GAMES
    from foodenvs.testing.configurations import option_sets

    game = GAMES[game_name]
    made = [Setup(game, options) for options in option_sets(game)]
    stream, digests = np.zeros(4, np.uint32), []
    for number in range(games):
        setup = made[number % len(made)]
        here, digest, count = Position(setup, REWARDS.index("shaped")), hashlib.sha256(), 0
        start_stream(stream, number)
        here.deal(number)
        while True:
            digest.update(here.observation.tobytes() + here.mask.tobytes() + here.rewards.tobytes())
            digest.update(here.scores().tobytes() + here.returns().tobytes())
            with_views = here.over or count % VIEWS == 0
            if with_views:
                digest.update(repr(here.view()).encode())
            for seat in range(setup.players) if here.over else [count % setup.players]:
                digest.update(here.observe(seat).tobytes())
                if with_views:
                    digest.update(repr(here.view(seat)).encode())
            if here.over:
                break
            here.play(pick(stream, here.mask))
            count += 1
        digests.append(digest.hexdigest()[:16])
    return digests


def together(faults: Iterable[Fault]) -> list[tuple[Fault, ...]]:
    """The faults in groups of one module, no two of one function."""
    groups: list[tuple[Fault, ...]] = []
    for fault in faults:
        for number, group in enumerate(groups):
            if group[0].module == fault.module and all(other.function != fault.function for other in group):
                groups[number] = (*group, fault)
                break
        else:
            groups.append((fault,))
    return groups


def differs(
    target: Target, game: str, faults: Iterable[Fault], games: int, workers: int
) -> Iterator[tuple[Fault, str]]:
    """Yields each fault with the first game that differs, or "".

    Faults of different functions are planted together, and each alone where that makes a difference.
    """

    def job(group: tuple[Fault, ...]) -> Callable[[Send], None]:
        def run(send: Send) -> None:
            with tempfile.TemporaryDirectory() as cache:
                if group:
                    from numba.core import config

                    config.CACHE_DIR = cache  # compiled code of these faults is nobody else's
                    plant(target, *group)
                send(played(game, games))

        return run

    [(_, sound)] = in_processes([(None, job(()))])
    assert sound, "the game cannot be played"
    todo = together(faults)
    while todo:
        alone: list[tuple[Fault, ...]] = []
        for group, answer in in_processes(((group, job(group)) for group in todo), workers):
            difference = _compared(sound, answer)
            if difference and len(group) > 1:
                alone += [(fault,) for fault in group]
            else:
                yield from ((fault, difference) for fault in group)
        todo = alone


def _compared(sound: list[str], answer: Any) -> str:
    if answer is None:
        return "the game cannot be played"
    different = [number for number, (a, b) in enumerate(zip(sound, answer, strict=True)) if a != b]
    return f"{len(different)} of {len(sound)} games differ, the first is {different[0]}" if different else ""
