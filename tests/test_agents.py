"""Search agents: what they find, what they cannot know, what they cost; experts."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from helpers import setups, size, stops, visits
from toy.runs import outputs_of_network, visits_of_searches

import foodenvs
from foodenvs.agents import Table, make_agent
from foodenvs.arena import match, play
from foodenvs.core.setup import Setup
from foodenvs.engine import PURE

ITERATIONS = 12 if PURE else 30


def test_a_search_never_depends_on_what_its_seat_cannot_know(game):
    """Same seed, two states that differ only in hidden things: the same number of visits to every action."""
    compared = 0
    for options in (setups(game)[0], setups(game)[-1]):
        env = foodenvs.make(game, **options)
        for number in stops(env, 4, most=size(3, 6)):
            for more in ("", ",rollout=random,c=1.5"):
                agent_id = f"ismcts:iterations={ITERATIONS}{more}"
                true = visits(env, agent_id, number)
                other = env.determinized(env.agent_selection, number)
                assert visits(other, agent_id, number) == true
                compared += sum(n > 0 for n in true) > 1
    assert compared


def test_a_search_repeats_itself_and_leaves_the_game_alone(game):
    env = foodenvs.make(game)
    env.reset(seed=5)
    before = env.snapshot()
    agent_id = f"ismcts:iterations={ITERATIONS},prior=0"
    assert visits(env, agent_id, 3) == visits(env, agent_id, 3)
    if sum(env.infos[env.agent_selection]["action_mask"]) > 2:
        assert visits(env, agent_id, 3) != visits(env, agent_id, 4)
        assert visits(env, f"{agent_id},seed=3", 4) == visits(env, f"{agent_id},seed=3", 5)
    assert env.snapshot() == before


def test_every_iteration_but_the_first_tries_an_action_of_the_root(game):
    env = foodenvs.make(game)
    for _ in stops(env, 6, most=2):
        assert sum(visits(env, f"ismcts:iterations={ITERATIONS}", 1)) == ITERATIONS - 1


@pytest.mark.skipif(PURE, reason="many games take the compiler")
@pytest.mark.parametrize("trusted", ["greedy", "expert"])
def test_a_search_that_trusts_an_agent_wholly_plays_as_it_does(game, trusted):
    env = foodenvs.make(game)
    for _ in stops(env, 3, most=size(2, 6)):
        search = f"ismcts:iterations={size(10, 30)},rollout={trusted}"
        searches = (f"{search},{more}" for more in ("prior=1", "prior=0.5,doubt=100"))
        observation, _, _, _, info = env.last()
        agents = [make_agent(agent_id, env, env.agent_selection) for agent_id in (trusted, *searches)]
        assert len({agent.act(observation, info) for agent in agents}) == 1


@pytest.mark.skipif(PURE, reason="many iterations take the compiler")
def test_the_less_doubt_the_more_often_a_search_departs_from_whom_it_trusts(game):
    env, departs = foodenvs.make(game), [0, 0, 0]
    for number in stops(env, 3, every=5, most=size(6, 16)):
        observation, _, _, _, info = env.last()
        usual = make_agent("greedy", env, env.agent_selection).act(observation, info)
        for k, doubt in enumerate((0, 1, 4)):
            search = f"ismcts:iterations={size(60, 200)},prior=0.5,doubt={doubt}"
            agent = make_agent(search, env, env.agent_selection)
            agent.reset(number)
            departs[k] += agent.act(observation, info) != usual
    assert departs == sorted(departs, reverse=True)
    assert departs[0] > departs[2]


def test_a_position_sampled_with_one_seed_is_one_position(game):
    env = foodenvs.make(game)
    env.reset(seed=2)
    table, asked = Table(env, env.agent_selection), env.last()[::4]
    one, two, other = (table.sample_position(*asked, seed).tobytes() for seed in (1, 1, 2))
    assert one == two != other


def test_pure_and_compiled_searches_count_the_same_visits_and_networks_give_the_same():
    program = "from toy import runs; print(runs.visits_of_searches(), runs.outputs_of_network())"
    variables = {k: v for k, v in os.environ.items() if not k.startswith("NUMBA_")}
    variables |= {} if PURE else {"NUMBA_DISABLE_JIT": "1"}
    here = Path(__file__).parent
    variables["PYTHONPATH"] = os.pathsep.join([str(here), str(here.parent)])
    done = subprocess.run(
        [sys.executable, "-c", program], env=variables, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == f"{visits_of_searches()} {outputs_of_network()}"


def test_a_search_by_the_clock_stops_in_time():
    env = foodenvs.make("scratch_catch")
    env.reset(seed=1)
    few = sum(visits(env, "ismcts:seconds=0", 1))
    assert 0 < few < sum(visits(env, "ismcts:seconds=0.05", 1))


@pytest.mark.long
@pytest.mark.skipif(PURE, reason="whole games of search take the compiler")
def test_a_search_beats_greedy():
    setup = Setup(foodenvs.GAMES["scratch_catch"], {"players": 2})
    result = match(setup, ["ismcts:iterations=500", "greedy"], 160, 1)
    assert result.agents[0].low > 1 / 2


@pytest.mark.skipif(PURE, reason="many games take the compiler")
def test_an_expert_is_no_weaker_than_greedy(game):
    if "expert" not in game.agents.AGENTS:
        pytest.skip("no expert yet")
    for options in (setups(game)[0], {}):
        setup = Setup(game, options)
        lineup = ["expert"] + ["greedy"] * (setup.contenders - 1)
        few = 80 if game.name == "scratch_catch" else 20
        result = match(setup, lineup, size(few, 200) * setup.contenders, 1)
        assert result.agents[0].high > 1 / setup.contenders, options
        if game.name == "scratch_catch":
            assert result.agents[0].low > 1 / setup.contenders, options


@pytest.mark.parametrize(
    ("agent_id", "message"),
    [
        ("ismcts:iterations=0", "iterations must be a whole number from 1"),
        ("ismcts:iterations=2.5", "iterations must be"),
        ("ismcts:iterations=5,seconds=1", "iterations or seconds, not both"),
        ("ismcts:seconds=-1", "seconds must be 0 to 3600, got -1"),
        ("ismcts:c=high", "c must be 0 to 1000, got 'high'"),
        ("ismcts:margin=2", "margin must be 0 to 1"),
        ("ismcts:prior=-0.1", "prior must be 0 to 1, got -0.1"),
        ("ismcts:doubt=-1", "doubt must be 0 to 100, got -1"),
        ("ismcts:seed=-3", "seed must be a whole number"),
        ("ismcts:rollout=nobody", "has no agent nobody; it has random, greedy"),
        ("ismcts:depth=3", "unknown option; ismcts has iterations, seconds"),
    ],
)
def test_wrong_options_of_a_search_say_what_is_allowed(agent_id, message):
    env = foodenvs.make("scratch_catch")
    with pytest.raises(ValueError, match=message):
        make_agent(agent_id, env, "player_0")


@pytest.mark.parametrize("wrong", [np.ones(3, np.int8), np.ones((2, 21), bool), np.ones(400, np.int8)])
def test_a_mask_of_another_shape_is_refused(wrong):
    env = foodenvs.make("scratch_catch", players=2)
    env.reset(seed=1)
    greedy = make_agent("greedy", env)
    seen, *_, info = env.last()
    assert greedy.act(seen, {"action_mask": info["action_mask"].tolist()}) == greedy.act(seen, info)
    with pytest.raises(ValueError, match=r"an action mask of scratch_catch-v0 has shape \(21,\), got"):
        greedy.act(seen, {"action_mask": wrong})
    with pytest.raises(ValueError, match=r"has shape \(1, 21\), got"):
        greedy.act_many(seen["observation"][None], wrong)


def test_the_tree_of_a_long_search_is_bounded():
    env = foodenvs.make("scratch_catch", players=2)
    search = make_agent("ismcts:iterations=100000000", env)
    assert search._nodes.nbytes + search._places.nbytes < 2**27


def test_a_search_without_a_table_says_so():
    env = foodenvs.make("scratch_catch", players=2)
    env.reset(seed=1)
    observation, *_, info = env.last()
    with pytest.raises(RuntimeError, match="needs a table"):
        make_agent("ismcts").act(observation, info)
    assert play(env, ["cheater:iterations=20", "random"], 3).decisions > 0
