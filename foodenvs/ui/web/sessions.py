"""The games that a server holds, and what it tells of them: never more than the seat at the browser sees.

Limits are constants here: games at once, decisions that think at once, sizes of what is sent, search effort.
"""

import re
import secrets
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, wait
from typing import Any

from foodenvs.agents import AGENTS
from foodenvs.agents.policy import shipped_players
from foodenvs.core.checks import check_seed
from foodenvs.core.documents import printable
from foodenvs.core.game import Game, Option
from foodenvs.core.setup import Setup
from foodenvs.drawing import frame
from foodenvs.envs.aec import FoodEnv
from foodenvs.envs.registry import named_game
from foodenvs.games import GAMES
from foodenvs.replay import Recorder, Replay, Step, from_json, result_of
from foodenvs.replay.export import OPEN
from foodenvs.ui.session import HUMAN, GameSession

MOST_SESSIONS = 100
IDLE_SECONDS = 12 * 3600  # a session that nobody asked for that long may be dropped
MOST_THINKING = 2  # agents at once
LARGEST_BODY = 2_000_000  # bytes
MOST_STEPS = 10_000  # of a replay
MOST_ITERATIONS = 2_000  # of a search, per decision
MOST_SECONDS = 120  # of thought for a decision; the first one may have to be compiled
_ID = re.compile(r"[A-Za-z0-9_-]{22}")
_SEARCH = re.compile(r"(ismcts):iterations=([1-9][0-9]{0,5})")


