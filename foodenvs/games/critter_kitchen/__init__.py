"""Critter Kitchen: stub."""

from foodenvs.game import Game
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
    compile_seconds=40,
)
