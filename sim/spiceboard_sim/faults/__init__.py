"""What can be broken, worn or swapped on a simulated board.

`FAULTS` is the list: name -> (function, what it is, what its place is). `inject(board, name, ...)`
does one at once; most can be taken back with `repair(board)`. The firmware notices a fault only
through pins, bus bytes and flash.
"""

from spiceboard_sim.faults import parts, readers, supply, tags, wires
from spiceboard_sim.faults.registry import FAULTS, Fault, Target, inject, repair

__all__ = [
    "FAULTS", "Fault", "Target", "inject", "parts", "readers", "repair", "supply", "tags", "wires",
]  # fmt: skip
