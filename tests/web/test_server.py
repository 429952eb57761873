"""What the server tells and whom: the seat's view only, to its own page only, within its limits."""

import json
import time

import pytest
from helpers import short

from foodenvs import replay
from foodenvs.ui.web import sessions as limits
from foodenvs.ui.web.sessions import Sessions

pytestmark = pytest.mark.extra("browser")


def play_out(served, key, most=500):
    """Play the game of a session to its end by first actions; every state that was told on the way."""
    path = f"/api/sessions/{key}"
    told = served.get(path)
    yield told
    for _ in range(most):
        if told["over"]:
            return
        what, more = ("act", {"action": told["legal"][0]}) if told["waits"] else ("advance", {})
        told = served.post(f"{path}/{what}", {"step": told["steps"], **more})
        assert told == served.get(path)  # so what is true of the one answer is true of the other
        yield told
    raise AssertionError("the game does not end")


def shown(told):
    return {key: told[key] for key in ("frame", "sprites", "text", "last", "log", "thought", "result")}


def test_every_answer_is_the_same_in_every_world_that_the_seat_thinks_possible(served, game):
    options = short(game)
    seats = ["human", *["greedy"] * (options["players"] - 1)]
    key = served.deal(game.id, seats, options, seed=987654321987)
    session = served.sessions.get(key)
    you, env = session.you, session.env
    checked = 0
    for number, told in enumerate(play_out(served, key)):
        if told["over"]:
            break
        assert "987654321987" not in json.dumps(told)
        assert told["viewers"] == [you]
        if number % 5:
            continue
        for narrow in (0, 1):
            path = f"/api/sessions/{key}?narrow={narrow}"
            real, answer = env.snapshot(), served.get(path)
            env.restore(env.determinized(you, number).snapshot())
            other = served.get(path)
            env.restore(real)
            assert answer == other
            checked += 1
        if told["waits"]:
            answers = []
            for world in (real, env.determinized(you, number).snapshot()):
                env.restore(world)
                answers.append(served.post(f"/api/sessions/{key}/hint", {}))
            env.restore(real)
            assert answers[0] == answers[1]
        back = number // 2
        told_back = served.get(f"/api/sessions/{key}?step={back}")
        world = session.replay.at(back).determinized(you, number)
        assert told_back["text"] == world.table(you)
        assert told_back["frame"]["items"] == limits.frame(world.picture(you))[0]["items"]
    assert checked > 4


def test_hidden_things_cannot_be_asked_for_before_the_end(served, game):
    options = short(game)
    key = served.deal(game.id, ["human", *["random"] * (options["players"] - 1)], options)
    path = f"/api/sessions/{key}"
    for viewer in ("open", "player_1", "", "nobody"):
        status, _, text = served.ask("GET", f"{path}?viewer={viewer}")
        assert status == 403, text
    for name in ("replay.json", "replay.html"):
        status, _, text = served.ask("GET", f"{path}/{name}")
        assert (status, "over" in text) == (403, True)
    *_, end = play_out(served, key)
    assert end["viewers"][:2] == ["player_0", "open"]
    assert set(end["result"]) == {"scores", "returns", "truncated"}
    assert served.get(f"{path}?viewer=player_1&step=3")["viewer"] == "player_1"
    status, headers, text = served.ask("GET", f"{path}/replay.json")
    assert status == 200
    assert f'"{game.id}.json"' in headers["content-disposition"]
    replay.from_json(text).verify()
    assert served.ask("GET", f"{path}/replay.html")[0] == 200


def test_a_replay_can_be_loaded_and_looked_at_but_not_played(served, game):
    recorded = replay.record(game_env(game), ["greedy", "random"], seed=4)
    key = served.post("/api/replays", recorded.as_dict())["id"]
    told = served.get(f"/api/sessions/{key}?step=5")
    assert told["viewer"] == "open"
    assert told["text"] == recorded.at(5).table("open")
    assert told["last"] == told["log"][4]
    assert len(told["log"]) == told["steps"]
    assert served.get(f"/api/sessions/{key}?viewer=player_1")["text"] == recorded.at(-1).table("player_1")
    for what, body in (("act", {"action": "x", "step": told["steps"]}), ("undo", {}), ("hint", {})):
        assert served.ask("POST", f"/api/sessions/{key}/{what}", body)[0] == 409


def game_env(game):
    import foodenvs

    return foodenvs.make(game.id)


def test_undo_and_hint(served):
    key = served.deal("scratch_catch", ["human", "greedy", "greedy"], seed=3)
    path = f"/api/sessions/{key}"
    first = served.get(path)
    assert not first["undo"]
    hinted = served.post(f"{path}/hint", {})["action"]
    assert hinted in first["legal"]
    played = served.post(f"{path}/act", {"action": hinted, "step": 0})
    assert played["steps"] == 1
    again = served.post(f"{path}/undo", {})
    assert shown(again) == shown(first)
    assert again == served.get(path)
    status, _, text = served.ask("POST", f"{path}/undo", {})
    assert (status, "nothing to take back" in text) == (400, True)


