"""Every listed game passes every check of the kit, in two set-ups; with --long in all pairs of options."""

import helpers
import pytest

from foodenvs.testing.configurations import configurations
from foodenvs.testing.conformance import CHECKS, run_check, subject_of


def two_short_ones(game, rows):
    """The first configuration of a game and the last, which differs from it in most options, made short."""
    options = helpers.short(game)
    players = options.pop("players")
    return [rows[0] | options | {"players": players}, rows[-1] | options]


@pytest.mark.parametrize("each", CHECKS.values(), ids=CHECKS)
def test_every_game_conforms(game, each):
    rows = configurations(game.name)
    rows = rows if helpers.LONG else two_short_ones(game, rows)
    subject = subject_of(game.name, [{k: v for k, v in row.items() if k != "game"} for row in rows])
    assert each.unable(subject) == ""
    result = run_check(each, subject, seconds=0, games=len(rows), positions=helpers.size(4, 40))
    assert not result.failures, "\n\n".join(map(str, result.failures))
    assert not result.remarks, result
