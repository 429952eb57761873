"""Agents of Katsu Curry?! that the engine can run: they see an observation and a mask, never a state.

Both reckon with the prices in use, by index, in the direction of the auction: "beyond" a price are those that
would beat it if they were near (above it, or below it when the product is sold in reverse), "behind" it the
others.
"""

import numpy as np

from foodenvs.engine import rule
from foodenvs.games.katsu_curry.information import BASE, REVERSED
from foodenvs.games.katsu_curry.rules import CARDS, LETTERS, PRODUCTS

SMALL = 1e-12  # an improvement must exceed it, so that rounding decides nothing
GOOD_ENOUGH = 0.8  # the share of the best chance at which a written price comes into the choice

# By j: the chance that j lonely prices are lonely among themselves too.
LONELY = (1.0, 1.0, 0.7, 0.4, 0.2, 0.1, 0.05, 0.0, 0.0, 0.0)


# --- what the observation says --------------------------------------------------------------------


@rule
def product_up(box, obs):
    for product in range(PRODUCTS):
        if obs[box.at.product + product]:
            return product
    return 0


@rule
def number_at(obs, place):
    """A number in two digits."""
    return BASE * int(obs[place]) + int(obs[place + 1])


@rule
def first_action(box):
    return CARDS if box.written else 0


@rule
def where_cards_are(box, obs, where):
    """int8 [prices], written: the row that is known to hold each card, -1 if one of several may, -2 if none.

    None of the rivals holds the own cards and those under products. Returns how many are -1.
    """
    at = box.at
    hand, seen, paid = obs[at.hand :], obs[at.seen :], obs[at.paid :]
    unknown = 0
    for card in range(box.prices):
        where[card] = -1
        if hand[card] or paid[card]:
            where[card] = -2
        for row in range(1, box.players):
            if seen[CARDS * row + card]:
                where[card] = row
        unknown += where[card] == -1
    return unknown


@rule
def known_size(box, where, row):
    size = 0
    for card in range(box.prices):
        size += where[card] == row
    return size


@rule
def scale_to_one(weight, n):
    total = 0.0
    for price in range(n):
        total += weight[price]
    for price in range(n):
        weight[price] /= total


@rule
def is_common(box, product, price):
    """Whether a price is within two times of the usual price of a product."""
    return box.common_from[product] <= price <= box.common_to[product]


@rule
def best_card(worth, mask):
    """The legal card that is worth most, the lowest among equals."""
    best = -1
    for card in range(worth.shape[0]):
        if mask[card] and (best < 0 or worth[card] > worth[best] + SMALL):
            best = card
    return best


@rule
def varied_price(box, obs, chance):
    """One of the good prices to write; which one depends on points, products, last bid and round.

    All seats reckon alike, and would else write the same price for ever.
    """
    limit = 0.0
    for price in range(box.prices):
        limit = max(limit, GOOD_ENOUGH * chance[price])
    good = 0
    for price in range(box.prices):
        good += chance[price] >= limit
    at = box.at
    last_bid = int(obs[at.bids]) + int(obs[at.bids + 1])
    k = (number_at(obs, at.points) + 5 * int(obs[at.count]) + 7 * last_bid + int(obs[at.round])) % good
    for price in range(box.prices):
        if chance[price] >= limit:
            if k == 0:
                return price
            k -= 1
    return 0


# --- greedy ------------------------------------------------------------------------------------


@rule
def rival_weights(box, obs, row, where, unknown, product, weight):
    """float64 [prices], written: how likely a row bids each price, by its hand and the usual price."""
    hidden_share = 1.0
    if not box.written:
        hidden = int(obs[box.at.hand_size + row]) - known_size(box, where, row)
        hidden_share = hidden / unknown if unknown > 0 else 0.0
    for price in range(box.prices):
        lean = 2.0 if is_common(box, product, price) else 1.0
        weight[price] = 0.0
        if where[price] == row:
            weight[price] = lean
        elif where[price] == -1:
            weight[price] = lean * hidden_share
    scale_to_one(weight, box.prices)


@rule
def add_rival(box, weight, price, is_reversed, beaten, lonely, rivals):
    """Multiply the two polynomials of a price, each of degree `rivals`, by those of one more rival.

    beaten, lonely: float64 [players]; entry j is the chance that j rivals bid beyond the price and apart from
    it, all others behind it; in `lonely` no bid is near it.
    """
    low, high = box.reach_down[price], box.reach[price]
    above_apart, above_near, below_near, below_apart = 0.0, 0.0, 0.0, 0.0
    for y in range(box.prices):
        if y > high:
            above_apart += weight[y]
        elif y > price:
            above_near += weight[y]
        elif y < low:
            below_apart += weight[y]
        elif y < price:
            below_near += weight[y]
    beyond, near, apart = above_apart, below_near, below_apart
    if is_reversed:
        beyond, near, apart = below_apart, above_near, above_apart
    for j in range(rivals + 1, -1, -1):
        one_less = j - 1
        beaten[j] = beaten[j] * (near + apart) + (beaten[one_less] * beyond if j > 0 else 0.0)
        lonely[j] = lonely[j] * apart + (lonely[one_less] * beyond if j > 0 else 0.0)


