"""The same Bus as mfrc522.Bus, over the RP2040's SPI and SIO registers from viper code.

About 90 us of processor time a frame instead of 360 (`machine.SPI` from bytecode). It sends the
same bytes in the same order. `select` is not a callable here but the reader's address at the
4-to-16 decoder (0..15): MFRC522(FastBus(spi), address). The pins are those of the board's table.

    spi = machine.SPI(0, 8_000_000, sck=..., mosi=..., miso=...)   # sets pins, mode and clock
    bus = FastBus(spi)

RP2040 only: SPI0 at 4003C000h, SIO at D0000000h (RP2040 data sheet 4.4.4, 2.3.1.7). Addresses are
written shifted right by two, for a small integer has 31 bits.
"""

from array import array

import micropython
from micropython import const

_ROOM = const(20)  # bytes a frame, as mfrc522.Bus
_AT = const(14)  # place of tx in the loading script
_CHAIN = const(7)  # places in the starting script: what asks for the status, the status
_STATUS = const(13)
_ANSWER = const(19)  # and what the FIFO gave, after a byte without meaning
_LENGTH = const(0)  # places in the state, all for _run(): bytes sent, framing, bytes expected,
_FRAMING = const(1)
_EXPECT = const(2)
_POLLS = const(3)  # polls at most
_HEARD = const(4)  # when the last frame had ended, microseconds
_COLLIDED = const(5)  # out: first collided bit, as MFRC522.coll
_WHAT = const(6)  # what the others are to do
_SPLITS = const(7)  # 32 places where a walk branched off
_GUARD_US = const(90)  # as mfrc522.py
_POLL_US = const(50)
_ENABLE = const(5)  # GPIO of the decoder's /E, low selects
_ADDRESS = const(6)  # GPIO of its A0; A1 to A3 follow


@micropython.viper
def _swap(select: int, out: ptr8, into: ptr8, count: int):  # noqa: F821
    """One NSS frame: count bytes out, count bytes in."""
    base = 0x34000000
    sio = ptr32(base << 2)  # noqa: F821  [5] GPIO_OUT_SET, [6] GPIO_OUT_CLR
    base = 0x1000F000
    spi = ptr32(base << 2)  # noqa: F821  [2] SSPDR, [3] SSPSR
    sio[6] = 15 << _ADDRESS
    sio[5] = select << _ADDRESS
    sio[6] = 1 << _ENABLE
    i = 0
    while i < count:
        spi[2] = out[i]
        while not spi[3] & 4:  # RNE: the answer has come
            pass
        into[i] = spi[2]
        i += 1
    while spi[3] & 16:  # BSY: the last clock edge
        pass
    sio[5] = 1 << _ENABLE


@micropython.viper
def _script(select: int, script: ptr8):  # noqa: F821
    """NSS frames in a row, nothing read: each a length and its bytes; a length of 0 ends."""
    base = 0x34000000
    sio = ptr32(base << 2)  # noqa: F821
    base = 0x1000F000
    spi = ptr32(base << 2)  # noqa: F821
    sio[6] = 15 << _ADDRESS
    sio[5] = select << _ADDRESS
    at = 0
    while script[at]:
        end = at + script[at]
        sio[6] = 1 << _ENABLE
        while at < end:
            at += 1
            spi[2] = script[at]
            while not spi[3] & 4:
                pass
            into = spi[2]  # noqa: F841  empties the receiver
        while spi[3] & 16:
            pass
        sio[5] = 1 << _ENABLE
        at += 1


