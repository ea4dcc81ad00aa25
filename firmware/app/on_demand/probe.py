"""Measurements for the diagnosis of readers, LEDs and flash, mostly in maintenance; it judges
nothing."""

import asyncio
import os

from app.on_demand.service import zone as zone_named
from app.refused import Refused
from rfid.codes import COMPLETE, REASONS
from rfid.uidset import UidSet
from spicecore.parts import ZONES
from spicecore.storage.on_demand import journal_read, store

REST = 8  # what Bench.marked() gives after a start
PROBE, PROBE_BYTES = "data/probe", 2048
MOST = 200  # repetitions in one request, so that it ends before the watchdog bites


def _count(args, name="n", most=MOST):
    value = args.get(name, 1)
    if type(value) is not int or not 1 <= value <= most:
        raise Refused("bad_argument", "%s is 1 to %d" % (name, most))
    return value


async def readers(session, args):
    found = {}
    for index in range(len(ZONES)):
        found[ZONES[index]] = await session.sense.job(lambda index=index: _reader(session, index))
        if args.get("clear") is True:
            zone = session.sense.zones[index]
            zone.errors = zone.reinits = zone.incomplete = zone.strangers = 0
    return {"readers": found}


async def _reader(session, index):
    """Dead readers are initialised again; the others try every gain."""
    zone = session.sense.zones[index]
    reader = zone.reader
    why = None
    used = reader.gain_db
    try:
        if zone.state == "dead":
            reader.init(used)
        else:
            for db in reader.gains_db:
                reader.gain(db)
    except OSError as error:
        why = str(error)
    if zone.state != "dead":
        try:
            reader.gain(used)
        except OSError as error:
            why = str(error)
    found = reader.bench().report()
    found.update(
        {
            "why": why,
            "state": zone.state,
            "errors": zone.errors,
            "reinits": zone.reinits,
        }
    )
    return found


async def bus(session, args):
    index, n = zone_named(args), _count(args)
    usual = session.board.spi_hz
    hz = args.get("hz", usual)
    if hz not in session.board.SPI_HZ:
        raise Refused("bad_argument", "hz is one of %s" % str(session.board.SPI_HZ))
    session.board.clock(hz)
    try:
        return await session.sense.job(lambda: _bus(session, index, n))
    finally:
        session.board.clock(usual)


async def _bus(session, index, n):
    """Bytes through a reader and back, all other readers attached."""
    wrong = session.sense.zones[index].reader.bench().echo(n)
    return {"n": n, "wrong": wrong, "idle": session.board.idle_miso(), "hz": session.board.spi_hz}


async def marks(session, args):
    """Does each select line reach a different reader?"""
    return await session.sense.job(lambda: _marks(session))


async def _marks(session):
    """Write a different number into a register of each reader, then read all of them; then the
    same with the complements: {zone: [first, second]}."""
    benches = [zone.reader.bench() for zone in session.sense.zones]
    found: dict = {zone: [] for zone in ZONES}
    for flip in (0, 0x3F):
        for index in range(len(benches)):
            benches[index].mark((index + 1) ^ flip)
        for index in range(len(benches)):
            found[ZONES[index]].append(benches[index].marked())
    for bench in benches:
        bench.mark(REST)
    return {"marks": found}


async def read(session, args):
    session.play.not_secret()
    index, n = zone_named(args), _count(args)
    zone = session.sense.zones[index]
    gain, leds = args.get("gain", 5), args.get("leds", "off")
    gains = len(zone.reader.gains_db)
    if type(gain) is not int or not 0 <= gain < gains:
        raise Refused("bad_argument", "gain is 0 to %d" % (gains - 1))
    settle_ms = _count({"n": args.get("settle_ms", 5)}, "n", 50)
    if leds not in ("off", "still", "moving"):
        raise Refused("bad_argument", "leds is off, still or moving")
    if zone.state == "dead":
        raise Refused("no_reader", "reader %s does not answer" % ZONES[index])
    return await session.sense.job(lambda: _read(session, zone, n, gain, leds, settle_ms))


