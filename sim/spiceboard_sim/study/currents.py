"""Which current should a loop have? Stacks ask for more, chips that lie outside a zone for less.

python -m spiceboard_sim.study.currents    two tables for docs/sensing.md, half a minute

By the RF model alone, without board and firmware: tags vary as in the simulator (seeded).
"""

from dataclasses import replace
from math import sqrt
from random import Random

from spiceboard_sim.board.geometry import CHIP_THICKNESS, HOLE_RADIUS, TAG_RESONANCE, ZONE, Zone
from spiceboard_sim.rf import circuit, coupling
from spiceboard_sim.rf.tag import WAKE_VOLT, TagCircuit, spread
from spiceboard_sim.throws.pose import Pose

BOWL, ACTION = ZONE["curry"], ZONE["head_chef"]
TUNED = (13.56e6, 16.5e6, TAG_RESONANCE, 18.5e6)  # Hz
CURRENTS = {BOWL: (118, 134, 149, 157, 177), ACTION: (76, 82, 89, 96, 105)}  # mA
STACKS, CHIPS = 500, 1500  # drawn for each row
ASIDE = 3.0  # mm: sigma of chips laid on each other by hand
BAND = 2.0  # mm on either side of the limit
LIES, DOUBT = coupling.heard_at(23), coupling.heard_at(33)  # what the firmware makes of a chip


def stacks(zone: Zone, resonance: float) -> str:
    """A cell: V in the worst 5 % of stacks of one to six, share below 2 V, how well heard."""
    chance = Random(3)
    alone = circuit.alone(zone).heard[0]
    volts, heard = [], []
    for _ in range(STACKS):
        poses = [
            Pose(
                zone.x + chance.gauss(0, ASIDE),
                zone.y + chance.gauss(0, ASIDE),
                CHIP_THICKNESS * n - zone.depth,
            )
            for n in range(chance.randint(1, 6))
        ]
        found = circuit.solve(zone, poses, [spread(TagCircuit(resonance), chance) for _ in poses])
        volts.append(min(found.volts))
        heard.append(sqrt(min(found.heard) / alone))
    asleep = sum(each < WAKE_VOLT for each in volts) / STACKS
    low, weak = sorted(volts)[STACKS // 20], sorted(heard)[STACKS // 20]
    return f"{low:.2f} V, {100 * asleep:.0f} %, {weak:.2f}"


def edge(zone: Zone, inside: bool) -> list[float]:
    """Shares of chips in the band beside the limit: not heard, in doubt, heard well."""
    chance = Random(2)
    alone = circuit.alone(zone).heard[0]
    counts = [0, 0, 0]
    for _ in range(CHIPS):
        off = chance.uniform(-BAND, 0) if inside else chance.uniform(0, BAND)
        pose = Pose(zone.x + zone.radius + HOLE_RADIUS + off, zone.y, 0)
        found = circuit.solve(zone, [pose], [spread(TagCircuit(TAG_RESONANCE), chance)])
        strength = sqrt(found.heard[0] / alone) if found.volts[0] >= WAKE_VOLT else 0.0
        counts[(strength >= DOUBT) + (strength >= LIES)] += 1
    return [count / CHIPS for count in counts]


def main() -> None:
    """Print both tables."""
    first = replace(BOWL, loop_ma=118.0, source_ohm=32.5)
    print(
        f"| tuned to, MHz | bowl, revision A, {first.loop_ma:g} mA | bowl, {BOWL.loop_ma:g} mA "
        f"| action space, {ACTION.loop_ma:g} mA |"
    )
    for resonance in TUNED:
        cells = [stacks(zone, resonance) for zone in (first, BOWL, ACTION)]
        print(f"| {resonance / 1e6:g} | " + " | ".join(cells) + " |")
    print("| loop | current | inside: not heard, in doubt | outside: in doubt, ghosts | stacks |")
    for zone, currents in CURRENTS.items():
        for amps in currents:
            driven = replace(zone, loop_ma=float(amps))
            silent, doubt, _ = edge(driven, True)
            _, maybe, ghost = edge(driven, False)
            kind = "bowl" if zone is BOWL else "action space"
            print(
                f"| {kind} | {amps} mA | {silent:.1%}, {doubt:.1%} | {maybe:.1%}, {ghost:.1%} | "
                f"{stacks(driven, TAG_RESONANCE)} |"
            )


if __name__ == "__main__":
    main()
