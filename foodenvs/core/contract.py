"""What a game must give and may give: the one list, and the check that a game is held to at its first use.

`box` is the record of what does not change in play, `s` that of what does; both have attributes. Rules
(functions under `@rule`, see `foodenvs.engine`) run compiled; all else is plain Python. Every box has
players, teams, team and at besides the game's BOX, and every state rng, turn, done and truncated besides the
game's STATE (see `Game.box_dtype` and `Game.state_dtype`). P players, A actions, D length of an observation.

A game that is a package may also have modules `readers` (see `foodenvs.core.readers`; every game of the
library has them) and `picture` (see `foodenvs.drawing`), and files: `components.toml` (card tables, for
`pack`), `small.toml`, `policies/*.safetensors`. A game that is one module gives all parts in it, and READERS.

A game gives:
"""

import builtins
import difflib
import functools
import importlib
import inspect
import os
import random
import textwrap
import time
from collections.abc import Iterable, Iterator
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from foodenvs.documents import not_plain
from foodenvs.engine import Record, attributes, is_rule, seed, uncompiled
from foodenvs.engine.functions import looked_up, plain, reached, rules_among
from foodenvs.errors import place, told
from foodenvs.notation import seat_name, shown

if TYPE_CHECKING:
    from foodenvs.game import Game, Setup


