"""Who may see what in Critter Kitchen, and nothing else."""

import numpy as np

from foodenvs.core.layout import Field
from foodenvs.engine import below, pick, row_of, rule, shuffle, start_stream
from foodenvs.games.critter_kitchen import layout as L
from foodenvs.games.critter_kitchen.rules.bounds import bisque_bound, soup_bound, stars_bound, taken_bound
from foodenvs.games.critter_kitchen.rules.meals import (
    asks_for,
    has_course_to_lay,
    has_plate_to_lay,
    lay_challenge,
    lay_course,
    legal_challenge,
    legal_course,
)
from foodenvs.games.critter_kitchen.rules.supply import (
    bisque_supply,
    chef_at,
    chefs_of,
    clear_table,
    deal_challenges,
    deal_rumours,
    deal_sous_chefs,
    is_open,
    knows,
    next_chef,
    opened,
)


def fields(box):
    """The observation of a seat, in order. Seats are rotated: the observer is row 0, then clockwise."""
    lying = list(box.count)
    lying[L.ALLSPICE] += box.extra_allspice
    owned = lying[: L.STOCK]
    return (
        *game_fields(box),
        *card_fields(box),
        Field("bisques", (2,), 0, [1, box.bisques], "on the truck; in the supply"),
        Field("items", (box.places, L.KINDS), 0, [lying] * box.places, "tokens on each location by kind"),
        Field("bag", (L.KINDS,), 0, list(box.count), "tokens in the bag by kind"),
        *seat_fields(box, owned),
        *plate_fields(box, owned),
    )


def game_fields(box):
    p = box.players
    return (
        Field(
            "phase", (len(L.PHASES),), 0, 1,
            "one-hot: planning, shopping, challenges, refrigeration, critic, over",
        ),
        Field("round", (L.ROUNDS,), 0, 1, "one-hot: rounds 1 to 7"),
        Field("actor", (p,), 0, 1, "one-hot: seat on turn; all 0 when over"),
        Field(
            "chef", (len(L.CHEFS),), 0, 1,
            "one-hot mouse, lizard, boar, sous: to be placed (observer on turn only), or picking",
        ),
        Field("here", (box.places,), 0, 1, "one-hot: location being resolved (shopping)"),
        Field(
            "left", (p,), 0, L.LOAD,
            "what the seat's chef here, picking or waiting, can still carry; 0 if none or gone",
        ),
        Field("taken", (p,), 0, taken_bound(box), "items that chef has taken here; 0 if none or gone"),
        Field("order", (p,), 0, p, "place in the current queue, 1 = on turn; 0 not in it"),
        Field("first_pick", (1,), 0, 1, "1 = an item but soup has been taken from this location"),
        Field("plate", (L.PLATES,), 0, 1, "one-hot: current challenge plate (observer on turn only)"),
        Field("course", (L.TYPES,), 0, 1, "one-hot: current course (observer on turn only)"),
        Field("critic", (box.critics,), 0, 1, "one-hot"),
        Field("priority", (p,), 1, p, "place on the priority track, 1 = nearest to the door"),
    )  # fmt: skip


def card_fields(box):
    p = box.players
    return (
        Field(
            "needs", (L.PLATES, L.TYPES), 0, 1,
            "types asked for by the day's opened cards; 0 under the hold token",
        ),
        Field("seen_challenges", (box.challenge_cards,), 0, 1, "1 = card opened so far"),
        Field(
            "rumours", (L.RUMOURS, box.rumour_cards), 0, 1,
            "one-hot per rumour: its card, if the observer knows it",
        ),
        Field("face_up", (L.RUMOURS,), 0, 1, "1 = the rumour is open to all"),
        Field("private", (box.rumour_cards,), 0, 1, "one-hot: the observer's private rumour"),
        Field("academy_sous", (box.sous_chefs,), 0, 1, "one-hot: sous chef at the academy"),
        Field("sous", (box.sous_chefs + p,), 0, 1, "one-hot: sous chef working this round; then its owner"),
        Field(
            "student", (box.sous_chefs + p,), 0, 1, "one-hot: sous chef taken this round; then its owner"
        ),
        Field("gone_sous", (box.sous_chefs,), 0, 1, "1 = opened and out of the game"),
    )  # fmt: skip


def seat_fields(box, owned):
    p = box.players
    return (
        Field("restaurateurs", (p, box.owners), 0, 1, "one-hot per seat"),
        Field(
            "stock", (p, L.STOCK), 0, [owned] * p,
            "ingredients and spices per seat by kind, those on pending plates included",
        ),
        number_field("soup", (p,), soup_bound(box), "per seat, on pending plates included"),
        Field("bisque", (p,), 0, bisque_bound(box), "per seat, on pending plates included"),
        Field("tokens", (p, L.RUMOURS), 0, 2, "per seat and rumour: 0 none, 1 numbered token, 2 wild"),
        number_field("stars", (p,), stars_bound(box), "per seat"),
        Field(
            "chefs", (p, len(L.CHEFS), box.places), 0, 1,
            "one-hot place of each chef per seat; in planning only the observer's",
        ),
    )  # fmt: skip


