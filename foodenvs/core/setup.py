"""`Setup`: one game, configured: its options, what lies in the box, and the engine."""

import copy
import functools
import json
import os
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from foodenvs.core import views
from foodenvs.core.checks import as_action
from foodenvs.core.components import Components, ComponentsError, load_components
from foodenvs.core.contract import ContractError, check_game
from foodenvs.core.errors import IllegalActionError, told
from foodenvs.core.events import Event, in_words
from foodenvs.core.first_use import check_setup
from foodenvs.core.game import Game, check_options
from foodenvs.core.layout import Field, Layout, short_hash
from foodenvs.core.notation import seat_name, shown
from foodenvs.engine import attributes, zeros


class Setup:
    """One game, configured: its options, what lies in the box, and the engine. Never changes after that.

    Raises TypeError for an unknown option, ValueError for a bad value or bad components, each by name.
    """

    def __init__(self, game: Game, options: Mapping[str, Any] | None = None, components: Any = None) -> None:
        self.game = game
        if game not in _checked:
            check_game(game)
        self.options = check_options(game.options.values(), options or {})
        self.components = load_components(game.home, components)
        self.engine = game.engine
        try:
            packed = _packed(game, self.options, self.components)
        except ComponentsError as error:
            if not isinstance(components, (str, os.PathLike)):
                raise
            raise ComponentsError(f"{components}: {error}") from None
        self.boxes = packed.boxes.copy()
        self.box = attributes(self.boxes)[0]
        self.players = int(self.box.players)
        self.actions = int(self.box.actions)
        self.teams = [int(self.box.team[seat]) for seat in range(self.players)]
        self.contenders = len(set(self.teams))
        self.agents = [seat_name(seat) for seat in range(self.players)]
        self.seats = {agent: seat for seat, agent in enumerate(self.agents)}
        self.layout = packed.layout
        self.length = self.layout.length
        self.hidden = packed.hidden
        self.max_decisions = packed.max_decisions
        low, high = self.layout.low.astype(np.float32), self.layout.high.astype(np.float32)
        self.scale = np.stack(
            [low, np.maximum(high - low, 1)]
        )  # float32 [2, D]: what is taken away, and by what the rest is divided
        self._from_zero = not low.any()
        if game not in _checked:
            check_setup(self)
            _checked.add(game)

    def scaled(self, raw: np.ndarray) -> np.ndarray:
        """float32 in [0, 1] of int8 observations [..., D]: (x - low) / (high - low), entry by entry."""
        low, span = self.scale
        scaled: np.ndarray = (raw if self._from_zero else raw - low) / span
        return scaled

    def raw(self, observation: Any) -> np.ndarray:
        """The int8 counts [..., D] of an observation, scaled or raw; of a dict, its "observation"."""
        if isinstance(observation, Mapping):
            observation = observation["observation"]
        observation = np.asarray(observation)
        if observation.shape[-1:] != (self.length,):
            raise ValueError(
                f"an observation of {self.game.id} has {self.length} entries, got shape {observation.shape}"
            )
        if observation.dtype == np.int8:
            return observation
        return np.rint(observation * self.scale[1] + self.scale[0]).astype(np.int8)

    def explain(self, observation: Any) -> dict[str, np.ndarray]:
        """The named fields of an observation (scaled or raw) as int8 arrays in their shapes."""
        return {name: part.copy() for name, part in self.layout.named(self.raw(observation)).items()}

    def win_share(self, returns: np.ndarray) -> np.ndarray:
        """The share of the win, 0 to 1, that returns stand for; its mean over the teams is 1 / contenders."""
        return (returns * (self.contenders - 1) + 1) / self.contenders

    def new_states(self, n: int) -> np.ndarray:
        """Empty states, [n] records of the game's STATE: all bytes 0, nothing dealt."""
        return zeros(n, self.game.state_dtype)

    def check_action(self, action: Any, whose: str) -> int:
        """An action as an int (of what no mask can allow, -1 if it is too large for the engine).

        Every answer of a learner or an agent comes through here. What counts is `whole_number`; TypeError,
        which names `whose` action it is ("player_1"), for all else.
        """
        if type(action) is int and 0 <= action < self.actions:  # as nearly always
            return action
        return as_action(action, f"action of {whose} must be a whole number from 0 to {self.actions - 1}")

    @functools.cached_property
    def ranges(self) -> dict[str, tuple[np.ndarray, np.ndarray]]:
        """The least and the greatest value of each field of the state, int64 in the field's shape.

        Raises ContractError for a game that does not declare them for each field, those of the frame aside.
        """
        state, flag = self.game.state_dtype, (0, 1)
        names = state.names or ()
        frame = {"rng": (0, 2**32 - 1), "turn": (-1, self.players - 1), "done": flag, "truncated": flag}
        ranges = {name: both for name, both in (frame | {"pad": (0, 0)}).items() if name in names}
        ranges |= self.game.rules.ranges(self.box)
        faults = [f"rules.ranges has none for {name!r} of STATE" for name in names if name not in ranges]
        faults += [
            f"rules.ranges has {name!r}, which is no field of STATE" for name in ranges if name not in names
        ]
        if faults:
            raise ContractError(self.game.id, faults)
        spread = {}
        for name in names:
            shape = state[name].shape
            try:
                low, high = (np.broadcast_to(np.array(end, np.int64), shape) for end in ranges[name])
            except (TypeError, ValueError):
                must_be = f"(least, greatest), whole numbers or arrays of shape {shape}"
                faults.append(f"rules.ranges: {name!r} must have {must_be}; has {shown(ranges[name])}")
            else:
                spread[name] = low, high
        if faults:
            raise ContractError(self.game.id, faults)
        return spread

    # --- positions as plain data ---------------------------------------------------------------

    def view(self, states: np.ndarray) -> dict[str, Any]:
        """The whole position in states [1], secrets included, as plain values: see `foodenvs.core.views`."""
        return views.show(self, states, views.WHOLE)

    def seat_view(self, states: np.ndarray, seat: int) -> dict[str, Any]:
        """The position in states [1] as a seat sees it; seat -1 is a spectator."""
        return views.show(self, states, seat)

    def hidden_from(self, states: np.ndarray, seat: int) -> dict[str, Any]:
        """What the position in states [1] holds that a seat does not see, by key of the view."""
        return views.hidden_from(self, states, seat)

    def set_up(self, states: np.ndarray, view: Mapping[str, Any], seed: int) -> None:
        """Set up any part of a view in empty states [1]; what it leaves open is drawn from a seed.

        Raises PositionError (a ValueError) that names the key for a position that cannot be.
        """
        views.set_up(self, states, view, seed)

    @functools.cached_property
    def view_keys(self) -> tuple[str, ...]:
        """The keys that a position may be given with."""
        return views.keys(self)

    # --- words ---------------------------------------------------------------------------------

    def action_name(self, action: int) -> str:
        """An action in words; `parse_action` reads them."""
        return str(self.game.words.action_name(self.box, action))

    def in_words(self, events: Iterable[Event]) -> str:
        """The events of a step as one line, see `foodenvs.core.events`; "" for none."""
        return in_words(self, events)

    def action_names(self, mask: np.ndarray) -> list[str]:
        """The legal actions of a mask int8 [A] in words, in the order of their numbers."""
        return [self.action_name(int(a)) for a in np.flatnonzero(mask)]

    def refusal(self, agent: str, action: int, legal: Iterable[int]) -> str:
        """What is said of an illegal action of an agent: the action and the legal ones in words."""
        name = self.action_name(action) if 0 <= action < self.actions else str(action)
        return f"illegal action: {name} ({agent}); legal: {', '.join(map(self.action_name, legal))}"

    def blame(self, kind: int, seat: int, observation: np.ndarray, mask: np.ndarray) -> IllegalActionError:
        """The error of the game's k-th agent (from 1), which chose what its mask int8 [A] does not allow."""
        agent = f"the agent {[*self.game.agents.AGENTS][kind - 1]} of {self.game.id}, as {seat_name(seat)}"
        action = int(self.engine.decide(kind, self.boxes, observation, mask))
        return IllegalActionError(self.refusal(agent, action, np.flatnonzero(mask).tolist()))

    def parse_action(self, text: str) -> int:
        """The action of a name; ValueError for a text that is none."""
        return int(self.game.parse_action(self.box, text))

    @functools.cached_property
    def layout_hash(self) -> str:
        """A short hash of what a policy meets: the observation's fields, their ranges, and the actions."""
        return self.layout.fingerprint(self.actions)

    @functools.cached_property
    def description(self) -> dict[str, Any]:
        """What tells set-ups apart, as JSON has it: game, options, hashes of cards, observation and state."""
        hashes = {
            "components": short_hash(self.components),
            "observation layout": self.layout_hash,
            "state layout": short_hash(str(self.game.state_dtype)),
        }
        described: dict[str, Any] = json.loads(json.dumps({"game": self.game.id} | self.options | hashes))
        return described

    @functools.cached_property
    def fingerprint(self) -> str:
        """The description as a short hash."""
        return short_hash(self.description)

    def __reduce__(self) -> Any:
        return Setup, (self.game, self.options, self.components)

    def __deepcopy__(self, memo: Any) -> "Setup":
        return self


