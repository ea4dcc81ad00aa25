# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The chip's main loop in C: what rp2040py's own `execute_batch` does, with typed PIO blocks.

There each instruction asks both PIO blocks, and whether it shall stop, as Python objects: two
thirds of the time. Order and arithmetic are the same here. A batch ends by the chip's time and
not by the desktop's, so that runs repeat exactly.
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
