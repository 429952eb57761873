"""Catchup & Mousetard beyond the golden cases: invariants, dishes by brute force, boxes, positions, agent."""

import copy
import itertools

import numpy as np
import pytest
from helpers import size
from hypothesis import example, given, settings
from hypothesis import strategies as st

import foodenvs
from foodenvs.agents.base import engine_numbers
from foodenvs.arena import match
from foodenvs.core.components import load_components
from foodenvs.core.position import Position
from foodenvs.core.setup import Setup
from foodenvs.engine import PURE, attributes, below, pick, shuffle, start_stream, uncompiled
from foodenvs.games import GAMES
from foodenvs.games.catchup_mousetard import rules
from foodenvs.games.catchup_mousetard.rules import (
    BUILDING,
    HAND,
    MORE,
    OVER,
    SERVING,
)

GAME = GAMES["catchup_mousetard"]
OWN_COMPONENTS = load_components(GAME.home)
KINDS = OWN = len(OWN_COMPONENTS["card"])  # kinds of cards; an own sauce stands after them
GAMES_PLAYED = 4 if PURE else size(6, 40)
HANDS = 40 if PURE else size(60, 300)
DECISIONS_OF_A_TURN = 33


class Play(Position):
    """A game in play, with actions by number or name."""

    def __init__(self, options=None, components=None):
        super().__init__(Setup(GAME, options, components))
        self.box = self.setup.box

    def deal(self, seed):
        super().deal(seed)
        return self

    def set_up(self, position, number=0):
        self.place(self.drafted(position, number))
        return self

    def act(self, action):
        assert self.play(self.setup.parse_action(action) if isinstance(action, str) else action)

    def legal(self):
        return self.setup.action_names(self.mask)

    def save(self):
        return self.states.tobytes()

    def restore(self, saved):
        self.place(np.frombuffer(saved, self.states.dtype))
        return self

    def greedy(self):
        return self.choice_of("greedy")

    def choice_of(self, agent):
        number = engine_numbers(self.setup)[agent]
        return self.setup.action_name(
            self.setup.engine.decide(number, self.setup.boxes, self.observation, self.mask)
        )


# --- dishes by brute force ---------------------------------------------------------------------


def slots_of(dish, one_extra):
    """The places of a dish: those of its pattern, which must be filled, and those for extras."""
    sauces = {"ketchup", "mustard", "mayonnaise", "barbecue"}
    additional = {"lettuce", "tomato", "onion", "cheese"}
    pattern = [icon for icon, times in dish["need"].items() for _ in range(times)]
    extras = ["potato", *sorted(sauces - set(pattern))]
    free = sorted(additional - set(pattern)) if dish["family"] in ("hamburger", "hot_dog") else []
    return pattern, extras, free, (1 if one_extra else len(free))


def can_be_laid(cards, pattern, extras, free, most_free):
    """Whether cards (icon, double) can be assigned to the slots, all of the pattern filled."""
    if not cards:
        return not pattern
    (icon, double), rest = cards[0], cards[1:]
    if icon in pattern:
        once = list(pattern)
        once.remove(icon)
        if can_be_laid(rest, once, extras, free, most_free):
            return True
        if double and icon in once:
            twice = list(once)
            twice.remove(icon)
            if can_be_laid(rest, twice, extras, free, most_free):
                return True
    if icon in extras and can_be_laid(rest, pattern, [e for e in extras if e != icon], free, most_free):
        return True
    return (
        icon in free
        and most_free > 0
        and can_be_laid(rest, pattern, extras, [e for e in free if e != icon], most_free - 1)
    )


def icons_of(kinds, own_sauce, components=OWN_COMPONENTS):
    rows = components["card"]
    return [(own_sauce, False) if k == OWN else (rows[k]["icon"], rows[k]["double"]) for k in kinds]


def dishes_by_brute_force(hand, own_sauces, own_sauce, one_extra):
    """All (dish, kinds) that some assignment of cards to slots allows."""
    available = sorted(hand) + [OWN] * (own_sauces > 0)
    subsets = {s for n in range(len(available) + 1) for s in itertools.combinations(available, n)}
    return {
        (number, kinds)
        for number, dish in enumerate(OWN_COMPONENTS["dish"])
        for kinds in subsets
        if can_be_laid(icons_of(kinds, own_sauce), *slots_of(dish, one_extra))
    }


def dishes_by_building(play):
    """All (dish, kinds) that sequences of `dish` and `add` can serve; every sequence must get there."""
    found = []
    start = play.save()
    for name in play.legal():
        if name.startswith("dish "):
            play.restore(start)
            play.act(name)
            found += sets_from_here(play)
    play.restore(start)
    assert len(found) == len(set(found)), "two sequences lead to one set of cards"
    return set(found)


def sets_from_here(play):
    here, state = play.save(), play.state
    found = []
    if "serve" in play.legal():
        build = tuple(kind for kind in range(OWN + 1) for _ in range(state.build[kind]))
        found.append((state.dish, build))
    for name in play.legal():
        if name != "serve":
            play.restore(here)
            play.act(name)
            found += sets_from_here(play)
    assert found, "a dish that cannot be finished"
    play.restore(here)
    return found


@st.composite
def hands(draw):
    """Up to seven cards that are in the box, on the way to a dish more often than by chance."""
    rows = OWN_COMPONENTS["card"]
    dish = draw(st.sampled_from(OWN_COMPONENTS["dish"]))
    hand = []
    for icon, times in dish["need"].items():
        of_icon = [k for k, row in enumerate(rows) if row["icon"] == icon]
        hand += draw(st.lists(st.sampled_from(of_icon), min_size=times - 1, max_size=times + 1))
    hand += draw(st.lists(st.integers(0, KINDS - 1), max_size=HAND))
    fit = [k for i, k in enumerate(hand) if hand[:i].count(k) < rows[k]["count"]]
    return fit[:HAND]


def kinds_named(*names):
    all_names = [row["name"] for row in OWN_COMPONENTS["card"]]
    return [all_names.index(name) for name in names]


