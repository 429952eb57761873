"""Tournaments: many agents of one game in line-ups of a format, with one table, matrix and rating of all."""

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from foodenvs.arena.deals import DealResults, WorkerPool, label, seatings
from foodenvs.arena.match import CHECKED_EVERY, Standing, faults_of, interval, of_agent, standing
from foodenvs.arena.play import places
from foodenvs.arena.ratings import Rating, rate
from foodenvs.arena.results import Results
from foodenvs.core.checks import check_choice
from foodenvs.core.setup import Setup

FORMATS = ("round-robin", "all-seats")
MOST_LINEUPS = 5000


@dataclass(frozen=True)
class Share:
    """A mean win share with its 95 % interval over deals."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class Tournament:
    """The result of a tournament. Agents are in the order of their win share, best first.

    matrix: for two agents, the win share of the first in the games in which it has one place and the second
    sits too; None where there are none.  seats: the win share of each seat, whoever sat there.
    lengths: decisions of every game that no fault ended; scores: of each agent in these games, as the
    rulebook counts.
    """

    setup: Setup
    format: str
    seed: int
    deals: int
    games: int
    standings: list[Standing]
    ratings: dict[str, Rating]
    matrix: dict[tuple[str, str], Share | None]
    seats: list[Share]
    lengths: np.ndarray
    scores: dict[str, np.ndarray]

    @property
    def agents(self) -> list[str]:
        """The labels of the agents, best first."""
        return [standing.id for standing in self.standings]


def lineups_of(setup: Setup, agents: Sequence[Any], form: str) -> list[tuple[Any, ...]]:
    """Who meets whom. agents: of different names, at least two.

    round-robin: of every two agents one against others of the second kind on all other places, and the other
    way round. all-seats: every choice of as many agents as there are places (with fewer agents, every way to
    fill the places in which all of them sit).
    """
    check_choice("format", form, FORMATS)
    names = [label(agent) for agent in agents]
    if len(names) < 2 or len(set(names)) < len(names):
        raise ValueError(
            f"a tournament needs at least two different agents, got {', '.join(names) or 'none'}"
        )
    contenders = setup.contenders
    if form == "round-robin":
        one_among = ((a, *[b] * (contenders - 1)) for a, b in itertools.permutations(agents, 2))
        found = [lineup for lineup in one_among if contenders > 2 or _sorted(lineup) == lineup]
    elif len(agents) >= contenders:
        found = list(itertools.combinations(agents, contenders))
    else:
        fills = itertools.combinations_with_replacement(agents, contenders)
        found = [fill for fill in fills if len({label(agent) for agent in fill}) == len(agents)]
    if len(found) > MOST_LINEUPS:
        raise ValueError(f"{len(names)} agents make {len(found)} line-ups; at most {MOST_LINEUPS} are played")
    return [_sorted(lineup) for lineup in found]


def _sorted(lineup: Sequence[Any]) -> tuple[Any, ...]:
    """One order for a line-up, so that a results file knows it again."""
    return tuple(sorted(lineup, key=label))


def tournament(
    setup: Setup,
    agents: Sequence[Any],
    deals: int,
    results: Results,
    *,
    form: str = "round-robin",
    width: float | None = None,
    workers: int = 1,
    progress: Callable[..., None] | None = None,
) -> Tournament:
    """Play what is missing of a tournament of `deals` deals (the same ones) for every line-up.

    results: knows seed and time limit, what was played before, and keeps what is played now.
    width: stop when the interval of every agent's win share is at most so wide.
    """
    if deals < 1:
        raise ValueError(f"deals must be at least 1, got {deals}")
    lineups = lineups_of(setup, agents, form)
    names = [label(agent) for agent in agents]
    stops = [deals] if width is None else [*range(CHECKED_EVERY, deals, CHECKED_EVERY), deals]
    estimate = ""
    with WorkerPool(workers) as pool:
        for stop in stops:
            done = sum(min(len(results.dealt(lineup)), stop) for lineup in lineups)
            for lineup in lineups:
                first = len(results.dealt(lineup))
                for dealt in pool.play(setup, lineup, results.seed, first, stop, results.seconds):
                    results.add(lineup, dealt)
                    done += len(dealt)
                    if progress:
                        progress(done, stop * len(lineups), estimate)
            found = _overall(setup, lineups, names, results, stop)
            estimate = ", ".join(f"{s.id} {100 * s.win_share:.1f} %" for s in found[:2])
            if width is not None and all(s.high - s.low <= width for s in found):
                break
    return summed_up(setup, lineups, names, results, stop, form)


def summed_up(
    setup: Setup, lineups: Sequence[Any], names: Sequence[str], results: Results, deals: int, form: str
) -> Tournament:
    """The tournament of the first `deals` deals of line-ups that have been played."""
    all_dealt = {tuple(lineup): results.dealt(lineup)[:deals] for lineup in lineups}
    standings = _overall(setup, lineups, names, results, deals)
    order = [standing.id for standing in standings]
    return Tournament(
        setup,
        form,
        results.seed,
        deals,
        sum(dealt.decisions.size for dealt in all_dealt.values()),
        standings,
        rate(order, _ranked(setup, all_dealt)),
        {(a, b): _cell(setup, all_dealt, a, b) for a in order for b in order if a != b},
        [_share(np.mean([b.shares[:, :, seat].mean(axis=1) for b in all_dealt.values()], axis=0))
         for seat in range(setup.players)],
        np.concatenate([dealt.decisions[dealt.finished] for dealt in all_dealt.values()]),
        {name: _scores(setup, all_dealt, name) for name in order},
    )  # fmt: skip


def _share(values: np.ndarray) -> Share:
    low, mean, high = interval(values)
    return Share(mean, low, high)


def _single(lineup: Sequence[Any], name: str) -> bool:
    """Whether the agent has exactly one place."""
    return [label(agent) for agent in lineup].count(name) == 1


def _overall(
    setup: Setup, lineups: Sequence[Any], names: Sequence[str], results: Results, deals: int
) -> list[Standing]:
    """How each agent did over all line-ups in which it has one place (else, in which it sits at all)."""
    found = []
    for name in names:
        sits = [lineup for lineup in lineups if name in map(label, lineup)]
        mine = [lineup for lineup in sits if _single(lineup, name)] or sits
        kept = [(lineup, results.dealt(lineup)[:deals]) for lineup in mine]
        each = np.ma.masked_invalid([of_agent(setup, lineup, dealt, name) for lineup, dealt in kept])
        faults: dict[str, int] = {}
        for lineup in sits:
            for kind, count in faults_of(setup, lineup, results.dealt(lineup)[:deals], name).items():
                faults[kind] = faults.get(kind, 0) + count
        found.append(standing(name, each.mean(axis=0).filled(np.nan), [dealt for _, dealt in kept], faults))
    return sorted(found, key=lambda standing: -standing.win_share)


def _cell(setup: Setup, all_dealt: dict[Any, DealResults], one: str, other: str) -> Share | None:
    met = [
        of_agent(setup, lineup, dealt, one)[0]
        for lineup, dealt in all_dealt.items()
        if _single(lineup, one) and other in map(label, lineup)
    ]
    return _share(np.mean(met, axis=0)) if met else None


def _scores(setup: Setup, all_dealt: dict[Any, DealResults], name: str) -> np.ndarray:
    """The rulebook scores of an agent on every seat that it took in the finished games."""
    found = []
    for lineup, dealt in all_dealt.items():
        for s, seating in enumerate(seatings(setup, lineup)):
            scores = dealt.scores[dealt.finished[:, s], s]
            found += [scores[:, seat] for seat, k in enumerate(seating) if label(lineup[k]) == name]
    return np.concatenate(found) if found else np.zeros(0, np.int64)


def _ranked(setup: Setup, all_dealt: dict[Any, DealResults]) -> Iterator[tuple[list[str], list[float]]]:
    """Every game as agents and ranks, deal by deal; a better share of the win comes before a better score.

    Where a fault ended the game the share alone counts.
    """
    of_place = places(setup, range(setup.contenders))
    seat_of = [of_place.index(place) for place in range(setup.contenders)]
    orders = {lineup: seatings(setup, lineup) for lineup in all_dealt}
    points = {lineup: dealt.scores * dealt.finished[:, :, None] for lineup, dealt in all_dealt.items()}
    for deal in range(max(map(len, all_dealt.values()), default=0)):
        for lineup, dealt in all_dealt.items():
            for s, seating in enumerate(orders[lineup]):
                if deal < len(dealt):
                    keys = [(-dealt.shares[deal, s, q], -points[lineup][deal, s, q]) for q in seat_of]
                    better = [float(sum(other < key for other in keys)) for key in keys]
                    yield [label(lineup[seating[q]]) for q in seat_of], better
