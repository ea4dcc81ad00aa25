"""A day on a table: bots play game after game while readers, tags, supply and host misbehave.

    .venv/bin/python tests/day.py HOURS SEED [chip]

With "chip" the board is the emulated RP2040.

Time is the board's virtual time. First each game is played once in haste, so that all code has
been loaded and every name seen: from there on the heap after a game is that after the same game
before. Printed are the heap each time a game has ended, how far the board's clock is from
the world's, and what became of every event. `Day.check` says what must hold.
"""

import random
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import cast

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent))

from on_chip import OnChip
from spiceboard.archive.score import from_records
from spiceboard.board.client import Client, Refused
from spiceboard.board.match import Match
from spiceboard.bots import bot
from spiceboard.commands.log import fetch
from spiceboard.errors import UserError
from spiceboard_sim import faults
from spiceboard_sim.board.process import SimulatedBoard
from spiceboard_sim.chips.ntag213 import Tag
from spiceboard_sim.emulator.image import find_image
from spiceboard_sim.faults.tags import retag
from spiceboard_sim.headless import BoardLink, WorldHands
from spicecore.parts import ZONES
from spicecore.wire import messages

HOUR_MS, S = 3_600_000, 1_000_000_000
# How players behave: seconds to think, mean seconds between two mishaps, seconds a host is away.
MANNERS = {
    "haste": ((0.1, 0.5), 20.0, (5.0, 90.0)),
    "lively": ((0.3, 4.0), 30.0, (5.0, 90.0)),
    "slow": ((5.0, 60.0), 400.0, (10.0, 1800.0)),
}
EACH = ("ninebowls", "rathot", "jaipur", "safranito")
# Game, who senses, manner; all for two. By wire no reader is swept, which costs a tenth.
Planned = tuple[str, str, str]
BEGIN: tuple[Planned, ...] = tuple((name, "readers", "haste") for name in EACH)
DAY: tuple[Planned, ...] = (
    ("ninebowls", "readers", "lively"), ("rathot", "wire", "slow"), ("jaipur", "wire", "slow"),
    ("rathot", "readers", "lively"), ("jaipur", "wire", "slow"),
    ("safranito", "readers", "lively"), ("ninebowls", "wire", "slow"), ("rathot", "wire", "slow"),
    ("jaipur", "wire", "slow"), ("ninebowls", "readers", "lively"), ("jaipur", "wire", "slow"),
    ("rathot", "wire", "slow"),
)  # fmt: skip
PLAYERS = 2
NOISE = 3072  # bytes of heap: lines at hand
DRIFT_MS = 50  # the link is looked at every 10 ms
STUCK = 60  # looks in a row in which the game does not go on
GUEST = "o60"  # a chip that games of two do not use: it carries a stranger's tag


Board = SimulatedBoard | OnChip


class Fingers(WorldHands):
    """Hands whose presses reach the pins of an emulated chip too."""

    def __init__(self, board: Board) -> None:
        super().__init__(board.world)
        self.board = board

    def press(self, button: str, ms: int = 150) -> None:
        if isinstance(self.board, OnChip):
            self.board.press(button, ms)
        else:
            super().press(button, ms)


class Ear(BoardLink):
    """The link, with a count of all events by their numbers."""

    def __init__(self, board: Board) -> None:
        super().__init__(cast("SimulatedBoard", board))  # the same verbs
        self.decoder = messages.Decoder()
        self.last: int | None = None
        self.events = self.missing = 0
        self.console = b""  # a board that is well says nothing but messages

    def read(self, timeout: float) -> bytes:
        data = super().read(timeout)
        for kind, value in self.decoder.feed(data):
            if kind != messages.MESSAGE:
                self.console += value + b"\n" if isinstance(value, bytes) else str(value).encode()
                continue
            assert isinstance(value, dict)
            if "seq" in value and "re" not in value:
                number = int(value["seq"])
                self.missing += number - self.last - 1 if self.last is not None else 0
                self.last = number
                self.events += 1
        return data


