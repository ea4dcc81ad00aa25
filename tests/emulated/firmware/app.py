"""An application as small as can be, that speaks the wire's beginning: for tests of flashing."""

import select
import sys

import slots
from spicecore import wire
from words import VERSION


def main():
    """Say that the self-test passed, answer `hello` and `quiesce`."""
    slots.good()
    console = select.poll()
    console.register(sys.stdin, select.POLLIN)
    decoder = wire.Decoder()
    while True:
        console.poll()
        for kind, value in decoder.feed(sys.stdin.buffer.read(1)):
            if kind == wire.CONSOLE or kind == wire.BROKEN:
                continue
            answer = {"re": value.get("id"), "ok": True, "firmware": VERSION}
            if value.get("do") == "hello":
                answer["slot"] = slots.status()
            sys.stdout.write(wire.encode(answer, wire.LINE_MAX).decode())
            if value.get("do") == "quiesce":
                return
