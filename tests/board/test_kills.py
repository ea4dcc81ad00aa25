"""Kill the board at random moments of whole games: what it acknowledged is never lost.

Killed 60 times, and 200 times in `make test-all`: every sixth time inside a write to the journal
(a file may not grow beyond a byte within the record, in its slot or in the log, and the process is
ended by the write that tries), the rest by SIGKILL at a random moment. After each the power
returns on the same flash.
"""

import random
from pathlib import Path

import pytest

from lab import Lab
from spicecore.games.safranito import rules as safranito

KILLS = [40, pytest.param(200, marks=pytest.mark.slow)]
IN_WRITES = 6  # every so many kills


class Player:
    """A host that plays any legal event of any seat, and remembers what was acknowledged."""

    def __init__(self, lab: Lab, chance: random.Random) -> None:
        self.lab = lab
        self.chance = chance
        self.keys: dict[int, str] = {}
        self.acknowledged: tuple[int, str] = (0, "")  # step, position text behind it
        self.games = 0

    def begin(self) -> None:
        self.lab.good(
            "new",
            game="safranito",
            options={"players": 2, "mode": "referee", "seed": self.games},
            sensing="wire",
        )
        self.games += 1
        self.keys = {}
        self.note()

    def note(self) -> None:
        """What the board says of itself is acknowledged by saying it."""
        snapshot = self.lab.good("snapshot")["game"]
        self.acknowledged = (snapshot["step"], self.lab.good("text")["text"])

    def requests(self) -> list[dict[str, object]]:
        """What could be done now: decisions, a throw, an undo."""
        position = safranito.parse(self.acknowledged[1])
        seat = safranito.seats_asked(position)[0] if safranito.seats_asked(position) else 0
        able: list[dict[str, object]] = []
        for event in safranito.legal(position, seat):
            if event[0] == "moved":
                zone = self.chance.choice(["curry", "mint", "saffron", "reserve"])
                able.append({"do": "sense", "moves": [[event[2][0][0], zone]]})
            else:
                able.append({"do": "act", "event": event})
        lift = [[chip, None] for chip, zone in position["astray"].items() if zone is not None]
        if lift and self.chance.random() < 0.7:
            return [{"do": "sense", "moves": lift}]
        if self.chance.random() < 0.08:
            able.append({"do": "undo"})
        return able


def after(text: str, request: dict[str, object]) -> str | None:
    """Position text after the request, by the rules alone; None: an undo."""
    position = safranito.parse(text)
    if request["do"] == "undo":
        return None
    if request["do"] == "sense":
        event = safranito.sensed(position, request["moves"])
    else:
        event = request["event"]
    return safranito.text(safranito.step(position, event)[0])


@pytest.fixture(scope="module", params=KILLS)
def story(
    tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> dict[str, int]:
    """Play and kill; every comparison is in here, the tests look at the counts."""
    counts = dict.fromkeys(
        "kills in_writes kept unacknowledged torn ended games rounds phases".split(), 0
    )
    rounds, phases = set(), set()
    chance = random.Random(5)
    flash = tmp_path_factory.mktemp("flash")
    with Lab(seed=2, flash=flash, full="cut") as lab:
        lab.run(1200)
        player = Player(lab, chance)
        player.begin()
        while counts["kills"] < request.param:
            for _ in range(chance.randrange(3)):
                if not player.requests():
                    break
                lab.ask(**chance.choice(player.requests()))  # type: ignore[arg-type]
                player.note()
            if not safranito.seats_asked(safranito.parse(player.acknowledged[1])):
                lab.ask("abort", confirm=True)
                player.begin()
                continue
            position = safranito.parse(player.acknowledged[1])
            rounds.add((player.games, position["round"]))
            phases.add(position["phase"][0])
            kill(lab, player, chance, flash, counts)
        counts["games"] = player.games
        counts["rounds"], counts["phases"] = len(rounds), len(phases)
        print(counts)
    return counts


def stored(flash: Path) -> dict[str, bytes]:
    """{name: content} of the journal's files."""
    return {path.name: path.read_bytes() for path in (flash / "data/log").iterdir()}


def kill(
    lab: Lab, player: Player, chance: random.Random, flash: Path, counts: dict[str, int]
) -> None:
    """Ask for something, end the board meanwhile, start it again and compare."""
    step, text = player.acknowledged
    request = chance.choice(player.requests())
    before = stored(flash)
    inside = counts["in_writes"] < (counts["kills"] + 7) // IN_WRITES
    if inside:
        size = len(before[max(name for name in before if name.endswith(".log"))])
        lab.board.limit_flash(chance.randrange(1, 60) + chance.choice((0, 0, size)))
    number = lab.send(**request)
    for _ in range(chance.randrange(60) if not inside else 400):
        lab.run(1)
        if lab.board.state != "running" or number in lab.replies:
            break
    acknowledged = "ok" in lab.replies.get(number, {})
    if lab.board.state != "running":
        counts["in_writes"] += 1
    lab.board.kill()
    lab.take()
    counts["kills"] += 1
    after_it = stored(flash)
    counts["torn"] += any(not content.endswith(b"\n") for content in after_it.values())
    lab.replies.clear()
    lab.restart()
    lab.run(550)
    snapshot = lab.good("snapshot")
    if snapshot["game"] is None:  # what was asked for ended the game
        counts["ended"] += 1
        expected = after(text, request)
        assert expected is not None and safranito.over(safranito.parse(expected)), request
        assert snapshot["last"] == ["safranito", safranito.standing(safranito.parse(expected))]
        player.begin()
        return
    player.note()
    new_step, new_text = player.acknowledged
    assert new_step in (step, step + 1), (request, step, new_step, lab.console)
    if acknowledged:
        counts["kept"] += 1
    if new_step == step:
        assert new_text == text, request
        assert not acknowledged, request
        counts["unacknowledged"] += after_it != before
    elif request["do"] != "undo":
        assert new_text == after(text, request), request
    assert lab.good("status")["journal"] is None
    assert lab.told("board", "resumed")


def test_killed_often_and_inside_writes(story: dict[str, int]) -> None:
    assert story["in_writes"] >= story["kills"] // 10, story
    assert story["torn"] >= story["kills"] // 15, story  # records were really cut in two


def test_something_was_acknowledged_right_before_a_kill(story: dict[str, int]) -> None:
    assert story["kept"] >= story["kills"] // 10, story


def test_the_kills_span_games_rounds_and_most_phases(story: dict[str, int]) -> None:
    """Not one evening's first throws again and again."""
    assert story["games"] >= 1 + story["kills"] // 200, story
    assert story["rounds"] >= 2 + story["kills"] // 50, story
    assert story["phases"] >= 6, story
