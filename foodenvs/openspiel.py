"""Every game in OpenSpiel: `register()`, then `pyspiel.load_game("foodenvs_scratch_catch", {"players": 2})`.

Needs the extra `openspiel`. Parameters of a game, beside the options of its page:

rewards     "win" (default): 1 for a sole winner and equal losses for the others; "score": own score minus
            the mean of the opponents', over the game's scale. Where all teams are of one size, or there are
            none, these sum to 0 over the players, else over the teams only: a general-sum game
components  "" (default): the game's own cards; "small": its small box; else a TOML file
chance      "seed" (default): the first three chance nodes draw the digits of one of 2**30 seeds, and the
            compiled engine plays on from it, whatever the size of the game. "draws": every draw of the
            rules is a chance node, a shuffled deck one for each card, with the exact probabilities. So CFR
            and exact best response see a true tree; the rules run as plain Python, and nodes are kept.

An option whose values are all whole numbers, words or truth values is given as such. One that takes several
kinds is given as text: "" for None, "yes" and "no", "#3", words as they are, a list as "honey+catchup".

Where a game's folder has a small box (`small.toml`), `foodenvs_NAME_small` is the same game with it, with
every draw a chance node, and few enough nodes for CFR in Python.

The information state of a player is all that its seat has done and has seen change, in order: perfect recall.
Secret choices are moves one after the other of which the others see nothing. Both tensors are the observation
[D] in [0, 1], which tells what the seat knows, not how it came to know it.
"""

import collections
import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python import policy as spiel_policy

from foodenvs.aec import FoodEnv
from foodenvs.agents import make_agent
from foodenvs.components import small_components
from foodenvs.engine import attributes, below, shuffle, uncompiled
from foodenvs.engine.loops import WIN
from foodenvs.game import Game, Option, Setup, check_choice
from foodenvs.games import GAMES

PREFIX, SMALL = "foodenvs_", "small"
REWARDS = ("win", "score")  # pyspiel's returns are those of the end; what "shaped" pays adds up to "score"
CHANCE = ("seed", "draws")
DIGITS, BASE = 3, 1024  # a seed is so many chance nodes with so many outcomes
MOST_OUTCOMES = BASE  # of a chance node
NODES_KEPT = 2**16  # of a game with chance="draws"


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
                globals()[described.short_name] = kind  # where pickle looks for it
    return names


# --- parameters --------------------------------------------------------------------------------


def defaults(game: Game, small: bool) -> dict[str, Any]:
    """The parameters of a game with their defaults, as pyspiel takes them."""
    own = game.small if small else {}
    options = {o.name: _as_parameter(o, own.get(o.name, o.default)) for o in game.options.values()}
    box, chance = (SMALL, "draws") if small else ("", "seed")
    return options | {"rewards": "win", "components": box, "chance": chance}


def _as_parameter(option: Option, value: Any) -> Any:
    return value if _one_kind(option) else _text(value)


def _one_kind(option: Option) -> bool:
    """Whether all values of an option are whole numbers, words or truth values, as pyspiel wants it."""
    allowed = option.allowed if isinstance(option.allowed, tuple) else (option.default,)
    return type(option.default) in (int, str, bool) and len({type(value) for value in allowed}) == 1


