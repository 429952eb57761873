"""Fast Food Fury in words: actions, positions, and the table as text.

A card is called by what it shows and its number: `salami-3`, `sauce_square-1`. What a seat sees has no
numbers, since these tell the other side: `salami/circle`, `sauce_square`, and an order as its text.
"""

import functools
import textwrap
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from foodenvs.core.notation import seat_name
from foodenvs.core.renewal import by_name
from foodenvs.core.views import Draft, Values, View
from foodenvs.engine import Record, attributes, shuffled
from foodenvs.games.fast_food_fury.information import is_turned, random_choice
from foodenvs.games.fast_food_fury.rules import (
    ACTIONS,
    ANY_BURGER,
    DECK,
    DISCARD,
    DISCARD_AT,
    DISCARD_JOKER_AT,
    END,
    FAMILIES,
    FRIES,
    HIT,
    HIT_AT,
    HITS,
    JOKER,
    JOKERS,
    KINDS,
    NONE,
    OPEN,
    ORDER_DECK,
    OUT,
    PATTERNS,
    PAYMENT,
    PHASES,
    PILE,
    PLACE,
    PLACE_AT,
    PLACED,
    PLACES,
    PORTION,
    ROW,
    SILHOUETTES,
    SLOTS,
    TABLE,
    TEAMS,
    UNITS,
    WAIT,
    WON,
    choose_hit,
    claims_placeable,
    flip,
    has_chosen,
    icons_left,
    is_free,
    is_sauce,
    joker_fits,
    joker_winner,
    may_choose,
    may_place,
    next_to_choose,
    overflowing,
    row_size,
    sauce_at_stake,
    ways_to_pay,
)

ACTION_RANGES = (
    (WAIT, WAIT, "no (further) hit in this tick"),
    (HIT_AT, PLACE_AT - 1, "hit the card on this place"),
    (PLACE_AT, DISCARD_AT - 1, "put the card or joker in question on the order in this slot"),
    (DISCARD_AT, DISCARD_AT + KINDS - 1, "penalty: give up a product of this kind from slot 0"),
    (DISCARD_AT + KINDS, DISCARD_JOKER_AT - 1, "penalty: give up a product of this kind from slot 1"),
    (DISCARD_JOKER_AT, DISCARD_JOKER_AT + 1, "penalty: give up a joker from this slot (option)"),
)
TEAM_NAMES = "ABC"
RENAMED = (("turn", "turn", by_name),)
ALSO_READ = ("seen",)  # cards by number that were seen and lie in decks or are won


# --- names -------------------------------------------------------------------------------------


class Names:
    """How the cards of a box are called, each list by card or face number.

    faces: what a card may show, the kinds (`kind_9` where a box has fewer than 16), then `sauce_PATTERN`.
    cards: with their numbers.  looks: as they lie on the table, `salami/circle`.  orders: their other side,
    `PAYMENT: SIDE`.  called: the cards that each of these may stand for.  rank: the order to list them in.
    """

    def __init__(self, box: Record) -> None:
        patterns = [word(letters) for letters in box.pattern_name]
        kinds = [word(letters) or f"kind_{kind}" for kind, letters in enumerate(box.kind_name)]
        self.faces = kinds + [f"sauce_{pattern}" for pattern in patterns]
        self.cards = [f"{self.faces[box.face[card]]}-{box.number[card]}" for card in range(box.cards)]
        self.looks = [
            self.faces[box.face[card]] + (f"/{patterns[box.pattern[card]]}" if card < box.fastfood else "")
            for card in range(box.cards)
        ]
        self.orders = [
            f"{box.side[card, PAYMENT]}: {self.order_side(box, card)}" for card in range(box.fastfood)
        ]
        self.called: dict[str, list[int]] = {}
        for names in (self.cards, self.looks, self.orders):
            for card, name in enumerate(names):
                self.called.setdefault(name, []).append(card)
        by_look = [self.looks[card] for card in list(box.grouped)[: box.cards]]
        lists = (self.cards, dict.fromkeys(by_look), sorted(set(self.orders)))
        self.rank = {name: rank for names in lists for rank, name in enumerate(names)}

    def order_side(self, box: Record, card: int) -> str:
        """An order side as printed in the component file: `2 any_burger, 1 medium_fries`."""
        side, parts, shown = box.side[card], [], set()
        for kind in range(box.kinds):
            family = box.family[kind]
            name = FAMILIES[family]
            if name in SILHOUETTES and family not in shown:
                number = side[ANY_BURGER + list(SILHOUETTES).index(name)]
                parts += [f"{number} {SILHOUETTES[name]}"] if number else []
                shown.add(family)
            if family != FRIES:
                number = side[box.column[kind]]
                parts += [f"{number} {self.faces[kind]}"] if number else []
            elif family not in shown and box.amount[kind] == side[PORTION]:
                parts.append(f"{side[UNITS] // side[PORTION]} {self.faces[kind]}")
                shown.add(family)
        return ", ".join(parts)