__all__ = ["ContractError", "Part", "check_game", "check_setup", "listing"]


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
    _value("rules", "ACTIONS", "int: A, the same in every set-up"),
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
    _rule("information", "determinize", "box s seat number", "redeal what a seat cannot know, from a seed"),
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
    _value("words", "ACTION_RANGES", "tuple of (first, last, meaning), from 0 to A - 1 without gaps"),
    _plain("words", "private", "box s seat", "what else a seat sees, under keys in the plural"),
    _plain("words", "deduced", "box s seat other", "what a seat can tell of what `private` gives another"),
    _plain("words", "face_down", "box s", "what of the rest no seat sees"),
    _plain("words", "table", "box view seat", "a view as text"),
    _plain("rules", "draws", "box", "for OpenSpiel: draws of chance in a game at most, ways of the widest"),
    _plain(
        "information",
        "secret",
        "box s action",
        "whether an action about to be taken stays unknown to the others",
    ),
    _rule(
        "information",
        "retract",
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

BOX_OF_EVERY_GAME = ("players", "teams", "team", "at", "pad")
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
        faults = [*_option_faults(game), *_record_faults(game), *_agent_faults(game), *_range_faults(game)]
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
    if not isinstance(game.rules.ACTIONS, int) or game.rules.ACTIONS < 1:
        yield f"rules.ACTIONS must be a whole number of at least 1, is {game.rules.ACTIONS!r}"


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


def _range_faults(game: "Game") -> Iterator[str]:
    expected = 0
    for first, last, _ in game.action_ranges:
        if first != expected or last < first:
            yield f"words.ACTION_RANGES: {first} to {last} must begin with {expected}"
            return
        expected = last + 1
    if expected != game.rules.ACTIONS:
        yield f"words.ACTION_RANGES end with action {expected - 1}, the last is {game.rules.ACTIONS - 1}"


def check_setup(setup: "Setup") -> None:
    """ContractError unless a game is dealt, played and seen as it must be, uncompiled.

    So no index goes astray, and an error in a rule comes with its line. The deal lies within `ranges`,
    `observe` and `legal` write all entries and none beyond, and a random game goes on or ends as it must.
    """
    faults: list[str] = []
    try:
        faults += _field_faults(setup)
        faults += _name_faults(setup)
        faults += _action_faults(setup)
        rules = _Rules(setup.game)
        if not faults:
            faults += _deal_faults(setup, rules)
        if not faults:
            faults += _game_faults(setup, rules)
    except _FirstFault as fault:
        faults.append(str(fault))
    if faults:
        raise ContractError(setup.game.id, faults)


class _FirstFault(Exception):
    """What makes it idle to look further."""


def _run(what: str, function: Any, *arguments: Any) -> Any:
    """The result of a game's function; a failure is a fault that names it."""
    try:
        return function(*arguments)
    except ContractError:
        raise
    except Exception as error:
        raise _FirstFault(f"{what} fails: {told(error)}") from error


def _field_faults(setup: "Setup") -> Iterator[str]:
    state = setup.game.state_dtype
    for f in setup.hidden:
        if f.name not in (state.names or ()) or state[f.name].shape != f.shape:
            yield f"information.hidden: {f.name!r} must be a field of STATE, of the same shape"


def _name_faults(setup: "Setup") -> Iterator[str]:
    """What rules cannot look up or call, also where the game to be played does not come.

    The compiler would find it, but not say where, or in many lines.
    """
    game = setup.game
    functions = [f for part in (*NEEDED, *MAY) if (f := getattr(getattr(game, part.module), part.name, None))]
    of_state, of_box = game.state_dtype.names or (), setup.box.dtype.names or ()
    records = {"s": ("the state", of_state), "box": ("the box", of_box), "at": ("box.at", setup.layout.at)}
    fields = {*dir(np.ndarray), *(field for _, names in records.values() for field in names)}
    for rule in rules_among([*functions, *game.agents.AGENTS.values()]):
        scope = vars(builtins) | rule.__globals__
        called = [f for f in reached(rule) if inspect.isfunction(f) and not is_rule(f)]
        if not called and {*rule.__code__.co_names} <= scope.keys() | fields:
            continue
        for line, variable, name in looked_up(rule):
            where = place(rule.__code__, line)
            if variable:
                if name not in fields:
                    whose, names = records.get(variable, (variable, ()))
                    it_has = f"; it has: {', '.join(names)}" if names else ""
                    yield f"{where}: {whose} has no field {name!r}{it_has}"
            elif name not in scope:
                yield f"{where}: the name {name!r} is not defined"
            elif scope[name] in called and scope[name].__module__ == rule.__module__:
                yield f"{where}: {name} must be a rule to be called in one: put @rule before it"


def _action_faults(setup: "Setup") -> Iterator[str]:
    """Every action has a name of its own, by which it is found again."""
    words = setup.game.words
    actions: dict[str, int] = {}
    for action in range(setup.actions):
        name = _run(f"words.action_name of action {action}", words.action_name, setup.box, action)
        if type(name) is not str:
            yield f"words.action_name must give text, gives {shown(name)} for action {action}"
            return
        if name in actions:
            both = f"{actions[name]} and {action}"
            yield f"words.action_name gives the actions {both} one name, {name!r}; each must have its own"
            return
        actions[name] = action
    for name, action in actions.items() if hasattr(words, "parse_action") else ():
        read = _run(f"words.parse_action of {name!r}", words.parse_action, setup.box, name)
        if read != action:
            yield f"words.parse_action reads {name!r}, the name of action {action}, as {shown(read)}"
            return


class _Rules(SimpleNamespace):
    """A game's rules by name, uncompiled; what fails in one is a fault that tells the line."""

    def __init__(self, game: "Game") -> None:
        for part in (*NEEDED, *MAY):
            rule = getattr(getattr(game, part.module), part.name, None)
            if part.is_rule and rule:
                self._add(part.name, f"{part.module}.{part.name}", rule)
        self._add("scores", "rules.scores", game.scores)
        self._add("greedy", "agents.AGENTS['greedy']", game.agents.AGENTS["greedy"])

    def _add(self, name: str, what: str, rule: Any) -> None:
        setattr(self, name, functools.partial(_run, what, uncompiled(rule, {})))


def _deal_faults(setup: "Setup", rules: _Rules) -> Iterator[str]:
    states = setup.new_states(1)
    box, s = setup.box, attributes(states)[0]
    seed(s.rng, 0)
    rules.deal(box, s)
    if not 0 <= s.turn < setup.players:
        raise _FirstFault(f"rules.deal must set turn to the first seat, 0 to {setup.players - 1}: {s.turn}")
    used = setup.new_states(1)
    used.view(np.uint8)[:] = 1
    seed(attributes(used)[0].rng, 0)
    rules.deal(box, attributes(used)[0])
    for name, *_ in setup.game.rules.STATE:
        if states[name].tobytes() != used[name].tobytes():
            yield f"rules.deal leaves {name!r} as it was, or goes by it"
    for name, (low, high) in _run("rules.ranges", lambda: setup.ranges).items():
        value = states[name][0].astype(np.int64)
        if (value < low).any() or (value > high).any():
            yield f"rules.ranges: {name!r} is {value.tolist()} after a deal, outside of its range"
    written = _unwritten(setup.actions, lambda mask: rules.legal(box, s, mask))
    if len(written):
        yield f"rules.legal leaves entries of the mask as they were: {_listed(written)}"
    yield from _view_faults(setup, s)
    yield from _redeal_faults(setup, rules, states)
    for seat in range(setup.players):
        left = _unwritten(setup.length, lambda out, seat=seat: rules.observe(box, s, seat, out))
        if len(left):
            fields = [f.name for f in setup.layout.fields if _meets(setup.layout.at[f.name], f.size, left)]
            yield (
                f"information.observe leaves entries as they were: {_listed(left)} "
                f"({', '.join(fields)}); the fields are longer than what it writes"
            )
            break


def _redeal_faults(setup: "Setup", rules: _Rules, states: np.ndarray) -> Iterator[str]:
    """A redeal starts the random stream anew, from its number alone."""

    def stream(before: int, number: int) -> bytes:
        again = states.copy()
        s = attributes(again)[0]
        seed(s.rng, before)
        rules.determinize(setup.box, s, 0, number)
        return again["rng"].tobytes()

    first = stream(1, 1)
    if stream(2, 1) != first:
        yield (
            "information.determinize goes on with the stream of the position, so a search would foresee "
            "all chance to come: begin it with seed(s.rng, number)"
        )
    elif stream(1, 2) == first:
        yield "information.determinize gives all numbers one stream: begin it with seed(s.rng, number)"


SECONDS = 0.04  # of one core, that a game is played for at most; small games end before


def _game_faults(setup: "Setup", rules: _Rules) -> Iterator[str]:
    """A game of random choices, to its end or for SECONDS: the first thing that goes wrong on the way."""
    box, mask, out = setup.box, np.zeros(setup.actions, np.int8), np.zeros(setup.length, np.int8)
    states, redealt = (attributes(setup.new_states(1)) for _ in range(2))
    s, moment, stop = states[0], "after the deal", time.thread_time() + SECONDS
    points, chance = np.zeros(setup.players, np.int64), random.Random(0)
    secret = getattr(setup.game.information, "secret", lambda box, s, action: False)

    def observe(seat: int) -> None:
        rules.observe(box, s, seat, out)
        if fault := setup.layout.outside(out):
            raise _FirstFault(f"information.observe: {fault} {moment}")

    seed(s.rng, 0)
    rules.deal(box, s)
    while s.turn >= 0 and time.thread_time() < stop:
        seat, who = s.turn, seat_name(s.turn)
        rules.legal(box, s, mask)
        allowed = np.flatnonzero(mask).tolist()
        if not allowed:
            raise _FirstFault(f"rules.legal allows no action {moment}, though it is the turn of {who}")
        observe(seat)
        chosen = rules.greedy(box, out, mask)
        if chosen not in allowed:
            raise _FirstFault(f"agents.AGENTS['greedy'] {moment}: {setup.refusal(who, chosen, allowed)}")
        redealt[:] = states
        rules.determinize(box, redealt[0], seat, 0)
        if hasattr(rules, "retract"):
            rules.retract(box, redealt[0], seat)
        action = chance.choice(allowed)
        _run("information.secret", secret, box, s, action)
        rules.apply(box, s, action)
        moment = f"after {who} has chosen {setup.action_name(action)!r}"
        _check_end(setup, s, moment)
        rules.scores(box, s, points)
    for seat in range(setup.players):
        rules.standing(box, s, seat)
        observe(seat)
    yield from (f"{fault}, {moment}" for fault in _view_faults(setup, s))


def _check_end(setup: "Setup", s: Record, moment: str) -> None:
    """The turn and the flags of the end fit together."""
    if not -1 <= s.turn < setup.players:
        raise _FirstFault(f"turn is {s.turn} {moment}; it must be 0 to {setup.players - 1}, -1 when over")
    if (s.turn < 0) != (s.done or s.truncated):
        over = (
            "neither done nor truncated is set"
            if s.turn < 0
            else "done is set"
            if s.done
            else "truncated is set"
        )
        raise _FirstFault(
            f"turn is {s.turn} {moment}, and {over}; turn must be -1 when the game is over, and only then"
        )


def _view_faults(setup: "Setup", s: Record) -> Iterator[str]:
    """A view of a position: tables of plain values, no key of two kinds."""
    game, box = setup.game, setup.box
    public = _table("words.public", game.words.public, box, s)
    own = [_table("words.private", game.private, box, s, seat) for seat in range(setup.players)]
    _table("words.face_down", game.face_down, box, s)
    _table("words.deduced", game.deduced, box, s, 0, setup.players - 1)
    for key in own[0]:
        if key in public:
            yield f"words.private and words.public both give {key!r}"
    if any(table.keys() != own[0].keys() for table in own):
        yield f"words.private must give every seat the same keys: {sorted({k for t in own for k in t})}"
    for row in game.words.POSITION:
        if not callable(row):
            yield f"words.POSITION must have functions (draft), not {row!r}"


def _table(what: str, function: Any, *arguments: Any) -> dict[str, Any]:
    """The part of a view that a function gives; what it calls is not compiled for that."""
    table = _run(what, uncompiled(function, {}), *arguments)
    if type(table) is not dict:
        raise _FirstFault(f"{what} must give a dict, gives {type(table).__name__}")
    if problem := not_plain(table):
        raise _FirstFault(f"{what}: {problem}")
    return table


def _unwritten(length: int, write: Any) -> np.ndarray:
    """The entries of an int8 array that `write` leaves as they were."""
    first, second = np.full(length, -128, np.int8), np.full(length, 127, np.int8)
    write(first)
    write(second)
    return np.flatnonzero(first != second)


def _meets(at: int, size: int, entries: np.ndarray) -> bool:
    return bool(((entries >= at) & (entries < at + size)).any())


def _listed(entries: np.ndarray) -> str:
    shown = ", ".join(map(str, entries[:5].tolist()))
    return f"{shown} .." if len(entries) > 5 else shown
