"""What several test modules use. Tests import no other test module."""

import contextlib
import dataclasses
import functools

import numpy as np

from foodenvs.engine import PURE, game_seed, pick, seed
from foodenvs.testing.configurations import option_sets

GAMES_PLAYED = 1 if PURE else 2


@functools.cache
def setups(game):
    """Option sets of a game in which every two values meet, the smallest number of players first."""
    return sorted(option_sets(game), key=lambda options: options["players"])


def positions(setup, number, every=1):
    """States along random games, as record arrays of one, copied."""
    states = setup.new_states(1)
    stream = np.zeros(4, np.uint32)
    mask = np.zeros(setup.actions, np.int8)
    observation = np.zeros(setup.length, np.int8)
    paid, rewards, scores = (
        np.zeros(setup.players),
        np.zeros(setup.players),
        np.zeros(setup.players, np.int64),
    )
    for g in range(GAMES_PLAYED):
        seed(stream, game_seed(number, 1, g))
        turn = setup.engine.begin(setup.boxes, states, game_seed(number, 0, g), paid, observation, mask)
        count = 0
        while True:
            if count % every == 0 or turn < 0:
                yield states.view(np.uint8).copy().view(states.dtype), mask.copy()
            if turn < 0:
                break
            turn = setup.engine.play(
                setup.boxes, states, pick(stream, mask), 0, scores, paid, rewards, observation, mask
            )
            count += 1
        assert count <= setup.max_decisions


def look(setup, states, seat):
    observation = np.zeros(setup.length, np.int8)
    mask = np.zeros(setup.actions, np.int8)
    setup.engine.look(setup.boxes, states, seat, observation, mask)
    return observation, mask


@contextlib.contextmanager
def interrupted(setup, *loops):
    """Ctrl-C while one of these loops of the engine runs: Python hears of it when the loop has finished."""
    engine = setup.engine

    def stopped(loop):
        def run(*arguments):
            loop(*arguments)
            raise KeyboardInterrupt

        return run

    setup.engine = dataclasses.replace(engine, **{name: stopped(getattr(engine, name)) for name in loops})
    try:
        yield
    finally:
        setup.engine = engine
