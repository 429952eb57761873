"""Playing in the terminal: by pipes, by scripts, with hints, undo, saving; nothing hidden is printed."""

import io
import os
import re
import subprocess
import sys
import types

import pytest

import foodenvs
from foodenvs import cli, replay
from foodenvs.core.setup import Setup
from foodenvs.games import GAMES
from foodenvs.ui import terminal
from foodenvs.ui.session import HUMAN, GameSession
from foodenvs.ui.terminal import Terminal


class Script:
    """Somebody at the keyboard, and all that was shown to them."""

    def __init__(self, *lines, then=None):
        self.lines, self.then, self.shown = list(lines), then, []

    def ask(self, prompt):
        self.shown.append(prompt)
        if self.lines:
            return self.lines.pop(0)
        if self.then is None:
            raise EOFError
        return self.then

    def say(self, text):
        self.shown.append(text)

    @property
    def text(self):
        return "\n".join(self.shown)


def sit(game, seats=None, seed=3):
    setup = Setup(game)
    return GameSession.deal(setup, seats or [HUMAN] + ["greedy"] * (setup.players - 1), seed)


def play(session, *lines, then=None):
    script = Script(*lines, then=then)
    over = Terminal(session, ask=script.ask, say=script.say).run()
    return over, script.text


def test_a_whole_game_is_played_by_numbers(game):
    session = sit(game)
    over, text = play(session, then="1")
    assert over
    assert "wins" in text
    assert session.env.scores().items() <= replay.result_of(session.env)["scores"].items()
    session.replay().verify()


def test_the_screen_is_the_same_in_every_world_that_the_player_thinks_possible(game):
    """Whatever the player types before acting, the other cards could be any that fit what was seen."""
    for steps in (0, 9, 30):
        session = sit(game)
        play(session, *["1"] * steps)
        if session.over:
            continue
        real = session.env.snapshot()
        screens = []
        for world in range(3):
            if world:
                session.env.restore(real)
                session.env.restore(session.env.determinized(str(session.turn), world).snapshot())
            screens.append(play(session, "table", "log", "hint", "what", "quit")[1])
        assert screens[0] == screens[1] == screens[2]


def test_actions_are_numbers_names_or_beginnings():
    legal = ["hand 1", "hand 10", "hand 1*", "deck"]
    assert terminal.match("2", legal) == "hand 10"
    assert terminal.match("hand 1", legal) == "hand 1"
    assert terminal.match("d", legal) == "deck"
    for text, message in (("h", "could be"), ("5", "1 to 4"), ("0", "1 to 4"), ("fly", "no legal action")):
        with pytest.raises(ValueError, match=message):
            terminal.match(text, legal)


def test_a_list_of_actions_fits_the_terminal(game):
    setup = Setup(game)
    text = terminal.listed([setup.action_name(a) for a in range(setup.actions)])
    assert max(map(len, text.splitlines())) <= 80
    assert all(re.search(rf"\b{n} ", text) for n in range(1, setup.actions + 1))


def test_the_tab_key_completes_actions_and_commands():
    """Typed into a terminal of its own, so that the line editor is at work."""
    import pty

    code = (
        "from foodenvs.ui.terminal import complete_with\n"
        "complete_with(['hand 1', 'hand 12*', 'deck', 'hint'])\n"
        "typed = [input('ready '), input()]\n"
        "raise SystemExit(17 if typed == ['deck', 'hand 12*'] else str(typed))"
    )
    keyboard, terminal_end = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=terminal_end, stdout=terminal_end, stderr=terminal_end
    ) as typist:
        shown = b""
        while b"ready" not in shown:
            shown += os.read(keyboard, 100)
        os.write(keyboard, b"d\t\nha\t2\t\n")
        assert typist.wait(120) == 17
    os.close(keyboard)
    os.close(terminal_end)


def test_undo_gives_the_same_position_back(game):
    session = sit(game)
    play(session)
    before, steps = session.env.view(), len(session.recorder.steps)
    _, text = play(session, "undo", "1", "undo", "quit") if steps else play(session, "1", "undo", "quit")
    assert "Traceback" not in text
    assert session.env.view() == before or steps
    session.replay().verify()


def test_undo_is_for_one_player_against_agents():
    game = GAMES["scratch_catch"]
    _, text = play(sit(game), "undo", "quit")
    assert "nothing to take back" in text
    _, text = play(sit(game, [HUMAN, HUMAN, "greedy"]), "1", "undo", "quit")
    assert "one player against agents" in text


def test_hints_are_what_the_agent_would_do(game):
    session = sit(game)
    _, text = play(session, "hint", "quit")
    hinted = text.split("greedy would play: ")[1].split("\n")[0]
    assert hinted in session.legal()


def test_a_game_is_saved_and_gone_on_with(game, tmp_path):
    session = sit(game)
    file = tmp_path / "game.json"
    play(session, "1", "1", f"save {file}", "quit")
    again = terminal.resume(file, game.name, [])
    assert again.env.view() == session.env.view()
    assert again.seats == session.seats
    over, _ = play(again, then="1")
    assert over
    others = [name for name in GAMES if name != game.name]
    with pytest.raises(ValueError, match="is a game of"):
        terminal.resume(file, others[0], [])


