"""The whole firmware under nonsense, in the middle of a game: no death, no growth, game unharmed.

An answer or silence as docs/protocol.md says: each line that holds a readable request is answered
once, eight unreadable ones in a row, and none by `failed`, which is a mistake of the firmware.
"""

import os

import pytest
from nonsense import Nonsense, corpus

from checkout import ROOT
from lab import Lab
from spicecore.games import GAMES
from spicecore.wire import messages

LINES = int(os.getenv("SPICEBOARD_FUZZ") or 1500)
SOAK_LINES = int(os.getenv("SPICEBOARD_FUZZ") or 1_000_000)  # by wire some 2 ms each, else 4
NEVER = ("quiesce", "reboot")  # they end the run; both are tried by themselves elsewhere


def asked(line: bytes) -> tuple[int, int]:
    """Readable requests in the line, or lines; and those that MicroPython's more patient JSON may
    find readable besides (it takes a comma too many)."""
    found = messages.Decoder(messages.REQUEST_MAX).feed(line)
    good = perhaps = 0
    for kind, value in found:
        if kind == messages.MESSAGE and isinstance(value, dict):
            known = type(value.get("id")) in (int, str) and type(value.get("do")) is str
            good += known
        elif kind == messages.BROKEN and isinstance(value, list):
            perhaps += value[0] == "bad_json"
    return good, good + perhaps


class Fuzz:
    """A board in a game, fed with nonsense."""

    def __init__(self, lab: Lab, name: str | None, seed: int, sensing: str) -> None:
        self.lab = lab
        keys: tuple[str, ...] = ()
        never: tuple[str, ...] = NEVER
        if sensing == "wire":
            never += ("sense",)  # it may tell where chips lie, and so change the game
        if name:
            options = {"players": 2, "mode": "full", "seed": 7}
            lab.good("new", game=name, options=options, sensing=sensing)
            keys = tuple(lab.good("claim", seat=seat)["key"] for seat in (0, 1))
        self.keys = keys
        self.source = Nonsense(seed, keys, never)
        self.before = self.state()

    def state(self) -> list[object]:
        """All that a seat or anybody may know of the game."""
        lab = self.lab
        pages = [lab.good("view", seat=s, key=key) for s, key in enumerate(self.keys)]
        game = lab.good("snapshot")["game"]
        return [game and game["step"], game, [[p["view"], p["mismatch"]] for p in pages]]

    def free(self) -> int:
        """Bytes of heap. Without a game nonsense may have begun one, whose rules stay loaded: so
        those of the same game are loaded each time."""
        lab = self.lab
        if not self.keys:
            lab.ask("abort", confirm=True)
            lab.good("new", game="ninebowls", options={"players": 2, "mode": "full", "seed": 7})
            lab.good("abort", confirm=True)
        return int(lab.good("diag", what="memory")["free"])

    def feed(self, lines: int) -> None:
        """So many lines; what the board says must be readable, and no `failed`."""
        lab = self.lab
        for number in range(lines):
            if number % 20 == 0:
                lab.run(40)
                self.lab.forget_what_was_well()
            lab.board.write(self.source.line().replace(b"\x03", b""))
            if number % 4 == 0:
                lab.run(6)
            while lab.board._typed:  # no faster than it takes them: some requests take their time
                lab.run(50)
        lab.board.write(b"\n")
        while lab.board._input_waits():
            lab.run(50)
        lab.run(3000)
        self.lab.forget_what_was_well()


@pytest.mark.parametrize("name", [*GAMES, None])
def test_nonsense_in_the_middle_of_a_game(name: str | None) -> None:
    nonsense(name, LINES // 4, 11, "readers")


@pytest.mark.soak
@pytest.mark.parametrize("name", [*GAMES, None])
def test_nonsense_for_long(name: str | None) -> None:
    """Games by wire, so that the time goes into lines and not into sweeps; without a game both."""
    nonsense(name, SOAK_LINES // 5, 12, "wire")


def nonsense(name: str | None, lines: int, seed: int, sensing: str) -> None:
    with Lab(seed=1) as lab:
        lab.boot()
        fuzz = Fuzz(lab, name, seed, sensing)
        fuzz.feed(min(lines, 200))  # modules that are loaded once, and the first answers
        free = fuzz.free()
        fuzz.feed(lines)
        status = lab.good("status")
        assert set(status["tasks"].values()) == {"runs"}, status["tasks"]
        assert lab.board.watchdog_resets == 0 and lab.board.starts == 1
        if name:
            assert fuzz.state() == fuzz.before
        assert fuzz.free() > free - 6000


def test_each_request_is_answered_once() -> None:
    """Line by line: a readable request has one reply, whatever it is."""
    with Lab(seed=1) as lab:
        lab.boot()
        source = Nonsense(5, (), NEVER)
        for _ in range(150):
            line = source.line().replace(b"\x03", b"")
            least, most = asked(line + b"\n")
            lab.board.write(line + b"\n")
            lab.raw = b""
            lab.run(60)
            for _ in range(40):  # diag and tags take their time
                found = messages.Decoder().feed(lab.raw)
                replies = [v for k, v in found if k == messages.MESSAGE and isinstance(v, dict)]
                given = [reply for reply in replies if reply.get("re") is not None]
                if len(given) >= least:
                    break
                lab.run(100)
            assert least <= len(given) <= most, (line, given)


def test_lines_that_are_kept() -> None:
    with Lab(seed=1) as lab:
        lab.boot()
        for line in corpus(str(ROOT / "tests/portable/wire_corpus.txt")):
            lab.board.write(line + b"\n")
            lab.run(30)
            assert lab.good("ping", data="here")["data"] == "here"
        assert set(lab.good("status")["tasks"].values()) == {"runs"}
