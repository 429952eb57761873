"""What came of a step is told as each viewer may know it, and nothing of it is lost or told to another."""

import copy
import itertools
import pickle
import random

import helpers
import numpy as np
import pytest
from pettingzoo.test import api_test
from toy import sealed

import foodenvs
from foodenvs.core.contract import ContractError
from foodenvs.core.events import CHOSE, Event, Told, came_of, fault, viewers
from foodenvs.core.position import Position
from foodenvs.core.setup import Setup
from foodenvs.core.views import SPECTATOR, WHOLE
from foodenvs.testing.checks.contract import wrong_events
from foodenvs.testing.configurations import option_sets

GAMES = 60  # at most, in which each kind of event must be found
# (game, kind) that is rare and has a case of its own in the tests of its game
RARE = {
    ("scratch_catch", "alone"),
    ("katsu_curry", "nine"),
    ("catchup_mousetard", "reshuffled"),
    ("critter_kitchen", "at_flying_grocer"),
    ("critter_kitchen", "at_lantern_lane"),
    ("critter_kitchen", "drew"),
    ("critter_kitchen", "found_nothing"),
    ("critter_kitchen", "front"),
    ("critter_kitchen", "no_meal"),
    ("critter_kitchen", "paired"),
    ("critter_kitchen", "private_rumour"),
    ("critter_kitchen", "stars"),
    *(("fast_food_fury", kind) for kind in ("completed_too", "gave_up", "joker", "no_order", "passed")),
    *(("fast_food_fury", kind) for kind in ("sauce_gone", "turned")),
}


def told(env, viewer=None):
    return env.in_words(env.events(viewer))


def events_of_games(game, games):
    """The events of random games and of games between `greedy` seats, in all set-ups in turn."""
    short = {name: value for name, value in helpers.SHORT.items() if name in game.options}
    for number, options in zip(range(games), itertools.cycle(option_sets(game)), strict=False):
        position = Position(Setup(game, options | short))
        position.deal(number)
        chance, greedy = random.Random(number), number % 2
        while position.turn >= 0:
            if greedy and chance.random() < 0.9:
                action = int(
                    position.setup.engine.decide(1, position.setup.boxes, position.observation, position.mask)
                )
            else:
                action = chance.choice(np.flatnonzero(position.mask).tolist())
            some = WHOLE, chance.randrange(SPECTATOR, position.setup.players)
            before = [position.view(viewer) for viewer in some]
            assert position.play(action)
            for viewer, seen in zip(some, before, strict=True):
                events = came_of(position.setup, seen, position.view(viewer), position.log.last, viewer)
                assert not any(fault(position.setup, event) for event in events)
                yield from events


def test_every_kind_of_event_is_found(game):
    left = {kind for kind in game.sentences if (game.name, kind) not in RARE}
    for event in events_of_games(game, GAMES):
        left.discard(event.kind)
        if not left:
            break
    assert not left


def test_an_environment_that_tells_events_is_one_of_pettingzoo(capsys):
    api_test(foodenvs.make("scratch_catch", events=True), 100)


def test_events_are_told_to_a_seat_since_its_last_action():
    env = foodenvs.make("scratch_catch", players=3, events=True)
    env.reset(seed=1)
    assert env.events() == env.infos["player_2"]["events"] == ()
    told_to_2 = []
    for _ in range(4):
        env.step(int(np.flatnonzero(env.position.mask)[0]))
        told_to_2 += env.events("player_2")
    assert env.agent_selection == "player_2"
    assert env.last()[4]["events"] == tuple(told_to_2)
    env.step(int(np.flatnonzero(env.position.mask)[0]))
    assert env.infos["player_2"]["events"] == env.events("player_2")


def test_nothing_is_told_unless_asked_for():
    env = foodenvs.make("scratch_catch")
    env.reset(seed=1)
    env.step(20)
    assert env.infos["player_0"].keys() == {"action_mask"}
    with pytest.raises(RuntimeError, match="events=True"):
        env.events()
    with pytest.raises(ValueError, match="events must be true or false, got 1"):
        foodenvs.make("scratch_catch", events=1)


def played(steps, **options):
    env = foodenvs.make("scratch_catch", events=True, **options)
    env.reset(seed=4)
    for _ in range(steps):
        env.step(int(np.flatnonzero(env.position.mask)[0]))
    return env


