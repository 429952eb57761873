"""leak: nothing that is shown to a seat depends on what it must not know.

What an environment has to give, here in a game of one hidden card each:

    def determinized(self, agent, seed):
        '''A copy in which all that `agent` cannot know is dealt anew, from `seed` and what it knows.'''
        other = copy.deepcopy(self)
        other.chance = random.Random(seed)                     # its own chance to come, too
        hidden = sorted(                                       # put together in a fixed order ...
            other.deck + [other.card[a] for a in self.possible_agents if a != agent]
        )
        other.chance.shuffle(hidden)                           # ... then dealt
        for each in self.possible_agents:
            if each != agent:
                other.card[each] = hidden.pop()
        other.deck = hidden
        return other

Optional, and used where they exist: `hidden(agent)`, a dict of what is hidden from the agent now; `phase`, a
name for the part of the game, in each of which what is hidden must vary; `secret_choices`, the agents whose
choices are made and not yet shown; `is_secret(action)`, whether the action would stay so for a while (where
neither is given, what no other observation shows counts as secret); `render(viewer)`; `view()` or
`snapshot()`, the whole position; `metadata["redeals_forget"]`, a promise that a redeal depends on nothing
hidden. For OpenSpiel there is `foodenvs.testing.resample.Resampling`.
"""

import contextlib
import functools
import random
from collections.abc import Callable, Sequence
from typing import Any

from foodenvs.testing.checks.choices import hold_secret_choices
from foodenvs.testing.checks.play import Referee
from foodenvs.testing.compare import difference, frozen
from foodenvs.testing.drive import (
    NotPlayable,
    Position,
    channel_of,
    everything_shown,
    hidden_part,
    is_over,
    legal_actions,
    look,
    look_difference,
    phase_of,
    play_on,
    position_of,
    root,
    viewer_parameter,
)
from foodenvs.testing.report import Check, Fault
from foodenvs.testing.trial import Law, Trial

SEATS_IN_HASTE = 3  # drawn at each position, once the time is up
# Of a hidden thing in a phase; one that was dealt alike in so many does not vary. (In a single position it
# may well be that what is hidden can be one thing only.)
ENOUGH_REDEALS, ENOUGH_POSITIONS = 40, 20
STEPS_AFTER = 20  # of play compared with and without a redeal
IMAGE_EVERY = 7  # images are slow: one position in so many


def unable(subject: Any) -> str:
    """Why the check cannot be run on a subject; "" where its environments can be redealt."""
    env = subject.make(subject.configurations[0])
    if hasattr(env.unwrapped, "determinized"):
        return ""
    return "the environment has no method determinized(agent, seed); see foodenvs.testing.checks.leak"


def run(trial: Trial) -> None:
    """Hold redeals at positions of random games to the laws, and see that all that is hidden varies."""
    varied: dict[tuple[str, str], _Varied] = {}
    for number, position in enumerate(trial.walk(variants=_showing(trial))):
        chance = position.chance("leak")
        agents = list(position.env.agents)
        chance.shuffle(agents)
        if trial.few is None and trial.left() < 0:
            agents = agents[:SEATS_IN_HASTE]
        images = position.configuration.get("render_mode") != "rgb_array" or number % IMAGE_EVERY == 0
        for agent in agents:
            seeds = chance.randrange(2**31), chance.randrange(2**31), chance.randrange(2**31)
            laws: list[Callable[[Position], Fault | None]] = [
                functools.partial(shows_the_same, agent=agent, seed=seeds[0], images=images),
                functools.partial(same_seed_same_redeal, agent=agent, seed=seeds[0]),
                functools.partial(tells_what_is_seen, agent=agent, seeds=seeds[:2]),
            ]
            if agent == agents[0]:
                laws.append(functools.partial(redeal_disturbs_nothing, agent=agent, seed=seeds[1]))
            for law in laws:
                trial.hold(law, position)
            _hold_forgetting(trial, functools.partial(forgets, agent=agent, seeds=seeds), position)
            _note_hidden(varied, position, agent, seeds[:2])
            trial.count("redeals")
        if number % 3 == 0 and agents:
            law = functools.partial(redealt_copies_play, agent=agents[0], seed=chance.randrange(2**31))
            trial.hold(law, position)
            trial.count("redealt games played out")
        hold_secret_choices(trial, position, chance, images)
    for (phase, thing), record in varied.items():
        enough = record.redeals >= ENOUGH_REDEALS and record.positions >= ENOUGH_POSITIONS
        if enough and not record.changed:
            _report_unvaried(trial, phase, thing, record)


