"""An agent of one's own: `act` sees an observation and a mask, `join` tells it which game it plays.

It keeps its low cards: of the legal actions it plays the highest card, and the deck only if it must.
"""

import numpy as np

import foodenvs


class HighCards:
    def join(self, table):
        self.table = table  # game, options, seat, fields, names; never the position

    def reset(self, seed):
        self.random = np.random.default_rng(seed)  # for agents that leave something to chance

    def act(self, observation, info):
        names = {
            action: self.table.setup.action_name(action) for action in np.flatnonzero(info["action_mask"])
        }
        fleas = self.table.setup.explain(observation)["fleas"]  # fields by name, in int8 counts
        assert fleas.shape == (self.table.setup.players,)
        hand = {action: name for action, name in names.items() if name.startswith("hand")}
        return max(hand, key=lambda action: int(hand[action].strip("hand *")), default=next(iter(names)))


if __name__ == "__main__":
    env = foodenvs.make("scratch_catch-v0", players=3)
    for seed in range(3):
        played = foodenvs.play(env, [HighCards(), "greedy", "random"], seed=seed)
        print(played.scores)
