"""Imitation: a network learns to play like an agent, in the positions that it comes to itself.

    python training/imitate.py --game fast_food_fury --players 2 --minutes 30 --export policy.safetensors

In half of the games the network plays, in the other half the teacher; a few moves are drawn at random. At
every position the teacher is asked what it would play there, and the network is trained towards that on a
buffer of the latest positions. Its critic learns from the ends of the games what share of the win comes.
The policy file has both: `policy:FILE` plays it, `ismcts:net=FILE` searches with it, and
`training/ppo.py --start FILE` goes on from there.
Writes DIR/progress.csv and DIR/checkpoint.pt (`--run DIR`); `--resume DIR/checkpoint.pt` goes on, with a
buffer that fills anew.
Source: Ross, Gordon and Bagnell, "A Reduction of Imitation Learning and Structured Prediction to No-Regret
Online Learning" (2011).
"""

import argparse
import csv
import shlex
import sys
import time
from pathlib import Path

import numpy as np

from foodenvs.agents import make_agent
from foodenvs.agents.policy import PolicyAgent, policy_metadata, save_policy
from foodenvs.arena import match
from foodenvs.core.errors import extra
from foodenvs.core.setup import Setup
from foodenvs.envs.aec import FoodEnv
from foodenvs.envs.batch import Batch
from foodenvs.envs.registry import find_game

with extra("sb3", "training/imitate.py", SystemExit):
    import torch
    from torch import nn

from networks import Network

EVALUATION_SEED = 1_000_003  # of the deals of all evaluations: they stay the same while the network changes
ROUND = 8  # decisions in each game between two rounds of learning
FREE = {"minutes", "steps", "export", "resume", "run", "evaluate", "evaluate_games", "evaluate_every"}


