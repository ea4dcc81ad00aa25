"""Every kind of fault that a diagnosis must name: how it is made, in three places, and what the
report says of it. docs/diagnosis.md's table is made from this list."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from diag_bench import LAID, Bench
from spiceboard_sim import faults
from spicecore.parts import ZONES

Place = Any
CHIP_IN = {zone: chip for chip, zone in reversed(LAID.items())}  # the first chip of each zone
SECOND = {LAID[chip]: chip for chip in list(LAID)[len(ZONES) :]}
NOTICED_MS = 300.0  # three sweeps


@dataclass(frozen=True)
class Trial:
    """name: of the fault. inject: makes it at a place. places: three of them. finding: kind of
    the report's only finding. parts: what it names there. reads: chips are needed to find it.
    person: questions are. decides: in a group, the one step that does, in short."""

    name: str
    inject: Callable[[Bench, Place], None]
    places: tuple[Place, ...]
    finding: str
    parts: Callable[[Place], list[str]]
    reads: bool = False
    person: bool = False
    decides: str = ""


def verb(name: str, argument: str = "zone", **more: Any) -> Callable[[Bench, Place], None]:
    """The simulator's verb, with the place as its argument ("": none; "*": several)."""

    def inject(bench: Bench, place: Place) -> None:
        if argument == "*":
            faults.inject(bench.board, name, **place, **more)
        elif argument:
            faults.inject(bench.board, name, **{argument: place}, **more)
        else:
            faults.inject(bench.board, name, **more)
        bench.board.run_for(NOTICED_MS)

    return inject


def on_flash(name: str) -> Callable[[Bench, Place], None]:
    """A verb on files, done while the board is off; then it starts."""

    def inject(bench: Bench, place: Place) -> None:
        bench.board.kill()
        faults.inject(bench.board, name, **place)
        bench.boot()

    return inject


def short_dips(bench: Bench, place: Place) -> None:
    faults.inject(bench.board, "supply_dips", millivolts=place)
    bench.board.run_for(1500)


def watchdog_bites(bench: Bench, place: Place) -> None:
    """The firmware hangs for longer than the watchdog waits; place: (what hangs) for so long."""
    bench.board.run_for(place)
    bench.board.start(cause=3)
    bench.board.run_for(1300)
    bench.board.read()


def damaged_log(bench: Bench, place: Place) -> None:
    """A game is begun, played for some events and aborted; then a bit of its record changes."""
    bench.ask(
        "new", game="safranito", options={"players": 2, "mode": "referee", "seed": abs(place)}
    )
    for _ in range(3):
        bench.ask("fix")
    bench.ask("abort", confirm=True)
    bench.board.kill()
    faults.inject(bench.board, "file_corrupt", file="data/log/g0001-000.log", at=place)
    bench.boot()


def hall_drifts(bench: Bench, place: Place) -> None:
    index = ZONES.index(place)
    hall = bench.board.world.halls[index]
    sign = 1 if hall.field_mv >= 0 else -1  # away from what the chip does
    faults.inject(bench.board, "hall_drifts", zone=place, millivolts=400.0 * sign)
    bench.board.run_for(NOTICED_MS)


def reader(place: str) -> list[str]:
    return [f"reader {place}"]


def antenna_or_tag(place: str) -> list[str]:
    return [f"antenna {place}", f"tag {CHIP_IN[place]}"]


def tag(place: str) -> list[str]:
    return [f"tag {place}"]


OTHER_CHIP = "lay another chip there"
THREE = ("curry", "cumin", "head_chef")
SINGLE = ("ginger", "mint", "spice_card")  # one chip lies there
DOUBLE = ("curry", "saffron", "cumin")  # two do

