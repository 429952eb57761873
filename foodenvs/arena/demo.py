"""The main job in one call: every game's agents against random players, two games at a time."""

import time
from collections.abc import Callable, Sequence

from foodenvs.arena.match import Match, match
from foodenvs.core.processes import Workers
from foodenvs.core.setup import Setup
from foodenvs.engine.turns import silence
from foodenvs.games import GAMES

PROCESSES = 2


def run_demo(
    names: Sequence[str],
    games: int,
    seed: int,
    seconds: float,
    progress: Callable[[int, int], None] | None = None,
) -> list[Match]:
    """Each agent of each game in a match of `games` games, one seat (or team) against random ones.

    Games compile and play in PROCESSES processes, the slowest to compile first. After `seconds` no further
    deal is begun (each match plays at least one), so where time is short fewer games are played.
    """
    deadline = time.time() + seconds
    order = sorted(names, key=lambda name: -GAMES[name].compile_seconds)
    results: dict[str, list[Match]] = {}
    with Workers(PROCESSES, silence) as workers:
        jobs = {workers.submit(play_agents, name, games, seed, deadline): name for name in order}
        for job, matches in workers.results(jobs):
            results[jobs[job]] = matches
            if progress:
                progress(len(results), len(order))
    return [result for name in names for result in results[name]]


def play_agents(name: str, games: int, seed: int, deadline: float) -> list[Match]:
    """The matches of one game, one for each agent that comes with it."""
    setup = Setup(GAMES[name])
    return [
        match(setup, [agent] + ["random"] * (setup.contenders - 1), games, seed, until=deadline)
        for agent in setup.game.agents.AGENTS
    ]
