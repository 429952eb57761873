"""Scratch & Catch: the invariants of its rules along random games, positions, components, worked numbers."""

import numpy as np
import pytest
from helpers import size
from hypothesis import given, settings
from hypothesis import strategies as st

import foodenvs
from foodenvs.games.scratch_catch.rules import CARDS, DECK, KINDS, VALUES
from foodenvs.games.scratch_catch.words import CARD_NAMES, cards


def walk(seed, choices, **options):
    """Yield (view before, action name, view after) along a game; `choices` picks among the legal actions."""
    env = foodenvs.make("scratch_catch", **options)
    env.reset(seed=seed)
    step = 0
    while not any(env.terminations.values()):
        before = env.view()
        legal = np.flatnonzero(env.infos[env.agent_selection]["action_mask"])
        action = int(legal[choices[step % len(choices)] % len(legal)])
        step += 1
        env.step(action)
        yield before, env.action_name(action), env.view()


GAME = {
    "seed": st.integers(0, 2**63 - 1),
    "choices": st.lists(st.integers(0, 4), min_size=1, max_size=80),
    "players": st.integers(2, 6),
    "first_player": st.sampled_from([0, 1, None]),
    "isolated_fleas": st.integers(0, 1),
    "chakapuces_points": st.integers(0, 1),
    "deck_end": st.sampled_from(["refill", "empty"]),
}


@settings(max_examples=size(6, 25), deadline=None)
@given(**GAME)
def test_no_card_is_lost_and_piles_add_up(seed, choices, **options):
    spread = foodenvs.make("scratch_catch").setup.box.count
    total = sorted(card for kind, card in enumerate(CARD_NAMES) for _ in range(spread[kind]))
    for _, _, view in walk(seed, choices, **options):
        everywhere = (
            view["line"] + view["taken"] + view["deck"] + [card for hand in view["hands"] for card in hand]
        )
        assert sorted(everywhere) == total
        assert sum(view["cats"]) == sum("*" not in card for card in view["taken"])
        assert sum(view["chakapuces"]) == sum("*" in card for card in view["taken"])


@settings(max_examples=size(6, 25), deadline=None)
@given(**GAME)
def test_a_turn_is_two_cards_and_only_the_second_has_an_effect(seed, choices, **options):
    decisions = 0
    for before, action, after in walk(seed, choices, **options):
        decisions += 1
        seat = int(before["turn"][-1])
        others = [p for p in range(options["players"]) if p != seat]
        if before["play"] == 1:  # SC-11
            assert len(before["hands"][seat]) == 4
            if before["ended_by"] is None:
                assert before["deck_size"] % 2 == 0
            changed = {key for key in before if before[key] != after[key]}
            assert changed <= {"line", "hands", "hand_sizes", "deck", "deck_size", "play"}
            assert (after["turn"], after["play"]) == (before["turn"], 2)
            assert (before["deck_size"] - after["deck_size"] == 1) == (action == "deck")
            continue
        gained = [after["fleas"][p] - before["fleas"][p] for p in range(options["players"])]
        assert gained[seat] <= 0
        assert len({gained[p] for p in others}) == 1  # SC-19
        assert 0 <= gained[others[0]] <= 8
        if after["cats"] != before["cats"] or after["chakapuces"] != before["chakapuces"]:
            assert gained[seat] == 0
        for key in ("cats", "chakapuces"):
            assert all(a >= b for a, b in zip(after[key], before[key], strict=True))
        assert len(after["taken"]) >= len(before["taken"])
        assert all(0 <= fleas <= 112 for fleas in after["fleas"])
        assert len(after["line"]) >= 1
        if before["ended_by"] is not None:
            assert after["ended_by"] == before["ended_by"]  # SC-26
        elif after["ended_by"] is None:
            assert 0 not in after["fleas"]
    assert decisions % 2 == 0
    assert decisions <= foodenvs.make("scratch_catch", **options).metadata["max_decisions"]


