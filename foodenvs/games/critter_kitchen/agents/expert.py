"""The expert agent: plans by what rivals will leave, and lays the three meals of a day as one.

It sees an observation and a mask, never a state.
"""

import numpy as np

from foodenvs.engine import choose, rule
from foodenvs.games.critter_kitchen import layout as L
from foodenvs.games.critter_kitchen.agents.greedy import asked, free, hot, on_plates, round_of, soups
from foodenvs.games.critter_kitchen.agents.planning import (
    best_for_critic,
    multiplier,
    owned_by,
    plan,
    quality_for,
    shop,
)
from foodenvs.games.critter_kitchen.rules.effects import changed_stars
from foodenvs.games.critter_kitchen.rules.meals import spice_of
from foodenvs.games.critter_kitchen.rules.supply import printed, type_of

STAR = 50  # in tenths of a point of quality

SOUP, BISQUE = L.STOCK, L.STOCK + 1  # in a pantry: the stock, then soup and bisque
PANTRY = L.STOCK + 2
SOUP_AT, BISQUE_AT = L.PREPARATIONS * L.INGREDIENTS, L.PREPARATIONS * L.INGREDIENTS + 1  # in a meal
MEAL_SIZE = L.PREPARATIONS * L.INGREDIENTS + 2
GOALS = L.STEPS + 1  # of a challenge meal: so many steps of the scale, or none, where a card pays for that
NEVER = 1 << 30


# --- challenges: the best meals of the day, less what they take from the days to come -------------------


@rule
def keeping_worth(box, obs, kind):
    """What a token is worth after the day's challenges."""
    first_day = round_of(box, obs) <= L.PLATES
    if kind == L.ALLSPICE:
        return 60
    if kind >= L.INGREDIENTS:
        course = kind - L.INGREDIENTS
        more = 1 if first_day else multiplier(box, obs, course)
        return 8 * more * best_for_critic(box, obs, 0, course) if owned_by(box, obs, 0, kind) == 1 else 5
    course, served = type_of(kind), quality_for(box, obs, 0, L.CRITIC_MEAL, kind, 0)
    best = served == best_for_critic(box, obs, 0, course) and owned_by(box, obs, 0, kind) == 1
    if first_day:
        return 5 * printed(kind) + (10 if best else -10)
    return 8 * served * multiplier(box, obs, course) + 15 if best else 2 * served


@rule
def look_into_pantry(box, obs, pantry, keeping):
    """int64 [PANTRY], written: what the observer owns, and what one of each is worth after the day."""
    for kind in range(L.STOCK):
        pantry[kind] = owned_by(box, obs, 0, kind)
        keeping[kind] = keeping_worth(box, obs, kind) if pantry[kind] > 0 else 0
    pantry[SOUP], pantry[BISQUE] = int(obs[box.at.soup]), int(obs[box.at.bisque])
    first_day = round_of(box, obs) <= L.PLATES
    keeping[SOUP], keeping[BISQUE] = (4, 14) if first_day else (3, 9)


@rule
def look_at_plate(box, obs, plate, meal):
    """int64 [MEAL_SIZE], written: what lies on the observer's plate: ingredients by way, soup, bisque."""
    for way in range(L.PREPARATIONS):
        for kind in range(L.INGREDIENTS):
            meal[L.INGREDIENTS * way + kind] = on_plates(box, obs, plate, way, kind)
    meal[SOUP_AT], meal[BISQUE_AT] = soups(box, obs, plate, 0), soups(box, obs, plate, 1)


@rule
def use(pantry, meal, times):
    """Take a meal out of the pantry, or put it back with -1 times."""
    for way in range(L.PREPARATIONS):
        for kind in range(L.INGREDIENTS):
            count = times * meal[L.INGREDIENTS * way + kind]
            pantry[kind] -= count
            if way != L.PLAIN:
                pantry[spice_of(way, kind)] -= count
    pantry[SOUP] -= times * meal[SOUP_AT]
    pantry[BISQUE] -= times * meal[BISQUE_AT]


@rule
def list_tokens(box, obs, plate, pantry, kinds, units):
    """int64 [BAG], written: the ingredients for a plate, and the unit of their type's digit (see add_token).

    Returns their number, and 3 to the power of the types asked for.
    """
    n, unit = 0, 1
    for course in range(L.TYPES):
        if asked(box, obs, plate, course):
            for kind in range(L.VALUES * course, L.VALUES * (course + 1)):
                for _ in range(pantry[kind]):
                    kinds[n], units[n] = kind, unit
                    n += 1
            unit *= 3
    return n, unit


