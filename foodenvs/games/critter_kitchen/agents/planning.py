"""The expert in planning and shopping: it plans by what rivals will leave."""

import numpy as np

from foodenvs.engine import rule
from foodenvs.games.critter_kitchen import layout as L
from foodenvs.games.critter_kitchen.agents.greedy import WHIMS, hot, round_of, taken_before, wanted, whim
from foodenvs.games.critter_kitchen.rules.effects import quality_of
from foodenvs.games.critter_kitchen.rules.shopping import location_of
from foodenvs.games.critter_kitchen.rules.supply import in_mask, printed, type_of

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
ITEMS = 40  # room for the items of one location


# --- what a token is worth to a seat ---------------------------------------------------------------


@rule
def owned_by(box, obs, row, kind):
    return int(obs[box.at.stock + L.STOCK * row + kind])


@rule
def quality_for(box, obs, row, meal, kind, spiced):
    """The quality of an ingredient that a seat serves in a challenge or critic meal."""
    critic = hot(obs, box.at.critic, box.critics)
    owner = hot(obs, box.at.restaurateurs + box.owners * row, box.owners)
    return int(quality_of(box, critic, owner, meal, kind, spiced, 0))


@rule
def best_for_critic(box, obs, row, course):
    """The highest quality that a seat can serve the critic in a course without a spice; 0 for none."""
    best = 0
    for kind in range(L.VALUES * course, L.VALUES * (course + 1)):
        if owned_by(box, obs, row, kind) > 0:
            best = max(best, quality_for(box, obs, row, L.CRITIC_MEAL, kind, 0))
    return best


@rule
def number_of_type(box, obs, row, course):
    count = 0
    for kind in range(L.VALUES * course, L.VALUES * (course + 1)):
        count += owned_by(box, obs, row, kind)
    return count


@rule
def multiplier(box, obs, course):
    """What the rumours that the observer knows make of a course in the final score (CK-77)."""
    factor = 1
    for rumour in range(L.RUMOURS):
        card = hot(obs, box.at.rumours + box.rumour_cards * rumour, box.rumour_cards)
        if card >= 0 and box.rumour_kind[card] == L.MULTIPLIER and in_mask(box.rumour_courses[card], course):
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
    for k in range(L.PLATES - 1 - (round_of(box, obs) - 1) % L.PLATES):
        none = none * max(0, silent - k) // (unseen - k)
    return 100 - none


@rule
def ingredient_worth(box, obs, row, kind):
    """For the day's challenges; in the last round for the critic."""
    course = type_of(kind)
    if round_of(box, obs) == L.ROUNDS:
        best = best_for_critic(box, obs, row, course)
        gain = quality_for(box, obs, row, L.CRITIC_MEAL, kind, 0) - best
        if gain <= 0:
            return 5
        return 10 + 7 * gain * multiplier(box, obs, course) + (LAST_NEW if best == 0 else 0)
    worth = 10 * quality_for(box, obs, row, L.CHALLENGE_MEAL, kind, 0)
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
    if kind < L.INGREDIENTS:
        return ingredient_worth(box, obs, row, kind)
    if kind == L.ALLSPICE:
        return ALLSPICE_WORTH
    if kind < L.STOCK:
        if owned_by(box, obs, row, kind) > 0:
            return 15
        return 25 + 5 * best_for_critic(box, obs, row, kind - L.INGREDIENTS)
    for rumour in range(L.RUMOURS):
        if (kind == L.WILD or kind == L.STOCK + rumour) and obs[
            box.at.tokens + L.RUMOURS * row + rumour
        ] == 0:
            as_allspice = box.rumours_as_allspice[hot(obs, box.at.critic, box.critics)]
            return ALLSPICE_WORTH if as_allspice else RUMOUR_WORTH
    return -1


