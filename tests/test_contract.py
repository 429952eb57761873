"""A game that is not what a game must be is refused at its first use, one line for each fault."""

import dataclasses
import functools
import pickle
import sys
import types

import helpers
import numpy as np
import pytest
import toy

from foodenvs.core.contract import NEEDED, ContractError
from foodenvs.core.errors import place
from foodenvs.core.game import Option
from foodenvs.core.layout import Field, Layout
from foodenvs.core.setup import Setup
from foodenvs.engine import attributes, record_dtype, rule, start_stream, zeros

OF_BOX = "at, players, teams, actions, team, pad"
OF_STATE = "turn, rng, done, truncated, purse, left, pad"
altered = functools.partial(helpers.altered, toy)


def faults(**changes):
    with pytest.raises(ContractError) as refused:
        Setup(altered(**changes))
    first, *lines = str(refused.value).splitlines()
    assert first == "altered-v0 does not keep the contract of a game (foodenvs.core.contract):"
    return [line.strip() for line in lines]


def plain(box, s):
    s.turn = 0


@rule
def two(box, s):
    s.turn = 0


@rule
def deal_nobody(box, s):
    s.purse[:] = 0
    s.turn, s.left = -1, 2 * box.players


@rule
def deal_too_much(box, s):
    s.purse[:] = 99
    s.turn, s.left = 0, 2 * box.players


@rule
def deal_no_pennies(box, s):
    s.turn, s.left = 0, 2 * box.players


@rule
def half_a_mask(box, s, mask):
    mask[0] = 1


@rule
def past_the_mask(box, s, mask):
    mask[0], mask[1], mask[2] = 1, 1, 1


@rule
def past_the_observation(box, s, seat, out):
    out[0], out[1], out[2] = 0, 0, 77


@rule
def too_large_to_observe(box, s, seat, out):
    out[0], out[1] = 200, 0


@rule
def redeal_on(box, s, seat, seed):
    """Goes on with the stream of the position."""


@rule
def redeal_alike(box, s, seat, seed):
    start_stream(s.rng, 1)


@rule
def never_allowed(box, s, mask):
    mask[:] = 0


@rule
def done_in_turn(box, s, action):
    s.done = True


@rule
def over_undone(box, s, action):
    s.turn = -1


@rule
def half_a_penny(box, s, seat):
    return 0.5


@rule
def throw_two(box, observation, mask):
    return 2


@rule
def misspelt(box, s, action):
    s.lfet = socre if box.player == -1 else box.at.lfet  # noqa: F821


@rule
def misspelt_in_play(box, s, action):
    s.at = 0


@rule
def past_the_purse(box, s, action):
    s.purse[4] = 0


@rule
def calls_a_plain_function(box, s, action):
    plain(box, s)


def narrow(box):
    return (Field("purse", (1,), 0, 2, "own pennies"), toy.fields(box)[1])


def one_more(box):
    return (*toy.fields(box), Field("flag", (1,), 0, 1, "never written"))


@pytest.mark.parametrize("part", NEEDED, ids=lambda part: part.name)
def test_what_is_missing_is_named(part):
    assert faults(**{part.name: None}) == [f"{part} is missing: {part.meaning}"]


def test_the_error_comes_whole_from_another_process():
    with pytest.raises(ContractError) as refused:
        Setup(altered(deal=None))
    again = pickle.loads(pickle.dumps(refused.value))
    assert (str(again), again.faults) == (str(refused.value), refused.value.faults)


def test_all_that_is_missing_is_named_at_once():
    assert len(faults(deal=None, observe=None, AGENTS=None)) == 3


