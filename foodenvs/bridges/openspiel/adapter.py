"""Games, states, observers and policies as pyspiel has them, on the tree of a game."""

from collections.abc import Callable
from typing import Any

import numpy as np

from foodenvs.agents import make_agent
from foodenvs.bridges.openspiel.chance import outcomes_of
from foodenvs.bridges.openspiel.parameters import (
    CHANCE,
    REWARDS,
    defaults,
    game_type,
    make_setup,
    path_of,
    path_text,
)
from foodenvs.bridges.openspiel.tree import Node, Tree
from foodenvs.core.checks import as_action, check_choice
from foodenvs.core.errors import IllegalActionError, extra
from foodenvs.core.game import Game
from foodenvs.core.setup import Setup
from foodenvs.envs.aec import FoodEnv
from foodenvs.games import GAMES

with extra("openspiel", "foodenvs.openspiel"):
    import pyspiel
    from open_spiel.python import policy as spiel_policy

_WHOLE = "an action must be a whole number"  # C++ would make one of a float or a truth value


def register() -> list[str]:
    """Make every game loadable in pyspiel; returns the names. A second call changes nothing."""
    names = []
    for game in GAMES.values():
        for small in [False, True] if game.small else [False]:
            described = game_type(game, small)
            # A class, not a partial: pyspiel drops it when Python is gone, and only a class outlives that.
            kind = type(described.short_name, (FoodGame,), {"food": game, "small": small})
            names.append(described.short_name)
            if described.short_name not in pyspiel.registered_names():
                pyspiel.register_game(described, kind)
    return names


class FoodGame(pyspiel.Game):
    """A game in OpenSpiel; see the module. `setup` is the foodenvs set-up that it plays."""

    food: Game
    small: bool

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        params = dict(params or {})
        if "components" in params:
            params["components"] = path_text(path_of(params["components"]))
        parameters = defaults(self.food, self.small) | params
        self.setup = setup = make_setup(self.food, parameters)
        chance = CHANCE[check_choice("chance", parameters["chance"], CHANCE)]
        rewards = REWARDS[check_choice("rewards", parameters["rewards"], REWARDS)]
        self.tree = Tree(setup, chance, rewards)
        zero_sum = len({setup.teams.count(team) for team in setup.teams}) == 1
        least, most = (-1 / max(1, setup.contenders - 1), 1.0)
        if rewards == "score":
            least, most = -np.inf, np.inf
        info = pyspiel.GameInfo(
            num_distinct_actions=setup.actions,
            max_chance_outcomes=self.tree.chance.outcomes,
            num_players=setup.players,
            min_utility=least,
            max_utility=most,
            utility_sum=0.0 if zero_sum else None,
            max_game_length=setup.max_decisions,
        )
        super().__init__(game_type(self.food, self.small, zero_sum), info, params)
        self.tree.name = str(self)

    def max_chance_nodes_in_history(self) -> int:
        """The most chance nodes that a game can meet, as pyspiel asks for it."""
        return self.tree.chance.nodes

    def new_initial_state(self) -> "FoodState":
        """The state at which nothing is dealt; chance draws first."""
        return FoodState(self)

    def __reduce__(self) -> Any:
        return load_game, (str(self),)  # pyspiel's own way forgets all that is not in C++

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "FoodObserver | None":
        """None for a type of observation that is neither of the two tensors; ValueError for parameters."""
        if isinstance(iig_obs_type, dict):  # pyspiel leaves the type out
            iig_obs_type, params = None, iig_obs_type
        if params:
            raise ValueError(f"observations of {self.setup.game.id} have no parameters, got {params!r}")
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if not kind.public_info or kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            return None
        return FoodObserver(self.setup, kind.perfect_recall)


def load_game(name: str) -> FoodGame:
    """The game that pyspiel loads by a name; it may be in another process than that which registered it."""
    register()
    game: FoodGame = pyspiel.load_game(name)
    return game


class IllegalSpielActionError(IllegalActionError, pyspiel.SpielError):
    """An illegal action, as an error of either library. Nothing has changed."""


