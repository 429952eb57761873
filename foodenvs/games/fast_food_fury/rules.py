"""The rules of Fast Food Fury: comments name the clauses of the page (`FF-..`) that a line carries out.

Words: a *place* is a deck with its pile, its spot on the table and its hit; a *slot* is the spot of an open
order; a *kind* is what a product side shows; a team's *row* is its faulty cards. A card is a number: first
the FastFood cards in the order of the component file, then the sauces.
"""

import numpy as np

from foodenvs.core.checks import join_words
from foodenvs.core.game import Option
from foodenvs.core.notation import Reader
from foodenvs.engine import below, rule, shuffle

SEATS = 6
PLACES = 6
TEAMS = 3
HITS = 2  # most places, so most hits, of one seat
TEAM_HITS = 3  # most places of one team
SLOTS = 2
ORDERS = 9  # most cards in the order deck at the start
FASTFOOD = 103
SAUCES = 6
CARDS = FASTFOOD + SAUCES
KINDS = 16
PATTERNS = 3
JOKER = KINDS  # where jokers are counted among the kinds of the cards on an order
FACES = KINDS + PATTERNS  # what a card may show: a kind or, from KINDS on, the pattern of a sauce
NAME = 24  # letters of a kind's or pattern's name
NONE = -1

FAMILIES = ("burger", "pizza", "fries", "drink", "dessert")
BURGER, PIZZA, FRIES, DRINK, DESSERT = range(5)
SILHOUETTES = {"burger": "any_burger", "pizza": "any_pizza", "drink": "any_drink"}
NO_KINDS = ("any_", "sauce_", "kind_")  # how silhouettes, sauces, and kinds that a box lacks are called

# An order side as a row of numbers: whether there is one, what it pays, how many of each kind (fries aside),
# of any burger, any pizza, any drink, and its fries in units with the units of one portion as shown.
ALONE_KINDS = 13
PRESENT, PAYMENT, ALONE = 0, 1, 2
ANY_BURGER, ANY_PIZZA, ANY_DRINK, UNITS, PORTION = range(ALONE + ALONE_KINDS, ALONE + ALONE_KINDS + 5)
SIDE = PORTION + 1

# Where a card is. One number per team, place, or team and slot follows each of the later ones.
OUT, ORDER_DECK, OPEN, WON, DECK = 0, 1, 2, 3, 3 + TEAMS
PILE, TABLE, ROW = DECK + PLACES, DECK + 2 * PLACES, DECK + 3 * PLACES
PLACED = ROW + TEAMS

HIT, DISCARD, PLACE, JOKERS, END = range(5)
PHASES = ("hit", "discard", "place", "joker", "end")

WAIT, HIT_AT, PLACE_AT = 0, 1, 1 + PLACES
DISCARD_AT = PLACE_AT + SLOTS
DISCARD_JOKER_AT = DISCARD_AT + SLOTS * KINDS
ACTIONS = DISCARD_JOKER_AT + SLOTS

ROUND_DECISIONS = 30  # 6 + 5 + .. + 1 hits, at most 3 penalties and 6 placements
SEATINGS = ("1v1", "1v2", "2v2", "2v3", "1v2v2", "3v3", "2v2v2")


def not_weights(value):
    """What `reaction` must be, where it is no list of weights; how many it needs is checked by `pack`."""
    if value is None:
        return ""
    right = isinstance(value, list) and all(type(weight) is int and 0 <= weight <= 100 for weight in value)
    return "" if right else "a list with a whole number from 0 to 100 for each seat, or None"


OPTIONS = (
    Option("players", 4, range(2, SEATS + 1), "number of seats"),
    Option(
        "teams", None, (None, *SEATINGS), "seating; None is the usual one of the number of players (FF-39)"
    ),
    Option("reaction", None, not_weights, "weight of each seat in who lands first (FF-41); None: all 1"),
    Option("max_rounds", 200, range(1, 1001), "rounds after which the game is cut off (FF-40)"),
    Option("joker_discard", False, (False, True), "a joker may be given up as a penalty (FF-14)"),
)