def _text(value: Any) -> str:
    """A value of any kind as a text that pyspiel takes for nothing else when it reads a game by name."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple)):
        return "+".join(map(_text, value))
    return "" if value is None else f"#{value}" if isinstance(value, int) else str(value)


def _value(text: str) -> Any:
    if "+" in text:
        return [_value(part) for part in text.split("+")]
    if text.startswith("#") and text[1:].isdecimal():
        return int(text[1:])
    return {"": None, "yes": True, "no": False}.get(text, text)


def make_setup(game: Game, parameters: dict[str, Any]) -> Setup:
    given = {o.name: parameters[o.name] for o in game.options.values()}
    options = {
        name: value if _one_kind(game.options[name]) else _value(value) for name, value in given.items()
    }
    components = parameters["components"] or None
    if components == SMALL:
        components = small_components(game.home)
    return Setup(game, options, components)


def game_type(game: Game, small: bool, zero_sum: bool = True) -> Any:
    """What pyspiel must know of a game before it is made up."""
    seats = game.options["players"].allowed
    return pyspiel.GameType(
        short_name=f"{PREFIX}{game.name}_{SMALL}" if small else f"{PREFIX}{game.name}",
        long_name=game.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM if zero_sum else pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=seats[-1],
        min_num_players=seats[0],
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=defaults(game, small),
    )


# --- chance ------------------------------------------------------------------------------------


class OpenDraw(Exception):
    """Chance must draw before play goes on: outcome k with weight `weights[k]`."""

    def __init__(self, weights: Sequence[int]) -> None:
        super().__init__()
        self.weights = tuple(weights)


class Seeded:
    """Chance draws the digits of a seed, once; the engine's own stream does the rest."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self._buffers = np.zeros(setup.players), np.zeros(setup.length, np.int8)
        self._mask = np.zeros(setup.actions, np.int8)
        self._scores, self._rewards = np.zeros(setup.players, np.int64), np.zeros(setup.players)

    def deal(self, states: np.ndarray, outcomes: Sequence[int]) -> None:
        if len(outcomes) < DIGITS:
            raise OpenDraw((1,) * BASE)
        number = functools.reduce(lambda seed, digit: seed * BASE + digit, outcomes)
        self.setup.engine.begin(self.setup.boxes, states, number, *self._buffers, self._mask)

    def apply(self, states: np.ndarray, action: int, outcomes: Sequence[int]) -> None:
        self._mask[action] = 1
        self.setup.engine.play(
            self.setup.boxes, states, action, WIN, self._scores, self._buffers[0], self._rewards,
            self._buffers[1], self._mask,
        )  # fmt: skip


class Drawn:
    """Every draw of the rules is a chance node: they run as plain Python up to the first open draw."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self._outcomes: Iterator[int] = iter(())
        stand_ins = {below: self._below, shuffle: self._shuffle}
        self._deal = uncompiled(setup.game.rules.deal, stand_ins)
        self._apply = uncompiled(setup.game.rules.apply, stand_ins)

    def deal(self, states: np.ndarray, outcomes: Sequence[int]) -> None:
        states["rng"] = 1  # never read
        self._outcomes = iter(outcomes)
        self._deal(self.setup.box, attributes(states)[0])

    def apply(self, states: np.ndarray, action: int, outcomes: Sequence[int]) -> None:
        self._outcomes = iter(outcomes)
        self._apply(self.setup.box, attributes(states)[0], action)

    def _draw(self, weights: Sequence[int]) -> int:
        if len(weights) <= 1:
            return 0
        try:
            return next(self._outcomes)
        except StopIteration:
            raise OpenDraw(weights) from None

    def _below(self, rng: Any, n: int) -> int:
        return self._draw((1,) * n)

    def _shuffle(self, rng: Any, items: Any, n: int) -> None:
        """Draws each place's item, from the end, by value: orders that look the same are one."""
        left = collections.Counter(int(items[k]) for k in range(n))
        values = sorted(left)
        counts = [left[value] for value in values]
        for place in range(n - 1, -1, -1):
            k = self._draw(counts)
            items[place] = values[k]
            counts[k] -= 1
            if counts[k] == 0:
                del values[k], counts[k]


@functools.lru_cache(256)
def outcomes_of(weights: tuple[int, ...]) -> list[tuple[int, float]]:
    total = sum(weights)
    return [(k, weight / total) for k, weight in enumerate(weights)]


# --- the tree ----------------------------------------------------------------------------------


