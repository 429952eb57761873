"""Catchup & Mousetard in words: actions, positions, and the table as text.

Cards and dishes have the names of the components in the box; `own` is an own sauce.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from foodenvs.core.events import Event, gained
from foodenvs.core.notation import UNKNOWN, Reader, folded, seat_name
from foodenvs.core.renewal import by_name, the_same
from foodenvs.core.views import Draft, Values, View
from foodenvs.engine import Record, below, shuffled
from foodenvs.games.catchup_mousetard.rules import (
    AGES,
    BUILDING,
    CHARACTERS,
    DECKS,
    DISCARDING,
    DRAWS,
    HAND,
    INGREDIENTS,
    MORE,
    NAME,
    NEW,
    OLD,
    OVER,
    PHASES,
    SERVING,
    apply,
    can_draw,
    hand_size,
    legal,
)


def ranges_of_actions(box: Record) -> tuple[tuple[int, int, str], ...]:
    """The first, the last and the meaning of actions that belong together."""
    draw, start, add, serve, done = map(int, (box.draw, box.start, box.add, box.serve, box.done))
    return (
        (0, draw - 1, "discard a card of this kind"),
        (draw, start - 1, "draw a card of this deck"),
        (start, add - 1, "start this dish"),
        (add, serve - 2, "put a card of this kind into the dish"),
        (serve - 1, serve - 1, "put an own sauce into the dish"),
        (serve, serve, "serve the dish"),
        (done, done, "go on without drawing, or end the turn"),
    )


ACTION_RANGES = ranges_of_actions


def letters(row: np.ndarray) -> str:
    return row.tobytes().rstrip(b"\0").decode()


def card_name(box: Record, kind: int) -> str:
    """The name of a kind; `own` for an own sauce."""
    return "own" if kind == box.kinds else letters(box.kind_name[kind])


def card_names(box: Record) -> list[str]:
    """The names of all kinds; letters, then 0, are how numpy keeps strings."""
    return np.asarray(box.kind_name).view(f"S{NAME}")[: box.kinds, 0].astype(str).tolist()


def dish_name(box: Record, dish: int) -> str:
    """The name of a dish; "" for -1."""
    return letters(box.dish_name[dish]) if dish >= 0 else ""


def action_name(box: Record, action: int) -> str:
    """`discard KIND`, `draw DECK`, `dish DISH`, `add KIND`, `add own`, `serve` or `done`."""
    if action < box.draw:
        return f"discard {card_name(box, action)}"
    if action < box.start:
        return f"draw {DECKS[action - box.draw]}"
    if action < box.add:
        return f"dish {dish_name(box, action - box.start)}"
    if action < box.serve:
        return f"add {card_name(box, action - box.add)}"
    return "serve" if action == box.serve else "done"


def parse_action(box: Record, text: str) -> int:
    """The inverse of `action_name`; ValueError for any other text."""
    actions = {action_name(box, action): action for action in range(box.actions)}
    if text not in actions:
        raise ValueError(
            f"unknown action {text!r}; actions are discard KIND, draw DECK, dish DISH, add KIND, add own, "
            "serve, done"
        )
    return actions[text]


_BY_WHOM = "in the discards a card does not tell who discarded or served it; it is in no hand any more"
NOT_SHOWN = {
    "observation": {"earlier turns": _BY_WHOM},
    "picture": {"old_in_hands": "old cards that several hands may hold show their backs only"},
}


# --- what is seen ------------------------------------------------------------------------------


def cards(box: Record, counts: Iterable[int]) -> list[str]:
    """The names of cards given by their number per kind, in kind order."""
    return [name for name, n in zip([*card_names(box), "own"], counts, strict=False) for _ in range(n)]


def of_deck(box: Record, deck: int) -> list[int]:
    """The kinds of a deck."""
    return [kind for kind in range(box.kinds) if box.deck[kind] == deck]


def copies(box: Record) -> list[int]:
    """How many cards of each kind there are."""
    return list(box.count)[: box.kinds]


def by_deck(box: Record, counts: Sequence[int]) -> dict[str, list[str]]:
    """The same for the cards of each deck."""
    names = card_names(box)
    return {
        deck_name: [names[kind] for kind in of_deck(box, deck) for _ in range(counts[kind])]
        for deck, deck_name in enumerate(DECKS)
    }


def public(box: Record, s: Record) -> dict[str, Any]:
    """What everybody sees; a dish under construction is not among it (CM-49).

    characters: of each seat.  first_player: the number of the seat that started.  drawn: ingredients drawn in
    phase "more".  floor: in phase "discard" the first kind that may still go (CM-15), else the first of all.
    own_sauces: left, by seat.  backs: of each seat, by deck, how many new and how many old cards it holds.
    reason: "target" or "max_turns" at the end, "" before.  Where the cards of each deck are: discards, face
    up; old_in_hands, all old ones, whoever holds them (CM-50); unseen, all others, in the deck or new in
    hands; deck_sizes, how many in the deck.
    """
    seats = range(box.players)
    old = s.old.sum(0).tolist()
    return {
        "phase": PHASES[SERVING if s.phase == BUILDING else s.phase],
        "round": s.round,
        "characters": [CHARACTERS[s.characters[seat]] for seat in seats],
        "first_player": s.first_player,
        "drawn": s.drawn,
        "floor": card_name(box, s.floor if s.phase == DISCARDING else 0),
        "own_sauces": [s.own_sauces[seat] for seat in seats],
        "backs": [{name: s.backs[seat, deck].tolist() for deck, name in enumerate(DECKS)} for seat in seats],
        "discards": by_deck(box, s.discards),
        "old_in_hands": by_deck(box, old),
        "unseen": by_deck(box, [box.count[kind] - s.discards[kind] - old[kind] for kind in range(box.kinds)]),
        "deck_sizes": {name: s.deck_size[deck] for deck, name in enumerate(DECKS)},
        "reason": "target" if s.done else "max_turns" if s.truncated else "",
    }


def private(box: Record, s: Record, seat: int) -> dict[str, Any]:
    """What only `seat` sees.

    hands: its cards, those in the dish included.  old: the old ones among them (CM-50).  dishes: the dish
    under construction, by name, and the cards laid so far; {} without one.
    """
    builds = s.phase == BUILDING and s.turn == seat
    return {
        "hands": cards(box, s.hands[seat]),
        "old": cards(box, s.old[seat]),
        "dishes": {"dish": dish_name(box, s.dish), "build": cards(box, s.build)} if builds else {},
    }


def deduced(box: Record, s: Record, seat: int, other: int) -> dict[str, Any]:
    """The old cards of `other`, where `seat` can tell them (CM-50).

    Of each deck only `other` has old ones, `seat` aside, or these are all alike.
    """
    others = [p for p in range(box.players) if p != seat]
    for deck in range(len(DECKS)):
        holders = [p for p in others if s.backs[p, deck, OLD]]
        kinds = s.old[others].sum(0)[of_deck(box, deck)] if other in holders and len(holders) > 1 else []
        if np.count_nonzero(kinds) > 1:
            return {}
    return {"old": cards(box, s.old[other])}


def face_down(box: Record, s: Record) -> dict[str, Any]:
    """The decks, their top cards first."""
    names = card_names(box)
    return {
        "decks": {
            name: [names[s.deck[deck, i]] for i in range(s.deck_size[deck] - 1, -1, -1)]
            for deck, name in enumerate(DECKS)
        }
    }


# --- what came of a step -----------------------------------------------------------------------


EVENTS = {
    "discarded": "{seat} discards {things}",
    "reshuffled": "the discards are the {things} deck now",
    "drew": "{seat} draws {things[0]} from the {things[1]} deck",
    "drew_hidden": "{seat} draws from the {things} deck",
    "drew_none": "{seat} draws nothing",
    "drew_enough": "{seat} draws no more",
    "began": "{seat} begins {things}",
    "added": "{seat} adds {things}",
    "finished": "{seat} finishes {things}",
    "served": "{seat} serves {things} for {0:point}",
    "ended": "{seat} ends the turn",
    "last_turn": "all turns are over",
}
_OF_DONE = {"discard": "drew_none", "more": "drew_enough", "serve": "ended"}  # by phase


def events(box: Record, before: View, after: View, seat: int, action: int | None) -> Iterator[Event]:
    """What a seat does; of a dish under construction, and of the cards drawn, only to who may know."""
    if action is None:
        return
    if action < box.draw:
        yield Event("discarded", seat, (card_name(box, action),))
    elif action < box.start:
        yield from told_draw(before, after, seat, DECKS[action - box.draw])
    elif action < box.add:
        yield Event("began", seat, (dish_name(box, action - box.start),))
    elif action < box.serve:
        yield Event("added", seat, (card_name(box, action - box.add),))
    elif action == box.serve:
        yield from told_dish(before, after, seat)
    else:
        yield Event(_OF_DONE[before["phase"]], seat)
        if after["reason"] == "max_turns":
            yield Event("last_turn")


def told_draw(before: View, after: View, seat: int, deck: str) -> Iterator[Event]:
    """A card drawn, by name to who sees the hand; of discards, where the deck was empty (CM-20)."""
    if before["deck_sizes"][deck] == 0:
        yield Event("reshuffled", things=(deck,))
    hands = before["hands"][seat], after["hands"][seat]
    if None in hands:
        yield Event("drew_hidden", seat, (deck,))
    else:
        yield Event("drew", seat, (*gained(*hands), deck))


def told_dish(before: View, after: View, seat: int) -> Iterator[Event]:
    """The cards of a dish, which all see now; what it was only to who saw it made."""
    if before["dishes"][seat]:
        yield Event("finished", seat, (before["dishes"][seat]["dish"],))
    served = [card for deck in DECKS for card in gained(before["discards"][deck], after["discards"][deck])]
    own = before["own_sauces"][seat] - after["own_sauces"][seat]
    points = after["scores"][seat] - before["scores"][seat]
    yield Event("served", seat, (*served, *["own"] * own), (points,))


# --- a position from its view ------------------------------------------------------------------


def read_seats(d: Draft) -> None:
    """Characters and own sauces."""
    box, s, players = d.box, d.s, d.box.players
    names = d.items("characters", players, str, list(CHARACTERS[:players]))
    if len(set(names)) < players or not set(names) <= set(CHARACTERS):
        raise d.fail("characters", f"must be different names out of {', '.join(CHARACTERS)}, got {names}")
    s.characters[:players] = [CHARACTERS.index(name) for name in names]
    start = [box.own_sauces[s.characters[seat]] for seat in range(players)]
    s.own_sauces[:players] = d.integers("own_sauces", players, 0, max(start), start)
    for seat in range(players):
        if s.own_sauces[seat] > start[seat]:
            raise d.fail("own_sauces", f"{names[seat]} has at most {start[seat]}")


def read_cards(d: Draft) -> None:
    """Hands and their old cards, discards and decks, out of the cards in the box.

    A hand that is open is drawn as its backs say; "?" in a hand is any card. What is given nowhere lies below
    the given cards of its deck, or in the discards where `deck_sizes` leaves no room.
    """
    box, s, left = d.box, d.s, copies(d.box)
    hands = d.of_seats("hands", list, [None] * box.players)
    old = d.of_seats("old", list, [None if hand is None else [] for hand in hands])
    for seat, hand in enumerate(hands):
        for kind in known(box, d, "hands", [name for name in hand or [] if name != UNKNOWN], left):
            s.hands[seat, kind] += 1
        places = (left, "the box") if hand is None else (list(s.hands[seat]), "the hand")
        for kind in known(box, d, "old", old[seat] or [], *places):
            s.old[seat, kind] += 1
            s.hands[seat, kind] += hand is None
    decks, discards = piles(d, "decks", left), piles(d, "discards", left)
    draw_hands(d, hands, None in old, left)
    for deck, name in enumerate(DECKS):
        rest = shuffled(s.rng, [kind for kind in of_deck(box, deck) for _ in range(left[kind])])
        fill_piles(d, deck, decks.get(name, []), rest, discards.get(name))


def known(
    box: Record, d: Reader, key: str, names: Iterable[object], left: list[int], place: str = "the box"
) -> list[int]:
    """The kinds of named cards, taken out of `left`; PositionError for a wrong name or one card too many."""
    kinds, all_names = [], card_names(box)
    for name in names:
        if name not in all_names:
            raise d.fail(key, f"{name!r} is no card")
        kind = all_names.index(name)
        left[kind] -= 1
        if left[kind] < 0:
            raise d.fail(key, f"more cards {name} than {place} holds")
        kinds.append(kind)
    return kinds


def piles(d: Draft, key: str, left: list[int]) -> dict[str, list[int]]:
    """The kinds of the cards that a table gives, for each deck that it gives."""
    table, read = d.table(key, DECKS, {}), {}
    for deck, name in enumerate(DECKS):
        if name in table:
            read[name] = known(d.box, table, name, table.items(name, None, str), left)
            for kind in read[name]:
                if d.box.deck[kind] != deck:
                    found = DECKS[d.box.deck[kind]]
                    raise table.fail(name, f"{card_name(d.box, kind)} is a card of {found}")
    return read


def draw_hands(d: Draft, hands: list[list[Any] | None], some_old_open: bool, left: list[int]) -> None:
    """Draw for open hands what their backs say, and for each "?" in a hand."""
    box, s, seats = d.box, d.s, [seat for seat, hand in enumerate(hands) if hand is None]
    count_backs(box, s)
    if seats:
        backs = d.of_seats("backs", dict, [{}] * box.players)
        tables = [Reader(row, f"{d.where}: backs", known=DECKS) for row in backs]
        pools = old_pools(d, left) if some_old_open else {}
        for deck, name in enumerate(DECKS):
            sizes = [table.integers(name, len(AGES), 0, HAND, [0, 0]) for table in tables]
            for seat in seats:
                for age, pool in ((OLD, pools.get(name, left)), (NEW, left)):
                    for _ in range(sizes[seat][age] - s.backs[seat, deck, age]):
                        kind = draw_any(d, "backs", pool, deck)
                        s.hands[seat, kind] += 1
                        s.old[seat, kind] += age == OLD
    for seat, hand in enumerate(hands):
        for _ in range((hand or []).count(UNKNOWN)):
            s.hands[seat, draw_any(d, "hands", left)] += 1
    count_backs(box, s)
    for key in ("backs", "old_in_hands") if seats else ():
        d.hold(key, public(box, s)[key])
    for seat in range(box.players):
        size = hand_size(s, seat)
        if size > HAND:
            raise d.fail("hands", f"{seat_name(seat)} has {size} cards, at most {HAND} are allowed")


def count_backs(box: Record, s: Record) -> None:
    """The backs of all hands by the cards in them."""
    for deck in range(len(DECKS)):
        kinds = of_deck(box, deck)
        s.backs[:, deck, OLD] = s.old[:, kinds].sum(1)
        s.backs[:, deck, NEW] = s.hands[:, kinds].sum(1) - s.backs[:, deck, OLD]


def old_pools(d: Draft, left: list[int]) -> dict[str, list[int]]:
    """For each deck that `old_in_hands` gives, how many old cards of each kind are in open hands."""
    pools, held = {}, d.s.old.sum(0).tolist()
    for name, kinds in piles(d, "old_in_hands", copies(d.box)).items():
        pools[name] = [max(0, kinds.count(kind) - held[kind]) for kind in range(d.box.kinds)]
        left[:] = [n - taken for n, taken in zip(left, pools[name], strict=True)]
    return pools


def draw_any(d: Draft, key: str, left: list[int], deck: int | None = None) -> int:
    """A random one of the cards that are left, those of a deck where one is named, taken out of them."""
    kinds = range(d.box.kinds) if deck is None else of_deck(d.box, deck)
    drawn = [kind for kind in kinds for _ in range(left[kind])]
    if not drawn:
        raise d.fail(key, "there are not enough cards left to fill the hands")
    kind = drawn[below(d.s.rng, len(drawn))]
    left[kind] -= 1
    return kind


def fill_piles(d: Draft, deck: int, top: list[int], rest: list[int], discards: list[int] | None) -> None:
    """Lay the rest below the top cards; where the discards are open (None), there by `deck_sizes`."""
    s, pile, size = d.s, top + rest, len(top + rest)
    if discards is None:
        size = d.table("deck_sizes", DECKS, {}).integer(DECKS[deck], len(top), size, size)
        d.compare("deck_sizes")
    s.deck[deck, :size] = pile[:size][::-1]
    s.deck_size[deck] = size
    for kind in (discards or []) + pile[size:]:
        s.discards[kind] += 1


def read_turn(d: Draft) -> None:
    """Whose turn it is, and what has happened in it."""
    box, s = d.box, d.s
    over = d.get("phase", str, "") == PHASES[OVER]
    s.turn = d.seat("turn", box.players, -1 if over else s.first_player)
    shown = [name for name in PHASES if name != PHASES[BUILDING]]
    s.phase = PHASES.index(d.choice("phase", shown, PHASES[OVER if s.turn < 0 else DISCARDING]))
    if (s.turn < 0) != (s.phase == OVER):
        raise d.fail("turn", "must be none in phase over, and only then")
    most = (1, DRAWS - 1) if s.phase == MORE else (0, 0)
    s.drawn = d.integer("drawn", *most, most[0])
    if s.phase == DISCARDING:
        s.floor = card_names(box).index(d.choice("floor", card_names(box), card_name(box, 0)))
    if s.phase == MORE:
        check_more(d)


def check_more(d: Draft) -> None:
    box, s = d.box, d.s
    if sum(s.backs[s.turn, INGREDIENTS].tolist()) < s.drawn:
        raise d.fail("drawn", f"{seat_name(s.turn)} has fewer cards of ingredients in hand")
    if hand_size(s, s.turn) == HAND or not can_draw(box, s, INGREDIENTS):
        raise d.fail("phase", f"cannot be more with {HAND} cards in hand or no ingredients to draw")


def read_end(d: Draft) -> None:
    """How the game ended, if it did."""
    box, s = d.box, d.s
    reached = [score for score in list(s.scores)[: box.players] if score >= box.target]
    if len(reached) > (s.phase == OVER):
        raise d.fail("scores", f"only one seat can have reached {box.target}, and only in phase over")
    s.done = bool(reached)
    s.truncated = s.phase == OVER and not s.done
    if s.truncated and s.round != box.max_turns:
        raise d.fail(
            "phase", f"cannot be over before {box.target} points or round {box.max_turns} are reached"
        )


def read_dish(d: Draft) -> None:
    """The dish under construction, laid as its seat has laid it: card by card."""
    box, s = d.box, d.s
    dishes = d.of_seats("dishes", dict, [{}] * box.players)
    s.dish = -1
    if s.phase == SERVING and dishes[s.turn]:
        own = Reader(dishes[s.turn], f"{d.where}: dishes", known=("dish", "build"))
        lay(d, f"dish {own.get('dish', str)}")
        for name in own.items("build", None, str, []):
            lay(d, f"add {name}")
    d.hold("dishes", [private(box, s, seat)["dishes"] for seat in range(box.players)])


def lay(d: Draft, name: str) -> None:
    mask = np.zeros(d.box.actions, np.int8)
    legal(d.box, d.s, mask)
    actions = {action_name(d.box, action): action for action in np.flatnonzero(mask).tolist()}
    if name not in actions:
        raise d.fail("dishes", f"{name!r} is not possible; there are {', '.join(actions)}")
    apply(d.box, d.s, actions[name])


POSITION = (
    Values("first_player"),
    Values("round", start=lambda box: 1),
    Values("scores"),
    read_seats,
    read_cards,
    read_turn,
    read_end,
    read_dish,
)


# --- a position of the version before ----------------------------------------------------------


def of_the_seat_on_turn(view: dict[str, Any]) -> list[str]:
    """The dish under construction had keys and a phase of its own; now its seat has it."""
    dish = {key: view.pop(key) for key in ("dish", "build") if key in view}
    if view.get("phase") != PHASES[BUILDING]:
        return list(dish)
    turn, hands = view.get("turn", f"player_{view.get('first_player', 0)}"), view.get("hands")
    names = [seat_name(seat) for seat in range(len(hands) if type(hands) is list else 0)]
    view |= {"phase": PHASES[SERVING], "dishes": [dish if name == turn else {} for name in names]}
    view.pop("floor", None)
    return [*dish, "phase"]


def by_deck_size(view: dict[str, Any]) -> list[str]:
    """`rest_to_discards` named decks that hold no more cards than the given ones."""
    if type(view.get("rest_to_discards")) is not list:
        return []
    sizes = dict.fromkeys(map(str, view.pop("rest_to_discards")), 0)
    decks = view["decks"] if type(view.get("decks")) is dict else {}
    for name in sizes.keys() & decks.keys():
        sizes[name] = len(decks[name]) if type(decks[name]) is list else 0
    view["deck_sizes"] = sizes
    return ["rest_to_discards"]


RENAMED = (
    ("to_move", "turn", by_name), ("winner", "winners", the_same), of_the_seat_on_turn, by_deck_size,
)  # fmt: skip


# --- the table as text -------------------------------------------------------------------------


def table(box: Record, view: View, seat: int = -1) -> str:
    """A view as text, at most 80 columns wide: a block per seat, decks, discards, and the dish at work."""
    dishes = [dish for dish in view["dishes"] if dish]
    lines = [f"round {view['round']}, {phase_text(box, view, PHASES[BUILDING] if dishes else view['phase'])}"]
    for p in range(view["players"]):
        name, mark, first = seat_name(p), "", " (first)" if p == view["first_player"] else ""
        if name == view["turn"]:
            mark = " <- to act"
        elif p in view["winners"]:
            mark = " (wins)"
        lines.append(
            f"{name} {view['characters'][p]}{first}: {view['scores'][p]} of {box.target} points, "
            f"{view['own_sauces'][p]} own sauces{mark}"
        )
        lines += wrapped("  hand: ", hand_text(view, p))
    lines += wrapped("decks: ", [f"{name} {size}" for name, size in view["deck_sizes"].items()])
    for name, pile in view["discards"].items():
        lines += wrapped(f"discards of {name}: ", counted(pile))
    old = [name for pile in view["old_in_hands"].values() for name in pile]
    lines += wrapped("old in hands: ", counted(old)) if old else []
    for dish in dishes:
        lines += wrapped(f"dish {dish['dish']}: ", counted(dish["build"]))
    return "\n".join(lines) + "\n"


def phase_text(box: Record, view: View, phase: str) -> str:
    """The phase, and how far it is."""
    if phase == PHASES[OVER]:
        return "the game is over"
    floor = f" from {view['floor']} on" if view["floor"] != card_name(box, 0) else ""
    return f"phase {phase}" + floor + (f", {view['drawn']} drawn" if view["drawn"] else "")


def hand_text(view: View, p: int) -> list[str]:
    """The cards of a hand where the view has them, else their backs; old ones are said to be old."""
    if view["hands"][p] is not None:
        return counted(view["hands"][p], view["old"][p])
    return [
        f"{new + old} {name}" + (f" ({old} old)" if old else "")
        for name, (new, old) in view["backs"][p].items()
    ]


def counted(names: Sequence[str], old: Sequence[str] = ()) -> list[str]:
    """`bun2 x2 (1 old)` for each different card."""
    return [
        name
        + (f" x{names.count(name)}" if names.count(name) > 1 else "")
        + (f" ({old.count(name)} old)" if name in old else "")
        for name in dict.fromkeys(names)
    ]


def wrapped(head: str, words: Iterable[str]) -> list[str]:
    text = head + (", ".join(words) or "none")
    return folded(text)
