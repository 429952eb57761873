"""The rules of Catchup & Mousetard: comments name the clauses of the page (`CM-..`) that they carry out."""

import numpy as np

from foodenvs.core.components import ComponentsError
from foodenvs.core.game import Option
from foodenvs.core.notation import Reader
from foodenvs.engine import below, next_seat, rule, shuffle

SEATS = 4
CHARACTERS = ("catchup", "mousetard", "spicy", "honey")
DECKS = ("store", "ingredients", "fridge")
STORE, INGREDIENTS, FRIDGE = range(3)
FAMILIES = ("hamburger", "hot_dog", "potato", "sharing")
BREAD, MEAT, POTATO, SAUCE, ADDITIONAL = CLASSES = ("bread", "meat", "potato", "sauce", "additional")
ICON_CLASS = {
    "bun": BREAD, "roll": BREAD,
    "veal": MEAT, "sausage": MEAT, "chicken": MEAT, "bacon": MEAT,
    "potato": POTATO,
    "ketchup": SAUCE, "mustard": SAUCE, "mayonnaise": SAUCE, "barbecue": SAUCE,
    "lettuce": ADDITIONAL, "tomato": ADDITIONAL, "onion": ADDITIONAL, "cheese": ADDITIONAL,
}  # fmt: skip
ICONS = len(ICON_CLASS)
FIRST_SAUCE = 7  # icons from here on are small: sauces, then
FIRST_ADDITIONAL = 11  # additional ingredients
ANY_SAUCE = "sauce"  # in the pattern of a dish: a sauce of any kind, another one than those that it names

KINDS = 72  # room for kinds of cards; box.kinds, their number, is the place of an own sauce after them
DISHES = 28  # room for dishes
DECK = 42  # room for the cards of a deck
NAME = 24  # room for the letters of a name
HAND = 7  # CM-16
DRAWS = 3  # CM-17
DEALT = (INGREDIENTS, INGREDIENTS, INGREDIENTS, STORE, FRIDGE)  # CM-12
AGES = ("new", "old")  # of a card in hand: drawn since its deck was last reshuffled, or before (CM-50)
NEW, OLD = range(len(AGES))

PHASES = ("discard", "more", "serve", "build", "over")
DISCARDING, MORE, SERVING, BUILDING, OVER = range(len(PHASES))


def number_of_actions(box):
    """Discard a kind, box.draw + deck, box.start + dish, box.add + kind or own sauce; box.serve, box.done."""
    return int(box.done) + 1


ACTIONS = number_of_actions
MIN_TARGET, MAX_TARGET = 10, 100
MAX_TURNS = 120


def are_characters(value):
    """What `characters` must be; "" where it is that, the number of names aside (see `pack`)."""
    names = value if isinstance(value, (list, tuple)) else [None]
    if value is None or (len(set(map(str, names))) == len(names) and all(n in CHARACTERS for n in names)):
        return ""
    return f"None or a list of different names out of {', '.join(CHARACTERS)}, one per seat"


OPTIONS = (
    Option("players", 4, range(2, SEATS + 1), "number of seats"),
    Option("characters", None, are_characters, "character of each seat; None: dealt at random (CM-03)"),
    Option("first_player", None, (None, *range(SEATS)), "the seat that starts; None: at random (CM-07)"),
    Option(
        "extra_ingredients",
        "each",
        ("each", "one"),
        "additional ingredients beyond the pattern: one of each kind, or one in all (CM-33)",
    ),
    Option("draw", "must", ("must", "may"), "whether a card must be drawn where one can be (CM-19)"),
    Option("target", 50, range(MIN_TARGET, MAX_TARGET + 1), "points that win (CM-26)"),
    Option("max_turns", 100, range(1, MAX_TURNS + 1), "turns of each player before truncation (CM-48)"),
)

