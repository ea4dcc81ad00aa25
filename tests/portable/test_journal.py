"""The journal: what is stored comes back, and a cut at any byte loses nothing acknowledged."""

import os

import scratch

from spicecore.storage import journal
from spicecore.storage.on_demand import journal_read

FOLDER = scratch.path("journal") + "-%d"
counter = [0]


def fresh(slots=1, **limits):
    """A journal in an empty folder; slots=1: each record goes into its file at once."""
    counter[0] += 1
    folder = FOLDER % counter[0]
    book = journal.Journal(folder, slots=slots, **limits)
    for name in os.listdir(folder):
        os.remove(book.path(name))
    return book


def again(book):
    """The same folder, opened by the next start of the board."""
    return journal.Journal(book.folder, book.segment_max, book.total_max, book.slots)


def content(book, name):
    with open(book.path(name), "rb") as file:
        return file.read()


def put(book, name, data):
    with open(book.path(name), "wb") as file:
        file.write(data)


NEW = ["new", "tiny", {"players": 2}]
EVENTS = [["e", ["moved", None, [["b%d0" % n, "curry"]]]] for n in range(1, 7)]


def play(book, events=EVENTS):
    book.begin(NEW)
    for event in events:
        book.append(event)


def test_line_of_a_record():
    text = journal.line(7, b'["e", 1]')
    assert text[:5] == b"0008 " and text.endswith(b' 7 ["e", 1]\n'), text
    assert journal_read.parse(text) == (7, b'["e", 1]')
    for at in range(len(text) - 1):
        broken = bytearray(text)
        broken[at] ^= 1
        assert journal_read.parse(bytes(broken)) is None, broken


def test_what_is_stored_comes_back():
    book = fresh()
    assert book.load() == ([], "")
    play(book)
    after = again(book)
    records, wrong = after.load()
    assert records == [NEW] + EVENTS and wrong == ""
    after.append(["undo"])
    assert again(book).load()[0][-1] == ["undo"]
    after.finish(["over"])
    assert again(book).load() == ([], "")


def test_cut_at_every_byte_of_every_record():
    book = fresh()
    play(book)
    name = book.open_name
    whole = content(book, name)
    ends = []
    for at in range(len(whole)):
        if whole[at] == 10:
            ends.append(at + 1)
    for cut in range(len(whole) + 1):
        put(book, name, whole[:cut])
        acknowledged = len([end for end in ends if end <= cut])
        after = again(book)
        records, wrong = after.load()
        assert wrong == "", (cut, wrong)
        # a record that lacks its line feed alone is whole: it counts, though nobody was told
        assert len(records) - acknowledged in (0, 1), cut
        assert records == ([NEW] + EVENTS)[: len(records)]
        if not records:
            continue
        after.append(["e", "next"])
        after.append(["e", "after"])
        final, wrong = again(book).load()
        assert wrong == "" and final == records + [["e", "next"], ["e", "after"]], cut


def test_reading_changes_nothing():
    book = fresh()
    play(book)
    name = book.open_name
    put(book, name, content(book, name)[:-4])
    before = content(book, name)
    after = again(book)
    after.load()
    assert after.logs() == [[name, len(before), len(EVENTS), False]]
    assert after.read(name, 0, 1000)[1] is None
    assert content(book, name) == before


def test_damage_in_the_middle_is_named_and_later_records_are_not_applied():
    book = fresh()
    play(book)
    name = book.open_name
    lines = content(book, name).split(b"\n")
    lines[3] = lines[3][:-3] + b"x" + lines[3][-2:]
    put(book, name, b"\n".join(lines))
    records, wrong = again(book).load()
    assert records == [NEW] + EVENTS[:2]
    assert "record 3" in wrong and name in wrong, wrong


def test_a_position_behind_the_damage_mends_it():
    book = fresh()
    play(book)
    name = book.open_name
    book.append(["state", "text"])
    book.append(["e", "late"])
    lines = content(book, name).split(b"\n")
    lines[2] = b"0000" + lines[2][4:]
    put(book, name, b"\n".join(lines))
    assert again(book).load() == ([["state", "text"], ["e", "late"]], "")


def test_segments_go_on_and_a_cut_while_one_is_begun_falls_back():
    book = fresh(segment_max=200)
    play(book)
    assert book.full()
    first = book.open_name
    book.checkpoint(["state", "six"])
    second = book.open_name
    assert second != first and not book.full()
    assert again(book).load()[0] == [["state", "six"]]
    whole = content(book, second)
    for cut in range(len(whole)):
        put(book, second, whole[:cut])
        after = again(book)
        records, wrong = after.load()
        if cut == len(whole) - 1:
            assert records == [["state", "six"]]  # only its line feed is missing
            continue
        assert records[-1] == EVENTS[-1] and wrong == "", cut
        after.checkpoint(["state", "again"])
        assert again(book).load() == ([["state", "again"]], "")
        put(book, second, whole)


def test_old_games_go_and_the_running_one_stays():
    """Each file takes a block of the flash at least: short games count as much."""
    book = fresh(total_max=5 * 4096)
    for game in range(12):
        play(book)
        assert again(book).load()[0][0][0] == "new"
        book.finish(["over", game])
        assert len(book.names()) <= 6, book.names()  # the one that is begun comes on top
    play(book)
    names = book.names()
    assert book.open_name == names[-1] and len(names) == 6, names
    assert again(book).load()[0][-1] == EVENTS[-1]


def test_reading_in_pieces():
    book = fresh()
    play(book)
    name = book.open_name
    texts, at = [], 0
    while at is not None:
        piece, at = book.read(name, at, 60)
        assert piece
        texts.extend(piece)
    assert len(texts) == 1 + len(EVENTS)
    assert book.read(name, 99, 60) == ([], None)


