"""The greedy agent: the best of the moment. It sees an observation and a mask, never a state."""

import numpy as np

from foodenvs.engine import choose, rule
from foodenvs.games.critter_kitchen import layout as L
from foodenvs.games.critter_kitchen.rules.effects import quality_of
from foodenvs.games.critter_kitchen.rules.shopping import location_of
from foodenvs.games.critter_kitchen.rules.supply import printed, type_of

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
    return hot(obs, box.at.round, L.ROUNDS) + 1


@rule
def owned(box, obs, kind):
    return int(obs[box.at.stock + kind])


@rule
def owned_of_type(box, obs, course):
    count = 0
    for kind in range(L.VALUES * course, L.VALUES * (course + 1)):
        count += owned(box, obs, kind)
    return count


@rule
def best_owned(box, obs, course):
    """The highest printed value owned of a type; 0 for none."""
    best = 0
    for kind in range(L.VALUES * course, L.VALUES * (course + 1)):
        if owned(box, obs, kind) > 0:
            best = printed(kind)
    return best


@rule
def wanted(box, obs, course):
    """How many of the day's opened cards ask for a type."""
    count = 0
    for plate in range(L.PLATES):
        count += int(obs[box.at.needs + L.TYPES * plate + course])
    return count


# --- shopping and planning: what an item is worth ------------------------------------------------


@rule
def ingredient_worth(box, obs, kind):
    course, value = type_of(kind), printed(kind)
    need = wanted(box, obs, course)
    now = round_of(box, obs)
    if now == L.ROUNDS or (now > 4 and need == 0):
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
    if kind < L.INGREDIENTS:
        return ingredient_worth(box, obs, kind)
    if kind >= L.STOCK:
        return rumour_worth(box, obs)
    if kind == L.ALLSPICE:
        return ALLSPICE_WORTH
    if owned(box, obs, kind) > 0:
        return 15
    return 25 + 5 * best_owned(box, obs, kind - L.INGREDIENTS)


@rule
def may_hold(box, obs, kind):
    """Whether the observer could take a token: no rumour that it holds."""
    if kind < L.STOCK:
        return True
    missing = 0
    for rumour in range(L.RUMOURS):
        if obs[box.at.tokens + rumour] == 0:
            missing += 1
            if kind == L.STOCK + rumour:
                return True
    return kind == L.WILD and missing > 0


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
    for kind in range(L.KINDS):
        for _ in range(int(obs[box.at.items + L.KINDS * place + kind])):
            if may_hold(box, obs, kind):
                n = add(worths, n, worth(box, obs, kind))
    if place == L.TRUCK:
        for _ in range(L.LOAD):
            n = add(worths, n, SOUP_WORTH)
        if obs[box.at.bisques]:
            n = add(worths, n, BISQUE_WORTH)
    elif place == box.merchant:
        for k in range(len(MERCHANT_WORTH)):
            n = add(worths, n, MERCHANT_WORTH[k])
    elif place == box.academy:
        for _ in range(3 if box.players == 2 else 2):
            n = add(worths, n, LEFTOVER_WORTH)
        if hot(obs, box.at.academy_sous, box.sous_chefs) >= 0:
            n = add(worths, n, SOUS_WORTH)
    return n


@rule
def taken_before(box, place, carries):
    """How many of the best items others will have taken before a chef of this capacity."""
    gone = carries - 1
    if box.players == 2:
        gone = 1 if carries == L.LOAD else 0
    elif box.players == 3:
        gone = 1 if carries > 1 else 0
    return min(gone, 1) if place == L.TRUCK else gone


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
    chef = hot(obs, box.at.chef, len(L.CHEFS))
    if chef == L.SOUS:
        carries = int(box.sous_capacity[hot(obs, box.at.sous, box.sous_chefs)])
    else:
        carries = int(box.capacity[chef])
    worths = np.zeros(ITEMS, np.int64)
    best, best_worth = -1, -1000
    for place in range(box.places):
        action = L.PLACE_ACTION + L.LOCATIONS * chef + location_of(box, place)
        if mask[action]:
            here = place_worth(box, obs, place, carries, worths)
            if here > best_worth:
                best, best_worth = action, here
    return best


@rule
def item_worth(box, obs, action):
    if action < L.INGREDIENTS:
        return worth(box, obs, action)
    if action == L.SOUP_ACTION:
        return SOUP_WORTH
    if action == L.BISQUE_ACTION:
        return BISQUE_WORTH
    if action == L.SOUS_ACTION:
        return SOUS_WORTH
    if action >= L.WILD_ACTION:
        return worth(box, obs, L.WILD)
    if action >= L.RUMOUR_ACTION:
        return worth(box, obs, L.STOCK + action - L.RUMOUR_ACTION)
    return worth(box, obs, L.INGREDIENTS + action - L.SPICE_ACTION)


