"""Frames to MFRC522 readers over the RP2040's SPI and SIO registers, from viper code.

What mfrc522.py is made of; only it calls these functions. RP2040 only: SPI0 at 4003C000h, SIO
at D0000000h (RP2040 data sheet 4.4.4, 2.3.1.7). Addresses are written shifted right by two, for a
small integer has 31 bits.
"""

import micropython
from micropython import const

ROOM = const(20)  # bytes a frame, as rfid.mfrc522.Bus
AT = const(14)  # place of tx in the loading script
_CHAIN = const(7)  # places in the starting script: what asks for the status, the status
STATUS = const(13)
ANSWER = const(19)  # and what the FIFO gave, after a byte without meaning
LENGTH = const(0)  # places in the state, all for run_frame(): bytes sent, framing, bytes expected,
FRAMING = const(1)
EXPECT = const(2)
POLLS = const(3)  # polls at most
_HEARD = const(4)  # when the last frame had ended, microseconds
_COLLIDED = const(5)  # out: first collided bit, as MFRC522.coll
WHAT = const(6)  # what the others are to do
SETTLE = const(8)  # what its tags need before the first frame, microseconds
DONE = const(9)  # bits of ComIrq of which one ends a frame: 21h received or silence, 40h sent
START = const(10)  # a walk's, microseconds, and how long it may take
BUDGET = const(11)
SPLITS = const(12)  # 32 places where a walk branched off
_SWITCHED = const(44)  # 16 readers: when their field went on or off last, microseconds
_GUARD_US = const(90)  # as mfrc522.py
_POLL_US = const(50)
_ENABLE = const(5)  # GPIO of the decoder's /E, low selects
_ADDRESS = const(6)  # GPIO of its A0; A1 to A3 follow


@micropython.viper
def swap(select: int, out: ptr8, into: ptr8, count: int):  # noqa: F821
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
def run_frame(select: int, script: ptr8, tail: ptr8, state: ptr32) -> int:  # noqa: F821
    """A frame from loading to fetching the answer: as rfid.mfrc522.MFRC522.exchange().

    script, tail: NSS frames in a row, each a length and its bytes, a length of 0 ends; the guard
    time between the two. See Lines for all three.
    """
    base = 0x34000000
    sio = ptr32(base << 2)  # noqa: F821
    base = 0x1000F000
    spi = ptr32(base << 2)  # noqa: F821
    base = 0x10015000
    timer = ptr32(base << 2)  # noqa: F821  [10] TIMERAWL, data sheet 4.6.5
    length = state[LENGTH]
    framing = state[FRAMING]
    script[AT - 3] = framing
    script[AT - 2] = length + 1
    kept = script[AT + length]
    script[AT + length] = 0
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
    script[AT + length] = kept
    # As in mfrc522.py: both frames' bits and the tag's delay
    wait = 9 * (length + state[EXPECT]) + 14
    if framing & 7:
        wait += (framing & 7) - 9
    wait = wait * 302 >> 5
    polls = state[POLLS]
    done = state[DONE]
    got = 0
    while polls and not got & done:
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
            tail[STATUS + i] = spi[2]
            i += 1
        while spi[3] & 16:
            pass
        sio[5] = 1 << _ENABLE
        got = tail[STATUS + 1]
    state[_HEARD] = timer[10]
    state[_COLLIDED] = 0
    error = tail[STATUS + 2]
    level = tail[STATUS + 3]
    if not got & done or got & error & level & tail[STATUS + 4] == 0xFF:
        return -2  # DEAD
    if not got & 0x20:
        return 0  # SILENCE
    if error & 0x13 and not error & 8:
        return -1  # GARBLED
    level &= 0x7F
    if level == 0 or level > ROOM:
        return -1
    if error & 8:
        coll = tail[STATUS + 5]
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
        tail[ANSWER + i] = spi[2]
        i += 1
    while spi[3] & 16:
        pass
    sio[5] = 1 << _ENABLE
    return level


@micropython.viper
def ask(select: int, path: ptr8, script: ptr8, tail: ptr8, state: ptr32) -> int:  # noqa: F821
    """ANTICOLLISION and its answer: see Frames.ask(). state[WHAT]: level << 6 | known."""
    known = state[WHAT] & 0x3F
    whole = known >> 3
    part = known & 7
    length = 2 + whole
    if part:
        length += 1
    script[AT] = 0x93 + 2 * (state[WHAT] >> 6)
    script[AT + 1] = 0x20 + (whole << 4) + part
    i = 2
    while i < length:
        script[AT + i] = path[i - 2]
        i += 1
    state[LENGTH] = length
    state[FRAMING] = part << 4 | part
    state[EXPECT] = 5 - whole
    got = int(run_frame(select, script, tail, state))
    if got <= 0:
        return 3 if got == -1 else got
    if got > 5 - whole:
        return 3
    kept = path[whole]
    mask = (1 << part) - 1
    i = 0
    while i < got:
        path[whole + i] = tail[ANSWER + 1 + i]
        i += 1
    path[whole] = (path[whole] & (0xFF ^ mask)) | (kept & mask)
    if state[_COLLIDED]:
        return 0x40 | state[_COLLIDED]
    if got != 5 - whole or tail[STATUS + 4] & 7:
        return 3
    if path[0] ^ path[1] ^ path[2] ^ path[3] ^ path[4]:
        return 3
    return 1


