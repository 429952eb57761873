"""The `game` fixture runs over every listed game, so a game is tested as soon as it is listed."""

import pytest

from foodenvs.engine import PURE
from foodenvs.game import Game
from foodenvs.games import GAMES
from foodenvs.precompile import precompile_all


def pytest_sessionstart(session: pytest.Session) -> None:
    """Before the workers of xdist begin, the games are compiled side by side."""
    workers = getattr(session.config.option, "numprocesses", None)
    if workers and not PURE and not session.config.option.collectonly:
        for _ in precompile_all(list(GAMES.values()), workers):
            pass


@pytest.fixture(params=list(GAMES))
def game(request: pytest.FixtureRequest) -> Game:
    return GAMES[request.param]
