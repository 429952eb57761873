"""A game as one JSON document: written while it is played, re-run to any step, shown as any seat saw it.

    recorder = Recorder(foodenvs.make("scratch_catch"))        # an AEC environment that remembers
    recorder.reset(seed=1)
    ...
    recorder.replay(agents={"player_0": "greedy"}).save("game.json")

    for env in load("game.json").positions():                  # from the deal to the last position
        print(env.table("player_0"))

The document holds game, options, seed and actions in words, and of every position a hash of what the seats
see. Running it again checks each hash, so a replay of changed rules or other cards says so instead of showing
another game.
"""

import copy
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from pettingzoo.utils import BaseWrapper

from foodenvs import __version__, documents
from foodenvs.aec import FoodEnv
from foodenvs.arena.block import seatings
from foodenvs.arena.play import line_up, play_on, seat_agents
from foodenvs.components import load_components
from foodenvs.engine import game_seed
from foodenvs.game import Setup, check_seed, whole_number
from foodenvs.notation import Reader, seat_name
from foodenvs.registration import named_game

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
        env = FoodEnv(self._setup())
        self._deal(env)
        return env

    def _deal(self, env: FoodEnv) -> None:
        """Bring an environment to the first position."""
        try:
            env.reset(seed=self.seed, options={"position": self.position} if self.position else None)
        except ValueError as error:
            raise self._differs(str(error)) from error
        self._check(env, self.start, "the first position")

    def _setup(self) -> Setup:
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


# --- recording ---------------------------------------------------------------------------------


class Recorder(BaseWrapper):
    """An environment that remembers its game since the last reset; everything else is as it was.

    However the environment goes back to a position of that game (`restore`, for one), the record goes on from
    there. At any other position that it did not come to by steps of the recorder, `step` and `replay` raise
    RuntimeError.
    """

    def __init__(self, env: Any) -> None:
        if not isinstance(env.unwrapped, FoodEnv):
            raise ValueError(f"only environments of foodenvs can be recorded, got {env}")
        super().__init__(env)
        self._steps: list[Step] = []
        self._states: list[str] = []  # after 0, 1, .. steps
        self._start: tuple[int, dict[str, Any], str] = 0, {}, ""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """As the environment's; the record begins anew."""
        super().reset(seed=seed, options=options)
        inner = self.unwrapped
        position = copy.deepcopy(dict((options or {}).get("position") or {}))
        self._start = (inner.dealt_from(), position, inner.position.sight_hash())
        self._steps, self._states = [], [inner.position.state_hash()]

    def agent_iter(self, max_iter: int = 2**63) -> Any:
        """As the environment's."""
        return self.env.agent_iter(max_iter)

    def last(self, observe: bool = True) -> Any:
        """As the environment's."""
        return self.env.last(observe)

    def step(self, action: Any, probabilities: Mapping[str, float] | None = None) -> None:
        """As the environment's; probabilities: of the actions in words, if the agent tells them."""
        inner, here = self.unwrapped, self._here()
        agent, legal = inner.possible_agents[inner.position.turn], inner.is_legal(action)
        super().step(action)
        if legal:
            (_, index, secret), seen = inner.position.log.last, inner.position.sight_hash()
            step = Step(agent, inner.action_name(index), seen, secret, dict(probabilities or {}))
            self._steps[here:] = [step]
            self._states[here + 1 :] = [inner.position.state_hash()]

    def _check_reset(self) -> None:
        if not self._states:
            raise RuntimeError("call reset() first")

    def _here(self) -> int:
        """After how many of the steps the environment stands."""
        self._check_reset()
        here = self.unwrapped.position.state_hash()
        for step in reversed(range(len(self._states))):
            if self._states[step] == here:
                return step
        raise RuntimeError(
            "the environment has come to a position that was not recorded, by another way than step() and "
            "reset() of the recorder; rewind() goes back to one that was, reset() begins a new record"
        )

    @classmethod
    def resume(cls, replay: Replay) -> "Recorder":
        """The environment at the end of a replay, ready to go on."""
        env = FoodEnv(replay._setup())
        recorder = cls(env)
        recorder._start = (replay.seed, replay.position, replay.start)
        recorder._steps = list(replay.steps)
        recorder._states = [each.position.state_hash() for each in replay.positions(env)]
        return recorder

    def rewind(self, step: int) -> None:
        """Go back to the position after `step` steps, as `Replay.at` counts, and forget what came after."""
        self._check_reset()
        inner, steps = self.unwrapped, len(self._steps)
        inner.restore(self._replay(steps, {}).at(step, copy.deepcopy(inner)).snapshot())
        kept = range(steps + 1)[step]
        self._steps, self._states = self._steps[:kept], self._states[: kept + 1]

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps recorded."""
        return tuple(self._steps)

    def replay(self, agents: Any = None) -> Replay:
        """The game so far. agents: who plays, by name of the seat or in seat order; ids or objects."""
        setup = self.unwrapped.setup
        names = seat_agents(setup, agents) if agents else []
        seated = dict(zip(setup.agents, map(agent_label, names), strict=False))
        return self._replay(self._here(), seated, result_of(self.unwrapped))

    def _replay(self, steps: int, agents: dict[str, str], result: dict[str, Any] | None = None) -> Replay:
        setup = self.unwrapped.setup
        seed, position, start = self._start
        own = load_components(setup.game.home)
        tables = setup.components
        return Replay(
            game=setup.game.id,
            options=dict(setup.options),
            components=components_hash(tables),
            tables={} if tables == own else dict(tables),
            seed=seed,
            position=position,
            agents=agents,
            start=start,
            steps=tuple(self._steps[:steps]),
            result=result or {},
        )


def agent_label(agent: Any) -> str:
    """What an agent is called in a document: its id, or its class."""
    return documents.whole(agent if isinstance(agent, str) else type(agent).__name__)


def record(env: FoodEnv, agents: Any, seed: int) -> Replay:
    """Play one game to its end, as `foodenvs.play` does it, and give its replay."""
    recorder, setup = Recorder(env.unwrapped), env.setup
    seated = seat_agents(setup, agents)

    def step(action: Any, agent: Any) -> None:
        recorder.step(action, told_probabilities(setup, agent))

    play_on(recorder, seated, check_seed(seed), step=step)
    return recorder.replay(seated)


def told_probabilities(setup: Setup, agent: Any) -> dict[str, float]:
    """The probabilities that an agent tells of its last decision, by action in words; those of 0 left out."""
    told = getattr(agent, "probabilities", None)
    if told is None:
        return {}
    values = np.asarray(told, float)
    return {setup.action_name(int(a)): round(float(values[a]), 4) for a in np.flatnonzero(values > 0)}


def save_match(setup: Setup, agents: Sequence[Any], games: int, seed: int, folder: Path) -> list[Path]:
    """Write the first games of a match (see `foodenvs.arena.match`) into a folder, one file for each.

    Each is played again from its own seed, which gives the same game.
    """
    folder.mkdir(parents=True, exist_ok=True)
    lineup = line_up(setup, agents)
    orders, saved = seatings(setup, lineup), []
    for number in range(games):
        deal, seating = divmod(number, len(orders))
        at_seats = [lineup[k] for k in orders[seating]]
        path = folder / f"{setup.game.name}-{seed}-{number:04}.json"
        record(FoodEnv(setup), at_seats, int(game_seed(seed, 0, deal))).save(path)
        saved.append(path)
    return saved


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
