"""What holds for the kernel functions of every game, over random play (also run in pure mode)."""

import numpy as np
import pytest
from helpers import look, placed, positions, setups, size, spread

from foodenvs.core.checks import REWARDS
from foodenvs.core.components import small_components
from foodenvs.core.position import Position
from foodenvs.core.setup import Setup
from foodenvs.engine import PURE, attributes, below, pick, shuffle, start_stream, uncompiled


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
        clean, dirty = Position(setup), Position(setup)
        for name in set(dirty.states.dtype.names) - {"pad"}:  # no rule reads or writes what fills up a record
            dirty.states[name] = 1
        for position in (clean, dirty):
            position.deal(7)
        assert clean.states.tobytes() == dirty.states.tobytes()


def test_a_redeal_keeps_what_a_seat_sees_and_forgets_the_rest(game):
    changed = set()
    for options in setups(game):
        setup = Setup(game, options)
        for number, (states, _) in enumerate(spread(positions(setup, 2), size(5, 18))):
            here = placed(setup, states)
            for seat in range(setup.players):
                once, other = here.redealt(seat, 1000 + number), here.redealt(seat, 2000 + number)
                view = setup.seat_view(states, seat)
                for redealt in (once, other):
                    for mine, theirs in zip(
                        look(setup, states, seat), look(setup, redealt, seat), strict=True
                    ):
                        assert np.array_equal(mine, theirs), (options, seat)
                    assert setup.seat_view(redealt, seat) == view
                assert_given_back_by_its_view(setup, once)
                changed |= {
                    name for name in once.dtype.names if once[name].tobytes() != other[name].tobytes()
                }
                again = [placed(setup, redealt).redealt(seat, 3000) for redealt in (once, other)]
                assert again[0].tobytes() == again[1].tobytes(), (options, seat, number)
    assert changed >= {field.name for field in setup.hidden}


def test_a_view_gives_the_position_back(game):
    for options in setups(game):
        setup = Setup(game, options)
        for states, _ in spread(positions(setup, 3), size(9, 27)):
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
        for states, _ in positions(setup, 4, every=size(27, 9)):
            here = placed(setup, states)
            returns = here.returns()
            if not here.over:
                assert not returns.any()
                continue
            of_team = dict(zip(setup.teams, returns, strict=True))
            assert abs(sum(of_team.values())) < 1e-9
            assert [of_team[team] for team in setup.teams] == returns.tolist()
            assert returns.max() > 0 or len(set(returns)) == 1


def test_score_rewards_sum_to_zero_over_the_contenders(game):
    for options in setups(game):
        setup = Setup(game, options)
        here, stream = Position(setup, REWARDS.index("score")), np.zeros(4, np.uint32)
        start_stream(stream, 6)
        here.deal(6)
        while not here.over:
            here.play(pick(stream, here.mask))
        rewards = here.rewards
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
    plain, compiled, stream = setup.new_states(1), Position(setup), np.zeros(4, np.uint32)
    start_stream(stream, 8)
    start_stream(attributes(plain)[0].rng, 9)
    deal(setup.box, attributes(plain)[0])
    compiled.deal(9)
    assert plain.tobytes() == compiled.states.tobytes()
    while not compiled.over:
        action = pick(stream, compiled.mask)
        apply(setup.box, attributes(plain)[0], action)
        compiled.play(action)
        assert plain.tobytes() == compiled.states.tobytes()


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
    start_stream(stream, 10)
    start_stream(state.rng, 11)
    before = states["rng"].copy()
    deal(setup.box, state)
    while state.turn >= 0:
        game.rules.legal(setup.boxes[0], states[0], mask)
        apply(setup.box, state, pick(stream, mask))
    assert np.array_equal(states["rng"], before)


@pytest.mark.skipif(PURE, reason="nothing is compiled")
def test_all_files_of_a_games_rules_stand_for_the_game_where_it_is_compiled(game):
    Setup(game).engine  # noqa: B018  which announces its files
    rules = [game.rules.deal, game.rules.apply, game.rules.legal, game.information.observe]
    assert len({rule._cache._announced_file for rule in rules}) == 1
