"""Critter Kitchen: invariants along random games, fresh games, positions, cards, agents."""

import copy
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from helpers import look, placed, positions, setups, size
from hypothesis import given, settings
from hypothesis import strategies as st

import foodenvs
from foodenvs.arena import match
from foodenvs.core.components import ComponentsError, load_components
from foodenvs.core.notation import PositionError
from foodenvs.core.position import Position
from foodenvs.core.setup import Setup, pack_box
from foodenvs.engine import PURE, attributes, uncompiled
from foodenvs.games import GAMES
from foodenvs.games.critter_kitchen import rules
from foodenvs.games.critter_kitchen.layout import ALLSPICE, RUMOUR_NAMES, TYPES
from foodenvs.games.critter_kitchen.picture import chef_sign
from foodenvs.games.critter_kitchen.rules import scoring, supply
from foodenvs.games.critter_kitchen.words.views import ACTION_NAMES, KIND_NAMES
from foodenvs.testing.scenario import Scenario, load_scenarios, run_scenario

GAME = GAMES["critter_kitchen"]
OWN = load_components(GAME.home)
CRITICS = [row["name"] for row in OWN["critic"]]
BASE = {row["name"] for row in OWN["rumour"] if not row["advanced"]}
STARS = {row["name"]: row["stars"] for row in OWN["restaurateur"]}
SPACES = {row["name"]: row["spaces"] for row in OWN["location"]}
GOLDEN = list(load_scenarios(Path(__file__).parents[1] / "golden" / "critter_kitchen.toml"))

some_options = st.fixed_dictionaries(
    {"players": st.integers(2, 5)},
    optional={
        "critic": st.sampled_from(CRITICS),
        "advanced_rumours": st.booleans(),
        "restaurateurs": st.booleans(),
        "truck_leftovers": st.sampled_from(["stay", "academy"]),
    },
)
seeds = st.integers(0, 2**40)
few = settings(max_examples=size(2, 6), deadline=None)


def table_of(position=None, seed=0, components=None, **options):
    env = foodenvs.make("critter_kitchen", components=components, **options).unwrapped
    env.reset(seed=seed, options=None if position is None else {"position": position})
    return env


def running(env):
    return not any(env.terminations.values())


def legal(env):
    return np.flatnonzero(env.infos[env.agent_selection]["action_mask"])


def walk(seed, options, components=None):
    """Yield the environment and (view before, action name, view after) along a random game."""
    env = table_of(seed=seed, components=components, **options)
    stream = np.random.default_rng(seed)
    after = env.view()
    while running(env):
        before, action = after, int(stream.choice(legal(env)))
        env.step(action)
        after = env.view()
        yield env, before, env.action_name(action), after


def tokens_everywhere(view):
    held = [
        "wild" if rumour in own["wilds"] else f"rumour {rumour}"
        for own in view["seats"]
        for rumour in own["rumours"]
    ]
    lying = [token for tokens in view["locations"].values() for token in tokens]
    stocks = [token for own in view["seats"] for token in own["stock"]]
    return Counter(view["bag"] + view["removed"] + held + lying + stocks)


def all_tokens(box, last_round):
    counts = Counter({name: int(n) for name, n in zip(KIND_NAMES, box.count, strict=True)})
    if last_round:
        counts["allspice"] += int(box.extra_allspice)
    return counts


# --- whole games ---------------------------------------------------------------------------------


@few
@given(seed=seeds, options=some_options)
def test_tokens_and_bisques_are_never_lost(seed, options):
    for env, _, _, view in walk(seed, options):
        assert tokens_everywhere(view) == all_tokens(env.setup.box, view["round"] == 7)
        placed = view["truck_bisque"] + sum(s["bisque"] for s in view["seats"])
        assert view["bisque_supply"] == max(0, env.setup.box.bisques - placed)
        assert view["truck_bisque"] or view["phase"] != "planning"  # CK-15
        assert set(view["removed"]) <= set(RUMOUR_NAMES)


@few
@given(seed=seeds, options=some_options)
def test_what_only_some_phases_may_change(seed, options):
    order = ["planning", "shopping", "challenges", "refrigeration", "critic", "over"]
    decisions = 0
    for env, before, _, after in walk(seed, options):  # noqa: B007
        decisions += 1
        scored = before["phase"] == "challenges" != after["phase"]
        cleared = scored or before["phase"] == "refrigeration"
        for old, new in zip(before["seats"], after["seats"], strict=True):
            assert new["stars"] >= old["stars"]
            assert scored or (new["soup"] >= old["soup"] and new["bisque"] >= old["bisque"])
            assert cleared or not Counter(old["stock"]) - Counter(new["stock"])
        if after["round"] == before["round"]:  # CK-19
            assert order.index(after["phase"]) >= order.index(before["phase"])
        else:
            assert after["round"] == before["round"] + 1
            assert after["phase"] == "planning"
        if after["phase"] in ("challenges", "refrigeration"):  # CK-01
            assert after["round"] in (3, 6)
        assert (after["phase"] in ("critic", "over")) <= (after["round"] == 7)
    assert after["phase"] == "over"
    assert decisions <= env.setup.max_decisions


@few
@given(seed=seeds, options=some_options)
def test_locations_rumours_chefs_and_track_stay_possible(seed, options):
    for env, _, _, view in walk(seed, options):
        places = list(view["locations"])
        at = places.index(view["shop"]["location"]) if view["shop"] else len(places)
        for place, name in enumerate(places):
            if view["phase"] != "planning" and place < at:  # CK-47
                assert not set(view["locations"][name]) & set(RUMOUR_NAMES)
        if view["shop"].get("location") != "midnight_merchant":
            assert view["locations"]["midnight_merchant"] == []
        assert view["round"] < 7 or view["challenges"] == []
        assert sorted(view["priority"]) == list(range(options["players"]))
        assert sum(own["sous"] != "" for own in view["seats"]) <= 1
        assert sum(own["student"] != "" for own in view["seats"]) <= 1
        for own, plan in zip(view["seats"], view["plans"], strict=True):
            assert len(set(plan.values())) == len(plan)
            assert len(set(own["rumours"])) == len(own["rumours"])
            assert ("sous" in plan) <= (own["sous"] != "")
        if view["phase"] not in ("planning", "shopping"):
            assert all(own["sous"] == "" for own in view["seats"])
            assert not any(view["plans"])
        assert not running(env) or legal(env).size


@few
@given(seed=seeds, options=some_options)
def test_kitchens_are_within_their_limits_after_refrigeration(seed, options):
    for _, before, _, after in walk(seed, options):
        if after["phase"] == "planning" and before["round"] in (3, 6) and after["round"] != before["round"]:
            for own in after["seats"]:
                more = 3 if own["restaurateur"] == "bruno_beaver" else 0
                assert len(own["stock"]) <= (5 if before["round"] == 3 else 10) + more


@few
@given(seed=seeds, options=some_options)
def test_plates_hold_what_their_owner_has_and_meals_cover_their_cards(seed, options):
    needs = {row["name"]: row["needs"] for row in OWN["challenge"]}
    for env, before, action, view in walk(seed, options):
        for seat, own in enumerate(view["seats"]):
            laid = Counter()
            for items in [*(plate["items"] for plate in view["plates"][seat]), view["meals"][seat]]:
                for item in items:
                    name = item.removesuffix(" spiced").removesuffix(" allspiced")
                    laid[name] += 1
                    if name != item:
                        laid["allspice" if item.endswith("allspiced") else f"{name.split()[0]} spice"] += 1
            laid.update(f"wine {value}" for value in view["pairs"][seat].values())
            if view["critic"] == "jerboa" and view["phase"] in ("critic", "over"):
                laid["allspice"] -= min(len(own["rumours"]), laid["allspice"])
            assert not laid - Counter(own["stock"] + ["soup"] * own["soup"] + ["bisque"] * own["bisque"])
        if action == "serve":
            seat = env.possible_agents.index(before["turn"])
            plate = before["current_plates"][seat] - 1
            asked = needs[before["challenges"][plate]][: 2 if plate == 2 else 3]  # CK-13
            items = before["plates"][seat][plate]["items"]
            types = {item.split()[0] for item in items} - {"soup", "bisque"}
            assert types
            assert types <= set(asked)
            assert len(set(asked) - types) <= sum(item in ("soup", "bisque") for item in items)


