"""How a game begins: a new one, or after a start the one that the journal holds.

The part of app.keep.Kept that is done once; `play` is one of them.
"""

import binascii
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
        options = dict(options)  # nobody knows the cards of a game whose seed the board draws
        options["seed"] = int.from_bytes(os.urandom(4), "big") & 0x3FFFFFFF
    state, options = _fresh(game, options, position)
    play.leave()
    for other in games.GAMES:
        if other != name:
            unload.package(games.package(other))
    if sensing == "wire":
        play.seen = {}
    _adopt(play, game, state, options, sensing)
    record = ["new", name, options, position, sensing]
    try:
        play.journal.begin(record)
        play.trouble = None
    except OSError as error:
        play._lost = True
        play._trouble(error)
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


def _adopt(play, game, state, options, sensing):
    public = game.view(state, None)
    play.game = game
    play.name = game.NAME
    play.state = state
    play.mode = options.get("mode") or public.get("mode") or "full"
    play.players = options.get("players") or public.get("players") or len(game.SEATS)
    play.sensing = sensing


def resume(play):
    """Take up the game of the journal; True when there is one."""
    try:
        records, wrong = play.journal.load()
    except (OSError, ValueError) as error:
        records, wrong = [], str(error)
    if wrong:
        play._trouble(wrong)
    if not records:
        return False
    try:
        _restore(play, records[0])
        for record in records[1:]:
            _replay(play, record)
    except (ValueError, KeyError, IndexError, TypeError, Refused) as error:
        play._clear()
        play.journal.open_name = ""
        play._trouble("%s cannot be taken up: %s" % (records[0][:2], error))
        return False
    if play.journal.full() or wrong:
        play._checkpoint(True)
    play.tell("board", ["resumed", play.name, play.mode, play.players])
    return True


def _restore(play, record):
    if record[0] == "new":
        _, name, options, position, sensing = record
        game = load_game(name)
        state, options = _fresh(game, options, position)
        _adopt(play, game, state, options, sensing)
        return
    at = record[1]
    game = load_game(at["game"])
    _adopt(play, game, game.parse(at["text"]), at, at["sensing"])
    play.step = at["step"]
    play.keys = {int(seat): at["keys"][seat] for seat in at["keys"]}
    play.tolerated = at["tolerated"]
    deciders = at.get("deciders") or [None] * len(at["undo"])  # none: an older record
    play._undo = [[game.parse(text), seat] for text, seat in zip(at["undo"], deciders)]


def _replay(play, record):
    kind = record[0]
    if kind == "e":
        before = play.state
        play.state, effects = play.game.step(before, record[1])
        play._remember(before, record[1], effects)
        play.step += 1
        play._since += 1
    elif kind == "undo":
        play.state = play._undo.pop()[0]
        play.step += 1
    elif kind == "key":
        play.keys[record[1]] = record[2]
    elif kind == "keys":
        play.keys = {}
    elif kind == "tolerate":
        play.tolerated = record[1]


def claim(play, seat):
    """A seat's key, given out once."""
    play.need()
    if type(seat) is not int or not 0 <= seat < play.players:
        raise Refused("wrong_seat", "seats are 0 to %d" % (play.players - 1))
    if seat in play.keys:
        raise Refused("claimed", "the key of %s was given out already" % play.game.SEATS[seat])
    key = binascii.hexlify(os.urandom(6)).decode()
    play._record(["key", seat, key])
    play.keys[seat] = key
    play.tell("board", ["claimed", seat])
    return key
