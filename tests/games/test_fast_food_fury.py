"""Fast Food Fury: the invariants of its rules along random games, positions, components, worked numbers."""

import itertools
import random
import tomllib
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from helpers import size
from hypothesis import given, settings
from hypothesis import strategies as st

import foodenvs
from foodenvs.arena import match
from foodenvs.core.components import ComponentsError
from foodenvs.core.readers import misread, read_fields
from foodenvs.core.setup import Setup
from foodenvs.drawing.svg import markup
from foodenvs.engine import PURE, attributes, below, shuffle, uncompiled
from foodenvs.games import GAMES
from foodenvs.games.fast_food_fury import information, rules, words
from foodenvs.games.fast_food_fury.rules import layout as L
from foodenvs.testing.checks.choices import commitment
from foodenvs.testing.drive import Subject

OWN = tomllib.loads((Path(foodenvs.__file__).parent / "games/fast_food_fury/components.toml").read_text())
CARDS = {row[0]: row for row in OWN["fastfood"]["cards"]}
KINDS = {row[0]: row for row in OWN["kinds"]["rows"]}
SEATINGS = [(seating["players"], name) for name, seating in OWN["teams"].items() if name != "source"]


def kind(card):
    return card.rpartition("-")[0]


def is_joker(card):
    return card.startswith("sauce_")


# --- what fits, worked out from the order's text alone -------------------------------------------


def lines(order):
    """(target, icons' size, accepted kinds, what each adds) of each thing that an order wants."""
    for part in CARDS[order][3].split(", "):
        number, thing = int(part.split()[0]), part.split()[1]
        if thing.startswith("any_"):
            members = {k: row[2] for k, row in KINDS.items() if row[1] == thing.removeprefix("any_")}
            yield number, 1, members
        elif KINDS[thing][1] == "fries":
            members = {k: row[2] for k, row in KINDS.items() if row[1] == "fries"}
            yield number * KINDS[thing][2], KINDS[thing][2], members
        else:
            yield number, 1, {thing: 1}


