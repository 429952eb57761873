"""Cards of one's own: tables that replace those of the game's components.toml, checked as they are read."""

import foodenvs
from foodenvs.core.components import ComponentsError
from foodenvs.core.setup import Setup
from foodenvs.games import GAMES

own = Setup(GAMES["scratch_catch"]).components["distribution"]
print("as shipped:", own)
more = own | {"source": "printed", "cats": [7, 7, 6, 6, 6, 6, 6, 6, 7, 7]}
env = foodenvs.make("scratch_catch-v0", components={"distribution": more})
env.reset(seed=1)
print("mine:", env.setup.components["distribution"]["cats"])
try:
    foodenvs.make("scratch_catch-v0", components={"distribution": own | {"cats": [64]}})
except ComponentsError as error:
    print("refused:", error)
