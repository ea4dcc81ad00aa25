"""Our NeoPixel class and Adafruit's, fed the same colours, send the same bytes."""

import importlib
import sys
import types

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pixels import Discard, NeoPixel

SENT: list[bytes] = []


class FakePin:
    """What the library asks of `digitalio.DigitalInOut`."""

    def __init__(self, pin: object) -> None:
        self.direction: object = None

    def deinit(self) -> None:
        pass


@pytest.fixture(scope="module")
def adafruit():
    """The real library of PyPI; its pin and its write function are replaced by a recorder."""
    board, digitalio = types.ModuleType("board"), types.ModuleType("digitalio")
    digitalio.DigitalInOut = FakePin
    digitalio.Direction = types.SimpleNamespace(OUTPUT=1)
    write = types.ModuleType("neopixel_write")
    write.neopixel_write = lambda pin, buffer: SENT.append(bytes(buffer))
    with pytest.MonkeyPatch.context() as patch:
        chip = types.ModuleType("microcontroller")
        chip.Pin = object
        for module in (board, chip, digitalio, write):
            patch.setitem(sys.modules, module.__name__, module)
        patch.delitem(sys.modules, "neopixel", raising=False)
        library = importlib.import_module("neopixel")
        assert library.__version__ == "6.4.2" and "site-packages" in library.__file__
        yield library
        sys.modules.pop("neopixel", None)


BYTE = st.integers(0, 255)
COLOUR = st.one_of(st.tuples(BYTE, BYTE, BYTE), st.integers(0, 0xFFFFFF))
INDEX = st.integers(-24, 23)
EDGE = st.one_of(st.none(), st.integers(-30, 30))
ACTION = st.one_of(
    st.tuples(st.just("set"), INDEX, COLOUR),
    st.tuples(st.just("slice"), EDGE, EDGE, st.sampled_from([None, 1, 2, 5, -1, -3]), COLOUR),
    st.tuples(st.just("list"), EDGE, EDGE, st.lists(COLOUR, min_size=24, max_size=24)),
    st.tuples(st.just("fill"), COLOUR),
    st.tuples(st.just("brightness"), st.floats(-0.5, 1.5)),
    st.tuples(st.just("show")),
)


def act(pixels, action):
    """Do the action; the bytes of the pixels afterwards, as they read back, too."""
    kind, *rest = action
    if kind == "set":
        pixels[rest[0]] = rest[1]
    elif kind == "slice":
        pixels[slice(*rest[:3])] = rest[3]
    elif kind == "list":
        pixels[slice(*rest[:2])] = rest[2]
    elif kind == "fill":
        pixels.fill(rest[0])
    elif kind == "brightness":
        pixels.brightness = rest[0]
    else:
        pixels.show()


@given(
    st.lists(ACTION, max_size=12),
    st.floats(0, 1),
    st.booleans(),
    st.sampled_from([None, "GRB", "RGB", "BGR", "RGBW", "GRBW", (1, 0, 2)]),
)
def test_same_bytes(adafruit, actions, brightness, auto_write, order):
    bpp = 4 if order and len(order) == 4 else 3
    kept = Recorder()
    options = {
        "brightness": brightness,
        "auto_write": auto_write,
        "pixel_order": order,
        "bpp": bpp,
    }
    theirs = adafruit.NeoPixel("D18", 24, **options)
    ours = NeoPixel(kept, 24, **options)
    SENT.clear()
    kept.frames.clear()
    for action in actions:
        act(theirs, action)
        act(ours, action)
    theirs.show()
    ours.show()
    assert kept.frames == SENT  # as many frames, and each the same
    assert len(ours) == len(theirs) == ours.n == theirs.n
    assert ours.brightness == pytest.approx(theirs.brightness, abs=0.001)


class Recorder(Discard):
    def __init__(self) -> None:
        super().__init__()
        self.frames: list[bytes] = []

    def write(self, buffer: bytearray) -> None:
        self.frames.append(bytes(buffer))


def test_what_reads_back_is_what_was_set(adafruit):
    for make in (
        lambda: adafruit.NeoPixel("D18", 6, brightness=0.3),
        lambda: NeoPixel(Discard(), 6, brightness=0.3),
    ):
        pixels = make()
        pixels[1] = (250, 20, 3)
        pixels[-1] = 0x102030
        assert list(pixels[1]) == [250, 20, 3] and list(pixels[5]) == [16, 32, 48]
        assert [list(light) for light in pixels[4:6]] == [[0, 0, 0], [16, 32, 48]]
        with pytest.raises(IndexError):
            pixels[6] = 0
        with pytest.raises(ValueError):
            pixels[0] = (1, 2)
        with pixels:
            pass
        assert [list(light) for light in pixels[:]] == [[0, 0, 0]] * 6


def test_an_order_that_is_none_is_refused(adafruit):
    for make in (
        lambda order: adafruit.NeoPixel("D18", 6, pixel_order=order),
        lambda order: NeoPixel(Discard(), 6, pixel_order=order),
    ):
        with pytest.raises(ValueError, match="Byteorder"):
            make("XYZ")
