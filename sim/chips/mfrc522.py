"""The MFRC522 reader at register level, behind its SPI.

Written from NXP's data sheet, revision 3.9; "sheet" with a section means that. What is not
modelled raises `NotModelled`: MIFARE authentication, other speeds than 106 kbit/s, self-test,
power-down, interrupt pin, register bits without a meaning for this use.

Two places where the sheet leaves room, and what was taken:
- CollPos (9.3.1.15) is "the bit position of the first detected collision in a received frame".
  NXP's own software counts from the first byte in the FIFO, RxAlign included: `coll_pos="frame"`.
  Some public drivers take it as the position in the cascade level: `coll_pos="level"`.
- SoftReset (10.3.1.10) takes time that is not stated: 100 us here; CommandReg shows the
  PowerDown bit until then.
"""

from collections.abc import Callable

from spiceboard.sim.chips.air import (
    CARRIER_HZ,
    ETU_NS,
    NEVER,
    Field,
    NotModelled,
    Reception,
    crc_a,
    frame_ns,
    response_ns,
)

# Registers (sheet, 9.2)
COMMAND, COM_IEN, DIV_IEN, COM_IRQ, DIV_IRQ, ERROR, STATUS1, STATUS2 = range(0x01, 0x09)
FIFO_DATA, FIFO_LEVEL, WATER_LEVEL, CONTROL, BIT_FRAMING, COLL = range(0x09, 0x0F)
MODE, TX_MODE, RX_MODE, TX_CONTROL, TX_ASK = range(0x11, 0x16)
CRC_RESULT_H, CRC_RESULT_L = 0x21, 0x22
RF_CFG, T_MODE, T_PRESCALER = 0x26, 0x2A, 0x2B
T_RELOAD_H, T_RELOAD_L, T_COUNTER_H, T_COUNTER_L = 0x2C, 0x2D, 0x2E, 0x2F
VERSION = 0x37

_RESET = {
    COMMAND: 0x20, COM_IEN: 0x80, DIV_IEN: 0x00, COM_IRQ: 0x14, DIV_IRQ: 0x00, ERROR: 0x00,
    STATUS1: 0x21, STATUS2: 0x00, FIFO_LEVEL: 0x00, WATER_LEVEL: 0x08, CONTROL: 0x10,
    BIT_FRAMING: 0x00, COLL: 0xA0, MODE: 0x3F, TX_MODE: 0x00, RX_MODE: 0x00, TX_CONTROL: 0x80,
    TX_ASK: 0x00, 0x16: 0x10, 0x17: 0x84, 0x18: 0x84, 0x19: 0x4D, 0x1C: 0x62, 0x1D: 0x00,
    0x1F: 0xEB, CRC_RESULT_H: 0xFF, CRC_RESULT_L: 0xFF, 0x24: 0x26, RF_CFG: 0x48, 0x27: 0x88,
    0x28: 0x20, 0x29: 0x20, T_MODE: 0x00, T_PRESCALER: 0x00, T_RELOAD_H: 0x00,
    T_RELOAD_L: 0x00,
}  # fmt: skip
# Registers whose every value may be written: they are stored, and used as far as modelled.
_PLAIN = frozenset((COM_IEN, WATER_LEVEL, T_PRESCALER, T_RELOAD_H, T_RELOAD_L, RF_CFG))
# Registers of which only these values are modelled, with the section that tells the rest.
_ONLY = {
    DIV_IEN: ({0x00, 0x04, 0x80, 0x84}, "9.3.1.4"),
    STATUS2: ({0x00}, "9.3.1.9"),
    MODE: ({0x3D, 0x3F, 0x3C, 0x3E, 0x29, 0x2D, 0x39}, "9.3.2.2"),
    TX_MODE: ({0x00, 0x80}, "9.3.2.3"),
    RX_MODE: ({0x00, 0x80}, "9.3.2.4"),
    TX_ASK: ({0x00, 0x40}, "9.3.2.6"),
    0x16: ({0x10}, "9.3.2.7"),
    0x17: ({0x84, 0x86, 0x88}, "9.3.2.8"),
    0x18: ({0x84, 0x55, 0x65, 0x85}, "9.3.2.9"),
    0x19: ({0x4D}, "9.3.2.10"),
    0x1C: ({0x62}, "9.3.2.13"),
    0x1D: ({0x00}, "9.3.2.14"),
    0x24: ({0x26}, "9.3.3.5"),
    0x27: ({0x88, 0xF4, 0xF8, 0xFF}, "9.3.3.8"),
    0x28: ({0x20, 0x3F}, "9.3.3.9"),
    0x29: ({0x20}, "9.3.3.10"),
}
GAIN_DB = (18, 23, 18, 23, 33, 38, 43, 48)  # RFCfgReg bits 6 to 4 (sheet, 9.3.3.6)
_PRESETS = (0x0000, 0x6363, 0xA671, 0xFFFF)  # ModeReg bits 1 to 0

