"""`rp2` as far as a pixel driver by PIO and DMA needs it.

Programs are assembled here to real PIO instructions; the world runs them to learn what pulses
they make, and decodes the words that follow. Sections are those of the RP2040 data sheet.
"""

import gc
import sys
from struct import pack

import simlink
from machine import Pin
from simlink import link


def _refuse(what, section):
    raise NotImplementedError("%s is not modelled (RP2040 data sheet %s)" % (what, section))


class PIO:
    """Constants; the blocks themselves are not handed out."""

    IN_LOW = 0
    IN_HIGH = 1
    OUT_LOW = 2
    OUT_HIGH = 3
    SHIFT_LEFT = 0
    SHIFT_RIGHT = 1
    JOIN_NONE = 0
    JOIN_TX = 1
    JOIN_RX = 2
    IRQ_SM0 = 0x100

    def __init__(self, id):
        _refuse("the PIO object", "3.7")


class _Program:
    """Instructions, wrap and shift settings, as StateMachine.init needs them."""


def asm_pio(
    *,
    out_init=None,
    set_init=None,
    sideset_init=None,
    side_pindir=False,
    in_shiftdir=0,
    out_shiftdir=0,
    autopush=False,
    autopull=False,
    push_thresh=32,
    pull_thresh=32,
    fifo_join=0,
):
    """Decorator: the function's calls become instructions."""
    if side_pindir or autopush or set_init is not None:
        _refuse("asm_pio with set_init, side_pindir or autopush", "3.5")
    if isinstance(sideset_init, tuple):
        _refuse("side-set of several pins", "3.5.1")

    def decorate(function):
        import pio_assembler

        program = _Program()
        program.side_bits = 0 if sideset_init is None else 1
        program.code, program.target, program.end = pio_assembler.assemble(
            function, program.side_bits
        )
        program.shift_right = out_shiftdir
        program.autopull = autopull
        program.threshold = pull_thresh & 31 or 32
        program.fifo = 8 if fifo_join == PIO.JOIN_TX else 4
        del sys.modules["pio_assembler"], pio_assembler
        gc.collect()
        return program

    return decorate


