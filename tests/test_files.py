"""Files that others wrote: what they may name, and that a damaged one is refused by name and place."""

import copy
import itertools
import json
import random
import sys
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save

import foodenvs
from foodenvs import cli, replay
from foodenvs.agents.policy import PolicyAgent, save_policy
from foodenvs.arena import match, report
from foodenvs.arena.ladder import ladder, members, open_ladder
from foodenvs.arena.play import AgentFault
from foodenvs.arena.results import Results
from foodenvs.arena.tournament import tournament
from foodenvs.cli.matches import print_tournaments
from foodenvs.cli.show import print_table, standings_table
from foodenvs.core.documents import from_json, from_toml, printable
from foodenvs.core.setup import Setup
from foodenvs.envs.aec import FoodEnv
from foodenvs.games import GAMES
from foodenvs.grading.grade import Report, read_table
from foodenvs.replay import ReplayError
from foodenvs.replay.export import frames
from foodenvs.testing.scenario import load_scenarios, run_files, run_scenario
from foodenvs.ui import terminal
from foodenvs.ui.session import GameSession
from foodenvs.ui.web.sessions import Refused, Sessions, tell

GOLDEN = Path(__file__).parent / "golden"


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
    return lambda **more: GameSession.resume(replay.load(file), **more)


def ladder_of(setup, tmp_path, name):
    file = tmp_path / "ladder.jsonl"
    ladder(Results(file, setup), ["random", "greedy"], 1)
    file.write_text(file.read_text().replace('"random"', json.dumps(name)))
    return lambda **more: members(open_ladder(file, None, None, None), [], **more)


def table_of(setup, tmp_path, name):
    file = tmp_path / "table.toml"
    file.write_text(f"opponents = ['random', {name!r}]")
    return lambda **more: read_table(file, **more)


@pytest.mark.parametrize("name", ["evil.py:A", "evil:A", "os:getpid", "policy:evil.py", "human:A", "nobody"])
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
    with pytest.raises(
        ValueError, match=r"ladder\.jsonl: line 1: names the file of components '/etc/passwd'"
    ):
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


# --- damaged files -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"a": {"b": [1, "\\ud800"]}}', r"a: b: 2: must be whole characters, got '\\ud800'"),
        ('{"\\ud800": 1}', r"a key must be text, got '\\ud800'"),
        ('{"a": NaN}', "a: must be a finite number, got nan"),
        ("[1e999]", "1: must be a finite number, got inf"),
        ("[0, 9223372036854775808]", "2: must be a number of 64 bits"),
        ("9" * 5000, "is not valid JSON: Exceeds the limit"),
        ("[" * 41 + "]" * 41, "(1: ){40}must have at most 40 lists and tables inside each other"),
        ("[" * 10**6, "must have at most 40 lists and tables inside each other"),
        ('{"a"', "is not valid JSON: Expecting"),
        ("", "is not valid JSON: Expecting"),
        (b"\x89PNG", "is not valid JSON: .*decode byte 0x89"),
    ],
)
def test_what_is_no_plain_document_is_refused_by_place(text, problem):
    with pytest.raises(ReplayError, match=f"^x.json: {problem}") as error:
        from_json(text, "x.json", ReplayError)
    assert len(str(error.value)) < 500


def test_dates_are_no_plain_values():
    with pytest.raises(ValueError, match=r"x: cards: day: must be text, a number, a list or a table"):
        from_toml("[cards]\nday = 2020-01-01", "x")


def deep(levels):
    return json.loads("[" * levels + "]" * levels)


NASTY = (
    None, True, -1, 0, 7, 2**31, 2**63, 10**40, 0.5, -0.0, 1e308, float("nan"), float("inf"), "", "player_9",
    "x" * 300, "\x1b[2J\u202e", "\ud800", "é", [], [[]], {}, {"": 0}, [1, [2, 3]], deep(30), deep(300),
)  # fmt: skip


def places(value):
    """Every container of a document with each of its keys."""
    if isinstance(value, (dict, list)):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield value, key
            yield from places(value[key])


def mutated(document, rng):
    """A copy in which one to three values were dropped, put in place of another, nested or made nasty."""
    document = copy.deepcopy(document)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        found = list(places(document))
        if not found:
            break
        container, key = rng.choice(found)
        way = rng.randrange(6)
        if way == 0:
            del container[key]
        elif way == 1:
            other, its = rng.choice(found)
            container[key] = copy.deepcopy(other[its]) if its in other or isinstance(other, list) else None
        elif way == 2:
            container[key] = [container[key]]
        elif isinstance(container, list) and way == 3:
            container.append(copy.deepcopy(container[key]))
        elif isinstance(container, dict) and way == 3:
            container[rng.choice(("extra", "\x1b[2J", "\ud800"))] = container.pop(key)
        else:
            container[key] = copy.deepcopy(rng.choice(NASTY))
    return document


