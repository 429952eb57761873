"""Scratch & Catch in words: actions, positions, and the table as text.

A card is written by its value: `5` is the Cat of value 5, `5*` the Chakapuces of value 5.
"""

import textwrap

from foodenvs.engine import shuffled
from foodenvs.games.scratch_catch.rules import DECK, KINDS, VALUES
from foodenvs.notation import UNKNOWN, PositionError, Reader, seat_name

CARD_NAMES = tuple(f"{v}" for v in range(1, VALUES + 1)) + tuple(f"{v}*" for v in range(1, VALUES + 1))
BY_VALUE = sorted(range(KINDS), key=lambda kind: (kind % VALUES, kind))
ACTION_RANGES = (
    (0, VALUES - 1, "play a Cat of this value from the hand"),
    (VALUES, KINDS - 1, "play a Chakapuces of this value from the hand"),
    (DECK, DECK, "play the top card of the deck, unseen"),
)
KEYS = (
    "players", "line", "hands", "cats", "chakapuces", "taken", "fleas",
    "deck", "deck_size", "turn", "play", "ended_by",
)  # fmt: skip


def action_name(box, action):
    """`hand 5`, `hand 5*` or `deck`."""
    return "deck" if action == DECK else f"hand {CARD_NAMES[action]}"


def parse_action(box, text):
    """The inverse of `action_name`; ValueError for any other text."""
    if text == "deck":
        return DECK
    card = text.removeprefix("hand ")
    if text == card or card not in CARD_NAMES:
        raise ValueError(f"unknown action {text!r}; actions are hand 1 .. hand 10, hand 1* .. hand 10*, deck")
    return CARD_NAMES.index(card)


def cards(counts):
    """The sorted names of cards given by their number per kind."""
    return [CARD_NAMES[kind] for kind in BY_VALUE for _ in range(counts[kind])]


def view(box, s):
    """The whole position as a dict of plain values (the random stream aside)."""
    seats = range(box.players)
    return {
        "players": box.players,
        "line": cards(s.line),
        "hands": [cards(s.hands[seat]) for seat in seats],
        "cats": [s.cats[seat] for seat in seats],
        "chakapuces": [s.chakapuces[seat] for seat in seats],
        "taken": cards(s.taken),
        "fleas": [s.fleas[seat] for seat in seats],
        "deck": [CARD_NAMES[s.deck[i]] for i in range(s.deck_size - 1, -1, -1)],
        "deck_size": s.deck_size,
        "turn": seat_name(s.turn),
        "play": 2 if s.second else 1,
        "ended_by": seat_name(s.ended_by),
    }


def seat_view(box, s, seat):
    """The position as `seat` sees it (-1: a spectator): "?" for cards of other hands, no deck."""
    seen = view(box, s)
    for p, hand in enumerate(seen["hands"]):
        if p != seat:
            seen["hands"][p] = [UNKNOWN] * len(hand)
    seen["deck"] = []
    return seen


# --- a position from its view ------------------------------------------------------------------


def from_view(box, s, view):
    """Set up a position from any subset of a view's keys; what it leaves open is drawn from `s.rng`.

    Raises PositionError (a ValueError) that names the key for a position that cannot be.
    """
    given = Reader(view, "position", PositionError, KEYS)
    players = box.players
    if given.integer("players", 0, 99, players) != players:
        raise given.fail("players", f"must be {players}, as in the environment")
    left = list(box.count)
    line = known_cards(given, "line", given.items("line", None, str, []), left)
    hands = read_hands(given, players, left)
    taken = known_cards(given, "taken", given.items("taken", None, str, []), left)
    deck = known_cards(given, "deck", given.items("deck", None, str, []), left)
    piles = [
        given.integers("cats", players, 0, box.cards, [0] * players),
        given.integers("chakapuces", players, 0, box.cards, [0] * players),
    ]
    rest = shuffled(s.rng, [kind for kind in range(KINDS) for _ in range(left[kind])])
    fill_taken(given, taken, piles, rest)
    fill_hands(box, given, hands, rest)
    deck += rest
    if given.integer("deck_size", 0, box.cards, len(deck)) != len(deck):
        raise given.fail("deck_size", f"must be {len(deck)}, what line, hands and piles leave")
    turn, ended_by, second = read_turn(box, given, line)
    fleas = given.integers("fleas", players, 0, box.fleas_max, [box.start_fleas] * players)
    if ended_by < 0 and 0 in fleas:
        raise given.fail("fleas", "nobody can have 0 while ended_by is none")
    check_hand_sizes(box, given, hands, len(deck), turn, ended_by, second)

    for kind in range(KINDS):
        s.line[kind], s.taken[kind] = line.count(kind), taken.count(kind)
        for seat, hand in enumerate(hands):
            s.hands[seat, kind] = hand.count(kind)
    s.hand_size[:players] = [len(hand) for hand in hands]
    s.deck[: len(deck)] = deck[::-1]
    s.deck[len(deck) :] = 0
    s.deck_size = len(deck)
    s.cats[:players], s.chakapuces[:players] = piles
    s.fleas[:players] = fleas
    s.turn, s.ended_by, s.second, s.done = turn, ended_by, second, turn < 0


