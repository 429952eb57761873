"""The expert agent: plans by what rivals will leave, and lays the three meals of a day as one.

It sees an observation and a mask, never a state.
"""

import numpy as np

from foodenvs.engine import choose, rule
from foodenvs.games.critter_kitchen.effects import changed_stars, quality_of
from foodenvs.games.critter_kitchen.greedy import (
    WHIMS,
    asked,
    free,
    hot,
    on_plates,
    round_of,
    soups,
    taken_before,
    wanted,
    whim,
)
from foodenvs.games.critter_kitchen.layout import (
    ALLSPICE,
    ALLSPICED,
    ALLSPICED_ACTION,
    BAG,
    BISQUE_ACTION,
    CHALLENGE_MEAL,
    CHEFS,
    CRITIC_MEAL,
    CRITICS,
    HOME_ACTION,
    INGREDIENTS,
    KINDS,
    LOCATIONS,
    MEAL,
    MULTIPLIER,
    NEXT_ACTION,
    OVER,
    PLACE_ACTION,
    PLAIN,
    PLATES,
    PREPARATIONS,
    RESTAURATEURS,
    ROUNDS,
    RUMOUR_ACTION,
    RUMOUR_CARDS,
    RUMOURS,
    SEATS,
    SERVE_ACTION,
    SKIP_ACTION,
    SOUP_ACTION,
    SOUS,
    SOUS_ACTION,
    SOUS_CHEFS,
    SPICE_ACTION,
    SPICED,
    STOCK,
    TRUCK,
    TYPES,
    VALUES,
    WILD,
    WILD_ACTION,
)
from foodenvs.games.critter_kitchen.meals import spice_of
from foodenvs.games.critter_kitchen.shopping import location_of
from foodenvs.games.critter_kitchen.supply import in_mask, printed, type_of

# Worth in tenths of a point of quality: greedy's numbers, but where matches of variants against each
# other chose others, here and in the functions below: `foodenvs match critter_kitchen VARIANT VARIANT
# --players 2 --games 1000 --seed 11`; RIVALS_SOUS_WORTH with `--players 4`, one
# variant against three of another.
SOUP_WORTH, BISQUE_WORTH, ALLSPICE_WORTH, RUMOUR_WORTH = 12, 32, 55, 12
SOUS_WORTH = (0, 60, 85, 110)  # by capacity
RIVALS_SOUS_WORTH = 35  # what draws rivals to the academy: few go there for the sous chef alone
MERCHANT_WORTH = (46, 40, 36, 30)
LEFTOVER_WORTH = 20  # of what others leave for the academy
NEEDED = 5  # more for an ingredient of a type that is asked for and short
LAST_NEW = 20  # more in the last round for an ingredient of a course that is still empty
STAR = 50

ITEMS = 40  # room for the items of one location
SOUP, BISQUE = STOCK, STOCK + 1  # in a pantry: the stock, then soup and bisque
PANTRY = STOCK + 2
SOUP_AT, BISQUE_AT = PREPARATIONS * INGREDIENTS, PREPARATIONS * INGREDIENTS + 1  # in a meal
MEAL_SIZE = PREPARATIONS * INGREDIENTS + 2
NEVER = 1 << 30


# --- what a token is worth to a seat ---------------------------------------------------------------


@rule
def owned_by(box, obs, row, kind):
    return int(obs[box.at.stock + STOCK * row + kind])


@rule
def quality_for(box, obs, row, meal, kind, spiced):
    """The quality of an ingredient that a seat serves in a challenge or critic meal."""
    critic = hot(obs, box.at.critic, CRITICS)
    owner = hot(obs, box.at.restaurateurs + RESTAURATEURS * row, RESTAURATEURS)
    return int(quality_of(box, critic, owner, meal, kind, spiced, 0))


@rule
def best_for_critic(box, obs, row, course):
    """The highest quality that a seat can serve the critic in a course without a spice; 0 for none."""
    best = 0
    for kind in range(VALUES * course, VALUES * (course + 1)):
        if owned_by(box, obs, row, kind) > 0:
            best = max(best, quality_for(box, obs, row, CRITIC_MEAL, kind, 0))
    return best


@rule
def number_of_type(box, obs, row, course):
    count = 0
    for kind in range(VALUES * course, VALUES * (course + 1)):
        count += owned_by(box, obs, row, kind)
    return count


