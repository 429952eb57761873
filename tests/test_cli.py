"""The command: what it prints, its JSON, and one line with exit code 2 for wrong input."""

import errno
import importlib
import io
import json
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from foodenvs import __main__ as command
from foodenvs.arena import Results
from foodenvs.cli import matches
from foodenvs.core.setup import Setup
from foodenvs.games import GAMES

GOLDEN = Path(__file__).parent / "golden"


def test_the_command_runs_as_a_process():
    command = [sys.executable, "-m", "foodenvs"]
    done = subprocess.run([*command, "list"], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    done = subprocess.run([*command, "fly"], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")


def test_an_interrupt_while_the_command_is_imported_is_no_error(monkeypatch):
    class Interrupted:
        def find_spec(self, name, *rest):
            if name == "foodenvs.cli":
                raise KeyboardInterrupt

    monkeypatch.delitem(sys.modules, "foodenvs.cli")
    monkeypatch.setattr(sys, "meta_path", [Interrupted(), *sys.meta_path])
    with pytest.raises(SystemExit) as ended:
        command.main()
    assert ended.value.code == 130


@pytest.mark.parametrize("arguments", [("rules", "katsu_curry"), ("list", "--json")])
def test_a_reader_who_has_read_enough_is_no_error(arguments):
    command = [sys.executable, "-m", "foodenvs", *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait() == 1


@pytest.mark.parametrize(
    ("game", "options", "message"),
    [
        ("scratch_catch", ("--players", 99), "players must be 2 to 6, got 99"),
        ("katsu_curry", ("--players", 2, "--json"), "players must be 3 to 10, got 2"),
        ("scratch_catch", ("-o", "isolated_fleas=9"), "isolated_fleas must be"),
    ],
)
def test_a_check_of_a_game_that_there_is_not_says_why(foodenvs, game, options, message):
    code, out, said = foodenvs("check", game, *options)
    assert (code, out) == (2, "")
    assert message in said


def test_nothing_but_errors_is_said_where_nobody_watches(foodenvs):
    code, _, said = foodenvs("match", "scratch_catch", "greedy", "random", "--games", 6, "--players", 2)
    assert code == 0
    assert all(line.startswith("foodenvs: compiling") for line in said.splitlines())


def test_list_names_every_game(foodenvs):
    code, out, _ = foodenvs("list")
    assert code == 0
    assert all(game_id in out for game_id in GAMES.ids.values())
    games = json.loads(foodenvs("list", "--json")[1])
    assert [game["id"] for game in games] == list(GAMES.ids.values())
    assert "greedy, expert, ppo (2, 3 players)" in out
    assert games[0]["ppo_players"] == [2, 3]
    assert all({"players"} <= game["options"].keys() and "random" in game["agents"] for game in games)


def test_match_prints_a_table_and_a_document(foodenvs):
    arguments = ("match", "scratch_catch", "greedy", "random", "--games", 60, "--seed", 3)
    code, out, _ = foodenvs(*arguments)
    assert code == 0
    assert "greedy" in out
    assert "60 games (20 deals x 3 seatings)" in out
    code, out, _ = foodenvs(*arguments, "--json")
    result = json.loads(out)
    assert result.keys() == {"game", "options", "games", "agents"}
    assert result["game"] == "scratch_catch-v0"
    assert [list(agent) for agent in result["agents"]] == [
        ["id", "win_share", "low", "high", "games", "finished", "mean_score", "margin", "margin_low",
         "margin_high", "faults"]
    ] * 2  # fmt: skip
    assert foodenvs(*arguments, "--json")[1] == out


def test_options_reach_the_game(foodenvs, tmp_path):
    own = tmp_path / "own.toml"
    own.write_text('[start_fleas]\nsource = "mine"\n2 = 5\n3 = 5\n4 = 5\n5 = 5\n6 = 5\n')
    code, out, _ = foodenvs(
        "match", "scratch_catch", "random", "--games", 8, "--players", 4,
        "-o", "isolated_fleas=1", "-o", "deck_end=empty", "--components", own, "--json",
    )  # fmt: skip
    assert code == 0
    told = json.loads(out)["options"]
    assert (told["players"], told["isolated_fleas"], told["deck_end"]) == (4, 1, "empty")
    assert told["chakapuces_points"] == 0  # as it is where nobody says anything


def test_own_agents_are_found_by_file(foodenvs, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(
        "class First:\n    def reset(self, seed): pass\n"
        "    def act(self, observation, info): return int(info['action_mask'].argmax())\n"
    )
    code, out, _ = foodenvs("match", "scratch_catch", "mine.py:First", "greedy", "--games", 3)
    assert code == 0
    assert "mine.py:First" in out


def test_demo_plays_every_game(foodenvs, monkeypatch):
    code, out, _ = foodenvs("demo", "--games", 4, "--json")
    assert code == 0
    results = json.loads(out)
    assert list(dict.fromkeys(r["game"] for r in results)) == list(GAMES.ids.values())
    monkeypatch.setattr(matches, "GAMES", {"scratch_catch": GAMES["scratch_catch"]})
    code, out, _ = foodenvs("demo", "--games", 1000, "--seconds", 0.001)
    assert code == 0
    assert "scratch_catch-v0" in out
    assert "After 0.001 s no more games were begun" in out


@pytest.mark.long  # for it compiles a game from nothing, to measure that
def test_bench_prints_a_figure_a_line(foodenvs):
    code, out, _ = foodenvs("bench", "scratch_catch", "--seconds", 0.05)
    assert code == 0
    for what in (
        "AEC",
        "batch of 1,024",
        "rollouts",
        "matches",
        "state record",
        "compiling",
        "from the cache",
    ):
        assert sum(what in line for line in out.splitlines()) >= 1
    figures = json.loads(foodenvs("bench", "scratch_catch", "--seconds", 0.05, "--json")[1])
    keys = {"game", "what", "value", "unit", "cpu_seconds", "wall_seconds"}
    assert all(figure.keys() == keys and figure["value"] > 0 for figure in figures)


def test_scenario_replays_files_and_fails_with_code_1(foodenvs, tmp_path):
    golden = (GOLDEN / "scratch_catch.toml").read_text().count("[[scenario]]")
    code, out, _ = foodenvs("scenario", GOLDEN / "scratch_catch.toml")
    assert (code, out) == (0, f"{golden} passed, 0 failed\n")
    case = tmp_path / "case.toml"
    case.write_text('[[scenario]]\nid = "wrong"\n[scenario.expect]\nfleas = [1, 2, 3]\n')
    code, out, _ = foodenvs("scenario", "--game", "scratch_catch", case)
    assert code == 1
    assert "case.toml: wrong: fleas: expected [1, 2, 3], found [20, 20, 20]" in out
    assert json.loads(foodenvs("scenario", "--game", "scratch_catch", case, "--json")[1])[0]["error"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("fly",), "No such command 'fly'"),
        (("match",), "Missing argument 'GAME'"),
        (("match", "scratch_catch"), "Missing argument 'AGENT...'"),
        (("match", "chess", "random"), "unknown game 'chess'; there are scratch_catch-v0"),
        (("match", "scratch_catch", "nobody"), "unknown agent 'nobody'"),
        (("match", "scratch_catch", "no.such:Agent"), "there is no module no.such"),
        (
            ("match", "scratch_catch", "random", "--games", "0"),
            "should be greater than or equal to 1",
        ),
        (("match", "scratch_catch", "random", "--games", "many"), "'--games'"),
        (
            ("match", "scratch_catch", "random", "--seed", "-1"),
            "should be greater than or equal to 0",
        ),
        (("match", "scratch_catch", "random", "--players", "9"), "players must be 2 to 6, got 9"),
        (("match", "scratch_catch", *["random"] * 4), "agents must be 1 to 3, one per seat, got 4"),
        (("match", "scratch_catch", "random", "-o", "speed=3"), "unknown option 'speed'"),
        (("match", "scratch_catch", "random", "-o", "speed"), "an option is written name=value, got 'speed'"),
        (("match", "scratch_catch", "random", "-o", "deck_end=x"), 'deck_end must be "refill" or "empty"'),
        (
            ("match", "scratch_catch", "random", "--components", "no.toml"),
            "no.toml: cannot be read",
        ),
        (
            ("match", "scratch_catch", "random", "--workers", "0"),
            "should be greater than or equal to 1",
        ),
        (("match", "scratch_catch", "random", "--results", __file__), "is no results file"),
        (("tournament", "scratch_catch"), "at least two different agents, got none"),
        (("tournament", "scratch_catch", "-a", "random nobody"), "unknown agent 'nobody'"),
        (("tournament", "chess", "-a", "random greedy"), "unknown game 'chess'"),
        (("tournament", "scratch_catch", "-a", "random greedy", "--format", "x"), "format must be"),
        (
            ("tournament", "scratch_catch", "-a", "random greedy", "--deals", "0"),
            "should be greater than or equal to 1",
        ),
        (("ladder", "nowhere.jsonl"), "there is no such ladder yet"),
        (("ladder", __file__), "is no results file"),
        (("ladder", "nowhere.jsonl", "--players", "3"), "give --game too"),
        (("grade", "nowhere.py", "--game", "scratch_catch"), "there is no file nowhere.py"),
        (("grade", __file__, "--game", "scratch_catch", "--table", __file__), "is not valid TOML"),
        (("demo", "--games", "0"), "should be greater than or equal to 1"),
        (("demo", "--seconds", "-1"), "should be greater than or equal to 0"),
        (("bench", "chess"), "unknown game 'chess'"),
        (("bench", "scratch_catch", "--players", "7"), "players must be 2 to 6, got 7"),
        (("scenario", "nowhere.toml"), "nowhere.toml: cannot be read"),
        (("scenario", __file__), "is not valid TOML"),
        (("match", "scratch_catch", "random", "ppo", "--players", "4"), "no policy of scratch_catch-v0 fits"),
        (("tournament", "scratch_catch", "-a", "random ppo", "--players", "4"), "no policy of"),
        (("ladder", "new.jsonl", "--game", "scratch_catch", "-a", "random nobody"), "unknown agent"),
        (("match", "katsu_curry", "random", "--until", "-1"), "'--until'"),
        (("match", "katsu_curry", "random", "--keep", "-1"), "'--keep'"),
        (("serve", "--port", "70000"), "'--port'"),
        (("check", "nowhere.py:Class"), "there is no file nowhere.py"),
        (("check", "no_such_module:env"), "No module named 'no_such_module'"),
        (("check", "math:inf"), "math:inf is neither a factory nor a game"),
        (("check", "math:sqrt"), "math:sqrt makes no environment: TypeError"),
        (("check", "scratch_catch", "--only", "nothing"), "unknown check 'nothing'"),
        (("check", "scratch_catch", "-o", "speed=1"), "unknown option 'speed'"),
        (("compile", "--workers", "0"), "should be greater than or equal to 1"),
        (("rules", "chess"), "unknown game 'chess'"),
        (("play",), "name a game"),
        (("play", "scratch_catch", "--hints", "nobody"), "unknown agent 'nobody'"),
        (("play", "scratch_catch", "--seats", "nobody"), "unknown agent 'nobody'"),
    ],
)
def test_wrong_input_is_one_line_and_exit_code_2(foodenvs, arguments, message):
    code, out, said = foodenvs(*arguments)
    assert (code, out) == (2, "")
    assert message in said
    assert said.startswith("foodenvs: ")
    assert said.count("\n") == 1


FILES = {
    "nothing": None,
    "a folder": "folder",
    "nothing in it": b"",
    "no text": bytes(range(256)),
    "something else": b"hello = [",
}


@pytest.mark.parametrize("content", FILES)
@pytest.mark.parametrize(
    "arguments",
    [
        ("match", "scratch_catch", "policy:{}", "random"),
        ("match", "scratch_catch", "random", "--components", "{}"),
        ("match", "scratch_catch", "{}.py:Agent"),
        ("ladder", "{}"),
        ("grade", "{}", "--game", "scratch_catch", "--table", "{}"),
        ("scenario", "{}"),
        ("replay", "{}"),
        ("play", "--resume", "{}"),
        ("check", "{}.py:env"),
    ],
)
def test_a_file_of_the_wrong_kind_is_one_line_and_exit_code_2(
    foodenvs, tmp_path, monkeypatch, arguments, content
):
    monkeypatch.setattr(sys, "path", [*sys.path])
    file = tmp_path / "no_such"
    for made in (file, tmp_path / "no_such.py"):
        if FILES[content] == "folder":
            made.mkdir()
        elif FILES[content] is not None:
            made.write_bytes(FILES[content])
    if content == "nothing in it" and not {"--components", "--table", "scenario"}.isdisjoint(arguments):
        pytest.skip("an empty file of tables leaves everything as it is")
    code, out, said = foodenvs(*(part.format(file) for part in arguments))
    assert (code, out) == (2, "")
    assert said.startswith("foodenvs: ")
    assert said.count("\n") == 1
    assert "no_such" in said


@pytest.mark.parametrize(
    "arguments",
    [
        ("match", "scratch_catch", "random", "greedy", "--games", 3, "--results", "{}"),
        ("match", "scratch_catch", "random", "greedy", "--games", 3, "--save", "{}"),
        ("tournament", "scratch_catch", "-a", "random greedy", "--deals", 1, "--html", "{}"),
        ("ladder", "{}", "--game", "scratch_catch", "-a", "random greedy", "--deals", 1),
        ("ladder", "ladder", "--game", "scratch_catch", "-a", "random greedy", "--html", "{}"),
    ],
)
def test_what_cannot_be_written_is_said_before_anything_is_played(foodenvs, tmp_path, monkeypatch, arguments):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("foodenvs.arena.deals.MatchRunner.__call__", None)
    (tmp_path / "file").touch()
    code, out, said = foodenvs(*(str(part).format(tmp_path / "file" / "below") for part in arguments))
    assert (code, out) == (2, "")
    assert "Not a directory" in said
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_policy_of_another_game_is_said_at_once(foodenvs):
    policy = GAMES["scratch_catch"].policies[0]
    code, _, said = foodenvs("match", "katsu_curry", f"policy:{policy}", "random")
    assert code == 2
    assert "the file is for the game" in said


@pytest.mark.parametrize("workers", [1, 2])
def test_an_agent_that_raises_is_one_line_with_its_place(foodenvs, tmp_path, workers):
    file = tmp_path / "mine.py"
    file.write_text(
        "class Mine:\n def reset(self, seed): pass\n def act(self, observation, info):\n  return [][3]\n"
    )
    arguments = ("match", "scratch_catch", f"{file}:Mine", "random", "--games", 3, "--workers", workers)
    code, out, said = foodenvs(*arguments)
    assert (code, out) == (2, "")
    assert (
        said
        == f"foodenvs: agent Mine (player_0): {file}:4, in Mine.act: IndexError: list index out of range\n"
    )


def test_check_takes_a_file(foodenvs, tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", [*sys.path])
    (tmp_path / "own_environment.py").write_text(
        "import foodenvs\ndef env(**options): return foodenvs.make('scratch_catch', **options)\n"
    )
    target = f"{tmp_path / 'own_environment.py'}:env"
    code, out, _ = foodenvs("check", target, "--only", "mask", "--seconds", 0.1)
    assert (code, out.split()[:2]) == (0, ["mask", "passed"])


def test_a_results_file_in_use_is_said(foodenvs, tmp_path):
    file = tmp_path / "games.jsonl"
    with Results(file, Setup(GAMES["scratch_catch"])):
        code, _, said = foodenvs("match", "scratch_catch", "random", "--results", file)
    assert code == 2
    assert f"{file}: another run is writing it" in said


@pytest.mark.parametrize(("extra", "missing"), [("sb3", "stable_baselines3"), ("openspiel", "pyspiel")])
def test_a_missing_extra_is_named(monkeypatch, extra, missing):
    for name in [name for name in sys.modules if name.partition(".")[0] == missing]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, missing, None)
    monkeypatch.delitem(sys.modules, f"foodenvs.{extra}", raising=False)
    with pytest.raises(ImportError, match=rf'foodenvs.{extra} .*pip install "foodenvs\[{extra}\]"'):
        importlib.import_module(f"foodenvs.{extra}")


@pytest.mark.parametrize(
    ("script", "missing", "remedy"),
    [
        ("examples/solve.py", "pyspiel", "foodenvs[openspiel]"),
        ("examples/train_sb3.py", "sb3_contrib", "foodenvs[sb3]"),
        ("training/benchmark.py", "torch", "foodenvs[sb3]"),
        ("training/ppo.py", "torch", "foodenvs[sb3]"),
        ("training/rllib_ppo.py", "ray", "training/requirements-rllib.txt"),
        ("training/sb3_maskable_ppo.py", "torch", "foodenvs[sb3]"),
    ],
)
def test_a_script_ends_with_the_extra_that_it_misses(monkeypatch, script, missing, remedy):
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(SystemExit) as end:
        runpy.run_path(str(Path(__file__).parents[1] / script))
    assert str(end.value).startswith(f"{script} needs ")
    assert remedy in str(end.value)


def test_what_was_played_is_told_before_it_is_written(foodenvs, tmp_path, monkeypatch):
    game = ("scratch_catch", "--players", 2)

    def full(path, data):
        raise OSError(errno.ENOSPC, "No space left on device")

    page, folder = tmp_path / "page.html", tmp_path / "games"
    agents = ("--agents", "random greedy", "--deals", 2)
    foodenvs("tournament", *game, *agents)  # what it compiles is kept
    monkeypatch.setattr(Path, "write_bytes", full)
    code, out, said = foodenvs("tournament", *game, *agents, "--html", page, "--json")
    assert (code, said) == (2, f"foodenvs: {page}: No space left on device\n")
    assert json.loads(out)["agents"][0]["id"] == "greedy"
    code, out, said = foodenvs("match", *game, "random", "--games", 2, "--save", folder, "--json")
    assert (code, said.endswith(".json: No space left on device\n")) == (2, True)
    assert json.loads(out)["games"] == 2


@pytest.mark.parametrize("name", ["stdin", "stdout", "stderr"])
def test_a_closed_stream_is_no_error(foodenvs, monkeypatch, name):
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    for words in (("list",), ("play", "scratch_catch")):
        monkeypatch.setattr(sys, name, None)
        assert foodenvs(*words)[0] == 0
        getattr(sys, name).close()


def test_what_is_no_environment_cannot_be_checked(foodenvs, tmp_path):
    (tmp_path / "mine.py").write_text("class Mine:\n    pass\n")
    code, out, said = foodenvs("check", f"{tmp_path / 'mine.py'}:Mine")
    assert (code, out, len(said.splitlines())) == (2, "", 1)
    assert "a Mine is no AEC environment: it has no unwrapped, possible_agents" in said


def test_the_traceback_of_an_error_is_printed_on_demand(foodenvs, tmp_path, monkeypatch):
    (tmp_path / "mine.py").write_text("class Mine:\n    def __init__(self):\n        [][1]\n")
    command = ("match", "scratch_catch", f"{tmp_path / 'mine.py'}:Mine")
    line = foodenvs(*command)[2]
    assert len(line.splitlines()) == 1
    code, _, said = foodenvs("--traceback", *command)
    assert code == 2
    assert said.endswith(line)
    assert 'mine.py", line 3, in __init__' in said
    assert foodenvs(*command)[2] == line
    monkeypatch.setenv("FOODENVS_TRACEBACK", "1")
    assert foodenvs(*command)[2] == said


def test_exit_codes_are_told(foodenvs):
    assert "130 interrupted" in " ".join(foodenvs("--help")[1].split())


def test_a_tournament_prints_tables_a_document_and_a_page(foodenvs, tmp_path):
    page = tmp_path / "report.html"
    arguments = ("tournament", "scratch_catch", "--agents", "random greedy", "--deals", 4, "--seed", 3)
    code, out, _ = foodenvs(*arguments, "--html", page, "--results", tmp_path / "games.jsonl")
    assert code == 0
    assert "greedy" in out
    assert "24 games (4 deals, seed 3)" in out
    assert page.read_text().startswith("<!doctype html>")
    again = json.loads(foodenvs(*arguments, "--results", tmp_path / "games.jsonl", "--json")[1])
    assert again == json.loads(foodenvs(*arguments, "--json")[1])
    assert again["games"] == 24


def test_a_ladder_grows(foodenvs, tmp_path):
    file = tmp_path / "ladder.jsonl"
    first = ("ladder", file, "--game", "scratch_catch", "-a", "random greedy", "--deals", 3)
    assert foodenvs(*first)[0] == 0
    code, out, _ = foodenvs("ladder", file, "-a", "ismcts:iterations=2", "--json")
    assert code == 0
    assert {agent["id"] for agent in json.loads(out)["agents"]} == {"random", "greedy", "ismcts:iterations=2"}
    assert foodenvs("ladder", file)[0] == 0


def test_grade_reports_and_tells_by_its_exit_code(foodenvs, tmp_path):
    file = tmp_path / "own.py"
    text = "class A:\n def reset(self, seed): pass\n def act(self, o, i): return i['action_mask'].argmax()\n"
    file.write_text(text)
    table = tmp_path / "table.toml"
    table.write_text('opponents = ["greedy"]')
    arguments = ("grade", file, "--game", "scratch_catch", "--players", 2, "--deals", 1, "--table", table)
    code, out, _ = foodenvs(*arguments)
    assert code == 0
    assert "against greedy: win share" in out
    file.write_text(text.replace("argmax", "argmin"))
    code, out, _ = foodenvs(*arguments, "--json")
    assert code == 1
    assert {fault["kind"] for fault in json.loads(out)["faults"]} == {"illegal move"}
