"""How a configured game is offered to players: what illegal actions do, what is paid, what is shown."""

import functools
import importlib.util
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from gymnasium import spaces

from foodenvs.core.checks import ILLEGAL, REWARDS, check_choice, check_count
from foodenvs.core.setup import Setup
from foodenvs.drawing import SIZES
from foodenvs.envs.registry import find_game


@dataclass(frozen=True)
class Configuration:
    """Everything an environment is made with: the set-up (game, options, components), and these.

    illegal: "raise", "penalize" or "terminate"; max_refusals: with "penalize", how many end a game.
    rewards: "win", "score" or "shaped".  raw: int8 counts instead of float32 in [0, 1].
    render_mode: None, "ansi", "rgb_array" or "human"; render_size: "small", "medium" or "large"; viewer: an
    agent, "open" or None.  events: whether what came of each step is told.
    See `foodenvs.envs.aec.FoodEnv`. Raises ValueError that names what cannot be.
    """

    setup: Setup
    illegal: str = "raise"
    max_refusals: int = 100
    rewards: str = "win"
    raw: bool = False
    render_mode: str | None = None
    render_size: str = "medium"
    viewer: str | None = None
    events: bool = False

    def __post_init__(self) -> None:
        check_choice("illegal", self.illegal, ILLEGAL)
        check_choice("rewards", self.rewards, REWARDS)
        object.__setattr__(self, "max_refusals", check_count("max_refusals", self.max_refusals))
        for name in ("raw", "events"):
            if not isinstance(value := getattr(self, name), bool):
                raise ValueError(f"{name} must be true or false, got {value!r}")
        if self.render_mode == "human" and "human" not in render_modes():
            raise ValueError(
                'render_mode="human" needs a window: pip install "foodenvs[window]"; without it there are '
                '"ansi" and "rgb_array"'
            )
        if self.render_mode is not None:
            check_choice("render_mode", self.render_mode, render_modes())
        check_choice("render_size", self.render_size, list(SIZES))
        if self.viewer not in (None, "open", *self.setup.agents):
            names = ", ".join(self.setup.agents)
            raise ValueError(f'viewer must be None, "open" or one of {names}, got {self.viewer!r}')

    @property
    def reward_mode(self) -> int:
        """What the engine calls the rewards."""
        return REWARDS.index(self.rewards)

    @property
    def illegal_mode(self) -> int:
        """What the engine calls the answer to an illegal action."""
        return ILLEGAL.index(self.illegal)

    @property
    def played(self) -> dict[str, Any]:
        """How it is played and paid, not how it is shown."""
        return {"rewards": self.rewards, "illegal": self.illegal, "max_refusals": self.max_refusals}

    @property
    def made(self) -> dict[str, Any]:
        """What a snapshot must agree with."""
        return self.setup.description | self.played

    def observation_space(self) -> spaces.Box:
        """Of one seat: float32 [D] in [0, 1], or the int8 counts."""
        layout = self.setup.layout
        if self.raw:
            still = (
                layout.low == layout.high
            )  # counts that never change; Gymnasium warns of a space of one value
            low = np.where(still & (layout.high > 0), layout.low - 1, layout.low)
            high = np.where(still & (layout.high <= 0), layout.high + 1, layout.high)
            return spaces.Box(low, high, dtype=np.int8)
        return spaces.Box(0, 1, (self.setup.length,), np.float32)

    def agent_space(self) -> spaces.Dict:
        """Of what an agent sees: its observation, and the mask int8 [A]."""
        mask = spaces.Box(0, 1, (self.setup.actions,), np.int8)
        return spaces.Dict({"observation": self.observation_space(), "action_mask": mask})

    def state_space(self) -> spaces.Box:
        """Of all seats' observations and the hidden fields: float32 in [0, 1]."""
        setup = self.setup
        hidden = sum(f.size for f in setup.hidden)
        return spaces.Box(0, 1, (setup.length * setup.players + hidden,), np.float32)

    def shown(self, counts: np.ndarray) -> np.ndarray:
        """Observations [..., D] as an environment gives them, of int8 counts; fresh arrays."""
        return counts.copy() if self.raw else self.setup.scaled(counts)


KEYWORDS = tuple(f.name for f in fields(Configuration) if f.name != "setup")


def configure(
    game: Any, components: Any, given: Mapping[str, Any], known: Sequence[str] = KEYWORDS
) -> Configuration:
    """The configuration of a game (an id) from the known ones of some keywords; the others are its options.

    Raises ValueError for an unknown id or a bad value, TypeError for an unknown option.
    """
    options = {name: value for name, value in given.items() if name not in known}
    setup = Setup(find_game(game), options, components)
    return Configuration(setup, **{name: given[name] for name in given.keys() - options.keys()})


def render_modes() -> list[str]:
    """What `render_mode` may be: "ansi", "rgb_array", and "human" where pygame-ce is installed."""
    return ["ansi", "rgb_array"] + ["human"] * _has_window()


@functools.cache
def _has_window() -> bool:
    return importlib.util.find_spec("pygame") is not None
