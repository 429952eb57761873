"""A position from any part of a view: what it leaves open is dealt, or is as at the start of its phase."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from foodenvs.core.notation import UNKNOWN, Reader
from foodenvs.core.views import Draft, Values, is_open
from foodenvs.engine import Record, shuffled
from foodenvs.games.critter_kitchen import layout as L
from foodenvs.games.critter_kitchen.rules import clear, go_on
from foodenvs.games.critter_kitchen.rules.bounds import bisque_bound, early_stars_bound, soup_bound
from foodenvs.games.critter_kitchen.rules.cards import names_of
from foodenvs.games.critter_kitchen.rules.meals import (
    lay_challenge,
    lay_course,
    legal_challenge,
    legal_course,
)
from foodenvs.games.critter_kitchen.rules.scoring import winner
from foodenvs.games.critter_kitchen.rules.shopping import may_take_something, queue_of, start_location
from foodenvs.games.critter_kitchen.rules.supply import (
    capacity,
    chef_at,
    chefs_of,
    clear_table,
    deal_challenges,
    deal_rumours,
    deal_sous_chefs,
    draw_challenge,
    next_chef,
    opened,
    sous_is_here,
)
from foodenvs.games.critter_kitchen.words.views import (
    ACTION_NAMES,
    ACTION_NUMBERS,
    INGREDIENT_NAMES,
    KIND_NAMES,
    OF_SEATS,
    PHASE_NAMES,
    PREPARED,
    place_names,
    seat_table,
)

# The rounds that a phase follows; the others are in every round.
AFTER = {
    L.CHALLENGES: L.CHALLENGE_ROUNDS,
    L.REFRIGERATION: L.CHALLENGE_ROUNDS,
    L.CRITIC: (L.ROUNDS,),
    L.OVER: (L.ROUNDS,),
}


def begin(d: Draft) -> None:
    """Nothing anywhere. A list by seat may be shorter than the table: the rest of it is open."""
    clear(d.box, d.s)
    for key in ("seats", *(key for key, *_ in OF_SEATS)):
        given = d.data.get(key)
        if type(given) is list:
            d.data[key] = given + [None] * (d.box.players - len(given))


def of_seats(d: Draft, key: str, kind: type) -> list[Any]:
    """What is given of each seat under a key; empty where it is open."""
    return d.of_seats(key, kind, [kind()] * d.box.players)


def seats(d: Draft) -> list[Reader]:
    """The tables of the seats."""
    known = tuple(seat_table(d.box, d.s, 0))
    return [
        Reader(table, f"{d.where}: seats.{seat}", d.error, known)
        for seat, table in enumerate(of_seats(d, "seats", dict))
    ]


def number_in(given: Reader, key: str, name: object, names: Sequence[str], what: str = "card") -> int:
    if not isinstance(name, str) or name not in names:
        raise given.fail(key, f"{name!r} is no {what}; there are {', '.join(names)}")
    return names.index(name)


def new_card(given: Reader, key: str, name: object, names: Sequence[str], used: list[int]) -> int:
    """The number of a card that is not in `used`, and then is."""
    card = number_in(given, key, name, names)
    if card in used:
        raise given.fail(key, f"{name} is in the game twice")
    used.append(card)
    return card


def read_phase(d: Draft) -> None:
    box, s, places = d.box, d.s, list(range(d.box.players))
    name = d.choice("phase", PHASE_NAMES, PHASE_NAMES[L.PLANNING])
    s.phase = PHASE_NAMES.index(name)
    s.done = s.phase == L.OVER
    rounds = AFTER.get(s.phase, (s.round,))
    if s.round not in rounds:
        raise d.fail("phase", f"{name} follows round {' or '.join(map(str, rounds))}, not {s.round}")
    critics = names_of(box.critic_names)
    possible = critics[box.critic : box.critic + 1] if box.critic >= 0 else critics
    default = "mouse" if "mouse" in possible else possible[0]
    s.critic = critics.index(d.choice("critic", possible, default))
    priority = d.integers("priority", box.players, 0, box.players - 1, places)
    if sorted(priority) != places:
        raise d.fail("priority", f"must name each seat once, got {priority}")
    s.priority[: box.players] = priority
    s.turn = d.seat("turn", box.players, -1 if s.done else 0)
    if (s.turn < 0) != s.done:
        raise d.fail("turn", "must be none when the game is over, and only then")
    if not s.done:
        d.compare("turn")


def read_tokens(d: Draft) -> None:
    """Locations, stocks, rumours held, removed tokens; the rest is the bag, in a random order."""
    box, s = d.box, d.s
    left = list(box.count)
    if s.round == L.ROUNDS:  # CK-16
        left[L.ALLSPICE] += box.extra_allspice

    def placed(
        given: Reader, key: str, names: Iterable[object], kinds: Sequence[str] = KIND_NAMES
    ) -> Iterator[int]:
        for name in names:
            number_in(given, key, name, kinds, "token of this kind")
            kind = KIND_NAMES.index(name)
            left[kind] -= 1
            if left[kind] < 0:
                raise given.fail(key, f"more tokens {name} than there are in the game")
            yield kind

    places = place_names(box)
    lying = d.table("locations", places, {})
    for place, name in enumerate(places):
        for kind in placed(lying, name, lying.items(name, None, str, [])):
            s.items[place, kind] += 1
    for kind in placed(d, "removed", d.items("removed", None, str, []), L.RUMOUR_NAMES):
        s.removed[kind - L.STOCK] += 1
    for seat, own in enumerate(seats(d)):
        for kind in placed(own, "stock", own.items("stock", None, str, []), KIND_NAMES[: L.STOCK]):
            s.stock[seat, kind] += 1
        held, wilds = (own.integers(key, None, 1, L.RUMOURS, []) for key in ("rumours", "wilds"))
        if len(set(held)) < len(held) or not set(wilds) <= set(held):
            raise own.fail("rumours", f"must be different ones, and those of wilds among them, got {held}")
        tokens = ["wild" if rumour in wilds else L.RUMOUR_NAMES[rumour - 1] for rumour in held]
        for rumour, _ in zip(held, placed(own, "rumours", tokens), strict=True):
            s.tokens[seat, rumour - 1] = 2 if rumour in wilds else 1
    bag = list(placed(d, "bag", d.items("bag", None, str, [])))
    left[L.ALLSPICE] = min(left[L.ALLSPICE], max(0, box.count[L.ALLSPICE] - bag.count(L.ALLSPICE)))
    bag += shuffled(s.rng, [kind for kind in range(L.KINDS) for _ in range(left[kind])])
    s.bag_size = len(bag)
    s.bag[: len(bag)] = bag[::-1]
    for kind in bag:
        s.bag_count[kind] += 1


def read_challenges(d: Draft) -> None:
    box, s = d.box, d.s
    names, before = names_of(box.challenge_names), opened(s)
    today = (
        0
        if s.phase in (L.REFRIGERATION, L.CRITIC, L.OVER) or s.round > L.CARDS
        else (s.round - 1) % L.PLATES + 1
    )
    used: list[int] = []
    for place, name in enumerate(d.items("challenges", today, str, [])):
        s.challenges[place] = new_card(d, "challenges", name, names, used)
    for name in d.items("past_challenges", before - today, str, []):
        new_card(d, "past_challenges", name, names, used)
    for card in used:
        s.seen_challenges[card] = 1
    read_deck(d, "challenge_deck", s.challenge_deck, names, used)
    for place in range(today):
        if s.challenges[place] < 0:
            s.challenges[place] = open_card(box, s)
    for _ in range(before - sum(s.seen_challenges)):
        open_card(box, s)
    deal_challenges(box, s, before)


def open_card(box: Record, s: Record) -> int:
    card = draw_challenge(box, s)
    s.seen_challenges[card] = 1
    return card


def read_deck(d: Draft, key: str, deck: Any, names: Sequence[str], used: list[int]) -> None:
    """The cards of the rounds to come, the next one first, as far as they are given."""
    before = opened(d.s)
    cards = d.items(key, None, str, [])
    if len(cards) > L.CARDS - before:
        raise d.fail(key, f"can have {L.CARDS - before} cards in this round, got {len(cards)}")
    for place, name in enumerate(cards, before):
        if name != UNKNOWN:
            deck[place] = new_card(d, key, name, names, used)


def read_sous_chefs(d: Draft) -> None:
    box, s = d.box, d.s
    names, before = names_of(box.sous_names), opened(s)
    used: list[int] = []
    academy = d.get("academy_sous", str, "")
    if academy and s.round == L.ROUNDS:
        raise d.fail("academy_sous", "there is none in the last round")
    if academy:
        s.academy_sous = new_card(d, "academy_sous", academy, names, used)
    for name in d.items("past_sous", None, str, []):
        s.gone_sous[new_card(d, "past_sous", name, names, used)] = 1
    for seat, own in enumerate(seats(d)):
        for key in ("sous", "student"):
            name = own.get(key, str, "")
            if name and getattr(s, key) >= 0:
                raise own.fail(key, "only one seat can have one")
            if name:
                setattr(s, key, new_card(own, key, name, names, used))
                setattr(s, f"{key}_owner", seat)
    if s.student >= 0 and (academy or s.phase == L.PLANNING):
        raise d.fail(f"seats.{s.student_owner}.student", "is this round's sous chef, taken from the academy")
    if s.sous >= 0 and s.phase not in (L.PLANNING, L.SHOPPING):
        raise d.fail(f"seats.{s.sous_owner}.sous", "works in planning and shopping only")
    if len(used) > box.sous_chefs - (L.CARDS - before):
        raise d.fail("past_sous", "more sous chefs are out than the deck leaves")
    read_deck(d, "sous_deck", s.sous_deck, names, used)
    deal_sous_chefs(box, s, before)


def read_belongings(d: Draft) -> None:
    box, s = d.box, d.s
    most_soup, most_bisques = soup_bound(box, s.round), bisque_bound(box, s.round)
    most_stars, most_quality = early_stars_bound(box), 0
    if s.phase == L.OVER:
        most_stars, most_quality = (int(d.ranges[field][1].max()) for field in ("stars", "quality"))
    owners: list[int] = []
    for seat, own in enumerate(seats(d)):
        s.soup[seat] = own.integer("soup", 0, most_soup, 0)
        s.bisque[seat] = own.integer("bisque", 0, most_bisques, 0)
        s.stars[seat] = own.integer("stars", 0, most_stars, 0)
        s.quality[seat] = own.integer("quality", 0, most_quality, 0)
        name = own.get("restaurateur", str, "")
        if name and not box.restaurateurs:
            raise own.fail("restaurateur", "the game is played without: see option restaurateurs")
        if name:
            s.restaurateur[seat] = new_card(own, "restaurateur", name, names_of(box.owner_names), owners)
    s.truck_bisque = d.get("truck_bisque", bool, True)
    if s.phase == L.PLANNING and not s.truck_bisque:
        raise d.fail("truck_bisque", "must be true: a round begins with one")
    placed = s.truck_bisque + sum(int(n) for n in s.bisque)
    if placed > most_bisques:
        raise d.fail(
            "truck_bisque", f"at most {most_bisques} bisques can be out in round {s.round}, got {placed}"
        )


def read_rumours(d: Draft) -> None:
    """The three cards, as they are given or known to a seat, and the private ones."""
    box, s = d.box, d.s
    used: list[int] = []

    def card(key: str, name: object) -> int:
        if not name or is_open(name):
            return -1
        number = new_card(d, key, name, names_of(box.rumour_names), used)
        if not box.rumour_pool[number]:
            raise d.fail(key, f"{name} is an advanced rumour: see option advanced_rumours")
        return number

    given = list(d.items("rumours", L.RUMOURS, str, [UNKNOWN] * L.RUMOURS))
    for known in of_seats(d, "known_rumours", list):
        for rumour, name in enumerate(known[: L.RUMOURS]):
            given[rumour] = name if is_open(given[rumour]) else given[rumour]
    for rumour, name in enumerate(given):
        s.rumours[rumour] = card("rumours", name)
    for seat, name in enumerate(of_seats(d, "private_rumours", str)):
        s.private[seat] = card(f"private_rumours.{seat}", name)
        owner = s.restaurateur[seat]
        if name and (owner < 0 or not box.private_rumour[owner]):
            raise d.fail(f"private_rumours.{seat}", "only a restaurateur with a private rumour has one")
    deal_rumours(box, s)
    for key in ("rumours", "known_rumours", "private_rumours"):
        d.compare(key)


# --- what is read in some phases only ------------------------------------------------------------


def read_plans(d: Draft) -> None:
    """Plans, in planning drawn for those who have planned where they are open."""
    box, s = d.box, d.s
    places = place_names(box)
    for seat, plan in enumerate(d.of_seats("plans", dict, [None] * box.players)):
        if plan is None and s.phase == L.PLANNING and seat < s.turn:
            drawn = shuffled(s.rng, range(box.places))[: chefs_of(s, seat)]
            plan = {L.CHEF_NAMES[chef]: places[place] for chef, place in enumerate(drawn)}
        given = Reader(plan or {}, f"{d.where}: plans.{seat}", d.error, L.CHEF_NAMES)
        for chef, name in enumerate(L.CHEF_NAMES):
            if name not in given:
                continue
            place = places.index(given.choice(name, places))
            if chef == L.SOUS and s.sous_owner != seat:
                raise given.fail(name, "the seat has no sous chef at work")
            if place in list(s.plan[seat]):
                raise given.fail(name, "another chef of the seat goes there")
            s.plan[seat, chef] = place


def read_planning(d: Draft) -> None:
    box, s = d.box, d.s
    read_plans(d)
    for seat in range(s.turn + 1, box.players):
        if max(s.plan[seat]) >= 0:
            raise d.fail(f"plans.{seat}", "must be empty: the seat has not planned yet")
    if next_chef(s, s.turn) < 0:
        raise d.fail(f"plans.{s.turn}", "the seat on turn must have a chef to place")


def read_shopping(d: Draft) -> None:
    box, s = d.box, d.s
    read_plans(d)
    shop = d.table("shop", ("location", "queue", "left", "taken", "first_pick"), {})
    places = place_names(box)
    s.here = place = places.index(shop.choice("location", places, places[L.TRUCK]))
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
    left = shop.integers("left", len(queue), 1, L.LOAD, sizes)
    taken = shop.integers("taken", len(queue), 0, 127, [a - b for a, b in zip(sizes, left, strict=True)])
    for seat, carries, free, has in zip(queue, sizes, left, taken, strict=True):
        s.left[seat], s.taken[seat] = free, has
        if free > carries:
            raise shop.fail("left", f"the chef of seat {seat} carries {carries}")
        if not carries - free <= has <= carries - free + uncounted(box, s, seat):
            raise shop.fail("taken", f"the chef of seat {seat} can still carry {free} of {carries}")
    gone = False
    for seat in range(box.players):
        chef = chef_at(s, seat, place)
        if chef >= 0 and queue_of(box, s, seat) > s.line:
            s.left[seat] = capacity(box, s, chef)
        gone |= chef >= 0 and s.left[seat] == 0
    s.first_pick = shop.get("first_pick", bool, any(taken))
    if s.first_pick and not gone and not any(taken):
        raise shop.fail("first_pick", "must be false: no chef has taken anything")
    if any(taken) and not s.first_pick and place != L.TRUCK:  # there it may be soup
        raise shop.fail("first_pick", "must be true: a chef has taken something")
    if not may_take_something(box, s, s.turn):
        raise shop.fail("queue", f"there is nothing that seat {s.turn} may take")


def uncounted(box: Record, s: Record, seat: int) -> int:
    """The spices that the chef of a seat may have taken beside what it carries."""
    if not (sous_is_here(s, seat) and box.spices_free[s.sous]):
        return 0
    return sum(s.stock[seat, L.INGREDIENTS :])


def lay_all(
    d: Draft,
    given: Reader,
    key: str,
    names: Iterable[str],
    legal: Callable[..., Any],
    lay: Callable[..., Any],
) -> None:
    """Let the seat on turn lay what is named, as it could in play."""
    mask = np.zeros(L.ACTIONS, np.int8)
    for name in names:
        mask[:] = 0
        legal(d.box, d.s, mask)
        if not mask[ACTION_NUMBERS[name]]:
            could = ", ".join(ACTION_NAMES[action] for action in np.flatnonzero(mask))
            raise given.fail(key, f"{name} cannot be laid there; legal: {could}")
        lay(d.box, d.s, ACTION_NUMBERS[name])


def sorted_items(given: Reader, key: str, items: Iterable[str], names: Sequence[str]) -> list[str]:
    """The names of what lies on a plate, by kind."""
    return sorted(items, key=lambda item: number_in(given, key, item, names, "item of a meal"))


def read_challenge_meals(d: Draft) -> None:
    """What lies on the plates, served or on the one that is being laid."""
    box, s, turn = d.box, d.s, d.s.turn
    current = of_seats(d, "current_plates", int)[turn] or 1
    d.compare("current_plates")
    for seat, tables in enumerate(of_seats(d, "plates", list)):
        clear_table(box, s, seat)
        if len(tables) > L.PLATES:
            raise d.fail(f"plates.{seat}", f"can be {L.PLATES}, got {len(tables)}")
        for number, table in enumerate(tables, 1):
            laid = Reader(table, f"{d.where}: plates.{seat}.{number - 1}", d.error, ("items", "served"))
            items = sorted_items(laid, "items", laid.items("items", None, str, []), PLATE_NAMES)
            served = ["serve"] * laid.get("served", bool, False)
            if served and (seat, number) >= (turn, current):
                raise laid.fail("served", "this plate cannot have been served")
            if items and not served and (seat, number) != (turn, current):
                raise laid.fail(
                    "items", "must be empty: only meals served and the plate being laid hold something"
                )
            s.turn, s.plate = seat, number - 1
            lay_all(d, laid, "items", items + served, legal_challenge, lay_challenge)
    s.turn, s.plate = turn, min(max(current, 1), L.PLATES) - 1
    go_on(box, s)


def read_refrigeration(d: Draft) -> None:
    go_on(d.box, d.s)


def read_critic_meal(d: Draft) -> None:
    box, s = d.box, d.s
    course = of_seats(d, "current_courses", str)[s.turn]
    course = number_in(d, "current_courses", course, L.TYPE_NAMES, "course") if course else 0
    d.compare("current_courses")
    read_meals(d)
    s.course = course
    for seat in range(s.turn + 1, box.players):
        if s.plates[seat].any() or s.pairs[seat].any():
            raise d.fail(f"meals.{seat}", "must be empty: the seat has not laid its meal yet")
    go_on(box, s)


def read_meals(d: Draft) -> None:
    """The courses from left to right, then what is paired with them."""
    box, s, turn = d.box, d.s, d.s.turn
    paired_type = L.TYPE_NAMES[box.paired_type[s.critic]]
    meals, pairs = of_seats(d, "meals", list), of_seats(d, "pairs", dict)
    for seat, (items, paired) in enumerate(zip(meals, pairs, strict=True)):
        clear_table(box, s, seat)
        s.turn, meal, pairing = seat, f"meals.{seat}", f"pairs.{seat}"
        for item in sorted_items(d, meal, items, PREPARED_NAMES):
            s.course = L.TYPE_NAMES.index(item.split()[0])
            lay_all(d, d, meal, [item], legal_course, lay_course)
        for name, value in paired.items():
            s.course = number_in(d, pairing, name, L.TYPE_NAMES, "course")
            token = INGREDIENT_NAMES[
                number_in(d, pairing, f"{paired_type} {value}", INGREDIENT_NAMES, "token")
            ]
            lay_all(d, d, pairing, [token], legal_course, lay_course)
    d.compare("pairs")
    s.turn, s.course = turn, 0


def read_end(d: Draft) -> None:
    read_meals(d)
    d.s.winner = winner(d.box, d.s)


READ = (
    read_planning,
    read_shopping,
    read_challenge_meals,
    read_refrigeration,
    read_critic_meal,
    read_end,
)


def read_what_the_phase_has(d: Draft) -> None:
    READ[d.s.phase](d)


PREPARED_NAMES = tuple(name + way for name in INGREDIENT_NAMES for way in PREPARED)
PLATE_NAMES = (*PREPARED_NAMES, "soup", "bisque")
POSITION = (
    begin,
    Values("round", start=lambda box: 1),
    read_phase,
    read_tokens,
    read_challenges,
    read_sous_chefs,
    read_belongings,
    read_rumours,
    read_what_the_phase_has,
)
