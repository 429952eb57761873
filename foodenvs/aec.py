"""`foodenvs.aec`, the AEC environment; it stands in `foodenvs.envs.aec`."""

from foodenvs.envs.aec import FoodEnv

__all__ = ["FoodEnv"]
