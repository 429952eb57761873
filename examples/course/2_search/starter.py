"""Assignment 2: an agent by search. It makes one world and does not look into it; make it better."""

import numpy as np


class Agent:
    def join(self, table):
        self.table = table

    def reset(self, seed):
        self.number = seed % 2**40

    def act(self, observation, info):
        self.number += 1
        world = self.table.sample(self.number)
        legal = np.flatnonzero(info["action_mask"])
        assert world.agent_selection == self.table.agent
        return int(legal[0])