@rule
def add_token(box, obs, pantry, keeping, kind, unit, types, layers, cost, came):
    """Lay one more ingredient, in each way, on all meals so far; `came` tells what a meal was made of.

    A meal is numbered by (quality * types + there) * layers + allspices. `there` has a digit in base 3 for
    each type asked for: 0 missing, 1 there, 2 there and its spice used. cost: int64 [meals], the least that
    one takes from the days to come. Better meals come first, so that an ingredient is used once.
    """
    spice = spice_of(L.SPICED, kind)
    plain = quality_for(box, obs, 0, L.CHALLENGE_MEAL, kind, 0)
    spiced = quality_for(box, obs, 0, L.CHALLENGE_MEAL, kind, 1)
    for meal in range(cost.shape[0] - 1, -1, -1):
        if cost[meal] == NEVER:
            continue
        quality, there, allspices = meal // layers // types, meal // layers % types, meal % layers
        digit = there // unit % 3
        for way in range(L.PREPARATIONS):
            after, price = max(1, digit), cost[meal] + keeping[kind]
            if way == L.SPICED:
                if digit == 2 or pantry[spice] == 0:
                    continue
                after = 2
                price += keeping[spice]
            elif way == L.ALLSPICED:
                if allspices + 1 == layers:
                    continue
                price += keeping[L.ALLSPICE]
            value = min(quality + (plain if way == L.PLAIN else spiced), int(box.scale_quality[L.STEPS - 1]))
            better = (value * types + there + (after - digit) * unit) * layers + allspices
            better += way == L.ALLSPICED
            if price < cost[better]:
                cost[better] = price
                came[better] = L.PREPARATIONS * meal + way


@rule
def count_digits(there, types, digit):
    """How many types asked for are in this state."""
    count = 0
    while types > 1:
        count += there % 3 == digit
        there //= 3
        types //= 3
    return count


@rule
def stars_for(box, obs, quality, spices, bowls):
    """How many steps of the scale a meal reaches, and its stars (CK-64)."""
    steps = 0
    while steps < L.STEPS and quality >= box.scale_quality[steps]:
        steps += 1
    stars = int(box.scale_stars[steps - 1]) if steps > 0 else 0
    critic = hot(obs, box.at.critic, box.critics)
    effect = box.critic_effect[critic, L.CHALLENGE_MEAL, L.MEAL]
    stars = changed_stars(effect, box.critic_numbers[critic], stars, quality, spices, bowls)
    owner = hot(obs, box.at.restaurateurs, box.owners)
    if owner >= 0:
        effect = box.owner_kitchen_effect[owner, L.MEAL]
        stars = changed_stars(effect, box.owner_numbers[owner], stars, quality, spices, bowls)
    return steps, stars


@rule
def best_meals(box, obs, plate, pantry, keeping, worths, meals):
    """int64 [GOALS] and [GOALS, MEAL_SIZE], written: for each number of steps the meal that is worth most.

    A worth counts the stars less what is taken from the days to come; -NEVER where no meal gets any there.
    """
    worths[:] = -NEVER
    meals[:] = 0
    kinds, units = np.zeros(L.BAG, np.int64), np.zeros(L.BAG, np.int64)
    n, types = list_tokens(box, obs, plate, pantry, kinds, units)
    layers = pantry[L.ALLSPICE] + 1
    cost = np.full((int(box.scale_quality[L.STEPS - 1]) + 1) * types * layers, NEVER)
    came = np.full((n, cost.shape[0]), -1)
    cost[0] = 0
    for k in range(n):
        add_token(box, obs, pantry, keeping, kinds[k], units[k], types, layers, cost, came[k])
    owner = hot(obs, box.at.restaurateurs, box.owners)
    bonus = int(box.meal_bonus[owner]) if owner >= 0 else 0
    ends = np.zeros(GOALS, np.int64)
    for meal in range(cost.shape[0]):
        there = meal // layers % types
        if there == 0 or cost[meal] == NEVER:  # CK-62
            continue
        missing, spices = count_digits(there, types, 0), count_digits(there, types, 2) + meal % layers
        for soup in range(pantry[SOUP] + 1):
            for bisque in range(max(0, missing - soup), pantry[BISQUE] + 1):
                quality = meal // layers // types + bonus + box.soup_value * soup + box.bisque_value * bisque
                steps, stars = stars_for(box, obs, quality, spices, soup + bisque)
                worth = STAR * stars - cost[meal] - keeping[SOUP] * soup - keeping[BISQUE] * bisque
                if stars > 0 and worth > worths[steps]:
                    worths[steps], ends[steps] = worth, meal
                    meals[steps, SOUP_AT], meals[steps, BISQUE_AT] = soup, bisque
                if steps == L.STEPS:
                    break
    for steps in range(GOALS):
        meal = ends[steps]
        for k in range(n - 1, -1, -1):
            if came[k, meal] >= 0:
                meals[steps, L.INGREDIENTS * (came[k, meal] % L.PREPARATIONS) + kinds[k]] += 1
                meal = came[k, meal] // L.PREPARATIONS


@rule
def nothing_more(box, obs, plate, pantry, keeping, meal):
    return 0


