"""What everybody, a seat, and nobody sees of a position, as plain values."""

from collections.abc import Callable
from typing import Any

from foodenvs.core.notation import UNKNOWN
from foodenvs.engine import Record
from foodenvs.games.critter_kitchen.cards import CHEF_NAMES, RUMOUR_NAMES, TYPE_NAMES
from foodenvs.games.critter_kitchen.layout import (
    CHALLENGES,
    CHEFS,
    CRITIC,
    OVER,
    PHASES,
    PLANNING,
    PLATES,
    RUMOURS,
    SHOPPING,
    STOCK,
    TYPES,
)
from foodenvs.games.critter_kitchen.supply import is_open, knows
from foodenvs.games.critter_kitchen.words.names import (
    INGREDIENT_NAMES,
    KIND_NAMES,
    PHASE_NAMES,
    PREPARED,
    card_name,
    marked,
    place_names,
    tokens,
)


def public(box: Record, s: Record) -> dict[str, Any]:
    """What everybody sees. "" stands for a card that is not there; seats have their numbers.

    critic           the critic's card
    priority         the seats on the track, nearest to the door first
    rumours          the three rumour cards, "?" for one face down
    face_up          for each of them whether it lies open
    challenges       the day's opened challenge cards
    past_challenges  those of days before
    academy_sous     the sous chef at the academy
    past_sous        the sous chefs out of the game
    truck_bisque     whether the truck has a bisque
    bisque_supply    how many bisques the supply has
    locations        what lies on each location, in the order in which they are resolved
    in_bag           the tokens in the bag, by kind
    removed          the rumour tokens out of the game
    seats            what each seat owns: see `seat_table`
    shop             shopping: the location being resolved, the seats in the queue there, for each of them
                     what its chef can still carry (left) and has taken, and whether an item is gone; else {}

    And the lists by seat of OF_SEATS, except in the phases in which they are secret.
    """
    rumours, challenges, sous = box.rumour_names, box.challenge_names, box.sous_names
    face_up = [bool(is_open(box, s, rumour)) for rumour in range(RUMOURS)]
    today = [card for card in s.challenges if card >= 0]
    past = [seen and card not in today for card, seen in enumerate(s.seen_challenges)]
    return {
        "phase": PHASE_NAMES[s.phase],
        "round": s.round,
        "critic": card_name(box.critic_names, s.critic),
        "priority": list(s.priority)[: box.players],
        "rumours": [
            card_name(rumours, card) if up else UNKNOWN for card, up in zip(s.rumours, face_up, strict=True)
        ],
        "face_up": face_up,
        "challenges": [card_name(challenges, card) for card in today],
        "past_challenges": marked(challenges, past),
        "academy_sous": card_name(sous, s.academy_sous),
        "past_sous": marked(sous, s.gone_sous),
        "truck_bisque": bool(s.truck_bisque),
        "bisque_supply": s.bisque_supply,
        "locations": {name: tokens(s.items[place]) for place, name in enumerate(place_names(box))},
        "in_bag": tokens(s.bag_count),
        "removed": tokens(s.removed, RUMOUR_NAMES),
        "seats": [seat_table(box, s, seat) for seat in range(box.players)],
        "shop": shop_table(box, s),
    } | {
        key: [of_seat(box, s, seat) for seat in range(box.players)]
        for key, of_seat, secret_in in OF_SEATS
        if s.phase not in secret_in
    }


def private(box: Record, s: Record, seat: int) -> dict[str, Any]:
    """What only `seat` sees: its part of the lists of OF_SEATS, in the phases in which they are secret."""
    return {key: of_seat(box, s, seat) for key, of_seat, secret_in in OF_SEATS if s.phase in secret_in}


def deduced(box: Record, s: Record, seat: int, other: int) -> dict[str, Any]:
    """Whose restaurateur has no private rumour is known by the restaurateurs, which lie open."""
    return {"private_rumours": ""} if s.private[other] < 0 and s.phase != OVER else {}


def face_down(box: Record, s: Record) -> dict[str, Any]:
    """The rumours by name, the cards of the rounds to come, and the tokens of the bag, the next one first."""
    return {
        "rumours": [card_name(box.rumour_names, card) for card in s.rumours],
        "challenge_deck": [card_name(box.challenge_names, card) for card in s.challenge_deck if card >= 0],
        "sous_deck": [card_name(box.sous_names, card) for card in s.sous_deck if card >= 0],
        "bag": [KIND_NAMES[s.bag[i]] for i in range(s.bag_size - 1, -1, -1)],
    }


