"""The game on the board: the only place that writes its state. Knows games by their contract.

Every accepted event is in the journal before anything shows it. What a seat may not know never
reaches `tell`: only public effects do, and colours in the place of chips.
"""

import binascii
import os

from spicecore.parts import CHIPS, colour

GAMES = {  # name: (module, lowest and highest number of players)
    "safranito": ("spicecore.safranito", 2, 4),
    "jaipur": ("spicecore.jaipur", 2, 2),
    "rathot": ("spicecore.rathot", 2, 2),
}
UNDO_DEPTH = 3
CHECKPOINT_EVERY = 32  # events: what a start has to replay at most
# Effects that only say where chips are: what was decided before them can still be taken back.
PHYSICAL = ("moved", "thrown", "back", "missed")
HANDS = ("moved", "judged", "accept", "abort")  # facts: told by the board, never by `act`


class Refused(Exception):
    """A request that cannot be done: code of docs/protocol.md, sentence, the game's own word."""

    def __init__(self, code, text, why=None):
        super().__init__(text)
        self.code = code
        self.text = text
        self.why = why


def load_game(name):
    """The module of a game; imported when it is first played, for the heap."""
    if name not in GAMES:
        raise Refused("unknown_game", "this board plays %s" % ", ".join(sorted(GAMES)))
    return __import__(GAMES[name][0], None, None, ("step",))


