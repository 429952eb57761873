"""One check of one subject within a time: games to look at, laws to hold them to, faults made small."""

import random
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from foodenvs.core.errors import told
from foodenvs.testing.drive import (
    Actions,
    Endless,
    NotPlayable,
    Position,
    Subject,
    choose,
    is_over,
    max_decisions,
)
from foodenvs.testing.report import FAILED, Check, Fault, Result, failure
from foodenvs.testing.worker import NoWorker

Law = Callable[[Position], Fault | None]
SHRINK_SECONDS = 0.3, 5.0  # at least and at most, else the time of the check
LEAST_POSITIONS = 4  # of every game walked, however little time there is
UNKNOWN_LENGTH = 100  # a guess at the decisions of a game, until one has been played


class Trial:
    """What a check works with.

    subject, seed; deadline in `time.monotonic()`; result, which collects what is found.
    few: where not None, exactly so many games are looked at, whatever time that takes, so that the same is
    found on every machine; of each about `positions`, drawn by the game's seed, or every position.
    A law is a function of a position: a `Fault` where it is broken there, else None. It must depend on
    the position alone, so that a fault can be shown again at the end of a shorter way.
    """

    def __init__(
        self,
        check: Check,
        subject: Subject,
        seconds: float,
        seed: int,
        few: int | None = None,
        positions: int | None = None,
    ) -> None:
        self.check, self.subject, self.seed = check, subject, seed
        self.seconds, self.few, self.positions = seconds, few, positions
        self.deadline = time.monotonic() + seconds
        self.result = Result(check.name)
        self.at = subject.position(subject.configurations[0], seed, [])  # where the check is
        self._known: set[str] = set()
        self._probed, self._spent = 0, 0.0
        self._lengths: list[int] = []

    def left(self) -> float:
        """Seconds left; below 0 when the time is up."""
        return self.deadline - time.monotonic()

    def count(self, what: str, n: int = 1) -> None:
        """Add to the number of things of a kind that were looked at."""
        self.result.counts[what] = self.result.counts.get(what, 0) + n

    def remark(self, text: str) -> None:
        """Add to the result what is no fault but worth telling, once."""
        if text not in self.result.remarks:
            self.result.remarks.append(text)

    # --- games and positions ---------------------------------------------------------------

    def games(self, share: float = 1.0, least: int | None = None) -> Iterator[tuple[dict[str, Any], int]]:
        """Configurations and game seeds in turn: each configuration once, then on while the time lasts.

        share: the part of the trial's time to spend.  least: so many configurations are enough.
        """
        until = time.monotonic() + share * self.seconds
        configurations = self.subject.configurations
        if least is not None:
            configurations = random.Random(self.seed).sample(configurations, len(configurations))
        least = min(least or len(configurations), len(configurations))
        game = 0
        while game < max(least, self.few or 0) or (self.few is None and time.monotonic() < until):
            configuration = configurations[game % len(configurations)]
            yield configuration, (self.seed * 1_000_003 + game) % 2**31
            self.count("games")
            game += 1

    def walk(
        self,
        share: float = 1.0,
        variants: Callable[[dict[str, Any], int], dict[str, Any]] | None = None,
        least: int | None = None,
    ) -> Iterator[Position]:
        """Positions of random games, the start and the end of each included, as many as there is time for.

        The caller may not change the environment of a position. variants: changes a configuration for a game.
        """
        until = time.monotonic() + share * self.seconds
        games = len(self.subject.configurations) if least is None else least
        for number, (configuration, seed) in enumerate(self.games(share, least)):
            if variants:
                configuration = variants(configuration, number)
            here = time.monotonic()
            remaining = max(until - here, 0.0) / max(games - number, 1)
            yield from self._walk_one(configuration, seed, remaining)

    def _walk_one(self, configuration: dict[str, Any], seed: int, seconds: float) -> Iterator[Position]:
        chance = random.Random(seed)
        position = self.subject.position(configuration, seed, [])
        try:
            env = position.fresh()
            while env.agents:
                if self._ends(position, env) or chance.random() < self._rate(env, seconds):
                    began = time.monotonic()
                    self.at = Position(self.subject, configuration, seed, list(position.actions), env)
                    yield self.at
                    self._spent += time.monotonic() - began
                    self._probed += 1
                    self.count("positions")
                action = choose(env, chance)
                position.actions.append(action)
                env.step(action)
            self._lengths.append(len(position.actions))
        except GeneratorExit:
            raise
        except Exception as error:
            self.crashed(error, position)

    @staticmethod
    def _ends(position: Position, env: Any) -> bool:
        """The first position of a game, and the first after its last decision."""
        return not position.actions or (is_over(env) and position.actions[-1] is not None)

    def _rate(self, env: Any, seconds: float) -> float:
        """The part of a game's positions to look at: so many as are wanted, or take about `seconds`."""
        if self.few is not None:
            if self.positions is None:
                return 1.0
            wanted: float = self.positions
        elif not self._probed:
            return 1.0
        else:
            wanted = max(LEAST_POSITIONS, seconds / max(self._spent / self._probed, 1e-6))
        lengths = self._lengths[-10:] or [(max_decisions(env) or UNKNOWN_LENGTH) // 2]
        return wanted * len(lengths) / sum(lengths)

    # --- faults ----------------------------------------------------------------------------

    def known(self, part: str) -> bool:
        """Whether a fault of this part was found already; one of each is enough."""
        return part in self._known

    def hold(self, law: Law, position: Position) -> Fault | None:
        """Hold a position to a law; a fault is made small and kept, unless one of its part is known."""
        fault = self.attempt(law, position)
        if fault and not self.known(fault.part):
            self._keep(law, position, fault)
        return fault

    def attempt(self, law: Law, position: Position) -> Fault | None:
        """The fault that a law finds; an error in it is a fault too."""
        try:
            return law(position)
        except NoWorker:
            raise
        except Endless:
            return Fault("endless", "the game does not end")
        except NotPlayable as error:
            return Fault("no legal action", str(error), probe=("assert env.last()[0]['action_mask'].any()",))
        except Exception as error:
            return Fault("error", told(error), found=told(error), expected="no error")

    def crashed(self, error: Exception, position: Position) -> None:
        """The environment raised an error while a game was played."""
        if isinstance(error, NotPlayable):
            self.hold(_has_a_move, position)
        else:
            self.hold(_plays, self.subject.position(position.configuration, position.seed, position.actions))

    def fail(self, fault: Fault, position: Position) -> None:
        """Keep a fault that no law of one position can show again."""
        if not self.known(fault.part):
            self._record(fault, position.actions, position)

    def stopped(self, error: Exception) -> None:
        """The check itself cannot go on, for an error of the environment where it is."""
        self.fail(
            Fault("error", f"stopped by {told(error)}", expected="no error", found=told(error)), self.at
        )

    def _keep(self, law: Law, position: Position, fault: Fault) -> None:
        def fails(actions: Sequence[Any]) -> Fault | None:
            candidate = self.subject.position(position.configuration, position.seed, actions)
            try:
                _ = candidate.env
            except Exception:
                if law is not _plays:
                    return None
            found = self.attempt(law, candidate)
            return found if found and found.part == fault.part else None

        actions, fault = shrink(position.actions, fault, fails, float(np.clip(self.seconds, *SHRINK_SECONDS)))
        self._record(fault, actions, position)

    def _record(self, fault: Fault, actions: Actions, position: Position) -> None:
        self._known.add(fault.part)
        self.result.status = FAILED
        self.result.failures.append(
            failure(
                self.check.name, fault, self.subject.address, position.configuration, position.seed, actions
            )
        )


def _plays(position: Position) -> Fault | None:
    """The actions can be played."""
    try:
        env = position.replayed()
        if env.agents:
            env.last()
            choose(env, random.Random(0))
    except NotPlayable:
        return None
    except Exception as error:
        return Fault("error", f"a legal action raises {told(error)}", expected="no error", found=told(error))
    return None


def _has_a_move(position: Position) -> Fault | None:
    env = position.env
    agent = env.agent_selection
    try:
        choose(env, random.Random(0))
    except NotPlayable:
        return Fault(
            "no legal action",
            f"{agent} is to act and its mask is all 0",
            agent,
            "agent_selection",
            "a legal action",
            "none",
            ("mask = env.infos[env.agent_selection].get('action_mask')",
             "assert (env.last()[0]['action_mask'] if mask is None else mask).any()"),
        )  # fmt: skip
    return None


def shrink(
    actions: Sequence[Any], fault: Fault, fails: Callable[[Sequence[Any]], Fault | None], seconds: float
) -> tuple[Actions, Fault]:
    """A shorter list of actions with the same fault: drops ever smaller runs while it still shows."""
    until = time.monotonic() + seconds
    best = list(actions if fault.steps is None else actions[: fault.steps])
    size = max(len(best), 1)
    while size and time.monotonic() < until:
        at, dropped = 0, False
        while at < len(best) and time.monotonic() < until:
            candidate = best[:at] + best[at + size :]
            found = fails(candidate)
            if found:
                fault, dropped = found, True
                best = candidate if found.steps is None else candidate[: found.steps]
            else:
                at += size
        size = size if dropped and size == 1 else size // 2
    return best, fault
