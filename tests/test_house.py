"""The rooms of the house: who may import whom, and that nobody reaches into another's private parts."""

import ast
from pathlib import Path

import pytest

import foodenvs

HOME = Path(foodenvs.__file__).parent
SOURCES = sorted(HOME.rglob("*.py"))
# What each room may import; the package itself (its version) all. `core` names `drawing` in types only.
ARROWS = {
    "engine": set(),
    "drawing": {"core", "engine"},
    "core": {"engine", "drawing"},
    "games": {"core", "engine", "drawing"},
    "agents": {"core", "engine"},
    "envs": {"agents", "games", "core", "engine", "drawing"},
    "arena": {"envs", "agents", "games", "core", "engine"},
    "bridges": {"envs", "agents", "games", "core", "engine"},
    "replay": {"arena", "envs", "core", "engine", "drawing"},
    "grading": {"arena", "envs", "agents", "core", "engine"},
    "testing": {"envs", "games", "core", "engine"},
    "docs": {"envs", "core"},
    "ui": {"replay", "envs", "agents", "games", "core", "drawing"},
}
OTHERS = {
    "_exit",
    "_cumulative_rewards",
    "_update_observations",
    "_update_action_masks",
}  # Python's, PettingZoo's


def imported(tree):
    """The rooms that a module imports, at its head and inside its functions; "" is the package itself."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == "foodenvs":
            yield from (alias.name if (HOME / alias.name).is_dir() else "" for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("foodenvs."):
            yield node.module.split(".")[1]
        elif isinstance(node, ast.Import):
            yield from (
                n.name.partition(".")[2].split(".")[0]
                for n in node.names
                if n.name.split(".")[0] == "foodenvs"
            )


@pytest.mark.parametrize("room", ARROWS)
def test_arrows_between_rooms_point_one_way(room):
    for path in SOURCES:
        if path.relative_to(HOME).parts[0] == room:
            wrong = set(imported(ast.parse(path.read_text()))) - ARROWS[room] - {room, ""}
            assert not wrong, (path, wrong)


def test_every_room_has_its_arrows():
    rooms = {path.relative_to(HOME).parts[0] for path in SOURCES if len(path.relative_to(HOME).parts) > 1}
    assert rooms == ARROWS.keys() | {"cli"}


def test_no_module_touches_anothers_private_names():
    for path in SOURCES:
        tree = ast.parse(path.read_text())
        defined = {n.name for n in ast.walk(tree) if isinstance(n, (ast.FunctionDef, ast.ClassDef))}
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("foodenvs"):
                assert not [a.name for a in node.names if private(a.name)], path
            if (
                isinstance(node, ast.Attribute)
                and isinstance(node.value, ast.Name)
                and node.value.id in ("self", "cls")
            ):
                defined.add(node.attr)
        if path.parent.name == "engine":  # numba's own parts, see `foodenvs.engine.private`
            continue
        touched = {n.attr for n in ast.walk(tree) if isinstance(n, ast.Attribute) and private(n.attr)}
        assert touched <= defined | OTHERS, (path, touched - defined)


def private(name):
    return name.startswith("_") and not name.startswith("__")
