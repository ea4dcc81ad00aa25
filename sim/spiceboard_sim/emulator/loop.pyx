# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The chip's main loop, its common instructions and its divider in C.

rp2040py's loop asks at each instruction both PIO blocks, and whether it shall stop, as Python
objects; its core asks Python at branches, calls and timer readings. Order, results and cycles are
the same here. A batch ends by the chip's time and not by the desktop's, so that runs repeat
exactly.
"""

from rp2040py.native._cortex_m0_core cimport CortexM0Core
from rp2040py.native._pio cimport RPPIO
from rp2040py.native._rp2040 cimport RP2040
from rp2040py.native._simulation_clock cimport ClockAlarm, SimulationClock

include "thumb.pxi"

cdef double CYCLE_NS = 1e9 / 125_000_000
cdef uint32_t SIO = 0xD0000000U
TIMER = 0x40054000
cdef uint32_t TIMER_HIGH = TIMER + 0x24  # TIMERAWH and TIMERAWL, RP2040 data sheet 4.6.5
cdef uint32_t TIMER_LOW = TIMER + 0x28
cdef uint32_t CPUID = 0  # offset in SIO, as those in `Divider`
cdef int APB_LOAD = 4  # cycles, as rp2040py counts them
cdef double LONGEST_NS = 11 * CYCLE_NS  # POP of eight registers and the PC
cdef long long NEVER = 1LL << 62


cdef class Loop:
    """Runs one chip; `stopped` ends a batch that is under way."""

    cdef public bint stopped
    cdef RP2040 mcu
    cdef RPPIO first
    cdef RPPIO second
    cdef Divider divider
    cdef object timer

    def __init__(self, mcu):
        self.mcu = mcu
        self.first, self.second = mcu.pio
        self.stopped = False
        self.timer = mcu.find_peripheral(TIMER)
        self.divider = mcu.sio = Divider(mcu)

    cdef Memory memory(self) noexcept:
        """Where registers and memory lie."""
        cdef Memory m
        cdef RP2040 mcu = self.mcu
        m.r = &mcu.core.registers[0]
        m.ram, m.ram_size = &mcu._sram[0], mcu.ram_byte_size
        m.flash, m.flash_size = &mcu._flash[0], mcu.flash_byte_size
        m.rom, m.rom_size = <uint8_t *>&mcu._bootrom[0], mcu.bootrom_byte_size
        return m

    cdef int beside(self, Memory *m) except -1:
        """A load or store that touches the timer or the divider; its cycles, or NOT_COMMON."""
        cdef uint8_t *at = readable(m, m.r[15])
        cdef uint32_t op = (<uint16_t *>at)[0] if at != NULL else 0
        cdef uint32_t address = m.r[op >> 3 & 7] + (op >> 6 & 31) * 4
        cdef double micros
        cdef int cycles = 1
        if op >> 12 != 6:
            return NOT_COMMON
        if op & 0x0800:
            if address == TIMER_HIGH or address == TIMER_LOW:
                micros = (self.mcu.clock._nanos_counter - <double>self.timer._epoch_nanos) / 1000
                m.r[op & 7] = <uint32_t>(<int64_t>micros >> (32 if address == TIMER_HIGH else 0))
                cycles = APB_LOAD
            elif self.divider.tells(address - SIO):
                m.r[op & 7] = <uint32_t>self.divider.look(address - SIO)
            else:
                return NOT_COMMON
        elif self.divider.takes(address - SIO):
            self.divider.put(address - SIO, m.r[op & 7])
        else:
            return NOT_COMMON
        m.r[15] += 2
        return cycles

    cdef long long due(self) noexcept:
        """In how many cycles PIO must run next."""
        cdef long long left = NEVER
        if not self.first.stopped:
            left = (self.first.next_due_fp - self.first.cycle_fp) >> 8
        if not self.second.stopped:
            left = min(left, (self.second.next_due_fp - self.second.cycle_fp) >> 8)
        return left

    cdef long long burst(self, Memory *m, double end) noexcept:
        """Execute common instructions until time is up, PIO is due, or another one comes; the
        cycles. The last instruction before an alarm is not among them."""
        cdef CortexM0Core core = self.mcu.core
        cdef SimulationClock clock = self.mcu.clock
        cdef double nanos = clock._nanos_counter
        cdef long long cycles = 0, left = self.due()
        cdef int more
        if clock._next_alarm is not None:
            end = min(end, clock._next_alarm.nanos - LONGEST_NS)
        while nanos < end and cycles < left:
            more = common(core, m)
            if more == NOT_COMMON:
                break
            cycles += more
            nanos += more * CYCLE_NS
        clock._nanos_counter = nanos
        core.cycles += cycles
        return cycles

    cdef int one(self, Memory *m) except -1:
        """Execute one instruction, and what is due at its end; its cycles."""
        cdef CortexM0Core core = self.mcu.core
        cdef SimulationClock clock = self.mcu.clock
        cdef ClockAlarm alarm
        cdef int cycles = NOT_COMMON
        if not core.interrupts_updated:
            cycles = common(core, m) or self.beside(m)
        if cycles == NOT_COMMON:
            cycles = core.execute_instruction()
        else:
            core.cycles += cycles
        alarm = clock._next_alarm
        if alarm is not None and alarm.nanos <= clock._nanos_counter + cycles * CYCLE_NS:
            clock.tick(cycles * CYCLE_NS)
        else:
            clock._nanos_counter += cycles * CYCLE_NS
        return cycles

    cdef long long sleep(self) except -1:
        """Let time pass until the next alarm; the cycles."""
        cdef SimulationClock clock = self.mcu.clock
        cdef ClockAlarm alarm = clock._next_alarm
        cdef double delta = CYCLE_NS if alarm is None else alarm.nanos - clock._nanos_counter
        clock.tick(delta)
        return <long long>(delta / CYCLE_NS) or 1

    def run(self, double ns):
        """Execute until so much of the chip's time has passed; a sleep ends at its alarm."""
        cdef CortexM0Core core = self.mcu.core
        cdef SimulationClock clock = self.mcu.clock
        cdef Memory memory = self.memory()
        cdef double end = clock._nanos_counter + ns
        cdef long long cycles
        while clock._nanos_counter < end and not self.stopped:
            cycles = 0
            if core.waiting:
                cycles = self.sleep()
            elif not core.interrupts_updated:
                cycles = self.burst(&memory, end)
            if not cycles:
                cycles = self.one(&memory)
            if not self.first.stopped:
                self.first.cycle_fp += cycles << 8
                if self.first.cycle_fp >= self.first.next_due_fp:
                    self.first.advance(0)
            if not self.second.stopped:
                self.second.cycle_fp += cycles << 8
                if self.second.cycle_fp >= self.second.next_due_fp:
                    self.second.advance(0)


