"""An NTAG213-class tag: state machine of ISO/IEC 14443-3 type A, and its commands.

UIDs of 4, 7 and 10 bytes. The sheet meant below is NXP's NTAG213/215/216, revision 3.2.

What a READY tag does at a SELECT for another: the standard's state diagram lists it with what
leads back to IDLE, but widespread emulations of tags (ChameleonMini's firmware and its kin) answer
nothing and stay READY. Both are modelled, and drivers must work with either.
"""

from spiceboard_sim.chips.air import (
    FDT_BACK_NS,
    FDT_NS,
    NEVER,
    NotModelled,
    Response,
    carrier_ns,
    crc_a,
    response_ns,
)

IDLE, READY, ACTIVE, HALT, OFF = "IDLE", "READY", "ACTIVE", "HALT", "OFF"

_REQA, _WUPA = 0x26, 0x52
_SELECTS = (0x93, 0x95, 0x97)
_CASCADE_TAG = 0x88
_ATQA = {4: 0x0004, 7: 0x0044, 10: 0x0084}
_PAGES = 45
_DYNAMIC_LOCK_PAGE, _PWD_PAGE, _PACK_PAGE = 40, 43, 44
_AUTH0, _ACCESS, _PROT = 4 * 41 + 3, 4 * 42, 0x80  # bytes of the configuration (sheet, 8.5.7)
_WRITE_NS = carrier_ns(128 * 434)  # 4.1 ms for a page (sheet, 10.4), on the grid of bits
_VERSION = bytes((0x00, 0x04, 0x04, 0x02, 0x01, 0x00, 0x0F, 0x03))  # sheet, table 28


class Tag:
    """One tag.

    uid: 4, 7 or 10 bytes. wake_ns: from the field coming on until it listens (0.4 ms default).
    stays_ready: a READY tag that an ANTICOLLISION does not address stays READY (True) or falls
    back to IDLE or HALT (False); chips differ. stays_at_select: the same of a SELECT for another;
    None: as stays_ready. bad_bcc: spoils the check byte of that level (1 to
    3). legal: refuse a UID that no maker may give. mute_chance is up to the world.
    """

    def __init__(
        self,
        uid: bytes,
        wake_ns: int = 400_000,
        stays_ready: bool = True,
        bad_bcc: int = 0,
        sak: int = 0x00,
        stays_at_select: bool | None = None,
        legal: bool = True,
    ) -> None:
        if len(uid) not in _ATQA:
            raise ValueError(f"a UID has 4, 7 or 10 bytes, not {len(uid)}")
        if uid[0] == _CASCADE_TAG and legal:
            raise ValueError("a UID must not begin with the cascade tag 0x88 (ISO 14443-3, 6.4.4)")
        self.uid = uid
        self.wake_ns = wake_ns
        self.stays_ready = stays_ready
        self.stays_at_select = stays_at_select
        self.sak = sak
        self.state = OFF
        self.level = 0  # cascade level of READY, 0 to 2
        self._starred = False  # came from HALT: errors lead back there
        self._listens = NEVER
        self._busy_until = 0
        self._wrote = False  # by the command just answered
        self._authenticated = False
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
        self._authenticated = False
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
        self._wrote = False
        answer = self._answer(value, bits)
        if answer is None:
            return None
        size, content = answer
        fdt = FDT_NS[value >> (bits - 1) & 1] + (_WRITE_NS if self._wrote else 0)
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
            stays = self.stays_ready if self.stays_at_select is None else self.stays_at_select
            if not stays or crc_a(data[:7]) != value >> 56:
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
        if code == 0xA2 and len(rest) == 5:
            return self._write(rest[0], rest[1:])
        if code == 0x1B and len(rest) == 4:
            return self._authenticate(rest)
        if code in (0xA2, 0xA0, 0x1B, 0x39, 0x3C):
            raise NotModelled(f"tag command 0x{code:02x} (NTAG213 sheet, 10)")
        return self._refuse()

    def _read(self, page: int, count: int, wrap: bool) -> tuple[int, int] | None:
        """READ and FAST_READ (sheet, 10.2 and 10.3); READ rolls over at the last page."""
        if page >= _PAGES or count < 1 or (not wrap and page + count > _PAGES):
            return self._refuse()
        end = _PAGES
        if self._locked(_PAGES, _PROT):  # what needs the password is not read
            end = self.memory[_AUTH0]
            if page >= end or (not wrap and page + count > end):
                return self._refuse()
        chosen = [(page + i) % end for i in range(count)]
        secret = (_PWD_PAGE, _PACK_PAGE)  # read as zeros (sheet, 8.5.7)
        read = (bytes(4) if p in secret else self.memory[4 * p : 4 * p + 4] for p in chosen)
        return _with_crc(b"".join(read))

    def _locked(self, page: int, protection: int) -> bool:
        """Is a page up to this one behind the password, with that bit of ACCESS set (or 0)?"""
        if self._authenticated or self.memory[_AUTH0] >= page:
            return False
        return not protection or bool(self.memory[_ACCESS] & protection)

    def _write(self, page: int, data: bytes) -> tuple[int, int]:
        """WRITE (sheet, 10.4): four bytes to one page, then ACK. Lock bits and the capability
        container only gain ones (8.5.2, 8.5.5)."""
        if not 2 <= page < _PAGES or self._locked(page + 1, 0) or self._frozen(page):
            return self._refuse()
        start = 4 * page
        if page == 2:
            self.memory[10] |= data[2]
            self.memory[11] |= data[3]
        elif page in (3, _DYNAMIC_LOCK_PAGE):
            for i in range(4 if page == 3 else 3):
                self.memory[start + i] |= data[i]
        else:
            self.memory[start : start + 4] = data
        self._wrote = True
        return 4, 0xA

    def _frozen(self, page: int) -> bool:
        """Do lock bits keep the page as it is (sheet, 8.5.2 and 8.5.3)?"""
        if 3 <= page <= 15:
            return bool((self.memory[10] | self.memory[11] << 8) >> page & 1)
        if 16 <= page < _DYNAMIC_LOCK_PAGE:
            return bool(self.memory[4 * _DYNAMIC_LOCK_PAGE] >> (page - 16) // 2 & 1) and page < 32
        return bool(page in (_PWD_PAGE - 2, _PWD_PAGE - 1) and self.memory[_ACCESS] & 0x40)

    def _authenticate(self, password: bytes) -> tuple[int, int]:
        """PWD_AUTH (sheet, 10.7): PACK at the right password, else NAK 0."""
        if password != self.memory[4 * _PWD_PAGE : 4 * _PWD_PAGE + 4]:
            return self._refuse()
        self._authenticated = True
        return _with_crc(bytes(self.memory[4 * _PACK_PAGE : 4 * _PACK_PAGE + 2]))

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
    memory[_AUTH0] = 0xFF  # no page needs the password (8.5.7)
    memory[4 * _PWD_PAGE : 4 * _PWD_PAGE + 4] = b"\xff\xff\xff\xff"
    return memory
