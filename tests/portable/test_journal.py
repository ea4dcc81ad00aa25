"""The journal: what is stored comes back, and a cut at any byte loses nothing acknowledged."""

import os
import sys

from spicecore.storage import journal
from spicecore.storage.on_demand import journal_read

FOLDER = "/tmp/spiceboard-journal-" + sys.implementation.name + "-%d"
counter = [0]


def fresh(**limits):
    """A journal in an empty folder."""
    counter[0] += 1
    folder = FOLDER % counter[0]
    book = journal.Journal(folder, **limits)
    for name in book.names():
        os.remove(book.path(name))
    return book


def again(book):
    """The same folder, opened by the next start of the board."""
    return journal.Journal(book.folder, book.segment_max, book.total_max)


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
    book = fresh(total_max=3000)
    for game in range(12):
        play(book)
        assert again(book).load()[0][0][0] == "new"
        book.finish(["over", game])
    play(book)
    names = book.names()
    total = sum(book.size(name) for name in names)
    assert total <= 3000 + 600 and book.open_name == names[-1] and len(names) > 2, names
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
