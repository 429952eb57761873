"""The critic scores: bonus stars, best courses, rumours, the score track and the winner (CK-72 to CK-84)."""

import numpy as np

from foodenvs.engine import choose, rule
from foodenvs.games.critter_kitchen import layout as L
from foodenvs.games.critter_kitchen.rules.effects import quality_of, value_of
from foodenvs.games.critter_kitchen.rules.supply import in_mask, printed, rumours_held, soup_value, type_of

# --- what rumour cards measure on a critic meal (CK-79) -------------------------------------------
# `note_meal` writes the facts of a meal into a row; a measure takes (facts, courses, number), with the
# numbers of its card: a set of courses as bit mask, and one more. How it pays is below.
# A card that measures something new needs one function here, in MEASURES.

# The facts of a meal: seven of a kind for the courses, then the ingredients served by value.
IN_COURSE, QUALITY, TOP_VALUE, TOP_FACE, SPICED, LEFT_OVER = range(0, 6 * L.TYPES, L.TYPES)
SERVED = 6 * L.TYPES
PRINTED = SERVED + L.HIGHEST + 1
SOUP = PRINTED + L.LOWEST + L.VALUES
TOKENS = SOUP + 1
FACTS = TOKENS + 1


@rule
def note_meal(box, s, seat, facts):
    """Write the facts of a seat's critic meal, with paired ingredients, leftovers and soup (CK-71)."""
    facts[:] = 0
    critic, owner = s.critic, s.restaurateur[seat]
    for kind in range(L.INGREDIENTS):
        course = type_of(kind)
        facts[LEFT_OVER + course] += s.free[seat, kind]
        for way in range(L.PREPARATIONS):
            count = s.plates[seat, 0, way, kind]
            if count > 0:
                spiced = min(way, 1)
                value = int(value_of(box, critic, owner, L.CRITIC_MEAL, kind, spiced))
                facts[IN_COURSE + course] += count
                facts[QUALITY + course] += count * quality_of(
                    box, critic, owner, L.CRITIC_MEAL, kind, spiced, 0
                )
                facts[TOP_VALUE + course] = max(int(facts[TOP_VALUE + course]), value)
                facts[TOP_FACE + course] = printed(kind)
                facts[SPICED + course] += count * spiced
                facts[SERVED + value] += count
                facts[PRINTED + printed(kind)] += count
    for course in range(L.TYPES):
        face = s.pairs[seat, course]
        if face > 0:
            kind = L.VALUES * box.paired_type[critic] + face - L.LOWEST
            value = int(value_of(box, critic, owner, L.CRITIC_MEAL, kind, 0))
            facts[QUALITY + course] += value
            facts[SERVED + value] += 1
            facts[PRINTED + face] += 1
    facts[SOUP] = soup_value(box, s, seat)
    facts[TOKENS] = rumours_held(s, seat)


@rule
def total(facts, first, courses):
    """The sum of a fact over a set of courses."""
    amount = 0
    for course in range(L.TYPES):
        if in_mask(courses, course):
            amount += int(facts[first + course])
    return amount


@rule
def how_many(facts, first, least):
    """In how many courses a fact is at least this much."""
    count = 0
    for course in range(L.TYPES):
        if facts[first + course] >= least:
            count += 1
    return count


@rule
def no_measure(facts, courses, number):
    return 0


@rule
def top_values_sum_to(facts, courses, number):
    """1 if all these courses are served and their top values add up to exactly the number."""
    for course in range(L.TYPES):
        if in_mask(courses, course) and facts[IN_COURSE + course] == 0:
            return 0
    return 1 if total(facts, TOP_VALUE, courses) == number else 0


@rule
def spices_served(facts, courses, number):
    """The spiced ingredients of these courses."""
    return total(facts, SPICED, courses)


@rule
def quality_of_courses(facts, courses, number):
    return total(facts, QUALITY, courses)


@rule
def rumour_tokens(facts, courses, number):
    return int(facts[TOKENS])


@rule
def value_spread(facts, courses, number):
    """The highest minus the lowest value of the ingredients served."""
    low, high = L.HIGHEST, 0
    for value in range(L.HIGHEST + 1):
        if facts[SERVED + value] > 0:
            low, high = min(low, value), value
    return max(0, high - low)


@rule
def courses_of_printed_value(facts, courses, number):
    """The courses with an own ingredient of at least this printed value."""
    return how_many(facts, TOP_FACE, number)


@rule
def odd_values(facts, courses, number):
    count = 0
    for value in range(1, L.HIGHEST + 1, 2):
        count += int(facts[SERVED + value])
    return count


@rule
def different_values(facts, courses, number):
    count = 0
    for value in range(L.HIGHEST + 1):
        if facts[SERVED + value] > 0:
            count += 1
    return count