def seat_table(box: Record, s: Record, seat: int) -> dict[str, Any]:
    """What all have seen a seat take, that on pending plates included.

    stock: ingredients and spices.  rumours: the numbers of those that it holds; wilds: of them, by a wild
    token.  sous, student: its sous chef at work, and the one taken this round.  quality: of the final score,
    0 before.
    """
    return {
        "stock": tokens(s.stock[seat], KIND_NAMES[:STOCK]),
        "soup": s.soup[seat],
        "bisque": s.bisque[seat],
        "rumours": [rumour + 1 for rumour in range(RUMOURS) if s.tokens[seat, rumour]],
        "wilds": [rumour + 1 for rumour in range(RUMOURS) if s.tokens[seat, rumour] == 2],
        "stars": s.stars[seat],
        "restaurateur": card_name(box.owner_names, s.restaurateur[seat]),
        "sous": card_name(box.sous_names, s.sous) if s.sous_owner == seat else "",
        "student": card_name(box.sous_names, s.student) if s.student_owner == seat else "",
        "quality": s.quality[seat],
    }


def shop_table(box: Record, s: Record) -> dict[str, Any]:
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


# --- by seat, secret in some phases --------------------------------------------------------------


def plan(box: Record, s: Record, seat: int) -> dict[str, str]:
    """The location of each chef that has one."""
    places = place_names(box)
    return {CHEF_NAMES[chef]: places[s.plan[seat, chef]] for chef in CHEFS if s.plan[seat, chef] >= 0}


def plates(box: Record, s: Record, seat: int) -> list[dict[str, Any]]:
    """The challenge plates: what lies on each, and whether it is closed as a meal."""
    return [
        {"items": plate_items(s, seat, plate), "served": bool(s.served[seat, plate])}
        for plate in range(PLATES if s.phase == CHALLENGES else 0)
    ]


def plate_items(s: Record, seat: int, plate: int) -> list[str]:
    """What lies on a plate: ingredients with their spices, then soup and bisque."""
    items = [
        name + prepared
        for name, counts in zip(INGREDIENT_NAMES, s.plates[seat, plate].T.tolist(), strict=True)
        for prepared, count in zip(PREPARED, counts, strict=True)
        for _ in range(count)
    ]
    soup, bisque = s.plate_soup[seat, plate]
    return items + ["soup"] * soup + ["bisque"] * bisque


def current_plate(box: Record, s: Record, seat: int) -> int:
    """The number of the challenge plate that the seat is laying, from 1; 0 if it lays none now."""
    return s.plate + 1 if s.phase == CHALLENGES and seat == s.turn else 0


def meal(box: Record, s: Record, seat: int) -> list[str]:
    """What it has laid for the critic."""
    return plate_items(s, seat, 0) if s.phase in (CRITIC, OVER) else []


def current_course(box: Record, s: Record, seat: int) -> str:
    """The course of the critic meal that the seat is laying; "" if it lays none now."""
    return TYPE_NAMES[s.course] if s.phase == CRITIC and seat == s.turn else ""


def pairs(box: Record, s: Record, seat: int) -> dict[str, int]:
    """The value of the token paired with each course that has one."""
    return {TYPE_NAMES[c]: s.pairs[seat, c] for c in range(TYPES) if s.pairs[seat, c]}


def private_rumour(box: Record, s: Record, seat: int) -> str:
    """The private rumour of its restaurateur; "" without one."""
    return card_name(box.rumour_names, s.private[seat])


def known_rumours(box: Record, s: Record, seat: int) -> list[str]:
    """The three rumours as the seat knows them: "?" for a card that it has not seen."""
    return [
        card_name(box.rumour_names, s.rumours[rumour]) if knows(box, s, seat, rumour) else UNKNOWN
        for rumour in range(RUMOURS)
    ]


BEFORE_THE_END = tuple(phase for phase in PHASES if phase != OVER)
# Key, what a seat has under it, the phases in which the others do not see it.
OF_SEATS: tuple[tuple[str, Callable[[Record, Record, int], Any], tuple[int, ...]], ...] = (
    ("plans", plan, (PLANNING,)),  # CK-20
    ("plates", plates, (CHALLENGES,)),  # CK-65
    ("current_plates", current_plate, (CHALLENGES,)),
    ("meals", meal, (CRITIC,)),  # CK-70
    ("current_courses", current_course, (CRITIC,)),
    ("pairs", pairs, (CRITIC,)),
    ("private_rumours", private_rumour, BEFORE_THE_END),  # CK-92
    ("known_rumours", known_rumours, BEFORE_THE_END),  # CK-40
)


_GONE = "is out of the game, and a table has what lies on it"
_REVEALED = "is shown at the end, when nobody acts any more; an observation has the seat's own"
NOT_SHOWN = {
    "observation": {
        "meals": _REVEALED,
        "pairs": _REVEALED,
        "private_rumours": _REVEALED,
        "seats.*.quality": _REVEALED,
    },
    "text": {"past_challenges": _GONE, "past_sous": _GONE, "removed": _GONE},
    "picture": {"past_challenges": _GONE, "past_sous": _GONE, "removed": _GONE},
    "alone": {
        "phase": "what lies where follows the phase",
        "round": "as many cards have been opened as rounds have begun",
        "private_rumours": "a single restaurateur has one, in games with restaurateurs",
    },
}