@rule
def shop(box, obs, mask):
    best, best_worth = L.HOME_ACTION, -1000
    for action in range(L.HOME_ACTION):
        if mask[action] and item_worth(box, obs, action) > best_worth:
            best, best_worth = action, item_worth(box, obs, action)
    return L.HOME_ACTION if best_worth < HOME_WORTH and mask[L.HOME_ACTION] else best


# --- challenges ----------------------------------------------------------------------------------


@rule
def on_plates(box, obs, plate, way, kind):
    return int(obs[box.at.plates + L.INGREDIENTS * (L.PREPARATIONS * plate + way) + kind])


@rule
def in_meal(box, obs, plate, course):
    """How many ingredients of a type lie on the observer's plate."""
    count = 0
    for way in range(L.PREPARATIONS):
        for kind in range(L.VALUES * course, L.VALUES * (course + 1)):
            count += on_plates(box, obs, plate, way, kind)
    return count


@rule
def free(box, obs, kind):
    """How many of an ingredient the observer has on no plate."""
    count = owned(box, obs, kind)
    for plate in range(L.PLATES):
        for way in range(L.PREPARATIONS):
            count -= on_plates(box, obs, plate, way, kind)
    return count


@rule
def quality(box, obs, meal, kind, spiced, lone):
    critic = hot(obs, box.at.critic, box.critics)
    owner = hot(obs, box.at.restaurateurs, box.owners)
    return quality_of(box, critic, owner, meal, kind, spiced, lone)


@rule
def asked(box, obs, plate, course):
    return obs[box.at.needs + L.TYPES * plate + course] == 1


@rule
def soups(box, obs, plate, k):
    """Soups (k = 0) or bisques (k = 1) on a plate."""
    return int(obs[box.at.plate_soup + 2 * plate + k])


@rule
def free_soup_value(box, obs):
    soup, bisque = int(obs[box.at.soup]), int(obs[box.at.bisque])
    for plate in range(L.PLATES):
        soup -= soups(box, obs, plate, 0)
        bisque -= soups(box, obs, plate, 1)
    return box.soup_value * soup + box.bisque_value * bisque


@rule
def laid_quality(box, obs, plate):
    """The quality of what lies on a challenge plate."""
    with_soup = soups(box, obs, plate, 0) + soups(box, obs, plate, 1) > 0
    total = box.soup_value * soups(box, obs, plate, 0) + box.bisque_value * soups(box, obs, plate, 1)
    for course in range(L.TYPES):
        if asked(box, obs, plate, course):
            lone = 1 if with_soup and in_meal(box, obs, plate, course) == 1 else 0
            for kind in range(L.VALUES * course, L.VALUES * (course + 1)):
                for way in range(L.PREPARATIONS):
                    count = on_plates(box, obs, plate, way, kind)
                    if count > 0:
                        total += count * quality(box, obs, L.CHALLENGE_MEAL, kind, min(way, 1), lone)
    owner = hot(obs, box.at.restaurateurs, box.owners)
    return total + box.meal_bonus[owner] if owner >= 0 else total


@rule
def kept_for_the_critic(box, obs, kind):
    """In round 6 the best ingredients are kept for the next day's meal."""
    return round_of(box, obs) == L.CHALLENGE_ROUNDS[1] and printed(kind) > 4


@rule
def addable_quality(box, obs, plate):
    """What free soup, bisque and plain ingredients of asked types could still add."""
    total = free_soup_value(box, obs)
    for course in range(L.TYPES):
        if asked(box, obs, plate, course):
            for kind in range(L.VALUES * course, L.VALUES * (course + 1)):
                count = free(box, obs, kind)
                if count > 0 and not kept_for_the_critic(box, obs, kind):
                    total += count * quality(box, obs, L.CHALLENGE_MEAL, kind, 0, 0)
    return total


@rule
def first_of_type(box, obs, mask, course):
    """The best way to begin with a type: high quality, spices and top ingredients held dear; -1 for none."""
    best, best_worth = -1, -1000
    for way in range(L.PREPARATIONS):
        for kind in range(L.VALUES * course, L.VALUES * (course + 1)):
            action = L.INGREDIENTS * way + kind
            if mask[action]:
                here = quality(box, obs, L.CHALLENGE_MEAL, kind, min(way, 1), 0)
                here -= 3 if way == L.SPICED else 6 if way == L.ALLSPICED else 0
                if printed(kind) > 5 and round_of(box, obs) == L.CHALLENGE_ROUNDS[1]:
                    here -= 6
                if here > best_worth:
                    best, best_worth = action, here
    return best


