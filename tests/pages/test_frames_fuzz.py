"""Frames that no good page sends, into the pages' server: it lives, and no game is changed.

Valid frames damaged, wrong types, huge numbers, deep nesting, bytes that are no text, other seats'
numbers: from spectators and from a seat's own page, which may ask for anything but others' turns.
"""

import json
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from nonsense import RAW, Nonsense
from websockets.exceptions import ConnectionClosed

from pagesbench import Bench, Talker, people
from spiceboard.pages import guard
from spiceboard.pages.requests import HANDLERS

FRAMES = int(os.getenv("SPICEBOARD_FUZZ") or 400)
SOAK_FRAMES = 100_000
PAGES = 16  # open at a time
AT_ONCE = guard.BURST - 20  # then another page comes: one that talks without end is closed
WORDS = (
    "key lang code seat event step chip zone x y strength doubt counts game mode seed players "
    "chairs options number at"
).split()


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path, "safranito", people(2), chef=0)
    yield made
    made.close()


class Frames:
    """A source of frames."""

    def __init__(self, seed: int) -> None:
        self.source = Nonsense(seed)
        self.pick, self.n = self.source.pick, self.source.n

    def frame(self) -> str | bytes:
        kind = self.n(10)
        if kind == 0:
            return bytes(self.pick(RAW)).decode("utf-8", "replace")
        if kind == 1 and not self.n(20):  # ends its page
            return bytes(self.n(256) for _ in range(self.n(60)))
        message = {"id": self.n(99), "do": self.pick(tuple(HANDLERS))}
        for _ in range(self.n(5)):
            message[self.pick(WORDS)] = self.source.junk()
        if self.n(2):
            message["seat"] = self.pick((0, 1, 2, -1))
        text = json.dumps(message)
        if kind < 4:
            at = self.n(len(text))
            text = text[:at] + self.pick(("", "[", "}", "\x00", "\u20ac", '"')) + text[at + 1 :]
        return text


def page_full(bench: Bench, seed: int) -> bool:
    """A spectator's page with as many frames as it may send at once; was it closed for one?"""
    source = Frames(seed)
    page = Talker(bench)
    page._number = 10_000  # its own questions are told from the others by their ids
    try:
        for _ in range(AT_ONCE):
            page.socket.send(source.frame())
        assert page.ask("games")["is"] == "done"
        for frame in page.frames:
            assert frame["is"] != "refused" or frame["text"], frame
            assert frame["is"] != "seat", "a spectator was shown a hand"
    except ConnectionClosed:
        return True  # it sent what is no message at all
    finally:
        page.close()
    return False


def fed(bench: Bench, frames: int, seed: int) -> None:
    """So many frames by spectators, some at once; each page's last question is answered."""
    own = Talker(bench, bench.table.keys.table)
    own.see(lambda frame: frame["is"] == "seat")
    before, seats = bench.game, dict(bench.table.server.hub.seats)
    pages = frames // AT_ONCE
    with ThreadPoolExecutor(PAGES) as pool:  # a page waits most of the time
        closed = sum(
            pool.map(lambda number: page_full(bench, seed * 10**6 + number), range(pages))
        )
    assert bench.game == before and dict(bench.table.server.hub.seats) == seats
    assert bench.table.server.desk is not None and 0 < closed < pages // 2
    assert own.ask("throw", seat=0, chip="b10", zone="mint", strength=0.1)["is"] == "done"


def test_frames_of_spectators_change_nothing(bench: Bench) -> None:
    fed(bench, FRAMES, 3)


@pytest.mark.soak
def test_many_frames_of_spectators_change_nothing(bench: Bench) -> None:
    fed(bench, SOAK_FRAMES, 4)
