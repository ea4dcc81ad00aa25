"""What is stored on the board: two copies that survive cuts, settings, and the roster."""

import os

import scratch

from spicecore import parts
from spicecore.storage.on_demand import roster, settings, store

PATH = scratch.path("store") + "-%d"
counter = [0]


def fresh():
    counter[0] += 1
    path = PATH % counter[0]
    for suffix in (".a", ".b", ".new"):
        try:
            os.remove(path + suffix)
        except OSError:
            pass
    return path


def content(path):
    with open(path, "rb") as file:
        return file.read()


def put(path, data):
    with open(path, "wb") as file:
        file.write(data)


def refused(kind, function, *arguments):
    """The sentence of the error that must come."""
    try:
        function(*arguments)
    except kind as error:
        return str(error)
    raise AssertionError("nothing was refused")


def test_store_round_trip():
    path = fresh()
    assert store.load(path) == (0, {})
    for number in range(1, 6):
        assert store.save(path, {"n": number}) == number
        assert store.load(path) == (number, {"n": number})


def test_a_thousand_cuts_leave_a_valid_copy():
    path = fresh()
    cuts = 0
    version = store.save(path, {"n": 0})
    while cuts < 1000:
        before = store.load(path)
        copies = {suffix: content(path + suffix) for suffix in (".a", ".b") if here(path + suffix)}
        version = store.save(path, {"n": version, "text": "x" * (version % 17)})
        after = store.load(path)
        changed = [
            s for s in (".a", ".b") if here(path + s) and content(path + s) != copies.get(s)
        ]
        assert len(changed) == 1  # the other copy was never touched
        whole = content(path + changed[0])
        for cut in range(len(whole)):
            # 1. cut while the copy is written aside: the old values hold
            put(path + ".new", whole[:cut])
            if changed[0] in copies:
                put(path + changed[0], copies[changed[0]])
            else:
                os.remove(path + changed[0])
            assert store.load(path) == before
            # 2. a file system that renames by copying is cut in it: the old values hold too
            put(path + changed[0], whole[:cut])
            assert store.load(path) == before
            cuts += 2
        put(path + changed[0], whole)
        assert store.load(path) == after


def here(path):
    try:
        os.stat(path)
    except OSError:
        return False
    return True


def test_every_flipped_bit_is_noticed():
    path = fresh()
    store.save(path, {"n": 1})
    whole = content(path + ".a")
    for at in range(len(whole)):
        put(path + ".a", whole[:at] + bytes([whole[at] ^ 4]) + whole[at + 1 :])
        assert store.load(path) == (0, {})


def test_settings_defaults_ranges_and_read_back():
    table = settings.Settings(fresh())
    assert table.values() == settings.defaults() and table.version == 0
    assert table.get("agree") == 2 and table.zone("gain", "mint") == 2
    table.change({"agree": 3, "gain": {"mint": 5}, "hall": True})
    table.change({"gain": {"cumin": 1}})
    other = settings.Settings(table.path)
    assert other.get("agree") == 3 and other.get("hall") == 1 and other.version == 2
    assert [other.zone("gain", zone) for zone in ("mint", "cumin", "curry")] == [5, 1, 2]
    assert other.values()["gain"]["mint"] == 5


def test_settings_refuse_by_name_and_store_nothing():
    table = settings.Settings(fresh())
    for values, word in (
        ({"agree": 0}, "1 to 5"),
        ({"agree": "2"}, "whole number"),
        ({"agree": True}, "whole number"),
        ({"hall": 1}, "true or false"),
        ({"gain": 3}, "each zone"),
        ({"gain": {"pepper": 3}}, "pepper"),
        ({"gain": {"mint": 6}}, "mint"),
        ({"colour": 1}, "no setting colour"),
        ({"pass_ms": 100, "agree": 9}, "1 to 5"),
    ):
        assert word in refused(ValueError, table.change, values), values
    assert settings.Settings(table.path).values() == settings.defaults()


