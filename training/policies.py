"""Makes the policies that come with the package, and their cards.

    python training/policies.py                     # all, two at a time: some hours
    python training/policies.py katsu_curry --only 3
    python training/policies.py --judge             # play the matches of the cards again

Each is trained by training/ppo.py (the command stands on its card) into foodenvs/games/GAME/policies/, and is
the agent `ppo` at tables of its number of players with the game's default options.
"""

import argparse
import json
import shlex
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from safetensors import safe_open
from safetensors.numpy import load_file, save

from foodenvs.arena import match
from foodenvs.core.setup import Setup
from foodenvs.games import GAMES

ROOT = Path(__file__).parents[1]
JUDGE_SEED = 77  # of the deals of the matches on the cards
JUDGE_SECONDS = 90  # no further deals against a search are begun after so long
COMMON = "--seed 1 --threads 1 --opponents self@2 past@1 greedy@3 --evaluate greedy --evaluate-every 50"
PLANS = {
    ("scratch_catch", 2): "--steps 12000000 --anneal 12000000 --teacher expert --lessons 2000000",
    ("scratch_catch", 3): "--steps 10000000 --anneal 10000000 --teacher expert --lessons 2000000",
    ("katsu_curry", 3): "--steps 5000000 --anneal 5000000 --teacher expert --lessons 1500000",
    ("katsu_curry", 4): "--steps 4000000 --anneal 4000000 --teacher expert --lessons 1500000",
    ("catchup_mousetard", 2): "--steps 4000000 --anneal 4000000 --teacher expert --lessons 1000000 "
    "--lr 0.0005 --discount 0.998",
    ("catchup_mousetard", 4): "--steps 3000000 --anneal 3000000 --teacher expert --lessons 1000000 "
    "--lr 0.0005 --discount 0.998",
    ("fast_food_fury", 2): "--steps 4000000 --anneal 4000000 --teacher expert --lessons 1500000 "
    "--lr 0.0005 --discount 0.998",
    ("fast_food_fury", 4): "--steps 3000000 --anneal 3000000 --teacher expert --lessons 1500000 "
    "--lr 0.0005 --discount 0.998",
    ("critter_kitchen", 2): "--steps 3000000 --anneal 3000000 --teacher greedy --lessons 1000000 --lr 0.0005",
    ("critter_kitchen", 3): "--steps 2000000 --anneal 2000000 --teacher greedy --lessons 1000000 --lr 0.0005",
}

REMARKS = {
    "fast_food_fury": "Neither reaches `greedy`. What was tried: an imitation of `greedy` (at 0 % after "
    "350,000 decisions, stopped) and of `expert`, as below; the networks, which see counts, weigh orders "
    "against hands less exactly than the rule agents. Not tried: longer runs, larger networks, other inputs.",
}


def policy_path(game, players):
    return Path("foodenvs/games") / game / "policies" / f"{players}.safetensors"


def train(game, players):
    """Run training/ppo.py from the root of the project: the command on the card is the one to repeat."""
    command = f"training/ppo.py --game {game} --players {players} {COMMON} {PLANS[game, players]}"
    command += f" --run runs/{game}-{players} --export {policy_path(game, players)}"
    subprocess.run([sys.executable, *shlex.split(command)], cwd=ROOT, check=True)


def judge(game, players):
    """Play the policy against every baseline, the same deals from every seat; write that into its file."""
    setup, path = Setup(GAMES[game], {"players": players}), ROOT / policy_path(game, players)
    evaluation = {}
    for opponent in [name for name in GAMES[game].agent_ids if name != "ppo"] + ["ismcts:iterations=100"]:
        search = opponent.startswith("ismcts")
        played = match(
            setup, ["ppo", *[opponent] * (setup.contenders - 1)], 100 if search else 1000, JUDGE_SEED,
            until=time.time() + JUDGE_SECONDS if search else None,
        )  # fmt: skip
        evaluation[opponent] = vars(played.agents[0]) | {"games": played.games}
    with safe_open(path, "numpy") as opened:
        metadata = opened.metadata()
    path.write_bytes(save(load_file(path), metadata | {"evaluation": json.dumps(evaluation)}))


def cards(game):
    """The cards of a game's policies, as the README.md of their folder."""
    text = f"# Trained policies of {game.title}\n\nWritten by `python training/policies.py`.\n"
    text += f"\n{REMARKS[game.name]}\n" if game.name in REMARKS else ""
    for path in game.policies:
        with safe_open(path, "numpy") as opened:
            text += "\n" + card(game, opened.metadata(), path.stat().st_size)
    return text


def card(game, metadata, size):
    """How one policy was made, and how it does."""
    players = json.loads(metadata["options"])["players"]
    setup, training = Setup(game, {"players": players}), json.loads(metadata["training"])
    rows = [
        f"| `{' '.join(['ppo', *[name] * (setup.contenders - 1)])}` | {100 * r['win_share']:.1f} % "
        f"[{100 * r['low']:.1f}, {100 * r['high']:.1f}] | {r['margin']:+.1f} "
        f"[{r['margin_low']:+.1f}, {r['margin_high']:+.1f}] | {r['games']:,} |"
        for name, r in json.loads(metadata["evaluation"]).items()
    ]
    return "\n".join(
        [
            f"## {players} players",
            "",
            f"`{metadata['command']}`: {training['decisions']:,} decisions in {training['seconds'] / 60:.0f} "
            f"minutes, {training['threads']} thread of a two-core machine with two such jobs at once. "
            f"{size / 1e6:.2f} MB, plays the action of the highest logit, default options.",
            "",
            f"`foodenvs match {game.name} ppo OPPONENT .. --players {players} --games GAMES "
            f"--seed {JUDGE_SEED}` (equality is {100 / setup.contenders:.1f} %):",
            "",
            "| match | win share of `ppo` [95 %] | score margin [95 %] | games |",
            "|---|---|---|---|",
            *rows,
            "",
        ]
    )


def make(job, only_judge):
    if not only_judge:
        train(*job)
    judge(*job)


def main(argv=None):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="*", help=f"of {', '.join(GAMES)} (default: all)")
    parser.add_argument("--only", type=int, help="the policy for so many players")
    parser.add_argument("--judge", action="store_true", help="train nothing, play the matches again")
    given = parser.parse_args(argv)
    jobs = [
        (game, players)
        for game, players in PLANS
        if game in (given.games or GAMES) and players == (given.only or players)
    ]
    if not jobs:
        parser.error(f"there are plans for {', '.join(f'{game} {players}' for game, players in PLANS)}")
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda job: make(job, given.judge), jobs))
    for name in dict.fromkeys(game for game, _ in jobs):
        (ROOT / policy_path(name, 0).parent / "README.md").write_text(cards(GAMES[name]), encoding="utf-8")


if __name__ == "__main__":
    main()
