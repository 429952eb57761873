"""Critter Kitchen: a week of secret planning and shopping in queues, six challenges, and a meal for a critic.

|  |  |
| --- | --- |
| id | `critter_kitchen-v0` |
| players | 2 to 5 (default 3) |
| agents | `player_0` .. `player_N` |
| actions | Discrete(179) |
| observation length | 1142, 1302, 1470, 1646 for 2 to 5 players |
| decisions per game | at most 2190, 2692, 3194, 3696 |
| points that count as 1 in rewards | 30 |

## Rules

The rulebook's rules by clause; a clause that the rulebook does not settle says how it is read here.
`foodenvs/docs/rules/critter_kitchen.md` tells
for each where the rulebook says it, what carries it out and which cases show it.

**The week.** CK-01: two to five players, seven rounds; challenges score after rounds 3 and 6, the critic after round
7; most stars win. All 119 tokens start in the bag; who fills the table has no influence. CK-02: the board holds
nothing but the round and the priority track. CK-03: six challenge cards in random order are those of rounds 1 to 6.
CK-04: one critic at random (option `critic`; the mouse in a first game). CK-05: three rumour cards at random, face
down (option `advanced_rumours`; the base cards in a first game). CK-06: Soup Truck, numbered locations for the number
of players (not said how many: as many as players), Midnight Merchant, Chef Academy; two players have smaller spaces at
the merchant and two at the academy. CK-07: soup and stars never run out, bisques do for all but the truck: there are 7
(not said: a card takes none from an empty supply). CK-08: six sous chefs in random order are those of rounds 1 to 6.
CK-09: everybody has a mouse, a lizard, a boar and one soup. CK-10: the priority track starts in random order; its
front is nearest to the door. CK-17: a sous chef taken in one round is its taker's fourth chef in the next. CK-18: with
option `restaurateurs` each seat is dealt an open card, whose stars it gains at once; none in a first game. Option
`setup="first_game"` names the printed line-up of CK-04, CK-05 and CK-18.

**Preparation.** CK-19: a round is preparation, planning and shopping. CK-11: the numbered locations are filled from
the bag, one token per space, left to right, then (two players) the academy; an empty bag leaves spaces empty (not
said). CK-12: a challenge card is opened; CK-13: in rounds 3 and 6 the hold token covers its rightmost type, which is
then not required (not said: nor allowed in that meal, since the card no longer shows it). CK-14: a sous chef is opened
at the academy. CK-15: the truck gets a bisque if it has none, always: also when the supply is out, which only cards
can bring about (not said: such a bisque more leaves the game when it is served). CK-16: in round 7 there is neither
card; an extra allspice lies at the academy.

**Planning.** CK-20: all seats secretly give each chef a location; plans are shown when the last has finished. CK-21:
chefs of a seat go to different locations, since there is one location card of each. CK-22: a sous chef must be placed
too (not said); at most one is at work in a round. CK-23: the mouse stands in queue 1, the lizard in 2, the boar in 3,
a sous chef in that of its capacity. CK-24: abilities "on reveal" act before any location.

**Shopping.** CK-25: locations are resolved from left to right; CK-26: in each the queues pick in order, a mouse one
item, a lizard two, a boar three; CK-27: a sous chef as many as its card says. CK-28: items go behind the shield, the
chef goes home. CK-29: a chef without an item may go home with one soup (not said: at the truck, one that carries a
single item takes that soup as its pick, which is the same but for cards). CK-30: a chef that finds nothing goes home
by itself, with one soup if it has nothing. CK-31: a chef that has taken something goes on while it can (not said: it
may not stop before). CK-32: a chef that takes the first item of a location while another chef of its queue wants it
too goes to the back of the track with its marker. Wanted is what another could take away: an ingredient, a spice, a
bisque, and (not said) a rumour or sous chef, but never soup, of which there is enough for all; soup moves no marker
and is no first item. Not said: no tie is a chef that can take nothing of what lies there, that has gone home, or that
took soup instead. CK-33: the chefs of a queue alternate (not said: in the track order with which it began, though a
marker moves). CK-34: later ties move nobody; later queues use the new track. CK-35: leftover ingredients and spices of
a numbered location go to the academy as soon as it is resolved, and CK-36: so do those of the merchant. CK-37: old
leftovers of the truck stay there (not said; option `truck_leftovers`). CK-44: the truck sells any amount of soup, one
bisque, and last round's leftovers. CK-45: numbered locations have their own numbers of spaces. CK-46: the merchant is
filled only when it is reached, visited or not. CK-48: the academy offers the sous chef or the round-7 allspice, and the
leftovers; CK-49: a sous chef is one item. CK-50: unclaimed, it leaves the game. CK-51: what is left at the academy goes
to the truck for the next round. CK-52: a sous chef works for one round.

**Rumours.** CK-40: who takes rumour token 1, 2 or 3 knows that card from then on (not said: who holds a rumour by a
wild token does so too); rumours count for all seats. CK-41: a wild token is placed on a rumour that the seat does not
hold. CK-42: nobody takes a rumour that it holds. CK-43: a rumour that all hold lies open (not said: its tokens are
removed and replaced when drawn, wild ones are not). CK-47: rumour tokens left at a resolved location leave the game.

**Challenges.** CK-60: after rounds 3 and 6 each seat secretly lays a meal for any of the day's three cards. CK-61: a
meal may hold any number of ingredients of the asked types, their spices, soup and bisque, nothing else (not said: more
soup and bisque than types are missing). CK-62: each missing type is replaced by a soup or bisque (not said: one for
each), which also adds its value; one real ingredient is needed. CK-63: a spice doubles one ingredient of its type,
allspice one of any type. CK-64: the values add up; 6, 12 and 21 give 1, 2 and 4 stars (not said: less may be served and
pays nothing by itself; a card that rewards a meal does). CK-65: meals are shown and scored when the last seat has
finished. CK-66: what was served returns to bag and supply (not said). CK-67: then comes refrigeration: CK-68: down to 5
(after round 3) or 10 ingredients and spices (not said: openly, in seat order, into the bag, which is then shuffled);
CK-69: soup, bisque and rumours do not count.

**The critic.** CK-70: a secret meal of seven courses, one per type, each with at most one ingredient and one spice,
unless the critic says otherwise. CK-71: soup is kept, not served; what is not served is left over. CK-73: in this
order, CK-72: a star for the most soup (not said: never for none), CK-74: a star for all seven courses, CK-75: a star
for the best of each course (not said: never for quality 0), CK-78: all rumours, CK-80: the final score, the sum of all
courses. CK-76: ties pay all. CK-77: the Fanatics double a course in the final score only. CK-79: the other rumours pay
stars as their cards say. CK-81: the score track gives a star per row of 7, 10 for each 70 passed. CK-82: value first,
then spice, then the course, then Fanatics (not said). CK-83: most stars win, then the highest place on the score track
(not said: laps count, it is the higher final score), then the place on the priority track; CK-84: nobody shares a win.
CK-85: the rulebook's list of common mistakes adds nothing new.

**Cards.** CK-90: challenge cards, CK-91: critics, CK-92: restaurateurs and CK-93: sous chefs do what their rows in
`components.toml` say. Not said: when Tilda Tortoise moves one place back, the queue keeps its order (CK-33).

## Observation

What a seat could know with perfect memory, in int8 counts (`raw=True`; else scaled to [0, 1] by the range). Seats
are rotated: row 0 is the observer, then clockwise. Locations are those of the game in row order. Kinds are 42
ingredients (6 x type + value - 2, types bread, carrot, cheese, fish, meat, mushroom, wine), 8 spices (allspice last),
rumours 1 to 3, wild. Shapes at the default number of players.

| field | at | shape | range | meaning |
| --- | --- | --- | --- | --- |
| phase | 0 | 6 | 0 to 1 | one-hot: planning, shopping, challenges, refrigeration, critic, over |
| round | 6 | 7 | 0 to 1 | one-hot: rounds 1 to 7 |
| actor | 13 | 3 | 0 to 1 | one-hot: seat on turn; all 0 when over |
| chef | 16 | 4 | 0 to 1 | one-hot mouse, lizard, boar, sous: to be placed (observer on turn only), or picking |
| here | 20 | 6 | 0 to 1 | one-hot: location being resolved (shopping) |
| left | 26 | 3 | 0 to 3 | what the seat's chef here, picking or waiting, can still carry; 0 if none or gone |
| taken | 29 | 3 | 0 to 18 | items that chef has taken here; 0 if none or gone |
| order | 32 | 3 | 0 to 3 | place in the current queue, 1 = on turn; 0 not in it |
| first_pick | 35 | 1 | 0 to 1 | 1 = an item but soup has been taken from this location |
| plate | 36 | 3 | 0 to 1 | one-hot: current challenge plate (observer on turn only) |
| course | 39 | 7 | 0 to 1 | one-hot: current course (observer on turn only) |
| critic | 46 | 12 | 0 to 1 | one-hot |
| priority | 58 | 3 | 1 to 3 | place on the priority track, 1 = nearest to the door |
| needs | 61 | 3 x 7 | 0 to 1 | types asked for by the day's opened cards; 0 under the hold token |
| seen_challenges | 82 | 7 | 0 to 1 | 1 = card opened so far |
| rumours | 89 | 3 x 28 | 0 to 1 | one-hot per rumour: its card, if the observer knows it |
| face_up | 173 | 3 | 0 to 1 | 1 = the rumour is open to all |
| private | 176 | 28 | 0 to 1 | one-hot: the observer's private rumour |
| academy_sous | 204 | 12 | 0 to 1 | one-hot: sous chef at the academy |
| sous | 216 | 15 | 0 to 1 | one-hot: sous chef working this round; then its owner |
| student | 231 | 15 | 0 to 1 | one-hot: sous chef taken this round; then its owner |
| gone_sous | 246 | 12 | 0 to 1 | 1 = opened and out of the game |
| bisques | 258 | 2 | 0 to 7 | on the truck; in the supply |
| items | 260 | 6 x 54 | 0 to 3 | tokens on each location by kind |
| bag | 584 | 54 | 0 to 3 | tokens in the bag by kind |
| restaurateurs | 638 | 3 x 10 | 0 to 1 | one-hot per seat |
| stock | 668 | 3 x 50 | 0 to 3 | ingredients and spices per seat by kind, those on pending plates included |
| soup | 818 | 3 | 0 to 71 | per seat, on pending plates included |
| bisque | 821 | 3 | 0 to 13 | per seat, on pending plates included |
| tokens | 824 | 3 x 3 | 0 to 2 | per seat and rumour: 0 none, 1 numbered token, 2 wild |
| stars | 833 | 3 | 0 to 91 | per seat |
| chefs | 836 | 3 x 4 x 6 | 0 to 1 | one-hot place of each chef per seat; in planning only the observer's |
| plates | 908 | 3 x 3 x 42 | 0 to 3 | the observer's plates: plain, spiced, allspiced; the critic meal is plate 0 |
| plate_soup | 1286 | 3 x 2 | 0 to 71 | soup and bisque on the observer's plates |
| served | 1292 | 3 | 0 to 1 | 1 = the observer's plate is closed as a meal |
| pairs | 1295 | 7 | 0 to 7 | value of the wine that the observer paired with each course |

Hidden are rumour cards not seen, plans, plates and meals of others until the last has finished, the order of the bag,
and the cards to come. Not said: what lies behind a shield is seen by all, since everything is taken in the open and
nobody has to forget. With cards of one's own there are as many entries for cards as the box has cards.
A seat's observation, view (`env.seat_view`), table and picture tell the same, but for this:

| part of a seat's view | not in its | because |
| --- | --- | --- |
| `meals` | observation | is shown at the end, when nobody acts any more; an observation has the seat's own |
| `pairs` | observation | is shown at the end, when nobody acts any more; an observation has the seat's own |
| `private_rumours` | observation | is shown at the end, when nobody acts any more; an observation has the seat's own |
| `seats.*.quality` | observation | is shown at the end, when nobody acts any more; an observation has the seat's own |
| `past_challenges` | text | is out of the game, and a table has what lies on it |
| `past_sous` | text | is out of the game, and a table has what lies on it |
| `removed` | text | is out of the game, and a table has what lies on it |
| `past_challenges` | picture | is out of the game, and a table has what lies on it |
| `past_sous` | picture | is out of the game, and a table has what lies on it |
| `removed` | picture | is out of the game, and a table has what lies on it |

## Actions

| index | name | meaning |
| --- | --- | --- |
| 0 .. 41 | bread 2 .. wine 7 | take it; put it on the plate unspiced; pair it (wine, Fruit Bat); discard it |
| 42 .. 83 | bread 2 spiced .. wine 7 spiced | put it on the plate with a spice of its type |
| 84 .. 125 | bread 2 allspiced .. wine 7 allspiced | put it on the plate with an allspice |
| 126 .. 133 | bread spice .. allspice | take or discard this spice |
| 134 .. 136 | rumour 1 .. rumour 3 | take this rumour token |
| 137 .. 139 | wild 1 .. wild 3 | take a wild token and hold this rumour by it |
| 140 .. 141 | soup .. bisque | take it from the Soup Truck; add it to the challenge plate |
| 142 | sous_chef | take the sous chef from the academy |
| 143 | home | one soup instead of items, and home |
| 144 | serve | close this challenge plate as a meal |
| 145 | skip | no meal for this challenge; its plate is cleared |
| 146 | next | go to the next course of the critic meal |
| 147 .. 178 | mouse soup_truck .. sous chef_academy | send this chef, the next to be placed, to this location |

In shopping an action takes an item of the location being resolved; in challenges and for the critic it lays something
on the current plate or course; in refrigeration it discards. Equal tokens are one action.

## Events

With `events=True` the environment tells what came of each step (`env.events(viewer)`, `infos`): plans and meals when all
are shown, before only to whose they are, and the name of a rumour card to who reads it. A day's meals are told by what
left each kitchen for them.

| event | in words |
| --- | --- |
| `round` | `round {0} begins` |
| `challenge` | `the challenge is {things}` |
| `sous_chef` | `the sous chef {things} comes to the chef academy` |
| `at_soup_truck` | `the soup truck gets {things}` |
| `at_garden_top_shop` | `the garden top shop gets {things}` |
| `at_desert_vendor` | `the desert vendor gets {things}` |
| `at_water_market` | `the water market gets {things}` |
| `at_flying_grocer` | `the flying grocer gets {things}` |
| `at_lantern_lane` | `the lantern lane gets {things}` |
| `at_midnight_merchant` | `the midnight merchant gets {things}` |
| `at_chef_academy` | `the chef academy gets {things}` |
| `sent` | `{seat} sends the {things[0]} to the {things[1]}` |
| `plan` | `{seat} sends the mouse to the {things[0]}, the lizard to the {things[1]} and the boar to the {things[2]}` |
| `plan_of_four` | `{seat} sends the mouse to the {things[0]}, the lizard to the {things[1]}, the boar to the {things[2]} and the sous chef {things[4]} to the {things[3]}` |
| `front` | `{seat} moves to the front of the priority track` |
| `took` | `{seat} takes {things[0]} with the {things[1]} at the {things[2]}` |
| `first` | `{seat} was first and moves back to place {0} on the priority track` |
| `went_home` | `{seat} sends the {things[0]} home from the {things[1]}` |
| `found_nothing` | `{seat} finds nothing for the {things[0]} at the {things[1]}` |
| `read` | `{seat} reads {things[0]}: {things[1]}` |
| `drew` | `{seat} gets {things} from the bag` |
| `soup` | `{seat} gets {0} soup` |
| `bisque` | `{seat} gets {0:bisque}` |
| `stars` | `{seat} gains {0:star}` |
| `gone` | `out of the game: {things}` |
| `open_rumour` | `{things[0]} lies open: {things[1]}` |
| `challenges` | `meals are laid for {things}` |
| `laid` | `{seat} lays {things[0]} for {things[1]}` |
| `closed` | `{seat} closes the meal for {things}` |
| `skipped` | `{seat} makes no meal for {things}` |
| `served` | `{seat} serves {things} and gains {0:star}` |
| `served_none` | `{seat} serves no challenge` |
| `discarded` | `{seat} discards {things}` |
| `critic` | `meals are laid for the critic {things}` |
| `plated` | `{seat} puts {things} on the critic plate` |
| `paired` | `{seat} pairs {things[0]} with the {things[1]} course` |
| `next_course` | `{seat} leaves the {things} course` |
| `meal` | `{seat} serves the critic {things}` |
| `no_meal` | `{seat} serves the critic nothing` |
| `private_rumour` | `{seat} shows the private rumour {things}` |
| `final` | `{seat} reaches {0} on the score track and gains {1:star} in all from the critic` |

## Rewards and end

All agents end together, terminated. `rewards="win"`: 1 for the winner and -1/(P - 1) for the others.
`rewards="score"` and `"shaped"`: own stars minus the mean of the others', divided by 30.

## Options

| option | default | allowed | meaning |
| --- | --- | --- | --- |
| players | 3 | 2 to 5 | number of seats (CK-01) |
| critic | 'random' | "random", "mouse", "cow", "kangaroo", "tree_shrew", "jerboa", "fruit_bat", "rabbit", "capybara", "badger", "fox", "hedgehog" or "otter" | the critic (CK-04) |
| advanced_rumours | True | True or False | False: only the 16 base rumour cards (CK-05) |
| restaurateurs | False | True or False | deal a restaurateur to each seat (CK-18) |
| truck_leftovers | 'stay' | "stay" or "academy" | where old leftovers of the truck go (CK-37) |
| setup | 'options' | "options" or "first_game" | first_game: the printed first game, with the mouse as critic, base rumours and no restaurateurs |

`components="my_box.toml"` replaces card tables; see `components.toml` of this package for their form. A card's row
names an effect and its numbers, so true cards can be written there wherever the effect exists; fewer cards are a game
as long as six challenges, six sous chefs and four rumours remain, and there is room for twice as many.

## What is assumed

Reported are the tokens, the spaces of the first two locations, two challenges and some card texts. Assumed are the
other spaces, five challenges, the rows of the score track, which rumours are advanced, and the details of most cards;
each row of `components.toml` says so.

## Agents

`greedy` sends chefs where the best items will be left, takes the item worth most, and lays the meals that are best
at the moment.

`expert` weighs all plans of its chefs together against eleven likely plans of each rival, values a sous chef by its
capacity, lays the three meals of a day as one, and gives allspice to the course that gains most.

How well they and searches do: `foodenvs/docs/results.md`.

## Versions

v0: first version.

History: since the first games soup at the truck moves no marker (CK-32), the truck always has a bisque (CK-15), and a
meal below 6 may be served (CK-64); replays, and policies trained before, are for the rules before.
"""

from foodenvs.core.game import Game
from foodenvs.games.critter_kitchen import agents, information, rules, words

GAME = Game(
    name="critter_kitchen",
    title="Critter Kitchen",
    version=0,
    rules=rules,
    information=information,
    words=words,
    agents=agents,
    scale=30,
    home=__name__,
    compile_seconds=25,
)
