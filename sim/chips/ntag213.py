"""An NTAG213-class tag: state machine of ISO/IEC 14443-3 type A, and its read commands.

UIDs of 4, 7 and 10 bytes. The sheet meant below is NXP's NTAG213/215/216, revision 3.2.
"""

from spiceboard.sim.chips.air import (
    FDT_BACK_NS,
    FDT_NS,
    NEVER,
    NotModelled,
    Response,
    crc_a,
    response_ns,
)

IDLE, READY, ACTIVE, HALT, OFF = "IDLE", "READY", "ACTIVE", "HALT", "OFF"

_REQA, _WUPA = 0x26, 0x52
_SELECTS = (0x93, 0x95, 0x97)
_CASCADE_TAG = 0x88
_ATQA = {4: 0x0004, 7: 0x0044, 10: 0x0084}
_PAGES = 45
_VERSION = bytes((0x00, 0x04, 0x04, 0x02, 0x01, 0x00, 0x0F, 0x03))  # sheet, table 28


class Tag:
    """One tag.

    uid: 4, 7 or 10 bytes. wake_ns: from the field coming on until it listens (0.4 ms default).
    stays_ready: a READY tag that an ANTICOLLISION does not address stays READY (True) or falls
    back to IDLE or HALT (False); chips differ. bad_bcc: spoils the check byte of that level (1 to
    3). mute_chance is up to the world.
    """

    def __init__(
        self,
        uid: bytes,
        wake_ns: int = 400_000,
        stays_ready: bool = True,
        bad_bcc: int = 0,
        sak: int = 0x00,
    ) -> None:
        if len(uid) not in _ATQA:
            raise ValueError(f"a UID has 4, 7 or 10 bytes, not {len(uid)}")
        if uid[0] == _CASCADE_TAG:
            raise ValueError("a UID must not begin with the cascade tag 0x88 (ISO 14443-3, 6.4.4)")
        self.uid = uid
        self.wake_ns = wake_ns
        self.stays_ready = stays_ready
        self.sak = sak
        self.state = OFF
        self.level = 0  # cascade level of READY, 0 to 2
        self._starred = False  # came from HALT: errors lead back there
        self._listens = NEVER
        self._busy_until = 0
        self._levels = _levels(uid, bad_bcc)
        self.memory = _memory(uid)

    def power(self, now: int) -> None:
        """The field has become strong enough."""
        self.state = IDLE
        self._starred = False
        self._listens = now + self.wake_ns
        self._busy_until = 0

    def lose(self) -> None:
        """The field is gone, and with it all state."""
        self.state = OFF
        self._listens = NEVER

    def receive(self, value: int, bits: int, start: int, end: int) -> Response | None:
        """Hear a frame (value and bits as in `air`) of the times given; the answer, if any."""
        if start < self._listens:
            return None
        if start < self._busy_until + FDT_BACK_NS:
            raise NotModelled(
                f"a frame starts {(start - self._busy_until) / 1000:.0f} us after a tag's answer, "
                "sooner than 1172 carrier periods (ISO 14443-3, 6.2.1.2)"
            )
        answer = self._answer(value, bits)
        if answer is None:
            return None
        size, content = answer
        fdt = FDT_NS[value >> (bits - 1) & 1]
        self._busy_until = end + fdt + response_ns(size, -size % 8)
        return Response(size, content, fdt)

    def _back(self) -> None:
        self.state = HALT if self._starred else IDLE

    def _answer(self, value: int, bits: int) -> tuple[int, int] | None:
        if bits == 7:
            return self._short_frame(value)
        if self.state == READY:
            return self._anticollision(value, bits)
        if self.state == ACTIVE:
            return self._command(value, bits)
        return None  # IDLE and HALT hear short frames only

    def _short_frame(self, value: int) -> tuple[int, int] | None:
        if self.state == IDLE and value in (_REQA, _WUPA):
            self._starred = False
        elif self.state == HALT and value == _WUPA:
            self._starred = True
        elif self.state in (READY, ACTIVE):
            self._back()
            return None
        else:
            return None
        self.state = READY
        self.level = 0
        return 16, _ATQA[len(self.uid)]

    def _anticollision(self, value: int, bits: int) -> tuple[int, int] | None:
        nvb = value >> 8 & 255
        if bits >= 16 and value & 255 == _SELECTS[self.level]:
            mine = self._levels[self.level]
            if nvb == 0x70 and bits == 72:
                return self._select(value, mine)
            known = bits - 16
            if (nvb >> 4) * 8 + (nvb & 15) == bits and known < 40:
                if (value >> 16 ^ mine) & ((1 << known) - 1) == 0:
                    return 40 - known, mine >> known
                if self.stays_ready:
                    return None
        self._back()
        return None

    def _select(self, value: int, mine: int) -> tuple[int, int] | None:
        data = value.to_bytes(9, "little")
        if crc_a(data[:7]) != value >> 56 or value >> 16 & 0xFFFFFFFFFF != mine:
            if not self.stays_ready or crc_a(data[:7]) != value >> 56:
                self._back()
            return None
        self.level += 1
        if self.level < len(self._levels):
            return _with_crc(bytes((0x04,)))
        self.state = ACTIVE
        return _with_crc(bytes((self.sak,)))

    def _command(self, value: int, bits: int) -> tuple[int, int] | None:
        data = value.to_bytes((bits + 7) // 8, "little")
        if bits % 8 or len(data) < 3 or crc_a(data[:-2]) != int.from_bytes(data[-2:], "little"):
            self._back()
            return None
        code, rest = data[0], data[1:-2]
        if code == 0x50 and rest == b"\0":
            self.state = HALT
            return None
        if code == 0x60 and not rest:
            return _with_crc(_VERSION)
        if code == 0x30 and len(rest) == 1:
            return self._read(rest[0], 4, wrap=True)
        if code == 0x3A and len(rest) == 2:
            return self._read(rest[0], rest[1] - rest[0] + 1, wrap=False)
        if code in (0xA2, 0xA0, 0x1B, 0x39, 0x3C):
            raise NotModelled(f"tag command 0x{code:02x} (NTAG213 sheet, 10)")
        return self._refuse()

    def _read(self, page: int, count: int, wrap: bool) -> tuple[int, int] | None:
        """READ and FAST_READ (sheet, 10.2 and 10.3); READ rolls over at the last page."""
        if page >= _PAGES or count < 1 or (not wrap and page + count > _PAGES):
            return self._refuse()
        chosen = [(page + i) % _PAGES for i in range(count)]
        return _with_crc(b"".join(self.memory[4 * p : 4 * p + 4] for p in chosen))

    def _refuse(self) -> tuple[int, int]:
        self._back()
        return 4, 0x0  # NAK, invalid argument (sheet, 9.3)


def _with_crc(data: bytes) -> tuple[int, int]:
    whole = data + crc_a(data).to_bytes(2, "little")
    return 8 * len(whole), int.from_bytes(whole, "little")


def _levels(uid: bytes, bad_bcc: int) -> list[int]:
    """The 40 bits of each cascade level: UID CLn and its check byte (ISO 14443-3, 6.4.4)."""
    parts = {
        4: [uid],
        7: [bytes((_CASCADE_TAG,)) + uid[:3], uid[3:]],
        10: [bytes((_CASCADE_TAG,)) + uid[:3], bytes((_CASCADE_TAG,)) + uid[3:6], uid[6:]],
    }[len(uid)]
    levels = []
    for number, part in enumerate(parts, 1):
        bcc = part[0] ^ part[1] ^ part[2] ^ part[3]
        if number == bad_bcc:
            bcc ^= 0x5A
        levels.append(int.from_bytes(part + bytes((bcc,)), "little"))
    return levels


def _memory(uid: bytes) -> bytearray:
    """Pages as delivered: UID with check bytes, capability container, blank user pages."""
    memory = bytearray(4 * _PAGES)
    if len(uid) == 7:
        memory[0:3] = uid[:3]
        memory[3] = _CASCADE_TAG ^ uid[0] ^ uid[1] ^ uid[2]
        memory[4:8] = uid[3:]
        memory[8] = uid[3] ^ uid[4] ^ uid[5] ^ uid[6]
        memory[9] = 0x48
    else:
        memory[: len(uid)] = uid
    memory[12:16] = bytes((0xE1, 0x10, 0x12, 0x00))
    return memory
