"""The most that can come together, from what lies in the box: ranges of the observation."""

from typing import Any

from foodenvs.games.critter_kitchen import effects
from foodenvs.games.critter_kitchen.cards import CHEF_NAMES, SHOP_EFFECTS
from foodenvs.games.critter_kitchen.layout import (
    CARDS,
    CHALLENGE_MEAL,
    CRITIC_MEAL,
    EACH,
    FACTOR,
    ITEM,
    LOWEST,
    MEAL,
    MULTIPLIER,
    ROUNDS,
    RUMOURS,
    TYPES,
    VALUE,
    VALUES,
)


def soup_bound(box: Any) -> int:
    """The most soup a seat can own: at the start, and in each round from truck, homes and cards (spec 5)."""
    sous = max(soup_in_round(box.sous_effect[n], box.sous_numbers[n], False) for n in range(box.sous_chefs))
    in_round, once = 0, 0
    for n in range(box.owners if box.restaurateurs else 0):
        codes, numbers = box.owner_shop_effect[n], box.owner_numbers[n]
        if codes[ITEM]:
            once = max(once, RUMOURS * soup_in_round(codes, numbers, False) // len(CHEF_NAMES))
        else:
            in_round = max(in_round, soup_in_round(codes, numbers, True))
    return int(box.start_soup + ROUNDS * (3 + 3 + sous + in_round) + once)


def soup_in_round(codes: Any, numbers: Any, at_each_location: bool) -> int:
    """The soup that an effect gives in a round: for each of four chefs, or at once to all."""
    for moment, effects_of_moment in enumerate(SHOP_EFFECTS):
        if codes[moment]:
            keys = list(effects_of_moment.values())[codes[moment] - 1][1]
            gifts = sum(int(n) for key, n in zip(keys, numbers, strict=False) if key.endswith("soup"))
            at_once = "owner_soup" in keys and not at_each_location
            return gifts if at_once else len(CHEF_NAMES) * gifts
    return 0


def stars_bound(box: Any) -> int:
    """The most stars a seat can gain: by cards, and with the best critic in meals, bonuses and the track."""
    owner = max(int(n) for n in box.owner_stars) if box.restaurateurs else 0
    sous = max(star_of(box.sous_effect[n], box.sous_numbers[n]) for n in range(box.sous_chefs))
    rumours = sorted(rumour_bound(box, card) for card in range(box.rumour_cards))
    cards = owner + CARDS * sous + sum(rumours[-RUMOURS - 1 :])
    return int(cards + max(critic_bound(box, critic) for critic in range(box.critics)))


def star_of(codes: Any, numbers: Any) -> int:
    """The stars that a sous chef can gain: the last number of an item effect that has some, per item."""
    if not codes[ITEM]:
        return 0
    keys = list(SHOP_EFFECTS[ITEM].values())[codes[ITEM] - 1][1]
    return sum(int(n) for key, n in zip(keys, numbers, strict=False) if key == "gain")


def rumour_bound(box: Any, card: int) -> int:
    if box.rumour_kind[card] == MULTIPLIER:
        return 0
    return int(box.rumour_most[card] if box.rumour_kind[card] == EACH else box.rumour_stars[card])


def critic_bound(box: Any, critic: int) -> int:
    """The most stars with one critic: six challenge meals, soup, seven courses, best courses, the track."""
    meal = max(int(n) for n in (*box.scale_stars, *paid(box, critic)))
    meal += gain(box.critic_effect[critic, CHALLENGE_MEAL, MEAL], box.critic_numbers[critic])
    if box.restaurateurs:
        meal += max(gain(box.owner_kitchen_effect[n, MEAL], box.owner_numbers[n]) for n in range(box.owners))
    best = max(int(box.sole_best_stars[critic]), int(box.tied_best_stars[critic]))
    track = max(track_bound(box, quality) for quality in range(quality_bound(box, critic) + 1))
    return CARDS * meal + int(box.most_soup_stars[critic]) + 1 + TYPES * best + track


def paid(box: Any, critic: int) -> list[int]:
    """What a critic pays for a challenge meal in place of the scale."""
    code = box.critic_effect[critic, CHALLENGE_MEAL, MEAL]
    keys = list(effects.MEAL_EFFECTS.values())[code - 1][1] if code else ()
    return [int(n) for key, n in zip(keys, box.critic_numbers[critic], strict=False) if key == "pays"]


def gain(code: int, numbers: Any) -> int:
    """The stars that a meal effect can add."""
    if not code:
        return 0
    keys = list(effects.MEAL_EFFECTS.values())[code - 1][1]
    return sum(int(n) for key, n in zip(keys, numbers, strict=False) if key == "gain")


def track_bound(box: Any, quality: int) -> int:
    laps, rest = divmod(max(quality - 1, 0), int(box.lap))
    row = next(n for n, end in enumerate(box.row_end) if rest < end)
    return laps * int(box.lap_stars) + int(box.row_stars[row]) * (quality > 0)


def quality_bound(box: Any, critic: int) -> int:
    """The most quality T with one critic: best ingredients, all spiced, the best courses multiplied."""
    worths = []
    for face in range(VALUES):
        worth = LOWEST + face
        code = box.critic_effect[critic, CRITIC_MEAL, VALUE]
        if code:
            worth = max(worth, int(box.critic_numbers[critic][1]))
        if box.restaurateurs:
            worth = max(worth, *(int(row[1]) for row, codes in owners(box) if codes[VALUE]), 0)
        worths += [worth] * int(box.count[face])
    worths = sorted(worths, reverse=True) or [0]
    factor = int(box.spice_factor)
    if box.critic_effect[critic, CRITIC_MEAL, FACTOR]:
        factor = max(factor, *(int(n) for n in box.critic_numbers[critic][:2]))
    one = factor * worths[0]
    big = factor * sum(worths[: box.course_limit[critic]])
    multiplier = max([1, *(int(box.rumour_stars[c]) for c in range(box.rumour_cards) if multiplies(box, c))])
    cards = RUMOURS + 1 if box.restaurateurs else RUMOURS
    pairs = int(box.paired_courses[critic]) * worths[0] * multiplier
    return big + (TYPES - 1) * one + (multiplier - 1) * (big + (cards - 1) * one) + pairs


def owners(box: Any) -> list[tuple[Any, Any]]:
    return [(box.owner_numbers[n], box.owner_kitchen_effect[n]) for n in range(box.owners)]


def multiplies(box: Any, card: int) -> bool:
    return bool(box.rumour_kind[card] == MULTIPLIER)
