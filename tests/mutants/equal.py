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
    from foodenvs.engine import pick, seed
    from foodenvs.game import Setup
    from foodenvs.games import GAMES
    from foodenvs.testing.configurations import option_sets

    game = GAMES[game_name]
    made = [Setup(game, options) for options in option_sets(game)]
    stream, digests = np.zeros(4, np.uint32), []
    for number in range(games):
        setup = made[number % len(made)]
        states = setup.new_states(1)
        observation, mask = np.zeros(setup.length, np.int8), np.zeros(setup.actions, np.int8)
        paid, rewards, returns = (np.zeros(setup.players) for _ in range(3))
        scores = np.zeros(setup.players, np.int64)
        digest, count = hashlib.sha256(), 0
        seed(stream, number)
        turn = setup.engine.begin(setup.boxes, states, number, paid, observation, mask)
        while True:
            digest.update(observation.tobytes() + mask.tobytes() + rewards.tobytes())
            setup.engine.tally(setup.boxes, states, scores, returns)
            digest.update(scores.tobytes() + returns.tobytes())
            with_views = turn < 0 or count % VIEWS == 0
            if with_views:
                digest.update(repr(setup.view(states)).encode())
            own_mask = np.zeros_like(mask)
            for seat in range(setup.players) if turn < 0 else [count % setup.players]:
                setup.engine.look(setup.boxes, states, seat, observation, own_mask)
                digest.update(observation.tobytes() + own_mask.tobytes())
                if with_views:
                    digest.update(repr(setup.seat_view(states, seat)).encode())
            if turn < 0:
                break
            action = pick(stream, mask)
            turn = setup.engine.play(setup.boxes, states, action, 2, scores, paid, rewards, observation, mask)
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
