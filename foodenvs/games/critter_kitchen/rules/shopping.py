"""A round: preparation, planning and shopping (CK-10 to CK-52)."""

from foodenvs.engine import rule
from foodenvs.games.critter_kitchen import layout as L
from foodenvs.games.critter_kitchen.rules.effects import (
    at_start,
    before_first_pick,
    going_home,
    on_reveal,
    with_item,
)
from foodenvs.games.critter_kitchen.rules.supply import (
    capacity,
    chef_at,
    clear_table,
    fill,
    is_spice,
    move_back,
    next_chef,
    remove,
    sous_is_here,
    take_bisque_from_supply,
)

# --- preparation -------------------------------------------------------------------------------


@rule
def prepare_round(box, s):
    """Set up the next round and start its planning (CK-19)."""
    s.round += 1
    for place in range(1, box.merchant):  # CK-11, CK-45
        fill(box, s, place)
    fill(box, s, box.academy)  # CK-06: spaces with two players only
    if s.round <= L.CARDS:
        open_challenge(s)
        open_sous_chef(s)
    else:  # CK-16
        s.items[box.academy, L.ALLSPICE] += box.extra_allspice
    s.truck_bisque = 1  # CK-15
    s.sous, s.sous_owner = s.student, s.student_owner  # CK-17
    s.student, s.student_owner = -1, -1
    s.phase = L.PLANNING
    s.turn = 0
    return True


@rule
def open_challenge(s):
    """Open the round's challenge card (CK-12)."""
    card = s.challenge_deck[s.round - 1]
    s.challenge_deck[s.round - 1] = -1
    s.challenges[(s.round - 1) % L.PLATES] = card
    s.seen_challenges[card] = 1


@rule
def open_sous_chef(s):
    """Open the round's sous chef at the academy (CK-14)."""
    s.academy_sous = s.sous_deck[s.round - 1]
    s.sous_deck[s.round - 1] = -1


# --- planning ----------------------------------------------------------------------------------


@rule
def location_of(box, place):
    """The number of a place in the list of all locations, which the actions use."""
    return place if place < box.merchant else place + L.LOCATIONS - box.places


@rule
def legal_plans(box, s, mask):
    """Any place that the seat has not used, for its next chef (CK-20, CK-21)."""
    seat = s.turn
    first = L.PLACE_ACTION + L.LOCATIONS * next_chef(s, seat)
    for place in range(box.places):
        if chef_at(s, seat, place) < 0:
            mask[first + location_of(box, place)] = 1


@rule
def place_chef(box, s, action):
    seat = s.turn
    location = (action - L.PLACE_ACTION) % L.LOCATIONS
    place = location if location < box.merchant else location - L.LOCATIONS + box.places
    s.plan[seat, next_chef(s, seat)] = place
    if next_chef(s, seat) < 0:
        if seat + 1 < box.players:
            s.turn = seat + 1
        else:
            reveal(box, s)


@rule
def reveal(box, s):
    """All plans are shown; abilities on reveal act (CK-24), and the first location begins."""
    if s.sous >= 0:
        on_reveal(box.sous_effect[s.sous, L.REVEAL], box, s, s.sous_owner, box.sous_numbers[s.sous])
    for seat in range(box.players):
        card = s.restaurateur[seat]
        if card >= 0:
            on_reveal(box.owner_shop_effect[card, L.REVEAL], box, s, seat, box.owner_numbers[card])
    s.phase = L.SHOPPING
    s.here = L.TRUCK
    start_location(box, s)


# --- a location --------------------------------------------------------------------------------


@rule
def start_location(box, s):
    """Fill the merchant, let abilities act, and send the chefs to their queues."""
    place = s.here
    s.line = -1
    s.queue_size = 0
    s.first_pick = False
    if place == box.merchant:  # CK-46
        fill(box, s, place)
    for seat in range(box.players):
        chef = chef_at(s, seat, place)
        s.left[seat] = 0 if chef < 0 else capacity(box, s, chef)
        s.taken[seat] = 0
    if s.sous >= 0 and sous_is_here(s, s.sous_owner):
        at_start(box.sous_effect[s.sous, L.START], box, s, s.sous_owner, box.sous_numbers[s.sous])
    for seat in range(box.players):
        card = s.restaurateur[seat]
        if card >= 0 and chef_at(s, seat, place) >= 0:
            at_start(box.owner_shop_effect[card, L.START], box, s, seat, box.owner_numbers[card])


