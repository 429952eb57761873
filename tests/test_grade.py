"""Grading: what a report says; that no bad agent stops the grader, leaves anything, or sees a card."""

import ctypes
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from foodenvs.arena import match
from foodenvs.core.setup import Setup
from foodenvs.games import GAMES
from foodenvs.grading import sandbox
from foodenvs.grading.grade import GradeLevel, GradeTable, grade, read_table
from foodenvs.grading.sandbox import FaultLog, Limits, SandboxedAgent, _processes

pytestmark = [
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits are Linux's"),
    pytest.mark.xdist_group("graders"),  # one after the other, since they have limits of time
]
ROOT = os.geteuid() == 0
QUICK = Limits(seconds=20, start_seconds=60, memory_mb=1024, processes=4, output_kb=200, faults=1)
GOOD = "return int(info['action_mask'].argmax())"


@pytest.fixture
def setup():
    return Setup(GAMES["scratch_catch"], {"players": 2})


@pytest.fixture
def no_compiler(monkeypatch):
    """The agent's process starts without it, in less time."""
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")


def graded(tmp_path, setup, source, limits=QUICK, deals=1, **options):
    file = tmp_path / "student.py"
    file.write_text(source)
    table = GradeTable(("random",), deals, limits)
    return grade(file, setup, table=table, **{"seed": 5} | options)


def agent(act=GOOD, reset="pass", top="", init="pass"):
    indented = "\n        ".join(act.splitlines())
    return (
        f"import os, sys, time\n{top}\nclass Student:\n    def __init__(self):\n        {init}\n"
        f"    def reset(self, seed):\n        {reset}\n"
        f"    def act(self, observation, info):\n        {indented}\n"
    )


FORK = "while True:\n    os.fork()"
DAEMON = (
    "if os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n        time.sleep(3600)\n    os._exit(0)\n"
    + GOOD
)
FAKE = (
    "for fd in range(3, 32):\n    try: os.write(fd, b'{\"action\": 0}\\n' * 3)\n    except OSError: pass\n"
    + GOOD
)
LONG = "for fd in range(3, 32):\n    try: os.write(fd, b'x' * 2**20)\n    except OSError: pass\n" + GOOD
CLOSE = "os.closerange(0, 64)\n" + GOOD
MEMORY = "self.kept = bytearray(2**40)"
SLOWLY = "self.kept = []\nwhile True: self.kept.append(bytearray(2**24))"
FILE = "with open('big', 'wb') as f:\n    for _ in range(200): f.write(bytes(2**20))\n" + GOOD
PARENT = "os.kill(os.getppid(), 9)\n" + GOOD

BAD = {  # name: source, kind of the fault, part of its message
    "endless loop": (agent("while True: pass"), "time-out", "no answer in 1 s"),
    "sleeps": (agent("time.sleep(60)"), "time-out", "no answer"),
    "endless reset": (agent(reset="time.sleep(60)"), "time-out", "no answer"),
    "fork bomb": (agent(FORK), None, ""),
    "exit": (agent("sys.exit('bye')"), "crash", "SystemExit: bye"),
    "hard exit": (agent("os._exit(3)"), "crash", "ended with code 3"),
    "kills itself": (agent("os.kill(os.getpid(), 11)"), "crash", "ended by SIGSEGV"),
    "text": (agent("return 'hand 1'"), "illegal move", "must be a whole number from 0 to 20, got 'hand 1'"),
    "nothing": (agent("return None"), "illegal move", "got None"),
    "fraction": (agent("return 3.0"), "illegal move", "got 3.0; use int(action)"),
    "out of range": (agent("return 10**30"), "illegal move", "illegal action: 1000"),
    "not legal": (agent("return int(info['action_mask'].argmin())"), "illegal move", "legal: hand "),
    "raises": (agent("raise ValueError('what now')"), "crash", "ValueError: what now"),
    "recursion": (agent("return self.act(observation, info)"), "crash", "RecursionError"),
    "huge allocation": (agent(MEMORY), "out of memory", "ran out of its memory"),
    "grows": (agent(SLOWLY), "out of memory", "ran out of its memory"),
    "prints": (agent("while True: print('x' * 1000)"), "too much output", "more than 200 kB"),
    "huge file": (agent(FILE), "crash", "OSError"),
    "asks for samples": (
        agent("return self.table.sample(1)", top="", init="pass").replace(
            "    def reset", "    def join(self, table): self.table = table\n    def reset"
        ),
        "crash",
        "gets no samples",
    ),
    "fakes answers": (agent(FAKE), "crash", ""),
    "answers without end": (agent(LONG), "crash", ""),
    "closes all files": (agent(CLOSE), "crash", "the agent's process ended"),
}
if ROOT:
    BAD["kills the grader"] = (agent(PARENT), "crash", "PermissionError")


