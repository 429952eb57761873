"""The `game` fixture runs over every listed game, so a game is tested as soon as it is listed."""

import pytest

from foodenvs.game import Game
from foodenvs.games import GAMES


@pytest.fixture(params=list(GAMES))
def game(request: pytest.FixtureRequest) -> Game:
    return GAMES[request.param]
