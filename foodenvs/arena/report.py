"""A tournament as rows for tables, as plain data for JSON, and as one HTML file with its pictures."""

import html as markup
from collections.abc import Sequence
from typing import Any

import numpy as np

from foodenvs.arena.match import Standing
from foodenvs.arena.tournament import Share, Tournament
from foodenvs.core.documents import printable

_BARS = 24  # of a histogram, at most
_WIDTH, _ROW, _LABEL = 640, 24, 220  # of pictures, in pixels


# --- plain data --------------------------------------------------------------------------------


def as_dict(result: Tournament) -> dict[str, Any]:
    """The result as plain values; the same for the same command."""
    return {
        "game": result.setup.game.id,
        "options": result.setup.options,
        "format": result.format,
        "seed": result.seed,
        "deals": result.deals,
        "games": result.games,
        "agents": [vars(s) | {"rating": vars(result.ratings[s.id])} for s in result.standings],
        "matrix": [
            {"agent": a, "against": b} | vars(share) for (a, b), share in result.matrix.items() if share
        ],
        "seats": [vars(share) for share in result.seats],
        "decisions": _summary(result.lengths),
        "scores": {name: _summary(scores) for name, scores in result.scores.items()},
    }


def _summary(values: np.ndarray) -> dict[str, float]:
    names = ("least", "q05", "median", "q95", "most")
    found = np.quantile(values, (0, 0.05, 0.5, 0.95, 1)) if len(values) else np.zeros(5)
    return {"mean": float(values.mean()) if len(values) else 0.0} | dict(
        zip(names, found.tolist(), strict=True)
    )


def percent(share: Share | Standing | None) -> str:
    """A win share with its interval."""
    if share is None:
        return ""
    mean = share.win_share if isinstance(share, Standing) else share.mean
    return f"{100 * mean:.1f} % [{100 * share.low:.1f}, {100 * share.high:.1f}]"


def points(s: Standing) -> str:
    """The mean score, with the number of games that it is of where a fault ended some."""
    if s.mean_score is None:
        return "no game finished"
    of_these = f" in {s.finished:,} of {s.games:,} games" if s.finished < s.games else ""
    return f"{s.mean_score:.1f}{of_these}"


def standing_rows(result: Tournament) -> list[list[str]]:
    """Agent, win share, mean score, rating, faults: for tables of every kind."""
    rows = []
    for s in result.standings:
        rating = result.ratings[s.id]
        faults = ", ".join(f"{count:,} by {kind}" for kind, count in s.faults.items())
        rows.append([s.id, percent(s), points(s), f"{rating.mu:.1f} ± {rating.sigma:.1f}", faults])
    return rows


STANDING_COLUMNS = ("agent", "win share [95 %]", "mean score", "rating", "games lost by fault")


def matrix_rows(result: Tournament) -> list[list[str]]:
    """One row for each agent: its name, then its win share against each of `agents` in order."""
    return [[a, *(percent(result.matrix.get((a, b))) for b in result.agents)] for a in result.agents]


def headline(result: Tournament) -> str:
    """What was played, in one line."""
    return (
        f"{result.setup.game.id}, {result.setup.players} players, {result.format}: {result.games:,} games "
        f"({result.deals:,} deals, seed {result.seed}); chance is {100 / result.setup.contenders:.1f} %"
    )


# --- one HTML file -----------------------------------------------------------------------------

_STYLE = """
:root { color-scheme: light dark; --line: #8885; --mark: #2a6fb0; }
body { font: 15px/1.45 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: .6rem 0; } th, td { padding: .25rem .6rem; text-align: left; }
td { border-top: 1px solid var(--line); font-variant-numeric: tabular-nums; }
svg { max-width: 100%; height: auto; } svg text { font: 12px system-ui, sans-serif; fill: currentColor; }
.mark { fill: var(--mark); stroke: var(--mark); } .chance { stroke: currentColor; stroke-dasharray: 3 3; }
.scroll { overflow-x: auto; } h2 { margin-top: 2.2rem; }
"""


def html(results: Sequence[Tournament]) -> str:
    """One self-contained HTML document: no script, nothing loaded from elsewhere."""
    sections = "\n".join(_section(result) for result in results)
    return (
        "<!doctype html>\n<html lang='en'><head><meta charset='utf-8'><title>foodenvs tournament</title>"
        f"<meta name='viewport' content='width=device-width'><style>{_STYLE}</style></head>"
        f"<body>\n{sections}\n</body></html>\n"
    )


def escape(text: str) -> str:
    """Text as it may stand in the document; agents have names of others' making."""
    return markup.escape(printable(text))


