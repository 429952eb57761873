"""Catchup & Mousetard: Fast Food Battle!: collect bread, meat and sauces, serve dishes, be first to 50 points.

|  |  |
| --- | --- |
| id | `catchup_mousetard-v0` |
| players | 2 to 4 (default 4) |
| agents | `player_0` .. `player_N` |
| actions | Discrete(92) |
| observation length | 272, 286, 300 for 2 to 4 players |
| decisions per game | at most 6600, 9900, 13200 |
| points that count as 1 in rewards | 50 |

## Rules

The rulebook's rules by clause; a clause that the rulebook does not settle says how it is read here.
`foodenvs/docs/rules/catchup_mousetard.md` tells
for each where the rulebook says it, what carries it out and which cases show it.

**Cards.** CM-01: two cooks race, whatever the customers ordered. CM-02: 110 cards; score, character and own sauce
cards lie on the table and count for no hand limit, the 82 cards of the store, ingredients and fridge decks are
hand cards. CM-03: Catchup and Spicy bring ketchup, Mousetard and Honey mustard; who plays whom is drawn or agreed
(option `characters`). CM-04: the ingredients are drawn as little creatures. CM-05: each character has a pawn, which
starts at 0 points. CM-06: everybody has five own sauces of the character's kind, for own dishes only; how many are
left is public. CM-07: who starts is drawn or agreed (option `first_player`).

**Setting up.** CM-08: everybody gets score board and menu; the menu is the same for all. CM-09: three decks, each
with its own face-up discard pile, which may be looked through. CM-10: a used own sauce leaves the game. CM-11: a
lap of the score board is 25 points, so 50 are two laps; here it is one number. CM-12: clockwise from the start
player everybody draws three ingredients, one store and one fridge card.

**A turn.** CM-13: the start player begins; turns go clockwise (said of the deal only). CM-14: discard, then draw,
then serve. CM-15: any number of hand cards may be discarded, here one by one in the order of kinds; an own sauce may
not. CM-16: never more than seven hand cards; not to discard more than one draws is advice. CM-17: one store card, or
one fridge card, or up to three ingredients, never of two decks. CM-18: ingredients are drawn one by one and seen, and
one may stop after each (not said); it ends by itself after three or at seven cards. CM-19: at least one card must be
drawn where one can be, since the order of the phases is said to be mandatory and no right to skip one is given; but
"up to three" can also be none (option `draw`). With seven cards `done` goes on. CM-20: an empty deck is made anew
from its discards when a card is to be drawn (not said); if there are none, it cannot be drawn from. CM-21: the rules
for small children are mentioned but not given. CM-22: any number of dishes, then `done`.

**Dishes.** CM-23: a dish of the menu is served in one's own turn from cards that match its icons. CM-24: its cards go
to the discard piles of their decks. CM-25: it is worth the values of all its cards. CM-26: 50 points win at once, even
in mid-turn (option `target`). CM-27: only some patterns name a sauce; it may be an own one or a card. A components file may
have dishes that ask for sauces of any kind beside those that they name (`sauce = 1`), as the example "a bun, a steak
and a sauce" may be read. CM-28: one sauce
of each kind may be added to any dish, CM-29: never two of one kind, the pattern's and own sauces included, CM-30: and
never must be. CM-31: one potato card beyond the pattern may be added to any dish, potato dishes included, which makes
it a menu. CM-32: ketchup, mustard, mayonnaise and barbecue do not stand in for each other. CM-33: hamburgers and hot
dogs take lettuce, tomato, onion and cheese, one of each kind (or one in all: option `extra_ingredients`). "One extra
ingredient card of this type" can be either; by default it is read like the sauces, one of each, as its ban on two of a
kind is worded like theirs. The ban itself settles nothing: under the other reading, too, it meets the cheese and the
onion of a pattern. CM-34: never two of one kind, the pattern's included; CM-35: other dishes take none. CM-36: the icon says what a card is;
drawing and value do not matter.

**Double cards.** CM-37: one double card shows its icon twice. CM-38: two cards of the icon do as well, whichever they
are. CM-39: a double may stand for one icon; it keeps its 3 points. CM-40: so may a double potato, as menu potato too.
CM-41: two identical doubles may be two icons of a dish.

**Questions the rulebook answers.** CM-42: seven cards, of whatever types. CM-43: the deck to draw from does not depend
on what was discarded. CM-44: several dishes a turn, each with its own extras. CM-45: so seven cards and three own
sauces can be three dishes. CM-46: an empty hand is filled by drawing as usual. CM-47: cards drawn may be served in
the same turn.

**Of this library.** CM-48: after `max_turns` turns of everybody the game is truncated; most points win, equal leaders
share. CM-49: a dish under construction is private until it is served, and looks like the serve phase to the others;
its cards still count as hand cards. CM-50: when a deck is made anew, its cards in hands become *old*. How many old and
new cards of each deck a hand holds is public, and so is whether a card that leaves was old; of equal cards the old one
leaves first. That is more than a table shows: there nobody follows single cards in a hand, and whether one was old
is known only where it cannot be otherwise. Without it no one could say what is still in a deck and what in a hand.

A dish is made in steps: `dish` names it, `add` puts one card in, in the order of kinds with the own sauce last, and
`serve` ends it. A card is offered only if the dish can still be finished, so a started dish never gets stuck, and no
two ways of making it lead to the same set of cards.

## Observation

What a seat could know with perfect memory, in int8 counts (`raw=True`; else scaled to [0, 1] by the range). Seats are
rotated: row 0 is the observer, then clockwise. Kinds are in the order of `components.toml`. Shapes at the default
number of players.

| field | at | shape | range | meaning |
| --- | --- | --- | --- | --- |
| phase | 0 | 5 | 0 to 1 | one-hot: discard, more, serve, build, over; build of others is serve |
| active | 5 | 4 | 0 to 1 | one-hot: seat to act; all 0 when over |
| first | 9 | 4 | 0 to 1 | one-hot: seat that started |
| drawn | 13 | 1 | 0 to 2 | ingredients drawn this turn, while more may be drawn |
| floor | 14 | 1 | 0 to 36 | lowest kind to discard or add; 0 while another seat builds |
| hand | 15 | 36 | 0 to 5 | own hand by kind, cards of the dish under construction included |
| hand_old | 51 | 36 | 0 to 5 | old cards among them |
| build | 87 | 37 | 0 to 5 | own dish under construction by kind, own sauce last |
| dish | 124 | 14 | 0 to 1 | one-hot: own dish under construction |
| discards | 138 | 36 | 0 to 5 | discard piles by kind |
| unseen_new | 174 | 36 | 0 to 5 | decks plus new cards of other hands by kind |
| unseen_old | 210 | 36 | 0 to 5 | old cards of other hands by kind |
| decks | 246 | 3 | 0 to 42 | cards in each deck |
| backs | 249 | 4 x 3 x 2 | 0 to 7 | cards in hand per seat and deck: new, old |
| own_sauces | 273 | 4 | 0 to 5 | own sauces left per seat |
| characters | 277 | 4 x 4 | 0 to 1 | one-hot: catchup, mousetard, spicy, honey |
| scores | 293 | 4 | 0 to 121 | points per seat |
| rounds_left | 297 | 1 | 0 to 119 | rounds after this one |
| target | 298 | 1 | 10 to 100 | points that win |
| extra_one | 299 | 1 | 0 to 1 | 1 = extra_ingredients is "one" |

Hidden are the order of the decks and which of the unseen cards the others hold, within what `unseen_new`,
`unseen_old` and `backs` say; with two players `unseen_old` is the other hand's old cards. Two finer deductions are left
out: which cards were old already before a second reshuffle, and that who plays a new card holds no old one of its kind.
A seat's observation, view (`env.seat_view`), table and picture tell the same, but for this:

| part of a seat's view | not in its | because |
| --- | --- | --- |
| `earlier turns` | observation | in the discards a card does not tell who discarded or served it; it is in no hand any more |
| `old_in_hands` | picture | old cards that several hands may hold show their backs only |

## Actions

| index | name | meaning |
| --- | --- | --- |
| 0 .. 35 | discard bun0 .. discard cheese | discard a card of this kind |
| 36 .. 38 | draw store .. draw fridge | draw a card of this deck |
| 39 .. 52 | dish simple_hamburger .. dish mixed_grill | start this dish |
| 53 .. 88 | add bun0 .. add cheese | put a card of this kind into the dish |
| 89 | add own | put an own sauce into the dish |
| 90 | serve | serve the dish |
| 91 | done | go on without drawing, or end the turn |

Equal cards are one action. `draw ingredients` is also the action that draws another one. Where nothing can be drawn,
`done` leads on to serving; while ingredients are drawn it stops that; among dishes it ends the turn.

## Events

With `events=True` the environment tells what came of each step (`env.events(viewer)`, `infos`): which cards were drawn
and how a dish is made only to whose they are, until it is served.

| event | in words |
| --- | --- |
| `discarded` | `{seat} discards {things}` |
| `reshuffled` | `the discards are the {things} deck now` |
| `drew` | `{seat} draws {things[0]} from the {things[1]} deck` |
| `drew_hidden` | `{seat} draws from the {things} deck` |
| `drew_none` | `{seat} draws nothing` |
| `drew_enough` | `{seat} draws no more` |
| `began` | `{seat} begins {things}` |
| `added` | `{seat} adds {things}` |
| `finished` | `{seat} finishes {things}` |
| `served` | `{seat} serves {things} for {0:point}` |
| `ended` | `{seat} ends the turn` |
| `last_turn` | `all turns are over` |

## Rewards and end

All agents end together: terminated at the target, truncated after `max_turns`. `rewards="win"`: the share of the win,
1 for a sole winner and -1/(P - 1) for the others. `rewards="score"` and `"shaped"`: own points minus the mean of the
others', divided by 50.

## Options

| option | default | allowed | meaning |
| --- | --- | --- | --- |
| players | 4 | 2 to 4 | number of seats |
| characters | None | None or a list of different names out of catchup, mousetard, spicy, honey, one per seat | character of each seat; None: dealt at random (CM-03) |
| first_player | None | None, 0, 1, 2 or 3 | the seat that starts; None: at random (CM-07) |
| extra_ingredients | 'each' | "each" or "one" | additional ingredients beyond the pattern: one of each kind, or one in all (CM-33) |
| draw | 'must' | "must" or "may" | whether a card must be drawn where one can be (CM-19) |
| target | 50 | 10 to 100 | points that win (CM-26) |
| max_turns | 100 | 1 to 120 | turns of each player before truncation (CM-48) |

`components="my_box.toml"` replaces card tables; see `components.toml` of this package for their form. Cards (up to 72
kinds, 42 to a deck) and dishes (up to 28, with names of their own) may be others, and the actions and the observation
are then as many as they need; icons, decks and characters are the printed ones.

## What is assumed

The rulebook names the icons, the sizes of the decks and some values, but neither the menu nor the cards of each deck.
The 14 dishes and 36 kinds of cards here agree with every printed example. That own sauces are worth 1 follows from
the examples. The number of players is taken from public pages.

## Agents

`greedy` plans the dish that misses least, draws from the deck that helps it, and serves dishes with all extras at
hand once they are worth 7 points, the hand is full, or the end is near.

`expert` makes dishes as `greedy` does, but discards and draws for the expected worth of its hand: the points of the
best dish, less for each pattern card that it still waits for by the chance to draw it, and half of those of the best
dish from what is left.

How well they and searches do: `foodenvs/docs/results.md`.

## Versions

v0: first version.

History: the option `draw`; boxes of twice as many kinds of cards and dishes, of dishes with sauces of any kind, and of
dishes worth more.
"""

from foodenvs.core.game import Game
from foodenvs.games.catchup_mousetard import agents, information, rules, words

GAME = Game(
    name="catchup_mousetard",
    title="Catchup & Mousetard: Fast Food Battle!",
    version=0,
    rules=rules,
    information=information,
    words=words,
    agents=agents,
    scale=50,
    home=__name__,
    search_prior=0.9,
    compile_seconds=8,
)