READERS = (
    Trial(
        "reader_dies",
        verb("reader_dies"),
        THREE,
        "reader_dead",
        lambda p: [f"reader {p}", f"select line {p}"],
        decides="plug the tile into a neighbour's socket",
    ),
    Trial(
        "select_open",
        verb("select_open"),
        ("ginger", "mint", "reserve"),
        "reader_dead",
        lambda p: [f"reader {p}", f"select line {p}"],
        decides="plug the tile into a neighbour's socket",
    ),
    Trial(
        "select_stuck (it writes for ever)",
        verb("select_stuck"),
        ("curry", "garlic", "extra_throw"),
        "reader_dead",
        lambda p: [f"reader {p}", f"select line {p}"],
        decides="plug the tile into a neighbour's socket",
    ),
    Trial(
        "select_stuck (it talks for ever)",
        verb("select_stuck", reading=True),
        ("curry", "garlic", "extra_throw"),
        "select_low",
        lambda p: [f"select line {p}"],
    ),
    Trial(
        "selects_swapped",
        verb("selects_swapped", "*"),
        (
            {"zone": "curry", "other": "ginger"},
            {"zone": "mint", "other": "head_chef"},
            {"zone": "chili", "other": "cinnamon"},
        ),
        "selects_swapped",
        lambda p: [f"select line {p['zone']}", f"select line {p['other']}"],
        reads=True,
        decides="lay one chip alone",
    ),
    Trial(
        "address_stuck",
        verb("address_stuck", "*"),
        ({"bit": 0, "level": 0}, {"bit": 2, "level": 1}, {"bit": 3, "level": 0}),
        "address_stuck",
        lambda p: [f"select address A{p['bit']}"],
    ),
    Trial(
        "miso_jammed",
        verb("miso_jammed"),
        ("chili", "cinnamon", "spice_card"),
        "miso_jammed",
        reader,
    ),
    Trial(
        "miso_stuck (high)",
        verb("miso_stuck", "", level=1),
        ("1", "2", "3"),
        "miso_high",
        lambda p: ["MISO"],
    ),
    Trial(
        "miso_stuck (low)",
        verb("miso_stuck", "", level=0),
        ("1", "2", "3"),
        "all_silent",
        lambda p: ["3.3 V of the readers", "MISO", "SCK", "MOSI", "select enable"],
        decides="measure 3.3 V at a tile's plug",
    ),
    Trial(
        "readers_unpowered",
        verb("readers_unpowered", ""),
        ("1", "2", "3"),
        "all_silent",
        lambda p: ["3.3 V of the readers", "MISO", "SCK", "MOSI", "select enable"],
        decides="measure 3.3 V at a tile's plug",
    ),
    Trial(
        "long_wire",
        verb("long_wire", "*"),
        (
            {"zone": "ginger", "hz": 2_000_000},
            {"zone": "cumin", "hz": 6_000_000},
            {"zone": "reserve", "hz": 1_000_000},
        ),
        "cable_too_long",
        lambda p: [f"cable {p['zone']}"],
    ),
    Trial(
        "bits_flip",
        verb("bits_flip", chance=0.05),
        ("cardamom", "mint", "extra_throw"),
        "bit_errors",
        lambda p: [f"cable {p}"],
    ),
    Trial(
        "stuck_reset",
        verb("stuck_reset"),
        THREE,
        "stuck_reset",
        lambda p: [f"reset of reader {p}"],
    ),
    Trial(
        "reader_hangs",
        verb("reader_hangs"),
        ("saffron", "garlic", "spice_card"),
        "transceiver_hangs",
        reader,
        reads=True,
    ),
    Trial(
        "reader_forgets",
        verb("reader_forgets"),
        ("ginger", "cinnamon", "head_chef"),
        "reader_forgets",
        lambda p: [f"reader {p}", f"supply of reader {p}"],
        decides="wriggle its plug",
    ),
    Trial("clone_version", verb("clone_version"), ("curry", "chili", "reserve"), "clone", reader),
    Trial(
        "register_sticks (gain)",
        verb("register_sticks"),
        ("cardamom", "cumin", "extra_throw"),
        "register_ignored",
        reader,
    ),
)

