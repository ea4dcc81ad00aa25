"""The board's end of the wire: never waits for a host, answers every request once, in order."""

import asyncio
import gc
import select
import sys

from micropython import const

from app import unload
from app.refused import Refused
from spicecore.wire import messages

_QUEUE_MAX = const(12_000)  # bytes that may wait for a host
_PIECE = const(64)  # bytes written at once to a host that is alive: a USB packet
_ALIVE_MS = const(3000)  # since its last byte
_TICK_MS = const(4)
_MAINTAIN_MS = const(60_000)  # maintenance ends this long after the last request
_NOISE_MAX = const(8)  # unreadable lines in a row that get an answer
_NO_MEMORY = "the board has no room for so long a reply: ask for less, or again later"

SELDOM = {  # commands that are not part of a turn, and the module that each needs
    "hello": "visit",
    "status": "visit",
    "new": "visit",
    "claim": "visit",
    "accept": "visit",
    "lies": "visit",
    "fix": "visit",
    "abort": "visit",
    "text": "visit",
    "quiesce": "visit",
    "reboot": "visit",
    "maintain": "service",
    "roster": "service",
    "roster_set": "service",
    "tags": "service",
    "settings": "service",
    "settings_set": "service",
    "log": "service",
    "log_read": "service",
    "log_erase": "service",
    "diag": "diag",
}


class Outbox:
    """Lines that wait for the host: bounded, with a count of the dropped ones. crc: the function
    that computes their checksums."""

    def __init__(self, crc):
        self._crc = crc
        self.seq = 0
        self.dropped = 0
        self.bytes = 0
        self.lines = []
        self._untold = False

    def event(self, kind, item):
        """Queue an event, or count it as dropped."""
        self.catch_up()
        self.seq += 1
        line = self._encode({"seq": self.seq, kind: item})
        if self._untold or self.bytes + len(line) > _QUEUE_MAX:
            self.dropped += 1
            self._untold = True
        else:
            self._add(line)

    def waits(self):
        """Is there anything to write or to report?"""
        return self._untold or bool(self.lines)

    def catch_up(self):
        """Report what was dropped, as soon as there is room."""
        if self._untold and self.bytes < _QUEUE_MAX // 2:
            self._untold = False
            self.seq += 1
            self._add(self._encode({"seq": self.seq, "board": ["dropped", self.dropped]}))

    def reply(self, message):
        """Queue a reply; replies may take as much space again as all events."""
        line = self._fitting(message) or self._fitting(message)
        if line is None:  # a refusal fits where a long reply does not
            line = self._encode({"re": message["re"], "error": "no_memory", "text": _NO_MEMORY})
        if self.bytes + len(line) <= 2 * _QUEUE_MAX:
            self._add(line)

    def _fitting(self, message):
        """The line of a reply. None: the heap is in pieces; the second attempt finds more room."""
        try:
            return self._encode(message)
        except ValueError as error:
            return self._encode({"re": message["re"], "error": "too_long", "text": str(error)})
        except MemoryError:
            gc.collect()
            return None

    def console(self, text):
        """Queue text for the host's log, as a separate line between messages."""
        line = text.replace("$", "?").encode() + b"\n"
        if len(line) > 1 and self.bytes + len(line) <= _QUEUE_MAX:
            self._add(line)

    def _encode(self, message):
        return messages.encode(message, messages.LINE_MAX, self._crc)

    def _add(self, line):
        self.lines.append(line)
        self.bytes += len(line)


