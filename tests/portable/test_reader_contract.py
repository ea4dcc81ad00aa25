"""Any reader will do: the contract on two of them, and the application's visit over plain data."""

import sys

from plain_reader import PlainReader
from reader_contract import A, B, C, check, listed
from tagfield import Chip, Field, Tag

from rfid.codes import COMPLETE, DEAD, HANDED, SAME
from rfid.mfrc522 import MFRC522

if sys.implementation.name != "micropython" and "micropython" not in sys.modules:
    sys.modules["micropython"] = type(sys)("micropython")
    sys.modules["micropython"].const = lambda value: value

from app.look import MEASURED, PROVE, REASON, TWICE, WATCH, WEIGH, look
from app.schedule import BOWLS, FIELDS, ROW, Schedule
from app.zone import WEAK_DB, Zone


def plain(uids):
    reader = PlainReader({})

    def lay(uids):
        reader.tags.clear()
        for uid in uids:
            reader.tags[uid] = 18

    lay(uids)
    return reader, lay


def mfrc522(uids):
    chip = Chip(Field([Tag(uid) for uid in uids]))

    def lay(uids):
        chip.field.tags = [Tag(uid) for uid in uids]

    return MFRC522(chip, chip.select, chip), lay


def test_a_reader_of_plain_data_keeps_the_contract():
    check(plain)


def test_the_mfrc522_keeps_the_contract():
    check(mfrc522)


def test_the_checks_bite():
    for name, wrong in (("verify", SAME), ("inventory", COMPLETE), ("resolve", COMPLETE)):

        def make(uids, name=name, wrong=wrong):
            reader, lay = plain(uids)
            setattr(reader, name, lambda *_: wrong)
            return reader, lay

        try:
            check(make)
        except AssertionError:
            continue
        raise AssertionError("%s may say anything" % name)


# -- the application over plain data -----------------------------------------------------------


class PlainRoster:
    """Every tag is the chip of its place."""

    def find(self, known, place):
        return place


def zone_with(tags, gains=(18, 23, 33), margin_db=10):
    zone = Zone(PlainReader(tags))
    zone.set_up(gains, 0, margin_db)
    zone.reader.init(gains[-1])
    return zone


def visited(zone, asked=0, follow=None):
    zone.reader.antenna(True)
    return look(zone, asked, follow)


def test_a_visit_finds_what_is_strong_by_two_readings():
    zone = zone_with({A: 18, B: 23})
    assert visited(zone) == COMPLETE | TWICE | MEASURED
    assert listed(zone.known) == [A, B] and list(zone.strength[:2]) == [23, 23]
    assert not zone.reader.on
    assert visited(zone) == SAME


def test_a_weak_tag_is_measured():
    zone = zone_with({A: 33})
    result = visited(zone)
    assert result & REASON == COMPLETE and result & TWICE and result & MEASURED
    assert zone.strength[0] == 33


def test_each_zone_has_its_own_limit_between_strong_and_weak():
    for gains, margin_db, strong, weak in (
        ((18, 23, 33), 10, 23, 33),
        ((18, 23, 33, 38), 5, 33, 38),
        ((18, 23), 5, 18, 23),
        ((18, 23, 33, 38, 43), 10, 33, 38),
    ):
        zone = zone_with({A: strong, B: weak}, gains, margin_db)
        visited(zone)
        seen = {}
        zone.heard(PlainRoster(), seen)
        assert seen[0] <= WEAK_DB < seen[1], (gains, margin_db)
        assert zone.is_strong(PlainRoster(), 0) and not zone.is_strong(PlainRoster(), 1)


def test_a_tag_that_grew_weak_is_seen_by_the_watch_alone():
    zone = zone_with({A: 18})
    visited(zone)
    zone.reader.tags[A] = 33
    assert visited(zone) == SAME and visited(zone, PROVE) == SAME
    assert visited(zone, WATCH) == SAME | MEASURED
    assert zone.strength[0] == 33


def test_a_doubtful_zone_is_weighed_though_nothing_changed():
    zone = zone_with({A: 18})
    visited(zone)
    assert visited(zone, WEIGH) == SAME | MEASURED
    assert zone.strength[0] == 18  # and no longer the gain of the second reading


