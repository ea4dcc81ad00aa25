"""Commands that begin and end a host's connection or a game; loaded for each."""

import asyncio
import gc
import os

from micropython import const

import slots
from app.refused import Refused
from spicecore.games import GAMES
from spicecore.parts import CHIPS, COLOURS, MILL, ZONES, colour
from spicecore.version import PROTOCOL, VERSION
from spicecore.wire import messages

# Kinds of doubt that no reader raised: a person says that the chip lies there; it lay there, and
# no reader hears it any more; of this colour fewer chips have been heard than played (the chip is
# a colour then, and the zone None).
_SAID = const(0)
_GONE = const(1)
_UNSEEN = const(2)


async def hello(session, args):
    can = ["full", "referee", "journal", "mill", "buttons", "diag"]
    if session.settings.get("hall"):
        can.append("hall")
    if session.settings.get("supply"):
        can.append("supply")
    return {
        "protocol": PROTOCOL,
        "firmware": VERSION,
        "board": session.board.unique_id,
        "boot": session.starts,
        "machine": session.board.machine,
        "profile": session.board.PROFILE,
        "can": can,
        "games": {name: list(GAMES[name]) for name in GAMES},
        "zones": list(ZONES),
        "line_max": messages.REQUEST_MAX,
        "playing": session.play.name or None,
        "reset": session.board.reset_cause,
        "slot": slots.status(),
    }


async def status(session, args):
    """Health of the board; reveals no secret in any state."""
    free = gc.mem_free()
    session.lowest_free = min(free, session.lowest_free or free)
    zones = session.sense.zones
    counters = {}
    for index in range(len(ZONES)):
        zone = zones[index]
        counters[ZONES[index]] = [zone.errors, zone.reinits, zone.incomplete, zone.strangers]
    return {
        "uptime_ms": session.now(),
        "reset": session.board.reset_cause,
        "starts": session.starts,
        "brownouts": session.brownouts,
        "supply_mv": session.supply_mv,
        "led_ma": session.lights.ma,
        "led_cap_ma": session.settings.get("led_cap_ma"),
        "frames": session.lights.frames,
        "free": free,
        "lowest_free": session.lowest_free,
        "flash_free": _flash_free(),
        "seq": session.outbox.seq,
        "dropped": session.outbox.dropped,
        "queue": session.outbox.bytes,
        "sweep_ms": session.sense.sweep_ms,
        "sweeps": session.sense.schedule.sweeps,
        "readers": session.sense.states(),
        "counters": counters,
        "tasks": session.tasks,
        "maintenance": session.talk.until is not None,
        "journal": session.play.trouble,
        "ready": session.ready,
    }


def _flash_free():
    """Free bytes in the file system of the data."""
    stat = os.statvfs("data")
    return stat[0] * stat[3]


async def new(session, args):
    name, options = args.get("game"), args.get("options", {})
    position, sensing = args.get("position"), args.get("sensing", "readers")
    if type(name) is not str or (position is not None and type(position) is not str):
        raise Refused("bad_argument", "game and position are strings")
    await session.ask(lambda: session.play.new(name, options, position, sensing))
    return session.snapshot()


async def claim(session, args):
    play = session.play
    return {"key": await session.ask(lambda: play.claim(args.get("seat")))}


async def accept(session, args):
    play = session.play
    play.seat(args.get("seat"), args.get("key"))
    await session.ask(play.accept)
    return {"step": play.step, "mismatch": play.public_wrong()}


async def lies(session, args):
    """A person says where a chip lies that no reader hears well; zone None: it was lifted."""
    play = session.play
    seat = play.seat(args.get("seat"), args.get("key"))
    chip, zone = args.get("chip"), args.get("zone")
    if chip not in CHIPS or chip == MILL or (zone is not None and zone not in ZONES):
        raise Refused("unknown_chip", "chip and zone are names of a chip and a zone")
    if seat is not None and play.game.SEATS[seat] != colour(chip):
        raise Refused("wrong_seat", "where that chip lies is for %s to say" % colour(chip))
    if play.sensing == "wire":
        raise Refused("heard", "in this game the wire tells where chips lie: use sense")
    return {"doubt": await session.ask(lambda: _place(session, chip, zone))}


async def _look_again(session):
    """Wait until every zone has been visited again."""
    if session.play.sensing == "wire":
        return
    until = session.sense.schedule.sweeps + session.settings.get("agree") + 1
    while session.sense.schedule.sweeps < until and not session.sense.paused:
        await asyncio.sleep_ms(10)


async def fix(session, args):
    session.play.need()
    await _look_again(session)
    return {"mismatch": session.play.public_wrong()}


async def abort(session, args):
    session.play.need()
    if args.get("confirm") is not True:
        raise Refused("not_confirmed", "to end the game, confirm must be true")
    await session.ask(session.play.abort)
    return {}


