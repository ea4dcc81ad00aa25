"""The codec under nonsense: nothing raises, nothing grows, and a good line is understood."""

import os

from nonsense import Nonsense, corpus, framed

from spicecore.wire import messages as wire
from spicecore.wire.errors import ERRORS

LINES = int(os.getenv("SPICEBOARD_FUZZ") or 3000)
HERE = __file__[: __file__.rfind("/") + 1]
GOOD = b'{"id":"good","do":"ping"}'


def checked(decoder, data):
    """Feed; every item is of a known kind, and no more is kept than a line."""
    found = decoder.feed(data)
    for kind, value in found:
        if kind == wire.MESSAGE:
            assert isinstance(value, dict)
        elif kind == wire.BROKEN:
            assert value[0] in ERRORS and len(value[1]) > 10
        else:
            assert kind == wire.CONSOLE and isinstance(value, bytes)
    assert len(decoder.pending()) < decoder.limit
    assert len(found) <= 2 * data.count(b"\n") + 1
    return found


def test_nonsense_by_the_line_and_in_pieces():
    source = Nonsense(1, ("6b6579",))
    decoder = wire.Decoder(wire.REQUEST_MAX)
    held = b""
    for number in range(LINES):
        held += source.line()
        if source.n(4):
            cut = source.n(len(held) + 1)
            checked(decoder, held[:cut])
            held = held[cut:]
        if number % 50 == 0:  # whatever was before: in step at the next line feed
            checked(decoder, held + b"\n")
            held = b""
            assert checked(decoder, framed(GOOD)) == [[wire.MESSAGE, {"id": "good", "do": "ping"}]]


def test_every_byte_in_every_place():
    """0x03 too: the codec takes it for a byte like others, and the CRC refuses it."""
    line = framed(GOOD)
    for at in range(len(line) - 1):
        for byte in (0, 3, 4, 10, 13, 0x24, 0x2A, 0x7F, 0x80, 0xFF):
            if line[at] != byte:
                found = checked(wire.Decoder(), line[:at] + bytes([byte]) + line[at + 1 :])
                messages = [value for kind, value in found if kind == wire.MESSAGE]
                assert not messages or (at == 0 and byte == 10), (at, byte)


def test_lines_that_are_kept():
    decoder = wire.Decoder(wire.REQUEST_MAX)
    kept = corpus(HERE + "wire_corpus.txt")
    assert len(kept) > 5
    for line in kept:
        checked(decoder, line + b"\n")
        assert checked(decoder, framed(GOOD))[-1][0] == wire.MESSAGE
