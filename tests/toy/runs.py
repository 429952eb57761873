"""What is played of the toy game in two processes, to be compared."""

import hashlib

import numpy as np
from helpers import stops, visits

import foodenvs
from foodenvs.engine.network import RELU, Network, image, outputs_many
from toy import GAME


def trajectory():
    """A hash over states, observations, masks and rewards of a batch of toy games."""
    digest = hashlib.sha256()
    for players in (2, 3, 4):
        batch = foodenvs.make_batch(GAME, 5, seed=3, players=players, rewards="shaped", final=True)
        for _ in range(40):
            batch.step(batch.sample())
            for buffer in (batch.observation, batch.action_mask, batch.rewards, batch.final_observation):
                digest.update(buffer.tobytes())
            digest.update(batch._states.tobytes())
    return digest.hexdigest()


def episodes():
    """A hash over states, observations, masks and rewards of some games of the environment."""
    digest = hashlib.sha256()
    env = foodenvs.make(GAME, players=3)
    for seed in (1, 2):
        for _ in stops(env, seed, every=1, most=99):
            observation, reward, _, _, info = env.last()
            for seen in (env.state(), observation["observation"], info["action_mask"]):
                digest.update(seen.tobytes())
            digest.update(repr(reward).encode())
    return digest.hexdigest()


def visits_of_searches():
    """The visits of some searches at all decisions of two games."""
    env = foodenvs.make(GAME, players=3)
    return [
        visits(env, agent_id, seed)
        for seed in (1, 2)
        for _ in stops(env, seed, every=1, most=99)
        for agent_id in (
            "ismcts:iterations=40,rollout=random",
            "ismcts:iterations=40,prior=0.9",
            "cheater:iterations=40,rollout=random",
        )
    ]


def outputs_of_network():
    """A hash over what a network of random weights gives."""
    rng, sizes = np.random.default_rng(0), ((12, 7), (7, 5), (5, 3))
    layers = [
        (rng.normal(size=size).astype(np.float32), rng.normal(size=size[1]).astype(np.float32))
        for size in sizes
    ]
    networks = image([Network(layers, RELU, np.array([2, 4]), np.array([0, 1]))])
    observations, out = rng.integers(-1, 4, (40, 10)).astype(np.int8), np.zeros((40, 3), np.float32)
    outputs_many(networks, 0, observations, out)
    return hashlib.sha256(out.tobytes()).hexdigest()
