"""Reads of the zones -> chips settled in a zone, changes, doubts. Pure: time is an argument.

A chip is an index 0..chips-1 (the roster maps UIDs to it), a zone an index 0..zones-1 or NOWHERE.

    inventory = Inventory(zones=13, chips=25)
    inventory.seen[7] = 18              # this visit heard chip 7 at a gain of 18 dB
    inventory.report(2, True, now_ms)   # in zone 2, and nothing else
    inventory.changes(now_ms)           # after k such readings: [[7, 2]]

What is believed, for one chip:
- a zone sees it after k readings in a row that heard it; a visit is one reading, or two that
  agree;
- it has moved when another zone sees it and k visits in a row missed it where it lay;
- it has left if no zone hears it, and its zone missed it _LEAVE visits more than k in a row, and
  two more for each visit by which it was away before and came back: a chip on the edge of
  reception is not thrown out by its flicker;
- if two zones see it, the one that needs clearly less gain wins; otherwise the head chef decides,
  and also decides about a weak or flickering chip;
- a doubt and its decision stay while the chip lies there. They end when the chip is clearly strong
  several times in a row, or elsewhere, or gone; for a flickering chip, when it was not heard for
  _FORGET_MS. Each doubt of a chip takes twice the evidence of the one before, until it leaves: no
  flicker of questions.
- chips do not vanish: if one is no longer heard when another lands in its zone, it is covered.
  That is a doubt, until it is heard again, the head chef decides, or no chip that landed since
  lies there. A visit that was not complete proves no absence.
"""

try:
    from micropython import const
except ImportError:  # CPython

    def const(value: int) -> int:  # type: ignore[misc]
        return value


NOWHERE = -1
_LEAVE = const(2)
_COVER_MS = const(
    300
)  # a chip that falls silent so soon after a landing may lie under it; hands are slower
HOLD_MS = 1000  # changes wait this long for others that are settling, to come as one list
# A hand takes longer to lift a chip and throw it again; flicker at the limit returns sooner.
_FORGET_MS = const(1000)

_MOVING = const(-2)  # what _judge() says beside a zone or NOWHERE
_DOUBT = const(-3)
_NOT_DECIDED = const(-4)
_MOST_ASKED = const(6)  # doubts of one chip after which the required evidence no longer grows
_FLICKER = const(
    8
)  # score from which a chip that lies nowhere yet is a doubt; twice that for others


