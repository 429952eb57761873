"""Critter Kitchen in words: actions, positions, and the table as text."""

import textwrap

from foodenvs.engine import shuffled
from foodenvs.games.critter_kitchen.bounds import early_stars_bound, soup_bound, stars_bound
from foodenvs.games.critter_kitchen.cards import (
    CHEF_NAMES,
    LOCATION_NAMES,
    RUMOUR_NAMES,
    SPICE_NAMES,
    TYPE_NAMES,
    names_of,
)
from foodenvs.games.critter_kitchen.decks import (
    deal_challenges,
    deal_rumours,
    deal_sous_chefs,
    draw_challenge,
)
from foodenvs.games.critter_kitchen.final import winner
from foodenvs.games.critter_kitchen.layout import (
    ALLSPICE,
    CARDS,
    CHALLENGES,
    CHEFS,
    CRITIC,
    HOME_ACTION,
    INGREDIENTS,
    KINDS,
    LOWEST,
    NEXT_ACTION,
    OVER,
    PLACE_ACTION,
    PLANNING,
    PLATES,
    REFRIGERATION,
    ROUNDS,
    RUMOURS,
    SERVE_ACTION,
    SHOPPING,
    SKIP_ACTION,
    SOUS,
    SPICE_ACTION,
    STOCK,
    TRUCK,
    TYPES,
    VALUES,
)
from foodenvs.games.critter_kitchen.meals import (
    asks_for,
    course_limit,
    lay,
    may_serve,
    pair,
)
from foodenvs.games.critter_kitchen.rules import (
    clear,
    go_on,
)
from foodenvs.games.critter_kitchen.shopping import (
    go_home,
    may_take_something,
    queue_of,
    start_location,
)
from foodenvs.games.critter_kitchen.supply import (
    capacity,
    chef_at,
    clear_table,
    in_course,
    is_open,
    knows,
    next_chef,
    on_plate,
    sous_is_here,
)
from foodenvs.notation import UNKNOWN, PositionError, Reader, seat_name

INGREDIENT_NAMES = tuple(f"{name} {LOWEST + v}" for name in TYPE_NAMES for v in range(VALUES))
KIND_NAMES = (*INGREDIENT_NAMES, *SPICE_NAMES, *RUMOUR_NAMES)
PREPARED = ("", " spiced", " allspiced")
PHASE_NAMES = ("planning", "shopping", "challenges", "refrigeration", "critic", "over")
ACTION_NAMES = (
    *(name + way for way in PREPARED for name in INGREDIENT_NAMES),
    *SPICE_NAMES,
    *RUMOUR_NAMES[:RUMOURS],
    *(f"wild {rumour + 1}" for rumour in range(RUMOURS)),
    "soup", "bisque", "sous_chef", "home", "serve", "skip", "next",
    *(f"{chef} {location}" for chef in CHEF_NAMES for location in LOCATION_NAMES),
)  # fmt: skip
ACTION_NUMBERS = {name: action for action, name in enumerate(ACTION_NAMES)}
ACTION_RANGES = (
    (0, INGREDIENTS - 1, "take it; put it on the plate unspiced; pair it (wine, Fruit Bat); discard it"),
    (INGREDIENTS, 2 * INGREDIENTS - 1, "put it on the plate with a spice of its type"),
    (2 * INGREDIENTS, SPICE_ACTION - 1, "put it on the plate with an allspice"),
    (SPICE_ACTION, SPICE_ACTION + TYPES, "take or discard this spice"),
    (SPICE_ACTION + 8, SPICE_ACTION + 10, "take this rumour token"),
    (SPICE_ACTION + 11, SPICE_ACTION + 13, "take a wild token and hold this rumour by it"),
    (SPICE_ACTION + 14, SPICE_ACTION + 15, "take it from the Soup Truck; add it to the challenge plate"),
    (SPICE_ACTION + 16, SPICE_ACTION + 16, "take the sous chef from the academy"),
    (HOME_ACTION, HOME_ACTION, "one soup instead of items, and home"),
    (SERVE_ACTION, SERVE_ACTION, "close this challenge plate as a meal"),
    (SKIP_ACTION, SKIP_ACTION, "no meal for this challenge; its plate is cleared"),
    (NEXT_ACTION, NEXT_ACTION, "go to the next course of the critic meal"),
    (PLACE_ACTION, PLACE_ACTION + 31, "send this chef, the next to be placed, to this location"),
)
KEYS = (
    "players", "round", "phase", "turn", "critic", "priority", "rumours", "face_up", "challenges",
    "past_challenges", "challenge_deck", "academy_sous", "past_sous", "sous_deck", "truck_bisque",
    "bisque_supply", "locations", "bag", "removed", "seats", "plate", "course", "shop", "winner",
)  # fmt: skip
SEAT_KEYS = (
    "stock", "soup", "bisque", "rumours", "wilds", "stars", "restaurateur", "private_rumour", "sous",
    "student", "plan", "plates", "meal", "pairs", "quality",
)  # fmt: skip