BOX = (
    ("once", np.int32, DISHES),  # icons that a dish needs at least once, as bits
    ("twice", np.int32, DISHES),  # icons that it needs twice
    ("draw", np.int16),  # the first action that draws a card
    ("start", np.int16),  # .. that starts a dish
    ("add", np.int16),  # .. that puts a card into it
    ("serve", np.int16),
    ("done", np.int16),
    ("need", np.int8, (DISHES, ICONS)),
    ("most", np.int8, (DISHES, ICONS)),  # most cards of an icon, extras included
    ("sauces", np.int8, DISHES),  # kinds of sauce that a dish with a sauce of any kind needs; else 0
    ("count", np.int8, KINDS),  # copies of each kind
    ("value", np.int8, KINDS + 1),  # points, own sauce included
    ("icon", np.int8, KINDS),
    ("shown", np.int8, KINDS),  # icons that a card can stand for: 2 for a double, else 1
    ("deck", np.int8, KINDS),
    ("first", np.int8, ICONS + 1),  # the kinds of icon i run from first[i] to first[i + 1] - 1
    ("sauce", np.int8, len(CHARACTERS)),  # icon of the own sauces
    ("own_sauces", np.int8, len(CHARACTERS)),  # at the start
    ("deck_count", np.int8, len(DECKS)),
    ("characters", np.int8, SEATS),  # by the option; -1 at random
    ("first_player", np.int8),  # by the option; -1 at random
    ("one_extra", np.int8),  # extra_ingredients = "one"
    ("target", np.int8),
    ("max_turns", np.int8),
    ("kinds", np.int8),
    ("dishes", np.int8),
    ("must_draw", np.int8),  # draw = "must"
    ("best_dish", np.int8),  # no dish is worth more
    ("kind_name", np.int8, (KINDS, NAME)),  # letters, then 0
    ("dish_name", np.int8, (DISHES, NAME)),
)

STATE = (
    ("scores", np.int16, SEATS),
    ("hands", np.int8, (SEATS, KINDS)),  # cards by kind, those of the dish under construction included
    ("old", np.int8, (SEATS, KINDS)),  # the old cards among them (CM-50)
    ("backs", np.int8, (SEATS, len(DECKS), len(AGES))),  # cards in hand by deck: NEW and OLD ones
    ("discards", np.int8, KINDS),
    ("deck", np.int8, (len(DECKS), DECK)),  # kinds; the top is [deck_size - 1], drawn places are 0
    ("deck_size", np.int8, len(DECKS)),
    ("build", np.int8, KINDS + 1),  # the dish under construction
    ("own_sauces", np.int8, SEATS),  # left
    ("characters", np.int8, SEATS),
    ("first_player", np.int8),
    ("phase", np.int8),
    ("round", np.int8),  # from 1
    ("floor", np.int8),  # lowest kind that may be discarded or added
    ("drawn", np.int8),  # ingredients drawn, while more may be
    ("dish", np.int8),  # under construction; -1 none
)


def ranges(box):
    """The least and the greatest value of each field of the state (of each entry, where they differ)."""
    return {
        "scores": (0, int(box.target) - 1 + box.best_dish),
        "hands": (0, box.count),
        "old": (0, box.count),
        "backs": (0, HAND),
        "discards": (0, box.count),
        "deck": (0, box.kinds - 1),
        "deck_size": (0, box.deck_count),
        "build": (0, [*box.count[: box.kinds], 1, *[0] * (KINDS - box.kinds)]),
        "own_sauces": (0, max(box.own_sauces)),
        "characters": (0, len(CHARACTERS) - 1),
        "first_player": (0, box.players - 1),
        "phase": (0, OVER),
        "round": (1, box.max_turns),
        "floor": (0, box.kinds),
        "drawn": (0, DRAWS - 1),
        "dish": (-1, box.dishes - 1),
    }


# --- the box ---------------------------------------------------------------------------------


def pack(box, components, options):
    """Put cards, dishes and options into the box; ComponentsError for components that do not fit."""
    players = box.players
    pack_options(box, options)
    for table, names in (("deck", DECKS), ("icon", tuple(ICON_CLASS)), ("character", CHARACTERS)):
        printed_names(components, table, names)
    for row in components.rows("icon", ICONS):
        row.choice("class", (ICON_CLASS[row.get("name", str)],))
    pack_cards(box, components)
    pack_dishes(box, components)
    for number, row in enumerate(components.rows("character", len(CHARACTERS))):
        sauces = [name for name, kind in ICON_CLASS.items() if kind == SAUCE]
        box.sauce[number] = FIRST_SAUCE + sauces.index(row.choice("sauce", sauces))
        box.own_sauces[number] = row.integer("own_sauces", 0, HAND)
    for number, row in enumerate(components.rows("deck", len(DECKS))):
        total = sum(n for n, deck in zip(box.count, box.deck, strict=True) if deck == number)
        least = players * DEALT.count(number)
        if not least <= total <= DECK:
            raise row.fail("count", f"{least} (the hands dealt) to {DECK} cards fit, [card] has {total}")
        if row.get("count", int) != total:
            raise row.fail("count", f"must be {total}, as many as [card] has, got {row.get('count', int)}")
        box.deck_count[number] = total


