"""The document of a game: read, written, and run again to any step.

The document holds game, options, seed and actions in words, and of every position a hash of what the seats
see. Running it again checks each hash, so a replay of changed rules or other cards says so instead of showing
another game.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from foodenvs import __version__
from foodenvs.core import documents
from foodenvs.core.checks import whole_number
from foodenvs.core.notation import Reader, seat_name
from foodenvs.core.setup import Setup
from foodenvs.envs.aec import FoodEnv
from foodenvs.envs.registry import named_game

FORMAT = "foodenvs replay 1"
_KEYS = (
    "format", "game", "foodenvs", "options", "components", "tables", "seed", "position", "agents", "start",
    "steps", "result",
)  # fmt: skip
_STEP_KEYS = ("agent", "action", "after", "secret", "probabilities")


class ReplayError(ValueError):
    """A document that is no replay, or whose game comes out differently here."""


@dataclass(frozen=True)
class Step:
    """One decision: who, which action in words, the hash of the position after it, what the agent thought.

    secret: whether the others were not told of it; probabilities: by action in words, where the agent told
    them (see `foodenvs.agents.Agent`), else empty.
    """

    agent: str
    action: str
    after: str
    secret: bool = False
    probabilities: dict[str, float] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """The step as the document has it, without what is false or empty."""
        plain: dict[str, Any] = {"agent": self.agent, "action": self.action, "after": self.after}
        plain |= {"secret": True} if self.secret else {}
        return plain | ({"probabilities": self.probabilities} if self.probabilities else {})


@dataclass(frozen=True)
class Replay:
    """A finished or running game.

    options: of the game; components: hash of the card data; tables: the card data itself where it was not
    the game's own, else empty; position: the view that the game started from, else empty (a deal);
    agents: who played, by seat; start: hash of the first position; result: scores, returns and truncated at
    the end, else empty.
    """

    game: str
    options: dict[str, Any]
    components: str
    tables: dict[str, Any]
    seed: int
    position: dict[str, Any]
    agents: dict[str, str]
    start: str
    steps: tuple[Step, ...] = ()
    result: dict[str, Any] = field(default_factory=dict)
    foodenvs: str = __version__

    def as_dict(self) -> dict[str, Any]:
        """The document."""
        plain: dict[str, Any] = {key: getattr(self, key) for key in _KEYS[1:]}
        return {"format": FORMAT, **plain, "steps": [step.as_dict() for step in self.steps]}

    def save(self, path: Any) -> None:
        """Write the document into a file, one step a line."""
        head = self.as_dict()
        steps = ",\n  ".join(json.dumps(step) for step in head.pop("steps"))
        body = json.dumps(head)[:-1] + ',\n "steps": [\n  ' + steps + "\n ]}\n"
        documents.write(path, body)

    def make(self) -> FoodEnv:
        """The environment of the game, dealt and checked; ReplayError where it does not come out the same."""
        env = FoodEnv(self.setup())
        self._deal(env)
        return env

    def _deal(self, env: FoodEnv) -> None:
        """Bring an environment to the first position."""
        try:
            env.reset(seed=self.seed, options={"position": self.position} if self.position else None)
        except ValueError as error:
            raise self._differs(str(error)) from error
        self._check(env, self.start, "the first position")

    def setup(self) -> Setup:
        """The set-up of the game; ReplayError where there is none such here."""
        try:
            game = named_game(self.game, "game")
        except ValueError as error:
            raise self._differs(str(error)) from None
        if game.id != self.game:
            raise self._differs(f"it is of {self.game}, this library has {game.id}")
        try:
            setup = Setup(game, self.options, self.tables or None)
        except (ValueError, TypeError) as error:
            raise self._differs(str(error)) from error
        here = components_hash(setup.components)
        if here != self.components:
            raise self._differs(
                f"the cards of {self.game} have changed since (components {self.components}, here {here})"
            )
        return setup

    def positions(self, env: FoodEnv | None = None) -> Iterator[FoodEnv]:
        """The environment after 0, 1, .. steps, each checked: the same object every time, moved on.

        env: one of the game's set-up to do it in; by default a new one.
        """
        if env is None:
            env = self.make()
        else:
            self._deal(env)
        yield env
        for number, step in enumerate(self.steps, 1):
            self._play(env, step, number)
            self._check(env, step.after, f"step {number} ({step.agent}: {step.action})")
            yield env
        if self.result and self.result != result_of(env):
            raise self._differs(f"the result is {result_of(env)} here, recorded was {self.result}")

    def at(self, step: int, env: FoodEnv | None = None) -> FoodEnv:
        """The environment after `step` steps; negative from the end, -1 = after the last. env: as there."""
        places, number = range(len(self.steps) + 1), whole_number(step)
        if number is None or not -len(places) <= number < len(places):
            raise ReplayError(f"replay: step must be 0 to {len(self.steps)}, got {step!r}")
        for place, here in enumerate(self.positions(env)):
            if place == places[number]:
                return here
        raise AssertionError("positions are one more than steps")

    def verify(self) -> None:
        """Run the whole game; ReplayError at the first position that differs."""
        for _ in self.positions():
            pass

    def _check(self, env: FoodEnv, recorded: str, where: str) -> None:
        if env.position.sight_hash() != recorded:
            raise self._differs(f"at {where} the seats see something else than was recorded")

    def _play(self, env: FoodEnv, step: Step, number: int) -> None:
        """Play a recorded step; ReplayError if it is not that agent's turn or not a legal action."""
        turn = env.agent_selection if env.position.turn >= 0 else "nobody"
        if turn != step.agent:
            raise self._differs(f"step {number}: it is the turn of {turn}, recorded was {step.agent}")
        try:
            env.step(env.parse_action(step.action))
        except ValueError as error:
            raise self._differs(f"step {number}: {error}") from None

    def _differs(self, how: str) -> ReplayError:
        return ReplayError(f"replay: {how}; {self.made_by()}")

    def made_by(self) -> str:
        """Which version of the library made it, and which this is."""
        return f"it was made by foodenvs {self.foodenvs}, this is {__version__}"