@rule
def multiplier(box, obs, course):
    """What the rumours that the observer knows make of a course in the final score (CK-77)."""
    factor = 1
    for rumour in range(RUMOURS):
        card = hot(obs, box.at.rumours + RUMOUR_CARDS * rumour, RUMOUR_CARDS)
        if card >= 0 and box.rumour_kind[card] == MULTIPLIER and in_mask(box.rumour_courses[card], course):
            factor *= int(box.rumour_stars[card])
    return factor


@rule
def chance_to_be_asked(box, obs, course):
    """The chance in percent that one of the day's cards to come asks for a type."""
    unseen, silent = 0, 0
    for card in range(box.challenge_cards):
        if obs[box.at.seen_challenges + card] == 0:
            unseen += 1
            if not in_mask(box.challenge_types[card], course):
                silent += 1
    none = 100
    for k in range(PLATES - 1 - (round_of(box, obs) - 1) % PLATES):
        none = none * max(0, silent - k) // (unseen - k)
    return 100 - none


@rule
def ingredient_worth(box, obs, row, kind):
    """For the day's challenges; in the last round for the critic."""
    course = type_of(kind)
    if round_of(box, obs) == ROUNDS:
        best = best_for_critic(box, obs, row, course)
        gain = quality_for(box, obs, row, CRITIC_MEAL, kind, 0) - best
        if gain <= 0:
            return 5
        return 10 + 7 * gain * multiplier(box, obs, course) + (LAST_NEW if best == 0 else 0)
    worth = 10 * quality_for(box, obs, row, CHALLENGE_MEAL, kind, 0)
    need = wanted(box, obs, course)
    if need > number_of_type(box, obs, row, course):
        return worth + NEEDED
    if need > 0:
        return worth
    chance = chance_to_be_asked(box, obs, course)
    return ((worth - 20) * chance + 2 * printed(kind) * (100 - chance)) // 100


@rule
def token_worth(box, obs, row, kind):
    """What a token is worth to a seat; -1 for a rumour token that it cannot take (CK-42)."""
    if kind < INGREDIENTS:
        return ingredient_worth(box, obs, row, kind)
    if kind == ALLSPICE:
        return ALLSPICE_WORTH
    if kind < STOCK:
        if owned_by(box, obs, row, kind) > 0:
            return 15
        return 25 + 5 * best_for_critic(box, obs, row, kind - INGREDIENTS)
    for rumour in range(RUMOURS):
        if (kind == WILD or kind == STOCK + rumour) and obs[box.at.tokens + RUMOURS * row + rumour] == 0:
            as_allspice = box.rumours_as_allspice[hot(obs, box.at.critic, CRITICS)]
            return ALLSPICE_WORTH if as_allspice else RUMOUR_WORTH
    return -1


@rule
def sous_worth(box, obs):
    return SOUS_WORTH[box.sous_capacity[hot(obs, box.at.academy_sous, SOUS_CHEFS)]]


# --- planning: every pair of chef and location, over many plans of the rivals --------------------------


@rule
def add_item(worths, n, own, rivals):
    """An item's worth to the observer and to each rival, if there is room. Returns the number of items."""
    if n == ITEMS:
        return n
    worths[0, n] = own
    worths[1:, n] = rivals
    return n + 1


@rule
def list_items(box, obs, place, worths):
    """int64 [SEATS, ITEMS], written: what the items expected at a place are worth to each seat.

    Returns their number.
    """
    n = 0
    for kind in range(KINDS):
        for _ in range(int(obs[box.at.items + KINDS * place + kind])):
            if n < ITEMS:
                for row in range(box.players):
                    worths[row, n] = token_worth(box, obs, row, kind)
                n += 1
    if place == TRUCK:
        if obs[box.at.bisques]:
            n = add_item(worths, n, BISQUE_WORTH, BISQUE_WORTH)
        for _ in range(3 * box.players):
            n = add_item(worths, n, SOUP_WORTH, SOUP_WORTH)
    elif place == box.merchant:
        for k in range(box.spaces[place]):
            worth = MERCHANT_WORTH[min(k, 3)]
            n = add_item(worths, n, worth, worth)
    elif place == box.academy:
        for _ in range(3 if box.players == 2 else 2):
            n = add_item(worths, n, LEFTOVER_WORTH, LEFTOVER_WORTH)
        if hot(obs, box.at.academy_sous, SOUS_CHEFS) >= 0:
            n = add_item(worths, n, sous_worth(box, obs), RIVALS_SOUS_WORTH)
    return n