def plate_fields(box, owned):
    return (
        Field(
            "plates", (L.PLATES, L.PREPARATIONS, L.INGREDIENTS), 0,
            [[owned[: L.INGREDIENTS]] * L.PREPARATIONS] * L.PLATES,
            "the observer's plates: plain, spiced, allspiced; the critic meal is plate 0",
        ),
        number_field(
            "plate_soup", (L.PLATES, 2), [[soup_bound(box), bisque_bound(box)]] * L.PLATES,
            "soup and bisque on the observer's plates",
        ),
        Field("served", (L.PLATES,), 0, 1, "1 = the observer's plate is closed as a meal"),
        Field(
            "pairs", (L.TYPES,), 0, L.LOWEST + L.VALUES - 1,
            "value of the wine that the observer paired with each course",
        ),
    )  # fmt: skip


def number_field(name, shape, most, meaning):
    """A field of numbers of which an observation tells no more than its byte holds."""
    more = f"; {L.SHOWN}: or more" if np.max(most) > L.SHOWN else ""
    return Field(name, shape, 0, np.minimum(most, L.SHOWN), meaning + more)


def hidden(box):
    """The fields of the state that no seat sees, for `state()`."""
    return (
        Field("bag", (L.BAG,), 0, L.KINDS - 1, "kinds in the bag, the next one last of those in it; then 0"),
        Field("rumours", (L.RUMOURS,), 0, box.rumour_cards - 1, "the three rumour cards"),
        Field(
            "challenge_deck", (L.CARDS,), -1, box.challenge_cards - 1, "card of each round to come, else -1"
        ),
        Field("sous_deck", (L.CARDS,), -1, box.sous_chefs - 1, "sous chef of each round to come, else -1"),
    )


# --- observation -------------------------------------------------------------------------------


@rule
def observe(box, s, seat, out):
    out[:] = 0
    observe_game(box, s, seat, out)
    observe_cards(box, s, seat, out)
    observe_tokens(box, s, seat, out)
    observe_seats(box, s, seat, out)
    observe_plates(box, s, seat, out)


@rule
def observe_game(box, s, seat, out):
    """Where the game stands: phase, who acts, and what of it is open."""
    at = box.at
    out[at.phase + s.phase] = 1
    out[at.round + s.round - 1] = 1
    turn = s.turn
    if turn >= 0:
        out[at.actor + row_of(turn, seat, box.players)] = 1
    if s.phase == L.PLANNING and turn == seat:
        out[at.chef + next_chef(s, seat)] = 1
    elif s.phase == L.SHOPPING:
        observe_queue(box, s, seat, out)
    elif s.phase == L.CHALLENGES and turn == seat:
        out[at.plate + s.plate] = 1
    elif s.phase == L.CRITIC and turn == seat:
        out[at.course + s.course] = 1
    out[at.critic + s.critic] = 1
    for place in range(box.players):
        out[at.priority + row_of(s.priority[place], seat, box.players)] = place + 1


@rule
def observe_queue(box, s, seat, out):
    """The location being resolved and the chefs there."""
    at = box.at
    out[at.chef + chef_at(s, s.turn, s.here)] = 1
    out[at.here + s.here] = 1
    for p in range(box.players):
        row = row_of(p, seat, box.players)
        out[at.left + row] = s.left[p]
        out[at.taken + row] = s.taken[p]
    for place in range(s.queue_size):
        out[at.order + row_of(s.queue[place], seat, box.players)] = place + 1
    out[at.first_pick] = s.first_pick


@rule
def observe_cards(box, s, seat, out):
    """Challenge cards, rumours and sous chefs: a rumour only for those who have seen it (CK-40)."""
    at = box.at
    for plate in range(L.PLATES):
        if s.challenges[plate] >= 0:
            for course in range(L.TYPES):
                out[at.needs + L.TYPES * plate + course] = asks_for(box, s, plate, course)
    for card in range(box.challenge_cards):
        out[at.seen_challenges + card] = s.seen_challenges[card]
    for rumour in range(L.RUMOURS):
        if knows(box, s, seat, rumour):
            out[at.rumours + box.rumour_cards * rumour + s.rumours[rumour]] = 1
        out[at.face_up + rumour] = is_open(box, s, rumour)
    if s.private[seat] >= 0:
        out[at.private + s.private[seat]] = 1
    if s.academy_sous >= 0:
        out[at.academy_sous + s.academy_sous] = 1
    if s.sous >= 0:
        out[at.sous + s.sous] = 1
        out[at.sous + box.sous_chefs + row_of(s.sous_owner, seat, box.players)] = 1
    if s.student >= 0:
        out[at.student + s.student] = 1
        out[at.student + box.sous_chefs + row_of(s.student_owner, seat, box.players)] = 1
    for card in range(box.sous_chefs):
        out[at.gone_sous + card] = s.gone_sous[card]


@rule
def observe_tokens(box, s, seat, out):
    """What lies open, and the counts of the bag: every token is seen when it enters or leaves it."""
    at = box.at
    out[at.bisques] = s.truck_bisque
    out[at.bisques + 1] = bisque_supply(box, s)
    for place in range(box.places):
        row = out[at.items + L.KINDS * place :]
        for kind in range(L.KINDS):
            row[kind] = s.items[place, kind]
    bag = out[at.bag :]
    for kind in range(L.KINDS):
        bag[kind] = s.bag_count[kind]