def from_plate(later):
    """The rule for the meal of a plate, which tries each number of steps, with the later ones by `later`."""

    @rule
    def rest_of_day(box, obs, plate, pantry, keeping, meal):
        """Write the meal for this plate; meal[0] is -1 for none. Returns the worth of all meals to come."""
        meal[0] = -1
        if plate == L.PLATES:
            return 0
        worths, meals = np.zeros(GOALS, np.int64), np.zeros((GOALS, MEAL_SIZE), np.int64)
        best_meals(box, obs, plate, pantry, keeping, worths, meals)
        next_meal = np.zeros(MEAL_SIZE, np.int64)
        best = later(box, obs, plate + 1, pantry, keeping, next_meal)
        for steps in range(GOALS):
            if worths[steps] > -NEVER:
                use(pantry, meals[steps], 1)
                worth = worths[steps] + later(box, obs, plate + 1, pantry, keeping, next_meal)
                use(pantry, meals[steps], -1)
                if worth > best:
                    best = worth
                    meal[:] = meals[steps]
        return best

    return rest_of_day


rest_of_day = from_plate(from_plate(from_plate(nothing_more)))


@rule
def cook(box, obs, mask):
    """Lay what is not there yet of the meal that the best day has on this plate."""
    plate = hot(obs, box.at.plate, L.PLATES)
    pantry, keeping = np.zeros(PANTRY, np.int64), np.zeros(PANTRY, np.int64)
    meal, laid = np.zeros(MEAL_SIZE, np.int64), np.zeros(MEAL_SIZE, np.int64)
    look_into_pantry(box, obs, pantry, keeping)
    for before in range(plate):
        look_at_plate(box, obs, before, laid)
        use(pantry, laid, 1)
    rest_of_day(box, obs, plate, pantry, keeping, meal)
    if meal[0] < 0:
        return L.SKIP_ACTION
    look_at_plate(box, obs, plate, laid)
    for k in range(MEAL_SIZE):
        action = k if k < SOUP_AT else L.SOUP_ACTION + k - SOUP_AT
        if meal[k] > laid[k] and mask[action]:
            return action
    return L.SERVE_ACTION if mask[L.SERVE_ACTION] else L.SKIP_ACTION


# --- refrigeration and critic meal -----------------------------------------------------------------


@rule
def discard(box, obs, mask):
    best, best_worth = -1, NEVER
    for kind in range(L.STOCK):
        action = kind if kind < L.INGREDIENTS else L.SPICE_ACTION + kind - L.INGREDIENTS
        if mask[action] and keeping_worth(box, obs, kind) < best_worth:
            best, best_worth = action, keeping_worth(box, obs, kind)
    return best


@rule
def spice_gain(box, obs, kind):
    """What a spice adds to the final score on an ingredient."""
    gain = quality_for(box, obs, 0, L.CRITIC_MEAL, kind, 1) - quality_for(box, obs, 0, L.CRITIC_MEAL, kind, 0)
    return gain * multiplier(box, obs, type_of(kind))


@rule
def allspice_gain(box, obs, course):
    """What an allspice adds to a course at most; nothing where the spice of its type is free."""
    best = 0
    if free(box, obs, L.INGREDIENTS + course) == 0:
        for kind in range(L.VALUES * course, L.VALUES * (course + 1)):
            if free(box, obs, kind) > 0:
                best = max(best, spice_gain(box, obs, kind))
    return best


@rule
def allspices_left(box, obs):
    """The free allspices, with the rumour tokens that a critic takes for them."""
    count = owned_by(box, obs, 0, L.ALLSPICE)
    if box.rumours_as_allspice[hot(obs, box.at.critic, box.critics)]:
        for rumour in range(L.RUMOURS):
            count += obs[box.at.tokens + rumour] > 0
    for kind in range(L.INGREDIENTS):
        count -= on_plates(box, obs, 0, L.ALLSPICED, kind)
    return count


@rule
def better_courses(box, obs, course, kind):
    """How many later courses gain more from an allspice than this ingredient."""
    count = 0
    for later in range(course + 1, L.TYPES):
        count += allspice_gain(box, obs, later) > spice_gain(box, obs, kind)
    return count


@rule
def lay_course(box, obs, mask):
    """The highest quality; an allspice only where no later courses need it more."""
    course, spare = hot(obs, box.at.course, L.TYPES), allspices_left(box, obs)
    best, best_quality = L.NEXT_ACTION, -1
    for action in range(L.SPICE_ACTION):
        kind = action % L.INGREDIENTS
        if mask[action]:
            if action >= L.ALLSPICED_ACTION and better_courses(box, obs, course, kind) >= spare:
                continue
            here = quality_for(box, obs, 0, L.CRITIC_MEAL, kind, min(action // L.INGREDIENTS, 1))
            if here > best_quality:
                best, best_quality = action, here
    return best


in_phase = choose(plan, shop, cook, discard, lay_course)


@rule
def expert(box, obs, mask):
    """The expert agent: the plan that brings most against many plans of rivals; the best day of meals."""
    return in_phase(hot(obs, box.at.phase, L.OVER), box, obs, mask)
