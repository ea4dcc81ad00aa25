"""The small parts: select decoder, hall sensors, buzzer."""

from dataclasses import dataclass, field


class Decoder:
    """74HC154: one of 16 outputs is low while both enables are low (the second is tied low).

    Faults: `swap` exchanges two outputs; `stuck_low` = an output that is always selected;
    `stuck_bit` = (address bit, its level); `open_lines` = outputs that lead nowhere.
    """

    def __init__(self) -> None:
        self.address = 0
        self.enabled = False
        self.swap: tuple[int, int] | None = None
        self.stuck_low: int | None = None
        self.stuck_bit: tuple[int, int] | None = None
        self.open_lines: set[int] = set()

    def low(self) -> tuple[int, ...]:
        """The outputs that are low now."""
        outputs: tuple[int, ...] = ()
        if self.enabled:
            chosen = self.address
            if self.stuck_bit is not None:
                bit, level = self.stuck_bit
                chosen = chosen & ~(1 << bit) | level << bit
            if self.swap and chosen in self.swap:
                chosen = self.swap[1 - self.swap.index(chosen)]
            if chosen not in self.open_lines:
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
    broken: bool = False
    heard: list[tuple[int, int]] = field(default_factory=list)

    def drive(self, hz: int, duty: int, now: int) -> None:
        """A square wave at the pin; a duty of 0 or nearly 1 is silence."""
        sounding = hz if 0 < duty < 65535 and not self.broken else 0
        if sounding != self.hz:
            self.hz = sounding
            self.heard.append((now, sounding))
