"""The board's verdict, taken from the wire, against geometry: one row for each chip.

The wire tells colours and numbers, not chips. Where it tells fewer of a colour in a zone than lie
there, those are taken as missing that the readers get least voltage into.
"""

from dataclasses import asdict, dataclass
from math import hypot
from typing import Any

from spiceboard_sim.board.geometry import CHIP_RADIUS, TAG_RESONANCE, ZONE, zone_at
from spiceboard_sim.board.world import World
from spiceboard_sim.throws.pose import Pose
from spicecore.parts import COLOURS, colour

EDGE = 2.0  # mm on either side of the rule's limit: as good as on it


@dataclass(frozen=True, slots=True)
class Row:
    """One chip: where it lies (zone or "" for nowhere), how, and what the board said: "right",
    "doubt", "missing" (lies in a zone, and the board is silent), "ghost" (counted where it is not
    valid), "told" (missing, but its reader said that it is incomplete), "asked" (missing, but the
    board has counted: it asks about a chip of its colour, or waits for its player's throw)."""

    chip: str
    zone: str
    how: str
    place: int  # in its stack, 1 on the floor
    margin: float  # mm inside the limit of the nearest zone; negative outside
    said: str
    off: float = 0.0  # % by which its tag is tuned higher than the nominal one
    make: str = ""  # what its tag does at an error: "stays" READY, or "falls" to IDLE

    def line(self) -> dict[str, Any]:
        return asdict(self)


def how(pose: Pose, others: list[Pose]) -> str:
    """flat, edge (as good as on the limit), leaning, stacked, on edge."""
    if pose.tilt > 60:
        return "on edge"
    margin = margin_of(pose)
    below = [
        other
        for other in others
        if other.height < pose.height - 1 and hypot(pose.x - other.x, pose.y - other.y) < 25
    ]
    if abs(margin) <= EDGE:
        return "edge"
    if pose.tilt > 1.5:
        return "leaning"
    return "stacked" if below and pose.height > 0.5 - 3 else "flat"


def margin_of(pose: Pose) -> float:
    """How far the middle lies inside the limit of the nearest zone."""
    return max(z.radius + 3 - hypot(pose.x - z.x, pose.y - z.y) for z in ZONE.values())


def place_of(pose: Pose, others: list[Pose]) -> int:
    """1 on the floor, more on others whose middles are near."""
    under = {
        round(other.height)
        for other in others
        if other.height < pose.height - 1
        and hypot(pose.x - other.x, pose.y - other.y) < CHIP_RADIUS
    }
    return 1 + len(under)


def rows(world: World, snapshot: dict[str, Any]) -> list[Row]:
    """Every chip that lies on the board, judged."""
    poses = {name: chip.pose for name, chip in world.chips.items() if chip.pose is not None}
    poses.pop("mill", None)
    found: list[Row] = []
    for shade in COLOURS:
        names = [name for name in poses if colour(name) == shade]
        said = _said(world, names, poses, snapshot, shade)
        for name in names:
            pose = poses[name]
            others = [other for key, other in poses.items() if key != name]
            zone = zone_at(pose.x, pose.y)
            found.append(
                Row(
                    name,
                    zone.name if zone else "",
                    how(pose, others),
                    place_of(pose, others),
                    round(margin_of(pose), 2),
                    said[name],
                    round(100 * (world.chips[name].circuit.resonance / TAG_RESONANCE - 1), 2),
                    "stays" if world.chips[name].tag.stays_ready else "falls",
                )
            )
    return found


def _said(
    world: World,
    names: list[str],
    poses: dict[str, Pose],
    snapshot: dict[str, Any],
    shade: str,
) -> dict[str, str]:
    """What the board says of each chip of a colour."""
    counts = {zone: there.get(shade, 0) for zone, there in snapshot["chips"].items()}
    questions = [zone for _, who, zone, *_ in snapshot["doubts"] if who == shade]
    counted = None in questions or shade in awaited(snapshot)
    doubts = [zone for zone in questions if zone is not None]
    verdict: dict[str, str] = {}
    left: dict[str, list[str]] = {zone: [] for zone in ZONE}
    for name in names:
        lies = zone_at(poses[name].x, poses[name].y)
        if lies:
            left[lies.name].append(name)
    for zone, inside in left.items():
        inside.sort(key=lambda name: -volts(world, zone, name))
        for name in inside[: counts.get(zone, 0)]:
            verdict[name] = "right"
        counts[zone] = counts.get(zone, 0) - len(inside[: counts.get(zone, 0)])
    rest = sorted(
        (name for name in names if name not in verdict),
        key=lambda name: -margin_of(poses[name]),
    )
    for zone in doubts:
        near = min(rest, key=lambda name: _far(poses[name], zone), default=None)
        if near is not None and _far(poses[near], zone) < ZONE[zone].radius + 3 * CHIP_RADIUS:
            verdict[near] = "doubt"
            rest.remove(near)
    for zone, extra in counts.items():
        for _ in range(extra):
            near = min(rest, key=lambda name: _far(poses[name], zone), default=None)
            if near is not None:
                verdict[near] = "ghost"
                rest.remove(near)
    for name in rest:
        zone_of = zone_at(poses[name].x, poses[name].y)
        state = snapshot["readers"].get(zone_of.name, "ok") if zone_of else "ok"
        silent = "asked" if counted else "missing" if state == "ok" else "told"
        verdict[name] = "right" if zone_of is None else silent
    return verdict


def awaited(snapshot: dict[str, Any]) -> list[str]:
    """Colours of the players of whom the game on the board still waits for a throw."""
    view = (snapshot.get("game") or {}).get("view", {})
    throws = view.get("throws")
    if not throws or throws["made"] == throws["of"]:
        return []
    return [COLOURS[seat] for seat in view["asked"]]


def _far(pose: Pose, zone: str) -> float:
    return hypot(pose.x - ZONE[zone].x, pose.y - ZONE[zone].y)


def volts(world: World, zone: str, chip: str) -> float:
    """Peak at a chip in a zone's field."""
    return world.fields[zone].volts(world.chips[chip])
