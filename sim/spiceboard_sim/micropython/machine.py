"""`machine` of a Raspberry Pi Pico as far as the board uses it; the hardware is elsewhere.

Every call is forwarded to the world, or refused with the section of the RP2040 data sheet that
describes what is not modelled.
"""

from struct import pack

import simlink
from simlink import link

PWRON_RESET = 1
WDT_RESET = 3


def _refuse(what, section):
    raise NotImplementedError("%s is not modelled (RP2040 data sheet %s)" % (what, section))


def reset_cause():
    return link.reset_cause


def unique_id():
    return link.unique_id


def freq(hz=None):
    if hz is not None:
        _refuse("changing the clock", "2.15")
    return 125000000


def reset():
    link.request(simlink.RESET, 1)
    raise SystemExit(0)


def soft_reset():
    link.request(simlink.RESET, 0)
    raise SystemExit(0)


def bootloader(timeout=None):
    link.request(simlink.RESET, 2)
    raise SystemExit(0)


def idle():
    link.spend(1000)


def lightsleep(ms=None):
    _refuse("lightsleep", "2.11")


def deepsleep(ms=None):
    _refuse("deepsleep", "2.11")


def disable_irq():
    return 0


def enable_irq(state):
    pass


class _Memory:
    def __getitem__(self, address):
        _refuse("reading memory at 0x%08x" % address, "2.2")

    def __setitem__(self, address, value):
        # WATCHDOG CTRL.ENABLE by the atomic clear alias (4.7.6 and 2.1.2): stops the watchdog
        if address == 0x4005B000 and value == 1 << 30:
            link.op(simlink.WATCHDOG, 0, 0, link.cost_pin)
            return
        _refuse("writing memory at 0x%08x" % address, "2.2")


mem8 = mem16 = mem32 = _Memory()


class Pin:
    """A pin of bank 0, GP0 to GP28."""

    IN = 0
    OUT = 1
    OPEN_DRAIN = 2
    ALT = 3
    PULL_UP = 1
    PULL_DOWN = 2
    IRQ_FALLING = 4
    IRQ_RISING = 8

    def __init__(self, id, mode=-1, pull=-1, value=None, alt=None):
        if isinstance(id, Pin):
            id = id._id
        if isinstance(id, str):
            if id[:2] != "GP":
                _refuse("pin %r" % id, "1.4.3")
            id = int(id[2:])
        if not 0 <= id <= 28:
            _refuse("pin %r" % (id,), "1.4.3")
        self._id = id
        self._level = 0
        if mode != -1 or pull != -1:
            self.init(mode, pull, value)

    def init(self, mode=-1, pull=-1, value=None, alt=None):
        if mode == Pin.OPEN_DRAIN or mode == Pin.ALT or alt is not None:
            _refuse("pin mode %r" % mode, "2.19.2")
        code = (0 if mode == -1 else mode) | (0 if pull in (-1, None) else pull) << 4
        if mode == Pin.OUT and value is not None:
            self._level = 1 if value else 0
        link.op(simlink.PIN_INIT, self._id, code | self._level << 8, link.cost_pin)

    def value(self, x=None):
        if x is None:
            link.spend(link.cost_pin)
            return link.request(simlink.PIN_GET, self._id)
        self._level = 1 if x else 0
        link.op(simlink.PIN_SET, self._id, self._level, link.cost_pin)

    def __call__(self, x=None):
        return self.value(x)

    def on(self):
        self.value(1)

    def off(self):
        self.value(0)

    high = on
    low = off

    def toggle(self):
        self.value(1 - self._level)

    def irq(self, *args, **kwargs):
        _refuse("a pin interrupt", "2.19.3")

    def __repr__(self):
        return "Pin(GPIO%d)" % self._id


class SPI:
    """The SPI peripheral as master, 8 bits a word."""

    MSB = 1
    LSB = 0

    def __init__(
        self,
        id,
        baudrate=1000000,
        polarity=0,
        phase=0,
        bits=8,
        firstbit=1,
        sck=None,
        mosi=None,
        miso=None,
    ):
        self._id = id
        self._sck = 2 if sck is None else sck._id
        self._mosi = 3 if mosi is None else mosi._id
        self._miso = 4 if miso is None else miso._id
        self.init(baudrate, polarity, phase, bits, firstbit)

    def init(self, baudrate=1000000, polarity=0, phase=0, bits=8, firstbit=1, **pins):
        if polarity or phase or bits != 8 or firstbit != 1:
            _refuse("SPI other than mode 0, 8 bits, MSB first", "4.4")
        if (self._id, self._sck, self._mosi, self._miso) != (0, 2, 3, 4):
            _refuse("SPI on other pins than SPI0 at GP2, GP3, GP4", "1.4.3")
        # The divider of the PL022 reaches even divisions of the peripheral clock only.
        divider = 2
        while 125000000 // divider > baudrate:
            divider += 2
        self._baud = 125000000 // divider
        self._byte_ns = 8000000000 // self._baud
        link.op(simlink.SPI_INIT, self._baud // 10000, 0, link.cost_spi)

    def deinit(self):
        pass

    def _cost(self, n):
        return link.cost_spi + n * self._byte_ns

    def write(self, buf):
        n = len(buf)
        link.op_data(simlink.SPI_WRITE, buf, n, self._cost(n))

    def write_readinto(self, out, into):
        n = len(out)
        if n != len(into):
            raise ValueError("buffers must be the same length")
        link.request_data(simlink.SPI_READ, out, n, n)
        link.take(into, n)

    def readinto(self, buf, write=0):
        for i in range(len(buf)):
            buf[i] = write
        self.write_readinto(buf, buf)

    def read(self, n, write=0):
        buf = bytearray(n)
        self.readinto(buf, write)
        return bytes(buf)


class ADC:
    """One of the inputs GP26 to GP29."""

    CORE_TEMP = 4

    def __init__(self, pin):
        self._pin = pin._id if isinstance(pin, Pin) else pin
        if isinstance(pin, int) and 0 <= pin <= 2:
            self._pin = 26 + pin
        if not 26 <= self._pin <= 28:
            _refuse("ADC input %r" % (pin,), "4.9")

    def read_u16(self):
        link.spend(link.cost_pin + 2000)
        return link.request(simlink.ADC_READ, self._pin)


class PWM:
    """A slice's output: frequency and duty of a square wave."""

    def __init__(self, pin, freq=0, duty_u16=0, **kwargs):
        if kwargs:
            _refuse("PWM with %r" % kwargs, "4.5")
        self._pin = pin._id
        self._freq = freq
        self._duty = duty_u16
        self._tell()

    def _tell(self):
        if self._freq and not 8 <= self._freq <= 62500000:
            raise ValueError("freq out of range")
        told = pack("<HIH", self._pin, self._freq, self._duty)
        link.op_data(simlink.PWM, told, len(told), link.cost_pin)

    def freq(self, hz=None):
        if hz is None:
            return self._freq
        self._freq = hz
        self._tell()

    def duty_u16(self, duty=None):
        if duty is None:
            return self._duty
        self._duty = duty
        self._tell()

    def deinit(self):
        self._duty = 0
        self._tell()


class WDT:
    """The watchdog: once started it cannot be stopped; at most 8388 ms."""

    def __init__(self, id=0, timeout=5000):
        if not 1 <= timeout <= 8388:
            raise ValueError("timeout out of range")
        link.op(simlink.WATCHDOG, timeout, 0, link.cost_pin)

    def feed(self):
        link.op(simlink.FEED, 0, 0, link.cost_pin)


def __getattr__(name):
    raise AttributeError("machine.%s is not modelled by the simulator" % name)
