"""The page in a real browser: by clicks, by keys, on a phone, reloaded, twice at once."""

import io
import math
import re

import numpy as np
import pytest
from helpers import short, size
from PIL import Image

import foodenvs
from foodenvs import replay
from foodenvs.drawing import raster
from foodenvs.replay.export import html
from foodenvs.ui.web import sessions as limits

pytestmark = pytest.mark.extra("browser")
WIDTHS = (390, 960, 1600)
MOST_CLICKS = {"scratch_catch": math.inf}  # in an ordinary run
FAST = """() => {
  const real = window.setTimeout;
  window.setTimeout = (work, ms) => real(work, Math.min(ms, 5));
}"""


def start(page, game):
    page.wait_for_selector("#seats select")
    page.select_option("#game", game.id)
    for name, value in short(game).items():
        field = page.locator(f"#option-{name}")
        if field.evaluate("e => e.tagName") == "SELECT":
            field.select_option(str(value))
        else:
            field.fill(str(value))
    page.click("#form button[type=submit]")
    page.wait_for_selector("svg.table")


def steps_of(page):
    return int(page.locator("#count").inner_text().split(" of ")[1])


def wait_for_turn(page):
    """Until it is the player's turn or the game is over; True if it is over."""
    page.wait_for_function(
        "() => ['Your turn', 'The game is over'].includes(document.getElementById('turn').textContent)"
    )
    return page.locator("#turn").inner_text() == "The game is over"


def pick(page, prefer_table):
    """Play by a click: on the first choice at the table where there is one, else on the first button."""
    before = page.locator("#count").inner_text()
    parts = page.locator("svg.table .choice")
    if prefer_table and parts.count():
        parts.first.click()
        if page.locator("#menu").is_visible():
            page.locator("#menu-choices button").first.click()
    else:
        page.locator("#actions button").first.click()
    page.wait_for_function("before => document.getElementById('count').textContent !== before", arg=before)


def play_on(game, steps):
    """Play a game on the server as the hints say, to a turn of the player after so many steps, or the end."""
    while not game.over and (steps > len(game.recorder.steps) or not game.waits):
        game.act(game.hint()) if game.waits else game.advance()


def test_a_whole_game_is_played_by_clicks(open_page, served, game):
    """In an ordinary run only one of the short games; the others are played to their end on the server."""
    page = open_page()
    page.evaluate(FAST)
    start(page, game)
    clicks, most = 0, size(MOST_CLICKS.get(game.name, 10), math.inf)
    while not wait_for_turn(page) and clicks < most:
        pick(page, prefer_table=clicks % 2 == 0)
        clicks += 1
    assert clicks > 3
    if not wait_for_turn(page):
        play_on(served.sessions.get(page.evaluate("location.hash.slice(1)")).game, math.inf)
        page.reload()
        assert wait_for_turn(page)
    result = page.locator("#result").inner_text()
    assert "wins" in result
    assert page.locator("#log li").count() == steps_of(page)
    with page.expect_download() as saved:
        page.click("#save")
    recorded = replay.from_json(saved.value.path().read_text())
    recorded.verify()
    assert all(f"{seat}: {points}" in result for seat, points in recorded.result["scores"].items())
    page.select_option("#viewer", "open")
    page.wait_for_function("() => document.getElementById('text').textContent.length > 0")


def overlaps_and_cuts(page):
    """Controls that overlap each other or reach out of the window, by what is drawn."""
    return page.evaluate(
        """() => {
        const wrong = [], wide = document.documentElement.clientWidth;
        if (document.documentElement.scrollWidth > wide) wrong.push("the page is wider than the window");
        const kinds = "button, select, input, summary, h1, h2, p, svg.table, label";
        const shown = [...document.querySelectorAll(kinds)].filter((e) =>
          e.checkVisibility() && e.getBoundingClientRect().width > 0 && !e.closest("#log, #actions, #rules"));
        const box = (e) => e.getBoundingClientRect();
        for (const e of shown) {
          const b = box(e);
          if (b.left < -1 || b.right > wide + 1) wrong.push(`cut off: ${e.outerHTML.slice(0, 60)}`);
        }
        for (const a of shown) for (const b of shown) {
          if (a === b || a.contains(b) || b.contains(a)) continue;
          const p = box(a), q = box(b);
          const x = Math.min(p.right, q.right) - Math.max(p.left, q.left);
          const y = Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top);
          if (x > 1 && y > 1) wrong.push(`${a.outerHTML.slice(0, 50)} over ${b.outerHTML.slice(0, 50)}`);
        }
        return wrong;
      }"""
    )


