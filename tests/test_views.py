"""Views: one form for all games, put together from what a viewer may know, and read back."""

import json

import pytest
from helpers import placed, positions, setups, size, spread

import foodenvs
from foodenvs.core.renewal import by_name, renewed, renewed_path, the_same
from foodenvs.core.setup import Setup
from foodenvs.core.views import SHARED
from foodenvs.engine import attributes
from foodenvs.testing.checks import CHECKS
from foodenvs.testing.checks import view as view_check
from foodenvs.testing.conformance import run_check, subject_of


@pytest.fixture
def setup(game):
    return Setup(game)


def test_all_views_begin_with_the_same_keys_and_hold_plain_values(setup):
    for states, mask in positions(setup, 1, every=size(30, 7)):
        whole = setup.view(states)
        assert tuple(whole)[: len(SHARED)] == SHARED
        for seat in (-1, *range(setup.players)):
            seen = setup.seat_view(states, seat)
            assert json.loads(json.dumps(seen)) == seen
            assert [key for key in whole if key in seen] == list(seen)
            assert seen["you"] == (None if seat < 0 else setup.agents[seat])
            assert seen["game"] == setup.game.id
            assert seen["players"] == setup.players
            assert (seen["turn"] in setup.agents) == mask.any() == (seen["winners"] == [])


def test_a_seat_sees_its_own_of_what_is_private_and_nothing_face_down(setup):
    """Of what is private to another seat it sees what it can tell, and that is so."""
    words = setup.game.words
    for states, _ in positions(setup, 2, every=size(30, 7)):
        s, public = attributes(states)[0], words.public(setup.box, attributes(states)[0])
        own = [words.private(setup.box, s, seat) for seat in range(setup.players)]
        for seat in (-1, *range(setup.players)):
            seen = setup.seat_view(states, seat)
            assert set(seen) == {*SHARED, *public, *own[0]}
            for p in range(setup.players):
                told = own[p] if p == seat else setup.game.deduced(setup.box, s, seat, p)
                assert told.items() <= own[p].items()
                assert {key: seen[key][p] for key in own[0]} == dict.fromkeys(own[0]) | told


def test_what_a_seat_sees_sets_up_what_a_redeal_would(game):
    for options in setups(game):
        setup = Setup(game, options)
        for number, (states, _) in enumerate(spread(positions(setup, 3), size(5, 18))):
            for seat in range(setup.players):
                seen = setup.seat_view(states, seat)
                redealt, again = placed(setup, states).redealt(seat, number), setup.new_states(1)
                setup.set_up(again, json.loads(json.dumps(seen)), number)
                assert setup.seat_view(again, seat) == seen
                assert setup.view(again) == setup.view(redealt)


def test_what_a_spectator_sees_sets_up_a_position_that_looks_the_same(setup):
    for number, (states, _) in enumerate(positions(setup, 4, every=size(40, 10))):
        seen, again = setup.seat_view(states, -1), setup.new_states(1)
        setup.set_up(again, seen, number)
        assert setup.seat_view(again, -1) == seen


def test_the_hidden_part_is_what_others_hold_and_what_lies_face_down(setup):
    for states, _ in positions(setup, 5, every=size(30, 7)):
        hidden = setup.hidden_from(states, 0)
        assert not set(hidden) & set(SHARED)
        assert all("player_0" not in value for value in hidden.values() if isinstance(value, dict))


SEEN = {"you": "player_1", "hands": [None, ["1", "2", "3", "4"], None]}


@pytest.mark.parametrize(
    ("position", "message"),
    [
        ({"game": "katsu_curry-v0"}, "game: must be scratch_catch-v0, as in the environment"),
        ({"players": 4}, "players: must be 3, as in the environment"),
        ({"you": "player_3"}, "you: must be one of none, player_0"),
        ({"scores": [1, 2, 3]}, r"scores: must be \[-4, -4, -4\], as the rest has it, got \[1, 2, 3\]"),
        ({"winners": [1]}, r"winners: must be \[\], as the rest has it"),
        ({"round": 1}, "round: must be None, as the rest has it"),
        (SEEN | {"deck": ["1"]}, r"deck: is not what player_1 sees \(you\)"),
        (SEEN | {"hands": [["1"] * 4, ["2"] * 4, None]}, "hands: must be open but for what player_1 sees"),
        ([], "must be a table"),
    ],
)
def test_what_does_not_go_with_the_rest_is_refused_by_its_key(position, message):
    env = foodenvs.make("scratch_catch").unwrapped
    env.reset(seed=1)
    before = env.view()
    with pytest.raises(ValueError, match=f"position: {message}"):
        env.reset(seed=1, options={"position": position})
    assert env.view() == before