@rule
def best_left(worths, n, gone):
    """The item of the highest worth that is not in the set of those gone; -1 for none."""
    best = -1
    for k in range(n):
        if gone >> k & 1 == 0 and worths[k] >= 0 and (best < 0 or worths[k] > worths[best]):
            best = k
    return best


@rule
def haul(box, carries, n, worths, by_track):
    """What the observer brings home from a location to which chefs of these capacities come (CK-26, CK-33).

    carries: int64 [SEATS]; 0 for a seat without a chef there.  by_track: the rows in track order.
    """
    total, gone = 0, 0
    line = carries[0]
    for queue in range(1, line + 1):
        for pick in range(queue):
            for k in range(box.players):
                row = by_track[k]
                if carries[row] == queue:
                    best = best_left(worths[row], n, gone)
                    worth = worths[row, best] if best >= 0 else 0
                    if best >= 0:
                        gone |= 1 << best
                    if row == 0:
                        total += max(worth, SOUP_WORTH) if pick == 0 else worth  # CK-29
    return total


@rule
def capacity_of(box, obs, row, chef):
    """What a chef of a seat carries; 0 if the seat has no such chef this round."""
    if chef < SOUS:
        return int(box.capacity[chef])
    if obs[box.at.sous + SOUS_CHEFS + row]:
        return int(box.sous_capacity[hot(obs, box.at.sous, SOUS_CHEFS)])
    return 0


@rule
def attraction(box, place, carries, n, worths):
    """How much a location draws a chef of a rival: what it may hope for, when others have taken the best."""
    before = taken_before(box, place, carries)
    gone, total = 0, 0
    for k in range(before + carries):
        best = best_left(worths, n, gone)
        if best >= 0:
            gone |= 1 << best
            total += worths[best] if k >= before else 0
    return 2 * total


@rule
def send_rivals(box, obs, shift, draw, there):
    """int64 [LOCATIONS, SEATS], written: the capacities of the rivals' chefs at each place by one plan.

    draw: int64 [SEATS, 4, LOCATIONS], the attraction of each place for a seat's chef by capacity.
    """
    there[:] = 0
    for row in range(1, box.players):
        for chef in range(len(CHEFS)):
            carries = capacity_of(box, obs, row, chef)
            if carries > 0:
                best, most = -1, -1
                for place in range(box.places):
                    here = draw[row, carries, place] + whim(box, obs, row, place, shift)
                    if there[place, row] == 0 and here > most:
                        best, most = place, here
                there[best, row] = carries


@rule
def expect_hauls(box, obs, values):
    """int64 [CHEFS, LOCATIONS], written: what own chefs expect at each place, summed over rivals' plans."""
    worths = np.zeros((LOCATIONS, SEATS, ITEMS), np.int64)
    number = np.zeros(LOCATIONS, np.int64)
    draw = np.zeros((SEATS, 4, LOCATIONS), np.int64)
    by_track = np.zeros(SEATS, np.int64)
    for row in range(box.players):
        by_track[int(obs[box.at.priority + row]) - 1] = row
    for place in range(box.places):
        number[place] = list_items(box, obs, place, worths[place])
        for row in range(1, box.players):
            for carries in range(1, 4):
                draw[row, carries, place] = attraction(box, place, carries, number[place], worths[place, row])
    there = np.zeros((LOCATIONS, SEATS), np.int64)
    for shift in range(WHIMS):
        send_rivals(box, obs, shift, draw, there)
        for place in range(box.places):
            for chef in range(len(CHEFS)):
                there[place, 0] = capacity_of(box, obs, 0, chef)
                values[chef, place] += haul(box, there[place], number[place], worths[place], by_track)


@rule
def plan(box, obs, mask):
    """The place of the next chef in the plan that brings home most in all."""
    values = np.zeros((len(CHEFS), LOCATIONS), np.int64)
    expect_hauls(box, obs, values)
    chef = hot(obs, box.at.chef, len(CHEFS))
    used = 0
    for placed in range(chef):
        used |= 1 << hot(obs, box.at.chefs + box.places * placed, box.places)
    best = np.zeros(1 << box.places, np.int64)  # for each set of used places: what the later chefs can bring
    for later in range(SOUS, chef - 1, -1):
        if capacity_of(box, obs, 0, later) > 0:
            for taken in range(1 << box.places):  # larger sets still hold what the chefs after this one bring
                most, choice = -1, -1
                for place in range(box.places):
                    if taken >> place & 1 == 0 and values[later, place] + best[taken | 1 << place] > most:
                        most, choice = values[later, place] + best[taken | 1 << place], place
                if later == chef and taken == used:
                    return PLACE_ACTION + LOCATIONS * chef + location_of(box, choice)
                best[taken] = most
    return -1


