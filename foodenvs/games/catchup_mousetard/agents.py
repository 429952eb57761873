"""Agents of Catchup & Mousetard that the engine can run: they see observation and mask, never a state."""

import numpy as np

from foodenvs.engine import rule
from foodenvs.games.catchup_mousetard.rules import (
    CHARACTERS,
    DECKS,
    DISCARDING,
    DRAWS,
    FIRST_ADDITIONAL,
    FIRST_SAUCE,
    FRIDGE,
    HAND,
    ICON_CLASS,
    ICONS,
    INGREDIENTS,
    MEAT,
    MORE,
    SERVING,
    STORE,
)

FIRST_MEAT = list(ICON_CLASS.values()).index(MEAT)
POTATO = FIRST_SAUCE - 1

WORTH_SERVING = 7  # points of a dish that is served at once
FULL = 6  # cards in hand from which on any dish is served
NEAR = 8  # points that a seat may lack for the others to serve any dish


# --- what an observation says ------------------------------------------------------------------


@rule
def own_hand(box, obs):
    """The own cards by kind: a view into the observation."""
    return obs[box.at.hand : box.at.hand + box.kinds]


@rule
def held_of(box, hand, icon):
    """The cards of an icon in the own hand."""
    cards = 0
    for kind in range(box.first[icon], box.first[icon + 1]):
        cards += int(hand[kind])
    return cards


@rule
def hand_size(hand):
    size = 0
    for kind in range(hand.shape[0]):
        size += int(hand[kind])
    return size


@rule
def own_icon(box, obs):
    """The icon of the own sauces that are left; -1 if there are none."""
    if obs[box.at.own_sauces] == 0:
        return -1
    for character in range(len(CHARACTERS)):
        if obs[box.at.characters + character]:
            return box.sauce[character]
    return -1


# --- dishes ------------------------------------------------------------------------------------

# In what the greedy agent asks, `hand` is what own_hand gives, and `own` what own_icon gives.


@rule
def most(box, hand, dish, icon):
    """The most cards of an icon in the fat form, which takes the first additional ingredient that it may."""
    if box.one_extra and icon >= FIRST_ADDITIONAL and box.need[dish, icon] == 0:
        for earlier in range(FIRST_ADDITIONAL, icon):
            if box.need[dish, earlier] == 0 and held_of(box, hand, earlier) > 0:
                return 0
    return box.most[dish, icon]


@rule
def among_best(box, hand, kind, room):
    """How many cards of a kind are among the `room` most valuable ones of its icon in the hand."""
    icon = box.icon[kind]
    for other in range(box.first[icon], box.first[icon + 1]):
        if box.value[other] > box.value[kind] or (box.value[other] == box.value[kind] and other < kind):
            room -= int(hand[other])
    return max(0, min(room, int(hand[kind])))


@rule
def in_fat_form(box, hand, dish, kind):
    """How many cards of a kind the fat form takes: of each icon the most valuable ones that fit."""
    return among_best(box, hand, kind, most(box, hand, dish, box.icon[kind]))


@rule
def own_in_fat_form(box, hand, own):
    return own >= 0 and held_of(box, hand, own) == 0


@rule
def fat_points(box, hand, own, dish):
    points = 0
    for kind in range(box.kinds):
        if hand[kind] > 0:
            points += in_fat_form(box, hand, dish, kind) * box.value[kind]
    if own_in_fat_form(box, hand, own):
        points += box.value[box.kinds]
    return points


@rule
def missing_of(box, hand, own, dish, icon):
    """How many more cards of an icon the pattern of a dish needs."""
    need = box.need[dish, icon]
    if need == 0:
        return 0
    cards = 1 if icon == own else 0
    shown = cards
    for kind in range(box.first[icon], box.first[icon + 1]):
        cards += int(hand[kind])
        shown += int(hand[kind]) * box.shown[kind]
    return 0 if shown >= need else need - cards


@rule
def missing(box, hand, own, dish, first, end):
    """How many more cards of the icons first to end - 1 the pattern of a dish needs."""
    cards = 0
    for icon in range(first, end):
        cards += missing_of(box, hand, own, dish, icon)
    if end == ICONS:
        cards += missing_sauces(box, hand, own, dish)
    return cards


