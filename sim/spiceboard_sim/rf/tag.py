"""The circuit of a chip's tag and of a zone's loop: constants, each with its source or assumed.

A tag is a coil with resistance, in series with the chip's capacitance; the chip needs a voltage,
limits it, and answers by drawing more current. The loop with its matching is a voltage behind a
resistance: see `geometry.Zone`.
"""

from dataclasses import dataclass
from math import pi, sqrt
from random import Random

FREQUENCY = 13.56e6
OMEGA = 2 * pi * FREQUENCY

CHIP_FARAD = 50e-12  # NTAG213 sheet, 13: input capacitance, typical
WAKE_VOLT = 2.0  # peak; assumed: no sheet tells it
LIMIT_VOLT = 3.0  # peak; assumed: where the chip's limiter begins to draw
MODULATION_OHM = 300.0  # assumed: what a chip puts across its coil to answer
# Turns of a round sticker, mm; in the model of ten turns they have 2.79 uH (Rosa, Maxwell).
INNER, OUTER, TURNS, HENRY = 7.5, 12.0, 10, 2.79e-6
QUALITY = 15.0  # of the whole tag; assumed, as published stickers have 10 to 30
SPREAD_F, SPREAD_Q = 0.015, 0.15  # sigma from tag to tag; assumed


@dataclass(frozen=True, slots=True)
class TagCircuit:
    """One tag: where it resonates (Hz, with its chip, alone) and its Q at the carrier."""

    resonance: float = FREQUENCY
    quality: float = QUALITY
    farad: float = CHIP_FARAD

    @property
    def inductance(self) -> float:
        """H: what the resonance asks for with this capacitance."""
        return 1 / ((2 * pi * self.resonance) ** 2 * self.farad)

    @property
    def turns(self) -> float:
        """Of a coil between INNER and OUTER that has this inductance."""
        return TURNS * sqrt(self.inductance / HENRY)

    @property
    def resistance(self) -> float:
        """Ohm in series that makes the Q."""
        return OMEGA * self.inductance / self.quality


def spread(nominal: TagCircuit, random: Random) -> TagCircuit:
    """One of a batch of such tags."""
    f = nominal.resonance * (1 + random.gauss(0, SPREAD_F))
    q = nominal.quality * max(0.4, 1 + random.gauss(0, SPREAD_Q))
    return TagCircuit(f, q, nominal.farad)
