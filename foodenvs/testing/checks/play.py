"""play: the interface holds over whole games."""

import contextlib
import io
import math
import os
import random
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from gymnasium import spaces

from foodenvs.core.setup import Setup
from foodenvs.testing.drive import (
    LONGEST,
    Actions,
    Endless,
    NotPlayable,
    Position,
    choose,
    demand_legal,
    is_done,
    is_over,
    max_decisions,
)
from foodenvs.testing.report import Check, Fault
from foodenvs.testing.trial import Trial

API_CYCLES = 100


def run(trial: Trial) -> None:
    """Hold the configurations to PettingZoo's tests and the render modes, and random games to the referee."""
    for configuration in trial.subject.configurations:
        if trial.left() < 0.6 * trial.seconds and configuration is not trial.subject.configurations[0]:
            break
        for law in (
            passes_api_test,
            passes_seed_test,
            *(_renders(mode) for mode in ("ansi", "rgb_array", "human")),
        ):
            trial.hold(law, trial.subject.position(configuration, trial.seed, []))
    for configuration, seed in trial.games(share=0.6):
        chance = random.Random(seed)
        referee = Referee(trial.subject.make(configuration))
        referee.env.reset(seed=seed)
        position = trial.subject.position(configuration, seed, [])
        try:
            position.actions = referee.play(chance)
        except Exception as error:
            position.actions = referee.actions
            trial.crashed(error, position)
            continue
        if referee.fault:
            trial.hold(keeps_the_rules_of_play, position)


# --- PettingZoo's own tests and pictures -------------------------------------------------------------


def passes_api_test(position: Position) -> Fault | None:
    """PettingZoo's `api_test` finds nothing wrong."""
    from pettingzoo.test import api_test  # warns, where the extra classic is installed

    return _upstream("api_test", lambda: api_test(position.fresh(), num_cycles=API_CYCLES))


def passes_seed_test(position: Position) -> Fault | None:
    """PettingZoo's `seed_test` finds nothing wrong."""
    from pettingzoo.test import seed_test

    make = position.subject.make
    return _upstream(
        "seed_test", lambda: seed_test(lambda: make(position.configuration), num_cycles=API_CYCLES)
    )


def _upstream(name: str, test: Any) -> Fault | None:
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            test()
    except (NotPlayable, Endless):
        raise
    except Exception as error:
        text = f"{type(error).__name__}: {error}"
        probe = {
            "api_test": ("from pettingzoo.test import api_test", f"api_test(env, num_cycles={API_CYCLES})"),
            "seed_test": (
                "from pettingzoo.test import seed_test",
                f"seed_test(lambda: env, num_cycles={API_CYCLES})",
            ),
        }[name]
        return Fault(name, f"PettingZoo's {name} fails: {text}", probe=probe, expected="no error", found=text)
    return None


def _renders(mode: str) -> Any:
    def renders(position: Position) -> Fault | None:
        """A declared render mode gives what it must: text, an image, or None for a window."""
        declared = position.env.metadata.get("render_modes") or []
        if mode not in declared or (mode == "human" and not _display()):
            return None
        part = f"render {mode}"
        asked = {**position.configuration, "render_mode": mode}
        env = position.subject.make(asked)
        env.reset(seed=position.seed)
        try:
            for _ in range(3):
                picture = env.render()
                if not _is_picture(mode, picture):
                    return Fault(
                        part,
                        f"render() in mode {mode} does not return {_PICTURES[mode]}",
                        field="render()",
                        expected=_PICTURES[mode],
                        found=type(picture).__name__,
                        probe=(
                            f"env = type(env.unwrapped)(render_mode={mode!r})",
                            f"assert isinstance(env.render(), {_PICTURE_TYPES[mode]})",
                        ),
                    )
                if not is_over(env):
                    env.step(choose(env, random.Random(position.seed)))
        finally:
            env.close()
        return None

    return renders


_PICTURES = {"ansi": "text", "rgb_array": "an image, uint8 [height, width, 3]", "human": "None"}
_PICTURE_TYPES = {"ansi": "str", "rgb_array": "__import__('numpy').ndarray", "human": "type(None)"}


def _is_picture(mode: str, picture: Any) -> bool:
    if mode == "rgb_array":
        return (
            isinstance(picture, np.ndarray)
            and picture.dtype == np.uint8
            and picture.ndim == 3
            and picture.shape[2] == 3
        )
    return isinstance(picture, str) if mode == "ansi" else picture is None


