"""What single cards do: for each moment a table of small functions, by the names that components.toml uses.

A card names at most one effect and gives its numbers, which come as the row `numbers`, in the order listed
beside the function. A card that does something new needs one function here, in the table of its moment.
Numbers that a rule merely reads are no effects but traits: see TRAITS in cards.py.
"""

from foodenvs.engine import choose, rule, shuffle
from foodenvs.games.critter_kitchen import layout as L
from foodenvs.games.critter_kitchen.rules.supply import (
    capacity,
    chef_at,
    chefs_at,
    draw,
    draw_to,
    move_to_front,
    printed,
    take_bisque_from_supply,
)

# --- shopping: what a sous chef or restaurateur does for its seat (CK-92, CK-93) -----------------


@rule
def nothing(box, s, seat, numbers):
    pass


@rule
def marker_to_front(box, s, seat, numbers):
    move_to_front(s, seat)


@rule
def soup_for_lone_chefs(box, s, seat, numbers):
    """Soup for each of the seat's chefs that is alone at its location."""
    for chef in range(len(L.CHEFS)):
        place = s.plan[seat, chef]
        if place >= 0 and chefs_at(box, s, place) == 1:
            s.soup[seat] += numbers[0]


@rule
def soup_for_all(box, s, seat, numbers):
    """Soup for every seat, and more for the owner."""
    for p in range(box.players):
        s.soup[p] += numbers[0]
    s.soup[seat] += numbers[1]


@rule
def bisque_for_capacity(box, s, seat, numbers):
    """A bisque for each seat whose chef here has this capacity, in track order."""
    for place in range(box.players):
        p = s.priority[place]
        chef = chef_at(s, p, s.here)
        if chef >= 0 and capacity(box, s, chef) == numbers[0]:
            take_bisque_from_supply(box, s, p)


@rule
def soup_alone_at_numbered(box, s, seat, numbers):
    """Soup if the seat's chef is the only one at the numbered location being resolved."""
    numbered = 0 < s.here < box.merchant
    if numbered and chef_at(s, seat, s.here) >= 0 and chefs_at(box, s, s.here) == 1:
        s.soup[seat] += numbers[0]


@rule
def bisque_from_truck(box, s, seat, numbers):
    """The bisque on the truck; soup if it is gone."""
    if s.truck_bisque > 0:
        s.truck_bisque = 0
        s.bisque[seat] += 1
    else:
        s.soup[seat] += numbers[0]


@rule
def tokens_to_location(box, s, seat, numbers):
    for _ in range(numbers[0]):
        draw_to(box, s, s.here)


@rule
def soup_for_company(box, s, seat, numbers):
    """Soup for each other chef that came to this location."""
    s.soup[seat] += numbers[0] * (chefs_at(box, s, s.here) - 1)


@rule
def token_from_bag(box, s, seat, numbers):
    """The first ingredient or spice of the bag; if rumours were passed over, the bag is shuffled."""
    for at in range(s.bag_size - 1, -1, -1):
        kind = s.bag[at]
        if kind < L.STOCK:
            passed_over = at < s.bag_size - 1
            s.bag[at] = s.bag[s.bag_size - 1]
            s.bag[s.bag_size - 1] = kind
            s.stock[seat, draw(s)] += 1
            if passed_over:
                shuffle(s.rng, s.bag, s.bag_size)
            return


@rule
def no_item(box, s, seat, numbers, kind, moved):
    pass


@rule
def star_for_tied_pick(box, s, seat, numbers, kind, moved):
    """Stars when this pick has moved the seat's marker (CK-32)."""
    if moved:
        s.stars[seat] += numbers[0]


@rule
def star_for_value(box, s, seat, numbers, kind, moved):
    """Stars for an ingredient of at least this printed value."""
    if 0 <= kind < L.INGREDIENTS and printed(kind) >= numbers[0]:
        s.stars[seat] += numbers[1]


@rule
def soup_with_rumour(box, s, seat, numbers, kind, moved):
    if kind >= L.STOCK:
        s.soup[seat] += numbers[0]


