"""The random agent: uniform over the legal actions."""

from typing import Any

import numpy as np

from foodenvs import engine
from foodenvs.core.checks import check_seed


class RandomAgent:
    """Plays a uniformly random legal action, from its own stream."""

    def __init__(self) -> None:
        self._stream = np.zeros(4, np.uint32)
        self.reset(0)

    def reset(self, seed: int) -> None:
        """A new game begins; `seed` decides all of its choices."""
        engine.start_stream(self._stream, check_seed(seed))

    def act(self, observation: Any, info: dict[str, Any]) -> int:
        """One of the legal actions, each as likely as the others."""
        return int(engine.pick(self._stream, info["action_mask"]))
