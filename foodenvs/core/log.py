"""Who did what last, and who was told of it. Of a secret action the others hear only that it was taken."""

from typing import TYPE_CHECKING, Any

from foodenvs.core.notation import seat_name
from foodenvs.core.views import WHOLE

if TYPE_CHECKING:
    from foodenvs.core.setup import Setup

UNKNOWN_ACTION = -1
Entry = tuple[int, int, bool]  # who acted (-1 for nobody), which action, whether it is that seat's secret
NOTHING: Entry = (-1, UNKNOWN_ACTION, False)


class Log:
    """The last action of a game, the last that all know, and each seat's own secret since then."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """As before the first action."""
        self.last, self.last_public = NOTHING, NOTHING
        self.own_secret: dict[int, Entry] = {}

    def add(self, seat: int, action: int, secret: bool) -> None:
        """Note an action that was played."""
        self.last = entry = (seat, action, secret)
        if secret:
            self.own_secret[seat] = entry
        else:
            self.last_public = entry
            self.own_secret.clear()

    def known_to(self, viewer: int) -> Entry:
        """The last action whose words a viewer knows."""
        return self.last if viewer == WHOLE else self.own_secret.get(viewer, self.last_public)

    def of_seat(self, seat: int) -> "Log":
        """What is left of it for one seat: the secrets of others are not told."""
        log = Log()
        log.last_public = self.last_public
        log.own_secret = {seat: self.own_secret[seat]} if seat in self.own_secret else {}
        actor, action, secret = self.last
        log.last = actor, UNKNOWN_ACTION if secret and actor != seat else action, secret
        return log

    def plain(self) -> list[list[Any]]:
        """As JSON has it: the last, the last public and the secret ones; `from_plain` reads it."""
        return [list(entry) for entry in (self.last, self.last_public, *self.own_secret.values())]

    @classmethod
    def from_plain(cls, plain: Any, setup: "Setup") -> "Log":
        """The log of a list of entries; ValueError for what none can be."""
        if not isinstance(plain, list) or len(plain) < 2:
            raise ValueError(f"must be a list of 2 entries or more, got {plain!r}")
        for entry in plain:
            if not (
                isinstance(entry, list)
                and list(map(type, entry)) == [int, int, bool]
                and -1 <= entry[0] < setup.players
                and UNKNOWN_ACTION <= entry[1] < setup.actions
            ):
                raise ValueError(f"must be a seat, an action and whether it is secret, got {entry!r}")
        log = cls()
        log.last, log.last_public, *secret = ((seat, action, own) for seat, action, own in plain)
        log.own_secret = {entry[0]: entry for entry in secret}
        return log


def told(setup: "Setup", entry: Entry, viewer: int) -> str:
    """An action in words ("player_1: hand 5"), as a viewer was told of it; "" for none."""
    seat, action, secret = entry
    if seat < 0:
        return ""
    words = setup.action_name(action) if action >= 0 else ""
    return in_words(seat_name(seat), words, secret and viewer not in (WHOLE, seat))


def in_words(agent: str, action: str, hidden: bool) -> str:
    """What is told of an agent's action, given in words; hidden: whether it was taken in secret."""
    return f"{agent}: chose in secret" if hidden or not action else f"{agent}: {action}"
