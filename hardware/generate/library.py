"""Writes the local library: symbols that KiCad has not, the printed loops, the Pico's socket.

python -m hardware.generate.library        rewrites kicad/lib (needs KiCad's stock footprints)
"""

import itertools
import math
from typing import Any

from hardware import GEOMETRY, KICAD
from hardware.generate import kicad
from hardware.generate.sexp import bare, dump, every, first, load, quote

LIB = KICAD / "lib"
PITCH, WIDTH = 0.7, 0.4  # mm: spiral pitch and track width; gap 0.3 mm
GAP = math.radians(7.0)  # half the angle at 12 o'clock where the turns step inwards

MFRC522_PINS = [  # number, name, type, side, place along the side in steps of 1.27 mm
    ("24", "NSS", "input", "L", 21),
    ("29", "D5/SCK", "input", "L", 19),
    ("30", "D6/MOSI", "input", "L", 17),
    ("31", "D7/MISO", "tri_state", "L", 15),
    ("6", "NRSTPD", "input", "L", 11),
    ("23", "IRQ", "output", "L", 9),
    ("1", "I2C", "input", "L", 5),
    ("32", "EA", "input", "L", 3),
    ("21", "OSCIN", "input", "L", -7),
    ("22", "OSCOUT", "output", "L", -15),
    ("16", "VMID", "passive", "R", 21),
    ("17", "RX", "input", "R", 15),
    ("13", "TX2", "output", "R", 5),
    ("19", "AUX1", "output", "R", 1),
    ("20", "AUX2", "output", "R", -1),
    ("7", "MFIN", "input", "R", -3),
    ("8", "MFOUT", "output", "R", -5),
    ("25", "D1", "bidirectional", "R", -7),
    ("26", "D2", "bidirectional", "R", -9),
    ("27", "D3", "bidirectional", "R", -11),
    ("28", "D4", "bidirectional", "R", -13),
    ("11", "TX1", "output", "R", -17),
    ("3", "DVDD", "power_in", "T", -12),
    ("2", "PVDD", "power_in", "T", -6),
    ("9", "SVDD", "power_in", "T", 0),
    ("15", "AVDD", "power_in", "T", 6),
    ("12", "TVDD", "power_in", "T", 12),
    ("4", "DVSS", "power_in", "B", -10),
    ("5", "PVSS", "power_in", "B", -6),
    ("10", "TVSS", "power_in", "B", -2),
    ("14", "TVSS", "power_in", "B", 2),
    ("18", "AVSS", "power_in", "B", 6),
    ("33", "EP", "power_in", "B", 10),
]
G = 1.27


def _font(hidden: bool = False) -> str:
    return "(effects (font (size 1.27 1.27))" + (" (hide yes)" if hidden else "") + ")"


def _prop(name: str, value: str, x: float, y: float, hidden: bool = False) -> str:
    return f'(property "{name}" {quote(value)} (at {x:g} {y:g} 0) {_font(hidden)})'


def _symbol(name: str, ref: str, props: dict[str, str], body: str, pins: str, at: float) -> str:
    extra = "".join(_prop(k, v, 0, 0, True) for k, v in props.items())
    return (
        f'(symbol "{name}" (exclude_from_sim no) (in_bom yes) (on_board yes) '
        + _prop("Reference", ref, 0, at)
        + _prop("Value", name, 0, at - 2.54)
        + extra
        + f'(symbol "{name}_0_1" {body}) (symbol "{name}_1_1" {pins}) (embedded_fonts no))'
    )


def _pin(kind: str, x: float, y: float, angle: int, length: float, name: str, number: str) -> str:
    return (
        f"(pin {kind} line (at {x:g} {y:g} {angle}) (length {length:g}) "
        f"(name {quote(name)} {_font()}) (number {quote(number)} {_font()}))"
    )


def _line(*points: tuple[float, float], width: float = 0.254) -> str:
    pts = "".join(f"(xy {x:g} {y:g})" for x, y in points)
    return f"(polyline (pts {pts}) (stroke (width {width:g}) (type default)) (fill (type none)))"


def _half(side: int) -> str:
    """One P-MOSFET of the pair, lying: drain outside, source towards the middle, gate below."""

    def line(*points: tuple[float, float]) -> str:
        return _line(*[(side * x, y) for x, y in points])

    dashes = [line((x, -0.762), (x + 1.016, -0.762)) for x in (2.794, 4.572, 6.35)]
    return (
        "".join(dashes)
        + line((3.175, -1.27), (6.985, -1.27))
        + line((5.08, -1.27), (5.08, -2.54))
        + line((6.858, -0.762), (6.858, 0), (7.62, 0))
        + line((3.302, -0.762), (3.302, 2.54), (2.54, 2.54))
        + line((5.08, -0.762), (5.08, 0.762), (3.302, 0.762))
        # out of the channel
        + line((4.699, -0.254), (5.08, 0.254), (5.461, -0.254), (4.699, -0.254))
        + line((6.858, 0), (6.858, 1.905), (3.302, 1.905))
        + line((5.588, 1.397), (5.588, 2.413), (4.572, 1.905), (5.588, 1.397))  # drain to source
        + line((4.572, 1.397), (4.572, 2.413))
    )