def _display() -> bool:
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"))


# --- a referee over whole games ----------------------------------------------------------------------


def _entry_outside(env: Any, space: Any, observation: Any) -> str:
    """To say after that: the first entry that is outside, by its field where it has one."""
    if isinstance(space, spaces.Dict) and isinstance(observation, Mapping):
        if observation.keys() != space.keys():
            return f": it has {', '.join(observation)}, must have {', '.join(space)}"
        name = next(name for name, part in space.items() if not part.contains(observation[name]))
        return f": {name}" + _entry_outside(env, space[name], observation[name])
    if not isinstance(space, spaces.Box):
        return ""
    entries = np.asarray(observation)
    if entries.shape != space.shape or not np.can_cast(entries.dtype, space.dtype):
        return f" is {entries.dtype} {entries.shape}, must be {space.dtype} {space.shape}"
    place = tuple(np.argwhere(~((entries >= space.low) & (entries <= space.high)))[0].tolist())
    must_be = f"must be {space.low[place]} to {space.high[place]}"
    found = f"[{', '.join(map(str, place))}] is {entries[place]}, {must_be}"
    setup = getattr(env.unwrapped, "setup", None)
    if isinstance(setup, Setup) and entries.shape == (setup.length,):
        found += f": {setup.layout.entry(place[0])} is {setup.raw(entries)[place]}"
    return found


