"""The critic scores: bonus stars, best courses, rumours, the score track and the winner (CK-72 to CK-84)."""

import numpy as np

from foodenvs.engine import rule
from foodenvs.games.critter_kitchen.layout import EACH, MOST, MULTIPLIER, OVER, RUMOURS, TYPES
from foodenvs.games.critter_kitchen.measures import (
    FACTS,
    IN_COURSE,
    QUALITY,
    SOUP,
    how_many,
    measure,
    note_meal,
)
from foodenvs.games.critter_kitchen.supply import in_mask

MANY = 10000  # above all that can be measured


@rule
def final_scoring(box, s):
    """Everything between the last course and the end, in the order of CK-73."""
    players = box.players
    facts = np.zeros((players, FACTS), np.int64)
    for seat in range(players):
        note_meal(box, s, seat, facts[seat])
    s.phase = OVER
    s.turn = -1
    pay_best(s, facts, SOUP, box.most_soup_stars[s.critic], box.most_soup_stars[s.critic])  # CK-72
    for seat in range(players):
        if how_many(facts[seat], IN_COURSE, 1) == TYPES:  # CK-74
            s.stars[seat] += 1
    for course in range(TYPES):  # CK-75
        pay_best(s, facts, QUALITY + course, box.sole_best_stars[s.critic], box.tied_best_stars[s.critic])
    for seat in range(players):
        for k in range(RUMOURS + 1):  # CK-78
            s.stars[seat] += rumour_stars(box, facts, seat, card_for(s, seat, k))
    for seat in range(players):
        s.quality[seat] = final_quality(box, s, seat, facts[seat])
        s.stars[seat] += track_stars(box, s.quality[seat])
    s.winner = winner(box, s)  # CK-84
    s.done = True


@rule
def pay_best(s, facts, fact, sole, tied):
    """Stars for the most of a fact, never for 0; a tie pays all (CK-76), as the critic has it."""
    best, count = 1, 0
    for seat in range(facts.shape[0]):
        amount = int(facts[seat, fact])
        if amount > best:
            best, count = amount, 0
        if amount == best:
            count += 1
    for seat in range(facts.shape[0]):
        if facts[seat, fact] == best:
            s.stars[seat] += sole if count == 1 else tied


@rule
def card_for(s, seat, k):
    """The rumour cards that count for a seat: the three open ones, then its private one or -1."""
    return s.rumours[k] if k < RUMOURS else s.private[seat]


@rule
def rumour_stars(box, facts, seat, card):
    """The stars of a rumour card for a seat (CK-79); multipliers wait for the final score (CK-77)."""
    if card < 0 or box.rumour_kind[card] == MULTIPLIER:
        return 0
    mine, most, least = 0, -1, MANY
    for p in range(facts.shape[0]):
        here = measure(box.rumour_measure[card], facts[p], box.rumour_courses[card], box.rumour_number[card])
        if p == seat:
            mine = here
        most = max(most, here)
        if here >= 0:
            least = min(least, here)
    if box.rumour_kind[card] == EACH:
        units = max(0, mine - box.rumour_beyond[card]) // box.rumour_each[card]
        return min(units * box.rumour_stars[card], box.rumour_most[card])
    if box.rumour_kind[card] == MOST:
        return int(box.rumour_stars[card]) if mine == most and mine > 0 else 0
    return int(box.rumour_stars[card]) if mine == least else 0


@rule
def multiplied(box, quality, card, course):
    """The quality of a course in the final score, if this card doubles it (CK-77)."""
    if card >= 0 and box.rumour_kind[card] == MULTIPLIER and in_mask(box.rumour_courses[card], course):
        return quality * box.rumour_stars[card]
    return quality


@rule
def final_quality(box, s, seat, facts):
    """The sum of all course qualities, Fanatics last (CK-80, CK-82)."""
    total = 0
    for course in range(TYPES):
        quality = int(facts[QUALITY + course])
        for k in range(RUMOURS + 1):
            quality = multiplied(box, quality, card_for(s, seat, k), course)
        total += quality
    return total


@rule
def track_stars(box, quality):
    """The stars of the score track: each lap, then the row on which the marker ends (CK-81)."""
    stars = 0
    while quality > box.lap:
        quality -= box.lap
        stars += box.lap_stars
    if quality > 0:
        row = 0
        while box.row_end[row] < quality:
            row += 1
        stars += box.row_stars[row]
    return stars


@rule
def winner(box, s):
    """Most stars, then quality, then nearer to the door (CK-83)."""
    best = s.priority[0]
    for place in range(1, box.players):
        seat = s.priority[place]
        more_stars = s.stars[seat] > s.stars[best]
        if more_stars or (s.stars[seat] == s.stars[best] and s.quality[seat] > s.quality[best]):
            best = seat
    return best
