"""Who may see what in Catchup & Mousetard, and nothing else."""

from foodenvs.core.layout import Field
from foodenvs.engine import next_seat, rule, shuffle, start_stream
from foodenvs.games.catchup_mousetard.rules import (
    AGES,
    BUILDING,
    CHARACTERS,
    DECK,
    DECKS,
    DRAWS,
    HAND,
    MAX_TARGET,
    MAX_TURNS,
    MIN_TARGET,
    NEW,
    OLD,
    PHASES,
    SERVING,
)

SHOWN = 127  # the most points that an observation shows; with them the game is over


def fields(box):
    """The observation of a seat, in order. Seats are rotated: the observer is row 0, then clockwise."""
    kinds, dishes, players = int(box.kinds), int(box.dishes), box.players
    count = list(box.count)[:kinds]
    hand = [min(HAND, n) for n in count]
    return (
        Field("phase", (len(PHASES),), 0, 1, f"one-hot: {', '.join(PHASES)}; build of others is serve"),
        Field("active", (players,), 0, 1, "one-hot: seat to act; all 0 when over"),
        Field("first", (players,), 0, 1, "one-hot: seat that started"),
        Field("drawn", (1,), 0, DRAWS - 1, "ingredients drawn this turn, while more may be drawn"),
        Field("floor", (1,), 0, kinds, "lowest kind to discard or add; 0 while another seat builds"),
        Field("hand", (kinds,), 0, hand, "own hand by kind, cards of the dish under construction included"),
        Field("hand_old", (kinds,), 0, hand, "old cards among them"),
        Field("build", (kinds + 1,), 0, [*hand, 1], "own dish under construction by kind, own sauce last"),
        Field("dish", (dishes,), 0, 1, "one-hot: own dish under construction"),
        Field("discards", (kinds,), 0, count, "discard piles by kind"),
        Field("unseen_new", (kinds,), 0, count, "decks plus new cards of other hands by kind"),
        Field("unseen_old", (kinds,), 0, count, "old cards of other hands by kind"),
        Field("decks", (len(DECKS),), 0, list(box.deck_count), "cards in each deck"),
        Field(
            "backs", (players, len(DECKS), len(AGES)), 0, HAND, "cards in hand per seat and deck: new, old"
        ),
        Field("own_sauces", (players,), 0, max(box.own_sauces), "own sauces left per seat"),
        Field("characters", (players, len(CHARACTERS)), 0, 1, "one-hot: " + ", ".join(CHARACTERS)),
        Field("scores", (players,), 0, min(SHOWN, MAX_TARGET - 1 + box.best_dish), "points per seat"),
        Field("rounds_left", (1,), 0, MAX_TURNS - 1, "rounds after this one"),
        Field("target", (1,), MIN_TARGET, MAX_TARGET, "points that win"),
        Field("extra_one", (1,), 0, 1, '1 = extra_ingredients is "one"'),
    )


def hidden(box):
    """The fields of the state that no seat sees, for `state()`: the order of the decks, bottom first."""
    return (
        Field(
            "deck", (len(DECKS), DECK), 0, int(box.kinds) - 1, "kinds in each deck, deck_size of them; then 0"
        ),
    )


@rule
def observe(box, s, seat, out):
    observe_turn(box, s, seat, out)
    observe_cards(box, s, seat, out)
    observe_dish(box, s, seat, out)
    observe_seats(box, s, seat, out)
    observe_end(box, s, out)


@rule
def observe_turn(box, s, seat, out):
    """Phase, turn and floor; a dish of another seat shows nothing but its phase `serve` (CM-49)."""
    at, turn, first_player = box.at, s.turn, s.first_player
    secret = s.phase == BUILDING and turn != seat
    phase = SERVING if secret else s.phase
    one_hot, active, first = out[at.phase :], out[at.active :], out[at.first :]
    out[at.drawn] = s.drawn
    out[at.floor] = 0 if secret else s.floor
    for k in range(len(PHASES)):
        one_hot[k] = k == phase
    p = seat
    for row in range(box.players):
        active[row] = p == turn
        first[row] = p == first_player
        p = next_seat(box, p)


