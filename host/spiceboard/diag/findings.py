"""The form of what a diagnosis finds, and what its rules share."""

from dataclasses import asdict, dataclass, field
from typing import Any

from spiceboard.bots.targets import CENTRES, distance
from spicecore.parts import ZONES

Measured = dict[str, Any]
NEAR_MM = 130.0  # middles of zones whose loops can pull at each other


@dataclass(frozen=True)
class Finding:
    """kind: the rule's word. parts: what is broken, the smallest group that measurement can
    separate. says: what was seen. step: what to do, or the one step that decides in a group.
    level: "fault", or "note" for what works and is worth knowing."""

    kind: str
    parts: tuple[str, ...]
    says: str
    step: str
    level: str = "fault"

    def plain(self) -> dict[str, Any]:
        """As JSON."""
        return {**asdict(self), "parts": list(self.parts)}


@dataclass
class Case:
    """What was measured, and which zones are explained by a finding already: the fault of a whole
    bus is not told once more for each reader."""

    m: Measured
    explained: set[str] = field(default_factory=set)

    def open_zones(self) -> list[str]:
        """Zones that nothing explains yet, in the order of the wiring."""
        return [zone for zone in ZONES if zone not in self.explained]

    def reader(self, zone: str) -> Measured:
        """What the reader said."""
        found: Measured = self.m["readers"][zone]
        return found

    def version(self, zone: str) -> int:
        """The version that all three reads agree on, else -1."""
        versions = set(self.reader(zone)["versions"])
        return int(versions.pop()) if len(versions) == 1 else -1

    def silent(self, zone: str) -> bool:
        """Does no reader answer there?"""
        return self.version(zone) in (0, 255)

    def chip(self, uid: str) -> str | None:
        """The chip of a tag, None for a stranger."""
        for chip, known in (self.m.get("roster") or {}).items():
            if known == uid:
                return str(chip)
        return None

    def laid(self, zone: str) -> list[str]:
        """Chips that a person has laid there; [] if unknown."""
        return [chip for chip, place in (self.m.get("laid") or {}).items() if place == zone]

    def read(self, zone: str, leds: str = "off") -> Measured | None:
        """Reads of a zone, None where there were none."""
        found: Measured | None = self.m.get("reads", {}).get(zone, {}).get(leds)
        return found

    def lowest(self, zone: str) -> dict[str, int]:
        """{uid: lowest gain step that hears it} with the LEDs off."""
        read = self.read(zone)
        if read and "lowest" in read:
            found: dict[str, int] = read["lowest"]
            return found
        return {uid: step for uid, _chip, step in self.m.get("tags", {}).get(zone, [])}


def near(one: str, other: str) -> bool:
    """Are two zones neighbours?"""
    return one != other and distance(one, *CENTRES[other]) < NEAR_MM


def quoted(names: list[str]) -> str:
    """`a`, `b` and `c`."""
    marked = [f"`{name}`" for name in names]
    return " and ".join([", ".join(marked[:-1]), marked[-1]] if len(marked) > 1 else marked)
