"""Every field of an observation is what a reader, written from its meaning alone, finds in the view."""

import functools
import itertools
import random

import pytest
from helpers import look, positions, setups, size, spread

from foodenvs.core.readers import misread, read_fields
from foodenvs.core.setup import Setup
from foodenvs.games import GAMES
from foodenvs.testing.checks import CHECKS
from foodenvs.testing.conformance import run_check, subject_of


def in_one_process(name):
    """The tests of a game look at the same positions."""
    return pytest.param(name, marks=pytest.mark.xdist_group(f"readers of {name}"))


@pytest.fixture(params=[in_one_process(name) for name in GAMES])
def game(request):
    return GAMES[request.param]


@functools.cache
def looks(game):
    """(set-up, observation, its fields as read from the view) of all seats along random and greedy games."""
    found = []
    for number, options in enumerate(setups(game)):
        setup = Setup(game, options)
        for agent in ("random", "greedy"):
            for states, _ in spread(positions(setup, number, agent=agent), size(12, 80)):
                for seat in range(setup.players):
                    observation, _ = look(setup, states, seat)
                    found.append((setup, observation, read_fields(setup, setup.seat_view(states, seat))))
    return found


def test_every_field_has_a_reader(game):
    assert list(game.readers) == list(Setup(game).layout.at)


def test_a_field_without_a_reader_is_named(monkeypatch):
    game = GAMES["scratch_catch"]
    setup, first = Setup(game), next(iter(game.readers))
    states, _ = next(iter(positions(setup, 0)))
    readers = {name: reader for name, reader in game.readers.items() if name != first}
    monkeypatch.setitem(vars(game), "readers", readers)
    with pytest.raises(ValueError, match=f"scratch_catch-v0: READERS has none for {first}$"):
        read_fields(setup, setup.seat_view(states, 0))


def test_every_field_reads_from_the_view(game):
    for setup, observation, read in looks(game):
        held = setup.explain(observation)
        wrong = {name: (read[name].tolist(), held[name].tolist()) for name in misread(read, held)}
        assert not wrong, (setup.options, wrong)


def test_swapped_fields_are_found(game):
    """No two fields of one shape are alike on all positions."""
    alike = set()
    for setup in {id(setup): setup for setup, *_ in looks(game)}.values():
        shape = {field.name: field.shape for field in setup.layout.fields}
        alike |= {pair for pair in itertools.combinations(shape, 2) if shape[pair[0]] == shape[pair[1]]}
    for setup, observation, read in looks(game):
        held = setup.explain(observation)
        shown = {name: (part.shape, part.tolist()) for name, part in held.items()}
        found = {name: (part.shape, part.tolist()) for name, part in read.items()}
        for one, other in list(alike):
            both = one in held and other in held and held[one].shape == held[other].shape
            if both and (found[one] != shown[other] or found[other] != shown[one]):
                alike.remove((one, other))
    assert not alike


def test_counts_off_by_one_are_found(game):
    chance = random.Random(1)
    for setup, observation, read in looks(game)[::7]:
        for field in setup.layout.fields:
            held = setup.explain(observation)
            held[field.name].flat[chance.randrange(field.size)] ^= 1  # up or down
            assert misread(read, held) == [field.name]


def test_the_kit_tells_a_reader_that_reads_otherwise(monkeypatch):
    game = GAMES["scratch_catch"]
    monkeypatch.setitem(game.readers, "second", lambda view, options, components: [view["play"]])
    result = run_check(CHECKS["view"], subject_of(game.name, [{}]), seconds=0, games=1, positions=2)
    assert "the field second of player_0's observation is not what its view says" in str(result.failures[0])
