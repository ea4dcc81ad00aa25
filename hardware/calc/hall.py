"""What the hall sensor in the middle of a tile sees of a magnet in a chip."""

import math

# disc magnet 2 x 1 mm, N35, upright in the chip: T, m3
REMANENCE, VOLUME = 1.17, math.pi * 1e-3**2 * 1e-3
# m: floor over the loop's copper, half a chip, less the sensor's own height
HEIGHT = (4.0 + 2.0 - 0.7) * 1e-3
VOLTS_PER_TESLA = 15.0  # DRV5055A3 at 3.3 V: 15 mV/mT
STEP = 3.3 / 4096  # V: one step of the Pico's ADC; its noise is a few of them


def field(offset: float, height: float = HEIGHT) -> float:
    """T along the sensor's axis, of an upright dipole `offset` m beside it and `height` m above."""
    moment = REMANENCE * VOLUME / (4e-7 * math.pi)
    r = math.hypot(offset, height)
    return 1e-7 * moment * (3 * height**2 / r**5 - 1 / r**3)


def volts(offset: float) -> float:
    """V of change at the sensor's output."""
    return VOLTS_PER_TESLA * field(offset)