def pack_options(box, options):
    players, characters, first = box.players, options["characters"], options["first_player"]
    if characters is not None and len(characters) != players:
        raise ValueError(f"characters must be {players} names, one per seat, got {len(characters)}")
    if first is not None and first >= players:
        raise ValueError(f"first_player must be None or 0 to {players - 1}, got {first}")
    box.characters[:] = -1
    if characters is not None:
        box.characters[:players] = [CHARACTERS.index(name) for name in characters]
    box.first_player = -1 if first is None else first
    box.must_draw = options["draw"] == "must"
    box.one_extra = options["extra_ingredients"] == "one"
    box.target, box.max_turns = options["target"], options["max_turns"]


def printed_names(components, table, names):
    """Check that the rows of a table have the printed names, in their order."""
    rows = components.rows(table, len(names))
    if len(rows) != len(names):
        raise ComponentsError(f"components: [{table}]: must have {len(names)} rows, got {len(rows)}")
    for row, name in zip(rows, names, strict=True):
        row.choice("name", (name,))


def own_names(rows, what):
    """The names of rows in a box of one's own: different words that fit into the box."""
    names = []
    for row in rows:
        name = row.get("name", str)
        if not (name.isascii() and name.isidentifier() and len(name) <= NAME):
            raise row.fail("name", f"must be one word of at most {NAME} letters, digits and _, got {name!r}")
        if name in names or name == "own":
            raise row.fail("name", f"{name!r} is taken; {what} must have names of their own")
        names.append(name)
    return names


def write_names(place, names):
    """Names as letters."""
    for number, name in enumerate(names):
        place[number, : len(name)] = list(name.encode())


def pack_cards(box, components):
    rows = components.rows("card", KINDS)
    icons = tuple(ICON_CLASS)
    write_names(box.kind_name, own_names(rows, "cards"))
    box.kinds = len(rows)
    box.icon[:] = ICONS - 1
    box.shown[:] = 1
    for kind, row in enumerate(rows):
        icon = icons.index(row.choice("icon", icons))
        if kind and icon < box.icon[kind - 1]:
            raise row.fail("icon", "rows must run by icon, in the order of [icon]")
        double = row.get("double", bool)
        if double and icon >= FIRST_SAUCE:
            raise row.fail("double", f"must be false for {icons[icon]}, which no dish takes twice")
        box.icon[kind] = icon
        box.shown[kind] = 1 + double
        box.value[kind] = row.integer("value", 0, 9)
        box.count[kind] = row.integer("count", 0, DECK)
        box.deck[kind] = DECKS.index(row.choice("deck", DECKS))
    for icon in range(ICONS + 1):
        box.first[icon] = sum(1 for kind in range(len(rows)) if box.icon[kind] < icon)
    box.value[box.kinds] = components.table("own_sauce").integer("value", 0, 9)
    values = sorted(int(box.value[kind]) for kind in range(box.kinds) for _ in range(box.count[kind]))
    box.best_dish = sum(values[-HAND:]) + int(box.value[box.kinds])


def pack_dishes(box, components):
    rows = components.rows("dish", DISHES)
    icons = tuple(ICON_CLASS)
    write_names(box.dish_name, own_names(rows, "dishes"))
    box.dishes = len(rows)
    box.draw = box.kinds
    box.start = box.draw + len(DECKS)
    box.add = box.start + len(rows)
    box.serve = box.add + box.kinds + 1
    box.done = box.serve + 1
    for dish, row in enumerate(rows):
        takes_additional = row.choice("family", FAMILIES) in ("hamburger", "hot_dog")
        need = Reader(row.get("need", dict), f"{row.where}: need", ComponentsError, (*icons, ANY_SAUCE))
        for icon, name in enumerate(icons):
            times = need.integer(name, 0, 1 if icon >= FIRST_SAUCE else 2, 0)
            extra = {
                POTATO: 1,  # CM-31, CM-40
                SAUCE: 1 - times,  # CM-28, CM-29; of each kind by itself (CM-32)
                ADDITIONAL: 1 - times if takes_additional else 0,  # CM-33, CM-34, CM-35
            }
            box.need[dish, icon] = times
            box.most[dish, icon] = times + extra.get(ICON_CLASS[name], 0)
            box.once[dish] |= (times >= 1) << icon
            box.twice[dish] |= (times == 2) << icon
        named = sum(int(box.need[dish, sauce]) for sauce in range(FIRST_SAUCE, FIRST_ADDITIONAL))
        free = need.integer(ANY_SAUCE, 0, FIRST_ADDITIONAL - FIRST_SAUCE - named, 0)
        box.sauces[dish] = named + free if free else 0  # CM-27
        if not any(need.integer(name, 0, 2, 0) for name in icons[:FIRST_SAUCE]):
            raise row.fail("need", "must hold bread, meat or potato")