@rule
def nearest(box, obs, mask, missing):
    """The plain or spiced ingredient that adds most without waste, else wastes least; -1 for none."""
    best, best_rank = -1, -1000
    for action in range(L.INGREDIENTS * L.ALLSPICED):
        kind = action % L.INGREDIENTS
        if mask[action] and not kept_for_the_critic(box, obs, kind):
            here = quality(box, obs, L.CHALLENGE_MEAL, kind, min(action // L.INGREDIENTS, 1), 0)
            rank = here if here <= missing else missing - here
            if rank > best_rank:
                best, best_rank = action, rank
    return best


@rule
def cover(box, obs, mask, plate):
    """One ingredient of each asked type, then bisque or soup for the others; -1 when all are there."""
    missing = 0
    for course in range(L.TYPES):
        if asked(box, obs, plate, course) and in_meal(box, obs, plate, course) == 0:
            action = first_of_type(box, obs, mask, course)
            if action >= 0:
                return action
            missing += 1
    if missing > soups(box, obs, plate, 0) + soups(box, obs, plate, 1):
        if mask[L.BISQUE_ACTION]:
            return L.BISQUE_ACTION
        return L.SOUP_ACTION if mask[L.SOUP_ACTION] else L.SKIP_ACTION
    return -1


@rule
def goal(box, possible):
    """The highest step of the scale within reach."""
    for row in range(L.STEPS - 1, 0, -1):
        if possible >= box.scale_quality[row]:
            return int(box.scale_quality[row])
    return int(box.scale_quality[0])


@rule
def cook(box, obs, mask):
    plate = hot(obs, box.at.plate, L.PLATES)
    action = cover(box, obs, mask, plate)
    if action >= 0:
        return action
    laid = laid_quality(box, obs, plate)
    missing = goal(box, laid + addable_quality(box, obs, plate)) - laid
    if missing > 0:
        action = nearest(box, obs, mask, missing)
        if action >= 0:
            return action
        if mask[L.BISQUE_ACTION] and (missing >= box.bisque_value or not mask[L.SOUP_ACTION]):
            return L.BISQUE_ACTION
        if mask[L.SOUP_ACTION]:
            return L.SOUP_ACTION
    pays = laid >= box.scale_quality[0]
    return L.SERVE_ACTION if mask[L.SERVE_ACTION] and pays else L.SKIP_ACTION


# --- refrigeration and critic meal ---------------------------------------------------------------


@rule
def keeping_worth(box, obs, kind):
    if kind == L.ALLSPICE:
        return 95
    if kind >= L.INGREDIENTS:
        return 5 if owned(box, obs, kind) > 1 else 10 * best_owned(box, obs, kind - L.INGREDIENTS) - 5
    value = printed(kind)
    if value == best_owned(box, obs, type_of(kind)) and owned(box, obs, kind) == 1:
        return 10 * value + 15
    return 10 * value - 25


@rule
def discard(box, obs, mask):
    best, best_worth = -1, 1000
    for kind in range(L.STOCK):
        action = kind if kind < L.INGREDIENTS else L.SPICE_ACTION + kind - L.INGREDIENTS
        if mask[action] and keeping_worth(box, obs, kind) < best_worth:
            best, best_worth = action, keeping_worth(box, obs, kind)
    return best


@rule
def best_to_come(box, obs, course):
    """The highest printed value among the free ingredients of this and the later courses."""
    best = 0
    for kind in range(L.VALUES * course, L.INGREDIENTS):
        count = free(box, obs, kind)
        for other in range(L.TYPES):
            if type_of(kind) == L.TYPES - 1 and obs[box.at.pairs + other] == printed(kind):
                count -= 1
        if count > 0:
            best = max(best, printed(kind))
    return best


@rule
def lay_course(box, obs, mask):
    course = hot(obs, box.at.course, L.TYPES)
    best, best_quality = L.NEXT_ACTION, -1
    for action in range(L.SPICE_ACTION):
        kind = action % L.INGREDIENTS
        if mask[action]:
            if action >= L.ALLSPICED * L.INGREDIENTS and printed(kind) < best_to_come(box, obs, course):
                continue
            here = quality(box, obs, L.CRITIC_MEAL, kind, min(action // L.INGREDIENTS, 1), 0)
            if here > best_quality:
                best, best_quality = action, here
    return best


in_phase = choose(plan, shop, cook, discard, lay_course)


@rule
def greedy(box, obs, mask):
    """The greedy agent: the best item, the location with the best items, the best meal of the moment."""
    return in_phase(hot(obs, box.at.phase, L.OVER), box, obs, mask)
