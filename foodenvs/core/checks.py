"""What is checked at every border alike: numbers, seeds, actions, choices."""

import json
import operator
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from foodenvs.core.notation import shown
from foodenvs.engine import game_seed as seed_of_game

REWARDS = ("win", "score", "shaped")
ILLEGAL = ("raise", "penalize", "terminate")


def join_words(words: Sequence[str]) -> str:
    """`a, b or c`."""
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " or " + words[-1]


def check_choice(name: str, value: Any, choices: Sequence[str]) -> int:
    """The position of `value` among the choices of a keyword argument; ValueError if it is none."""
    if isinstance(value, str) and value in choices:
        return choices.index(value)
    raise ValueError(f"{name} must be {join_words([json.dumps(c) for c in choices])}, got {shown(value)}")


def whole_number(value: Any) -> int | None:
    """A whole number as an int: Python's, numpy's, or a 0-d array or tensor of such a type; else None.

    A truth value, a float and an array with an axis are none, whatever they hold.
    """
    if type(value) is int:
        return value
    if isinstance(value, bool) or getattr(value, "ndim", 0) > 0 or "bool" in str(getattr(value, "dtype", "")):
        return None  # torch would take an array and a truth value for a number
    try:
        return operator.index(value)
    except Exception:  # a type of somebody else's may raise anything
        return None


def as_action(action: Any, must_be: str) -> int:
    """A whole number as an int, -1 if it is too large for the engine; else TypeError that says `must_be`."""
    number = whole_number(action)
    if number is None:
        raise TypeError(f"{must_be}, got {action!r}{_remedy(action)}")
    return number if abs(number) < 2**62 else -1


def _remedy(action: Any) -> str:
    """How to make a whole number of what is none, where there is a way."""
    array = getattr(action, "ndim", 0) > 0
    try:
        int(action.item() if array else action)
    except Exception:
        return ""
    return f"; use {'int(action.item())' if array else 'int(action)'}"


def check_actions(actions: Any, n: int, name: str = "actions") -> np.ndarray:
    """Actions of n games as int64 [n]; ValueError for another shape, TypeError for another dtype.

    In a list each must be a `whole_number` (what none of the masks can allow becomes -1): an array of it
    would be of one dtype, which makes a number of a truth value.
    """
    if isinstance(actions, (list, tuple)) and not any(
        isinstance(action, (list, tuple)) for action in actions
    ):
        actions = [
            as_action(action, f"{name} must be whole numbers: entry {i}") for i, action in enumerate(actions)
        ]
    actions = np.asarray(actions)
    if actions.dtype.kind not in "iu":
        raise TypeError(f"{name} must be whole numbers, got dtype {actions.dtype}")
    if actions.shape != (n,):
        raise ValueError(f"{name} must have shape ({n},), got {actions.shape}")
    return np.ascontiguousarray(actions, np.int64)


def check_made_alike(what: str, made: Any, here: Mapping[str, Any]) -> None:
    """ValueError that says what differs, unless a thing was made as its description `here` says."""
    if made == here:
        return
    made = made if isinstance(made, dict) else {}
    names = ["game"] if made.get("game") != here["game"] else [*here, *(made.keys() - here)]
    try:
        differ = ", ".join(
            f"{name} {json.dumps(made.get(name))} (here {json.dumps(here.get(name))})"
            for name in names
            if made.get(name) != here.get(name)
        )
    except RecursionError:
        differ = "what is nested too deep"
    raise ValueError(f"{what} was made with {differ}")


def check_count(name: str, value: Any) -> int:
    """The value of a keyword argument as an int; ValueError unless it is a whole number of at least 1."""
    number = whole_number(value)
    if number is None or number < 1:
        raise ValueError(f"{name} must be a whole number of at least 1, got {value!r}")
    return number


def check_seconds(seconds: float) -> float:
    """How long something may take; ValueError unless it is more than 0."""
    if not seconds > 0:
        raise ValueError(f"seconds must be more than 0, got {seconds}")
    return seconds


def check_seed(seed: Any) -> int:
    """A seed as an int; ValueError unless it is a whole number from 0 to 2**63 - 1."""
    number = whole_number(seed)
    if number is None or not 0 <= number < 2**63:
        raise ValueError(f"seed must be a whole number from 0 to 2**63 - 1, got {seed!r}")
    return number


def game_seed(seed: int, slot: int, game: int) -> int:
    """The seed of game `game` of slot `slot` of a batch of that seed, 0 to 2**62 - 1; ValueError as above.

    `make(...).reset(seed=game_seed(seed, i, k))` is the k-th game of slot i of `make_batch(..., seed=seed)`.
    """
    return int(seed_of_game(check_seed(seed), slot, game))