@rule
def greedy(box, obs, mask):
    """The greedy agent: the price most likely to win now if rivals bid at random, near the usual price."""
    product, is_reversed = product_up(box, obs), obs[box.at.facts + REVERSED] == 1
    rivals, first = box.players - 1, first_action(box)
    where = np.full(box.prices, -1, np.int8)
    unknown = 0 if box.written else where_cards_are(box, obs, where)
    weight = np.zeros((box.players, box.prices))
    for row in range(1, box.players):
        rival_weights(box, obs, row, where, unknown, product, weight[row])
    chance = np.zeros(box.prices)
    beaten, lonely = np.zeros(box.players), np.zeros(box.players)
    for price in range(box.prices):
        if mask[first + price]:
            beaten[:] = 0
            lonely[:] = 0
            beaten[0] = 1
            lonely[0] = 1
            for row in range(1, box.players):
                add_rival(box, weight[row], price, is_reversed, beaten, lonely, row - 1)
            for j in range(box.players):
                chance[price] += LONELY[j] * (beaten[j] - lonely[j])
            if not box.barred:
                chance[price] += LONELY[rivals] * lonely[rivals]
    if box.written:
        return CARDS + varied_price(box, obs, chance)
    return best_card(chance, mask)


# --- expert ------------------------------------------------------------------------------------


@rule
def bid_weights(box, obs, weight):
    """float64 [prices], written: how likely each price is a rival's bid, the mean over the rivals."""
    weight[:] = 1
    if not box.written:
        where = np.zeros(box.prices, np.int8)
        unknown = where_cards_are(box, obs, where)
        weight[:] = 0
        for row in range(1, box.players):
            size = int(obs[box.at.hand_size + row])
            hidden = size - known_size(box, where, row)
            for card in range(box.prices):
                if where[card] == row:
                    weight[card] += 1.0 / size
                elif where[card] == -1:
                    weight[card] += hidden / (size * unknown)
    scale_to_one(weight, box.prices)


@rule
def lean_to_usual(box, product, weight, leaning):
    """`leaning` becomes `weight` with half as much again on the prices near the usual one."""
    for price in range(box.prices):
        leaning[price] = weight[price] * 1.5 if is_common(box, product, price) else weight[price]
    scale_to_one(leaning, box.prices)


@rule
def in_order(box, price, is_reversed):
    """A price counted from the side that loses: from below, or from above in reverse; its own inverse."""
    return box.prices - 1 - price if is_reversed else price


@rule
def chances(box, weight, is_reversed, chance):
    """float64 [prices], written: the chance of each price to win against a random set of rivals' bids.

    The weight of a set of prices is the product of the weights of its members.
    sets[i, k]: the weight of all sets of k of the first i prices (in order).
    tops[i, j]: that of all sets of j prices from the i-th on, all apart from each other.
    Where there are fewer prices than players, the sets are of all prices but one.
    """
    n = box.prices
    rivals = min(box.players, n) - 1
    sets = np.zeros((n + 1, rivals + 1))
    sets[0, 0] = 1
    for i in range(n):
        w = weight[in_order(box, i, is_reversed)]
        sets[i + 1, 0] = 1
        for k in range(1, rivals + 1):
            before = k - 1
            sets[i + 1, k] = sets[i, k] + w * sets[i, before]
    tops = np.zeros((n + 1, rivals + 1))
    tops[n, 0] = 1
    for i in range(n - 1, -1, -1):
        w = weight[in_order(box, i, is_reversed)]
        apart = first_apart(box, i, is_reversed)
        tops[i, 0] = 1
        for j in range(1, rivals + 1):
            before = j - 1
            tops[i, j] = tops[i + 1, j] + w * tops[apart, before]
    for i in range(n):
        near, apart = first_near(box, i, is_reversed), first_apart(box, i, is_reversed)
        total = 0.0 if box.barred else tops[apart, rivals]
        for j in range(rivals):
            behind = rivals - j
            total += tops[apart, j] * (sets[i, behind] - sets[near, behind])
        chance[in_order(box, i, is_reversed)] = total / sets[n, rivals]


@rule
def first_near(box, i, is_reversed):
    """The place of the first price that is near the i-th, or is it."""
    price = in_order(box, i, is_reversed)
    return in_order(box, box.reach[price] if is_reversed else box.reach_down[price], is_reversed)


@rule
def first_apart(box, i, is_reversed):
    """The place of the first price beyond the i-th that is apart from it."""
    price = in_order(box, i, is_reversed)
    return in_order(box, box.reach_down[price] if is_reversed else box.reach[price], is_reversed) + 1


@rule
def points_to_come(box, obs, is_reversed):
    """The numbers of the face-down products sold in one direction: their mean over what they may be."""
    points = 0.0
    for letter in range(len(LETTERS)):
        candidates, total = 0, 0
        for product in range(box.products):
            if obs[box.at.pool + product] and box.letter[product] == letter:
                candidates += 1
                if (box.reversed[product] == 1) == is_reversed:
                    total += box.number[product]
        if candidates > 0:
            points += int(obs[box.at.left + letter]) * total / candidates
    return points


@rule
def keep_for_later(box, obs, weight, worth):
    """Take half of what each card may bring for a later product from its worth."""
    left = 0
    for letter in range(len(LETTERS)):
        left += int(obs[box.at.left + letter])
    chance = np.zeros(box.prices)
    for direction in range(2):
        points = points_to_come(box, obs, direction == 1)
        if points > 0:
            chances(box, weight, direction == 1, chance)
            for card in range(box.prices):
                worth[card] -= points / left * chance[card] / 2


@rule
def expert(box, obs, mask):
    """The expert agent: number times chance to win now, less half of what the card would bring later."""
    product = product_up(box, obs)
    weight, leaning = np.zeros(box.prices), np.zeros(box.prices)
    bid_weights(box, obs, weight)
    lean_to_usual(box, product, weight, leaning)
    worth = np.zeros(box.prices)
    chances(box, leaning, obs[box.at.facts + REVERSED] == 1, worth)
    if box.written:
        return CARDS + varied_price(box, obs, worth)
    for card in range(box.prices):
        worth[card] *= number_at(obs, box.at.number)
    keep_for_later(box, obs, weight, worth)
    return best_card(worth, mask)


AGENTS = {"greedy": greedy, "expert": expert}
