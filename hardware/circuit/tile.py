"""The tile: MFRC522, matching and printed loop, tri-state MISO, hall sensor, ring of LEDs.

One circuit for the bowl tile (16 LEDs, loop of 48 mm radius) and the action tile (8, 28 mm); only
the matching values and the ring differ. Values of the matching come from
spiceboard/tuning/matching.py. C14, C15, C18, C19 are places for trimming: the loop's own capacitance
does what C18 and C19 did in revision A (calc/capacitance.py).
"""

from hardware.circuit.description import CABLE, Board, two
from spiceboard.tuning.matching import FITTED


def build(name: str) -> Board:
    leds = 16 if name == "bowl" else 8
    title = {"bowl": "Bowl tile", "action": "Action tile"}[name]
    board = Board(
        name,
        f"Spiceboard {title.lower()}",
        pages={
            "cable": (f"{title}: cable, bus, hall sensor", "A4"),
            "reader": (f"{title}: reader and antenna", "A4"),
            "ring": (f"{title}: ring of {leds} pixels", "A4"),
        },
        blocks={
            ("cable", "cable"): (8, 14, 106, 76, "Cable of 16 conductors, series resistors"),
            ("cable", "buffer"): (116, 14, 110, 38, "MISO only while selected"),
            ("cable", "hall"): (
                116,
                54,
                110,
                36,
                "Hall sensor in the middle: fitted only for trials",
            ),
            ("cable", "esd"): (8, 92, 106, 36, "ESD"),
            ("cable", "supply"): (116, 92, 110, 34, "Supplies in, test points"),
            ("reader", "reader"): (8, 14, 218, 80, "Reader, EMC filter, matching, loop"),
            ("reader", "decoupling"): (8, 96, 112, 32, "Decoupling; bead to the RF supply"),
            ("reader", "switch"): (122, 96, 104, 32, "Tuned only while transmitting"),
            ("ring", "ring"): (8, 14, 218, 110, "Pixels, 100 nF each"),
            ("ring", "mech"): (8, 126, 110, 20, "Fiducials, holes"),
        },
    )
    _cable(board)
    _reader(board)
    _matching(board, FITTED[name])
    _antenna(board, name)
    _decoupling(board)
    _switch(board)
    _ring(board, name, leds)
    return board


def _cable(board: Board) -> None:
    pins: dict[str, str | None] = {str(p): n for p, n in CABLE.items()}
    board.add("J1", "IDC", "Cable", pins, "cable/cable", (28, 46))
    rows = [("R1", "LED_IN", "LED_D", "330R"), ("R2", "LED_OUT", "LED_Q", "100R"),
            ("R3", "SCK", "SCK_R", "47R"), ("R4", "MOSI", "MOSI_R", "47R"),
            ("R5", "MISO", "MISO_Q", "33R"), ("R6", "HALL", "HALL_S", "1k"),
            ("R7", "NSS", "NSS_R", "47R")]  # fmt: skip
    for k, (ref, outer, inner, value) in enumerate(rows):
        board.add(ref, "R", value, two(outer, inner), "cable/cable", (90, 24 + 9 * k), 90,
                  dnp=ref == "R6")  # fmt: skip
    board.add("R8", "R", "47k", two("+3V3", "NSS_R"), "cable/buffer", (138, 25))
    board.add("U2", "BUF", "74LVC1G125", {"1": "NSS_R", "2": "MISO_U", "3": "GND", "4": "MISO_Q", "5": "+3V3"},
              "cable/buffer", (150, 34), mirror="y")  # fmt: skip
    board.add("R9", "R", "47k", two("MISO_U", "GND"), "cable/buffer", (178, 42))
    board.add("C1", "C", "100n", two("+3V3", "GND"), "cable/buffer", (212, 34))
    board.add(
        "U3",
        "HALL",
        "DRV5055A3",
        {"1": "+3V3", "2": "HALL_S", "3": "GND"},
        "cable/hall",
        (160, 72),
        mirror="y",
        dnp=True,
    )
    board.add("C2", "C", "100n", two("+3V3", "GND"), "cable/hall", (198, 72), dnp=True)
    board.add("D1", "ESD", "SRV05-4", {"1": "SCK", "3": "MOSI", "4": "MISO", "6": "NSS", "5": "+3V3", "2": "GND"},
              "cable/esd", (62, 110))  # fmt: skip
    board.add("D2", "ESD", "SRV05-4", {"1": "LED_IN", "3": "LED_OUT", "4": "HALL", "6": None, "5": "+5V", "2": "GND"},
              "cable/esd", (97, 110))  # fmt: skip
    for k, (ref, net) in enumerate([("C3", "+5V"), ("C4", "+3V3")]):
        board.add(ref, "C0805", "10u", two(net, "GND"), "cable/supply", (126 + 14 * k, 110))
    for k, (ref, net) in enumerate([("TP1", "+5V"), ("TP2", "+3V3"), ("TP3", "GND")]):
        board.add(ref, "TP", net, {"1": net}, "cable/supply", (156 + 10 * k, 108))
    board.flags = {
        "+5V": ("cable", "supply", 190, 108), "+3V3": ("cable", "supply", 202, 108),
        "GND": ("cable", "supply", 214, 108), "+3.3VA": ("reader", "decoupling", 30, 112),
    }  # fmt: skip


