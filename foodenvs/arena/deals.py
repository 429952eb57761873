"""Deals played by a line-up of agents from every seat: the unit of work, in this process or in others."""

import collections
import copy
import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from foodenvs.agents import make_agent
from foodenvs.agents.base import agent_seed
from foodenvs.agents.inside import engine_players
from foodenvs.arena.play import Fault, places, play
from foodenvs.core.documents import whole
from foodenvs.core.errors import IllegalActionError
from foodenvs.core.processes import Job, Workers
from foodenvs.core.setup import Setup
from foodenvs.engine import game_seed
from foodenvs.engine.turns import silence
from foodenvs.envs.aec import FoodEnv

MOST_SEATINGS = 24  # up to so many, all permutations of a line-up play every deal; else its rotations
_CHUNK_SECONDS = 0.25  # how long a piece of work should take


@dataclass(frozen=True)
class DealResults:
    """What some deals brought: D deals, each played in S seatings by P seats.

    shares float64 [D, S, P]: of the win; scores int64 [D, S, P]; decisions int64 [D, S].
    faults: (deal, seating, Fault) of the games that a fault ended, deals counted from the first here;
    their scores and decisions are those of the moment and say nothing of a whole game.
    """

    shares: np.ndarray
    scores: np.ndarray
    decisions: np.ndarray
    faults: list[tuple[int, int, Fault]] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.decisions)

    def __add__(self, other: "DealResults") -> "DealResults":
        moved = [(deal + len(self), seating, fault) for deal, seating, fault in other.faults]
        pairs = zip(self.arrays(), other.arrays(), strict=True)
        shares, scores, decisions = (np.concatenate(pair) for pair in pairs)
        return DealResults(shares, scores, decisions, self.faults + moved)

    def __getitem__(self, deals: slice) -> "DealResults":
        first, last, _ = deals.indices(len(self))
        kept = [(deal - first, seating, f) for deal, seating, f in self.faults if first <= deal < last]
        return DealResults(self.shares[deals], self.scores[deals], self.decisions[deals], kept)

    def arrays(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Shares, scores and decisions, all with the deals as their first axis."""
        return self.shares, self.scores, self.decisions

    @property
    def finished(self) -> np.ndarray:
        """bool [D, S]: the games that were played to their end; a fault ended the others."""
        finished = np.ones(self.decisions.shape, bool)
        for deal, seating, _ in self.faults:
            finished[deal, seating] = False
        return finished


def no_deals(setup: Setup, lineup: Sequence[Any]) -> DealResults:
    """No deals yet, to which those of a line-up can be added."""
    shape = (0, len(seatings(setup, lineup)), setup.players)
    return DealResults(np.zeros(shape), np.zeros(shape, np.int64), np.zeros(shape[:2], np.int64))


# --- who sits where ----------------------------------------------------------------------------


def label(agent: Any) -> str:
    """The name of an agent in results: its id, what it calls its `label`, or its class."""
    return whole(agent if isinstance(agent, str) else str(getattr(agent, "label", type(agent).__name__)))


def seatings(setup: Setup, lineup: Sequence[Any]) -> list[list[int]]:
    """For each seating, the position in the line-up of the agent on each seat.

    All permutations that differ in the agents' names, up to MOST_SEATINGS; else the rotations that do, which
    bring every agent to every place equally often.
    """
    names = [label(agent) for agent in lineup]
    alike = [math.factorial(n) for n in collections.Counter(names).values()]
    ways = range(len(lineup))
    if math.factorial(len(lineup)) // math.prod(alike) <= MOST_SEATINGS:
        orders = list(_different_orders(list(ways), names))
    else:
        turned = [[(place - turn) % len(lineup) for place in ways] for turn in reversed(ways)]
        orders = list({tuple(names[k] for k in order): order for order in turned}.values())
    return sorted([order[place] for place in places(setup, lineup)] for order in orders)


def _different_orders(ways: list[int], names: Sequence[str]) -> Iterator[list[int]]:
    """The permutations that differ in the names; those of one name stand in their order."""
    if not ways:
        yield []
    for first in {names[k]: k for k in reversed(ways)}.values():
        for order in _different_orders([k for k in ways if k != first], names):
            yield [first, *order]


# --- playing -----------------------------------------------------------------------------------


class MatchRunner:
    """Plays deals of one line-up. Agents that the engine knows all play inside it, with equal results.

    Deal d starts from `game_seed(seed, 0, d)` and is played once in each seating.
    seconds: the most that a move may take; a slower one loses the game.
    """

    def __init__(self, setup: Setup, lineup: Sequence[Any], seconds: float | None = None) -> None:
        self.setup, self.lineup, self.seconds = setup, list(lineup), seconds
        self.seatings = seatings(setup, lineup)
        numbers, self._networks = engine_players(setup, lineup)
        self._inside = None not in numbers
        if self._inside:
            self._numbers = np.array(numbers, np.int8)
            self._states = setup.new_states(1)
        else:
            self._env = FoodEnv(setup)
            # Each seat of a team needs an agent of its own; seats that are never taken at once share one.
            made = [[make_agent(agent) for _ in self._largest_team()] for agent in self.lineup]
            self._made = _all_different(made)
            for team in self._made:
                for agent in team:
                    make_agent(agent, self._env, setup.agents[0])

    def _largest_team(self) -> range:
        return range(max(self.setup.teams.count(team) for team in self.setup.teams))

    def __call__(self, seed: int, first: int, size: int) -> DealResults:
        """Play `size` deals of the series of a seed, from deal number `first` on, in every seating."""
        seeds = [int(game_seed(seed, 0, first + deal)) for deal in range(size)]
        return self._in_engine(seeds) if self._inside else self._one_by_one(seeds)

    def _in_engine(self, seeds: list[int]) -> DealResults:
        setup, shape = self.setup, (len(seeds), len(self.seatings), self.setup.players)
        games = shape[0] * shape[1]
        of_agents = [[agent_seed(number, seat) for seat in range(setup.players)] for number in seeds]
        agent = np.tile(self._numbers[np.array(self.seatings)], (len(seeds), 1))
        scores, returns = np.zeros((games, setup.players), np.int64), np.zeros((games, setup.players))
        decisions, lost = np.zeros(games, np.int64), np.zeros(1, np.int64)
        starts = np.repeat(np.array(seeds, np.int64), shape[1])
        agent_starts = np.repeat(np.array(of_agents, np.int64), shape[1], axis=0)

        def play(which: slice) -> None:
            setup.engine.matches(
                setup.boxes, self._states, starts[which], agent[which], agent_starts[which], self._networks,
                setup.length, scores[which], returns[which], decisions[which], lost,
            )  # fmt: skip

        play(slice(games))
        if lost[0]:
            first = int(np.argmin(decisions))  # below 0 where an agent was refused
            play(slice(first, first + 1))  # up to there again
            raise self._blame(agent[first])
        shares = setup.win_share(returns)
        return DealResults(shares.reshape(shape), scores.reshape(shape), decisions.reshape(shape[:2]))

    def _blame(self, playing: np.ndarray) -> IllegalActionError:
        """The error of the agent to act in the position where a game broke off."""
        setup = self.setup
        observation, mask = np.zeros(setup.length, np.int8), np.zeros(setup.actions, np.int8)
        seat = setup.engine.ask(setup.boxes, self._states, observation, mask)
        return setup.blame(int(playing[seat]), seat, observation, mask)

    def _one_by_one(self, seeds: list[int]) -> DealResults:
        setup, shape = self.setup, (len(seeds), len(self.seatings), self.setup.players)
        shares, scores = np.zeros(shape), np.zeros(shape, np.int64)
        decisions = np.zeros(shape[:2], np.int64)
        faults = []
        for deal, number in enumerate(seeds):
            for s, seating in enumerate(self.seatings):
                played = play(self._env, self._seated(seating), number, referee=True, seconds=self.seconds)
                shares[deal, s] = setup.win_share(np.array(list(played.returns.values())))
                scores[deal, s] = list(played.scores.values())
                decisions[deal, s] = played.decisions
                if played.fault:
                    faults.append((deal, s, played.fault))
        return DealResults(shares, scores, decisions, faults)

    def _seated(self, seating: list[int]) -> list[Any]:
        taken: collections.Counter[int] = collections.Counter()
        agents = []
        for k in seating:
            agents.append(self._made[k][taken[k]])
            taken[k] += 1
        return agents


def _all_different(rows: list[list[Any]]) -> list[list[Any]]:
    """The same agents; where one object is to sit on several seats, deep copies on all but the first."""
    seen: set[int] = set()

    def own(agent: Any) -> Any:
        agent = copy.deepcopy(agent) if id(agent) in seen else agent
        seen.add(id(agent))
        return agent

    return [[own(agent) for agent in row] for row in rows]


# --- in one process or several -----------------------------------------------------------------


class WorkerPool:
    """Plays deals in this process or, with workers > 1, in so many others; what comes out is the same."""

    def __init__(self, workers: int = 1) -> None:
        if isinstance(workers, bool) or not isinstance(workers, int) or workers < 1:
            raise ValueError(f"workers must be a whole number of at least 1, got {workers!r}")
        self.workers = workers
        self._others = Workers(workers, silence) if workers > 1 else None

    def __enter__(self) -> "WorkerPool":
        return self

    def __exit__(self, *error: Any) -> None:
        if self._others:
            self._others.end()

    def play(
        self,
        setup: Setup,
        lineup: Sequence[Any],
        seed: int,
        first: int,
        last: int,
        seconds: float | None = None,
        until: float | None = None,
    ) -> Iterator[DealResults]:
        """Results of the deals `first` to `last` - 1, in order.

        until: `time.time()` after which no further part is begun; one always is.
        """
        if self._others is None:
            return self._here(setup, lineup, seed, first, last, seconds, until)
        if not all(isinstance(agent, str) for agent in lineup):
            raise ValueError("several workers take agents by id only")
        return self._elsewhere(self._others, setup, lineup, seed, first, last, seconds, until)

    def _here(
        self, setup: Any, lineup: Any, seed: int, first: int, last: int, seconds: Any, until: Any
    ) -> Iterator[DealResults]:
        runner, at, size = MatchRunner(setup, lineup, seconds), first, 1
        while at < last and (at == first or until is None or time.time() < until):
            size = min(size, last - at)
            before = time.perf_counter()
            yield runner(seed, at, size)
            at += size
            size = _next_size(size, time.perf_counter() - before)

    def _elsewhere(
        self,
        others: Workers,
        setup: Any,
        lineup: Any,
        seed: int,
        first: int,
        last: int,
        seconds: Any,
        until: Any,
    ) -> Iterator[DealResults]:
        waiting: collections.deque[tuple[int, Job]] = collections.deque()
        at, size = first, 1
        while waiting or at < last:
            in_time = at == first or until is None or time.time() < until
            while at < last and in_time and len(waiting) < 2 * self.workers:
                size = min(size, last - at)
                work = (setup, tuple(lineup), seconds, seed, at, size)
                waiting.append((size, others.submit(_work, *work)))
                at += size
            if not waiting:
                return
            done, job = waiting.popleft()
            dealt, took = others.result(job)
            yield dealt
            size = _next_size(done, took)


def _next_size(size: int, took: float) -> int:
    return max(1, min(int(size * _CHUNK_SECONDS / max(took, 1e-6)), 4 * size))


_runners: dict[tuple[Any, ...], MatchRunner] = {}


def _work(
    setup: Setup, lineup: tuple[str, ...], seconds: float | None, seed: int, first: int, size: int
) -> tuple[DealResults, float]:
    key = (setup.fingerprint, lineup, seconds)
    if key not in _runners:
        _runners[key] = MatchRunner(setup, lineup, seconds)
    before = time.perf_counter()
    dealt = _runners[key](seed, first, size)
    return dealt, time.perf_counter() - before
