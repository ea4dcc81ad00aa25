"""The MFRC522 reader at register level, behind its SPI.

Written from NXP's data sheet, revision 3.9; "sheet" with a section means that. What is not
modelled raises `NotModelled`: MIFARE authentication, other speeds than 106 kbit/s, self-test,
interrupt pin, register bits without a meaning for this use; their reset values may be written.

Two places where the sheet leaves room, and what was taken:
- CollPos (9.3.1.15) is "the bit position of the first detected collision in a received frame".
  NXP's own software counts from the first byte in the FIFO, RxAlign included: `coll_pos="frame"`.
  Some public drivers take it as the position in the cascade level: `coll_pos="level"`.
- SoftReset (10.3.1.10) "automatically terminates when finished": here after the 1024 clocks that
  a start of the chip takes (8.6.2, 8.8.2), in which CommandReg shows the PowerDown bit. All
  registers have their reset values at once, and take new ones: drivers that do not wait work.
Soft power-down (8.6.2): the field is off, registers and FIFO keep what they hold and are reached
by SPI, commands wait; it ends 1024 clocks after PowerDown was written as 0. The crystal's own time
to start, which the sheet leaves to the crystal, is taken as none.
"""

from collections.abc import Callable

from spiceboard_sim.chips.air import (
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
from spiceboard_sim.chips.mfrc522_registers import (
    BIT_FRAMING,
    BUFFER_OVFL,
    CALC_CRC,
    COLL,
    COLL_ERR,
    COM_IEN,
    COM_IRQ,
    COMMAND,
    CONTROL,
    CRC_ERR,
    CRC_RESULT_H,
    CRC_RESULT_L,
    CW_GS_P,
    DIV_IEN,
    DIV_IRQ,
    ERR_IRQ,
    ERROR,
    FIFO_DATA,
    FIFO_LEVEL,
    GAIN_DB,
    GS_N,
    HI_IRQ,
    IDLE,
    IDLE_IRQ,
    LO_IRQ,
    MODE,
    NO_CHANGE,
    ONLY,
    PARITY_ERR,
    PLAIN,
    PRESETS,
    RESET,
    RX_IRQ,
    RX_MODE,
    SOFT_RESET,
    STATUS1,
    T_COUNTER_H,
    T_COUNTER_L,
    T_MODE,
    T_PRESCALER,
    T_RELOAD_H,
    T_RELOAD_L,
    TIMER_IRQ,
    TRANSCEIVE,
    TRANSMIT,
    TX_ASK,
    TX_CONTROL,
    TX_IRQ,
    TX_MODE,
    WATER_LEVEL,
    WR_ERR,
)
from spiceboard_sim.chips.mfrc522_registers import RF_CFG as RF_CFG
from spiceboard_sim.chips.mfrc522_registers import VERSION as VERSION

_START_NS = 1024 * 1_000_000_000 // (2 * CARRIER_HZ)  # 37.8 us: 1024 clocks of 27.12 MHz


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
        for address, value in RESET.items():
            self.reg[address] = value
        self._tx_end = self._rx_end = self._crc_end = NEVER
        self._timer_from = -1  # ns, or -1 while it stands
        self._timer_end = NEVER
        self._due = NEVER
        self._reception: Reception | None = None
        self._rx_align = self._tx_known = 0
        self._asleep = False
        self._field.switch(False, self._now())

    @property
    def antenna(self) -> bool:
        """True while TX1 or TX2 drives the antenna."""
        return bool(self.reg[TX_CONTROL] & 3)

    @property
    def full_conductance(self) -> bool:
        """True while both halves of the drivers have all of it (sheet, 9.3.3.8 and 9.3.3.9)."""
        return self.reg[CW_GS_P] == 0x3F and self.reg[GS_N] & 0xF0 == 0xF0

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
        now = self._now()
        for i, byte in enumerate(data):
            if addressed < 0:
                self._writing = not byte & 0x80
                addressed = byte >> 1 & 63
                if byte & 1:
                    raise NotModelled(f"{self.name}: SPI address byte with bit 0 set (8.1.2.3)")
                if self._writing and addressed == 0:
                    raise NotModelled(f"{self.name}: write to reserved register 0x00 (9.2)")
            elif self._writing:
                self._write(addressed, byte, now)
            else:
                out[i] = self._read(addressed, now)
                addressed = byte >> 1 & 63
        self._addressed = addressed
        return bytes(out)

    def endure(self, byte: int) -> int:
        """`transfer` of one byte on a broken bus, where nonsense is not the firmware's mistake:
        it does nothing and reads as zero."""
        try:
            return self.transfer(bytes((byte,)))[0]
        except NotModelled:
            if self._addressed >= 0 and not self._writing:
                self._addressed = byte >> 1 & 63
            return 0

    # --- registers ---

    def _refuse(self, what: str, section: str) -> NotModelled:
        return NotModelled(f"{self.name}: {what} is not modelled (MFRC522 data sheet {section})")

    def _read(self, address: int, now: int) -> int:
        if now >= self._due:
            self._advance(now)
        if address in _STORED:
            return self.reg[address]
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
        if address == COMMAND:
            return self.reg[COMMAND]
        raise self._refuse(f"reading register 0x{address:02x}", "9.2")

    def _write(self, address: int, value: int, now: int) -> None:
        if now >= self._due:
            self._advance(now)
        if self._ready_at == NEVER and not self._asleep:
            return  # held in reset
        if address in self.sticky:
            value &= ~self.sticky[address]
        writer = _WRITERS.get(address)
        if writer is not None:
            writer(self, value, now)
        elif address in PLAIN or RESET.get(address) == value:
            self.reg[address] = value
        elif address in ONLY:
            allowed, section = ONLY[address]
            if value not in allowed:
                raise self._refuse(f"register 0x{address:02x} = 0x{value:02x}", section)
            self.reg[address] = value
        else:
            raise self._refuse(f"writing register 0x{address:02x}", "9.2")

    def _write_fifo(self, value: int, now: int) -> None:
        if self._tx_end <= now < self._rx_end != NEVER:
            self._error(WR_ERR)
        if len(self.fifo) >= 64:
            self._error(BUFFER_OVFL)
            return
        self.fifo.append(value)
        self._fifo_changed()

    def _write_fifo_level(self, value: int, now: int) -> None:
        if value & 0x80:
            self.fifo.clear()
            self.reg[ERROR] &= ~BUFFER_OVFL
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
        if value & 0x80 and self.reg[COMMAND] & 15 == TRANSCEIVE:
            self._transmit(now)

    def _write_tx_control(self, value: int, now: int) -> None:
        if value & 0x7C or value & 0x80 == 0:
            raise self._refuse(f"TxControlReg = 0x{value:02x}", "9.3.2.5")
        self.reg[TX_CONTROL] = value
        self._field.conduct(self.full_conductance)
        self._field.switch(bool(value & 3) and not self._asleep, now)

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
            self.reg[COM_IRQ] |= LO_IRQ
        if 64 - level <= water:
            self.reg[COM_IRQ] |= HI_IRQ

    def _error(self, bit: int) -> None:
        self.reg[ERROR] |= bit
        self.reg[COM_IRQ] |= ERR_IRQ

    # --- commands (sheet, 10) ---

    def _write_command(self, value: int, now: int) -> None:
        command = value & 15
        if value & 0x10:
            self._power_down(value)
            return
        if self._asleep:
            self._wake(now)
        if command == NO_CHANGE:
            self.reg[COMMAND] = value & 0x20 | self.reg[COMMAND] & 15
            return
        if now < self._tx_end != NEVER:
            raise self._refuse("a new command while a frame is being sent", "10.2")
        if command == SOFT_RESET:
            self._reset()
            self._ready_at = NEVER if self.stuck else now + _START_NS
            return
        self._tx_end = self._rx_end = self._crc_end = NEVER
        self._reception = None
        self._plan()
        self.reg[COMMAND] = value & 0x2F
        if command == CALC_CRC:
            self._calc_crc(now)
        elif command == TRANSMIT:
            self._transmit(now)
        elif command == TRANSCEIVE:
            if value & 0x20:
                raise self._refuse("Transceive with the receiver off", "9.3.1.2")
            if self.reg[BIT_FRAMING] & 0x80:
                self._transmit(now)
        elif command != IDLE:
            raise self._refuse(f"command 0x{command:x}", "10.3")
        self._plan()

    def _power_down(self, value: int) -> None:
        """Oscillator and field off; what is held is kept (8.6.2)."""
        self._asleep = True
        self._ready_at = NEVER
        self._tx_end = self._rx_end = self._crc_end = NEVER
        self._reception = None
        self._stop_timer()
        self.reg[COMMAND] = value & 0x20 | IDLE
        self._field.switch(False, self._now())

    def _wake(self, now: int) -> None:
        self._asleep = False
        self._ready_at = NEVER if self.stuck else now + _START_NS
        self._field.switch(self.antenna, now)

    def _calc_crc(self, now: int) -> None:
        if self.reg[MODE] & 0x80:
            raise self._refuse("MSBFirst of the CRC", "9.3.2.2")
        crc = crc_a(bytes(self.fifo), PRESETS[self.reg[MODE] & 3])
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
        if self._asleep or now < self._ready_at:
            raise self._refuse("sending while the chip is not awake", "8.6.2")
        if not reg[TX_ASK] & 0x40:
            raise self._refuse("sending with less than 100 % ASK", "9.3.2.6")
        if not self.fifo or self.deaf:
            return
        framing = reg[BIT_FRAMING]
        if reg[TX_MODE] & 0x80:
            self.fifo += crc_a(bytes(self.fifo), PRESETS[reg[MODE] & 3]).to_bytes(2, "little")
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
                self.reg[COM_IRQ] |= TIMER_IRQ
            elif due == self._crc_end:
                self._crc_end = NEVER
                self.reg[DIV_IRQ] |= 0x04
            else:
                try:
                    self._received()
                finally:  # with a broken bus its refusals are ignored
                    self._plan()
            self._plan()

    def _sent(self, at: int) -> None:
        self._tx_end = NEVER
        self.reg[COM_IRQ] |= TX_IRQ
        if self.reg[COMMAND] & 15 == TRANSMIT:
            self.reg[COMMAND] &= 0xF0
            self.reg[COM_IRQ] |= IDLE_IRQ
            return
        # The receiver starts up: its error bits are cleared (9.3.1.7), the collision too.
        self.reg[ERROR] &= ~(COLL_ERR | CRC_ERR | PARITY_ERR | 1)
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
            self._error(PARITY_ERR)
        data = (value << align).to_bytes((align + bits + 7) // 8, "little")
        if self.reg[RX_MODE] & 0x80:
            data = self._check_crc(data)
        self.reg[CONTROL] = self.reg[CONTROL] & 0xF8 | (align + bits) & 7
        room = 64 - len(self.fifo)
        if len(data) > room:
            self._error(BUFFER_OVFL)
        self.fifo += data[:room]
        self._fifo_changed()
        self.reg[COM_IRQ] |= RX_IRQ

    def _collide(self, value: int, clash: int) -> int:
        """Note the first collision; returns the bits as the FIFO gets them (9.3.1.15)."""
        self._error(COLL_ERR)
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
        preset = PRESETS[self.reg[MODE] & 3]
        if len(data) < 3 or crc_a(data[:-2], preset) != int.from_bytes(data[-2:], "little"):
            self._error(CRC_ERR)
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


# Registers that read as they are kept; `_read` works out the others.
_STORED = frozenset(RESET) - {COMMAND, FIFO_LEVEL, STATUS1}
_WRITERS: dict[int, Callable[[MFRC522, int, int], None]] = {
    COMMAND: MFRC522._write_command,
    COM_IRQ: lambda chip, value, now: chip._write_irq(COM_IRQ, value, 0x7F),
    DIV_IRQ: lambda chip, value, now: chip._write_irq(DIV_IRQ, value, 0x14),
    FIFO_DATA: MFRC522._write_fifo,
    FIFO_LEVEL: MFRC522._write_fifo_level,
    CONTROL: MFRC522._write_control,
    BIT_FRAMING: MFRC522._write_bit_framing,
    COLL: _write_coll,
    TX_CONTROL: MFRC522._write_tx_control,
    T_MODE: MFRC522._write_t_mode,
}
