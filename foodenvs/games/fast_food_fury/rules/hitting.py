"""A round begins: cards are flipped and hit (FF-06 to FF-09)."""

from foodenvs.engine import below, rule
from foodenvs.games.fast_food_fury.rules import layout as L
from foodenvs.games.fast_food_fury.rules.cards import draw, is_sauce


@rule
def flip(box, s):
    """Every place with a deck turns its top card over (FF-06), and every place may hit once (FF-08)."""
    for place in range(box.places):
        if s.deck_size[place] > 0:
            card = draw(box, s, place)
            s.where[card] = L.TABLE + place
            s.table[place] = card
            if is_sauce(box, card):  # FF-25
                s.sauce_round = True
    for seat in range(box.players):
        s.hits_left[seat] = box.hits[seat]
    s.tick = 1


@rule
def is_free(box, s, place):
    """Whether an unclaimed product lies on a place; sauces are not hit (FF-07)."""
    card = s.table[place]
    if card == L.NONE or is_sauce(box, card):
        return False
    for k in range(s.claims):
        if s.claim_place[k] == place:
            return False
    return True


@rule
def has_chosen(s, seat, place):
    action = L.HIT_AT + place
    return s.choice[seat, 0] == action or s.choice[seat, 1] == action


@rule
def may_choose(box, s, seat):
    """Whether a seat may choose (again) in this tick: it has a hit and a card left and did not wait."""
    chosen = 0
    for k in range(L.HITS):
        if s.choice[seat, k] == L.WAIT:
            return False
        if s.choice[seat, k] != L.NONE:
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
            s.phase = L.HIT
            s.turn = seat
            return True
    return False


@rule
def choose_hit(s, seat, action):
    """A choice is kept in secret until the tick is over (FF-09)."""
    if s.choice[seat, 0] == L.NONE:
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
            for k in range(L.HITS):
                if s.choice[seat, k] >= L.HIT_AT:
                    hits += 1
                    weights += box.reaction[seat]
        if hits == 0:
            break
        land_one(box, s, below(s.rng, weights if weights > 0 else hits), weights > 0)
        landed = True
    for seat in range(box.players):
        for k in range(L.HITS):
            s.choice[seat, k] = L.NONE
    return landed


@rule
def land_one(box, s, drawn, weighted):
    """Land the hit in which the number `drawn` falls."""
    for seat in range(box.players):
        for k in range(L.HITS):
            if s.choice[seat, k] >= L.HIT_AT:
                drawn -= box.reaction[seat] if weighted else 1
                if drawn < 0:
                    place = s.choice[seat, k] - L.HIT_AT
                    s.choice[seat, k] = L.NONE
                    s.hits_left[seat] -= 1  # FF-08: a late hit is used up all the same
                    if is_free(box, s, place):  # FF-07: the first hit wins the card
                        s.claim_place[s.claims] = place
                        s.claim_seat[s.claims] = seat
                        s.claims += 1
                    return
