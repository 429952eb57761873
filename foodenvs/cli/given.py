"""What is given on the command line: games, options, agents, files."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from foodenvs.cli.base import UsageError
from foodenvs.core.documents import from_toml
from foodenvs.envs.registry import find_game

if TYPE_CHECKING:
    from foodenvs.core.setup import Setup


def know_games(games: list[str] | None) -> None:
    """Register games from outside, so that files and browsers may name them."""
    for game in games or []:
        find_game(game)


def setup_of(
    game: str, players: int | None, options: list[str] | None, components: str | None = None
) -> "Setup":
    """The game and options named on the command line, configured."""
    from foodenvs.core.setup import Setup

    found = find_game(game)
    given = dict(parse_option(text) for text in options or [])
    if players is not None:
        given["players"] = players
    try:
        return Setup(found, given, components)
    except TypeError as error:  # an option that there is not
        raise UsageError(str(error)) from error


def parse_option(text: str) -> tuple[str, Any]:
    """Name and value of an option as it is written on the command line."""
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise UsageError(f"an option is written name=value, got {text!r}")
    try:
        return name, from_toml(f"value = {value}", name)["value"]
    except ValueError:
        return name, value


def check_agents(agents: list[str], *setups: "Setup") -> None:
    """An error unless each id leads to an agent that can sit at these tables."""
    from foodenvs.agents import build_agent, make_agent
    from foodenvs.envs.aec import FoodEnv

    for agent in dict.fromkeys(agents):
        build_agent(agent)
        for setup in setups:
            make_agent(agent, FoodEnv(setup))


def check_writable(file: Path) -> None:
    """OSError if a file cannot be written, before the work of which it shall tell."""
    fresh = not file.exists()
    with file.open("a"):
        pass
    if fresh:
        file.unlink()
