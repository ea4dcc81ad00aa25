"""Runs on the emulated RP2040 instead of main.py: drivers and rules by the chip's own clock.

Asks for each arrangement of chips by a line `lay NAME` and waits for a line; prints one JSON
object a figure. bench.json holds the settle time, bench.txt a recorded game, an event a line.
"""

import gc
import json
import sys
import time

sys.path.insert(0, "/slot/a")

import iso14443a
from board import Board
from iso14443a import UidSet

TURNS = 5
FOUND = UidSet()
SECOND = UidSet()


def sweep(board, settle_us, known):
    """Each reader once: a full inventory, or (known) the visit of a sweep. Tags found."""
    total = 0
    for index in range(len(board.readers)):
        reader = board.readers[index]
        reader.antenna(True)
        time.sleep_us(settle_us)
        if known:
            iso14443a.visit(reader, known[index], FOUND, SECOND, 250_000, False)
        else:
            iso14443a.inventory(reader, FOUND, 250_000)
        reader.antenna(False)
        total += FOUND.count
    return total


def measure(what, board, settle_us, known=None):
    """Best of some turns, and what one of them allocated."""
    best = 1 << 30
    sweep(board, settle_us, known)
    gc.collect()
    gc.disable()
    for _ in range(TURNS):
        used = gc.mem_alloc()
        begun = time.ticks_us()
        tags = sweep(board, settle_us, known)
        took = time.ticks_diff(time.ticks_us(), begun)
        used = gc.mem_alloc() - used
        best = min(best, took)
    gc.enable()
    print(json.dumps({"what": what, "us": best, "tags": tags, "bytes": used}))


def learn(board, settle_us):
    """What lies before each reader now."""
    known = [UidSet() for _ in board.readers]
    for index in range(len(board.readers)):
        reader = board.readers[index]
        reader.antenna(True)
        time.sleep_us(settle_us)
        iso14443a.inventory(reader, known[index], 250_000)
        reader.antenna(False)
    return known


def ask(name):
    """Let the desktop lay chips."""
    print("lay " + name)
    sys.stdin.readline()


def steps():
    """step() of each event of a recorded game."""
    times = []
    with open("bench.txt") as file:
        head = json.loads(file.readline())
        rules = __import__("spicecore." + head["game"])
        rules = getattr(rules, head["game"])
        state = rules.new(head["options"])
        for line in file:
            event = json.loads(line)
            begun = time.ticks_us()
            state, _ = rules.step(state, event)
            times.append(time.ticks_diff(time.ticks_us(), begun))
    times.sort()
    print(
        json.dumps(
            {"what": "step", "n": len(times), "median": times[len(times) // 2], "max": times[-1]}
        )
    )


def main():
    with open("bench.json") as file:
        settle_us = json.load(file)["settle_us"]
    board = Board()
    board.start_bus()
    for reader in board.readers:
        reader.init(33)
    measure("empty", board, settle_us, learn(board, settle_us))
    for name in ("spread", "eight", "sixteen"):
        ask(name)
        measure("inventory " + name, board, settle_us)
        if name == "spread":
            measure("verify " + name, board, settle_us, learn(board, settle_us))
    steps()
    print("done")


main()
