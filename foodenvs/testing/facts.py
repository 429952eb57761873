"""The facts of a seat's view, altered one at a time: what a seat is told in one form, it is told in all.

A fact is a value in a view that sets positions up (see `foodenvs.core.views`): a number, a name, a place in a
list. Altering it alone gives a position that differs in nothing else the seat sees, but for what follows from
it; then the seat's observation, the table as text and the picture must differ too.
"""

import copy
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from foodenvs.core.notation import PositionError
from foodenvs.core.position import Position
from foodenvs.core.views import Draft, set_up

if TYPE_CHECKING:
    from foodenvs.core.setup import Setup

Path = tuple[Any, ...]
FORMS = ("observation", "text", "picture")
TRIES_FOR_A_HIT = 4  # of a key at one position, after which another one is as much in need
_NO_FACTS = ("game", "players", "you")  # what is configured, and who looks


class Altered(NamedTuple):
    """A fact altered alone.

    path: the way to it in the view.  given: what of the view sets the position up.  before, after: the views.
    alike: the forms that are the same before and after.
    """

    path: Path
    given: dict[str, Any]
    before: Mapping[str, Any]
    after: Mapping[str, Any]
    alike: tuple[str, ...]


class Alterations:
    """Alters facts of views, those most that were altered least; it knows the values met so far.

    hits: by key of a view, how often it was altered.  views: in how many that was tried.
    """

    def __init__(self) -> None:
        self.hits: Counter[str] = Counter()
        self.views: Counter[str] = Counter()
        self._met: dict[str, list[Any]] = {}

    def meet(self, view: Mapping[str, Any]) -> None:
        """Note the values of a view: names to be used elsewhere under the same key."""
        for key, value in view.items():
            met = self._met.setdefault(key, [])
            met += [leaf for _, leaf in _leaves(value, ()) if leaf is not None and leaf not in met]

    def alter(
        self, setup: "Setup", view: Mapping[str, Any], seat: int, chance: random.Random
    ) -> Iterator[Altered | None]:
        """Facts of a seat's view, each altered alone, without end; None where what was tried cannot be."""
        draft = set_up(setup, setup.new_states(1), view, 0)
        here: Counter[str] = Counter()
        while True:
            yield self._one(setup, view, seat, chance, draft, here)

    def _one(
        self,
        setup: "Setup",
        view: Mapping[str, Any],
        seat: int,
        chance: random.Random,
        draft: Draft,
        here: Counter[str],
    ) -> Altered | None:
        keys = [key for key in view if key in draft.asked and key not in _NO_FACTS]
        key = self._next(keys, here, chance)
        self.views[key] += not here[key]
        here[key] += 1
        value, met = copy.deepcopy(view[key]), self._met.get(key, [])
        if key in setup.game.private(setup.box, draft.s, seat):  # a list by seat
            found = _one_changed(value, met, chance)
        else:
            found = _changed(value, met, chance)
        if found is None:
            return None
        path, value = found
        for left_out in dict.fromkeys(map(frozenset, (draft.follows - draft.asked, draft.follows))):
            given = {name: part for name, part in view.items() if name not in left_out or name == key}
            after = _position(setup, given | {key: value})
            if after is None:
                continue
            before = _position(setup, given)
            if before is None:
                continue
            seen, altered = setup.seat_view(before, seat), setup.seat_view(after, seat)
            others = (name for name in keys if name != key and name not in draft.follows)
            if seen == view and altered[key] != view[key] and all(seen[k] == altered[k] for k in others):
                self.hits[key] += 1
                alike = tuple(
                    f for f in FORMS if shown(f, setup, before, seat) == shown(f, setup, after, seat)
                )
                return Altered((key, *path), given, view, altered, alike)
        return None

    def _next(self, keys: list[str], here: Counter[str], chance: random.Random) -> str:
        """One of the keys that were altered least; what was tried in vain here may be altered elsewhere."""
        cost = {key: self.hits[key] + here[key] / TRIES_FOR_A_HIT for key in keys}
        return chance.choice([key for key in keys if cost[key] <= min(cost.values()) + 1])


def _position(setup: "Setup", view: Mapping[str, Any]) -> np.ndarray | None:
    """The record of a position set up from a view; None for one that cannot be."""
    try:
        return Position(setup).drafted(view, 0)
    except PositionError:
        return None