@rule
def observe_cards(box, s, seat, out):
    """The own hand, the discards, what may be anywhere else, and the sizes of the decks."""
    at, players = box.at, box.players
    hand, hand_old = out[at.hand :], out[at.hand_old :]
    discards, decks = out[at.discards :], out[at.decks :]
    unseen_new, unseen_old = out[at.unseen_new :], out[at.unseen_old :]
    for kind in range(box.kinds):
        hand[kind] = s.hands[seat, kind]
        hand_old[kind] = s.old[seat, kind]
        discards[kind] = s.discards[kind]
        old = -s.old[seat, kind]
        for p in range(players):
            old += s.old[p, kind]
        unseen_old[kind] = old
        unseen_new[kind] = box.count[kind] - s.hands[seat, kind] - s.discards[kind] - old
    for deck in range(len(DECKS)):
        decks[deck] = s.deck_size[deck]


@rule
def observe_dish(box, s, seat, out):
    """The dish under construction, for the seat that makes it."""
    at = box.at
    build, one_hot = out[at.build :], out[at.dish :]
    builds = s.phase == BUILDING and s.turn == seat
    for kind in range(box.kinds + 1):
        build[kind] = s.build[kind] if builds else 0
    for dish in range(box.dishes):
        one_hot[dish] = builds and s.dish == dish


@rule
def observe_seats(box, s, seat, out):
    """What is open of each seat, the observer first."""
    at = box.at
    backs, characters = out[at.backs :], out[at.characters :]
    own_sauces, scores = out[at.own_sauces :], out[at.scores :]
    p = seat
    for row in range(box.players):
        for deck in range(len(DECKS)):
            first = len(AGES) * (len(DECKS) * row + deck)
            for age in range(len(AGES)):
                backs[first + age] = s.backs[p, deck, age]
        for character in range(len(CHARACTERS)):
            characters[len(CHARACTERS) * row + character] = s.characters[p] == character
        own_sauces[row] = s.own_sauces[p]
        scores[row] = min(SHOWN, s.scores[p])
        p = next_seat(box, p)


@rule
def observe_end(box, s, out):
    """How far the end is, and the option that the cards do not show."""
    at = box.at
    out[at.rounds_left] = box.max_turns - s.round
    out[at.target] = box.target
    out[at.extra_one] = box.one_extra


# --- dealing anew what a seat cannot know ------------------------------------------------------


@rule
def determinize(box, s, seat, seed):
    start_stream(s.rng, seed)
    if s.phase == BUILDING and s.turn != seat:
        take_back_dish(s)
    for deck in range(len(DECKS)):
        redeal_old(box, s, seat, deck)
        redeal_new(box, s, seat, deck)


@rule
def take_back_dish(s):
    s.phase = SERVING
    s.build[:] = 0
    s.dish = -1
    s.floor = 0


@rule
def redeal_old(box, s, seat, deck):
    """Put the old cards of a deck in other hands together by kind, shuffle, and deal as many back (CM-50)."""
    pool = s.deck[deck]
    n = 0
    for kind in range(box.kinds):
        if box.deck[kind] == deck:
            for p in range(box.players):
                if p != seat:
                    for _ in range(s.old[p, kind]):
                        pool[n] = kind
                        n += 1
                    s.hands[p, kind] = 0
                    s.old[p, kind] = 0
    shuffle(s.rng, pool, n)
    for p in range(box.players):
        if p != seat:
            for _ in range(s.backs[p, deck, OLD]):
                n -= 1
                s.hands[p, pool[n]] += 1
                s.old[p, pool[n]] += 1


@rule
def redeal_new(box, s, seat, deck):
    """The same with their new cards and the deck, whose cards are all that is not seen and not old."""
    pool = s.deck[deck]
    n = 0
    for kind in range(box.kinds):
        if box.deck[kind] == deck:
            known = s.discards[kind] + s.hands[seat, kind]
            for p in range(box.players):
                if p != seat:
                    known += s.old[p, kind]
            for _ in range(box.count[kind] - known):
                pool[n] = kind
                n += 1
    shuffle(s.rng, pool, n)
    for p in range(box.players):
        if p != seat:
            for _ in range(s.backs[p, deck, NEW]):
                n -= 1
                s.hands[p, pool[n]] += 1
    for i in range(n, DECK):
        pool[i] = 0


def secret(box, s, action):
    """The dish under construction is, until it is served (CM-49)."""
    return box.start <= action < box.serve
