"""Sizes, names, actions, what lies in the box and what changes in play: the ground of all modules."""

import numpy as np

SEATS = 5
TYPES = 7  # of ingredients; also the courses of the critic meal, left to right
VALUES = 6
LOWEST = 2  # ingredients have the values 2 .. 7
INGREDIENTS = TYPES * VALUES  # ingredient VALUES * type + value - LOWEST
SPICES = TYPES + 1
ALLSPICE = INGREDIENTS + TYPES
STOCK = INGREDIENTS + SPICES  # kinds behind a shield: ingredients, then spices
RUMOURS = 3  # kind STOCK + r is the token of rumour r
WILD = STOCK + RUMOURS
KINDS = WILD + 1
BAG = 240  # room in the bag: twice the tokens of the box
LOCATIONS = SEATS + 3
PLATES = 3  # a day's challenge plates; the critic meal lies on plate 0
PREPARATIONS = 3
PLAIN, SPICED, ALLSPICED = range(PREPARATIONS)
MOUSE, LIZARD, BOAR, SOUS = CHEFS = 0, 1, 2, 3
LOAD = 3  # items that the strongest chef carries, and the last queue of a location
ROUNDS = 7
CHALLENGE_ROUNDS = (3, 6)  # after these come challenges and refrigeration
CARDS = ROUNDS - 1  # challenge cards and sous chefs of a game, one for each of the rounds 1 to 6
PLANNING, SHOPPING, CHALLENGES, REFRIGERATION, CRITIC, OVER = PHASES = range(6)
PREPARATION = len(PHASES)  # between rounds; never seen at a decision
TRUCK = 0  # places are a game's locations in row order: truck, numbered ones, merchant, academy

# Room for twice the cards of the box.
CHALLENGE_CARDS, CRITICS, RUMOUR_CARDS, SOUS_CHEFS, RESTAURATEURS = 14, 24, 56, 24, 20
NAME = 24  # letters of a card's name
NUMBERS = 3  # of a card's effect
SHOWN = 127  # the most that an observation tells of a number: it has a byte for each
HIGHEST = 31  # value of an ingredient, whatever cards say
STEPS = 3  # of the scale for challenge meals
ROWS = 10  # of the score track

TYPE_NAMES = ("bread", "carrot", "cheese", "fish", "meat", "mushroom", "wine")
SPICE_NAMES = (*(f"{name} spice" for name in TYPE_NAMES), "allspice")
RUMOUR_NAMES = ("rumour 1", "rumour 2", "rumour 3", "wild")
CHEF_NAMES = ("mouse", "lizard", "boar", "sous")
LOCATION_NAMES = (
    "soup_truck", "garden_top_shop", "desert_vendor", "water_market", "flying_grocer", "lantern_lane",
    "midnight_merchant", "chef_academy",
)  # fmt: skip
LOCATION_KINDS = ("truck", *["numbered"] * SEATS, "merchant", "academy")

# Actions: action k < INGREDIENTS takes, lays or discards ingredient k; the others begin here.
SPICED_ACTION = INGREDIENTS
ALLSPICED_ACTION = 2 * INGREDIENTS
SPICE_ACTION = 3 * INGREDIENTS
RUMOUR_ACTION = SPICE_ACTION + SPICES
WILD_ACTION = RUMOUR_ACTION + RUMOURS
SOUP_ACTION = WILD_ACTION + RUMOURS
BISQUE_ACTION = SOUP_ACTION + 1
SOUS_ACTION = SOUP_ACTION + 2
HOME_ACTION = SOUP_ACTION + 3
SERVE_ACTION = SOUP_ACTION + 4
SKIP_ACTION = SOUP_ACTION + 5
NEXT_ACTION = SOUP_ACTION + 6
PLACE_ACTION = SOUP_ACTION + 7
ACTIONS = PLACE_ACTION + len(CHEFS) * LOCATIONS

