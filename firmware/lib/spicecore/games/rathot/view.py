"""What everybody may know of a game of Rat Hot: everything except the order of the pile."""

from spicecore.games.rathot.layout import box, groups, surface
from spicecore.games.rathot.strips import RATS, SPICES


def view(state: dict, seat: int | None) -> dict:
    """All that the seat (None: the public) may know; see docs/rathot.md for every key.

    It shares lists with the state: they are read, never changed.
    """
    top, face = surface(state["strips"], state["laid"])
    sizes: dict[str, list[int]] = {spice: [] for spice in SPICES}
    for spice, together in groups(face):
        sizes[spice].append(len(together))
    squares = list(face.values())
    return {
        "game": "rathot",
        "seat": seat,
        "phase": state["phase"],
        "options": state["options"],
        "first": state["first"],
        "strips": state["strips"],
        "laid": state["laid"],
        "held": state["held"],
        "pile": len(state["pile"]),
        "chips": state["chips"],
        "reserve": state["reserve"],
        "noted": state["noted"],
        "rats": [squares.count(rat) for rat in RATS],
        "groups": [sizes[spice] for spice in SPICES],
        "box": list(box(top)),
    }
