"""`Batch`: many games at once over buffers that the caller reads. It knows no game."""

import itertools
import operator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from foodenvs.engine import seed as start_stream
from foodenvs.engine.random import game_seed
from foodenvs.game import ILLEGAL, REWARDS, Setup, check_choice, check_seed

_SAMPLING = 2**31 - 1  # the "game" whose seed starts the stream of `sample`; no slot plays so many


class Batch:
    """N games of one set-up; a game that ends is followed at once by the next of its slot.

    Game k of slot i starts from `game_seed(seed, i, k)`, and `make(...).reset(seed=that)` is the same game.
    Results depend neither on `threads` nor on N. Buffers (P players, D observation length, A actions), owned
    by the batch, overwritten by every step, never reallocated:

    observation  int8 [N, D]     what the seat to act sees (raw counts)
    action_mask  int8 [N, A]     1 = legal for the seat to act
    seat         int8 [N]        the seat to act
    rewards      float32 [N, P]  of the last step
    terminated   bool [N]        the last step ended the game by the rules (or by an illegal action)
    truncated    bool [N]        the last step ended it by a limit (or by an illegal action)
    scores       int32 [N, P]    final scores of the game that ended last in the slot
    illegal      bool [N]        the action was refused in the last step; that game is untouched
    final_observation int8 [N, P, D]  with `final`: what each seat saw at the end of the game that ended last

    `terminated`, `truncated`, `scores` and `rewards` speak of the game that just ended, the rest of the new
    one. An illegal action never raises: with illegal="penalize" its seat gets -1 and is asked again, with
    "terminate" it gets -1 and the game ends.
    """

    def __init__(
        self,
        setup: Setup,
        num_envs: int,
        *,
        seed: int = 0,
        rewards: str = "win",
        illegal: str = "raise",
        final: bool = False,
        threads: int = 1,
    ) -> None:
        self.setup = setup
        self.num_envs = n = _at_least_one("num_envs", num_envs)
        self.threads = min(_at_least_one("threads", threads), n)
        self._reward_mode = check_choice("rewards", rewards, REWARDS)
        self._illegal_mode = check_choice("illegal", illegal, ILLEGAL)
        self.rewards_kind, self.illegal_kind = rewards, illegal
        players, length, actions = setup.players, setup.length, setup.actions
        self.observation = np.zeros((n, length), np.int8)
        self.action_mask = np.zeros((n, actions), np.int8)
        self.seat = np.zeros(n, np.int8)
        self.rewards = np.zeros((n, players), np.float32)
        self.terminated = np.zeros(n, np.bool_)
        self.truncated = np.zeros(n, np.bool_)
        self.scores = np.zeros((n, players), np.int32)
        self.illegal = np.zeros(n, np.bool_)
        self.final_observation = np.zeros((n if final else 0, players, length), np.int8)
        self._states = setup.new_states(n)
        self._games = np.zeros(n, np.int64)
        self._paid = np.zeros((n, players))
        self._streams = np.zeros((n, 4), np.uint32)
        self._sampled = np.zeros(n, np.int64)
        bounds = np.linspace(0, n, self.threads + 1).astype(np.int64).tolist()
        self._slices = list(itertools.pairwise(bounds))
        self._pool = ThreadPoolExecutor(self.threads) if self.threads > 1 else None
        self.reset(seed)

    def reset(self, seed: int | None = None) -> None:
        """Start game 0 of every slot, of the given seed or of the same as before."""
        if seed is not None:
            self.seed = check_seed(seed)
        self._games[:] = 0
        for buffer in (self.rewards, self.terminated, self.truncated, self.scores, self.illegal):
            buffer[...] = 0
        self.final_observation[...] = 0
        for i in range(self.num_envs):
            start_stream(self._streams[i], game_seed(self.seed, i, _SAMPLING))
        self._each_slice(
            self.setup.engine.reset,
            self.setup.boxes, self._states, self.seed, self._games, self._paid,
            self.observation, self.action_mask, self.seat,
        )  # fmt: skip

    def step(self, actions: Any) -> None:
        """Play one action in every slot and write the buffers.

        actions: whole numbers [N]. Raises ValueError for another shape, TypeError for another dtype.
        """
        actions = np.asarray(actions)
        if actions.dtype.kind not in "iu":
            raise TypeError(f"actions must be whole numbers, got dtype {actions.dtype}")
        if actions.shape != (self.num_envs,):
            raise ValueError(f"actions must have shape ({self.num_envs},), got {actions.shape}")
        self._each_slice(
            self.setup.engine.step,
            self.setup.boxes, self._states, self.seed, self._games, self._reward_mode, self._illegal_mode,
            np.ascontiguousarray(actions, np.int64), self._paid, self.observation, self.action_mask,
            self.seat, self.rewards, self.terminated, self.truncated, self.scores, self.illegal,
            self.final_observation,
        )  # fmt: skip

    def sample(self) -> np.ndarray:
        """A uniformly random legal action for every slot, int64 [N], from streams of the batch's seed.

        The array is a buffer, overwritten by the next call.
        """
        self._each_slice(self.setup.engine.sample, self._streams, self.action_mask, self._sampled)
        return self._sampled

    def scaled(self) -> np.ndarray:
        """The observations as fresh float32 [N, D] in [0, 1]."""
        return self.setup.scaled(self.observation)

    def _each_slice(self, loop: Any, *arguments: Any) -> None:
        if self._pool is None:
            loop(*arguments, 0, self.num_envs)
            return
        for done in [self._pool.submit(loop, *arguments, *bounds) for bounds in self._slices]:
            done.result()


def _at_least_one(name: str, value: Any) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        number = 0
    if isinstance(value, bool) or number < 1:
        raise ValueError(f"{name} must be a whole number of at least 1, got {value!r}")
    return number