def known_cards(given, key, names, left):
    """The kinds of named cards, taken out of `left`; PositionError for a wrong name or one card too many."""
    kinds = []
    for name in names:
        if name not in CARD_NAMES:
            raise given.fail(key, f"{name!r} is no card; cards are 1 .. 10 and 1* .. 10*")
        kind = CARD_NAMES.index(name)
        left[kind] -= 1
        if left[kind] < 0:
            raise given.fail(key, f"more cards {name} than there are in the game")
        kinds.append(kind)
    return kinds


def read_hands(given, players, left):
    """Hands as kinds, with UNKNOWN for cards to be drawn; None for a hand that is not given."""
    hands = given.items("hands", players, list, [None] * players)
    read: list[list[int | str] | None] = []
    for hand in hands:
        if hand is None:
            read.append(None)
            continue
        for name in hand:
            if not isinstance(name, str):
                raise given.fail("hands", f"{name!r} is no card")
        known = known_cards(given, "hands", [name for name in hand if name != UNKNOWN], left)
        read.append(known + [UNKNOWN] * (len(hand) - len(known)))
    return read


def fill_taken(given, taken, piles, rest):
    """Complete the taken cards to the sums of the piles: first Cats, then Chakapuces."""
    for key, pile, is_kind in (
        ("cats", piles[0], lambda kind: kind < VALUES),
        ("chakapuces", piles[1], lambda kind: kind >= VALUES),
    ):
        missing = sum(pile) - sum(1 for kind in taken if is_kind(kind))
        if missing < 0:
            raise given.fail("taken", f"lists more {key} than the {sum(pile)} in the piles")
        drawn = [kind for kind in rest if is_kind(kind)][:missing]
        if len(drawn) < missing:
            raise given.fail(key, f"the piles need {missing} more than there are left")
        for kind in drawn:
            rest.remove(kind)
        taken += drawn


def fill_hands(box, given, hands, rest):
    for seat, hand in enumerate(hands):
        known = [UNKNOWN] * box.hand if hand is None else hand
        for i, kind in enumerate(known):
            if kind == UNKNOWN:
                if not rest:
                    raise given.fail("hands", "there are not enough cards left to fill them")
                known[i] = rest.pop(0)
        hands[seat] = known


def read_turn(box, given, line):
    ended_by = given.seat("ended_by", box.players, -1)
    turn = given.seat("turn", box.players, 0)
    play = given.integer("play", 1, 2, 1)
    if turn < 0 and ended_by < 0:
        raise given.fail("turn", "can be none only when ended_by is set")
    if turn == ended_by:
        raise given.fail("turn", "cannot be the seat that ended the game, which plays no more")
    if play == 2 and turn < 0:
        raise given.fail("play", "must be 1 when the game is over")
    if play == 2 and not line:
        raise given.fail("play", "cannot be 2 while the line is empty: the first card lies there")
    return turn, ended_by, play == 2


def check_hand_sizes(box, given, hands, deck_size, turn, ended_by, second):
    full = box.hand
    for seat, hand in enumerate(hands):
        allowed = {full}
        if seat == turn and second:
            allowed = {full - 1, full}
        elif ended_by >= 0 and deck_size == 0 and not has_turn_to_come(seat, turn, ended_by, box.players):
            allowed = set(range(full - 2, full + 1))
        if len(hand) not in allowed:
            sizes = " or ".join(map(str, sorted(allowed)))
            raise given.fail("hands", f"{seat_name(seat)} must have {sizes} cards, got {len(hand)}")


def has_turn_to_come(seat, turn, ended_by, players):
    """Whether a seat plays in what is left of the last round: from `turn` up to the one before `ended_by`."""
    return turn >= 0 and (seat - turn) % players < (ended_by - turn) % players


# --- the table as text -------------------------------------------------------------------------


def table(box, view, seat=-1):
    """A view as text, with the hands and the deck below as far as the view shows them."""
    rows = []
    for value in range(1, VALUES + 1):
        parts = [
            f"{kind} x{n}"
            for kind, n in (
                ("Cat", view["line"].count(f"{value}")),
                ("Chaka", view["line"].count(f"{value}*")),
            )
            if n
        ]
        rows.append(f"{value:>2} | {', '.join(parts)}".rstrip())
    rows.append("")
    for p, hand in enumerate(view["hands"]):
        name = seat_name(p)
        marks = (" <- to play" if view["turn"] == name else "") + (
            " (ended the game)" if view["ended_by"] == name else ""
        )
        rows.append(
            f"{name}: {view['fleas'][p]} fleas, {view['cats'][p]} cats, "
            f"{view['chakapuces'][p]} chakapuces, {len(hand)} in hand{marks}"
        )
    rows.append("")
    for p, hand in enumerate(view["hands"]):
        if hand and UNKNOWN not in hand:
            rows.append(f"hand of {seat_name(p)}: {' '.join(hand)}")
    if view["deck"]:
        rows += textwrap.wrap(f"deck, top first: {' '.join(view['deck'])}", 80, subsequent_indent="  ")
    over = view["turn"] == "none"
    rows.append(
        ("the game is over" if over else f"card {view['play']} of 2") + f"; deck: {view['deck_size']}"
    )
    return "\n".join(rows) + "\n"
