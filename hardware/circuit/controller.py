"""The controller: Pico on a socket, supply, select decoder, SPI buffers, hall multiplexer, 13 cables."""

from hardware.circuit.description import CABLE, GPIO_PIN, PICO, ZONES, Board, two

SPI_GROUP = {zone: "ABCD"[min(k // 3, 3)] for k, zone in enumerate(ZONES)}  # 3, 3, 3 and 4 cables
DECODER_OUT = (
    "1",
    "2",
    "3",
    "4",
    "5",
    "6",
    "7",
    "8",
    "9",
    "10",
    "11",
    "13",
    "14",
    "15",
    "16",
    "17",
)
MUX_IN = ("9", "8", "7", "6", "5", "4", "3", "2", "23", "22", "21", "20", "19", "18", "17", "16")
BUFFER_IN = ("2", "4", "6", "8", "17", "15", "13", "11")
BUFFER_OUT = ("18", "16", "14", "12", "3", "5", "7", "9")


PAGES = {
    "supply": ("Controller: supply, fiducials, holes", "A4"),
    "pico": ("Controller: Pico, select, SPI, pixels, hall, buttons", "A3"),
    "cables": ("Controller: thirteen cables", "A3"),
}
BLOCKS = {  # (page, block): x, y, width, height in steps of the grid, title
    ("supply", "supply"): (
        8,
        14,
        218,
        62,
        "5 V in: fuse; Q1 opens above 5.4 V and on a reversed plug; bulk; USB feeds through F2",
    ),
    ("supply", "reg"): (8, 78, 108, 48, "3.3 V for tiles and logic"),
    ("supply", "mech"): (118, 78, 108, 48, "Fiducials, holes, test points"),
    ("pico", "buttons"): (8, 14, 84, 108, "Buttons, panel header"),
    ("pico", "sense"): (8, 124, 84, 40, "5 V sense"),
    ("pico", "buzzer"): (8, 166, 84, 52, "Buzzer"),
    ("pico", "pico"): (
        94,
        14,
        84,
        204,
        "Raspberry Pi Pico or Pico 2 on a socket, UART, SWD",
    ),
    ("pico", "spi"): (
        180,
        14,
        142,
        50,
        "SPI: one driver for 3 or 4 cables; MISO pulled down",
    ),
    ("pico", "select"): (180, 66, 142, 58, "4-to-16 select decoder: one reader at a time"),
    ("pico", "pixels"): (180, 126, 142, 30, "Pixels: 3.3 V to 5 V"),
    ("pico", "hall"): (180, 158, 54, 60, "Hall multiplexer"),
}


def build() -> Board:
    board = Board(
        "controller",
        "Spiceboard controller",
        pages=dict(PAGES),
        blocks=dict(BLOCKS),
        apart=("cables",),
    )
    _supply(board)
    _pico(board)
    _select(board)
    _spi(board)
    _pixels(board)
    _hall(board)
    _sense(board)
    _cables(board)
    return board


def _supply(board: Board) -> None:
    w = "supply/supply"
    board.add("J14", "JACK", "5V 4A", {"1": "VIN", "2": "GND", "3": None}, w, (22, 40))
    board.add("F1", "FUSE", "3A hold", two("VIN", "VIN_F"), w, (46, 38), 90)
    board.add("D1", "TVS", "SMBJ15A", two("VIN_F", "GND"), w, (53, 48), 270)
    # two P-MOSFETs, source to source: the first keeps a reversed plug off, the second a wrong one
    board.add("Q1", "PPAIR", "Si4925DDY", {"7": "VIN_F", "8": "VIN_F", "1": "V_MID", "3": "V_MID",
              "2": "GATE", "4": "GATE", "5": "+5V", "6": "+5V"}, w, (88, 38))  # fmt: skip
    board.add("R1", "R", "4k7", two("GATE", "GND"), w, (88, 56))
    board.add("C15", "C", "100n", two("V_MID", "GATE"), w, (106, 46))
    # above 5.4 V U7 conducts, Q2 ties gates to sources
    board.add("Q2", "PNP", "MMBT3906", {"1": "OV_B", "2": "V_MID", "3": "GATE"}, w, (122, 44), 180)
    board.add("R84", "R", "1k", two("V_MID", "OV_B"), w, (134, 42))
    board.add("R85", "R0603", "2k2", two("OV_B", "OV_K"), w, (134, 53))
    board.add("U7", "REF", "TL431", {"1": "OV_K", "2": "OV_REF", "3": "GND"}, w, (134, 63), 90)
    board.add("R18", "RFINE", "13k7", two("VIN_F", "OV_REF"), w, (68, 52))
    board.add("R19", "RFINE", "12k", two("OV_REF", "GND"), w, (68, 64))
    for k, ref in enumerate(["C1", "C2"]):
        board.add(ref, "CP", "1000u", two("+5V", "GND"), w, (150 + 14 * k, 46))
    board.add("C3", "C0805", "10u", two("+5V", "GND"), w, (178, 46))
    board.add("F2", "FUSE", "500mA hold", two("VBUS", "VBUS_F"), w, (186, 30), 90)
    board.add("D2", "SKY", "SS14", {"1": "+5V", "2": "VBUS_F"}, w, (206, 30), 180)
    board.add("R2", "R", "1k", two("+5V", "LED_A"), w, (196, 50))
    board.add("D4", "PWRLED", "green", {"1": "GND", "2": "LED_A"}, w, (196, 62), 90)
    w = "supply/reg"
    board.add("U5", "LDO", "TLV1117LV33", {"1": "GND", "2": "+3V3", "3": "+5V"}, w, (52, 100))
    board.add("C4", "C0805", "10u", two("+5V", "GND"), w, (26, 106))
    for k, ref in enumerate(["C5", "C6"]):
        board.add(ref, "C0805", "10u", two("+3V3", "GND"), w, (80 + 16 * k, 106))
    w = "supply/mech"
    for k in range(3):
        board.add(f"FID{k + 1}", "FIDL", "Fiducial", {}, w, (132 + 14 * k, 96))
    for k in range(4):
        board.add(f"H{k + 1}", "HOLE3", "M3", {}, w, (130 + 14 * k, 114))
    for k, (ref, net) in enumerate([("TP1", "+5V"), ("TP2", "+3V3"), ("TP3", "GND")]):
        board.add(ref, "TP", net, {"1": net}, w, (188 + 13 * k, 104))
    board.flags = {"+5V": ("supply", "supply", 214, 58), "VSYS": ("pico", "pico", 124, 50)}


def _pico(board: Board) -> None:
    w = "pico/pico"
    pins: dict[str, str | None] = {str(p): None for p in range(1, 41)}
    for net, gpio in PICO.items():
        pins[str(GPIO_PIN[gpio])] = "MISO_IN" if net == "MISO" else net
    pins.update(dict.fromkeys(("3", "8", "13", "18", "23", "28", "38", "D2"), "GND"))
    pins.update(
        {"39": "VSYS", "40": "VBUS", "30": "RUN", "33": "AGND", "D1": "SWCLK", "D3": "SWDIO"}
    )
    board.add("U1", "PICO", "Pico", pins, w, (130, 104), mirror="y")
    board.add("D3", "SKY", "SS14", {"1": "VSYS", "2": "+5V"}, w, (110, 52), 180)
    board.add("R14", "R", "0R", two("AGND", "GND"), w, (102, 136))
    w = "pico/buttons"
    for k, name in enumerate(["OK", "NO", "UNDO"]):
        y = 36 + 23 * k
        board.add(f"R{3 + k}", "R", "10k", two("+3V3", f"BTN_{name}"), w, (56, y - 7))
        board.add(
            f"SW{1 + k}", "SW", name.lower(), two(f"BTN_{name}", "GND"), w, (36, y), mirror="y"
        )
        board.add(f"C{7 + k}", "C", "100n", two(f"BTN_{name}", "GND"), w, (74, y + 6))
    board.add("J16", "HDR6", "Panel", {"1": "GND", "2": "BTN_OK", "3": "BTN_NO", "4": "BTN_UNDO",
              "5": "BUZZ", "6": "+3V3"}, w, (22, 110), mirror="y")  # fmt: skip
    w = "pico/pico"
    board.add(
        "J15",
        "HDR6",
        "UART SWD",
        {"1": "GND", "2": "UART_TX", "3": "UART_RX", "4": "SWCLK", "5": "SWDIO", "6": "RUN"},
        w,
        (168, 40),
    )
    board.add("J17", "SWD", "SWD",
              {"1": "SWCLK", "2": "GND", "3": "SWDIO", "MP": "GND"}, w, (168, 60))  # fmt: skip
    w = "pico/buzzer"
    board.add("R6", "R", "220R", two("BUZZER", "BUZZ"), w, (66, 188), 270)
    board.add("BZ1", "BUZ", "PS1240", two("BUZZ", "GND"), w, (36, 190), mirror="y")


def _select(board: Board) -> None:
    w = "pico/select"
    pins: dict[str, str | None] = dict.fromkeys(DECODER_OUT)
    pins.update({"23": "SEL_A0", "22": "SEL_A1", "21": "SEL_A2", "20": "SEL_A3", "18": "SEL_EN",
                 "19": "GND", "24": "+3V3", "12": "GND"})  # fmt: skip
    for zone, pin in zip(ZONES, DECODER_OUT, strict=False):
        pins[pin] = f"SEL_{zone.upper()}"
    board.add("U2", "DEC", "74HC154", pins, w, (248, 95))
    board.add("R7", "R", "10k", two("+3V3", "SEL_EN"), w, (202, 84))
    board.add("C10", "C", "100n", two("+3V3", "GND"), w, (304, 92))


def _spi(board: Board) -> None:
    w = "pico/spi"
    pins: dict[str, str | None] = {"1": "GND", "19": "GND", "20": "+3V3", "10": "GND"}
    for k, (i, o) in enumerate(zip(BUFFER_IN, BUFFER_OUT, strict=True)):
        line = "SCK" if k < 4 else "MOSI"
        pins[i] = line
        pins[o] = f"{line}_{'ABCD'[k % 4]}"
    board.add("U3", "LVC244", "74LVC244A", pins, w, (248, 40))
    board.add("C11", "C", "100n", two("+3V3", "GND"), w, (304, 38))
    board.add("R16", "R", "47k", two("SCK", "GND"), w, (204, 40))
    board.add("R17", "R", "47k", two("MOSI", "GND"), w, (216, 46))
    board.add("R9", "R", "33R", two("MISO", "MISO_IN"), w, (200, 59), 270)
    board.add("R10", "R", "4k7", two("MISO", "GND"), w, (224, 59), 90)


def _pixels(board: Board) -> None:
    w = "pico/pixels"
    board.add(
        "U6",
        "AHCT",
        "74AHCT1G125",
        {"1": "GND", "2": "PIX", "3": "GND", "4": "PIX_5V", "5": "+5V"},
        w,
        (236, 142),
    )
    board.add("R8", "R", "330R", two("PIX_5V", "PIX_CURRY"), w, (262, 142), 90)
    board.add("C12", "C", "100n", two("+5V", "GND"), w, (306, 141))
    board.add("R15", "R", "47k", two("PIX", "GND"), w, (204, 147))
    board.add("TP4", "TP", "PIX_END", {"1": "PIX_END"}, w, (288, 141))


def _hall(board: Board) -> None:
    w = "pico/hall"
    pins: dict[str, str | None] = dict.fromkeys(MUX_IN)
    pins.update({"1": "HALL_ADC", "10": "HALL_S0", "11": "HALL_S1", "14": "HALL_S2", "13": "HALL_S3",
                 "15": "GND", "24": "+3V3", "12": "GND"})  # fmt: skip
    for zone, pin in zip(ZONES, MUX_IN, strict=False):
        pins[pin] = f"HALL_{zone.upper()}"
    board.add("U4", "MUX", "CD74HC4067", pins, w, (204, 190))
    board.add("C13", "C", "100n", two("+3V3", "GND"), w, (226, 166))
    board.add("R11", "R", "100k", two("HALL_ADC", "GND"), w, (102, 156))


def _sense(board: Board) -> None:
    w = "pico/sense"
    board.add("R12", "R", "10k", two("+5V", "SENSE_5V"), w, (60, 138))
    board.add("R13", "R", "10k", two("SENSE_5V", "GND"), w, (60, 152))
    board.add("C14", "C", "100n", two("SENSE_5V", "GND"), w, (44, 152))


def _cables(board: Board) -> None:
    for k, zone in enumerate(ZONES):
        x, y = 8 + 104 * (k % 3), 14 + 42 * (k // 3)
        name, group = zone.upper(), SPI_GROUP[zone]
        board.blocks[("cables", zone)] = (x, y, 102, 41, f"{k}  {zone}")
        w, base = f"cables/{zone}", 20 + 5 * k
        after = ZONES[k + 1].upper() if k + 1 < len(ZONES) else "END"
        nets = {"LED_IN": f"PIX_{name}", "LED_OUT": f"PIX_{after}", "SCK": f"SCK_{name}",
                "MOSI": f"MOSI_{name}", "MISO": "MISO", "NSS": f"NSS_{name}", "HALL": f"HALL_{name}"}  # fmt: skip
        pins: dict[str, str | None] = {str(p): nets.get(n, n) for p, n in CABLE.items()}
        board.add(f"J{k + 1}", "IDC", zone, pins, w, (x + 42, y + 18))
        rows = [("33R", f"SCK_{name}", f"SCK_{group}", 84, 14),
                ("33R", f"MOSI_{name}", f"MOSI_{group}", 84, 22),
                ("100R", f"SEL_{name}", f"NSS_{name}", 26, 24)]  # fmt: skip
        for n, (value, a, b, dx, dy) in enumerate(rows):
            board.add(f"R{base + n}", "R", value, two(a, b), w, (x + dx, y + dy), 90)
        board.add(f"R{base + 3}", "R", "100k", two(f"HALL_{name}", "GND"), w, (x + 72, y + 32))
        board.add(f"C{base}", "C", "10n", two(f"HALL_{name}", "GND"), w, (x + 82, y + 32))
