"""Runs on the emulated RP2040 instead of main.py: the rules by the chip's own clock.

bench.txt holds a recorded game: its options, then an event a line. Prints one JSON line.
"""

import gc
import json
import sys
import time

sys.path.insert(0, "/slot/a")
HEAP_EVERY = 16  # events: looking at the heap takes longer than a step


def main():
    with open("bench.json") as file:
        game = json.load(file)["game"]
    from app import unload
    from spicecore import games

    rules = games.load(game)
    listed = getattr(rules, "packed", rules.legal)  # as app/talk.py
    steps = []
    legals = []
    lowest = None
    with open("bench.txt") as file:
        state = rules.new(json.loads(file.readline()))
        unload.on_demand()  # as app/keep.py
        for line in file:
            event = json.loads(line)
            begun = time.ticks_us()
            after, effects = rules.step(state, event)
            steps.append(time.ticks_diff(time.ticks_us(), begun))
            if after is state:
                raise ValueError("%s was refused: %s" % (event, effects))
            state = after
            after = effects = None
            asked = rules.seats_asked(state)
            if asked:
                begun = time.ticks_us()
                listed(state, asked[0])
                legals.append(time.ticks_diff(time.ticks_us(), begun))
            if len(steps) % HEAP_EVERY == 0:
                gc.collect()
                free = gc.mem_free()
                lowest = free if lowest is None else min(lowest, free)
    gc.collect()
    lowest = gc.mem_free() if lowest is None else lowest
    steps.sort()
    legals.sort()
    print(
        json.dumps(
            {
                "steps": len(steps),
                "step_median_us": steps[len(steps) // 2],
                "step_max_us": steps[-1],
                "legal_median_us": legals[len(legals) // 2],
                "legal_max_us": legals[-1],
                "free_lowest": lowest,
            }
        )
    )


main()
