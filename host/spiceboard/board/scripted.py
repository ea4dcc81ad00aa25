"""A board that follows a script, for tests of anything that talks to one.

    peer = ScriptedPeer()
    peer.expect("hello").reply(protocol=1, boot=1, ...)
    peer.say(1, board=["step", 1])          # an event without being asked
    client = Client(peer); ...
    peer.assert_done()

It is a transport (see `link.py`) with its own time: a read without data lets the timeout pass at
once. Whatever is not in the script fails with what was expected instead.
"""

from collections import deque
from typing import Any

from spiceboard.errors import LinkError
from spicecore.wire import messages


class Expected:
    """One expected request, and what the board does when it comes."""

    def __init__(self, do: str, fields: dict[str, Any]) -> None:
        self.do, self.fields = do, fields
        self.answers: list[tuple[str, Any]] = []

    def reply(self, **fields: Any) -> "Expected":
        """Answer with ok and these fields."""
        self.answers.append(("reply", {"ok": True, **fields}))
        return self

    def refuse(self, error: str, text: str = "", **fields: Any) -> "Expected":
        """Answer with an error code of the protocol and a sentence."""
        self.answers.append(("reply", {"error": error, "text": text, **fields}))
        return self

    def event(self, seq: int, **fields: Any) -> "Expected":
        """Send an event: `game=[...]` or `board=[...]`."""
        self.answers.append(("raw", messages.encode({"seq": seq, **fields})))
        return self

    def raw(self, data: bytes) -> "Expected":
        """Send these bytes as they are."""
        self.answers.append(("raw", data))
        return self


class ScriptedPeer:
    """The transport whose other side is the script."""

    def __init__(self, name: str = "scripted") -> None:
        self.name = name
        self.closed = False
        self.lost = False
        self._script: deque[Expected] = deque()
        self._out = bytearray()
        self._in = messages.Decoder(messages.REQUEST_MAX)
        self._now = 0.0

    def expect(self, do: str, **fields: Any) -> Expected:
        """The next request must be this one and carry at least these fields."""
        expected = Expected(do, fields)
        self._script.append(expected)
        return expected

    def say(self, seq: int, **fields: Any) -> None:
        """Send an event now."""
        self._out += messages.encode({"seq": seq, **fields})

    def raw(self, data: bytes) -> None:
        """Send bytes now: console text, damage."""
        self._out += data

    def unplug(self) -> None:
        """From now on reading and writing fail as on a port that went away."""
        self.lost = True

    def assert_done(self) -> None:
        """Everything that was expected has come."""
        left = [expected.do for expected in self._script]
        assert not left, f"never asked: {', '.join(left)}"

    def read(self, timeout: float) -> bytes:
        """What the script has said; without any, the timeout passes at once."""
        if self.lost:
            raise LinkError(f"connection to {self.name} lost")
        if not self._out:
            self._now += timeout
        data, self._out = bytes(self._out), bytearray()
        return data

    def write(self, data: bytes) -> None:
        """A request: must be the next of the script."""
        if self.lost:
            raise LinkError(f"connection to {self.name} lost")
        found: list[list[Any]] = self._in.feed(data)
        for kind, message in found:
            assert kind == messages.MESSAGE, f"this is no message: {message!r}"
            self._answer(message)

    def _answer(self, message: dict[str, Any]) -> None:
        assert self._script, f"nothing more was expected, but this came: {message}"
        expected = self._script.popleft()
        assert message["do"] == expected.do, f"expected {expected.do}, got {message}"
        for name, value in expected.fields.items():
            assert message.get(name) == value, f"expected {name}={value!r}, got {message}"
        for kind, value in expected.answers:
            self._out += (
                value if kind == "raw" else messages.encode({"re": message["id"], **value})
            )

    def now(self) -> float:
        """The script's own time in seconds."""
        return self._now

    def sleep(self, seconds: float) -> None:
        """Let time pass."""
        self._now += seconds

    def close(self) -> None:
        """Remember that it was closed."""
        self.closed = True
