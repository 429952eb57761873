"""Self-play PPO with action masks: one network plays all seats, on the batch engine.

    python training/ppo.py --game scratch_catch --players 2 --minutes 15 --seed 1 --export policy.safetensors
    python training/ppo.py --game fast_food_fury --players 2 --minutes 60 --start p.safetensors --pull 0.1

Every decision that the network makes is trained once, with the credit of its own seat: the rewards of that
seat up to the seat's next decision, however many decisions of others, or of its own, lie between. A decision
whose seat has not been asked again when a rollout ends waits for the next rollout. The other seats of a game
are drawn from `--opponents`: the network itself ("self", trained too), an earlier state of it ("past"), any
agent id.

Writes DIR/progress.csv, TensorBoard events and DIR/checkpoint.pt (`--run DIR`); `--resume DIR/checkpoint.pt`
goes on as if nothing had happened (on a CPU, with the same number of threads: the same numbers; only an
opponent that keeps a memory of its game starts it anew).
`--teacher ID` lets the network imitate an agent at first, in the positions that it comes to itself; the
weight of that falls to nothing over `--lessons` decisions. `--start FILE` begins with the policy of a file,
such as training/imitate.py makes; `--warm-up` decisions then teach the critic alone, and `--pull` holds the
policy near where it started.
Sources: Schulman et al., "Proximal Policy Optimization Algorithms" (2017), in the manner of CleanRL; Schmitt
et al., "Kickstarting Deep Reinforcement Learning" (2018).
"""

import argparse
import contextlib
import csv
import json
import shlex
import sys
import time
import zipfile
from pathlib import Path

import numpy as np

from foodenvs.aec import FoodEnv
from foodenvs.agents import make_agent
from foodenvs.agents.policy import PolicyAgent, policy_metadata, save_policy
from foodenvs.arena import match
from foodenvs.batch import Batch
from foodenvs.core.checks import check_seed
from foodenvs.core.errors import extra
from foodenvs.core.setup import Setup
from foodenvs.envs.opponents import LEARNER, Opponents, PythonOpponents
from foodenvs.envs.registry import find_game

with extra("sb3", "training/ppo.py", SystemExit):
    import torch
    from torch import nn

from networks import Network

EVALUATION_SEED = 1_000_003  # of the deals of all evaluations: they stay the same while the network changes
SELF = LEARNER - 1  # the number of pool entry 0, the network itself, in `Batch.player`
PARTS = ("environment", "transfer", "forward", "learning")  # of the seconds of an update
FIGURES = ("policy_loss", "value_loss", "entropy", "kl", "clipped", "explained")