def word(letters: Iterable[int]) -> str:
    return bytes(int(letter) for letter in letters if letter).decode()


def names_of(box: Record) -> Names:
    """The names of a box, worked out once."""
    return _names(box.tobytes(), box.dtype)


@functools.lru_cache(maxsize=32)
def _names(content: bytes, dtype: np.dtype) -> Names:
    return Names(attributes(np.frombuffer(content, dtype))[0])


def team_table(box: Record, value: Callable[[int], Any]) -> dict[str, Any]:
    """`{team: value(number)}` for every team."""
    return {TEAM_NAMES[team]: value(team) for team in range(box.teams)}


def action_name(box: Record, action: int) -> str:
    """`wait`, `hit PLACE`, `place SLOT`, `discard SLOT KIND` or `discard SLOT joker`."""
    if action == WAIT:
        return "wait"
    if action < PLACE_AT:
        return f"hit {action - HIT_AT}"
    if action < DISCARD_AT:
        return f"place {action - PLACE_AT}"
    if action >= DISCARD_JOKER_AT:
        return f"discard {action - DISCARD_JOKER_AT} joker"
    slot, kind = divmod(action - DISCARD_AT, KINDS)
    return f"discard {slot} {names_of(box).faces[kind]}"


def parse_action(box: Record, text: str) -> int:
    """The inverse of `action_name`; ValueError for any other text."""
    names = [action_name(box, action) for action in range(ACTIONS)]
    if text not in names:
        raise ValueError(
            f"unknown action {text!r}; actions are wait, hit 0 .. hit 5, place 0, place 1, "
            "discard 0 KIND, discard 1 KIND, discard 0 joker, discard 1 joker"
        )
    return names.index(text)


_PATTERN = "the pattern of a card counts while it lies on the table"
_PAID = "payments are shown by their sum and number"
_SIZES = "decks and piles are shown by their sizes"
_ORDER = "the order of the own hits of a tick does not count"
_DECIDED = "the tie is decided already"
NOT_SHOWN = {
    "observation": {
        "round": "at most 127 rounds to come are shown",
        "turned": _DECIDED,
        "chosen": "a tick is one moment: how far a seat is in it does not count",
        "placed": _PATTERN,
        "rows": _PATTERN,
        "won": _PAID,
        "overflow": "a seat is shown when its turn to discard has come",
        "discards": _PATTERN,
        "deck_known": _PATTERN,
        "choices": _ORDER,
    },
    "text": {"won": _PAID, "from_piles": _PAID, "credit": _PAID, "deck_known": _PATTERN},
    "picture": {
        "turned": _DECIDED,
        "placed": _PATTERN,
        "rows": _PATTERN,
        "won": _PAID,
        "from_piles": _PAID,
        "credit": _PAID,
        "overflow": "a seat is shown when its turn to discard has come",
        "discards": _SIZES,
        "deck_known": _SIZES,
        "choices": _ORDER,
    },
    "alone": {
        "turned": "few orders are on cards that look alike",
        "overflow": "few positions have one, and few seats may have it",
    },
}


