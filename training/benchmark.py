"""How fast training runs, side by side: python training/benchmark.py [--seconds 20] [--only vector ppo sb3]

vector  decisions of learners in the Gymnasium vector view: 256 games, greedy opponents, one thread
ppo     decisions trained by training/ppo.py with its defaults
sb3     the same of MaskablePPO (network 64, 64, 10 epochs, 16,384 decisions an update: SB3's defaults) on 8
        AEC environments with batches of 64, and on foodenvs.sb3.VecEnv of 256 with batches of 4,096

All in 2-player Scratch & Catch, after a warm-up. Rates are per second of the clock and of the processor: on a
machine that is busy otherwise the second says more.
"""

import argparse
import os
import time

import gymnasium
import numpy as np

import foodenvs  # noqa: F401  (registers the games)
from foodenvs.core.errors import extra

with extra("sb3", "training/benchmark.py", SystemExit):
    import torch

GAME = "foodenvs/scratch_catch-v0"


def measure(what, count, warm_up):
    """Print the rates of what `count` does; `count` returns a number of decisions."""
    if warm_up:
        count()
    wall, cpu = time.perf_counter(), time.process_time()
    decisions = count()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    rates = decisions / wall, decisions / cpu
    print(f"{what:58} {rates[0]:10,.0f}/s  {rates[1]:10,.0f}/s of CPU  ({wall:.1f} s)", flush=True)
    return rates


def vector(seconds):
    envs = gymnasium.make_vec(GAME, num_envs=256, opponents="greedy", players=2)
    envs.reset(seed=1)

    def count(seconds=seconds):
        until, decisions = time.process_time() + seconds, 0
        while time.process_time() < until:
            for _ in range(50):
                envs.step(envs.batch.sample())
            decisions += 50 * envs.num_envs
        return decisions

    count(1)
    return measure("vector view, 256 games, greedy opponents", count, False)


def ppo(seconds):
    from ppo import Trainer, parse

    trainer = Trainer(parse(["--players", "2", "--steps", "1", "--threads", str(torch.get_num_threads())])[0])
    parts = []

    def count():
        until, before = time.perf_counter() + seconds, trainer.decisions
        while time.perf_counter() < until:
            parts.append(trainer.update())
        return trainer.decisions - before

    trainer.update()
    rates = measure("training/ppo.py, network 128, 128, 4 epochs", count, False)
    for part in ("environment", "transfer", "forward", "learning"):
        print(f"    {part:12} {1e6 * sum(p[part] for p in parts) / trainer.decisions:8.2f} us a decision")
    return rates


def sb3(environment, n_steps, batch_size, what):
    from sb3_contrib import MaskablePPO

    model = MaskablePPO(
        "MlpPolicy", environment, n_steps=n_steps, batch_size=batch_size, seed=1, device="cpu"
    )

    def count():
        model.learn(16_384, reset_num_timesteps=False)
        return 16_384

    return measure(f"MaskablePPO, {what}", count, batch_size > 64)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=20, help="of each measurement that can be cut short")
    parser.add_argument(
        "--only", nargs="+", choices=["vector", "ppo", "sb3"], default=["vector", "ppo", "sb3"]
    )
    parser.add_argument("--threads", type=int, default=2, help="threads of torch")
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores, torch with {given.threads} threads")
    ours = plain = None
    if "vector" in given.only:
        vector(min(given.seconds, 10))
    if "ppo" in given.only:
        ours = ppo(given.seconds)
    if "sb3" in given.only:
        from stable_baselines3.common.vec_env import DummyVecEnv

        from foodenvs.sb3 import VecEnv

        makers = [lambda: gymnasium.make(GAME, opponents="greedy", players=2)] * 8
        plain = sb3(DummyVecEnv(makers), 2048, 64, "8 AEC environments, batches of 64")
        fast = sb3(
            VecEnv(GAME, 256, opponents="greedy", players=2), 64, 4096, "VecEnv of 256, batches of 4,096"
        )
        print(f"VecEnv against 8 AEC environments: {np.divide(fast, plain).round(1)} times (clock, CPU)")
    if ours and plain:
        print(f"ppo.py against 8 AEC environments: {np.divide(ours, plain).round(1)} times (clock, CPU)")


if __name__ == "__main__":
    main()
