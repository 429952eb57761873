"""The `foodenvs` command. Wrong input is one line on stderr and exit code 2; a traceback only on demand."""

import contextlib
import json as jsonlib
import os
import re
import signal
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from foodenvs.documents import from_toml, printable, write
from foodenvs.errors import UserError, told
from foodenvs.games import GAMES
from foodenvs.registration import find_game

if TYPE_CHECKING:
    from rich.table import Table

    from foodenvs.arena import Match
    from foodenvs.arena.tournament import Tournament
    from foodenvs.game import Setup

EXIT_CODES = (
    "Exit codes: 0 done; 1 something that was checked or graded failed; 2 wrong input, or something that "
    "this machine refuses (one line says what); 130 interrupted; 128 + n ended by signal n."
)
app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Hidden-information tabletop games for reinforcement learning: play, measure, check.",
    epilog=EXIT_CODES,
)

GameName = Annotated[
    str,
    typer.Argument(metavar="GAME", help="A game: scratch_catch, scratch_catch-v0, or my_module:GAME."),
]
MoreGames = Annotated[
    list[str] | None,
    typer.Option("--game", metavar="GAME", help="my_module:GAME, a game from outside; may be repeated."),
]
Players = Annotated[int | None, typer.Option("--players", help="Number of seats (the option players).")]
Options = Annotated[
    list[str] | None,
    typer.Option(
        "-o", "--option", metavar="NAME=VALUE", help="An option of the game; VALUE is TOML or text."
    ),
]
ComponentFile = Annotated[
    str | None, typer.Option("--components", metavar="FILE", help="A TOML file with card data.")
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document for machines.")]
Seed = Annotated[int, typer.Option("--seed", help="Same seed, same result.")]
Workers = Annotated[int, typer.Option("--workers", help="Processes; the result is the same.")]
Until = Annotated[
    float | None,
    typer.Option("--until", metavar="WIDTH", min=0, help="Stop when the intervals are so narrow."),
]
TimeLimit = Annotated[
    float | None, typer.Option("--time-limit", metavar="SECONDS", min=0, help="A slower move loses the game.")
]
ResultsFile = Annotated[
    Path | None, typer.Option("--results", metavar="FILE", help="Kept game by game; taken up again.")
]
AllowCode = Annotated[
    bool, typer.Option("--allow-code", help="The file may name modules, files and policies; they are run.")
]


class UsageError(UserError):
    """Wrong input on the command line."""


_tracebacks = False  # whether --traceback was given


@app.callback()
def _before_commands(
    traceback: Annotated[
        bool,
        typer.Option(
            "--traceback", envvar="FOODENVS_TRACEBACK", help="Print the traceback of an error above its line."
        ),
    ] = False,
) -> None:
    global _tracebacks
    _tracebacks = traceback


# Beside UserError: a ValueError says what was wrong with a value, an OSError what the machine refused, an
# ImportError which extra is missing.
EXPECTED = (UserError, ValueError, OSError, ImportError)


def main() -> None:
    """Run the command line. What a person can mend is one line on stderr and exit code 2; see EXIT_CODES."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # it was closed, as by `>&-`
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115
    try:
        with ended_in_order():
            code = app(standalone_mode=False)
    except (KeyboardInterrupt, typer.Abort):
        code = 130
    except BrokenPipeError:  # whoever reads has read enough
        sys.stderr.close()
        code = 1
    except EXPECTED as error:
        if _tracebacks:
            traceback.print_exception(error)
        code = _complain(_in_words(error))
    except Exception as error:
        if not hasattr(error, "format_message"):
            raise
        code = _complain(error.format_message())
    sys.exit(code if isinstance(code, int) else 0)


def _in_words(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror is not None:
        return error.strerror if error.filename is None else f"{error.filename}: {error.strerror}"
    return str(error) or type(error).__name__


def _complain(message: str) -> int:
    line = re.sub(r"(?<!:)\n\s*", "; ", message)  # of several faults
    print(f"foodenvs: {printable(' '.join(line.split()))}", file=sys.stderr)
    return 2


@contextlib.contextmanager
def ended_in_order() -> Iterator[None]:
    """What asks a program to end does so here as Ctrl-C does: what was begun is cleaned up on the way out."""

    def end(number: int, frame: Any) -> None:
        raise SystemExit(128 + number)

    asking = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {number: signal.getsignal(number) for number in asking}
    for number in asking:
        if before[number] == signal.SIG_DFL:  # `nohup` lets a program ignore the second
            signal.signal(number, end)
    try:
        yield
    finally:
        for number in asking:
            signal.signal(number, before[number])


# --- what commands share -----------------------------------------------------------------------


def know_games(games: list[str] | None) -> None:
    """Register games from outside, so that files and browsers may name them."""
    for game in games or []:
        find_game(game)


def setup_of(
    game: str, players: int | None, options: list[str] | None, components: str | None = None
) -> "Setup":
    """The game and options named on the command line, made up."""
    from foodenvs.game import Setup

    found = find_game(game)
    given = dict(_parse_option(text) for text in options or [])
    if players is not None:
        given["players"] = players
    try:
        return Setup(found, given, components)
    except TypeError as error:  # an option that there is not
        raise UsageError(str(error)) from error


def _parse_option(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise UsageError(f"an option is written name=value, got {text!r}")
    try:
        return name, from_toml(f"value = {value}", name)["value"]
    except ValueError:
        return name, value


def print_json(document: Any) -> None:
    """Print a document as indented JSON."""
    print(jsonlib.dumps(document, indent=2))


def new_table(*columns: str, right: int = 0) -> "Table":
    """An empty table whose last `right` columns hold numbers."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD)
    for k, column in enumerate(columns):
        table.add_column(printable(column), justify="right" if k >= len(columns) - right else "left")
    return table


def add_row(table: "Table", *cells: str) -> None:
    """A row of cells, which may hold what files and agents are called."""
    table.add_row(*map(printable, cells))


def print_table(table: "Table") -> None:
    """To a terminal in its width; elsewhere in whatever width the table needs, so that nothing is cut."""
    from rich.console import Console

    width = None if sys.stdout.isatty() else 200
    Console(width=width, markup=False, emoji=False).print(table)


@contextlib.contextmanager
def progress_bar(text: str) -> Iterator[Any]:
    """A progress bar on stderr; yields a function of (done, wanted) and, if there is one, an estimate."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    said = TextColumn("{task.description}", markup=False)
    columns = (said, BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(text, total=None)
        yield lambda done, wanted, estimate="": bar.update(
            task, completed=done, total=wanted, description=printable(f"{text} {estimate}".strip())
        )


def share(low: float, mean: float, high: float) -> str:
    """A win share with its interval, in per cent."""
    return f"{100 * mean:.1f} % [{100 * low:.1f}, {100 * high:.1f}]"


def standings_table(match: "Match") -> "Table":
    """The agents of a match in its order, each with the games that it lost by faults below it."""
    from foodenvs.arena.report import points

    table = new_table("agent", "win share [95 %]", "mean score", "score margin [95 %]", right=3)
    for agent in match.agents:
        margin = "" if agent.margin is None else f"{agent.margin:+.1f}"
        if agent.margin_low is not None:
            margin += f" [{agent.margin_low:+.1f}, {agent.margin_high:+.1f}]"
        add_row(table, agent.id, share(agent.low, agent.win_share, agent.high), points(agent), margin)
        for kind, count in agent.faults.items():
            add_row(table, f"  lost by {kind}", f"{count:,} games", "", "")
    return table


# --- commands ----------------------------------------------------------------------------------


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
def match(
    game: GameName,
    agents: Annotated[list[str], typer.Argument(metavar="AGENT...", help="Agent ids; repeated in turn.")],
    games: Annotated[int, typer.Option("--games", help="Games to play, rounded up to whole deals.")] = 1000,
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
    from foodenvs.arena.block import Crew
    from foodenvs.arena.play import line_up
    from foodenvs.game import check_seed

    setup = setup_of(game, players, option, components)
    check_seed(seed)
    if games < 1:
        raise UsageError(f"--games must be at least 1, got {games}")
    line_up(setup, agents)
    Crew(workers)
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


def check_agents(agents: list[str], *setups: "Setup") -> None:
    """An error unless each id leads to an agent that can sit at these tables."""
    from foodenvs.aec import FoodEnv
    from foodenvs.agents import build_agent, make_agent

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


@app.command()
def demo(
    games: Annotated[int, typer.Option("--games", help="Games for each row, at most.")] = 3000,
    seconds: Annotated[float, typer.Option("--seconds", help="Begin no further games after this time.")] = 60,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Play every game: each of its agents in a seat-rotated match against random players."""
    from foodenvs.arena.demo import run_demo
    from foodenvs.arena.report import points
    from foodenvs.game import check_seed

    check_seed(seed)
    if games < 1:
        raise UsageError(f"--games must be at least 1, got {games}")
    if not seconds > 0:
        raise UsageError(f"--seconds must be more than 0, got {seconds}")
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


@app.command("compile")
def compile_games(
    games: Annotated[list[str] | None, typer.Argument(metavar="[GAME...]", help="By default all.")] = None,
    workers: Annotated[int, typer.Option("--workers", help="So many games at a time.")] = 2,
) -> None:
    """Compile games before they are used, for an image or a cluster; what is compiled already is loaded."""
    from foodenvs.arena.precompile import precompile_all

    if workers < 1:
        raise UsageError(f"--workers must be at least 1, got {workers}")
    found = [find_game(game) for game in games or GAMES]
    for game, seconds in precompile_all(found, workers):
        print(f"{game.name}: {seconds:.1f} s", flush=True)


@app.command()
def bench(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="All games, if none is given.")] = None,
    players: Annotated[int, typer.Option("--players", help="Number of seats, where a game allows it.")] = 4,
    option: Options = None,
    seconds: Annotated[float, typer.Option("--seconds", help="CPU seconds for each figure.")] = 2,
    peers: Annotated[
        bool, typer.Option("--peers", help="Also PettingZoo's leduc_holdem and connect_four.")
    ] = False,
    json: Json = False,
) -> None:
    """Measure speed on one core: decisions per CPU second, compile times, memory."""
    from foodenvs.arena import bench as benchmarks

    if not seconds > 0:
        raise UsageError(f"--seconds must be more than 0, got {seconds}")
    names = [game] if game else list(GAMES)
    setups = [setup_of(name, players, option) for name in names]
    if peers:
        benchmarks.check_peers()
    figures = []
    for setup in setups:
        for figure in benchmarks.measure(setup, seconds):
            figures.append(figure)
            if not json:
                print(figure, flush=True)
    for figure in benchmarks.measure_peers(seconds) if peers else []:
        figures.append(figure)
        if not json:
            print(figure, flush=True)
    if json:
        print_json([figure.as_dict() for figure in figures])


