"""Grading students' agents."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from foodenvs.cli.base import (
    AllowCode,
    ComponentFile,
    Json,
    Options,
    Players,
    UsageError,
    app,
)
from foodenvs.cli.given import setup_of
from foodenvs.cli.show import print_json, progress_bar

if TYPE_CHECKING:
    pass


@app.command()
def grade(
    file: Annotated[Path, typer.Argument(metavar="FILE.py", help="The agent's file.")],
    game: Annotated[str, typer.Option("--game", help="The game.")],
    name: Annotated[str | None, typer.Option("--class", help="Which class of the file.")] = None,
    table: Annotated[
        Path | None, typer.Option("--table", metavar="FILE", help="Grade table in TOML.")
    ] = None,
    deals: Annotated[int | None, typer.Option("--deals", min=1, help="Deals against each opponent.")] = None,
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

    from foodenvs.core.checks import check_seed
    from foodenvs.grading import grade as arena
    from foodenvs.grading.sandbox import hide_arguments

    setup = setup_of(game, players, option, components)
    settled = arena.read_table(table, allow_code) if table is not None else arena.GradeTable()
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
