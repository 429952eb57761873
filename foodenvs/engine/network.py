"""Networks in compiled code: fully connected layers on the counts of an observation, one position at a time.

Every sum is taken in one order, the same for one position and for a batch, compiled or not, so that what a
network plays does not depend on how many positions it is asked about. (Only `tanh` may differ in its last bit
between compiled and plain Python, which take it from other libraries.) Inputs that are 0 cost nothing: most
counts of an observation are, and about half of what a layer of rectified units gives.

Loops take networks as one float32 array, an image: how many there are, where each begins, and of each its
numbers (`_ACTIVATION` .. `_SIZES`), the sizes of its layers, the places of the observation whose presence is
an input too and their least counts, then weights [inputs, outputs] and biases [outputs] layer by layer.
Whole numbers up to 2**24 are exact in it.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from foodenvs.engine.jit import PURE, rule
from foodenvs.engine.records import Float32s as Float32s

ACTIVATIONS = RELU, TANH = "relu", "tanh"
_ACTIVATION, _LAYERS, _INPUTS, _PLACES, _WIDEST, _SIZES = range(6)
MOST_WEIGHTS = 2**24  # of all networks of an image


class Network(NamedTuple):
    """A network on raw counts [D] and, after them, whether those at some places are above their least.

    layers: weights float32 [inputs, outputs] and biases float32 [outputs] of each.  places, least: int [C].
    activation: of all layers but the last, one of ACTIVATIONS.
    """

    layers: Sequence[tuple[np.ndarray, np.ndarray]]
    activation: str
    places: np.ndarray
    least: np.ndarray


def image(networks: Sequence[Network]) -> Float32s:
    """Networks as loops take them; ValueError where they are too large for it."""
    parts: list[np.ndarray] = [np.array([len(networks)]), np.zeros(len(networks))]
    length, starts = 1 + len(networks), []
    for net in networks:
        sizes = [bias.size for _, bias in net.layers]
        inputs = len(net.layers[0][0]) - len(net.places)
        numbers = [ACTIVATIONS.index(net.activation), len(sizes), inputs, len(net.places), max(sizes)]
        flat = [np.array(numbers), np.array(sizes), net.places, net.least]
        flat += [array.ravel() for layer in net.layers for array in layer]
        starts.append(length)
        length += sum(array.size for array in flat)
        parts += flat
    if length > MOST_WEIGHTS:
        raise ValueError(f"networks of one game must have at most {MOST_WEIGHTS:,} weights, these {length:,}")
    parts[1] = np.array(starts)
    return np.concatenate(parts, dtype=np.float32)


NONE = image([])


@rule
def _add_each(y, x, row):
    for j in range(len(y)):
        y[j] += x * row[j]


def _add_all(y, x, row):
    y += x * row


_add = _add_all if PURE else _add_each  # the same sums; uncompiled, numpy takes them a hundred times faster


@rule
def _activate(y, activation):
    if activation == 0:
        for j in range(len(y)):
            if y[j] < 0:
                y[j] = 0
    else:
        for j in range(len(y)):
            y[j] = math.tanh(float(y[j]))


@rule
def outputs(networks, k, observation):
    """What network k of an image gives for a raw observation int8 [D]: float32 [outputs], a fresh array."""
    at = int(networks[1 + k])
    layers, inputs = int(networks[at + _LAYERS]), int(networks[at + _INPUTS])
    places, widest = int(networks[at + _PLACES]), int(networks[at + _WIDEST])
    sizes = networks[at + _SIZES : at + _SIZES + layers]
    place = networks[at + _SIZES + layers : at + _SIZES + layers + places]
    least = networks[at + _SIZES + layers + places : at + _SIZES + layers + 2 * places]
    at_weight = at + _SIZES + layers + 2 * places
    x, y = np.empty(widest, np.float32), np.empty(widest, np.float32)

    n = int(sizes[0])
    y[:n] = networks[at_weight + (inputs + places) * n : at_weight + (inputs + places + 1) * n]
    for i in range(inputs):
        if observation[i] != 0:
            _add(y[:n], np.float32(observation[i]), networks[at_weight + i * n : at_weight + (i + 1) * n])
    for c in range(places):
        if observation[int(place[c])] > least[c]:
            row = at_weight + (inputs + c) * n
            _add(y[:n], np.float32(1), networks[row : row + n])
    at_weight += (inputs + places + 1) * n

    for layer in range(1, layers):
        before, n = n, int(sizes[layer])
        x, y = y, x
        _activate(x[:before], networks[at + _ACTIVATION])
        y[:n] = networks[at_weight + before * n : at_weight + (before + 1) * n]
        for i in range(before):
            if x[i] != 0:
                _add(y[:n], x[i], networks[at_weight + i * n : at_weight + (i + 1) * n])
        at_weight += (before + 1) * n
    return y[:n]


@rule
def best_legal(logits, mask):
    """The legal action of the highest logit, the first of equal ones; -1 if there is none."""
    best = -1
    for a in range(len(mask)):
        if mask[a] and (best < 0 or logits[a] > logits[best]):
            best = a
    return best


@rule
def outputs_many(networks, k, observations, out):
    """What network k gives for each of n raw observations int8 [n, D] into out float32 [n, outputs]."""
    for i in range(len(observations)):
        out[i] = outputs(networks, k, observations[i])


@rule
def choose_many(networks, k, observations, masks, actions):
    """The legal action of the highest output of network k for each observation [n, D], into actions [n]."""
    for i in range(len(observations)):
        actions[i] = best_legal(outputs(networks, k, observations[i]), masks[i])
