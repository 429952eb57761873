"""Fast Food Fury in words: actions, positions, and the table as text.

A card is called by what it shows and its number: `salami-3`, `sauce_square-1`. What a seat sees has no
numbers, since these tell the other side: `salami/circle`, `sauce_square`, and an order as its text.
"""

import functools
import textwrap

import numpy as np

from foodenvs.engine import attributes, shuffled
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
    PORTION,
    ROW,
    SILHOUETTES,
    SLOTS,
    TABLE,
    UNITS,
    WAIT,
    WON,
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
from foodenvs.notation import PositionError, Reader, seat_name

ACTION_RANGES = (
    (WAIT, WAIT, "no (further) hit in this tick"),
    (HIT_AT, PLACE_AT - 1, "hit the card on this place"),
    (PLACE_AT, DISCARD_AT - 1, "put the card or joker in question on the order in this slot"),
    (DISCARD_AT, DISCARD_AT + KINDS - 1, "penalty: give up a product of this kind from slot 0"),
    (DISCARD_AT + KINDS, DISCARD_JOKER_AT - 1, "penalty: give up a product of this kind from slot 1"),
    (DISCARD_JOKER_AT, DISCARD_JOKER_AT + 1, "penalty: give up a joker from this slot (option)"),
)
TEAM_NAMES = "ABC"
KEYS = (
    "round", "tick", "phase", "turn", "orders", "order_deck", "orders_left", "table", "claims", "hits_left",
    "choices", "placed", "rows", "won", "credit", "overflow", "decks", "deck_sizes", "discards", "seen",
    "sauces_out", "earned", "completed",
)  # fmt: skip


# --- names -------------------------------------------------------------------------------------


class Names:
    """How the cards of a box are called, each list by card or face number.

    faces: what a card may show, the kinds (`kind_9` where a box has fewer than 16), then `sauce_PATTERN`.
    cards: with their numbers.  looks: as they lie on the table, `salami/circle`.  orders: `PAYMENT: SIDE`.
    """

    def __init__(self, box):
        patterns = [word(letters) for letters in box.pattern_name]
        kinds = [word(letters) or f"kind_{kind}" for kind, letters in enumerate(box.kind_name)]
        self.faces = kinds + [f"sauce_{pattern}" for pattern in patterns]
        self.cards = [f"{self.faces[box.face[card]]}-{box.number[card]}" for card in range(box.cards)]
        self.number = {name: card for card, name in enumerate(self.cards)}
        self.looks = [
            self.faces[box.face[card]] + (f"/{patterns[box.pattern[card]]}" if card < box.fastfood else "")
            for card in range(box.cards)
        ]
        self.by_look = [(box.face[card], box.pattern[card]) for card in range(box.cards)]
        self.orders = [
            f"{box.side[card, PAYMENT]}: {self.order_side(box, card)}" for card in range(box.fastfood)
        ]

    def order_side(self, box, card):
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


def word(letters):
    return bytes(int(letter) for letter in letters if letter).decode()


def names_of(box):
    """The names of a box, worked out once."""
    return _names(box.tobytes(), box.dtype)


@functools.lru_cache(maxsize=32)
def _names(content, dtype):
    return Names(attributes(np.frombuffer(content, dtype))[0])


def team_table(box, value):
    """`{team: value(number)}` for every team."""
    return {TEAM_NAMES[team]: value(team) for team in range(box.teams)}


def action_name(box, action):
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


def parse_action(box, text):
    """The inverse of `action_name`; ValueError for any other text."""
    names = [action_name(box, action) for action in range(ACTIONS)]
    if text not in names:
        raise ValueError(
            f"unknown action {text!r}; actions are wait, hit 0 .. hit 5, place 0, place 1, "
            "discard 0 KIND, discard 1 KIND, discard 0 joker, discard 1 joker"
        )
    return names.index(text)


# --- views -------------------------------------------------------------------------------------


