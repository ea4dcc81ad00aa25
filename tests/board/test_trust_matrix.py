"""Faults in each phase of a full game of Safranito: what is reported, when, and the way back.

`make soak ARGS="-k trust_matrix --rewrite"` writes the table of docs/faults.md.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from checkout import ROOT
from lab import Lab
from spiceboard_sim import faults
from spiceboard_sim.chips.ntag213 import Tag
from spicecore import games

ZONE = {"zone": "curry"}
CHIP = {"chip": "b10"}
FAULTS: dict[str, dict[str, Any]] = {
    "reader_dies": ZONE, "select_open": ZONE, "select_stuck": ZONE,
    "selects_swapped": {"zone": "curry", "other": "mint"}, "address_stuck": {"bit": 1},
    "miso_jammed": ZONE, "miso_stuck": {"level": 1}, "wire_drops_byte": {"n": 5},
    "long_wire": ZONE, "stuck_reset": ZONE, "reader_hangs": ZONE, "reader_forgets": ZONE,
    "clone_version": ZONE, "register_sticks": ZONE, "weak_antenna": ZONE, "antenna_open": ZONE,
    "neighbour_detunes": {"zone": "curry", "other": "ginger"}, "noise_at": ZONE,
    "noise_of_leds": ZONE, "tag_flickers": CHIP, "tag_dead": CHIP, "tag_slow": CHIP,
    "wrong_bcc": CHIP, "duplicate_uid": {"chip": "b10", "other": "r30"}, "stranger_tag": CHIP,
    "led_breaks": ZONE, "led_order": ZONE, "button_dead": {"button": "ok"}, "buzzer_dead": {},
    "supply_sags": {}, "brown_out": {}, "flash_full": {},
}  # fmt: skip
SHORT = ("reader_dies", "tag_dead")  # in make test
# One event with several effects: a supply dip resets readers and the board, and dims the LEDs.
TOGETHER = {"supply dip": ("supply_sags", "reader_forgets", "brown_out")}
VALUE = re.compile(rb'"[brgo][1-6]0"')
WORDS = {"reader", "mismatch", "doubt", "moved", "refused", "supply", "task", "journal", "resumed"}
LASTS_MS, STEP_MS = 5000, 100
LAID = {"b10": "curry", "r30": "mint", "b60": "mint", "r40": "cumin"}


def phases() -> Iterator[tuple[str, str, dict[str, str]]]:
    """(name, position, what lies there) of a game in each of its phases."""
    rules: Any = games.load("safranito")
    state = rules.new({"players": 2, "mode": "full", "seed": 5, "chef": 0})
    state, _ = rules.step(state, ["accept", None, [[c, z] for c, z in LAID.items()]])
    seen: set[str] = set()
    while len(seen) < 5:
        for chip in list(state["astray"]):
            state, _ = rules.step(state, ["moved", None, [[chip, None]]])
        name = state["phase"][0]
        if name not in seen:
            seen.add(name)
            yield name, rules.text(state), dict(state["lying"])
        asked = rules.seats_asked(state)[0]
        legal = [event for event in rules.legal(state, asked) if event[1] is not None]
        kinds = ("missed", "reveal", "close", "decline", "done", "next_round")
        wanted = [event for event in legal if event[0] in kinds]
        state, _ = rules.step(state, (wanted or legal)[0])


def differ(before: Any, after: Any, at: str = "") -> str:
    """Where two values differ, for the reader of a failure."""
    if isinstance(before, dict) and isinstance(after, dict) and before.keys() == after.keys():
        return "".join(differ(before[key], after[key], f"{at}.{key}") for key in before)
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        pairs = enumerate(zip(before, after, strict=True))
        return "".join(differ(a, b, f"{at}[{i}]") for i, (a, b) in pairs)
    return "" if before == after else f" {at}: {before} -> {after};"


class Cell:
    """One fault in one phase."""

    def __init__(self, names: tuple[str, ...], phase: str, text: str, lying: dict[str, str]):
        self.names, self.phase, self.text, self.lying = names, phase, text, lying
        self.told: dict[str, float] = {}

    def run(self) -> str:
        with Lab(seed=1) as lab:
            for chip, zone in self.lying.items():
                lab.world.lay(chip, zone)
            lab.boot()
            lab.good("new", game="safranito", options={}, position=self.text)
            keys = [lab.good("claim", seat=seat)["key"] for seat in (0, 1)]
            lab.run(1000)
            assert lab.good("snapshot")["mismatch"] == []
            before, tags = self.pages(lab, keys), self.chips(lab)
            lab.raw, uid = b"", lab.world.chips["b10"].tag.uid
            self.suffer(lab, tags)
            back = self.mend(lab, uid, keys)
            after = self.pages(lab, keys)
            assert after == before, f"something acknowledged is lost: {differ(before, after)}"
            self.go_on(lab, keys)
        return self.words() + back

    def suffer(self, lab: Lab, tags: dict[str, Any]) -> None:
        """The fault; what is told of it, and that nothing is silently less."""
        for name in self.names:
            faults.inject(lab.board, name, **FAULTS[name])
        lab.events.clear()
        for at in range(STEP_MS, LASTS_MS, STEP_MS):
            lab.run(STEP_MS)
            for event in lab.events:
                word = (event.get("board") or [""])[0]
                if word in WORDS and event["board"][1:] not in (["curry", "ok"], [[]]):
                    self.told.setdefault(" ".join([word, *self.state(event["board"])]), at / 1000)
            lab.events.clear()
        assert self.told or self.chips(lab) == tags, "a chip is gone and nobody was told"
        public = b"".join(
            line for line in lab.raw.split(b"\n") if b'"you"' not in line
        )  # a seat's own page names its own chips
        assert not VALUE.search(public), "a value was told"

    @staticmethod
    def state(item: list[Any]) -> list[str]:
        return [str(item[2])] if item[0] == "reader" else []

    @staticmethod
    def chips(lab: Lab) -> dict[str, Any]:
        chips: dict[str, Any] = lab.good("snapshot")["chips"]
        return chips

    @staticmethod
    def pages(lab: Lab, keys: list[str]) -> list[Any]:
        pages = [lab.good("view", seat=seat, key=key)["view"] for seat, key in enumerate(keys)]
        return [lab.good("snapshot")["game"]["view"], pages]

    def mend(self, lab: Lab, uid: bytes, keys: list[str]) -> str:
        """A tag is mended while the game runs, all else with the power off, as one solders."""
        hot = all("chip" in FAULTS[name] for name in self.names)
        if not hot:
            lab.board.kill()
            faults.repair(lab.board)
        for chip in LAID:
            lab.world.lift(chip)
        if hot:
            lab.run(1500)
        lab.world.chips["b10"].tag, lab.world.chips["b10"].mute = Tag(uid), 0.0
        for chip, zone in self.lying.items():
            lab.world.lay(chip, zone)
        if not hot:
            lab.restart()
            lab.boot()
        lab.run(3500)
        back = "" if hot else "; power off and on"
        if lab.good("snapshot")["mismatch"]:  # a throw that came and went: taken as it lies
            chef = lab.good("snapshot")["game"]["view"]["chef"]
            lab.good("accept", seat=chef, key=keys[chef])
            back += ", `ok` held"
        snapshot = lab.good("snapshot")
        assert self.well(lab), (self.names, self.phase, snapshot["readers"], snapshot["mismatch"])
        return back

    @staticmethod
    def well(lab: Lab) -> bool:
        snapshot = lab.good("snapshot")
        tasks = set(lab.good("status")["tasks"].values())
        return (
            set(snapshot["readers"].values()) == {"ok"}
            and not snapshot["mismatch"]
            and not snapshot["doubts"]
            and tasks == {"runs"}
        )

    @staticmethod
    def go_on(lab: Lab, keys: list[str]) -> None:
        asked = lab.good("snapshot")["game"]["asked"][0]
        legal = lab.good("view", seat=asked, key=keys[asked])["legal"]
        event = next(event for event in legal if event[1] is not None)
        lab.good("act", seat=asked, key=keys[asked], event=event)

    def words(self) -> str:
        first = sorted(self.told.items(), key=lambda item: item[1])[:3]
        return ", ".join(f"{word} {at:g} s" for word, at in first) or "nothing reported"


def matrix(names: dict[str, tuple[str, ...]]) -> list[str]:
    """Rows of the page. Every cell must pass; the assertion lists all that do not."""
    cells, failed, rows = list(phases()), [], []
    heads = [name for name, _, _ in cells]
    for name, parts in names.items():
        row = []
        for phase, text, lying in cells:
            try:
                row.append(Cell(parts, phase, text, lying).run())
            except AssertionError as error:
                failed.append(f"{name} in {phase}: {str(error)[:300]}")
                row.append("**fails**")
        rows.append(f"| {name} | {' | '.join(row)} |")
    assert not failed, "\n".join(failed)
    return [f"| fault | {' | '.join(heads)} |", "| --- " * (len(heads) + 1) + "|", *rows]


def test_faults_in_every_phase() -> None:
    """One fault of a reader and one of a tag; `make soak` runs all others."""
    rows = matrix({name: (name,) for name in SHORT})
    assert len(rows) == 4 and "reader dead" in rows[2], json.dumps(rows)


@pytest.mark.soak
def test_all_faults_in_every_phase(rewrite: bool) -> None:
    names = {name: (name,) for name in FAULTS} | TOGETHER
    rows = matrix(names)
    if rewrite:
        page = ROOT / "docs/faults.md"
        head = page.read_text().split("<!-- matrix -->")[0]
        page.write_text(head + "<!-- matrix -->\n" + "\n".join(rows) + "\n")