def _hold_forgetting(trial: Trial, law: Law, position: Position) -> None:
    """Demanded of ours, and of others whose metadata has "redeals_forget"; else a remark."""
    if trial.subject.ours or position.env.unwrapped.metadata.get("redeals_forget"):
        trial.hold(law, position)
    elif not trial.result.remarks and trial.attempt(law, position):
        trial.remark("a redeal depends on hidden things: two redeals, redealt with one seed, differ")


def _showing(trial: Trial) -> Any:
    """Games take turns in being drawn as text and as images, where one can ask for an agent's picture.

    What came of each step is told, where the environment does so.
    """
    configuration = trial.subject.configurations[0]
    modes = [mode for mode in ("ansi", "rgb_array") if trial.subject.rendered(configuration, mode)]
    if not modes or not viewer_parameter(trial.subject.make(configuration)):
        modes = []
    events = {"events": True} if trial.subject.tells(configuration) else {}

    def variant(configuration: dict[str, Any], number: int) -> dict[str, Any]:
        rounds = number // len(trial.subject.configurations)
        mode = {"render_mode": modes[(number + rounds) % len(modes)]} if modes else {}
        return {**configuration, **events, **mode}

    return variant


# --- one redeal -------------------------------------------------------------------------------------


def _redealt(env: Any, agent: str, seed: int) -> Any:
    return env.unwrapped.determinized(agent, seed).unwrapped


def _code(agent: str, seed: int, name: str = "other", of: str = "env.unwrapped") -> str:
    return f"{name} = {of}.determinized({agent!r}, {seed})"


def shows_the_same(position: Position, agent: str, seed: int, images: bool = True) -> Fault | None:
    """A redeal for a seat shows that seat the same in every channel."""
    env = position.env.unwrapped
    if agent not in env.agents:
        return None
    other = _redealt(env, agent, seed)
    found = look_difference(
        frozen(everything_shown(env, agent, images)), everything_shown(other, agent, images)
    )
    if not found:
        return None
    source, mine, theirs = found
    return Fault(
        channel_of(source), f"what {agent} is shown changes when what it cannot know is dealt anew", agent,
        source, mine, theirs,
        (_code(agent, seed), f"assert repr(env.unwrapped.{source}) == repr(other.{source})"),
    )  # fmt: skip


def tells_what_is_seen(position: Position, agent: str, seeds: tuple[int, int]) -> Fault | None:
    """Two redeals for a seat that show it the same after the same action tell it the same events of that."""
    env = position.env.unwrapped
    if agent not in env.agents or is_over(env) or "events" not in env.infos.get(agent, {}):
        return None
    one, other = (_redealt(env, agent, seed) for seed in seeds)
    both = [
        a for a in legal_actions(one, one.agent_selection) if a in legal_actions(other, one.agent_selection)
    ]
    if not both:
        return None
    action = position.chance("events", agent).choice(both)
    for each in (one, other):
        each.step(action)
    if difference(*(frozen((e.seat_view(agent), e.last_action(agent))) for e in (one, other))):
        return None
    found = difference(
        one.infos[agent]["events"], other.infos[agent]["events"], f"infos[{agent!r}]['events']"
    )
    if not found:
        return None
    return Fault(
        "events", f"the events that {agent} is told depend on what it does not see", agent, *found,
        (_code(agent, seeds[0], "one"), _code(agent, seeds[1]), f"one.step({action}), other.step({action})",
         f"assert repr(one.{found[0]}) == repr(other.{found[0]})"),
    )  # fmt: skip