def test_the_field_is_handed_over_only_by_a_plain_visit():
    zone, other = zone_with({}), zone_with({})
    other.reader.antenna(False)
    for asked in (PROVE, WEIGH):
        visited(zone, asked, other)
        assert not zone.reader.on and not other.reader.on
    assert visited(zone, 0, other) == HANDED
    assert not zone.reader.on and other.reader.on


def test_a_reader_that_dies_is_told_and_its_tags_are_not_believed():
    zone = zone_with({A: 18, C: 18})
    visited(zone)
    zone.reader.alive = False
    try:
        assert look(zone, 0, None) == DEAD
    except OSError:  # the field cannot be switched off
        pass
    assert not zone.known.count or zone.state == "dead"


class Arrivals:
    """What a schedule asks of an inventory."""

    def __init__(self, arriving=0, k=2):
        self.arriving, self.k = arriving, k


def thirteen(dead=()):
    """A schedule of thirteen zones, whose tags were without a field for long."""
    zones = [zone_with({}) for _ in range(13)]
    for index in range(13):
        zones[index].state = "dead" if index in dead else "ok"
        zones[index].asleep_us = lambda: 0
    return Schedule(zones, lambda index: False)


def swept(schedule, arrivals=None, most=99):
    """A sweep as sense does it, the next zone's field on while one is read: [(zone, the one beside
    which its field went on, or None), ...]."""
    arrivals = arrivals or Arrivals()
    schedule.begin()
    field = schedule.next(arrivals, None, None)
    found = [(field, None)]
    ahead = schedule.next(arrivals, field, field)
    if ahead >= 0:
        found.append((ahead, field))
    while field >= 0 and len(found) < most:
        beside = ahead if ahead >= 0 else None
        follow = schedule.next(arrivals, field, beside)
        if follow >= 0:
            found.append((follow, beside))
        field, ahead = (follow, -1) if beside is None else (ahead, follow)
        if field < 0:
            field = schedule.next(arrivals, None, None)
            if field >= 0:
                found.append((field, None))
        if field >= 0 and ahead < 0:
            ahead = schedule.next(arrivals, field, field)
            if ahead >= 0:
                found.append((ahead, field))
    return found


def permitted(found):
    return all(beside is None or FIELDS[beside] >> zone & 1 for zone, beside in found)


def test_a_sweep_visits_every_zone_once_and_each_beside_the_one_before():
    found = swept(thirteen())
    assert bytes([zone for zone, _ in found]) == ROW
    assert permitted(found)
    alone = [zone for zone, beside in found if beside is None]
    assert alone == [0, 4]  # the first of the chain, and the middle bowl


def fields_on(schedule):
    """A sweep as sense does it where a third field is worth it: for each visit the zone that is
    read and the others whose fields are on, in the order in which they will be read."""
    nobody = Arrivals()
    schedule.begin()
    found, on = [], []
    while True:
        more = schedule.next(nobody, None, None) if not on else -1
        on += [more] if more >= 0 else []
        if not on:
            return found
        if len(on) == 1:
            more = schedule.next(nobody, on[0], on[0])
            on += [more] if more >= 0 else []
        if len(on) == 2:
            more = schedule.extra(on[0], on[1])
            on += [more] if more >= 0 else []
        found.append(list(on))
        if len(on) == 3:
            more = schedule.extra(on[1], on[2])
        else:
            more = schedule.next(nobody, on[0], on[1] if len(on) > 1 else None)
        on = on[1:] + ([more] if more >= 0 else [])


def test_a_third_field_is_on_only_while_a_bowl_is_read_and_beside_both_others():
    for dead in ((), (5,), (2, 7), (0, 3, 9)):
        schedule = thirteen(dead)
        found = fields_on(schedule)
        assert sorted([on[0] for on in found]) == [z for z in range(13) if z not in dead]
        for on in found:
            assert len(on) <= (3 if on[0] < BOWLS else 2)
            for one in on:
                assert all(FIELDS[one] >> two & 1 for two in on if two != one), on
        if not dead:
            assert bytes([on[0] for on in found]) == ROW
            assert len([on for on in found if len(on) == 3]) == 6