_checked: set[Game] = set()  # games that keep the contract


class _Packed(NamedTuple):
    """What follows from options and components, and takes time to work out."""

    boxes: np.ndarray  # [1]
    layout: Layout
    hidden: tuple[Field, ...]
    max_decisions: int


_KEPT = 64  # set-ups whose boxes are kept, so that copies, pickles and views need not pack them again
_names: dict[Game, tuple[str, ...]] = {}  # the fields of a game's observation, the same in every set-up
_boxes: dict[tuple[Game, str, str], _Packed] = {}


def _packed(game: Game, options: Mapping[str, Any], components: Mapping[str, Any]) -> _Packed:
    key = game, repr(options), repr(components)
    kept = _boxes.get(key)
    if kept is None:
        try:
            kept = _pack(game, options, components)
        except ValueError:  # of an option or a card
            raise
        except Exception as error:
            raise ContractError(game.id, [told(error)]) from error
        while len(_boxes) >= _KEPT:
            _boxes.pop(next(iter(_boxes)), None)
        _boxes[key] = kept
    return kept


def pack_box(game: Game, options: Mapping[str, Any], components: Mapping[str, Any]) -> np.ndarray:
    """[1] box of all options and tables, without a layout; ComponentsError for cards that do not fit."""
    boxes = zeros(1, game.box_dtype(()))
    box = attributes(boxes)[0]
    box.players = box.teams = options["players"]
    box.team[:] = range(len(box.team))
    game.pack(box, Components(components), copy.deepcopy(dict(options)))
    box.actions = game.actions(box)
    return boxes


def _pack(game: Game, options: Mapping[str, Any], components: Mapping[str, Any]) -> _Packed:
    """The box, which must be full before the observation can be laid out, and then gets the layout too."""
    cards = pack_box(game, options, components)
    layout = Layout(game.information.fields(attributes(cards)[0]))
    names = _names.setdefault(game, tuple(layout.at))
    if names != tuple(layout.at):
        fault = f"information.fields must give the same names always: {names}, then {tuple(layout.at)}"
        raise ContractError(game.id, [fault])
    boxes = zeros(1, game.box_dtype(layout.at))
    for name in cards.dtype.names or ():
        if name != "pad":
            boxes[name] = cards[name]
    boxes["at"] = tuple(layout.at.values())
    box = attributes(boxes)[0]
    return _Packed(boxes, layout, tuple(game.hidden(box)), int(game.rules.max_decisions(box)))
