"""The small moves that all phases make: tokens, soup, bisques, markers, who is where."""

from foodenvs.engine import rule
from foodenvs.games.critter_kitchen.layout import (
    ALLSPICE,
    ALLSPICED,
    CHALLENGES,
    CHEFS,
    INGREDIENTS,
    OVER,
    PLAIN,
    RUMOURS,
    SOUS,
    SPICED,
    STOCK,
    VALUES,
    WILD,
)


@rule
def draw(s):
    """Take the next token of the bag, which must hold one."""
    s.bag_size -= 1
    kind = int(s.bag[s.bag_size])
    s.bag[s.bag_size] = 0
    s.bag_count[kind] -= 1
    return kind


@rule
def return_to_bag(s, kind):
    s.bag[s.bag_size] = kind
    s.bag_size += 1
    s.bag_count[kind] += 1


@rule
def remove(s, kind):
    """Put a rumour token out of the game."""
    s.removed[kind - STOCK] += 1


@rule
def draw_to(box, s, place):
    """Put the next token of the bag on a location; one of an open rumour is removed and replaced (CK-43)."""
    while s.bag_size > 0:  # CK-11
        kind = draw(s)
        if STOCK <= kind < WILD and held_by_all(box, s, kind - STOCK):
            remove(s, kind)
        else:
            s.items[place, kind] += 1
            return


@rule
def fill(box, s, place):
    for _ in range(box.spaces[place]):
        draw_to(box, s, place)


@rule
def held_by_all(box, s, rumour):
    for seat in range(box.players):
        if s.tokens[seat, rumour] == 0:
            return False
    return True


@rule
def is_open(box, s, rumour):
    """Whether a rumour card lies open: all hold it (CK-43), or the game is over (CK-78)."""
    return s.phase == OVER or held_by_all(box, s, rumour)


@rule
def knows(box, s, seat, rumour):
    """Whether a seat has seen a rumour card (CK-40)."""
    return s.tokens[seat, rumour] > 0 or is_open(box, s, rumour)


@rule
def rumours_held(s, seat):
    held = 0
    for rumour in range(RUMOURS):
        if s.tokens[seat, rumour] > 0:
            held += 1
    return held


@rule
def take_bisque_from_supply(s, seat):
    """Give a seat a bisque; from an empty supply nothing (CK-07). Returns whether there was one."""
    if s.bisque_supply == 0:
        return False
    s.bisque_supply -= 1
    s.bisque[seat] += 1
    return True


@rule
def soup_value(box, s, seat):
    return box.soup_value * s.soup[seat] + box.bisque_value * s.bisque[seat]


@rule
def stock_size(s, seat):
    """The ingredients and spices of a seat."""
    size = 0
    for kind in range(STOCK):
        size += s.stock[seat, kind]
    return size


@rule
def type_of(ingredient):
    return ingredient // 6


@rule
def printed(ingredient):
    """The printed value of an ingredient."""
    return ingredient % 6 + 2


@rule
def is_spice(kind):
    return INGREDIENTS <= kind < STOCK


# --- plates ------------------------------------------------------------------------------------


@rule
def in_mask(mask, bit):
    return mask >> bit & 1 == 1


@rule
def on_plate(s, seat, plate, kind):
    """How many of an ingredient lie on a plate, prepared in any way."""
    return s.plates[seat, plate, PLAIN, kind] + spiced_on_plate(s, seat, plate, kind)


@rule
def spiced_on_plate(s, seat, plate, kind):
    return s.plates[seat, plate, SPICED, kind] + s.plates[seat, plate, ALLSPICED, kind]


@rule
def in_course(s, seat, course):
    """The ingredients that a course holds of its own type."""
    count = 0
    for kind in range(VALUES * course, VALUES * (course + 1)):
        count += on_plate(s, seat, 0, kind)
    return count


@rule
def clear_table(box, s, seat):
    """Begin to lay meals: everything is free. The Jerboa takes rumour tokens for allspice (CK-91)."""
    for kind in range(STOCK):
        s.free[seat, kind] = s.stock[seat, kind]
    if s.phase != CHALLENGES and box.rumours_as_allspice[s.critic]:
        s.free[seat, ALLSPICE] += rumours_held(s, seat)
    s.plates[seat] = 0
    s.plate_soup[seat] = 0
    s.served[seat] = 0
    s.pairs[seat] = 0


# --- the priority track ------------------------------------------------------------------------


@rule
def place_on_track(s, seat):
    place = 0
    while s.priority[place] != seat:
        place += 1
    return place


@rule
def move_back(box, s, seat, places):
    """Move a marker back by some places, at most to the end."""
    place = place_on_track(s, seat)
    last = min(place + places, box.players - 1)
    while place < last:
        s.priority[place] = s.priority[place + 1]
        place += 1
    s.priority[place] = seat


@rule
def move_to_front(s, seat):
    place = place_on_track(s, seat)
    while place > 0:
        s.priority[place] = s.priority[place - 1]
        place -= 1
    s.priority[0] = seat


# --- chefs -------------------------------------------------------------------------------------


@rule
def chefs_of(s, seat):
    """How many chefs a seat has this round (CK-22)."""
    return 4 if s.sous >= 0 and s.sous_owner == seat else 3


@rule
def capacity(box, s, chef):
    return box.sous_capacity[s.sous] if chef == SOUS else box.capacity[chef]


@rule
def chef_at(s, seat, place):
    """The chef that a seat has sent to a place (CK-21); -1 for none."""
    for chef in range(len(CHEFS)):
        if s.plan[seat, chef] == place:
            return chef
    return -1


@rule
def chefs_at(box, s, place):
    """How many chefs came to a place."""
    count = 0
    for seat in range(box.players):
        if chef_at(s, seat, place) >= 0:
            count += 1
    return count


@rule
def sous_is_here(s, seat):
    """Whether the seat's chef at the location being resolved is its sous chef."""
    return s.sous >= 0 and s.sous_owner == seat and s.plan[seat, SOUS] == s.here


@rule
def next_chef(s, seat):
    """The first chef of a seat without a place; -1 when all have one."""
    for chef in range(chefs_of(s, seat)):
        if s.plan[seat, chef] < 0:
            return chef
    return -1
