"""The tables of sums in docs/hardware.md and docs/build.md, made from the calculations.

python -m hardware.calc.report            compares; exit code 1 when a page is out of date
python -m hardware.calc.report --write    writes them into the pages
"""

import sys

from hardware import ROOT, circuit
from hardware.arguments import parsed
from hardware.calc import antenna, antenna_tables, bus, crystal, fill, hall, supply_tables
from hardware.calc.markdown import table
from hardware.circuit.description import CABLE, GPIO_PIN, PICO, ZONES
from hardware.enclosure import ribbons


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


PAGES = {
    "hardware.md": {
        "pins": pins,
        "cable": cable,
        "zones": zones,
        "loops": antenna_tables.loops,
        "own": antenna_tables.own_capacitance,
        "neighbours": antenna_tables.neighbours,
        "power": supply_tables.power,
        "spi": spi,
        "magnets": magnets,
        "cables": cables,
        "detuned": antenna_tables.detuned,
        "gate": antenna_tables.gate,
        "reach": antenna_tables.reach,
        "crystal": crystals,
        "turns": antenna_tables.closed_turns,
        "fill": fill.table,
    },
    "build.md": {
        "currents": antenna_tables.currents,
        "stacks": antenna_tables.stacks,
        "matchings": antenna_tables.others,
        "seen": antenna_tables.seen,
        "steps": antenna_tables.steps,
        "off": antenna_tables.off_middle,
    },
}


def filled(page: str, text: str) -> str:
    """The text of a page with every block between its markers generated again.

    ValueError when a marker is missing.
    """
    for name, make in PAGES[page].items():
        start, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
        if start not in text or end not in text:
            raise ValueError(f"docs/{page} has no markers for the table {name}")
        head, rest = text.split(start, 1)
        _, tail = rest.split(end, 1)
        text = head + start + make() + "\n" + end + tail
    return text


def main(words: list[str]) -> int:
    write, stale = parsed(words, __doc__, ("--write",), boards=False).write, 0
    for page in PAGES:
        path = ROOT / "docs" / page
        old = path.read_text(encoding="utf-8")
        new = filled(page, old)
        if write:
            path.write_text(new, encoding="utf-8")
        elif old != new:
            print(f"docs/{page} is out of date: run python -m hardware.calc.report --write")
            stale += 1
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
