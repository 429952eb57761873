"""What rumour cards measure on a critic meal (CK-79).

`note_meal` writes the facts of a meal into a row; a measure takes (facts, courses, number), with the numbers
of its card: a set of courses as bit mask, and one more. How it pays is in final.py.
A card that measures something new needs one function here, in MEASURES.
"""

from foodenvs.engine import choose, rule
from foodenvs.games.critter_kitchen.effects import quality_of, value_of
from foodenvs.games.critter_kitchen.layout import (
    CRITIC_MEAL,
    INGREDIENTS,
    LOWEST,
    PREPARATIONS,
    TYPES,
    VALUES,
)
from foodenvs.games.critter_kitchen.supply import in_mask, printed, rumours_held, soup_value, type_of

# The facts of a meal: seven of a kind for the courses, then the ingredients served by value.
IN_COURSE, QUALITY, TOP_VALUE, TOP_FACE, SPICED, LEFT_OVER = range(0, 6 * TYPES, TYPES)
SERVED = 6 * TYPES
HIGHEST = 31  # values are 0 .. 31
PRINTED = SERVED + HIGHEST + 1
SOUP = PRINTED + LOWEST + VALUES
TOKENS = SOUP + 1
FACTS = TOKENS + 1


@rule
def note_meal(box, s, seat, facts):
    """Write the facts of a seat's critic meal, with paired ingredients, leftovers and soup (CK-71)."""
    facts[:] = 0
    critic, owner = s.critic, s.restaurateur[seat]
    for kind in range(INGREDIENTS):
        course = type_of(kind)
        facts[LEFT_OVER + course] += s.free[seat, kind]
        for way in range(PREPARATIONS):
            count = s.plates[seat, 0, way, kind]
            if count > 0:
                spiced = min(way, 1)
                value = int(value_of(box, critic, owner, CRITIC_MEAL, kind, spiced))
                facts[IN_COURSE + course] += count
                facts[QUALITY + course] += count * quality_of(
                    box, critic, owner, CRITIC_MEAL, kind, spiced, 0
                )
                facts[TOP_VALUE + course] = max(int(facts[TOP_VALUE + course]), value)
                facts[TOP_FACE + course] = printed(kind)
                facts[SPICED + course] += count * spiced
                facts[SERVED + value] += count
                facts[PRINTED + printed(kind)] += count
    for course in range(TYPES):
        face = s.pairs[seat, course]
        if face > 0:
            kind = VALUES * box.paired_type[critic] + face - LOWEST
            value = int(value_of(box, critic, owner, CRITIC_MEAL, kind, 0))
            facts[QUALITY + course] += value
            facts[SERVED + value] += 1
            facts[PRINTED + face] += 1
    facts[SOUP] = soup_value(box, s, seat)
    facts[TOKENS] = rumours_held(s, seat)


@rule
def total(facts, first, courses):
    """The sum of a fact over a set of courses."""
    amount = 0
    for course in range(TYPES):
        if in_mask(courses, course):
            amount += int(facts[first + course])
    return amount


@rule
def how_many(facts, first, least):
    """In how many courses a fact is at least this much."""
    count = 0
    for course in range(TYPES):
        if facts[first + course] >= least:
            count += 1
    return count


@rule
def no_measure(facts, courses, number):
    return 0


@rule
def top_values_sum_to(facts, courses, number):
    """1 if all these courses are served and their top values add up to exactly the number."""
    for course in range(TYPES):
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
    low, high = HIGHEST, 0
    for value in range(HIGHEST + 1):
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
    for value in range(1, HIGHEST + 1, 2):
        count += int(facts[SERVED + value])
    return count


@rule
def different_values(facts, courses, number):
    count = 0
    for value in range(HIGHEST + 1):
        if facts[SERVED + value] > 0:
            count += 1
    return count


@rule
def rising_courses(facts, courses, number):
    """The courses served, if their top values never fall from left to right; else 0."""
    count, before = 0, 0
    for course in range(TYPES):
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
    for course in range(TYPES):
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