# --- shopping --------------------------------------------------------------------------------------


@rule
def item_worth(box, obs, action):
    if action < INGREDIENTS:
        return token_worth(box, obs, 0, action)
    if action == SOUP_ACTION or action == HOME_ACTION:
        return SOUP_WORTH
    if action == BISQUE_ACTION:
        return BISQUE_WORTH
    if action == SOUS_ACTION:
        return sous_worth(box, obs)
    if action >= WILD_ACTION:
        return token_worth(box, obs, 0, WILD)
    if action >= RUMOUR_ACTION:
        return token_worth(box, obs, 0, STOCK + action - RUMOUR_ACTION)
    return token_worth(box, obs, 0, INGREDIENTS + action - SPICE_ACTION)


@rule
def shop(box, obs, mask):
    best, best_worth = -1, -1
    for action in range(HOME_ACTION + 1):
        if mask[action] and item_worth(box, obs, action) > best_worth:
            best, best_worth = action, item_worth(box, obs, action)
    return best


# --- challenges: the best meals of the day, less what they take from the days to come -------------------


@rule
def keeping_worth(box, obs, kind):
    """What a token is worth after the day's challenges."""
    first_day = round_of(box, obs) <= PLATES
    if kind == ALLSPICE:
        return 60
    if kind >= INGREDIENTS:
        course = kind - INGREDIENTS
        more = 1 if first_day else multiplier(box, obs, course)
        return 8 * more * best_for_critic(box, obs, 0, course) if owned_by(box, obs, 0, kind) == 1 else 5
    course, served = type_of(kind), quality_for(box, obs, 0, CRITIC_MEAL, kind, 0)
    best = served == best_for_critic(box, obs, 0, course) and owned_by(box, obs, 0, kind) == 1
    if first_day:
        return 5 * printed(kind) + (10 if best else -10)
    return 8 * served * multiplier(box, obs, course) + 15 if best else 2 * served


@rule
def look_into_pantry(box, obs, pantry, keeping):
    """int64 [PANTRY], written: what the observer owns, and what one of each is worth after the day."""
    for kind in range(STOCK):
        pantry[kind] = owned_by(box, obs, 0, kind)
        keeping[kind] = keeping_worth(box, obs, kind) if pantry[kind] > 0 else 0
    pantry[SOUP], pantry[BISQUE] = int(obs[box.at.soup]), int(obs[box.at.bisque])
    first_day = round_of(box, obs) <= PLATES
    keeping[SOUP], keeping[BISQUE] = (4, 14) if first_day else (3, 9)


@rule
def look_at_plate(box, obs, plate, meal):
    """int64 [MEAL_SIZE], written: what lies on the observer's plate: ingredients by way, soup, bisque."""
    for way in range(PREPARATIONS):
        for kind in range(INGREDIENTS):
            meal[INGREDIENTS * way + kind] = on_plates(box, obs, plate, way, kind)
    meal[SOUP_AT], meal[BISQUE_AT] = soups(box, obs, plate, 0), soups(box, obs, plate, 1)


@rule
def use(pantry, meal, times):
    """Take a meal out of the pantry, or put it back with -1 times."""
    for way in range(PREPARATIONS):
        for kind in range(INGREDIENTS):
            count = times * meal[INGREDIENTS * way + kind]
            pantry[kind] -= count
            if way != PLAIN:
                pantry[spice_of(way, kind)] -= count
    pantry[SOUP] -= times * meal[SOUP_AT]
    pantry[BISQUE] -= times * meal[BISQUE_AT]