@pytest.mark.parametrize("critic", CRITICS)
@pytest.mark.parametrize("players", [2, pytest.param(5, marks=pytest.mark.long)])
def test_a_game_with_each_critic_ends_with_one_winner(critic, players):
    for env, *_, view in walk(3, {"players": players, "critic": critic, "restaurateurs": True}):  # noqa: B007
        pass
    returns = list(env.returns().values())
    assert abs(sum(returns)) < 1e-9
    assert [r > 0 for r in returns].count(True) == 1
    rank = [
        (own["stars"], own["quality"], -view["priority"].index(seat))
        for seat, own in enumerate(view["seats"])
    ]
    assert view["winners"] == [rank.index(max(rank))] == [returns.index(1.0)]  # CK-83, CK-84


# --- fresh games ---------------------------------------------------------------------------------


@few
@given(seed=seeds, options=some_options)
def test_a_fresh_game(seed, options):
    env = table_of(seed=seed, **options)
    view, players = env.view(), options["players"]
    assert (view["round"], view["phase"], view["turn"]) == (1, "planning", "player_0")
    numbered = [name for name in view["locations"] if name not in ("soup_truck", "midnight_merchant")][:-1]
    assert len(numbered) == players  # CK-06
    assert [len(view["locations"][name]) for name in numbered] == [SPACES[name] for name in numbered]
    assert view["locations"]["soup_truck"] == view["locations"]["midnight_merchant"] == []
    assert len(view["locations"]["chef_academy"]) == (2 if players == 2 else 0)
    assert (len(view["challenges"]), len(view["challenge_deck"])) == (1, 5)  # CK-03
    assert len(set(view["challenges"] + view["challenge_deck"])) == 6
    assert view["academy_sous"]
    assert len({view["academy_sous"], *view["sous_deck"]}) == 6  # CK-08
    assert (view["truck_bisque"], view["bisque_supply"]) == (True, 6)
    assert tokens_everywhere(view) == all_tokens(env.setup.box, False)
    assert view["removed"] == view["past_challenges"] == view["past_sous"] == []
    assert (view["face_up"], view["shop"], view["winners"]) == ([False] * 3, {}, [])
    nothing = {
        "plans": {},
        "plates": [],
        "meals": [],
        "pairs": {},
        "current_plates": 0,
        "current_courses": "",
    }
    assert all(view[key] == [empty] * players for key, empty in nothing.items())
    for own in view["seats"]:  # CK-09
        assert (own["soup"], own["bisque"], own["stock"], own["rumours"]) == (1, 0, [], [])
        assert own["quality"] == 0
        assert own["sous"] == own["student"] == ""
        assert own["stars"] == STARS.get(own["restaurateur"], 0)  # CK-18
    owners = [own["restaurateur"] for own in view["seats"]]
    private = [name for name in view["private_rumours"] if name]
    if options.get("restaurateurs"):
        assert len(set(owners)) == players
        assert all(owners)
    assert len(private) == owners.count("jamie_owliver")
    assert len(set(view["rumours"] + private)) == 3 + len(private)  # CK-05
    if not options.get("advanced_rumours", True):
        assert set(view["rumours"] + private) <= BASE
    assert view["critic"] == options.get("critic", view["critic"])  # CK-04


@pytest.mark.skipif(PURE, reason="many games take the compiler")
def test_setup_draws_are_uniform():
    games = 3000
    setup = Setup(GAME, {"players": 3})
    here = Position(setup)
    state = here.state
    drawn = {"priority": Counter(), "critic": Counter(), "rumour": Counter(), "challenge": Counter()}
    for seed in range(games):
        here.deal(seed)
        drawn["priority"][tuple(state.priority[:3])] += 1
        drawn["critic"][state.critic] += 1
        drawn["rumour"].update(int(card) for card in state.rumours)
        drawn["challenge"][state.challenges[0]] += 1
    for name, number, each in (("priority", 6, 1), ("critic", 12, 1), ("rumour", 28, 3), ("challenge", 7, 1)):
        counts = drawn[name]
        assert len(counts) == number
        mean = games * each / number
        assert all(abs(n - mean) < 5 * mean**0.5 for n in counts.values()), (name, counts)


def state_of(seed_of_game, components=None, **options):
    setup = Setup(GAME, options, components)
    here = Position(setup)
    here.deal(seed_of_game)
    return setup.box, here.state


def test_nothing_else_lies_anywhere_in_a_fresh_game():
    _, s = state_of(1, players=2)
    for name in ("student", "student_owner", "sous", "sous_owner", "here", "winner"):
        assert getattr(s, name) == -1, name
    for name in ("restaurateur", "private", "queue", "plan"):
        assert (getattr(s, name) == -1).all(), name
    for name in ("turn", "line", "queue_size", "plate", "course", "first_pick", "done", "truncated"):
        assert getattr(s, name) == 0, name
    for name in ("quality", "removed", "stock", "free", "plates", "plate_soup", "served", "pairs"):
        assert not getattr(s, name).any(), name
    for name in ("bisque", "tokens", "stars", "left", "taken", "gone_sous"):
        assert not getattr(s, name).any(), name
    assert list(s.priority[2:]) == [-1] * 3
    assert list(s.challenges[1:]) == [-1] * 2
    assert (s.challenge_deck[0], s.sous_deck[0]) == (-1, -1)
    assert s.seen_challenges.sum() == 1
    assert (s.bag[s.bag_size :] == 0).all()


def test_bag_track_and_critic_are_shuffled():  # CK-01, CK-04, CK-10
    games = [table_of(seed=number, players=2).view() for number in range(12)]
    assert len({tuple(view["bag"][:9]) for view in games}) == 12
    assert {tuple(view["priority"]) for view in games} == {(0, 1), (1, 0)}
    assert len({view["critic"] for view in games}) > 4


def test_an_option_is_what_the_page_says():
    defaults = {name: option.default for name, option in GAME.options.items()}
    assert defaults == {
        "players": 3,
        "critic": "random",
        "advanced_rumours": True,
        "restaurateurs": False,
        "truck_leftovers": "stay",
        "setup": "options",
    }
    assert tuple(GAME.options["players"].allowed) == (2, 3, 4, 5)
    assert tuple(GAME.options["critic"].allowed) == ("random", *CRITICS)
    assert all(
        set(GAME.options[name].allowed) == {True, False} for name in ("advanced_rumours", "restaurateurs")
    )


def test_the_first_game_is_the_printed_one():
    """The mouse, base rumours, no restaurateurs (CK-04, CK-05, CK-18); what contradicts is refused."""
    printed = {"critic": "mouse", "advanced_rumours": False}
    for seed in range(3):
        assert table_of(seed=seed, setup="first_game").view() == table_of(seed=seed, **printed).view()
    for wrong in ({"critic": "fox"}, {"restaurateurs": True}):
        with pytest.raises(ValueError, match=r"must be .* or left out with setup='first_game', got"):
            table_of(setup="first_game", **wrong)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_observation_is_as_long_as_the_page_says(players):
    setup = Setup(GAME, {"players": players})
    assert (setup.length, setup.actions) == (846 + 140 * players + 4 * players**2, 179)


