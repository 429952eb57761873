"""What came of a step, for one viewer.

In the tick that ends a round cards leave the table as soon as they are hit, and no view has who hit them:
there the team is told. Nor has a view which cards filled a row that is emptied at once or completed an order.
"""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from foodenvs.core.events import Event, gained
from foodenvs.core.notation import seat_number
from foodenvs.core.views import View
from foodenvs.engine import Record
from foodenvs.games.fast_food_fury.rules import layout as L
from foodenvs.games.fast_food_fury.words.names import TEAM_NAMES, action_name, names_of

EVENTS = {
    "waited": "{seat} waits",
    "aimed": "{seat} goes for {things} on place {0}",
    "first": "{seat} is first on {things}",
    "late": "{seat} is too late with {0:hit}",
    "faulty": "{things[1]} is faulty and goes to the row of team {things[0]}",
    "overflowed": "the trash can of team {things} overflows",
    "gave_up": "{seat} discards {things} from order {0} and empties the row",
    "paid": "team {things[0]} discards {things[1]} from order {0} and empties its row",
    "stays_full": "the trash can of team {things} stays full: there is nothing to discard",
    "turned": "{seat} turns over {things}: it pays {0}",
    "won_sauce": "{seat} takes {things} as a joker",
    "put": "{seat} puts {things} on order {0}",
    "placed": "{things[1]} goes on order {0} of team {things[0]}",
    "joker": "{things[1]} goes on order {0} of team {things[0]} as a joker",
    "sauce_gone": "{things} is discarded",
    "completed": "team {things[0]} completes order {0} ({things[1]}) and is paid {1}",
    "completed_too": "team {things} completes order {0} as well and is paid {1}",
    "opened": "the new order {0} pays {1} for {things}",
    "no_order": "no order is left for slot {0}",
    "passed": "a deck is empty: all shuffle their cards and pass them to the left",
    "flipped": "round {0}: {things}",
    "cut_off": "round {0} was the last",
}
_HIT, _DISCARD, _PLACE, _TIE, _JOKER, _END = L.PHASES
_COMPLETED = ("completed", "completed_too")


class Step(NamedTuple):
    """A step as one viewer saw it: the views before and after it, who acted, and how, None where not told."""

    box: Record
    before: View
    after: View
    seat: int
    action: int | None

    @property
    def over(self) -> bool:
        """Whether the round has ended."""
        return self.after["round"] > self.before["round"] or self.after["phase"] == _END

    @property
    def teams(self) -> str:
        return TEAM_NAMES[: self.box.teams]

    @property
    def put(self) -> tuple[str, int, str] | None:
        """Team, slot and card, where a seat has chosen on which order that goes."""
        if self.action is None or self.before["phase"] not in (_PLACE, _JOKER):
            return None
        if self.before["phase"] == _PLACE:
            card = self.before["table"][self.before["claims"][0][0]]
        else:
            card = sauces(self.box, self.before)[0]
        return TEAM_NAMES[self.box.team[self.seat]], self.action - L.PLACE_AT, card


def events(box: Record, before: View, after: View, seat: int, action: int | None) -> Iterator[Event]:
    """What a seat chooses; when a tick is over its hits, and what follows up to the next decision."""
    step = Step(box, by_look(box, before), by_look(box, after), seat, action)
    if action is not None:
        yield told_action(step, action)
    if before["phase"] == _HIT:
        if all(before[key] == after[key] for key in ("round", "tick", "phase")):
            return
        yield from told_hits(step)
    orders = list(told_orders(step))
    completed = [(event.things[0], event.numbers[0]) for event in orders if event.kind in _COMPLETED]
    for team in step.teams:
        yield from told_faults(step, team, [slot for _, slot in completed])
    yield from told_turned(step)
    yield from told_placed(step)
    yield from told_sauces(step, completed)
    yield from orders
    if step.over:
        yield from told_round(step)


def by_look(box: Record, view: View) -> View:
    """A view that calls cards as seats see them; that of the whole position calls them by number."""
    if "decks" not in view:
        return view
    names = names_of(box)

    def called(cards: Any, words: list[str]) -> Any:
        if isinstance(cards, dict):
            return {team: called(of_team, words) for team, of_team in cards.items()}
        if isinstance(cards, list):
            return [called(card, words) for card in cards]
        return words[names.called[cards][0]] if cards else ""

    looks = {key: called(view[key], names.looks) for key in ("table", "placed", "rows")}
    orders = {key: called(view[key], names.orders) for key in ("orders", "won", "from_piles")}
    return {**view, **looks, **orders}


def sauces(box: Record, view: View) -> list[str]:
    """The sauces on the table, one of each pattern, in the order in which they are settled (FF-31, FF-32)."""
    return [sauce for sauce in names_of(box).faces[box.kinds :] if sauce in view["table"]]


def told_action(step: Step, action: int) -> Event:
    """What a seat chooses."""
    seat, table, (word, *of) = step.seat, step.before["table"], action_name(step.box, action).split()
    if word == "wait":
        return Event("waited", seat)
    spot = int(of[0])
    if word == "hit":
        return Event("aimed", seat, (table[spot],), (spot,))
    if word == "turn":
        return Event("turned", seat, (table[spot],), (step.before["payments"][spot],))
    return (
        Event("put", seat, step.put[2:], (spot,)) if step.put else Event("gave_up", seat, (of[1],), (spot,))
    )


def told_hits(step: Step) -> Iterator[Event]:
    """The hits of a tick as they landed, if their cards still lie there; and those that came too late."""
    before, after = step.before, step.after
    if step.over:
        return
    used = [old - new for old, new in zip(before["hits_left"], after["hits_left"], strict=True)]
    for place, seat in after["claims"]:
        if [place, seat] not in before["claims"]:
            used[seat] -= 1
            yield Event("first", seat, (after["table"][place],), (place,))
    if after["phase"] == _HIT:  # FF-08
        yield from (Event("late", seat, numbers=(hits,)) for seat, hits in enumerate(used) if hits)


