"""A board for tests of the host side: the real rules and the real codec, without any firmware.

It answers the protocol for one game and lets chips be thrown on a flat board. What the firmware
does is tested with the firmware; this is for what the host does with the answers.
"""

import json
import random
from collections.abc import Callable
from typing import Any

from flatboard import FlatBoard
from spiceboard.board.checksum import crc16
from spiceboard.board.lights import from_show
from spiceboard.board.virtual_hands import Lights
from spiceboard.bots import targets
from spicecore import version
from spicecore.wire import messages


class Answer(Exception):
    """An error reply."""


class RulesBoard:
    """Transport and hands in one; `log` has every request that came."""

    name = "rules"

    def __init__(self, rules: Any, seed: int = 1) -> None:
        self.rules = rules
        self.state: Any = None
        self.steps = 0
        self.flat = FlatBoard(random.Random(seed))
        self.log: list[dict[str, Any]] = []
        self.doubts: list[list[Any]] = []
        self.pressed: list[str] = []
        self._said: dict[int, tuple[str, str]] = {}  # chip and zone of a doubt that a person told
        self._keys: dict[int, str] = {}
        self._undo: list[Any] = []
        self.games = 0
        self.records: dict[int, list[Any]] = {}  # of each game, as a journal has them
        self._seq = 0
        self._now = 0.0
        self._out = bytearray()
        self._in = messages.Decoder(messages.REQUEST_MAX, crc16)

    # -- transport

    def read(self, timeout: float) -> bytes:
        if not self._out:
            self._now += timeout
        data, self._out = bytes(self._out), bytearray()
        return data

    def write(self, data: bytes) -> None:
        for _, message in self._in.feed(data):
            assert isinstance(message, dict), message
            self.log.append(message)
            handler: Callable[..., dict[str, Any]] = getattr(self, "do_" + message["do"])
            try:
                reply = {"ok": True, **handler(message)}
            except Answer as answer:
                reply = {"error": answer.args[0], "text": answer.args[1]}
            self._out += messages.encode({"re": message["id"], **reply}, crc=crc16)

    def now(self) -> float:
        return self._now

    def sleep(self, seconds: float) -> None:
        self._now += seconds

    def close(self) -> None:
        pass

    # -- the protocol

    def event(self, **fields: Any) -> None:
        self._seq += 1
        self._out += messages.encode({"seq": self._seq, **fields}, crc=crc16)

    def do_hello(self, message: dict[str, Any]) -> dict[str, Any]:
        return {"protocol": version.PROTOCOL, "boot": 1, "board": "rules"}

    def do_snapshot(self, message: dict[str, Any]) -> dict[str, Any]:
        if self.state is None:
            nothing: dict[str, Any] = {"chips": {}, "doubts": [], "mismatch": [], "show": {}}
            return {"seq": self._seq, "game": None, **nothing}
        chips: dict[str, dict[str, int]] = {}
        for chip, zone in self.seen().items():
            colour = self.rules.SEATS["brgo".index(chip[0])]
            chips.setdefault(zone, {}).setdefault(colour, 0)
            chips[zone][colour] += 1
        for _, colour, zone in self.doubts:  # a chip in doubt is listed only there
            if chips.get(zone, {}).get(colour):
                chips[zone][colour] -= 1
        wrong = self.rules.mismatch(self.state, self.seen())
        return {
            "seq": self._seq,
            "game": {
                "name": self.rules.NAME,
                "mode": "full",
                "players": self.state.get("n", 2),
                "step": self.steps,
                "view": self.rules.view(self.state, None),
                "asked": self.rules.seats_asked(self.state),
                "over": self.rules.over(self.state),
                "standing": self.rules.standing(self.state),
                "undo": [seat for _, seat in self._undo],
            },
            "chips": chips,
            "doubts": self.doubts,
            "mismatch": self.rules.public_mismatch(self.state, wrong),
            "show": self.rules.show(self.state),
        }

    def do_new(self, message: dict[str, Any]) -> dict[str, Any]:
        try:
            self.state = self.rules.new(message["options"])
            self.games += 1
            self.records[self.games] = [["new", self.rules.NAME, message["options"], None, 0]]
        except ValueError as error:
            raise Answer("bad_options", str(error)) from error
        self._keys.clear()
        return {}

    def do_abort(self, message: dict[str, Any]) -> dict[str, Any]:
        if not self.rules.over(self.state):
            self.records.pop(self.games, None)
        self.state = None
        return {}

    def do_claim(self, message: dict[str, Any]) -> dict[str, Any]:
        seat = message["seat"]
        if seat in self._keys:
            raise Answer("claimed", "this seat's key was given out already")
        self._keys[seat] = f"key{seat}"
        return {"key": self._keys[seat]}

    def owner(self, message: dict[str, Any]) -> int:
        seat: int = message["seat"]
        if message.get("key") != self._keys.get(seat):
            raise Answer("wrong_key", "not this seat's key")
        return seat

    def do_view(self, message: dict[str, Any]) -> dict[str, Any]:
        seat = self.owner(message) if "seat" in message else None
        wrong = self.rules.mismatch(self.state, self.seen())
        own = [] if seat is None else [row for row in wrong if row[0][0] == "brgo"[seat]]
        legal: dict[str, Any] = {"legal": []}
        if seat is not None and hasattr(self.rules, "packed"):
            legal = {"legal": [], "packed": self.rules.packed(self.state, seat)}
        elif seat is not None:
            legal = {"legal": self.rules.legal(self.state, seat)}
        return {
            "step": self.steps,
            "view": self.rules.view(self.state, seat),
            **legal,
            "mismatch": own,
        }

    def do_act(self, message: dict[str, Any]) -> dict[str, Any]:
        self.owner(message)
        if message.get("step", self.steps) != self.steps:
            raise Answer("stale", "the game went on")
        self.accepted(message["event"])
        return {"step": self.steps}

    def do_decide(self, message: dict[str, Any]) -> dict[str, Any]:
        if self.owner(message) != self.rules.arbiter(self.state):
            raise Answer("wrong_seat", "the head chef decides")
        self.doubts = [doubt for doubt in self.doubts if doubt[0] != message["doubt"]]
        self.event(board=["decided", message["doubt"], message["counts"]])
        said = self._said.pop(message["doubt"], None)
        if said and message["counts"]:
            self.accepted(["judged", message["seat"], *said])
        return {"step": self.steps}

    def do_lies(self, message: dict[str, Any]) -> dict[str, Any]:
        self.owner(message)
        chip, zone = message["chip"], message["zone"]
        if chip in self.seen():
            raise Answer("heard", f"the reader of {self.seen()[chip]} hears that chip well")
        self._said[len(self.log)] = (chip, zone)
        row = [len(self.log), self.rules.SEATS["brgo".index(chip[0])], zone]
        self.doubts.append(row)
        self.event(board=["doubt", *row])
        return {"doubt": row[0]}

    def do_accept(self, message: dict[str, Any]) -> dict[str, Any]:
        raise Answer("no_mismatch", "board and game agree")

    def do_undo(self, message: dict[str, Any]) -> dict[str, Any]:
        self.owner(message)
        if not self._undo:
            raise Answer("not_undoable", "nothing to take back, or it told a secret")
        self.state = self._undo.pop()[0]
        self.records[self.games].append(["undo"])
        self.steps += 1
        self.event(board=["undone", self.steps])
        return {"step": self.steps}

    def do_log(self, message: dict[str, Any]) -> dict[str, Any]:
        return {
            "logs": [
                [
                    f"g{n:04}-000.log",
                    0,
                    len(records),
                    n < self.games or self.state is None or self.rules.over(self.state),
                ]
                for n, records in self.records.items()
            ]
        }

    def do_log_read(self, message: dict[str, Any]) -> dict[str, Any]:
        records = self.records[int(message["name"][1:5])]
        at = message["at"]
        more = at + 20 if at + 20 < len(records) else None
        return {"records": [json.dumps(record) for record in records[at : at + 20]], "next": more}

    def accepted(self, event: list[Any]) -> None:
        before = self.state
        self.state, effects = self.rules.step(before, event)
        if self.state is before and not effects:
            return  # a chip was laid where the game has it already
        if self.state is before:
            if not effects:
                return  # chips that tell the game nothing new
            raise Answer("illegal", effects[0][3])
        self.steps += 1
        self.records[self.games].append(["e", event])
        if self.rules.undoable(before, event):
            self._undo.append((before, event[1]))
        elif any(effect[1] not in self.rules.PHYSICAL for effect in effects):
            self._undo.clear()
        for effect in effects:
            if effect[0] is None:
                self.event(game=effect[1:])
        self.event(board=["step", self.steps])

    # -- hands and eyes

    def seen(self) -> dict[str, str]:
        return {chip: zone for chip in self.flat.places if (zone := self.flat.zone(chip))}

    def moved(self, moves: list[list[str | None]]) -> None:
        if moves and self.state is not None:
            try:
                self.accepted(["moved", None, moves])
            except Answer as answer:
                self.event(board=["refused", *answer.args])

    def throw(self, chip: str, zone: str, strength: float) -> None:
        moves = self.flat.throw(chip, zone, strength)
        self.moved([move for move in moves if move[1] or move[0] != chip])

    def throw_to(self, chip: str, x: float, y: float, strength: float) -> None:
        self.throw(chip, min(targets.ZONES, key=lambda z: targets.distance(z, x, y)), strength)

    def lift(self, chip: str) -> None:
        was = self.flat.zone(chip) if chip in self.flat.places else None
        self.flat.lift(chip)
        if was:
            self.moved([[chip, None]])

    def lay(self, chip: str, zone: str) -> None:
        self.flat.places[chip] = targets.CENTRES[zone]
        self.moved([[chip, zone]])

    def press(self, button: str, ms: int = 100) -> None:
        self.pressed.append(button)
        if button == "no" and ms >= 3000:
            self._keys.clear()
            self.event(board=["released"])

    def lights(self) -> Lights:
        return from_show(self.rules.show(self.state) if self.state else {}, 0)

    def look(self) -> list[tuple[str, float, float]]:
        colours = dict(zip("brgo", self.rules.SEATS, strict=False))
        return [(colours[chip[0]], x, y) for chip, (x, y) in self.flat.places.items()]
