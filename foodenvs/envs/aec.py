"""`FoodEnv`: every game as a PettingZoo AEC environment. It knows no game."""

import warnings
from dataclasses import replace
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils.env import AECIterable

from foodenvs.core.by_agent import ByAgent
from foodenvs.core.checks import check_seed, join_words
from foodenvs.core.errors import IllegalActionError
from foodenvs.core.position import Position
from foodenvs.core.series import Series
from foodenvs.core.setup import Setup
from foodenvs.drawing import pixels
from foodenvs.engine.shared import ILLEGAL_REWARD
from foodenvs.envs.configuration import Configuration, render_modes
from foodenvs.envs.snapshot import Running, Snapshot

_OF_A_GAME = ("agents", "agent_selection", "rewards", "terminations", "truncations", "infos")


class FoodEnv(ByAgent, AECEnv):
    """A game as an AEC environment with action masks.

    Agents are `player_0` .. in seat order; one agent may act several times in a row; all end together.
    Observations are dicts: "observation" float32 [D] in [0, 1] (int8 counts with `raw`) and "action_mask"
    int8 [A], 1 = legal, all 0 for everybody but the agent to act. `infos[agent]["action_mask"]` holds the
    same mask. Arrays are fresh at every call; a step renews the infos of who acted and of who is to act.
    Order is enforced here, so no wrapper is needed.

    illegal: "raise" (IllegalActionError, nothing changes), "penalize" (-1 and asked again; the
    `max_refusals`-th refusal in a game, counted over all agents, truncates it for all) or "terminate" (-1 and
    the game ends for all, as PettingZoo's TerminateIllegalWrapper does it). A game that a refusal ends pays
    the -1, but neither a win share nor a score; shaped rewards have paid the margins as they stood.
    `metadata["max_decisions"]` bounds the legal actions of a game; refused ones are no decisions.
    rewards: "win" (the `returns()`, at the end), "score" (at the end: own score minus the mean of the
    opponents', over the game's scale) or "shaped" (the same, paid as it changes).
    render_mode: "ansi", "rgb_array" or, with the extra `window`, "human"; render_size: "small", "medium" or
    "large" (480 x 320, 960 x 640, 1440 x 960); viewer: who `render()` draws for (see there).
    events: True tells what came of each step, by `events(viewer)` and in `infos[agent]["events"]`, which has
    all since that agent's last action, as that agent may know it; all infos are then renewed at every step.
    """

    metadata: dict[str, Any]

    def __init__(self, setup: Setup, **keywords: Any) -> None:
        """See `foodenvs.envs.configuration.Configuration` for the keywords."""
        self._make(Configuration(setup, **keywords))

    @classmethod
    def configured(cls, configuration: Configuration) -> "FoodEnv":
        """The environment of a configuration."""
        env = cls.__new__(cls)
        env._make(configuration)
        return env

    def _make(self, configuration: Configuration) -> None:
        super().__init__()
        self.configuration, self.setup = configuration, configuration.setup
        self.illegal, self.max_refusals = configuration.illegal, configuration.max_refusals
        self.reward_kind, self.raw = configuration.rewards, configuration.raw
        self.render_mode, self.viewer = configuration.render_mode, configuration.viewer
        self._take(Position(self.setup, configuration.reward_mode, configuration.events))
        self.metadata = {
            "name": self.setup.game.id,
            "render_modes": render_modes(),
            "is_parallelizable": False,
            "render_fps": 2,
            "max_decisions": self.setup.max_decisions,
        }
        self.possible_agents = list(self.setup.agents)
        one = configuration.agent_space()  # all its boxes are shared
        self.observation_spaces = {agent: spaces.Dict(one.spaces) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(self.setup.actions) for agent in self.possible_agents}
        self.state_space = configuration.state_space()
        self._no_action = np.zeros(self.setup.actions, np.int8)
        self._no_rewards = dict.fromkeys(self.possible_agents, 0.0)
        self._pays_always = self.reward_kind == "shaped"
        self._window: Any = None
        self._series = Series()
        self._refusals = 0  # in the running game

    def _take(self, position: Position) -> None:
        self.position = position
        self._shown = position.observation if self.raw else position.scaled  # what the seat to act sees

    # --- the AEC interface -----------------------------------------------------------------

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a new game.

        seed: the same seed deals the same game, whatever was played before; without one the next game of
        the last seed's series is dealt (of a random series, if there was none).
        options: `{"position": view}` sets up a position instead, as `view()` gives it or any part of one;
        what it leaves open is drawn from the seed, and shaped rewards pay what changes from there on. Other
        keys are ignored with a warning.
        """
        options = dict(options or {})
        view = options.pop("position", None)
        for name in options:
            warnings.warn(f"reset option {name!r} is unknown and ignored; there is position", stacklevel=2)
        series = self._series.next(seed)
        draft = None if view is None else self.position.drafted(view, series.game_seed)
        try:
            if draft is None:
                self.position.deal(series.game_seed)
            else:
                self.position.begin_at(draft)
            self._series = series
            self._open()
        except BaseException:
            self._forget()
            raise
        self._show()

    def _forget(self) -> None:
        """As before the first reset: what is broken off half-way (by Ctrl-C, say) leaves no position."""
        self.position.clear()
        for name in _OF_A_GAME:
            self.__dict__.pop(name, None)

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def _open(self) -> None:
        """Everything that PettingZoo shows of a position at which no reward has been paid yet."""
        over, cut = self.position.turn < 0, self.position.truncated
        agents, nothing = self.possible_agents, [0.0] * len(self.possible_agents)
        selected, ended = agents[max(self.position.turn, 0)], [over and not cut, over and cut]
        self._show_of(Running(agents, selected, None, nothing, nothing, ended))

    def _show_of(self, running: Running) -> None:
        """Everything that PettingZoo shows of the position."""
        self.agents, self.agent_selection = list(running.agents), running.agent_selection
        if running.skip is not None or hasattr(self, "_skip_agent_selection"):
            self._skip_agent_selection = running.skip
        self.rewards = dict(zip(self.agents, running.rewards, strict=True))
        self._cumulative_rewards = dict(zip(self.agents, running.cumulative, strict=True))
        self.terminations, self.truncations = (dict.fromkeys(self.agents, ended) for ended in running.ended)
        self._refusals = running.refusals
        self._write_infos()

    def place(self, states: np.ndarray, paid: Any = 0) -> None:
        """Go to the position of a record array of one, such as a batch keeps; rewards so far are not shown.

        paid: float64 [P], what a game of shaped rewards has paid up to there.
        """
        self._series = Series()
        self.position.place(states, paid)
        self._open()
        self._show()

    def step(self, action: Any) -> None:
        """Play `action` for `agent_selection`: a whole number (numpy's and 0-d arrays and tensors too).

        None for an agent that is done. Raises IllegalActionError (a ValueError; unless `illegal` says
        otherwise), TypeError for what is no whole number (a float, a truth value, an array of one element),
        RuntimeError before reset and after the end; nothing has changed then. A step that is broken off
        half-way (by Ctrl-C) ends the game: `reset` or `restore` starts another.
        """
        position = self.position
        if position.turn < 0:
            self._check_order("step")
            self._was_dead_step(action)
            return
        agent = self.agent_selection
        index = self.setup.check_action(action, agent)
        try:
            played = position.play(index)
            if played:
                self._cumulative_rewards[agent] = 0.0
                if position.turn < 0:
                    self._pay()
                    self._end(not position.truncated, position.truncated)
                elif self._pays_always:
                    self._pay()
                else:
                    self.rewards = self._no_rewards.copy()
                self._pass_turn(agent)
            elif self.illegal != "raise":
                self._penalize(agent)
        except BaseException:
            self._forget()
            raise
        if not played and self.illegal == "raise":
            raise IllegalActionError(self.refusal(agent, index))
        self._show()

    def _penalize(self, agent: str) -> None:
        position = self.position
        position.settle()
        position.rewards[self.seat_of(agent)] += ILLEGAL_REWARD
        self._cumulative_rewards[agent] = 0.0
        self._pay()
        self._refusals += 1
        if self.illegal == "terminate" or self._refusals >= self.max_refusals:
            position.stop()
            self._end(self.illegal == "terminate", True)
        self._write_infos()

    def refusal(self, agent: str, index: int) -> str:
        """What is said of an illegal action of the agent to act: the action and the legal ones in words."""
        return self.setup.refusal(agent, index, np.flatnonzero(self.position.mask).tolist())

    def _pay(self) -> None:
        """Pay what the last action brought."""
        self.rewards = dict(zip(self.agents, self.position.rewards.tolist(), strict=True))
        for agent, reward in self.rewards.items():
            self._cumulative_rewards[agent] += reward

    def _end(self, terminated: bool, truncated: bool) -> None:
        self.terminations = dict.fromkeys(self.agents, terminated)
        self.truncations = dict.fromkeys(self.agents, truncated)
        self.agent_selection = self.agents[0]

    def _write_infos(self) -> None:
        self.infos = {agent: self._info(agent, self._no_action) for agent in self.agents}
        if self.position.turn >= 0:
            self.infos[self.agent_selection] = self._info(self.agent_selection, self.position.mask)

    def _pass_turn(self, acted: str) -> None:
        """To whom is to act now: its info and that of the agent that acted are made anew, the rest kept."""
        position, infos = self.position, self.infos.copy()
        infos[acted] = {"action_mask": self._no_action.copy()}
        if position.turn >= 0:
            self.agent_selection = agent = self.possible_agents[position.turn]
            infos[agent] = {"action_mask": position.mask.copy()}
        self.infos = infos
        if position.told is not None:  # everybody is told of the step
            self._write_infos()

    def _info(self, agent: str, mask: np.ndarray) -> dict[str, Any]:
        info: dict[str, Any] = {"action_mask": mask.copy()}
        if self.position.told is not None:
            info["events"] = self.position.told.since.get(self.seat_of(agent), ())
        return info

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """What `agent` sees now, in fresh arrays."""
        seat = self.seat_of(agent)
        if seat == self.position.turn:
            return {"observation": self._shown.copy(), "action_mask": self.position.mask.copy()}
        shown = self.configuration.shown(self.position.observe(seat))
        return {"observation": shown, "action_mask": self._no_action.copy()}

    def _check_order(self, call: str) -> None:
        """RuntimeError before reset and after the end. While somebody is to act, there is no need to ask."""
        if not self.position.in_play:
            raise RuntimeError(
                f"call reset() before {call}(): no game is running, or its last step was broken off"
            )
        if not self.agents:
            raise RuntimeError("the game is over; call reset() to start another")

    def agent_iter(self, max_iter: int = 2**63) -> AECIterable:
        """The agents to act, one `step` each, until the end; RuntimeError before reset and after the end."""
        self._check_order("agent_iter")
        return super().agent_iter(max_iter)

    def last(
        self, observe: bool = True
    ) -> tuple[dict[str, np.ndarray] | None, float, bool, bool, dict[str, Any]]:
        """Observation, reward since it last acted, terminated, truncated and info of `agent_selection`.

        RuntimeError before reset and after the end.
        """
        if self.position.turn < 0:
            self._check_order("last")
        agent = self.agent_selection
        return (
            self.observe(agent) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def observation_space(self, agent: str) -> spaces.Dict:
        """The same object at every call."""
        return self.observation_spaces[self.possible_agents[self.seat_of(agent)]]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The same object at every call."""
        return self.action_spaces[self.possible_agents[self.seat_of(agent)]]

    def state(self) -> np.ndarray:
        """All seats' observations in seat order, then the hidden fields; float32 in [0, 1]."""
        seen = self.setup.scaled(self.position.observe_all()).ravel()
        hidden = [f.scaled(self.position.states[f.name][0]) for f in self.setup.hidden]
        return np.concatenate([seen, *hidden])

    def render(self, viewer: str | None = None) -> str | np.ndarray | None:
        """The table as one viewer sees it, by `render_mode`.

        viewer: an agent (its own view) or "open" (everything); by default the environment's `viewer`, and
        without one a spectator, who sees what all seats see.
        Gives text ("ansi") or uint8 [height, width, 3] ("rgb_array"); "human" shows it in a window.
        """
        if self.render_mode is None:
            modes = join_words([f'"{mode}"' for mode in render_modes()])
            warnings.warn(f"make the environment with render_mode={modes} to render it", stacklevel=2)
            return None
        viewer = viewer if viewer is not None else self.viewer
        if self.render_mode == "ansi":
            return self.table(viewer)
        if self.render_mode == "human":
            from foodenvs.drawing.window import Window

            self._window = self._window or Window(str(self), self.metadata["render_fps"])
        shown = pixels(self.picture(viewer), self.configuration.render_size)
        return shown if self._window is None else self._window.show(shown)

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._window is not None:
            self._window.close()
            self._window = None

    # --- copies ----------------------------------------------------------------------------

    def determinized(self, agent: str, seed: int) -> "FoodEnv":
        """A copy of this environment in which all that `agent` cannot know is dealt anew.

        The copy shows the agent the same observation, mask, rewards and text. It depends on `seed` and on
        what the agent knows, on nothing else; its own chance starts from `seed` too.
        """
        other, seed = self._copy(), check_seed(seed)
        other._take(self.position.determinized(self.seat_of(agent), seed))
        other._series = Series(seed)
        other._write_infos()
        return other

    def dealt_from(self) -> int:
        """The seed of this very game: `reset(seed=...)` with it deals the same one. It tells all secrets."""
        self.position.check()
        return self._series.game_seed

    def snapshot(self) -> bytes:
        """The whole environment as bytes: position, stream, pending choices and rewards; see `restore`."""
        running = self._running() if self.position.in_play else None
        return Snapshot(self._series, running, self.position.states).to_bytes(self.configuration)

    def _running(self) -> Running:
        return Running(
            self.agents, self.agent_selection, getattr(self, "_skip_agent_selection", None),
            [*self.rewards.values()], [*self._cumulative_rewards.values()],
            [next(iter(flags.values()), True) for flags in (self.terminations, self.truncations)],
            self._refusals, *self.position.history(),
        )  # fmt: skip

    def restore(self, snapshot: bytes) -> None:
        """Go back to a snapshot of an environment that was made alike (`raw` and how it is rendered aside).

        Raises ValueError that says what differs or is wrong, and changes nothing, for anything else. Bytes
        that this process did not make are checked, which takes some milliseconds.
        """
        self._series, running, states = Snapshot.from_bytes(snapshot, self.configuration)
        if running is None:
            self._forget()
            return
        self.position.place(states, running.paid)
        self.position.recall(running.log, running.told)
        if any(running.ended):
            self.position.stop()
        self._show_of(running)

    def _copy(self) -> "FoodEnv":
        render_mode = None if self.render_mode == "human" else self.render_mode
        other = FoodEnv.configured(replace(self.configuration, render_mode=render_mode))
        other.restore(self.snapshot())
        return other

    def __deepcopy__(self, memo: dict[int, Any]) -> "FoodEnv":
        return self._copy()

    def __getstate__(self) -> dict[str, Any]:
        return {"configuration": self.configuration, "snapshot": self.snapshot()}

    def __setstate__(self, pickled: Any) -> None:
        try:
            configuration, snapshot = pickled["configuration"], pickled["snapshot"]
            self._make(configuration)
        except (TypeError, KeyError, AttributeError):
            raise ValueError("this pickle is of no foodenvs environment, or of another version") from None
        self.restore(snapshot)

    def __str__(self) -> str:
        return self.setup.game.id


class _BeforeReset:
    """What stands for an attribute while no game has set it; `__getattr__` would slow down all others."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, env: Any, owner: type) -> Any:
        raise AttributeError(f"{self._name} does not exist before reset()")


for _name in _OF_A_GAME:
    setattr(FoodEnv, _name, _BeforeReset(_name))
