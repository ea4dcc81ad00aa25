"""Runs on the emulated RP2040 instead of main.py: the rules by the chip's own clock.

bench.txt holds a recorded game: its head, then an event a line. The game is played `ROUNDS` times
over, as if its rounds went on and on, and the heap is looked at after each. Prints JSON lines.
"""

import gc
import json
import sys
import time

sys.path.insert(0, "/slot/a")

with open("bench.json") as file:
    TURNS = json.load(file)["turns"]


def play(rules, times):
    """The recorded game once; its number of rounds."""
    with open("bench.txt") as file:
        state = rules.new(json.loads(file.readline()))
        for line in file:
            event = json.loads(line)
            begun = time.ticks_us()
            state, _ = rules.step(state, event)
            times.append(time.ticks_diff(time.ticks_us(), begun))
    return rules.view(state, None)["round"]


def main():
    from spicecore import safranito

    rounds = 0
    first = None
    for _ in range(TURNS):
        times = []
        rounds += play(safranito, times)
        times.sort()
        middle, longest, count = times[len(times) // 2], times[-1], len(times)
        times = None
        gc.collect()
        first = first or gc.mem_free()
    print(
        json.dumps(
            {
                "steps": count,
                "median_us": middle,
                "max_us": longest,
                "rounds": rounds,
                "free_first": first,
                "free_last": gc.mem_free(),
            }
        )
    )


main()
