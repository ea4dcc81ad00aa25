"""Layout of the tiles: one core, two rings."""

import math
from dataclasses import dataclass

from hardware import GEOMETRY, REVISION
from hardware.layout.plan import Layout, Place, Point, Track, local, polar

# the reader and everything around it: the same in both tiles, inside a radius of 18 mm
CORE: dict[str, tuple[float, float, float] | Place] = {
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
    # on the back, where a probe reaches them while the tile lies on its pixels
    "TP7": (-1.9, -11.5, 0, "B"), "TP8": (1.9, -11.5, 0, "B"), "TP9": (12.0, -4.7, 0),
    "TP4": (-13.4, -1.9, 0), "TP5": (-13.4, -6.3, 0), "TP6": (-13.4, -4.1, 0),
    # bus, buffer
    "U2": (-6.6, 2.4, 0), "R9": (-10.0, 0.6, 0), "C1": (-10.0, 2.2, 180), "R8": (-10.0, 3.8, 0),
    "R1": (6.6, 7.0, 90), "R2": (4.2, 7.0, 90), "R3": (1.8, 7.0, 90), "R4": (-0.6, 7.0, 90),
    "R5": (-3.0, 7.0, 90), "R7": (-5.4, 7.0, 90), "R6": (-7.6, 7.0, 90),
    "D1": (-3.4, 15.2, 0), "D2": (3.4, 15.2, 0), "C3": (12.0, 8.6, 90), "C4": (-12.0, 9.0, 270),
    "TP1": (14.4, 6.6, 0), "TP2": (-14.4, 6.4, 0), "TP3": (14.4, 3.6, 0),
}  # fmt: skip

# Grounds that must not swing against the patch under U1: of the EMC filter (C10, C11), and of the
# antenna switch's pump, gate and ends (D3, C9, R15 to R17). Arms on the back, one way each: no ring.
REFERENCES: list[Track] = [
    ("GND", "B", 1.4, [(-2.4, -8.6), (-6.5, -10.7)]),
    ("GND", "F", 0.6, [(-5.5, -10.7), (-6.5, -10.7)]),
    ("GND", "B", 1.4, [(2.4, -8.6), (6.5, -10.7)]),
    ("GND", "F", 0.6, [(5.5, -10.7), (6.5, -10.7)]),
    ("GND", "B", 0.8, [(-6.5, -10.7), (-12.7, -9.6)]),
    ("GND", "F", 0.4, [(-12.7, -9.6), (-13.6, -8.9)]),
    ("GND", "B", 1.0, [(2.4, -6.0), (10.8, -5.5), (13.0, -8.35)]),
    ("GND", "F", 0.5, [(9.94, -6.15), (10.8, -5.5)]),
    ("GND", "F", 0.4, [(12.2, -7.48), (13.0, -8.35), (13.8, -7.51)]),
    ("GND", "F", 0.4, [(13.8, -7.51), (14.0, -9.2)]),
]
REFERENCE_VIAS = [(-12.7, -9.6), (-6.5, -10.7), (6.5, -10.7), (10.8, -5.5), (13.0, -8.35)]


@dataclass(frozen=True)
class Size:
    """What differs between the two tiles: radii in mm, widths of the comb."""

    ring: float  # middles of the pixels
    arc: float  # the comb's +5 V and ground
    width: float
    beside: float  # degrees from a pixel to its capacitor
    spots: dict[str, Point]
    words: list[tuple[str, float, float, float, float, str]]


SIZES = {
    "bowl": Size(
        41.0, 36.9, 1.2, 9.0,
        {"H1": (-27, -15), "H2": (27, -15), "H3": (4, 30), "FID1": (-24, 18), "FID2": (24, 18),
         "FID3": (22, -24), "C29": (14, 28)},
        [("SPICEBOARD", 0, 24.0, 2.2, 0.35, "F"), (f"bowl tile  rev {REVISION}", 12, -27.5, 1.3, 0.2, "F"),
         ("zone:", -29.5, 0, 1.3, 0.2, "F"), ("CERN-OHL-P-2.0", -16, -22, 1.3, 0.2, "F"),
         ("not yet built: see docs/build.md", 0, 27, 1.0, 0.15, "F"),
         (f"SPICEBOARD bowl tile rev {REVISION}", 0, -22, 1.6, 0.25, "B"), ("CERN-OHL-P-2.0", 0, -19, 1.3, 0.2, "B"),
         ("first pixel", 9.5, -33.6, 1.0, 0.15, "F"),
         ("^ back ^", 0, -24.6, 1.6, 0.25, "F"), ("^ back ^", 0, -25.5, 1.6, 0.25, "B")],
    ),
    "action": Size(
        22.6, 18.7, 1.0, 13.0,
        {"H1": (-15.9, 3.0), "H2": (15.8, -1.0), "FID1": (-13.6, 0.4), "FID2": (15.2, -4.4),
         "FID3": (-11.0, 12.4), "C29": (11.5, 11.45)},
        [("zone:", 0, 21.4, 0.9, 0.15, "F"), (f"rev {REVISION}  CERN-OHL-P-2.0", 0, 26.2, 0.8, 0.12, "F"),
         ("^ back ^", 0, -19.4, 1.2, 0.2, "B"), ("SPICEBOARD action tile", 0, -24.7, 0.9, 0.15, "B"),
         (f"rev {REVISION} CERN-OHL-P-2.0", 0, -23.2, 0.9, 0.15, "B")],
    ),
}  # fmt: skip
PATCH = [(-2.9, -9.3), (3.0, -9.3), (3.0, -3.9), (-2.9, -3.9)]  # solid ground under the reader
PATCH_VIAS = [(0.05 + dx, -6.65 + dy) for dx in (-1.0, 0, 1.0) for dy in (-1.0, 0, 1.0)]


