"""Keep a game: record it in the journal, end it, manage the seats' keys. on_demand.begin starts
it.

Base of Play. A record is on the flash before anything in it is reported. If the flash fails, the
game continues without records, and the board says so once.
"""

from micropython import const

from app import unload
from app.refused import Refused
from spicecore.parts import COLOURS, colour

_UNDO_DEPTH = const(3)


class Kept:
    """The game that is on, or none: `game` is its module or None."""

    def __init__(self, journal, tell):
        self.journal = journal
        self.tell = tell  # tell(kind, list): queue an event for the host
        self.seen = {}  # {chip: zone}: where chips settled, whatever the game says
        self.wrong = []  # the mismatch
        self.wrong_since = 0
        self.doubts = []  # [number, chip, [zones], kind]
        self.trouble = None  # what is wrong with the journal
        self.relook = lambda: None  # asks the readers to look at all zones again
        self.resolve = lambda ask: None  # withdraws questions of `missed`, or asks new ones
        self.missed = Missed(self)
        self.sounds = []  # words for the buzzer: "good", "bad", "doubt", "won"
        self.last = None  # [name, standing] of the game before, when it was played to its end
        self.forget()

    def forget(self):
        """Forget the game, but not where the chips lie."""
        self.game = None
        self.name = ""
        self.mode = ""  # "": no game. "full": the board keeps the cards, "referee": people do
        self.players = 0
        self.sensing = "readers"  # who tells where chips lie: "readers", or a host over the "wire"
        self.state = None
        self.step = 0
        self.keys = {}
        self.tolerated = {}  # {chip: zone or None} that differs from the game by consent
        self._undo = []  # [state, seat that decided in it or None], newest last
        self._since = 0  # events since the last position in the journal
        self._lost = False  # the journal lacks a record: only a whole position repairs it

    # -- what is on ------------------------------------------------------------------------

    def on(self):
        """Is there a game, or one that is over but still shown?"""
        return self.game is not None

    def running(self):
        return self.game is not None and not self.game.over(self.state)

    def secret(self):
        """Is there a full game? Then requests that would reveal its secrets are refused."""
        return self.running() and self.mode == "full"

    def not_secret(self):
        if self.secret():
            raise Refused("secret", "that would tell secrets of the full game that is on")

    def need(self):
        if self.game is None:
            raise Refused("no_game", "no game is on: start one first")
        return self.game

    def seat(self, seat, key, needed=None):
        """Check the sender's key. needed: None means only in a full game."""
        game = self.need()
        if needed is None:
            needed = self.mode == "full"
        if seat is None and not needed:
            return None
        if type(seat) is not int or not 0 <= seat < self.players:
            raise Refused("wrong_seat", "seats are 0 to %d" % (self.players - 1))
        if (needed or key is not None) and (key is None or self.keys.get(seat) != key):
            raise Refused("wrong_key", "that is not the key of %s" % game.SEATS[seat])
        return seat

    # -- beginning, going on, ending -------------------------------------------------------

    def new(self, name, options, position, sensing):
        """Start a game; everything is checked before anything is stored."""
        from app.on_demand.begin import new

        try:
            new(self, name, options, position, sensing)
        finally:
            unload.on_demand()

    def resume(self):
        """Continue the game in the journal; True if there is one."""
        from app.on_demand.begin import resume

        try:
            return resume(self)
        finally:
            unload.on_demand()

    def abort(self):
        """End the game in any state."""
        game = self.need()
        state, effects = game.step(self.state, ["abort", None])
        if state is not self.state:
            self.state = state
            self._publish(effects)
        self._finish(["abort"])
        self.tell("board", ["aborted"])
        self.leave()

    def end(self):
        """The game has been played to its end: close its record."""
        self.last = [self.name, self.game.standing(self.state)]
        self._finish(["over", self.last[1], self.name])

    def _finish(self, record):
        try:
            if self.journal.open_name:
                self.journal.finish(record)
        except OSError as error:
            self.complain(error)
            self.journal.open_name = ""

    def leave(self):
        """Forget the game. Keep what readers saw, but not what was reported over the wire."""
        told = self.on() and self.sensing == "wire"
        declared, self.missed.declared = self.missed.declared, {}
        for chip in declared:
            self.place([[chip, None]])
        seen = self.seen
        self.forget()
        self.seen = {} if told else seen
        self.wrong = []
        if told:
            self.relook()

    def adopt(self, game, state, options, sensing):
        """Make this the current game. options: mode and players, where its view lacks them."""
        public = game.view(state, None)
        self.game = game
        self.name = game.NAME
        self.state = state
        self.mode = options.get("mode") or public.get("mode") or "full"
        self.players = options.get("players") or public.get("players") or len(game.SEATS)
        self.sensing = sensing

    def go_on(self, step, keys, tolerated, undo):
        """Continue the adopted game where it was. undo: [[state, seat that decided in it or None],
        ...], newest last."""
        self.step = step
        self.keys = keys
        self.tolerated = tolerated
        self._undo = undo

    def advance(self, state, event, effects):
        """An event led to this state; keep the one before it, if it may be taken back."""
        before = self.state
        self.state = state
        self.step += 1
        self._since += 1
        self.missed.note(event, effects)
        if self.game.undoable(before, event):
            seat = event[1] if type(event[1]) is int else None
            self._undo.append([before, seat])
            if len(self._undo) > _UNDO_DEPTH:
                self._undo.pop(0)
            return
        for effect in effects:
            if effect[1] not in self.game.PHYSICAL:
                self._undo = []
                return

    def deciders(self):
        """Who decided what may be taken back: seats, None where nobody said who; newest last."""
        return [seat for _, seat in self._undo]

    def take_back(self):
        """The last decision was taken back; what was said of chips nowhere is asked again."""
        self.missed.out = {}
        self.state = self._undo.pop()[0]
        self.step += 1
        self._since += 1

    def begin(self, record):
        """Open a file for a new game by its first record."""
        try:
            self.journal.begin(record)
            self.trouble = None
        except OSError as error:
            self._lost = True
            self.complain(error)

    def record(self, record):
        """Store a record. After a lost record, later ones would be replayed on a wrong position,
        so nothing is stored until a whole position has been."""
        if self._lost:
            return
        try:
            self.journal.append(record)
        except OSError as error:
            self._lost = True
            self.complain(error)

    def checkpoint(self, new_file):
        """Store the whole position, so that a restart has little to replay."""
        game = self.game
        record = [
            "state",
            {
                "game": self.name,
                "text": game.text(self.state),
                "undo": [game.text(state) for state, _ in self._undo],
                "deciders": self.deciders(),
                "step": self.step,
                "mode": self.mode,
                "players": self.players,
                "sensing": self.sensing,
                "keys": {str(seat): self.keys[seat] for seat in self.keys},
                "tolerated": self.tolerated,
                "declared": self.missed.declared,
                "out": self.missed.out,
            },
        ]
        unload.on_demand()
        self._since = 0
        try:
            if not self.journal.open_name:
                self.journal.begin(record)
            elif new_file or self._lost:
                self.journal.checkpoint(record)
            else:
                self.journal.append(record)
            self._lost = False
            self.trouble = None
        except OSError as error:
            self._lost = True
            self.complain(error)

    def complain(self, error):
        """The journal cannot be written: say so once and play on."""
        text = "the game is not recorded: %s" % error
        if text != self.trouble:
            self.trouble = text
            self.tell("board", ["journal", text])

    # -- keys ------------------------------------------------------------------------------

    def claim(self, seat):
        """A seat's key, given out once."""
        from app.on_demand.begin import claim

        return claim(self, seat)

    def release(self):
        """Revoke all keys: somebody at the board asked for it."""
        if self.keys:
            self.record(["keys"])
            self.keys = {}
            self.tell("board", ["released"])


