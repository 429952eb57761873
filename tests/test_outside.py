"""Games from outside: registered, named `my_module:GAME`, or offered by an installed package."""

import json
import subprocess
import sys
from pathlib import Path

import gymnasium
import pettingzoo
import pytest
import toy
from pettingzoo.env_registry.registration import aec_registry

import foodenvs
from foodenvs import replay
from foodenvs.docs.tables import tables
from foodenvs.envs.registry import find_game, load, named_game
from foodenvs.games import _LISTED, Games
from foodenvs.testing import check
from foodenvs.testing.scenario import ScenarioError, load_scenarios, run_files

GAMES = foodenvs.GAMES
CASE = """
game = "toy-v0"
[[scenario]]
id = "throw"
[scenario.position]
purses = [2, 1]
[[scenario.step]]
action = "throw"
[scenario.expect]
agent = "player_1"
purses = [1, 1]
"""


@pytest.fixture(autouse=True)
def registries(monkeypatch):
    """What a test registers is forgotten after it."""
    for name in ("ids", "_addresses"):
        monkeypatch.setattr(GAMES, name, dict(getattr(GAMES, name)))
    monkeypatch.setattr(GAMES, "_only_here", set())
    before = [(registry, set(registry)) for registry in (aec_registry, gymnasium.registry)]
    yield
    for registry, known in before:
        for name in registry.keys() - known:
            del registry[name]


def test_a_registered_game_is_known_by_its_id_everywhere():
    with pytest.raises(ValueError, match="unknown game 'toy'; there are scratch_catch-v0"):
        foodenvs.make("toy")
    assert foodenvs.register_game(toy.GAME) is toy.GAME
    assert foodenvs.register_game("toy:GAME") is toy.GAME
    assert list(GAMES)[-1] == "toy"
    assert GAMES["toy"] is find_game("toy-v0") is named_game("foodenvs/toy-v0", "a file") is toy.GAME
    for env in (foodenvs.make("toy", players=3), pettingzoo.make("aec", "foodenvs/toy-v0", players=3)):
        env.reset(seed=1)
        assert env.num_agents == 3
    learner = gymnasium.make("foodenvs/toy-v0", opponents="greedy")
    assert learner.reset(seed=1)[0].shape == (2,)
    assert gymnasium.make_vec("foodenvs/toy-v0", num_envs=2).reset(seed=1)[0].shape == (2, 2)
    assert foodenvs.make_batch("toy", 3).observation.shape == (3, 2)


def test_a_game_is_named_by_its_module_in_python_and_then_known():
    env = foodenvs.make("toy:GAME", players=4).unwrapped
    env.reset(seed=2)
    assert env.setup.game is toy.GAME
    assert find_game("toy") is toy.GAME


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("toy:NOTHING", "toy:NOTHING: toy has no NOTHING"),
        ("toy:LIMIT", "'toy:LIMIT' is no foodenvs.core.game.Game"),
        ("no_such_module:GAME", "no_such_module:GAME: ModuleNotFoundError: No module named 'no_such_module'"),
        ("nowhere.py:GAME", "nowhere.py:GAME: there is no file nowhere.py"),
        ("toy.:GAME", "toy.:GAME: "),
        (":GAME", "':GAME' is not written module:name"),
        ("toy:", "'toy:' is not written module:name"),
    ],
)
def test_what_leads_to_no_game_says_why(address, message):
    with pytest.raises(ValueError, match=message):
        find_game(address)
    assert "toy" not in GAMES


