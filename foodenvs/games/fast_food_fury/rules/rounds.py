"""A round from its first flip to its end, and the end of the game."""

from foodenvs.engine import rule, shuffle
from foodenvs.games.fast_food_fury.rules import layout as L
from foodenvs.games.fast_food_fury.rules.cards import put_on_pile
from foodenvs.games.fast_food_fury.rules.checking import penalties, placements
from foodenvs.games.fast_food_fury.rules.hitting import flip, next_to_choose
from foodenvs.games.fast_food_fury.rules.orders import complete_order
from foodenvs.games.fast_food_fury.rules.sauces import jokers


@rule
def start_round(box, s):
    """Flip the cards of a round and, where nobody can hit any, of those after it."""
    flip(box, s)
    if not next_to_choose(box, s, 0):
        settle(box, s)


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
    for slot in range(L.SLOTS):
        complete_order(box, s, slot)
    if s.orders[0] == L.NONE and s.orders[1] == L.NONE:  # FF-35
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
        if s.table[place] != L.NONE:
            put_on_pile(box, s, place, s.table[place])
            s.table[place] = L.NONE
    for k in range(L.PLACES):
        s.claim_place[k] = 0
        s.claim_seat[k] = 0
    s.claims = 0
    s.sauce_round = False


@rule
def shuffle_and_pass(box, s):
    """Every place shuffles its pile and the rest of its deck and passes them to the left (FF-24)."""
    places = box.places
    s.decks[:] = 0
    for place in range(places):
        left = place + 1 if place + 1 < places else 0
        size = 0
        for card in range(box.cards):
            if s.where[card] == L.DECK + place or s.where[card] == L.PILE + place:
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
            s.where[card] = L.DECK + place
            if s.seen[card]:
                s.known[place, box.face[card]] += 1


@rule
def end_game(s):
    s.phase = L.END
    s.turn = L.NONE
    s.hits_left[:] = 0
