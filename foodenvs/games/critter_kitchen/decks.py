"""Cards dealt unseen: what is still unknown is drawn uniformly, without repetition, from what it can be.

The same draws set up a game, complete a position that leaves cards open, and redeal what a seat cannot know.
"""

from foodenvs.engine import below, rule
from foodenvs.games.critter_kitchen.layout import (
    CARDS,
    CHALLENGE_CARDS,
    RESTAURATEURS,
    RUMOUR_CARDS,
    RUMOURS,
    SOUS_CHEFS,
)


def drawing(cards, may_be):
    """The rule that draws one of `cards` cards for which may_be(box, s, card) holds."""

    @rule
    def draw(box, s):
        number = 0
        for card in range(cards):
            if may_be(box, s, card):
                number += 1
        k = below(s.rng, number)
        for card in range(cards):
            if may_be(box, s, card):
                if k == 0:
                    return card
                k -= 1
        return -1

    return draw


@rule
def opened(s):
    """How many challenge cards and sous chefs have been opened (CK-12, CK-14)."""
    return min(s.round, CARDS)


@rule
def unseen_challenge(box, s, card):
    """A card that is neither opened nor in the deck."""
    if card >= box.challenge_cards or s.seen_challenges[card]:
        return False
    for place in range(CARDS):
        if s.challenge_deck[place] == card:
            return False
    return True


@rule
def unseen_sous_chef(box, s, card):
    """A card that is neither opened nor in the deck."""
    if card >= box.sous_chefs or s.gone_sous[card]:
        return False
    if s.academy_sous == card or s.sous == card or s.student == card:
        return False
    for place in range(CARDS):
        if s.sous_deck[place] == card:
            return False
    return True


@rule
def unused_rumour(box, s, card):
    """A card of the pool that nobody has."""
    if not box.rumour_pool[card]:
        return False
    for rumour in range(RUMOURS):
        if s.rumours[rumour] == card:
            return False
    for seat in range(box.players):
        if s.private[seat] == card:
            return False
    return True


@rule
def unused_restaurateur(box, s, card):
    if card >= box.owners:
        return False
    for seat in range(box.players):
        if s.restaurateur[seat] == card:
            return False
    return True


draw_challenge = drawing(CHALLENGE_CARDS, unseen_challenge)
draw_sous_chef = drawing(SOUS_CHEFS, unseen_sous_chef)
draw_rumour = drawing(RUMOUR_CARDS, unused_rumour)
draw_restaurateur = drawing(RESTAURATEURS, unused_restaurateur)


@rule
def deal_challenges(box, s, first):
    """Complete the deck for the rounds from first + 1 on (CK-03)."""
    for place in range(first, CARDS):
        if s.challenge_deck[place] < 0:
            s.challenge_deck[place] = draw_challenge(box, s)


@rule
def deal_sous_chefs(box, s, first):
    """Complete the deck for the rounds from first + 1 on (CK-08)."""
    for place in range(first, CARDS):
        if s.sous_deck[place] < 0:
            s.sous_deck[place] = draw_sous_chef(box, s)


@rule
def deal_rumours(box, s):
    """Complete the three rumours (CK-05) and the private ones (CK-92)."""
    for rumour in range(RUMOURS):
        if s.rumours[rumour] < 0:
            s.rumours[rumour] = draw_rumour(box, s)
    for seat in range(box.players):
        owner = s.restaurateur[seat]
        if owner >= 0 and box.private_rumour[owner] and s.private[seat] < 0:
            s.private[seat] = draw_rumour(box, s)


@rule
def deal_restaurateurs(box, s):
    """One open card for each seat; its stars are gained at once (CK-18)."""
    for seat in range(box.players):
        s.restaurateur[seat] = draw_restaurateur(box, s)
        s.stars[seat] += box.owner_stars[s.restaurateur[seat]]