@settings(max_examples=HANDS, deadline=None)
@given(hands(), st.sampled_from(["catchup", "mousetard"]), st.integers(0, 2), st.booleans())
@example(kinds_named("bun2", "bun2", "bun3", "veal2", "veal2", "double_veal", "potato2"), "catchup", 3, False)
@example(kinds_named("bacon2", "potato1", "potato2", "double_potato", "double_potato"), "honey", 1, True)
@example(kinds_named("bun2", "veal2", "bacon2", "onion", "cheese", "cheese"), "honey", 1, True)
@example(kinds_named("sausage1", "sausage2", "double_sausage", "mustard"), "mousetard", 1, False)
@example(kinds_named("chicken1", "chicken2", "barbecue", "potato1"), "catchup", 1, False)
@example(kinds_named("chicken1", "chicken2", "mixed_chicken", "barbecue", "ketchup"), "catchup", 1, False)
@example(kinds_named("roll2", "chicken2", "barbecue", "lettuce", "tomato"), "honey", 0, True)
@example(kinds_named("roll1", "veal1", "veal2", "mixed_veal", "double_veal", "onion"), "honey", 0, True)
def test_the_dishes_that_can_be_built_are_those_that_an_assignment_allows(hand, who, own_sauces, one):
    play = Play({"players": 2, "extra_ingredients": "one" if one else "each"})
    rows = OWN_COMPONENTS["card"]
    others = "spicy" if who != "spicy" else "honey"
    play.set_up(
        {
            "phase": "serve",
            "characters": [who, others],
            "own_sauces": [own_sauces, 0],
            "hands": [[rows[k]["name"] for k in hand], []],
        }
    )
    own_sauce = "ketchup" if who == "catchup" else "mustard"
    assert dishes_by_building(play) == dishes_by_brute_force(hand, own_sauces, own_sauce, one)


# --- invariants --------------------------------------------------------------------------------


def check_position(play):
    box, s, players = play.box, play.state, play.setup.players
    decks = np.zeros(rules.KINDS, int)
    for deck in range(3):
        for i in range(s.deck_size[deck]):
            decks[s.deck[deck, i]] += 1
        assert not np.array(s.deck)[deck, s.deck_size[deck] :].any()
    held, old = np.array(s.hands), np.array(s.old)
    assert (held.sum(0) + decks + np.array(s.discards) == np.array(box.count)).all()
    assert (old >= 0).all()
    assert (old <= held).all()
    assert held.sum(1).max() <= HAND
    for deck in range(3):
        of_deck = np.array(box.deck) == deck
        assert (np.array(s.backs)[:, deck, 1] == old[:, of_deck].sum(1)).all()
        assert (np.array(s.backs)[:, deck].sum(1) == held[:, of_deck].sum(1)).all()
    if s.turn < 0:
        assert s.phase == OVER
        assert not play.mask.any()
        assert s.done != s.truncated
        return
    assert max(s.scores) < box.target
    assert play.mask.max() == 1
    build = np.array(s.build)
    assert (build[: box.kinds] <= held[s.turn][: box.kinds]).all()
    if s.phase != BUILDING:
        assert not build.any()
        assert s.dish == -1
    if s.phase == MORE:
        assert 1 <= s.drawn <= 2
        assert held[s.turn].sum() < HAND
    else:
        assert s.drawn == 0
    if s.phase in (MORE, SERVING):
        assert s.floor == 0
    done = "done" in play.legal()
    assert done == {MORE: True, SERVING: True, BUILDING: False}.get(s.phase, done)
    assert 1 <= s.round <= box.max_turns
    for seat in range(players):
        check_knowledge(play, seat)


def check_knowledge(play, seat):
    """What the observation says of unseen cards is what the state holds."""
    box, s = play.box, play.state
    seen = play.setup.explain(play.observe(seat))
    others = [p for p in range(play.setup.players) if p != seat]
    old = np.array(s.old)[others].sum(0)[: box.kinds]
    assert seen["unseen_old"].tolist() == old.tolist()
    total = seen["unseen_old"].astype(int) + seen["unseen_new"] + seen["hand"] + seen["discards"]
    assert total.tolist() == np.array(box.count)[: box.kinds].tolist()
    building = s.phase == BUILDING
    assert seen["phase"].argmax() == (SERVING if building and s.turn != seat else s.phase)
    assert seen["build"].any() <= (building and s.turn == seat)
    if building and s.turn != seat:
        assert not seen["dish"].any()
        assert seen["floor"] == 0


def check_action(play, before, action, turn_length):
    """What one action may change."""
    s, name = play.state, play.setup.action_name(action)
    seat = before.turn
    gained = [a - b for a, b in zip(s.scores, before.scores, strict=True)]
    assert all(points == 0 for p, points in enumerate(gained) if p != seat)
    assert (gained[seat] > 0) <= (name == "serve")
    spent = [b - a for a, b in zip(s.own_sauces, before.own_sauces, strict=True)]
    assert all(n == 0 for p, n in enumerate(spent) if p != seat)
    if name == "serve":
        kinds = [kind for kind in range(OWN + 1) for _ in range(before.build[kind])]
        values = [*[row["value"] for row in OWN_COMPONENTS["card"]], OWN_COMPONENTS["own_sauce"]["value"]]
        assert gained[seat] == sum(values[kind] for kind in kinds)
        assert 2 <= gained[seat] <= play.box.best_dish
        assert spent[seat] == before.build[OWN]
        character = OWN_COMPONENTS["character"][s.characters[seat]]
        dish = OWN_COMPONENTS["dish"][before.dish]
        assert can_be_laid(icons_of(kinds, character["sauce"]), *slots_of(dish, bool(play.box.one_extra)))
    else:
        assert spent[seat] == 0
    if name.startswith("draw "):
        deck = ("store", "ingredients", "fridge").index(name.removeprefix("draw "))
        if before.deck_size[deck] == 0:  # CM-20, CM-50
            of_deck = [kind for kind in range(KINDS) if play.box.deck[kind] == deck]
            assert not any(s.discards[kind] for kind in of_deck)
            for p in range(play.setup.players):
                assert [s.old[p, k] for k in of_deck] == [before.hands[p, k] for k in of_deck]
            assert s.backs[seat, deck].tolist()[0] == 1
    assert turn_length <= DECISIONS_OF_A_TURN


@settings(max_examples=GAMES_PLAYED, deadline=None)
@given(
    st.integers(0, 2**40),
    st.integers(2, 4),
    st.sampled_from(["each", "one"]),
    st.sampled_from([(50, 100), (100, 30), (10, 100), (100, 3)]),
)
def test_invariants_hold_in_every_position(number, players, extra, length):
    target, max_turns = length
    play = Play(
        {"players": players, "extra_ingredients": extra, "target": target, "max_turns": max_turns}
    ).deal(number)
    stream = np.zeros(4, np.uint32)
    start_stream(stream, number)
    count = turn_length = 0
    while True:
        check_position(play)
        if play.state.turn < 0:
            break
        action = int(pick(stream, play.mask))
        before = attributes(play.states.view(np.uint8).copy().view(play.states.dtype))[0]
        play.act(action)
        turn_length += 1
        check_action(play, before, action, turn_length)
        if play.state.turn != before.turn:
            turn_length = 0
        count += 1
    assert count <= play.setup.max_decisions
    returns, points = play.returns(), play.scores()
    winners = np.flatnonzero(play.setup.win_share(returns) > 1e-9).tolist()
    assert abs(returns.sum()) < 1e-9
    assert play.view()["winners"] == winners
    if play.state.done:
        assert len(winners) == 1
        assert points[winners[0]] >= target
    else:
        assert play.state.round == max_turns


def test_the_longest_turn_is_as_long_as_the_bound_says():
    setup = Setup(GAME, {"players": 3, "max_turns": 7})
    assert setup.max_decisions == DECISIONS_OF_A_TURN * 3 * 7


