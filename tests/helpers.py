"""What several test modules use. Tests import no other test module."""

import contextlib
import copy
import dataclasses
import functools
import itertools
import types

import numpy as np

from foodenvs.agents import make_agent
from foodenvs.core.contract import MAY, NEEDED
from foodenvs.core.position import Position
from foodenvs.engine import attributes, build, game_seed, pick, start_stream, uncompiled
from foodenvs.testing.configurations import option_sets

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
GAMES_PLAYED = 1
SHORT = {"target": 20, "max_turns": 8, "max_rounds": 4}  # options that make a game short, where it has them
FEW = 4  # set-ups of a game in an ordinary run
LONG = False  # whether --long was given


def size(short, full):
    """How many examples or games: few in an ordinary run, all with --long."""
    return full if LONG else short


def altered(module, **changes):
    """The game of a module with other parts; None takes one away."""
    other = types.ModuleType("altered")
    names = {part.name for part in (*NEEDED, *MAY)}
    vars(other).update({name: thing for name, thing in vars(module).items() if name in names})
    for name, thing in changes.items():
        if thing is None:
            delattr(other, name)
        else:
            setattr(other, name, thing)
    return dataclasses.replace(
        module.GAME, name="altered", rules=other, information=other, words=other, agents=other
    )


def never_compiled(game):
    """The game itself, of which a small one is tried sooner without the compiler."""

    def plain(loop):
        plainly = uncompiled(loop, {})

        return lambda *arguments: plainly(*map(readable, arguments))

    def readable(argument):
        if type(argument) is tuple:
            return tuple(map(readable, argument))
        return attributes(argument) if getattr(getattr(argument, "dtype", None), "names", None) else argument

    engine = build(game)
    loops = vars(engine) | {"play": engine.play.__wrapped__}
    vars(engine).update({name: plain(loop) for name, loop in loops.items()})
    vars(game)["engine"] = engine
    return game


@functools.cache
def setups(game):
    """Option sets of a game in which every two values meet, the smallest number of players first.

    In an ordinary run only some of them, and short games.
    """
    rows = sorted(option_sets(game), key=lambda options: options["players"])
    if LONG:
        return rows
    few = rows[:: -(-len(rows) // FEW)]
    return [row | {name: value for name, value in SHORT.items() if name in row} for row in few]


def short(game):
    """Options of a short game for few players."""
    options = {name: value for name, value in SHORT.items() if name in game.options}
    return options | {"players": game.options["players"].allowed[0]}


def positions(setup, number, every=1, agent="random"):
    """States along games of random play, or of an agent of the game, as record arrays of one, copied."""
    player = ["random", *setup.game.agents.AGENTS].index(agent)
    here, stream = Position(setup), np.zeros(4, np.uint32)
    for g in range(GAMES_PLAYED):
        start_stream(stream, game_seed(number, 1, g))
        here.deal(game_seed(number, 0, g))
        for count in itertools.count():
            assert count <= setup.max_decisions
            if count % every == 0 or here.turn < 0:
                yield here.states.view(np.uint8).copy().view(here.states.dtype), here.mask.copy()
            if here.turn < 0:
                break
            if player:
                action = setup.engine.decide(player, setup.boxes, here.observation, here.mask)
            else:
                action = pick(stream, here.mask)
            here.play(action)


def spread(items, most):
    """At most so many of the items, evenly, the last among them: games are of very different lengths."""
    items = list(items)
    step = -(-len(items) // most)
    return items[(len(items) - 1) % step :: step]


def look(setup, states, seat):
    """What a seat sees, and its mask: int8 [D] and int8 [A]."""
    here = placed(setup, states)
    return here.observe(seat), here.mask if seat == here.turn else np.zeros_like(here.mask)


def placed(setup, states):
    """The game at a position."""
    here = Position(setup)
    here.place(states)
    return here


@contextlib.contextmanager
def interrupted(setup, *loops):
    """Ctrl-C while one of these loops of the engine runs: Python hears of it when the loop has finished."""
    engine = setup.engine

    def stopped(loop):
        def run(*arguments):
            loop(*arguments)
            raise KeyboardInterrupt

        return run

    setup.engine = copy.copy(engine)
    vars(setup.engine).update({name: stopped(getattr(engine, name)) for name in loops})
    try:
        yield
    finally:
        setup.engine = engine


def stops(env, seed, every=11, most=6):
    """Stops at every few decisions of a random game on `env`, where there is a choice."""
    env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    count = 0
    while most and not any((*env.terminations.values(), *env.truncations.values())):
        mask = env.infos[env.agent_selection]["action_mask"]
        if count % every == 0 and mask.sum() > 1:
            most -= 1
            yield count
        env.step(rng.choice(np.flatnonzero(mask)))
        count += 1


def visits(env, agent_id, seed):
    agent = make_agent(agent_id, env, env.agent_selection)
    agent.reset(seed)
    observation, *_, info = env.last()
    action = agent.act(observation, info)
    assert info["action_mask"][action]
    assert not agent.visits[info["action_mask"] == 0].any()
    return agent.visits.tolist()
