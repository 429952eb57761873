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
from foodenvs.game import Game, Setup, check_choice

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
    if ((presence < 0) | (presence >= setup.length)).any():
        raise ValueError(f"presence must be places of the observation, 0 to {setup.length - 1}")
    sizes = [setup.length + len(presence), *(len(bias) for _, bias in layers)]
    fits = all(w.shape == (b, a) for (w, _), (a, b) in zip(layers, pairwise(sizes), strict=True))
    if not layers or not fits or sizes[-1] != setup.actions:
        shapes = ", ".join(str(weight.shape) for weight, _ in layers)
        raise ValueError(f"layers must lead from {sizes[0]} to {setup.actions} numbers, got {shapes}")
    tensors = {"presence": presence}
    for k, (weight, bias) in enumerate(layers):
        tensors[f"{k}.weight"] = np.ascontiguousarray(weight, np.float32)
        tensors[f"{k}.bias"] = np.ascontiguousarray(bias, np.float32)
    metadata = policy_metadata(setup, activation, command=command, training=training, evaluation=evaluation)
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_bytes(save(tensors, metadata))  # `save_file` would let nobody else read it


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
        "layout": setup.layout,
        "activation": activation,
        "command": command,
        "training": json.dumps(dict(training or {})),
        "evaluation": json.dumps(dict(evaluation or {})),
    }


class PolicyAgent:
    """Plays the legal action of the highest logit; nothing is left to chance.

    Raises ValueError for a file that is none, and, on joining a table, for one whose game, options or
    observation layout are not the table's. `metadata` is what `save_policy` wrote, as strings.
    """

    def __init__(
        self,
        layers: Sequence[Layer],
        activation: str,
        metadata: Mapping[str, str],
        presence: Sequence[int] | np.ndarray = (),
    ) -> None:
        self.metadata = dict(metadata)
        self._presence = np.asarray(presence, np.int64)
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
                tensors = {name: opened.get_tensor(name) for name in opened.keys()}  # noqa: SIM118
        except SafetensorError as error:
            raise ValueError(f"agent policy: {path} is no safetensors file ({error})") from None
        if metadata.get("format") != FORMAT:
            raise ValueError(f"agent policy: {path} is no {FORMAT}, its format is {metadata.get('format')!r}")
        layers = [(tensors[f"{k}.weight"], tensors[f"{k}.bias"]) for k in range(len(tensors) // 2)]
        return cls(layers, metadata["activation"], metadata, tensors["presence"])

    def join(self, table: Table) -> None:
        for difference in self.misfits(table.setup):
            raise ValueError(f"agent policy: {difference}")
        self._setup = table.setup

    def misfits(self, setup: Setup) -> list[str]:
        """What of the file differs from a set-up, in words; empty if it fits."""
        mine = self.metadata
        if mine["game"] != setup.game.id:
            return [f"the file is for the game {mine['game']}, the table plays {setup.game.id}"]
        options = json.loads(mine["options"])
        different = [
            f"the file was trained with the option {name}={options.get(name)!r}, the table has {value!r}"
            for name, value in json.loads(json.dumps(setup.options)).items()
            if options.get(name) != value
        ]
        if not different and mine["layout"] != setup.layout:
            different = [
                f"the file's observation layout is {mine['layout']}, the table's {setup.layout} "
                "(other fields or ranges: another version or other components)"
            ]
        return different

    def reset(self, seed: int) -> None:
        """Nothing here is left to chance."""

    def act(self, observation: Any, info: dict[str, Any]) -> int:
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
        policies = [PolicyAgent.load(str(path)) for path in table.game.policies]
        fitting = [policy for policy in policies if not policy.misfits(table.setup)]
        if not fitting:
            players = ", ".join(str(json.loads(p.metadata["options"])["players"]) for p in policies)
            there_is = (
                f"there are some for {players} players with the default options" if policies else "none"
            )
            raise ValueError(f"agent ppo: no policy of {table.game.id} fits this table; {there_is}")
        self._policy = fitting[0]
        self._policy.join(table)

    def reset(self, seed: int) -> None:
        """Nothing here is left to chance."""

    def act(self, observation: Any, info: dict[str, Any]) -> int:
        return self._seated().act(observation, info)

    def act_many(self, observation: np.ndarray, action_mask: np.ndarray) -> np.ndarray:
        """Actions int64 [n] for raw observations int8 [n, D] and masks int8 [n, A]."""
        return self._seated().act_many(observation, action_mask)

    def _seated(self) -> PolicyAgent:
        if self._policy is None:
            raise RuntimeError("agent ppo needs a table: make_agent('ppo', env, agent)")
        return self._policy
