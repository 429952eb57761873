"""Katsu Curry?!: what the golden cases cannot show."""

import itertools
from math import prod

import numpy as np
import pytest
from helpers import size
from hypothesis import given, settings
from hypothesis import strategies as st

import foodenvs
from foodenvs.core.components import ComponentsError, load_components
from foodenvs.core.errors import IllegalActionError
from foodenvs.core.notation import PositionError
from foodenvs.core.setup import Setup
from foodenvs.engine import attributes, below, shuffle, uncompiled
from foodenvs.games import GAMES
from foodenvs.games.katsu_curry import agents, rules

GAME = GAMES["katsu_curry"]
OWN = load_components(GAME.home)
CARDS, LADDER = OWN["price_cards"]["prices"], OWN["written"]["prices"]
PRODUCTS = {row["name"]: row for row in OWN["product"]}
LETTERS = "A" * 9 + "B" * 6 + "C" * 2 + "D"

some_options = st.one_of(
    st.fixed_dictionaries({"players": st.integers(3, 6), "written_prices": st.none() | st.booleans()}),
    st.fixed_dictionaries({"players": st.integers(7, 10)}),
).flatmap(
    lambda chosen: st.fixed_dictionaries(
        {},
        optional={
            "extra_products": st.booleans(),
            "lowest_barred": st.booleans(),
            "double_is_common": st.booleans(),
            "donation_reversed": st.sampled_from([True, "order", False]),
            "contest": st.sampled_from(["share", "draw"]),
        },
    ).map(lambda others: chosen | others)
)
seeds = st.integers(0, 2**40)


def table_of(position=None, seed=0, components=None, **options):
    env = foodenvs.make("katsu_curry", components=components, **options).unwrapped
    env.reset(seed=seed, options=None if position is None else {"position": position})
    return env


def play_round(env, prices):
    """All seats bid, in yen."""
    verb = "write" if env.view()["hand_sizes"][0] == 0 else "play"
    for price in prices:
        env.step(env.parse_action(f"{verb} {price}"))


def random_action(env, stream):
    return int(stream.choice(np.flatnonzero(env.infos[env.agent_selection]["action_mask"])))


def running(env):
    return not any(env.terminations.values())


def product_names(view):
    return [[item["product"] for item in products] for products in view["won"]]


# --- the auction --------------------------------------------------------------------------------


def winning_bid(bids, is_reversed, barred, double_is_common=True):
    """The winning price as the rulebook words it: walk down (up) from the end until a neighbour is near."""
    chain = sorted(set(bids), reverse=not is_reversed)
    for bid, following in itertools.pairwise(chain):
        low, high = sorted((bid, following))
        if high < 2 * low or (high == 2 * low and double_is_common):
            return bid
    return None if barred else chain[-1]


@pytest.mark.parametrize(
    ("bids", "product", "winner"),
    [
        ("980 1200 400 5100 8500", "umbrella", 4),
        ("12000 5100 3600 480 70", "umbrella", 1),
        ("100000 12000 5100 3600 480", "umbrella", 2),
        ("100000 32000 12000 400 350", "umbrella", 3),
        ("100000 32000 12000 400 180", "umbrella", 4),
        ("100000 12000 3000 210", "umbrella", -1),
        ("100000 12000 250 210", "umbrella", 2),
        ("980 1200 400 5100 590", "cup_noodles", 2),
        ("70 180 250 5100 8500", "cup_noodles", 1),
        ("70 180 400 5100 12000", "cup_noodles", 4),
        ("180 250 3000 12000", "cup_noodles", 0),
        ("180 400 3000 12000", "cup_noodles", -1),
        ("5000 5000 2000 1500 100 100 10", "umbrella", 2),
        ("2000 1000 400 150 60 25 10", "umbrella", 0),
    ],
)
def test_worked_auctions(bids, product, winner):
    bids = [int(bid) for bid in bids.split()]
    position = {"product": product}
    if len(bids) < 7:
        position["hands"] = [[bid] for bid in bids]
    env = table_of(position, players=len(bids))
    play_round(env, bids)
    assert env.view()["last"]["winner"] == winner


@settings(max_examples=size(15, 60), deadline=None)
@given(st.data())
def test_the_auction_follows_the_chain_of_the_rulebook(data):
    written = data.draw(st.booleans())
    players = data.draw(st.integers(3, 10 if written else 6))
    options = {
        "players": players,
        "written_prices": written,
        "double_is_common": data.draw(st.booleans()),
        "lowest_barred": data.draw(st.booleans()),
    }
    product = data.draw(st.sampled_from(["umbrella", "cup_noodles"]))
    prices = LADDER[:30] if written else CARDS
    bids = data.draw(
        st.lists(st.sampled_from(prices), min_size=players, max_size=players, unique=not written)
    )
    position = {"product": product} | ({} if written else {"hands": [[bid] for bid in bids]})
    env = table_of(position, **options)
    play_round(env, bids)
    wins = winning_bid(bids, product == "cup_noodles", options["lowest_barred"], options["double_is_common"])
    last = env.view()["last"]
    assert (last["price"] or None) == wins
    assert last["winner"] == -1 if wins is None else bids[last["winner"]] == wins


@settings(max_examples=size(7, 30), deadline=None)
@given(seeds, st.integers(3, 6), st.data())
def test_relabelling_the_seats_rotates_the_result(seed, players, data):
    turned = data.draw(st.integers(1, players - 1))
    product = data.draw(st.sampled_from(["umbrella", "cup_noodles"]))
    order = np.random.default_rng(seed).permutation(CARDS).tolist()
    size = len(CARDS) // players
    hands = [order[size * seat : size * (seat + 1)] for seat in range(players)]
    bids = [hand[0] for hand in hands]
    views = []
    for by in (0, turned):
        env = table_of({"product": product, "hands": hands[by:] + hands[:by]}, players=players)
        play_round(env, bids[by:] + bids[:by])
        views.append(env.view())
    straight, rotated = views
    for key in ("hands", "won", "hand_sizes"):
        assert rotated[key] == straight[key][turned:] + straight[key][:turned]
    if straight["last"]["winner"] >= 0:
        assert rotated["last"]["winner"] == (straight["last"]["winner"] - turned) % players


def test_every_writer_of_the_winning_price_gets_the_product_sometimes():
    winners = set()
    for seed in range(60):
        env = table_of({"product": "haircut"}, seed=seed, players=7)
        play_round(env, [5000, 3000, 5000, 200, 200, 10, 5000])
        winners.add(env.view()["last"]["winner"])
    assert winners == {0, 2, 6}


def test_a_drawn_contest_has_one_winner_and_each_of_the_tied_sometimes():
    winners = []
    for seed in range(60):
        position = {"product": "one_vote", "round": 18, "hands": [[100000], [12000], [3000], [210]]}
        env = table_of(position, seed=seed, players=4, contest="draw")
        play_round(env, [100000, 12000, 3000, 210])
        winners.append(tuple(env.view()["winners"]))
        assert sorted(env.returns().values()) == pytest.approx([-1 / 3, -1 / 3, -1 / 3, 1])
    assert set(winners) == {(0,), (1,), (2,), (3,)}


# --- chance -----------------------------------------------------------------------------------------


def state_of(position=None, components=None, **options):
    """A set-up, and a position of it as the rules take it."""
    setup = Setup(GAME, options, components)
    states = setup.new_states(1)
    setup.set_up(states, position or {}, 0)
    return setup.box, attributes(states)[0]


def lot_of(k, asked):
    """A stand-in for a lot that takes number k, and keeps how many there were to choose from."""

    def lot(rng, n):
        asked.append(n)
        return k

    return {below: lot}