REVEAL_EFFECTS = {
    "marker_to_front": (marker_to_front, ()),
    "soup_for_lone_chefs": (soup_for_lone_chefs, ("soup",)),
}
START_EFFECTS = {
    "soup_for_all": (soup_for_all, ("soup", "owner_soup")),
    "bisque_for_capacity": (bisque_for_capacity, ("chefs",)),
    "soup_alone_at_numbered": (soup_alone_at_numbered, ("soup",)),
}
FIRST_EFFECTS = {
    "bisque_from_truck": (bisque_from_truck, ("soup",)),
    "tokens_to_location": (tokens_to_location, ("tokens",)),
}
ITEM_EFFECTS = {
    "star_for_tied_pick": (star_for_tied_pick, ("gain",)),
    "star_for_value": (star_for_value, ("value", "gain")),
    "soup_with_rumour": (soup_with_rumour, ("soup",)),
}
HOME_EFFECTS = {
    "soup_for_company": (soup_for_company, ("soup",)),
    "token_from_bag": (token_from_bag, ()),
}

# --- the kitchen: what a critic or restaurateur makes of ingredients and meals (CK-91, CK-92) ----
# Values and factors depend on cards alone: cards.py works them out once, for the tables `value` and `factor`
# of the box. So these are plain functions.


def value_counts(numbers, value, face, spiced):
    """An ingredient of this printed value counts as another."""
    return numbers[1] if face == numbers[0] else value


def unspiced_value_counts(numbers, value, face, spiced):
    """An unspiced ingredient of at most this printed value counts as another."""
    return numbers[1] if face <= numbers[0] and not spiced else value


def spice_multiplies(numbers, factor, course, spiced, lone):
    return numbers[0] if spiced else factor


def unspiced_multiplies(numbers, factor, course, spiced, lone):
    """An unspiced ingredient of these types is multiplied."""
    return numbers[1] if not spiced and numbers[0] >> course & 1 else factor


def lone_multiplies(numbers, factor, course, spiced, lone):
    """In a challenge meal with soup an unspiced ingredient that is alone of its type is multiplied."""
    return max(factor, numbers[0]) if lone and not spiced else factor


@rule
def same_stars(numbers, stars, quality, spices, soups):
    return stars


@rule
def star_without_soup(numbers, stars, quality, spices, soups):
    return stars + numbers[0] if soups == 0 else stars


@rule
def stars_between(numbers, stars, quality, spices, soups):
    """A challenge meal of a quality from .. to pays other stars."""
    return numbers[2] if numbers[0] <= quality <= numbers[1] else stars


@rule
def star_for_spices(numbers, stars, quality, spices, soups):
    """More stars for a challenge meal with at least this many spices."""
    return stars + numbers[1] if spices >= numbers[0] else stars


VALUE_EFFECTS = {
    "value_counts": (value_counts, ("value", "worth")),
    "unspiced_value_counts": (unspiced_value_counts, ("value", "worth")),
}
FACTOR_EFFECTS = {
    "spice_multiplies": (spice_multiplies, ("factor",)),
    "unspiced_multiplies": (unspiced_multiplies, ("types", "factor")),
    "lone_multiplies": (lone_multiplies, ("factor",)),
}
MEAL_EFFECTS = {
    "star_without_soup": (star_without_soup, ("gain",)),
    "stars_between": (stars_between, ("from", "to", "pays")),
    "star_for_spices": (star_for_spices, ("spices", "gain")),
}


def table(default, effects):
    """A moment's table as one compiled function; 0 is the default."""
    return choose(default, *(function for function, _ in effects.values()))


on_reveal = table(nothing, REVEAL_EFFECTS)
at_start = table(nothing, START_EFFECTS)
before_first_pick = table(nothing, FIRST_EFFECTS)
with_item = table(no_item, ITEM_EFFECTS)
going_home = table(nothing, HOME_EFFECTS)
changed_stars = table(same_stars, MEAL_EFFECTS)


@rule
def value_of(box, critic, owner, meal, kind, spiced):
    """The value of an ingredient in a challenge or critic meal. owner: the restaurateur, -1 for none."""
    return box.value[critic, meal, owner + 1, spiced, kind % L.VALUES]


@rule
def quality_of(box, critic, owner, meal, kind, spiced, lone):
    """Value times spice (CK-63, CK-82).

    spiced: 0 or 1.  lone: 1 if alone of its type in a challenge meal that holds soup.
    """
    factor = box.factor[critic, meal, owner + 1, 2 * spiced + lone, kind // L.VALUES]
    return factor * box.value[critic, meal, owner + 1, spiced, kind % L.VALUES]
