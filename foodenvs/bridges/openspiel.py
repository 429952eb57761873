"""Every game in OpenSpiel: `register()`, then `pyspiel.load_game("foodenvs_scratch_catch", {"players": 2})`.

Needs the extra `openspiel`. Parameters of a game, beside the options of its page:

rewards     "win" (default): 1 for a sole winner and equal losses for the others; "score": own score minus
            the mean of the opponents', over the game's scale. Where all teams are of one size, or there are
            none, these sum to 0 over the players, else over the teams only: a general-sum game
components  "" (default): the game's own cards; "small": its small box; else a TOML file
chance      "seed" (default): the first chance nodes draw the digits of one of 2**30 seeds or more, and the
            compiled engine plays on from it, whatever the size of the game. "draws": every draw of the
            rules is a chance node, a shuffled deck one for each card, with the exact probabilities. So CFR
            and exact best response see a true tree; the rules run as plain Python, and nodes are kept.
            No chance node has more outcomes than the game has actions: what may fall in more ways is drawn
            in parts, at several nodes in a row.

An option whose values are all whole numbers, words or truth values is given as such. One that takes several
kinds is given as text: "" for None, "yes" and "no", "#3", words as they are, a list as "honey+catchup".

Where a game's folder has a small box (`small.toml`), `foodenvs_NAME_small` is the same game with it, with
every draw a chance node, and few enough nodes for CFR in Python.

The information state of a player is all that its seat has done and has seen change, in order: perfect recall.
Secret choices are moves one after the other of which the others see nothing. Both tensors are the observation
[D] in [0, 1], which tells what the seat knows, not how it came to know it.

`state.resample_from_infostate(player, sampler)` deals anew what the player cannot know, at a decision and at
the end. For that player the copy has the same information state, observation and legal actions; the
information states of the others begin with what they see in it, and `history()` begins there too, since no
sequence of moves is known that leads to it. So OpenSpiel's search in Python plays these games,
`open_spiel.python.algorithms.ismcts`; its twin in C++ plays no game that is written in Python.
"""

import collections
import functools
import hashlib
import itertools
import re
import urllib.parse
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from foodenvs.agents import make_agent
from foodenvs.core.checks import as_action, check_choice
from foodenvs.core.components import small_components
from foodenvs.core.errors import IllegalActionError, extra
from foodenvs.core.game import Game, Option
from foodenvs.core.position import Position
from foodenvs.core.setup import Setup
from foodenvs.engine import below, score_margins, shuffle, uncompiled
from foodenvs.envs.aec import FoodEnv
from foodenvs.games import GAMES

with extra("openspiel", "foodenvs.openspiel"):
    import pyspiel
    from open_spiel.python import policy as spiel_policy

PREFIX, SMALL = "foodenvs_", "small"
REWARDS = ("win", "score")  # pyspiel's returns are those of the end; what "shaped" pays adds up to "score"
CHANCE = ("seed", "draws")
SEEDS = 2**30  # at least, with chance="seed"
NODES_KEPT = 2**16  # of a game with chance="draws"
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


QUOTED = "percent:"  # begins a path in which all that pyspiel takes for something else is percent-encoded
MISREAD = re.compile(rf"[,=()\n]|^{QUOTED}|^[-+.\d]+$|^([Tt]rue|[Ff]alse)$")


def _path_text(path: str) -> str:
    """The path of a file as a text that pyspiel reads as it is, in the name of a game too."""
    return QUOTED + urllib.parse.quote(path) if MISREAD.search(path) else path


def _path(text: str) -> str:
    return urllib.parse.unquote(text.removeprefix(QUOTED)) if text.startswith(QUOTED) else text


def make_setup(game: Game, parameters: dict[str, Any]) -> Setup:
    """The set-up that the parameters of a game ask for; raises as `Setup` does."""
    given = {o.name: parameters[o.name] for o in game.options.values()}
    options = {
        name: value if _one_kind(game.options[name]) else _value(value) for name, value in given.items()
    }
    components = parameters["components"]
    box = small_components(game.home) if components == SMALL else _path(components) or None
    return Setup(game, options, box)


