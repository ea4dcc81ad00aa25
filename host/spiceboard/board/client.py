"""One conversation with a board: requests and replies, numbered events, and getting back in step.

The client holds the last public snapshot's sequence number and nothing of the game itself. To draw
the table, ask for `snapshot` or `view` when `poll` says that something has changed. The client
contains no rules. Message formats: docs/protocol.md.
"""

import re
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from spiceboard.board import timeouts
from spiceboard.board.checksum import crc16
from spiceboard.board.claims import Claimed
from spiceboard.board.link import Transport
from spiceboard.errors import LinkError, UserError
from spicecore import version
from spicecore.wire import messages

REPLY_S = 5.0  # a reply that takes longer is lost; a sweep takes a tenth of a second
HELLO_S = 20.0  # power-on to the first reply, with all its repetitions
HELLO_STEP_S = 1.0
RECONNECT_S = 10.0  # a cable that slipped; who watches for longer sets `reconnect_s`
RECONNECT_STEP_S = 0.25
LIFE_S = 1.0  # between signs of life of a host that only listens; the board waits for 3 s

Message = dict[str, Any]
# What poll returns: ("game", [kind, ...]), ("board", [kind, ...]), ("console", text) as they came,
# and ("resync", why) when events were missed: read the snapshot again.
Item = tuple[str, Any]
# The last bytes of a message without their beginning: body, star and CRC, or a part of the CRC.
END_OF_MESSAGE = re.compile(rb"(.*\*)?[0-9a-f]{1,4}")


class Refused(UserError):
    """The board said no: `code` of the protocol, its sentence, the game's own word."""

    exit_code = 1

    def __init__(self, code: str, text: str, why: str | None = None) -> None:
        super().__init__(text or code)
        self.code, self.text, self.why = code, text, why


class NoReply(LinkError):
    """The board did not answer in time."""


class OldProtocol(LinkError):
    """Board and program speak different protocols; waiting does not help."""