def fits_and_completes(order, cards):
    """Whether all cards can be of use, and whether all is there: by trying what the jokers stand for."""
    jokers = sum(map(is_joker, cards))
    products = [kind(card) for card in cards if not is_joker(card)]
    wanted = list(lines(order))
    if any(not any(product in members for *_, members in wanted) for product in products):
        return False, False
    have = [sum(members.get(product, 0) for product in products) for *_, members in wanted]
    fits, complete = False, False
    icons = [range(target // size + 1) for target, size, _ in wanted]
    for spread in itertools.product(*icons):
        if sum(spread) == jokers:
            left = [
                target - joker * size - value
                for (target, size, _), joker, value in zip(wanted, spread, have, strict=True)
            ]
            fits |= min(left) >= 0
            complete |= not any(left)
    return fits, complete


def useful(order):
    return [product for *_, members in lines(order) for product in members]


def icons_missing(order, cards):
    """Icons that products leave missing, less the jokers; -1 where a card is of no use."""
    fits, complete = fits_and_completes(order, cards)
    missing = -sum(map(is_joker, cards))
    for target, step, members in lines(order):
        missing -= (sum(members.get(kind(card), 0) for card in cards) - target) // step
    assert complete == (fits and missing == 0)
    return missing if fits else -1


def can_be_spread(orders, on_orders, cards):
    """Whether cards can be spread over both orders so that what is added to an order fits all it has."""
    for slots in itertools.product((0, 1), repeat=len(cards)):
        added = [[card for card, slot in zip(cards, slots, strict=True) if slot == k] for k in (0, 1)]
        if all(
            fits_and_completes(order, [*there, *new])[0]
            for order, there, new in zip(orders, on_orders, added, strict=True)
            if new
        ):
            return True
    return False


def test_the_icons_that_are_left_are_those_of_the_orders_text():
    """Of every order with random cards on it and up to three more."""
    box = Setup(GAMES["fast_food_fury"]).box
    icons_left, fits = uncompiled(rules.orders.icons_left, {}), uncompiled(rules.orders.fits, {})
    number, rng, found = {name: k for k, name in enumerate(KINDS)}, random.Random(3), Counter()
    for card, order in enumerate(CARDS):
        for _ in range(size(5, 40)):
            products = rng.choices(list(KINDS), k=rng.random() < 0.1)
            for target, _, members in lines(order):
                products += rng.choices(list(members), k=rng.randint(0, target))
            rng.shuffle(products)
            jokers = rng.choice([0, 0, 1, 2])
            added = [number[product] for product in products[: rng.randint(0, 3)]]
            on_order = Counter(number[product] for product in products[len(added) :])
            on_order[box.joker] = jokers
            if jokers and not added:
                added = [box.joker]
                on_order[box.joker] -= 1
            cards = np.array([on_order[k] for k in range(box.kinds + 1)])
            expected = icons_missing(
                order, [f"{product}-1" for product in products] + ["sauce_square-1"] * jokers
            )
            more = (*added, L.NONE, L.NONE, L.NONE)[:3]
            assert icons_left(box, box.side[card], cards, *more) == expected, (order, products, jokers)
            assert fits(box, box.side[card], cards, *more) == (expected >= 0 or not added)
            found[min(expected, 1)] += 1
    assert min(found[-1], found[0], found[1]) > 30


def test_claims_are_checked_and_placed_in_landing_order():
    """Six hits of two teams on random cards: which are faulty, who is asked, what lies where."""
    env, rng = foodenvs.make("fast_food_fury", players=6).unwrapped, random.Random(4)
    asked = faulty = 0
    for _ in range(size(30, 400)):
        first = rng.choice(list(CARDS))
        second = rng.choice(
            [card for card in CARDS if set(useful(card)) & set(useful(first)) and card != first]
        )
        orders = [first, second]
        drawn = rng.choices(useful(first) + useful(second), k=10) + rng.choices(list(KINDS), k=2)
        cards = [c for c in {f"{product}-{rng.randint(1, 4)}": None for product in drawn} if c not in orders]
        rng.shuffle(cards)
        placed = {"A": [[], []], "B": [[], []]}
        for card, team, slot in zip(cards[6:], "ABAB", (0, 0, 1, 1), strict=False):
            if fits_and_completes(orders[slot], [card])[0]:
                placed[team][slot].append(card)
        table = cards[:6]
        landing = rng.sample(range(len(table)), len(table))
        claims = [[place, seat] for seat, place in enumerate(landing)]
        rng.shuffle(claims)
        correct, rows = {"A": [], "B": []}, {"A": [], "B": []}
        for place, seat in claims:
            team = "AB"[seat % 2]
            right = can_be_spread(orders, placed[team], [*correct[team], table[place]])
            (correct if right else rows)[team].append(table[place])
        if any(len(rows[team]) > 2 for team in rows):  # the trash can overflows
            continue
        faulty += sum(map(len, rows.values()))
        last_place, last_seat = claims[-1]
        position = {
            "orders": orders,
            "table": table + [""] * (6 - len(table)),
            "placed": placed,
            "claims": claims[:-1],
            "hits_left": [int(seat == last_seat) for seat in range(6)],
        }
        env.reset(seed=1, options={"position": position})
        env.step(env.parse_action(f"hit {last_place}"))
        for place, seat in claims:
            team, card = "AB"[seat % 2], table[place]
            if card not in correct[team]:
                continue
            correct[team].remove(card)
            may = []
            for slot, order in enumerate(orders):
                there = [[*cards, card] if k == slot else cards for k, cards in enumerate(placed[team])]
                if fits_and_completes(order, there[slot])[0] and can_be_spread(orders, there, correct[team]):
                    may.append(slot)
            slot = rng.choice(may)
            if len(may) > 1:
                asked += 1
                assert env.view()["phase"] == "place"
                assert env.agent_selection == f"player_{seat}"
                assert env.view()["claims"][0] == [place, seat]
                env.step(env.parse_action(f"place {slot}"))
            placed[team][slot].append(card)
        view = env.view()
        assert view["round"] == 2
        assert {team: set(cards) for team, cards in view["rows"].items()} == {
            t: set(r) for t, r in rows.items()
        }
        for slot, order in enumerate(orders):
            completed = [team for team in "AB" if fits_and_completes(order, placed[team][slot])[1]]
            assert (view["orders"][slot] != order) == bool(completed)
            for team in "AB":
                left = [] if completed else placed[team][slot]
                assert sorted(view["placed"][team][slot]) == sorted(left)
    assert asked > 15
    assert faulty > 15


# --- invariants along random games ---------------------------------------------------------------


def walk(seed, choices, **options):
    """The environment at the start and after each action; `choices` picks among the legal actions."""
    env = foodenvs.make("fast_food_fury", **options).unwrapped
    env.reset(seed=seed)
    yield env
    step = 0
    while not (env.terminations["player_0"] or env.truncations["player_0"]):
        legal = np.flatnonzero(env.infos[env.agent_selection]["action_mask"])
        assert len(legal) >= 2
        env.step(int(legal[choices[step % len(choices)] % len(legal)]))
        step += 1
        yield env
    assert step <= env.metadata["max_decisions"]


GAME = {
    "seed": st.integers(0, 2**63 - 1),
    "choices": st.lists(st.integers(0, 11), min_size=1, max_size=60),
    "seating": st.sampled_from(SEATINGS),
    "joker_discard": st.booleans(),
}


def options_of(seating, **options):
    return options | {"players": seating[0], "teams": seating[1], "max_rounds": 25}


def everywhere(view):
    lists = [view["order_deck"], view["orders"], view["table"], view["sauces_out"]]
    lists += view["decks"] + view["discards"] + list(view["rows"].values()) + list(view["won"].values())
    lists += [cards for slots in view["placed"].values() for cards in slots]
    return Counter(card for cards in lists for card in cards if card)


def remembered(view):
    """Cards that were seen and lie face down: in decks and, out of the piles, on what teams have won."""
    return set(itertools.chain(*view["deck_known"], *view["from_piles"].values()))


@settings(max_examples=size(3, 12), deadline=None)
@given(**GAME)
def test_every_card_is_in_one_place_and_nothing_gained_is_lost(seed, choices, seating, joker_discard):
    last = None
    for env in walk(seed, choices, **options_of(seating, joker_discard=joker_discard)):
        view = env.view()
        assert everywhere(view) == Counter([*CARDS, *OWN["sauces"]["cards"]])
        box = env.setup.box
        for seat in range(box.players):
            claimed = sum(claimant == seat for _, claimant in view["claims"])
            assert claimed + view["hits_left"][seat] <= box.hits[seat]
        orders = sum(map(bool, view["orders"])) + view["orders_left"]
        won = sum(map(len, view["won"].values()))
        assert won >= box.orders - orders
        assert sum(view["completed"].values()) == won + sum(map(len, view["credit"].values()))
        for team, cards in view["won"].items():
            assert view["completed"][team] <= box.orders
            paid = sum(CARDS[card][2] for card in cards) + sum(view["credit"][team])
            assert view["earned"][team] == paid
        if last:
            assert view["round"] >= last["round"]
            assert view["orders_left"] <= last["orders_left"]
            assert remembered(last) <= everywhere(view).keys() - set(view["order_deck"])
            for team in view["earned"]:
                assert view["earned"][team] >= last["earned"][team]
                assert view["completed"][team] >= last["completed"][team]
        last = view


@settings(max_examples=size(3, 12), deadline=None)
@given(**GAME)
def test_what_lies_on_orders_fits_and_full_trash_cans_had_a_reason(seed, choices, seating, joker_discard):
    start = None
    for env in walk(seed, choices, **options_of(seating, joker_discard=joker_discard)):
        view = env.view()
        for slots in view["placed"].values():
            for order, cards in zip(view["orders"], slots, strict=True):
                assert order or not cards
                if order:
                    fits, complete = fits_and_completes(order, cards)
                    assert fits
                    assert not (complete and view["phase"] == "hit")
        if start is None or view["round"] > start["round"]:
            for team, row in view["rows"].items():
                if start and len(row) >= 3 and row != start["rows"][team]:  # FF-15, FF-16
                    before = [card for cards in start["placed"][team] for card in cards]
                    assert [card for card in before if joker_discard or not is_joker(card)] == []
            start = view


@settings(max_examples=size(3, 12), deadline=None)
@given(pair=st.integers(0, 10**6), **GAME)
def test_the_number_of_a_card_shows_nowhere(pair, seed, choices, seating, joker_discard):
    """Two cards that look the same from their product side change places: nobody sees it (FF-05)."""
    *_, env = itertools.islice(walk(seed, choices, **options_of(seating, joker_discard=joker_discard)), 120)
    view = env.view()
    pinned = set(itertools.chain(*view["won"].values())) | set(view["orders"])
    shown = {*remembered(view), *view["table"], *itertools.chain(*view["discards"], *view["rows"].values())}
    shown |= {card for slots in view["placed"].values() for cards in slots for card in cards}
    free = [card for card in CARDS if card in shown - pinned]
    twins = [
        (a, b) for a, b in itertools.combinations(free, 2) if (kind(a), CARDS[a][1]) == (kind(b), CARDS[b][1])
    ]
    if not twins or view["phase"] == "joker":
        return
    one, other = twins[pair % len(twins)]
    new = {one: other, other: one}

    def renamed(value):
        if isinstance(value, dict):
            return {key: renamed(item) for key, item in value.items()}
        if isinstance(value, list):
            return [renamed(item) for item in value]
        return new.get(value, value)

    changed = foodenvs.make("fast_food_fury", **env.setup.options).unwrapped
    changed.reset(seed=1, options={"position": renamed(view)})
    for agent in env.possible_agents:
        for mine, theirs in zip(env.observe(agent).values(), changed.observe(agent).values(), strict=True):
            assert np.array_equal(mine, theirs)
        assert env.seat_view(agent) == changed.seat_view(agent)


@settings(max_examples=size(3, 12), deadline=None)
@given(number=st.integers(0, 2**62), **GAME)
def test_a_redeal_is_a_possible_position_that_keeps_what_is_known(
    number, seed, choices, seating, joker_discard
):
    *_, env = itertools.islice(walk(seed, choices, **options_of(seating, joker_discard=joker_discard)), 90)
    view = env.view()
    for seat, agent in enumerate(env.possible_agents):
        other = env.determinized(agent, number).view()
        assert everywhere(other) == everywhere(view)
        for key in ("orders", "won", "deck_sizes", "claims", "hits_left", "turn"):
            assert other[key] == view[key]
        assert len(remembered(other)) == len(remembered(view))
        assert other["choices"][seat] == view["choices"][seat]
        again = foodenvs.make("fast_food_fury", **env.setup.options).unwrapped
        again.reset(options={"position": other})  # refuses what cannot be
        assert again.view() == other


def test_choices_of_a_tick_that_are_taken_back_can_be_made_again():
    """What the search does before it guesses them: the same choices lead back to the same position."""
    taken_back, env, rng = 0, foodenvs.make("fast_food_fury", players=5), np.random.default_rng(1)
    for seed in range(4):
        env.reset(seed=seed)
        while env.position.turn >= 0:
            state, before = env.position.state, env.position.states.tobytes()
            chosen = [
                (seat, int(a)) for seat in range(env.position.turn) for a in state.choice[seat] if a != L.NONE
            ]
            information.undo_pending(env.setup.box, state, env.position.turn)
            taken_back += len(chosen)
            for seat, action in chosen:
                assert state.turn == seat
                assert (state.choice[seat] == L.NONE).any()
                rules.apply(env.setup.box, state, action)
            assert env.position.states.tobytes() == before
            env.step(int(rng.choice(np.flatnonzero(env.position.mask))))
    assert taken_back > 20


def misread_by(agent, env):
    return misread(read_fields(env.setup, env.seat_view(agent)), env.explain(env.observe(agent)))


@pytest.mark.parametrize(
    "position",
    [
        {
            "phase": "place",
            "orders": ["mushroom-2", "large_fries-5"],
            "table": ["pineapple_soda-3", "", "pineapple_soda-4", ""],
            "claims": [[2, 1], [0, 2]],
        },
        {"deck_known": [[], ["sauce_circle", "salami/circle"], ["salami/circle", "ice_cream/square"], []]},
        {
            "phase": "discard",
            "orders": ["mushroom-2", "chickenburger-4"],
            "placed": {"B": [["pineapple_soda-1"], ["salami-3"]]},
            "rows": {"B": ["hamburger-2", "salami-1", "hamburger-1"]},
            "overflow": {"B": 1},
        },
    ],
    ids=["cards to be placed", "cards seen in decks", "an overflow"],
)
def test_what_comes_late_in_a_game_reads_from_the_view(position):
    env = foodenvs.make("fast_food_fury").unwrapped
    env.reset(seed=1, options={"position": position})
    for agent in env.possible_agents:
        assert not misread_by(agent, env)


def test_cards_that_look_alike_change_places_in_every_way_equally_often():
    env, n = foodenvs.make("fast_food_fury").unwrapped, 600
    alike = ["hamburger-1", "hamburger-4", "hamburger-7"]  # on a square
    discards = [[card] for card in alike] + [[]]
    env.reset(seed=1, options={"position": {"discards": discards}})
    box, state, found = env.setup.box, env.position.state, Counter()
    for _ in range(n):
        information.exchange_seen_cards(box, state)
        found[tuple(int(state.where[list(CARDS).index(card)]) for card in alike)] += 1
    assert found.keys() == set(itertools.permutations(range(L.PILE, L.PILE + 3)))
    assert max(found.values()) < 1.5 * n / 6


def test_redeals_differ_in_everything_hidden():
    env = foodenvs.make("fast_food_fury").unwrapped
    env.reset(seed=4)
    for _ in range(2):
        env.step(1)
    views = [env.determinized("player_2", number).view() for number in range(12)]
    for key in ("order_deck", "decks", "choices"):
        assert len({str(view[key]) for view in views}) > 1, key
    assert {view["orders"][0] for view in views} == {env.view()["orders"][0]}
    for place in range(4):
        decks = [view["decks"][place] for view in views]
        assert any(card.startswith("sauce") for deck in decks for card in deck)
        numbers = [[list(CARDS).index(card) for card in deck if card in CARDS] for deck in decks]
        assert not any(deck in (sorted(deck), sorted(deck, reverse=True)) for deck in numbers)


@pytest.mark.parametrize(
    ("turn", "choices", "observer", "other", "shares"),
    [
        ("player_2", [["hit 1", "hit 0"], ["wait"]], 1, 0,
         {"wait": 2, "hit 0 wait": 1, "hit 0 hit 1": 1, "hit 1 wait": 1, "hit 1 hit 0": 1}),
        ("player_2", [["hit 1", "hit 0"], ["wait"]], 0, 1, {"wait": 1, "hit 0": 1, "hit 1": 1}),
        ("player_0", [["hit 1"]], 2, 0, {"hit 0": 1, "hit 1": 1}),
    ],
    ids=["both hits", "one hit", "still choosing"],
)  # fmt: skip
def test_others_choose_again_all_that_they_may_equally_often(turn, choices, observer, other, shares):
    """Who is still choosing has hit as many cards as before; the observer and who comes later stay."""
    env, n = foodenvs.make("fast_food_fury", players=5).unwrapped, 300  # player_0 has two hits
    given = choices + [[] for _ in range(5 - len(choices))]
    table = ["pineapple_soda-2", "ice_cream-2", "", "", "", ""]
    env.reset(seed=1, options={"position": {"table": table, "turn": turn, "choices": given}})
    box, state, found = env.setup.box, env.position.state, Counter()
    for _ in range(n):
        information.choose_again(box, state, observer)
        again = [words.views.chosen_by(box, state, seat) for seat in range(5)]
        found[" ".join(again[other])] += 1
        assert [again[seat] for seat in (observer, 3, 4)] == [given[seat] for seat in (observer, 3, 4)]
    assert found.keys() == shares.keys()
    for chosen, share in shares.items():
        assert found[chosen] / n == pytest.approx(share / sum(shares.values()), abs=0.1)


@pytest.mark.parametrize(
    ("phase", "teams", "table", "claims", "turned", "agent"),
    [
        ("joker", "2v2", "sauce_square-1 hamburger-1 hamburger-4", [[1, 0], [2, 1]], {1, 2}, 1),
        ("joker", "2v2", "sauce_square-1 hamburger-1 hamburger-4", [[1, 1]], set(), 1),
        ("hit", "2v2", "sauce_square-1 hamburger-1 hamburger-4 cheeseburger-3", [[1, 0], [2, 1]], set(), 2),
        (
            "joker",
            "2v2v2",
            "hamburger-4 hamburger-1 cheeseburger-3 hamburger-2 hamburger-5 sauce_square-1",
            [[3, 0], [0, 1], [2, 2], [1, 3], [4, 4]],
            {0, 3},
            1,
        ),
        (
            "tie",
            "2v2v2",
            "hamburger-4 hamburger-1 cheeseburger-3 hamburger-2 hamburger-5 sauce_square-1",
            [[3, 0], [0, 1], [2, 2], [1, 3], [4, 4]],
            set(),
            0,
        ),
    ],
    ids=["one card each", "no tie", "not yet", "two of three teams", "to be turned"],
)
def test_a_card_turned_in_a_tie_stays_known_and_what_others_on_the_table_pay(
    phase, teams, table, claims, turned, agent
):
    """What is on the other side was seen, not which card that is (FF-05, FF-29)."""
    hamburgers = [[name, "square", 8 if int(name[-1]) > 3 else 6, CARDS[name][3]] for name in list(CARDS)[:7]]
    box = changed("fastfood", cards=hamburgers + OWN["fastfood"]["cards"][7:])
    env = foodenvs.make(
        "fast_food_fury", players=2 * len(teams.split("v")), teams=teams, components=box
    ).unwrapped
    cards, players, places = table.split(), env.setup.players, env.setup.box.places
    position = {
        "orders": ["mushroom-2", "veggieburger-1"],
        "table": cards + [""] * (places - len(cards)),
        "claims": claims,
        "phase": phase,
    }
    env.reset(seed=1, options={"position": position})
    assert env.agent_selection == f"player_{agent}"
    assert {place for place, order in enumerate(env.view()["turned"]) if order} == turned
    views = [env.determinized("player_3", number).view() for number in range(20)]
    assert all(view["choices"] == [[]] * players for view in views)  # the hits that are left stay so
    products = [place for place, card in enumerate(cards) if not is_joker(card)]
    assert all(view["payments"] == env.view()["payments"] for view in views)
    for place in products:
        pays = env.view()["payments"][place]
        alike = {name for name, _, payment, _ in hamburgers if payment == pays} or {cards[place]}
        alike -= {cards[place] for place in turned}
        assert {view["table"][place] for view in views} == ({cards[place]} if place in turned else alike)


TIE = {
    "orders": ["mushroom-2", "veggieburger-1"],
    "table": ["sauce_square-1", "hamburger-1", "hamburger-4", "cheeseburger-6", "cheeseburger-3", ""],
    "claims": [[1, 0], [2, 1], [3, 2], [4, 3]],
    "phase": "tie",
}


@pytest.mark.parametrize("agent", ["greedy", "expert"])
def test_in_a_tie_the_agents_turn_the_card_with_the_highest_payment_over(agent):
    env = foodenvs.make("fast_food_fury", players=6).unwrapped
    env.reset(options={"position": TIE})
    turned = []
    for _ in range(2):
        player = foodenvs.make_agent(agent, env, env.agent_selection)
        turned.append(env.action_name(player.act(*env.last()[::4])))
        env.step(env.parse_action(turned[-1]))
    assert turned == ["turn 3", "turn 2"]  # 10 rather than 6, 8 rather than 4
    assert env.agent_selection == "player_0"


@pytest.mark.parametrize("agent", ["greedy", "expert"])
def test_for_a_sauce_the_agents_hit_what_pays_most_since_that_decides_a_tie(agent):
    env = foodenvs.make("fast_food_fury").unwrapped
    table = ["sauce_square-1", "hamburger-1", "hamburger-4", "hamburger-2"]
    env.reset(options={"position": {"orders": TIE["orders"], "table": table}})
    player = foodenvs.make_agent(agent, env, "player_0")
    assert env.action_name(player.act(*env.last()[::4])) == "hit 2"  # 8 rather than 6


def test_greedy_gives_up_a_product_before_a_joker():
    env = foodenvs.make("fast_food_fury", joker_discard=True).unwrapped
    position = {
        "orders": ["veggieburger-2", "mushroom-2"],
        "placed": {"A": [["broccoli-1", "sauce_square-1"], []]},
        "rows": {"A": ["hamburger-1", "hamburger-2", "hamburger-3"]},
        "overflow": {"A": 0},
        "phase": "discard",
    }
    env.reset(options={"position": position})
    action = foodenvs.make_agent("greedy", env, "player_0").act(*env.last()[::4])
    assert env.action_name(action) == "discard 0 broccoli"


def test_teams_turn_their_cards_over_in_order():
    env = foodenvs.make("fast_food_fury", players=6).unwrapped
    turned = ["", "", "8: 2 hamburger, 1 large_fries", "", "", ""]
    with pytest.raises(ValueError, match="turned: team A turns a card over first"):
        env.reset(options={"position": TIE | {"turned": turned}})


# --- worked examples that need many games --------------------------------------------------------

OPENED = {"orders": ["mushroom-2", "veggieburger-1"], "table": ["pineapple_soda-2", "ice_cream-2", "", ""]}
SAUCE = {"table": ["sauce_square-1", "hamburger-1", "hamburger-4", "cheeseburger-1"]}  # 1 and 2 on squares


@pytest.mark.parametrize(
    ("reaction", "chosen", "drawn", "totals", "claims"),
    [  # of each seat its weight and the places it hits; of each draw its result and what it is drawn below
        ([3, 1, 2], ([0, 1], [0], [2]), [6, 2, 4, 0], [9, 8, 5, 3], [(0, 1), (2, 2), (1, 0)]),
        ([3, 1, 2], ([0, 1], [0], [2]), [2, 3, 2, 0], [9, 6, 5, 2], [(0, 0), (1, 0), (2, 2)]),
        ([0, 0, 2], ([0], [0], [1]), [0, 1, 0], [2, 2, 1], [(1, 2), (0, 1)]),  # weight 0 last, and equally
        ([1, 0, 0], ([0], [1], []), [0, 0], [1, 1], [(0, 0), (1, 1)]),
        ([1, 1, 1], ([], [], []), [], [], []),
    ],
)
def test_hits_land_in_the_order_of_the_weights(reaction, chosen, drawn, totals, claims):
    env = foodenvs.make("fast_food_fury", players=3, reaction=reaction).unwrapped
    env.reset(options={"position": OPENED | {"table": ["salami-1", "salami-2", "salami-3", "salami-4"]}})
    state, asked, numbers = env.position.state, [], iter(drawn)
    for seat, places in enumerate(chosen):
        state.choice[seat] = [L.HIT_AT + place for place in places] + [L.WAIT] * (2 - len(places))

    def scripted(rng, n):
        asked.append(int(n))
        return next(numbers)

    landed = uncompiled(rules.hitting.land_hits, {below: scripted})(env.setup.box, state)
    assert landed == bool(drawn)
    assert asked == totals
    assert list(zip(state.claim_place, state.claim_seat, strict=True))[: state.claims] == claims
    assert state.hits_left[:3].tolist() == [2 - len(chosen[0]), 1 - len(chosen[1]), 1 - len(chosen[2])]
    assert (state.choice == L.NONE).all()


def turned_over(lengths):
    """In the place of `shuffle`: turns the cards over, and notes how many there were."""

    def shuffle(rng, cards, n):
        lengths.append(int(n))
        cards[:n] = cards[:n][::-1].copy()

    return shuffle


@pytest.mark.parametrize(
    ("players", "teams", "orders", "sauces", "skipped"),
    [(6, "2v2v2", 9, 4, 0), (4, "2v2", 7, 6, 1)],  # the latter with a sauce on every place in round 1
)
def test_a_deal_in_the_order_of_its_draws(players, teams, orders, sauces, skipped):
    """Order cards, then sauces, then the places one by one, the first card on top (FF-03 to FF-06)."""
    setup = Setup(GAMES["fast_food_fury"], {"players": players, "teams": teams})
    lengths, states = [], setup.new_states(1)
    state = attributes(states)[0]
    uncompiled(rules.deal, {shuffle: turned_over(lengths)})(setup.box, state)
    view, cards, names = setup.view(states), list(CARDS)[::-1], list(OWN["sauces"]["cards"])[::-1]
    dealt = names[:sauces][::-1] + cards[orders:][::-1]
    assert lengths == [103, 6, len(dealt)]
    assert view["orders"] + view["order_deck"] == cards[:orders]
    assert view["sauces_out"] == names[sauces:][::-1]
    places = setup.box.places
    flipped = dealt[: places * (skipped + 1)]
    assert view["table"] == flipped[-places:]
    assert view["discards"] == [flipped[place:-places:places] for place in range(places)]
    assert view["decks"] == [dealt[len(flipped) + place :: places] for place in range(places)]
    assert (view["round"], view["tick"], view["phase"], view["turn"]) == (1 + skipped, 1, "hit", "player_0")


def test_decks_are_shuffled_before_they_are_passed():
    env = foodenvs.make("fast_food_fury").unwrapped
    env.reset(options={"position": OPENED | {"deck_sizes": [0, 2, 3, 4]}})
    before, lengths = env.view(), []
    held = [before["decks"][place] + before["discards"][place] for place in range(4)]
    uncompiled(rules.rounds.shuffle_and_pass, {shuffle: turned_over(lengths)})(
        env.setup.box, env.position.state
    )
    in_order = [*CARDS, *OWN["sauces"]["cards"]].index
    assert lengths == list(map(len, held))
    assert env.view()["decks"] == [sorted(held[place - 1], key=in_order) for place in range(4)]


def test_payments_without_a_card_are_kept_in_ascending_order():
    setup, add_credit = Setup(GAMES["fast_food_fury"]), uncompiled(rules.orders.add_credit, {})
    for payments in [*itertools.permutations([1, 13, 2, 2]), range(9, 0, -1)]:
        states = setup.new_states(1)
        state = attributes(states)[0]
        for payment in payments:
            add_credit(state, 1, payment)
        assert state.credit[1].tolist() == sorted(payments) + [0] * (L.ORDERS - len(payments))
        assert (state.earned[1], state.completed[1]) == (sum(payments), len(payments))


def test_an_empty_deck_sends_all_decks_to_the_left():
    env = foodenvs.make("fast_food_fury").unwrapped
    decks = [[], ["hamburger-3"], ["hamburger-4"], ["hamburger-5"]]
    env.reset(
        seed=2,
        options={
            "position": {**OPENED, "decks": decks, "deck_sizes": [0, 4, 4, 4], "seen": decks[1] + decks[3]}
        },
    )
    before = env.view()
    held = [set(before["decks"][p] + before["discards"][p]) - {""} for p in range(4)]
    for place, card in enumerate(before["table"]):  # nobody hits
        held[place] |= {card} - {""}
    for _ in range(4):
        env.step(0)
    after = env.view()
    for place in range(4):
        left = (place + 1) % 4
        assert set(after["decks"][left]) | {after["table"][left]} == held[place]
    assert after["discards"] == [[], [], [], []]
    known = env.seat_view("player_0")["deck_known"]
    assert sum(map(len, known)) == len(remembered(after))


def test_usual_options_and_the_bound_of_decisions():
    usual = {"players": 4, "teams": None, "reaction": None, "max_rounds": 200, "joker_discard": False}
    assert Setup(GAMES["fast_food_fury"]).options == usual
    for rounds in (1, 1000):
        assert Setup(GAMES["fast_food_fury"], {"max_rounds": rounds}).max_decisions == 30 * rounds


def test_orders_read_as_they_are_printed():
    names = words.names.names_of(Setup(GAMES["fast_food_fury"]).box)
    assert names.cards == [*CARDS, *OWN["sauces"]["cards"]]
    assert names.orders == [f"{payment}: {side}" for _, _, payment, side in CARDS.values()]
    assert len(set(names.orders)) == len(CARDS)  # so that an order's text tells the card


def test_open_orders_are_shown_as_rows_of_numbers():
    """There or not, payment, any burger, any pizza, any drink, fries in units, one portion, each kind."""
    env = foodenvs.make("fast_food_fury", raw=True).unwrapped
    env.reset(options={"position": OPENED | {"orders": ["veggieburger-2", "hamburger-2"]}})
    rows = env.explain(env.observe("player_1")["observation"])["orders"].tolist()
    assert rows == [
        [1, 10, 0, 0, 0, 4, 2, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0],
        [1, 5, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0],
    ]
    env.reset(options={"position": OPENED | {"orders": ["", "mushroom-2"], "order_deck": []}})
    rows = env.explain(env.observe("player_1")["observation"])["orders"].tolist()
    assert rows == [[0] * 20, [1, 3, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0]]


def test_the_length_of_an_observation():
    lengths = {
        name: Setup(GAMES["fast_food_fury"], {"players": n, "teams": name}).length for n, name in SEATINGS
    }
    assert lengths == {
        "1v1": 467, "1v2": 481, "2v2": 495, "2v3": 661, "1v2v2": 724, "3v3": 679, "2v2v2": 744,
    }  # fmt: skip


@pytest.mark.parametrize("seating", SEATINGS, ids=[name for _, name in SEATINGS])
def test_greedy_beats_random_teams(seating):
    setup = Setup(GAMES["fast_food_fury"], {"players": seating[0], "teams": seating[1]})
    first = ["greedy" if team == 0 else "random" for team in setup.teams]
    env = foodenvs.make("fast_food_fury", **setup.options)
    won = 0
    for seed in range(3):
        won += foodenvs.play(env, first, seed).returns["player_0"] > 0
    assert won == 3


# One hamburger on the table, of which team A has enough; team B may want it.
SPARE = {
    "orders": ["hamburger-1", "cheeseburger-3"],
    "table": ["hamburger-2", "", "", ""],
    "placed": {"A": [["hamburger-3", "small_fries-1"], []]},
}
WANTED = {"B": [["small_fries-2", "pineapple_soda-1"], []]}
TWO_FAULTS = {"rows": {"A": ["ice_cream-1", "ice_cream-2"]}}


@pytest.mark.parametrize(
    ("change", "action"),
    [
        ({}, "hit 0"),  # a fault costs a third of a product, less than what B gets by the card
        (TWO_FAULTS, "wait"),  # a whole one is more
        (TWO_FAULTS | {"placed": SPARE["placed"] | WANTED}, "hit 0"),  # but B would be paid
        ({"placed": SPARE["placed"] | {"B": [["hamburger-4"], []]}}, "wait"),  # of no use to B either
        ({"table": ["hamburger-2", "salami-1", "", ""]}, "hit 1"),  # of use to both
        (
            {"phase": "discard", "rows": {"A": [f"ice_cream-{k}" for k in (1, 2, 3)]}, "overflow": {"A": 0}}
            | {"placed": {"A": [["hamburger-3", "small_fries-1"], ["salami-1"]]}},
            "discard 1 salami",  # from the lower payment, and far from its end
        ),
        (
            {"orders": ["chickenburger-1", "cheeseburger-3"], "table": ["mushroom-1", "salami-1", "", ""]}
            | {"placed": {"B": [[], ["broccoli-1"]]}},
            "hit 1",  # the end of B's order
        ),
    ],
)
def test_expert_weighs_its_own_gain_the_rivals_and_faults(change, action):
    env = foodenvs.make("fast_food_fury", players=2).unwrapped
    env.reset(options={"position": SPARE | change})
    observation, _, _, _, info = env.last()
    assert env.action_name(foodenvs.make_agent("expert", env, "player_0").act(observation, info)) == action


@pytest.mark.parametrize("seating", SEATINGS, ids=[name for _, name in SEATINGS])
def test_expert_chooses_legal_actions_wherever_it_stands(seating):
    for env in walk(5, [3, 1, 4, 1, 5, 9, 2, 6], **options_of(seating, joker_discard=True)):
        if env.terminations["player_0"] or env.truncations["player_0"]:
            break
        observation, _, _, _, info = env.last()
        made = foodenvs.make_agent("expert", env, env.agent_selection)
        assert info["action_mask"][made.act(observation, info)]


@pytest.mark.skipif(PURE, reason="many games take the compiler")
@pytest.mark.parametrize("seating", SEATINGS, ids=[name for _, name in SEATINGS])
def test_expert_beats_greedy_teams(seating):
    setup = Setup(GAMES["fast_food_fury"], {"players": seating[0], "teams": seating[1]})
    result = match(
        setup, ["expert"] + ["greedy"] * (setup.contenders - 1), size(60, 150) * setup.contenders, 3
    )
    expert, greedy = result.agents[0], result.agents[-1]
    assert not expert.faults
    assert expert.low > 1.05 / setup.contenders
    assert expert.mean_score > greedy.mean_score + 3


def test_a_seat_sees_its_own_choice_in_the_picture_wherever_the_card_lies():
    env = foodenvs.make("fast_food_fury").unwrapped
    env.reset(options={"position": OPENED})
    env.step(env.parse_action("hit 1"))
    marks = {
        viewer: [item for item in env.picture(viewer).items if "chosen" in markup(item.sprite)]
        for viewer in (*env.possible_agents, None)
    }
    (mark,) = marks.pop("player_0")
    (card,) = [item for item in env.picture("player_0").items if "hit 1" in item.actions]
    assert card.x <= mark.x <= card.x + card.sprite.width
    assert not any(marks.values())


def test_the_text_counts_in_the_singular_too():
    env = foodenvs.make("fast_food_fury", render_mode="ansi").unwrapped
    env.reset(options={"position": OPENED | {"deck_sizes": [1, 2, 2, 2], "won": {"A": ["hamburger-1"]}}})
    lines = env.render().split("\n")
    assert [line for line in lines if line.startswith("  A: 6 for 1 order; player_0 (1 hit left)")]
    assert [line for line in lines if line.startswith("  0: 1 card, ")]


def test_text_is_at_most_80_columns_wide():
    env = foodenvs.make("fast_food_fury", players=6, render_mode="ansi").unwrapped
    for number, _ in enumerate(iter_random(env, seed=5)):
        if number % 40 == 0:
            for viewer in (None, "player_3", "open"):
                assert max(map(len, env.render(viewer).split("\n"))) <= 80


def iter_random(env, seed):
    env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    while not (env.terminations["player_0"] or env.truncations["player_0"]):
        env.step(int(rng.choice(np.flatnonzero(env.infos[env.agent_selection]["action_mask"]))))
        yield


# --- options and positions -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"players": 7}, "players must be 2 to 6, got 7"),
        ({"teams": "3v3"}, "teams must be \"2v2\" with 4 players, got '3v3'"),
        ({"players": 5, "teams": "2v2"}, 'teams must be "2v3" or "1v2v2" with 5 players'),
        ({"teams": "4v4"}, "teams must be None, "),
        ({"reaction": [1, 2]}, "reaction must be a list of 4 weights, one for each seat"),
        ({"reaction": [1, 2, 3, 101]}, "reaction must be a list with a whole number from 0 to 100"),
        ({"reaction": [1, 2, 3, True]}, "reaction must be"),
        ({"reaction": 3}, "reaction must be"),
        ({"max_rounds": 0}, "max_rounds must be 1 to 1000, got 0"),
        ({"joker_discard": 1}, "joker_discard must be False or True, got 1"),
    ],
)
def test_wrong_options_are_refused_by_name(options, message):
    with pytest.raises(ValueError, match=message):
        foodenvs.make("fast_food_fury", **options)


