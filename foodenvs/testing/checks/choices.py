"""The laws of secret choices, for the check leak: nobody sees them before they are revealed."""

import functools
import itertools
import random
from typing import Any

import numpy as np

from foodenvs.core.contract import STATE_OF_EVERY_GAME
from foodenvs.testing.compare import difference, frozen, places_apart
from foodenvs.testing.drive import (
    NotPlayable,
    Position,
    channel_of,
    everything_shown,
    follow,
    is_over,
    legal_actions,
    look_difference,
)
from foodenvs.testing.facts import is_excused
from foodenvs.testing.report import Fault
from foodenvs.testing.trial import Trial

SECRET_STEPS = 60  # steps followed to find the reveal of a secret choice
FEW_CHOICES = 4  # tried of those that could be made
FRAME = [name for name, *_ in STATE_OF_EVERY_GAME]
REVEALED = 24  # steps back in which a choice is looked for that is revealed now


def hold_secret_choices(trial: Trial, position: Position, chance: random.Random, images: bool) -> None:
    """Hold the secret choices that can be made at a position to the laws."""
    env = position.env
    if is_over(env) or len(env.agents) < 2 or not _can_tell(env):
        return
    seed, viewer = chance.randrange(2**31), chance.choice([a for a in env.agents if a != env.agent_selection])
    if hasattr(env.unwrapped, "last_action"):
        trial.hold(functools.partial(told_as_seen, agent=viewer, seed=seed), position)
    secret = _secret_actions(env)
    if len(secret) < 2:
        return
    one, other = chance.sample(secret, 2)
    trial.hold(functools.partial(commitment, choices=(one, other), seed=seed, images=images), position)
    trial.count("pairs of choices compared")
    if hasattr(env.unwrapped, "record"):
        trial.hold(functools.partial(dealt_as_chosen, agent=viewer, choice=one, seed=seed), position)


def _can_tell(env: Any) -> bool:
    return hasattr(env.unwrapped, "secret_choices") or hasattr(env.unwrapped, "seat_view")


def _secret_actions(env: Any) -> list[int]:
    """The legal actions that the agent to act can take in secret: all, where the environment does not say."""
    legal, env = legal_actions(env, env.agent_selection), env.unwrapped
    return [action for action in legal if not hasattr(env, "is_secret") or env.is_secret(action)]


def commitment(position: Position, choices: tuple[int, int], seed: int, images: bool = True) -> Fault | None:
    """Two games that differ in one pending choice of a seat show all others the same, until the reveal.

    The seat goes on in secret as it likes, in the open not at all: what it does there tells of itself.
    """
    one, other = position.twin().unwrapped, position.twin().unwrapped
    chooser = one.agent_selection
    if not set(choices) <= set(_secret_actions(one)):
        return None
    ways: tuple[list[int], list[int]] = ([choices[0]], [choices[1]])
    one.step(choices[0])
    other.step(choices[1])
    chance = random.Random(seed)
    for step in range(SECRET_STEPS):
        if not all(_finish_choosing(e, chooser, w, seed) for e, w in zip((one, other), ways, strict=True)):
            return None
        goes_on = one.agent_selection == chooser
        if goes_on != (other.agent_selection == chooser):
            return None
        shows = _what_shows(one, other, chooser, images)
        if shows:
            agent, found, revealed = shows
            early = step == 0 and _goes_on(position.env, one, agent) and not _reveals(position, ways[0], seed)
            if revealed and not early:
                return None
            return _shows(chooser, agent, found, ways, revealed)
        if goes_on:
            return None
        both = set(legal_actions(one, one.agent_selection)) & set(legal_actions(other, other.agent_selection))
        if not both:
            return None
        action = chance.choice(sorted(both))
        for env, way in zip((one, other), ways, strict=True):
            env.step(action)
            way.append(action)
    return None


def _is_secret(env: Any, chooser: str) -> bool:
    """Whether the choice that an agent has made may still be secret: it may where nothing is said."""
    if not env.agents or is_over(env):
        return False
    pending = getattr(env, "secret_choices", None)
    return pending is None or chooser in (pending() if callable(pending) else pending)


