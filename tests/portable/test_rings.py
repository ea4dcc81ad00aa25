"""Rings: what each shape looks like over time, textures, shares, and the current cap."""

from spicecore.lights import rings

PAINTER = rings.Painter(100, "RGB")


def picture(shape, count=16, t_ms=0, painter=PAINTER):
    """The ring's LEDs as (r, g, b), drawn between two strangers that must stay untouched."""
    out = bytearray(b"\x07" * (3 * (count + 2)))
    painter.render(out, 1, count, shape, rings.frame(shape, t_ms))
    assert out[:3] == b"\x07\x07\x07" and out[-3:] == b"\x07\x07\x07"
    return [tuple(out[3 * i : 3 * i + 3]) for i in range(1, count + 1)]


def colour(owner, level=rings.FULL):
    return tuple(PAINTER.colour(owner, level))


BLUE, RED, AMBER, OFF = colour(0), colour(1), colour("amber"), (0, 0, 0)


def test_dark_and_what_is_unknown():
    for shape in (["dark"], [], ["sparkle", 3], ["whole", "no colour"], ["arcs", []]):
        assert picture(shape) == [OFF] * 16, shape


def test_whole_has_the_texture_of_its_seat():
    assert picture(["whole", 0]) == [BLUE] * 16
    seen = []
    for seat in range(4):
        lit = [light == colour(seat) for light in picture(["whole", seat], 8)]
        assert lit[0] and lit not in seen  # told apart without colours
        seen.append(lit)
        assert all(
            light in (colour(seat), colour(seat, rings.DIM)) for light in picture(["whole", seat])
        )
    assert colour(0) != colour(1) != colour(2) != colour(3)
    assert picture(["whole", "#102030"]) == [(16, 32, 48)] * 16


def test_arcs_are_proportional_and_in_order():
    ring = picture(["arcs", [[0, 30], [1, 10]]])
    assert ring[:12] == [BLUE] * 12
    assert set(ring[12:]) == {RED, colour(1, rings.DIM)}
    tie = picture(["arcs", [[0, 40], [1, 40]]])
    assert tie.count(BLUE) == 8 and BLUE not in tie[8:]
    assert picture(["arcs", [[0, 0], [1, 0]]]) == [OFF] * 16


def test_shares():
    assert rings.shares([1], 16) == [16]
    assert rings.shares([1, 1, 1], 16) == [6, 5, 5]
    assert rings.shares([600, 1], 16) == [15, 1]
    assert rings.shares([0, 5], 8) == [0, 8]
    assert rings.shares([], 8) == [] and rings.shares([0], 8) == [0]
    for a in range(0, 61, 10):
        for b in range(0, 61, 10):
            for c in range(0, 61, 7):
                for count in (8, 16):
                    parts = rings.shares([a, b, c], count)
                    if a + b + c:
                        assert sum(parts) == count, (a, b, c)
                        assert [p > 0 for p in parts] == [a > 0, b > 0, c > 0]
                        if a > b:
                            assert parts[0] >= parts[1]


def test_blink_doubt_and_pulse_move_with_time_alone():
    assert picture(["blink", 0], t_ms=0) == [BLUE] * 16
    faint = picture(["blink", 0], t_ms=rings.BLINK_MS)
    assert faint == [colour(0, 1)] * 16 and faint[0] != OFF
    assert picture(["doubt"], t_ms=0) == [AMBER] * 16
    assert picture(["doubt"], t_ms=rings.DOUBT_MS) == [OFF] * 16
    assert picture(["doubt"], t_ms=2 * rings.DOUBT_MS) == [AMBER] * 16
    levels = [picture(["pulse", 0], t_ms=t)[0][2] for t in range(0, 1600, rings.PULSE_MS)]
    assert levels[:8] == sorted(levels[:8]) and levels[8:] == sorted(levels[8:], reverse=True)
    assert levels[0] < levels[7]


