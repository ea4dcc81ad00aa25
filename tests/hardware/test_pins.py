"""Pin numbers against what others wrote down: KiCad's stock symbols, and data sheets.

A wrong pin is the worst defect a board can have, and no ERC finds it: so the description's numbers
are compared with names that do not come from this project.
"""

import re

import pytest

from hardware import ROOT, circuit
from hardware.generate import bill, library
from hardware.generate.sexp import bare, every, first
from hardware.generate.symbols import stock
from spiceboard.tuning import matching

# MFRC522 product data sheet rev. 3.9 (112139), table 3 "Pin description", in a transcript
MFRC522 = """I2C PVDD DVDD DVSS PVSS NRSTPD MFIN MFOUT SVDD TVSS TX1 TVDD TX2 TVSS AVDD VMID RX
AVSS AUX1 AUX2 OSCIN OSCOUT IRQ NSS D1 D2 D3 D4 D5/SCK D6/MOSI D7/MISO EA""".split()
SUPPLY = {  # what a pin of that name must be tied to
    "PVDD": "+3V3", "DVDD": "+3V3", "SVDD": "+3V3", "TVDD": "+3.3VA", "AVDD": "+3.3VA",
    "DVSS": "GND", "PVSS": "GND", "TVSS": "GND", "AVSS": "GND",
    "I2C": "GND", "EA": "+3V3",  # SPI: data sheet, table 5
}  # fmt: skip


@pytest.fixture(scope="session")
def names(kicad_here):
    """names(kind) -> {pin number: name} as KiCad's stock symbol of that kind has it."""
    symbols = stock()

    def read(kind):
        lib_id = circuit.KINDS[kind].symbol
        assert not lib_id.startswith("spiceboard:"), "a symbol of our own proves nothing"
        return {
            bare(first(pin, "number")[1]): bare(first(pin, "name")[1])
            for unit in every(symbols.get(lib_id), "symbol")
            for pin in every(unit, "pin")
        }

    return read


def wired(board, ref, names, kind):
    """{name of the pin: net} of a part."""
    return {names(kind)[pin]: net for pin, net in board.part(ref).pins.items()}


def test_the_decoder(names):
    pins = wired(circuit.board("controller"), "U2", names, "DEC")
    assert [pins[f"A{k}"] for k in range(4)] == [f"SEL_A{k}" for k in range(4)]
    assert [pins[f"S{k}"] for k in range(13)] == [f"SEL_{z.upper()}" for z in circuit.ZONES]
    assert (pins["VCC"], pins["GND"]) == ("+3V3", "GND")
    assert sorted(str(n) for p, n in pins.items() if p.strip("~{}").startswith("E")) == [
        "GND",
        "SEL_EN",
    ]


def test_the_hall_multiplexer(names):
    pins = wired(circuit.board("controller"), "U4", names, "MUX")
    assert [pins[f"S{k}"] for k in range(4)] == [f"HALL_S{k}" for k in range(4)]
    assert [pins[f"I{k}"] for k in range(13)] == [f"HALL_{z.upper()}" for z in circuit.ZONES]
    assert (pins["COM"], pins["~{E}"], pins["VCC"], pins["GND"]) == (
        "HALL_ADC",
        "GND",
        "+3V3",
        "GND",
    )


def test_the_spi_driver_keeps_line_and_copy_together(names):
    pins = wired(circuit.board("controller"), "U3", names, "LVC244")
    for half, line in ((1, "SCK"), (2, "MOSI")):
        assert [pins[f"{half}A{k}"] for k in range(4)] == [line] * 4
        assert {pins[f"{half}Y{k}"] for k in range(4)} == {f"{line}_{g}" for g in "ABCD"}
        assert pins[f"{half}OE"] == "GND"


def test_the_pico(names):
    pins = names("PICO")
    for gpio, pin in circuit.GPIO_PIN.items():
        assert re.fullmatch(rf"GPIO{gpio}(_ADC\d)?", pins[str(pin)])
    named = wired(circuit.board("controller"), "U1", names, "PICO")
    assert (named["VBUS"], named["VSYS"], named["RUN"]) == ("VBUS", "VSYS", "RUN")
    assert (named["SWCLK"], named["SWDIO"], named["GND"]) == ("SWCLK", "SWDIO", "GND")


@pytest.mark.parametrize("name", ["bowl", "action"])
def test_small_parts_of_the_tiles(names, name):
    tile = circuit.board(name)
    hall = wired(tile, "U3", names, "HALL")
    assert (hall["VCC"], hall["OUT"], hall["GND"]) == ("+3V3", "HALL_S", "GND")
    led = wired(tile, "D11", names, "LED")
    assert (led["VDD"], led["VSS"], led["DIN"]) == ("+5V", "GND", "LED_D")
    pump = wired(tile, "D3", names, "BAT54S")
    assert (pump["A"], pump["COM"], pump["K"]) == ("GND", "PUMP", "GATE")  # lifts the gate
    for ref, rail in (("D1", "+3V3"), ("D2", "+5V")):
        esd = wired(tile, ref, names, "ESD")
        assert rail in esd.values() and "GND" in esd.values()
        assert {n for p, n in esd.items() if p.startswith("IO")} <= set(circuit.CABLE.values()) | {
            None
        }
    buffer = tile.part("U2").pins  # enabled by its own select, low
    assert names("BUF")["1"] in ("", "~", "~{OE}", "OE") and buffer["1"] == "NSS_R"
    assert (buffer["5"], buffer["3"]) == ("+3V3", "GND")


