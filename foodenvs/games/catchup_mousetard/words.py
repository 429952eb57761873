"""Catchup & Mousetard in words: actions, positions, and the table as text.

Cards and dishes have the names of the components in the box; `own` is an own sauce.
"""

import textwrap

import numpy as np

from foodenvs.engine import below, shuffled
from foodenvs.games.catchup_mousetard.rules import (
    ACTIONS,
    ADD,
    BUILDING,
    CHARACTERS,
    DECKS,
    DISCARD,
    DISCARDING,
    DISH,
    DISHES,
    DONE,
    DRAW,
    DRAWS,
    HAND,
    INGREDIENTS,
    KINDS,
    MORE,
    NEW,
    OLD,
    OVER,
    OWN,
    PHASES,
    SERVE,
    SERVING,
    apply,
    can_draw,
    hand_size,
    legal,
)
from foodenvs.notation import UNKNOWN, PositionError, Reader, seat_name

ACTION_RANGES = (
    (DISCARD, DRAW - 1, "discard a card of this kind"),
    (DRAW, DISH - 1, "draw a card of this deck"),
    (DISH, ADD - 1, "start this dish"),
    (ADD, ADD + KINDS - 1, "put a card of this kind into the dish"),
    (ADD + OWN, ADD + OWN, "put an own sauce into the dish"),
    (SERVE, SERVE, "serve the dish"),
    (DONE, DONE, "go on without drawing, or end the turn"),
)
KEYS = (
    "players", "characters", "first_player", "round", "to_move", "phase", "floor", "drawn", "dish", "build",
    "scores", "own_sauces", "hands", "old", "decks", "discards", "winner", "reason", "rest_to_discards",
)  # fmt: skip
WIDTH = 80


def letters(row):
    return row.tobytes().rstrip(b"\0").decode()


def card_name(box, kind):
    """The name of a kind; `own` for an own sauce."""
    return "own" if kind == OWN else letters(box.kind_name[kind])


def card_names(box):
    return [card_name(box, kind) for kind in range(KINDS)]


def dish_name(box, dish):
    """The name of a dish; "" for -1."""
    return letters(box.dish_name[dish]) if dish >= 0 else ""


def action_name(box, action):
    """`discard KIND`, `draw DECK`, `dish DISH`, `add KIND`, `add own`, `serve` or `done`."""
    if action < DRAW:
        return f"discard {card_name(box, action - DISCARD)}"
    if action < DISH:
        return f"draw {DECKS[action - DRAW]}"
    if action < ADD:
        return f"dish {dish_name(box, action - DISH)}"
    if action < SERVE:
        return f"add {card_name(box, action - ADD)}"
    return "serve" if action == SERVE else "done"


def parse_action(box, text):
    """The inverse of `action_name`; ValueError for any other text."""
    actions = {action_name(box, action): action for action in range(ACTIONS)}
    if text not in actions:
        raise ValueError(
            f"unknown action {text!r}; actions are discard KIND, draw DECK, dish DISH, add KIND, add own, "
            "serve, done"
        )
    return actions[text]


# --- positions ---------------------------------------------------------------------------------


def cards(box, counts):
    """The names of cards given by their number per kind, in kind order."""
    return [card_name(box, kind) for kind, n in enumerate(counts) for _ in range(n)]


def public(box, s):
    """What everybody sees, as a dict of plain values; a dish under construction is not among it (CM-49)."""
    seats = range(box.players)
    phase = SERVING if s.phase == BUILDING else s.phase
    return {
        "players": box.players,
        "characters": [CHARACTERS[s.characters[seat]] for seat in seats],
        "first_player": s.first_player,
        "round": s.round,
        "to_move": s.turn,
        "phase": PHASES[phase],
        "floor": card_name(box, s.floor if phase == DISCARDING else 0),
        "drawn": s.drawn,
        "dish": "",
        "build": [],
        "scores": [s.scores[seat] for seat in seats],
        "own_sauces": [s.own_sauces[seat] for seat in seats],
        "discards": {
            name: cards(box, [n if box.deck[kind] == deck else 0 for kind, n in enumerate(s.discards)])
            for deck, name in enumerate(DECKS)
        },
        "winner": [seat for seat in seats if s.turn < 0 and s.scores[seat] == max(s.scores)],
        "reason": "target" if s.done else "max_turns" if s.truncated else "",
    }


