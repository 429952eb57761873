"""What an environment gives as bytes, and takes back: see `foodenvs.core.saved` for what is checked."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

import numpy as np

from foodenvs.core import saved
from foodenvs.core.checks import check_made_alike, check_seed
from foodenvs.core.events import Told
from foodenvs.core.log import Log
from foodenvs.core.notation import Reader
from foodenvs.core.series import Series
from foodenvs.envs.configuration import Configuration

_MAGIC = b"foodenvs snapshot 8\n"


@dataclass(frozen=True)
class Running:
    """What an environment shows of the game that runs: PettingZoo's attributes, and what they follow from."""

    agents: list[str]  # that are left
    agent_selection: str
    skip: str | None  # whom PettingZoo selects once those that are done have stepped
    rewards: list[float]  # of `agents`
    cumulative: list[float]
    ended: list[bool]  # terminated, truncated
    refusals: int = 0
    paid: Sequence[float] = ()  # see `Position`
    log: Any = None  # see `Log.plain`
    told: Any = None  # see `Told.plain`


class Snapshot(NamedTuple):
    """An environment: its series of games, the game that runs, if any, and the [1] record of its position."""

    series: Series
    running: Running | None
    states: np.ndarray

    def to_bytes(self, configuration: Configuration) -> bytes:
        """With a checksum, and how the environment was made."""
        running = None if self.running is None else vars(self.running)
        header = {"made": configuration.made} | vars(self.series) | {"running": running}
        body = json.dumps(header).encode() + b"\n" + self.states.tobytes()
        return _MAGIC + saved.remember(saved.checksum(body)) + body

    @classmethod
    def from_bytes(cls, snapshot: bytes, configuration: Configuration) -> "Snapshot":
        """What can be taken over by an environment that was made so; ValueError for anything else."""
        try:
            return cls._opened(snapshot, configuration)
        except RecursionError:
            raise ValueError("the snapshot is damaged: its header is nested too deep") from None

    @classmethod
    def _opened(cls, snapshot: bytes, configuration: Configuration) -> "Snapshot":
        if not isinstance(snapshot, bytes) or not snapshot.startswith(_MAGIC):
            raise ValueError("this is no snapshot of a foodenvs environment (or one of another version)")
        seal, body = (part := snapshot[len(_MAGIC) :])[: saved.CHECKSUM], part[saved.CHECKSUM :]
        if saved.checksum(body) != seal:
            raise ValueError("the snapshot is damaged: its checksum is wrong")
        header, _, state = body.partition(b"\n")
        try:
            plain = json.loads(header)
        except ValueError:
            plain = None
        if not isinstance(plain, dict):
            raise ValueError("the snapshot is damaged: its header cannot be read")
        check_made_alike("the snapshot", plain.get("made"), configuration.made)
        states = configuration.setup.new_states(1)
        if len(state) != states.nbytes:
            raise ValueError("the snapshot is damaged: its length is wrong")
        states.view(np.uint8)[:] = np.frombuffer(state, np.uint8)
        if not saved.is_known(seal):
            try:
                _check(plain, states, configuration)
            except ValueError as error:
                raise ValueError(f"the snapshot is damaged: {error}") from error
            saved.remember(seal)
        running = None if plain["running"] is None else Running(**plain["running"])
        return cls(Series(plain["seed"], plain["games"]), running, states)


def _check(plain: Any, states: np.ndarray, configuration: Configuration) -> None:
    """ValueError that names the key unless header and record go with each other and with the set-up."""
    read = Reader(plain, "header", ValueError, ("made", "seed", "games", "running"))
    if read.any("seed") is not None:
        check_seed(plain["seed"])
    read.integer("games", 0, 2**62)
    if read.any("running") is None:
        return
    setup = configuration.setup
    saved.check_positions(setup, states)
    names, turn = setup.agents, int(states["turn"][0])
    read = Reader(plain["running"], "header", ValueError, [f.name for f in fields(Running)])
    read.integer("refusals", 0, configuration.max_refusals)
    agents = read.items("agents", None, str)
    if agents != [name for name in names if name in agents]:
        raise read.fail("agents", f"must be out of {names}, got {agents}")
    selected = read.choice("agent_selection", names)
    if read.any("skip") is not None:
        read.choice("skip", names)
    if not any(read.items("ended", 2, bool)) and (turn < 0 or agents != names or selected != names[turn]):
        raise read.fail("ended", "must be true where nobody is to act")
    for key, count in (("paid", len(names)), ("rewards", len(agents)), ("cumulative", len(agents))):
        amounts = read.any(key)
        if not isinstance(amounts, list) or len(amounts) != count or not all(map(_is_amount, amounts)):
            raise read.fail(key, f"must be {count} numbers, got {amounts!r}")
    for key, kind in (("log", Log), ("told", Told)):
        if key == "log" or read.any(key) is not None:
            try:
                kind.from_plain(read.any(key), setup)
            except ValueError as error:
                raise read.fail(key, str(error)) from None


def _is_amount(value: Any) -> bool:
    return type(value) in (int, float) and abs(value) < 1e300  # neither infinite nor NaN
