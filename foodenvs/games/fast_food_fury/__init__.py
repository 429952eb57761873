"""Fast Food Fury"""

from foodenvs.game import Game
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
    compile_seconds=15,
)
