"""The Gymnasium views: what a learner meets at one seat, single and as a vector on the batch engine."""

import subprocess
import sys
import warnings
from functools import partial

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from helpers import interrupted, short

import foodenvs
from foodenvs.agents.base import EngineAgent
from foodenvs.core.errors import IllegalActionError
from foodenvs.core.setup import Setup
from foodenvs.envs.batch import Batch
from foodenvs.envs.gym import SeatEnv, SeatVectorEnv
from foodenvs.envs.opponents import LEARNER, Opponents

PYTHON_RANDOM = "foodenvs.agents.random:RandomAgent"  # the engine's random agent, outside the engine
MIX = {"random": 2, "greedy": 1}


class Greedy:
    """The game's greedy agent, outside the engine."""

    def __init__(self):
        self.agent = EngineAgent("greedy")

    def join(self, table):
        self.agent.join(table)

    def reset(self, seed):
        self.agent.reset(seed)

    def act(self, observation, info):
        return self.agent.act(observation, info)


class Sampler:
    """Deals its position anew, as a search does, and plays the first legal action that it finds there."""

    def join(self, table):
        self.table = table

    def reset(self, seed):
        self.seed, self.count = seed, 0

    def act(self, observation, info):
        self.count += 1
        other = self.table.sample(observation, info, self.seed % 1000 + self.count)
        assert np.array_equal(other.last()[4]["action_mask"], info["action_mask"])
        return int(np.flatnonzero(info["action_mask"])[self.seed % int(info["action_mask"].sum())])


class Cheat:
    """Chooses an action that is never legal."""

    def reset(self, seed):
        pass

    def act(self, observation, info):
        return int(np.argmin(info["action_mask"]))


def choose(mask, k):
    """A legal action that depends on nothing but the mask and a number."""
    legal = np.flatnonzero(mask)
    return int(legal[(7 * k + 3) % len(legal)])


def blunder(mask, k):
    """Like `choose`, but every third action is illegal, in two of three games already the first."""
    k += int(np.flatnonzero(mask).sum()) % 3
    return choose(mask if k % 3 else 1 - mask, k)


def play_single(env, seed, answer=choose):
    """All that a learner meets in one game: observations, masks, rewards, the last info."""
    observation, info = env.reset(seed=seed)
    met = [(observation, info["action_mask"], 0.0)]
    over, step = False, 0
    while not over:
        observation, reward, terminated, truncated, info = env.step(answer(info["action_mask"], step))
        over, step = terminated or truncated, step + 1
        met.append((observation, info["action_mask"], reward))
    return met, info


# --- the single view -------------------------------------------------------------------------


def test_the_environment_checker_has_nothing_to_say(game, monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")  # it opens a window where one can be opened
    env = gymnasium.make(f"foodenvs/{game.id}", opponents="random", illegal="penalize")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env)
        env = gymnasium.make(f"foodenvs/{game.id}", illegal="penalize", raw=True, rewards="shaped")
        check_env(env, skip_render_check=True)  # drawn as the first one is


def test_make_gives_the_environment_itself_with_its_masks(game):
    env = gymnasium.make(f"foodenvs/{game.id}")
    assert type(env) is SeatEnv
    _, info = env.reset(seed=1)
    assert env.action_masks().dtype == np.int8
    assert np.array_equal(env.action_masks(), info["action_mask"])
    assert env.action_space.contains(env.action_space.sample(mask=env.action_masks()))


