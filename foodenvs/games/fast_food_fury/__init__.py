"""Fast Food Fury: teams hit the same flipped cards at the same moment, for the products of two open orders.

|  |  |
| --- | --- |
| id | `fast_food_fury-v0` |
| players | 2 to 6 (default 4) |
| agents | `player_0` .. `player_N` |
| actions | Discrete(49) |
| observation length | 467, 481, 495, 661, 679 for 2 to 6 players |
| decisions per game | at most 6000, 6000, 6000, 6000, 6000 |
| points that count as 1 in rewards | 50 |

The game is played in real time; here a round is cut into *ticks*. A *place* is a deck with its pile, its spot on
the table and one hit; places 0 .. 3 or 0 .. 5 lie clockwise. A *slot* (0, 1) holds an open order. A *kind* is what a
product side shows. A team's *row* is its faulty cards. Teams are A, B, C. Set-ups of three teams (option `teams`) see
724 (`1v2v2`) and 744 (`2v2v2`) numbers. The bound of decisions is 30 for each of `max_rounds` rounds; games of greedy
teams take about 170 (2v2), 215 (3v3) or 265 (2v2v2), of random ones 440 to 760.

## Rules

The rulebook's rules by clause; a clause that the rulebook does not settle says how it is read here.
`foodenvs/docs/rules/fast_food_fury.md` tells for each where the rulebook says it, what carries it out and which cases
show it.

**Cards.** FF-01: 103 FastFood cards with a product on one side and an order on the other, 6 sauce cards, the trash
can card. FF-18: an order wants the very product that it shows; the card with both sodas is neither of them.
FF-19: a silhouette takes any product of its family, in exactly the number shown; the two sodas count as two drinks.
FF-20: of fries only the amount matters: small 1, medium 2, large 4 units; any mix that comes to the exact total.

**Setting up.** FF-02: players form teams. Seating is not printed: teams sit alternately, place i belongs to team
i mod T, and every team has as many places. FF-03: an order deck of 7, 8 or 9 cards (2v2, 3v3, 2v2v2) is set aside
at random; FF-04: its top two cards are the open orders. FF-05: 6, 4 or 4 sauces are shuffled into the other cards,
which are dealt to the places (not said: which sauces is unknown; cards left over go to the lowest places). Decks lie
order side up, so what a card pays is seen before it is flipped: the payment of each card on the table is known to all.
Here: what the top of a deck shows stays unknown until then, since with the card list at hand it would tell the product
under it and end all surprise; so do the product sides of the order deck and of open orders, which count as never seen.

**Hitting.** FF-06: all places flip their top card at once; an empty place flips nothing. FF-07: everybody may hit
a card, anybody's; the first hit wins it; nobody has to. Sauces are not hit (not said). FF-08: one hit for each place
and round; a hit that comes too late is used up, and is no fault. FF-09: it is over when nobody can or wants to hit.
Here: in a tick each seat with a hit left chooses in secret, then the hits land and are seen by all; a tick without
hits, no hits left, or no product left ends it. FF-41: hits of one tick land in an order drawn with the weights of
the option `reaction`.

**Checking.** FF-10: a card won is correct if an open order shows its product and the own team still needs it there;
what other teams have does not matter. FF-11: it is placed on that order; if both want it the hitter chooses, and it
never moves again. Here: in landing order, and only where later correct cards of the team stay placeable. FF-12: a
card that fits no open order is faulty, FF-13: so is the surplus when team-mates win more than is needed. Here: in
landing order, a card is correct if it and the correct ones before it can be placed together; that goes for unlike
cards too, such as small and large fries for the one portion that is open.

**The trash can.** FF-14: faulty cards lie in the team's row; with three or more in it the team has to discard a
product from an order, its choice, and then the row. Here: all faults of a round count before it is looked at, so
there is one penalty at most; the seat whose fault landed last decides; of a kind the lowest card goes; jokers are no
products (option `joker_discard`). FF-15: without a product it stays full until the next fault. FF-16: the faults of
all teams come first, in team order, then correct hits; these cannot be discarded in the same round.

**Discarding.** FF-17: discards are shared out: each card goes to the place with the fewest cards in deck and pile,
the lowest such place, in card order. Cards left on the table go to the pile of their own place.

**Completing.** FF-21: a team that has everything takes the order card; after all placements of a round, slot 0
first. FF-22: all that any team has on it is discarded and the next order opens. FF-23: several teams that complete
an order together are all paid: the first takes it, the others an equal card from the piles (the lowest), else a
credit. FF-24: when a deck is empty at the end of a round, everybody shuffles pile and deck together and passes them
to the left.

**Sauces.** FF-25: with a sauce on the table hits are made for its pattern. FF-26: the team with most cards of the
pattern takes the sauce as a joker and puts it on an order at once; the seat whose hit landed first chooses; if no
order can take it, it is discarded. FF-27: a joker stands for one icon: one portion of the size shown, one product of
a silhouette. FF-28: which one is left open; a card fits as long as enough whole icons are missing for the jokers, and
the order is complete when just these are missing. FF-29: on a tie each of these teams turns one of its cards
of the pattern over; the highest payment wins, and if that is equal, nobody. Here: the seat whose hit landed first
chooses the card, team after team, and all see what is turned over. FF-30: without a hit on the pattern the sauce is
discarded. FF-31: each pattern on the table gives its own joker: square, circle, triangle. FF-32: two sauces of one
pattern give one joker; the other is discarded. FF-33: any other pattern is a fault in this round, needed or not.
FF-34: cards hit for a sauce are not placed; they go to their own piles (not said).

**The end.** FF-35: when both slots are empty and so is the order deck. FF-36: the highest sum of payments wins,
FF-37: then the fewest orders, then the win is shared (not said). FF-40: `max_rounds` cuts the game off, and the
standing counts.

**Other numbers of players.** FF-38: with two players each has two opposite places: two decks, two cards, two hits;
a doubled seat chooses up to two cards in a tick, one after the other. FF-39: with three or five players `player_0`
is doubled: alone against two, with a mate against three (`2v3`), or alone against two pairs (`1v2v2`).

## Observation

What a seat could know with perfect memory, in int8 counts (`raw=True`; else scaled to [0, 1] by the range). Seats
and teams are rotated: the observer and the own team come first; places and slots are not. Shapes at the default
number of players; in general n seats, D places and T teams. What shows a card is its kind (index order of the
component file) or the pattern of a sauce.

| field | at | shape | range | meaning |
| --- | --- | --- | --- | --- |
| phase | 0 | 6 | 0 to 1 | one-hot: hit, discard, place, tie, joker, end |
| turn | 6 | 4 | 0 to 1 | one-hot: seat to act; all 0 when over |
| clock | 10 | 3 | 0 to 127 | rounds to come (at most 127 shown), tick, cards in the order deck |
| orders | 13 | 2 x 20 | 0 to 13 | per slot: present, payment, number of any burger, any pizza, any drink, fries in units, units of one portion, number of each kind without fries; all 0 if empty |
| placed | 53 | 2 x 2 x 17 | 0 to 9 | per team and slot: cards of each kind, jokers |
| rows | 121 | 2 x 16 | 0 to 9 | per team: faulty cards of each kind |
| score | 153 | 2 x 3 | 0 to 91 | per team: hundreds of its total and the rest, completed orders |
| table | 159 | 4 x 27 | 0 to 4 | per place: one-hot of kind or sauce pattern, of the pattern (3), of the claiming seat; landing number among the claimed cards, 0 if none; all 0 if empty |
| payments | 267 | 4 | 0 to 13 | per place: what the card's other side pays |
| turned | 271 | 4 | 0 to 1 | cards turned over in the tie for the sauce in question |
| hits_left | 275 | 4 | 0 to 1 | hits left per seat |
| my_choice | 279 | 5 | 0 to 1 | own secret choices in this tick: wait, each place |
| pending | 284 | 4 | 0 to 1 | one-hot: place of the card or sauce in question |
| overflow | 288 | 2 x 4 | 0 to 1 | one-hot per team: seat that still has to discard |
| seat_team | 296 | 4 x 2 | 0 to 1 | one-hot per seat: its team |
| place_seat | 304 | 4 x 4 | 0 to 1 | one-hot per place: the seat that plays it |
| deck_sizes | 320 | 4 | 0 to 102 | cards in each deck |
| deck_known | 324 | 4 x 19 | 0 to 9 | per deck: cards in it that were seen, by kind and sauce pattern |
| discards | 400 | 4 x 19 | 0 to 9 | per pile: cards by kind and sauce pattern |
| unseen | 476 | 19 | 0 to 9 | cards never seen, by kind and sauce pattern |

Hidden are the order of the decks, other sides (on the table all but what they pay), cards never flipped, and the
choices of this tick. Memory is perfect: the cards that were seen and lie in a deck are counted for each deck. Not
kept are the patterns of cards that are not on the table, what the other sides of these pay, and the card that a late
hit missed. Views call a card by its look, `salami/circle`, an order by its text, and only the whole position
(`env.view`) by number, `salami-3`, which tells both sides. A seat's observation, view (`env.seat_view`), table and
picture tell the same, but for this:

| part of a seat's view | not in its | because |
| --- | --- | --- |
| `round` | observation | at most 127 rounds to come are shown |
| `turned` | observation | of a card that is turned over only the payment counts |
| `chosen` | observation | a tick is one moment: how far a seat is in it does not count |
| `placed` | observation | the pattern of a card counts only while it lies on the table |
| `rows` | observation | the pattern of a card counts only while it lies on the table |
| `won` | observation | of what a team has won only the sum and the number of payments count |
| `discards` | observation | the pattern of a card counts only while it lies on the table |
| `deck_known` | observation | the pattern of a card counts only while it lies on the table |
| `choices` | observation | the order of the own hits of a tick does not count |
| `won` | text | of what a team has won only the sum and the number of payments count |
| `from_piles` | text | of what a team has won only the sum and the number of payments count |
| `credit` | text | of what a team has won only the sum and the number of payments count |
| `deck_known` | text | the pattern of a card counts only while it lies on the table |
| `turned` | picture | of a card that is turned over only the payment counts |
| `placed` | picture | the pattern of a card counts only while it lies on the table |
| `rows` | picture | the pattern of a card counts only while it lies on the table |
| `won` | picture | of what a team has won only the sum and the number of payments count |
| `from_piles` | picture | of what a team has won only the sum and the number of payments count |
| `credit` | picture | of what a team has won only the sum and the number of payments count |
| `discards` | picture | decks and piles are stacks, of which a picture shows the sizes |
| `deck_known` | picture | decks and piles are stacks, of which a picture shows the sizes |
| `choices` | picture | the order of the own hits of a tick does not count |

## Actions

| index | name | meaning |
| --- | --- | --- |
| 0 | wait | no (further) hit in this tick |
| 1 .. 6 | hit 0 .. hit 5 | hit the card on this place |
| 7 .. 8 | place 0 .. place 1 | put the card or joker in question on the order in this slot |
| 9 .. 14 | turn 0 .. turn 5 | turn the card on this place over in a tie for a sauce |
| 15 .. 16 | discard 0 joker .. discard 1 joker | penalty: give up a joker from this slot (option) |
| 17 .. 48 | discard 0 hamburger .. discard 1 ice_cream | penalty: give up a product of this kind from this slot |

Places and slots are those of the table. `hit` is legal on every unclaimed product that the seat has not chosen in
this tick; at least two actions are legal at every decision, and what has one answer only is done without asking. A
seat may act several times in a row.

## Events

With `events=True` the environment tells what came of each step (`env.events(viewer)`, `infos`); hits to others when
they land. Cards that leave the table in the very tick in which they are hit are told with the team, not the seat.

| event | in words |
| --- | --- |
| `waited` | `{seat} waits` |
| `aimed` | `{seat} goes for {things} on place {0}` |
| `first` | `{seat} is first on {things}` |
| `late` | `{seat} is too late with {0:hit}` |
| `faulty` | `{things[1]} is faulty and goes to the row of team {things[0]}` |
| `overflowed` | `the trash can of team {things} overflows` |
| `gave_up` | `{seat} discards {things} from order {0} and empties the row` |
| `paid` | `team {things[0]} discards {things[1]} from order {0} and empties its row` |
| `stays_full` | `the trash can of team {things} stays full: there is nothing to discard` |
| `turned` | `{seat} turns over {things}: it pays {0}` |
| `won_sauce` | `{seat} takes {things} as a joker` |
| `put` | `{seat} puts {things} on order {0}` |
| `placed` | `{things[1]} goes on order {0} of team {things[0]}` |
| `joker` | `{things[1]} goes on order {0} of team {things[0]} as a joker` |
| `sauce_gone` | `{things} is discarded` |
| `completed` | `team {things[0]} completes order {0} ({things[1]}) and is paid {1}` |
| `completed_too` | `team {things} completes order {0} as well and is paid {1}` |
| `opened` | `the new order {0} pays {1} for {things}` |
| `no_order` | `no order is left for slot {0}` |
| `passed` | `a deck is empty: all shuffle their cards and pass them to the left` |
| `flipped` | `round {0}: {things}` |
| `cut_off` | `round {0} was the last` |

## Rewards and end

All agents end together, terminated or (FF-40) truncated. A team shares its score and its returns.
`rewards="win"`: the share of the win, 1 for a sole winning team and -1/(T - 1) for the others, equal shares for
those level; they sum to 0 over the teams. `rewards="score"` and `"shaped"`: the own team's total minus the mean of
the other teams', divided by 50.

## Options

| option | default | allowed | meaning |
| --- | --- | --- | --- |
| players | 4 | 2 to 6 | number of seats |
| teams | None | None, "1v1", "1v2", "2v2", "2v3", "1v2v2", "3v3" or "2v2v2" | seating; None is the usual one of the number of players (FF-39) |
| reaction | None | a list with a whole number from 0 to 100 for each seat, or None | weight of each seat in who lands first (FF-41); None: all 1 |
| max_rounds | 200 | 1 to 1000 | rounds after which the game is cut off (FF-40) |
| joker_discard | False | False or True | a joker may be given up as a penalty (FF-14) |

`components="my_box.toml"` replaces card tables; see `components.toml` of this package for their form.

## What is assumed

The rulebook prints the numbers of sauces and order cards, the rules, and some examples; the families, the sizes of
fries and the number of cards come from public reviews. Assumed: the 16 kinds and how many cards each has, the soda
duo (the rulebook names such a card, and two drinks for a silhouette follow from it), the silhouettes of pizzas and
drinks, three patterns with two sauces each, all order sides and payments. Put the true cards into a components file.
A box may have up to 127 cards, sauces included, 32 kinds and payments of 99; observation and actions follow its kinds.
No two of these order sides are alike; where two are, a redeal keeps which of them is open or won.

## Agents

`greedy` hits the card that brings an order closest to its end, leaves cards to the mates who sit before it, and never
hits what its team does not need. For a sauce it hits the card of the pattern that pays most.

`expert` weighs an order by its payment, 0.7 times that for each icon missing. It hits for what a card brings its team
and keeps from the others, by the chance to land first against the hits that it expects of them; that includes faulty
cards, at the price of a share in the next overflow. Mates share out the cards in the same reckoning, two to a card
where that is best. For sauces it hits as `greedy` does. In a tie both turn over the card that pays most.

How well they and searches do: `foodenvs/docs/results.md`.

## Versions

v0: first version.
History: payments of the cards on the table are seen, tied teams choose which card they turn over (FF-29), and it is
seen who discards for each team; totals may pass 127, and boxes may have up to 32 kinds. Actions and observations of
before do not fit.
"""

from foodenvs.core.game import Game
from foodenvs.games.fast_food_fury import agents, information, rules, words

GAME = Game(
    name="fast_food_fury",
    title="Fast Food Fury",
    version=0,
    rules=rules,
    information=information,
    words=words,
    agents=agents,
    scale=50,
    home=__name__,
    search_prior=0.9,
    compile_seconds=15,
)
