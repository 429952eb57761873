"""Assignment 2, a solution: every action in the same worlds, played out by greedy, best on average."""

import numpy as np

import foodenvs

WORLDS = 4
AHEAD = 24  # decisions looked ahead; then points decide


class Agent:
    def join(self, table):
        self.table = table

    def reset(self, seed):
        self.number = seed % 2**40

    def act(self, observation, info):
        legal = np.flatnonzero(info["action_mask"])
        if len(legal) == 1:
            return int(legal[0])
        worth = np.zeros(len(legal))
        for _ in range(WORLDS):
            self.number += 1
            for k, action in enumerate(legal):
                worth[k] += self.outcome(action)
        return int(legal[worth.argmax()])

    def outcome(self, action):
        """How far ahead this seat is some decisions after the action, in the world of this number."""
        world = self.table.sample(self.number)
        world.step(int(action))
        greedy = {name: foodenvs.make_agent("greedy", world, name) for name in world.possible_agents}
        for _ in range(AHEAD):
            observation, _, terminated, truncated, info = world.last()
            if terminated or truncated:
                break
            world.step(greedy[world.agent_selection].act(observation, info))
        scores = world.scores()
        mine = scores.pop(self.table.agent)
        return mine - max(scores.values())
