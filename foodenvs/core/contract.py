"""What a game must give and may give: the one list, and the check of what its modules give.

At its first use a game is also played once, see `foodenvs.core.first_use`.

`box` is the record of what does not change in play, `s` that of what does; both have attributes. Rules
(functions under `@rule`, see `foodenvs.engine`) run compiled; all else is plain Python. Every box has
players, teams, actions, team and at besides the game's BOX, and every state rng, turn, done and truncated
besides the game's STATE (see `Game.box_dtype` and `Game.state_dtype`). P players, A actions, D length of an
observation.

A game that is a package may also have modules `readers` (see `foodenvs.core.readers`; every game of the
library has them) and `picture` (see `foodenvs.drawing`), and files: `components.toml` (card tables, for
`pack`), `small.toml`, `policies/*.safetensors`. A game that is one module gives all parts in it, and READERS.

A game gives:
"""

import difflib
import importlib
import inspect
import os
import textwrap
from collections.abc import Iterable, Iterator
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from foodenvs.core.events import SENTENCES
from foodenvs.engine import is_rule
from foodenvs.engine.functions import plain

if TYPE_CHECKING:
    from foodenvs.core.game import Game


__all__ = ["ContractError", "Part", "check_game", "listing"]


class Part(NamedTuple):
    """One thing that a game gives: in which of its modules, its name, and what it is.

    arguments: their names; None where it is no function.  is_rule: runs compiled.
    """

    module: str
    name: str
    arguments: tuple[str, ...] | None
    is_rule: bool
    meaning: str

    def __str__(self) -> str:
        call = "" if self.arguments is None else f"({', '.join(self.arguments)})"
        return f"{self.module}.{self.name}{call}"


def _rule(module: str, name: str, arguments: str, meaning: str) -> Part:
    return Part(module, name, tuple(arguments.split()), True, meaning)


def _plain(module: str, name: str, arguments: str, meaning: str) -> Part:
    return Part(module, name, tuple(arguments.split()), False, meaning)


def _value(module: str, name: str, meaning: str) -> Part:
    return Part(module, name, None, False, meaning)


NEEDED = (
    _value("rules", "OPTIONS", "tuple of Option, one of them `players` with a range"),
    _value("rules", "ACTIONS", "int: A in every set-up; or a function (box) that tells it"),
    _value("rules", "BOX", "the fields of the box, each (name, type) or (name, type, shape), int or bool"),
    _value("rules", "STATE", "the fields of the state, likewise; sizes for the largest number of players"),
    _plain("rules", "ranges", "box", "least and greatest value of each field of STATE: dict of pairs"),
    _plain("rules", "max_decisions", "box", "int: no game has more decisions"),
    _rule("rules", "deal", "box s", "a fresh game into s, all of it, from s.rng; turn is the first seat"),
    _rule("rules", "legal", "box s mask", "0 or 1 into all of mask, int8 [A]; a 1 until the game is over"),
    _rule("rules", "apply", "box s action", "play a legal action up to the next decision; turn -1 when over"),
    _rule("rules", "standing", "box s seat", "int that ranks the seats at the end; a team has one"),
    _plain("information", "fields", "box", "tuple of Field: the observation in order, the same names always"),
    _rule("information", "observe", "box s seat out", "what a seat sees into all of out, int8 [D]"),
    _rule("information", "determinize", "box s seat seed", "redeal what a seat cannot know, from a seed"),
    _plain("words", "action_name", "box action", "the name of an action, another one for each"),
    _plain("words", "public", "box s", "what everybody sees, as plain values: see foodenvs.core.views"),
    _value("words", "POSITION", "tuple of functions (draft) that set up a position from a view"),
    _value("agents", "AGENTS", "dict: name to rule (box, observation, mask) -> action; `greedy` is one"),
)  # fmt: skip