def test_every_card_left_is_drawn_equally_often():
    """With cards in every place where one can be, and with fewer cards than the box has room for."""
    fewer = {"challenge": OWN["challenge"][:6], "sous_chef": OWN["sous_chef"][:9]}
    fewer |= {"rumour": OWN["rumour"][:9], "restaurateur": OWN["restaurateur"][:6]}
    box, s = state_of(1, fewer, players=2, restaurateurs=True)
    s.challenge_deck[:] = [-1, -1, -1, 0, 5, 3]
    s.seen_challenges[:7] = [0, 0, 1, 0, 0, 0, 0]
    s.sous_deck[:] = [-1, -1, -1, -1, 8, 1]
    s.gone_sous[:] = 0
    s.gone_sous[[0, 6]] = 1
    s.academy_sous, s.sous, s.student = 2, 4, 3
    s.rumours[:] = [8, 0, 3]
    s.private[:2] = [-1, 5]
    s.restaurateur[:2] = [5, 0]
    for draw, left in (
        (supply.draw_challenge, {1, 4}),
        (supply.draw_sous_chef, {5, 7}),
        (supply.draw_rumour, {1, 2, 4, 6, 7}),
        (supply.draw_restaurateur, {1, 2, 3, 4}),
    ):
        drawn = Counter(int(draw(box, s)) for _ in range(60 * len(left)))
        assert set(drawn) == left
        assert min(drawn.values()) > 30


def test_the_private_rumour_is_a_fourth_card():
    box, s = state_of(1, players=2, restaurateurs=True)
    s.restaurateur[:2] = [1, 0]  # Jamie Owliver is card 0
    s.private[:] = -1
    supply.deal_rumours(box, s)
    assert s.private[0] == -1 < s.private[1]
    assert s.private[1] not in s.rumours


# --- secrets -------------------------------------------------------------------------------------


def test_pending_choices_are_invisible_to_others():
    seats = [
        {"stock": ["bread 6", "fish 6", "cheese 6"], "soup": 2},
        {"stock": ["meat 2"]},
    ]
    position = {
        "phase": "challenges",
        "round": 6,
        "challenges": ["ultimate_melt", "wine_and_dine", "seafood_supper"],
        "seats": seats,
    }
    env = table_of(position, players=2)
    before = env.observe("player_1")["observation"].copy()
    for action in ("bread 6", "fish 6", "soup"):
        env.step(env.parse_action(action))
        assert np.array_equal(env.observe("player_1")["observation"], before)
        assert env.seat_view("player_1")["plates"][0] is None


def test_a_redeal_gives_seats_that_have_planned_whole_plans():
    """Each of their chefs may be anywhere, but no two of a seat at one location (CK-20, CK-21)."""
    env = table_of(players=3)
    while env.agent_selection != "player_2":
        env.step(legal(env)[0])
    redealt = [env.determinized("player_2", number).view() for number in range(40)]
    plans = [plan for view in redealt for plan in view["plans"][:2]]
    assert all(len(set(plan.values())) == 3 for plan in plans)
    for chef in ("mouse", "lizard", "boar"):
        assert {plan[chef] for plan in plans} == set(redealt[0]["locations"])


@pytest.mark.parametrize("critic", CRITICS)
def test_redeals_and_views_with_each_critic(critic):
    """What a seat sees survives a redeal, and a view gives its position back, late in the game too."""
    setup = Setup(GAME, {"players": 4, "critic": critic, "restaurateurs": True})
    changed = 0
    for number, (states, _) in enumerate(positions(setup, 6, every=size(149, 11))):
        again = setup.new_states(1)
        setup.set_up(again, setup.view(states), 0)
        again["rng"] = states["rng"]
        assert again.tobytes() == states.tobytes()
        for seat in range(setup.players):
            redealt = placed(setup, states).redealt(seat, number)
            redealt["rng"] = states["rng"]
            changed += redealt.tobytes() != states.tobytes()
            for mine, theirs in zip(look(setup, states, seat), look(setup, redealt, seat), strict=True):
                assert np.array_equal(mine, theirs)
            assert setup.seat_view(redealt, seat) == setup.seat_view(states, seat)
    assert changed


# --- positions -----------------------------------------------------------------------------------


BREADS = [{"stock": ["bread 2", "bread 3"]}]
CRITIC = {"phase": "critic", "round": 7, "critic": "fox"}
DAY = {"phase": "challenges", "round": 3, "seats": [{"stock": ["meat 2", "bread 2"], "soup": 1}]}
DAY |= {"challenges": ["ultimate_melt", "wine_and_dine", "seafood_supper"]}


@pytest.mark.parametrize(
    ("position", "text"),
    [
        ({"round": 8}, "round: must be 1 to 7"),
        ({"phase": "challenges", "round": 2}, "phase: challenges follows round 3 or 6, not 2"),
        ({"phase": "critic"}, "phase: critic follows round 7, not 1"),
        ({"critic": "wolf"}, "critic: must be one of"),
        ({"priority": [0, 0, 1]}, "priority: must name each seat once"),
        ({"locations": {"soup_truck": ["bread 8"]}}, "soup_truck: 'bread 8' is no token"),
        ({"locations": {"moon": []}}, "moon: unknown key"),
        ({"seats": [{"stock": ["bread 7", "bread 7"]}]}, "more tokens bread 7"),
        ({"seats": [{"sous": "otto"}, {"sous": "ming"}]}, "only one seat can have one"),
        ({"seats": [{"sous": "otto"}], "past_sous": ["otto"]}, "otto is in the game twice"),
        ({"seats": [{"rumours": [1], "wilds": [2]}]}, "those of wilds among them"),
        ({"seats": [{"restaurateur": "mona_mole"}]}, "see option restaurateurs"),
        ({"private_rumours": ["picky"]}, "only a restaurateur with a private rumour"),
        ({"seats": [{"bisque": 7}]}, "truck_bisque: at most 7 bisques can be out in round 1, got 8"),
        ({"truck_bisque": False}, "truck_bisque: must be true: a round begins with one"),
        ({"plans": [{"mouse": "soup_truck", "boar": "soup_truck"}]}, "another chef"),
        ({"plans": [{"sous": "soup_truck"}]}, "no sous chef at work"),
        ({"plans": [{}, {"mouse": "soup_truck"}]}, "has not planned yet"),
        ({"seats": [{}, {}, {}, {}]}, "seats: must have 3 entries, got 4"),
        ({"rumours": ["tender", "tender", "?"]}, "tender is in the game twice"),
        ({"challenge_deck": ["ultimate_melt"] * 6}, "can have 5 cards in this round"),
        ({"challenges": []}, "challenges: must have 1 entries"),
        ({"face_up": [True, False, False]}, "face_up: must be"),
        ({"phase": "shopping", "shop": {"queue": [0]}}, "no chef at soup_truck"),
        ({"phase": "refrigeration", "round": 3, "plans": [{"boar": "soup_truck"}]}, "plans: must be"),
        (CRITIC | {"meals": [["bread 2"]]}, "meals.0: bread 2 cannot be laid there; legal: next"),
        (CRITIC | {"seats": BREADS, "meals": [BREADS[0]["stock"]]}, "meals.0: bread 3 cannot be laid there"),
        (CRITIC | {"meals": [["soup"]]}, "meals.0: 'soup' is no item of a meal; there are bread 2, "),
        (CRITIC | {"pairs": [{"bread": 2}]}, "pairs.0: wine 2 cannot be laid there"),
        (CRITIC | {"pairs": [{"bread": 8}]}, "pairs.0: 'wine 8' is no token"),
        (CRITIC | {"current_courses": ["ham", "", ""]}, "current_courses: 'ham' is no course"),
        (CRITIC | {"seats": [{}, *BREADS], "meals": [[], ["bread 2"]]}, "meals.1: must be empty"),
        (DAY | {"plates": [[{"items": ["meat 2"]}]]}, "plates.0.0: items: meat 2 cannot be laid there"),
        (DAY | {"plates": [[{"items": ["soup"]}]]}, "plates.0.0: items: soup cannot be laid there"),
        (DAY | {"plates": [[{}] * 4]}, "plates.0: can be 3, got 4"),
        (DAY | {"plates": [[{"served": True}]]}, "plates.0.0: served: this plate cannot have been served"),
        (
            DAY | {"plates": [[{"served": True}]], "current_plates": [2]},
            "plates.0.0: items: serve cannot be laid there; legal: .*skip",
        ),
        (DAY | {"plates": [[{}, {"items": ["bread 2"]}]]}, "plates.0.1: items: must be empty"),
        (DAY | {"current_plates": [4]}, "current_plates: must be"),
        ({"seats": [{"soup": 127}]}, "soup: must be 0 to 11"),
        ({"phase": "critic", "round": 7, "seats": [{"stars": 127}]}, "stars: must be 0 to"),
        ({"academy_sous": "otto", "seats": [{"student": "ming"}]}, "student: is this round's sous chef"),
        ({"seats": [{"student": "ming"}]}, "student: is this round's sous chef"),
        (
            {
                "phase": "shopping",
                "plans": [{"boar": "soup_truck"}],
                "shop": {"queue": [0], "left": [2], "taken": [2]},
            },
            "taken: the chef of seat 0 can still carry 2 of 3",
        ),
        (
            {
                "phase": "shopping",
                "plans": [{"boar": "soup_truck"}],
                "shop": {"queue": [0], "left": [2], "taken": [0]},
            },
            "taken: the chef of seat 0 can still carry 2 of 3",
        ),
        (
            {
                "phase": "shopping",
                "plans": [{"boar": "desert_vendor"}],
                "shop": {"location": "desert_vendor", "queue": [0], "left": [2], "first_pick": False},
            },
            "first_pick: must be true",
        ),
        (
            {
                "phase": "shopping",
                "plans": [{"mouse": "soup_truck"}, {"boar": "soup_truck"}],
                "shop": {"queue": [0], "first_pick": True},
            },
            "first_pick: must be false: no chef has taken anything",
        ),
        ({"nonsense": 1}, "nonsense: unknown key"),
        ({"turn": "none"}, "turn: must be none when the game is over, and only then"),
        ({"in_bag": []}, "in_bag: must be"),
        ({"scores": [1, 2, 3]}, r"scores: must be \[0, 0, 0\], as the rest has it"),
        ({"current_plates": [1, 0, 0]}, r"current_plates: must be \[0, 0, 0\], as the rest has it"),
        ({"known_rumours": [["picky", "?", "?"]]}, "known_rumours: must be"),
        ({"rumours": ["picky"] + ["?"] * 2, "known_rumours": [["tender", "?", "?"]]}, "known_rumours: must"),
        (
            {"phase": "shopping", "turn": "player_1", "plans": [{"boar": "soup_truck"}]},
            "turn: must be 'player_0', as the rest has it",
        ),
    ],
)
def test_impossible_positions_are_refused_by_key(position, text):
    with pytest.raises(PositionError, match=text):
        table_of(position)