# --- what is seen ------------------------------------------------------------------------------


def public(box: Record, s: Record) -> dict[str, Any]:
    """What everybody sees, with perfect memory.

    tick: of the round.  orders: of each slot, "" where there is none.  orders_left: in the order deck.
    table: the card on each place, "" where there is none.  turned: its other side where it was turned over in
    the tie about the joker in question (FF-29), else "".  claims: `[place, seat]` of each hit card in landing
    order.  hits_left: of each seat.  chosen: hits that the seat on turn has chosen in this tick so far.
    placed: of each team the cards on each order.  rows: before its trash can.  won: the orders that it took.
    from_piles: those of them that came from the piles (FF-23).  credit: payments without a card.
    overflow: of each team that has to discard the seat that decides.  earned, completed: sum and number of
    its payments.  deck_sizes: of each place.  discards: its pile.  deck_known: the cards in its deck that
    were seen.  unseen: how many cards of a kind or sauce were never seen.
    """
    names, seats, places = names_of(box), range(box.players), range(box.places)
    cards = open_cards(box, s, names.looks, names.orders)
    turned = [names.orders[s.table[place]] if is_turned(box, s, place) else "" for place in places]
    return {
        "phase": PHASES[s.phase],
        "round": s.round,
        "tick": s.tick,
        "orders": cards["orders"],
        "orders_left": s.orders_left,
        "table": cards["table"],
        "turned": turned,
        "claims": [[s.claim_place[k], s.claim_seat[k]] for k in range(s.claims)],
        "hits_left": [s.hits_left[seat] for seat in seats],
        "chosen": len(chosen_by(box, s, s.turn)),
        "placed": cards["placed"],
        "rows": cards["rows"],
        "won": cards["won"],
        "from_piles": cards["from_piles"],
        "credit": team_table(box, lambda team: [payment for payment in s.credit[team] if payment]),
        "overflow": {
            TEAM_NAMES[team]: s.overflow[team] for team in range(box.teams) if s.overflow[team] != NONE
        },
        "earned": team_table(box, lambda team: s.earned[team]),
        "completed": team_table(box, lambda team: s.completed[team]),
        "deck_sizes": [s.deck_size[place] for place in places],
        "discards": cards["discards"],
        "deck_known": cards["deck_known"],
        "unseen": {name: number for name, number in zip(names.faces, s.unseen, strict=True) if number},
    }


def private(box: Record, s: Record, seat: int) -> dict[str, Any]:
    """choices: what `seat` has chosen in this tick."""
    return {"choices": chosen_by(box, s, seat)}


def face_down(box: Record, s: Record) -> dict[str, Any]:
    """The cards that all see, by number, and those that nobody sees.

    order_deck, decks: from the top.  sauces_out: those not in play.
    """
    numbered = names_of(box).cards
    where = list(s.where)[: box.cards]

    def top_first(cards: Sequence[int], size: int) -> list[str]:
        return [numbered[cards[k]] for k in range(size - 1, -1, -1)]

    return open_cards(box, s, numbered, numbered) | {
        "order_deck": top_first(s.order_deck, s.orders_left),
        "decks": [top_first(s.decks[place], s.deck_size[place]) for place in range(box.places)],
        "sauces_out": [name for name, there in zip(numbered, where, strict=True) if there == OUT],
    }


