"""The games that a board plays: the only list of them. Each is a package with a module `rules`."""

GAMES = {  # name: lowest and highest number of players
    "safranito": (2, 4),
    "jaipur": (2, 2),
    "rathot": (2, 2),
}
BY_BUTTONS = "safranito"  # the game that a board starts by itself, without a host


def load(name: str):  # type: ignore[no-untyped-def]
    """The rules of a game, imported when they are first asked for: a board has little heap.

    KeyError for a name that is not in GAMES.
    """
    if name not in GAMES:
        raise KeyError(name)
    return __import__(package(name) + ".rules", None, None, ("step",))


def package(name: str) -> str:
    """The import name of a game's package."""
    return "spicecore.games." + name
