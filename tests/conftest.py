"""The `game` fixture runs over every listed game, so a game is tested as soon as it is listed.

`--long` adds the tests marked `long` and gives sweeps their full size. A test marked `extra` is skipped
where what the extra installs is missing, and fails there with `--require-extras`.
"""

import importlib.util
import os
import shutil
import sys

import helpers
import pytest
from hypothesis import settings

from foodenvs import cli
from foodenvs.arena.precompile import precompile_all
from foodenvs.core.game import Game
from foodenvs.engine import PURE
from foodenvs.games import GAMES

MODULES = {  # what each extra is known by
    "sb3": ("torch", "stable_baselines3", "sb3_contrib", "tensorboard"),
    "openspiel": ("pyspiel",),
    "web": ("starlette", "uvicorn"),
    "window": ("pygame",),
    "peers": ("pygame", "rlcard", "pyspiel", "shimmy"),
    "browser": ("starlette", "uvicorn", "playwright"),
    "rllib": ("ray", "torch"),
}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="also tests marked long; sweeps at full size")
    parser.addoption(
        "--require-extras", action="store_true", help="a test marked extra fails where the extra is missing"
    )


def pytest_configure(config: pytest.Config) -> None:
    helpers.LONG = config.getoption("--long")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"):  # a screen changes nothing, broken or not
        os.environ.pop(name, None)
    settings.register_profile("repeatable", derandomize=True, database=None)  # the same in every run
    settings.load_profile("repeatable")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--long"):
        return
    left_out = [item for item in items if item.get_closest_marker("long")]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in set(left_out)]


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector):
    report = yield
    if report.skipped and collector.config.getoption("--require-extras"):
        report.outcome = "failed"
    return report


def pytest_runtest_setup(item: pytest.Item) -> None:
    for mark in item.iter_markers("extra"):
        for extra in mark.args:
            missing = [name for name in MODULES[extra] if importlib.util.find_spec(name) is None]
            if extra == "browser" and not any(map(shutil.which, helpers.BROWSERS)):
                missing.append("chromium")
            if missing:
                end = pytest.fail if item.config.getoption("--require-extras") else pytest.skip
                end(f"needs the extra {extra}: {', '.join(missing)} missing")


def pytest_sessionstart(session: pytest.Session) -> None:
    """Where the whole suite is run, the games are compiled side by side before the workers of xdist begin."""
    config = session.config
    workers = getattr(config.option, "numprocesses", None)
    whole = config.args_source is pytest.Config.ArgsSource.TESTPATHS and not config.option.keyword
    if whole and workers and not PURE and not config.option.collectonly:
        for _ in precompile_all(list(GAMES.values()), workers):
            pass


@pytest.fixture
def foodenvs(monkeypatch, capsys):
    """The command, run in this process: exit code, standard output and standard error."""

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["foodenvs", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        out, said = capsys.readouterr()
        return ended.value.code, out, said

    return run


@pytest.fixture(params=list(GAMES))
def game(request: pytest.FixtureRequest) -> Game:
    return GAMES[request.param]