def test_the_sizes_of_observations_and_actions():
    setups = {players: Setup(GAME, {"players": players}) for players in (2, 3, 4)}
    assert {players: setup.length for players, setup in setups.items()} == {2: 272, 3: 286, 4: 300}
    assert {setup.actions for setup in setups.values()} == {92}


def test_no_two_dishes_ask_for_the_same_bread_and_meat():
    big = {"bun", "roll", "veal", "sausage", "chicken", "bacon"}
    patterns = [
        frozenset((icon, n) for icon, n in row["need"].items() if icon in big)
        for row in OWN_COMPONENTS["dish"]
    ]
    potato = [row for row in OWN_COMPONENTS["dish"] if row["family"] == "potato"]
    assert len(set(patterns)) == len(patterns)
    assert len(potato) == 2


# --- setting up ----------------------------------------------------------------------------------


def test_chance_deals_every_character_and_every_start_player():
    seen_characters, seen_first = set(), set()
    play = Play({"players": 3})
    for number in range(200):
        view = play.deal(number).view()
        assert len(set(view["characters"])) == 3
        seen_characters.add(tuple(view["characters"]))
        seen_first.add(view["first_player"])
        assert view["turn"] == play.setup.agents[view["first_player"]]
    assert len(seen_characters) == 24
    assert seen_first == {0, 1, 2}


def turn_over(piles):
    """A stand-in for a shuffle that turns the pile over, and keeps what it was."""

    def shuffled(rng, items, n):
        piles.append(items[:n].tolist())
        items[:n] = items[:n][::-1].copy()

    return {shuffle: shuffled}


def cards_of(deck):
    """The kinds of all cards of a deck, in order."""
    rows = OWN_COMPONENTS["card"]
    return [kind for kind, row in enumerate(rows) if row["deck"] == deck for _ in range(row["count"])]


@pytest.mark.parametrize("first", [None, 0, 1])
@pytest.mark.parametrize("characters", [None, ["catchup", "honey", "spicy"], ["spicy", "catchup", "honey"]])
def test_what_is_left_to_chance_at_the_start_and_who_gets_the_cards(first, characters):
    """CM-03, CM-07, CM-09, CM-12: lots and shuffles in their order, and hands from the tops of the decks."""
    piles, asked = [], []

    def last(rng, n):
        asked.append(n)
        return n - 1

    play = Play({"players": 3, "characters": characters, "first_player": first})
    uncompiled(rules.deal, turn_over(piles) | {below: last})(play.box, play.state)
    decks = [cards_of(deck) for deck in rules.DECKS]
    assert asked == ([3] if first is None else [])
    assert piles == ([] if characters else [[0, 1, 2, 3]]) + decks
    view = play.setup.view(play.states)
    assert view["characters"] == (characters or ["honey", "spicy", "mousetard"])
    starts = 2 if first is None else first
    assert (view["first_player"], view["turn"]) == (starts, f"player_{starts}")
    lowest = OWN_COMPONENTS["card"][0]["name"]  # that may be discarded: none has been yet
    assert (view["round"], view["phase"], view["floor"]) == (1, "discard", lowest)
    store, ingredients, fridge = decks
    for place in range(3):
        hand = [*ingredients[3 * place :][:3], store[place], fridge[place]]
        held = np.array(play.state.hands)[(starts + place) % 3]
        assert held.tolist() == np.bincount(hand, minlength=rules.KINDS).tolist()


def test_the_discards_are_shuffled_into_an_empty_deck():
    """CM-20, all of them; cards in hands are no part of it."""
    piles = []
    hands = [["onion"], ["bun2", "bun2", "roll2"]]
    play = Play({"players": 2}).set_up({"hands": hands, "deck_sizes": {"store": 0}})
    uncompiled(rules.apply, turn_over(piles))(play.box, play.state, play.setup.parse_action("draw store"))
    discards = cards_of("store")
    for kind in kinds_named(*hands[1]):
        discards.remove(kind)
    assert piles == [discards]
    assert np.flatnonzero(play.state.hands[0]).tolist() == [discards[0], *kinds_named("onion")]
    assert play.state.deck[0, : play.state.deck_size[0]].tolist() == discards[:0:-1]


def test_equal_seeds_deal_equal_decks_whatever_is_fixed():
    fixed = {"characters": ["honey", "spicy"], "first_player": 1}
    one = Play({"players": 2, **fixed}).deal(5).view()
    other = Play({"players": 2, **fixed, "target": 20}).deal(5).view()
    assert one["decks"] == other["decks"]
    assert one["hands"] == other["hands"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"players": 5}, "players must be 2 to 4, got 5"),
        ({"players": 2, "characters": ["honey"]}, "characters must be 2 names, one per seat, got 1"),
        ({"players": 2, "characters": ["honey", "honey"]}, "characters must be None or a list of different"),
        ({"players": 2, "characters": ["honey", "tom"]}, "names out of catchup, mousetard, spicy, honey"),
        ({"characters": "honey"}, "characters must be None or a list"),
        ({"characters": 3}, "characters must be None or a list"),
        ({"players": 2, "first_player": 3}, "first_player must be None or 0 to 1, got 3"),
        ({"first_player": 4}, "first_player must be None, 0, 1, 2 or 3, got 4"),
        ({"extra_ingredients": "two"}, 'extra_ingredients must be "each" or "one"'),
        ({"draw": "can"}, 'draw must be "must" or "may"'),
        ({"target": 9}, "target must be 10 to 100, got 9"),
        ({"max_turns": 121}, "max_turns must be 1 to 120, got 121"),
    ],
)
def test_bad_options_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        foodenvs.make("catchup_mousetard-v0", **options)


# --- a box of one's own --------------------------------------------------------------------------


def box_with(change):
    tables = copy.deepcopy(OWN_COMPONENTS)
    change(tables)
    return tables


def small_menu(tables):
    tables["dish"] = [
        {"name": "toast", "family": "hamburger", "need": {"bun": 2}},
        {"name": "garden_dog", "family": "hot_dog", "need": {"roll": 1, "potato": 1, "tomato": 1}},
    ]


def double_breads(tables):
    """Doubles and dishes of two breads, which the printed menu does not have."""
    for row in tables["card"]:
        row["double"] = row["double"] or row["name"] in ("bun3", "roll3")
    tables["dish"] = [
        {"name": "toast", "family": "hamburger", "need": {"bun": 2}},
        {"name": "long_dog", "family": "hot_dog", "need": {"roll": 2}},
    ]


@pytest.mark.parametrize(("dish", "bread"), [("toast", "bun3"), ("long_dog", "roll3")])
def test_an_own_sauce_is_the_last_card_of_a_dish(dish, bread):
    play = Play({"players": 2}, box_with(double_breads)).set_up({"phase": "serve", "hands": [[bread], []]})
    for action in (f"dish {dish}", f"add {bread}", "add own"):
        play.act(action)
    assert play.legal() == ["serve"]


