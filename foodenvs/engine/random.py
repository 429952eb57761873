"""The one random stream: xoshiro128++ on four 32-bit words, kept in the state or beside it.

All arithmetic is on signed 64-bit ints masked to 32 bits, so that compiled code (which wraps) and plain
Python (which does not) give the same numbers.
Source: Blackman and Vigna, "Scrambled linear pseudorandom number generators" (2021).
"""

from collections.abc import Sequence

import numpy as np

from foodenvs.engine.jit import rule

_MASK = 0xFFFFFFFF


@rule
def _mix(x):
    """A bijection of 32 bits in which every input bit reaches every output bit."""
    x = ((x ^ (x >> 16)) * 0x21F0AAAD) & _MASK
    x = ((x ^ (x >> 15)) * 0x735A2D97) & _MASK
    return x ^ (x >> 15)


@rule
def start_stream(rng, seed):
    """Start the stream `rng` (uint32 [4], written) from a whole number below 2**63."""
    low = int(seed) & _MASK
    high = (int(seed) >> 32) & 0x7FFFFFFF
    for i in range(4):
        low = _mix((low + 0x9E3779B9 + high) & _MASK)
        high = _mix((high + 0x85EBCA6B + low) & _MASK)
        rng[i] = low ^ ((high << 1) & _MASK)
    if rng[0] == 0 and rng[1] == 0 and rng[2] == 0 and rng[3] == 0:
        rng[0] = 1


@rule
def _rotated(x, k):
    return ((x << k) & _MASK) | (x >> (32 - k))


@rule
def _next(rng):
    """The next 32 bits of the stream, 0 to 2**32 - 1."""
    a, b, c, d = int(rng[0]), int(rng[1]), int(rng[2]), int(rng[3])
    result = (_rotated((a + d) & _MASK, 7) + a) & _MASK
    c ^= a
    d ^= b
    rng[0] = a ^ d
    rng[1] = b ^ c
    rng[2] = c ^ ((b << 9) & _MASK)
    rng[3] = _rotated(d, 11)
    return result


@rule
def below(rng, n):
    """A whole number from 0 to n - 1, for n up to 2**31; its bias is under n / 2**32."""
    return (_next(rng) * n) >> 32


@rule
def shuffle(rng, items, n):
    """Permute the first n entries of `items` uniformly, in place (Fisher-Yates, from the end)."""
    for i in range(n - 1, 0, -1):
        j = below(rng, i + 1)
        item = items[i]
        items[i] = items[j]
        items[j] = item


def shuffled(rng: np.ndarray, items: Sequence[int]) -> list[int]:
    """The whole numbers `items` in a uniformly random order, as a new list; for use from Python."""
    array = np.array(items, np.int64)
    shuffle(np.asarray(rng), array, len(array))
    return array.tolist()


@rule
def pick(rng, mask):
    """The index of a uniformly drawn 1 of `mask` (int8 [A]); -1 if there is none."""
    count = 0
    for a in range(mask.shape[0]):
        count += int(mask[a])
    if count == 0:
        return -1
    k = below(rng, count)
    for a in range(mask.shape[0]):
        if mask[a]:
            if k == 0:
                return a
            k -= 1
    return -1


@rule
def game_seed(seed, slot, game):
    """The seed of game `game` of slot `slot` in a batch that was seeded with `seed`.

    `make(...).reset(seed=game_seed(seed, i, k))` is the k-th game of slot i of `make_batch(..., seed=seed)`.
    Returns a whole number from 0 to 2**62 - 1.
    """
    low = _mix(int(seed) & _MASK)  # first, so that seed 0 of slot 1 is not seed 1 of slot 0
    high = _mix((int(seed) >> 32) & 0x7FFFFFFF)
    for word in (int(slot) & _MASK, int(game) & _MASK, 0x5851F42D):
        low = _mix((low ^ word) & _MASK)
        high = _mix((high + low + 0x9E3779B9) & _MASK)
        low = (low + high) & _MASK
    return ((high & 0x3FFFFFFF) << 32) | low
