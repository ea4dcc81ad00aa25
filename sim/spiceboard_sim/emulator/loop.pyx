# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The chip's main loop and its divider in C: what rp2040py does in Python, with the same results.

Its loop asks at each instruction both PIO blocks, and whether it shall stop, as Python objects:
two thirds of the time. Order and arithmetic are the same here. A batch ends by the chip's time and
not by the desktop's, so that runs repeat exactly. The divider is asked for each look into a dict.
"""

from rp2040py.native._cortex_m0_core cimport CortexM0Core
from rp2040py.native._pio cimport RPPIO
from rp2040py.native._rp2040 cimport RP2040
from rp2040py.native._simulation_clock cimport ClockAlarm, SimulationClock

cdef double CYCLE_NS = 1e9 / 125_000_000


cdef class Loop:
    """Runs one chip; `stopped` ends a batch that is under way."""

    cdef public bint stopped
    cdef RP2040 mcu
    cdef RPPIO first
    cdef RPPIO second

    def __init__(self, mcu):
        self.mcu = mcu
        self.first, self.second = mcu.pio
        self.stopped = False
        mcu.sio = Divider(mcu)

    def run(self, double ns):
        """Execute until so much of the chip's time has passed; a sleep ends at its alarm."""
        cdef CortexM0Core core = self.mcu.core
        cdef SimulationClock clock = self.mcu.clock
        cdef RPPIO first = self.first
        cdef RPPIO second = self.second
        cdef ClockAlarm alarm
        cdef double end = clock._nanos_counter + ns
        cdef double delta
        cdef long long cycles
        while clock._nanos_counter < end and not self.stopped:
            if core.waiting:
                alarm = clock._next_alarm
                delta = CYCLE_NS if alarm is None else alarm.nanos - clock._nanos_counter
                clock.tick(delta)
                cycles = <long long>(delta / CYCLE_NS) or 1
            else:
                cycles = core.execute_instruction()
                delta = cycles * CYCLE_NS
                alarm = clock._next_alarm
                if alarm is not None and alarm.nanos <= clock._nanos_counter + delta:
                    clock.tick(delta)
                else:
                    clock._nanos_counter += delta
            if not first.stopped:
                first.cycle_fp += cycles << 8
                if first.cycle_fp >= first.next_due_fp:
                    first.advance(0)
            if not second.stopped:
                second.cycle_fp += cycles << 8
                if second.cycle_fp >= second.next_due_fp:
                    second.advance(0)


cdef class Divider:
    """Stands before rp2040py's SIO block: divider and spin locks are here, `rest` is the block.

    RP2040 data sheet 2.3.1.5 and 2.3.1.3. As in rp2040py, a division counts 8 cycles at once.
    """

    cdef object rest
    cdef CortexM0Core core
    cdef long long dividend, divisor, quotient, remainder
    cdef unsigned int csr, locks

    def __init__(self, mcu):
        self.rest = mcu.sio
        self.core = mcu.core
        self._clear()

    def reset(self):
        self.rest.reset()
        self._clear()

    @property
    def gpio_value(self):
        return self.rest.gpio_value

    @property
    def gpio_output_enable(self):
        return self.rest.gpio_output_enable

    def __getattr__(self, name):
        return getattr(self.rest, name)

    cdef void _clear(self) noexcept:
        self.dividend = self.quotient = self.remainder = 0
        self.divisor = 1
        self.csr = self.locks = 0

    cdef void _divide(self, bint signed) noexcept:
        cdef long long a, b
        if signed:
            a = <int>self.dividend
            b = <int>self.divisor
        else:
            a = <unsigned int>self.dividend
            b = <unsigned int>self.divisor
        if b == 0:
            self.quotient = -1 if self.dividend > 0 else 1
            self.remainder = self.dividend
        else:
            self.quotient = a / b
            self.remainder = a % b
        self.csr = 3
        self.core.cycles += 8

    def read_uint32(self, unsigned int offset):
        cdef unsigned int bit
        if 0x60 <= offset <= 0x78:
            if offset == 0x70:
                self.csr &= ~2
                return self.quotient
            if offset == 0x74:
                return self.remainder
            if offset == 0x78:
                return self.csr
            return self.divisor if offset & 4 else self.dividend
        if 0x100 <= offset <= 0x17C:
            bit = 1U << ((offset - 0x100) >> 2)
            if self.locks & bit:
                return 0
            self.locks |= bit
            return bit
        if offset == 0x5C:
            return self.locks
        return self.rest.read_uint32(offset)

    def write_uint32(self, unsigned int offset, long long value):
        if 0x60 <= offset <= 0x6C:
            if offset & 4:
                self.divisor = value
            else:
                self.dividend = value
            self._divide(offset & 8)
        elif offset == 0x70:
            self.quotient = value
            self.csr = 3
        elif offset == 0x74:
            self.remainder = value
            self.csr = 3
        elif 0x100 <= offset <= 0x17C:
            self.locks &= ~(1U << ((offset - 0x100) >> 2))
        else:
            self.rest.write_uint32(offset, value)