@settings(max_examples=size(5, 20), deadline=None)
@given(**GAME)
def test_exactly_one_turn_each_follows_the_end(seed, choices, **options):
    ended_at, turns = None, 0
    for before, _, after in walk(seed, choices, **options):
        if before["play"] == 2:
            turns += 1
        if ended_at is None and after["ended_by"] is not None:
            ended_at = turns
    assert turns - ended_at == options["players"] - 1  # SC-27


@settings(max_examples=size(3, 15), deadline=None)
@given(**GAME)
def test_scores_are_within_their_extremes_and_the_winner_has_the_most(seed, choices, **options):
    env = foodenvs.make("scratch_catch", **options)
    *_, (_, _, view) = walk(seed, choices, **options)
    env.reset(options={"position": view})
    scores, returns = list(env.scores().values()), list(env.returns().values())
    assert all(-12 <= score <= 79 + 12 * options["chakapuces_points"] for score in scores)
    key = [(score, -fleas) for score, fleas in zip(scores, view["fleas"], strict=True)]
    winners = [p for p in range(options["players"]) if key[p] == max(key)]  # SC-31, SC-32, SC-33
    assert [p for p, r in enumerate(returns) if r == max(returns)] == winners


def test_the_most_fleas_fit_as_computed():
    """22 at the start and 90 by the Chakapuces cards of the assumed spread."""
    assert foodenvs.make("scratch_catch", players=2).setup.box.fleas_max == 112


# --- positions ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("position", "message"),
    [
        ({"colour": 1}, "colour: unknown key; there are game, players"),
        ({"players": 4}, "players: must be 3, as in the environment"),
        ({"line": "5"}, "line: must be a list"),
        ({"line": [5]}, "line: must be a string, got 5"),
        ({"line": ["11"]}, "line: '11' is no card"),
        ({"line": ["?"]}, "line: '\\?' is no card"),
        ({"line": ["1"] * 6}, "line: more cards 1 than there are"),
        ({"line": ["6*"] * 2, "deck": ["6*"]}, "deck: more cards 6\\* than there are"),
        ({"hands": [[]] * 3}, "hands: player_0 must have 4 cards, got 0"),
        ({"hands": [["?"] * 4] * 2}, "hands: must have 3 entries, got 2"),
        ({"hands": [["?"] * 4, ["?"] * 4, 4]}, "hands: must be a list"),
        ({"hands": [["?"] * 4, ["?"] * 4, ["?", 1, "?", "?"]]}, "hands: 1 is no card"),
        ({"hands": [["?"] * 4, ["?"] * 3, ["?"] * 4]}, "hands: player_1 must have 4 cards, got 3"),
        (
            {"hands": [["?"] * 2] * 3, "line": ["1"], "play": 2},
            "hands: player_0 must have 3 or 4 cards, got 2",
        ),
        ({"cats": [1, 2]}, "cats: must have 3 entries, got 2"),
        ({"cats": [30, 30, 30]}, "cats: the piles need"),
        ({"chakapuces": [13, 0, 0]}, "chakapuces: the piles need"),
        ({"taken": ["5"]}, "taken: lists more cats than the 0 in the piles"),
        ({"fleas": [1, 2, 113]}, "fleas: must be 0 to 112, got 113"),
        ({"fleas": [0, 2, 3]}, "fleas: nobody can have 0 while ended_by is none"),
        ({"hand_sizes": [4, 4, 3]}, "hands: player_2 must have 4 cards, got 3"),
        (
            {"hand_sizes": [4, 4, 3], "hands": [["?"] * 4] * 3},
            r"hand_sizes: must be \[4, 4, 4\], as the rest has it",
        ),
        ({"deck_size": 3}, "deck_size: must be 64, as the rest has it, got 3"),
        ({"turn": "none"}, "turn: can be none only when ended_by is set"),
        ({"turn": "player_3"}, "turn: must be one of none, player_0, player_1, player_2"),
        ({"turn": "player_1", "ended_by": "player_1"}, "turn: cannot be the seat that ended the game"),
        ({"play": 3}, "play: must be 1 to 2, got 3"),
        ({"play": True}, "play: must be a whole number, got True"),
        ({"play": 2}, "play: cannot be 2 while the line is empty"),
        (
            {"play": 2, "turn": "none", "ended_by": "player_0", "line": ["1"]},
            "play: must be 1 when the game is over",
        ),
    ],
)
def test_a_position_that_cannot_be_is_refused_by_its_key(position, message):
    env = foodenvs.make("scratch_catch")
    with pytest.raises(ValueError, match=f"position: {message}"):
        env.reset(seed=1, options={"position": position})