@micropython.viper
def _run(select: int, script: ptr8, tail: ptr8, state: ptr32) -> int:  # noqa: F821
    """A frame from loading to fetching the answer: as MFRC522.exchange().

    script, tail: as _script(), the guard time between them; see FastBus for both and for state.
    """
    base = 0x34000000
    sio = ptr32(base << 2)  # noqa: F821
    base = 0x1000F000
    spi = ptr32(base << 2)  # noqa: F821
    base = 0x10015000
    timer = ptr32(base << 2)  # noqa: F821  [10] TIMERAWL, data sheet 4.6.5
    length = state[_LENGTH]
    framing = state[_FRAMING]
    script[_AT - 3] = framing
    script[_AT - 2] = length + 1
    kept = script[_AT + length]
    script[_AT + length] = 0
    tail[5] = 0x80 | framing
    sio[6] = 15 << _ADDRESS
    sio[5] = select << _ADDRESS
    frames = script
    part = 0
    while part < 2:
        at = 0
        while frames[at]:
            end = at + frames[at]
            sio[6] = 1 << _ENABLE
            while at < end:
                at += 1
                spi[2] = frames[at]
                while not spi[3] & 4:
                    pass
                got = spi[2]
            while spi[3] & 16:
                pass
            sio[5] = 1 << _ENABLE
            at += 1
        if part == 0:
            while timer[10] - state[_HEARD] < _GUARD_US:
                pass
        frames = tail
        part += 1
    start = timer[10]
    script[_AT + length] = kept
    # As in mfrc522.py: both frames' bits and the tag's delay
    wait = 9 * (length + state[_EXPECT]) + 14
    if framing & 7:
        wait += (framing & 7) - 9
    wait = wait * 302 >> 5
    polls = state[_POLLS]
    got = 0
    while polls and not got & 0x21:  # RxIRq, TimerIRq
        while timer[10] - start < wait:
            pass
        start = timer[10]
        wait = _POLL_US
        polls -= 1
        sio[6] = 1 << _ENABLE
        i = 0
        while i < 6:
            spi[2] = tail[_CHAIN + i]
            while not spi[3] & 4:
                pass
            tail[_STATUS + i] = spi[2]
            i += 1
        while spi[3] & 16:
            pass
        sio[5] = 1 << _ENABLE
        got = tail[_STATUS + 1]
    state[_HEARD] = timer[10]
    state[_COLLIDED] = 0
    error = tail[_STATUS + 2]
    level = tail[_STATUS + 3]
    if not got & 0x21 or got & error & level & tail[_STATUS + 4] == 0xFF:
        return -2  # DEAD
    if not got & 0x20:
        return 0  # SILENCE
    if error & 0x13 and not error & 8:
        return -1  # GARBLED
    level &= 0x7F
    if level == 0 or level > _ROOM:
        return -1
    if error & 8:
        coll = tail[_STATUS + 5]
        got = coll & 0x1F
        if got == 0:
            got = 32
        if coll & 0x20:
            got = 33
        state[_COLLIDED] = got
    sio[6] = 1 << _ENABLE
    i = 0
    while i <= level:
        spi[2] = 0x92 if i < level else 0
        while not spi[3] & 4:
            pass
        tail[_ANSWER + i] = spi[2]
        i += 1
    while spi[3] & 16:
        pass
    sio[5] = 1 << _ENABLE
    return level


@micropython.viper
def _ask(select: int, path: ptr8, script: ptr8, tail: ptr8, state: ptr32) -> int:  # noqa: F821
    """ANTICOLLISION and its answer: see FastBus.ask(). state[_WHAT]: level << 6 | known."""
    known = state[_WHAT] & 0x3F
    whole = known >> 3
    part = known & 7
    length = 2 + whole
    if part:
        length += 1
    script[_AT] = 0x93 + 2 * (state[_WHAT] >> 6)
    script[_AT + 1] = 0x20 + (whole << 4) + part
    i = 2
    while i < length:
        script[_AT + i] = path[i - 2]
        i += 1
    state[_LENGTH] = length
    state[_FRAMING] = part << 4 | part
    state[_EXPECT] = 5 - whole
    got = int(_run(select, script, tail, state))
    if got <= 0:
        return 3 if got == -1 else got
    if got > 5 - whole:
        return 3
    kept = path[whole]
    mask = (1 << part) - 1
    i = 0
    while i < got:
        path[whole + i] = tail[_ANSWER + 1 + i]
        i += 1
    path[whole] = (path[whole] & (0xFF ^ mask)) | (kept & mask)
    if state[_COLLIDED]:
        return 0x40 | state[_COLLIDED]
    if got != 5 - whole or tail[_STATUS + 4] & 7:
        return 3
    if path[0] ^ path[1] ^ path[2] ^ path[3] ^ path[4]:
        return 3
    return 1


@micropython.viper
def _choose(select: int, uids: ptr8, script: ptr8, tail: ptr8, state: ptr32) -> int:  # noqa: F821
    """SELECT and its SAK: see FastBus.choose(). state[_WHAT]: level << 16 | place in uids."""
    at = state[_WHAT] & 0xFFFF
    script[_AT] = 0x93 + 2 * (state[_WHAT] >> 16)
    script[_AT + 1] = 0x70
    script[_AT + 6] = uids[at] ^ uids[at + 1] ^ uids[at + 2] ^ uids[at + 3]
    i = 0
    while i < 4:
        script[_AT + 2 + i] = uids[at + i]
        i += 1
    crc = 0x6363
    i = 0
    while i < 7:
        byte = (script[_AT + i] ^ crc) & 0xFF
        byte ^= byte << 4 & 0xFF
        crc = (crc >> 8 ^ byte << 8 ^ byte << 3 ^ byte >> 4) & 0xFFFF
        i += 1
    script[_AT + 7] = crc & 0xFF
    script[_AT + 8] = crc >> 8
    state[_LENGTH] = 9
    state[_FRAMING] = 0
    state[_EXPECT] = 3
    got = int(_run(select, script, tail, state))
    if got == -2:
        return got
    sak = tail[_ANSWER + 1]
    if got == 3 and state[_COLLIDED] == 0 and tail[_STATUS + 4] & 7 == 0:
        byte = (sak ^ 0x63) & 0xFF
        byte ^= byte << 4 & 0xFF
        crc = (0x63 ^ byte << 8 ^ byte << 3 ^ byte >> 4) & 0xFFFF
        if tail[_ANSWER + 2] == crc & 0xFF and tail[_ANSWER + 3] == crc >> 8:
            return sak
    if got > 0 and state[_COLLIDED] > 3 and sak & 4:
        return 4
    return -1


