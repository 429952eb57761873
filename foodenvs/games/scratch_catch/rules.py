"""The rules of Scratch & Catch: comments name the clauses of the page (`SC-..`) that a line carries out."""

import numpy as np

from foodenvs.core.game import Option
from foodenvs.engine import below, next_seat, rule, shuffle

SEATS = 6
VALUES = 10
KINDS = 2 * VALUES  # kind k is the Cat of value k + 1, kind VALUES + k its Chakapuces
CARDS = 76
HAND = 4
LINE = 4
FLEA_ROWS = 12  # room for rows of the flea table
FLEAS = 127  # nobody holds more (SC-02)

DECK = KINDS  # the action that plays the top card of the deck; action k < KINDS plays kind k from the hand
ACTIONS = KINDS + 1

OPTIONS = (
    Option("players", 3, range(2, SEATS + 1), "number of seats"),
    Option("first_player", 0, (*range(SEATS), None), "the seat that starts; None: at random (SC-07)"),
    Option("isolated_fleas", 0, range(2), "fleas discarded by a second card without neighbours (SC-15)"),
    Option("chakapuces_points", 0, range(2), "points for each taken Chakapuces card (SC-29)"),
    Option("deck_end", "refill", ("refill", "empty"), "when the deck ends the game (SC-25)"),
)

BOX = (
    ("flea_from", np.int32, FLEA_ROWS),  # first number of fleas of each row of the flea table
    ("flea_points", np.int32, FLEA_ROWS),
    ("flea_rows", np.int32),
    ("fleas_max", np.int32),
    ("count", np.int8, KINDS),  # cards of each kind
    ("start_fleas", np.int8),
    ("hand", np.int8),  # cards a hand is completed to
    ("line", np.int8),  # cards on the line at the start
    ("cards", np.int8),
    ("first_player", np.int8),  # -1 at random
    ("isolated_fleas", np.int8),
    ("chakapuces_points", np.int8),
    ("empty_ends", np.int8),  # deck_end = "empty"
)

STATE = (
    ("fleas", np.int16, SEATS),
    ("line", np.int8, KINDS),  # cards on the line by kind
    ("hands", np.int8, (SEATS, KINDS)),
    ("taken", np.int8, KINDS),  # cards in all piles together by kind
    ("cats", np.int8, SEATS),  # Cat cards in each pile
    ("chakapuces", np.int8, SEATS),
    ("hand_size", np.int8, SEATS),
    ("deck", np.int8, CARDS),  # kinds; the top card is deck[deck_size - 1], drawn places are 0
    ("deck_size", np.int8),
    ("ended_by", np.int8),
    ("second", np.bool_),  # the next card is the second of the turn
)


def ranges(box):
    """The least and the greatest value of each field of the state (of each entry, where they differ)."""
    return {
        "fleas": (0, box.fleas_max),
        "line": (0, box.count),
        "hands": (0, box.count),
        "taken": (0, box.count),
        "cats": (0, box.cards),
        "chakapuces": (0, box.cards),
        "hand_size": (0, box.hand),
        "deck": (0, KINDS - 1),
        "deck_size": (0, box.cards),
        "ended_by": (-1, box.players - 1),
        "second": (0, 1),
    }


def pack(box, components, options):
    """Put the cards and the options into the box; ComponentsError for cards that do not fit."""
    first = options["first_player"]
    if first is not None and first >= box.players:
        raise ValueError(f"first_player must be 0 to {box.players - 1} or None, got {first}")
    box.first_player = -1 if first is None else first
    game = components.table("game")
    players = box.players
    box.hand = game.integer("hand", 2, HAND)
    box.line = game.integer("line_at_setup", 1, LINE)
    fleas = components.table("start_fleas")
    box.start_fleas = fleas.integer(str(players), 1, 99)
    box.fleas_max = max(fleas.integer(str(p), 1, 99) for p in range(2, SEATS + 1))
    pack_cards(box, components)
    pack_flea_table(box, components)
    box.isolated_fleas = options["isolated_fleas"]
    box.chakapuces_points = options["chakapuces_points"]
    box.empty_ends = options["deck_end"] == "empty"


