"""The games in OpenSpiel: its own tests, exact chance, CFR, and the same play as everywhere else."""

import collections
import copy
import pickle
import random
import re
import subprocess
import sys
import unittest
from pathlib import Path

import numpy as np
import pytest
from helpers import size

import foodenvs
from foodenvs.core.components import small_components
from foodenvs.core.setup import Setup
from foodenvs.envs.batch import Batch
from foodenvs.games import GAMES

pyspiel = pytest.importorskip("pyspiel")

from open_spiel.integration_tests import api_test  # noqa: E402
from open_spiel.python import policy as policies  # noqa: E402
from open_spiel.python.algorithms import cfr, exploitability, ismcts, mcts  # noqa: E402
from open_spiel.python.observation import make_observation  # noqa: E402

from foodenvs.bridges import openspiel  # noqa: E402
from foodenvs.bridges.openspiel.chance import SEEDS, Drawn, OpenDraw, digits, outcomes_of  # noqa: E402
from foodenvs.bridges.openspiel.parameters import CHANCE, as_parameter  # noqa: E402
from foodenvs.engine.network import NONE  # noqa: E402

pytestmark = pytest.mark.extra("openspiel")
SOLVABLE = [name for name, game in GAMES.items() if game.small]
FULL_GAMES = {"scratch_catch": size(60, 150)}  # random games of the comparison; of every other game:
FEW_GAMES = size(10, 20)


@pytest.fixture(scope="module", autouse=True)
def names():
    return openspiel.register()


@pytest.fixture(params=CHANCE)
def chance(request):
    return request.param


def load(name, **parameters):
    return pyspiel.load_game(f"foodenvs_{name}", parameters)


def small_setup(name):
    game = GAMES[name]
    return Setup(game, game.small, small_components(game.home))


def play(game, stream, each=lambda state: None):
    """A random game; returns the state at its end."""
    state = game.new_initial_state()
    while not state.is_terminal():
        each(state)
        if state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(stream.choices(outcomes, weights)[0])
        else:
            state.apply_action(stream.choice(state.legal_actions()))
    return state


def first_decision(game, stream):
    return next(state for state in walk(game, stream) if state.current_player() == 0)


def walk(game, stream):
    """The states of a random game, one by one."""
    state = game.new_initial_state()
    while True:
        yield state
        if state.is_terminal():
            return
        state = state.child(stream.choice(state.legal_actions()))


def refused(call):
    """Whether a call is refused with OpenSpiel's error."""
    try:
        call()
    except pyspiel.SpielError:
        return True
    return False


def facts(state):
    """All that a state says of itself."""
    seats = range(state.num_players())
    return (
        state.history(), state.move_number(), str(state), state.current_player(), state.legal_actions(),
        state.returns(), [state.information_state_string(seat) for seat in seats],
        [state.observation_tensor(seat) for seat in seats],
    )  # fmt: skip


def nodes(state):
    yield state
    if not state.is_terminal():
        for action in state.legal_actions():
            yield from nodes(state.child(action))


def random_returns(setup, games, rewards="win"):
    """Returns float64 [n, P] of at least `games` random games on the batch engine."""
    batch = Batch(setup, min(games, 1000), seed=3, rewards=rewards)
    rows, count = [], 0
    while count < games:
        batch.step(batch.sample())
        ended = batch.terminated | batch.truncated
        rows.append(batch.rewards[ended].astype(np.float64))
        count += int(ended.sum())
    return np.concatenate(rows)


def test_every_game_is_registered_once(names):
    assert names == openspiel.register()
    assert set(names) <= set(pyspiel.registered_names())
    assert {f"foodenvs_{name}" for name in GAMES} <= set(names)
    assert len(SOLVABLE) >= 2


def test_openspiels_own_test_passes(game, chance):
    smallest = game.options["players"].allowed[0]
    spiel = load(game.name, players=smallest, chance=chance)
    short = spiel.max_game_length() < 500  # its test replays a game at every step
    pyspiel.random_sim_test(spiel, num_sims=1, serialize=short, verbose=False)


