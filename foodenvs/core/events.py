"""What came of a step, as one viewer is told it: data first, sentences made of it.

A game's words may have two parts. `events(box, before, after, seat, action)` gives the events of a step as
one viewer knows them, in the order in which they happened. before and after are the views of that very
viewer (see `foodenvs.core.views`), seat is who acted, action what it did, None where the viewer was not told:
what is told follows from what the viewer sees, so no more can be told. `EVENTS` has a sentence for each kind:

    def events(box, before, after, seat, action):
        if after["fleas"][seat] < before["fleas"][seat]:
            yield Event("scratched", seat, numbers=(before["fleas"][seat] - after["fleas"][seat],))

    EVENTS = {"scratched": "{seat} is rid of {0:flea}"}

In a sentence {seat} is the name of the seat, {things} the things ("6, 7 and 8"), {things[0]} the first of
them, {0} the first number ("2,200"), {0:flea} with its noun ("1 flea", "2 fleas"; {0:dish|dishes} where the
plural is another) and {numbers} all of them. The frame tells two things of every game: that a seat has chosen
in secret, before what else a viewer sees of that, and at the end who has won. An action of which a game tells
nothing is told by its name.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from foodenvs.core.log import Entry
from foodenvs.core.notation import seat_name
from foodenvs.core.views import SPECTATOR, WHOLE, View

if TYPE_CHECKING:
    from foodenvs.core.setup import Setup

CHOSE, ACTED, WON, SHARED = "chose", "acted", "won", "shared"
SENTENCES = {  # of the frame
    CHOSE: "{seat}: chose in secret",
    ACTED: "{seat}: {things}",
    WON: "{seat} wins with {0:point}",
    SHARED: "{things} win with {numbers} points",
}


class Event(NamedTuple):
    """One thing that came of a step.

    kind: a key of the game's EVENTS, or of SENTENCES.  seat: whom it befell or who did it; -1 for nobody.
    things: in words, names of seats too.  numbers: whole ones.
    """

    kind: str
    seat: int = -1
    things: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()


class Told:
    """What viewers were told: each of what came of the last step, and each seat of all since its last turn.

    last: by viewer; since: by seat, what came of its own last action included.
    """

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """As before the first step."""
        self.last: dict[int, tuple[Event, ...]] = {}
        self.since: dict[int, tuple[Event, ...]] = {}

    def add(
        self, setup: "Setup", before: Mapping[int, View], after: Mapping[int, View], entry: Entry
    ) -> None:
        """Note a step, by the views of all viewers before and after it."""
        self.last = {viewer: came_of(setup, before[viewer], after[viewer], entry, viewer) for viewer in after}
        self.since[entry[0]] = ()
        for seat in range(setup.players):
            known, new = self.since.get(seat, ()), self.last[seat]
            if known and known[-1:] == new[:1] and new[0].kind == CHOSE:
                new = new[1:]  # in how many steps a seat has chosen may tell what
            self.since[seat] = known + new

    def of_seat(self, seat: int) -> "Told":
        """What is left of it for one seat: the others have been told what a spectator was."""
        other = Told()
        for viewer in self.last:
            other.last[viewer] = self.last[seat if viewer in (seat, WHOLE) else SPECTATOR]
        if seat in self.since:
            other.since[seat] = self.since[seat]
        return other

    def plain(self) -> list[Any]:
        """As JSON has it: by viewer, and by seat; `from_plain` reads it."""
        return [
            [[who, [list(e) for e in events]] for who, events in t.items()] for t in (self.last, self.since)
        ]

    @classmethod
    def from_plain(cls, plain: Any, setup: "Setup") -> "Told":
        """What `plain` gave; ValueError for what none can have given."""
        told = cls()
        try:
            last, since = plain
            for table, rows, least in ((told.last, last, WHOLE), (told.since, since, 0)):
                for who, events in rows:
                    if type(who) is not int or not least <= who < setup.players:
                        raise ValueError(f"there is no viewer {who!r}")
                    table[who] = tuple(_read(event, setup) for event in events)
        except TypeError:
            raise ValueError("must have events by viewer and by seat") from None
        return told


def viewers(setup: "Setup") -> Iterable[int]:
    """All who can be told anything."""
    return range(WHOLE, setup.players)


def came_of(setup: "Setup", before: View, after: View, entry: Entry, viewer: int) -> tuple[Event, ...]:
    """What came of a step, for one viewer; before and after: its views, entry: who did what, see `Log`."""
    seat, action, secret = entry
    known = not secret or viewer in (WHOLE, seat)
    events = tuple(setup.game.events(setup.box, before, after, seat, action if known else None))
    if not known:
        events = Event(CHOSE, seat), *events
    return (*(events or (Event(ACTED, seat, (setup.action_name(action),)),)), *_end(after))


def _end(after: View) -> Iterable[Event]:
    """Who has won."""
    winners = after["winners"]
    points = tuple(after["scores"][seat] for seat in winners)
    if len(winners) == 1:
        yield Event(WON, winners[0], numbers=points)
    elif winners:
        yield Event(SHARED, things=tuple(map(seat_name, winners)), numbers=points)


def _read(plain: Any, setup: "Setup") -> Event:
    kind, seat, things, numbers = plain
    event = Event(kind, seat, tuple(things), tuple(numbers))
    if wrong := fault(setup, event):
        raise ValueError(wrong)
    return event


def fault(setup: "Setup", event: Any) -> str:
    """What is wrong with what a game gave as an event; "" where it is one that has a sentence."""
    if not isinstance(event, Event):
        return f"must give Events, gives {event!r}"
    kinds = {**SENTENCES, **setup.game.sentences}
    if event.kind not in kinds:
        return f"{event.kind!r} is no kind of event; there are {', '.join(kinds)}"
    if type(event.seat) is not int or not -1 <= event.seat < setup.players:
        return f"{event!r}: seat must be -1 to {setup.players - 1}"
    for name, kind in (("things", str), ("numbers", int)):
        values = getattr(event, name)
        if type(values) is not tuple or any(type(value) is not kind for value in values):
            return f"{event!r}: {name} must be a tuple of {kind.__name__}"
    try:
        sentence(setup, event)
    except (LookupError, ValueError) as error:
        return f"{event!r} does not fit into {kinds[event.kind]!r}: {error}"
    return ""


def gained(before: Iterable[str], after: Iterable[str]) -> tuple[str, ...]:
    """The things among those after that are not among those before, each as often as it came, in order."""
    return tuple((Counter(after) - Counter(before)).elements())


# --- in words ----------------------------------------------------------------------------------


class _Number(int):
    def __format__(self, nouns: str) -> str:
        number = f"{int(self):,}"
        if not nouns:
            return number
        one, _, many = nouns.partition("|")
        return f"{number} {one if self == 1 else many or f'{one}s'}"

    __str__ = int.__repr__


class _List(tuple[Any, ...]):
    def __format__(self, _: str) -> str:
        words = [f"{item}" for item in self]
        return ", ".join(words[:-1]) + " and " + words[-1] if len(words) > 1 else "".join(words)


def sentence(setup: "Setup", event: Event) -> str:
    """An event in words: "player_2 catches 6 and 8"."""
    template = SENTENCES.get(event.kind) or setup.game.sentences[event.kind]
    numbers = _List(map(_Number, event.numbers))
    seat = seat_name(event.seat) if event.seat >= 0 else "nobody"
    return template.format(*numbers, seat=seat, things=_List(event.things), numbers=numbers)


def in_words(setup: "Setup", events: Iterable[Event]) -> str:
    """The events of a step as one line, in which a seat is named once: "player_2 plays 7; catches 6"."""
    parts: list[str] = []
    last = -1
    for event in events:
        words = sentence(setup, event)
        parts.append(words.removeprefix(f"{seat_name(event.seat)} ") if 0 <= event.seat == last else words)
        last = event.seat
    return "; ".join(parts)
