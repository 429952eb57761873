"""Search without a model: information-set tree search, and a search of one's own over fair copies.

`table.sample(observation, info, seed)` gives a copy of the game in which all that the agent cannot know is
dealt anew, so a search sees what could be, never what is. Its answers are recorded with the replay as
probabilities.
"""

import numpy as np

import foodenvs
from foodenvs.replay import record


class OneStep:
    """Tries every legal action in eight worlds that could be, plays each out with greedy, takes the best."""

    def join(self, table):
        self.table = table

    def reset(self, seed):
        self.number = seed % 2**40

    def act(self, observation, info):
        legal = np.flatnonzero(info["action_mask"])
        worth = np.zeros(len(legal))
        for _ in range(8):
            self.number += 1
            for k, action in enumerate(legal):
                world = self.table.sample(observation, info, self.number)
                world.step(action)
                greedy = {name: foodenvs.make_agent("greedy", world, name) for name in world.agents}
                while not any(world.terminations.values()) and not any(world.truncations.values()):
                    seen, _, _, _, about = world.last()
                    world.step(greedy[world.agent_selection].act(seen, about))
                worth[k] += world.returns()[self.table.agent]
        self.probabilities = np.zeros(len(info["action_mask"]))
        self.probabilities[legal] = np.exp(worth - worth.max()) / np.exp(worth - worth.max()).sum()
        return int(legal[worth.argmax()])


if __name__ == "__main__":
    env = foodenvs.make("scratch_catch-v0", players=2)
    print("ismcts:", foodenvs.play(env, ["ismcts:iterations=200", "greedy"], seed=1).scores)
    game = record(env, [OneStep(), "greedy"], seed=1)
    print("one step:", game.result["scores"])
    first = next(step for step in game.steps if len(step.probabilities) > 1)
    print(first.action, first.probabilities)