def test_a_frame_is_due_only_when_the_picture_changes():
    for shape in (["dark"], ["whole", 1], ["arcs", [[0, 1]]], ["count", 1, 2, 4]):
        assert [rings.frame(shape, t) for t in range(0, 3000, 50)] == [0] * 60
    assert len({rings.frame(["blink", 1], t) for t in range(0, 2000, 50)}) == 2
    assert len({rings.frame(["pulse", 1], t) for t in range(0, 3200, 50)}) == 16


def test_count():
    for n, lit in ((0, 0), (1, 4), (2, 8), (4, 16)):
        ring = picture(["count", "white", n, 4])
        assert ring == [colour("white")] * lit + [OFF] * (16 - lit)
    assert picture(["count", "white", 1, 100], 8).count(OFF) == 7
    assert picture(["count", "white", 9, 4], 8).count(OFF) == 0


def test_order_and_brightness():
    half = rings.Painter(50, "GRB")
    out = bytearray(3)
    half.render(out, 0, 1, ["whole", "#ff4020"], 0)
    assert list(out) == [32, 127, 16]
    rings.Painter(0).render(out, 0, 1, ["whole", "white"], 0)
    assert list(out) == [0, 0, 0]


def capped(chain, out, cap, peak=0):
    """A frame as the board sends it; what it draws in mA."""
    rings.weaken(chain, out, rings.scale(chain, cap, peak))
    return rings.current_ma(out)


def test_current_model():
    assert rings.current_ma(bytearray(3 * 176)) == 176  # dark LEDs idle
    assert rings.current_ma(bytearray(b"\xff" * 3 * 176)) == 176 * 61
    assert rings.current_ma(bytearray(b"\xff\x00\x00")) == 21


def test_cap_holds_for_all_white_and_changes_nothing_below_it():
    white = bytearray(b"\xff" * 3 * 176)
    out = bytearray(len(white))
    for cap in (400, 1000, 4000):
        drawn = capped(white, out, cap)
        assert drawn <= cap and drawn == rings.current_ma(out)
        assert drawn > cap * 8 // 10  # and is not kept by darkness
    few = bytearray(b"\xff\x00\x00" + bytes(3 * 175))
    assert capped(few, out, 400) == 196 and out == few
    assert capped(white, out, 10) == 176 and max(out) == 0


def test_the_brightest_picture_is_the_one_that_draws_most():
    for shape in (["blink", 0], ["doubt"], ["pulse", 3], ["whole", 1], ["arcs", [[2, 1]]]):
        sums = [sum([sum(led) for led in picture(shape, t_ms=t)]) for t in range(0, 3200, 50)]
        out = bytearray(3 * 16)
        rings.Painter(100, "RGB").render(out, 0, 16, shape, rings.brightest(shape))
        assert sum(out) == max(sums), shape


def test_all_rings_blinking_at_once_keep_their_contrast_under_the_cap():
    painter = rings.Painter(40)  # as a new board has it
    for seat in range(4):
        lights = []
        peak = 0
        for number in (0, 1):
            chain, out = bytearray(3 * 176), bytearray(3 * 176)
            painter.render(chain, 0, 176, ["blink", seat], number)
            peak = max(peak, sum(chain))
            assert capped(chain, out, 400, peak) <= 400
            lights.append(sum(out))
        assert lights[0] >= 5 * max(lights[1], 1), (seat, lights)


def test_a_still_ring_does_not_flicker_with_those_that_blink():
    painter = rings.Painter(40)
    seen = []
    peak = 0
    for number in (0, 1):
        chain, out = bytearray(3 * 176), bytearray(3 * 176)
        painter.render(chain, 0, 160, ["blink", 0], number)
        painter.render(chain, 160, 16, ["whole", 1], 0)
        peak = max(peak, sum(chain))
        capped(chain, out, 400, peak)
        seen.append(bytes(out[480:]))
    assert seen[0] == seen[1] and max(seen[0]) > 0