BOX = (
    ("max_rounds", np.int16),
    ("side", np.int8, (CARDS, SIDE)),  # order side of each card
    ("face", np.int8, CARDS),  # kind of each card, of a sauce KINDS + pattern
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


def ranges(box):
    """The least and the greatest value of each field of the state (of each entry, where they differ)."""
    seat, card, copies = box.players - 1, box.cards - 1, box.copies
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
        "placed": (0, [*copies[:KINDS], sum(copies[KINDS:])]),
        "rows": (0, copies[:KINDS]),
        "completed": (0, box.orders),
        "credit": (0, payment),
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


# --- what lies in the box ---------------------------------------------------------------------


def pack(box, components, options):
    """Put cards, seating and options into the box.

    Raises ComponentsError for cards that do not fit, ValueError for a seating or weights of other players.
    """
    box.max_rounds = options["max_rounds"]
    box.joker_discard = options["joker_discard"]
    box.full = components.table("trash").integer("full_at", 1, 99)
    kinds = pack_kinds(box, components)
    pack_cards(box, components, kinds)
    pack_seating(box, components, options)
    pack_reaction(box, options["reaction"])
    group_cards(box)


def pack_kinds(box, components):
    """Kinds, families and patterns; returns the kinds' names."""
    families = components.table("families")
    if families.items("names", None, str) != list(FAMILIES):
        raise families.fail("names", f"must be {', '.join(FAMILIES)}")
    if families.get("silhouettes", dict) != SILHOUETTES:
        raise families.fail("silhouettes", f"must be {SILHOUETTES}")
    table = components.table("kinds")
    rows = table.items("rows", None, list)
    if not 1 <= len(rows) <= KINDS:
        raise table.fail("rows", f"must be 1 to {KINDS} kinds, got {len(rows)}")
    names, column = [], ALONE
    for kind, row in enumerate(rows):
        if [type(value) for value in row] != [str, str, int, int]:
            raise table.fail("rows", f"must be name, family, amount and number of cards, got {row}")
        name, family, amount, copies = row
        pack_name(table, "rows", box.kind_name[kind], name)
        if name in names or name == "joker" or name.startswith(NO_KINDS):
            raise table.fail("rows", f"the name {name} stands for two things")
        if family not in FAMILIES:
            raise table.fail("rows", f"{name} must be of {join_words(FAMILIES)}, got {family!r}")
        if not (1 <= amount <= 9 and 1 <= copies <= FASTFOOD):
            raise table.fail("rows", f"{name} must have amount 1 to 9 and 1 to {FASTFOOD} cards")
        names.append(name)
        box.family[kind], box.amount[kind], box.copies[kind] = FAMILIES.index(family), amount, copies
        box.column[kind] = UNITS if family == "fries" else column
        column += family != "fries"
    if column > ALONE + ALONE_KINDS:
        raise table.fail("rows", f"at most {ALONE_KINDS} kinds other than fries fit")
    box.kinds = len(names)
    sauces = components.table("sauces")
    patterns = sauces.items("patterns", PATTERNS, str)
    if len(set(patterns)) < PATTERNS:
        raise sauces.fail("patterns", "must be different")
    for pattern, name in enumerate(patterns):
        pack_name(sauces, "patterns", box.pattern_name[pattern], name)
    return names


def pack_name(table, key, letters, name):
    """A name as letters in the box: it is part of actions and views."""
    if not (name.isascii() and name.isidentifier() and len(name) <= NAME):
        raise table.fail(key, f"a name has up to {NAME} letters, digits and _, got {name!r}")
    letters[: len(name)] = list(name.encode())


def pack_cards(box, components, kinds):
    counts, table, sauces = map(components.table, ("counts", "fastfood", "sauces"))
    patterns = sauces.items("patterns", PATTERNS, str)
    rows = table.items("cards", None, list)
    names = sauces.items("cards", None, str)
    for key, there in (("fastfood_cards", len(rows)), ("sauce_cards", len(names)), ("trash_can_cards", 1)):
        if counts.get(key, int) != there:
            raise counts.fail(key, f"must be {there}, as many as there are, got {counts.get(key, int)}")
    if not 1 <= len(rows) <= FASTFOOD:
        raise table.fail("cards", f"must be 1 to {FASTFOOD}, got {len(rows)}")
    if len(names) > SAUCES:
        raise sauces.fail("cards", f"must be at most {SAUCES}, got {len(names)}")
    box.fastfood, box.cards = len(rows), len(rows) + len(names)
    seen: set[str] = set()
    for card, row in enumerate(rows):
        if [type(value) for value in row] != [str, str, int, str]:
            raise table.fail("cards", f"must be name, pattern, payment and order side, got {row}")
        name, pattern, payment, side = row
        box.face[card], box.number[card] = read_card_name(table, name, kinds, seen)
        if pattern not in patterns:
            raise table.fail(
                "cards", f"{name} must have a pattern of {join_words(patterns)}, got {pattern!r}"
            )
        box.pattern[card] = patterns.index(pattern)
        if not 1 <= payment <= 127 // ORDERS:
            raise table.fail("cards", f"{name} must pay 1 to {127 // ORDERS}, got {payment}")
        box.side[card, PRESENT], box.side[card, PAYMENT] = 1, payment
        read_side(box, table, name, box.side[card], side, kinds)
    sauce_names = [f"sauce_{pattern}" for pattern in patterns]
    for card, name in enumerate(names, len(rows)):
        pattern, box.number[card] = read_card_name(sauces, name, sauce_names, seen)
        box.pattern[card], box.face[card] = pattern, KINDS + pattern
        box.copies[KINDS + pattern] += 1
    faces = [box.face[card] for card in range(len(rows))]
    for kind, name in enumerate(kinds):
        if faces.count(kind) != box.copies[kind]:
            raise components.table("kinds").fail(
                "rows",
                f"{name} must have {faces.count(kind)} cards, as in [fastfood], got {box.copies[kind]}",
            )


def read_card_name(table, name, faces, seen):
    """The face and the number of a card called `face-number`."""
    face, _, number = name.rpartition("-")
    if face not in faces:
        raise table.fail("cards", f"{name!r} must be {join_words(faces)} with a number, as in {faces[0]}-1")
    if not number.isdecimal() or str(int(number)) != number or not 1 <= int(number) <= 127:
        raise table.fail("cards", f"{name!r} must end in a number from 1 to 127")
    if name in seen:
        raise table.fail("cards", f"{name} is there twice")
    seen.add(name)
    return faces.index(face), int(number)


def read_side(box, table, name, side, text, kinds):
    """Write an order side, `N thing, N thing`, into a row of numbers (FF-18 to FF-20)."""
    taken: list[str] = []
    for part in text.split(", "):
        number, _, thing = part.partition(" ")
        if not (number.isdecimal() and 1 <= int(number) <= 9):
            raise table.fail("cards", f"{name} must order 1 to 9 of each thing, got {part!r}")
        if thing in SILHOUETTES.values():
            family = next(key for key, value in SILHOUETTES.items() if value == thing)
            takes = [kind for k, kind in enumerate(kinds) if FAMILIES[box.family[k]] == family]
            side[ANY_BURGER + list(SILHOUETTES.values()).index(thing)] = int(number)
        elif thing not in kinds:
            raise table.fail("cards", f"{name} orders {thing!r}, which is no kind and no silhouette")
        elif box.family[kinds.index(thing)] == FRIES:
            takes = [kind for k, kind in enumerate(kinds) if box.family[k] == FRIES]
            side[UNITS] = int(number) * box.amount[kinds.index(thing)]
            side[PORTION] = box.amount[kinds.index(thing)]
        else:
            takes = [thing]
            side[box.column[kinds.index(thing)]] = int(number)
        if set(taken) & set(takes):
            raise table.fail("cards", f"{name}: a kind must fit one thing of the order only, got {text!r}")
        taken += takes


def pack_seating(box, components, options):
    """Who plays which place, and in which team (FF-02, FF-38, FF-39); the numbers of cards (FF-03, FF-05)."""
    players, teams = options["players"], components.table("teams")
    fitting = [name for name in SEATINGS if teams.get(name, dict).get("players") == players]
    name = options["teams"] or components.table("defaults").get(str(players), str)
    if name not in fitting:
        quoted = join_words([f'"{name}"' for name in fitting])
        raise ValueError(f"teams must be {quoted} with {players} players, got {name!r}")
    seating = Reader(teams.get(name, dict), f"{teams.where} {name}", teams.error)
    setups = components.table("setup")
    setup_name = seating.get("setup", str)
    setup = Reader(setups.get(setup_name, dict), f"{setups.where} {setup_name}", setups.error)
    box.teams = number = seating.integer("teams", 2, TEAMS)
    box.places = places = setup.integer("places", number, PLACES)
    if places % number or places // number > TEAM_HITS:
        raise setup.fail("places", f"must be 1 to {TEAM_HITS} for each of {number} teams, got {places}")
    for place, seat in enumerate(seating.integers("places", places, 0, players - 1)):
        box.place_seat[place], box.place_team[place] = seat, place % number
        if box.hits[seat] and box.team[seat] != place % number:
            raise seating.fail("places", f"seat {seat} would be in two teams")
        box.team[seat] = place % number
        box.hits[seat] += 1
    for seat in range(players):
        if not 1 <= box.hits[seat] <= HITS:
            raise seating.fail("places", f"seat {seat} must have 1 to {HITS} places, got {box.hits[seat]}")
    box.orders = setup.integer("orders", SLOTS, ORDERS)
    box.sauces = setup.integer("sauces", 0, box.cards - box.fastfood)
    if box.fastfood < box.orders + places:
        raise setup.fail("orders", f"{box.fastfood} FastFood cards are too few for them and {places} places")


def pack_reaction(box, weights):
    players = box.players
    if weights is not None and len(weights) != players:
        raise ValueError(f"reaction must be a list of {players} weights, one for each seat, got {weights!r}")
    box.reaction[:players] = [1] * players if weights is None else weights


def group_cards(box):
    """Put cards that look the same from their product side together."""
    look = {card: (box.face[card], box.pattern[card]) for card in range(box.cards)}
    box.grouped[: box.cards] = sorted(look, key=lambda card: (look[card], card))
    sizes = [list(look.values()).count(pair) for pair in sorted(set(look.values()))]
    box.group_size[: len(sizes)] = sizes


def max_decisions(box):
    return ROUND_DECISIONS * box.max_rounds


def draws(box):
    """Two shuffles for all cards at first; in a round one more, and one hit of every place lands."""
    cards, places = int(box.cards), int(box.places)
    widest = max(cards, places * max(1, *(int(weight) for weight in box.reaction)))
    return 2 * cards + (cards + places) * int(box.max_rounds), widest


# --- setting up ------------------------------------------------------------------------------


@rule
def deal(box, s):
    s.earned[:] = 0
    s.round = 1
    s.where[:] = 0
    s.seen[:] = 0
    s.decks[:] = 0
    s.deck_size[:] = 0
    s.pile_size[:] = 0
    s.order_deck[:] = 0
    s.known[:] = 0
    s.piles[:] = 0
    s.placed[:] = 0
    s.rows[:] = 0
    s.completed[:] = 0
    s.credit[:] = 0
    s.overflow[:] = NONE
    s.claim_place[:] = 0
    s.claim_seat[:] = 0
    s.hits_left[:] = 0
    s.choice[:] = NONE
    s.table[:] = NONE
    s.claims = 0
    s.sauce_round = False
    for face in range(FACES):
        s.unseen[face] = box.copies[face]
    pool, orders, fastfood = s.pool, box.orders, box.fastfood
    for card in range(box.cards):
        pool[card] = card
    shuffle(s.rng, pool, fastfood)  # FF-03
    for k in range(orders):
        s.order_deck[orders - 1 - k] = pool[k]
        s.where[pool[k]] = ORDER_DECK
    s.orders_left = orders
    for slot in range(SLOTS):  # FF-04
        open_order(box, s, slot)
    shuffle(s.rng, pool[fastfood:], box.cards - fastfood)  # FF-05: the first ones are in play
    rest = fastfood + box.sauces - orders
    shuffle(s.rng, pool[orders:], rest)
    place = rest
    while place > box.places:
        place -= box.places
    for k in range(rest - 1, -1, -1):  # dealt one by one, the first to place 0 and so on top
        place -= 1
        put_on_deck(s, place, pool[orders + k])
        if place == 0:
            place = box.places
    pool[:] = 0
    start_round(box, s)


@rule
def open_order(box, s, slot):
    """Turn the next card of the order deck over into a slot; without one the slot stays empty (FF-22)."""
    s.orders[slot] = NONE
    for k in range(SIDE):
        s.sides[slot, k] = 0
    if s.orders_left > 0:
        s.orders_left -= 1
        card = s.order_deck[s.orders_left]
        s.order_deck[s.orders_left] = 0
        s.where[card] = OPEN
        s.orders[slot] = card
        for k in range(SIDE):
            s.sides[slot, k] = box.side[card, k]


# --- cards on the move -----------------------------------------------------------------------


@rule
def is_sauce(box, card):
    return card >= box.fastfood


@rule
def put_on_deck(s, place, card):
    s.where[card] = DECK + place
    s.decks[place, s.deck_size[place]] = card
    s.deck_size[place] += 1


@rule
def put_on_pile(box, s, place, card):
    s.where[card] = PILE + place
    s.piles[place, box.face[card]] += 1
    s.pile_size[place] += 1


@rule
def discard(box, s, card):
    """A card goes to the place with the fewest cards in deck and pile, the lowest of them (FF-17)."""
    fewest = 0
    for place in range(box.places):
        if s.deck_size[place] + s.pile_size[place] < s.deck_size[fewest] + s.pile_size[fewest]:
            fewest = place
    put_on_pile(box, s, fewest, card)


@rule
def order_kind(box, card):
    """How a card counts on an order: by its kind, a sauce as a joker."""
    return JOKER if is_sauce(box, card) else box.face[card]


@rule
def put_on_order(box, s, card, team, slot):
    s.where[card] = PLACED + SLOTS * team + slot
    s.placed[team, slot, order_kind(box, card)] += 1


@rule
def empty_row(box, s, team):
    for card in range(box.fastfood):
        if s.where[card] == ROW + team:
            discard(box, s, card)
    for kind in range(KINDS):
        s.rows[team, kind] = 0


# --- what fits on an order -------------------------------------------------------------------


@rule
def icons_left(box, side, cards, a, b, c):
    """The icons of an order side that `cards` [17] and up to three more (kinds or NONE) leave missing.

    NONE where they do not fit; 0 where they complete the order. A card must be shown, by its kind, as a
    silhouette or in units of fries, and not exceed what is shown. A joker stands for one whole icon, no
    matter which, as long as icons are missing (FF-18 to FF-20, FF-27, FF-28).
    """
    if side[PRESENT] == 0:
        return NONE
    burgers, pizzas, drinks = int(side[ANY_BURGER]), int(side[ANY_PIZZA]), int(side[ANY_DRINK])
    units, portion = int(side[UNITS]), int(side[PORTION])
    left = 0
    for kind in range(box.kinds):
        count = int(cards[kind])
        if kind == a:
            count += 1
        if kind == b:
            count += 1
        if kind == c:
            count += 1
        family = box.family[kind]
        alone = int(side[box.column[kind]]) if family != FRIES else 0
        if alone > 0:  # FF-18
            if count > alone:
                return NONE
            left += alone - count
        elif count > 0:
            amount = count * box.amount[kind]
            if family == FRIES:
                units -= amount  # FF-20
            elif family == BURGER:
                burgers -= amount  # FF-19
            elif family == PIZZA:
                pizzas -= amount
            elif family == DRINK:
                drinks -= amount
            else:
                return NONE
    if burgers < 0 or pizzas < 0 or drinks < 0 or units < 0:
        return NONE
    left += burgers + pizzas + drinks
    jokers = int(cards[JOKER])
    if a == JOKER:
        jokers += 1
    portions = units // portion if portion > 0 else 0
    if left + portions < jokers:  # FF-27
        return NONE
    if portions * portion < units:
        portions += 1
    return left + portions - jokers


@rule
def fits(box, side, cards, a, b, c):
    """Whether up to three more cards (kinds or NONE) fit an order; none at all always do."""
    return (a == NONE and b == NONE and c == NONE) or icons_left(box, side, cards, a, b, c) >= 0


@rule
def placeable(box, side_0, cards_0, side_1, cards_1, a, b, c):
    """Whether up to three cards (kinds or NONE) can be spread over both orders so that all fit (FF-13)."""
    for a_1 in range(1 if a == NONE else 2):
        for b_1 in range(1 if b == NONE else 2):
            for c_1 in range(1 if c == NONE else 2):
                if fits(
                    box, side_0, cards_0, NONE if a_1 else a, NONE if b_1 else b, NONE if c_1 else c
                ) and fits(box, side_1, cards_1, a if a_1 else NONE, b if b_1 else NONE, c if c_1 else NONE):
                    return True
    return False


# --- a round: cards are flipped and hit (FF-06 to FF-09) --------------------------------------


@rule
def start_round(box, s):
    """Flip the cards of a round and, where nobody can hit any, of those after it."""
    flip(box, s)
    if not next_to_choose(box, s, 0):
        settle(box, s)


@rule
def flip(box, s):
    """Every place with a deck turns its top card over (FF-06), and every place may hit once (FF-08)."""
    for place in range(box.places):
        if s.deck_size[place] > 0:
            card = draw(box, s, place)
            s.where[card] = TABLE + place
            s.table[place] = card
            if is_sauce(box, card):  # FF-25
                s.sauce_round = True
    for seat in range(box.players):
        s.hits_left[seat] = box.hits[seat]
    s.tick = 1


@rule
def draw(box, s, place):
    """Take the top card of a deck; from now on its product side has been seen."""
    s.deck_size[place] -= 1
    card = s.decks[place, s.deck_size[place]]
    s.decks[place, s.deck_size[place]] = 0
    if s.seen[card]:
        s.known[place, box.face[card]] -= 1
    else:
        s.unseen[box.face[card]] -= 1
        s.seen[card] = 1
    return card


@rule
def is_free(box, s, place):
    """Whether an unclaimed product lies on a place; sauces are not hit (FF-07)."""
    card = s.table[place]
    if card == NONE or is_sauce(box, card):
        return False
    for k in range(s.claims):
        if s.claim_place[k] == place:
            return False
    return True


@rule
def has_chosen(s, seat, place):
    action = HIT_AT + place
    return s.choice[seat, 0] == action or s.choice[seat, 1] == action


@rule
def may_choose(box, s, seat):
    """Whether a seat may choose (again) in this tick: it has a hit and a card left and did not wait."""
    chosen = 0
    for k in range(HITS):
        if s.choice[seat, k] == WAIT:
            return False
        if s.choice[seat, k] != NONE:
            chosen += 1
    if chosen >= s.hits_left[seat]:
        return False
    for place in range(box.places):
        if is_free(box, s, place) and not has_chosen(s, seat, place):
            return True
    return False


@rule
def next_to_choose(box, s, first):
    """Ask the next seat from `first` on that may choose; False if there is none."""
    for seat in range(first, box.players):
        if may_choose(box, s, seat):
            s.phase = HIT
            s.turn = seat
            return True
    return False


@rule
def choose_hit(s, seat, action):
    """A choice is kept in secret until the tick is over (FF-09)."""
    if s.choice[seat, 0] == NONE:
        s.choice[seat, 0] = action
    else:
        s.choice[seat, 1] = action


@rule
def land_hits(box, s):
    """Land the hits of a tick in an order drawn with the weights of the seats (FF-41); True if any do."""
    landed = False
    while True:
        hits, weights = 0, 0
        for seat in range(box.players):
            for k in range(HITS):
                if s.choice[seat, k] >= HIT_AT:
                    hits += 1
                    weights += box.reaction[seat]
        if hits == 0:
            break
        land_one(box, s, below(s.rng, weights if weights > 0 else hits), weights > 0)
        landed = True
    for seat in range(box.players):
        for k in range(HITS):
            s.choice[seat, k] = NONE
    return landed


@rule
def land_one(box, s, drawn, weighted):
    """Land the hit in which the number `drawn` falls."""
    for seat in range(box.players):
        for k in range(HITS):
            if s.choice[seat, k] >= HIT_AT:
                drawn -= box.reaction[seat] if weighted else 1
                if drawn < 0:
                    place = s.choice[seat, k] - HIT_AT
                    s.choice[seat, k] = NONE
                    s.hits_left[seat] -= 1  # FF-08: a late hit is used up all the same
                    if is_free(box, s, place):  # FF-07: the first hit wins the card
                        s.claim_place[s.claims] = place
                        s.claim_seat[s.claims] = seat
                        s.claims += 1
                    return


# --- hits are checked (FF-10 to FF-16) --------------------------------------------------------


@rule
def check_hits(box, s):
    """Faulty cards leave for the rows; the claims that stay are correct."""
    claims = s.claims
    s.claims = 0
    for k in range(claims):
        place, seat = s.claim_place[k], s.claim_seat[k]
        s.claim_place[k] = 0
        s.claim_seat[k] = 0
        s.claim_place[s.claims] = place
        s.claim_seat[s.claims] = seat
        s.claims += 1
        if not last_is_correct(box, s):
            s.claims -= 1
            s.claim_place[s.claims] = 0
            s.claim_seat[s.claims] = 0
            put_in_row(box, s, place, seat)
    for team in range(box.teams):
        if s.overflow[team] != NONE and row_size(s, team) < box.full:
            s.overflow[team] = NONE


@rule
def put_in_row(box, s, place, seat):
    """A faulty card goes to the team's row; the seat whose faulty hit landed last decides (FF-14)."""
    card, team = s.table[place], box.team[seat]
    s.table[place] = NONE
    s.where[card] = ROW + team
    s.rows[team, box.face[card]] += 1
    s.overflow[team] = seat


@rule
def row_size(s, team):
    size = 0
    for kind in range(KINDS):
        size += s.rows[team, kind]
    return size


@rule
def last_is_correct(box, s):
    """Whether the claim that landed last is correct after those before it."""
    card = s.table[s.claim_place[s.claims - 1]]
    if s.sauce_round:  # FF-33
        return sauce_place(box, s, box.pattern[card]) != NONE
    return claims_placeable(box, s, box.team[s.claim_seat[s.claims - 1]], 0)  # FF-10, FF-12, FF-13


@rule
def claims_placeable(box, s, team, first):
    """Whether all claims of a team from number `first` on can be placed together."""
    a, b, c = NONE, NONE, NONE
    for k in range(first, s.claims):
        if box.team[s.claim_seat[k]] == team:
            kind = box.face[s.table[s.claim_place[k]]]
            if a == NONE:
                a = kind
            elif b == NONE:
                b = kind
            else:
                c = kind
    placed = s.placed[team]
    return placeable(box, s.sides[0], placed[0], s.sides[1], placed[1], a, b, c)


@rule
def may_give_up(box, s, team, slot, kind):
    """Whether a team may discard a kind from an order as a penalty; jokers by option (FF-14)."""
    return s.placed[team, slot, kind] > 0 and (kind != JOKER or box.joker_discard)


@rule
def penalties(box, s):
    """Overflowing trash cans, team by team; True when a seat has to choose what to discard."""
    for team in range(box.teams):
        seat = s.overflow[team]
        if seat != NONE:
            choices, slot, kind = ways_to_pay(box, s, team)
            if choices > 1:
                s.phase = DISCARD
                s.turn = seat
                return True
            if choices == 1:
                pay(box, s, team, slot, kind)
            s.overflow[team] = NONE  # FF-15: without a product the can stays full
    return False


@rule
def ways_to_pay(box, s, team):
    """How many choices a team has for its penalty, and slot and kind of the last one."""
    choices, last_slot, last_kind = 0, NONE, NONE
    for slot in range(SLOTS):
        for kind in range(KINDS + 1):
            if may_give_up(box, s, team, slot, kind):
                choices += 1
                last_slot = slot
                last_kind = kind
    return choices, last_slot, last_kind


@rule
def pay(box, s, team, slot, kind):
    """Discard a product, the lowest card of its kind, and then the row (FF-14)."""
    card = 0
    while s.where[card] != PLACED + SLOTS * team + slot or order_kind(box, card) != kind:
        card += 1
    s.placed[team, slot, kind] -= 1
    discard(box, s, card)
    empty_row(box, s, team)
    s.overflow[team] = NONE


@rule
def overflowing(box, s):
    """The first overflowing team."""
    team = 0
    while s.overflow[team] == NONE:
        team += 1
    return team


# --- correct hits are placed (FF-10, FF-11) ---------------------------------------------------


@rule
def may_place(box, s, slot):
    """Whether the first claim may go to a slot: it fits, and its team's later claims remain placeable."""
    team = box.team[s.claim_seat[0]]
    kind = box.face[s.table[s.claim_place[0]]]
    placed = s.placed[team]
    if not fits(box, s.sides[slot], placed[slot], kind, NONE, NONE):
        return False
    placed[slot, kind] += 1
    may = claims_placeable(box, s, team, 1)
    placed[slot, kind] -= 1
    return may


@rule
def placements(box, s):
    """Correct hits go to the orders in landing order; True when a hitter has to choose one."""
    while s.claims > 0:
        if not may_place(box, s, 1):
            place_first(box, s, 0)
        elif not may_place(box, s, 0):
            place_first(box, s, 1)
        else:
            s.phase = PLACE
            s.turn = s.claim_seat[0]
            return True
    return False


@rule
def place_first(box, s, slot):
    place, team = s.claim_place[0], box.team[s.claim_seat[0]]
    put_on_order(box, s, s.table[place], team, slot)
    s.table[place] = NONE
    s.claims -= 1
    for k in range(s.claims):
        s.claim_place[k] = s.claim_place[k + 1]
        s.claim_seat[k] = s.claim_seat[k + 1]
    s.claim_place[s.claims] = 0
    s.claim_seat[s.claims] = 0


# --- sauces are won (FF-25 to FF-34) ----------------------------------------------------------


@rule
def sauce_place(box, s, pattern):
    """The lowest place with a sauce of a pattern, NONE if none lies on the table."""
    for place in range(box.places):
        if s.table[place] != NONE and box.face[s.table[place]] == KINDS + pattern:
            return place
    return NONE


@rule
def sauce_at_stake(box, s):
    """The pattern whose joker is due: the first with a sauce on the table (FF-31), else PATTERNS."""
    for pattern in range(PATTERNS):
        if sauce_place(box, s, pattern) != NONE:
            return pattern
    return PATTERNS


@rule
def is_team_hit(box, s, k, team, pattern):
    """Whether claim k is one of a team with a pattern."""
    return box.team[s.claim_seat[k]] == team and box.pattern[s.table[s.claim_place[k]]] == pattern


@rule
def team_hits(box, s, team, pattern):
    hits = 0
    for k in range(s.claims):
        if is_team_hit(box, s, k, team, pattern):
            hits += 1
    return hits


@rule
def most_hits(box, s, pattern):
    """The most cards of a pattern that a team won, and how many teams have as many."""
    most, teams = 0, 0
    for team in range(box.teams):
        hits = team_hits(box, s, team, pattern)
        if hits > most:
            most, teams = hits, 0
        if hits == most:
            teams += 1
    return most, teams


@rule
def first_hit(box, s, team, pattern):
    """The number of a team's claim with a pattern that landed first; it has one."""
    k = 0
    while not is_team_hit(box, s, k, team, pattern):
        k += 1
    return k


@rule
def joker_winner(box, s, pattern):
    """The seat that places the joker of a pattern: of the team with the most hits the first that landed.

    On a tie the cards that landed first are turned over and the highest payment wins (FF-29). NONE if there
    is no hit (FF-30) or the highest payments are equal.
    """
    most, _ = most_hits(box, s, pattern)
    winner, highest = NONE, NONE
    if most > 0:
        for team in range(box.teams):
            if team_hits(box, s, team, pattern) == most:
                k = first_hit(box, s, team, pattern)
                payment = box.side[s.table[s.claim_place[k]], PAYMENT]  # a lone team wins with any
                if payment > highest:
                    winner, highest = s.claim_seat[k], payment
                elif payment == highest:
                    winner = NONE
    return winner


@rule
def joker_fits(box, s, seat, slot):
    team = box.team[seat]
    return fits(box, s.sides[slot], s.placed[team, slot], JOKER, NONE, NONE)


@rule
def jokers(box, s):
    """One joker for each pattern with a sauce on the table; True when a seat has to choose its order."""
    pattern = sauce_at_stake(box, s)
    while pattern < PATTERNS:
        seat = joker_winner(box, s, pattern)
        slot = NONE  # FF-26: discarded if no order can take it
        if seat != NONE:
            if joker_fits(box, s, seat, 0):
                slot = 0
            if joker_fits(box, s, seat, 1):
                if slot == 0:
                    s.phase = JOKERS
                    s.turn = seat
                    return True
                slot = 1
        settle_sauce(box, s, pattern, seat, slot)
        pattern = sauce_at_stake(box, s)
    return False


@rule
def settle_sauce(box, s, pattern, seat, slot):
    """The sauce on the lowest place becomes a joker in a slot (NONE: not); others of it are discarded."""
    place = sauce_place(box, s, pattern)
    while place != NONE:
        if slot != NONE:
            put_on_order(box, s, s.table[place], box.team[seat], slot)
            slot = NONE  # FF-32
        else:
            put_on_pile(box, s, place, s.table[place])
        s.table[place] = NONE
        place = sauce_place(box, s, pattern)


# --- the end of a round -----------------------------------------------------------------------


@rule
def settle(box, s):
    """All that follows from the checked hits, up to the next decision or the end of the game."""
    while True:
        if penalties(box, s):  # FF-16: before any correct hit
            return
        if s.sauce_round:
            if jokers(box, s):
                return
        elif placements(box, s):
            return
        if finish_round(box, s):
            return
        flip(box, s)
        if next_to_choose(box, s, 0):
            return


@rule
def finish_round(box, s):
    """Orders are completed and empty decks passed on; True when the game is over."""
    clear_table(box, s)
    for slot in range(SLOTS):
        complete_order(box, s, slot)
    if s.orders[0] == NONE and s.orders[1] == NONE:  # FF-35
        end_game(s)
        s.done = True
        return True
    if s.round == box.max_rounds:  # FF-40
        end_game(s)
        s.truncated = True
        return True
    for place in range(box.places):
        if s.deck_size[place] == 0:
            shuffle_and_pass(box, s)
            break
    s.round += 1
    return False


@rule
def clear_table(box, s):
    """What is left on the table goes to the pile of its own place, hit or not (FF-17, FF-34)."""
    for place in range(box.places):
        if s.table[place] != NONE:
            put_on_pile(box, s, place, s.table[place])
            s.table[place] = NONE
    for k in range(PLACES):
        s.claim_place[k] = 0
        s.claim_seat[k] = 0
    s.claims = 0
    s.sauce_round = False


@rule
def complete_order(box, s, slot):
    """Teams that have everything on an order are paid, the order is cleared and the next one opens."""
    order, completed = s.orders[slot], False
    for team in range(box.teams):
        if icons_left(box, s.sides[slot], s.placed[team, slot], NONE, NONE, NONE) == 0:
            if completed:
                take_equal_order(box, s, team, box.side[order, PAYMENT])
            else:
                take_order(box, s, team, order)  # FF-21
            completed = True
    if completed:
        clear_order(box, s, slot)
        open_order(box, s, slot)


@rule
def take_order(box, s, team, card):
    s.where[card] = WON + team
    s.earned[team] += box.side[card, PAYMENT]
    s.completed[team] += 1


@rule
def take_equal_order(box, s, team, payment):
    """A further team takes the lowest card with the same payment from the piles, else a credit (FF-23)."""
    for card in range(box.fastfood):
        place = s.where[card] - PILE
        if 0 <= place < box.places and box.side[card, PAYMENT] == payment:
            s.piles[place, box.face[card]] -= 1
            s.pile_size[place] -= 1
            take_order(box, s, team, card)
            return
    add_credit(s, team, payment)


@rule
def add_credit(s, team, payment):
    """Note a payment taken without a card, in ascending order."""
    credit = s.credit[team]
    last = 0
    while credit[last] > 0:
        last += 1
    while last > 0 and credit[last - 1] > payment:
        credit[last] = credit[last - 1]
        last -= 1
    credit[last] = payment
    s.earned[team] += payment
    s.completed[team] += 1


@rule
def clear_order(box, s, slot):
    """Everything placed on an order is discarded, the cards of team A first (FF-17, FF-22)."""
    for team in range(box.teams):
        for card in range(box.cards):
            if s.where[card] == PLACED + SLOTS * team + slot:
                discard(box, s, card)
        for kind in range(KINDS + 1):
            s.placed[team, slot, kind] = 0


@rule
def shuffle_and_pass(box, s):
    """Every place shuffles its pile and the rest of its deck and passes them to the left (FF-24)."""
    places = box.places
    s.decks[:] = 0
    for place in range(places):
        left = place + 1 if place + 1 < places else 0
        size = 0
        for card in range(box.cards):
            if s.where[card] == DECK + place or s.where[card] == PILE + place:
                s.decks[left, size] = card
                size += 1
        s.deck_size[left] = size
        shuffle(s.rng, s.decks[left], size)
    s.known[:] = 0
    s.piles[:] = 0
    s.pile_size[:] = 0
    for place in range(places):
        for k in range(s.deck_size[place]):
            card = s.decks[place, k]
            s.where[card] = DECK + place
            if s.seen[card]:
                s.known[place, box.face[card]] += 1


@rule
def end_game(s):
    s.phase = END
    s.turn = NONE
    s.hits_left[:] = 0


# --- actions ----------------------------------------------------------------------------------


@rule
def legal(box, s, mask):
    mask[:] = 0
    seat = s.turn
    if s.phase == HIT:
        mask[WAIT] = 1
        for place in range(box.places):
            mask[HIT_AT + place] = is_free(box, s, place) and not has_chosen(s, seat, place)
    elif s.phase == PLACE or s.phase == JOKERS:  # asked only when both are possible
        mask[PLACE_AT] = 1
        mask[PLACE_AT + 1] = 1
    elif s.phase == DISCARD:
        team = box.team[seat]
        for slot in range(SLOTS):
            for kind in range(KINDS):
                mask[DISCARD_AT + KINDS * slot + kind] = may_give_up(box, s, team, slot, kind)
            mask[DISCARD_JOKER_AT + slot] = may_give_up(box, s, team, slot, JOKER)


@rule
def apply(box, s, action):
    if s.phase == HIT:
        choose_hit(s, s.turn, action)
        if next_to_choose(box, s, s.turn):
            return
        if land_hits(box, s) and next_to_choose(box, s, 0):  # FF-09
            s.tick += 1
            return
        check_hits(box, s)
    elif s.phase == DISCARD:
        if action >= DISCARD_JOKER_AT:
            pay(box, s, overflowing(box, s), action - DISCARD_JOKER_AT, JOKER)
        else:
            slot = 1 if action >= DISCARD_AT + KINDS else 0
            pay(box, s, overflowing(box, s), slot, action - DISCARD_AT - KINDS * slot)
    elif s.phase == PLACE:
        place_first(box, s, action - PLACE_AT)
    else:
        settle_sauce(box, s, sauce_at_stake(box, s), s.turn, action - PLACE_AT)
    settle(box, s)


# --- scoring ----------------------------------------------------------------------------------


@rule
def scores(box, s, out):
    for seat in range(box.players):
        out[seat] = s.earned[box.team[seat]]  # FF-36


@rule
def standing(box, s, seat):
    """Higher is better: the team's total first (FF-36), then few orders; level teams share (FF-37)."""
    team = box.team[seat]
    return 1000 * s.earned[team] - s.completed[team]