def max_decisions(box):
    """A turn has at most 3 discards, 3 draws, 7 dishes of 7 cards with own sauces, and `done`."""
    own = max(box.own_sauces)
    return (HAND - 1 + HAND + HAND + own + HAND + 1) * box.max_turns * box.players


def draws(box):
    """First player, characters and decks; what is shuffled again has been drawn since, but for the last time.

    So it is never more cards than there are, and one for each card drawn.
    """
    drawn = int(box.players) * (len(DEALT) + DRAWS * int(box.max_turns))
    return 1 + SEATS + sum(int(n) for n in box.count) + drawn, int(box.kinds)


# --- setting up ------------------------------------------------------------------------------


@rule
def deal(box, s):
    s.scores[:] = 0
    s.hands[:] = 0
    s.old[:] = 0
    s.backs[:] = 0
    s.discards[:] = 0
    s.deck[:] = 0
    s.deck_size[:] = 0
    s.build[:] = 0
    s.own_sauces[:] = 0
    s.drawn = 0
    s.dish = -1
    s.floor = 0
    s.round = 1
    choose_first_player(box, s)
    choose_characters(box, s)
    fill_decks(box, s)
    deal_hands(box, s)
    s.phase = DISCARDING


@rule
def choose_first_player(box, s):
    s.first_player = box.first_player
    if s.first_player < 0:
        s.first_player = below(s.rng, box.players)  # CM-07
    s.turn = s.first_player  # CM-13


@rule
def choose_characters(box, s):
    for seat in range(SEATS):
        s.characters[seat] = seat
    if box.characters[0] < 0:
        shuffle(s.rng, s.characters, SEATS)  # CM-03
    for seat in range(SEATS):
        if seat >= box.players:
            s.characters[seat] = 0
        else:
            if box.characters[0] >= 0:
                s.characters[seat] = box.characters[seat]
            s.own_sauces[seat] = box.own_sauces[s.characters[seat]]  # CM-06


@rule
def fill_decks(box, s):
    for kind in range(box.kinds):  # CM-09
        deck = box.deck[kind]
        for _ in range(box.count[kind]):
            s.deck[deck, s.deck_size[deck]] = kind
            s.deck_size[deck] += 1
    for deck in range(len(DECKS)):
        shuffle(s.rng, s.deck[deck], s.deck_size[deck])


@rule
def deal_hands(box, s):
    seat = s.first_player
    for _ in range(box.players):  # CM-12
        for deck in DEALT:
            draw(box, s, seat, deck)
        seat = next_seat(box, seat)


# --- cards -----------------------------------------------------------------------------------


@rule
def hand_size(s, seat):
    size = 0
    for deck in range(len(DECKS)):
        size += s.backs[seat, deck, NEW] + s.backs[seat, deck, OLD]
    return size


@rule
def can_draw(box, s, deck):
    """Whether a card of the deck is left, in it or in its discards (CM-20)."""
    if s.deck_size[deck] > 0:
        return True
    for kind in range(box.kinds):
        if box.deck[kind] == deck and s.discards[kind] > 0:
            return True
    return False


@rule
def draw(box, s, seat, deck):
    """Take the top card of a deck into a hand."""
    if s.deck_size[deck] == 0:
        reshuffle(box, s, deck)
    top = s.deck_size[deck] - 1
    kind = s.deck[deck, top]
    s.deck[deck, top] = 0
    s.deck_size[deck] = top
    s.hands[seat, kind] += 1
    s.backs[seat, deck, NEW] += 1


@rule
def reshuffle(box, s, deck):
    """Make the discards of an empty deck the new deck (CM-20); its cards in hands are old now (CM-50)."""
    size = 0
    for kind in range(box.kinds):
        if box.deck[kind] == deck:
            for _ in range(s.discards[kind]):
                s.deck[deck, size] = kind
                size += 1
            s.discards[kind] = 0
            for seat in range(box.players):
                s.old[seat, kind] = s.hands[seat, kind]
    s.deck_size[deck] = size
    shuffle(s.rng, s.deck[deck], size)
    for seat in range(box.players):
        s.backs[seat, deck, OLD] += s.backs[seat, deck, NEW]
        s.backs[seat, deck, NEW] = 0


