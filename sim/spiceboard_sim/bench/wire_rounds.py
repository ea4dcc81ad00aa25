"""Rounds of Safranito over the wire, to see what they leave in the board's heap."""

from collections.abc import Callable
from typing import Any

from spiceboard.board.client import Client
from spicecore.games.safranito import rules as safranito
from spicecore.parts import COLOURS, ZONES

Event = list[Any]
WAIT_S = 60.0  # of the board's time
LOOK_EVERY = 20  # rounds


class Script:
    """Rounds of four players in which little is decided, so that many of them fit into minutes:
    one chip of each seat lands in the same bowl, all other throws miss, nobody trades or cooks. A
    game played like this never ends. The rules also run here, to know the next events."""

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
    """A game of four on a board that a client is connected to.

    The host holds the rings (`maintain`): drawing them costs as much again as all events. One more
    round is played with the rings drawn, so that what they need is counted too.
    """

    def __init__(self, client: Client) -> None:
        self.client = client
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

    def play(self, rounds: int, say: Callable[[str], None] = lambda text: None) -> None:
        """Begin a game and play so many rounds, and one with the rings drawn."""
        self.ask("maintain", on=True)
        self.ask("new", game="safranito", options=self.script.options, sensing="wire")
        keys = [self.ask("claim", seat=seat)["key"] for seat in range(4)]
        self.memory(0)
        for number in range(1, rounds + 1):
            self._round(keys)
            if number % LOOK_EVERY == 0 or number == rounds:
                self.memory(number)
                say(f"{number} rounds: {self.free[-1][1] / 1024:.1f} KiB free")
        self.ask("maintain", on=False)
        self._round(keys)
        self.client.link.sleep(1.0)
        self.memory(rounds + 1)
        there = self.ask("view")["view"]["round"]
        if there != rounds + 2:
            raise RuntimeError(f"the board is in round {there}, not {rounds + 2}")

    def _round(self, keys: list[str]) -> None:
        while not self._event(keys):
            pass

    def _event(self, keys: list[str]) -> bool:
        event = self.script.next()
        began = self.client.link.now()
        if event[0] == "moved":
            self.ask("sense", moves=event[2])
        else:
            self.ask("act", seat=event[1], key=keys[event[1]], event=event)
        self.ms.append(1000 * (self.client.link.now() - began))
        self.client.poll(0)
        return self.script.take(event)
