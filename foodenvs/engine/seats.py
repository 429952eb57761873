"""Seats and teams: who is next, whose row is which, who has won, and by how much."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from foodenvs.engine.jit import rule


@rule
def next_seat(box, seat):
    """The seat to the left, clockwise."""
    return seat + 1 if seat + 1 < box.players else 0


@rule
def row_of(number, own, count):
    """The row of a seat (or team) in what seat `own` of `count` sees: its own is row 0, then clockwise."""
    return number - own if number >= own else number - own + count


@rule
def first_of_team(team, seat):
    """Whether a seat is the first of its team, which stands for the whole team."""
    first = 0
    while team[first] != team[seat]:
        first += 1
    return first == seat


@rule
def margins(team, scores, out):
    """Own score minus the mean of the opponents'; a team counts once. team, scores, out: [P]; out float64."""
    players = len(out)
    for p in range(players):
        total, opponents = 0.0, 0
        for q in range(players):
            if team[q] != team[p] and first_of_team(team, q):
                total += scores[q]
                opponents += 1
        mean = total / opponents if opponents > 0 else 0.0
        out[p] = scores[p] - mean


@rule
def _margins_of_games(team, scores, out):
    for i in range(len(out)):
        margins(team, scores[i], out[i])


def score_margins(teams: Sequence[int], scores: np.ndarray) -> np.ndarray:
    """Own score minus the mean of the opponents', a team counting once: float64 [..., P] of scores [..., P].

    teams: the team of each of the P seats.
    """
    flat = np.ascontiguousarray(scores, np.float64).reshape(-1, len(teams))
    out = np.empty_like(flat)
    _margins_of_games(np.array(teams, np.int8), flat, out)
    return out.reshape(np.shape(scores))


def build_returns(standing: Callable[..., Any]) -> Callable[..., Any]:
    """The `returns(box, s, out)` of a game whose rules rank the seats by `standing(box, s, seat)`."""

    @rule
    def returns(box, s, out):
        """The zero-sum win share into out, float64 [P]; zeros before the end.

        +1 for a sole winner and -1/(T - 1) for the other T - 1 teams; the best share the win. Each seat has
        what its team has.
        """
        players, teams = box.players, box.teams
        if s.turn >= 0:
            for seat in range(players):
                out[seat] = 0.0
            return
        best, winners = standing(box, s, 0), 0
        for seat in range(players):
            if first_of_team(box.team, seat):
                own = standing(box, s, seat)
                if own > best:
                    best, winners = own, 0
                if own == best:
                    winners += 1
        for seat in range(players):
            share = 1.0 / winners if standing(box, s, seat) == best else 0.0
            out[seat] = (teams * share - 1.0) / (teams - 1.0)

    return returns