@rule
def missing_sauces(box, hand, own, dish):
    """How many sauces of any kind it needs beside those that it names (CM-27)."""
    if box.sauces[dish] == 0:
        return 0
    left = box.sauces[dish]
    for icon in range(FIRST_SAUCE, FIRST_ADDITIONAL):
        if box.need[dish, icon] > 0 or icon == own or held_of(box, hand, icon) > 0:
            left -= 1
    return max(0, left)


@rule
def hand_points(box, hand, dish):
    """The value of the hand cards that fit into a dish."""
    points = 0
    for kind in range(box.kinds):
        if hand[kind] > 0:
            points += among_best(box, hand, kind, box.most[dish, box.icon[kind]]) * box.value[kind]
    return points


@rule
def plan(box, hand, own):
    """The dish that misses least, then the one that takes most value from the hand."""
    best, best_missing, best_points = 0, ICONS * 2, -1
    for dish in range(box.dishes):
        gap = missing(box, hand, own, dish, 0, ICONS)
        if gap <= best_missing:
            points = hand_points(box, hand, dish)
            if gap < best_missing or points > best_points:
                best, best_missing, best_points = dish, gap, points
    return best


# --- phases ------------------------------------------------------------------------------------


@rule
def wanted_deck(box, hand, own, dish):
    if missing(box, hand, own, dish, 0, ICONS) == 0 or hand_size(hand) <= 2:
        return INGREDIENTS
    if missing(box, hand, own, dish, 0, FIRST_MEAT) + missing_of(box, hand, own, dish, POTATO) > 0:
        return STORE
    if missing(box, hand, own, dish, FIRST_MEAT, POTATO) > 0:
        return FRIDGE
    return INGREDIENTS


@rule
def surplus(box, hand, dish, kind):
    """The cards of a kind that the plan has no room for."""
    return int(hand[kind]) - among_best(box, hand, kind, box.most[dish, box.icon[kind]])


@rule
def small_surplus(box, hand, floor, dish):
    """The lowest surplus sauce or additional ingredient that may be discarded; -1 if there is none."""
    for kind in range(max(floor, box.first[FIRST_SAUCE]), box.kinds):
        if surplus(box, hand, dish, kind) > 0:
            return kind
    return -1


@rule
def least_surplus(box, hand, floor, dish):
    """The least valuable surplus card that may be discarded; -1 if there is none."""
    least = -1
    for kind in range(floor, box.kinds):
        if surplus(box, hand, dish, kind) > 0 and (least < 0 or box.value[kind] < box.value[least]):
            least = kind
    return least


@rule
def small_not_needed(box, hand, floor, dish):
    """The lowest sauce or additional ingredient that may be discarded and is no pattern card; else -1."""
    for kind in range(max(floor, box.first[FIRST_SAUCE]), box.kinds):
        if hand[kind] > 0 and box.need[dish, box.icon[kind]] == 0:
            return kind
    return -1


@rule
def unwanted(box, hand, own, floor, dish, deck):
    """The kind to discard before drawing from the wanted deck; -1 for none."""
    room = HAND - hand_size(hand)
    if room >= (DRAWS if deck == INGREDIENTS else 1):
        return -1
    kind = small_surplus(box, hand, floor, dish)
    if kind < 0 and room == 0:
        kind = least_surplus(box, hand, floor, dish)
        if kind < 0 and missing(box, hand, own, dish, 0, ICONS) > 0:
            kind = small_not_needed(box, hand, floor, dish)
    return kind


@rule
def discard_or_draw(box, obs, mask):
    hand, own = own_hand(box, obs), own_icon(box, obs)
    dish = plan(box, hand, own)
    deck = wanted_deck(box, hand, own, dish)
    kind = unwanted(box, hand, own, int(obs[box.at.floor]), dish, deck)
    if kind >= 0:
        return kind
    if mask[box.draw + deck]:
        return box.draw + deck
    if mask[box.draw + INGREDIENTS]:
        return box.draw + INGREDIENTS
    for other in range(len(DECKS)):
        if mask[box.draw + other]:
            return box.draw + other
    return box.done


