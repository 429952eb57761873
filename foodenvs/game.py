"""What a game is to everything shared: `Game` (what its folder fills in) and `Setup` (one game, configured).

Nothing here, and nothing that uses it, asks which game it holds. What the modules of a game must give stands
in `foodenvs.core.contract`.
"""

import copy
import functools
import importlib
import json
import operator
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from foodenvs.components import Components, ComponentsError, load_components
from foodenvs.core import defaults, views
from foodenvs.core.contract import STATE_OF_EVERY_GAME, ContractError, check_game
from foodenvs.core.first_use import check_setup
from foodenvs.core.layout import Field, Layout, short_hash
from foodenvs.engine import attributes, build, record_dtype, zeros
from foodenvs.engine import game_seed as seed_of_game
from foodenvs.engine.loops import Engine
from foodenvs.errors import told
from foodenvs.notation import seat_name, shown

REWARDS = ("win", "score", "shaped")
ILLEGAL = ("raise", "penalize", "terminate")


class IllegalActionError(ValueError):
    """An action whose mask entry is 0. Nothing has changed."""


@dataclass(frozen=True)
class Option:
    """One keyword argument of a game: its name, default, what is allowed, and what it means.

    `allowed` is a range of ints, a tuple of values, or a function that returns what the option must be
    (to say after "must be") where the value is wrong and "" where it is right.
    """

    name: str
    default: Any
    allowed: Any
    meaning: str

    def check(self, value: Any) -> Any:
        """The value, as an int where a range of ints is allowed; ValueError if it is not allowed."""
        if isinstance(self.allowed, range):
            number = whole_number(value)
            if number is not None and number in self.allowed:
                return number
        elif isinstance(self.allowed, tuple):
            for allowed in self.allowed:
                if type(value) is type(allowed) and value == allowed:
                    return value
        elif not self.allowed(value):
            return value
        raise ValueError(f"{self.name} must be {self.must_be(value)}, got {shown(value)}")

    def must_be(self, value: Any = ...) -> str:
        """The allowed values in words; a function is asked about `value` (`...` is never right)."""
        if isinstance(self.allowed, range):
            return f"{self.allowed[0]} to {self.allowed[-1]}"
        if isinstance(self.allowed, tuple):
            return join_words([json.dumps(v) if isinstance(v, str) else str(v) for v in self.allowed])
        return str(self.allowed(value))


def join_words(words: Sequence[str]) -> str:
    """`a, b or c`."""
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " or " + words[-1]


