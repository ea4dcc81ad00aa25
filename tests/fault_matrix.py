"""Faults in each phase of each game: what is reported, when, and the way back.

`Table` is a board on which a game stands in one phase; `Table.suffer` throws one fault into it.
`page` writes what was seen as the rows of docs/faults.md.
"""

import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lab import Lab
from spiceboard_sim import faults
from spiceboard_sim.chips.ntag213 import Tag
from spicecore import games
from spicecore.storage.journal import SLOTS
from spicecore.storage.on_demand.journal_read import waiting

Verbs = tuple[tuple[str, dict[str, Any]], ...]
ZONE, CHIP = {"zone": "curry"}, {"chip": "b10"}
ON_FLASH = ("file_corrupt", "file_cut", "file_lost")  # done while the board is off
LOG = "newest record"  # stands for the slot of the journal that has it


def one(verb: str, **arguments: Any) -> Verbs:
    """A fault that comes alone."""
    return ((verb, arguments),)


KINDS: dict[str, Verbs] = {  # the kinds that the diagnosis knows: tests/diag_matrix.py
    "reader_dies": one("reader_dies", **ZONE),
    "select_open": one("select_open", **ZONE),
    "select_stuck (it writes for ever)": one("select_stuck", **ZONE),
    "select_stuck (it talks for ever)": one("select_stuck", reading=True, **ZONE),
    "selects_swapped": one("selects_swapped", zone="curry", other="mint"),
    "address_stuck": one("address_stuck", bit=1),
    "miso_jammed": one("miso_jammed", **ZONE),
    "miso_stuck (high)": one("miso_stuck", level=1),
    "miso_stuck (low)": one("miso_stuck", level=0),
    "readers_unpowered": one("readers_unpowered"),
    "long_wire": one("long_wire", **ZONE),
    "bits_flip": one("bits_flip", chance=0.05, **ZONE),
    "stuck_reset": one("stuck_reset", **ZONE),
    "reader_hangs": one("reader_hangs", **ZONE),
    "reader_forgets": one("reader_forgets", **ZONE),
    "clone_version": one("clone_version", **ZONE),
    "register_sticks (gain)": one("register_sticks", **ZONE),
    "weak_antenna": one("weak_antenna", **ZONE),
    "antenna_open": one("antenna_open", **ZONE),
    "neighbour_detunes": one("neighbour_detunes", zone="curry", other="ginger"),
    "noise_at": one("noise_at", **ZONE),
    "noise_of_leds": one("noise_of_leds", **ZONE),
    "tag_flickers": one("tag_flickers", **CHIP),
    "tag_dead": one("tag_dead", **CHIP),
    "tag_slow": one("tag_slow", **CHIP),
    "wrong_bcc": one("wrong_bcc", **CHIP),
    "duplicate_uid": one("duplicate_uid", chip="b10", other="r30"),
    "stranger_tag": one("stranger_tag", **CHIP),
    "led_breaks": one("led_breaks", **ZONE),
    "led_order": one("led_order", **ZONE),
    "hall_stuck (high)": one("hall_stuck", millivolts=3300.0, **ZONE),
    "hall_stuck (low)": one("hall_stuck", millivolts=0.0, **ZONE),
    "hall_address_stuck": one("hall_address_stuck", bit=1),
    "hall_drifts": one("hall_drifts", millivolts=400.0, **ZONE),
    "hall_noisy": one("hall_noisy", millivolts=200.0),
    "button_stuck (ok)": one("button_stuck", button="ok"),
    "button_stuck (no)": one("button_stuck", button="no"),
    "button_dead": one("button_dead", button="ok"),
    "buzzer_dead": one("buzzer_dead"),
    "supply_sags": one("supply_sags"),
    "supply_dips": one("supply_dips"),
    "the watchdog bites": one("watchdog"),
    "flash_full": one("flash_full"),
    "file_corrupt (journal)": one("file_corrupt", file=LOG),
    "file_corrupt (settings)": one("file_corrupt", file="data/settings.a"),
    "file_cut (roster)": one("file_cut", file="data/roster.a", keep=5),
    "file_lost (roster)": one("file_lost", file="data/roster"),
}
OTHERS: dict[str, Verbs] = {  # that the diagnosis cannot see afterwards
    "wire_drops_byte": one("wire_drops_byte", n=5),
    "brown_out": one("brown_out"),
}
TOGETHER: dict[str, Verbs] = {  # what one event joins
    "a supply dip: readers, LEDs and a restart": (
        ("supply_sags", {}), ("reader_forgets", ZONE), ("brown_out", {}),
    ),
    "a tile is unplugged: reader, LED chain, hall sensor": (
        ("reader_dies", ZONE), ("led_breaks", ZONE), ("hall_stuck", {**ZONE, "millivolts": 0.0}),
    ),
    "a loose tile: bits, and a reader that forgets": (
        ("bits_flip", {**ZONE, "chance": 0.05}), ("reader_forgets", ZONE),
    ),
    "a loose ribbon cable: both decoders": (
        ("address_stuck", {"bit": 1}), ("hall_address_stuck", {"bit": 1}),
    ),
    "a bad charger: low supply, noise everywhere": (
        ("supply_sags", {}), ("noise_at", ZONE), ("noise_of_leds", {"zone": "mint"}),
        ("hall_noisy", {"millivolts": 200.0}),
    ),
    "a spilled drink: a stuck button, a detuned antenna": (
        ("button_stuck", {"button": "ok"}), ("weak_antenna", ZONE),
    ),
    "a restart on a full flash": (("flash_full", {}), ("brown_out", {})),
    "a restart beside a reader that is dead": (("reader_dies", ZONE), ("brown_out", {})),
    "a bumped table: a tag flickers, a byte is lost": (
        ("tag_flickers", CHIP), ("wire_drops_byte", {"n": 5}),
    ),
}  # fmt: skip
ALL = {**KINDS, **OTHERS, **TOGETHER}
# The key of a seat may be gone: its record is the damaged one, or a held `no` made it void.
KEYS_GO = ("file_corrupt (journal)", "button_stuck (no)")

