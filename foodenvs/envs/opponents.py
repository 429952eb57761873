"""Who sits opposite a learner: ids, agents or a weighted pool of them, drawn anew for every game."""

import copy
import math
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

import numpy as np

from foodenvs.agents import make_agent
from foodenvs.agents.base import agent_seed
from foodenvs.agents.inside import engine_players
from foodenvs.core.checks import check_actions, whole_number
from foodenvs.core.setup import Setup
from foodenvs.engine import below, start_stream
from foodenvs.engine.shared import EXTERNAL
from foodenvs.envs.aec import FoodEnv
from foodenvs.envs.batch import Batch

LEARNER = EXTERNAL
_FINE = 2**31 - 1


class Opponents:
    """The learner's seat and who has the others, for every game, drawn from the game's seed.

    opponents: one id or agent for all other seats; a sequence of them, one for each other seat, clockwise
    from the learner, repeated in turn; or a mapping of ids to weights, from which every other seat draws for
    itself. seat: 0 to P - 1, or "random" for one drawn anew in each game.
    Raises ValueError for an id that leads nowhere, a seat or a weight that cannot be.
    """

    def __init__(self, setup: Setup, opponents: Any, seat: Any = "random") -> None:
        self.setup = setup
        self.pool, self._weights = _pool(opponents, setup.players)
        self.seat = _check_seat(seat, setup.players)
        for entry in range(len(self.pool)):
            self.seated(entry, 0)  # an agent that cannot play this game says so now
        self._stream = np.zeros(4, np.uint32)

    def draw(self, seed: int) -> list[int]:
        """Who plays each seat of the game of a seed: LEARNER once, else a position in `pool`. [P]"""
        players = self.setup.players
        stream = self._stream
        start_stream(stream, agent_seed(seed, players))
        learner = below(stream, players) if self.seat is None else self.seat
        seats = [LEARNER] * players
        for k in range(1, players):
            if self._weights is None:
                entry = (k - 1) % len(self.pool)
            else:
                at = below(stream, _FINE) / _FINE * self._weights[-1]
                entry = next(e for e, weight in enumerate(self._weights) if at < weight)
            seats[(learner + k) % players] = entry
        return seats

    def seated(self, entry: int, seat: int, env: FoodEnv | None = None) -> Any:
        """The agent of an entry of the pool at a seat, of `env` or of a table of its own."""
        env = env if env is not None else FoodEnv(self.setup)
        agent = self.pool[entry]
        if not isinstance(agent, str) and not hasattr(agent, "act_many"):
            agent = copy.deepcopy(agent)
        return make_agent(agent, env, self.setup.agents[seat])


class PythonOpponents:
    """Plays, in a batch made with `seating` and `networks`, the opponents that the engine does not know.

    In `Batch.player` -1 is the learner, and -2 - e entry e of the pool. An agent with `act_many(observation
    int8 [n, D], action_mask int8 [n, A]) -> actions [n]` is asked once for all slots; of others each slot and
    seat has its own (an agent given as an object is copied), since it may remember its game.
    """

    def __init__(self, opponents: Opponents) -> None:
        self.opponents = opponents
        numbers, self.networks = engine_players(opponents.setup, opponents.pool)
        self._code: list[int] = []
        self._many: dict[int, Any] = {}
        for e, number in enumerate(numbers):
            code = LEARNER - 1 - e if number is None else number
            if number is None and hasattr(agent := opponents.seated(e, 0), "act_many"):
                self._many[e] = agent
            self._code.append(code)
        self.any = min(self._code) < LEARNER
        self._alone: dict[tuple[int, int, int], tuple[FoodEnv, Any]] = {}
        self._games: dict[tuple[int, int, int], int] = {}

    def seating(self, seed: int) -> list[int]:
        """Who plays each seat of the game of a seed, as `Batch` wants to know it."""
        return [entry if entry == LEARNER else self._code[entry] for entry in self.opponents.draw(seed)]

    def forget(self) -> None:
        """All games begin anew."""
        self._games.clear()

    def named(self, batch: Batch, i: int) -> str:
        """Which opponent is to act in slot i, as an addition to its seat; "" for the learner."""
        code = int(batch.player[i, batch.seat[i]])
        if code == LEARNER:
            return ""
        entry = self.opponents.pool[LEARNER - 1 - code]
        return f", the opponent {entry if isinstance(entry, str) else type(entry).__name__}"

    def act(self, batch: Batch, slots: np.ndarray, actions: np.ndarray) -> None:
        """Write into `actions` [N] what the seats to act play in these slots, none of them the learner's."""
        codes = batch.player[slots, batch.seat[slots]]
        for code in np.unique(codes).tolist():
            entry, mine = LEARNER - 1 - code, slots[codes == code]
            if entry in self._many:
                agent = self._many[entry]
                chosen = agent.act_many(batch.observation[mine], batch.action_mask[mine])
                whose = f"actions of the opponent {type(agent).__name__}"
                actions[mine] = check_actions(chosen, len(mine), whose)
            else:
                for i in mine.tolist():
                    actions[i] = self._act_alone(batch, entry, i)

    def _act_alone(self, batch: Batch, entry: int, i: int) -> int:
        seat = int(batch.seat[i])
        key = (entry, i, seat)
        if key not in self._alone:
            env = FoodEnv(batch.setup)
            self._alone[key] = env, self.opponents.seated(entry, seat, env)
        env, agent = self._alone[key]
        batch.show(i, env)
        seed = batch.game_seed(i)
        if self._games.get(key) != seed:
            self._games[key] = seed
            agent.reset(agent_seed(seed, seat))
        observation, _, _, _, info = env.last()
        whose = f"{env.agent_selection} in environment {i}"
        return batch.setup.check_action(agent.act(observation, info), whose)


def _pool(opponents: Any, players: int) -> tuple[list[Any], list[float] | None]:
    """The entries of the pool, and the running sums of their weights where they are drawn."""
    if isinstance(opponents, Mapping):
        weights = [_weight(entry, weight) for entry, weight in opponents.items()]
        if not sum(weights) > 0:
            raise ValueError(f"opponents must have a weight above 0, got {dict(opponents)!r}")
        return list(opponents), list(accumulate(weights))
    one = isinstance(opponents, str) or not isinstance(opponents, Sequence)
    pool = [opponents] if one else list(opponents)
    if not 1 <= len(pool) <= players - 1:
        raise ValueError(f"opponents must be 1 to {players - 1}, one for each other seat, got {len(pool)}")
    return pool, None


def _weight(entry: Any, weight: Any) -> float:
    try:
        number = float(weight)
    except (TypeError, ValueError):
        number = -1.0
    if not (number >= 0 and math.isfinite(number)):
        raise ValueError(f"the weight of opponent {entry!r} must be a number of at least 0, got {weight!r}")
    return number


def _check_seat(seat: Any, players: int) -> int | None:
    if isinstance(seat, str) and seat == "random":
        return None
    number = whole_number(seat)
    if number is None or not 0 <= number < players:
        raise ValueError(f'seat must be 0 to {players - 1} or "random", got {seat!r}')
    return number