class Tree:
    """The game tree of a set-up: what its nodes share."""

    def __init__(self, setup: Setup, chance: str, rewards: str) -> None:
        self.setup = setup
        self.chance = Drawn(setup) if chance == "draws" else Seeded(setup)
        self.rewards = rewards
        self.name = ""  # as pyspiel loads it
        self.child: Callable[[Node, int], Node] = Node.child
        if chance == "draws":
            self.child = functools.lru_cache(NODES_KEPT)(Node.child)
        self.labels = [label for f in setup.fields for label in _labels(f.name, f.size)]
        self._states = setup.new_states(1)
        self._bytes = self._states.view(np.uint8)

    @functools.cached_property
    def root(self) -> "Node":
        sights = np.zeros((self.setup.players, self.setup.length), np.int8)
        stories: list[Linked] = [None] * self.setup.players
        return Node(self, None, None, 0, (), pyspiel.PlayerId.CHANCE, sights, stories)

    def after(self, position: bytes | None, action: int, outcomes: Sequence[int]) -> bytes:
        """The position after the deal or an action; OpenDraw where chance has more to draw."""
        if position is None:
            self.chance.deal(self._states, outcomes)
        else:
            self.chance.apply(self._at(position), action, outcomes)
        return self._states.tobytes()

    def _at(self, position: bytes) -> np.ndarray:
        self._bytes[:] = np.frombuffer(position, np.uint8)
        return self._states

    def look(self, position: bytes) -> tuple[int, np.ndarray, np.ndarray]:
        """The seat to act (-1 at the end), what every seat sees int8 [P, D], and the mask int8 [A]."""
        setup, states = self.setup, self._at(position)
        turn = int(states["turn"][0])
        sights, mask = np.zeros((setup.players, setup.length), np.int8), np.zeros(setup.actions, np.int8)
        for seat in [*(seat for seat in range(setup.players) if seat != turn), turn]:
            if seat >= 0:
                setup.engine.look(setup.boxes, states, seat, sights[seat], mask)
        return turn, sights, mask

    def returns(self, position: bytes) -> np.ndarray:
        """float64 [P] of a position at the end."""
        setup = self.setup
        scores, returns = np.zeros(setup.players, np.int64), np.zeros(setup.players)
        setup.engine.tally(setup.boxes, self._at(position), scores, returns)
        return returns if self.rewards == "win" else margins(setup, scores)


def margins(setup: Setup, scores: np.ndarray) -> np.ndarray:
    """Own score minus the mean of the opponents' (a team counts once), over the game's scale: float64 [P]."""
    of_team = dict(zip(setup.teams, scores.tolist(), strict=True))
    total, others = sum(of_team.values()), max(1, len(of_team) - 1)
    own = np.array([of_team[team] for team in setup.teams])
    return (own - (total - own) / others) / setup.game.scale


def _labels(name: str, size: int) -> list[str]:
    return [name] if size == 1 else [f"{name}[{k}]" for k in range(size)]


Linked = tuple[Any, Any] | None  # all before, and the last; nodes share what is before


def unrolled(linked: Linked) -> list[Any]:
    items = []
    while linked is not None:
        linked, item = linked
        items.append(item)
    return items[::-1]


class Node:
    """A place in the game tree: a position with a seat to act or at the end, or an open draw. Never changes.

    position: the last one at which nothing was open; None before the deal. player: who acts.
    sights: int8 [P, D], what the seats see there.  stories: what each seat did and saw so far.
    A copy is the node itself; it is pickled as its game and history.
    """

    def __init__(
        self,
        tree: Tree,
        history: Linked,
        before: bytes | None,
        action: int,
        outcomes: tuple[int, ...],
        mover: int,
        sights: np.ndarray,
        stories: Sequence[Linked],
    ) -> None:
        self.tree, self.history = tree, history
        self.action, self.outcomes, self.mover = action, outcomes, mover
        self.weights: tuple[int, ...] = ()
        try:
            self.position: bytes | None = tree.after(before, action, outcomes)
        except OpenDraw as draw:
            self.position, self.weights = before, draw.weights
            self.player, self.sights, self.stories = pyspiel.PlayerId.CHANCE, sights, stories
            return
        turn, self.sights, mask = tree.look(self.position)
        self.player = turn if turn >= 0 else pyspiel.PlayerId.TERMINAL
        self.legal: list[int] = np.flatnonzero(mask).tolist()
        self.stories = [self._go_on(seat, sights, stories) for seat in range(tree.setup.players)]

    def _go_on(self, seat: int, sights: np.ndarray, stories: Sequence[Linked]) -> Linked:
        seen, before = self.sights[seat], sights[seat]
        news = [f"{self.tree.labels[k]}={seen[k]}" for k in np.flatnonzero(seen != before).tolist()]
        if seat == self.mover:
            news.insert(0, f"<{self.tree.setup.action_name(self.action)}>")
        return (stories[seat], " ".join(news)) if news else stories[seat]

    def child(self, action: int) -> "Node":
        history = (self.history, action)
        if self.weights:
            played, outcomes, mover = self.action, (*self.outcomes, action), self.mover
        else:
            played, outcomes, mover = action, (), int(self.player)
        return Node(self.tree, history, self.position, played, outcomes, mover, self.sights, self.stories)

    def story(self, seat: int) -> str:
        """The information state of a seat: all that it did and saw change."""
        return " | ".join([self.tree.setup.agents[seat], *unrolled(self.stories[seat])])

    def sight(self, seat: int) -> str:
        """What a seat sees now."""
        seen = self.sights[seat]
        shown = [f"{self.tree.labels[k]}={seen[k]}" for k in np.flatnonzero(seen).tolist()]
        return " ".join([self.tree.setup.agents[seat], *shown])

    @functools.cached_property
    def returns(self) -> list[float]:
        if self.player != pyspiel.PlayerId.TERMINAL or self.position is None:
            return [0.0] * self.tree.setup.players
        values: list[float] = self.tree.returns(self.position).tolist()
        return values

    def __deepcopy__(self, memo: Any) -> "Node":
        return self

    def __reduce__(self) -> Any:
        return _node_at, (self.tree.name, unrolled(self.history))


