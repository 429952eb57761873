"""What a game is to everything shared: `Game`, which its folder fills in, and its options.

Nothing here, and nothing that uses it, asks which game it holds. What the modules of a game must give stands
in `foodenvs.core.contract`.
"""

import copy
import functools
import importlib
import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from foodenvs.core import defaults
from foodenvs.core.checks import join_words, whole_number
from foodenvs.core.contract import STATE_OF_EVERY_GAME, ContractError, is_count
from foodenvs.core.events import Event
from foodenvs.core.layout import Field
from foodenvs.core.notation import shown
from foodenvs.engine import Record, build, record_dtype
from foodenvs.engine.loops import Engine


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
        by_names = functools.partial(defaults.parse_action, self.words.action_name)
        return getattr(self.words, "parse_action", by_names)

    def actions(self, box: Record) -> int:
        """A, the number of actions with this box, which is full but for that."""
        given = self.rules.ACTIONS
        actions = given(box) if callable(given) else given
        if not is_count(actions):
            told = f"rules.ACTIONS must give a whole number of at least 1, gives {shown(actions)}"
            raise ContractError(self.id, [told])
        return int(actions)

    def action_ranges(self, box: Record) -> Sequence[tuple[int, int, str]]:
        """The first, the last and the meaning of actions that belong together."""
        given = getattr(self.words, "ACTION_RANGES", ((0, int(box.actions) - 1, "see the rules"),))
        ranges: Sequence[tuple[int, int, str]] = given(box) if callable(given) else given
        return ranges

    @property
    def table(self) -> Callable[..., str]:
        """A view as text."""
        return getattr(self.words, "table", defaults.table)

    @property
    def events(self) -> Callable[..., Iterable[Event]]:
        """What came of a step, out of a viewer's views before and after it."""
        return getattr(self.words, "events", defaults.events)

    @property
    def sentences(self) -> Mapping[str, str]:
        """The sentences of its own kinds of events."""
        return getattr(self.words, "EVENTS", {})

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
        actions: A.
        team int8 [seats at most]: the side of each seat.  at: where each of these fields of the
        observation begins, by name.
        """
        at = [(name, np.int64) for name in fields]
        return record_dtype(
            [
                *([("at", at)] if at else []),
                ("players", np.int64),
                ("teams", np.int64),
                ("actions", np.int64),
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
