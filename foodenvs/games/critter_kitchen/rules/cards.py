"""From components.toml to the box: every card as numbers, checked by name.

A card has a name, at most one `effect` of effects.py with its numbers as keys, and any of the traits below.
"""

import functools
from collections.abc import Collection, Mapping
from typing import Any

from foodenvs.core.components import Components
from foodenvs.core.notation import Reader
from foodenvs.engine import Record
from foodenvs.games.critter_kitchen import layout as L
from foodenvs.games.critter_kitchen.rules import effects
from foodenvs.games.critter_kitchen.rules.scoring import MEASURES

KINDS_OF_PAY = {"multiplier": L.MULTIPLIER, "each": L.EACH, "most": L.MOST, "least": L.LEAST}

# CK-04, CK-05, CK-18
FIRST_GAME = {"critic": "mouse", "advanced_rumours": False, "restaurateurs": False}

# Numbers on cards that a rule reads: key and box field, default, least, greatest.
CRITIC_TRAITS = {
    "course_limit": (1, 1, 9),  # ingredients in one course, if every other course holds at most 1
    "rumours_as_allspice": (0, 0, 1),
    "paired_courses": (0, 0, L.TYPES),  # courses that may be paired with an ingredient of `paired_type`
    "most_soup_stars": (1, 0, 9),  # CK-72
    "sole_best_stars": (1, 0, 9),  # CK-75
    "tied_best_stars": (1, 0, 9),
}
SOUS_TRAITS = {
    "own_queue": (0, 0, 1),  # picks before all others
    "spices_free": (0, 0, 1),  # spices do not count against the capacity
}
RESTAURATEUR_TRAITS = {
    "private_rumour": (0, 0, 1),
    "bisque_consolation": (0, 0, 1),
    "more_room": (0, 0, 20),  # CK-68
    "meal_bonus": (0, 0, 20),  # quality of every challenge meal
    "marker_places": (L.SEATS, 0, L.SEATS),  # how far a tied first pick moves the marker
}
SHOP_EFFECTS: tuple[dict[str, Any], ...] = (
    effects.REVEAL_EFFECTS,
    effects.START_EFFECTS,
    effects.FIRST_EFFECTS,
    effects.ITEM_EFFECTS,
    effects.HOME_EFFECTS,
)
OWNER_SHOP_EFFECTS: Any = (*SHOP_EFFECTS[:2], {}, effects.ITEM_EFFECTS, {})  # restaurateurs have no others
KITCHEN_EFFECTS: tuple[Any, ...] = (effects.VALUE_EFFECTS, effects.FACTOR_EFFECTS, effects.MEAL_EFFECTS)
SCOPES = {"challenge": (0,), "meal": (1,), "both": (0, 1)}


def pack(box: Record, components: Components, options: Mapping[str, Any]) -> None:
    """Put cards and options into the box; ComponentsError for what does not fit."""
    players, options = box.players, with_line_up(options)
    box.restaurateurs = options["restaurateurs"]
    box.places = players + L.LOCATIONS - L.SEATS
    box.merchant, box.academy = players + 1, players + 2
    pack_tokens(box, components)
    pack_rounds(box, components)
    pack_locations(box, components)
    pack_scales(box, components)
    pack_challenges(box, components)
    pack_critics(box, components)
    pack_rumours(box, components, options["advanced_rumours"])
    pack_sous_chefs(box, components)
    pack_restaurateurs(box, components)
    pack_values(box)
    pack_critic_option(box, options["critic"])
    box.truck_moves = options["truck_leftovers"] == "academy"
    if box.restaurateurs and box.owners < players:
        raise components.table("rounds").error(
            f"components: [restaurateur]: must have {players} rows, one for each seat, got {box.owners}"
        )


def with_line_up(options: Mapping[str, Any]) -> Mapping[str, Any]:
    """The options, with those of the first game where `setup` says so; ValueError where they contradict."""
    if options["setup"] != "first_game":
        return options
    for key, free in (("critic", "random"), ("restaurateurs", False)):
        if options[key] not in (free, FIRST_GAME[key]):
            raise ValueError(
                f"{key} must be {FIRST_GAME[key]!r} or left out with setup='first_game', got {options[key]!r}"
            )
    return {**options, **FIRST_GAME}