class Refused(Exception):
    """A request that cannot be met: an HTTP status and a sentence for the person at the browser."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class Session:
    """One game at one browser: a game with at most one human, or a replay to look at (no agents)."""

    def __init__(self, game: GameSession | None, replay: Replay | None = None) -> None:
        self.game, self.loaded = game, replay
        self.lock = threading.Lock()
        self.used = time.monotonic()
        self._kept: tuple[int, FoodEnv] | None = None
        self._too_slow: set[str] = set()
        self._record = Recorder.resume(replay) if replay else None

    @property
    def recorder(self) -> Recorder:
        """What has been played, or is looked at, up to its last position."""
        if self.game:
            return self.game.recorder
        assert self._record is not None
        return self._record

    @property
    def env(self) -> FoodEnv:
        """The environment at its last position."""
        env: FoodEnv = self.recorder.unwrapped
        return env

    @property
    def you(self) -> str | None:
        """The seat of the human; None where only agents play, and for a replay."""
        return self.game.humans[0] if self.game and self.game.humans else None

    @property
    def replay(self) -> Replay:
        """The game up to now, or the replay that is looked at; it tells all secrets."""
        if self.game:
            return self.game.replay()
        assert self.loaded is not None
        return self.loaded

    @property
    def secrets_are_out(self) -> bool:
        """Whether everything may be shown: nobody plays, or the game is over."""
        return self.you is None or bool(self.game and self.game.over)

    def viewers(self) -> list[str]:
        """Who the table may be drawn for."""
        if not self.secrets_are_out:
            return [str(self.you)]
        return [
            *([self.you] if self.you else []),
            OPEN,
            *(a for a in self.env.possible_agents if a != self.you),
        ]

    @property
    def steps(self) -> tuple[Step, ...]:
        """All decisions up to now, or of the replay."""
        return self.recorder.steps

    def at(self, step: int) -> FoodEnv:
        """The environment after a step; the one looked at last is kept, so that going on is cheap."""
        if step == len(self.steps):
            return self.env
        if self._kept is None or self._kept[0] != step:
            self._kept = (step, self.replay.at(step))
        return self._kept[1]

    def think(self, decide: Callable[[], Any]) -> Any:
        """The decision of the agent to move. One that took too long once is not asked again."""
        agent = str(self.game.turn) if self.game else ""
        if agent in self._too_slow:
            raise Refused(504, f"{agent} took more than {MOST_SECONDS} s once and plays no more")
        decision = begun(decide)
        if not wait([decision], MOST_SECONDS).done:
            self._too_slow.add(agent)
            raise Refused(504, f"{agent} took more than {MOST_SECONDS} s for a decision")
        try:
            return decision.result()
        except BaseException as error:  # an agent that exits ends the server no more than one that fails
            raise Refused(500, f"{agent} failed: {type(error).__name__}: {error}") from error

    def forget(self) -> None:
        """The game has changed."""
        self._kept = None


class Sessions:
    """All sessions of a server. more: ids of agents that may be played against besides the usual ones."""

    def __init__(self, more: Sequence[str] = ()) -> None:
        self.more = list(more)
        self.all: dict[str, Session] = {}
        self._lock = threading.Lock()
        self._thinking = threading.BoundedSemaphore(MOST_THINKING)

    # --- what can be played

    def games(self) -> list[dict[str, Any]]:
        """Games, options and opponents, for the form that starts a game."""
        return [
            {
                "id": game.id,
                "title": game.title,
                "about": game.page.strip().split("\n")[0],
                "options": [describe_option(option) for option in game.options.values()],
                "agents": self.agents(game),
                "ppo_players": shipped_players(game),
            }
            for game in (GAMES[name] for name in GAMES)
        ]

    def agents(self, game: Game) -> list[str]:
        """The ids that the form offers."""
        ids = game.agent_ids
        ids += [f"ismcts:iterations={n}" for n in (100, 500)] if "ismcts" in AGENTS else []
        return ids + [agent for agent in self.more if agent not in ids]

    def check_agent(self, game: Game, agent: Any) -> str:
        """The id if a browser may ask for it: no modules, no files, no endless search."""
        search = _SEARCH.fullmatch(agent) if isinstance(agent, str) else None
        if search and search[1] in AGENTS:
            if int(search[2]) <= MOST_ITERATIONS:
                return str(agent)
            raise Refused(400, f"iterations must be 1 to {MOST_ITERATIONS}, got {search[2]}")
        if agent in self.agents(game):
            return str(agent)
        raise Refused(400, f"unknown agent {agent!r}; there are {', '.join(self.agents(game))}")

    # --- starting

    def deal(self, asked: Any) -> str:
        """A new game: {game, options, seats, seed}; gives the id of its session."""
        fields(
            asked,
            {"game": str, "options": dict, "seats": list, "seed": (int, type(None))},
            optional=("seed",),
        )
        game = named_game(asked["game"], "field 'game'")
        setup = Setup(game, asked["options"])
        seats = [seat if seat == HUMAN else self.check_agent(game, seat) for seat in asked["seats"]]
        if seats.count(HUMAN) > 1:
            raise Refused(400, "one person plays at a browser; the other seats are agents")
        seed = secrets.randbits(62) if asked.get("seed") is None else check_seed(asked["seed"])
        return self._keep(Session(GameSession.deal(setup, seats, seed)))

    def look(self, document: str) -> str:
        """A replay to look at; gives the id of its session."""
        replay = from_json(document)
        if len(replay.steps) > MOST_STEPS:
            raise Refused(413, f"a replay may have {MOST_STEPS} steps, this one has {len(replay.steps)}")
        return self._keep(Session(None, replay))

    def _keep(self, session: Session) -> str:
        with self._lock:
            if len(self.all) >= MOST_SESSIONS:
                oldest = min(self.all, key=lambda key: self.all[key].used)
                if time.monotonic() - self.all[oldest].used < IDLE_SECONDS:
                    raise Refused(503, f"this server holds {MOST_SESSIONS} games already; close one first")
                del self.all[oldest]
            key = secrets.token_urlsafe(16)
            self.all[key] = session
        return key

    def get(self, key: str) -> Session:
        """The session of an id, noted as in use; Refused (404) where there is none."""
        session = self.all.get(key) if _ID.fullmatch(key) else None
        if session is None:
            raise Refused(404, "there is no such game; it was closed, or the server was started anew")
        session.used = time.monotonic()
        return session

    def close(self, key: str) -> None:
        """Drop a session; Refused (404) where there is none."""
        self.get(key)
        with self._lock:
            self.all.pop(key, None)

    # --- playing

    def act(self, session: Session, asked: Any) -> None:
        """The human's action: {action, step}; step is the number of steps that the browser has seen."""
        fields(asked, {"action": str, "step": int})
        game = playing(session)
        if asked["step"] != len(session.steps):
            raise Refused(409, "the game has gone on meanwhile (in another window?)")
        game.act(asked["action"])
        session.forget()

    def advance(self, session: Session, asked: Any) -> None:
        """One decision of the agent to move, if `step` is still the number of steps."""
        fields(asked, {"step": int})
        if asked["step"] == len(session.steps):
            with self._thinking:
                playing(session).advance(session.think)
            session.forget()

    def undo(self, session: Session) -> None:
        """Take back the human's last decision; ValueError where that cannot be, Refused for a replay."""
        playing(session).undo()
        session.forget()

    def hint(self, session: Session) -> str:
        """What `greedy` would do in the human's place, in words; waits while others think."""
        with self._thinking:
            return playing(session).hint("greedy")


