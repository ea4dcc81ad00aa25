"""Ask about chips that no reader hears, and take the answers. See app.missed.

Kinds of doubt that no reader raised: 0, a person says that the chip lies there; 1, it lay there,
and no reader hears it any more; 2, of this colour fewer chips have been heard than played: the
chip is a colour then, and the zone None.
"""

from micropython import const

from app.refused import Refused
from spicecore.parts import COLOURS, colour

_SAID = const(0)
_GONE = const(1)
_UNSEEN = const(2)


def asked(missed, counts):
    """[[chip or colour, [zone or None], kind], ...]: chips that were played and lie nowhere,
    without anybody having said so."""
    play = missed.play
    found: list = []
    if play.wrong:
        return found  # first things first
    for seat in range(len(counts)):
        name = COLOURS[seat]
        short = counts[seat] - missed.out.get(name, 0)
        for doubt in play.doubts:
            if colour(doubt[1]) == name and doubt[3] not in (_GONE, _UNSEEN):
                short -= 1
        for chip in missed.last:
            if short > 0 and colour(chip) == name and chip not in missed._lost:
                short -= 1
                found.append([chip, [missed.last[chip]], _GONE])
        if short > 0:
            found.append([name, [None], _UNSEEN])
    return found


def check(missed, session, counts, ask):
    """Withdraw questions that need no answer any more; ask: ask new ones."""
    play = missed.play
    for chip, there, due in play.wrong:
        if due is None and missed.declared.get(chip, "") == there:
            # No reader can tell when it is lifted: the word ends where the game sends it home.
            play.facts([[chip, None]])
            return  # facts() checks, and comes here again
    found = asked(missed, counts)
    names = [row[0] for row in found]
    for doubt in list(play.doubts):
        kind = doubt[3]
        if kind == _SAID:
            keep = play.running() and doubt[1] not in missed.moved
        else:
            keep = type(kind) is not int or doubt[1] in names
        if not keep:
            play.doubts.remove(doubt)
            play.tell("board", ["decided", doubt[0], None])
    if ask and not play.doubts:
        for chip, zones, kind in found:
            session.open_doubt(chip, zones, kind)


def decided(session, doubt, counts):
    """The head chef decided a doubt that no reader raised."""
    play = session.play
    missed = play.missed
    _, chip, zones, kind = doubt
    if counts:
        place(session, chip, zones[0])
        play.judged(chip, zones[0])
        play.check()
    elif kind == _UNSEEN:
        missed.out[chip] = missed.expected()[COLOURS.index(chip)]
    elif kind == _GONE:
        missed.discard(chip)


def place(session, chip, zone):
    """Believe that it lies there; where no reader hears it, only people know."""
    if not session.sense.decide(chip, zone):
        session.play.place([[chip, zone]])
        session.play.missed.declare(chip, zone)


def resume(session):
    """After a start: chips that were counted by a person's word, and that no reader hears."""
    play = session.play
    for chip, zone in list(play.missed.declared.items()):
        if chip in play.seen:
            play.missed.declare(chip, None)
        else:
            place(session, chip, zone)


def lies(session, chip, zone):
    """A person says where a chip lies that no reader hears well; None: it was lifted. The number
    of the doubt, or None."""
    play = session.play
    if zone is None:
        _forget(session, chip)
        return None
    mine = [doubt for doubt in play.doubts if doubt[1] == chip]
    if chip in play.seen and chip not in play.missed.declared and not mine:
        text = "the reader of %s hears that chip well: lift it if it does not lie there"
        raise Refused("heard", text % play.seen[chip])
    _may(play, chip)
    state, effects = play.game.step(play.state, ["judged", play.arbiter(), chip, zone])
    if state is play.state and effects:
        raise Refused("illegal", effects[0][3], effects[0][2])
    for doubt in mine:
        play.doubts.remove(doubt)
        session.tell("board", ["decided", doubt[0], None])
    play.missed.moved.discard(chip)
    session.open_doubt(chip, [zone], _SAID)
    return session.doubt_number


def _forget(session, chip):
    if chip in session.play.missed.declared:
        session.play.facts([[chip, None]])
    elif session.sense.places.covered(chip):
        session.sense.decide(chip, None)
    else:
        raise Refused("no_doubt", "nobody said where that chip lies")


def _may(play, chip):
    """While a player may throw, a chip of theirs that is found counts as that throw: refused if it
    may be one that missed before."""
    owner = play.game.SEATS.index(colour(chip))
    if ["missed", owner] in play.game.legal(play.state, owner):
        if play.game.view(play.state, None)["missed"][owner]:
            text = "throw first, or say that this throw missed; then say where the chip lies"
            raise Refused("illegal", text, "throw_first")
