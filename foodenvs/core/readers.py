"""What a seat's view says of its observation, field by field, and what readers of fields share.

A game's `readers.py` has READERS: a function for each field of its observation that tells from the seat's
view, the options and the tables of the components what the field holds, by the meaning of the field alone.
`you` is the observer; rows of seats begin with it and go on clockwise.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from foodenvs.core.notation import seat_name, seat_number

if TYPE_CHECKING:
    from foodenvs.core.setup import Setup

Table = Mapping[str, Any]
FieldReader = Callable[[Table, Table, Table], Any]  # (view, options, components) -> counts in nested lists


def read_fields(setup: "Setup", view: Table) -> dict[str, np.ndarray]:
    """The fields of a seat's observation by name, as the game's readers find them in its view.

    Raises ValueError that names the fields without a reader.
    """
    readers = setup.game.readers
    if lacking := [field.name for field in setup.layout.fields if field.name not in readers]:
        raise ValueError(f"{setup.game.id}: READERS has none for {', '.join(lacking)}")
    return {
        field.name: np.array(readers[field.name](view, setup.options, setup.components))
        for field in setup.layout.fields
    }


def misread(read: Mapping[str, np.ndarray], held: Mapping[str, np.ndarray]) -> list[str]:
    """The names of the fields whose shape or counts in an observation are not what was read."""
    return [name for name in held if not np.array_equal(read[name], held[name])]


# --- parts of readers --------------------------------------------------------------------------


def clockwise(view: Table) -> list[int]:
    """The numbers of the seats, the observer's first."""
    you, players = seat_number(view["you"]), view["players"]
    return [(you + step) % players for step in range(players)]


def own(view: Table, key: str) -> Any:
    """The observer's part of what the view has by seat."""
    return view[key][seat_number(view["you"])]


def tally(things: Sequence[Any], kinds: Iterable[Any]) -> list[int]:
    """How many of the things are of each kind."""
    return [things.count(kind) for kind in kinds]


def one_hot(thing: Any, things: Iterable[Any]) -> list[int]:
    """1 for the thing, 0 for the others; all 0 if it is none of them."""
    return [int(thing == each) for each in things]


def number(key: str) -> FieldReader:
    """A reader of one number that the view has under a key."""
    return lambda view, options, components: [view[key]]


def by_seat(key: str) -> FieldReader:
    """A reader of what the view has by seat."""
    return lambda view, options, components: [view[key][seat] for seat in clockwise(view)]


def seat_in(key: str) -> FieldReader:
    """A reader of the one-hot seat that the view names under a key; all 0 for None."""
    return lambda view, options, components: one_hot(view[key], map(seat_name, clockwise(view)))
