"""The leak check for OpenSpiel's games: redeals through `resample_from_infostate`.

from shimmy.openspiel_compatibility import OpenSpielCompatibilityV0

class Leduc(Resampling, OpenSpielCompatibilityV0):
    def __init__(self, render_mode=None):
        super().__init__(game_name="leduc_poker", render_mode=render_mode)

print(check(Leduc, checks=["leak"]))
"""

import copy
from typing import Any

import numpy as np


class Resampling:
    """Mixin for an AEC environment over an OpenSpiel state, such as Shimmy's: what the leak check asks for.

    The state is the attribute `game_state`; `np_random` is the environment's chance. Override `phase` where a
    game has phases: the hidden part must vary in each.
    """

    game_state: Any
    possible_agents: list[str]
    agents: list[str]
    terminations: dict[str, bool]
    truncations: dict[str, bool]

    def determinized(self, agent: str, seed: int) -> Any:
        """A copy whose state is resampled from what `agent` knows; a finished game is only copied."""
        other: Any = object.__new__(type(self))  # a copy.copy of an EzPickle starts anew
        for name, value in self.__dict__.items():
            plain = isinstance(value, (dict, list)) and not name.endswith("_spaces")
            other.__dict__[name] = copy.deepcopy(value) if plain else value
        other.np_random = chance = np.random.default_rng(seed)
        if self._has_finished():
            other.game_state = self.game_state.clone()
            return other
        player = self.possible_agents.index(agent)
        other.game_state = self.game_state.resample_from_infostate(player, chance.random)
        other._update_observations()
        other._update_action_masks()
        return other

    def hidden(self, agent: str) -> dict[str, str]:
        """The whole state as text, while the game is on."""
        return {} if self._has_finished() else {"state": str(self.game_state)}

    def _has_finished(self) -> bool:
        return any(self.terminations.values()) or any(self.truncations.values()) or not self.agents

    @property
    def phase(self) -> str:
        """The phase of the game, one for all of it."""
        return "the game"