TAGS = (
    Trial(
        "weak_antenna, two chips",
        verb("weak_antenna"),
        DOUBLE,
        "antenna_weak",
        lambda p: [f"antenna {p}"],
        reads=True,
    ),
    Trial(
        "weak_antenna, one chip",
        verb("weak_antenna"),
        SINGLE,
        "weak",
        antenna_or_tag,
        reads=True,
        decides=OTHER_CHIP,
    ),
    Trial(
        "antenna_open, two chips",
        verb("antenna_open"),
        DOUBLE,
        "antenna_open",
        lambda p: [f"antenna {p}"],
        reads=True,
    ),
    Trial(
        "antenna_open, one chip",
        verb("antenna_open"),
        SINGLE,
        "nothing_seen",
        antenna_or_tag,
        reads=True,
        decides=OTHER_CHIP,
    ),
    Trial(
        "neighbour_detunes",
        verb("neighbour_detunes", "*"),
        (
            {"zone": "ginger", "other": "cardamom"},
            {"zone": "curry", "other": "extra_throw"},
            {"zone": "garlic", "other": "cinnamon"},
        ),
        "detuned",
        lambda p: [f"antenna {p['zone']}", f"antenna {p['other']}"],
        reads=True,
        decides="lift one tile out",
    ),
    Trial(
        "noise_at, two chips",
        verb("noise_at", chance=0.5),
        DOUBLE,
        "noise",
        lambda p: [f"antenna {p}"],
        reads=True,
    ),
    Trial(
        "noise_of_leds",
        verb("noise_of_leds", chance=0.8),
        ("ginger", "cumin", "reserve"),
        "led_noise",
        lambda p: [f"LED wiring {p}"],
        reads=True,
    ),
    Trial(
        "tag_flickers, two chips",
        verb("tag_flickers", "chip", chance=0.35),
        tuple(SECOND[zone] for zone in DOUBLE),
        "tag_flickers",
        tag,
        reads=True,
    ),
    Trial(
        "tag_flickers, one chip",
        lambda bench, place: verb("tag_flickers", "chip", chance=0.4)(bench, CHIP_IN[place]),
        SINGLE,
        "unsteady",
        lambda p: [f"tag {CHIP_IN[p]}", f"antenna {p}"],
        reads=True,
        decides=OTHER_CHIP,
    ),
    Trial(
        "tag_dead",
        verb("tag_dead", "chip"),
        tuple(SECOND[zone] for zone in DOUBLE),
        "tag_dead",
        tag,
        reads=True,
    ),
    Trial(
        "tag_slow",
        verb("tag_slow", "chip"),
        (CHIP_IN["ginger"], CHIP_IN["mint"], CHIP_IN["reserve"]),
        "tag_slow",
        tag,
        reads=True,
    ),
    Trial(
        "wrong_bcc",
        verb("wrong_bcc", "chip"),
        (SECOND["saffron"], CHIP_IN["chili"], CHIP_IN["head_chef"]),
        "wrong_bcc",
        tag,
        reads=True,
    ),
    Trial(
        "duplicate_uid",
        verb("duplicate_uid", "*"),
        tuple(
            {"chip": CHIP_IN[a], "other": CHIP_IN[b]}
            for a, b in (("ginger", "chili"), ("mint", "reserve"), ("head_chef", "garlic"))
        ),
        "duplicate_uid",
        lambda p: [f"tag {p['chip']}"],
        reads=True,
    ),
    Trial(
        "stranger_tag",
        verb("stranger_tag", "chip"),
        (CHIP_IN["ginger"], SECOND["cumin"], CHIP_IN["spice_card"]),
        "stranger",
        tag,
        reads=True,
    ),
)

