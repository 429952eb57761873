"""Fast Food Fury: each field of an observation, read from the seat's view by its meaning alone."""

from collections.abc import Sequence

from foodenvs.core.notation import seat_number
from foodenvs.core.readers import FieldReader, Table, by_seat, clockwise, one_hot, own, seat_in, tally
from foodenvs.games.fast_food_fury.rules import layout as L
from foodenvs.games.fast_food_fury.words.names import TEAM_NAMES

# --- who sits where, and what cards are called -------------------------------------------------


def seat_places(view: Table, options: Table, components: Table) -> tuple[list[int], int]:
    """The seat that plays each place, and the number of teams: place i belongs to team i mod that."""
    seating = options["teams"] or components["defaults"][str(view["players"])]
    return components["teams"][seating]["places"], components["teams"][seating]["teams"]


def teams(view: Table, options: Table, components: Table) -> str:
    """The letters of the teams, the own team's first."""
    places, number_of_teams = seat_places(view, options, components)
    mine = places.index(seat_number(view["you"])) % number_of_teams
    return "".join(TEAM_NAMES[(mine + step) % number_of_teams] for step in range(number_of_teams))


def face(look: str) -> str:
    """What a card shows: `salami` of `salami/circle`, `sauce_square`."""
    return look.split("/")[0]


def pattern(look: str) -> str:
    """The pattern of a card: `circle` of `salami/circle`, `square` of `sauce_square`."""
    return look.split("/")[-1].removeprefix("sauce_")


def sauces(components: Table) -> list[str]:
    return [f"sauce_{pattern}" for pattern in components["sauces"]["patterns"]]


def kinds(components: Table) -> list[str]:
    return [name for name, *_ in components["kinds"]["rows"]]


def faces(components: Table) -> list[str]:
    """What a card may show: the kinds by number, then the sauces by pattern."""
    return kinds(components) + sauces(components)


def by_face(looks: Sequence[str], components: Table) -> list[int]:
    """How many cards show each kind and sauce pattern."""
    return tally([face(look) for look in looks], faces(components))


def piles(key: str) -> FieldReader:
    """A reader of what the view has as a list of cards for each place."""
    return lambda view, options, components: [by_face(looks, components) for looks in view[key]]


# --- fields ------------------------------------------------------------------------------------


def phase(view: Table, options: Table, components: Table) -> list[int]:
    return one_hot(view["phase"], L.PHASES)


def clock(view: Table, options: Table, components: Table) -> list[int]:
    return [min(127, options["max_rounds"] - view["round"]), view["tick"], view["orders_left"]]


def orders(view: Table, options: Table, components: Table) -> list[list[int]]:
    return [order_side(order, components) for order in view["orders"]]


def order_side(order: str, components: Table) -> list[int]:
    """The numbers of an order like `7: 2 any_burger, 1 medium_fries`; all 0 for "", where there is none."""
    fries = {name: amount for name, family, amount, _ in components["kinds"]["rows"] if family == "fries"}
    alone = [name for name, *_ in components["kinds"]["rows"] if name not in fries]
    payment, _, icons = order.partition(": ")
    wanted = {name: int(count) for count, name in map(str.split, icons.split(", "))} if order else {}
    portion = max([fries[name] for name in wanted if name in fries], default=0)
    return [
        int(order != ""),
        int(payment or 0),
        *(wanted.get(name, 0) for name in L.SILHOUETTES.values()),
        sum(count * fries[name] for name, count in wanted.items() if name in fries),
        portion,
        *(wanted.get(name, 0) for name in alone),
    ]


def placed(view: Table, options: Table, components: Table) -> list[list[list[int]]]:
    """A joker is a sauce on an order."""

    def on_order(looks: Sequence[str]) -> list[int]:
        counts, number = by_face(looks, components), len(kinds(components))
        return [*counts[:number], sum(counts[number:])]

    return [[on_order(looks) for looks in view["placed"][team]] for team in teams(view, options, components)]


def rows(view: Table, options: Table, components: Table) -> list[list[int]]:
    own_first = teams(view, options, components)
    return [by_face(view["rows"][team], components)[: len(kinds(components))] for team in own_first]


def score(view: Table, options: Table, components: Table) -> list[list[int]]:
    """A total in hundreds and the rest."""
    own_first = teams(view, options, components)
    return [[*divmod(view["earned"][team], 100), view["completed"][team]] for team in own_first]


def table(view: Table, options: Table, components: Table) -> list[list[int]]:
    """A sauce is of the pattern that it shows."""
    patterns, seats = components["sauces"]["patterns"], clockwise(view)
    claims = {place: (seat, landed) for landed, (place, seat) in enumerate(view["claims"], 1)}
    found = []
    for place, look in enumerate(view["table"]):
        seat, landed = claims.get(place, (None, 0))
        shown = by_face([look], components)
        found.append([*shown, *one_hot(pattern(look), patterns), *one_hot(seat, seats), landed])
    return found


def payments(view: Table, options: Table, components: Table) -> list[int]:
    return list(view["payments"])


def turned(view: Table, options: Table, components: Table) -> list[int]:
    return [int(order != "") for order in view["turned"]]


def my_choice(view: Table, options: Table, components: Table) -> list[int]:
    actions = ["wait", *(f"hit {place}" for place in range(len(view["table"])))]
    return [int(action in own(view, "choices")) for action in actions]


def pending(view: Table, options: Table, components: Table) -> list[int]:
    """Cards are placed in landing order; sauces won by pattern, of two that on the lowest place."""
    of_sauces = [view["table"].index(sauce) for sauce in sauces(components) if sauce in view["table"]]
    places = {"place": [place for place, _ in view["claims"]], "tie": of_sauces, "joker": of_sauces}
    return one_hot(next(iter(places.get(view["phase"], [])), None), range(len(view["table"])))


def overflow(view: Table, options: Table, components: Table) -> list[list[int]]:
    seats = clockwise(view)
    return [one_hot(view["overflow"].get(team), seats) for team in teams(view, options, components)]


def seat_team(view: Table, options: Table, components: Table) -> list[list[int]]:
    places, number_of_teams = seat_places(view, options, components)
    own_first = teams(view, options, components)
    return [one_hot(TEAM_NAMES[places.index(seat) % number_of_teams], own_first) for seat in clockwise(view)]


def place_seat(view: Table, options: Table, components: Table) -> list[list[int]]:
    places, _ = seat_places(view, options, components)
    return [one_hot(seat, clockwise(view)) for seat in places]


def deck_sizes(view: Table, options: Table, components: Table) -> list[int]:
    return list(view["deck_sizes"])


def unseen(view: Table, options: Table, components: Table) -> list[int]:
    return [view["unseen"].get(name, 0) for name in faces(components)]


READERS = {
    "phase": phase,
    "turn": seat_in("turn"),
    "clock": clock,
    "orders": orders,
    "placed": placed,
    "rows": rows,
    "score": score,
    "table": table,
    "payments": payments,
    "turned": turned,
    "hits_left": by_seat("hits_left"),
    "my_choice": my_choice,
    "pending": pending,
    "overflow": overflow,
    "seat_team": seat_team,
    "place_seat": place_seat,
    "deck_sizes": deck_sizes,
    "deck_known": piles("deck_known"),
    "discards": piles("discards"),
    "unseen": unseen,
}
