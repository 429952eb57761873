"""Pictures and text show a viewer what it may see, and no more."""

import copy
import functools
import pickle
import xml.etree.ElementTree

import numpy as np
import pytest
from helpers import setups, short, size

import foodenvs
from foodenvs.core.setup import Setup
from foodenvs.drawing import SIZES, frame, image, pixels, svg
from foodenvs.drawing.icons import NAMES, icon
from foodenvs.drawing.kit import sign
from foodenvs.drawing.shapes import Picture, Placed, text_width
from foodenvs.engine import pick, start_stream
from foodenvs.envs import configuration
from foodenvs.envs.aec import FoodEnv


def tables(game, number, every, options=None):
    """Environments along a random game, by default a short one, the very same object each time."""
    env = FoodEnv(Setup(game, short(game) if options is None else options))
    env.reset(seed=number)
    stream = np.zeros(4, np.uint32)
    start_stream(stream, number)
    for count in range(env.setup.max_decisions):
        if count % every == 0 or not env.position.mask.any():
            yield env
        if not env.position.mask.any():
            return
        env.step(pick(stream, env.position.mask))


def seen(game, number, every):
    """Environment and viewer: every viewer at the default options, with other options one after the other."""
    for options in (None, *setups(game)):
        for count, env in enumerate(tables(game, number, every if options else 2 * every, options)):
            viewers = [None, "open", *env.possible_agents]
            for viewer in [viewers[count % len(viewers)]] if options else viewers:
                yield env, viewer


def shown(env, viewer):
    """All that a viewer is shown, in values that can be compared."""
    values, sprites = frame(env.picture(viewer))
    return env.table(viewer), env.last_action(viewer), values, sprites


def test_a_game_draws_every_position_for_every_viewer_at_both_widths(game):
    for env, viewer in seen(game, 1, 31):
        wide, narrow = env.picture(viewer), env.picture(viewer, narrow=True)
        assert (wide.width, narrow.width) == (960, 420)
        for picture in (wide, narrow):
            for item in picture.items:
                assert item.x >= 0
                assert item.y >= 0
                assert item.x + item.sprite.width <= picture.width + 0.5, (env.setup.options, item)
                assert item.y + item.sprite.height <= picture.height + 0.5, (env.setup.options, item)


def test_a_wide_picture_needs_little_shrinking_at_default_options(game):
    heights = [env.picture("player_0").height for env in tables(game, 2, 11, {})]
    assert max(heights) <= 640 * 1.15


def test_pictures_are_the_same_in_every_world_that_a_viewer_thinks_possible(game):
    differ = 0
    for number, (env, viewer) in enumerate(seen(game, 3, 29)):
        if viewer in env.possible_agents:
            once, other = env.determinized(viewer, 2 * number), env.determinized(viewer, 2 * number + 1)
            assert shown(env, viewer) == shown(once, viewer) == shown(other, viewer), env.setup.options
            differ += shown(once, "open") != shown(other, "open")
    assert differ


def test_what_is_told_of_an_action_depends_on_what_the_viewer_sees_of_it(game):
    """Two actions that lead to the same view of a seat are told it in the same words."""
    for env in tables(game, 4, size(27, 9), {}):
        if not env.position.mask.any():
            continue
        actor = env.agent_selection
        for viewer in env.possible_agents:
            if viewer == actor:
                continue
            told = {}
            for action in np.flatnonzero(env.position.mask)[:12]:
                other = copy.deepcopy(env)
                other.step(action)
                after = repr((other.seat_view(viewer), other.observe(viewer)["observation"].tobytes()))
                told.setdefault(after, set()).add(other.last_action(viewer))
            assert all(len(words) == 1 for words in told.values()), (actor, viewer, told)


def drawn_words(picture):
    return {s[3] for i in picture.items for s in i.sprite.shapes if s[0] == "text"}


def test_who_acted_and_an_open_table_are_shown_the_last_action_others_only_what_is_public(game):
    public = ""
    for count, env in enumerate(tables(game, 5, 1)):
        assert count or env.last_known_action("open") == ""
        if count == 0:
            continue
        seat, action, secret = env.position.log.last
        actor = env.possible_agents[seat]
        words = f"{actor}: {env.action_name(action)}"
        public = public if secret else words
        for viewer in (actor, "open") if count % size(4, 1) == 0 else ():
            assert env.table(viewer).endswith(f"last: {words}\n")
            drawn = drawn_words(env.picture(viewer))
            assert any(text and words.startswith(text.rstrip("…")) for text in drawn)
        assert env.last_known_action() == public
        assert copy.deepcopy(env).last_known_action(actor) == words
        for viewer in set(env.possible_agents) - {actor}:
            told = env.last_known_action(viewer)
            assert told == public or told.startswith(f"{viewer}: ")