@pytest.mark.parametrize("name", SOLVABLE)
def test_openspiels_checks_of_the_api_pass(name):
    spiel = load(f"{name}_small")
    bases = [api_test.EnforceAPIOnPartialTreeBase, api_test.EnforceAPIOnFullTreeBase]
    for base in bases if name == "scratch_catch" else bases[:1]:
        checks = type(base.__name__, (base,), {"game": spiel, "game_name": str(spiel)})
        known = {"test_number_of_nodes", "test_game_is_perfect_recall"}  # of its own games
        tests = [checks(test) for test in unittest.TestLoader().getTestCaseNames(checks) if test not in known]
        result = unittest.TestResult()
        unittest.TestSuite(tests).run(result)
        assert not [text for _, text in result.failures + result.errors]
        assert result.testsRun >= 5


def test_every_draw_of_the_rules_is_a_chance_node(game):
    def check(state):
        if state.node.position is not None:
            states = np.frombuffer(state.node.position, game.state_dtype)
            assert (states["rng"] == 1).all()  # so nothing was drawn from it

    end = play(load(game.name, chance="draws"), random.Random(1), check)
    check(end)
    assert any(e.player == pyspiel.PlayerId.CHANCE for e in end.full_history())


def test_a_seed_is_the_game_of_that_seed(game):
    spiel = load(game.name, rewards="score")
    assert spiel.max_chance_outcomes() ** spiel.max_chance_nodes_in_history() >= SEEDS
    end = play(spiel, random.Random(2))
    history, chance = end.history(), spiel.tree.chance
    number = 0
    for digit in history[: chance.nodes]:
        number = number * chance.outcomes + digit
    env = foodenvs.make(game, rewards="score")
    env.reset(seed=number)
    for action in history[chance.nodes :]:
        env.step(action)
    assert list(env.rewards.values()) == pytest.approx(end.returns())


def test_random_play_has_the_same_values_as_on_the_engine(game):
    """Kolmogorov-Smirnov on each seat's score margin; at this bound a right game fails once in 10,000."""
    count = FULL_GAMES.get(game.name, FEW_GAMES)
    spiel, stream = load(game.name, chance="draws", rewards="score"), random.Random(5)
    mine = np.array([play(spiel, stream).returns() for _ in range(count)])
    engine = random_returns(Setup(game), 20_000, "score")
    for seat in range(spiel.num_players()):
        values = np.unique(np.concatenate([mine[:, seat], engine[:, seat]]).round(6))
        below = [(x[:, seat, None] <= values + 1e-6).mean(axis=0) for x in (mine, engine)]
        assert np.abs(below[0] - below[1]).max() < 2.23 * (1 / len(mine) + 1 / len(engine)) ** 0.5


@pytest.mark.parametrize("name", SOLVABLE)
def test_the_exact_value_of_random_play_is_the_mean_on_the_engine(name):
    """Within five standard errors of 200,000 games."""
    spiel = load(f"{name}_small")
    uniform = policies.UniformRandomPolicy(spiel)
    exact = exploitability._state_values(spiel.new_initial_state(), spiel.num_players(), uniform)
    engine = random_returns(small_setup(name), 200_000)
    error = engine.std(axis=0) / len(engine) ** 0.5
    assert (error < 0.003).all()
    assert (np.abs(engine.mean(axis=0) - exact) < 5 * error).all()


@pytest.mark.parametrize("name", SOLVABLE)
def test_cfr_makes_play_less_exploitable(name):
    spiel = load(f"{name}_small")
    before = exploitability.nash_conv(spiel, policies.UniformRandomPolicy(spiel))
    solver = cfr.CFRPlusSolver(spiel)
    for _ in range(10):
        solver.evaluate_and_update_policy()
    after = exploitability.nash_conv(spiel, solver.average_policy())
    assert after < 0.5 * before
    assert before > 0.5


def test_cfr_in_cpp_solves_the_game_of_two():
    spiel = load("scratch_catch_small")
    solver = pyspiel.CFRPlusSolver(spiel)
    for _ in range(20):
        solver.evaluate_and_update_policy()
    assert 0 <= pyspiel.nash_conv(spiel, solver.average_policy()) < 0.01


