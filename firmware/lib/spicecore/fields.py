"""A position as a line of named fields, `jaipur x=.. options=..`; the game defines the fields."""


def written(game: str, names: tuple, parts: dict) -> str:
    """The line of these fields, in the order of `names`."""
    return game + " " + " ".join(name + "=" + parts[name] for name in names)


def read(line: str, game: str, title: str, names: tuple) -> dict[str, str]:
    """The fields by name. ValueError names the game, the number or the field that is wrong."""
    words = line.split(" ")
    if words[0] != game:
        raise ValueError("this is no position of %s: it begins with %r" % (title, words[0]))
    if len(words) != len(names) + 1:
        raise ValueError("a position has %d fields, not %d" % (len(names), len(words) - 1))
    parts = {}
    for name, word in zip(names, words[1:]):  # noqa: B905 - same length, as checked
        if not word.startswith(name + "="):
            raise ValueError("expected the field %s, found %r" % (name, word))
        parts[name] = word[len(name) + 1 :]
    return parts
