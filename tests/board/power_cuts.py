"""Power cuts at single flash operations, in whole games: what comes back was acknowledged.

    micropython tests/board/power_cuts.py GAME CUTS SEED

Runs the unchanged journal, games and settings on littlefs (MicroPython's own) over a model of a
NOR flash: 4 KiB sectors are erased to ones, pages of 256 bytes turn ones into zeros. A cut falls
into the n-th page program or sector erase from then on, chosen by seed: the page is programmed up
to some byte, and each bit of the rest by chance; of the sector each bit is erased by chance, or
not yet at all. What is read of a torn cell later is steady; that it may flicker is not modelled.
Prints a line of figures; exits with 1 and a word where something acknowledged is lost.
"""

import gc
import os
import sys

import slots
from app.play import Play
from spicecore import chance, games
from spicecore.storage.journal import Journal
from spicecore.storage.on_demand import store

SECTOR, PAGE, SECTORS = 4096, 256, 352  # of a Pico: 1408 KiB are left for files
DATA = "/f/data"
SETTINGS = DATA + "/settings"
UPDATE = "/f/slot/b/app.mpy"


class Cut(Exception):
    """The supply fails."""


class Dice:
    """Chance from a seed."""

    def __init__(self, seed):
        self.x = chance.start(seed)

    def n(self, bound):
        """0..bound - 1."""
        self.x, value = chance.below(self.x, bound)
        return value


class Flash:
    """A NOR flash as a block device; `left` operations until the supply fails (None: it holds)."""

    def __init__(self, dice, data=None):
        self.dice = dice
        self.data = bytearray(b"\xff" * (SECTOR * SECTORS)) if data is None else data
        self.left = None
        self.dead = False
        self.gone = False  # only files that were discarded without closing them still call this
        self.programs = self.erases = 0

    def readblocks(self, block, buf, off=0):
        if self.gone:
            return -5
        if self.dead:
            raise Cut()
        at = block * SECTOR + off
        buf[:] = self.data[at : at + len(buf)]
        return 0

    def writeblocks(self, block, buf, off=0):
        if self.gone:
            return -5
        at, end = block * SECTOR + off, block * SECTOR + off + len(buf)
        done = 0
        while at < end:
            size = min(PAGE - at % PAGE, end - at)
            self._program(at, bytes(buf[done : done + size]))
            at, done = at + size, done + size
        return 0

    def _program(self, at, piece):
        whole = len(piece) if not self._fails() else self.dice.n(len(piece) + 1)
        for i in range(whole):
            self.data[at + i] &= piece[i]
        if self.dead:
            for i in range(whole, len(piece)):  # bits that were to become 0: some have
                self.data[at + i] &= piece[i] | self.dice.n(256)
            raise Cut()
        self.programs += 1

    def ioctl(self, op, arg):
        if self.gone:
            return -5
        if op == 4:
            return SECTORS
        if op == 5:
            return SECTOR
        if op == 6:
            self._erase(arg * SECTOR)
        return 0

    def _erase(self, at):
        if not self._fails():
            self.data[at : at + SECTOR] = b"\xff" * SECTOR
            self.erases += 1
            return
        if self.dice.n(4):
            mask = self.dice.n(256)
            for i in range(self.dice.n(SECTOR + 1)):
                mask = mask * 77 + 41 & 0xFF
                self.data[at + i] |= mask
        raise Cut()

    def _fails(self):
        """Does the supply fail in this operation?"""
        if self.dead:
            raise Cut()
        if self.left is not None:
            self.left -= 1
            self.dead = self.left < 0
        return self.dead


