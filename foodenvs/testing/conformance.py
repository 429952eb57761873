"""`check`: run the checks on a factory and report."""

import itertools
import logging
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from foodenvs.testing.checks import CHECKS
from foodenvs.testing.drive import Subject
from foodenvs.testing.report import NOT_RUN, Check, Report, Result
from foodenvs.testing.trial import Trial


def check(
    factory: Any,
    *,
    seconds: float = 30.0,
    seed: int = 0,
    games: int | None = None,
    positions: int | None = None,
    checks: Iterable[str] | None = None,
    configurations: Sequence[Mapping[str, Any]] | None = None,
    progress: Callable[[Result], None] | None = None,
    **options: Any,
) -> Report:
    """Check an AEC environment.

    factory: a function that makes it, as `module:name` or itself; or the id of one of our games.
    seconds: about how long, over all checks; each looks at one game of every configuration at least.
    seed: of all games and choices.  games: look at exactly so many in each check instead, so that every
    machine finds the same.  positions: of each of these games look at about so many, drawn by its seed,
    instead of at all.  checks: some of `CHECKS` by name; all by default.
    configurations: keyword arguments for the factory, one dict for each variant to check.
    options: the same, as values or lists of values, of which all combinations are checked:
    `check("my_game:env", players=[2, 3, 4])`. Of our games all pairs of option values by default.
    progress: called with each result as it comes.
    Raises ValueError for an unknown check or factory, a bad seed, or no time.
    """
    from foodenvs.core.checks import check_seconds, check_seed

    seed = check_seed(seed)
    if games is None:
        check_seconds(seconds)
    subject = subject_of(factory, configurations, options)
    chosen = find_checks(checks)
    with _quiet():
        refusals = {each.name: each.unable(subject) for each in chosen}
    total = sum(each.share for each in chosen if not refusals[each.name])
    results = []
    for each in chosen:
        reason = refusals[each.name]
        if reason:
            result = Result(each.name, NOT_RUN, reason)
        else:
            result = run_check(each, subject, seconds * each.share / total, seed, games, positions)
        results.append(result)
        if progress:
            progress(result)
    name = factory if isinstance(factory, str) else subject.address or repr(factory)
    return Report(name, seconds, seed, results)


def run_check(
    each: Check,
    subject: Subject,
    seconds: float,
    seed: int = 0,
    games: int | None = None,
    positions: int | None = None,
) -> Result:
    """One check, without asking whether the subject is able to be checked."""
    trial = Trial(each, subject, seconds, seed, games, positions)
    began = time.monotonic()
    with _quiet():
        try:
            each.run(trial)
        except Exception as error:
            trial.stopped(error)
    trial.result.seconds = time.monotonic() - began
    return trial.result


def find_checks(names: Iterable[str] | None) -> list[Check]:
    """The checks of some names, all for None; ValueError for an unknown one."""
    for name in names or ():
        if name not in CHECKS:
            raise ValueError(f"unknown check {name!r}; there are {', '.join(CHECKS)}")
    return [each for each in CHECKS.values() if names is None or each.name in set(names)]


def subject_of(
    factory: Any,
    configurations: Sequence[Mapping[str, Any]] | None = None,
    options: Mapping[str, Any] | None = None,
) -> Subject:
    """The subject of a factory or a game, itself or as `module:name`, or of the id of a game."""
    options = dict(options or {})
    if isinstance(factory, str) and ":" in factory:
        found = _load(factory)
        if callable(found):
            address = None if ".py:" in factory else factory  # found by itself for what lies in a file
            return Subject(found, configurations or _combinations(options), address)
        factory = _game(found, factory)
    if callable(factory):
        return Subject(factory, configurations or _combinations(options))
    import foodenvs
    from foodenvs.envs.registry import find_game
    from foodenvs.games import GAMES
    from foodenvs.testing.configurations import configurations as of_game

    game = find_game(factory)
    if configurations is None:
        fixed = _combinations(options)
        configurations = [row for given in fixed for row in of_game(game, given)]
    else:
        configurations = [{"game": GAMES.everywhere(game), **c} for c in configurations]
    return Subject(foodenvs.make, configurations)


def _combinations(options: Mapping[str, Any]) -> list[dict[str, Any]]:
    values = [list(v) if isinstance(v, (list, tuple, range)) else [v] for v in options.values()]
    return [dict(zip(options, row, strict=True)) for row in itertools.product(*values)]


def _game(found: Any, address: str) -> Any:
    from foodenvs.envs.registry import register_game

    try:
        return register_game(found)
    except ValueError as error:
        raise ValueError(f"{address} is neither a factory nor a game: {error}") from None


def _load(address: str) -> Any:
    from foodenvs.envs.registry import load

    with _quiet():
        return load(address)


@contextmanager
def _quiet() -> Iterator[None]:
    """Warnings of the environment and PettingZoo's log lines about illegal moves are no findings of ours."""
    level = logging.root.manager.disable
    logging.disable(logging.WARNING)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(level)


__all__ = ["CHECKS", "check", "find_checks", "run_check", "subject_of"]