# In an ordinary run one of each kind of fault.
FEW = {
    "endless loop",
    "fork bomb",
    "hard exit",
    "text",
    "not legal",
    "raises",
    "grows",
    "prints",
    "fakes answers",
}


@pytest.mark.parametrize(
    "name", [name if name in FEW else pytest.param(name, marks=pytest.mark.long) for name in BAD]
)
def test_a_bad_agent_loses_and_leaves_nothing_behind(tmp_path, setup, tokens, no_compiler, name):
    source, kind, message = BAD[name]
    limits = Limits(**vars(QUICK) | {"seconds": 1}) if kind == "time-out" or kind is None else QUICK
    report = graded(tmp_path, setup, source, limits)
    assert report.loads
    assert report.matches["random"].win_share == 0
    assert len(report.faults) == 1
    assert report.unplayed == 1
    fault = report.faults[0]
    assert kind in (None, fault["kind"]), fault
    assert message in fault["message"]
    if name != "endless reset":
        assert fault["observation"].keys() == {f.name for f in setup.layout.fields}
        assert fault["legal"]
    assert not report.clean
    assert tokens
    assert not leftovers(tokens)


@pytest.fixture(autouse=True)
def tokens(monkeypatch):
    """The marks of the agents' processes that a test starts; other tests may be grading at the same time."""
    made = []
    monkeypatch.setattr(sandbox.secrets, "token_hex", lambda n: made.append(os.urandom(n).hex()) or made[-1])
    return made


def leftovers(tokens):
    """Processes that an agent of this test left."""
    found = []
    for process in _processes():
        try:
            environment = Path(f"/proc/{process}/environ").read_bytes()
        except OSError:
            continue
        if any(f"FOODENVS_GUEST={token}".encode() in environment for token in tokens):
            found.append(process)
    return found


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("def broken(:\n", "SyntaxError"),
        ("raise RuntimeError('at the top')\n", "RuntimeError: at the top"),
        ("import time\ntime.sleep(60)\n", "slow start: no answer in 1 s"),
        (agent(init="time.sleep(60)"), "slow start: no answer in 1 s"),
        ("x = 1\n", "one class with act and reset, or --class says which; it has none"),
        (agent() + "class Second(Student): pass\n", "it has Student, Second"),
    ],
)
def test_a_file_that_does_not_load_says_why(tmp_path, setup, no_compiler, source, message):
    limits = QUICK if "sleep" not in source else Limits(**vars(QUICK) | {"start_seconds": 1})
    report = graded(tmp_path, setup, source, limits)
    assert not report.loads
    assert message in report.error
    assert "foodenvs/grading/agent_process.py" not in report.error
    assert message in report.as_text()
    assert not report.matches


@pytest.mark.parametrize("other_user", [True, False] if ROOT else [False])
def test_processes_that_run_away_are_ended(tmp_path, setup, tokens, other_user):
    report = graded(tmp_path, setup, agent(DAEMON), other_user=other_user)
    assert report.loads
    assert tokens
    assert not leftovers(tokens)


SPY = """
import gc, os, sys
from pathlib import Path
FOUND = []
def spy():
    frame = sys._getframe()
    things = gc.get_objects()
    while frame:
        things += list(frame.f_locals.values()) + list(frame.f_globals.values())
        frame = frame.f_back
    for thing in things:
        try:
            states = getattr(thing, "_states", None)
            if states is not None and states.tobytes().strip(b"\\0"):
                FOUND.append("a position")
        except Exception:
            pass
    parent = os.getppid()
    for what in ("mem", "environ", "cmdline", "maps", "fd"):
        try:
            path = Path(f"/proc/{parent}/{what}")
            if what == "fd":
                list(path.iterdir())
            else:
                with path.open("rb") as file:
                    if what == "mem":
                        file.seek(PLACE)
                    text = file.read(64)
            if what in ("mem", "environ", "fd", "maps") or b"SECRET" in text:
                FOUND.append(what)
        except (OSError, OverflowError):
            pass
"""


@pytest.mark.parametrize("other_user", [True, False] if ROOT else [False])
def test_a_spy_finds_no_position_and_no_memory_of_the_grader(tmp_path, setup, other_user):
    if ROOT and not other_user:
        pytest.skip("root reads everything")
    place = ctypes.create_string_buffer(b"secret" * 20)
    source = agent(
        f"spy()\nprint('FOUND', FOUND)\n{GOOD}", top=SPY.replace("PLACE", str(ctypes.addressof(place)))
    )
    file = tmp_path / "student.py"
    file.write_text(source)
    record = FaultLog()
    sandboxed = SandboxedAgent(setup, file, None, QUICK, other_user=other_user, record=record)
    played = match(setup, [sandboxed, "greedy"], 2, 5)
    sandboxed.close()
    assert not any(played.agents[0].faults.values())
    assert "FOUND []" in record.output, record.output
    assert "FOUND ['" not in record.output


