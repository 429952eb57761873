"""What came of a step, by the views of one viewer before and after it."""

from collections.abc import Iterator

from foodenvs.core.events import Event, gained
from foodenvs.core.notation import UNKNOWN
from foodenvs.core.views import View
from foodenvs.engine import Record
from foodenvs.games.critter_kitchen import layout as L
from foodenvs.games.critter_kitchen.rules.cards import names_of
from foodenvs.games.critter_kitchen.words.text import challenge_text
from foodenvs.games.critter_kitchen.words.views import ACTION_NAMES, KIND_NAMES, queue_of

STOCK_NAMES = KIND_NAMES[: L.STOCK]


def said(name: str) -> str:
    """The name of a card or place as it is said."""
    return name.replace("_", " ")


AT = {place: f"at_{place}" for place in L.LOCATION_NAMES}  # the kind of event that tells what comes there
EVENTS = {
    "round": "round {0} begins",
    "challenge": "the challenge is {things}",
    "sous_chef": "the sous chef {things} comes to the chef academy",
    **{kind: f"the {said(place)} gets {{things}}" for place, kind in AT.items()},
    "sent": "{seat} sends the {things[0]} to the {things[1]}",
    "plan": "{seat} sends the mouse to the {things[0]}, the lizard to the {things[1]} "
    "and the boar to the {things[2]}",
    "plan_of_four": "{seat} sends the mouse to the {things[0]}, the lizard to the {things[1]}, "
    "the boar to the {things[2]} and the sous chef {things[4]} to the {things[3]}",
    "front": "{seat} moves to the front of the priority track",
    "took": "{seat} takes {things[0]} with the {things[1]} at the {things[2]}",
    "first": "{seat} was first and moves back to place {0} on the priority track",
    "went_home": "{seat} sends the {things[0]} home from the {things[1]}",
    "found_nothing": "{seat} finds nothing for the {things[0]} at the {things[1]}",
    "read": "{seat} reads {things[0]}: {things[1]}",
    "drew": "{seat} gets {things} from the bag",
    "soup": "{seat} gets {0} soup",
    "bisque": "{seat} gets {0:bisque}",
    "stars": "{seat} gains {0:star}",
    "gone": "out of the game: {things}",
    "open_rumour": "{things[0]} lies open: {things[1]}",
    "challenges": "meals are laid for {things}",
    "laid": "{seat} lays {things[0]} for {things[1]}",
    "closed": "{seat} closes the meal for {things}",
    "skipped": "{seat} makes no meal for {things}",
    "served": "{seat} serves {things} and gains {0:star}",
    "served_none": "{seat} serves no challenge",
    "discarded": "{seat} discards {things}",
    "critic": "meals are laid for the critic {things}",
    "plated": "{seat} puts {things} on the critic plate",
    "paired": "{seat} pairs {things[0]} with the {things[1]} course",
    "next_course": "{seat} leaves the {things} course",
    "meal": "{seat} serves the critic {things}",
    "no_meal": "{seat} serves the critic nothing",
    "private_rumour": "{seat} shows the private rumour {things}",
    "final": "{seat} reaches {0} on the score track and gains {1:star} in all from the critic",
}  # fmt: skip


def events(box: Record, before: View, after: View, seat: int, action: int | None) -> Iterator[Event]:
    """What the seat did as far as the viewer was told, what came of it, and what began with it."""
    phase = before["phase"]
    if phase == "planning":
        yield from told_plans(before, after, seat, action)
    elif phase == "refrigeration":
        yield Event("discarded", seat, gained(after["seats"][seat]["stock"], before["seats"][seat]["stock"]))
    elif phase != "shopping":
        if action is not None:
            yield laid_item(before, seat, ACTION_NAMES[action])
        if phase == "challenges" and after["phase"] != phase:
            yield from told_meals(before, after)
    item = ""
    if phase == "shopping" and action is not None:
        item = ACTION_NAMES[action]
        yield from told_pick(before, after, seat, item)
    if phase in ("planning", "shopping"):
        yield from told_gains(box, before, after, seat, item)
    yield from told_leaving(before, after)
    if after["phase"] != phase and after["phase"] == "over":
        yield from told_end(box, before, after)
    yield from told_beginning(box, before, after)


# --- planning and shopping -----------------------------------------------------------------------


