"""A game as one JSON document: written while it is played, re-run to any step, shown as any seat saw it.

recorder = Recorder(foodenvs.make("scratch_catch"))        # an AEC environment that remembers
recorder.reset(seed=1)
...
recorder.replay(agents={"player_0": "greedy"}).save("game.json")

for env in load("game.json").positions():                  # from the deal to the last position
    print(env.table("player_0"))
"""

from foodenvs.replay.document import Replay, ReplayError, Step, from_json, load, result_of
from foodenvs.replay.recorder import Recorder, record, save_match, told_probabilities

__all__ = [
    "Recorder",
    "Replay",
    "ReplayError",
    "Step",
    "from_json",
    "load",
    "record",
    "result_of",
    "save_match",
    "told_probabilities",
]
