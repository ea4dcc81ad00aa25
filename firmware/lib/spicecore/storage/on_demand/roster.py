"""Which tag is which chip: {chip: UID}, stored on the board. Refuses a tag twice."""

import binascii

from spicecore.parts import CHIPS
from spicecore.storage.on_demand import store


class Duplicate(ValueError):
    """One tag was given to two chips."""


def _uid(text: object) -> bytes:
    """The UID of hex text; ValueError says what is wrong with it."""
    try:
        uid = binascii.unhexlify(text) if isinstance(text, str) else b""
    except ValueError:
        uid = b""
    if len(uid) not in (4, 7, 10):
        raise ValueError("a UID is 4, 7 or 10 bytes in hex, not %s" % text)
    if uid[0] == 0x88:
        raise ValueError("%s: 88 starts a cascade, no UID" % text)
    return uid


class Roster:
    """The roster at `path` (two files with the suffixes .a and .b)."""

    Duplicate = Duplicate  # for one who has a Roster, and has not imported this module

    def __init__(self, path: str):
        self.path = path
        self.version = 0
        self.uids: "dict[str, str]" = {}
        self.reload()

    def reload(self) -> None:
        """Read again what is on flash; what is no UID is left out."""
        self.version, stored = store.load(self.path)
        self.uids = {}
        for chip in CHIPS:
            try:
                self.uids[chip] = binascii.hexlify(_uid(stored.get(chip))).decode()
            except ValueError:
                pass

    def chips(self) -> "dict[str, str | None]":
        """{chip: UID in hex or None} of all chips and the mill."""
        return {chip: self.uids.get(chip) for chip in CHIPS}

    def change(self, chips: "dict[str, object]") -> None:
        """Store what is named (None: forget) and read it back.

        KeyError: no such chip; Duplicate; ValueError: no UID; OSError: no room."""
        merged = dict(self.uids)
        for chip in sorted(chips):
            if chip not in CHIPS:
                raise KeyError(chip)
            merged.pop(chip, None)
            if chips[chip] is not None:
                merged[chip] = binascii.hexlify(_uid(chips[chip])).decode()
        owners: "dict[str, str]" = {}
        for chip in sorted(merged):
            if merged[chip] in owners:
                raise Duplicate(
                    "tag %s is %s already and cannot be %s too"
                    % (merged[chip], owners[merged[chip]], chip)
                )
            owners[merged[chip]] = chip
        store.save(self.path, {chip: merged[chip] for chip in merged})
        self.reload()

    def warnings(self) -> "list[str]":
        """Pairs that a quick check cannot tell apart: equal first-level bytes of long UIDs."""
        heads: "dict[str, str]" = {}
        found = []
        for chip in sorted(self.uids):
            uid = self.uids[chip]
            head = uid[:6] if len(uid) > 8 else uid
            if head in heads:
                found.append(
                    "%s and %s begin alike (%s): their reads are slower"
                    % (heads[head], chip, head)
                )
            heads[head] = chip
        return found

    def in_order(self) -> "list[bytes]":
        """UIDs in the order of CHIPS, for a UidSet whose index is the chip.

        A chip without a tag has a placeholder that no tag can have: 88 is never a first byte."""
        found = []
        for index in range(len(CHIPS)):
            text = self.uids.get(CHIPS[index])
            found.append(binascii.unhexlify(text) if text else bytes((0x88, 0, 0, index)))
        return found

    def chip(self, uid: str) -> "str | None":
        """The chip of a UID in hex, or None for a stranger."""
        for chip in self.uids:
            if self.uids[chip] == uid:
                return chip
        return None