@pytest.mark.parametrize(
    ("position", "message"),
    [
        ({"orders": ["mushroom-2"]}, "orders: must have 2 entries, got 1"),
        ({"colour": 1}, "colour: unknown key"),
        ({"orders": ["mushroom-9", ""]}, "orders: 'mushroom-9' is no card"),
        ({"placed": {"A": [[["salami-1"]], []]}}, "placed: \\['salami-1'\\] is no card"),
        ({"placed": {"A": ["salami-1", []]}}, "placed: A: must be a list, got 'salami-1'"),
        ({"orders": ["mushroom-2", "mushroom-2"]}, "orders: no card is left that is mushroom-2"),
        ({"orders": ["sauce_square-1", ""]}, "orders: sauce_square-1 is a sauce"),
        ({"orders": ["mushroom-2", ""], "orders_left": 1}, "orders: a slot is empty only where"),
        ({"orders": ["", ""]}, "phase: without an open order the game is over"),
        ({"table": ["mushroom-2", "", "", ""]}, "table: no card is left that is mushroom-2"),
        ({"table": ["", "", "", ""]}, "phase: nobody has a decision in the phase hit"),
        ({"table": ["ice_cream-1"]}, "table: must have 4 entries, got 1"),
        ({"hits_left": [0, 0, 0, 0]}, "phase: nobody has a decision"),
        ({"hits_left": [3, 0, 0, 0]}, "hits_left: must be 0 to 2, got 3"),
        ({"hits_left": [2, 0, 0, 0]}, "hits_left: seat 0 has 1 besides its claims, got 2"),
        ({"claims": [[0, 0], [1, 0]]}, "claims: seat 0 has 1 hits, got 2"),
        ({"credit": {"A": [1] * 8}}, "credit: a team completes at most 7 orders, got 8"),
        ({"payments": [7, 0, 0, 0]}, "payments: no pineapple_soda-2 pays 7"),
        ({"payments": [0, 0, 0, 4]}, "payments: must be .*, as the rest has it"),
        (
            {"seen": [f"{name}-{k}" for name, *_, n in OWN["kinds"]["rows"] for k in range(1, n + 1)]},
            "seen: leaves too few cards that were not seen",
        ),
        ({"phase": "tie"}, "phase: nobody has a decision in the phase tie"),
        ({"claims": [[2, 0]]}, "claims: \\[2, 0\\] must be a place with an unclaimed product"),
        (
            {"claims": [[0, 0]], "hits_left": [1, 1, 1, 1]},
            "hits_left: seat 0 has 0 besides its claims, got 1",
        ),
        ({"claims": [[0]]}, "claims: must be \\[place, seat\\]"),
        ({"choices": [["hit 3"], [], [], []]}, "choices: seat 0 may choose wait, hit 0, hit 1, got 'hit 3'"),
        ({"choices": [["hit 0", "wait"], [], [], []]}, "choices: seat 0 may choose nothing now, got 'wait'"),
        ({"choices": [[], ["wait"], [], []]}, "choices: seat 1 chooses after seat 0"),
        ({"placed": {"D": [[], []]}}, "placed: D: unknown key"),
        ({"placed": {"A": [[]]}}, "placed: A: must have 2 entries, got 1"),
        ({"placed": {"A": [["hamburger-1"], []]}}, "placed: the cards of team A do not fit order 0"),
        ({"placed": {"B": [[], ["ice_cream-1", "ice_cream-3"]]}}, "placed: team B would have been paid"),
        (SAUCE | {"phase": "joker", "claims": [[3, 1], [1, 0]]}, "claims: that of place 3 is faulty"),
        (SAUCE | {"phase": "discard", "claims": [[3, 1]]}, "claims: that of place 3 is faulty"),
        ({"rows": {"A": ["sauce_square-1"]}}, "rows: sauce_square-1 is a sauce"),
        (
            {"won": {"A": [f"hamburger-{k}" for k in range(1, 8)] + ["salami-1"]}},
            "won: a team completes at most",
        ),
        ({"credit": {"A": [0]}}, "credit: A: must be 1 to 13, got 0"),
        ({"overflow": {"A": 0}}, "overflow: takes the phase discard, and 3 cards in the row of team A"),
        ({"phase": "discard", "overflow": {"A": 1}}, "overflow: must name a seat of team A, got 1"),
        (
            {"phase": "discard", "overflow": {"A": 0}},
            "overflow: takes the phase discard, and 3 cards in the row",
        ),
        ({"phase": "discard"}, "phase: nobody has a decision in the phase discard"),
        ({"phase": "place"}, "phase: nobody has a decision in the phase place"),
        ({"phase": "place", "claims": [[0, 0], [1, 1]]}, "phase: nobody has a decision"),
        ({"phase": "joker"}, "phase: nobody has a decision in the phase joker"),
        ({"phase": "end"}, "phase: after the end nothing lies on the table"),
        ({"phase": "dinner"}, "phase: must be one of hit, discard"),
        ({"sauces_out": ["sauce_square-1"]}, "sauces_out: 6 sauces are in play, so fewer can be left out"),
        ({"sauces_out": ["salami-1"]}, "sauces_out: salami-1 is no sauce"),
        ({"seen": ["mushroom-2"]}, "seen: names a card of the order deck"),
        ({"rows": {"A": ["salami/circle"] * 3}}, "rows: no card is left that is salami/circle"),
        (
            {"rows": {"A": ["salami/star"]}},
            "rows: 'salami/star' is no card; cards are called like hamburger-1",
        ),
        (
            {"turned": ["", "3: 1 margherita, 1 small_fries", "", ""]},
            "turned: 3: .* is none of the cards there",
        ),
        (
            {"won": {"A": []}, "from_piles": {"A": ["salami-1"]}},
            "from_piles: salami-1 is none of the cards there",
        ),
        ({"turn": "player_1", "choices": [[], [], [], []]}, "turn: must be 'player_0', as the rest has it"),
        ({"chosen": 1}, "chosen: must be 0, as the rest has it"),
        ({"unseen": {"salami": 7}}, "unseen: must be .*, as the rest has it"),
        ({"deck_sizes": [1, 1, 1, 1], "discards": [[], [], [], []]}, "deck_sizes: must hold the cards named"),
        ({"orders_left": 9}, "orders_left: must be 0 to 7, got 9"),
        ({"deck_sizes": [90, 0, 0, 12]}, "deck_sizes: must hold the cards named in decks"),
        ({"round": 201}, "round: must be 1 to 200"),
    ],
)
def test_impossible_positions_are_refused_by_key(position, message):
    env = foodenvs.make("fast_food_fury").unwrapped
    env.reset(seed=1)
    before = env.snapshot()
    with pytest.raises(ValueError, match=message):
        env.reset(options={"position": OPENED | position})
    assert env.snapshot() == before


