"""A chain of WS2812B LEDs: pulses become colours, as each LED would take them.

Limits of the pulses are the WS2812B sheet's, old and new parts together (version 5: T0H 220 to
380 ns, T1H 580 to 1000 ns; before: 250 to 550 ns and 650 to 950 ns). A frame is shown when the
line has been low for 280 us.
"""

from spiceboard_sim.chips.air import NotModelled
from spiceboard_sim.chips.pio import Program, Pulses, pulses

RESET_NS = 280_000


class Chain:
    """n LEDs in GRB order; `colours(now)` are those shown, as (r, g, b) each.

    Faults: `broken` = index of an LED that passes nothing on; `swapped` = LEDs (a range) that
    take their bytes in RGB order.
    """

    def __init__(self, n: int) -> None:
        self._bits_sent = 0
        self._end = 0  # when the last bit was sent
        self._threshold = 8
        self._shift_right = False
        self._bit_ns = 1250
        self._coming = bytearray()
        self._shown = bytes(3 * n)
        self.n = n
        self.broken: int | None = None
        self.swapped = range(0)
        self.frames = 0

    def program(self, program: Program) -> int:
        """Check a PIO program against the sheet; returns the ns that one FIFO word takes."""
        found = pulses(program)
        _check(found)
        self._threshold = program.threshold
        self._shift_right = program.shift_right
        if program.threshold % 8:
            raise NotModelled("a pull threshold that splits a byte")
        self._bit_ns = max(found.period)
        return program.threshold * self._bit_ns

    def feed(self, words: bytes, size: int, now: int) -> int:
        """Words of `size` bytes (1 or 4, little endian) go into the FIFO; returns when all is
        sent."""
        self.settle(now)
        used = self._threshold // 8
        if size == 1:
            if used != 1:
                raise NotModelled("bytes to a state machine that shifts more than 8 bits")
            data = bytes(words)
        else:
            order = [i if self._shift_right else 3 - i for i in range(used)]
            data = bytes(words[k + i] for k in range(0, len(words), 4) for i in order)
        if self._shift_right:
            data = bytes(int(f"{byte:08b}"[::-1], 2) for byte in data)
        self._coming += data
        self._end = max(now, self._end) + len(data) * 8 * self._bit_ns
        return self._end

    def pulses_seen(self, data: bytes, now: int) -> None:
        """A whole frame as decoded from a pin elsewhere (the emulated chip)."""
        self.settle(now)
        self._coming += data
        self._end = max(now, self._end)

    def settle(self, now: int) -> None:
        """Take over a frame that was followed by enough silence."""
        if self._coming and now >= self._end + RESET_NS:
            self._take(bytes(self._coming))
            self._coming.clear()

    def _take(self, data: bytes) -> None:
        reached = self.n if self.broken is None else min(self.n, self.broken)
        whole = min(len(data) // 3, reached) * 3
        self._shown = data[:whole] + self._shown[whole:]
        if self.broken is not None:
            self._shown = self._shown[: 3 * self.broken] + bytes(3) + self._shown[whole + 3 :]
        self.frames += 1

    def lit(self, now: int) -> bool:
        """Is any LED on?"""
        self.settle(now)
        return any(self._shown)

    def colours(self, now: int) -> list[tuple[int, int, int]]:
        """(r, g, b) of each LED, 0 to 255, at that time."""
        self.settle(now)
        raw = self._shown
        shown = [(raw[i + 1], raw[i], raw[i + 2]) for i in range(0, len(raw), 3)]
        for index in self.swapped:
            green, red, blue = shown[index]
            shown[index] = (red, green, blue)
        return shown


def _check(found: Pulses) -> None:
    zero, one = found.high
    if not 220 <= zero <= 550 or not 580 <= one <= 1000:
        raise NotModelled(
            f"pixel pulses of {zero} and {one} ns: a WS2812B takes 220 to 550 ns as 0 and 580 to "
            "1000 ns as 1"
        )
    if any(p - h < 220 for p, h in zip(found.period, found.high, strict=True)):
        raise NotModelled("pixel pulses with less than 220 ns low (WS2812B sheet)")
    if any(p > 5000 for p in found.period):
        raise NotModelled("pixel bits longer than 5 us (WS2812B sheet)")
