"""Games with people: to play, to watch again, to serve."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from foodenvs.cli.base import (
    AllowCode,
    ComponentFile,
    MoreGames,
    Options,
    Players,
    UsageError,
    app,
)
from foodenvs.cli.given import check_agents, know_games, setup_of

if TYPE_CHECKING:
    pass


@app.command()
def play(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="A game; not with --resume.")] = None,
    more: Annotated[list[str] | None, typer.Argument(metavar="[SEAT]...", hidden=True)] = None,
    seats: Annotated[
        list[str] | None,
        typer.Option("--seats", metavar="SEAT...", help="human or an agent id, one for each seat in turn."),
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="Same seed, same deal.")] = None,
    players: Players = None,
    option: Options = None,
    components: ComponentFile = None,
    hints: Annotated[str, typer.Option("--hints", help="The agent that gives hints.")] = "greedy",
    resume: Annotated[
        Path | None, typer.Option("--resume", metavar="FILE", help="Go on with a game.")
    ] = None,
    allow_code: AllowCode = False,
) -> None:
    """Play in the terminal, alone against agents or with others in turn."""
    from foodenvs.ui import terminal

    seated = [*(seats or []), *(more or [])]
    check_agents([hints])
    if resume is not None:
        session = terminal.resume(resume, game, seated, allow_code)
    elif game is None:
        raise UsageError("name a game, or a file with --resume")
    else:
        seated = seated or ["human", "greedy"]
        if players is None and len(seated) > 2:
            players = len(seated)
        setup = setup_of(game, players, option, components)
        session = terminal.deal(setup, seated, seed)
    terminal.Terminal(session, hints).run()


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A replay, as saved by match, play or serve.")],
    seat: Annotated[str | None, typer.Option("--seat", help="As a seat saw it (player_1), or open.")] = None,
    step: Annotated[int | None, typer.Option("--step", help="Only the table after this step.")] = None,
    gif: Annotated[Path | None, typer.Option("--gif", help="Write an animation.")] = None,
    html: Annotated[Path | None, typer.Option("--html", help="Write a page that needs no server.")] = None,
    game: MoreGames = None,
) -> None:
    """Run a saved game again, checking every observation: in words, as a GIF, as a page."""
    from foodenvs.replay import load
    from foodenvs.ui import terminal

    know_games(game)
    terminal.print_replay(load(file), seat, step, gif, html)


@app.command()
def serve(
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="0: any free one.")] = 8080,
    host: Annotated[str, typer.Option("--host", help="The address to listen on.")] = "127.0.0.1",
    name: Annotated[
        list[str] | None, typer.Option("--name", help="Another name by which browsers reach this server.")
    ] = None,
    agent: Annotated[
        list[str] | None, typer.Option("--agent", metavar="ID", help="Also offer this agent as opponent.")
    ] = None,
    open: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
    game: MoreGames = None,
) -> None:
    """Play in the browser: a page on this machine (needs the extra `web`)."""
    from foodenvs.ui.web import serve as run_server

    know_games(game)
    check_agents(agent or [])
    run_server(host, port, names=name or [], agents=agent or [], open_browser=open)