def test_more_sauces_than_are_in_play_are_refused_where_they_lie():
    env = foodenvs.make("fast_food_fury", players=6).unwrapped
    sauces = OWN["sauces"]["cards"]
    with pytest.raises(ValueError, match="discards: 4 sauces are in play, got 5"):
        env.reset(
            options={"position": {"table": [*sauces[:3], "", "", ""], "discards": [sauces[3:5]] + [[]] * 5}}
        )


def test_a_position_may_be_the_end():
    env = foodenvs.make("fast_food_fury").unwrapped
    ended = {"orders": ["", ""], "order_deck": [], "phase": "end", "table": [""] * 4}
    env.reset(options={"position": ended | {"won": {"A": ["hamburger-1"]}}})
    assert env.terminations["player_0"]
    assert list(env.returns().values()) == [1, -1, 1, -1]
    env.reset(options={"position": ended | {"orders": ["mushroom-2", ""]}})
    assert env.truncations["player_0"]


def test_a_position_without_a_table_flips_the_decks():
    env = foodenvs.make("fast_food_fury").unwrapped
    decks = [["hamburger-3"], ["hamburger-4"], ["salami-1"], ["broccoli-1"]]
    env.reset(options={"position": {"orders": OPENED["orders"], "decks": decks}})
    assert env.view()["table"] == ["hamburger-3", "hamburger-4", "salami-1", "broccoli-1"]