def action_name(box, action):
    """`bread 7`, `bread 7 spiced`, `allspice`, `wild 1`, `home`, `mouse chef_academy` and so on."""
    return ACTION_NAMES[action]


def parse_action(box, text):
    """The inverse of `action_name`; ValueError for any other text."""
    if text not in ACTION_NUMBERS:
        raise ValueError(f"unknown action {text!r}; actions are like {', '.join(ACTION_NAMES[::25])}")
    return ACTION_NUMBERS[text]


# --- a position as a view ----------------------------------------------------------------------


def place_names(box):
    """The names of the locations of this game, by place."""
    return [*LOCATION_NAMES[: box.players + 1], *LOCATION_NAMES[-2:]]


def card_name(names, card):
    """The name of a card; "" for -1."""
    return names_of(names)[card] if card >= 0 else ""


def marked(names, flags):
    """The names of the cards whose flag is set, in table order."""
    return [name for name, flag in zip(names_of(names), flags, strict=False) if flag]


def tokens(counts, names=KIND_NAMES):
    """The names of tokens given by their number per kind, in kind order."""
    return [name for name, n in zip(names, counts, strict=True) for _ in range(n)]


def view(box, s):
    """The whole position as a dict of plain values (the random stream aside)."""
    places = place_names(box)
    rumours, challenges, sous = box.rumour_names, box.challenge_names, box.sous_names
    today = [card for card in s.challenges if card >= 0]
    past = [seen and card not in today for card, seen in enumerate(s.seen_challenges)]
    return {
        "players": box.players,
        "round": s.round,
        "phase": PHASE_NAMES[s.phase],
        "turn": s.turn,
        "critic": card_name(box.critic_names, s.critic),
        "priority": list(s.priority)[: box.players],
        "rumours": [card_name(rumours, card) for card in s.rumours],
        "face_up": [bool(is_open(box, s, rumour)) for rumour in range(RUMOURS)],
        "challenges": [card_name(challenges, card) for card in today],
        "past_challenges": marked(challenges, past),
        "challenge_deck": [card_name(challenges, card) for card in s.challenge_deck if card >= 0],
        "academy_sous": card_name(sous, s.academy_sous),
        "past_sous": marked(sous, s.gone_sous),
        "sous_deck": [card_name(sous, card) for card in s.sous_deck if card >= 0],
        "truck_bisque": bool(s.truck_bisque),
        "bisque_supply": s.bisque_supply,
        "locations": {name: tokens(s.items[place]) for place, name in enumerate(places)},
        "bag": [KIND_NAMES[s.bag[i]] for i in range(s.bag_size - 1, -1, -1)],
        "removed": tokens(s.removed, RUMOUR_NAMES),
        "seats": [seat_table(box, s, seat) for seat in range(box.players)],
        "plate": s.plate + 1 if s.phase == CHALLENGES else 0,
        "course": TYPE_NAMES[s.course] if s.phase == CRITIC else "",
        "shop": shop_table(box, s),
        "winner": s.winner,
    }


def seat_table(box, s, seat):
    places = place_names(box)
    meal = s.phase in (CRITIC, OVER)
    return {
        "stock": tokens(s.stock[seat], KIND_NAMES[:STOCK]),
        "soup": s.soup[seat],
        "bisque": s.bisque[seat],
        "rumours": [rumour + 1 for rumour in range(RUMOURS) if s.tokens[seat, rumour]],
        "wilds": [rumour + 1 for rumour in range(RUMOURS) if s.tokens[seat, rumour] == 2],
        "stars": s.stars[seat],
        "restaurateur": card_name(box.owner_names, s.restaurateur[seat]),
        "private_rumour": card_name(box.rumour_names, s.private[seat]),
        "sous": card_name(box.sous_names, s.sous) if s.sous_owner == seat else "",
        "student": card_name(box.sous_names, s.student) if s.student_owner == seat else "",
        "plan": {CHEF_NAMES[chef]: places[s.plan[seat, chef]] for chef in CHEFS if s.plan[seat, chef] >= 0},
        "plates": [
            {"items": plate_items(s, seat, plate), "served": bool(s.served[seat, plate])}
            for plate in range(PLATES if s.phase == CHALLENGES else 0)
        ],
        "meal": plate_items(s, seat, 0) if meal else [],
        "pairs": {TYPE_NAMES[c]: s.pairs[seat, c] for c in range(TYPES) if s.pairs[seat, c]},
        "quality": s.quality[seat],
    }


