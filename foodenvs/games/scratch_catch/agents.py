"""Agents of Scratch & Catch that the engine can run: they see an observation and a mask, never a state."""

import numpy as np

from foodenvs.engine import rule
from foodenvs.games.scratch_catch.rules import DECK, KINDS, VALUES, flea_points, value_of


@rule
def column(line, first, value):
    """The cards of a value on the line, with the kind `first` laid on it already (-1: nothing)."""
    cards = int(line[value]) + int(line[VALUES + value])
    return cards + 1 if first >= 0 and value_of(first) == value else cards


@rule
def cats(line, first, value):
    """The Cat cards of a value on the line; 0 for values beyond the ends."""
    if value < 0 or value >= VALUES:
        return 0
    return int(line[value]) + 1 if first == value else int(line[value])


@rule
def run_length(line, first, value):
    length = 1
    low = value - 1
    while low >= 0 and column(line, first, low) > 0:
        length += 1
        low -= 1
    high = value + 1
    while high < VALUES and column(line, first, high) > 0:
        length += 1
        high += 1
    return length


@rule
def worth(line, fleas, first, card):
    """Fleas lost, Cats taken and fleas given to each other seat by `card` as second card, in points."""
    value = value_of(card)
    height = column(line, first, value)
    if height > 0:
        points = cats(line, first, value - 1) + cats(line, first, value + 1)
    else:
        run = run_length(line, first, value)
        points = min(run, fleas) if run > 1 else 0
    return points + height + 1 if card >= VALUES else points


@rule
def best_second(line, fleas, mask):
    """The hand card of the highest worth now; the deck if none is worth anything."""
    best, best_worth = -1, -1
    for card in range(KINDS):
        if mask[card] and worth(line, fleas, -1, card) > best_worth:
            best, best_worth = card, worth(line, fleas, -1, card)
    if best_worth <= 0 and mask[DECK]:
        return DECK
    return best


@rule
def best_first(line, hand, fleas, mask):
    """The first card of the best ordered pair; ties: a Cat before a Chakapuces, then the lower kind."""
    best, best_worth = -1, -1
    for first in range(KINDS):
        if mask[first]:
            for second in range(KINDS):
                left = int(hand[second]) - (1 if second == first else 0)
                if left > 0 and worth(line, fleas, first, second) > best_worth:
                    best, best_worth = first, worth(line, fleas, first, second)
    return best


@rule
def greedy(box, obs, mask):
    """The greedy agent: the play that is worth most at once, a flea counting as a point."""
    at = box.at
    line, fleas = obs[at.line : at.line + KINDS], int(obs[at.fleas])
    if obs[at.second]:
        return best_second(line, fleas, mask)
    return best_first(line, obs[at.hand : at.hand + KINDS], fleas, mask)


# --- expert ----------------------------------------------------------------------------------

SMOOTH = 2  # fleas on either side over which the flea table is averaged while the game goes on
MOST_GAIN = 20
THREAT = 1.3  # weight of what the next seat may gain on the line left to it, over the number of others


@rule
def flea_worth(box, fleas, last):
    """Points for a number of fleas: of the table in a last turn, else averaged over numbers close by."""
    if last:
        return float(flea_points(box, fleas))
    total = 0
    for near in range(fleas - SMOOTH, fleas + SMOOTH + 1):
        total += flea_points(box, max(0, near))
    return total / (2 * SMOOTH + 1.0)


@rule
def line_height(line, value):
    return line[value] + line[VALUES + value] if 0 <= value < VALUES else 0


@rule
def line_cats(line, value):
    return line[value] if 0 <= value < VALUES else 0


@rule
def line_run(line, value):
    length = 1
    low = value - 1
    while line_height(line, low) > 0:
        length += 1
        low -= 1
    high = value + 1
    while line_height(line, high) > 0:
        length += 1
        high += 1
    return length


@rule
def fleas_lost(line, value, fleas):
    """What a second card of a free value discards."""
    run = line_run(line, value)
    return min(run, fleas) if run > 1 else 0


@rule
def threat(box, obs, line, gains):
    """What the next seat may expect to gain with its best second card on `line`, holding any unseen cards.

    gains (int64 [MOST_GAIN + 1]) is scratch: how many unseen cards gain so much.
    """
    gains[:] = 0
    fleas, cards = int(obs[box.at.fleas + 1]), int(obs[box.at.hand_size + 1])
    cats_left, chakapuces_left = obs[box.at.unseen :], obs[box.at.unseen + VALUES :]
    unseen = 0
    for value in range(VALUES):
        height = line_height(line, value)
        if height > 0:
            gain = line_cats(line, value - 1) + line_cats(line, value + 1)
        else:
            gain = fleas_lost(line, value, fleas)
        cats, chakapuces = int(cats_left[value]), int(chakapuces_left[value])
        gains[min(gain, MOST_GAIN)] += cats
        gains[min(gain + height + 1, MOST_GAIN)] += chakapuces
        unseen += cats + chakapuces
    expected, none_better = 0.0, 1.0
    for gain in range(MOST_GAIN, 0, -1):
        if gains[gain] > 0:
            none = none_better
            for _ in range(cards):
                none *= 1.0 - gains[gain] / unseen
            expected += gain * (none_better - none)
            none_better = none
    return expected