def pack_critic_option(box: Record, critic: str) -> None:
    names = names_of(box.critic_names)
    if critic != "random" and critic not in names:
        raise ValueError(f"critic must be random or one of {', '.join(names)}, as in the box, got {critic!r}")
    box.critic = -1 if critic == "random" else names.index(critic)


# --- reading -----------------------------------------------------------------------------------


def the_same(table: Reader, key: str, value: Any) -> None:
    """Refuse any other value of a key: the rules or the names of actions stand on it."""
    if table.get(key, type(value)) != value:
        raise table.fail(key, f"must be {value!r}, got {table.data[key]!r}")


def flag(row: Reader, key: str, default: bool) -> bool:
    value: bool = row.get(key, bool, default)
    return value


def types(row: Reader, key: str, default: list[str] | None = None) -> int:
    """A list of types as a bit mask."""
    names = row.items(key, None, str) if default is None else row.items(key, None, str, default)
    for name in names:
        if name not in L.TYPE_NAMES:
            raise row.fail(key, f"must be some of {', '.join(L.TYPE_NAMES)}, got {name!r}")
    return sum(1 << t for t, name in enumerate(L.TYPE_NAMES) if name in names)


def write_name(row: Reader, names: Any, number: int) -> str:
    """Keep a card's name in the box, for words."""
    name: str = row.get("name", str)
    if not (name.isascii() and name.replace("_", "a").isalnum() and len(name) <= L.NAME):
        raise row.fail("name", f"must be 1 to {L.NAME} letters, digits and underscores, got {name!r}")
    if name in names_of(names):
        raise row.fail("name", f"{name!r} stands there twice")
    for i, letter in enumerate(name):
        names[number, i] = ord(letter)
    return name


def names_of(names: Any) -> list[str]:
    """The names of cards out of the box, in order."""
    return list(_texts(names.tobytes(), names.shape[-1]))


@functools.lru_cache(64)
def _texts(letters: bytes, width: int) -> tuple[str, ...]:
    rows = (letters[k : k + width].rstrip(b"\0").decode("ascii") for k in range(0, len(letters), width))
    return tuple(text for text in rows if text)


def card_rows(
    components: Components,
    name: str,
    least: int,
    at_most: int,
    tables: Any,
    keys: Collection[str],
) -> list[Reader]:
    """The rows of a table of cards, whose keys are known ones and the numbers of an effect of `tables`."""
    rows = components.rows(name, at_most)
    if len(rows) < least:
        raise rows[0].error(f"components: [{name}]: must have at least {least} rows, got {len(rows)}")
    for row in rows:
        row.choice("effect", effect_names(tables), None)
        known = {"name", "text", "source", "effect", *keys, *numbers_of(row)}
        for key in row.data:
            if key not in known:
                raise row.fail(key, f"unknown key; there are {', '.join(sorted(known))}")
    return rows


def effect_names(tables: Any) -> list[str]:
    return [name for effects_of_moment in tables for name in effects_of_moment]


def numbers_of(row: Reader) -> tuple[str, ...]:
    """The keys that a card's effect asks for."""
    for effects_of_moment in (*SHOP_EFFECTS, *KITCHEN_EFFECTS):
        if row.data.get("effect") in effects_of_moment:
            numbers: tuple[str, ...] = effects_of_moment[row.data["effect"]][1]
            return numbers
    return ()


def pack_traits(box: Record, row: Reader, number: int, traits: Mapping[str, tuple[int, int, int]]) -> None:
    for key, (default, low, high) in traits.items():
        if (low, high) == (0, 1):
            getattr(box, key)[number] = flag(row, key, bool(default))
        else:
            getattr(box, key)[number] = row.integer(key, low, high, default)


