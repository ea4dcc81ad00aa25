"""How the board takes part in Nine Bowls: a chip in a bowl occupies it, rings show whose it is."""

from spicecore.facts import differences
from spicecore.games.ninebowls.lines import line_of, owner
from spicecore.parts import BOWLS, ZONES


def sensed(state: dict, moves: list) -> list:
    """The event for chips that moved."""
    return ["moved", None, [list(pair) for pair in moves]]


def press(state: dict, button: str) -> list | None:
    """ "ok" takes the last bowl, when only one is left."""
    empty = [bowl for bowl in range(BOWLS) if state["bowls"][bowl] is None]
    if button == "ok" and state["phase"][0] == "occupy" and len(empty) == 1:
        return ["occupy", state["phase"][1], ZONES[empty[0]]]
    return None


def mismatch(state: dict, seen: dict) -> list[list]:
    """Chips that do not lie where the game says."""
    lying = {chip: ZONES[bowl] for bowl, chip in enumerate(state["bowls"]) if chip}
    return differences(lying, seen)


def show(state: dict) -> dict:
    """Bowls in their owner's colour, a line blinking; the small rings show whose turn it is."""
    phase = state["phase"]
    small = ["pulse", phase[1]] if phase[0] == "occupy" else ["dark"]
    rings = {}
    for zone in ZONES[BOWLS:]:
        rings[zone] = small
    line = line_of(state["bowls"], phase[2]) if phase[0] == "over" and phase[2] is not None else []
    for bowl, chip in enumerate(state["bowls"]):
        shape = "blink" if line and bowl in line else "whole"
        rings[ZONES[bowl]] = [shape, owner(chip)] if chip else ["dark"]
    return rings