def components_hash(tables: Mapping[str, Any]) -> str:
    """A short hash of card data."""
    return _short(json.dumps(tables, sort_keys=True).encode())


def result_of(env: FoodEnv) -> dict[str, Any]:
    """The result of a game; empty while it runs."""
    if not env.position.over:
        return {}
    return {
        "scores": env.scores(),
        "returns": {agent: round(value, 9) for agent, value in env.returns().items()},
        "truncated": env.position.truncated,
    }


def _short(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=8).hexdigest()


# --- reading -----------------------------------------------------------------------------------


def load(path: Any) -> Replay:
    """The replay in a file. OSError if it cannot be read, ReplayError if it is none."""
    return from_json(Path(path).read_bytes(), str(path))


def from_json(document: str | bytes, where: str = "replay") -> Replay:
    """The replay in a document; ReplayError that names the key for anything else."""
    read = Reader(documents.from_json(document, where, ReplayError), where, ReplayError, _KEYS)
    read.choice("format", (FORMAT,))
    seats = [seat_name(seat) for seat in range(len(read.get("agents", dict)))]
    agents = read.table("agents", seats)
    return Replay(
        game=read.get("game", str),
        options=read.get("options", dict),
        components=read.get("components", str),
        tables=read.get("tables", dict),
        seed=read.integer("seed", 0, 2**63 - 1),
        position=read.get("position", dict),
        agents={seat: agents.get(seat, str) for seat in seats},
        start=read.get("start", str),
        steps=tuple(map(_read_step, read.tables("steps", "step", _STEP_KEYS))),
        result=read.get("result", dict),
        foodenvs=read.get("foodenvs", str),
    )


def _read_step(read: Reader) -> Step:
    probabilities = read.table("probabilities", default={})
    return Step(
        read.get("agent", str),
        read.get("action", str),
        read.get("after", str),
        read.get("secret", bool, False),
        {action: probabilities.number(action, 0, 1) for action in probabilities.data},
    )
