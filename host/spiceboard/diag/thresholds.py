"""From guided placements to a zone's gain and margin: what lies inside, and what is in doubt.

A chip that is heard at the gain of the zone less its margin lies inside; one that needs more is in
doubt. A chip at the edge must be heard at the lower gain, a chip just outside must not.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from spiceboard.diag import placements
from spiceboard.diag.placements import GOOD, SOME, Guide, Heard, Step
from spicecore.storage.on_demand.settings import GAINS_DB

EQUAL = 0.01  # shares that differ by less are the same
STACK = 3
STACKS = 8  # stacks at once: 24 chips

MIDDLE = Step("middle", "Lay one chip flat into the middle of {zones}.", placements.alone)
EDGE = Step(
    "edge",
    "Push the chip in {zones} to the edge, as far as it still counts: a little of the zone can be "
    "seen through its hole.",
    placements.same,
)
OUTSIDE = Step(
    "outside",
    "Push the chip in {zones} outwards, until it just does not count: nothing of the zone can be "
    "seen through its hole any more.",
    placements.outside,
)
STACKED = Step(
    "stack",
    f"Take the single chips away and lay a stack of {STACK} into the middle of {{zones}}.",
    placements.stack(STACK),
)


@dataclass(frozen=True)
class Threshold:
    """gain: the step with which a zone sweeps. inside: the step at which a chip that lies inside
    is heard. notes: what a person should know of the zone."""

    gain: int
    inside: int
    notes: tuple[str, ...] = ()

    @property
    def margin_db(self) -> int:
        """What the board stores beside the gain."""
        return GAINS_DB[self.gain] - GAINS_DB[self.inside]


class CannotTell(Exception):
    """No threshold fits; the sentence says why, and what to do."""


def ask(guide: Guide) -> Iterator[list[str]]:
    """All steps, for all zones of the guide; yields zones as soon as they are measured whole, so
    that they can be stored."""
    for step in (MIDDLE, EDGE, OUTSIDE):
        guide.step(step, guide.zones)
    zones = list(guide.zones)
    for first in range(0, len(zones), STACKS):
        guide.step(STACKED, zones[first : first + STACKS])
        yield [zone for zone in zones[first : first + STACKS] if zone in guide.zones]


def learn(heard: dict[str, Heard]) -> Threshold:
    """The threshold of one zone from its steps; CannotTell if there is none."""
    chip = heard["middle"].uids()
    middle, edge = heard["middle"].lowest(chip), heard["edge"].lowest(chip)
    outside = heard["outside"].lowest(chip & set(heard["outside"].shares), SOME)
    stack = heard["stack"].lowest(heard["stack"].uids())
    inside, notes = max(middle, edge), []
    if outside <= inside:
        inside = outside - 1
        notes.append(
            "a chip just outside is heard as well as one at the edge: the board asks about both"
        )
    elif inside < stack < outside:
        inside = stack
    if inside < middle:
        raise CannotTell(
            "a chip just outside is heard as well as one in the middle. Check whether it lay "
            "outside, and the tags (`spiceboard diag --tags`): ordinary ones reach too far"
        )
    if stack > inside:
        notes.append("chips in a stack are heard weakly: the board asks about them")
    return Threshold(_gain(heard, inside), inside, tuple(notes))


def _gain(heard: dict[str, Heard], inside: int) -> int:
    """The step above `inside` that reads best; of equal ones the lowest."""
    steps = range(inside + 1, len(GAINS_DB))
    rates = {
        step: min(heard[key].worst(step) for key in ("middle", "edge", "stack")) for step in steps
    }
    best = max(rates.values(), default=0.0)
    if best < GOOD:
        raise CannotTell(
            "its chips are read badly even at the highest gain: its antenna couples too weakly. "
            "`spiceboard diag` tells you more"
        )
    return next(step for step, rate in rates.items() if rate >= best - EQUAL)


def settings(found: dict[str, Threshold]) -> dict[str, dict[str, int]]:
    """What to store."""
    return {
        "gain": {zone: threshold.gain for zone, threshold in found.items()},
        "margin_db": {zone: threshold.margin_db for zone, threshold in found.items()},
    }


def line(zone: str, heard: dict[str, Heard], threshold: Threshold) -> str:
    """One zone in words: the gain that each step needs, and what is stored."""
    parts = []
    for key, one in heard.items():
        step = one.lowest(one.uids(), SOME if key == "outside" else GOOD)
        parts.append(f"{key} {GAINS_DB[step]} dB" if step < placements.NEVER else f"{key} never")
    return (
        f"{zone:12} {', '.join(parts)} -> heard at {GAINS_DB[threshold.inside]} dB: lies there; "
        f"only at {GAINS_DB[threshold.gain]} dB: in doubt"
    )


def report(guide: Guide, zones: list[str]) -> tuple[dict[str, Threshold], list[str]]:
    """Thresholds of zones that were measured whole, and lines about them. A zone that has none is
    in the guide's `left_out` then."""
    found: dict[str, Threshold] = {}
    lines: list[str] = []
    for zone in zones:
        try:
            found[zone] = learn(guide.heard[zone])
        except CannotTell as why:
            guide.left_out[zone] = str(why)
            continue
        lines.append(line(zone, guide.heard[zone], found[zone]))
        lines += [f"  note: {note}" for note in found[zone].notes]
    return found, lines