def told_plans(before: View, after: View, seat: int, action: int | None) -> Iterator[Event]:
    """The own chef; all chefs when the last seat has finished, and who is at the front now."""
    if after["phase"] == "planning":
        if action is not None:
            ((chef, place),) = set(after["plans"][seat].items()) - set(before["plans"][seat].items())
            yield Event("sent", seat, (chef_name(before, seat, chef), said(place)))
        return
    for p, plan in enumerate(all_plans(before, after)):
        places = tuple(said(plan[chef]) for chef in L.CHEF_NAMES if chef in plan)
        if len(places) == len(L.CHEF_NAMES):
            yield Event("plan_of_four", p, (*places, said(before["seats"][p]["sous"])))
        elif plan:
            yield Event("plan", p, places)
    if after["priority"][0] != before["priority"][0]:
        yield Event("front", after["priority"][0])


def all_plans(before: View, after: View) -> list[dict[str, str]]:
    """The plans of the round, seen while shopping goes on."""
    plans = [view["plans"] for view in (before, after) if view["phase"] == "shopping"]
    return plans[0] if plans else []


def chef_name(view: View, seat: int, chef: str) -> str:
    """`mouse`, `sous chef basil`."""
    return f"sous chef {said(view['seats'][seat]['sous'])}" if chef == L.CHEF_NAMES[L.SOUS] else chef


def chef_there(view: View, seat: int, place: str) -> str:
    """The chef that a seat has sent to a place."""
    return next(chef for chef, to in view["plans"][seat].items() if to == place)


def told_pick(before: View, after: View, seat: int, item: str) -> Iterator[Event]:
    """An item or the way home, the rumour read by who may know it, and the marker that moves."""
    place = before["shop"]["location"]
    where = chef_name(before, seat, chef_there(before, seat, place)), said(place)
    if item == ACTION_NAMES[L.HOME_ACTION]:
        yield Event("went_home", seat, where)
    else:
        yield Event("took", seat, (item_name(before, item), *where))
    yield from told_readings(before, after, seat)
    if after["priority"] != before["priority"]:
        yield Event("first", seat, numbers=(after["priority"].index(seat) + 1,))


def item_name(view: View, item: str) -> str:
    """`bread 2`, `sous chef basil`, `a wild token for rumour 1`."""
    if item == ACTION_NAMES[L.SOUS_ACTION]:
        return f"the sous chef {said(view['academy_sous'])}"
    kind, _, rumour = item.partition(" ")
    return f"{token_name(kind)} for rumour {rumour}" if kind == L.RUMOUR_NAMES[-1] else item


def token_name(token: str) -> str:
    """The name of a token as it is said."""
    return f"a {token} token" if token == L.RUMOUR_NAMES[-1] else token


def told_readings(before: View, after: View, seat: int) -> Iterator[Event]:
    """The rumour cards that a seat may look at from now on, by name to who sees what it knows (CK-40)."""
    old, new = before["known_rumours"][seat], after["known_rumours"][seat]
    if old and new and after["phase"] != "over":
        for number, (was, name) in enumerate(zip(old, new, strict=True)):
            if was == UNKNOWN != name:
                yield Event("read", seat, (L.RUMOUR_NAMES[number], said(name)))


def told_gains(box: Record, before: View, after: View, seat: int, item: str) -> Iterator[Event]:
    """Chefs that found nothing, and what seats got besides the item: soup to go, and by their cards."""
    plans = all_plans(before, after)
    still = list(waiting(box, after, plans)) if after["shop"] else []
    idle = [each for each in waiting(box, before, plans) if each not in still]
    for p, (old, new) in enumerate(zip(before["seats"], after["seats"], strict=True)):
        for other, chef, place in idle:
            if other == p and not (p == seat and place == before["shop"].get("location")):
                yield Event("found_nothing", p, (chef_name(before, p, chef), said(place)))
        picked = item if p == seat else ""
        drawn = gained([*old["stock"], *[picked] * (picked in STOCK_NAMES)], new["stock"])
        if drawn:
            yield Event("drew", p, drawn)
        for kind in ("soup", "bisque", "stars"):
            amount = new[kind] - old[kind] - (picked == kind)
            if amount and not (kind == "stars" and after["phase"] == "over"):
                yield Event(kind, p, numbers=(amount,))