@app.command()
def scenario(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Files of golden scenarios.")],
    game: Annotated[str | None, typer.Option("--game", help="The game of files that name none.")] = None,
    convert: Annotated[
        bool, typer.Option("--convert", help="Write keys of the version before as today's first.")
    ] = False,
    allow_code: AllowCode = False,
    json: Json = False,
) -> None:
    """Replay golden scenarios; exit code 1 and the first difference of each that fails."""
    from foodenvs.testing import scenario as scenarios
    from foodenvs.testing.scenario import load_scenarios, run_files

    for file in files if convert else ():
        changed = scenarios.convert(file, game)
        if not json:
            print(f"{printable(file)}: {changed} keys converted")
    for file in files:
        load_scenarios(file, game, allow_code)
    results = list(run_files(list(files), game, allow_code))
    failed = [(s, error) for s, error in results if error]
    if json:
        print_json([{"file": s.file, "id": s.id, "error": error} for s, error in results])
    else:
        for s, error in failed:
            print(printable(f"{s.file}: {s.id}: {error}"))
        print(f"{len(results) - len(failed)} passed, {len(failed)} failed")
    if failed:
        raise typer.Exit(1)


@app.command()
def check(
    target: Annotated[
        str,
        typer.Argument(
            metavar="TARGET",
            help="MODULE:FACTORY or FILE.py:FACTORY; or a game: its id, or MODULE:GAME.",
        ),
    ],
    seconds: Annotated[float, typer.Option("--seconds", help="About how long, all checks together.")] = 30,
    only: Annotated[
        list[str] | None, typer.Option("--only", metavar="CHECK", help="This check; may be repeated.")
    ] = None,
    players: Players = None,
    option: Annotated[
        list[str] | None,
        typer.Option(
            "-o",
            "--option",
            metavar="NAME=VALUE",
            help="A keyword argument, as TOML or text; of a list, each value.",
        ),
    ] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Say what each check proves.")] = False,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Check any AEC environment: interface, masks, leaks, determinism, memory; exit code 1 for a fault."""
    from foodenvs.game import check_seed
    from foodenvs.testing import conformance

    if not seconds > 0:
        raise UsageError(f"--seconds must be more than 0, got {seconds}")
    options = dict(_parse_option(text) for text in option or [])
    if players is not None:
        options["players"] = players
    check_seed(seed)
    subject = conformance.subject_of(target, None, options)
    conformance.find_checks(only)
    try:
        subject.make(subject.configurations[0])
    except Exception as error:
        raise UsageError(f"{target} makes no environment: {told(error)}") from error

    def say(result: Any) -> None:
        if not json:
            explained = f"\n{conformance.CHECKS[result.check].proves}" if explain else ""
            print(f"{result}{explained}", flush=True)

    report = conformance.check(target, seconds=seconds, seed=seed, checks=only, progress=say, **options)
    if json:
        print_json(report.as_dict())
    else:
        for found in report.failures:
            print(f"\n{found}")
    if not report.passed:
        raise typer.Exit(1)


# --- tournaments -------------------------------------------------------------------------------

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
    """Write the results into an HTML file if one is named, and print them as tables or as JSON.

    A single result is printed as one JSON document, several as a list of them.
    """
    """What was played, printed before it is written: a full disk loses nothing."""
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
    deals: Annotated[int, typer.Option("--deals", help="Deals for every line-up, in all seatings.")] = 100,
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
    from foodenvs.arena.block import Crew
    from foodenvs.game import check_seed

    setups = [setup_of(game, players, option, components) for game in games]
    names = split_agents(agents)
    check_seed(seed)
    if results is not None and len(setups) > 1:
        raise UsageError("--results keeps one game; give one GAME")
    if deals < 1:
        raise UsageError(f"--deals must be at least 1, got {deals}")
    for setup in setups:
        arena.lineups_of(setup, names, form)
    Crew(workers)
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
        int | None, typer.Option("--deals", help="Deals for every pair; else as before.")
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
    from foodenvs.arena.block import Crew
    from foodenvs.game import check_seed

    setup = None if game is None else setup_of(game, players, option, components)
    if setup is None and (players is not None or option or components):
        raise UsageError("--players, --option and --components begin a new ladder; give --game too")
    names = split_agents(agents)
    if seed is not None:
        check_seed(seed)
    if deals is not None and deals < 1:
        raise UsageError(f"--deals must be at least 1, got {deals}")
    Crew(workers)
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


@app.command()
def grade(
    file: Annotated[Path, typer.Argument(metavar="FILE.py", help="The agent's file.")],
    game: Annotated[str, typer.Option("--game", help="The game.")],
    name: Annotated[str | None, typer.Option("--class", help="Which class of the file.")] = None,
    table: Annotated[
        Path | None, typer.Option("--table", metavar="FILE", help="Grade table in TOML.")
    ] = None,
    deals: Annotated[int | None, typer.Option("--deals", help="Deals against each opponent.")] = None,
    also: Annotated[
        list[Path] | None, typer.Option("--with", metavar="FILE", help="A further file that the agent needs.")
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="Repeat a report; else a secret one.")] = None,
    players: Players = None,
    option: Options = None,
    components: ComponentFile = None,
    allow_code: AllowCode = False,
    json: Json = False,
) -> None:
    """Grade a student's agent under limits; exit code 1 if it fails to load, loses by fault, or fails.

    It runs in processes of its own, and as a user of its own where the grader is root. That stops careless
    and mischievous code; hostile code belongs in a container.
    """
    from dataclasses import replace

    from foodenvs.game import check_seed
    from foodenvs.grading import grade as arena
    from foodenvs.grading.sandbox import hide_arguments

    setup = setup_of(game, players, option, components)
    settled = arena.read_table(table, allow_code) if table is not None else arena.GradeTable()
    if deals is not None and deals < 1:
        raise UsageError(f"--deals must be at least 1, got {deals}")
    settled = settled if deals is None else replace(settled, deals=deals)
    if seed is not None:
        check_seed(seed)
        hide_arguments()
    for path in (file, *(also or [])):
        if not path.is_file():
            raise UsageError(f"there is no file {path}")
    with progress_bar(file.name) as progress:
        report = arena.grade(
            file, setup, name=name, table=settled, seed=seed, also=also or [], progress=progress
        )
    if json:
        print_json(report.as_dict())
    else:
        print(report.as_text())
    if not report.clean:
        raise typer.Exit(1)


# --- see it and play it ------------------------------------------------------------------------


@app.command()
def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What to call it: three_pennies.")],
    folder: Annotated[
        Path | None, typer.Option("--folder", metavar="FOLDER", help="Where to; else ./NAME.")
    ] = None,
) -> None:
    """Begin a game of your own: one module that works, its golden cases and tests."""
    from foodenvs import scaffold

    where = folder or Path(name)
    for file in scaffold.new(name, where):
        print(file)
    print(f"Try it: cd {where} && python -m pytest && foodenvs play {name}:GAME --seats human greedy")


@app.command()
def rules(game: GameName) -> None:
    """Print a game's page: its rules, observations, actions, rewards and options."""
    from foodenvs.ui.terminal import print_page

    print_page(find_game(game))


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
        sitting = terminal.resume(resume, game, seated, allow_code)
    elif game is None:
        raise UsageError("name a game, or a file with --resume")
    else:
        seated = seated or ["human", "greedy"]
        if players is None and len(seated) > 2:
            players = len(seated)
        setup = setup_of(game, players, option, components)
        sitting = terminal.deal(setup, seated, seed)
    terminal.Terminal(sitting, hints).run()


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


if __name__ == "__main__":
    main()
