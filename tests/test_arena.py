"""Matches, results files, tournaments, ratings, ladder and reports."""

import json
import math
import re
import sys
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree

import numpy as np
import pytest

import foodenvs
from foodenvs.arena import AgentFault, Results, match, play, report
from foodenvs.arena.deals import MOST_SEATINGS, DealResults, MatchRunner, WorkerPool, seatings
from foodenvs.arena.ladder import ladder, members, open_ladder
from foodenvs.arena.match import standings
from foodenvs.arena.play import Fault, line_up, places
from foodenvs.arena.ratings import rate
from foodenvs.arena.tournament import lineups_of, summed_up, tournament
from foodenvs.core.errors import AgentError
from foodenvs.core.setup import Setup
from foodenvs.engine import score_margins
from foodenvs.envs.aec import FoodEnv


@pytest.fixture
def setup():
    return Setup(foodenvs.GAMES["scratch_catch"])


def teams(*of_seats):
    """As much of a set-up as the seating of teams needs."""
    players = len(of_seats)
    return SimpleNamespace(
        teams=list(of_seats), contenders=len(set(of_seats)), players=players,
        agents=[f"player_{k}" for k in range(players)],
    )  # fmt: skip


class Bad:
    """Plays the lowest legal action until its `number`-th decision; what it does then is its `trick`."""

    def __init__(self, trick, number=3):
        self.trick, self.number = trick, number

    def reset(self, seed):
        self.left = self.number

    def act(self, observation, info):
        self.left -= 1
        if self.left == 0:
            return self.trick(info["action_mask"])
        return int(np.flatnonzero(info["action_mask"])[0])


def illegal(mask):
    return int(np.flatnonzero(mask == 0)[0])


# --- who sits where ----------------------------------------------------------------------------


def test_few_agents_sit_in_all_permutations_and_many_in_rotations():
    assert len(seatings(teams(0, 1, 2), ["a", "b", "c"])) == 6
    assert seatings(teams(0, 1, 2), ["a", "b", "b"]) == [[0, 1, 2], [1, 0, 2], [1, 2, 0]]
    assert len(seatings(teams(0, 1, 2, 3), ["a", "b", "a", "b"])) == 6
    assert len(seatings(teams(0, 1, 2), ["a"] * 3)) == 1
    ten = seatings(teams(*range(10)), ["a", *"b" * 9])
    assert [order.index(0) for order in ten] == list(range(10))
    assert ten[3] == [1, 2, 3, 0, 4, 5, 6, 7, 8, 9]
    five = seatings(teams(0, 1, 2, 3, 4), ["a", "b", "c", "d", "e"])
    assert math.factorial(5) > MOST_SEATINGS
    assert len(five) == 5
    assert all(sorted(column) == [0, 1, 2, 3, 4] for column in zip(*five, strict=True))


def test_the_seats_of_a_team_belong_to_one_agent_unless_every_seat_gets_its_own():
    setup = teams(7, 3, 7, 3, 3)
    assert places(setup, ["a", "b"]) == [0, 1, 0, 1, 1]
    assert seatings(setup, ["a", "b"]) == [[0, 1, 0, 1, 1], [1, 0, 1, 0, 0]]
    assert line_up(setup, "a") == ["a", "a"]
    assert places(setup, list("abcde")) == [0, 1, 2, 3, 4]
    with pytest.raises(ValueError, match="agents must be 1 to 2, one per team, or 5, one per seat, got 3"):
        line_up(setup, ["a", "b", "c"])


def test_a_margin_is_the_score_less_the_mean_of_the_opposing_teams():
    scores = np.array([[10, 4, 6], [1, 1, 4]])
    assert score_margins([0, 1, 2], scores).tolist() == [[5.0, -4.0, -1.0], [-1.5, -1.5, 3.0]]
    of_teams = np.array([10, 4, 10, 4, 7])  # two of two and one alone: a team counts once
    assert score_margins([0, 1, 0, 1, 2], of_teams).tolist() == [4.5, -4.5, 4.5, -4.5, 0.0]


def test_margins_come_with_an_interval_over_deals(setup):
    played = match(setup, ["greedy", "random"], 60, seed=1)
    greedy, other = played.agents
    assert greedy.margin_low < greedy.margin < greedy.margin_high
    assert greedy.margin > 0 > other.margin
    single = match(setup, ["greedy"], 1).agents[0]
    assert (single.margin_low, single.margin_high) == (None, None)


def test_one_object_on_several_seats_is_copied(setup):
    agent = Bad(illegal)
    first, _, third = (row[0] for row in MatchRunner(setup, [agent, "random", agent])._made)
    assert first is agent
    assert third is not agent
    assert third.trick is agent.trick