def parse(argv):
    """The settings of a run: defaults, what is given, and with --resume what the checkpoint fixes."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    defaults = {}

    def option(name, default, meaning, **more):
        defaults[name.replace("-", "_")] = default
        kind = {} if "nargs" in more or "action" in more or default is None else {"type": type(default)}
        shown = "" if default is None else f" (default: {default})"
        parser.add_argument(f"--{name}", default=argparse.SUPPRESS, help=meaning + shown, **kind | more)

    option("game", "scratch_catch", "the id of the game")
    option("players", None, "number of seats (default: the game's)", type=int)
    option("option", [], "another option of the game, KEY=VALUE, as often as needed", action="append")
    option("components", None, "a TOML file with other cards, see foodenvs.make")
    option("rewards", "shaped", "win, score or shaped, see foodenvs.make")
    option("opponents", ["self@6", "past@1", "greedy@1"], "who has the other seats: ID@WEIGHT ...", nargs="+")
    option("seed", 1, "of everything")
    option("steps", None, "stop after so many trained decisions", type=int)
    option("minutes", None, "stop after so many minutes", type=float)
    option("envs", 256, "games at once")
    option("rollout", 64, "decisions of each game between two updates of the network")
    option("epochs", 2, "passes over the decisions of a rollout")
    option("minibatch", 1024, "decisions in a gradient step")
    option("hidden", [128, 128, 128], "sizes of the policy's hidden layers", nargs="+", type=int)
    option("critic", [128, 128], "sizes of the critic's hidden layers", nargs="+", type=int)
    option("lr", 1e-3, "learning rate of Adam")
    option("discount", 1.0, "of rewards, per decision of the seat")
    option("trace", 0.95, "lambda of the advantage estimate")
    option("clip", 0.2, "how far the ratio of probabilities may pay")
    option("entropy", 0.01, "weight of the entropy bonus")
    option("value-weight", 0.5, "weight of the value loss")
    option("norm", 0.5, "largest norm of a gradient")
    option("start", None, "begin with the policy of this file, whose layers --hidden must name")
    option("warm-up", 0, "decisions at first from which the critic alone learns")
    option("pull", 0.0, "weight of the divergence from the policy at the start")
    option("teacher", None, "an agent id whose choices the network imitates at first")
    option("lessons", 1_000_000, "decisions until the teacher has no weight")
    option("anneal", None, "decisions until the learning rate has fallen to a tenth", type=int)
    option("past-every", 50, "updates between two earlier states that are kept")
    option("past-size", 10, "earlier states kept; when full a random one leaves")
    option(
        "evaluate", ["random", "greedy", "ismcts:iterations=100"], "opponents of the evaluation", nargs="*"
    )
    option("evaluate-every", 200, "updates between two evaluations")
    option("evaluate-games", 200, "games of each evaluation, the same deals from every seat")
    option("save-every", 200, "updates between two checkpoints")
    option("threads", 2, "threads of torch")
    option("device", "cpu", "cpu or cuda")
    option("amp", False, "bfloat16 where it is safe (cuda)", action="store_true")
    option("run", None, "directory for progress.csv, checkpoint.pt and TensorBoard (default: runs/GAME-SEED)")
    option("resume", None, "go on from this checkpoint")
    option("export", None, "write the network as a policy file, for policy:FILE")
    given = vars(parser.parse_args(argv))
    saved = load_checkpoint(given["resume"]) if "resume" in given else None
    if saved:
        free = {"steps", "minutes", "evaluate", "device", "export", "resume", "run"}
        for name in given.keys() - free:
            if given[name] != saved["settings"][name]:
                parser.error(f"--{name.replace('_', '-')} is {saved['settings'][name]} in the checkpoint")
        defaults = saved["settings"] | {"steps": None, "minutes": None, "export": None}
    settings = argparse.Namespace(**defaults | given)
    if settings.steps is None and settings.minutes is None:
        parser.error("say when to stop: --steps or --minutes")
    settings.run = settings.run or f"runs/{settings.game}-{settings.seed}"
    return settings, saved


def load_checkpoint(path):
    """What a checkpoint holds; SystemExit for a file that is none, or damaged by the archive's checksums."""
    try:
        with zipfile.ZipFile(path) as archive:
            damaged = archive.testzip()
        if damaged:
            raise ValueError(f"{damaged} is damaged")
        saved = torch.load(path, weights_only=True)
        if not isinstance(saved, dict) or not isinstance(saved.get("settings"), dict):
            raise ValueError("it has no settings")
    except Exception as error:  # torch reads what was put together by others, and fails in many ways
        raise SystemExit(f"{path}: this is no checkpoint of a run: {error}") from None
    return saved


def make_setup(settings):
    options = dict(text.split("=", 1) for text in settings.option)
    options = {name: int(value) if value.lstrip("-").isdigit() else value for name, value in options.items()}
    if settings.players is not None:
        options["players"] = settings.players
    return Setup(find_game(settings.game), options, settings.components)


class Player:
    """A network at a table: draws actions from its probabilities. Entries of the pool of opponents."""

    def __init__(self, network, device, stream):
        self.network, self.device, self.stream = network, device, stream

    @torch.inference_mode()
    def choose(self, observation, mask):
        """Actions, their log probabilities and values, on the device."""
        logs, value = self.network.log_probabilities(self.network.inputs(observation), mask)
        noise = torch.empty_like(logs).exponential_(generator=self.stream)
        action = (logs.exp() / noise).argmax(-1)
        return action, logs.gather(-1, action[:, None]).squeeze(-1), value

    def act_many(self, observation, action_mask):
        tensors = (torch.from_numpy(array).to(self.device) for array in (observation, action_mask))
        return self.choose(*tensors)[0].cpu().numpy()

    def reset(self, seed):
        """All chance comes from the stream of the run."""

    def act(self, observation, info):
        raise NotImplementedError("a network in training plays batches")


