"""A simulated board with hands and a host for tests: what a test does and sees of it."""

from collections import Counter
from pathlib import Path
from typing import Any

from spiceboard.board.checksum import crc16
from spiceboard_sim.board.geometry import TAG_RESONANCE
from spiceboard_sim.board.process import SimulatedBoard
from spiceboard_sim.rf.tag import TagCircuit
from spicecore.wire import messages


class Lab:
    """A board that runs the unchanged firmware; `events` holds all that it told so far."""

    def __init__(self, board: Any = None, **options: Any) -> None:
        """`board`: another one than a simulated one with these options."""
        self.board = SimulatedBoard(**options) if board is None else board
        self.world = self.board.world
        for chip in self.world.chips.values():  # limits here are a nominal tag's
            chip.circuit = TagCircuit(TAG_RESONANCE)
        self.events: list[dict[str, Any]] = []
        self.replies: dict[int, dict[str, Any]] = {}
        self.console = b""
        self.raw = b""  # every byte that came
        self._decoder = messages.Decoder(crc=crc16)
        self._id = 0

    def __enter__(self) -> "Lab":
        return self

    def __exit__(self, error: object, *_: object) -> None:
        self.board.close()
        if error is not None and self.console:  # pytest shows this below the failure
            print("the board printed:", self.console.decode("utf-8", "replace"), sep="\n")

    def run(self, ms: float) -> None:
        """Let virtual time pass, and take what the board says."""
        self.board.run_for(ms)
        self.take()

    def take(self) -> None:
        data = self.board.read()
        self.raw += data
        for kind, value in self._decoder.feed(data):
            if kind == messages.CONSOLE:
                self.console += value + b"\n"  # type: ignore[operator]
                continue
            assert kind == messages.MESSAGE, (value, self.raw[-500:])
            assert isinstance(value, dict)
            if "seq" in value and "re" not in value:
                self.events.append(value)
            else:
                self.replies[value["re"]] = value

    def send(self, **request: Any) -> int:
        """Send a request; its id."""
        self._id += 1
        request["id"] = self._id
        self.board.write(messages.encode(request, messages.REQUEST_MAX, crc16))
        return self._id

    def ask(self, do: str, **request: Any) -> dict[str, Any]:
        """The reply to a request, refusals too."""
        number = self.send(do=do, **request)
        for _ in range(2000):
            if number in self.replies:
                return self.replies.pop(number)
            self.run(5)
        raise AssertionError(f"no reply to {do}; console: {self.console.decode()[-3000:]}")

    def good(self, do: str, **request: Any) -> dict[str, Any]:
        """The reply to a request that must not be refused."""
        reply = self.ask(do, **request)
        assert "error" not in reply, reply
        return reply

    def refused(self, do: str, code: str, **request: Any) -> dict[str, Any]:
        """The refusal that must come, with a sentence."""
        reply = self.ask(do, **request)
        assert reply.get("error") == code, reply
        assert len(reply["text"]) > 5
        return reply

    def forget_what_was_well(self) -> None:
        """Drop all that came so far; no reply may be `failed`, and no traceback in the console."""
        for reply in self.replies.values():
            assert reply.get("error") != "failed", reply
        self.replies.clear()
        self.events.clear()
        self.raw = b""
        assert b"Traceback" not in self.console, self.console[-2000:]
        self.console = b""

    def boot(self, ms: float = 8000) -> None:
        """Wait until the board has looked at all zones."""
        for _ in range(int(ms / 100)):
            self.run(100)
            if self.ask("status")["ready"]:
                return
        raise AssertionError("never ready: " + self.console.decode()[-3000:])

    def told(self, kind: str, word: str) -> list[Any]:
        """Items of all events of a kind ("board" or "game") that begin with the word."""
        return [e[kind] for e in self.events if kind in e and e[kind][0] == word]

    def until(self, kind: str, word: str, ms: float = 3000) -> Any:
        """Wait for a new event and return it."""
        before = len(self.told(kind, word))
        for _ in range(int(ms / 10)):
            self.run(10)
            found = self.told(kind, word)
            if len(found) > before:
                return found[-1]
        raise AssertionError(f"no {word}; last: {self.events[-5:]} {self.console[-2000:]!r}")

    def ring(self, zone: str) -> list[tuple[int, int, int]]:
        """The colours of a zone's LEDs, as decoded from the pixel bytes."""
        return self.world.rings()[zone]

    def restart(self) -> None:
        """The power failed and returns."""
        self.board.restart()
        self._decoder = messages.Decoder(crc=crc16)

    def flash(self) -> Path:
        return self.board.flash


class Hands(Lab):
    """Hands that wait until the board has taken note, and count what they did."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.done: Counter[str] = Counter()

    def press(self, button: str) -> None:
        self.world.press(button, 100)
        self.run(300)
        self.done[button] += 1

    def lay(self, chip: str, zone: str) -> None:
        self.world.lay(chip, zone)
        self.run(400)
        self.done["mill" if chip == "mill" else "lay"] += 1

    def lift(self, *chips: str) -> None:
        for chip in chips:
            self.world.lift(chip)
        self.run(450)
        self.done["lift"] += len(chips)

    def lying(self) -> dict[str, str]:
        """{chip: zone} as eyes see it."""
        where = {}
        for name, chip in self.world.chips.items():
            if chip.pose is not None:
                where[name] = next(z for z, f in self.world.fields.items()
                                   if f.zone.holds(chip.pose.x, chip.pose.y))  # fmt: skip
        return where