def test_copies_know_what_was_told():
    env, viewers = played(5), (None, "open", "player_0", "player_1", "player_2")
    other = foodenvs.make("scratch_catch", events=True)
    other.restore(env.snapshot())
    silent = foodenvs.make("scratch_catch")
    silent.restore(env.snapshot())
    other_again = foodenvs.make("scratch_catch", events=True)
    other_again.restore(silent.snapshot())
    assert other_again.events() == ()
    for each in (other, copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert [each.events(viewer) for viewer in viewers] == [env.events(viewer) for viewer in viewers]
        assert [each.infos[a]["events"] for a in env.agents] == [env.infos[a]["events"] for a in env.agents]
    assert Position.events(copy.deepcopy(env.position), 1) == env.events("player_1")


def test_a_redealt_copy_tells_others_what_a_spectator_knows():
    env = played(2)
    assert [event.kind for event in env.events("player_0")][-1] == "drew"
    other = env.determinized("player_1", 7)
    for viewer in ("player_0", "player_2", None):
        assert other.events(viewer) == env.events()
    assert other.events("open") == other.events("player_1") == env.events("player_1")
    assert other.infos["player_1"]["events"] == env.infos["player_1"]["events"]


def test_of_a_secret_choice_others_hear_that_it_was_made_and_not_how_often():
    env = foodenvs.make(helpers.never_compiled(helpers.altered(sealed)), events=True)
    env.reset(seed=1)
    chooser, other = env.possible_agents[:2]
    name = env.action_name(int(np.flatnonzero(env.position.mask)[0]))
    env.step(int(np.flatnonzero(env.position.mask)[0]))
    assert told(env, chooser) == f"{chooser}: {name}"
    assert told(env, other) == told(env) == f"{chooser}: chose in secret"
    views = {viewer: {"winners": [], "scores": [0, 0]} for viewer in viewers(env.setup)}
    heard = Told()
    for _ in range(2):
        heard.add(env.setup, views, views, (0, 1, True))
    assert heard.since[1] == (Event(CHOSE, 0),)


def altered(**changes):
    return helpers.never_compiled(helpers.altered(sealed, **changes))


def nothing(box, before, after, seat, action):
    return ()


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"events": nothing}, "words.events goes with words.EVENTS, which is missing"),
        ({"EVENTS": {"a": "b"}}, "words.EVENTS goes with words.events, which is missing"),
        (
            {"events": nothing, "EVENTS": {"won": "b"}},
            "words.EVENTS: 'won' is told by the frame; leave it out",
        ),
        ({"events": nothing, "EVENTS": {"a": 1}}, "words.EVENTS['a'] must be a sentence, is int"),
    ],
)
def test_events_have_sentences(changes, told):
    with pytest.raises(ContractError) as refused:
        Setup(altered(**changes))
    assert told in refused.value.faults


@pytest.mark.parametrize(
    ("event", "wrong"),
    [
        ("bid", "must give Events, gives 'bid'"),
        (Event("bit"), "'bit' is no kind of event; there are chose, acted, won, shared, bid"),
        (Event("bid", 7), "seat must be -1 to 1"),
        (Event("bid", 0, ("a",), (np.int64(1),)), "numbers must be a tuple of int"),
        (Event("bid", 0, ("a",)), "does not fit into '{seat} bids {0:coin} on {things}'"),
    ],
)
def test_an_event_that_is_none_is_refused(event, wrong):
    game = altered(
        events=lambda box, before, after, seat, action: (event,),
        EVENTS={"bid": "{seat} bids {0:coin} on {things}"},
    )
    assert wrong in wrong_events(Setup(game), 1, [0, 1])


def test_sentences_count_and_join():
    game = altered(
        events=nothing,
        EVENTS={
            "bid": "{seat} bids {0:coin} on {things}",
            "all": "bids: {numbers}; {1:dish|dishes} for {things[0]}",
        },
    )
    setup = Setup(game)
    events = [
        Event("bid", 0, ("a",), (1,)),
        Event("bid", 0, ("a", "b"), (2200,)),
        Event("bid", 1, ("a", "b", "c"), (0,)),
        Event("all", -1, ("x", "y"), (1200, 3)),
    ]
    assert setup.in_words(events) == (
        "player_0 bids 1 coin on a; bids 2,200 coins on a and b; player_1 bids 0 coins on a, b and c; "
        "bids: 1,200 and 3; 3 dishes for x"
    )
    assert setup.in_words([]) == ""