def plate_items(s, seat, plate):
    """What lies on a plate: ingredients with their spices, then soup and bisque."""
    items = [
        name + prepared
        for name, counts in zip(INGREDIENT_NAMES, s.plates[seat, plate].T.tolist(), strict=True)
        for prepared, count in zip(PREPARED, counts, strict=True)
        for _ in range(count)
    ]
    soup, bisque = s.plate_soup[seat, plate]
    return items + ["soup"] * soup + ["bisque"] * bisque


def shop_table(box, s):
    if s.phase != SHOPPING:
        return {}
    queue = list(s.queue)[: s.queue_size]
    return {
        "location": place_names(box)[s.here],
        "queue": queue,
        "left": [s.left[seat] for seat in queue],
        "taken": [s.taken[seat] for seat in queue],
        "first_pick": bool(s.first_pick),
    }


def seat_view(box, s, seat):
    """The position as `seat` sees it (-1: a spectator): "?" for cards that it does not know."""
    seen = view(box, s)
    for rumour in range(RUMOURS):
        if not (is_open(box, s, rumour) or (seat >= 0 and knows(box, s, seat, rumour))):
            seen["rumours"][rumour] = UNKNOWN
    for key in ("challenge_deck", "sous_deck"):
        seen[key] = [UNKNOWN] * len(seen[key])
    seen["bag"] = tokens(s.bag_count)
    if seat != s.turn:
        seen["plate"], seen["course"] = 0, ""
    for p, own in enumerate(seen["seats"]):
        if p != seat and s.phase != OVER:
            if own["private_rumour"]:
                own["private_rumour"] = UNKNOWN
            own["plates"], own["meal"], own["pairs"] = [], [], {}
            if s.phase == PLANNING:
                own["plan"] = {}
    return seen


# --- a position from its view ------------------------------------------------------------------


def from_view(box, s, view):
    """Set up a position from any subset of a view's keys; what it leaves open is drawn from `s.rng`.

    Raises PositionError (a ValueError) that names the key for a position that cannot be.
    """
    given = Reader(view, "position", PositionError, KEYS)
    clear(box, s)
    if given.integer("players", 0, 99, box.players) != box.players:
        raise given.fail("players", f"must be {box.players}, as in the environment")
    tables = given.items("seats", None, dict, [])
    if len(tables) > box.players:
        raise given.fail("seats", f"there are {box.players}, got {len(tables)}")
    seats = [
        Reader(table, f"position: seats.{seat}", PositionError, SEAT_KEYS)
        for seat, table in enumerate(tables + [{}] * (box.players - len(tables)))
    ]
    read_phase(box, s, given)
    read_tokens(box, s, given, seats)
    read_challenges(box, s, given)
    read_sous_chefs(box, s, given, seats)
    read_people(box, s, given, seats)
    read_rumours(box, s, given, seats)
    read_bisques(box, s, given)
    read_plans(box, s, seats)
    SET_UP[s.phase](box, s, given, seats)
    check_face_up(box, s, given)


def number_in(given, key, name, names, what="card"):
    if not isinstance(name, str) or name not in names:
        raise given.fail(key, f"{name!r} is no {what}; there are {', '.join(names)}")
    return names.index(name)


def read_phase(box, s, given):
    s.round = given.integer("round", 1, ROUNDS, 1)
    s.phase = PHASE_NAMES.index(given.choice("phase", PHASE_NAMES, "planning"))
    if s.phase in (CHALLENGES, REFRIGERATION) and s.round not in (3, 6):
        raise given.fail("phase", f"{PHASE_NAMES[s.phase]} follows rounds 3 and 6, not round {s.round}")
    if s.phase in (CRITIC, OVER) and s.round != ROUNDS:
        raise given.fail("phase", f"{PHASE_NAMES[s.phase]} follows round {ROUNDS}, not round {s.round}")
    critics = names_of(box.critic_names)
    default = "mouse" if "mouse" in critics else critics[0]
    s.critic = critics.index(given.choice("critic", critics, default))
    seats = list(range(box.players))
    priority = given.integers("priority", box.players, 0, box.players - 1, seats)
    if sorted(priority) != seats:
        raise given.fail("priority", f"must name each seat once, got {priority}")
    s.priority[: box.players] = priority
    last = -1 if s.phase == OVER else box.players - 1
    s.turn = given.integer("turn", -1 if s.phase == OVER else 0, last, min(0, last))