# --- faults ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("trick", "kind", "seconds"),
    [
        (illegal, "illegal move", None),
        (lambda mask: 10**6, "illegal move", None),
        (lambda mask: -1, "illegal move", None),
        (lambda mask: "hand 1", "illegal move", None),
        (lambda mask: None, "illegal move", None),
        (lambda mask: int(np.argmax(mask)) if sum(range(10**6)) else 0, "time-out", 5e-3),
    ],
)
def test_a_fault_costs_the_game_and_is_counted_under_the_agents_name(setup, trick, kind, seconds):
    result = match(setup, [Bad(trick), "random", "random"], 6, 1, seconds=seconds)
    bad, other = result.agents
    assert (bad.id, bad.win_share, other.win_share) == ("Bad", 0.0, 0.5)
    assert bad.faults == {kind: result.games}
    assert other.faults == {}


@pytest.fixture
def with_faults():
    """A set-up of two players, its line-up, and what three deals in both seatings brought.

    A fault of "bad" ended the second game of the first deal and both of the last, at scores of the moment.
    """
    setup = Setup(foodenvs.GAMES["scratch_catch"], {"players": 2})
    lost = [[0.0, 1.0], [1.0, 0.0]]  # by "bad", which sits on seat 0 and then on seat 1
    scores = np.array([[[4, 6], [99, 50]], [[8, 2], [5, 9]], [[99, 50], [50, 99]]])
    fault = Fault("player_1", "illegal move", "")
    faults = [(0, 1, fault), (2, 0, Fault("player_0", "illegal move", "")), (2, 1, fault)]
    return setup, ("bad", "good"), DealResults(np.array([lost] * 3), scores, np.full((3, 2), 7), faults)


def test_scores_of_the_moment_of_a_fault_are_no_scores(with_faults):
    setup, lineup, dealt = with_faults
    bad, good = standings(setup, lineup, dealt)
    assert (bad.games, bad.finished, bad.faults) == (6, 3, {"illegal move": 3})
    assert (good.games, good.finished, good.win_share) == (6, 3, 1.0)
    assert (bad.mean_score, good.mean_score) == ((4 + (8 + 9) / 2) / 2, (6 + (2 + 5) / 2) / 2)
    assert (bad.margin, good.margin) == (1.5, -1.5)
    assert good.margin_low < good.margin < good.margin_high
    for standing in standings(setup, lineup, dealt[2:]):
        assert (standing.finished, standing.mean_score, standing.margin) == (0, None, None)
        assert (standing.margin_low, standing.margin_high) == (None, None)


def test_a_tournament_takes_nothing_but_the_win_from_a_game_that_a_fault_ended(with_faults):
    setup, lineup, dealt = with_faults
    results = Results(None, setup)
    results.add(lineup, dealt)
    result = summed_up(setup, [lineup], lineup, results, 3, "round-robin")
    assert result.games == 6
    assert result.lengths.tolist() == [7] * 3
    assert {name: sorted(scores.tolist()) for name, scores in result.scores.items()} == {
        "bad": [4, 8, 9], "good": [2, 5, 6],
    }  # fmt: skip
    assert [row[2] for row in report.standing_rows(result)] == ["4.8 in 3 of 6 games", "6.2 in 3 of 6 games"]
    level = DealResults(np.full((1, 2, 2), 0.5), dealt.scores[2:], dealt.decisions[2:], dealt[2:].faults)
    results = Results(None, setup)
    results.add(lineup, level)
    result = summed_up(setup, [lineup], lineup, results, 1, "round-robin")
    assert result.ratings["bad"].mu == pytest.approx(result.ratings["good"].mu)
    assert "no game finished" in report.html([result])


def test_the_winners_of_a_forfeited_game_share_it():
    env = foodenvs.make("scratch_catch", players=4)
    played = play(env, ["random", Bad(illegal), "random", "random"], 1, referee=True)
    assert (played.fault.agent, played.fault.kind) == ("player_1", "illegal move")
    assert "legal: " in played.fault.message
    assert played.returns["player_1"] == pytest.approx(-1 / 3)
    assert sum(played.returns.values()) == pytest.approx(0)


def test_without_a_referee_faults_are_raised():
    env = foodenvs.make("scratch_catch")
    with pytest.raises(foodenvs.IllegalActionError):
        play(env, [Bad(illegal)] * 3, 1)

    def give_up(mask):
        raise AgentFault("tired", "no more")

    with pytest.raises(AgentFault, match="no more"):
        play(env, [Bad(give_up)] * 3, 1)
    assert play(env, [Bad(give_up)] * 3, 1, referee=True).fault.kind == "tired"


