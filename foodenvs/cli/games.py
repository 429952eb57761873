"""Games: what there are, their pages, new ones, compiling them."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from foodenvs.cli.base import (
    GameName,
    Json,
    app,
)
from foodenvs.cli.show import add_row, new_table, print_json, print_table
from foodenvs.envs.registry import find_game
from foodenvs.games import GAMES

if TYPE_CHECKING:
    pass


@app.command("list")
def list_games(json: Json = False) -> None:
    """The games, their players and options, and their agents."""
    from foodenvs.agents.policy import shipped_players

    games = [GAMES[name] for name in GAMES]
    if json:
        print_json(
            [
                {
                    "id": game.id,
                    "title": game.title,
                    "options": {
                        o.name: {"default": o.default, "allowed": o.must_be(), "meaning": o.meaning}
                        for o in game.options.values()
                    },
                    "agents": game.agent_ids,
                    "ppo_players": shipped_players(game),
                }
                for game in games
            ]
        )
        return
    table = new_table("game", "title", "players", "agents", "other options")
    for game in games:
        seats = game.options["players"]
        add_row(
            table,
            game.id,
            game.title,
            f"{seats.must_be()} (default {seats.default})",
            ", ".join(
                f"ppo ({', '.join(map(str, shipped_players(game)))} players)" if name == "ppo" else name
                for name in game.agent_ids
            ),
            ", ".join(name for name in game.options if name != "players"),
        )
    print_table(table)


@app.command()
def rules(game: GameName) -> None:
    """Print a game's page: its rules, observations, actions, rewards and options."""
    from foodenvs.ui.terminal import print_page

    print_page(find_game(game))


@app.command()
def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What to call it: three_pennies.")],
    folder: Annotated[
        Path | None, typer.Option("--folder", metavar="FOLDER", help="Where to; else ./NAME.")
    ] = None,
) -> None:
    """Begin a game of your own: one module that works, its golden cases and tests."""
    from foodenvs.cli import scaffold

    where = folder or Path(name)
    for file in scaffold.new(name, where):
        print(file)
    print(f"Try it: cd {where} && python -m pytest && foodenvs play {name}:GAME --seats human greedy")


@app.command("compile")
def compile_games(
    games: Annotated[list[str] | None, typer.Argument(metavar="[GAME...]", help="By default all.")] = None,
    workers: Annotated[int, typer.Option("--workers", min=1, help="So many games at a time.")] = 2,
) -> None:
    """Compile games before they are used, for an image or a cluster; what is compiled already is loaded."""
    from foodenvs.arena.precompile import precompile_all

    found = [find_game(game) for game in games or GAMES]
    for game, seconds in precompile_all(found, workers):
        print(f"{game.name}: {seconds:.1f} s", flush=True)