def _node_at(name: str, history: Sequence[int]) -> Node:
    tree = _tree_of(name)
    return functools.reduce(tree.child, history, tree.root)


@functools.lru_cache(4)
def _tree_of(name: str) -> Tree:
    tree: Tree = pyspiel.load_game(name).tree
    return tree


# --- pyspiel -----------------------------------------------------------------------------------


class FoodGame(pyspiel.Game):
    """A game in OpenSpiel; see the module. `setup` is the foodenvs set-up that it plays."""

    food: Game
    small: bool

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        parameters = defaults(self.food, self.small) | (params or {})
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
            max_chance_outcomes=MOST_OUTCOMES,
            num_players=setup.players,
            min_utility=least,
            max_utility=most,
            utility_sum=0.0 if zero_sum else None,
            max_game_length=setup.max_decisions,
        )
        super().__init__(game_type(self.food, self.small, zero_sum), info, params or {})
        self.tree.name = str(self)

    def new_initial_state(self) -> "FoodState":
        return FoodState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "FoodObserver":
        return FoodObserver(self.setup, iig_obs_type is not None and iig_obs_type.perfect_recall)


class FoodState(pyspiel.State):
    """A node of the game's tree."""

    def __init__(self, game: FoodGame) -> None:
        super().__init__(game)
        self.node = game.tree.root

    def current_player(self) -> int:
        return int(self.node.player)

    def _legal_actions(self, player: int) -> list[int]:
        return self.node.legal

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return outcomes_of(self.node.weights)

    def _apply_action(self, action: int) -> None:
        self.node = self.node.tree.child(self.node, action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"draw {action} of {len(self.node.weights)}"
        return self.node.tree.setup.action_name(action)

    def is_terminal(self) -> bool:
        return bool(self.node.player == pyspiel.PlayerId.TERMINAL)

    def returns(self) -> list[float]:
        return self.node.returns

    def __str__(self) -> str:
        history = " ".join(map(str, self.history()))
        return f"{self.node.tree.setup.game.id}: {history}"


class FoodObserver:
    """What a player sees, or with perfect recall all that it did and saw."""

    def __init__(self, setup: Setup, perfect_recall: bool) -> None:
        self._setup, self._perfect_recall = setup, perfect_recall
        self.tensor = np.zeros(setup.length, np.float32)
        self.dict, at = {}, 0
        for f in setup.fields:
            self.dict[f.name] = self.tensor[at : at + f.size].reshape(f.shape)
            at += f.size

    def set_from(self, state: FoodState, player: int) -> None:
        self.tensor[:] = self._setup.scaled(state.node.sights[player])

    def string_from(self, state: FoodState, player: int) -> str:
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
        seat = state.current_player() if player_id is None else player_id
        mask = np.zeros(self._setup.actions, np.int8)
        mask[state.node.legal] = 1
        sight = {"observation": state.node.sights[seat], "action_mask": mask}
        answer = self._agents[seat].act(sight, {"action_mask": mask})
        chosen = self._setup.check_action(answer, self._setup.agents[seat])
        return {action: float(action == chosen) for action in state.node.legal}