VALUE = re.compile(rb'"[brgo][1-6]0"')
WORDS = ("reader", "mismatch", "doubt", "moved", "refused", "supply", "task", "journal", "resumed",
         "released", "aborted")  # fmt: skip
LASTS_MS, STEP_MS = 3600, 100
HANDS_MS = 4000  # until all is as it was, at most
LAID = {
    "b10": "curry", "r30": "mint", "b60": "mint", "r40": "cumin",
    "b20": "extra_throw", "r10": "spice_card", "b30": "reserve", "r20": "head_chef",
}  # fmt: skip
OPTIONS = {"players": 2, "mode": "full", "seed": 5}
# What is done first in each game, and what is preferred so that all phases are passed.
BEGINNINGS: dict[str, tuple[dict[str, Any], list[Any]]] = {
    "safranito": ({"chef": 0}, ["accept", None, [[c, z] for c, z in LAID.items()]]),
    "jaipur": ({"first": 0}, ["moved", None, [["b10", "curry"], ["b20", "extra_throw"]]]),
    "rathot": ({}, []),
    "ninebowls": ({"first": 0}, ["moved", None, [["b10", "curry"]]]),
}
PREFERRED = ("missed", "reveal", "draw", "keep", "reserve", "take", "close", "sell", "decline",
             "done", "camels", "turn_up")  # fmt: skip


@dataclass(frozen=True)
class Phase:
    """A game in one of its phases. text: its position; lying: {chip: zone} that goes with it."""

    game: str
    name: str
    text: str
    lying: dict[str, str] = field(hash=False)


def phases(game: str) -> Iterator[Phase]:
    """The game in each of its phases but the end."""
    rules: Any = games.load(game)
    options, first = BEGINNINGS[game]
    state = rules.new({**OPTIONS, **options})
    if first:
        state, _ = rules.step(state, first)
    seen: set[str] = set()
    while not rules.over(state) and state.get("round", 1) < 3:
        home = [[c, None] for c, _, due in rules.mismatch(state, dict(LAID)) if due is None]
        if home and game == "safranito":
            state, _ = rules.step(state, ["moved", None, home])
        name = state["phase"][0]
        if name not in seen:
            seen.add(name)
            lying = {c: due for c, _, due in rules.mismatch(state, {}) if due}
            yield Phase(game, name, rules.text(state), lying)
        asked = rules.seats_asked(state)[0]
        legal = [event for event in rules.legal(state, asked) if event[1] is not None]
        wanted = [event for kind in PREFERRED for event in legal if event[0] == kind]
        state, _ = rules.step(state, (wanted or legal)[0])


