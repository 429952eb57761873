"""What is played of the toy game in two processes, to be compared."""

import hashlib

import numpy as np
from helpers import stops, visits

import foodenvs
from foodenvs.engine.network import ACTIVATIONS, Network, image, outputs_many
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


def outputs_of_networks():
    """A hash over what two networks of random weights give."""
    rng, digest = np.random.default_rng(0), hashlib.sha256()
    least = np.array([0, 1])
    networks = [
        Network(
            [
                (rng.normal(size=(a, b)).astype(np.float32), rng.normal(size=b).astype(np.float32))
                for a, b in ((12, 7), (7, 5), (5, 3))
            ],
            activation,
            np.array([2, 4]),
            least,
        )
        for activation in ACTIVATIONS
    ]
    observations, out = rng.integers(-1, 4, (40, 10)).astype(np.int8), np.zeros((40, 3), np.float32)
    for k in range(len(networks)):
        outputs_many(image(networks), k, observations, out)
        digest.update(out.tobytes())
    return digest.hexdigest()
