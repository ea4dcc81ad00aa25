"""Replay a recorded game under MicroPython and time the rules: one JSON line of figures.

Usage: micropython -X heapsize=384k replay.py RECORD, with firmware/lib on MICROPYPATH (and not
the simulator's own modules: time is the machine's). RECORD: {"game", "options", "events"}.
"""

import gc
import json
import sys
import time

from spicecore import games

ROUNDS = 3  # the shortest counts, for others use the machine too


def microseconds(function, *arguments):
    """(result, us) of the fastest of a few calls; the function must be pure."""
    best = None
    for _ in range(ROUNDS):
        gc.collect()
        start = time.ticks_us()
        result = function(*arguments)
        taken = time.ticks_diff(time.ticks_us(), start)
        if best is None or taken < best:
            best = taken
    return result, best


def median(values):
    """The middle one."""
    return sorted(values)[len(values) // 2]


def main(path):
    """Replay, measure, print."""
    gc.collect()
    empty = gc.mem_alloc()
    with open(path) as file:
        record = json.load(file)
    rules = games.load(record["game"])
    gc.collect()
    loaded = gc.mem_alloc()
    state = rules.new(record["options"])
    sent = getattr(rules, "packed", rules.legal)  # the list in the form in which a board sends it
    steps, legals, sents, texts, views, live = [], [], [], [], [], 0
    events = record["events"]
    for event in events:
        (after, effects), taken = microseconds(rules.step, state, event)
        if after is state:
            raise ValueError("%s was refused: %s" % (event, effects))
        steps.append(taken)
        state = after
        asked = rules.seats_asked(state)
        if asked:
            legals.append(microseconds(rules.legal, state, asked[0])[1])
            sents.append(microseconds(sent, state, asked[0])[1])
        texts.append(microseconds(rules.text, state)[1])
        views.append(microseconds(rules.view, state, 0)[1])
        effects = after = None
        gc.collect()
        live = max(live, gc.mem_alloc() - loaded)
    result = {
        "steps": len(steps),
        "step_median_us": median(steps),
        "step_max_us": max(steps),
        "legal_median_us": median(legals),
        "legal_max_us": max(legals),
        "sent_median_us": median(sents),
        "sent_max_us": max(sents),
        "text_median_us": median(texts),
        "view_median_us": median(views),
        "rules_and_record_bytes": loaded - empty,
        "state_high_water_bytes": live,
        "text_bytes": len(rules.text(state)),
    }
    print(json.dumps(result))


main(sys.argv[1])
