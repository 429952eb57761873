"""Golden scenarios: worked positions of a game as TOML, replayed and compared.

A file holds `game = "..."` and `[[scenario]]` tables:

    id, title, rules   its name, what it shows, the clauses it covers
    players, seed      seed decides only what the position leaves open (default 0)
    [scenario.options] environment options that differ from the defaults
    [scenario.position] a view; absent: a fresh deal
    [[scenario.step]]  agent (must be to act), legal (exactly these), illegal (none of these), action,
                       error (the action must be refused with this text, and nothing changes)
    [scenario.expect]  keys of the view after the last step, compared exactly (dotted keys reach inside), and
                       agent, returns (within 1e-6), scores, terminated, truncated, winner (seats),
                       seat_view.AGENT (keys of that seat's view)

What else stands in the file is not read here: see `foodenvs.docs.trace` for `[rulebook]` and `[excused]`.
TOML has no null: "none" or "?" stand for None. Keys of the version before are read with a warning;
`convert` (`foodenvs scenario --convert FILE`) writes today's.
"""

import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tomlkit

import foodenvs
from foodenvs.core.documents import from_toml, named, toml_file, write
from foodenvs.core.errors import IllegalActionError
from foodenvs.core.notation import NONE, UNKNOWN, Reader
from foodenvs.core.renewal import Renamed, renewed, renewed_path
from foodenvs.envs.registry import find_game, named_game

_KEYS = ("id", "title", "rules", "players", "seed", "options", "position", "step", "expect")
_STEP_KEYS = ("agent", "legal", "illegal", "action", "error")


class ScenarioError(ValueError):
    """A scenario file that cannot be read: the message names file, scenario and what is wrong."""


class Difference(AssertionError):
    """The first difference between a scenario and the game; the message holds both values."""


@dataclass(frozen=True)
class Scenario:
    """One golden case of a file, as its TOML table has it."""

    file: str
    game: str
    table: Mapping[str, Any]

    @property
    def id(self) -> str:
        """Its name within the file."""
        return str(self.table["id"])

    @property
    def rules(self) -> list[str]:
        """The clauses of the rules that it covers."""
        return list(self.table.get("rules", []))


def load_scenarios(file: Any, game: str | None = None, allow_code: bool = False) -> list[Scenario]:
    """The scenarios of a TOML file. game: its game, where the file names none. Raises ScenarioError.

    allow_code: whether the file may name another file as its `components`, whose tables it may hold itself.
    """
    read = Reader(toml_file(file, ScenarioError), str(file), ScenarioError)
    given = None if game is None else find_game(game).id
    name = read.get("game", str, given)
    if name is None:
        raise ScenarioError(f'{file}: must say which game it is of, as game = "..."')
    found = named_game(name, str(file), ScenarioError).id
    if given not in (None, found):
        raise ScenarioError(f"{file}: is of {found}, not of {given}")
    tables = read.tables("scenario", "scenario", _KEYS, [])
    if not tables:
        raise ScenarioError(f"{file}: has no [[scenario]] tables")
    return [_checked(Path(file).name, name, table, allow_code) for table in tables]


def _checked(file: str, game: str, unnamed: Reader, allow_code: bool) -> Scenario:
    table = unnamed.data
    read = Reader(table, f"{file}: scenario {unnamed.get('id', str)}", ScenarioError)
    read.get("title", str, "")
    read.items("rules", None, str, [])
    read.integer("seed", 0, 2**63 - 1, 0)
    read.get("position", dict, {})
    options = read.table("options", default={})
    components = options.data.get("components")
    if isinstance(components, str):
        named(components, "file of components", (), options.where, allow_code, ScenarioError)
    for step in read.tables("step", "step", _STEP_KEYS, []):
        for key in ("agent", "action", "error"):
            step.get(key, str, "")
        for key in ("legal", "illegal"):
            step.items(key, None, str, [])
    expect = read.table("expect", default={})
    expect.items("returns", None, float, [])
    views = expect.table("seat_view", default={})
    for agent in views.data:
        views.table(agent)
    return Scenario(file, game, table)


