"""The critic scores: bonus stars, best courses, rumours, the score track and the winner (CK-72 to CK-84)."""

from foodenvs.engine import rule
from foodenvs.games.critter_kitchen.layout import EACH, MOST, MULTIPLIER, OVER, RUMOURS, TYPES
from foodenvs.games.critter_kitchen.measures import course_quality, courses_served, measure
from foodenvs.games.critter_kitchen.supply import in_mask, soup_value

MANY = 10000  # above all that can be measured


@rule
def final_scoring(box, s):
    """Everything between the last course and the end, in the order of CK-73."""
    s.phase = OVER
    s.turn = -1
    most_soup(box, s)
    for seat in range(box.players):
        if courses_served(s, seat) == TYPES:  # CK-74
            s.stars[seat] += 1
    for course in range(TYPES):
        best_course(box, s, course)
    for seat in range(box.players):
        for k in range(RUMOURS + 1):  # CK-78
            s.stars[seat] += rumour_stars(box, s, seat, card_for(s, seat, k))
    for seat in range(box.players):
        s.quality[seat] = final_quality(box, s, seat)
        s.stars[seat] += track_stars(box, s.quality[seat])
    s.winner = winner(box, s)  # CK-84
    s.done = True


@rule
def most_soup(box, s):
    """Stars for the highest value of soup; a tie pays all (CK-72, CK-76)."""
    best = 1
    for seat in range(box.players):
        best = max(best, soup_value(box, s, seat))
    for seat in range(box.players):
        if soup_value(box, s, seat) == best:
            s.stars[seat] += box.most_soup_stars[s.critic]


@rule
def best_course(box, s, course):
    """Stars for the best of a course; a tie pays all, as the critic has it (CK-75, CK-76)."""
    best, tied = 1, 0
    for seat in range(box.players):
        quality = course_quality(box, s, seat, course)
        if quality > best:
            best, tied = quality, 0
        if quality == best:
            tied += 1
    for seat in range(box.players):
        if course_quality(box, s, seat, course) == best:
            critic = s.critic
            s.stars[seat] += box.sole_best_stars[critic] if tied == 1 else box.tied_best_stars[critic]


@rule
def card_for(s, seat, k):
    """The rumour cards that count for a seat: the three open ones, then its private one or -1."""
    return s.rumours[k] if k < RUMOURS else s.private[seat]


@rule
def measured(box, s, seat, card):
    return measure(box.rumour_measure[card], box, s, seat, box.rumour_courses[card], box.rumour_number[card])


@rule
def rumour_stars(box, s, seat, card):
    """The stars of a rumour card for a seat (CK-79); multipliers wait for the final score (CK-77)."""
    if card < 0 or box.rumour_kind[card] == MULTIPLIER:
        return 0
    mine, most, least = 0, -1, MANY
    for p in range(box.players):
        here = measured(box, s, p, card)
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
def final_quality(box, s, seat):
    """The sum of all course qualities, Fanatics last (CK-80, CK-82)."""
    total = 0
    for course in range(TYPES):
        quality = course_quality(box, s, seat, course)
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
    best = int(s.priority[0])
    for place in range(1, box.players):
        seat = s.priority[place]
        more_stars = s.stars[seat] > s.stars[best]
        if more_stars or (s.stars[seat] == s.stars[best] and s.quality[seat] > s.quality[best]):
            best = seat
    return best
