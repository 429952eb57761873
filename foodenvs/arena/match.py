"""Seat-rotated matches: the same deals for every rotation of the agents, so that luck and seats cancel."""

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from foodenvs.aec import FoodEnv
from foodenvs.agents import make_agent
from foodenvs.agents.base import agent_seed
from foodenvs.arena.play import play, seat_agents
from foodenvs.engine import game_seed
from foodenvs.engine.loops import RANDOM
from foodenvs.game import IllegalActionError, Setup, check_seed

_CHUNK_SECONDS = 0.25  # how often a match reports its progress
Z_95 = 1.959964


@dataclass(frozen=True)
class Standing:
    """How an agent did: mean win share with its 95 % interval over deals, mean rulebook score."""

    id: str
    win_share: float
    low: float
    high: float
    mean_score: float


@dataclass(frozen=True)
class Match:
    """The result of a match. games: all rotations of all deals; decisions and seconds: of the play itself."""

    game: str
    options: dict[str, Any]
    games: int
    deals: int
    agents: list[Standing]
    decisions: int
    seconds: float

    def as_dict(self) -> dict[str, Any]:
        return {
            "game": self.game,
            "options": self.options,
            "games": self.games,
            "agents": [vars(agent) for agent in self.agents],
        }


def match(
    setup: Setup,
    agents: Sequence[Any],
    games: int,
    seed: int = 0,
    *,
    until: float | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Match:
    """Play `games` games (rounded up to whole deals) of agents that rotate over the seats.

    Deal d starts from `game_seed(seed, 0, d)` and is played once for each of the P rotations, so that every
    agent meets it from every seat; the interval is over deals. Agents that the engine knows (random and the
    game's own) play inside it, others one decision at a time; both give the same games.
    agents: ids or agents, at most one per seat, repeated in turn; seats with one id are pooled.
    until: `time.time()` after which no further deal is begun.  progress: called with games done, wanted.
    """
    seed = check_seed(seed)
    if games < 1:
        raise ValueError(f"games must be at least 1, got {games}")
    seated = seat_agents(setup.agents, agents)
    names = list(dict.fromkeys(_label(agent) for agent in seated))
    players = setup.players
    wanted = -(-games // players)
    engine_numbers = _engine_numbers(setup, seated)
    tally = _in_engine(setup, engine_numbers, seed) if engine_numbers else _one_by_one(setup, seated, seed)
    shares = np.zeros((wanted, players))
    scores = np.zeros((wanted, players))
    deals, decisions, size = 0, 0, 1
    started = time.perf_counter()
    while deals < wanted and (deals == 0 or until is None or time.time() < until):
        size = min(size, wanted - deals)
        before = time.perf_counter()
        share, score, played = tally(deals, size)
        shares[deals : deals + size], scores[deals : deals + size] = share, score
        decisions += played
        deals += size
        if progress:
            progress(deals * players, wanted * players)
        took = max(time.perf_counter() - before, 1e-6)
        size = max(1, min(int(size * _CHUNK_SECONDS / took), 4 * size))
    seconds = time.perf_counter() - started
    standings = []
    for name in names:
        mine = [k for k, agent in enumerate(seated) if _label(agent) == name]
        low, mean, high = interval(shares[:deals, mine].mean(axis=1))
        standings.append(Standing(name, mean, low, high, float(scores[:deals, mine].mean())))
    return Match(setup.game.id, setup.options, deals * players, deals, standings, decisions, seconds)


def interval(values: np.ndarray) -> tuple[float, float, float]:
    """Low end, mean and high end of the 95 % interval of a mean of shares of the win, each in [0, 1].

    The normal interval after adding two values of 0 and two of 1, so that a few equal values do not look
    certain. Source: Agresti and Caffo, "Simple and effective confidence intervals for proportions" (2000).
    """
    padded = np.concatenate([values, [0.0, 0.0, 1.0, 1.0]])
    half = Z_95 * float(padded.std(ddof=1)) / math.sqrt(len(padded))
    middle, mean = float(padded.mean()), float(values.mean())
    return max(0.0, min(mean, middle - half)), mean, min(1.0, max(mean, middle + half))


def _label(agent: Any) -> str:
    return agent if isinstance(agent, str) else type(agent).__name__


def _engine_numbers(setup: Setup, agents: Sequence[Any]) -> list[int]:
    """The engine's number of each agent, or [] when it does not know them all."""
    numbers = {"random": RANDOM} | {name: k for k, name in enumerate(setup.game.agents.AGENTS, 1)}
    if all(isinstance(agent, str) and agent in numbers for agent in agents):
        return [numbers[agent] for agent in agents]
    return []


def _rotations(setup: Setup, first: int, size: int, seed: int) -> Iterator[tuple[int, int, int]]:
    """Deal (from 0), rotation and game seed of the games of `size` deals from `first` on.

    In rotation r agent k sits on seat (k + r) mod P.
    """
    for deal in range(size):
        number = int(game_seed(seed, 0, first + deal))
        for rotation in range(setup.players):
            yield deal, rotation, number


def _in_engine(setup: Setup, numbers: list[int], seed: int) -> Callable[[int, int], Any]:
    players = setup.players
    states = setup.new_states(1)

    def tally(first: int, size: int) -> tuple[np.ndarray, np.ndarray, int]:
        games = list(_rotations(setup, first, size, seed))
        seeds = np.array([number for _, _, number in games], np.int64)
        agent = np.array([np.roll(numbers, rotation) for _, rotation, _ in games], np.int8)
        agent_seeds = np.array(
            [[agent_seed(number, seat) for seat in range(players)] for _, _, number in games], np.int64
        )
        scores = np.zeros((len(games), players), np.int64)
        returns = np.zeros((len(games), players))
        decisions = np.zeros(len(games), np.int64)
        lost = np.zeros(1, np.int64)
        setup.engine.matches(
            setup.boxes, states, seeds, agent, agent_seeds, setup.length, scores, returns, decisions, lost
        )
        if lost[0]:
            raise IllegalActionError(f"an agent of {setup.game.id} chose an illegal action")
        share, score = np.zeros((size, players)), np.zeros((size, players))
        for g, (deal, rotation, _) in enumerate(games):
            share[deal] += np.roll(setup.win_share(returns[g]), -rotation) / players
            score[deal] += np.roll(scores[g], -rotation) / players
        return share, score, int(decisions.sum())

    return tally


def _one_by_one(setup: Setup, seated: Sequence[Any], seed: int) -> Callable[[int, int], Any]:
    players = setup.players
    env = FoodEnv(setup)
    made = [make_agent(agent, env, name) for agent, name in zip(seated, setup.agents, strict=True)]

    def tally(first: int, size: int) -> tuple[np.ndarray, np.ndarray, int]:
        share, score, decisions = np.zeros((size, players)), np.zeros((size, players)), 0
        for deal, rotation, number in _rotations(setup, first, size, seed):
            at_seats = [made[(seat - rotation) % players] for seat in range(players)]
            played = play(env, at_seats, number)
            decisions += played.decisions
            returns = np.array(list(played.returns.values()))
            share[deal] += np.roll(setup.win_share(returns), -rotation) / players
            score[deal] += np.roll(list(played.scores.values()), -rotation) / players
        return share, score, decisions

    return tally
