"""Compile games before they are used: for images, clusters, and the tests' own start.

Each game is used in each way once, in small, so that what is compiled is what its users will call.
"""

import time
from collections.abc import Iterator, Sequence

import numpy as np

from foodenvs.agents import make_agent
from foodenvs.arena import match
from foodenvs.core.game import Game
from foodenvs.core.processes import Workers
from foodenvs.core.setup import Setup
from foodenvs.engine.turns import silence
from foodenvs.envs.aec import FoodEnv
from foodenvs.envs.batch import Batch
from foodenvs.envs.gym import SeatVectorEnv


def precompile(game: Game) -> None:
    """Compile all that environments, batches, views, matches and searches of a game call.

    What the cache has is loaded. A later process of the same user finds all of it there.
    """
    setup = Setup(game)
    env = FoodEnv(setup)
    env.reset(seed=0)
    observation, _, _, _, info = env.last()
    for agent in (*game.agents.AGENTS, "ismcts:iterations=2"):
        make_agent(agent, env, env.agent_selection).act(observation, info)
    env.determinized(env.agent_selection, 0)
    env.scores()
    env.step(int(info["action_mask"].argmax()))
    batch = Batch(setup, 2)
    batch.step(batch.sample())
    view = SeatVectorEnv(game, 2)
    view.reset(seed=0)
    view.step(view.action_masks().argmax(1))
    match(setup, ["random"], 1)
    states = setup.new_states(2)
    states[0] = env.position.states[0]
    setup.engine.rollouts(setup.boxes, states, 0, 1, np.zeros(setup.players))


def precompile_all(games: Sequence[Game], workers: int) -> Iterator[tuple[Game, float]]:
    """Each game with the seconds it took, as it is done; `workers` at a time, the slowest first."""
    order = sorted(games, key=lambda game: -game.compile_seconds)
    with Workers(workers, silence) as others:
        jobs = {others.submit(_timed, game): game for game in order}
        for job, seconds in others.results(jobs):
            yield jobs[job], seconds


def _timed(game: Game) -> float:
    began = time.perf_counter()
    precompile(game)
    return time.perf_counter() - began
