"""Agents of Katsu Curry?! that the engine can run: they see an observation and a mask, never a state."""

import numpy as np

from foodenvs.engine import rule


@rule
def greedy(box, obs, mask):
    for action in range(mask.shape[0]):
        if mask[action]:
            return action
    return -1


AGENTS = {"greedy": greedy, "expert": greedy}
