"""The greedy agent: the best of the moment. It sees an observation and a mask, never a state."""

import numpy as np

from foodenvs.engine import choose, rule
from foodenvs.games.critter_kitchen.effects import quality_of
from foodenvs.games.critter_kitchen.layout import (
    ALLSPICE,
    ALLSPICED,
    BISQUE_ACTION,
    CHALLENGE_MEAL,
    CHEFS,
    CRITIC_MEAL,
    CRITICS,
    HOME_ACTION,
    INGREDIENTS,
    KINDS,
    NEXT_ACTION,
    OVER,
    PLACE_ACTION,
    PLATES,
    PREPARATIONS,
    RESTAURATEURS,
    ROUNDS,
    RUMOUR_ACTION,
    RUMOURS,
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
from foodenvs.games.critter_kitchen.shopping import location_of
from foodenvs.games.critter_kitchen.supply import printed, type_of

# Worth in tenths of a point.
SOUP_WORTH, BISQUE_WORTH, SOUS_WORTH, ALLSPICE_WORTH = 12, 32, 55, 55
MERCHANT_WORTH = (46, 40, 36, 30)
LEFTOVER_WORTH = 20  # of what others leave for the academy
HOME_WORTH = 8
WHIMS = 11
ITEMS = 32  # room for the worths of one location


@rule
def hot(obs, at, size):
    """The index of the 1 of a one-hot field; -1 for none."""
    for k in range(size):
        if obs[at + k]:
            return k
    return -1


@rule
def round_of(box, obs):
    return hot(obs, box.at.round, ROUNDS) + 1


@rule
def owned(box, obs, kind):
    return int(obs[box.at.stock + kind])


@rule
def owned_of_type(box, obs, course):
    count = 0
    for kind in range(VALUES * course, VALUES * (course + 1)):
        count += owned(box, obs, kind)
    return count


@rule
def best_owned(box, obs, course):
    """The highest printed value owned of a type; 0 for none."""
    best = 0
    for kind in range(VALUES * course, VALUES * (course + 1)):
        if owned(box, obs, kind) > 0:
            best = printed(kind)
    return best


@rule
def wanted(box, obs, course):
    """How many of the day's opened cards ask for a type."""
    count = 0
    for plate in range(PLATES):
        count += int(obs[box.at.needs + TYPES * plate + course])
    return count


# --- shopping and planning: what an item is worth ------------------------------------------------


@rule
def ingredient_worth(box, obs, kind):
    course, value = type_of(kind), printed(kind)
    need = wanted(box, obs, course)
    now = round_of(box, obs)
    if now == ROUNDS or (now > 4 and need == 0):
        best = best_owned(box, obs, course)
        return 10 * max(0, value - best) + 5 if best > 0 else 10 * value + 15
    have = owned_of_type(box, obs, course)
    if have < need:
        return 10 * value + 25
    if need > 0:
        return 10 * value + 5
    return 10 * value - 15 if have > 0 else 10 * value


@rule
def rumour_worth(box, obs):
    return 30 if round_of(box, obs) < 5 else 22


@rule
def worth(box, obs, kind):
    """What a token is worth to the observer, who can take it."""
    if kind < INGREDIENTS:
        return ingredient_worth(box, obs, kind)
    if kind >= STOCK:
        return rumour_worth(box, obs)
    if kind == ALLSPICE:
        return ALLSPICE_WORTH
    if owned(box, obs, kind) > 0:
        return 15
    return 25 + 5 * best_owned(box, obs, kind - INGREDIENTS)


@rule
def may_hold(box, obs, kind):
    """Whether the observer could take a token: no rumour that it holds."""
    if kind < STOCK:
        return True
    missing = 0
    for rumour in range(RUMOURS):
        if obs[box.at.tokens + rumour] == 0:
            missing += 1
            if kind == STOCK + rumour:
                return True
    return kind == WILD and missing > 0


@rule
def add(worths, n, amount):
    """Insert a worth into the first n of a falling list, if there is room. Returns the new length."""
    if n == ITEMS:
        return n
    place = n
    while place > 0 and worths[place - 1] < amount:
        worths[place] = worths[place - 1]
        place -= 1
    worths[place] = amount
    return n + 1


@rule
def list_worths(box, obs, place, worths):
    """The worths of all items expected at a location, falling. Returns their number."""
    n = 0
    for kind in range(KINDS):
        for _ in range(int(obs[box.at.items + KINDS * place + kind])):
            if may_hold(box, obs, kind):
                n = add(worths, n, worth(box, obs, kind))
    if place == TRUCK:
        for _ in range(3):
            n = add(worths, n, SOUP_WORTH)
        if obs[box.at.bisques]:
            n = add(worths, n, BISQUE_WORTH)
    elif place == box.merchant:
        for k in range(4):
            n = add(worths, n, MERCHANT_WORTH[k])
    elif place == box.academy:
        for _ in range(3 if box.players == 2 else 2):
            n = add(worths, n, LEFTOVER_WORTH)
        if hot(obs, box.at.academy_sous, SOUS_CHEFS) >= 0:
            n = add(worths, n, SOUS_WORTH)
    return n


@rule
def taken_before(box, place, carries):
    """How many of the best items others will have taken before a chef of this capacity."""
    gone = carries - 1
    if box.players == 2:
        gone = 1 if carries == 3 else 0
    elif box.players == 3:
        gone = 1 if carries > 1 else 0
    return min(gone, 1) if place == TRUCK else gone


@rule
def whim(box, obs, row, place, shift):
    """What a seat likes a place for beyond its items, so that not all go the same way; one for each shift."""
    track = int(obs[box.at.priority + row]) - 1
    return 3 * ((7 * track + 5 * place + 3 * round_of(box, obs) + shift) % WHIMS)


@rule
def place_worth(box, obs, place, carries, worths):
    """The worth of a location for a chef."""
    n = list_worths(box, obs, place, worths)
    first = taken_before(box, place, carries)
    total = 0
    for k in range(first, min(n, first + carries)):
        total += worths[k]
    return 2 * total + whim(box, obs, 0, place, 0)


@rule
def plan(box, obs, mask):
    chef = hot(obs, box.at.chef, len(CHEFS))
    if chef == SOUS:
        carries = int(box.sous_capacity[hot(obs, box.at.sous, SOUS_CHEFS)])
    else:
        carries = int(box.capacity[chef])
    worths = np.zeros(ITEMS, np.int64)
    best, best_worth = -1, -1000
    for place in range(box.places):
        action = PLACE_ACTION + 8 * chef + location_of(box, place)
        if mask[action]:
            here = place_worth(box, obs, place, carries, worths)
            if here > best_worth:
                best, best_worth = action, here
    return best


@rule
def item_worth(box, obs, action):
    if action < INGREDIENTS:
        return worth(box, obs, action)
    if action == SOUP_ACTION:
        return SOUP_WORTH
    if action == BISQUE_ACTION:
        return BISQUE_WORTH
    if action == SOUS_ACTION:
        return SOUS_WORTH
    if action >= WILD_ACTION:
        return worth(box, obs, WILD)
    if action >= RUMOUR_ACTION:
        return worth(box, obs, STOCK + action - RUMOUR_ACTION)
    return worth(box, obs, INGREDIENTS + action - SPICE_ACTION)


@rule
def shop(box, obs, mask):
    best, best_worth = HOME_ACTION, -1000
    for action in range(HOME_ACTION):
        if mask[action] and item_worth(box, obs, action) > best_worth:
            best, best_worth = action, item_worth(box, obs, action)
    return HOME_ACTION if best_worth < HOME_WORTH and mask[HOME_ACTION] else best


# --- challenges ----------------------------------------------------------------------------------


@rule
def on_plates(box, obs, plate, way, kind):
    return int(obs[box.at.plates + INGREDIENTS * (3 * plate + way) + kind])


@rule
def in_meal(box, obs, plate, course):
    """How many ingredients of a type lie on the observer's plate."""
    count = 0
    for way in range(PREPARATIONS):
        for kind in range(VALUES * course, VALUES * (course + 1)):
            count += on_plates(box, obs, plate, way, kind)
    return count


@rule
def free(box, obs, kind):
    """How many of an ingredient the observer has on no plate."""
    count = owned(box, obs, kind)
    for plate in range(PLATES):
        for way in range(PREPARATIONS):
            count -= on_plates(box, obs, plate, way, kind)
    return count


@rule
def quality(box, obs, meal, kind, spiced, lone):
    critic = hot(obs, box.at.critic, CRITICS)
    owner = hot(obs, box.at.restaurateurs, RESTAURATEURS)
    return quality_of(box, critic, owner, meal, kind, spiced, lone)


@rule
def asked(box, obs, plate, course):
    return obs[box.at.needs + TYPES * plate + course] == 1


@rule
def soups(box, obs, plate, k):
    """Soups (k = 0) or bisques (k = 1) on a plate."""
    return int(obs[box.at.plate_soup + 2 * plate + k])


@rule
def free_soup_value(box, obs):
    soup, bisque = int(obs[box.at.soup]), int(obs[box.at.bisque])
    for plate in range(PLATES):
        soup -= soups(box, obs, plate, 0)
        bisque -= soups(box, obs, plate, 1)
    return box.soup_value * soup + box.bisque_value * bisque


@rule
def laid_quality(box, obs, plate):
    """The quality of what lies on a challenge plate."""
    with_soup = soups(box, obs, plate, 0) + soups(box, obs, plate, 1) > 0
    total = box.soup_value * soups(box, obs, plate, 0) + box.bisque_value * soups(box, obs, plate, 1)
    for course in range(TYPES):
        if asked(box, obs, plate, course):
            lone = 1 if with_soup and in_meal(box, obs, plate, course) == 1 else 0
            for kind in range(VALUES * course, VALUES * (course + 1)):
                for way in range(PREPARATIONS):
                    count = on_plates(box, obs, plate, way, kind)
                    if count > 0:
                        total += count * quality(box, obs, CHALLENGE_MEAL, kind, min(way, 1), lone)
    owner = hot(obs, box.at.restaurateurs, RESTAURATEURS)
    return total + box.meal_bonus[owner] if owner >= 0 else total


@rule
def kept_for_the_critic(box, obs, kind):
    """In round 6 the best ingredients are kept for the next day's meal."""
    return round_of(box, obs) == 6 and printed(kind) > 4


@rule
def addable_quality(box, obs, plate):
    """What free soup, bisque and plain ingredients of asked types could still add."""
    total = free_soup_value(box, obs)
    for course in range(TYPES):
        if asked(box, obs, plate, course):
            for kind in range(VALUES * course, VALUES * (course + 1)):
                count = free(box, obs, kind)
                if count > 0 and not kept_for_the_critic(box, obs, kind):
                    total += count * quality(box, obs, CHALLENGE_MEAL, kind, 0, 0)
    return total


@rule
def first_of_type(box, obs, mask, course):
    """The best way to begin with a type: high quality, spices and top ingredients held dear; -1 for none."""
    best, best_worth = -1, -1000
    for way in range(PREPARATIONS):
        for kind in range(VALUES * course, VALUES * (course + 1)):
            action = INGREDIENTS * way + kind
            if mask[action]:
                here = quality(box, obs, CHALLENGE_MEAL, kind, min(way, 1), 0)
                here -= 3 if way == SPICED else 6 if way == ALLSPICED else 0
                if printed(kind) > 5 and round_of(box, obs) == 6:
                    here -= 6
                if here > best_worth:
                    best, best_worth = action, here
    return best


@rule
def nearest(box, obs, mask, missing):
    """The plain or spiced ingredient that adds most without waste, else wastes least; -1 for none."""
    best, best_rank = -1, -1000
    for action in range(INGREDIENTS * ALLSPICED):
        kind = action % INGREDIENTS
        if mask[action] and not kept_for_the_critic(box, obs, kind):
            here = quality(box, obs, CHALLENGE_MEAL, kind, min(action // INGREDIENTS, 1), 0)
            rank = here if here <= missing else missing - here
            if rank > best_rank:
                best, best_rank = action, rank
    return best


@rule
def cover(box, obs, mask, plate):
    """One ingredient of each asked type, then bisque or soup for the others; -1 when all are there."""
    missing = 0
    for course in range(TYPES):
        if asked(box, obs, plate, course) and in_meal(box, obs, plate, course) == 0:
            action = first_of_type(box, obs, mask, course)
            if action >= 0:
                return action
            missing += 1
    if missing > soups(box, obs, plate, 0) + soups(box, obs, plate, 1):
        if mask[BISQUE_ACTION]:
            return BISQUE_ACTION
        return SOUP_ACTION if mask[SOUP_ACTION] else SKIP_ACTION
    return -1


@rule
def goal(box, possible):
    """The highest step of the scale within reach."""
    for row in range(2, 0, -1):
        if possible >= box.scale_quality[row]:
            return int(box.scale_quality[row])
    return int(box.scale_quality[0])


@rule
def cook(box, obs, mask):
    plate = hot(obs, box.at.plate, PLATES)
    action = cover(box, obs, mask, plate)
    if action >= 0:
        return action
    laid = laid_quality(box, obs, plate)
    missing = goal(box, laid + addable_quality(box, obs, plate)) - laid
    if missing > 0:
        action = nearest(box, obs, mask, missing)
        if action >= 0:
            return action
        if mask[BISQUE_ACTION] and (missing >= box.bisque_value or not mask[SOUP_ACTION]):
            return BISQUE_ACTION
        if mask[SOUP_ACTION]:
            return SOUP_ACTION
    return SERVE_ACTION if mask[SERVE_ACTION] else SKIP_ACTION


# --- refrigeration and critic meal ---------------------------------------------------------------


@rule
def keeping_worth(box, obs, kind):
    if kind == ALLSPICE:
        return 95
    if kind >= INGREDIENTS:
        return 5 if owned(box, obs, kind) > 1 else 10 * best_owned(box, obs, kind - INGREDIENTS) - 5
    value = printed(kind)
    if value == best_owned(box, obs, type_of(kind)) and owned(box, obs, kind) == 1:
        return 10 * value + 15
    return 10 * value - 25


@rule
def discard(box, obs, mask):
    best, best_worth = -1, 1000
    for kind in range(STOCK):
        action = kind if kind < INGREDIENTS else SPICE_ACTION + kind - INGREDIENTS
        if mask[action] and keeping_worth(box, obs, kind) < best_worth:
            best, best_worth = action, keeping_worth(box, obs, kind)
    return best


@rule
def best_to_come(box, obs, course):
    """The highest printed value among the free ingredients of this and the later courses."""
    best = 0
    for kind in range(VALUES * course, INGREDIENTS):
        count = free(box, obs, kind)
        for other in range(TYPES):
            if type_of(kind) == TYPES - 1 and obs[box.at.pairs + other] == printed(kind):
                count -= 1
        if count > 0:
            best = max(best, printed(kind))
    return best


@rule
def lay_course(box, obs, mask):
    course = hot(obs, box.at.course, TYPES)
    best, best_quality = NEXT_ACTION, -1
    for action in range(SPICE_ACTION):
        kind = action % INGREDIENTS
        if mask[action]:
            if action >= ALLSPICED * INGREDIENTS and printed(kind) < best_to_come(box, obs, course):
                continue
            here = quality(box, obs, CRITIC_MEAL, kind, min(action // INGREDIENTS, 1), 0)
            if here > best_quality:
                best, best_quality = action, here
    return best


in_phase = choose(plan, shop, cook, discard, lay_course)


@rule
def greedy(box, obs, mask):
    """The greedy agent: the best item, the location with the best items, the best meal of the moment."""
    return in_phase(hot(obs, box.at.phase, OVER), box, obs, mask)