def waiting(box: Record, view: View, plans: list[dict[str, str]]) -> Iterator[tuple[int, str, str]]:
    """The chefs, by seat, kind and place, that have not come to their first pick and are not at home."""
    places, shop = list(view["locations"]), view["shop"]
    here = places.index(shop["location"]) if shop else -1
    taken = dict(zip(shop["queue"], shop["taken"], strict=True)) if shop else {}
    for seat, plan in enumerate(plans):
        for chef, place in plan.items():
            yet = places.index(place) > here
            if shop and place == shop["location"]:
                head = shop["queue"][0]
                line = queue_of(box, view, head, chef_there(view, head, place))
                yet = taken.get(seat) == 0 or queue_of(box, view, seat, chef) > line
            if yet:
                yield seat, chef, place


# --- cards and tokens that leave, and a round that begins ------------------------------------------


def told_leaving(before: View, after: View) -> Iterator[Event]:
    """Rumour tokens and sous chefs that leave the game, and rumours that lie open from now on."""
    gone = gained(before["past_sous"], after["past_sous"])
    removed = gained(before["removed"], after["removed"])
    things = *map(token_name, removed), *(f"the sous chef {said(name)}" for name in gone)
    if things:
        yield Event("gone", things=things)
    for number, name in enumerate(after["rumours"]):
        if after["face_up"][number] and not before["face_up"][number]:
            yield Event("open_rumour", things=(L.RUMOUR_NAMES[number], said(name)))


def told_beginning(box: Record, before: View, after: View) -> Iterator[Event]:
    """The round and its cards, what comes to the locations, and the meals that are laid next."""
    new_round = after["round"] > before["round"]
    if new_round:
        yield Event("round", numbers=(after["round"],))
        if after["academy_sous"]:
            yield Event("challenge", things=(said([*challenge_text(box, after)][-1]),))
            yield Event("sous_chef", things=(said(after["academy_sous"]),))
    truck, *_ = after["locations"]
    for place, tokens in after["locations"].items():
        old = [] if new_round and place != truck else before["locations"][place]
        came = tuple(map(token_name, gained(old, tokens)))
        if place == truck and after["truck_bisque"] and not before["truck_bisque"]:
            came = *came, "bisque"
        if came:
            yield Event(AT[place], things=came)
    if after["phase"] != before["phase"] and after["phase"] in ("challenges", "critic"):
        names = after["challenges"] if after["phase"] == "challenges" else [after["critic"]]
        yield Event(after["phase"], things=tuple(map(said, names)))


# --- meals -----------------------------------------------------------------------------------------


def laid_item(before: View, seat: int, item: str) -> Event:
    """A step of a meal, told to who lays it."""
    if before["phase"] == "critic":
        course = before["current_courses"][seat]
        if item == ACTION_NAMES[L.NEXT_ACTION]:
            return Event("next_course", seat, (course,))
        if item.startswith(course):
            return Event("plated", seat, (item,))
        return Event("paired", seat, (item, course))
    challenge = said(before["challenges"][before["current_plates"][seat] - 1])
    if item == ACTION_NAMES[L.SERVE_ACTION]:
        return Event("closed", seat, (challenge,))
    if item == ACTION_NAMES[L.SKIP_ACTION]:
        return Event("skipped", seat, (challenge,))
    return Event("laid", seat, (item, challenge))


def told_meals(before: View, after: View) -> Iterator[Event]:
    """What each seat served for the day's challenges, and the stars for it (CK-65)."""
    for p, (old, new) in enumerate(zip(before["seats"], after["seats"], strict=True)):
        things = gained(new["stock"], old["stock"]) + amounts(old, new)
        if things:
            yield Event("served", p, things, (new["stars"] - old["stars"],))
        else:
            yield Event("served_none", p)


def amounts(old: View, new: View) -> tuple[str, ...]:
    """The soup and bisques that a seat has no more: `2 soup`, `1 bisque`."""
    return tuple(f"{old[key] - new[key]} {key}" for key in ("soup", "bisque") if old[key] > new[key])


def told_end(box: Record, before: View, after: View) -> Iterator[Event]:
    """All meals, the private rumours, and what each seat gained (CK-72 to CK-81)."""
    paired = L.TYPE_NAMES[box.paired_type[names_of(box.critic_names).index(after["critic"])]]
    for p, meal in enumerate(after["meals"]):
        pairs = [f"{paired} {value} with the {course}" for course, value in after["pairs"][p].items()]
        things = (*meal, *pairs)
        yield Event("meal", p, things) if things else Event("no_meal", p)
    for p, name in enumerate(after["private_rumours"]):
        if name:
            yield Event("private_rumour", p, (said(name),))
    for p, (old, new) in enumerate(zip(before["seats"], after["seats"], strict=True)):
        yield Event("final", p, numbers=(new["quality"], new["stars"] - old["stars"]))