@rule
def discard(box, s, seat, kind):
    """Move a card from a hand to the discards of its deck, an old one first (CM-50)."""
    deck = box.deck[kind]
    s.hands[seat, kind] -= 1
    s.discards[kind] += 1
    if s.old[seat, kind] > 0:
        s.old[seat, kind] -= 1
        s.backs[seat, deck, OLD] -= 1
    else:
        s.backs[seat, deck, NEW] -= 1


# --- what a turn allows ----------------------------------------------------------------------


@rule
def legal(box, s, mask):
    mask[:] = 0
    seat = s.turn
    if s.phase == DISCARDING:
        legal_discards(box, s, seat, mask)
    elif s.phase == MORE:  # CM-18
        mask[box.draw + INGREDIENTS] = 1
        mask[box.done] = 1
    elif s.phase == SERVING:
        legal_dishes(box, s, seat, mask)
        mask[box.done] = 1  # CM-22
    elif s.phase == BUILDING:
        legal_additions(box, s, seat, mask)


@rule
def legal_discards(box, s, seat, mask):
    """Discards in the order of kinds (CM-15), draws while there is room (CM-16); else `done` (CM-19)."""
    for kind in range(s.floor, box.kinds):
        mask[kind] = s.hands[seat, kind] > 0
    mask[box.done] = 1
    if hand_size(s, seat) < HAND:
        for deck in range(len(DECKS)):  # CM-17, CM-43, CM-46
            if can_draw(box, s, deck):
                mask[box.draw + deck] = 1
                mask[box.done] = not box.must_draw


@rule
def own_icon(box, s, seat):
    """The icon of the sauces that a seat may still take from its own; -1 if it has none left."""
    return box.sauce[s.characters[seat]] if s.own_sauces[seat] > 0 else -1


@rule
def legal_dishes(box, s, seat, mask):
    """The dishes of the menu whose pattern hand and own sauces can match (CM-23)."""
    own = own_icon(box, s, seat)
    once, twice, sauces = 0, 0, 0  # icons that they can show once and twice, as bits; kinds of sauce
    for icon in range(ICONS):
        shown = 1 if icon == own else 0  # CM-27
        for kind in range(box.first[icon], box.first[icon + 1]):
            shown += s.hands[seat, kind] * box.shown[kind]  # CM-36 to CM-38
        if shown >= 1:
            once |= 1 << icon
            sauces += FIRST_SAUCE <= icon < FIRST_ADDITIONAL
        if shown >= 2:
            twice |= 1 << icon
    for dish in range(box.dishes):
        missing = (box.once[dish] & ~once) | (box.twice[dish] & ~twice)
        mask[box.start + dish] = missing == 0 and sauces >= box.sauces[dish]


@rule
def legal_additions(box, s, seat, mask):
    """Cards in the order of kinds, as far as the dish can still be finished; `serve` once it is.

    The cards of an icon lie side by side in that order and own sauces come last. So a card may be added if
    its own icon can be covered with it and what follows, and if all icons before are covered or wait for
    the own sauce.
    """
    own = own_icon(box, s, seat) if s.build[box.kinds] == 0 else -1  # CM-29
    extras_left = additional_left(box, s)
    uncovered = False  # an icon that no later card can cover
    waiting = False  # an icon that only the own sauce can cover now
    room_for_own = False
    for icon in range(ICONS):
        first, end = box.first[icon], box.first[icon + 1]
        need = box.need[s.dish, icon]
        cards, shown, left = 0, 0, 0
        for kind in range(first, end):
            cards += s.build[kind]
            shown += s.build[kind] * box.shown[kind]
            if kind >= s.floor:
                left += s.hands[seat, kind] - s.build[kind]
        if s.build[box.kinds] > 0 and icon == box.sauce[s.characters[seat]]:
            shown += 1
        room = cards < box.most[s.dish, icon]  # CM-41
        if icon >= FIRST_ADDITIONAL and need == 0 and extras_left == 0:  # CM-33
            room = False
        if room and left > 0 and not uncovered and has_sauces(box, s, seat, own, icon):
            for kind in range(max(first, s.floor), end):
                available = s.hands[seat, kind] - s.build[kind]
                if available > 0:
                    mask[box.add + kind] = shown + box.shown[kind] >= need or left > 1  # CM-37, CM-39
                    left -= available
        if icon == own:
            room_for_own = room
            waiting = shown < need
        elif shown < need:
            uncovered = True
    mask[box.add + box.kinds] = room_for_own and not uncovered and has_sauces(box, s, seat, own, ICONS)
    covered = not uncovered and not waiting and has_sauces(box, s, seat, -1, ICONS)
    mask[box.serve] = covered  # extras never must be (CM-30)


