"""Scratch & Catch: two cards a turn onto one line of cats; the second makes a straight or catches a column.

|  |  |
| --- | --- |
| id | `scratch_catch-v0` |
| players | 2 to 6 (default 3) |
| agents | `player_0` .. `player_N` |
| actions | Discrete(21) |
| observation length | 74, 80, 86, 92, 98 for 2 to 6 players |
| decisions per game | at most 68, 66, 64, 62, 60 |
| points that count as 1 in rewards | 30 |

## Rules

The rulebook's rules by clause; a clause that the rulebook does not settle says how it is read here.
`foodenvs/docs/rules/scratch_catch.md` tells
for each where the rulebook says it, what carries it out and which cases show it.

**Cards and fleas.** SC-01: 76 cards of the values 1 to 10, 64 Cats and 12 Chakapuces. SC-02: fleas are a number
for each player; change is free and the supply never runs out. Here nobody holds more than 127, where more could come
together (45 is the most that was met in play).
SC-03: most points win; points come from Cats taken and from few fleas left.

**Setting up.** SC-04: everybody gets four cards and 22, 20, 18, 16 or 15 fleas with 2, 3, 4, 5 or 6 players.
SC-05: the other cards are the face-down deck. SC-06: its first four cards start the line, sorted by value; equal
values lie in one column. SC-07: who starts is not said; `player_0` does, since
matches give every agent every seat (option `first_player`: another seat, or drawn).

**A turn.** SC-08: clockwise; a turn is exactly two cards, one after the other, both compulsory. SC-09: a card
goes to the column of its value on the line. SC-10: each of the two comes from the hand or, unseen, from the top
of the deck, and must then be played. SC-11: the first card has no effect. SC-12: the second has its effect at
once, on the line as it is then, the first card included.

**Straight.** SC-13: if no other card of its value lies there and a neighbouring value does, the player discards
as many fleas as there are values in the unbroken run; columns count once, 1 and 10 are no neighbours. SC-14: at
most the fleas held; they go to the supply. SC-15: without neighbours nothing happens (not said; option
`isolated_fleas` reads it as a run of one).

**Column.** SC-16: if other cards of its value lie there, the player takes all cards of the two neighbouring
values, Cats and Chakapuces, face down into an own pile. SC-17: the column itself stays; a value that was taken is
free again.

**Chakapuces.** SC-18: played like a Cat. SC-19: as second card it also gives every other player as many fleas as
its column has cards, itself included. SC-20: alone in its column that is one flea. SC-21: the printed example "6,
then 5" is a slip; only a second card of value 6 takes the 5s and 7s. SC-22: the straight or column comes first;
if it takes the last flea, the others still get theirs.

**Drawing.** SC-23: at the end of the turn the player completes the hand to four cards, as far as the deck goes.

**The end.** SC-24: the game ends when a player has no fleas left, SC-25: or cannot complete the hand (page 1
says "deck is empty": option `deck_end`). SC-26: the first player for whom this holds at the end of the turn ended
it; later cases change nothing. SC-27: all others have one last turn, clockwise. SC-28: Chakapuces work normally in
it, also on players whose last turn is over.

**Points.** SC-29: each Cat taken is a point; hands score nothing, taken Chakapuces nothing (option
`chakapuces_points`). SC-30: fleas left give +15 for none, +12 up to 5, +6 up to 10, 0 up to 15, -4 up to 20, -8 up
to 25, else -12. SC-31: most points win, SC-32: then fewest fleas; SC-33: then the win is shared (not said).
SC-34: the printed example of three scores comes out as printed.

## Observation

What a seat could know with perfect memory, in int8 counts (`raw=True`; else scaled to [0, 1] by the range). Seats
are rotated: row 0 is the observer, then clockwise. Kind k is the Cat of value k + 1 for k < 10, else the
Chakapuces of value k - 9. Shapes at the default number of players.

| field | at | shape | range | meaning |
| --- | --- | --- | --- | --- |
| line | 0 | 20 | 0 to 7 | cards on the line by kind |
| hand | 20 | 20 | 0 to 4 | own hand by kind |
| unseen | 40 | 20 | 0 to 7 | deck plus other hands by kind |
| fleas | 60 | 3 | 0 to 112 | fleas per seat |
| cats | 63 | 3 | 0 to 64 | Cat cards taken per seat |
| chakapuces | 66 | 3 | 0 to 12 | Chakapuces cards taken per seat |
| hand_size | 69 | 3 | 0 to 4 | cards in hand per seat |
| turn | 72 | 3 | 0 to 1 | one-hot: seat to play; all 0 when over |
| ended_by | 75 | 3 | 0 to 1 | one-hot: seat that ended the game; all 0 while none |
| deck_size | 78 | 1 | 0 to 72 | cards in the deck |
| second | 79 | 1 | 0 to 1 | 1 = the next card is the second of the turn |

Hidden are the cards in other hands and the order of the deck, nothing else; nothing ever returns to them.
A seat's observation, view (`env.seat_view`), table and picture tell the same, but for this:

| part of a seat's view | not in its | because |
| --- | --- | --- |
| `last` | observation | a card of the line does not tell who laid it, from hand or deck; to redeal, all unseen cards are alike |
| `taken` | text | piles are shown by their sizes, not card by card |
| `taken` | picture | piles are shown by their sizes, not card by card |

## Actions

| index | name | meaning |
| --- | --- | --- |
| 0 .. 9 | hand 1 .. hand 10 | play a Cat of this value from the hand |
| 10 .. 19 | hand 1* .. hand 10* | play a Chakapuces of this value from the hand |
| 20 | deck | play the top card of the deck, unseen |

Equal cards are one action. A hand card is legal while it is held, `deck` while the deck has a card; 1 to 5
actions are legal at a decision.

## Events

With `events=True` the environment tells what came of each step (`env.events(viewer)`, `infos`), each kind with its
seat, things and numbers; `env.in_words` makes sentences of them. Which cards were drawn only their seat is told.

| event | in words |
| --- | --- |
| `played` | `{seat} plays {things}` |
| `turned_up` | `{seat} turns up {things} from the deck` |
| `straight` | `{seat} completes a straight of {0} and loses {1:flea}` |
| `alone` | `{seat} finds no neighbours` |
| `caught` | `{seat} catches {things}: +{0:cat}` |
| `missed` | `{seat} catches nothing` |
| `took` | `{seat} takes {0:flea}` |
| `drew` | `{seat} draws {things}` |
| `refilled` | `{seat} draws {0:card}` |
| `clean` | `{seat} has no fleas left; the others have one last turn` |
| `deck_out` | `{seat} meets the end of the deck; the others have one last turn` |

## Rewards and end

All agents end together, terminated. `rewards="win"`: the share of the win, 1 for a sole winner and -1/(P - 1)
for the others, equal shares for those level. `rewards="score"` and `"shaped"`: own points minus the mean of the
others', divided by 30.

## Options

| option | default | allowed | meaning |
| --- | --- | --- | --- |
| players | 3 | 2 to 6 | number of seats |
| first_player | 0 | 0, 1, 2, 3, 4, 5 or None | the seat that starts; None: at random (SC-07) |
| isolated_fleas | 0 | 0 to 1 | fleas discarded by a second card without neighbours (SC-15) |
| chakapuces_points | 0 | 0 to 1 | points for each taken Chakapuces card (SC-29) |
| deck_end | 'refill' | "refill" or "empty" | when the deck ends the game (SC-25) |

`components="my_box.toml"` replaces card tables; see `components.toml` of this package for their form.

## What is assumed

The sheet gives 64 Cats and 12 Chakapuces, not how they are spread over the values. Assumed here: 8 cards of each
inner value and 6 of the values 1 and 10; one Chakapuces of each value and a second 5 and 6. Put the true spread
into `[distribution]` of a components file.

## Agents

`greedy` plays the pair of cards that is worth most at once: fleas lost, Cats taken, fleas given to each other.

`expert` weighs every first card with every second, the deck as the mean of what is unseen, fleas by the flea table
(averaged over numbers close by until the last round), fleas given by what they cost each other, and takes off what
the next seat may expect to gain on the line left to it.

How well they and searches do: `foodenvs/docs/results.md`.

## Versions

v0: first version.

History: the option `first_player`; fleas end at 127, so that any spread of the printed cards can be played.
"""

from foodenvs.core.game import Game
from foodenvs.games.scratch_catch import agents, information, rules, words

GAME = Game(
    name="scratch_catch",
    title="Scratch & Catch",
    version=0,
    rules=rules,
    information=information,
    words=words,
    agents=agents,
    scale=30,
    home=__name__,
    compile_seconds=5,
    small={"players": 2},
)