def credit(reward, value, following, ended, discount, trace):
    """Advantages [R, N] of decisions: generalised advantage estimates along each seat's own decisions.

    following [R, N]: the row of the seat's next decision in the same game, -1 if there is none. ended [R, N]:
    the game ended after the decision. A decision with neither waits for its outcome and gets 0; the one
    before it is credited with its value.
    Source: Schulman et al., "High-dimensional continuous control using generalized advantage estimation".
    """
    advantage, columns = np.zeros_like(value), np.arange(value.shape[1])
    for row in reversed(range(len(value))):
        after = following[row]
        known = after >= 0
        next_value = np.where(known, value[after, columns], 0)
        surprise = reward[row] + discount * next_value - value[row]
        estimate = surprise + discount * trace * np.where(known, advantage[after, columns], 0)
        advantage[row] = np.where(known | ended[row], estimate, 0)
    return advantage


class Rollout:
    """The decisions of the network. Rows 0 to P - 1: those of each seat that wait for their outcome."""

    def __init__(self, setup, envs, length, device):
        self.players, self.length = setup.players, length
        rows = setup.players + length

        def empty(*shape, dtype=torch.float32):
            return torch.zeros(rows, envs, *shape, dtype=dtype, device=device)

        self.observation, self.mask = (
            empty(setup.length, dtype=torch.int8),
            empty(setup.actions, dtype=torch.int8),
        )
        self.action, self.log, self.value = empty(dtype=torch.int64), empty(), empty()
        self.taught = empty(dtype=torch.int64)  # what the teacher would have played
        self.reward = np.zeros((rows, envs), np.float32)
        self.following = np.full((rows, envs), -1)
        self.ended = np.zeros((rows, envs), bool)
        self.last = np.full((envs, setup.players), -1)  # the row of each seat's last decision in its game

    def kept(self):
        """What a checkpoint must hold."""
        names = ("observation", "mask", "action", "log", "value", "taught")
        return {name: getattr(self, name)[: self.players] for name in names} | {
            "reward": torch.from_numpy(self.reward[: self.players]),
            "last": torch.from_numpy(self.last),
        }

    def restore(self, kept):
        for name, tensor in self.kept().items():
            tensor.copy_(kept[name])

    def record(self, row, slots, seats):
        """The network has decided in row `row`, in these slots, for these seats."""
        before = self.last[slots, seats]
        again = before >= 0
        self.following[before[again], slots[again]] = row
        self.last[slots, seats] = row

    def pay(self, batch):
        """Credit what the last step brought, to whom and whatever seat moved."""
        slots, seats = np.nonzero(batch.rewards)
        rows = self.last[slots, seats]
        ours = rows >= 0
        self.reward[rows[ours], slots[ours]] += batch.rewards[slots[ours], seats[ours]]
        over = np.flatnonzero(batch.terminated | batch.truncated)
        for seat in range(self.players):
            rows = self.last[over, seat]
            self.ended[rows[rows >= 0], over[rows >= 0]] = True
        self.last[over] = -1

    def outcome_known(self):
        """Where a decision can be trained: its game has ended or its seat has decided again."""
        return self.ended | (self.following >= 0)

    def carry(self):
        """Take the decisions that wait for their outcome into the first rows, and forget all others."""
        slots, seats = np.nonzero(self.last >= 0)
        rows = self.last[slots, seats]
        kept_arrays = (
            self.observation, self.mask, self.action, self.log, self.value, self.taught, self.reward
        )  # fmt: skip
        for kept in kept_arrays:
            waiting = kept[rows, slots]
            kept[: self.players] = 0
            kept[seats, slots] = waiting
        self.last[slots, seats] = seats
        self.reward[self.players :] = 0
        self.following[:] = -1
        self.ended[:] = False


