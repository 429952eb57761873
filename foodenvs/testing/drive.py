"""Driving an AEC environment from outside: masks, random legal actions, looks, positions and the way back.

A position is a seed and a list of actions; `None` in it is the step of an agent that is done. Everything is
read through PettingZoo's interface; nothing here knows a game.
"""

import copy
import functools
import inspect
import random
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from gymnasium import spaces

from foodenvs.testing.compare import difference, frozen

Actions = list[Any]
Look = dict[str, Any]
_CHANNELS = {
    "observe": "observation",
    "infos": "info",
    "rewards": "reward",
    "_cumulative_rewards": "reward",
    "agent_selection": "agent order",
    "agents": "agent order",
    "render": "render",
    "seat_view": "seat view",
}
LONGEST = 100_000  # steps after which a game counts as endless


class NotPlayable(Exception):
    """An action list that leads nowhere: an action is not legal where it stands."""


class Endless(Exception):
    """A game that does not end within LONGEST steps."""


# --- reading -----------------------------------------------------------------------------------


def mask_of(env: Any, agent: str, observation: Any = None) -> Any:
    """The mask that the agent is shown, in its observation or else in its info; None where there is none."""
    observation = env.observe(agent) if observation is None else observation
    if isinstance(observation, Mapping) and "action_mask" in observation:
        return observation["action_mask"]
    return info_mask(env, agent)


def info_mask(env: Any, agent: str) -> Any:
    """The mask in the agent's info; None where there is none."""
    info = env.infos.get(agent, {})
    return info.get("action_mask") if isinstance(info, Mapping) else None


def is_done(env: Any, agent: str) -> bool:
    """Whether the agent has no decision left, by its termination or truncation."""
    return bool(env.terminations[agent] or env.truncations[agent])


def is_over(env: Any) -> bool:
    """No decision is left: everybody has left, or the agent to act is done."""
    return not env.agents or is_done(env, env.agent_selection)


def look(env: Any) -> Look:
    """All that the interface shows now, by the Python source that reads it from `env`."""
    seen: dict[str, Any] = {"agents": list(env.agents)}
    if env.agents:
        seen["agent_selection"] = env.agent_selection
    for agent in env.agents:
        seen |= shown_to(env, agent)
    return seen


def shown_to(env: Any, agent: str) -> dict[str, Any]:
    """What the interface shows about and to one agent."""
    seen = {f"observe({agent!r})": env.observe(agent)}
    for name in ("rewards", "_cumulative_rewards", "terminations", "truncations", "infos"):
        held = getattr(env, name, {})
        if agent in held:
            seen[f"{name}[{agent!r}]"] = held[agent]
    return seen


def everything_shown(env: Any, agent: str, images: bool = True) -> dict[str, Any]:
    """All channels to one seat, by the source that reads them from the environment."""
    env = env.unwrapped
    seen: dict[str, Any] = {"agents": list(env.agents), "agent_selection": env.agent_selection}
    seen |= shown_to(env, agent)
    if hasattr(env, "seat_view"):
        seen[f"seat_view({agent!r})"] = env.seat_view(agent)
    if images and env.render_mode in ("ansi", "rgb_array") and viewer_parameter(env):
        seen[f"render({agent!r})"] = env.render(agent)
    return seen


def channel_of(source: str) -> str:
    """The name of the channel that a piece of source reads."""
    name = source.partition("(")[0].partition("[")[0].partition(".")[0]
    return "mask" if "action_mask" in source else _CHANNELS.get(name, name)


def look_difference(a: Mapping[str, Any], b: Mapping[str, Any]) -> tuple[str, Any, Any] | None:
    """The first difference of two looks; its place is source to put behind `env.`."""
    for name in a:
        if name not in b:
            return name, a[name], "nothing"
        found = difference(a[name], b[name], name)
        if found:
            return found
    extra = [name for name in b if name not in a]
    return (extra[0], "nothing", b[extra[0]]) if extra else None


def agent_in(field_name: str) -> str | None:
    """The agent that a field of a look speaks of."""
    _, quote, rest = field_name.partition("'")
    return rest.partition("'")[0] if quote else None


def root(source: str) -> str:
    """The whole value that a piece of source reads a part of: `observe('a')` of `observe('a')['x'][3]`."""
    for i, letter in enumerate(source):
        if letter in ")]":
            return source[: i + 1]
    return source


def position_of(env: Any) -> Any:
    """The whole position, secrets included, in the first form that the environment offers; None for none.

    `view()` (plain values without the random stream), `snapshot()`, or PettingZoo's `state()`.
    """
    env = env.unwrapped
    for name in ("view", "snapshot", "state"):
        read = getattr(env, name, None)
        if read is not None:
            try:
                return frozen(read())
            except NotImplementedError:
                continue
    return None