@pytest.mark.parametrize(
    ("options", "letter"),
    [
        ({"players": 4}, "A"),
        ({"players": 6, "extra_products": True}, "A"),
        ({"players": 7, "extra_products": True}, "A"),
        ({"players": 3, "extra_products": True}, "D"),
    ],
)
def test_the_cards_are_shuffled_and_then_each_letter(options, letter):
    """KC-03, KC-04, KC-28: what is shuffled, in which order, and where it goes."""
    counts = {"A": 5, "B": 3, "C": 1, "D": 0}
    counts[letter] += 1
    own = rows_with(14, letter=letter) | changed("counts", plus10=counts)  # the last additional A is one
    piles = []

    def turn_over(rng, items, n):
        piles.append(items[:n].tolist())
        items[:n] = items[:n][::-1].copy()

    box, state = state_of(components=own, **options)
    uncompiled(rules.deal, {shuffle: turn_over})(box, state)
    rows = [row for row in own["product"] if row["set"] == "basic" or options.get("extra_products", False)]
    letters = [[row["id"] for row in rows if row["letter"] == letter] for letter in "ABCD"]
    cards = list(range(60)) if options["players"] < 7 else []
    assert piles == [cards] * bool(cards) + letters
    first = [pile[::-1][:count] for pile, count in zip(letters, (9, 6, 2, 1), strict=True)]
    assert [state.product, *state.deck[:17][::-1]] == list(itertools.chain(*first))
    dealt = [(59 - card) % options["players"] for card in cards]
    assert state.holder.tolist() == (dealt or [rules.ABSENT] * 60)
    assert not state.pile.any()


@pytest.mark.parametrize(
    ("bids", "options", "writers"),
    [
        ([5000, 3000, 5000, 200, 200, 10, 5000], {}, [0, 2, 6]),
        ([5000, 3000, 10, 200, 200, 10, 5000], {}, [0, 6]),
        ([200, 3000, 10, 200, 200, 5000, 10], {}, [5]),
        ([10, 10, 10, 10, 10, 10, 10], {}, [0, 1, 2, 3, 4, 5, 6]),
        ([10, 10, 10, 10, 10, 10, 10], {"lowest_barred": True}, []),
    ],
)
def test_one_lot_is_drawn_if_several_wrote_the_winning_price(bids, options, writers):
    """KC-27: among them in the order of their seats."""
    for k, winner in enumerate(writers or [-1]):
        asked = []
        box, state = state_of({"product": "haircut"}, players=7, **options)
        apply = uncompiled(rules.apply, lot_of(k, asked))
        for bid in bids:
            apply(box, state, rules.CARDS + LADDER.index(bid))
        assert state.owner[PRODUCTS["haircut"]["id"]] == (winner if writers else rules.GONE)
        assert asked == [len(writers)] * (len(writers) > 1)


@pytest.mark.parametrize("contest", ["share", "draw"])
@pytest.mark.parametrize(
    ("won", "first"),
    [
        (["katsu_curry sukiyaki", "wedding_gift umbrella", "", "smartphone draft_beer"], [1, 3]),
        (["katsu_curry sukiyaki", "wedding_gift umbrella", "golf_membership", "smartphone"], [2]),
        (["tea_bowl", "", "car golf_membership", "tailored_suit"], [2]),
        (["", "", "", ""], [0, 1, 2, 3]),
    ],
)
def test_one_contest_is_held_among_those_still_tied(won, first, contest):
    """KC-20 to KC-22: among them in the order of their seats."""
    bids = [100000, 12000, 3000, 210]
    prices = iter(set(CARDS) - set(bids))
    position = {
        "round": 18,
        "product": "one_vote",
        "hands": [[bid] for bid in bids],
        "won": [[{"product": name, "price": next(prices)} for name in own.split()] for own in won],
    }
    for k in range(len(first) if contest == "draw" else 1):
        asked = []
        box, state = state_of(position, players=4, contest=contest, extra_products=True)
        apply = uncompiled(rules.apply, lot_of(k, asked))
        for bid in bids:
            apply(box, state, CARDS.index(bid))
        winners = [first[k]] if contest == "draw" else first
        assert state.winners.tolist() == [int(seat in winners) for seat in range(10)]
        assert asked == [len(first)] * (contest == "draw" and len(first) > 1)


@pytest.mark.parametrize(("products", "winners"), [(8, [1] + [0] * 9), (7, [0] * 10)])
def test_nothing_is_drawn_when_nine_products_win(products, winners):
    """KC-19; the ninth goes to seat 0."""
    asked = []
    bids = [590, 480, 100000, 5100]
    position = {
        "round": 10,
        "product": "car",
        "won": [[*EIGHT[: products - 1], NINE[8]], [], [], []],
        "hands": [[bid] for bid in bids],
    }
    box, state = state_of(position, players=4)
    apply = uncompiled(rules.apply, lot_of(0, asked))
    for bid in bids:
        apply(box, state, CARDS.index(bid))
    assert state.count[0] == products + 1
    assert state.winners.tolist() == winners
    assert not asked


# --- invariants over random games -----------------------------------------------------------------


def check_cards(view, players):
    paid = [item["price"] for products in view["won"] for item in products]
    assert sorted(paid + list(itertools.chain(*view["hands"]))) == CARDS
    for hand, held, products in zip(view["hands"], view["hand_sizes"], view["won"], strict=True):
        assert len(hand) == held == len(CARDS) // players - len(products)
        assert held >= 2 or view["winners"]
    assert all(set(seen) <= set(hand) for seen, hand in zip(view["seen"], view["hands"], strict=True))


def check_products(view, options):
    settled = list(itertools.chain(*product_names(view))) + view["gone"]
    up = [view["product"]] if view["product"] else []
    names = settled + up + view["deck"]
    assert len(names) == len(set(names)) == 18
    letters = "".join(sorted(PRODUCTS[name]["letter"] for name in settled))
    assert letters + "".join(PRODUCTS[name]["letter"] for name in up + view["deck"]) == LETTERS
    if not options.get("extra_products", False):
        assert all(PRODUCTS[name]["set"] == "basic" for name in names)


def check_round(before, after, bids, barred, cards):
    """What one round may change."""
    last = after["last"]
    assert last["product"] == before["product"]
    assert last["bids"] == bids
    assert len(after["gone"]) - len(before["gone"]) == (last["winner"] < 0)
    assert last["winner"] >= 0 or barred
    for seat, (was, now) in enumerate(zip(before["won"], after["won"], strict=True)):
        won = [item for item in now if item not in was]
        assert won == (
            [{"product": last["product"], "price": last["price"]}] if seat == last["winner"] else []
        )
        assert len(now) <= 9
    if not cards:
        return
    for seat, (was, now) in enumerate(zip(before["hands"], after["hands"], strict=True)):
        gone, come = set(was) - set(now), set(now) - set(was)
        assert gone == {bids[seat]}
        right = (seat - 1) % len(bids)
        if right == last["winner"]:
            right = (right - 1) % len(bids)
        assert come == (set() if seat == last["winner"] else {bids[right]})
    paid = {last["price"]} if last["winner"] >= 0 else set()
    was, now = (set(itertools.chain(*view["seen"])) for view in (before, after))
    assert now == (was | set(bids)) - paid


