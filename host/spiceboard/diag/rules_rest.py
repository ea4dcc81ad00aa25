"""Rules about everything else: hall sensors, supply, flash, roster, heap, and what people saw."""

import re
from collections.abc import Iterator

from spiceboard.diag.findings import Case, Finding, Measured
from spicecore.parts import LEDS, ZONES

HALL_LOW_MV, HALL_HIGH_MV = 150, 3150  # no magnet drives a linear sensor to its rails
HALL_CHIP_MV = 130  # what a chip's magnet adds at most
HALL_DRIFT_MV = 120
HALL_NOISE_MV = 25
HALL_SAME_MV = 8  # two readings of one sensor; offsets of two sensors differ by far more
SUPPLY_LOW_MV = 4500
FLASH_LOW = 20_000
HEAP_LOW = 12_000


def hall_levels(case: Case) -> Iterator[Finding]:
    """Multiplexer first, then noise of all, then each sensor."""
    hall: dict[str, Measured] | None = case.m.get("hall")
    if not hall:
        return
    known = list(_multiplexer(hall)) or list(_hall_noise(hall))
    yield from known
    if any(finding.kind in ("hall_address", "hall_noisy") for finding in known):
        return
    for zone in ZONES:
        level = hall[zone]["mv"]
        if not HALL_LOW_MV < level < HALL_HIGH_MV:
            high = level >= HALL_HIGH_MV
            yield Finding(
                "hall_high" if high else "hall_low",
                (f"hall sensor {zone}",),
                f"the hall sensor of `{zone}` is stuck {'high' if high else 'low'} ({level} mV)",
                f"check ground and output of the sensor `{zone}`"
                if high
                else f"check supply and output of the sensor `{zone}`",
            )
        elif drift := _drift(case, zone, level):
            yield Finding(
                "hall_drift",
                (f"hall sensor {zone}",),
                f"the hall sensor of `{zone}` rests {drift} mV from its stored level, more than "
                "the chips there explain",
                "take all chips off and run `spiceboard calibrate`; if that does not help, "
                "look for a magnet or steel near it",
            )


def _drift(case: Case, zone: str, level: int) -> int:
    """mV beyond what the chips there can explain; 0 if they explain it, or if that is unknown."""
    read = case.read(zone)
    if not read:
        return 0
    chips = max(len(read["seen"]), len(case.laid(zone)))
    off = abs(level - int(case.m["settings"]["hall_rest"][zone]))
    return off if off > HALL_DRIFT_MV + HALL_CHIP_MV * chips else 0


def _multiplexer(hall: dict[str, Measured]) -> Iterator[Finding]:
    """Channels that differ in one address bit read alike."""
    for bit in range(4):
        pairs = [
            (index, index ^ 1 << bit)
            for index in range(len(ZONES))
            if index < index ^ 1 << bit < len(ZONES)
        ]
        levels = [(hall[ZONES[a]]["mv"], hall[ZONES[b]]["mv"]) for a, b in pairs]
        noise = max(entry["spread"] for entry in hall.values())
        if all(abs(a - b) <= HALL_SAME_MV + noise for a, b in levels) and noise < HALL_NOISE_MV:
            yield Finding(
                "hall_address",
                (f"hall multiplexer S{bit}",),
                f"hall sensors whose channels differ in S{bit} read alike: S{bit} of the "
                "multiplexer is stuck",
                f"follow S{bit} from GP{11 + bit} of the Pico to the CD74HC4067",
            )
            return


def _hall_noise(hall: dict[str, Measured]) -> Iterator[Finding]:
    noisy = [zone for zone in ZONES if hall[zone]["spread"] > HALL_NOISE_MV]
    if len(noisy) > len(ZONES) // 2:
        worst = max(entry["spread"] for entry in hall.values())
        yield Finding(
            "hall_noisy",
            ("analogue ground",),
            f"all hall levels are noisy ({worst:g} mV): a bad reference or ground of the ADC",
            "check AGND and ADC_VREF of the Pico and the multiplexer's ground",
        )
        return
    for zone in noisy:
        yield Finding(
            "hall_loose",
            (f"hall sensor {zone}",),
            f"the level of the hall sensor `{zone}` jumps by {hall[zone]['spread']:g} mV",
            f"solder the output of the sensor `{zone}` again",
        )


