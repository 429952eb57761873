"""From clause to code to case: `python -m foodenvs.docs.trace [--check] [--tests FOLDER] [--page FILE] GAME`.

For each clause of a game's page: where the rulebook says it, which functions carry it out, which golden cases
and tests show it. Code is found by comments (`# SC-13`) and docstrings ("SC-11 to SC-13") in what `rules` and
`information` are made of; tests likewise, in test_NAME.py of FOLDER or FOLDER/games. NAME.toml of FOLDER or
FOLDER/golden holds the golden cases, each with the clauses that it shows, and what no program can find:

    [rulebook]   "page 4" = ["SC-08", "SC-09"]   where the printed text says them, or why it does not
    [excused]    CM-01 = "flavour"               clauses with nothing to carry out, and why
"""

import argparse
import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.util import resolve_name
from pathlib import Path
from typing import Any

from foodenvs.core.documents import toml_file, write
from foodenvs.core.game import Game
from foodenvs.core.notation import Reader
from foodenvs.docs.tables import markdown_table
from foodenvs.envs.registry import find_game

_CLAUSE = re.compile(r"\b([A-Z]{2})-(\d\d)(?: to \1-(\d\d))?\b")
_HEADING = "# ---"  # a comment that heads a part of a module belongs to no function


@dataclass(frozen=True)
class Clause:
    """A clause of a game's page; of each list there may be none.

    places: where the rulebook says it.  code: what carries it out, as module.function.  cases: ids of golden
    cases and names of tests.  excuse: why there is nothing to carry out; "" for a rule.
    """

    name: str
    places: list[str]
    code: list[str]
    cases: list[str]
    excuse: str

    @property
    def gaps(self) -> list[str]:
        """What it should name and does not, or names although it is excused."""
        missing = [] if self.places else [f"{self.name}: [rulebook] does not say where it stands"]
        if self.excuse:
            return [*missing, *(f"{self.name}: excused, but {name} carries it out" for name in self.code)]
        return [
            *missing,
            *([] if self.code else [f"{self.name}: no code names it"]),
            *([] if self.cases else [f"{self.name}: no golden case or test names it"]),
        ]


def trace(game: Game, folder: Path) -> list[Clause]:
    """The clauses of a game's page, in their order by name; folder: where its golden cases and tests are.

    Raises ValueError where there are none, and for a clause that is named anywhere and not on the page.
    """
    cases, tests_file = f"{game.name}.toml", f"test_{game.name}.py"
    files = [path for path in (folder / "golden" / cases, folder / cases) if path.exists()]
    if not files:
        raise ValueError(f"{folder}: there is neither golden/{cases} nor {cases}")
    read = Reader(toml_file(files[0]), str(files[0]), ValueError)
    rulebook, excused = read.table("rulebook", default={}), read.table("excused", default={})
    places = [(name, place) for place in rulebook.data for name in rulebook.items(place, None, str)]
    scenarios = [
        (name, case.get("id", str))
        for case in read.tables("scenario", "scenario")
        for name in case.items("rules", None, str, [])
    ]
    written = [path for path in (folder / "games" / tests_file, folder / tests_file) if path.exists()]
    functions = [pair for path in written for pair in _named(path, "")]
    tests = [(name, function) for name, function in functions if function.startswith("test_")]
    code = [pair for module in _modules(game) for pair in _named(*module)]
    names = sorted(set(_clauses(game.page)))
    for name, where in [*places, *scenarios, *tests, *code, *((name, "[excused]") for name in excused.data)]:
        if name not in names:
            raise ValueError(f"{where} names {name}, which is not on the page of {game.name}")
    return [
        Clause(
            name,
            _of(name, places),
            _of(name, code),
            _of(name, scenarios) + [f"`{test}`" for test in _of(name, tests)],
            excused.get(name, str, ""),
        )
        for name in names
    ]


def _of(name: str, pairs: Sequence[tuple[str, str]]) -> list[str]:
    return list(dict.fromkeys(where for clause, where in pairs if clause == name))


def _clauses(text: str) -> Iterator[str]:
    """The clauses that a text names, those between the ends of a range too."""
    for letters, first, last in _CLAUSE.findall(text):
        yield from (f"{letters}-{number:02}" for number in range(int(first), int(last or first) + 1))


