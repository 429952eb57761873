"""Agents by name: `make_agent("greedy", env, "player_0")`. AGENTS lists the ids that need no module."""

import importlib
import importlib.util
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

from foodenvs.agents.base import Agent, EngineAgent, OpenTable, Table
from foodenvs.agents.ismcts import CheaterAgent, ISMCTSAgent
from foodenvs.agents.policy import PolicyAgent, ShippedAgent
from foodenvs.agents.random import RandomAgent
from foodenvs.core.errors import agent_error

__all__ = [
    "AGENTS",
    "Agent",
    "CheaterAgent",
    "EngineAgent",
    "ISMCTSAgent",
    "RandomAgent",
    "Table",
    "build_agent",
    "make_agent",
]

AGENTS: dict[str, Callable[..., Agent]] = {
    "random": RandomAgent,
    "greedy": lambda: EngineAgent("greedy"),
    "expert": lambda: EngineAgent("expert"),
    "ismcts": ISMCTSAgent,
    "ppo": ShippedAgent,
    "cheater": CheaterAgent,
}


def make_agent(agent_id: Any, env: Any = None, agent: str | None = None) -> Agent:
    """An agent of an id, seated at a table where `env` and `agent` (its seat, "player_0") are given.

    agent_id: a name in AGENTS, with options after a colon ("NAME:key=value,key=value"); "policy:FILE" for a
    trained policy; "module:Class" or "path/to/file.py:Class" for one's own; an object with `act` and `reset`
    is taken as it is, and leaves the table where it sat before.
    Raises ValueError for an id that leads nowhere, AgentError for an error inside one's own module.
    """
    made = build_agent(agent_id)
    if env is not None and hasattr(made, "join"):
        table = OpenTable if type(made) is CheaterAgent else Table  # no subclass: it is somebody else's code
        made.join(table(env.unwrapped, agent if agent is not None else env.unwrapped.possible_agents[0]))
    return made


def build_agent(agent_id: Any) -> Agent:
    """An agent of an id that has not joined a table yet; see `make_agent`."""
    if not isinstance(agent_id, str):
        if hasattr(agent_id, "act") and hasattr(agent_id, "reset"):
            return agent_id
        raise ValueError(f"an agent is an id or has act and reset, got {agent_id!r}")
    name, _, rest = agent_id.partition(":")
    if name in AGENTS:
        options = _parse_options(agent_id, rest)
        try:
            inspect.signature(AGENTS[name]).bind(**options)
        except TypeError:
            known = ", ".join(inspect.signature(AGENTS[name]).parameters) or "none"
            raise ValueError(f"agent {agent_id!r}: unknown option; {name} has {known}") from None
        return AGENTS[name](**options)
    if name == "policy":
        return PolicyAgent.load(rest)
    if rest:
        return _own_agent(agent_id)
    known = ", ".join(AGENTS)
    raise ValueError(f"unknown agent {agent_id!r}; there are {known}, policy:FILE and module:Class")


def _parse_options(agent_id: str, text: str) -> dict[str, Any]:
    options: dict[str, Any] = {}
    for part in text.split(",") if text else []:
        key, equals, value = part.partition("=")
        if not (key and equals):
            raise ValueError(f"agent {agent_id!r}: options are written key=value,key=value")
        options[key] = _number(value)
    return options


def _number(text: str) -> Any:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def _own_agent(agent_id: str) -> Agent:
    where, _, name = agent_id.rpartition(":")
    in_a_file = where.endswith(".py")
    if in_a_file and not Path(where).is_file():
        raise ValueError(f"agent {agent_id!r}: there is no file {where}")
    try:
        module = load_file(where) if in_a_file else importlib.import_module(where)
    except (Exception, SystemExit) as error:
        missing = error.name if isinstance(error, ModuleNotFoundError) else None
        if missing and not in_a_file and (where == missing or where.startswith(missing + ".")):
            raise ValueError(f"agent {agent_id!r}: there is no module {where}") from None
        raise agent_error(repr(agent_id), error) from error
    if not hasattr(module, name):
        raise ValueError(f"agent {agent_id!r}: {where} has no {name}")
    build = getattr(module, name)
    if not callable(build):
        raise ValueError(f"agent {agent_id!r}: {name} is no class")
    try:
        made: Agent = build()
    except (Exception, SystemExit) as error:
        raise agent_error(repr(agent_id), error) from error
    for method in ("act", "reset"):
        if not callable(getattr(made, method, None)):
            raise ValueError(f"agent {agent_id!r}: {name} has no method {method}")
    return made


def load_file(where: str) -> Any:
    """The module of a file of Python; it is not put among the modules that can be imported by name."""
    path = Path(where)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