def _finish_choosing(env: Any, chooser: str, way: list[int], seed: int) -> bool:
    """Let the chooser go on while it is to act and can in secret; False where that reveals or ends it all."""
    chance = random.Random(seed)
    for _ in range(SECRET_STEPS):
        if not _is_secret(env, chooser):
            return False
        if env.agent_selection != chooser or not (secret := _secret_actions(env)):
            return True
        action = chance.choice(secret)
        env.step(action)
        way.append(action)
    return False


def _what_shows(
    one: Any, other: Any, chooser: str, images: bool
) -> tuple[str, tuple[str, Any, Any], bool] | None:
    """To whom a choice shows, by what difference, and whether it is revealed; None where nothing shows.

    Where the environment does not say whose choices are secret, a choice counts as revealed to a seat once
    its seat view shows something of it, and so does its observation, or else it need not tell any of that.
    """
    for agent in one.agents:
        if agent == chooser:
            continue
        mine, theirs = (_shown_now(env, agent, images) for env in (one, other))
        found = look_difference(mine, theirs)
        if found:
            known = hasattr(one, "secret_choices")
            return agent, found, not known and _is_revealed(one, agent, mine, theirs)
    return None


def _shown_now(env: Any, agent: str, images: bool) -> dict[str, Any]:
    """All that is shown now. Events are left out: they went by two views, and may tell what views forget."""
    shown, infos = everything_shown(env, agent, images), f"infos[{agent!r}]"
    if isinstance(shown.get(infos), dict):
        shown[infos] = {key: value for key, value in shown[infos].items() if key != "events"}
    return shown


def _is_revealed(env: Any, agent: str, mine: dict[str, Any], theirs: dict[str, Any]) -> bool:
    view, observation = f"seat_view({agent!r})", f"observe({agent!r})"
    apart = list(places_apart(mine[view], theirs[view]))
    return bool(apart) and (
        difference(mine[observation], theirs[observation]) is not None
        or all(is_excused(env, "observation", path) for path in apart)
    )


def _goes_on(before: Any, after: Any, viewer: str) -> bool:
    """Whether it is now another seat's turn to choose in secret, in the same round and phase to a viewer.

    Never where the environment does not say which actions are secret.
    """
    if not hasattr(after, "is_secret") or after.agent_selection == before.agent_selection:
        return False
    views = before.unwrapped.seat_view(viewer), after.seat_view(viewer)
    ended = any(views[0].get(key) != views[1].get(key) for key in ("round", "phase"))
    return not ended and bool(_secret_actions(after))


def _reveals(position: Position, way: list[int], seed: int) -> bool:
    """Whether these actions show what another seat has chosen in secret before: the last to choose may."""
    chooser, actions = position.env.agent_selection, position.actions
    agent, done = chooser, len(actions)  # who acted, and where it was done
    for k in reversed(range(max(0, len(actions) - REVEALED), len(actions))):
        earlier = position.subject.position(position.configuration, position.seed, actions[:k])
        if earlier.env.agent_selection != agent:
            agent, done = earlier.env.agent_selection, k + 1
        secret = [] if agent == chooser else _secret_actions(earlier.env)
        if actions[k] not in secret:
            continue
        for choice in [a for a in secret if a != actions[k]][:FEW_CHOICES]:
            one, other = position.twin().unwrapped, earlier.twin().unwrapped
            other.step(choice)
            try:
                if not _finish_choosing(other, agent, [], seed):
                    continue
                follow(other, actions[done:])
                open_before = _apart(one, other, chooser)
                follow(one, way)
                follow(other, way)
            except NotPlayable:
                continue
            if not open_before and _apart(one, other, chooser):
                return True
    return False


def _apart(one: Any, other: Any, agent: str) -> bool:
    """Whether a seat is shown anything else in one than in the other, images aside."""
    mine, theirs = (everything_shown(env, agent, False) for env in (one, other))
    return look_difference(mine, theirs) is not None


def _shows(
    chooser: str, agent: str, found: tuple[str, Any, Any], ways: tuple[list[int], list[int]], early: bool
) -> Fault:
    source, a, b = found
    message = f"the pending choice of {chooser} shows to {agent} through {channel_of(source)}"
    if early:
        message += " at once; it must not before all have chosen, unless `secret` is False of it"
    return Fault(
        "commitment", message, agent, source, a, b,
        ("import copy", "other = copy.deepcopy(env)",
         f"for action in {ways[0]}:", "    env.step(action)",
         f"for action in {ways[1]}:", "    other.step(action)",
         f"assert repr(env.unwrapped.{source}) == repr(other.unwrapped.{source})"),
    )  # fmt: skip


