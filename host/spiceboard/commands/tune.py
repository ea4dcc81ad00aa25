"""`spiceboard tune`: what the measured currents of a tile's field mean, and what to solder.

Step 6 of docs/build.md. It calculates only: no board is needed. The model is that of the boards.
"""

import argparse
import math

from spiceboard.errors import OF_ALL, UserError, epilog
from spiceboard.tuning.advice import Choice, Loop, best, by_analyser, by_currents, choices, told
from spiceboard.tuning.matching import (
    FITTED,
    LOOPS,
    Coil,
    loop_current,
    match,
    ohms,
    supply_current,
)

EXAMPLE = """\
  spiceboard tune bowl --currents 28 36 47      mA of the field: C18, C19 empty, 4.7 pF, 8.2 pF
  spiceboard tune bowl --analyser 2.79 2.5      uH and ohm of the loop at 13.56 MHz

"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.epilog = EXAMPLE + epilog(OF_ALL)
    parser.add_argument("tile", choices=sorted(LOOPS), help="which tile was measured")
    way = parser.add_mutually_exclusive_group(required=True)
    way.add_argument(
        "--currents",
        type=positive,
        nargs="+",
        metavar="MA",
        help="what the field adds to the supply's current: with C18 and C19 empty, with a pair "
        "of 4.7 pF, and if measured with a pair of 8.2 pF",
    )
    way.add_argument(
        "--analyser",
        type=positive,
        nargs=2,
        metavar=("UH", "OHM"),
        help="what a network analyser shows of the loop at 13.56 MHz",
    )


def positive(text: str) -> float:
    """A number above 0, for argparse."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number above 0, such as 27.5")
    return value


def run(arguments: argparse.Namespace) -> int:
    """Print what the loop is, what the drivers see, and what to fit."""
    kind = arguments.tile
    if arguments.currents is None:
        loop = by_analyser(kind, *arguments.analyser)
    elif len(arguments.currents) in (2, 3):
        loop = by_currents(kind, arguments.currents)
    else:
        raise UserError(
            "--currents needs two or three figures: C18, C19 empty, with 4.7 pF, with 8.2 pF"
        )
    for line in lines(kind, loop):
        print(line)
    return 0


def lines(kind: str, loop: Loop) -> list[str]:
    """The answer in sentences. No where nothing can be fitted."""
    fitted, chosen = choices(kind, loop.coil)[0], best(kind, loop.coil)
    out = [*heading(loop), f"With {told(fitted)}: {effect(kind, loop.coil, fitted)}."]
    if chosen == fitted:
        out.append("That is right: leave C18 and C19 empty.")
    else:
        out.append(f"Fit {told(chosen)}: {effect(kind, loop.coil, chosen)}.")
        out.append("Then measure again.")
    return out


def heading(loop: Loop) -> list[str]:
    """What was found out about the loop."""
    differs = f"The loop's inductance differs from the formula by {percent(loop.share)}"
    if loop.reader is None:
        return [f"{differs}."]
    return [
        f"{differs} ({percent(loop.least)} to {percent(loop.most)}, with readings good to 1 mA).",
        f"The reader itself adds about {round(loop.reader)} mA.",
    ]


def percent(share: float) -> str:
    """0.98 -> "-2.0 %"."""
    return f"{(share - 1) * 100:+.1f} %"


def effect(kind: str, coil: Coil, choice: Choice) -> str:
    """What the drivers see with these values, and the currents."""
    m = match(FITTED[kind] | {"C2": choice.c2, "C2t": choice.pair or "DNP"})
    drawn = 1e3 * supply_current(choice.load)
    amps = 1e3 * loop_current(coil, m)
    return f"load {ohms(choice.load)} ohm, drivers {drawn:.0f} mA, loop {amps:.0f} mA peak"
