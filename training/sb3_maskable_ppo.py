"""MaskablePPO of sb3-contrib against chosen opponents, on 256 games at once.

    python training/sb3_maskable_ppo.py --game scratch_catch --players 2 --opponents greedy --steps 1000000
    python training/sb3_maskable_ppo.py --resume runs/sb3 --steps 1000000

Prints the share of the win in matches on paired deals (every deal is played from every seat); writes
settings, checkpoints and TensorBoard events to `--run DIR`, a policy for `policy:FILE` to `--export FILE`.
"""

import argparse
import copy
import json
import shlex
import sys
from pathlib import Path

from foodenvs.agents.policy import PolicyAgent, policy_metadata, save_policy
from foodenvs.arena import match
from foodenvs.core.errors import extra

with extra("sb3", "training/sb3_maskable_ppo.py", SystemExit):
    import torch
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.callbacks import BaseCallback, CallbackList, CheckpointCallback

    from foodenvs.sb3 import VecEnv


def layers(model):
    """Weights and biases of the policy network, from observation to logits."""
    modules = [*model.policy.mlp_extractor.policy_net, model.policy.action_net]
    linear = [m.cpu() for m in copy.deepcopy(modules) if isinstance(m, torch.nn.Linear)]
    return [(m.weight.detach().numpy(), m.bias.detach().numpy()) for m in linear]


def evaluate(model, setup, opponents, games):
    """The share of the win of the network's most probable actions, with its 95 % interval, by opponent."""
    agent = PolicyAgent(layers(model), "tanh", policy_metadata(setup, "tanh"))
    results = {}
    for opponent in opponents:
        seated = [agent] + [opponent] * (setup.contenders - 1)
        mine = match(setup, seated, games, seed=1_000_003).agents[0]
        results[opponent] = {"win_share": mine.win_share, "low": mine.low, "high": mine.high, "games": games}
    return results


class PairedEvaluation(BaseCallback):
    """Evaluates every `every` decisions; TensorBoard shows it as eval/OPPONENT."""

    def __init__(self, setup, opponents, games, every):
        super().__init__()
        self.setup, self.opponents, self.games, self.every = setup, opponents, games, every
        self.next = 0

    def _on_step(self):
        return True

    def _on_rollout_start(self):
        if self.num_timesteps >= self.next:
            self.next = self.num_timesteps + self.every
            self.report()

    def report(self):
        results = evaluate(self.model, self.setup, self.opponents, self.games)
        for opponent, result in results.items():
            self.logger.record(f"eval/{opponent}", result["win_share"])
        shares = "  ".join(f"{opponent} {result['win_share']:.3f}" for opponent, result in results.items())
        print(f"{self.num_timesteps:12,} decisions  {shares}", flush=True)
        return results


def parse(argv):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name, default, meaning in (
        ("game", "scratch_catch", "the id of the game"),
        ("players", 2, "number of seats"),
        ("opponents", "greedy", "the id of who has the other seats"),
        ("envs", 256, "games at once"),
        ("seed", 1, "of everything"),
        ("steps", 1_000_000, "decisions to train in this run"),
        ("evaluate-every", 200_000, "decisions between two evaluations"),
        ("evaluate-games", 200, "games of an evaluation against each opponent"),
        ("run", "runs/sb3", "directory for checkpoints and TensorBoard"),
        ("resume", "", "go on in the directory of an earlier run, with its settings"),
        ("export", "", "write the network as a policy file"),
    ):
        parser.add_argument(f"--{name}", type=type(default), default=default, help=meaning)
    settings = vars(parser.parse_args(argv))
    if settings["resume"]:
        saved = json.loads(Path(settings["resume"], "settings.json").read_text())
        settings = saved | {name: settings[name] for name in ("steps", "resume", "export")}
    return argparse.Namespace(**settings)


def main(argv=None):
    given = parse(argv)
    run = Path(given.run)
    env = VecEnv(given.game, given.envs, opponents=given.opponents, players=given.players, seed=given.seed)
    if given.resume:
        newest = max(run.glob("checkpoint_*.zip"), key=lambda path: path.stat().st_mtime_ns)
        model = MaskablePPO.load(newest, env=env, tensorboard_log=str(run))
        env.seed(given.seed + model.num_timesteps)  # other deals than at the start
    else:
        run.mkdir(parents=True, exist_ok=True)
        (run / "settings.json").write_text(json.dumps(vars(given)))
        model = MaskablePPO(
            "MlpPolicy", env, n_steps=64, batch_size=4096, n_epochs=4, learning_rate=1e-3, gamma=1.0,
            policy_kwargs={"net_arch": [128, 128]}, seed=given.seed, tensorboard_log=str(run),
        )  # fmt: skip
    setup = env.games.setup
    evaluation = PairedEvaluation(setup, ["random", "greedy"], given.evaluate_games, given.evaluate_every)
    save = CheckpointCallback(max(1, 500_000 // given.envs), str(run), "checkpoint")
    model.learn(given.steps, CallbackList([evaluation, save]), reset_num_timesteps=not given.resume)
    results = evaluation.report()
    model.save(run / f"checkpoint_{model.num_timesteps}_steps.zip")
    if given.export:
        command = "python " + shlex.join(sys.argv)
        save_policy(given.export, setup, layers(model), "tanh", command=command, evaluation=results)
    return results


if __name__ == "__main__":
    main()