@dataclass(frozen=True)
class Game:
    """A game as its folder gives it, in `GAME` of the package `home`.

    version: goes up when what agents meet changes, never for speed.  scale: points that count as 1 in the
    rewards "score" and "shaped".  compile_seconds: about how long the first use takes, to be told.
    small: the options with which the cards of `small.toml` make a game that can be solved; {} without one.
    search_prior: how much a search trusts the agent that plays its games out, 0 to 1; long games want more.
    """

    name: str
    title: str
    version: int
    rules: ModuleType
    information: ModuleType
    words: ModuleType
    agents: ModuleType
    scale: int
    home: str
    compile_seconds: int = 5
    small: Mapping[str, Any] = field(default_factory=dict, hash=False)
    search_prior: float = 0.0

    @property
    def id(self) -> str:
        """The name with the version, as `foodenvs.make` takes it: "scratch_catch-v0"."""
        return f"{self.name}-v{self.version}"

    @classmethod
    def of_module(cls, module: str, title: str, scale: int = 1, **more: Any) -> "Game":
        """A game that is one module, by whose name it is called: `GAME = Game.of_module(__name__, "Nim")`."""
        if module not in sys.modules:
            raise ValueError(f"Game.of_module takes the name of its own module, __name__; got {module!r}")
        here, name = sys.modules[module], module.rpartition(".")[2]
        return cls(name, title, more.pop("version", 0), here, here, here, here, scale, module, **more)

    @property
    def page(self) -> str:
        """The game's page: what its package says of itself."""
        return importlib.import_module(self.home).__doc__ or ""

    @functools.cached_property
    def picture(self) -> ModuleType:
        """The module that draws the table; for a game without one, the table in words."""
        return self._optional("picture") or importlib.import_module("foodenvs.drawing.plain").of(self)

    def _optional(self, name: str) -> ModuleType | None:
        """A module of the game's package, None where there is none."""
        try:
            return importlib.import_module(f"{self.home}.{name}")
        except ModuleNotFoundError as error:
            if error.name != f"{self.home}.{name}":
                raise
            return None

    @functools.cached_property
    def readers(self) -> Mapping[str, Any]:
        """A function for each field of the observation that reads it from a seat's view; {} without them.

        READERS of the package's module `readers`, or of a game that is one module. Each is called with the
        view, the options and the tables of the components, and returns the counts in the field's shape.
        """
        module = self._optional("readers") or importlib.import_module(self.home)
        readers: Mapping[str, Any] = getattr(module, "READERS", {})
        return readers

    # --- what a game may leave out, see `foodenvs.core.defaults` ---

    @property
    def pack(self) -> Callable[..., None]:
        """Puts cards and options into the box."""
        return getattr(self.rules, "pack", defaults.pack)

    @property
    def hidden(self) -> Callable[..., tuple[Field, ...]]:
        """The fields of the state that no seat sees."""
        return getattr(self.information, "hidden", defaults.hidden)

    @functools.cached_property
    def scores(self) -> Callable[..., None]:
        """The rulebook's points."""
        return getattr(self.rules, "scores", None) or defaults.build_scores(self.rules.standing)

    @property
    def private(self) -> Callable[..., dict[str, Any]]:
        """What of a view only one seat sees."""
        return getattr(self.words, "private", defaults.private)

    @property
    def deduced(self) -> Callable[..., dict[str, Any]]:
        """What of it another seat can tell."""
        return getattr(self.words, "deduced", defaults.deduced)

    @property
    def face_down(self) -> Callable[..., dict[str, Any]]:
        """What of a view no seat sees."""
        return getattr(self.words, "face_down", defaults.face_down)

    @property
    def parse_action(self) -> Callable[..., int]:
        """The action of a name."""
        by_names = functools.partial(defaults.parse_action, self.rules.ACTIONS, self.words.action_name)
        return getattr(self.words, "parse_action", by_names)

    @property
    def action_ranges(self) -> Sequence[tuple[int, int, str]]:
        """The first, the last and the meaning of actions that belong together."""
        return getattr(self.words, "ACTION_RANGES", ((0, self.rules.ACTIONS - 1, "see the rules"),))

    @property
    def table(self) -> Callable[..., str]:
        """A view as text."""
        return getattr(self.words, "table", defaults.table)

    @property
    def policies(self) -> list[Path]:
        """The files of the trained policies that come with the game, for the agent `ppo`."""
        home = importlib.import_module(self.home).__file__ or ""
        return sorted((Path(home).parent / "policies").glob("*.safetensors"))

    @property
    def agent_ids(self) -> list[str]:
        """The opponents that the game brings, by name."""
        return ["random", *self.agents.AGENTS, *(["ppo"] if self.policies else [])]

    @property
    def options(self) -> dict[str, Option]:
        """Its keyword arguments by name."""
        return {option.name: option for option in self.rules.OPTIONS}

    @functools.cached_property
    def state_dtype(self) -> np.dtype:
        """A record of what changes in play: the rules' STATE and what every game has."""
        return record_dtype([*STATE_OF_EVERY_GAME, *self.rules.STATE])

    def box_dtype(self, fields: Iterable[str]) -> np.dtype:
        """A record of what does not change in play: the rules' BOX and what every game has.

        players: the number of seats.  teams: the number of sides; players where everybody plays alone.
        team int8 [seats at most]: the side of each seat.  at: where each of these fields of the
        observation begins, by name.
        """
        at = [(name, np.int64) for name in fields]
        return record_dtype(
            [
                *([("at", at)] if at else []),
                ("players", np.int64),
                ("teams", np.int64),
                ("team", np.int8, self.options["players"].allowed[-1]),
                *self.rules.BOX,
            ]
        )

    @functools.cached_property
    def engine(self) -> Engine:
        """The compiled loops of the game, built at first use."""
        return build(self)

    def __reduce__(self) -> Any:
        return _game_at, (self.home,)

    def __deepcopy__(self, memo: Any) -> "Game":
        return self


def _game_at(home: str) -> Game:
    game: Game = importlib.import_module(home).GAME
    return game


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
        self.actions = int(game.rules.ACTIONS)
        self.teams = [int(self.box.team[seat]) for seat in range(self.players)]
        self.contenders = len(set(self.teams))
        self.agents = [seat_name(seat) for seat in range(self.players)]
        self.seats = {agent: seat for seat, agent in enumerate(self.agents)}
        self.layout = packed.layout
        self.length = self.layout.length
        self.hidden = packed.hidden
        self.max_decisions = packed.max_decisions
        self._low = self.layout.low.astype(np.float32)
        self._span = np.maximum(self.layout.high.astype(np.float32) - self._low, 1)
        self._from_zero = not self.layout.low.any()
        if game not in _checked:
            check_setup(self)
            _checked.add(game)

    def scaled(self, raw: np.ndarray) -> np.ndarray:
        """float32 in [0, 1] of int8 observations [..., D]: (x - low) / (high - low), entry by entry."""
        scaled: np.ndarray = (raw if self._from_zero else raw - self._low) / self._span
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
        return np.rint(observation * self._span + self._low).astype(np.int8)

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

    def set_up(self, states: np.ndarray, view: Mapping[str, Any], number: int) -> None:
        """Set up any part of a view in empty states [1]; what it leaves open is drawn from a seed.

        Raises PositionError (a ValueError) that names the key for a position that cannot be.
        """
        views.set_up(self, states, view, number)

    @functools.cached_property
    def view_keys(self) -> tuple[str, ...]:
        """The keys that a position may be given with."""
        return views.keys(self)

    # --- words ---------------------------------------------------------------------------------

    def action_name(self, action: int) -> str:
        """An action in words; `parse_action` reads them."""
        return str(self.game.words.action_name(self.box, action))

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


def check_options(known: Iterable[Option], given: Mapping[str, Any]) -> dict[str, Any]:
    """All options with their values: the given ones checked, defaults for the rest."""
    options = {option.name: option for option in known}
    for name in given:
        if name not in options:
            raise TypeError(f"unknown option {name!r}; there are {', '.join(options)}")
    return {
        name: option.check(given[name]) if name in given else copy.deepcopy(option.default)
        for name, option in options.items()
    }


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
