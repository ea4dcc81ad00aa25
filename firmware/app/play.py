"""The game on the board: the only place that writes its state. Knows games by their contract.

Every accepted event is in the journal before anything shows it. Only public effects reach `tell`,
with colours instead of chips, so a seat never learns what it may not know.
"""

from micropython import const

from app.keep import Kept
from app.refused import Refused
from spicecore.parts import CHIPS, colour

_CHECKPOINT_EVERY = const(32)  # events that a start has to replay at most
HANDS = ("moved", "judged", "accept", "abort")  # facts: reported by the board, never by `act`


class Play(Kept):
    """The game that is on, or none: `game` is its module or None."""

    # -- events ----------------------------------------------------------------------------

    def apply(self, event):
        """Apply an event: None, or the effect of the refusal. Journal first, then show."""
        before = self.state
        state, effects = self.game.step(before, event)
        if state is before:
            for effect in effects:
                if effect[1] == "refused":
                    return effect
            return [None, "refused", "nothing", "that changes nothing"]
        self.record(["e", event])
        self.advance(state, event, effects)
        self._publish(effects)
        self.tell("board", ["step", self.step])
        if self.game.over(state):
            self.end()
            self.tell("board", ["over"])
            self.sounds.append("won")
        elif self._lost or self._since >= _CHECKPOINT_EVERY or self.journal.full():
            self.checkpoint(self.journal.full())
        return None

    def _publish(self, effects):
        for effect in effects:
            if effect[0] is None:
                self.tell("game", effect[1:])

    def act(self, seat, key, event, step):
        """Apply a seat's decision from the wire."""
        self.need()
        if type(event) is not list or len(event) < 2 or type(event[0]) is not str:
            raise Refused("bad_argument", "event is a list: kind, seat, ...")
        if seat is None and self.mode != "full":
            seat = event[1]
        self.seat(seat, key, self.mode == "full")
        if step is not None and step != self.step:
            raise Refused("stale", "the game is at step %d by now" % self.step)
        if event[0] in HANDS:
            raise Refused(
                "illegal", "that is told by the board and not by a seat", "not_a_decision"
            )
        if event[1] != seat:
            raise Refused("wrong_seat", "that event is not of seat %s" % seat)
        self.resolve(True)
        if self.doubts:
            _, chip, zones, _ = self.doubts[0]
            text = "decide first whether the chip of %s counts in %s" % (colour(chip), zones[0])
            if zones[0] is None:
                text = "decide first where a chip of %s lies that no reader hears" % colour(chip)
            raise Refused("doubt", text)
        refusal = self.apply(event)
        if refusal:
            code = "illegal" if self.running() or refusal[2] != "over" else "no_game"
            raise Refused(code, refusal[3], refusal[2])
        self.check()

    def undo(self, seat=None):
        """Take back the last decision, if that seat made it. None: anybody's, because all see who
        asks (the button), or because seats have no keys."""
        game = self.need()
        if not self._undo or not self.running():
            raise Refused("not_undoable", "there is nothing that may be taken back")
        decider = self._undo[-1][1]
        if seat is not None and decider is not None and seat != decider:
            raise Refused(
                "wrong_seat",
                "%s decided that and may take it back; all together by the button undo"
                % game.SEATS[decider],
            )
        self.record(["undo"])
        self.take_back()
        self.tell("board", ["undone", self.step])
        self.check()

    # -- the board -------------------------------------------------------------------------

    def facts(self, moves):
        """A settled change: [[chip, zone or None], ...]."""
        self.place(moves)
        if self.running() and not self._together(moves):
            for move in moves:  # in the order in which they were seen
                if self.running():
                    self._hand(self.game.sensed(self.state, [move]))
        self.check()

    def _together(self, moves):
        """Offer a settled change as a whole. False: the game refuses it, but chips of several
        players came so quickly that they may be separate events."""
        owners = [colour(chip) for chip, _ in moves]
        event = self.game.sensed(self.state, moves)
        if len(set(owners)) < len(owners) or len(owners) == 1:
            self._hand(event)
            return True
        if event is None:
            return True
        refusal = self.apply(event)
        if refusal is None:
            self.sounds.append("good")
        return refusal is None or refusal[2] == "nothing"

    def place(self, moves):
        """Note where chips lay at the start, without telling the game."""
        public = []
        for chip, zone in moves:
            before = self.seen.get(chip)
            if before != zone:
                public.append([colour(chip), before, zone])
            if zone is None:
                self.seen.pop(chip, None)
            else:
                self.seen[chip] = zone
            self.tolerated.pop(chip, None)
            self.missed.place(chip, before, zone)
        if public:
            # sorted: the order in which a reader finds tags would tell one from another
            public.sort(key=str)
            self.tell("board", ["moved", public])

    def started(self):
        """All zones have been visited after a start. Tell the game about chips that were moved
        meanwhile, if that only completes what was to be lifted or laid back."""
        if self.running() and self.sensing == "readers":
            seats = self.game.SEATS[: self.players]
            moves = [[c, self.seen.get(c)] for c in CHIPS if colour(c) in seats]
            event = self.game.sensed(self.state, moves)
            state, effects = self.game.step(self.state, event) if event else (None, [])
            kinds = [effect[1] for effect in effects]
            if kinds and kinds == ["moved"] * len(kinds):
                if self.game.mismatch(state, {}) == self.game.mismatch(self.state, {}):
                    self.apply(event)
        self.check()

    def _hand(self, event):
        """Something was done at the board. A refusal is reported and shown; the board stays as it
        is."""
        if event is None:
            return
        refusal = self.apply(event)
        if refusal is None:
            self.sounds.append("good")
        elif refusal[2] != "nothing":
            self.sounds.append("bad")
            if refusal[0] is None:
                self.tell("board", refusal[1:])

    def sense(self, moves):
        """Facts from the wire, in a game without readers."""
        self.need()
        if self.sensing != "wire":
            raise Refused("not_wire", "in this game the readers tell where chips lie")
        if type(moves) is not list:
            raise Refused("bad_argument", "moves is [[chip, zone or null], ...]")
        for move in moves:
            if type(move) is not list or len(move) != 2 or move[0] not in CHIPS:
                raise Refused("unknown_chip", "no such move: %s" % (move,))
        self.facts(moves)

    def press(self, button):
        """A short press: the game decides what it means."""
        if not self.running():
            return
        event = self.game.press(self.state, button)
        if event is not None:
            self._hand(event)
            self.check()

    def check(self):
        """Compare board and game, and report the public form if it changed."""
        wrong = []
        if self.running():
            for chip, there, due in self.game.mismatch(self.state, self.seen):
                if chip in self.tolerated and self.tolerated[chip] == there:
                    continue
                wrong.append([chip, there, due])
        if wrong != self.wrong:
            before = self.public_wrong()
            self.wrong = wrong
            self.wrong_since = -1  # the rings stamp it with their clock
            if self.public_wrong() != before:
                self.tell("board", ["mismatch", self.public_wrong()])
        self.missed.retry_at = -1
        self.resolve(False)

    def public_wrong(self):
        if not self.wrong:
            return []
        return self.game.public_mismatch(self.state, self.wrong)

    def own_wrong(self, seat):
        """The mismatch of a seat's own chips, with their names."""
        own = self.game.SEATS[seat]
        return [row for row in self.wrong if colour(row[0]) == own]

    def arbiter(self):
        """The seat that decides doubts, None: anybody."""
        return self.game.arbiter(self.state) if self.game else None

    def accept(self):
        """Accept the board as it lies: by the rules of the game, or else by agreement."""
        self.need()
        if not self.wrong:
            raise Refused("no_mismatch", "board and game agree")
        event = ["accept", None, [[chip, there] for chip, there, _ in self.wrong]]
        refusal = self.apply(event)
        self.check()
        if refusal or self.wrong:
            for chip, there, _ in self.wrong:
                self.tolerated[chip] = there
            self.record(["tolerate", self.tolerated])
            self.check()

    def expected(self):
        """{chip: zone} where the game has chips lying."""
        if not self.on():
            return {}
        return {chip: due for chip, _, due in self.game.mismatch(self.state, {}) if due}

    def judged(self, chip, zone):
        """A doubt was decided; the settled change that follows adds nothing."""
        if not self.running() or chip == "mill":
            return
        if self.apply(["judged", self.arbiter(), chip, zone]) is None:
            self.sounds.append("good")

    # -- what the host sees ----------------------------------------------------------------

    def public(self):
        """The part of a snapshot that is the game's."""
        if self.game is None:
            return None
        game, state = self.game, self.state
        return {
            "name": self.name,
            "mode": self.mode,
            "players": self.players,
            "sensing": self.sensing,
            "step": self.step,
            "view": game.view(state, None),
            "asked": game.seats_asked(state),
            "over": game.over(state),
            "standing": game.standing(state),
            "claimed": sorted(self.keys),
            "undo": self.deciders() if self.running() else [],
        }

    def chips(self):
        """{zone: {colour: number}} of settled chips; a chip in doubt is only in `doubts`."""
        found: dict = {}
        doubtful = [doubt[1] for doubt in self.doubts]
        for chip in self.seen:
            if chip in doubtful:
                continue
            zone = found.setdefault(self.seen[chip], {})
            zone[colour(chip)] = zone.get(colour(chip), 0) + 1
        return found