@micropython.viper
def choose(select: int, uids: ptr8, script: ptr8, tail: ptr8, state: ptr32) -> int:  # noqa: F821
    """SELECT and its SAK: see Frames.choose(). state[WHAT]: level << 16 | place in uids."""
    at = state[WHAT] & 0xFFFF
    script[AT] = 0x93 + 2 * (state[WHAT] >> 16)
    script[AT + 1] = 0x70
    script[AT + 6] = uids[at] ^ uids[at + 1] ^ uids[at + 2] ^ uids[at + 3]
    i = 0
    while i < 4:
        script[AT + 2 + i] = uids[at + i]
        i += 1
    crc = 0x6363
    i = 0
    while i < 7:
        byte = (script[AT + i] ^ crc) & 0xFF
        byte ^= byte << 4 & 0xFF
        crc = (crc >> 8 ^ byte << 8 ^ byte << 3 ^ byte >> 4) & 0xFFFF
        i += 1
    script[AT + 7] = crc & 0xFF
    script[AT + 8] = crc >> 8
    state[LENGTH] = 9
    state[FRAMING] = 0
    state[EXPECT] = 3
    got = int(run_frame(select, script, tail, state))
    if got == -2:
        return got
    sak = tail[ANSWER + 1]
    if got == 3 and state[_COLLIDED] == 0 and tail[STATUS + 4] & 7 == 0:
        byte = (sak ^ 0x63) & 0xFF
        byte ^= byte << 4 & 0xFF
        crc = (0x63 ^ byte << 8 ^ byte << 3 ^ byte >> 4) & 0xFFFF
        if tail[ANSWER + 2] == crc & 0xFF and tail[ANSWER + 3] == crc >> 8:
            return sak
    if got > 0 and state[_COLLIDED] > 3 and sak & 4:
        return 4
    return -1


@micropython.viper
def _split(got: int, known: int, counts: int) -> int:
    """Where tags differ by ask()'s 40h | coll, as Known.place(): known < bit <= 32; -1 nowhere.
    counts: coll_counts of the reader."""
    split = got & 0x3F
    base = known & 0x38
    if base and split <= 32:
        if counts == 1 or (counts == 0 and split <= known):
            split += base
        elif counts == 0 and split + base <= 32:
            return -1
    return -1 if split <= known or split > 32 else split


@micropython.viper
def call(select: int, command: int, script: ptr8, tail: ptr8, state: ptr32) -> int:  # noqa: F821
    """REQA or WUPA: see Frames.call()."""
    script[AT] = command
    state[LENGTH] = 1
    state[FRAMING] = 7
    state[EXPECT] = 2
    return int(run_frame(select, script, tail, state))


@micropython.viper
def walk(select: int, path: ptr8, values: ptr8, script: ptr8, tail: ptr8, state: ptr32) -> int:  # noqa: F821
    """See Frames.first_level(). state[WHAT]: coll_counts of the reader."""
    counts = state[WHAT]
    known = 0
    depth = 0
    found = 0
    while True:
        state[WHAT] = known
        got = int(ask(select, path, script, tail, state))
        if got > 0x40:
            split = int(_split(got, known, counts))
            if split < 0:
                return -1
            at = (split - 1) >> 3
            bit = 1 << ((split - 1) & 7)
            path[at] = path[at] & (bit - 1) | bit
            state[SPLITS + depth] = split
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
            known = state[SPLITS + depth - 1]
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
def leaves(
    select: int,
    path: ptr8,  # noqa: F821
    values: ptr8,  # noqa: F821
    data: ptr8,  # noqa: F821
    script: ptr8,  # noqa: F821
    tail: ptr8,  # noqa: F821
    state: ptr32,  # noqa: F821
) -> int:
    """See Frames.leaves(). state[WHAT]: 2000000h the first is READY, 1000000h the last stays
    ACTIVE, << 12 place in data, << 6 end, first."""
    base = 0x10015000
    timer = ptr32(base << 2)  # noqa: F821
    what = state[WHAT]
    first = what & 0x3F
    end = what >> 6 & 0x3F
    to = what >> 12 & 0xFFF
    i = first
    while i < end:
        if (timer[10] - state[START]) & 0x3FFFFFFF >= state[BUDGET]:
            return i
        if i > first or not what & 0x2000000:
            got = int(call(select, 0x26, script, tail, state))
            if got == 0 or got == -2:
                return i
        at = 4 * i
        state[WHAT] = at
        sak = int(choose(select, values, script, tail, state))
        data[to] = 4
        if values[at] == 0x88:
            if sak < 0 or not sak & 4:
                return i
            state[WHAT] = 1 << 6
            got = int(ask(select, path, script, tail, state))
            if got != 1 or path[0] == 0x88:
                return i
            state[WHAT] = 1 << 16
            sak = int(choose(select, path, script, tail, state))
            data[to] = 7
        if sak < 0 or sak & 4:
            return i
        k = 0
        while k < 4:
            data[to + 1 + k] = values[at + k]
            data[to + 5 + k] = path[k]
            k += 1
        to += 13
        i += 1
        if i < end or not what & 0x1000000:
            script[AT] = 0x50
            script[AT + 1] = 0x00
            script[AT + 2] = 0x57
            script[AT + 3] = 0xCD
            state[LENGTH] = 4
            state[FRAMING] = 0
            state[EXPECT] = 0
            state[DONE] = 0x40  # a tag that ignored it is found at the end of the walk
            got = int(run_frame(select, script, tail, state))
            state[DONE] = 0x21
            if got == -2:
                return i - 1
    return i


