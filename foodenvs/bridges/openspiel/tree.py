"""The tree of a game: nodes, each with a position and what each player has seen on the way there."""

import functools
import hashlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from foodenvs.bridges.openspiel.chance import Drawn, OpenDraw, Seeded
from foodenvs.core.errors import extra
from foodenvs.core.position import Position
from foodenvs.core.setup import Setup
from foodenvs.engine import score_margins

with extra("openspiel", "foodenvs.openspiel"):
    import pyspiel

NODES_KEPT = 2**16  # of a game with chance="draws"


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
    from foodenvs.bridges.openspiel.adapter import load_game  # which stands on the tree

    return load_game(name).tree