def told_faults(step: Step, team: str, completed: Iterable[int]) -> Iterator[Event]:
    """The faulty cards of a team, and its penalty unless a seat has just chosen that (FF-12 to FF-15)."""
    (before, after), placed = (step.before, step.after), step.before["placed"][team]
    row, was_due, is_due = after["rows"][team], team in before["overflow"], team in after["overflow"]
    faulty = gained(before["rows"][team], row)
    yield from (Event("faulty", things=(team, card)) for card in faulty)
    if is_due and not was_due:
        yield Event("overflowed", things=(team,))
    if is_due or (before["phase"] == _DISCARD and before["overflow"].get(team) == step.seat):
        return
    lost = (
        gained(after["placed"][team][slot], placed[slot]) for slot in range(L.SLOTS) if slot not in completed
    )
    if not row and (before["rows"][team] or any(lost)):
        if not was_due:
            yield Event("overflowed", things=(team,))
        for slot, thing in {
            (slot, card.partition("/")[0]) for slot, cards in enumerate(placed) for card in cards
        }:
            is_joker = thing in names_of(step.box).faces[step.box.kinds :]
            if step.box.joker_discard or not is_joker:  # nothing else could be discarded
                yield Event("paid", things=(team, "joker" if is_joker else thing), numbers=(slot,))
    elif len(row) >= step.box.full and (faulty or was_due):
        yield Event("stays_full", things=(team,))


def told_turned(step: Step) -> Iterator[Event]:
    """The cards that teams with one hit turn over in a tie, while it goes on (FF-29)."""
    before, after = step.before, step.after
    for place, seat in () if step.over else after["claims"]:
        chosen = before["phase"] == _TIE and step.action == L.TURN_AT + place
        if after["turned"][place] and not before["turned"][place] and not chosen:
            yield Event("turned", seat, (after["table"][place],), (after["payments"][place],))


def new_on_orders(step: Step) -> Iterator[tuple[str, int, str]]:
    """Team, slot and card of what has come to the orders that are open still, without what a seat has put."""
    for team in step.teams:
        for slot in range(L.SLOTS):
            cards = list(gained(step.before["placed"][team][slot], step.after["placed"][team][slot]))
            if step.put and step.put[:2] == (team, slot) and cards:
                cards.remove(step.put[2])
            yield from ((team, slot, card) for card in cards)


def told_placed(step: Step) -> Iterator[Event]:
    """The cards that could go on one order only (FF-11)."""
    for team, slot, card in new_on_orders(step):
        if card not in sauces(step.box, step.before):
            yield Event("placed", things=(team, card), numbers=(slot,))


def told_sauces(step: Step, completed: Iterable[tuple[str, int]]) -> Iterator[Event]:
    """What becomes of sauces (FF-26, FF-30); a joker that completes an order has left it, so that follows."""
    before, after, left = step.before, step.after, [] if step.over else sauces(step.box, step.after)
    jokers = {card: (team, slot) for team, slot, card in new_on_orders(step)}
    by_joker = [spot for spot in completed if step.put is None or spot != step.put[:2]]
    settled = [sauce for sauce in sauces(step.box, before) if sauce not in left]
    gone = [s for s in settled if s not in jokers and (step.put is None or s != step.put[2])]
    if len(gone) == 1 and by_joker:
        jokers[gone.pop()] = by_joker[0]
    for sauce in settled:
        if sauce in jokers:
            team, slot = jokers[sauce]
            yield Event("joker", things=(team, sauce), numbers=(slot,))
        elif sauce in gone and not by_joker:
            yield Event("sauce_gone", things=(sauce,))
    if after["phase"] == _JOKER:
        due = left[0]
        if before["phase"] != _JOKER or due != sauces(step.box, before)[0]:
            yield Event("won_sauce", seat_number(after["turn"]), (due,))


def told_orders(step: Step) -> Iterator[Event]:
    """Of each slot who takes its order, who is paid too, and the next order (FF-21 to FF-23)."""
    before, after, took, paid = step.before, step.after, {}, {}
    for team in step.teams:
        others = gained(before["from_piles"][team], after["from_piles"][team])
        took[team] = gained(others, gained(before["won"][team], after["won"][team]))
        paid[team] = [pays(card) for card in others]
        paid[team] += [int(n) for n in gained(before["credit"][team], after["credit"][team])]
    for slot, card in enumerate(before["orders"]):
        first = next((team for team in step.teams if card in took[team]), None)
        if first is None:
            continue
        yield Event("completed", things=(first, wants(card)), numbers=(slot, pays(card)))
        for team in step.teams:
            if team != first and pays(card) in paid[team]:
                paid[team].remove(pays(card))
                yield Event("completed_too", things=(team,), numbers=(slot, pays(card)))
        if after["orders"][slot]:
            new = after["orders"][slot]
            yield Event("opened", things=(wants(new),), numbers=(slot, pays(new)))
        else:
            yield Event("no_order", numbers=(slot,))


def wants(order: str) -> str:
    return order.partition(": ")[2]


def pays(order: str) -> int:
    return int(order.partition(": ")[0])


def told_round(step: Step) -> Iterator[Event]:
    """What the next round begins with, or that there is none (FF-06, FF-24, FF-40)."""
    before, after = step.before, step.after
    if after["phase"] != _END:
        if 0 in before["deck_sizes"]:
            yield Event("passed")
        yield Event("flipped", things=tuple(filter(None, after["table"])), numbers=(after["round"],))
    elif any(after["orders"]):
        yield Event("cut_off", numbers=(after["round"],))