class Trainer:
    def __init__(self, settings, saved=None):
        self.settings, self.device = settings, torch.device(settings.device)
        torch.set_num_threads(settings.threads)
        torch.manual_seed(check_seed(settings.seed))
        self.setup = make_setup(settings)
        self.network = self.new_network()
        if settings.start:
            try:
                start = PolicyAgent.load(settings.start)
                start.networks(self.setup)  # which says what does not fit
                self.network.load("policy", start.layers)
            except ValueError as error:
                raise SystemExit(f"--start {settings.start}: {error}") from None
        self.origin = self.new_network() if settings.pull else None
        if self.origin:
            self.origin.load_state_dict(self.network.state_dict())
        self.optimizer = torch.optim.Adam(self.network.parameters(), settings.lr, eps=1e-5, fused=True)
        self.stream = torch.Generator(self.device).manual_seed(settings.seed)
        self.draw = np.random.default_rng(settings.seed)
        self.past = [self.state()]
        self.player = Player(self.network, self.device, self.stream)
        self.earlier = Player(self.new_network(), self.device, self.stream)
        self.teacher = settings.teacher and make_agent(settings.teacher, FoodEnv(self.setup))
        if self.teacher and not hasattr(self.teacher, "act_many"):
            raise SystemExit(
                f"--teacher {settings.teacher} answers single questions only; others have act_many"
            )
        self.python_opponents = PythonOpponents(Opponents(self.setup, self.pool()))
        self.batch = Batch(
            self.setup, settings.envs, seed=settings.seed, rewards=settings.rewards,
            seating=self.python_opponents.seating, networks=self.python_opponents.networks,
        )  # fmt: skip
        self.rollout = Rollout(self.setup, settings.envs, settings.rollout, self.device)
        self.updates = self.decisions = 0
        self.seconds = 0.0
        if saved:
            try:
                self.restore(saved)
            except (ValueError, KeyError, RuntimeError) as error:
                raise SystemExit(f"{settings.resume}: {error}") from None

    def new_network(self):
        return Network(self.setup, self.settings.hidden, self.settings.critic).to(self.device)

    def pool(self):
        """Opponents and their weights; the network itself is entry 0."""
        named = {"self": self.player, "past": self.earlier}
        pool = {self.player: 0.0}
        for text in self.settings.opponents:
            name, _, weight = text.rpartition("@") if "@" in text else (text, "@", "1")
            pool[named.get(name, name)] = float(weight)
        return pool if self.setup.players > 1 else [self.player]

    def state(self):
        return {name: tensor.detach().cpu().clone() for name, tensor in self.network.state_dict().items()}

    def lesson(self):
        """The weight of the teacher: from 1 to 0."""
        return max(0.0, 1 - self.decisions / self.settings.lessons) if self.teacher else 0.0

    # --- one update ------------------------------------------------------------------------

    def play(self, clock):
        """Fill the rollout with decisions of the network."""
        batch, rollout, slots = self.batch, self.rollout, np.arange(self.batch.num_envs)
        self.earlier.network.load_state_dict(self.past[self.draw.integers(len(self.past))])
        actions = np.zeros(batch.num_envs, np.int64)
        for row in range(rollout.players, rollout.players + rollout.length):
            code = batch.player[slots, batch.seat]
            ours = np.flatnonzero((code == LEARNER) | (code == SELF))
            seats = batch.seat[ours]
            with clock("transfer"):
                rollout.observation[row].copy_(torch.from_numpy(batch.observation))
                rollout.mask[row].copy_(torch.from_numpy(batch.action_mask))
                where = torch.from_numpy(ours).to(self.device)
            with clock("forward"):
                observation, mask = rollout.observation[row][where], rollout.mask[row][where]
                with torch.autocast(self.device.type, torch.bfloat16, enabled=self.settings.amp):
                    action, log, value = self.player.choose(observation, mask)
                rollout.action[row][where], rollout.log[row][where] = action, log
                rollout.value[row][where] = value
            with clock("transfer"):
                actions[ours] = action.cpu().numpy()
            if self.lesson() > 0:
                with clock("forward"):
                    taught = self.teacher.act_many(batch.observation[ours], batch.action_mask[ours])
                    rollout.taught[row][where] = torch.from_numpy(taught).to(self.device)
            if len(ours) < len(slots):
                with clock("forward"):
                    others = np.setdiff1d(slots, ours, assume_unique=True)
                    self.python_opponents.act(batch, others, actions)
            with clock("environment"):
                rollout.record(row, ours, seats)
                batch.step(actions)
                rollout.pay(batch)

    def learn(self):
        """Train on all decisions whose outcome is known; returns the figures of the last epoch."""
        settings, rollout = self.settings, self.rollout
        value = rollout.value.cpu().numpy()
        advantage = credit(
            rollout.reward, value, rollout.following, rollout.ended, settings.discount, settings.trace
        )
        chosen = np.flatnonzero(rollout.outcome_known())
        where = torch.from_numpy(chosen).to(self.device)

        def flat(tensor):
            return tensor.flatten(0, 1)[where]

        advantage = torch.from_numpy(advantage.ravel()[chosen]).to(self.device)
        data = [
            flat(t) for t in (rollout.observation, rollout.mask, rollout.action, rollout.log, rollout.value)
        ]
        data += [advantage, data[-1] + advantage, flat(rollout.taught)]
        data[0], data[5] = (
            self.network.inputs(data[0]),
            (advantage - advantage.mean()) / (advantage.std() + 1e-8),
        )
        figures, settled = [], min(1.0, self.decisions / settings.anneal) if settings.anneal else 0.0
        for group in self.optimizer.param_groups:
            group["lr"] = settings.lr * (1 - 0.9 * settled)
        for epoch in range(settings.epochs):
            order = torch.randperm(len(chosen), generator=self.stream, device=self.device)
            for part in order.split(settings.minibatch):
                figures_of_part = self.descend(*(tensor[part] for tensor in data))
                if epoch == settings.epochs - 1:
                    figures.append(torch.stack(figures_of_part))
        self.decisions += len(chosen)
        rollout.carry()
        explained = 1 - float((data[6] - data[4]).var() / data[6].var().clamp_min(1e-8))
        return dict(zip(FIGURES, [*torch.stack(figures).mean(0).tolist(), explained], strict=True))

    def descend(self, inputs, mask, action, old_log, old_value, advantage, target, taught):
        """One gradient step."""
        settings = self.settings
        with torch.autocast(self.device.type, torch.bfloat16, enabled=settings.amp):
            logs, value = self.network.log_probabilities(inputs, mask)
        change = logs.gather(-1, action[:, None]).squeeze(-1) - old_log
        ratio = change.exp()
        clipped = ratio.clamp(1 - settings.clip, 1 + settings.clip)
        policy_loss = -torch.min(ratio * advantage, clipped * advantage).mean()
        value_loss = nn.functional.smooth_l1_loss(value, target)
        entropy = -(logs.exp() * logs).sum(-1).mean()
        loss = policy_loss - settings.entropy * entropy
        if self.origin:
            with torch.no_grad():
                before, _ = self.origin.log_probabilities(inputs, mask)
            loss = loss + settings.pull * (logs.exp() * (logs - before)).sum(-1).mean()
        if (lesson := self.lesson()) > 0:
            loss = lesson * nn.functional.nll_loss(logs, taught) + (1 - lesson) * loss
        if self.decisions < settings.warm_up:
            loss = torch.zeros((), device=self.device)
        loss = loss + settings.value_weight * value_loss
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self.network.parameters(), settings.norm)
        self.optimizer.step()
        with torch.no_grad():
            kl = ((ratio - 1) - change).mean()
            outside = (ratio != clipped).float().mean()
        return policy_loss.detach(), value_loss.detach(), entropy.detach(), kl, outside

    # --- evaluation and files --------------------------------------------------------------

    def evaluate(self):
        """Paired matches of the network (its most probable actions) in one seat or team against others."""
        layers, results = self.network.layers("policy"), {}
        agent = PolicyAgent(layers, "relu", policy_metadata(self.setup, "relu"), self.network.presence)
        for opponent in self.settings.evaluate:
            seated = [agent] + [opponent] * (self.setup.contenders - 1)
            played = match(self.setup, seated, self.settings.evaluate_games, EVALUATION_SEED)
            mine = played.agents[0]
            results[opponent] = {"win_share": mine.win_share, "low": mine.low, "high": mine.high}
            results[opponent]["games"] = played.games
        return results

    def export(self, path, evaluation):
        command = "python " + shlex.join(sys.argv)
        save_policy(
            path, self.setup, self.network.layers("policy"), "relu", presence=self.network.presence,
            command=command, training=self.cost(), evaluation=evaluation,
        )  # fmt: skip

    def cost(self):
        """What the run took."""
        settings = self.settings
        return {
            "seed": settings.seed,
            "decisions": self.decisions,
            "seconds": round(self.seconds),
            "threads": settings.threads,
            "device": settings.device,
        }

    def checkpoint(self):
        """Everything a run is, as plain values and tensors."""
        return {
            "settings": vars(self.settings),
            "network": self.network.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "stream": self.stream.get_state(),
            "draw": json.dumps(self.draw.bit_generator.state),
            "past": self.past,
            "batch": {name: torch.from_numpy(array) for name, array in self.batch.snapshot().items()},
            "rollout": {name: tensor.clone() for name, tensor in self.rollout.kept().items()},
            "updates": self.updates,
            "decisions": self.decisions,
            "seconds": self.seconds,
        }

    def restore(self, saved):
        self.batch.restore({name: tensor.numpy() for name, tensor in saved["batch"].items()})
        self.network.load_state_dict(saved["network"])
        self.optimizer.load_state_dict(saved["optimizer"])
        self.stream.set_state(saved["stream"])
        self.draw.bit_generator.state = json.loads(saved["draw"])
        self.past = saved["past"]
        self.rollout.restore(saved["rollout"])
        self.updates, self.decisions, self.seconds = saved["updates"], saved["decisions"], saved["seconds"]

    def save(self, path):
        """Write a checkpoint; a run that is killed meanwhile leaves the one before."""
        torch.save(self.checkpoint(), path.with_suffix(".new"))
        path.with_suffix(".new").replace(path)

    def update(self):
        """One rollout and what is learned from it; returns the figures of the progress file."""
        settings, clock = self.settings, Clock(self.device)
        started, before = time.perf_counter(), self.decisions
        self.play(clock)
        with clock("learning"):
            figures = self.learn()
        self.updates += 1
        if self.updates % settings.past_every == 0:
            if len(self.past) == settings.past_size:
                del self.past[self.draw.integers(len(self.past))]
            self.past.append(self.state())
        rate = (self.decisions - before) / (time.perf_counter() - started)
        return {"rate": rate} | clock.seconds | figures

    def finished(self):
        settings = self.settings
        out_of_steps = settings.steps is not None and self.decisions >= settings.steps
        return out_of_steps or (settings.minutes is not None and self.seconds >= 60 * settings.minutes)