def test_an_error_in_a_games_module_is_told_with_its_line(tmp_path, foodenvs, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    Path("helpful.py").write_text("def f():\n    return [][1]\n")
    Path("faulty_game.py").write_text("import helpful\nhelpful.f()\n")
    place = "faulty_game:GAME: helpful.py:2, in f: IndexError: list index out of range"
    with pytest.raises(ValueError, match=place):
        find_game("faulty_game:GAME")
    for command in (["check"], ["rules"], ["match", "random"]):
        assert foodenvs(command[0], "faulty_game:GAME", *command[1:])[2] == f"foodenvs: {place}\n"
    Path("misnamed_game.py").write_text(
        "from foodenvs.core.game import Game\nGame.of_module('wrong', 'Wrong')\n"
    )
    message = "misnamed_game.py:2: ValueError: Game.of_module takes the name of its own module, __name__"
    with pytest.raises(ValueError, match=message):
        find_game("misnamed_game:GAME")


def test_several_faults_of_a_game_are_one_line_on_the_command_line(tmp_path, foodenvs, monkeypatch):
    monkeypatch.setattr(sys, "path", [*sys.path])
    file = tmp_path / "empty_game.py"
    file.write_text("from foodenvs.core.game import Game\nGAME = Game.of_module(__name__, 'Empty')\n")
    code, _, said = foodenvs("match", f"{file}:GAME", "random")
    assert (code, len(said.splitlines())) == (2, 1)
    assert "(foodenvs.core.contract): rules.OPTIONS is missing: tuple" in said
    assert "with a range; rules.ACTIONS is missing: int" in said


def test_the_folder_of_a_named_module_is_searched_first_only_for_it(tmp_path, monkeypatch):
    """Its neighbours hide no other module afterwards, and are found all the same."""
    monkeypatch.chdir(tmp_path)
    before = [place for place in sys.path if place not in ("", str(tmp_path))]
    monkeypatch.setattr(sys, "path", [*before])
    Path("a_module.py").write_text("import sys\nplaces = [*sys.path]\n")
    with pytest.raises(ValueError, match="a_modul:places"):
        load("a_modul:places")
    assert sys.path == before
    for _ in range(2):
        assert load("a_module:places") == [str(tmp_path), *before]
        assert sys.path == [*before, str(tmp_path)]


def test_a_file_does_not_name_a_game_that_nobody_registered(tmp_path):
    """By no name at all: not by its id, and never by its module."""
    for name in ("toy-v0", "toy:GAME"):
        with pytest.raises(ValueError, match=f"a file: names the game '{name}'; it may name scratch_catch"):
            named_game(name, "a file")
    foodenvs.register_game(toy.GAME)
    with pytest.raises(ValueError, match="names the game 'toy:GAME'"):
        named_game("toy:GAME", "a file")


def test_two_games_cannot_have_one_name():
    import dataclasses

    other = dataclasses.replace(toy.GAME, title="Four Pennies")
    with pytest.raises(ValueError, match="toy-v0 must be called GAME in the module toy"):
        foodenvs.register_game(other)
    with pytest.raises(ValueError, match="a game's name must be an identifier, got 'a b'"):
        foodenvs.register_game(dataclasses.replace(toy.GAME, name="a b"))


def test_installed_packages_add_games(tmp_path, monkeypatch):
    info = tmp_path / "pennies-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: pennies\nVersion: 1\n")
    offered = "".join(f"{name} = toy:GAME\n" for name in ("toy-v0", "scratch_catch-v0", "bad", "no-v1"))
    (info / "entry_points.txt").write_text(f"[foodenvs.games]\n{offered}")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.warns(UserWarning, match="is left out") as warned:
        games = Games(_LISTED)
    assert [str(w.message).partition(": ")[2] for w in warned] == [
        "there is a game scratch_catch already", "it must be called NAME-vN",
    ]  # fmt: skip
    assert list(games)[5:] == ["toy", "no"]
    assert games["toy"] is toy.GAME
    assert games["scratch_catch"] is GAMES["scratch_catch"]
    assert games.everywhere(toy.GAME) == "toy"
    with pytest.raises(ValueError, match="toy:GAME is offered as no-v1, but is no such game"):
        games["no"]


def test_the_kit_checks_a_game_from_outside():
    """By its module, as the guide's; which passes every check."""
    report = check("toy:GAME", seconds=0, games=1, positions=1, checks=["play"], configurations=[{}])
    assert report.passed, report
    assert GAMES.everywhere(toy.GAME) == "toy:GAME"


def test_replays_scenarios_and_pages_work_on_it(tmp_path):
    foodenvs.register_game(toy.GAME)
    recorder = replay.Recorder(foodenvs.make("toy", players=2))
    recorder.reset(seed=3)
    while any(recorder.infos[recorder.agent_selection]["action_mask"]):
        recorder.step(0)
    again = replay.from_json(json.dumps(recorder.replay().as_dict()))
    assert again.at(-1).view() == recorder.unwrapped.view()
    file = tmp_path / "toy.toml"
    file.write_text(CASE)
    assert [error for _, error in run_files([file])] == [""]
    with pytest.raises(ScenarioError, match="is of toy-v0, not of scratch_catch-v0"):
        load_scenarios(file, "scratch_catch")
    assert "Discrete(2)" in tables(toy.GAME)["facts"]


def test_the_commands_take_a_module(tmp_path, foodenvs):
    case, saved = tmp_path / "toy.toml", tmp_path / "games"
    case.write_text(CASE)
    for arguments in (
        ["match", "toy:GAME", "greedy", "random", "--games", 4, "--save", saved],
        ["rules", "toy:GAME"],
        ["scenario", case, "--game", "toy:GAME"],
        ["check", "toy:GAME", "--only", "mask", "--seconds", 0.1],
        ["play", "toy:GAME", "--seats", "random", "--seed", 1],
    ):
        code, out, said = foodenvs(*arguments)
        assert code == 0, (arguments, out, said)
    [first, *_] = sorted(saved.iterdir())
    code, _, _ = foodenvs("replay", first, "--game", "toy:GAME")
    assert code == 0


def write_game(folder, old="", new=""):
    """The toy as a module `pennies` in a folder, changed in one place."""
    source = Path(toy.__file__).read_text().replace("from toy.limits import LIMIT", "LIMIT = 3")
    assert old in source
    (folder / "pennies.py").write_text(source.replace('"toy"', '"pennies"').replace(old, new))


def test_a_process_finds_a_game_in_its_folder(tmp_path):
    """The installed command, unlike `python -m`, does not look there by itself."""
    write_game(tmp_path)
    program = "import sys; sys.argv[:] = ['foodenvs', 'rules', 'pennies:GAME']; sys.path.remove(''); "
    program += "from foodenvs.__main__ import main; main()"
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout.startswith("Three Pennies"), done.stderr


def test_a_rule_that_writes_past_its_field_is_caught(tmp_path):
    """Compiled it writes into the next field without a word; the kit also plays in pure mode.

    In every other game, but not in the one that is played at the first use, which would show it.
    """
    past = "    s.left -= 1\n    s.purse[SEATS * (s.rng[0] % 2)] = 0\n"
    write_game(tmp_path, "    s.left -= 1\n", past)
    program = (
        "from foodenvs.testing import check\n"
        "report = check('pennies:GAME', seconds=0, games=2, checks=['engines'], configurations=[{}])\n"
        "print([fault.message for fault in report.failures])"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True)
    assert "IndexError" in done.stdout, done.stdout + done.stderr