def test_wrong_actions_change_nothing(served):
    key = served.deal("scratch_catch", ["human", "greedy", "greedy"], seed=3)
    path = f"/api/sessions/{key}"
    before = served.get(path)
    for body, status in (
        ({"action": "hand 77", "step": 0}, 400),
        ({"action": "fly", "step": 0}, 400),
        ({"action": before["legal"][0], "step": 5}, 409),
        ({"action": before["legal"][0]}, 400),
        ({"action": 3, "step": 0}, 400),
        ({"action": before["legal"][0], "step": True}, 400),
        ([], 400),
    ):
        assert served.ask("POST", f"{path}/act", body)[0] == status, body
    assert served.post(f"{path}/advance", {"step": 0}) == before
    assert served.get(path) == before


def test_sessions_are_apart_and_can_be_closed(served):
    keys = [served.deal("scratch_catch", ["human", "greedy", "greedy"], seed=s) for s in (1, 2)]
    one, two = (served.get(f"/api/sessions/{key}") for key in keys)
    assert one["text"] != two["text"]
    served.post(f"/api/sessions/{keys[0]}/act", {"action": one["legal"][0], "step": 0})
    assert served.get(f"/api/sessions/{keys[1]}") == two
    assert served.ask("DELETE", f"/api/sessions/{keys[0]}")[0] == 200
    assert served.ask("GET", f"/api/sessions/{keys[0]}")[0] == 404
    assert served.get(f"/api/sessions/{keys[1]}") == two


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Host": "evil.example"}, 403),
        ({"Host": "127.0.0.1:1"}, 403),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://127.0.0.1:1"}, 403),
        ({"Origin": None}, 403),
        ({"Sec_Fetch_Site": "cross-site"}, 403),
        ({"Sec_Fetch_Site": "same-site"}, 403),
        ({"Sec_Fetch_Site": "same-origin"}, 200),
        ({"Content_Type": "text/plain"}, 415),
        ({"Content_Type": "application/x-www-form-urlencoded"}, 415),
        ({"Content_Type": None}, 415),
    ],
)
def test_only_its_own_pages_may_act(served, headers, status):
    body = {"game": "scratch_catch", "options": {}, "seats": ["human", "greedy", "greedy"]}
    assert served.ask("POST", "/api/sessions", body, **headers)[0] == status


def test_reading_needs_the_right_name_too(served):
    for path in ("/", "/app.js", "/api/games"):
        assert served.ask("GET", path, Origin=None)[0] == 200
        assert served.ask("GET", path, Origin=None, Host="evil.example")[0] == 403
        assert served.ask("GET", path, Origin=None, Host=None)[0] == 400
        assert served.ask("GET", path, Origin="http://evil.example")[0] == 403
    assert served.ask("GET", "/api/games", Origin=None, Sec_Fetch_Site="cross-site")[0] == 403
    assert served.ask("GET", "/", Origin=None, Sec_Fetch_Site="cross-site")[0] == 200  # a link to the page


def test_answers_forbid_what_a_page_does_not_need(served):
    for path in ("/", "/api/games", "/api/sessions/none"):
        _, headers, _ = served.ask("GET", path)
        assert "default-src 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert "server" not in headers


@pytest.mark.parametrize(
    "path",
    [
        "/etc/passwd", "/static/app.js", "/../pyproject.toml", "/%2e%2e/%2e%2e/etc/passwd", "/app.js/../../x",
        "/api/sessions/../../../etc/passwd", "/api/games/..%2f..%2fetc%2fpasswd/rules", "/api/games/os/rules",
        "/replay.html", "/favicon.ico",
    ],
)  # fmt: skip
def test_no_file_of_the_machine_is_reachable(served, path):
    status, _, text = served.ask("GET", path)
    assert status in (400, 404), text
    assert len(text) < 300


@pytest.mark.parametrize(
    "agent",
    [
        "os:getcwd", "/etc/passwd:X", "x.py:Agent", "policy:/etc/passwd", "cheater", "ismcts", "", 5, None,
        {},
        "ismcts:iterations=99999", "ismcts:iterations=100,explore=x", "random:x=1", "human:",
    ],
)  # fmt: skip
def test_only_listed_agents_may_be_asked_for(served, agent):
    body = {"game": "scratch_catch", "options": {}, "seats": ["human", agent, "greedy"]}
    status, _, text = served.ask("POST", "/api/sessions", body)
    assert (status, "error" in json.loads(text)) == (400, True)


@pytest.mark.parametrize(
    "body",
    [
        {}, [], 3, None, {"game": "scratch_catch"}, {"game": "chess", "options": {}, "seats": []},
        {"game": "scratch_catch", "options": {"players": 99}, "seats": ["human"]},
        {"game": "scratch_catch", "options": {"components": "/etc/passwd"}, "seats": ["human"] * 3},
        {"game": "scratch_catch", "options": {}, "seats": ["human"] * 3},
        {"game": "scratch_catch", "options": {}, "seats": ["human"]},
        {"game": "scratch_catch", "options": {}, "seats": ["human", "greedy", "greedy"], "seed": -1},
        {"game": "scratch_catch", "options": {}, "seats": ["human", "greedy", "greedy"], "more": 1},
        b"no json", b"\xff\xfe", b"[" * 100_000, b"",
    ],
)  # fmt: skip
def test_a_bad_request_is_told_in_a_sentence(served, body):
    status, _, text = served.ask("POST", "/api/sessions", body)
    assert status == 400
    assert json.loads(text)["error"]


