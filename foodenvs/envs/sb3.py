"""`VecEnv`: Stable-Baselines3's own vectorised interface on the batch engine, with action masks.

    from foodenvs.envs.sb3 import VecEnv
    model = MaskablePPO("MlpPolicy", VecEnv("scratch_catch-v0", 256, opponents="greedy", players=2))

Needs the extra `sb3`; nothing else in the package imports it.
"""

import time
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from foodenvs.core.checks import check_seed
from foodenvs.core.errors import extra
from foodenvs.envs.gym import SeatVectorEnv

with extra("sb3", "foodenvs.sb3"):
    from stable_baselines3.common.vec_env import VecEnv as BaseVecEnv


class VecEnv(BaseVecEnv):
    """N games, each seen from its learner's seat; keywords as of `foodenvs.envs.gym.SeatVectorEnv`.

    Games follow each other without a reset, as SB3 wants it: `infos[i]` then has `terminal_observation`, and
    `episode` with return and length, so that no Monitor is needed. There is no Python per environment but for
    games that end. `seed` is that of the first `reset`, which else draws one; `VecEnv.seed` sets another.
    """

    def __init__(self, game: Any, num_envs: int, *, seed: int | None = None, **keywords: Any) -> None:
        self.games = SeatVectorEnv(game, num_envs, **keywords)
        super().__init__(num_envs, self.games.single_observation_space, self.games.single_action_space)
        self._next_seed = None if seed is None else check_seed(seed)
        self._started = time.time()
        self._returns = np.zeros(num_envs)
        self._lengths = np.zeros(num_envs, np.int64)
        self._actions = np.zeros(num_envs, np.int64)

    def reset(self) -> np.ndarray:
        """Deal N games; returns the observations [N, D], and leaves the masks in `reset_infos`."""
        observation, infos = self.games.reset(seed=self._next_seed)
        self._next_seed = None
        self._returns[:] = 0
        self._lengths[:] = 0
        self.reset_infos = [{"action_mask": mask} for mask in infos["action_mask"]]
        return observation

    def step_async(self, actions: np.ndarray) -> None:
        """Keep the learners' actions [N] for `step_wait`: nothing runs in the background."""
        self._actions = actions

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Play the kept actions: observations [N, D], rewards float32 [N], dones bool [N], N infos.

        Where a game is over the observation is already that of the next one, and the info is not empty.
        """
        observation, rewards, terminated, truncated, infos = self.games.step(self._actions)
        dones = terminated | truncated
        self._returns += rewards
        self._lengths += 1
        listed: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for i in np.flatnonzero(dones).tolist():
            listed[i] = {
                "terminal_observation": infos["final_obs"][i],
                "TimeLimit.truncated": bool(truncated[i] and not terminated[i]),
                "episode": {
                    "r": float(self._returns[i]),
                    "l": int(self._lengths[i]),
                    "t": round(time.time() - self._started, 6),
                },
            }
        self._returns[dones] = 0
        self._lengths[dones] = 0
        return observation, rewards.astype(np.float32), dones, listed

    def action_masks(self) -> np.ndarray:
        """1 for each legal action of each learner, int8 [N, A]."""
        return self.games.action_masks()

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Set the seed of the next reset. One seed serves all environments."""
        self._next_seed = None if seed is None else check_seed(seed)
        return [seed] * self.num_envs

    def close(self) -> None:
        """Mark the games as closed; there is no process or file behind them."""
        self.games.close()

    # --- what SB3 asks of single environments ----------------------------------------------

    def env_method(
        self, method_name: str, *args: Any, indices: int | Iterable[int] | None = None, **keywords: Any
    ) -> list[Any]:
        """Only `action_masks`, which gives a row for each environment."""
        if method_name != "action_masks":
            raise AttributeError(f"the environments have no method {method_name} of their own")
        masks = self.action_masks()
        return [masks[i] for i in self._get_indices(indices)]

    def get_attr(self, attr_name: str, indices: int | Iterable[int] | None = None) -> list[Any]:
        """The batch's attribute, the same for every environment."""
        games = self.games
        value = self.action_masks if attr_name == "action_masks" else getattr(games, attr_name)
        return [value for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: int | Iterable[int] | None = None) -> None:
        """Always AttributeError: the environments are one batch, with nothing of their own to set."""
        raise AttributeError(f"{attr_name} cannot be set: the environments are one batch")

    def env_is_wrapped(
        self, wrapper_class: type[Any], indices: int | Iterable[int] | None = None
    ) -> list[bool]:
        """No environment is wrapped; returns and lengths are reported all the same (see Monitor)."""
        return [False for _ in self._get_indices(indices)]

    def get_images(self) -> Sequence[np.ndarray | None]:
        """None for each environment, which is SB3's word for no picture."""
        return [None] * self.num_envs
