"""Who may see what in Fast Food Fury, and nothing else."""

from foodenvs.core.layout import Field
from foodenvs.engine import below, row_of, rule, shuffle, start_stream
from foodenvs.games.fast_food_fury.rules import layout as L
from foodenvs.games.fast_food_fury.rules.hitting import has_chosen, is_free, may_choose, next_to_choose
from foodenvs.games.fast_food_fury.rules.sauces import sauce_at_stake, sauce_place


def fields(box):
    """The observation of a seat, in order. Seats and teams are rotated: the observer's own come first."""
    players, places, teams = box.players, box.places, box.teams
    copies = list(box.copies[: box.faces])
    sides = [[max(box.side[card, k] for card in range(box.fastfood)) for k in range(box.side_size)]] * L.SLOTS
    on_order = [*copies[: box.kinds], box.sauces]
    in_decks = box.fastfood - box.orders + box.sauces
    card = [1] * (box.thing + players) + [places]
    total = box.orders * sides[0][L.PAYMENT]
    return (
        Field("phase", (len(L.PHASES),), 0, 1, f"one-hot: {', '.join(L.PHASES)}"),
        Field("turn", (players,), 0, 1, "one-hot: seat to act; all 0 when over"),
        Field(
            "clock",
            (3,),
            0,
            [min(L.ROUNDS_SHOWN, box.max_rounds), places, box.orders],
            f"rounds to come (at most {L.ROUNDS_SHOWN} shown), tick, cards in the order deck",
        ),
        Field(
            "orders",
            (L.SLOTS, box.side_size),
            0,
            sides,
            "per slot: present, payment, number of any burger, any pizza, any drink, fries in units, units "
            "of one portion, number of each kind without fries; all 0 if empty",
        ),
        Field(
            "placed", (teams, L.SLOTS, box.kinds + 1), 0, [[on_order] * L.SLOTS] * teams,
            "per team and slot: cards of each kind, jokers",
        ),
        Field("rows", (teams, box.kinds), 0, [on_order[:-1]] * teams, "per team: faulty cards of each kind"),
        Field(
            "score", (teams, 3), 0, [[total // L.HUNDRED, min(L.HUNDRED - 1, total), box.orders]] * teams,
            "per team: hundreds of its total and the rest, completed orders",
        ),
        Field(
            "table", (places, box.thing + players + 1), 0, [card] * places,
            "per place: one-hot of kind or sauce pattern, of the pattern (3), of the claiming seat; "
            "landing number among the claimed cards, 0 if none; all 0 if empty",
        ),
        Field("payments", (places,), 0, sides[0][L.PAYMENT], "per place: what the card's other side pays"),
        Field("turned", (places,), 0, 1, "cards turned over in the tie for the sauce in question"),
        Field("hits_left", (players,), 0, max(box.hits), "hits left per seat"),
        Field("my_choice", (1 + places,), 0, 1, "own secret choices in this tick: wait, each place"),
        Field("pending", (places,), 0, 1, "one-hot: place of the card or sauce in question"),
        Field("overflow", (teams, players), 0, 1, "one-hot per team: seat that still has to discard"),
        Field("seat_team", (players, teams), 0, 1, "one-hot per seat: its team"),
        Field("place_seat", (places, players), 0, 1, "one-hot per place: the seat that plays it"),
        Field("deck_sizes", (places,), 0, in_decks, "cards in each deck"),
        Field(
            "deck_known", (places, box.faces), 0, [copies] * places,
            "per deck: cards in it that were seen, by kind and sauce pattern",
        ),
        Field(
            "discards", (places, box.faces), 0, [copies] * places,
            "per pile: cards by kind and sauce pattern",
        ),
        Field("unseen", (box.faces,), 0, copies, "cards never seen, by kind and sauce pattern"),
    )  # fmt: skip


def hidden(box):
    """The fields of the state that no seat sees, for `state()`."""
    return (
        Field("where", (L.CARDS,), 0, L.PLACED + L.TEAMS * L.SLOTS - 1, "where each card is"),
        Field("decks", (L.PLACES, L.CARDS), 0, L.CARDS - 1, "cards of each deck, bottom first; then 0"),
        Field("order_deck", (L.ORDERS,), 0, L.CARDS - 1, "cards of the order deck, bottom first; then 0"),
        Field(
            "choice",
            (L.SEATS, L.HITS),
            L.NONE,
            L.PLACES,
            "actions that each seat chose in this tick, then -1",
        ),
    )


# --- observation -------------------------------------------------------------------------------


@rule
def observe(box, s, seat, out):
    out[:] = 0
    observe_round(box, s, seat, out)
    observe_orders(box, s, out)
    observe_teams(box, s, seat, out)
    observe_table(box, s, seat, out)
    observe_seats(box, s, seat, out)
    observe_decks(box, s, out)


@rule
def observe_round(box, s, seat, out):
    """Who is asked for what, when, and the own choices, which nobody else sees (FF-09)."""
    at, turn = box.at, s.turn
    out[at.phase + s.phase] = 1
    if turn >= 0:
        out[at.turn + row_of(turn, seat, box.players)] = 1
    out[at.clock] = min(L.ROUNDS_SHOWN, box.max_rounds - s.round)
    out[at.clock + 1] = s.tick
    out[at.clock + 2] = s.orders_left
    for k in range(L.HITS):
        if s.choice[seat, k] != L.NONE:
            out[at.my_choice + s.choice[seat, k]] = 1
    if s.phase == L.PLACE:
        out[at.pending + s.claim_place[0]] = 1
    elif s.phase == L.TIE or s.phase == L.JOKERS:
        out[at.pending + sauce_place(box, s, sauce_at_stake(box, s))] = 1


@rule
def observe_orders(box, s, out):
    """The order sides."""
    for slot in range(L.SLOTS):
        side = out[box.at.orders + box.side_size * slot :]
        for k in range(box.side_size):
            side[k] = s.sides[slot, k]


@rule
def observe_teams(box, s, seat, out):
    """What lies before each team, and who has to discard for it."""
    at, teams, own_team = box.at, box.teams, box.team[seat]
    for team in range(teams):
        row = row_of(team, own_team, teams)
        for slot in range(L.SLOTS):
            placed = out[at.placed + (box.kinds + 1) * (L.SLOTS * row + slot) :]
            for kind in range(box.kinds + 1):
                placed[kind] = s.placed[team, slot, kind]
        faulty = out[at.rows + box.kinds * row :]
        for kind in range(box.kinds):
            faulty[kind] = s.rows[team, kind]
        out[at.score + 3 * row] = s.earned[team] // L.HUNDRED
        out[at.score + 3 * row + 1] = s.earned[team] % L.HUNDRED
        out[at.score + 3 * row + 2] = s.completed[team]
        if s.overflow[team] != L.NONE:
            out[at.overflow + box.players * row + row_of(s.overflow[team], seat, box.players)] = 1


@rule
def observe_table(box, s, seat, out):
    """The cards on the table, what their other sides pay, and who has claimed them in which order."""
    at, players, width = box.at, box.players, box.thing + box.players + 1
    table = out[at.table :]
    for place in range(box.places):
        card = s.table[place]
        if card != L.NONE:
            table[width * place + box.face[card]] = 1
            table[width * place + box.faces + box.pattern[card]] = 1
            out[at.payments + place] = box.side[card, L.PAYMENT]
            out[at.turned + place] = is_turned(box, s, place)
    for k in range(s.claims):
        claim = table[width * s.claim_place[k] + box.thing :]
        claim[row_of(s.claim_seat[k], seat, players)] = 1
        claim[players] = k + 1


@rule
def observe_seats(box, s, seat, out):
    """The hits that each seat has left, its team, and which places it plays."""
    at, players, teams, own_team = box.at, box.players, box.teams, box.team[seat]
    hits_left, seat_team, place_seat = out[at.hits_left :], out[at.seat_team :], out[at.place_seat :]
    for p in range(players):
        row = row_of(p, seat, players)
        hits_left[row] = s.hits_left[p]
        seat_team[teams * row + row_of(box.team[p], own_team, teams)] = 1
    for place in range(box.places):
        place_seat[players * place + row_of(box.place_seat[place], seat, players)] = 1


@rule
def observe_decks(box, s, out):
    """Decks and piles, and the cards never seen, as all seats can count them."""
    at = box.at
    for place in range(box.places):
        out[at.deck_sizes + place] = s.deck_size[place]
        known, pile = out[at.deck_known + box.faces * place :], out[at.discards + box.faces * place :]
        for face in range(box.faces):
            known[face] = s.known[place, face]
            pile[face] = s.piles[place, face]
    unseen = out[at.unseen :]
    for face in range(box.faces):
        unseen[face] = s.unseen[face]


# --- redeal ------------------------------------------------------------------------------------


@rule
def determinize(box, s, seat, seed):
    """Deal all that `seat` cannot know anew: other sides, decks, sauces left out, the choices of others."""
    start_stream(s.rng, seed)
    exchange_seen_cards(box, s)
    deal_unseen_cards(box, s)
    shuffle_decks(box, s)
    choose_again(box, s, seat)


@rule
def is_turned(box, s, place):
    """Whether the card on a place was turned over in the tie for the sauce in question (FF-29)."""
    for team in range(box.teams):
        if s.turned[team] == place:
            return True
    return False


@rule
def is_pinned(box, s, card):
    """Whether the order side of a card is known: it is open, won, or was turned over."""
    where = s.where[card]
    if where == L.OPEN or L.WON <= where < L.DECK:
        return True
    return L.TABLE <= where < L.ROW and is_turned(box, s, where - L.TABLE)


@rule
def exchange_seen_cards(box, s):
    """Where a product was seen, any card that looks the same may lie, on the table one that pays the same.

    Cards never seen go to ORDER_DECK.
    """
    start = 0
    for group in range(L.CARDS):
        size = box.group_size[group]
        if size == 0:
            break
        pool, n = s.pool, 0
        for k in range(start, start + size):
            card = box.grouped[k]
            if not is_pinned(box, s, card):
                if not s.seen[card]:
                    s.where[card] = L.ORDER_DECK
                pool[n] = card
                n += 1
        for k in range(1, n):  # sorted, so that the result depends on what was seen alone
            j = k
            while j > 0 and s.where[pool[j - 1]] > s.where[pool[j]]:
                exchange(s, pool[j - 1], pool[j])
                j -= 1
        left = n
        for place in range(box.places):
            left = exchange_on_table(box, s, pool, left, place)
        for k in range(left - 1, 0, -1):
            exchange(s, pool[k], pool[below(s.rng, k + 1)])
        for k in range(n):
            s.seen[pool[k]] = s.where[pool[k]] != L.ORDER_DECK
        start += size
    for card in range(box.cards):
        where = s.where[card]
        if L.TABLE <= where < L.ROW:
            s.table[where - L.TABLE] = card


@rule
def exchange_on_table(box, s, pool, n, place):
    """If one of n cards of the pool lies on a place, another of them may, which is put last.

    Its payment stays, which all have seen (FF-05). Returns how many of them may lie elsewhere.
    """
    there = 0
    while there < n and s.where[pool[there]] != L.TABLE + place:
        there += 1
    if there == n:
        return n
    payment = box.side[s.table[place], L.PAYMENT]
    chosen, alike = 0, 0
    for k in range(n):
        if box.side[pool[k], L.PAYMENT] == payment:
            alike += 1
            if below(s.rng, alike) == 0:
                chosen = k
    exchange(s, pool[there], pool[chosen])
    card = pool[chosen]
    pool[chosen] = pool[n - 1]
    pool[n - 1] = card
    return n - 1


@rule
def exchange(s, card, other):
    where = s.where[card]
    s.where[card] = s.where[other]
    s.where[other] = where


@rule
def deal_unseen_cards(box, s):
    """The cards never seen become the order deck, the sauces left out, and the unseen rest of the decks."""
    pool, n, sauces, seen_sauces = s.pool, 0, 0, 0
    for card in range(box.fastfood):
        if s.where[card] == L.ORDER_DECK:
            pool[n] = card
            n += 1
    shuffle(s.rng, pool, n)
    for card in range(box.fastfood, box.cards):
        if s.where[card] == L.ORDER_DECK:
            s.where[card] = L.OUT
            pool[n + sauces] = card
            sauces += 1
        else:
            seen_sauces += 1
    shuffle(s.rng, pool[n:], sauces)
    orders = s.orders_left
    for k in range(orders):
        s.order_deck[k] = pool[k]
    n += box.sauces - seen_sauces
    shuffle(s.rng, pool[orders:], n - orders)
    for place in range(box.places):
        unseen = s.deck_size[place]
        for face in range(box.faces):
            unseen -= s.known[place, face]
        for _ in range(unseen):
            n -= 1
            s.where[pool[n]] = L.DECK + place
    pool[:] = 0


@rule
def shuffle_decks(box, s):
    s.deck_size[:] = 0
    for card in range(box.cards):
        place = s.where[card] - L.DECK
        if 0 <= place < L.PILE - L.DECK:
            s.decks[place, s.deck_size[place]] = card
            s.deck_size[place] += 1
    for place in range(box.places):
        shuffle(s.rng, s.decks[place], s.deck_size[place])


@rule
def choose_again(box, s, seat):
    """Others who have chosen in this tick choose again at random, as many cards if they are not done yet."""
    if s.phase != L.HIT:
        return
    for other in range(s.turn + 1):
        if other != seat:
            chosen = 0
            for k in range(L.HITS):
                if s.choice[other, k] != L.NONE:
                    chosen += 1
                s.choice[other, k] = L.NONE
            if other == s.turn:
                for k in range(chosen):
                    s.choice[other, k] = random_choice(box, s, other, False)
            else:
                k = 0
                while may_choose(box, s, other):
                    s.choice[other, k] = random_choice(box, s, other, True)
                    k += 1


@rule
def random_choice(box, s, seat, may_wait):
    """A random card to hit for a seat, or to wait, each equally likely."""
    options = 1 if may_wait else 0
    for place in range(box.places):
        if is_free(box, s, place) and not has_chosen(s, seat, place):
            options += 1
    drawn = below(s.rng, options)
    for place in range(box.places):
        if is_free(box, s, place) and not has_chosen(s, seat, place):
            if drawn == 0:
                return L.HIT_AT + place
            drawn -= 1
    return L.WAIT


@rule
def undo_pending(box, s, seat):
    """The seats before the one on turn have not chosen in this tick yet."""
    if s.phase == L.HIT:
        for other in range(seat):
            for k in range(L.HITS):
                s.choice[other, k] = L.NONE
        next_to_choose(box, s, 0)


def secret(box, s, action):
    """The choices of a tick are, until its hits land (FF-09)."""
    return action < L.PLACE_AT
