"""Times and sums of ISO 14443-3, by the standard's own examples."""

import pytest

from spiceboard_sim.chips import air


@pytest.mark.parametrize(
    ("data", "sent"),
    [
        ("0000", "a01e"),  # annex B, example 1
        ("1234", "26cf"),  # annex B, example 2
        ("5000", "57cd"),  # HLTA as every driver sends it
        ("3000", "02a8"),  # READ of page 0
    ],
)
def test_crc_a(data: str, sent: str) -> None:
    assert air.crc_a(bytes.fromhex(data)).to_bytes(2, "little").hex() == sent


def test_frame_times() -> None:
    assert air.frame_ns(7) == pytest.approx(8 * 9440, rel=1e-3)  # start bit and REQA's seven
    assert air.frame_ns(16) == pytest.approx(19 * 9440, rel=1e-3)  # two bytes with parity
    assert air.response_ns(40, 0) == pytest.approx(46 * 9440, rel=1e-3)  # UID CLn and BCC
    assert air.FDT_NS == (86430, 91150) or air.FDT_NS == pytest.approx((86430, 91150), rel=1e-3)


def test_superposition_marks_only_what_differs() -> None:
    one = air.Response(16, 0b1100, 91150)
    two = air.Response(16, 0b1010, 91150)
    both = air.superpose([one, two])
    assert both is not None
    assert both.clash == 0b0110
    assert both.value == 0b1110
    assert air.superpose([]) is None


def test_answers_at_different_times_are_refused() -> None:
    with pytest.raises(air.NotModelled, match="different times"):
        air.superpose([air.Response(16, 1, 91150), air.Response(16, 1, 86430)])