def test_what_is_open_is_dealt_and_what_is_given_stays():
    env = foodenvs.make("scratch_catch").unwrapped
    hands = set()
    for seed in range(9):
        env.reset(seed=seed, options={"position": SEEN | {"scores": None, "fleas": None}})
        view = env.view()
        assert view["hands"][1] == SEEN["hands"][1]
        hands.add(tuple(view["hands"][0]))
    assert len(hands) > 5


# --- what is planted is found ------------------------------------------------------------------


def parts(check_name, configuration, games=2):
    subject = subject_of("scratch_catch", [{"players": 3} | configuration])
    result = run_check(CHECKS[check_name], subject, seconds=0, games=games, positions=3)
    return {failure.part for failure in result.failures}


def without(fact):
    """The function of a game's words or picture that tells of a view, as if one fact were always the same."""

    def wrap(tell):
        return lambda box, view, *more: tell(box, view | {fact: [1] * box.players}, *more)

    return wrap


@pytest.mark.parametrize(
    ("form", "module", "name"), [("text", "words", "table"), ("picture", "picture", "draw")]
)
def test_a_form_that_leaves_a_fact_out_is_found(monkeypatch, form, module, name):
    told = getattr(foodenvs.GAMES["scratch_catch"], module)
    monkeypatch.setattr(told, name, without("fleas")(getattr(told, name)))
    assert parts("facts", {}) == {f"{form} fleas"}


def test_an_excuse_covers_its_fact_only(monkeypatch):
    words = foodenvs.GAMES["scratch_catch"].words
    monkeypatch.setattr(words, "NOT_SHOWN", {"text": {"taken": "so"}})
    assert parts("facts", {}) == {"picture taken"}


def test_a_key_that_no_reader_takes_is_told_after_enough_views(monkeypatch):
    monkeypatch.setattr(view_check, "ENOUGH_VIEWS", 1)
    words = foodenvs.GAMES["scratch_catch"].words
    monkeypatch.setattr(words, "POSITION", (*words.POSITION, lambda d: d.get("deck_size", int, 0)))
    assert "alone deck_size" in parts("facts", {})


def test_a_view_that_does_not_tell_enough_is_found(monkeypatch):
    """Without its hands a seat's view sets up other hands."""
    words = foodenvs.GAMES["scratch_catch"].words
    monkeypatch.setattr(words, "private", lambda box, s, seat: {})
    assert parts("view", {}, games=1) >= {"seat view"}


# --- keys of the version before ----------------------------------------------------------------

TABLE = (("to_move", "turn", by_name), ("winner", "winners", the_same), ("seats.*.plan", "plans.*", the_same))


def test_old_keys_move_with_their_values():
    view = {"to_move": 2, "winner": [1], "seats": [{"soup": 1}, {"plan": {"mouse": "a"}, "soup": 2}]}
    new, old = renewed(view, TABLE)
    assert new == {
        "turn": "player_2", "winners": [1], "seats": [{"soup": 1}, {"soup": 2}],
        "plans": [None, {"mouse": "a"}],
    }  # fmt: skip
    assert old == ["to_move", "winner", "seats.*.plan"]
    assert "to_move" in view
    assert renewed(new, TABLE) == (new, [])
    assert renewed({"turn": 1}, (("turn", "turn", by_name),)) == ({"turn": "player_1"}, ["turn"])
    assert renewed({"turn": "player_1"}, (("turn", "turn", by_name),))[1] == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (("to_move", -1), ("turn", "none")),
        (("winner.0", 1), ("winners.0", 1)),
        (("seats.1.plan.mouse", "a"), ("plans.1.mouse", "a")),
        (("seats.1.soup", 2), ("seats.1.soup", 2)),
    ],
)
def test_expected_paths_move_too(old, new):
    assert renewed_path(*old, TABLE) == new


def test_a_row_may_change_a_whole_view():
    def beside_turn(view):
        view["plates"] = [view["turn"], view.pop("plate")]
        return ["plate"]

    table = (("turn", "turn", by_name), beside_turn)
    assert renewed({"turn": 1, "plate": 2}, table)[0] == {"turn": "player_1", "plates": ["player_1", 2]}
    assert renewed_path("plate", 2, table) == ("plate", 2)