def texts_over_texts(page):
    """Words at the table that reach beyond its edge, and pairs of which both are seen at one place."""
    return page.evaluate(
        """() => {
        const svg = document.querySelector("svg.table"), edge = svg.getBoundingClientRect(), wrong = [];
        const texts = [...svg.querySelectorAll("text")].map((t) => ({ t, box: t.getBoundingClientRect() }));
        const seen = (x, y) => {
          const layers = document.elementsFromPoint(x, y).filter((e) => !e.matches(".glow"));
          const ground = layers.findIndex((e) => !e.matches("text"));
          return layers.slice(0, ground).map((e) => e.textContent);
        };
        for (const { t, box } of texts) {
          if (box.left < edge.left - 1 || box.right > edge.right + 1) wrong.push(`cut off: ${t.textContent}`);
          if (box.bottom > window.innerHeight) wrong.push(`not in the window: ${t.textContent}`);
        }
        texts.forEach(({ box: p }, k) => texts.slice(k + 1).forEach(({ box: q }) => {
          const left = Math.max(p.left, q.left), right = Math.min(p.right, q.right);
          const top = Math.max(p.top, q.top), bottom = Math.min(p.bottom, q.bottom);
          if (right - left < 2 || bottom - top < 0.3 * Math.min(p.height, q.height)) return;
          const words = seen((left + right) / 2, (top + bottom) / 2);
          if (words.length > 1) wrong.push(`${words[0]} over ${words[1]}`);
        }));
        return wrong;
      }"""
    )


def table_after(served, game, players, steps):
    """Address of a table at which the human is to move, some steps after the deal."""
    key = served.deal(game.id, ["human", *["greedy"] * (players - 1)], {"players": players}, seed=7)
    play_on(served.sessions.get(key).game, steps)
    return f"{served.url}/#{key}"


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_overlaps_and_nothing_is_cut_off(open_page, served, game, width):
    page = open_page(width, 2400)
    page.wait_for_selector("#seats select")
    page.select_option("#game", game.id)
    assert overlaps_and_cuts(page) == []
    allowed = game.options["players"].allowed
    tables = [(allowed[0], 15), (allowed[-1], 25), *size([], [(allowed[0], 0), (allowed[-1], 0)])]
    for players, steps in tables:
        page.goto(table_after(served, game, players, steps))
        page.reload()
        assert not wait_for_turn(page)
        assert overlaps_and_cuts(page) == []
        assert texts_over_texts(page) == []