def read_tokens(box, s, given, seats):
    """Locations, stocks, rumours held, removed tokens; the rest is the bag, in a random order."""
    left = list(box.count)
    if s.round == ROUNDS:  # CK-16
        left[ALLSPICE] += box.extra_allspice

    def placed(reader, key, names, kinds):
        for name in names:
            kind = number_in(reader, key, name, kinds, "token of this kind")
            kind += KINDS - len(kinds) if kinds is RUMOUR_NAMES else 0
            left[kind] -= 1
            if left[kind] < 0:
                raise reader.fail(key, f"more tokens {name} than there are in the game")
            yield kind

    places = place_names(box)
    lying = Reader(given.get("locations", dict, {}), "position: locations", PositionError, places)
    for place, name in enumerate(places):
        for kind in placed(lying, name, lying.items(name, None, str, []), KIND_NAMES):
            s.items[place, kind] += 1
    for kind in placed(given, "removed", given.items("removed", None, str, []), RUMOUR_NAMES):
        s.removed[kind - STOCK] += 1
    for seat, own in enumerate(seats):
        for kind in placed(own, "stock", own.items("stock", None, str, []), KIND_NAMES[:STOCK]):
            s.stock[seat, kind] += 1
        wilds = own.integers("wilds", None, 1, RUMOURS, [])
        for rumour in own.integers("rumours", None, 1, RUMOURS, []):
            name = "wild" if rumour in wilds else RUMOUR_NAMES[rumour - 1]
            list(placed(own, "rumours", [name], RUMOUR_NAMES))
            if s.tokens[seat, rumour - 1]:
                raise own.fail("rumours", f"nobody can hold rumour {rumour} twice")
            s.tokens[seat, rumour - 1] = 2 if name == "wild" else 1
        for rumour in wilds:
            if s.tokens[seat, rumour - 1] == 0:
                raise own.fail("wilds", f"rumour {rumour} is not among the rumours held")
    bag = list(placed(given, "bag", given.items("bag", None, str, []), KIND_NAMES))
    left[ALLSPICE] = min(left[ALLSPICE], max(0, box.count[ALLSPICE] - bag.count(ALLSPICE)))
    bag += shuffled(s.rng, [kind for kind in range(KINDS) for _ in range(left[kind])])
    for i, kind in enumerate(reversed(bag)):
        s.bag[i] = kind
        s.bag_count[kind] += 1
    s.bag_size = len(bag)


def read_challenges(box, s, given):
    names = names_of(box.challenge_names)
    opened = min(s.round, CARDS)
    today = 0 if s.phase in (REFRIGERATION, CRITIC, OVER) or s.round > CARDS else (s.round - 1) % PLATES + 1
    lists = {}
    for key, number in (("challenges", today), ("past_challenges", opened - today)):
        lists[key] = given.items(key, number, str, [])
    lists["challenge_deck"] = known_deck(given, "challenge_deck", CARDS - opened)
    seen: list[int] = []
    for key, cards in lists.items():
        for place, name in enumerate(cards):
            if name == UNKNOWN:
                continue
            card = number_in(given, key, name, names)
            if card in seen:
                raise given.fail(key, f"{name} is in the game twice")
            seen.append(card)
            if key == "challenge_deck":
                s.challenge_deck[opened + place] = card
            else:
                s.seen_challenges[card] = 1
                if key == "challenges":
                    s.challenges[place] = card
    missing = opened - sum(s.seen_challenges)
    for place in range(today):
        if s.challenges[place] < 0:
            s.challenges[place] = open_card(box, s)
            missing -= 1
    for _ in range(missing):
        open_card(box, s)
    deal_challenges(box, s, opened)


def open_card(box, s):
    card = draw_challenge(box, s)
    s.seen_challenges[card] = 1
    return card