@pytest.mark.parametrize("kind", [ZeroDivisionError, SystemExit])
def test_an_agents_own_error_is_told_as_its_own(setup, kind):
    def trip(mask):
        raise kind("mine")

    said = rf"agent Bad \(player_\d\): .*test_arena.py:\d+, in .*: {kind.__name__}: mine"
    with pytest.raises(AgentError, match=said) as error:
        match(setup, [Bad(trip), "random"], 3, 1)
    assert isinstance(error.value.__cause__, kind)
    with pytest.raises(kind, match="mine"):
        play(FoodEnv(setup), [Bad(trip), "random", "random"], 1)


# --- matches -----------------------------------------------------------------------------------


def test_a_match_does_not_depend_on_the_workers(setup):
    agents = ["ismcts:iterations=4", "greedy", "random"]
    alone, together = (match(setup, agents, 12, 5, workers=workers) for workers in (1, 2))
    assert alone.agents == together.agents
    assert alone.decisions == together.decisions
    with pytest.raises(ValueError, match="by id only"):
        match(setup, [Bad(illegal)], 3, workers=2)
    with pytest.raises(ValueError, match="workers must be"):
        WorkerPool(0)


def test_a_match_stops_at_a_width_that_does_not_hang_on_how_many_deals_are_played_at_once(setup, monkeypatch):
    widths = []
    for seconds in (1e-9, 10):
        monkeypatch.setattr("foodenvs.arena.deals._CHUNK_SECONDS", seconds)
        result = match(setup, ["greedy", "random"], 30000, 1, width=0.1)
        widths.append((result.deals, result.agents))
        assert all(agent.high - agent.low <= 0.1 for agent in result.agents)
        assert 32 < result.deals < 1000
    assert widths[0] == widths[1]


def test_progress_tells_the_running_estimate(setup):
    said = []
    match(setup, ["greedy", "random"], 30, 1, progress=lambda *told: said.append(told))
    assert said[-1][:2] == (30, 30)
    assert re.fullmatch(r"greedy \d+\.\d % \[\d+\.\d, \d+\.\d\]", said[-1][2])


# --- results files -----------------------------------------------------------------------------


def test_an_interrupted_match_is_taken_up_again(setup, tmp_path, monkeypatch):
    monkeypatch.setattr("foodenvs.arena.deals._CHUNK_SECONDS", 1e-9)
    file = tmp_path / "match.jsonl"
    agents = [Bad(illegal, 9), "random", "random"]
    whole = match(setup, agents, 30, 3)

    class Interrupt(Exception):
        pass

    def interrupt(done, wanted, estimate):
        if done >= 12:
            raise Interrupt

    with Results(file, setup, 3) as results, pytest.raises(Interrupt):
        match(setup, agents, 30, 3, results=results, progress=interrupt)
    file.write_bytes(file.read_bytes() + b'{"lineup":["Ba')  # the writing was cut off
    with Results(file, setup, 3) as known:
        assert len(known.dealt(line_up(setup, agents))) == 4
        again = match(setup, agents, 30, 3, results=known)
    assert again.agents == whole.agents
    assert again.decisions == whole.decisions
    monkeypatch.setattr("foodenvs.arena.deals.MatchRunner.__call__", None)
    assert match(setup, agents, 30, 3, results=Results(file, setup, 3)).agents == whole.agents


def test_a_results_file_belongs_to_one_run_at_a_time(setup, tmp_path):
    file = tmp_path / "match.jsonl"
    with Results(file, setup, 3):
        whole = file.read_bytes()
        with pytest.raises(BlockingIOError, match="another run is writing it") as error:
            Results(file, setup, 3)
        assert error.value.filename == str(file)
        assert file.read_bytes() == whole
    results = Results(file, setup, 3)
    del results
    with pytest.raises(ValueError, match="was played with seed 3, not 4"):
        Results(file, setup, 4)
    Results(file, setup, 3).close()
    assert list(tmp_path.iterdir()) == [file]


def test_an_empty_file_is_a_fresh_one_and_what_is_no_file_is_refused(setup, tmp_path):
    (tmp_path / "made").touch()
    match(setup, ["greedy", "random"], 3, 3, results=Results(tmp_path / "made", setup, 3))
    assert Results(tmp_path / "made", setup, 3).lineups == [("greedy", "random", "greedy")]
    for special in (tmp_path, "/dev/zero"):
        with pytest.raises(ValueError, match="is no file"):
            Results(Path(special), setup)
    with pytest.raises(FileNotFoundError):
        Results(tmp_path / "nowhere" / "file", setup)