def test_bad_replays_are_told_in_a_sentence(served):
    good = replay.record(game_env_of("scratch_catch"), ["random"], seed=1).as_dict()
    changes = (
        {"tables": "/etc/passwd"}, {"tables": {"counts": 1}}, {"tables": {"distribution": {"cats": "x"}}},
        {"position": {"line": 3}}, {"position": {"hands": [[1], {}, None]}}, {"position": {"players": "3"}},
        {"options": {"players": [1]}}, {"game": "../x"}, {"seed": 2**70}, {"steps": [{}]},
        {"agents": {"a": 1}},
        {"result": {"scores": {"x": "y"}}}, {"steps": [{"agent": "a", "action": "b", "after": "c"}] * 10_001},
    )  # fmt: skip
    for change in changes:
        status, _, text = served.ask("POST", "/api/replays", good | change)
        assert status in (400, 413), (change, text)
        assert json.loads(text)["error"]


def game_env_of(name):
    import foodenvs

    return foodenvs.make(name)


def test_too_much_is_refused(served, monkeypatch):
    status, _, text = served.ask("POST", "/api/replays", b" " * (limits.LARGEST_BODY + 1))
    assert (status, "bytes" in text) == (413, True)
    monkeypatch.setattr(limits, "MOST_SESSIONS", 2)
    full = Sessions()
    asked = {"game": "scratch_catch", "options": {}, "seats": ["human", "greedy", "greedy"]}
    keys = [full.deal(asked) for _ in range(2)]
    with pytest.raises(limits.Refused, match="holds 2 games"):
        full.deal(asked)
    full.all[keys[0]].used = time.monotonic() - limits.IDLE_SECONDS - 1
    full.deal(asked)  # takes the place of the one that nobody has asked for
    assert keys[0] not in full.all
    assert keys[1] in full.all


SLOW = """
import time

class Agent:
    def reset(self, seed):
        pass

    def act(self, observation, info):
        time.sleep(0.5)
        return int(info["action_mask"].argmax())
"""


def test_an_agent_that_thinks_too_long_is_not_waited_for(tmp_path, monkeypatch):
    monkeypatch.setattr(limits, "MOST_SECONDS", 0.05)
    slow = tmp_path / "slow.py"
    slow.write_text(SLOW)
    sessions = Sessions([f"{slow}:Agent"])
    game = {"game": "scratch_catch", "options": {"players": 2}, "seats": [f"{slow}:Agent", "human"]}
    for _ in range(limits.MOST_THINKING + 1):  # nobody else has to wait for it
        session = sessions.get(sessions.deal(game))
        while session.game.waits:
            sessions.act(session, {"action": session.game.legal()[0], "step": len(session.steps)})
        before = session.steps
        for said in ("took more than 0.05 s", "plays no more"):
            with pytest.raises(limits.Refused, match=f"player_0 .*{said}"):
                sessions.advance(session, {"step": len(session.steps)})
            assert session.steps == before


@pytest.mark.parametrize("error", ["LookupError", "TimeoutError", "SystemExit"])
def test_an_agent_that_fails_is_told_and_changes_nothing(tmp_path, error):
    faulty = tmp_path / "faulty.py"
    faulty.write_text(SLOW.replace("time.sleep(0.5)", f"raise {error}('no idea')"))
    sessions = Sessions([f"{faulty}:Agent"])
    asked = {"game": "scratch_catch", "options": {"players": 2}, "seats": [f"{faulty}:Agent"] * 2}
    session = sessions.get(sessions.deal(asked))
    with pytest.raises(limits.Refused, match=f"player_0 failed: {error}: no idea"):
        sessions.advance(session, {"step": 0})
    assert session.steps == ()


def test_own_agents_can_be_offered(tmp_path):
    offered = Sessions(["mine.py:Agent"])
    from foodenvs.games import GAMES

    assert "mine.py:Agent" in offered.agents(GAMES["scratch_catch"])
    assert offered.check_agent(GAMES["scratch_catch"], "mine.py:Agent") == "mine.py:Agent"


def test_the_rules_are_told_as_html(served, game):
    page = served.get(f"/api/games/{game.id}/rules")["html"]
    assert "<table>" in page
    assert "<script" not in page


def test_every_option_of_every_game_is_in_the_form(served, game):
    told = next(g for g in served.get("/api/games") if g["id"] == game.id)
    assert [option["name"] for option in told["options"]] == list(game.options)
    default = {option["name"]: option["default"] for option in told["options"]}
    count = default["players"]
    served.deal(game.id, ["human", *["random"] * (count - 1)], default)
