"""engines (ours): one game, whichever machinery plays it."""

import contextlib
import functools
import random
import sys
from typing import Any

import numpy as np

from foodenvs.testing.compare import difference
from foodenvs.testing.drive import Actions, Position
from foodenvs.testing.report import Check, Fault
from foodenvs.testing.trial import Trial
from foodenvs.testing.worker import NoWorker, Worker, digest

SLOTS = 5
THREADS = 3
STEPS = 60
ILLEGAL_EVERY = 11  # one action in so many is illegal


def unable(subject: Any) -> str:
    """Why the check cannot be run on a subject; "" for an environment of this library."""
    ours = sys.modules["foodenvs"].make
    return "" if subject.factory is ours else "only the games of this library have several engines"


def run(trial: Trial) -> None:
    """Compare every engine over one stream of games for each configuration and seed."""
    from foodenvs.engine import PURE

    other = "compiled" if PURE else "pure mode"
    with contextlib.ExitStack() as stack:
        worker: Worker | None = stack.enter_context(Worker(NUMBA_DISABLE_JIT="0" if PURE else "1"))
        for configuration, seed in trial.games():
            position = trial.subject.position(configuration, seed, [])
            trial.hold(batch_is_aec, position)
            if worker:
                try:
                    trial.hold(functools.partial(pure_is_compiled, worker=worker, other=other), position)
                except NoWorker as error:
                    trial.remark(f"{other} was not tried ({error})")
                    worker = None
            trial.count("streams")


# --- batch and AEC ------------------------------------------------------------------------------------


def _batch(configuration: dict[str, Any], seed: int, threads: int) -> Any:
    import foodenvs

    keywords = {name: value for name, value in configuration.items() if name not in ("raw", "render_mode")}
    return foodenvs.make_batch(num_envs=SLOTS, seed=seed, threads=threads, final=True, **keywords)


def _action(chance: random.Random, mask: np.ndarray, actions: int) -> int:
    """A random action of the caller's own, legal most of the time, outside the action space some of it."""
    if chance.randrange(ILLEGAL_EVERY) == 0:
        return chance.randrange(-2, actions + 2)
    return int(chance.choice(np.flatnonzero(mask)))


class _Slot:
    """What slot i of a batch must show, played with AEC environments."""

    def __init__(self, position: Position, slot: int) -> None:
        self.env = position.subject.make({**position.configuration, "raw": True})
        self.series, self.slot, self.game = position.seed, slot, 0
        self.actions: Actions = []
        self._deal()

    def _deal(self) -> None:
        from foodenvs.engine import game_seed

        self.seed = int(game_seed(self.series, self.slot, self.game))
        self.env.reset(seed=self.seed)
        self.actions = []

    def step(self, action: int) -> dict[str, Any]:
        """Play an action as the batch does, and tell what its buffers must hold in this slot."""
        from foodenvs.core.errors import IllegalActionError

        env, players = self.env, len(self.env.possible_agents)
        legal = 0 <= action < env.setup.actions and bool(
            env.infos[env.agent_selection]["action_mask"][action]
        )
        self.actions.append(action)
        rewards = [0.0] * players
        try:
            env.step(action)
            rewards = [env.rewards[agent] for agent in env.possible_agents]
        except IllegalActionError:
            pass
        told = {
            "rewards": np.array(rewards, np.float32),
            "illegal": not legal,
            "terminated": any(env.terminations.values()),
            "truncated": any(env.truncations.values()),
        }
        if told["terminated"] or told["truncated"]:
            told["scores"] = np.array(list(env.scores().values()), np.int32)
            told["final_observation"] = np.array([env.observe(a)["observation"] for a in env.possible_agents])
            self.game += 1
            self._deal()
        seen = self.env.observe(self.env.agent_selection)
        told["seat"] = self.env.possible_agents.index(self.env.agent_selection)
        told["observation"], told["action_mask"] = seen["observation"], seen["action_mask"]
        return told


