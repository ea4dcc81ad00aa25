"""The reader contract: what the application needs of a reader. Any class that has these methods is
a reader, whatever its chip.

For people and type checkers; a board never loads it. mfrc522.MFRC522 and the RP2040's
boards/pico/fast/mfrc522.FastMFRC522 have it, and tests/portable/plain_reader.py from plain data.

All times are microseconds, all gains dB. A method that returns a number returns a reason of
rfid.codes, and raises OSError only if its docstring says so. Only start-up and diagnosis allocate.
Costs are those of an MFRC522 at 8 MHz and n tags; a frame takes 0.3 to 1 ms.
"""

from typing import Any, Protocol

from rfid.uidset import UidSet


class Reader(Protocol):
    """One reader with its antenna. The caller makes sure that fields that are on at the same time
    do not disturb each other, and that one reader is read at a time."""

    gains_db: "tuple[int, ...]"  # its receiver gains, ascending
    gain_db: int  # the one that is set
    settle_us: int  # what its tags need after the field comes on; set by the caller, 0 to 5000

    # -- the reader itself

    def init(self, gain_db: int = 33) -> None:
        """Start again with the field off. OSError says what is wrong. 6 ms, at most 0.5 s."""

    def version(self) -> int:
        """Its version; 0 or 255: no answer; -1: reads disagree. 0.1 ms."""

    def healthy(self, closely: bool) -> bool:
        """Is it as init() left it, without a reset or a lock-up? 20 us; closely: check everything
        that would make it deaf, 60 us."""

    def gain(self, db: int) -> None:
        """Receiver gain, one of gains_db (else ValueError). OSError: it does not hold. 60 us."""

    def antenna(self, on: bool) -> None:
        """Field on or off. OSError: it does not hold. 40 us. Tags forget their state within 5 ms
        without a field."""

    # -- tags. The field was switched on; the first call waits for the rest of settle_us since
    # then, whatever other readers did meanwhile.

    def inventory(self, uids: UidSet, budget_us: int) -> int:
        """Read all tags into `uids`: COMPLETE; TIMEOUT, CROWDED, GARBLED: `uids` has what was seen
        so far; DEAD. No tag may have been read since the field came on. 6 ms a tag."""

    def verify(self, known: UidSet, budget_us: int, follow: "Any" = None) -> int:
        """Do exactly the known tags answer? SAME, DIFFERENT, TIMEOUT, DEAD. 2n + 1 frames.

        follow: the reader whose field comes next, if it may be switched on at once: if the same
        tags answer, this reader may switch its own field off and that one on, and returns HANDED.
        May miss what prove() finds, so call prove() from time to time."""

    def prove(self, known: UidSet, budget_us: int) -> int:
        """Like verify(), but by whole UIDs, and no other tag may answer. SAME, DIFFERENT, TIMEOUT,
        DEAD. 4n + 1 frames. Also right after verify() said SAME."""

    def update(
        self, known: UidSet, found: UidSet, gain_db: int, budget_us: int, proof: bool
    ) -> int:
        """After verify() or prove() said DIFFERENT, the quick way: COMPLETE: `found` (another set
        than `known`) is what lies there, by two readings, the second at gain_db: all are strong.
        DIFFERENT: no clear answer, resolve() may find one. DEAD. proof: known tags count by their
        whole UIDs only. 8 ms, and 4 a newcomer."""

    def resolve(self, found: UidSet, second: UidSet, budget_us: int) -> int:
        """The long way, from any state: COMPLETE: `found` is what lies there, by two readings.
        TIMEOUT, CROWDED, GARBLED: what was seen. DEAD. `second` is scratch. 10 ms, and 9 a tag."""

    def strong(self, known: UidSet, gain_db: int) -> int:
        """After verify() said SAME: is each known tag heard at gain_db too? COMPLETE, DIFFERENT,
        DEAD. n frames."""

    def strengths(self, uids: UidSet, gains_db: "tuple[int, ...]", out: bytearray) -> int:
        """out[i] = the lowest of gains_db (ascending) at which tag i is heard, 0: at none. A low
        gain is a strong coupling. COMPLETE, DEAD; OSError as gain(). Leaves the last gain. 2 ms
        a tag and gain."""

    # -- looking after it

    def bench(self) -> "Bench":
        """What a diagnosis measures; loaded for it, not for the sweep."""


class Bench(Protocol):
    """A reader on the workbench. It judges nothing; no field is on."""

    def report(self) -> "dict[str, object]":
        """{"versions": three readings, "command": its state, "config": [[name, due, got], ...] of
        what is not as init() wrote it, "canary": healthy(True)}."""

    def echo(self, n: int) -> int:
        """Send eight bytes to the reader and back, n times: how often they came back wrong."""

    def mark(self, value: int) -> None:
        """Keep a number (0..63) in a place that nothing uses; 8 is there after a start."""

    def marked(self) -> int:
        """The number that mark() left."""


class Clock(Protocol):
    """The part of MicroPython's `time` that a reader needs."""

    def sleep_us(self, us: int) -> None:
        """Wait."""

    def ticks_us(self) -> int:
        """Now."""

    def ticks_diff(self, later: int, earlier: int) -> int:
        """Microseconds between two of them."""


class Framing(Protocol):
    """What rfid.iso14443a.TypeA needs to provide the methods about tags above: the frames of ISO
    14443-3. rfid.frames.Frames documents them and implements them for a chip that exchanges bytes;
    the RP2040's driver has them in machine code."""

    clock: Clock
    coll_counts: int  # how its chip counts collisions, see rfid.known; 0 at the start

    def call(self, command: int) -> int: ...

    def halt(self, wait_us: int) -> int: ...

    def ask(self, path: bytearray, level: int, known: int) -> int: ...

    def choose(self, uids: "bytearray | memoryview", level: int, at: int) -> int: ...

    def reach(self, data: bytearray, at: int, command: int) -> int: ...

    def first_level(self, walk: "Any") -> int: ...

    def leaves(self, walk: "Any", data: bytearray, what: int) -> int: ...