def test_sweeps_that_go_over_into_each_other_keep_their_order():
    """The zone that is read when the next sweep begins is the last of that one, too."""
    schedule = thirteen()
    schedule.begin()
    field = schedule.next(Arrivals(), None, None)
    for _ in range(3):
        second = schedule.next(Arrivals(), field, field)
        taken = [field, second, schedule.extra(field, second)]
        while schedule.left:
            taken.append(schedule.next(Arrivals(), taken[-1], None))
        assert bytes(taken) == ROW
        schedule.begin()
        field = schedule.next(Arrivals(), taken[-1], None)


def test_a_third_field_waits_for_a_dead_reader_and_for_tags_that_reset():
    schedule = thirteen((6,))
    schedule.begin()
    for expected in (0, 5):
        assert schedule.next(Arrivals(), None, None) == expected
    assert schedule.extra(0, 5) == -1  # mint's reader is asked where no field is on
    schedule = thirteen()
    schedule.begin()
    for expected in (0, 5):
        assert schedule.next(Arrivals(), None, None) == expected
    schedule.zones[6].asleep_us = lambda: 100
    assert schedule.extra(0, 5) == -1
    schedule.zones[6].asleep_us = lambda: 0
    assert schedule.extra(0, 5) == 6 and schedule.zones[6].looks == 1
    assert schedule.extra(9, 6) == -1  # an action space is read


def test_a_sweep_leaves_out_dead_readers_until_they_answer():
    schedule = thirteen((2, 7))
    found = swept(schedule)
    assert permitted(found)
    assert sorted([zone for zone, _ in found]) == [0, 1, 3, 4, 5, 6, 8, 9, 10, 11, 12]
    schedule.revived = lambda index: True
    assert sorted([zone for zone, _ in swept(schedule)]) == list(range(13))


def test_what_is_urgent_is_visited_in_its_order_and_beside_nothing_that_delays_it():
    schedule = thirteen()
    for first in range(13):
        for second in range(13):
            if first == second:
                continue
            front = [first, second]
            rest = [zone for zone in ROW if zone not in front]
            schedule.order[:] = bytes(front + rest)
            schedule.first = 2
            found = swept(schedule)
            assert [zone for zone, _ in found[:2]] == front
            assert found[1][1] == (first if FIELDS[first] >> second & 1 else None)
            assert permitted(found) and sorted([zone for zone, _ in found]) == list(range(13))
            schedule.first = 0
            found = swept(schedule)
            assert permitted(found) and sorted([zone for zone, _ in found]) == list(range(13))


def test_a_zone_where_a_chip_arrives_is_visited_again_but_never_while_its_field_is_on():
    schedule = thirteen()
    found = swept(schedule, Arrivals(1 << 5))
    zones = [zone for zone, _ in found]
    assert zones.count(5) == 2 and len(zones) == 14 and permitted(found)
    first, again = [place for place in range(14) if zones[place] == 5]
    assert again - first > 1
    schedule.begin()
    for zone in schedule.zones:
        zone.looks = 1
    assert schedule.next(Arrivals(1 << 5), 5, None) == ROW[0]
    schedule.zones[5].asleep_us = lambda: 100
    assert schedule.next(Arrivals(1 << 5), 6, None) != 5
    schedule.order[:] = bytes([5]) + bytes([zone for zone in range(13) if zone != 5])
    schedule.first = 1
    schedule.begin()
    assert schedule.next(Arrivals(), 6, None) == -1  # its tags have to reset
    assert schedule.next(Arrivals(), None, None) == 5  # where no field is on, that is waited for


def test_each_zone_is_proved_and_watched_in_its_turn():
    zones = [zone_with({A: 18}) for _ in range(13)]
    for zone in zones:
        visited(zone)
    schedule = Schedule(zones, None)
    proved, watched, closely = set(), set(), set()
    for schedule.sweeps in range(52):
        schedule.begin()
        asked = [schedule.asked(index, False) for index in range(13)]
        assert sum([bool(one) for one in asked]) <= 2
        for index in range(13):
            if asked[index] == PROVE:
                proved.add(index)
            if asked[index] == WATCH:
                watched.add(index)
            if schedule.closely(index):
                closely.add(index)
    assert len(proved) == len(closely) == 13 and len(watched) >= 12
    schedule.sweeps = 4  # weighed in every fourth
    assert schedule.asked(9, True) == WEIGH and schedule.asked(9, False) == 0