def supply(case: Case) -> Iterator[Finding]:
    """The 5 V now, and since the start."""
    mv, lowest = case.m["supply"]["mv"], case.m["supply"]["lowest"]
    if mv is not None and mv < SUPPLY_LOW_MV:
        yield Finding(
            "supply_low",
            ("5 V supply",),
            f"the 5 V supply is at {mv / 1000:.2f} V",
            "use a shorter cable and an adapter of at least 2 A; then lower `led_cap_ma`",
        )
    elif lowest is not None and lowest < SUPPLY_LOW_MV:
        times = case.m["reset"]["brownouts"]
        yield Finding(
            "supply_dips",
            ("5 V supply",),
            f"the 5 V supply is fine now, but it fell to {lowest / 1000:.2f} V ({times} times "
            "since the start)",
            "move the supply's cable; lower `led_cap_ma`; use an adapter of at least 2 A",
        )


def restarts(case: Case) -> Iterator[Finding]:
    """The watchdog bit, or the board restarted during the diagnosis."""
    if case.m["reset"]["cause"] == "watchdog":
        yield Finding(
            "watchdog",
            ("firmware",),
            "the last start came from the watchdog: the firmware hung",
            "note what you did before, save the log (`spiceboard monitor`), and update the "
            "firmware (`spiceboard flash`)",
        )
    before: Measured = case.m["status"]
    after: Measured = case.m.get("after") or before
    if after["starts"] != before["starts"]:
        yield Finding(
            "restarted",
            ("5 V supply",),
            "the board restarted during the diagnosis: its supply failed",
            "use another cable and adapter; if it happens again, look for a short circuit that "
            "gets warm",
        )


def flash(case: Case) -> Iterator[Finding]:
    """Can it be written, is there room, and is what was stored still whole?"""
    found = case.m["flash"]
    if found["write"]:
        yield Finding(
            "flash_full",
            ("flash",),
            f"nothing can be stored: a test file could not be written ({found['write']})",
            "copy the games (`spiceboard log copy`), then erase old ones (`spiceboard log erase`)",
        )
    elif found["free"] < FLASH_LOW:
        yield Finding(
            "flash_low",
            ("flash",),
            f"only {found['free'] // 1000} kB of the flash are free",
            "copy the games (`spiceboard log copy`), then erase old ones (`spiceboard log erase`)",
        )
    for path in found["damaged"]:
        yield _damaged(path, [str(name) for name, _ in found["files"]], found["damaged"])


def _damaged(path: str, files: list[str], damaged: list[str]) -> Finding:
    table = re.match(r"data/(\w+)\.[ab]$", path)
    if not table:
        name = path.rsplit("/", 1)[-1]
        return Finding(
            "log_damaged",
            (f"log {name}",),
            f"the log `{name}` contains a damaged record; the records before it can be read",
            f"`spiceboard log copy {name}`, then `spiceboard log erase {name}`",
        )
    name = table[1]
    twin = path[:-1] + ("b" if path.endswith("a") else "a")
    whole = twin in files and twin not in damaged
    way = {
        "roster": "`spiceboard roster import FILE`, or pair the chips again",
        "settings": "`spiceboard calibrate`",
    }.get(name, "nothing to do: it is counted again from now on")
    return Finding(
        f"{name}_damaged",
        (f"stored {name}",),
        f"the stored {name} is damaged on the flash ({path})"
        + ("; its second copy is good" if whole else ", and there is no good copy"),
        "nothing to do: the next change writes it again" if whole else way,
    )