@micropython.viper
def field(select: int, on: int, script: ptr8, state: ptr32) -> int:  # noqa: F821
    """See FastMFRC522.antenna(). script: Command Idle; TxControl; TxControl read."""
    base = 0x34000000
    sio = ptr32(base << 2)  # noqa: F821
    base = 0x1000F000
    spi = ptr32(base << 2)  # noqa: F821
    base = 0x10015000
    timer = ptr32(base << 2)  # noqa: F821
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
        if end == 4:
            state[_SWITCHED + select] = timer[10]
    return 1 if got & 3 == 3 * on else 0


@micropython.viper
def settle(select: int, state: ptr32):  # noqa: F821
    """See FastMFRC522.settle()."""
    base = 0x10015000
    timer = ptr32(base << 2)  # noqa: F821
    while timer[10] - state[_SWITCHED + select] < state[SETTLE]:
        pass


@micropython.viper
def meet(
    select: int,
    path: ptr8,  # noqa: F821
    values: ptr8,  # noqa: F821
    data: ptr8,  # noqa: F821
    script: ptr8,  # noqa: F821
    tail: ptr8,  # noqa: F821
    state: ptr32,  # noqa: F821
) -> int:
    """See FastMFRC522.verify(): 0 just the known tags, or how many values of level 1 others or
    fewer tags answered, or -1, -2, -3. state[WHAT]: the reader's coll_counts << 8 | known tags."""
    count = state[WHAT] & 0xFF
    state[WHAT] = state[WHAT] >> 8
    # run_frame() waits until the tags are awake, once it has loaded the frame.
    awake = state[_SWITCHED + select] + state[SETTLE] - _GUARD_US
    if awake - state[_HEARD] > 0:
        state[_HEARD] = awake
    got = int(call(select, 0x26, script, tail, state))
    if got == 0:
        return -1 if count else 0
    if got == -2:
        return got
    found = int(walk(select, path, values, script, tail, state))
    if found < 0:
        return -1 if count else -3
    shared = 0
    met = 0
    j = 0
    while j < found:
        before = met
        i = 0
        while i < count:
            odd = 0
            k = 0
            while k < 4:
                odd |= values[4 * j + k] ^ data[13 * i + 1 + k]
                k += 1
            if odd == 0:
                met += 1
            i += 1
        if met == before:
            return found
        if met - before > 1:
            shared = -1  # tags with the same level 1 need level 2
        j += 1
    return found if met < count else shared


@micropython.viper
def reach(select: int, data: ptr8, script: ptr8, tail: ptr8, state: ptr32) -> int:  # noqa: F821
    """See Frames.reach(). state[WHAT]: command << 16 | place in data."""
    at = state[WHAT] & 0xFFFF
    command = state[WHAT] >> 16
    if command:
        got = int(call(select, command, script, tail, state))
        if got == 0:  # it was READY or ACTIVE and fell to IDLE or HALT: call it from there
            got = int(call(select, command, script, tail, state))
        if got == 0 or got == -2:
            return -2 if got else -1
    last = at + 1 + 4 * (data[at] // 3 - 1)
    at += 1
    level = 0
    sak = 0
    while at <= last:
        state[WHAT] = level << 16 | at
        sak = int(choose(select, data, script, tail, state))
        if sak < 0:
            return sak
        at += 4
        level += 1
    return -1 if sak & 4 else 1
