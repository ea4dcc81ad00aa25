"""Thresholds from guided placements, on a simulated board whose zones and tags differ."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, cast

import pytest

from spiceboard.board.client import Client, Refused
from spiceboard.diag import thresholds
from spiceboard.diag.placements import NEVER, Guide, Heard
from spiceboard_sim.board.geometry import CHIP_RADIUS, CHIP_THICKNESS, TAG_RESONANCE, ZONE
from spiceboard_sim.board.process import SimulatedBoard
from spiceboard_sim.board.world import World
from spiceboard_sim.headless import BoardLink
from spiceboard_sim.rf.tag import TagCircuit
from spiceboard_sim.study import verdict
from spiceboard_sim.throws.pose import Pose

# A weak receiver, a sensitive one, a detuned loop, tags of another make, and a zone as it should
# be: each has a chip of its own.
CHIPS = {"mint": "b10", "curry": "b20", "cumin": "r10", "saffron": "g10", "garlic": "o10"}
INSIDE, OUTSIDE = 1.0, -1.3  # mm inside the limit: where a person lays "edge" and "outside"
TRIED = (1.0, -1.0, -1.3)  # and where the verdict is tried


def pose(zone: str, inside: float, level: int = 0) -> Pose:
    """Flat, so many mm inside the limit, in a direction in which no other zone is near."""
    place = ZONE[zone]
    off = max(0.0, place.radius + 3 - inside)
    floor = -place.depth if off < place.radius - CHIP_RADIUS else 0.0
    y = place.y + (off if place.y < 100 else -off)
    return Pose(place.x, y, floor + CHIP_THICKNESS * level)


class Hands:
    """A person who lays what they are asked for."""

    def __init__(self, world: World) -> None:
        self.world = world

    def ask(self, key: str, text: str, choices: list[str]) -> str:
        if "done" not in choices:  # is it true that nothing is heard?
            return "yes" if "yes" in choices else "skip"
        for zone, chip in CHIPS.items():
            inside = {"edge": INSIDE, "outside": OUTSIDE}.get(key, 45.0)
            self.world.place(chip, pose(zone, inside))
        if key == "stack":
            self.stack()
        return "done"

    def stack(self) -> None:
        others = iter(name for name in self.world.chips if name not in CHIPS.values())
        for zone, chip in CHIPS.items():
            for level in range(1, thresholds.STACK):
                name = next(others)
                self.world.chips[name].circuit = self.world.chips[chip].circuit
                self.world.place(name, pose(zone, 45.0, level))


class Table:
    """A board whose zones differ, with a client."""

    def __init__(self) -> None:
        self.world = World(5)
        for chip in self.world.chips.values():
            chip.circuit = TagCircuit(TAG_RESONANCE)
        self.board = SimulatedBoard(self.world)
        self.client = Client(BoardLink(self.board))
        self.client.connect()
        self.world.fields["mint"].gain = 0.55
        self.world.fields["curry"].gain = 1.35
        self.world.fields["cumin"].drive = 0.8
        tag = self.world.chips[CHIPS["saffron"]]
        tag.circuit = replace(tag.circuit, resonance=18.5e6)
        self.board.run_for(2500)

    def clear(self) -> None:
        for name in self.world.chips:
            self.world.place(name, None)

    def tried(self) -> Counter[str]:
        """What the board says of each chip: right, ghost, missing; needless: a doubt about a chip
        that lies 1 mm inside or more."""
        found: Counter[str] = Counter()
        for inside in TRIED:
            self.clear()
            self.board.run_for(1500)
            for zone, chip in CHIPS.items():
                self.world.place(chip, pose(zone, inside))
            self.board.run_for(2500)
            rows = verdict.rows(self.world, self.client.request("snapshot"))
            assert len(rows) == len(CHIPS)
            for row in rows:
                needless = row.said == "doubt" and row.margin >= 1
                found["needless" if needless else row.said] += 1
        return found

    def calibrate(self, hands: Hands, zones: list[str]) -> Guide:
        """As the command does it."""
        self.clear()
        guide = Guide(self.client, hands, zones, 10)
        self.client.request("maintain", on=True)
        for done in thresholds.ask(guide):
            found, _lines = thresholds.report(guide, done)
            if found:
                self.client.request("settings_set", values=thresholds.settings(found))
        self.client.request("maintain", on=False)
        return guide


@pytest.fixture
def table() -> Iterator[Table]:
    made = Table()
    with made.board:
        yield made


def test_thresholds_of_each_zone_make_fewer_wrong_verdicts(table: Table) -> None:
    before = table.tried()
    guide = table.calibrate(Hands(table.world), list(CHIPS))
    assert not guide.left_out
    stored = table.client.request("settings")["values"]
    pairs = {zone: (stored["gain"][zone], stored["margin_db"][zone]) for zone in CHIPS}
    assert pairs["garlic"] == (2, 10), "an ordinary zone keeps the defaults"
    assert pairs["mint"] == (3, 5) and pairs["curry"] == (1, 5)
    after = table.tried()
    assert before["needless"] >= 2, before
    assert not after["ghost"] + after["missing"] + after["needless"], after
    assert after["right"] >= before["right"]


# --- what was not laid, or laid wrongly ---


class Reader:
    """The replies to `diag read` of a board that hears {zone: {uid: lowest gain step}}."""

    def __init__(self, heard: dict[str, dict[str, int]]) -> None:
        self.heard = heard
        self.dead: set[str] = set()

    def request(self, do: str, **given: Any) -> dict[str, Any]:
        if do == "maintain":
            return {"on": given["on"]}
        if given["zone"] in self.dead:
            raise Refused("no_reader", "reader does not answer")
        tags = self.heard.get(given["zone"], {})
        seen = {uid: given["n"] for uid, lowest in tags.items() if lowest <= given["gain"]}
        return {"n": given["n"], "seen": seen}


class Answers:
    """A person with prepared hands: {key: [(what is heard then, answer), ...]}."""

    def __init__(self, reader: Reader, script: dict[str, list[tuple[Any, str]]]) -> None:
        self.reader, self.script = reader, script
        self.told: list[str] = []

    def ask(self, key: str, text: str, choices: list[str]) -> str:
        self.told.append(text)
        heard, answer = self.script[key].pop(0)
        if heard is not None:
            self.reader.heard = heard
        assert answer in choices, (key, text, choices)
        return answer


MIDDLE, EDGE, OUT = {"aa": 1}, {"aa": 1}, {"aa": 2}
STACKED = {"aa": 1, "bb": 1, "cc": 1}
GOOD: dict[str, list[tuple[Any, str]]] = {
    "middle": [({"mint": MIDDLE}, "done")],
    "edge": [({"mint": EDGE}, "done")],
    "outside": [({"mint": OUT}, "done")],
    "stack": [({"mint": STACKED}, "done")],
}


def followed(changes: dict[str, list[tuple[Any, str]]]) -> tuple[Guide, Answers, dict[str, Any]]:
    """Mint is calibrated, with other hands than GOOD in some steps."""
    reader = Reader({})
    script = {key: list(rows) for key, rows in (GOOD | changes).items()}
    answers = Answers(reader, script)
    guide = Guide(cast(Client, reader), answers, ["mint"], 10)
    found: dict[str, Any] = {}
    for done in thresholds.ask(guide):
        found |= thresholds.report(guide, done)[0]
    return guide, answers, found


def test_default_steps_give_the_default_threshold() -> None:
    _, _, found = followed({})
    assert (found["mint"].gain, found["mint"].margin_db, found["mint"].notes) == (2, 10, ())


def test_a_step_that_was_not_done_is_asked_for_again() -> None:
    late = {"middle": [({}, "done")], "middle mint": [({"mint": MIDDLE}, "again")]}
    _, answers, found = followed(late)
    assert found and any("no chip is heard at any gain" in text for text in answers.told)


def test_silence_outside_is_believed_only_if_a_person_says_so() -> None:
    silent = {"outside": [({}, "done")], "outside mint": [(None, "yes")]}
    _, answers, found = followed(silent)
    assert found["mint"].inside == 1
    assert any("no chip is heard, as it should be if" in text for text in answers.told)


def test_a_step_that_is_skipped_leaves_the_zone_as_it_is() -> None:
    for step in GOOD:
        guide, _, found = followed({step: [(None, "skip")]})
        assert not found and guide.left_out == {"mint": f"the step `{step}` was skipped"}


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"edge": [({"mint": {"dd": 1}}, "done")], "edge mint": [(None, "skip")]},
         "another chip than the one in the middle"),
        ({"middle": [({"mint": {"aa": 1, "bb": 1}}, "done")], "middle mint": [(None, "skip")]},
         "2 chips are heard, and only one"),
        ({"outside": [({"mint": {"aa": 0}}, "done")], "outside mint": [(None, "skip")]},
         "heard better than at the edge"),
        ({"stack": [({"mint": STACKED | {"dd": 1}}, "done")], "stack mint": [(None, "skip")]},
         "4 chips are heard, and 3"),
        ({"outside": [({"mint": EDGE}, "done")]}, "as well as one in the middle"),
        ({"middle": [({"mint": {"aa": 5}}, "done")], "edge": [({"mint": {"aa": 5}}, "done")],
          "outside": [({}, "done")], "outside mint": [(None, "yes")]}, "couples too weakly"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_told_and_not_stored(
    changes: dict[str, list[tuple[Any, str]]], sentence: str
) -> None:
    guide, _, found = followed(changes)
    assert not found and sentence in guide.left_out["mint"]


def test_a_tag_in_two_zones_is_told() -> None:
    reader = Reader({})
    both = {"mint": MIDDLE, "curry": MIDDLE}
    script = {"middle": [(both, "done")], "middle mint": [(None, "skip")],
              "middle curry": [(None, "skip")], "edge": [(None, "skip")]}  # fmt: skip
    answers = Answers(reader, script)
    guide = Guide(cast(Client, reader), answers, ["mint", "curry"], 10)
    list(thresholds.ask(guide))
    assert any("the tag aa is heard in `mint` too" in text for text in answers.told)
    assert set(guide.left_out) == {"mint", "curry"}


def test_a_dead_reader_leaves_only_its_zone_out() -> None:
    reader = Reader({})
    reader.dead.add("curry")
    answers = Answers(reader, {key: list(rows) for key, rows in GOOD.items()})
    guide = Guide(cast(Client, reader), answers, ["mint", "curry"], 10)
    done = [zone for zones in thresholds.ask(guide) for zone in zones]
    assert done == ["mint"] and "does not answer" in guide.left_out["curry"]


def test_a_stack_that_needs_more_gain_and_one_that_is_silent() -> None:
    weak = {"aa": 1, "bb": 2, "cc": 2}
    _, _, found = followed({"stack": [({"mint": weak}, "done")]})
    assert (found["mint"].inside, found["mint"].gain) == (1, 2)
    assert "in a stack are heard weakly" in found["mint"].notes[0]
    far = {"outside": [({"mint": {"aa": 4}}, "done")], "stack": [({"mint": weak}, "done")]}
    assert followed(far)[2]["mint"].inside == 2, "nothing outside is heard so early"
    fewer = {"stack": [({"mint": {"aa": 1}}, "done")], "stack mint": [(None, "yes")]}
    _, answers, found = followed(fewer)
    assert found and any("only 1 of 3 chips" in text for text in answers.told)


def test_shares_between_heard_and_not_heard() -> None:
    heard = Heard({"aa": [0.0, 0.3, 0.95, 1.0, 1.0, 1.0]})
    assert heard.lowest(["aa"]) == 2 and heard.lowest(["aa"], 0.25) == 1
    assert Heard().lowest() == NEVER and Heard().uids() == set()
