"""Public testing tools: golden scenarios, and the conformance kit for any AEC environment.

    from foodenvs.testing import check
    print(check("my_module:env", seconds=30, players=[2, 3, 4]))

In a test file, one test for each check and seat count:

    from foodenvs.testing.pytest import conformance
    test_my_env = conformance("my_module:env", players=[2, 3, 4])

On the command line: `foodenvs check my_module:env --seconds 60 -o players=2`.
"""

from foodenvs.testing.conformance import CHECKS, check
from foodenvs.testing.report import Check, Failure, Report, Result

__all__ = ["CHECKS", "Check", "Failure", "Report", "Result", "check"]
