"""ISO/IEC 14443-3 type A: all tags in a reader's field; usable alone, on both runtimes.

    uids = UidSet(16)
    if inventory(reader, uids, 250_000) == COMPLETE:
        for i in range(uids.count):
            print(uids.uid(i))

`reader` is a mfrc522.MFRC522 whose antenna is on and settled (field on and off is the caller's).
Nothing allocates once the UidSets exist. Skeleton: signatures are fixed, bodies follow.
"""

# Reasons: what every function here returns. SAME and COMPLETE are good; the rest is incomplete,
# and an incomplete set is never a shorter list.
COMPLETE = 0  # the set is all that is in the field
SAME = 1  # exactly the known tags answered
DIFFERENT = 2  # something is missing or new: walk
TIMEOUT = 3  # the time is over; the set is partial
CROWDED = 4  # more tags than the set has room for
GARBLED = 5  # BCC, CRC, SAK or a branch of the walk stayed wrong after the retries
DEAD = 6  # the reader does not answer on the bus
REASONS = ("complete", "same", "different", "timeout", "crowded", "garbled", "dead")


class UidSet:
    """Up to `room` UIDs of 4, 7 or 10 bytes in storage made once. `count` says how many."""

    def __init__(self, room: int = 16) -> None:
        self.room = room
        self.count = 0

    def clear(self) -> None:
        """Forget all."""

    def add(self, uid: bytes) -> int:
        """Add a UID (ValueError on length other than 4, 7, 10); its index. IndexError: full."""
        return 0

    def copy(self, other: "UidSet") -> None:
        """Become equal to `other`, without allocation."""

    def take(self, other: "UidSet", i: int) -> bool:
        """Append UID i of `other`, without allocation; False when full."""
        return False

    def uid(self, i: int) -> bytes:
        """UID i as bytes (allocates: not for the sweep)."""
        return b""

    def length(self, i: int) -> int:
        """Bytes of UID i: 4, 7 or 10."""
        return 0

    def find(self, other: "UidSet", i: int) -> int:
        """Index here of UID i of `other`, or -1; no allocation. So a roster, being a UidSet whose
        index is the chip, maps what was found to chips."""
        return -1

    def equals(self, other: "UidSet") -> bool:
        """The same UIDs in any order."""
        return False


def inventory(reader: object, uids: UidSet, budget_us: int) -> int:
    """Full collision walk of the field into `uids`: COMPLETE, TIMEOUT, CROWDED, GARBLED, DEAD."""
    return DEAD


def verify(reader: object, known: UidSet, budget_us: int) -> int:
    """Do exactly the `known` tags answer? Prefixed anticollision only: SAME, DIFFERENT, TIMEOUT,
    DEAD. Blind to a new tag that shares all first-level bytes with a known one: see prove()."""
    return DEAD


def prove(reader: object, known: UidSet, budget_us: int) -> int:
    """SELECT and HALT every known tag, then REQA must be silent: SAME, DIFFERENT, TIMEOUT, DEAD.
    All tags are halted after it (the field must go off, or the next call's WUPA wakes them)."""
    return DEAD


def visit(
    reader: object, known: UidSet, found: UidSet, second: UidSet, budget_us: int, proof: bool
) -> int:
    """What a sweep does at a zone: verify (or prove), and at any difference the walk in the same
    visit until two walks agree. `found` is the result (equal to `known` on SAME)."""
    return DEAD


def strengths(reader: object, uids: UidSet, gains_db: tuple, out: bytearray) -> int:
    """out[i] = lowest gain in dB at which tag i is heard, 0 if at none; gains_db ascending.
    The gain is afterwards the last of gains_db. Returns COMPLETE or DEAD."""
    return DEAD
