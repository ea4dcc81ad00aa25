"""Two copies of the application on the flash, and which of them starts.

`slot.txt` holds one line: `<current> <previous or -> <trial or good> <failed starts>`. It only
ever changes by rename, so a cut leaves the old line or the new one. A new application starts on
trial; until it has called `good()` each start counts as failed beforehand, so that a hang and a
watchdog count too. After three the previous one is the current one again. Without the file (a
folder of sources, the Unix port) nothing is chosen and imports come from where `main.py` lies. A
line that no loader has written (by hand, or by a later one) is treated as slot a on trial, then b.
"""

import os
import sys

POINTER = "/slot.txt"
NEW = "/slot.new"
NAMES = ("a", "b")
FAILED_STARTS = 3


def read() -> list | None:
    """[current, previous or None, on trial, failed starts] or None when no slot is installed."""
    words = []
    try:
        with open(POINTER) as file:
            words = file.read(40).split()
    except OSError:
        return None
    except ValueError:
        pass  # not even text
    if len(words) != 4 or words[0] not in NAMES or not words[3].isdigit():
        return ["a", "b", True, 0]
    previous = words[1] if words[1] in NAMES else None
    return [words[0], previous, words[2] == "trial", int(words[3])]


def write(state: list):
    """Store the state: the whole line under another name, then renamed. If the flash cannot be
    written, only the state is lost: the board starts all the same."""
    current, previous, trial, failed = state
    line = "%s %s %s %d\n" % (current, previous or "-", "trial" if trial else "good", failed)
    try:
        with open(NEW, "w") as file:
            file.write(line)
        os.rename(NEW, POINTER)
    except OSError as error:
        print("slots: %s is not stored: %s" % (line.strip(), error))


def choose() -> str | None:
    """Name of the slot to start, put first on the path; counts a start on trial."""
    state = read()
    if state is None:
        return None
    if state[2]:
        if state[3] >= FAILED_STARTS and state[1]:
            print("slots: %s failed %d times, back to %s" % (state[0], state[3], state[1]))
            state = [state[1], state[0], False, 0]
        else:
            state[3] += 1
        write(state)
    sys.path.insert(0, "/slot/" + state[0])
    return state[0]


def good():
    """The application's self-test passed: this slot stays."""
    state = read()
    if state and (state[2] or state[3]):
        write([state[0], state[1], False, 0])


def failed():
    """The application ended with an error. On trial that was counted at its start already.

    A slot that was good and now fails goes on trial again, if there is another to go back to.
    """
    state = read()
    if state and not state[2] and state[1]:
        write([state[0], state[1], True, 1])


def status() -> dict:
    """What `hello` reports: name, state, failed starts, previous; all null without slots."""
    state = read()
    if state is None:
        return {"name": None, "state": None, "failed": 0, "previous": None}
    return {
        "name": state[0],
        "state": "trial" if state[2] else "good",
        "failed": state[3],
        "previous": state[1],
    }


def wait(ms: int):
    """Let time pass and drop what is sent: behind a full buffer no Ctrl-C would be heard."""
    import select
    import time

    console = select.poll()
    console.register(sys.stdin, select.POLLIN)
    end = time.ticks_add(time.ticks_ms(), ms)
    while time.ticks_diff(end, time.ticks_ms()) > 0:
        if console.poll(100):
            sys.stdin.buffer.read(1)
