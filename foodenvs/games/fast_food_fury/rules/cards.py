"""Cards on the move."""

from foodenvs.engine import rule
from foodenvs.games.fast_food_fury.rules import layout as L


@rule
def is_sauce(box, card):
    return card >= box.fastfood


@rule
def put_on_deck(s, place, card):
    s.where[card] = L.DECK + place
    s.decks[place, s.deck_size[place]] = card
    s.deck_size[place] += 1


@rule
def draw(box, s, place):
    """Take the top card of a deck; from now on its product side has been seen."""
    s.deck_size[place] -= 1
    card = s.decks[place, s.deck_size[place]]
    s.decks[place, s.deck_size[place]] = 0
    if s.seen[card]:
        s.known[place, box.face[card]] -= 1
    else:
        s.unseen[box.face[card]] -= 1
        s.seen[card] = 1
    return card


@rule
def put_on_pile(box, s, place, card):
    s.where[card] = L.PILE + place
    s.piles[place, box.face[card]] += 1
    s.pile_size[place] += 1


@rule
def discard(box, s, card):
    """A card goes to the place with the fewest cards in deck and pile, the lowest of them (FF-17)."""
    fewest = 0
    for place in range(box.places):
        if s.deck_size[place] + s.pile_size[place] < s.deck_size[fewest] + s.pile_size[fewest]:
            fewest = place
    put_on_pile(box, s, fewest, card)


@rule
def order_kind(box, card):
    """How a card counts on an order: by its kind, a sauce as a joker."""
    return box.joker if is_sauce(box, card) else box.face[card]


@rule
def put_on_order(box, s, card, team, slot):
    s.where[card] = L.PLACED + L.SLOTS * team + slot
    s.placed[team, slot, order_kind(box, card)] += 1


@rule
def empty_row(box, s, team):
    for card in range(box.fastfood):
        if s.where[card] == L.ROW + team:
            discard(box, s, card)
    for kind in range(box.kinds):
        s.rows[team, kind] = 0