def test_the_input_switch(names):
    """Two P-MOSFETs, source to source: body diodes lead from jack and +5 V to the middle."""
    board = circuit.board("controller")
    theirs = {  # pins of such a pair, as KiCad's stock symbol of another one names them
        bare(first(pin, "number")[1]): bare(first(pin, "name")[1])
        for unit in every(stock().get("Transistor_FET:IRF7324"), "symbol")
        for pin in every(unit, "pin")
    }
    pair: dict[str, set] = {}
    for number, net in board.part("Q1").pins.items():
        pair.setdefault(theirs[number], set()).add(net)
    assert pair == {"D1": {"VIN_F"}, "D2": {"+5V"}, "S1": {"V_MID"}, "S2": {"V_MID"},
                    "G1": {"GATE"}, "G2": {"GATE"}}  # fmt: skip
    assert set(board.part("R1").pins.values()) == {"GATE", "GND"}
    pnp = wired(board, "Q2", names, "PNP")
    assert (pnp["E"], pnp["C"], pnp["B"]) == ("V_MID", "GATE", "OV_B")
    reference = wired(board, "U7", names, "REF")
    assert (reference["K"], reference["A"], reference["REF"]) == ("OV_K", "GND", "OV_REF")
    assert (board.part("R18").pins, board.part("R19").pins) == (
        circuit.two("VIN_F", "OV_REF"),
        circuit.two("OV_REF", "GND"),
    )
    tvs = wired(board, "D1", names, "TVS")  # takes a reversed current: cathode at the fuse
    assert (tvs["K"], tvs["A"]) == ("VIN_F", "GND")
    regulator = wired(board, "U5", names, "LDO")
    assert (regulator["VI"], regulator["VO"], regulator["GND"]) == ("+5V", "+3V3", "GND")
    for ref, ways in (("D2", ("VBUS_F", "+5V")), ("D3", ("+5V", "VSYS"))):
        diode = wired(board, ref, names, "SKY")
        assert (diode["A"], diode["K"]) == ways


@pytest.mark.parametrize("name", ["bowl", "action"])
def test_the_reader_against_its_data_sheet(name):
    ours = {number: label for number, label, *_ in library.MFRC522_PINS}
    assert [ours[str(k)] for k in range(1, 33)] == MFRC522
    pins = circuit.board(name).part("U1").pins
    for number, label in ours.items():
        if label in SUPPLY:
            assert pins[number] == SUPPLY[label], f"pin {number} {label}"
    by_name = {label: pins[number] for number, label in ours.items()}
    spi = [by_name[p] for p in ("NSS", "D5/SCK", "D6/MOSI", "D7/MISO")]
    assert spi == ["NSS_R", "SCK_R", "MOSI_R", "MISO_U"]
    assert [by_name[p] for p in ("TX1", "TX2", "RX", "VMID")] == ["TX1", "TX2", "RX", "VMID"]


# the reader's sibling, in the same package: what PN512 calls otherwise
PN512 = {"A1": "I2C", "A0": "EA", "ALE": "NSS", "SIGIN": "MFIN", "SIGOUT": "MFOUT",
         "D5": "D5/SCK", "D6": "D6/MOSI", "D7": "D7/MISO"}  # fmt: skip


def test_all_pins_of_the_reader_against_kicads_symbol_of_its_sibling(kicad_here):
    """PN512 in HVQFN32 is drawn in KiCad's library, reviewed against NXP's data sheet of PN512."""
    theirs = {
        bare(first(pin, "number")[1]): bare(first(pin, "name")[1]).strip("~{}")
        for unit in every(stock().get("RF_RFID:PN5120A0HN1"), "symbol")
        for pin in every(unit, "pin")
    }
    ours = {number: label for number, label, *_ in library.MFRC522_PINS}
    assert len(theirs) == 33
    assert {number: PN512.get(label, label) for number, label in theirs.items()} == ours
    package = circuit.KINDS["MFRC522"].footprint
    symbol = stock().get("RF_RFID:PN5120A0HN1")
    assert package in {bare(p[2]) for p in every(symbol, "property")}


def test_every_part_that_is_fitted_can_be_ordered():
    for board in circuit.boards().values():
        for part in board.parts:
            if circuit.KINDS[part.kind].in_bom and not part.dnp:
                maker, number, alternates = circuit.order(part.kind, part.value)
                assert maker and number and alternates, f"{board.name} {part.ref} {part.value}"


def test_the_matching_is_bought_with_two_per_cent():
    for kind in matching.FITTED.values():
        for value in (kind["C0"], kind["C1"], kind["C2"]):
            assert "GA01" in circuit.order("C0603", value)[1]  # Murata's letter for 2 %
    assert circuit.KINDS["L"].mpn.endswith("XGLC")  # Coilcraft's letter for 2 %


def test_no_price_without_source_and_date():
    for board in circuit.boards().values():
        for row in bill.bom(board):
            prices = [row["unit price"], row["price source"], row["price date"]]
            assert all(prices) or not any(prices)


def test_the_list_counts_every_part_once_and_like_parts_together():
    for name, board in circuit.boards().items():
        rows = bill.bom(board)
        listed = [ref for row in rows for ref in row["references"].split()]
        assert sorted(listed) == sorted(p.ref for p in board.parts if circuit.KINDS[p.kind].in_bom)
        numbers = [(row["part number"], row["fitted"]) for row in rows if row["part number"]]
        assert len(numbers) == len(set(numbers)), f"{name}: one part in two rows"


def test_the_licence_is_there_in_full():
    text = (ROOT / "hardware" / "LICENSE").read_text()
    assert "SPDX-License-Identifier: CERN-OHL-P-2.0" in text
    assert "CERN Open Hardware Licence Version 2 - Permissive" in text
    assert "DISCLAIMER AND LIABILITY" in text.upper() and len(text) > 8000
