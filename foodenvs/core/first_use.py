"""The check that a configured game is held to at its first use: dealt and played once, uncompiled.

What its modules give is checked before, see `foodenvs.core.contract`.
"""

import builtins
import functools
import inspect
import random
import time
from collections.abc import Iterator
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from foodenvs.core.contract import MAY, NEEDED, ContractError
from foodenvs.core.documents import not_plain
from foodenvs.core.errors import place, told
from foodenvs.core.notation import seat_name, shown
from foodenvs.engine import Record, attributes, is_rule, start_stream, uncompiled
from foodenvs.engine.functions import looked_up, reached, rules_among

if TYPE_CHECKING:
    from foodenvs.core.game import Game
    from foodenvs.core.setup import Setup


def check_setup(setup: "Setup") -> None:
    """ContractError unless a game is dealt, played and seen as it must be, uncompiled.

    So no index goes astray, and an error in a rule comes with its line. The deal lies within `ranges`,
    `observe` and `legal` write all entries and none beyond, and a random game goes on or ends as it must.
    """
    faults: list[str] = []
    try:
        faults += _field_faults(setup)
        faults += _name_faults(setup)
        faults += [*_action_faults(setup), *_range_faults(setup)]
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
            fault = ""
            if variable and name not in fields:
                whose, names = records.get(variable, (variable, ()))
                it_has = f"; it has: {', '.join(names)}" if names else ""
                fault = f"{whose} has no field {name!r}{it_has}"
            elif not variable and name not in scope:
                fault = f"the name {name!r} is not defined"
            elif not variable and scope[name] in called and scope[name].__module__ == rule.__module__:
                fault = f"{name} must be a rule to be called in one: put @rule before it"
            if fault:
                yield f"{place(rule.__code__, line)}: {fault}"


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


def _range_faults(setup: "Setup") -> Iterator[str]:
    """The ranges of actions are those of all actions."""
    expected = 0
    for first, last, _ in setup.game.action_ranges(setup.box):
        if first != expected or last < first:
            yield f"words.ACTION_RANGES: {first} to {last} must begin with {expected}"
            return
        expected = last + 1
    if expected != setup.actions:
        yield f"words.ACTION_RANGES end with action {expected - 1}, the last is {setup.actions - 1}"


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
    start_stream(s.rng, 0)
    rules.deal(box, s)
    if not 0 <= s.turn < setup.players:
        raise _FirstFault(f"rules.deal must set turn to the first seat, 0 to {setup.players - 1}: {s.turn}")
    used = setup.new_states(1)
    used.view(np.uint8)[:] = 1
    start_stream(attributes(used)[0].rng, 0)
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

    def stream(before: int, seed: int) -> bytes:
        again = states.copy()
        s = attributes(again)[0]
        start_stream(s.rng, before)
        rules.determinize(setup.box, s, 0, seed)
        return again["rng"].tobytes()

    first = stream(1, 1)
    if stream(2, 1) != first:
        yield (
            "information.determinize goes on with the stream of the position, so a search would foresee "
            "all chance to come: begin it with start_stream(s.rng, seed)"
        )
    elif stream(1, 2) == first:
        yield "information.determinize gives all numbers one stream: begin it with start_stream(s.rng, seed)"


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

    start_stream(s.rng, 0)
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
        if hasattr(rules, "undo_pending"):
            rules.undo_pending(box, redealt[0], seat)
        action = chance.choice(allowed)
        _run("information.secret", secret, box, s, action)
        rules.apply(box, s, action)
        moment = f"after {who} has chosen {setup.action_name(action)!r}"
        _check_end(setup, s, moment)
        rules.scores(box, s, points)
    for seat in range(setup.players):
        rank = rules.standing(box, s, seat)
        if not isinstance(rank, (int, np.integer)):
            raise _FirstFault(f"rules.standing must give a whole number, gives {rank!r} {moment}")
        observe(seat)
    yield from (f"{fault}, {moment}" for fault in _view_faults(setup, s))


def _check_end(setup: "Setup", s: Record, moment: str) -> None:
    """The turn and the flags of the end fit together."""
    if not -1 <= s.turn < setup.players:
        raise _FirstFault(f"turn is {s.turn} {moment}; it must be 0 to {setup.players - 1}, -1 when over")
    if (s.turn < 0) != (s.done or s.truncated):
        flags = " and ".join(flag for flag in ("done", "truncated") if getattr(s, flag))
        is_set = f"{flags or 'neither done nor truncated'} is set"
        raise _FirstFault(
            f"turn is {s.turn} {moment}, and {is_set}; turn must be -1 when the game is over, and only then"
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
