"""Nothing tells a value before its time, in round after round of a whole full game.

The same hands lay the same tags at the same places twice; only which tag the roster calls which
value of a player differs. What is public (every byte but keys, each with its time, every pixel,
the buzzer) is equal up to the reveal of each round; and as the exchanged chips lie in the same
bowls, what the reveal tells and the whole account of the round are equal too.
"""

from typing import Any

import pytest

from lab import Lab
from spiceboard_sim.board.world import World, default_uids
from spicecore.storage.on_demand.roster import Roster
from spicecore.wire import messages

SWAP = {"b10": "b60", "b60": "b10", "b20": "b50", "b50": "b20", "r30": "r40", "r40": "r30"}
# by player: which tags are thrown, in order, and where; pairs that are exchanged share a bowl
THROWS = (
    ("b10", "curry"), ("r30", "mint"), ("b20", "cumin"), ("r10", "garlic"),
    ("b60", "curry"), ("r40", "mint"), ("b50", "cumin"), ("r20", "chili"),
)  # fmt: skip
STEP_MS = 25
SOAK_ROUNDS = 40
SPOKEN = ("seq", "game", "board")


class Table:
    """One run: all that is public, in two parts a round: up to its reveal, and after it."""

    def __init__(self, lab: Lab) -> None:
        self.lab = lab
        options = {"players": 2, "mode": "full", "seed": 9, "chef": 0}
        lab.good("new", game="safranito", options=options)
        self.keys = [lab.good("claim", seat=seat)["key"] for seat in (0, 1)]
        self.before: list[Any] = []
        self.after: list[Any] = []
        lab.events.clear()

    def watch(self, ms: float, timed: bool) -> None:
        """Let time pass; note what is said, what lights and what sounds."""
        lab = self.lab
        for _ in range(int(ms / STEP_MS)):
            lab.run(STEP_MS)
            events = [e.get("game") or e.get("board") for e in lab.events]
            lab.events.clear()
            if timed:
                now = lab.board.now_ms
                self.before.append((now, events, lab.world.rings(), lab.world.buzzer.hz))
            else:
                self.after += events

    def do(self, seat: int, *event: Any) -> None:
        request = {"seat": seat, "key": self.keys[seat], "event": [event[0], seat, *event[1:]]}
        self.lab.good("act", **request)
        self.watch(100, False)

    def throws(self, chef: int) -> None:
        """All throws of the round, in turn; the order of play begins with the head chef."""
        for seat in range(8):
            chip, zone = THROWS[seat ^ chef]
            self.lab.world.lay(chip, zone)
            self.watch(700, True)
        game = self.lab.good("snapshot")["game"]
        assert game["view"]["throws"]["made"] == 8, game["view"]
        self.before.append(game["view"])

    def trade(self) -> None:
        """Turn up, trade without cards, cook nothing, clear the table."""
        while True:
            game = self.lab.good("snapshot")["game"]
            phase, asked = game["view"]["phase"][0], game["asked"][0]
            self.after.append(game["view"])
            if phase == "throw" and game["view"]["throws"]["made"] < 8:
                return
            legal = self.lab.good("view", seat=asked, key=self.keys[asked])["legal"]
            kinds = {event[0]: event for event in legal}
            if phase == "round_over" or "next_round" in kinds:
                for chip, _ in THROWS:
                    self.lab.world.lift(chip)
                self.watch(1500, False)
            wanted = ("reveal", "choose", "close", "decline", "pass", "no_open", "done")
            kind = next((kind for kind in (*wanted, "next_round", "sell") if kind in kinds), None)
            if kind:
                self.do(asked, *[kind, *kinds[kind][2:]])
            else:
                self.watch(500, False)


def played(swapped: bool, rounds: int) -> tuple[list[Any], list[Any]]:
    uids = default_uids()
    told = {(SWAP.get(chip, chip) if swapped else chip): uid for chip, uid in uids.items()}
    with Lab(world=World(4, uids), roster=False) as lab:
        lab.board.kill()
        (lab.flash() / "data").mkdir(exist_ok=True)
        roster = Roster(str(lab.flash() / "data/roster"))
        roster.change({chip: uid.hex() for chip, uid in told.items()})
        lab.restart()
        lab.boot()
        table = Table(lab)
        for number in range(rounds):
            chef = lab.good("snapshot")["game"]["view"]["chef"]
            assert chef == number % 2
            lab.run(-lab.board.now_ms % 1000)  # both begin a round at a full second
            table.throws(chef)
            table.trade()
        return table.before, table.after


def compared(rounds: int) -> None:
    one, two = played(False, rounds), played(True, rounds)
    for a, b in zip(one[0], two[0], strict=True):
        assert a == b
    assert one[1] == two[1]
    assert sum(item[0] == "revealed" for item in one[1] if isinstance(item, list)) >= rounds


@pytest.mark.parametrize("rounds", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_no_value_is_told_before_its_time(rounds: int) -> None:
    compared(rounds)


@pytest.mark.soak
def test_no_value_is_told_in_a_long_game() -> None:
    compared(SOAK_ROUNDS)


def test_the_keys_of_a_game_are_unlike_and_long() -> None:
    """Twelve hexadecimal digits each, of the system's chance; void after a long press of no."""
    with Lab(seed=1) as lab:
        lab.boot()
        keys = set()
        for game in range(12):
            options = {"players": 4, "mode": "full", "seed": game}
            lab.good("new", game="safranito", options=options)
            keys |= {lab.good("claim", seat=seat)["key"] for seat in range(4)}
            if game < 11:
                lab.good("abort", confirm=True)
        assert len(keys) == 48 and all(len(key) == 12 and int(key, 16) >= 0 for key in keys)
        ones = sum(bin(int(key, 16)).count("1") for key in keys)
        assert 1000 < ones < 1304  # of 2304 bits; 6 sigma to either side
        lab.refused("claim", "claimed", seat=0)
        lab.world.press("no", 3300)
        lab.run(4000)
        assert lab.told("board", "released")
        for key in keys:
            lab.refused("view", "wrong_key", seat=0, key=key)
        assert lab.good("claim", seat=0)["key"] not in keys
        assert b"key" not in b"".join(messages.encode(event) for event in lab.events)
