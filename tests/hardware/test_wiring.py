"""One wiring: the description, the firmware, the simulator and the docs say the same."""

import importlib
import re

import pytest

from boards.pico import pins
from hardware import ROOT, circuit
from hardware.calc import report
from hardware.calc.copper import Copper
from spiceboard.commands import main
from spiceboard_sim.board import controller as sim_controller


def test_the_board_file_leads_the_firmwares_pins_to_their_nets():
    """Pin numbers of the Pico written out here again: a shifted socket would pass all else."""
    by_pin = {1: 0, 2: 1, 4: 2, 5: 3, 6: 4, 7: 5, 9: 6, 10: 7, 11: 8, 12: 9, 14: 10, 15: 11,
              16: 12, 17: 13, 19: 14, 20: 15, 21: 16, 22: 17, 24: 18, 31: 26, 32: 27}  # fmt: skip
    board, nets = Copper("controller"), circuit.board("controller").nets()
    for pin, gpio in by_pin.items():
        (name,) = [n for n, g in pins.PINS.items() if g == gpio]
        name = "MISO_IN" if name == "MISO" else name
        numbers = {board.pads[key][0][6] for key in nets[name]}
        assert numbers == {board.pads[("U1", str(pin))][0][6]}, f"pin {pin}, GP{gpio}, {name}"


def test_simulator_says_the_same_pins():
    said = {
        "SCK": sim_controller.SCK,
        "MOSI": sim_controller.MOSI,
        "MISO": sim_controller.MISO,
        "PIX": sim_controller.PIXELS,
        "BUZZER": sim_controller.BUZZER,
        "SEL_EN": sim_controller.SELECT_ENABLE,
        "SENSE_5V": sim_controller.SUPPLY_ADC,
        "HALL_ADC": sim_controller.HALL_ADC,
        **{f"SEL_A{k}": gpio for k, gpio in enumerate(sim_controller.SELECT_ADDRESS)},
        **{f"HALL_S{k}": gpio for k, gpio in enumerate(sim_controller.HALL_ADDRESS)},
        **{f"BTN_{name.upper()}": gpio for gpio, name in sim_controller.BUTTONS.items()},
    }
    debug = {"UART_TX", "UART_RX"}  # the simulator has no debug cable
    assert said == {net: gpio for net, gpio in circuit.PICO.items() if net not in debug}


def test_every_zone_has_its_address_channel_and_place_in_the_chain():
    board = circuit.board("controller")
    nets = board.nets()
    for k, zone in enumerate(circuit.ZONES):
        name = zone.upper()
        assert board.part("U2").pins[("1 2 3 4 5 6 7 8 9 10 11 13 14".split())[k]] == f"SEL_{name}"
        assert (
            board.part("U4").pins[("9 8 7 6 5 4 3 2 23 22 21 20 19".split())[k]] == f"HALL_{name}"
        )
        assert (f"J{k + 1}", "4") in nets[f"PIX_{name}"]
        after = circuit.ZONES[k + 1].upper() if k < 12 else "END"
        assert (f"J{k + 1}", "6") in nets[f"PIX_{after}"]


@pytest.mark.parametrize("name", ["bowl", "action"])
def test_tile_cable_is_the_controllers_cable(name):
    tile = circuit.board(name)
    assert {int(p): n for p, n in tile.part("J1").pins.items()} == circuit.CABLE
    leds = [p for p in tile.parts if p.kind == "LED"]
    assert len(leds) == {"bowl": 16, "action": 8}[name]
    chain, net = 0, "LED_D"
    while net != "LED_Q":
        (led,) = [p for p in leds if p.pins["4"] == net]
        net, chain = led.pins["2"], chain + 1
    assert chain == len(leds)
    caps = [
        p
        for p in tile.parts
        if p.kind == "C" and p.value == "100n" and set(p.pins.values()) == {"+5V", "GND"}
    ]
    assert len(caps) == len(leds)


def test_miso_has_its_buffer_and_an_outside_pull_down():
    tile = circuit.board("bowl")
    buffer = tile.part("U2").pins
    assert buffer["1"] == tile.part("U1").pins["24"] == "NSS_R"
    assert buffer["2"] == tile.part("U1").pins["31"]
    pull = circuit.board("controller").part("R10")
    assert set(pull.pins.values()) == {"MISO", "GND"} and pull.value == "4k7"  # RP2350: <= 8.2 k


def test_docs_show_the_wiring_and_the_sums_of_today():
    for page in report.PAGES:
        text = (ROOT / "docs" / page).read_text()
        assert report.filled(page, text) == text
    text = (ROOT / "docs" / "hardware.md").read_text()
    for net, gpio in circuit.PICO.items():
        assert re.search(rf"\| GP{gpio} \| {circuit.GPIO_PIN[gpio]} \| {net} \|", text)


@pytest.mark.parametrize("page", ["docs/build.md", "docs/hardware.md", "hardware/README.md"])
def test_first_lines_say_that_nothing_was_built(page):
    first = "\n".join((ROOT / page).read_text().splitlines()[:8]).lower()
    assert "nothing" in first and "been built" in first


def test_every_command_of_the_guide_is_one():
    """A stranger types these: each must be understood as it stands."""
    text = (ROOT / "docs" / "build.md").read_text()
    lines = re.findall(r"^    spiceboard (.*)$", text, re.MULTILINE)
    assert len(lines) >= 6
    for line in lines:
        words = line.split("#")[0].split()
        parser, own = main.parser_for(words[0])
        assert own is not None, f"there is no command {words[0]}"
        importlib.import_module(main.COMMANDS[words[0]][0]).add_arguments(own)
        parser.parse_args(words)
        port = words[words.index("--port") + 1] if "--port" in words else "/dev/ttyACM0"
        assert port.startswith("/dev/"), f"{line}: a port is a device"


def test_every_picture_of_the_hardware_is_shown_and_there():
    """What can be made again is committed only where a page shows it."""
    pages = "".join(p.read_text(encoding="utf-8") for p in (ROOT / "docs").glob("*.md"))
    shown = set(re.findall(r"pictures/(hardware-[\w-]+\.\w+)", pages))
    assert shown == {p.name for p in (ROOT / "docs" / "pictures").glob("hardware-*")}
