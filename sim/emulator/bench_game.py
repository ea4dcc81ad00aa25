"""What a game costs on the emulated RP2040: steps of the rules alone, and whole rounds by wire."""

import json
import statistics
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from spiceboard.host.bench import players_of, recorded
from spiceboard.host.bots.offline import GAMES
from spiceboard.host.client import Client
from spiceboard.sim.emulator.board import EmulatedBoard, VirtualLink, installed, roster_files
from spiceboard.sim.world import World
from spiceboard.spicecore import safranito
from spiceboard.spicecore.parts import COLOURS, ZONES

Event = list[Any]
Row = tuple[str, str, str, str]  # what, figure, aim, how it was taken
SCRIPTS = Path(__file__).resolve().parents[1] / "micropython" / "bench"
WAIT_S = 60.0  # of the board's time
HOUR_MS = 3_600_000
LOOK_EVERY = 20  # rounds


def on_chip(image: Path, game: str) -> dict[str, Any]:
    """What the script on the chip found: a recorded game of the most players."""
    record = recorded(game, 1)
    files = installed() | {"main.py": (SCRIPTS / "rp2040.py").read_bytes()}
    files["bench.json"] = json.dumps({"game": game}).encode()
    lines = [record["options"], *record["events"]]
    files["bench.txt"] = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    board = EmulatedBoard(image, World(1), files)
    said = bytearray()

    def done() -> bool:
        said.extend(board.read())
        return b"}" in said or b"Error" in said

    board.run_until(lambda: board.chip.connected, 2000)
    if not board.run_until(done, HOUR_MS) or b"}" not in said:
        raise RuntimeError(f"the script on the chip failed: {said.decode()}")
    found: dict[str, Any] = json.loads(said[said.index(b"{") : said.index(b"}") + 1])
    return found


def rules(image: Path, say: Callable[[str], None]) -> Iterator[Row]:
    """What `step` and `legal` cost, and the heap, by a script on the chip."""
    for game in GAMES:
        say(f"rules of {game}")
        found = on_chip(image, game)
        how = f"{found['steps']} events of a recorded game of {players_of(game)}, rules alone"
        for what, aim in (("step", "-"), ("legal", "0.5 s" if game == "rathot" else "-")):
            yield (
                f"{game}: {what}",
                f"median {found[what + '_median_us'] / 1000:.1f} ms, "
                f"at most {found[what + '_max_us'] / 1000:.1f} ms",
                aim,
                how
                + (
                    " (all legal events of a seat that is asked, as the board sends them)"
                    if what == "legal"
                    else ""
                ),
            )
        yield (
            f"{game}: lowest free heap",
            f"{found['free_lowest'] / 1024:.0f} KiB",
            "-",
            how + ", gc.mem_free() after gc.collect(), each 16 events",
        )


class Script:
    """Rounds of four players in which little is decided, so that many of them fit into minutes:
    one chip of each seat lands in the same bowl, all other throws miss, nobody trades or cooks.
    A game so played never ends. The rules run beside it here and say what is to come."""

    ORDER = (
        "missed reveal choose draw keep reserve no_open decline done close next_round"
    ).split()

    def __init__(self) -> None:
        self.options = {"players": 4, "mode": "full", "seed": 1}
        self.state = safranito.new(self.options)
        self.seen: dict[str, str] = {}

    def _throws(self) -> Event | None:
        """The chips of all seats land in one throw each, told together; None: they have."""
        if self.state["phase"][0] != "throw" or self.seen:
            return None
        bowl = ZONES[self.state["round"] % 9]
        order = [(self.state["chef"] + n) % 4 for n in range(4)]
        return ["moved", None, [[f"{COLOURS[seat][0]}10", bowl] for seat in order]]

    def _home(self) -> Event | None:
        """Chips that the game sends home are lifted together."""
        wrong = safranito.mismatch(self.state, self.seen)
        home = [[chip, None] for chip, _, due in wrong if due is None]
        return ["moved", None, home] if home else None

    def next(self) -> Event:
        """The next thing that happens."""
        seat = safranito.seats_asked(self.state)[0]
        kinds: dict[str, Event] = {}
        for event in safranito.legal(self.state, seat):
            kinds.setdefault(event[0], event)
        hands = self._throws() or (None if "decline" in kinds else self._home())
        if hands:
            return hands
        return next(kinds[kind] for kind in self.ORDER if kind in kinds)

    def take(self, event: Event) -> bool:
        """It happened on the board; is a round over by it?"""
        before = self.state["round"]
        for chip, zone in event[2] if event[0] == "moved" else ():
            self.seen.pop(chip, None)
            if zone:
                self.seen[chip] = zone
        one_by_one = event[0] == "moved" and event[2][0][1] is not None
        each = [["moved", None, [move]] for move in event[2]] if one_by_one else [event]
        for part in each:
            self.state, effects = safranito.step(self.state, part)
            if effects and effects[0][1] == "refused":
                raise RuntimeError(f"the script's {part} is refused: {effects[0][3]}")
        return bool(self.state["round"] != before)