# Moments at which a card may have an effect; 0 in an effect table is no effect.
REVEAL, START, FIRST, ITEM, HOME = SHOP_MOMENTS = range(5)
VALUE, FACTOR, MEAL = KITCHEN_MOMENTS = range(3)
CHALLENGE_MEAL, CRITIC_MEAL = range(2)  # the two kinds of meals that a critic's card may speak of
MULTIPLIER, EACH, MOST, LEAST = range(4)  # how a rumour pays

# What lies in the box. Sets of types are bit masks: bit t is type t. Single numbers are int64, here and in
# the state, since every type of an argument is a compilation of its own.
BOX = (
    ("challenge_cards", np.int64),  # cards in the box
    ("critics", np.int64),
    ("rumour_cards", np.int64),
    ("sous_chefs", np.int64),
    ("owners", np.int64),
    ("places", np.int64),  # locations of this game
    ("merchant", np.int64),  # their places
    ("academy", np.int64),
    ("start_soup", np.int64),
    ("soup_value", np.int64),
    ("bisque_value", np.int64),
    ("bisques", np.int64),
    ("spice_factor", np.int64),
    ("extra_allspice", np.int64),
    ("lap", np.int64),
    ("lap_stars", np.int64),
    ("critic", np.int64),  # the options; -1: a critic at random
    ("restaurateurs", np.int64),
    ("truck_moves", np.int64),  # truck_leftovers = "academy"
    ("count", np.int8, KINDS),  # tokens of each kind in the bag at the start
    ("row_end", np.int8, ROWS),  # rows of the score track
    ("row_stars", np.int8, ROWS),
    ("scale_quality", np.int8, STEPS),
    ("scale_stars", np.int8, STEPS),
    ("room", np.int8, len(CHALLENGE_ROUNDS)),  # refrigeration limits after rounds 3 and 6
    ("capacity", np.int8, len(CHEFS)),
    ("spaces", np.int8, LOCATIONS),  # by place
    ("challenge_types", np.int8, CHALLENGE_CARDS),
    ("challenge_held", np.int8, CHALLENGE_CARDS),  # the rightmost type
    ("value", np.int8, (CRITICS, 2, RESTAURATEURS + 1, 2, VALUES)),  # see value_of and quality_of
    ("factor", np.int8, (CRITICS, 2, RESTAURATEURS + 1, 4, TYPES)),
    ("critic_effect", np.int8, (CRITICS, 2, len(KITCHEN_MOMENTS))),
    ("critic_numbers", np.int8, (CRITICS, NUMBERS)),
    ("course_limit", np.int8, CRITICS),  # traits of critics: see TRAITS in rules/cards.py
    ("limited_courses", np.int8, CRITICS),
    ("rumours_as_allspice", np.int8, CRITICS),
    ("paired_courses", np.int8, CRITICS),
    ("paired_type", np.int8, CRITICS),
    ("most_soup_stars", np.int8, CRITICS),
    ("sole_best_stars", np.int8, CRITICS),
    ("tied_best_stars", np.int8, CRITICS),
    ("rumour_pool", np.int8, RUMOUR_CARDS),  # 1: may be one of the three
    ("rumour_kind", np.int8, RUMOUR_CARDS),
    ("rumour_measure", np.int8, RUMOUR_CARDS),
    ("rumour_courses", np.int8, RUMOUR_CARDS),
    ("rumour_number", np.int8, RUMOUR_CARDS),
    ("rumour_beyond", np.int8, RUMOUR_CARDS),
    ("rumour_each", np.int8, RUMOUR_CARDS),
    ("rumour_stars", np.int8, RUMOUR_CARDS),
    ("rumour_most", np.int8, RUMOUR_CARDS),
    ("sous_capacity", np.int8, SOUS_CHEFS),
    ("sous_effect", np.int8, (SOUS_CHEFS, len(SHOP_MOMENTS))),
    ("sous_numbers", np.int8, (SOUS_CHEFS, NUMBERS)),
    ("own_queue", np.int8, SOUS_CHEFS),  # traits of sous chefs
    ("spices_free", np.int8, SOUS_CHEFS),
    ("owner_shop_effect", np.int8, (RESTAURATEURS, len(SHOP_MOMENTS))),
    ("owner_kitchen_effect", np.int8, (RESTAURATEURS, len(KITCHEN_MOMENTS))),
    ("owner_numbers", np.int8, (RESTAURATEURS, NUMBERS)),
    ("owner_stars", np.int8, RESTAURATEURS),
    ("private_rumour", np.int8, RESTAURATEURS),  # traits of restaurateurs
    ("bisque_consolation", np.int8, RESTAURATEURS),
    ("more_room", np.int8, RESTAURATEURS),
    ("meal_bonus", np.int8, RESTAURATEURS),
    ("marker_places", np.int8, RESTAURATEURS),
    ("challenge_names", np.int8, (CHALLENGE_CARDS, NAME)),
    ("critic_names", np.int8, (CRITICS, NAME)),
    ("rumour_names", np.int8, (RUMOUR_CARDS, NAME)),
    ("sous_names", np.int8, (SOUS_CHEFS, NAME)),
    ("owner_names", np.int8, (RESTAURATEURS, NAME)),
)

