"""The kit finds faults planted into a game: into a toy of secret choices, which is sound without them."""

import itertools
import random

import helpers
import numpy as np
import pytest
from toy import sealed

import foodenvs
from foodenvs.arena.deals import MatchRunner
from foodenvs.core.errors import IllegalActionError
from foodenvs.core.events import Event
from foodenvs.core.game import Option
from foodenvs.core.layout import Field
from foodenvs.core.setup import Setup
from foodenvs.engine import below, row_of, rule, start_stream
from foodenvs.envs.batch import Batch
from foodenvs.testing import CHECKS, trial
from foodenvs.testing.checks import leak
from foodenvs.testing.conformance import run_check
from foodenvs.testing.drive import Subject
from foodenvs.testing.facts import Alterations


@pytest.fixture(autouse=True)
def no_shrinking(monkeypatch):
    """The way to a fault may be as long as it is."""
    monkeypatch.setattr(trial, "SHRINK_SECONDS", (0, 0))


def found(check, games=2, rows=({"most": 4, "rewards": "shaped"}, {"players": 3}), **changes):
    """The messages of a check by part, of the toy with other parts."""
    game = helpers.never_compiled(helpers.altered(sealed, **changes))
    subject = Subject(foodenvs.make, [{"game": game, **row} for row in rows])
    result = run_check(CHECKS[check], subject, 0, games=games)
    assert all(run_fails(failure.repro, game) for failure in result.failures)
    return {failure.part: failure.message for failure in result.failures}


def run_fails(repro, game):
    """Whether the test function fails; a game that is in no module stands for itself in it."""
    source = {"game": game}
    exec(repro.replace(f"foodenvs.make({game!r}", "foodenvs.make(game"), source)
    test = next(value for key, value in source.items() if key.startswith("test_"))
    try:
        test()
    except Exception:
        return True
    return False


@pytest.mark.parametrize("check", ["play", "mask", "leak", "contract", "view", "facts"])
def test_the_toy_is_sound(check):
    assert found(check) == {}


# --- events ------------------------------------------------------------------------------------


def test_events_that_go_by_more_than_two_views_are_found():
    calls = itertools.count()

    def events(box, before, after, seat, action):
        return (Event("told", numbers=(next(calls),)),)

    told = found("leak", events=events, EVENTS={"told": "for the {0}th time"})
    assert "depend on what it does not see" in told["events"]


def test_events_without_a_sentence_are_found():
    told = found("contract", events=lambda *step: (Event("lost"),), EVENTS={"found": "{seat} is found"})
    assert "'lost' is no kind of event" in told["events"]


# --- contract ----------------------------------------------------------------------------------


def test_a_set_up_that_breaks_the_contract_is_found():
    said = found("contract", action_name=lambda box, action: f"bid {min(action, 6 - box.players)}")
    assert said == {
        "set-up": "words.action_name gives the actions 3 and 4 one name, 'bid 3'; each must have its own"
    }


@pytest.mark.parametrize(
    ("option", "changes"),
    [
        ("most", {"pack": lambda box, components, options: setattr(box, "most", 3)}),
        ("idle", {"OPTIONS": (*sealed.OPTIONS, Option("idle", 1, (1, 2), "put nowhere"))}),
    ],
)
def test_an_option_that_does_not_reach_the_box_is_found(option, changes):
    said = found("contract", **changes)
    assert said[f"option {option}"].startswith(f"the option {option} has no effect: no value of it changes")


def test_an_option_that_matters_with_some_others_only_has_an_effect():
    def pack(box, components, options):
        box.most = 3 + (options["most"] == 4 and options["players"] == 3)

    assert found("contract", pack=pack) == {}


def test_an_option_of_one_value_needs_no_effect():
    assert found("contract", OPTIONS=(*sealed.OPTIONS, Option("only", 1, (1,), "always"))) == {}


def test_a_range_that_does_not_hold_in_play_is_found():
    said = found("contract", ranges=lambda box: sealed.ranges(box) | {"won": (0, 0)})
    assert said["range"].startswith("a range does not hold in play: rules.ranges: won[")
    assert said["range"].endswith("must be 0 to 0, got 1")


@rule
def redeal_too_much(box, s, seat, seed):
    sealed.determinize(box, s, seat, seed)
    for other in range(box.players):
        if other != seat and s.bid[other] != sealed.NONE:
            s.bid[other] = box.most + 1


def test_a_redeal_that_is_out_of_range_is_found():
    said = found("contract", determinize=redeal_too_much)
    assert said.keys() == {"redealt range"}
    assert "is out of range: rules.ranges: bid[0] must be -1 to " in said["redealt range"]


def test_a_hidden_field_that_leaves_its_range_is_found():
    said = found("contract", hidden=lambda box: (Field("rounds", (), 0, 1, ""),))
    assert said == {
        "range": "a range does not hold in play: information.hidden: rounds must be 0 to 1, got 2"
    }


def test_an_option_that_is_called_as_a_keyword_is_found():
    option = Option("rewards", 1, (1,), "never heard of")
    assert found("contract", OPTIONS=(*sealed.OPTIONS, option)) == {
        "option rewards": "the option rewards can never be given: environments have a keyword of that name"
    }


# --- play --------------------------------------------------------------------------------------


def test_an_observation_outside_its_space_is_told_by_field():
    """Not in the set-up of the first use, which the contract looks at."""

    def fields(box):
        narrow = Field("rounds", (1,), 0, 4 - box.players, "rounds played")
        return tuple(narrow if field.name == "rounds" else field for field in sealed.fields(box))

    said = found("play", fields=fields)["spaces"]
    assert "outside its space: observation[" in said
    assert said.endswith("is 2.0, must be 0.0 to 1.0: rounds[0] (0 to 1) is 2")


