"""Matches: the same deals in every seating of the agents, so that luck and seats cancel."""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from foodenvs.arena.deals import DealResults, WorkerPool, label, no_deals, seatings
from foodenvs.arena.play import line_up, places
from foodenvs.arena.results import Results
from foodenvs.core.checks import check_seed
from foodenvs.core.setup import Setup
from foodenvs.engine import score_margins

Z_95 = 1.959964
CHECKED_EVERY = 16  # deals between looks at the width of the intervals; results must not hang on chance


@dataclass(frozen=True)
class Standing:
    """How an agent did: means over deals, of win share and margin with 95 % intervals, and its faults.

    games: in which it sat; finished: those that no fault of anybody ended. Score and margin are of the
    finished games alone, the win share is of all.
    margin: the score less the mean of the opponents' (an opposing team counts once), in points; its
    interval is None for a single deal, score and margin are None where no game was finished.
    """

    id: str
    win_share: float
    low: float
    high: float
    games: int
    finished: int
    mean_score: float | None
    margin: float | None
    margin_low: float | None
    margin_high: float | None
    faults: dict[str, int]


@dataclass(frozen=True)
class Match:
    """The result of a match. games: all seatings of all deals; decisions and seconds: of the play itself."""

    game: str
    options: dict[str, Any]
    games: int
    deals: int
    agents: list[Standing]
    decisions: int
    seconds: float

    def as_dict(self) -> dict[str, Any]:
        """The result as plain data, for JSON: without deals, decisions and seconds."""
        return {
            "game": self.game,
            "options": self.options,
            "games": self.games,
            "agents": [vars(agent) for agent in self.agents],
        }


def match(
    setup: Setup,
    agents: Any,
    games: int,
    seed: int = 0,
    *,
    until: float | None = None,
    width: float | None = None,
    workers: int = 1,
    seconds: float | None = None,
    results: Results | None = None,
    progress: Callable[..., None] | None = None,
) -> Match:
    """Play `games` games (rounded up to whole deals) of agents that change seats.

    Every deal is played in every seating (see `foodenvs.arena.deals.seatings`), and the interval is over
    deals. An illegal action or a move of more than `seconds` loses the game and is counted.
    agents: ids or agents for a line-up (see `foodenvs.arena.play.line_up`); those with one id are pooled.
    until: `time.time()` after which no further deals are begun.  width: stop as soon as all intervals are at
    most so wide.  workers: processes; the result does not depend on them.  results: what was played before,
    and where to write what is.  progress: called with games done, games wanted, the running estimate.
    """
    seed = check_seed(seed)
    if games < 1:
        raise ValueError(f"games must be at least 1, got {games}")
    lineup = line_up(setup, agents)
    each = len(seatings(setup, lineup))
    wanted = -(-games // each)
    dealt = results.dealt(lineup)[:wanted] if results else no_deals(setup, lineup)
    started = time.perf_counter()
    with WorkerPool(workers) as pool:
        for more in pool.play(setup, lineup, seed, len(dealt), wanted, seconds, until):
            if results:
                results.add(lineup, more)
            before, dealt = len(dealt), dealt + more
            if progress:
                progress(len(dealt) * each, wanted * each, estimate(standings(setup, lineup, dealt)))
            enough = _narrow_enough(setup, lineup, dealt, before, width)
            if enough:
                dealt = dealt[:enough]
                break
    took = time.perf_counter() - started
    return Match(
        setup.game.id, setup.options, len(dealt) * each, len(dealt), standings(setup, lineup, dealt),
        int(dealt.decisions.sum()), took,
    )  # fmt: skip


def _narrow_enough(
    setup: Setup, lineup: Sequence[Any], dealt: DealResults, before: int, width: float | None
) -> int:
    """The first number of deals beyond `before` at which the intervals are narrow enough; 0 if none is."""
    if width is not None:
        for deals in range(-(-(before + 1) // CHECKED_EVERY) * CHECKED_EVERY, len(dealt) + 1, CHECKED_EVERY):
            if all(s.high - s.low <= width for s in standings(setup, lineup, dealt[:deals])):
                return deals
    return 0


def standings(setup: Setup, lineup: Sequence[Any], dealt: DealResults) -> list[Standing]:
    """How each agent of a line-up did in some deals, in the order of the line-up."""
    return [
        standing(name, of_agent(setup, lineup, dealt, name), [dealt], faults_of(setup, lineup, dealt, name))
        for name in dict.fromkeys(map(label, lineup))
    ]


def standing(
    name: str, of_deals: Sequence[np.ndarray], all_dealt: Sequence[DealResults], faults: dict[str, int]
) -> Standing:
    """What an agent's win shares, scores and margins by deal, each [D] (see `of_agent`), come to."""
    shares, scores, margins = (values[~np.isnan(values)] for values in of_deals)
    score, margin = (float(values.mean()) if len(values) else None for values in (scores, margins))
    half = Z_95 * float(margins.std(ddof=1)) / math.sqrt(len(margins)) if len(margins) > 1 else None
    below, above = (None, None) if half is None or margin is None else (margin - half, margin + half)
    low, mean, high = interval(shares)
    games, finished = sum(b.finished.size for b in all_dealt), sum(int(b.finished.sum()) for b in all_dealt)
    return Standing(name, mean, low, high, games, finished, score, margin, below, above, faults)


def of_agent(setup: Setup, lineup: Sequence[Any], dealt: DealResults, name: str) -> list[np.ndarray]:
    """Mean win share, score and margin of an agent in each deal [D], over its places in all seatings.

    Scores and margins are of the finished games; NaN in a deal that has none.
    """
    mine = np.array([[label(lineup[k]) == name for k in seating] for seating in seatings(setup, lineup)])
    at = places(setup, lineup)
    weight = mine / np.array([at.count(place) for place in at])  # each contender counts once
    everywhere = np.broadcast_to(weight, dealt.shares.shape)
    finished = everywhere * dealt.finished[:, :, None]
    values = dealt.shares, dealt.scores, score_margins(setup.teams, dealt.scores)
    return [
        np.ma.filled(np.ma.average(value, axis=(1, 2), weights=weights), np.nan)
        for value, weights in zip(values, (everywhere, finished, finished), strict=True)
    ]


def faults_of(setup: Setup, lineup: Sequence[Any], dealt: DealResults, name: str) -> dict[str, int]:
    """How many games an agent lost by each kind of fault."""
    counts: dict[str, int] = {}
    orders = seatings(setup, lineup)
    for _, seating, fault in dealt.faults:
        if label(lineup[orders[seating][setup.agents.index(fault.agent)]]) == name:
            counts[fault.kind] = counts.get(fault.kind, 0) + 1
    return counts


def estimate(agents: Sequence[Standing]) -> str:
    """The running estimate in a few words: the first agent's win share and its interval."""
    first = agents[0]
    return f"{first.id} {100 * first.win_share:.1f} % [{100 * first.low:.1f}, {100 * first.high:.1f}]"


def interval(values: np.ndarray) -> tuple[float, float, float]:
    """Low end, mean and high end of the 95 % interval of a mean of shares of the win, each in [0, 1].

    The normal interval after adding two values of 0 and two of 1, so that a few equal values do not look
    certain. Source: Agresti and Caffo, "Simple and effective confidence intervals for proportions" (2000).
    """
    padded = np.concatenate([values, [0.0, 0.0, 1.0, 1.0]])
    half = Z_95 * float(padded.std(ddof=1)) / math.sqrt(len(padded))
    middle, mean = float(padded.mean()), float(values.mean())
    return max(0.0, min(mean, middle - half)), mean, min(1.0, max(mean, middle + half))