@pytest.mark.parametrize("options", [{"critic": "mouse"}, {"setup": "first_game"}])
def test_a_position_has_the_critic_of_the_options(options):
    assert table_of({"round": 2}, **options).view()["critic"] == "mouse"
    with pytest.raises(PositionError, match="critic: must be one of mouse, got 'cow'"):
        table_of({"critic": "cow"}, **options)


def test_what_a_seat_sees_is_a_position():
    env = table_of(seed=3, players=2)
    other, stream, seen = table_of(players=2), np.random.default_rng(1), set()
    while running(env):
        view = env.seat_view(env.possible_agents[1])
        if view["phase"] not in seen or (
            view["turn"] == "player_0" and view["phase"] in ("challenges", "critic")
        ):
            seen.add(view["phase"])
            other.reset(seed=1, options={"position": view})
            assert other.view()["turn"] == view["turn"]
        env.step(int(stream.choice(legal(env))))
    assert {"planning", "shopping", "challenges", "critic"} <= seen


OLD = {
    "phase": "challenges",
    "round": 3,
    "turn": 1,
    "challenges": ["ultimate_melt", "wine_and_dine", "seafood_supper"],
    "rumours": ["tender", "?", "?"],
    "seats": [
        {"stock": ["bread 6", "fish 6", "cheese 6"], "plan": {}, "meal": [], "pairs": {}, "plates": [
            {"items": ["bread 6", "fish 6", "cheese 6"], "served": True}]},
        {"stock": ["meat 2"], "restaurateur": "jamie_owliver", "private_rumour": "picky", "plates": []},
    ],
    "plate": 2,
    "course": "",
    "winner": -1,
}  # fmt: skip


def test_a_position_in_the_keys_of_the_version_before_is_read():
    with pytest.warns(DeprecationWarning, match=r"\(turn, winner, seats.\*.plan, .*plate, course\)"):
        view = table_of(OLD, players=2, restaurateurs=True).view()
    assert (view["turn"], view["winners"], view["current_plates"]) == ("player_1", [], [0, 2])
    assert view["plates"][0][0] == {"items": ["bread 6", "cheese 6", "fish 6"], "served": True}
    assert (view["rumours"][0], view["private_rumours"]) == ("tender", ["", "picky"])


def test_open_plans_of_those_who_have_planned_are_drawn_and_open_meals_are_not_laid():
    plans = [
        table_of({"turn": "player_1", "plans": ["?", {"mouse": "soup_truck"}]}, seed=k) for k in range(9)
    ]
    assert len({str(env.view()["plans"][0]) for env in plans}) > 5
    for env in plans:
        (first, second, third) = env.view()["plans"]
        assert (len(set(first.values())), second, third) == (3, {"mouse": "soup_truck"}, {})
    kitchen = {"seats": [{"stock": ["bread 2"]}] * 3, "turn": "player_1"}
    view = table_of({"phase": "critic", "round": 7} | kitchen).view()
    assert (view["meals"], view["current_courses"]) == ([[]] * 3, ["", "bread", ""])


def test_all_know_who_has_no_private_rumour():
    owners = [{"restaurateur": name} for name in ("mona_mole", "jamie_owliver", "bruno_beaver")]
    env = table_of({"seats": owners}, restaurateurs=True)
    assert env.seat_view("player_0")["private_rumours"] == ["", None, ""]
    assert env.hidden("player_0")["private_rumours"] == {"player_1": env.view()["private_rumours"][1]}


def test_what_a_seat_knows_of_the_rumours_is_what_they_are():
    seats = [{"rumours": [1]}, {"rumours": [2, 3]}, {}]
    view = table_of({"seats": seats, "known_rumours": ["?", ["?", "picky", "?"], "?"]}).view()
    assert view["rumours"][1] == "picky"
    assert view["known_rumours"][0] == [view["rumours"][0], "?", "?"]


# --- cards of one's own --------------------------------------------------------------------------


def changed(table, **keys):
    """The game's own components with keys of one table changed."""
    return {table: OWN[table] | keys}


def card(table, which, /, **keys):
    """The game's own cards with one of them changed."""
    rows = copy.deepcopy(OWN[table])
    for row in rows:
        if row["name"] == which:
            row.update(keys)
    return {table: rows}


@pytest.mark.parametrize(
    ("components", "text"),
    [
        (changed("ingredients", values=[1, 2, 3, 4, 5, 6]), r"\[ingredients\]: values: must be"),
        (changed("ingredients", copies=[4, 3, 2, 2, 2, 1]), r"\[ingredients\]: total: must be 98"),
        (changed("bag", total=120), r"\[bag\]: total: must be 119"),
        (changed("rounds", count=8), r"\[rounds\]: count: must be 7"),
        (changed("chefs", capacity=[1, 1, 3, 0]), r"\[chefs\]: capacity: must be 1, 2 and 3"),
        (changed("score_track", lap=71), r"\[score_track\]: lap: must be 70"),
        (card("location", "soup_truck", spaces=1), r"\[location\] row 1: spaces: must be 0"),
        (card("location", "water_market", name="sea"), r"\[location\] row 4: name: must be"),
        (card("challenge", "tavern_board", needs=["cheese", "ham"]), r"\[challenge\] row 7: needs"),
        (card("critic", "kangaroo", effect="jumps"), r"\[critic\] row 3: effect: must be one of"),
        (card("critic", "kangaroo", worth=99), r"\[critic\] row 3: worth: must be 0 to 31"),
        (card("critic", "otter", stars=3), r"\[critic\] row 12: stars: unknown key"),
        (card("rumour", "picky", measure="mood"), r"\[rumour\] row 25: measure: must be one of"),
        (card("rumour", "picky", name="tender"), r"\[rumour\] row 25: name: 'tender' stands there twice"),
        (card("sous_chef", "otto", capacity=4), r"\[sous_chef\] row 5: capacity: must be 1 to 3"),
        (card("restaurateur", "mona_mole", soup="much"), r"\[restaurateur\] row 8: soup"),
        ({"challenge": OWN["challenge"][:5]}, r"\[challenge\]: must have at least 6 rows"),
        ({"rumour": OWN["rumour"] * 3}, r"\[rumour\]: must have 1 to 56 rows"),
    ],
)
def test_components_that_do_not_fit_are_refused_by_name(components, text):
    with pytest.raises(ComponentsError, match=text):
        table_of(components=components)


