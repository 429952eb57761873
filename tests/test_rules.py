"""What holds for the kernel functions of every game, over random play (also run in pure mode)."""

import numpy as np
import pytest
from helpers import look, positions, setups, size

from foodenvs.components import small_components
from foodenvs.engine import attributes, below, pick, seed, shuffle, uncompiled
from foodenvs.game import Setup


def test_observations_stay_in_their_bounds_and_a_move_always_exists(game):
    for options in setups(game):
        setup = Setup(game, options)
        for states, mask in positions(setup, 1, every=size(15, 5)):
            state = attributes(states)[0]
            assert set(np.unique(mask)) <= {0, 1}
            assert mask.any() == (state.turn >= 0)
            for seat in range(setup.players):
                observation, _ = look(setup, states, seat)
                wrong = np.flatnonzero((observation < setup.layout.low) | (observation > setup.layout.high))
                assert not wrong.size, (options, seat, wrong, observation[wrong])


def test_a_deal_writes_every_field(game):
    boxes = [(None, None)] + ([(game.small, small_components(game.home))] if game.small else [])
    for setup in (Setup(game, *box) for box in boxes):
        clean, dirty = setup.new_states(1), setup.new_states(1)
        for name in set(dirty.dtype.names) - {"pad"}:  # no rule reads or writes what fills up a record
            dirty[name] = 1
        buffers = [np.zeros(setup.players), np.zeros(setup.length, np.int8), np.zeros(setup.actions, np.int8)]
        for states in (clean, dirty):
            setup.engine.begin(setup.boxes, states, 7, *buffers)
        assert clean.tobytes() == dirty.tobytes()


def test_a_redeal_keeps_what_a_seat_sees_and_forgets_the_rest(game):
    for options in setups(game):
        setup = Setup(game, options)
        changed = 0
        for number, (states, _) in enumerate(positions(setup, 2, every=size(57, 19))):
            for seat in range(setup.players):
                once, other = states.copy(), states.copy()
                setup.engine.redeal(setup.boxes, once, seat, 1000 + number)
                setup.engine.redeal(setup.boxes, other, seat, 2000 + number)
                view = setup.seat_view(states, seat)
                for redealt in (once, other):
                    for mine, theirs in zip(
                        look(setup, states, seat), look(setup, redealt, seat), strict=True
                    ):
                        assert np.array_equal(mine, theirs), (options, seat)
                    assert setup.seat_view(redealt, seat) == view
                assert_given_back_by_its_view(setup, once)
                changed += once.tobytes() != other.tobytes()
                for redealt in (once, other):
                    setup.engine.redeal(setup.boxes, redealt, seat, 3000)
                assert once.tobytes() == other.tobytes(), (options, seat, number)
        assert changed


def test_a_view_gives_the_position_back(game):
    for options in setups(game):
        setup = Setup(game, options)
        for states, _ in positions(setup, 3, every=size(33, 11)):
            assert_given_back_by_its_view(setup, states)


def assert_given_back_by_its_view(setup, states):
    view, again = setup.view(states), setup.new_states(1)
    setup.set_up(again, view, 0)
    again["rng"] = states["rng"]
    assert setup.view(again) == view
    different = [n for n in states.dtype.names if states[n].tobytes() != again[n].tobytes()]
    assert not different, (setup.options, different, view)


def test_every_action_name_parses_back(game):
    setup = Setup(game)
    names = [setup.action_name(a) for a in range(setup.actions)]
    assert len(set(names)) == setup.actions
    assert [setup.parse_action(name) for name in names] == list(range(setup.actions))
    for wrong in ("", "no such action", names[0] + "x", " " + names[0], names[0].upper() + "!"):
        with pytest.raises(ValueError, match="action"):
            setup.parse_action(wrong)


def test_returns_sum_to_zero_over_the_contenders_and_only_at_the_end(game):
    for options in setups(game):
        setup = Setup(game, options)
        scores, returns = np.zeros(setup.players, np.int64), np.zeros(setup.players)
        for states, _ in positions(setup, 4, every=size(27, 9)):
            setup.engine.tally(setup.boxes, states, scores, returns)
            if attributes(states)[0].turn >= 0:
                assert not returns.any()
                continue
            of_team = dict(zip(setup.teams, returns, strict=True))
            assert abs(sum(of_team.values())) < 1e-9
            assert [of_team[team] for team in setup.teams] == returns.tolist()
            assert returns.max() > 0 or len(set(returns)) == 1


