"""`spiceboard roster` on a simulated board, by a person who lays and lifts chips."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from diag_bench import LAID, Bench
from spiceboard.commands.roster import hearing, read, spoken
from spiceboard.errors import UserError
from spiceboard_sim import faults
from spicecore.parts import CHIPS


@pytest.fixture
def bench(made: Bench) -> Bench:
    """A healthy board with no chip on it."""
    made.heal()
    for chip in LAID:
        made.board.world.place(chip, None)
    made.board.run_for(300)
    made.board.read()
    return made


def texts(said: list[dict[str, Any]]) -> str:
    return "\n".join(str(message.get("text")) for message in said)


class Hand:
    """Does what the pairing asks for, and looks at the ring meanwhile."""

    def __init__(self, bench: Bench, wrong: dict[str, str] | None = None) -> None:
        self.world = bench.board.world
        self.bench = bench
        self.wrong = wrong or {}  # {asked chip: what is laid first}
        self.rings: dict[str, tuple[int, int, int]] = {}
        self.lying = ""

    def __call__(self, text: str) -> None:
        if asked := re.search(r"Lay .*\(`(\w+)`\) into `(\w+)`", text):
            chip, self.zone = asked.groups()
            self.asked = chip
            self.bench.board.run_for(40)
            self.lying = self.wrong.pop(chip, chip)
            self.world.lay(self.lying, self.zone)
        elif "refused" in text or "lift it" in text or "Lift it" in text:
            self.bench.board.run_for(10)
            self.rings[self.asked] = self.world.rings()[self.zone][0]
            self.world.lift(self.lying)
            if "refused" in text:
                self.lying = self.asked
                self.world.lay(self.asked, self.zone)


def test_pairs_a_set_and_says_what_begins_alike(bench: Bench) -> None:
    uids = {"b10": "04aabbcc000001", "r30": "04aabbcc000002", "mill": "0411223344"[:8]}
    bench.ask("roster_set", chips=dict.fromkeys(CHIPS))
    for chip, uid in uids.items():
        faults.inject(bench.board, "stranger_tag", chip=chip, uid=uid)
    hand = Hand(bench)
    code, said = bench.command("roster", "pair", "--only", "r30,b10,mill", watch=hand)
    assert code == 0, bench.words()
    stored = bench.ask("roster")["chips"]
    assert {chip: uid for chip, uid in stored.items() if uid} == uids
    assert "note: b10 and r30 begin alike" in texts(said)
    assert "[1/3] Lay Blue 10" in texts(said) and "the pepper mill" in texts(said)
    assert not bench.ask("status")["maintenance"]


def test_refuses_a_tag_that_is_another_chip(bench: Bench) -> None:
    bench.ask("roster_set", chips={"b20": None})
    hand = Hand(bench, wrong={"b20": "g10"})
    code, said = bench.command("roster", "pair", watch=hand)
    assert code == 0, bench.words()
    uid = bench.board.world.chips["g10"].tag.uid.hex()
    assert f"refused: tag {uid} already belongs to `g10`" in texts(said)
    assert bench.ask("roster")["chips"]["b20"] == bench.board.world.chips["b20"].tag.uid.hex()
    assert hand.rings["b20"][1] > 0 and hand.rings["b20"][0] == 0  # green: it is stored


def test_waits_no_longer_than_told(bench: Bench) -> None:
    code, _ = bench.command("roster", "pair", "--only", "o10", "--seconds", "0.03")
    assert code == 1 and "no tag of Orange 10 was seen" in bench.words()
    assert not bench.ask("status")["maintenance"]


def test_nothing_to_pair(bench: Bench) -> None:
    code, said = bench.command("roster", "pair")
    assert code == 0 and "Every chip has a tag" in texts(said)


def test_export_and_import_are_inverse(bench: Bench, tmp_path: Path) -> None:
    path = tmp_path / "roster.json"
    before = bench.ask("roster")["chips"]
    assert bench.command("roster", "export", str(path))[0] == 0
    bench.ask("roster_set", chips={"b10": None, "mill": None})
    code, said = bench.command("roster", "import", str(path))
    assert code == 0 and "25 chips stored" in texts(said)
    assert bench.ask("roster")["chips"] == before
    code, said = bench.command("roster")
    assert code == 0 and f"b10   {before['b10']}" in texts(said)


def test_an_export_replaces_no_file_unasked(bench: Bench, tmp_path: Path) -> None:
    path = tmp_path / "roster.json"
    path.write_text("a letter to my aunt")
    code, said = bench.command("roster", "export", str(path))
    assert code == 2 and not said
    assert "is not overwritten: name another file, or use --overwrite" in bench.words()
    assert path.read_text() == "a letter to my aunt"
    assert bench.command("roster", "export", str(path), "--overwrite")[0] == 0, bench.words()
    assert len(read(path)) == len(CHIPS)


def test_for_programs(bench: Bench) -> None:
    stored = bench.ask("roster")
    code, (said,) = bench.command("roster", "--json")
    assert code == 0 and said["chips"] == stored["chips"] and said["version"] == stored["version"]
    bench.board.world.lay("r30", "cumin")
    code, (said,) = bench.command("roster", "find", "r30", "--json")
    assert code == 0 and said == {"chip": "r30", "zone": "cumin", "heard": ["cumin"]}
    code, (said,) = bench.command("roster", "find", "g60", "--json")
    assert code == 1 and said == {"chip": "g60", "zone": None, "heard": []}
    code, (said,) = bench.command("roster", "strangers", "--json")
    assert code == 0 and said == {"strangers": [], "unread": {}}
    faults.inject(bench.board, "stranger_tag", chip="o10")
    bench.board.world.lay("o10", "mint")
    code, (said,) = bench.command("roster", "--json", "strangers")
    assert code == 1 and said["strangers"] == [{"zone": "mint", "tag": "04c0ffee123456"}]
    code, nothing = bench.command("roster", "--json", "pair")
    assert code == 2 and not nothing and "--json does not work with `pair`" in bench.words()


def test_an_import_asks_before_chips_lose_their_tag(bench: Bench, tmp_path: Path) -> None:
    before = bench.ask("roster")
    path = tmp_path / "part.json"
    path.write_text(json.dumps({"spiceboard roster": 1, "chips": {"b10": "00000000"}}))
    code, said = bench.command("roster", "import", str(path))
    assert code == 2 and not said
    assert "does not contain 24 of the chips" in bench.words() and "b20, b30" in bench.words()
    after = bench.ask("roster")
    assert after["chips"] == before["chips"] and after["version"] == before["version"]
    code, said = bench.command("roster", "import", str(path), "--yes")
    assert code == 0 and "1 chips stored" in texts(said)
    code, said = bench.command("roster", "import", str(path))  # nothing is lost this time
    assert code == 0, bench.words()
    assert {c: u for c, u in bench.ask("roster")["chips"].items() if u} == {"b10": "00000000"}


def test_a_bad_file_leaves_the_board_alone(bench: Bench, tmp_path: Path) -> None:
    path = tmp_path / "bad.json"
    before = bench.ask("roster")["version"]
    path.write_text(json.dumps({"spiceboard roster": 1, "chips": {"b10": "zz"}}))
    code, _ = bench.command("roster", "import", str(path))
    assert code == 2 and "b10" in bench.words()
    assert bench.ask("roster")["version"] == before


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "not JSON"),
        ("[" * 100_000, "nested too deeply"),
        ("[" * 900 + "]" * 900, "nested too deeply"),
        ("[]", "not a roster"),
        ('{"chips": {}}', "not a roster"),
        ('{"spiceboard roster": 1, "chips": {"b99": null}}', "no chip b99"),
        ('{"spiceboard roster": 1, "chips": {"b10": "04"}}', "not a UID"),
        ('{"spiceboard roster": 1, "chips": {"b10": 4}}', "not a UID"),
        ('{"spiceboard roster": 1, "chips": {"b10": "88112233"}}', "never begins with 88"),
        ('{"spiceboard roster": 1, "chips": {"b10": "04112233", "g10": "04112233"}}', "both b10"),
    ],
)
def test_what_is_wrong_with_a_file(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "roster.json"
    path.write_text(text)
    with pytest.raises(UserError, match=why):
        read(path)
    with pytest.raises(UserError, match="cannot read"):
        read(tmp_path / "nothing.json")


def test_finds_a_chip_and_lights_its_ring(bench: Bench) -> None:
    bench.board.world.lay("r30", "cumin")
    lit = []
    code, said = bench.command(
        "roster",
        "find",
        "r30",
        watch=lambda text: lit.append((bench.board.run_for(60), bench.board.world.rings())),
    )
    assert code == 0 and texts(said) == "Red 30 is in `cumin`."
    code, said = bench.command("roster", "find", "g60")
    assert code == 1 and "not in any zone" in texts(said)
    code, _ = bench.command("roster", "find", "x1")
    assert code == 2 and "no chip x1" in bench.words()


def test_a_chip_that_two_zones_hear_is_in_neither(bench: Bench) -> None:
    faults.inject(bench.board, "duplicate_uid", chip="b10", other="r30")
    bench.board.world.lay("b10", "mint")
    bench.board.world.lay("r30", "garlic")
    code, said = bench.command("roster", "find", "r30")
    assert code == 1 and "another chip has a copy of its tag" in texts(said)
    code, (found,) = bench.command("roster", "find", "r30", "--json")
    assert code == 1 and found["zone"] is None and set(found["heard"]) == {"mint", "garlic"}


def test_the_best_zone_counts_where_it_needs_clearly_less_gain() -> None:
    def tags(*steps: int) -> dict[str, list[list[object]]]:
        return {
            zone: [["aa", None, step]]
            for zone, step in zip(("mint", "curry"), steps, strict=False)
        }

    assert hearing(tags(1, 2), "aa") == ["mint"]
    assert hearing(tags(3, 1), "aa") == ["curry"]
    assert hearing(tags(2, 3), "aa") == ["mint", "curry"]
    assert hearing(tags(1, 1), "bb") == []


def test_finds_strangers(bench: Bench) -> None:
    code, said = bench.command("roster", "strangers")
    assert code == 0 and "no strangers" in texts(said)
    faults.inject(bench.board, "stranger_tag", chip="o10")
    bench.board.world.lay("o10", "mint")
    code, said = bench.command("roster", "strangers")
    assert code == 1 and texts(said) == "mint: 04c0ffee123456"


def test_a_full_game_keeps_its_secrets(bench: Bench, tmp_path: Path) -> None:
    reply = bench.ask("new", game="safranito", options={"players": 2, "mode": "full", "seed": 1})
    assert "error" not in reply, reply
    path = tmp_path / "roster.json"
    for words in (
        ("roster",),
        ("roster", "find", "r30"),
        ("roster", "strangers"),
        ("roster", "export", str(path)),
        ("roster", "pair", "--again"),
    ):
        code, said = bench.command(*words)
        assert code == 1 and not said, (words, said)
        assert "secrets" in bench.words()
    assert not path.exists()
    assert bench.ask("snapshot")["game"]["step"] == 0  # the game goes on as it was


def test_names_are_spoken() -> None:
    assert spoken("r30") == "Red 30" and spoken("mill") == "the pepper mill"
