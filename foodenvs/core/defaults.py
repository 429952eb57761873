"""What the frame gives where a game leaves it out: see MAY in `foodenvs.core.contract`."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from foodenvs.core.events import Event
from foodenvs.core.notation import seat_name
from foodenvs.engine import Record, rule


def pack(box: Record, components: Any, options: Mapping[str, Any]) -> None:
    """Nothing lies in the box but what every game has."""


def hidden(box: Record) -> tuple[Any, ...]:
    """No field of the state is told to `state()` beside what seats see."""
    return ()


def build_scores(standing: Callable[..., Any]) -> Callable[..., Any]:
    """The `scores(box, s, out)` of a game where points are all that ranks the seats."""

    @rule
    def scores(box, s, out):  # type: ignore[no-untyped-def]
        for seat in range(box.players):
            out[seat] = standing(box, s, seat)

    return scores


def private(box: Record, s: Record, seat: int) -> dict[str, Any]:
    """There is nothing that only one seat sees."""
    return {}


def deduced(box: Record, s: Record, seat: int, other: int) -> dict[str, Any]:
    """A seat can tell nothing of what only another one sees."""
    return {}


def face_down(box: Record, s: Record) -> dict[str, Any]:
    """There is nothing that no seat sees."""
    return {}


def parse_action(action_name: Callable[..., str], box: Record, text: str) -> int:
    """The action of a name; ValueError for any other text."""
    names = [action_name(box, action) for action in range(box.actions)]
    if text not in names:
        some = ", ".join(names[:10]) + (" .." if len(names) > 10 else "")
        raise ValueError(f"unknown action {text!r}; actions are {some}")
    return names.index(text)


def events(box: Record, *step: Any) -> tuple[Event, ...]:
    """There is nothing to tell but the action."""
    return ()


def table(box: Record, view: Mapping[str, Any], seat: int = -1) -> str:
    """A view as text: a line for each key; what is given by seat, a line for each seat."""
    lines = []
    for key, value in view.items():
        if key in ("game", "players", "you") or value is None:
            continue
        if isinstance(value, list) and len(value) == box.players and key != "winners":
            of_seats = (f"{seat_name(p)} {_text(item)}" for p, item in enumerate(value) if item is not None)
            lines.append(f"{key}: {', '.join(of_seats)}")
        else:
            lines.append(f"{key}: {_text(value)}")
    return "\n".join(lines) + "\n"


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)
