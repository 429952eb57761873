"""What is checked and measured: environments, golden scenarios, speed."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from foodenvs.cli.base import (
    AllowCode,
    Json,
    Options,
    Players,
    Seed,
    UsageError,
    app,
)
from foodenvs.cli.given import parse_option, setup_of
from foodenvs.cli.show import print_json
from foodenvs.core.documents import printable
from foodenvs.core.errors import told
from foodenvs.games import GAMES

if TYPE_CHECKING:
    pass


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
    from foodenvs.testing import conformance

    options = dict(parse_option(text) for text in option or [])
    if players is not None:
        options["players"] = players
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