def pack_effect(row: Reader, tables: Any, codes: Any, numbers: Any) -> None:
    """Write the code of a card's effect at its moment, and its numbers."""
    if "effect" not in row:
        return
    name = row.get("effect", str)
    for moment, effects_of_moment in enumerate(tables):
        if name in effects_of_moment:
            codes[moment] = 1 + list(effects_of_moment).index(name)
    for i, key in enumerate(numbers_of(row)):
        high = L.HIGHEST if key in ("worth", "value") else 30 if key in ("from", "to") else 9
        numbers[i] = types(row, key) if key == "types" else row.integer(key, 0, high)


def pack_values(box: Record) -> None:
    """Work out what ingredients are worth with each critic and restaurateur in both meals (CK-82)."""
    for critic in range(box.critics):
        for meal in (L.CHALLENGE_MEAL, L.CRITIC_MEAL):
            by_critic = box.critic_effect[critic, meal], box.critic_numbers[critic]
            for owner in range(-1, box.owners if box.restaurateurs else 0):
                by_owner = (box.owner_kitchen_effect[owner], box.owner_numbers[owner]) if owner >= 0 else None
                for spiced in range(2):
                    for v in range(L.VALUES):
                        value = L.LOWEST + v
                        for card in (by_owner, by_critic):
                            value = changed(card, L.VALUE, value, L.LOWEST + v, spiced)
                        box.value[critic, meal, owner + 1, spiced, v] = value
                for spiced, lone in ((0, 0), (0, 1), (1, 0), (1, 1)):
                    for course in range(L.TYPES):
                        factor = box.spice_factor if spiced else 1
                        for card in (by_critic, by_owner):
                            factor = changed(card, L.FACTOR, factor, course, spiced, lone)
                        box.factor[critic, meal, owner + 1, 2 * spiced + lone, course] = factor


def changed(card: tuple[Any, Any] | None, moment: int, amount: int, *situation: int) -> int:
    """An amount as a card's effect at a moment changes it, if it has one."""
    if card is None or not card[0][moment]:
        return amount
    effect, _ = list(KITCHEN_EFFECTS[moment].values())[card[0][moment] - 1]
    return effect(card[1], amount, *situation)


# --- tokens, rounds, locations, scales -----------------------------------------------------------


def pack_tokens(box: Record, components: Components) -> None:
    the_same(components.table("types"), "names", list(L.TYPE_NAMES))
    ingredients = components.table("ingredients")
    the_same(ingredients, "values", list(range(L.LOWEST, L.LOWEST + L.VALUES)))
    copies = ingredients.integers("copies", L.VALUES, 0, 9)
    check_total(ingredients, "total", L.TYPES * sum(copies))
    for kind in range(L.INGREDIENTS):
        box.count[kind] = copies[kind % L.VALUES]
    spices = components.table("spices")
    the_same(spices, "names", list(L.SPICE_NAMES))
    box.count[L.INGREDIENTS : L.ALLSPICE + 1] = spices.integer("copies", 0, 9)
    check_total(spices, "total", sum(box.count[L.INGREDIENTS : L.ALLSPICE + 1]))
    box.extra_allspice = spices.integer("round7_extra_allspice", 0, 9)
    box.spice_factor = spices.integer("multiplier", 1, 9)
    rumours = components.table("rumour_tokens")
    the_same(rumours, "names", list(L.RUMOUR_NAMES))
    box.count[L.STOCK :] = rumours.integer("copies", 0, 9)
    check_total(rumours, "total", sum(box.count[L.STOCK :]))
    bag = components.table("bag")
    check_total(bag, "total", sum(box.count))
    if sum(box.count) + box.extra_allspice > L.BAG:
        raise bag.fail(
            "total", f"at most {L.BAG} tokens fit, with the allspice of round 7, got {sum(box.count)}"
        )
    soup = components.table("soup")
    the_same(soup, "soup_supply", "unlimited")
    box.soup_value = soup.integer("soup_value", 0, 9)
    box.bisque_value = soup.integer("bisque_value", 0, 9)
    box.bisques = soup.integer("bisque_supply", 0, 99)
    box.start_soup = soup.integer("start_soup", 0, 20)


