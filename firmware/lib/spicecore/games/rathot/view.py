"""What everybody may know of a game of Rat Hot: everything except the order of the pile."""

from spicecore.games.rathot.layout import box, groups, surface
from spicecore.games.rathot.strips import RATS, SPICES


def view(state: dict, seat: int | None) -> dict:
    """All that the seat (None: the public) may know; see docs/rathot.md for every key."""
    top, face = surface(state["strips"], state["laid"])
    sizes: dict[str, list[int]] = {spice: [] for spice in SPICES}
    for spice, together in groups(face):
        sizes[spice].append(len(together))
    squares = list(face.values())
    return {
        "game": "rathot",
        "seat": seat,
        "phase": list(state["phase"]),
        "options": dict(state["options"]),
        "first": state["first"],
        "strips": list(state["strips"]),
        "laid": [list(each) for each in state["laid"]],
        "held": list(state["held"]),
        "pile": len(state["pile"]),
        "chips": [list(pair) for pair in state["chips"]],
        "reserve": list(state["reserve"]),
        "noted": list(state["noted"]),
        "rats": [squares.count(rat) for rat in RATS],
        "groups": [sizes[spice] for spice in SPICES],
        "box": list(box(top)),
    }