def test_one_bread_is_not_two():
    play = Play({"players": 2}, box_with(small_menu)).set_up({"phase": "serve", "hands": [["bun3"], []]})
    assert play.legal() == ["done"]


def twice_as_much(tables):
    """Every card in two kinds, half of them worth more, and two dishes for each."""
    for row in tables["card"]:
        row["count"] = max(1, row["count"] // 2)
    tables["card"] = [
        row | {"name": row["name"] + add, "value": row["value"] + 3 * len(add)}
        for row in tables["card"]
        for add in ("", "_b")
    ]
    tables["dish"] = [row | {"name": row["name"] + add} for row in tables["dish"] for add in ("", "_b")]
    for deck in tables["deck"]:
        deck["count"] = sum(row["count"] for row in tables["card"] if row["deck"] == deck["name"])


def any_sauces(tables):
    tables["dish"] = [
        {"name": "burger", "family": "hamburger", "need": {"bun": 1, "veal": 1, "sauce": 1}},
        {"name": "dip", "family": "sharing", "need": {"chicken": 1, "barbecue": 1, "sauce": 2}},
    ]


def fewer_cards(tables):
    tables["card"] = [row for row in tables["card"] if row["icon"] != "bacon" and row["deck"] != "fridge"]
    tables["card"] += [
        {"name": "trout", "icon": "cheese", "value": 4, "double": False, "deck": "fridge", "count": 5}
    ]
    tables["dish"] = [row for row in tables["dish"] if "bacon" not in row["need"]]
    for deck in tables["deck"]:
        deck["count"] = sum(row["count"] for row in tables["card"] if row["deck"] == deck["name"])


def test_another_menu_is_played_by_its_own_patterns():
    play = Play({"players": 2}, box_with(small_menu)).set_up(
        {"phase": "serve", "hands": [["bun0", "bun3", "roll1", "double_potato", "potato1", "tomato"], []]}
    )
    assert play.legal() == ["dish toast", "dish garden_dog", "done"]
    for action in ("dish garden_dog", "add roll1", "add potato1", "add double_potato", "add tomato", "serve"):
        play.act(action)
    assert play.view()["scores"] == [1 + 1 + 3 + 1, 0]
    assert play.legal() == ["dish toast", "done"]
    with pytest.raises(ValueError, match="unknown action"):
        play.setup.parse_action("dish simple_hamburger")


@pytest.mark.parametrize("change", [small_menu, fewer_cards, twice_as_much, any_sauces])
def test_other_boxes_play_to_the_end_and_come_back_from_views(change):
    play, again = (Play({"players": 3, "max_turns": 10}, box_with(change)) for _ in range(2))
    stream = np.zeros(4, np.uint32)
    start_stream(stream, 1)
    for number in range(1 if PURE else size(1, 3)):
        play.deal(number)
        while play.state.turn >= 0:
            check_position(play)
            assert again.set_up(play.view()).view() == play.view()
            wrong = (play.observation < play.setup.layout.low) | (play.observation > play.setup.layout.high)
            assert not wrong.any()
            play.act(int(pick(stream, play.mask)))
    names = [play.setup.action_name(action) for action in range(play.setup.actions)]
    assert [play.setup.parse_action(name) for name in names] == list(range(play.setup.actions))


def valuable_cards(tables):
    for row in tables["card"]:
        row["value"] = 9


def test_actions_and_observation_follow_the_box():
    setup = Setup(GAME, {"players": 2}, box_with(twice_as_much))
    names = [setup.action_name(action) for action in range(setup.actions)]
    assert (setup.actions, setup.length) == (72 + 3 + 28 + 73 + 2, 272 + 6 * 36 + 14)
    assert [setup.parse_action(name) for name in names] == list(range(setup.actions))
    assert names[71:76] == ["discard cheese_b", "draw store", "draw ingredients", "draw fridge",
                            "dish simple_hamburger"]  # fmt: skip
    assert names[-4:] == ["add cheese_b", "add own", "serve", "done"]
    small = Setup(GAME, {"players": 2}, box_with(small_menu))
    assert small.actions == 92 - 12


def test_points_beyond_what_an_observation_shows_end_the_game():
    """A box of nines: 99 points and a dish of 36."""
    play = Play({"players": 2, "target": 100}, box_with(valuable_cards))
    hand = ["roll1", "chicken1", "potato1", "ketchup"]
    play.set_up({"phase": "serve", "hands": [hand, []], "scores": [99, 0]})
    for action in ("dish chicken_hot_dog", *(f"add {card}" for card in hand), "serve"):
        play.act(action)
    assert play.view()["scores"] == [135, 0]
    assert play.setup.explain(play.observe(1))["scores"].tolist() == [0, 127]
    assert not play.setup.layout.outside(play.observe(1))


@pytest.mark.parametrize(
    ("hand", "own_sauces", "legal"),
    [
        (["bun2", "veal2"], 0, []),
        (["bun2", "veal2", "mayonnaise"], 0, ["burger"]),
        (["bun2", "veal2", "lettuce"], 1, ["burger"]),
        (["chicken2", "barbecue", "mayonnaise"], 0, []),
        (["chicken2", "barbecue", "barbecue", "mayonnaise"], 0, []),
        (["chicken2", "barbecue", "ketchup"], 1, []),
        (["chicken2", "barbecue", "mustard"], 1, ["dip"]),
        (["chicken2", "ketchup", "mustard", "mayonnaise"], 1, []),
    ],
)
def test_a_pattern_may_ask_for_sauces_of_any_kind(hand, own_sauces, legal):
    """CM-27, beside those that it names; own ones are ketchup. However it is made, it gets them."""
    play = Play({"players": 2}, box_with(any_sauces)).set_up(
        {
            "phase": "serve",
            "hands": [hand, []],
            "characters": ["catchup", "honey"],
            "own_sauces": [own_sauces, 0],
        }
    )
    assert play.legal() == [*(f"dish {name}" for name in legal), "done"]
    dishes = box_with(any_sauces)["dish"]
    found = dishes_by_building(play)
    for dish, kinds in found:
        icons = {icon for icon, _ in icons_of(kinds, "ketchup")}
        sauces = icons & {"ketchup", "mustard", "mayonnaise", "barbecue"}
        needed = [icon for icon in dishes[dish]["need"] if icon != "sauce"]
        assert icons >= set(needed)
        assert len(sauces) >= (1, 3)[dish]
    assert {dishes[dish]["name"] for dish, _ in found} == set(legal)
    assert found == dishes_of_any_sauce(hand, own_sauces)


def test_the_menu_in_the_picture_shows_sauces_of_any_kind():
    """CM-27"""
    env = foodenvs.make("catchup_mousetard", players=2, components=box_with(any_sauces))
    env.reset(seed=1)
    labels = {item.label for item in env.picture(None).items}
    assert labels >= {"burger: bun, veal, sauce", "dip: chicken, barbecue, sauce, sauce"}


def dishes_of_any_sauce(hand, own_sauces):
    """The same by brute force: the dishes with named sauces for all ways to name those of any kind."""
    kinds = kinds_named(*hand)
    available = sorted(kinds) + [OWN] * (own_sauces > 0)
    subsets = {s for n in range(len(available) + 1) for s in itertools.combinations(available, n)}
    found = set()
    for number, dish in enumerate(box_with(any_sauces)["dish"]):
        free = {"ketchup", "mustard", "mayonnaise", "barbecue"} - dish["need"].keys()
        for sauces in itertools.combinations(free, dish["need"]["sauce"]):
            need = {icon: n for icon, n in dish["need"].items() if icon != "sauce"} | dict.fromkeys(sauces, 1)
            slots = slots_of(dish | {"need": need}, False)
            found |= {(number, s) for s in subsets if can_be_laid(icons_of(s, "ketchup"), *slots)}
    return found


@pytest.mark.parametrize("agent", ["greedy", "expert"])
def test_agents_make_dishes_with_sauces_of_any_kind(agent):
    result = match(Setup(GAME, {"players": 2, "target": 10}, box_with(any_sauces)), [agent, "random"], 4, 1)
    assert not result.agents[0].faults
    hand = ["bun3", "double_veal", "lettuce", "mayonnaise"]
    play = Play({"players": 2}, box_with(any_sauces)).set_up({"phase": "serve", "hands": [hand, []]})
    assert play.choice_of(agent) == "dish burger"


def test_values_and_own_sauces_come_from_the_box():
    def change(tables):
        tables["own_sauce"]["value"] = 4
        tables["character"][0]["own_sauces"] = 2
        tables["character"][0]["sauce"] = "barbecue"

    play = Play({"players": 2}, box_with(change)).set_up(
        {"phase": "serve", "hands": [["chicken1", "chicken2", "ketchup"], []]}
    )
    assert play.view()["own_sauces"] == [2, 5]
    for action in ("dish chicken_bucket", "add chicken1", "add chicken2", "add own", "serve"):
        play.act(action)
    assert play.view()["scores"] == [1 + 2 + 4, 0]


def broken(table, row, key, value):
    def change(tables):
        place = tables[table] if row is None else tables[table][row]
        if value is None:
            del place[key]
        else:
            place[key] = value

    return change


def too_many_cards(tables):
    tables["card"] += [dict(tables["card"][-1], name=f"cheese{n}", count=0) for n in range(45)]


def too_many_dishes(tables):
    tables["dish"] += [dict(tables["dish"][0], name=f"burger{n}") for n in range(15)]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (broken("card", 0, "icon", "fish"), r"\[card\] row 1: icon: must be one of bun, .*'fish'"),
        (broken("card", 1, "icon", "veal"), r"\[card\] row 3: icon: rows must run by icon"),
        (broken("card", 28, "double", True), r"\[card\] row 29: double: must be false for ketchup"),
        (broken("card", 2, "value", 10), r"\[card\] row 3: value: must be 0 to 9, got 10"),
        (broken("card", 2, "count", None), r"\[card\] row 3: count: is missing"),
        (broken("card", 2, "count", 2), r"\[deck\] row 2: count: 12 .* to 42 cards fit, \[card\] has 43"),
        (broken("card", 2, "deck", "cellar"), r"\[card\] row 3: deck: must be one of store"),
        (broken("card", 2, "name", "bun0"), r"\[card\] row 3: name: 'bun0' is taken"),
        (broken("card", 2, "name", "own"), r"\[card\] row 3: name: 'own' is taken"),
        (broken("card", 2, "name", "a bun"), r"\[card\] row 3: name: must be one word"),
        (broken("card", 2, "name", "b" * 25), r"\[card\] row 3: name: .* at most 24 letters"),
        (too_many_cards, r"\[card\]: must have 1 to 72 rows, got 81"),
        (too_many_dishes, r"\[dish\]: must have 1 to 28 rows, got 29"),
        (
            broken("deck", 0, "count", 19),
            r"\[deck\] row 1: count: must be 20, as many as \[card\] has, got 19",
        ),
        (broken("deck", 0, "name", "cellar"), r"\[deck\] row 1: name: must be one of store, got 'cellar'"),
        (broken("icon", 4, "class", "bread"), r"\[icon\] row 5: class: must be one of meat"),
        (lambda tables: tables["icon"].pop(), r"\[icon\]: must have 15 rows, got 14"),
        (broken("character", 1, "sauce", "onion"), r"\[character\] row 2: sauce: must be one of ketchup"),
        (broken("character", 1, "own_sauces", 8), r"\[character\] row 2: own_sauces: must be 0 to 7"),
        (broken("dish", 3, "family", "soup"), r"\[dish\] row 4: family: must be one of hamburger"),
        (broken("dish", 3, "need", {"veal": 3}), r"\[dish\] row 4: need: veal: must be 0 to 2, got 3"),
        (broken("dish", 3, "need", {"bun": 1, "onion": 2}), r"row 4: need: onion: must be 0 to 1, got 2"),
        (
            broken("dish", 3, "need", {"bun": 1, "ketchup": 1, "sauce": 4}),
            r"need: sauce: must be 0 to 3, got 4",
        ),
        (broken("dish", 3, "need", {"fish": 1}), r"\[dish\] row 4: need: fish: unknown key"),
        (broken("dish", 3, "need", {"ketchup": 1}), r"\[dish\] row 4: need: must hold bread, meat or potato"),
        (broken("own_sauce", None, "value", -1), r"\[own_sauce\]: value: must be 0 to 9"),
    ],
)
def test_a_box_that_cannot_be_played_is_refused_by_name(change, message):
    with pytest.raises(ValueError, match=message):
        Setup(GAME, {}, box_with(change))