class Talk:
    """session gives play, sense, glow, board, now(), ask(), ..."""

    def __init__(self, session, outbox):
        self.session = session
        self.outbox = outbox
        self.until = None  # end of maintenance
        self._in = sys.stdin.buffer
        self._out = sys.stdout.buffer
        self._poll_in = select.poll()
        self._poll_in.register(self._in, select.POLLIN)
        self._poll_out = select.poll()
        self._poll_out.register(self._out, select.POLLOUT)
        self._decoder = messages.Decoder(messages.REQUEST_MAX, session.board.crc16)
        self._at = 0  # bytes of the first line that are written
        self._one = bytearray(1)
        self._heard_at = -_ALIVE_MS
        self._noise = 0  # unreadable lines since the last request

    async def run(self):
        while True:
            self.session.beat("talk")
            if self._ready(self._poll_in):
                for kind, value in self._decoder.feed(self._read()):
                    await self._serve(kind, value)
                    self.write()
            if self.outbox.waits():
                self.write()
            if self.until is not None and self.session.now() - self.until >= 0:
                self.maintain(False)
            await asyncio.sleep_ms(_TICK_MS)

    def _ready(self, poller):
        for _ in poller.ipoll(0):
            return True
        return False

    def _read(self):
        """Read the serial buffer without waiting."""
        data = bytearray()
        one = self._one
        ready = self._poll_in.ipoll
        read = self._in.readinto
        while len(data) < 256:  # byte by byte: a longer read would wait for all its bytes
            for _ in ready(0):
                break
            else:
                break
            if not read(one):  # the host has closed its end
                break
            data.append(one[0])
        if data:
            self._heard_at = self.session.now()
        return bytes(data)

    def write(self, most=512):
        """Write as much as the host accepts now. A port with room for one byte may not have room
        for more, and a write would block: so write byte by byte, unless the host is alive."""
        self.outbox.catch_up()
        alive = self.session.now() - self._heard_at < _ALIVE_MS
        while self.outbox.lines and most > 0 and self._ready(self._poll_out):
            line = self.outbox.lines[0]
            before = self._at
            if alive:
                self._at += self._out.write(line[before : before + _PIECE]) or 0
            else:
                self._trickle(line)
            most -= max(self._at - before, 1) * (1 if alive else 4)
            if self._at >= len(line):
                self._at = 0
                self.outbox.lines.pop(0)
                self.outbox.bytes -= len(line)
        if hasattr(self._out, "flush"):
            self._out.flush()

    def _trickle(self, line):
        """Write the line's next bytes one by one, as long as there is room for each."""
        one = self._one
        at = self._at
        end = min(len(line), at + _PIECE)
        ready = self._poll_out.ipoll
        write = self._out.write
        while at < end:
            for _ in ready(0):
                break
            else:
                break
            one[0] = line[at]
            if not write(one):
                break
            at += 1
        self._at = at

    async def flush(self, ms):
        """Write waiting lines, for at most this long."""
        until = self.session.now() + ms
        while self.outbox.lines and self.session.now() - until < 0:
            self.write()
            await asyncio.sleep_ms(2)

    # -- requests --------------------------------------------------------------------------

    async def _serve(self, kind, value):
        if kind == messages.CONSOLE:
            if value.strip():
                self._unreadable("not_ours", "a message begins with $: docs/protocol.md")
            return
        if kind == messages.BROKEN:
            self._unreadable(value[0], value[1])
            return
        number = value.get("id")
        if not isinstance(number, (int, str)) or type(value.get("do")) is not str:
            if "re" not in value and "seq" not in value:  # else our own, from an echoing terminal
                self._unreadable("no_id", "a request has id and do")
            return
        self._noise = 0
        if self.until is not None:
            self.until = self.session.now() + _MAINTAIN_MS
        try:
            reply = await self._do(value["do"], value)
        except Refused as refused:
            self._refuse(number, refused.code, refused.text, refused.why)
            return
        except Exception as error:
            self.session.log("request %s failed" % value["do"], error)
            self._refuse(number, "failed", "%s: %s" % (type(error).__name__, error))
            return
        reply["re"] = number
        reply["ok"] = True
        self.outbox.reply(reply)

    def _unreadable(self, code, text):
        """Report what is wrong with a line, but not for ever: noise may never end."""
        if self._noise < _NOISE_MAX:
            self._noise += 1
            self._refuse(None, code, text)

    def _refuse(self, number, code, text, why=None):
        message = {"re": number, "error": code, "text": text}
        if why is not None:
            message["why"] = why
        self.outbox.reply(message)

    async def _do(self, name, args):
        method = COMMANDS.get(name)
        if method is None and name in SELDOM:
            try:
                module = __import__("app.on_demand." + SELDOM[name], None, None, ("COMMANDS",))
                return await module.COMMANDS[name](self.session, args)
            finally:
                if self.until is None:
                    unload.on_demand()
        if method is None:
            raise Refused("unknown_command", "this firmware does not know %s" % name)
        return await method(self, args)

    async def ping(self, args):
        return {"data": args.get("data")}

    async def snapshot(self, args):
        return self.session.snapshot()

    async def view(self, args):
        play = self.session.play
        seat = args.get("seat")
        game = play.need()
        if seat is not None:
            play.seat(seat, args.get("key"))
        reply = {
            "seq": self.outbox.seq,
            "step": play.step,
            "view": game.view(play.state, seat),
            "asked": game.seats_asked(play.state),
            "mismatch": play.public_wrong() if seat is None else play.own_wrong(seat),
        }
        packed = getattr(game, "packed", None)
        if seat is not None and packed:  # its list of legal events would not fit into a line
            reply["packed"] = packed(play.state, seat)
        else:
            reply["legal"] = [] if seat is None else game.legal(play.state, seat)
        return reply

    async def act(self, args):
        play = self.session.play
        seat, key, event, step = [args.get(name) for name in ("seat", "key", "event", "step")]
        await self.session.ask(lambda: play.act(seat, key, event, step))
        return {"step": play.step}

    async def decide(self, args):
        session = self.session
        if type(args.get("counts")) is not bool:
            raise Refused("bad_argument", "counts is true or false")
        play = session.play
        seat = play.seat(args.get("seat"), args.get("key"))
        arbiter = play.arbiter()
        if seat is not None and arbiter is not None and seat != arbiter:
            raise Refused("wrong_seat", "in doubt %s decides" % play.game.SEATS[arbiter])
        await session.ask(lambda: session.decide(args.get("doubt"), args["counts"]))
        return {"step": play.step}

    async def undo(self, args):
        play = self.session.play
        seat = play.seat(args.get("seat"), args.get("key"))
        await self.session.ask(lambda: play.undo(seat))
        return {"step": play.step}

    async def sense(self, args):
        play = self.session.play
        await self.session.ask(lambda: play.sense(args.get("moves")))
        return {"step": play.step}

    def maintain(self, on):
        """Stop sweeping and leave the rings to the host, or go on."""
        session = self.session
        if not on and self.until is not None:
            session.sense.reload()
            session.glow.reload()
            unload.on_demand()
        self.until = session.now() + _MAINTAIN_MS if on else None
        session.sense.paused = on
        session.glow.held = on
        session.lights.peak = 0  # the host's pictures are weakened one by one


COMMANDS = {
    "ping": Talk.ping,
    "snapshot": Talk.snapshot,
    "view": Talk.view,
    "act": Talk.act,
    "decide": Talk.decide,
    "undo": Talk.undo,
    "sense": Talk.sense,
}