@pytest.mark.parametrize(
    ("name", "thing", "said"),
    [
        ("deal", plain, "rules.deal(box, s) must be a rule: put @rule before it"),
        ("deal", 3, "rules.deal(box, s) must be a function, is int"),
        (
            "apply",
            two,
            "rules.apply(box, s, action) must take 3 arguments (box, s, action), takes (box, s)",
        ),
        (
            "undo_pending",
            two,
            "information.undo_pending(box, s, seat) must take 3 arguments (box, s, seat), takes (box, s)",
        ),
        ("OPTIONS", (), "rules.OPTIONS must have an Option named players, with a range of whole numbers"),
        (
            "OPTIONS",
            (Option("players", 2, (2, 3), ""),),
            "rules.OPTIONS must have an Option named players, with a range of whole numbers",
        ),
        (
            "OPTIONS",
            (*toy.OPTIONS, *toy.OPTIONS),
            "rules.OPTIONS: 'players' stands there twice",
        ),
        (
            "OPTIONS",
            (*toy.OPTIONS, Option("most", 3, (1, 2), "")),
            "rules.OPTIONS: the default of most must be 1 or 2, got 3",
        ),
        ("ACTIONS", 2.0, "rules.ACTIONS must be a whole number of at least 1, is 2.0"),
        ("ACTIONS", lambda box: 0, "rules.ACTIONS must give a whole number of at least 1, gives 0"),
        ("ACTIONS", lambda: 2, "rules.ACTIONS must take 1 arguments (box), takes ()"),
        ("ACTION_RANGES", lambda: (), "words.ACTION_RANGES must take 1 arguments (box), takes ()"),
        ("AGENTS", {}, "agents.AGENTS must have `greedy`, the opponent where none is named"),
        ("AGENTS", {"greedy": plain}, "agents.AGENTS['greedy'] must be a rule: put @rule before it"),
        (
            "AGENTS",
            {"greedy": two},
            "agents.AGENTS['greedy'] must take 3 arguments (box, observation, mask), takes (box, s)",
        ),
        ("public", lambda box, s: [s.left], "words.public must give a dict, gives list"),
        (
            "public",
            lambda box, s: {"left": np.int8(3)},
            "words.public: left: must be text, a number, a list or a table, got np.int8(3)",
        ),
        ("private", lambda box, s, seat: {"left": 1}, "words.private and words.public both give 'left'"),
        (
            "private",
            lambda box, s, seat: {f"mine {seat}": 1},
            "words.private must give every seat the same keys: ['mine 0', 'mine 1']",
        ),
        ("face_down", lambda box, s: {1: 2}, "words.face_down: a key must be text, got 1"),
        (
            "action_name",
            lambda box, action: "keep",
            "words.action_name gives the actions 0 and 1 one name, 'keep'; each must have its own",
        ),
        (
            "action_name",
            lambda box, action: action,
            "words.action_name must give text, gives 0 for action 0",
        ),
        (
            "parse_action",
            lambda box, text: 1,
            "words.parse_action reads 'keep', the name of action 0, as 1",
        ),
        (
            "determinize",
            redeal_on,
            "information.determinize goes on with the stream of the position, so a search would foresee "
            "all chance to come: begin it with start_stream(s.rng, seed)",
        ),
        (
            "determinize",
            redeal_alike,
            "information.determinize gives all numbers one stream: begin it with start_stream(s.rng, seed)",
        ),
        ("POSITION", ("left",), "words.POSITION must have functions (draft), not 'left'"),
        ("ACTION_RANGES", ((0, 0, "keep"),), "words.ACTION_RANGES end with action 0, the last is 1"),
        ("ACTION_RANGES", ((1, 1, "throw"),), "words.ACTION_RANGES: 1 to 1 must begin with 0"),
        ("BOX", (("team", np.int8, 4),), "rules.BOX: every game has 'team'; leave it out"),
        (
            "STATE",
            (*toy.STATE, ("turn", np.int8)),
            "rules.STATE: every game has 'turn'; leave it out",
        ),
        ("STATE", (*toy.STATE, ("left", np.int8)), "rules.STATE: 'left' stands there twice"),
        (
            "STATE",
            (*toy.STATE, ("mean", np.float32)),
            "rules.STATE: 'mean' is float32; there are signed whole numbers and flags",
        ),
        (
            "STATE",
            (*toy.STATE, ("bits", np.uint8)),
            "rules.STATE: 'bits' is uint8; there are signed whole numbers and flags",
        ),
        ("STATE", ("purse",), "rules.STATE: 'purse' must be (name, type) or (name, type, shape)"),
        ("deal", deal_nobody, "rules.deal must set turn to the first seat, 0 to 1: -1"),
        (
            "deal",
            deal_too_much,
            "rules.ranges: 'purse' is [99, 99, 99, 99] after a deal, outside of its range",
        ),
        ("deal", deal_no_pennies, "rules.deal leaves 'purse' as it was, or goes by it"),
        ("legal", half_a_mask, "rules.legal leaves entries of the mask as they were: 1"),
        (
            "fields",
            one_more,
            "information.observe leaves entries as they were: 2 (flag); "
            "the fields are longer than what it writes",
        ),
        (
            "hidden",
            lambda box: (Field("purse", (3,), 0, 9, ""),),
            "information.hidden: 'purse' must be a field of STATE, of the same shape",
        ),
        (
            "ranges",
            lambda box: {"purse": (0, 3)},
            "rules.ranges has none for 'left' of STATE",
        ),
        (
            "ranges",
            lambda box: toy.ranges(box) | {"lfet": (0, 1)},
            "rules.ranges has 'lfet', which is no field of STATE",
        ),
        (
            "ranges",
            lambda box: toy.ranges(box) | {"left": 8},
            "rules.ranges: 'left' must have (least, greatest), whole numbers or arrays of shape (); has 8",
        ),
        (
            "ranges",
            lambda box: toy.ranges(box) | {"left": ([0, 1], 8)},
            "rules.ranges: 'left' must have (least, greatest), whole numbers or arrays of shape (); "
            "has ([0, 1], 8)",
        ),
        (
            "standing",
            half_a_penny,
            "rules.standing must give a whole number, gives 0.5 after player_1 has chosen 'keep'",
        ),
        (
            "legal",
            never_allowed,
            "rules.legal allows no action after the deal, though it is the turn of player_0",
        ),
        (
            "apply",
            done_in_turn,
            "turn is 0 after player_0 has chosen 'throw', and done is set; "
            "turn must be -1 when the game is over, and only then",
        ),
        (
            "apply",
            over_undone,
            "turn is -1 after player_0 has chosen 'throw', and neither done nor truncated is set; "
            "turn must be -1 when the game is over, and only then",
        ),
        (
            "AGENTS",
            {"greedy": throw_two},
            "agents.AGENTS['greedy'] after the deal: illegal action: 2 (player_0); legal: keep, throw",
        ),
        (
            "fields",
            narrow,
            "information.observe: purse[0] (0 to 2) is 3 after the deal",
        ),
    ],
)
def test_a_fault_is_one_line(name, thing, said):
    assert faults(**{name: thing}) == [said]