@micropython.viper
def _walk(select: int, path: ptr8, values: ptr8, script: ptr8, tail: ptr8, state: ptr32) -> int:  # noqa: F821
    """See FastBus.walk(). state[_WHAT]: MFRC522.coll_counts."""
    counts = state[_WHAT]
    known = 0
    depth = 0
    found = 0
    while True:
        state[_WHAT] = known
        got = int(_ask(select, path, script, tail, state))
        if got > 0x40:
            split = got & 0x3F
            base = known & 0x38
            if base and split <= 32:  # as Frames.place()
                if counts == 1 or (counts == 0 and split <= known):
                    split += base
                elif counts == 0 and split + base <= 32:
                    return -1
            if split <= known or split > 32:
                return -1
            at = (split - 1) >> 3
            bit = 1 << ((split - 1) & 7)
            path[at] = path[at] & (bit - 1) | bit
            state[_SPLITS + depth] = split
            depth += 1
            known = split
            continue
        if got != 1 or found == 32:
            return -1
        i = 0
        while i < 4:
            values[4 * found + i] = path[i]
            i += 1
        found += 1
        known = 0
        while depth and not known:
            known = state[_SPLITS + depth - 1]
            at = (known - 1) >> 3
            bit = 1 << ((known - 1) & 7)
            if path[at] & bit:
                path[at] = path[at] ^ bit
            else:
                depth -= 1  # both ways are done
                known = 0
        if depth == 0:
            return found


@micropython.viper
def _leaf(select: int, path: ptr8, values: ptr8, script: ptr8, tail: ptr8, state: ptr32) -> int:  # noqa: F821
    """See FastBus.leaf(). state[_WHAT]: place in values, 100h to halt, 200h to call."""
    what = state[_WHAT]
    at = what & 0xFF
    if what & 0x200:
        script[_AT] = 0x26
        state[_LENGTH] = 1
        state[_FRAMING] = 7
        state[_EXPECT] = 2
        got = int(_run(select, script, tail, state))
        if got == 0 or got == -2:
            return -1
    state[_WHAT] = at
    sak = int(_choose(select, values, script, tail, state))
    levels = 1
    if values[at] == 0x88:
        if sak < 0 or not sak & 4:
            return -1
        state[_WHAT] = 1 << 6
        got = int(_ask(select, path, script, tail, state))
        if got != 1 or path[0] == 0x88:
            return -1
        state[_WHAT] = 1 << 16
        sak = int(_choose(select, path, script, tail, state))
        levels = 2
    if sak < 0 or sak & 4:
        return -1
    if what & 0x100:
        script[_AT] = 0x50
        script[_AT + 1] = 0x00
        script[_AT + 2] = 0x57
        script[_AT + 3] = 0xCD
        state[_LENGTH] = 4
        state[_FRAMING] = 0
        state[_EXPECT] = 0
        got = int(_run(select, script, tail, state))
        if got == -2:
            return -1
    return levels


@micropython.viper
def _field(select: int, on: int, script: ptr8) -> int:  # noqa: F821
    """See FastBus.field(). script: Command Idle; TxControl; TxControl read."""
    base = 0x34000000
    sio = ptr32(base << 2)  # noqa: F821
    base = 0x1000F000
    spi = ptr32(base << 2)  # noqa: F821
    sio[6] = 15 << _ADDRESS
    sio[5] = select << _ADDRESS
    script[3] = 0x80 | 3 * on
    at = 2 * on  # a field that goes on needs no Idle before
    got = 0
    while at < 6:
        end = at + 2
        sio[6] = 1 << _ENABLE
        while at < end:
            spi[2] = script[at]
            while not spi[3] & 4:
                pass
            got = spi[2]
            at += 1
        while spi[3] & 16:
            pass
        sio[5] = 1 << _ENABLE
    return 1 if got & 3 == 3 * on else 0


