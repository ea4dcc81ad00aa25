"""Where the parts stand on the boards, in mm: x to the right, y down, seen from the parts' side.

Tiles: origin in the middle of the loop, 12 o'clock (where loop and data come in) at y < 0.
Controller: origin at the top left corner. A place is (x, y, rotation in degrees as KiCad counts),
and "B" as fourth item puts the part on the back. `copper` lists tracks laid by hand: the supplies
of the ring as an open comb (+5 V on the front, ground right under it on the back) and wide feeds.
"""

import json
import math
from dataclasses import dataclass, field
from pathlib import Path

from description import ZONES

TABLE = json.loads((Path(__file__).resolve().parent.parent / "sim" / "geometry.json").read_text())
Place = tuple[float, float, float, str]
Track = tuple[str, str, float, list[tuple[float, float]]]  # net, layer, width, points


@dataclass
class Layout:
    """Everything about a board that is not its circuit."""

    round: float | None = None  # diameter of a round outline
    size: tuple[float, float] | None = None  # or a rectangle from (0, 0)
    places: dict[str, Place] = field(default_factory=dict)
    copper: list[Track] = field(default_factory=list)
    vias: list[tuple[str, float, float]] = field(default_factory=list)
    zones: list[tuple[str, str, list[tuple[float, float]]]] = field(default_factory=list)
    keep: list[tuple[str, str, list[tuple[float, float]]]] = field(
        default_factory=list
    )  # net, layer
    silk: list[tuple[str, float, float, float, float, str]] = field(default_factory=list)
    hide: set[str] = field(default_factory=set)  # references that have no room on the silk
    stitch: float = 0.0


# the reader and everything around it: the same in both tiles, inside a radius of 18 mm
CORE: dict[str, tuple[float, float, float]] = {
    "U1": (0.05, -6.65, 180), "U3": (0, 0, 0), "C2": (3.2, 0.2, 270),
    # towards the loop: a on the left (TX2), b on the right (TX1)
    "L1": (-3.0, -12.0, 90), "L2": (3.0, -12.0, 90),
    "C10": (-5.5, -11.5, 270), "C11": (5.5, -11.5, 270),
    "C12": (-5.6, -14.9, 180), "C13": (5.6, -14.9, 0),
    "C14": (-7.5, -11.8, 90), "C15": (7.5, -11.8, 90),
    "C16": (-9.5, -10.4, 270), "C18": (-11.5, -10.4, 270),
    "C17": (9.5, -10.4, 90), "C19": (11.5, -10.4, 90),
    "R13": (-2.8, -18.6, 90), "R14": (2.8, -18.6, 90),
    "Q1": (0, -13.5, 180), "JP1": (0, -16.6, 0),
    "R16": (-13.6, -8.4, 90), "R17": (13.5, -9.2, 0),
    # receive path and decoupling
    "C24": (-4.7, -9.4, 180), "R11": (-4.7, -8.2, 0), "C7": (-7.2, -8.2, 180), "R12": (-9.4, -7.8, 180),
    "C22": (0.3, -10.9, 90), "C23": (-1.2, -10.9, 90), "C20": (4.9, -4.9, 0), "C21": (4.6, -7.8, 0),
    "R10": (4.9, -6.4, 180), "FB1": (8.6, -3.9, 0), "C25": (9.2, -1.4, 180),
    "C8": (5.4, -9.1, 0), "D3": (9.0, -7.1, 180), "C9": (12.2, -7.0, 90), "R15": (13.8, -7.0, 90),
    # crystal, test points
    "Y1": (-7.2, -4.7, 0), "C5": (-10.8, -3.8, 180), "C6": (-10.8, -5.6, 180),
    "TP4": (-13.4, -1.9, 0), "TP5": (-13.4, -6.3, 0), "TP6": (-13.4, -4.1, 0),
    # bus, buffer
    "U2": (-6.6, 2.4, 0), "R9": (-10.0, 0.6, 0), "C1": (-10.0, 2.2, 180), "R8": (-10.0, 3.8, 0),
    "R1": (6.6, 7.0, 90), "R2": (4.2, 7.0, 90), "R3": (1.8, 7.0, 90), "R4": (-0.6, 7.0, 90),
    "R5": (-3.0, 7.0, 90), "R7": (-5.4, 7.0, 90), "R6": (-7.6, 7.0, 90),
    "D1": (-3.4, 15.2, 0), "D2": (3.4, 15.2, 0), "C3": (12.0, 8.6, 90), "C4": (-12.0, 9.0, 270),
    "TP1": (14.4, 6.6, 0), "TP2": (-14.4, 6.4, 0), "TP3": (14.4, 3.6, 0),
}  # fmt: skip


