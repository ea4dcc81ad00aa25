"""A PIO state machine of the RP2040, run for as many bits as it takes to know its pulses.

A program that drives pixels makes one pulse for each bit it shifts out. It is run here cycle by
cycle (RP2040 data sheet, 3.4 and 3.5) over a test pattern, and the pulses are measured; then
whole frames need no more than their bits.
"""

from dataclasses import dataclass
from itertools import pairwise

from spiceboard_sim.chips.air import NotModelled

_PATTERN = (0, 1, 1, 0, 0, 1, 0, 1)


@dataclass(frozen=True)
class Program:
    """As StateMachine.init describes it: instructions, wrap, side-set, shift settings."""

    hz: int
    code: tuple[int, ...]
    target: int
    end: int
    side_bits: int
    shift_right: bool
    autopull: bool
    threshold: int


@dataclass(frozen=True)
class Pulses:
    """Times in ns of a bit 0 and a bit 1: high, and from one rise to the next."""

    high: tuple[int, int]
    period: tuple[int, int]


class _Machine:
    """Registers and the side-set pin of one state machine; the FIFO holds the pattern for ever."""

    def __init__(self, program: Program) -> None:
        if not program.autopull:
            raise NotModelled("a pixel program without autopull (RP2040 data sheet 3.5.4)")
        self.program = program
        self.pc = 0
        self.x = self.y = 0
        self.shifted = 0
        self.level = 0
        self.trace: list[int] = []

    def out(self, count: int) -> int:
        if count != 1:
            raise NotModelled("PIO OUT of other than one bit (RP2040 data sheet 3.4.5)")
        bit = _PATTERN[self.shifted % len(_PATTERN)]
        self.shifted += 1
        return bit

    def step(self) -> None:
        program = self.program
        word = program.code[self.pc]
        field = word >> 8 & 31
        if program.side_bits:
            self.level = field >> 4
            field &= 15
        following = program.target if self.pc == program.end else self.pc + 1
        self.pc = self._execute(word, following)
        self.trace += [self.level] * (1 + field)

    def _execute(self, word: int, following: int) -> int:
        kind, to, low = word >> 13, word >> 5 & 7, word & 31
        if kind == 0:
            return low if self._condition(to) else following
        if kind == 3:
            self._set(to, self.out(low or 32))
        elif kind == 5 and word & 0x18 == 0:
            self._set(to, {0: self.level, 1: self.x, 2: self.y, 3: 0}.get(low & 7, 0))
        elif kind == 7:
            self._set(to, low)
        else:
            raise NotModelled(f"PIO instruction 0x{word:04x} (RP2040 data sheet 3.4)")
        return following

    def _condition(self, test: int) -> bool:
        if test == 2:
            self.x -= 1
            return self.x != -1
        if test == 4:
            self.y -= 1
            return self.y != -1
        table = {0: True, 1: self.x == 0, 3: self.y == 0, 5: self.x != self.y, 7: True}
        if test not in table:
            raise NotModelled("PIO JMP on the pin (RP2040 data sheet 3.4.2)")
        return table[test]

    def _set(self, to: int, value: int) -> None:
        if to == 0:
            self.level = value & 1
        elif to == 1:
            self.x = value
        elif to == 2:
            self.y = value
        elif to != 3:
            raise NotModelled("PIO destination other than pins, x, y (RP2040 data sheet 3.4)")


def pulses(program: Program) -> Pulses:
    """Run the program over a pattern of bits, and measure what a 0 and a 1 look like."""
    machine = _Machine(program)
    bits = 3 * len(_PATTERN)
    for _ in range(64 * bits):
        if machine.shifted > bits:
            break
        machine.step()
    cycle = 1_000_000_000 / program.hz
    trace = machine.trace
    rises = [i for i in range(1, len(trace)) if trace[i] and not trace[i - 1]]
    if len(rises) < bits - 1:
        raise NotModelled("a PIO program that does not make one pulse for each bit")
    high: list[set[int]] = [set(), set()]
    period: list[set[int]] = [set(), set()]
    for k, (rise, after) in enumerate(pairwise(rises)):
        bit = _PATTERN[k % len(_PATTERN)]
        high[bit].add(round(sum(trace[rise:after]) * cycle))
        period[bit].add(round((after - rise) * cycle))
    if any(len(times) != 1 for times in high + period):
        raise NotModelled("a PIO program whose pulses for equal bits differ")
    return Pulses((min(high[0]), min(high[1])), (min(period[0]), min(period[1])))
