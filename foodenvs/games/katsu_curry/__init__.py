"""Katsu Curry?! This is not the time for that!: sealed bids for a product; the highest price that is near the next one wins.

|  |  |
| --- | --- |
| id | `katsu_curry-v0` |
| players | 3 to 10 (default 4) |
| agents | `player_0` .. `player_N` |
| actions | Discrete(121) |
| observation length | 744, 872, 1000, 1128, 710, 777, 844, 911 for 3 to 10 players |
| decisions per game | at most 54, 72, 90, 108, 126, 144, 162, 180 |
| points that count as 1 in rewards | 30 |

## Rules

The rulebook's rules by clause; a clause that the rulebook does not settle says how it is read here.
`foodenvs/docs/rules/katsu_curry.md` tells
for each where the rulebook says it, what carries it out and which cases show it. "Near" means
within two times of each other, "apart" the opposite. `player_1` sits to the left of `player_0`, and so on.

**In the box.** KC-01: 28 product cards of the letters A to D, each with a number (its points), and 60 price cards
from 70 to 12,000,000 yen. KC-02: 18 products (9 A, 6 B, 2 C, 1 D) are basic, ten are additional; first games use
the basic ones alone (option `extra_products`).

**Setting up.** KC-03: all price cards are dealt out evenly: 20, 15, 12 or 10 to each of 3, 4, 5 or 6 players.
KC-04: the products of each letter are shuffled apart; the deck is A, then B, C and D. How many of each letter are
left is public, their order nobody knows.

**A round.** KC-05: the next product is turned up. KC-06: everybody chooses a price card of the hand in secret; a
choice is final, and all are revealed together. KC-07: as a rule the highest price wins. KC-08: a price that is
apart from the next lower one is not common and is passed over, down to the last pair: the winner is the highest
price that is near the next lower one. KC-09: if all neighbours are apart, the lowest wins; the rulebook says both
"more than" and "at least" two times, and exactly double counts as near here, as KC-25 says (option
`double_is_common`; no shipped card is exactly double another).

**Cards move.** KC-10: the winner keeps the product with the card paid under it, visible; both are out of play.
KC-11: all others take the card that the neighbour to the right has played; these were open, so all know who holds
them. KC-12: past the winner the next player further to the right gives. KC-13: the winner takes none, the hand
stays one card smaller.

**Reversed products.** KC-14: Cup Noodles and the Earthquake Relief Donation are sold in reverse. KC-15: the lowest
price that is near the next higher one wins; if all are apart (not said) the highest, the mirror of KC-09. KC-16:
the heading names the donation, the text only Cup Noodles. By default the donation follows every rule of Cup Noodles,
as one heading with one set of rules says; option `donation_reversed` has the two other readings: it is sold like any
product, or it is sold in reverse, but not spared from KC-17, whose text names Cup Noodles alone.

**Four players.** KC-17: the lowest price cannot win, except for reversed products (option `lowest_barred`, for any
number of players). Where it stays barred in reverse order (`donation_reversed="order"`), the lowest price that is near
the next higher one is passed over like one that is not, up to the highest. KC-18: if all prices are apart, the product leaves the game, also a reversed one, and everybody
takes the right neighbour's card.

**The end.** KC-19: nine products before one player end the game at once, and that player has won, whatever the
points. KC-20: else it ends with the last product, won or gone; most points win. KC-21: level players compare the
highest number among their products; to have none is lowest. KC-22: for those still level the rulebook asks for a silly contest; they share
the win (option `contest`: or one of them is drawn).

**Written prices.** KC-23: seven or more players write prices instead of playing cards; no cards are dealt and none
move (option `written_prices`, for any number). KC-24: one of the 61 prices of a ladder, any, any number of times. On paper any price can be written: with 61 to
choose from, equal bids (KC-26) are likelier than at a table.
KC-25: exactly half is within two times. KC-26: equal prices are one bid and not near each other. KC-27: if it
wins, one of its writers gets the product by lot.

**Additional products.** KC-28: with `extra_products` 9 A, 6 B, 2 C and 1 D are drawn in secret from all 28; "remove"
must mean "take for use". KC-29: the others are not used, and nobody knows which.

**Not said.** KC-30: the number of players: 3 to 6 with price cards, 3 to 10 with written prices; with two, every
card would be known. KC-31: there is no money, a price is only a bid. KC-32: everything once seen stays known, so
who holds a card that was revealed is shown.

## Observation

What a seat could know with perfect memory, in int8 counts (`raw=True`; else scaled to [0, 1] by the range). Seats
are rotated: row 0 is the observer, row 1 the left neighbour; the last row is the right neighbour, whose card comes
to the observer. Products are in the order of `components.toml`, prices by rising index. A price is two numbers: its
binary digits (980 has 10), and how far it is on the way to one more, in 128ths of the logarithm; so two prices are
within two times of each other where these are at most one digit apart. Prices that differ by less than 0.6 % may look
alike. Shapes at the default number of players; with written prices `choice` has 61 entries and the last four fields
are missing (442, 509, 576 or 643 entries for 3 to 6 players).

| field | at | shape | range | meaning |
| --- | --- | --- | --- | --- |
| product | 0 | 28 | 0 to 1 | one-hot: product up; all 0 when over |
| number | 28 | 2 | 0 to 12 | its number in two digits to the base 128; 0 when over |
| facts | 30 | 5 | 0 to 1 | 1 = sold in reverse, one-hot letter A to D; all 0 when over |
| round | 35 | 1 | 1 to 18 | products turned up so far |
| left | 36 | 4 | 0 to 8 | face-down products of each letter |
| pool | 40 | 28 | 0 to 1 | 1 = may still come up |
| won | 68 | 4 x 28 | 0 to 1 | products in front of each row |
| price | 180 | 28 x 2 | 0 to 127 | paid for each product won: binary digits of a price, and 128ths of the way to the next; 0, 0 if not won |
| gone | 236 | 28 | 0 to 1 | products that left the game |
| count | 264 | 4 | 0 to 9 | number of products per row |
| points | 268 | 4 x 2 | 0 to 63 | sum of their numbers, in two digits to the base 128 |
| ago | 276 | 28 | 0 to 18 | rounds since each product came up, 1 = the last; 0 if not |
| bids | 304 | 18 x 4 x 2 | 0 to 127 | bids of each row in all rounds, the last first: binary digits of a price, and 128ths of the way to the next; 0, 0 if there were none |
| choice | 448 | 60 | 0 to 1 | one-hot: own choice of this round; all 0 before |
| hand | 508 | 60 | 0 to 1 | own hand, the chosen card included |
| seen | 568 | 4 x 60 | 0 to 1 | cards in the hand of each row that all have seen |
| hand_size | 808 | 4 | 0 to 15 | cards in the hand of each row |
| paid | 812 | 60 | 0 to 1 | cards under products |

Hidden are the cards in other hands that were never revealed, the choices of this round until the last is in, and
the order of the deck. Seats choose in the order `player_0`, `player_1`, ...; the order cannot matter, since until
the last has chosen nothing changes but the chooser's own observation.
A seat's observation, view (`env.seat_view`), table and picture tell the same, but for this:

| part of a seat's view | not in its | because |
| --- | --- | --- |
| `turn` | observation | all choose in secret, so the order of choosing tells nothing |
| `winners` | observation | they follow from the products; the rewards tell who was drawn of the best |
| `turn` | text | all choose in secret, so the order of choosing tells nothing |
| `earlier` | picture | these bids no longer lie on the table |

## Actions

| index | name | meaning |
| --- | --- | --- |
| 0 .. 59 | play 70 .. play 12000000 | choose the price card of this price |
| 60 .. 120 | write 10 .. write 10000000 | write this price |

With cards every `play` of a card in the own hand is legal, and no `write`; with written prices every `write`.

## Events

With `events=True` the environment tells what came of each step (`env.events(viewer)`, `infos`); choices only to who made
them, until all bids are revealed.

| event | in words |
| --- | --- |
| `chosen` | `{seat} chooses {0} yen` |
| `bids` | `all bids: {numbers} yen` |
| `sold` | `{seat} gets {things} for {0} yen` |
| `drawn` | `{seat} gets {things} for {0} yen, by lot` |
| `gone` | `{things} leaves the game` |
| `took` | `{seat} takes the card {0} of {things}` |
| `nine` | `{seat} has {0:product} and wins at once` |
| `next` | `next comes {things}` |

## Rewards and end

All agents end together, terminated, after one choice per player and round. `rewards="win"`: the share of the win,
1 for a sole winner and -1/(P - 1) for the others, equal shares for those who share it. `rewards="score"` and
`"shaped"`: own points minus the mean of the others', divided by 30; a win by nine products need not be the best
score.

## Options

| option | default | allowed | meaning |
| --- | --- | --- | --- |
| players | 4 | 3 to 10 | number of seats |
| written_prices | None | None, True or False | write prices instead of playing price cards (KC-23); None: from 7 players on |
| extra_products | False | False or True | play with the ten additional products too (KC-28) |
| lowest_barred | None | None, True or False | the rule that the lowest price cannot win (KC-17, KC-18); None: with exactly 4 players |
| double_is_common | True | True or False | whether exactly double is within two times (KC-09, KC-25) |
| donation_reversed | True | True, "order" or False | whether the donation is sold in reverse (KC-16); "order": yes, but the lowest price stays barred |
| contest | 'share' | "share" or "draw" | players still tied share the win, or one is drawn (KC-22) |

`components="my_box.toml"` replaces card tables; see `components.toml` of this package for their form. Fewer cards
are a game as long as they make equal hands of nine; price cards must all be different.

## What is assumed

Printed are the counts, the cheapest and the dearest price card, the two reversed products; reported are some names
and letters. Assumed are the 58 prices between (rising by factors of 1.14 to 1.4, none exactly double another), the
ladder of written prices, most products, and all their numbers: A 1 to 3, B 4 to 6, C 8 and 9, D 12 (a components file may
have any from -500 to 500). `usual_price` is table talk: no rule reads it, agents and texts do.

## Agents

`greedy` takes the price most likely to win now if all rivals bid at random, leaning to the usual price. `expert`
weighs all sets of rivals' bids, and keeps cards that will be worth more later.

How well they and searches do: `foodenvs/docs/results.md`.

## Versions

v0: first version.

History: the observation got the price paid for each product, the bids of all earlier rounds, prices as logarithms and
points in two digits; `donation_reversed` got the reading "order".
"""

from foodenvs.core.game import Game
from foodenvs.games.katsu_curry import agents, information, rules, words

GAME = Game(
    name="katsu_curry",
    title="Katsu Curry?! This is not the time for that!",
    version=0,
    rules=rules,
    information=information,
    words=words,
    agents=agents,
    scale=30,
    home=__name__,
    compile_seconds=8,
    small={"players": 3, "written_prices": True},
)
