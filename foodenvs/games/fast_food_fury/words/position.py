"""A position from its view."""

from collections import Counter
from collections.abc import Iterable, Sequence
from types import SimpleNamespace
from typing import Any

from foodenvs.core.renewal import by_name
from foodenvs.core.views import Draft, Values
from foodenvs.engine import Record, shuffled
from foodenvs.games.fast_food_fury.information import random_choice
from foodenvs.games.fast_food_fury.rules import layout as L
from foodenvs.games.fast_food_fury.rules.cards import is_sauce
from foodenvs.games.fast_food_fury.rules.checking import (
    claims_placeable,
    may_place,
    overflowing,
    row_size,
    ways_to_pay,
)
from foodenvs.games.fast_food_fury.rules.hitting import (
    choose_hit,
    flip,
    has_chosen,
    is_free,
    may_choose,
    next_to_choose,
)
from foodenvs.games.fast_food_fury.rules.orders import icons_left
from foodenvs.games.fast_food_fury.rules.sauces import (
    is_team_hit,
    joker_fits,
    joker_winner,
    most_hits,
    sauce_at_stake,
    sauce_place,
    turn_cards_over,
)
from foodenvs.games.fast_food_fury.words.names import TEAM_NAMES, action_name, names_of, parse_action
from foodenvs.games.fast_food_fury.words.views import chosen_by

RENAMED = (("turn", "turn", by_name),)

