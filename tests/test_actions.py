"""What counts as an action and as a seed: the same everywhere, and one sentence for all else."""

import numpy as np
import pytest

import foodenvs
from foodenvs.agents import make_agent
from foodenvs.arena import Results, match
from foodenvs.arena.deals import MatchRunner
from foodenvs.core.setup import Setup
from foodenvs.envs.gym import SeatEnv, SeatVectorEnv
from foodenvs.grading.grade import grade
from foodenvs.replay import Recorder, record
from foodenvs.testing import check
from foodenvs.ui.session import HUMAN, GameSession

SETUP = Setup(foodenvs.GAMES["scratch_catch"], {"players": 2})


def make():
    return foodenvs.make(SETUP.game, players=2)


class Tensor:
    """Like torch's: `operator.index` takes it whenever it has one element, truth values too."""

    def __init__(self, number, ndim=0, dtype="torch.int64"):
        self.number, self.ndim, self.dtype = number, ndim, dtype

    def __index__(self):
        return int(self.number)

    def item(self):
        return self.number


class Answers:
    """Gives its first legal action as some type."""

    def __init__(self, kind):
        self.kind = kind

    def reset(self, seed):
        pass

    def act(self, observation, info):
        return self.kind(int(np.flatnonzero(info["action_mask"])[0]))


class AnswersMany(Answers):
    """The same for many games at once."""

    def act_many(self, observation, action_mask):
        return self.kind(action_mask.argmax(axis=1))


# --- actions -----------------------------------------------------------------------------------


def as_learner(agent):
    env = SeatEnv(SETUP.game, players=2, seat=0)
    env.step(agent.act(*env.reset(seed=1)))


def as_opponent(agent):
    SeatEnv(SETUP.game, players=2, opponents=agent, seat=1).reset(seed=1)


def as_opponent_of_many(agent):
    SeatVectorEnv(SETUP.game, 2, players=2, opponents=agent, seat=1).reset(seed=1)


def in_a_recorder(agent):
    env = Recorder(make())
    env.reset(seed=1)
    env.step(agent.act(*env.last()[::4]))
    assert len(env.steps) == 1


def in_play(agent):
    foodenvs.play(make(), [agent, "random"], 1)


def in_a_match(agent):
    for _, _, fault in MatchRunner(SETUP, [agent, "random"])(1, 0, 1).faults:
        assert fault.kind == "illegal move"
        raise TypeError(fault.message)


def in_a_replay(agent):
    record(make(), [agent, "random"], 1)


def at_a_sitting(agent):
    GameSession.deal(SETUP, [agent, HUMAN], 1).advance()


def as_a_hint(agent):
    GameSession.deal(SETUP, [HUMAN, HUMAN], 1).hint(agent)


ASKED = (
    as_learner, as_opponent, as_opponent_of_many, in_a_recorder, in_play, in_a_match, in_a_replay,
    at_a_sitting, as_a_hint,
)  # fmt: skip
WHOLE = (int, np.int8, np.uint64, np.array, Tensor)
OTHERS = {
    "array of one": (lambda a: np.array([a]), "use int(action.item())"),
    "tensor of one": (lambda a: Tensor(a, 1), "use int(action.item())"),
    "truth value": (bool, "use int(action)"),
    "numpy's": (np.bool_, "use int(action)"),
    "torch's": (lambda a: Tensor(bool(a), 0, "torch.bool"), "use int(action)"),
    "fraction": (lambda a: a + 0.7, "use int(action)"),
    "float array": (lambda a: np.array(float(a)), "use int(action)"),
    "nothing": (lambda a: None, "got None"),
    "time": (lambda a: np.timedelta64(a, "D"), "D')"),
    "masked": (lambda a: np.ma.masked, "got masked"),
}


@pytest.mark.parametrize("ask", ASKED)
@pytest.mark.parametrize("kind", WHOLE)
def test_whole_numbers_of_every_kind_are_actions_everywhere(ask, kind):
    ask(Answers(kind))


@pytest.mark.parametrize("ask", ASKED)
@pytest.mark.parametrize("other", OTHERS)
def test_what_is_no_whole_number_is_refused_everywhere_in_one_sentence(ask, other):
    kind, ending = OTHERS[other]
    with pytest.raises(TypeError, match=r"action of player_\d.* must be a whole number from 0 to 20") as told:
        ask(Answers(kind))
    assert str(told.value).endswith(ending)