# Of salamis with a circle there are two, 1 and 4, of hamburgers with a square three, 1, 4 and 7.
TIED = {
    "orders": ["3: 1 small_fries, 1 pineapple_soda", "veggieburger-1"],
    "table": ["sauce_square", "hamburger/square", "hamburger/square", "salami/circle"],
    "turned": [
        "",
        "11: 1 salami, 2 any_drink, 2 ice_cream",
        "6: 1 hamburger, 1 small_fries, 1 pineapple_soda",
        "",
    ],
    "claims": [[1, 0], [2, 1]],
    "hits_left": [0, 0, 0, 0],
    "phase": "joker",
}


def test_looks_stand_for_cards_that_are_named_nowhere_else():
    env, drawn = foodenvs.make("fast_food_fury").unwrapped, set()
    for seed in range(12):
        elsewhere = {
            "rows": {"A": ["salami-1"]},
            "discards": [["mushroom/triangle", "hamburger/circle"]] + [[]] * 3,
        }
        env.reset(seed=seed, options={"position": TIED | elsewhere})
        view = env.view()
        assert view["orders"] == ["mushroom-2", "veggieburger-1"]
        assert view["table"][1:] == ["hamburger-7", "hamburger-1", "salami-4"]
        assert view["turn"] == "player_0"
        assert view["discards"][0][1] == "mushroom-5"
        drawn.add(view["discards"][0][0])
    assert drawn == {"hamburger-2", "hamburger-5"}