@pytest.mark.parametrize(
    ("name", "thing", "said"),
    [
        ("legal", past_the_mask, "IndexError: index 2 is out of bounds for axis 0 with size 2"),
        ("observe", past_the_observation, "IndexError: index 2 is out of bounds for axis 0 with size 2"),
        ("observe", too_large_to_observe, "OverflowError: Python integer 200 out of bounds for int8"),
        ("apply", past_the_purse, "IndexError: index 4 is out of bounds for axis 0 with size 4"),
        ("apply", misspelt_in_play, f"AttributeError: the state has no field 'at'; it has: {OF_STATE}"),
    ],
)
def test_an_error_in_a_rule_is_told_with_its_line(name, thing, said):
    [fault] = faults(**{name: thing})
    assert fault.endswith(f".{name} fails: {where(thing)}: {said}")


def test_names_that_stand_for_nothing_are_told_with_their_line_wherever_they_are():
    """Also where no game comes, and in what only plain functions call."""

    @rule
    def never_called(box, s):
        return s.prse[0]

    def public(box, s):
        return {"left": s.left if s.turn < 9 else never_called(box, s)}

    told = faults(apply=misspelt, public=public)
    assert sorted(told) == sorted(
        [
            f"{where(misspelt)}: the box has no field 'player'; it has: {OF_BOX}",
            f"{where(misspelt)}: the name 'socre' is not defined",
            f"{where(misspelt)}: the state has no field 'lfet'; it has: {OF_STATE}",
            f"{where(never_called)}: the state has no field 'prse'; it has: {OF_STATE}",
        ]
    )


