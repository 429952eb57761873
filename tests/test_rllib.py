"""RLlib: every reward reaches the learner, and a run stops, resumes, exports, and works on a cluster.

Needs an environment of its own: training/requirements-rllib.txt.
"""

import importlib.util
import json
import os
import subprocess
import sys
from operator import itemgetter
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file

from foodenvs.core.setup import Setup
from foodenvs.envs.aec import FoodEnv

pytestmark = [pytest.mark.extra("rllib"), pytest.mark.filterwarnings("default")]  # those of ray are not ours

SCRIPT = Path(__file__).parents[1] / "training" / "rllib_ppo.py"
SMALL = ["--batch=256", "--envs=4", "--hidden=16", "--evaluate-games=4"]
FRAGMENT, ENVS = 11, 3  # RLlib cuts games into pieces of so many decisions: many cuts


@pytest.fixture(scope="module")
def rllib_ppo():
    spec = importlib.util.spec_from_file_location("rllib_ppo", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run(*arguments, code=0):
    """What Python says; again if Ray did not start: it gives its own processes 15 seconds, which are too few
    on a busy machine (ray-project/ray#65983)."""
    environment = os.environ | {"RAY_AUTH_MODE": "disabled", "RAY_USAGE_STATS_ENABLED": "0"}
    for _ in range(5):
        done = subprocess.run(
            [sys.executable, *map(str, arguments)], capture_output=True, text=True, env=environment
        )
        if "The current node timed out during startup" not in done.stderr:
            break
    assert done.returncode == code, done.stderr
    return done.stdout + done.stderr


def progress(folder):
    return [json.loads(line) for line in (folder / "progress.jsonl").read_text().splitlines()]


@pytest.fixture
def ledger(monkeypatch):
    """All decisions of all games, each with what its seat was paid before it was asked again."""
    decisions, waiting, step = [], {}, FoodEnv.step

    def noted(env, action):
        if action is None:  # the step of an agent that is done
            step(env, action)
            return
        sight = env.observe(env.agent_selection)["observation"].tobytes()
        decision = {"sight": sight, "action": int(action), "ended": False, "reward": 0.0, "known": False}
        waiting[env, env.agent_selection] = decision
        decisions.append(decision)
        step(env, action)
        for agent, reward in env.rewards.items():
            if (env, agent) in waiting:
                waiting[env, agent]["reward"] += reward
                waiting[env, agent]["ended"] = env.terminations[agent]
                over = env.terminations[agent] or env.truncations[agent]
                if over or agent == env.agent_selection:
                    waiting.pop((env, agent))["known"] = True

    monkeypatch.setattr(FoodEnv, "step", noted)
    return decisions


@pytest.mark.parametrize("rewards", ["win", "shaped"])
def test_every_decision_is_learned_once_with_the_reward_of_its_seat(rllib_ppo, ledger, game, rewards):
    from ray.rllib.env.multi_agent_env_runner import MultiAgentEnvRunner

    players = min(3, Setup(game).players)
    options = ["--game", game.id, "--players", players, "--rewards", rewards, "--steps", 1, "--hidden", 8]
    options += ["--batch", ENVS * FRAGMENT, "--envs", ENVS]
    given, _ = rllib_ppo.parse([str(option) for option in options])
    config = rllib_ppo.configure(given, seed=1)
    runner = MultiAgentEnvRunner(config=config)
    learner = config.build_learner(env=runner.env, spaces=runner.get_spaces())
    learned = []
    while sum(decision["ended"] for decision in learned) < 4 * players:
        batch = learner._learner_connector(
            rl_module=learner.module, batch={}, episodes=runner.sample(), shared_data={}
        )[rllib_ppo.SHARED]
        sights = batch["obs"]["observation"].numpy()
        for row in np.flatnonzero(batch["loss_mask"].numpy()):
            action, reward, ended, target = (
                batch[name][row].item() for name in ("actions", "rewards", "terminateds", "value_targets")
            )
            learned.append(
                {"sight": sights[row].tobytes(), "action": action, "ended": ended, "reward": reward}
            )
            assert not ended or target == pytest.approx(reward, abs=1e-5)

    identity = itemgetter("sight", "action", "ended")
    whole = itemgetter("sight", "action", "ended", "reward")
    learned = sorted(learned, key=whole)
    known = sorted((decision for decision in ledger if decision["known"]), key=whole)
    assert list(map(identity, learned)) == list(map(identity, known))
    assert [d["reward"] for d in learned] == pytest.approx([d["reward"] for d in known], abs=1e-5)
    assert len(ledger) - len(known) <= ENVS * players
    last = [decision["reward"] for decision in learned if decision["ended"]]
    assert min(last) < 0 < max(last)


def test_a_run_stops_resumes_and_exports(tmp_path):
    folder, first, second, third = (tmp_path / name for name in ("run", "first", "second", "third"))
    said = run(SCRIPT, *SMALL, "--iterations", 2, "--run", folder, "--export", first)
    assert "greedy" in said
    before = progress(folder)
    assert [row["iteration"] for row in before] == [1, 2]
    assert before[1]["steps"] >= before[0]["steps"] + 256 >= 512

    with (folder / "progress.jsonl").open("a") as file:
        file.write('{"iteration": 3}\n')  # of a run that was killed before its checkpoint
    run(SCRIPT, "--resume", folder, "--export", second)
    run(SCRIPT, "--resume", folder, "--steps", 300, "--evaluate-every", 4, "--export", third)
    rows = progress(folder)
    assert rows[:2] == before
    assert [row["iteration"] for row in rows] == [1, 2, 3, 4]
    assert rows[2]["steps"] >= rows[1]["steps"] + 256
    assert rows[3]["steps"] >= rows[2]["steps"] + 256
    assert set(rows[3]) - set(rows[2]) == {"random", "greedy"}
    assert len(list(folder.glob("checkpoint_*"))) == 2
    one, same, other = map(load_file, (first, second, third))
    assert one["0.weight"].shape[0] == 16
    assert all(np.array_equal(one[name], same[name]) for name in one)
    assert not np.array_equal(one["0.weight"], other["0.weight"])

    table = ["-m", "foodenvs", "match", "scratch_catch", f"policy:{third}", "random"]
    assert "policy:" in run(*table, "--players", 2, "--games", 20)
    assert "--hidden is [16]" in run(SCRIPT, "--resume", folder, "--hidden", 8, code=2)
    assert "--resume it" in run(SCRIPT, "--run", folder, "--steps", 1, code=2)


CLUSTER = """
import subprocess, sys, ray
ray.init(num_cpus=3, include_dashboard=False, log_to_driver=False, object_store_memory=200 * 2**20)
address = ray.get_runtime_context().gcs_address
sys.exit(subprocess.run([sys.executable, *sys.argv[1:], "--address", address]).returncode)
"""


def test_a_cluster_plays_and_learns(tmp_path):
    folder = tmp_path / "run"
    spread = ["--num-env-runners", 1, "--num-learners", 1]
    run(
        "-c", CLUSTER, SCRIPT, *SMALL, *spread, "--iterations", 2, "--run", folder, "--export", tmp_path / "a"
    )
    assert progress(folder)[1]["steps"] >= 512
    alone = ["--address", "", "--num-env-runners", 0, "--num-learners", 0]
    run(SCRIPT, "--resume", folder, *alone, "--export", tmp_path / "b")
    one, same = load_file(tmp_path / "a"), load_file(tmp_path / "b")
    assert all(np.array_equal(one[name], same[name]) for name in one)