def dish_of(box, s):
    """The dish under construction, for those who may see it."""
    return {
        "phase": PHASES[s.phase],
        "floor": card_name(box, s.floor),
        "dish": dish_name(box, s.dish),
        "build": cards(box, s.build),
    }


def view(box, s):
    """The whole position as a dict of plain values (the random stream aside)."""
    seats = range(box.players)
    return (
        public(box, s)
        | dish_of(box, s)
        | {
            "hands": [cards(box, s.hands[seat]) for seat in seats],
            "old": [cards(box, s.old[seat]) for seat in seats],
            "decks": {
                name: [card_name(box, s.deck[deck, i]) for i in range(s.deck_size[deck] - 1, -1, -1)]
                for deck, name in enumerate(DECKS)
            },
        }
    )


def seat_view(box, s, seat):
    """The position as `seat` sees it (-1: a spectator): own cards, the backs of the others', no deck.

    `old` is there, as in the whole position, where the seat can tell whose the old cards are.
    """
    hand = s.hands[seat] if seat >= 0 else [0] * KINDS
    hand_old = s.old[seat] if seat >= 0 else [0] * KINDS
    unseen_old = [sum(s.old[:, kind].tolist()) - hand_old[kind] for kind in range(KINDS)]
    unseen_new = [box.count[kind] - s.discards[kind] - hand[kind] - unseen_old[kind] for kind in range(KINDS)]
    seen = public(box, s)
    if seat >= 0 and s.turn == seat:
        seen |= dish_of(box, s)
    if knows_old(box, s, seat):
        seen["old"] = [cards(box, s.old[p]) for p in range(box.players)]
    return seen | {
        "seat": seat,
        "hand": cards(box, hand),
        "hand_old": cards(box, hand_old),
        "backs": [
            {name: s.backs[p, deck].tolist() for deck, name in enumerate(DECKS)} for p in range(box.players)
        ],
        "deck_sizes": {name: s.deck_size[deck] for deck, name in enumerate(DECKS)},
        "unseen_new": cards(box, unseen_new),
        "unseen_old": cards(box, unseen_old),
    }


def knows_old(box, s, seat):
    """Whether the old cards of every deck in other hands are all in one of them, by their backs (CM-50)."""
    others = [p for p in range(box.players) if p != seat]
    return all(sum(s.backs[p, deck, OLD] > 0 for p in others) <= 1 for deck in range(len(DECKS)))


# --- a position from its view ------------------------------------------------------------------


def from_view(box, s, view):
    """Set up a position from any subset of a view's keys; what it leaves open is drawn from `s.rng`.

    `rest_to_discards` names decks whose cards that are not given lie in the discards instead of below the
    given ones. "?" in `hands` is a card drawn at random. Raises PositionError (a ValueError) that names the
    key for a position that cannot be.
    """
    given = Reader(view, "position", PositionError, KEYS)
    if given.integer("players", 0, 99, box.players) != box.players:
        raise given.fail("players", f"must be {box.players}, as in the environment")
    read_seats(box, s, given)
    read_cards(box, s, given)
    read_turn(box, s, given)
    read_end(box, s, given)
    if s.phase == MORE:
        check_more(box, s, given)
    read_dish(box, s, given)


def read_seats(box, s, given):
    """Characters and own sauces."""
    players = box.players
    names = given.items("characters", players, str, list(CHARACTERS[:players]))
    if len(set(names)) < players or not set(names) <= set(CHARACTERS):
        raise given.fail("characters", f"must be different names out of {', '.join(CHARACTERS)}, got {names}")
    s.characters[:players] = [CHARACTERS.index(name) for name in names]
    start = [box.own_sauces[s.characters[seat]] for seat in range(players)]
    s.own_sauces[:players] = given.integers("own_sauces", players, 0, max(start), start)
    for seat in range(players):
        if s.own_sauces[seat] > start[seat]:
            raise given.fail("own_sauces", f"{names[seat]} has at most {start[seat]}")