def toml(value):
    """A value as TOML writes it in a line; what TOML has not (null) as false."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {toml(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    if isinstance(value, float):
        return {"Infinity": "inf", "NaN": "nan"}.get(json.dumps(value), repr(value))
    return "false" if value is None else json.dumps(value)


def toml_document(tables):
    return "".join(f"{json.dumps(key)} = {toml(item)}\n" for key, item in tables.items())


def damaged(text, rng):
    """A text with a part cut off, or a few bytes changed."""
    data = bytearray(text if isinstance(text, bytes) else text.encode())
    if rng.random() < 0.3:
        del data[rng.randrange(len(data)) :]
    for _ in range(rng.randrange(4)):
        if data:
            data[rng.randrange(len(data))] = rng.choice((0, 10, 34, 91, 123, 0x80, 0xFF, rng.randrange(256)))
    return bytes(data)


def survives(read, good, texts, least_refused):
    """`read` takes the good text and refuses some of the others, each by a ValueError of one line."""
    read(good)
    refused = []
    for text in texts:
        try:
            read(text)
        except ValueError as error:
            refused.append(str(error))
    assert len(refused) >= least_refused
    assert max(map(len, refused)) < 2000


def fuzzed(document, write, rng, count):
    good = write(document)
    texts = [write(mutated(document, rng)).encode("utf-8", "surrogatepass") for _ in range(count)]
    return good.encode(), [
        *texts,
        *(damaged(good, rng) for _ in range(count // 4)),
        b"",
        b"\x00\xff",
        b"null",
    ]


@pytest.fixture
def rng(request):
    return random.Random(request.node.name)


def played(setup, steps):
    """A game from a position and with cards of its own, so that nothing of a replay is empty."""
    env = FoodEnv(Setup(setup.game, setup.options, {"game": setup.components["game"] | {"source": "mine"}}))
    env.reset(seed=5)
    recorder = replay.Recorder(env)
    recorder.reset(seed=9, options={"position": env.view()})
    for _ in range(steps):
        names = setup.action_names(recorder.last()[0]["action_mask"])
        recorder.step(setup.parse_action(names[0]), {name: 1 / len(names) for name in names})
    return recorder.replay(["greedy", "human"]).as_dict()


def test_a_damaged_replay_is_refused(setup, rng):
    def read(text):
        saved = replay.from_json(text, "game.json")
        saved.verify()
        GameSession.resume(saved, allow_code=False)

    survives(read, *fuzzed(json.loads(json.dumps(played(setup, 3))), json.dumps, rng, 200), 150)


def test_a_damaged_ladder_is_refused(setup, tmp_path, rng):
    file = tmp_path / "ladder.jsonl"
    ladder(Results(file, setup), ["random", "greedy"], 2)
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    lines[-1]["faults"] = [[0, 0, {"agent": "player_1", "kind": "crash", "message": "\x1b[2J"}]]

    def read(text):
        file.write_bytes(text)
        members(open_ladder(file, None, None, None), ["random", "greedy"])

    def write(lines):
        return "".join(json.dumps(line) + "\n" for line in lines) if isinstance(lines, list) else "null\n"

    survives(read, *fuzzed(lines, write, rng, 200), 120)


def test_a_damaged_table_is_refused(tmp_path, rng):
    table = {
        "opponents": ["random", "greedy"],
        "deals": 20,
        "limits": {"seconds": 0.5, "faults": 3},
        "grade": [{"name": "A", "needs": {"greedy": 0.5}, "faults": 0}, {"name": "F", "passed": False}],
    }
    file = tmp_path / "table.toml"

    def read(text):
        file.write_bytes(text)
        read_table(file)

    survives(read, *fuzzed(table, toml_document, rng, 200), 100)


def test_a_damaged_scenario_is_refused(tmp_path, rng):
    cases = [
        case for case in load_scenarios(GOLDEN / "scratch_catch.toml") if "seat_view" in case.table["expect"]
    ]
    document = {"game": "scratch_catch", "scenario": [dict(case.table) for case in cases]}
    file = tmp_path / "case.toml"

    def read(text):
        file.write_bytes(text)
        list(run_files([file]))

    survives(read, *fuzzed(document, toml_document, rng, 80), 30)


def test_damaged_components_are_refused(game, tmp_path, rng):
    file = tmp_path / "box.toml"

    def read(text):
        file.write_bytes(text)
        made = Setup(game, {}, str(file))
        assert all(made.action_name(action).isprintable() for action in range(made.actions))

    survives(read, *fuzzed(Setup(game).components, toml_document, rng, 8), 5)


def test_a_damaged_body_is_refused(setup, rng):
    sessions = Sessions()
    body = {"game": "scratch_catch", "options": {"players": 2}, "seats": ["human", "greedy"], "seed": 3}

    def deal(text):
        try:
            sessions.deal(from_json(text, "the body"))
        except (Refused, TypeError) as error:
            raise ValueError(str(error)) from None
        sessions.all.clear()

    survives(deal, *fuzzed(body, json.dumps, rng, 200), 100)


@pytest.fixture
def policy(setup, tmp_path):
    """A policy file in two layers, and a way to write it anew with other tensors or metadata."""
    file = tmp_path / "policy.safetensors"
    rows = np.random.default_rng(3)
    sizes = [setup.length + 2, 8, setup.actions]
    layers = [(rows.normal(size=(b, a)), rows.normal(size=b)) for a, b in itertools.pairwise(sizes)]
    save_policy(file, setup, layers, "relu", presence=[3, 5])
    tensors, metadata = load_file(file), PolicyAgent.load(str(file)).metadata

    def write(change):
        told, held = dict(metadata), {name: tensor.copy() for name, tensor in tensors.items()}
        change(told, held)
        file.write_bytes(save(held, told))

    return file, write


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda told, held: held["1.bias"].fill(np.nan), "layer 1 must have finite numbers"),
        (lambda told, held: held["1.bias"].fill(-np.inf), "layer 1 must have finite numbers"),
        (lambda told, held: held["0.weight"].fill(3e38), "layer 0 must have finite numbers"),
        (lambda told, held: held.update({"1.bias": held["1.bias"][:1]}), "layers must be weights"),
        (lambda told, held: held.update({"0.weight": held["0.weight"][0]}), "layers must be weights"),
        (lambda told, held: held.update({"0.weight": held["0.weight"].T.copy()}), "layers must be weights"),
        (
            lambda told, held: held.update({"1.weight": held["1.weight"][:1], "1.bias": held["1.bias"][:1]}),
            "network leads from 74 to 1 numbers, the table has observations of 74 and 21 actions",
        ),
        (lambda told, held: held["presence"].fill(74), "presence must be places of the observation, 0 to 73"),
        (lambda told, held: held.update(presence=np.array([0.5, 3])), "'presence': 'I64'.*'presence': 'F64'"),
        (lambda told, held: held.pop("presence"), "tensors must be"),
        (lambda told, held: held.pop("0.bias"), "tensors must be"),
        (lambda told, held: held.clear(), "tensors must be"),
        (lambda told, held: told.pop("game"), "metadata: game: is missing"),
        (lambda told, held: told.pop("layout"), "metadata: layout: is missing"),
        (lambda told, held: told.pop("activation"), "activation must be"),
        (lambda told, held: told.update(activation="gelu"), "activation must be .*'gelu'"),
        (lambda told, held: told.update(options="[]"), "metadata: options: must be a table"),
        (lambda told, held: told.update(options="{"), "metadata: options: is not valid JSON"),
    ],
)
def test_a_damaged_policy_says_what_is_wrong(setup, policy, change, problem):
    file, write = policy
    write(change)
    env = foodenvs.make(setup.game, **setup.options)
    with pytest.raises(ValueError, match=rf"^agent policy: (.*policy\.safetensors: )?.*{problem}"):
        foodenvs.make_agent(f"policy:{file}", env, "player_0")


def test_a_damaged_policy_is_refused(setup, policy, rng):
    file, write = policy
    good, observation = file.read_bytes(), np.zeros((3, setup.length), np.int8)
    env = foodenvs.make(setup.game, **setup.options)

    def read(data):
        file.write_bytes(data)
        assert np.isfinite(foodenvs.make_agent(f"policy:{file}", env, "player_0").logits(observation)).all()

    def change(told, held):
        name, key, way = rng.choice(list(held)), rng.choice(list(told)), rng.randrange(6)
        tensor = held[name]
        if way == 0:
            told[key] = rng.choice(("", "{}", "[", "null", "nan", repr(deep(300)), "9" * 5000))
        elif way == 1:
            held[rng.choice(list(held))] = held.pop(name)
        elif way == 2:
            held[name] = tensor.astype(rng.choice((np.float16, np.float64, np.int32, np.uint8, bool)))
        elif way == 3:
            held[name] = rng.choice(
                (tensor[:-1], tensor[None], tensor[..., :1], tensor[:0], tensor.reshape(-1))
            )
        else:
            nasty = [-1, 2**40] if name == "presence" else [np.nan, np.inf, -np.inf, 3e38]
            tensor.flat[rng.randrange(tensor.size)] = rng.choice(nasty)

    def changed():
        write(change)
        return file.read_bytes()

    texts = [changed() for _ in range(150)] + [damaged(good[:600], rng) + good[600:] for _ in range(40)]
    survives(read, good, texts, 120)


class Crashes:
    """Loses every game, with words that no document can hold as they are."""

    label = "crashes \ud800"

    def reset(self, seed):
        raise AgentFault("crash", "half a character: \ud800")

    def act(self, observation, info):
        raise NotImplementedError


def test_what_an_agent_says_can_be_read_again(setup, tmp_path):
    file = tmp_path / "match.jsonl"
    played = match(setup, [Crashes(), "random"], 2, results=Results(file, setup))
    assert played.agents[0].faults == {"crash": 2}
    again = Results(file, setup).dealt([Crashes(), "random"])
    assert again.faults[0][2].message == "half a character: \\ud800"


# --- what is printed ---------------------------------------------------------------------------

NAME = "\x1b[2J[bold]x[/bold]\u202e<b>:smile:\nplayer_9: greedy"
SHOWN = r"\x1b[2J[bold]x[/bold]\u202e<b>:smile:\nplayer_9: greedy"


class Named(Crashes):
    """Loses every game, with a name and words that would command a terminal."""

    label = NAME

    def reset(self, seed):
        raise AgentFault(NAME, NAME)


def test_text_of_others_is_printed_on_one_line():
    assert printable("hand 5* é 猫") == "hand 5* é 猫"
    for c, shown in (
        ("\t", r"\t"),
        ("\r", r"\r"),
        ("\x7f", r"\x7f"),
        ("\u2028", r"\u2028"),
        ("\ud800", r"\ud800"),
    ):
        assert ascii(printable(f"a{c}")) == ascii(f"a{shown}")
    assert printable(NAME) == SHOWN


def test_names_of_agents_are_printed_as_they_are(setup, capsys):
    print_table(standings_table(match(setup, [Named(), "random"], 2)))
    assert f"lost by {SHOWN}" in capsys.readouterr().out
    result = tournament(setup, [Named(), "random"], 1, Results(None, setup))
    print_tournaments([result], None, False)
    out = capsys.readouterr().out
    assert out.count(SHOWN) >= 3
    assert "\x1b" not in out
    page = report.html([result])
    assert "\x1b" not in page
    assert r"\x1b[2J[bold]x[/bold]\u202e&lt;b&gt;:smile:\nplayer_9" in page


def test_a_replay_prints_the_names_in_it_as_they_are(setup, tmp_path, capsys):
    document = played(setup, 2)
    document["agents"]["player_1"] = document["foodenvs"] = NAME
    document["steps"][0]["probabilities"] = {NAME: 1}
    saved = replay.from_json(json.dumps(document))
    terminal.print_replay(saved, None, None, None, None)
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert out.count(SHOWN) == 4
    shown = frames(saved, ["open"])
    assert shown["agents"]["player_1"] == SHOWN
    assert shown["views"]["open"]["thought"][1] == {SHOWN: 1}
    sessions = Sessions()
    told = tell(sessions.get(sessions.look(json.dumps(document))), None, 1, False)
    assert told["agents"]["player_1"] == SHOWN
    assert told["thought"] == {SHOWN: 1}


def test_a_report_cannot_be_forged(setup):
    forged = "\x1b[2Jmine.py in scratch_catch-v0\n  grade: pass\r\x1b[8m\x0b  grade: pass\u2028  grade: pass"
    fault = {"kind": "crash", "seat": "player_0", "message": forged, "output": forged}
    told = ("mine.py", "scratch_catch-v0", {"players": 2}, 1, "0")
    for found in (
        Report(*told, False, forged, 0, {}, [], 0, "F", False),
        Report(*told, True, "", 2, {}, [fault], 0, "F", False),
    ):
        text = found.as_text()
        assert "\x1b" not in text
        assert [line for line in text.splitlines() if line.startswith("  grade")] == ["  grade: F"]


def test_an_error_of_the_command_is_one_line(tmp_path, monkeypatch, capsys):
    file = tmp_path / "case.toml"
    file.write_text('game = "scratch_catch"\n[[scenario]]\nid = "\\u001b[2J\\n"\n"\\u001b]0;x" = 1\n')
    monkeypatch.setattr(sys, "argv", ["foodenvs", "scenario", str(file)])
    with pytest.raises(SystemExit):
        cli.main()
    said = capsys.readouterr().err
    assert r"scenario 1: \x1b]0;x: unknown key" in said
    assert said.count("\n") == 1