def run_scenario(scenario: Scenario) -> Any:
    """Replay a scenario; returns the environment after its last step.

    Raises Difference at the first one, and ValueError where it cannot be set up.
    """
    table = scenario.table
    options = dict(table.get("options", {}))
    if "players" in table:
        options["players"] = table["players"]
    env = foodenvs.make(scenario.game, **options).unwrapped
    position = table.get("position")
    env.reset(seed=table.get("seed", 0), options=None if position is None else {"position": position})
    for number, step in enumerate(table.get("step", []), 1):
        _run_step(env, step, f"step {number}")
    for key, expected in _of_today(table.get("expect", {}), _renamed(scenario.game)).items():
        _compare_key(env, key, expected)
    return env


def _run_step(env: Any, step: Mapping[str, Any], where: str) -> None:
    agent = env.agent_selection
    over = any(env.terminations.values()) or any(env.truncations.values())
    if "agent" in step and not over:
        _same(f"{where}: agent to act", step["agent"], agent)
    legal = [] if over else env.setup.action_names(env.infos[agent]["action_mask"])
    if "legal" in step:
        _same(f"{where}: legal actions", sorted(step["legal"]), sorted(legal))
    for name in step.get("illegal", []):
        if name in legal:
            raise Difference(f"{where}: {name!r} must be illegal, but is legal")
    if "action" not in step:
        return
    if "error" in step:
        _run_refused(env, step, where)
        return
    try:
        env.step(env.parse_action(step["action"]))
    except (IllegalActionError, RuntimeError) as error:
        raise Difference(f"{where}: {step['action']!r} was refused: {error}") from None


def _run_refused(env: Any, step: Mapping[str, Any], where: str) -> None:
    before = env.snapshot()
    try:
        env.step(env.parse_action(step["action"]))
    except (ValueError, RuntimeError) as error:
        if step["error"] not in str(error):
            raise Difference(
                f"{where}: the error must contain {step['error']!r}, it is {str(error)!r}"
            ) from None
    else:
        raise Difference(f"{where}: {step['action']!r} must be refused, but was played")
    if env.snapshot() != before:
        raise Difference(f"{where}: the refused action {step['action']!r} changed something")


def _compare_key(env: Any, key: str, expected: Any) -> None:
    if key == "seat_view":
        for agent, keys in expected.items():
            view = env.seat_view(agent)
            for path, value in keys.items():
                _same(f"seat_view.{agent}.{path}", value, _reach(view, path, f"seat_view.{agent}"))
    elif key == "returns":
        found = list(env.returns().values())
        near = [abs(a - b) <= 1e-6 for a, b in zip(found, expected, strict=False)]
        if len(found) != len(expected) or not all(near):
            raise Difference(f"returns: expected {expected}, found {found}")
    elif key in _RESERVED:
        _same(key, expected, _RESERVED[key](env))
    else:
        _same(key, expected, _reach(env.view(), key, "view"))


def _winners(env: Any) -> list[int]:
    """The seats with a positive share of the win; [] before the end."""
    if not _over(env):
        return []
    shares = [env.setup.win_share(value) for value in env.returns().values()]
    return [seat for seat, share in enumerate(shares) if share > 1e-9]


def _over(env: Any) -> bool:
    return bool(any(env.terminations.values()) or any(env.truncations.values()))


_RESERVED = {
    "agent": lambda env: env.agent_selection,
    "scores": lambda env: list(env.scores().values()),
    "terminated": lambda env: any(env.terminations.values()),
    "truncated": lambda env: any(env.truncations.values()),
    "winner": _winners,
}


def _reach(view: Any, path: str, where: str) -> Any:
    """The value at a dotted path into a view, whose parts are keys or list positions."""
    value = view
    for part in path.split("."):
        try:
            value = value[int(part)] if isinstance(value, list) else value[part]
        except (KeyError, ValueError, IndexError, TypeError):
            raise Difference(f"{where} has no {path}") from None
    return value