def differ(before: Any, after: Any, at: str = "") -> str:
    """Where two values differ, for the reader of a failure."""
    if isinstance(before, dict) and isinstance(after, dict) and before.keys() == after.keys():
        return "".join(differ(before[key], after[key], f"{at}.{key}") for key in before)
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        pairs = enumerate(zip(before, after, strict=True))
        return "".join(differ(a, b, f"{at}[{i}]") for i, (a, b) in pairs)
    return "" if before == after else f" {at}: {before} -> {after};"


def newest_record(flash: Path) -> str:
    """The file that holds the newest record of the journal, from the flash's folder on."""
    slots = waiting(str(flash / "data/log"), SLOTS)
    return f"data/log/slot{max(slots) % SLOTS}"


@dataclass
class Seen:
    """What came of a fault: {word: seconds until it was told}, and the way back."""

    told: dict[str, float] = field(default_factory=dict)
    back: str = ""


class Table:
    """A board with a game in one phase, set up again before each fault."""

    def __init__(self, lab: Lab, phase: Phase, spare: Path | None) -> None:
        self.lab, self.phase, self.spare = lab, phase, spare
        self.uids = {name: chip.tag.uid for name, chip in lab.world.chips.items()}
        self.halls = [hall.offset_mv for hall in lab.world.halls]
        if spare is not None:
            shutil.copytree(lab.flash() / "data", spare)

    # -- before it

    def set_up(self) -> None:
        """The game in its phase, chips where it wants them, everything well."""
        lab = self.lab
        if lab.good("snapshot")["game"]:
            lab.good("abort", confirm=True)
        self.lay()
        lab.run(500)
        lab.good("new", game=self.phase.game, options={}, position=self.phase.text)
        self.keys = [lab.good("claim", seat=seat)["key"] for seat in (0, 1)]
        self.wait()

    def lay(self) -> None:
        """Clear the table, and lay what lies in this phase."""
        world = self.lab.world
        for chip in world.order():
            world.lift(chip)
        for chip, zone in self.phase.lying.items():
            world.lay(chip, zone)

    def wait(self) -> None:
        """Until the board finds everything well."""
        for _ in range(HANDS_MS // STEP_MS):
            self.lab.run(STEP_MS)
            if not self.trouble():
                return
        raise AssertionError(f"not well again: {self.trouble()}")

    def trouble(self) -> str:
        """What the board finds wrong."""
        snapshot, status = self.lab.good("snapshot"), self.lab.good("status")
        wrong = {name: state for name, state in snapshot["readers"].items() if state != "ok"}
        wrong |= {name: state for name, state in status["tasks"].items() if state != "runs"}
        for name in ("mismatch", "doubts"):
            wrong |= {name: snapshot[name]} if snapshot[name] else {}
        wrong |= {} if status["ready"] else {"ready": False}
        return str(wrong) if wrong else ""

    def pages(self) -> list[Any]:
        """All that anybody may know."""
        lab = self.lab
        pages = [lab.good("view", seat=s, key=key)["view"] for s, key in enumerate(self.keys)]
        return [lab.good("snapshot")["game"]["view"], pages]

    def chips(self) -> dict[str, Any]:
        chips: dict[str, Any] = self.lab.good("snapshot")["chips"]
        return chips

    # -- the fault, and after it

    def suffer(self, name: str) -> Seen:
        """Throw a fault; AssertionError where something is lost, silent or told too early."""
        self.set_up()
        before, chips = self.pages(), self.chips()
        seen = Seen()
        self.lab.raw = b""
        self.inject(ALL[name])
        self.watch(seen)
        assert seen.told or self.chips() == chips, "a chip is gone and nobody was told"
        public = (line for line in self.lab.raw.split(b"\n") if b'"you"' not in line)
        assert not VALUE.search(b"".join(public)), "a value was told"
        self.mend(name, seen)
        if name in KEYS_GO:
            self.claim_again()
        after = self.pages()
        assert after == before, f"something acknowledged is lost: {differ(before, after)}"
        self.go_on()
        return seen

    def inject(self, verbs: Verbs) -> None:
        lab, board = self.lab, self.lab.board
        lab.events.clear()
        for verb, arguments in verbs:
            if verb == "watchdog":
                board.start(3)
            elif verb in ON_FLASH:
                board.kill()
                file = arguments["file"]
                file = newest_record(lab.flash()) if file == LOG else file
                faults.inject(board, verb, **{**arguments, "file": file})
                lab.restart()
            else:
                faults.inject(board, verb, **arguments)

    def watch(self, seen: Seen) -> None:
        """What the board says for some seconds."""
        lab = self.lab
        for at in range(STEP_MS, LASTS_MS, STEP_MS):
            lab.run(STEP_MS)
            for event in lab.events:
                item = event.get("board") or [""]
                well = item[1:] == [[]] or (item[0] == "reader" and item[2] == "ok")
                if item[0] in WORDS and not well:
                    word = f"reader {item[2]}" if item[0] == "reader" else str(item[0])
                    seen.told.setdefault(word, at / 1000)
            lab.events.clear()

    def mend(self, name: str, seen: Seen) -> None:
        """A tag is mended while the game runs, all else with the power off, as one solders."""
        lab, world = self.lab, self.lab.world
        hot = all("chip" in arguments for _, arguments in ALL[name])
        if not hot:
            seen.back = "off and on"
            lab.board.kill()
            faults.repair(lab.board)
            for hall, offset in zip(world.halls, self.halls, strict=True):
                hall.offset_mv = offset
            if self.spare is not None:
                for path in self.spare.glob("*.?"):
                    shutil.copy(path, lab.flash() / "data")
        world.lift("b10")
        if hot:
            lab.run(1500)
        chip = world.chips["b10"]
        chip.tag, chip.mute = Tag(self.uids["b10"]), 0.0
        self.lay()
        if not hot:
            lab.restart()
            lab.boot()
        lab.run(1500)
        if lab.good("snapshot")["mismatch"]:  # a throw that came and went: taken as it lies
            self.accept()
            seen.back += ", `ok` held" if seen.back else "`ok` held"
        self.wait()

    def accept(self) -> None:
        """The head chef holds `ok`: the board is taken as it lies."""
        chef = self.lab.good("snapshot")["game"]["view"].get("chef", 0)
        self.lab.ask("accept", seat=chef, key=self.keys[chef])

    def claim_again(self) -> None:
        for seat in (0, 1):
            reply = self.lab.ask("claim", seat=seat)
            self.keys[seat] = reply.get("key", self.keys[seat])

    def go_on(self) -> None:
        """The next decision is taken."""
        lab = self.lab
        asked = lab.good("snapshot")["game"]["asked"][0]
        reply = lab.good("view", seat=asked, key=self.keys[asked])
        rules: Any = games.load(self.phase.game)
        legal = rules.unpacked(reply["packed"]) if "packed" in reply else reply["legal"]
        event = next(event for event in legal if event[1] is not None)
        lab.good("act", seat=asked, key=self.keys[asked], event=event)


# -- the page

Told = tuple[dict[str, float], str]  # of Seen


def grouped(by_phase: dict[str, Told]) -> str:
    """A cell: what was told in which phases, phases alike together, the most of them last."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for phase, (told, back) in by_phase.items():
        groups.setdefault((*first(told), back), []).append(phase)
    parts = []
    for (*words, back), names in sorted(groups.items(), key=lambda item: len(item[1])):
        said = [f"{word} {span([by_phase[name][0][word] for name in names])}" for word in words]
        where = ", ".join(f"`{name}`" for name in names) + ": " if len(groups) > 1 else ""
        parts.append(
            where + (", ".join(said) or "nothing reported") + (f"; {back}" if back else "")
        )
    return ". ".join(parts)


def first(told: dict[str, float]) -> list[str]:
    """The three words that were told first, by name: their order may differ by a sweep."""
    return sorted([word for word, _ in sorted(told.items(), key=lambda item: item[1])[:3]])


def span(times: list[float]) -> str:
    """From the shortest to the longest."""
    low, high = min(times), max(times)
    return f"{low:g} s" if low == high else f"{low:g} to {high:g} s"


def page(found: dict[Phase, dict[str, Any]]) -> list[str]:
    """The table's rows: one for each fault, a column for each game."""
    columns = list(dict.fromkeys(phase.game for phase in found))
    lines = [f"| fault | runs | {' | '.join(columns)} |", "| --- " * (len(columns) + 2) + "|"]
    for name in ALL:
        cells = [
            grouped(
                {phase.name: seen[name] for phase, seen in found.items() if phase.game == game}
            )
            for game in columns
        ]
        lines.append(f"| {name} | {len(found)} | {' | '.join(cells)} |")
    return lines