def open_cards(box: Record, s: Record, product: Sequence[str], order: Sequence[str]) -> dict[str, Any]:
    """The cards that all see, by key: each as its product side is called, or its order side [card]."""
    rank = names_of(box).rank
    lying: list[list[int]] = [[] for _ in range(PLACED + SLOTS * TEAMS)]
    for card, there in enumerate(list(s.where)[: box.cards]):
        lying[there].append(card)

    def called(names: Sequence[str], cards: Iterable[int]) -> list[str]:
        return sorted((names[card] for card in cards), key=rank.__getitem__)

    def seen(there: int) -> list[int]:
        return [card for card in lying[there] if s.seen[card]]

    return {
        "orders": ["" if card == NONE else order[card] for card in s.orders],
        "table": ["" if s.table[place] == NONE else product[s.table[place]] for place in range(box.places)],
        "placed": team_table(
            box, lambda team: [called(product, lying[PLACED + SLOTS * team + k]) for k in range(SLOTS)]
        ),
        "rows": team_table(box, lambda team: called(product, lying[ROW + team])),
        "won": team_table(box, lambda team: called(order, lying[WON + team])),
        "from_piles": team_table(box, lambda team: called(order, seen(WON + team))),
        "discards": [called(product, lying[PILE + place]) for place in range(box.places)],
        "deck_known": [called(product, seen(DECK + place)) for place in range(box.places)],
    }


def chosen_by(box: Record, s: Record, seat: int) -> list[str]:
    """The names of what a seat has chosen in this tick."""
    return [action_name(box, action) for action in s.choice[seat] if seat >= 0 and action != NONE]


# --- a position from its view ------------------------------------------------------------------


class Spots:
    """Where all cards lie, in the order in which a position tells of them.

    all: of each spot the key and the name that tell of it (None: a card to be drawn), where it is, which
    cards it may be, which one match() finds, and whether that was seen though it lies face down.
    cards: of the box, shuffled.
    """

    def __init__(self, d: Draft) -> None:
        self.d, self.called = d, names_of(d.box).called
        self.all: list[SimpleNamespace] = []
        self.cards = shuffled(d.s.rng, list(range(d.box.cards)))
        self.seen = [self.meant("seen", name)[0] for name in d.items("seen", None, None, [])]

    def meant(self, key: str, name: object) -> list[int]:
        """The cards that a name may stand for: one for a number, more for a look."""
        if type(name) is not str or name not in self.called:
            raise self.d.fail(key, f"{name!r} is no card; cards are called like {next(iter(self.called))}")
        return self.called[name]

    def put(self, key: str, names: Sequence[str | None], where: int) -> None:
        """Cards that lie there, each by its name; None for one to be drawn."""
        sauces, products = where == OUT or DECK <= where < ROW or where >= PLACED, where != OUT
        first_sauce = self.d.box.fastfood
        fitting = [card for card in self.cards if (sauces if card >= first_sauce else products)]
        to_draw = [card for card in fitting if where >= WON or card not in self.seen] if None in names else []
        for name in names:
            meant = to_draw if name is None else [card for card in fitting if card in self.meant(key, name)]
            if name is not None and not meant:
                raise self.d.fail(key, f"{name} is {'a' if products else 'no'} sauce and cannot be there")
            self.all.append(
                SimpleNamespace(key=key, name=name, where=where, cards=meant, card=NONE, was_seen=False)
            )

    def know(self, key: str, names: Iterable[str], where: int, complete: bool) -> None:
        """Cards there that were seen: each is one that was told of, else, unless all were, one more."""
        for name in names:
            meant = set(self.meant(key, name))
            here = [spot for spot in self.all if spot.where == where and not spot.was_seen]
            here = [spot for spot in here if meant.intersection(spot.cards)]
            if not here and complete:
                raise self.d.fail(key, f"{name} is none of the cards there")
            if not here:
                self.put(key, [name], where)
                here = self.all[-1:]
            here[0].cards = [card for card in here[0].cards if card in meant]
            here[0].was_seen = True

    def match(self) -> None:
        """Find a card for each spot: where none is free, one that has one takes another."""
        holder: dict[int, SimpleNamespace] = {}

        def serve(spot: SimpleNamespace, tried: set[int]) -> bool:
            for card in sorted(spot.cards, key=holder.__contains__):
                if card not in tried:
                    tried.add(card)
                    if card not in holder or serve(holder[card], tried):
                        holder[card], spot.card = spot, card
                        return True
            return False

        for spot in self.all:
            if not serve(spot, set()):
                raise self.d.fail(spot.key, f"no card is left that is {spot.name or 'open'}")

    def at(self, where: int) -> list[int]:
        """The cards there, in the order in which they were told of."""
        return [spot.card for spot in self.all if spot.where == where]


