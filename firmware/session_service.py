"""Looking after the board over the wire: roster, settings, logs; loaded when first asked for."""

import asyncio
import gc

import iso14443a
from session_kept import Refused
from spicecore.parts import ZONES
from spicecore.roster import Duplicate

LOG_ROOM = 6000  # bytes of records in one reply


class Service:
    """The commands of session_talk.SERVICE."""

    def __init__(self, session):
        self.session = session
        self._diag = None

    async def do(self, name, args):
        """The reply's fields, or Refused."""
        return await COMMANDS[name](self, args)

    def not_secret(self):
        if self.session.play.secret():
            raise Refused("secret", "that would tell secrets of the full game that is on")

    def zone(self, args):
        """Index of the zone that is named."""
        if args.get("zone") not in ZONES:
            raise Refused("unknown_chip", "no such zone: %s" % args.get("zone"))
        return ZONES.index(args["zone"])

    async def maintain(self, args):
        if type(args.get("on")) is not bool:
            raise Refused("bad_argument", "on is true or false")
        if args["on"] and self.session.play.running():
            raise Refused("playing", "a game is on: finish or abort it first")
        self.session.talk.maintain(args["on"])
        # a visit that was under way ends before the reply does
        while self.session.sense.field is not None and args["on"]:
            await asyncio.sleep_ms(2)
        return {"on": args["on"]}

    async def roster(self, args):
        self.not_secret()
        roster = self.session.roster
        return {
            "chips": roster.chips(),
            "version": roster.version,
            "warnings": roster.warnings(),
        }

    async def roster_set(self, args):
        self.not_secret()
        chips = args.get("chips")
        if type(chips) is not dict:
            raise Refused("bad_argument", "chips is {chip: uid or null}")
        try:
            self.session.roster.change(chips)
        except Duplicate as error:
            raise Refused("duplicate", str(error))
        except KeyError as error:
            raise Refused("unknown_chip", "no such chip: %s" % error)
        except ValueError as error:
            raise Refused("bad_argument", str(error))
        except OSError as error:
            raise Refused("flash_full", "the roster is not stored: %s" % error)
        self.session.sense.reload()
        return await self.roster(args)

    async def tags(self, args):
        self.not_secret()
        wanted = [self.zone(args)] if args.get("zone") is not None else range(len(ZONES))
        sense = self.session.sense
        found = {}
        for index in wanted:
            if sense.zones[index].state == "dead":
                if args.get("zone") is not None:
                    raise Refused("no_reader", "reader %s does not answer" % ZONES[index])
                continue
            found[ZONES[index]] = await sense.job(lambda index=index: self._tags(index))
        return {"tags": found}

    async def _tags(self, index):
        """[[uid, chip or None, strength], ...] of one zone, with its field on for it."""
        sense = self.session.sense
        zone = sense.zones[index]
        uids = iso14443a.UidSet(16)
        out = bytearray(16)
        gains = sense.gains(index)
        try:
            zone.reader.antenna(True)
            await asyncio.sleep_ms(5)
            iso14443a.inventory(zone.reader, uids, 250_000)
            iso14443a.strengths(zone.reader, uids, gains, out)
        finally:
            zone.reader.antenna(False)
        found = []
        for place in range(uids.count):
            text = "".join(["%02x" % byte for byte in uids.uid(place)])
            step = gains.index(out[place]) if out[place] in gains else len(gains) - 1
            found.append([text, self.session.roster.chip(text), step])
        return found

    async def settings(self, args):
        from spicecore.settings import defaults

        settings = self.session.settings
        return {
            "values": settings.values(),
            "version": settings.version,
            "defaults": defaults(),
        }

    async def settings_set(self, args):
        if type(args.get("values")) is not dict:
            raise Refused("bad_argument", "values is {name: value}")
        try:
            self.session.settings.change(args["values"])
        except ValueError as error:
            raise Refused("bad_value", str(error))
        except OSError as error:
            raise Refused("flash_full", "the settings are not stored: %s" % error)
        self.session.sense.reload()
        self.session.glow.reload()
        return await self.settings(args)

    async def log(self, args):
        return {"logs": self.session.journal.logs()}

    async def log_read(self, args):
        self.not_secret()
        at = args.get("at", 0)
        if type(at) is not int or type(args.get("name")) is not str:
            raise Refused("bad_argument", "name is a log, at the number of a record")
        self._named(args["name"])
        records, following = self.session.journal.read(args["name"], at, LOG_ROOM)
        return {"records": records, "next": following}

    async def log_erase(self, args):
        self._named(args.get("name"))
        if args.get("confirm") is not True:
            raise Refused("not_confirmed", "to erase a log, confirm must be true")
        if args["name"] == self.session.journal.open_name:
            raise Refused("playing", "this is the game that is on")
        self.session.journal.erase(args["name"])
        return await self.log(args)

    def _named(self, name):
        if name not in self.session.journal.names():
            raise Refused("no_log", "no such log: %s" % name)

    async def diag(self, args):
        if self._diag is None:
            gc.collect()  # a module needs large pieces of the heap
            from session_diag import Diag

            self._diag = Diag(self.session, self)
        return await self._diag.do(args)


COMMANDS = {
    "maintain": Service.maintain,
    "roster": Service.roster,
    "roster_set": Service.roster_set,
    "tags": Service.tags,
    "settings": Service.settings,
    "settings_set": Service.settings_set,
    "log": Service.log,
    "log_read": Service.log_read,
    "log_erase": Service.log_erase,
    "diag": Service.diag,
}
