"""Every game in OpenSpiel: `register()`, then `pyspiel.load_game("foodenvs_scratch_catch", {"players": 2})`.

Needs the extra `openspiel`. Parameters of a game, beside the options of its page:

rewards     "win" (default): 1 for a sole winner and equal losses for the others; "score": own score minus
            the mean of the opponents', over the game's scale. Where all teams are of one size, or there are
            none, these sum to 0 over the players, else over the teams only: a general-sum game
components  "" (default): the game's own cards; "small": its small box; else a TOML file
chance      "seed" (default): the first chance nodes draw the digits of one of 2**30 seeds or more, and the
            compiled engine plays on from it, whatever the size of the game. "draws": every draw of the
            rules is a chance node, a shuffled deck one for each card, with the exact probabilities. So CFR
            and exact best response see a true tree; the rules run as plain Python, and nodes are kept.
            No chance node has more outcomes than the game has actions: what may fall in more ways is drawn
            in parts, at several nodes in a row.

An option whose values are all whole numbers, words or truth values is given as such. One that takes several
kinds is given as text: "" for None, "yes" and "no", "#3", words as they are, a list as "honey+catchup".

Where a game's folder has a small box (`small.toml`), `foodenvs_NAME_small` is the same game with it, with
every draw a chance node, and few enough nodes for CFR in Python.

The information state of a player is all that its seat has done and has seen change, in order: perfect recall.
Secret choices are moves one after the other of which the others see nothing. Both tensors are the observation
[D] in [0, 1], which tells what the seat knows, not how it came to know it.

`state.resample_from_infostate(player, sampler)` deals anew what the player cannot know, at a decision and at
the end. For that player the copy has the same information state, observation and legal actions; the
information states of the others begin with what they see in it, and `history()` begins there too, since no
sequence of moves is known that leads to it. So OpenSpiel's search in Python plays these games,
`open_spiel.python.algorithms.ismcts`; its twin in C++ plays no game that is written in Python.
"""

from foodenvs.bridges.openspiel.adapter import (
    AgentPolicy,
    FoodGame,
    FoodObserver,
    FoodState,
    IllegalSpielActionError,
    register,
)

__all__ = ["AgentPolicy", "FoodGame", "FoodObserver", "FoodState", "IllegalSpielActionError", "register"]