def view(box, s):
    """The whole position as a dict of plain values (the random stream aside)."""
    names, seats, places = names_of(box).cards, range(box.players), range(box.places)
    where, seen = list(s.where), list(s.seen)

    def lying(there):
        return [name for name, place in zip(names, where, strict=False) if place == there]

    def name(card):
        return "" if card == NONE else names[card]

    def top_first(cards, size):
        return [names[cards[k]] for k in range(size - 1, -1, -1)]

    return {
        "round": s.round,
        "tick": s.tick,
        "phase": PHASES[s.phase],
        "turn": s.turn,
        "orders": [name(card) for card in s.orders],
        "order_deck": top_first(s.order_deck, s.orders_left),
        "orders_left": s.orders_left,
        "table": [name(s.table[place]) for place in places],
        "claims": [[s.claim_place[k], s.claim_seat[k]] for k in range(s.claims)],
        "hits_left": [s.hits_left[seat] for seat in seats],
        "choices": [[action_name(box, a) for a in s.choice[seat] if a != NONE] for seat in seats],
        "placed": team_table(
            box, lambda team: [lying(PLACED + SLOTS * team + slot) for slot in range(SLOTS)]
        ),
        "rows": team_table(box, lambda team: lying(ROW + team)),
        "won": team_table(box, lambda team: lying(WON + team)),
        "credit": team_table(box, lambda team: [payment for payment in s.credit[team] if payment]),
        "overflow": {
            TEAM_NAMES[team]: s.overflow[team] for team in range(box.teams) if s.overflow[team] != NONE
        },
        "decks": [top_first(s.decks[place], s.deck_size[place]) for place in places],
        "deck_sizes": [s.deck_size[place] for place in places],
        "discards": [lying(PILE + place) for place in places],
        "seen": [names[card] for card in range(box.cards) if seen[card] and WON <= where[card] < PILE],
        "sauces_out": lying(OUT),
        "earned": team_table(box, lambda team: s.earned[team]),
        "completed": team_table(box, lambda team: s.completed[team]),
    }


def seat_view(box, s, seat):
    """The position as `seat` sees it (-1: a spectator): no card numbers, no decks, no choices of others."""
    names, seen = names_of(box), view(box, s)
    for key in ("order_deck", "decks", "seen", "sauces_out"):
        del seen[key]

    def order(name):
        return name and names.orders[names.number[name]]

    def product(name):
        return name and names.looks[names.number[name]]

    def products(cards):
        return [product(name) for name in sorted(cards, key=lambda name: names.by_look[names.number[name]])]

    def counts(row):
        return {name: number for name, number in zip(names.faces, row, strict=True) if number}

    seen["orders"] = [order(name) for name in seen["orders"]]
    seen["table"] = [product(name) for name in seen["table"]]
    seen["choices"] = [mine if p == seat else [] for p, mine in enumerate(seen["choices"])]
    seen["placed"] = {team: [products(cards) for cards in slots] for team, slots in seen["placed"].items()}
    seen["rows"] = {team: products(cards) for team, cards in seen["rows"].items()}
    seen["won"] = {team: sorted(map(order, cards)) for team, cards in seen["won"].items()}
    seen["discards"] = [products(cards) for cards in seen["discards"]]
    return seen | {
        "you": seat,
        "deck_known": [counts(s.known[place]) for place in range(box.places)],
        "unseen": counts(s.unseen),
    }


# --- a position from its view ------------------------------------------------------------------


def from_view(box, s, view):
    """Set up a position from any subset of a view's keys (`orders` is required).

    What it leaves open is drawn from `s.rng`: sauces in play, order deck, decks. Raises PositionError (a
    ValueError) that names the key for a position that cannot be.
    """
    given = Reader(view, "position", PositionError, KEYS)
    s.overflow[:], s.choice[:], s.table[:], s.orders[:] = NONE, NONE, NONE, NONE
    s.phase = PHASES.index(given.choice("phase", PHASES, PHASES[HIT]))
    s.round = given.integer("round", 1, box.max_rounds, 1)
    s.tick = given.integer("tick", 1, box.places, 1)
    cards = Cards(box, given)
    read_cards(box, s, given, cards)
    read_teams(box, s, given, cards)
    fill(box, s, given, cards)
    for card, where in cards.where.items():
        s.where[card] = where
    count(box, s, cards)
    if s.phase == HIT and "table" not in given:
        flip(box, s)
    s.sauce_round = s.phase == JOKERS or any(is_sauce(box, card) for card in s.table if card != NONE)
    s.sauce_round = s.sauce_round and s.phase != END
    read_claims(box, s, given)
    read_choices(box, s, given)
    read_overflow(box, s, given)
    check_placed(box, s, given)
    find_turn(box, s, given)


class Cards:
    """The cards that a position names, each once, and where they are."""

    def __init__(self, box, given):
        self.given, self.where = given, {}
        self.numbers = names_of(box).number
        self.fastfood = box.fastfood

    def number(self, key, name):
        if not isinstance(name, str) or name not in self.numbers:
            raise self.given.fail(
                key, f"{name!r} is no card; cards are called like {next(iter(self.numbers))}"
            )
        return self.numbers[name]

    def put(self, key, name, where, *, sauces=True):
        """Put a named card somewhere and return its number."""
        card = self.number(key, name)
        if card in self.where:
            raise self.given.fail(key, f"{name} is named twice")
        if not sauces and card >= self.fastfood:
            raise self.given.fail(key, f"{name} is a sauce and cannot be there")
        self.where[card] = where
        return card

    def all(self, key, names, where, *, sauces=True):
        if not isinstance(names, list):
            raise self.given.fail(key, f"must be a list of cards, got {names!r}")
        return [self.put(key, name, where, sauces=sauces) for name in names]


