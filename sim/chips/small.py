"""The small parts: select decoder 74HC154, multiplexer CD74HC4067, hall sensors, buttons, buzzer."""

from dataclasses import dataclass, field


class Decoder:
    """74HC154: one of 16 outputs is low while both enables are low (the second is tied low).

    Fault: `swap` exchanges two outputs; `stuck_low` = an output that is always selected.
    """

    def __init__(self) -> None:
        self.address = 0
        self.enabled = False
        self.swap: tuple[int, int] | None = None
        self.stuck_low: int | None = None

    def low(self) -> tuple[int, ...]:
        """The outputs that are low now."""
        outputs: tuple[int, ...] = ()
        if self.enabled:
            chosen = self.address
            if self.swap and chosen in self.swap:
                chosen = self.swap[1 - self.swap.index(chosen)]
            outputs = (chosen,)
        if self.stuck_low is not None and self.stuck_low not in outputs:
            outputs = (*outputs, self.stuck_low)
        return outputs


class Hall:
    """A linear hall sensor: 1.65 V at rest; chips with a magnet shift it.

    offset_mv: of this piece; noise comes from the world. Fault: `stuck_mv`.
    """

    def __init__(self, offset_mv: float = 0.0) -> None:
        self.offset_mv = offset_mv
        self.field_mv = 0.0
        self.stuck_mv: float | None = None

    def millivolts(self) -> float:
        """What the output gives, between the rails of 3.3 V."""
        if self.stuck_mv is not None:
            return self.stuck_mv
        return min(3250.0, max(50.0, 1650.0 + self.offset_mv + self.field_mv))


@dataclass
class Buzzer:
    """What sounds: frequency in Hz (0: silence), and all tones so far as (ns, Hz)."""

    hz: int = 0
    heard: list[tuple[int, int]] = field(default_factory=list)

    def drive(self, hz: int, duty: int, now: int) -> None:
        """A square wave at the pin; a duty of 0 or nearly 1 is silence."""
        sounding = hz if 0 < duty < 65535 else 0
        if sounding != self.hz:
            self.hz = sounding
            self.heard.append((now, sounding))