def roster(case: Case) -> Iterator[Finding]:
    """A board that knows no chip."""
    known = case.m.get("roster")
    damaged = any(path.startswith("data/roster.") for path in case.m["flash"]["damaged"])
    if known is not None and not any(known.values()) and not damaged:
        yield Finding(
            "roster_missing",
            ("stored roster",),
            "the board knows no chip: its roster is empty",
            "pair the chips (`spiceboard roster pair`) or `spiceboard roster import FILE`",
        )


def health(case: Case) -> Iterator[Finding]:
    """Tasks that died, a heap that is nearly full, a record that is not kept."""
    status = case.m["status"]
    for task, state in status["tasks"].items():
        if state != "runs":
            yield Finding(
                "task_died",
                (f"task {task}",),
                f"the firmware's task `{task}` died: {state}",
                "reboot the board; if it happens again, update the firmware (`spiceboard flash`)",
            )
    lowest = case.m["memory"]["lowest"]
    if lowest is not None and case.m["memory"]["free"] < HEAP_LOW:
        yield Finding(
            "heap_low",
            ("heap",),
            f"only {case.m['memory']['free']} bytes of the heap are free",
            "reboot the board; report it with this page",
        )
    if status.get("journal") and not (case.m["flash"]["write"] or case.m["flash"]["damaged"]):
        yield Finding(
            "not_recorded",
            ("journal",),
            f"the game on the board is not recorded: {status['journal']}",
            "copy the logs, erase old ones, and start a new game",
        )


def buttons(case: Case) -> Iterator[Finding]:
    """Down without a finger; or silent under one."""
    for name, down in case.m["buttons"]["down"].items():
        if down:
            yield Finding(
                "button_stuck",
                (f"button {name}",),
                f"the button `{name}` reads as pressed although you were not asked to press it",
                f"press and release `{name}`: if nothing changes, look for a short of its wire "
                "to ground",
            )
    for key, answer in case.m.get("answers", {}).items():
        if key.startswith("button ") and answer == "nothing":
            name = key.split()[1]
            yield Finding(
                "button_dead",
                (f"button {name}",),
                f"you pressed the button `{name}`, but the board did not notice",
                f"check the two wires of `{name}`; a meter across it must show 0 ohm when pressed",
            )


def seen_by_people(case: Case) -> Iterator[Finding]:
    """LEDs and buzzer have no sensor: what a person answered."""
    answers = case.m.get("answers", {})
    if answers.get("buzzer") == "no":
        yield Finding(
            "buzzer_silent",
            ("buzzer",),
            "the buzzer makes no sound",
            "check its two wires and its polarity; it is connected to GP15",
        )
    zone = answers.get("leds ring")
    if zone not in ZONES:
        return
    colour, led = answers.get("leds colour"), answers.get("leds number")
    if colour not in (None, "dark", "red"):
        yield Finding(
            "led_order",
            (f"LED ring {zone}",),
            f"the ring of `{zone}` should light red but lights {colour}: its LEDs have another "
            "order of colours",
            f"replace the LEDs of `{zone}` with LEDs in GRB order (WS2812B)",
        )
        return
    if led is None:
        return
    number = int(led)
    before = f"LED {number - 1} of {zone}" if number > 1 else _last_before(zone)
    if answers.get("leds behind") == "yes":
        yield Finding(
            "led_dead",
            (f"LED {number} of {zone}",),
            f"LED {number} of `{zone}` is dark, but those after it light",
            f"replace LED {number} of `{zone}` (counted clockwise from the top)",
        )
    else:
        yield Finding(
            "led_chain",
            (f"LED {number} of {zone}", before),
            f"the LEDs are dark from LED {number} of `{zone}` on: it is dead, or gets no data",
            f"bridge LED {number} of `{zone}` (its DIN to its DOUT): if those after it light, "
            f"replace it; if not, the output of {before} or the wire between them is broken",
        )


def _last_before(zone: str) -> str:
    """What feeds the first LED of a ring."""
    index = ZONES.index(zone)
    return f"LED {LEDS[index - 1]} of {ZONES[index - 1]}" if index else "LED data driver"


RULES = (
    hall_levels,
    supply,
    restarts,
    flash,
    roster,
    health,
    buttons,
    seen_by_people,
)
