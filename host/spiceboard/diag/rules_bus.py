"""Rules about readers and their bus: small functions from a case to findings.

Their order matters: what explains many readers at once comes first and takes its zones out.
"""

from collections.abc import Iterator

from spiceboard.diag.findings import Case, Finding, quoted
from spicecore.parts import ZONES

GENUINE = {0x91, 0x92}
KNOWN_CLONES = {0x88: "Fudan FM17522", 0x90: "version 0.0", 0xB2: "FM17522E"}
IN_RESET = 0x10  # CommandReg, PowerDown: the chip is not awake
MARK_BITS = 0x3F


def common_wires(case: Case) -> Iterator[Finding]:
    """No reader answers at all: it is none of them but what they share."""
    versions = {case.version(zone) for zone in ZONES}
    if versions == {255}:
        case.explained.update(ZONES)
        yield Finding(
            "miso_high",
            ("MISO",),
            "every reader reads as ones, even with none selected: MISO is held high",
            "unplug the reader tiles one by one: when the others answer, the last one you "
            "unplugged held the line; if none answers, MISO touches 3.3 V on the controller",
        )
    elif versions == {0}:
        case.explained.update(ZONES)
        yield Finding(
            "all_silent",
            ("3.3 V of the readers", "MISO", "SCK", "MOSI", "select enable"),
            "no reader answers and MISO stays low: something that all of them share is broken",
            "measure 3.3 V at the plug of any tile: if it is missing, the supply of the "
            "readers is at fault; if it is there, look for MISO shorted to ground, then check "
            "SCK, MOSI and the decoder's enable",
        )


def jammed_miso(case: Case) -> Iterator[Finding]:
    """One reader drives MISO unselected: all others read as ones."""
    ones = [zone for zone in case.open_zones() if case.version(zone) == 255]
    others = [zone for zone in case.open_zones() if zone not in ones]
    if case.m.get("idle") and len(others) == 1 and len(ones) >= 2:
        case.explained.update(ones, others)
        yield Finding(
            "miso_jammed",
            (f"reader {others[0]}",),
            f"reader `{others[0]}` answers, all others read as ones, and MISO is high with none "
            f"selected: `{others[0]}` drives MISO while it is not selected",
            f"unplug the tile `{others[0]}`: the others must answer. Then fit its MISO buffer "
            "(or diode), or another reader chip",
        )


def select_always_low(case: Case) -> Iterator[Finding]:
    """A reader that never sees its frame end takes no number, and talks into all others'."""
    marks = case.m.get("marks")
    if not marks:
        return
    fixed = [z for z in case.open_zones() if not case.silent(z) and marks[z][0] == marks[z][1]]
    if len(fixed) != 1:
        return
    own = marks[fixed[0]][0]
    mixed = [
        zone
        for zone in case.open_zones()
        if zone not in fixed
        and marks[zone] == [number | own for number in _numbers(zone)]
        and marks[zone] != _numbers(zone)
    ]
    if len(mixed) >= 2:
        case.explained.update(ZONES)
        yield Finding(
            "select_low",
            (f"select line {fixed[0]}",),
            f"reader `{fixed[0]}` accepts no setting, and its answers are mixed into those of "
            "all others: its select line is always low",
            f"unplug the tile `{fixed[0]}`: the others must work. Then look for a short to ground "
            "of its select line, at the plug and at the decoder's output",
        )


def _numbers(zone: str) -> list[int]:
    """What a reader of its own holds after both rounds of `marks`."""
    number = ZONES.index(zone) + 1
    return [number, number ^ MARK_BITS]


