"""Every listed game passes every check of the kit, in two set-ups; with --long in all pairs of options."""

import functools

import helpers
import pytest

from foodenvs.testing.configurations import configurations
from foodenvs.testing.conformance import CHECKS, run_check, subject_of


@functools.cache
def rows_of(game):
    """All configurations; in an ordinary run the first, and the last, which differs in most, made short."""
    rows = [{k: v for k, v in row.items() if k != "game"} for row in configurations(game.name)]
    if helpers.LONG:
        return rows
    options = helpers.short(game)
    players = options.pop("players")
    return [rows[0] | options | {"players": players}, rows[-1] | options]


@pytest.mark.parametrize("each", CHECKS.values(), ids=CHECKS)
def test_every_game_conforms(game, each):
    rows = rows_of(game)
    subject = subject_of(game.name, rows)
    assert each.unable(subject) == ""
    result = run_check(each, subject, seconds=0, games=len(rows), positions=helpers.size(2, 40))
    assert not result.failures, "\n\n".join(map(str, result.failures))
    assert not result.remarks, result