@settings(max_examples=size(6, 25), deadline=None)
@given(seeds, some_options)
def test_invariants(seed, options):
    env = table_of(seed=seed, **options)
    players = options["players"]
    cards = not (options.get("written_prices") or players >= 7)
    barred = options.get("lowest_barred", players == 4)
    stream = np.random.default_rng(seed)
    decisions = 0
    while running(env):
        before = env.view()
        if cards:
            check_cards(before, players)
        check_products(before, options)
        bids = []
        for _ in range(players):
            action = random_action(env, stream)
            bids.append(int(env.action_name(action).split()[1]))
            env.step(action)
            decisions += 1
        check_round(before, env.view(), bids, barred, cards)
    end = env.view()
    check_products(end, options)
    counts = [len(products) for products in end["won"]]
    assert decisions == players * end["round"]
    assert (max(counts) == 9 and counts.count(9) == 1) or end["round"] == 18
    if max(counts) == 9:
        assert end["winners"] == [counts.index(9)]
    numbers = [[PRODUCTS[name]["vp"] for name in names] for names in product_names(end)]
    assert list(env.scores().values()) == [sum(own) for own in numbers]
    assert max(map(sum, numbers)) <= 63
    if max(counts) < 9:
        best = max((sum(own), max(own, default=0)) for own in numbers)
        tied = [seat for seat, own in enumerate(numbers) if (sum(own), max(own, default=0)) == best]
        one = options.get("contest") == "draw"
        assert end["winners"] == tied or (one and len(end["winners"]) == 1 and end["winners"][0] in tied)
    assert sum(env.returns().values()) == pytest.approx(0)


def told(env, agent):
    """What a seat is told in every form, but whose turn it is."""
    view = env.seat_view(agent)
    del view["turn"]
    return env.observe(agent)["observation"].tobytes(), env.render(agent), view


@settings(max_examples=size(3, 8), deadline=None)
@given(seeds, some_options)
def test_a_choice_shows_in_nothing_but_the_own_observation(seed, options):
    env = table_of(seed=seed, raw=True, render_mode="ansi", **options)
    stream = np.random.default_rng(seed)
    for _ in range(2 * options["players"]):
        chooser = env.agent_selection
        before = {agent: told(env, agent) for agent in env.agents}
        spectator = env.render()
        env.step(random_action(env, stream))
        if env.agent_selection == "player_0":  # all have chosen
            continue
        for agent, seen in before.items():
            assert (told(env, agent) == seen) == (agent != chooser)
            assert not any(env.rewards.values())
        assert env.render() == spectator


def yen_shown(price):
    """A price as an observation has it: its binary digits, and 128ths of the way to the next one."""
    if not price:
        return 0, 0
    digits, part, ratio = price.bit_length(), 0, price / 2 ** (price.bit_length() - 1)
    for _ in range(7):
        part, ratio = 2 * part + (ratio * ratio >= 2), ratio * ratio / (1 + (ratio * ratio >= 2))
    return digits, part


@pytest.mark.parametrize("prices", [CARDS, LADDER])
def test_whether_prices_are_near_can_be_read_from_an_observation(prices):
    """One digit is two times (KC-09), whatever the ratio is called in the list."""
    shown = [128 * digits + part for digits, part in map(yen_shown, prices)]
    for (low, a), (high, b) in itertools.combinations(zip(prices, shown, strict=True), 2):
        assert b > a
        assert (high <= 2 * low) == (b - a <= 128)


def test_what_was_paid_for_each_product_and_every_earlier_bid_is_observed():
    """KC-10, KC-32: nothing else of these positions tells them apart."""
    won = [{"product": "katsu_curry", "price": 980}], [{"product": "sukiyaki", "price": 5100}]
    swapped = [dict(won[0][0], price=5100)], [dict(won[1][0], price=980)]
    seen = [
        table_of({"won": [*map(list, both), [], []]}, raw=True).observe("player_2")["observation"].tobytes()
        for both in (won, swapped)
    ]
    assert seen[0] != seen[1]
    first = [10, 100, 1000, 10000, 1000000, 150, 10000000]
    seen = []
    for last in (10000000, 5000000):
        env = table_of({"product": "haircut", "deck": ["umbrella"]}, players=7, raw=True)
        play_round(env, [*first[:-1], last])
        play_round(env, [10] * 7)
        assert env.view()["earlier"][0]["bids"][6] == last
        seen.append({a: env.observe(a)["observation"].tobytes() for a in env.possible_agents})
    assert all(seen[0][agent] != seen[1][agent] for agent in seen[0])


def test_every_round_is_told_with_its_bids_and_stays_in_a_redeal():
    env = table_of(seed=5, players=4)
    stream, played = np.random.default_rng(5), []
    for _ in range(6):
        product, bids = env.view()["product"], []
        for _ in range(4):
            action = random_action(env, stream)
            bids.append(int(env.action_name(action).split()[1]))
            env.step(action)
        played.insert(0, (product, bids))
    view = env.view()
    told = [view["last"], *view["earlier"]]
    assert [(each["product"], each["bids"]) for each in told] == played
    for each in told:
        paid = [{"product": each["product"], "price": each["price"]}] if each["winner"] >= 0 else []
        assert all(item in view["won"][each["winner"]] for item in paid)
        assert bool(paid) != (each["product"] in view["gone"])
    again = env.determinized("player_1", 3).view()
    assert (again["last"], again["earlier"]) == (view["last"], view["earlier"])


@settings(max_examples=size(3, 15), deadline=None)
@given(seeds, some_options)
def test_the_observation_says_what_the_position_is(seed, options):
    env = table_of(seed=seed, raw=True, **options)
    stream = np.random.default_rng(seed)
    players = options["players"]
    names = [row["name"] for row in OWN["product"]]
    for _ in range(int(stream.integers(1, 18)) * players + 1):
        if not running(env):
            break
        env.step(random_action(env, stream))
    view = env.view()
    cards = view["hand_sizes"][0] > 0
    prices = CARDS if cards else LADDER
    for seat, agent in enumerate(env.possible_agents):
        rows = [(seat + row) % players for row in range(players)]
        seen = {name: value.tolist() for name, value in env.explain(env.observe(agent)).items()}

        def flags(chosen, everything):
            return [int(item in chosen) for item in everything]

        assert seen["product"] == flags([view["product"]], names)
        assert seen["round"] == [view["round"]]
        assert seen["left"] == [sum(PRODUCTS[p]["letter"] == x for p in view["deck"]) for x in "ABCD"]
        assert seen["won"] == [flags(product_names(view)[row], names) for row in rows]
        assert seen["gone"] == flags(view["gone"], names)
        assert seen["count"] == [len(view["won"][row]) for row in rows]
        assert [128 * high + low for high, low in seen["points"]] == [
            list(env.scores().values())[row] for row in rows
        ]
        sold = {item["product"]: item["price"] for products in view["won"] for item in products}
        assert [tuple(pair) for pair in seen["price"]] == [yen_shown(sold.get(name, 0)) for name in names]
        before = [view["last"], *view["earlier"]] if view["last"] else []
        assert len(before) == (view["round"] - 1 if view["product"] else view["round"])
        came = [each["product"] for each in before]
        assert seen["ago"] == [came.index(name) + 1 if name in came else 0 for name in names]
        for ago, pairs in enumerate(seen["bids"]):
            bids = before[ago]["bids"] if ago < len(before) else [0] * players
            assert [tuple(pair) for pair in pairs] == [yen_shown(bids[row]) for row in rows]
        room = [*prices, None][: len(seen["choice"])]
        assert seen["choice"] == flags([view["chosen"][seat]], room)
        settled = [*view["gone"], *itertools.chain(*product_names(view)), view["product"]]
        left = {PRODUCTS[name]["letter"] for name in view["deck"]}
        assert seen["pool"] == [
            int(
                row["letter"] in left
                and row["name"] not in settled
                and (row["set"] == "basic" or options.get("extra_products", False))
            )
            for row in OWN["product"]
        ]
        if view["product"]:
            up = PRODUCTS[view["product"]]
            ordinary = up["name"] == "earthquake_donation" and options.get("donation_reversed", True) is False
            assert seen["number"] == [0, up["vp"]]
            assert seen["facts"] == [int(up["reversed"] and not ordinary), *flags([up["letter"]], "ABCD")]
        if cards:
            assert seen["hand"] == flags(view["hands"][seat], CARDS)
            assert seen["seen"] == [flags(view["seen"][row], CARDS) for row in rows]
            assert seen["hand_size"] == [view["hand_sizes"][row] for row in rows]
            assert seen["paid"] == flags([i["price"] for products in view["won"] for i in products], CARDS)
        for viewer in (agent, "open", None):
            env.render_mode = "ansi"
            assert max(map(len, env.render(viewer).splitlines())) <= 80


