"""The codec of the wire: known vectors, round trip, every split, garbage, bounds, fuzz."""

from spicecore.wire import messages as wire
from spicecore.wire.errors import ERRORS

VECTORS = (  # message of one field, so that no dict order matters; CRC by an independent program
    ({"id": 1}, b'${"id":1}*9f74\n'),
    ({}, b"${}*6696\n"),
    ({"do": "hello"}, b'${"do":"hello"}*0bad\n'),
)


def below(state, bound):
    """The state after a step of Lehmer's generator (its numbers stay small), and 0..bound-1."""
    state = state * 16807 % 2147483647
    return state, state // 7 % bound


def noise(state, count):
    """`count` bytes of noise, and the state after it."""
    data = bytearray(count)
    for index in range(count):
        state, data[index] = below(state, 256)
    return state, bytes(data)


def thing(state, depth):
    """A random JSON-able value."""
    state, kind = below(state, 7 if depth else 5)
    if kind == 0:
        return state, None
    if kind == 1:
        state, bit = below(state, 2)
        return state, bit == 1
    if kind == 2:
        state, number = below(state, 1 << 20)
        return state, number - (1 << 19)
    if kind < 5:
        state, length = below(state, 6)
        text = ""
        for _ in range(length):
            state, at = below(state, 11)
            text += '$*"\\\n\x03\r a\xe9\u20ac'[at]
        return state, text
    state, length = below(state, 4)
    items = []
    for _ in range(length):
        state, item = thing(state, depth - 1)
        items.append(item)
    if kind == 5:
        return state, items
    return state, {"k%d" % index: item for index, item in enumerate(items)}


def messages(found):
    return [value for kind, value in found if kind == wire.MESSAGE]


def test_crc_check_value():
    assert wire.crc16(b"123456789") == 0x29B1
    assert wire.crc16(b"") == 0xFFFF
    assert wire.crc16(b"6789", wire.crc16(b"12345")) == 0x29B1


def test_known_vectors():
    for message, line in VECTORS:
        assert wire.encode(message) == line, wire.encode(message)
        assert wire.decode(line[:-1]) == [[wire.MESSAGE, message]]


def test_round_trip_of_random_messages():
    state = 7
    for _ in range(300):
        state, value = thing(state, 3)
        message = {"v": value}
        line = wire.encode(message)
        assert line.count(b"$") == 1 and line.count(b"\n") == 1 and b"\x03" not in line
        assert max(line) < 127 and min(line[:-1]) >= 32
        assert wire.Decoder().feed(line) == [[wire.MESSAGE, message]], line


def test_a_character_beyond_the_basic_plane_leaves_as_json_says():
    assert wire.encode({"v": "\U0001f336"})[:20] == b'${"v":"\\ud83c\\udf36"'


def test_split_at_every_byte():
    first, second = {"id": 1, "do": "ping"}, {"id": 2, "data": "a$b*c\n"}
    stream = b"boot\n" + wire.encode(first) + b"log " + wire.encode(second)
    whole = wire.Decoder().feed(stream)
    assert messages(whole) == [first, second]
    for cut in range(len(stream) + 1):
        decoder = wire.Decoder()
        assert decoder.feed(stream[:cut]) + decoder.feed(stream[cut:]) == whole, cut
    decoder = wire.Decoder()
    one_by_one = []
    for at in range(len(stream)):
        one_by_one.extend(decoder.feed(stream[at : at + 1]))
    assert one_by_one == whole


def test_garbage_in_between_costs_no_message():
    state = 11
    for round_ in range(200):
        state, junk = noise(state, round_ % 40)
        junk = junk.replace(b"$", b"#")
        line = wire.encode({"n": round_})
        found = wire.Decoder().feed(junk + line + junk + b"\n" + line)
        assert messages(found) == [{"n": round_}, {"n": round_}], junk
    # a message cut off in its middle, by one that starts on the same line
    found = wire.Decoder().feed(line[:9] + line)
    assert found == [[wire.CONSOLE, line[:9]], [wire.MESSAGE, {"n": 199}]]