class Clock:
    """Seconds spent in the parts of an update."""

    def __init__(self, device):
        self.seconds = dict.fromkeys(PARTS, 0.0)
        self.wait = torch.cuda.synchronize if device.type == "cuda" else lambda: None

    @contextlib.contextmanager
    def __call__(self, part):
        started = time.perf_counter()
        yield
        self.wait()
        self.seconds[part] += time.perf_counter() - started


class Log:
    """progress.csv, TensorBoard where it is installed, and a line on stderr."""

    def __init__(self, folder, evaluate, updates):
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / "progress.csv"
        shares = [f"{name}{end}" for name in evaluate for end in ("", " low", " high")]
        self.columns = ["update", "decisions", "seconds", "rate", *PARTS, *FIGURES, *shares]
        rows = []
        if updates and self.path.exists():  # rows after the checkpoint are of a run that went no further
            with self.path.open(newline="") as file:
                rows = [row for row in csv.DictReader(file) if int(row["update"]) <= updates]
        self.file = self.path.open("w", newline="")
        self.csv = csv.DictWriter(self.file, self.columns, extrasaction="ignore")
        self.csv.writeheader()
        self.csv.writerows(rows)
        try:
            from torch.utils.tensorboard import SummaryWriter

            self.board = SummaryWriter(folder, purge_step=updates + 1)
        except ImportError:
            self.board = None
            print("no TensorBoard events: tensorboard is not installed", file=sys.stderr)

    def write(self, trainer, figures, evaluation):
        row = {
            "update": trainer.updates,
            "decisions": trainer.decisions,
            "seconds": trainer.seconds,
        } | figures
        for name, result in evaluation.items():
            row |= {name: result["win_share"], f"{name} low": result["low"], f"{name} high": result["high"]}
        self.csv.writerow(
            {name: f"{value:.6g}" if isinstance(value, float) else value for name, value in row.items()}
        )
        self.file.flush()
        if self.board:
            for name, value in row.items():
                self.board.add_scalar(name.replace(" ", "_"), value, trainer.updates)
            self.board.flush()
        line = (
            f"{trainer.seconds:7.0f} s  {trainer.decisions:12,} decisions  {figures.get('rate', 0):8,.0f}/s"
        )
        line += "".join(f"  {name} {result['win_share']:.3f}" for name, result in evaluation.items())
        print(line, end="\n" if evaluation or not sys.stderr.isatty() else "\r", file=sys.stderr, flush=True)

    def close(self):
        self.file.close()
        if self.board:
            self.board.close()


def main(argv=None):
    began = time.perf_counter()
    settings, saved = parse(argv)
    trainer = Trainer(settings, saved)
    folder = Path(settings.run)
    log = Log(folder, settings.evaluate, trainer.updates)
    began -= trainer.seconds
    evaluation = trainer.evaluate()
    if not saved:
        log.write(trainer, {}, evaluation)
    while not trainer.finished():
        figures = trainer.update()
        trainer.seconds = time.perf_counter() - began
        last = trainer.finished()
        due = last or trainer.updates % settings.evaluate_every == 0
        evaluation = trainer.evaluate() if due else {}
        log.write(trainer, figures, evaluation)
        if last or trainer.updates % settings.save_every == 0:
            trainer.save(folder / "checkpoint.pt")
    if settings.export:
        trainer.export(settings.export, evaluation)
    log.close()


if __name__ == "__main__":
    main()
