"""contract (ours): a game is what it says of itself, in every set-up and every position."""

import contextlib
import functools
import inspect
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from foodenvs.core import position as core
from foodenvs.core.contract import ContractError
from foodenvs.core.events import fault, viewers
from foodenvs.core.first_use import check_setup
from foodenvs.core.saved import check_ranges
from foodenvs.testing.checks.view import unable
from foodenvs.testing.configurations import option_sets, option_values
from foodenvs.testing.drive import Position, is_over
from foodenvs.testing.report import Check, Fault
from foodenvs.testing.trial import Trial


def run(trial: Trial) -> None:
    """Check the contract in every set-up, and the ranges of the state along games and in redeals."""
    game = trial.at.fresh().unwrapped.setup.game
    for name in options_that_cannot_be_given(game):
        message = f"the option {name} can never be given: environments have a keyword of that name"
        code = (
            f"from {__name__} import options_that_cannot_be_given as lost",
            "assert not lost(env.setup.game)",
        )
        trial.fail(Fault(f"option {name}", message, probe=code), trial.at)
    for name in options_without_effect(game):
        trial.fail(_without_effect(game.options[name]), trial.at)
    checked: set[str] = set()
    for position in trial.walk():
        env = position.env.unwrapped
        if (options := repr(env.setup.options)) not in checked:
            checked.add(options)
            trial.hold(keeps_the_contract, position)
        for agent in env.possible_agents:
            seed = position.chance("contract", agent).randrange(2**31)
            trial.hold(functools.partial(redeal_lies_in_the_ranges, agent=agent, seed=seed), position)
            trial.count("redeals")
        if is_over(env):
            trial.hold(game_lies_in_the_ranges, position)
            trial.hold(events_have_sentences, position)


# --- set-ups -----------------------------------------------------------------------------------


def keeps_the_contract(position: Position) -> Fault | None:
    """What is checked at a game's first use holds for these options too."""
    try:
        check_setup(position.env.unwrapped.setup)
    except ContractError as error:
        return Fault(
            "set-up", "; ".join(error.faults), None, "unwrapped.setup", "a game as it must be", str(error),
            ("from foodenvs.core.first_use import check_setup", "check_setup(env.unwrapped.setup)"),
        )  # fmt: skip
    return None


def options_that_cannot_be_given(game: Any) -> list[str]:
    """The options of a game that are called as what environments take beside a game's options."""
    import foodenvs
    from foodenvs.envs.gym import SeatEnv, SeatVectorEnv

    takers = foodenvs.make, foodenvs.make_batch, SeatEnv, SeatVectorEnv
    taken = {name for taker in takers for name in inspect.signature(taker).parameters}
    return [name for name in game.options if name in taken]


def options_without_effect(game: Any) -> list[str]:
    """The options of a game that leave the box as it is, whatever their value: rules see nothing else."""
    return [
        name
        for name, option in game.options.items()
        if len(option_values(option)) > 1 and not any(_matters(game, option, row) for row in _rows(game))
    ]


def _rows(game: Any) -> Iterator[dict[str, Any]]:
    """Options beside which another one may matter: first those that are soon made."""
    yield {}
    yield from ({"players": players} for players in game.options["players"].allowed)
    yield from option_sets(game)


def _matters(game: Any, option: Any, row: dict[str, Any]) -> bool:
    """Whether two values of an option give two boxes."""
    from foodenvs.core.setup import Setup

    boxes = set()
    for value in option_values(option):
        with contextlib.suppress(ValueError):
            boxes.add(Setup(game, row | {option.name: value}).boxes.tobytes())
        if len(boxes) > 1:
            return True
    return False


