"""Agents of Scratch & Catch that the engine can run: they see an observation and a mask, never a state."""

from foodenvs.engine import rule
from foodenvs.games.scratch_catch.rules import DECK, KINDS, VALUES, value_of


@rule
def column(obs, first, value):
    """The cards of a value on the line, with the kind `first` laid on it already (-1: nothing)."""
    cards = int(obs[value]) + int(obs[VALUES + value])
    return cards + 1 if first >= 0 and value_of(first) == value else cards


@rule
def cats(obs, first, value):
    """The Cat cards of a value on the line; 0 for values beyond the ends."""
    if value < 0 or value >= VALUES:
        return 0
    return int(obs[value]) + 1 if first == value else int(obs[value])


@rule
def run_length(obs, first, value):
    length = 1
    low = value - 1
    while low >= 0 and column(obs, first, low) > 0:
        length += 1
        low -= 1
    high = value + 1
    while high < VALUES and column(obs, first, high) > 0:
        length += 1
        high += 1
    return length


@rule
def worth(obs, first, card):
    """Fleas lost, Cats taken and fleas given to each other seat by `card` as second card, in points."""
    value = value_of(card)
    height = column(obs, first, value)
    if height > 0:
        points = cats(obs, first, value - 1) + cats(obs, first, value + 1)
    else:
        run = run_length(obs, first, value)
        points = min(run, int(obs[3 * KINDS])) if run > 1 else 0
    return points + height + 1 if card >= VALUES else points


@rule
def best_second(obs, mask):
    """The hand card of the highest worth now; the deck if none is worth anything."""
    best, best_worth = -1, -1
    for card in range(KINDS):
        if mask[card] and worth(obs, -1, card) > best_worth:
            best, best_worth = card, worth(obs, -1, card)
    if best_worth <= 0 and mask[DECK]:
        return DECK
    return best


@rule
def best_first(obs, mask):
    """The first card of the best ordered pair; ties: a Cat before a Chakapuces, then the lower kind."""
    best, best_worth = -1, -1
    for first in range(KINDS):
        if mask[first]:
            for second in range(KINDS):
                left = int(obs[KINDS + second]) - (1 if second == first else 0)
                if left > 0 and worth(obs, first, second) > best_worth:
                    best, best_worth = first, worth(obs, first, second)
    return best


@rule
def greedy(box, obs, mask):
    """The greedy agent: the play that is worth most at once, a flea counting as a point."""
    if obs[3 * KINDS + 6 * box.players + 1]:
        return best_second(obs, mask)
    return best_first(obs, mask)


AGENTS = {"greedy": greedy}