def read_cards(box, s, given, cards):
    """Orders, table, decks, piles, sauces left out: what lies there by name."""
    for slot, name in enumerate(given.items("orders", SLOTS, str)):
        if name:
            s.orders[slot] = cards.put("orders", name, OPEN, sauces=False)
            s.sides[slot] = box.side[s.orders[slot]]
    cards.order_deck = cards.all("order_deck", given.get("order_deck", list, []), ORDER_DECK, sauces=False)
    for place, name in enumerate(given.items("table", box.places, str, [])):
        if name:
            s.table[place] = cards.put("table", name, TABLE + place)
    lists: list[list[str]] = [[]] * box.places
    cards.decks = [
        cards.all("decks", names, DECK + place)
        for place, names in enumerate(given.items("decks", box.places, list, lists))
    ]
    for place, names in enumerate(given.items("discards", box.places, list, lists)):
        cards.all("discards", names, PILE + place)
    cards.all("sauces_out", given.get("sauces_out", list, []), OUT)
    for name in given.get("sauces_out", list, []):
        if cards.numbers[name] < box.fastfood:
            raise given.fail("sauces_out", f"{name} is no sauce")


def of_teams(box, given, key, kind):
    """The entries of a `{team: ...}` value by team number."""
    table = Reader(given.get(key, dict, {}), f"{given.where}: {key}", given.error, TEAM_NAMES[: box.teams])
    return [
        (team, table.get(TEAM_NAMES[team], kind)) for team in range(box.teams) if TEAM_NAMES[team] in table
    ]


def read_teams(box, s, given, cards):
    """Cards on the orders, in the rows, won; payments without a card."""
    for team, slots in of_teams(box, given, "placed", list):
        if len(slots) != SLOTS:
            raise given.fail("placed", f"must have two lists of cards per team, got {slots!r}")
        for slot, names in enumerate(slots):
            cards.all("placed", names, PLACED + SLOTS * team + slot)
    for team, names in of_teams(box, given, "rows", list):
        cards.all("rows", names, ROW + team, sauces=False)
    payments: list[list[int]] = [[] for _ in range(box.teams)]
    for team, names in of_teams(box, given, "won", list):
        payments[team] += [
            box.side[card, PAYMENT] for card in cards.all("won", names, WON + team, sauces=False)
        ]
    highest = max(box.side[card, PAYMENT] for card in range(box.fastfood))
    for team, credit in of_teams(box, given, "credit", list):
        for payment in credit:
            if type(payment) is not int or not 1 <= payment <= highest:
                raise given.fail("credit", f"must be payments from 1 to {highest}, got {payment!r}")
        if len(credit) <= box.orders:
            s.credit[team, : len(credit)] = sorted(credit)
        payments[team] += credit
    for team, paid in enumerate(payments):
        if len(paid) > box.orders:
            raise given.fail("won", f"a team completes at most {box.orders} orders, got {len(paid)}")
        s.earned[team], s.completed[team] = sum(paid), len(paid)


def fill(box, s, given, cards):
    """Complete order deck and decks with the cards that the position does not name."""
    remembered = [cards.number("seen", name) for name in given.items("seen", None, str, [])]
    cards.seen = set(remembered)
    for card in remembered:
        if cards.where.get(card, DECK) in (OUT, ORDER_DECK, OPEN):
            raise given.fail("seen", "names a card of the order deck, an open order or a sauce left out")
    sauces = range(box.fastfood, box.cards)
    in_play = [
        c for c in sauces if cards.where.get(c, OUT) != OUT or (c in cards.seen and c not in cards.where)
    ]
    if len(in_play) > box.sauces:
        raise given.fail("sauces_out", f"{box.sauces} sauces are in play, the position has {len(in_play)}")
    unnamed = [c for c in sauces if c not in cards.where and c not in in_play]
    if len(in_play) + len(unnamed) < box.sauces:
        raise given.fail("sauces_out", f"{box.sauces} sauces are in play, so fewer can be left out")
    unnamed = shuffled(s.rng, unnamed)
    drawn = box.sauces - len(in_play)
    for card in unnamed[drawn:]:
        cards.where[card] = OUT

    named = cards.order_deck
    usual = len(named) if "order_deck" in given else box.orders - SLOTS
    s.orders_left = given.integer("orders_left", len(named), box.orders, usual)
    new = shuffled(s.rng, [c for c in range(box.fastfood) if c not in cards.where and c not in cards.seen])
    more = s.orders_left - len(named)
    if len(new) < more:
        raise given.fail("orders_left", f"there are only {len(new)} more cards for the order deck")
    named += new[:more]
    s.order_deck[: len(named)] = named[::-1]
    for card in named:
        cards.where[card] = ORDER_DECK
    fill_decks(box, s, given, cards)


