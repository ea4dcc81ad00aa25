"""Supply: what the board draws, what the cables lose, how warm the regulator gets."""

from dataclasses import dataclass

# A; MFRC522 data sheet: DVDD 6.5 mA, AVDD 7 to 10 mA, TVDD 60 typical to 100 mA at most
READER_IDLE = 0.0165
# A; what the drivers draw with the fitted matching, parts and loop within 2 %: a test compares
READER_FIELD = 0.070
FIELDS = 3  # on at the same time at most: firmware/app/sense.py
LOGIC = 0.012  # decoder, buffers, multiplexer, 13 hall sensors at 6 mA are counted apart
HALL = 0.006
PICO = 0.045  # RP2040 at 125 MHz with USB; Pico 2 is of the same order
LED_CHANNEL = 0.020  # WS2812B: one colour at full
LED_IDLE = 0.0009
READERS, PIXELS = 13, 9 * 16 + 4 * 8
FUSE_HOLD = 3.0
FUSE_WARM = 0.8  # share of its holding current that a polyfuse keeps at 45 C
BULK, BULK_ESR = 2000e-6, 0.015  # F, ohm: C1 and C2 together
USB_RAIL = 4.7  # V on +5 V with USB alone
# V, absolute maximum of the WS2812B by Worldsemi's sheet (6.5 in others'). No switch of these parts opens
# there for sure and stays closed at 5.25: what is left is in docs/hardware.md.
PIXEL_MOST = 5.3
PULSE_MOST = 6.0  # V that +5 V may reach for some us: below 74AHCT (7) and C1, C2 (10)
SUPPLY_MOST = 5.25  # V of a right supply: 5 V and 5 %
R0603_WATTS = 0.1  # the rating of a resistor of that size
USB_PORT = 0.5  # what a USB 2 port gives; F2 holds as much
USB_VOLTS = {"good": 5.0, "poor": 4.75}  # V that a port gives: usual, and the least of USB 2
USB_FUSE_OHM, USB_DIODE = 1.0, 0.35  # F2 when warm; SS14 at 0.4 A
DROP = {"TLV1117LV33": 0.20, "AZ1117": 1.10}  # V at 0.4 A, usual, by their makers' curves
REGULATOR_MOST = 6.0  # V that the TLV1117LV33 withstands for ever (it is made for 5.5 V)
SUPPLY_VOLTS = 5.0
# 28 AWG ribbon, copper at 20 C
RIBBON_OHM_PER_M = 0.213
CABLE_M = 0.60
CONTACT_OHM = 0.02
SUPPLY_WIRES, GROUND_WIRES = 2, 6
# SOT-223 on 1.4 cm2 above and 3.6 cm2 below (read from the board by a test): TI gives 83 K/W for
# 0.284 + 0.284 square inches (SNOS412, table 1); 136 with none
THETA_JA, COPPER_CM2 = 85.0, 4.0
AMBIENT = 40.0
JUNCTION_MAX = 125.0
SPINE_SQUARE_OHM = 0.0005  # one square of 35 um copper
SHEET_LENGTH, SHEET_WIDTH = 141.0, 2.4  # mm: bar and spine to the farthest cable of the controller


@dataclass(frozen=True)
class Budget:
    """Currents in A: the 3.3 V rail, the pixels allowed, and the whole at the 5 V input."""

    rail: float
    pixels: float
    total: float


def budget(pixel_limit: float) -> Budget:
    """With FIELDS on and the pixels at the firmware's limit (A, idle current included)."""
    rail = READERS * (READER_IDLE + HALL) + FIELDS * READER_FIELD + LOGIC
    return Budget(rail, pixel_limit, rail + PICO + pixel_limit)


def all_white() -> float:
    """A: what the pixels would draw without a limit."""
    return PIXELS * 3 * LED_CHANNEL


def idle_pixels() -> float:
    return PIXELS * LED_IDLE


def tile_drop(pixel_current: float, length: float = CABLE_M) -> tuple[float, float]:
    """(V lost on +5 V, V of ground shift) over one cable that feeds this current in A."""
    wire = RIBBON_OHM_PER_M * length + 2 * CONTACT_OHM
    return pixel_current * wire / SUPPLY_WIRES, pixel_current * wire / GROUND_WIRES


def spine_drop(current: float) -> float:
    """V lost along the longest spine when all of the current (A) went to its end."""
    return current * SPINE_SQUARE_OHM * SHEET_LENGTH / SHEET_WIDTH


def regulator(rail: float, volts: float = SUPPLY_VOLTS) -> tuple[float, float]:
    """(power in W, junction temperature in C) of the 3.3 V regulator at that load in A."""
    power = (volts - 3.3) * rail
    return power, AMBIENT + power * THETA_JA


def transistor_loss(current: float) -> tuple[float, float]:
    """(V, W) lost in Q1's two halves: 41 milliohm each at 4.5 V on the gate, 1.4 times when warm."""
    ohm = 2 * 0.041 * 1.4
    return current * ohm, current**2 * ohm


def trips_at() -> tuple[float, float, float]:
    """Least, usual, most V at which Q1 opens: by U7, R18 and R19.

    U7, grade B: 2.495 V, 0.5 %, moves by 6 mV from 0 to 70 C (usual, SLVS543), 0 to 4 uA into its
    reference. R18 over R19, 0.1 % each.
    """
    ohms = 13.7e3, 12e3
    cases = (
        (2.495 * 0.995 - 0.006, 0.998, 0.0),
        (2.495, 1.0, 2e-6),
        (2.495 * 1.005 + 0.006, 1.002, 4e-6),
    )
    low, usual, high = (
        ref * (1 + ohms[0] / ohms[1] * ratio) + bias * ohms[0] for ref, ratio, bias in cases
    )
    return low, usual, high


def blocked_watts(plug: float, ohm: float = 2200.0) -> float:
    """W in R85 while a wrong plug of that many V is in: less Q1's body diode, Q2's base, U7's cathode."""
    return (plug - 0.7 - 0.65 - 2.0) ** 2 / ohm


def slips_through(plug: float, seconds: float = 10e-6, ohm: float = 0.15) -> float:
    """V that +5 V rises by when a wrong plug comes while USB holds Q1 on: bulk's ESR, and its charge.

    `ohm`: its cable, fuse, Q1. U7 answers within about 1 us; Q2, given 3 mA of base, drives 0.1 A
    and more into C15 (100 nF): 4 us for 4 V. Calculated with 10 us. Without USB C15 holds Q1 off
    from the start.
    """
    amps = (plug - USB_RAIL) / (ohm + BULK_ESR)
    return amps * (BULK_ESR + seconds / BULK)


def usb_rails(amps: float, part: str = "TLV1117LV33", port: str = "good") -> tuple[float, float]:
    """(V on +5 V, V on +3.3 V) with USB alone, at that current in A through fuse and diode."""
    five = USB_VOLTS[port] - amps * USB_FUSE_OHM - USB_DIODE
    return five, min(3.3, five - DROP[part] * amps / 0.4)


def usb_tiles() -> int:
    """How many bowl tiles with dark pixels USB alone feeds at most, FIELDS on."""
    tile_ = READER_IDLE + HALL + 16 * LED_IDLE
    return int((USB_PORT - PICO - LOGIC - FIELDS * READER_FIELD) / tile_)
