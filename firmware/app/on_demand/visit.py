"""Commands that begin and end a host's connection or a game; loaded for each."""

import asyncio
import gc
import os

import slots
from app.refused import Refused
from spicecore.games import GAMES
from spicecore.parts import CHIPS, MILL, ZONES, colour
from spicecore.version import PROTOCOL, VERSION
from spicecore.wire import messages


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
        "sweeps": session.sense.sweeps,
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
    seat, chip, zone = (
        play.seat(args.get("seat"), args.get("key")),
        args.get("chip"),
        args.get("zone"),
    )
    if chip not in CHIPS or chip == MILL or (zone is not None and zone not in ZONES):
        raise Refused("unknown_chip", "chip and zone are names of a chip and a zone")
    if seat is not None and play.game.SEATS[seat] != colour(chip):
        raise Refused("wrong_seat", "where that chip lies is for %s to say" % colour(chip))
    if play.sensing == "wire":
        raise Refused("heard", "in this game the wire tells where chips lie: use sense")
    from app.on_demand.missing import lies as place

    return {"doubt": await session.ask(lambda: place(session, chip, zone))}


async def _look_again(session):
    """Wait until every zone has been visited again."""
    if session.play.sensing == "wire":
        return
    until = session.sense.sweeps + session.settings.get("agree") + 1
    while session.sense.sweeps < until and not session.sense.paused:
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