@pytest.mark.parametrize("name", SOLVABLE)
def test_information_states_recall_all_and_tell_nothing_more(name):
    """One state, one past: what the seat did and saw. And what it may do is the same all over the state."""
    known, positions = {}, {}

    def walk(state, pasts):
        if state.is_terminal():
            return
        player = state.current_player()
        if player >= 0:
            key = state.information_state_string()
            pasts = {**pasts, player: (*pasts[player], key)}
            facts = pasts[player], state.legal_actions(), state.observation_tensor()
            assert known.setdefault(key, facts) == facts
            positions.setdefault(key, set()).add(state.node.position)
        for action in state.legal_actions():
            after = {**pasts, player: (*pasts[player], action)} if player >= 0 else pasts
            walk(state.child(action), after)

    spiel = load(f"{name}_small")
    walk(spiel.new_initial_state(), dict.fromkeys(range(spiel.num_players()), ()))
    assert max(map(len, positions.values())) > 1  # something is hidden


def test_a_secret_choice_is_seen_by_nobody_else():
    spiel = load("katsu_curry_small")
    state = next(s for s in nodes(spiel.new_initial_state()) if s.current_player() == 0)
    ways = [state.child(action) for action in state.legal_actions()]
    assert len({way.information_state_string(0) for way in ways}) == len(ways) > 1
    for other in (1, 2):
        assert {way.information_state_string(other) for way in ways} == {
            state.information_state_string(other)
        }


