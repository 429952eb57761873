"""Who may see what in Scratch & Catch, and nothing else."""

from foodenvs.core.layout import Field
from foodenvs.engine import next_seat, rule, shuffle, start_stream
from foodenvs.games.scratch_catch.rules import CARDS, KINDS


def fields(box):
    """The observation of a seat, in order. Seats are rotated: the observer is row 0, then clockwise."""
    count, players = list(box.count), box.players
    hand = [min(box.hand, n) for n in count]
    cats, chakapuces = sum(count[: KINDS // 2]), sum(count[KINDS // 2 :])
    return (
        Field("line", (KINDS,), 0, count, "cards on the line by kind"),
        Field("hand", (KINDS,), 0, hand, "own hand by kind"),
        Field("unseen", (KINDS,), 0, count, "deck plus other hands by kind"),
        Field("fleas", (players,), 0, box.fleas_max, "fleas per seat"),
        Field("cats", (players,), 0, cats, "Cat cards taken per seat"),
        Field("chakapuces", (players,), 0, chakapuces, "Chakapuces cards taken per seat"),
        Field("hand_size", (players,), 0, box.hand, "cards in hand per seat"),
        Field("turn", (players,), 0, 1, "one-hot: seat to play; all 0 when over"),
        Field("ended_by", (players,), 0, 1, "one-hot: seat that ended the game; all 0 while none"),
        Field("deck_size", (1,), 0, box.cards - box.hand, "cards in the deck"),
        Field("second", (1,), 0, 1, "1 = the next card is the second of the turn"),
    )


def hidden(box):
    """The fields of the state that no seat sees, for `state()`: the order of the deck, bottom first."""
    return (Field("deck", (CARDS,), 0, KINDS - 1, "kinds in the deck, the last of deck_size on top; then 0"),)


@rule
def observe(box, s, seat, out):
    observe_cards(box, s, seat, out)
    observe_seats(box, s, seat, out)
    out[box.at.deck_size] = s.deck_size
    out[box.at.second] = s.second


@rule
def observe_cards(box, s, seat, out):
    """The line, the own hand, and what may be anywhere else."""
    at = box.at
    line, hand, unseen = out[at.line :], out[at.hand :], out[at.unseen :]
    for kind in range(KINDS):
        line[kind] = s.line[kind]
        hand[kind] = s.hands[seat, kind]
        unseen[kind] = box.count[kind] - s.line[kind] - s.taken[kind] - s.hands[seat, kind]


@rule
def observe_seats(box, s, seat, out):
    """What is open of each seat, the observer first."""
    at, players, turn, ended_by = box.at, box.players, s.turn, s.ended_by
    fleas, cats, chakapuces = out[at.fleas :], out[at.cats :], out[at.chakapuces :]
    hand_size, on_turn, ended = out[at.hand_size :], out[at.turn :], out[at.ended_by :]
    p = seat
    for row in range(players):
        fleas[row] = s.fleas[p]
        cats[row] = s.cats[p]
        chakapuces[row] = s.chakapuces[p]
        hand_size[row] = s.hand_size[p]
        on_turn[row] = p == turn
        ended[row] = p == ended_by
        p = next_seat(box, p)


@rule
def determinize(box, s, seat, seed):
    """Put the hands of the others and the deck together by kind, shuffle, and deal as many cards back."""
    start_stream(s.rng, seed)
    players = box.players
    pool = s.deck
    n = 0
    for kind in range(KINDS):
        known = s.line[kind] + s.taken[kind] + s.hands[seat, kind]
        for _ in range(box.count[kind] - known):
            pool[n] = kind
            n += 1
    shuffle(s.rng, pool, n)
    for p in range(players):
        if p != seat:
            for kind in range(KINDS):
                s.hands[p, kind] = 0
            for _ in range(s.hand_size[p]):
                n -= 1
                s.hands[p, pool[n]] += 1
                pool[n] = 0