def test_what_was_seen_is_told_by_looks_or_by_numbers():
    env = foodenvs.make("fast_food_fury").unwrapped
    told = {
        "won": {"A": ["hamburger-3", "3: 1 margherita, 1 small_fries"], "B": []},
        "from_piles": {"A": ["margherita-3"]},
        "decks": [["salami-3", "salami-5"], [], [], []],
        "deck_known": [["salami/triangle", "salami/square", "salami/square"], ["sauce_circle"], [], []],
    }
    env.reset(seed=1, options={"position": OPENED | told})
    view = env.view()
    assert view["won"] == {"A": ["hamburger-3", "margherita-3"], "B": []}
    assert view["from_piles"] == {"A": ["margherita-3"], "B": []}
    assert view["deck_known"][0] == ["salami-3", "salami-5", "salami-6"]
    assert view["decks"][0][:2] == ["salami-3", "salami-5"]
    assert view["unseen"]["salami"] == 3
    assert env.seat_view("player_0")["from_piles"]["A"] == ["3: 1 margherita, 1 small_fries"]
    assert env.seat_view("player_0")["deck_known"][1] == ["sauce_circle"]


def test_choices_that_are_open_are_made_up_to_the_seat_to_act():
    env, seen = foodenvs.make("fast_food_fury").unwrapped, set()
    for seed in range(30):
        env.reset(seed=seed, options={"position": OPENED | {"turn": "player_2"}})
        first, second, *others = env.view()["choices"]
        assert {*first, *second} <= {"wait", "hit 0", "hit 1"}
        assert (len(first), len(second), others) == (1, 1, [[], []])
        seen |= {*first}
    assert len(seen) == 3
    env = foodenvs.make("fast_food_fury", players=2).unwrapped
    env.reset(seed=1, options={"position": OPENED | {"turn": "player_1", "chosen": 1}})
    assert env.view()["choices"][1] in (["hit 0"], ["hit 1"])
    assert env.seat_view("player_0")["chosen"] == 1


def test_any_position_may_be_left_open():
    env = foodenvs.make("fast_food_fury").unwrapped
    env.reset(seed=1, options={"position": {}})
    view = env.view()
    assert everywhere(view) == Counter([*CARDS, *OWN["sauces"]["cards"]])
    assert all(view["orders"])
    assert (view["orders_left"], view["turn"]) == (5, "player_0")


def test_a_position_of_the_version_before_reads_with_a_warning():
    env = foodenvs.make("fast_food_fury").unwrapped
    told = {
        "won": {"A": ["margherita-3"]},
        "from_piles": {"A": ["margherita-3"]},
        "seen": ["salami-3", "sauce_circle-1"],
    }
    env.reset(seed=1, options={"position": OPENED | told})
    view = env.view()
    new = {
        "game",
        "players",
        "you",
        "scores",
        "winners",
        "turned",
        "chosen",
        "from_piles",
        "deck_known",
        "unseen",
    }
    old = {key: value for key, value in view.items() if key not in new}
    old |= {"turn": 0, "seen": ["margherita-3", "salami-3", "sauce_circle-1"]}
    with pytest.warns(DeprecationWarning, match=r"older version \(turn\)"):
        env.reset(seed=2, options={"position": old})
    assert env.view() == view


