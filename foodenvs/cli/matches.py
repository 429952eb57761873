"""Games between agents: matches, the demonstration, tournaments, ladders."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from foodenvs.cli.base import (
    AllowCode,
    ComponentFile,
    GameName,
    Json,
    Options,
    Players,
    ResultsFile,
    Seed,
    TimeLimit,
    Until,
    UsageError,
    Workers,
    app,
)
from foodenvs.cli.given import check_agents, check_writable, setup_of
from foodenvs.cli.show import (
    add_row,
    new_table,
    print_json,
    print_table,
    progress_bar,
    share,
    standings_table,
)
from foodenvs.core.documents import write
from foodenvs.games import GAMES

if TYPE_CHECKING:
    from foodenvs.arena.tournament import Tournament


@app.command()
def match(
    game: GameName,
    agents: Annotated[list[str], typer.Argument(metavar="AGENT...", help="Agent ids; repeated in turn.")],
    games: Annotated[
        int, typer.Option("--games", min=1, help="Games to play, rounded up to whole deals.")
    ] = 1000,
    seed: Seed = 0,
    players: Players = None,
    option: Options = None,
    components: ComponentFile = None,
    workers: Workers = 1,
    until: Until = None,
    time_limit: TimeLimit = None,
    results: ResultsFile = None,
    save: Annotated[
        Path | None, typer.Option("--save", metavar="FOLDER", help="Keep games as replays (see --keep).")
    ] = None,
    keep: Annotated[
        int, typer.Option("--keep", min=0, help="How many games --save keeps, from the first.")
    ] = 10,
    json: Json = False,
) -> None:
    """Play agents against each other on the same deals from every seat."""
    from foodenvs.arena import Results
    from foodenvs.arena import match as play_match
    from foodenvs.arena.play import line_up

    setup = setup_of(game, players, option, components)
    line_up(setup, agents)
    check_agents(agents, setup)
    if save is not None:
        save.mkdir(parents=True, exist_ok=True)
    with (
        Results(results, setup, seed, time_limit) as known,
        progress_bar(f"{setup.game.id}") as progress,
    ):
        result = play_match(
            setup, agents, games, seed,
            width=until, workers=workers, seconds=time_limit, results=known, progress=progress,
        )  # fmt: skip
    if json:
        print_json(result.as_dict())
    else:
        print_table(standings_table(result))
        rate = result.decisions / max(result.seconds, 1e-9)
        print(
            f"{setup.game.id}, {setup.players} players: {result.games:,} games ({result.deals:,} deals x "
            f"{result.games // result.deals} seatings), {rate:,.0f} decisions/s"
        )
    if save is not None:
        from foodenvs.replay import save_match

        save_match(setup, agents, min(result.games, keep), seed, save)


@app.command()
def demo(
    games: Annotated[int, typer.Option("--games", min=1, help="Games for each row, at most.")] = 3000,
    seconds: Annotated[
        float, typer.Option("--seconds", min=0, help="Begin no further games after this time.")
    ] = 60,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Play every game: each of its agents in a seat-rotated match against random players."""
    from foodenvs.arena.demo import run_demo
    from foodenvs.arena.report import points

    if not sys.stderr.isatty():
        print("compiling and playing, game by game; this takes a minute the first time", file=sys.stderr)
    with progress_bar("compiling and playing, game by game") as progress:
        matches = run_demo(list(GAMES), games, seed, seconds, progress)
    if json:
        print_json([result.as_dict() for result in matches])
        return
    table = new_table("game", "agent", "win share [95 %]", "mean score", "games", "decisions/s", right=4)
    for result in matches:
        for agent in result.agents:
            add_row(
                table,
                result.game,
                agent.id,
                share(agent.low, agent.win_share, agent.high),
                points(agent),
                f"{result.games:,}",
                f"{result.decisions / max(result.seconds, 1e-9):,.0f}",
            )
        table.add_section()
    print_table(table)
    print("Each match: one agent against random ones on all other seats, the same deals from every seat.")
    if any(result.games < games for result in matches):
        print(f"After {seconds:g} s no more games were begun; what was compiled is kept for the next time.")


