"""Start a game: a new one, or after a restart the one in the journal.

The part of app.keep.Kept that is done once; `play` is one of them.
"""

import binascii
import hashlib
import os

from app import unload
from app.refused import Refused
from spicecore import games


def load_game(name):
    """The module of a game; imported when it is first played, for the heap."""
    if name not in games.GAMES:
        raise Refused("unknown_game", "this board plays %s" % ", ".join(sorted(games.GAMES)))
    return games.load(name)


def new(play, name, options, position, sensing):
    """Start a game; everything is checked before anything is stored."""
    if play.running():
        raise Refused("game_on", "a game of %s is on: abort it first" % play.name)
    game = load_game(name)
    if sensing not in ("readers", "wire"):
        raise Refused("bad_options", "sensing is readers or wire")
    if type(options) is dict and "seed" not in options and options.get("mode") != "referee":
        options = dict(options)  # if the board draws the seed, nobody knows the cards
        options["seed"] = int.from_bytes(os.urandom(4), "big") & 0x3FFFFFFF
    state, options = _fresh(game, options, position)
    play.leave()
    for other in games.GAMES:
        if other != name:
            unload.package(games.package(other))
    if sensing == "wire":
        play.seen = {}
    play.last = None
    play.adopt(game, state, options, sensing)
    play.begin(["new", name, options, position, sensing])
    play.tell("board", ["started", name, play.mode, play.players])
    play.check()


def _fresh(game, options, position):
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


def resume(play):
    """Continue the game in the journal; True if there is one."""
    try:
        records, wrong = play.journal.load()
    except (OSError, ValueError) as error:
        records, wrong = [], str(error)
    if wrong:
        play.complain(wrong)
    if not records:
        play.last = play.journal.last
        return False
    try:
        _restore(play, records[0])
        for record in records[1:]:
            _replay(play, record)
    except (ValueError, KeyError, IndexError, TypeError, Refused) as error:
        play.forget()
        play.journal.open_name = ""
        play.complain("%s cannot be taken up: %s" % (records[0][:2], error))
        return False
    if play.game.over(play.state):
        play.end()  # the power failed between its last event and the end of its record
    elif play.journal.full() or wrong:
        play.checkpoint(True)
    play.tell("board", ["resumed", play.name, play.mode, play.players])
    return True


def _restore(play, record):
    if record[0] == "new":
        _, name, options, position, sensing = record
        game = load_game(name)
        state, options = _fresh(game, options, position)
        play.adopt(game, state, options, sensing)
        return
    at = record[1]
    game = load_game(at["game"])
    play.adopt(game, game.parse(at["text"]), at, at["sensing"])
    keys = {int(seat): at["keys"][seat] for seat in at["keys"]}
    deciders = at.get("deciders") or [None] * len(at["undo"])  # none: an older record
    undo = [[game.parse(text), seat] for text, seat in zip(at["undo"], deciders)]
    play.go_on(at["step"], keys, at["tolerated"], undo)
    play.missed.declared = at.get("declared") or {}  # none: an older record
    play.missed.out = at.get("out") or {}


def _replay(play, record):
    kind = record[0]
    if kind == "e":
        state, effects = play.game.step(play.state, record[1])
        play.advance(state, record[1], effects)
    elif kind == "undo":
        play.take_back()
    elif kind == "key":
        play.keys[record[1]] = record[2]
    elif kind == "keys":
        play.keys = {}
    elif kind == "tolerate":
        play.tolerated = record[1]
    elif kind == "declared":
        play.missed.declared = record[1]


def claim(play, seat):
    """A seat's key, given out once."""
    play.need()
    if type(seat) is not int or not 0 <= seat < play.players:
        raise Refused("wrong_seat", "seats are 0 to %d" % (play.players - 1))
    if seat in play.keys:
        raise Refused("claimed", "the key of %s was given out already" % play.game.SEATS[seat])
    # The RP2040 draws each bit from its ring oscillator, whose ones and zeros need not be alike
    # (data sheet 2.17.5): 256 of them, hashed to 48, are as good as 48 good ones.
    key = binascii.hexlify(hashlib.sha256(os.urandom(32)).digest()[:6]).decode()
    play.record(["key", seat, key])
    play.keys[seat] = key
    play.tell("board", ["claimed", seat])
    return key
