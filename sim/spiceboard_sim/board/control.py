"""What hands and eyes do at a simulated board, as requests: {"do": verb, ...} -> reply.

One table of verbs; `docs/simulator.md` describes them. Nothing here tells a chip's value to a
table: `where` and `fault` are for tests.
"""

import math
from collections.abc import Callable
from typing import Any

from spiceboard.board.connection import json_of
from spiceboard_sim import faults
from spiceboard_sim.board.process import SimulatedBoard
from spiceboard_sim.throws.pose import Pose
from spicecore.parts import colour

Reply = dict[str, Any]


def number(name: str, value: float, low: float = -math.inf) -> float:
    """The value; ValueError where it is no number, or is below `low`."""
    if isinstance(value, bool) or not isinstance(value, int | float) or value < low:
        raise ValueError(f"{name} is a number{'' if low < 0 else f' from {low:g} on'}")
    return value


def _place(chip: str, zone: str | None, x: float | None, y: float | None) -> tuple[float, float]:
    """The point that was named; ValueError if neither a zone nor a whole point was."""
    if zone is None and (x is None or y is None):
        raise ValueError(f"say where {chip} goes: a zone, or both x and y in mm")
    return number("x", x or 0), number("y", y or 0)


def _row(seconds: float, pose: Pose) -> list[Any]:
    """A pose at a time, short enough for a line."""
    place = [round(part, 2) for part in (pose.x, pose.y, pose.height, pose.tilt, pose.towards)]
    return [round(1000 * seconds), *place, pose.face_up]


class Control:
    """The verbs, on one board."""

    def __init__(self, board: SimulatedBoard) -> None:
        self._board = board
        self._verbs: dict[str, Callable[..., Reply | None]] = {
            "throw": self._throw,
            "course": self._course,
            "lay": self._lay,
            "lift": self._lift,
            "press": self._press,
            "lights": self._lights,
            "look": self._look,
            "state": self._state,
            "where": self._where,
            "sound": self._sound,
            "advance": self._advance,
            "fault": self._fault,
            "power": self._power,
        }

    def line(self, line: bytes) -> Reply:
        """Act on one line of JSON; the reply repeats its id as `re`, and has `ok` or `error`."""
        try:
            request = json_of(line.decode())
        except ValueError:
            return {"error": "this is not JSON"}
        if not isinstance(request, dict):
            return {"error": "a request is an object with `do`"}
        reply = self.act(request)
        return {"re": request["id"], **reply} if "id" in request else reply

    def act(self, request: dict[str, Any]) -> Reply:
        """Act on one request."""
        arguments = {key: value for key, value in request.items() if key not in ("id", "do")}
        verb = self._verbs.get(str(request.get("do")))
        if verb is None:
            return {"error": f"no verb {request.get('do')!r}: there are {', '.join(self._verbs)}"}
        try:
            return {"ok": True, **(verb(**arguments) or {})}
        except (KeyError, ValueError) as error:
            return {"error": str(error.args[0] if error.args else error)}
        except TypeError as error:
            return {"error": f"{request['do']}: {error}"}

    def _throw(
        self,
        chip: str,
        zone: str | None = None,
        x: float | None = None,
        y: float | None = None,
        strength: float = 0.4,
    ) -> None:
        world = self._board.world
        world.throw(chip, zone, number("strength", strength), *_place(chip, zone, x, y))

    def _course(self, throw: int = -1) -> Reply:
        """The course of a throw (numbered from 0; -1 the last): every chip that moved in it, by
        colour, with [ms, x, y, height, tilt, towards, face_up] on the way and where it rests (null
        off the board). For pages that draw it."""
        courses = self._board.world.thrown
        if type(throw) is not int or not -len(courses) <= throw < len(courses):
            raise ValueError(f"throw is 0 to {len(courses) - 1}: so many were made")
        course = courses[throw]
        names = sorted({course.chip, *course.rest}, key=lambda n: (n != course.chip, n[0]))
        bodies = []
        for name in names:
            way = [_row(ms, poses[name]) for ms, poses in course.frames if name in poses]
            rest = course.rest.get(name)
            bodies.append(
                {
                    "colour": colour(name),
                    "way": way,
                    "rest": None if rest is None else _row(course.seconds, rest),
                }
            )
        return {"throws": len(courses), "begun_ms": course.begun_ms, "bodies": bodies}

    def _lay(
        self, chip: str, zone: str | None = None, x: float | None = None, y: float | None = None
    ) -> None:
        self._board.world.lay(chip, zone, *_place(chip, zone, x, y))

    def _lift(self, chip: str) -> None:
        self._board.world.lift(chip)

    def _press(self, button: str, ms: int = 150) -> None:
        self._board.world.press(button, round(number("ms", ms, 0)))

    def _lights(self) -> Reply:
        return {"lights": self._board.world.rings()}

    def _look(self) -> Reply:
        return {"chips": self._board.world.look()}

    def _state(self) -> Reply:
        board = self._board
        return {
            "now_ms": board.now_ms,
            "power": board.state,
            "chips": board.world.look_closely(),
            "lights": board.world.rings(),
        }

    def _where(self) -> Reply:
        """For tests: every chip's name, zone and pose."""
        world = self._board.world
        chips = {}
        for name, zone in world.lying().items():
            pose = world.chips[name].pose
            assert pose is not None
            chips[name] = [zone, pose.x, pose.y, pose.height, pose.tilt]
        return {"chips": chips}

    def _sound(self) -> Reply:
        return {"hz": self._board.world.buzzer.hz}

    def _advance(self, ms: float) -> None:
        """For tests with `--speed 0`: let virtual time pass."""
        self._board.run_for(number("ms", ms, 0))

    def _fault(self, name: str, **arguments: Any) -> None:
        faults.inject(self._board, name, **arguments)

    def _power(self, on: bool) -> None:
        """Cut the power, or let it return."""
        if on:
            self._board.restart()
        else:
            self._board.kill()
