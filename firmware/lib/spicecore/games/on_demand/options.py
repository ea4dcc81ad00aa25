"""The options of a new game, checked: the same form in every game.

A game lists its own in a table {name: what it may be}: a tuple of values, the default first, or a
function (value or None) -> value that raises ValueError. "mode" is in it where there are several.
"""

from spicecore import chance

MODES = ("full",)


def checked(title: str, players: tuple, options: dict, own: dict) -> dict:
    """{name: value} of "players", "mode", "seed" and every own option, defaults filled in.

    title: the game's name for people; players: lowest and highest number. ValueError says which
    option is wrong, and what it may be.
    """
    known = ("players", "mode", "seed") + tuple(sorted(set(own) - {"mode"}))
    for name in options:
        if name not in known and name != "game":
            there = ", ".join(known)
            raise ValueError("%s has no option %s; there are: %s" % (title, name, there))
    number = options.get("players", players[0])
    if type(number) is not int or not players[0] <= number <= players[1]:
        least, most = players
        range_ = "%d" % least if least == most else "%d to %d" % players
        raise ValueError("%s is played by %s, not by %s" % (title, range_, number))
    seed = options.get("seed", 0)
    if type(seed) is not int or not 0 <= seed <= chance.MASK:
        raise ValueError("the seed must be a whole number from 0 to %d" % chance.MASK)
    chosen: dict = {"players": number, "seed": seed}
    table = dict(own)
    table.setdefault("mode", MODES)
    for name, allowed in table.items():
        if not isinstance(allowed, tuple):
            chosen[name] = allowed(options.get(name))
        elif name in options:
            chosen[name] = _among(name, options[name], allowed)
        else:
            chosen[name] = allowed[0]
    return chosen


def _among(name: str, value: object, allowed: tuple) -> object:
    for each in allowed:
        if type(each) is type(value) and each == value:  # True is no seat, and 1 is no flag
            return each
    there = ", ".join([written(each) for each in allowed])
    raise ValueError("option %s must be one of %s, not %s" % (name, there, written(value)))


def written(value: object) -> str:
    """A value as a person writes it."""
    for each, word in ((None, "null"), (True, "true"), (False, "false")):
        if value is each:
            return word
    return str(value)