class Inventory:
    """zones, chips: how many there are. k: agreeing readings to settle. settle_ms: how long a
    chip must lie still, so that a hand passing through is no event (0 allowed). weak_db: a read
    that needs more gain is weak. margin_db: by this the right one of two zones needs less gain."""

    def __init__(
        self,
        zones: int = 13,
        chips: int = 25,
        k: int = 2,
        settle_ms: int = 0,
        weak_db: int = 38,
        margin_db: int = 10,
    ) -> None:
        if k < 1 or settle_ms < 0:
            raise ValueError("k is at least 1 and settle_ms at least 0")
        self.zones = zones
        self.chips = chips
        self.k = k
        self.settle_ms = settle_ms
        self.weak_db = weak_db
        self.margin_db = margin_db
        self.seen = bytearray(chips)  # to be filled for report(): gain in dB, 0 not heard
        # Of each zone and chip, at zone * chips + chip:
        self._gain = bytearray(zones * chips)  # of the last visit that heard it
        self._hits = bytearray(zones * chips)  # readings in a row that heard it
        self._miss = bytearray(zones * chips)  # visits in a row that missed it after that
        self._expected = bytearray(zones)  # how many chips have the zone's bit in _sees
        # Of each chip:
        self._sees = [0] * chips  # bits of zones where it was heard and is not forgotten
        self._place = [NOWHERE] * chips  # settled
        self._lean = [NOWHERE] * chips  # where it was heard best by the latest visits
        self._since = [0] * chips  # when it began to lean there
        self._flicker = bytearray(chips)
        self._wobble = bytearray(chips)  # longest absence after which it came back
        self._decided = [_NOT_DECIDED] * chips
        self._decided_sees = [0] * chips
        self._firm = bytearray(chips)  # reports in a row in which it was beyond doubt
        self._soft = bytearray(chips)  # and in which it was not
        self._asked = bytearray(chips)  # doubts since it came
        self._open_zones = [0] * chips  # bits of the zones of its open doubt
        self._open_kind = [""] * chips
        self._heard_at = [0] * chips
        self._missed_at = [0] * chips  # when a zone first missed it again
        self._returns = bytearray(chips)  # how often it was missed and heard again since it came
        self._ready_at = 0  # when the oldest change that is held back was ready
        self._holding = False
        self._now = 0
        self.arriving = 0  # bits of zones that hear a chip, but not yet often enough
        self._calm = 0  # bits of zones where another visit with the same result changes nothing
        self.unsure = 0  # bits of zones that should be measured again, by doubts()
        self._landed_at = [-_COVER_MS] * zones  # when a chip was last new in it
        self._covered = 0  # bits of chips that may lie under another where they have settled
        self.loose = 0  # bits of chips that may not lie settled and beyond doubt
        self._kind = ""
        self._doubt_zones = 0

    # -- in -------------------------------------------------------------------------------------

    def report(
        self, zone: int, complete: bool, now_ms: int, readings: int = 1, measured: bool = True
    ) -> None:
        """One visit's result: `self.seen`, which is cleared for the next. readings: how many
        readings of this visit agreed. measured: its gains are of this visit. Does not allocate."""
        self._now = now_ms
        self.arriving &= ~(1 << zone)
        bit = 1 << zone
        calm = complete
        for chip in range(self.chips):
            gain = self.seen[chip]
            if gain:
                self.seen[chip] = 0
                self._heard(zone, chip, gain, readings)
                if measured:
                    self._weigh(chip, gain <= self.weak_db and self._sees[chip] == bit)
                if self._hits[zone * self.chips + chip] < self.k:
                    self.arriving |= bit
                    calm = False
                elif self._flicker[chip]:
                    calm = False
            elif complete and self._sees[chip] & bit:
                self._missed(zone, chip)
                calm = False
            else:
                continue
            self.loose |= 1 << chip
            # The usual case at once: heard here, and nowhere else.
            lean = zone if gain and self._sees[chip] == bit else self._best(chip)
            if lean != self._lean[chip]:
                self._lean[chip] = lean
                self._since[chip] = now_ms
        if calm:
            self._calm |= bit
        else:
            self._calm &= ~bit

    def same(self, zone: int) -> bool:
        """A complete visit heard the same as the last one, equally strong, like most visits. True:
        nothing is new; False: call report()."""
        return self._calm >> zone & 1 != 0

    def nothing(self, zone: int, now_ms: int) -> None:
        """Note a complete visit that heard no chip: like report() with an empty `seen`, but quick
        if no chip is expected."""
        if self._expected[zone]:
            self.report(zone, True, now_ms)
        else:
            self._calm |= 1 << zone
            self._now = now_ms

    def _heard(self, zone: int, chip: int, gain: int, readings: int) -> None:
        at = zone * self.chips + chip
        away = self._miss[at]
        if away:
            self._returns[chip] = min(self._returns[chip] + 1, 255)
        if away > self._wobble[chip] and zone == self._place[chip]:
            self._wobble[chip] = min(away, 20)
        if away == 0 and self._hits[at] and self._flicker[chip]:
            self._flicker[chip] -= 1
        self._covered &= ~(1 << chip)
        if not self._sees[chip] >> zone & 1:
            self._landed_at[zone] = self._now
            self._sees[chip] |= 1 << zone
            self._expected[zone] += 1
        self._gain[at] = gain
        self._miss[at] = 0
        self._hits[at] = min(self._hits[at] + readings, 255)
        self._heard_at[chip] = self._now

    def _weigh(self, chip: int, clear: bool) -> None:
        """One more report of a chip: was it beyond doubt? clear: at first sight."""
        if clear or (self._compare(chip) >= 0 and not self._kind):
            self._firm[chip] = min(self._firm[chip] + 1, 255)
            self._soft[chip] = 0
        else:
            self._soft[chip] = min(self._soft[chip] + 1, 255)
            self._firm[chip] = 0

    def _missed(self, zone: int, chip: int) -> None:
        at = zone * self.chips + chip
        self._calm &= ~self._sees[chip]  # another zone that hears it counts again
        if self._miss[at] == 0:
            self._missed_at[chip] = self._now
            self._flicker[chip] = min(self._flicker[chip] + 3, 30)
        self._miss[at] = min(self._miss[at] + 1, 255)
        self._hits[at] = 0
        enough = self.k + 1
        if zone == self._place[chip]:
            enough = self.k + _LEAVE + 2 * self._wobble[chip]
        flickers = self._returns[chip] and self._held(chip) and self._recent(chip)
        if self._miss[at] >= enough and not flickers and not self._under(zone, chip):
            self._covered &= ~(1 << chip)
            self._forget(zone, chip)

    def _under(self, zone: int, chip: int) -> bool:
        """May a chip that is missed where it settled lie under one that landed there since?"""
        if zone != self._place[chip] or self._sees[chip] != 1 << zone:
            return False
        missed = self._missed_at[chip]
        if not self._covered >> chip & 1:
            if not -_COVER_MS < self._landed_at[zone] - missed < _COVER_MS:
                return False
            self._covered |= 1 << chip
            self._decided[chip] = _NOT_DECIDED  # the old answer no longer counts
        for other in range(self.chips):  # chips that came at that time or later, and lie there
            at = zone * self.chips + other
            if other != chip and self._hits[at] and self._since[other] > missed - _COVER_MS:
                return True
        return False

    def _forget(self, zone: int, chip: int) -> None:
        if self._sees[chip] >> zone & 1:
            self._sees[chip] &= ~(1 << zone)
            self._expected[zone] -= 1
        self._miss[zone * self.chips + chip] = 0
        if not self._sees[chip]:
            self._flicker[chip] = self._wobble[chip] = 0
            self._firm[chip] = self._soft[chip] = self._asked[chip] = 0
            self._returns[chip] = 0
            self._open_zones[chip] = 0
            self._decided[chip] = _NOT_DECIDED

    def _held(self, chip: int) -> bool:
        """Is a doubt of the chip open, or a word given on it?"""
        return self._open_zones[chip] != 0 or self._decided[chip] != _NOT_DECIDED

    def _recent(self, chip: int) -> bool:
        return self._now - self._heard_at[chip] < _FORGET_MS

    def _best(self, chip: int) -> int:
        """The zone whose latest visit heard the chip with the least gain."""
        best = NOWHERE
        least = 255
        sees = self._sees[chip]
        for zone in range(self.zones):
            at = zone * self.chips + chip
            if sees >> zone & 1 and self._miss[at] == 0 and self._gain[at] < least:
                least = self._gain[at]
                best = zone
        return best

    # -- judgement ------------------------------------------------------------------------------

    def _compare(self, chip: int) -> int:
        """The zone that hears it best, with `_doubt_zones` and the `_kind` of doubt ("" none) that
        the strengths alone give; NOWHERE: no zone heard it at its last visit."""
        sees = self._sees[chip]
        best = NOWHERE
        least = next_least = 255
        mask = 0
        for zone in range(self.zones):
            at = zone * self.chips + chip
            if not sees >> zone & 1 or self._miss[at]:
                continue
            mask |= 1 << zone
            gain = self._gain[at]
            if gain < least:
                least, next_least, best = gain, least, zone
            elif gain < next_least:
                next_least = gain
        self._doubt_zones = mask
        self._kind = ""
        if next_least < 255 and next_least - least < self.margin_db:
            self._kind = "between"
        elif least > self.weak_db:
            self._kind = "weak"
        return best

    def _settling(self, chip: int) -> bool:
        """Does it arrive in a zone or leave its own?"""
        sees = self._sees[chip]
        place = self._place[chip]
        for zone in range(self.zones):
            if sees >> zone & 1:
                at = zone * self.chips + chip
                missed = self._miss[at]
                if zone == place:
                    if 0 < missed < self.k:
                        return True
                elif not missed and self._hits[at] < self.k:
                    return True
        return False

    def _judge(self, chip: int) -> int:
        """Zone, NOWHERE, _MOVING, or _DOUBT with `_kind` and `_doubt_zones`."""
        sees = self._sees[chip]
        if not sees:
            return NOWHERE
        place = self._place[chip]
        if self._covered >> chip & 1:
            self._kind = "covered"
            self._doubt_zones = sees
            return _DOUBT
        if self._flicker[chip] >= (_FLICKER if place == NOWHERE else 2 * _FLICKER):
            self._kind = "flicker"
            self._doubt_zones = sees
            return _DOUBT
        best = self._compare(chip)
        held = self._open_zones[chip] or (
            self._decided_sees[chip] if self._decided[chip] != _NOT_DECIDED else 0
        )
        if best == NOWHERE and held:
            self._kind = self._open_kind[chip]
            self._doubt_zones = held
            return _DOUBT
        if best == NOWHERE or self._settling(chip):
            return _MOVING
        if held >> best & 1:
            if self._kind:
                return _DOUBT
            if self._firm[chip] <= 1 << self._asked[chip]:  # strong, but not often enough
                self.unsure |= self._doubt_zones
                self._kind = self._open_kind[chip]
                return _DOUBT
        elif self._kind:
            enough = 1 << self._asked[chip]
            if place == best and enough == 1:
                enough = 2  # where it lay beyond doubt, one weak report does not count
            if self._soft[chip] < enough:
                self.unsure |= self._doubt_zones
                return place if place == best else _MOVING
            return _DOUBT
        return best

    def _verdict(self, chip: int) -> int:
        """The judgement, including what the head chef decided in a doubt."""
        said = self._judge(chip)
        decided = self._decided[chip]
        if decided == _NOT_DECIDED or said == _MOVING:
            return said
        if said == _DOUBT and self._doubt_zones & self._decided_sees[chip]:
            return decided
        self._decided[chip] = _NOT_DECIDED  # it lies elsewhere now, or beyond doubt
        return said

    def ask(self, chip: int, zones: list, kind: str) -> None:
        """The head chef was asked about one of doubts(): from now on it is open."""
        if not self._open_zones[chip]:
            self._asked[chip] = min(self._asked[chip] + 1, _MOST_ASKED)
        self._open_zones[chip] = 0
        for zone in zones:
            self._open_zones[chip] |= 1 << zone
        self._open_kind[chip] = kind

    # -- out ------------------------------------------------------------------------------------

    def changes(self, now_ms: int) -> list:
        """Settled changes since the last call, one atomic list in the order in which they began:
        [[chip, zone or None], ...]. [] while anything else is settling, at most HOLD_MS."""
        self._now = now_ms
        if not self.loose:
            return []
        waiting = False
        ready: list[tuple[int, int, int]] = []
        for chip in range(self.chips):
            if not self.loose >> chip & 1:
                continue
            if self._at_home(chip):
                self.loose &= ~(1 << chip)
                continue
            zone = self._verdict(chip)
            if zone == _MOVING:
                waiting = True
            elif zone != _DOUBT and zone != self._place[chip]:
                if now_ms - self._since[chip] >= self.settle_ms:
                    ready.append((self._since[chip], chip, zone))
                else:
                    waiting = True
        if not ready:
            self._holding = False
            return []
        if not self._holding:
            self._holding = True
            self._ready_at = now_ms
        if waiting and now_ms - self._ready_at < HOLD_MS:
            return []
        self._holding = False
        ready.sort()
        moves = []
        for _, chip, zone in ready:
            self._settle(chip, zone)
            moves.append([chip, None if zone == NOWHERE else zone])
        return moves

    def _at_home(self, chip: int) -> bool:
        """Does the chip lie beyond doubt where it has settled? Quicker than _verdict()."""
        sees = self._sees[chip]
        place = self._place[chip]
        if place == NOWHERE:
            return not sees
        return (
            sees == 1 << place
            and self._calm & sees != 0
            and self._gain[place * self.chips + chip] <= self.weak_db
            and not self._held(chip)
        )

    def _settle(self, chip: int, zone: int) -> None:
        was = self._place[chip]
        if was != NOWHERE and self._miss[was * self.chips + chip]:
            self._forget(was, chip)
        self._place[chip] = zone
        self._wobble[chip] = 0

    def place(self, chip: int) -> int:
        """Settled zone of the chip, or NOWHERE."""
        return self._place[chip]

    def covered(self, chip: int) -> bool:
        """Is it silent because it may lie under another?"""
        return self._covered >> chip & 1 != 0

    def doubts(self) -> list:
        """[[chip, [zone, ...], "weak" | "between" | "flicker"], ...]: the head chef decides; call
        ask() for each that is presented."""
        found: "list[list[object]]" = []
        self.unsure = 0
        if not self.loose:
            return found
        for chip in range(self.chips):
            if not self.loose >> chip & 1 or self._at_home(chip):
                continue
            if not self._sees[chip]:
                continue
            said = self._verdict(chip)
            if said == _DOUBT:
                still = self._now - self._since[chip] >= self.settle_ms
                if still or self._kind == "flicker" or self._open_zones[chip]:
                    zones = [z for z in range(self.zones) if self._doubt_zones >> z & 1]
                    found.append([chip, zones, self._kind])
            elif said != _MOVING:
                self._open_zones[chip] = 0
            elif self._open_zones[chip]:  # it flickers
                zones = [z for z in range(self.zones) if self._open_zones[chip] >> z & 1]
                found.append([chip, zones, self._open_kind[chip]])
        return found

    def decide(self, chip: int, zone: int, now_ms: int) -> bool:
        """The head chef decides a doubt (a zone, or NOWHERE). The result comes out of changes(),
        and holds until the chip leaves, lies beyond doubt, or is in doubt elsewhere. False: no
        zone hears the chip, so nothing was noted."""
        if not NOWHERE <= zone < self.zones:
            raise ValueError("zone %d is none of %d" % (zone, self.zones))
        if not self._sees[chip]:
            return False
        self.loose |= 1 << chip
        self._open_zones[chip] = 0
        self._decided[chip] = zone
        self._decided_sees[chip] = self._sees[chip]
        self._since[chip] = min(self._since[chip], now_ms - self.settle_ms)
        return True

    def order(self, hint: int, row: bytes, out: bytearray) -> int:
        """Order of visiting for the next sweep: all zones of the row once, those with a
        bit set in `hint` (hall sensors) first, then those where something is settling, then the
        rest. Returns how many do not belong to the rest."""
        busy = 0
        for chip in range(self.chips):
            sees = self._sees[chip] if self.loose >> chip & 1 else 0
            for zone in range(self.zones if sees else 0):
                if sees >> zone & 1:
                    at = zone * self.chips + chip
                    if self._miss[at] or self._hits[at] < self.k:
                        busy |= 1 << zone
        filled = urgent = 0
        for wanted in range(3):
            urgent = filled
            for zone in row:
                rank = 0 if hint >> zone & 1 else 1 if busy >> zone & 1 else 2
                if rank == wanted:
                    out[filled] = zone
                    filled += 1
        return urgent