def pack_cards(box, components):
    spread = components.table("distribution")
    cats = spread.integers("cats", VALUES, 0, 99)
    chakapuces = spread.integers("chakapuces", VALUES, 0, 99)
    total = sum(cats) + sum(chakapuces)
    needed = box.players * box.hand + box.line
    if not needed <= total <= CARDS:
        raise spread.fail("", f"must have {needed} (the hands and the line) to {CARDS} cards, got {total}")
    for key, cards in (("cats", sum(cats)), ("chakapuces", sum(chakapuces)), ("total", total)):
        table = components.table("cards")
        if table.get(key, int) != cards:
            raise table.fail(key, f"must be {cards}, the sum of the distribution, got {table.get(key, int)}")
    box.cards = total
    box.count[:] = cats + chakapuces
    # Of a value's cards the k Chakapuces find at most c + 1, .. c + k cards in their column.
    gained = sum(sum(range(c + 1, c + k + 1)) for c, k in zip(cats, chakapuces, strict=True))
    box.fleas_max = min(FLEAS, box.fleas_max + gained)


def pack_flea_table(box, components):
    rows = components.rows("flea_points", FLEA_ROWS)
    first = 0
    for number, row in enumerate(rows):
        box.flea_from[number] = row.integer("from", first, first)
        box.flea_points[number] = row.integer("points", -100, 100)
        if row is not rows[-1]:
            first = row.integer("to", first, 999) + 1
        elif "to" in row:
            raise row.fail("to", "must be left out in the last row, which has no upper limit")
    box.flea_rows = len(rows)


