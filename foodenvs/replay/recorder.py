"""Records the game of an environment, and plays games to be recorded."""

import copy
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from pettingzoo.utils import BaseWrapper

from foodenvs.arena.deals import seatings
from foodenvs.arena.play import line_up, play_on, seat_agents
from foodenvs.core import documents
from foodenvs.core.checks import check_seed
from foodenvs.core.components import load_components
from foodenvs.core.setup import Setup
from foodenvs.engine import game_seed
from foodenvs.envs.aec import FoodEnv
from foodenvs.replay.document import Replay, Step, components_hash, result_of


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
        self._told: list[dict[str | None, str]] = []  # of each step, by viewer
        self._start: tuple[int, dict[str, Any], str] = 0, {}, ""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """As the environment's; the record begins anew."""
        super().reset(seed=seed, options=options)
        inner = self.unwrapped
        position = copy.deepcopy(dict((options or {}).get("position") or {}))
        self._start = (inner.dealt_from(), position, inner.position.sight_hash())
        self._steps, self._states, self._told = [], [inner.position.state_hash()], []

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
            self._told[here:] = [told_by_viewer(inner)]

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
        env = FoodEnv(replay.setup(), events=True)
        recorder = cls(env)
        recorder._start = (replay.seed, replay.position, replay.start)
        recorder._steps = list(replay.steps)
        for number, each in enumerate(replay.positions(env)):
            recorder._states.append(each.position.state_hash())
            if number:
                recorder._told.append(told_by_viewer(each))
        return recorder

    def rewind(self, step: int) -> None:
        """Go back to the position after `step` steps, as `Replay.at` counts, and forget what came after."""
        self._check_reset()
        inner, steps = self.unwrapped, len(self._steps)
        inner.restore(self._replay(steps, {}).at(step, copy.deepcopy(inner)).snapshot())
        kept = range(steps + 1)[step]
        del self._steps[kept:], self._states[kept + 1 :], self._told[kept:]

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps recorded."""
        return tuple(self._steps)

    def told(self, viewer: str | None = None) -> list[str]:
        """What came of each step recorded, in words, as a viewer was told it (see `FoodEnv.events`).

        RuntimeError unless the environment was made with `events=True`.
        """
        self.unwrapped.events(viewer)
        return [told[viewer] for told in self._told]

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


def told_by_viewer(env: FoodEnv) -> dict[str | None, str]:
    """What came of the last step, in words, by viewer; {} where the environment tells no events."""
    viewers = (None, "open", *env.possible_agents) if env.configuration.events else ()
    return {viewer: env.in_words(env.events(viewer)) for viewer in viewers}


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