@rule
def observe_seats(box, s, seat, out):
    """What the seats own, which all have seen them take, and where their chefs are."""
    at, places = box.at, box.places
    for p in range(box.players):
        row = row_of(p, seat, box.players)
        if s.restaurateur[p] >= 0:
            out[at.restaurateurs + box.owners * row + s.restaurateur[p]] = 1
        stock = out[at.stock + L.STOCK * row :]
        for kind in range(L.STOCK):
            stock[kind] = s.stock[p, kind]
        out[at.soup + row] = min(s.soup[p], L.SHOWN)
        out[at.bisque + row] = s.bisque[p]
        for rumour in range(L.RUMOURS):
            out[at.tokens + L.RUMOURS * row + rumour] = s.tokens[p, rumour]
        out[at.stars + row] = min(s.stars[p], L.SHOWN)
        if p == seat or s.phase != L.PLANNING:  # CK-20
            for chef in range(len(L.CHEFS)):
                if s.plan[p, chef] >= 0:
                    out[at.chefs + places * (len(L.CHEFS) * row + chef) + s.plan[p, chef]] = 1


@rule
def observe_plates(box, s, seat, out):
    """The observer's own plates and critic meal; those of the others stay secret (CK-65, CK-70)."""
    if s.phase != L.CHALLENGES and s.phase != L.CRITIC and s.phase != L.OVER:
        return
    at = box.at
    for plate in range(L.PLATES):
        for way in range(L.PREPARATIONS):
            row = out[at.plates + L.INGREDIENTS * (L.PREPARATIONS * plate + way) :]
            for kind in range(L.INGREDIENTS):
                row[kind] = s.plates[seat, plate, way, kind]
        for k in range(2):
            out[at.plate_soup + 2 * plate + k] = min(s.plate_soup[seat, plate, k], L.SHOWN)
        out[at.served + plate] = s.served[seat, plate]
    for course in range(L.TYPES):
        out[at.pairs + course] = s.pairs[seat, course]


# --- redeal ------------------------------------------------------------------------------------


@rule
def determinize(box, s, seat, seed):
    """Draw anew all that a seat cannot know: cards, the bag's order, and secret choices."""
    start_stream(s.rng, seed)
    for rumour in range(L.RUMOURS):
        if not knows(box, s, seat, rumour):
            s.rumours[rumour] = -1
    if s.phase != L.OVER:
        for p in range(box.players):
            if p != seat:
                s.private[p] = -1
    deal_rumours(box, s)
    s.challenge_deck[:] = -1
    s.sous_deck[:] = -1
    deal_challenges(box, s, opened(s))
    deal_sous_chefs(box, s, opened(s))
    n = 0
    for kind in range(L.KINDS):
        for _ in range(s.bag_count[kind]):
            s.bag[n] = kind
            n += 1
    shuffle(s.rng, s.bag, s.bag_size)
    if s.phase == L.PLANNING:
        redeal_plans(box, s, seat)
    elif s.phase == L.CHALLENGES or s.phase == L.CRITIC:
        redeal_plates(box, s, seat)


@rule
def redeal_plans(box, s, seat):
    """Others who have planned get uniform plans; the seat on turn, if another, starts anew."""
    for p in range(s.turn + 1):
        if p != seat:
            s.plan[p] = -1
            if p < s.turn:
                for chef in range(chefs_of(s, p)):
                    s.plan[p, chef] = unused_place(box, s, p, chef)


@rule
def unused_place(box, s, seat, chefs):
    """A place uniformly drawn from those that the seat's first chefs do not take."""
    k = below(s.rng, box.places - chefs)
    for place in range(box.places):
        if chef_at(s, seat, place) < 0:
            if k == 0:
                return place
            k -= 1
    return -1


@rule
def redeal_plates(box, s, seat):
    """Others who have laid meals lay random ones; the seat on turn, if another, starts anew."""
    turn, plate, course = s.turn, s.plate, s.course
    mask = np.zeros(L.ACTIONS, np.int8)
    for p in range(turn + 1):
        if p != seat:
            clear_table(box, s, p)
            s.turn, s.plate, s.course = p, 0, 0
            if s.phase == L.CHALLENGES:
                while has_plate_to_lay(box, s, p) and p < turn:
                    mask[:] = 0
                    legal_challenge(box, s, mask)
                    lay_challenge(box, s, pick(s.rng, mask))
            else:
                while has_course_to_lay(box, s, p) and p < turn:
                    mask[:] = 0
                    legal_course(box, s, mask)
                    lay_course(box, s, pick(s.rng, mask))
    if turn == seat:
        s.turn, s.plate, s.course = turn, plate, course


def secret(box, s, action):
    """Plans (CK-20), challenge plates (CK-65), critic meals (CK-70): until the last seat has finished."""
    return s.phase in (L.PLANNING, L.CHALLENGES, L.CRITIC)
