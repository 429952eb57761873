"""The `game` fixture runs over every listed game, so a game is tested as soon as it is listed."""

import pytest

from foodenvs.game import Game, Setup
from foodenvs.games import GAMES


@pytest.fixture(params=list(GAMES))
def game(request: pytest.FixtureRequest) -> Game:
    return GAMES[request.param]


def setups(game: Game) -> list[dict]:
    """Option sets of a game: every player count, then every other value that a table of values allows.

    A value that the default number of players does not allow comes with the first number that does.
    """
    players = [{"players": p} for p in game.options["players"].allowed]
    others = [
        {option.name: value}
        for option in game.options.values()
        if option.name != "players" and isinstance(option.allowed, (tuple, range))
        for value in (
            option.allowed
            if isinstance(option.allowed, tuple) or len(option.allowed) <= 12
            else [option.allowed[0], option.allowed[-1]]
        )
        if value != option.default
    ]
    tries = [[options] for options in players] + [[o, *(o | p for p in players)] for o in others]
    found = (next((o for o in options if _possible(game, o)), None) for options in tries)
    return [options for options in found if options is not None]


def _possible(game: Game, options: dict) -> bool:
    try:
        Setup(game, options)
    except ValueError:
        return False
    return True
