"""What rumour cards measure on a critic meal (CK-79), and how good its courses are (CK-75).

A measure takes (box, s, seat, courses, number), with the numbers of its card: a set of courses as bit mask
and one more. How it pays, per unit or in comparison, is in final.py. A card that measures something new needs
one function here, in MEASURES.
"""

from foodenvs.engine import choose, rule
from foodenvs.games.critter_kitchen.effects import quality_of, value_of
from foodenvs.games.critter_kitchen.layout import CRITIC_MEAL, INGREDIENTS, PLAIN, TYPES, VALUES
from foodenvs.games.critter_kitchen.supply import (
    in_course,
    in_mask,
    on_plate,
    printed,
    rumours_held,
    soup_value,
    spiced_on_plate,
    type_of,
)

ODD = 0xAAAAAAAA  # the set of all odd values below 32 (bit v is value v)


@rule
def value_here(box, s, seat, kind, spiced):
    """The value of an ingredient in a seat's critic meal."""
    return value_of(box, s.critic, s.restaurateur[seat], CRITIC_MEAL, kind, spiced)


@rule
def quality_here(box, s, seat, kind, spiced):
    return quality_of(box, s.critic, s.restaurateur[seat], CRITIC_MEAL, kind, spiced, 0)


@rule
def paired_kind(box, s, seat, course):
    """The ingredient paired with a course; -1 for none."""
    value = s.pairs[seat, course]
    return VALUES * box.paired_type[s.critic] + value - 2 if value > 0 else -1


@rule
def course_quality(box, s, seat, course):
    quality = 0
    for kind in range(VALUES * course, VALUES * (course + 1)):
        plain = s.plates[seat, 0, PLAIN, kind]
        spiced = spiced_on_plate(s, seat, 0, kind)
        if plain > 0:
            quality += plain * quality_here(box, s, seat, kind, 0)
        if spiced > 0:
            quality += spiced * quality_here(box, s, seat, kind, 1)
    pair = paired_kind(box, s, seat, course)
    if pair >= 0:
        quality += value_here(box, s, seat, pair, 0)
    return quality


@rule
def courses_served(s, seat):
    served = 0
    for course in range(TYPES):
        if in_course(s, seat, course) > 0:
            served += 1
    return served


@rule
def meal_quality(box, s, seat):
    """The quality of all courses together, Fanatics aside."""
    quality = 0
    for course in range(TYPES):
        quality += course_quality(box, s, seat, course)
    return quality


@rule
def values_of(box, s, seat, kind):
    """The set of values (bit v) with which an ingredient lies on the plate; spiced it may have another."""
    values = 0
    if s.plates[seat, 0, PLAIN, kind] > 0:
        values |= 1 << value_here(box, s, seat, kind, 0)
    if spiced_on_plate(s, seat, 0, kind) > 0:
        values |= 1 << value_here(box, s, seat, kind, 1)
    return values


@rule
def values_served(box, s, seat):
    """The set of values (bit v) of the ingredients served, paired ones included."""
    values = 0
    for kind in range(INGREDIENTS):
        values |= values_of(box, s, seat, kind)
    for course in range(TYPES):
        pair = paired_kind(box, s, seat, course)
        if pair >= 0:
            values |= 1 << value_here(box, s, seat, pair, 0)
    return values


@rule
def served_with_values(box, s, seat, wanted):
    """How many ingredients of a set of values (bit v) are served, paired ones included."""
    count = 0
    for kind in range(INGREDIENTS):
        plain, spiced = s.plates[seat, 0, PLAIN, kind], spiced_on_plate(s, seat, 0, kind)
        if plain > 0 and in_mask(wanted, value_here(box, s, seat, kind, 0)):
            count += plain
        if spiced > 0 and in_mask(wanted, value_here(box, s, seat, kind, 1)):
            count += spiced
    for course in range(TYPES):
        pair = paired_kind(box, s, seat, course)
        if pair >= 0 and in_mask(wanted, value_here(box, s, seat, pair, 0)):
            count += 1
    return count


@rule
def top_value(box, s, seat, course):
    """The highest value among a course's own ingredients; 0 if it is not served."""
    top = 0
    for kind in range(VALUES * course, VALUES * (course + 1)):
        if s.plates[seat, 0, PLAIN, kind] > 0:
            top = max(top, value_here(box, s, seat, kind, 0))
        if spiced_on_plate(s, seat, 0, kind) > 0:
            top = max(top, value_here(box, s, seat, kind, 1))
    return top


@rule
def left_over(box, s, seat, course):
    """A seat's ingredients of a type that are not on the plate."""
    left = 0
    for kind in range(VALUES * course, VALUES * (course + 1)):
        left += s.stock[seat, kind] - on_plate(s, seat, 0, kind)
    if course == box.paired_type[s.critic]:
        for other in range(TYPES):
            if s.pairs[seat, other] > 0:
                left -= 1
    return left