class StateMachine:
    """One state machine that shifts words out to one pin."""

    def __init__(self, id, program=None, freq=-1, **pins):
        if not 0 <= id <= 7:
            raise ValueError("invalid StateMachine")
        self.id = id
        self._active = False
        self._free = 0  # ns when all words so far have left
        if program is not None:
            self.init(program, freq, **pins)

    def init(self, program, freq=-1, *, out_base=None, sideset_base=None, set_base=None):
        pin = sideset_base if sideset_base is not None else out_base
        if set_base is not None or not isinstance(pin, Pin):
            _refuse("a state machine without a side-set or out pin", "3.5")
        hz = 125000000 if freq == -1 else freq
        head = pack(
            "<BIBBBBBBB",
            pin._id,
            hz,
            program.target,
            program.end,
            program.side_bits,
            1 if program.shift_right else 0,
            1 if program.autopull else 0,
            program.threshold,
            len(program.code),
        )
        code = b"".join([pack("<H", word) for word in program.code])
        told = head + code
        self._word_ns = link.request_data(simlink.PIO_PROGRAM, told, len(told), 0)
        self._fifo = program.fifo

    def active(self, value=None):
        if value is None:
            return self._active
        self._active = bool(value)
        link.spend(link.cost_pin)

    def restart(self):
        link.spend(link.cost_pin)

    def tx_fifo(self):
        """Words that still wait in the FIFO."""
        left = self._free - link.now
        return min(self._fifo, -(-left // self._word_ns)) if left > 0 else 0

    def put(self, value, shift=0):
        """Put one word or all of a buffer, waiting for room as the real one does."""
        if not self._active:
            _refuse("put() to a state machine that is not active", "3.5.4")
        for word in (value,) if isinstance(value, int) else value:
            room = self._free - self._fifo * self._word_ns
            if room > link.now:
                link.spend(room - link.now)
            self._send(pack("<I", (word << shift) & 0xFFFFFFFF), 4, 4)

    def _send(self, data, length, size):
        start = self._free if self._free > link.now else link.now
        self._free = start + (length // size) * self._word_ns
        link.op(simlink.PIXEL_SIZE, size, self.id, 0)
        link.op_data(simlink.PIXELS, data, length, link.cost_pin)

    def exec(self, instr):
        _refuse("StateMachine.exec", "3.4")

    def get(self, buf=None, shift=0):
        _refuse("reading from a state machine", "3.5.4")

    def irq(self, *args, **kwargs):
        _refuse("an interrupt of a state machine", "3.5")


# Fields of the control word: name, lowest bit, bits (2.5.7, CTRL_TRIG).
_FIELDS = (
    ("enable", 0, 1),
    ("high_pri", 1, 1),
    ("size", 2, 2),
    ("inc_read", 4, 1),
    ("inc_write", 5, 1),
    ("ring_size", 6, 4),
    ("ring_sel", 10, 1),
    ("chain_to", 11, 4),
    ("treq_sel", 15, 6),
    ("irq_quiet", 21, 1),
    ("bswap", 22, 1),
    ("sniff_en", 23, 1),
)


class DMA:
    """One channel from memory to a state machine's FIFO."""

    _taken = [False] * 12

    def __init__(self):
        for n in range(12):
            if not DMA._taken[n]:
                DMA._taken[n] = True
                self.channel = n
                break
        else:
            raise OSError(16)
        self._read = self._write = None
        self._count = 0
        self._end = 0
        self._ctrl = self.pack_ctrl()

    def pack_ctrl(self, default=None, **fields):
        word = default
        if word is None:
            word = 1 | 2 << 2 | 1 << 4 | 1 << 5 | self.channel << 11 | 0x3F << 15 | 1 << 21
        for name, low, bits in _FIELDS:
            if name in fields:
                mask = (1 << bits) - 1
                word = word & ~(mask << low) | (int(fields.pop(name)) & mask) << low
        if fields:
            raise TypeError("pack_ctrl: unknown field %s" % list(fields))
        return word

    @staticmethod
    def unpack_ctrl(word):
        return {name: word >> low & (1 << bits) - 1 for name, low, bits in _FIELDS}

    def config(self, *, read=None, write=None, count=None, ctrl=None, trigger=False):
        if read is not None:
            self._read = read
        if write is not None:
            self._write = write
        if count is not None:
            self._count = count
        if ctrl is not None:
            self._ctrl = ctrl
        if trigger:
            self._go()

    def _go(self):
        word = self._ctrl
        sm = self._write
        if not isinstance(sm, StateMachine):
            _refuse("DMA to anything but a state machine", "2.5")
        # EN, a size of 8 or 32 bits, INCR_READ without INCR_WRITE; narrow writes are repeated in
        # all lanes of the bus (2.1.4), so a byte is at the top of the FIFO word too.
        treq = (sm.id & 3) + (sm.id >> 2) * 8
        size = word >> 2 & 3
        if word & 0x31 != 0x11 or size not in (0, 2) or word >> 6 & 15 or word >> 15 & 63 != treq:
            _refuse(
                "DMA control word 0x%08x (needs words of 8 or 32 bits, inc_read, no inc_write, "
                "no ring, the state machine's DREQ)" % word,
                "2.5.3",
            )
        if word & 1 << 22:
            _refuse("byte swapping by DMA", "2.5.7")
        if not sm.active():
            _refuse("DMA to a state machine that is not active", "3.5.4")
        if self.active():
            _refuse("starting a busy DMA channel", "2.5.3")
        sm._send(self._read, self._count << size, 1 << size)
        self._end = sm._free - sm._fifo * sm._word_ns

    def active(self, value=None):
        """Whether words still wait in memory; `True` starts the channel."""
        if value is None:
            link.spend(link.cost_pin)
            return link.now < self._end
        if value:
            self._go()
        else:
            _refuse("aborting a DMA channel", "2.5.5.3")

    def irq(self, *args, **kwargs):
        _refuse("an interrupt of a DMA channel", "2.5.5")

    def close(self):
        DMA._taken[self.channel] = False

    @property
    def count(self):
        return self._count

    @count.setter
    def count(self, value):
        self._count = value

    @property
    def read(self):
        return self._read

    @read.setter
    def read(self, value):
        self._read = value

    @property
    def write(self):
        return self._write

    @write.setter
    def write(self, value):
        self._write = value

    @property
    def ctrl(self):
        return self._ctrl

    @ctrl.setter
    def ctrl(self, value):
        self._ctrl = value
