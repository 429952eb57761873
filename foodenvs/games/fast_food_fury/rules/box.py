"""What lies in the box: the options, and cards and seating put into the record."""

from foodenvs.core.checks import join_words
from foodenvs.core.game import Option
from foodenvs.core.notation import Reader
from foodenvs.games.fast_food_fury.rules import layout as L


def not_weights(value):
    """What `reaction` must be, where it is no list of weights; how many it needs is checked by `pack`."""
    if value is None:
        return ""
    right = isinstance(value, list) and all(type(weight) is int and 0 <= weight <= 100 for weight in value)
    return "" if right else "a list with a whole number from 0 to 100 for each seat, or None"


OPTIONS = (
    Option("players", 4, range(2, L.SEATS + 1), "number of seats"),
    Option(
        "teams", None, (None, *L.SEATINGS), "seating; None is the usual one of the number of players (FF-39)"
    ),
    Option("reaction", None, not_weights, "weight of each seat in who lands first (FF-41); None: all 1"),
    Option("max_rounds", 200, range(1, 1001), "rounds after which the game is cut off (FF-40)"),
    Option("joker_discard", False, (False, True), "a joker may be given up as a penalty (FF-14)"),
)


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
    if families.items("names", None, str) != list(L.FAMILIES):
        raise families.fail("names", f"must be {', '.join(L.FAMILIES)}")
    if families.get("silhouettes", dict) != L.SILHOUETTES:
        raise families.fail("silhouettes", f"must be {L.SILHOUETTES}")
    table = components.table("kinds")
    rows = table.items("rows", None, list)
    if not 1 <= len(rows) <= L.KINDS:
        raise table.fail("rows", f"must be 1 to {L.KINDS} kinds, got {len(rows)}")
    names, column = [], L.ALONE
    for kind, row in enumerate(rows):
        if [type(value) for value in row] != [str, str, int, int]:
            raise table.fail("rows", f"must be name, family, amount and number of cards, got {row}")
        name, family, amount, copies = row
        pack_name(table, "rows", box.kind_name[kind], name)
        if name in names or name == "joker" or name.startswith(L.NO_KINDS):
            raise table.fail("rows", f"the name {name} stands for two things")
        if family not in L.FAMILIES:
            raise table.fail("rows", f"{name} must be of {join_words(L.FAMILIES)}, got {family!r}")
        if not (1 <= amount <= 9 and 1 <= copies <= L.CARDS):
            raise table.fail("rows", f"{name} must have amount 1 to 9 and 1 to {L.CARDS} cards")
        names.append(name)
        box.family[kind], box.amount[kind], box.copies[kind] = L.FAMILIES.index(family), amount, copies
        box.column[kind] = L.UNITS if family == "fries" else column
        column += family != "fries"
    box.kinds = box.joker = len(names)
    box.faces, box.thing = len(names) + L.PATTERNS, len(names) + 2 * L.PATTERNS
    box.side_size = column
    sauces = components.table("sauces")
    patterns = sauces.items("patterns", L.PATTERNS, str)
    if len(set(patterns)) < L.PATTERNS:
        raise sauces.fail("patterns", "must be different")
    for pattern, name in enumerate(patterns):
        pack_name(sauces, "patterns", box.pattern_name[pattern], name)
    return names


def pack_name(table, key, letters, name):
    """A name as letters in the box: it is part of actions and views."""
    if not (name.isascii() and name.isidentifier() and len(name) <= L.NAME):
        raise table.fail(key, f"a name has up to {L.NAME} letters, digits and _, got {name!r}")
    letters[: len(name)] = list(name.encode())


