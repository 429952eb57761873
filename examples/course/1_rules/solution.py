"""Assignment 1, a solution: the pair of cards that is worth most now."""

import numpy as np

VALUES = 10


class Agent:
    def join(self, table):
        self.setup = table.setup

    def reset(self, seed):
        """Nothing to remember."""

    def act(self, observation, info):
        seen = self.setup.explain(observation)
        line, hand, fleas = seen["line"].astype(int), seen["hand"].astype(int), int(seen["fleas"][0])
        legal = [int(card) for card in np.flatnonzero(info["action_mask"]) if card < 2 * VALUES]
        if not legal:
            return 2 * VALUES
        if seen["second"][0]:
            best = max(legal, key=lambda card: worth(line, card, fleas))
            useless = worth(line, best, fleas) == 0 and info["action_mask"][2 * VALUES]
            return 2 * VALUES if useless else best
        return max(legal, key=lambda first: best_second(line, hand, first, fleas))


def best_second(line, hand, first, fleas):
    """What the best second card is worth once the first lies on the line."""
    after, left = line.copy(), hand.copy()
    after[first] += 1
    left[first] -= 1
    return max((worth(after, card, fleas) for card in np.flatnonzero(left)), default=0)


def worth(line, card, fleas):
    """Cats taken or fleas lost by a second card; a Chakapuces gives the others its column in fleas."""
    value = card % VALUES
    column = line[:VALUES] + line[VALUES:]
    if column[value]:
        cats = sum(line[v] for v in (value - 1, value + 1) if 0 <= v < VALUES)
    else:
        run = 1
        for step in (-1, 1):
            v = value + step
            while 0 <= v < VALUES and column[v]:
                run, v = run + 1, v + step
        cats = min(run, fleas) if run > 1 else 0
    return int(cats + (column[value] + 1 if card >= VALUES else 0))