def test_what_is_known_by_its_look_is_not_hidden():
    env = foodenvs.make("fast_food_fury").unwrapped
    env.reset(seed=1)
    assert set(env.hidden("player_1")) == {"order_deck", "decks"}  # no sauce is left out, nobody has chosen
    env.step(env.parse_action("wait"))
    assert env.hidden("player_1")["choices"] == {"player_0": ["wait"]}
    assert "choices" not in env.hidden("player_0")


# --- other cards ---------------------------------------------------------------------------------


def changed(table, **keys):
    return {table: OWN[table] | keys}


def with_card(number, card):
    cards = list(OWN["fastfood"]["cards"])
    cards[number] = card
    return changed("fastfood", cards=cards)


def with_kind(number, row):
    rows = list(OWN["kinds"]["rows"])
    rows[number] = row
    return changed("kinds", rows=rows)


@pytest.mark.parametrize(
    ("components", "message"),
    [
        (
            with_card(0, ["hamburger-1", "square", 6, "1 hamburger, 1 any_burger"]),
            "must fit one thing of the order",
        ),
        (with_card(0, ["hamburger-1", "square", 6, "1 small_fries, 1 large_fries"]), "must fit one thing"),
        (with_card(0, ["hamburger-1", "square", 6, "1 pasta"]), "orders 'pasta', which is no kind"),
        (with_card(0, ["hamburger-1", "square", 6, "0 hamburger"]), "must order 1 to 9 of each thing"),
        (with_card(0, ["hamburger-1", "star", 6, "1 hamburger"]), "square, circle or triangle, got 'star'"),
        (with_card(0, ["hamburger-1", "square", 0, "1 hamburger"]), "must pay 1 to 99, got 0"),
        (with_card(0, ["hamburger-2", "square", 6, "1 hamburger"]), "hamburger-2 is there twice"),
        (with_card(0, ["hamburger-x", "square", 6, "1 hamburger"]), "must end in a number from 1 to 127"),
        (with_card(0, ["pasta-1", "square", 6, "1 hamburger"]), "'pasta-1' must be hamburger, "),
        (with_card(0, ["hamburger-1", "square", 6]), "must be name, pattern, payment and order side"),
        (
            changed("fastfood", cards=OWN["fastfood"]["cards"][:50]),
            "\\[fastfood\\]: cards: must be 103, as \\[counts\\] fastfood_cards says, got 50",
        ),
        (
            with_kind(0, ["hamburger", "burger", 1, 8]),
            "must have 8 cards of hamburger, as \\[kinds\\] rows say, got 7",
        ),
        (with_kind(0, ["hamburger", "soup", 1, 7]), "hamburger must be of burger, pizza, .*got 'soup'"),
        (with_kind(0, ["ham burger", "burger", 1, 7]), "a name has up to 24 letters"),
        (with_kind(0, ["salami", "burger", 1, 7]), "the name salami stands for two things"),
        (with_kind(0, ["joker", "burger", 1, 7]), "the name joker stands for two things"),
        (with_kind(0, ["sauce_square", "burger", 1, 7]), "the name sauce_square stands for two things"),
        (
            changed("kinds", rows=[[f"pasta_{number}", "dessert", 1, 1] for number in range(33)]),
            "must be 1 to 32 kinds, got 33",
        ),
        (changed("families", names=["burger", "pizza"]), "\\[families\\]: names: must be burger"),
        (changed("families", silhouettes={}), "\\[families\\]: silhouettes: must be"),
        (
            changed("sauces", cards=[]),
            "\\[sauces\\]: cards: must be 6, as \\[counts\\] sauce_cards says, got 0",
        ),
        (changed("sauces", patterns=["square"] * 3), "\\[sauces\\]: patterns: must be different"),
        (changed("trash", full_at=0), "\\[trash\\]: full_at: must be 1 to 99, got 0"),
        (
            changed("setup", **{"2v2": {"sauces": 6, "orders": 10, "places": 4}}),
            "\\[setup\\] 2v2: orders: must be 2 to 9, got 10",
        ),
        (
            changed("setup", **{"2v2": {"sauces": 6, "orders": 7, "places": 5}}),
            "\\[setup\\] 2v2: places: must be 1 to 3 for each of 2 teams, got 5",
        ),
        (
            changed("teams", **{"2v2": {"players": 4, "setup": "2v2", "teams": 2, "places": [0, 1, 2, 2]}}),
            "\\[teams\\] 2v2: places: seat 2 would be in two teams",
        ),
        (
            changed("teams", **{"2v2": {"players": 4, "setup": "2v2", "teams": 2, "places": [0, 1, 0, 1]}}),
            "\\[teams\\] 2v2: places: seat 2 must have 1 to 2 places, got 0",
        ),
        (
            changed(
                "teams", **{"2v2": {"players": 4, "setup": "3v3", "teams": 2, "places": [0, 1, 0, 3, 0, 1]}}
            ),
            "\\[teams\\] 2v2: places: seat 0 must have 1 to 2 places, got 3",
        ),
        (
            changed("teams", **{"2v2": {"players": 4, "setup": "2v2", "teams": 4, "places": [0, 1, 2, 3]}}),
            "\\[teams\\] 2v2: teams: must be 2 to 3, got 4",
        ),
        (
            changed("fastfood", cards=[[f"ice_cream-{k}", "square", 2, "2 hamburger"] for k in range(1, 123)])
            | changed("counts", fastfood_cards=122),
            "\\[fastfood\\]: cards: at most 127 fit, sauces included, got 122 and 6",
        ),
    ],
)
def test_cards_that_do_not_fit_are_refused_by_name(components, message):
    with pytest.raises(ComponentsError, match=message):
        foodenvs.make("fast_food_fury", components=components)


def test_totals_may_pass_what_one_byte_holds():
    cards = [[name, pattern, 90, side] for name, pattern, _, side in OWN["fastfood"]["cards"]]
    env = foodenvs.make("fast_food_fury", components=changed("fastfood", cards=cards)).unwrapped
    env.reset(options={"position": OPENED | {"credit": {"A": [90] * 3}}})
    assert env.view()["earned"] == {"A": 270, "B": 0}
    assert env.explain(env.observe("player_0"))["score"].tolist() == [[2, 70, 3], [0, 0, 0]]
    assert not misread_by("player_1", env)


def smallest_box(side):
    """One kind, seven cards and no sauces."""
    cards = [[f"pasta-{k}", "star", k, side] for k in range(1, 8)]
    box = changed("kinds", rows=[["pasta", "dessert", 1, 7]])
    box |= changed("fastfood", cards=cards)
    box |= changed("sauces", patterns=["star", "moon", "sun"], cards=[])
    box |= changed("counts", fastfood_cards=7, sauce_cards=0)
    return box | changed("setup", **{"2v2": {"sauces": 0, "orders": 3, "places": 4}})


def test_decks_are_passed_once_where_several_are_empty():
    env = foodenvs.make("fast_food_fury", components=smallest_box("2 pasta")).unwrapped
    position = {
        "orders": ["pasta-1", "pasta-2"],
        "table": ["pasta-4", "pasta-5", "pasta-6", "pasta-7"],
        "hits_left": [1, 0, 0, 0],
    }
    env.reset(options={"position": position})
    env.step(env.parse_action("hit 0"))
    env.step(env.parse_action("place 0"))  # nothing is left to place 0
    assert env.view()["table"] == ["pasta-7", "", "pasta-5", "pasta-6"]


def test_the_smallest_box_plays():
    """A true game of other cards, with its own names."""
    box = smallest_box("1 pasta")
    env = foodenvs.make("fast_food_fury", components=box).unwrapped
    assert env.action_name(L.DISCARD_AT) == "discard 0 pasta"
    for seed in range(3):
        for _ in iter_random(env, seed):
            assert set(everywhere(env.view())) == {f"pasta-{k}" for k in range(1, 8)}
        again = foodenvs.make("fast_food_fury", components=box).unwrapped
        again.reset(options={"position": env.view()})
        assert again.view() == env.view()
        assert not misread_by("player_1", env)
    standings = match(env.setup, ["greedy", "random"], 8).agents
    assert sum(standing.win_share for standing in standings) == pytest.approx(1)


def test_a_box_of_twice_as_many_kinds_plays():
    kinds = [f"{family}_{k}" for k in range(8) for family in ("burger", "pizza", "drink", "dessert")]
    cards = [
        [f"{kind}-{k}", OWN["sauces"]["patterns"][k % 3], 60 + k, f"1 {kind}, 1 {kinds[n - 1]}"]
        for k in range(1, 4)
        for n, kind in enumerate(kinds)
    ]
    box = changed("kinds", rows=[[kind, kind.partition("_")[0], 1, 3] for kind in kinds])
    box |= changed("fastfood", cards=cards) | changed("counts", fastfood_cards=len(cards))
    env = foodenvs.make("fast_food_fury", components=box, max_rounds=60).unwrapped
    assert env.action_name(env.setup.actions - 1) == "discard 1 dessert_7"
    for _ in iter_random(env, 1):
        pass
    assert max(env.view()["earned"].values()) > 127
    for seat in range(4):
        assert not misread_by(f"player_{seat}", env)