# --- positions -----------------------------------------------------------------------------------

SEVEN = ["bun0", "bun2", "bun2", "bun2", "bun2", "bun3", "bun3"]


@pytest.mark.parametrize(
    ("position", "message"),
    [
        ({"plates": 1}, "plates: unknown key; there are game, players"),
        ({"players": 3}, "players: must be 2"),
        ({"hands": [["bun0", "bun0"], []]}, "hands: more cards bun0 than the box holds"),
        ({"hands": [["bun0"], []], "discards": {"store": ["bun0"]}}, "discards: store: more cards bun0"),
        ({"hands": [["bun9"], []]}, "hands: 'bun9' is no card"),
        ({"hands": [["own"], []]}, "hands: 'own' is no card"),
        ({"hands": [[*SEVEN, "onion"], []]}, "hands: player_0 has 8 cards, at most 7"),
        ({"hands": [[]]}, "hands: must have 2 entries"),
        ({"decks": {"fridge": ["bun2"]}}, "decks: fridge: bun2 is a card of store"),
        ({"decks": {"cellar": []}}, "decks: cellar: unknown key"),
        ({"hands": [["bun3"], []], "old": [["bun2"], []]}, "old: more cards bun2 than the hand holds"),
        ({"deck_sizes": {"cellar": 0}}, "deck_sizes: cellar: unknown key"),
        ({"deck_sizes": {"store": 21}}, "deck_sizes: store: must be 0 to 20, got 21"),
        ({"decks": {"store": ["bun0"]}, "deck_sizes": {"store": 0}}, "deck_sizes: store: must be 1 to 20"),
        ({"discards": {"store": []}, "deck_sizes": {"store": 19}}, "deck_sizes: must be {'store': 20, "),
        ({"unseen": {"store": ["bun0"]}}, "unseen: must be {'store': "),
        (
            {"hands": [["bun2"], []], "backs": [{}, {"store": [1, 0]}]},
            "backs: must be .*, as the rest has it",
        ),
        ({"backs": [{"store": [8, 0]}, {}]}, r"backs: store: must be 0 to 7, got 8"),
        ({"backs": [{"store": [4, 4]}, {}]}, "hands: player_0 has 8 cards, at most 7"),
        (
            {"backs": [{"store": [0, 1]}, {}], "old_in_hands": {"store": []}},
            "backs: there are not enough cards left to fill the hands",
        ),
        ({"old_in_hands": {"store": ["bun0", "bun0"]}}, "old_in_hands: store: more cards bun0 than the box"),
        ({"old_in_hands": {"store": ["bun0"]}}, "old_in_hands: must be {'store': \\[\\], "),
        ({"old": [["bun0"], []], "old_in_hands": {"store": []}}, "old_in_hands: must be {'store': .'bun0'"),
        ({"round": 101}, "round: must be 1 to 100, got 101"),
        ({"own_sauces": [6, 0]}, "own_sauces: must be 0 to 5, got 6"),
        ({"scores": [50, 0]}, "scores: only one seat can have reached 50, and only in phase over"),
        ({"phase": "over", "scores": [72, 0]}, "scores: must be 0 to 71, got 72"),
        ({"phase": "over", "scores": [51, 50]}, "scores: only one seat can have reached 50"),
        ({"phase": "over", "scores": [1, 0]}, "phase: cannot be over before 50 points or round 100"),
        ({"phase": "over", "scores": [50, 0], "winners": [1]}, r"winners: must be \[0\], as"),
        ({"phase": "over", "scores": [50, 0], "reason": "max_turns"}, "reason: must be 'target', as"),
        ({"phase": "over", "scores": [50, 0], "turn": "player_0"}, "turn: must be none in phase over, and"),
        ({"phase": "more", "turn": "none"}, "turn: must be none in phase over, and only then"),
        ({"winners": [0]}, r"winners: must be \[\]"),
        ({"reason": "target"}, "reason: must be '', as"),
        ({"turn": "player_2"}, "turn: must be one of none, player_0, player_1"),
        ({"phase": "lunch"}, "phase: must be one of discard, more, serve, over, got 'lunch'"),
        ({"dishes": [{"dish": "mixed_grill"}, {}]}, r"dishes: must be \[\{\}, \{\}\], as the rest has it"),
        (
            {"phase": "serve", "dishes": [{}, {"dish": "mixed_grill"}]},
            r"dishes: must be \[\{\}, \{\}\], as the rest has it",
        ),
        ({"phase": "serve", "dishes": [{"build": ["own"]}, {}]}, "dishes: dish: is missing"),
        (
            {"phase": "serve", "dishes": [{"dish": "pie"}, {}]},
            "dishes: 'dish pie' is not possible; there are done",
        ),
        (
            {"phase": "serve", "dishes": [{"dish": "mixed_grill"}, {}]},
            "dishes: 'dish mixed_grill' is not possible; there are done",
        ),
        (
            {
                "phase": "serve",
                "hands": [["roll1", "chicken1", "chicken2"], []],
                "dishes": [{"dish": "chicken_hot_dog", "build": ["roll1", "chicken1", "chicken2"]}, {}],
            },
            "dishes: 'add chicken2' is not possible",
        ),
        (
            {
                "phase": "serve",
                "hands": [["roll1", "chicken1"], []],
                "dishes": [{"dish": "chicken_hot_dog", "build": ["roll1"], "floor": "roll1"}, {}],
            },
            "dishes: floor: unknown key; there are dish, build",
        ),
        (
            {
                "phase": "serve",
                "hands": [["roll1", "chicken1"], []],
                "dishes": [{"dish": "chicken_hot_dog", "build": ["roll2"]}, {}],
            },
            "dishes: 'add roll2' is not possible; there are add roll1",
        ),
        (
            {
                "phase": "serve",
                "hands": [["roll1", "chicken1"], []],
                "dishes": [{"dish": "chicken_hot_dog", "build": ["fish"]}, {}],
            },
            "dishes: 'add fish' is not possible",
        ),
        ({"phase": "serve", "floor": "bun2"}, "floor: must be 'bun0', as the rest has it, got 'bun2'"),
        ({"floor": "own"}, "floor: must be one of bun0, "),
        ({"drawn": 1}, "drawn: must be 0 to 0, got 1"),
        ({"phase": "more", "drawn": 3, "hands": [["onion"], []]}, "drawn: must be 1 to 2, got 3"),
        ({"phase": "more", "drawn": 1, "hands": [["bun2"], []]}, "drawn: player_0 has fewer cards"),
        (
            {"phase": "more", "drawn": 1, "hands": [[*SEVEN[:6], "onion"], []]},
            "phase: cannot be more with 7 cards in hand",
        ),
        ({"characters": ["honey", "honey"]}, "characters: must be different names"),
    ],
)
def test_a_position_that_no_play_leads_to_is_refused(position, message):
    with pytest.raises(ValueError, match=message):
        Play({"players": 2}).set_up(position)