LISTS = (
    ("table", TABLE), ("placed", PLACED), ("rows", ROW), ("won", WON), ("discards", PILE), ("decks", DECK),
    ("order_deck", ORDER_DECK), ("sauces_out", OUT),
)  # fmt: skip


def read_cards(d: Draft) -> None:
    """Find a card for every spot: for what the position tells of, and for all the rest."""
    box, s, spots = d.box, d.s, Spots(d)
    for names in told(d, "orders"):
        spots.put("orders", names, OPEN)
    for key, there in LISTS:
        for number, names in enumerate(told(d, key)):
            spots.put(key, names, there + number)
    for key, there, of in (("turned", TABLE, "table"), ("from_piles", WON, "won"), ("deck_known", DECK, "")):
        for number, names in enumerate(told(d, key)):
            spots.know(key, names, there + number, of in d)
    d.compare("turned")
    put_the_rest(d, spots)
    spots.match()
    for spot in spots.all:
        s.where[spot.card], s.seen[spot.card] = spot.where, spot.where >= PILE or spot.was_seen
    for card in spots.seen:
        s.seen[card] = True
        if s.where[card] < WON:
            raise d.fail("seen", "names a card of the order deck, an open order or a sauce left out")
    count(box, s)
    opened, order_deck = iter(spots.at(OPEN)), spots.at(ORDER_DECK)
    s.orders[:] = [next(opened) if names else NONE for names in told(d, "orders")]
    for slot, card in enumerate(s.orders):
        s.sides[slot] = box.side[card] if card != NONE else 0
    s.order_deck[: len(order_deck)], s.orders_left = order_deck[::-1], len(order_deck)
    s.table[:] = [card for place in range(PLACES) for card in spots.at(TABLE + place) or [NONE]]
    for place, names in enumerate(told(d, "decks")):
        deck, top = spots.at(DECK + place), len(names)
        deck[top:] = shuffled(s.rng, deck[top:])
        s.decks[place, : len(deck)], s.deck_size[place] = deck[::-1], len(deck)


def told(d: Draft, key: str) -> list[list[Any]]:
    """The lists of cards under a key: one, or those of the slots, places, teams, or slots of each team."""
    places, teams = d.box.places, tuple(TEAM_NAMES[: d.box.teams])
    if key == "orders":
        return [[name] if name != "" else [] for name in d.items(key, SLOTS, None, [None] * SLOTS)]
    if key in ("order_deck", "sauces_out"):
        return [d.items(key, None, None, [])]
    if key in ("table", "turned"):
        return [[name] if name else [] for name in d.items(key, places, str, [""] * places)]
    if key in ("discards", "decks", "deck_known"):
        return d.items(key, places, list, [[]] * places)
    table = d.table(key, teams, {})
    if key == "placed":
        return [names for team in teams for names in table.items(team, SLOTS, list, [[]] * SLOTS)]
    return [table.items(team, None, None, []) for team in teams]


def put_the_rest(d: Draft, spots: Spots) -> None:
    """The cards to be drawn: of order deck and sauces left out, of decks of the sizes given, else equal ones.

    What all these leave goes to the piles.
    """
    box, places, there = d.box, range(d.box.places), Counter(spot.where for spot in spots.all)
    out, usual = box.cards - box.fastfood - box.sauces, box.orders - SLOTS
    if there[OUT] > out:
        raise d.fail("sauces_out", f"{box.sauces} sauces are in play, so fewer can be left out")
    named = there[ORDER_DECK]
    orders_left = d.integer("orders_left", named, box.orders, named if "order_deck" in d else usual)
    spots.put("orders_left", [None] * (orders_left - named), ORDER_DECK)
    spots.put("sauces_out", [None] * (out - there[OUT]), OUT)

    rest, sizes = box.cards - len(spots.all), [there[DECK + place] for place in places]
    for _ in range(rest):
        sizes[sizes.index(min(sizes))] += 1
    sizes = d.integers("deck_sizes", box.places, 0, box.cards, sizes)
    d.compare("deck_sizes")
    missing = [size - there[DECK + place] for place, size in enumerate(sizes)]
    left = rest - sum(missing)
    if min(missing) < 0 or left < 0 or (left > 0 and "discards" in d):
        raise d.fail("deck_sizes", f"must hold the cards named in decks and {rest} more, got {sizes}")
    for place in places:
        spots.put("deck_sizes", [None] * missing[place], DECK + place)
    for _ in range(left):
        fewest = min(places, key=lambda place: there[PILE + place])
        spots.put("discards", [None], PILE + fewest)
        there[PILE + fewest] += 1