def same_seed_same_redeal(position: Position, agent: str, seed: int) -> Fault | None:
    """A seed gives one redeal."""
    env = position.env.unwrapped
    if agent not in env.agents:
        return None
    one, other = _redealt(env, agent, seed), _redealt(env, agent, seed)
    found = look_difference(frozen(look(one)), look(other)) or _whole_difference(one, other)
    if not found:
        return None
    return Fault(
        "redeal seed", f"two redeals for {agent} with one seed differ", agent, *found,
        (_code(agent, seed, "one"), _code(agent, seed),
         f"assert repr(one.{root(found[0])}) == repr(other.{root(found[0])})"),
    )  # fmt: skip


def redeal_disturbs_nothing(position: Position, agent: str, seed: int) -> Fault | None:
    """After a redeal was dealt and played, the game goes on as it would have without."""
    dealt_from, plain = position.twin(), position.twin()
    if agent not in plain.agents:
        return None
    copied = _play_some(_redealt(dealt_from, agent, seed), random.Random(seed))
    seen = [frozen(look(plain))]
    actions = _play_some(plain, position.chance("after"), lambda: seen.append(frozen(look(plain))))
    for k, expected in enumerate(seen):
        found = look_difference(expected, look(dealt_from))
        if found:
            return Fault(
                "redeal disturbs", f"after a redeal for {agent} the game goes on otherwise than without",
                agent, *found,
                ("import copy", "plain = copy.deepcopy(env)", _code(agent, seed),
                 f"for action in {copied}:", "    other.step(action)",
                 f"for action in {actions[:k]}:", "    env.step(action), plain.step(action)",
                 f"assert repr(env.{found[0]}) == repr(plain.{found[0]})"),
            )  # fmt: skip
        if k < len(actions):
            dealt_from.step(actions[k])
    return None


def _play_some(env: Any, chance: random.Random, see: Callable[[], Any] | None = None) -> list[Any]:
    """A few random actions; an environment that gets stuck is another law's affair."""
    actions: list[Any] = []
    with contextlib.suppress(NotPlayable):
        while not is_over(env) and len(actions) < STEPS_AFTER:
            actions += play_on(env, chance, 1, see)
    return actions


def _whole_difference(one: Any, other: Any) -> tuple[str, Any, Any] | None:
    """The first difference between two whole positions, in every form that the environment offers."""
    for name in ("view", "snapshot"):
        read = getattr(one, name, None)
        if read:
            found = difference(read(), getattr(other, name)(), f"{name}()")
            if found:
                return found
    if not hasattr(one, "view") and not hasattr(one, "snapshot") and hasattr(one, "hidden"):
        for agent in one.agents:
            found = difference(dict(one.hidden(agent)), dict(other.hidden(agent)), f"hidden({agent!r})")
            if found:
                return found
    return None


def forgets(position: Position, agent: str, seeds: tuple[int, int, int]) -> Fault | None:
    """Two redeals of one position, redealt for the same seat with one seed, are equal."""
    env = position.env.unwrapped
    if agent not in env.agents:
        return None
    first, second, last = seeds
    one = _redealt(_redealt(env, agent, first), agent, last)
    other = _redealt(_redealt(env, agent, second), agent, last)
    found = look_difference(frozen(look(one)), look(other)) or _whole_difference(one, other)
    if not found:
        return None
    return Fault(
        "forgetting", f"a redeal for {agent} depends on what {agent} cannot know", agent, *found,
        (f"one = env.unwrapped.determinized({agent!r}, {first}).determinized({agent!r}, {last})",
         f"other = env.unwrapped.determinized({agent!r}, {second}).determinized({agent!r}, {last})",
         f"assert repr(one.{found[0]}) == repr(other.{found[0]})"),
    )  # fmt: skip