def _named(path: Path, prefix: str) -> Iterator[tuple[str, str]]:
    """(clause, function) for each clause in a comment within or right before a function or in a docstring."""
    source = path.read_text(encoding="utf-8")
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    comments = {token.start[0]: token.string for token in tokens if token.type == tokenize.COMMENT}
    lines = source.splitlines()
    for node in ast.parse(source).body:
        name = _name(node)
        if not name:
            continue
        first = min([node.lineno, *(mark.lineno for mark in getattr(node, "decorator_list", []))])
        while first > 1 and lines[first - 2].startswith("#") and not lines[first - 2].startswith(_HEADING):
            first -= 1
        texts = [comments[line] for line in range(first, (node.end_lineno or first) + 1) if line in comments]
        texts += [_docstring(inner) for inner in ast.walk(node)]
        for clause in _clauses("\n".join(texts)):
            yield clause, prefix + name


def _name(node: ast.stmt) -> str:
    """What a statement of a module defines; "" for one that is no definition."""
    if isinstance(node, ast.Assign | ast.AnnAssign):
        return ast.unparse(node.targets[0] if isinstance(node, ast.Assign) else node.target)
    return getattr(node, "name", "")


def _docstring(node: ast.AST) -> str:
    return (ast.get_docstring(node) or "") if isinstance(node, ast.FunctionDef | ast.ClassDef) else ""


def _modules(game: Game) -> Iterator[tuple[Path, str]]:
    """The files that rules and information are made of, each with what its functions are called by."""
    seen: set[str] = set()
    todo = [game.rules.__name__, game.information.__name__]
    while todo:
        name = todo.pop(0)
        module: Any = sys.modules.get(name)
        if name in seen or module is None:
            continue
        seen.add(name)
        path = Path(module.__file__)
        yield path, "" if name == game.home else name.removeprefix(f"{game.home}.") + "."
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                source = resolve_name("." * node.level + (node.module or ""), module.__package__)
                names = [source, *(f"{source}.{alias.name}" for alias in node.names)]
                todo += [name for name in names if name.startswith(f"{game.home}.")]


def page(game: Game, clauses: Sequence[Clause]) -> str:
    """The page of a game's clauses, as Markdown."""
    rows = [
        (
            clause.name,
            ", ".join(clause.places),
            f"*{clause.excuse}*" if clause.excuse else ", ".join(f"`{name}`" for name in clause.code),
            ", ".join(clause.cases),
        )
        for clause in clauses
    ]
    return f"""# {game.title}: where each clause stands

What the clauses say stands on the game's page, `help("{game.home}")`. Here stands where the
rulebook says each, which functions carry it out, and which golden cases and tests show it; in italics, why
there is nothing to carry out. `python -m foodenvs.docs.trace {game.name}` writes this page.

{markdown_table(("clause", "rulebook", "code", "cases and tests"), rows)}
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; returns the exit code: 1 where a clause has a gap or, with --check, the page is old."""
    parser = argparse.ArgumentParser("python -m foodenvs.docs.trace", description=__doc__.partition("\n")[0])
    parser.add_argument(
        "game", metavar="GAME", help="scratch_catch, my_module:GAME, path/to/my_module.py:GAME"
    )
    parser.add_argument("--tests", metavar="FOLDER", type=Path, default=Path("tests"), help="default: tests")
    parser.add_argument(
        "--page", metavar="FILE", type=Path, help="what to write; default: foodenvs/docs/rules/GAME.md"
    )
    parser.add_argument("--check", action="store_true", help="write nothing; say whether it is up to date")
    given = parser.parse_args(arguments)
    try:
        game = find_game(given.game)
        clauses = trace(game, given.tests)
    except ValueError as error:
        parser.error(str(error))
    file: Path = given.page or Path("foodenvs/docs/rules") / f"{game.name}.md"
    gaps = [gap for clause in clauses for gap in clause.gaps]
    text = page(game, clauses)
    same = file.exists() and file.read_text(encoding="utf-8") == text
    if not (same or given.check):
        write(file, text)
    said = "up to date" if same else "out of date" if given.check else "written"
    print(*gaps, f"{file}: {said}", sep="\n")
    return 1 if gaps or (given.check and not same) else 0


if __name__ == "__main__":
    sys.exit(main())
