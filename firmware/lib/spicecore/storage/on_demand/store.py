"""Small dictionaries on flash that survive a cut at any moment: two copies, each with a CRC.

A copy is written aside and renamed over the OLDER of the two, so that one good copy is never
touched. Reading changes nothing.
"""

import binascii
import json
import os


def _read(path: str) -> "tuple[int, dict[str, object]] | None":
    """(version, values) of one copy; None if it is absent, cut, damaged or in another format (from
    a later firmware): the board must start all the same."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError:
        return None
    star = len(data) - 9
    if star < 0 or data[star:] != b"*%08x" % binascii.crc32(data[:star]):
        return None
    try:
        version, values = json.loads(data[:star].decode())
    except (ValueError, TypeError, RuntimeError):  # the last: CPython, nested too deeply
        return None
    return (version, values) if isinstance(version, int) and isinstance(values, dict) else None


def load(path: str) -> "tuple[int, dict[str, object]]":
    """(version, values) of the newest good copy; (0, {}) when there is none."""
    best: "tuple[int, dict[str, object]]" = (0, {})
    for suffix in (".a", ".b"):
        copy = _read(path + suffix)
        if copy and copy[0] > best[0]:
            best = copy
    return best


def save(path: str, values: "dict[str, object]") -> int:
    """Store the values; their version. OSError when they could not be written or read back."""
    first, second = _read(path + ".a"), _read(path + ".b")
    older = ".a" if not first or (second and second[0] > first[0]) else ".b"
    version = max(first[0] if first else 0, second[0] if second else 0) + 1
    body = json.dumps([version, values]).encode()
    with open(path + ".new", "wb") as file:
        file.write(b"%s*%08x" % (body, binascii.crc32(body)))
    written = _read(path + ".new")
    if not written or written[0] != version:
        raise OSError("%s reads back differently" % path)
    os.rename(path + ".new", path + older)
    return version
