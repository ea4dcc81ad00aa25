"""Accepted events as records on the flash, appended before they take effect; survives any power
cut.

A record is one line: length of the payload (4 hex), CRC-32 (8 hex) of what follows it, number,
payload in JSON. Numbers run on through all files of a game, so that a lost record is noticed. A
line that was cut is closed by the next line feed, skipped by the reader, and its number is used
again: it was never acknowledged. The payload's first item is its kind; a record of the kinds `new`
and `state` stands for a whole position, and reading starts at the newest of them. A game is over
by a record `over` or `abort`. Otherwise the journal does not know what records mean.

Files are gGGGG-SSS.log: game and segment. On littlefs, flush() is a sync: what was written is on
flash when it returns, and a cut leaves the file at the length of the last sync or a later one.

A file that grows costs littlefs a sector erase each time, 45 ms of a game and some of the flash's
life. A file of less than 512 bytes lies within its folder and costs a page program. So a record
first waits in one of the small files slot0, slot1, ... until all of them are taken; then all move
into the log at once. A slot is overwritten only after that, so a cut at any moment leaves each
record in one of both places, or in both.
"""

import binascii
import json
import os

try:
    from micropython import const
except ImportError:  # CPython

    def const(value: int) -> int:  # type: ignore[misc]
        return value


TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_SEGMENT_MAX = const(
    48_000
)  # bytes, after which a new file of the same game begins with a position
_TOTAL_MAX = const(256_000)  # bytes of flash for all files; then the oldest games are removed
_BLOCK = const(4096)  # bytes of flash that littlefs gives to a file at once
SLOTS = 8  # records that move into the log together
_SLOT_MAX = const(480)  # bytes in a slot: more would not lie within the folder


def line(number: int, payload: bytes) -> bytes:
    """A record as it stands on flash."""
    tail = b"%d %s" % (number, payload)
    return b"%04x %08x %s\n" % (len(payload), binascii.crc32(tail), tail)