def test_a_critic_that_is_not_in_the_box_is_refused():
    with pytest.raises(ValueError, match="critic must be random or one of mouse, cow, as in the box"):
        table_of(components={"critic": OWN["critic"][:2]}, critic="otter")


def test_fewer_and_renamed_cards_are_a_game():
    critic = {"name": "night_owl", "scope": "both", "effect": "spice_multiplies", "factor": 4}
    components = {
        "critic": [critic],
        "challenge": OWN["challenge"][:6],
        "sous_chef": OWN["sous_chef"][:6],
        "rumour": OWN["rumour"][6:10],
        "ingredients": OWN["ingredients"] | {"copies": [2, 2, 1, 1, 1, 1], "total": 56},
        "bag": OWN["bag"] | {"total": 84},
    }
    for env, _, _, view in walk(5, {"players": 5}, components):
        assert view["critic"] == "night_owl"
        assert tokens_everywhere(view) == all_tokens(env.setup.box, view["round"] == 7)
        raw = env.setup.raw(env.observe("player_1"))
        assert (raw <= env.setup.layout.high).all()
        assert (raw >= env.setup.layout.low).all()


def test_a_cards_numbers_come_from_its_row():
    position = {
        "phase": "critic",
        "round": 7,
        "critic": "tree_shrew",
        "rumours": ["tender", "picky", "sommelier"],
        "turn": "player_1",
        "seats": [{"stock": ["fish 5", "fish spice"]}, {"stock": ["wine 2"]}],
        "meals": [["fish 5 spiced"]],
    }
    env = table_of(position, components=card("critic", "tree_shrew", factor=5), players=2)
    env.step(env.parse_action("wine 2"))
    assert [own["quality"] for own in env.view()["seats"]] == [25, 2]


def most(field, components=None, **options):
    """The greatest value that the observation's space allows in a field."""
    fields = table_of(components=components, **options).setup.layout.fields
    return np.max(next(f.high for f in fields if f.name == field))


@pytest.mark.parametrize(
    ("table", "name"),
    [
        ("challenge", "savory_stack"),
        ("critic", "fox"),
        ("rumour", "nocturnal"),
        ("rumour", "unsophisticated"),
        ("sous_chef", "ming"),
        ("sous_chef", "otto"),
        ("sous_chef", "penny"),
        ("sous_chef", "nutmeg"),
        *[("restaurateur", row["name"]) for row in OWN["restaurateur"]],
    ],
)
def test_a_card_works_alike_in_the_first_row_of_its_table(table, name):
    rows = sorted(OWN[table], key=lambda row: row["name"] != name)
    for scenario in GOLDEN:
        in_play = [
            scenario.table["position"].get(key) for key in ("critic", "challenges", "rumours", "seats")
        ]
        if f"'{name}'" in str(in_play) and "past_sous" not in scenario.table["expect"]:
            options = scenario.table.get("options", {}) | {"components": {table: rows}}
            run_scenario(Scenario(scenario.file, scenario.game, scenario.table | {"options": options}))


TRAITS = {
    ("critic", "mouse"): {"course_limit": (1, 9), "paired_courses": (0, 7), "most_soup_stars": (0, 9)},
    ("critic", "fox"): {"sole_best_stars": (0, 9), "tied_best_stars": (0, 9)},
    ("critic", "kangaroo"): {"worth": (0, 31)},
    ("restaurateur", "bruno_beaver"): {"more_room": (0, 20), "meal_bonus": (0, 20), "marker_places": (0, 5)},
}


def packed(components):
    """The box alone, also one whose stars would not fit into an observation."""
    defaults = {name: option.default for name, option in GAME.options.items()}
    return attributes(pack_box(GAME, defaults, load_components(GAME.home, components)))[0]


def test_numbers_of_cards_have_limits():
    for (table, name), keys in TRAITS.items():
        for end in (0, 1):
            packed(card(table, name, **{key: limits[end] for key, limits in keys.items()}))
        for key, (low, high) in keys.items():
            for wrong in (low - 1, high + 1):
                with pytest.raises(ComponentsError, match=f"{key}: must be {low} to {high}, got {wrong}"):
                    packed(card(table, name, **{key: wrong}))


def test_box_and_names_have_limits():
    tokens = {"ingredients": OWN["ingredients"] | {"copies": [9, 9, 3, 3, 3, 3], "total": 210}}
    tokens |= {"bag": OWN["bag"] | {"total": 238}}
    packed(tokens | card("critic", "cow", name="c" * 24) | changed("spices", round7_extra_allspice=2))
    with pytest.raises(ComponentsError, match="letters"):
        packed(card("critic", "cow", name="c" * 25))
    with pytest.raises(ComponentsError, match=r"\[bag\]: total: at most 240 tokens fit"):
        packed(tokens | changed("spices", round7_extra_allspice=3))


def test_there_is_room_for_twice_the_cards():
    """The observation has an entry for each card of the box: what was trained with others does not fit."""
    twice = {
        table: [row | {"name": f"{row['name']}{n}"[-24:]} for n in ("", "_2") for row in OWN[table]]
        for table in ("challenge", "critic", "rumour", "sous_chef", "restaurateur")
    }
    for env, *_, view in walk(2, {"players": 2, "restaurateurs": True}, twice):  # noqa: B007
        pass
    assert view["phase"] == "over"
    shapes = {field.name: field.shape for field in env.setup.layout.fields}
    assert shapes["critic"] == (24,)
    assert (shapes["rumours"], shapes["seen_challenges"], shapes["restaurateurs"]) == (
        (3, 56),
        (14,),
        (2, 20),
    )
    own = Setup(GAME, {"players": 2, "restaurateurs": True})
    assert env.setup.length == own.length + 7 + 12 + 4 * 28 + 4 * 12 + 2 * 10
    assert env.setup.layout_hash != own.layout_hash


def test_numbers_beyond_a_byte_are_kept_and_an_observation_tells_the_most_that_it_can():
    soup = changed("soup", start_soup=20) | card("sous_chef", "newton", soup=9, owner_soup=9)
    pays = card("rumour", "super_chatty", stars=9, most=20) | changed("score_track", lap_stars=20)
    seats = [{"soup": 150, "stock": ["bread 7", "fish 7", "carrot 7"]}, {}]
    env = table_of(DAY | {"round": 6, "seats": seats}, players=2, components=soup | pays)
    laid = steps(env, "bread 7", "fish 7", *["soup"] * 130)
    seen = env.unwrapped.explain(env.observe("player_0"))
    assert laid["seats"][0]["soup"] == 150
    assert laid["plates"][0][0]["items"].count("soup") == 130
    assert (seen["soup"].tolist(), seen["plate_soup"][0].tolist()) == ([127, 0], [127, 0])
    assert steps(env, "serve")["seats"][0]["soup"] == 20
    assert most("soup", soup) == most("stars", pays | card("critic", "fox", sole_best_stars=9)) == 127


# --- effects with other numbers, on other cards ----------------------------------------------------


def shop(plans, place="garden_top_shop", tokens=(), **position):
    return {
        "phase": "shopping",
        "shop": {"location": place},
        "locations": {place: list(tokens)},
        "plans": plans,
    } | position


