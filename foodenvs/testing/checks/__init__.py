"""The checks, in the order in which they are run."""

from foodenvs.testing.checks.contract import CONTRACT
from foodenvs.testing.checks.determinism import DETERMINISM
from foodenvs.testing.checks.engines import ENGINES
from foodenvs.testing.checks.leak import LEAK
from foodenvs.testing.checks.mask import MASK
from foodenvs.testing.checks.memory import MEMORY
from foodenvs.testing.checks.play import PLAY
from foodenvs.testing.checks.view import FACTS, VIEW
from foodenvs.testing.report import Check

CHECKS: dict[str, Check] = {
    check.name: check for check in (PLAY, MASK, LEAK, CONTRACT, VIEW, FACTS, DETERMINISM, MEMORY, ENGINES)
}
OURS = ("contract", "view", "facts", "engines")  # for this library's environments, and games made for it