def test_a_plain_function_called_in_a_rule_is_told_with_its_line():
    told = faults(apply=calls_a_plain_function)
    assert told == [
        f"{where(calls_a_plain_function)}: plain must be a rule to be called in one: put @rule before it"
    ]


def test_an_error_before_the_first_deal_is_told_with_its_line():
    def pack(box, components, options):
        box.hand = options["hand"]

    def fields(box):
        return (Field("hand", (1,), 0, box.hand, "own cards"),)

    assert faults(pack=pack) == [f"{where(pack, 1)}: KeyError: 'hand'"]
    [told] = faults(fields=fields)
    assert told.startswith(
        f"{where(fields, 1)}: AttributeError: the box has no field 'hand'; it has: players,"
    )


def test_what_is_asked_in_play_is_told_with_its_line():
    def secret(box, s, action):
        return s.trun == 0

    @rule
    def undo_pending(box, s, seat):
        s.purse[seat + 4] = 0

    [told] = faults(secret=secret)
    assert told.startswith(f"information.secret fails: {where(secret, 1)}: AttributeError: the state has no")
    [told] = faults(undo_pending=undo_pending)
    assert told.startswith(
        f"information.undo_pending fails: {where(undo_pending)}: IndexError: index 4 is out of"
    )


def where(function, lines=2):
    """A line after the first of a function, as errors name it."""
    code = getattr(function, "py_func", function).__code__
    return place(code, code.co_firstlineno + lines)


def test_the_number_of_actions_may_follow_the_box():
    setup = Setup(altered(ACTIONS=lambda box: 2 if box.players else 0, ACTION_RANGES=ranges_of_pennies))
    assert setup.actions == setup.box.actions == 2
    assert setup.game.action_ranges(setup.box) == ((0, 0, "keep"), (1, 1, "throw"))


def ranges_of_pennies(box):
    return tuple((action, action, toy.action_name(box, action)) for action in range(box.actions))


@pytest.mark.parametrize(
    ("part", "near"),
    [
        ("private", "privat"),
        ("table", "tabel"),
        ("ACTION_RANGES", "ACTION_RANGE"),
    ],
)
def test_a_misspelt_part_that_may_be_left_out_is_named(part, near):
    (said,) = faults(**{part: None, near: getattr(toy, part)})
    assert said.startswith(f"words.{near} is not asked for; if it is meant to be words.{part}")
    Setup(altered(**{part: None, f"_{near}": getattr(toy, part)}))
    Setup(altered(**{near: getattr(toy, part)}))


def test_a_helper_of_a_like_name_is_taken_for_no_part():
    @rule
    def score(box, s, seat):
        return s.purse[seat]

    Setup(altered(score=score, draw=lambda s: 0, tables=np.zeros(3)))


def test_a_part_in_the_wrong_module_is_named():
    def secret(box, s, action):
        return True

    words = types.ModuleType("words")
    vars(words).update(vars(toy), secret=secret, __name__="words")
    secret.__module__ = "words"
    with pytest.raises(
        ContractError, match=r"words\.secret is not asked for there; it must be information\."
    ):
        Setup(dataclasses.replace(altered(), words=words))
    secret.__module__ = "somewhere"  # imported
    Setup(dataclasses.replace(altered(), words=words))