@pytest.mark.parametrize("size", [2, 3, 4])
def test_a_seat_without_a_turn_to_come_may_hold_fewer_cards_when_the_deck_is_empty(size):
    """player_2 ended the game and player_0 has played; player_1 is to play."""
    rest = CARDS - 4 - size - 4 - 1
    position = {
        "line": ["1"],
        "hands": [["?"] * size, ["?"] * 4, ["?"] * 4],
        "cats": [rest - 12, 0, 0],
        "chakapuces": [0, 0, 12],
        "turn": "player_1",
        "ended_by": "player_2",
    }
    env = foodenvs.make("scratch_catch")
    env.reset(seed=1, options={"position": position})
    assert len(env.view()["hands"][0]) == size
    position["turn"] = "player_0"
    if size < 4:
        with pytest.raises(ValueError, match="hands: player_0 must have 4 cards"):
            env.reset(seed=1, options={"position": position})


def test_what_a_position_leaves_open_is_drawn_uniformly():
    """Of 15 Cats of 5 and 5* that could be the "?", each card is drawn as often as it is left."""
    env = foodenvs.make("scratch_catch", players=2)
    counts = np.zeros(KINDS)
    for seed in range(400):
        env.reset(seed=seed, options={"position": {"hands": [["1"] * 4, ["?"] * 4]}})
        for card in env.view()["hands"][1]:
            counts[CARD_NAMES.index(card)] += 1
    left = np.array(env.setup.box.count, float) - np.eye(KINDS)[0] * 4
    assert_in_proportion(counts, left)


def assert_in_proportion(counts, weights):
    """By chi-square with at most 19 degrees of freedom at p = 0.001."""
    assert not counts[weights == 0].any()
    expected = counts.sum() * weights / weights.sum()
    some = weights > 0
    assert ((counts[some] - expected[some]) ** 2 / expected[some]).sum() < 43.8


def test_a_deal_is_uniform_over_all_cards():
    """Every kind is dealt to every place as often as it is there: hands, line and top of the deck."""
    env = foodenvs.make("scratch_catch", players=2)
    dealt = np.zeros((4, KINDS))
    for seed in range(200):
        env.reset(seed=seed)
        view = env.view()
        for place, held in enumerate([*view["hands"], view["line"], view["deck"][:4]]):
            for card in held:
                dealt[place, CARD_NAMES.index(card)] += 1
    for counts in dealt:
        assert_in_proportion(counts, np.array(env.setup.box.count, float))


def test_a_redeal_is_uniform_over_the_unseen_cards():
    env = foodenvs.make("scratch_catch", players=2)
    env.reset(seed=3)
    unseen = env.explain(env.observe("player_0"))["unseen"].astype(float)
    counts = np.zeros(KINDS)
    for seed in range(400):
        for card in env.determinized("player_0", seed).view()["hands"][1]:
            counts[CARD_NAMES.index(card)] += 1
    assert_in_proportion(counts, unseen)


@settings(max_examples=size(3, 10), deadline=None)
@given(**GAME)
def test_the_open_table_shows_every_card_and_a_seats_table_its_own_hand(seed, choices, **options):
    env = foodenvs.make("scratch_catch", render_mode="ansi", **options)
    for _, _, view in walk(seed, choices, **options):
        env.reset(options={"position": view})
        texts = {viewer: env.render(viewer) for viewer in (*env.agents, "open", None)}
        for agent, hand in zip(env.agents, view["hands"], strict=True):
            line = f"hand of {agent}: {' '.join(hand)}\n"
            assert [viewer for viewer in texts if line in texts[viewer]] == [agent, "open"]
        deck = f"deck, top first: {' '.join(view['deck'])}"
        assert (deck in " ".join(texts["open"].split())) == (view["deck"] != [])
        assert not any("top first" in texts[viewer] for viewer in (*env.agents, None))
        assert max(map(len, texts["open"].splitlines())) <= 80


