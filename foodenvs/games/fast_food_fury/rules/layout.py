"""The numbers of Fast Food Fury: how much there is room for, what numbers stand for, and the two records.

A module that reads them has this one as `L`. A card is a number: first the FastFood cards in the order of the
component file, then the sauces.
"""

import numpy as np

SEATS = 6
PLACES = 6
TEAMS = 3
HITS = 2  # most places, so most hits, of one seat
TEAM_HITS = 3  # most places of one team
SLOTS = 2
ORDERS = 9  # most cards in the order deck at the start
CARDS = 127  # room for cards, as many as one byte can number
KINDS = 32  # room for kinds
PATTERNS = 3
FACES = KINDS + PATTERNS  # room for what a card may show: a kind or, after all kinds, the pattern of a sauce
HUNDRED = 100  # a team's total, which may pass what one byte holds, is shown in hundreds and the rest
ROUNDS_SHOWN = 127  # of the rounds to come
NAME = 24  # letters of a kind's or pattern's name
NONE = -1

FAMILIES = ("burger", "pizza", "fries", "drink", "dessert")
BURGER, PIZZA, FRIES, DRINK, DESSERT = range(5)
SILHOUETTES = {"burger": "any_burger", "pizza": "any_pizza", "drink": "any_drink"}
NO_KINDS = ("any_", "sauce_")  # how silhouettes and sauces are called

# An order side as a row of numbers: whether there is one, what it pays, how many of any burger, any pizza,
# any drink, its fries in units with the units of one portion as shown, and how many of each kind that is no
# fries.
PRESENT, PAYMENT, ANY_BURGER, ANY_PIZZA, ANY_DRINK, UNITS, PORTION, ALONE = range(8)
SIDE = ALONE + KINDS  # room for it

# Where a card is. One number per team, place, or team and slot follows each of the later ones.
OUT, ORDER_DECK, OPEN, WON, DECK = 0, 1, 2, 3, 3 + TEAMS
PILE, TABLE, ROW = DECK + PLACES, DECK + 2 * PLACES, DECK + 3 * PLACES
PLACED = ROW + TEAMS

HIT, DISCARD, PLACE, TIE, JOKERS, END = range(6)
PHASES = ("hit", "discard", "place", "tie", "joker", "end")

WAIT, HIT_AT, PLACE_AT = 0, 1, 1 + PLACES
TURN_AT = PLACE_AT + SLOTS
DISCARD_JOKER_AT = TURN_AT + PLACES
DISCARD_AT = DISCARD_JOKER_AT + SLOTS  # of each kind the slots

# 6 + 5 + .. + 1 hits, at most 3 penalties, and 6 placements or, with sauces, 2 cards turned over and 3 jokers
ROUND_DECISIONS = 30
SEATINGS = ("1v1", "1v2", "2v2", "2v3", "1v2v2", "3v3", "2v2v2")

BOX = (
    ("max_rounds", np.int16),
    ("side", np.int8, (CARDS, SIDE)),  # order side of each card
    ("face", np.int8, CARDS),  # kind of each card, of a sauce kinds + pattern
    ("pattern", np.int8, CARDS),
    ("number", np.int8, CARDS),  # the number in a card's name
    ("grouped", np.int8, CARDS),  # all cards, those of one face and pattern together, in index order
    ("group_size", np.int8, CARDS),  # sizes of these groups; 0 after the last
    ("family", np.int8, KINDS),
    ("amount", np.int8, KINDS),  # what a card adds to a silhouette or, of fries, in units
    ("column", np.int8, KINDS),  # where an order side counts this kind alone
    ("copies", np.int8, FACES),
    ("kind_name", np.int8, (KINDS, NAME)),  # letters, then 0
    ("pattern_name", np.int8, (PATTERNS, NAME)),
    ("place_seat", np.int8, PLACES),
    ("place_team", np.int8, PLACES),
    ("hits", np.int8, SEATS),  # places of a seat
    ("reaction", np.int8, SEATS),
    ("places", np.int8),
    ("kinds", np.int8),
    ("joker", np.int8),  # kinds: where jokers are counted among the kinds of the cards on an order
    ("faces", np.int8),  # kinds and patterns
    ("thing", np.int8),  # faces and patterns: numbers that tell a card on the table, one-hot
    ("side_size", np.int8),  # numbers of an order side that are in use
    ("fastfood", np.int8),  # number of FastFood cards; sauces are numbered from here
    ("cards", np.int8),
    ("orders", np.int8),  # order deck at the start, open ones included
    ("sauces", np.int8),  # in play
    ("full", np.int8),  # cards in a row with which the trash can overflows
    ("joker_discard", np.bool_),
)