class FoodState(pyspiel.State):
    """A node of the game's tree. It answers as OpenSpiel's own games in C++ do, at every node.

    pyspiel.State leaves it to a game in Python whether an action is legal, and at a chance node it takes the
    outcomes for the legal actions of all players.
    """

    def __init__(self, game: FoodGame) -> None:
        super().__init__(game)
        self.node = game.tree.root

    def current_player(self) -> int:
        """The seat to act, or pyspiel's number for chance or for the end."""
        return int(self.node.player)

    def legal_actions(self, player: int | None = None) -> list[int]:
        """In ascending order; chance has its outcomes, and who is not to move has none."""
        return list(self.node.legal) if player in (None, self.node.player) else []

    def legal_actions_mask(self, player: int | None = None) -> list[int]:
        """0 or 1 for each action; for chance, for each outcome that a chance node may have."""
        game, player = self.get_game(), self.node.player if player is None else player
        of_chance = player == pyspiel.PlayerId.CHANCE
        mask = [0] * (game.max_chance_outcomes() if of_chance else game.num_distinct_actions())
        for action in self.legal_actions(player):
            mask[action] = 1
        return mask

    def _legal_actions(self, player: int) -> list[int]:
        return self.node.legal

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Pairs of outcome and probability; SpielError where chance is not to move."""
        if not self.is_chance_node():
            raise pyspiel.SpielError("chance_outcomes: not a chance node")
        return list(outcomes_of(self.node.weights))

    def apply_action(self, action: Any) -> None:
        """Play an action or an outcome. TypeError for no whole number, SpielError for an illegal one."""
        super().apply_action(as_action(action, _WHOLE))

    def apply_action_with_legality_check(self, action: Any) -> None:
        """As `apply_action`, which checks every action anyway."""
        super().apply_action_with_legality_check(as_action(action, _WHOLE))

    def child(self, action: Any) -> "FoodState":
        """The state after an action, this one left as it is; errors as of `apply_action`."""
        child: FoodState = super().child(as_action(action, _WHOLE))
        return child

    def _apply_action(self, action: int) -> None:
        if action not in self.node.legal:
            raise IllegalSpielActionError(self.node.refusal(action))
        self.node = self.node.tree.child(self.node, action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.node.action_name(action, player)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return bool(self.node.player == pyspiel.PlayerId.TERMINAL)

    def returns(self) -> list[float]:
        """What each player gets by the game's `rewards`, P numbers: all 0 before the end."""
        return list(self.node.returns)

    def resample_from_infostate(self, player_id: int, sampler: Callable[[], float]) -> "FoodState":
        """A state that the player cannot tell from this one; see the module.

        sampler: gives a number in [0, 1); one is drawn. SpielError at a chance node.
        """
        check_player(self.node, player_id)
        state = FoodState(self.get_game())
        state.node = self.node.resampled(player_id, int(sampler() * 2**53))
        return state

    def __reduce__(self) -> Any:
        return _state_of, (pyspiel.serialize_game_and_state(self.get_game(), self),)

    def __str__(self) -> str:
        return f"{self.node.root.title}: {' '.join(map(str, self.history()))}"


def _state_of(serialized: str) -> FoodState:
    register()
    state: FoodState = pyspiel.deserialize_game_and_state(serialized)[1]
    return state


def check_player(node: Node, player: int) -> None:
    """SpielError for a number that is no player of the game."""
    if not 0 <= player < node.tree.setup.players:
        raise pyspiel.SpielError(f"player must be 0 to {node.tree.setup.players - 1}, got {player}")


class FoodObserver:
    """What a player sees, or with perfect recall all that it did and saw."""

    def __init__(self, setup: Setup, perfect_recall: bool) -> None:
        self._setup, self._perfect_recall = setup, perfect_recall
        self.tensor = np.zeros(setup.length, np.float32)
        self.dict = setup.layout.named(self.tensor)

    def set_from(self, state: FoodState, player: int) -> None:
        """Write what the player sees at a state into `tensor`, float32 [D], and so into `dict`."""
        check_player(state.node, player)
        self.tensor[:] = self._setup.scaled(state.node.sights[player])

    def string_from(self, state: FoodState, player: int) -> str:
        """What the player sees in words, or with perfect recall its information state."""
        check_player(state.node, player)
        return state.node.story(player) if self._perfect_recall else state.node.sight(player)


class AgentPolicy(spiel_policy.Policy):
    """An agent as an OpenSpiel policy: `exploitability.nash_conv(game, AgentPolicy(game, "greedy"))`.

    agent: an id or an agent that leaves nothing to chance and goes by the observation alone, such as
    `greedy`, `expert` or `policy:FILE`. (For `random` there is OpenSpiel's UniformRandomPolicy.)
    """

    def __init__(self, game: FoodGame, agent: Any) -> None:
        super().__init__(game, list(range(game.num_players())))
        self._setup, env = game.setup, FoodEnv(game.setup)
        self._agents = [make_agent(agent, env, name) for name in game.setup.agents]

    def action_probabilities(self, state: FoodState, player_id: int | None = None) -> dict[int, float]:
        """1 for the action that the agent chooses and 0 for the other legal ones.

        player_id: the seat asked about, by default the one to act. Where it has nothing to choose: {0: 1.0}.
        """
        seat = state.current_player() if player_id is None else player_id
        check_player(state.node, seat)
        legal = state.legal_actions(seat)
        if not legal:
            return {0: 1.0}  # as OpenSpiel's UniformRandomPolicy answers
        mask = np.zeros(self._setup.actions, np.int8)
        mask[legal] = 1
        sight = {"observation": state.node.sights[seat], "action_mask": mask}
        answer = self._agents[seat].act(sight, {"action_mask": mask})
        chosen = self._setup.check_action(answer, self._setup.agents[seat])
        return {action: float(action == chosen) for action in legal}
