"""The names of actions, tokens and places."""

from collections.abc import Iterable, Sequence
from typing import Any

from foodenvs.engine import Record
from foodenvs.games.critter_kitchen.cards import (
    CHEF_NAMES,
    LOCATION_NAMES,
    RUMOUR_NAMES,
    SPICE_NAMES,
    TYPE_NAMES,
    names_of,
)
from foodenvs.games.critter_kitchen.layout import (
    HOME_ACTION,
    INGREDIENTS,
    LOWEST,
    NEXT_ACTION,
    PLACE_ACTION,
    RUMOURS,
    SERVE_ACTION,
    SKIP_ACTION,
    SPICE_ACTION,
    TYPES,
    VALUES,
)

INGREDIENT_NAMES = tuple(f"{name} {LOWEST + v}" for name in TYPE_NAMES for v in range(VALUES))
KIND_NAMES = (*INGREDIENT_NAMES, *SPICE_NAMES, *RUMOUR_NAMES)
PREPARED = ("", " spiced", " allspiced")
PHASE_NAMES = ("planning", "shopping", "challenges", "refrigeration", "critic", "over")
ACTION_NAMES = (
    *(name + way for way in PREPARED for name in INGREDIENT_NAMES),
    *SPICE_NAMES,
    *RUMOUR_NAMES[:RUMOURS],
    *(f"wild {rumour + 1}" for rumour in range(RUMOURS)),
    "soup", "bisque", "sous_chef", "home", "serve", "skip", "next",
    *(f"{chef} {location}" for chef in CHEF_NAMES for location in LOCATION_NAMES),
)  # fmt: skip
ACTION_NUMBERS = {name: action for action, name in enumerate(ACTION_NAMES)}
ACTION_RANGES = (
    (0, INGREDIENTS - 1, "take it; put it on the plate unspiced; pair it (wine, Fruit Bat); discard it"),
    (INGREDIENTS, 2 * INGREDIENTS - 1, "put it on the plate with a spice of its type"),
    (2 * INGREDIENTS, SPICE_ACTION - 1, "put it on the plate with an allspice"),
    (SPICE_ACTION, SPICE_ACTION + TYPES, "take or discard this spice"),
    (SPICE_ACTION + 8, SPICE_ACTION + 10, "take this rumour token"),
    (SPICE_ACTION + 11, SPICE_ACTION + 13, "take a wild token and hold this rumour by it"),
    (SPICE_ACTION + 14, SPICE_ACTION + 15, "take it from the Soup Truck; add it to the challenge plate"),
    (SPICE_ACTION + 16, SPICE_ACTION + 16, "take the sous chef from the academy"),
    (HOME_ACTION, HOME_ACTION, "one soup instead of items, and home"),
    (SERVE_ACTION, SERVE_ACTION, "close this challenge plate as a meal"),
    (SKIP_ACTION, SKIP_ACTION, "no meal for this challenge; its plate is cleared"),
    (NEXT_ACTION, NEXT_ACTION, "go to the next course of the critic meal"),
    (PLACE_ACTION, PLACE_ACTION + 31, "send this chef, the next to be placed, to this location"),
)


def action_name(box: Record, action: int) -> str:
    """`bread 7`, `bread 7 spiced`, `allspice`, `wild 1`, `home`, `mouse chef_academy` and so on."""
    return ACTION_NAMES[action]


def parse_action(box: Record, text: str) -> int:
    """The inverse of `action_name`; ValueError for any other text."""
    if text not in ACTION_NUMBERS:
        raise ValueError(f"unknown action {text!r}; actions are like {', '.join(ACTION_NAMES[::25])}")
    return ACTION_NUMBERS[text]


def place_names(box: Record) -> list[str]:
    """The names of the locations of this game, by place."""
    return [*LOCATION_NAMES[: box.players + 1], *LOCATION_NAMES[-2:]]


def card_name(names: Any, card: int) -> str:
    """The name of a card; "" for -1."""
    return names_of(names)[card] if card >= 0 else ""


def marked(names: Any, flags: Iterable[Any]) -> list[str]:
    """The names of the cards whose flag is set, in table order."""
    return [name for name, flag in zip(names_of(names), flags, strict=False) if flag]


def tokens(counts: Iterable[int], names: Sequence[str] = KIND_NAMES) -> list[str]:
    """The names of tokens given by their number per kind, in kind order."""
    return [name for name, n in zip(names, counts, strict=True) for _ in range(n)]
