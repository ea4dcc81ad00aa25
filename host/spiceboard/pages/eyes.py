"""What eyes see of the board, some times a second: chips with their poses, and the rings' colours.

At a virtual board both come from the simulator, rings decoded from the pixel line. At a real one
nobody looks: rings are drawn from what the snapshot says of them, chips by zone on the page.
"""

import threading
import time
from collections.abc import Callable
from typing import Any

from spiceboard.board import lights
from spiceboard.board.virtual_hands import ControlHands
from spiceboard.errors import LinkError, UserError

Frame = dict[str, Any]
LOOK_S = 0.06


def seen(state: Frame) -> Frame:
    """The simulator's `state` as a frame: no chip's name, so no value, is in it."""
    return {
        "chips": [
            [chip[0], *(round(v, 1) if isinstance(v, float) else v for v in chip[1:])]
            for chip in state["chips"]
        ],
        "rings": {zone: "".join(map(hexed, ring)) for zone, ring in state["lights"].items()},
    }


def hexed(rgb: Any) -> str:
    """`00ff2a` of three numbers."""
    return "".join(f"{part:02x}" for part in rgb)


def drawn(show: Frame, t_ms: int) -> Frame:
    """The same of a real board, from its snapshot."""
    rings = lights.from_show(show, t_ms)
    return {"rings": {zone: "".join(map(hexed, ring)) for zone, ring in rings.items()}}


class Eyes(threading.Thread):
    """Looks again and again, and tells what has changed."""

    def __init__(self, look: Callable[[], Frame], tell: Callable[[str, Frame], None]) -> None:
        super().__init__(name="eyes", daemon=True)
        self._look, self._tell = look, tell
        self._ended = threading.Event()

    def run(self) -> None:
        last: Frame = {}
        while not self._ended.wait(LOOK_S):
            try:
                frame = self._look()
            except (LinkError, UserError, OSError):
                return  # the desk says that the board is gone
            changed = {key: value for key, value in frame.items() if value != last.get(key)}
            if changed:
                self._tell("eyes", frame)
            last = frame

    def end(self) -> None:
        """Stop looking."""
        self._ended.set()
        self.join(2)


def at_control(address: str) -> Callable[[], Frame]:
    """Eyes at a simulator's control channel, by a connection of their own."""
    hands = ControlHands(address)
    return lambda: seen(hands.ask("state"))


def at_snapshot(snapshot: Callable[[], Frame]) -> Callable[[], Frame]:
    """Eyes at what a real board says of its rings."""
    return lambda: drawn(snapshot().get("show") or {}, int(time.monotonic() * 1000))