def fill_decks(box, s, given, cards):
    """The other cards go to the decks: to the sizes given, and the rest to the piles, else evenly."""
    rest = shuffled(s.rng, [card for card in range(box.cards) if card not in cards.where])
    decks, places = cards.decks, range(box.places)
    if "deck_sizes" in given:
        sizes = given.integers("deck_sizes", box.places, 0, box.cards)
        missing = [size - len(deck) for size, deck in zip(sizes, decks, strict=True)]
        if min(missing) < 0 or sum(missing) > len(rest):
            raise given.fail(
                "deck_sizes", f"must hold the cards named in decks and {len(rest)} more at most, got {sizes}"
            )
        for place in places:
            for _ in range(missing[place]):
                decks[place].append(rest.pop())
        piles = [sum(where == PILE + place for where in cards.where.values()) for place in places]
        for card in rest:
            place = piles.index(min(piles))
            cards.where[card] = PILE + place
            piles[place] += 1
    else:
        for card in rest:
            min(decks, key=len).append(card)
    for place, deck in enumerate(decks):
        s.decks[place, : len(deck)] = deck[::-1]
        s.deck_size[place] = len(deck)
        for card in deck:
            cards.where[card] = DECK + place


def count(box, s, cards):
    """Write what follows from where the cards are."""
    for card in range(box.cards):
        where, face = s.where[card], box.face[card]
        if where >= PILE or card in cards.seen:
            s.seen[card] = 1
        if not s.seen[card]:
            s.unseen[face] += 1
        elif DECK <= where < PILE:
            s.known[where - DECK, face] += 1
        if PILE <= where < TABLE:
            s.piles[where - PILE, face] += 1
            s.pile_size[where - PILE] += 1
        elif where >= PLACED:
            team, slot = divmod(where - PLACED, SLOTS)
            s.placed[team, slot, min(face, JOKER)] += 1
        elif where >= ROW:
            s.rows[where - ROW, face] += 1


def read_claims(box, s, given):
    """Claims, and the hits that are left: for each place of a seat one, less the claims."""
    claims = given.items("claims", None, list, [])
    for claim in claims:
        if [type(value) for value in claim] != [int, int]:
            raise given.fail("claims", f"must be [place, seat], got {claim!r}")
        place, seat = claim
        if not (0 <= place < box.places and 0 <= seat < box.players and is_free(box, s, place)):
            raise given.fail("claims", f"{claim} must be a place with an unclaimed product, and a seat")
        s.claim_place[s.claims], s.claim_seat[s.claims] = place, seat
        s.claims += 1
    claimed = [[seat for _, seat in claims].count(seat) for seat in range(box.players)]
    for seat, number in enumerate(claimed):
        if number > box.hits[seat]:
            raise given.fail("claims", f"seat {seat} has {number}, and only {box.hits[seat]} hits")
    usual = [0 if s.phase == END else box.hits[seat] - claimed[seat] for seat in range(box.players)]
    left = given.integers("hits_left", box.players, 0, max(box.hits), usual)
    for seat, number in enumerate(left):
        if number + claimed[seat] > box.hits[seat]:
            raise given.fail(
                "hits_left", f"seat {seat} has {box.hits[seat]} hits less its claims, got {number}"
            )
    s.hits_left[: box.players] = left


def read_choices(box, s, given):
    """This tick's secret choices: of seats in order, each able to choose what it chose."""
    for seat, names in enumerate(given.items("choices", box.players, list, [[]] * box.players)):
        for k, name in enumerate(names):
            if s.phase != HIT or not may_choose(box, s, seat):
                raise given.fail("choices", f"seat {seat} cannot choose {name!r} now")
            options = ["wait"] + [
                f"hit {place}"
                for place in range(box.places)
                if is_free(box, s, place) and not has_chosen(s, seat, place)
            ]
            if name not in options:
                raise given.fail("choices", f"seat {seat} may choose {', '.join(options)}, got {name!r}")
            s.choice[seat, k] = parse_action(box, name)


