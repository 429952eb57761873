"""The conformance kit tells sound environments from broken ones, and its repros fail as they say."""

import pytest
from faulty.faults import FAULTS
from faulty.reference import SealedBids

from foodenvs.testing import CHECKS, check
from foodenvs.testing.conformance import run_check, subject_of

TRIES = (1, 5, 20)  # seconds; most faults show at once, on a busy machine some take longer
NAMES = [f"{broken.__name__}" for broken, *_ in FAULTS]


@pytest.mark.parametrize(("broken", "name", "part", "options"), FAULTS, ids=NAMES)
def test_a_planted_fault_is_caught_by_the_check_meant_for_it(broken, name, part, options):
    subject = subject_of(broken, None, options)
    for seconds in TRIES:
        result = run_check(CHECKS[name], subject, seconds, seed=0)
        parts = {failure.part for failure in result.failures}
        if part in parts:
            break
    assert part in parts, f"{name} found {parts or 'nothing'}\n{result}"
    failure = next(f for f in result.failures if f.part == part)
    if part not in NO_REPRO:
        source = {}
        exec(failure.repro, source)
        test = next(value for key, value in source.items() if key.startswith("test_"))
        with pytest.raises(BaseException):
            test()


NO_REPRO = {"second process"}  # a test function is one process


def test_the_sound_reference_passes_everything():
    report = check(SealedBids, seconds=12, players=[2, 3])
    assert report.passed, report
    assert report["leak"].status == "passed"


def test_there_are_enough_planted_faults():
    assert len(FAULTS) >= 20
    assert {name for _, name, *_ in FAULTS} == set(CHECKS) - {"engines"}
