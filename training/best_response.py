"""How much can be gained against an agent: PPO learns to beat it, frozen in all other seats.

    python training/best_response.py --game scratch_catch --players 2 --against greedy --minutes 5 --seed 1

The learner has one seat, drawn for every game, and the frozen agent all others, team-mates included. What it
gains is its share of the win over the share that the frozen agent itself gets in its place: the same deals,
from every seat, none of them used in training. A true best response gains at least as much, so this is a
lower bound on the agent's exploitability; it does not say how far below it lies (`foodenvs.openspiel` does,
where a game is small).

All options of training/ppo.py are taken too. Rewards are "win" and the only opponent is the frozen agent,
unless said otherwise: how the response was found changes nothing in what it proves.
"""

import argparse
import functools
import json
import operator
import shlex
import sys
from pathlib import Path

import ppo

from foodenvs.arena.deals import WorkerPool, label, no_deals, seatings
from foodenvs.arena.match import interval, of_agent

DEALS_SEED = ppo.EVALUATION_SEED + 1  # of the deals on which the gain is measured


def shares(setup, lineup, agent, deals):
    """The mean share of the win of an agent of a line-up in each deal [D], over all seatings."""
    with WorkerPool() as pool:
        played = pool.play(setup, lineup, DEALS_SEED, 0, deals)
        dealt = functools.reduce(operator.add, played, no_deals(setup, lineup))
    return of_agent(setup, lineup, dealt, label(agent))[0]


def measure(setup, responder, against, games):
    """What `responder` gains in one seat over `against` in the same seat, with `against` in all others."""
    lineup = [responder] + [against] * (setup.players - 1)
    deals = -(-games // len(seatings(setup, lineup)))
    response = shares(setup, lineup, responder, deals)
    own = shares(setup, [against] * setup.players, against, deals)
    low, gain, high = (2 * value - 1 for value in interval((response - own + 1) / 2))
    return {
        "game": setup.game.id,
        "options": setup.options,
        "against": against,
        "deals": deals,
        "games": deals * setup.players,
        "win_share": float(response.mean()),
        "own_share": float(own.mean()),
        "gain": gain,
        "low": low,
        "high": high,
        "meaning": "gain in shares of the win, with 95 % interval: a lower bound on that of a best response",
    }


def told(result):
    against, (low, gain, high) = result["against"], (100 * result[key] for key in ("low", "gain", "high"))
    found = f"gains {gain:.1f} [{low:.1f}, {high:.1f}] points of win share over {against} itself"
    bound = "A best response gains at least as much: a lower bound."
    if result["low"] <= 0:
        bound = "No gain was found, which bounds nothing: the lower bound is 0."
    return (
        f"{result['game']}, {result['options']['players']} players, {result['games']:,} games: against "
        f"{against} the response wins {100 * result['win_share']:.1f} % and {found}. {bound}"
    )


def main(argv=None):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("--against", required=True, help="the agent that is frozen: any id")
    parser.add_argument("--games", type=int, default=4000, help="games of the measurement (default: 4000)")
    parser.add_argument("--json", help="write the result to this file")
    given, rest = parser.parse_known_args(argv)
    against = given.against
    rest = ["--rewards", "win", "--opponents", f"{against}@1", *rest, "--evaluate", against]
    settings, _ = ppo.parse(rest)
    policy = settings.export or str(Path(settings.run) / "response.safetensors")
    ppo.main([*rest, "--export", policy])
    result = measure(ppo.make_setup(settings), f"policy:{policy}", against, given.games)
    result["command"] = "python " + shlex.join(sys.argv)
    print(told(result))
    if given.json:
        Path(given.json).write_text(json.dumps(result, indent=2) + "\n")
    return result


if __name__ == "__main__":
    main()