def test_joining_in_the_middle_of_a_line():
    line = wire.encode({"seq": 5})
    for cut in range(1, len(line)):
        assert messages(wire.Decoder().feed(line[cut:] + line)) == [{"seq": 5}]


def test_every_changed_byte_is_noticed():
    line = wire.encode({"id": 7, "do": "act"})
    for at in range(len(line) - 1):
        for bit in range(8):
            broken = bytearray(line)
            broken[at] ^= 1 << bit
            found = wire.Decoder().feed(bytes(broken))
            good = messages(found)
            # the only change without harm: a hex digit in upper case
            assert good == [] or broken.lower() == line, bytes(broken)


def test_reasons_are_named():
    def reason(line):
        kind, value = wire.decode(line)[-1]
        assert kind == wire.BROKEN and value[1]
        return value[0]

    assert wire.decode(b"MicroPython v1.29") == [[wire.CONSOLE, b"MicroPython v1.29"]]
    assert wire.decode(b"") == [] and wire.decode(b"\r") == []
    assert reason(b"$") == "bad_crc"
    assert reason(b"${}*0000") == "bad_crc"
    assert reason(b"${}") == "bad_crc"
    for body in (b"[1]", b"7", b"null", b'{"a"', b"", b'{"a":\xff}', b"[" * 500):
        assert reason(b"$%s*%04x" % (body, wire.crc16(body))) == "bad_json", body
    assert "bad_crc" in ERRORS and "bad_json" in ERRORS and "too_long" in ERRORS


def test_deep_nesting_is_refused():
    """On the board the reply to `ping` with 400 lists in each other overflowed the stack."""
    for depth, kind in ((16, wire.MESSAGE), (17, wire.BROKEN), (900, wire.BROKEN)):
        lists = b"[" * (depth - 1) + b"]" * (depth - 1)
        body = b'{"id":1,"do":"ping","data":%s}' % lists
        assert wire.decode(b"$%s*%04x" % (body, wire.crc16(body)))[0][0] == kind, depth
        body = b'{"a":' * depth + b"1" + b"}" * depth
        assert wire.decode(b"$%s*%04x" % (body, wire.crc16(body)))[0][0] == kind, depth
    flat = {"id": 1, "do": "ping", "data": ['[{"\\' * 90, '\\"' * 20] + [[], {}] * 20}
    assert wire.decode(wire.encode(flat)[:-1]) == [[wire.MESSAGE, flat]]


def test_size_bound():
    for extra in (-1, 0, 1):
        text = "x" * (wire.REQUEST_MAX - len(b'${"d":""}*0000\n') + extra)
        if extra > 0:
            try:
                wire.encode({"d": text}, wire.REQUEST_MAX)
            except ValueError as error:
                assert "2049" in str(error) and "2048" in str(error)
            else:
                raise AssertionError("a line beyond the bound was made")
        line = wire.encode({"d": text})
        found = wire.Decoder(wire.REQUEST_MAX).feed(line + wire.encode({"n": 1}))
        if extra > 0:
            assert found[0][0] == wire.BROKEN and found[0][1][0] == "too_long"
        assert messages(found)[-1] == {"n": 1} and len(messages(found)) == (1 if extra > 0 else 2)


def test_a_stream_without_line_feed_holds_no_more_than_a_line():
    decoder = wire.Decoder(100)
    found = []
    for _ in range(1000):
        found.extend(decoder.feed(b"$" * 37))
        assert len(decoder.pending()) < 100
    assert found == [[wire.BROKEN, ["too_long", "a line has at most 100 bytes"]]]
    assert messages(decoder.feed(b"\n" + wire.encode({}))) == [{}]


def test_fuzz_never_raises_and_always_recovers():
    state = 3
    pieces = [wire.encode({"id": 1, "do": "hello"}), b"$", b"*", b"\n", b"{", b"\x03", b"\r"]
    decoder = wire.Decoder(256)
    for _ in range(2000):
        state, pick = below(state, 10)
        if pick < len(pieces):
            decoder.feed(pieces[pick])
        else:
            state, junk = noise(state, pick * 3)
            decoder.feed(junk)
    assert messages(decoder.feed(b"\n" + wire.encode({"id": 2}))) == [{"id": 2}]