def test_people_take_turns_at_one_screen():
    session = sit(GAMES["scratch_catch"], [HUMAN, HUMAN, HUMAN])
    _, text = play(session, "1", "1", "", "1", "quit")
    first, second = text.split("press Enter when only you look at the screen")[:2]
    assert "hand of player_0" in first
    assert "\n" * 50 in first
    assert "hand of player_0" not in second


def test_bots_can_play_alone():
    over, text = play(sit(GAMES["scratch_catch"], ["greedy"] * 3))
    assert over
    assert "  player_2 plays " in text
    assert "; catches " in text


def test_seats_are_filled_up_and_checked():
    setup = Setup(GAMES["scratch_catch"], {"players": 4})
    assert list(terminal.deal(setup, ["human", "greedy"], 1).seats.values()) == ["human"] + ["greedy"] * 3
    with pytest.raises(ValueError, match="1 to 4"):
        terminal.deal(setup, ["human"] * 5, 1)
    with pytest.raises(ValueError, match="unknown agent"):
        terminal.deal(setup, ["human", "nobody"], 1)


def command(*arguments, typed="", **environment):
    return subprocess.run(
        [sys.executable, "-m", "foodenvs", *map(str, arguments)],
        input=typed, capture_output=True, text=True, timeout=300, env=os.environ | environment,
    )  # fmt: skip


@pytest.fixture
def here(monkeypatch, capsys):
    """The command in this process."""

    def run(*arguments, typed=""):
        monkeypatch.setattr(sys, "argv", ["foodenvs", *map(str, arguments)])
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        with pytest.raises(SystemExit) as ended:
            cli.main()
        out, err = capsys.readouterr()
        return types.SimpleNamespace(returncode=ended.value.code, stdout=out, stderr=err)

    return run


def test_the_command_plays_through_pipes(tmp_path):
    file = tmp_path / "game.json"
    done = command(
        "play", "scratch_catch", "--seats", "human", "greedy", "random", "--seed", 4,
        typed=f"1\nhint\nsave {file}\nquit\n",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "greedy would play" in done.stdout
    assert list(replay.load(file).agents.values()) == ["human", "greedy", "random"]
    assert "hand of player_0" in command("play", "--resume", file, typed="quit\n").stdout


def test_the_command_shows_replays(here, tmp_path):
    done = here("match", "scratch_catch", "greedy", "random", "--games", 6, "--save", tmp_path, "--keep", 2)
    assert done.returncode == 0, done.stderr
    first, second = sorted(tmp_path.glob("*.json"))
    assert replay.load(first).agents != replay.load(second).agents
    shown = here("replay", first)
    assert "player_0: greedy" in shown.stdout
    assert "return +" in shown.stdout
    expected = replay.load(first).at(5).table("player_1")
    assert here("replay", first, "--seat", "player_1", "--step", 5).stdout == expected
    gif, html = tmp_path / "game.gif", tmp_path / "game.html"
    done = here("replay", first, "--seat", "player_1", "--gif", gif, "--html", html)
    assert done.returncode == 0, done.stderr
    assert gif.read_bytes().startswith(b"GIF89a")
    page = html.read_text(encoding="utf-8")
    assert '"views":{"player_1":' in page
    assert '"open":{' not in page
    assert "src=" not in page


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("replay", "no-such-file"), "No such file"),
        (("play",), "name a game"),
        (("play", "chess"), "unknown game"),
        (("play", "scratch_catch", "--seats", "human", "nobody"), "unknown agent"),
        (("play", "scratch_catch", "--hints", "nobody"), "unknown agent"),
        (("rules", "chess"), "unknown game"),
    ],
)
def test_wrong_input_is_one_line_and_exit_code_2(here, arguments, message):
    done = here(*arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(("option", "name"), [("--gif", "shot.png"), ("--html", "page.gif")])
def test_a_replay_is_not_written_into_a_file_of_another_kind(here, tmp_path, option, name):
    replay.record(foodenvs.make("scratch_catch"), ["random"], seed=1).save(tmp_path / "game.json")
    done = here("replay", tmp_path / "game.json", option, tmp_path / name)
    assert done.returncode == 2
    assert f"{option} writes a file that ends in .{option[2:]}" in done.stderr
    assert not (tmp_path / name).exists()


def test_rules_are_the_page(here, game):
    assert here("rules", game.name).stdout == game.page + "\n"


def test_a_gif_has_a_frame_for_each_position_and_shows_only_its_seat(tmp_path):
    from PIL import Image

    from foodenvs.replay.export import frames, save_gif

    recorded = replay.record(foodenvs.make("scratch_catch", players=2), ["greedy"], seed=2)
    count = save_gif(recorded, tmp_path / "a.gif", "player_0", "small")
    with Image.open(tmp_path / "a.gif") as gif:
        assert gif.n_frames == count == len(recorded.steps) + 1
        assert gif.size == (480, 320)
    told = frames(recorded, ["player_0"])
    assert list(told["views"]) == ["player_0"]
    assert str(recorded.seed) not in {str(value) for value in told}
    assert "seed" not in told
    assert len(told["views"]["player_0"]["wide"]) == count
    assert told["views"]["player_0"]["told"][0] == ""
    assert told["views"]["player_0"]["told"][1].startswith("player_0 plays ")
