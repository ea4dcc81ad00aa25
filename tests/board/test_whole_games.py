"""Whole full games over the wire on the board's small heap, and undo and mismatch by chance."""

import random
from typing import Any

import pytest

from lab import Lab
from spiceboard.board.client import Client
from spiceboard.commands.log import fetch, logs_of
from spiceboard_sim.headless import BoardLink
from spicecore.games.safranito import rules as safranito
from spicecore.parts import ZONES


class Hosts(Lab):
    """All seats of a game whose chips are told by wire."""

    def begin(self, players: int, seed: int, mode: str = "full") -> None:
        options = {"players": players, "mode": mode, "seed": seed}
        self.good("new", game="safranito", options=options, sensing="wire")
        self.keys = [self.good("claim", seat=seat)["key"] for seat in range(players)]

    def view(self, seat: int) -> dict[str, Any]:
        return self.good("view", seat=seat, key=self.keys[seat])

    def lift(self) -> None:
        """Every player lifts what belongs home."""
        for seat in range(len(self.keys)):
            moves = [[c, None] for c, there, due in self.view(seat)["mismatch"] if due is None]
            if moves:
                self.good("sense", moves=moves)

    def turn(self, chance: random.Random) -> dict[str, Any] | None:
        """Somebody who is asked does something legal; None when the game is over."""
        game = self.good("snapshot")
        if game["mismatch"]:
            self.lift()
        if game["game"]["over"]:
            return None
        seat = game["game"]["asked"][0]
        events = self.view(seat)["legal"]
        assert events, game
        keen = [event for event in events if event[0] in ("cook_open", "cook_reserved", "buy")]
        event = chance.choice(keen or events)
        if event[0] == "moved":
            zone = chance.choice([*ZONES, *ZONES[:9], None])
            return self.ask("sense", moves=[[event[2][0][0], zone]])
        return self.ask("act", seat=seat, key=self.keys[seat], event=event)


@pytest.mark.slow
def test_four_players_to_the_end_in_384_kb(tmp_path_factory: pytest.TempPathFactory) -> None:
    """The heap that was asked for, less nothing: the simulator's own modules lie in it as well."""
    chance = random.Random(3)
    with Hosts(seed=1, heap="384k") as lab:
        lab.boot()
        lab.begin(4, seed=6)
        for _ in range(3000):
            if lab.turn(chance) is None:
                break
        snapshot = lab.good("snapshot")["game"]
        assert snapshot["over"] and snapshot["standing"][0][2]["blends"] == 3
        assert lab.told("board", "over") and lab.told("board", "task") == []
        status = lab.good("status")
        assert status["dropped"] == 0 and lab.console == b""
        print("lowest free heap", status["lowest_free"], "after", snapshot["step"], "events")
        assert status["lowest_free"] > 15_000, status["lowest_free"]
        # the whole record is on the board, and it ends
        _, size, records, finished = lab.good("log")["logs"][-1]
        assert finished and records > 10 and size < 60_000
        # and a host can read it out of a heap that has been in use for long
        client = Client(BoardLink(lab.board))
        client.connect()
        names = logs_of(client)
        assert sum(len(fetch(client, name)) for name in names) >= snapshot["step"]


def test_undo_and_mismatch_by_chance_always_end_in_sync() -> None:
    chance = random.Random(8)
    with Hosts(seed=1) as lab:
        lab.boot()
        lab.begin(2, seed=4, mode="referee")
        counts = {"undo": 0, "accept": 0, "stray": 0}
        for _ in range(160):
            kind = chance.randrange(10)
            if kind == 0 and "error" not in lab.ask("undo"):
                counts["undo"] += 1
            elif kind == 1:
                chip = chance.choice(["b10", "b20", "r30", "r60", "o10"])
                lab.good("sense", moves=[[chip, chance.choice([*ZONES, None])]])
                counts["stray"] += 1
            elif kind == 2 and "error" not in lab.ask("accept"):
                counts["accept"] += 1
                assert lab.good("snapshot")["mismatch"] == []
            else:
                lab.turn(chance)
            position = lab.good("text")["text"]
            assert safranito.text(safranito.parse(position)) == position
        assert min(counts.values()) >= 3, counts
        # put right by hand: what the game expects lies there, and nothing else
        state = safranito.parse(lab.good("text")["text"])
        expected = {chip: due for chip, _, due in safranito.mismatch(state, {}) if due}
        lying = {chip: expected.get(chip) for chip in "b10 b20 b30 b40 b50 b60".split()}
        for chip in "r10 r20 r30 r40 r50 r60 o10".split():
            lying[chip] = expected.get(chip)
        for _ in range(2):  # laying back what was lifted may be a purchase undone, or a throw
            for chip, zone in lying.items():
                lab.good("sense", moves=[[chip, zone]])
            if lab.good("snapshot")["mismatch"]:
                lab.good("accept")
        assert lab.good("snapshot")["mismatch"] == []