def test_score_rewards_sum_to_zero_over_the_contenders(game):
    score = 1
    for options in setups(game):
        setup = Setup(game, options)
        mask, observation = np.zeros(setup.actions, np.int8), np.zeros(setup.length, np.int8)
        paid, rewards = np.zeros(setup.players), np.zeros(setup.players)
        states, scores, stream = (
            setup.new_states(1),
            np.zeros(setup.players, np.int64),
            np.zeros(4, np.uint32),
        )
        seed(stream, 6)
        turn = setup.engine.begin(setup.boxes, states, 6, paid, observation, mask)
        while turn >= 0:
            turn = setup.engine.play(
                setup.boxes, states, pick(stream, mask), score, scores, paid, rewards, observation, mask
            )
        of_team = dict(zip(setup.teams, rewards, strict=True))
        assert [of_team[team] for team in setup.teams] == rewards.tolist()
        assert abs(sum(of_team.values())) < 1e-9, options


def test_the_state_has_no_hidden_padding_and_no_unsigned_fields(game):
    for dtype in (game.state_dtype, Setup(game).boxes.dtype):
        assert sum(dtype[name].itemsize for name in dtype.names) == dtype.itemsize
        unsigned = [name for name in dtype.names if dtype[name].base.kind == "u"]
        assert unsigned == (["rng"] if dtype is game.state_dtype else [])


def test_every_field_of_the_state_stays_in_its_range(game):
    setup = Setup(game)
    for states, _ in positions(setup, 7, every=5):
        for name, (low, high) in setup.ranges.items():
            values = states[name].astype(np.int64)
            assert ((low <= values) & (values <= high)).all(), name


def test_play_never_writes_into_the_box(game):
    setup = Setup(game)
    before = setup.boxes.tobytes()
    for _ in positions(setup, 5):
        pass
    assert setup.boxes.tobytes() == before


def test_the_rules_run_uncompiled_alike(game):
    setup = Setup(game)
    deal, apply = uncompiled(game.rules.deal, {}), uncompiled(game.rules.apply, {})
    plain, compiled = setup.new_states(1), setup.new_states(1)
    buffers = np.zeros(setup.players), np.zeros(setup.length, np.int8)
    mask, scores, rewards = np.zeros(setup.actions, np.int8), np.zeros(setup.players, np.int64), buffers[0]
    stream = np.zeros(4, np.uint32)
    seed(stream, 8)
    seed(attributes(plain)[0].rng, 9)
    deal(setup.box, attributes(plain)[0])
    setup.engine.begin(setup.boxes, compiled, 9, *buffers, mask)
    assert plain.tobytes() == compiled.tobytes()
    while mask.any():
        action = pick(stream, mask)
        apply(setup.box, attributes(plain)[0], action)
        setup.engine.play(
            setup.boxes, compiled, action, 0, scores, buffers[0], rewards.copy(), buffers[1], mask
        )
        assert plain.tobytes() == compiled.tobytes()


def test_uncompiled_rules_take_stand_ins(game):
    """All chance of the rules goes through them, or the stream would have moved."""
    setup = Setup(game)

    def first(rng, n):
        return 0

    def as_it_lies(rng, items, n):
        """No shuffle."""

    stand_ins = {below: first, shuffle: as_it_lies}
    deal, apply = uncompiled(game.rules.deal, stand_ins), uncompiled(game.rules.apply, stand_ins)
    states, mask = setup.new_states(1), np.zeros(setup.actions, np.int8)
    state, stream = attributes(states)[0], np.zeros(4, np.uint32)
    seed(stream, 10)
    seed(state.rng, 11)
    before = states["rng"].copy()
    deal(setup.box, state)
    while state.turn >= 0:
        game.rules.legal(setup.boxes[0], states[0], mask)
        apply(setup.box, state, pick(stream, mask))
    assert np.array_equal(states["rng"], before)