class Client:
    """Talks to one board. `reopen` opens the link again after it was lost (None: do not try)."""

    def __init__(self, link: Transport, reopen: Callable[[], Transport] | None = None) -> None:
        self.link = link
        self.reopen = reopen
        # Told at once when the link is lost: the error, and for how many seconds it is waited for.
        self.on_lost: Callable[[LinkError, float], None] = lambda error, seconds: None
        self.reconnect_s = RECONNECT_S
        # Called by `poll`, when no request is under way: raises Claimed where a table must lend
        # its board to a command.
        self.give_way: Callable[[], None] = lambda: None
        self.hello: Message = {}
        self.snapshot: Message = {}
        self.keys: dict[int, str] = {}
        self.slower = 1  # times as long as a real board may this one take to answer
        self.counts = {"gaps": 0, "broken": 0, "reconnects": 0, "restarts": 0}
        self._seq: int | None = None  # of the last event that is known; None: never in step yet
        self._listen()
        self._items: deque[Item] = deque()
        self._replies: dict[int, Message] = {}
        self._waiting: set[int] = set()
        self._next_id = 1
        self._spoke_at = 0.0
        self._snapshot_id = 0
        self._behind: str | None = None  # why a snapshot is due

    # -- beginning, and beginning again

    def connect(self) -> Message:
        """Say hello until the board answers, check the version, take a snapshot; the hello."""
        self.slower = 1
        reply = self.hello = accepted(self._say_hello())
        self.slower = timeouts.times(self.link.name, True, str(reply.get("machine")))
        check_version(self.hello)
        self.resync()
        return self.hello

    def _say_hello(self) -> Message:
        """Repeat it, because a line may be lost; a late reply to any of them counts."""
        slower = timeouts.times(self.link.name, False)
        end = self.link.now() + HELLO_S * slower
        asked: list[int] = []
        try:
            while not asked or self.link.now() < end:
                asked.append(self._send("hello", {}))
                # each is answered: more of them than needed would stand before what is asked next
                reply = self._await(asked, HELLO_STEP_S * slower)
                if reply is not None:
                    return reply
        finally:
            self._waiting.difference_update(asked)
        raise NoReply(
            f"no Spiceboard answers on {self.link.name}. Check that it is the right port and "
            f"that the firmware is installed (`spiceboard flash`).{self._said()}"
        )

    def _said(self) -> str:
        """What a port prints that answers nothing: a traceback's end, or another device's text."""
        lines = [text.strip()[:99] for kind, text in self._items if kind == "console"]
        lines = [line for line in lines if line][-2:]
        return "".join([" It says:", *(f"\n  {line}" for line in lines)]) if lines else ""

    def resync(self) -> Message:
        """Take a snapshot and count from its number; returns it."""
        self._behind = None
        self._snapshot_id = self._next_id
        self.snapshot = self._exchange("snapshot", {}, REPLY_S)
        return self.snapshot

    def close(self) -> None:
        """Close the link; the board plays on."""
        self.link.close()

    # -- talking

    def request(self, do: str, timeout: float = REPLY_S, **arguments: Any) -> Message:
        """Send a request and wait for its reply; events that come meanwhile are kept for `poll`.

        Raises Refused when the board says no, NoReply after `timeout` seconds.
        """
        try:
            reply = self._exchange(do, arguments, timeout)
        except NoReply:
            raise
        except LinkError as error:
            self._reconnect(error)
            raise Refused(
                "lost", f"the connection was lost and is back. Check whether `{do}` was done"
            ) from error
        if self._behind:
            self._catch_up()
        return reply

    def claim(self, seat: int) -> str:
        """The key of a seat, asked from the board once and remembered."""
        if seat not in self.keys:
            self.keys[seat] = str(self.request("claim", seat=seat)["key"])
        return self.keys[seat]

    def poll(self, timeout: float = 0.0) -> list[Item]:
        """Everything that came within `timeout` seconds; gets back in step by itself."""
        self.give_way()
        if not self._items:
            try:
                self._show_life()
                self._receive(timeout)
            except LinkError as error:
                self._reconnect(error)
        if self._behind:
            self._catch_up()
        items = list(self._items)
        self._items.clear()
        return items

    def _show_life(self) -> None:
        """An empty line now and then: to a host that is silent the board writes byte by byte."""
        if self.link.now() - self._spoke_at >= LIFE_S:
            self._spoke_at = self.link.now()
            self.link.write(b"\n")

    def _exchange(self, do: str, arguments: Message, timeout: float) -> Message:
        number = self._send(do, arguments)
        try:
            reply = self._await((number,), timeout * self.slower)
        finally:
            self._waiting.discard(number)
        if reply is None:
            raise NoReply(
                f"the board did not answer `{do}` within {timeout * self.slower:g} s. If it "
                "hangs, unplug it and plug it in again: the game continues where it was"
            )
        return accepted(reply)

    def _send(self, do: str, arguments: Message) -> int:
        number = self._next_id
        self._next_id += 1
        self._spoke_at = self.link.now()
        self.link.write(
            messages.encode({"id": number, "do": do, **arguments}, messages.REQUEST_MAX, crc16)
        )
        self._waiting.add(number)
        return number

    def _await(self, numbers: Sequence[int], seconds: float) -> Message | None:
        """The reply to one of these requests; None when none came in time."""
        end = self.link.now() + seconds
        while True:
            for number in numbers:
                if number in self._replies:
                    return self._replies.pop(number)
            left = end - self.link.now()
            if left <= 0:
                return None
            self._receive(left)

    # -- listening

    def _listen(self) -> None:
        """The link was just opened: nothing has come yet."""
        self._decoder = messages.Decoder(crc=crc16)
        self._opened = True

    def _receive(self, timeout: float) -> None:
        found: list[list[Any]] = self._decoder.feed(self.link.read(timeout))
        for kind, value in found:
            first, self._opened = self._opened, False
            if first and kind == messages.CONSOLE and END_OF_MESSAGE.fullmatch(value):
                continue  # it began before the link was opened
            if kind == messages.CONSOLE:
                self._items.append(("console", bytes(value).decode("utf-8", "replace")))
            elif kind == messages.BROKEN:
                self.counts["broken"] += 1
                self._behind = self._behind or f"a line was damaged: {value[1]}"
            elif "re" in value:
                self._reply(value)
            elif isinstance(value.get("seq"), int):
                self._event(value)

    def _reply(self, message: Message) -> None:
        if message["re"] == self._snapshot_id and isinstance(message.get("seq"), int):
            self._seq = message["seq"]  # here, in the order of the stream: events may follow
        if message["re"] in self._waiting:  # drop a reply that is no longer expected
            self._replies[message["re"]] = message

    def _event(self, message: Message) -> None:
        seq = message["seq"]
        if self._seq is None:
            return  # came before the first snapshot, which will contain it
        if seq <= self._seq:
            # 1. an event that the snapshot contains: it was under way. 2. the board restarted.
            if seq < self._seq:
                self._behind = self._behind or (
                    "sequence numbers went back: did the board restart?"
                )
            return
        if seq > self._seq + 1:
            self.counts["gaps"] += 1
            self._behind = self._behind or f"{seq - self._seq - 1} events were missed"
        self._seq = seq
        for kind in ("game", "board"):
            if isinstance(message.get(kind), list):
                self._items.append((kind, message[kind]))

    def _catch_up(self) -> None:
        why = self._behind or ""
        try:
            boot = self.hello.get("boot")
            self.hello = self._exchange("hello", {}, REPLY_S)
            if self.hello.get("boot") != boot:
                self.counts["restarts"] += 1
                why = "the board restarted"
            check_version(self.hello)
            self.resync()
        except LinkError as error:
            self._reconnect(error)
            return
        self._items.append(("resync", why))

    def _reconnect(self, error: LinkError) -> None:
        """Open the link again for some seconds; the board has kept the game meanwhile."""
        if self.reopen is None:
            raise error
        self.link.close()
        self.on_lost(error, self.reconnect_s)
        end = self.link.now() + self.reconnect_s
        while True:
            try:
                self.link = self.reopen()
                self._listen()
                self.connect()
                break
            except (OldProtocol, Claimed):
                raise
            except LinkError as failure:
                if self.link.now() >= end:
                    raise LinkError(f"{error}; and {failure}") from failure
            self.link.sleep(RECONNECT_STEP_S)
        self.counts["reconnects"] += 1
        self._items.append(("resync", "the connection was lost and is back"))


def accepted(reply: Message) -> Message:
    """The reply; Refused where it says no."""
    if "error" in reply:
        raise Refused(str(reply["error"]), str(reply.get("text", "")), reply.get("why"))
    return reply


def check_version(hello: Message) -> None:
    """This version and the one before it are spoken; LinkError with the way out for others."""
    protocol = hello.get("protocol")
    if protocol in (version.PROTOCOL, version.PROTOCOL - 1):
        return
    way = "update the board with `spiceboard flash`"
    if isinstance(protocol, int) and protocol > version.PROTOCOL:
        way = "update this program"
    raise OldProtocol(
        f"the board speaks protocol {protocol}, but this program speaks {version.PROTOCOL} and "
        f"the one before: {way}"
    )