@rule
def start_dish(box, obs, mask):
    """The dish of most points, if it is worth it, the hand is full, it wins, or somebody is near the end."""
    hand, own = own_hand(box, obs), own_icon(box, obs)
    best, best_points = -1, -1
    for dish in range(box.dishes):
        if mask[box.start + dish]:
            points = fat_points(box, hand, own, dish)
            if points > best_points:
                best, best_points = dish, points
    if best < 0:
        return box.done
    scores = obs[box.at.scores : box.at.scores + box.players]
    serves = best_points >= WORTH_SERVING or hand_size(hand) >= FULL
    serves = serves or int(scores[0]) + best_points >= box.target
    for row in range(box.players):
        serves = serves or int(scores[row]) >= box.target - NEAR
    return box.start + best if serves else box.done


@rule
def add_next(box, obs, mask):
    """The next card of the fat form in kind order, else one that a dish of others needs; then `serve`."""
    hand, own = own_hand(box, obs), own_icon(box, obs)
    dish = 0
    while not obs[box.at.dish + dish]:
        dish += 1
    build = obs[box.at.build : box.at.build + box.kinds + 1]
    for kind in range(box.kinds):
        if in_fat_form(box, hand, dish, kind) > build[kind] and mask[box.add + kind]:
            return box.add + kind
    if own_in_fat_form(box, hand, own) and build[box.kinds] == 0 and mask[box.add + box.kinds]:
        return box.add + box.kinds
    if mask[box.serve]:
        return box.serve
    for kind in range(box.kinds + 1):
        if mask[box.add + kind]:
            return box.add + kind
    return box.serve


@rule
def greedy(box, obs, mask):
    """The greedy agent: plans the dish that misses least and serves dishes with all extras at hand."""
    if obs[box.at.phase + DISCARDING]:
        return discard_or_draw(box, obs, mask)
    if obs[box.at.phase + MORE]:
        return box.draw + INGREDIENTS
    if obs[box.at.phase + SERVING]:
        return start_dish(box, obs, mask)
    return add_next(box, obs, mask)


# --- expert ------------------------------------------------------------------------------------

# Chosen over 700 to 1,000 deals for each value, such as those of `foodenvs match catchup_mousetard expert
# greedy --players 2 --games 2000`; LATER 0.7 to 0.8 and SECOND 0.5 to 0.7 are as good within the error.
LATER = 0.8  # what a point is worth that comes a turn later
SECOND = 0.5  # what a point of a second dish is worth


@rule
def chance_of(box, unseen, icon, deck):
    """The chance that a turn's draw from a deck brings a card of an icon, if it holds all unseen cards."""
    wanted, cards = 0, 0
    for kind in range(box.kinds):
        if box.deck[kind] == deck:
            cards += int(unseen[kind])
            wanted += int(unseen[kind]) if box.icon[kind] == icon else 0
    share = wanted / cards if cards > 0 else 0.0
    return 1.0 - (1.0 - share) ** (DRAWS if deck == INGREDIENTS else 1)


@rule
def patience(box, unseen, icon):
    """What a point is worth that waits for a card of an icon, drawn turn by turn from its best deck."""
    chance = 0.0
    for deck in range(len(DECKS)):
        chance = max(chance, chance_of(box, unseen, icon, deck))
    return chance * LATER / (1.0 - LATER * (1.0 - chance))


@rule
def delay(box, hand, own, patient, dish):
    """What a point of a dish is worth while the hand lacks cards of its pattern: the product over these."""
    worth = 1.0
    for icon in range(ICONS):
        need = int(box.need[dish, icon])
        if need > 0:
            cards = 1 if icon == own and hand[box.kinds] > 0 else 0
            shown = cards
            for kind in range(box.first[icon], box.first[icon + 1]):
                cards += hand[kind]
                shown += hand[kind] * box.shown[kind]
            if shown < need:
                worth *= patient[icon] ** (need - cards)
    sauces = missing_sauces(box, hand, own, dish)
    if sauces > 0:
        best = 0.0
        for icon in range(FIRST_SAUCE, FIRST_ADDITIONAL):
            best = max(best, patient[icon])
        worth *= best**sauces
    return worth


@rule
def take_fat_form(box, hand, own, dish, form):
    """Write what the hand has of the fat form of a dish to `form`; its points. Kinds rise in value."""
    points, extras = 0, 0
    form[:] = 0
    for icon in range(ICONS):
        room = int(box.most[dish, icon])
        is_extra = icon >= FIRST_ADDITIONAL and box.need[dish, icon] == 0
        if box.one_extra and is_extra and extras > 0:
            room = 0
        for kind in range(box.first[icon + 1] - 1, box.first[icon] - 1, -1):
            if room > 0 and hand[kind] > 0:
                form[kind] = min(room, hand[kind])
                room -= form[kind]
                points += form[kind] * box.value[kind]
                extras += is_extra
        if icon == own and room > 0 and hand[box.kinds] > 0:
            form[box.kinds] = 1
            points += box.value[box.kinds]
    return points