def read_overflow(box, s, given):
    for team, seat in of_teams(box, given, "overflow", int):
        if s.phase != DISCARD:
            raise given.fail("overflow", "can be given in the phase discard only")
        if not 0 <= seat < box.players or box.team[seat] != team:
            raise given.fail("overflow", f"must name a seat of team {TEAM_NAMES[team]}, got {seat}")
        if row_size(s, team) < box.full:
            raise given.fail(
                "overflow", f"the row of team {TEAM_NAMES[team]} has fewer than {box.full} cards"
            )
        s.overflow[team] = seat


def check_placed(box, s, given):
    """What lies on an order fits it, and claims are correct once they have been checked."""
    for team in range(box.teams):
        for slot in range(SLOTS):
            placed = s.placed[team, slot]
            if any(placed) and icons_left(box, s.sides[slot], placed, NONE, NONE, NONE) == NONE:
                raise given.fail("placed", f"the cards of team {TEAM_NAMES[team]} do not fit order {slot}")
        if s.phase in (DISCARD, PLACE) and not s.sauce_round and not claims_placeable(box, s, team, 0):
            raise given.fail("claims", f"those of team {TEAM_NAMES[team]} are not all correct")


def find_turn(box, s, given):
    """Whose decision it is; an error where nobody has one."""
    s.turn = NONE
    if s.phase == END:
        if s.claims or any(s.hits_left) or any(card != NONE for card in s.table):
            raise given.fail("phase", "after the end nothing lies on the table and no hits are left")
        s.truncated = any(order != NONE for order in s.orders)
        s.done = not s.truncated
        return
    if s.phase == HIT and next_to_choose(box, s, 0):
        for seat in range(s.turn + 1, box.players):
            if s.choice[seat, 0] != NONE:
                raise given.fail("choices", f"seat {seat} chooses after seat {s.turn}")
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
        raise given.fail("phase", f"nobody has a decision in the phase {PHASES[s.phase]}")


# --- the table as text -------------------------------------------------------------------------


def table(box, view, seat=-1):
    """A view (the whole position or a seat's) as text: orders, table, teams, decks; the choices of `seat`."""
    rows = [f"round {view['round']}, tick {view['tick']}: {standing_text(box, view)}", ""]
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
            rows.append(entry("    seen in it", counted(view["deck_known"][place])))
        rows.append(entry("    pile", ", ".join(view["discards"][place])))
    if "unseen" in view:
        rows += ["", entry("never seen", counted(view["unseen"]))]
    if seat >= 0 and view["choices"][seat]:
        rows += ["", f"chosen in this tick by {seat_name(seat)}: {', '.join(view['choices'][seat])}"]
    return "\n".join(row for row in rows if row is not None) + "\n"


def entry(head, text):
    """`head: text` in lines of at most 80 columns; None for an empty text."""
    if not text:
        return None
    indent = " " * (len(head) - len(head.lstrip()) + 4)
    return textwrap.fill(f"{head}: {text}", 80, subsequent_indent=indent, break_on_hyphens=False)


def counted(counts):
    return ", ".join(f"{name} {number}" for name, number in counts.items())


def standing_text(box, view):
    if view["turn"] == NONE:
        return "the game is over"
    asked = {"hit": "hit a card", "discard": "discard for the trash can", "place": "place a card"}
    return f"{seat_name(view['turn'])} to {asked.get(view['phase'], 'place a joker')}"


def order_words(box, order):
    """An open order: a seat's view has its text already, the whole position its card."""
    names = names_of(box)
    if order in names.number:
        return f"{names.orders[names.number[order]]} ({order})"
    return order or "-"


def place_words(box, view, place):
    seat, team = box.place_seat[place], TEAM_NAMES[box.place_team[place]]
    text = f"{view['table'][place] or '-'} of {seat_name(seat)} ({team})"
    for number, (claimed, claimant) in enumerate(view["claims"], 1):
        if claimed == place:
            text += f", hit {number} by {seat_name(claimant)}"
    return text


def team_rows(box, view, team, name):
    seats = [
        f"{seat_name(seat)} ({view['hits_left'][seat]} hit{'' if view['hits_left'][seat] == 1 else 's'} left)"
        for seat in range(box.players)
        if box.team[seat] == team
    ]
    return [
        entry(
            f"  {name}", f"{view['earned'][name]} for {view['completed'][name]} orders; {', '.join(seats)}"
        ),
        *(entry(f"    on order {slot}", ", ".join(view["placed"][name][slot])) for slot in range(SLOTS)),
        entry("    trash row", ", ".join(view["rows"][name])),
    ]
