"""Pins and nets of the controller board as plain data: firmware, simulator and schematic read it.

A name is the name of the net on the schematic. Imports nothing, so that a desktop can run it.
"""

PROFILE = "pico-13"  # hardware profile: every wiring has its own name

PINS = {  # net of the schematic: GPIO of the Pico
    "UART_TX": 0,
    "UART_RX": 1,
    "SCK": 2,
    "MOSI": 3,
    "MISO": 4,
    "SEL_EN": 5,  # 74HC154 /E, low selects
    "SEL_A0": 6,
    "SEL_A1": 7,
    "SEL_A2": 8,
    "SEL_A3": 9,
    "PIX": 10,
    "HALL_S0": 11,
    "HALL_S1": 12,
    "HALL_S2": 13,
    "HALL_S3": 14,
    "BUZZER": 15,
    "BTN_OK": 16,  # buttons: low when pressed, pulled up outside
    "BTN_NO": 17,
    "BTN_UNDO": 18,
    "HALL_ADC": 26,  # ADC0, output of the CD74HC4067
    "SENSE_5V": 27,  # ADC1, 5 V through 1:2
}
SPI_HZ = (8_000_000, 4_000_000, 1_000_000)  # tried in this order: clones and long wires
BUTTONS = ("ok", "no", "undo")
PICO_PINS = tuple(range(23)) + (26, 27, 28)


def check(pins: dict[str, int]) -> str:
    """What is wrong with a pin table, or "": a pin used twice, a pin that the Pico does not have,
    an ADC input that is not on an ADC pin."""
    owner: dict[int, str] = {}
    for name in sorted(pins):
        pin = pins[name]
        if pin not in PICO_PINS:
            return "%s: GP%s is not led out on a Pico" % (name, pin)
        if pin in owner:
            return "GP%d is %s and %s" % (pin, owner[pin], name)
        owner[pin] = name
    for name in ("HALL_ADC", "SENSE_5V"):
        if pins[name] < 26:
            return "%s: GP%d is no ADC input" % (name, pins[name])
    return ""
