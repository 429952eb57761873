"""Sealed Bids, the sound reference: hidden hands, secret simultaneous choices, chance in play.

Everybody holds three cards of nine ranks. In each round all choose one of their cards in secret, in an order
that starts with the leader; when the last has chosen, the cards are shown, the highest (the first of equals)
wins as many points as a die says, which is thrown at the start of the round, and everybody draws one card
while the deck lasts. The winner leads next. After `rounds` rounds the game is over; points are the rewards.

It is written to be broken: each method is one thing that a faulty subclass gets wrong.
"""

import copy
import random

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

RANKS = 9
COPIES = 3
HAND = 3


class SealedBids(AECEnv):
    metadata = {"name": "sealed_bids_v0", "render_modes": ["ansi"], "is_parallelizable": False}  # noqa: RUF012

    def __init__(self, players=3, rounds=4, render_mode=None):
        super().__init__()
        self.players, self.rounds, self.render_mode = players, rounds, render_mode
        self.metadata = {**self.metadata, "max_decisions": players * rounds, "redeals_forget": True}
        self.possible_agents = [f"player_{i}" for i in range(players)]
        length = RANKS * 3 + 4 * players + 2
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0, 60, (length,), np.int8),
                    "action_mask": spaces.Box(0, 1, (RANKS,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(RANKS) for agent in self.possible_agents}

    def observation_space(self, agent):
        return self.observation_spaces[agent]

    def action_space(self, agent):
        return self.action_spaces[agent]

    # --- the game ---------------------------------------------------------------------------

    def reset(self, seed=None, options=None):
        self.start_chance(seed)
        self.agents = list(self.possible_agents)
        self.deck = [rank for rank in range(RANKS) for _ in range(COPIES)]
        self.chance.shuffle(self.deck)
        self.hands = {a: sorted(self.deck.pop() for _ in range(HAND)) for a in self.agents}
        self.shown = []
        self.points = dict.fromkeys(self.agents, 0)
        self.pending = {}
        self.round = 0
        self.leader = self.first_leader()
        self.die = self.throw()
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.agent_selection = self.next_to_choose()
        self.write_infos()

    def start_chance(self, seed):
        self.chance = random.Random(seed)

    def first_leader(self):
        return self.possible_agents[0]

    def throw(self):
        return self.chance.randint(1, 6)

    def next_to_choose(self):
        start = self.possible_agents.index(self.leader)
        order = self.possible_agents[start:] + self.possible_agents[:start]
        return next(agent for agent in order if agent not in self.pending)

    def is_legal(self, agent, action):
        return action in self.hands[agent]

    def step(self, action):
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        if not self.is_legal(agent, action):
            self.refuse(agent, action)
        self._cumulative_rewards[agent] = 0
        self.rewards = dict.fromkeys(self.agents, 0)
        self.take(agent, action)
        if len(self.pending) == self.players:
            self.reveal()
        self.pay()
        if self.round == self.rounds:
            self.end()
        else:
            self.agent_selection = self.next_to_choose()
        self.write_infos()

    def refuse(self, agent, action):
        raise ValueError(f"{agent} does not hold {action}")

    def take(self, agent, action):
        self.hands[agent].remove(action)
        self.pending[agent] = action

    def reveal(self):
        start = self.possible_agents.index(self.leader)
        order = self.possible_agents[start:] + self.possible_agents[:start]
        winner = max(order, key=lambda agent: self.pending[agent])
        self.points[winner] += self.die
        self.rewards[winner] = self.die
        self.shown += sorted(self.pending.values())
        self.pending = {}
        for agent in self.possible_agents:
            self.draw(agent)
        self.leader = winner
        self.round += 1
        self.die = self.throw()

    def draw(self, agent):
        if self.deck:
            self.hands[agent] = sorted([*self.hands[agent], self.deck.pop()])

    def pay(self):
        self._accumulate_rewards()

    def end(self):
        self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.agents[0]

    # --- what is shown ----------------------------------------------------------------------

    def mask(self, agent):
        return np.array([self.is_legal(agent, a) for a in range(RANKS)], np.int8)

    def shown_mask(self, agent):
        if agent != self.agent_selection or self.terminations[agent]:
            return np.zeros(RANKS, np.int8)
        return self.mask(agent)

    def vector(self, agent):
        """Own hand, cards shown, own pending choice; then by seat: who has chosen, points, leader, to act."""
        counts = [[cards.count(rank) for rank in range(RANKS)] for cards in (self.hands[agent], self.shown)]
        mine = [int(self.pending.get(agent) == rank) for rank in range(RANKS)]
        seats = [
            [int(a in self.pending), self.points[a], int(a == self.leader), int(a == self.agent_selection)]
            for a in self.possible_agents
        ]
        return np.array(
            [*counts[0], *counts[1], *mine, *(entry for row in seats for entry in row), self.round, self.die],
            np.int8,
        )

    def observe(self, agent):
        return {"observation": self.vector(agent), "action_mask": self.shown_mask(agent)}

    def info(self, agent):
        unseen = sorted(self.deck + [c for a in self.possible_agents if a != agent for c in self.kept(a)])
        return {"action_mask": self.shown_mask(agent), "unseen": unseen}

    def kept(self, agent):
        """The cards of an agent that lie face down: its hand and its pending choice."""
        return self.hands[agent] + ([self.pending[agent]] if agent in self.pending else [])

    def write_infos(self):
        self.infos = {agent: self.info(agent) for agent in self.agents}

    def render(self, viewer=None):
        if self.render_mode != "ansi":
            return None
        chosen = ", ".join(sorted(self.pending))
        hand = self.hands.get(viewer, "")
        return f"round {self.round}, die {self.die}, chosen: {chosen}, points {self.points}, hand {hand}"

    def close(self):
        pass

    def __deepcopy__(self, memo):
        other = type(self).__new__(type(self))
        for name, value in self.__dict__.items():
            if isinstance(value, random.Random):
                copied = copy.copy(value)  # its state is a tuple of numbers, which deepcopy would go through
            else:
                copied = value if name.endswith("_spaces") else copy.deepcopy(value, memo)
            other.__dict__[name] = copied
        return other

    # --- what the kit asks for ----------------------------------------------------------------

    @property
    def phase(self):
        return "choosing" if self.pending else "a round begins"

    @property
    def secret_choices(self):
        return list(self.pending)

    def hidden(self, agent):
        others = [a for a in self.possible_agents if a != agent]
        things = {
            "hands": [self.hands[a] for a in others],
            "choices": [self.pending.get(a) for a in others],
            "deck": list(self.deck),
        }
        return {name: value for name, value in things.items() if any(v or v == 0 for v in value)}

    def determinized(self, agent, seed):
        other = copy.deepcopy(self)
        other.chance = random.Random(seed)
        others = [a for a in self.possible_agents if a != agent]
        cards = sorted(self.deck + [c for a in others for c in self.kept(a)])
        other.chance.shuffle(cards)
        for each in others:
            other.hands[each] = sorted(cards.pop() for _ in self.hands[each])
            if each in self.pending:
                other.pending[each] = cards.pop()
        other.deck = cards
        other.write_infos()
        return other


def env(**options):
    return SealedBids(**options)
