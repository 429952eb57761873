"""Setting up (FF-02 to FF-05)."""

from foodenvs.engine import rule, shuffle
from foodenvs.games.fast_food_fury.rules import layout as L
from foodenvs.games.fast_food_fury.rules.cards import put_on_deck
from foodenvs.games.fast_food_fury.rules.orders import open_order
from foodenvs.games.fast_food_fury.rules.rounds import start_round


@rule
def deal(box, s):
    s.earned[:] = 0
    s.round = 1
    s.where[:] = 0
    s.seen[:] = 0
    s.decks[:] = 0
    s.deck_size[:] = 0
    s.pile_size[:] = 0
    s.order_deck[:] = 0
    s.known[:] = 0
    s.piles[:] = 0
    s.placed[:] = 0
    s.rows[:] = 0
    s.completed[:] = 0
    s.credit[:] = 0
    s.turned[:] = L.NONE
    s.overflow[:] = L.NONE
    s.claim_place[:] = 0
    s.claim_seat[:] = 0
    s.hits_left[:] = 0
    s.choice[:] = L.NONE
    s.table[:] = L.NONE
    s.claims = 0
    s.sauce_round = False
    for face in range(L.FACES):
        s.unseen[face] = box.copies[face]
    pool, orders, fastfood = s.pool, box.orders, box.fastfood
    for card in range(box.cards):
        pool[card] = card
    shuffle(s.rng, pool, fastfood)  # FF-03
    for k in range(orders):
        s.order_deck[orders - 1 - k] = pool[k]
        s.where[pool[k]] = L.ORDER_DECK
    s.orders_left = orders
    for slot in range(L.SLOTS):  # FF-04
        open_order(box, s, slot)
    shuffle(s.rng, pool[fastfood:], box.cards - fastfood)  # FF-05: the first ones are in play
    rest = fastfood + box.sauces - orders
    shuffle(s.rng, pool[orders:], rest)
    place = rest
    while place > box.places:
        place -= box.places
    for k in range(rest - 1, -1, -1):  # dealt one by one, the first to place 0 and so on top
        place -= 1
        put_on_deck(s, place, pool[orders + k])
        if place == 0:
            place = box.places
    pool[:] = 0
    start_round(box, s)
