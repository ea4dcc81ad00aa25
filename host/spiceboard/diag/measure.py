"""What a diagnosis asks a board to measure: numbers as plain data, no judgement (diag_rules.py).

The order goes from the bus to the tags; where something looks wrong it is measured again with more
repetitions. The board is left as it was: maintenance ends in any case.
"""

import contextlib
import statistics
from collections.abc import Callable, Iterator
from typing import Any

from spiceboard.board.client import Client, Refused
from spiceboard.errors import LinkError
from spiceboard.flash.sources import board_data
from spicecore.parts import CHIPS, ZONES

CLOCKS_HZ: tuple[int, ...] = board_data("pins")["SPI_HZ"]
LED_STATES = ("off", "moving", "still")
HALL_SAMPLES = 6
SLOW_SETTLE_MS = 25
PAIRS = ("curry", "saffron", "cumin")  # bowls that get a second chip: tag and antenna part there

Measured = dict[str, Any]


def layout(chips: list[str]) -> dict[str, str]:
    """{chip: zone} to lay chips for a diagnosis: one in each zone, a second in three bowls."""
    zones = (*ZONES, *PAIRS)
    return dict(zip(chips, zones, strict=False))


class Measurer:
    """Measures one board. visits: repetitions of a read; quick: the gain margin from one look
    instead of reads at every gain, LEDs still only where moving ones disturb. reads: False leaves
    out what needs chips. laid: {chip: zone} that a person has laid, None: whatever lies there."""

    def __init__(
        self,
        client: Client,
        *,
        visits: int = 10,
        quick: bool = False,
        reads: bool = True,
        laid: dict[str, str] | None = None,
        progress: Callable[[str, Measured], None] = lambda step, so_far: None,
    ) -> None:
        self.client = client
        self.visits = visits
        self.quick = quick
        self.reads = reads
        self.laid = laid
        self.progress = progress
        self.found: Measured = {"zones": list(ZONES), "laid": laid}

    def diag(self, what: str, **arguments: Any) -> Measured:
        """One measurement of the board."""
        return self.client.request("diag", timeout=30, what=what, **arguments)

    @contextlib.contextmanager
    def maintenance(self) -> Iterator[None]:
        """Sweeps stop and rings are ours as long as this lasts."""
        self.client.request("maintain", timeout=20, on=True)
        try:
            yield
        finally:
            with contextlib.suppress(LinkError):
                self.client.request("maintain", timeout=20, on=False)

    def run(self) -> Measured:
        """All of it; what a running game forbids is left out and said in `left_out`."""
        found = self.found
        hello = self.client.hello
        found["board"] = {
            key: hello.get(key) for key in ("board", "firmware", "protocol", "machine", "profile")
        }
        found["playing"] = hello.get("playing")
        found["left_out"] = []
        found["status"] = self.client.request("status")
        self._board()
        if found["status"].get("maintenance"):
            found["left_out"].append("another tool was servicing the board at the same time")
        self.progress("readers", found)
        found["readers"] = self.diag("readers")["readers"]
        try:
            with self.maintenance():
                self._bus()
                self._hall()
                if self.reads:
                    self._tags()
                    self._all_reads()
                    self._say_what_is_empty()
        except Refused as refused:
            if refused.code != "playing":
                raise
            found["left_out"].append("a game is on: bus, hall levels and tags were not measured")
        found["after"] = self.client.request("status")
        return found

    def _board(self) -> None:
        """What needs no maintenance."""
        self.progress("board", self.found)
        for what in ("memory", "reset", "flash", "supply", "buttons"):
            reply = self.diag(what)
            self.found[what] = {k: v for k, v in reply.items() if k not in ("re", "ok")}
        self.found["settings"] = self.client.request("settings")["values"]
        try:
            self.found["roster"] = self.client.request("roster")["chips"]
        except Refused:
            self.found["roster"] = None
            self.found["left_out"].append("a full game is on: its tags stay secret")

    def _bus(self) -> None:
        """Patterns through every reader with all others attached; again where they come back
        wrong, at every clock; and who answers to whose select line."""
        found = self.found
        found["bus"] = {}
        for zone in ZONES:
            self.progress(f"bus {zone}", found)
            reader = found["readers"][zone]
            silent = set(reader["versions"]) <= {0, 255}
            doubtful = reader["state"] == "dead" or reader["errors"] or not reader["canary"]
            reply = self.diag("bus", zone=zone, n=60 if doubtful and not silent else 15)
            clocks = {str(reply["hz"]): [reply["wrong"], reply["n"]]}
            if reply["wrong"] and not silent:
                for hz in CLOCKS_HZ:
                    again = self.diag("bus", zone=zone, n=60, hz=hz)
                    clocks[str(hz)] = [again["wrong"], again["n"]]
            found["bus"][zone] = clocks
            found["idle"] = max(found.get("idle", 0), reply["idle"])
        found["marks"] = self.diag("marks")["marks"]

    def _hall(self) -> None:
        self.progress("hall", self.found)
        samples = [self.diag("hall")["mv"] for _ in range(HALL_SAMPLES)]
        if samples[0] is None:
            self.found["hall"] = None
            return
        self.found["hall"] = {
            zone: {
                "mv": round(statistics.fmean(sample[zone] for sample in samples)),
                "spread": round(statistics.pstdev(sample[zone] for sample in samples), 1),
            }
            for zone in ZONES
        }

    def _alive(self) -> list[str]:
        return [zone for zone in ZONES if self.found["readers"][zone]["state"] != "dead"]

    def _tags(self) -> None:
        """How strongly each tag couples: the lowest gain step that hears it, the best of three
        looks where one alone says weak."""
        self.progress("tags", self.found)
        tags = self._look()
        for zone, seen in tags.items():
            if any(step > 1 for _uid, _chip, step in seen):
                looks = [seen] + [self._look(zone).get(zone, []) for _ in range(3)]
                best: dict[str, list[Any]] = {}
                for uid, chip, step in (tag for look in looks for tag in look):
                    if uid not in best or step < best[uid][2]:
                        best[uid] = [uid, chip, step]
                tags[zone] = list(best.values())
        self.found["tags"] = tags

    def _look(self, zone: str | None = None) -> dict[str, list[list[Any]]]:
        try:
            reply = self.client.request("tags", timeout=30, zone=zone)
        except Refused as refused:
            if refused.code not in ("no_reader", "failed"):
                raise
            return {}
        tags: dict[str, list[list[Any]]] = reply["tags"]
        return tags

    def _all_reads(self) -> None:
        reads: dict[str, dict[str, Measured]] = {}
        self.found["reads"], self.found["slow"] = reads, {}
        for zone in self._alive():
            gain = self.found["settings"]["gain"][zone]
            reads[zone] = {}
            for leds in LED_STATES:
                self.progress(f"reads {zone}, LEDs {leds}", self.found)
                if self.quick and leds == "still" and not self._odd(zone, reads[zone]["moving"]):
                    continue
                visits = self.visits if leds == "off" else max(4, self.visits * 2 // 3)
                reads[zone][leds] = self._read(zone, gain, visits, leds)
                if not self._answers(reads[zone][leds]):
                    break
                if not self.quick:
                    reads[zone][leds]["lowest"] = self._lowest(zone, gain, leds)
            self._weigh(zone, gain, reads[zone])
            if self._missing(zone, reads[zone]["off"]):
                slow = self._one(zone, gain, self.visits, "off", SLOW_SETTLE_MS)
                steady = {uid: n for uid, n in slow["seen"].items() if n >= 0.9 * slow["n"]}
                self.found["slow"][zone] = steady

    def _say_what_is_empty(self) -> None:
        """Where no tag was seen and none should lie, the antenna cannot be judged."""
        reads = self.found["reads"]
        empty = [
            zone
            for zone in reads
            if not any(read["seen"] for read in reads[zone].values())
            and zone not in (self.laid or {}).values()
        ]
        if empty:
            self.found["left_out"].append(
                f"no chip lies in {', '.join(empty)}: antennas and tags there were not judged "
                "(`--layout` says where to lay which chip)"
            )

    @staticmethod
    def _answers(read: Measured) -> bool:
        return "dead" not in read["errors"]

    def _missing(self, zone: str, read: Measured) -> bool:
        """Is a chip that was laid there not seen, or nothing at all?"""
        expected = [chip for chip, place in (self.laid or {}).items() if place == zone]
        return len(read["seen"]) < max(1, len(expected))

    def _odd(self, zone: str, read: Measured) -> bool:
        """Is there anything but a full house of steady tags?"""
        return (
            bool(read["incomplete"])
            or any(times < read["n"] for times in read["seen"].values())
            or (self.laid is not None and self._missing(zone, read))
        )

    def _weigh(self, zone: str, gain: int, reads: dict[str, Measured]) -> None:
        """Where tags are missed while LEDs are lit only, look as long with the LEDs off: a tag
        that flickers may have answered a few visits in a row."""
        off = reads["off"]
        lit = [read for leds, read in reads.items() if leds != "off" and self._answers(read)]
        if not self._odd(zone, off) and any(self._odd(zone, read) for read in lit):
            self._more(off, zone, gain, 4 * self.visits, "off")

    def _read(self, zone: str, gain: int, visits: int, leds: str) -> Measured:
        """Reads at one gain; where one of them failed four times as many, added up."""
        read = self._one(zone, gain, visits, leds)
        if self._odd(zone, read) and self._answers(read):
            self._more(read, zone, gain, 4 * visits, leds)
        return read

    def _more(self, read: Measured, zone: str, gain: int, n: int, leds: str) -> None:
        """Add n more visits to a read."""
        more = self._one(zone, gain, n, leds)
        for key in ("seen", "errors"):
            for name, times in more[key].items():
                read[key][name] = read[key].get(name, 0) + times
        for key in ("n", "incomplete", "ms"):
            read[key] += more[key]

    def _one(self, zone: str, gain: int, n: int, leds: str, settle_ms: int = 5) -> Measured:
        try:
            reply = self.diag("read", zone=zone, gain=gain, n=n, leds=leds, settle_ms=settle_ms)
        except Refused as refused:  # it died between two looks
            if refused.code != "no_reader":
                raise
            return {"n": n, "seen": {}, "errors": {"dead": n}, "incomplete": n, "ms": 0}
        return {key: reply[key] for key in ("n", "seen", "errors", "incomplete", "ms")}

    def _lowest(self, zone: str, gain: int, leds: str) -> dict[str, int]:
        """{uid: lowest gain step at which nine of ten visits find it}."""
        lowest: dict[str, int] = {}
        for step in range(gain, -1, -1):
            read = self._one(zone, step, self.visits, leds)
            good = [uid for uid, times in read["seen"].items() if times >= 0.9 * read["n"]]
            lowest.update(dict.fromkeys(good, step))
            if not good:
                break
        return lowest


def paired(roster: dict[str, str | None] | None) -> list[str]:
    """The chips that have a tag, in the roster's order; all where nothing is known."""
    return [chip for chip in CHIPS if roster and roster.get(chip)] or list(CHIPS)