Agents = Annotated[
    list[str] | None,
    typer.Option(
        "-a", "--agents", metavar="AGENT", help="Agent ids: several in quotes, or the option again."
    ),
]


HtmlFile = Annotated[
    Path | None, typer.Option("--html", metavar="FILE", help="Write a report as one HTML file.")
]


def split_agents(agents: list[str] | None) -> list[str]:
    """Ids from options that may hold several."""
    return [name for text in agents or [] for name in text.split()]


def print_tournaments(results: "list[Tournament]", html: Path | None, json: bool) -> None:
    """Print the results as tables or as JSON, and write them into an HTML file if one is named.

    A single result is printed as one JSON document, several as a list of them. What was played is printed
    before it is written: a full disk loses nothing.
    """
    from foodenvs.arena import report

    if json:
        documents = [report.as_dict(result) for result in results]
        print_json(documents[0] if len(documents) == 1 else documents)
    for result in [] if json else results:
        table = new_table(*report.STANDING_COLUMNS)
        for row in report.standing_rows(result):
            add_row(table, *row)
        print_table(table)
        matrix = new_table("against", *result.agents)
        for row in report.matrix_rows(result):
            add_row(matrix, *row)
        print_table(matrix)
        print(report.headline(result))
    if html is not None:
        write(html, report.html(results))


@app.command()
def tournament(
    games: Annotated[list[str], typer.Argument(metavar="GAME...", help="One report for each game.")],
    agents: Agents = None,
    deals: Annotated[
        int, typer.Option("--deals", min=1, help="Deals for every line-up, in all seatings.")
    ] = 100,
    form: Annotated[str, typer.Option("--format", help="round-robin or all-seats.")] = "round-robin",
    seed: Seed = 0,
    players: Players = None,
    option: Options = None,
    components: ComponentFile = None,
    workers: Workers = 1,
    until: Until = None,
    time_limit: TimeLimit = None,
    results: ResultsFile = None,
    html: HtmlFile = None,
    json: Json = False,
) -> None:
    """Every agent against every other: standings, win shares of all pairs, ratings."""
    from foodenvs.arena import Results
    from foodenvs.arena import tournament as arena

    setups = [setup_of(game, players, option, components) for game in games]
    names = split_agents(agents)
    if results is not None and len(setups) > 1:
        raise UsageError("--results keeps one game; give one GAME")
    for setup in setups:
        arena.lineups_of(setup, names, form)
    check_agents(names, *setups)
    if html is not None:
        check_writable(html)
    played = []
    for setup in setups:
        with Results(results, setup, seed, time_limit) as known, progress_bar(setup.game.id) as progress:
            played.append(
                arena.tournament(
                    setup, names, deals, known, form=form, width=until, workers=workers, progress=progress
                )
            )
    print_tournaments(played, html, json)


@app.command()
def ladder(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where the ladder is kept.")],
    agents: Agents = None,
    game: Annotated[str | None, typer.Option("--game", help="The game of a new ladder.")] = None,
    deals: Annotated[
        int | None, typer.Option("--deals", min=1, help="Deals for every pair; else as before.")
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="Of a new ladder.")] = None,
    players: Players = None,
    option: Options = None,
    components: ComponentFile = None,
    workers: Workers = 1,
    time_limit: TimeLimit = None,
    allow_code: AllowCode = False,
    html: HtmlFile = None,
    json: Json = False,
) -> None:
    """A standing table in a file: a new agent plays only what is missing."""
    from foodenvs.arena import ladder as arena

    setup = None if game is None else setup_of(game, players, option, components)
    if setup is None and (players is not None or option or components):
        raise UsageError("--players, --option and --components begin a new ladder; give --game too")
    names = split_agents(agents)
    check_agents(names, *([setup] if setup else []))
    if html is not None:
        check_writable(html)
    with arena.open_ladder(file, setup, seed, time_limit) as results:
        everybody = arena.members(results, names, allow_code)
        arena.lineups_of(results.setup, everybody, "round-robin")
        check_agents(everybody, results.setup)
        with progress_bar(results.setup.game.id) as progress:
            played = arena.ladder(results, everybody, deals, workers=workers, progress=progress)
    print_tournaments([played], html, json)