@rule
def best_form(box, hand, own, patient, form, best):
    """The worth of the dish that is worth most; what the hand has of it is written to `best`."""
    most_worth = 0.0
    best[:] = 0
    for dish in range(box.dishes):
        worth = take_fat_form(box, hand, own, dish, form) * delay(box, hand, own, patient, dish)
        if worth > most_worth:
            most_worth = worth
            best[:] = form
    return most_worth


@rule
def worth_of(box, hand, own, patient, forms):
    """The worth of a hand: of its best dish and, in part, of the best one of what that leaves.

    hand, int64 [kinds + 1], is by kind, own sauces last; `own` is their icon. forms, [3, kinds + 1]: scratch.
    """
    first = best_form(box, hand, own, patient, forms[0], forms[1])
    hand -= forms[1]
    second = best_form(box, hand, own, patient, forms[0], forms[2])
    hand += forms[1]
    return first + SECOND * second


@rule
def best_draw(box, unseen, hand, own, patient, forms, room):
    """The deck whose draw is worth most, and the worth then: each card gains what an unseen one would."""
    now = worth_of(box, hand, own, patient, forms)
    best, best_worth = -1, now
    for deck in range(len(DECKS)):
        gain, cards = 0.0, 0
        for kind in range(box.kinds):
            count = int(unseen[kind])
            if count > 0 and box.deck[kind] == deck:
                hand[kind] += 1
                gain += count * (worth_of(box, hand, own, patient, forms) - now)
                hand[kind] -= 1
                cards += count
        if cards > 0:
            worth = now + min(room, DRAWS if deck == INGREDIENTS else 1) * gain / cards
            if room > 0 and (best < 0 or worth > best_worth):
                best, best_worth = deck, worth
    return best, best_worth


@rule
def least_missed(box, hand, own, patient, forms, floor):
    """The kind whose discard leaves the most worth; -1 if none may be discarded."""
    best, best_worth = -1, -1.0
    for kind in range(floor, box.kinds):
        if hand[kind] > 0:
            hand[kind] -= 1
            worth = worth_of(box, hand, own, patient, forms)
            hand[kind] += 1
            if worth > best_worth:
                best, best_worth = kind, worth
    return best


@rule
def best_discard_or_draw(box, obs, mask):
    """Weighs up to three discards that make room to draw with none; the lowest kind goes first (CM-15)."""
    hand, forms = np.zeros(box.kinds + 1, np.int64), np.zeros((3, box.kinds + 1), np.int64)
    cards, unseen = own_hand(box, obs), obs[box.at.unseen_new : box.at.unseen_new + box.kinds]
    patient = np.zeros(ICONS)
    for kind in range(box.kinds):
        hand[kind] = cards[kind]
    hand[box.kinds] = int(obs[box.at.own_sauces])
    for icon in range(ICONS):
        patient[icon] = patience(box, unseen, icon)
    own, room = own_icon(box, obs), HAND - hand_size(cards)
    deck, most_worth = best_draw(box, unseen, hand, own, patient, forms, room)
    lowest, best = box.kinds, -1
    while room < DRAWS:
        kind = least_missed(box, hand, own, patient, forms, int(obs[box.at.floor]))
        if kind < 0:
            break
        hand[kind] -= 1
        room += 1
        lowest = min(lowest, kind)
        worth = best_draw(box, unseen, hand, own, patient, forms, room)[1]
        if worth > most_worth:
            best, most_worth = lowest, worth
    if best >= 0:
        return best
    if deck >= 0 and mask[box.draw + deck]:
        return box.draw + deck
    return discard_or_draw(box, obs, mask)


@rule
def expert(box, obs, mask):
    """The expert: discards and draws for the worth of the hand; makes dishes as the greedy agent does."""
    if obs[box.at.phase + DISCARDING]:
        return best_discard_or_draw(box, obs, mask)
    return greedy(box, obs, mask)


AGENTS = {"greedy": greedy, "expert": expert}
