"""Positions as plain data: how they are shown to each seat, and set up again.

A view is a dict with keys that all games share, then those of the game, in this order:

    game        "scratch_catch-v0"
    players     number of seats
    you         "player_1" in the view of that seat; None in the whole position and for a spectator
    turn        "player_2", the agent to act; None when the game is over
    phase       of the rules, as its viewer may know it; None where a game has none
    round       from 1; None where a game has none
    scores      the rulebook's points by seat; `private` gives them as long as they tell what is hidden
    winners     the numbers of the seats that share the win; [] before the end
    ...         `public` of the game's words: what everybody sees
    ...         `private`: a list by seat under each key, with None for what its viewer does not see; of
                other seats' it sees what `deduced` of the game's words says that it can tell
    ...         `face_down`: what no seat sees, in the whole position only

So a view is put together from what its viewer may know, and a new key of a game is hidden until the game says
otherwise. A key of `face_down` may be one of `public` too: then the whole position has more of it (cards by
number, say, where the seats know them by their looks).

Any part of a view sets up a position (`reset(options={"position": view})`): what it leaves out, or has as
None, is drawn from a seed. Of a seat's view (with `you`) everything that the seat cannot know is dealt as in
`determinized`, choices that the others have made in secret included.
"""

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from foodenvs.core.notation import NONE, UNKNOWN, PositionError, Reader, seat_name, shown
from foodenvs.core.renewal import renewed
from foodenvs.engine import Record, attributes, start_stream, uncompiled

if TYPE_CHECKING:
    from foodenvs.core.setup import Setup

SHARED = ("game", "players", "you", "turn", "phase", "round", "scores", "winners")
View = Mapping[str, Any]  # of a position, or what is given of one to set it up
WHOLE, SPECTATOR = -2, -1  # viewers that are no seats


def show(setup: "Setup", states: np.ndarray, viewer: int) -> dict[str, Any]:
    """The position in a record array of one as a view: of a seat, a SPECTATOR, or the WHOLE of it."""
    return show_all(setup, states, (viewer,))[viewer]


def show_all(setup: "Setup", states: np.ndarray, viewers: Iterable[int]) -> dict[int, dict[str, Any]]:
    """The views of several viewers, which share the values that are alike: to be read, not changed."""
    words, box, s = setup.game.words, setup.box, attributes(states)[0]
    scores, returns = np.zeros(setup.players, np.int64), np.zeros(setup.players)
    setup.engine.scores_and_returns(setup.boxes, states, scores, returns)
    seats, deduced = range(setup.players), setup.game.deduced
    game = {"game": setup.game.id, "players": setup.players}
    public = {
        "turn": agent_name(s.turn),
        "phase": None,
        "round": None,
        "scores": scores.tolist(),
        "winners": [seat for seat in seats if s.turn < 0 and setup.win_share(returns[seat]) > 1e-9],
    }
    public |= words.public(box, s)
    own = [setup.game.private(box, s, seat) for seat in seats]
    views = {}
    for viewer in viewers:
        seen = [own[seat] if viewer in (seat, WHOLE) else deduced(box, s, viewer, seat) for seat in seats]
        private = {key: [seen[seat].get(key) for seat in seats] for key in own[0]}
        hidden = setup.game.face_down(box, s) if viewer == WHOLE else {}
        views[viewer] = game | {"you": agent_name(viewer)} | public | private | hidden
    return views


def hidden_from(setup: "Setup", states: np.ndarray, viewer: int) -> dict[str, Any]:
    """What there is in the position in a record array of one that a seat does not see, by key of the view.

    A key of which all see something is not among them, though the whole position has more of it.
    """
    words, box, s = setup.game.words, setup.box, attributes(states)[0]
    public = words.public(box, s)
    found = {key: value for key, value in setup.game.face_down(box, s).items() if key not in public}
    for seat in range(setup.players):
        told = setup.game.deduced(box, s, viewer, seat)
        for key, value in setup.game.private(box, s, seat).items() if seat != viewer else ():
            if value and key not in told:
                found.setdefault(key, {})[seat_name(seat)] = value
    return {key: value for key, value in found.items() if value}


def agent_name(seat: int) -> str | None:
    """`player_0` ..; None for what is no seat."""
    return seat_name(seat) if seat >= 0 else None


def keys(setup: "Setup") -> tuple[str, ...]:
    """The keys that a position may be given with: those of a view, and what only sets positions up."""
    states = setup.new_states(1)
    s = attributes(states)[0]
    start_stream(s.rng, 0)
    uncompiled(setup.game.rules.deal, {})(setup.box, s)
    return (*show(setup, states, WHOLE), *getattr(setup.game.words, "ALSO_READ", ()))


# --- setting up ------------------------------------------------------------------------------