@rule
def list_tokens(box, obs, plate, pantry, kinds, units):
    """int64 [BAG], written: the ingredients for a plate, and the unit of their type's digit (see add_token).

    Returns their number, and 3 to the power of the types asked for.
    """
    n, unit = 0, 1
    for course in range(TYPES):
        if asked(box, obs, plate, course):
            for kind in range(VALUES * course, VALUES * (course + 1)):
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
    spice = spice_of(SPICED, kind)
    plain = quality_for(box, obs, 0, CHALLENGE_MEAL, kind, 0)
    spiced = quality_for(box, obs, 0, CHALLENGE_MEAL, kind, 1)
    for meal in range(cost.shape[0] - 1, -1, -1):
        if cost[meal] == NEVER:
            continue
        quality, there, allspices = meal // layers // types, meal // layers % types, meal % layers
        digit = there // unit % 3
        for way in range(PREPARATIONS):
            after, price = max(1, digit), cost[meal] + keeping[kind]
            if way == SPICED:
                if digit == 2 or pantry[spice] == 0:
                    continue
                after = 2
                price += keeping[spice]
            elif way == ALLSPICED:
                if allspices + 1 == layers:
                    continue
                price += keeping[ALLSPICE]
            value = min(quality + (plain if way == PLAIN else spiced), int(box.scale_quality[2]))
            better = (value * types + there + (after - digit) * unit) * layers + allspices
            better += way == ALLSPICED
            if price < cost[better]:
                cost[better] = price
                came[better] = PREPARATIONS * meal + way


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
    """The row of the scale that a meal reaches, -1 for none, and its stars (CK-64)."""
    row = -1
    while row < 2 and quality >= box.scale_quality[row + 1]:
        row += 1
    if row < 0:
        return row, 0
    stars = int(box.scale_stars[row])
    critic = hot(obs, box.at.critic, CRITICS)
    effect = box.critic_effect[critic, CHALLENGE_MEAL, MEAL]
    stars = changed_stars(effect, box.critic_numbers[critic], stars, quality, spices, bowls)
    owner = hot(obs, box.at.restaurateurs, RESTAURATEURS)
    if owner >= 0:
        effect = box.owner_kitchen_effect[owner, MEAL]
        stars = changed_stars(effect, box.owner_numbers[owner], stars, quality, spices, bowls)
    return row, stars


@rule
def best_meals(box, obs, plate, pantry, keeping, worths, meals):
    """int64 [3] and [3, MEAL_SIZE], written: for each row of the scale the meal that is worth most.

    A worth counts the stars less what is taken from the days to come; -NEVER where no meal reaches the row.
    """
    worths[:] = -NEVER
    meals[:] = 0
    kinds, units = np.zeros(BAG, np.int64), np.zeros(BAG, np.int64)
    n, types = list_tokens(box, obs, plate, pantry, kinds, units)
    layers = pantry[ALLSPICE] + 1
    cost = np.full((int(box.scale_quality[2]) + 1) * types * layers, NEVER)
    came = np.full((n, cost.shape[0]), -1)
    cost[0] = 0
    for k in range(n):
        add_token(box, obs, pantry, keeping, kinds[k], units[k], types, layers, cost, came[k])
    owner = hot(obs, box.at.restaurateurs, RESTAURATEURS)
    bonus = int(box.meal_bonus[owner]) if owner >= 0 else 0
    ends = np.zeros(3, np.int64)
    for meal in range(cost.shape[0]):
        there = meal // layers % types
        if there == 0 or cost[meal] == NEVER:  # CK-62
            continue
        missing, spices = count_digits(there, types, 0), count_digits(there, types, 2) + meal % layers
        for soup in range(pantry[SOUP] + 1):
            for bisque in range(max(0, missing - soup), pantry[BISQUE] + 1):
                quality = meal // layers // types + bonus + box.soup_value * soup + box.bisque_value * bisque
                row, stars = stars_for(box, obs, quality, spices, soup + bisque)
                worth = STAR * stars - cost[meal] - keeping[SOUP] * soup - keeping[BISQUE] * bisque
                if row >= 0 and worth > worths[row]:
                    worths[row], ends[row] = worth, meal
                    meals[row, SOUP_AT], meals[row, BISQUE_AT] = soup, bisque
                if row == 2:
                    break
    for row in range(3):
        meal = ends[row]
        for k in range(n - 1, -1, -1):
            if came[k, meal] >= 0:
                meals[row, INGREDIENTS * (came[k, meal] % PREPARATIONS) + kinds[k]] += 1
                meal = came[k, meal] // PREPARATIONS


@rule
def nothing_more(box, obs, plate, pantry, keeping, meal):
    return 0