REST = (
    Trial(
        "led_breaks",
        verb("led_breaks", "*"),
        (
            {"zone": "mint", "led": 2},
            {"zone": "curry", "led": 15},
            {"zone": "head_chef", "led": 4},
        ),
        "led_chain",
        lambda p: [f"LED {p['led'] + 1} of {p['zone']}", f"LED {p['led']} of {p['zone']}"],
        person=True,
        decides="does the third LED of `mint` light red? Then bridge it",
    ),
    Trial(
        "led_order",
        verb("led_order"),
        THREE,
        "led_order",
        lambda p: [f"LED ring {p}"],
        person=True,
        decides="which colour is it?",
    ),
    Trial(
        "hall_stuck (high)",
        verb("hall_stuck", millivolts=3300.0),
        THREE,
        "hall_high",
        lambda p: [f"hall sensor {p}"],
    ),
    Trial(
        "hall_stuck (low)",
        verb("hall_stuck", millivolts=0.0),
        ("ginger", "saffron", "reserve"),
        "hall_low",
        lambda p: [f"hall sensor {p}"],
    ),
    Trial(
        "hall_address_stuck",
        verb("hall_address_stuck", "bit"),
        (0, 1, 2),
        "hall_address",
        lambda p: [f"hall multiplexer S{p}"],
    ),
    Trial(
        "hall_drifts",
        hall_drifts,
        ("chili", "mint", "extra_throw"),
        "hall_drift",
        lambda p: [f"hall sensor {p}"],
        reads=True,
    ),
    Trial(
        "hall_noisy",
        verb("hall_noisy", "millivolts"),
        (80.0, 120.0, 200.0),
        "hall_noisy",
        lambda p: ["analogue ground"],
    ),
    Trial(
        "button_stuck",
        verb("button_stuck", "button"),
        ("ok", "no", "undo"),
        "button_stuck",
        lambda p: [f"button {p}"],
    ),
    Trial(
        "button_dead",
        verb("button_dead", "button"),
        ("ok", "no", "undo"),
        "button_dead",
        lambda p: [f"button {p}"],
        person=True,
        decides="press it when asked",
    ),
    Trial(
        "buzzer_dead",
        verb("buzzer_dead", ""),
        ("1", "2", "3"),
        "buzzer_silent",
        lambda p: ["buzzer"],
        person=True,
        decides="did you hear a tone?",
    ),
    Trial(
        "supply_sags",
        verb("supply_sags", "millivolts"),
        (4400.0, 4200.0, 3900.0),
        "supply_low",
        lambda p: ["5 V supply"],
    ),
    Trial(
        "supply_dips",
        short_dips,
        (4400.0, 4100.0, 3800.0),
        "supply_dips",
        lambda p: ["5 V supply"],
    ),
    Trial(
        "the watchdog bites",
        watchdog_bites,
        (50.0, 400.0, 1000.0),
        "watchdog",
        lambda p: ["firmware"],
    ),
    Trial(
        "flash_full",
        verb("flash_full", "size"),
        (0, 300, 1500),
        "flash_full",
        lambda p: ["flash"],
    ),
    Trial(
        "file_corrupt (journal)",
        damaged_log,
        (20, -20, 45),
        "log_damaged",
        lambda p: ["log g0001-000.log"],
    ),
    Trial(
        "file_corrupt (settings)",
        on_flash("file_corrupt"),
        (
            {"file": "data/settings.a"},
            {"file": "data/settings.b"},
            {"file": "data/settings.a", "at": 3},
        ),
        "settings_damaged",
        lambda p: ["stored settings"],
    ),
    Trial(
        "file_cut (roster)",
        on_flash("file_cut"),
        (
            {"file": "data/roster.a", "keep": 0},
            {"file": "data/roster.a", "keep": 5},
            {"file": "data/roster.a", "keep": 300},
        ),
        "roster_damaged",
        lambda p: ["stored roster"],
    ),
    Trial(
        "file_lost (roster)",
        on_flash("file_lost"),
        ({"file": "data/roster"},) * 3,
        "roster_missing",
        lambda p: ["stored roster"],
    ),
)

TRIALS = READERS + TAGS + REST


def place_text(trial: Trial, place: Place) -> str:
    """A place for a test's name."""
    if isinstance(place, dict):
        return "-".join(str(value).rsplit("/", 1)[-1] for value in place.values())
    return str(place)


def table() -> str:
    """The table of docs/diagnosis.md: fault, three places, what is named, what decides."""
    lines = ["| fault | tried at | the report names | decided by |", "| --- | --- | --- | --- |"]
    for trial in TRIALS:
        places = ", ".join(dict.fromkeys(place_text(trial, place) for place in trial.places))
        named = " or ".join(trial.parts(trial.places[0]))
        decides = trial.decides or "measurement"
        lines.append(f"| {trial.name} | {places} | {named} (`{trial.finding}`) | {decides} |")
    return "\n".join(lines) + "\n"
