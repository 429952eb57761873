"""Sauces are won (FF-25 to FF-34)."""

from foodenvs.engine import rule
from foodenvs.games.fast_food_fury.rules import layout as L
from foodenvs.games.fast_food_fury.rules.cards import put_on_order, put_on_pile
from foodenvs.games.fast_food_fury.rules.orders import fits


@rule
def sauce_place(box, s, pattern):
    """The lowest place with a sauce of a pattern, NONE if none lies on the table."""
    for place in range(box.places):
        if s.table[place] != L.NONE and box.face[s.table[place]] == box.kinds + pattern:
            return place
    return L.NONE


@rule
def sauce_at_stake(box, s):
    """The pattern whose joker is due: the first with a sauce on the table (FF-31), else PATTERNS."""
    for pattern in range(L.PATTERNS):
        if sauce_place(box, s, pattern) != L.NONE:
            return pattern
    return L.PATTERNS


@rule
def is_team_hit(box, s, k, team, pattern):
    """Whether claim k is one of a team with a pattern."""
    return box.team[s.claim_seat[k]] == team and box.pattern[s.table[s.claim_place[k]]] == pattern


@rule
def team_hits(box, s, team, pattern):
    hits = 0
    for k in range(s.claims):
        if is_team_hit(box, s, k, team, pattern):
            hits += 1
    return hits


@rule
def most_hits(box, s, pattern):
    """The most cards of a pattern that a team won, and how many teams have as many."""
    most, teams = 0, 0
    for team in range(box.teams):
        hits = team_hits(box, s, team, pattern)
        if hits > most:
            most, teams = hits, 0
        if hits == most:
            teams += 1
    return most, teams


@rule
def first_hit(box, s, team, pattern):
    """The number of a team's claim with a pattern that landed first; it has one."""
    k = 0
    while not is_team_hit(box, s, k, team, pattern):
        k += 1
    return k


@rule
def turn_cards_over(box, s, pattern):
    """In a tie each team with the most hits turns one of them over (FF-29), in team order.

    True when a seat has to choose the card: it is the one whose hit landed first.
    """
    most, teams = most_hits(box, s, pattern)
    if most == 0 or teams == 1:
        return False
    for team in range(box.teams):
        if s.turned[team] == L.NONE and team_hits(box, s, team, pattern) == most:
            first = first_hit(box, s, team, pattern)
            if most > 1:
                s.phase = L.TIE
                s.turn = s.claim_seat[first]
                return True
            s.turned[team] = s.claim_place[first]
    return False


@rule
def joker_winner(box, s, pattern):
    """The seat that places the joker of a pattern: of the team with the most hits the first that landed.

    On a tie the highest payment that was turned over wins (FF-29). NONE if there is no hit (FF-30) or the
    highest payments are equal.
    """
    most, _ = most_hits(box, s, pattern)
    winner, highest = L.NONE, L.NONE
    if most > 0:
        for team in range(box.teams):
            if team_hits(box, s, team, pattern) == most:
                payment = 0  # a lone team turns no card over
                if s.turned[team] != L.NONE:
                    payment = box.side[s.table[s.turned[team]], L.PAYMENT]
                if payment > highest:
                    winner, highest = s.claim_seat[first_hit(box, s, team, pattern)], payment
                elif payment == highest:
                    winner = L.NONE
    return winner


@rule
def joker_fits(box, s, seat, slot):
    team = box.team[seat]
    return fits(box, s.sides[slot], s.placed[team, slot], box.joker, L.NONE, L.NONE)


@rule
def jokers(box, s):
    """One joker for each pattern with a sauce on the table; True when a seat has to choose."""
    pattern = sauce_at_stake(box, s)
    while pattern < L.PATTERNS:
        if turn_cards_over(box, s, pattern):
            return True
        seat = joker_winner(box, s, pattern)
        slot = L.NONE  # FF-26: discarded if no order can take it
        if seat != L.NONE:
            if joker_fits(box, s, seat, 0):
                slot = 0
            if joker_fits(box, s, seat, 1):
                if slot == 0:
                    s.phase = L.JOKERS
                    s.turn = seat
                    return True
                slot = 1
        settle_sauce(box, s, pattern, seat, slot)
        pattern = sauce_at_stake(box, s)
    return False


@rule
def settle_sauce(box, s, pattern, seat, slot):
    """The sauce on the lowest place becomes a joker in a slot (NONE: not); others of it are discarded."""
    place = sauce_place(box, s, pattern)
    while place != L.NONE:
        if slot != L.NONE:
            put_on_order(box, s, s.table[place], box.team[seat], slot)
            slot = L.NONE  # FF-32
        else:
            put_on_pile(box, s, place, s.table[place])
        s.table[place] = L.NONE
        place = sauce_place(box, s, pattern)
    s.turned[:] = L.NONE