class Referee:
    """Plays an environment from where it stands to its end, and says what is wrong on the way.

    decisions: how many were made before.  fault: the first one, None while all is well.
    """

    def __init__(self, env: Any, decisions: int = 0) -> None:
        self.env = env
        self.decisions = decisions
        self.actions: Actions = []
        self.fault: Fault | None = None

    def play(self, chance: random.Random) -> Actions:
        """Random legal actions until everybody has left or something is wrong; returns them."""
        self._start()
        while self.env.agents and not self.fault:
            self._step(choose(self.env, chance))
            if len(self.actions) >= LONGEST:
                raise Endless
        return self.actions

    def follow(self, actions: Actions) -> None:
        """Play the given actions up to the first fault; NotPlayable for one that is not legal."""
        self._start()
        for action in actions:
            if self.fault or not self.env.agents:
                return
            demand_legal(self.env, action)
            self._step(action)

    def _start(self) -> None:
        self._owed = {
            a: float(getattr(self.env, "_cumulative_rewards", {}).get(a, 0.0)) for a in self.env.agents
        }
        self._left: set[str] = set(self.env.possible_agents) - set(self.env.agents)
        self._inspect()

    def _step(self, action: Any) -> None:
        env = self.env
        agent = env.agent_selection
        before = list(env.agents)
        env.step(action)
        self.actions.append(action)
        if action is not None:
            self.decisions += 1
            self._owed[agent] = 0.0
            for each, reward in env.rewards.items():
                self._owed[each] = self._owed.get(each, 0.0) + float(reward)
        self._inspect()
        self._left |= set(before) - set(env.agents)
        if not self.fault:
            self.fault = self._agents_fault(agent, action, before)

    def _inspect(self) -> None:
        """The first fault of the position as it stands."""
        if not self.fault:
            self.fault = next(self._faults(), None)

    def _faults(self) -> Iterator[Fault]:
        env = self.env
        for agent in env.agents:
            yield from self._observation_faults(agent)
        if not env.agents:
            return
        yield from self._reward_faults()
        if is_over(env):
            yield from self._return_faults()
        limit = max_decisions(env)
        if limit is not None and self.decisions + (0 if is_over(env) else 1) > limit:
            yield self._found(
                "bound", f"the game takes more decisions than its metadata says ({limit})",
                None, "metadata['max_decisions']", f"at least {self.decisions + 1}", limit,
                ("assert all(env.terminations.values()) or all(env.truncations.values())",),
            )  # fmt: skip

    def _observation_faults(self, agent: str) -> Iterator[Fault]:
        env = self.env
        observation = env.observe(agent)
        space = env.observation_space(agent)
        if not space.contains(observation):
            when = "terminal " if is_done(env, agent) else "waiting " if agent != env.agent_selection else ""
            where = _entry_outside(env, space, observation)
            yield self._found(
                "spaces", f"the {when}observation of {agent} is outside its space{where}",
                agent, f"observe({agent!r})", f"within {space}", observation,
                (f"assert env.observation_space({agent!r}).contains(env.observe({agent!r}))",),
            )  # fmt: skip

    def _reward_faults(self) -> Iterator[Fault]:
        env = self.env
        for agent in env.agents:
            paid = env._cumulative_rewards.get(agent) if hasattr(env, "_cumulative_rewards") else None
            if agent == env.agent_selection:
                paid = env.last(observe=False)[1]
            if paid is None:
                continue
            owed = self._owed.get(agent, 0.0)
            if not math.isfinite(paid) or abs(paid - owed) > 1e-6:
                yield self._found(
                    "rewards", f"{agent} was dealt {owed} since it last acted and is told {paid}",
                    agent, f"_cumulative_rewards[{agent!r}]", owed, paid,
                    (f"assert abs(env._cumulative_rewards[{agent!r}] - {owed!r}) < 1e-6",),
                )  # fmt: skip

    def _return_faults(self) -> Iterator[Fault]:
        """Where an environment tells its teams: returns agree within them and sum to 0 over them."""
        env = self.env.unwrapped
        if not (hasattr(env, "teams") and hasattr(env, "returns")):
            return
        returns, first = env.returns(), {team: agent for agent, team in reversed(env.teams.items())}
        for agent, team in env.teams.items():
            mate = first[team]
            if returns[agent] != returns[mate]:
                yield self._found(
                    "team returns", f"{mate} and {agent} are one team and have different returns",
                    agent, f"unwrapped.returns()[{agent!r}]", returns[mate], returns[agent],
                    (f"assert len({{env.unwrapped.returns()[agent] for agent in {[mate, agent]}}}) == 1",),
                )  # fmt: skip
        total = sum(returns[agent] for agent in first.values())
        if not abs(total) < 1e-6:
            yield self._found(
                "sum of returns", f"the returns of all teams sum to {total}",
                None, "unwrapped.returns()", "0 over the teams", returns,
                (f"assert abs(sum(env.unwrapped.returns()[a] for a in {list(first.values())})) < 1e-6",),
            )  # fmt: skip

    def _agents_fault(self, agent: str, action: Any, before: list[str]) -> Fault | None:
        env = self.env
        now = set(env.agents)
        gone = set(before) - now
        wrong = None
        if not now <= set(env.possible_agents) or len(now) != len(env.agents):
            wrong = f"agents is {env.agents}, possible_agents {env.possible_agents}"
        elif now & self._left:
            wrong = f"{sorted(now & self._left)} came back after leaving"
        elif action is not None and gone:
            wrong = f"{sorted(gone)} vanished at a step of {agent}, without a last look"
        elif action is None and gone != {agent}:
            wrong = f"after its step(None) {agent} must be gone, and it alone; gone are {sorted(gone)}"
        elif now and env.agent_selection not in now:
            wrong = f"agent_selection is {env.agent_selection}, agents is {env.agents}"
        if wrong is None:
            return None
        return self._found(
            "agents", wrong, agent, "agents", "agents that end together or leave cleanly", list(env.agents),
            (f"assert env.agents != {list(env.agents)!r}",),
        )  # fmt: skip

    def _found(self, part: str, message: str, agent: str | None, field: str, expected: Any, found: Any,
               probe: tuple[str, ...]) -> Fault:  # fmt: skip
        return Fault(part, message, agent, field, expected, found, probe, len(self.actions))


def keeps_the_rules_of_play(position: Position) -> Fault | None:
    """The whole game of a position, from its start, through the referee."""
    referee = Referee(position.fresh())
    referee.follow(position.actions)
    return referee.fault


PLAY = Check(
    "play",
    "The environment keeps PettingZoo's interface over whole random games. PettingZoo's own api_test and "
    "seed_test pass; every declared render mode gives text, an image or None as it must. In every "
    "position every observation lies in its space, those of waiting and of finished agents too; the "
    "reward that last() tells an agent is the sum of what was dealt to it since it acted; every live turn "
    "has a legal action; agents end together or leave cleanly and never come back; a game takes no more "
    "decisions than metadata says. Where the environment has teams (agent to team) and returns(), team-mates "
    "have equal returns at the end, and over the teams they sum to 0.",
    0.2,
    run,
)