@micropython.viper
def _call(select: int, command: int, script: ptr8, tail: ptr8, state: ptr32) -> int:  # noqa: F821
    """REQA or WUPA: as _run()."""
    script[_AT] = command
    state[_LENGTH] = 1
    state[_FRAMING] = 7
    state[_EXPECT] = 2
    return int(_run(select, script, tail, state))


@micropython.viper
def _cover(  # noqa: F821
    select: int, path: ptr8, data: ptr8, plan: ptr8, script: ptr8, tail: ptr8, state: ptr32
) -> int:
    """See FastBus.cover(). state[_WHAT]: MFRC522.coll_counts << 8 | steps."""
    counts = state[_WHAT] >> 8
    steps = state[_WHAT] & 0xFF
    got = int(_call(select, 0x26, script, tail, state))
    if got == -2:
        return -2
    if steps == 0:
        return 2 if got else 1
    step = 0
    while step < steps:
        known = plan[3 * step + 1]
        due = plan[3 * step + 2]
        if got == 0 or known & 0xC0:
            return -1
        at = 13 * plan[3 * step] + 1
        i = 0
        while i < 4:
            path[i] = data[at + i]
            i += 1
        state[_WHAT] = known
        got = int(_ask(select, path, script, tail, state))
        if got > 0x40:
            split = got & 0x3F
            base = known & 0x38
            if base and split <= 32:  # as Frames.place()
                if counts == 1 or (counts == 0 and split <= known):
                    split += base
                elif counts == 0 and split + base <= 32:
                    return -1
            if split <= known or split > 32:
                return -1
            if split != due:
                return 2
        elif got == 1:
            i = 0
            while i < 4:
                due |= path[i] ^ data[at + i]
                i += 1
            if due:
                return 2
        else:
            return -2 if got == -2 else -1
        step += 1
    return 1


