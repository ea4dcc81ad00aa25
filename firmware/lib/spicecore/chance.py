"""Random numbers from plain integers: the same on both runtimes, and small on a 32-bit board.

A generator is one int of 1..2**30 - 1 that the caller keeps in the state. It is a xorshift (G.
Marsaglia, "Xorshift RNGs", 2003) of 30 bits, so that no draw ever allocates a long integer on
MicroPython; its shifts were chosen by checking that the period is the full 2**30 - 1.
"""

MASK = (1 << 30) - 1


def start(seed: int) -> int:
    """The generator for a seed (any integer). Neighbouring seeds give different draws."""
    x = (seed * 0x9E3779B1 + 0x7F4A7C15) % MASK + 1
    for _ in range(8):
        x = rand(x)
    return x


def rand(x: int) -> int:
    """The next state of the generator, 1..2**30 - 1."""
    x ^= (x & (MASK >> 7)) << 7
    x ^= x >> 9
    return x ^ ((x & (MASK >> 10)) << 10)


def below(x: int, n: int) -> tuple[int, int]:
    """(x', k) with k drawn evenly from 0..n - 1, n of 1..2**30 - 1."""
    limit = MASK - MASK % n
    while True:  # draws over the last whole multiple of n are thrown away, else low k come oftener
        x = rand(x)
        if x <= limit:
            return x, (x - 1) % n


def shuffle(x: int, items: list) -> int:
    """Shuffle the list in place (Fisher and Yates); returns x'."""
    for i in range(len(items) - 1, 0, -1):
        x, k = below(x, i + 1)
        items[i], items[k] = items[k], items[i]
    return x
