"""What a layout consists of, and points given by their angle."""

import math
from dataclasses import dataclass, field

Place = tuple[float, float, float, str]
Point = tuple[float, float]
Track = tuple[str, str, float, list[Point]]  # net, layer, width, points


@dataclass
class Layout:
    """Everything about a board that is not its circuit."""

    round: float | None = None  # diameter of a round outline
    size: tuple[float, float] | None = None  # or a rectangle from (0, 0)
    places: dict[str, Place] = field(default_factory=dict)
    copper: list[Track] = field(default_factory=list)
    vias: list[tuple[str, float, float]] = field(default_factory=list)
    zones: list[tuple[str, str, list[tuple[float, float]]]] = field(default_factory=list)
    keep: list[tuple[str, str, list[tuple[float, float]]]] = field(
        default_factory=list
    )  # net, layer
    silk: list[tuple[str, float, float, float, float, str]] = field(default_factory=list)
    hide: set[str] = field(default_factory=set)  # references that have no room on the silk
    stitch: float = 0.0


def polar(radius: float, degrees: float) -> tuple[float, float]:
    """A point by its angle, clockwise from 12 o'clock."""
    a = math.radians(degrees)
    return radius * math.sin(a), -radius * math.cos(a)


def local(radius: float, degrees: float, x: float, y: float) -> tuple[float, float]:
    """A point given beside a place on the ring: x along it (clockwise), y inwards."""
    a = math.radians(degrees)
    cx, cy = polar(radius, degrees)
    return cx + x * math.cos(a) - y * math.sin(a), cy + x * math.sin(a) + y * math.cos(a)