def shows(form: str, setup: "Setup", view: Mapping[str, Any]) -> Any:
    """What the seat `you` is shown in one form, when its view is set up as a position."""
    return shown(form, setup, Position(setup).drafted(view, 0), setup.seats[view["you"]])


def shown(form: str, setup: "Setup", states: np.ndarray, seat: int) -> Any:
    """What a seat is shown of a position in one form, in values that can be compared."""
    position = Position(setup)
    position.place(states)
    if form == "observation":
        return position.observe(seat).tobytes()
    if form == "text":
        return position.table(seat)
    drawn = position.picture(seat)
    return [(item.sprite.key, round(item.x, 1), round(item.y, 1)) for item in drawn.items]


def is_excused(env: Any, form: str, path: Path) -> bool:
    """Whether a form need not tell a fact: the game's NOT_SHOWN lists its place, or what it is a part of."""
    excuses = env
    for name in ("setup", "game", "words", "NOT_SHOWN"):
        excuses = getattr(excuses, name, {})
    place = ["*" if isinstance(part, int) else str(part) for part in path]
    return any(".".join(place[:k]) in excuses.get(form, {}) for k in range(1, len(place) + 1))


def _leaves(value: Any, path: Path) -> Iterator[tuple[Path, Any]]:
    """The values inside tables and lists, each with the way to it."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _leaves(item, (*path, key))
    elif isinstance(value, list):
        for place, item in enumerate(value):
            yield from _leaves(item, (*path, place))
    else:
        yield path, value


def _lists(value: Any, path: Path) -> Iterator[tuple[Path, list[Any]]]:
    """The lists inside a value, itself included, each with the way to it."""
    if isinstance(value, list):
        yield path, value
    for key, item in value.items() if isinstance(value, dict) else enumerate(_items(value)):
        yield from _lists(item, (*path, key))


def _items(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _changed(value: Any, met: list[Any], chance: random.Random) -> tuple[Path, Any] | None:
    """A value with one change, and where it is; None where nothing can be changed."""
    ways: list[Callable[[], tuple[Path, Any] | None]] = [
        lambda: _leaf_changed(value, met, chance),
        lambda: _list_changed(value, met, chance),
    ]
    chance.shuffle(ways)
    return ways[0]() or ways[1]()


def _one_changed(value: list[Any], met: list[Any], chance: random.Random) -> tuple[Path, Any] | None:
    """One of the items that are known with one change, and where it is; None where nothing can be changed."""
    known = [place for place, item in enumerate(value) if item is not None]
    place = chance.choice(known) if known else 0
    found = _changed(value[place], met, chance) if known else None
    return found and ((place, *found[0]), [*value[:place], found[1], *value[place + 1 :]])


def _leaf_changed(value: Any, met: list[Any], chance: random.Random) -> tuple[Path, Any] | None:
    """Another number, name or flag in one place."""
    leaves = list(_leaves(value, ()))
    if not leaves:
        return None
    path, leaf = chance.choice(leaves)
    if isinstance(leaf, bool):
        other: Any = not leaf
    elif isinstance(leaf, int):
        other = chance.choice([leaf - 1, leaf + 1, *(m for m in met if type(m) is int)])
    else:
        names = [name for name in met if isinstance(name, str) and name != leaf]
        if not names:
            return None
        other = chance.choice(names)
    return path, _put(value, path, other)


def _list_changed(value: Any, met: list[Any], chance: random.Random) -> tuple[Path, Any] | None:
    """One item of a list more, or less, or two in each other's place."""
    lists = [(path, items) for path, items in _lists(value, ())]
    if not lists:
        return None
    path, items = chance.choice(lists)
    items = list(items)
    way = chance.choice(("more", "less", "swap"))
    if way == "more" and met:
        items.insert(chance.randrange(len(items) + 1), chance.choice(met))
    elif way == "less" and items:
        items.pop(chance.randrange(len(items)))
    elif way == "swap" and len(items) > 1:
        i, j = chance.sample(range(len(items)), 2)
        items[i], items[j] = items[j], items[i]
    else:
        return None
    return path, _put(value, path, items)


def _put(value: Any, path: Path, item: Any) -> Any:
    """The value with an item in a place; the value itself where the path is empty."""
    if not path:
        return item
    inside = value
    for key in path[:-1]:
        inside = inside[key]
    inside[path[-1]] = item
    return value