def count(box: Record, s: Record) -> None:
    """Write what follows from where the cards are."""
    for card in range(box.cards):
        where, face = s.where[card], box.face[card]
        if not s.seen[card]:
            s.unseen[face] += 1
        elif DECK <= where < PILE:
            s.known[where - DECK, face] += 1
        if WON <= where < DECK:
            s.earned[where - WON] += box.side[card, PAYMENT]
            s.completed[where - WON] += 1
        elif PILE <= where < TABLE:
            s.piles[where - PILE, face] += 1
            s.pile_size[where - PILE] += 1
        elif where >= PLACED:
            team, slot = divmod(where - PLACED, SLOTS)
            s.placed[team, slot, min(face, JOKER)] += 1
        elif where >= ROW:
            s.rows[where - ROW, face] += 1


def read_credit(d: Draft) -> None:
    """Payments without a card."""
    box, s = d.box, d.s
    highest, table = int(d.ranges["credit"][1].max()), d.table("credit", tuple(TEAM_NAMES[: box.teams]), {})
    for team, name in enumerate(TEAM_NAMES[: box.teams]):
        credit = table.integers(name, None, 1, highest, [])
        s.earned[team] += sum(credit)
        s.completed[team] += len(credit)
        if s.completed[team] > box.orders:
            raise d.fail("won", f"a team completes at most {box.orders} orders, got {s.completed[team]}")
        s.credit[team, : len(credit)] = sorted(credit)


def read_phase(d: Draft) -> None:
    """The phase of the round; without a table to hit on the decks are flipped."""
    box, s = d.box, d.s
    s.phase = PHASES.index(d.choice("phase", PHASES, PHASES[HIT]))
    if s.phase == HIT and "table" not in d:
        flip(box, s)
    sauces = [card for card in s.table if card != NONE and is_sauce(box, card)]
    s.sauce_round = s.phase == JOKERS or (s.phase != END and len(sauces) > 0)


def read_claims(d: Draft) -> None:
    """Claims, and the hits that are left: for each place of a seat one, less the claims."""
    box, s = d.box, d.s
    for claim in d.items("claims", None, list, []):
        if [type(value) for value in claim] != [int, int]:
            raise d.fail("claims", f"must be [place, seat], got {claim!r}")
        place, seat = claim
        if not (0 <= place < box.places and 0 <= seat < box.players and is_free(box, s, place)):
            raise d.fail("claims", f"{claim} must be a place with an unclaimed product, and a seat")
        s.claim_place[s.claims], s.claim_seat[s.claims] = place, seat
        s.claims += 1
    claimed = list(s.claim_seat[: s.claims])
    most = [box.hits[seat] - claimed.count(seat) for seat in range(box.players)]
    left = d.integers("hits_left", box.players, 0, HITS, [0 if s.phase == END else max(0, n) for n in most])
    for seat, number in enumerate(left):
        if number > most[seat]:
            raise d.fail(
                "claims", f"seat {seat} has {box.hits[seat]} hits for them and hits_left, got {number}"
            )
    s.hits_left[: box.players] = left