def begun(work: Callable[[], Any]) -> "Future[Any]":
    """What work() will give or raise; a server that ends does not wait for it."""
    done: Future[Any] = Future()

    def run() -> None:
        try:
            done.set_result(work())
        except BaseException as error:
            done.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return done


def playing(session: Session) -> GameSession:
    """The game of a session; Refused (409) for a replay."""
    if session.game is None:
        raise Refused(409, "this is a replay: it can be looked at, not played")
    return session.game


def fields(asked: Any, kinds: Mapping[str, Any], optional: Sequence[str] = ()) -> None:
    """Refuse a body that is not an object with exactly these fields of these types."""
    if not isinstance(asked, dict):
        raise Refused(400, "the body must be a JSON object")
    for name in asked:
        if name not in kinds:
            raise Refused(400, f"unknown field {name!r}; there are {', '.join(kinds)}")
    for name, kind in kinds.items():
        if name not in asked and name in optional:
            continue
        value = asked.get(name)
        if not isinstance(value, kind) or isinstance(value, bool):
            raise Refused(400, f"field {name!r} is missing or of the wrong type")


def describe_option(option: Option) -> dict[str, Any]:
    """An option for a form: values to choose from, or text (JSON) where there is no list of them."""
    listed = isinstance(option.allowed, (range, tuple)) and len(option.allowed) <= 20
    return {
        "name": option.name,
        "default": option.default,
        "values": list(option.allowed) if listed else [],
        "must_be": option.must_be(option.default),
        "meaning": option.meaning,
    }


# --- what is told ------------------------------------------------------------------------------


def tell(session: Session, viewer: str | None, step: int | None, narrow: bool) -> dict[str, Any]:
    """The state of a session for the page: one position as one viewer may see it, and what can be done."""
    viewers = session.viewers()
    viewer = viewer if viewer is not None else viewers[0]
    if viewer not in viewers:
        raise Refused(403, f"you see the table as {', '.join(viewers)} until the game is over")
    count = len(session.steps)
    step = count if step is None else step
    if not 0 <= step <= count:
        raise Refused(400, f"step must be 0 to {count}, got {step}")
    env, game, now = session.at(step), session.game, step == count
    drawn, sprites = frame(env.picture(viewer, narrow))
    over = session.env.position.over
    seated = game.seats if game else session.replay.agents
    waits = bool(game and game.waits)
    steps, log = session.steps, session.recorder.told(viewer)
    thought = steps[step - 1].probabilities if step and session.secrets_are_out else {}
    return {
        "game": env.setup.game.id,
        "title": env.setup.game.title,
        "options": env.setup.options,
        "agents": {agent: printable(who) for agent, who in seated.items()},
        "you": session.you,
        "viewer": viewer,
        "viewers": viewers,
        "steps": count,
        "step": step,
        "over": over,
        "waits": waits,
        "thinks": bool(game) and not waits and not over,
        "legal": game.legal() if game and waits and now else [],
        "undo": bool(game and game.can_undo()),
        "log": log,
        "last": log[step - 1] if step else "",
        "text": env.table(viewer),
        "thought": {printable(action): share for action, share in thought.items()},
        "result": result_of(session.env),
        "saving": session.secrets_are_out,
        "frame": drawn,
        "sprites": sprites,
    }