def _pixel(out: Layout, size: Size, k: int, leds: int) -> None:
    """A pixel with its stubs to the comb: +5 V on the front; ground by a via, then on the back."""
    ring, arc = size.ring, size.arc
    theta = 360 / leds * (k + 0.5)
    out.places[f"D{11 + k}"] = (*polar(ring, theta), 180 - theta, "F")
    drop = ring - arc
    stub = [local(ring, theta, 2.45, 1.6), local(ring, theta, 2.45, drop)]
    out.copper.append(("+5V", "F", 0.6, stub))
    hole = local(ring, theta, -2.45, 0.0)
    out.copper.append(("GND", "F", 0.5, [local(ring, theta, -2.45, -1.6), hole]))
    if k == 0:  # what the field does to the data line ends here, at the pixel's own ground
        out.places["C26"] = (*local(ring, theta, -4.4, 0.9), 90 - theta, "F")
        out.copper.append(("GND", "F", 0.4, [hole, local(ring, theta, -4.4, 0.42)]))
    out.copper.append(("GND", "B", 0.6, [hole, local(ring, theta, -2.45, drop)]))
    out.vias.append(("GND", *hole))


def _capacitor(out: Layout, size: Size, k: int, leds: int) -> None:
    """The pixel's capacitor beside it, on the same comb."""
    beside = 360 / leds * (k + 0.5) + size.beside * (-1 if k == leds - 1 else 1)
    radius = size.arc + 1.75
    out.places[f"C{31 + k}"] = (*polar(radius, beside), 90 - beside, "F")
    stub = [local(radius, beside, 0, 0.48), local(radius, beside, 0, 1.75)]
    out.copper.append(("+5V", "F", 0.5, stub))
    hole = local(radius, beside, 0, -1.25)
    out.copper.append(("GND", "F", 0.4, [local(radius, beside, 0, -0.48), hole]))
    out.copper.append(("GND", "B", 0.5, [hole, local(radius, beside, 0, 1.75)]))
    out.vias.append(("GND", *hole))


def _comb(out: Layout, size: Size, leds: int) -> None:
    """+5 V round the ring on the front, ground right under it, both open at 12 o'clock."""
    lean = math.degrees(math.atan(2.45 / size.arc))
    first, last = 180 / leds, 360 - 180 / leds
    for net, layer, shift in (("+5V", "F", lean), ("GND", "B", -lean)):
        turn = [first + shift + (last - first) * i / (leds * 8) for i in range(leds * 8 + 1)]
        line = [polar(size.arc, degrees) for degrees in turn]
        out.copper.append((net, layer, size.width, line))


def _ground(out: Layout, size: Size, bowl: bool) -> None:
    """The reader's ground: from the patch under it straight down between SCK and MOSI to the cable,
    so that the field finds no wide turn of signal and ground; the ring joins it at J1 only."""
    out.copper.append(("GND", "B", 1.2, [(0.0, -4.4), (0.0, 8.0)]))
    out.copper.append(("GND", "B", 0.5, [(0.0, 8.0), (0.0, 12.27)]))
    row = [(6.35 - 2.54 * k, 12.27) for k in range(5)]
    out.copper.append(("GND", "B", 1.0, [row[0], row[1], row[2], (0.0, 12.27), row[3], row[4]]))
    bend = [(-3.81, 12.27), (-5.3, 13.8), (-7.4, 13.8), (-8.89, 12.27)]
    out.copper.append(("GND", "B", 0.8, bend))
    out.vias += [("GND", *spot) for spot in PATCH_VIAS]
    for net, layer, width, points in REFERENCES:
        out.copper.append((net, layer, width, list(points)))
    out.vias += [("GND", *spot) for spot in REFERENCE_VIAS]
    # C4 stands on the cable's ground too, not on the ring's
    out.copper.append(("GND", "F", 0.5, [(-12.0, 9.95), (-10.3, 11.5), (-8.89, 12.27)]))
    foot = math.sqrt(size.arc**2 - 8.89**2)
    out.copper.append(("+5V", "F", 1.4, [(8.89, 9.73), (8.89, 12.27), (8.89, foot)]))
    joined = [(6.35, 12.27), (6.35, 15.0), (8.89, 17.5), (8.89, foot)]
    if not bowl:
        joined = [(6.35, 12.27), (6.35, 14.4), (8.4, 16.6)]
    out.copper.append(("GND", "B", 1.2 if bowl else 1.0, joined))
    out.zones.append(("GND", "B", PATCH))
    out.keep.append(("GND", "B", PATCH))


def build(name: str) -> Layout:
    bowl, size = name == "bowl", SIZES[name]
    leds = GEOMETRY["tile"][f"{name}_leds"]
    out = Layout(round=GEOMETRY["tile"][f"{name}_outline_diameter"])
    for ref, (x, y, rot, *side) in CORE.items():
        out.places[ref] = (x, y, rot, side[0] if side else "F")
    out.places["J1"] = (0, 11.0, 90, "B")
    out.places["AE1"] = (0, 0, 0, "F")
    for k in range(leds):
        _pixel(out, size, k, leds)
        _capacitor(out, size, k, leds)
    _comb(out, size, leds)
    _ground(out, size, bowl)
    out.silk += size.words
    out.silk.append(("1 = red", 12.2, 17.2, 0.9, 0.15, "B"))  # where the plug leaves it to be read
    for ref, (x, y) in size.spots.items():
        out.places[ref] = (x, y, 90 if ref == "C29" and bowl else 0, "F")
    shown = {f"D{11 + k}" for k in range(leds)} if bowl else set()
    out.hide = set(out.places) - shown  # the middle is too dense for names: docs/pictures has them
    return out