def hidden_part(env: Any, agent: str) -> dict[str, Any] | None:
    """What the environment says is hidden from an agent, by `hidden(agent)`; None where it does not say."""
    hidden = getattr(env.unwrapped, "hidden", None)
    return None if hidden is None else frozen(dict(hidden(agent)))


def phase_of(env: Any) -> str:
    """The phase of the game, by `phase` or `view()["phase"]`; "the game" where there are none."""
    env = env.unwrapped
    phase = getattr(env, "phase", None)
    if callable(phase):
        phase = phase()
    if phase is None and hasattr(env, "view"):
        phase = env.view().get("phase")
    return "the game" if phase is None else str(phase)


def max_decisions(env: Any) -> int | None:
    """The most decisions of a game, as the metadata say; None where they do not."""
    return env.metadata.get("max_decisions") if isinstance(env.metadata, Mapping) else None


def viewer_parameter(env: Any) -> bool:
    """Whether `render` can be asked for one agent's picture: `render(agent)`."""
    try:
        parameters = list(inspect.signature(env.unwrapped.render).parameters)
    except (TypeError, ValueError):
        return False
    return parameters[:1] in (["viewer"], ["agent"])


# --- playing -----------------------------------------------------------------------------------


def legal_actions(env: Any, agent: str) -> list[int]:
    """The indices of the mask's ones; all actions of a Discrete space without a mask."""
    mask = mask_of(env, agent)
    if mask is not None:
        return [int(a) for a in np.flatnonzero(mask)]
    space = env.action_space(agent)
    return list(range(int(space.start), int(space.start + space.n)))


def choose(env: Any, chance: random.Random) -> Any:
    """A random legal action of the agent to act; None if it is done. NotPlayable where none is legal."""
    agent = env.agent_selection
    if is_done(env, agent):
        return None
    space = env.action_space(agent)
    if not isinstance(space, spaces.Discrete):
        space.seed(chance.randrange(2**31))
        return space.sample()
    legal = legal_actions(env, agent)
    if not legal:
        raise NotPlayable(f"{agent} has no legal action")
    return chance.choice(legal)


def play_on(
    env: Any, chance: random.Random, limit: int = LONGEST, see: Callable[[], Any] | None = None
) -> Actions:
    """Play random legal actions, `limit` at most, until everybody has left; returns them.

    see: called after every step.
    """
    actions: Actions = []
    while env.agents and len(actions) < limit:
        action = choose(env, chance)
        env.step(action)
        actions.append(action)
        if see:
            see()
    if len(actions) == LONGEST:
        raise Endless
    return actions


def follow(env: Any, actions: Sequence[Any], see: Callable[[], Any] | None = None) -> None:
    """Play the given actions; NotPlayable for one that is not legal where it stands."""
    for action in actions:
        demand_legal(env, action)
        env.step(action)
        if see:
            see()


def trajectory(
    env: Any, seed: int, actions: Actions, before_step: Callable[[], None] = lambda: None
) -> list[Look]:
    """What is seen at the start and after every action of a game from its seed, as long as they are legal."""
    env.reset(seed=seed)
    seen = [frozen(look(env))]
    for action in actions:
        before_step()
        try:
            demand_legal(env, action)
        except NotPlayable:
            break
        env.step(action)
        seen.append(frozen(look(env)))
    return seen


def demand_legal(env: Any, action: Any) -> None:
    """NotPlayable unless the action is a legal one of the agent to act (None, if that is done)."""
    if not env.agents:
        raise NotPlayable("the game is over")
    agent = env.agent_selection
    if is_done(env, agent) or action is None:
        if not (is_done(env, agent) and action is None):
            raise NotPlayable(f"{agent} cannot play {action}")
    elif isinstance(env.action_space(agent), spaces.Discrete) and action not in legal_actions(env, agent):
        raise NotPlayable(f"{action} is not legal")


# --- subjects and positions ----------------------------------------------------------------------


_OF_AN_ENVIRONMENT = ("unwrapped", "possible_agents", "reset", "step", "last", "observe")