def test_cards_left_open_are_drawn_from_the_seed():
    position = {"hands": [["?", "onion", "?"], ["?"]], "decks": {"store": ["bun0"]}}
    drawn = set()
    for number in range(30):
        play = Play({"players": 2}).set_up(position, number)
        check_position(play)
        view = play.view()
        assert [len(hand) for hand in view["hands"]] == [3, 1]
        assert "onion" in view["hands"][0]
        assert view["decks"]["store"][0] == "bun0"
        drawn.add(str(view["hands"]))
    assert len(drawn) > 1
    assert Play({"players": 2}).set_up(position, 4).save() == Play({"players": 2}).set_up(position, 4).save()


@pytest.mark.parametrize(
    ("old", "told"),
    [
        ([["tomato"], [], []], [[0, 1, 2], [0, 1, 2], [0, 1, 2], [0, 1, 2]]),
        ([["tomato"], ["onion"], []], [[2], [0, 1, 2], [0, 1, 2], [2]]),
        ([["bun2"], ["tomato"], []], [[0, 1, 2], [0, 1, 2], [0, 1, 2], [0, 1, 2]]),
        ([["bun2", "tomato"], ["onion"], ["veal1"]], [[2], [0, 1, 2], [0, 1, 2], [2]]),
        ([["bun2", "tomato"], ["tomato"], ["veal1"]], [[0, 1, 2], [0, 1, 2], [0, 1, 2], [0, 1, 2]]),
        ([["tomato", "tomato"], [], []], [[0, 1, 2], [0, 1, 2], [0, 1, 2], [0, 1, 2]]),
    ],
)
def test_a_seat_is_told_whose_the_old_cards_are_where_it_can_tell(old, told):
    """By their backs (CM-50); and what it is told is what it can be told, whatever the others hold."""
    play, other = (Play({"players": 3}) for _ in range(2))
    play.set_up({"hands": old, "old": old})
    for seat, seats in zip((-1, 0, 1, 2), told, strict=True):
        seen = play.view(seat)
        assert seen["old"] == [old[p] if p in seats else None for p in range(3)]
        worlds = []
        for number in range(6):
            check_position(other.set_up(seen, number))
            worlds.append(other.view()["old"])
        for p in range(3):
            assert (len({str(world[p]) for world in worlds}) == 1) == (p in seats), (seat, p)


