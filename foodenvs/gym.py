"""`foodenvs.gym`, the Gymnasium views; it stands in `foodenvs.envs.gym`."""

from foodenvs.envs.gym import SeatEnv, SeatVectorEnv

__all__ = ["SeatEnv", "SeatVectorEnv"]