@pytest.mark.parametrize("players", [4, 7])
def test_the_open_table_shows_the_deck_and_the_choices_and_a_seats_table_its_own(players):
    env = table_of(seed=2, players=players, render_mode="ansi")
    for _ in range(2):
        env.step(random_action(env, np.random.default_rng(2)))
    view = env.view()
    texts = {viewer: " ".join(env.render(viewer).split()) for viewer in (*env.agents, "open", None)}
    for agent, price in list(zip(env.agents, view["chosen"], strict=True))[:2]:
        choice = f"choice of {agent}: {price}"
        assert [viewer for viewer in texts if choice in texts[viewer]] == [agent, "open"]
    deck = f"deck, next first: {', '.join(view['deck'])}"
    assert [viewer for viewer in texts if deck in texts[viewer]] == ["open"]


def test_observation_lengths():
    lengths = {players: Setup(GAME, {"players": players}).length for players in range(3, 11)}
    assert lengths == {p: 360 + 128 * p if p < 7 else 241 + 67 * p for p in lengths}
    written = [Setup(GAME, {"players": p, "written_prices": True}).length for p in range(3, 7)]
    assert written == [442, 509, 576, 643]


def test_a_redeal_reaches_every_hand_a_rival_may_hold():
    """Two unknown cards between two rivals of known sizes: both ways come up, and choices with them."""
    hands = [[70], [85, 100], [], []]
    env = table_of({"hands": hands, "chosen": [70, 85, 0, 0], "seen": [[], [100], [], []]}, seed=3)
    mine = set(env.view()["hands"][2])
    chosen, held = set(), set()
    for seed in range(300):
        view = env.determinized("player_2", seed).view()
        assert set(view["hands"][2]) == mine
        assert 100 in view["hands"][1]
        assert view["chosen"][1] in view["hands"][1]
        chosen.add(view["chosen"][1])
        held |= set(view["hands"][1])
    assert held == set(CARDS) - mine
    assert 100 in chosen
    assert len(chosen) > 30


def test_an_unused_product_can_come_up_until_its_letter_is_out():
    """KC-29: nobody knows which are unused."""
    gone = [name for name, row in PRODUCTS.items() if row["letter"] == "A"][3:12]
    env = table_of({"gone": gone[:8], "product": gone[8]}, extra_products=True)
    for bid, more in ((9, "BCD"), (10, "BCD")):
        seen = env.explain(env.observe("player_0"))
        assert seen["left"].tolist() == [0, 6 - (bid > 9), 2, 1]
        up = env.view()["product"]
        assert seen["pool"].tolist() == [
            int(row["letter"] in more and row["name"] != up) for row in OWN["product"]
        ]
        play_round(env, [hand[0] for hand in env.view()["hands"]])


# --- options and components --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"players": 2}, "players must be 3 to 10, got 2"),
        ({"players": 11}, "players must be 3 to 10, got 11"),
        ({"players": 8, "written_prices": False}, "price cards are for 3 to 6 players, got 8"),
        ({"contest": "duel"}, 'contest must be "share" or "draw", got \'duel\''),
        ({"lowest_barred": 1}, "lowest_barred must be None, True or False, got 1"),
        ({"extra_products": None}, "extra_products must be False or True, got None"),
    ],
)
def test_bad_options(options, message):
    with pytest.raises(ValueError, match=r"must|are for") as error:
        foodenvs.make("katsu_curry", **options)
    assert str(error.value) == message


def test_an_illegal_action_is_named():
    env = table_of({"hands": [[70], [85], [], []]}, players=4)
    with pytest.raises(IllegalActionError, match=r"^illegal action: play 85 \(player_0\)"):
        env.step(env.parse_action("play 85"))


def changed(table, **values):
    return {table: OWN[table] | values}


def rows_with(row, **values):
    rows = [dict(row) for row in OWN["product"]]
    rows[row] |= values
    return {"product": rows}


def small_box():
    """A box with 40 price cards, 10 written prices and 6 products."""
    keep = ["katsu_curry", "sukiyaki", "cup_noodles", "car", "tea_bowl", "one_vote"]
    rows = [PRODUCTS[name] | {"id": number} for number, name in enumerate(keep)]
    return {
        "price_cards": {"prices": CARDS[:40]},
        "written": {"prices": LADDER[:10]},
        "product": rows,
        "counts": {
            "price_cards": 40,
            "product_cards": 6,
            "basic": {"A": 3, "B": 1, "C": 1, "D": 1},
            "plus10": {"A": 0, "B": 0, "C": 0, "D": 0},
        },
        "limits": OWN["limits"] | {"rounds": 6, "products_to_win": 5},
    }


@pytest.mark.parametrize("options", [{"players": 5}, {"players": 4}, {"players": 7}])
def test_a_smaller_box_is_a_game(options):
    env = table_of(seed=4, components=small_box(), **options)
    stream = np.random.default_rng(4)
    for _ in range(size(1, 5)):
        env.reset()
        while running(env):
            before = env.view()
            again = table_of(before, components=small_box(), **options)
            assert again.view() == before
            for agent in ("greedy", "expert"):
                made = foodenvs.make_agent(agent, env, env.agent_selection)
                observation, _, _, _, info = env.last()
                assert info["action_mask"][made.act(observation, info)]
            env.determinized(env.agent_selection, 7)
            env.step(random_action(env, stream))
        assert env.view()["round"] <= 6
    assert env.parse_action(env.action_name(59)) == 59


def test_cards_that_a_smaller_box_lacks_are_nowhere():
    env = table_of(components=small_box(), players=5)
    seen = env.explain(env.observe("player_0"))
    assert seen["hand"].sum() == 8
    assert not seen["paid"].any()
    assert not seen["seen"].any()


@pytest.mark.parametrize("length", [1, 3, 6])
@pytest.mark.parametrize("barred", [False, True])
def test_agents_write_one_of_fewer_prices_than_there_are_rivals(length, barred):
    env = table_of(components=changed("written", prices=LADDER[:length]), players=7, lowest_barred=barred)
    for agent in ("greedy", "expert"):
        env.reset(seed=1)
        made = [foodenvs.make_agent(agent, env, seat) for seat in env.possible_agents]
        for _ in range(2):
            for player in made:
                observation, _, _, _, info = env.last()
                action = player.act(observation, info)
                assert info["action_mask"][action]
                env.step(action)


