"""Challenge meals, refrigeration and laying the critic meal (CK-60 to CK-71)."""

from foodenvs.engine import rule, shuffle
from foodenvs.games.critter_kitchen import layout as L
from foodenvs.games.critter_kitchen.rules.effects import changed_stars, quality_of
from foodenvs.games.critter_kitchen.rules.supply import (
    in_course,
    in_mask,
    on_plate,
    printed,
    return_to_bag,
    spiced_on_plate,
    stock_size,
    type_of,
)

# --- plates: laid in secret, their tokens stay in the owner's stock until all are shown ----------


@rule
def spice_of(way, kind):
    """The spice that goes with an ingredient, spiced or allspiced (CK-63)."""
    return L.ALLSPICE if way == L.ALLSPICED else L.INGREDIENTS + type_of(kind)


@rule
def lay(s, seat, plate, way, kind):
    """Put an ingredient on a plate: plain, spiced or allspiced."""
    s.plates[seat, plate, way, kind] += 1
    s.free[seat, kind] -= 1
    if way != L.PLAIN:
        s.free[seat, spice_of(way, kind)] -= 1


@rule
def take_back(s, seat, plate):
    """Clear a plate: what lies on it is free again."""
    for way in range(L.PREPARATIONS):
        for kind in range(L.INGREDIENTS):
            count = s.plates[seat, plate, way, kind]
            s.free[seat, kind] += count
            if way != L.PLAIN:
                s.free[seat, spice_of(way, kind)] += count
            s.plates[seat, plate, way, kind] = 0
    s.plate_soup[seat, plate] = 0


@rule
def pair(s, seat, course, kind):
    """Pair an ingredient with a course (CK-91)."""
    s.pairs[seat, course] = printed(kind)
    s.free[seat, kind] -= 1


@rule
def legal_ingredients(s, seat, course, mask):
    """The free ingredients of a type, plain, with a free spice of the type or a free allspice (CK-63)."""
    spice, allspice = s.free[seat, L.INGREDIENTS + course] > 0, s.free[seat, L.ALLSPICE] > 0
    for kind in range(L.VALUES * course, L.VALUES * (course + 1)):
        if s.free[seat, kind] > 0:
            mask[kind] = 1
            mask[L.SPICED_ACTION + kind] = spice
            mask[L.ALLSPICED_ACTION + kind] = allspice


@rule
def any_free(s, seat, course):
    for kind in range(L.VALUES * course, L.VALUES * (course + 1)):
        if s.free[seat, kind] > 0:
            return True
    return False


# --- challenges --------------------------------------------------------------------------------


@rule
def asks_for(box, s, plate, course):
    """Whether the card of a plate asks for a type; the one under the hold token does not count (CK-13)."""
    card = s.challenges[plate]
    if card < 0 or not in_mask(box.challenge_types[card], course):
        return False
    return not (plate == L.PLATES - 1 and course == box.challenge_held[card])


@rule
def holds_ingredient(s, seat, plate):
    for kind in range(L.INGREDIENTS):
        if on_plate(s, seat, plate, kind) > 0:
            return True
    return False


@rule
def amount_on_plate(s, seat, plate, course):
    count = 0
    for kind in range(L.VALUES * course, L.VALUES * (course + 1)):
        count += on_plate(s, seat, plate, kind)
    return count


@rule
def soups_on_plate(s, seat, plate):
    return s.plate_soup[seat, plate, 0] + s.plate_soup[seat, plate, 1]


@rule
def is_covered(box, s, seat, plate):
    """Whether a soup or bisque stands in for each asked type that is missing (CK-62)."""
    missing = 0
    for course in range(L.TYPES):
        if asks_for(box, s, plate, course) and amount_on_plate(s, seat, plate, course) == 0:
            missing += 1
    return missing <= soups_on_plate(s, seat, plate)


