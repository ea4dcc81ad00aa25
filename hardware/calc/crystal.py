"""Crystal of the reader: how its load capacitors change 27.12 MHz.

The MFRC522 needs 27.12 MHz, 10 pF of load, at most 100 ohm, 50 to 100 uW (NXP 112139, table of the
crystal oscillator); its pins OSCIN and OSCOUT have 2 pF each.
"""

CL_PF = 10.0  # asked for by the reader
PIN_PF = 2.0  # OSCIN, OSCOUT
TRACK_PF = 2.5  # one pad of the crystal, 4 mm of track over the patch, by rule of thumb
# of a 3225 crystal near 27 MHz: motional and parallel pF, typical for the package
MOTIONAL_PF, PARALLEL_PF = 0.004, 1.2
CARRIER_HZ, ALLOWED_HZ = 13.56e6, 7e3  # ISO/IEC 14443-2


def load(each_pf: float) -> float:
    """pF that the crystal sees with `each_pf` at either pin."""
    return (each_pf + PIN_PF + TRACK_PF) / 2


def pull_ppm(each_pf: float) -> float:
    """How far the frequency lies above its mark because the load is not CL_PF, in ppm."""
    here = 1 / (PARALLEL_PF + load(each_pf)) - 1 / (PARALLEL_PF + CL_PF)
    return MOTIONAL_PF / 2 * here * 1e6


def allowed_ppm() -> float:
    """What ISO/IEC 14443-2 lets the carrier stray."""
    return ALLOWED_HZ / CARRIER_HZ * 1e6
