"""Files that others wrote: what they may name, and that a damaged one is refused by name and place."""

import json
import sys

import pytest

import foodenvs
from foodenvs import replay
from foodenvs.arena.grade import read_table
from foodenvs.arena.ladder import ladder, members, open_ladder
from foodenvs.arena.results import Results
from foodenvs.game import Setup
from foodenvs.games import GAMES
from foodenvs.sitting import Sitting
from foodenvs.testing.scenario import load_scenarios, run_scenario


@pytest.fixture(scope="module")
def setup():
    return Setup(GAMES["scratch_catch"], {"players": 2})


# --- what files may name -----------------------------------------------------------------------

EVIL = "open('ran', 'w').close()\nclass A:\n def reset(self, seed): pass\n def act(self, o, i): return 0\n"
HOW = r"--allow-code \(in Python: allow_code=True\)"


@pytest.fixture
def ran(tmp_path, monkeypatch):
    """Whether the code of evil.py, which lies in the current folder, was run."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "evil", raising=False)
    (tmp_path / "evil.py").write_text(EVIL)
    return (tmp_path / "ran").exists


def replay_of(setup, tmp_path, name):
    recorder = replay.Recorder(foodenvs.make(setup.game, players=2))
    recorder.reset(seed=1)
    file = tmp_path / "game.json"
    recorder.replay(["human", name]).save(file)
    return lambda **more: Sitting.resume(replay.load(file), **more)


def ladder_of(setup, tmp_path, name):
    file = tmp_path / "ladder.jsonl"
    ladder(Results(file, setup), ["random", "greedy"], 1)
    file.write_text(file.read_text().replace('"random"', json.dumps(name)))
    return lambda **more: members(open_ladder(file, None, None, None), [], **more)


def table_of(setup, tmp_path, name):
    file = tmp_path / "table.toml"
    file.write_text(f"opponents = ['random', {name!r}]")
    return lambda **more: read_table(file, **more)


@pytest.mark.parametrize("name", ["evil.py:A", "evil:A", "os:getpid", "policy:evil.py", "nobody"])
@pytest.mark.parametrize(
    ("document", "place"),
    [
        (replay_of, "replay: agents: player_1"),
        (ladder_of, r"ladder\.jsonl"),
        (table_of, r"table\.toml: opponents"),
    ],
)
def test_a_file_names_agents_of_the_library_only(setup, tmp_path, ran, document, place, name):
    read = document(setup, tmp_path, name)
    with pytest.raises(ValueError, match=rf"{place}: names the agent '{name}'; it may name .*greedy.*{HOW}"):
        read()
    assert not ran()


@pytest.mark.parametrize("document", [replay_of, ladder_of, table_of])
@pytest.mark.parametrize("name", ["ismcts:iterations=2", "evil:A"])
def test_what_the_user_allows_a_file_to_name_is_made(setup, tmp_path, ran, document, name):
    made = document(setup, tmp_path, name)(allow_code=name.startswith("evil"))
    for agent in made if isinstance(made, list) else []:
        foodenvs.make_agent(agent)
    assert ran() == name.startswith("evil")


def test_who_names_an_agent_of_a_ladder_may_have_it(setup, tmp_path):
    ladder_of(setup, tmp_path, "evil:A")
    assert "evil:A" in members(open_ladder(tmp_path / "ladder.jsonl", None, None, None), ["evil:A"])


def test_a_ladder_names_no_file_of_components(setup, tmp_path):
    file = tmp_path / "ladder.jsonl"
    Results(file, setup)
    file.write_text(file.read_text().replace('"components":null', '"components":"/etc/passwd"'))
    with pytest.raises(ValueError, match=r"ladder\.jsonl: names the file of components '/etc/passwd'"):
        open_ladder(file, None, None, None)


def test_a_scenario_holds_its_components_itself(tmp_path):
    file, box = tmp_path / "case.toml", tmp_path / "box.toml"
    tables = '[{0}start_fleas]\nsource = "mine"\n2 = 5\n3 = 5\n4 = 5\n5 = 5\n6 = 5\n'
    box.write_text(tables.format(""))
    head = 'game = "scratch_catch"\n[[scenario]]\nid = "own"\n[scenario.expect]\nfleas = [5, 5, 5]\n'
    file.write_text(head + tables.format("scenario.options.components."))
    run_scenario(load_scenarios(file)[0])
    file.write_text(f"{head}[scenario.options]\ncomponents = '{box}'\n")
    with pytest.raises(ValueError, match=rf"case\.toml: scenario own: options: names the file .*box.*{HOW}"):
        load_scenarios(file)
    run_scenario(load_scenarios(file, allow_code=True)[0])
