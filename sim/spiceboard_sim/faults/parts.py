"""LEDs, hall sensors, buttons and the buzzer."""

from spiceboard_sim.faults.registry import FOREVER, INDEX, Target, fault, reader_of
from spicecore.parts import LEDS


@fault("led")
def led_breaks(board: Target, zone: str, led: int = 0) -> None:
    """An LED in the chain is dead: it and all after it stay as they are, or dark."""
    reader_of(board, zone)
    board.world.chain.broken = sum(LEDS[: INDEX[zone]]) + led


@fault("zone")
def led_order(board: Target, zone: str) -> None:
    """A ring's LEDs are of another make: red and green are exchanged."""
    reader_of(board, zone)
    first = sum(LEDS[: INDEX[zone]])
    board.world.chain.swapped = range(first, first + LEDS[INDEX[zone]])


@fault("zone")
def hall_stuck(board: Target, zone: str, millivolts: float = 3300.0) -> None:
    """A hall sensor's output is stuck high or low."""
    reader_of(board, zone)
    board.world.halls[INDEX[zone]].stuck_mv = millivolts


@fault("zone")
def hall_drifts(board: Target, zone: str, millivolts: float = 250.0) -> None:
    """A hall sensor's rest level has moved away from its stored baseline."""
    reader_of(board, zone)
    board.world.halls[INDEX[zone]].offset_mv += millivolts


@fault("")
def hall_noisy(board: Target, millivolts: float = 80.0) -> None:
    """All hall readings are noisy: a bad reference or ground."""
    board.world.hall_noise_mv = millivolts


@fault("button")
def button_stuck(board: Target, button: str) -> None:
    """A button is stuck down."""
    board.world.press(button)
    board.world.pressed[button] = FOREVER


@fault("button")
def button_dead(board: Target, button: str) -> None:
    """A button makes no contact."""
    board.world.press(button, 0)
    board.world.dead_buttons.add(button)


@fault("")
def buzzer_dead(board: Target) -> None:
    """The buzzer makes no sound."""
    board.world.buzzer.broken = True
