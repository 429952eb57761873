"""`foodenvs new NAME`: a game that works, in one module, to be changed into one's own.

The files beside this one are what is written, with NAME and TITLE for the game's.
"""

import keyword
from pathlib import Path

from foodenvs.core.documents import write
from foodenvs.games import GAMES

HERE = Path(__file__).parent
FILES = {
    "game.py": "{name}.py",
    "golden.toml": "tests/{name}.toml",
    "test_game.py": "tests/test_{name}.py",
    "project.toml": "pyproject.toml",
}


def new(name: str, folder: Path) -> list[Path]:
    """Write a new game into a folder, which is made; returns its files.

    Raises ValueError for a name that cannot be a module's or that another game has, and where a file exists.
    """
    if not name.isidentifier() or not name.isascii() or name != name.lower() or keyword.iskeyword(name):
        raise ValueError(f"the name of a game is one of a module, like three_pennies; got {name!r}")
    if name in GAMES:
        raise ValueError(f"there is a game {name} already")
    targets = {source: folder / target.format(name=name) for source, target in FILES.items()}
    for target in targets.values():
        if target.exists():
            raise ValueError(f"{target} exists already; nothing was written")
    title = name.replace("_", " ").title()
    (folder / "tests").mkdir(parents=True, exist_ok=True)
    for source, target in targets.items():
        text = (HERE / f"{source}.txt").read_text(encoding="utf-8")
        write(target, text.replace("TITLE", title).replace("NAME", name))
    return list(targets.values())
