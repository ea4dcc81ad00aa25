"""Chips that no reader hears, though they may lie in a zone: what people say of them, and how many
must lie somewhere because they have been played.

A person says where a chip lies (request `lies`), or the board asks, when a game counts more chips
than lie in zones: each is a doubt like one that a reader raises, and the head chef decides it. Its
kind is a number; on_demand.missing names them, and has what is seldom needed.

Most names here are used elsewhere too: a new one costs heap (docs/emulator.md).
"""

from app import unload
from spicecore.parts import COLOURS, colour


class Missed:
    """play gives the game, doubts, seen, wrong, record()."""

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
            from app.on_demand.missing import check

            check(self, session, counts, ask)
            unload.on_demand()
        self.moved.clear()
