"""SPI over the cables: edges, delays, and the clock that still leaves a margin."""

# pF and ns; ribbon of 1.27 mm pitch with every second wire ground
CABLE_PF_PER_M, CABLE_NS_PER_M = 50.0, 5.0
CABLE_M = 0.60  # the longest of enclosure/ribbons.py; all are counted as long
READER_PIN_PF = 10.0
BOARD_PF = 15.0
MISO_LOADS = 13
SOURCE_OHM = 33.0
DRIVER_OHM = 20.0  # 74LVC output at 3.3 V
# ns: data sheets at 3.3 V, worst case
BUFFER_NS = 6.0  # 74LVC244A
TRISTATE_NS = 5.5  # 74LVC1G125
READER_OUT_NS = 25.0  # MFRC522 t(SCKL-Q), SCK low to data out
MASTER_SETUP_NS = 20.0  # RP2040 SPI: input sampled with clk_peri, two stages
READER_SETUP_NS = 25.0  # MFRC522 tsu(D-SCKH), data in before SCK high; as much after it
SKEW_NS = 3.0  # between two outputs of one 74LVC244A and their cables
DECODER_NS = 45.0  # 74HC154 at 3.3 V, address or enable to output
SELECT_OHM = 100.0 + 47.0  # both ends of the cable


def rise_ns(ohm: float, pf: float) -> float:
    """10 to 90 % in ns."""
    return 2.2 * ohm * pf * 1e-3


def down_pf(length: float = CABLE_M) -> float:
    """Load of one series resistor: cable, reader, board."""
    return CABLE_PF_PER_M * length + READER_PIN_PF + BOARD_PF


def miso_pf(length: float = CABLE_M) -> float:
    """All thirteen cables hang on MISO; twelve of them are not driven."""
    return MISO_LOADS * (CABLE_PF_PER_M * length + 6.0) + BOARD_PF


def round_trip_ns(length: float = CABLE_M) -> float:
    """From the master's falling clock edge until MISO has settled to 90 % at the master."""
    out = (
        BUFFER_NS
        + 0.7 * (SOURCE_OHM + DRIVER_OHM) * down_pf(length) * 1e-3
        + CABLE_NS_PER_M * length
    )
    back = (
        TRISTATE_NS + CABLE_NS_PER_M * length + rise_ns(SOURCE_OHM + DRIVER_OHM, miso_pf(length))
    )
    return out + READER_OUT_NS + back


def highest_clock(length: float = CABLE_M) -> float:
    """Hz: half a period must hold the round trip with the master's set-up time (reading), and the
    edge of MOSI, which goes the way of SCK, with the reader's set-up time (writing)."""
    reading = round_trip_ns(length) + MASTER_SETUP_NS
    writing = rise_ns(SOURCE_OHM + DRIVER_OHM, down_pf(length)) + SKEW_NS + READER_SETUP_NS
    return 0.5e9 / max(reading, writing)


def select_ns(length: float = CABLE_M) -> float:
    """From the Pico's pin until NSS is low at the reader: what must pass before the first clock."""
    return DECODER_NS + CABLE_NS_PER_M * length + rise_ns(SELECT_OHM, down_pf(length))


def longest_cable(clock: float) -> float:
    """m: up to which the clock in Hz still works, in steps of 5 cm."""
    length = 0.05
    while length < 3 and highest_clock(length + 0.05) >= clock:
        length += 0.05
    return round(length, 2)