def address_line(case: Case) -> Iterator[Finding]:
    """Pairs of select lines that differ in one address bit reach one and the same reader."""
    marks = case.m.get("marks")
    if not marks:
        return
    alive = [zone for zone in case.open_zones() if not case.silent(zone)]
    same = [(a, b) for i, a in enumerate(alive) for b in alive[i + 1 :] if marks[a] == marks[b]]
    for bit in range(4):
        pairs = [(a, b) for a, b in same if ZONES.index(a) ^ ZONES.index(b) == 1 << bit]
        lonely = [  # their partner is not a zone: silent only when the line is stuck high
            zone
            for zone in ZONES
            if not ZONES.index(zone) >> bit & 1 and ZONES.index(zone) | 1 << bit >= len(ZONES)
        ]
        if len(pairs) < 2:
            continue
        level = 1 if all(case.silent(zone) for zone in lonely) else 0
        case.explained.update(ZONES)
        yield Finding(
            "address_stuck",
            (f"select address A{bit}",),
            f"select lines that differ in A{bit} reach the same reader ("
            + ", ".join(f"`{a}` = `{b}`" for a, b in pairs)
            + f"): A{bit} is stuck at {level}",
            f"follow A{bit} from GP{6 + bit} of the Pico to the decoder: a short to "
            f"{'3.3 V' if level else 'ground'} or a broken joint",
        )
        return


def shorted_selects(case: Case) -> Iterator[Finding]:
    """Two select lines that one reader answers."""
    marks = case.m.get("marks")
    if not marks:
        return
    alive = [zone for zone in case.open_zones() if not case.silent(zone)]
    for i, a in enumerate(alive):
        for b in alive[i + 1 :]:
            if marks[a] == marks[b] and marks[a][0] != marks[a][1]:
                case.explained.update((a, b))
                yield Finding(
                    "selects_joined",
                    (f"select line {a}", f"select line {b}"),
                    f"the select lines of `{a}` and `{b}` reach the same reader",
                    "look for a bridge of solder between the two outputs of the decoder",
                )


def long_cable(case: Case) -> Iterator[Finding]:
    """Bits are lost at a high clock and none at a low one."""
    for zone in case.open_zones():
        clocks = case.m.get("bus", {}).get(zone, {})
        clean = [int(hz) for hz, (wrong, _) in clocks.items() if not wrong]
        if len(clocks) < 2 or not clean or clocks[min(clocks, key=int)][0]:
            continue
        case.explained.add(zone)
        yield Finding(
            "cable_too_long",
            (f"cable {zone}",),
            f"reader `{zone}` loses bits above {max(clean) / 1e6:g} MHz and none below: its "
            "cable is too long for the clock, or lacks its ground wire",
            f"shorten the cable of `{zone}`, or lay a ground wire beside SCK and MISO",
        )


def loose_contact(case: Case) -> Iterator[Finding]:
    """Bits are lost at every clock."""
    for zone in case.open_zones():
        clocks = case.m.get("bus", {}).get(zone, {})
        wrong, n = max(clocks.values(), key=lambda pair: pair[0] / pair[1], default=(0, 1))
        if case.silent(zone) or not wrong:
            continue
        case.explained.add(zone)
        yield Finding(
            "bit_errors",
            (f"cable {zone}",),
            f"reader `{zone}` loses bits at every clock ({wrong} of {n} patterns came back "
            "wrong), the others do not: a loose contact",
            f"push the plug of `{zone}` in firmly and move its cable while `spiceboard diag` "
            "runs again; then solder MISO and ground of that plug again",
        )


def dead_reader(case: Case) -> Iterator[Finding]:
    """No reader answers at one select line, but its neighbours do."""
    for zone in case.open_zones():
        if case.silent(zone):
            case.explained.add(zone)
            yield Finding(
                "reader_dead",
                (f"reader {zone}", f"select line {zone}"),
                f"reader `{zone}` does not answer; its neighbours do: check its select line",
                f"plug the tile `{zone}` into a neighbour's socket: if it is dead there too, "
                "replace the tile; if it works there, follow the select line from the decoder",
            )


def held_in_reset(case: Case) -> Iterator[Finding]:
    """The chip answers and never wakes up."""
    for zone in case.open_zones():
        reader = case.reader(zone)
        steady = case.version(zone) >= 0 and "reset" in (reader["why"] or "")
        if steady and reader["command"] & IN_RESET and reader["command"] != 255:
            case.explained.add(zone)
            yield Finding(
                "stuck_reset",
                (f"reset of reader {zone}",),
                f"reader `{zone}` answers (version {case.version(zone):#04x}) but stays in reset",
                f"measure NRSTPD (pin 6) of the reader chip of `{zone}`: it must be at 3.3 V; "
                "otherwise the strap or its joint is open. With 3.3 V there, the crystal is dead",
            )


