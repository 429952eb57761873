"""The names of actions, tokens and places, and what everybody, a seat, and nobody sees of a position."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from foodenvs.core.notation import UNKNOWN, seat_name
from foodenvs.core.renewal import by_name, the_same
from foodenvs.core.views import View
from foodenvs.engine import Record
from foodenvs.games.critter_kitchen import layout as L
from foodenvs.games.critter_kitchen.rules.cards import names_of
from foodenvs.games.critter_kitchen.rules.supply import bisque_supply, is_open, knows

INGREDIENT_NAMES = tuple(f"{name} {L.LOWEST + v}" for name in L.TYPE_NAMES for v in range(L.VALUES))
KIND_NAMES = (*INGREDIENT_NAMES, *L.SPICE_NAMES, *L.RUMOUR_NAMES)
PREPARED = ("", " spiced", " allspiced")
PHASE_NAMES = ("planning", "shopping", "challenges", "refrigeration", "critic", "over")
ACTION_NAMES = (
    *(name + way for way in PREPARED for name in INGREDIENT_NAMES),
    *L.SPICE_NAMES,
    *L.RUMOUR_NAMES[:L.RUMOURS],
    *(f"wild {rumour + 1}" for rumour in range(L.RUMOURS)),
    "soup", "bisque", "sous_chef", "home", "serve", "skip", "next",
    *(f"{chef} {location}" for chef in L.CHEF_NAMES for location in L.LOCATION_NAMES),
)  # fmt: skip
ACTION_NUMBERS = {name: action for action, name in enumerate(ACTION_NAMES)}
ACTION_RANGES = (
    (0, L.INGREDIENTS - 1, "take it; put it on the plate unspiced; pair it (wine, Fruit Bat); discard it"),
    (L.SPICED_ACTION, L.ALLSPICED_ACTION - 1, "put it on the plate with a spice of its type"),
    (L.ALLSPICED_ACTION, L.SPICE_ACTION - 1, "put it on the plate with an allspice"),
    (L.SPICE_ACTION, L.RUMOUR_ACTION - 1, "take or discard this spice"),
    (L.RUMOUR_ACTION, L.WILD_ACTION - 1, "take this rumour token"),
    (L.WILD_ACTION, L.SOUP_ACTION - 1, "take a wild token and hold this rumour by it"),
    (L.SOUP_ACTION, L.BISQUE_ACTION, "take it from the Soup Truck; add it to the challenge plate"),
    (L.SOUS_ACTION, L.SOUS_ACTION, "take the sous chef from the academy"),
    (L.HOME_ACTION, L.HOME_ACTION, "one soup instead of items, and home"),
    (L.SERVE_ACTION, L.SERVE_ACTION, "close this challenge plate as a meal"),
    (L.SKIP_ACTION, L.SKIP_ACTION, "no meal for this challenge; its plate is cleared"),
    (L.NEXT_ACTION, L.NEXT_ACTION, "go to the next course of the critic meal"),
    (L.PLACE_ACTION, L.ACTIONS - 1, "send this chef, the next to be placed, to this location"),
)


def action_name(box: Record, action: int) -> str:
    """`bread 7`, `bread 7 spiced`, `allspice`, `wild 1`, `home`, `mouse chef_academy` and so on."""
    return ACTION_NAMES[action]


def parse_action(box: Record, text: str) -> int:
    """The inverse of `action_name`; ValueError for any other text."""
    if text not in ACTION_NUMBERS:
        raise ValueError(f"unknown action {text!r}; actions are like {', '.join(ACTION_NAMES[::25])}")
    return ACTION_NUMBERS[text]


def place_names(box: Record) -> list[str]:
    """The names of the locations of this game, by place."""
    return [*L.LOCATION_NAMES[: box.players + 1], *L.LOCATION_NAMES[-2:]]


def card_name(names: Any, card: int) -> str:
    """The name of a card; "" for -1."""
    return names_of(names)[card] if card >= 0 else ""


def marked(names: Any, flags: Iterable[Any]) -> list[str]:
    """The names of the cards whose flag is set, in table order."""
    return [name for name, flag in zip(names_of(names), flags, strict=False) if flag]


def tokens(counts: Iterable[int], names: Sequence[str] = KIND_NAMES) -> list[str]:
    """The names of tokens given by their number per kind, in kind order."""
    return [name for name, n in zip(names, counts, strict=True) for _ in range(n)]


# --- views, as plain values -----------------------------------------------------------------------


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
                     what its chef can still carry (left) and has taken, and whether an item but soup is
                     gone; else {}

    And the lists by seat of OF_SEATS, except in the phases in which they are secret.
    """
    rumours, challenges, sous = box.rumour_names, box.challenge_names, box.sous_names
    face_up = [bool(is_open(box, s, rumour)) for rumour in range(L.RUMOURS)]
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
        "bisque_supply": bisque_supply(box, s),
        "locations": {name: tokens(s.items[place]) for place, name in enumerate(place_names(box))},
        "in_bag": tokens(s.bag_count),
        "removed": tokens(s.removed, L.RUMOUR_NAMES),
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
    return {"private_rumours": ""} if s.private[other] < 0 and s.phase != L.OVER else {}


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
        "stock": tokens(s.stock[seat], KIND_NAMES[: L.STOCK]),
        "soup": s.soup[seat],
        "bisque": s.bisque[seat],
        "rumours": [rumour + 1 for rumour in range(L.RUMOURS) if s.tokens[seat, rumour]],
        "wilds": [rumour + 1 for rumour in range(L.RUMOURS) if s.tokens[seat, rumour] == 2],
        "stars": s.stars[seat],
        "restaurateur": card_name(box.owner_names, s.restaurateur[seat]),
        "sous": card_name(box.sous_names, s.sous) if s.sous_owner == seat else "",
        "student": card_name(box.sous_names, s.student) if s.student_owner == seat else "",
        "quality": s.quality[seat],
    }