async def text(session, args):
    play = session.play
    game = play.need()
    if play.secret():
        raise Refused("secret", "the position of a full game holds its secrets")
    return {"text": game.text(play.state)}


async def quiesce(session, args):
    session.stop("prompt")
    return {}


async def reboot(session, args):
    session.stop("reboot")
    return {}


# -- chips that no reader hears: see app.keep.Missed


def asked(missed, counts):
    """[[chip or colour, [zone or None], kind], ...]: chips that were played and lie nowhere,
    without anybody having said so."""
    play = missed.play
    found: list = []
    if play.wrong:
        return found  # first things first
    for seat in range(len(counts)):
        name = COLOURS[seat]
        short = counts[seat] - missed.out.get(name, 0)
        for doubt in play.doubts:
            if colour(doubt[1]) == name and doubt[3] not in (_GONE, _UNSEEN):
                short -= 1
        for chip in missed.last:
            if short > 0 and colour(chip) == name and chip not in missed._lost:
                short -= 1
                found.append([chip, [missed.last[chip]], _GONE])
        if short > 0:
            found.append([name, [None], _UNSEEN])
    return found


def check(missed, session, counts, ask):
    """Withdraw questions that need no answer any more; ask: ask new ones."""
    play = missed.play
    for chip, there, due in play.wrong:
        if due is None and missed.declared.get(chip, "") == there:
            # No reader can tell when it is lifted: the word ends where the game sends it home.
            play.facts([[chip, None]])
            return  # facts() checks, and comes here again
    found = asked(missed, counts)
    names = [row[0] for row in found]
    for doubt in list(play.doubts):
        kind = doubt[3]
        if kind == _SAID:
            keep = play.running() and doubt[1] not in missed.moved
        else:
            keep = type(kind) is not int or doubt[1] in names
        if not keep:
            play.doubts.remove(doubt)
            play.tell("board", ["decided", doubt[0], None])
    if ask and not play.doubts:
        for chip, zones, kind in found:
            session.open_doubt(chip, zones, kind)


def decided(session, doubt, counts):
    """The head chef decided a doubt that no reader raised."""
    play = session.play
    missed = play.missed
    _, chip, zones, kind = doubt
    if counts:
        place(session, chip, zones[0])
        play.judged(chip, zones[0])
        play.check()
    elif kind == _UNSEEN:
        missed.out[chip] = missed.expected()[COLOURS.index(chip)]
    elif kind == _GONE:
        missed.discard(chip)


def place(session, chip, zone):
    """Believe that it lies there; where no reader hears it, only people know."""
    if not session.sense.decide(chip, zone):
        session.play.place([[chip, zone]])
        session.play.missed.declare(chip, zone)


def resume(session):
    """After a start: chips that were counted by a person's word, and that no reader hears."""
    play = session.play
    for chip, zone in list(play.missed.declared.items()):
        if chip in play.seen:
            play.missed.declare(chip, None)
        else:
            place(session, chip, zone)


def _place(session, chip, zone):
    """A person says where a chip lies that no reader hears well; None: it was lifted. The number
    of the doubt, or None."""
    play = session.play
    if zone is None:
        _forget(session, chip)
        return None
    mine = [doubt for doubt in play.doubts if doubt[1] == chip]
    if chip in play.seen and chip not in play.missed.declared and not mine:
        text = "the reader of %s hears that chip well: lift it if it does not lie there"
        raise Refused("heard", text % play.seen[chip])
    _may(play, chip)
    state, effects = play.game.step(play.state, ["judged", play.arbiter(), chip, zone])
    if state is play.state and effects:
        raise Refused("illegal", effects[0][3], effects[0][2])
    for doubt in mine:
        play.doubts.remove(doubt)
        session.tell("board", ["decided", doubt[0], None])
    play.missed.moved.discard(chip)
    session.open_doubt(chip, [zone], _SAID)
    return session.doubt_number


def _forget(session, chip):
    if chip in session.play.missed.declared:
        session.play.facts([[chip, None]])
    elif session.sense.places.covered(chip):
        session.sense.decide(chip, None)
    else:
        raise Refused("no_doubt", "nobody said where that chip lies")


def _may(play, chip):
    """While a player may throw, a chip of theirs that is found counts as that throw: refused if it
    may be one that missed before."""
    owner = play.game.SEATS.index(colour(chip))
    if ["missed", owner] in play.game.legal(play.state, owner):
        if play.game.view(play.state, None)["missed"][owner]:
            text = "throw first, or say that this throw missed; then say where the chip lies"
            raise Refused("illegal", text, "throw_first")


COMMANDS = {
    "hello": hello,
    "status": status,
    "new": new,
    "claim": claim,
    "accept": accept,
    "lies": lies,
    "fix": fix,
    "abort": abort,
    "text": text,
    "quiesce": quiesce,
    "reboot": reboot,
}