def check_total(table: Reader, key: str, total: int) -> None:
    if table.get(key, int) != total:
        raise table.fail(key, f"must be {total}, the sum of the tokens, got {table.data[key]}")


def pack_rounds(box: Record, components: Components) -> None:
    rounds = components.table("rounds")
    for key, value in (
        ("count", L.ROUNDS),
        ("challenge_rounds", list(L.CHALLENGE_ROUNDS)),
        ("hold_rounds", list(L.CHALLENGE_ROUNDS)),
        ("critic_round", L.ROUNDS),
        ("challenge_cards_used", L.CARDS),
        ("rumour_cards_used", L.RUMOURS),
        ("sous_chefs_used", L.CARDS),
    ):
        the_same(rounds, key, value)
    box.room[:] = rounds.integers("refrigeration", len(L.CHALLENGE_ROUNDS), 0, 99)
    chefs = components.table("chefs")
    the_same(chefs, "names", list(L.CHEF_NAMES))
    box.capacity[:] = chefs.integers("capacity", len(L.CHEFS), 0, L.LOAD)
    if sorted(box.capacity) != [0, 1, 2, 3] or box.capacity[L.SOUS] != 0:
        raise chefs.fail("capacity", "must be 1, 2 and 3 in some order, then 0 for the sous chef")


def pack_locations(box: Record, components: Components) -> None:
    rows = components.rows("location", L.LOCATIONS)
    if len(rows) != L.LOCATIONS:
        raise rows[0].error(f"components: [location]: must have {L.LOCATIONS} rows, got {len(rows)}")
    for number, row in enumerate(rows):
        the_same(row, "name", L.LOCATION_NAMES[number])
        the_same(row, "kind", L.LOCATION_KINDS[number])
        if L.LOCATION_KINDS[number] == "numbered":
            the_same(row, "number", number)
        spaces = row.integer("spaces", 0, 20)
        if box.players == 2:  # CK-06
            spaces = row.integer("spaces_2p", 0, 20, spaces)
        place = place_of(box, number)
        if place >= 0:
            box.spaces[place] = spaces
    if box.spaces[0] != 0:
        raise rows[0].fail("spaces", "must be 0: the truck is not filled from the bag")


def place_of(box: Record, location: int) -> int:
    """The place of a location of components.toml in this game's row; -1 for one that is not used."""
    if location >= L.LOCATIONS - 2:
        return int(location - (L.LOCATIONS - box.places))
    return location if location <= box.players else -1


def pack_scales(box: Record, components: Components) -> None:
    scale = components.table("challenge_scale")
    box.scale_quality[:] = scale.integers("quality", L.STEPS, 1, 99)
    box.scale_stars[:] = scale.integers("stars", L.STEPS, 0, 9)
    track = components.table("score_track")
    for key, field, high in (("row_end", box.row_end, 127), ("row_stars", box.row_stars, 20)):
        values = track.integers(key, L.ROWS, 0, high)
        if values != sorted(values):
            raise track.fail(key, "must rise from row to row")
        field[:] = values
    box.lap = track.integer("lap", 1, 127)
    if box.row_end[-1] != box.lap:
        raise track.fail("lap", f"must be {box.row_end[-1]}, the end of the last row, got {box.lap}")
    box.lap_stars = track.integer("lap_stars", 0, 20)


# --- cards -------------------------------------------------------------------------------------


def pack_challenges(box: Record, components: Components) -> None:
    """CK-90."""
    rows = card_rows(components, "challenge", L.CARDS, L.CHALLENGE_CARDS, (), {"needs"})
    box.challenge_cards = len(rows)
    for number, row in enumerate(rows):
        write_name(row, box.challenge_names, number)
        needs = row.items("needs", None, str)
        mask = types(row, "needs")
        if len(needs) < 2 or len(set(needs)) != len(needs):
            raise row.fail("needs", f"must be two or more different types, got {needs}")
        box.challenge_types[number] = mask
        box.challenge_held[number] = L.TYPE_NAMES.index(needs[-1])