def test_true_prices_and_products_play_as_they_are():
    prices = [price * 3 for price in CARDS]
    own = changed("price_cards", prices=prices) | rows_with(3, name="lager", vp=7)
    env = table_of({"product": "lager", "hands": [[p] for p in prices[:5]]}, components=own, players=5)
    play_round(env, prices[:5])
    assert env.view()["last"] == {"product": "lager", "bids": prices[:5], "winner": 4, "price": prices[4]}
    assert list(env.scores().values()) == [0, 0, 0, 0, 7]


def numbered(number_of):
    """The products with other numbers, by letter or name."""
    return {
        "product": [
            row | {"vp": number_of.get(row["name"], number_of[row["letter"]])} for row in OWN["product"]
        ]
    }


@pytest.mark.parametrize(
    "numbers",
    [{"A": 5, "B": 10, "C": 20, "D": 50}, {"A": -3, "B": 100, "C": 500, "D": -500, "umbrella": 7}],
)
def test_products_may_be_worth_hundreds_of_points_or_cost_some(numbers):
    env = table_of(seed=6, components=numbered(numbers), players=4, raw=True)
    stream = np.random.default_rng(6)
    while running(env):
        for agent in ("greedy", "expert"):
            observation, _, _, _, info = env.last()
            made = foodenvs.make_agent(agent, env, env.agent_selection)
            assert info["action_mask"][made.act(observation, info)]
        env.step(random_action(env, stream))
    points = [
        sum(numbers.get(name, numbers[PRODUCTS[name]["letter"]]) for name in own)
        for own in product_names(env.view())
    ]
    assert list(env.scores().values()) == points
    assert max(map(abs, points)) > 127 or "umbrella" not in numbers
    seen = env.explain(env.observe("player_0"))
    assert [128 * int(high) + int(low) for high, low in seen["points"]] == points
    assert not env.setup.layout.outside(env.observe("player_0")["observation"])


def test_no_product_is_behind_one_that_costs_as_much_as_another_is_worth():
    """KC-21: both have no points in all, and one a product of 5."""
    own = numbered({"A": 0, "B": 1, "C": 1, "D": 0, "umbrella": 5, "haircut": -5})
    position = {
        "round": 18, "product": "one_vote", "hands": [[100000], [12000], [3000], [210]],
        "won": [[], [{"product": "umbrella", "price": 70}, {"product": "haircut", "price": 85}], [], []],
    }  # fmt: skip
    env = table_of(position, components=own, players=4)
    play_round(env, [100000, 12000, 3000, 210])
    assert env.view()["winners"] == [1]


@pytest.mark.parametrize(
    ("components", "message"),
    [
        (changed("price_cards", prices=CARDS[:59]), "[price_cards] prices: must be 4 equal hands"),
        (
            changed("price_cards", prices=[*CARDS, 13_000_000]),
            "[price_cards] prices: must have 1 to 60 entries, got 61",
        ),
        (
            changed("price_cards", prices=[70, 70, *CARDS[2:]]),
            "[price_cards] prices: must rise, 70 comes after 70",
        ),
        (changed("price_cards", prices=["70", *CARDS[1:]]), "[price_cards] prices: must be a whole number"),
        (
            changed("price_cards", prices=[*CARDS[:59], 2**31]),
            "[price_cards] prices: must be 1 to 2147483647",
        ),
        (
            changed("price_cards", prices=CARDS[:32]),
            "[price_cards] prices: must be 4 equal hands of 9 cards or more",
        ),
        (
            changed("price_cards", prices=CARDS[:56]),
            "[counts] price_cards: must be 56, as many as [price_cards] has prices, got 60",
        ),
        (changed("written", prices=[]), "[written] prices: must have 1 to 61 entries, got 0"),
        (changed("counts", basic={"A": 9}), "[counts] basic: must be A = 9, B = 6, C = 2, D = 1"),
        (
            rows_with(14, set="basic")
            | changed(
                "counts", basic={"A": 10, "B": 6, "C": 2, "D": 1}, plus10={"A": 5, "B": 3, "C": 1, "D": 0}
            ),
            "[counts] basic: must be 1 to 18 products in all",
        ),
        (
            changed("counts", product_cards=27),
            "[counts] product_cards: must be 28, as many as there are rows of [product], got 27",
        ),
        (changed("limits", rounds=17), "[limits] rounds: must be 18, the sum of [counts] basic, got 17"),
        (changed("limits", products_to_win=0), "[limits] products_to_win: must be 1 to 99, got 0"),
        (changed("limits", factor="2"), "[limits] factor: must be a whole number, got '2'"),
        (changed("deck", order=["D", "C", "B", "A"]), "[deck] order: must be ['A', 'B', 'C', 'D']"),
        (
            changed("players", cards=[3, 5]),
            "[players] cards: must be consecutive numbers of players, got [3, 5]",
        ),
        (rows_with(0, id=1), "[product] row 1: id: must be 0 to 0, got 1"),
        (
            rows_with(4, name="katsu_curry"),
            "[product] row 5: name: 'katsu_curry' is the name of an earlier row too",
        ),
        (
            rows_with(4, name="Kino"),
            "[product] row 5: name: must be 1 to 24 of the characters a-z, 0-9 and _",
        ),
        (rows_with(4, letter="E"), "[product] row 5: letter: must be one of A, B, C, D, got 'E'"),
        (rows_with(4, letter="B"), "[counts] basic: must be A = 8, B = 7, C = 2, D = 1"),
        (rows_with(4, set="plus"), "[product] row 5: set: must be one of basic, plus10, got 'plus'"),
        (rows_with(4, vp=501), "[product] row 5: vp: must be -500 to 500, got 501"),
        (rows_with(4, usual_price=0), "[product] row 5: usual_price: must be 1 to"),
        (rows_with(4, reversed=1), "[product] row 5: reversed: must be true or false, got 1"),
    ],
)
def test_bad_components(components, message):
    with pytest.raises(ComponentsError) as error:
        foodenvs.make("katsu_curry", components=components)
    assert message in str(error.value).replace("]: ", "] ").replace("] row", "] row")


# --- positions ---------------------------------------------------------------------------------

BASIC_A = [
    "katsu_curry",
    "sukiyaki",
    "cup_noodles",
    "draft_beer",
    "movie_ticket",
    "haircut",
    "umbrella",
    "taxi_home",
]
EIGHT = [{"product": name, "price": price} for name, price in zip(BASIC_A, CARDS, strict=False)]
NINE = [*EIGHT, {"product": "gift_melon", "price": 12000}]
LAST = {"product": "katsu_curry", "bids": [980, 2200, 400, 5100], "winner": -1, "price": 0}
SOLD = {"product": "katsu_curry", "bids": [980, 1200, 400, 5100], "winner": 1, "price": 1200}
BEFORE = {"product": "umbrella", "bids": [2200, 400, 5100, 980], "winner": -1, "price": 0}


