"""Agents by name, one game between agents, seat-rotated matches, golden scenarios as a tool."""

import numpy as np
import pytest
import toy
from helpers import size

import foodenvs
from foodenvs.agents import Table, build_agent, make_agent
from foodenvs.agents.base import agent_seed
from foodenvs.arena import match, play, seat_agents
from foodenvs.arena.match import interval
from foodenvs.core.errors import AgentError
from foodenvs.core.setup import Setup
from foodenvs.envs.aec import FoodEnv
from foodenvs.envs.batch import Batch
from foodenvs.testing.scenario import ScenarioError, load_scenarios, run_files


class Lowest:
    """The first legal action; remembers how it was treated."""

    def __init__(self):
        self.events = []

    def join(self, table):
        self.events.append(("join", table.agent))

    def reset(self, seed):
        self.events.append(("reset", seed))

    def act(self, observation, info):
        self.events.append("act")
        return int(np.flatnonzero(info["action_mask"])[0])


# --- agents by name ----------------------------------------------------------------------------


def test_ids_lead_to_agents():
    env = foodenvs.make("scratch_catch")
    for agent_id in ("random", "greedy", "test_play:Lowest", f"{__file__}:Lowest"):
        agent = make_agent(agent_id, env, "player_1")
        assert play(env, [agent] * 3, 1).decisions > 0
    own = Lowest()
    assert make_agent(own) is own


@pytest.mark.parametrize(
    ("agent_id", "message"),
    [
        ("nobody", "unknown agent 'nobody'; there are random, greedy"),
        ("", "unknown agent"),
        ("random:x", "key=value"),
        ("random:speed=3", "random has none"),
        ("no_such_module:Class", "no module no_such_module"),
        ("nowhere/agent.py:Class", "no file nowhere/agent.py"),
        ("test_play:Nobody", "has no Nobody"),
        ("test_play:pytest", "is no class"),
        ("builtins:dict", "dict has no method act"),
        (3, "an agent is an id or has act and reset"),
    ],
)
def test_an_id_that_leads_nowhere_says_why(agent_id, message):
    with pytest.raises(ValueError, match=message):
        build_agent(agent_id)


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (
            "import a_module_that_is_not_there",
            r"broken.py:1: ModuleNotFoundError: No module named 'a_module_that_is_not_there'",
        ),
        ("\nclass Agent", r"SyntaxError: expected ':' \(broken.py, line 2\)"),
        (
            "class Agent:\n def __init__(self): 1 / 0",
            r"broken.py:2, in Agent.__init__: ZeroDivisionError: division by zero",
        ),
        ("raise SystemExit(3)", r"broken.py:1: SystemExit: 3"),
    ],
)
def test_an_error_in_ones_own_module_is_told_with_its_line(tmp_path, source, said):
    (tmp_path / "broken.py").write_text(source)
    with pytest.raises(AgentError, match=said):
        build_agent(f"{tmp_path / 'broken.py'}:Agent")


def test_greedy_without_a_table_says_so():
    env = foodenvs.make("scratch_catch")
    env.reset(seed=1)
    observation, *_, info = env.last()
    with pytest.raises(RuntimeError, match="needs a table"):
        make_agent("greedy").act(observation, info)


def test_an_agent_that_a_game_does_not_have_says_so():
    with pytest.raises(ValueError, match=r"toy-v0 has no agent expert; it has .*greedy"):
        make_agent("expert", foodenvs.make(toy.GAME))


def test_every_agent_of_a_game_plays_legally_scaled_and_raw(game):
    for name in game.agents.AGENTS:
        played = [
            play(foodenvs.make(game, raw=raw), [name], seed) for raw in (False, True) for seed in (1, 2)
        ]
        assert played[:2] == played[2:]


def test_agents_play_legally_in_positions_that_others_led_to(game):
    """As a hint for a person, a teacher of a network, a player who takes over."""
    games = size(16, 64)
    for players in game.options["players"].allowed:
        setup = Setup(game, {"players": players})
        for name in game.agents.AGENTS:
            agent = make_agent(name, FoodEnv(setup))
            batch = Batch(setup, games, seed=players)
            for step in range(size(60, 200)):
                chosen = agent.act_many(batch.observation, batch.action_mask)
                wrong = np.flatnonzero(batch.action_mask[np.arange(games), chosen] == 0)
                assert not len(wrong), (
                    f"{name}, {players} players, step {step}, games {wrong}: {chosen[wrong]}"
                )
                mixed = batch.sample()
                mixed[step % 3 :: 3] = chosen[step % 3 :: 3]
                batch.step(mixed)


def test_a_table_tells_the_game_and_samples_at_its_turn_only(game):
    env = foodenvs.make(game)
    env.reset(seed=1)
    table = Table(env, env.agent_selection)
    assert table.game is game
    assert table.options == env.setup.options
    observation = env.observe(table.agent)
    assert np.array_equal(table.raw(observation), env.setup.raw(observation["observation"]))
    sample = table.sample(observation, env.infos[table.agent], 3)
    assert np.array_equal(sample.observe(table.agent)["observation"], observation["observation"])
    other = next(a for a in env.possible_agents if a != env.agent_selection)
    with pytest.raises(RuntimeError, match="it is not its turn there"):
        Table(env, other).sample(env.observe(other), env.infos[other], 3)


