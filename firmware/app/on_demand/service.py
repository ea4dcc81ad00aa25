"""Service over the wire: roster, settings, logs; loaded when first needed."""

import asyncio
import gc

from app.refused import Refused
from rfid.codes import COMPLETE, REASONS
from rfid.uidset import UidSet
from spicecore.parts import ZONES

LOG_ROOM = 2000  # bytes of records in one reply: a heap in use has no room for many more


def zone(args):
    """Index of the given zone."""
    if args.get("zone") not in ZONES:
        raise Refused("unknown_chip", "no such zone: %s" % args.get("zone"))
    return ZONES.index(args["zone"])


async def maintain(session, args):
    if type(args.get("on")) is not bool:
        raise Refused("bad_argument", "on is true or false")
    if args["on"] and session.play.running():
        raise Refused("playing", "a game is on: finish or abort it first")
    session.talk.maintain(args["on"])
    # the current visit ends before the reply is sent
    while session.sense.field is not None and args["on"]:
        await asyncio.sleep_ms(2)
    return {"on": args["on"]}


async def roster(session, args):
    session.play.not_secret()
    roster = session.roster
    return {
        "chips": roster.chips(),
        "version": roster.version,
        "warnings": roster.warnings(),
    }


async def roster_set(session, args):
    session.play.not_secret()
    chips = args.get("chips")
    if type(chips) is not dict:
        raise Refused("bad_argument", "chips is {chip: uid or null}")
    stored = session.roster
    try:
        stored.change(chips)
    except stored.Duplicate as error:
        raise Refused("duplicate", str(error))
    except KeyError as error:
        raise Refused("unknown_chip", "no such chip: %s" % error)
    except ValueError as error:
        raise Refused("bad_argument", str(error))
    except OSError as error:
        raise Refused("flash_full", "the roster is not stored: %s" % error)
    session.sense.reload()
    return await roster(session, args)


async def tags(session, args):
    session.play.not_secret()
    wanted = [zone(args)] if args.get("zone") is not None else range(len(ZONES))
    sense = session.sense
    found = {}
    unread = {}
    for index in wanted:
        if sense.zones[index].state == "dead":
            if args.get("zone") is not None:
                raise Refused("no_reader", "reader %s does not answer" % ZONES[index])
            continue
        read = await sense.job(lambda index=index: _tags(session, index))
        found[ZONES[index]], reason = read
        if reason != COMPLETE:
            unread[ZONES[index]] = REASONS[reason]
    return {"tags": found, "unread": unread}


async def _tags(session, index):
    """([[uid, chip or None, strength], ...], reason) of one zone, with its field on for it."""
    sense = session.sense
    zone = sense.zones[index]
    uids = UidSet(16)
    out = bytearray(16)
    gains = sense.zones[index].gains
    try:
        zone.reader.antenna(True)
        await asyncio.sleep_ms(5)
        reason = zone.reader.inventory(uids, 250_000)
        zone.reader.strengths(uids, gains, out)
    finally:
        zone.reader.antenna(False)
    found = []
    for place in range(uids.count):
        text = "".join(["%02x" % byte for byte in uids.uid(place)])
        step = gains.index(out[place]) if out[place] in gains else len(gains) - 1
        found.append([text, session.roster.chip(text), step])
    return found, reason


async def settings(session, args):
    return _settings(session.stored_settings())


def _settings(stored):
    return {"values": stored.values(), "version": stored.version, "defaults": stored.defaults()}


async def settings_set(session, args):
    if type(args.get("values")) is not dict:
        raise Refused("bad_argument", "values is {name: value}")
    stored = session.stored_settings()
    try:
        stored.change(args["values"])
    except ValueError as error:
        raise Refused("bad_value", str(error))
    except OSError as error:
        raise Refused("flash_full", "the settings are not stored: %s" % error)
    session.settings.values = stored.values()
    session.sense.reload()
    session.glow.reload()
    return _settings(stored)


async def log(session, args):
    return {"logs": session.journal.logs()}


async def log_read(session, args):
    session.play.not_secret()
    at, room = args.get("at", 0), args.get("room", LOG_ROOM)
    if type(at) is not int or type(room) is not int or type(args.get("name")) is not str:
        raise Refused("bad_argument", "name is a log, at the number of a record, room bytes")
    _named(session, args["name"])
    gc.collect()  # else the records lie between what is garbage by now, and the line has no room
    records, following = session.journal.read(args["name"], at, min(room, LOG_ROOM))
    return {"records": records, "next": following}


async def log_erase(session, args):
    _named(session, args.get("name"))
    if args.get("confirm") is not True:
        raise Refused("not_confirmed", "to erase a log, confirm must be true")
    if args["name"] == session.journal.open_name:
        raise Refused("playing", "this is the game that is on")
    session.journal.erase(args["name"])
    return await log(session, args)


def _named(session, name):
    if name not in session.journal.names():
        raise Refused("no_log", "no such log: %s" % name)


COMMANDS = {
    "maintain": maintain,
    "roster": roster,
    "roster_set": roster_set,
    "tags": tags,
    "settings": settings,
    "settings_set": settings_set,
    "log": log,
    "log_read": log_read,
    "log_erase": log_erase,
}