def pack_critics(box: Record, components: Components) -> None:
    """CK-91."""
    keys = {"scope", "limited_courses", "paired_type", *CRITIC_TRAITS}
    rows = card_rows(components, "critic", 1, L.CRITICS, KITCHEN_EFFECTS, keys)
    box.critics = len(rows)
    for number, row in enumerate(rows):
        write_name(row, box.critic_names, number)
        pack_traits(box, row, number, CRITIC_TRAITS)
        box.limited_courses[number] = types(row, "limited_courses", list(L.TYPE_NAMES))
        box.paired_type[number] = L.TYPE_NAMES.index(row.choice("paired_type", L.TYPE_NAMES, "wine"))
        for meal in SCOPES[row.choice("scope", list(SCOPES))]:
            pack_effect(row, KITCHEN_EFFECTS, box.critic_effect[number, meal], box.critic_numbers[number])


def pack_rumours(box: Record, components: Components, advanced: bool) -> None:
    keys = {"kind", "advanced", "measure", "courses", "number", "beyond", "each", "stars", "most", "factor"}
    rows = card_rows(components, "rumour", L.RUMOURS, L.RUMOUR_CARDS, (), keys)
    box.rumour_cards = len(rows)
    for number, row in enumerate(rows):
        write_name(row, box.rumour_names, number)
        box.rumour_pool[number] = advanced or not row.get("advanced", bool)
        kind = row.choice("kind", list(KINDS_OF_PAY))
        box.rumour_kind[number] = KINDS_OF_PAY[kind]
        box.rumour_courses[number] = types(row, "courses", list(L.TYPE_NAMES))
        box.rumour_number[number] = row.integer("number", 0, 30, 0)
        box.rumour_beyond[number] = row.integer("beyond", 0, 30, 0)
        box.rumour_each[number] = row.integer("each", 1, 99, 1)
        if kind == "multiplier":
            box.rumour_stars[number] = row.integer("factor", 1, 9)
            continue
        measure = row.choice("measure", list(MEASURES))
        box.rumour_measure[number] = 1 + list(MEASURES).index(measure)
        if measure == "printed_values":
            row.integer("number", L.LOWEST, L.LOWEST + L.VALUES - 1)
        box.rumour_stars[number] = row.integer("stars", 0, 9)
        box.rumour_most[number] = row.integer("most", 0, 20, 20)
    if sum(box.rumour_pool) < L.RUMOURS + 1:
        least = f"must have at least {L.RUMOURS + 1} cards in play"
        raise rows[0].error(f"components: [rumour]: {least}, got {sum(box.rumour_pool)}")


def pack_sous_chefs(box: Record, components: Components) -> None:
    """CK-93."""
    rows = card_rows(components, "sous_chef", L.CARDS, L.SOUS_CHEFS, SHOP_EFFECTS, {"capacity", *SOUS_TRAITS})
    box.sous_chefs = len(rows)
    for number, row in enumerate(rows):
        write_name(row, box.sous_names, number)
        box.sous_capacity[number] = row.integer("capacity", 1, L.LOAD)
        pack_traits(box, row, number, SOUS_TRAITS)
        pack_effect(row, SHOP_EFFECTS, box.sous_effect[number], box.sous_numbers[number])


def pack_restaurateurs(box: Record, components: Components) -> None:
    """CK-92."""
    tables = OWNER_SHOP_EFFECTS + KITCHEN_EFFECTS
    keys = {"stars", *RESTAURATEUR_TRAITS}
    rows = card_rows(components, "restaurateur", 1, L.RESTAURATEURS, tables, keys)
    box.owners = len(rows)
    for number, row in enumerate(rows):
        write_name(row, box.owner_names, number)
        box.owner_stars[number] = row.integer("stars", 0, 9)
        pack_traits(box, row, number, RESTAURATEUR_TRAITS)
        codes = [0] * (len(SHOP_EFFECTS) + len(KITCHEN_EFFECTS))
        pack_effect(row, tables, codes, box.owner_numbers[number])
        box.owner_shop_effect[number] = codes[: len(SHOP_EFFECTS)]
        box.owner_kitchen_effect[number] = codes[len(SHOP_EFFECTS) :]
