"""Reads the version of all thirteen readers, then echoes lines."""

import asyncio
import select
import sys
import time

import machine

enable = machine.Pin(5, machine.Pin.OUT, value=1)
address = [machine.Pin(6 + bit, machine.Pin.OUT, value=0) for bit in range(4)]
spi = machine.SPI(
    0, baudrate=4_000_000, sck=machine.Pin(2), mosi=machine.Pin(3), miso=machine.Pin(4)
)


def version(n):
    for bit in range(4):
        address[bit](n >> bit & 1)
    enable(0)
    out = bytearray((0x80 | 0x37 << 1, 0))
    back = bytearray(2)
    spi.write_readinto(out, back)
    enable(1)
    return back[1]


print("versions", [version(n) for n in range(14)])


async def main():
    await asyncio.sleep_ms(250)
    print("slept", time.ticks_ms())
    poller = select.poll()
    poller.register(sys.stdin, select.POLLIN)
    line = b""
    while True:
        if poller.poll(0):
            c = sys.stdin.buffer.read(1)
            if c == b"\n":
                print("echo", line, time.ticks_ms())
                line = b""
            else:
                line += c
        else:
            await asyncio.sleep_ms(5)


asyncio.run(main())
