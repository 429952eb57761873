"""Speed and memory, measured: decisions per CPU second on one core, compile times, sizes."""

import importlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from foodenvs.agents import RandomAgent
from foodenvs.arena.match import match
from foodenvs.core.checks import check_seconds
from foodenvs.core.errors import extra
from foodenvs.core.position import Position
from foodenvs.core.setup import Setup
from foodenvs.engine import game_seed
from foodenvs.envs.aec import FoodEnv
from foodenvs.envs.batch import Batch
from foodenvs.games import GAMES

BATCH = 1024


@dataclass(frozen=True)
class Figure:
    """One measured figure: `value` in `unit`, with the CPU and wall seconds that the measurement took."""

    game: str
    what: str
    value: float
    unit: str
    cpu_seconds: float
    wall_seconds: float

    def as_dict(self) -> dict[str, Any]:
        """The figure as plain data, for JSON."""
        return asdict(self)

    def __str__(self) -> str:
        number = f"{self.value:,.0f}" if self.value >= 100 else f"{self.value:.2f}"
        spent = f"{self.cpu_seconds:.2f} s CPU, {self.wall_seconds:.2f} s wall"
        return f"{self.game:28} {self.what:46} {number:>12} {self.unit:12} ({spent})"


def measure(setup: Setup, seconds: float) -> Iterator[Figure]:
    """All figures of one game, as they are measured; each takes about `seconds` of CPU."""
    check_seconds(seconds)
    name = f"{setup.game.id}, {setup.players} players"
    yield _rate(name, "AEC: last() + random + step()", _aec(FoodEnv(setup)), seconds)
    yield _rate(name, f"batch of {BATCH:,}: sample() + step()", _batch(setup), seconds)
    yield _rate(name, "rollouts inside the engine", _rollouts(setup), seconds)
    for agent in ("random", *setup.game.agents.AGENTS):
        yield _rate(name, f"matches inside the engine: all {agent}", _match(setup, agent), seconds)
    yield Figure(name, "one state record", setup.game.state_dtype.itemsize, "bytes", 0, 0)
    yield from _compile_times(setup, name)


def _rate(game: str, what: str, play: Callable[[float], int], seconds: float) -> Figure:
    """Decisions per CPU second of `play`, which plays for about some seconds and counts its decisions."""
    play(0)
    cpu, wall = time.process_time(), time.perf_counter()
    decisions = play(seconds)
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    return Figure(game, what, decisions / max(cpu, 1e-9), "decisions/s", cpu, wall)


def _aec(env: Any) -> Callable[[float], int]:
    agent = RandomAgent()

    def play(seconds: float) -> int:
        decisions, game, stop = 0, 0, time.process_time() + seconds
        while game == 0 or time.process_time() < stop:
            env.reset(seed=game)
            game += 1
            while True:
                observation, _, terminated, truncated, info = env.last()
                if terminated or truncated:
                    break
                env.step(agent.act(observation, info if "action_mask" in info else observation))
                decisions += 1
        return decisions

    return play


def _batch(setup: Setup) -> Callable[[float], int]:
    batch = Batch(setup, BATCH)

    def play(seconds: float) -> int:
        steps, stop = 0, time.process_time() + seconds
        while steps == 0 or time.process_time() < stop:
            batch.step(batch.sample())
            steps += 1
        return steps * BATCH

    return play


def _rollouts(setup: Setup) -> Callable[[float], int]:
    position = Position(setup)
    position.deal(0)
    states, totals = setup.new_states(2), np.zeros(setup.players)
    states[0] = position.states[0]

    def play(seconds: float) -> int:
        decisions, n, stop = 0, 0, time.process_time() + seconds
        while n == 0 or time.process_time() < stop:
            number = int(game_seed(0, 0, n))
            decisions += setup.engine.rollouts(setup.boxes, states, number, 100, totals)
            n += 1
        return decisions

    return play


def _match(setup: Setup, agent: str) -> Callable[[float], int]:
    def play(seconds: float) -> int:
        return match(setup, [agent], 10**9 if seconds else 1, until=time.time() + seconds).decisions

    return play


def _compile_times(setup: Setup, name: str) -> Iterator[Figure]:
    """CPU seconds of a whole process that plays a few AEC steps, with an empty and with a full cache."""
    program = (
        f"import sys; sys.path[:] = {sys.path!r}\n"  # of which a game from outside may come
        f"import foodenvs; env = foodenvs.make({GAMES.everywhere(setup.game)!r}, **{setup.options!r})\n"
        "env.reset(seed=0)\n"
        "for _ in range(3):\n"
        "    env.step(int(env.last()[0]['action_mask'].argmax()))\n"
    )
    with tempfile.TemporaryDirectory() as cache:
        for what in ("first use, compiling (whole process)", "first use, from the cache (whole process)"):
            before, wall = os.times(), time.perf_counter()
            subprocess.run(
                [sys.executable, "-c", program],
                env=os.environ | {"NUMBA_CACHE_DIR": cache},
                check=True,
                stderr=subprocess.DEVNULL,
            )
            after = os.times()
            cpu = after.children_user + after.children_system - before.children_user - before.children_system
            yield Figure(name, what, cpu, "s CPU", cpu, time.perf_counter() - wall)


def check_peers() -> None:
    """ImportError that says what to install, where PettingZoo's classic games are missing."""
    with extra("peers", "--peers"):
        importlib.import_module("pygame")
        importlib.import_module("rlcard")


def measure_peers(seconds: float) -> Iterator[Figure]:
    """PettingZoo's leduc_holdem and connect_four in the same loop as our AEC environments."""
    import pettingzoo

    for name in ("leduc_holdem_v4", "connect_four_v3"):
        env = pettingzoo.make("aec", f"classic/{name}")
        yield _rate(f"PettingZoo {name}", "AEC: last() + random + step()", _aec(env), seconds)
