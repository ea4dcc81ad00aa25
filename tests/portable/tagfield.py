"""Tags of ISO/IEC 14443-3 type A in one field, bit by bit, and a small MFRC522 before them.

Written from the standard and the data sheet for the portable tests, independently of the driver:
`Field` answers a frame of bits with the superposed answers of all tags, `Chip` turns SPI bytes
into frames. (sim/spiceboard_sim/chips has the whole chip; this one is for both runtimes.)
"""


def bits_of(data) -> list:
    """Bits of bytes in the order of sending: least significant first."""
    return [byte >> i & 1 for byte in data for i in range(8)]


def bytes_of(bits: list) -> list:
    """The reverse; the last byte is filled with zeros."""
    out = [0] * ((len(bits) + 7) // 8)
    for i, bit in enumerate(bits):
        out[i // 8] |= bit << i % 8
    return out


def crc_bits(bits: list) -> list:
    """CRC_A as the standard's shift register: 16 cells, preset 6363h, fed bit by bit."""
    register = 0x6363
    for bit in bits:
        feedback = (register ^ bit) & 1
        register >>= 1
        if feedback:
            register ^= 0x8408
    return [register >> i & 1 for i in range(16)]


HLTA = bits_of(b"\x50\x00\x57\xcd")


class Tag:
    """State machine of a tag: IDLE, READY, ACTIVE, HALT; `star` when it came out of HALT."""

    stays = True  # READY when an ANTICOLLISION is for others; False: falls to IDLE

    def __init__(self, uid: bytes, atqa: tuple = (0x44, 0x00), sak: int = 0x00) -> None:
        self.uid = bytes(uid)
        self.atqa = atqa
        self.sak = sak
        self.levels = self._levels()
        self._bits = {}  # a level's bytes -> its bits in the order of sending
        self.mute = 0  # answers that get lost from now on
        self.leaves_after = -1  # frames until the tag is taken out of the field
        self.reset()

    def _levels(self) -> list:
        parts = []
        rest = self.uid
        while len(rest) > 4:
            parts.append(b"\x88" + rest[:3])
            rest = rest[3:]
        parts.append(rest)
        return [p + bytes([p[0] ^ p[1] ^ p[2] ^ p[3]]) for p in parts]

    def reset(self) -> None:
        """The field came on."""
        self.state = "IDLE"
        self.star = False
        self.level = 0

    def receive(self, bits: list):
        """A frame: the answer's bits, or None."""
        if self.leaves_after == 0:
            return None
        self.leaves_after -= 1
        answer = self._judge(bits)
        if answer is not None and self.mute:
            self.mute -= 1
            return None
        return answer

    def _judge(self, bits: list):
        if len(bits) == 7:
            code = bytes_of(bits)[0]
            if self.state == "IDLE" and code in (0x26, 0x52):
                self.star = False
            elif self.state == "HALT" and code == 0x52:
                self.star = True
            else:
                return self._fall()
            self.state = "READY"
            self.level = 0
            return bits_of(self.atqa)
        if self.state == "READY" and len(bits) >= 16:
            return self._ready(bits)
        if self.state == "ACTIVE" and bits == HLTA:
            self.state = "HALT"
            return None
        return self._fall()

    def _ready(self, bits: list):
        select, valid = bytes_of(bits[:16])
        own = self._own()
        if select != 0x93 + 2 * self.level:
            return self._fall()
        if valid == 0x70:
            body = bits[:56]
            # The checksum last: it takes longest, and most SELECTs are for another tag.
            if len(bits) != 72 or bits[16:56] != own or bits[56:] != crc_bits(body):
                return self._fall()
            self.level += 1
            more = self.level < len(self.levels)
            if not more:
                self.state = "ACTIVE"
            sak = bits_of(bytes([self.sak | 4 if more else self.sak]))
            return sak + crc_bits(sak)
        known = 8 * ((valid >> 4) - 2) + (valid & 7)
        if len(bits) != 16 + known or known > 32:
            return self._fall()
        if bits[16:] == own[:known]:
            return own[known:]
        return None if self.stays else self._fall()

    def _own(self) -> list:
        """The bits of the level that it is at."""
        level = self.levels[self.level]
        if level not in self._bits:
            self._bits[level] = bits_of(level)
        return self._bits[level]

    def _fall(self):
        """Anything unexpected: back to IDLE, or to HALT if it came from there."""
        if self.state in ("READY", "ACTIVE"):
            self.state = "HALT" if self.star else "IDLE"
        return None


class Field:
    """Tags around one antenna. `hear` is a hook (tag, answer) -> heard or not."""

    def __init__(self, tags=()) -> None:
        self.tags = list(tags)
        self.frames = 0

    def reset(self) -> None:
        for tag in self.tags:
            tag.reset()

    def transceive(self, bits: list):
        """Superposed answer: (bits, index of the first collision or None), or None: silence."""
        self.frames += 1
        answers = [a for a in [tag.receive(bits) for tag in self.tags] if a is not None]
        if not answers:
            return None
        longest = answers[0]
        for answer in answers:
            if len(answer) > len(longest):
                longest = answer
        first = len(longest)
        for answer in answers:
            if answer != longest[: len(answer)]:
                for i in range(min(first, len(answer))):
                    if answer[i] != longest[i]:
                        first = i
                        break
        if first == len(longest):
            return longest, None
        return longest[:first] + [0] * (len(longest) - first), first


class Chip:
    """MFRC522 behind SPI: write(buf), write_readinto(out, into), select(on); time in us.

    Registers that the driver uses, each NSS frame one transaction (section 8.1.2): the address
    byte, then data to the same address, or addresses to read from. An access to anything else
    raises.
    """

    WRITABLE = (0x01, 0x04, 0x09, 0x0A, 0x0B, 0x0D, 0x0E, 0x11, 0x12, 0x13, 0x14, 0x15, 0x24, 0x26,
                0x27, 0x28)  # fmt: skip
    TIMER = (0x2A, 0x2B, 0x2C, 0x2D)
    READABLE = (0x06, 0x0C, 0x37)
    TAKEN = set(WRITABLE + TIMER)

    coll_in_frame = True  # CollPos counts in the received frame; False: in the cascade level

    def __init__(self, field: Field) -> None:
        self.field = field
        self.now = 0.0
        self.heard = -1000.0  # end of the last answer
        self.due = None  # (time, kind) of the end of the exchange
        self.selected = False
        self.transactions = self.bytes = self.resets = 0
        self.dead = False
        self.stuck = {}  # register -> value that it keeps
        self.version = 0x92
        self.noise = 0  # frames from now on whose answer breaks a parity bit
        self.soft_reset()

    def soft_reset(self) -> None:
        self.registers = dict.fromkeys(self.WRITABLE + self.TIMER + self.READABLE, 0)
        self.registers[0x01] = 0x20
        self.registers[0x11] = 0x3F
        self.registers[0x14] = 0x80
        self.registers[0x0B] = 0x08
        self.registers[0x24] = 0x26
        self.registers[0x26] = 0x48
        self.registers[0x0E] = 0xA0
        self.fifo = []
        self.field.reset()
        self.resets += 1

    # -- clock ----------------------------------------------------------------------------------

    def sleep_us(self, us: int) -> None:
        self.now += us

    def ticks_us(self) -> int:
        return int(self.now)

    def ticks_diff(self, later: int, earlier: int) -> int:
        return later - earlier

    # -- bus ------------------------------------------------------------------------------------

    def select(self, on: bool) -> None:
        assert on != self.selected, "selected twice or released twice"
        self.selected = on

    def write(self, data) -> None:
        self.write_readinto(data, bytearray(len(data)))

    def write_readinto(self, data, into) -> None:
        assert self.selected, "no chip is selected"
        assert len(data) == len(into)
        self.transactions += 1
        self.bytes += len(data)
        self.now += 8 * len(data) / 4  # 4 MHz
        self._finish()
        if self.dead:
            for i in range(len(into)):
                into[i] = 0
            return
        into[0] = 0
        if data[0] & 0x80:
            for i in range(1, len(data)):
                into[i] = self._read(data[i - 1] >> 1 & 0x3F)
        else:
            register = data[0] >> 1
            for i in range(1, len(data)):
                self._write(register, data[i])

    def _read(self, register: int) -> int:
        if register in self.stuck:
            return self.stuck[register]
        if register == 0x09:
            return self.fifo.pop(0)
        if register == 0x0A:
            return len(self.fifo)
        if register == 0x37:
            return self.version
        if register == 0x0D:
            return self.registers[register] & 0x77
        return self.registers[register]

    def _write(self, register: int, value: int) -> None:
        assert register in self.TAKEN, "write to 0x%02X" % register
        if register == 0x09:
            assert len(self.fifo) < 64
            self.fifo.append(value)
        elif register == 0x0A:
            if value & 0x80:
                self.fifo = []
        elif register == 0x04:
            if value & 0x80:
                self.registers[4] |= value & 0x7F
            else:
                self.registers[4] &= ~value
        elif register == 0x0E:
            self.registers[0x0E] = self.registers[0x0E] & 0x7F | value & 0x80
        else:
            was = self.registers[register]
            self.registers[register] = value
            self._act(register, was, value)

    def _act(self, register: int, was: int, value: int) -> None:
        if register == 0x01:
            self.due = None
            if value == 0x0F:
                self.soft_reset()
            else:
                assert value in (0x00, 0x0C), "command 0x%02X" % value
                assert value == 0 or not self.registers[0x0D] & 0x80, "StartSend is still set"
        elif register == 0x14 and value & 3 and not was & 3:
            self.field.reset()
        elif register == 0x0D and value & 0x80 and self.registers[1] == 0x0C:
            self._transmit(value)

    # -- air ------------------------------------------------------------------------------------

    def _transmit(self, framing: int) -> None:
        assert self.registers[0x14] & 3 == 3, "transmits without a field"
        assert self.registers[0x15] == 0x40 and self.registers[0x2A] == 0x80
        assert not self.registers[0x0E] & 0x80, "ValuesAfterColl must be 0"
        bits = bits_of(self.fifo)
        if framing & 7:
            bits = bits[: len(bits) - 8 + (framing & 7)]
        self.fifo = []
        assert self.now - self.heard >= 86, "a tag needs 86 us between its answer and a frame"
        self.whole = max(0, (len(bits) - 16) // 8 * 8)  # bits of whole known bytes
        sent = self.now + 9.44 * (len(bits) + len(bits) // 8 + 2)
        answer = self.field.transceive(bits)
        if answer is None:
            reload = self.registers[0x2C] << 8 | self.registers[0x2D]
            self.due = (sent + 25 * reload, None, 0)
        else:
            length = len(answer[0])
            self.due = (sent + 91 + 9.44 * (length + length // 8 + 2), answer, framing >> 4 & 7)

    def _finish(self) -> None:
        """What happened until now on the air reaches the registers."""
        if self.due is None or self.now < self.due[0]:
            return
        end, answer, align = self.due
        self.due = None
        self.heard = end if answer else self.heard
        if answer is None:
            self.registers[4] |= 0x01
            return
        bits, first = answer
        placed = [0] * align + bits
        self.registers[4] |= 0x20
        self.registers[6] = 0
        self.registers[0x0C] = len(placed) % 8
        self.fifo = bytes_of(placed)
        if first is not None:
            position = first + align + 1
            if not self.coll_in_frame:
                position += self.whole
            self.registers[6] = 0x08 | 0x02  # a parity bit after it collides as well
            self.registers[0x0E] = position & 31 if position <= 32 else 0x20
        if self.noise:
            self.noise -= 1
            self.registers[6] |= 0x02