def _without_effect(option: Any) -> Fault:
    one, other = option_values(option)[:2]
    return Fault(
        f"option {option.name}",
        f"the option {option.name} has no effect: no value of it changes the box, and rules see nothing "
        "else; `pack` must put it there",
        None, f"unwrapped.setup.options[{option.name!r}]", "a box that goes by it", "one box for all values",
        ("from foodenvs.core.setup import Setup", "game = env.unwrapped.setup.game",
         f"one, other = (Setup(game, {{{option.name!r}: v}}).boxes for v in ({one!r}, {other!r}))",
         "assert one.tobytes() != other.tobytes()"),
    )  # fmt: skip


# --- ranges ------------------------------------------------------------------------------------


def game_lies_in_the_ranges(position: Position) -> Fault | None:
    """Every position of a game has each field of the state within its range."""
    env = position.fresh().unwrapped
    states = [env.record()]
    for action in position.actions:
        env.step(action)
        states.append(env.record())
    if out_of_range(env.setup, np.concatenate(states)) is None:
        return None
    step, wrong = next((k, w) for k, one in enumerate(states) if (w := out_of_range(env.setup, one)))
    return Fault(
        "range", f"a range does not hold in play: {wrong}", None,
        "unwrapped.record()", "in range", wrong,
        (f"from {__name__} import out_of_range",
         "assert out_of_range(env.unwrapped.setup, env.unwrapped.record()) is None"),
        step,
    )  # fmt: skip


def redeal_lies_in_the_ranges(position: Position, agent: str, seed: int) -> Fault | None:
    """A redeal has each field of the state within its range."""
    env = position.env.unwrapped
    wrong = out_of_range(env.setup, env.redealt(agent, seed))
    if wrong is None or out_of_range(env.setup, env.record()):
        return None
    source = f"unwrapped.redealt({agent!r}, {seed})"
    return Fault(
        "redealt range", f"a redeal for {agent} is out of range: {wrong}", agent,
        source, "in range", wrong,
        (f"from {__name__} import out_of_range",
         f"assert out_of_range(env.unwrapped.setup, env.{source}) is None"),
    )  # fmt: skip


def out_of_range(setup: Any, records: np.ndarray) -> str | None:
    """What is out of its range in some of the records [N] of STATE; None where all is well."""
    try:
        check_ranges(setup, records)
    except ValueError as error:
        return f"rules.ranges: {error}"
    for field in setup.hidden:
        values = records[field.name].astype(int)
        wrong = values[(values < field.low) | (values > field.high)]
        if len(wrong):
            return f"information.hidden: {field.name} must be {field.low} to {field.high}, got {wrong[0]}"
    return None


# --- events ------------------------------------------------------------------------------------


def events_have_sentences(position: Position) -> Fault | None:
    """What a game tells to whomever is of one of its kinds, and fits the sentence of that kind."""
    setup, seed, actions = position.fresh().unwrapped.setup, position.seed, position.actions
    wrong = wrong_events(setup, seed, actions)
    if not wrong:
        return None
    return Fault(
        "events", f"words.events {wrong}", None, "unwrapped.setup", "events that fit their sentences", wrong,
        (f"from {__name__} import wrong_events",
         f"assert not wrong_events(env.unwrapped.setup, {seed}, {actions})"),
        0,
    )  # fmt: skip


def wrong_events(setup: Any, seed: int, actions: Sequence[int | None]) -> str:
    """What is wrong with an event of a game from its seed, for any viewer; "" where nothing is."""
    position = core.Position(setup, tells=True)
    position.deal(seed)
    for action in actions:
        if action is not None and position.play(action):
            told = [event for viewer in viewers(setup) for event in position.events(viewer)]
            if wrong := next(filter(None, (fault(setup, event) for event in told)), ""):
                return wrong
    return ""


CONTRACT = Check(
    "contract",
    "A game is what it says of itself (for the games of this library, and games made for it). In every "
    "set-up the contract holds that is checked at a game's first use: all is written, actions have names of "
    "their own that read back, redeals start their chance anew. Every option changes what lies in the box. "
    "In every position of whole games, and in redeals, each field of the state is within its range. What is "
    "told of each step, to whomever, is of a kind that has a sentence, and fits it.",
    0.05,
    run,
    unable,
)