def test_a_tick_is_no_leak_where_the_last_to_choose_follows_one_that_may_choose_twice():
    """player_0 waits, and player_1 ends the tick: what it hits is seen at once, with all that was hit."""
    subject = Subject(foodenvs.make, [{"game": "fast_food_fury", "players": 2, "max_rounds": 1000}])
    actions = [0, 4, 1, 3, 0, 0, 2, 0, 2, 1, 0, 3, 0, 3, 4, 1, 32, 4, 3, 4, 1, 17, 0]
    position = subject.position(subject.configurations[0], 19, actions)
    assert commitment(position, (1, 4), 1) is None


# --- what came of a step ------------------------------------------------------------------------

DEALT = {
    "orders": ["hamburger-1", "ice_cream-1"],
    "order_deck": ["veggieburger-7"],
    "table": ["hamburger-2", "small_fries-1", "salami-1", "lemon_soda-1"],
    "decks": [["ice_cream-2"], ["broccoli-1"], ["mushroom-1"], ["soda_duo-1"]],
    "deck_sizes": [9, 9, 9, 9],
}
LAST_HIT = DEALT | {"hits_left": [0, 0, 0, 1]}
SQUARES = LAST_HIT | {"table": ["sauce_square-1", "hamburger-4", "salami-3", "lemon_soda-1"]}
HITS_TIED = {
    "phase": "tie",
    "orders": DEALT["orders"],
    "table": ["sauce_square-1", "hamburger-4", "salami-3", "lemon_soda-1", "lemon_soda-4", "soda_duo-1"],
    "claims": [[1, 0], [2, 1], [3, 2], [4, 3]],
    "hits_left": [0] * 6,
}
NEARLY = {"A": [["small_fries-2", "pineapple_soda-1"], []], "B": [["small_fries-3", "pineapple_soda-2"], []]}
MIXED = LAST_HIT | {"claims": [[0, 0], [2, 2], [3, 1]]}
BOTH = LAST_HIT | {
    "table": ["hamburger-2", "hamburger-3", "salami-1", "lemon_soda-1"],
    "placed": NEARLY,
    "claims": [[1, 1], [0, 0]],
}
LAST_ORDER = SQUARES | {"orders": ["hamburger-1", ""], "order_deck": [], "claims": [[2, 2]]}
FULL = LAST_HIT | {"rows": {"A": ["salami-2", "salami-3"]}, "claims": [[0, 0], [2, 2]]}
ROUND_2 = "; round 2: ice_cream/triangle, broccoli/circle, mushroom/circle and soda_duo/square"
HIDDEN = "player_3: chose in secret"
TOOK = "team A completes order 0 (1 hamburger, 1 small_fries, 1 pineapple_soda) and is paid 6"
FAULTY = "salami/circle is faulty and goes to the row of team A"


def told_of(position, actions, viewer=None):
    """What a viewer is told of the last of some actions; player_0 is faster than all others."""
    players = len(position["table"])
    env = foodenvs.make("fast_food_fury", players=players, events=True, reaction=[9] + [0] * (players - 1))
    env.reset(seed=1, options={"position": position})
    for action in actions.split(", "):
        env.step(env.parse_action(action))
    return env.in_words(env.events(viewer))


@pytest.mark.parametrize(
    ("position", "actions", "told"),
    [
        (DEALT, "hit 0, wait, hit 0, wait",
         f"{HIDDEN}; player_0 is first on hamburger/circle; player_2 is too late with 1 hit"),
        (DEALT, "hit 0, hit 0, hit 2, hit 1", f"{HIDDEN}; {FAULTY}; hamburger/circle goes on order 0 of "
         f"team A; small_fries/circle goes on order 0 of team B{ROUND_2}"),
        (MIXED, "wait", f"{HIDDEN}; {FAULTY}; hamburger/circle goes on order 0 of team A; "
         f"lemon_soda/square goes on order 1 of team B{ROUND_2}"),
        (DEALT | {"orders": ["ice_cream-1", "pineapple_soda-5"], "claims": [[3, 0]]},
         "wait, wait, wait, place 1", f"player_0 puts lemon_soda/square on order 1{ROUND_2}"),
        (BOTH, "wait", f"{HIDDEN}; {TOOK}; team B completes order 0 as well and is paid 6; "
         f"the new order 0 pays 2 for 1 any_burger, 1 any_pizza{ROUND_2}"),
        (LAST_HIT | {"round": 200}, "wait", f"{HIDDEN}; round 200 was the last; "
         "player_0, player_1, player_2 and player_3 win with 0, 0, 0 and 0 points"),
        # the trash can
        (FULL, "wait", f"{HIDDEN}; {FAULTY}; the trash can of team A stays full: there is nothing to "
         f"discard; hamburger/circle goes on order 0 of team A{ROUND_2}"),
        (FULL | {"placed": {"A": [["small_fries-2"], []]}}, "wait", f"{HIDDEN}; the trash can of team A "
         "overflows; team A discards small_fries from order 0 and empties its row; "
         f"hamburger/circle goes on order 0 of team A{ROUND_2}"),
        (FULL | {"placed": NEARLY}, "wait", f"{HIDDEN}; {FAULTY}; the trash can of team A overflows"),
        (FULL | {"placed": NEARLY}, "wait, discard 0 small_fries", "player_2 discards small_fries from "
         f"order 0 and empties the row; hamburger/circle goes on order 0 of team A{ROUND_2}"),
        # sauces
        (SQUARES, "wait", f"{HIDDEN}; sauce_square is discarded{ROUND_2}"),
        (SQUARES | {"claims": [[1, 1], [2, 2]]}, "wait", f"{HIDDEN}; player_1 turns over "
         "hamburger/square: it pays 8; player_2 turns over salami/square: it pays 10; "
         "takes sauce_square as a joker"),
        (SQUARES | {"claims": [[2, 2]]}, "wait, place 1",
         f"player_2 puts sauce_square on order 1{ROUND_2}"),
        (SQUARES | {"table": ["sauce_square-1", "sauce_circle-1", "hamburger-4", "lemon_soda-1"]}
         | {"claims": [[2, 0]], "placed": NEARLY}, "wait, place 0",
         f"player_0 puts sauce_square on order 0; sauce_circle is discarded; {TOOK}; "
         f"the new order 0 pays 2 for 1 any_burger, 1 any_pizza{ROUND_2}"),
        (LAST_ORDER, "wait", f"{HIDDEN}; sauce_square goes on order 0 of team A as a joker{ROUND_2}"),
        (LAST_ORDER | {"placed": NEARLY}, "wait", f"{HIDDEN}; sauce_square goes on order 0 of team A as a "
         f"joker; {TOOK}; no order is left for slot 0; player_0 and player_2 win with 6 and 6 points"),
        (HITS_TIED, "turn 1", "player_0 turns over hamburger/square: it pays 8"),
        (HITS_TIED, "turn 1, turn 4",
         "player_1 turns over lemon_soda/square: it pays 11; takes sauce_square as a joker"),
    ],
)  # fmt: skip
def test_what_came_of_a_step_is_told_in_a_sentence(position, actions, told):
    assert told_of(position, actions) == told
    after = told.removeprefix(HIDDEN)
    assert told_of(position, actions, "open").endswith(after)


def test_a_hit_is_told_to_others_when_it_lands():
    goes, told = "player_0 goes for hamburger/circle on place 0", "player_0: chose in secret"
    assert told_of(DEALT, "hit 0", "player_0") == told_of(DEALT, "hit 0", "open") == goes
    assert told_of(DEALT, "hit 0", "player_1") == told_of(DEALT, "hit 0") == told
    assert told_of(DEALT, "hit 0, wait, wait", "player_0") == "player_2: chose in secret"


def test_decks_that_are_passed_on_are_told():
    told = told_of(LAST_HIT | {"decks": [[]] * 4, "deck_sizes": [0, 9, 9, 9]}, "wait")
    passed = f"{HIDDEN}; a deck is empty: all shuffle their cards and pass them to the left; round 2: "
    assert told.startswith(passed)


def test_what_was_told_of_hits_is_no_leak_once_they_have_landed():
    """Two ways into the next round look alike there; what was told on the way need not."""
    subject = Subject(foodenvs.make, [{"game": "fast_food_fury", "players": 2, "events": True}])
    position = subject.position(subject.configurations[0], 0, [0, 1, 0])
    assert commitment(position, (0, 3), 0, False) is None