class Play:
    """The game that is on, or none: `game` is its module or None."""

    def __init__(self, journal, tell):
        self.journal = journal
        self.tell = tell  # tell(kind, list): queue an event for the host
        self.seen = {}  # {chip: zone}: where chips settled, whatever the game says
        self.wrong = []  # the mismatch
        self.wrong_since = 0
        self.doubts = []  # [number, chip, [zones], kind]
        self.trouble = None  # what is wrong with the journal
        self.sounds = []  # words for the buzzer: "good", "bad", "doubt", "won"
        self._clear()

    def _clear(self):
        self.game = None
        self.name = ""
        self.mode = ""
        self.players = 0
        self.sensing = "readers"
        self.state = None
        self.step = 0
        self.keys = {}
        self.tolerated = {}  # {chip: zone or None} that differs from the game by consent
        self._undo = []  # states, newest last
        self._since = 0  # events since the last position in the journal

    # -- what is on ------------------------------------------------------------------------

    def on(self):
        """Is a game on, or over but still shown?"""
        return self.game is not None

    def running(self):
        return self.game is not None and not self.game.over(self.state)

    def secret(self):
        """Is a full game on? Then what tells its secrets is refused."""
        return self.running() and self.mode == "full"

    def need(self):
        if self.game is None:
            raise Refused("no_game", "no game is on: start one first")
        return self.game

    def seat(self, seat, key, needed=None):
        """Check that the sender is who he says; needed: None means in a full game only."""
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
        if self.running():
            raise Refused("game_on", "a game of %s is on: abort it first" % self.name)
        game = load_game(name)
        if sensing not in ("readers", "wire"):
            raise Refused("bad_options", "sensing is readers or wire")
        state, options = self._fresh(game, options, position)
        before = self.seen
        self._clear()
        self.seen = {} if sensing == "wire" else before
        self._adopt(game, state, options, sensing)
        record = ["new", name, options, position, sensing]
        try:
            self.journal.begin(record)
            self.trouble = None
        except OSError as error:
            self._trouble(error)
        self.tell("board", ["started", name, self.mode, self.players])
        self.check()

    def _fresh(self, game, options, position):
        if position is not None:
            try:
                return game.parse(position), {}
            except ValueError as error:
                raise Refused("bad_position", str(error))
        if type(options) is not dict:
            raise Refused("bad_argument", "options is an object")
        if type(options.get("players")) is not int:
            raise Refused("bad_options", "players is a whole number")
        options = dict(options)
        try:
            return game.new(options), options
        except (ValueError, TypeError, KeyError) as error:
            raise Refused("bad_options", str(error))

    def _adopt(self, game, state, options, sensing):
        public = game.view(state, None)
        self.game = game
        self.name = game.NAME
        self.state = state
        self.mode = options.get("mode") or public.get("mode") or "full"
        self.players = options.get("players") or public.get("players") or len(game.SEATS)
        self.sensing = sensing

    def resume(self):
        """Take up the game of the journal; True when there is one."""
        try:
            records, wrong = self.journal.load()
        except (OSError, ValueError) as error:
            records, wrong = [], str(error)
        if wrong:
            self._trouble(wrong)
        if not records:
            return False
        try:
            self._restore(records[0])
            for record in records[1:]:
                self._replay(record)
        except (ValueError, KeyError, IndexError, TypeError, Refused) as error:
            self._clear()
            self.journal.open_name = ""
            self._trouble("%s cannot be taken up: %s" % (records[0][:2], error))
            return False
        if self.journal.full() or wrong:
            self._checkpoint(True)
        self.tell("board", ["resumed", self.name, self.mode, self.players])
        return True

    def _restore(self, record):
        if record[0] == "new":
            _, name, options, position, sensing = record
            game = load_game(name)
            state, options = self._fresh(game, options, position)
            self._adopt(game, state, options, sensing)
            return
        at = record[1]
        game = load_game(at["game"])
        self._adopt(game, game.parse(at["text"]), at, at["sensing"])
        self.step = at["step"]
        self.keys = {int(seat): at["keys"][seat] for seat in at["keys"]}
        self.tolerated = at["tolerated"]
        self._undo = [game.parse(text) for text in at["undo"]]

    def _replay(self, record):
        kind = record[0]
        if kind == "e":
            before = self.state
            self.state, effects = self.game.step(before, record[1])
            self._remember(before, record[1], effects)
            self.step += 1
            self._since += 1
        elif kind == "undo":
            self.state = self._undo.pop()
            self.step += 1
        elif kind == "key":
            self.keys[record[1]] = record[2]
        elif kind == "keys":
            self.keys = {}
        elif kind == "tolerate":
            self.tolerated = record[1]

    def abort(self):
        """End the game in any state."""
        game = self.need()
        state, effects = game.step(self.state, ["abort", None])
        if state is not self.state:
            self.state = state
            self._publish(effects)
        self._finish(["abort"])
        self.tell("board", ["aborted"])
        seen = self.seen
        self._clear()
        self.seen = seen
        self.wrong = []

    def _finish(self, record):
        if self.journal.open_name:
            try:
                self.journal.finish(record)
            except OSError as error:
                self._trouble(error)
                self.journal.open_name = ""

    def leave(self):
        """Forget a game that is over."""
        seen = self.seen
        self._clear()
        self.seen = seen
        self.wrong = []

    # -- events ----------------------------------------------------------------------------

    def apply(self, event):
        """Step the game by an event: None, or the refusal's effect. Journal first, then show."""
        before = self.state
        state, effects = self.game.step(before, event)
        if state is before:
            for effect in effects:
                if effect[1] == "refused":
                    return effect
            return [None, "refused", "nothing", "that changes nothing"]
        self._record(["e", event])
        self.state = state
        self.step += 1
        self._publish(effects)
        self.tell("board", ["step", self.step])
        self._remember(before, event, effects)
        self._since += 1
        if self.game.over(state):
            self._finish(["over", self.game.standing(state)])
            self.tell("board", ["over"])
            self.sounds.append("won")
        elif self._since >= CHECKPOINT_EVERY or self.journal.full():
            self._checkpoint(self.journal.full())
        return None

    def _publish(self, effects):
        for effect in effects:
            if effect[0] is None:
                self.tell("game", effect[1:])

    def _remember(self, before, event, effects):
        """Keep the state before a decision that may be taken back."""
        if self.game.undoable(before, event):
            self._undo.append(before)
            if len(self._undo) > UNDO_DEPTH:
                self._undo.pop(0)
            return
        for effect in effects:
            if effect[1] not in PHYSICAL:
                self._undo = []
                return

    def _record(self, record):
        if not self.journal.open_name:
            return
        try:
            self.journal.append(record)
        except OSError as error:
            self._trouble(error)

    def _checkpoint(self, new_file):
        """Store the whole position, so that a start replays little."""
        if not self.journal.open_name:
            return
        game = self.game
        record = [
            "state",
            {
                "game": self.name,
                "text": game.text(self.state),
                "undo": [game.text(state) for state in self._undo],
                "step": self.step,
                "mode": self.mode,
                "players": self.players,
                "sensing": self.sensing,
                "keys": {str(seat): self.keys[seat] for seat in self.keys},
                "tolerated": self.tolerated,
            },
        ]
        self._since = 0
        try:
            if new_file:
                self.journal.checkpoint(record)
            else:
                self.journal.append(record)
        except OSError as error:
            self._trouble(error)

    def _trouble(self, error):
        """The journal cannot be kept: say so once, play on."""
        text = "the game is not recorded: %s" % error
        if text != self.trouble:
            self.trouble = text
            self.tell("board", ["journal", text])

    def act(self, seat, key, event, step):
        """A seat's decision from the wire."""
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
        refusal = self.apply(event)
        if refusal:
            code = "illegal" if self.running() or refusal[2] != "over" else "no_game"
            raise Refused(code, refusal[3], refusal[2])
        self.check()

    def undo(self):
        """Take back the last decision."""
        self.need()
        if not self._undo or not self.running():
            raise Refused("not_undoable", "there is nothing that may be taken back")
        self._record(["undo"])
        self.state = self._undo.pop()
        self.step += 1
        self._since += 1
        self.tell("board", ["undone", self.step])
        self.check()

    # -- the board -------------------------------------------------------------------------

    def facts(self, moves):
        """A settled change: [[chip, zone or None], ...]."""
        self.place(moves)
        if self.running():
            event = self.game.sensed(self.state, moves)
            if event is not None:
                self._hand(event)
        self.check()

    def place(self, moves):
        """Note where chips lie, without a word to the game: what lay there at the start."""
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
        if public:
            # sorted: the order in which a reader finds tags would tell one from another
            public.sort(key=str)
            self.tell("board", ["moved", public])

    def _hand(self, event):
        """Something done at the board; a refusal is told and shown, the board stays as it is."""
        refusal = self.apply(event)
        if refusal is None:
            self.sounds.append("good")
        elif refusal[2] != "nothing":
            self.sounds.append("bad")
            if refusal[0] is None:
                self.tell("board", refusal[1:])

    def sense(self, moves):
        """Facts told by wire, in a game without readers."""
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
        """A short press: what the game makes of it."""
        if not self.running():
            return
        event = self.game.press(self.state, button)
        if event is not None:
            self._hand(event)
            self.check()

    def check(self):
        """Compare board and game; tells the public form when it changed."""
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

    def public_wrong(self):
        if not self.wrong:
            return []
        return self.game.public_mismatch(self.state, self.wrong)

    def own_wrong(self, seat):
        """The mismatch of a seat's own chips, by name."""
        own = self.game.SEATS[seat]
        return [row for row in self.wrong if colour(row[0]) == own]

    def arbiter(self):
        """The seat that decides doubts, None: anybody."""
        decider = getattr(self.game, "arbiter", None)
        return decider(self.state) if decider else None

    def accept(self):
        """Take the board as it lies: by the game's rules, else by consent."""
        self.need()
        if not self.wrong:
            raise Refused("no_mismatch", "board and game agree")
        event = ["accept", None, [[chip, there] for chip, there, _ in self.wrong]]
        refusal = self.apply(event)
        self.check()
        if refusal or self.wrong:
            for chip, there, _ in self.wrong:
                self.tolerated[chip] = there
            self._record(["tolerate", self.tolerated])
            self.check()

    def expected(self):
        """{chip: zone} where the game has chips lying."""
        if not self.on():
            return {}
        return {chip: due for chip, _, due in self.game.mismatch(self.state, {}) if due}

    def judged(self, chip, zone):
        """The head chef's word on a doubt; the settled change that follows adds nothing."""
        if not self.running() or chip == "mill":
            return
        if self.apply(["judged", self.arbiter(), chip, zone]) is None:
            self.sounds.append("good")

    # -- keys ------------------------------------------------------------------------------

    def claim(self, seat):
        """A seat's key, given out once."""
        self.need()
        if type(seat) is not int or not 0 <= seat < self.players:
            raise Refused("wrong_seat", "seats are 0 to %d" % (self.players - 1))
        if seat in self.keys:
            raise Refused("claimed", "the key of %s was given out already" % self.game.SEATS[seat])
        key = binascii.hexlify(os.urandom(6)).decode()
        self._record(["key", seat, key])
        self.keys[seat] = key
        self.tell("board", ["claimed", seat])
        return key

    def release(self):
        """All keys become void: somebody at the board said so."""
        if self.keys:
            self._record(["keys"])
            self.keys = {}
            self.tell("board", ["released"])

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
        }

    def chips(self):
        """{zone: {colour: number}} of what settled where."""
        found = {}
        for chip in self.seen:
            zone = found.setdefault(self.seen[chip], {})
            zone[colour(chip)] = zone.get(colour(chip), 0) + 1
        return found