def test_erasing_is_refused_for_the_running_game():
    book = fresh()
    play(book)
    first = book.open_name
    for name in (first, "g9999-000.log", "../settings.a"):
        try:
            book.erase(name)
        except OSError as error:
            assert "erased" in str(error)
        else:
            raise AssertionError(name)
    book.finish(["over"])
    book.erase(first)
    assert book.names() == []


def test_a_write_that_fails_says_so_and_loses_nothing():
    book = fresh()
    play(book)
    good, book.folder = book.folder, "/tmp/no-such-folder-of-spiceboard"
    try:
        book.append(["e", "lost"])
    except OSError:
        pass
    else:
        raise AssertionError("nobody noticed")
    book.folder = good
    book.append(["e", "kept"])
    records, wrong = again(book).load()
    assert records[-1] == ["e", "kept"] and len(records) == len(EVENTS) + 2 and wrong == ""


# -- records that wait in slots

MANY = [["e", "event %d" % n] for n in range(1, 31)]


def kept(book):
    """{name: content} of all that lies in the folder."""
    return {name: content(book, name) for name in os.listdir(book.folder)}


def laid(book, files):
    """The folder holds these files and no others."""
    for name in os.listdir(book.folder):
        os.remove(book.path(name))
    for name in files:
        put(book, name, files[name])


def test_records_wait_and_move_together():
    book = fresh(slots=8)
    book.begin(NEW)
    sizes = []
    for number in range(len(MANY)):
        book.append(MANY[number])
        sizes.append(book.size(book.open_name))
        assert again(book).load() == ([NEW] + MANY[: number + 1], "")
        assert book.logs()[0][2] == number + 2
    assert len(set(sizes)) == 4, sizes  # it grew with the 8th, 16th and 24th
    assert book.read(book.open_name, 0, 9999) == ([
        text.split(b" ", 3)[3].decode() for text in content(book, book.open_name).split(b"\n")[:-1]
    ] + ['["e", "event %d"]' % n for n in range(25, 31)], None)  # fmt: skip
    book.finish(["over"])
    assert again(book).load() == ([], "") and book.logs()[0][2:] == [32, True]


def test_a_long_record_takes_all_that_waits_with_it():
    book = fresh(slots=8)
    book.begin(NEW)
    book.append(MANY[0])
    book.append(["state", "x" * 600])
    assert content(book, book.open_name).count(b"\n") == 3
    book.append(MANY[1])
    assert again(book).load()[0] == [["state", "x" * 600], MANY[1]]
    book.append(["state", "short"])  # a position may wait in a slot, too
    book.append(MANY[2])
    assert again(book).load()[0] == [["state", "short"], MANY[2]]


def test_a_cut_at_any_byte_of_a_slot_or_of_the_move_loses_nothing():
    """Before each record, and while it is written: as the folder lay, with each file that changes
    cut at each byte."""
    book = fresh(slots=4)
    book.begin(NEW)
    before = kept(book)
    for number in range(9):
        done = [NEW] + MANY[:number]
        book.append(MANY[number])
        after = kept(book)
        changed = [name for name in after if before.get(name) != after[name]]
        assert len(changed) == 1, changed
        name = changed[0]
        old = before.get(name, b"") if name[-4:] == ".log" else b""
        for cut in range(len(old), len(after[name]) + 1):
            files = dict(before)
            files[name] = after[name][:cut]
            laid(book, files)
            next_start = again(book)
            records, wrong = next_start.load()
            whole = cut == len(after[name])
            assert wrong == "" and records[: len(done)] == done, (number, cut, records, wrong)
            assert len(records) == len(done) + whole or len(records) == len(done) + 1, (
                number,
                cut,
            )
            next_start.append(["e", "next"])
            for more in range(6):
                next_start.append(["e", more])
            final = [["e", "next"]] + [["e", more] for more in range(6)]
            assert again(next_start).load() == (records + final, ""), (number, cut)
        laid(book, after)
        before = after


def test_a_slot_that_is_damaged_is_named():
    book = fresh(slots=8)
    book.begin(NEW)
    for event in MANY[:5]:
        book.append(event)
    for slot in (5, 3):  # the newest record, and one with others behind it
        whole = content(book, "slot%d" % slot)
        put(book, "slot%d" % slot, whole[:20] + b"?" + whole[21:])
        after = again(book)
        records, wrong = after.load()
        assert records == [NEW] + MANY[: slot - 1] and "record %d is damaged" % slot in wrong
    after.checkpoint(["state", "two"])
    after.append(MANY[2])
    assert again(after).load() == ([["state", "two"], MANY[2]], "")


def test_a_new_game_does_not_find_the_slots_of_the_one_before():
    book = fresh(slots=8)
    for game in range(3):
        book.begin(NEW)
        for event in MANY[: 6 - 2 * game]:
            book.append(event)
            assert again(book).load()[1] == ""
        assert again(book).load()[0] == [NEW] + MANY[: 6 - 2 * game]
        book.finish(["over"])
        for name in book.names():
            book.erase(name)  # so that the next game has the same number
        book = again(book)
        assert book.load() == ([], "")


def test_segments_take_along_what_waits():
    book = fresh(slots=8, segment_max=200)
    book.begin(NEW)
    for number in range(len(MANY)):
        book.append(MANY[number])
        if book.full():
            book.checkpoint(["state", number])
    names = book.names()
    assert len(names) > 2
    book.finish(["over"])
    texts = [text for name in names for text in book.read(name, 0, 9999)[0]]
    assert [t for t in texts if "event" in t] == ['["e", "event %d"]' % n for n in range(1, 31)]
