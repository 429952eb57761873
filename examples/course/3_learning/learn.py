"""Imitate greedy: collect its decisions, fit a softmax regression over the legal actions, keep the weights.

python learn.py [starter] [games]: for the features of that agent file, into its file of weights.
"""

import importlib
import sys

import numpy as np

import foodenvs

PASSES, BATCH, RATE = 30, 256, 0.05


def collect(games, features):
    """Features [N, F], masks [N, A] and actions [N] of greedy against itself."""
    env = foodenvs.make("scratch_catch-v0", players=2)
    greedy = {name: foodenvs.make_agent("greedy", env, name) for name in env.possible_agents}
    rows = []
    for seed in range(games):
        env.reset(seed=seed)
        for agent in env.agent_iter():
            observation, _, terminated, truncated, info = env.last()
            if terminated or truncated:
                break
            action = greedy[agent].act(observation, info)
            rows.append((features(env.unwrapped.setup, observation), info["action_mask"], action))
            env.step(action)
    return [np.array(column) for column in zip(*rows, strict=True)]


def fit(seen, masks, actions):
    """Weights [F, A] by Adam on the cross-entropy of greedy's choices among the legal ones."""
    random = np.random.default_rng(1)
    weights = np.zeros((seen.shape[1], masks.shape[1]))
    first, second, count = np.zeros_like(weights), np.zeros_like(weights), 0
    for _ in range(PASSES):
        for rows in np.array_split(random.permutation(len(seen)), len(seen) // BATCH):
            logits = np.where(masks[rows], seen[rows] @ weights, -1e9)
            error = np.exp(logits - logits.max(axis=1, keepdims=True))
            error /= error.sum(axis=1, keepdims=True)
            error[np.arange(len(rows)), actions[rows]] -= 1
            slope = seen[rows].T @ error / len(rows)
            count += 1
            first = 0.9 * first + 0.1 * slope
            second = 0.999 * second + 0.001 * slope**2
            step = first / (1 - 0.9**count) / (np.sqrt(second / (1 - 0.999**count)) + 1e-8)
            weights -= RATE * step / (1 + count / 1000)
    return weights


if __name__ == "__main__":
    agent = importlib.import_module(sys.argv[1] if len(sys.argv) > 1 else "starter")
    games = int(sys.argv[2]) if len(sys.argv) > 2 else 400
    seen, masks, actions = collect(games, agent.features)
    weights = fit(seen, masks, actions)
    chosen = np.where(masks, seen @ weights, -np.inf).argmax(axis=1)
    print(f"{len(seen)} decisions; the model chooses what greedy chose in {np.mean(chosen == actions):.1%}")
    np.save(agent.WEIGHTS, weights.astype(np.float32))