def game_type(game: Game, small: bool, zero_sum: bool = True) -> Any:
    """What pyspiel must know of a game before it is configured."""
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
    """Chance draws the digits of a seed, once; the engine's own stream does the rest.

    outcomes: the most of a chance node, never more than there are actions: at a chance node OpenSpiel's C++
    code writes them into a mask of the actions if it is asked for that of a player.
    nodes: the most chance nodes of a game.
    """

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.outcomes = max(2, setup.actions)
        self.nodes = digits(SEEDS, self.outcomes)

    def deal(self, position: Position, outcomes: Sequence[int]) -> None:
        """Begin the game; OpenDraw while its seed lacks digits."""
        if len(outcomes) < self.nodes:
            raise OpenDraw((1,) * self.outcomes)
        position.deal(functools.reduce(lambda seed, digit: seed * self.outcomes + digit, outcomes))

    def apply(self, position: Position, action: int, outcomes: Sequence[int]) -> None:
        """Play an action; `outcomes` are none, since the engine draws for itself."""
        position.play(action)

    def redeal(self, position: Position, seat: int, seed: int) -> None:
        """Deal anew what a seat cannot know, from a number."""
        position.place(position.redealt(seat, seed))


class Drawn:
    """Every draw of the rules is a chance node: they run as plain Python up to the first open draw.

    A draw with more outcomes than there are actions is made in parts, from the largest to the smallest.
    outcomes, nodes: as in `Seeded`.
    """

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        if not hasattr(setup.game.rules, "draws"):
            raise ValueError(
                f'chance must be "seed" for {setup.game.id}: its rules do not say how often they draw'
            )
        draws, widest = setup.game.rules.draws(setup.box)
        self.outcomes = min(max(2, setup.actions), int(widest))
        self.nodes = int(draws) * digits(int(widest), self.outcomes)
        self._outcomes: Iterator[int] = iter(())
        stand_ins = {below: self._below, shuffle: self._shuffle}
        self._deal = uncompiled(setup.game.rules.deal, stand_ins)
        self._apply = uncompiled(setup.game.rules.apply, stand_ins)

    def deal(self, position: Position, outcomes: Sequence[int]) -> None:
        """Begin the game. The position is of no use after OpenDraw."""
        position.states.view(np.uint8)[:] = 0
        self._run(position, self._deal, outcomes)

    def apply(self, position: Position, action: int, outcomes: Sequence[int]) -> None:
        """Play an action in the position, which is of no use after OpenDraw."""
        self._run(position, self._apply, outcomes, action)

    def redeal(self, position: Position, seat: int, seed: int) -> None:
        """Deal anew what a seat cannot know, from a number."""
        position.place(position.redealt(seat, seed))
        self._forget(position)

    def _run(self, position: Position, rule: Any, outcomes: Sequence[int], *action: int) -> None:
        self._outcomes = iter(outcomes)
        rule(self.setup.box, position.state, *action)
        self._forget(position)
        position.refresh()

    def _forget(self, position: Position) -> None:
        position.states["rng"] = 1  # never read; equal positions are equal bytes

    def _draw(self, weights: Sequence[int]) -> int:
        first = 0
        while len(weights) > 1:
            size = -(-len(weights) // self.outcomes)
            parts = [weights[k : k + size] for k in range(0, len(weights), size)]
            try:
                k = next(self._outcomes)
            except StopIteration:
                raise OpenDraw([sum(part) for part in parts]) from None
            first, weights = first + k * size, parts[k]
        return first

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


def digits(numbers: int, base: int) -> int:
    """How many digits it takes to tell so many numbers apart."""
    return next(k for k in itertools.count() if base**k >= numbers)


@functools.lru_cache(256)
def outcomes_of(weights: tuple[int, ...]) -> tuple[tuple[int, float], ...]:
    """The outcomes of a draw with these weights, as pairs of number and probability."""
    total = sum(weights)
    return tuple((k, weight / total) for k, weight in enumerate(weights))


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
        self.labels = [label for f in setup.layout.fields for label in _labels(f.name, f.size)]
        self._position = Position(setup)

    @functools.cached_property
    def root(self) -> "Node":
        """The node at which nothing is dealt and chance is to draw."""
        sights = np.zeros((self.setup.players, self.setup.length), np.int8)
        stories: list[Linked] = [None] * self.setup.players
        return Node(self, None, None, None, 0, (), pyspiel.PlayerId.CHANCE, sights, stories)

    def __reduce__(self) -> Any:
        return _tree_of, (self.name,)

    def after(self, position: bytes | None, action: int, outcomes: Sequence[int]) -> bytes:
        """The position after the deal or an action; OpenDraw where chance has more to draw."""
        if position is None:
            self.chance.deal(self._position, outcomes)
        else:
            self.chance.apply(self.at(position), action, outcomes)
        return self._position.states.tobytes()

    def redealt(self, position: bytes, seat: int, seed: int) -> bytes:
        """The position with all that a seat cannot know dealt anew, and its own chance too, from a number."""
        self.chance.redeal(self.at(position), seat, seed)
        return self._position.states.tobytes()

    def at(self, position: bytes) -> Position:
        """The game at a position, until the next call."""
        self._position.place(np.frombuffer(position, self._position.states.dtype))
        return self._position

    def returns(self, position: bytes) -> np.ndarray:
        """float64 [P] of a position at the end."""
        here, setup = self.at(position), self.setup
        if self.rewards == "win":
            return here.returns()
        return score_margins(setup.teams, here.scores()) / setup.game.scale


def _labels(name: str, size: int) -> list[str]:
    return [name] if size == 1 else [f"{name}[{k}]" for k in range(size)]


Linked = tuple[Any, Any] | None  # all before, and the last; nodes share what is before


def unrolled(linked: Linked) -> list[Any]:
    """The items of a linked list, the first one first."""
    items = []
    while linked is not None:
        linked, item = linked
        items.append(item)
    return items[::-1]


def linked(items: Sequence[Any]) -> Linked:
    """The linked list of some items; `unrolled` gives them back."""
    start: Linked = None
    return functools.reduce(lambda before, item: (before, item), items, start)


class Node:
    """A place in the game tree: a position with a seat to act or at the end, or an open draw. Never changes.

    root: where its history begins.
    position: the last one at which nothing was open; None before the deal.
    player: who acts.  legal: its actions; of chance, its outcomes.  weights: of these outcomes.
    sights: int8 [P, D], what the seats see there.  stories: what each seat did and saw so far.
    A copy is the node itself; it is pickled as its root and history.
    """

    position: bytes | None
    weights: tuple[int, ...]
    player: int
    legal: list[int]
    sights: np.ndarray
    stories: Sequence[Linked]

    def __init__(
        self,
        tree: Tree,
        root: "Node | None",
        history: Linked,
        before: bytes | None,
        action: int,
        outcomes: tuple[int, ...],
        mover: int,
        sights: np.ndarray,
        stories: Sequence[Linked],
    ) -> None:
        self.tree, self.root, self.history = tree, root or self, history
        self.action, self.outcomes, self.mover = action, outcomes, mover
        try:
            self._settle(tree.after(before, action, outcomes))
        except OpenDraw as draw:
            self.position, self.weights = before, draw.weights
            self.player, self.sights, self.stories = pyspiel.PlayerId.CHANCE, sights, stories
            self.legal = list(range(len(self.weights)))
            return
        self.stories = [self._go_on(seat, sights, stories) for seat in range(tree.setup.players)]

    def _settle(self, position: bytes) -> None:
        """At a position at which nothing is open."""
        self.position, self.weights = position, ()
        here = self.tree.at(position)
        self.player = here.turn if here.turn >= 0 else pyspiel.PlayerId.TERMINAL
        self.sights, self.legal = here.observe_all(), np.flatnonzero(here.mask).tolist()

    def _go_on(self, seat: int, sights: np.ndarray, stories: Sequence[Linked]) -> Linked:
        news = self._seen(seat, sights[seat])
        if seat == self.mover:
            news.insert(0, f"<{self.tree.setup.action_name(self.action)}>")
        return (stories[seat], " ".join(news)) if news else stories[seat]

    def child(self, action: int) -> "Node":
        """The node after an action or an outcome of chance, which is not checked."""
        history = (self.history, action)
        if self.weights:
            played, outcomes, mover = self.action, (*self.outcomes, action), self.mover
        else:
            played, outcomes, mover = action, (), int(self.player)
        return Node(
            self.tree, self.root, history, self.position, played, outcomes, mover, self.sights, self.stories
        )

    def action_name(self, action: int, player: int) -> str:
        """An action in words; of chance, its number. SpielError for what is no action at all."""
        setup = self.tree.setup
        if player == pyspiel.PlayerId.CHANCE:
            return f"draw {action} of {len(self.weights)}" if self.weights else f"draw {action}"
        if 0 <= action < setup.actions:
            return setup.action_name(action)
        raise pyspiel.SpielError(f"an action of {setup.game.id} is 0 to {setup.actions - 1}, got {action}")

    def refusal(self, action: int) -> str:
        """What is said of an action that is not among the legal ones."""
        if self.player == pyspiel.PlayerId.TERMINAL:
            return f"illegal action: {action}; the game is over"
        if self.player == pyspiel.PlayerId.CHANCE:
            return f"illegal action: {action} (chance); legal: 0 to {len(self.weights) - 1}"
        setup = self.tree.setup
        return setup.refusal(setup.agents[self.player], action, self.legal)

    def resampled(self, seat: int, seed: int) -> "Node":
        """The same place for all that a seat knows; the rest depends on the number, and on nothing else."""
        if self.weights or self.position is None:
            raise pyspiel.SpielError("resample_from_infostate: not at a chance node; draw on to a decision")
        position = self.tree.redealt(self.position, seat, seed)
        return Redealt(self.tree, position, seat, unrolled(self.stories[seat]))

    @property
    def title(self) -> str:
        """What to call the place if it is a root."""
        return self.tree.setup.game.id

    def story(self, seat: int) -> str:
        """The information state of a seat: all that it did and saw change."""
        return " | ".join([self.tree.setup.agents[seat], *unrolled(self.stories[seat])])

    def sight(self, seat: int) -> str:
        """What a seat sees now."""
        return " ".join([self.tree.setup.agents[seat], *self._seen(seat, 0)])

    def _seen(self, seat: int, before: Any) -> list[str]:
        """What a seat sees that is not as before."""
        seen = self.sights[seat]
        return [f"{self.tree.labels[k]}={seen[k]}" for k in np.flatnonzero(seen != before).tolist()]

    @functools.cached_property
    def returns(self) -> list[float]:
        """What each player gets, P numbers: all 0 before the end."""
        if self.player != pyspiel.PlayerId.TERMINAL or self.position is None:
            return [0.0] * self.tree.setup.players
        values: list[float] = self.tree.returns(self.position).tolist()
        return values

    def __deepcopy__(self, memo: Any) -> "Node":
        return self

    def __reduce__(self) -> Any:
        if self.history is None:
            return getattr, (self.tree, "root")
        return _node_at, (self.root, unrolled(self.history))


class Redealt(Node):
    """A position as a seat may believe it to be: a root, since no history is known that leads there.

    story: what that seat did and saw so far. Those of the others begin with what they see here.
    """

    def __init__(self, tree: Tree, position: bytes, seat: int, story: Sequence[str]) -> None:
        self.tree, self.root, self.history, self.seat = tree, self, None, seat
        self._settle(position)
        self.stories = [
            linked(story if other == seat else [" ".join(self._seen(other, 0))])
            for other in range(tree.setup.players)
        ]

    @property
    def title(self) -> str:
        """What to call the place: for whom it was redealt, and a short hash of the position."""
        told = hashlib.sha256(self.position or b"").hexdigest()[:16]
        return f"{super().title} redealt for {self.tree.setup.agents[self.seat]}, {told}"

    def __reduce__(self) -> Any:
        return Redealt, (self.tree, self.position, self.seat, unrolled(self.stories[self.seat]))


def _node_at(root: Node, history: Sequence[int]) -> Node:
    return functools.reduce(root.tree.child, history, root)


@functools.lru_cache(4)
def _tree_of(name: str) -> Tree:
    return _game_of(name).tree


# --- pyspiel -----------------------------------------------------------------------------------


class FoodGame(pyspiel.Game):
    """A game in OpenSpiel; see the module. `setup` is the foodenvs set-up that it plays."""

    food: Game
    small: bool

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        params = dict(params or {})
        if "components" in params:
            params["components"] = _path_text(_path(params["components"]))
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
        return _game_of, (str(self),)  # pyspiel's own way forgets all that is not in C++

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


def _game_of(name: str) -> FoodGame:
    register()  # it may be another process
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