cdef class Divider:
    """Stands before rp2040py's SIO block: divider, spin locks and CPUID are here, `rest` is the block.

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

    cdef bint tells(self, unsigned int offset) noexcept:
        """Whether `look` answers for a register."""
        return offset == CPUID or 0x5C <= offset <= 0x78 or 0x100 <= offset <= 0x17C

    cdef bint takes(self, unsigned int offset) noexcept:
        """Whether `put` is for a register."""
        return 0x60 <= offset <= 0x74 or 0x100 <= offset <= 0x17C

    cdef long long look(self, unsigned int offset) noexcept:
        cdef unsigned int bit
        if offset == CPUID:
            return 0  # the emulator has one core
        if offset >= 0x100:
            bit = 1U << ((offset - 0x100) >> 2)
            if self.locks & bit:
                return 0
            self.locks |= bit
            return bit
        if offset == 0x5C:
            return self.locks
        if offset == 0x70:
            self.csr &= ~2
            return self.quotient
        if offset == 0x74:
            return self.remainder
        if offset == 0x78:
            return self.csr
        return self.divisor if offset & 4 else self.dividend

    cdef void put(self, unsigned int offset, long long value) noexcept:
        if offset >= 0x100:
            self.locks &= ~(1U << ((offset - 0x100) >> 2))
        elif offset < 0x70:
            if offset & 4:
                self.divisor = value
            else:
                self.dividend = value
            self._divide(offset & 8)
        else:
            if offset == 0x70:
                self.quotient = value
            else:
                self.remainder = value
            self.csr = 3

    def read_uint32(self, unsigned int offset):
        return self.look(offset) if self.tells(offset) else self.rest.read_uint32(offset)

    def write_uint32(self, unsigned int offset, long long value):
        if self.takes(offset):
            self.put(offset, value)
        else:
            self.rest.write_uint32(offset, value)
