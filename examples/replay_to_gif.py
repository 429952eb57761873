"""Record a game, check that it comes out the same again, and make a GIF and a page of it."""

import foodenvs
from foodenvs import replay
from foodenvs.replay import export

env = foodenvs.make("katsu_curry-v0", players=3)
game = replay.record(env, ["greedy", "random"], seed=3)
game.save("game.json")
again = replay.load("game.json")
again.verify()  # runs it and compares what the seats see, step by step
print(again.at(10).table("player_0"))
print(export.save_gif(again, "game.gif", seat="player_0", size="small", ms=500), "frames in game.gif")
with open("game.html", "w", encoding="utf-8") as page:
    page.write(export.html(again, seat="player_0"))  # one file, no server, only what player_0 saw