# --- options and components --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"players": 1}, "players must be 2 to 6, got 1"),
        ({"players": 7}, "players must be 2 to 6, got 7"),
        ({"first_player": 3}, "first_player must be 0 to 2 or None, got 3"),
        ({"first_player": 6}, "first_player must be 0, 1, 2, 3, 4, 5 or None, got 6"),
        ({"isolated_fleas": 2}, "isolated_fleas must be 0 to 1, got 2"),
        ({"chakapuces_points": 2}, "chakapuces_points must be 0 to 1, got 2"),
        ({"deck_end": "never"}, 'deck_end must be "refill" or "empty", got \'never\''),
    ],
)
def test_options_beyond_what_is_allowed_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        foodenvs.make("scratch_catch", **options)


def spread(cats, chakapuces):
    return {
        "distribution": {"source": "mine", "cats": cats, "chakapuces": chakapuces},
        "cards": {
            "source": "mine",
            "values": [1, 10],
            "cats": sum(cats),
            "chakapuces": sum(chakapuces),
            "total": sum(cats) + sum(chakapuces),
        },
    }


@pytest.mark.parametrize(("first", "starts"), [(0, {0}), (2, {2}), (None, {0, 1, 2})])
def test_the_option_names_the_seat_that_starts_or_leaves_it_to_chance(first, starts):
    """SC-07"""
    env = foodenvs.make("scratch_catch", first_player=first)
    found = set()
    for seed in range(20):
        env.reset(seed=seed)
        found.add(int(env.view()["turn"][-1]))
    assert found == starts


NEARLY_FLAT = ([6, 6, 6, 7, 7, 7, 7, 6, 6, 6], [0, 0, 0, 3, 3, 3, 3, 0, 0, 0])


@pytest.mark.parametrize("cards_of", [NEARLY_FLAT, ([0] * 9 + [64], [0] * 9 + [12])])
def test_any_spread_of_the_printed_cards_is_a_game(cards_of):
    """So many fleas as could come together are not met; but nobody has more than 127 (SC-02)."""
    env = foodenvs.make("scratch_catch", players=2, components=spread(*cards_of))
    assert env.setup.box.fleas_max == 127
    assert foodenvs.play(env, ["greedy", "random"], 1).decisions <= env.metadata["max_decisions"]


def test_nobody_gets_more_than_127_fleas():
    """SC-02, SC-19: a column of 64 and one more."""
    env = foodenvs.make("scratch_catch", players=2, components=spread([0] * 9 + [64], [0] * 9 + [12]))
    position = {"line": ["10"] * 40, "hands": [["10*"] * 4, ["10"] * 4], "fleas": [20, 90], "play": 2}
    env.reset(seed=1, options={"position": position})
    env.step(env.parse_action("hand 10*"))
    assert env.view()["fleas"] == [20, 127]
    assert env.explain(env.observe("player_0"))["fleas"].tolist() == [20, 127]


def test_own_cards_are_played_with(tmp_path):
    cats, chakapuces = [2, 2, 2, 0, 0, 0, 0, 0, 0, 0], [1, 1, 1, 0, 0, 0, 0, 0, 0, 0]
    env = foodenvs.make("scratch_catch", players=2, components=spread(cats, chakapuces) | {
        "game": {"hand": 2, "line_at_setup": 1}
    })  # fmt: skip
    env.reset(seed=1)
    view = env.view()
    assert sorted(view["line"] + view["deck"] + [card for hand in view["hands"] for card in hand]) == sorted(
        cards(env.setup.box.count)
    )
    assert [len(hand) for hand in view["hands"]] == [2, 2]
    dealt = env.state()
    env.reset(options={"position": view})
    assert np.array_equal(env.state(), dealt)
    assert foodenvs.play(env, ["greedy", "random"], 1).decisions <= env.metadata["max_decisions"] == 8


