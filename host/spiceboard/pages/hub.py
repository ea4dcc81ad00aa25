"""All pages that are open, and what each of them may be told.

`Hub.frames_for` is the only place where it is decided what a page sees: the public part goes to
all, a seat's page only to the person who plays that seat, invitations only to the table.
"""

import asyncio
import json
import time
from collections import deque
from typing import Any

import segno

from spiceboard import words
from spiceboard.bots.compiled import COMPILING
from spiceboard.pages import sentences
from spiceboard.pages.keys import Keys
from spiceboard.words.refusals import said_by_board

Frame = dict[str, Any]
LINES = 400  # of the log that a page gets when it comes
WAITING = 300  # frames that a page may be behind; then it has to come again


class Told(dict[str, Any]):
    """A frame that many pages get: its text is made once."""

    made: str | None = None

    def text(self) -> str:
        """As it goes over the socket."""
        if self.made is None:
            self.made = json.dumps(self, separators=(",", ":"))
        return self.made


class Page:
    """One socket: who looks at it, and what waits to be sent."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.table = False
        self.own: int | None = None  # the seat whose key it has
        self.closed = False
        self.reads_until = 0.0  # a page of the guide is open on it
        self.waiting: deque[Told] = deque()
        self.wake = asyncio.Event()

    def put(self, frame: Frame, latest: bool = False) -> None:
        """Have a frame sent; with `latest` it takes the place of an older one of its kind."""
        if latest:
            kind = (frame["is"], frame.get("seat"))
            for index, old in enumerate(self.waiting):
                if (old["is"], old.get("seat")) == kind:
                    del self.waiting[index]
                    break
        self.waiting.append(frame if isinstance(frame, Told) else Told(frame))
        if len(self.waiting) > WAITING:
            self.closed = True
        self.wake.set()


class Hub:
    """What is known last, and who gets it."""

    def __init__(self, keys: Keys, address: str) -> None:
        self.keys, self.address = keys, address
        self.pages: set[Page] = set()
        self.table: Frame = {}
        self.seats: dict[int, Frame] = {}
        self.lines: deque[Frame] = deque(maxlen=LINES)
        self.eyes: Frame = {}
        self.lost = ""
        self.lent = ""  # to whom the board is lent: "command", "people", or nobody
        self.name = ""
        self._next_line = 1

    # -- told by the desk (in the loop's thread)

    def take(self, kind: str, value: Any) -> None:
        """Something changed."""
        handler = getattr(self, f"_take_{kind}")
        handler(value)

    def _take_table(self, value: Frame) -> None:
        self.table = value
        known: dict[Any, Told] = {}
        for page in self.pages:
            kind = (page.language, page.table, page.own)
            if kind not in known:
                known[kind] = Told(self.table_frame(page))
            page.put(known[kind], latest=True)

    def _take_seats(self, value: dict[int, Frame]) -> None:
        self.seats = value
        for page in self.pages:
            self._put_seats(page)

    def _take_item(self, item: tuple[str, Any]) -> None:
        kind, value = item
        if kind == "board" and value[0] == "started":
            self.lines.clear()
            for page in self.pages:
                page.put({"is": "log", "lines": [], "anew": True})
        view = (self.table.get("snapshot", {}).get("game") or {}).get("view") or {}
        text = sentences.line_of(item, view)
        if text is None:
            return
        line = {"n": self._next_line, "text": text, "zone": sentences.zone_of(item), "kind": kind}
        line["effect"] = value
        line["at"] = round(1000 * time.time())
        self._next_line += 1
        self.lines.append(line)
        known: dict[str, Told] = {}
        for page in self.pages:
            if page.language not in known:
                known[page.language] = Told(is_log(self._line_for(line, page)))
            page.put(known[page.language])

    def _take_flight(self, value: Frame) -> None:
        told = Told({"is": "flight", **value})
        for page in self.pages:
            page.put(told)

    def _take_eyes(self, value: Frame) -> None:
        self.eyes = value
        told = Told({"is": "eyes", **value})
        for page in self.pages:
            page.put(told, latest=True)

    def _take_notice(self, value: str) -> None:
        for page in self.pages:
            with words.using(page.language):
                page.put({"is": "notice", "text": said_by_board(value)})

    def _take_lost(self, why: str) -> None:
        self.lost, self.lent = why, ""
        self._put_lost()

    def _take_lent(self, to: str) -> None:
        self.lent = to
        self._put_lost()

    def _take_found(self, hello: Frame) -> None:
        self.lost = self.lent = ""
        self.name = str(hello.get("machine", ""))
        self._put_lost()

    def _put_lost(self) -> None:
        for page in self.pages:
            page.put(self._lost_frame(page), latest=True)

    def _lost_frame(self, page: Page) -> Frame:
        with words.using(page.language):
            return {"is": "lost", "text": said_by_board(self.lost), "lent": self.lent}

    # -- who plays what

    def people(self) -> list[int]:
        """Seats of people in the game that is on."""
        return [s for s, chair in enumerate(self.table.get("chairs", [])) if is_person(chair)]

    def seats_of(self, page: Page) -> list[int]:
        """Seats that a page plays: its own, or for the table those that nobody else has."""
        if page.own is not None:
            return [page.own]
        if page.table:
            return [seat for seat in self.people() if seat not in self.keys.seats]
        return []

    def watched(self, seat: int) -> bool:
        """Is somebody there who plays this seat?"""
        return any(seat in self.seats_of(page) for page in list(self.pages))

    def reading(self) -> bool:
        """Does a player read a page of the guide just now?"""
        now = time.monotonic()
        return any(page.reads_until > now and self.seats_of(page) for page in list(self.pages))

    # -- what a page is told

    def welcome(self, page: Page) -> list[Frame]:
        """All that a page needs when it comes, or comes again."""
        frames: list[Frame] = [self.who_frame(page)]
        if self.lost or self.lent:
            frames.append(self._lost_frame(page))
        lines = [self._line_for(line, page) for line in self.lines]
        frames.append({"is": "log", "lines": lines, "anew": True})
        if self.table:
            frames.append(self.table_frame(page))
        frames += [self._seat_frame(page, seat) for seat in self._told_seats(page)]
        if self.eyes:
            frames.append({"is": "eyes", **self.eyes})
        return frames

    def who_frame(self, page: Page) -> Frame:
        """Who this page is."""
        return {"is": "you", "table": page.table, "seats": self.seats_of(page), "own": page.own}

    def table_frame(self, page: Page) -> Frame:
        """The public state in the page's language."""
        table = self.table
        view = (table["snapshot"].get("game") or {}).get("view") or {}
        with words.using(page.language):
            frame: Frame = {"is": "table", **table, "prompt": sentences.prompt(view)}
            if table["compiles"]:
                frame["prompt"] = sentences.pieces(words._(COMPILING))
        frame["seats"] = self.seats_of(page)
        frame["away"] = sorted(self.keys.seats)
        frame["here"] = [seat for seat in self.people() if self.watched(seat)]
        if page.table:
            frame["invitations"] = self._invitations()
        return frame

    def _invitations(self) -> list[Frame]:
        found = []
        for seat, code in sorted(self.keys.invitations.items()):
            url = f"{self.address}/seat#join={code}"
            matrix = segno.make(url, error="m").matrix
            rows = ["".join("1" if dark else "0" for dark in row) for row in matrix]
            found.append({"seat": seat, "url": url, "qr": rows})
        return found

    def _told_seats(self, page: Page) -> list[int]:
        """Seats whose hands a page is shown: its own, and all of them when the game is over."""
        game = self.table.get("snapshot", {}).get("game")
        if game and game["over"]:
            return sorted(self.seats)
        return [seat for seat in self.seats_of(page) if seat in self.seats]

    def _put_seats(self, page: Page) -> None:
        for seat in self._told_seats(page):
            page.put(self._seat_frame(page, seat), latest=True)

    def _seat_frame(self, page: Page, seat: int) -> Frame:
        own = self.seats[seat]
        with words.using(page.language):
            told = sentences.choices(own, seat)
        return {
            "is": "seat",
            "seat": seat,
            "step": own["step"],
            "view": own["view"],
            "legal": own["legal"],
            "wrong": own["mismatch"],
            "out": own["out"],
            **told,
        }

    def _line_for(self, line: Frame, page: Page) -> Frame:
        return {**line, "text": line["text"][page.language]}

    def tell_again(self) -> None:
        """Seats changed hands: everybody learns who is who."""
        for page in self.pages:
            page.put(self.who_frame(page), latest=True)
            if self.table:
                page.put(self.table_frame(page), latest=True)
            self._put_seats(page)


def is_log(line: Frame) -> Frame:
    """A line as a frame."""
    return {"is": "log", "lines": [line]}


def is_person(chair: Frame) -> bool:
    """Does a person sit there?"""
    return bool(chair["who"] == "person")
