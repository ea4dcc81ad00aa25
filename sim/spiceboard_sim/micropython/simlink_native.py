"""The link itself, compiled to machine code: a simulated board does little else.

`simlink` runs this text as bytecode where the interpreter makes no machine code.
"""

import os
from binascii import unhexlify

import micropython

try:
    from simlink_viper import copy, get64, put32
except (ImportError, SyntaxError):
    from simlink_plain import copy, get64, put32

_SIZE = 4096
_HELLO_SIZE = 96
_HEAD = 32  # bytes of an answer before its data: now, horizon, value, interrupt

# Operations; those from 0x40 on are answered.
ADVANCE, PIN_SET, SPI_WRITE, PIXELS, SPI_INIT, PIN_INIT, PWM, WATCHDOG, FEED, PIXEL_SIZE = range(
    1, 11
)
SPI_READ, PIN_GET, ADC_READ, WAIT, SYNC, HELLO, RESET, PIO_PROGRAM = range(0x40, 0x48)


class Link:
    """The clock and the outgoing buffer; one object, `link`, is shared by all modules."""

    def __init__(self):
        descriptor = os.getenv("SPICEBOARD_LINK")
        if descriptor is None:
            raise RuntimeError(
                "these hardware modules work only under the simulator: start the firmware "
                "with `python -m spiceboard_sim`"
            )
        self._file = open(int(descriptor), "r+b")
        self._out = bytearray(_SIZE)
        self._fill = 0
        self._owed = 0  # ns that passed here and are not told yet
        self._in = bytearray(_HEAD + 1024)
        self.now = 0  # ns
        self.horizon = 0  # until then nothing happens outside
        # Padded: a packet's rest would be lost, so that its length has to be known before.
        n = self.request_data(HELLO, b"", 0, _HELLO_SIZE)
        text = bytes(memoryview(self._in)[_HEAD : _HEAD + n])
        costs, unique_id, cause = text.split(b"\n")
        self.cost_pin, self.cost_spi, self.cost_ticks, self.cost_poll = [
            int(x) for x in costs.split()
        ]
        self.unique_id = unhexlify(unique_id)
        self.reset_cause = int(cause)

    @micropython.native
    def _tell_time(self):
        owed = self._owed
        while owed:
            step = owed if owed < 0x40000000 else 0x40000000
            self._out[self._fill] = ADVANCE
            put32(self._out, self._fill + 1, step)
            self._fill += 5
            owed -= step
        self._owed = 0

    @micropython.native
    def op(self, code, a, b, cost):
        """Post an operation with two small arguments (0 to 65535) that takes `cost` ns."""
        if self._owed:
            self._tell_time()
        n = self._fill
        out = self._out
        out[n] = code
        put32(out, n + 1, a | b << 16)
        self._fill = n + 5
        self.now += cost
        if self.now >= self.horizon or n > 3000:
            self.request(SYNC)

    @micropython.native
    def op_data(self, code, data, length, cost):
        """Post `length` bytes that go out in `cost` ns."""
        if self._fill + length > _SIZE - 32:
            self.request(SYNC)
        if self._owed:
            self._tell_time()
        n = self._fill
        out = self._out
        out[n] = code
        put32(out, n + 1, length)
        copy(out, n + 5, data, 0, length)
        self._fill = n + 5 + length
        self.now += cost
        if self.now >= self.horizon:
            self.request(SYNC)

    @micropython.native
    def request(self, code, a=0, b=0):
        """Send what is gathered, and wait for the answer; returns its value.

        a: 0 to 65535; b: anything up to 62 bits. Data of the answer: `take`.
        """
        if self._owed:
            self._tell_time()
        n = self._fill
        out = self._out
        out[n] = code
        put32(out, n + 1, a)
        put32(out, n + 5, b)
        put32(out, n + 9, b >> 32)
        return self._exchange(n + 13, 0)

    @micropython.native
    def request_data(self, code, data, length, answer):
        """As `request`, with `length` bytes out and `answer` bytes back."""
        if self._fill + length > _SIZE - 64:
            self.request(SYNC)
        if self._owed:
            self._tell_time()
        n = self._fill
        out = self._out
        out[n] = code
        put32(out, n + 1, length)
        copy(out, n + 5, data, 0, length)
        return self._exchange(n + 5 + length, answer)

    @micropython.native
    def _exchange(self, length, answer):
        self._file.write(self._out, length)
        self._fill = 0
        got = self._file.readinto(self._in, _HEAD + answer)
        if got != _HEAD + answer:
            raise SystemExit(9)  # the world is gone
        self.now = get64(self._in, 0)
        self.horizon = get64(self._in, 8)
        self.value = get64(self._in, 16)
        if self._in[24]:
            raise KeyboardInterrupt  # somebody typed Ctrl-C
        return self.value

    @micropython.native
    def take(self, buf, length):
        """Copy the data of the last answer."""
        copy(buf, 0, self._in, _HEAD, length)

    @micropython.native
    def spend(self, cost):
        """Let `cost` ns pass."""
        self.now += cost
        self._owed += cost
        if self.now >= self.horizon:
            self.request(SYNC)

    @micropython.native
    def wait(self, until, flags):
        """Sleep until the time `until` (ns; negative: for ever) or until what `flags` names
        (1: input can be read, 4: output can be written); returns what is ready."""
        if 0 <= until <= self.horizon and not flags & 4:
            if until > self.now:
                self.spend(until - self.now)
            return 0
        return self.request(WAIT, flags, until if until >= 0 else 0x3FFFFFFFFFFFFFFF)