def test_settings_of_another_version_that_fit_no_more_are_left_out():
    path = fresh()
    store.save(path, {"agree": 77, "pass_ms": 10, "gone": 1})
    table = settings.Settings(path)
    assert table.get("agree") == 2 and table.get("pass_ms") == 10


def test_roster_round_trip_and_order():
    book = roster.Roster(fresh())
    book.change({"b10": "04A1B2C3D4E5F6", "mill": "01020304", "r60": "04" + "11" * 9})
    other = roster.Roster(book.path)
    assert other.chips()["b10"] == "04a1b2c3d4e5f6" and other.chips()["b20"] is None
    assert other.chip("01020304") == "mill" and other.chip("01020305") is None
    order = other.in_order()
    assert len(order) == len(parts.CHIPS) == len(set(order)) == 25
    assert order[0] == b"\x04\xa1\xb2\xc3\xd4\xe5\xf6" and order[1][0] == 0x88
    other.change({"b10": None})
    assert roster.Roster(book.path).chips()["b10"] is None


def test_roster_refuses_a_tag_twice_and_names_both():
    book = roster.Roster(fresh())
    book.change({"b10": "04a1b2c3d4e5f6"})
    sentence = refused(roster.Duplicate, book.change, {"g50": "04A1B2C3D4E5F6"})
    assert "b10" in sentence and "g50" in sentence
    # changing owners in one go is no duplicate
    book.change({"b10": None, "g50": "04a1b2c3d4e5f6"})
    assert book.chip("04a1b2c3d4e5f6") == "g50"


def test_roster_refuses_what_is_no_uid_or_no_chip():
    book = roster.Roster(fresh())
    for text in ("", "04", "zz" * 7, "04a1b2c3d4e5", 7, ["04"]):
        assert "UID" in refused(ValueError, book.change, {"b10": text}), text
    assert "88" in refused(ValueError, book.change, {"b10": "88a1b2c3"})
    assert "x10" in refused(KeyError, book.change, {"x10": "01020304"})
    assert book.uids == {}


def test_roster_warns_of_equal_first_level_bytes():
    book = roster.Roster(fresh())
    book.change({"b10": "04a1b2c3d4e5f6", "r10": "04a1b200000001", "g10": "04a1b3c3d4e5f6"})
    assert len(book.warnings()) == 1
    assert "b10" in book.warnings()[0] and "r10" in book.warnings()[0]


def test_a_chip_tells_its_colour_only():
    assert [parts.colour(chip) for chip in ("b10", "r20", "g30", "o60", "mill")] == [
        "blue",
        "red",
        "green",
        "orange",
        "mill",
    ]
    assert len(parts.ZONES) == len(parts.LEDS) == 13 and sum(parts.LEDS) == 176


def whole(text):
    """A copy with the right check sum, whatever it holds."""
    import binascii

    return b"%s*%08x" % (text, binascii.crc32(text))


def test_a_copy_laid_out_otherwise_is_no_copy():
    """A firmware to come may store otherwise; this one must start, and keep what it can read."""
    path = fresh()
    store.save(path, {"n": 1})
    for strange in (b'["2.0", {"n": 2}]', b"[null, {}]", b'[7, ["n"]]', b"[8]", b"9", b'{"n": 3}'):
        put(path + ".b", whole(strange))
        assert store.load(path) == (1, {"n": 1}), strange
    store.save(path, {"n": 2})
    assert store.load(path) == (2, {"n": 2})


def test_strange_values_leave_defaults_and_chips_without_a_tag():
    path = fresh()
    put(path + ".a", whole(b'[3, {"brightness": {"x": 1}, "gain": 7, "hall": null, "new": []}]'))
    stored = settings.Settings(path)
    assert stored.values() == settings.defaults() and stored.version == 3
    path = fresh()
    put(
        path + ".a",
        whole(b'[3, {"b10": 5, "b20": "zz", "b30": "04a1b2c3", "x": "04", "r10": {}}]'),
    )
    assert roster.Roster(path).uids == {"b30": "04a1b2c3"}