def parse(argv):
    """The settings of a run, and the checkpoint that it goes on from."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    option = parser.add_argument
    option("--game", default="scratch_catch", help="the id of the game")
    option("--players", type=int, help="number of seats (default: the game's)")
    option("--teacher", default="expert", help="the agent that is imitated, one with act_many")
    option("--minutes", type=float, help="stop after so many minutes")
    option("--steps", type=int, help="stop after so many decisions")
    option("--hidden", type=int, nargs="+", default=[512, 512, 256], help="hidden layers of the policy")
    option("--critic", type=int, nargs="+", default=[256, 256], help="hidden layers of the critic")
    option("--envs", type=int, default=512, help="games at once")
    option("--buffer", type=int, default=400_000, help="positions that are kept")
    option("--minibatch", type=int, default=1024, help="positions in a gradient step")
    option("--lr", type=float, default=1e-3, help="learning rate of Adam; it falls to a twentieth")
    option("--random", type=float, default=0.03, help="share of moves that are drawn at random")
    option("--seed", type=int, default=1, help="of everything")
    option("--threads", type=int, default=1, help="threads of torch")
    option("--evaluate", nargs="*", default=["greedy", "expert"], help="opponents of the evaluation")
    option("--evaluate-every", type=float, default=300, help="seconds between two evaluations")
    option("--evaluate-games", type=int, default=400, help="games of each evaluation, paired")
    option("--run", type=Path, help="directory (default: runs/GAME-PLAYERS-imitation)")
    option("--resume", help="go on from this checkpoint")
    option("--export", help="write the network as a policy file")
    settings = parser.parse_args(argv)
    if settings.steps is None and settings.minutes is None:
        parser.error("say when to stop: --steps or --minutes")
    saved = torch.load(settings.resume, weights_only=True) if settings.resume else None
    for name, value in saved["settings"].items() if saved else ():
        if name not in FREE:
            setattr(settings, name, value)
    settings.run = settings.run or Path(f"runs/{settings.game}-{settings.players or 'usual'}-imitation")
    return settings, saved


class Buffer:
    """The latest positions: what was seen, what the teacher plays there, and what came of the game.

    share: of the win that the seat to act got in the end; NaN while its game goes on.
    """

    def __init__(self, setup, size, envs):
        self.observation = np.zeros((size, setup.length), np.int8)
        self.mask = np.zeros((size, setup.actions), np.int8)
        self.taught, self.seat = np.zeros(size, np.int64), np.zeros(size, np.int64)
        self.share = np.full(size, np.nan, np.float32)
        self.at = self.filled = 0
        self.slots = np.zeros(size, np.int64)
        self.begun = np.zeros(envs, np.int64)  # the step with which each slot's game began
        self.step = np.full(size, -1)
        self.steps = 0

    def add(self, batch, taught):
        """The positions of a batch, one for each of its games."""
        rows = (self.at + np.arange(batch.num_envs)) % len(self.taught)
        self.observation[rows], self.mask[rows] = batch.observation, batch.action_mask
        self.taught[rows], self.seat[rows], self.share[rows] = taught, batch.seat, np.nan
        self.slots[rows], self.step[rows] = np.arange(batch.num_envs), self.steps
        self.at = (self.at + batch.num_envs) % len(self.taught)
        self.filled = min(len(self.taught), self.filled + batch.num_envs)
        self.steps += 1

    def settle(self, batch, shares):
        """The games of some slots have ended: whoever was asked in them got these shares [N, P]."""
        over = batch.terminated | batch.truncated
        if not over.any():
            return
        mine = np.flatnonzero(over[self.slots] & (self.step >= self.begun[self.slots]))
        self.share[mine] = shares[self.slots[mine], self.seat[mine]]
        self.begun[over] = self.steps


class Imitation:
    def __init__(self, settings, saved):
        self.settings = settings
        torch.set_num_threads(settings.threads)
        torch.manual_seed(settings.seed)
        self.draw = np.random.default_rng(settings.seed)
        options = {} if settings.players is None else {"players": settings.players}
        self.setup = Setup(find_game(settings.game), options)
        self.network = Network(self.setup, settings.hidden, settings.critic)
        self.optimizer = torch.optim.Adam(self.network.parameters(), settings.lr, fused=True)
        self.teacher = make_agent(settings.teacher, FoodEnv(self.setup))
        if not hasattr(self.teacher, "act_many"):
            raise SystemExit(
                f"--teacher {settings.teacher} answers single questions only; others have act_many"
            )
        self.decisions, self.seconds = 0, 0.0
        if saved:
            self.network.load_state_dict(saved["network"])
            self.optimizer.load_state_dict(saved["optimizer"])
            self.decisions, self.seconds = saved["decisions"], saved["seconds"]
        self.batch = Batch(self.setup, settings.envs, seed=settings.seed + self.decisions)
        self.buffer = Buffer(self.setup, settings.buffer, settings.envs)
        self.right = self.loss = self.foretold = 0.0

    def done(self):
        """How much of the run is over, 0 to 1 and more."""
        settings, shares = self.settings, [0.0]
        if settings.steps is not None:
            shares.append(self.decisions / settings.steps)
        if settings.minutes is not None:
            shares.append(self.seconds / 60 / settings.minutes)
        return max(shares)

    @torch.inference_mode()
    def choose(self, observation, mask):
        inputs = self.network.inputs(torch.from_numpy(observation))
        logs, _ = self.network.log_probabilities(inputs, torch.from_numpy(mask))
        return logs.argmax(-1).numpy()

    def play(self):
        """Some decisions in every game, the network's in half of them."""
        batch, half = self.batch, self.batch.num_envs // 2
        for _ in range(ROUND):
            taught = self.teacher.act_many(batch.observation, batch.action_mask)
            self.buffer.add(batch, taught)
            actions = taught.copy()
            actions[:half] = self.choose(batch.observation[:half], batch.action_mask[:half])
            asked = batch.action_mask[:half].sum(axis=1) > 1
            if asked.any():
                right = (actions[:half] == taught[:half])[asked].mean()
                self.right += 0.01 * (right - self.right)
            strayed = self.draw.random(batch.num_envs) < self.settings.random
            actions[strayed] = batch.sample()[strayed]
            batch.step(actions)
            self.buffer.settle(batch, self.setup.win_share(batch.rewards))
            self.decisions += batch.num_envs

    def learn(self):
        """As many gradient steps as there were decisions in a game."""
        settings, buffer = self.settings, self.buffer
        for group in self.optimizer.param_groups:
            group["lr"] = settings.lr * (1 - 0.95 * min(1.0, self.done()))
        for _ in range(ROUND):
            rows = self.draw.integers(0, buffer.filled, settings.minibatch)
            inputs = self.network.inputs(torch.from_numpy(buffer.observation[rows]))
            logs, value = self.network.log_probabilities(inputs, torch.from_numpy(buffer.mask[rows]))
            loss = nn.functional.nll_loss(logs, torch.from_numpy(buffer.taught[rows]))
            share = torch.from_numpy(buffer.share[rows])
            known = ~share.isnan()
            foretold = torch.zeros(())
            if known.any():
                foretold = nn.functional.binary_cross_entropy_with_logits(value[known], share[known])
            self.optimizer.zero_grad(set_to_none=True)
            (loss + foretold).backward()
            self.optimizer.step()
            self.loss += 0.01 * (loss.item() - self.loss)
            self.foretold += 0.01 * (foretold.item() - self.foretold)

    # --- evaluation and files --------------------------------------------------------------

    def agent(self):
        layers, metadata = self.network.layers("policy"), policy_metadata(self.setup, "relu")
        return PolicyAgent(layers, "relu", metadata, self.network.presence)

    def evaluate(self):
        """Paired matches of the network (its most probable actions) in one seat or team against others."""
        results = {}
        for opponent in self.settings.evaluate:
            seated = [self.agent()] + [opponent] * (self.setup.contenders - 1)
            played = match(self.setup, seated, self.settings.evaluate_games, EVALUATION_SEED)
            mine = played.agents[0]
            results[opponent] = {"win_share": mine.win_share, "low": mine.low, "high": mine.high}
            results[opponent]["games"] = played.games
        return results

    def export(self, path, evaluation):
        settings = self.settings
        training = {"seed": settings.seed, "decisions": self.decisions, "seconds": round(self.seconds)}
        save_policy(
            path, self.setup, self.network.layers("policy"), "relu", presence=self.network.presence,
            value=self.network.layers("critic"), command="python " + shlex.join(sys.argv),
            training=training | {"threads": settings.threads, "device": "cpu"}, evaluation=evaluation,
        )  # fmt: skip

    def save(self, path):
        """Write a checkpoint; a run that is killed meanwhile leaves the one before."""
        settings = {name: value for name, value in vars(self.settings).items() if name not in FREE}
        saved = {"settings": settings, "network": self.network.state_dict()}
        saved |= {"optimizer": self.optimizer.state_dict(), "decisions": self.decisions}
        torch.save(saved | {"seconds": self.seconds}, path.with_suffix(".new"))
        path.with_suffix(".new").replace(path)


