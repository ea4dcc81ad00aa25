"""Firmware for the benchmark: inventories of all readers, cold, over the board's own drivers.

Says `start`, sweeps every zone once with a full collision walk, says how many tags were found in
how many microseconds of the board's time, and ends.
"""

import json
import sys
import time

from boards.pico.board import Board
from rfid import codes
from rfid.uidset import UidSet

BUDGET_US = 1000000
GAIN_DB = 33
PAUSE_MS = 20  # the counter looks while the firmware sleeps


def main():
    """One measurement."""
    settle_us = 2000
    board = Board()
    uids = UidSet()
    for reader in board.readers:
        reader.init(GAIN_DB)
    print("start")
    time.sleep_ms(PAUSE_MS)
    begun = time.ticks_us()
    found = 0
    reasons = []
    for reader in board.readers:
        reader.antenna(True)
        time.sleep_us(settle_us)
        uids.count = 0
        reasons.append(reader.inventory(uids, BUDGET_US))
        found += uids.count
        reader.antenna(False)
    taken = time.ticks_diff(time.ticks_us(), begun)
    complete = reasons.count(codes.COMPLETE) == len(reasons)
    print("end", json.dumps({"found": found, "us": taken, "complete": complete}))
    time.sleep_ms(PAUSE_MS)
    sys.exit()


main()