def redealt_copies_play(position: Position, agent: str, seed: int) -> Fault | None:
    """A redealt copy plays to its end by all the rules of play."""
    env = position.env.unwrapped
    if agent not in env.agents:
        return None
    other = _redealt(env, agent, seed)
    made = sum(action is not None for action in position.actions)
    referee = Referee(other, made)
    error = None
    try:
        referee.play(random.Random(seed))
    except NotPlayable as stuck:
        error = str(stuck)
    except Exception as raised:
        error = f"{type(raised).__name__}: {raised}"
    if error is None and referee.fault is None:
        return None
    message = error or (referee.fault.message if referee.fault else "")
    return Fault(
        "playable", f"a redeal for {agent} cannot be played to its end: {message}", agent,
        referee.fault.field if referee.fault else None, "a game to the end", message,
        (_code(agent, seed), f"for action in {referee.actions}:", "    other.step(action)",
         "import random", "from foodenvs.testing.drive import choose",
         "other.step(choose(other, random.Random(0)))"),
    )  # fmt: skip


# --- does the hidden part vary? ----------------------------------------------------------------------


class _Varied:
    """Redeals of one hidden thing in one phase: how many, whether any two differ, and where it was seen."""

    def __init__(self, position: Position, agent: str) -> None:
        self.redeals, self.positions, self.changed = 0, 0, False
        self.position, self.agent = position, agent
        self.latest: Position | None = None


def _note_hidden(
    varied: dict[tuple[str, str], _Varied], position: Position, agent: str, seeds: Sequence[int]
) -> None:
    env = position.env.unwrapped
    told = hidden_part(env, agent)
    whole = {"position": position_of(env)} if told is None else told
    if not whole or whole.get("position", True) is None:
        return
    phase = phase_of(env)
    records = {thing: varied.setdefault((phase, thing), _Varied(position, agent)) for thing in whole}
    records = {thing: record for thing, record in records.items() if not record.changed}
    if not records:
        return
    dealt = [_redealt(env, agent, seed) for seed in seeds]
    for thing, record in records.items():
        one, *others = (
            position_of(each) if told is None else each.hidden(agent).get(thing) for each in dealt
        )
        if one is None and not any(others) and env.agent_selection != agent:
            continue  # of a choice that another seat has not finished: a redeal may let it begin anew
        record.positions += record.latest is not position
        record.latest = position
        record.redeals += len(dealt)
        record.changed = any(difference(one, other) for other in others)


def _report_unvaried(trial: Trial, phase: str, thing: str, record: _Varied) -> None:
    position, agent = record.position, record.agent
    hidden = hasattr(position.env.unwrapped, "hidden")
    source = f"hidden({agent!r}).get({thing!r})" if hidden else "state()"
    trial.fail(
        Fault(
            f"varies in {phase}",
            f"in {record.redeals} redeals in {phase} the hidden {thing} never varied: no two of one position "
            "differ",
            agent, None, f"{thing} that varies", "the same every time",
            (f"dealt = [env.unwrapped.determinized({agent!r}, seed) for seed in range({ENOUGH_REDEALS})]",
             f"assert len({{repr(other.{source}) for other in dealt}}) > 1"),
        ),
        position,
    )  # fmt: skip


LEAK = Check(
    "leak",
    "Nothing that is shown to a seat depends on what it must not know. At many positions of many games, "
    "for every seat, all that the seat cannot know is dealt anew: its observation, mask, info, rewards, "
    "the agent to act, its text and its image stay identical, and over many redeals the hidden part "
    "really varies in every phase in which something is hidden. Forgetting: two redeals of a position, "
    "redealt again for the seat with one seed, are equal (demanded of foodenvs, a remark for others). "
    "Playable: redealt copies play to the end by all the rules. Commitment: two games that differ only in "
    "a seat's pending secret choice show every other seat the same in all channels until the reveal. In "
    "games of this library, where `secret` says of which actions that holds, nobody is told of other ones "
    "more than it sees, and redeals deal choices that could have been made.",
    0.25,
    run,
    unable,
)
