"""`FoodEnv`: every game as a PettingZoo AEC environment. It knows no game."""

import functools
import importlib.util
import json
import secrets
import warnings
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils.env import AECIterable

from foodenvs import saved
from foodenvs.core.layout import Field
from foodenvs.drawing import SIZES, Picture, pixels
from foodenvs.engine import attributes
from foodenvs.engine.loops import ILLEGAL_REWARD, REFUSED
from foodenvs.engine.random import game_seed
from foodenvs.game import (
    ILLEGAL,
    REWARDS,
    IllegalActionError,
    Setup,
    check_choice,
    check_count,
    check_made_alike,
    check_seed,
    join_words,
    whole_number,
)
from foodenvs.notation import Reader

_MAGIC = b"foodenvs snapshot 6\n"
_RUNNING = (
    "last", "last_public", "own_secret", "paid", "refusals", "agents", "agent_selection", "skip", "rewards",
    "cumulative", "ended",
)  # fmt: skip
_OVER = -1
UNKNOWN_ACTION = -1
NO_ACTION = (-1, UNKNOWN_ACTION, False)
_OF_A_GAME = ("agents", "agent_selection", "rewards", "terminations", "truncations", "infos")


def render_modes() -> list[str]:
    """What `render_mode` may be: "ansi", "rgb_array", and "human" where pygame-ce is installed."""
    return ["ansi", "rgb_array"] + ["human"] * _has_window()


@functools.cache
def _has_window() -> bool:
    return importlib.util.find_spec("pygame") is not None


def check_rendering(mode: str | None, size: str) -> None:
    """ValueError for a mode or size that there is not."""
    if mode == "human" and mode not in render_modes():
        raise ValueError(
            'render_mode="human" needs a window: pip install "foodenvs[window]"; without it there are "ansi" '
            'and "rgb_array"'
        )
    if mode is not None:
        check_choice("render_mode", mode, render_modes())
    check_choice("render_size", size, list(SIZES))


def _quoted(names: list[str]) -> list[str]:
    return [json.dumps(name) for name in names]


