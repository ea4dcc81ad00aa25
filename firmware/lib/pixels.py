"""NeoPixels with the interface of Adafruit's NeoPixel class; usable alone, on both runtimes.

    pixels = NeoPixel(output, 16, brightness=0.2, auto_write=False)
    pixels[0:4] = (255, 0, 0)
    pixels.show()                       # output.write(bytes as the LEDs get them)

`output` is anything with write(buffer): boards/pico/fast/pixels_pio.py sends it by PIO and DMA.
"""


class Discard:
    """An output for tests and for a board without LEDs: keeps the last frame."""

    def __init__(self) -> None:
        self.frame = b""

    def write(self, buffer: bytearray) -> None:
        """Take a frame."""
        self.frame = bytes(buffer)


class NeoPixel:
    """n LEDs behind `out`. A colour is (r, g, b), (r, g, b, w) or 0xRRGGBB.

    `raw` holds the bytes as they are sent; if you fill it yourself, brightness is not applied."""

    def __init__(
        self,
        out: "Discard",
        n: int,
        *,
        bpp: int = 3,
        brightness: float = 1.0,
        auto_write: bool = True,
        pixel_order: "str | tuple[int, ...] | None" = None,
    ):
        if pixel_order is None:
            pixel_order = "GRB" if bpp == 3 else "GRBW"
        elif isinstance(pixel_order, tuple):
            pixel_order = "".join(["RGBW"[place] for place in pixel_order])
        if len(pixel_order) not in (3, 4) or sorted(pixel_order) != sorted(
            "RGBW"[: len(pixel_order)]
        ):
            raise ValueError("Invalid Byteorder string")
        self.out = out
        self.n = n
        self.byteorder = pixel_order
        self.bpp = len(pixel_order)
        self.auto_write = False
        self._order = [pixel_order.index(channel) for channel in "RGBW"[: self.bpp]]
        self._full = bytearray(n * self.bpp)  # before brightness
        self.raw = bytearray(n * self.bpp)
        self._brightness = 1.0
        self.brightness = brightness
        self.auto_write = auto_write

    def __len__(self) -> int:
        return self.n

    @property
    def brightness(self) -> float:
        """Of all LEDs, 0.0 to 1.0."""
        return self._brightness

    @brightness.setter
    def brightness(self, value: float) -> None:
        value = min(max(value, 0.0), 1.0)
        if -0.001 < value - self._brightness < 0.001:
            return  # as the original does
        self._brightness = value
        for index in range(len(self.raw)):
            self.raw[index] = int(self._full[index] * self._brightness)
        if self.auto_write:
            self.show()

    def _colour(self, value: "int | tuple[int, ...] | list[int]") -> "list[int]":
        """The channels in the order R G B (W)."""
        if isinstance(value, int):
            channels = [value >> 16, value >> 8 & 0xFF, value & 0xFF]
        elif len(value) in (3, 4):
            channels = list(value)
        else:
            raise ValueError("Expected tuple of length %d, got %d" % (self.bpp, len(value)))
        if self.bpp == 3:
            if len(channels) == 4:
                return [0, 0, 0]  # as the original does
            return channels
        if len(channels) == 3:
            if channels[0] == channels[1] == channels[2]:
                return [0, 0, 0, channels[0]]  # grey: by the white LED
            channels.append(0)
        return channels

    def _set(self, index: int, channels: "list[int]") -> None:
        if index < 0:
            index += self.n
        if not 0 <= index < self.n:
            raise IndexError(index)
        for place in range(self.bpp):
            at = index * self.bpp + self._order[place]
            self._full[at] = channels[place]
            self.raw[at] = int(channels[place] * self._brightness)

    def __setitem__(
        self, index: "int | slice", value: "int | tuple[int, ...] | list[tuple[int, ...]]"
    ) -> None:
        if isinstance(index, slice):
            places = range(self.n)[index]
            for number in range(len(places)):
                # a list has one colour for each LED; a tuple of numbers or a number is one colour
                # for all
                one = value[number] if _is_list(value) else value  # type: ignore[index]
                self._set(places[number], self._colour(one))  # type: ignore[arg-type]
        else:
            self._set(index, self._colour(value))  # type: ignore[arg-type]
        if self.auto_write:
            self.show()

    def _get(self, index: int) -> "list[int]":
        return [self._full[index * self.bpp + place] for place in self._order]

    def __getitem__(self, index: "int | slice") -> object:
        """[r, g, b(, w)] as set, or a list of them for a slice."""
        if isinstance(index, slice):
            return [self._get(place) for place in range(self.n)[index]]
        if index < 0:
            index += self.n
        if not 0 <= index < self.n:
            raise IndexError(index)
        return self._get(index)

    def fill(self, colour: "int | tuple[int, ...]") -> None:
        """All LEDs in one colour."""
        channels = self._colour(colour)
        for index in range(self.n):
            self._set(index, channels)
        if self.auto_write:
            self.show()

    def show(self) -> None:
        """Send the bytes to the LEDs."""
        self.out.write(self.raw)

    def deinit(self) -> None:
        """All dark."""
        self.fill(0)
        self.show()

    def __enter__(self) -> "NeoPixel":
        return self

    def __exit__(self, *_: object) -> None:
        self.deinit()


def _is_list(value: object) -> bool:
    """Is it a sequence of colours, and not one colour?"""
    if isinstance(value, tuple) and len(value) in (3, 4):
        for component in value:
            if not isinstance(component, (int, float)):
                return True
        return False
    return not isinstance(value, int)
