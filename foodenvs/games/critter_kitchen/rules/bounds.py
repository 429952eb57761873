"""The most that can come together, from what lies in the box: ranges of the observation."""

from itertools import combinations
from math import prod
from typing import Any

from foodenvs.engine import Record
from foodenvs.games.critter_kitchen import layout as L
from foodenvs.games.critter_kitchen.rules import effects
from foodenvs.games.critter_kitchen.rules.cards import KITCHEN_EFFECTS, SHOP_EFFECTS
from foodenvs.games.critter_kitchen.rules.supply import in_mask


def ranges(box: Record) -> dict[str, tuple[Any, Any]]:
    """The least and the greatest value of each field of the state (of each entry, where they differ)."""
    seat, place, sous, rumour = box.players - 1, box.places - 1, box.sous_chefs - 1, box.rumour_cards - 1
    challenge, soup, bisques = box.challenge_cards - 1, soup_bound(box), bisque_bound(box)
    factors = factors_of_courses(box)
    quality = max(quality_bound(box, critic, factors) for critic in range(box.critics))
    tokens = list(box.count)
    tokens[L.ALLSPICE] += box.extra_allspice
    free = tokens[: L.STOCK]
    if any(box.rumours_as_allspice):
        free[L.ALLSPICE] += L.RUMOURS  # CK-91
    return {
        "queue": (-1, seat),
        "priority": (-1, seat),
        "academy_sous": (-1, sous),
        "sous": (-1, sous),
        "sous_owner": (-1, seat),
        "student": (-1, sous),
        "student_owner": (-1, seat),
        "truck_bisque": (0, 1),
        "bag_size": (0, sum(box.count)),
        "critic": (0, box.critics - 1),
        "round": (1, L.ROUNDS),
        "phase": (L.PLANNING, L.OVER),
        "here": (-1, place),
        "line": (-1, L.LOAD),
        "queue_size": (0, box.players),
        "plate": (0, L.PLATES - 1),
        "course": (0, L.TYPES - 1),
        "winner": (-1, seat),
        "quality": (0, quality),
        "items": (0, tokens),
        "bag": (0, L.KINDS - 1),
        "bag_count": (0, tokens),
        "removed": (0, tokens[L.STOCK :]),
        "stock": (0, tokens[: L.STOCK]),
        "free": (0, free),
        "plates": (0, tokens[: L.INGREDIENTS]),
        "plate_soup": (0, (soup, bisques)),
        "served": (0, 1),
        "pairs": (0, L.LOWEST + L.VALUES - 1),
        "soup": (0, soup),
        "bisque": (0, bisques),
        "tokens": (0, 2),
        "stars": (0, stars_bound(box)),
        "restaurateur": (-1, box.owners - 1),
        "private": (-1, rumour),
        "plan": (-1, place),
        "left": (0, L.LOAD),
        "taken": (0, taken_bound(box)),
        "rumours": (0, rumour),
        "challenges": (-1, challenge),
        "seen_challenges": (0, 1),
        "challenge_deck": (-1, challenge),
        "sous_deck": (-1, sous),
        "gone_sous": (0, 1),
        "first_pick": (0, 1),
    }


def number_of(effects_of_moment: Any, code: int, numbers: Any, key: str) -> int:
    """A number of a card's effect by its key; 0 for one without."""
    keys = list(effects_of_moment.values())[code - 1][1] if code else ()
    return sum(int(n) for name, n in zip(keys, numbers, strict=False) if name == key)


def taken_bound(box: Record) -> int:
    """The most items a chef can take in one visit: what it carries, and the spices that do not count."""
    spices = sum(int(n) for n in box.count[L.INGREDIENTS : L.STOCK]) + int(box.extra_allspice)
    free = [int(box.sous_capacity[n]) + spices for n in range(box.sous_chefs) if box.spices_free[n]]
    return max([L.LOAD, *free])


def bisque_bound(box: Record, rounds: int = L.ROUNDS) -> int:
    """The most bisques with seats and truck, which gets one also when the supply is out (CK-15)."""
    return max(1, int(box.bisques)) + rounds - 1