MAY = (  # for what stands in `foodenvs.core.defaults` where a game leaves it out
    _plain("rules", "pack", "box components options", "put cards and options into the box; ComponentsError"),
    _rule("rules", "scores", "box s out", "the rulebook's points of each seat into out, int64 [P]"),
    _plain("information", "hidden", "box", "tuple of Field: fields of the state that no seat sees"),
    _plain("words", "parse_action", "box text", "the action of a name; ValueError for any other text"),
    _value("words", "ACTION_RANGES", "tuple of (first, last, meaning), 0 to A - 1; or a function (box)"),
    _plain("words", "private", "box s seat", "what else a seat sees, under keys in the plural"),
    _plain("words", "deduced", "box s seat other", "what a seat can tell of what `private` gives another"),
    _plain("words", "face_down", "box s", "what of the rest no seat sees"),
    _plain("words", "table", "box view seat", "a view as text"),
    _plain(
        "words", "events", "box before after seat action", "what came of a step: see foodenvs.core.events"
    ),
    _value("words", "EVENTS", "dict: each kind of event to the sentence made of it"),
    _plain("rules", "draws", "box", "for OpenSpiel: draws of chance in a game at most, ways of the widest"),
    _plain(
        "information",
        "secret",
        "box s action",
        "whether an action about to be taken stays unknown to the others",
    ),
    _rule(
        "information",
        "undo_pending",
        "box s seat",
        "take back what seats before this one chose in secret; turn is theirs",
    ),
    _value("words", "ALSO_READ", "keys that a position may be given with beside those of a view"),
    _value(
        "words", "NOT_SHOWN", "dict by form (observation, text, picture, alone) of facts: why they are not"
    ),
    _value("words", "RENAMED", "keys of the version before, as foodenvs.core.renewal takes them"),
)


_MODULES = ("rules", "information", "words", "agents")
_FILES = ("readers.py", "picture.py", "components.toml", "small.toml", "policies")  # of a package
_NEAR = 0.8  # how much alike two names are of which one may be meant for the other


def listing() -> str:
    """The parts by module as text: whether a game must or may give each, whether it is a rule, what it is."""
    lines = []
    for module in _MODULES:
        lines.append(f"{module}:")
        for parts, needed in ((NEEDED, "must"), (MAY, "may")):
            for part in parts:
                if part.module == module:
                    name = str(part).removeprefix(f"{module}.")
                    head = f"  {needed:4} {'@rule ' if part.is_rule else ''}{name}: "
                    lines.append(textwrap.fill(head + part.meaning, 100, subsequent_indent=" " * 9))
    return "\n".join(lines)


__doc__ = f"{__doc__}\n{listing()}\n"

BOX_OF_EVERY_GAME = ("players", "teams", "actions", "team", "at", "pad")
STATE_OF_EVERY_GAME = (
    ("rng", np.uint32, 4),  # the random stream
    ("turn", np.int64),  # the seat to act; -1 when over
    ("done", np.bool_),  # over by the rules
    ("truncated", np.bool_),  # cut off
)


class ContractError(ValueError):
    """A game that is not what a game must be; `faults` has one line for each fault."""

    def __init__(self, game_id: str, faults: list[str]) -> None:
        super().__init__(game_id, faults)
        self.game_id, self.faults = game_id, faults

    def __str__(self) -> str:
        lines = "".join(f"\n  {fault}" for fault in self.faults)
        return f"{self.game_id} does not keep the contract of a game (foodenvs.core.contract):{lines}"


def check_game(game: "Game") -> None:
    """ContractError unless the modules of a game give what they must, as far as one sees without playing."""
    faults = [fault for part in NEEDED for fault in _part_faults(game, part, True)]
    faults += [fault for part in MAY for fault in _part_faults(game, part, False)]
    faults += [fault for part in MAY for fault in _left_out_faults(game, part)]
    faults += _file_faults(game)
    if not faults:
        faults = [*_option_faults(game), *_record_faults(game), *_agent_faults(game), *_event_faults(game)]
    if faults:
        raise ContractError(game.id, faults)


def _part_faults(game: "Game", part: Part, needed: bool) -> Iterator[str]:
    module: ModuleType = getattr(game, part.module)
    if not hasattr(module, part.name):
        if needed:
            yield f"{part} is missing: {part.meaning}"
        return
    thing = getattr(module, part.name)
    if part.arguments is None:
        return
    if not callable(thing):
        yield f"{part} must be a function, is {type(thing).__name__}"
        return
    if part.is_rule and not is_rule(thing):
        yield f"{part} must be a rule: put @rule before it"
        return
    yield from _argument_faults(str(part), thing, part.arguments)


def _left_out_faults(game: "Game", part: Part) -> Iterator[str]:
    """What a module seems to give for a part that it leaves out, which nobody would ever call."""
    module: ModuleType = getattr(game, part.module)
    if hasattr(module, part.name):
        return
    for other in (m for m in _MODULES if m != part.module):
        here = getattr(game, other)
        thing = plain(getattr(here, part.name, None))
        if getattr(thing, "__module__", None) == here.__name__ and _is_like(thing, part):
            yield f"{other}.{part.name} is not asked for there; it must be {part}"
    public = [name for name, thing in vars(module).items() if name[0] != "_" and _is_like(thing, part)]
    yield from _near_faults(f"{part.module}.", public, part.name, str(part))


