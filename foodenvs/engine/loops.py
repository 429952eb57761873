"""`build(game)`: the loops that everything outside runs, compiled for one game.

A loop is written once, as a plain function of the modules `single`, `batch`, `matches` and `search`, which
calls what a game gives by the names of `foodenvs.engine.given`. `Engine` holds copies of the loops, and of
what they call in turn, that find one game's own functions under those names, each made a `rule`. All loops
take arrays of records, since passing a single record across the Python border costs ten times as much, and
do a whole step in one call.
"""

import functools
import types
from collections.abc import Callable
from typing import Any

from foodenvs.engine import batch, given, single
from foodenvs.engine import matches as whole_games
from foodenvs.engine import search as tree
from foodenvs.engine.functions import is_rule, names, with_globals
from foodenvs.engine.jit import choose, direct, rule
from foodenvs.engine.turns import announce


class Engine:
    """The loops of one game. Nothing is compiled before its first call.

    Shapes: P players, D observation length, A actions, N games. boxes [1], states [1] (if not told otherwise)
    are arrays of records; what is written stands in the docstring of each loop.
    """

    begin = staticmethod(single.begin)
    ask = staticmethod(single.ask)
    play = staticmethod(single.play)
    look = staticmethod(single.look)
    scores_and_returns = staticmethod(single.scores_and_returns)
    settle = staticmethod(single.settle)
    redeal = staticmethod(single.redeal)
    decide = staticmethod(single.decide)
    reset = staticmethod(batch.reset)
    step = staticmethod(batch.step)
    respond = staticmethod(batch.respond)
    sample = staticmethod(batch.sample)
    decide_many = staticmethod(batch.decide_many)
    matches = staticmethod(whole_games.matches)
    rollouts = staticmethod(whole_games.rollouts)
    search = staticmethod(tree.search)

    def __init__(self, own: dict[str, Any]) -> None:
        """own: what a game gives, by its name in `foodenvs.engine.given`."""
        made: dict[Any, Callable[..., Any]] = {}
        for name, loop in vars(Engine).items():
            if isinstance(loop, staticmethod):
                setattr(self, name, _of_game(loop.__func__, own, made))
        self._shorten("play")  # what a step of one game costs is for the most part the price of this call

    def _shorten(self, name: str) -> None:
        """Call a loop directly from the second time on, one that is always given the same types."""
        loop = getattr(self, name)

        @functools.wraps(loop)
        def first(*arguments: Any) -> Any:
            answer = loop(*arguments)
            setattr(self, name, direct(loop))
            return answer

        setattr(self, name, first)


def build(game: Any) -> Engine:
    """The engine of a game (see `foodenvs.core.game`)."""
    rules, information = game.rules, game.information
    announce(
        [rules.deal, rules.legal, rules.apply, rules.standing, information.observe, information.determinize],
        f"compiling {game.title} for this machine; the first use takes about "
        f"{game.compile_seconds} s per kind of use, later ones start from the cache",
    )
    return Engine(
        {
            "AGENTS": len(game.agents.AGENTS),
            "SCALE": float(game.scale),
            "deal": rules.deal,
            "legal": rules.legal,
            "apply": rules.apply,
            "standing": rules.standing,
            "score_all": game.scores,
            "observe": information.observe,
            "determinize": information.determinize,
            "undo_pending": getattr(information, "undo_pending", _nothing_pending),
            "choice": choose(*game.agents.AGENTS.values()),
        }
    )


@rule
def _nothing_pending(box, s, seat):
    pass


def _of_game(loop: Any, own: dict[str, Any], made: dict[Any, Callable[..., Any]]) -> Callable[..., Any]:
    """A loop as a rule of one game; `made` are those that there are already.

    What a loop calls is one of the game's own, a rule as it is, or another loop.
    """
    if loop not in made:
        theirs = {}
        for name in names(loop):
            thing = loop.__globals__.get(name)
            if name in own and thing is getattr(given, name):
                theirs[name] = own[name]
            elif isinstance(thing, types.FunctionType) and not is_rule(thing):
                theirs[name] = _of_game(thing, own, made)
        made[loop] = rule(with_globals(loop, theirs)) if theirs else _as_it_is(loop)
    return made[loop]


_as_it_is = functools.cache(rule)  # what needs nothing of a game is the same rule for all