def known_deck(given, key, at_most):
    cards = given.items(key, None, str, [])
    if len(cards) > at_most:
        raise given.fail(key, f"can have {at_most} cards in this round, got {len(cards)}")
    return cards


def read_sous_chefs(box, s, given, seats):
    names = names_of(box.sous_names)
    used: list[int] = []

    def one(reader, key, name):
        card = number_in(reader, key, name, names)
        if card in used:
            raise reader.fail(key, f"{name} is in the game twice")
        used.append(card)
        return card

    academy = given.get("academy_sous", str, "")
    if academy:
        s.academy_sous = one(given, "academy_sous", academy)
        if s.round == ROUNDS:
            raise given.fail("academy_sous", "there is none in the last round")
    for name in given.items("past_sous", None, str, []):
        s.gone_sous[one(given, "past_sous", name)] = 1
    for seat, own in enumerate(seats):
        for key, owner in (("sous", s.sous_owner), ("student", s.student_owner)):
            name = own.get(key, str, "")
            if not name:
                continue
            if owner >= 0:
                raise own.fail(key, "only one seat can have one")
            if key == "sous":
                s.sous, s.sous_owner = one(own, key, name), seat
            else:
                s.student, s.student_owner = one(own, key, name), seat
    if s.student >= 0 and (s.academy_sous >= 0 or s.phase == PLANNING):
        raise seats[s.student_owner].fail("student", "is this round's sous chef, taken from the academy")
    if s.sous >= 0 and s.phase not in (PLANNING, SHOPPING):
        raise seats[s.sous_owner].fail("sous", "works in planning and shopping only")
    opened = min(s.round, CARDS)
    for place, name in enumerate(known_deck(given, "sous_deck", CARDS - opened)):
        if name != UNKNOWN:
            s.sous_deck[opened + place] = one(given, "sous_deck", name)
    if len(used) - sum(card >= 0 for card in s.sous_deck) > box.sous_chefs - (CARDS - opened):
        raise given.fail("past_sous", "more sous chefs are out than the deck leaves")
    deal_sous_chefs(box, s, opened)


def read_people(box, s, given, seats):
    owners = names_of(box.owner_names)
    most_soup = soup_bound(box, s.round)
    most_stars = stars_bound(box) if s.phase == OVER else early_stars_bound(box)
    for seat, own in enumerate(seats):
        s.soup[seat] = own.integer("soup", 0, most_soup, 0)
        s.bisque[seat] = own.integer("bisque", 0, box.bisques, 0)
        s.stars[seat] = own.integer("stars", 0, most_stars, 0)
        s.quality[seat] = own.integer("quality", 0, 9999, 0)
        name = own.get("restaurateur", str, "")
        if name:
            card = number_in(own, "restaurateur", name, owners)
            if not box.restaurateurs:
                raise own.fail("restaurateur", "the game is played without: see option restaurateurs")
            if card in list(s.restaurateur):
                raise own.fail("restaurateur", f"{name} is in the game twice")
            s.restaurateur[seat] = card


def read_rumours(box, s, given, seats):
    names = names_of(box.rumour_names)

    def card(reader, key, name):
        if name in ("", UNKNOWN):
            return -1
        number = number_in(reader, key, name, names)
        if number in list(s.rumours) + list(s.private):
            raise reader.fail(key, f"{name} is in the game twice")
        if not box.rumour_pool[number]:
            raise reader.fail(key, f"{name} is an advanced rumour: see option advanced_rumours")
        return number

    for rumour, name in enumerate(given.items("rumours", RUMOURS, str, [])):
        s.rumours[rumour] = card(given, "rumours", name)
    for seat, own in enumerate(seats):
        name = own.get("private_rumour", str, "")
        owner = s.restaurateur[seat]
        if name and (owner < 0 or not box.private_rumour[owner]):
            raise own.fail("private_rumour", "only a restaurateur with a private rumour has one")
        s.private[seat] = card(own, "private_rumour", name)
    deal_rumours(box, s)


def read_bisques(box, s, given):
    s.truck_bisque = given.get("truck_bisque", bool, box.bisques > sum(s.bisque))
    supply = box.bisques - s.truck_bisque - sum(s.bisque)
    if supply < 0:
        raise given.fail("bisque_supply", f"there are {box.bisques} bisques, {-supply} fewer than are placed")
    if given.integer("bisque_supply", 0, 127, supply) != supply:
        raise given.fail("bisque_supply", f"must be {supply}, what truck and seats leave")
    s.bisque_supply = supply


