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
Tell = Callable[[str, Frame], None]
LOOK_S = 0.06


def seen(state: Frame) -> Frame:
    """The simulator's `state` as a frame: no chip's name, so no value, is in it."""
    return {
        "t": round(state.get("now_ms", 0)),
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

    def __init__(self, look: Callable[[], Frame], tell: Tell) -> None:
        super().__init__(name="eyes", daemon=True)
        self._look, self._tell = look, tell
        self._ended = threading.Event()
        self.follow_ms = 0.0  # until then, in the board's time, its clock alone is worth telling

    def run(self) -> None:
        last: Frame = {}
        while not self._ended.wait(LOOK_S):
            try:
                frame = self._look()
            except (LinkError, UserError, OSError):
                return  # the desk says that the board is gone
            changed = {k for k, value in frame.items() if k != "t" and value != last.get(k)}
            if changed or frame.get("t", 0) < self.follow_ms:
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


class ShownHands(ControlHands):
    """Hands at a simulator that tell how each thrown chip flew and what it pushed."""

    def __init__(self, address: str, tell: Tell, follower: Eyes) -> None:
        super().__init__(address)
        self._tell, self._eyes = tell, follower

    def throw(self, chip: str, zone: str, strength: float) -> None:
        super().throw(chip, zone, strength)
        self._show()

    def throw_to(self, chip: str, x: float, y: float, strength: float) -> None:
        super().throw_to(chip, x, y, strength)
        self._show()

    def _show(self) -> None:
        """Tell the throw's course: poses over the board's time, by colour."""
        course = self.ask("course")
        bodies = [
            {
                "colour": body["colour"],
                "way": [row[:6] for row in body["way"]],
                "rest": body["rest"] and body["rest"][:6],
            }
            for body in course["bodies"]
        ]
        ends = [body["rest"] or body["way"][-1] for body in bodies if body["rest"] or body["way"]]
        self._eyes.follow_ms = course["begun_ms"] + max((row[0] for row in ends), default=0)
        self._tell("flight", {"begun": course["begun_ms"], "bodies": bodies})


def at_snapshot(snapshot: Callable[[], Frame]) -> Callable[[], Frame]:
    """Eyes at what a real board says of its rings."""
    return lambda: drawn(snapshot().get("show") or {}, int(time.monotonic() * 1000))