def shop_table(box: Record, s: Record) -> dict[str, Any]:
    if s.phase != L.SHOPPING:
        return {}
    queue = list(s.queue)[: s.queue_size]
    return {
        "location": place_names(box)[s.here],
        "queue": queue,
        "left": [s.left[seat] for seat in queue],
        "taken": [s.taken[seat] for seat in queue],
        "first_pick": bool(s.first_pick),
    }


def queue_of(box: Record, view: View, seat: int, chef: str) -> int:
    """The number of the queue in which a seat's chef stands, wherever it goes (CK-23)."""
    number = L.CHEF_NAMES.index(chef)
    if number != L.SOUS:
        return int(box.capacity[number])
    card = names_of(box.sous_names).index(view["seats"][seat]["sous"])
    return 0 if box.own_queue[card] else int(box.sous_capacity[card])


# --- by seat, secret in some phases --------------------------------------------------------------


def plan(box: Record, s: Record, seat: int) -> dict[str, str]:
    """The location of each chef that has one."""
    places = place_names(box)
    return {L.CHEF_NAMES[chef]: places[s.plan[seat, chef]] for chef in L.CHEFS if s.plan[seat, chef] >= 0}


def plates(box: Record, s: Record, seat: int) -> list[dict[str, Any]]:
    """The challenge plates: what lies on each, and whether it is closed as a meal."""
    return [
        {"items": plate_items(s, seat, plate), "served": bool(s.served[seat, plate])}
        for plate in range(L.PLATES if s.phase == L.CHALLENGES else 0)
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
    return s.plate + 1 if s.phase == L.CHALLENGES and seat == s.turn else 0


def meal(box: Record, s: Record, seat: int) -> list[str]:
    """What it has laid for the critic."""
    return plate_items(s, seat, 0) if s.phase in (L.CRITIC, L.OVER) else []


def current_course(box: Record, s: Record, seat: int) -> str:
    """The course of the critic meal that the seat is laying; "" if it lays none now."""
    return L.TYPE_NAMES[s.course] if s.phase == L.CRITIC and seat == s.turn else ""


def pairs(box: Record, s: Record, seat: int) -> dict[str, int]:
    """The value of the token paired with each course that has one."""
    return {L.TYPE_NAMES[c]: s.pairs[seat, c] for c in range(L.TYPES) if s.pairs[seat, c]}


def private_rumour(box: Record, s: Record, seat: int) -> str:
    """The private rumour of its restaurateur; "" without one."""
    return card_name(box.rumour_names, s.private[seat])


def known_rumours(box: Record, s: Record, seat: int) -> list[str]:
    """The three rumours as the seat knows them: "?" for a card that it has not seen."""
    return [
        card_name(box.rumour_names, s.rumours[rumour]) if knows(box, s, seat, rumour) else UNKNOWN
        for rumour in range(L.RUMOURS)
    ]


BEFORE_THE_END = tuple(phase for phase in L.PHASES if phase != L.OVER)
# Key, what a seat has under it, the phases in which the others do not see it.
OF_SEATS: tuple[tuple[str, Callable[[Record, Record, int], Any], tuple[int, ...]], ...] = (
    ("plans", plan, (L.PLANNING,)),  # CK-20
    ("plates", plates, (L.CHALLENGES,)),  # CK-65
    ("current_plates", current_plate, (L.CHALLENGES,)),
    ("meals", meal, (L.CRITIC,)),  # CK-70
    ("current_courses", current_course, (L.CRITIC,)),
    ("pairs", pairs, (L.CRITIC,)),
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


# --- keys of the version before ------------------------------------------------------------------


def unless_empty(value: Any) -> Any:
    """Nothing was shown for what its viewer did not see, too."""
    return value or None


def as_list(value: int) -> list[int]:
    """The winner, -1 for none, in a list."""
    return [value] if value != -1 else []


def of_the_seat_on_turn(view: dict[str, Any]) -> list[str]:
    """The plate and the course of the seat on turn become lists by seat."""
    names = [seat_name(seat) for seat in range(L.SEATS)]
    old: list[str] = [key for key in ("plate", "course") if key in view]
    for key in old:
        value, turn = view.pop(key), view.get("turn", names[0])
        if value and turn in names:
            view[f"current_{key}s"] = [None] * names.index(turn) + [value]
    return old


RENAMED = (
    ("turn", "turn", by_name),
    ("winner", "winners", as_list),
    ("seats.*.plan", "plans.*", unless_empty),
    ("seats.*.plates", "plates.*", unless_empty),
    ("seats.*.meal", "meals.*", unless_empty),
    ("seats.*.pairs", "pairs.*", unless_empty),
    ("seats.*.private_rumour", "private_rumours.*", the_same),
    of_the_seat_on_turn,
)