def read_plans(box, s, seats):
    places = place_names(box)
    for seat, own in enumerate(seats):
        plan = Reader(own.get("plan", dict, {}), f"{own.where}: plan", PositionError, CHEF_NAMES)
        if plan.data and s.phase not in (PLANNING, SHOPPING):
            raise own.fail("plan", "must be empty: the chefs are at home")
        for chef, name in enumerate(CHEF_NAMES):
            if name not in plan:
                continue
            place = places.index(plan.choice(name, places))
            if chef == SOUS and s.sous_owner != seat:
                raise plan.fail(name, "the seat has no sous chef at work")
            if place in list(s.plan[seat]):
                raise plan.fail(name, "another chef of the seat goes there")
            s.plan[seat, chef] = place


def set_up_planning(box, s, given, seats):
    for seat in range(s.turn + 1, box.players):
        if chefs_placed(s, seat):
            raise seats[seat].fail("plan", "must be empty: the seat has not planned yet")
    if next_chef(s, s.turn) < 0:
        raise seats[s.turn].fail("plan", "the seat on turn must have a chef to place")


def chefs_placed(s, seat):
    return sum(place >= 0 for place in s.plan[seat])


def set_up_shopping(box, s, given, seats):
    shop = Reader(
        given.get("shop", dict, {}),
        "position: shop",
        PositionError,
        ("location", "queue", "left", "taken", "first_pick"),
    )
    places = place_names(box)
    place = places.index(shop.choice("location", places, places[TRUCK]))
    s.here = place
    if "queue" not in shop:
        start_location(box, s)
        go_on(box, s)
        return
    queue = shop.integers("queue", None, 0, box.players - 1)
    for seat in queue:
        if chef_at(s, seat, place) < 0:
            raise shop.fail("queue", f"seat {seat} has no chef at {places[place]}")
    if not queue or len(set(queue)) != len(queue) or len({queue_of(box, s, seat) for seat in queue}) > 1:
        raise shop.fail("queue", f"must be different seats with chefs of one queue, got {queue}")
    s.line = queue_of(box, s, queue[0])
    s.turn = queue[0]
    s.queue_size = len(queue)
    s.queue[: len(queue)] = queue
    sizes = [capacity(box, s, chef_at(s, seat, place)) for seat in queue]
    left = shop.integers("left", len(queue), 1, 3, sizes)
    taken = shop.integers("taken", len(queue), 0, 127, [a - b for a, b in zip(sizes, left, strict=True)])
    for seat in range(box.players):
        chef = chef_at(s, seat, place)
        if seat in queue:
            s.left[seat], s.taken[seat] = left[queue.index(seat)], taken[queue.index(seat)]
            carries = capacity(box, s, chef)
            if s.left[seat] > carries:
                raise shop.fail("left", f"the chef of seat {seat} carries {carries}")
            if taken[queue.index(seat)] > carries - s.left[seat] + uncounted(box, s, seat):
                raise shop.fail(
                    "taken", f"the chef of seat {seat} can still carry {s.left[seat]} of {carries}"
                )
        elif chef >= 0 and queue_of(box, s, seat) > s.line:
            s.left[seat] = capacity(box, s, chef)
    s.first_pick = shop.get("first_pick", bool, False)
    if not may_take_something(box, s, s.turn):
        go_home(box, s, s.turn)
        go_on(box, s)


def uncounted(box, s, seat):
    """The spices that the chef of a seat may have taken beside what it carries."""
    if not (sous_is_here(s, seat) and box.spices_free[s.sous]):
        return 0
    return sum(s.stock[seat, INGREDIENTS:])


def set_up_challenges(box, s, given, seats):
    s.plate = max(given.integer("plate", 0, PLATES, 1), 1) - 1  # 0: a view of another seat
    for seat, own in enumerate(seats):
        clear_table(box, s, seat)
        tables = own.items("plates", None, dict, [])
        if len(tables) > PLATES:
            raise own.fail("plates", f"can be {PLATES}, got {len(tables)}")
        for plate, table in enumerate(tables):
            laid = Reader(table, f"{own.where}: plates.{plate}", PositionError, ("items", "served"))
            read_plate(s, laid, "items", seat, plate)
            s.served[seat, plate] = laid.get("served", bool, False)
            check_plate(box, s, laid, seat, plate)
        check_owned(s, own, "plates", seat)
    go_on(box, s)


