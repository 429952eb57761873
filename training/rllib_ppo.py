"""PPO of RLlib (its new API stack) with action masks: one network plays all seats, on one machine or many.

    python training/rllib_ppo.py --game scratch_catch --players 2 --minutes 10 --export policy.safetensors
    python training/rllib_ppo.py --resume runs/rllib --minutes 10
    python training/rllib_ppo.py --address auto --num-env-runners 32 --iterations 500 --run /shared/run

Stops at the first of `--iterations`, `--steps` and `--minutes`, all counted in this run; `--resume DIR` with
none of them evaluates and exports what is there. Prints the share of the win in matches on paired deals
(every deal is played from every seat); writes settings, checkpoints and progress.jsonl to `--run DIR`, a
policy for `policy:FILE` to `--export FILE`. RLlib needs an environment of its own: see
training/requirements-rllib.txt. With `--address`, start it on a machine of the cluster; all have that
environment and, with learners of their own, see `--run` as the same directory.
"""

import argparse
import itertools
import json
import os
import shlex
import sys
import time
from pathlib import Path

try:
    import ray
    import torch
    from ray.rllib.algorithms.ppo import PPOConfig
    from ray.rllib.core.columns import Columns
    from ray.rllib.core.rl_module import MultiRLModuleSpec, RLModuleSpec
    from ray.rllib.core.rl_module.apis import ValueFunctionAPI
    from ray.rllib.core.rl_module.torch import TorchRLModule
    from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
    from ray.tune.registry import register_env
except ImportError as error:
    sys.exit(f"training/rllib_ppo.py needs RLlib: pip install -r training/requirements-rllib.txt ({error})")

import foodenvs
from foodenvs.agents.policy import PolicyAgent, policy_metadata, save_policy
from foodenvs.arena import match

SHARED = "shared"  # the one module of all seats
STOPS = ("iterations", "steps", "minutes")
FIXED = ("game", "players", "rewards", "hidden", "seed")  # of a run, however often it is resumed


class MaskedModule(TorchRLModule, ValueFunctionAPI):
    """One network for the policy, one for the value; what the mask forbids is never played."""

    def setup(self):
        inputs = self.observation_space["observation"].shape[0]
        self.policy = network([inputs, *self.model_config["hidden"], int(self.action_space.n)])
        self.value = network([inputs, *self.model_config["hidden"], 1])

    def _forward(self, batch, **kwargs):
        seen = batch[Columns.OBS]
        logits = self.policy(seen["observation"]).masked_fill(seen["action_mask"] == 0, -1e9)
        return {Columns.ACTION_DIST_INPUTS: logits}

    def compute_values(self, batch, embeddings=None):
        return self.value(batch[Columns.OBS]["observation"]).squeeze(-1)

    def layers(self):
        """Weights and biases of the policy network, from observation to logits."""
        linear = [module for module in self.policy if isinstance(module, torch.nn.Linear)]
        return [(m.weight.detach().cpu().numpy(), m.bias.detach().cpu().numpy()) for m in linear]


def network(sizes):
    layers = [(torch.nn.Linear(a, b), torch.nn.Tanh()) for a, b in itertools.pairwise(sizes)]
    return torch.nn.Sequential(*itertools.chain(*layers))[:-1]


def make_env(options):
    """Our environment as RLlib sees it: whoever is to move, and at the end everybody, with what `last()` has
    summed up for the agent since it moved. So what is paid while others move is credited, losses too."""
    return PettingZooEnv(foodenvs.make(**options))


def configure(given, seed, on_train_result=None):
    register_env("foodenvs", make_env)
    options = {"game": given.game, "players": given.players, "rewards": given.rewards}
    module = RLModuleSpec(module_class=MaskedModule, model_config={"hidden": given.hidden})
    return (
        PPOConfig()
        .environment("foodenvs", env_config=options, disable_env_checking=True)  # it would ignore the mask
        .env_runners(
            num_env_runners=given.num_env_runners,
            num_envs_per_env_runner=given.envs,
            sample_timeout_s=300,
        )
        .learners(num_learners=given.num_learners, num_gpus_per_learner=given.gpus_per_learner)
        .multi_agent(policies={SHARED}, policy_mapping_fn=lambda agent, episode, **kwargs: SHARED)
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={SHARED: module}))
        .training(
            train_batch_size_per_learner=given.batch, minibatch_size=min(1024, given.batch), num_epochs=4,
            lr=1e-3, gamma=1.0, lambda_=0.95, entropy_coeff=0.01, grad_clip=0.5, clip_param=0.2,
            use_kl_loss=False,
        )
        .callbacks(on_train_result=on_train_result)
        .debugging(seed=seed, log_level="ERROR")
    )  # fmt: skip


def evaluate(algorithm, given):
    """The share of the win of the network's most probable actions, with its 95 % interval, by opponent."""
    setup = foodenvs.make(given.game, players=given.players).setup
    layers = algorithm.get_module(SHARED).layers()
    agent, results = PolicyAgent(layers, "tanh", policy_metadata(setup, "tanh")), {}
    for opponent in ("random", "greedy"):
        seated = [agent] + [opponent] * (setup.contenders - 1)
        mine = match(setup, seated, given.evaluate_games, seed=1_000_003).agents[0]
        shares = {"win_share": mine.win_share, "low": mine.low, "high": mine.high}
        results[opponent] = shares | {"games": given.evaluate_games}
    shares = "  ".join(f"{opponent} {result['win_share']:.3f}" for opponent, result in results.items())
    print(f"{sampled(algorithm):12,} decisions  {shares}", flush=True)
    return results


def evaluate_now_and_then(given):
    """A callback that adds `arena`, an evaluation, to the results of every so many iterations."""

    def on_train_result(algorithm, result, **kwargs):
        if result["training_iteration"] % given.evaluate_every == 0:
            result["arena"] = evaluate(algorithm, given)

    return on_train_result


