"""The table as text."""

from collections import Counter
from collections.abc import Mapping

from foodenvs.core.notation import folded, seat_name
from foodenvs.core.views import View
from foodenvs.engine import Record
from foodenvs.games.fast_food_fury.rules import layout as L
from foodenvs.games.fast_food_fury.words.names import TEAM_NAMES, names_of

ASKED = {
    "hit": "hit a card",
    "discard": "discard for the trash can",
    "place": "place a card",
    "tie": "turn a card over",
    "joker": "place a joker",
}


def table(box: Record, view: View, seat: int = -1) -> str:
    """A view (the whole position or a seat's) as text: orders, table, teams, decks; the choices of `seat`."""
    rows: list[str | None] = [f"round {view['round']}, tick {view['tick']}: {standing_text(box, view)}", ""]
    rows.append(f"orders ({view['orders_left']} more in the order deck)")
    rows += [entry(f"  {slot}", order_words(box, order)) for slot, order in enumerate(view["orders"])]
    rows += ["", "table"]
    rows += [entry(f"  {place}", place_words(box, view, place)) for place in range(box.places)]
    rows += ["", "teams"]
    for team, name in enumerate(TEAM_NAMES[: box.teams]):
        rows += team_rows(box, view, team, name)
    rows += ["", "decks"]
    for place, size in enumerate(view["deck_sizes"]):
        rows.append(f"  {place}: {some(size, 'card')}, {len(view['discards'][place])} in the pile")
        if "decks" in view:
            rows.append(entry("    top first", ", ".join(view["decks"][place])))
        else:
            faces = Counter(look.partition("/")[0] for look in view["deck_known"][place])
            rows.append(entry("    seen in it", counted(faces)))
        rows.append(entry("    pile", ", ".join(view["discards"][place])))
    if "decks" not in view:
        rows += ["", entry("never seen", counted(view["unseen"]))]
    if seat >= 0 and view["choices"][seat]:
        rows += ["", f"chosen in this tick by {seat_name(seat)}: {', '.join(view['choices'][seat])}"]
    return "\n".join(row for row in rows if row is not None) + "\n"


def entry(head: str, text: str) -> str | None:
    """`head: text` in lines that are not too long; None for an empty text."""
    if not text:
        return None
    indent = " " * (len(head) - len(head.lstrip()) + 4)
    return "\n".join(folded(f"{head}: {text}", indent))


def counted(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {number}" for name, number in counts.items())


def some(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def standing_text(box: Record, view: View) -> str:
    if view["turn"] is None:
        return "the game is over"
    what = "hit a second card" if view["chosen"] else ASKED[view["phase"]]
    return f"{view['turn']} to {what}"


def order_words(box: Record, order: str) -> str:
    """An open order: a seat's view has its text already, the whole position its card."""
    names = names_of(box)
    if order in names.cards:
        return f"{names.orders[names.cards.index(order)]} ({order})"
    return order or "-"


def place_words(box: Record, view: View, place: int) -> str:
    seat, team = box.place_seat[place], TEAM_NAMES[box.place_team[place]]
    payment = f" (pays {view['payments'][place]})" if view["payments"][place] else ""
    text = f"{view['table'][place] or '-'}{payment} of {seat_name(seat)} ({team})"
    for number, (claimed, claimant) in enumerate(view["claims"], 1):
        if claimed == place:
            text += f", hit {number} by {seat_name(claimant)}"
    return text + (f", turned over: {view['turned'][place]}" if view["turned"][place] else "")


def team_rows(box: Record, view: View, team: int, name: str) -> list[str | None]:
    seats = [
        f"{seat_name(seat)} ({some(view['hits_left'][seat], 'hit')} left)"
        for seat in range(box.players)
        if box.team[seat] == team
    ]
    if name in view["overflow"]:
        seats.append(f"{seat_name(view['overflow'][name])} has to discard")
    return [
        entry(
            f"  {name}",
            f"{view['earned'][name]} for {some(view['completed'][name], 'order')}; {', '.join(seats)}",
        ),
        *(entry(f"    on order {slot}", ", ".join(view["placed"][name][slot])) for slot in range(L.SLOTS)),
        entry("    trash row", ", ".join(view["rows"][name])),
    ]
