"""`foodenvs.batch`, many games at once; it stands in `foodenvs.envs.batch`."""

from foodenvs.envs.batch import Batch

__all__ = ["Batch"]