def told_as_seen(position: Position, agent: str, seed: int) -> Fault | None:
    """Of two actions that leave a seat seeing the same, but the position another, it is told the same.

    Else it knows from the words what its observation forgets, and what a redeal for it does not keep to.
    """
    env = position.env.unwrapped
    if is_over(env) or agent == env.agent_selection or is_excused(env, "observation", ("last",)):
        return None
    legal = legal_actions(env, env.agent_selection)
    chance, met = random.Random(seed), []
    for action in chance.sample(legal, min(len(legal), FEW_CHOICES)):
        after = position.twin().unwrapped
        after.step(action)
        seen = frozen((after.seat_view(agent), after.observe(agent)))
        met.append((action, after.last_action(agent), seen, frozen(after.view())))
    for (one, words, seen, whole), (other, others, see, all_of_it) in itertools.combinations(met, 2):
        if words != others and not difference(seen, see) and difference(whole, all_of_it):
            source = f"last_action({agent!r})"
            return Fault(
                "told", f"{agent} is told {words!r}, but sees the same as after {others!r}: `secret` must be "
                "True of them, or the observation tell them apart, or NOT_SHOWN say under `last` why not",
                agent, source, words, others,
                ("import copy", "other = copy.deepcopy(env)", f"env.step({one})", f"other.step({other})",
                 f"assert env.unwrapped.{source} == other.unwrapped.{source}"),
            )  # fmt: skip
    return None


def dealt_as_chosen(position: Position, agent: str, choice: int, seed: int) -> Fault | None:
    """What a redeal for a seat deals as the choice just made is one that could have been made there.

    Looked at where a choice is put down in places of the state that are the same for all choices, and that
    the seat knows to have been empty: then a redeal with them as they were is one of before the choice.
    """
    env = position.env.unwrapped
    if is_over(env) or agent == env.agent_selection or choice not in _secret_actions(env):
        return None
    if env.position.log.last[0] == env.position.turn:  # in the midst of several choices, dealt together
        return None
    before, chooser = env.record(), env.agent_selection
    afters = []
    for action in dict.fromkeys((choice, *_secret_actions(env)[:FEW_CHOICES])):
        after = position.twin().unwrapped
        after.step(action)
        if is_over(after) or after.agent_selection == chooser:  # so here
            return None
        afters.append(after.record())
    places = _places(before, afters[0])
    drawn = any((before["rng"] != each["rng"]).any() for each in afters)
    if drawn or any(difference(places, _places(before, each)) for each in afters):
        return None
    if not all(_same_at(places, before, env.redealt(agent, seed + k)) for k in range(FEW_CHOICES)):
        return None
    other = position.twin().unwrapped
    other.place(afters[0])
    dealt = other.redealt(agent, seed)
    undone = dealt.copy()
    for name, changed in places.items():
        undone[name] = np.where(changed, before[name], dealt[name])
    other.place(undone)
    legal = legal_actions(other, chooser)
    for action in legal:
        other.place(undone)
        other.step(action)
        if not any(changed.any() for changed in _places(dealt, other.record()).values()):
            return None
    put = [
        f"{name}{list(map(int, at[1:])) or ''} is {dealt[name][tuple(at)]}"
        for name, changed in places.items()
        for at in np.argwhere(changed)
        if name not in FRAME
    ]
    names = ", ".join(map(env.action_name, legal))
    return Fault(
        "pending", f"a redeal for {agent} deals a choice that {chooser} could not have made: "
        f"{', '.join(put)}, where it could {names}",
        agent, f"redealt({agent!r}, {seed})", f"one of {names}", ", ".join(put),
        (f"env.step({choice})",
         *(f"assert env.unwrapped.redealt({agent!r}, {seed})[{name!r}].tolist() != {dealt[name].tolist()}"
           for name, changed in places.items() if changed.any() and name not in FRAME)),
    )  # fmt: skip


def _places(one: np.ndarray, other: np.ndarray) -> dict[str, np.ndarray]:
    """Where two records of STATE differ, by field; the random stream aside."""
    return {name: one[name] != other[name] for name in one.dtype.names or () if name != "rng"}


def _same_at(places: dict[str, np.ndarray], one: np.ndarray, other: np.ndarray) -> bool:
    return not any((changed & (one[name] != other[name])).any() for name, changed in places.items())
