"""Every listed game, over its player counts and pairs of options, passes every check of the kit.

FOODENVS_CHECK_SECONDS: seconds for each game, all checks together (default 20; hours are fine).
"""

import os

import pytest

from foodenvs.testing.conformance import CHECKS, run_check, subject_of

SECONDS = float(os.environ.get("FOODENVS_CHECK_SECONDS", "20"))


@pytest.mark.parametrize("each", CHECKS.values(), ids=CHECKS)
def test_every_game_conforms(game, each):
    subject = subject_of(game.name)
    assert each.unable(subject) == ""
    total = sum(check.share for check in CHECKS.values())
    result = run_check(each, subject, SECONDS * each.share / total)
    assert not result.failures, "\n\n".join(map(str, result.failures))
    assert not result.remarks, result
