"""What a diagnosis measures while the board goes on, judging nothing; see session_probe_once."""

import gc
import os

from session_kept import Refused
from spicecore import journal_read_once, store
from spicecore.parts import ZONES

PROBE, PROBE_BYTES = "data/probe", 2048


async def diag(session, args):
    """The word of `what` says what is measured."""
    what = args.get("what")
    method = WHAT.get(what)
    if method is None:
        from session_probe_once import WHAT as probes

        method = probes.get(what)
        if method is None:
            known = ", ".join(sorted(list(WHAT) + list(probes)))
            raise Refused("bad_argument", "what is one of %s" % known)
        if what != "readers":
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
    return {
        "free": gc.mem_free(),
        "used": gc.mem_alloc(),
        "lowest": session.lowest_free,
    }


async def reset(session, args):
    return {
        "cause": session.board.reset_cause,
        "starts": session.starts,
        "brownouts": session.brownouts,
    }


async def flash(session, args):
    stat = os.statvfs("data")
    files = []
    for folder in ("data", "data/log"):
        for name in sorted(os.listdir(folder)):
            path = folder + "/" + name
            if not os.stat(path)[0] & 0x4000:  # no folder
                files.append([path, os.stat(path)[6]])
    return {
        "total": stat[1] * stat[2],
        "free": stat[0] * stat[3],
        "files": files,
        "damaged": [path for path, _ in files if _damaged(path)],
        "write": _try_to_write(),
    }


async def supply(session, args):
    return {"mv": session.supply_mv, "lowest": session.supply_lowest}


def _damaged(path):
    """Does a file of ours not hold what its check sums say?"""
    if path[-2:] in (".a", ".b"):
        return store._read(path) is None
    if path[-4:] != ".log":
        return False
    with open(path, "rb") as file:
        for text in file:
            # what a cut left at the end was never acknowledged
            if text.endswith(b"\n") and journal_read_once.parse(text) is None:
                return True
    return False


def _try_to_write():
    """Write and remove a file as large as a record: None, or what went wrong."""
    try:
        try:
            with open(PROBE, "wb") as file:
                file.write(bytes(PROBE_BYTES))
            size = os.stat(PROBE)[6]
        finally:
            try:
                os.remove(PROBE)
            except OSError:
                pass  # it was never made
    except OSError as error:
        return "error %s" % error
    return None if size == PROBE_BYTES else "%d of %d bytes" % (size, PROBE_BYTES)


WHAT = {
    "hall": hall,
    "buttons": buttons,
    "memory": memory,
    "reset": reset,
    "flash": flash,
    "supply": supply,
}

COMMANDS = {"diag": diag}
