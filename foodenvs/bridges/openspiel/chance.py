"""Chance as OpenSpiel wants it: the digits of a seed, or every draw of the rules by itself."""

import collections
import functools
import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from foodenvs.core.position import Position
from foodenvs.core.setup import Setup
from foodenvs.engine import below, shuffle, uncompiled

SEEDS = 2**30  # at least, with chance="seed"


class OpenDraw(Exception):
    """Chance must draw before play goes on: outcome k with weight `weights[k]`."""

    def __init__(self, weights: Sequence[int]) -> None:
        super().__init__()
        self.weights = tuple(weights)


class Seeded:
    """Chance draws the digits of a seed, once; the engine's own stream does the rest.

    outcomes: the most of a chance node, never more than there are actions: at a chance node OpenSpiel's C++
    code writes them into a mask of the actions if it is asked for that of a player.
    nodes: the most chance nodes of a game.
    """

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.outcomes = max(2, setup.actions)
        self.nodes = digits(SEEDS, self.outcomes)

    def deal(self, position: Position, outcomes: Sequence[int]) -> None:
        """Begin the game; OpenDraw while its seed lacks digits."""
        if len(outcomes) < self.nodes:
            raise OpenDraw((1,) * self.outcomes)
        position.deal(functools.reduce(lambda seed, digit: seed * self.outcomes + digit, outcomes))

    def apply(self, position: Position, action: int, outcomes: Sequence[int]) -> None:
        """Play an action; `outcomes` are none, since the engine draws for itself."""
        position.play(action)

    def redeal(self, position: Position, seat: int, seed: int) -> None:
        """Deal anew what a seat cannot know, from a number."""
        position.place(position.redealt(seat, seed))


class Drawn:
    """Every draw of the rules is a chance node: they run as plain Python up to the first open draw.

    A draw with more outcomes than there are actions is made in parts, from the largest to the smallest.
    outcomes, nodes: as in `Seeded`.
    """

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        if not hasattr(setup.game.rules, "draws"):
            raise ValueError(
                f'chance must be "seed" for {setup.game.id}: its rules do not say how often they draw'
            )
        draws, widest = setup.game.rules.draws(setup.box)
        self.outcomes = min(max(2, setup.actions), int(widest))
        self.nodes = int(draws) * digits(int(widest), self.outcomes)
        self._outcomes: Iterator[int] = iter(())
        stand_ins = {below: self._below, shuffle: self._shuffle}
        self._deal = uncompiled(setup.game.rules.deal, stand_ins)
        self._apply = uncompiled(setup.game.rules.apply, stand_ins)

    def deal(self, position: Position, outcomes: Sequence[int]) -> None:
        """Begin the game. The position is of no use after OpenDraw."""
        position.states.view(np.uint8)[:] = 0
        self._run(position, self._deal, outcomes)

    def apply(self, position: Position, action: int, outcomes: Sequence[int]) -> None:
        """Play an action in the position, which is of no use after OpenDraw."""
        self._run(position, self._apply, outcomes, action)

    def redeal(self, position: Position, seat: int, seed: int) -> None:
        """Deal anew what a seat cannot know, from a number."""
        position.place(position.redealt(seat, seed))
        self._forget(position)

    def _run(self, position: Position, rule: Any, outcomes: Sequence[int], *action: int) -> None:
        self._outcomes = iter(outcomes)
        rule(self.setup.box, position.state, *action)
        self._forget(position)
        position.refresh()

    def _forget(self, position: Position) -> None:
        position.states["rng"] = 1  # never read; equal positions are equal bytes

    def _draw(self, weights: Sequence[int]) -> int:
        first = 0
        while len(weights) > 1:
            size = -(-len(weights) // self.outcomes)
            parts = [weights[k : k + size] for k in range(0, len(weights), size)]
            try:
                k = next(self._outcomes)
            except StopIteration:
                raise OpenDraw([sum(part) for part in parts]) from None
            first, weights = first + k * size, parts[k]
        return first

    def _below(self, rng: Any, n: int) -> int:
        return self._draw((1,) * n)

    def _shuffle(self, rng: Any, items: Any, n: int) -> None:
        """Draws each place's item, from the end, by value: orders that look the same are one."""
        left = collections.Counter(int(items[k]) for k in range(n))
        values = sorted(left)
        counts = [left[value] for value in values]
        for place in range(n - 1, -1, -1):
            k = self._draw(counts)
            items[place] = values[k]
            counts[k] -= 1
            if counts[k] == 0:
                del values[k], counts[k]


def digits(numbers: int, base: int) -> int:
    """How many digits it takes to tell so many numbers apart."""
    return next(k for k in itertools.count() if base**k >= numbers)


@functools.lru_cache(256)
def outcomes_of(weights: tuple[int, ...]) -> tuple[tuple[int, float], ...]:
    """The outcomes of a draw with these weights, as pairs of number and probability."""
    total = sum(weights)
    return tuple((k, weight / total) for k, weight in enumerate(weights))