def test_a_misspelt_file_of_a_package_is_named(tmp_path, monkeypatch):
    home = types.ModuleType("my_game")
    home.__path__, home.__file__ = [str(tmp_path)], str(tmp_path / "__init__.py")
    monkeypatch.setitem(sys.modules, "my_game", home)
    game = dataclasses.replace(altered(), home="my_game")
    for name in ("__init__.py", "rules.py", "reader.py", "_pictures.py", "component.toml"):
        (tmp_path / name).touch()
    with pytest.raises(ContractError) as refused:
        Setup(game)
    assert [fault.partition(",")[0] for fault in refused.value.faults] == [
        "my_game: reader.py is not asked for; if it is meant to be readers.py",
        "my_game: component.toml is not asked for; if it is meant to be components.toml",
    ]


def test_the_fields_have_the_same_names_in_every_set_up():
    game = altered(fields=lambda box: toy.fields(box)[:: 1 if box.players == 2 else -1])
    Setup(game, {"players": 2})
    with pytest.raises(ContractError, match=r"information\.fields must give the same names always"):
        Setup(game, {"players": 3})


def test_a_game_that_keeps_the_contract_is_looked_at_once(monkeypatch):
    game = altered()
    Setup(game)
    monkeypatch.setattr("foodenvs.core.setup.check_setup", None)
    assert Setup(game, {"players": 3}).players == 3


def test_records_are_ordered_by_size_and_filled_up_so_that_no_byte_is_hidden():
    record = record_dtype([("flag", bool), ("row", np.int8, 4), ("at", [("x", np.int64)]), ("big", np.int32)])
    assert record.names == ("at", "big", "flag", "row", "pad")
    assert (record.itemsize, record["pad"].shape) == (24, (7,))


def test_box_and_state_have_what_every_game_has():
    setup = Setup(altered(), {"players": 3})
    assert setup.new_states(1).dtype.names == ("turn", "rng", "done", "truncated", "purse", "left", "pad")
    assert (setup.box.players, setup.box.teams, list(setup.box.team)) == (3, 3, [0, 1, 2, 3])
    assert (setup.box.at.purse, setup.box.at.left) == (0, 1)


def test_a_record_says_whose_a_missing_field_is_whatever_the_observation_has():
    fields = (Field("turn", (1,), 0, 1, ""), Field("players", (1,), 0, 1, ""))
    box = attributes(zeros(1, toy.GAME.box_dtype([field.name for field in fields])))[0]
    s = attributes(zeros(1, toy.GAME.state_dtype))[0]
    for record, whose in ((box, "the box"), (s, "the state"), (box.at, r"box\.at")):
        with pytest.raises(AttributeError, match=f"^{whose} has no field 'hand'; it has: "):
            _ = record.hand


def test_a_layout_refuses_names_that_are_none_or_stand_there_twice():
    flag = Field("flag", (1,), 0, 1, "")
    for fields in [(flag, flag), (Field("two words", (1,), 0, 1, ""),)]:
        with pytest.raises(ValueError, match="as the name of a field"):
            Layout(fields)


def test_a_field_without_entries_has_a_place_and_is_never_seen():
    layout = Layout(
        [Field("one", (1,), 0, 1, ""), Field("none", (2, 0), 0, 1, ""), Field("two", (1,), 0, 2, "")]
    )
    assert (layout.at, layout.length) == ({"one": 0, "none": 1, "two": 1}, 2)
    assert [f.name for f in layout.fields] == list(layout.named(np.zeros(2, np.int8))) == ["one", "two"]
    assert layout.high.tolist() == [1, 2]


def test_a_layout_names_the_parts_of_observations():
    layout = Layout([Field("one", (1,), -1, 1, ""), Field("grid", (2, 3), 0, [[1, 2, 3]] * 2, "")])
    assert (layout.at, layout.length) == ({"one": 0, "grid": 1}, 7)
    assert layout.low.tolist() == [-1, 0, 0, 0, 0, 0, 0]
    assert layout.high.tolist() == [1, 1, 2, 3, 1, 2, 3]
    seen = np.arange(14, dtype=np.int8).reshape(2, 7)
    named = layout.named(seen)
    assert named["one"].tolist() == [[0], [7]]
    assert named["grid"][1].tolist() == [[8, 9, 10], [11, 12, 13]]
    assert np.shares_memory(named["grid"], seen)
