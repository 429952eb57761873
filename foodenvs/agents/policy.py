"""`policy:FILE` and `ppo`: trained networks from safetensors files, evaluated with numpy alone."""

import json
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from foodenvs.agents.base import Table
from foodenvs.core.checks import check_choice
from foodenvs.core.documents import from_json, write
from foodenvs.core.game import Game
from foodenvs.core.notation import Reader, shown
from foodenvs.core.setup import Setup

FORMAT = "foodenvs policy 2"
ACTIVATIONS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "relu": lambda x: np.maximum(x, 0),
    "tanh": lambda x: np.tanh(x),
}
Layer = tuple[np.ndarray, np.ndarray]  # weight float32 [out, in] and bias float32 [out]


def save_policy(
    path: Any,
    setup: Setup,
    layers: Sequence[Layer],
    activation: str,
    *,
    presence: Sequence[int] | np.ndarray = (),
    command: str = "",
    training: Mapping[str, Any] | None = None,
    evaluation: Mapping[str, Any] | None = None,
) -> None:
    """Write a network as a policy file, with all that is needed to play it and to know where it came from.

    layers: weight and bias of each, from the inputs to one logit for each action [A]. The inputs are the
    scaled observation [D], followed by 1 or 0 for each place in `presence`: whether what the observation has
    there is above its least. command: the one that made it; training and evaluation: what it took and what
    came of it, plain values.
    """
    presence = np.asarray(presence, np.int64)
    length, actions = check_network(layers, presence)
    if (length, actions) != (setup.length, setup.actions):
        raise ValueError(
            f"layers must lead from observations of {setup.length} numbers to {setup.actions} logits, "
            f"got {length} and {actions}"
        )
    tensors = {"presence": presence}
    for k, (weight, bias) in enumerate(layers):
        tensors[f"{k}.weight"] = np.ascontiguousarray(weight, np.float32)
        tensors[f"{k}.bias"] = np.ascontiguousarray(bias, np.float32)
    metadata = policy_metadata(setup, activation, command=command, training=training, evaluation=evaluation)
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    write(path, save(tensors, metadata))  # `save_file` would let nobody else read it


def check_network(layers: Sequence[Layer], presence: np.ndarray) -> tuple[int, int]:
    """How long the observations [D] are that a network takes, and the logits [A] that it gives.

    Raises ValueError where it does not fit together, or where its logits might not be finite.
    """
    shapes = [(weight.shape, bias.shape) for weight, bias in layers]
    fits = all(len(weight) == 2 and bias == weight[:1] for weight, bias in shapes)
    if not shapes or not fits or any(one[0] != following[1] for (one, _), (following, _) in pairwise(shapes)):
        raise ValueError(f"layers must be weights [out, in] and biases [out] that follow, got {shapes}")
    inputs, actions = shapes[0][0][1], shapes[-1][0][0]
    length = inputs - presence.size
    if presence.ndim != 1 or not all(0 <= place < length for place in presence):
        raise ValueError(f"presence must be places of the observation, 0 to {length - 1}")
    reach = np.ones(inputs)  # the most that can arrive: inputs are at most 1
    for k, (weight, bias) in enumerate(layers):
        with np.errstate(all="ignore"):
            reach = np.abs(weight, dtype=np.float64) @ reach + np.abs(bias, dtype=np.float64)
        if not (reach < np.finfo(np.float32).max).all():
            raise ValueError(f"layer {k} must have finite numbers, with sums that are finite too")
    return length, actions


def policy_metadata(
    setup: Setup,
    activation: str,
    *,
    command: str = "",
    training: Mapping[str, Any] | None = None,
    evaluation: Mapping[str, Any] | None = None,
) -> dict[str, str]:
    """What a policy file says of itself."""
    check_choice("activation", activation, list(ACTIVATIONS))
    return {
        "format": FORMAT,
        "game": setup.game.id,
        "options": json.dumps(setup.options),
        "layout": setup.layout_hash,
        "activation": activation,
        "command": command,
        "training": json.dumps(dict(training or {})),
        "evaluation": json.dumps(dict(evaluation or {})),
    }