def batch_is_aec(position: Position) -> Fault | None:
    """Every buffer of a batch, with any number of threads, is what AEC environments give."""
    parts = {"batch": 1, "threads": THREADS}
    batches = {part: _batch(position.configuration, position.seed, n) for part, n in parts.items()}
    batch = batches["batch"]
    slots = [_Slot(position, i) for i in range(SLOTS)]
    chance = random.Random(position.seed)
    for _ in range(STEPS):
        actions = [_action(chance, mask, batch.setup.actions) for mask in batch.action_mask]
        for each in batches.values():
            each.step(np.array(actions))
        for i, slot in enumerate(slots):
            ways, seed = [*slot.actions, actions[i]], slot.seed
            for name, expected in slot.step(actions[i]).items():
                for part, each in batches.items():
                    held = getattr(each, name)[i]
                    held = held if isinstance(held, np.ndarray) else held.item()
                    found = difference(expected, held, f"{name}[{i}]")
                    if found:
                        return _apart(part, position, found, seed, ways)
    return None


def _apart(part: str, position: Position, found: tuple[str, Any, Any], seed: int, actions: Actions) -> Fault:
    source, expected, value = found
    return Fault(
        part,
        f"batch.{source} is not what the AEC environment gives for game seed {seed} and actions {actions}",
        None,
        f"batch.{source}", expected, value,
        ("from foodenvs.testing import check",
         f"configurations = [{position.configuration!r}]",
         "report = check(env.setup.game.name, checks=['engines'], seconds=1, configurations=configurations)",
         "assert report.passed, report"),
    )  # fmt: skip


# --- pure and compiled ---------------------------------------------------------------------------------


def stream(configuration: dict[str, Any], seed: int, full: int = -1) -> Any:
    """A batch and an AEC environment driven by random actions: a hash of all they hold after every step.

    full: the number of a step, of which all is returned instead.
    """
    import foodenvs

    batch = _batch(configuration, seed, 1)
    env = foodenvs.make(**configuration)
    env.reset(seed=seed)
    chance, hashes = random.Random(seed), []
    for step in range(STEPS):
        batch.step(np.array([_action(chance, mask, batch.setup.actions) for mask in batch.action_mask]))
        if not all(env.infos[env.agent_selection]["action_mask"] == 0):
            env.step(int(chance.choice(np.flatnonzero(env.infos[env.agent_selection]["action_mask"]))))
        held = {name: getattr(batch, name) for name in BUFFERS}
        held |= {"observe()": env.observe(env.agent_selection), "rewards": env.rewards, "view()": env.view()}
        held |= {
            "snapshot()": env.snapshot(),
            "seat_views()": [env.seat_view(a) for a in env.possible_agents],
        }
        if step == full:
            return held
        hashes.append(digest(held))
    return hashes


BUFFERS = (
    "observation", "action_mask", "seat", "rewards", "terminated", "truncated", "scores", "illegal",
    "final_observation",
)  # fmt: skip


def pure_is_compiled(position: Position, worker: Worker, other: str) -> Fault | None:
    """The same streams in a process without the compiler (or with it, if this one is without)."""
    asked = (position.configuration, position.seed)
    here, there = stream(*asked), worker.ask(stream, *asked)
    if here == there:
        return None
    step = next(k for k, (a, b) in enumerate(zip(here, there, strict=True)) if a != b)
    found = difference(stream(*asked, step), worker.ask(stream, *asked, step))
    source, a, b = found or ("", "equal", "equal")
    return Fault(
        "pure", f"{other} gives another {source} after {step + 1} steps of random play", None, source, a, b,
        ("from foodenvs.testing.checks.engines import stream",
         "# the same in a process with NUMBA_DISABLE_JIT=1",
         f"print(stream({position.configuration!r}, {position.seed}, {step}){source})"),
    )  # fmt: skip


ENGINES = Check(
    "engines",
    "One game, whichever machinery plays it (for the environments of this library). With random actions "
    "chosen by the test, illegal ones among them, a batch gives byte for byte what AEC environments give: "
    "observations, masks, seats, rewards, scores, ends, refusals; with one thread and with several; and a "
    "process without the compiler gives the same bytes as one with it, snapshots and views included. Over "
    "all player counts and all pairs of option values.",
    0.15,
    run,
    unable,
)
