"""How good is it? The same deals from every seat, win shares with 95 % intervals over the deals.

On the command line: foodenvs match scratch_catch examples/own_agent.py:HighCards random --games 600
"""

from own_agent import HighCards

from foodenvs.arena import match
from foodenvs.core.setup import Setup
from foodenvs.games import GAMES

setup = Setup(GAMES["scratch_catch"], {"players": 3})
result = match(setup, [HighCards(), "random", "random"], games=300, seed=1)
for agent in result.agents:
    print(
        f"{agent.id:10} {agent.win_share:.3f} [{agent.low:.3f}, {agent.high:.3f}]",
        f"{agent.mean_score:.1f} points",
    )
print(f"{result.games} games: {result.deals} deals, each from every seat")