@pytest.mark.parametrize(
    ("position", "message"),
    [
        ({"rounds": 3}, "rounds: unknown key"),
        ({"earlier": [LAST]}, "last: is missing, the round after those of earlier"),
        ({"last": LAST, "earlier": [LAST]}, "last: katsu_curry is named twice"),
        (
            {"last": LAST, "earlier": [BEFORE | {"product": "car"}], "round": 11},
            "last: must have a product B in round 10, got 'katsu_curry'",
        ),
        (
            {"last": LAST | {"product": "tea_bowl"}, "earlier": [BEFORE], "round": 17},
            "earlier: must have a product B in round 15, got 'umbrella'",
        ),
        ({"last": LAST, "earlier": [LAST | {"product": "umbrella", "bids": [70]}]}, "earlier 1: bids: must"),
        ({"round": 19}, "round: must be 1 to 18, got 19"),
        ({"product": "curry"}, "product: 'curry' is no product"),
        ({"product": "manga_volume"}, "product: 'manga_volume' is an additional product; set extra_products"),
        ({"product": "car", "round": 1}, "product: must be a product A in round 1, got 'car'"),
        ({"product": "car", "round": 9}, "product: must be a product A in round 9, got 'car'"),
        (
            {"product": "haircut", "round": 18},
            "product: must be a product D in round 18, got 'haircut'",
        ),
        ({"deck": ["car", "umbrella"]}, "deck: must be a product B in round 11, got 'umbrella'"),
        ({"deck": ["one_vote", "one_vote"]}, "deck: one_vote is named twice"),
        ({"round": 18, "deck": ["one_vote"]}, "deck: has 1 products more than are to come"),
        ({"deck": ["umbrella", "umbrella"]}, "deck: umbrella is named twice"),
        ({"product": "umbrella", "deck": ["umbrella"]}, "deck: umbrella is named twice"),
        ({"round": 9, "deck": ["umbrella"]}, "deck: must be a product B in round 10, got 'umbrella'"),
        ({"round": 2, "gone": ["umbrella"], "product": "umbrella"}, "product: umbrella is named twice"),
        ({"gone": ["umbrella", "umbrella"]}, "gone: umbrella is named twice"),
        ({"gone": ["car"], "round": 9}, "won: with gone, 1 products B, but only 0 can be"),
        ({"gone": ["umbrella", "haircut"], "round": 2}, "won: with gone, 2 products A, but only 1 can be"),
        ({"won": [[], []]}, "won: must have 4 entries, got 2"),
        ({"won": [[{"product": "umbrella"}], [], [], []]}, "won: price: is missing"),
        ({"won": [[{"product": "umbrella", "price": 71}], [], [], []]}, "won: 71 is no price card"),
        ({"won": [[EIGHT[0]], [EIGHT[1] | {"price": 70}], [], []]}, "won: the price card 70 is named twice"),
        ({"won": [[EIGHT[0]], [EIGHT[0] | {"price": 85}], [], []]}, "won: katsu_curry is named twice"),
        ({"won": [NINE, [], [], []], "turn": "player_1"}, "turn: must be none: player_0 has products enough"),
        (
            {"won": [[*NINE, {"product": "car", "price": 15000}], [], [], []]},
            "won: player_0 can have 9 products at most",
        ),
        ({"won": [NINE, [], [], []], "winners": [1]}, "winners: must be [0], as the rest has it"),
        ({"won": [NINE, [], [], []], "winners": []}, "winners: must be [0], as the rest has it"),
        ({"won": [EIGHT, [], [], []], "winners": [0], "round": 9}, "turn: cannot be none while products are"),
        ({"turn": None, "round": 17}, "turn: cannot be none while products are left"),
        ({"turn": "player_1", "winners": [1]}, "winners: must be [], as the rest has it"),
        ({"round": 18, "winners": [0]}, "winners: must be [0, 1, 2, 3]"),
        ({"round": 18, "winners": [0, 0]}, "winners: must be [0, 1, 2, 3]"),
        (
            {"won": [NINE, [], [], []], "winners": [0], "product": "car"},
            "product: must be '', as the rest has it, got 'car'",
        ),
        (
            {"won": [NINE, [], [], []], "winners": [0], "chosen": [100000, 0, 0, 0]},
            "chosen: must be prices before turn (none), 0 from there on",
        ),
        ({"hands": [[71], [], [], []]}, "hands: 71 is no price card"),
        ({"hands": [[70], [70], [], []]}, "hands: the price card 70 is named twice"),
        (
            {"hands": [[70], [], [], []], "won": [[EIGHT[0]], [], [], []]},
            "hands: the price card 70 is named twice",
        ),
        ({"hands": [CARDS[:16], [], [], []]}, "hands: player_0 can have 15 cards, got 16"),
        ({"hands": [[70.0], [], [], []]}, "hands: 70.0 is no price card"),
        ({"hand_sizes": [15, 15, 15, 14]}, "hand_sizes: must be [15, 15, 15, 15], as the rest has it"),
        ({"seen": [[70, 70], [], [], []]}, "seen: the price card 70 is named twice"),
        ({"seen": [[], [70], [], []], "hands": [[70], [], [], []]}, "seen: the price card 70 is named twice"),
        ({"seen": [[70], [], [], []], "won": [[EIGHT[0]], [], [], []]}, "seen: the price card 70 is named"),
        ({"seen": [CARDS[:16], [], [], []]}, "hands: player_0 can have 15 cards, got 16"),
        ({"seen": [[71], [], [], []]}, "seen: 71 is no price card"),
        ({"chosen": [71, 0, 0, 0]}, "chosen: 71 is no price card"),
        ({"hands": [[], [70], [], []], "chosen": [70, 0, 0, 0]}, "chosen: the price card 70 is named twice"),
        ({"chosen": [0, 70, 0, 0]}, "chosen: must be prices before turn (player_2), 0 from there on"),
        ({"chosen": [70, 0, 0, 0], "turn": "player_0"}, "chosen: must be prices before turn (player_0)"),
        ({"chosen": [70, 0, 0, 0], "turn": "player_2"}, "chosen: must be prices before turn (player_2)"),
        ({"chosen": [1600, 85, 100, 120]}, "chosen: must be prices before turn (player_3)"),
        ({"last": {"product": "umbrella"}}, "last: winner: is missing"),
        ({"last": {"product": "umbrella"}, "gone": ["umbrella"]}, "last: bids: is missing"),
        ({"last": LAST, "round": 1}, "won: with gone, 1 products A, but only 0 can be"),
        ({"last": LAST | {"winner": 1}, "gone": ["katsu_curry"]}, "last: must be {'product': 'katsu_curry'"),
        ({"last": LAST | {"price": 980}, "gone": ["katsu_curry"]}, "last: must be {'product': 'katsu_curry'"),
        (
            {"last": LAST | {"winner": 1, "price": 980}, "won": [[], [EIGHT[0] | {"price": 980}], [], []]},
            "last: bids: must have the price 980",
        ),
        (
            {"last": LAST | {"bids": [70, 70, 85, 100]}, "gone": ["katsu_curry"]},
            "last: bids: must be different price cards",
        ),
        (
            {"last": SOLD | {"winner": -1, "price": 0}},
            "last: bids: by these katsu_curry goes to who bid 1200",
        ),
        (
            {"last": SOLD | {"winner": 0, "price": 980}},
            "last: bids: by these katsu_curry goes to who bid 1200",
        ),
        ({"last": LAST | {"winner": 3, "price": 5100}}, "last: bids: by these katsu_curry goes to nobody"),
        (
            {"last": LAST, "earlier": [LAST | {"product": "umbrella"}]},
            "last: bids: player_0 cannot have had 980",
        ),
        (
            {"last": BEFORE | {"bids": [5100, 70, 1200, 400]}, "earlier": [SOLD]},
            "last: bids: player_2 cannot have had 1200",
        ),
        ({"last": SOLD, "hands": [[980], [], [], []]}, "hands: player_2 must have 980, by the last bid"),
        (
            {"last": SOLD, "seen": [[], [], [], []]},
            "seen: must have 400 of player_3, a bid of an earlier round",
        ),
        (
            {"last": LAST, "won": [[], [{"product": "umbrella", "price": 980}], [], []]},
            "hands: player_1 must have 980",
        ),
    ],
)
def test_positions_that_cannot_be(position, message):
    env = table_of(seed=1, players=4)
    before = env.snapshot()
    with pytest.raises(PositionError) as error:
        env.reset(seed=2, options={"position": position})
    assert message in str(error.value)
    assert env.snapshot() == before


