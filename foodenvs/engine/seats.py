"""Seats and teams: who is next, whose row is which, who has won, and by how much."""

from collections.abc import Sequence

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