def steps(env, *actions):
    for action in actions:
        env.step(env.parse_action(action))
    return env.view()


def test_newton_gives_his_owner_more_by_a_number_of_its_own():
    position = shop([{"mouse": "garden_top_shop"}, {"sous": "garden_top_shop"}], tokens=["bread 2"])
    position["seats"] = [{}, {"sous": "newton"}]
    components = card("sous_chef", "newton", soup=1, owner_soup=3)
    view = table_of(position, components=components, players=2).view()
    assert [own["soup"] for own in view["seats"]] == [1, 4]


def test_otto_serves_the_capacity_of_his_card():
    position = shop([{"sous": "garden_top_shop"}, {"mouse": "garden_top_shop"}], tokens=["bread 2"])
    position["seats"] = [{"sous": "otto"}]
    components = card("sous_chef", "otto", chefs=1)
    view = table_of(position, components=components, players=2).view()
    assert [own["bisque"] for own in view["seats"]] == [0, 1]


def test_saffron_pays_for_ingredients_alone():
    components = card("sous_chef", "saffron", capacity=3, value=2)
    position = shop([{"sous": "soup_truck"}], "soup_truck", ["bread 2", "bread spice"])
    position["seats"] = [{"sous": "saffron"}]
    env = table_of(position, components=components, players=2)
    assert steps(env, "soup", "bread spice")["seats"][0]["stars"] == 0
    assert steps(env, "bread 2")["seats"][0]["stars"] == 1


def test_a_restaurateur_acts_on_reveal_and_where_a_chef_of_the_seat_arrives():
    chefs = {"mouse": "garden_top_shop", "lizard": "desert_vendor", "boar": "chef_academy"}
    plan = {
        "priority": [1, 0],
        "turn": "player_1",
        "locations": {"garden_top_shop": ["bread 2"]},
        "seats": [{"restaurateur": "tilda_tortoise"}],
        "plans": [chefs, {"mouse": "soup_truck", "lizard": "chef_academy"}],
    }
    first = card("restaurateur", "tilda_tortoise", effect="marker_to_front")
    env = table_of(plan, components=first, players=2, restaurateurs=True)
    assert steps(env, "boar midnight_merchant")["priority"] == [0, 1]
    serving = card("restaurateur", "tilda_tortoise", effect="bisque_for_capacity", chefs=1)
    for tables in (serving, {"restaurateur": serving["restaurateur"][::-1]}):
        env = table_of(plan, components=tables, players=2, restaurateurs=True)
        view = steps(env, "boar midnight_merchant")
        assert (view["shop"]["location"], [own["bisque"] for own in view["seats"]]) == ("soup_truck", [0, 0])
        view = steps(env, "soup")
        assert view["shop"]["location"] == "garden_top_shop"
        assert [own["bisque"] for own in view["seats"]] == [1, 0]


def nutmeg(bag, alone=False):
    """Nutmeg's bag and her owner's stock before she goes home, and after it. alone: the bag holds no more."""
    plans, seats = [{"sous": "midnight_merchant"}, {"boar": "chef_academy"}], [{"sous": "nutmeg"}, {}]
    position = shop(
        plans,
        "midnight_merchant",
        seats=seats,
        academy_sous="ming",
        bag=["bread 2", "bread 3", "bread 4", *bag],
    )
    if alone:
        rest = list((all_tokens(Setup(GAME).box, False) - Counter(position["bag"])).elements())
        position["removed"] = [name for name in rest if name in RUMOUR_NAMES]
        seats[1]["stock"] = [name for name in rest if name not in RUMOUR_NAMES]
    env = table_of(position, players=2)
    for action in ("bread 2", "bread 3"):
        before = env.view()["bag"]
        steps(env, action)
    return before, env.view()["bag"], env.view()["seats"][0]["stock"][2:]


def test_nutmeg_takes_the_first_ingredient_and_shuffles_only_if_she_passed_rumours():
    before, after, taken = nutmeg(["meat 6", "fish 2", "wild"])
    assert (taken, after) == (["meat 6"], before[1:])
    before, after, taken = nutmeg(["rumour 1", "meat 6", "fish 2"])
    assert taken == ["meat 6"]
    before.remove("meat 6")
    assert after != before
    assert sorted(after) == sorted(before)
    _, after, taken = nutmeg(["rumour 1", "wild", "meat 6"], alone=True)
    assert (taken, sorted(after)) == (["meat 6"], ["rumour 1", "wild"])
    _, after, taken = nutmeg(["rumour 1", "wild"], alone=True)
    assert (taken, after) == ([], ["rumour 1", "wild"])


def test_the_bag_is_shuffled_after_refrigeration():
    stock = ["bread 2", "bread 3", "bread 4", "carrot 2", "carrot 3", "carrot 4"]
    tokens = sorted((all_tokens(Setup(GAME).box, False) - Counter(stock)).elements())
    position = {"phase": "refrigeration", "round": 3, "bag": tokens, "seats": [{"stock": stock}]}
    bag = steps(table_of(position, players=2), "bread 2")["bag"]
    assert bag != sorted(bag)


def test_the_allspice_of_round_7_adds_to_those_that_the_bag_brings():
    locations = copy.deepcopy(OWN["location"])
    for row in locations[1:3]:
        row["spaces"] = 0
    stock = ["bread 2", *["carrot 2"] * 3, *["carrot 3"] * 3, *["cheese 2"] * 3, "fish 2"]
    rest = all_tokens(Setup(GAME).box, False) - Counter([*stock, "allspice", "allspice"])
    lying = {"soup_truck": [name for name in rest.elements() if name not in RUMOUR_NAMES]}
    removed = [name for name in rest.elements() if name in RUMOUR_NAMES]
    seats = [{"stock": stock}]
    position = {"phase": "refrigeration", "round": 6, "locations": lying, "removed": removed, "seats": seats}
    lists = []
    for number in range(9):
        env = table_of(position, seed=number, components={"location": locations}, players=2)
        lists.append(steps(env, "bread 2")["locations"]["chef_academy"])
    assert ["allspice"] * 3 in lists


def final(meal, components, more=(), **position):
    """Seat 0, which has laid a meal and owns more, after seat 1 has laid a wine."""
    position = {
        "phase": "critic",
        "round": 7,
        "critic": "badger",
        "turn": "player_1",
        "seats": [{"stock": [*meal, *more]}, {"stock": ["wine 2"]}],
        "meals": [meal],
    } | position
    env = table_of(position, components=components, players=2)
    return steps(env, "wine 2")["seats"][0]


def test_tender_needs_both_courses_whatever_one_is_worth():
    rumours = ["tender", "wine_cellar", "sommelier"]
    own = final(["bread 6"], card("critic", "kangaroo", worth=10), critic="kangaroo", rumours=rumours)
    assert own["stars"] == 1 + 2


def test_a_sole_best_of_1_is_no_tie():
    components = card("critic", "kangaroo", worth=1, sole_best_stars=5, tied_best_stars=0)
    own = final(["bread 6"], components, critic="kangaroo", rumours=["tender", "picky", "sommelier"])
    assert own["stars"] == 5 + 1


def test_who_serves_nothing_has_the_lowest_quality_if_the_card_lets_him():
    rumours = ["unsophisticated", "wine_cellar", "sommelier"]
    assert final([], card("rumour", "unsophisticated", number=0), rumours=rumours)["stars"] == 2


def test_paired_ingredients_are_unspiced_and_of_the_type_of_the_card():
    numbers = {"effect": "unspiced_value_counts", "value": 3, "worth": 5}
    components = card("critic", "fruit_bat", paired_type="carrot", **numbers)
    own = final(["bread 7"], components, ["carrot 3"], critic="fruit_bat", pairs=[{"bread": 3}])
    assert own["quality"] == 12