def read_cards(box, s, given):
    """Hands, discards and decks, out of the cards in the box."""
    left = list(box.count)
    hands = given.items("hands", box.players, list, [[]] * box.players)
    drawn = [hand.count(UNKNOWN) for hand in hands]
    for seat, hand in enumerate(hands):
        if len(hand) > HAND:
            raise given.fail("hands", f"{seat_name(seat)} has {len(hand)} cards, at most {HAND} are allowed")
        for kind in known(box, given, "hands", [name for name in hand if name != UNKNOWN], left):
            s.hands[seat, kind] += 1
    decks = piles(box, given, "decks", left)
    for kind in (kind for pile in piles(box, given, "discards", left) for kind in pile):
        s.discards[kind] += 1
    for seat in range(box.players):
        for _ in range(drawn[seat]):
            s.hands[seat, draw_any(s, given, left)] += 1
    read_old(box, s, given)
    rest_to_discards = given.items("rest_to_discards", None, str, [])
    for name in rest_to_discards:
        if name not in DECKS:
            raise given.fail("rest_to_discards", f"{name!r} is no deck; decks are {', '.join(DECKS)}")
    for deck, name in enumerate(DECKS):
        rest = [kind for kind in range(KINDS) if box.deck[kind] == deck for _ in range(left[kind])]
        if name in rest_to_discards:
            for kind in rest:
                s.discards[kind] += 1
        else:
            decks[deck] += shuffled(s.rng, rest)
        s.deck_size[deck] = len(decks[deck])
        s.deck[deck, : s.deck_size[deck]] = decks[deck][::-1]


def known(box, given, key, names, left, place="the box"):
    """The kinds of named cards, taken out of `left`; PositionError for a wrong name or one card too many."""
    kinds, all_names = [], card_names(box)
    for name in names:
        if name not in all_names:
            raise given.fail(key, f"{name!r} is no card")
        kind = all_names.index(name)
        left[kind] -= 1
        if left[kind] < 0:
            raise given.fail(key, f"more cards {name} than {place} holds")
        kinds.append(kind)
    return kinds


def draw_any(s, given, left):
    """A random one of the cards that are left, taken out of them."""
    if not any(left):
        raise given.fail("hands", "there are not enough cards left to fill them")
    pick = int(below(s.rng, sum(left)))
    kind = next(k for k in range(KINDS) if sum(left[: k + 1]) > pick)
    left[kind] -= 1
    return kind


def piles(box, given, key, left):
    """The kinds of the cards that a table of `decks` or `discards` gives for each deck."""
    table = Reader(given.get(key, dict, {}), f"{given.where}: {key}", PositionError, DECKS)
    read = []
    for deck, name in enumerate(DECKS):
        kinds = known(box, table, name, table.items(name, None, str, []), left)
        for kind in kinds:
            if box.deck[kind] != deck:
                raise table.fail(name, f"{card_name(box, kind)} is a card of {DECKS[box.deck[kind]]}")
        read.append(kinds)
    return read


def read_old(box, s, given):
    """The old cards among the hands, and with them the backs."""
    old = given.items("old", box.players, list, [[]] * box.players)
    for seat in range(box.players):
        for kind in known(box, given, "old", old[seat], list(s.hands[seat]), "the hand"):
            s.old[seat, kind] += 1
        for kind in range(KINDS):
            deck = box.deck[kind]
            s.backs[seat, deck, OLD] += s.old[seat, kind]
            s.backs[seat, deck, NEW] += s.hands[seat, kind] - s.old[seat, kind]


def read_turn(box, s, given):
    """Whose turn it is, and what has happened in it."""
    s.first_player = given.integer("first_player", 0, box.players - 1, 0)
    s.round = given.integer("round", 1, box.max_turns, 1)
    s.phase = PHASES.index(given.choice("phase", PHASES, PHASES[DISCARDING]))
    if s.phase == OVER:
        s.turn = given.integer("to_move", -1, -1, -1)
    else:
        s.turn = given.integer("to_move", 0, box.players - 1, s.first_player)
    most = (1, DRAWS - 1) if s.phase == MORE else (0, 0)
    s.drawn = given.integer("drawn", *most, most[0])
    names = [*card_names(box), card_name(box, OWN)]
    floor = given.choice("floor", names, names[0])
    s.floor = names.index(floor)
    last = {DISCARDING: KINDS - 1, BUILDING: OWN}.get(s.phase, 0)
    if s.floor > last:
        raise given.fail("floor", f"cannot be {floor!r} in phase {PHASES[s.phase]}")


