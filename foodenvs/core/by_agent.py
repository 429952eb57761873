"""`ByAgent`: a position, asked about by the names of its agents."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from foodenvs.core.checks import check_seed, whole_number
from foodenvs.core.events import Event
from foodenvs.core.position import Position
from foodenvs.core.setup import Setup
from foodenvs.core.views import SPECTATOR, WHOLE

if TYPE_CHECKING:
    from foodenvs.drawing import Picture


class ByAgent:
    """What environments have beside their protocol. Agents are `player_0` .. in seat order.

    Everything that asks for a game raises RuntimeError without one, ValueError for an unknown agent.
    """

    setup: Setup
    position: Position
    possible_agents: list[str]

    def seat_of(self, agent: str) -> int:
        """The seat of an agent; ValueError that lists the agents for what is none."""
        try:
            return self.setup.seats[agent]
        except (KeyError, TypeError):
            raise ValueError(
                f"unknown agent {agent!r}; there are {', '.join(self.possible_agents)}"
            ) from None

    def _viewer(self, viewer: str | None) -> int:
        """The number of a viewer: of an agent its seat; "open" sees the WHOLE, and None is a SPECTATOR."""
        return SPECTATOR if viewer is None else WHOLE if viewer == "open" else self.seat_of(viewer)

    def table(self, viewer: str | None = None) -> str:
        """The table as text for an agent, "open" (everything) or None (a spectator), with the last action."""
        return self.position.table(self._viewer(viewer))

    def picture(self, viewer: str | None = None, narrow: bool = False) -> "Picture":
        """The table as a picture for an agent, "open" or None (a spectator); narrow: for a phone's width."""
        return self.position.picture(self._viewer(viewer), narrow)

    def last_action(self, viewer: str | None = None) -> str:
        """The last action in words ("player_1: hand 5"), as a viewer was told of it; "" before the first.

        Of a secret action (`secret` of the game's `information`) the others hear only that it was taken.
        """
        return self.position.last_action(self._viewer(viewer))

    def last_known_action(self, viewer: str | None = None) -> str:
        """The last action whose words a viewer knows; so a table does not show that somebody has chosen."""
        return self.position.last_known_action(self._viewer(viewer))

    def events(self, viewer: str | None = None) -> tuple[Event, ...]:
        """What came of the last step, as an agent, "open" (everything) or None (a spectator) was told it.

        () before the first step. See `foodenvs.core.events`; RuntimeError unless made with `events=True`.
        """
        return self.position.events(self._viewer(viewer))

    def in_words(self, events: Iterable[Event]) -> str:
        """Events as one line: "player_2 plays 7*; catches 6 and 8: +2 cats"."""
        return self.setup.in_words(events)

    def is_secret(self, action: int) -> bool:
        """Whether the action, if the agent to act takes it now, stays its secret until some later moment."""
        return self.position.is_secret(action)

    def view(self) -> dict[str, Any]:
        """The whole position, secrets included, as a dict of plain values; `reset` takes it back."""
        return self.position.view()

    def seat_view(self, agent: str) -> dict[str, Any]:
        """The position as `agent` sees it, in the same form."""
        return self.position.view(self.seat_of(agent))

    def hidden(self, agent: str) -> dict[str, Any]:
        """What the position holds that `agent` must not know, by key of the view."""
        return self.position.hidden(self.seat_of(agent))

    def action_name(self, action: int) -> str:
        """An action in words."""
        return self.setup.action_name(action)

    def parse_action(self, text: str) -> int:
        """The action of a name; ValueError for a text that is none."""
        return self.setup.parse_action(text)

    def is_legal(self, action: Any) -> bool:
        """Whether the agent to act may take this action now; False for what is no action at all."""
        index = whole_number(action)
        return index is not None and self.position.is_legal(index)

    def explain(self, observation: Any) -> dict[str, np.ndarray]:
        """The named fields of an observation (the dict or its array, scaled or raw) as int8 counts."""
        return self.setup.explain(observation)

    def scores(self) -> dict[str, int]:
        """The rulebook's points of each agent, so far."""
        return dict(zip(self.possible_agents, self.position.scores().tolist(), strict=True))

    def returns(self) -> dict[str, float]:
        """What the end is worth to each agent: 1 to a sole winner, -1 / (teams - 1) to all others; first 0.

        Those who share the win share its worth. Agents of a team have the same, and it sums to 0 over the
        teams; over the agents only where the teams are of one size, as in every game without teams.
        """
        return dict(zip(self.possible_agents, self.position.returns().tolist(), strict=True))

    @property
    def teams(self) -> dict[str, int]:
        """The number of each agent's team; where there are no teams, each agent is one of its own."""
        return dict(zip(self.possible_agents, self.setup.teams, strict=True))

    def redealt(self, agent: str, seed: int) -> np.ndarray:
        """The position of `determinized(agent, seed)` alone, as [1] record of the game's STATE."""
        return self.position.redealt(self.seat_of(agent), check_seed(seed))

    def record(self) -> np.ndarray:
        """A copy of the position, secrets included, as [1] record of the game's STATE; `place` takes it."""
        return self.position.record()
