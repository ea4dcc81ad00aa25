"""Which application starts: every answer of slots.py, and what a cut or a bad line leaves."""

import os
import sys

import scratch

import slots

FOLDER = scratch.path("slots")
POINTER = FOLDER + "/slot.txt"
NEW = FOLDER + "/slot.new"


def with_line(line):
    """A flash with this in slot.txt; None: without the file."""
    slots.POINTER, slots.NEW = POINTER, NEW
    try:
        os.mkdir(FOLDER)
    except OSError:
        pass
    for path in (POINTER, NEW):
        try:
            os.remove(path)
        except OSError:
            pass
    if line is not None:
        with open(POINTER, "wb") as file:
            file.write(line)


def line():
    with open(POINTER) as file:
        return file.read()


def start():
    """choose(), and the path as it was."""
    before = list(sys.path)
    chosen = slots.choose()
    added = [path for path in sys.path if path not in before]
    sys.path[:] = before
    assert added == ([] if chosen is None else ["/slot/" + chosen])
    return chosen


def test_without_the_file_nothing_is_chosen_and_nothing_is_written():
    with_line(None)
    assert start() is None
    slots.good()
    slots.failed()
    assert slots.status() == {"name": None, "state": None, "failed": 0, "previous": None}
    try:
        os.stat(POINTER)
    except OSError:
        return
    raise AssertionError("a file was written")


def test_a_good_slot_starts_and_nothing_is_written():
    with_line(b"b a good 0\n")
    slots.NEW = "/nowhere/slot.new"  # a write would be told
    assert start() == "b"
    assert slots.status() == {"name": "b", "state": "good", "failed": 0, "previous": "a"}


def test_a_trial_counts_each_start_beforehand_and_goes_back_after_three():
    with_line(b"b a trial 0\n")
    for failed in (1, 2, 3):
        assert start() == "b"
        assert line() == "b a trial %d\n" % failed
    assert start() == "a"
    assert line() == "a b good 0\n"
    assert start() == "a"


def test_a_trial_without_another_is_tried_for_ever():
    with_line(b"a - trial 0\n")
    for _ in range(7):
        assert start() == "a"
    assert line() == "a - trial 7\n"
    assert slots.status()["previous"] is None


def test_a_trial_that_passes_stays():
    with_line(b"b a trial 2\n")
    assert start() == "b"
    slots.good()
    assert line() == "b a good 0\n"
    assert slots.status()["state"] == "good"


def test_a_good_slot_that_fails_goes_on_trial_if_there_is_another():
    with_line(b"b a good 0\n")
    slots.failed()
    assert line() == "b a trial 1\n"
    slots.failed()  # on trial: counted at its start
    assert line() == "b a trial 1\n"
    with_line(b"a - good 0\n")
    slots.failed()
    assert line() == "a - good 0\n"


def test_a_line_that_no_loader_wrote_is_slot_a_on_trial():
    bad = (b"", b"\n", b"c a good 0\n", b"a b good x\n", b"a b good\n", b"a b good 0 1\n")
    for content in bad + (b"\xff\xfe\x00\n", b"a" * 100):
        with_line(content)
        assert start() == "a", content
        assert line() == "a b trial 1\n", content


def test_a_previous_that_is_no_slot_is_none():
    with_line(b"a x good 0\n")
    assert slots.read() == ["a", None, False, 0]


def test_what_a_cut_left_beside_does_no_harm():
    with_line(b"b a trial 1\n")
    with open(NEW, "w") as file:
        file.write("a b go")  # cut in the middle: never renamed
    assert start() == "b"
    assert line() == "b a trial 2\n"


def test_a_flash_that_takes_nothing_costs_the_state_only():
    with_line(b"b a trial 1\n")
    slots.NEW = FOLDER + "/no/such/folder/slot.new"
    assert start() == "b"
    slots.good()
    assert line() == "b a trial 1\n"


def test_any_story_ends_on_a_slot_that_starts():
    """Starts that pass, fail and hang in any order, against the words of the module."""
    x = 7
    for _ in range(60):
        with_line(b"b a trial 0\n")
        current, other, trial, failed = "b", "a", True, 0
        for _ in range(20):
            x = x * 1103515245 + 12345 & 0x3FFFFFFF
            if trial and failed >= 3:
                current, other, trial, failed = other, current, False, 0
            elif trial:
                failed += 1
            assert start() == current
            end = (x >> 12) % 3  # 0 passes, 1 dies with an error, 2 hangs
            if end == 0:
                slots.good()
                trial, failed = False, 0
            elif end == 1:
                slots.failed()
                if not trial:
                    trial, failed = True, 1
            assert slots.read() == [current, other, trial, failed]