STATE = (
    ("earned", np.int16, TEAMS),
    ("round", np.int16),
    ("where", np.int8, CARDS),
    ("seen", np.int8, CARDS),  # 1: the product side was seen
    ("decks", np.int8, (PLACES, CARDS)),  # the top card is the last of deck_size; then 0
    ("deck_size", np.int8, PLACES),
    ("pile_size", np.int8, PLACES),
    ("order_deck", np.int8, ORDERS),  # the top card is the last of orders_left; then 0
    ("orders", np.int8, SLOTS),  # open cards, NONE where there is none
    ("sides", np.int8, (SLOTS, SIDE)),  # their order sides, 0 where there is none
    ("table", np.int8, PLACES),  # card on each place, or NONE
    ("known", np.int8, (PLACES, FACES)),  # seen cards in each deck by what they show
    ("piles", np.int8, (PLACES, FACES)),
    ("unseen", np.int8, FACES),  # cards whose product side was never seen
    ("placed", np.int8, (TEAMS, SLOTS, KINDS + 1)),  # cards of each kind on the orders, jokers last
    ("rows", np.int8, (TEAMS, KINDS)),
    ("completed", np.int8, TEAMS),
    ("credit", np.int8, (TEAMS, ORDERS)),  # payments taken without a card, sorted; then 0
    ("turned", np.int8, TEAMS),  # place of the card that a team turned over in the tie at hand, or NONE
    ("overflow", np.int8, TEAMS),  # seat that decides on a team's penalty, NONE without one
    ("claim_place", np.int8, PLACES),  # claimed cards on the table in landing order; then 0
    ("claim_seat", np.int8, PLACES),
    ("hits_left", np.int8, SEATS),
    ("choice", np.int8, (SEATS, HITS)),  # secret: actions chosen in this tick, then NONE
    ("pool", np.int8, CARDS),  # room for shuffling; else 0
    ("orders_left", np.int8),
    ("claims", np.int8),
    ("tick", np.int8),
    ("phase", np.int8),
    ("sauce_round", np.bool_),
)


def number_of_actions(box):
    return DISCARD_AT + SLOTS * int(box.kinds)


def ranges(box):
    """The least and the greatest value of each field of the state (of each entry, where they differ)."""
    seat, card, copies = box.players - 1, box.cards - 1, list(box.copies)
    of_kinds = copies[: box.kinds] + [0] * (KINDS - box.kinds)
    payment = max(box.side[:, PAYMENT])
    return {
        "earned": (0, box.orders * payment),
        "round": (1, box.max_rounds),
        "where": (OUT, PLACED + TEAMS * SLOTS - 1),
        "seen": (0, 1),
        "decks": (0, card),
        "deck_size": (0, box.cards),
        "pile_size": (0, box.cards),
        "order_deck": (0, card),
        "orders": (NONE, card),
        "sides": (0, max(box.side.ravel())),
        "table": (NONE, card),
        "known": (0, copies),
        "piles": (0, copies),
        "unseen": (0, copies),
        "placed": (0, [*copies[: box.kinds], sum(copies[box.kinds :]), *[0] * (KINDS - box.kinds)]),
        "rows": (0, of_kinds),
        "completed": (0, box.orders),
        "credit": (0, payment),
        "turned": (NONE, box.places - 1),
        "overflow": (NONE, seat),
        "claim_place": (0, box.places - 1),
        "claim_seat": (0, seat),
        "hits_left": (0, box.hits),
        "choice": (NONE, HIT_AT + box.places - 1),
        "pool": (0, 0),
        "orders_left": (0, box.orders),
        "claims": (0, box.places),
        "tick": (1, box.places),
        "phase": (HIT, END),
        "sauce_round": (0, 1),
    }
