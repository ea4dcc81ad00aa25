"""What rfid.reader promises, tried on any reader: `check(make)`.

make(tags) -> (reader, lay): a reader before these UIDs, and what changes them.
"""

from rfid.codes import COMPLETE, CROWDED, DIFFERENT, HANDED, SAME
from rfid.uidset import UidSet

BUDGET_US = 400_000
A = b"\x04\x01\x02\x03\x04\x05\x06"
B = b"\xde\xad\xbe\x01"
C = b"\x04\x37\x09\x01\x0a\x0b\x0c"


def listed(uids):
    return sorted([uids.uid(i) for i in range(uids.count)])


def set_of(uids):
    made = UidSet(16)
    for uid in uids:
        made.add(uid)
    return made


def again(reader):
    """Field off and on."""
    reader.antenna(False)
    reader.antenna(True)


def check(make):
    check_start(make)
    check_tags(make)
    check_changes(make)
    check_hand_over(make)
    check_two_fields(make)
    check_bench(make)


def check_start(make):
    reader, _ = make([])
    reader.init(38)
    assert reader.gain_db == 38 and reader.gain_db in reader.gains_db
    assert list(reader.gains_db) == sorted(reader.gains_db)
    assert reader.healthy(False) and reader.healthy(True)
    assert reader.version() not in (-1, 0, 255)
    for db in reader.gains_db:
        reader.gain(db)
        assert reader.gain_db == db and reader.healthy(True)
    try:
        reader.gain(40)
    except ValueError:
        pass
    else:
        raise AssertionError("took a gain that it does not have")


def check_tags(make):
    """Tags are found, recognized again, and proven; none is found in an empty field."""
    for there in ([], [A], [A, B, C]):
        reader, _ = make(there)
        reader.init(33)
        reader.settle_us = 1000
        reader.antenna(True)
        found = UidSet(16)
        assert reader.inventory(found, BUDGET_US) == COMPLETE
        assert listed(found) == sorted(there)
        again(reader)
        assert reader.verify(found, BUDGET_US) == SAME
        assert reader.strong(found, 33) == COMPLETE
        again(reader)
        assert reader.verify(found, BUDGET_US) == SAME
        if there:
            assert reader.prove(found, BUDGET_US) == SAME
            again(reader)
            assert reader.inventory(UidSet(len(there) - 1), BUDGET_US) == CROWDED or not there[1:]
        again(reader)
        out = bytearray(16)
        gains = reader.gains_db[:3]
        assert reader.strengths(found, gains, out) == COMPLETE
        assert reader.gain_db == gains[-1]
        for i in range(found.count):
            assert out[i] in gains


def check_changes(make):
    """Tags that came or left are noticed, and both ways to find out agree."""
    for before, there in (([A], [A, B]), ([A, B], [B]), ([A], []), ([A, B], [B, C]), ([], [C])):
        for proof in (False, True):
            reader, lay = make(before)
            reader.init(33)
            reader.settle_us = 1000
            lay(there)
            reader.antenna(True)
            known, found = set_of(before), UidSet(16)
            assert reader.verify(known, BUDGET_US) == DIFFERENT
            assert reader.update(known, found, 33, BUDGET_US, proof) == COMPLETE
            assert listed(found) == sorted(there)
            resolved = UidSet(16)
            assert reader.resolve(resolved, UidSet(16), BUDGET_US) == COMPLETE
            assert listed(resolved) == sorted(there)
            reader.antenna(False)


def check_hand_over(make):
    """Only where the same tags answer; then the other's tags can be read at once."""
    reader, _ = make([A])
    other, _ = make([B])
    for one in (reader, other):
        one.init(33)
        one.settle_us = 1000
    reader.antenna(True)
    assert reader.inventory(UidSet(16), BUDGET_US) == COMPLETE
    again(reader)
    assert reader.verify(set_of([A, C]), BUDGET_US, other) == DIFFERENT
    again(reader)
    got = reader.verify(set_of([A]), BUDGET_US, other)
    assert got in (SAME, HANDED)
    if got == SAME:
        reader.antenna(False)
        other.antenna(True)
    assert other.verify(set_of([B]), BUDGET_US) == SAME
    assert other.strong(set_of([B]), 33) == COMPLETE  # this one's tags, and not the other's


def check_two_fields(make):
    """A field stays on while others are read and switched: its tags are ready then."""
    one, _ = make([A, C])
    two, _ = make([B])
    three, _ = make([A])
    for reader in (one, two, three):
        reader.init(33)
        reader.settle_us = 1000
    one.antenna(True)
    two.antenna(True)
    assert one.verify(set_of([A, C]), BUDGET_US) == SAME
    assert one.prove(set_of([A, C]), BUDGET_US) == SAME
    one.antenna(False)
    three.antenna(True)
    assert two.verify(set_of([B]), BUDGET_US) == SAME
    two.antenna(False)
    assert three.verify(set_of([A]), BUDGET_US) == SAME
    three.antenna(False)


def check_bench(make):
    reader, _ = make([])
    reader.init(33)
    bench = reader.bench()
    report = bench.report()
    assert sorted(report) == ["canary", "command", "config", "versions"]
    assert report["config"] == [] and report["canary"] and len(report["versions"]) == 3
    assert bench.echo(3) == 0 and bench.marked() == 8
    bench.mark(5)
    assert bench.marked() == 5
