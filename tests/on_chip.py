"""The emulated RP2040 with the verbs of the simulated board that faults and the day use."""

from spiceboard_sim.board.controller import Controller
from spiceboard_sim.emulator.board import EmulatedBoard


class OnChip(EmulatedBoard):
    """`Lab`, `faults.inject` and `Day` take it in place of a `SimulatedBoard`."""

    @property
    def controller(self) -> Controller:
        return self.wiring.controller

    @property
    def starts(self) -> int:
        """How often the chip started: with power, and after each reset."""
        return 1 + self.chip.resets

    def kill(self) -> None:
        """The power is off until `restart`: no time passes for the chip."""

    def restart(self) -> None:
        self.power_cycle()

    def close(self) -> None:
        pass
