"""UIDs of ISO/IEC 14443-3 tags, in storage that is made once. Knows no reader and no game."""

try:
    from micropython import const
except ImportError:  # CPython

    def const(value: int) -> int:  # type: ignore[misc]
        return value


_CT = const(0x88)  # cascade tag: the UID goes on in the next level


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

    def clear(self) -> None:
        """Remove all."""
        self.count = 0

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
        return True

    def copy(self, other: "UidSet") -> None:
        """Become equal to `other`, as far as there is room; without allocation."""
        mine = self.data
        theirs = other.data
        self.count = min(other.count, self.room)
        for k in range(13 * self.count):
            mine[k] = theirs[k]

    def swap(self, other: "UidSet") -> None:
        """Exchange everything with a set of the same room; without allocation."""
        self.count, other.count = other.count, self.count
        self.data, other.data = other.data, self.data

    def merge(self, other: "UidSet") -> None:
        """Add the UIDs of `other` that are not in this set, as far as there is room."""
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
        return True

    def grow(self, more: int) -> None:
        """Note that `data` has this many more."""
        self.count += more

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

    def holds(self, levels: "tuple[bytearray, ...]", chosen: bytearray, last: int) -> int:
        """How many UIDs have at each level l, up to `last`, levels[l][4 * chosen[l] :]."""
        data = self.data
        held = 0
        for i in range(self.count):
            same = self.levels(i) > last
            for level in range(last + 1):
                at = 13 * i + 1 + 4 * level
                for k in range(4):
                    same = same and data[at + k] == levels[level][4 * chosen[level] + k]
            held += same
        return held

    def shared(self, i: int) -> bool:
        """Does another UID share all of level 1 with UID i?"""
        return self.alone(self.data, 13 * i + 1) < 0
