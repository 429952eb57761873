"""Search finds the line of play that wins, whatever is hidden and whatever the others do."""

import copy
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import pytest
from helpers import size

import foodenvs
from foodenvs.agents import make_agent
from foodenvs.engine import PURE

QUICK = "ismcts:iterations=100,prior=0.5"
TRIES = size(32, 64)


class Win(NamedTuple):
    """A position in which `player_0` is to act, and its choices that win: the first ones, or all.

    Where only one action is legal there is no choice.
    """

    game: str
    players: int
    position: dict[str, Any]
    line: list[str]
    options: Mapping[str, Any] = MappingProxyType({})
    agents: tuple[str, ...] = (
        "ismcts:iterations=300",
        "ismcts:iterations=300,rollout=random",
        "cheater:iterations=300",
    )


def prices(text):
    return [int(price) for price in text.split()]


def sold(products, cards):
    """Products that a seat has won at Katsu Curry, and the price cards below them."""
    return [
        {"product": name, "price": price} for name, price in zip(products.split(), prices(cards), strict=True)
    ]


LOW = prices("150 180 210 250 290 350 400 480 590 680 820 980 1200 1400 1600 1900 2200 2600 3000 3600")
HIGH = prices("8500 10000 15000 26000 46000 82000 160000 330000 400000 780000 2500000 4700000")
MORE_HIGH = prices(
    "12000 18000 26000 38000 55000 82000 130000 210000 330000 510000 780000 1400000 2500000 4700000 8800000"
)

WINS = {
    # Second card of the last turn: only the 5 takes the two fat columns; four points behind without them.
    "the card that takes two columns": Win(
        "scratch_catch",
        2,
        {
            "line": ["4", "4", "4", "5", "6", "6", "6", "9"],
            "hands": [["1", "2", "5"], ["?"] * 4],
            "cats": [10, 12],
            "fleas": [8, 8],
            "play": 2,
            "turn": "player_0",
            "ended_by": "player_1",
        },
        ["hand 5"],
    ),
    # First card of it: the 9 laid first is what makes the 10 a column worth taking; alone it is not.
    "two cards for one column": Win(
        "scratch_catch",
        2,
        {
            "line": ["2", "8", "8", "8", "8"],
            "hands": [["9", "9", "1", "5*"], ["?"] * 4],
            "cats": [10, 12],
            "fleas": [8, 8],
            "turn": "player_0",
            "ended_by": "player_1",
        },
        ["hand 9", "hand 9"],
    ),
    # The donation is sold in reverse. The low cards are all with one, the high ones with the other, and
    # 12,000,000 is more than twice each: no bids are near, so it wins, being the highest. It is the ninth
    # product of player_0; else it may well be that of player_2.
    "the price that is apart from all": Win(
        "katsu_curry",
        3,
        {
            "product": "earthquake_donation",
            "won": [
                sold(
                    "katsu_curry cup_noodles draft_beer movie_ticket umbrella sukiyaki gift_melon haircut",
                    "85 100 120 4300 5100 6100 7000 18000",
                ),
                [],
                sold(
                    "car wedding_gift diamond_ring grand_piano smartphone tea_bowl taxi_home golf_membership",
                    "32000 55000 100000 210000 510000 1400000 6400000 8800000",
                ),
            ],
            "hands": [
                prices("70 12000 22000 38000 68000 130000 250000 630000 1000000 1900000 3500000 12000000"),
                LOW,
                HIGH,
            ],
            "seen": [[], LOW, HIGH],
        },
        ["play 12000000"],
    ),
    # 70 wins any round in which low and high stay where they are: all are apart, so the lowest wins. Only the
    # vote is worth it, and only 4,300 lets player_1 win the tea bowl before and adds no low card to the high.
    "a round lost for the next": Win(
        "katsu_curry",
        3,
        {
            "product": "tea_bowl",
            "won": [
                sold(
                    "sukiyaki cup_noodles draft_beer umbrella movie_ticket haircut golf_membership",
                    "85 100 120 2200 2600 3000 3600",
                ),
                sold("grand_piano diamond_ring car katsu_curry", "5100 6100 7000 8500"),
                sold(
                    "earthquake_donation wedding_gift smartphone taxi_home gift_melon",
                    "46000 160000 630000 1900000 12000000",
                ),
            ],
            "hands": [
                prices("70 4300 10000 15000 22000 32000 68000 100000 250000 400000 1000000 3500000 6400000"),
                LOW[:16],
                MORE_HIGH,
            ],
            "seen": [[], LOW[:16], MORE_HIGH],
        },
        ["play 4300", "play 70"],
        # Every pair of bids leads to a node of its own, where a search without a prior tries all cards first.
        agents=("ismcts:iterations=3000", "cheater:iterations=3000"),
    ),
    # The last turn, ten points to get: a bucket with both chickens is the best dish, two hot dogs are better.
    "two dishes in place of the best": Win(
        "catchup_mousetard",
        2,
        {
            "round": 100,
            "phase": "serve",
            "scores": [40, 49],
            "hands": [["roll2", "roll2", "double_chicken", "double_chicken", "barbecue"], ["?"] * 5],
            "own_sauces": [0, 3],
        },
        ["dish chicken_hot_dog"],
    ),
    # The last turn: a ketchup or a roll would make better dishes, but what is left of the fridge is chicken.
    "the deck that holds nothing else": Win(
        "catchup_mousetard",
        2,
        {
            "round": 100,
            "floor": "onion",
            "scores": [41, 49],
            "hands": [["bun3", "veal2", "mixed_veal", "potato2", "mayonnaise", "onion"], ["bun2", "ketchup"]],
            "own_sauces": [0, 3],
            "decks": {"fridge": ["chicken2", "chicken2"]},
            "deck_sizes": {"fridge": 2},
        },
        ["draw fridge", "dish chicken_hamburger", "add potato2", "add onion"],
    ),
    # The last round: ice cream completes an order of 4, medium fries one of 10; five points behind.
    "the order that pays enough": Win(
        "fast_food_fury",
        2,
        {
            "round": 200,
            "orders": ["cheeseburger-6", "veggieburger-1"],
            "order_deck": [],
            "table": ["ice_cream-2", "hamburger-1", "medium_fries-1", "broccoli-1"],
            "placed": {"A": [["salami-1", "apple_juice-1", "apple_juice-2"], ["ice_cream-1"]]},
            "won": {"A": ["hamburger-2"], "B": ["cheeseburger-1"]},
            "hits_left": [1, 0],
        },
        ["hit 2"],
    ),
    # Soda completes an order of 2; so does juice, but it completes the one of 10 too. player_0 is quicker.
    "the quick hand and the right order": Win(
        "fast_food_fury",
        2,
        {
            "round": 200,
            "orders": ["cheeseburger-6", "small_fries-1"],
            "order_deck": [],
            "table": ["lemon_soda-1", "hamburger-1", "apple_juice-3", "broccoli-1"],
            "placed": {
                "A": [["salami-1", "apple_juice-1", "medium_fries-1"], ["lemon_soda-2"]],
                "B": [["salami-2", "apple_juice-2", "medium_fries-2"], ["lemon_soda-3"]],
            },
            "won": {"A": ["hamburger-2"], "B": ["cheeseburger-1"]},
            "hits_left": [1, 2],
        },
        ["hit 2", "place 0"],
        {"reaction": [1, 0]},
    ),
    # Three wines left over are three stars; the best of them on the plate may be second to another's.
    "the wine that stays in the cellar": Win(
        "critter_kitchen",
        2,
        {
            "phase": "critic",
            "round": 7,
            "critic": "badger",
            "rumours": ["wine_cellar", "sommelier", "big_cheese"],
            "current_courses": ["wine"],
            "meals": [["bread 2"]],
            "seats": [
                {"stock": ["bread 2", "wine 2", "wine 3", "wine 4"], "rumours": [1, 2, 3]},
                {"stock": ["meat 5", "wine 7"]},
            ],
        },
        ["next"],
    ),
    # The better bread is two stars less than the three for bread and wine that make ten together.
    "bread for a later wine": Win(
        "critter_kitchen",
        2,
        {
            "phase": "critic",
            "round": 7,
            "critic": "badger",
            "rumours": ["tender", "sommelier", "big_cheese"],
            "seats": [
                {"stock": ["bread 3", "bread 6", "wine 6", "wine 7"], "rumours": [1, 2, 3]},
                {"stock": ["bread 4"], "stars": 4},
            ],
        },
        ["bread 3", "wine 7"],
    ),
}


