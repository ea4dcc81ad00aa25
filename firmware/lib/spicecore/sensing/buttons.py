"""Buttons: levels over time -> presses. Debounces; time is an argument."""

try:
    from micropython import const
except ImportError:  # CPython

    def const(value: int) -> int:  # type: ignore[misc]
        return value


_STEADY_MS = const(20)  # a level counts if it has not changed for this long
LONG_MS = 3000  # held for this long, it is a long press, reported while it is still held


class Buttons:
    """`names` in the order of the bits that `feed` gets."""

    def __init__(self, names: "tuple[str, ...]"):
        self.names = names
        self.down = 0  # bits of buttons that are steadily pressed
        self.presses = dict.fromkeys(names, 0)
        self._raw = 0
        self._changed = [0] * len(names)
        self._since = [0] * len(names)
        self._told = [False] * len(names)

    def feed(self, raw: int, now_ms: int) -> "list[str]":
        """New presses: "ok" when the button is released, "ok-long" when held for three seconds."""
        words: "list[str]" = []
        for index in range(len(self.names)):
            bit = 1 << index
            if (raw ^ self._raw) & bit:
                self._changed[index] = now_ms
            elif (raw ^ self.down) & bit and now_ms - self._changed[index] >= _STEADY_MS:
                self._turned(index, now_ms, words)
            if (
                self.down & bit
                and not self._told[index]
                and now_ms - self._since[index] >= LONG_MS
            ):
                self._told[index] = True
                words.append(self.names[index] + "-long")
        self._raw = raw
        return words

    def _turned(self, index: int, now_ms: int, words: "list[str]") -> None:
        """A button went down or up for good."""
        self.down ^= 1 << index
        if self.down >> index & 1:
            self._since[index], self._told[index] = now_ms, False
            self.presses[self.names[index]] += 1
        elif not self._told[index]:
            words.append(self.names[index])