class Progress:
    """progress.csv and a line on stderr for each evaluation."""

    def __init__(self, folder, going_on):
        folder.mkdir(parents=True, exist_ok=True)
        self.path, self.new = folder / "progress.csv", not going_on

    def write(self, run, results):
        row = {"decisions": run.decisions, "seconds": round(run.seconds), "loss": run.loss}
        row |= {"value_loss": run.foretold, "agreement": run.right}
        for name, result in results.items():
            row |= {name: result["win_share"], f"{name} low": result["low"], f"{name} high": result["high"]}
        with self.path.open("w" if self.new else "a", newline="") as file:
            rows = csv.DictWriter(file, row)
            if self.new:
                rows.writeheader()
            rows.writerow({k: f"{v:.6g}" if isinstance(v, float) else v for k, v in row.items()})
        self.new = False
        line = f"{run.seconds:7.0f} s  {run.decisions:12,} decisions  {run.right:.3f} as taught"
        line += "".join(
            f"  {name} {r['win_share']:.3f} [{r['low']:.3f}, {r['high']:.3f}]" for name, r in results.items()
        )
        print(line, file=sys.stderr, flush=True)


def main(argv=None):
    settings, saved = parse(argv)
    run = Imitation(settings, saved)
    progress = Progress(settings.run, bool(saved))
    evaluated = run.seconds
    while run.done() < 1:
        started = time.perf_counter()
        run.play()
        run.learn()
        run.seconds += time.perf_counter() - started
        if run.seconds - evaluated >= settings.evaluate_every and run.done() < 1:
            progress.write(run, run.evaluate())
            run.save(settings.run / "checkpoint.pt")
            evaluated = run.seconds
    results = run.evaluate()
    progress.write(run, results)
    run.save(settings.run / "checkpoint.pt")
    if settings.export:
        run.export(settings.export, results)


if __name__ == "__main__":
    main()