def read_choices(d: Draft) -> None:
    """This tick's secret choices; those that are open, of seats up to the one to act, are made at random."""
    box, s = d.box, d.s
    s.choice[:] = NONE
    choices = d.of_seats("choices", list, [None] * box.players)
    last = max((seat for seat, names in enumerate(choices) if names), default=NONE)
    turn, so_far = d.seat("turn", box.players, last), d.integer("chosen", 0, HITS - 1, 0)
    d.compare("turn")
    d.compare("chosen")
    for seat, names in enumerate(choices):
        while names is None and s.phase == HIT and seat <= turn and may_choose(box, s, seat):
            if seat == turn and len(chosen_by(box, s, seat)) == so_far:
                break
            choose_hit(s, seat, random_choice(box, s, seat, seat < turn))
        for name in names or []:
            free = [k for k in range(box.places) if is_free(box, s, k) and not has_chosen(s, seat, k)]
            may = (WAIT, *(HIT_AT + k for k in free)) if s.phase == HIT and may_choose(box, s, seat) else ()
            options = [action_name(box, action) for action in may]
            if name not in options:
                allowed = ", ".join(options) or "nothing now"
                raise d.fail("choices", f"seat {seat} may choose {allowed}, got {name!r}")
            choose_hit(s, seat, parse_action(box, name))


def read_overflow(d: Draft) -> None:
    """Who decides for the teams that have to discard."""
    box, s = d.box, d.s
    s.overflow[:] = NONE
    table = d.table("overflow", tuple(TEAM_NAMES[: box.teams]), {})
    for name in table.data:
        team, seat = TEAM_NAMES.index(name), table.integer(name, 0, box.players - 1)
        s.overflow[team] = seat
        if box.team[seat] != team:
            raise d.fail("overflow", f"must name a seat of team {name}, got {seat}")
        if s.phase != DISCARD or row_size(s, team) < box.full:
            raise d.fail(
                "overflow", f"takes the phase discard, and {box.full} cards in the row of team {name}"
            )


def check_placed(d: Draft) -> None:
    """What lies on an order fits it, and claims are correct once they have been checked."""
    box, s = d.box, d.s
    for team in range(box.teams):
        for slot in range(SLOTS):
            placed = s.placed[team, slot]
            if any(placed) and icons_left(box, s.sides[slot], placed, NONE, NONE, NONE) == NONE:
                raise d.fail("placed", f"the cards of team {TEAM_NAMES[team]} do not fit order {slot}")
        if s.phase in (DISCARD, PLACE) and not s.sauce_round and not claims_placeable(box, s, team, 0):
            raise d.fail("claims", f"those of team {TEAM_NAMES[team]} are not all correct")


def find_turn(d: Draft) -> None:
    """Whose decision it is; an error where nobody has one."""
    box, s = d.box, d.s
    s.turn = NONE
    if s.phase == END:
        if s.claims or any(s.hits_left) or any(card != NONE for card in s.table):
            raise d.fail("phase", "after the end nothing lies on the table and no hits are left")
        s.truncated = any(order != NONE for order in s.orders)
        s.done = not s.truncated
        return
    if s.phase == HIT and next_to_choose(box, s, 0):
        for seat in range(s.turn + 1, box.players):
            if s.choice[seat, 0] != NONE:
                raise d.fail("choices", f"seat {seat} chooses after seat {s.turn}")
    elif s.phase == DISCARD and any(seat != NONE for seat in s.overflow):
        team = overflowing(box, s)
        if ways_to_pay(box, s, team)[0] > 1:
            s.turn = s.overflow[team]
    elif s.phase == PLACE and s.claims and not s.sauce_round:
        if may_place(box, s, 0) and may_place(box, s, 1):
            s.turn = s.claim_seat[0]
    elif s.phase == JOKERS and sauce_at_stake(box, s) < PATTERNS:
        seat = joker_winner(box, s, sauce_at_stake(box, s))
        if seat != NONE and joker_fits(box, s, seat, 0) and joker_fits(box, s, seat, 1):
            s.turn = seat
    if s.turn == NONE:
        raise d.fail("phase", f"nobody has a decision in the phase {PHASES[s.phase]}")


