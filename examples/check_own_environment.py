"""The conformance kit on an environment of one's own: High Card, which uses nothing of foodenvs.

On the command line: foodenvs check check_own_environment:HighCard in this folder, or as tests with
`test_my_env = foodenvs.testing.pytest.conformance("my_module:HighCard")`. The last check, that nothing leaks,
needs one method beyond PettingZoo's: `determinized(agent, seed)`, a copy with the hidden cards dealt anew.
"""

import copy
import random

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from foodenvs.testing import check


class HighCard(AECEnv):
    """Two players hold three of eight cards and play one each in turn; the higher one wins the round."""

    def __init__(self):
        super().__init__()
        self.metadata = {"name": "high_card_v0", "is_parallelizable": False, "max_decisions": 6}
        self.render_mode = None
        self.possible_agents = ["player_0", "player_1"]
        seen = spaces.Dict(
            {"observation": spaces.Box(0, 1, (24,), np.int8), "action_mask": spaces.Box(0, 1, (8,), np.int8)}
        )
        self.spaces = {agent: (seen, spaces.Discrete(8)) for agent in self.possible_agents}

    def observation_space(self, agent):
        return self.spaces[agent][0]

    def action_space(self, agent):
        return self.spaces[agent][1]

    def reset(self, seed=None, options=None):
        self.random = random.Random(seed)
        cards = self.random.sample(range(8), 6)
        self.hands = {"player_0": set(cards[:3]), "player_1": set(cards[3:])}
        self.played = {"player_0": [], "player_1": []}
        self.agents = self.possible_agents[:]
        self.agent_selection = "player_0"
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}

    def observe(self, agent):
        other = self.possible_agents[1 - self.possible_agents.index(agent)]
        observation, mask = np.zeros(24, np.int8), np.zeros(8, np.int8)
        for place, cards in enumerate((self.hands[agent], self.played[agent], self.played[other])):
            observation[[8 * place + card for card in cards]] = 1
        if agent == self.agent_selection and not self.terminations.get(agent, True):
            mask[list(self.hands[agent])] = 1
        return {"observation": observation, "action_mask": mask}

    def step(self, action):
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        if action not in self.hands[agent]:
            raise ValueError(f"{agent} does not hold card {action}")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.hands[agent].remove(int(action))
        self.played[agent].append(int(action))
        if agent == "player_1":
            best = max(self.possible_agents, key=lambda name: self.played[name][-1])
            self.rewards = {name: 1.0 if name == best else -1.0 for name in self.agents}
        if not any(self.hands.values()):
            self.terminations = dict.fromkeys(self.agents, True)
        self.infos = {name: {} for name in self.agents}
        self.agent_selection = "player_1" if agent == "player_0" else "player_0"
        self._accumulate_rewards()

    def determinized(self, agent, seed):
        """A copy in which the other hand is dealt anew from the cards that `agent` has not seen."""
        redealt = copy.deepcopy(self)
        redealt.random = random.Random(seed)
        other = self.possible_agents[1 - self.possible_agents.index(agent)]
        seen = self.hands[agent].union(*self.played.values())
        unseen = [card for card in range(8) if card not in seen]
        redealt.hands[other] = set(redealt.random.sample(unseen, len(self.hands[other])))
        return redealt


if __name__ == "__main__":
    report = check("check_own_environment:HighCard", seconds=2)
    print(*report.results, *report.failures, sep="\n")
    raise SystemExit(not report.passed)