def _near_faults(where: str, names: Iterable[str], wanted: str, meant: str) -> Iterator[str]:
    """The one of some names that may be meant for another."""
    for name in difflib.get_close_matches(wanted, names, 1, _NEAR):
        yield (
            f"{where}{name} is not asked for; if it is meant to be {meant}, call it so, "
            "else begin its name with an underscore"
        )


def _file_faults(game: "Game") -> Iterator[str]:
    """Files beside a game's package that seem to be meant for what it may have, and would never be read."""
    home = importlib.import_module(game.home)
    there = os.listdir(home.__path__[0]) if hasattr(home, "__path__") else []
    public = [name for name in there if name[0] not in "_."]
    for wanted in _FILES:
        if wanted not in there:
            yield from _near_faults(f"{game.home}: ", public, wanted, wanted)


def _is_like(thing: Any, part: Part) -> bool:
    """Whether it could be the part, going by what sort of thing it is."""
    if part.arguments is None:
        return isinstance(thing, (tuple, list, dict))
    function = plain(thing)
    return (
        inspect.isfunction(function)
        and is_rule(function) == part.is_rule
        and tuple(inspect.signature(function).parameters) == part.arguments
    )


def _argument_faults(what: str, function: Any, arguments: tuple[str, ...]) -> Iterator[str]:
    given = inspect.signature(getattr(function, "py_func", function))
    try:
        given.bind(*arguments)
    except TypeError:
        yield f"{what} must take {len(arguments)} arguments ({', '.join(arguments)}), takes {given}"


def _option_faults(game: "Game") -> Iterator[str]:
    players = game.options.get("players")
    if players is None or not isinstance(players.allowed, range):
        yield "rules.OPTIONS must have an Option named players, with a range of whole numbers"
    names = [option.name for option in game.rules.OPTIONS]
    yield from (
        f"rules.OPTIONS: {name!r} stands there twice" for name in game.options if names.count(name) > 1
    )
    for option in game.rules.OPTIONS:
        try:
            option.check(option.default)
        except ValueError as error:
            yield f"rules.OPTIONS: the default of {error}"
    for part, given in (
        ("rules.ACTIONS", game.rules.ACTIONS),
        ("words.ACTION_RANGES", getattr(game.words, "ACTION_RANGES", ())),
    ):
        if callable(given):
            yield from _argument_faults(part, given, ("box",))
    if not callable(game.rules.ACTIONS) and not is_count(game.rules.ACTIONS):
        yield f"rules.ACTIONS must be a whole number of at least 1, is {game.rules.ACTIONS!r}"


def is_count(actions: Any) -> bool:
    """Whether this can be the number of actions."""
    return isinstance(actions, int) and actions >= 1


def _record_faults(game: "Game") -> Iterator[str]:
    in_state = (*(name for name, *_ in STATE_OF_EVERY_GAME), "pad")
    for record, own in (("BOX", BOX_OF_EVERY_GAME), ("STATE", in_state)):
        names = []
        for field in getattr(game.rules, record):
            try:
                name, kind, *_ = field
                kind = np.dtype(kind)
            except (TypeError, ValueError):
                yield f"rules.{record}: {field!r} must be (name, type) or (name, type, shape)"
                continue
            if name in own:
                yield f"rules.{record}: every game has {name!r}; leave it out"
            if name in names:
                yield f"rules.{record}: {name!r} stands there twice"
            names.append(name)
            if kind.kind not in "ib":
                yield f"rules.{record}: {name!r} is {kind}; there are signed whole numbers and flags"


def _agent_faults(game: "Game") -> Iterator[str]:
    if "greedy" not in game.agents.AGENTS:
        yield "agents.AGENTS must have `greedy`, the opponent where none is named"
    for name, agent in game.agents.AGENTS.items():
        if not is_rule(agent):
            yield f"agents.AGENTS[{name!r}] must be a rule: put @rule before it"
        else:
            yield from _argument_faults(f"agents.AGENTS[{name!r}]", agent, ("box", "observation", "mask"))


def _event_faults(game: "Game") -> Iterator[str]:
    if hasattr(game.words, "events") != hasattr(game.words, "EVENTS"):
        there, missing = ("events", "EVENTS") if hasattr(game.words, "events") else ("EVENTS", "events")
        yield f"words.{there} goes with words.{missing}, which is missing"
    for kind, words in game.sentences.items():
        if kind in SENTENCES:
            yield f"words.EVENTS: {kind!r} is told by the frame; leave it out"
        elif not isinstance(words, str):
            yield f"words.EVENTS[{kind!r}] must be a sentence, is {type(words).__name__}"