def test_a_part_of_a_view_tells_what_it_does_not_name():
    """The round from the products, the product of the last round, the turn and the hands from the choices."""
    for part, found in (
        ({"product": "car"}, {"round": 10, "turn": "player_0"}),
        ({"deck": ["car", "tea_bowl"]}, {"round": 14}),
        ({"gone": ["car", "umbrella"]}, {"round": 11}),
        ({"last": LAST}, {"round": 2, "gone": ["katsu_curry"]}),
        (
            {"last": LAST, "earlier": [BEFORE], "round": 5},
            {"round": 5, "last": LAST, "earlier": [BEFORE], "seen": [[5100], [980], [2200], [400]]},
        ),
        ({"last": SOLD}, {"hand_sizes": [15, 14, 15, 15], "seen": [[5100], [], [980], [400]]}),
        ({"turn": None}, {"round": 18, "product": "", "winners": [0, 1, 2, 3]}),
        ({"won": [NINE, [], [], []]}, {"round": 9, "turn": None, "product": "", "winners": [0]}),
    ):
        view = table_of(part, seed=5, players=4).view()
        assert view | part | found == view | part, part
    assert view["deck"] == table_of(part, seed=5, players=4).view()["deck"]
    view = table_of({"chosen": [None, 85, 0, None], "seen": [[70], None, [], []]}, players=4).view()
    assert view["turn"] == "player_2"
    assert view["chosen"][0] in view["hands"][0]
    assert view["seen"] == [[70], [], [], []]
    assert 70 in view["hands"][0]
    assert 85 in view["hands"][1]


@pytest.mark.filterwarnings("default::DeprecationWarning")
def test_seen_cards_of_the_version_before_are_read_where_hands_list_them():
    with pytest.warns(DeprecationWarning, match=r"keys of an older version \(seen\)"):
        env = table_of({"hands": [[70, 100], [85], [], []], "seen": [85, 70]}, players=4)
    assert env.view()["seen"] == [[70], [85], [], []]
    old = {"round": 1, "hands": [[]] * 7, "hand_sizes": [0] * 7, "seen": [], "chosen": [10] + [0] * 6}
    with pytest.warns(DeprecationWarning, match="older version"):
        assert table_of(old, players=7).view()["turn"] == "player_1"
    with pytest.raises(PositionError, match="seen: must have 4 entries, got 1"):
        table_of({"hands": [[85], [], [], []], "seen": [70]}, players=4)


def test_a_drawn_winner_is_read_and_drawn_where_it_is_open():
    over = {"turn": None, "round": 18}
    for winner in range(4):
        env = table_of(over | {"winners": [winner]}, players=4, contest="draw")
        assert env.view()["winners"] == [winner]
    drawn = {
        tuple(table_of(over, seed=seed, players=4, contest="draw").view()["winners"]) for seed in range(40)
    }
    assert drawn == {(0,), (1,), (2,), (3,)}
    with pytest.raises(PositionError, match=r"winners: must be \[\d\], as the rest has it"):
        table_of(over | {"winners": [1, 2]}, players=4, contest="draw")


def test_too_many_products_of_a_letter_are_refused():
    """One A is in every game; the three of this position would be worth more points than there can be."""
    none = dict.fromkeys("BCD", 0)
    own = {
        "product": [
            PRODUCTS[name] | {"id": number, "set": "plus10" if number else "basic", "vp": 60}
            for number, name in enumerate(BASIC_A[:3])
        ],
        "counts": OWN["counts"] | {"product_cards": 3, "basic": none | {"A": 1}, "plus10": none | {"A": 2}},
        "limits": OWN["limits"] | {"rounds": 1},
    }
    with pytest.raises(PositionError, match="won: with gone, 3 products A, but only 1 can be"):
        table_of({"won": [EIGHT[:3], [], [], []]}, components=own, extra_products=True)


def test_two_seats_cannot_both_have_nine_products():
    names = [name for name, row in PRODUCTS.items() if row["set"] == "basic"]
    won = [{"product": name, "price": price} for name, price in zip(names, CARDS, strict=False)]
    with pytest.raises(PositionError, match="won: two seats cannot both have 9 products"):
        table_of({"won": [won[:9], won[9:], [], []], "winners": [0]}, players=4)


def test_positions_with_written_prices_have_no_cards():
    for key in ("hands", "seen"):
        with pytest.raises(PositionError, match=rf"{key}: must be \[\[\], .*as the rest has it"):
            table_of({key: [[50], [], [], [], [], [], []]}, players=7)
    with pytest.raises(PositionError, match="chosen: 70 is no price that may be written"):
        table_of({"chosen": [70, 0, 0, 0, 0, 0, 0]}, players=7)


# --- agents ------------------------------------------------------------------------------------


def near(a, b):
    return a != b and max(a, b) <= 2 * min(a, b)


def open_table(seed, rounds, **options):
    """A table some random rounds into a game, or None if the game is over by then."""
    env = table_of(seed=seed, raw=True, **options)
    stream = np.random.default_rng(seed)
    for _ in range(rounds * options["players"]):
        if not running(env):
            return None
        env.step(random_action(env, stream))
    return env if running(env) else None


@settings(max_examples=size(3, 12), deadline=None)
@given(st.integers(3, 4), st.booleans(), st.booleans(), st.lists(st.integers(0, 9), min_size=9, max_size=9))
def test_the_expert_weighs_all_sets_of_rival_bids(players, is_reversed, barred, weights):
    """Its chance is that of the auction itself, summed over all sets of rivals' bids by their weight."""
    prices = [70, 100, 150, 180, 290, 400, 680, 820, 1600]
    setup = Setup(
        GAME,
        {"players": players, "lowest_barred": barred, "written_prices": True},
        changed("written", prices=prices),
    )
    n, rivals = setup.box.prices, players - 1
    weight = np.array(weights, float)
    if np.count_nonzero(weight) < rivals + 1:
        weight[:4] = 1
    chance = np.zeros(n)
    agents.chances(setup.boxes[0], weight, is_reversed, chance)
    sets = [c for c in itertools.combinations(range(9), rivals) if all(weight[list(c)])]
    total = sum(prod(weight[list(c)]) for c in sets)
    for own in range(n):
        won = sum(
            prod(weight[list(c)])
            for c in sets
            if own not in c
            and winning_bid([prices[own], *(prices[k] for k in c)], is_reversed, barred) == prices[own]
        )
        assert chance[own] == pytest.approx(won / total)


def known_cards(view):
    """Of each hand the cards that the viewer knows."""
    return [hand or seen for hand, seen in zip(view["hands"], view["seen"], strict=True)]


def rival_weights(env, seat, row):
    """The weights of the bids of a rival as the greedy agent reckons them, from the view of its seat."""
    view = env.seat_view(f"player_{seat}")
    usual = PRODUCTS[view["product"]]["usual_price"]
    players = len(view["hands"])
    prices = CARDS if view["hand_sizes"][0] else LADDER
    if view["hand_sizes"][0]:
        paid = {item["price"] for products in view["won"] for item in products}
        hands = known_cards(view)
        known = set(itertools.chain(*hands))
        unknown = set(CARDS) - known - paid
        rival = (seat + row) % players
        hidden = view["hand_sizes"][rival] - len(hands[rival])
        share = [1 if p in hands[rival] else hidden / len(unknown) if p in unknown else 0 for p in prices]
    else:
        share = [1] * len(prices)
    weight = np.array(
        [s * (1 + (p <= 2 * usual and usual <= 2 * p)) for s, p in zip(share, prices, strict=True)]
    )
    return weight / weight.sum()