@rule
def queue_of(box, s, seat):
    """The queue of a seat's chef here: its capacity (CK-23), or 0, before all others."""
    if sous_is_here(s, seat) and box.own_queue[s.sous]:
        return 0
    return capacity(box, s, chef_at(s, seat, s.here))


@rule
def next_queue(box, s):
    """Line up the next queue, in track order now (CK-26, CK-33, CK-34). Returns whether there is one."""
    while s.line < L.LOAD:
        s.line += 1
        for place in range(box.players):
            seat = s.priority[place]
            if s.left[seat] > 0 and queue_of(box, s, seat) == s.line:
                s.queue[s.queue_size] = seat
                s.queue_size += 1
        if s.queue_size > 0:
            return True
    return False


@rule
def go_on_shopping(box, s):
    """To the next decision of a chef, over all locations (CK-25). Returns False when the round has ended."""
    while True:
        if s.queue_size > 0:
            seat = s.queue[0]
            s.turn = seat
            if s.taken[seat] == 0 and sous_is_here(s, seat):
                numbers = box.sous_numbers[s.sous]
                before_first_pick(box.sous_effect[s.sous, L.FIRST], box, s, seat, numbers)
            if may_take_something(box, s, seat):
                return True
            go_home(box, s, seat)  # CK-30
        elif not next_queue(box, s):
            clear_location(box, s)
            if s.here == box.academy:
                end_round(box, s)
                return False
            s.here += 1
            start_location(box, s)


@rule
def may_take_something(box, s, seat):
    return s.here == L.TRUCK or may_want_something(box, s, seat)  # CK-44


@rule
def may_want_something(box, s, seat):
    """Whether something lies here that the seat may take and another could take from it: all but soup."""
    here = s.here
    if (here == L.TRUCK and s.truck_bisque > 0) or (here == box.academy and s.academy_sous >= 0):
        return True
    for kind in range(L.STOCK):
        if s.items[here, kind] > 0:
            return True
    for rumour in range(L.RUMOURS):
        if may_take_rumour(s, seat, rumour) or may_take_wild(s, seat, rumour):
            return True
    return False


@rule
def may_take_rumour(s, seat, rumour):
    """The token is here, and the seat does not hold this rumour (CK-42)."""
    return s.items[s.here, L.STOCK + rumour] > 0 and s.tokens[seat, rumour] == 0


@rule
def may_take_wild(s, seat, rumour):
    """A wild token is here, and the seat does not hold this rumour (CK-41, CK-42)."""
    return s.items[s.here, L.WILD] > 0 and s.tokens[seat, rumour] == 0


@rule
def legal_items(box, s, mask):
    seat, here = s.turn, s.here
    for kind in range(L.INGREDIENTS):
        mask[kind] = s.items[here, kind] > 0
    for spice in range(L.SPICES):
        mask[L.SPICE_ACTION + spice] = s.items[here, L.INGREDIENTS + spice] > 0
    for rumour in range(L.RUMOURS):
        mask[L.RUMOUR_ACTION + rumour] = may_take_rumour(s, seat, rumour)
        mask[L.WILD_ACTION + rumour] = may_take_wild(s, seat, rumour)
    if here == L.TRUCK:  # CK-44
        mask[L.SOUP_ACTION] = 1
        mask[L.BISQUE_ACTION] = s.truck_bisque > 0
    mask[L.SOUS_ACTION] = here == box.academy and s.academy_sous >= 0  # CK-48, CK-49
    mask[L.HOME_ACTION] = s.taken[seat] == 0 and not (here == L.TRUCK and s.left[seat] == 1)  # CK-29, CK-31


@rule
def pick_or_go(box, s, action):
    """A chef's choice: an item of the location, or one soup and home."""
    seat = s.turn
    if action == L.HOME_ACTION:
        go_home(box, s, seat)
        return
    moved = action != L.SOUP_ACTION and first_pick(box, s, seat)
    kind = take(s, seat, action)
    s.taken[seat] += 1
    in_service = sous_is_here(s, seat)
    if not (in_service and is_spice(kind) and box.spices_free[s.sous]):
        s.left[seat] -= 1
    if in_service:
        with_item(box.sous_effect[s.sous, L.ITEM], box, s, seat, box.sous_numbers[s.sous], kind, moved)
    card = s.restaurateur[seat]
    if card >= 0:
        with_item(box.owner_shop_effect[card, L.ITEM], box, s, seat, box.owner_numbers[card], kind, moved)
    if s.left[seat] == 0:
        go_home(box, s, seat)
    else:  # CK-33
        leave_head_of_queue(s)
        s.queue[s.queue_size] = seat
        s.queue_size += 1


