"""Solve a small box of Scratch & Catch with CFR in OpenSpiel (needs the extra `openspiel`).

Exploitability is what best responses gain on average over the two seats, in returns: 2 lie between a win and
a loss. It is exact here, since every card drawn is a chance node and the whole game is looked through.
"""

import sys

from foodenvs.core.errors import extra

with extra("openspiel", "examples/solve.py", SystemExit):
    import pyspiel
    from open_spiel.python.algorithms import exploitability

    from foodenvs import openspiel

iterations = int(sys.argv[1]) if len(sys.argv) > 1 else 100
openspiel.register()
game = pyspiel.load_game("foodenvs_scratch_catch_small")
solver = pyspiel.CFRPlusSolver(game)
for _ in range(iterations):
    solver.evaluate_and_update_policy()

print(f"random  {pyspiel.exploitability(game, pyspiel.UniformRandomPolicy(game)):.4f}")
for agent in ("greedy", "expert"):
    frozen = openspiel.AgentPolicy(game, agent)
    print(f"{agent}  {exploitability.exploitability(game, frozen):.4f}")
print(f"CFR+    {pyspiel.exploitability(game, solver.average_policy()):.4f} after {iterations} iterations")
