"""A first game: PettingZoo's loop, action masks, the table in words, points and shares of the win."""

import numpy as np

import foodenvs

env = foodenvs.make("scratch_catch-v0", players=3, render_mode="ansi")
env.reset(seed=7)
for _agent in env.agent_iter():
    observation, reward, terminated, truncated, info = env.last()
    if terminated or truncated:
        env.step(None)  # PettingZoo: an agent that is done takes None
        continue
    legal = np.flatnonzero(observation["action_mask"])
    env.step(int(legal[0]))
print(env.render())
print("points:", env.scores())
print("share of the win, zero-sum:", env.returns())