def test_every_card_of_a_deck_is_in_the_discards_old_in_a_hand_or_unseen():
    hands, old = [["bun2", "onion"], ["bun2", "bun2"]], [["bun2"], ["bun2"]]
    seen = Play({"players": 2}).set_up({"hands": hands, "old": old, "deck_sizes": {"fridge": 0}}).view()
    for deck in rules.DECKS:
        told = seen["discards"][deck] + seen["old_in_hands"][deck] + seen["unseen"][deck]
        assert kinds_named(*sorted(told, key=kinds_named)) == cards_of(deck)
    assert seen["old_in_hands"] == {"store": ["bun2", "bun2"], "ingredients": [], "fridge": []}
    assert seen["unseen"]["fridge"] == []
    assert seen["unseen"]["store"].count("bun2") == 2


def test_a_dish_that_another_seat_makes_is_taken_back_in_a_redeal():
    """No other seat can know that one is being made (CM-49)."""
    parts = ("phase", "dish", "floor", "build")
    hand = ["roll1", "chicken1"]
    position = {
        "phase": "serve", "characters": ["catchup", "honey"], "hands": [hand, []], "own_sauces": [1, 0],
        "dishes": [{"dish": "chicken_hot_dog", "build": [*hand, "own"]}, {}],
    }  # fmt: skip
    play, started = Play({"players": 2}).set_up(position), Play({"players": 2}).set_up(position)
    play.setup.engine.redeal(play.setup.boxes, play.states, 0, 1)
    assert all(np.array_equal(play.states[part], started.states[part]) for part in parts)
    play.setup.engine.redeal(play.setup.boxes, play.states, 1, 1)
    started.set_up(position | {"dishes": [{}, {}]})
    assert all(np.array_equal(play.states[part], started.states[part]) for part in parts)


def test_positions_of_the_version_before_are_read_with_a_warning():
    play = Play({"players": 2})
    hands = [["onion"], ["roll1", "chicken1"]]
    before = {
        "players": 2, "to_move": 1, "phase": "build", "floor": "roll1", "dish": "chicken_hot_dog",
        "build": ["roll1"], "winner": [], "hands": hands, "rest_to_discards": ["store", "fridge"],
        "decks": {"store": ["bun0"]},
    }  # fmt: skip
    with pytest.warns(DeprecationWarning, match="to_move, winner, dish, build, phase, rest_to_discards"):
        view = play.set_up(before).view()
    assert (view["turn"], view["phase"], view["floor"], view["hands"]) == ("player_1", "serve", "bun0", hands)
    assert view["dishes"] == [{}, {"dish": "chicken_hot_dog", "build": ["roll1"]}]
    assert view["deck_sizes"] == {"store": 1, "ingredients": 41, "fridge": 0}
    with pytest.warns(DeprecationWarning, match="to_move"):
        view = play.set_up(
            {"to_move": -1, "phase": "over", "dish": "", "build": [], "scores": [1, 51]}
        ).view()
    assert (view["turn"], view["winners"]) == (None, [1])


@pytest.mark.parametrize(
    ("before", "message"),
    [
        ({"phase": "build", "dish": "mixed_grill", "hands": 3}, "position: hands: must be a list"),
        ({"phase": "build", "dish": "mixed_grill"}, "position: dishes: must have 2 entries, got 0"),
        ({"rest_to_discards": ["cellar"], "decks": 3}, "position: decks: must be a table"),
    ],
)
def test_a_position_of_the_version_before_that_cannot_be_is_refused(before, message):
    with pytest.warns(DeprecationWarning, match="older"), pytest.raises(ValueError, match=message):
        Play({"players": 2}).set_up(before)


def test_the_table_is_at_most_80_columns_wide_and_hides_what_a_seat_cannot_see():
    play = Play({"players": 4})
    stream = np.zeros(4, np.uint32)
    play.deal(3)
    while play.state.turn >= 0:
        play.act(int(pick(stream, play.mask)))
        for seat in range(-1, 4):
            text = GAME.words.table(play.box, play.view(seat), seat)
            assert max(map(len, text.split("\n"))) <= 80
            assert ("dish " in text) == (play.state.phase == BUILDING and play.state.turn == seat)
        text = GAME.words.table(play.box, play.view(), -1)
        assert max(map(len, text.split("\n"))) <= 80
        if play.state.round > 3:
            break


# --- the greedy agent ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("position", "action"),
    [
        # Nothing is missing for the Chicken Hot Dog, or the hand is small: three ingredients are best.
        ({"hands": [["roll2", "chicken2", "onion"], []]}, "draw ingredients"),
        ({"hands": [["onion"], []]}, "draw ingredients"),
        # The plan lacks a roll, or a chicken.
        ({"hands": [["chicken2", "lettuce", "tomato"], []]}, "draw store"),
        ({"hands": [["roll2", "lettuce", "tomato"], []]}, "draw fridge"),
        # There is no room for three ingredients, and the second mustard is surplus.
        ({"hands": [["roll2", "chicken2", "mustard", "mustard", "onion"], []]}, "discard mustard"),
        # Full hand without small surplus: the least valuable surplus card; without any, a small card.
        (
            {"hands": [["bun0", "roll2", "chicken2", "ketchup", "mustard", "lettuce", "tomato"], []]},
            "discard bun0",
        ),
        (
            {"hands": [["chicken2", "ketchup", "mustard", "mayonnaise", "barbecue", "onion", "tomato"], []]},
            "discard ketchup",
        ),
        ({"phase": "more", "drawn": 1, "hands": [["onion"], []]}, "draw ingredients"),
        # Served if worth seven points, with a full hand, to win, or near the end; else kept.
        ({"phase": "serve", "hands": [["roll3", "double_chicken"], []]}, "dish chicken_hot_dog"),
        ({"phase": "serve", "hands": [["roll2", "chicken2"], []]}, "done"),
        ({"phase": "serve", "hands": [["roll2", "chicken2"], []], "scores": [45, 0]}, "dish chicken_hot_dog"),
        ({"phase": "serve", "hands": [["roll2", "chicken2"], []], "scores": [0, 42]}, "dish chicken_hot_dog"),
        ({"phase": "serve", "hands": [["roll2", "chicken2"], []], "scores": [0, 41]}, "done"),
        (
            {"phase": "serve", "hands": [["roll1", "chicken1", "potato1", "bun0", "bun2", "bun2"], []]},
            "dish chicken_hot_dog",
        ),
        ({"phase": "serve", "hands": [["onion"], []]}, "done"),
    ],
)
def test_greedy_decides_by_its_rules(position, action):
    assert Play({"players": 2}).set_up(position).greedy() == action