def pack_cards(box, components, kinds):
    counts, table, sauces = map(components.table, ("counts", "fastfood", "sauces"))
    patterns = sauces.items("patterns", L.PATTERNS, str)
    rows = table.items("cards", None, list)
    names = sauces.items("cards", None, str)
    for cards, number, key in ((table, len(rows), "fastfood_cards"), (sauces, len(names), "sauce_cards")):
        if counts.get(key, int) != number:
            told = counts.get(key, int)
            raise cards.fail("cards", f"must be {told}, as [counts] {key} says, got {number}")
    counts.integer("trash_can_cards", 1, 1)
    if not rows:
        raise table.fail("cards", "must be at least 1")
    if len(rows) + len(names) > L.CARDS:
        raise table.fail("cards", f"at most {L.CARDS} fit, sauces included, got {len(rows)} and {len(names)}")
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
        if not 1 <= payment < L.HUNDRED:
            raise table.fail("cards", f"{name} must pay 1 to {L.HUNDRED - 1}, got {payment}")
        box.side[card, L.PRESENT], box.side[card, L.PAYMENT] = 1, payment
        read_side(box, table, name, box.side[card], side, kinds)
    sauce_names = [f"sauce_{pattern}" for pattern in patterns]
    for card, name in enumerate(names, len(rows)):
        pattern, box.number[card] = read_card_name(sauces, name, sauce_names, seen)
        box.pattern[card], box.face[card] = pattern, box.kinds + pattern
        box.copies[box.kinds + pattern] += 1
    faces = [box.face[card] for card in range(len(rows))]
    for kind, name in enumerate(kinds):
        if faces.count(kind) != box.copies[kind]:
            told = f"must have {box.copies[kind]} cards of {name}, as [kinds] rows say"
            raise table.fail("cards", f"{told}, got {faces.count(kind)}")


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
        if thing in L.SILHOUETTES.values():
            family = next(key for key, value in L.SILHOUETTES.items() if value == thing)
            takes = [kind for k, kind in enumerate(kinds) if L.FAMILIES[box.family[k]] == family]
            side[L.ANY_BURGER + list(L.SILHOUETTES.values()).index(thing)] = int(number)
        elif thing not in kinds:
            raise table.fail("cards", f"{name} orders {thing!r}, which is no kind and no silhouette")
        elif box.family[kinds.index(thing)] == L.FRIES:
            takes = [kind for k, kind in enumerate(kinds) if box.family[k] == L.FRIES]
            side[L.UNITS] = int(number) * box.amount[kinds.index(thing)]
            side[L.PORTION] = box.amount[kinds.index(thing)]
        else:
            takes = [thing]
            side[box.column[kinds.index(thing)]] = int(number)
        if set(taken) & set(takes):
            raise table.fail("cards", f"{name}: a kind must fit one thing of the order only, got {text!r}")
        taken += takes


def pack_seating(box, components, options):
    """Who plays which place, and in which team (FF-02, FF-38, FF-39); the numbers of cards (FF-03, FF-05)."""
    players, teams = options["players"], components.table("teams")
    fitting = [name for name in L.SEATINGS if teams.get(name, dict).get("players") == players]
    name = options["teams"] or components.table("defaults").get(str(players), str)
    if name not in fitting:
        quoted = join_words([f'"{name}"' for name in fitting])
        raise ValueError(f"teams must be {quoted} with {players} players, got {name!r}")
    seating = Reader(teams.get(name, dict), f"{teams.where} {name}", teams.error)
    setups = components.table("setup")
    setup_name = seating.get("setup", str)
    setup = Reader(setups.get(setup_name, dict), f"{setups.where} {setup_name}", setups.error)
    box.teams = number = seating.integer("teams", 2, L.TEAMS)
    box.places = places = setup.integer("places", number, L.PLACES)
    if places % number or places // number > L.TEAM_HITS:
        raise setup.fail("places", f"must be 1 to {L.TEAM_HITS} for each of {number} teams, got {places}")
    for place, seat in enumerate(seating.integers("places", places, 0, players - 1)):
        box.place_seat[place], box.place_team[place] = seat, place % number
        if box.hits[seat] and box.team[seat] != place % number:
            raise seating.fail("places", f"seat {seat} would be in two teams")
        box.team[seat] = place % number
        box.hits[seat] += 1
    for seat in range(players):
        if not 1 <= box.hits[seat] <= L.HITS:
            raise seating.fail("places", f"seat {seat} must have 1 to {L.HITS} places, got {box.hits[seat]}")
    box.orders = setup.integer("orders", L.SLOTS, L.ORDERS)
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
    return L.ROUND_DECISIONS * box.max_rounds


def draws(box):
    """Two shuffles for all cards at first; in a round one more, and one hit of every place lands."""
    cards, places = int(box.cards), int(box.places)
    widest = max(cards, places * max(1, *(int(weight) for weight in box.reaction)))
    return 2 * cards + (cards + places) * int(box.max_rounds), widest