def read_plate(s, given, key, seat, plate):
    """Put named ingredients, prepared or not, soups and bisques on a plate."""
    for item in given.items(key, None, str, []):
        if item in ("soup", "bisque"):
            s.plate_soup[seat, plate, int(item == "bisque")] += 1
            continue
        name, _, way = item.partition(" spiced") if item.endswith(" spiced") else item.partition(" allspiced")
        kind = number_in(given, key, name, INGREDIENT_NAMES, "ingredient")
        if way:
            raise given.fail(key, f"{item!r} is no ingredient")
        lay(s, seat, plate, PREPARED.index(item[len(name) :]), kind)


def check_plate(box, s, laid, seat, plate):
    """A challenge plate that can be: of asked types, and empty, served, or the one being laid."""
    counts = [on_plate(s, seat, plate, kind) for kind in range(INGREDIENTS)]
    for kind, count in enumerate(counts):
        if count and not asks_for(box, s, plate, kind // VALUES):
            raise laid.fail("items", f"the card does not ask for {TYPE_NAMES[kind // VALUES]}")
    current = seat == s.turn and plate == s.plate
    done = seat < s.turn or (seat == s.turn and plate < s.plate)
    soups = sum(s.plate_soup[seat, plate])
    if s.served[seat, plate]:
        if not done or not may_serve(box, s, seat, plate):
            raise laid.fail("served", "this plate cannot have been served")
    elif (sum(counts) or soups) and not (current and sum(counts)):
        raise laid.fail("items", "must be empty: only meals served and the plate being laid hold something")


def check_owned(s, own, key, seat):
    """No more on plates than the seat owns."""
    for kind, left in enumerate(s.free[seat]):
        if left < 0:
            raise own.fail(key, f"holds more {KIND_NAMES[kind]} than the seat owns")
    soup, bisque = (sum(s.plate_soup[seat, plate, i] for plate in range(PLATES)) for i in range(2))
    if soup > s.soup[seat] or bisque > s.bisque[seat]:
        raise own.fail(key, "holds more soup or bisque than the seat owns")


def set_up_refrigeration(box, s, given, seats):
    go_on(box, s)


def set_up_critic(box, s, given, seats):
    course = given.choice("course", ("", *TYPE_NAMES), "")  # "": a view of another seat
    s.course = TYPE_NAMES.index(course) if course else 0
    read_meals(box, s, seats)
    for seat in range(s.turn + 1, box.players):
        if s.plates[seat].any() or s.pairs[seat].any():
            raise seats[seat].fail("meal", "must be empty: the seat has not laid its meal yet")
    go_on(box, s)


def read_meals(box, s, seats):
    for seat, own in enumerate(seats):
        clear_table(box, s, seat)
        read_plate(s, own, "meal", seat, 0)
        if sum(s.plate_soup[seat, 0]):
            raise own.fail("meal", "soup and bisque are not served to the critic")
        pairs = Reader(own.get("pairs", dict, {}), f"{own.where}: pairs", PositionError, TYPE_NAMES)
        for course, name in enumerate(TYPE_NAMES):
            if name in pairs:
                value = pairs.integer(name, LOWEST, LOWEST + VALUES - 1)
                pair(s, seat, course, VALUES * box.paired_type[s.critic] + value - LOWEST)
        check_courses(box, s, own, seat)
        check_owned(s, own, "meal", seat)


def check_courses(box, s, own, seat):
    for course, name in enumerate(TYPE_NAMES):
        if in_course(s, seat, course) > course_limit(box, s, seat, course):
            raise own.fail("meal", f"the {name} course holds more than it may")
        if s.pairs[seat, course] and (in_course(s, seat, course) == 0 or course == box.paired_type[s.critic]):
            raise own.fail("pairs", f"the {name} course cannot be paired")
    if sum(value > 0 for value in s.pairs[seat]) > box.paired_courses[s.critic]:
        raise own.fail("pairs", f"this critic allows {box.paired_courses[s.critic]}")


def set_up_over(box, s, given, seats):
    read_meals(box, s, seats)
    s.turn = -1
    s.done = True
    s.winner = winner(box, s)
    if given.integer("winner", 0, box.players - 1, s.winner) != s.winner:
        raise given.fail("winner", f"must be {s.winner}, by stars, quality and priority")


SET_UP = (
    set_up_planning,
    set_up_shopping,
    set_up_challenges,
    set_up_refrigeration,
    set_up_critic,
    set_up_over,
)


def check_face_up(box, s, given):
    face_up = [bool(is_open(box, s, rumour)) for rumour in range(RUMOURS)]
    if given.items("face_up", RUMOURS, bool, face_up) != face_up:
        raise given.fail("face_up", f"must be {face_up}: a rumour is open when all seats hold it")


# --- the table as text -------------------------------------------------------------------------


def table(box, view, seat=-1):
    """A view as text, with the pending choices of `seat` below (-1: none)."""
    lines = [
        f"round {view['round']}, {view['phase']}; critic: {view['critic']}; "
        f"track: {' '.join(map(str, view['priority']))}",
        f"challenges: {', '.join(challenge_text(box, view)) or 'none'}",
        "rumours: " + ", ".join(
            f"{number} {name}" for number, name in enumerate(view["rumours"], 1)
        ),
        "",
    ]  # fmt: skip
    for place in view["locations"]:
        lines += location_lines(box, view, place)
    lines.append("")
    for p, own in enumerate(view["seats"]):
        lines += seat_lines(view, p, own)
    if seat >= 0:
        lines += ["", *own_lines(view, seat)]
    return "\n".join(part for line in lines for part in folded(line)) + "\n"


def folded(line):
    """A line in parts of at most 80 columns, broken at spaces."""
    parts = textwrap.wrap(line, 80, subsequent_indent="    ", break_on_hyphens=False)
    return parts or [""]


def short(names):
    """Tokens by type: `bread 2 5 5 spice, wine 7, allspice`."""
    groups: dict[str, list[str]] = {}
    for name in names:
        first, _, rest = name.partition(" ")
        groups.setdefault(first, []).append(rest)
    return ", ".join(f"{first} {' '.join(rest)}".strip() for first, rest in groups.items()) or "-"


def challenge_text(box, view):
    names = names_of(box.challenge_names)
    for plate, name in enumerate(view["challenges"]):
        card = names.index(name)
        needs = [
            f"({kind})" if plate == PLATES - 1 and box.challenge_held[card] == t else kind
            for t, kind in enumerate(TYPE_NAMES)
            if box.challenge_types[card] >> t & 1
        ]
        yield f"{name} [{' '.join(needs)}]"


def location_lines(box, view, place):
    marks = ["> " if view["shop"].get("location") == place else "  "]
    marks.append(f"{place}: {short(view['locations'][place])}")
    if place == LOCATION_NAMES[TRUCK] and view["truck_bisque"]:
        marks.append(", bisque")
    if place == LOCATION_NAMES[-1] and view["academy_sous"]:
        marks.append(f", sous chef {view['academy_sous']}")
    chefs = [
        f"{p} {chef}"
        for p, own in enumerate(view["seats"])
        for chef, at in own["plan"].items()
        if at == place
    ]
    return ["".join(marks) + (f" | {', '.join(chefs)}" if chefs else "")]


def seat_lines(view, p, own):
    held = " ".join(f"{r}{'w' if r in own['wilds'] else ''}" for r in own["rumours"]) or "-"
    more = "".join(
        f", {key} {own[key]}" for key in ("restaurateur", "private_rumour", "sous", "student") if own[key]
    )
    turn = " <- on turn" if view["turn"] == p else ""
    won = " <- winner" if view["winner"] == p else ""
    quality = f", quality {own['quality']}" if view["phase"] == "over" else ""
    return [
        f"{seat_name(p)}: {own['stars']} stars, {own['soup']} soup, {own['bisque']} bisque, "
        f"rumours {held}{more}{quality}{turn}{won}",
        f"    {short(own['stock'])}",
    ]


def own_lines(view, seat):
    own = view["seats"][seat]
    lines = []
    if view["phase"] == "planning":
        plan = ", ".join(f"{chef} to {place}" for chef, place in own["plan"].items())
        lines.append(f"plan of {seat_name(seat)}: {plan or 'nothing yet'}")
    for number, plate in enumerate(own["plates"], 1):
        state = " (served)" if plate["served"] else ""
        lines.append(f"plate {number} of {seat_name(seat)}: {', '.join(plate['items']) or 'empty'}{state}")
    if view["phase"] in ("critic", "over"):
        pairs = "".join(f", {name} with wine {value}" for name, value in own["pairs"].items())
        lines.append(f"meal of {seat_name(seat)}: {', '.join(own['meal']) or 'nothing'}{pairs}")
    return lines or [f"seen by {seat_name(seat)}"]