def from_plate(later):
    """The rule for the meal of a plate, which tries each row of the scale, with the later ones by `later`."""

    @rule
    def rest_of_day(box, obs, plate, pantry, keeping, meal):
        """Write the meal for this plate; meal[0] is -1 for none. Returns the worth of all meals to come."""
        meal[0] = -1
        if plate == PLATES:
            return 0
        worths, meals = np.zeros(3, np.int64), np.zeros((3, MEAL_SIZE), np.int64)
        best_meals(box, obs, plate, pantry, keeping, worths, meals)
        next_meal = np.zeros(MEAL_SIZE, np.int64)
        best = later(box, obs, plate + 1, pantry, keeping, next_meal)
        for row in range(3):
            if worths[row] > -NEVER:
                use(pantry, meals[row], 1)
                worth = worths[row] + later(box, obs, plate + 1, pantry, keeping, next_meal)
                use(pantry, meals[row], -1)
                if worth > best:
                    best = worth
                    meal[:] = meals[row]
        return best

    return rest_of_day


rest_of_day = from_plate(from_plate(from_plate(nothing_more)))


@rule
def cook(box, obs, mask):
    """Lay what is not there yet of the meal that the best day has on this plate."""
    plate = hot(obs, box.at.plate, PLATES)
    pantry, keeping = np.zeros(PANTRY, np.int64), np.zeros(PANTRY, np.int64)
    meal, laid = np.zeros(MEAL_SIZE, np.int64), np.zeros(MEAL_SIZE, np.int64)
    look_into_pantry(box, obs, pantry, keeping)
    for before in range(plate):
        look_at_plate(box, obs, before, laid)
        use(pantry, laid, 1)
    rest_of_day(box, obs, plate, pantry, keeping, meal)
    if meal[0] < 0:
        return SKIP_ACTION
    look_at_plate(box, obs, plate, laid)
    for k in range(MEAL_SIZE):
        action = k if k < SOUP_AT else SOUP_ACTION + k - SOUP_AT
        if meal[k] > laid[k] and mask[action]:
            return action
    return SERVE_ACTION if mask[SERVE_ACTION] else SKIP_ACTION


# --- refrigeration and critic meal -----------------------------------------------------------------


@rule
def discard(box, obs, mask):
    best, best_worth = -1, NEVER
    for kind in range(STOCK):
        action = kind if kind < INGREDIENTS else SPICE_ACTION + kind - INGREDIENTS
        if mask[action] and keeping_worth(box, obs, kind) < best_worth:
            best, best_worth = action, keeping_worth(box, obs, kind)
    return best


@rule
def spice_gain(box, obs, kind):
    """What a spice adds to the final score on an ingredient."""
    gain = quality_for(box, obs, 0, CRITIC_MEAL, kind, 1) - quality_for(box, obs, 0, CRITIC_MEAL, kind, 0)
    return gain * multiplier(box, obs, type_of(kind))


@rule
def allspice_gain(box, obs, course):
    """What an allspice adds to a course at most; nothing where the spice of its type is free."""
    best = 0
    if free(box, obs, INGREDIENTS + course) == 0:
        for kind in range(VALUES * course, VALUES * (course + 1)):
            if free(box, obs, kind) > 0:
                best = max(best, spice_gain(box, obs, kind))
    return best


@rule
def allspices_left(box, obs):
    """The free allspices, with the rumour tokens that a critic takes for them."""
    count = owned_by(box, obs, 0, ALLSPICE)
    if box.rumours_as_allspice[hot(obs, box.at.critic, CRITICS)]:
        for rumour in range(RUMOURS):
            count += obs[box.at.tokens + rumour] > 0
    for kind in range(INGREDIENTS):
        count -= on_plates(box, obs, 0, ALLSPICED, kind)
    return count


@rule
def better_courses(box, obs, course, kind):
    """How many later courses gain more from an allspice than this ingredient."""
    count = 0
    for later in range(course + 1, TYPES):
        count += allspice_gain(box, obs, later) > spice_gain(box, obs, kind)
    return count


@rule
def lay_course(box, obs, mask):
    """The highest quality; an allspice only where no later courses need it more."""
    course, spare = hot(obs, box.at.course, TYPES), allspices_left(box, obs)
    best, best_quality = NEXT_ACTION, -1
    for action in range(SPICE_ACTION):
        kind = action % INGREDIENTS
        if mask[action]:
            if action >= ALLSPICED_ACTION and better_courses(box, obs, course, kind) >= spare:
                continue
            here = quality_for(box, obs, 0, CRITIC_MEAL, kind, min(action // INGREDIENTS, 1))
            if here > best_quality:
                best, best_quality = action, here
    return best


in_phase = choose(plan, shop, cook, discard, lay_course)


@rule
def expert(box, obs, mask):
    """The expert agent: the plan that brings most against many plans of rivals; the best day of meals."""
    return in_phase(hot(obs, box.at.phase, OVER), box, obs, mask)