def greedy_chance(weights, prices, x, is_reversed, barred):
    """The greedy agent's estimate for one price, rival by rival over the three kinds of bids."""
    kinds = []
    for weight in weights:
        beyond = above = apart = 0.0
        for y, w in zip(prices, weight, strict=True):
            is_beyond = y < x if is_reversed else y > x
            if y == x:
                continue
            if is_beyond:
                beyond += 0 if near(x, y) else w
            elif near(x, y):
                above += w
            else:
                apart += w
        kinds.append({"beyond": beyond, "near": above, "apart": apart})
    total = 0.0
    for bids in itertools.product(("beyond", "near", "apart"), repeat=len(weights)):
        weight = prod(kind[bid] for kind, bid in zip(kinds, bids, strict=True))
        lonely = agents.LONELY[bids.count("beyond")]
        passed_over = bids.count("beyond") == len(bids)
        if "near" in bids or (passed_over and not barred):
            total += weight * lonely
    return total


@settings(max_examples=size(3, 12), deadline=None)
@given(seeds, st.integers(0, 16), st.integers(3, 5))
def test_greedy_takes_the_best_chance(seed, rounds, players):
    env = open_table(seed, rounds, players=players)
    if env is None:
        return
    observation, _, _, _, info = env.last()
    chosen = foodenvs.make_agent("greedy", env, "player_0").act(observation, info)
    view = env.view()
    weights = [rival_weights(env, 0, row) for row in range(1, players)]
    is_reversed = PRODUCTS[view["product"]]["reversed"]
    chance = {
        price: greedy_chance(weights, CARDS, price, is_reversed, players == 4) for price in view["hands"][0]
    }
    assert chance[CARDS[chosen]] == pytest.approx(max(chance.values()), abs=1e-9)


def expert_worth(env, price):
    """What the expert thinks of a card, over all sets of rivals' bids (few cards must be left for that)."""
    view = env.seat_view("player_0")
    players = len(view["hands"])
    paid = {item["price"] for products in view["won"] for item in products}
    hands = known_cards(view)
    unknown = set(CARDS) - set(itertools.chain(*hands)) - paid
    q = dict.fromkeys(CARDS, 0.0)
    for rival in range(1, players):
        size = view["hand_sizes"][rival]
        for card in hands[rival]:
            q[card] += 1 / size
        for card in unknown:
            q[card] += (size - len(hands[rival])) / size / len(unknown)
    up = PRODUCTS[view["product"]]
    usual = up["usual_price"]
    p = {y: w * (1.5 if y <= 2 * usual and usual <= 2 * y else 1) for y, w in q.items()}

    def chance(weight, is_reversed):
        cards = [y for y, w in weight.items() if w]
        total = won = 0.0
        for bids in itertools.combinations(cards, players - 1):
            w = prod(weight[y] for y in bids)
            total += w
            won += w * (winning_bid([price, *bids], is_reversed, players == 4) == price)
        return won / total

    seen = env.explain(env.observe("player_0"))
    pool = [row for row, flag in zip(OWN["product"], seen["pool"], strict=True) if flag]
    later = 0.0
    for row in pool:
        share = seen["left"]["ABCD".index(row["letter"])] / sum(
            other["letter"] == row["letter"] for other in pool
        )
        later += share * row["vp"] * chance(q, row["reversed"])
    left = seen["left"].sum()
    return up["vp"] * chance(p, up["reversed"]) - (later / left / 2 if left else 0)


@pytest.mark.parametrize(("seed", "rounds"), [(1, 3), (2, 9), (3, 13), (5, 15)])
def test_expert_takes_the_best_card(seed, rounds):
    env = open_table(seed, rounds, players=3)
    if env is None:
        pytest.fail("choose a seed whose game lasts")
    observation, _, _, _, info = env.last()
    chosen = foodenvs.make_agent("expert", env, "player_0").act(observation, info)
    worth = {price: expert_worth(env, price) for price in env.view()["hands"][0]}
    assert worth[CARDS[chosen]] == pytest.approx(max(worth.values()), abs=1e-9)


@pytest.mark.parametrize("agent", ["greedy", "expert"])
def test_agents_vary_the_price_they_write(agent):
    env = table_of(seed=1, players=7)
    made = foodenvs.make_agent(agent, env, "player_0")
    written = set()
    while running(env):
        observation, _, _, _, info = env.last()
        action = made.act(observation, info)
        assert action >= rules.CARDS
        written.add(action)
        env.step(action)
    assert len(written) > 5


# --- events --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bids", "position", "told"),
    [
        ("980 1200 400 5100 590", {"product": "umbrella", "deck": ["cup_noodles"]},
         "all bids: 980, 1,200, 400, 5,100 and 590 yen; player_1 gets umbrella for 1,200 yen; "
         "player_2 takes the card 980 of player_0; player_3 takes the card 400 of player_2; "
         "player_4 takes the card 5,100 of player_3; player_0 takes the card 590 of player_4; "
         "next comes cup_noodles"),
        ("100000 12000 3000 210", {"product": "umbrella", "deck": ["cup_noodles"]},
         "all bids: 100,000, 12,000, 3,000 and 210 yen; umbrella leaves the game; "
         "player_1 takes the card 100,000 of player_0; player_2 takes the card 12,000 of player_1; "
         "player_3 takes the card 3,000 of player_2; player_0 takes the card 210 of player_3; "
         "next comes cup_noodles"),
        ("2000 1000 400 150 60 25 10", {"product": "umbrella", "deck": ["haircut"]},
         "all bids: 2,000, 1,000, 400, 150, 60, 25 and 10 yen; player_0 gets umbrella for 2,000 yen; "
         "next comes haircut"),
    ],
)  # fmt: skip
def test_a_round_is_told_in_a_sentence(bids, position, told):
    env = told_round([int(bid) for bid in bids.split()], position)
    assert env.in_words(env.events("player_0")) == f"player_{env.num_agents - 1}: chose in secret; {told}"
    assert env.in_words(env.events("open")).endswith(told)


def test_a_choice_is_told_to_who_made_it_and_what_was_drawn_by_lot_and_nine_products_to_all():
    env = told_round([5000, 5000, 100, 25, 10, 10, 10], {"product": "umbrella", "deck": ["haircut"]}, 1)
    assert env.in_words(env.events("player_0")) == "player_0 chooses 5,000 yen"
    assert env.in_words(env.events("player_1")) == env.in_words(env.events()) == "player_0: chose in secret"
    play_round(env, [5000, 100, 25, 10, 10, 10])
    assert "gets umbrella for 10 yen, by lot; next comes haircut" in env.in_words(env.events())
    *eight, last = [name for name, row in PRODUCTS.items() if row["set"] == "basic" and not row["reversed"]][
        :9
    ]
    won = [{"product": product, "price": 100} for product in eight]
    env = told_round([2000, 1000, 400, 150, 60, 25, 10], {"won": [won, *[[]] * 6], "product": last})
    points = sum(PRODUCTS[name]["vp"] for name in (*eight, last))
    end = f"gets {last} for 2,000 yen; has 9 products and wins at once; wins with {points} points"
    assert env.in_words(env.events()).endswith(end)


def told_round(bids, position, seats=10):
    """The environment after the first seats have bid, in yen."""
    hands = {} if len(bids) >= 7 else {"hands": [[bid] for bid in bids]}
    env = foodenvs.make("katsu_curry", players=len(bids), events=True)
    env.reset(seed=1, options={"position": position | hands})
    play_round(env, bids[:seats])
    return env
