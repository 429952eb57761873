"""mask: the mask says exactly what may be played, and only to whom it concerns."""

import functools
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces

from foodenvs.testing.compare import difference, frozen
from foodenvs.testing.drive import (
    Position,
    copy_difference,
    info_mask,
    is_over,
    look,
    look_difference,
    mask_of,
    position_of,
)
from foodenvs.testing.report import Check, Fault
from foodenvs.testing.trial import Trial

MOST_TRIED = 8  # actions of each kind tried at one position; others at other positions
STEPS_AFTER = 12  # steps compared after a refusal where the state itself cannot be


def run(trial: Trial) -> None:
    """Hold the masks at positions of random games to the laws, and play some ones and some zeros of them."""
    policies: dict[str, str] = {}
    shown = False
    for position in trial.walk():
        env = position.env
        trial.hold(masks_are_in_form, position)
        trial.hold(masks_agree, position)
        trial.hold(waiting_masks_are_empty, position)
        if trial.subject.ours:
            trial.hold(masks_are_empty_after_the_end, position)
        elif masks_are_empty_after_the_end(position):
            trial.remark("after the end of the game a mask is not all 0")
        if is_over(env) or not isinstance(env.action_space(env.agent_selection), spaces.Discrete):
            continue
        mask = mask_of(env, env.agent_selection)
        if mask is None:
            continue
        shown = True
        chance = position.chance("mask")
        ones, zeros = (_some(chance, np.flatnonzero(m)) for m in (mask, np.asarray(mask) == 0))
        for action in ones:
            trial.hold(functools.partial(accepts, action=action), position)
            trial.count("actions accepted")
        key = repr(position.configuration)
        declared = getattr(env.unwrapped, "illegal", None)
        for action in zeros[:1] if key not in policies else ():
            policies[key] = declared or refusal(position, action)[0]
            if policies[key] == "penalize":
                trial.hold(functools.partial(stops_asking, action=action), position)
        if zeros:
            trial.hold(functools.partial(refuses, actions=tuple(zeros), policy=policies[key]), position)
            trial.count("actions refused", len(zeros))
    if not shown:
        trial.remark("no mask is shown, so nothing can be refused")


def _some(chance: Any, actions: np.ndarray) -> list[int]:
    numbers = [int(a) for a in actions]
    return numbers if len(numbers) <= MOST_TRIED else list(chance.sample(numbers, MOST_TRIED))


# --- form -------------------------------------------------------------------------------------------


def _masks(env: Any) -> Iterator[tuple[str, str, Any]]:
    """Agent, source and value of every mask shown."""
    for agent in env.agents:
        observation = env.observe(agent)
        if isinstance(observation, dict) and "action_mask" in observation:
            yield agent, f"observe({agent!r})['action_mask']", observation["action_mask"]
        if info_mask(env, agent) is not None:
            yield agent, f"infos[{agent!r}]['action_mask']", info_mask(env, agent)


def masks_are_in_form(position: Position) -> Fault | None:
    """int8, one entry for each action, 0 or 1: what `Discrete.sample(mask)` takes."""
    env = position.env
    for agent, source, mask in _masks(env):
        space = env.action_space(agent)
        wanted = (int(space.n),) if isinstance(space, spaces.Discrete) else np.shape(mask)
        fine = (
            isinstance(mask, np.ndarray)
            and mask.dtype == np.int8
            and mask.shape == wanted
            and bool(np.isin(mask, (0, 1)).all())
        )
        if not fine:
            return Fault(
                "form", f"the mask of {agent} is not int8 {wanted} of 0 and 1", agent, source,
                f"int8 {wanted} of 0 and 1", mask,
                (f"mask = env.{source}", f"assert mask.dtype == 'int8' and mask.shape == {wanted}",
                 "assert set(mask.tolist()) <= {0, 1}"),
            )  # fmt: skip
    return None


def masks_agree(position: Position) -> Fault | None:
    """Where a mask is in the observation and in the info, both are the same."""
    shown: dict[str, tuple[str, Any]] = {}
    for agent, source, mask in _masks(position.env):
        if agent in shown:
            first, other = shown[agent]
            found = difference(other, mask)
            if found:
                return Fault(
                    "agreement", f"{agent} has two masks that differ", agent, source + found[0], *found[1:],
                    (f"assert list(env.{source}) == list(env.{first})",),
                )  # fmt: skip
        shown[agent] = source, mask
    return None


def waiting_masks_are_empty(position: Position) -> Fault | None:
    """Nobody but the agent to act is shown a legal action."""
    env = position.env
    others = [agent for agent in env.agents if agent != env.agent_selection]
    return None if is_over(env) else _not_empty(env, others, "waiting", "is not to act")


def masks_are_empty_after_the_end(position: Position) -> Fault | None:
    """No legal action is shown to anybody once no decision is left."""
    env = position.env
    return _not_empty(env, env.agents, "after the end", "has finished") if is_over(env) else None


def _not_empty(env: Any, agents: Sequence[str], part: str, why: str) -> Fault | None:
    for agent, source, mask in _masks(env):
        if agent in agents and np.any(mask):
            at = int(np.flatnonzero(mask)[0])
            return Fault(
                part, f"{agent} {why}, but its mask is not all 0", agent, f"{source}[{at}]", 0,
                np.asarray(mask)[at].item(), (f"assert not env.{source}.any()",),
            )  # fmt: skip
    return None


# --- agreement with what step does ------------------------------------------------------------------