def _half_pins(side: int, drain: str, drain_too: str, gate: str, source: str) -> str:
    x, angle = side * 10.16, 180 if side > 0 else 0
    name = "1" if side < 0 else "2"
    twin = _pin("passive", x, 0, angle, 2.54, f"D{name}", drain_too)
    return (
        _pin("passive", x, 0, angle, 2.54, f"D{name}", drain)
        + twin.replace("(length 2.54) ", "(length 2.54) (hide yes) ", 1)
        + _pin("input", side * 5.08, -5.08, 90, 2.54, f"G{name}", gate)
        + _pin("passive", side * 2.54, 5.08, 270, 2.54, f"S{name}", source)
    )


def symbols() -> str:
    """Text of spiceboard.kicad_sym."""
    head = (
        '(kicad_symbol_lib (version 20241209) (generator "spiceboard") (generator_version "9.0") '
    )
    return head + _reader() + _switch() + _pair() + _loop() + ")"


def _named(footprint: str, sheet: str, words: str) -> dict[str, str]:
    return {"Footprint": footprint, "Datasheet": sheet, "Description": words}


def _reader() -> str:
    sides = {"L": (-16, None, 0), "R": (16, None, 180), "T": (None, 30, 270), "B": (None, -26, 90)}
    pins = ""
    for number, name, kind, side, place in MFRC522_PINS:
        x, y, angle = sides[side]
        at = (G * (place if x is None else x), G * (place if y is None else y))
        pins += _pin(kind, *at, angle, 2 * G, name, number)
    body = f"(rectangle (start {-14 * G} {28 * G}) (end {14 * G} {-24 * G}) (stroke (width 0.254) (type default)) (fill (type background)))"
    fields = _named(
        "Package_DFN_QFN:HVQFN-32-1EP_5x5mm_P0.5mm_EP3.1x3.1mm",
        "https://www.nxp.com/docs/en/data-sheet/MFRC522.pdf",
        "NFC reader for ISO 14443A, SPI as wired here (I2C low, EA high)",
    )
    return _symbol("MFRC522", "U", fields, body, pins, 34)


def _switch() -> str:
    fet = (
        _line((-2.54, 0), (0.254, 0))
        + _line((0.254, 1.905), (0.254, -1.905))
        + _line((0.762, 2.286), (0.762, 1.27))
        + _line((0.762, 0.508), (0.762, -0.508))
        + _line((0.762, -1.27), (0.762, -2.286))
        + _line((0.762, 1.778), (2.54, 1.778), (2.54, 2.54))
        + _line((0.762, 0), (2.54, 0), (2.54, -2.54))
        + _line((0.762, -1.778), (2.54, -1.778))
        + _line((1.016, 0), (2.032, 0.381), (2.032, -0.381), (1.016, 0))
    )
    pins = (
        _pin("input", -5.08, 0, 0, 2.54, "G", "1")
        + _pin("passive", 2.54, -5.08, 90, 2.54, "S", "2")
        + _pin("passive", 2.54, 5.08, 270, 2.54, "D", "3")
    )
    fields = _named(
        "Package_TO_SOT_SMD:SOT-523",
        "https://www.diodes.com/assets/Datasheets/ds31783.pdf",
        "N-MOSFET 20 V, low threshold, small output capacitance",
    )
    return _hiding("(pin_names (hide yes)) ", _symbol("DMG1012T", "Q", fields, fet, pins, 7.62))


def _pair() -> str:
    fields = _named(
        "Package_SO:SOIC-8_3.9x4.9mm_P1.27mm",
        "https://www.vishay.com/docs/68969/si4925dd.pdf",
        "Two P-MOSFETs, 30 V, drains outside, to be joined at the sources",
    )
    pins = _half_pins(-1, "7", "8", "2", "1") + _half_pins(1, "5", "6", "4", "3")
    drawn = _symbol("PMOS_pair", "Q", fields, _half(-1) + _half(1), pins, 7.62)
    return _hiding("(pin_names (hide yes)) ", drawn)


def _loop() -> str:
    drawn = ""
    for r in (2.54, 3.81, 5.08):
        drawn += f"(arc (start 0 {r}) (mid {r} 0) (end 0 {-r}) (stroke (width 0.254) (type default)) (fill (type none)))"
    drawn += _line((0, 5.08), (-5.08, 5.08)) + _line((0, -5.08), (-5.08, -5.08))
    drawn += _line((0, 3.81), (-1.27, 3.81), (-1.27, -2.54), (0, -2.54))
    drawn += _line((0, 2.54), (-2.54, 2.54), (-2.54, -3.81), (0, -3.81))
    pins = _pin("passive", -7.62, 5.08, 0, 2.54, "1", "1")
    pins += _pin("passive", -7.62, -5.08, 0, 2.54, "2", "2")
    fields = _named("", "", "Printed loop antenna, 13.56 MHz")
    symbol = _symbol("Loop", "AE", fields, drawn, pins, 8.89)
    return _hiding("(pin_numbers (hide yes)) (pin_names (hide yes)) ", symbol)