# --- rumours: what a card measures on a seat's critic meal; how that pays is in final.py (CK-79) -


@rule
def no_measure(box, s, seat, courses, number):
    return 0


@rule
def top_values_sum_to(box, s, seat, courses, number):
    """1 if all these courses are served and their top values add up to exactly the number."""
    total = 0
    for course in range(TYPES):
        if in_mask(courses, course):
            top = top_value(box, s, seat, course)
            if top == 0:
                return 0
            total += top
    return 1 if total == number else 0


@rule
def spices_served(box, s, seat, courses, number):
    spices = 0
    for kind in range(INGREDIENTS):
        spices += spiced_on_plate(s, seat, 0, kind)
    return spices


@rule
def quality_of_courses(box, s, seat, courses, number):
    quality = 0
    for course in range(TYPES):
        if in_mask(courses, course):
            quality += course_quality(box, s, seat, course)
    return quality


@rule
def rumour_tokens(box, s, seat, courses, number):
    return rumours_held(s, seat)


@rule
def value_spread(box, s, seat, courses, number):
    """The highest minus the lowest value of the ingredients served."""
    values = values_served(box, s, seat)
    if values == 0:
        return 0
    low, high = 0, 0
    while not in_mask(values, low):
        low += 1
    while values >> high > 1:
        high += 1
    return high - low


@rule
def courses_of_printed_value(box, s, seat, courses, number):
    """The courses with an own ingredient of at least this printed value."""
    count = 0
    for course in range(TYPES):
        best = 0
        for kind in range(VALUES * course, VALUES * (course + 1)):
            if on_plate(s, seat, 0, kind) > 0:
                best = printed(kind)
        if best >= number:
            count += 1
    return count


@rule
def odd_values(box, s, seat, courses, number):
    return served_with_values(box, s, seat, ODD)


@rule
def spiced_in_courses(box, s, seat, courses, number):
    """The spiced ingredients of these courses."""
    count = 0
    for kind in range(INGREDIENTS):
        if in_mask(courses, type_of(kind)):
            count += spiced_on_plate(s, seat, 0, kind)
    return count


@rule
def different_values(box, s, seat, courses, number):
    values = values_served(box, s, seat)
    count = 0
    while values > 0:
        count += values & 1
        values >>= 1
    return count


@rule
def rising_courses(box, s, seat, courses, number):
    """The courses served, if their top values never fall from left to right; else 0."""
    count, before = 0, 0
    for course in range(TYPES):
        top = top_value(box, s, seat, course)
        if top > 0:
            if top < before:
                return 0
            count, before = count + 1, top
    return count


@rule
def last_course_quality(box, s, seat, courses, number):
    for course in range(TYPES - 1, -1, -1):
        if in_course(s, seat, course) > 0:
            return course_quality(box, s, seat, course)
    return 0


@rule
def soup_kept(box, s, seat, courses, number):
    return soup_value(box, s, seat)


@rule
def lightly_spiced_courses(box, s, seat, courses, number):
    """The courses served, if there are at most this many spices in all; else 0."""
    return courses_served(s, seat) if spices_served(box, s, seat, courses, 0) <= number else 0


@rule
def values_up_to(box, s, seat, courses, number):
    """The ingredients served of at most this value."""
    return served_with_values(box, s, seat, (2 << number) - 1)


@rule
def ingredients_left(box, s, seat, courses, number):
    """The ingredients of these types that are left over."""
    count = 0
    for course in range(TYPES):
        if in_mask(courses, course):
            count += left_over(box, s, seat, course)
    return count


@rule
def types_left(box, s, seat, courses, number):
    count = 0
    for course in range(TYPES):
        if left_over(box, s, seat, course) > 0:
            count += 1
    return count


@rule
def printed_values(box, s, seat, courses, number):
    """The ingredients served of this printed value, paired ones included."""
    count = 0
    for course in range(TYPES):
        count += on_plate(s, seat, 0, VALUES * course + number - 2)
        if s.pairs[seat, course] == number:
            count += 1
    return count


@rule
def quality_if_served(box, s, seat, courses, number):
    """The total quality of a seat that serves at least this many courses; -1: it is out."""
    return meal_quality(box, s, seat) if courses_served(s, seat) >= number else -1


MEASURES = {
    "top_values_sum_to": top_values_sum_to,
    "spices_served": spices_served,
    "quality_of_courses": quality_of_courses,
    "rumour_tokens": rumour_tokens,
    "value_spread": value_spread,
    "courses_of_printed_value": courses_of_printed_value,
    "odd_values": odd_values,
    "spiced_in_courses": spiced_in_courses,
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
