"""What is stored on the board about the board: each setting with its range and default.

A setting of a zone is a dictionary {zone: value}; a zone that is not named has the default.
"""

from spicecore.parts import ZONES
from spicecore.storage.on_demand import store

GAINS_DB = (18, 23, 33, 38, 43, 48)  # of the receiver, by the step 0..5 that is stored

# name: (default, lowest, highest, unit, of each zone?)
TABLE = {
    "gain": (2, 0, 5, "step", True),
    "margin_db": (10, 0, 30, "dB", True),
    "settle_us": (2000, 0, 20000, "us", True),
    "hall_rest": (1650, 0, 3300, "mV", True),
    "agree": (2, 1, 5, "readings", False),
    "pass_ms": (150, 0, 5000, "ms", False),
    "brightness": (40, 0, 100, "percent", False),
    "led_cap_ma": (400, 50, 1500, "mA", False),
    "hall": (False, 0, 1, "fitted", False),
    "buzzer": (True, 0, 1, "on", False),
    "supply": (True, 0, 1, "measured", False),
}


def _wrong(name: str, value: object) -> str:
    """What is wrong with a value, or ""."""
    default, low, high, unit, _ = TABLE[name]
    if isinstance(default, bool):
        return "" if isinstance(value, bool) else "%s is true or false (%s)" % (name, unit)
    if isinstance(value, int) and not isinstance(value, bool) and low <= value <= high:
        return ""
    return "%s is a whole number from %d to %d (%s)" % (name, low, high, unit)


def check(name: str, value: object) -> str:
    """A sentence that says why the value cannot be stored, or ""."""
    if name not in TABLE:
        return "there is no setting %s; there are %s" % (name, ", ".join(sorted(TABLE)))
    if not TABLE[name][4]:
        return _wrong(name, value)
    if not isinstance(value, dict):
        return "%s is given for each zone: {zone: value}" % name
    for zone in value:
        if zone not in ZONES:
            return "there is no zone %s" % zone
        if _wrong(name, value[zone]):
            return _wrong(name, value[zone]) + ", zone %s" % zone
    return ""


def defaults() -> "dict[str, object]":
    """All settings at their defaults, those of zones with every zone named."""
    return {name: _spread(name, {} if TABLE[name][4] else TABLE[name][0]) for name in TABLE}


def _spread(name: str, value: object) -> object:
    if not TABLE[name][4]:
        return value
    named = value if isinstance(value, dict) else {}
    return {zone: named.get(zone, TABLE[name][0]) for zone in ZONES}


class Settings:
    """The settings at `path` (two files with the suffixes .a and .b)."""

    def __init__(self, path: str):
        self.path = path
        self.version = 0
        self._stored: "dict[str, object]" = {}
        self.reload()

    def reload(self) -> None:
        """Read again what is on flash; what no longer fits its range is left out."""
        self.version, stored = store.load(self.path)
        self._stored = {name: stored[name] for name in stored if not check(name, stored[name])}

    def get(self, name: str) -> int:
        """A setting that is one for the whole board (bool settings are ints too)."""
        value = self._stored.get(name, TABLE[name][0])
        return int(value) if isinstance(value, (int, bool)) else 0  # bool is no int there

    def zone(self, name: str, zone: str) -> int:
        """A setting of one zone."""
        named = self._stored.get(name, {})
        value = named.get(zone, TABLE[name][0]) if isinstance(named, dict) else TABLE[name][0]
        return int(value or 0)

    def values(self) -> "dict[str, object]":
        """All of them, with every zone named."""
        return {
            name: _spread(name, self._stored.get(name, {} if TABLE[name][4] else TABLE[name][0]))
            for name in TABLE
        }

    def defaults(self) -> "dict[str, object]":
        """As the function of this name."""
        return defaults()

    def change(self, values: "dict[str, object]") -> None:
        """Store what is named and read it back. ValueError: out of range; OSError: no room."""
        merged = dict(self._stored)
        for name in values:
            wrong = check(name, values[name])
            if wrong:
                raise ValueError(wrong)
            named, old = values[name], merged.get(name)
            if isinstance(named, dict) and isinstance(old, dict):
                both = dict(old)
                both.update(named)
                named = both
            merged[name] = named
        store.save(self.path, merged)
        self.reload()
