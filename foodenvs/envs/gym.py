"""The game of one seat as a Gymnasium environment: the learner's turns only, against chosen opponents.

env = gymnasium.make("foodenvs/scratch_catch-v0", opponents="greedy", seat="random", players=2)
envs = gymnasium.make_vec("foodenvs/scratch_catch-v0", num_envs=256, opponents={"greedy": 2, "random": 1})
"""

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from foodenvs.agents.base import agent_seed
from foodenvs.core.checks import check_seed
from foodenvs.core.errors import IllegalActionError
from foodenvs.envs.aec import FoodEnv
from foodenvs.envs.batch import MOST_PASSED_OVER, Batch
from foodenvs.envs.configuration import configure, render_modes
from foodenvs.envs.opponents import LEARNER, Opponents, PythonOpponents

_SEEDS = 2**62
_OF_MANY_SEATS = ("illegal", "max_refusals", "rewards", "raw")  # what one may say of a vector view
_OF_A_SEAT = (*_OF_MANY_SEATS, "render_mode", "render_size")
_NO_GAME, _BROKEN_OFF = "no game is running", "the last call was broken off before all had played"


class SeatEnv(gymnasium.Env):
    """A game seen from the learner's seat: `step` plays its action and goes on to its next turn.

    Observations are float32 [D] in [0, 1] (int8 counts with `raw`), fresh at every call; the mask int8 [A] is
    in `info["action_mask"]` and `action_masks()`, all 0 after the end. The reward is the sum of what the
    learner's seat got since its last action, whoever moved. `info["seat"]` is the learner's seat; at the end
    `info["scores"]` int64 [P] has the rulebook's points.

    game: an id. opponents, seat: see `foodenvs.envs.opponents.Opponents`. illegal, max_refusals, rewards,
    raw, render_mode, render_size, components and the game's options: as in `foodenvs.make`. Order is enforced
    here: no wrapper is needed.
    """

    metadata: dict[str, Any] = {"render_modes": render_modes(), "render_fps": 2}  # noqa: RUF012

    def __init__(
        self,
        game: Any,
        *,
        opponents: Any = "greedy",
        seat: Any = "random",
        components: Any = None,
        **keywords: Any,
    ) -> None:
        configuration = configure(game, components, keywords, _OF_A_SEAT)
        self.setup, self.render_mode = configuration.setup, configuration.render_mode
        self.aec = FoodEnv.configured(configuration)
        self.opponents = Opponents(self.setup, opponents, seat)
        self.observation_space = configuration.observation_space()
        self.action_space = spaces.Discrete(self.setup.actions)
        self._agents: dict[tuple[int, int], Any] = {}
        self._players: list[Any] = []
        self._owed = 0.0  # what the learner got before its first turn, paid with its first step
        self._seat = 0
        self._needs_reset = _NO_GAME  # why `reset` must come next; "" while a game is running

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Deal a game up to the learner's first turn.

        seed: the game is the one that `foodenvs.make(...).reset(seed=seed)` deals, and seat and opponents are
        drawn from it; without one all comes from `np_random`. options: as of `FoodEnv.reset`.
        A game that ends before the learner is asked is passed over for the next of its series, as
        `make(...).reset()` deals it. ValueError where no game will do, and for a position from which the
        learner is not asked; then no game is running.
        """
        if seed is not None:
            seed = check_seed(seed)
        super().reset(seed=seed)
        self._begin(seed if seed is not None else self._next_seed(), options)
        passed_over = 0
        while self._over():  # and the learner was not asked
            if options and options.get("position") is not None:
                raise ValueError(f"from this position {self.setup.agents[self._seat]} is not asked any more")
            if passed_over == MOST_PASSED_OVER:
                raise ValueError(f"{MOST_PASSED_OVER} games in a row ended before the learner was asked")
            passed_over += 1
            self._begin(None, None)
        self._needs_reset = ""
        return self._observation(), self._info()

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Play `action` and go on to the learner's next turn.

        Raises IllegalActionError (unless `illegal` says otherwise; nothing has changed), TypeError for what
        is no whole number, `gymnasium.error.ResetNeeded` before reset, after the end, and after a call that
        was broken off (by an opponent's error, by Ctrl-C).
        """
        _check_reset(self._needs_reset)
        me = self.setup.agents[self._seat]
        self._needs_reset = _BROKEN_OFF
        try:
            self.aec.step(action)
        except (IllegalActionError, TypeError):
            self._needs_reset = ""
            raise
        reward = self._owed + self.aec.rewards[me] + self._advance()
        self._owed = 0.0
        terminated, truncated = self.aec.terminations[me], self.aec.truncations[me]
        self._needs_reset = _NO_GAME if terminated or truncated else ""
        return self._observation(), float(reward), terminated, truncated, self._info()

    def action_masks(self) -> np.ndarray:
        """1 for each legal action, int8 [A]; all 0 when no game is running."""
        if self._needs_reset:
            return np.zeros(self.setup.actions, np.int8)
        mask: np.ndarray = self.aec.infos[self.setup.agents[self._seat]]["action_mask"].copy()
        return mask

    def render(self) -> Any:
        """The table as the learner sees it."""
        return self.aec.render(self.setup.agents[self._seat])

    def _next_seed(self) -> int:
        return int(self.np_random.integers(_SEEDS))

    def _begin(self, seed: int | None, options: dict[str, Any] | None) -> None:
        self.aec.reset(seed=seed, options=options)
        self._needs_reset = _BROKEN_OFF  # until the others have played
        seed = self.aec.dealt_from()
        self._players = []
        for seat, entry in enumerate(self.opponents.draw(seed)):
            if entry == LEARNER:
                self._seat = seat
                self._players.append(None)
                continue
            if (entry, seat) not in self._agents:
                self._agents[entry, seat] = self.opponents.seated(entry, seat, self.aec)
            self._players.append(self._agents[entry, seat])
            self._players[-1].reset(agent_seed(seed, seat))
        self._owed = self._advance()

    def _advance(self) -> float:
        """The others play up to the learner's turn or the end; returns what the learner got by that."""
        aec, me, reward = self.aec, self.setup.agents[self._seat], 0.0
        while not self._over() and aec.agent_selection != me:
            player = self._players[self.setup.agents.index(aec.agent_selection)]
            observation, _, _, _, info = aec.last()
            action = self.setup.check_action(player.act(observation, info), aec.agent_selection)
            if not aec.is_legal(action):
                raise IllegalActionError(aec.refusal(aec.agent_selection, action))
            aec.step(action)
            reward += aec.rewards[me]
        return reward

    def _over(self) -> bool:
        me = self.setup.agents[self._seat]
        return bool(self.aec.terminations[me] or self.aec.truncations[me])

    def _observation(self) -> np.ndarray:
        observation: np.ndarray = self.aec.observe(self.setup.agents[self._seat])["observation"]
        return observation

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {"action_mask": self.action_masks(), "seat": self._seat}
        if self._over():
            info["scores"] = np.array(list(self.aec.scores().values()))
        return info


