"""The best response by training, beside the exact one where the game is small enough to have it.

Needs the extras sb3 and openspiel.
"""

import importlib
import json
import sys
from pathlib import Path

import pytest

from foodenvs.arena import match
from foodenvs.core.setup import Setup
from foodenvs.envs.aec import FoodEnv
from foodenvs.games import GAMES

pyspiel = pytest.importorskip("pyspiel")

pytestmark = [
    pytest.mark.extra("sb3", "openspiel"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),  # of what torch and TensorBoard import
]

SCRIPTS = Path(__file__).parents[1] / "training"
SMALL_BOX = Path(__file__).parents[1] / "foodenvs" / "games" / "scratch_catch" / "small.toml"
QUICK = ["--threads", 1, "--envs", 64, "--rollout", 32, "--minibatch", 512, "--hidden", 32]


@pytest.fixture(scope="module")
def best_response():
    sys.path.insert(0, str(SCRIPTS))
    yield importlib.import_module("best_response")
    sys.path.remove(str(SCRIPTS))


def respond(module, folder, against, *more):
    options = ["--players", 2, "--against", against, "--run", folder, *QUICK, "--evaluate-every", 10**6]
    return module.main([str(option) for option in [*options, *more]])


def exact_gain(against):
    """What a best response gains in shares of the win, over both seats."""
    from open_spiel.python import policy
    from open_spiel.python.algorithms import exploitability

    from foodenvs.bridges import openspiel

    openspiel.register()
    game = pyspiel.load_game("foodenvs_scratch_catch_small")
    frozen = policy.UniformRandomPolicy(game)
    if against != "random":
        frozen = openspiel.AgentPolicy(game, against)
    return exploitability.nash_conv(game, frozen) / 2 / 2  # mean of two seats; win and loss are 2 apart


@pytest.mark.long
@pytest.mark.parametrize("against", ["random", "greedy"])
def test_the_lower_bound_lies_below_the_exact_gain_and_not_far(best_response, tmp_path, against):
    result = respond(
        best_response, tmp_path, against, "--components", SMALL_BOX, "--steps", 200_000, "--games", 8000
    )
    exact = exact_gain(against)
    assert result["low"] <= exact
    assert result["gain"] >= 0.5 * exact > 0


def test_what_is_written_says_what_it_is(best_response, tmp_path, capsys):
    file = tmp_path / "result.json"
    result = respond(
        best_response, tmp_path, "greedy", "--steps", 1, "--games", 40, "--json", file, "--evaluate-games", 4
    )
    written = json.loads(file.read_text())
    assert written == result
    assert "lower bound" in written["meaning"]
    assert written["command"].startswith("python ")
    assert "the lower bound is 0" in capsys.readouterr().out  # nobody learns in one step


@pytest.mark.parametrize(("name", "players"), [("scratch_catch", 2), ("fast_food_fury", 3)])
def test_an_agent_gains_nothing_in_its_own_place(best_response, name, players):
    """Teams of different sizes too: the share of the win of a seat is not 1 / players there."""
    setup = Setup(GAMES[name], {"players": players})

    class Copy:
        """The frozen agent by another name."""

        label = "copy"

        def join(self, table):
            from foodenvs.agents import make_agent

            self.agent = make_agent("greedy", FoodEnv(table.setup), table.agent)

        def reset(self, seed):
            self.agent.reset(seed)

        def act(self, observation, info):
            return self.agent.act(observation, info)

    result = best_response.measure(setup, Copy(), "greedy", 24)
    assert result["gain"] == pytest.approx(0, abs=1e-9)
    assert result["low"] < 0 < result["high"]


def test_the_gain_is_that_of_a_match(best_response):
    setup = Setup(GAMES["scratch_catch"], {"players": 3})
    result = best_response.measure(setup, "greedy", "random", 300)
    played = match(setup, ["greedy", "random", "random"], 300, seed=best_response.DEALS_SEED).agents[0]
    assert result["win_share"] == pytest.approx(played.win_share)
    assert result["own_share"] == pytest.approx(1 / 3)
    assert result["gain"] == pytest.approx(played.win_share - 1 / 3)
    assert result["games"] == 300
