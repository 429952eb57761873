"""How cards and actions are called.

A card is called by what it shows and its number: `salami-3`, `sauce_square-1`. What a seat sees has no
numbers, since these tell the other side: `salami/circle`, `sauce_square`, and an order as its text.
"""

import functools
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from foodenvs.engine import Record, attributes
from foodenvs.games.fast_food_fury.rules import layout as L

TEAM_NAMES = "ABC"


def ranges_of_actions(box: Record) -> tuple[tuple[int, int, str], ...]:
    """First action, last action and meaning of those that belong together."""
    return (
        (L.WAIT, L.WAIT, "no (further) hit in this tick"),
        (L.HIT_AT, L.PLACE_AT - 1, "hit the card on this place"),
        (L.PLACE_AT, L.TURN_AT - 1, "put the card or joker in question on the order in this slot"),
        (L.TURN_AT, L.DISCARD_JOKER_AT - 1, "turn the card on this place over in a tie for a sauce"),
        (L.DISCARD_JOKER_AT, L.DISCARD_AT - 1, "penalty: give up a joker from this slot (option)"),
        (L.DISCARD_AT, box.actions - 1, "penalty: give up a product of this kind from this slot"),
    )


ACTION_RANGES = ranges_of_actions


class Names:
    """How the cards of a box are called, each list by card or face number.

    faces: what a card may show, the kinds, then `sauce_PATTERN`.
    cards: with their numbers.  looks: as they lie on the table, `salami/circle`.  orders: their other side,
    `PAYMENT: SIDE`.  called: the cards that each of these may stand for.  rank: the order to list them in.
    """

    def __init__(self, box: Record) -> None:
        patterns = [word(letters) for letters in box.pattern_name]
        kinds = [word(letters) for letters in box.kind_name[: box.kinds]]
        self.faces = kinds + [f"sauce_{pattern}" for pattern in patterns]
        self.cards = [f"{self.faces[box.face[card]]}-{box.number[card]}" for card in range(box.cards)]
        self.looks = [
            self.faces[box.face[card]] + (f"/{patterns[box.pattern[card]]}" if card < box.fastfood else "")
            for card in range(box.cards)
        ]
        self.orders = [
            f"{box.side[card, L.PAYMENT]}: {self.order_side(box, card)}" for card in range(box.fastfood)
        ]
        self.called: dict[str, list[int]] = {}
        for names in (self.cards, self.looks, self.orders):
            for card, name in enumerate(names):
                self.called.setdefault(name, []).append(card)
        by_look = [self.looks[card] for card in list(box.grouped)[: box.cards]]
        lists = (self.cards, dict.fromkeys(by_look), sorted(set(self.orders)))
        self.rank = {name: rank for names in lists for rank, name in enumerate(names)}

    def order_side(self, box: Record, card: int) -> str:
        """An order side as printed in the component file: `2 any_burger, 1 medium_fries`."""
        side, parts, shown = box.side[card], [], set()
        for kind in range(box.kinds):
            family = box.family[kind]
            name = L.FAMILIES[family]
            if name in L.SILHOUETTES and family not in shown:
                number = side[L.ANY_BURGER + list(L.SILHOUETTES).index(name)]
                parts += [f"{number} {L.SILHOUETTES[name]}"] if number else []
                shown.add(family)
            if family != L.FRIES:
                number = side[box.column[kind]]
                parts += [f"{number} {self.faces[kind]}"] if number else []
            elif family not in shown and box.amount[kind] == side[L.PORTION]:
                parts.append(f"{side[L.UNITS] // side[L.PORTION]} {self.faces[kind]}")
                shown.add(family)
        return ", ".join(parts)


def word(letters: Iterable[int]) -> str:
    return bytes(int(letter) for letter in letters if letter).decode()


def names_of(box: Record) -> Names:
    """The names of a box, worked out once."""
    return _names(box.tobytes(), box.dtype)


@functools.lru_cache(maxsize=32)
def _names(content: bytes, dtype: np.dtype) -> Names:
    return Names(attributes(np.frombuffer(content, dtype))[0])


def team_table(box: Record, value: Callable[[int], Any]) -> dict[str, Any]:
    """`{team: value(number)}` for every team."""
    return {TEAM_NAMES[team]: value(team) for team in range(box.teams)}


def action_name(box: Record, action: int) -> str:
    """`wait`, `hit PLACE`, `place SLOT`, `turn PLACE`, `discard SLOT joker` or `discard SLOT KIND`."""
    if action == L.WAIT:
        return "wait"
    if action < L.PLACE_AT:
        return f"hit {action - L.HIT_AT}"
    if action < L.TURN_AT:
        return f"place {action - L.PLACE_AT}"
    if action < L.DISCARD_JOKER_AT:
        return f"turn {action - L.TURN_AT}"
    if action < L.DISCARD_AT:
        return f"discard {action - L.DISCARD_JOKER_AT} joker"
    kind, slot = divmod(action - L.DISCARD_AT, L.SLOTS)
    return f"discard {slot} {names_of(box).faces[kind]}"


def parse_action(box: Record, text: str) -> int:
    """The inverse of `action_name`; ValueError for any other text."""
    names = [action_name(box, action) for action in range(box.actions)]
    if text not in names:
        raise ValueError(
            f"unknown action {text!r}; actions are wait, hit 0 .. hit 5, place 0, place 1, "
            "turn 0 .. turn 5, discard 0 joker, discard 1 joker, discard 0 KIND, discard 1 KIND"
        )
    return names.index(text)