@pytest.mark.parametrize("width", WIDTHS)
def test_the_browser_draws_what_the_pixels_show(open_page, served, game, width):
    """The table on the screen and the same picture drawn by Pillow differ in smoothing only."""
    players = game.options["players"].default
    page = open_page(width, 1200, url=table_after(served, game, players, 20))
    wait_for_turn(page)
    page.evaluate("document.querySelectorAll('.glow').forEach((glow) => glow.remove())")
    key = page.evaluate("location.hash.slice(1)")
    env = served.sessions.get(key).env
    picture = env.picture("player_0", narrow=width <= 700)
    shot = Image.open(io.BytesIO(page.locator("svg.table").screenshot())).convert("RGB")
    whole = (int(picture.width), int(picture.height))
    raster.SIZES["whole"] = whole
    try:
        drawn = raster.image(picture, "whole")
    finally:
        del raster.SIZES["whole"]
    small = (whole[0] // 8, whole[1] // 8)
    ours, theirs = (np.asarray(i.resize(small, Image.Resampling.BOX), float) for i in (drawn, shot))
    assert np.abs(ours - theirs).mean() < 6
    assert np.corrcoef(ours.ravel(), theirs.ravel())[0, 1] > 0.9


def test_a_game_can_be_played_with_the_keyboard_alone(open_page, game):
    page = open_page()
    page.evaluate(FAST)
    page.wait_for_selector("#seats select")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "game"
    while page.evaluate("document.activeElement.id") != "game" or page.input_value("#game") != game.id:
        page.keyboard.press("ArrowDown")
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.type") == "submit":
            break
    page.keyboard.press("Enter")
    page.wait_for_selector("svg.table")
    for number in range(6):
        if wait_for_turn(page):
            break
        before = page.locator("#count").inner_text()
        if number % 2:
            page.keyboard.press("1")
        else:
            for _ in range(80):
                page.keyboard.press("Tab")
                if page.evaluate("document.activeElement.matches('svg .choice, #actions button')"):
                    break
            page.keyboard.press("Enter")
            if page.locator("#menu").is_visible():
                page.keyboard.press("Enter")
        page.wait_for_function(
            "before => document.getElementById('count').textContent !== before", arg=before
        )
        if number % 2 == 0 and not wait_for_turn(page):  # the focus is where one chooses again
            assert page.evaluate("document.activeElement.matches('svg .choice, #actions button')")
    if not wait_for_turn(page):
        page.keyboard.press("h")
        page.wait_for_function("() => document.getElementById('told').textContent.startsWith('Hint')")
        steps = steps_of(page)
        page.keyboard.press("u")
        page.wait_for_function(
            "steps => Number(document.getElementById('count').textContent.split(' of ')[1]) < steps",
            arg=steps,
        )
    page.keyboard.press("[")
    page.wait_for_function("() => document.getElementById('turn').textContent === 'Looking back'")
    page.keyboard.press("]")
    page.wait_for_function("() => document.getElementById('turn').textContent !== 'Looking back'")
    keys, most = 0, size(MOST_CLICKS.get(game.name, 3), math.inf)
    while not wait_for_turn(page) and keys < most:
        before = page.locator("#count").inner_text()
        page.keyboard.press("1")
        page.wait_for_function(
            "before => document.getElementById('count').textContent !== before", arg=before
        )
        keys += 1
    assert keys == most or "wins" in page.locator("#result").inner_text()


def test_a_screen_reader_finds_names_for_everything(open_page, game):
    page = open_page()
    start(page, game)
    wait_for_turn(page)
    unnamed = page.evaluate(
        """() => [...document.querySelectorAll("button, select, input, [role=button], [role=img]")]
        .filter((e) => e.checkVisibility())
        .filter((e) => !(e.textContent.trim() || e.ariaLabel || (e.labels && e.labels.length)))
        .map((e) => e.outerHTML.slice(0, 80))"""
    )
    assert unnamed == []
    assert page.get_by_role("group", name=re.compile("the table")).count() == 1
    assert page.locator("#told").get_attribute("aria-live") == "polite"


def test_a_reload_in_mid_game_goes_on(open_page, game):
    page = open_page()
    page.evaluate(FAST)
    start(page, game)
    for _ in range(2):
        if wait_for_turn(page):
            break
        pick(page, prefer_table=False)
    wait_for_turn(page)
    text, count = page.locator("#text").text_content(), page.locator("#count").inner_text()
    page.reload()
    page.wait_for_selector("svg.table")
    assert page.locator("#text").text_content() == text
    assert page.locator("#count").inner_text() == count


def test_two_tabs_hold_two_games_or_the_same_one(open_page, served, game):
    players = game.options["players"].allowed[0]
    one, two = (open_page(url=table_after(served, game, players, 0)) for _ in range(2))
    assert not wait_for_turn(one)
    assert not wait_for_turn(two)
    before = two.locator("#text").text_content()
    pick(one, prefer_table=True)
    two.reload()
    two.wait_for_selector("svg.table")
    assert two.locator("#text").text_content() == before
    wait_for_turn(one)  # until then the agents play on
    same = open_page(url=one.url)
    same.wait_for_selector("svg.table")
    assert same.locator("#count").inner_text() == one.locator("#count").inner_text()


def test_a_tab_that_fell_behind_is_told_and_catches_up(open_page):
    """One tab plays on; the other one's click comes too late, is told, and shows the game as it is."""
    game = foodenvs.GAMES["scratch_catch"]
    one = open_page()
    two = one.context.new_page()
    start(one, game)
    wait_for_turn(one)
    two.goto(one.url)
    wait_for_turn(two)
    pick(one, prefer_table=False)
    two.locator("#actions button").first.click()
    two.wait_for_selector("#problem:not([hidden])")
    assert "gone on" in two.locator("#problem").inner_text()
    assert steps_of(two) >= 1
    two.locator("#actions button").first.click()  # now it is heard
    two.wait_for_selector("#problem", state="hidden")


def test_bots_are_watched_paused_and_looked_back_at(open_page):
    page = open_page()
    page.wait_for_selector("#seats select")
    page.evaluate(FAST)
    page.click("#watch")
    page.wait_for_selector("svg.table")
    page.wait_for_function("() => Number(document.getElementById('count').textContent.split(' of ')[1]) > 5")
    page.click("#pause")
    assert page.locator("#pause").inner_text() == "Go on"
    page.select_option("#viewer", "player_1")
    page.wait_for_function("() => document.getElementById('text').textContent.includes('hand of player_1')")
    page.click("#back")
    page.wait_for_function("() => document.getElementById('turn').textContent === 'Looking back'")
    page.click("#now")
    page.wait_for_function("() => document.getElementById('turn').textContent !== 'Looking back'")


def test_a_replay_file_is_loaded_and_stepped_through(open_page, game, tmp_path):
    recorded = replay.record(foodenvs.make(game.id, **short(game)), ["greedy"], seed=2)
    recorded.save(tmp_path / "game.json")
    page = open_page()
    page.wait_for_selector("#seats select")
    page.set_input_files("#file", tmp_path / "game.json")
    page.wait_for_selector("svg.table")
    assert steps_of(page) == len(recorded.steps)
    page.locator("#log button").nth(2).click()
    page.wait_for_function("() => document.getElementById('count').textContent.startsWith('3 of')")
    assert page.locator("#text").text_content() == recorded.at(3).table("open")
    (tmp_path / "bad.json").write_text("{}")
    page.click("#leave")
    page.set_input_files("#file", tmp_path / "bad.json")
    page.wait_for_selector("#problem:not([hidden])")
    assert "missing" in page.locator("#problem").inner_text()


def test_the_rules_stand_beside_the_table(open_page, game):
    page = open_page()
    start(page, game)
    page.click("#rules-box summary")
    page.wait_for_selector("#rules table")
    assert page.locator("#rules h2").count() >= 4


def test_a_closed_game_leads_back_to_the_start(open_page, served):
    page = open_page()
    start(page, foodenvs.GAMES["scratch_catch"])
    key = page.evaluate("location.hash.slice(1)")
    page.click("#leave")
    page.wait_for_selector("#setup:not([hidden])")
    with pytest.raises(limits.Refused):
        served.sessions.get(key)


@pytest.mark.parametrize("width", WIDTHS)
def test_a_page_of_a_replay_needs_no_server(open_page, game, width, tmp_path):
    recorded = replay.record(foodenvs.make(game.id, **short(game)), ["greedy"], seed=2)
    file = tmp_path / "game.html"
    file.write_text(html(recorded, None if width == 1600 else "player_1"), encoding="utf-8")
    page = open_page(width, url=file.as_uri())
    page.wait_for_selector("svg.table")
    viewers = page.locator("#viewer option").all_inner_texts()
    assert viewers == (["open cards", *recorded.make().possible_agents] if width == 1600 else ["player_1"])
    assert overlaps_and_cuts(page) == []
    page.click("#on")
    assert page.locator("#count").inner_text().startswith("1 of")
    page.keyboard.press("End")
    viewer = "open" if width == 1600 else "player_1"
    assert page.locator("#text").text_content() == recorded.at(-1).table(viewer)
    assert "Points" in page.locator("#result").inner_text()
    page.keyboard.press("ArrowLeft")
    assert page.locator("#text").text_content() == recorded.at(-2).table(viewer)