def _check_reset(needs_reset: str) -> None:
    if needs_reset:
        raise ResetNeeded(f"call reset() before step(): {needs_reset}")


class SeatVectorEnv(VectorEnv):
    """Many games, each seen from its learner's seat, on the batch engine; see `SeatEnv` for the keywords.

    A game that ends is followed at once by the next of its slot (autoreset SAME_STEP): `infos["final_obs"]`
    then has the last observation (an array of objects, None where no game ended), `infos["final_info"]` its
    last info, `infos["_final_obs"]` and `infos["_final_info"]` say where. Game k of slot i is
    the game of `SeatEnv.reset(seed=foodenvs.game_seed(seed, i, k))`, whatever `num_envs` and `threads` are.
    Opponents that the engine knows (random and the game's own agents) play inside it; others play too, but
    cost what they cost one by one.

    With illegal="raise" one illegal action raises IllegalActionError before anything is played.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012
        "render_modes": [],
        "autoreset_mode": AutoresetMode.SAME_STEP,
    }

    def __init__(
        self,
        game: Any,
        num_envs: int = 1,
        *,
        opponents: Any = "greedy",
        seat: Any = "random",
        render_mode: str | None = None,
        threads: int = 1,
        components: Any = None,
        **keywords: Any,
    ) -> None:
        if render_mode is not None:
            raise ValueError(f"the vector view is not rendered, got render_mode={render_mode!r}")
        self.configuration = configuration = configure(game, components, keywords, _OF_MANY_SEATS)
        self.setup = setup = configuration.setup
        self.opponents = Opponents(setup, opponents, seat)
        self.num_envs = num_envs
        self._python_opponents = PythonOpponents(self.opponents)
        self.batch = Batch(
            setup, num_envs, **configuration.played, final=True, threads=threads,
            seating=self._python_opponents.seating, networks=self._python_opponents.networks,
        )  # fmt: skip
        self.single_observation_space = configuration.observation_space()
        self.single_action_space = spaces.Discrete(setup.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._rows = np.arange(self.num_envs)
        self._learner = np.zeros(self.num_envs, np.int64)  # its seat in the running game of each slot
        self._needs_reset = _NO_GAME

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Start game 0 of every slot, of the given seed or of one from `np_random`. There are no options."""
        if options:
            raise ValueError(f"the vector view has no reset options, got {', '.join(map(str, options))}")
        super().reset(seed=None if seed is None else check_seed(seed))
        self._needs_reset = _BROKEN_OFF
        self._python_opponents.forget()
        self.batch.reset(seed if seed is not None else int(self.np_random.integers(_SEEDS)))
        self._play_on(_Outcome(self.batch, np.ones(self.num_envs, np.bool_)))
        self._needs_reset = ""
        return self._observation(), self._infos()

    def step(self, actions: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Play an action of each learner (whole numbers [N]) and go on to their next turns.

        Returns fresh arrays: observations [N, D], rewards float64 [N], terminations and truncations bool [N].
        Errors as of `SeatEnv.step`: what was broken off in one slot needs a reset of all.
        """
        _check_reset(self._needs_reset)
        actions = self.batch.checked(actions)
        if self.configuration.illegal == "raise":
            self._refuse_illegal(self._rows, actions)
        self._needs_reset = _BROKEN_OFF
        outcome = _Outcome(self.batch, np.zeros(self.num_envs, np.bool_))
        self.batch.step(actions)
        self._note(outcome, self._rows)
        self._play_on(outcome)
        self._needs_reset = ""
        infos = self._infos()
        if outcome.ended.any():
            self._add_final(infos, outcome)
        return self._observation(), outcome.rewards, outcome.terminated, outcome.truncated, infos

    def action_masks(self) -> np.ndarray:
        """1 for each legal action of each learner, int8 [N, A]; all 0 when no game is running."""
        masks = self.batch.action_mask
        return np.zeros_like(masks) if self._needs_reset else masks.copy()

    def _refuse_illegal(self, slots: np.ndarray, actions: np.ndarray) -> None:
        """IllegalActionError for the first action of these slots that is not legal, before any is played."""
        chosen = actions[slots]
        inside = (chosen >= 0) & (chosen < self.setup.actions)
        legal = inside & (self.batch.action_mask[slots, np.where(inside, chosen, 0)] == 1)
        if not legal.all():
            i = int(slots[np.argmin(legal)])
            env = self.batch.show(i, FoodEnv(self.setup))
            whose = f"{env.agent_selection}{self._python_opponents.named(self.batch, i)}"
            raise IllegalActionError(f"environment {i}: {env.refusal(whose, int(actions[i]))}")

    def _play_on(self, outcome: "_Outcome") -> None:
        """Opponents that the engine does not know play, until each learner is to act."""
        batch = self.batch
        while self._python_opponents.any:
            waiting = np.flatnonzero(batch.player[self._rows, batch.seat] != LEARNER)
            if not waiting.size:
                break
            actions, active = np.zeros(self.num_envs, np.int64), np.zeros(self.num_envs, np.bool_)
            active[waiting] = True
            self._python_opponents.act(batch, waiting, actions)
            self._refuse_illegal(waiting, actions)
            batch.step(actions, active, unasked=outcome.ended)  # of the games that follow those reported
            self._note(outcome, waiting)
        if outcome.ended.any():
            self._learner[:] = (batch.player == LEARNER).argmax(axis=1)

    def _note(self, outcome: "_Outcome", slots: np.ndarray) -> None:
        """Take down what the last step brought in these slots."""
        batch = self.batch
        outcome.rewards[slots] += batch.rewards[slots, self._learner[slots]]
        ended = slots[batch.terminated[slots] | batch.truncated[slots]]
        if not ended.size:
            return
        outcome.ended[ended] = True
        outcome.terminated[ended] = batch.terminated[ended]
        outcome.truncated[ended] = batch.truncated[ended]
        outcome.seat[ended] = self._learner[ended]
        outcome.scores[ended] = batch.scores[ended]
        outcome.final[ended] = batch.final_observation[ended, self._learner[ended]]

    def _observation(self) -> np.ndarray:
        return self.configuration.shown(self.batch.observation)

    def _infos(self) -> dict[str, Any]:
        everywhere = np.ones(self.num_envs, np.bool_)
        return {
            "action_mask": self.action_masks(),
            "_action_mask": everywhere,
            "seat": self._learner.copy(),
            "_seat": everywhere.copy(),
        }

    def _add_final(self, infos: dict[str, Any], outcome: "_Outcome") -> None:
        ended = np.flatnonzero(outcome.ended)
        final = self.configuration.shown(outcome.final[ended])
        observations = np.full(self.num_envs, None, dtype=object)
        for i, observation in zip(ended.tolist(), final, strict=True):
            observations[i] = observation
        infos["final_obs"], infos["_final_obs"] = observations, outcome.ended.copy()
        last = {
            "action_mask": np.zeros_like(infos["action_mask"]),
            "seat": outcome.seat,
            "scores": outcome.scores,
        }
        infos["final_info"] = last | {f"_{name}": outcome.ended.copy() for name in last}
        infos["_final_info"] = outcome.ended.copy()


class _Outcome:
    """What a step of the vector view brings; `ended`: where a game ended, and the next has asked nobody."""

    def __init__(self, batch: Batch, ended: np.ndarray) -> None:
        n = batch.num_envs
        self.ended = ended
        self.rewards = np.zeros(n)
        self.terminated = np.zeros(n, np.bool_)
        self.truncated = np.zeros(n, np.bool_)
        self.seat = np.zeros(n, np.int64)
        self.scores = np.zeros(batch.scores.shape, np.int64)
        self.final = np.zeros(batch.observation.shape, np.int8)