class PolicyAgent:
    """Plays the legal action of the highest logit; nothing is left to chance.

    Raises ValueError for a file that is none or is damaged, and, on joining a table, for one whose game,
    options, observation layout or network are not the table's. `metadata` is what `save_policy` wrote, as
    strings.
    """

    def __init__(
        self,
        layers: Sequence[Layer],
        activation: str,
        metadata: Mapping[str, str],
        presence: Sequence[int] | np.ndarray = (),
    ) -> None:
        self.metadata = dict(metadata)
        read = Reader(self.metadata, "metadata", ValueError)
        self._game, self._layout = read.get("game", str), read.get("layout", str)
        options = {"options": from_json(read.get("options", str), "metadata: options")}
        self._options = Reader(options, "metadata", ValueError).get("options", dict)
        check_choice("activation", activation, list(ACTIVATIONS))
        self._presence = np.asarray(presence, np.int64)
        self._ends = check_network(layers, self._presence)
        self._layers = [(weight.T.copy(), bias) for weight, bias in layers]
        self._activation = ACTIVATIONS[activation]
        self._setup: Setup | None = None

    @classmethod
    def load(cls, path: str) -> "PolicyAgent":
        """The policy of a file."""
        if not Path(path).is_file():
            raise ValueError(f"agent policy: there is no file {path!r}")
        try:
            with safe_open(path, "numpy") as opened:
                metadata = opened.metadata() or {}
                if metadata.get("format") != FORMAT:
                    raise ValueError(f"is no {FORMAT}, its format is {shown(metadata.get('format'))}")
                kinds = {name: opened.get_slice(name).get_dtype() for name in opened.keys()}  # noqa: SIM118
                layers = [(f"{k}.weight", f"{k}.bias") for k in range(len(kinds) // 2)]
                wanted = {"presence": "I64"} | {name: "F32" for names in layers for name in names}
                if kinds != wanted:
                    raise ValueError(f"tensors must be {wanted}, got {kinds}")
                weights = [(opened.get_tensor(weight), opened.get_tensor(bias)) for weight, bias in layers]
                presence = opened.get_tensor("presence")
            return cls(weights, metadata.get("activation", ""), metadata, presence)
        except SafetensorError as error:
            raise ValueError(f"agent policy: {path} is no safetensors file ({error})") from None
        except ValueError as error:
            raise ValueError(f"agent policy: {path}: {error}") from None

    def join(self, table: Table) -> None:
        """Take a seat at a table; ValueError, which says what differs, where the file is for another."""
        for difference in self.misfits(table.setup):
            raise ValueError(f"agent policy: {difference}")
        self._setup = table.setup

    def misfits(self, setup: Setup) -> list[str]:
        """What of the file differs from a set-up, in words; empty if it fits."""
        if self._game != setup.game.id:
            return [f"the file is for the game {shown(self._game)}, the table plays {setup.game.id}"]
        since = {
            name: option.default for name, option in setup.game.options.items()
        }  # the file's: no such one
        options = json.loads(json.dumps(since)) | self._options
        different = [
            f"the file was trained with the option {name}={shown(options[name])}, the table has {value!r}"
            for name, value in json.loads(json.dumps(setup.options)).items()
            if options[name] != value
        ]
        if not different and self._layout != setup.layout_hash:
            different = [
                f"the file's observation layout is {shown(self._layout)}, the table's {setup.layout_hash} "
                "(other fields or ranges: another version or other components)"
            ]
        if not different and self._ends != (setup.length, setup.actions):
            different = [
                "the file's network leads from {} to {} numbers, ".format(*self._ends)
                + f"the table has observations of {setup.length} and {setup.actions} actions"
            ]
        return different

    def reset(self, seed: int) -> None:
        """Nothing here is left to chance."""

    def act(self, observation: Any, info: dict[str, Any]) -> int:
        """The legal action of the highest logit, for a scaled or raw observation. Needs a table."""
        if self._setup is None:
            raise RuntimeError("agent policy needs a table: make_agent('policy:FILE', env, agent)")
        if isinstance(observation, Mapping):
            observation = observation["observation"]
        scaled = self._setup.scaled(observation) if observation.dtype == np.int8 else observation
        return int(np.where(info["action_mask"], self._run(scaled), -np.inf).argmax())

    def act_many(self, observation: np.ndarray, action_mask: np.ndarray) -> np.ndarray:
        """Actions int64 [n] for raw observations int8 [n, D] and masks int8 [n, A]."""
        logits = self.logits(observation)
        logits[action_mask == 0] = -np.inf
        return logits.argmax(axis=1)

    def logits(self, observation: np.ndarray) -> np.ndarray:
        """float32 [n, A] of raw observations int8 [n, D]; illegal actions have some too."""
        assert self._setup is not None
        return self._run(self._setup.scaled(observation))

    def _run(self, x: np.ndarray) -> np.ndarray:
        """The network on scaled observations [..., D]."""
        x = np.concatenate([x, x[..., self._presence] > 0], axis=-1, dtype=np.float32)
        for weight, bias in self._layers[:-1]:
            x = self._activation(x @ weight + bias)
        weight, bias = self._layers[-1]
        logits: np.ndarray = x @ weight + bias
        return logits


def shipped_players(game: Game) -> list[int]:
    """For how many players, with the default options, the package has a policy of a game."""
    policies = [PolicyAgent.load(str(path)) for path in game.policies]
    return sorted(json.loads(policy.metadata["options"])["players"] for policy in policies)


class ShippedAgent:
    """`ppo`: the trained policy that the package has for the table's game and options.

    Each has a card in the folder `policies` of its game: how it was made, and how it does against others.
    Raises ValueError, on joining a table, where there is none.
    """

    def __init__(self) -> None:
        self._policy: PolicyAgent | None = None

    def join(self, table: Table) -> None:
        """Take a seat with the policy that fits the table; ValueError where none does."""
        policies = [PolicyAgent.load(str(path)) for path in table.game.policies]
        fitting = [policy for policy in policies if not policy.misfits(table.setup)]
        if not fitting:
            players = ", ".join(str(json.loads(p.metadata["options"])["players"]) for p in policies)
            there_is = (
                f"there are some for {players} players with the default options"
                if policies
                else "it has none"
            )
            raise ValueError(f"agent ppo: no policy of {table.game.id} fits this table; {there_is}")
        self._policy = fitting[0]
        self._policy.join(table)

    def reset(self, seed: int) -> None:
        """Nothing here is left to chance."""

    def act(self, observation: Any, info: dict[str, Any]) -> int:
        """What the policy does; RuntimeError without a table."""
        return self._seated().act(observation, info)

    def act_many(self, observation: np.ndarray, action_mask: np.ndarray) -> np.ndarray:
        """Actions int64 [n] for raw observations int8 [n, D] and masks int8 [n, A]."""
        return self._seated().act_many(observation, action_mask)

    def _seated(self) -> PolicyAgent:
        if self._policy is None:
            raise RuntimeError("agent ppo needs a table: make_agent('ppo', env, agent)")
        return self._policy
