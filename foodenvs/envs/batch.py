"""`Batch`: many games at once over buffers that the caller reads. It knows no game."""

import functools
import itertools
import json
import os
import secrets
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any, Concatenate, ParamSpec

import numpy as np

from foodenvs.agents.base import agent_seed
from foodenvs.core import saved
from foodenvs.core.checks import (
    check_actions,
    check_count,
    check_made_alike,
    check_seed,
)
from foodenvs.core.series import Series
from foodenvs.core.setup import Setup
from foodenvs.engine import network, start_stream
from foodenvs.engine.batch import Arrays, Lineup, Parts, Report, Slots
from foodenvs.engine.random import game_seed
from foodenvs.engine.shared import EXTERNAL, RANDOM
from foodenvs.envs.aec import FoodEnv
from foodenvs.envs.configuration import Configuration

MOST_PASSED_OVER = 1000  # games in a row, after which nobody will be asked in the next ones either
_SAMPLING = 2**31 - 1  # the "game" whose seed starts the stream of `sample`; no slot plays so many

_P = ParamSpec("_P")


class Batch:
    """N games of one set-up; a game that ends is followed at once by the next of its slot.

    Game k of slot i starts from `game_seed(seed, i, k)`, and `make(...).reset(seed=that)` is the same game.
    Results depend neither on `threads` nor on N. Buffers (P players, D observation length, A actions), owned
    by the batch, overwritten by every step, never reallocated:

    observation  int8 [N, D]     what the seat to act sees (raw counts)
    action_mask  int8 [N, A]     1 = legal for the seat to act
    seat         int8 [N]        the seat to act
    rewards      float32 [N, P]  of the last step
    terminated   bool [N]        the last step ended the game by the rules (or by an illegal action)
    truncated    bool [N]        the last step ended it by a limit (or by an illegal action)
    scores       int32 [N, P]    final scores of the game that ended last in the slot
    illegal      bool [N]        the action was refused in the last step; that game is untouched
    final_observation int8 [N, P, D]  with `final`: what each seat saw at the end of the game that ended last

    `terminated`, `truncated`, `scores` and `rewards` speak of the game that just ended, the rest of the new
    one. An illegal action never raises: with illegal="penalize" its seat gets -1 and is asked again, until
    the `max_refusals`-th refusal in a game truncates it; with "terminate" it gets -1 and the game ends (see
    `foodenvs.envs.aec.FoodEnv` for what these ends pay).

    seed: of all games; None for one that nobody chose, which the attribute `seed` then tells.

    seating: who plays each seat of the game that starts from a seed, asked once for each game: whole numbers
    [P], 0 for the random agent, k for the game's k-th agent, and after these for the networks of the image
    `networks`, see `foodenvs.agents.inside.engine_players` (all of them play inside the engine, so that a
    step goes on to the next seat from outside and pays what happens on the way), below 0 for a seat from
    outside; of these there is at least one. `player` int8 [N, P] says it of the running games. What happens
    before a seat from outside is asked is paid with that seat's first step. A game that ends before is passed
    over: instead of it the next of its own series is played, as `make(...).reset()` deals it after
    `reset(seed=...)`; a ValueError says so where no game will do. Without seating all seats are played from
    outside.
    """

    def __init__(
        self,
        setup: Setup,
        num_envs: int,
        *,
        seed: int | None = 0,
        rewards: str = "win",
        illegal: str = "raise",
        max_refusals: int = 100,
        final: bool = False,
        threads: int = 1,
        seating: Callable[[int], Sequence[int]] | None = None,
        networks: network.Float32s = network.NONE,
    ) -> None:
        configuration = Configuration(setup, illegal, max_refusals, rewards)
        self._make(configuration, num_envs, final, threads, seating, networks)
        self.reset(secrets.randbits(63) if seed is None else seed)

    def _make(
        self,
        configuration: Configuration,
        num_envs: int,
        final: bool,
        threads: int,
        seating: Callable[[int], Sequence[int]] | None,
        networks: network.Float32s,
    ) -> None:
        self.configuration, self.setup, self.seed = configuration, configuration.setup, 0
        self.num_envs = n = check_count("num_envs", num_envs)
        self.threads = min(check_count("threads", threads), n)
        self._final, self._seating, self._networks = bool(final), seating, networks
        self._inside = len(self.setup.game.agents.AGENTS) + int(
            networks[0]
        )  # the greatest number of a player
        self._make_buffers(n)
        bounds = np.linspace(0, n, self.threads + 1).astype(np.int64).tolist()
        self._slices = list(itertools.pairwise(bounds))

    def _make_buffers(self, n: int) -> None:
        setup = self.setup
        players, length = setup.players, setup.length
        self.observation = np.zeros((n, length), np.int8)
        self.action_mask = np.zeros((n, setup.actions), np.int8)
        self.seat = np.zeros(n, np.int8)
        self.rewards = np.zeros((n, players), np.float32)
        self.terminated = np.zeros(n, np.bool_)
        self.truncated = np.zeros(n, np.bool_)
        self.scores = np.zeros((n, players), np.int32)
        self.illegal = np.zeros(n, np.bool_)
        self.final_observation = np.zeros((n if self._final else 0, players, length), np.int8)
        self.player = np.full((n, players), EXTERNAL, np.int8)
        self._coming = self.player.copy()  # who plays the next game of each slot, and from which streams
        self._agent_streams = np.zeros((n, players, 4), np.uint32)
        self._coming_streams = np.zeros((n, players, 4), np.uint32)
        self._lost = np.zeros(1, np.int64)
        self._all, self._none = np.ones(n, np.bool_), np.zeros(n, np.bool_)
        self._states = setup.new_states(n)
        self._games = np.zeros(n, np.int64)
        self._passed_over = np.zeros(n, np.int64)  # games in place of which the running one is played
        self._paid = np.zeros((n, players))
        self._refusals = np.zeros(n, np.int64)  # in the running games
        self._streams = np.zeros((n, 4), np.uint32)
        self._sampled = np.zeros(n, np.int64)
        self._slots: Arrays = tuple(
            Slots(
                self._states, self._games, self._paid, self._refusals, self.observation, self.action_mask,
                self.seat,
            )
        )  # fmt: skip
        self._report: Arrays = tuple(
            Report(
                self.rewards, self.terminated, self.truncated, self.scores, self.illegal,
                self.final_observation,
            )
        )  # fmt: skip
        self._lineup: Arrays = tuple(
            Lineup(
                self.player,
                self._coming,
                self._agent_streams,
                self._coming_streams,
                self._networks,
                self._lost,
            )
        )

    def reset(self, seed: int | None = None) -> None:
        """Start game 0 of every slot, of the given seed or of the same as before."""
        if seed is not None:
            self.seed = check_seed(seed)
        self._games[:] = 0
        self._passed_over[:] = 0
        self._refusals[:] = 0
        for buffer in (self.rewards, self.terminated, self.truncated, self.scores, self.illegal):
            buffer[...] = 0
        self.final_observation[...] = 0
        self._broken_off = True
        for i in range(self.num_envs):
            start_stream(self._streams[i], game_seed(self.seed, i, _SAMPLING))
            self._seat(i, self.game_seed(i))
        self._each_slice(self.setup.engine.reset, self.setup.boxes, self.seed, self._slots)
        self._respond(self._all, self._all, self._none)
        self._broken_off = False

    def step(self, actions: Any, active: np.ndarray | None = None, unasked: np.ndarray | None = None) -> None:
        """Play one action in every slot and write the buffers.

        actions: whole numbers [N]. Raises ValueError for another shape, TypeError for another dtype.
        active: bool [N]; slots where it is False are left as they are, with all that the buffers say of them.
        unasked: bool [N], for a caller with `seating` to whom only some seats from outside count: in whose
        running game none of these was asked yet. Nothing of such a game is paid before, and one that ends is
        passed over.
        RuntimeError after a step or reset that was broken off half-way (by Ctrl-C, say).
        """
        self._check_whole()
        actions = self.checked(actions)
        if active is None:
            active = self._all
        if unasked is None:
            unasked = self._none
        self._broken_off = True
        self._each_slice(self.setup.engine.step, self._parts, actions, active, unasked)
        self._respond(active, self.terminated | self.truncated, unasked)
        self._broken_off = False

    @property
    def _parts(self) -> Parts:
        c = self.configuration
        terms = self.seed, c.reward_mode, c.illegal_mode, c.max_refusals
        return self.setup.boxes, terms, self._slots, self._report

    def _check_whole(self) -> None:
        if self._broken_off:
            raise RuntimeError("call reset() first: the last step or reset was broken off half-way")

    def checked(self, actions: Any) -> np.ndarray:
        """Actions as int64 [N]; ValueError for another shape, TypeError for another dtype."""
        return check_actions(actions, self.num_envs)

    def _respond(self, active: np.ndarray, begun: np.ndarray, unasked: np.ndarray) -> None:
        """The engine's agents play on, and who plays the games after the new ones is settled."""
        if self._seating is None:
            return
        self._agents_play(active, begun, unasked)
        begun = (begun | self.terminated | self.truncated) & active
        self._passed_over[begun] = 0
        while (idle := active & (self.seat < 0)).any():
            for i in np.flatnonzero(idle).tolist():
                self._pass_over(i)
            self._agents_play(idle, idle, idle)
            begun |= idle
        for i in np.flatnonzero(begun).tolist():
            self._seat(i, self.game_seed(i, 1))

    def _agents_play(self, active: np.ndarray, begun: np.ndarray, unasked: np.ndarray) -> None:
        self._each_slice(self.setup.engine.respond, self._parts, self._lineup, begun, active, unasked)
        if self._lost[0]:
            plays = self.player[np.arange(self.num_envs), self.seat]
            i = int(np.flatnonzero((self.seat >= 0) & (plays >= 0))[0])
            raise self.setup.blame(int(plays[i]), int(self.seat[i]), self.observation[i], self.action_mask[i])

    def _pass_over(self, i: int) -> None:
        """Deal the next game of the series of the one that ended in slot i before it had asked anybody."""
        if self._passed_over[i] == MOST_PASSED_OVER:
            raise ValueError(
                f"{MOST_PASSED_OVER} games in a row ended before a seat that is played from outside was asked"
            )
        self._passed_over[i] += 1
        number = self.game_seed(i)
        self._seat(i, number)
        self._paid[i] = 0
        self.setup.engine.begin(self.setup.boxes, self._states[i : i + 1], number)
        self._ask(i)

    def _ask(self, i: int) -> None:
        """After the record of slot i was written: who is to act there, and what it sees."""
        self.seat[i] = self.setup.engine.ask(
            self.setup.boxes, self._states[i : i + 1], self.observation[i], self.action_mask[i]
        )

    def game_seed(self, i: int, ahead: int = 0) -> int:
        """The seed of the running game of slot i, or of the one that many games ahead."""
        number = int(game_seed(self.seed, i, int(self._games[i]) + ahead))
        return number if ahead else Series(number, int(self._passed_over[i])).game_seed

    def show(self, i: int, env: FoodEnv) -> FoodEnv:
        """Put the position of the running game of slot i onto an environment of the same set-up."""
        env.place(self._states[i : i + 1], self._paid[i])
        return env

    def snapshot(self) -> dict[str, np.ndarray]:
        """All that changes and how the batch was made, as copies of plain arrays by name; see `restore`."""
        self._check_whole()
        arrays = {name: array.copy() for name, array in self._changing().items()}
        arrays["made"] = np.frombuffer(json.dumps(self._made).encode(), np.uint8).copy()
        seal = saved.remember(_checksum(arrays))
        return arrays | {"checksum": np.frombuffer(seal, np.uint8).copy()}

    def restore(self, snapshot: Mapping[str, Any]) -> None:
        """Go back to a snapshot of a batch that was made alike (threads and the seed aside).

        Raises ValueError that says what differs or is wrong, and changes nothing, for anything else. What
        this process did not make is checked, which takes some milliseconds for each game.
        """
        arrays = self._changing()
        try:
            given = {name: np.asarray(snapshot[name]) for name in (*arrays, "made", "checksum")}
            made, seal = json.loads(given["made"].tobytes()), given.pop("checksum").tobytes()
        except (TypeError, KeyError, ValueError, RecursionError):
            raise ValueError("this is no snapshot of a batch (or one of another version)") from None
        check_made_alike("the snapshot", made, self._made)
        for name, array in arrays.items():
            if given[name].shape != array.shape or given[name].dtype != array.dtype:
                raise ValueError(f"the snapshot is damaged: {name} does not fit")
        if _checksum(given) != seal:
            raise ValueError("the snapshot is damaged: its checksum is wrong")
        if not saved.is_known(seal):
            try:
                self._check(given)
            except ValueError as error:
                raise ValueError(f"the snapshot is damaged: {error}") from error
            saved.remember(seal)
        for name, array in arrays.items():
            array[...] = given[name]
        self.seed = int(given["seed"])
        for i in range(self.num_envs):
            self._ask(i)
        self._lost[:] = 0
        self._broken_off = False

    def _check(self, given: Mapping[str, np.ndarray]) -> None:
        """ValueError unless arrays of the right shapes are what this batch can come to."""
        check_seed(given["seed"].item())
        states = self.setup.new_states(self.num_envs)
        states.view(np.uint8)[:] = given["_states"]
        saved.check_positions(self.setup, states)
        if (states["turn"] < 0).any():
            raise ValueError("every game of a batch must be running")
        agents = EXTERNAL if self._seating is None else self._inside
        for name, low, high in (
            ("_games", 0, 2**62),
            ("_refusals", 0, self.configuration.max_refusals - 1),
            ("_passed_over", 0, MOST_PASSED_OVER),
            ("player", -128, agents),
            ("_coming", -128, agents),
        ):
            if given[name].min() < low or given[name].max() > high:
                raise ValueError(f"{name} must be {low} to {high}")
        if max(given[name].min(axis=1).max() for name in ("player", "_coming")) > EXTERNAL:
            raise ValueError("at least one seat of each game must be played from outside")

    def _changing(self) -> dict[str, np.ndarray]:
        """The arrays of a snapshot: all but those that are written anew before they are read."""
        named = {name: value for name, value in vars(self).items() if isinstance(value, np.ndarray)}
        for name in ("observation", "action_mask", "seat", "_all", "_none", "_sampled", "_lost", "_networks"):
            del named[name]
        return named | {"_states": self._states.view(np.uint8), "seed": np.array(self.seed)}

    @property
    def _made(self) -> dict[str, Any]:
        more = {"final": self._final, "num_envs": self.num_envs, "seating": self._seating is not None}
        return self.configuration.made | more

    def __getstate__(self) -> dict[str, Any]:
        made = (
            self.configuration, self.num_envs, self._final, self.threads, self._seating, self._networks
        )  # fmt: skip
        return {"made": made, "snapshot": self.snapshot()}

    def __setstate__(self, pickled: Any) -> None:
        try:
            snapshot = pickled["snapshot"]
            self._make(*pickled["made"])
        except (TypeError, KeyError, AttributeError):
            raise ValueError("this pickle is of no batch, or of another version") from None
        self.restore(snapshot)

    def _seat(self, i: int, number: int) -> None:
        """Say who plays the next game of slot i, which starts from the seed `number`."""
        if self._seating is None:
            return
        players = self._seating(number)
        if min(players) > EXTERNAL:
            raise ValueError(f"at least one seat must be played from outside, got {players}")
        if max(players) > self._inside:  # compiled code would read past the networks
            raise ValueError(f"a player of the engine is 0 to {self._inside}, got {players}")
        self._coming[i] = players
        for seat, player in enumerate(players):
            if player == RANDOM:
                start_stream(self._coming_streams[i, seat], agent_seed(number, seat))

    def sample(self) -> np.ndarray:
        """A uniformly random legal action for every slot, int64 [N], from streams of the batch's seed.

        The array is a buffer, overwritten by the next call.
        """
        self._each_slice(self.setup.engine.sample, self._streams, self.action_mask, self._sampled)
        return self._sampled

    def scaled(self) -> np.ndarray:
        """The observations as fresh float32 [N, D] in [0, 1]."""
        return self.setup.scaled(self.observation)

    def _each_slice(
        self, loop: Callable[Concatenate[int, int, _P], None], *arguments: _P.args, **named: _P.kwargs
    ) -> None:
        if self.threads == 1:
            loop(0, self.num_envs, *arguments, **named)
            return
        workers = _workers(os.getpid(), self.threads)
        slices = [workers.submit(loop, *bounds, *arguments, **named) for bounds in self._slices]
        try:
            for done in slices:
                done.result()
        finally:
            wait(slices)  # after Ctrl-C too: no thread goes on when the caller does


@functools.cache
def _workers(process: int, threads: int) -> ThreadPoolExecutor:
    """The threads that step batches in a process: those of its parent do not live on in a forked one."""
    return ThreadPoolExecutor(threads)


def _checksum(arrays: Mapping[str, np.ndarray]) -> bytes:
    return saved.checksum(*(arrays[name].tobytes() for name in sorted(arrays)))
