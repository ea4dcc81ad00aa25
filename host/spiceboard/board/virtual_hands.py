"""What hands and eyes do at a virtual table, as requests to the simulator's control channel.

At a real board people do this, and nothing here is used. The verbs are
described in docs/simulator.md.
"""

import json
import socket
from typing import Any, Protocol

from spiceboard.errors import LinkError, UserError

Lights = dict[str, list[tuple[int, int, int]]]


class Hands(Protocol):
    """What can be done to a virtual board, and seen of it with the eyes (no chip's value)."""

    def throw(self, chip: str, zone: str, strength: float) -> None:
        """Throw a chip at a zone's middle; strength 0 (soft) to 1 (hard)."""

    def throw_to(self, chip: str, x: float, y: float, strength: float) -> None:
        """The same at a point, in millimetres of the plan."""

    def lift(self, chip: str) -> None:
        """Take a chip off the board; one that is not there is no error."""

    def lay(self, chip: str, zone: str) -> None:
        """Lay a chip into a zone with the hand."""

    def press(self, button: str, ms: int = 100) -> None:
        """Press `ok`, `no` or `undo`."""

    def lights(self) -> Lights:
        """Colours of every ring as decoded from the pixel bytes, 0..255 each."""

    def now(self) -> float:
        """Seconds of the virtual table's own time, which may fall behind the wall's."""

    def look(self) -> list[tuple[str, float, float]]:
        """(colour, x, y) of every chip on the board, millimetres from the top left corner."""


class ControlHands:
    """Hands by the control channel of a simulator process: JSON lines over a socket."""

    def __init__(self, address: str, timeout: float = 60.0) -> None:
        try:
            if address.startswith("/"):
                self._socket = socket.socket(socket.AF_UNIX)
                self._socket.settimeout(timeout)
                self._socket.connect(address)
            else:
                host, _, port = address.rpartition(":")
                self._socket = socket.create_connection((host, int(port)), timeout)
        except (OSError, ValueError) as error:
            raise LinkError(f"no simulator answers at {address}: {error}") from error
        self._file = self._socket.makefile("rwb")
        self._id = 0

    def ask(self, do: str, **arguments: Any) -> dict[str, Any]:
        """Send one verb; its reply. UserError with the simulator's sentence when it refuses."""
        self._id += 1
        try:
            self._file.write(json.dumps({"id": self._id, "do": do, **arguments}).encode() + b"\n")
            self._file.flush()
            line = self._file.readline()
            reply: dict[str, Any] = json.loads(line) if line else {}
        except (OSError, ValueError) as error:
            raise LinkError(f"the simulator does not answer `{do}`: {error}") from error
        if not reply:
            raise LinkError("the simulator has ended")
        if "error" in reply:
            raise UserError(str(reply["error"]))
        return reply

    def throw(self, chip: str, zone: str, strength: float) -> None:
        self.ask("throw", chip=chip, zone=zone, strength=strength)

    def throw_to(self, chip: str, x: float, y: float, strength: float) -> None:
        self.ask("throw", chip=chip, x=x, y=y, strength=strength)

    def lift(self, chip: str) -> None:
        self.ask("lift", chip=chip)

    def lay(self, chip: str, zone: str) -> None:
        self.ask("lay", chip=chip, zone=zone)

    def press(self, button: str, ms: int = 100) -> None:
        self.ask("press", button=button, ms=ms)

    def lights(self) -> Lights:
        rings = self.ask("lights")["lights"]
        return {zone: [(c[0], c[1], c[2]) for c in ring] for zone, ring in rings.items()}

    def now(self) -> float:
        return float(self.ask("state")["now_ms"]) / 1000

    def look(self) -> list[tuple[str, float, float]]:
        return [(chip[0], chip[1], chip[2]) for chip in self.ask("look")["chips"]]

    def close(self) -> None:
        """Close the channel; the simulator goes on."""
        self._file.close()
        self._socket.close()