@rule
def take(s, seat, action):
    """Put an item behind the seat's shield (CK-28). Returns the kind of its token; -1 for other items."""
    here = s.here
    if action == L.SOUP_ACTION:
        s.soup[seat] += 1
    elif action == L.BISQUE_ACTION:
        s.truck_bisque = 0
        s.bisque[seat] += 1
    elif action == L.SOUS_ACTION:  # CK-17
        s.student, s.student_owner = s.academy_sous, seat
        s.academy_sous = -1
    elif action >= L.WILD_ACTION:  # CK-41
        s.items[here, L.WILD] -= 1
        s.tokens[seat, action - L.WILD_ACTION] = 2
        return L.WILD
    elif action >= L.RUMOUR_ACTION:  # CK-40
        kind = L.STOCK + action - L.RUMOUR_ACTION
        s.items[here, kind] -= 1
        s.tokens[seat, kind - L.STOCK] = 1
        return kind
    else:
        kind = action if action < L.INGREDIENTS else L.INGREDIENTS + action - L.SPICE_ACTION
        s.items[here, kind] -= 1
        s.stock[seat, kind] += 1
        return kind
    return -1


@rule
def first_pick(box, s, seat):
    """The first item of a location but soup moves a tied chef's marker (CK-32). Returns whether it did."""
    first = not s.first_pick
    s.first_pick = True
    if first and is_tied(box, s):
        card = s.restaurateur[seat]
        move_back(box, s, seat, L.SEATS if card < 0 else box.marker_places[card])
        return True
    return False


@rule
def is_tied(box, s):
    """Whether a chef behind the head still waits for its first item, and may want one here (CK-32)."""
    for place in range(1, s.queue_size):
        seat = s.queue[place]
        if s.taken[seat] == 0 and may_want_something(box, s, seat):
            return True
    return False


@rule
def leave_head_of_queue(s):
    s.queue_size -= 1
    for place in range(s.queue_size):
        s.queue[place] = s.queue[place + 1]
    s.queue[s.queue_size] = -1


@rule
def go_home(box, s, seat):
    """The chef at the head of the queue goes home; with nothing, it gets its soup to go (CK-29, CK-30)."""
    if s.taken[seat] == 0:
        consolation(box, s, seat)
    elif sous_is_here(s, seat):
        going_home(box.sous_effect[s.sous, L.HOME], box, s, seat, box.sous_numbers[s.sous])
    s.left[seat] = 0
    s.taken[seat] = 0
    leave_head_of_queue(s)


@rule
def consolation(box, s, seat):
    card = s.restaurateur[seat]
    if card >= 0 and box.bisque_consolation[card] and take_bisque_from_supply(box, s, seat):  # CK-92
        return
    s.soup[seat] += 1


@rule
def clear_location(box, s):
    """What is left when a location has been resolved (CK-35 to CK-37, CK-47, CK-50, CK-51)."""
    here = s.here
    for kind in range(L.STOCK, L.KINDS):
        while s.items[here, kind] > 0:
            s.items[here, kind] -= 1
            remove(s, kind)
    if here == box.academy:
        if s.academy_sous >= 0:
            s.gone_sous[s.academy_sous] = 1
            s.academy_sous = -1
        move_all(s, here, L.TRUCK)
    elif here != L.TRUCK or box.truck_moves:
        move_all(s, here, box.academy)


@rule
def move_all(s, place, to):
    for kind in range(L.STOCK):
        s.items[to, kind] += s.items[place, kind]
        s.items[place, kind] = 0


@rule
def end_round(box, s):
    """The working sous chef leaves the game (CK-52); then meals, or the next round (CK-01)."""
    if s.sous >= 0:
        s.gone_sous[s.sous] = 1
        s.sous, s.sous_owner = -1, -1
    s.plan[:] = -1
    s.here = -1
    s.line = 0
    s.first_pick = False
    s.turn = 0
    if s.round in L.CHALLENGE_ROUNDS:
        s.phase = L.CHALLENGES
    elif s.round == L.ROUNDS:
        s.phase = L.CRITIC
    else:
        s.phase = L.PREPARATION
        return
    for seat in range(box.players):
        clear_table(box, s, seat)