@rule
def rising_courses(facts, courses, number):
    """The courses served, if their top values never fall from left to right; else 0."""
    count, before = 0, 0
    for course in range(L.TYPES):
        if facts[IN_COURSE + course] > 0:
            top = int(facts[TOP_VALUE + course])
            if top < before:
                return 0
            count, before = count + 1, top
    return count


@rule
def last_course_quality(facts, courses, number):
    """The quality of the rightmost course served."""
    quality = 0
    for course in range(L.TYPES):
        if facts[IN_COURSE + course] > 0:
            quality = int(facts[QUALITY + course])
    return quality


@rule
def soup_kept(facts, courses, number):
    return int(facts[SOUP])


@rule
def lightly_spiced_courses(facts, courses, number):
    """The courses served, if there are at most this many spices in all these courses; else 0."""
    return how_many(facts, IN_COURSE, 1) if total(facts, SPICED, courses) <= number else 0


@rule
def values_up_to(facts, courses, number):
    """The ingredients served of at most this value."""
    count = 0
    for value in range(number + 1):
        count += int(facts[SERVED + value])
    return count


@rule
def ingredients_left(facts, courses, number):
    """The ingredients of these types that are left over."""
    return total(facts, LEFT_OVER, courses)


@rule
def types_left(facts, courses, number):
    return how_many(facts, LEFT_OVER, 1)


@rule
def printed_values(facts, courses, number):
    """The ingredients served of this printed value, paired ones included."""
    return int(facts[PRINTED + number])


@rule
def quality_if_served(facts, courses, number):
    """The quality of these courses for a seat that serves at least this many in all; -1: it is out."""
    return total(facts, QUALITY, courses) if how_many(facts, IN_COURSE, 1) >= number else -1


MEASURES = {
    "top_values_sum_to": top_values_sum_to,
    "spices_served": spices_served,
    "quality_of_courses": quality_of_courses,
    "rumour_tokens": rumour_tokens,
    "value_spread": value_spread,
    "courses_of_printed_value": courses_of_printed_value,
    "odd_values": odd_values,
    "different_values": different_values,
    "rising_courses": rising_courses,
    "last_course_quality": last_course_quality,
    "soup_kept": soup_kept,
    "lightly_spiced_courses": lightly_spiced_courses,
    "values_up_to": values_up_to,
    "ingredients_left": ingredients_left,
    "types_left": types_left,
    "printed_values": printed_values,
    "quality_if_served": quality_if_served,
}
measure = choose(no_measure, *MEASURES.values())


# --- the final scoring ----------------------------------------------------------------------------

MANY = 10000  # above all that can be measured


@rule
def final_scoring(box, s):
    """Everything between the last course and the end, in the order of CK-73."""
    players = box.players
    facts = np.zeros((players, FACTS), np.int64)
    for seat in range(players):
        note_meal(box, s, seat, facts[seat])
    s.phase = L.OVER
    s.turn = -1
    pay_best(s, facts, SOUP, box.most_soup_stars[s.critic], box.most_soup_stars[s.critic])  # CK-72
    for seat in range(players):
        if how_many(facts[seat], IN_COURSE, 1) == L.TYPES:  # CK-74
            s.stars[seat] += 1
    for course in range(L.TYPES):  # CK-75
        pay_best(s, facts, QUALITY + course, box.sole_best_stars[s.critic], box.tied_best_stars[s.critic])
    for seat in range(players):
        for k in range(L.RUMOURS + 1):  # CK-78
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
    return s.rumours[k] if k < L.RUMOURS else s.private[seat]


@rule
def rumour_stars(box, facts, seat, card):
    """The stars of a rumour card for a seat (CK-79); multipliers wait for the final score (CK-77)."""
    if card < 0 or box.rumour_kind[card] == L.MULTIPLIER:
        return 0
    mine, most, least = 0, -1, MANY
    for p in range(facts.shape[0]):
        here = measure(box.rumour_measure[card], facts[p], box.rumour_courses[card], box.rumour_number[card])
        if p == seat:
            mine = here
        most = max(most, here)
        if here >= 0:
            least = min(least, here)
    if box.rumour_kind[card] == L.EACH:
        units = max(0, mine - box.rumour_beyond[card]) // box.rumour_each[card]
        return min(units * box.rumour_stars[card], box.rumour_most[card])
    if box.rumour_kind[card] == L.MOST:
        return int(box.rumour_stars[card]) if mine == most and mine > 0 else 0
    return int(box.rumour_stars[card]) if mine == least else 0


@rule
def multiplied(box, quality, card, course):
    """The quality of a course in the final score, if this card doubles it (CK-77)."""
    if card >= 0 and box.rumour_kind[card] == L.MULTIPLIER and in_mask(box.rumour_courses[card], course):
        return quality * box.rumour_stars[card]
    return quality


@rule
def final_quality(box, s, seat, facts):
    """The sum of all course qualities, Fanatics last (CK-80, CK-82)."""
    total = 0
    for course in range(L.TYPES):
        quality = int(facts[QUALITY + course])
        for k in range(L.RUMOURS + 1):
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