# --- one game ----------------------------------------------------------------------------------


def test_play_joins_resets_and_asks():
    env = foodenvs.make("scratch_catch")
    agent = Lowest()
    played = foodenvs.play(env, {"player_0": agent, "player_1": "greedy", "player_2": "random"}, 7)
    assert agent.events[0] == ("join", "player_0")
    assert agent.events[1] == ("reset", agent_seed(7, 0))
    assert set(agent.events[2:]) == {"act"}
    assert sum(played.returns.values()) == pytest.approx(0)
    assert list(played.scores) == list(played.returns) == env.possible_agents
    assert foodenvs.play(env, ["test_play:Lowest", "greedy", "random"], 7) == played


def test_agents_seeds_differ_by_seat_and_game():
    seeds = {agent_seed(seed, seat) for seed in range(100) for seat in range(6)}
    assert len(seeds) == 600
    assert not seeds & set(range(100))


@pytest.mark.parametrize("agents", [[], ["random"] * 4, {"player_0": "random"}])
def test_a_wrong_number_of_agents_is_refused(agents):
    with pytest.raises(ValueError, match="agents must"):
        play(foodenvs.make("scratch_catch"), agents, 1)


def test_agents_sit_by_seat_or_by_team():
    """In the box's 1v2 the lone seat is one team and the others are the other."""
    setup = Setup(foodenvs.GAMES["fast_food_fury"], {"players": 3})
    one, two = setup.teams[0], next(team for team in setup.teams if team != setup.teams[0])
    assert sorted(setup.teams) in ([one, two, two], [one, one, two], [two, two, one], [two, one, one])
    by_team = {one: "greedy", two: "random"}
    assert seat_agents(setup, ["greedy", "random"]) == [by_team[team] for team in setup.teams]
    assert seat_agents(setup, ["greedy", "random", "expert"]) == ["greedy", "random", "expert"]
    assert seat_agents(setup, "random") == ["random"] * 3
    with pytest.raises(ValueError, match="agents must be 1 to 2, one per team, or 3, one per seat, got 4"):
        seat_agents(setup, ["random"] * 4)


def test_a_match_takes_an_agent_for_each_seat_of_a_team_game():
    setup = Setup(foodenvs.GAMES["fast_food_fury"])
    result = match(setup, ["greedy", "greedy", "greedy", "random"], 8, 1)
    shares = {agent.id: agent.win_share for agent in result.agents}
    assert 3 * shares["greedy"] + shares["random"] == pytest.approx(2)


# --- matches -----------------------------------------------------------------------------------


def test_a_match_in_the_engine_is_the_match_played_one_by_one(game):
    setup = Setup(game)

    class Wrapped:
        def __init__(self, name):
            self.agent = make_agent(name)

        def join(self, table):
            if hasattr(self.agent, "join"):
                self.agent.join(table)

        def reset(self, seed):
            self.agent.reset(seed)

        def act(self, observation, info):
            return self.agent.act(observation, info)

    class Random(Wrapped):
        pass

    games = 2 * setup.players
    fast = match(setup, ["greedy", "random"], games, 3)
    each_its_own = [Random("random") if k % 2 else Wrapped("greedy") for k in range(setup.contenders)]
    slow = match(setup, each_its_own, games, 3)
    assert [(a.win_share, a.mean_score) for a in fast.agents] == [
        (pytest.approx(a.win_share), pytest.approx(a.mean_score)) for a in slow.agents
    ]
    assert fast.decisions == slow.decisions


def test_equal_agents_share_equally_whatever_their_seats():
    """The rotation gives every agent every seat on every deal, so a deterministic agent gets exactly 1/P."""
    setup = Setup(foodenvs.GAMES["scratch_catch"], {"players": 5})
    result = match(setup, ["greedy"], 50, 1)
    assert result.agents[0].win_share == pytest.approx(1 / 5)


def test_a_match_rounds_up_to_whole_deals_and_stops_in_time():
    setup = Setup(foodenvs.GAMES["scratch_catch"])
    assert match(setup, ["greedy", "random"], 4, 1).games == 6
    assert match(setup, ["greedy", "random"], 10**6, 1, until=0.0).games == 3
    with pytest.raises(ValueError, match="games must be at least 1"):
        match(setup, ["random"], 0, 1)


def test_a_match_of_one_seed_is_repeatable_and_of_another_different():
    setup = Setup(foodenvs.GAMES["scratch_catch"])
    one, two, other = (match(setup, ["greedy", "random"], 60, seed).agents for seed in (1, 1, 2))
    assert one == two
    assert one != other


def test_greedy_beats_random_in_every_game(game):
    setup = Setup(game)
    result = match(setup, ["greedy"] + ["random"] * (setup.contenders - 1), 60 * setup.players, 1)
    assert result.agents[0].low > 1 / setup.contenders