_IDLE, _CALC_CRC, _TRANSMIT, _NO_CHANGE, _TRANSCEIVE, _SOFT_RESET = 0, 3, 4, 7, 0xC, 0xF
_TX_IRQ, _RX_IRQ, _IDLE_IRQ, _HI_IRQ, _LO_IRQ, _ERR_IRQ, _TIMER_IRQ = 64, 32, 16, 8, 4, 2, 1
_BUFFER_OVFL, _COLL_ERR, _CRC_ERR, _PARITY_ERR, _WR_ERR = 0x10, 0x08, 0x04, 0x02, 0x80
_RESET_NS = 100_000


class MFRC522:
    """One reader chip on the bus; bytes go in and out by `transfer` while it is selected.

    name: for sentences. now: the clock (ns). coll_pos: see the module. Faults are attributes:
    `dead` (MISO stays low), `stuck` (a reset never ends), `deaf` (nothing goes out), `sticky`
    {register: bits that stay at 0}.
    """

    def __init__(
        self,
        now: Callable[[], int],
        field: Field,
        name: str = "reader",
        version: int = 0x92,
        coll_pos: str = "frame",
    ) -> None:
        if coll_pos not in ("frame", "level"):
            raise ValueError(f"coll_pos is 'frame' or 'level', not {coll_pos!r}")
        self._now = now
        self._field = field
        self.name = name
        self.version = version
        self._by_level = coll_pos == "level"
        self.dead = self.stuck = self.deaf = False
        self.sticky: dict[int, int] = {}
        self._ready_at = 0
        self._addressed = -1  # register of the running SPI frame, or -1 before its first byte
        self._writing = False
        self.power_on()

    # --- power and reset ---

    def power_on(self) -> None:
        """Power returns (or NRSTPD rises): as after a soft reset, with the FIFO empty."""
        self.fifo = bytearray()
        self._reset()
        self._ready_at = NEVER if self.stuck else 0

    def hold_reset(self) -> None:
        """Fault: NRSTPD is low for ever."""
        self._reset()
        self._ready_at = NEVER

    def _reset(self) -> None:
        self.reg = bytearray(64)
        for address, value in _RESET.items():
            self.reg[address] = value
        self._tx_end = self._rx_end = self._crc_end = NEVER
        self._timer_from = -1  # ns, or -1 while it stands
        self._timer_end = NEVER
        self._due = NEVER
        self._reception: Reception | None = None
        self._rx_align = self._tx_known = 0
        self._field.switch(False, self._now())

    @property
    def antenna(self) -> bool:
        """True while TX1 or TX2 drives the antenna."""
        return bool(self.reg[TX_CONTROL] & 3)

    @property
    def gain_db(self) -> int:
        """The receiver's gain that is set."""
        return GAIN_DB[self.reg[RF_CFG] >> 4 & 7]

    # --- SPI (sheet, 8.1.2) ---

    def select(self) -> None:
        """NSS falls: a new frame begins."""
        self._addressed = -1

    def deselect(self) -> None:
        """NSS rises."""
        self._addressed = -1

    def transfer(self, data: bytes) -> bytes:
        """Exchange bytes of the running frame.

        Reading: each byte is an address, answered by the next byte's MISO. Writing: one address,
        then data for it.
        """
        if self.dead:
            return bytes(len(data))
        out = bytearray(len(data))
        addressed = self._addressed
        for i, byte in enumerate(data):
            if addressed < 0:
                self._writing = not byte & 0x80
                addressed = byte >> 1 & 63
                if byte & 1:
                    raise NotModelled(f"{self.name}: SPI address byte with bit 0 set (8.1.2.3)")
                if self._writing and addressed == 0:
                    raise NotModelled(f"{self.name}: write to reserved register 0x00 (9.2)")
            elif self._writing:
                self._write(addressed, byte)
            else:
                out[i] = self._read(addressed)
                addressed = byte >> 1 & 63
        self._addressed = addressed
        return bytes(out)

    # --- registers ---

    def _refuse(self, what: str, section: str) -> NotModelled:
        return NotModelled(f"{self.name}: {what} is not modelled (MFRC522 data sheet {section})")

    def _read(self, address: int) -> int:
        now = self._now()
        if now >= self._due:
            self._advance(now)
        if address == FIFO_DATA:
            if not self.fifo:
                return 0
            value = self.fifo.pop(0)
            self._fifo_changed()
            return value
        if address == FIFO_LEVEL:
            return len(self.fifo)
        if address == COMMAND and now < self._ready_at:
            return self.reg[COMMAND] | 0x10
        if address == STATUS1:
            return self._status1()
        if address in (T_COUNTER_H, T_COUNTER_L):
            count = self._timer_count(now)
            return count >> 8 if address == T_COUNTER_H else count & 255
        if address == VERSION:
            return self.version
        if address in _RESET or address in (STATUS2, CRC_RESULT_H, CRC_RESULT_L):
            return self.reg[address]
        raise self._refuse(f"reading register 0x{address:02x}", "9.2")

    def _write(self, address: int, value: int) -> None:
        now = self._now()
        if now >= self._due:
            self._advance(now)
        if now < self._ready_at:
            return  # still in reset
        if address in self.sticky:
            value &= ~self.sticky[address]
        if address == FIFO_DATA:
            self._write_fifo(value, now)
        elif address in _PLAIN:
            self.reg[address] = value
        elif address in _ONLY:
            allowed, section = _ONLY[address]
            if value not in allowed:
                raise self._refuse(f"register 0x{address:02x} = 0x{value:02x}", section)
            self.reg[address] = value
        elif address in _WRITERS:
            _WRITERS[address](self, value, now)
        else:
            raise self._refuse(f"writing register 0x{address:02x}", "9.2")

    def _write_fifo(self, value: int, now: int) -> None:
        if self._tx_end <= now < self._rx_end != NEVER:
            self._error(_WR_ERR)
        if len(self.fifo) >= 64:
            self._error(_BUFFER_OVFL)
            return
        self.fifo.append(value)
        self._fifo_changed()

    def _write_fifo_level(self, value: int, now: int) -> None:
        if value & 0x80:
            self.fifo.clear()
            self.reg[ERROR] &= ~_BUFFER_OVFL
            self._fifo_changed()

    def _write_irq(self, address: int, value: int, mask: int) -> None:
        """Bits written as 1 are set or cleared, as bit 7 says (9.3.1.5)."""
        if value & 0x80:
            self.reg[address] |= value & mask
        else:
            self.reg[address] &= ~value & mask

    def _write_control(self, value: int, now: int) -> None:
        if value & 0x80:
            self._stop_timer()
        if value & 0x40:
            self._start_timer(now)

    def _write_bit_framing(self, value: int, now: int) -> None:
        if value & 0x08:
            raise self._refuse("a reserved bit of BitFramingReg", "9.3.1.14")
        self.reg[BIT_FRAMING] = value
        if value & 0x80 and self.reg[COMMAND] & 15 == _TRANSCEIVE:
            self._transmit(now)

    def _write_tx_control(self, value: int, now: int) -> None:
        if value & 0x7C or value & 0x80 == 0:
            raise self._refuse(f"TxControlReg = 0x{value:02x}", "9.3.2.5")
        self.reg[TX_CONTROL] = value
        self._field.switch(bool(value & 3), now)

    def _write_t_mode(self, value: int, now: int) -> None:
        if value & 0x70:
            raise self._refuse("a gated or restarting timer", "9.3.3.11")
        self.reg[T_MODE] = value

    def _status1(self) -> int:
        reg = self.reg
        value = 0x01 if len(self.fifo) <= reg[WATER_LEVEL] else 0
        if 64 - len(self.fifo) <= reg[WATER_LEVEL]:
            value |= 0x02
        if self._timer_from >= 0:
            value |= 0x08
        if reg[COM_IRQ] & reg[COM_IEN] & 0x7F or reg[DIV_IRQ] & reg[DIV_IEN] & 0x14:
            value |= 0x10
        if self._crc_end == NEVER:
            value |= 0x20  # CRCReady
        if reg[CRC_RESULT_H] == 0 and reg[CRC_RESULT_L] == 0:
            value |= 0x40  # CRCOk
        return value

    def _fifo_changed(self) -> None:
        level, water = len(self.fifo), self.reg[WATER_LEVEL]
        if level <= water:
            self.reg[COM_IRQ] |= _LO_IRQ
        if 64 - level <= water:
            self.reg[COM_IRQ] |= _HI_IRQ

    def _error(self, bit: int) -> None:
        self.reg[ERROR] |= bit
        self.reg[COM_IRQ] |= _ERR_IRQ

    # --- commands (sheet, 10) ---

    def _write_command(self, value: int, now: int) -> None:
        command = value & 15
        if value & 0x10:
            raise self._refuse("soft power-down", "8.6.2")
        if command == _NO_CHANGE:
            self.reg[COMMAND] = value & 0x20 | self.reg[COMMAND] & 15
            return
        if now < self._tx_end != NEVER:
            raise self._refuse("a new command while a frame is being sent", "10.2")
        if command == _SOFT_RESET:
            self._reset()
            self._ready_at = NEVER if self.stuck else now + _RESET_NS
            return
        self._tx_end = self._rx_end = self._crc_end = NEVER
        self._reception = None
        self.reg[COMMAND] = value & 0x2F
        if command == _CALC_CRC:
            self._calc_crc(now)
        elif command == _TRANSMIT:
            self._transmit(now)
        elif command == _TRANSCEIVE:
            if value & 0x20:
                raise self._refuse("Transceive with the receiver off", "9.3.1.2")
            if self.reg[BIT_FRAMING] & 0x80:
                self._transmit(now)
        elif command != _IDLE:
            raise self._refuse(f"command 0x{command:x}", "10.3")
        self._plan()

    def _calc_crc(self, now: int) -> None:
        if self.reg[MODE] & 0x80:
            raise self._refuse("MSBFirst of the CRC", "9.3.2.2")
        crc = crc_a(bytes(self.fifo), _PRESETS[self.reg[MODE] & 3])
        self._crc_end = now + 8 * 74 * len(self.fifo) + 74  # a bit each carrier period
        self.fifo.clear()
        self._fifo_changed()
        self.reg[CRC_RESULT_H] = crc >> 8
        self.reg[CRC_RESULT_L] = crc & 255

    def _transmit(self, now: int) -> None:
        """Send the FIFO's bits, and have the field answer; what comes is kept until it is due."""
        reg = self.reg
        if self._tx_end != NEVER or self._rx_end != NEVER:
            raise self._refuse("StartSend while a frame is on the air", "9.3.1.14")
        if not reg[TX_CONTROL] & 3:
            raise self._refuse("sending without a field", "9.3.2.2, TxWaitRF")
        if not reg[TX_ASK] & 0x40:
            raise self._refuse("sending with less than 100 % ASK", "9.3.2.6")
        if not self.fifo or self.deaf:
            return
        framing = reg[BIT_FRAMING]
        if reg[TX_MODE] & 0x80:
            self.fifo += crc_a(bytes(self.fifo), _PRESETS[reg[MODE] & 3]).to_bytes(2, "little")
        bits = 8 * len(self.fifo) - (-framing & 7)
        value = int.from_bytes(self.fifo, "little") & (1 << bits) - 1
        self.fifo.clear()
        self._fifo_changed()
        end = now + frame_ns(bits)
        self._tx_end = end
        self._rx_align = framing >> 4 & 7
        self._tx_known = bits - 16 if value & 255 in (0x93, 0x95, 0x97) and bits >= 16 else 0
        self._reception = self._field.send(value, bits, now, end, self.gain_db)
        self._plan()

    # --- what happens by itself ---

    def _plan(self) -> None:
        self._due = min(self._tx_end, self._rx_end, self._timer_end, self._crc_end)

    def _advance(self, now: int) -> None:
        """Let everything happen that is due by now, in its order."""
        while self._due <= now:
            due = self._due
            if due == self._tx_end:
                self._sent(due)
            elif due == self._timer_end:
                self._timer_from = -1
                self._timer_end = NEVER
                self.reg[COM_IRQ] |= _TIMER_IRQ
            elif due == self._crc_end:
                self._crc_end = NEVER
                self.reg[DIV_IRQ] |= 0x04
            else:
                self._received()
            self._plan()

    def _sent(self, at: int) -> None:
        self._tx_end = NEVER
        self.reg[COM_IRQ] |= _TX_IRQ
        if self.reg[COMMAND] & 15 == _TRANSMIT:
            self.reg[COMMAND] &= 0xF0
            self.reg[COM_IRQ] |= _IDLE_IRQ
            return
        # The receiver starts up: its error bits are cleared (9.3.1.7), the collision too.
        self.reg[ERROR] &= ~(_COLL_ERR | _CRC_ERR | _PARITY_ERR | 1)
        self.reg[COLL] = self.reg[COLL] & 0x80 | 0x20
        if self.reg[T_MODE] & 0x80:
            self._start_timer(at)
        reception = self._reception
        if reception is not None:
            begins = at + reception.fdt_ns
            self._rx_end = begins + response_ns(reception.bits, self._rx_align) + ETU_NS
            # TAuto: the timer stops after the start bit and four data bits (9.3.3.11).
            if self.reg[T_MODE] & 0x80 and self._timer_end > begins + 5 * ETU_NS:
                self._stop_timer()

    def _received(self) -> None:
        self._rx_end = NEVER
        reception, self._reception = self._reception, None
        assert reception is not None
        align, bits, value = self._rx_align, reception.bits, reception.value
        if align and (align + bits) % 8:
            raise self._refuse("RxAlign other than where the sent byte was split", "9.3.1.14")
        if not align and bits % 8 and bits != 4:
            raise self._refuse("RxAlign 0 for an answer that begins inside a byte", "9.3.1.14")
        if reception.clash:
            value = self._collide(value, reception.clash)
        if not reception.parity_ok:
            self._error(_PARITY_ERR)
        data = (value << align).to_bytes((align + bits + 7) // 8, "little")
        if self.reg[RX_MODE] & 0x80:
            data = self._check_crc(data)
        self.reg[CONTROL] = self.reg[CONTROL] & 0xF8 | (align + bits) & 7
        room = 64 - len(self.fifo)
        if len(data) > room:
            self._error(_BUFFER_OVFL)
        self.fifo += data[:room]
        self._fifo_changed()
        self.reg[COM_IRQ] |= _RX_IRQ

    def _collide(self, value: int, clash: int) -> int:
        """Note the first collision; returns the bits as the FIFO gets them (9.3.1.15)."""
        self._error(_COLL_ERR)
        index = (clash & -clash).bit_length() - 1
        position = index + 1 + self._rx_align
        if self._by_level:
            position += self._tx_known // 8 * 8
        if position <= 32:
            self.reg[COLL] = self.reg[COLL] & 0x80 | position & 31
        if not self.reg[COLL] & 0x80:  # ValuesAfterColl = 0
            value &= (1 << index + 1) - 1
        return value

    def _check_crc(self, data: bytes) -> bytes:
        preset = _PRESETS[self.reg[MODE] & 3]
        if len(data) < 3 or crc_a(data[:-2], preset) != int.from_bytes(data[-2:], "little"):
            self._error(_CRC_ERR)
        return data[:-2]

    # --- timer (sheet, 8.5) ---

    def _tick_carriers(self) -> int:
        return 2 * ((self.reg[T_MODE] & 15) << 8 | self.reg[T_PRESCALER]) + 1

    def _start_timer(self, now: int) -> None:
        count = (self.reg[T_RELOAD_H] << 8 | self.reg[T_RELOAD_L]) + 1
        self._timer_from = now
        self._timer_end = now + count * self._tick_carriers() * 1_000_000_000 // CARRIER_HZ
        self._plan()

    def _stop_timer(self) -> None:
        self._timer_from = -1
        self._timer_end = NEVER
        self._plan()

    def _timer_count(self, now: int) -> int:
        reload = self.reg[T_RELOAD_H] << 8 | self.reg[T_RELOAD_L]
        if self._timer_from < 0:
            return reload
        ticks = (now - self._timer_from) * CARRIER_HZ // 1_000_000_000 // self._tick_carriers()
        return max(0, reload - ticks)


def _write_coll(chip: MFRC522, value: int, now: int) -> None:
    chip.reg[COLL] = value & 0x80 | chip.reg[COLL] & 0x3F


_WRITERS: dict[int, Callable[[MFRC522, int, int], None]] = {
    COMMAND: MFRC522._write_command,
    COM_IRQ: lambda chip, value, now: chip._write_irq(COM_IRQ, value, 0x7F),
    DIV_IRQ: lambda chip, value, now: chip._write_irq(DIV_IRQ, value, 0x14),
    FIFO_LEVEL: MFRC522._write_fifo_level,
    CONTROL: MFRC522._write_control,
    BIT_FRAMING: MFRC522._write_bit_framing,
    COLL: _write_coll,
    TX_CONTROL: MFRC522._write_tx_control,
    T_MODE: MFRC522._write_t_mode,
}