POSITION = (
    read_cards,
    read_credit,
    Values("round", start=lambda box: 1),
    read_phase,
    Values("tick", start=lambda box: 1),
    read_claims,
    read_choices,
    read_overflow,
    check_placed,
    find_turn,
)


# --- the table as text -------------------------------------------------------------------------


def table(box: Record, view: View, seat: int = -1) -> str:
    """A view (the whole position or a seat's) as text: orders, table, teams, decks; the choices of `seat`."""
    rows: list[str | None] = [f"round {view['round']}, tick {view['tick']}: {standing_text(box, view)}", ""]
    rows.append(f"orders ({view['orders_left']} more in the order deck)")
    rows += [entry(f"  {slot}", order_words(box, order)) for slot, order in enumerate(view["orders"])]
    rows += ["", "table"]
    rows += [entry(f"  {place}", place_words(box, view, place)) for place in range(box.places)]
    rows += ["", "teams"]
    for team, name in enumerate(TEAM_NAMES[: box.teams]):
        rows += team_rows(box, view, team, name)
    rows += ["", "decks"]
    for place, size in enumerate(view["deck_sizes"]):
        rows.append(f"  {place}: {size} cards, {len(view['discards'][place])} in the pile")
        if "decks" in view:
            rows.append(entry("    top first", ", ".join(view["decks"][place])))
        else:
            faces = Counter(look.partition("/")[0] for look in view["deck_known"][place])
            rows.append(entry("    seen in it", counted(faces)))
        rows.append(entry("    pile", ", ".join(view["discards"][place])))
    if "decks" not in view:
        rows += ["", entry("never seen", counted(view["unseen"]))]
    if seat >= 0 and view["choices"][seat]:
        rows += ["", f"chosen in this tick by {seat_name(seat)}: {', '.join(view['choices'][seat])}"]
    return "\n".join(row for row in rows if row is not None) + "\n"


def entry(head: str, text: str) -> str | None:
    """`head: text` in lines of at most 80 columns; None for an empty text."""
    if not text:
        return None
    indent = " " * (len(head) - len(head.lstrip()) + 4)
    return textwrap.fill(f"{head}: {text}", 80, subsequent_indent=indent, break_on_hyphens=False)


def counted(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {number}" for name, number in counts.items())


def standing_text(box: Record, view: View) -> str:
    if view["turn"] is None:
        return "the game is over"
    asked = {"hit": "hit a card", "discard": "discard for the trash can", "place": "place a card"}
    if view["chosen"]:
        asked["hit"] = "hit a second card"
    return f"{view['turn']} to {asked.get(view['phase'], 'place a joker')}"


def order_words(box: Record, order: str) -> str:
    """An open order: a seat's view has its text already, the whole position its card."""
    names = names_of(box)
    if order in names.cards:
        return f"{names.orders[names.cards.index(order)]} ({order})"
    return order or "-"


def place_words(box: Record, view: View, place: int) -> str:
    seat, team = box.place_seat[place], TEAM_NAMES[box.place_team[place]]
    text = f"{view['table'][place] or '-'} of {seat_name(seat)} ({team})"
    for number, (claimed, claimant) in enumerate(view["claims"], 1):
        if claimed == place:
            text += f", hit {number} by {seat_name(claimant)}"
    return text + (f", turned over: {view['turned'][place]}" if view["turned"][place] else "")


def team_rows(box: Record, view: View, team: int, name: str) -> list[str | None]:
    seats = [
        f"{seat_name(seat)} ({view['hits_left'][seat]} hit{'' if view['hits_left'][seat] == 1 else 's'} left)"
        for seat in range(box.players)
        if box.team[seat] == team
    ]
    if name in view["overflow"]:
        seats.append(f"{seat_name(view['overflow'][name])} has to discard")
    return [
        entry(
            f"  {name}", f"{view['earned'][name]} for {view['completed'][name]} orders; {', '.join(seats)}"
        ),
        *(entry(f"    on order {slot}", ", ".join(view["placed"][name][slot])) for slot in range(SLOTS)),
        entry("    trash row", ", ".join(view["rows"][name])),
    ]