def test_a_course_limit_of_two():
    position = {
        "phase": "critic",
        "round": 7,
        "critic": "cow",
        "seats": [{"stock": ["bread 2", "bread 3", "bread 4"]}],
    }
    env = table_of(position, components=card("critic", "cow", course_limit=2), players=2)
    view = steps(env, "bread 2", "bread 3")
    assert view["phase"] == "over"


def facts_of(**rows):
    facts = np.zeros(scoring.FACTS, np.int64)
    for name, row in rows.items():
        first = getattr(scoring, name)
        facts[first : first + len(row)] = row
    return facts


def test_measures_at_their_ends():
    everything = 2**TYPES - 1
    rising, last, light, spread, odd, different, printed = (
        uncompiled(rule, {})
        for rule in (
            scoring.rising_courses, scoring.last_course_quality, scoring.lightly_spiced_courses,
            scoring.value_spread, scoring.odd_values, scoring.different_values, scoring.printed_values,
        )
    )  # fmt: skip
    served = {"IN_COURSE": [1, 1, 0, 1], "QUALITY": [4, 5, 0, 6]}
    assert rising(facts_of(TOP_VALUE=[0, 5, 0, 6], **served), everything, 0) == 3
    assert rising(facts_of(TOP_VALUE=[6, 5, 0, 6], **served), everything, 0) == 0
    assert last(facts_of(**served), everything, 0) == 6
    assert last(facts_of(), everything, 0) == 0
    assert light(facts_of(SPICED=[1, 1], **served), everything, 2) == 3
    assert light(facts_of(SPICED=[1, 1], **served), everything, 1) == 0
    highest = facts_of(SERVED=[0, 0, 0, 2, 1, *[0] * 26, 1])
    assert [measured(highest, everything, 0) for measured in (spread, odd, different)] == [28, 3, 3]
    faces = facts_of(PRINTED=range(10, 18))
    assert [printed(faces, everything, face) for face in (2, 4, 5, 7)] == [12, 14, 15, 17]


def test_the_types_of_an_effect_do_not_widen_the_range_of_stars():
    assert most("stars", card("critic", "rabbit", types=["wine"])) == most("stars")


def test_ranges_hold_what_cards_of_ones_own_can_bring():
    assert most("taken", card("sous_chef", "clove", capacity=3)) == most("taken") + 2
    assert most("stars", card("sous_chef", "saffron", capacity=3)) >= most("stars") + 2
    vegetarian = card("rumour", "bread_fanatic", courses=["bread", "carrot", "mushroom"])
    assert most("stars", vegetarian) > most("stars")
    generous = card("restaurateur", "mona_mole", effect="soup_for_all", soup=1, owner_soup=0)
    assert most("soup", generous, restaurateurs=True) >= most("soup") + 7 * 4 * 2
    keen = card("restaurateur", "tilda_tortoise", effect="star_for_tied_pick", gain=1)
    assert most("stars", keen, restaurateurs=True) > most("stars", restaurateurs=True)


# --- words and agents ----------------------------------------------------------------------------


def test_every_table_is_at_most_80_columns_wide():
    words = GAME.words
    for env, _, _, view in walk(11, {"players": 5, "restaurateurs": True}):
        for seat in (-1, 0, 4):
            text = words.table(env.setup.box, view, seat)
            assert max(map(len, text.splitlines())) <= 80


def test_nothing_lies_on_a_location_only_where_nothing_does():
    table = table_of({"academy_sous": "ming"}, players=3).table("open")
    assert "  soup_truck: bisque\n" in table
    assert "  midnight_merchant: -\n" in table
    assert "  chef_academy: sous chef ming\n" in table


@pytest.mark.parametrize(("sous", "order"), [("carol", "M0 S1 L2"), ("juniper", "S1 M0 L2")])
def test_a_picture_shows_chefs_in_the_order_of_their_queues(sous, order):
    place = "garden_top_shop"
    position = shop([{"mouse": place}, {"sous": place}, {"lizard": place}], tokens=["bread 2"])
    env = table_of(position | {"seats": [{}, {"sous": sous}]}, players=3)
    signs = [
        (chef_sign(seat, chef), f"{chef[0].upper()}{seat}")
        for seat, chef in ((0, "mouse"), (1, "sous"), (2, "lizard"))
    ]
    drawn = [name for item in env.picture("open").items for sign, name in signs if item.sprite == sign]
    assert drawn == order.split()


def test_names_of_actions():
    assert [ACTION_NAMES[k] for k in (0, 41, 42, 125, 126, 133, 134, 139, 140, 146, 147, 178)] == [
        "bread 2", "wine 7", "bread 2 spiced", "wine 7 allspiced", "bread spice", "allspice", "rumour 1",
        "wild 3", "soup", "next", "mouse soup_truck", "sous chef_academy",
    ]  # fmt: skip


@pytest.mark.skipif(PURE, reason="many games take the compiler")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_greedy_beats_random_and_collects_stars(players):
    setup = Setup(GAME, {"players": players})
    among_random = match(setup, ["greedy"] + ["random"] * (players - 1), 20).agents[0]
    assert among_random.win_share > 0.95
    alone = match(setup, ["greedy"], 20).agents[0].mean_score
    assert 20 < alone < 34


# --- expert --------------------------------------------------------------------------------------


@few
@given(seed=seeds, options=some_options)
def test_the_expert_knows_a_legal_action_in_every_position(seed, options):
    """Along random games, in which it finds plates that it would never have laid."""
    env = table_of(seed=seed, **options)
    experts = {seat: foodenvs.make_agent("expert", env, seat) for seat in env.possible_agents}
    stream = np.random.default_rng(seed)
    while running(env):
        observation, *_, info = env.last()
        assert info["action_mask"][experts[env.agent_selection].act(observation, info)]
        env.step(int(stream.choice(legal(env))))


@pytest.mark.parametrize("options", setups(GAME), ids=str)
def test_experts_play_whole_games_without_a_fault(options):
    players = Setup(GAME, options).players
    result = match(Setup(GAME, options), ["expert"] * (players - 1) + ["greedy"], players)
    assert result.games == players
    assert not any(any(agent.faults.values()) for agent in result.agents)


@pytest.mark.skipif(PURE, reason="many games take the compiler")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("restaurateurs", [False, True])
def test_expert_beats_greedy_by_far(players, restaurateurs):
    setup = Setup(GAME, {"players": players, "restaurateurs": restaurateurs})
    expert = match(setup, ["expert"] + ["greedy"] * (players - 1), size(12, 60) * players, 1).agents[0]
    assert expert.low > 0.6


def acts(agent, env, seat="player_0"):
    """The names of what an agent does in a row, as long as its seat is on turn in this phase."""
    made, phase, names = foodenvs.make_agent(agent, env, seat), env.view()["phase"], []
    while env.agent_selection == seat and env.view()["phase"] == phase:
        observation, *_, info = env.last()
        names.append(env.action_name(made.act(observation, info)))
        env.step(env.parse_action(names[-1]))
    return names


def test_expert_lays_the_best_day_of_the_published_example():
    """21 for 4 stars and 12 for 2 from the same tokens, which greedy misses."""
    stock = ["bread 2", "bread spice", "fish 7", "fish spice", "carrot 6", "carrot 2", "mushroom 3"]
    position = {
        "phase": "challenges",
        "round": 3,
        "challenges": ["ultimate_melt", "wine_and_dine", "tasty_tapas"],
        "seats": [{"stock": stock, "soup": 1, "bisque": 1}, {"soup": 3}],
    }
    stars = {}
    for agent in ("greedy", "expert"):
        env = table_of(position, players=2)
        acts(agent, env)
        stars[agent] = env.view()["seats"][0]["stars"]
    assert stars["expert"] == 6 > stars["greedy"]


@pytest.mark.parametrize("agent", ["greedy", "expert"])
def test_a_meal_that_pays_nothing_is_not_served(agent):
    position = DAY | {"seats": [{"stock": ["bread 2", "fish 2"], "soup": 1}, {"soup": 3}]}
    for critic, pays in (("badger", False), ("capybara", agent == "expert")):
        env = table_of(position | {"critic": critic, "challenges": DAY["challenges"][::-1]}, players=2)
        assert ("serve" in acts(agent, env)) == pays
        assert env.view()["seats"][0]["stars"] == pays