def read_end(box, s, given):
    """Scores, and how the game ended if it did."""
    players = box.players
    over = s.phase == OVER
    most = box.target + (box.best_dish if over else 0) - 1
    s.scores[:players] = given.integers("scores", players, 0, most, [0] * players)
    at_target = [seat for seat in range(players) if s.scores[seat] >= box.target]
    if len(at_target) > 1:
        raise given.fail("scores", f"only one seat can have reached {box.target}")
    s.done = bool(at_target)
    s.truncated = over and not s.done
    if s.truncated and s.round != box.max_turns:
        raise given.fail(
            "phase", f"cannot be over before {box.target} points or round {box.max_turns} are reached"
        )
    found = public(box, s)
    for key, kind in (("winner", list), ("reason", str)):
        if given.get(key, kind, found[key]) != found[key]:
            raise given.fail(key, f"must be {found[key]!r} by scores and phase, got {given.get(key, kind)!r}")


def check_more(box, s, given):
    if sum(s.backs[s.turn, INGREDIENTS].tolist()) < s.drawn:
        raise given.fail("drawn", f"{seat_name(s.turn)} has fewer cards of ingredients in hand")
    if hand_size(s, s.turn) == HAND or not can_draw(box, s, INGREDIENTS):
        raise given.fail("phase", f"cannot be more with {HAND} cards in hand or no ingredients to draw")


def read_dish(box, s, given):
    """The dish under construction, laid as its seat must have laid it: card by card in kind order."""
    dishes = [dish_name(box, dish) for dish in range(DISHES)]
    dish = given.choice("dish", ["", *dishes], "")
    names = given.items("build", None, str, [])
    s.dish = -1
    if s.phase != BUILDING:
        if dish or names:
            raise given.fail("dish" if dish else "build", "must be empty outside phase build")
        return
    if not dish:
        raise given.fail("dish", "must be given in phase build")
    own = names.count(card_name(box, OWN))
    from_hand = [name for name in names if name != card_name(box, OWN)]
    kinds = sorted(known(box, given, "build", from_hand, list(s.hands[s.turn]), "the hand"))
    floor = given.get("floor", str, card_name(box, 0))
    s.phase, s.floor = SERVING, 0
    play_legal(box, s, given, "dish", DISH + dishes.index(dish))
    for kind in kinds + [OWN] * own:
        play_legal(box, s, given, "build", ADD + kind)
    last = card_name(box, s.floor)
    if floor != last:
        raise given.fail("floor", f"must be {last!r}, the last card of the build, got {floor!r}")


def play_legal(box, s, given, key, action):
    mask = np.zeros(ACTIONS, np.int8)
    legal(box, s, mask)
    if not mask[action]:
        raise given.fail(key, f"{action_name(box, action)!r} is not possible with this hand")
    apply(box, s, action)


# --- the table as text -------------------------------------------------------------------------


def table(box, view, seat=-1):
    """A view as text, at most 80 columns wide: a block per seat, decks, discards, and the dish at work."""
    over = view["phase"] == "over"
    lines = [f"round {view['round']}, " + ("the game is over" if over else f"phase {view['phase']}")]
    for p in range(view["players"]):
        mark = ""
        if p == view["to_move"]:
            mark = " <- to act"
        elif p in view["winner"]:
            mark = " (wins)"
        lines.append(
            f"{seat_name(p)} {view['characters'][p]}: {view['scores'][p]} of {box.target} points, "
            f"{view['own_sauces'][p]} own sauces{mark}"
        )
        lines += wrapped("  hand: ", hand_text(view, p, seat))
    sizes = view.get("deck_sizes") or {name: len(deck) for name, deck in view["decks"].items()}
    lines += wrapped("decks: ", [f"{name} {size}" for name, size in sizes.items()])
    for name, pile in view["discards"].items():
        lines += wrapped(f"discards of {name}: ", counted(pile))
    if view["dish"]:
        lines += wrapped(f"dish {view['dish']}: ", counted(view["build"]))
    return "\n".join(lines) + "\n"


def hand_text(view, p, seat):
    """The cards of a hand where the view has them, else their backs; old ones are said to be old."""
    if "hands" in view:
        return counted(view["hands"][p], view["old"][p])
    if p == seat:
        return counted(view["hand"], view["hand_old"])
    return [
        f"{new + old} {name}" + (f" ({old} old)" if old else "")
        for name, (new, old) in view["backs"][p].items()
    ]


def counted(names, old=()):
    """`bun2 x2 (1 old)` for each different card."""
    return [
        name
        + (f" x{names.count(name)}" if names.count(name) > 1 else "")
        + (f" ({old.count(name)} old)" if name in old else "")
        for name in dict.fromkeys(names)
    ]


def wrapped(head, words):
    text = head + (", ".join(words) or "none")
    return textwrap.wrap(text, WIDTH, subsequent_indent="    ", break_on_hyphens=False)
