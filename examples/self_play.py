"""Self-play from the command line, then the exported policy as an opponent by name (needs torch to train).

training/ppo.py trains one network for all seats and exports it; `policy:FILE` plays it with numpy alone.
"""

import subprocess
import sys
from pathlib import Path

import foodenvs

steps = sys.argv[1] if len(sys.argv) > 1 else "200000"
script = Path(__file__).parents[1] / "training" / "ppo.py"
command = [
    sys.executable, str(script), "--players=2", f"--steps={steps}", "--seed=1", "--threads=1",
    "--run=self_play", "--export=self_play.safetensors", "--evaluate-games=40",
]  # fmt: skip
subprocess.run(command, check=True)
env = foodenvs.make("scratch_catch-v0", players=2)
played = foodenvs.play(env, ["policy:self_play.safetensors", "greedy"], seed=1)
print("policy against greedy:", played.scores)
