"""Measurements for the diagnosis that do not stop the board; it judges nothing. See also probe."""

import gc

from app.refused import Refused
from spicecore.parts import ZONES

FREE = ("readers", "flash")  # the others that need no maintenance


async def diag(session, args):
    """The word of `what` says what is measured."""
    what = args.get("what")
    method = WHAT.get(what)
    if method is None:
        from app.on_demand.probe import WHAT as probes

        method = probes.get(what)
        if method is None:
            known = ", ".join(sorted(list(WHAT) + list(probes)))
            raise Refused("bad_argument", "what is one of %s" % known)
        if what not in FREE:
            if session.play.running():
                raise Refused("playing", "not while a game is on")
            if not session.sense.paused:
                raise Refused("not_maintained", "ask for maintain first")
    return await method(session, args)


async def hall(session, args):
    if not session.settings.get("hall"):
        return {"mv": None}
    return {"mv": {ZONES[index]: session.board.hall_mv(index) for index in range(len(ZONES))}}


async def buttons(session, args):
    buttons = session.buttons
    down = {}
    for index in range(len(buttons.names)):
        down[buttons.names[index]] = bool(buttons.down >> index & 1)
    return {"down": down, "presses": buttons.presses}


async def memory(session, args):
    gc.collect()
    free = gc.mem_free()
    session.lowest_free = min(free, session.lowest_free or free)
    return {"free": free, "used": gc.mem_alloc(), "lowest": session.lowest_free}


async def reset(session, args):
    return {
        "cause": session.board.reset_cause,
        "starts": session.starts,
        "brownouts": session.brownouts,
    }


async def supply(session, args):
    return {"mv": session.supply_mv, "lowest": session.supply_lowest}


WHAT = {
    "hall": hall,
    "buttons": buttons,
    "memory": memory,
    "reset": reset,
    "supply": supply,
}

COMMANDS = {"diag": diag}