class FoodEnv(AECEnv):
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
    """

    metadata: dict[str, Any]

    def __init__(
        self,
        setup: Setup,
        *,
        illegal: str = "raise",
        max_refusals: int = 100,
        rewards: str = "win",
        raw: bool = False,
        render_mode: str | None = None,
        render_size: str = "medium",
        viewer: str | None = None,
    ) -> None:
        super().__init__()
        check_rendering(render_mode, render_size)
        if viewer not in (None, "open", *setup.agents):
            raise ValueError(
                f'viewer must be None, "open" or one of {", ".join(setup.agents)}, got {viewer!r}'
            )
        if not isinstance(raw, bool):
            raise ValueError(f"raw must be true or false, got {raw!r}")
        self.setup = setup
        self.illegal, self.reward_kind, self.raw = illegal, rewards, raw
        check_choice("illegal", illegal, ILLEGAL)
        self.max_refusals = check_count("max_refusals", max_refusals)
        self._reward_mode = check_choice("rewards", rewards, REWARDS)
        self._pays_always = rewards == "shaped"
        self.render_mode, self.render_size, self.viewer = render_mode, render_size, viewer
        self._window: Any = None
        self.metadata = {
            "name": setup.game.id,
            "render_modes": render_modes(),
            "is_parallelizable": False,
            "render_fps": 2,
            "max_decisions": setup.max_decisions,
        }
        self.possible_agents = list(setup.agents)
        self._seats = {agent: seat for seat, agent in enumerate(setup.agents)}
        observation = self._observation_box(setup.layout.low, setup.layout.high)
        mask = spaces.Box(0, 1, (setup.actions,), np.int8)
        self.observation_spaces = {
            agent: spaces.Dict({"observation": observation, "action_mask": mask}) for agent in setup.agents
        }
        self.action_spaces = {agent: spaces.Discrete(setup.actions) for agent in setup.agents}
        hidden = sum(f.size for f in setup.hidden)
        self.state_space = spaces.Box(0, 1, (setup.length * setup.players + hidden,), np.float32)
        self._seed: int | None = None
        self._games = 0
        self._make_buffers()

    def _observation_box(self, low: np.ndarray, high: np.ndarray) -> spaces.Box:
        if self.raw:
            return spaces.Box(low, high, dtype=np.int8)
        return spaces.Box(0, 1, low.shape, np.float32)

    def _make_buffers(self) -> None:
        players = self.setup.players
        self._states = self.setup.new_states(1)
        self._state = attributes(self._states)[0]
        self._observation = np.zeros(self.setup.length, np.int8)
        self._mask = np.zeros(self.setup.actions, np.int8)
        self._no_action = self._mask.copy()
        self._paid = np.zeros(players)
        self._refusals = 0  # in the running game
        self._step_rewards = np.zeros(players)
        self._scores = np.zeros(players, np.int64)
        self._returns = np.zeros(players)
        self._turn = _OVER
        self._secret = getattr(self.setup.game.information, "secret", None)
        self._last: tuple[int, int, bool] = NO_ACTION
        self._last_public: tuple[int, int, bool] = NO_ACTION
        self._own_secret: dict[str, tuple[int, int, bool]] = {}  # since the last public action

    def __getattr__(self, name: str) -> Any:
        if name in (*_OF_A_GAME, "num_agents"):
            raise AttributeError(f"{name} does not exist before reset()")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

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
        position = options.pop("position", None)
        for name in options:
            warnings.warn(f"reset option {name!r} is unknown and ignored; there is position", stacklevel=2)
        number, series, games = self._next_seed(seed)
        states = None if position is None else self._positioned(position, number)
        try:
            if states is None:
                turn = self.setup.engine.begin(
                    self.setup.boxes, self._states, number, self._paid, self._observation, self._mask
                )
            else:
                turn = self._stand(states)
                self._paid[:] = 0
                self._settle()
            self._seed, self._games = series, games
            self._open(int(turn))
        except BaseException:
            self._forget()
            raise
        self._show()

    def _forget(self) -> None:
        """As before the first reset: what is broken off half-way (by Ctrl-C, say) leaves no position."""
        for name in _OF_A_GAME:
            self.__dict__.pop(name, None)

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def _open(self, turn: int) -> None:
        """Everything that PettingZoo shows of a position at which no reward has been paid yet."""
        self._turn, self._last, self._last_public, self._own_secret = turn, NO_ACTION, NO_ACTION, {}
        self._refusals = 0
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        over = self._turn < 0
        self.terminations = dict.fromkeys(self.agents, over and not self._state.truncated)
        self.truncations = dict.fromkeys(self.agents, over and self._state.truncated)
        self.agent_selection = self.possible_agents[max(self._turn, 0)]
        self._write_infos()

    def _next_seed(self, seed: int | None) -> tuple[int, int, int]:
        """The seed of the next game, the series it belongs to and its number there."""
        if seed is not None:
            number = check_seed(seed)
            return number, number, 0
        if self._seed is None:
            number = secrets.randbits(63)
            return number, number, 0
        return int(game_seed(self._seed, 0, self._games + 1)), self._seed, self._games + 1

    def _positioned(self, position: Any, number: int) -> np.ndarray:
        """The record array of one of a position as data; what it leaves open is drawn from the seed."""
        states = self.setup.new_states(1)
        self.setup.set_up(states, position, number)
        return states

    def _stand(self, states: np.ndarray) -> int:
        """Take over the position of a record array of one; returns the seat to act."""
        self._states[:] = states
        turn = int(self._state.turn)
        self._mask[:] = 0
        if turn >= 0:
            self._look(turn, self._observation, self._mask)
        return turn

    def _settle(self) -> None:
        """Write into the rewards of the step what shaped rewards have not paid yet, nothing without them."""
        self._step_rewards[:] = 0
        if self._pays_always:
            self.setup.engine.settle(
                self.setup.boxes, self._states, self._scores, self._paid, self._step_rewards
            )

    def place(self, states: np.ndarray, paid: Any = 0) -> None:
        """Go to the position of a record array of one, such as a batch keeps; rewards so far are not shown.

        paid: float64 [P], what a game of shaped rewards has paid up to there.
        """
        self._seed, self._games = None, 0
        self._paid[:] = paid
        self._open(self._stand(states))
        self._show()

    def step(self, action: Any) -> None:
        """Play `action` for `agent_selection`: a whole number (numpy's and 0-d arrays and tensors too).

        None for an agent that is done. Raises IllegalActionError (a ValueError; unless `illegal` says
        otherwise), TypeError for what is no whole number (a float, a truth value, an array of one element),
        RuntimeError before reset and after the end; nothing has changed then. A step that is broken off
        half-way (by Ctrl-C) ends the game: `reset` or `restore` starts another.
        """
        agents = self._check_order("step")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        index = self.setup.check_action(action, agent)
        secret = self._secret is not None and self.is_secret(index)
        try:
            turn = self.setup.engine.play(
                self.setup.boxes, self._states, index, self._reward_mode, self._scores,
                self._paid, self._step_rewards, self._observation, self._mask,
            )  # fmt: skip
            if turn == REFUSED:
                if self.illegal != "raise":
                    self._penalize(agent)
            else:
                self._turn, self._last = turn, (self._seats[agent], index, secret)
                if secret:
                    self._own_secret[agent] = self._last
                else:
                    self._last_public, self._own_secret = self._last, {}
                self._cumulative_rewards[agent] = 0.0
                if turn < 0 or self._pays_always:
                    self._pay(dict(zip(agents, self._step_rewards.tolist(), strict=True)))
                else:
                    self.rewards = dict.fromkeys(agents, 0.0)
                if turn < 0:
                    self._end(not self._state.truncated, self._state.truncated)
                else:
                    self.agent_selection = self.possible_agents[turn]
                self._pass_mask(agent)
        except BaseException:
            self._forget()
            raise
        if turn == REFUSED and self.illegal == "raise":
            raise IllegalActionError(self.refusal(agent, index))
        if self.render_mode == "human":
            self.render()

    def _penalize(self, agent: str) -> None:
        self._settle()
        self._step_rewards[self._seats[agent]] += ILLEGAL_REWARD
        self._cumulative_rewards[agent] = 0.0
        self._pay(dict(zip(self.agents, self._step_rewards.tolist(), strict=True)))
        self._refusals += 1
        if self.illegal == "terminate" or self._refusals >= self.max_refusals:
            self._turn = _OVER
            self._mask[:] = 0
            self._end(self.illegal == "terminate", True)
        self._write_infos()

    def refusal(self, agent: str, index: int) -> str:
        """What is said of an illegal action of the agent to act: the action and the legal ones in words."""
        return self.setup.refusal(agent, index, np.flatnonzero(self._mask).tolist())

    def _pay(self, rewards: dict[str, float]) -> None:
        self.rewards = rewards
        for agent, reward in rewards.items():
            self._cumulative_rewards[agent] += reward

    def _end(self, terminated: bool, truncated: bool) -> None:
        self.terminations = dict.fromkeys(self.agents, terminated)
        self.truncations = dict.fromkeys(self.agents, truncated)
        self.agent_selection = self.agents[0]

    def _write_infos(self) -> None:
        self.infos = {agent: {"action_mask": self._no_action.copy()} for agent in self.possible_agents}
        self._pass_mask(self.agent_selection)

    def _pass_mask(self, acted: str) -> None:
        """After a step: the infos of the agent that acted and of the one to act, made anew, the rest kept."""
        infos = self.infos.copy()
        infos[acted] = {"action_mask": self._no_action.copy()}
        if self._turn >= 0:
            infos[self.agent_selection] = {"action_mask": self._mask.copy()}
        self.infos = infos

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """What `agent` sees now, in fresh arrays."""
        seat = self._seat(agent)
        if seat == self._turn:
            raw, mask = self._observation, self._mask.copy()
        else:
            self._check_reset()
            raw, mask = np.empty(self.setup.length, np.int8), np.empty(self.setup.actions, np.int8)
            self._look(seat, raw, mask)
            mask[:] = 0
        return {"observation": raw.copy() if self.raw else self.setup.scaled(raw), "action_mask": mask}

    def _look(self, seat: int, observation: np.ndarray, mask: np.ndarray) -> None:
        self.setup.engine.look(self.setup.boxes, self._states, seat, observation, mask)

    def _seat(self, agent: str) -> int:
        try:
            return self._seats[agent]
        except (KeyError, TypeError):
            raise ValueError(
                f"unknown agent {agent!r}; there are {', '.join(self.possible_agents)}"
            ) from None

    def _check_reset(self) -> None:
        if "agents" not in self.__dict__:
            raise RuntimeError("call reset() first")

    def _check_order(self, call: str) -> list[str]:
        """The agents of the running game; RuntimeError before reset and after the end."""
        try:
            agents: list[str] = self.agents
        except AttributeError:
            raise RuntimeError(
                f"call reset() before {call}(): no game is running, or its last step was broken off"
            ) from None
        if not agents:
            raise RuntimeError("the game is over; call reset() to start another")
        return agents

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
        return self.observation_spaces[self.possible_agents[self._seat(agent)]]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The same object at every call."""
        return self.action_spaces[self.possible_agents[self._seat(agent)]]

    def state(self) -> np.ndarray:
        """All seats' observations in seat order, then the hidden fields; float32 in [0, 1]."""
        self._check_reset()
        mask = np.empty(self.setup.actions, np.int8)
        raw = np.empty((self.setup.players, self.setup.length), np.int8)
        for seat in range(self.setup.players):
            self._look(seat, raw[seat], mask)
        parts = [self.setup.scaled(raw).ravel()]
        parts += [_scaled_field(f, self._states[f.name][0]) for f in self.setup.hidden]
        return np.concatenate(parts)

    def render(self, viewer: str | None = None) -> str | np.ndarray | None:
        """The table as one viewer sees it, by `render_mode`.

        viewer: an agent (its own view) or "open" (everything); by default the environment's `viewer`, and
        without one a spectator, who sees what all seats see.
        Gives text ("ansi") or uint8 [height, width, 3] ("rgb_array"); "human" shows it in a window.
        """
        if self.render_mode is None:
            warnings.warn(
                f"make the environment with render_mode={join_words(_quoted(render_modes()))} to render it",
                stacklevel=2,
            )
            return None
        viewer = viewer if viewer is not None else self.viewer
        if self.render_mode == "ansi":
            return self.table(viewer)
        if self.render_mode == "human":
            from foodenvs.window import Window

            self._window = self._window or Window(str(self), self.metadata["render_fps"])
        shown = pixels(self.picture(viewer), self.render_size)
        return shown if self._window is None else self._window.show(shown)

    def table(self, viewer: str | None = None) -> str:
        """The table as text for an agent, "open" (everything) or None (a spectator), with the last action."""
        view, seat = self._viewed(viewer)
        last = self.last_known_action(viewer)
        return str(self.setup.game.table(self.setup.box, view, seat)) + (f"last: {last}\n" if last else "")

    def picture(self, viewer: str | None = None, narrow: bool = False) -> Picture:
        """The table as a picture for an agent, "open" or None (a spectator); narrow: for a phone's width."""
        view, seat = self._viewed(viewer)
        drawn: Picture = self.setup.game.picture.draw(
            self.setup.box, view, seat, self._turn, self.last_known_action(viewer), narrow
        )
        return drawn

    def _viewed(self, viewer: str | None) -> tuple[dict[str, Any], int]:
        if viewer == "open":
            return self.view(), -1
        seat = -1 if viewer is None else self._seat(viewer)
        return self._seat_view(seat), seat

    def last_action(self, viewer: str | None = None) -> str:
        """The last action in words ("player_1: hand 5"), as a viewer was told of it; "" before the first.

        Of a secret action (`secret` of the game's `information`) the others hear only that it was taken.
        """
        self._check_reset()
        return self._worded(self._last, viewer)

    def last_known_action(self, viewer: str | None = None) -> str:
        """The last action whose words a viewer knows; so a table does not show that somebody has chosen."""
        self._check_reset()
        own = self._last if viewer == "open" else self._own_secret.get(viewer or "")
        return self._worded(own or self._last_public, "open")

    def _worded(self, last: tuple[int, int, bool], viewer: str | None) -> str:
        seat, action, secret = last
        if seat < 0:
            return ""
        words = self.setup.action_name(action) if action >= 0 else ""
        return self.tell(self.possible_agents[seat], words, secret, viewer)

    def is_secret(self, action: int) -> bool:
        """Whether the action, if the agent to act takes it now, stays its secret until some later moment."""
        return self._secret is not None and bool(self._secret(self.setup.box, self._state, action))

    def tell(self, agent: str, action: str, secret: bool, viewer: str | None = None) -> str:
        """An action of `agent`, given in words, as a viewer was told of it."""
        if not action or (secret and viewer not in ("open", agent)):
            return f"{agent}: chose in secret"
        return f"{agent}: {action}"

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._window is not None:
            self._window.close()
            self._window = None

    # --- beyond PettingZoo -----------------------------------------------------------------

    def view(self) -> dict[str, Any]:
        """The whole position, secrets included, as a dict of plain values; `reset` takes it back."""
        self._check_reset()
        return self.setup.view(self._states)

    def seat_view(self, agent: str) -> dict[str, Any]:
        """The position as `agent` sees it, in the same form."""
        return self._seat_view(self._seat(agent))

    def hidden(self, agent: str) -> dict[str, Any]:
        """What the position holds that `agent` must not know, by key of the view."""
        seat = self._seat(agent)
        self._check_reset()
        return self.setup.hidden_from(self._states, seat)

    def _seat_view(self, seat: int) -> dict[str, Any]:
        self._check_reset()
        return self.setup.seat_view(self._states, seat)

    def action_name(self, action: int) -> str:
        """An action in words."""
        return self.setup.action_name(action)

    def parse_action(self, text: str) -> int:
        """The action of a name; ValueError for a text that is none."""
        return self.setup.parse_action(text)

    def is_legal(self, action: Any) -> bool:
        """Whether the agent to act may take this action now; False for what is no action at all."""
        index = whole_number(action)
        return index is not None and 0 <= index < self.setup.actions and bool(self._mask[index])

    def dealt_from(self) -> int:
        """The seed of this very game: `reset(seed=...)` with it deals the same one. It tells all secrets."""
        self._check_reset()
        if self._seed is None or self._games == 0:
            return self._seed or 0
        return int(game_seed(self._seed, 0, self._games))

    def explain(self, observation: Any) -> dict[str, np.ndarray]:
        """The named fields of an observation (the dict or its array, scaled or raw) as int8 counts."""
        return self.setup.explain(observation)

    def scores(self) -> dict[str, int]:
        """The rulebook's points of each agent, so far."""
        return dict(zip(self.possible_agents, self._tally()[0].tolist(), strict=True))

    def returns(self) -> dict[str, float]:
        """What the end is worth to each agent: 1 to a sole winner, -1 / (teams - 1) to all others; first 0.

        Those who share the win share its worth. Agents of a team have the same, and it sums to 0 over the
        teams; over the agents only where the teams are of one size, as in every game without teams.
        """
        return dict(zip(self.possible_agents, self._tally()[1].tolist(), strict=True))

    @property
    def teams(self) -> dict[str, int]:
        """The number of each agent's team; where there are no teams, each agent is one of its own."""
        return dict(zip(self.possible_agents, self.setup.teams, strict=True))

    def _tally(self) -> tuple[np.ndarray, np.ndarray]:
        self._check_reset()
        self.setup.engine.tally(self.setup.boxes, self._states, self._scores, self._returns)
        return self._scores, self._returns

    def determinized(self, agent: str, seed: int) -> "FoodEnv":
        """A copy of this environment in which all that `agent` cannot know is dealt anew.

        The copy shows the agent the same observation, mask, rewards and text. It depends on `seed` and on
        what the agent knows, on nothing else; its own chance starts from `seed` too.
        """
        states = self.redealt(agent, seed)
        other = self._copy()
        other._states = states
        other._state = attributes(states)[0]
        other._seed, other._games = check_seed(seed), 0
        actor, _, secret = self._last
        if secret and actor != self._seat(agent):
            other._last = (actor, UNKNOWN_ACTION, True)
        other._own_secret = {who: own for who, own in self._own_secret.items() if who == agent}
        if other._turn >= 0:
            other._look(other._turn, other._observation, other._mask)
        other._write_infos()
        return other

    def redealt(self, agent: str, seed: int) -> np.ndarray:
        """The position of `determinized(agent, seed)` alone, as [1] record of the game's STATE."""
        states = self.record()
        seat, number = self._seat(agent), check_seed(seed)
        self.setup.engine.redeal(self.setup.boxes, states, seat, number)
        return states

    # --- copies ----------------------------------------------------------------------------

    def record(self) -> np.ndarray:
        """A copy of the position, secrets included, as [1] record of the game's STATE; `place` takes it."""
        self._check_reset()
        states = self.setup.new_states(1)
        states.view(np.uint8)[:] = self._states.view(np.uint8)
        return states

    def snapshot(self) -> bytes:
        """The whole environment as bytes: position, stream, pending choices and rewards; see `restore`."""
        plain: dict[str, Any] = {
            "made": self._made,
            "seed": self._seed,
            "games": self._games,
            "running": None,
        }
        if "agents" in self.__dict__:
            ends = self.terminations, self.truncations
            plain["running"] = {
                "last": self._last,
                "last_public": self._last_public,
                "own_secret": self._own_secret,
                "paid": self._paid.tolist(),
                "refusals": self._refusals,
                "agents": self.agents,
                "agent_selection": self.agent_selection,
                "skip": getattr(self, "_skip_agent_selection", None),
                "rewards": list(self.rewards.values()),
                "cumulative": list(self._cumulative_rewards.values()),
                "ended": [next(iter(flags.values()), True) for flags in ends],
            }
        body = json.dumps(plain).encode() + b"\n" + self._states.tobytes()
        return _MAGIC + saved.remember(saved.checksum(body)) + body

    def restore(self, snapshot: bytes) -> None:
        """Go back to a snapshot of an environment that was made alike (`raw` and how it is rendered aside).

        Raises ValueError that says what differs or is wrong, and changes nothing, for anything else. Bytes
        that this process did not make are checked, which takes some milliseconds.
        """
        try:
            plain, states = self._opened(snapshot)
        except RecursionError:
            raise ValueError("the snapshot is damaged: its header is nested too deep") from None
        self._seed, self._games, running = plain["seed"], plain["games"], plain["running"]
        if running is None:
            self._forget()
            return
        self._states.view(np.uint8)[:] = states.view(np.uint8)
        self._last, self._last_public = tuple(running["last"]), tuple(running["last_public"])
        self._own_secret = {agent: tuple(own) for agent, own in running["own_secret"].items()}
        self._paid[:] = running["paid"]
        self._refusals = running["refusals"]
        self.agents, self.agent_selection = running["agents"], running["agent_selection"]
        if running["skip"] is not None or hasattr(self, "_skip_agent_selection"):
            self._skip_agent_selection = running["skip"]
        self.rewards = dict(zip(self.agents, running["rewards"], strict=True))
        self._cumulative_rewards = dict(zip(self.agents, running["cumulative"], strict=True))
        terminated, truncated = running["ended"]
        self.terminations = dict.fromkeys(self.agents, terminated)
        self.truncations = dict.fromkeys(self.agents, truncated)
        self._turn = _OVER if terminated or truncated else int(self._state.turn)
        self._mask[:] = 0
        if self._turn >= 0:
            self._look(self._turn, self._observation, self._mask)
        self._write_infos()
        for agent in self._seats.keys() - self.agents:
            del self.infos[agent]

    def _opened(self, snapshot: bytes) -> tuple[dict[str, Any], np.ndarray]:
        """Header and record [1] of a snapshot, as they can be taken over; else ValueError."""
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
        check_made_alike("the snapshot", plain.get("made"), self._made)
        states = self.setup.new_states(1)
        if len(state) != states.nbytes:
            raise ValueError("the snapshot is damaged: its length is wrong")
        states.view(np.uint8)[:] = np.frombuffer(state, np.uint8)
        if not saved.is_known(seal):
            try:
                self._check_header(plain, states)
            except ValueError as error:
                raise ValueError(f"the snapshot is damaged: {error}") from error
            saved.remember(seal)
        return plain, states

    def _check_header(self, plain: dict[str, Any], states: np.ndarray) -> None:
        """ValueError that names the key unless header and record go with each other and with the set-up."""
        read = Reader(plain, "header", ValueError, ("made", "seed", "games", "running"))
        if read.any("seed") is not None:
            check_seed(plain["seed"])
        read.integer("games", 0, 2**62)
        if read.any("running") is None:
            return
        saved.check_positions(self.setup, states)
        names, turn = self.possible_agents, int(states["turn"][0])
        read = Reader(plain["running"], "header", ValueError, _RUNNING)
        read.integer("refusals", 0, self.max_refusals)
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
        own = read.get("own_secret", dict)
        for last in (read.any("last"), read.any("last_public"), *own.values()):
            if not self._is_action(last):
                raise read.fail("last", f"must be a seat, an action and whether it is secret, got {last!r}")
        if not own.keys() <= set(names):
            raise read.fail("own_secret", f"must be of {names}, got {list(own)}")

    def _is_action(self, last: Any) -> bool:
        """Whether this is what `_last` may be, as a list."""
        return (
            isinstance(last, list)
            and list(map(type, last)) == [int, int, bool]
            and -1 <= last[0] < self.setup.players
            and -1 <= last[1] < self.setup.actions
        )

    @property
    def _made(self) -> dict[str, Any]:
        keywords = {"rewards": self.reward_kind, "illegal": self.illegal, "max_refusals": self.max_refusals}
        return self.setup.description | keywords

    def _copy(self) -> "FoodEnv":
        other = FoodEnv(
            self.setup,
            illegal=self.illegal,
            max_refusals=self.max_refusals,
            rewards=self.reward_kind,
            raw=self.raw,
            render_mode=None if self.render_mode == "human" else self.render_mode,
            render_size=self.render_size,
            viewer=self.viewer,
        )
        other.restore(self.snapshot())
        return other

    def __deepcopy__(self, memo: dict[int, Any]) -> "FoodEnv":
        return self._copy()

    def __getstate__(self) -> dict[str, Any]:
        return {
            "setup": self.setup,
            "keywords": {
                "illegal": self.illegal,
                "max_refusals": self.max_refusals,
                "rewards": self.reward_kind,
                "raw": self.raw,
                "render_mode": self.render_mode,
                "render_size": self.render_size,
                "viewer": self.viewer,
            },
            "snapshot": self.snapshot(),
        }

    def __setstate__(self, pickled: Any) -> None:
        try:
            setup, keywords, snapshot = pickled["setup"], pickled["keywords"], pickled["snapshot"]
            self.__init__(setup, **keywords)  # type: ignore[misc]
        except (TypeError, KeyError, AttributeError):
            raise ValueError("this pickle is of no foodenvs environment, or of another version") from None
        self.restore(snapshot)

    def __str__(self) -> str:
        return self.setup.game.id


def _is_amount(value: Any) -> bool:
    return type(value) in (int, float) and abs(value) < 1e300  # neither infinite nor NaN


def _scaled_field(f: Field, values: np.ndarray) -> np.ndarray:
    low = np.broadcast_to(np.asarray(f.low, np.float32), f.shape)
    span = np.maximum(np.asarray(f.high, np.float32) - low, 1)
    scaled: np.ndarray = ((values.reshape(f.shape) - low) / span).astype(np.float32).ravel()
    return scaled
