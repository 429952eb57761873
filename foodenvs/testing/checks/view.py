"""view and facts: a seat's observation, its view, the table as text and the picture tell the same facts.

For environments with `seat_view(agent)` over a `Setup`: those of this library, games from outside included.
"""

import functools
import itertools
from typing import Any

from foodenvs.core.notation import PositionError
from foodenvs.core.readers import misread, read_fields
from foodenvs.testing.compare import difference
from foodenvs.testing.drive import Position
from foodenvs.testing.facts import Alterations, Altered, is_excused
from foodenvs.testing.report import Check, Fault
from foodenvs.testing.trial import Trial

AT_ONE, TRIES = 6, 60  # facts altered at one position for one seat, and how often that is tried
ENOUGH_VIEWS = 150  # in which a key was tried, after which it must have been altered


def unable(subject: Any) -> str:
    """Why the check cannot be run on a subject; "" where its environments have views."""
    env = subject.make(subject.configurations[0]).unwrapped
    has_views = hasattr(getattr(env, "setup", None), "seat_view")
    return "" if has_views else "only the games of this library, and games made for it, have views"


def run_view(trial: Trial) -> None:
    """Hold every seat's view to its observation, and set positions up from it."""
    for position in trial.walk():
        env = position.env.unwrapped
        readers = env.setup.game.readers
        if not readers:
            trial.remark(f"{env.setup.game.id} has no readers: fields were not compared with views")
        for agent in env.possible_agents:
            trial.hold(functools.partial(is_set_up_by_its_view, agent=agent, seed=position.seed), position)
            if readers:
                trial.hold(functools.partial(reads_from_its_view, agent=agent), position)
                trial.count("fields", len(env.setup.layout.fields))
            trial.count("views")


# --- one field, one reader ---------------------------------------------------------------------


def reads_from_its_view(position: Position, agent: str) -> Fault | None:
    """Each field of an observation is what its reader finds in the seat's view."""
    env = position.env.unwrapped
    setup, held = env.setup, env.explain(env.observe(agent))
    read = read_fields(setup, env.seat_view(agent))
    for name in misread(read, held):
        return Fault(
            "reader", f"the field {name} of {agent}'s observation is not what its view says", agent,
            f"explain(env.observe({agent!r}))[{name!r}]", read[name].tolist(), held[name].tolist(),
            ("from foodenvs.core.readers import read_fields",
             f"read = read_fields(env.unwrapped.setup, env.unwrapped.seat_view({agent!r}))[{name!r}]",
             f"assert env.unwrapped.explain(env.observe({agent!r}))[{name!r}].tolist() == read.tolist()"),
        )  # fmt: skip
    return None


def is_set_up_by_its_view(position: Position, agent: str, seed: int) -> Fault | None:
    """What a seat sees, given as a position, is set up as a redeal for that seat deals it."""
    env = position.env.unwrapped
    view, redealt = env.seat_view(agent), env.determinized(agent, seed)
    other = position.subject.make(position.configuration).unwrapped
    code = (
        "import copy", "other = copy.deepcopy(env.unwrapped)",
        f"other.reset(seed={seed}, options={{'position': env.unwrapped.seat_view({agent!r})}})",
    )  # fmt: skip
    try:
        other.reset(seed=seed, options={"position": view})
    except PositionError as error:
        why = "; ".join((str(error), *getattr(error, "__notes__", ())))
        return Fault(
            "seat view", f"what {agent} sees cannot be set up again: {why}", agent,
            f"seat_view({agent!r})", "a position to set up", view, code,
        )  # fmt: skip
    found = difference(view, other.seat_view(agent), f"seat_view({agent!r})")
    if found:
        return Fault(
            "seat view", f"what {agent} sees sets up a position that looks otherwise to it", agent, *found,
            (*code, f"assert other.seat_view({agent!r}) == env.unwrapped.seat_view({agent!r})"),
        )  # fmt: skip
    found = difference(env.observe(agent), other.observe(agent), f"observe({agent!r})")
    if found:
        fields = misread(other.explain(other.observe(agent)), env.explain(env.observe(agent)))
        return Fault(
            "seat view", f"what {agent} sees sets up a position in which it observes another "
            f"{', '.join(fields) or 'mask'}; its view must tell all of that", agent, *found,
            (*code, f"assert repr(other.observe({agent!r})) == repr(env.unwrapped.observe({agent!r}))"),
        )  # fmt: skip
    found = difference(redealt.view(), other.view(), "view()")
    if found:
        return Fault(
            "redeal", f"what {agent} sees sets up another position than a redeal for it deals", agent, *found,
            (*code, f"assert other.view() == env.unwrapped.determinized({agent!r}, {seed}).view()"),
        )  # fmt: skip
    return None


# --- one fact, all forms -----------------------------------------------------------------------


def run_facts(trial: Trial) -> None:
    """Alter facts of seats' views one at a time, until each key has been, and see that every form tells."""
    met = Alterations()
    for position in trial.walk():
        env, chance = position.env.unwrapped, position.chance("facts")
        seat = chance.randrange(len(env.possible_agents))
        view = env.seat_view(env.possible_agents[seat])
        met.meet(view)
        met.meet(env.view())
        altered = 0
        for found in itertools.islice(met.alter(env.setup, view, seat, chance), TRIES):
            if found:
                altered += 1
                trial.count("facts altered")
                for form in found.alike:
                    _hold_shown(trial, position, env.possible_agents[seat], form, found)
            if altered == AT_ONE:
                break
    for key, views in met.views.items():
        excused = is_excused(trial.at.env.unwrapped, "alone", (key,))
        if views >= ENOUGH_VIEWS and not met.hits[key] and not excused:
            message = f"{key} of a view was never altered alone, in {views} views"
            trial.fail(Fault(f"alone {key}", message), trial.at)


def _hold_shown(trial: Trial, position: Position, agent: str, form: str, found: Altered) -> None:
    """A form that is the same for two facts is a fault, unless the game's words excuse it."""
    if is_excused(position.env.unwrapped, form, found.path):
        return
    key, place = found.path[0], ".".join(map(str, found.path))
    one, other = dict(found.given), found.given | {key: found.after[key]}
    code = (
        "from foodenvs.testing.facts import shows",
        f"one, other = {one!r}, {other!r}",
        f"assert shows({form!r}, env.unwrapped.setup, one) != shows({form!r}, env.unwrapped.setup, other)",
    )
    source = f"unwrapped.seat_view({agent!r})[{key!r}]"
    message = f"{agent}'s {form} is the same with another {place}"
    fault = Fault(f"{form} {key}", message, agent, source, found.before[key], found.after[key], code)
    trial.fail(fault, position)


VIEW = Check(
    "view",
    "A seat's view is its observation in plain values. Each field of an observation is compared with what "
    "an independent reader, written from the field's meaning, finds in the seat's view; and the view, given "
    "as a position, sets up what a redeal for that seat deals, in which the seat observes the same.",
    0.1,
    run_view,
    unable,
)

FACTS = Check(
    "facts",
    "Observation, table as text and picture of a seat tell the facts of its view. Each fact is altered "
    "alone, by setting a position up from the altered view: all three must differ, or the fact stands in the "
    "game's list of what is not shown, with a reason.",
    0.1,
    run_facts,
    unable,
)
