"""Chips that no reader hears, though they may lie in a zone: what people say of them, and how many
must lie somewhere because they have been played.

A person says where a chip lies (`lies`), or the board asks, when a game counts more chips than lie
in zones: each is a doubt like one that a reader raises, and the head chef decides it.
"""

from app.refused import Refused
from spicecore.parts import COLOURS, colour

# Kinds of doubt that no reader raised.
SAID = "said"  # a person says that the chip lies there
GONE = "gone"  # it lay there, and no reader hears it any more: does it still lie there?
UNSEEN = "unseen"  # of this colour fewer chips have been heard than played; the zone is None
BY_PEOPLE = (SAID, GONE, UNSEEN)
ASK_MS = 1500  # ask this long after the last change: chips may still move


class Unheard:
    """play gives the game, doubts, seen, place(), judged(), check(), record()."""

    def __init__(self, play):
        self.play = play
        self.said = {}  # {chip: zone}: counted there by a person's word, until a reader hears it
        self.since = None  # when the board last changed; -1: now; None: nothing to ask
        self.moved = set()  # chips that a reader told about since the last review
        self._new_round()

    def _new_round(self):
        self.nowhere = {}  # {colour: chips that lie nowhere, by a person's word}
        self._left = {}  # {chip: zone}: where chips lay that no reader hears any more
        self._out = set()  # those of them that lie nowhere, by a person's word
        self._judged = None  # colour of a chip that was judged before its throw was counted

    # -- what happens ----------------------------------------------------------------------

    def noted(self, event, effects):
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

    def _count(self, name, by):
        self.nowhere[name] = max(0, self.nowhere.get(name, 0) + by)

    def placed(self, chip, before, zone):
        """A chip settled elsewhere, or (None) is heard nowhere."""
        self.moved.add(chip)
        if chip in self.said:
            self._unsay(chip)
        if zone is None:
            if before:
                self._left[chip] = before
            return
        self._left.pop(chip, None)
        if chip in self._out:
            self._out.remove(chip)
            self._count(colour(chip), -1)

    def _unsay(self, chip):
        self.said.pop(chip)
        self.play.record(["said", self.said])

    def say_again(self):
        """After a start: chips that were counted by a person's word, and that no reader hears."""
        for chip, zone in list(self.said.items()):
            if chip in self.play.seen:
                self._unsay(chip)
            else:
                self._believe(chip, zone)

    def _believe(self, chip, zone):
        self.play.place([[chip, zone]])
        self.said[chip] = zone
        self.play.record(["said", self.said])

    # -- what is asked ---------------------------------------------------------------------

    def questions(self):
        """[[chip, or colour where nobody knows which; [zone or None]; kind], ...]: chips that were
        played and lie nowhere, without anybody having said so."""
        play = self.play
        counts = None
        if play.running() and play.sensing == "readers":
            absent = getattr(play.game, "absent", None)
            counts = absent(play.state) if absent else None
        if counts is None:
            self._new_round()
            return []
        found: list = []
        if play.wrong:
            return found  # first things first
        for seat in range(len(counts)):
            name = COLOURS[seat]
            short = counts[seat] - self.nowhere.get(name, 0)
            for doubt in play.doubts:
                if colour(doubt[1]) == name and doubt[3] not in (GONE, UNSEEN):
                    short -= 1
            for chip in self._left:
                if short > 0 and colour(chip) == name and chip not in self._out:
                    short -= 1
                    found.append([chip, [self._left[chip]], GONE])
            if short > 0:
                found.append([name, [None], UNSEEN])
        return found

    def review(self, session, ask):
        """Withdraw questions that need no answer any more; ask: ask new ones."""
        play = self.play
        self._taken_home()
        questions = self.questions()
        for doubt in list(play.doubts):
            if doubt[3] == SAID:
                still = play.running() and doubt[1] not in self.moved
            else:
                still = doubt[3] not in BY_PEOPLE or _has(questions, doubt[1])
            if not still:
                play.doubts.remove(doubt)
                play.tell("board", ["decided", doubt[0], None])
        self.moved.clear()
        if ask and not play.doubts:
            for chip, zones, kind in questions:
                session.open_doubt(chip, zones, kind)

    def _taken_home(self):
        """No reader can tell when a chip is lifted that none hears: the word ends where the game
        sends it home."""
        for chip, there, due in self.play.wrong:
            if due is None and self.said.get(chip, "") == there:
                self.play.facts([[chip, None]])
                return  # facts() checks, and comes back here

    # -- what is answered ------------------------------------------------------------------

    def answered(self, sense, doubt, counts):
        """The head chef decided a doubt that no reader raised."""
        _, chip, zones, kind = doubt
        if not counts:
            if kind == UNSEEN:
                self._all_nowhere(chip)
            elif kind == GONE:
                self.judged_out(chip)
            return
        if not sense.decide(chip, zones[0]):  # no reader hears it: only people know
            self._believe(chip, zones[0])
        self.play.judged(chip, zones[0])
        self.play.check()

    def _all_nowhere(self, name):
        counts = self.play.game.absent(self.play.state)
        self.nowhere[name] = counts[COLOURS.index(name)]

    def judged_out(self, chip):
        """The head chef decided that a chip lies nowhere."""
        if chip not in self._out:
            self._out.add(chip)
            self._count(colour(chip), 1)
            if chip not in self.play.seen and chip not in self._left:
                self._judged = colour(chip)

    def withdraw(self, sense, chip):
        """A person lifts a chip that no reader heard, or that lay covered."""
        if chip in self.said:
            self.play.facts([[chip, None]])
        elif sense.places.covered(chip):
            sense.decide(chip, None)
        else:
            raise Refused("no_doubt", "nobody said where that chip lies")


def _has(questions, chip):
    for question in questions:
        if question[0] == chip:
            return True
    return False