def accepts(position: Position, action: int) -> Fault | None:
    """An action whose mask entry is 1 can be played."""
    env = position.twin()
    agent = env.agent_selection
    try:
        env.step(action)
    except Exception as error:
        return Fault(
            "one too many", f"{agent} is shown action {action} as legal, but it is refused", agent,
            f"observe({agent!r})['action_mask'][{action}]", 0, 1, (f"env.step({action})",),
        ) if _is_shown(position.env, agent, action) else Fault("error", str(error))  # fmt: skip
    return None


def _is_shown(env: Any, agent: str, action: int) -> bool:
    mask = mask_of(env, agent)
    return mask is not None and action < len(mask) and bool(mask[action])


def refusal(position: Position, action: int, env: Any = None) -> tuple[str, Fault | None]:
    """How an action whose mask entry is 0 is taken, and what is wrong with that.

    "raise": an error, nothing changes; "penalize": a negative reward and the same question again;
    "terminate": a negative reward and the end; "ignore": nothing happens; "accepted": it is played.
    env: an environment at the position, changed.
    """
    env = position.twin() if env is None else env
    agent = env.agent_selection
    seen, inside = frozen(look(env)), _inside(env)
    step = (f"env.step({action})",)
    try:
        env.step(action)
    except Exception:
        changed = look_difference(seen, frozen(look(env)))
        if changed is None and inside is not None and difference(inside, _inside(env)):
            changed = ("unwrapped", "the position as it was", "another one")
        if changed is None:
            return "raise", None
        return "raise", Fault(
            "refusal changes", f"the refused action {action} of {agent} changed something", agent, *changed,
            ("import copy, contextlib", "before = copy.deepcopy(env)", "with contextlib.suppress(Exception):",
             f"    env.step({action})", f"assert repr(env.{changed[0]}) == repr(before.{changed[0]})"),
        )  # fmt: skip
    penalty = env.rewards.get(agent, 0) < 0
    if penalty and (not env.agents or is_over(env)):
        return "terminate", None
    same_question = bool(env.agents) and env.agent_selection == agent
    now = frozen(look(env))
    observed = {name: value for name, value in seen.items() if name.startswith("observe")}
    if same_question and not look_difference(observed, {n: now.get(n) for n in observed}):
        return ("penalize" if penalty else "ignore"), None
    return "accepted", Fault(
        "one too few", f"action {action} of {agent} has mask 0, but step() plays it", agent,
        f"observe({agent!r})['action_mask'][{action}]", 1, 0,
        ("import pytest", "with pytest.raises(Exception):", *(f"    {line}" for line in step)),
    )  # fmt: skip


def refuses(position: Position, actions: tuple[int, ...], policy: str) -> Fault | None:
    """Actions whose mask entries are 0 are refused, all in the same way, and nothing else happens."""
    env = None
    for action in actions:
        if _is_shown(position.env, position.env.agent_selection, action):
            continue
        env = position.twin() if env is None else env
        agent = env.agent_selection
        taken, fault = refusal(position, action, env)
        if fault:
            return fault
        if taken != policy:
            return Fault(
                "policy", f"the illegal action {action} is taken as {taken!r}, not as {policy!r}", agent,
                "unwrapped.illegal", policy, taken, (f"env.step({action})",),
            )  # fmt: skip
        if taken != "raise":
            env = None
    if env is not None and _inside(env) is None:
        return _plays_on_the_same(position, env, actions)
    return None


def stops_asking(position: Position, action: int) -> Fault | None:
    """Where an environment says how many refusals it takes (`max_refusals`), that many end the game."""
    limit = getattr(position.env.unwrapped, "max_refusals", None)
    if limit is None or _is_shown(position.env, position.env.agent_selection, action):
        return None
    env, count = position.twin(), 0
    while count <= limit and not is_over(env):
        env.step(action)
        count += 1
    if count == limit:
        return None
    found = f"{count} refusals" if count < limit else "no end"
    return Fault(
        "endless refusals", f"a game that should end at its refusal number {limit} ends otherwise",
        position.env.agent_selection, "unwrapped.max_refusals", limit, found,
        (f"for _ in range({limit}):", f"    env.step({action})",
         "assert all(env.terminations.values()) or all(env.truncations.values())"),
    )  # fmt: skip


def _inside(env: Any) -> Any:
    """The state itself where it can be had exactly; None where only play can show a change."""
    snapshot = getattr(env.unwrapped, "snapshot", None)
    return snapshot() if snapshot else position_of(env) if hasattr(env.unwrapped, "view") else None


def _plays_on_the_same(position: Position, refused: Any, actions: tuple[int, ...]) -> Fault | None:
    changed = copy_difference(position.twin(), refused, position.chance("after"), STEPS_AFTER)
    if changed is None:
        return None
    source, expected, found, played, _ = changed
    return Fault(
        "refusal changes", "after refused actions the game goes on otherwise", None, source, expected, found,
        ("import copy, contextlib", "other = copy.deepcopy(env)", f"for action in {list(actions)}:",
         "    with contextlib.suppress(Exception):", "        other.step(action)", f"for action in {played}:",
         "    env.step(action), other.step(action)",
         f"assert repr(env.{source}) == repr(other.{source})"),
    )  # fmt: skip


MASK = Check(
    "mask",
    "The mask is the truth. Every action whose entry is 1 is accepted; every action whose entry is 0 is "
    "refused, or penalised in the way that the environment has declared or shown, and a refused action "
    "changes nothing: not the observations, not the rewards, not the chance to come (compared through a "
    "snapshot, a deepcopy, or by replaying the game where neither is exact). Where penalised refusals are "
    "limited (`max_refusals`), the last of them ends the game. The masks of agents that "
    "wait are all 0, masks are int8, and the mask in the info is the one in the observation.",
    0.2,
    run,
)
