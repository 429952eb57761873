"""One line in a test file: a test for each check and each configuration."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pytest

from foodenvs.testing.conformance import find_checks, run_check, subject_of
from foodenvs.testing.drive import Subject
from foodenvs.testing.report import NOT_RUN


def conformance(
    factory: Any,
    *,
    seconds: float = 30.0,
    seed: int = 0,
    checks: Iterable[str] | None = None,
    configurations: Sequence[Mapping[str, Any]] | None = None,
    **options: Any,
) -> Any:
    """A test function to assign to a name that begins with `test_`; arguments as of `foodenvs.testing.check`.

        test_my_env = conformance("my_module:env", players=[2, 3, 4])

    A check that the environment gives no means for is skipped, with the reason. seconds: for all tests together.
    """
    subject = subject_of(factory, configurations, options)
    chosen = find_checks(checks)
    total = sum(each.share for each in chosen) * len(subject.configurations)
    cases = [
        pytest.param(each, configuration, id="-".join([each.name, *_words(configuration)]))
        for configuration in subject.configurations
        for each in chosen
    ]

    @pytest.mark.parametrize(("each", "configuration"), cases)
    def test(each: Any, configuration: dict[str, Any]) -> None:
        one = Subject(subject.factory, [configuration], subject.address)
        reason = each.unable(one)
        if reason:
            pytest.skip(f"{each.name} {NOT_RUN}: {reason}")
        result = run_check(each, one, seconds * each.share / total, seed)
        if result.failures:
            pytest.fail("\n\n".join(map(str, result.failures)), pytrace=False)

    return test


def _words(configuration: Mapping[str, Any]) -> list[str]:
    return [f"{name}={value}" for name, value in configuration.items()]