ALSO_READ = ("seen",)  # cards by number that were seen and lie in decks or are won


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
        sauces, products = where == L.OUT or L.DECK <= where < L.ROW or where >= L.PLACED, where != L.OUT
        first_sauce = self.d.box.fastfood
        fitting = [card for card in self.cards if (sauces if card >= first_sauce else products)]
        to_draw = (
            [card for card in fitting if where >= L.WON or card not in self.seen] if None in names else []
        )
        for name in names:
            meant = to_draw if name is None else [card for card in fitting if card in self.meant(key, name)]
            if name is not None and not meant:
                raise self.d.fail(key, f"{name} is {'a' if products else 'no'} sauce and cannot be there")
            self.all.append(
                SimpleNamespace(key=key, name=name, where=where, cards=meant, card=L.NONE, was_seen=False)
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

    def pay(self, payments: Sequence[int]) -> None:
        """The cards on the table are such as pay so much; 0: whatever they pay."""
        for spot in self.all:
            payment = payments[spot.where - L.TABLE] if L.TABLE <= spot.where < L.ROW else 0
            if payment:
                spot.cards = [card for card in spot.cards if self.d.box.side[card, L.PAYMENT] == payment]
                if not spot.cards:
                    raise self.d.fail("payments", f"no {spot.name} pays {payment}")

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
                if spot.name is None and "seen" in self.d:
                    raise self.d.fail("seen", "leaves too few cards that were not seen")
                raise self.d.fail(spot.key, f"no card is left that is {spot.name or 'open'}")

    def at(self, where: int) -> list[int]:
        """The cards there, in the order in which they were told of."""
        return [spot.card for spot in self.all if spot.where == where]


LISTS = (
    ("table", L.TABLE), ("placed", L.PLACED), ("rows", L.ROW), ("won", L.WON), ("discards", L.PILE),
    ("decks", L.DECK), ("order_deck", L.ORDER_DECK), ("sauces_out", L.OUT),
)  # fmt: skip


def read_cards(d: Draft) -> None:
    """Find a card for every spot: for what the position tells of, and for all the rest."""
    box, s, spots = d.box, d.s, Spots(d)
    for names in told(d, "orders"):
        spots.put("orders", names, L.OPEN)
    for key, there in LISTS:
        for number, names in enumerate(told(d, key)):
            spots.put(key, names, there + number)
    spots.pay(d.integers("payments", box.places, 0, int(box.side[:, L.PAYMENT].max()), [0] * box.places))
    d.compare("payments")
    for key, there, of in (
        ("turned", L.TABLE, "table"),
        ("from_piles", L.WON, "won"),
        ("deck_known", L.DECK, ""),
    ):
        for number, names in enumerate(told(d, key)):
            spots.know(key, names, there + number, of in d)
    d.compare("turned")
    put_the_rest(d, spots)
    spots.match()
    for spot in spots.all:
        s.where[spot.card], s.seen[spot.card] = spot.where, spot.where >= L.PILE or spot.was_seen
    for card in spots.seen:
        s.seen[card] = True
        if s.where[card] < L.WON:
            raise d.fail("seen", "names a card of the order deck, an open order or a sauce left out")
    count(box, s)
    opened, order_deck = iter(spots.at(L.OPEN)), spots.at(L.ORDER_DECK)
    s.orders[:] = [next(opened) if names else L.NONE for names in told(d, "orders")]
    for slot, card in enumerate(s.orders):
        s.sides[slot] = box.side[card] if card != L.NONE else 0
    s.order_deck[: len(order_deck)], s.orders_left = order_deck[::-1], len(order_deck)
    s.table[:] = [card for place in range(L.PLACES) for card in spots.at(L.TABLE + place) or [L.NONE]]
    for place, names in enumerate(told(d, "decks")):
        deck, top = spots.at(L.DECK + place), len(names)
        deck[top:] = shuffled(s.rng, deck[top:])
        s.decks[place, : len(deck)], s.deck_size[place] = deck[::-1], len(deck)


def told(d: Draft, key: str) -> list[list[Any]]:
    """The lists of cards under a key: one, or those of the slots, places, teams, or slots of each team."""
    places, teams = d.box.places, tuple(TEAM_NAMES[: d.box.teams])
    if key == "orders":
        return [[name] if name != "" else [] for name in d.items(key, L.SLOTS, None, [None] * L.SLOTS)]
    if key in ("order_deck", "sauces_out"):
        return [d.items(key, None, None, [])]
    if key in ("table", "turned"):
        return [[name] if name else [] for name in d.items(key, places, str, [""] * places)]
    if key in ("discards", "decks", "deck_known"):
        return d.items(key, places, list, [[]] * places)
    table = d.table(key, teams, {})
    if key == "placed":
        return [names for team in teams for names in table.items(team, L.SLOTS, list, [[]] * L.SLOTS)]
    return [table.items(team, None, None, []) for team in teams]


def put_the_rest(d: Draft, spots: Spots) -> None:
    """The cards to be drawn: of order deck and sauces left out, of decks of the sizes given, else equal ones.

    What all these leave goes to the piles.
    """
    box, places, there = d.box, range(d.box.places), Counter(spot.where for spot in spots.all)
    out, slots_full = box.cards - box.fastfood - box.sauces, there[L.OPEN] == L.SLOTS
    if there[L.OUT] > out:
        raise d.fail("sauces_out", f"{box.sauces} sauces are in play, so fewer can be left out")
    in_play = [spot for spot in spots.all if spot.where != L.OUT and min(spot.cards) >= box.fastfood]
    if len(in_play) > box.sauces:
        raise d.fail(in_play[-1].key, f"{box.sauces} sauces are in play, got {len(in_play)}")
    named = there[L.ORDER_DECK]
    usual = box.orders - L.SLOTS if slots_full and "order_deck" not in d else named
    orders_left = d.integer("orders_left", named, box.orders, usual)
    if orders_left and not slots_full:
        raise d.fail("orders", f"a slot is empty only where the order deck is, which has {orders_left}")
    spots.put("orders_left", [None] * (orders_left - named), L.ORDER_DECK)
    spots.put("sauces_out", [None] * (out - there[L.OUT]), L.OUT)

    rest, sizes = box.cards - len(spots.all), [there[L.DECK + place] for place in places]
    for _ in range(rest):
        sizes[sizes.index(min(sizes))] += 1
    sizes = d.integers("deck_sizes", box.places, 0, box.cards, sizes)
    d.compare("deck_sizes")
    missing = [size - there[L.DECK + place] for place, size in enumerate(sizes)]
    left = rest - sum(missing)
    if min(missing) < 0 or left < 0 or (left > 0 and "discards" in d):
        raise d.fail("deck_sizes", f"must hold the cards named in decks and {rest} more, got {sizes}")
    for place in places:
        spots.put("deck_sizes", [None] * missing[place], L.DECK + place)
    for _ in range(left):
        fewest = min(places, key=lambda place: there[L.PILE + place])
        spots.put("discards", [None], L.PILE + fewest)
        there[L.PILE + fewest] += 1


def count(box: Record, s: Record) -> None:
    """Write what follows from where the cards are."""
    for card in range(box.cards):
        where, face = s.where[card], box.face[card]
        if not s.seen[card]:
            s.unseen[face] += 1
        elif L.DECK <= where < L.PILE:
            s.known[where - L.DECK, face] += 1
        if L.WON <= where < L.DECK:
            s.earned[where - L.WON] += box.side[card, L.PAYMENT]
            s.completed[where - L.WON] += 1
        elif L.PILE <= where < L.TABLE:
            s.piles[where - L.PILE, face] += 1
            s.pile_size[where - L.PILE] += 1
        elif where >= L.PLACED:
            team, slot = divmod(where - L.PLACED, L.SLOTS)
            s.placed[team, slot, min(face, box.joker)] += 1
        elif where >= L.ROW:
            s.rows[where - L.ROW, face] += 1


def read_credit(d: Draft) -> None:
    """Payments without a card."""
    box, s = d.box, d.s
    highest, table = int(d.ranges["credit"][1].max()), d.table("credit", tuple(TEAM_NAMES[: box.teams]), {})
    for team, name in enumerate(TEAM_NAMES[: box.teams]):
        credit = table.integers(name, None, 1, highest, [])
        s.earned[team] += sum(credit)
        s.completed[team] += len(credit)
        if s.completed[team] > box.orders:
            raise d.fail(
                "credit" if credit else "won",
                f"a team completes at most {box.orders} orders, got {s.completed[team]}",
            )
        s.credit[team, : len(credit)] = sorted(credit)


def read_phase(d: Draft) -> None:
    """The phase of the round; without a table to hit on the decks are flipped."""
    box, s = d.box, d.s
    s.phase = L.PHASES.index(d.choice("phase", L.PHASES, L.PHASES[L.HIT]))
    if s.phase == L.HIT and "table" not in d:
        flip(box, s)
    sauces = [card for card in s.table if card != L.NONE and is_sauce(box, card)]
    s.sauce_round = s.phase in (L.TIE, L.JOKERS) or (s.phase != L.END and len(sauces) > 0)


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
    left = d.integers(
        "hits_left", box.players, 0, L.HITS, [0 if s.phase == L.END else max(0, n) for n in most]
    )
    for seat, number in enumerate(left):
        if most[seat] < 0:
            raise d.fail("claims", f"seat {seat} has {box.hits[seat]} hits, got {claimed.count(seat)}")
        if number > most[seat]:
            raise d.fail("hits_left", f"seat {seat} has {most[seat]} besides its claims, got {number}")
    s.hits_left[: box.players] = left


def read_turned(d: Draft) -> None:
    """The cards turned over in a tie; where a joker is placed and none are told, those that landed first."""
    box, s, given = d.box, d.s, told(d, "turned")
    s.turned[:] = L.NONE
    if s.phase not in (L.TIE, L.JOKERS) or sauce_at_stake(box, s) == L.PATTERNS:
        return
    pattern = sauce_at_stake(box, s)
    most, tied = most_hits(box, s, pattern)
    for team in range(box.teams if most and tied > 1 else 0):
        hits = [s.claim_place[k] for k in range(s.claims) if is_team_hit(box, s, k, team, pattern)]
        turned = [place for place in hits if given[place]] or (hits if s.phase == L.JOKERS else [])
        if turned and len(hits) == most:
            s.turned[team] = turned[0]


def read_choices(d: Draft) -> None:
    """This tick's secret choices; those that are open, of seats up to the one to act, are made at random."""
    box, s = d.box, d.s
    s.choice[:] = L.NONE
    choices = d.of_seats("choices", list, [None] * box.players)
    last = max((seat for seat, names in enumerate(choices) if names), default=L.NONE)
    turn, so_far = d.seat("turn", box.players, last), d.integer("chosen", 0, L.HITS - 1, 0)
    d.compare("turn")
    d.compare("chosen")
    for seat, names in enumerate(choices):
        while names is None and s.phase == L.HIT and seat <= turn and may_choose(box, s, seat):
            if seat == turn and len(chosen_by(box, s, seat)) == so_far:
                break
            choose_hit(s, seat, random_choice(box, s, seat, seat < turn))
        for name in names or []:
            free = [k for k in range(box.places) if is_free(box, s, k) and not has_chosen(s, seat, k)]
            may = (
                (L.WAIT, *(L.HIT_AT + k for k in free))
                if s.phase == L.HIT and may_choose(box, s, seat)
                else ()
            )
            options = [action_name(box, action) for action in may]
            if name not in options:
                allowed = ", ".join(options) or "nothing now"
                raise d.fail("choices", f"seat {seat} may choose {allowed}, got {name!r}")
            choose_hit(s, seat, parse_action(box, name))


def read_overflow(d: Draft) -> None:
    """Who decides for the teams that have to discard."""
    box, s = d.box, d.s
    s.overflow[:] = L.NONE
    table = d.table("overflow", tuple(TEAM_NAMES[: box.teams]), {})
    for name in table.data:
        team, seat = TEAM_NAMES.index(name), table.integer(name, 0, box.players - 1)
        s.overflow[team] = seat
        if box.team[seat] != team:
            raise d.fail("overflow", f"must name a seat of team {name}, got {seat}")
        if s.phase != L.DISCARD or row_size(box, s, team) < box.full:
            raise d.fail(
                "overflow", f"takes the phase discard, and {box.full} cards in the row of team {name}"
            )


def check_placed(d: Draft) -> None:
    """What lies on an order fits it and, as long as nothing of this round is placed, does not complete it."""
    box, s = d.box, d.s
    for team, name in enumerate(TEAM_NAMES[: box.teams]):
        for slot in range(L.SLOTS):
            placed = s.placed[team, slot]
            left = icons_left(box, s.sides[slot], placed, L.NONE, L.NONE, L.NONE)
            if any(placed) and left == L.NONE:
                raise d.fail("placed", f"the cards of team {name} do not fit order {slot}")
            if left == 0 and s.phase in (L.HIT, L.DISCARD, L.END):
                raise d.fail("placed", f"team {name} would have been paid for order {slot} already")


def check_claims(d: Draft) -> None:
    """Claims are correct once they were checked; those for sauces that are settled stay until the end."""
    box, s = d.box, d.s
    if s.phase == L.HIT:
        return
    if not s.sauce_round:
        for team, name in enumerate(TEAM_NAMES[: box.teams]):
            if not claims_placeable(box, s, team, 0):
                raise d.fail("claims", f"those of team {name} are not all correct")
        return
    settled = 0 if s.phase == L.DISCARD else sauce_at_stake(box, s)
    for place in s.claim_place[: s.claims]:
        pattern = box.pattern[s.table[place]]
        if pattern >= settled and sauce_place(box, s, pattern) == L.NONE:
            raise d.fail("claims", f"that of place {place} is faulty, as no sauce has its pattern")


def find_turn(d: Draft) -> None:
    """Whose decision it is; an error where nobody has one."""
    box, s = d.box, d.s
    s.turn = L.NONE
    if s.phase == L.END:
        if s.claims or any(s.hits_left) or any(card != L.NONE for card in s.table):
            raise d.fail("phase", "after the end nothing lies on the table and no hits are left")
        s.truncated = any(order != L.NONE for order in s.orders)
        s.done = not s.truncated
        return
    if all(order == L.NONE for order in s.orders):  # FF-35
        raise d.fail("phase", "without an open order the game is over")
    if s.phase == L.HIT and next_to_choose(box, s, 0):
        for seat in range(s.turn + 1, box.players):
            if s.choice[seat, 0] != L.NONE:
                raise d.fail("choices", f"seat {seat} chooses after seat {s.turn}")
    elif s.phase == L.DISCARD and any(seat != L.NONE for seat in s.overflow):
        team = overflowing(box, s)
        if ways_to_pay(box, s, team)[0] > 1:
            s.turn = s.overflow[team]
    elif s.phase == L.PLACE and s.claims and not s.sauce_round:
        if may_place(box, s, 0) and may_place(box, s, 1):
            s.turn = s.claim_seat[0]
    elif s.phase == L.TIE and sauce_at_stake(box, s) < L.PATTERNS:
        if turn_cards_over(box, s, sauce_at_stake(box, s)):
            if any(place != L.NONE for place in s.turned[box.team[s.turn] :]):
                raise d.fail("turned", f"team {TEAM_NAMES[box.team[s.turn]]} turns a card over first")
    elif s.phase == L.JOKERS and sauce_at_stake(box, s) < L.PATTERNS:
        seat = joker_winner(box, s, sauce_at_stake(box, s))
        if seat != L.NONE and joker_fits(box, s, seat, 0) and joker_fits(box, s, seat, 1):
            s.turn = seat
    if s.turn == L.NONE:
        raise d.fail("phase", f"nobody has a decision in the phase {L.PHASES[s.phase]}")


POSITION = (
    read_cards,
    read_credit,
    Values("round", start=lambda box: 1),
    read_phase,
    Values("tick", start=lambda box: 1),
    read_claims,
    read_turned,
    read_choices,
    read_overflow,
    check_placed,
    check_claims,
    find_turn,
)