@micropython.viper
def _reach(select: int, data: ptr8, script: ptr8, tail: ptr8, state: ptr32) -> int:  # noqa: F821
    """See FastBus.reach(). state[_WHAT]: command << 16 | place in data."""
    at = state[_WHAT] & 0xFFFF
    got = int(_call(select, state[_WHAT] >> 16, script, tail, state))
    if got == 0 or got == -2:
        return -2 if got else -1
    last = at + 1 + 4 * (data[at] // 3 - 1)
    at += 1
    level = 0
    sak = 0
    while at <= last:
        state[_WHAT] = level << 16 | at
        sak = int(_choose(select, data, script, tail, state))
        if sak < 0:
            return sak
        at += 4
        level += 1
    return -1 if sak & 4 else 1


@micropython.viper
def _crc_a(data: ptr8, count: int) -> int:  # noqa: F821
    """As mfrc522.crc_a()."""
    crc = 0x6363
    i = 0
    while i < count:
        byte = (data[i] ^ crc) & 0xFF
        byte ^= byte << 4 & 0xFF
        crc = crc >> 8 ^ byte << 8 ^ byte << 3 ^ byte >> 4
        i += 1
    return crc & 0xFFFF


class FastBus:
    """See mfrc522.Bus: write, read, load, start, poll, fetch; tx, rx, status."""

    ROOM = _ROOM
    whole = True

    def __init__(self, spi):
        self.spi = spi  # kept: it owns clock, mode and pins
        # Command: Idle; ComIrq: clear; FIFOLevel: flush; BitFraming; FIFOData and the frame
        self._load = bytearray(b"\x02\x02\x00\x02\x08\x7f\x02\x14\x80\x02\x1a\x00\x00\x12")
        self._load.extend(bytes(_ROOM + 1))
        self.tx = memoryview(self._load)[_AT : _AT + _ROOM]
        # Command: Transceive; BitFraming: StartSend; then the status chain and its answer
        self._chain = b"\x88\x8c\x94\x98\x9c\x00"
        self._start = bytearray(b"\x02\x02\x0c\x02\x1a\x80\x00" + self._chain)
        self._start.extend(bytes(7 + _ROOM))
        self.status = memoryview(self._start)[_STATUS:_ANSWER]
        self._state = array("i", bytes(4 * (_SPLITS + 32)))
        self._pair = bytearray(2)
        self._got = bytearray(2)
        self._switch = bytearray(b"\x02\x00\x28\x80\xa8\x00")  # see _field()
        self._asks = [b"\x92" * count + b"\x00" for count in range(_ROOM + 1)]
        self._answer = memoryview(self._start)[_ANSWER:]
        self.rx = self._answer[1:]

    def write(self, select: int, register: int, value: int):
        """Write one register."""
        self._pair[0] = register << 1
        self._pair[1] = value
        _swap(select, self._pair, self._got, 2)

    def read(self, select: int, register: int) -> int:
        """Read one register."""
        self._pair[0] = 0x80 | register << 1
        self._pair[1] = 0
        _swap(select, self._pair, self._got, 2)
        return self._got[1]

    def load(self, select: int, length: int, framing: int):
        """Make ready to send tx[:length]; framing: RxAlign << 4 | TxLastBits."""
        kept = self._close(length, framing)
        _script(select, self._load)
        self._load[_AT + length] = kept

    def _close(self, length: int, framing: int) -> int:
        """Complete the loading script; the byte of tx that its end displaces."""
        script = self._load
        script[_AT - 3] = framing
        script[_AT - 2] = length + 1
        kept = script[_AT + length]
        script[_AT + length] = 0
        return kept

    def start(self, select: int, framing: int):
        """Send it."""
        self._start[5] = 0x80 | framing
        _script(select, self._start)

    def run(self, select: int, length: int, framing: int, expect: int, polls: int) -> int:
        """A frame from loading to fetching: as MFRC522.exchange()."""
        state = self._state
        state[_LENGTH] = length
        state[_FRAMING] = framing
        state[_EXPECT] = expect
        state[_POLLS] = polls
        return _run(select, self._load, self._start, state)

    def ask(self, select: int, path, level: int, known: int, polls: int) -> int:
        """ANTICOLLISION at the level (0..2) by the first `known` bits (0..32) of path, which gets
        the answer: as Frames.ask() in iso14443a_frames.py, but 40h | coll where tags differ."""
        state = self._state
        state[_WHAT] = level << 6 | known
        state[_POLLS] = polls
        return _ask(select, path, self._load, self._start, state)

    def choose(self, select: int, uids, level: int, at: int, polls: int) -> int:
        """SELECT uids[at:at + 4] at the level: as Frames.select()."""
        state = self._state
        state[_WHAT] = level << 16 | at
        state[_POLLS] = polls
        return _choose(select, uids, self._load, self._start, state)

    def walk(self, select: int, path, values, counts: int, polls: int) -> int:
        """All values of level 1 of READY tags into values, 4 bytes each: how many. -1 when
        anything went otherwise than in the books: then the walk is to be done step by step.
        counts: MFRC522.coll_counts."""
        state = self._state
        state[_WHAT] = counts
        state[_POLLS] = polls
        return _walk(select, path, values, self._load, self._start, state)

    def leaf(self, select: int, path, values, what: int, polls: int) -> int:
        """The tag whose level 1 is values[at:at + 4]: REQA (what & 200h), SELECT, level 2 into
        path and SELECT, HLTA (what & 100h). what & FFh: at. Levels of its UID: 1 or 2; -1 when it
        was not one tag of 4 or 7 bytes that did all this: its state is open then."""
        state = self._state
        state[_WHAT] = what
        state[_POLLS] = polls
        return _leaf(select, path, values, self._load, self._start, state)

    def field(self, select: int, on: bool) -> bool:
        """Antenna on, or Idle and antenna off; does TxControlReg read back so?"""
        return bool(_field(select, 1 if on else 0, self._switch))

    def cover(self, select: int, path, data, plan, what: int, polls: int) -> int:
        """REQA and all steps of UidSet.plan() for the UIDs in data: 1 just they answered, 2 they
        or others answered otherwise, -2 the reader is dead, -1 to be done step by step (the tags
        are in any state but HALT then). what: MFRC522.coll_counts << 8 | steps."""
        state = self._state
        state[_WHAT] = what
        state[_POLLS] = polls
        return _cover(select, path, data, plan, self._load, self._start, state)

    def reach(self, select: int, data, at: int, command: int, polls: int) -> int:
        """REQA or WUPA, and SELECT at all levels of the UID at data[at:], as a UidSet has it: 1
        it answered, -1 not (or with noise), -2 the reader is dead."""
        state = self._state
        state[_WHAT] = command << 16 | at
        state[_POLLS] = polls
        return _reach(select, data, self._load, self._start, state)

    def crc_a(self, data, length: int) -> int:
        """As mfrc522.crc_a()."""
        return _crc_a(data, length)

    def poll(self, select: int) -> int:
        """Read the status registers into `status`; returns ComIrq."""
        _swap(select, self._chain, self.status, 6)
        return self.status[1]

    def fetch(self, select: int, count: int):
        """Read count bytes of the FIFO into rx."""
        _swap(select, self._asks[count], self._answer, count + 1)
