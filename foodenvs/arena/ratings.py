"""Plackett-Luce ratings from games of any number of players and teams, by openskill."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Rating:
    """What is believed of an agent's strength: mean, deviation, and the careful mean - 3 deviations."""

    mu: float
    sigma: float
    ordinal: float


def rate(names: Iterable[str], games: Iterable[tuple[Sequence[str], Sequence[float]]]) -> dict[str, Rating]:
    """Ratings after `games`, each given as the agents that met and their ranks (0 is best; ties allowed).

    Games of an agent against itself alone say nothing and are left out; of an agent with several places in a
    game the best counts. The order of the games matters a little, as in every such rating.
    """
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    known = {name: model.rating(name=name) for name in names}
    for agents, ranks in games:
        best = {
            name: min(rank for other, rank in zip(agents, ranks, strict=True) if other == name)
            for name in dict.fromkeys(agents)
        }
        if len(best) > 1:
            rated = model.rate([[known[name]] for name in best], ranks=list(best.values()))
            known.update(zip(best, (team[0] for team in rated), strict=True))
    return {name: Rating(float(r.mu), float(r.sigma), float(r.ordinal())) for name, r in known.items()}