# --- view --------------------------------------------------------------------------------------


def test_a_view_that_lacks_what_the_observation_tells_is_found():
    said = found("view", private=None)
    assert said["seat view"].endswith("in which it observes another bid; its view must tell all of that")


def test_a_key_that_no_row_reads_is_named():
    """The scores would go by it, and come first in a view."""
    said = found("view", POSITION=(sealed.POSITION[0], sealed.read_bids))["seat view"]
    assert "cannot be set up again: position: won: must be [0, 0" in said
    assert said.endswith("; no row of POSITION reads won")


@pytest.mark.parametrize("read", ["of_seats", "integers"])
def test_defaults_for_too_few_seats_are_told(read):
    def row(d):
        if read == "of_seats":
            d.of_seats("bids", int, [None])
        else:
            d.integers("won", d.box.players, 0, 2, [0])

    setup = Setup(helpers.never_compiled(helpers.altered(sealed, POSITION=(row,))))
    message = {
        "of_seats": r"of_seats\('bids'\) takes a default for each of 2 seats, got 1: \[None\]",
        "integers": r"the default of 'won' must have 2 entries, got \[0\]",
    }[read]
    with pytest.raises(ValueError, match=message):
        setup.set_up(setup.new_states(1), {}, 0)


# --- agents ------------------------------------------------------------------------------------


@rule
def stubborn(box, observation, mask):
    return 2


def test_an_agent_of_the_game_that_is_refused_is_named_with_its_action():
    agents = sealed.AGENTS | {"stubborn": stubborn}
    setup = Setup(helpers.never_compiled(helpers.altered(sealed, AGENTS=agents)))
    who = r"\(the agent stubborn of altered-v0, as player_1\)"
    refused = rf"illegal action: bid 2 {who}; legal: bid 0, bid 1, bid 3"
    with pytest.raises(IllegalActionError, match=refused):
        MatchRunner(setup, ["greedy", "stubborn"])(1, 0, 3)
    batch = Batch(setup, 2, seating=lambda number: [-1, 2])
    batch.step(np.zeros(2, np.int64))
    with pytest.raises(IllegalActionError, match=refused):
        batch.step(np.ones(2, np.int64))


# --- leak --------------------------------------------------------------------------------------


@rule
def observe_bids(box, s, seat, out):
    sealed.observe(box, s, seat, out)
    for p in range(box.players):
        if s.bid[p] != sealed.NONE:
            out[box.at.shown + row_of(p, seat, box.players)] = s.bid[p]


@rule
def redeal_nothing(box, s, seat, seed):
    start_stream(s.rng, seed)


def public_bids(box, s):
    bids = [s.bid[p] if s.bid[p] != sealed.NONE else s.shown[p] for p in range(box.players)]
    return sealed.public(box, s) | {"shown": bids}


def test_a_secret_choice_that_all_see_at_once_is_found():
    said = found("leak", observe=observe_bids, public=public_bids, determinize=redeal_nothing, private=None)
    assert said == {
        "commitment": "the pending choice of player_0 shows to player_1 through observation at once; it must "
        "not before all have chosen, unless `secret` is False of it"
    }


@rule
def redeal_always_none(box, s, seat, seed):
    start_stream(s.rng, seed)
    for other in range(box.players):
        if other != seat and s.bid[other] != sealed.NONE:
            s.bid[other] = 0 if s.shown[other] != 0 else 1


@rule
def redeal_what_may_not_be(box, s, seat, seed):
    start_stream(s.rng, seed)
    for other in range(box.players):
        if other != seat and s.bid[other] != sealed.NONE:
            s.bid[other] = below(s.rng, box.most + 1)


def test_a_pending_choice_that_is_always_dealt_alike_is_found(monkeypatch):
    monkeypatch.setattr(leak, "ENOUGH_REDEALS", 8)
    monkeypatch.setattr(leak, "ENOUGH_POSITIONS", 4)
    said = found("leak", determinize=redeal_always_none)
    assert said.keys() == {"varies in the game"}
    assert said["varies in the game"].endswith("the hidden bids never varied: no two of one position differ")


def test_a_pending_choice_that_could_not_have_been_made_is_found():
    said = found("leak", games=4, determinize=redeal_what_may_not_be)
    assert said.keys() == {"pending"}
    assert said["pending"].startswith(
        "a redeal for player_1 deals a choice that player_0 could not have made"
    )
    assert said["pending"].endswith(": bid[0] is 3, where it could bid 0, bid 1, bid 2, bid 4")


def test_actions_that_are_told_but_not_seen_are_found():
    told = (
        "player_1 is told 'player_0: bid 2', but sees the same as after 'player_0: bid 3': `secret` must be "
    )
    assert found("leak", secret=None)["told"].startswith(told)
    assert found("leak", secret=lambda box, s, action: action > 2).keys() == {"told"}


def test_a_fact_that_an_observation_need_not_tell_may_be_the_last_action():
    excused = sealed.NOT_SHOWN | {"observation": {"last": "told once"}}
    assert found("leak", secret=None, NOT_SHOWN=excused) == {}


# --- facts -------------------------------------------------------------------------------------


def test_what_could_not_be_altered_in_some_views_is_tried_as_much_in_the_next():
    env = foodenvs.make(helpers.never_compiled(helpers.altered(sealed)))
    env.reset(seed=1)
    before, met, chance = env.seat_view("player_0"), Alterations(), random.Random(1)
    env.step(2)
    for view in [before] * 12 + [env.seat_view("player_0")]:
        met.meet(view)
        list(itertools.islice(met.alter(env.setup, view, 0, chance), 25))
    assert met.views["bids"] == 13
    assert met.hits["bids"] > 2
