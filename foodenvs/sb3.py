"""`foodenvs.sb3`, the view for Stable-Baselines3; it stands in `foodenvs.envs.sb3`."""

from foodenvs.envs.sb3 import VecEnv

__all__ = ["VecEnv"]