def _reader(board: Board) -> None:
    where = "reader/reader"
    board.add("U1", "MFRC522", "MFRC522", {
        "1": "GND", "2": "+3V3", "3": "+3V3", "4": "GND", "5": "GND", "6": "NRSTPD", "7": None,
        "8": None, "9": "+3V3", "10": "GND", "11": "TX1", "12": "+3.3VA", "13": "TX2", "14": "GND",
        "15": "+3.3VA", "16": "VMID", "17": "RX", "18": "GND", "19": "AUX1", "20": "AUX2",
        "21": "OSCIN", "22": "OSCOUT", "23": "IRQ", "24": "NSS_R", "25": None, "26": None,
        "27": None, "28": None, "29": "SCK_R", "30": "MOSI_R", "31": "MISO_U", "32": "+3V3",
        "33": "GND",
    }, where, (62, 56))  # fmt: skip
    board.add("R10", "R", "10k", two("+3V3", "NRSTPD"), where, (28, 40), 0)
    board.add("TP4", "TP", "IRQ", {"1": "IRQ"}, where, (36, 47), 90)
    board.add("Y1", "XTAL", "27.12MHz", {"1": "OSCIN", "2": "GND", "3": "OSCOUT", "4": "GND"},
              where, (35, 67), 270)  # fmt: skip
    board.add("C5", "C", "15p", two("GND", "OSCIN"), where, (22, 61), 90)
    board.add("C6", "C", "15p", two("GND", "OSCOUT"), where, (22, 73), 90)
    board.add("R11", "R", "1k", two("VMID", "RX"), where, (86, 38))
    board.add("C7", "C", "1n", two("RX", "RXD"), where, (95, 41), 90)
    board.add("R12", "R", "3k9", two("RXD", "TXF1"), where, (106, 41), 90)
    board.add("TP5", "TP", "AUX1", {"1": "AUX1"}, where, (86, 55), 270)
    board.add("TP6", "TP", "AUX2", {"1": "AUX2"}, where, (86, 57), 270)


def _matching(board: Board, match: dict[str, str]) -> None:
    """The two halves: EMC filter, C1, C2 with their second places, Q resistor."""
    where = "reader/reader"
    for k, (tag, y, tx) in enumerate([("a", 51, "TX2"), ("b", 73, "TX1")]):
        f, a = f"TXF{k + 1}", f"ANT{k + 1}"
        sw = "SW_D" if tag == "a" else "SW_S"
        board.add(f"L{1 + k}", "L", match["L0"], two(tx, f), where, (96, y), 90)
        board.add(f"C{10 + k}", "C0603", match["C0"], two(f, "GND"), where, (106, y + 5))
        board.add(f"C{12 + k}", "C0603", match["C1"], two(f, a), where, (118, y), 90)
        board.add(f"C{14 + k}", "C0603", match["C1t"], two(f, a), where, (118, y - 8 if k == 0 else y + 8), 90,
                  dnp=match["C1t"] == "DNP")  # fmt: skip
        pair = two(a, sw) if k == 0 else two(sw, a)
        mid = y + 4 if k == 0 else y - 4
        board.add(f"C{16 + k}", "C0603", match["C2"], pair, where, (132, mid))
        board.add(
            f"C{18 + k}", "C0603", match["C2t"], pair, where, (150, mid), dnp=match["C2t"] == "DNP"
        )
        board.add(f"R{13 + k}", "R0603", match["RQ"], two(a, f"LOOP{k + 1}"), where, (180, y), 90)


