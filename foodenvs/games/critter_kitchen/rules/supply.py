"""The small moves that all phases make: cards, tokens, soup, bisques, markers, who is where."""

from foodenvs.engine import below, rule
from foodenvs.games.critter_kitchen import layout as L

# --- cards dealt unseen ---------------------------------------------------------------------------
# What is still unknown is drawn uniformly, without repetition, from what it can be. The same draws set up a
# game, complete a position that leaves cards open, and redeal what a seat cannot know.


def drawing(cards, may_be):
    """The rule that draws one of `cards` cards for which may_be(box, s, card) holds."""

    @rule
    def draw(box, s):
        number = 0
        for card in range(cards):
            if may_be(box, s, card):
                number += 1
        k = below(s.rng, number)
        for card in range(cards):
            if may_be(box, s, card):
                if k == 0:
                    return card
                k -= 1
        return -1

    return draw


@rule
def opened(s):
    """How many challenge cards and sous chefs have been opened (CK-12, CK-14)."""
    return min(s.round, L.CARDS)


@rule
def unseen_challenge(box, s, card):
    """A card that is neither opened nor in the deck."""
    if card >= box.challenge_cards or s.seen_challenges[card]:
        return False
    for place in range(L.CARDS):
        if s.challenge_deck[place] == card:
            return False
    return True


@rule
def unseen_sous_chef(box, s, card):
    """A card that is neither opened nor in the deck."""
    if card >= box.sous_chefs or s.gone_sous[card]:
        return False
    if s.academy_sous == card or s.sous == card or s.student == card:
        return False
    for place in range(L.CARDS):
        if s.sous_deck[place] == card:
            return False
    return True


@rule
def unused_rumour(box, s, card):
    """A card of the pool that nobody has."""
    if not box.rumour_pool[card]:
        return False
    for rumour in range(L.RUMOURS):
        if s.rumours[rumour] == card:
            return False
    for seat in range(box.players):
        if s.private[seat] == card:
            return False
    return True


@rule
def unused_restaurateur(box, s, card):
    if card >= box.owners:
        return False
    for seat in range(box.players):
        if s.restaurateur[seat] == card:
            return False
    return True


draw_challenge = drawing(L.CHALLENGE_CARDS, unseen_challenge)
draw_sous_chef = drawing(L.SOUS_CHEFS, unseen_sous_chef)
draw_rumour = drawing(L.RUMOUR_CARDS, unused_rumour)
draw_restaurateur = drawing(L.RESTAURATEURS, unused_restaurateur)


@rule
def deal_challenges(box, s, first):
    """Complete the deck for the rounds from first + 1 on (CK-03)."""
    for place in range(first, L.CARDS):
        if s.challenge_deck[place] < 0:
            s.challenge_deck[place] = draw_challenge(box, s)


@rule
def deal_sous_chefs(box, s, first):
    """Complete the deck for the rounds from first + 1 on (CK-08)."""
    for place in range(first, L.CARDS):
        if s.sous_deck[place] < 0:
            s.sous_deck[place] = draw_sous_chef(box, s)


@rule
def deal_rumours(box, s):
    """Complete the three rumours (CK-05) and the private ones (CK-92)."""
    for rumour in range(L.RUMOURS):
        if s.rumours[rumour] < 0:
            s.rumours[rumour] = draw_rumour(box, s)
    for seat in range(box.players):
        owner = s.restaurateur[seat]
        if owner >= 0 and box.private_rumour[owner] and s.private[seat] < 0:
            s.private[seat] = draw_rumour(box, s)


@rule
def deal_restaurateurs(box, s):
    """One open card for each seat; its stars are gained at once (CK-18)."""
    for seat in range(box.players):
        s.restaurateur[seat] = draw_restaurateur(box, s)
        s.stars[seat] += box.owner_stars[s.restaurateur[seat]]


# --- tokens, soup, bisques ------------------------------------------------------------------------


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
    s.removed[kind - L.STOCK] += 1


