"""Layout of the controller: thirteen connectors on two sides, the rest between them."""

from hardware import REVISION
from hardware.circuit import ZONES
from hardware.layout.plan import Layout, Place, Point, Track

PLACES: dict[str, Place] = {
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
}  # fmt: skip
LEFT_SPINE, RIGHT_SPINE = 25.89, 104.11  # x of the cables' pins 1 and 2
# +5 V: two spines along these pins, one bar along the lower edge
SUPPLY: list[Track] = [
    ("+5V", "F", 2.4, [(LEFT_SPINE, 5.93), (LEFT_SPINE, 98.2)]),
    ("+5V", "F", 2.4, [(RIGHT_SPINE, 5.93), (RIGHT_SPINE, 78.2), (101.5, 80.8), (96.0, 80.8)]),
    ("+5V", "F", 2.4, [(LEFT_SPINE, 98.2), (75.0, 98.2)]),
]
EDGE = [(0.5, 0.5), (129.5, 0.5), (129.5, 99.5), (0.5, 99.5)]
# the way of the amperes: jack, fuse, transistor, capacitors, both spines
VIN = [(110.2, 90.2), (117.0, 90.2), (117.0, 95.0), (110.2, 95.0)]
FUSED = [(102.55, 92.3), (105.6, 92.3), (105.6, 89.6), (108.2, 89.6), (108.2, 95.2), (109.6, 95.6),
         (109.6, 98.8), (106.8, 98.8), (106.8, 95.2), (102.55, 95.2)]  # fmt: skip
MIDDLE = [(101.2, 86.1), (105.4, 86.1), (105.4, 89.9), (101.2, 89.9)]
FIVE = [(70.0, 99.3), (70.0, 97.0), (79.6, 97.0), (79.6, 80.9), (91.6, 78.0), (96.4, 78.0), (96.4, 92.3),
        (102.25, 92.3), (102.25, 95.2), (101.4, 95.2), (101.4, 99.3)]  # fmt: skip
# the regulator's heat goes into 3.3 V copper on both sides, joined by vias
COOL = [(86.4, 16.8), (100.8, 16.8), (100.8, 27.4), (86.4, 27.4)]
BELOW = [(80.0, 15.0), (100.8, 15.0), (100.8, 36.0), (80.0, 36.0)]
POURS: list[tuple[str, str, list[Point]]] = [
    ("GND", "F", EDGE), ("GND", "B", EDGE), ("VIN", "F", VIN), ("VIN_F", "F", FUSED),
    ("V_MID", "F", MIDDLE), ("+5V", "F", FIVE), ("+3V3", "F", COOL), ("+3V3", "B", BELOW),
]  # fmt: skip
HEAT_VIAS = [(87.2, 18.0), (87.2, 22.4), (93.0, 18.0), (93.0, 22.4), (93.0, 25.0), (95.4, 23.4), (95.4, 26.2),
             (98.0, 17.8), (98.0, 20.4), (98.0, 23.0), (98.0, 25.6), (100.0, 19.0), (100.0, 22.0)]  # fmt: skip
WORDS = [
    (f"SPICEBOARD controller  rev {REVISION}", 64, 78.4, 1.6, 0.25, "F"),
    ("CERN-OHL-P-2.0   not yet built: see docs/build.md", 60.5, 80.6, 0.8, 0.13, "F"),
    ("5 V ONLY, 4 A, centre +", 119.5, 83.2, 1.0, 0.15, "F"),
    ("ok", 47.75, 96.2, 1.2, 0.2, "F"), ("no", 59.75, 96.2, 1.2, 0.2, "F"), ("undo", 71.75, 96.2, 1.2, 0.2, "F"),
    ("select", 39.4, 58.6, 1.0, 0.15, "F"), ("hall", 89.4, 58.6, 1.0, 0.15, "F"),
    (f"SPICEBOARD controller  rev {REVISION}   CERN-OHL-P-2.0", 65, 55, 1.6, 0.25, "B"),
]  # fmt: skip
DEBUG, PANEL = ("GND", "TX", "RX", "CLK", "DIO", "RUN"), ("GND", "ok", "no", "undo", "buzz", "3V3")
PITCH = 13.4  # of the connectors on a side: a ribbon folds over its neighbour's plug


def connector(k: int) -> tuple[bool, float, float]:
    """(on the left side, x, y) of the k-th cable's connector."""
    left = k < 7
    return left, 17.0 if left else 113.0, 7.2 + PITCH * (k if left else k - 7)


def _cable(out: Layout, k: int, zone: str) -> None:
    """A connector with its resistors, its grounds side by side, and its name."""
    left, x, y = connector(k)
    out.places[f"J{k + 1}"] = (x, y, 270 if left else 90, "F")
    sign, base = (1 if left else -1), 20 + 5 * k
    for n, ref in enumerate([*(f"R{base + n}" for n in range(4)), f"C{base}"]):
        out.places[ref] = (x + sign * (4.4 - 3.2 * n), y + 6.7, 0 if left else 180, "F")
    level = y + (-1.27 if left else 1.27)
    start, step = (LEFT_SPINE, -2.54) if left else (RIGHT_SPINE, 2.54)
    row = [(round(start + step * n, 2), round(level, 2)) for n in range(1, 6)]  # pins 3 to 11
    out.copper.append(("GND", "B", 0.8, row))
    beside = (27.2, y + 6.3) if left else (102.8, y + 7.0)
    out.silk.append((f"J{k + 1} {zone}", *beside, 0.8, 0.13, "F"))


def build() -> Layout:
    out = Layout(size=(130.0, 100.0), stitch=7.0, copper=list(SUPPLY), zones=list(POURS))
    for k, zone in enumerate(ZONES):
        _cable(out, k, zone)
    out.places.update(PLACES)
    out.vias += [("+3V3", x, y) for x, y in HEAT_VIAS]
    for x, y, words in ((41.4, 12.0, DEBUG), (38.8, 77.0, PANEL)):
        out.silk += [(word, x, y + 2.54 * k, 0.9, 0.15, "F") for k, word in enumerate(words)]
    out.silk += WORDS
    out.hide = {p for p in out.places if p[0] in "RCUDFQJBT" and p != "U1"}
    return out