def max_decisions(box):
    """Two cards a turn; the deck lasts for half its cards in turns, the next ends it, P - 1 follow."""
    deck = box.cards - box.players * box.hand - box.line
    return 2 * (deck // 2 + box.players)


def draws(box):
    """The deck is shuffled once; the first player may be drawn."""
    return box.cards - 1 + int(box.first_player < 0), KINDS


# --- setting up ------------------------------------------------------------------------------


@rule
def deal(box, s):
    s.line[:] = 0
    s.hands[:] = 0
    s.hand_size[:] = 0
    s.taken[:] = 0
    s.cats[:] = 0
    s.chakapuces[:] = 0
    s.fleas[:] = 0
    s.deck[:] = 0
    s.deck_size = 0
    for kind in range(KINDS):  # SC-01
        for _ in range(box.count[kind]):
            s.deck[s.deck_size] = kind
            s.deck_size += 1
    shuffle(s.rng, s.deck, s.deck_size)
    for seat in range(box.players):  # SC-04
        s.fleas[seat] = box.start_fleas
        for _ in range(box.hand):
            draw_to_hand(s, seat)
    for _ in range(box.line):  # SC-06; what is left is the deck (SC-05)
        s.line[draw(s)] += 1
    s.turn = box.first_player if box.first_player >= 0 else below(s.rng, box.players)  # SC-07
    s.second = False
    s.ended_by = -1


@rule
def draw(s):
    """Take the top card of the deck."""
    s.deck_size -= 1
    kind = s.deck[s.deck_size]
    s.deck[s.deck_size] = 0
    return kind


@rule
def draw_to_hand(s, seat):
    s.hands[seat, draw(s)] += 1
    s.hand_size[seat] += 1


# --- a turn ----------------------------------------------------------------------------------


@rule
def legal(box, s, mask):
    seat = s.turn
    for kind in range(KINDS):  # SC-10
        mask[kind] = seat >= 0 and s.hands[seat, kind] > 0
    mask[DECK] = seat >= 0 and s.deck_size > 0


@rule
def apply(box, s, action):
    seat = s.turn
    kind = action
    if action == DECK:
        kind = draw(s)
    else:
        s.hands[seat, kind] -= 1
        s.hand_size[seat] -= 1
    if s.second:  # SC-12
        resolve(box, s, seat, kind)
        refill_hand(box, s, seat)
        end_turn(box, s, seat)
    else:  # SC-11
        s.line[kind] += 1
        s.second = True


@rule
def value_of(kind):
    """The value of a kind, from 0."""
    return kind if kind < VALUES else kind - VALUES


@rule
def column(s, value):
    """The number of cards of a value (from 0) on the line, Chakapuces among them (SC-18)."""
    return s.line[value] + s.line[VALUES + value]


@rule
def resolve(box, s, seat, kind):
    """Lay the second card and apply its effect: first that of any card, then of a Chakapuces (SC-22)."""
    value = value_of(kind)
    before = column(s, value)
    s.line[kind] += 1  # SC-09
    if before == 0:
        straight(box, s, seat, value)
    else:
        take(s, seat, value - 1)  # SC-16
        take(s, seat, value + 1)
    if kind >= VALUES:  # SC-19, SC-20
        give_fleas(box, s, seat, before + 1)


@rule
def run_length(s, value):
    """The number of occupied values in the unbroken run that contains `value`."""
    low = value
    while low > 0 and column(s, low - 1) > 0:
        low -= 1
    high = value
    while high + 1 < VALUES and column(s, high + 1) > 0:
        high += 1
    return high - low + 1


@rule
def straight(box, s, seat, value):
    fleas = run_length(s, value)  # SC-13
    if fleas == 1:
        fleas = box.isolated_fleas  # SC-15
    s.fleas[seat] = max(0, s.fleas[seat] - fleas)  # SC-14


@rule
def take(s, seat, value):
    """Take the whole column of a value, if there is such a value, which is free again then (SC-17)."""
    if value < 0 or value >= VALUES:
        return
    chakapuces = VALUES + value
    s.cats[seat] += s.line[value]
    s.chakapuces[seat] += s.line[chakapuces]
    s.taken[value] += s.line[value]
    s.taken[chakapuces] += s.line[chakapuces]
    s.line[value] = 0
    s.line[chakapuces] = 0


@rule
def give_fleas(box, s, giver, fleas):
    """All others take fleas, those whose last turn is over too (SC-28), up to the most (SC-02)."""
    for seat in range(box.players):
        if seat != giver:
            s.fleas[seat] = min(box.fleas_max, s.fleas[seat] + fleas)


@rule
def refill_hand(box, s, seat):
    """Draw until the hand is complete (SC-23), as far as the deck goes."""
    while s.hand_size[seat] < box.hand and s.deck_size > 0:
        draw_to_hand(s, seat)


@rule
def ends_game(box, s, seat):
    if s.fleas[seat] == 0:  # SC-24
        return True
    if s.deck_size > 0:
        return False
    return box.empty_ends or s.hand_size[seat] < box.hand  # SC-25


@rule
def end_turn(box, s, seat):
    if s.ended_by < 0 and ends_game(box, s, seat):  # SC-26
        s.ended_by = seat
    s.turn = next_seat(box, seat)  # SC-08
    s.second = False
    if s.turn == s.ended_by:  # SC-27
        s.turn = -1
        s.done = True


# --- scoring ---------------------------------------------------------------------------------


@rule
def flea_points(box, fleas):
    row = box.flea_rows - 1
    while fleas < box.flea_from[row]:
        row -= 1
    return box.flea_points[row]


@rule
def points(box, s, seat):
    cards = s.cats[seat] + box.chakapuces_points * s.chakapuces[seat]  # SC-29
    return cards + flea_points(box, s.fleas[seat])  # SC-30


@rule
def scores(box, s, out):
    for seat in range(box.players):
        out[seat] = points(box, s, seat)


@rule
def standing(box, s, seat):
    """Higher is better: points first (SC-31), then few fleas (SC-32); those level share the win (SC-33)."""
    return 1000 * points(box, s, seat) - s.fleas[seat]