class Missed:
    """Chips that no reader hears, though they may lie in a zone: what people say of them, and how
    many must lie somewhere because they have been played.

    A person says where a chip lies (request `lies`), or the board asks, when a game counts more
    chips than lie in zones: each is a doubt like one that a reader raises, and the head chef
    decides it. Its kind is a number; on_demand.visit has what is seldom needed.

    play gives the game, doubts, seen, wrong, record(). Most names here are used elsewhere too: a
    new one costs heap (docs/emulator.md)."""

    def __init__(self, play):
        self.play = play
        self.declared = {}  # {chip: zone}: counted there by a person's word, until it is heard
        self.retry_at = None  # when to ask; -1: some time from now on; None: there is no question
        self.moved = set()  # chips that settled since the last check
        self._fresh()

    def _fresh(self):
        """A new round."""
        self.out = {}  # {colour: chips that lie nowhere, by a person's word}
        self.last = {}  # {chip: zone}: where chips lay that no reader hears any more
        self._lost = set()  # chips that lie nowhere, by a person's word
        self._judged = None  # colour of a chip that was judged before its throw was counted

    def note(self, event, effects):
        """The game accepted an event."""
        if not hasattr(self.play.game, "absent"):
            return
        for effect in effects:
            if effect[1] == "missed":
                name = COLOURS[effect[2]]
                if self._judged == name:
                    self._judged = None
                elif event[0] == "missed":
                    self._count(name, 1)
            elif effect[1] == "back":
                self._count(COLOURS[effect[2]], -1)

    def _count(self, name, n):
        self.out[name] = max(0, self.out.get(name, 0) + n)

    def place(self, chip, last, zone):
        """A chip settled elsewhere, or (None) is heard nowhere; last: where it was before."""
        self.moved.add(chip)
        if chip in self.declared:
            self.declare(chip, None)
        if zone is None:
            if last:
                self.last[chip] = last
            return
        self.last.pop(chip, None)
        if chip in self._lost:
            self._lost.remove(chip)
            self._count(colour(chip), -1)

    def declare(self, chip, zone):
        """It counts in that zone by a person's word; None: no longer."""
        self.declared.pop(chip, None)
        if zone is not None:
            self.declared[chip] = zone
        self.play.record(["declared", self.declared])

    def discard(self, chip):
        """The head chef decided that a chip lies nowhere."""
        if chip not in self._lost:
            self._lost.add(chip)
            self._count(colour(chip), 1)
            if chip not in self.play.seen and chip not in self.last:
                self._judged = colour(chip)

    def expected(self):
        """By seat, how many chips that were played lie in no zone; [] or None: not known yet, or
        nothing to be asked."""
        play = self.play
        counts = None
        if play.running() and play.sensing == "readers":
            absent = getattr(play.game, "absent", None)
            counts = absent(play.state) if absent else None
        if counts is None:
            self._fresh()
        return counts

    def check(self, session, ask):
        """Withdraw questions that need no answer any more; ask: ask new ones."""
        counts = self.expected() or []
        due = bool(self.declared and self.play.wrong)
        for seat in range(len(counts)):
            if counts[seat] > self.out.get(COLOURS[seat], 0):
                due = True
        for doubt in self.play.doubts:
            if type(doubt[3]) is int:
                due = True
        if due:
            from app.on_demand.visit import check

            check(self, session, counts, ask)
            unload.on_demand()
        self.moved.clear()