class Subject:
    """The environment under test: a factory, and the keyword arguments that it is called with.

    configurations: one dict of keyword arguments for each variant to check.
    address: `module:name` of the factory, for repros and second processes; found by itself for a function
    that can be imported.
    """

    def __init__(
        self,
        factory: Callable[..., Any],
        configurations: Sequence[Mapping[str, Any]] = ({},),
        address: str | None = None,
    ) -> None:
        self.factory = factory
        self.configurations = [dict(c) for c in configurations] or [{}]
        self.address = address or _address(factory)
        self._copies: dict[str, bool] = {}

    def make(self, configuration: Mapping[str, Any]) -> Any:
        """A new environment with these keyword arguments, not reset yet; TypeError for what is none."""
        env = self.factory(**configuration)
        missing = [name for name in _OF_AN_ENVIRONMENT if not hasattr(env, name)]
        if missing:
            raise TypeError(f"a {type(env).__name__} is no AEC environment: it has no {', '.join(missing)}")
        return env

    @functools.cached_property
    def ours(self) -> bool:
        """Whether the factory makes environments of this library, of which more is demanded."""
        aec = sys.modules.get("foodenvs.envs.aec")
        return aec is not None and isinstance(self.make(self.configurations[0]).unwrapped, aec.FoodEnv)

    def rendered(self, configuration: Mapping[str, Any], mode: str) -> dict[str, Any] | None:
        """The configuration with a render mode; None where the factory or the environment refuses it."""
        asked = {**configuration, "render_mode": mode}
        try:
            return asked if self.make(asked).render_mode == mode else None
        except Exception:
            return None

    def tells(self, configuration: Mapping[str, Any]) -> bool:
        """Whether the factory makes environments that tell what came of each step, as ours do."""
        try:
            env = self.make({**configuration, "events": True})
            return hasattr(env.unwrapped, "events")
        except Exception:
            return False

    def position(self, configuration: Mapping[str, Any], seed: int, actions: Sequence[Any]) -> "Position":
        """The place to which the actions lead from a seed; nothing is made before it is looked at."""
        return Position(self, dict(configuration), seed, list(actions))

    def copies(self, configuration: Mapping[str, Any]) -> bool:
        """Whether `copy.deepcopy` of this environment is exact; tried once, in one game."""
        key = repr(sorted(configuration.items(), key=repr))
        if key not in self._copies:
            self._copies[key] = self._try_copies(configuration)
        return self._copies[key]

    def _try_copies(self, configuration: Mapping[str, Any]) -> bool:
        env = self.make(configuration)
        env.reset(seed=12345)
        chance = random.Random(12345)
        try:
            for _ in range(4):
                if copy_difference(env, copy.deepcopy(env), chance, 12):
                    return False
                play_on(env, chance, 3)
                if not env.agents:
                    break
        except Exception:
            return False
        return True


def copy_difference(
    env: Any, other: Any, chance: random.Random, steps: int
) -> tuple[str, Any, Any, Actions, Actions] | None:
    """The first difference between an environment and its copy, which first plays some random actions.

    Then the environment plays the same. Returns source, both values, and the actions before and after it.
    """
    seen = [frozen(look(other))]
    found = look_difference(frozen(look(env)), seen[0])
    if found:
        return *found, [], []
    played = play_on(other, chance, steps, lambda: seen.append(frozen(look(other))))
    for k, copied in enumerate(seen):
        found = look_difference(look(env), copied)
        if found:
            return *found, played[:k], played[k:]
        if k < len(played):
            demand_legal(env, played[k])
            env.step(played[k])
    return None


def _address(factory: Any) -> str | None:
    module, name = getattr(factory, "__module__", None), getattr(factory, "__qualname__", None)
    if not module or not name or "<" in name or module == "__main__":
        return None
    return f"{module}:{name}"


@dataclass
class Position:
    """A place in a game: made from its seed and actions when `env` is first read, unless given."""

    subject: Subject
    configuration: dict[str, Any]
    seed: int
    actions: Actions
    given: Any = field(default=None, repr=False)

    @functools.cached_property
    def env(self) -> Any:
        """The environment at this place, for all who look at it; use `twin` for one to change."""
        return self.replayed() if self.given is None else self.given

    @functools.cached_property
    def trajectory(self) -> list[Look]:
        """What is seen along the game, played once."""
        return trajectory(self.subject.make(self.configuration), self.seed, self.actions)

    def fresh(self) -> Any:
        """An environment at the start of this game."""
        env = self.subject.make(self.configuration)
        env.reset(seed=self.seed)
        return env

    def replayed(self) -> Any:
        """Another environment at this place, to which the game is played anew."""
        env = self.fresh()
        follow(env, self.actions)
        return env

    def twin(self) -> Any:
        """Another environment at this place: a deepcopy where that is exact, else the game replayed."""
        if self.subject.copies(self.configuration):
            return copy.deepcopy(self.env)
        return self.replayed()

    def chance(self, *salt: Any) -> random.Random:
        """A random generator that depends on the place and nothing else."""
        return random.Random(repr((self.seed, self.actions, salt)))
