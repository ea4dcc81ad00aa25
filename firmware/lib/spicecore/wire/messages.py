"""Messages to lines of bytes and back, without I/O; docs/protocol.md is its page.

A line is `$` + JSON object + `*` + CRC-16 in four hex digits + line feed, in ASCII. What stands
before the `$`, and any line without one, is console text. It does not know what messages mean.
"""

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

REQUEST_MAX = 2048  # bytes of a line to the board, line feed included
LINE_MAX = 8192  # bytes of a line from the board

MESSAGE = "message"  # kinds that Decoder.feed returns: a dict
CONSOLE = "console"  # bytes that are no message
BROKEN = "broken"  # [code, sentence] of a line that was meant as a message


def crc16(data: bytes, crc: int = 0xFFFF) -> int:
    """CRC-16/IBM-3740 of the data, 0..65535; `crc` goes on from an earlier piece."""
    for byte in data:
        x = crc >> 8 ^ byte
        x ^= x >> 4
        crc = (crc << 8 ^ x << 12 ^ x << 5 ^ x) & 0xFFFF
    return crc


def _ascii(text: str) -> bytes:
    """JSON text with all that is not printable ASCII, and `$`, escaped as JSON allows.

    Beyond U+FFFF that takes two escapes, which MicroPython reads as two characters.
    """
    data = text.encode()  # of equal length: ASCII; JSON has escaped control characters itself
    if len(data) == len(text) and data.find(b"$") < 0 and data.find(b"\x7f") < 0:
        return data
    pieces = []
    for char in text:
        code = ord(char)
        if char != "$" and 32 <= code < 127:
            pieces.append(char)
        elif code < 0x10000:
            pieces.append("\\u%04x" % code)
        else:
            code -= 0x10000
            pieces.append("\\u%04x\\u%04x" % (0xD800 + (code >> 10), 0xDC00 + (code & 0x3FF)))
    return "".join(pieces).encode()


def encode(
    message: dict[str, object], limit: int = LINE_MAX, crc: "Callable[[bytes], int]" = crc16
) -> bytes:
    """The line of a message; ValueError when it is longer than `limit` bytes. crc: crc16(), or a
    quicker one that gives the same."""
    body = _ascii(json.dumps(message, separators=(",", ":")))
    if len(body) + 7 > limit:
        raise ValueError("message of %d bytes, the bound is %d" % (len(body) + 7, limit))
    # join() allocates once, where % would grow a line whose room may be short
    return b"".join([b"$", body, b"*%04x\n" % crc(body)])


def decode(line: bytes, crc: "Callable[[bytes], int]" = crc16) -> list[list[object]]:
    """[kind, value] pairs of one line without its line feed: console text, then what it holds."""
    line = line[:-1] if line.endswith(b"\r") else line
    start = line.rfind(b"$")
    if start < 0:
        return [[CONSOLE, line]] if line else []
    found: list[list[object]] = [[CONSOLE, line[:start]]] if start else []
    found.append(_read(line[start + 1 :], crc))
    return found


def _read(body: bytes, crc: "Callable[[bytes], int]") -> list[object]:
    """[MESSAGE, dict] or [BROKEN, [code, sentence]] of the text after the `$`."""
    star = len(body) - 5
    if star < 0 or body[star : star + 1] != b"*":
        return [BROKEN, ["bad_crc", "the line does not end in * and four hex digits"]]
    wanted, got = b"%04x" % crc(body[:star]), body[star + 1 :].lower()
    if wanted != got:
        return [BROKEN, ["bad_crc", "the CRC of this line is %s" % wanted.decode()]]
    if body.count(b"[") + body.count(b"{") > 16 and level(body) > 16:  # the board's stack is small
        return [BROKEN, ["bad_json", "lists and objects may be nested 16 deep"]]
    try:
        message = json.loads(body[:star].decode())
    except ValueError:
        return [BROKEN, ["bad_json", "the CRC is right, but this is no JSON"]]
    if not isinstance(message, dict):
        return [BROKEN, ["bad_json", "a message is a JSON object"]]
    return [MESSAGE, message]


def level(body: bytes) -> int:
    """How many lists and objects lie in each other at most; what stands in strings is none."""
    depth = deepest = 0
    text = escaped = False
    for byte in body:
        if text:
            text = escaped or byte != 34  # "
            escaped = byte == 92 and not escaped  # a backslash
        elif byte == 34:
            text = True
        elif byte == 91 or byte == 123:  # [ {
            depth += 1
            deepest = max(deepest, depth)
        elif byte == 93 or byte == 125:  # ] }
            depth -= 1
    return deepest


class Decoder:
    """Splits a stream of bytes into lines, and lines into messages; holds at most one line."""

    def __init__(self, limit: int = LINE_MAX, crc: "Callable[[bytes], int]" = crc16):
        self.limit = limit
        self._crc = crc
        self._line = b""
        self._lost = False  # the line at hand was too long: the rest of it is thrown away

    def feed(self, data: bytes) -> list[list[object]]:
        """All [kind, value] pairs that the data completes, in their order."""
        found: list[list[object]] = []
        start = 0
        while True:
            end = data.find(b"\n", start)
            piece = data[start:] if end < 0 else data[start:end]
            if not self._lost and len(self._line) + len(piece) >= self.limit:
                self._line, self._lost = b"", True
                found.append([BROKEN, ["too_long", "a line has at most %d bytes" % self.limit]])
            if not self._lost:
                self._line += piece
            if end < 0:
                return found
            if not self._lost:
                found.extend(decode(self._line, self._crc))
            self._line, self._lost = b"", False
            start = end + 1

    def pending(self) -> bytes:
        """What came since the last line feed: a prompt of the interpreter ends in none."""
        return self._line