@rule
def plate_quality(box, s, seat, plate):
    """The quality of a challenge meal (CK-64)."""
    quality = box.soup_value * s.plate_soup[seat, plate, 0] + box.bisque_value * s.plate_soup[seat, plate, 1]
    soups = soups_on_plate(s, seat, plate)
    critic, owner = s.critic, s.restaurateur[seat]
    for course in range(L.TYPES):
        if not asks_for(box, s, plate, course):
            continue
        lone = 1 if soups > 0 and amount_on_plate(s, seat, plate, course) == 1 else 0
        for kind in range(L.VALUES * course, L.VALUES * (course + 1)):
            plain = s.plates[seat, plate, L.PLAIN, kind]
            spiced = spiced_on_plate(s, seat, plate, kind)
            if plain > 0:
                quality += plain * quality_of(box, critic, owner, L.CHALLENGE_MEAL, kind, 0, lone)
            if spiced > 0:
                quality += spiced * quality_of(box, critic, owner, L.CHALLENGE_MEAL, kind, 1, lone)
    return quality + box.meal_bonus[owner] if owner >= 0 else quality


@rule
def may_serve(box, s, seat, plate):
    """An ingredient and all types covered (CK-62), whatever the quality (CK-64)."""
    return holds_ingredient(s, seat, plate) and is_covered(box, s, seat, plate)


@rule
def legal_challenge(box, s, mask):
    seat, plate = s.turn, s.plate
    for course in range(L.TYPES):
        if asks_for(box, s, plate, course):  # CK-61
            legal_ingredients(s, seat, course, mask)
    if holds_ingredient(s, seat, plate):
        soup, bisque = s.soup[seat], s.bisque[seat]
        for other in range(L.PLATES):
            soup -= s.plate_soup[seat, other, 0]
            bisque -= s.plate_soup[seat, other, 1]
        mask[L.SOUP_ACTION] = soup > 0
        mask[L.BISQUE_ACTION] = bisque > 0
        mask[L.SERVE_ACTION] = may_serve(box, s, seat, plate)
    mask[L.SKIP_ACTION] = 1