def polar(radius: float, degrees: float) -> tuple[float, float]:
    """A point by its angle, clockwise from 12 o'clock."""
    a = math.radians(degrees)
    return radius * math.sin(a), -radius * math.cos(a)


def local(radius: float, degrees: float, x: float, y: float) -> tuple[float, float]:
    """A point given beside a place on the ring: x along it (clockwise), y inwards."""
    a = math.radians(degrees)
    cx, cy = polar(radius, degrees)
    return cx + x * math.cos(a) - y * math.sin(a), cy + x * math.sin(a) + y * math.cos(a)


def tile(name: str) -> Layout:
    bowl = name == "bowl"
    out = Layout(round=TABLE["tile"][f"{name}_outline_diameter"])
    for ref, (x, y, rot) in CORE.items():
        out.places[ref] = (x, y, rot, "F")
    out.places["J1"] = (0, 11.0, 90, "B")
    out.places["AE1"] = (0, 0, 0, "F")
    leds = TABLE["tile"][f"{name}_leds"]
    ring, arc = (41.0, 36.9) if bowl else (22.6, 18.7)
    width = 1.2 if bowl else 1.0
    step = 360 / leds
    for k in range(leds):
        theta = step * (k + 0.5)
        out.places[f"D{11 + k}"] = (*polar(ring, theta), 180 - theta, "F")
        beside = theta + (9.0 if bowl else 13.0) * (-1 if k == leds - 1 else 1)
        out.places[f"C{31 + k}"] = (*polar(arc + 1.75, beside), 90 - beside, "F")
        # +5 V: stubs from the arc on the front; ground: a via, then a stub on the back
        drop = ring - arc
        out.copper.append(
            ("+5V", "F", 0.6, [local(ring, theta, 2.45, 1.6), local(ring, theta, 2.45, drop)])
        )
        hole = local(ring, theta, -2.45, 0.0)
        out.copper.append(("GND", "F", 0.5, [local(ring, theta, -2.45, -1.6), hole]))
        if k == 0:  # what the field does to the data line ends here, at the pixel's own ground
            out.places["C26"] = (*local(ring, theta, -4.4, 0.9), 90 - theta, "F")
            out.copper.append(("GND", "F", 0.4, [hole, local(ring, theta, -4.4, 0.42)]))
        out.copper.append(("GND", "B", 0.6, [hole, local(ring, theta, -2.45, drop)]))
        out.vias.append(("GND", *hole))
        out.copper.append(
            (
                "+5V",
                "F",
                0.5,
                [local(arc + 1.75, beside, 0, 0.48), local(arc + 1.75, beside, 0, 1.75)],
            )
        )
        hole = local(arc + 1.75, beside, 0, -1.25)
        out.copper.append(("GND", "F", 0.4, [local(arc + 1.75, beside, 0, -0.48), hole]))
        out.copper.append(("GND", "B", 0.5, [hole, local(arc + 1.75, beside, 0, 1.75)]))
        out.vias.append(("GND", *hole))
    lean, first, last = math.degrees(math.atan(2.45 / arc)), step / 2, 360 - step / 2
    for net, layer, shift in (("+5V", "F", lean), ("GND", "B", -lean)):
        turn = [first + shift + (last - first) * i / (leds * 8) for i in range(leds * 8 + 1)]
        out.copper.append((net, layer, width, [polar(arc, degrees) for degrees in turn]))
    # the reader's ground: from the patch under it straight down between SCK and MOSI to the cable,
    # so that the field finds no wide turn of signal and ground; the ring joins it at J1 only
    out.copper.append(("GND", "B", 1.2, [(0.0, -4.4), (0.0, 8.0)]))
    out.copper.append(("GND", "B", 0.5, [(0.0, 8.0), (0.0, 12.27)]))
    row = [(6.35 - 2.54 * k, 12.27) for k in range(5)]
    out.copper.append(("GND", "B", 1.0, [row[0], row[1], row[2], (0.0, 12.27), row[3], row[4]]))
    bend = [(-3.81, 12.27), (-5.3, 13.8), (-7.4, 13.8), (-8.89, 12.27)]
    out.copper.append(("GND", "B", 0.8, bend))
    out.vias += [("GND", 0.05 + dx, -6.65 + dy) for dx in (-1.0, 0, 1.0) for dy in (-1.0, 0, 1.0)]
    # C4 stands on the cable's ground too, not on the ring's
    out.copper.append(("GND", "F", 0.5, [(-12.0, 9.95), (-10.3, 11.5), (-8.89, 12.27)]))
    foot = math.sqrt(arc**2 - 8.89**2)
    out.copper.append(("+5V", "F", 1.4, [(8.89, 9.73), (8.89, 12.27), (8.89, foot)]))
    if bowl:
        out.copper.append(
            ("GND", "B", 1.2, [(6.35, 12.27), (6.35, 15.0), (8.89, 17.5), (8.89, foot)])
        )
    else:
        out.copper.append(("GND", "B", 1.0, [(6.35, 12.27), (6.35, 14.4), (8.4, 16.6)]))
    # ground patch under the reader: solid, no larger than it must be
    patch = [(-2.9, -9.3), (3.0, -9.3), (3.0, -3.9), (-2.9, -3.9)]
    out.zones.append(("GND", "B", patch))
    out.keep.append(("GND", "B", patch))
    if bowl:
        spots = {"H1": (-27, -15), "H2": (27, -15), "H3": (4, 30), "FID1": (-24, 18), "FID2": (24, 18),
                 "FID3": (22, -24), "C29": (14, 28)}  # fmt: skip
        out.silk += [("SPICEBOARD", 0, 24.0, 2.2, 0.35, "F"), ("bowl tile  rev A", 12, -27.5, 1.3, 0.2, "F"),
                     ("zone:", -29.5, 0, 1.3, 0.2, "F"), ("CERN-OHL-P-2.0", -16, -22, 1.3, 0.2, "F"),
                     ("not yet built: see docs/build.md", 0, 27, 1.0, 0.15, "F"),
                     ("SPICEBOARD bowl tile rev A", 0, -22, 1.6, 0.25, "B"), ("CERN-OHL-P-2.0", 0, -19, 1.3, 0.2, "B"),
                     ("first pixel", 9.5, -33.6, 1.0, 0.15, "F"),
                     ("^ back ^", 0, -24.6, 1.6, 0.25, "F"), ("^ back ^", 0, -25.5, 1.6, 0.25, "B")]  # fmt: skip
    else:
        spots = {"H1": (-15.9, 3.0), "H2": (15.8, -1.0), "FID1": (-13.6, 0.4), "FID2": (15.2, -4.4),
                 "FID3": (-11.0, 12.4), "C29": (11.5, 11.45)}  # fmt: skip
        out.silk += [
            ("zone:", 0, 21.4, 0.9, 0.15, "F"),
            ("rev A  CERN-OHL-P-2.0", 0, 26.2, 0.8, 0.12, "F"),
            ("^ back ^", 0, -19.4, 1.2, 0.2, "B"),
            ("SPICEBOARD action tile", 0, -24.7, 0.9, 0.15, "B"),
            ("rev A CERN-OHL-P-2.0", 0, -23.2, 0.9, 0.15, "B"),
        ]
    for ref, (x, y) in spots.items():
        out.places[ref] = (x, y, 90 if ref == "C29" and bowl else 0, "F")
    shown = {f"D{11 + k}" for k in range(leds)} if bowl else set()
    out.hide = set(out.places) - shown  # the middle is too dense for names: docs/pictures has them
    return out


