"""The network that the scripts train: a policy and a critic on the counts of an observation."""

import itertools

import numpy as np
import torch
from torch import nn

from foodenvs.agents import make_agent
from foodenvs.envs.aec import FoodEnv
from foodenvs.envs.batch import Batch


def usual_observations(setup, games=64, steps=512):
    """Mean and spread float32 [D] of the counts that players see, to bring all inputs to one size.

    Half of the games are played by random players, half by greedy ones, who come to other places. The spread
    is at least an eighth of the range, since a network may go further.
    """
    batch, greedy = Batch(setup, games, seed=0), make_agent("greedy", FoodEnv(setup))
    seen = np.zeros((steps, games, setup.length), np.int8)
    for step in range(steps):
        seen[step] = batch.observation
        actions = batch.sample()
        actions[::2] = greedy.act_many(batch.observation[::2], batch.action_mask[::2])
        batch.step(actions)
    mean, spread = (f(seen, axis=(0, 1), dtype=np.float64) for f in (np.mean, np.std))
    span = setup.layout.high.astype(np.float32) - setup.layout.low
    return mean.astype(np.float32), np.maximum(spread, np.maximum(span, 1) / 8).astype(np.float32)


def chain(sizes, last_gain):
    """Linear layers of these sizes, which rectified units are to stand between."""
    layers = nn.ModuleList(nn.Linear(a, b) for a, b in itertools.pairwise(sizes))
    for layer, gain in zip(layers, [2**0.5] * (len(layers) - 1) + [last_gain], strict=True):
        nn.init.orthogonal_(layer.weight, gain)
        nn.init.zeros_(layer.bias)
    return layers


class Network(nn.Module):
    """Logits [n, A] and values [n] of raw observations int8 [n, D], from bodies of their own.

    The policy's loss is hundreds of times stronger than the critic's: in a shared body nothing is left to
    tell good positions from bad ones. Its inputs are the counts, brought to one size, and for each that is
    more than a flag whether it is above its least: whether a thing is there decides most, and a network is
    slow to learn it from counts.
    hidden, critic: sizes of the hidden layers of both.
    """

    def __init__(self, setup, hidden, critic):
        super().__init__()
        low = setup.layout.low.astype(np.float32)
        span = setup.layout.high.astype(np.float32) - low
        counts = np.flatnonzero(span > 1)
        mean, spread = usual_observations(setup)
        arrays = {"low": low, "span": np.maximum(span, 1), "mean": mean, "spread": spread, "counts": counts}
        for name, array in arrays.items():
            self.register_buffer(name, torch.from_numpy(array))
        inputs = setup.length + len(counts)
        self.policy = chain([inputs, *hidden, setup.actions], 0.01)
        self.critic = chain([inputs, *critic, 1], 1.0)

    def inputs(self, observation):
        """float32 [n, D + counts]."""
        there = (observation > self.low)[..., self.counts]
        return torch.cat([(observation - self.mean) / self.spread, there.float()], -1)

    def forward(self, inputs):
        return run(self.policy, inputs).float(), self.value(inputs)

    def value(self, inputs):
        """float32 [n]"""
        return run(self.critic, inputs).float().squeeze(-1)

    def log_probabilities(self, inputs, mask):
        """Of the actions, float32 [n, A], and the values [n]."""
        logits, value = self(inputs)
        return torch.log_softmax(logits.masked_fill(mask == 0, -1e9), -1), value

    @property
    def presence(self):
        """The places whose presence is an input too, as a policy file names them."""
        return self.counts.cpu().numpy()

    def layers(self, part):
        """Weights and biases of "policy" or "critic" for the inputs of a policy file, which are scaled."""
        (weight, bias), *rest = (
            (layer.weight.detach().cpu().numpy(), layer.bias.detach().cpu().numpy())
            for layer in getattr(self, part)
        )
        of_size, of_presence = np.split(weight, [len(self.low)], axis=1)
        low, span, mean, spread = self._sizes()
        first = np.concatenate([of_size * (span / spread), of_presence], axis=1)
        return [(first, bias + of_size @ ((low - mean) / spread)), *rest]

    def load(self, part, layers):
        """Take the weights of a policy file back; ValueError where it has other layers."""
        low, span, mean, spread = self._sizes()
        (weight, bias), *rest = layers
        of_size, of_presence = np.split(weight, [len(self.low)], axis=1)
        of_size = of_size * (spread / span)
        first = np.concatenate([of_size, of_presence], axis=1), bias - of_size @ ((low - mean) / spread)
        mine = getattr(self, part)
        shapes = [tuple(layer.weight.shape) for layer in mine]
        if [weight.shape for weight, _ in layers] != shapes:
            raise ValueError(f"the layers of the {part} must be {shapes}")
        with torch.no_grad():
            for layer, (weight, bias) in zip(mine, [first, *rest], strict=True):
                layer.weight.copy_(torch.from_numpy(np.ascontiguousarray(weight, np.float32)))
                layer.bias.copy_(torch.from_numpy(np.ascontiguousarray(bias, np.float32)))

    def _sizes(self):
        return [getattr(self, name).cpu().numpy() for name in ("low", "span", "mean", "spread")]


def run(layers, x):
    """Layers with rectified units between them."""
    for layer in layers[:-1]:
        x = torch.relu(layer(x))
    return layers[-1](x)