@pytest.mark.parametrize(("extra", "points"), [("each", 3 * 3 + 4), ("one", 3 * 3 + 3)])
def test_greedy_serves_the_fattest_form(extra, points):
    hand = ["roll1", "roll3", "double_chicken", "double_potato", "barbecue", "lettuce", "tomato"]
    play = Play({"players": 2, "extra_ingredients": extra}).set_up({"phase": "serve", "hands": [hand, []]})
    play.act(play.greedy())
    while play.state.phase == BUILDING:
        play.act(play.greedy())
    assert play.view()["scores"] == [points, 0]


def test_greedy_beats_random_players():
    setup = Setup(GAME, {"players": 2})
    result = match(setup, ["greedy", "random"], 6 if PURE else 100, 1)
    assert result.agents[0].win_share > 0.9


def test_greedy_games_end_at_the_target():
    setup = Setup(GAME, {"players": 3})
    result = match(setup, ["greedy"], 3 if PURE else 60, 2)
    assert result.decisions / result.games < setup.max_decisions / 10
    assert result.agents[0].win_share == pytest.approx(1 / 3)


# --- the expert agent ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("position", "action"),
    [
        # Nothing is missing for the Chicken Hot Dog: ingredients that it takes are worth most.
        ({"hands": [["roll2", "chicken2", "onion"], []]}, "draw ingredients"),
        # A double chicken lacks the roll, for which all waits.
        ({"hands": [["double_chicken", "lettuce", "tomato", "onion", "cheese"], []]}, "draw store"),
        # A second and a third lettuce fit no dish that is near, and a full hand draws nothing.
        (
            {"hands": [["roll2", "chicken2", "mustard", "lettuce", "lettuce", "lettuce", "onion"], []]},
            "discard lettuce",
        ),
        # Dishes as greedy makes them.
        ({"phase": "serve", "hands": [["roll3", "double_chicken"], []]}, "dish chicken_hot_dog"),
        ({"phase": "serve", "hands": [["roll2", "chicken2"], []]}, "done"),
    ],
)
def test_expert_draws_and_discards_for_the_worth_of_the_hand(position, action):
    assert Play({"players": 2}).set_up(position).choice_of("expert") == action


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("extra", ["each", "one"])
def test_expert_chooses_legal_actions(players, extra):
    """For itself on seat 0, and wherever the random others stand, their dishes under construction aside."""
    play = Play({"players": players, "extra_ingredients": extra, "max_turns": 1 if PURE else 30})
    stream = np.random.default_rng(players)
    for number in range(1 if PURE else size(3, 20)):
        play.deal(number)
        while play.state.phase != OVER:
            action = int(stream.choice(np.flatnonzero(play.mask)))
            if play.state.turn == 0 or play.state.phase != BUILDING:
                chosen = play.choice_of("expert")
                assert chosen in play.legal()
                action = chosen if play.state.turn == 0 else action
            play.act(action)


@pytest.mark.skipif(PURE, reason="many games take the compiler")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_expert_beats_greedy(players):
    lineup = ["expert"] + ["greedy"] * (players - 1)
    result = match(Setup(GAME, {"players": players}), lineup, size(40, 100) * players, 3)
    assert not result.agents[0].faults
    assert result.agents[0].low > 1.1 / players


# --- events ------------------------------------------------------------------------------------


def told(position, actions, **options):
    """The lines of player_0 and of player_1 after some actions of player_0."""
    env = foodenvs.make("catchup_mousetard", players=2, events=True, **options)
    env.reset(seed=1, options={"position": {"turn": "player_0", **position}})
    lines = []
    for action in actions:
        env.step(env.parse_action(action))
        lines.append([env.in_words(env.events(viewer)).replace("player_0", "0") for viewer in env.agents[:2]])
    return lines


def test_a_dish_is_told_while_it_is_made_to_its_cook_and_then_to_all():
    position = {"phase": "serve", "hands": [["bun2", "veal2"], []]}
    lines = told(position, ["dish simple_hamburger", "add bun2", "add veal2", "add own", "serve", "done"])
    assert lines == [
        ["0 begins simple_hamburger", "0: chose in secret"],
        ["0 adds bun2", "0: chose in secret"],
        ["0 adds veal2", "0: chose in secret"],
        ["0 adds own", "0: chose in secret"],
        [
            "0 finishes simple_hamburger; serves bun2, veal2 and own for 5 points",
            "0 serves bun2, veal2 and own for 5 points",
        ],
        ["0 ends the turn"] * 2,
    ]


def test_the_cards_drawn_are_told_to_who_drew_them_and_the_discards_to_all():
    decks = {"store": [], "ingredients": ["ketchup", "onion"], "fridge": []}
    position = {"phase": "discard", "hands": [["cheese"], []], "decks": decks}
    lines = told(position, ["discard cheese", "draw ingredients", "draw ingredients", "done"])
    assert lines == [
        ["0 discards cheese"] * 2,
        ["0 draws ketchup from the ingredients deck", "0 draws from the ingredients deck"],
        ["0 draws onion from the ingredients deck", "0 draws from the ingredients deck"],
        ["0 draws no more"] * 2,
    ]


def test_the_end_of_the_deck_and_of_the_game_is_told():
    position = {"phase": "discard", "hands": [[], []], "deck_sizes": {"store": 0}, "scores": [9, 4]}
    lines = told(position, ["draw store"])
    assert lines[0][1] == "the discards are the store deck now; 0 draws from the store deck"
    lines = told({"phase": "serve", "scores": [9, 4], "first_player": 1}, ["done"], max_turns=1)
    assert lines == [["0 ends the turn; all turns are over; 0 wins with 9 points"] * 2]
    position = {"phase": "serve", "hands": [["bun2", "veal2"], []], "scores": [46, 4]}
    lines = told(position, ["dish simple_hamburger", "add bun2", "add veal2", "add own", "serve"])
    assert lines[-1][1] == "0 serves bun2, veal2 and own for 5 points; wins with 51 points"
