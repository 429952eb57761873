"""`Position`: one configured game in play, and everything about it that is no environment's bookkeeping."""

import copy
import hashlib
from typing import TYPE_CHECKING, Any

import numpy as np

from foodenvs.core.events import Event, Told, viewers
from foodenvs.core.log import Log, told
from foodenvs.core.views import WHOLE, View, show_all
from foodenvs.engine import attributes
from foodenvs.engine.shared import REFUSED, SHAPED

if TYPE_CHECKING:
    from foodenvs.core.setup import Setup
    from foodenvs.drawing import Picture

OVER = -1  # nobody is to act


class Position:
    """A game in play. P players, D entries of an observation, A actions; seats are numbers.

    states      [1] record of the game's STATE, secrets included; `state` is the record with attributes
    turn        the seat to act, -1 when the game is over
    observation int8 [D], what the seat to act sees; scaled: the same as float32 [D] in [0, 1]; mask: int8
                [A], what it may do, all 0 at the end. Buffers, overwritten
    rewards     float64 [P], what the last action brought; a buffer too
    paid        float64 [P], what shaped rewards have paid so far
    log         who did what last
    told        what each viewer was told of that; None where nothing is told, which takes less time
    in_play     whether there is a game: False before the first, and after an action was broken off half-way

    Viewers are seats, `views.SPECTATOR` and `views.WHOLE`. reward_mode: in the order of `checks.REWARDS`.
    tells: whether to note what came of each step, see `foodenvs.core.events`.
    Without a game everything that asks for one raises RuntimeError.
    """

    def __init__(self, setup: "Setup", reward_mode: int = 0, tells: bool = False) -> None:
        self.setup, self.reward_mode = setup, reward_mode
        self.told = Told() if tells else None
        self.states = setup.new_states(1)
        self.state = attributes(self.states)[0]
        self._sight = np.zeros(setup.length + setup.actions, np.int8)
        self.observation, self.mask = np.split(self._sight, [setup.length])
        self.scaled = np.zeros(setup.length, np.float32)
        self._accounts = np.zeros((2, setup.players))
        self.rewards, self.paid = self._accounts
        self.turn, self.log, self.in_play = OVER, Log(), False
        self._scores, self._returns = np.zeros(setup.players, np.int64), np.zeros(setup.players)
        self._seen: dict[int, dict[str, Any]] = {}  # by all viewers, after the last step, where that is told
        self._secret = getattr(setup.game.information, "secret", None)

    # --- play ------------------------------------------------------------------------------

    def deal(self, seed: int) -> None:
        """Begin the game of a seed, 0 to 2**63 - 1."""
        self.in_play = False
        self.setup.engine.begin(self.setup.boxes, self.states, seed)
        self._arrive(0)

    def drafted(self, view: View, seed: int) -> np.ndarray:
        """Any part of a view as [1] record of STATE; what it leaves open is drawn from the seed.

        Raises PositionError (a ValueError) that names the key where there is no such position.
        """
        states = self.setup.new_states(1)
        self.setup.set_up(states, view, seed)
        return states

    def begin_at(self, states: np.ndarray) -> None:
        """Begin at the position of a [1] record; shaped rewards pay what changes from here on."""
        self.place(states)
        self.settle()

    def clear(self) -> None:
        """As before the first game."""
        self.in_play, self.turn = False, OVER

    def place(self, states: np.ndarray, paid: Any = 0) -> None:
        """Go to the position of a [1] record of STATE; paid: what shaped rewards have paid up to there."""
        self.in_play = False
        self.states.view(np.uint8)[:] = states.view(np.uint8)
        self._arrive(paid)

    def _arrive(self, paid: Any) -> None:
        self.paid[:] = paid
        self._forget_steps()
        self.refresh()
        self.in_play = True

    def _forget_steps(self) -> None:
        self.log.clear()
        self._seen = {}
        if self.told is not None:
            self.told.clear()

    def refresh(self) -> None:
        """After the record was written from outside: who is to act there, and what it sees."""
        self._seen = {}
        setup = self.setup
        self.turn = setup.engine.ask(setup.boxes, self.states, self.observation, self.mask)
        self.scaled[:] = setup.scaled(self.observation)

    def play(self, action: int) -> bool:
        """Play an action of the seat to act; False, and nothing has changed, where the mask has no 1."""
        setup, seat = self.setup, self.turn
        secret = self._secret is not None and self.is_secret(action)
        before = self._seen or self._all_views() if self.told is not None else {}
        self.in_play = False
        turn = setup.engine.play(
            setup.boxes, self.states, action, self.reward_mode, self._accounts, self._sight, setup.scale,
            self.scaled,
        )  # fmt: skip
        self.in_play = True
        if turn == REFUSED:
            return False
        self.turn = turn
        self.log.add(seat, action, secret)
        if self.told is not None:
            self._seen = self._all_views()
            self.told.add(setup, before, self._seen, self.log.last)
        return True

    def settle(self) -> None:
        """Write into `rewards` what shaped ones have not paid yet, and take it as paid; 0 of other kinds."""
        self.check()
        self.rewards[:] = 0
        if self.reward_mode == SHAPED:
            self.setup.engine.settle(self.setup.boxes, self.states, self._accounts)

    def stop(self) -> None:
        """Nobody is to act any more, though the rules would go on."""
        self.turn = OVER
        self.mask[:] = 0

    @property
    def over(self) -> bool:
        """Whether the game is over by its rules."""
        return bool(self.state.turn < 0)

    @property
    def truncated(self) -> bool:
        """Whether a limit ended the game."""
        return bool(self.state.truncated)

    def is_legal(self, action: int) -> bool:
        """Whether the seat to act may take this action."""
        return 0 <= action < self.setup.actions and bool(self.mask[action])

    def is_secret(self, action: int) -> bool:
        """Whether an action, if the seat to act takes it now, stays its secret until some later moment."""
        return self._secret is not None and bool(self._secret(self.setup.box, self.state, action))

    # --- what is seen ----------------------------------------------------------------------

    def observe(self, seat: int) -> np.ndarray:
        """What a seat sees now: fresh int8 [D]."""
        if seat == self.turn:
            return self.observation.copy()
        self.check()
        seen = np.empty(self.setup.length, np.int8)
        self.setup.engine.look(self.setup.boxes, self.states, seat, seen)
        return seen

    def observe_all(self) -> np.ndarray:
        """What each seat sees now: fresh int8 [P, D]."""
        return np.stack([self.observe(seat) for seat in range(self.setup.players)])

    def view(self, viewer: int = WHOLE) -> dict[str, Any]:
        """The position as a viewer sees it, as a dict of plain values; `drafted` takes it back."""
        self.check()
        setup, states = self.setup, self.states
        return setup.view(states) if viewer == WHOLE else setup.seat_view(states, viewer)

    def hidden(self, seat: int) -> dict[str, Any]:
        """What the position holds that a seat must not know, by key of the view."""
        self.check()
        return self.setup.hidden_from(self.states, seat)

    def table(self, viewer: int) -> str:
        """The table as text for a viewer, with the last action it knows."""
        last = self.last_known_action(viewer)
        text = str(self.setup.game.table(self.setup.box, self.view(viewer), max(viewer, -1)))
        return text + (f"last: {last}\n" if last else "")

    def picture(self, viewer: int, narrow: bool = False) -> "Picture":
        """The table as a picture for a viewer; narrow: for a phone's width."""
        view, last = self.view(viewer), self.last_known_action(viewer)
        drawn: Picture = self.setup.game.picture.draw(
            self.setup.box, view, max(viewer, -1), self.turn, last, narrow
        )
        return drawn

    def last_action(self, viewer: int) -> str:
        """The last action in words, as a viewer was told of it; "" before the first."""
        self.check()
        return told(self.setup, self.log.last, viewer)

    def last_known_action(self, viewer: int) -> str:
        """The last action whose words a viewer knows; so a table does not show that somebody has chosen."""
        self.check()
        return told(self.setup, self.log.known_to(viewer), WHOLE)

    def _all_views(self) -> dict[int, dict[str, Any]]:
        return show_all(self.setup, self.states, viewers(self.setup))

    def events(self, viewer: int) -> tuple[Event, ...]:
        """What came of the last step, as a viewer was told it; () before the first.

        RuntimeError in a position that was made without `tells`.
        """
        self.check()
        if self.told is None:
            raise RuntimeError("make the environment with events=True to be told what came of each step")
        return self.told.last.get(viewer, ())

    # --- what it is worth ------------------------------------------------------------------

    def scores(self) -> np.ndarray:
        """The rulebook's points so far: int64 [P], a buffer."""
        return self._scores_and_returns()[0]

    def returns(self) -> np.ndarray:
        """What the end is worth to each seat: float64 [P], a buffer; see `FoodEnv.returns`."""
        return self._scores_and_returns()[1]

    def _scores_and_returns(self) -> tuple[np.ndarray, np.ndarray]:
        self.check()
        self.setup.engine.scores_and_returns(self.setup.boxes, self.states, self._scores, self._returns)
        return self._scores, self._returns

    # --- copies ----------------------------------------------------------------------------

    def record(self) -> np.ndarray:
        """A copy of the position, secrets included, as [1] record of the game's STATE; `place` takes it."""
        self.check()
        states = self.setup.new_states(1)
        states.view(np.uint8)[:] = self.states.view(np.uint8)
        return states

    def history(self) -> tuple[list[float], Any, Any]:
        """What led here, as JSON has it: what was paid, for `place`; log and what was told, for `recall`."""
        return self.paid.tolist(), self.log.plain(), None if self.told is None else self.told.plain()

    def recall(self, log: Any, told: Any) -> None:
        """Take over the plain log of another position, and what was told there, if that is kept here too."""
        self.log = Log.from_plain(log, self.setup)
        if self.told is not None and told is not None:
            self.told = Told.from_plain(told, self.setup)

    def redealt(self, seat: int, seed: int) -> np.ndarray:
        """The position with all that a seat cannot know dealt anew, as [1] record of the game's STATE."""
        states = self.record()
        self.setup.engine.redeal(self.setup.boxes, states, seat, seed)
        return states

    def determinized(self, seat: int, seed: int) -> "Position":
        """A copy in which all that a seat cannot know is dealt anew, chance to come included.

        It shows the seat the same, and depends on `seed` and on what the seat knows, on nothing else.
        """
        other = Position(self.setup, self.reward_mode, self.told is not None)
        other.place(self.redealt(seat, seed), self.paid)
        other.log = self.log.of_seat(seat)
        if self.told is not None:
            other.told = self.told.of_seat(seat)
        if self.turn == OVER:
            other.stop()
        return other

    def __deepcopy__(self, memo: Any) -> "Position":
        other = Position(self.setup, self.reward_mode, self.told is not None)
        if self.in_play:
            other.place(self.states, self.paid)
            other.log, other.told = copy.deepcopy(self.log), copy.deepcopy(self.told)
        if self.turn == OVER:
            other.stop()
        return other

    def sight_hash(self) -> str:
        """A short hash of what all seats see and of whose turn it is."""
        return _short(bytes([self.turn + 1]) + self.observe_all().tobytes())

    def state_hash(self) -> str:
        """A short hash of the whole state of the game, secrets and chance to come included."""
        return _short(self.states.tobytes())

    def check(self) -> None:
        """RuntimeError where there is no game."""
        if not self.in_play:
            raise RuntimeError("call reset() first")


def _short(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=8).hexdigest()
