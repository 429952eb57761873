"""Assignment 3: an agent that plays what was learned. Its weights are all 0 yet."""

from pathlib import Path

import numpy as np


class Agent:
    def join(self, table):
        self.setup = table.setup
        file = Path(__file__).with_name("weights.npy")
        if file.exists():
            self.weights = np.load(file)
        else:
            self.weights = np.zeros((self.setup.length + 1, self.setup.actions))

    def reset(self, seed):
        """Nothing to remember."""

    def act(self, observation, info):
        features = np.append(self.setup.scaled(self.setup.raw(observation)), 1.0)
        logits = features @ self.weights
        return int(np.where(info["action_mask"], logits, -np.inf).argmax())
