"""The games in OpenSpiel: its own tests, exact chance, CFR, and the same play as everywhere else."""

import copy
import pickle
import random

import numpy as np
import pytest

import foodenvs
from foodenvs.batch import Batch
from foodenvs.components import small_components
from foodenvs.game import Setup
from foodenvs.games import GAMES

pyspiel = pytest.importorskip("pyspiel")

from open_spiel.python import policy as policies  # noqa: E402
from open_spiel.python.algorithms import cfr, exploitability  # noqa: E402

from foodenvs import openspiel  # noqa: E402

pytestmark = pytest.mark.extra("openspiel")
SOLVABLE = [name for name, game in GAMES.items() if game.small]
FULL_GAMES = {"scratch_catch": 150}  # random games of the comparison; of every other game:
FEW_GAMES = 20


@pytest.fixture(scope="module", autouse=True)
def names():
    return openspiel.register()


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


@pytest.mark.parametrize("chance", openspiel.CHANCE)
def test_openspiels_own_test_passes(game, chance):
    smallest = game.options["players"].allowed[0]
    spiel = load(game.name, players=smallest, chance=chance)
    short = spiel.max_game_length() < 500  # its test replays a game at every step
    pyspiel.random_sim_test(spiel, num_sims=1, serialize=short, verbose=False)


def test_every_draw_of_the_rules_is_a_chance_node(game):
    def check(state):
        if state.node.position is not None:
            states = np.frombuffer(state.node.position, game.rules.STATE)
            assert (states["rng"] == 1).all()  # so nothing was drawn from it

    end = play(load(game.name, chance="draws"), random.Random(1), check)
    check(end)
    assert any(e.player == pyspiel.PlayerId.CHANCE for e in end.full_history())


def test_a_seed_is_the_game_of_that_seed(game):
    end = play(load(game.name, rewards="score"), random.Random(2))
    history = end.history()
    number = 0
    for digit in history[: openspiel.DIGITS]:
        number = number * openspiel.BASE + digit
    env = foodenvs.make(game, rewards="score")
    env.reset(seed=number)
    for action in history[openspiel.DIGITS :]:
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
    for _ in range(60):
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
    assert str(pickle.loads(pickle.dumps(spiel))) == str(spiel)


def test_parameters_are_options():
    cases = {
        "katsu_curry": {"players": 6, "written_prices": True, "contest": "draw"},
        "catchup_mousetard": {"players": 2, "characters": ["honey", "catchup"], "first_player": 0},
        "fast_food_fury": {"players": 2, "reaction": [1, 3], "max_rounds": 20},
    }
    for name, options in cases.items():
        known = GAMES[name].options
        given = {key: openspiel._as_parameter(known[key], value) for key, value in options.items()}
        spiel = load(name, **given)
        assert spiel.setup.options.items() >= options.items()
        assert pyspiel.load_game(str(spiel)).setup.options == spiel.setup.options
    for wrong, said in (({"players": 9}, "players must be"), ({"chance": "x"}, "chance must be")):
        with pytest.raises(ValueError, match=said):
            load("scratch_catch", **wrong)


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
        setup.boxes, states, numbers, seats, np.ones((games, 2), np.int64), setup.length,
        scores, returns, decisions, np.zeros(1, np.int64),
    )  # fmt: skip
    error = returns.std(axis=0) / games**0.5
    assert (np.abs(returns.mean(axis=0) - exact) <= 5 * error).all()
    assert exploitability.nash_conv(spiel, greedy) > 0