def soup_bound(box: Record, rounds: int = L.ROUNDS) -> int:
    """The most soup a seat can own after some rounds: at the start, from truck, homes and cards."""
    sous = max(soup_in_round(box.sous_effect[n], box.sous_numbers[n], False) for n in range(box.sous_chefs))
    in_round, once, gifts, own_chefs = 0, 0, [], len(L.CHEFS) - 1
    for n in range(box.owners if box.restaurateurs else 0):
        codes, numbers = box.owner_shop_effect[n], box.owner_numbers[n]
        if codes[L.ITEM]:
            once = max(once, L.RUMOURS * soup_in_round(codes, numbers, False) // len(L.CHEF_NAMES))
        else:
            in_round = max(in_round, soup_in_round(codes, numbers, True))
        if gives_to_all(codes):
            gifts.append(
                len(L.CHEF_NAMES) * number_of(SHOP_EFFECTS[L.START], codes[L.START], numbers, "soup")
            )
    from_others = sum(sorted(gifts)[1 - box.players :])
    return int(box.start_soup + rounds * (L.LOAD + own_chefs + sous + in_round + from_others) + once)


def gives_to_all(codes: Any) -> bool:
    """Whether a card gives soup to every seat."""
    return bool(codes[L.START]) and list(effects.START_EFFECTS)[codes[L.START] - 1] == "soup_for_all"


def soup_in_round(codes: Any, numbers: Any, at_each_location: bool) -> int:
    """The soup that an effect gives in a round: for each of four chefs, or at once to all."""
    for moment, effects_of_moment in enumerate(SHOP_EFFECTS):
        if codes[moment]:
            keys = list(effects_of_moment.values())[codes[moment] - 1][1]
            gifts = sum(int(n) for key, n in zip(keys, numbers, strict=False) if key.endswith("soup"))
            at_once = "owner_soup" in keys and not at_each_location
            return gifts if at_once else len(L.CHEF_NAMES) * gifts
    return 0


def stars_bound(box: Record) -> int:
    """The most stars a seat can gain, with the best critic."""
    rumours = sorted(rumour_bound(box, card) for card in range(box.rumour_cards))
    factors = factors_of_courses(box)
    by_critic = (
        L.CARDS * meal_bound(box, critic) + final_bound(box, critic, factors) for critic in range(box.critics)
    )
    return cards_bound(box) + sum(rumours[-L.RUMOURS - 1 :]) + max(by_critic)


def early_stars_bound(box: Record) -> int:
    """The most stars before the final scoring: by cards, and for challenge meals."""
    return cards_bound(box) + L.CARDS * max(meal_bound(box, critic) for critic in range(box.critics))


def cards_bound(box: Record) -> int:
    """The most stars that the sous chefs of a seat and its restaurateur bring."""
    owner = max(owner_bound(box, n) for n in range(box.owners)) if box.restaurateurs else 0
    return owner + L.CARDS * max(sous_bound(box, n) for n in range(box.sous_chefs))


def owner_bound(box: Record, owner: int) -> int:
    """The stars of a restaurateur: on its card, for items of all chefs in all rounds, for challenge meals."""
    carried = sum(int(n) for n in box.capacity) + max(int(n) for n in box.sous_capacity)
    numbers = box.owner_numbers[owner]
    items = star_of(box.owner_shop_effect[owner], numbers, L.ROUNDS * len(L.CHEF_NAMES), L.ROUNDS * carried)
    meals = L.CARDS * number_of(
        effects.MEAL_EFFECTS, box.owner_kitchen_effect[owner, L.MEAL], numbers, "gain"
    )
    return int(box.owner_stars[owner]) + items + meals


def sous_bound(box: Record, sous: int) -> int:
    return star_of(box.sous_effect[sous], box.sous_numbers[sous], 1, int(box.sous_capacity[sous]))


def star_of(codes: Any, numbers: Any, visits: int, items: int) -> int:
    """The stars that an item effect can gain: per visit for a first pick, else per item."""
    gain = number_of(SHOP_EFFECTS[L.ITEM], codes[L.ITEM], numbers, "gain")
    first_pick = codes[L.ITEM] and list(effects.ITEM_EFFECTS)[codes[L.ITEM] - 1] == "star_for_tied_pick"
    return gain * (visits if first_pick else items)


def rumour_bound(box: Record, card: int) -> int:
    if box.rumour_kind[card] == L.MULTIPLIER:
        return 0
    return int(box.rumour_most[card] if box.rumour_kind[card] == L.EACH else box.rumour_stars[card])


def meal_bound(box: Record, critic: int) -> int:
    """The most stars for a challenge meal with one critic: by the scale or in its place, and on top."""
    code, numbers = box.critic_effect[critic, L.CHALLENGE_MEAL, L.MEAL], box.critic_numbers[critic]
    paid, gain = (number_of(effects.MEAL_EFFECTS, code, numbers, key) for key in ("pays", "gain"))
    return max(int(n) for n in (*box.scale_stars, paid)) + gain


def final_bound(box: Record, critic: int, factors: Any) -> int:
    """The most stars of the final scoring but rumours: soup, seven courses, best courses, the track."""
    best = max(int(box.sole_best_stars[critic]), int(box.tied_best_stars[critic]))
    track = track_bound(box, quality_bound(box, critic, factors))
    return int(box.most_soup_stars[critic]) + 1 + L.TYPES * best + track


def track_bound(box: Record, most: int) -> int:
    """The most stars of the score track for a quality up to `most`: on the last lap, or the one before."""
    if most < 1:
        return 0
    laps, rest = divmod(most - 1, int(box.lap))
    stars = [int(n) for n in box.row_stars]
    row = next(n for n, end in enumerate(box.row_end) if rest < end)
    lap_before = (laps - 1) * int(box.lap_stars) + max(stars) if laps else 0
    return max(laps * int(box.lap_stars) + max(stars[: row + 1]), lap_before)


def factors_of_courses(box: Record) -> set[tuple[int, int]]:
    """What multipliers can make of the courses of a seat: greatest factor, sum of all seven."""
    cards = [card for card in range(box.rumour_cards) if box.rumour_kind[card] == L.MULTIPLIER]
    counting = min(len(cards), L.RUMOURS + 1 if box.restaurateurs else L.RUMOURS)
    found = set()
    for chosen in combinations(cards, counting):
        factors = [
            prod(int(box.rumour_stars[card]) for card in chosen if in_mask(box.rumour_courses[card], course))
            for course in range(L.TYPES)
        ]
        found.add((max(factors), sum(factors)))
    return found


def quality_bound(box: Record, critic: int, factors: Any) -> int:
    """The most quality T with one critic: best ingredients, all spiced, the best courses multiplied."""
    cards = [(box.critic_effect[critic, L.CRITIC_MEAL], box.critic_numbers[critic])]
    if box.restaurateurs:
        cards += [(box.owner_kitchen_effect[n], box.owner_numbers[n]) for n in range(box.owners)]
    counts_as = greatest(cards, L.VALUE, "worth")
    worths = []
    for face in range(L.VALUES):
        worths += [max(L.LOWEST + face, counts_as)] * int(box.count[face])
    worths = sorted(worths, reverse=True) or [0]
    factor = max(int(box.spice_factor), greatest(cards, L.FACTOR, "factor"))
    one = factor * worths[0]
    big = factor * sum(worths[: box.course_limit[critic]])
    pairs = int(box.paired_courses[critic]) * worths[0]
    return max((big - one + pairs) * most + one * total for most, total in factors)


def greatest(cards: Any, moment: int, key: str) -> int:
    """The greatest number of this key among the effects that cards have at a moment."""
    effects_of_moment = KITCHEN_EFFECTS[moment]
    return max(number_of(effects_of_moment, codes[moment], numbers, key) for codes, numbers in cards)