@rule
def outcome(box, obs, line, gains, card):
    """The worth of `card` as second card on `line`: own points, others' fleas, the gain of the next seat."""
    players = box.players
    value = value_of(card)
    fleas = int(obs[box.at.fleas])
    ended = 0
    for row in range(players):
        ended += int(obs[box.at.ended_by + row])
    last = ended > 0
    height = line_height(line, value)
    points = 0.0
    low_cats, low_chakapuces, high_cats, high_chakapuces = 0, 0, 0, 0
    if height > 0:
        points += line_cats(line, value - 1) + line_cats(line, value + 1)
        if value > 0:
            low_cats, low_chakapuces = line[value - 1], line[VALUES + value - 1]
            line[value - 1] = line[VALUES + value - 1] = 0
        if value + 1 < VALUES:
            high_cats, high_chakapuces = line[value + 1], line[VALUES + value + 1]
            line[value + 1] = line[VALUES + value + 1] = 0
    else:
        left = fleas - fleas_lost(line, value, fleas)
        points += flea_worth(box, left, last) - flea_worth(box, fleas, last)
    if card >= VALUES:
        given = 0.0
        for row in range(1, players):
            theirs = int(obs[box.at.fleas + row])
            given += flea_worth(box, theirs, last) - flea_worth(box, theirs + height + 1, last)
        points += given / (players - 1)
    next_plays = obs[box.at.ended_by + 1] == 0  # the seat that ended the game has no turn
    if next_plays:
        line[card] += 1
        points -= THREAT / (players - 1) * threat(box, obs, line, gains)
        line[card] -= 1
    if height > 0:
        if value > 0:
            line[value - 1], line[VALUES + value - 1] = low_cats, low_chakapuces
        if value + 1 < VALUES:
            line[value + 1], line[VALUES + value + 1] = high_cats, high_chakapuces
    return points


@rule
def from_deck(box, obs, line, gains):
    """The mean worth of the unseen top card of the deck as second card."""
    total, cards = 0.0, 0
    for kind in range(KINDS):
        count = int(obs[box.at.unseen + kind])
        if count > 0:
            total += count * outcome(box, obs, line, gains, kind)
            cards += count
    return total / cards if cards > 0 else 0.0


@rule
def best_outcome(box, obs, line, gains, hand, deck):
    """The worth of the best second card of a hand or, with `deck`, of the deck; the action comes second."""
    best, best_action = -1e9, -1
    for card in range(KINDS):
        if hand[card] > 0:
            found = outcome(box, obs, line, gains, card)
            if found > best:
                best, best_action = found, card
    if deck:
        found = from_deck(box, obs, line, gains)
        if found > best:
            best, best_action = found, DECK
    return best, best_action


@rule
def expert(box, obs, mask):
    """Weighs both cards of the turn with the deck's mean, the flea table, and what the next seat may gain."""
    line, hand = np.zeros(KINDS, np.int64), np.zeros(KINDS, np.int64)
    gains = np.zeros(MOST_GAIN + 1, np.int64)
    for kind in range(KINDS):
        line[kind], hand[kind] = int(obs[box.at.line + kind]), int(obs[box.at.hand + kind])
    deck = int(obs[box.at.deck_size])
    if obs[box.at.second]:
        return best_outcome(box, obs, line, gains, hand, deck > 0)[1]
    best, best_action = -1e9, -1
    for first in range(KINDS):
        if hand[first] > 0:
            hand[first] -= 1
            line[first] += 1
            found = best_outcome(box, obs, line, gains, hand, deck > 0)[0]
            line[first] -= 1
            hand[first] += 1
            if found > best:
                best, best_action = found, first
    if deck > 0:
        total, cards = 0.0, 0
        for first in range(KINDS):
            count = int(obs[box.at.unseen + first])
            if count > 0:
                line[first] += 1
                total += count * best_outcome(box, obs, line, gains, hand, False)[0]
                line[first] -= 1
                cards += count
        if cards > 0 and total / cards > best:
            best, best_action = total / cards, DECK
    return best_action


AGENTS = {"greedy": greedy, "expert": expert}
