"""The table of docs/hardware.md that speaks of the supply."""

import math

from hardware.calc import supply
from hardware.calc.markdown import table

Rows = list[list[str]]
LIMIT = 1.5  # A, what the firmware lets the pixels draw at most


def power() -> str:
    return table(["what", "figure"], _pixels() + _ways() + _usb() + _input())


def _pixels() -> Rows:
    """What the parts draw, and the most that pixels may."""
    b = supply.budget(LIMIT)
    holds = f"{supply.FUSE_HOLD:.0f} A, {supply.FUSE_HOLD * supply.FUSE_WARM:.1f} A when warm"
    return [
        ["3.3 V rail: 13 readers idle, three fields, hall, logic", f"{b.rail * 1e3:.0f} mA"],
        ["Pico", f"{supply.PICO * 1e3:.0f} mA"],
        ["pixels: the most that `led_cap_ma` may be set to", f"{LIMIT:.1f} A"],
        ["pixels dark", f"{supply.idle_pixels() * 1e3:.0f} mA"],
        [
            "all 176 pixels white, no limit (the supply gives in, then the fuse)",
            f"{supply.all_white():.1f} A",
        ],
        ["whole board at the limit", f"{b.total:.2f} A; the fuse holds {holds}"],
    ]


def _ways() -> Rows:
    """What copper and regulator lose."""
    drop, shift = supply.tile_drop(16 * 3 * supply.LED_CHANNEL)
    watts, junction = supply.regulator(supply.budget(LIMIT).rail)
    bowl = f"one bowl all white over {supply.CABLE_M:.2f} m of ribbon"
    return [
        [f"{bowl}: lost on +5 V / ground shift", f"{drop * 1e3:.0f} / {shift * 1e3:.0f} mV"],
        [
            "longest +5 V spine, all pixel current at its end",
            f"{supply.spine_drop(LIMIT) * 1e3:.0f} mV",
        ],
        [
            "regulator: heat, junction at 40 C around",
            f"{watts:.2f} W, {junction:.0f} C (limit {supply.JUNCTION_MAX:.0f} C)",
        ],
    ]


def _usb() -> Rows:
    """USB alone."""
    good, poor = (supply.usb_rails(0.4, port=port) for port in ("good", "poor"))
    old = [supply.usb_rails(0.4, "AZ1117", port)[1] for port in ("good", "poor")]
    rails = f"{good[0]:.2f} / {poor[0]:.2f} V; {good[1]:.2f} / {poor[1]:.2f} V"
    return [
        [
            "USB alone (500 mA): bowl tiles with dark pixels, three fields",
            f"{supply.usb_tiles()} at most",
        ],
        [
            "USB alone at 0.4 A, port of 5.0 / 4.75 V: +5 V; +3.3 V",
            f"{rails} (an AZ1117 left {old[0]:.2f} / {old[1]:.2f} V)",
        ],
    ]


def _input() -> Rows:
    """The way in, and wrong plugs."""
    volts, heat = supply.transistor_loss(supply.budget(LIMIT).total)
    low, usual, high = supply.trips_at()
    return [
        [
            "R85 with 15 V at the jack, of what it bears",
            f"{supply.blocked_watts(15.0) * 1e3:.0f} of {supply.R0603_WATTS * 1e3:.0f} mW",
        ],
        ["lost in Q1, both halves", f"{volts * 1e3:.0f} mV, {heat:.2f} W"],
        ["Q1 opens above", f"{usual:.2f} V, {low:.2f} to {high:.2f} V with its parts' tolerances"],
        [
            f"a right supply ({supply.SUPPLY_MOST} V) stays below that by, at least",
            f"{(low - supply.SUPPLY_MOST) * 1e3:.0f} mV",
        ],
        [
            f"pixels above their {supply.PIXEL_MOST} V before it opens, at most",
            f"{(high - supply.PIXEL_MOST) * 1e3:.0f} mV",
        ],
        [
            f"a plug of 12 V comes while USB is in: +5 V rises from {supply.USB_RAIL} V by",
            f"less than {math.ceil(10 * supply.slips_through(12.0)) / 10:.1f} V",
        ],
    ]