def register_refuses(case: Case) -> Iterator[Finding]:
    """A configuration write does not read back."""
    for zone in case.open_zones():
        reader = case.reader(zone)
        if reader["why"] and (reader["config"] or reader["state"] != "dead"):
            wrong = ", ".join(
                f"{name} {got:#04x} instead of {wrote:#04x}"
                for name, wrote, got in reader["config"]
            )
            wrong = wrong or reader["why"].removeprefix("MFRC522: ")
            case.explained.add(zone)
            yield Finding(
                "register_ignored",
                (f"reader {zone}",),
                f"reader `{zone}` answers but does not accept its configuration: {wrong}"
                + (" (receiver gain)" if "RFCfgReg" in wrong else ""),
                "switch the board off and on; if that does not help, replace the chip of "
                f"`{zone}`",
            )


def transceiver_hangs(case: Case) -> Iterator[Finding]:
    """The registers live, the radio does not."""
    for zone in case.open_zones():
        read = case.read(zone)
        if read and "dead" in read["errors"]:
            case.explained.add(zone)
            yield Finding(
                "transceiver_hangs",
                (f"reader {zone}",),
                f"the registers of reader `{zone}` answer, but its transceiver does not: no "
                "frame is ever sent",
                "switch the board off and on: if it comes back, watch the counters of "
                f"`spiceboard diag`; if not, replace the reader chip of `{zone}`",
            )


def dead_otherwise(case: Case) -> Iterator[Finding]:
    """It answers, and cannot be initialised for another reason."""
    for zone in case.open_zones():
        reader = case.reader(zone)
        if reader["state"] == "dead" and reader["why"]:
            case.explained.add(zone)
            yield Finding(
                "reader_fails",
                (f"reader {zone}",),
                f"reader `{zone}` cannot be initialised: {reader['why']}",
                f"check supply and plug of the tile `{zone}`, then exchange it with a neighbour's",
            )


def forgetful_reader(case: Case) -> Iterator[Finding]:
    """A reader that works now, but had to be initialised again."""
    lost = [zone for zone in case.open_zones() if case.reader(zone)["reinits"]]
    if len(lost) >= 4:
        yield Finding(
            "readers_reset",
            ("supply of the readers",),
            f"{len(lost)} readers had to be initialised again since the start ({quoted(lost)}): "
            "their common supply dips",
            "measure 3.3 V at the far end of the readers' supply while the LEDs are bright",
        )
        return
    for zone in lost:
        times = case.reader(zone)["reinits"]
        yield Finding(
            "reader_forgets",
            (f"reader {zone}", f"supply of reader {zone}"),
            f"reader `{zone}` works, but had to be initialised again {times} "
            f"time{'s' if times > 1 else ''} since the start: it loses its supply for moments",
            f"move the plug of `{zone}` and look at the counter again; then check the capacitor "
            "at its supply",
        )


def odd_version(case: Case) -> Iterator[Finding]:
    """A clone: a note, because it may work all the same."""
    for zone in case.open_zones():
        version = case.version(zone)
        if version not in GENUINE and version >= 0:
            what = KNOWN_CLONES.get(version, "no known chip")
            read = case.read(zone)
            works = bool(read and read["seen"])
            yield Finding(
                "clone",
                (f"reader {zone}",),
                f"reader `{zone}` reports version {version:#04x} ({what}): a clone"
                + (", and it reads tags" if works else ""),
                "nothing to do as long as it reads tags; if it fails, replace it with a "
                "genuine chip",
                "note" if works or not case.m.get("reads") else "fault",
            )


RULES = (
    common_wires,
    jammed_miso,
    select_always_low,
    address_line,
    shorted_selects,
    long_cable,
    dead_reader,
    held_in_reset,
    loose_contact,
    register_refuses,
    transceiver_hangs,
    dead_otherwise,
    odd_version,
)
LAST = (forgetful_reader,)  # what else explains a zone comes before