class Draft(Reader):
    """A position being set up: what is given of its view, read with checks, and the state that it goes into.

    box, s: the box, and the state, empty at first but for the random stream `s.rng`, from which all is drawn
    that is left open.  ranges: the least and the greatest value of each field of the state.  asked: the keys
    that the game's POSITION has read.
    """

    def __init__(self, setup: "Setup", s: Record, view: View) -> None:
        Reader.__init__(self, view, "position", PositionError, setup.view_keys)
        given = {key: value for key, value in view.items() if not is_open(value)}
        self.data: dict[str, Any] = given | ({"turn": NONE} if view.get("turn", "") is None else {})
        self.box, self.s, self.ranges = setup.box, s, setup.ranges
        self.asked: set[str] = set()
        self._compared: set[str] = set()

    def any(self, key: str) -> Any:
        """A value of whatever type."""
        self.asked.add(key)
        return super().any(key)

    def get(self, key: str, kind: type, *default: Any) -> Any:
        """A value of exactly this type."""
        self.asked.add(key)
        return super().get(key, kind, *default)

    def of_seats(self, key: str, kind: type, defaults: Sequence[Any]) -> list[Any]:
        """A value of one type for each seat; its default (unchecked) where it is open.

        defaults: one for each seat; ValueError for more or less.
        """
        if len(defaults) != self.box.players:
            given = f"of_seats({key!r}) takes a default for each of {self.box.players} seats"
            raise ValueError(f"{given}, got {len(defaults)}: {shown(defaults)}")
        values = self.items(key, self.box.players, None, [None] * self.box.players)
        return [
            default if is_open(value) else self._typed(key, value, kind)
            for value, default in zip(values, defaults, strict=True)
        ]

    def compare(self, key: str) -> None:
        """Hold the finished position to what is given of a key, though it was read already."""
        self._compared.add(key)

    @property
    def follows(self) -> set[str]:
        """The given keys that follow from the others: not asked for, or to be compared though they were."""
        return self.data.keys() - self.asked | (self.data.keys() & self._compared)

    def hold(self, key: str, found: Any) -> None:
        """Raise unless what is given of a key is as found, open parts aside."""
        if key in self.data and not _agree(self.data[key], found):
            given = shown(self.data[key])
            error = self.fail(key, f"must be {shown(found)}, as the rest has it, got {given}")
            if key not in self.asked and key not in SHARED:
                error.add_note(f"no row of POSITION reads {key}")
            raise error


def is_open(value: Any) -> bool:
    """Whether a value of a view says that it is not known."""
    return value is None or (type(value) is str and value == UNKNOWN)


class Values(NamedTuple):
    """A row of POSITION: numbers (of seats, where the field has one for each) that a view shows as they are.

    field: of the state, where it is not called as the key is.  start: where none is given, of a box.
    """

    key: str
    field: str = ""
    start: Callable[[Any], Any] = lambda box: 0

    def __call__(self, d: Draft) -> None:
        """Read them into the state, within their range."""
        field = self.field or self.key
        least, greatest = d.ranges[field]
        low, high = int(least.min()), int(greatest.max())
        if least.ndim == 0:
            setattr(d.s, field, d.integer(self.key, low, high, self.start(d.box)))
            return
        n = d.box.players
        getattr(d.s, field)[:n] = d.integers(self.key, n, low, high, [self.start(d.box)] * n)


def set_up(setup: "Setup", states: np.ndarray, view: View, seed: int) -> Draft:
    """Set up in an empty record array of one what is given of a view; the rest is drawn from a seed.

    The game's POSITION does it: functions of a Draft, called in order. Returns the draft. Raises
    PositionError (a ValueError) that names the key for a position that cannot be.
    """
    s = attributes(states)[0]
    start_stream(s.rng, seed)
    d = Draft(setup, s, _renewed(setup, view))
    _check_same(d, "game", setup.game.id)
    _check_same(d, "players", setup.players)
    you = d.seat("you", setup.players, SPECTATOR)
    for row in setup.game.words.POSITION:
        row(d)
    if you >= 0:
        _check_seen(d, show(setup, states, you), you)
        setup.engine.redeal(setup.boxes, states, you, seed)
    found = show(setup, states, you if you >= 0 else WHOLE)
    for key in sorted(d.data, key=SHARED.__contains__):  # what is wrong with the game's own shows in these
        if key in d.follows:
            d.hold(key, found.get(key))
    return d


def _renewed(setup: "Setup", view: View) -> View:
    """The view in today's keys; those of the version before are read with a warning."""
    table = getattr(setup.game.words, "RENAMED", ())
    if not table or not isinstance(view, Mapping):
        return view
    new, old = renewed(view, table)
    if old:
        warnings.warn(
            f"the position has keys of an older version ({', '.join(old)}); "
            "`foodenvs scenario --convert FILE` writes today's",
            DeprecationWarning,
            stacklevel=2,
        )
    return new


def _check_same(d: Draft, key: str, value: Any) -> None:
    if d.get(key, type(value), value) != value:
        raise d.fail(key, f"must be {value}, as in the environment")


def _check_seen(d: Draft, seen: View, you: int) -> None:
    """Nothing is given beside what the seat `you` sees; it would be lost when all else is dealt."""
    for key, value in d.data.items():
        if key not in seen:
            raise d.fail(key, f"is not what {seat_name(you)} sees (you)")
        of_seats = type(value) is list and type(seen[key]) is list and len(seen[key]) == len(value)
        for mine, given in zip(seen[key], value, strict=True) if of_seats else ():
            if mine is None and not is_open(given):
                raise d.fail(key, f"must be open but for what {seat_name(you)} sees (you)")


def _agree(given: Any, found: Any) -> bool:
    """Whether a value of a view is what is found, open parts aside."""
    if is_open(given) or (found is None and given == NONE):
        return True
    if type(given) is dict and type(found) is dict:
        return given.keys() <= found.keys() and all(_agree(given[key], found[key]) for key in given)
    if type(given) is list and type(found) is list:
        return len(given) == len(found) and all(map(_agree, given, found))
    return type(given) is type(found) and bool(given == found)
