"""rings.weaken() in viper: a frame that exceeds the current cap took 5 ms between two fields."""

import micropython


@micropython.viper
def _weaken(chain: ptr8, out: ptr8, scale: int, count: int):  # noqa: F821
    i = 0
    while i < count:
        out[i] = chain[i] * scale >> 8
        i += 1


def weaken(chain, out, scale):
    """Copy the chain to `out`, weakened to scale / 256."""
    _weaken(chain, out, scale, len(chain))