def connect(given):
    """Join the cluster of `--address`, or start Ray here, as small and as private as it goes."""
    if given.address:
        ray.init(given.address, log_to_driver=False)
        return
    os.environ.setdefault("RAY_AUTH_MODE", "disabled")
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    processes = 1 + given.num_env_runners + given.num_learners
    ray.init(
        num_cpus=processes, object_store_memory=200 * 2**20, include_dashboard=False, log_to_driver=False
    )


def parse(argv):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name, default, meaning in (
        ("game", "scratch_catch", "the id of the game"),
        ("players", 2, "number of seats"),
        ("rewards", "shaped", "win, score or shaped, see foodenvs.make"),
        ("seed", 1, "of everything"),
        ("address", "", "of a Ray cluster that runs already (auto: the one of this machine)"),
        ("num-env-runners", 0, "processes that play; 0: this one does"),
        ("envs", 32, "games at once in each"),
        ("num-learners", 0, "processes that learn; 0: this one does"),
        ("gpus-per-learner", 0, "GPUs of each learner"),
        ("batch", 4096, "decisions of an iteration, per learner"),
        ("iterations", 0, "stop after so many"),
        ("steps", 0, "stop after so many decisions"),
        ("minutes", 0.0, "stop after so many"),
        ("evaluate-every", 20, "iterations between two evaluations, each with a checkpoint"),
        ("evaluate-games", 200, "games of an evaluation against each opponent"),
        ("run", "runs/rllib", "directory for settings, checkpoints and progress.jsonl"),
        ("resume", "", "go on in the directory of an earlier run, with its settings"),
        ("export", "", "write the network as a policy file"),
    ):
        parser.add_argument(f"--{name}", type=type(default), default=default, help=meaning)
    parser.add_argument("--hidden", type=int, nargs="+", default=[128, 128], help="sizes of hidden layers")
    given = parser.parse_args(argv)
    run = Path(given.resume or given.run).resolve()
    checkpoints = sorted(run.glob("checkpoint_*"))
    if given.resume:
        if not checkpoints:
            parser.error(f"there is no checkpoint in {run}")
        saved = json.loads((run / "settings.json").read_text())
        parser.set_defaults(**saved)  # what is not said again stays
        given = parser.parse_args(argv)
        for name in FIXED:
            if getattr(given, name) != saved[name]:
                parser.error(f"--{name} is {saved[name]} in {run}")
    elif checkpoints:
        parser.error(f"there is a run in {run}: --resume it, or name another --run")
    elif not any(getattr(given, name) for name in STOPS):
        parser.error("say when to stop: --iterations, --steps or --minutes")
    given.run = str(run)
    return given, checkpoints


def sampled(algorithm):
    """All decisions that were ever sampled in the run."""
    return int(algorithm.metrics.peek(("env_runners", "num_env_steps_sampled_lifetime"), default=0))


def train(algorithm, given):
    """Train up to the first limit, with checkpoints and a line of progress.jsonl for each iteration.

    Returns the evaluation of the last iteration, if it had one.
    """
    begun, started, result = sampled(algorithm), time.monotonic(), {}
    progress = Path(given.run, "progress.jsonl")
    rows = progress.read_text().splitlines(keepends=True) if progress.exists() else []
    progress.write_text("".join(rows[: algorithm.iteration]))  # what came after the checkpoint is played anew
    done, limits = dict.fromkeys(STOPS, 0), {name: vars(given)[name] for name in STOPS if vars(given)[name]}
    while limits and all(done[name] < limit for name, limit in limits.items()):
        before, result = sampled(algorithm), algorithm.train()
        steps = sampled(algorithm)
        if steps == before:
            raise RuntimeError("no decision was sampled in time: are there processors for the env runners?")
        done = {"iterations": done["iterations"] + 1, "steps": steps - begun}
        done["minutes"] = (time.monotonic() - started) / 60
        row = {"iteration": algorithm.iteration, "steps": steps, "seconds": result["time_this_iter_s"]}
        row |= {name: float(result["learners"][SHARED][name]) for name in ("entropy", "vf_explained_var")}
        with progress.open("a") as file:
            file.write(json.dumps(row | result.get("arena", {})) + "\n")
        if "arena" in result:
            save(algorithm, given)
    return result.get("arena")


def save(algorithm, given):
    """A checkpoint is there as a whole or not at all."""
    path = Path(given.run, f"checkpoint_{algorithm.iteration:06}")
    if not path.exists():
        algorithm.save_to_path(str(path.with_name("unfinished")))
        path.with_name("unfinished").rename(path)


def main(argv=None):
    given, checkpoints = parse(argv)
    Path(given.run).mkdir(parents=True, exist_ok=True)
    kept = {name: value for name, value in vars(given).items() if name not in (*STOPS, "resume", "export")}
    Path(given.run, "settings.json").write_text(json.dumps(kept))
    connect(given)
    algorithm = configure(given, given.seed + len(checkpoints), evaluate_now_and_then(given)).build_algo()
    Path(algorithm.logdir).rmdir()  # an empty directory that RLlib makes in the home directory
    if checkpoints:
        algorithm.restore_from_path(str(checkpoints[-1]))
    results = train(algorithm, given) or evaluate(algorithm, given)
    save(algorithm, given)
    if given.export:
        setup = foodenvs.make(given.game, players=given.players).setup
        layers, command = algorithm.get_module(SHARED).layers(), "python " + shlex.join(sys.argv)
        save_policy(given.export, setup, layers, "tanh", command=command, evaluation=results)
    algorithm.stop()
    ray.shutdown()
    return results


if __name__ == "__main__":
    main()