class Journal:
    """The journal in a folder, which is created if needed. slots: 1 means that each record
    goes into the log at once."""

    def __init__(
        self,
        folder: str,
        segment_max: int = _SEGMENT_MAX,
        total_max: int = _TOTAL_MAX,
        slots: int = SLOTS,
    ):
        self.folder = folder
        self.segment_max = segment_max
        self.total_max = total_max
        self.slots = slots
        self.number = 0  # of the next record
        self.open_name = ""  # file that is appended to, "" between games
        self.last: "list[object] | None" = None  # what load() found of a game that is over
        self._game = 0
        self._segment = 0
        self._size = 0
        self._torn = False
        self._waiting = 0  # the newest so many records are in slots and not in the log
        try:
            os.mkdir(folder)
        except OSError:
            pass  # it is there; if it could not be made, the first write says so

    def names(self) -> "list[str]":
        """The files, oldest first."""
        try:
            found = os.listdir(self.folder)
        except OSError:
            return []
        return sorted(name for name in found if name[:1] == "g" and name[-4:] == ".log")

    def path(self, name: str) -> str:
        """The path of a file."""
        return self.folder + "/" + name

    def load(self) -> "tuple[list[list[object]], str]":
        """(records from the newest position on, what is wrong or ""); [] if there is no game; then
        `last` is [name, standing] of the newest game, if its record ends with ["over", standing,
        name]. After it, append() goes on behind the last good record."""
        from spicecore.storage.on_demand.journal_read import Found

        found = Found(self.folder, self.names(), self.slots)
        self.open_name = found.name
        self._game, self._segment = found.game, found.segment
        self.number = found.number
        self._size, self._torn = found.size, found.torn
        self._waiting = found.moving
        self.last = found.last
        return found.records, found.wrong

    def begin(self, record: "list[object]") -> None:
        """Store the first record of a new game in a file; remove the oldest games if needed."""
        names = self.names()
        if names:
            self._game = max(self._game, int(names[-1][1:5]))
        self._game = self._game % 9999 + 1
        self.number = 0
        self._waiting = 0
        for slot in range(self.slots):  # of the game before: numbers begin again
            try:
                os.remove(self.path("slot%d" % slot))
            except OSError:
                pass
        self._start_file(0, record)

    def checkpoint(self, record: "list[object]") -> None:
        """A position of the game at hand, at the head of a new file."""
        self._start_file(self._segment + 1, record)

    def _start_file(self, segment: int, record: "list[object]") -> None:
        self._prune()
        if self._waiting:
            self._store(b"")
        before = self.open_name, self._size, self._torn
        self.open_name = "g%04d-%03d.log" % (self._game, segment)
        self._size, self._torn = 0, False
        try:
            os.remove(self.path(self.open_name))  # begun and cut before its first record
        except OSError:
            pass
        try:
            self._store(line(self.number, json.dumps(record).encode()))
        except OSError:
            self.open_name, self._size, self._torn = before
            raise
        self.number += 1
        self._segment = segment

    def full(self) -> bool:
        """Is it time for a checkpoint?"""
        return self._size > self.segment_max

    def append(self, record: "list[object]") -> int:
        """Store a record; its number. It is on flash when this returns; OSError: it is not."""
        data = line(self.number, json.dumps(record).encode())
        if self._waiting + 1 < self.slots and len(data) < _SLOT_MAX:
            with open(self._slot(self.number), "wb") as file:
                file.write(data)
            self._waiting += 1
        else:
            self._store(data)
        self.number += 1
        return self.number - 1

    def _store(self, data: bytes) -> None:
        """Write what waits, and the data behind it, into the log."""
        with open(self.path(self.open_name), "ab") as file:
            if self._torn:
                file.write(b"\n")  # closes what was cut
            self._torn = True  # until all of it is written
            for text in self._lines():
                file.write(text)
                self._size += len(text)
            file.write(data)
            file.flush()
        self._torn = False
        self._size += len(data)
        self._waiting = 0

    def _slot(self, number: int) -> str:
        return self.path("slot%d" % (number % self.slots))

    def _lines(self) -> "Iterator[bytes]":
        """What waits; read again, for it would lie in the heap."""
        for number in range(self.number - self._waiting, self.number):
            with open(self._slot(number), "rb") as file:
                text = file.read()
            yield text if text[-1:] == b"\n" else text + b"\n"

    def finish(self, record: "list[object]") -> None:
        """The last record of the game at hand."""
        self._store(line(self.number, json.dumps(record).encode()))
        self.number += 1
        self.open_name = ""

    def _prune(self) -> None:
        """Remove the oldest files of other games until the rest is small enough."""
        names = self.names()
        total = sum(self._takes(name) for name in names)
        for name in names:
            if total <= self.total_max:
                return
            if name[:5] != self.open_name[:5]:
                total -= self._takes(name)
                os.remove(self.path(name))

    def _takes(self, name: str) -> int:
        """Bytes of flash that a file takes: hundreds of short games would fill it otherwise."""
        return -(-self.size(name) // _BLOCK) * _BLOCK

    def size(self, name: str) -> int:
        """Bytes of a file."""
        return int(os.stat(self.path(name))[6])

    def logs(self) -> "list[list[object]]":
        """[[name, bytes, records, finished], ...], newest last. Reads only."""
        from spicecore.storage.on_demand.journal_read import Scan

        found: "list[list[object]]" = []
        for name in self.names():
            scan = Scan(self.path(name), self._waiting_of(name))
            found.append([name, scan.bytes, scan.count, scan.finished])
        return found

    def read(self, name: str, at: int, room: int) -> "tuple[list[str], int | None]":
        """Payloads from record `at` of a file on, about `room` bytes of them, and the next `at`
        (None: that was all). OSError: no such file. Changes nothing."""
        from spicecore.storage.on_demand.journal_read import read

        return read(self.path(name), at, room, self._waiting_of(name))

    def _waiting_of(self, name: str) -> "list[bytes]":
        return list(self._lines()) if name == self.open_name else []

    def erase(self, name: str) -> None:
        """Remove a file that is not the one appended to. OSError: no such file."""
        if name == self.open_name or name not in self.names():
            raise OSError("%s cannot be erased" % name)
        os.remove(self.path(name))
