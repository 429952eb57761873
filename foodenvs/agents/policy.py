"""`policy:FILE` and `ppo`: trained networks from safetensors files, played by the engine."""

import json
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from foodenvs.agents.base import Table, checked_masks
from foodenvs.core.checks import check_choice
from foodenvs.core.documents import from_json, write
from foodenvs.core.game import Game
from foodenvs.core.notation import Reader, shown
from foodenvs.core.setup import Setup
from foodenvs.engine import network
from foodenvs.engine.network import ACTIVATIONS, Network

FORMAT = "foodenvs policy 2"
Layer = tuple[np.ndarray, np.ndarray]  # weight float32 [out, in] and bias float32 [out]


def save_policy(
    path: Any,
    setup: Setup,
    layers: Sequence[Layer],
    activation: str,
    *,
    presence: Sequence[int] | np.ndarray = (),
    value: Sequence[Layer] = (),
    command: str = "",
    training: Mapping[str, Any] | None = None,
    evaluation: Mapping[str, Any] | None = None,
) -> None:
    """Write a network as a policy file, with all that is needed to play it and to know where it came from.

    layers: weight and bias of each, from the inputs to one logit for each action [A]. The inputs are the
    scaled observation [D], followed by 1 or 0 for each place in `presence`: whether what the observation has
    there is above its least. value: the layers of a second network, from the same inputs to one number,
    whose sigmoid is the share of the win that the seat can expect; `ismcts:net=FILE` asks it. command: the
    one that made it; training and evaluation: what it took and what came of it, plain values.
    """
    presence = np.asarray(presence, np.int64)
    length, actions = check_network(layers, presence)
    if (length, actions) != (setup.length, setup.actions):
        raise ValueError(
            f"layers must lead from observations of {setup.length} numbers to {setup.actions} logits, "
            f"got {length} and {actions}"
        )
    if value and check_network(value, presence) != (setup.length, 1):
        raise ValueError(f"layers of the value must lead from {setup.length} numbers to 1")
    tensors = {"presence": presence}
    for part, of_part in (("", layers), ("value.", value)):
        for k, (weight, bias) in enumerate(of_part):
            tensors[f"{part}{k}.weight"] = np.ascontiguousarray(weight, np.float32)
            tensors[f"{part}{k}.bias"] = np.ascontiguousarray(bias, np.float32)
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
        value: Sequence[Layer] = (),
    ) -> None:
        self.metadata = dict(metadata)
        read = Reader(self.metadata, "metadata", ValueError)
        self._game, self._layout = read.get("game", str), read.get("layout", str)
        options = {"options": from_json(read.get("options", str), "metadata: options")}
        self._options = Reader(options, "metadata", ValueError).get("options", dict)
        check_choice("activation", activation, list(ACTIVATIONS))
        self._presence = np.asarray(presence, np.int64)
        self._ends = check_network(layers, self._presence)
        if value and check_network(value, self._presence) != (self._ends[0], 1):
            raise ValueError(f"layers of the value must lead from {self._ends[0]} numbers to 1")
        self.layers, self.value, self._activation = layers, value, activation
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
                of_value = sum(name.startswith("value.") for name in kinds) // 2
                parts = [("", len(kinds) // 2 - of_value), ("value.", of_value)]
                names = [[(f"{p}{k}.weight", f"{p}{k}.bias") for k in range(n)] for p, n in parts]
                wanted = {"presence": "I64"} | {
                    name: "F32" for part in names for pair in part for name in pair
                }
                if kinds != wanted:
                    raise ValueError(f"tensors must be {wanted}, got {kinds}")
                layers, value = (
                    [(opened.get_tensor(weight), opened.get_tensor(bias)) for weight, bias in part]
                    for part in names
                )
                presence = opened.get_tensor("presence")
            return cls(layers, metadata.get("activation", ""), metadata, presence, value)
        except SafetensorError as error:
            raise ValueError(f"agent policy: {path} is no safetensors file ({error})") from None
        except ValueError as error:
            raise ValueError(f"agent policy: {path}: {error}") from None

    def join(self, table: Table) -> None:
        """Take a seat at a table; ValueError, which says what differs, where the file is for another."""
        self._image = network.image(self.networks(table.setup)[:1])
        self._setup = table.setup

    def networks(self, setup: Setup) -> list[Network]:
        """The network of the logits, and that of the value if there is one, on raw counts.

        ValueError, which says what differs, where the file is for another set-up.
        """
        for difference in self.misfits(setup):
            raise ValueError(f"agent policy: {difference}")
        low, high = setup.layout.low.astype(np.float64), setup.layout.high.astype(np.float64)
        least = low[self._presence].astype(np.int64)
        return [
            Network(
                _on_counts(layers, low, np.maximum(high - low, 1)), self._activation, self._presence, least
            )
            for layers in (self.layers, self.value)
            if layers
        ]

    def misfits(self, setup: Setup) -> list[str]:
        """What of the file differs from a set-up, in words; empty if it fits."""
        if self._game != setup.game.id:
            return [f"the file is for the game {shown(self._game)}, the table plays {setup.game.id}"]
        defaults = {name: option.default for name, option in setup.game.options.items()}  # of newer options
        options = json.loads(json.dumps(defaults)) | self._options
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
        setup = self._seated()
        mask = checked_masks(setup, info["action_mask"], ())
        return int(self.act_many(setup.raw(observation)[None], mask[None])[0])

    def act_many(self, observation: np.ndarray, action_mask: np.ndarray) -> np.ndarray:
        """Actions int64 [n] for raw observations int8 [n, D] and masks int8 [n, A].

        What it plays at a position does not depend on the others, nor on how many there are.
        """
        setup, actions = self._seated(), np.zeros(len(observation), np.int64)
        raw = np.ascontiguousarray(setup.raw(observation))
        masks = checked_masks(setup, action_mask, actions.shape)
        network.choose_many(self._image, 0, raw, masks, actions)
        return actions

    def logits(self, observation: np.ndarray) -> np.ndarray:
        """float32 [n, A] of raw observations int8 [n, D]; illegal actions have some too."""
        raw = np.ascontiguousarray(self._seated().raw(observation))
        logits = np.zeros((len(raw), self._ends[1]), np.float32)
        network.outputs_many(self._image, 0, raw, logits)
        return logits

    def _seated(self) -> Setup:
        if self._setup is None:
            raise RuntimeError("agent policy needs a table: make_agent('policy:FILE', env, agent)")
        return self._setup


def _on_counts(layers: Sequence[Layer], low: np.ndarray, span: np.ndarray) -> list[Layer]:
    """Layers, weights [in, out] now, that give for raw counts what these give for scaled observations."""
    (weight, bias), *others = layers
    of_counts = weight[:, : len(low)].astype(np.float64) / span
    first = np.concatenate([of_counts, weight[:, len(low) :]], axis=1).T, bias - of_counts @ low
    return [first, *((weight.T, bias) for weight, bias in others)]


def shipped_players(game: Game) -> list[int]:
    """For how many players, with the default options, the package has a policy of a game."""
    policies = [PolicyAgent.load(str(path)) for path in game.policies]
    return sorted(json.loads(policy.metadata["options"])["players"] for policy in policies)


def shipped_policy(setup: Setup) -> PolicyAgent:
    """The policy that the package has for a set-up; ValueError where there is none."""
    policies = [PolicyAgent.load(str(path)) for path in setup.game.policies]
    fitting = [policy for policy in policies if not policy.misfits(setup)]
    if fitting:
        return fitting[0]
    players = ", ".join(str(json.loads(p.metadata["options"])["players"]) for p in policies)
    there_is = f"there are some for {players} players with the default options" if policies else "it has none"
    raise ValueError(f"agent ppo: no policy of {setup.game.id} fits this table; {there_is}")


class ShippedAgent:
    """`ppo`: the trained policy that the package has for the table's game and options.

    Each has a card in the folder `policies` of its game: how it was made, and how it does against others.
    Raises ValueError, on joining a table, where there is none.
    """

    def __init__(self) -> None:
        self._policy: PolicyAgent | None = None

    def join(self, table: Table) -> None:
        """Take a seat with the policy that fits the table; ValueError where none does."""
        self._policy = shipped_policy(table.setup)
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
