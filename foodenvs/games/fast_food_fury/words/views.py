"""What is seen of a position, and by whom."""

from collections.abc import Iterable, Sequence
from typing import Any

from foodenvs.engine import Record
from foodenvs.games.fast_food_fury.information import is_turned
from foodenvs.games.fast_food_fury.rules import layout as L
from foodenvs.games.fast_food_fury.words.names import TEAM_NAMES, action_name, names_of, team_table

_PATTERN = "the pattern of a card counts only while it lies on the table"
_PAID = "of what a team has won only the sum and the number of payments count"
_SIZES = "decks and piles are stacks, of which a picture shows the sizes"
_ORDER = "the order of the own hits of a tick does not count"
_TIE = "of a card that is turned over only the payment counts"
NOT_SHOWN = {
    "observation": {
        "round": f"at most {L.ROUNDS_SHOWN} rounds to come are shown",
        "turned": _TIE,
        "chosen": "a tick is one moment: how far a seat is in it does not count",
        "placed": _PATTERN,
        "rows": _PATTERN,
        "won": _PAID,
        "discards": _PATTERN,
        "deck_known": _PATTERN,
        "choices": _ORDER,
    },
    "text": {"won": _PAID, "from_piles": _PAID, "credit": _PAID, "deck_known": _PATTERN},
    "picture": {
        "turned": _TIE,
        "placed": _PATTERN,
        "rows": _PATTERN,
        "won": _PAID,
        "from_piles": _PAID,
        "credit": _PAID,
        "discards": _SIZES,
        "deck_known": _SIZES,
        "choices": _ORDER,
    },
    "alone": {
        "turned": "few orders are on cards that look alike",
        "overflow": "few positions have one, and few seats may have it",
    },
}


def public(box: Record, s: Record) -> dict[str, Any]:
    """What everybody sees, with perfect memory.

    tick: of the round.  orders: of each slot, "" where there is none.  orders_left: in the order deck.
    table: the card on each place, "" where there is none.  payments: what its other side pays, 0 of a sauce
    and where there is none.  turned: that side where it was turned over in the tie for the sauce in question
    (FF-29), else "".  claims: `[place, seat]` of each hit card in landing order.  hits_left: of each seat.
    chosen: hits that the seat on turn has chosen in this tick so far.  placed: of each team the cards on each
    order.  rows: before its trash can.  won: the orders that it took.
    from_piles: those of them that came from the piles (FF-23).  credit: payments without a card.
    overflow: of each team that has to discard the seat that decides.  earned, completed: sum and number of
    its payments.  deck_sizes: of each place.  discards: its pile.  deck_known: the cards in its deck that
    were seen.  unseen: how many cards of a kind or sauce were never seen.
    """
    names, seats, places = names_of(box), range(box.players), range(box.places)
    cards = open_cards(box, s, names.looks, names.orders)
    turned = [names.orders[s.table[place]] if is_turned(box, s, place) else "" for place in places]
    return {
        "phase": L.PHASES[s.phase],
        "round": s.round,
        "tick": s.tick,
        "orders": cards["orders"],
        "orders_left": s.orders_left,
        "table": cards["table"],
        "payments": [box.side[card, L.PAYMENT] if card != L.NONE else 0 for card in s.table[: box.places]],
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
            TEAM_NAMES[team]: s.overflow[team] for team in range(box.teams) if s.overflow[team] != L.NONE
        },
        "earned": team_table(box, lambda team: s.earned[team]),
        "completed": team_table(box, lambda team: s.completed[team]),
        "deck_sizes": [s.deck_size[place] for place in places],
        "discards": cards["discards"],
        "deck_known": cards["deck_known"],
        "unseen": {name: number for name, number in zip(names.faces, s.unseen, strict=False) if number},
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
        "sauces_out": [name for name, there in zip(numbered, where, strict=True) if there == L.OUT],
    }


def open_cards(box: Record, s: Record, product: Sequence[str], order: Sequence[str]) -> dict[str, Any]:
    """The cards that all see, by key: each as its product side is called, or its order side [card]."""
    rank = names_of(box).rank
    lying: list[list[int]] = [[] for _ in range(L.PLACED + L.SLOTS * L.TEAMS)]
    for card, there in enumerate(list(s.where)[: box.cards]):
        lying[there].append(card)

    def called(names: Sequence[str], cards: Iterable[int]) -> list[str]:
        return sorted((names[card] for card in cards), key=rank.__getitem__)

    def seen(there: int) -> list[int]:
        return [card for card in lying[there] if s.seen[card]]

    return {
        "orders": ["" if card == L.NONE else order[card] for card in s.orders],
        "table": ["" if s.table[place] == L.NONE else product[s.table[place]] for place in range(box.places)],
        "placed": team_table(
            box, lambda team: [called(product, lying[L.PLACED + L.SLOTS * team + k]) for k in range(L.SLOTS)]
        ),
        "rows": team_table(box, lambda team: called(product, lying[L.ROW + team])),
        "won": team_table(box, lambda team: called(order, lying[L.WON + team])),
        "from_piles": team_table(box, lambda team: called(order, seen(L.WON + team))),
        "discards": [called(product, lying[L.PILE + place]) for place in range(box.places)],
        "deck_known": [called(product, seen(L.DECK + place)) for place in range(box.places)],
    }


def chosen_by(box: Record, s: Record, seat: int) -> list[str]:
    """The names of what a seat has chosen in this tick."""
    return [action_name(box, action) for action in s.choice[seat] if seat >= 0 and action != L.NONE]