class Mishaps:
    """What goes wrong, each thing for some seconds; `open` counts what is not mended yet."""

    def __init__(self, board: Board, chance: random.Random) -> None:
        self.board, self.world, self.chance = board, board.world, chance
        self.done: Counter[str] = Counter()
        self.open = 0

    def one(self) -> None:
        """Something of it happens now."""
        kind = self.chance.choice(
            (self.unplugged, self.flicker, self.locked_up, self.forgets, self.noise, self.dip,
             self.stranger)
        )  # fmt: skip
        zone = self.chance.choice(ZONES)
        self.done[kind.__name__] += 1
        kind(zone, self.chance.uniform(1, 15))

    def _mend(self, seconds: float, mended: Callable[[], None]) -> None:
        self.open += 1

        def mend() -> None:
            mended()
            self.open -= 1
            if not self.open:  # readers are sane again within two looks
                self.world.at(self.world.now + 4 * S, self._sane)

        self.world.at(self.world.now + round(seconds * S), mend)

    def _sane(self) -> None:
        if not self.open:
            self.world.bus_broken = False

    def unplugged(self, zone: str, seconds: float) -> None:
        """A reader is unplugged and plugged in again."""
        reader = self.world.readers[zone]
        faults.inject(self.board, "reader_dies", zone=zone)

        def back() -> None:
            reader.dead = False
            reader.power_on()

        self._mend(seconds, back)

    def locked_up(self, zone: str, seconds: float) -> None:
        """A transceiver locks up until its power returns."""
        reader = self.world.readers[zone]
        faults.inject(self.board, "reader_hangs", zone=zone)

        def back() -> None:
            reader.deaf = False
            reader.power_on()

        self._mend(seconds, back)

    def forgets(self, zone: str, seconds: float) -> None:
        """A dip resets one reader behind the firmware's back."""
        faults.inject(self.board, "reader_forgets", zone=zone)
        self._mend(seconds, lambda: None)

    def flicker(self, zone: str, seconds: float) -> None:
        """A tag answers every second time."""
        chips = self.world.order() or ["b10"]
        name = self.chance.choice(chips)
        faults.inject(self.board, "tag_flickers", chip=name)
        self._mend(seconds, lambda: setattr(self.world.chips[name], "mute", 0.0))

    def noise(self, zone: str, seconds: float) -> None:
        """Answers in one zone are garbled: collisions where there are none."""
        faults.inject(self.board, "noise_at", zone=zone)
        self._mend(seconds, lambda: setattr(self.world.fields[zone], "noise", 0.0))

    def dip(self, zone: str, seconds: float) -> None:
        """The supply dips for a moment; the board survives it."""
        faults.inject(self.board, "supply_dips")
        self._mend(1, lambda: None)

    def stranger(self, zone: str, seconds: float) -> None:
        """A tag that no roster knows lies in a zone for a while: a ghost to the game."""
        guest = self.world.chips[GUEST]
        if guest.pose is not None or guest.course is not None or self.open:
            return
        own = guest.tag
        retag(self.board, guest, Tag(bytes.fromhex("04c0ffee123456")))
        self.world.lay(GUEST, zone)

        def back() -> None:
            self.world.lift(GUEST)
            retag(self.board, guest, own)

        self._mend(seconds, back)


