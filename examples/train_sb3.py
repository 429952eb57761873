"""Train with Stable-Baselines3: MaskablePPO on 64 games at once (needs the extra `sb3`).

The script that a course hands out, with checkpoints, evaluation and export, is training/sb3_maskable_ppo.py.
"""

import sys

import numpy as np

from foodenvs.core.errors import extra

with extra("sb3", "examples/train_sb3.py", SystemExit):
    from sb3_contrib import MaskablePPO

    from foodenvs.sb3 import VecEnv

steps = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
env = VecEnv("scratch_catch-v0", 64, opponents="random", players=2, seed=1)
model = MaskablePPO("MlpPolicy", env, n_steps=64, batch_size=1024, gamma=1.0, seed=1)
model.learn(steps)

observation = env.reset()
masks = np.array(env.env_method("action_masks"))
action, _ = model.predict(observation, action_masks=masks, deterministic=True)
print(f"{model.num_timesteps} decisions trained; first actions of 64 games: {action[:8]} ...")
