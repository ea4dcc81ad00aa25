"""What a throw depends on, in one table: each number with its unit and where it comes from.

Most are guesses until throws are filmed: docs/throws.md says how ten films become numbers, and
`spiceboard study throws --fit FILE` writes a file of the same names, which load() reads.
"""

import json
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

GUESS = "guess"


@dataclass(frozen=True, slots=True)
class Constants:
    """Millimetres, grams, seconds and degrees unless a name says otherwise."""

    mass: float = 5.0
    friction: float = 0.35  # sliding, chip on board and chip on chip
    torsion: float = 0.5  # mm: radius of the patch that resists spinning
    rolling: float = 0.5  # mm: lever of the resistance to rolling
    restitution: float = 0.25  # share of the speed that a chip dropped flat keeps
    release_behind: tuple[float, float] = (10.0, 50.0)  # before the front rim
    release_height: tuple[float, float] = (60.0, 150.0)  # above the flat
    release_aside: float = 25.0  # sigma, from where the hand would be straight behind the target
    elevation: tuple[float, float] = (30.0, -5.0)  # of a soft and of a hard throw
    elevation_sigma: float = 4.0
    speed_sigma: float = 0.06  # share
    azimuth_sigma: float = 3.0
    tilt_sigma: float = 12.0  # of the chip in the hand
    wobble_sigma: float = 290.0  # degrees a second about a lying axis
    spin_sigma: float = 690.0  # degrees a second about its own axis
    short_share: float = 0.12  # it touches down so much before the target ...
    short: float = 15.0  # ... and so many mm, because it slides on
    skill: float = 0.7  # factor on all sigmas of a hand: 0.5 practised, 1.6 a beginner


SOURCES = {
    "mass": "geometry.json: a disc of beech, 32 x 4 mm, with magnet and tag; not weighed",
    "friction": GUESS + "; tables of wood on wood give 0.25 to 0.5",
    "torsion": GUESS + "; chosen so that a spinning chip comes to rest within 2 s",
    "rolling": GUESS + "; 0.1 mm rolls for 5 s, 1 mm for 0.7 s",
    "restitution": GUESS
    + "; 0.5 is assumed for coins (AppliedMath, 2022), none measured for wood",
    "release_behind": GUESS,
    "release_height": GUESS,
    "release_aside": GUESS,
    "elevation": GUESS,
    "elevation_sigma": GUESS,
    "speed_sigma": GUESS + "; R. Soc. Open Sci. 4:170136: slower throws are more accurate",
    "azimuth_sigma": GUESS,
    "tilt_sigma": GUESS,
    "wobble_sigma": GUESS,
    "spin_sigma": GUESS,
    "short_share": GUESS + "; a player learns how far chips slide",
    "short": GUESS + "; as short_share",
    "skill": GUESS,
}


def load(path: Path) -> Constants:
    """Constants from a file of `spiceboard study throws --fit`; constants that are missing stay as
    above.

    ValueError names what the file holds that is none, or out of range.
    """
    try:
        table: Any = json.loads(path.read_text("utf-8"))["constants"]
        return changed(Constants(), dict(table))
    except (OSError, KeyError, TypeError, json.JSONDecodeError) as error:
        raise ValueError(f"{path} contains no constants of throws: {error}") from None


def changed(constants: Constants, table: dict[str, Any]) -> Constants:
    """The constants with those of the table instead, checked."""
    names = {field.name for field in fields(Constants)}
    found: dict[str, Any] = {}
    for name, value in table.items():
        if name not in names:
            raise ValueError(f"{name!r} is not a constant of throws: they are {sorted(names)}")
        pair = isinstance(getattr(constants, name), tuple)
        parts = list(value) if pair and isinstance(value, list | tuple) else [value]
        if len(parts) != 1 + pair or not all(type(part) in (int, float) for part in parts):
            raise ValueError(f"{name} is {'two numbers' if pair else 'a number'}, not {value!r}")
        found[name] = tuple(float(part) for part in parts) if pair else float(value)
    new = replace(constants, **found)
    if not (new.mass > 0 and new.friction >= 0 and 0.17 <= new.restitution <= 0.37):
        raise ValueError("mass must be above 0, friction 0 or more, restitution 0.17 to 0.37")
    if min(new.torsion, new.rolling, new.skill, *new.release_height) < 0:
        raise ValueError("torsion, rolling, skill and heights must not be negative")
    return new
