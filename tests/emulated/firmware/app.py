"""An application as small as can be, that speaks the wire's beginning: for tests of flashing."""

import select
import sys

from words import VERSION

import slots
from spicecore.wire import messages


def main():
    """Say that the self-test passed, answer `hello` and `quiesce`."""
    slots.good()
    console = select.poll()
    console.register(sys.stdin, select.POLLIN)
    decoder = messages.Decoder()
    while True:
        console.poll()
        for kind, value in decoder.feed(sys.stdin.buffer.read(1)):
            if kind == messages.CONSOLE or kind == messages.BROKEN:
                continue
            answer = {"re": value.get("id"), "ok": True, "firmware": VERSION}
            if value.get("do") == "hello":
                answer["slot"] = slots.status()
            sys.stdout.write(messages.encode(answer, messages.LINE_MAX).decode())
            if value.get("do") == "quiesce":
                return