@rule
def lay_challenge(box, s, action):
    """One step of a challenge meal: add to the plate, or close it."""
    seat, plate = s.turn, s.plate
    if action == L.SERVE_ACTION:
        s.served[seat, plate] = 1
        s.plate += 1
    elif action == L.SKIP_ACTION:
        take_back(s, seat, plate)
        s.plate += 1
    elif action >= L.SOUP_ACTION:
        s.plate_soup[seat, plate, action - L.SOUP_ACTION] += 1
    else:
        lay(s, seat, plate, action // L.INGREDIENTS, action % L.INGREDIENTS)


@rule
def has_plate_to_lay(box, s, seat):
    """Pass over cards for which the seat has nothing. Returns whether there is one left to decide."""
    while s.plate < L.PLATES:
        if holds_ingredient(s, seat, s.plate):
            return True
        for course in range(L.TYPES):
            if asks_for(box, s, s.plate, course) and any_free(s, seat, course):
                return True
        s.plate += 1
    return False


@rule
def go_on_with_challenges(box, s):
    """To the next decision on a plate (CK-60). Returns whether there is one; else all are scored."""
    while not has_plate_to_lay(box, s, s.turn):
        s.plate = 0
        s.turn += 1
        if s.turn == box.players:
            score_challenges(box, s)
            s.phase = L.REFRIGERATION  # CK-67
            s.turn = 0
            return False
    return True


@rule
def meal_stars(box, s, seat, plate):
    """The stars of a served meal (CK-64), changed by critic and restaurateur."""
    quality = plate_quality(box, s, seat, plate)
    stars = 0
    for row in range(L.STEPS):
        if quality >= box.scale_quality[row]:
            stars = int(box.scale_stars[row])
    spices = 0
    for kind in range(L.INGREDIENTS):
        spices += spiced_on_plate(s, seat, plate, kind)
    soups = soups_on_plate(s, seat, plate)
    critic, owner = s.critic, s.restaurateur[seat]
    effect = box.critic_effect[critic, L.CHALLENGE_MEAL, L.MEAL]
    stars = changed_stars(effect, box.critic_numbers[critic], stars, quality, spices, soups)
    if owner >= 0:
        effect = box.owner_kitchen_effect[owner, L.MEAL]
        stars = changed_stars(effect, box.owner_numbers[owner], stars, quality, spices, soups)
    return stars


@rule
def score_challenges(box, s):
    """All meals are shown and scored (CK-65); what was served leaves the kitchens (CK-66)."""
    for seat in range(box.players):
        for plate in range(L.PLATES):
            if s.served[seat, plate]:
                s.stars[seat] += meal_stars(box, s, seat, plate)
                clear_served(s, seat, plate)
    s.plates[:] = 0
    s.plate_soup[:] = 0
    s.served[:] = 0
    s.free[:] = 0
    s.challenges[:] = -1


@rule
def clear_served(s, seat, plate):
    s.soup[seat] -= s.plate_soup[seat, plate, 0]
    s.bisque[seat] -= s.plate_soup[seat, plate, 1]
    for way in range(L.PREPARATIONS):
        for kind in range(L.INGREDIENTS):
            for _ in range(s.plates[seat, plate, way, kind]):
                spend(s, seat, kind)
                if way != L.PLAIN:
                    spend(s, seat, spice_of(way, kind))


@rule
def spend(s, seat, kind):
    """Return a token of a seat to the bag (CK-66, CK-68)."""
    s.stock[seat, kind] -= 1
    return_to_bag(s, kind)


# --- refrigeration -----------------------------------------------------------------------------


@rule
def room(box, s, seat):
    """How many ingredients and spices a seat may keep (CK-68, CK-69)."""
    owner = s.restaurateur[seat]
    limit = box.room[0] if s.round == L.CHALLENGE_ROUNDS[0] else box.room[1]
    return limit + box.more_room[owner] if owner >= 0 else limit


@rule
def legal_discards(box, s, mask):
    seat = s.turn
    for kind in range(L.INGREDIENTS):
        mask[kind] = s.stock[seat, kind] > 0
    for spice in range(L.SPICES):
        mask[L.SPICE_ACTION + spice] = s.stock[seat, L.INGREDIENTS + spice] > 0


@rule
def discard(box, s, action):
    spend(s, s.turn, action if action < L.INGREDIENTS else L.INGREDIENTS + action - L.SPICE_ACTION)


@rule
def go_on_refrigerating(box, s):
    """To the next seat above its limit. Returns whether there is one; else the next round is prepared."""
    while stock_size(s, s.turn) <= room(box, s, s.turn):
        s.turn += 1
        if s.turn == box.players:
            shuffle(s.rng, s.bag, s.bag_size)
            s.phase = L.PREPARATION
            return False
    return True


# --- the critic meal ---------------------------------------------------------------------------


@rule
def course_limit(box, s, seat, course):
    """How many ingredients a course may hold (CK-70, CK-91)."""
    if box.course_limit[s.critic] > 1 and in_mask(box.limited_courses[s.critic], course):
        for other in range(L.TYPES):
            if other != course and in_course(s, seat, other) > 1:
                return 1
        return int(box.course_limit[s.critic])
    return 1


@rule
def may_pair(box, s, seat, course):
    """Whether the course may be paired: it is another one and served, and pairs are left (CK-91)."""
    critic = s.critic
    if box.paired_courses[critic] == 0 or course == box.paired_type[critic] or s.pairs[seat, course] > 0:
        return False
    pairs = 0
    for other in range(L.TYPES):
        if s.pairs[seat, other] > 0:
            pairs += 1
    return pairs < box.paired_courses[critic] and in_course(s, seat, course) > 0


@rule
def legal_course(box, s, mask):
    seat, course = s.turn, s.course
    if in_course(s, seat, course) < course_limit(box, s, seat, course):
        legal_ingredients(s, seat, course, mask)
    if may_pair(box, s, seat, course):
        first = L.VALUES * box.paired_type[s.critic]
        for kind in range(first, first + L.VALUES):
            if s.free[seat, kind] > 0:
                mask[kind] = 1
    mask[L.NEXT_ACTION] = 1


@rule
def lay_course(box, s, action):
    seat, course = s.turn, s.course
    if action == L.NEXT_ACTION:
        s.course += 1
    elif type_of(action % L.INGREDIENTS) == course:
        lay(s, seat, 0, action // L.INGREDIENTS, action % L.INGREDIENTS)
    else:
        pair(s, seat, course, action)


@rule
def has_course_to_lay(box, s, seat):
    """Leave courses to which nothing can be added. Returns whether there is one left to decide."""
    while s.course < L.TYPES:
        course = s.course
        if in_course(s, seat, course) < course_limit(box, s, seat, course) and any_free(s, seat, course):
            return True
        if may_pair(box, s, seat, course) and any_free(s, seat, box.paired_type[s.critic]):
            return True
        s.course += 1
    return False


@rule
def critic_on(box, s):
    """Go on to the next decision on a course. Returns whether there is one."""
    while not has_course_to_lay(box, s, s.turn):
        s.course = 0
        s.turn += 1
        if s.turn == box.players:
            return False
    return True