@rule
def draw_to(box, s, place):
    """Put the next token of the bag on a location; one of an open rumour is removed and replaced (CK-43)."""
    while s.bag_size > 0:  # CK-11
        kind = draw(s)
        if L.STOCK <= kind < L.WILD and held_by_all(box, s, kind - L.STOCK):
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
    return s.phase == L.OVER or held_by_all(box, s, rumour)


@rule
def knows(box, s, seat, rumour):
    """Whether a seat has seen a rumour card (CK-40)."""
    return s.tokens[seat, rumour] > 0 or is_open(box, s, rumour)


@rule
def rumours_held(s, seat):
    held = 0
    for rumour in range(L.RUMOURS):
        if s.tokens[seat, rumour] > 0:
            held += 1
    return held


@rule
def bisque_supply(box, s):
    """The bisques of the box that are neither with the seats nor on the truck (CK-07)."""
    placed = s.truck_bisque
    for seat in range(box.players):
        placed += int(s.bisque[seat])
    return max(0, box.bisques - placed)


@rule
def take_bisque_from_supply(box, s, seat):
    """Give a seat a bisque; from an empty supply nothing (CK-07). Returns whether there was one."""
    if bisque_supply(box, s) == 0:
        return False
    s.bisque[seat] += 1
    return True


@rule
def soup_value(box, s, seat):
    return box.soup_value * s.soup[seat] + box.bisque_value * s.bisque[seat]


@rule
def stock_size(s, seat):
    """The ingredients and spices of a seat."""
    size = 0
    for kind in range(L.STOCK):
        size += s.stock[seat, kind]
    return size


@rule
def type_of(ingredient):
    return ingredient // L.VALUES


@rule
def printed(ingredient):
    """The printed value of an ingredient."""
    return ingredient % L.VALUES + L.LOWEST


@rule
def is_spice(kind):
    return L.INGREDIENTS <= kind < L.STOCK


# --- plates ------------------------------------------------------------------------------------


@rule
def in_mask(mask, bit):
    return mask >> bit & 1 == 1


@rule
def on_plate(s, seat, plate, kind):
    """How many of an ingredient lie on a plate, prepared in any way."""
    return s.plates[seat, plate, L.PLAIN, kind] + spiced_on_plate(s, seat, plate, kind)


@rule
def spiced_on_plate(s, seat, plate, kind):
    return s.plates[seat, plate, L.SPICED, kind] + s.plates[seat, plate, L.ALLSPICED, kind]


@rule
def in_course(s, seat, course):
    """The ingredients that a course holds of its own type."""
    count = 0
    for kind in range(L.VALUES * course, L.VALUES * (course + 1)):
        count += on_plate(s, seat, 0, kind)
    return count


@rule
def clear_table(box, s, seat):
    """Begin to lay meals: everything is free. The Jerboa takes rumour tokens for allspice (CK-91)."""
    for kind in range(L.STOCK):
        s.free[seat, kind] = s.stock[seat, kind]
    if s.phase != L.CHALLENGES and box.rumours_as_allspice[s.critic]:
        s.free[seat, L.ALLSPICE] += rumours_held(s, seat)
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
    own_chefs = len(L.CHEFS) - 1
    return own_chefs + 1 if s.sous >= 0 and s.sous_owner == seat else own_chefs


@rule
def capacity(box, s, chef):
    """How many items a chef carries (CK-26), a sous chef by its card (CK-27)."""
    return box.sous_capacity[s.sous] if chef == L.SOUS else box.capacity[chef]


@rule
def chef_at(s, seat, place):
    """The chef that a seat has sent to a place (CK-21); -1 for none."""
    for chef in range(len(L.CHEFS)):
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
    return s.sous >= 0 and s.sous_owner == seat and s.plan[seat, L.SOUS] == s.here


@rule
def next_chef(s, seat):
    """The first chef of a seat without a place; -1 when all have one."""
    for chef in range(chefs_of(s, seat)):
        if s.plan[seat, chef] < 0:
            return chef
    return -1