@rule
def has_sauces(box, s, seat, own, icon):
    """Whether the dish has its sauces of any kind (CM-27), or can have them.

    What can still come are cards of `icon` and of icons after it, and an own sauce of the icon `own`.
    """
    if box.sauces[s.dish] == 0:
        return True
    sauces = 0
    for sauce in range(FIRST_SAUCE, FIRST_ADDITIONAL):
        cards = 1 if sauce == own else 0
        if s.build[box.kinds] > 0 and sauce == box.sauce[s.characters[seat]]:
            cards += 1
        for kind in range(box.first[sauce], box.first[sauce + 1]):
            cards += s.build[kind]
            if sauce >= icon and kind >= s.floor:
                cards += s.hands[seat, kind] - s.build[kind]
        sauces += cards > 0
    return sauces >= box.sauces[s.dish]


@rule
def additional_left(box, s):
    """How many more additional ingredients beyond the pattern the option allows (CM-33)."""
    if not box.one_extra:
        return ICONS
    for icon in range(FIRST_ADDITIONAL, ICONS):
        if box.need[s.dish, icon] == 0:
            for kind in range(box.first[icon], box.first[icon + 1]):
                if s.build[kind] > 0:
                    return 0
    return 1


# --- a turn ----------------------------------------------------------------------------------


@rule
def apply(box, s, action):
    """Discards, then draws, then dishes (CM-14), as the phases allow them."""
    seat = s.turn
    if action < box.draw:
        s.floor = action
        discard(box, s, seat, s.floor)  # CM-15
    elif action < box.start:
        draw_phase(box, s, seat, action - box.draw)
    elif action < box.add:
        s.dish = action - box.start
        s.phase = BUILDING
    elif action < box.serve:
        s.floor = action - box.add
        s.build[s.floor] += 1
    elif action == box.serve:
        serve(box, s, seat)
    elif s.phase == SERVING:
        end_turn(box, s, seat)
    else:
        begin_serving(s)


@rule
def draw_phase(box, s, seat, deck):
    """Draw a card; after an ingredient there may be more, up to three (CM-17, CM-18) and seven (CM-42)."""
    draw(box, s, seat, deck)
    s.floor = 0
    s.drawn += 1
    if deck == INGREDIENTS and s.drawn < DRAWS and hand_size(s, seat) < HAND and can_draw(box, s, deck):
        s.phase = MORE
    else:
        begin_serving(s)


@rule
def begin_serving(s):
    """Dishes follow, of cards just drawn too (CM-47), one or several (CM-44)."""
    s.phase = SERVING
    s.floor = 0
    s.drawn = 0
    s.dish = -1


@rule
def serve(box, s, seat):
    """The cards go to the discards (CM-24), an own sauce out of the game (CM-10); their values are points."""
    points = 0
    for kind in range(box.kinds):
        for _ in range(s.build[kind]):
            discard(box, s, seat, kind)
            points += box.value[kind]  # CM-25
        s.build[kind] = 0
    if s.build[box.kinds] > 0:
        s.own_sauces[seat] -= 1
        points += box.value[box.kinds]
        s.build[box.kinds] = 0
    s.scores[seat] += points
    begin_serving(s)
    if s.scores[seat] >= box.target:  # CM-26
        end_game(s)
        s.done = True


@rule
def end_turn(box, s, seat):
    s.turn = next_seat(box, seat)  # CM-13
    s.phase = DISCARDING
    if s.turn == s.first_player:
        if s.round == box.max_turns:  # CM-48
            end_game(s)
            s.truncated = True
        else:
            s.round += 1


@rule
def end_game(s):
    s.phase = OVER
    s.turn = -1


# --- scoring ---------------------------------------------------------------------------------


@rule
def scores(box, s, out):
    for seat in range(box.players):
        out[seat] = s.scores[seat]


@rule
def standing(box, s, seat):
    """Higher is better: points; leaders with equal points share the win (CM-48)."""
    return s.scores[seat]