def test_importing_registers_the_ids_and_loads_neither_numba_nor_a_game():
    code = (
        "import sys, foodenvs, gymnasium\n"
        "assert all(f'foodenvs/{id}' in gymnasium.registry for id in foodenvs.GAMES.ids.values())\n"
        "print([name for name in sys.modules if name == 'numba' or name.startswith('foodenvs.games.')])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "[]\n"


@pytest.mark.parametrize("rewards", ["win", "score", "shaped"])
def test_every_reward_of_the_seat_arrives_whoever_moved(game, rewards):
    env = SeatEnv(game, opponents=MIX, rewards=rewards)
    expected = foodenvs.make(game, rewards=rewards)
    for seed in range(6):
        met, info = play_single(env, seed)
        expected.restore(_finished(env, expected))
        me = f"player_{info['seat']}"
        if rewards == "win":
            assert sum(reward for *_, reward in met) == pytest.approx(expected.returns()[me])
        else:
            scores = expected.scores()
            teams, mine = env.setup.teams, env.setup.teams[info["seat"]]
            others = [scores[a] for a, team in zip(scores, teams, strict=True) if team != mine]
            margin = (scores[me] - np.mean(others)) / game.scale
            assert sum(reward for *_, reward in met) == pytest.approx(margin, abs=1e-5)
        assert info["scores"].tolist() == list(expected.scores().values())


def _finished(env, other):
    """The snapshot of the game that an environment has just finished."""
    assert not any(env.action_masks())
    return env.aec.snapshot()


def test_a_loser_learns_of_it():
    env = gymnasium.make("foodenvs/scratch_catch-v0", opponents="greedy", players=2)
    ends = [play_single(env, seed)[0][-1][2] for seed in range(30)]
    assert ends.count(-1.0) > 15
    assert set(ends) <= {-1.0, 0.0, 1.0}


def test_the_game_is_that_of_play_with_the_same_seed(game):
    env = SeatEnv(game, opponents="random", seat=1)
    met, info = play_single(env, 11)

    class Learner:
        def reset(self, seed):
            self.k = -1

        def act(self, observation, info):
            self.k += 1
            assert np.array_equal(observation["observation"], met[self.k][0])
            return choose(info["action_mask"], self.k)

    other = foodenvs.make(game)
    seated = ["random"] * env.setup.players
    seated[1] = Learner()
    assert list(foodenvs.play(other, seated, 11).scores.values()) == info["scores"].tolist()


def test_order_is_enforced_and_an_illegal_action_changes_nothing():
    env = gymnasium.make("foodenvs/scratch_catch-v0", players=2)
    with pytest.raises(ResetNeeded, match="reset"):
        env.step(0)
    assert not env.action_masks().any()
    observation, info = env.reset(seed=4)
    illegal = int(np.flatnonzero(info["action_mask"] == 0)[0])
    with pytest.raises(IllegalActionError, match="illegal action: hand"):
        env.step(illegal)
    assert np.array_equal(env.action_masks(), info["action_mask"])
    with pytest.raises(TypeError, match="whole number"):
        env.step(0.5)
    met, _ = play_single(env, 4)
    assert np.array_equal(met[0][0], observation)
    with pytest.raises(ResetNeeded, match="reset"):
        env.step(0)


class Unreliable:
    """Plays the first legal action, but fails when it has been asked often enough (all copies together)."""

    def __init__(self, answers):
        self.left = [answers]

    def __deepcopy__(self, memo):
        return self

    def reset(self, seed):
        pass

    def act(self, observation, info):
        self.left[0] -= 1
        if self.left[0] < 0:
            raise ConnectionError("no answer")
        return int(np.flatnonzero(info["action_mask"])[0])


def first_legal(env):
    """The first legal action of each learner; 0 where there is none."""
    return env.action_masks().argmax(axis=-1)


@pytest.mark.parametrize("make", [SeatEnv, partial(SeatVectorEnv, num_envs=3)], ids=["single", "vector"])
@pytest.mark.parametrize("answers", [9, 1])  # it fails in a step, or already in the reset of a second game
def test_after_an_opponent_that_fails_a_reset_is_needed(make, answers):
    opponent = Unreliable(100)
    env = make("scratch_catch", players=3, seat=1, opponents=opponent)
    env.reset(seed=1)
    opponent.left[0] = answers

    def play_on():
        env.reset(seed=2)
        while True:
            env.step(first_legal(env))

    with pytest.raises(ConnectionError):
        play_on()
    assert not env.action_masks().any()
    for _ in range(2):
        with pytest.raises(ResetNeeded, match="broken off"):
            env.step(first_legal(env))
    opponent.left[0] = 100
    env.reset(seed=1)
    assert env.action_masks().any()
    env.step(first_legal(env))


@pytest.mark.parametrize("make", [SeatEnv, partial(SeatVectorEnv, num_envs=3)], ids=["single", "vector"])
def test_ctrl_c_while_the_engine_plays_needs_a_reset(make):
    env = make("scratch_catch", players=3, seat=1, opponents="greedy")
    env.reset(seed=1)
    with interrupted(env.setup, "play", "step"), pytest.raises(KeyboardInterrupt):
        env.step(first_legal(env))
    with pytest.raises(ResetNeeded, match="broken off"):
        env.step(first_legal(env))
    env.reset(seed=1)
    env.step(first_legal(env))


def test_penalize_asks_again_and_terminate_ends():
    for illegal, over in (("penalize", False), ("terminate", True)):
        env = gymnasium.make("foodenvs/scratch_catch-v0", players=2, illegal=illegal)
        observation, info = env.reset(seed=4)
        action = int(np.flatnonzero(info["action_mask"] == 0)[0])
        after, reward, terminated, truncated, _ = env.step(action)
        assert (reward, terminated, truncated) == (-1.0, over, over)
        assert over or np.array_equal(after, observation)


def test_arrays_are_fresh():
    env = gymnasium.make("foodenvs/scratch_catch-v0", players=2)
    observation, info = env.reset(seed=1)
    kept = observation.copy(), info["action_mask"].copy()
    after, *_, info_after = env.step(choose(info["action_mask"], 0))
    after[:], info_after["action_mask"][:], env.action_masks()[:] = 9, 9, 9
    assert np.array_equal(observation, kept[0])
    assert np.array_equal(info["action_mask"], kept[1])
    assert env.action_masks().max() == 1


def test_the_table_is_shown_as_the_learner_sees_it():
    env = gymnasium.make("foodenvs/scratch_catch-v0", players=2, seat=1, render_mode="ansi")
    env.reset(seed=1)
    assert env.render() == env.unwrapped.aec.render("player_1")


def test_a_position_can_be_set_up():
    env = gymnasium.make("foodenvs/scratch_catch-v0", players=2, seat=0)
    view = foodenvs.make("scratch_catch", players=2)
    view.reset(seed=9)
    observation, _ = env.reset(seed=1, options={"position": view.view()})
    assert np.array_equal(observation, view.observe("player_0")["observation"])


# --- who sits where --------------------------------------------------------------------------


def test_seats_and_opponents_are_drawn_anew_from_each_game_s_seed(game):
    players = Setup(game).players
    drawn = Opponents(Setup(game), {"random": 3, "greedy": 1, PYTHON_RANDOM: 0})
    games = [drawn.draw(seed) for seed in range(2000)]
    assert games == [drawn.draw(seed) for seed in range(2000)]
    learners = [seats.index(LEARNER) for seats in games]
    assert all(abs(learners.count(seat) / 2000 - 1 / players) < 0.05 for seat in range(players))
    others = [entry for seats in games for entry in seats if entry != LEARNER]
    assert len(others) == 2000 * (players - 1)
    assert set(others) == {0, 1}
    assert 0.2 < others.count(1) / len(others) < 0.3


def test_a_sequence_of_opponents_goes_clockwise_from_the_learner():
    setup = Setup(foodenvs.GAMES["scratch_catch"], {"players": 4})
    assert Opponents(setup, ["greedy", "random"], seat=2).draw(1) == [1, 0, LEARNER, 0]


@pytest.mark.parametrize(
    ("keywords", "error", "said"),
    [
        ({"seat": 2}, ValueError, 'seat must be 0 to 1 or "random", got 2'),
        ({"seat": "player_0"}, ValueError, "seat must be"),
        ({"seat": True}, ValueError, "seat must be"),
        ({"opponents": "nobody"}, ValueError, "unknown agent 'nobody'"),
        ({"opponents": []}, ValueError, "opponents must be 1 to 1"),
        ({"opponents": ["random", "random"]}, ValueError, "opponents must be 1 to 1"),
        ({"opponents": {}}, ValueError, "weight above 0"),
        ({"opponents": {"random": -1}}, ValueError, "the weight of opponent 'random'"),
        ({"opponents": {"random": float("nan")}}, ValueError, "the weight of opponent 'random'"),
        ({"opponents": 3}, ValueError, "an agent is an id"),
        ({"rewards": "points"}, ValueError, "rewards must be"),
        ({"playres": 2}, TypeError, "unknown option 'playres'"),
    ],
)
def test_mistakes_are_named(keywords, error, said):
    for make in (SeatEnv, SeatVectorEnv):
        with pytest.raises(error, match=said):
            make("scratch_catch-v0", **{"players": 2} | keywords)


# --- the vector view -------------------------------------------------------------------------


def play_vector(envs, seed, steps, answer=choose):
    """What every learner meets: per slot a list of games, each a list of (observation, mask, reward)."""
    observations, infos = envs.reset(seed=seed)
    games = [[[(observations[i], infos["action_mask"][i], 0.0)]] for i in range(envs.num_envs)]
    last, moves = [[] for _ in games], np.zeros(envs.num_envs, int)
    for _ in range(steps):
        actions = np.array([answer(mask, k) for mask, k in zip(infos["action_mask"], moves, strict=True)])
        moves += 1
        observations, rewards, terminated, truncated, infos = envs.step(actions)
        over = terminated | truncated
        for i in range(envs.num_envs):
            if over[i]:
                info = {name: infos["final_info"][name][i] for name in ("action_mask", "seat", "scores")}
                games[i][-1].append((infos["final_obs"][i], info["action_mask"], rewards[i]))
                games[i].append([(observations[i], infos["action_mask"][i], 0.0)])
                last[i].append(info)
                moves[i] = 0
            else:
                games[i][-1].append((observations[i], infos["action_mask"][i], rewards[i]))
    return games, last


def assert_same(met, other):
    assert len(met) == len(other)
    for mine, theirs in zip(met, other, strict=True):
        assert np.array_equal(mine[0], theirs[0])
        assert mine[0].dtype == theirs[0].dtype
        assert np.array_equal(mine[1], theirs[1])
        assert mine[2] == pytest.approx(theirs[2], abs=1e-6)


def assert_views_agree(game, answer, seed=21, games=4, **keywords):
    """Slot i of the vector view plays its game k as the single view does, to the last reward."""
    keywords = short(game) | keywords
    envs, single = SeatVectorEnv(game, 3, **keywords), SeatEnv(game, **keywords)
    last, steps = [], 25
    while sum(map(len, last)) < games:
        steps *= 2
        played, last = play_vector(envs, seed, steps, answer)
    for i, finished in enumerate(last):
        for k, info in enumerate(finished):
            met, expected = play_single(single, foodenvs.game_seed(seed, i, k), answer)
            assert_same(played[i][k], met)
            assert info["seat"] == expected["seat"]
            assert info["scores"].tolist() == expected["scores"].tolist()


@pytest.mark.parametrize("opponents", ["greedy", MIX, {"greedy": 1, PYTHON_RANDOM: 1}], ids=str)
@pytest.mark.parametrize("rewards", ["win", "shaped"])
def test_the_vector_view_plays_the_games_of_the_single_view(game, opponents, rewards):
    assert_views_agree(game, choose, opponents=opponents, rewards=rewards)


@pytest.mark.parametrize("opponents", ["greedy", {"greedy": 1, PYTHON_RANDOM: 1}], ids=str)
@pytest.mark.parametrize("rewards", ["win", "score", "shaped"])
@pytest.mark.parametrize("illegal", ["penalize", "terminate"])
def test_both_views_pay_the_same_for_illegal_actions(opponents, rewards, illegal):
    keywords = {"opponents": opponents, "rewards": rewards, "illegal": illegal}
    assert_views_agree(foodenvs.GAMES["scratch_catch"], blunder, games=12, **keywords)


@pytest.mark.parametrize("opponents", ["greedy", {"greedy": 1, PYTHON_RANDOM: 1}], ids=str)
def test_both_views_end_a_game_at_the_same_refusal(opponents):
    game, keywords = foodenvs.GAMES["scratch_catch"], {"opponents": opponents, "illegal": "penalize"}
    assert_views_agree(game, blunder, games=12, rewards="shaped", max_refusals=2, **keywords)
    assert_views_agree(game, lambda mask, k: int(mask.argmin()), games=4, **keywords)  # never a legal one


@pytest.mark.parametrize("illegal", ["penalize", "terminate"])
def test_both_views_pay_the_same_for_illegal_actions_in_every_game(game, illegal):
    assert_views_agree(game, blunder, opponents=MIX, rewards="shaped", illegal=illegal)


SHORT = {"players": 2, "target": 10, "max_turns": 3}  # games of Catchup & Mousetard that one turn may end


@pytest.mark.parametrize(
    "opponents", ["greedy", Greedy(), {"greedy": 1, Greedy(): 1}], ids=["inside", "outside", "both"]
)
def test_both_views_pass_over_the_same_games_in_which_the_learner_is_not_asked(opponents):
    game = foodenvs.GAMES["catchup_mousetard"]
    for rewards in ("win", "shaped"):
        assert_views_agree(game, choose, 11, 12, opponents=opponents, rewards=rewards, **SHORT)
    single = SeatEnv(game, opponents=opponents, **SHORT)
    passed_over = 0
    for k in range(12):
        seed = foodenvs.game_seed(11, 0, k)
        single.reset(seed=seed)
        passed_over += single.aec.dealt_from() != seed
    assert passed_over


@pytest.mark.parametrize("make", [SeatEnv, partial(SeatVectorEnv, num_envs=8)], ids=["single", "vector"])
@pytest.mark.parametrize("opponents", ["greedy", Greedy()], ids=["inside", "outside"])
def test_a_learner_that_no_game_asks_is_an_error(monkeypatch, make, opponents):
    for module in ("gym", "batch"):
        monkeypatch.setattr(f"foodenvs.envs.{module}.MOST_PASSED_OVER", 0)

    def deal():
        env = make("catchup_mousetard", opponents=opponents, **SHORT)
        for seed in range(12):
            env.reset(seed=seed)

    with pytest.raises(ValueError, match="games in a row ended before"):
        deal()


def test_a_position_in_which_the_learner_is_not_asked_is_an_error():
    env = foodenvs.make("scratch_catch", players=2)
    env.reset(seed=3)
    views = []
    while env.agents and not any(env.terminations.values()):
        views.append((env.agent_selection, env.view()))
        env.step(int(env.last()[4]["action_mask"].argmax()))
    views.append(("", env.view()))
    other = "player_1" if views[-2][0] == "player_0" else "player_0"
    seat = env.possible_agents.index(other)
    learner = SeatEnv("scratch_catch", players=2, seat=seat, opponents=Unreliable(1000))
    for _, view in views[-2:]:
        learner.reset(seed=1)
        with pytest.raises(ValueError, match=f"from this position {other} is not asked any more"):
            learner.reset(seed=1, options={"position": view})
        with pytest.raises(ResetNeeded):
            learner.step(0)


def test_results_depend_neither_on_the_number_of_slots_nor_on_threads(game):
    three, _ = play_vector(SeatVectorEnv(game, 3, opponents=MIX), 5, 30)
    seven, _ = play_vector(SeatVectorEnv(game, 7, opponents=MIX, threads=2), 5, 30)
    for mine, theirs in zip(three, seven[:3], strict=True):
        for met, other in zip(mine, theirs, strict=True):
            assert_same(met, other)


def test_an_agent_plays_the_same_inside_and_outside_the_engine(game):
    inside, _ = play_vector(SeatVectorEnv(game, 4, opponents="random"), 6, 40)
    outside, _ = play_vector(SeatVectorEnv(game, 4, opponents=PYTHON_RANDOM), 6, 40)
    for mine, theirs in zip(inside, outside, strict=True):
        for met, other in zip(mine, theirs, strict=True):
            assert_same(met, other)


def test_opponents_may_search(game):
    assert_views_agree(game, choose, seed=8, games=1, opponents=Sampler())


def test_an_illegal_action_of_an_opponent_is_an_error():
    envs = SeatVectorEnv("scratch_catch", 2, players=2, opponents=Cheat(), seat=0, illegal="penalize")
    _, infos = envs.reset(seed=1)
    _, _, _, _, infos = envs.step(np.array([choose(mask, 0) for mask in infos["action_mask"]]))
    named = r"environment \d: illegal action: .* \(player_1, the opponent Cheat\); legal: hand"
    with pytest.raises(IllegalActionError, match=named):
        envs.step(np.array([choose(mask, 0) for mask in infos["action_mask"]]))
    env = SeatEnv("scratch_catch", players=2, opponents=Cheat(), seat=1, illegal="penalize")
    with pytest.raises(IllegalActionError, match="player_0"):
        env.reset(seed=1)


def test_make_vec_gives_the_vector_view_and_infos_like_gymnasium_s_own():
    envs = gymnasium.make_vec("foodenvs/scratch_catch-v0", num_envs=3, players=2, opponents="random")
    assert type(envs) is SeatVectorEnv
    assert envs.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    makers = [lambda: SeatEnv("scratch_catch", players=2, opponents="random")] * 3
    sync = SyncVectorEnv(makers, autoreset_mode=AutoresetMode.SAME_STEP)
    assert envs.single_observation_space == sync.single_observation_space
    assert envs.observation_space == sync.observation_space
    assert envs.action_space == sync.action_space
    seen = []
    for vector in (envs, sync):
        observations, infos = vector.reset(seed=3)
        assert vector.observation_space.contains(observations)
        over = np.zeros(3, bool)
        while not over.any():
            actions = np.array([choose(mask, 1) for mask in infos["action_mask"]])
            _, rewards, terminated, truncated, infos = vector.step(actions)
            over = terminated | truncated
        assert infos["final_obs"].dtype == object
        assert [x is not None for x in infos["final_obs"]] == over.tolist()
        flat = infos | {f"final {name}": value for name, value in infos["final_info"].items()}
        described = {
            name: (value.shape, value.dtype) for name, value in flat.items() if isinstance(value, np.ndarray)
        }
        seen.append((rewards.dtype, terminated.dtype, described))
    assert seen[0] == seen[1]


def test_the_vector_view_refuses_an_illegal_action_before_anything_is_played():
    envs = SeatVectorEnv("scratch_catch", 3, players=2)
    with pytest.raises(ResetNeeded, match="reset"):
        envs.step(np.zeros(3, int))
    observations, infos = envs.reset(seed=2)
    actions = np.array([choose(mask, 0) for mask in infos["action_mask"]])
    wrong = actions.copy()
    wrong[1] = np.argmin(infos["action_mask"][1])
    with pytest.raises(IllegalActionError, match=r"environment 1: illegal action: .*legal: "):
        envs.step(wrong)
    assert np.array_equal(envs.batch.scaled(), observations)
    with pytest.raises(ValueError, match="shape"):
        envs.step(actions[:2])
    with pytest.raises(TypeError, match="whole numbers"):
        envs.step(actions.astype(float))
    with pytest.raises(ValueError, match="no reset options"):
        envs.reset(options={"position": {}})
    wrong[1] = 10**6
    with pytest.raises(IllegalActionError, match="environment 1: illegal action: 1000000"):
        envs.step(wrong)


def test_the_vector_view_penalizes_and_terminates():
    for illegal, over in (("penalize", False), ("terminate", True)):
        envs = SeatVectorEnv("scratch_catch", 2, players=2, illegal=illegal)
        observations, infos = envs.reset(seed=2)
        actions = np.array([choose(infos["action_mask"][0], 0), np.argmin(infos["action_mask"][1])])
        after, rewards, terminated, truncated, _ = envs.step(actions)
        assert rewards.tolist() == [0.0, -1.0]
        assert terminated.tolist() == truncated.tolist() == [False, over]
        assert np.array_equal(after[1], observations[1]) is not over


def test_the_vector_view_draws_new_games_at_a_reset_without_a_seed():
    envs = SeatVectorEnv("scratch_catch", 4, players=2)
    first, _ = envs.reset(seed=1)
    second, _ = envs.reset()
    third, _ = envs.reset(seed=1)
    assert not np.array_equal(first, second)
    assert np.array_equal(first, third)


# --- the batch below ---------------------------------------------------------------------------


def test_a_batch_with_agents_of_the_engine_goes_on_from_a_snapshot(game):
    def seating(number):
        return [LEARNER, *[number % 2] * (Setup(game).players - 1)]

    batch = Batch(Setup(game), 3, seed=4, rewards="shaped", seating=seating)
    other = Batch(Setup(game), 3, seed=9, seating=seating, rewards="shaped")
    for _ in range(10):
        batch.step(batch.sample())
    other.restore(batch.snapshot())
    for _ in range(60):
        batch.step(batch.sample())
        other.step(other.sample())
        for name in ("observation", "action_mask", "seat", "rewards", "terminated", "scores", "player"):
            assert np.array_equal(getattr(batch, name), getattr(other, name)), name
    assert (batch.seat == 0).all()


def test_somebody_must_play_from_outside():
    with pytest.raises(ValueError, match="at least one seat"):
        Batch(Setup(foodenvs.GAMES["scratch_catch"]), 1, seating=lambda number: [0, 0, 1])


def test_inactive_slots_stay_as_they_are():
    batch = Batch(Setup(foodenvs.GAMES["scratch_catch"]), 3, seed=1)
    before = batch.observation.copy()
    batch.step(batch.sample(), np.array([True, False, True]))
    assert np.array_equal(batch.observation[1], before[1])
    assert not np.array_equal(batch.observation[[0, 2]], before[[0, 2]])