@pytest.mark.skipif(sys.platform == "win32", reason="limits the size of a file")
def test_a_full_disk_leaves_what_was_kept(setup, tmp_path):
    import resource

    file = tmp_path / "match.jsonl"
    lineup = line_up(setup, ["greedy", "random"])
    with Results(file, setup, 3) as results:
        match(setup, lineup, 3, 3, results=results)
        kept, known = file.read_bytes(), results.dealt(lineup)
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (len(kept) + 10, limits[1]))
        try:
            with pytest.raises(OSError, match="File too large") as error:
                match(setup, lineup, 30, 3, results=results)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        assert error.value.filename == str(file)
        assert file.read_bytes() == kept
        assert results.dealt(lineup) is known
        assert match(setup, lineup, 30, 3, results=results).agents == match(setup, lineup, 30, 3).agents


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: "hello\n", "is no results file"),
        (lambda text: '{"format": "foodenvs results 0"}\n', "is no results file"),
        (lambda text: text.replace('"seed":3', '"seed":4'), "was played with seed 4, not 3"),
        (lambda text: text.replace("scratch_catch-v0", "chess-v0"), "was played with game chess-v0"),
        (lambda text: text.replace('"scores"', '"points"'), "line 4 is damaged: scores: is missing"),
        (lambda text: text.replace('"first":0', '"first":9'), "line 4 is damaged: first: must be 0 to 0"),
        (lambda text: text.replace('"scores":[[', '"scores":[[[1],', 1), "scores: must be 1 x 3 x 3 numbers"),
        (lambda text: text.replace('"decisions":[[', '"decisions":[[1e300,', 1), "decisions: must be 1 x 3"),
        (
            lambda text: text.replace('"shares":[[[', '"shares":[[[7', 1),
            "shares: must be 1 x 3 x 3 numbers from",
        ),
        (lambda text: text.replace('"faults":[', '"faults":[[0,9]', 1), "fault 1: fault: is missing"),
        (lambda text: text + "[" * 9999 + "]" * 9999 + "\n", "line 5 is damaged: must have at most 40 lists"),
        (lambda text: text.replace("greedy", "{greedy", 1).replace('"agent":"{', '"agent":{"'), "damaged"),
    ],
)
def test_a_broken_results_file_is_one_clear_line(setup, tmp_path, change, message):
    file = tmp_path / "match.jsonl"
    match(setup, ["greedy", "random"], 3, 3, results=Results(file, setup, 3))
    file.write_text(change(file.read_text()))
    with pytest.raises(ValueError, match=re.escape(message)) as error:
        Results(file, setup, 3)
    assert "\n" not in str(error.value)


