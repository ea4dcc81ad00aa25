"""What the calls of a reader return, and terms of ISO/IEC 14443-3 that the modules share."""

try:
    from micropython import const
except ImportError:  # CPython

    def const(value: int) -> int:  # type: ignore[misc]
        return value


# Reasons: COMPLETE, SAME and HANDED are good. With any other, the set is incomplete; do not treat
# it as a shorter list.
COMPLETE = const(0)  # the set is all that is in the field
SAME = const(1)  # exactly the known tags answered
DIFFERENT = const(2)  # something is missing or new
TIMEOUT = const(3)  # the time ran out; the set is partial
CROWDED = const(4)  # more tags than the set has room for
GARBLED = const(5)  # BCC, CRC, SAK or a branch of the walk stayed wrong, or no two walks agreed
DEAD = const(6)  # the reader does not answer on the bus
HANDED = const(7)  # like SAME; the field is off, and that of the next reader is on
REASONS = ("complete", "same", "different", "timeout", "crowded", "garbled", "dead", "handed")

REQA = const(0x26)
WUPA = const(0x52)
CT = const(0x88)  # cascade tag: the UID goes on in the next level
CASCADE = const(0x04)  # SAK: UID not complete
# The tag's delay is 1172 to 1236 carrier cycles (91 us), its first 5 bits take 47 us.
# The same for HLTA, which a tag acknowledges by silence: what it would say comes at that time.
WAIT_US = const(300)

# What a frame brought: of ask() LEAF, or COLLIDED | place of the first collision, or these
NOBODY = const(0)  # no answer before the time-out
LEAF = const(1)  # one value answered, and its BCC is right
NOISE = const(3)
COLLIDED = const(0x40)
GONE = const(-2)  # the reader itself does not answer on the bus

READY = const(0x2000000)  # leaves(): the first is READY
STAYS = const(0x1000000)  # leaves(): the last is not halted
