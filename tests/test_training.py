"""Training: exact credit, exact resume, and that it learns. Needs the extra sb3."""

import csv
import importlib.util
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from helpers import size

from foodenvs.agents import make_agent
from foodenvs.agents.policy import PolicyAgent
from foodenvs.arena import match
from foodenvs.core.setup import Setup
from foodenvs.envs.aec import FoodEnv
from foodenvs.envs.batch import Batch
from foodenvs.games import GAMES

pytestmark = [
    pytest.mark.extra("sb3"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),  # of what torch and TensorBoard import
]

SCRIPTS = Path(__file__).parents[1] / "training"
SMALL = ["--players=3", "--envs=16", "--rollout=24", "--minibatch=128", "--hidden=16", "--past-every=2"]
SMALL += ["--threads=1"]
LEARNED = 3_000_000  # decisions of the learning test: about two minutes on two cores, evaluations included


def script(name):
    """A script as a module; it finds those beside it, as it does when it is run."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(SCRIPTS)
        return importlib.import_module(name)


@pytest.fixture(scope="module")
def ppo():
    return script("ppo")


@pytest.fixture(scope="module")
def imitate():
    return script("imitate")


def run(script, *arguments):
    done = subprocess.run(
        [sys.executable, str(SCRIPTS / script), *map(str, arguments)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def progress(folder):
    with (folder / "progress.csv").open(newline="") as file:
        return list(csv.DictReader(file))


class Ledger:
    """What a learner should be told, kept decision by decision in plain Python beside a training run."""

    def __init__(self, trainer, ours):
        self.batch, self.ours = trainer.batch, ours
        self.open = {}  # the last decision of a slot's seat in the running game
        self.decisions = []
        self.row = None
        step = self.batch.step

        def noted(actions):
            self.before()
            step(actions)
            self.after()

        self.batch.step = noted

    def before(self):
        for i, seat in enumerate(self.batch.seat.tolist()):
            if self.batch.player[i, seat] in self.ours:
                decision = {"slot": i, "reward": 0.0, "next": None, "ended": False, "row": self.row}
                decision["sight"] = self.batch.observation[i].tobytes()
                if (i, seat) in self.open:
                    self.open[i, seat]["next"] = decision
                self.open[i, seat] = decision
                self.decisions.append(decision)
        self.row += 1

    def after(self):
        for (i, seat), decision in list(self.open.items()):
            decision["reward"] += float(self.batch.rewards[i, seat])
            if self.batch.terminated[i] or self.batch.truncated[i]:
                decision["ended"] = True
                del self.open[i, seat]


def advantage(decision, value, discount, trace):
    """By the definition: the discounted sum of the surprises along the decisions of the seat."""
    total, weight = 0.0, 1.0
    while decision is not None and (decision["ended"] or decision["next"] is not None):
        following = decision["next"]
        ahead = value(following) if following is not None else 0.0
        total += weight * (decision["reward"] + discount * ahead - value(decision))
        weight *= discount * trace
        decision = following
    return total


@pytest.mark.parametrize("rewards", ["win", "shaped"])
def test_every_decision_is_trained_once_with_the_credit_of_its_seat(ppo, game, rewards):
    players = min(3, Setup(game).players)
    options = [*SMALL, "--game", game.id, "--players", players, "--steps", 1, "--rewards", rewards]
    options += ["--discount", 0.9, "--trace", 0.7, "--opponents", "self@2", "past@1", "random@1"]
    trainer = ppo.Trainer(ppo.parse([str(option) for option in options])[0])
    ledger = Ledger(trainer, (ppo.LEARNER, ppo.SELF))
    rollout, clock, kept = trainer.rollout, ppo.Clock(trainer.device), []
    for _ in range(size(2, 4)):
        ledger.row = players
        trainer.play(clock)
        mine = ppo.credit(rollout.reward, rollout.value.numpy(), rollout.following, rollout.ended, 0.9, 0.7)
        places = {(decision["row"], decision["slot"]): decision for decision in ledger.decisions}
        trained = []
        for place in zip(*map(np.ndarray.tolist, np.nonzero(rollout.outcome_known())), strict=True):
            decision, (row, slot) = places[place], place
            assert rollout.observation[row, slot].numpy().tobytes() == decision["sight"]
            expected = advantage(decision, lambda d: float(rollout.value[d["row"], d["slot"]]), 0.9, 0.7)
            assert mine[row, slot] == pytest.approx(expected, abs=1e-4)
            trained.append(decision)
        waiting = list(ledger.open.values())
        assert len(trained) + len(waiting) == len(ledger.decisions)
        assert {id(d) for d in trained + waiting} == {id(d) for d in ledger.decisions}
        rollout.carry()
        for (_, seat), decision in ledger.open.items():
            decision["row"] = seat
        kept.append(ledger.decisions)  # so that no id is used twice
        ledger.decisions = waiting


def test_a_resumed_run_gives_the_numbers_of_an_uninterrupted_one(ppo, tmp_path):
    import torch

    common = [*SMALL, "--evaluate-every", "100", "--evaluate-games", "6", "--evaluate", "random"]
    run("ppo.py", *common, "--steps", 3000, "--run", tmp_path / "whole")
    run("ppo.py", *common, "--steps", 1400, "--run", tmp_path / "half")
    half = tmp_path / "half" / "checkpoint.pt"
    run("ppo.py", "--resume", half, "--steps", 3000, "--run", tmp_path / "half")
    one = torch.load(tmp_path / "whole" / "checkpoint.pt", weights_only=True)
    other = torch.load(half, weights_only=True)
    assert one["updates"] == other["updates"] > 4
    for part in ("network", "batch", "rollout"):
        for name, tensor in one[part].items():
            assert torch.equal(tensor, other[part][name]), name
    assert len(one["past"]) == len(other["past"]) > 1
    rows, again = progress(tmp_path / "whole"), progress(tmp_path / "half")
    assert len(rows) == len(again) == one["updates"] + 1
    for row, other_row in zip(rows, again, strict=True):
        for name in ("update", "decisions", *ppo.FIGURES):
            assert row[name] == other_row[name], name
    refused = subprocess.run(
        [sys.executable, str(SCRIPTS / "ppo.py"), "--resume", str(half), "--steps", "1", "--players", "2"],
        capture_output=True, text=True,
    )  # fmt: skip
    assert refused.returncode == 2
    assert "--players is 3 in the checkpoint" in refused.stderr


def test_what_is_no_checkpoint_or_a_damaged_one_is_refused_by_name(ppo, tmp_path):
    import torch

    path = tmp_path / "checkpoint.pt"
    torch.save({"settings": {"game": "scratch_catch"}, "network": torch.arange(1000)}, path)
    whole = path.read_bytes()
    assert ppo.load_checkpoint(path)["settings"] == {"game": "scratch_catch"}
    at = whole.index(torch.arange(1000).numpy().tobytes()) + 17
    flipped = whole[:at] + bytes([whole[at] ^ 4]) + whole[at + 1 :]
    for bad in (flipped, whole[: len(whole) // 2], b"", b"text"):
        path.write_bytes(bad)
        with pytest.raises(SystemExit, match=r"checkpoint\.pt: this is no checkpoint of a run"):
            ppo.load_checkpoint(path)
    torch.save([1], path)
    with pytest.raises(SystemExit, match="it has no settings"):
        ppo.load_checkpoint(path)
    with pytest.raises(SystemExit, match="no checkpoint"):
        ppo.load_checkpoint(tmp_path / "nothing.pt")


def test_a_teacher_is_imitated_at_first_and_then_no_more(ppo):
    options = [*SMALL, "--steps", "1", "--teacher", "greedy", "--lessons", "4000", "--lr", "0.003"]
    trainer = ppo.Trainer(ppo.parse(options)[0])
    weights, agreed = [], []
    while trainer.lesson() > 0:
        weights.append(trainer.lesson())
        trainer.play(ppo.Clock(trainer.device))
        ours = trainer.rollout.outcome_known()
        legal = np.take_along_axis(trainer.rollout.mask.numpy(), trainer.rollout.taught.numpy()[..., None], 2)
        assert legal[ours].all()
        agreed.append((trainer.rollout.action == trainer.rollout.taught).numpy()[ours].mean())
        trainer.learn()
    assert weights[0] == 1
    assert weights == sorted(weights, reverse=True)
    assert max(agreed) > agreed[0] + 0.15
    trainer.rollout.taught[:] = -1
    trainer.play(ppo.Clock(trainer.device))
    assert (trainer.rollout.taught == -1).all()
    with pytest.raises(SystemExit, match="act_many"):
        ppo.Trainer(ppo.parse([*SMALL, "--steps", "1", "--teacher", "random"])[0])


def test_an_export_plays_what_the_network_plays(ppo, tmp_path):
    import torch

    trainer = ppo.Trainer(ppo.parse([*SMALL, "--steps", "1"])[0])
    trainer.update()
    trainer.export(tmp_path / "p", {"random": {"win_share": 0.25}})
    agent = make_agent(PolicyAgent.load(str(tmp_path / "p")), FoodEnv(trainer.setup))
    batch = Batch(trainer.setup, 64, seed=5)
    for _ in range(20):
        batch.step(batch.sample())
    with torch.inference_mode():
        logits, _ = trainer.network(trainer.network.inputs(torch.from_numpy(batch.observation)))
    assert np.allclose(agent.logits(batch.observation), logits.numpy(), atol=1e-4)
    assert agent.metadata["command"].startswith("python ")


def test_a_run_that_starts_from_a_file_plays_at_first_what_the_file_plays(ppo, tmp_path):
    """While the critic warms up the policy stays as it is; after that it is pulled back to there."""
    import torch

    before = ppo.Trainer(ppo.parse([*SMALL, "--steps", "1", "--seed", "7"])[0])
    before.export(tmp_path / "p", {})
    start = ["--start", str(tmp_path / "p"), "--warm-up", "400", "--pull", "0.1", "--steps", "1"]
    trainer = ppo.Trainer(ppo.parse([*SMALL, *start])[0])
    raw = torch.from_numpy(trainer.batch.observation.copy())

    def logits(trainer):
        with torch.inference_mode():
            return trainer.network(trainer.network.inputs(raw))[0].numpy()

    at_first = logits(trainer)
    assert np.allclose(at_first, logits(before), atol=1e-4)
    critic = trainer.network.critic[0].weight.detach().clone()
    trainer.update()
    assert np.array_equal(logits(trainer), at_first)
    assert not torch.equal(trainer.network.critic[0].weight, critic)
    while trainer.decisions < 400:
        trainer.update()
    trainer.update()
    assert not np.array_equal(logits(trainer), at_first)
    with pytest.raises(SystemExit, match="the layers of the policy must be"):
        ppo.Trainer(ppo.parse([*SMALL, "--start", str(tmp_path / "p"), "--hidden", "8", "--steps", "1"])[0])


# --- imitation ---------------------------------------------------------------------------------

FEW = ["--players=2", "--envs=32", "--hidden=16", "--critic=8", "--minibatch=64", "--buffer=512"]
FEW += ["--evaluate", "greedy", "--evaluate-games=4"]


def test_what_came_of_a_game_is_told_of_those_who_were_asked_in_it(imitate, tmp_path):
    settings = imitate.parse([*FEW, "--buffer=2048", "--steps=1", f"--run={tmp_path}"])[0]
    run = imitate.Imitation(settings, None)
    buffer, batch = run.buffer, run.batch
    ledger, open_games, step = {}, [[] for _ in range(32)], batch.step

    def noted(actions):
        rows = (buffer.at - 32 + np.arange(32)) % 2048
        for i, row in enumerate(rows.tolist()):
            open_games[i] = [(r, seat) for r, seat in open_games[i] if r != row]
            ledger.pop(row, None)
            open_games[i].append((row, int(batch.seat[i])))
        step(actions)
        for i in np.flatnonzero(batch.terminated | batch.truncated):
            for row, seat in open_games[i]:
                ledger[row] = run.setup.win_share(batch.rewards[i])[seat]
            open_games[i] = []

    batch.step = noted
    for _ in range(12):
        run.play()
    assert len(ledger) > 1000
    told = {row: share for row, share in enumerate(buffer.share) if not np.isnan(share)}
    overwritten = {row for games in open_games for row, _ in games}
    assert told == {row: share for row, share in ledger.items() if row not in overwritten}


def test_imitation_comes_nearer_and_goes_on_where_it_stopped(tmp_path):
    folder, file = tmp_path / "run", tmp_path / "p"
    run("imitate.py", *FEW, "--steps=2000", "--run", folder, "--export", file)
    first = progress(folder)[-1]
    resumed = ["--resume", folder / "checkpoint.pt", "--steps=12000", "--run", folder, "--export", file]
    run("imitate.py", *resumed)
    last = progress(folder)[-1]
    assert int(last["decisions"]) >= 12000 > int(first["decisions"]) >= 2000
    assert float(last["agreement"]) > float(first["agreement"]) + 0.05
    setup = Setup(GAMES["scratch_catch"], {"players": 2})
    policy, value = PolicyAgent.load(str(file)).networks(setup)
    assert (len(policy.layers), len(value.layers)) == (2, 2)
    played = match(setup, [f"ismcts:iterations=8,net={file}", "random"], 2, seed=1)
    assert played.games == 2


def wins(policy, opponent, games=400):
    return match(Setup(GAMES["scratch_catch"], {"players": 2}), [policy, opponent], games, seed=77).agents[0]


@pytest.mark.long
def test_self_play_learns(tmp_path):
    """Two minutes must do: the margins are wide."""
    common = ["--players", 2, "--seed", 1, "--evaluate", "random", "--evaluate-every", 10**6]
    start, end = tmp_path / "start.safetensors", tmp_path / "end.safetensors"
    run("ppo.py", *common, "--steps", 1, "--run", tmp_path / "a", "--export", start)
    run("ppo.py", *common, "--steps", LEARNED, "--run", tmp_path / "b", "--export", end)
    assert wins(f"policy:{end}", "random").low > 0.75
    assert wins(f"policy:{end}", f"policy:{start}").low > 0.7
    rows = progress(tmp_path / "b")
    assert float(rows[-1]["random"]) > float(rows[0]["random"]) + 0.2


@pytest.mark.long
def test_maskable_ppo_learns_on_our_vec_env(tmp_path):
    end = tmp_path / "end.safetensors"
    folder = tmp_path / "run"
    said = run("sb3_maskable_ppo.py", "--steps", 400_000, "--run", folder, "--export", end)
    assert wins(f"policy:{end}", "random").low > 0.55
    assert "greedy" in said
    before = len(list(folder.glob("checkpoint_*.zip")))
    run("sb3_maskable_ppo.py", "--steps", 16_384, "--resume", folder)
    assert len(list(folder.glob("checkpoint_*.zip"))) == before + 1
    assert list(folder.glob("**/events.out.tfevents.*"))


def test_the_vec_env_is_the_vector_view():
    from foodenvs.envs.gym import SeatVectorEnv
    from foodenvs.envs.sb3 import VecEnv

    env = VecEnv("scratch_catch", 3, players=2, seed=4, opponents="random")
    view = SeatVectorEnv("scratch_catch", 3, players=2, opponents="random")
    observation, _ = view.reset(seed=4)
    assert np.array_equal(env.reset(), observation)
    gained, lengths, episodes = np.zeros(3), np.zeros(3, int), 0
    for _ in range(80):
        masks = np.stack(env.env_method("action_masks"))
        assert np.array_equal(masks, view.action_masks())
        actions = masks.argmax(axis=1)
        mine, (observation, rewards, terminated, _, infos) = env.step(actions), view.step(actions)
        assert np.array_equal(mine[0], observation)
        assert np.array_equal(mine[1], rewards.astype(np.float32))
        assert np.array_equal(mine[2], terminated)
        gained, lengths = gained + rewards, lengths + 1
        for i in range(3):
            assert bool(mine[3][i]) == terminated[i]
            if terminated[i]:
                assert np.array_equal(mine[3][i]["terminal_observation"], infos["final_obs"][i])
                assert mine[3][i]["episode"]["r"] == pytest.approx(gained[i])
                assert mine[3][i]["episode"]["l"] == lengths[i]
                gained[i], lengths[i], episodes = 0, 0, episodes + 1
    assert episodes > 3
    assert env.has_attr("action_masks")
    assert not env.has_attr("no_such_attribute")


def test_the_single_view_pleases_stable_baselines3():
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.env_checker import check_env

    from foodenvs.envs.gym import SeatEnv

    check_env(SeatEnv("scratch_catch", players=2, illegal="penalize"))
    model = MaskablePPO("MlpPolicy", SeatEnv("scratch_catch", players=2), n_steps=64, device="cpu", seed=1)
    model.learn(128)  # an illegal action would raise
    assert model.num_timesteps == 128