def _antenna(board: Board, name: str) -> None:
    where = "reader/reader"
    board.add("TP7", "TP", "TX2", {"1": "TX2"}, where, (90, 48))
    board.add("TP8", "TP", "TX1", {"1": "TX1"}, where, (90, 76), 180)
    board.add("Q1", "NMOS", "DMG1012T", {"1": "GATE", "2": "SW_S", "3": "SW_D"}, where, (130, 62))
    board.add("JP1", "JP", "tuned", two("SW_D", "SW_S"), where, (164, 62), 270)
    loop = "LOOPB" if name == "bowl" else "LOOPA"
    board.add("AE1", loop, "printed loop", {"1": "LOOP1", "2": "LOOP2"}, where, (200, 62))


def _decoupling(board: Board) -> None:
    deco = [
        ("C20", "+3V3"),
        ("C21", "+3V3"),
        ("C22", "+3.3VA"),
        ("C23", "+3.3VA"),
        ("C24", "VMID"),
    ]
    for k, (ref, net) in enumerate(deco):
        board.add(ref, "C", "100n", two(net, "GND"), "reader/decoupling", (56 + 13 * k, 114))
    board.add("C25", "C0805", "10u", two("+3.3VA", "GND"), "reader/decoupling", (42, 114))
    board.add("FB1", "FB", "600R", two("+3V3", "+3.3VA"), "reader/decoupling", (18, 113))


def _switch(board: Board) -> None:
    """The charge pump that closes Q1 while the field is on."""
    where = "reader/switch"
    board.add("C8", "C", "220p", two("TX1", "PUMP"), where, (140, 116), 90)
    board.add("D3", "BAT54S", "BAT54S", {"1": "GND", "2": "GATE", "3": "PUMP"}, where, (156, 108))
    board.add("TP9", "TP", "GATE", {"1": "GATE"}, where, (164, 105))
    board.add("C9", "C", "1n", two("GATE", "GND"), where, (172, 116))
    board.add("R15", "R", "100k", two("GATE", "GND"), where, (184, 116))
    board.add("R16", "R", "1M", two("SW_D", "GND"), where, (196, 116))
    board.add("R17", "R", "10k", two("SW_S", "GND"), where, (210, 116), 0)


def _ring(board: Board, name: str, leds: int) -> None:
    for k in range(leds):
        x, y = 28 + 24 * (k % 8), 40 + 50 * (k // 8)
        source = "LED_D" if k == 0 else f"PIX{k}"
        target = "LED_Q" if k == leds - 1 else f"PIX{k + 1}"
        board.add(f"D{11 + k}", "LED", "WS2812B", {"1": "+5V", "2": target, "3": "GND", "4": source},
                  "ring/ring", (x, y))  # fmt: skip
        board.add(f"C{31 + k}", "C", "100n", two("+5V", "GND"), "ring/ring", (x + 12, y + 16))
    board.add("C29", "C0805", "10u", two("+5V", "GND"), "ring/ring", (213, 70))
    board.add("C26", "C", "100p", two("LED_D", "GND"), "ring/ring", (16, 52))
    small = "FIDL" if name == "bowl" else "FID"
    for k in range(3):
        board.add(f"FID{k + 1}", small, "Fiducial", {}, "ring/mech", (20 + 14 * k, 138))
    kind, count = ("HOLE", 3) if name == "bowl" else ("HOLE2", 2)
    for k in range(count):
        board.add(
            f"H{k + 1}",
            kind,
            "M2.5" if name == "bowl" else "M2",
            {},
            "ring/mech",
            (66 + 14 * k, 138),
        )