STATE = (
    ("queue", np.int64, SEATS),  # seats, the head first; -1 beyond queue_size
    ("priority", np.int64, SEATS),  # seats, nearest to the door first; -1 beyond the players
    ("academy_sous", np.int64),
    ("sous", np.int64),  # works this round
    ("sous_owner", np.int64),
    ("student", np.int64),  # taken this round
    ("student_owner", np.int64),
    ("truck_bisque", np.int64),
    ("bag_size", np.int64),
    ("critic", np.int64),
    ("round", np.int64),  # 1 .. 7
    ("phase", np.int64),
    ("here", np.int64),  # the place being resolved; -1 outside shopping
    ("line", np.int64),  # the capacity of the chefs in the queue
    ("queue_size", np.int64),
    ("plate", np.int64),  # the challenge plate of the seat on turn
    ("course", np.int64),  # the course of the seat on turn
    ("winner", np.int64),
    ("stars", np.int32, SEATS),
    ("quality", np.int32, SEATS),  # of the final score; 0 before the end
    ("soup", np.int16, SEATS),
    ("plate_soup", np.int16, (SEATS, PLATES, 2)),  # soup and bisque on pending plates
    ("items", np.int8, (LOCATIONS, KINDS)),  # tokens by place
    ("bag", np.int8, BAG),  # kinds; the next is bag[bag_size - 1], empty places are 0
    ("bag_count", np.int8, KINDS),
    ("removed", np.int8, KINDS - STOCK),  # rumour and wild tokens out of the game
    ("stock", np.int8, (SEATS, STOCK)),  # what a seat owns, tokens on pending plates included
    ("free", np.int8, (SEATS, STOCK)),  # what of it lies on no plate; 0 before meals are laid
    ("plates", np.int8, (SEATS, PLATES, PREPARATIONS, INGREDIENTS)),  # pending plates, critic meal
    ("served", np.int8, (SEATS, PLATES)),
    ("pairs", np.int8, (SEATS, TYPES)),  # value of the wine paired with each course
    ("bisque", np.int8, SEATS),
    ("tokens", np.int8, (SEATS, RUMOURS)),  # 0 none, 1 a numbered token, 2 a wild one
    ("restaurateur", np.int8, SEATS),  # cards; -1 none, here and below
    ("private", np.int8, SEATS),  # a private rumour
    ("plan", np.int8, (SEATS, len(CHEFS))),  # the place of each chef; -1 none
    ("left", np.int8, SEATS),  # what the seat's chef here can still carry; 0: none here, or gone
    ("taken", np.int8, SEATS),  # items it has taken here
    ("rumours", np.int8, RUMOURS),
    ("challenges", np.int8, PLATES),  # the day's opened cards
    ("seen_challenges", np.int8, CHALLENGE_CARDS),  # 1: opened so far
    ("challenge_deck", np.int8, CARDS),  # the card of each round to come
    ("sous_deck", np.int8, CARDS),
    ("gone_sous", np.int8, SOUS_CHEFS),  # 1: opened and out of the game
    ("first_pick", np.bool_),  # an item has been taken from this location; soup does not count
)
