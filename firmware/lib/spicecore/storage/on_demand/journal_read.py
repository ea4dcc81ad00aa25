"""Reading the journal of journal.py: at a start, and when a host asks for it."""

import binascii
import json

_STARTS = (b"new", b"state")
_ENDS = (b"over", b"abort")


def parse(text: bytes) -> "tuple[int, bytes] | None":
    """(number, payload) of a line, or None when it was cut or damaged."""
    if text.endswith(b"\n"):
        text = text[:-1]
    tail = text[14:]
    space = tail.find(b" ")
    if space < 1 or text[4:5] != b" " or text[13:14] != b" ":
        return None
    payload = tail[space + 1 :]
    if text[:13] != b"%04x %08x" % (len(payload), binascii.crc32(tail)):
        return None
    return int(tail[:space]), payload


def _kind(payload: bytes) -> bytes:
    """The first item of a payload in JSON, without reading all of it."""
    return payload[2 : payload.find(b'"', 2)] if payload[:2] == b'["' else b""


class Scan:
    """What one file holds, and the lines that wait to be moved into it. Reads the file once and
    changes nothing."""

    def __init__(self, path: str, waiting: "list[bytes]"):
        self.count = 0  # good records
        self.bad = 0  # lines that are none
        self.first = -1  # number of the first record
        self.last = -1  # and of the last
        self.start = -1  # offset of the newest position
        self.gap = -1  # number that is missing behind that position, or -1
        self.finished = False
        self.end = b""  # payload of the last record, when that finishes the game
        self.torn = False  # the file does not end with a line feed
        at = 0
        with open(path, "rb") as file:
            for text in file:
                self._line(text, at)
                self.torn = not text.endswith(b"\n")
                at += len(text)
        for text in waiting:
            self._line(text, at)
            at += len(text)
        self.bytes = at

    def _line(self, text: bytes, at: int) -> None:
        record = parse(text)
        if record is None:
            self.bad += 1
            return
        number, payload = record
        if number <= self.last:
            return  # a cut came while it was moved: it stands there twice
        if self.first < 0:
            self.first = number
        elif number != self.last + 1 and self.gap < 0:
            self.gap = self.last + 1
        self.last = number
        self.count += 1
        if _kind(payload) in _STARTS:
            self.start, self.gap = at, -1
        self.finished = _kind(payload) in _ENDS
        self.end = payload if self.finished else b""


def waiting(folder: str, slots: int) -> "dict[int, bytes]":
    """{number: line} of the records in the slots; most of them are in the log already. A damaged
    line is b"". A record that was cut was never acknowledged, and is left out."""
    found = {}
    for slot in range(slots):
        try:
            with open("%s/slot%d" % (folder, slot), "rb") as file:
                text = file.read()
        except OSError:
            continue
        record = parse(text)
        if record:
            found[record[0]] = text if text.endswith(b"\n") else text + b"\n"
        elif text.endswith(b"\n"):
            try:
                found[int(text[14:].split(b" ")[0])] = b""
            except ValueError:
                pass  # not even its number is left
    return found


class Found:
    """Where the game goes on that is in the files `names` of a folder, oldest first."""

    def __init__(self, folder: str, names: "list[str]", slots: int):
        self.records: "list[list[object]]" = []  # from the newest position on, [] without a game
        self.waiting: "list[bytes]" = []  # lines that are in slots and not in the log
        self.moving = 0  # how many of them are still to be moved there
        self.last: "list[object] | None" = None  # [name, standing] of a game that is over
        self.wrong = ""  # what is wrong, or ""
        self.name = ""  # file to append to
        self.game = 0  # number of the newest game
        self.segment = 0
        self.number = 0  # of the next record
        self.size = 0  # bytes of the file
        self.torn = False  # it does not end with a line feed
        self._slots = slots
        self._taken = -1  # number of the last record that counts
        if names:
            self.game = int(names[-1][1:5])
            self._look(folder, names)

    def _look(self, folder: str, names: "list[str]") -> None:
        for index in range(len(names) - 1, -1, -1):
            name = names[index]
            scan = Scan(folder + "/" + name, [])
            if scan.start < 0:  # cut while it was begun: the file before it is the newest
                if scan.count:
                    self.wrong = "%s holds no position" % name
                if index and names[index - 1][:5] == name[:5]:
                    continue
                return
            self.segment = int(name[6:9])
            if scan.finished:
                end = json.loads(scan.end.decode())
                if len(end) > 2:  # an aborted game, and an older record, have no result
                    self.last = [end[2], end[1]]
                return
            self.name = name
            self.size, self.torn = scan.bytes, scan.torn
            self._continue(scan, waiting(folder, self._slots))
            self._read(folder + "/" + name, scan)
            return

    def _continue(self, scan: Scan, slots: "dict[int, bytes]") -> None:
        """What waits behind the file's last record, and the number of the next one."""
        missing = scan.gap
        self.number = scan.last + 1
        while missing < 0 and slots.get(self.number):
            self.waiting.append(slots[self.number])
            self.number += 1
        self.moving = len(self.waiting)
        later = [number for number in slots if number >= self.number]
        if later:
            missing = self.number if missing < 0 else missing
            self.number = max(later) + 1
            self.moving = 0  # the position that is stored next contains them
        if missing >= 0:
            text = "%s: record %d is damaged, what came after it is lost"
            self.wrong = text % (self.name, missing)

    def _read(self, path: str, scan: Scan) -> None:
        """Payloads from the newest position up to the end, or to what is missing."""
        with open(path, "rb") as file:
            file.seek(scan.start)
            for text in file:
                if not self._take(text, scan.gap):
                    break
        for text in self.waiting:
            self._take(text, -1)

    def _take(self, text: bytes, gap: int) -> bool:
        """Take a record that counts, once. False: a record before it is missing."""
        record = parse(text)
        if record is None or record[0] <= self._taken:
            return True
        if 0 <= gap <= record[0]:
            return False
        self._taken = record[0]
        if _kind(record[1]) in _STARTS:
            self.records.clear()
        self.records.append(json.loads(record[1].decode()))
        return True


def read(path: str, at: int, room: int, waiting: "list[bytes]") -> "tuple[list[str], int | None]":
    """See Journal.read(); waiting: lines that are to be moved into the file."""
    texts: "list[str]" = []
    index = 0
    last = -1
    with open(path, "rb") as file:
        for source in (file, waiting):
            for text in source:
                record = parse(text)
                if record is None or record[0] <= last:
                    continue
                last = record[0]
                if index >= at:
                    room -= len(record[1])
                    if texts and room < 0:
                        return texts, index
                    texts.append(record[1].decode())
                index += 1
    return texts, None