def test_a_secret_action_does_not_travel_in_a_redealt_copy(game):
    for env in tables(game, 5, 1):
        actor, action, secret = env.position.log.last
        for viewer in env.possible_agents:
            knows = not secret or viewer == env.possible_agents[actor]
            last = env.determinized(viewer, 1).position.log.last
            assert last == (actor, action if knows else -1, secret)


def test_actions_that_a_picture_offers_are_named_as_the_game_names_them(game):
    offered = 0
    for env in tables(game, 6, 5):
        for viewer in env.possible_agents:
            for item in env.picture(viewer).items:
                for name in item.actions:
                    env.parse_action(name)
                    offered += 1
                assert item.label or not item.actions
    assert offered


@pytest.mark.parametrize("name", ["small", "medium", pytest.param("large", marks=pytest.mark.long)])
def test_pixels_come_in_three_sizes(game, name):
    env = foodenvs.make(game.id, render_mode="rgb_array", render_size=name, viewer="player_0")
    env.reset(seed=1)
    shot = env.render()
    assert shot.dtype == np.uint8
    assert shot.shape == (SIZES[name][1], SIZES[name][0], 3)
    assert len(np.unique(shot @ [1, 256, 256**2])) > 20
    assert np.array_equal(shot, env.render("player_0"))
    assert not np.array_equal(shot, env.render("player_1"))


def test_svg_is_well_formed_and_holds_every_word_of_the_picture(game):
    env = next(tables(game, 1, 1))
    picture = env.picture("player_0")
    root = xml.etree.ElementTree.fromstring(svg(picture))
    words = {element.text for element in root.iter("{http://www.w3.org/2000/svg}text")}
    assert {text for text in drawn_words(picture) if text.strip()} == words


def test_the_last_action_is_part_of_an_environment(game):
    env = foodenvs.make(game.id)
    env.reset(seed=1)
    assert env.last_action() == ""
    agent = env.agent_selection
    action = int(np.flatnonzero(env.observe(agent)["action_mask"])[0])
    env.step(action)
    assert env.last_action(agent) == f"{agent}: {env.action_name(action)}"
    for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert other.last_action(agent) == env.last_action(agent)
    again = foodenvs.make(game.id)
    again.restore(env.snapshot())
    assert again.last_action("open") == env.last_action("open")


def test_text_fits_80_columns(game):
    for env, viewer in seen(game, 7, 37):
        longest = max(env.table(viewer).splitlines(), key=len)
        assert len(longest) <= 80, (viewer, longest)


def test_wrong_ways_to_render_are_refused(monkeypatch):
    for name, value in (("render_mode", "pdf"), ("render_size", "huge"), ("viewer", "player_9")):
        with pytest.raises(ValueError, match=name):
            foodenvs.make("scratch_catch", **{name: value})
    monkeypatch.setattr(configuration, "_has_window", lambda: False)
    assert configuration.render_modes() == ["ansi", "rgb_array"]
    with pytest.raises(ValueError, match="window"):
        foodenvs.make("scratch_catch", render_mode="human")
    env = foodenvs.make("scratch_catch")
    env.reset(seed=1)
    with pytest.warns(UserWarning, match="rgb_array"):
        assert env.render() is None


@functools.cache
def grey(name):
    """The grey values of an icon, in small."""
    picture = Picture(24, 16, "#ffffff", (Placed(sign(name, 16), 0, 0),))
    return np.asarray(image(picture, "small").convert("L").reduce(2), int)


@pytest.mark.parametrize("name", NAMES)
def test_every_icon_is_told_from_every_other_without_colour(name):
    for other in NAMES[: NAMES.index(name)]:
        assert np.abs(grey(name) - grey(other)).mean() > 2, other
    assert icon(name)


def test_lengths_of_text_are_those_of_the_font():
    assert text_width("mm", 20) == pytest.approx(2 * text_width("m", 20), rel=0.05)
    assert text_width("wide", 40) == pytest.approx(2 * text_width("wide", 20))


def test_a_game_without_a_picture_is_drawn_in_words(game):
    from foodenvs.drawing.plain import of

    env = next(tables(game, 1, 1))
    picture = of(game).draw(env.setup.box, env.seat_view("player_0"), 0, 0, "last words")
    assert pixels(picture).std() > 5
    assert any(s[3] == "last words" for i in picture.items for s in i.sprite.shapes if s[0] == "text")
