"""Scratch & Catch in words: actions, positions, and the table as text.

A card is written by its value: `5` is the Cat of value 5, `5*` the Chakapuces of value 5.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from foodenvs.core.events import Event, gained
from foodenvs.core.notation import UNKNOWN, folded, seat_name
from foodenvs.core.views import Draft, Values, View, agent_name
from foodenvs.engine import Record, shuffled
from foodenvs.games.scratch_catch.rules import DECK, KINDS, VALUES

CARD_NAMES = tuple(f"{v}" for v in range(1, VALUES + 1)) + tuple(f"{v}*" for v in range(1, VALUES + 1))
BY_VALUE = sorted(range(KINDS), key=lambda kind: (kind % VALUES, kind))
ACTION_RANGES = (
    (0, VALUES - 1, "play a Cat of this value from the hand"),
    (VALUES, KINDS - 1, "play a Chakapuces of this value from the hand"),
    (DECK, DECK, "play the top card of the deck, unseen"),
)


def action_name(box: Record, action: int) -> str:
    """`hand 5`, `hand 5*` or `deck`."""
    return "deck" if action == DECK else f"hand {CARD_NAMES[action]}"


def parse_action(box: Record, text: str) -> int:
    """The inverse of `action_name`; ValueError for any other text."""
    if text == "deck":
        return DECK
    card = text.removeprefix("hand ")
    if text == card or card not in CARD_NAMES:
        raise ValueError(f"unknown action {text!r}; actions are hand 1 .. hand 10, hand 1* .. hand 10*, deck")
    return CARD_NAMES.index(card)


def cards(counts: Sequence[int]) -> list[str]:
    """The sorted names of cards given by their number per kind."""
    return [CARD_NAMES[kind] for kind in BY_VALUE for _ in range(counts[kind])]


_COUNTED = "piles are shown by their sizes, not card by card"
_LAID = (
    "a card of the line does not tell who laid it, from hand or deck; to redeal, all unseen cards are alike"
)
NOT_SHOWN = {
    "observation": {"last": _LAID},
    "text": {"taken": _COUNTED},
    "picture": {"taken": _COUNTED},
}


# --- what is seen ------------------------------------------------------------------------------


def public(box: Record, s: Record) -> dict[str, Any]:
    """What everybody sees."""
    seats = range(box.players)
    return {
        "line": cards(s.line),
        "hand_sizes": [s.hand_size[seat] for seat in seats],
        "cats": [s.cats[seat] for seat in seats],
        "chakapuces": [s.chakapuces[seat] for seat in seats],
        "taken": cards(s.taken),
        "fleas": [s.fleas[seat] for seat in seats],
        "deck_size": s.deck_size,
        "play": 2 if s.second else 1,
        "ended_by": agent_name(s.ended_by),
    }


def private(box: Record, s: Record, seat: int) -> dict[str, Any]:
    """What only `seat` sees."""
    return {"hands": cards(s.hands[seat])}


def face_down(box: Record, s: Record) -> dict[str, Any]:
    """The deck, its top card first."""
    return {"deck": [CARD_NAMES[s.deck[i]] for i in range(s.deck_size - 1, -1, -1)]}


# --- what came of a step -----------------------------------------------------------------------


EVENTS = {
    "played": "{seat} plays {things}",
    "turned_up": "{seat} turns up {things} from the deck",
    "straight": "{seat} completes a straight of {0} and loses {1:flea}",
    "alone": "{seat} finds no neighbours",
    "caught": "{seat} catches {things}: +{0:cat}",
    "missed": "{seat} catches nothing",
    "took": "{seat} takes {0:flea}",
    "drew": "{seat} draws {things}",
    "refilled": "{seat} draws {0:card}",
    "clean": "{seat} has no fleas left; the others have one last turn",
    "deck_out": "{seat} meets the end of the deck; the others have one last turn",
}


def events(box: Record, before: View, after: View, seat: int, action: int | None) -> Iterator[Event]:
    """The card, its effect, the cards drawn, and who ended the game."""
    (card,) = gained(before["line"], after["line"])
    yield Event("turned_up" if action == DECK else "played", seat, (card,))
    if before["play"] == 1:
        return
    value = CARD_NAMES.index(card) % VALUES
    yield effect(before, after, seat, value)
    if card.endswith("*"):
        for other in range(box.players):
            if other != seat:
                yield Event("took", other, numbers=(after["fleas"][other] - before["fleas"][other],))
    yield from drawn(before, after, seat, [] if action == DECK else [card])
    if before["ended_by"] is None and after["ended_by"] is not None:
        yield Event("deck_out" if after["fleas"][seat] else "clean", seat)


def effect(before: View, after: View, seat: int, value: int) -> Event:
    """What the second card of a turn does, laid in the column of a value (from 0)."""
    if height(before["line"], value):
        caught, cats = gained(after["line"], before["line"]), after["cats"][seat] - before["cats"][seat]
        return Event("caught", seat, caught, (cats,)) if caught else Event("missed", seat)
    low = high = value
    while height(after["line"], low - 1):
        low -= 1
    while height(after["line"], high + 1):
        high += 1
    lost = before["fleas"][seat] - after["fleas"][seat]
    run = high - low + 1
    return Event("straight", seat, numbers=(run, lost)) if run > 1 or lost else Event("alone", seat)


def drawn(before: View, after: View, seat: int, played: Sequence[str]) -> Iterator[Event]:
    """The cards that a seat drew: which ones only where its hand is seen; played: out of it."""
    number = after["hand_sizes"][seat] - before["hand_sizes"][seat] + len(played)
    old, new = before["hands"][seat], after["hands"][seat]
    if number and new is None:
        yield Event("refilled", seat, numbers=(number,))
    elif number:
        yield Event("drew", seat, gained(old, [*new, *played]))


def height(line: Sequence[str], value: int) -> int:
    """The number of cards of a value (from 0) on the line."""
    return line.count(f"{value + 1}") + line.count(f"{value + 1}*")


# --- a position from its view ------------------------------------------------------------------


def read_cards(d: Draft) -> None:
    """Line, hands, piles and deck, out of the cards in the box; "?" in a hand is a card to be drawn."""
    left = list(d.box.count)
    line, taken, deck = (
        known_cards(d, key, d.items(key, None, str, []), left) for key in ("line", "taken", "deck")
    )
    sizes = d.integers("hand_sizes", d.box.players, 0, d.box.hand, [d.box.hand] * d.box.players)
    d.compare("hand_sizes")
    hands = d.of_seats("hands", list, [[UNKNOWN] * size for size in sizes])
    known = [known_cards(d, "hands", [name for name in hand if name != UNKNOWN], left) for hand in hands]
    rest = shuffled(d.s.rng, [kind for kind in range(KINDS) for _ in range(left[kind])])
    complete_taken(d, taken, rest)
    for hand, kinds in zip(hands, known, strict=True):
        missing = len(hand) - len(kinds)
        if missing > len(rest):
            raise d.fail("hands", "there are not enough cards left to fill them")
        kinds += rest[:missing]
        del rest[:missing]
    lay_out(d.s, line, taken, known, deck + rest)


def known_cards(d: Draft, key: str, names: Iterable[str], left: list[int]) -> list[int]:
    """The kinds of named cards, taken out of `left`; PositionError for a wrong name or one card too many."""
    kinds = []
    for name in names:
        if name not in CARD_NAMES:
            raise d.fail(key, f"{name!r} is no card; cards are 1 .. 10 and 1* .. 10*")
        kind = CARD_NAMES.index(name)
        left[kind] -= 1
        if left[kind] < 0:
            raise d.fail(key, f"more cards {name} than there are in the game")
        kinds.append(kind)
    return kinds


def complete_taken(d: Draft, taken: list[int], rest: list[int]) -> None:
    """Complete the taken cards to the sums of the piles: first Cats, then Chakapuces."""
    for key, of_key in (("cats", range(VALUES)), ("chakapuces", range(VALUES, KINDS))):
        pile = sum(getattr(d.s, key))
        missing = pile - sum(kind in of_key for kind in taken)
        if missing < 0:
            raise d.fail("taken", f"lists more {key} than the {pile} in the piles")
        drawn = [kind for kind in rest if kind in of_key][:missing]
        if len(drawn) < missing:
            raise d.fail(key, f"the piles need {missing} more than there are left")
        for kind in drawn:
            rest.remove(kind)
        taken += drawn


def lay_out(s: Record, line: list[int], taken: list[int], hands: list[list[int]], deck: list[int]) -> None:
    """Put the kinds of cards where they belong; the first of the deck is its top card."""
    for kind in range(KINDS):
        s.line[kind], s.taken[kind] = line.count(kind), taken.count(kind)
        for seat, hand in enumerate(hands):
            s.hands[seat, kind] = hand.count(kind)
    s.hand_size[: len(hands)] = [len(hand) for hand in hands]
    s.deck[: len(deck)] = deck[::-1]
    s.deck_size = len(deck)


def read_turn(d: Draft) -> None:
    """Whose turn it is, and how far."""
    s, players = d.s, d.box.players
    s.ended_by, s.turn = d.seat("ended_by", players, -1), d.seat("turn", players, max(0, d.box.first_player))
    s.second, s.done = d.integer("play", 1, 2, 1) == 2, s.turn < 0
    if s.turn < 0 and s.ended_by < 0:
        raise d.fail("turn", "can be none only when ended_by is set")
    if s.turn == s.ended_by:
        raise d.fail("turn", "cannot be the seat that ended the game, which plays no more")
    if s.second and s.turn < 0:
        raise d.fail("play", "must be 1 when the game is over")
    if s.second and not any(s.line):
        raise d.fail("play", "cannot be 2 while the line is empty: the first card lies there")
    if s.ended_by < 0 and 0 in list(s.fleas)[:players]:
        raise d.fail("fleas", "nobody can have 0 while ended_by is none")


def check_hand_sizes(d: Draft) -> None:
    """Hands are full, but for the card just played and those of the last round."""
    s, full = d.s, d.box.hand
    for seat in range(d.box.players):
        allowed = {full}
        if seat == s.turn and s.second:
            allowed = {full - 1, full}
        elif s.ended_by >= 0 and s.deck_size == 0 and not has_turn_to_come(d.box, s, seat):
            allowed = set(range(full - 2, full + 1))
        if s.hand_size[seat] not in allowed:
            sizes = " or ".join(map(str, sorted(allowed)))
            raise d.fail("hands", f"{seat_name(seat)} must have {sizes} cards, got {s.hand_size[seat]}")


def has_turn_to_come(box: Record, s: Record, seat: int) -> bool:
    """Whether a seat plays in what is left of the last round: from `turn` up to the one before `ended_by`."""
    return s.turn >= 0 and (seat - s.turn) % box.players < (s.ended_by - s.turn) % box.players


POSITION = (
    Values("fleas", start=lambda box: box.start_fleas),
    Values("cats"),
    Values("chakapuces"),
    read_cards,
    read_turn,
    check_hand_sizes,
)


# --- the table as text -------------------------------------------------------------------------


def table(box: Record, view: View, seat: int = -1) -> str:
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
    for p in range(box.players):
        name = seat_name(p)
        marks = (" <- to play" if view["turn"] == name else "") + (
            " (ended the game)" if view["ended_by"] == name else ""
        )
        rows.append(
            f"{name}: {view['fleas'][p]} fleas, {view['cats'][p]} cats, "
            f"{view['chakapuces'][p]} chakapuces, {view['hand_sizes'][p]} in hand{marks}"
        )
    rows.append("")
    for p, hand in enumerate(view["hands"]):
        if hand:
            rows.append(f"hand of {seat_name(p)}: {' '.join(hand)}")
    if view.get("deck"):
        rows += folded(f"deck, top first: {' '.join(view['deck'])}", "  ")
    over = view["turn"] is None
    rows.append(
        ("the game is over" if over else f"card {view['play']} of 2") + f"; deck: {view['deck_size']}"
    )
    return "\n".join(rows) + "\n"
