"""Thousands of games at once: buffers, masks, auto-reset; statistics of random play in a second or so."""

import numpy as np

import foodenvs

batch = foodenvs.make_batch("scratch_catch-v0", num_envs=512, seed=1, players=4)
ended, points, first = 0, np.zeros(4), 0.0
for _ in range(300):
    batch.step(batch.sample())  # a random legal action for every game
    over = batch.terminated | batch.truncated
    ended += int(over.sum())
    points += batch.scores[over].sum(axis=0)
    first += float((batch.rewards[over, 0] > 0).sum())
print(f"{ended} games; mean points by seat {np.round(points / ended, 2)}; player_0 won {first / ended:.3f}")
print("shapes:", batch.observation.shape, batch.action_mask.shape, batch.seat.shape)