@pytest.mark.parametrize("name", SOLVABLE)
def test_states_are_cloned_copied_and_pickled(name):
    spiel = load(f"{name}_small")
    states = []
    end = play(spiel, random.Random(3), lambda state: states.append(state.clone()))
    for state in [*states, end]:
        for other in (copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
            assert other.history() == state.history()
            assert str(other) == str(state)
            assert other.information_state_string(0) == state.information_state_string(0)
    for other in (copy.deepcopy(spiel), pickle.loads(pickle.dumps(spiel))):
        assert str(other) == str(spiel)
        assert facts(play(other, random.Random(3))) == facts(end)


def test_pickles_are_read_in_another_process():
    """Where nobody has registered the games."""
    spiel = load("scratch_catch_small")
    state = first_decision(spiel, random.Random(3))
    script = "import pickle, sys; a, b = pickle.load(sys.stdin.buffer); print(a, b.observation_string())"
    run = subprocess.run(
        [sys.executable, "-c", script], input=pickle.dumps((spiel, state)), capture_output=True, check=True
    )
    assert run.stdout.decode().strip() == f"{spiel} {state.observation_string()}"


def test_parameters_are_options():
    cases = {
        "katsu_curry": {"players": 6, "written_prices": True, "contest": "draw"},
        "catchup_mousetard": {"players": 2, "characters": ["honey", "catchup"], "first_player": 0},
        "fast_food_fury": {"players": 2, "reaction": [1, 3], "max_rounds": 20},
    }
    for name, options in cases.items():
        known = GAMES[name].options
        given = {key: as_parameter(known[key], value) for key, value in options.items()}
        spiel = load(name, **given)
        assert spiel.setup.options.items() >= options.items()
        assert pyspiel.load_game(str(spiel)).setup.options == spiel.setup.options
    for wrong, said in (({"players": 9}, "players must be"), ({"chance": "x"}, "chance must be")):
        with pytest.raises(ValueError, match=said):
            load("scratch_catch", **wrong)


def test_answers_are_those_of_a_game_in_cpp(chance):
    """At a chance node, a decision and the end: actions and masks for every player, and what is refused."""
    leduc, mine = pyspiel.load_game("leduc_poker"), load("scratch_catch", players=2, chance=chance)
    twins = [
        (leduc.new_initial_state(), mine.new_initial_state()),
        (first_decision(leduc, random.Random(1)), first_decision(mine, random.Random(1))),
        tuple(collections.deque(walk(game, random.Random(1)), 1)[0] for game in (leduc, mine)),
    ]
    for theirs, ours in twins:
        assert theirs.current_player() == ours.current_player()
        for player in [(), *((player,) for player in range(-5, 4))]:
            for state in (theirs, ours):
                legal, mask = state.legal_actions(*player), state.legal_actions_mask(*player)
                assert [k for k, allowed in enumerate(mask) if allowed] == legal
                assert legal in ([], state.legal_actions())
            assert bool(ours.legal_actions(*player)) == bool(theirs.legal_actions(*player))
            of_chance = len(theirs.legal_actions_mask(*player)) == leduc.max_chance_outcomes()
            size = mine.max_chance_outcomes() if of_chance else mine.num_distinct_actions()
            assert len(ours.legal_actions_mask(*player)) == size
        for call in (
            lambda state: state.apply_action(state.get_game().max_chance_outcomes() + 99),
            lambda state: state.apply_action(-2),
            lambda state: state.apply_action_with_legality_check(99),
            lambda state: state.child(99),
            lambda state: state.chance_outcomes(),
            lambda state: state.observation_tensor(),
            lambda state: state.information_state_string(-1),
            lambda state: state.observation_string(9),
            lambda state: state.player_return(-1),
            lambda state: state.player_reward(9),
            lambda state: state.action_to_string(-1, 0),
            lambda state: state.action_to_string(0, 0),
            lambda state: state.action_to_string(9, 0),
            lambda state: state.action_to_string(0, 99),
            lambda state: state.action_to_string(0, -2),
        ):
            before = facts(ours)
            assert refused(lambda: call(ours)) == refused(lambda: call(theirs))  # noqa: B023
            assert facts(ours) == before
        assert (sum(map(abs, ours.returns())) > 0) == ours.is_terminal()
        assert ours.rewards() == ours.returns()


def test_an_action_is_a_whole_number(chance):
    state = first_decision(load("scratch_catch", players=2, chance=chance), random.Random(1))
    before = facts(state)
    for other in (True, 1.0, np.float32(1), np.array([1]), None, "1"):
        for play in (state.apply_action, state.apply_action_with_legality_check, state.child):
            with pytest.raises(TypeError, match="an action must be a whole number, got"):
                play(other)
    assert facts(state) == before
    action = state.legal_actions()[0]
    child = state.child(np.int8(action))
    state.apply_action(np.array(action))
    assert facts(state) == facts(child)


def test_an_illegal_action_is_refused_in_words(chance):
    spiel = load("scratch_catch", players=2, chance=chance)
    states = list(walk(spiel, random.Random(3)))
    decision = next(state for state in states if state.current_player() == 1)
    names = ", ".join(decision.action_to_string(action) for action in decision.legal_actions())
    for state, message in (
        (states[0], r"illegal action: {} \(chance\); legal: 0 to \d+"),
        (decision, rf"illegal action: .+ \(player_1\); legal: {re.escape(names)}"),
        (states[-1], "illegal action: {}; the game is over"),
    ):
        for action in {*range(30)} - {*state.legal_actions()}:
            before = facts(state)
            with pytest.raises(foodenvs.IllegalActionError, match=message.format(action)):
                state.apply_action(action)
            assert facts(state) == before


def test_what_a_state_answers_may_be_changed():
    spiel = load("scratch_catch_small")
    for state in walk(spiel, random.Random(4)):
        before = facts(state)
        for answer in (state.legal_actions(), state.returns(), state.legal_actions_mask()):
            answer.clear()
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            state.chance_outcomes().clear()
            assert state.chance_outcomes() == outcomes
        assert facts(state) == before


def test_the_longest_histories_stay_within_the_bounds(game, chance):
    few, *_, many = game.options["players"].allowed
    options = {"katsu_curry": {"contest": "draw"}, "critter_kitchen": {"restaurateurs": True}}
    for parameters in ({"players": few}, {"players": many, **options.get(game.name, {})}):
        spiel = load(game.name, chance=chance, **parameters)
        outcomes = []
        end = play(
            spiel,
            random.Random(6),
            lambda state: outcomes.append(len(state.legal_actions(pyspiel.PlayerId.CHANCE))),  # noqa: B023
        )
        assert max(outcomes) <= spiel.max_chance_outcomes() <= spiel.num_distinct_actions()
        drawn = sum(move.player == pyspiel.PlayerId.CHANCE for move in end.full_history())
        assert drawn <= spiel.max_chance_nodes_in_history()
        assert len(end.history()) - drawn <= spiel.max_game_length()
        assert len(end.history()) <= spiel.max_history_length()
        assert end.move_number() <= spiel.max_move_number()
        if chance == "seed" or game.name == "scratch_catch":
            assert drawn == spiel.max_chance_nodes_in_history()


def test_a_draw_in_parts_falls_as_it_would_at_once():
    drawn = Drawn(small_setup("scratch_catch"))
    drawn.outcomes = 3
    weights, chances = [5, 1, 2, 2, 7, 1, 1, 3, 4, 2, 6], {}

    def draw(outcomes, chance):
        drawn._outcomes = iter(outcomes)
        try:
            k = drawn._draw(weights)
        except OpenDraw as part:
            parts = outcomes_of(part.weights)
        else:
            assert k not in chances
            assert len(outcomes) <= digits(len(weights), 3)
            chances[k] = chance
            return
        assert len(parts) <= 3
        for k, weight in parts:
            draw([*outcomes, k], chance * weight)

    draw([], 1.0)
    assert [chances[k] * sum(weights) for k in range(len(weights))] == pytest.approx(weights)


def test_masks_at_chance_nodes_are_safe_in_cpp_too():
    """A game transformed by OpenSpiel is asked by its C++ code alone."""
    for name in ("foodenvs_scratch_catch()", "foodenvs_fast_food_fury(chance=draws)"):
        game = pyspiel.load_game(f"misere(game={name})")
        state = game.new_initial_state()
        assert len(state.legal_actions_mask(0)) == game.num_distinct_actions() >= len(state.legal_actions())


def test_resampled_states_are_the_same_for_the_player(game, chance):
    spiel, stream = load(game.name, chance=chance), random.Random(7)
    state, changed = spiel.new_initial_state(), collections.Counter()
    for step in range(spiel.max_chance_nodes_in_history() + 40):
        if state.is_terminal():
            break
        if state.is_chance_node():
            with pytest.raises(pyspiel.SpielError, match="chance node"):
                state.resample_from_infostate(0, stream.random)
        elif step % 4 == 0:
            before = facts(state)
            for seat in range(spiel.num_players()):
                other = state.resample_from_infostate(seat, lambda: 0.3)
                assert other.information_state_string(seat) == state.information_state_string(seat)
                assert other.observation_string(seat) == state.observation_string(seat)
                assert other.information_state_tensor(seat) == state.information_state_tensor(seat)
                assert other.current_player() == state.current_player()
                assert other.history() == []
                if seat == state.current_player():
                    assert other.legal_actions() == state.legal_actions()
                again = other.resample_from_infostate(seat, lambda: 0.3)  # only what the seat knows counts
                assert facts(again) == facts(other)
                changed[seat] += other.node.position != state.node.position
            assert facts(state) == before
        state.apply_action(stream.choice(state.legal_actions()))
    assert all(changed[seat] > 3 for seat in range(spiel.num_players()))
    for player in (-1, spiel.num_players()):
        with pytest.raises(pyspiel.SpielError, match="player must be"):
            state.resample_from_infostate(player, stream.random)


def test_resampled_states_are_played_on_copied_and_pickled(chance):
    spiel, stream = load("katsu_curry", players=4, chance=chance), random.Random(8)
    decisions = [state for state in walk(spiel, stream) if not state.is_chance_node()]
    for origin in (decisions[-9], decisions[-1]):
        state = origin.resample_from_infostate(2, stream.random)
        while True:
            for other in (state.clone(), copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
                assert facts(other) == facts(state)
            if state.is_terminal():
                break
            known = state.information_state_string(2)
            state.apply_action(state.legal_actions()[-1])
            assert state.information_state_string(2).startswith(known)
        assert sum(state.returns()) == pytest.approx(0)
    assert state.returns() == origin.returns()


@pytest.mark.parametrize("name", ["scratch_catch", "katsu_curry"])
def test_the_search_of_openspiel_plays_a_game(name, chance):
    spiel, stream = load(name, chance=chance), np.random.RandomState(9)
    bot = ismcts.ISMCTSBot(spiel, mcts.RandomRolloutEvaluator(1, stream), 2.0, 4, random_state=stream)
    others = random.Random(9)
    state, searched = spiel.new_initial_state(), 0
    while not state.is_terminal():
        if state.current_player() == 1:
            action = bot.step(state)
            searched += len(bot._nodes) > 1
        else:
            action = others.choice(state.legal_actions())
        state.apply_action(action)
    assert searched > 5
    assert max(state.returns()) > 0


@pytest.mark.parametrize("path", ["a,b=c/box.toml", "(1)/ö %2C.toml", "2024", "True", "percent:a"])
def test_any_path_of_components_survives_the_name_of_a_game(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    file = tmp_path / path
    file.parent.mkdir(exist_ok=True)
    file.write_text((Path(foodenvs.__file__).parent / "games/scratch_catch/small.toml").read_text())
    given = path if not path.startswith("percent:") else f"./{path}"  # its own mark is read as one
    spiel = load("scratch_catch", players=2, components=given)
    state = first_decision(spiel, random.Random(1))
    whole = pyspiel.serialize_game_and_state(spiel, state)
    for other in (
        pyspiel.load_game(str(spiel)),
        pickle.loads(pickle.dumps(spiel)),
        copy.deepcopy(spiel),
        pyspiel.deserialize_game_and_state(whole)[0],
    ):
        assert str(other) == str(spiel)
        assert other.setup.fingerprint == spiel.setup.fingerprint != load("scratch_catch").setup.fingerprint
    for other in (
        pickle.loads(pickle.dumps(state)),
        spiel.deserialize_state(state.serialize()),
        pyspiel.deserialize_game_and_state(whole)[1],
    ):
        assert facts(other) == facts(state)


def test_an_observer_shows_one_player_what_it_knows():
    spiel = load("katsu_curry")
    state = first_decision(spiel, random.Random(1))
    for recalls in (False, True):
        kind = pyspiel.IIGObservationType(perfect_recall=recalls)
        for observer in [make_observation(spiel, kind)] + [make_observation(spiel)] * (not recalls):
            observer.set_from(state, 1)
            assert observer.tensor.tolist() == state.observation_tensor(1)
            for player in (-1, spiel.num_players()):
                for look in (observer.set_from, observer.string_from):
                    with pytest.raises(pyspiel.SpielError, match="player must be"):
                        look(state, player)
    info = pyspiel.PrivateInfoType
    for public, private in ((True, info.NONE), (True, info.ALL_PLAYERS), (False, info.SINGLE_PLAYER)):
        kind = pyspiel.IIGObservationType(public_info=public, perfect_recall=False, private_info=private)
        assert make_observation(spiel, kind) is None
    with pytest.raises(ValueError, match="no parameters"):
        make_observation(spiel, None, {"size": 3})
    assert spiel.make_observer({}) is not None


def test_teams_of_different_sizes_make_a_general_sum():
    kinds = [load("fast_food_fury", players=p).get_type().utility for p in (3, 4)]
    assert kinds == [pyspiel.GameType.Utility.GENERAL_SUM, pyspiel.GameType.Utility.ZERO_SUM]


def test_agents_are_policies():
    """Greedy against itself: the exact value is the mean of the engine's games; best responses gain."""
    spiel, setup = load("scratch_catch_small"), small_setup("scratch_catch")
    greedy = openspiel.AgentPolicy(spiel, "greedy")
    exact = exploitability._state_values(spiel.new_initial_state(), 2, greedy)
    games = 4000
    numbers, states = np.arange(games) + 1, setup.new_states(1)
    seats = np.ones((games, 2), np.int8)
    scores, returns, decisions = (
        np.zeros((games, 2), np.int64),
        np.zeros((games, 2)),
        np.zeros(games, np.int64),
    )
    setup.engine.matches(
        setup.boxes, states, numbers, seats, np.ones((games, 2), np.int64), NONE, setup.length,
        scores, returns, decisions, np.zeros(1, np.int64),
    )  # fmt: skip
    error = returns.std(axis=0) / games**0.5
    assert (np.abs(returns.mean(axis=0) - exact) <= 5 * error).all()
    assert exploitability.nash_conv(spiel, greedy) > 0