class Day:
    """The table over so many hours."""

    def __init__(self, board: Board, seed: int) -> None:
        self.board, self.chance = board, random.Random(seed)
        self.mishaps = Mishaps(board, self.chance)
        self.ear = Ear(board)
        self.hands = Fingers(board)
        self.client = Client(self.ear)
        self.client.connect()
        self.heap: list[tuple[str, float, int]] = []  # after which game, hour, bytes free
        self.clock: list[float] = []  # board's clock less the world's, ms
        self.done: Counter[str] = Counter()
        self.next_mishap = 0.0
        self.seed, self.sensing, self.manner = seed, "readers", "lively"

    @property
    def hours(self) -> float:
        return self.board.now_ms / HOUR_MS

    def begin(self, say: Callable[[str], None] = print) -> None:
        """Each game once in haste; the heap is compared from here on."""
        for name, sensing, manner in BEGIN:
            self.game(name, self.seed, sensing, manner)
            say(f"{self.hours:6.2f} h: {name} in haste")
        self.heap.clear()

    def live(
        self, hours: float, plan: tuple[Planned, ...], say: Callable[[str], None] = print
    ) -> None:
        """Game after game; a line of figures each time."""
        number, began = 0, time.monotonic()
        while self.hours < hours:
            name, sensing, manner = plan[number % len(plan)]
            self.game(name, self.seed + number, sensing, manner)
            number += 1
            self.look(name)
            spent = (time.monotonic() - began) / 3600
            say(
                f"{self.hours:6.2f} h ({spent:.2f} h of the desktop's): {name} by {sensing}, "
                f"{self.heap[-1][2]} bytes free, clock {self.clock[-1]:+.0f} ms, "
                f"{self.ear.events} events, {self.ear.missing} thrown away; {dict(self.done)} "
                f"{dict(self.mishaps.done)}"
            )

    def look(self, name: str) -> None:
        """No game is on, nothing is broken: heap, clock, and the board's health."""
        self.calm()
        assert self.ear.console == b"", self.ear.console.decode()[-3000:]
        free = int(self.client.request("diag", what="memory")["free"])
        status = self.client.request("status")
        self.clock.append(status["uptime_ms"] - self.board.now_ms)
        self.heap.append((name, self.hours, free))
        assert set(status["readers"].values()) == {"ok"}, status["readers"]
        assert set(status["tasks"].values()) == {"runs"}, status["tasks"]
        assert status["journal"] is None, status["journal"]
        self.client.poll(0.1)
        status = self.client.request("status")
        assert self.ear.missing == status["dropped"], (self.ear.missing, status["dropped"])

    def calm(self) -> None:
        """Wait until all is mended and noticed; the table is cleared."""
        while self.mishaps.open:
            self.client.link.sleep(1)
        for chip in self.board.world.order():
            self.hands.lift(chip)
        self.client.link.sleep(6)
        self.client.poll(0)

    def game(self, name: str, seed: int, sensing: str, manner: str) -> None:
        """One game to its end; its record must lead to the position that the board shows."""
        bots = {seat: bot.load(name, "sensible")(seat, seed) for seat in range(PLAYERS)}
        self.client.keys.clear()
        match = Match(self.client, bots, self.hands)
        options = {"players": PLAYERS, "mode": "full", "seed": seed}
        self.client.request("new", game=name, options=options, sensing=sensing)
        match.refresh()
        self.sensing, self.manner = sensing, manner
        self.plan()
        idle, step = 0, -1
        while not match.game["over"] and idle < STUCK:
            self.pause(match)
            with suppress(Refused):  # what a mishap made senseless meanwhile
                match.settle_doubts()
                if not match.tidy():
                    match.bot_turn()
            match.refresh()
            idle = 0 if match.game["step"] != step else idle + 1
            step = match.game["step"]
            if idle and idle % 6 == 0 and match.snapshot.get("mismatch"):
                with suppress(Refused):
                    match.accept()
        self.done["games" if match.game["over"] else "stuck"] += 1
        self.done["turns"] += step
        if match.game["over"]:
            self.recorded(match)
        self.client.request("abort", confirm=True)
        self.board.world.thrown.clear()

    def plan(self) -> None:
        wait = self.chance.expovariate(1 / MANNERS[self.manner][1])
        self.next_mishap = self.client.link.now() + wait

    def pause(self, match: Match) -> None:
        """People think for a while; now and then something breaks, or the host does."""
        self.client.link.sleep(self.chance.uniform(*MANNERS[self.manner][0]))
        match.listen_for(0.1)
        if self.client.link.now() < self.next_mishap:
            return
        self.plan()
        kind = self.chance.random()
        if self.sensing == "wire":
            self.away(match) if kind < 0.7 else self.deaf(match)
        elif kind < 0.1:
            self.away(match)
        elif kind < 0.15:
            self.deaf(match)
        else:
            self.mishaps.one()

    def away(self, match: Match) -> None:
        """The host's program ends; later another one connects and asks for everything again."""
        self.done["host away"] += 1
        self.board.host_reads(False)
        self.client.link.sleep(self.chance.uniform(*MANNERS[self.manner][2]))
        self.board.host_reads(True)
        keys = self.client.keys
        self.client = match.client = Client(self.ear)
        self.client.connect()
        self.client.keys = keys
        match.refresh()

    def deaf(self, match: Match) -> None:
        """A host that never reads, while buttons are pressed and chips come and go: there are more
        messages than the board can keep."""
        self.done["host deaf"] += 1
        self.board.host_reads(False)
        before = self.board.world.lying()
        chips = [
            name for name in self.board.world.chips if name[0] in "brg" and name not in before
        ]
        for number in range(200):
            if self.sensing == "wire":
                self.hands.press("undo")  # it is told, and refused or taken back
            else:
                self.hands.lay(chips[number % len(chips)], self.chance.choice(ZONES))
                self.client.link.sleep(0.7)
                self.hands.lift(chips[number % len(chips)])
            self.client.link.sleep(0.7)
        self.board.host_reads(True)
        self.client.link.sleep(1)
        match.refresh()

    def recorded(self, match: Match) -> None:
        """What the board kept of the game is the whole of it: every event that it took."""
        name = self.client.request("log")["logs"][-1][0]
        game = name.split("-")[0]
        files = [row[0] for row in self.client.request("log")["logs"] if row[0].startswith(game)]
        records = [record for file in files for record in fetch(self.client, file)]
        try:
            score = from_records(records, {})
        except UserError as error:
            raise AssertionError(f"the record is not whole: {error}") from error
        assert score.standing() == match.game["standing"], game
        self.done["records replayed"] += 1

    def check(self) -> None:
        """What must hold at the end, and held after each game."""
        first: dict[str, int] = {}
        for name, _, free in self.heap:
            assert free > first.setdefault(name, free) - NOISE, (name, free, first[name])
        assert max(self.clock) - min(self.clock) < DRIFT_MS, self.clock
        assert self.board.starts == 1

    def summary(self) -> str:
        """The figures in one line."""
        heap = {name: [f for n, _, f in self.heap if n == name] for name, _, _ in self.heap}
        ends = ", ".join(f"{name} {free[0]} -> {free[-1]}" for name, free in heap.items())
        return (
            f"{self.hours:.2f} hours: heap free {ends}; clock {min(self.clock):+.1f} to "
            f"{max(self.clock):+.1f} ms; {self.ear.events} events heard, {self.ear.missing} "
            f"thrown away for a host that did not read, each counted; {dict(self.done)}; "
            f"{dict(self.mishaps.done)}"
        )


def say(line: str) -> None:
    print(line, flush=True)


def main(hours: float, seed: int, where: str = "desktop") -> None:
    """A day, or a part of one."""
    chip = where == "chip"
    board = OnChip(find_image(), seed=seed) if chip else SimulatedBoard(seed=seed)
    try:
        day = Day(board, seed)
        day.begin(say)
        day.live(hours, DAY, say)
        say(day.summary())
        day.check()
    finally:
        board.close()


if __name__ == "__main__":
    main(float(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:])
