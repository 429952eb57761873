"""The process in which a graded agent lives: loads it under limits, then answers what the grader asks.

Run as `python -m foodenvs.grading.agent_process IN OUT FOLDER`. IN and OUT are file descriptors: IN brings
pickles from the grader, OUT takes one JSON line for each answer; standard output and error are the agent's
own. FOLDER is made for the agent, and goes with it when the grader is gone.
"""

import ast
import contextlib
import functools
import importlib
import json
import operator
import os
import pickle
import resource
import shutil
import signal
import sys
import sysconfig
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from foodenvs.agents import Table, load_file
from foodenvs.core.processes import messages
from foodenvs.core.setup import Setup
from foodenvs.engine.jit import load_compiler
from foodenvs.envs.aec import FoodEnv

_MOST_TEXT = 4000  # characters of a traceback that are told


class SandboxedTable(Table):
    """The table of a graded agent: there is no game in this process that it could sample."""

    def sample(self, *asked: Any) -> Any:
        """Always RuntimeError: the agent may not look into the game."""
        raise RuntimeError("a graded agent gets no samples; it may build positions from its observations")

    def sample_position(self, *asked: Any) -> Any:
        """Always RuntimeError, as `sample`."""
        return self.sample(*asked)


def main() -> None:
    """Answer until the grader hangs up."""
    asked, answers = os.fdopen(int(sys.argv[1]), "rb"), os.fdopen(int(sys.argv[2]), "w")
    sandboxed: Any = None
    for what, given in messages(functools.partial(pickle.load, asked), functools.partial(_end, sys.argv[3])):
        answer: dict[str, Any] = {"ok": True}
        try:
            if what == "load":
                sandboxed = _Loaded(**given)
            elif what == "reset":
                sandboxed.reset(*given)
            else:
                answer = sandboxed.act(*given)
        except MemoryError:
            answer = {"fault": "memory", "message": "the agent ran out of its memory"}
        except BaseException as error:
            answer = {"fault": "crash", "message": _own_part(error)}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


def _end(folder: str) -> None:
    """The grader is gone: so are the agent, what it started and its folder."""
    shutil.rmtree(folder, ignore_errors=True)
    os.killpg(0, signal.SIGKILL)


class _Loaded:
    """The agent of a file, made after this process gave up what an agent must not have."""

    def __init__(
        self,
        setup: Setup,
        file: str,
        name: str | None,
        user: int | None,
        early: bool,
        limits: Mapping[str, int],
    ) -> None:
        self._env = FoodEnv(setup)
        if early:
            _import_early(Path(file))
        _confine(user, limits)
        sys.path.insert(0, str(Path(file).parent))
        self._agent = find_class(load_file(file), name)()

    def reset(self, seat: str, seed: int) -> None:
        self._seat = seat
        if hasattr(self._agent, "join"):
            self._agent.join(SandboxedTable(self._env, seat))
        self._agent.reset(seed)

    def act(self, observation: Any, mask: Any) -> dict[str, Any]:
        action = self._agent.act(observation, {"action_mask": mask})
        try:
            self._env.setup.check_action(action, self._seat)
        except TypeError as error:
            return {"wrong": str(error)[:300]}
        return {"action": operator.index(action)}


def _import_early(file: Path) -> None:
    """Load the modules that the agent will want, while this process may still read where Python lies.

    Only what is installed: the agent's own folder is not on the path yet.
    """
    load_compiler()
    extensions = Path(sysconfig.get_config_var("DESTSHARED") or "nowhere")
    named = {path.name.partition(".")[0] for path in extensions.glob("*.so")}
    with contextlib.suppress(SyntaxError, ValueError):  # the file is told of it when it is loaded
        for node in ast.walk(ast.parse(file.read_bytes())):
            if isinstance(node, ast.Import):
                named |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                named.add(node.module)
    for module in sorted(named):
        with contextlib.suppress(ImportError):
            importlib.import_module(module)


def _confine(user: int | None, limits: Mapping[str, int]) -> None:
    for name, most in limits.items():
        resource.setrlimit(getattr(resource, name), (most, most))
    if user is not None:
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)


def find_class(module: Any, name: str | None) -> Any:
    """The class of a file that is to play: the one named, else the only one with `act` and `reset`."""

    def plays(thing: Any) -> bool:
        return all(callable(getattr(thing, method, None)) for method in ("act", "reset"))

    if name is not None:
        if not hasattr(module, name):
            raise ValueError(f"the file has no {name}")
        if not plays(getattr(module, name)):
            raise ValueError(f"{name} must have act(observation, info) and reset(seed)")
        return getattr(module, name)
    found = [
        thing
        for thing in vars(module).values()
        if isinstance(thing, type) and thing.__module__ == module.__name__ and plays(thing)
    ]
    if len(found) != 1:
        names = ", ".join(thing.__name__ for thing in found) or "none"
        raise ValueError(
            f"the file must have one class with act and reset, or --class says which; it has {names}"
        )
    return found[0]


def _own_part(error: BaseException) -> str:
    """The traceback of an error without the frames of this file."""
    ours = (__file__, load_file.__code__.co_filename, "<frozen importlib")
    frames = error.__traceback__
    while frames is not None and frames.tb_frame.f_code.co_filename.startswith(ours):
        frames = frames.tb_next
    text = "".join(traceback.format_exception(type(error), error, frames))
    return text if len(text) <= _MOST_TEXT else "... " + text[-_MOST_TEXT:]


if __name__ == "__main__":
    main()