def _section(result: Tournament) -> str:
    chance = 1 / result.setup.contenders
    shares = [(s.id, s.low, s.win_share, s.high) for s in result.standings]
    ratings = [
        (name, r.mu - 2 * r.sigma, r.mu, r.mu + 2 * r.sigma)
        for name, r in ((name, result.ratings[name]) for name in result.agents)
    ]
    seats = [(seat, s.low, s.mean, s.high) for seat, s in zip(result.setup.agents, result.seats, strict=True)]
    parts = [
        f"<h1>{escape(result.setup.game.title)}</h1><p>{escape(headline(result))}</p>",
        _table(STANDING_COLUMNS, standing_rows(result)),
        "<h2>Win share</h2>" + _intervals(shares, chance, percent=True),
        "<h2>Who beats whom</h2><p>Win share of the row's agent in games in which it has one place and the "
        "column's agent sits too, with 95 % intervals over deals.</p>" + _matrix(result),
        "<h2>Ratings</h2><p>Plackett-Luce, mean and two standard deviations.</p>" + _intervals(ratings),
        "<h2>Seats</h2><p>Win share of each seat, whoever sits there.</p>"
        + _intervals(seats, chance, percent=True),
        "<h2>Decisions per game</h2>" + _histogram(result.lengths),
        "<h2>Scores</h2>",
        *(f"<h3>{escape(name)}</h3>" + _histogram(result.scores[name]) for name in result.agents),
    ]
    return "\n".join(parts)


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    head = "".join(f"<th>{escape(column)}</th>" for column in columns)
    body = "".join("<tr>" + "".join(f"<td>{escape(x)}</td>" for x in row) + "</tr>" for row in rows)
    return f"<div class='scroll'><table><tr>{head}</tr>{body}</table></div>"


def _matrix(result: Tournament) -> str:
    """The matrix as a table whose cells are tinted from 0 (red) over chance (none) to 1 (green)."""
    chance = 1 / result.setup.contenders
    rows = []
    for a in result.agents:
        cells = [f"<th>{escape(a)}</th>"]
        for b in result.agents:
            share = result.matrix.get((a, b))
            cells.append(f"<td{_tint(share, chance)}>{escape(percent(share))}</td>")
        rows.append("<tr>" + "".join(cells) + "</tr>")
    head = "".join(f"<th>{escape(name)}</th>" for name in ("", *result.agents))
    return f"<div class='scroll'><table><tr>{head}</tr>{''.join(rows)}</table></div>"


def _tint(share: Share | None, chance: float) -> str:
    if share is None:
        return ""
    above = share.mean > chance
    strength = abs(share.mean - chance) / ((1 - chance) if above else chance)
    return f" style='background: rgb({'40 150 80' if above else '200 60 50'} / {0.6 * strength:.2f})'"


def _intervals(
    rows: Sequence[tuple[str, float, float, float]], chance: float | None = None, percent: bool = False
) -> str:
    """A dot with a whisker for each row (name, low, mean, high); a dashed line at chance."""
    low = 0.0 if percent else min(row[1] for row in rows)
    high = 1.0 if percent else max(row[3] for row in rows)
    span = (high - low) or 1.0

    def x(value: float) -> float:
        return _LABEL + (value - low) / span * (_WIDTH - _LABEL - 70)

    height = _ROW * len(rows)
    parts = []
    if chance is not None:
        parts.append(f"<line class='chance' x1='{x(chance):.1f}' x2='{x(chance):.1f}' y1='0' y2='{height}'/>")
    for k, (name, least, mean, most) in enumerate(rows):
        y = _ROW * k + _ROW / 2
        value = f"{100 * mean:.1f} %" if percent else f"{mean:.1f}"
        parts.append(
            f"<text x='0' y='{y + 4:.0f}'>{escape(name[:32])}</text>"
            f"<line class='mark' x1='{x(least):.1f}' x2='{x(most):.1f}' y1='{y}' y2='{y}' stroke-width='3'/>"
            f"<circle class='mark' cx='{x(mean):.1f}' cy='{y}' r='5'/>"
            f"<text x='{_WIDTH - 60}' y='{y + 4:.0f}'>{value}</text>"
        )
    return _svg(height, parts)


def _histogram(values: np.ndarray) -> str:
    """How often whole numbers occur, in bars of equal width."""
    if not len(values):
        return "<p>no game finished</p>"
    low, high = int(values.min()), int(values.max())
    step = -(-(high - low + 1) // _BARS)
    counts = np.bincount((values - low) // step)
    height, wide = 120, _WIDTH / len(counts)
    parts = []
    for k, count in enumerate(counts.tolist()):
        tall = 100 * count / counts.max()
        first = low + k * step
        said = f"{first}" if step == 1 else f"{first} to {first + step - 1}"
        parts.append(
            f"<rect class='mark' x='{k * wide + 1:.1f}' y='{height - tall:.1f}' "
            f"width='{max(1, wide - 2):.1f}' height='{tall:.1f}'><title>{said}: {count:,}</title></rect>"
        )
    mean = f"mean {values.mean():.1f}"
    parts.append(
        f"<text x='0' y='{height + 16}'>{low}</text>"
        f"<text x='{_WIDTH / 2}' y='{height + 16}' text-anchor='middle'>{mean}</text>"
        f"<text x='{_WIDTH}' y='{height + 16}' text-anchor='end'>{high}</text>"
    )
    return _svg(height + 20, parts)


def _svg(height: float, parts: Sequence[str]) -> str:
    return f"<svg viewBox='0 0 {_WIDTH} {height:.0f}' width='{_WIDTH}' role='img'>{''.join(parts)}</svg>"