def test_expert_keeps_the_allspice_for_the_course_without_a_spice():
    stock = ["bread 6", "cheese 3", "wine 7", "wine spice", "allspice"]
    position = {
        "phase": "critic",
        "round": 7,
        "critic": "badger",
        "challenges": [],
        "seats": [{"stock": stock}, {"stock": ["bread 2"]}],
    }
    laid = acts("expert", table_of(position, players=2))
    assert laid == ["bread 6 allspiced", "cheese 3", "wine 7 spiced"]


def test_expert_sends_a_chef_where_a_sous_chef_waits_and_takes_it():
    env = table_of({"academy_sous": "truffle"}, players=2)
    assert any(name.endswith("chef_academy") for name in acts("expert", env))


def test_rumours_that_count_as_allspice_have_room_among_what_is_free():
    setup = Setup(GAME, {"critic": "jerboa"})
    states = setup.new_states(1)
    s = attributes(states)[0]
    uncompiled(rules.deal, {})(setup.box, s)
    s.stock[0, ALLSPICE], s.tokens[0] = setup.ranges["stock"][1][0, ALLSPICE], 1
    uncompiled(supply.clear_table, {})(setup.box, s, 0)
    assert s.free[0, ALLSPICE] == setup.ranges["free"][1][0, ALLSPICE]


# --- what came of a step ---------------------------------------------------------------------------


def told(position, *actions, viewer=None, **options):
    """What the last action of some is told as."""
    env = table_of(position, events=True, **{"players": 2} | options)
    steps(env, *actions)
    return env.in_words(env.events(viewer))


CHEFS = {"mouse": "garden_top_shop", "lizard": "desert_vendor", "boar": "chef_academy"}


def test_plans_are_told_when_the_last_seat_has_finished():
    position = {
        "priority": [1, 0],
        "turn": "player_1",
        "locations": {"garden_top_shop": ["bread 2"]},
        "seats": [{"sous": "basil"}],
        "plans": [CHEFS | {"sous": "soup_truck"}, {"mouse": "soup_truck"}],
    }
    first = "lizard chef_academy"
    assert told(position, first, viewer="player_1") == "player_1 sends the lizard to the chef academy"
    assert told(position, first, viewer="player_0") == told(position, first) == "player_1: chose in secret"
    assert told(position, first, "boar midnight_merchant").startswith(
        "player_1: chose in secret; player_0 sends the mouse to the garden top shop, the lizard to the "
        "desert vendor, the boar to the chef academy and the sous chef basil to the soup truck; "
        "player_1 sends the mouse to the soup truck, the lizard to the chef academy "
        "and the boar to the midnight merchant; "
        "player_0 moves to the front of the priority track"
    )


def test_what_came_of_a_pick_is_told():
    lizards = [{"lizard": "garden_top_shop"}, {"lizard": "garden_top_shop", "mouse": "desert_vendor"}]
    where = "with the lizard at the garden top shop"
    rumours = {"rumours": ["tender", "mercurial", "spice_lover"], "priority": [0, 1]}
    goods = shop(lizards, tokens=["bread 2", "bread 2", "meat 4", "wild"], **rumours)
    first = f"player_0 takes bread 2 {where}; was first and moves back to place 2 on the priority track"
    assert told(goods, "bread 2") == first
    wild = f"player_0 takes a wild token for rumour 2 {where}"
    moved = "was first and moves back to place 2 on the priority track"
    assert told(goods, "wild 2") == told(goods, "wild 2", viewer="player_1") == f"{wild}; {moved}"
    assert told(goods, "wild 2", viewer="player_0") == f"{wild}; reads rumour 2: mercurial; {moved}"
    opened = goods | {"seats": [{}, {"rumours": [2]}]}
    assert told(opened, "wild 2").endswith(f"{moved}; rumour 2 lies open: mercurial")
    assert told(goods, "home") == "player_0 sends the lizard home from the garden top shop; gets 1 soup"


def test_who_finds_nothing_at_the_last_location_is_told_too():
    plans = [{"lizard": "chef_academy"}, {"boar": "chef_academy"}]
    goods = shop(plans, "chef_academy", ["bread 7"])
    nothing = "player_1 finds nothing for the boar at the chef academy; gets 1 soup"
    assert nothing in told(goods, "bread 7")


def test_who_finds_nothing_and_what_cards_bring_is_told():
    where = "with the sous chef {} at the garden top shop"
    plans = [{"sous": "garden_top_shop"}, {"boar": "garden_top_shop", "mouse": "desert_vendor"}]
    goods = shop(plans, tokens=["bread 7"], seats=[{"sous": "saffron"}, {}])
    goods["locations"]["desert_vendor"] = ["fish 2"]
    nothing = "player_1 finds nothing for the boar at the garden top shop; gets 1 soup"
    assert (
        told(goods, "bread 7") == f"player_0 takes bread 7 {where.format('saffron')}; gains 1 star; {nothing}"
    )
    goods |= {"seats": [{"sous": "nutmeg"}, {}], "bag": ["meat 6", "bread 2"]}
    taken = f"player_0 takes bread 7 {where.format('nutmeg')}; gets meat 6 from the bag; {nothing}"
    assert told(goods, "bread 7") == taken


def test_a_round_that_begins_is_told():
    stock = ["bread 2", "bread 3", "bread 4", "carrot 2", "carrot 3", "carrot 4"]
    position = {"phase": "refrigeration", "round": 3, "seats": [{"stock": stock}, {}, {}, {}, {}]}
    said = told(position, "bread 2", players=5, viewer="player_1")
    assert said.startswith("player_0 discards bread 2; round 4 begins; the challenge is ")
    places = (
        "the garden top shop",
        "the desert vendor",
        "the water market",
        "the flying grocer",
        "the lantern lane",
    )
    assert [f"{place} gets " in said for place in places] == [True] * 5


def test_meals_are_told_when_all_are_laid():
    stock = ["bread 6", "cheese 5", "fish 6", "fish spice"]
    position = {
        "phase": "challenges",
        "round": 3,
        "critic": "badger",
        "challenges": ["ultimate_melt", "tasty_tapas", "wine_and_dine"],
        "seats": [{"stock": stock, "soup": 2}, {}],
    }
    laid = "bread 6", "fish 6 spiced", "soup"
    assert told(position, *laid, viewer="player_0") == "player_0 lays soup for ultimate melt"
    assert told(position, *laid) == "player_0: chose in secret"
    served = "serves bread 6, fish 6, fish spice and 1 soup and gains 3 stars; player_1 serves no challenge"
    own, others = told(position, *laid, "serve", viewer="player_0"), told(position, *laid, "serve")
    assert own.startswith(f"player_0 closes the meal for ultimate melt; {served}; round 4 begins")
    assert others.startswith(f"player_0: chose in secret; {served}; round 4 begins")


def test_the_end_is_told():
    position = {
        "phase": "critic",
        "round": 7,
        "critic": "fruit_bat",
        "rumours": ["tender", "mercurial", "picky"],
        "private_rumours": ["odd_tastes", ""],
        "seats": [
            {"stock": ["bread 3", "wine 2"], "restaurateur": "jamie_owliver", "rumours": [1, 2, 3]},
            {"rumours": [1]},
        ],
    }
    assert told(position, "bread 3", "wine 2", viewer="open", restaurateurs=True) == (
        "player_0 pairs wine 2 with the bread course; rumour 2 lies open: mercurial; "
        "rumour 3 lies open: picky; player_0 serves the critic bread 3 and wine 2 with the bread; "
        "player_1 serves the critic nothing; "
        "player_0 shows the private rumour odd tastes; "
        "reaches 5 on the score track and gains 3 stars in all from the critic; "
        "player_1 reaches 0 on the score track and gains 0 stars in all from the critic; "
        "player_0 wins with 3 points"
    )