def test_a_changed_agent_file_is_noticed(setup, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    own = tmp_path / "own.py"
    text = "class A:\n def reset(self, seed): pass\n def act(self, o, i): return i['action_mask'].argmax()\n"
    own.write_text(text)
    match(setup, ["own.py:A", "random"], 3, results=Results(tmp_path / "r", setup))
    Results(tmp_path / "r", setup)
    own.write_text(text + "# new\n")
    with pytest.raises(ValueError, match=r"own.py:A has changed since it played"):
        Results(tmp_path / "r", setup)


# --- tournaments -------------------------------------------------------------------------------


def test_line_ups_of_the_formats(setup):
    three, two = setup, Setup(foodenvs.GAMES["scratch_catch"], {"players": 2})
    assert sorted(lineups_of(two, ["c", "a", "b"], "round-robin")) == [("a", "b"), ("a", "c"), ("b", "c")]
    assert sorted(lineups_of(three, ["b", "a"], "round-robin")) == [("a", "a", "b"), ("a", "b", "b")]
    assert sorted(lineups_of(two, ["a", "b", "c"], "all-seats")) == [("a", "b"), ("a", "c"), ("b", "c")]
    assert lineups_of(three, ["c", "b", "a"], "all-seats") == [("a", "b", "c")]
    assert sorted(lineups_of(three, ["a", "b"], "all-seats")) == [("a", "a", "b"), ("a", "b", "b")]
    for wrong in ([], ["a"], ["a", "a"]):
        with pytest.raises(ValueError, match="at least two different agents"):
            lineups_of(two, wrong, "round-robin")
    with pytest.raises(ValueError, match='format must be "round-robin" or "all-seats"'):
        lineups_of(two, ["a", "b"], "knock-out")


@pytest.mark.parametrize("form", ["round-robin", "all-seats"])
def test_a_tournament_ranks_its_agents(setup, form):
    result = tournament(setup, ["random", Bad(illegal, 99), "greedy"], 30, Results(None, setup, 2), form=form)
    assert result.agents[0] == "greedy"
    assert result.ratings["greedy"].ordinal > result.ratings["random"].ordinal
    assert result.games == result.lengths.size
    assert sum(seat.mean for seat in result.seats) == pytest.approx(1)
    assert result.matrix["greedy", "random"].mean > 0.5 > result.matrix["random", "greedy"].mean
    in_all = sum(scores.size for scores in result.scores.values())
    assert in_all == result.games * setup.players
    if form == "all-seats":
        assert sum(s.win_share for s in result.standings) == pytest.approx(1)


def test_a_round_robin_of_two_players_is_its_matches():
    setup = Setup(foodenvs.GAMES["scratch_catch"], {"players": 2})
    results = Results(None, setup, 4)
    result = tournament(setup, ["random", "greedy"], 20, results)
    alone = match(setup, ["greedy", "random"], 40, 4).agents[0]
    cell = result.matrix["greedy", "random"]
    assert (cell.mean, cell.low, cell.high) == (alone.win_share, alone.low, alone.high)
    assert result.standings[0].mean_score == alone.mean_score


def test_a_tournament_stops_at_a_width(setup):
    result = tournament(setup, ["random", "greedy"], 5000, Results(None, setup, 2), width=0.2)
    assert result.deals < 5000
    assert all(s.high - s.low <= 0.2 for s in result.standings)


def test_ratings_order_agents_and_ignore_games_against_oneself():
    games = [(["a", "b"], [0, 1])] * 20 + [(["b", "c", "c"], [0, 1, 2])] * 20
    rated = rate("abc", games)
    assert rated["a"].mu > rated["b"].mu > rated["c"].mu
    assert rate("a", [(["a", "a"], [0, 1])])["a"] == rate("a", [])["a"]
    assert rate("ab", [(["a", "b"], [0, 0])])["a"].mu == pytest.approx(rate("ab", [])["a"].mu)


# --- ladder ------------------------------------------------------------------------------------


def test_a_ladder_plays_only_what_is_missing(setup, tmp_path, monkeypatch):
    file = tmp_path / "ladder.jsonl"
    with pytest.raises(ValueError, match="there is no such ladder yet"):
        open_ladder(file, None, None, None)
    ladder(open_ladder(file, setup, 7, None), ["random", "greedy"], 10)
    played = []
    monkeypatch.setattr(MatchRunner, "__call__", _counted(MatchRunner.__call__, played))
    with open_ladder(file, None, None, None) as results:
        assert (results.seed, results.setup.options) == (7, setup.options)
        result = ladder(results, members(results, ["test_play:Lowest"]))
    assert {name for lineup in played for name in lineup} == {"random", "greedy", "test_play:Lowest"}
    assert all("test_play:Lowest" in lineup for lineup in played)
    played.clear()
    with open_ladder(file, None, None, None) as again:
        assert report.as_dict(ladder(again, members(again, [], allow_code=True))) == report.as_dict(result)
    assert not played
    with pytest.raises(ValueError, match="was played with seed 7, not 8"):
        open_ladder(file, None, 8, None)


def _counted(call, played):
    def counted(self, seed, first, size):
        played.append(tuple(self.lineup))
        return call(self, seed, first, size)

    return counted


# --- reports -----------------------------------------------------------------------------------


def test_reports_hold_what_was_found(setup):
    bad = Bad(illegal, 9)
    bad.label = "<b>&bad"
    result = tournament(setup, ["random", bad, "greedy"], 6, Results(None, setup, 2))
    plain = report.as_dict(result)
    assert json.loads(json.dumps(plain)) == plain
    assert [agent["id"] for agent in plain["agents"]] == result.agents
    assert {(cell["agent"], cell["against"]) for cell in plain["matrix"]} == set(result.matrix)
    assert plain["decisions"]["mean"] == result.lengths.mean()
    page = report.html([result, result])
    assert "<b>&bad" not in page
    assert "&lt;b&gt;&amp;bad" in page
    assert "illegal move" in page
    assert not re.search(r"<script|https?://|src=|@import|url\(", page)
    pictures = re.findall(r"<svg.*?</svg>", page, re.S)
    assert len(pictures) == 2 * (3 + 1 + 3)
    for picture in pictures:
        ElementTree.fromstring(picture)
    text = "\n".join(" ".join(row) for row in report.standing_rows(result) + report.matrix_rows(result))
    assert all(f"{100 * s.win_share:.1f} %" in text for s in result.standings)