def test_tampering_with_numpy_disturbs_nobody(tmp_path, setup, no_compiler):
    tamper = (
        "import numpy as np\nnp.random.seed(0)\nnp.random.random(7)\nnp.zeros = np.flatnonzero = None\n"
        "import random\nrandom.seed(1)"
    )
    honest = graded(tmp_path, setup, agent(), deals=3)
    tampering = graded(tmp_path, setup, agent(top=tamper), deals=3)
    assert not tampering.faults
    assert honest.matches == tampering.matches


def test_an_agent_gets_the_first_grade_whose_needs_it_meets_and_the_seed_repeats_it(
    tmp_path, setup, no_compiler
):
    (tmp_path / "weights.txt").write_text("7")
    file = tmp_path / "good.py"
    file.write_text(agent(top="assert open('weights.txt').read() == '7'"))
    table = GradeTable(
        ("random", "greedy"), 2, Limits(seconds=20, start_seconds=60),
        (
            GradeLevel("A", {"random": 0.1, "greedy": 0.95}),
            GradeLevel("B", {"random": 0.1}, faults=0),
            GradeLevel("F", passed=False),
        ),
    )  # fmt: skip
    first = grade(file, setup, table=table, also=[tmp_path / "weights.txt"], seed=3)
    assert first.clean, first.as_text()
    assert (first.grade, first.games) == ("B", 4)
    plain = json.loads(json.dumps(first.as_dict()))
    assert plain["matches"]["random"]["win_share"] >= 0.1
    assert grade(file, setup, table=table, also=[tmp_path / "weights.txt"], seed=3) == first
    assert "seed 3" in first.as_text()
    assert "grade: B" in first.as_text()
    secret = [graded(tmp_path, setup, agent(), seed=None).seed for _ in range(2)]
    assert secret[0] != secret[1]


def test_a_table_is_read_and_refused_by_key(tmp_path):
    file = tmp_path / "table.toml"
    file.write_text(
        'opponents = ["random", "greedy"]\ndeals = 20\n[limits]\nseconds = 0.5\nfaults = 3\n'
        '[[grade]]\nname = "A"\nneeds = { greedy = 0.5 }\nfaults = 0\n[[grade]]\nname = "F"\npassed = false\n'
    )
    table = read_table(file)
    assert (table.opponents, table.deals, table.limits.seconds) == (("random", "greedy"), 20, 0.5)
    assert table.grades == (GradeLevel("A", {"greedy": 0.5}, 0), GradeLevel("F", passed=False))
    for text, message in (
        ("deals = 0", "deals: must be 1 to"),
        ("deal = 3", "deal: unknown key; there are opponents, deals"),
        ("[limits]\nsecond = 1", "limits: second: unknown key"),
        ("[limits]\nseconds = -1", "limits: seconds: must be 0.001 to"),
        ("[limits]\nmemory_mb = 0.5", "memory_mb: must be a whole number"),
        ('opponents = ["nobody"]', "names the agent 'nobody'"),
        ("opponents = []", "at least one agent"),
        (
            '[[grade]]\nname = "A"\nneeds = { expert = 0.5 }',
            "grade 1: needs: expert: unknown key; there are random, greedy",
        ),
        ('[[grade]]\nname = "A"\nneeds = { greedy = 5 }', "needs: greedy: must be 0 to 1, got 5"),
        ("[[grade]]\nneeds = {}", "grade 1: name: is missing"),
        ("grade = 3", "table.toml: grade: must be a list"),
        ("deals =", "is not valid TOML"),
    ):
        file.write_text(text)
        with pytest.raises(ValueError, match=r"table\.toml") as error:
            read_table(file)
        assert message in str(error.value), text


def test_the_command_line_can_be_hidden():
    program = (
        "from foodenvs.grading.sandbox import hide_arguments\nhide_arguments()\n"
        "print(open('/proc/self/cmdline').read().strip('\\0') == '')"
    )
    root = Path(sys.modules["foodenvs"].__file__).parent.parent
    done = subprocess.run(
        [sys.executable, "-c", program, "--seed", "12345"], capture_output=True, text=True, cwd=root
    )
    assert done.stdout.strip() == "True", done


def test_time_outs_come_in_time(tmp_path, setup, no_compiler):
    started = time.monotonic()
    limits = Limits(**vars(QUICK) | {"seconds": 0.2, "faults": 2})
    report = graded(tmp_path, setup, agent("while True: pass"), limits)
    assert len(report.faults) == 2
    assert time.monotonic() - started < 60