def _same(what: str, expected: Any, found: Any) -> None:
    if not _is_same(expected, found):
        raise Difference(f"{what}: expected {expected!r}, found {found!r}")


def _is_same(expected: Any, found: Any) -> bool:
    if type(expected) is list and type(found) is list:
        return len(expected) == len(found) and all(map(_is_same, expected, found))
    if isinstance(expected, Mapping) and isinstance(found, Mapping):
        return expected.keys() == found.keys() and all(_is_same(expected[key], found[key]) for key in found)
    return bool(expected == found) or (found is None and _says_open(expected))


def _says_open(expected: Any) -> bool:
    """Whether TOML, which has no null, means one: "none", "?", or a list of nothing but "?"."""
    return expected in (NONE, UNKNOWN) or (
        type(expected) is list and expected.count(UNKNOWN) == len(expected) > 0
    )


# --- files of the version before ---------------------------------------------------------------


def convert(file: Any, game: str | None = None) -> int:
    """Write the keys of the version before in a scenario file as today's; returns how many it had.

    Everything else in the file, comments included, stays as it is. Raises ScenarioError.
    """
    load_scenarios(file, game, allow_code=True)
    text = Path(file).read_text()
    document: Any = tomlkit.parse(text)
    table = _renamed(str(document.get("game") or game))
    changed = 0
    for scenario in document["scenario"]:
        position = scenario.get("position", {})
        changed += _rewrite(position, renewed(position.unwrap() if position else {}, table)[0])
        expect = scenario.get("expect", {})
        for keys in (expect, *expect.get("seat_view", {}).values()):
            changed += _rewrite(keys, dict(_moved(keys.unwrap(), table))) if keys else 0
    if changed:
        written = tomlkit.dumps(document)
        from_toml(written, str(file), ScenarioError)
        write(file, written)
    return changed


def _renamed(game: str) -> Renamed:
    return getattr(find_game(game).words, "RENAMED", ())


def _rewrite(table: Any, new: Mapping[str, Any]) -> int:
    """Give a TOML table new keys and values where they differ; returns in how many."""
    old = table.unwrap() if table else {}
    gone = [key for key in old if key not in new]
    for key in gone:
        del table[key]
    fresh = [key for key, value in new.items() if key not in old or old[key] != value]
    for key in fresh:
        table[key] = _without_null(new[key])
    return max(len(gone), len(fresh))


def _without_null(value: Any) -> Any:
    """A value in one line, "?" for None; of a list of tables each has its own."""
    if isinstance(value, dict):
        table = tomlkit.inline_table()
        table.update({key: _without_null(item) for key, item in value.items()})
        return table
    if isinstance(value, list):
        array = tomlkit.array()
        array.extend(map(_without_null, value))
        return array.multiline(any(isinstance(item, dict) for item in value))
    return UNKNOWN if value is None else value


def _moved(expect: Mapping[str, Any], table: Renamed) -> Iterator[tuple[str, Any]]:
    """Expected keys and values under today's names."""
    for key, value in expect.items():
        yield (key, value) if key in _RESERVED or key == "seat_view" else renewed_path(key, value, table)


def _of_today(expect: Mapping[str, Any], table: Renamed) -> dict[str, Any]:
    """What is expected, by today's keys, with a warning where they were older."""
    new = dict(_moved(expect, table))
    if "seat_view" in new:
        new["seat_view"] = {agent: dict(_moved(keys, table)) for agent, keys in new["seat_view"].items()}
    if new != expect:
        warnings.warn(
            "the scenario expects keys of an older version; "
            "`foodenvs scenario --convert FILE` writes today's",
            DeprecationWarning,
            stacklevel=2,
        )
    return new


def run_files(
    files: list[Any], game: str | None = None, allow_code: bool = False
) -> Iterator[tuple[Scenario, str]]:
    """Run all scenarios of some files (see `load_scenarios`); yields each with "" or what differs."""
    for file in files:
        for scenario in load_scenarios(file, game, allow_code):
            try:
                run_scenario(scenario)
            except (Difference, ValueError, TypeError) as error:
                yield scenario, str(error)
            else:
                yield scenario, ""
