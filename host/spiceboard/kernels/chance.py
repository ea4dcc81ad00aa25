"""`spicecore.chance`, compiled: the same random numbers in the same order."""

from typing import Any

import numpy as np

from spiceboard.kernels.compiled import kernel

MASK = (1 << 30) - 1


@kernel
def rand(x: int) -> int:
    """The next state of the generator, 1..2**30 - 1."""
    x ^= (x & (MASK >> 7)) << 7
    x ^= x >> 9
    return x ^ ((x & (MASK >> 10)) << 10)


@kernel
def draw(x: int, n: int) -> int:
    """Draw one of 0..n - 1, all equally likely. Returns x'; the number is `drawn(x', n)`."""
    x = rand(x)
    if x > MASK - n:  # rarely beyond the last whole multiple of n: only then divide to see
        limit = MASK - MASK % n
        while x > limit:
            x = rand(x)
    return x


@kernel
def drawn(x: int, n: int) -> int:
    """The number that `draw` drew."""
    return np.int64(np.uint32(x - 1) % np.uint32(n))  # type: ignore[return-value]


@kernel
def pick(x: int, n: int) -> int:
    """One of 0..n - 1 from what `rand` returned, without a division.

    For choices that no record repeats: all are equally likely to one part in 2**30 / n.
    """
    return (x - 1) * n >> 30


@kernel
def shuffle(x: int, items: Any, first: int, n: int) -> int:
    """Shuffle items[first : first + n] in place; returns x'."""
    for i in range(n - 1, 0, -1):
        x = draw(x, i + 1)
        k = drawn(x, i + 1)
        held = items[first + i]
        items[first + i] = items[first + k]
        items[first + k] = held
    return x


@kernel
def start(seed: int) -> int:
    """The state of the generator for a seed, 0..2**30 - 1."""
    x = (seed * 0x9E3779B1 + 0x7F4A7C15) % MASK + 1
    for _ in range(8):
        x = rand(x)
    return x