def test_actions_for_many_games_are_an_array_of_whole_numbers():
    as_opponent_of_many(AnswersMany(np.asarray))
    as_opponent_of_many(AnswersMany(list))
    as_opponent_of_many(AnswersMany(lambda a: [np.uint64(a[0]), *a[1:].tolist()]))
    for kind in (lambda a: a + 0.7, lambda a: a > 0, lambda a: None, lambda a: [True, *a[1:]]):
        with pytest.raises(TypeError, match="actions of the opponent AnswersMany must be whole numbers"):
            as_opponent_of_many(AnswersMany(kind))
    with pytest.raises(ValueError, match=r"AnswersMany must have shape \(2,\), got \(2, 1\)"):
        as_opponent_of_many(AnswersMany(lambda a: a[:, None]))


@pytest.mark.parametrize("other", OTHERS)
def test_an_action_for_many_games_that_is_no_whole_number_is_named(other):
    kind, ending = OTHERS[other]
    batch = foodenvs.make_batch(SETUP.game, 2, players=2)
    with pytest.raises(TypeError, match="actions must be whole numbers: entry 1, got") as told:
        batch.step([0, kind(0)])
    assert str(told.value).endswith(ending)


@pytest.mark.parametrize("large", [2**62, 2**64 - 1, -(10**30)])
def test_a_number_too_large_for_the_engine_is_an_illegal_action(large):
    batch = foodenvs.make_batch(SETUP.game, 2, players=2)
    batch.step([large, int(batch.action_mask[1].argmax())])
    assert batch.illegal.tolist() == [True, False]
    env = make()
    env.reset(seed=1)
    with pytest.raises(foodenvs.IllegalActionError, match="illegal action"):
        env.step(large)


# --- seeds -------------------------------------------------------------------------------------


def agent_reset(name):
    return lambda seed: make_agent(name, make()).reset(seed)


SEEDED = {
    "environment": lambda seed: make().reset(seed=seed),
    "play": lambda seed: foodenvs.play(make(), ["random"], seed),
    "record": lambda seed: record(make(), ["random"], seed),
    "redeal": lambda seed: reset().determinized("player_0", seed),
    "batch": lambda seed: foodenvs.make_batch(SETUP.game, 2, seed=seed),
    "batch's reset": lambda seed: foodenvs.make_batch(SETUP.game, 2).reset(seed),
    "seat view": lambda seed: SeatEnv(SETUP.game).reset(seed=seed),
    "vector view": lambda seed: SeatVectorEnv(SETUP.game, 2).reset(seed=seed),
    "game_seed": lambda seed: foodenvs.game_seed(seed, 0, 0),
    "random": agent_reset("random"),
    "ismcts": agent_reset("ismcts"),
    "match": lambda seed: match(SETUP, ["random"], 1, seed),
    "results": lambda seed: Results(None, SETUP, seed),
}


def reset():
    env = make()
    env.reset(seed=1)
    return env


@pytest.mark.parametrize("seeded", SEEDED)
@pytest.mark.parametrize("seed", [-1, 2**63, 2**64, True, np.True_, 1.5, np.array([1])])
def test_a_bad_seed_is_refused_everywhere_in_one_sentence(seeded, seed):
    with pytest.raises(ValueError, match=r"^seed must be a whole number from 0 to 2\*\*63 - 1, got "):
        SEEDED[seeded](seed)


@pytest.mark.parametrize("seeded", SEEDED)
def test_every_other_seed_is_taken_everywhere(seeded):
    for seed in (0, 2**63 - 1, np.uint64(2**63 - 1), np.array(3)):
        SEEDED[seeded](seed)


def test_a_batch_without_a_seed_draws_one_and_tells_it():
    one, other = (foodenvs.make_batch(SETUP.game, 2, seed=None) for _ in range(2))
    assert one.seed != other.seed
    again = foodenvs.make_batch(SETUP.game, 2, seed=one.seed)
    assert (again.observation == one.observation).all()


def test_a_bad_seed_is_refused_before_anything_is_checked_or_graded(tmp_path):
    (tmp_path / "agent.py").write_text("")
    for call in (
        lambda: check("scratch_catch", seed=-1),
        lambda: grade(tmp_path / "agent.py", SETUP, seed=True),
    ):
        with pytest.raises(ValueError, match="seed must be a whole number"):
            call()


def test_the_kit_deals_games_from_any_good_seed():
    small = [{"game": SETUP.game.name, "players": 2}]
    assert check(
        foodenvs.make, seconds=0.1, games=1, seed=2**63 - 1, checks=["mask"], configurations=small
    ).passed
