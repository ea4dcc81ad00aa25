"""UIDs of ISO/IEC 14443-3 tags, in storage that is made once. Knows no reader and no game."""

try:
    from micropython import const
except ImportError:  # CPython

    def const(value: int) -> int:  # type: ignore[misc]
        return value


_CT = const(0x88)  # cascade tag: the UID goes on in the next level
LEVEL_2 = const(0x40)  # plan(): what a step asks, beside the number of bits 0..32
ENTER = const(0x80)
WALK = const(0xC0)


_NO_PLAN = bytearray()  # of sets that are never verified, and empty ones


class UidSet:
    """Up to `room` UIDs of 4, 7 or 10 bytes, in storage made once; `count` says how many.

    A roster is one too, whose index is the chip: `roster.find(found, i)`.
    """

    def __init__(self, room: int = 16) -> None:
        self.room = room
        self.count = 0
        self.data = bytearray(
            13 * room
        )  # length, then what is answered at each level: 3 x 4 bytes
        self._plan = _NO_PLAN
        self.steps = 0
        self._planned = False

    def clear(self) -> None:
        """Forget all."""
        self.count = 0
        self._planned = False

    def add(self, uid: "bytes | bytearray") -> int:
        """Add a UID and return its index. ValueError: length or first byte; IndexError: full."""
        if len(uid) not in (4, 7, 10) or uid[0] == _CT:
            raise ValueError("a UID has 4, 7 or 10 bytes and never begins with 0x88")
        if self.count == self.room:
            raise IndexError("no room for more than %d UIDs" % self.room)
        at = 13 * self.count
        self.data[at] = len(uid)
        last = len(uid) // 3 - 1
        for level in range(last):
            self.data[at + 1] = _CT
            for k in range(3):
                self.data[at + 2 + k] = uid[3 * level + k]
            at += 4
        for k in range(4):
            self.data[at + 1 + k] = uid[3 * last + k]
        self.count += 1
        self._planned = False
        return self.count - 1

    def take(self, other: "UidSet", i: int) -> bool:
        """Append UID i of `other`, without allocation; False when full."""
        if self.count == self.room:
            return False
        to = 13 * self.count
        at = 13 * i
        for k in range(13):
            self.data[to + k] = other.data[at + k]
        self.count += 1
        self._planned = False
        return True

    def copy(self, other: "UidSet") -> None:
        """Become equal to `other`, as far as there is room; without allocation."""
        mine = self.data
        theirs = other.data
        self.count = min(other.count, self.room)
        self._planned = False
        for k in range(13 * self.count):
            mine[k] = theirs[k]

    def merge(self, other: "UidSet") -> None:
        """Add what `other` has and this set lacks, as far as there is room."""
        for i in range(other.count):
            if self.find(other, i) < 0:
                self.take(other, i)

    def join(self, levels: "tuple[bytearray, ...]", chosen: bytearray, last: int) -> bool:
        """Append the UID whose level l is the four bytes levels[l][4 * chosen[l] :], the last
        level being `last` (0..2); without allocation; False when full."""
        if self.count == self.room:
            return False
        at = 13 * self.count
        self.data[at] = 4 + 3 * last
        for level in range(last + 1):
            for k in range(4):
                self.data[at + 1 + k] = levels[level][4 * chosen[level] + k]
            at += 4
        self.count += 1
        self._planned = False
        return True

    def grow(self, more: int) -> None:
        """So many more are in `data` now."""
        self.count += more
        self._planned = False

    def uid(self, i: int) -> bytes:
        """UID i (allocates: not for the sweep)."""
        if not 0 <= i < self.count:
            raise IndexError("UID %d of %d" % (i, self.count))
        at = 13 * i
        last = self.levels(i) - 1
        parts = [bytes(self.data[at + 4 * n + 2 : at + 4 * n + 5]) for n in range(last)]
        return b"".join(parts) + bytes(self.data[at + 4 * last + 1 : at + 4 * last + 5])

    def find(self, other: "UidSet", i: int) -> int:
        """Index here of UID i of `other`, or -1; without allocation."""
        mine = self.data
        theirs = other.data
        at = 13 * i
        used = 4 * (theirs[at] // 3)
        last = theirs[at + used]
        for j in range(self.count):
            to = 13 * j
            if mine[to + used] == last:  # the last bytes differ soonest within a batch
                k = used - 1
                while k >= 0 and mine[to + k] == theirs[at + k]:
                    k -= 1
                if k < 0:
                    return j
        return -1

    def alone(self, level: bytearray, at: int) -> int:
        """Index of the only UID whose level 1 is the four bytes level[at:], or -1."""
        data = self.data
        found = -1
        for j in range(self.count):
            to = 13 * j + 1
            if (
                data[to + 3] == level[at + 3]
                and data[to + 2] == level[at + 2]
                and data[to + 1] == level[at + 1]
                and data[to] == level[at]
            ):
                if found >= 0:
                    return -1
                found = j
        return found

    def levels(self, i: int) -> int:
        """Cascade levels of UID i: 1, 2 or 3. What it answers at level l (0..2) are the four
        bytes of `data` from 13 * i + 1 + 4 * l on."""
        return self.data[13 * i] // 3

    def same_level(self, i: int, j: int, level: int) -> bool:
        """Do UIDs i and j answer alike at that level?"""
        data = self.data
        at = 13 * i + 1 + 4 * level
        to = 13 * j + 1 + 4 * level
        return (
            data[at + 3] == data[to + 3]
            and data[at + 2] == data[to + 2]
            and data[at + 1] == data[to + 1]
            and data[at] == data[to]
        )

    def plan(self) -> bytearray:
        """For verify(): the questions that cover all UIDs, `steps` times three bytes
        [i, LEVEL_2 | bits, split]: ask for the first `bits` bits of UID i. Split 0: UID i alone
        must answer. Else: the first difference must be at that bit, for all known UIDs agree
        before it. [i, ENTER, 0]: select level 1 of UID i for the LEVEL_2 steps that follow.
        [i, WALK, 0]: the set cannot be verified so. Made once for each change of the set; the
        storage for it with the first one."""
        if self._planned:
            return self._plan
        self.steps = 0
        if self.count and self._plan is _NO_PLAN:
            self._plan = bytearray(12 * self.room)  # at most 4 steps a UID
        for i in range(self.count):
            if self._is_first(i, 0):
                self._cover(i, 0)
        for i in range(self.count):
            if self._is_first(i, 0) and self.shared(i):
                self._step(i, ENTER, 0)
                for j in range(i, self.count):
                    if self.same_level(i, j, 0):
                        if self._is_first(j, 1):
                            self._cover(j, 1)
                        else:
                            self._step(j, WALK, 0)
        self._planned = True
        return self._plan

    def shared(self, i: int) -> bool:
        """Does another UID share all of level 1 with UID i?"""
        for j in range(self.count):
            if j != i and self.same_level(i, j, 0):
                return True
        return False

    def _is_first(self, i: int, level: int) -> bool:
        for j in range(i):
            if self.same_level(i, j, level) and (level == 0 or self.same_level(i, j, 0)):
                return False
        return True

    def _cover(self, i: int, level: int) -> None:
        """Steps for one leaf: along its path each stretch of bits on which all known UIDs below
        agree is asked once (by the first UID below), for a new tag may part there."""
        above = 0
        while True:
            split = 33
            first = True
            for j in range(self.count):
                if j == i or (level == 1 and not self.same_level(i, j, 0)):
                    continue
                differ = self._first_difference(i, j, level)
                if above < differ < split:
                    split = differ
            if split == 33:
                break
            for j in range(i):
                if level == 0 or self.same_level(i, j, 0):
                    first = first and self._first_difference(i, j, level) < split
            if first and split > above + 1:
                self._step(i, (LEVEL_2 if level else 0) | above, split)
            above = split
        self._step(i, (LEVEL_2 if level else 0) | above, 0)

    def _step(self, i: int, what: int, split: int) -> None:
        at = 3 * self.steps
        self._plan[at] = i
        self._plan[at + 1] = what
        self._plan[at + 2] = split
        self.steps += 1

    def _first_difference(self, i: int, j: int, level: int) -> int:
        """First bit (1..32, in the order of sending) in which two UIDs differ; 33 in none."""
        at = 13 * i + 1 + 4 * level
        to = 13 * j + 1 + 4 * level
        for k in range(4):
            odd = self.data[at + k] ^ self.data[to + k]
            if odd:
                bit = 8 * k + 1
                while not odd & 1:
                    odd >>= 1
                    bit += 1
                return bit
        return 33