@pytest.mark.parametrize(
    ("components", "message"),
    [
        ({"distribution": {"cats": [5] * 10}}, r"\[distribution\]: chakapuces: is missing"),
        (spread([6] * 9, [1] * 10), r"\[distribution\]: cats: must have 10 entries, got 9"),
        (spread([-1] + [7] * 9, [1] * 10), r"\[distribution\]: cats: must be 0 to 99, got -1"),
        (spread([1.5] + [7] * 9, [1] * 10), r"\[distribution\]: cats: must be a whole number, got 1.5"),
        (spread([7] * 10, [1] * 10), r"\[distribution\]: must have 16 .* to 76 cards, got 80"),
        (spread([1] * 10, [0] * 10), r"\[distribution\]: must have 16 .* to 76 cards, got 10"),
        (spread([6] * 10, [1] * 10) | {"cards": {"cats": 64, "chakapuces": 10, "total": 70}},
         r"\[cards\]: cats: must be 60, the sum of the distribution, got 64"),
        ({"start_fleas": {"3": 20}}, r"\[start_fleas\]: 2: is missing"),
        ({"start_fleas": {str(p): 0 for p in range(2, 7)}}, r"\[start_fleas\]: 3: must be 1 to 99, got 0"),
        ({"flea_points": []}, r"\[flea_points\]: must have 1 to 12 rows, got 0"),
        ({"flea_points": [{"from": 1, "points": 0}]}, r"\[flea_points\] row 1: from: must be 0 to 0, got 1"),
        ({"flea_points": [{"from": 0, "to": 3, "points": 0}]}, r"\[flea_points\] row 1: to: must be left"),
        ({"flea_points": [{"from": 0, "points": 0}, {"from": 4, "points": 1}]}, r"row 1: to: is missing"),
        ({"game": {"hand": 5, "line_at_setup": 4}}, r"\[game\]: hand: must be 2 to 4, got 5"),
        ({"game": {"hand": 4, "line_at_setup": 5}}, r"\[game\]: line_at_setup: must be 1 to 4, got 5"),
        ({"flea_points": "none"}, r"\[flea_points\] must be an array of tables"),
    ],
)  # fmt: skip
def test_components_that_cannot_be_are_refused_by_table_and_key(components, message):
    with pytest.raises(ValueError, match=message):
        foodenvs.make("scratch_catch", components=components)


def test_a_file_of_components_is_read_and_a_broken_one_named(tmp_path):
    good, bad = tmp_path / "good.toml", tmp_path / "bad.toml"
    good.write_text('[[flea_points]]\nsource = "mine"\nfrom = 0\npoints = 7\n')
    env = foodenvs.make("scratch_catch", components=str(good))
    env.reset(seed=1)
    assert env.scores() == {"player_0": 7, "player_1": 7, "player_2": 7}
    bad.write_text("[[flea_points]\n")
    with pytest.raises(ValueError, match=r"bad\.toml: is not valid TOML"):
        foodenvs.make("scratch_catch", components=bad)


# --- greedy ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "hand", "play", "expected"),
    [
        # a pair 6, 7 onto 5: a run of three is worth 3; no other pair is better
        (["2", "5"], ["6", "7", "9", "1"], 1, "hand 6"),
        # 4 then 5 onto 4 4 and 5: the column of 5s takes three Cats of 4
        (["4", "4", "5"], ["4", "5", "10", "10"], 1, "hand 4"),
        # equal cards are a pair too: 5, 5 makes a column that takes both 4s and both 6s
        (["4", "4", "6", "6"], ["5", "5", "8", "8*"], 1, "hand 5"),
        # second card: a column of 5s takes two Cats, a straight would lose three fleas
        (["3", "4", "5", "6"], ["5", "7", "1"], 2, "hand 7"),
        # a Chakapuces counts its column: m + 1 = 3 on two cards, against a straight of two
        (["2", "2", "8"], ["2*", "9", "5"], 2, "hand 2*"),
        # nothing is worth anything: the deck
        (["1"], ["4", "6", "9"], 2, "deck"),
    ],
)
def test_greedy_plays_the_pair_worth_most(line, hand, play, expected):
    env = foodenvs.make("scratch_catch", players=2)
    env.reset(seed=1, options={"position": {"line": line, "hands": [hand, ["?"] * 4], "play": play}})
    observation, *_, info = env.last()
    assert env.action_name(foodenvs.make_agent("greedy", env).act(observation, info)) == expected