@pytest.fixture(params=list(WINS))
def win(request):
    return WINS[request.param]


def start(win):
    env = foodenvs.make(win.game, players=win.players, **win.options)
    env.reset(seed=1, options={"position": win.position})
    return env


def legal(env):
    return np.flatnonzero(env.infos[env.agent_selection]["action_mask"])


def over(env):
    return env.terminations[env.agent_selection] or env.truncations[env.agent_selection]


def go_on(env, rng):
    """To the next choice of `player_0` or the end, the others at random."""
    while not over(env) and (env.agent_selection != "player_0" or len(legal(env)) == 1):
        env.step(rng.choice(legal(env)))


def after(env, action, rng):
    other = copy.deepcopy(env)
    other.step(action)
    go_on(other, rng)
    return other


def wins(env, action, tries):
    """Whether an action wins in every try at what is hidden and what the others do.

    After it `player_0` may go on in any way, as long as that is the same whatever it cannot know.
    """
    return all(
        is_won(after(env.determinized("player_0", seed), action, np.random.default_rng(seed)), tries // 8)
        for seed in range(max(1, tries))
    )


def is_won(env, tries):
    if over(env):
        return env.returns()["player_0"] == 1
    return any(wins(env, action, tries) for action in legal(env))


def choices(env, agent_id, seed):
    """The choices of an agent in the place of `player_0`, in words, up to the end of `env`."""
    agent, rng = make_agent(agent_id, env, "player_0"), np.random.default_rng(seed)
    agent.reset(seed)
    chosen = []
    go_on(env, rng)
    while not over(env):
        observation, *_, info = env.last()
        action = agent.act(observation, info)
        chosen.append(env.action_name(action))
        env.step(action)
        go_on(env, rng)
    return chosen


@pytest.mark.skipif(PURE, reason="many games take the compiler")
def test_one_choice_alone_wins_for_certain(win):
    env, rng = start(win), np.random.default_rng(1)
    for name in win.line:
        assert [env.action_name(action) for action in legal(env) if wins(env, action, TRIES)] == [name]
        env = after(env, env.parse_action(name), rng)


def test_a_search_finds_the_forced_win(win):
    env = start(win)
    for agent_id in (QUICK,) if PURE else (QUICK, *win.agents):
        for seed in range(1 if PURE else 5):
            game = copy.deepcopy(env)
            assert choices(game, agent_id, seed)[: len(win.line)] == win.line, (agent_id, seed)
            assert game.returns()["player_0"] == 1, (agent_id, seed)


def test_chance_does_not_find_it(win):
    env = start(win)
    tries = [choices(copy.deepcopy(env), "random", seed) for seed in range(20)]
    assert sum(chosen[: len(win.line)] == win.line for chosen in tries) < 10
