"""Counts its starts on flash; then follows commands from the serial port."""

import select
import sys
import time

import machine

try:
    with open("starts") as file:
        starts = int(file.read())
except OSError:
    starts = 0
starts += 1
with open("starts", "w") as file:
    file.write(str(starts))
print("start", starts, "cause", machine.reset_cause())
poller = select.poll()
poller.register(sys.stdin, select.POLLIN)
watchdog = None
while True:
    if not poller.poll(100):
        if watchdog:
            watchdog.feed()
        continue
    order = sys.stdin.buffer.read(1)
    if order == b"r":
        machine.reset()
    elif order == b"w":
        watchdog = machine.WDT(timeout=500)
    elif order == b"h":
        while True:
            time.sleep_ms(10)
    elif order == b"x":
        sys.exit(1)
    elif order == b"b":
        machine.bootloader()
    elif order == b"f":
        try:
            with open("big", "wb") as file:
                print("wrote", file.write(bytes(100)))
        except OSError as error:
            print("full", error.args[0])
    elif order == b"q":
        break
