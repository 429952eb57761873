"""The rules of Critter Kitchen: comments name the clauses of the page (`CK-..`) that a line carries out.

The phases are in shopping.py and meals.py, the end in scoring.py, cards in effects.py and cards.py; what the
contract asks of `rules` is here.
"""

from foodenvs.core.game import Option
from foodenvs.engine import below, choose, rule, shuffle
from foodenvs.games.critter_kitchen import layout as L
from foodenvs.games.critter_kitchen.layout import ACTIONS, BOX, STATE
from foodenvs.games.critter_kitchen.rules.bounds import bisque_bound, ranges, soup_bound
from foodenvs.games.critter_kitchen.rules.cards import pack
from foodenvs.games.critter_kitchen.rules.meals import (
    critic_on,
    discard,
    go_on_refrigerating,
    go_on_with_challenges,
    lay_challenge,
    lay_course,
    legal_challenge,
    legal_course,
    legal_discards,
)
from foodenvs.games.critter_kitchen.rules.scoring import final_scoring
from foodenvs.games.critter_kitchen.rules.shopping import (
    go_on_shopping,
    legal_items,
    legal_plans,
    pick_or_go,
    place_chef,
    prepare_round,
)
from foodenvs.games.critter_kitchen.rules.supply import (
    deal_challenges,
    deal_restaurateurs,
    deal_rumours,
    deal_sous_chefs,
)

__all__ = [
    "ACTIONS", "BOX", "OPTIONS", "STATE",
    "apply", "deal", "draws", "legal", "max_decisions", "pack", "ranges", "scores", "standing",
]  # fmt: skip

OPTIONS = (
    Option("players", 3, range(2, L.SEATS + 1), "number of seats (CK-01)"),
    Option(
        "critic",
        "random",
        (
            "random", "mouse", "cow", "kangaroo", "tree_shrew", "jerboa", "fruit_bat",
            "rabbit", "capybara", "badger", "fox", "hedgehog", "otter",
        ),
        "the critic (CK-04)",
    ),
    Option("advanced_rumours", True, (True, False), "False: only the 16 base rumour cards (CK-05)"),
    Option("restaurateurs", False, (True, False), "deal a restaurateur to each seat (CK-18)"),
    Option("truck_leftovers", "stay", ("stay", "academy"), "where old leftovers of the truck go (CK-37)"),
    Option(
        "setup",
        "options",
        ("options", "first_game"),
        "first_game: the printed first game, with the mouse as critic, base rumours and no restaurateurs",
    ),
)  # fmt: skip


def max_decisions(box):
    """More than any game can have, by phase."""
    players, own_chefs = int(box.players), len(L.CHEFS) - 1
    tokens = sum(int(n) for n in box.count[: L.STOCK]) + int(box.extra_allspice)
    plan = L.ROUNDS * (own_chefs * players + 1)  # one seat has a sous chef
    shop = L.ROUNDS * (sum(int(n) for n in box.capacity) * players + L.LOAD) + tokens  # spices may not count
    soups = players * soup_bound(box) + bisque_bound(box)
    meals = L.PLATES * (tokens + soups + players)
    refrigeration, critic = tokens, tokens + L.TYPES * players
    return plan + shop + len(L.CHALLENGE_ROUNDS) * (meals + refrigeration) + critic


def draws(box):
    """The bag is shuffled first, and in a round at its end and for a sous chef; cards are drawn first."""
    bag = sum(int(n) for n in box.count)
    cards = 2 * L.CARDS + 1 + L.RUMOURS + 3 * box.players  # of a seat: restaurateur, private rumour, place
    return (1 + 2 * L.ROUNDS) * bag + cards, max(L.KINDS, box.rumour_cards)  # the largest deck


# --- setting up ------------------------------------------------------------------------------


@rule
def deal(box, s):
    """Set up the game and prepare round 1."""
    clear(box, s)
    for kind in range(L.KINDS):  # CK-01
        for _ in range(box.count[kind]):
            s.bag[s.bag_size] = kind
            s.bag_size += 1
        s.bag_count[kind] = box.count[kind]
    shuffle(s.rng, s.bag, s.bag_size)
    deal_challenges(box, s, 0)
    s.critic = box.critic if box.critic >= 0 else below(s.rng, box.critics)  # CK-04
    deal_rumours(box, s)
    deal_sous_chefs(box, s, 0)
    for seat in range(box.players):  # CK-10
        s.priority[seat] = seat
    shuffle(s.rng, s.priority, box.players)
    for seat in range(box.players):  # CK-09
        s.soup[seat] = box.start_soup
    if box.restaurateurs:
        deal_restaurateurs(box, s)
        deal_rumours(box, s)  # a private one
    prepare_round(box, s)


@rule
def clear(box, s):
    """Nothing anywhere: write every field but rng."""
    s.quality[:] = 0
    s.items[:] = 0
    s.bag[:] = 0
    s.bag_count[:] = 0
    s.removed[:] = 0
    s.stock[:] = 0
    s.free[:] = 0
    s.plates[:] = 0
    s.plate_soup[:] = 0
    s.served[:] = 0
    s.pairs[:] = 0
    s.soup[:] = 0
    s.bisque[:] = 0
    s.tokens[:] = 0
    s.stars[:] = 0
    s.restaurateur[:] = -1
    s.private[:] = -1
    s.plan[:] = -1
    s.left[:] = 0
    s.taken[:] = 0
    s.queue[:] = -1
    s.priority[:] = -1
    s.rumours[:] = -1
    s.challenges[:] = -1
    s.seen_challenges[:] = 0
    s.challenge_deck[:] = -1
    s.sous_deck[:] = -1
    s.gone_sous[:] = 0
    s.academy_sous = -1
    s.sous = -1
    s.sous_owner = -1
    s.student = -1
    s.student_owner = -1
    s.truck_bisque = 0
    s.bag_size = 0
    s.critic = -1
    s.round = 0
    s.phase = L.PLANNING
    s.turn = -1
    s.here = -1
    s.line = 0
    s.queue_size = 0
    s.plate = 0
    s.course = 0
    s.winner = -1
    s.first_pick = False


# --- playing ---------------------------------------------------------------------------------


@rule
def nothing_legal(box, s, mask):
    pass


legal_in_phase = choose(
    legal_plans, legal_items, legal_challenge, legal_discards, legal_course, nothing_legal
)


@rule
def legal(box, s, mask):
    mask[:] = 0
    legal_in_phase(s.phase, box, s, mask)


@rule
def go_on_with_critic_meal(box, s):
    if not critic_on(box, s):
        final_scoring(box, s)
    return True


act_in_phase = choose(place_chef, pick_or_go, lay_challenge, discard, lay_course)


@rule
def wait(box, s):
    return True


go_on_in_phase = choose(
    wait,
    go_on_shopping,
    go_on_with_challenges,
    go_on_refrigerating,
    go_on_with_critic_meal,
    wait,
    prepare_round,
)


@rule
def go_on(box, s):
    """All that happens by itself, phase after phase, up to the next decision or the end."""
    while not go_on_in_phase(s.phase, box, s):
        pass


@rule
def apply(box, s, action):
    act_in_phase(s.phase, box, s, action)
    go_on(box, s)


# --- scoring ---------------------------------------------------------------------------------


@rule
def scores(box, s, out):
    for seat in range(box.players):
        out[seat] = s.stars[seat]


@rule
def standing(box, s, seat):
    """1 for the winner, who is alone (CK-84), else 0."""
    return 1 if seat == s.winner else 0
