"""`foodenvs.openspiel`, the games in OpenSpiel; it stands in `foodenvs.bridges.openspiel`."""

from foodenvs.bridges.openspiel import (
    AgentPolicy,
    FoodGame,
    FoodObserver,
    FoodState,
    IllegalSpielActionError,
    register,
)

__all__ = ["AgentPolicy", "FoodGame", "FoodObserver", "FoodState", "IllegalSpielActionError", "register"]