def _hiding(what: str, symbol: str) -> str:
    """The symbol with names or numbers of pins not shown: these words follow its own name."""
    head, name, rest = symbol.split('"', 2)
    return f'{head}"{name}" {what}{rest.lstrip()}'


def spiral(radius: float, turns: int) -> list[tuple[float, float]]:
    """Centre line of the loop, outer end first: mean radius in mm, counter-clockwise from 12 o'clock."""
    points = []
    outer = radius + PITCH * (turns - 1) / 2
    for turn in range(turns):
        r = outer - PITCH * turn
        steps = max(90, int(radius * 2.5))
        for k in range(steps + 1):
            angle = GAP + (2 * math.pi - 2 * GAP) * k / steps
            points.append((-r * math.sin(angle), -r * math.cos(angle)))
    return points


def loop_footprint(name: str, radius: float, turns: int) -> str:
    """A net-tie footprint: the spiral in copper, pad 1 through the board at its outer end."""
    pts = spiral(radius, turns)
    lines = ""
    for (x1, y1), (x2, y2) in itertools.pairwise(pts):
        lines += (
            f"(fp_line (start {x1:.4f} {y1:.4f}) (end {x2:.4f} {y2:.4f}) "
            f'(stroke (width {WIDTH}) (type solid)) (layer "F.Cu"))'
        )
    (ox, oy), (ix, iy) = pts[0], pts[-1]
    inner = (ix, iy)
    return (
        f'(footprint "{name}" (version 20241229) (generator "spiceboard") (generator_version "9.0") '
        f'(layer "F.Cu") (descr "Printed loop, mean radius {radius} mm, {turns} turns of {WIDTH} mm, pitch {PITCH} mm") '
        f'(property "Reference" "REF**" (at 0 -3 0) (layer "F.Fab") (effects (font (size 1 1) (thickness 0.15)))) '
        f'(property "Value" "{name}" (at 0 3 0) (layer "F.Fab") (effects (font (size 1 1) (thickness 0.15)))) '
        f'(attr exclude_from_pos_files exclude_from_bom allow_missing_courtyard) (net_tie_pad_groups "1, 2") {lines}'
        f'(pad "1" thru_hole circle (at {ox:.4f} {oy:.4f}) (size 0.6 0.6) (drill 0.3) (layers "*.Cu") (remove_unused_layers no))'
        f'(pad "2" thru_hole circle (at {inner[0]:.4f} {inner[1]:.4f}) (size 0.6 0.6) (drill 0.3) (layers "*.Cu") (remove_unused_layers no))'
        f"(embedded_fonts no))"
    )


def socket_footprint() -> list[Any]:
    """The stock Pico (through hole) with three more contacts for SWD, without its W keep-outs."""
    stock = load(kicad.share() / "footprints/Module.pretty/RaspberryPi_Pico_Common_THT.kicad_mod")
    stock[1] = '"Pico_socket"'
    kept = [n for n in stock if not (isinstance(n, list) and n[0] in ("zone", "model"))]
    for name, x in (("D1", 6.35), ("D2", 8.89), ("D3", 11.43)):
        kept.append(
            [
                "pad",
                quote(name),
                "thru_hole",
                "circle",
                ["at", f"{x}", "48.03"],
                ["size", "1.6", "1.6"],
                ["drill", "1"],
                ["layers", '"*.Cu"', '"*.Mask"'],
                ["remove_unused_layers", "no"],
            ]
        )
    for prop in every(kept, "property"):
        if bare(prop[1]) == "Value":
            prop[2] = '"Pico_socket"'
    assert first(kept, "attr") is not None
    return kept


def main() -> None:
    LIB.mkdir(parents=True, exist_ok=True)
    pretty = LIB / "spiceboard.pretty"
    pretty.mkdir(exist_ok=True)
    from hardware.generate.sexp import parse

    (LIB / "spiceboard.kicad_sym").write_text(dump(parse(symbols())) + "\n")
    table = GEOMETRY
    for kind, name in (("bowl", "Loop_bowl"), ("action", "Loop_action")):
        text = loop_footprint(name, table[kind]["loop_radius"], table[kind]["loop_turns"])
        (pretty / f"{name}.kicad_mod").write_text(dump(parse(text)) + "\n")
    (pretty / "Pico_socket.kicad_mod").write_text(dump(socket_footprint()) + "\n")


if __name__ == "__main__":
    main()
