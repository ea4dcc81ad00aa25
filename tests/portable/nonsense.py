"""Lines that no good host sends: valid ones damaged, wrong types, huge numbers, floods.

Structure-aware, from a seed, the same on both runtimes. `Nonsense(seed).line()` is one line with
its line feed, or half of one. tests/portable/wire_corpus.txt keeps single lines.
"""

import json

from spicecore import chance
from spicecore.wire import messages as wire

COMMANDS = (
    "hello ping status snapshot new claim view act decide undo accept fix abort sense text "
    "quiesce reboot maintain roster roster_set tags settings settings_set log log_read log_erase "
    "diag"
).split(" ")
WORDS = (
    "seat key event step doubt counts game options position sensing confirm moves on chips zone "
    "values name at what n hz gain leds first count rgb data re seq id do"
).split(" ")
EVENTS = (
    "missed reveal pass draw keep reserve take choose sell close buy decline display cook_open "
    "cook_reserved no_open done next_round moved judged accept abort lay exchange turn dance"
).split(" ")
TEXTS = (
    "",
    "safranito",
    "jaipur",
    "curry",
    "mint",
    "b10",
    "r30",
    "mill",
    "readers",
    "wire",
    "g0001-000.log",
    "../../main.py",
    "\x00",
    "$*\n",
    "\u20ac\U0001f336",
    "0" * 300,
)
NUMBERS = (0, 1, -1, 2, 255, 256, 65536, 1 << 30, -(1 << 31), 1 << 64, 10**40, 0.5, -1e300)
RAW = (
    b"1e999",
    b"-1e999",
    b"NaN",
    b"Infinity",
    b"1" * 900,
    b"[" * 900,
    b"[" * 900 + b"]" * 900,
    b'{"a":' * 300 + b"1" + b"}" * 300,
    b'{"id":1,"do":"ping","data":' + b"[" * 400 + b"]" * 400 + b"}",
    b'{"id":1,"do":"ping","id":2}',
    b'{"id":1,"do":"ping","data":"\\ud800"}',
    b'{"id":1,"do":"ping","data":"\\u0000\\uffff"}',
    b'{"id":1,"do":"ping","data":"\xff\xfe"}',
    b'{"id":1,"do":"ping","data":"\\x"}',
    b'{"id":1 "do":"ping"}',
    b'{"id":1,"do":"ping",}',
    b"{'id':1}",
    b'{"id":true,"do":"ping"}',
    b'{"id":1e400,"do":"ping"}',
    b'{"id":-0,"do":"ping"}',
    b'{"id":[],"do":"ping"}',
    b'{"id":1,"do":["ping"]}',
    b'{"id":1,"do":"__init__"}',
    b'"ping"',
    b"[]",
    b"",
    b"null",
)


def framed(body):
    """The line of a body, with its right CRC."""
    return b"$%s*%04x\n" % (body, wire.crc16(body))


class Nonsense:
    """A source of lines. keys: seats' keys, used for the wrong seats. never: commands that are
    not asked for by their right name."""

    def __init__(self, seed, keys=(), never=()):
        self.x = chance.start(seed)
        self.keys = keys
        self.commands = [name for name in COMMANDS if name not in never]
        self.last = b""
        self.asked = 0

    def n(self, bound):
        """0..bound - 1."""
        self.x, value = chance.below(self.x, bound)
        return value

    def pick(self, items):
        """One of the items."""
        return items[self.n(len(items))]

    def junk(self, depth=2):
        """A value of any kind."""
        kind = self.n(9 if depth else 6)
        if kind == 0:
            return self.pick((None, True, False))
        if kind < 3:
            return self.pick(NUMBERS)
        if kind == 3:
            return self.n(40)
        if kind < 6:
            return self.pick(TEXTS)
        if kind == 6:
            return {self.pick(WORDS): self.junk(depth - 1) for _ in range(self.n(4))}
        if kind == 7:
            return [self.pick(EVENTS), self.junk(0), self.junk(depth - 1)]
        return [self.junk(depth - 1) for _ in range(self.n(5))]

    def request(self):
        """A message that looks like a request."""
        self.asked += 1
        message = {"id": self.pick((self.asked, self.n(5), "a", self.junk(1)))}
        message["do"] = self.pick(self.commands) if self.n(20) else self.junk(1)
        if not self.n(3):
            seat = self.n(4)
            message["seat"] = seat
            if self.keys and self.n(2):  # the key of another seat
                message["key"] = self.keys[(seat + 1) % len(self.keys)]
            elif self.keys and seat < len(self.keys) and message["do"] in ("view", "undo"):
                message["key"] = self.keys[seat]
        for _ in range(self.n(4)):
            message[self.pick(WORDS)] = self.junk()
        if message.get("confirm") is True:
            message["confirm"] = 1
        return message

    def line(self):
        """The next line; without line feed now and then: half a line."""
        line = self._line()
        self.last = line
        kind = self.n(30)
        if kind == 0:
            return line[: self.n(len(line) + 1)]
        if kind == 1:
            return line[:-1] + b"\r\n"
        if kind == 2:
            return line + line
        return line

    def _line(self):
        kind = self.n(12)
        if kind < 5:
            body = wire._ascii(json.dumps(self.request()))
            return framed(body[:1800])
        if kind < 8:
            return self._damaged(framed(wire._ascii(json.dumps(self.request()))))
        if kind == 8:
            return framed(self.pick(RAW))
        if kind == 9:
            own = self.pick(({"re": self.junk(0), "ok": True}, {"seq": self.n(99), "board": []}))
            return wire.encode(own)
        if kind == 10:
            return bytes([self.n(256) for _ in range(self.n(60))]) + b"\n"
        return self.pick((b"\n", b"$\n", b"*\n", b"$$$*0000\n", b"x" * 2600 + b"\n", self.last))

    def _damaged(self, line):
        line = bytearray(line)
        for _ in range(1 + self.n(3)):
            at = self.n(len(line))
            kind = self.n(4)
            if kind == 0:
                line[at] ^= 1 << self.n(8)
            elif kind == 1:
                line = line[:at] + line[at + 1 + self.n(5) :] or bytearray(b"$")
            elif kind == 2:
                line = line[:at] + bytes([self.n(256)]) + line[at:]
            else:
                line = line[:at] + self.last[self.n(len(self.last) + 1) :] + line[at:]
        return bytes(line)


def corpus(path):
    """The lines that are kept in a file: hexadecimal, and behind a blank why."""
    kept = []
    with open(path) as file:
        for line in file:
            if line.strip() and line[0] != "#":
                digits = line.split(" ")[0].strip()
                kept.append(bytes([int(digits[i : i + 2], 16) for i in range(0, len(digits), 2)]))
    return kept