def controller() -> Layout:
    out = Layout(size=(130.0, 100.0), stitch=7.0)
    places = out.places
    for k, _ in enumerate(ZONES):
        left = k < 7
        row = k if left else k - 7
        x, y = (17.0 if left else 113.0), 7.2 + 13.4 * row
        places[f"J{k + 1}"] = (x, y, 270 if left else 90, "F")
        sign = 1 if left else -1
        base = 20 + 5 * k
        for n, ref in enumerate(
            [f"R{base}", f"R{base + 1}", f"R{base + 2}", f"R{base + 3}", f"C{base}"]
        ):
            places[ref] = (x + sign * (4.4 - 3.2 * n), y + 6.7, 0 if left else 180, "F")
    places.update({
        "U1": (56.1, 4.2, 0, "F"), "U6": (46.0, 30.0, 180, "F"), "R8": (41.4, 30.0, 180, "F"), "C12": (46.0, 33.6, 0, "F"),
        "U2": (45.0, 68.0, 180, "F"), "C10": (45.0, 58.2, 0, "F"), "R7": (52.6, 60.0, 90, "F"),
        "U3": (65.0, 66.0, 0, "F"), "C11": (68.6, 61.4, 0, "F"), "U4": (84.0, 68.0, 0, "F"), "C13": (84.0, 58.2, 0, "F"),
        "R11": (76.6, 60.0, 90, "F"), "R9": (50.5, 40.0, 0, "F"), "R10": (46.5, 40.0, 0, "F"), "TP4": (92.0, 52.0, 0, "F"),
        "R14": (78.6, 20.75, 0, "F"), "R15": (50.4, 33.6, 0, "F"), "R16": (63.4, 72.4, 0, "F"), "R17": (66.8, 72.4, 0, "F"),
        "R12": (79.0, 36.0, 90, "F"), "R13": (79.0, 32.6, 90, "F"), "C14": (81.4, 32.6, 90, "F"),
        "J15": (38.0, 12.0, 0, "F"), "J17": (64.99, 57.9, 0, "F"), "J16": (35.2, 77.0, 0, "F"), "BZ1": (86.5, 44.0, 0, "F"), "R6": (82.0, 51.0, 0, "F"),
        "SW1": (44.5, 88.0, 0, "F"), "SW2": (56.5, 88.0, 0, "F"), "SW3": (68.5, 88.0, 0, "F"),
        "R3": (47.75, 83.0, 0, "F"), "R4": (59.75, 83.0, 0, "F"), "R5": (71.75, 83.0, 0, "F"),
        "C7": (51.75, 83.0, 0, "F"), "C8": (63.75, 83.0, 0, "F"), "C9": (75.75, 83.0, 0, "F"),
        "J14": (115.6, 91.6, 90, "F"), "F1": (109.2, 92.6, 180, "F"), "D1": (106.0, 97.2, 180, "F"),
        "Q1": (102.4, 91.1, 270, "F"), "Q2": (99.2, 84.2, 90, "F"), "R84": (97.4, 88.6, 90, "F"), "R85": (98.6, 91.2, 90, "F"),
        "C15": (102.4, 86.6, 180, "F"), "R1": (99.0, 87.0, 0, "F"), "U7": (104.0, 84.0, 0, "F"),
        "R18": (106.4, 88.9, 90, "F"), "R19": (105.2, 86.7, 0, "F"),
        "C1": (83.6, 83.6, 0, "F"), "C2": (83.6, 94.4, 0, "F"), "C3": (93.0, 80.0, 90, "F"),
        "F2": (79.4, 16.0, 90, "F"), "D2": (84.8, 16.0, 270, "F"), "D3": (80.6, 24.0, 180, "F"),
        "U5": (90.0, 28.0, 90, "F"), "C4": (85.3, 24.6, 90, "F"), "C5": (95.6, 20.4, 90, "F"), "C6": (90.0, 20.4, 0, "F"),
        "R2": (93.0, 11.0, 0, "F"), "D4": (93.0, 8.6, 0, "F"), "TP1": (89.0, 13.4, 0, "F"), "TP2": (92.0, 13.4, 0, "F"), "TP3": (95.0, 13.4, 0, "F"),
        "FID1": (46.0, 4.0, 0, "F"), "FID2": (96.0, 38.0, 0, "F"), "FID3": (31.6, 80.9, 0, "F"),
        "H1": (38.0, 5.0, 0, "F"), "H2": (93.0, 4.4, 0, "F"), "H3": (39.3, 94.2, 0, "F"), "H4": (109.6, 85.2, 0, "F"),
    })  # fmt: skip
    # +5 V: two spines along the pins 1 and 2 of the cables, one bar along the lower edge
    xl, xr = 25.89, 104.11
    out.copper += [("+5V", "F", 2.4, [(xl, 5.93), (xl, 98.2)]), ("+5V", "F", 2.4, [(xr, 5.93), (xr, 78.2), (101.5, 80.8), (96.0, 80.8)]),
                   ("+5V", "F", 2.4, [(xl, 98.2), (75.0, 98.2)])]  # fmt: skip
    for k, _ in enumerate(ZONES):  # the grounds of a cable, pins 3 to 11, beside each other
        left = k < 7
        y = 7.2 + 13.4 * (k if left else k - 7) + (-1.27 if left else 1.27)
        first, step = (xl, -2.54) if left else (xr, 2.54)
        row = [(round(first + step * n, 2), round(y, 2)) for n in range(1, 6)]
        out.copper.append(("GND", "B", 0.8, row))
    edge = [(0.5, 0.5), (129.5, 0.5), (129.5, 99.5), (0.5, 99.5)]
    out.zones = [("GND", "F", edge), ("GND", "B", edge)]
    # the way of the amperes: jack, fuse, transistor, capacitors, both spines
    vin = [(110.2, 90.2), (117.0, 90.2), (117.0, 95.0), (110.2, 95.0)]
    fused = [(102.55, 92.3), (105.6, 92.3), (105.6, 89.6), (108.2, 89.6), (108.2, 95.2), (109.6, 95.6),
             (109.6, 98.8), (106.8, 98.8), (106.8, 95.2), (102.55, 95.2)]  # fmt: skip
    middle = [(101.2, 86.1), (105.4, 86.1), (105.4, 89.9), (101.2, 89.9)]
    five = [(70.0, 99.3), (70.0, 97.0), (79.6, 97.0), (79.6, 80.9), (91.6, 78.0), (96.4, 78.0), (96.4, 92.3),
            (102.25, 92.3), (102.25, 95.2), (101.4, 95.2), (101.4, 99.3)]  # fmt: skip
    # the regulator's heat goes into 3.3 V copper on both sides
    cool = [(86.4, 16.8), (100.8, 16.8), (100.8, 27.4), (86.4, 27.4)]
    below = [(80.0, 15.0), (100.8, 15.0), (100.8, 36.0), (80.0, 36.0)]
    out.zones += [("VIN", "F", vin), ("VIN_F", "F", fused), ("V_MID", "F", middle), ("+5V", "F", five),
                  ("+3V3", "F", cool), ("+3V3", "B", below)]  # fmt: skip
    spots = [(87.2, 18.0), (87.2, 22.4), (93.0, 18.0), (93.0, 22.4), (93.0, 25.0), (95.4, 23.4), (95.4, 26.2),
             (98.0, 17.8), (98.0, 20.4), (98.0, 23.0), (98.0, 25.6), (100.0, 19.0), (100.0, 22.0)]  # fmt: skip
    out.vias += [("+3V3", x, y) for x, y in spots]
    for k, zone in enumerate(ZONES):
        left = k < 7
        y = 7.2 + 13.4 * (k if left else k - 7)
        out.silk.append(
            (
                f"J{k + 1} {zone}",
                27.2 if left else 102.8,
                y + (6.3 if left else 7.0),
                0.8,
                0.13,
                "F",
            )
        )
    for k, word in enumerate(["GND", "TX", "RX", "CLK", "DIO", "RUN"]):
        out.silk.append((word, 41.4, 12.0 + 2.54 * k, 0.9, 0.15, "F"))
    for k, word in enumerate(["GND", "ok", "no", "undo", "buzz", "3V3"]):
        out.silk.append((word, 38.8, 77.0 + 2.54 * k, 0.9, 0.15, "F"))
    out.silk += [("SPICEBOARD controller  rev A", 64, 78.4, 1.6, 0.25, "F"),
                 ("CERN-OHL-P-2.0   not yet built: see docs/build.md", 60.5, 80.6, 0.8, 0.13, "F"),
                 ("5 V ONLY, 4 A, centre +", 119.5, 83.2, 1.0, 0.15, "F"),
                 ("ok", 47.75, 96.2, 1.2, 0.2, "F"), ("no", 59.75, 96.2, 1.2, 0.2, "F"), ("undo", 71.75, 96.2, 1.2, 0.2, "F"),
                 ("select", 39.4, 58.6, 1.0, 0.15, "F"), ("hall", 89.4, 58.6, 1.0, 0.15, "F"),
                 ("SPICEBOARD controller  rev A   CERN-OHL-P-2.0", 65, 55, 1.6, 0.25, "B")]  # fmt: skip
    out.hide = {p for p in places if p[0] in "RCUDFQJBT" and p != "U1"}
    return out


def layouts() -> dict[str, Layout]:
    return {"bowl": tile("bowl"), "action": tile("action"), "controller": controller()}
