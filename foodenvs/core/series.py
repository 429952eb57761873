"""A series of games, dealt one after the other."""

import secrets
from dataclasses import dataclass

from foodenvs.core.checks import check_seed, game_seed


@dataclass(frozen=True)
class Series:
    """Which game of which series is played: the first is that of the series' own seed."""

    seed: int | None = None  # of the series; None: there is none, as before the first game
    games: int = 0  # before this one

    def next(self, seed: int | None) -> "Series":
        """The game after this, or the first of the series of a seed, or of a random one where there is none.

        Raises ValueError for what is no seed.
        """
        if seed is not None:
            return Series(check_seed(seed))
        return Series(secrets.randbits(63)) if self.seed is None else Series(self.seed, self.games + 1)

    @property
    def game_seed(self) -> int:
        """The seed of this very game, which alone deals it too; 0 without a series."""
        if self.seed is None or self.games == 0:
            return self.seed or 0
        return game_seed(self.seed, 0, self.games)