class WireGame:
    """The whole firmware in a game of four whose chips are told by wire (`sensing` wire).

    The host holds the rings (`maintain`): drawing them costs three times what an event does. They
    are let go at the end, so that what they need is counted too. bench/by_wire.py saves more.
    """

    def __init__(self, image: Path) -> None:
        world = World(1)
        files = installed() | roster_files(world)
        files["unchanged_main.py"] = files["main.py"]
        files["main.py"] = (SCRIPTS / "by_wire.py").read_bytes()
        self.board = EmulatedBoard(image, world, files)
        self.client = Client(VirtualLink(self.board))
        self.client.connect()
        self.script = Script()
        self.free: list[tuple[int, int]] = []  # round, bytes free after a collection
        self.ms: list[float] = []  # request until reply
        self.lowest = 0

    def ask(self, do: str, **arguments: Any) -> dict[str, Any]:
        """A request with patience."""
        return self.client.request(do, timeout=WAIT_S, **arguments)

    def memory(self, rounds: int) -> None:
        """Note what is free after a collection."""
        found = self.ask("diag", what="memory")
        self.free.append((rounds, int(found["free"])))
        self.lowest = int(found["lowest"])

    def play(self, rounds: int, say: Callable[[str], None]) -> None:
        """Begin a game and play so many rounds."""
        self.ask("maintain", on=True)
        self.ask("new", game="safranito", options=self.script.options, sensing="wire")
        keys = [self.ask("claim", seat=seat)["key"] for seat in range(4)]
        self.memory(0)
        for number in range(1, rounds + 1):
            while not self._event(keys):
                pass
            if number % LOOK_EVERY == 0 or number == rounds:
                self.memory(number)
                say(f"{number} rounds: {self.free[-1][1] / 1024:.1f} KiB free")
        self.ask("maintain", on=False)
        self.board.run_for(1000)
        self.memory(rounds)
        step, round_ = self.ask("snapshot")["game"]["step"], self.ask("view")["view"]["round"]
        if round_ != rounds + 1:
            raise RuntimeError(f"the board is in round {round_} at step {step}, not {rounds + 1}")

    def _event(self, keys: list[str]) -> bool:
        event = self.script.next()
        began = self.board.now_ms
        if event[0] == "moved":
            self.ask("sense", moves=event[2])
        else:
            self.ask("act", seat=event[1], key=keys[event[1]], event=event)
        self.ms.append(self.board.now_ms - began)
        self.client.poll(0)
        return self.script.take(event)


def by_wire(image: Path, rounds: int, say: Callable[[str], None]) -> Iterator[Row]:
    """Free heap of the whole firmware after rounds that are fed by wire, and what events cost."""
    say(f"{rounds} rounds by wire")
    game = WireGame(image)
    game.play(rounds, say)
    after = [free / 1024 for _, free in game.free]
    yield from (
        (
            f"free heap after {rounds} rounds of four players",
            f"{after[-1]:.1f} KiB with the rings drawn, {after[-2]:.1f} before; {after[0]:.1f} as "
            f"the game began, lowest {game.lowest / 1024:.1f}",
            "90 KB",
            "whole firmware, scripted rounds fed by wire, gc.mem_free() after gc.collect() every "
            f"{LOOK_EVERY} rounds (lowest: before one, since the start)",
        ),
        (
            "a request by wire until its reply",
            f"median {statistics.median(game.ms):.0f} ms, at most {max(game.ms):.0f} ms",
            "-",
            f"{len(game.ms)} of them: parsed, stepped, compared, in the journal, answered; the "
            "rings are the host's meanwhile, idle tasks look seldom (bench/by_wire.py)",
        ),
    )