class Board:
    """The part of a board that keeps data, started again after each cut."""

    def __init__(self, name, dice):
        self.name, self.dice, self.rules = name, dice, games.load(name)
        self.flash = Flash(dice)
        os.VfsLfs2.mkfs(self.flash, progsize=PAGE)
        self.cuts = self.further = self.events = self.games = 0
        self.programs = self.erases = 0
        self.settings, self.pointer, self.update = 0, ["a", "b", False, 0], 0
        self.keys = {}
        self.past = []  # positions to which undo leads, newest last
        slots.POINTER, slots.NEW = "/f/slot.txt", "/f/slot.new"
        self.mount()
        for folder in (DATA, DATA + "/log", "/f/slot", "/f/slot/b"):
            os.mkdir(folder)
        slots.write(self.pointer)
        self.start()

    def mount(self):
        os.mount(os.VfsLfs2(self.flash, progsize=PAGE), "/f")

    def start(self):
        """As a board does at its start."""
        self.told = []
        self.play = Play(Journal(DATA + "/log"), lambda kind, item: self.told.append(item))
        self.play.relook = lambda: None
        return self.play.resume()

    def told_trouble(self):
        return [item for item in self.told if item[0] == "journal"]

    # -- what can be done, each with what must be true after it

    def begin(self):
        self.games += 1
        options = {"players": 2, "mode": "full", "seed": self.games}
        self.keys, self.past = {}, []
        self.expected.append(self.rules.text(self.rules.new(options)))
        self.play.new(self.name, options, None, "wire")

    def event(self):
        """A random event of the game that the rules take and that changes the position: else a cut
        could not be seen."""
        play, rules = self.play, self.rules
        before = rules.text(play.state)
        for _ in range(20):
            event = self._some(rules, play.state)
            state, _ = rules.step(play.state, event)
            if state is not play.state and rules.text(state) != before:
                return event, rules.text(state)
        event = ["abort", None]
        return event, rules.text(rules.step(play.state, event)[0])

    def _some(self, rules, state):
        seats = rules.seats_asked(state)
        legal = rules.legal(state, seats[self.dice.n(len(seats))])
        if not legal:
            return ["accept", None, [[c, z] for c, _, z in rules.mismatch(state, {})]]
        event = legal[self.dice.n(len(legal))]
        if event[0] == "moved":
            bowls = ("mint", "curry", "saffron", None, "reserve")
            return ["moved", None, [[event[2][0][0], bowls[self.dice.n(5)]]]]
        return event

    def turn(self):
        """One thing that a game does; then it is acknowledged."""
        play, kind = self.play, self.dice.n(20)
        if not play.running():
            shown = self.rules.text(play.state) if play.on() else None
            self.expected = [shown, None]  # its last record may have been cut: shown once more
            self.pasts = [[], []]
            play.leave()
            self.begin()
            return
        self.expected, self.pasts = [self.rules.text(play.state)], [self.past] * 2
        if kind == 0 and play.deciders():
            self.expected.append(self.past[-1])
            self.pasts[1] = self.past[:-1]
            play.undo()
            assert self.rules.text(play.state) == self.expected[1], "undo leads elsewhere"
        elif kind == 1 and len(play.keys) < 2:
            seat = len(play.keys)
            self.keys[seat] = play.claim(seat)
        elif kind == 2:
            self.saving = self.settings + 1
            store.save(SETTINGS, {"brightness": self.saving})
            self.settings = self.saving
        elif kind == 3:
            self.updating()
        else:
            event, after = self.event()
            self.expected.append(after)
            if self.rules.undoable(play.state, event):
                self.pasts[1] = list(self.past)
                self.pasts[1].append(self.expected[0])
            play.apply(event)
            self.remember(self.pasts[1])
            if play.state["phase"][0] == "round_over" and self.name == "safranito":
                self.lift()
            self.events += 1
        self.remember(self.pasts[1])

    def remember(self, past):
        """Of what was before, what may still be taken back."""
        self.past = past[len(past) - len(self.play.deciders()) :]

    def lift(self):
        """Hands clear the table, so that the next round can begin."""
        play = self.play
        moves = [[chip, None] for chip in play.state["astray"]]
        if moves:
            event = ["moved", None, moves]
            state, _ = self.rules.step(play.state, event)
            self.expected = [self.rules.text(play.state), self.rules.text(state)]
            self.pasts = [self.past, self.past]
            play.apply(event)

    def updating(self):
        """A file of the idle slot, read back, and the pointer to it."""
        content = bytes([self.dice.n(256)]) * 3000
        with open(UPDATE, "wb") as file:
            file.write(content)
        with open(UPDATE, "rb") as file:
            assert file.read() == content
        self.turning = [self.pointer[1], self.pointer[0], True, 0]
        slots.write(self.turning)
        self.pointer = self.turning

    # -- a cut, and what must be true at the next start

    def cut(self):
        """The supply fails in one of the next operations; then the next start is held against
        what was acknowledged."""
        self.saving = self.settings
        self.turning = self.pointer
        for _ in range(self.dice.n(8)):
            self.turn()
        self.flash.left = self.dice.n(12) if self.dice.n(4) else self.dice.n(80)
        try:
            while True:
                self.turn()
        except Cut:
            pass
        self.cuts += 1
        was = self.keys
        try:
            os.umount("/f")
        except Cut:
            pass
        self.flash.gone = True
        gc.collect()
        self.programs += self.flash.programs
        self.erases += self.flash.erases
        self.flash = Flash(self.dice, self.flash.data)
        self.mount()
        self.start()
        self.compare(was)

    def compare(self, keys):
        play = self.play
        found = self.rules.text(play.state) if play.on() else None
        over = found is None and len(self.expected) > 1 and self._ends(self.expected[1])
        assert found in self.expected or over, ("lost", found, self.expected)
        self.further += found != self.expected[0]
        self.remember(self.pasts[found != self.expected[0]] if play.on() else [])
        for seat in keys if play.on() else ():
            assert play.keys.get(seat) == keys[seat], "a key is lost"
        self.keys = dict(play.keys)
        assert not self.told_trouble() and not play.trouble, self.told_trouble()
        _, values = store.load(SETTINGS)
        assert values.get("brightness", 0) in (self.settings, self.saving), values
        self.settings = values.get("brightness", 0)
        state = slots.read()
        assert state in (self.pointer, self.turning), state
        self.pointer = state

    def _ends(self, text):
        return text is None or self.rules.over(self.rules.parse(text))


def main(name, cuts, seed):
    """So many cuts in games of one kind."""
    board = Board(name, Dice(seed))
    while board.cuts < cuts:
        board.cut()
    print(
        f"{name}: {cuts} cuts, {board.further} one event further, {board.events} events, "
        f"{board.games} games, {board.programs} page programs, {board.erases} erases"
    )


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
