"""The tables of sums in docs/hardware.md, made from the calculations.

python -m hardware.calc.report            compares; exit code 1 when the page is out of date
python -m hardware.calc.report --write    writes them into the page
"""

import math
import sys
from dataclasses import replace

from hardware import ROOT, circuit
from hardware.calc import antenna, bus, crystal, hall, supply, turns
from hardware.circuit.description import CABLE, GPIO_PIN, PICO, ZONES
from hardware.circuit.tile import MATCH
from hardware.enclosure import ribbons
from spiceboard_sim.rf import coupling

PAGE = ROOT / "docs" / "hardware.md"
SHARES = (0.92, 0.94, 0.96, 0.98, 1.0, 1.03)  # of the formula's inductance
CHIPS_OHM = (4.0, 8.0, 16.0)  # what coupled tags may add to the loop's resistance
FLOOR, TAG_RADIUS = (
    float(antenna.GEOMETRY["floor_above_loop"]),
    float(antenna.GEOMETRY["chip"]["tag_loop_radius"]),
)  # mm
LIMIT = 1.5  # A, what the firmware lets the pixels draw by default
DISTANCES = (("bowl", "bowl", 0.118), ("bowl", "action", 0.0834), ("action", "bowl", 0.0834))


def table(head: list[str], rows: list[list[str]]) -> str:
    lines = ["| " + " | ".join(head) + " |", "| " + " | ".join("---" for _ in head) + " |"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def loops() -> str:
    rows = []
    for kind in ("bowl", "action"):
        spiral, m = antenna.loop(kind), antenna.match(MATCH[kind])
        rings, sheet = antenna.inductance_rings(spiral), antenna.inductance_sheet(spiral)
        copper = antenna.resistance(spiral)
        built = rings * antenna.COMB
        load = antenna.driver_load(built, copper, m)
        low2, high2 = antenna.spread(built, copper, m, 0.02, 0.02)
        low5, high5 = antenna.spread(built, copper, m, 0.05, 0.03)
        v = MATCH[kind]
        rows.append(
            [
                kind,
                f"{spiral.radius * 1e3:.0f} mm, {spiral.turns}",
                f"{rings * 1e6:.2f} / {sheet * 1e6:.2f} uH",
                f"{copper:.1f} ohm",
                f"{antenna.quality(built, copper, m):.0f}",
                f"{v['L0']}, {v['C0']}, {v['C1']}, {v['C2']} + {v['C2t']}, {v['RQ']}",
                " / ".join(
                    f"{c * 1e12:.0f}" for c in antenna.closed_form(built, copper, m, abs(load))
                )
                + " pF",
                f"{load.real:.0f} {'+' if load.imag >= 0 else '-'} {abs(load.imag):.0f}j ohm",
                f"{low2:.0f} to {high2:.0f} ohm",
                f"{low5:.0f} to {high5:.0f} ohm",
                f"{antenna.loop_current(built, copper, m) * 1e3:.0f} mA",
                f"{antenna.receive_voltage(built, copper, m, 3900, 1000):.1f} V",
            ]
        )
    head = [
        "loop",
        "radius, turns",
        "L by rings / by current sheet",
        "copper at 13.56 MHz",
        "Q",
        "L0, C0, C1, C2, RQ (each half)",
        "C1 / C2 in closed form",
        "load of the drivers, L 4 % less",
        "with 2 % parts, loop 2 %",
        "with 5 % parts, loop 3 %",
        "loop current, peak",
        "at RX, peak to peak",
    ]
    return table(head, rows)


def neighbours() -> str:
    rows = []
    for kind, other, distance in DISTANCES:
        n = antenna.neighbour(kind, other, distance, MATCH)
        rows.append(
            [
                kind,
                other,
                f"{distance * 1e3:.0f} mm",
                f"{n.k:.3f}",
                f"{n.current_tuned * 100:.0f} %",
                f"{n.current_open * 100:.1f} %",
                f"{n.detuned * 100:.1f} %",
            ]
        )
    head = [
        "transmits",
        "idle beside it",
        "centres apart",
        "k",
        "ampere-turns in the idle loop, if it stayed tuned",
        "with its switch open",
        "of the transmitter's loop resistance",
    ]
    return table(head, rows)


def power() -> str:
    b = supply.budget(LIMIT)
    drop, shift = supply.tile_drop(16 * 3 * supply.LED_CHANNEL)
    watts, junction = supply.regulator(b.rail)
    volts, heat = supply.transistor_loss(b.total)
    low, usual, high = supply.trips_at()
    rows = [
        ["3.3 V rail: 13 readers idle, one field, hall, logic", f"{b.rail * 1e3:.0f} mA"],
        ["Pico", f"{supply.PICO * 1e3:.0f} mA"],
        ["pixels: the most that `led_cap_ma` may be set to", f"{LIMIT:.1f} A"],
        ["pixels dark", f"{supply.idle_pixels() * 1e3:.0f} mA"],
        [
            "all 176 pixels white, no limit (the supply gives in, then the fuse)",
            f"{supply.all_white():.1f} A",
        ],
        [
            "whole board at the limit",
            f"{b.total:.2f} A; the fuse holds {supply.FUSE_HOLD:.0f} A, {supply.FUSE_HOLD * supply.FUSE_WARM:.1f} A when warm",
        ],
        [
            f"one bowl all white over {supply.CABLE_M:.2f} m of ribbon: lost on +5 V / ground shift",
            f"{drop * 1e3:.0f} / {shift * 1e3:.0f} mV",
        ],
        [
            "longest +5 V spine, all pixel current at its end",
            f"{supply.spine_drop(LIMIT) * 1e3:.0f} mV",
        ],
        [
            "regulator: heat, junction at 40 C around",
            f"{watts:.2f} W, {junction:.0f} C (limit {supply.JUNCTION_MAX:.0f} C)",
        ],
        [
            "USB alone (500 mA): bowl tiles with dark pixels, one field",
            f"{supply.usb_tiles()} at most",
        ],
        ["lost in Q1, both halves", f"{volts * 1e3:.0f} mV, {heat:.2f} W"],
        ["Q1 opens above", f"{usual:.2f} V, {low:.2f} to {high:.2f} V with its parts' tolerances"],
        [
            f"a plug of 12 V comes while USB is in: +5 V rises from {supply.USB_RAIL} V by",
            f"less than {math.ceil(10 * supply.slips_through(12.0)) / 10:.1f} V",
        ],
    ]
    return table(["what", "figure"], rows)


def ohms(z: complex) -> str:
    return f"{z.real:.0f} {'+' if z.imag >= 0 else '-'} {abs(z.imag):.0f}j"


def detuned() -> str:
    rows = []
    for kind in ("bowl", "action"):
        spiral, m = antenna.loop(kind), antenna.match(MATCH[kind])
        rings, copper = antenna.inductance_rings(spiral), antenna.resistance(spiral)
        cases = [(rings * share, copper) for share in SHARES]
        cases += [(rings * antenna.COMB, copper + ohm) for ohm in CHIPS_OHM]
        loads = [antenna.driver_load(*case_, m) for case_ in cases]
        rows.append([f"{kind}: load, ohm", *[ohms(z) for z in loads]])
        amps = [antenna.loop_current(*case_, m) for case_ in cases]
        rows.append(["loop current, peak, mA", *[f"{i * 1e3:.0f}" for i in amps]])
        for word, pair in (("off", 0.0), ("twice", 2.0)):
            c2 = antenna.parse(MATCH[kind]["C2"]) + pair * antenna.parse(MATCH[kind]["C2t"])
            other = [antenna.driver_load(*case_, replace(m, c2=c2)) for case_ in cases]
            rows.append([f"with C18, C19 {word}", *[ohms(z) for z in other]])
        drawn = [antenna.supply_current(z) for z in loads]
        rows.append(["drivers' supply, mA", *[f"{i * 1e3:.0f}" for i in drawn]])
    head = ["L as built; then R more by chips", *[f"{(s - 1) * 100:+.0f} %" for s in SHARES]]
    return table([*head, *[f"+{ohm:.0f} ohm" for ohm in CHIPS_OHM]], rows)


def gate() -> str:
    rows = []
    spiral, m = antenna.loop("bowl"), antenna.match(MATCH["bowl"])
    load = antenna.driver_load(
        antenna.inductance_rings(spiral) * antenna.COMB, antenna.resistance(spiral), m
    )
    for name, ohm in (("20h, after reset", antenna.DRIVER), ("3Fh", antenna.DRIVER_FULL)):
        swing = antenna.driver_swing(load, driver=ohm)
        rows.append([name, f"{swing:.1f} V", f"{antenna.gate_volts(220e-12, swing):.1f} V"])
    return table(["conductance CWGsP", "swing at TX1", "gate of Q1"], rows)


def reach() -> str:
    rows = []
    for kind in ("bowl", "action"):
        radius, zone = (
            antenna.GEOMETRY[kind]["loop_radius"],
            antenna.GEOMETRY[kind]["diameter"] / 2,
        )
        hole = antenna.GEOMETRY["chip"]["hole_diameter"] / 2
        thick = antenna.GEOMETRY["chip"]["thickness"]
        centre = coupling.mutual_inductance(radius, TAG_RADIUS, 0, FLOOR + thick / 2)
        for place, offset in (("middle", 0.0), ("half way", zone / 2), ("edge", zone),
                              ("last valid", zone + hole)):  # fmt: skip
            cells = []
            for chips in range(4):
                height = FLOOR + thick / 2 + chips * thick
                m = coupling.mutual_inductance(radius, TAG_RADIUS, offset, height)
                cells.append(f"{m / centre:.2f}")
            rows.append([kind, f"{place}, {offset:.0f} mm", *cells])
        outside = antenna.GEOMETRY[kind]["depth"] + FLOOR + thick / 2
        for offset in (zone + hole + 3, zone + hole + 9, zone + hole + 15):
            m = coupling.mutual_inductance(radius, TAG_RADIUS, offset, outside)
            rows.append([kind, f"on the flat, {offset:.0f} mm", f"{m / centre:.2f}", "", "", ""])
    head = ["loop", "tag's place, from the centre", "on the floor", "2nd chip", "3rd", "4th"]
    return table(head, rows)


def closed_turns() -> str:
    rows = []
    for kind in ("bowl", "action"):
        found = turns.tile(kind)
        inductance, ohm = turns.share(kind, found)
        rows.append([kind, str(found.turns), f"{inductance * 100:+.1f} %", f"{ohm * 100:+.1f} %"])
    return table(["tile", "independent turns", "L of the loop", "R of the loop with RQ"], rows)


def crystals() -> str:
    part = next(p for p in circuit.board("bowl").parts if p.ref == "C5")
    rows = []
    for each in (12.0, antenna.parse(part.value) * 1e12, 22.0):
        seen, ppm = crystal.load(each), crystal.pull_ppm(each)
        mark = " (fitted)" if each == antenna.parse(part.value) * 1e12 else ""
        rows.append([f"{each:.0f} pF{mark}", f"{seen:.1f} pF", f"{ppm:+.0f} ppm"])
    return table(["C5, C6", "load of the crystal", "frequency"], rows)


def magnets() -> str:
    rows = [[f"{mm} mm", f"{hall.field(mm * 1e-3) * 1e3:.2f} mT", f"{hall.volts(mm * 1e-3) * 1e3:.0f} mV"]
            for mm in (0, 5, 10, 20)]  # fmt: skip
    return table(["magnet off the middle", "field at the sensor", "change of its output"], rows)


def spi() -> str:
    rows = [
        [
            f"{metres:.2f} m",
            f"{bus.miso_pf(metres):.0f} pF",
            f"{bus.round_trip_ns(metres):.0f} ns",
            f"{bus.highest_clock(metres) / 1e6:.1f} MHz",
            f"{bus.select_ns(metres):.0f} ns",
        ]
        for metres in (0.2, 0.4, bus.CABLE_M)
    ]
    return table(
        [
            "each cable",
            "load on MISO",
            "clock edge to settled MISO",
            "highest SPI clock",
            "Pico's pin to NSS low",
        ],
        rows,
    )


def cables() -> str:
    lengths = ribbons.lengths()
    by_length: dict[int, list[str]] = {}
    for zone in ZONES:
        by_length.setdefault(lengths[zone], []).append(zone)
    rows = [[f"{cm} cm", ", ".join(names)] for cm, names in sorted(by_length.items())]
    return table(["ribbon", "for"], rows)


def pins() -> str:
    return table(
        ["GPIO", "pin of the Pico", "net"],
        [[f"GP{g}", str(GPIO_PIN[g]), n] for n, g in PICO.items()],
    )


def cable() -> str:
    return table(["conductor", "signal"], [[str(p), n] for p, n in CABLE.items()])


def zones() -> str:
    return table(
        ["select address, hall channel, place in the chain", "zone", "connector"],
        [[str(k), z, f"J{k + 1}"] for k, z in enumerate(ZONES)],
    )


PARTS = {
    "pins": pins,
    "cable": cable,
    "zones": zones,
    "loops": loops,
    "neighbours": neighbours,
    "power": power,
    "spi": spi,
    "magnets": magnets,
    "cables": cables,
    "detuned": detuned,
    "gate": gate,
    "reach": reach,
    "crystal": crystals,
    "turns": closed_turns,
}


def filled(text: str) -> str:
    """The page with every block between its markers made anew. ValueError when a marker is missing."""
    for name, make in PARTS.items():
        start, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
        if start not in text or end not in text:
            raise ValueError(f"docs/hardware.md has no markers for the table {name}")
        head, rest = text.split(start, 1)
        _, tail = rest.split(end, 1)
        text = head + start + make() + "\n" + end + tail
    return text


def main(words: list[str]) -> int:
    old = PAGE.read_text(encoding="utf-8")
    new = filled(old)
    if "--write" in words:
        PAGE.write_text(new, encoding="utf-8")
        return 0
    if old != new:
        print(
            "docs/hardware.md does not show the present sums: run python -m hardware.calc.report --write"
        )
        return 1
    print("docs/hardware.md shows the sums as they are")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