def test_intervals_cover():
    """Of 95 % intervals of means of 40 wins with probability 0.3 or 0.95, about 95 % hold the true value."""
    rng = np.random.default_rng(1)
    for p in (0.3, 0.95):
        hits = 0
        for _ in range(2000):
            low, mean, high = interval((rng.random(40) < p).astype(float))
            assert 0 <= low <= mean <= high <= 1
            hits += low <= p <= high
        assert 0.93 < hits / 2000 < 0.99


# --- scenario files ----------------------------------------------------------------------------

_SCENARIO = """
game = "scratch_catch"
[[scenario]]
id = "one"
players = 3
[scenario.position]
line = ["2", "3", "5"]
hands = [["1", "6", "7", "9"], ["?", "?", "?", "?"], ["?", "?", "?", "?"]]
[[scenario.step]]
agent = "player_0"
legal = ["hand 1", "hand 6", "hand 7", "hand 9", "deck"]
illegal = ["hand 2"]
action = "hand 6"
[[scenario.step]]
action = "hand 2"
error = "hand 2"
[[scenario.step]]
action = "hand 7"
[scenario.expect]
agent = "player_1"
line = ["2", "3", "5", "6", "7"]
"hands.0.0" = "1"
fleas = [17, 20, 20]
scores = [-4, -4, -4]
returns = [0, 0, 0]
winner = []
terminated = false
[scenario.expect.seat_view.player_1]
"hands.0" = ["?", "?", "?", "?"]
"""
_SCENARIO = _SCENARIO.replace('"hands.0.0" = "1"\n', "")


def outcome(tmp_path, text):
    file = tmp_path / "case.toml"
    file.write_text(text)
    [(_, error)] = run_files([file])
    return error


def test_a_scenario_that_holds_passes(tmp_path):
    assert outcome(tmp_path, _SCENARIO) == ""


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            'agent = "player_0"',
            'agent = "player_1"',
            "step 1: agent to act: expected 'player_1', found 'player_0'",
        ),
        ('"hand 9", "deck"]', '"hand 9"]', "step 1: legal actions: expected"),
        ('illegal = ["hand 2"]', 'illegal = ["hand 1"]', "step 1: 'hand 1' must be illegal, but is legal"),
        ('action = "hand 6"', 'action = "hand 8"', "step 1: 'hand 8' was refused: illegal action"),
        ('action = "hand 6"', 'action = "jump"', "unknown action 'jump'"),
        (
            'error = "hand 2"',
            'error = "hand 3"',
            "the error must contain 'hand 3', it is 'illegal action: hand 2",
        ),
        ('action = "hand 2"\nerror', 'action = "hand 9"\nerror', "'hand 9' must be refused, but was played"),
        ("fleas = [17, 20, 20]", "fleas = [18, 20, 20]", "fleas: expected [18, 20, 20], found [17, 20, 20]"),
        ("scores = [-4", "scores = [4", "scores: expected [4, -4, -4], found [-4, -4, -4]"),
        ("returns = [0", "returns = [1", "returns: expected [1, 0, 0], found"),
        ("winner = []", "winner = [0]", "winner: expected [0], found []"),
        ("terminated = false", "terminated = true", "terminated: expected True, found False"),
        ("terminated = false", "truncated = true", "truncated: expected True, found False"),
        ('[["1", "6"', '[["?", "6"', "legal actions: expected"),
        ('"hands.0" = ["?"', '"hands.0" = ["1"', "seat_view.player_1.hands.0: expected"),
        ('"hands.0" =', '"hands.9" =', "has no hands.9"),
        ("fleas = [17", "flees = [17", "view has no flees"),
        ("players = 3", "players = 9", "players must be 2 to 6, got 9"),
        (
            'line = ["2", "3", "5"]\nhands',
            'line = ["2", "3", "11"]\nhands',
            "position: line: '11' is no card",
        ),
    ],
)
def test_a_scenario_that_does_not_hold_reports_both_values(tmp_path, old, new, message):
    assert old in _SCENARIO
    assert message in outcome(tmp_path, _SCENARIO.replace(old, new, 1))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "must say which game"),
        ('game = "chess"', "names the game 'chess'; it may name scratch_catch-v0"),
        ('game = "scratch_catch"', "no .*scenario.* tables"),
        ("game = scratch", "not valid TOML"),
        ('game = "scratch_catch"\n[[scenario]]\ntitle = "x"', "scenario 1: id: is missing"),
        ('game = "scratch_catch"\n[[scenario]]\nid = "x"\nexpects = 3', "expects: unknown key"),
        ('game = "scratch_catch"\n[[scenario]]\nid = "x"\nstep = 3', "step: must be a list"),
        (
            'game = "scratch_catch"\n[[scenario]]\nid = "x"\n[[scenario.step]]\nact = "deck"',
            "step 1: act: unknown key; there are agent",
        ),
    ],
)
def test_a_file_that_is_no_scenario_file_says_why(tmp_path, text, message):
    file = tmp_path / "bad.toml"
    file.write_text(text)
    with pytest.raises(ScenarioError, match=message):
        load_scenarios(file)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(ScenarioError, match=r"nowhere\.toml: cannot be read"):
        load_scenarios(tmp_path / "nowhere.toml")
