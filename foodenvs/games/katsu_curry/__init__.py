"""Katsu Curry?! This is not the time for that!

@facts@
"""

from foodenvs.game import Game
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
)