def test_the_numbering_of_actions():
    env = foodenvs.make("scratch_catch")
    assert (DECK, VALUES, KINDS) == (20, 10, 20)
    assert [env.action_name(a) for a in (0, 9, 10, 19, 20)] == [
        "hand 1",
        "hand 10",
        "hand 1*",
        "hand 10*",
        "deck",
    ]


TABLE = {
    "turn": "player_0",
    "line": ["2", "5", "5*", "7"],
    "hands": [["4", "6", "6*", "9"], ["1", "1", "2", "3"]],
}
ALONE = {"line": ["2"]}
LAST_CARD = {"deck": ["8"], "cats": [53, 0], "chakapuces": [10, 0]}
STRAIGHT = "completes a straight of"


@pytest.mark.parametrize(
    ("given", "actions", "told"),
    [
        ({}, "6* 6", "plays 6; catches 5, 5* and 7: +2 cats; draws 2 cards"),
        ({}, "4 6", f"plays 6; {STRAIGHT} 4 and loses 4 fleas; draws 2 cards"),
        ({}, "4 6*", f"plays 6*; {STRAIGHT} 4 and loses 4 fleas; player_1 takes 1 flea; "
         "player_0 draws 2 cards"),
        (ALONE, "4 6", "plays 6; finds no neighbours; draws 2 cards"),
        (ALONE, "6 6*", "plays 6*; catches nothing; player_1 takes 2 fleas; player_0 draws 2 cards"),
        ({"fleas": [3, 9]}, "4 6", f"plays 6; {STRAIGHT} 4 and loses 3 fleas; draws 2 cards; "
         "has no fleas left; the others have one last turn"),
        (LAST_CARD, "9 deck", f"turns up 8 from the deck; {STRAIGHT} 3 and loses 3 fleas; "
         "meets the end of the deck; the others have one last turn"),
    ],
)  # fmt: skip
def test_what_came_of_a_turn_is_told_in_a_sentence(given, actions, told):
    env = told_of({**TABLE, **given}, actions)
    assert env.in_words(env.events()) == f"player_0 {told}"


def test_the_cards_drawn_are_told_to_who_drew_them():
    env = told_of({**TABLE, "deck": ["8", "3*", "10"]}, "9 6")
    assert env.in_words(env.events("player_0")).endswith("; draws 3* and 8")
    assert env.in_words(env.events("open")).endswith("; draws 3* and 8")
    assert env.in_words(env.events("player_1")).endswith("; draws 2 cards")


def test_the_winner_is_told():
    env = told_of({**TABLE, "fleas": [3, 9]}, "4 6 1 1")
    told = "player_1 plays 1; catches 2: +1 cat; draws 2 cards; player_0 wins with 15 points"
    assert env.in_words(env.events()) == told


def test_each_other_seat_is_said_to_take_the_fleas_that_it_gets():
    """SC-19, and no more than 127 (SC-02)."""
    components = spread([0] * 9 + [64], [0] * 9 + [12])
    position = {"line": ["10"] * 5, "hands": [["10*"] * 4, ["10"] * 4, ["10"] * 4], "fleas": [9, 126, 9]}
    env = told_of(position, "10* 10*", players=3, components=components)
    assert env.in_words(env.events()) == (
        "player_0 plays 10*; catches nothing; player_1 takes 1 flea; player_2 takes 7 fleas; "
        "player_0 draws 2 cards"
    )


def told_of(position, actions, players=2, **options):
    """The environment after some actions: `deck`, or a card of the hand."""
    env = foodenvs.make("scratch_catch", players=players, events=True, **options)
    env.reset(seed=1, options={"position": position})
    for action in actions.split():
        env.step(env.parse_action(action if action == "deck" else f"hand {action}"))
    return env