async def _read(session, zone, n, gain, leds, settle_ms):
    """n times: field on, all tags, field off; `moving` sends frames while the field is on."""
    lights, reader = session.lights, zone.reader
    uids = UidSet(16)
    seen: dict = {}
    errors: dict = {}
    incomplete = 0
    started = session.now()
    _fill(session, 0, 0 if leds == "off" else 40)
    await _send(session)
    try:
        reader.gain(reader.gains_db[gain])
        for turn in range(n):
            reader.antenna(True)
            await asyncio.sleep_ms(settle_ms)
            if leds == "moving":
                _fill(session, turn % 8, 40)
                lights.send()
            reason = reader.inventory(uids, 250_000)
            reader.antenna(False)
            while lights.board.output.busy():
                await asyncio.sleep_ms(1)
            if reason != COMPLETE:
                incomplete += 1
                word = REASONS[reason]
                errors[word] = errors.get(word, 0) + 1
            for place in range(uids.count):
                text = "".join(["%02x" % byte for byte in uids.uid(place)])
                seen[text] = seen.get(text, 0) + 1
            session.beat("sense")
    except OSError as error:
        raise Refused("no_reader", str(error))
    return {
        "n": n,
        "seen": seen,
        "errors": errors,
        "incomplete": incomplete,
        "ms": session.now() - started,
    }


def _fill(session, first, level):
    """Every eighth LED from `first` on, white at a level; the others dark."""
    chain = session.lights.chain
    for index in range(len(chain)):
        chain[index] = level if index // 3 % 8 == first else 0


async def _send(session):
    lights = session.lights
    while lights.board.output.busy():
        await asyncio.sleep_ms(1)
    lights.send()
    while lights.board.output.busy():
        await asyncio.sleep_ms(1)


async def field(session, args):
    index, on = zone_named(args), args.get("on")
    if type(on) is not bool:
        raise Refused("bad_argument", "on is true or false")
    return await session.sense.job(lambda: _field(session, index, on))


async def _field(session, index, on):
    session.board.fields_off()
    if on:
        try:
            session.sense.zones[index].reader.antenna(True)
        except OSError as error:
            raise Refused("no_reader", str(error))
    return {"zone": ZONES[index], "on": on}


async def leds(session, args):
    first, rgb = args.get("first", 0), args.get("rgb")
    total = session.board.frame_bytes // 3
    count = _count(args, "count", total)
    if type(first) is not int or not 0 <= first < total:
        raise Refused("bad_argument", "first is 0 to %d" % (total - 1))
    if type(rgb) is not list or len(rgb) != 3:
        raise Refused("bad_argument", "rgb is [red, green, blue]")
    for value in rgb:
        if type(value) is not int or not 0 <= value <= 255:
            raise Refused("bad_argument", "colours are 0 to 255")
    chain = session.lights.chain
    red, green, blue = rgb
    one = bytes((green, red, blue))
    for index in range(total):
        inside = first <= index < first + count
        chain[3 * index : 3 * index + 3] = one if inside else b"\x00\x00\x00"
    await session.sense.job(lambda: _send(session))
    return {"first": first, "count": min(count, total - first)}


async def buzzer(session, args):
    hz = _count(args, "hz", 20_000)
    ms = _count(args, "ms", 2000)
    session.board.buzz(max(hz, 20))
    await asyncio.sleep_ms(ms)
    session.board.buzz(0)
    return {"hz": hz, "ms": ms}


async def flash(session, args):
    stat = os.statvfs("data")
    files = []
    for folder in ("data", "data/log"):
        for name in sorted(os.listdir(folder)):
            path = folder + "/" + name
            if not os.stat(path)[0] & 0x4000:  # no folder
                files.append([path, os.stat(path)[6]])
    return {
        "total": stat[1] * stat[2],
        "free": stat[0] * stat[3],
        "files": files,
        "damaged": [path for path, _ in files if _damaged(path)],
        "write": _try_to_write(),
    }


def _damaged(path):
    """Do the checksums of one of our files not match?"""
    if path[-2:] in (".a", ".b"):
        return store._read(path) is None
    if path[-4:] != ".log":
        return False
    with open(path, "rb") as file:
        for text in file:
            # the remains of a power cut were never acknowledged
            if text.endswith(b"\n") and journal_read.parse(text) is None:
                return True
    return False


def _try_to_write():
    """Write and remove a file as large as a record: None, or what went wrong."""
    try:
        try:
            with open(PROBE, "wb") as file:
                file.write(bytes(PROBE_BYTES))
            size = os.stat(PROBE)[6]
        finally:
            try:
                os.remove(PROBE)
            except OSError:
                pass  # it was never made
    except OSError as error:
        return "error %s" % error
    return None if size == PROBE_BYTES else "%d of %d bytes" % (size, PROBE_BYTES)


WHAT = {
    "flash": flash,
    "readers": readers,
    "bus": bus,
    "marks": marks,
    "read": read,
    "field": field,
    "leds": leds,
    "buzzer": buzzer,
}