@rule
def sous_worth(box, obs):
    return SOUS_WORTH[box.sous_capacity[hot(obs, box.at.academy_sous, box.sous_chefs)]]


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
    for kind in range(L.KINDS):
        for _ in range(int(obs[box.at.items + L.KINDS * place + kind])):
            if n < ITEMS:
                for row in range(box.players):
                    worths[row, n] = token_worth(box, obs, row, kind)
                n += 1
    if place == L.TRUCK:
        if obs[box.at.bisques]:
            n = add_item(worths, n, BISQUE_WORTH, BISQUE_WORTH)
        for _ in range(L.LOAD * box.players):
            n = add_item(worths, n, SOUP_WORTH, SOUP_WORTH)
    elif place == box.merchant:
        for k in range(box.spaces[place]):
            worth = MERCHANT_WORTH[min(k, len(MERCHANT_WORTH) - 1)]
            n = add_item(worths, n, worth, worth)
    elif place == box.academy:
        for _ in range(3 if box.players == 2 else 2):
            n = add_item(worths, n, LEFTOVER_WORTH, LEFTOVER_WORTH)
        if hot(obs, box.at.academy_sous, box.sous_chefs) >= 0:
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
    if chef < L.SOUS:
        return int(box.capacity[chef])
    if obs[box.at.sous + box.sous_chefs + row]:
        return int(box.sous_capacity[hot(obs, box.at.sous, box.sous_chefs)])
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

    draw: int64 [SEATS, LOAD + 1, LOCATIONS], the attraction of each place for a seat's chef by capacity.
    """
    there[:] = 0
    for row in range(1, box.players):
        for chef in range(len(L.CHEFS)):
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
    worths = np.zeros((L.LOCATIONS, L.SEATS, ITEMS), np.int64)
    number = np.zeros(L.LOCATIONS, np.int64)
    draw = np.zeros((L.SEATS, L.LOAD + 1, L.LOCATIONS), np.int64)
    by_track = np.zeros(L.SEATS, np.int64)
    for row in range(box.players):
        by_track[int(obs[box.at.priority + row]) - 1] = row
    for place in range(box.places):
        number[place] = list_items(box, obs, place, worths[place])
        for row in range(1, box.players):
            for carries in range(1, L.LOAD + 1):
                draw[row, carries, place] = attraction(box, place, carries, number[place], worths[place, row])
    there = np.zeros((L.LOCATIONS, L.SEATS), np.int64)
    for shift in range(WHIMS):
        send_rivals(box, obs, shift, draw, there)
        for place in range(box.places):
            for chef in range(len(L.CHEFS)):
                there[place, 0] = capacity_of(box, obs, 0, chef)
                values[chef, place] += haul(box, there[place], number[place], worths[place], by_track)


@rule
def plan(box, obs, mask):
    """The place of the next chef in the plan that brings home most in all."""
    values = np.zeros((len(L.CHEFS), L.LOCATIONS), np.int64)
    expect_hauls(box, obs, values)
    chef = hot(obs, box.at.chef, len(L.CHEFS))
    used = 0
    for placed in range(chef):
        used |= 1 << hot(obs, box.at.chefs + box.places * placed, box.places)
    best = np.zeros(1 << box.places, np.int64)  # for each set of used places: what the later chefs can bring
    for later in range(L.SOUS, chef - 1, -1):
        if capacity_of(box, obs, 0, later) > 0:
            for taken in range(1 << box.places):  # larger sets still hold what the chefs after this one bring
                most, choice = -1, -1
                for place in range(box.places):
                    if taken >> place & 1 == 0 and values[later, place] + best[taken | 1 << place] > most:
                        most, choice = values[later, place] + best[taken | 1 << place], place
                if later == chef and taken == used:
                    return L.PLACE_ACTION + L.LOCATIONS * chef + location_of(box, choice)
                best[taken] = most
    return -1


# --- shopping --------------------------------------------------------------------------------------


@rule
def item_worth(box, obs, action):
    if action < L.INGREDIENTS:
        return token_worth(box, obs, 0, action)
    if action == L.SOUP_ACTION or action == L.HOME_ACTION:
        return SOUP_WORTH
    if action == L.BISQUE_ACTION:
        return BISQUE_WORTH
    if action == L.SOUS_ACTION:
        return sous_worth(box, obs)
    if action >= L.WILD_ACTION:
        return token_worth(box, obs, 0, L.WILD)
    if action >= L.RUMOUR_ACTION:
        return token_worth(box, obs, 0, L.STOCK + action - L.RUMOUR_ACTION)
    return token_worth(box, obs, 0, L.INGREDIENTS + action - L.SPICE_ACTION)


@rule
def shop(box, obs, mask):
    best, best_worth = -1, -1
    for action in range(L.HOME_ACTION + 1):
        if mask[action] and item_worth(box, obs, action) > best_worth:
            best, best_worth = action, item_worth(box, obs, action)
    return best
