"""Fit the constants of a throw to filmed ones, and say what constants come to.

A file of measurements is JSON: {"slides": [[mm/s, mm], ...], "drops": [[mm, mm], ...],
"throws": [{"aim": [x, y], "release": [x, y, z], "touch": [x, y], "speed": mm/s, "elevation": deg,
"tilt": deg}, ...]}. Any part may be missing; docs/throws.md says how to film them.
"""

import json
from math import atan2, degrees, hypot, sqrt
from pathlib import Path
from random import Random
from statistics import median, stdev
from typing import Any

from spiceboard_sim.board.geometry import HEIGHT, ZONE, zone_at
from spiceboard_sim.throws.constants import Constants, changed
from spiceboard_sim.throws.course import Course
from spiceboard_sim.throws.hand import GRAVITY

LEAST = 5  # measurements of a kind, before a sigma is believed
Measured = dict[str, Any]


def read(path: Path) -> Measured:
    """The measurements of a file; ValueError says what is wrong with it."""
    try:
        found = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise ValueError(f"{path} contains no measurements: {error}") from None
    if not isinstance(found, dict) or not set(found) <= {"slides", "drops", "throws"}:
        raise ValueError(f"{path} must be an object with slides, drops and throws")
    for name in ("slides", "drops"):
        for row in found.get(name, []):
            if not (isinstance(row, list) and len(row) == 2 and min(row) > 0):
                raise ValueError(
                    f"{path}: each of {name} must be two numbers above 0, not {row!r}"
                )
    for row in found.get("throws", []):
        _check(path, row)
    if not any(found.values()):
        raise ValueError(f"{path} contains no slides, drops or throws")
    return found


def _check(path: Path, row: Any) -> None:
    sizes = {"aim": 2, "release": 3, "touch": 2, "speed": 0, "elevation": 0, "tilt": 0}
    if not isinstance(row, dict) or not set(row) <= set(sizes) or "aim" not in row:
        raise ValueError(f"{path}: a throw needs aim and some of {sorted(sizes)}, not {row!r}")
    for name, value in row.items():
        size = sizes[name]
        parts = value if size and isinstance(value, list) else [value]
        if len(parts) != (size or 1) or not all(type(part) in (int, float) for part in parts):
            raise ValueError(f"{path}: {name} is {size or 'a'} number(s), not {value!r}")


def fitted(measured: Measured) -> Constants:
    """The constants that these measurements give; the others stay guesses."""
    table: dict[str, Any] = {}
    if slides := measured.get("slides"):
        table["friction"] = median(v * v / (2 * GRAVITY * way) for v, way in slides)
    if drops := measured.get("drops"):
        # dropped flat from a height, bounced to another: e = sqrt(bounce / drop)
        found = median(sqrt(bounce / drop) for drop, bounce in drops)
        table["restitution"] = min(0.37, max(0.17, found))
    table |= _hand(measured.get("throws", []))
    return changed(Constants(), table)


def _hand(throws: list[Measured]) -> dict[str, Any]:
    """Of the hand: from where it releases, and how much it scatters."""
    table: dict[str, Any] = {}
    released = [row["release"] for row in throws if "release" in row]
    if len(released) >= LEAST:
        behind = sorted(max(0.0, y - HEIGHT) for _, y, _ in released)
        heights = sorted(z for _, _, z in released)
        table["release_behind"] = [behind[0], behind[-1]]
        table["release_height"] = [heights[0], heights[-1]]
        aside = [r["release"][0] - r["aim"][0] for r in throws if "release" in r]
        table["release_aside"] = stdev(aside)
    tilts = [row["tilt"] for row in throws if "tilt" in row]
    if len(tilts) >= LEAST:
        table["tilt_sigma"] = sqrt(sum(t * t for t in tilts) / len(tilts) / 2)
    rises = [row["elevation"] for row in throws if "elevation" in row]
    if len(rises) >= LEAST:
        table["elevation_sigma"] = stdev(rises)
    whole = [row for row in throws if "touch" in row and "release" in row]
    if len(whole) >= LEAST:
        turns = [_aside(row) for row in whole]
        table["azimuth_sigma"] = stdev(turns)
        table["skill"] = 1.0  # the sigmas are this hand's own
    return table


def _aside(row: Measured) -> float:
    """Degrees between the way to the aim and the way that it took."""
    x, y, _ = row["release"]
    to = atan2(row["aim"][1] - y, row["aim"][0] - x)
    went = atan2(row["touch"][1] - y, row["touch"][0] - x)
    return degrees(went - to)


def changes(constants: Constants) -> dict[str, Any]:
    """Those that are not the table's own."""
    own = Constants()
    names = Constants.__dataclass_fields__
    return {n: getattr(constants, n) for n in names if getattr(constants, n) != getattr(own, n)}


def table(constants: Constants, throws: int, seed: int) -> str:
    """What such throws come to, at random zones with chips lying, as lines."""
    from spiceboard_sim.throws.rigid import Rigid
    from spicecore.parts import CHIPS

    if throws < 1:
        raise ValueError("--throws must be 1 or more")
    random = Random(seed)
    counts = dict.fromkeys(("intended zone", "another zone", "none", "off the board"), 0)
    counts |= dict.fromkeys(("pushes others", "leans", "lies on others"), 0)
    misses: list[float] = []
    board = Rigid(constants)
    poses: dict[str, Any] = {}
    for number in range(throws):
        if number % len(CHIPS) == 0:
            poses = {}
        zone = random.choice(list(ZONE.values()))
        chip = CHIPS[number % len(CHIPS)]
        course = board.throw(chip, (zone.x, zone.y), random.uniform(0.1, 0.8), poses, random)
        _count(course, zone.name, counts, misses)
        for name, pose in course.rest.items():
            poses.pop(name, None)
            if pose is not None:
                poses[name] = pose
    lines = [f"{name}: {100 * count / throws:.0f} %" for name, count in counts.items()]
    misses.sort()
    if misses:
        lines.append(
            f"rests {misses[len(misses) // 2]:.0f} mm from the aim (median), "
            f"{misses[int(0.9 * len(misses))]:.0f} (p90)"
        )
    return f"{throws} throws: " + "; ".join(lines)


def _count(course: Course, aimed: str, counts: dict[str, int], misses: list[float]) -> None:
    pose = course.rest.get(course.chip)
    counts["pushes others"] += len(course.rest) > 1
    if pose is None:
        counts["off the board"] += 1
        return
    zone = zone_at(pose.x, pose.y)
    where = "none" if zone is None else "another zone"
    counts["intended zone" if zone and zone.name == aimed else where] += 1
    counts["leans"] += pose.tilt > 1.5
    counts["lies on others"] += pose.height > 0.5
    misses.append(hypot(pose.x - ZONE[aimed].x, pose.y - ZONE[aimed].y))
