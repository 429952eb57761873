"""Search agents: `ismcts`, which cannot cheat, and `cheater`, which does nothing else."""

import math
import time
from typing import Any

import numpy as np

from foodenvs.agents.base import OpenTable, Table, engine_number
from foodenvs.agents.policy import PolicyAgent, shipped_policy
from foodenvs.core.checks import check_seed
from foodenvs.core.setup import Setup
from foodenvs.engine import game_seed, network, zeros
from foodenvs.engine.search import Manner, node_dtype

_TREE_BYTES = 2**26  # a tree of a search by time holds as many nodes as fit
_FIRST_CHUNK = 64  # iterations before the clock is looked at for the first time
_LOOKS = 8  # how often a search by time looks at the clock, about


class ISMCTSAgent:
    """Information-set Monte Carlo tree search; see `foodenvs.engine.search`.

    It starts from a position in which all that its seat cannot know was dealt anew, and deals that anew in
    every iteration: what it answers cannot depend on hidden cards.

    iterations: of one decision (1000 if neither is given).  seconds: of one decision instead; the answer
    then depends on the machine's speed.  c: weight of exploration.  prior: how much of it goes to what
    the rollout agent would choose, 0 to 1; by default the game's `search_prior`.  doubt: with a prior, by
    how many standard errors another action must be better to be played in place of that.  margin: weight
    of the score margin against the share of the win in what an outcome is worth, 0 to 1.  rollout: who
    plays games out, "greedy" or "random" or another agent of the game.  net: a policy file, or "ppo" for the
    shipped policy, whose network says how much each action is tried (PUCT, in place of `prior` and `doubt`),
    and what a leaf is worth if it has a value, in place of playing the game out; trust: how much of that, 0
    to 1, the rest is the game played out.  seed: plays every game with this
    seed, whatever `reset` gives.  visits: after a decision, int64 [A], how often each action was tried
    (all 0 where only one was legal).
    """

    redeals = True

    def __init__(
        self,
        iterations: int | None = None,
        seconds: float | None = None,
        c: float = 0.7,
        prior: float | None = None,
        margin: float = 0.25,
        doubt: float = 2.0,
        rollout: str = "greedy",
        net: str | None = None,
        trust: float | None = None,
        seed: int | None = None,
    ) -> None:
        if iterations is not None and seconds is not None:
            raise ValueError("give iterations or seconds, not both")
        if iterations is None and seconds is None:
            iterations = 1000
        if iterations is not None and not (isinstance(iterations, int) and 1 <= iterations <= 10**8):
            raise ValueError(f"iterations must be a whole number from 1 to 10**8, got {iterations!r}")
        limits = (
            ("seconds", seconds, 3600),
            ("c", c, 1000),
            ("prior", prior, 1),
            ("margin", margin, 1),
            ("doubt", doubt, 100),
            ("trust", trust, 1),
        )
        for name, value, most in limits:
            if value is not None and not (isinstance(value, (int, float)) and 0 <= value <= most):
                raise ValueError(f"{name} must be 0 to {most}, got {value!r}")
        self.iterations, self.seconds = iterations, seconds
        self.c, self.prior, self.margin = float(c), prior, float(margin)
        self.doubt = float(doubt)
        self.rollout, self.net, self.trust = rollout, net, trust
        if net is None and trust is not None:
            raise ValueError("trust is how much the value of a network counts: give net, too")
        self.fixed_seed = None if seed is None else check_seed(seed)
        self._table: Any = None
        self._setup: Any = None
        self.reset(0)

    def join(self, table: Table) -> None:
        """Take a seat at a table and get memory for searches; ValueError for an unknown `rollout`."""
        self._policy = engine_number(table.setup, self.rollout)
        self._networks, self._trust = self._guides(table.setup)
        self._prior = float(table.setup.game.search_prior if self.prior is None else self.prior)
        self._table = table
        if self._setup is table.setup:
            return
        self._setup = table.setup
        node = node_dtype(self._setup.actions)
        room = max(2, _TREE_BYTES // node.itemsize)
        if self.iterations is not None:
            room = min(room, self.iterations)
        self._states = self._setup.new_states(2)
        self._nodes = zeros(room, node)
        self._places = np.zeros((2 ** (2 * room).bit_length(), 2), np.int64)
        self.visits = np.zeros(self._setup.actions, np.int64)

    def _guides(self, setup: Setup) -> tuple[network.Float32s, float]:
        """The image of the networks that guide the search, and how much their value counts."""
        if self.net is None:
            return network.NONE, 0.0
        policy = shipped_policy(setup) if self.net == "ppo" else PolicyAgent.load(self.net)
        networks = policy.networks(setup)
        if len(networks) == 1 and self.trust:
            raise ValueError(f"agent ismcts: {self.net} has no value to trust, only a policy")
        trust = (1.0 if len(networks) > 1 else 0.0) if self.trust is None else self.trust
        return network.image(networks), float(trust)

    def reset(self, seed: int) -> None:
        """A new game begins; `seed`, or the fixed one, decides all chance of the searches in it."""
        self._seed = check_seed(seed) if self.fixed_seed is None else self.fixed_seed
        self._decisions = 0

    @property
    def probabilities(self) -> np.ndarray | None:
        """float64 [A] of the last decision: the share of visits of each action; None where one was legal."""
        total = self.visits.sum() if self._setup is not None else 0
        return self.visits / total if total else None

    def act(self, observation: Any, info: dict[str, Any]) -> int:
        """The action that a search from here decides for; the only legal one without a search.

        RuntimeError without a table, and where its game is at another position than the one asked about.
        """
        if self._table is None:
            raise RuntimeError(f"{type(self).__name__} needs a table: make_agent(agent_id, env, agent)")
        seed = game_seed(self._seed, 0, self._decisions)
        position = self._position(observation, info, seed)
        self._decisions += 1
        self.visits[:] = 0
        legal = np.flatnonzero(info["action_mask"])
        if len(legal) == 1:
            return int(legal[0])
        self._states.view(np.uint8).reshape(2, -1)[0] = position.view(np.uint8)
        self._places[:] = 0
        self._nodes[:1].view(np.uint8)[:] = 0
        if self.iterations is not None:
            self._search(seed, 0, self.iterations)
        else:
            self._search_by_clock(seed)
        self.visits[:] = self._nodes["visits"][0]
        if not self.visits.any():
            return int(legal[0])
        usual = int(self._nodes["preferred"][0])  # -1 without a prior
        return int(np.argmax(self.visits)) if usual < 0 else self._beyond_doubt(usual)

    def _beyond_doubt(self, usual: int) -> int:
        """The best action that is better than the usual one by `doubt` standard errors, or the usual one."""
        tried = self.visits + 2  # after Agresti and Coull: what was tried once is in doubt
        mean = (self._nodes["total"][0] + 1) / tried
        variance = mean * (1 - mean) / tried
        lead = mean - mean[usual] - self.doubt * np.sqrt(variance + variance[usual])
        better = (self.visits > 0) & (lead > 0)
        return int(np.argmax(np.where(better, mean, -1))) if better.any() else usual

    def _position(self, observation: Any, info: dict[str, Any], seed: int) -> np.ndarray:
        position: np.ndarray = self._table.sample_position(observation, info, seed)
        return position

    def _search(self, seed: int, first: int, last: int) -> None:
        setup = self._setup
        guided = self.net is not None
        manner = Manner(
            self.redeals, self._policy, self.c, self._prior, self.margin, guided, self._trust
        )  # fmt: skip
        setup.engine.search(
            setup.boxes, self._states, self._table.seat, seed, first, last, manner, self._networks,
            setup.length, self._nodes, self._places,
        )  # fmt: skip

    def _search_by_clock(self, seed: int) -> None:
        assert self.seconds is not None
        start = time.perf_counter()
        done, chunk, left = 0, _FIRST_CHUNK, math.inf
        while left > 0:
            self._search(seed, done, done + chunk)
            done += chunk
            spent = time.perf_counter() - start
            left = self.seconds - spent
            rate = done / max(spent, 1e-9)
            chunk = max(1, int(rate * min(left, self.seconds / _LOOKS)))


class CheaterAgent(ISMCTSAgent):
    """The same search with all cards open, the deck included. No fair agent: an upper bound for them."""

    redeals = False

    def join(self, table: Table) -> None:
        """Take a seat at an open table; ValueError for any other."""
        if not isinstance(table, OpenTable):
            raise ValueError("cheater needs open cards, which make_agent gives to it alone, to no subclass")
        super().join(table)

    def _position(self, observation: Any, info: dict[str, Any], seed: int) -> np.ndarray:
        position: np.ndarray = self._table.open_position(observation, info)
        return position
