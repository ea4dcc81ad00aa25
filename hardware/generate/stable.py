"""The same board gives the same file: KiCad draws identifiers at random, and sorts by them.

Here the content of the items decides their order and their identifiers. The path of a footprint,
which refers to the schematic, is no identifier and stays. Groups within footprints, which refer to
identifiers, are left out: they only help when drawing the footprint.
"""

import re
import uuid
from collections.abc import Iterator

from hardware.generate.symbols import SPACE

ITEM = re.compile(r"^\t\((\w+)(?:[^\n]*\)|.*?^\t\))\n", re.M | re.S)
GROUP = re.compile(r"^\t\t\(group .*?^\t\t\)\n", re.M | re.S)
IDENT = re.compile(r'\(uuid "[0-9a-f-]{36}"\)')
BARE = '(uuid "")'
ORDER = ("footprint", "gr_line", "gr_arc", "gr_circle", "gr_text", "segment", "via", "zone")


def stable(text: str, name: str) -> str:
    """The text of a .kicad_pcb in its own order, with its own identifiers. ValueError when the file
    is not laid out as KiCad 9 lays it out."""
    start = text.index("\n") + 1
    items = [(m[1], m[0]) for m in ITEM.finditer(text, start)]
    if text[start:] != "".join(item for _, item in items) + ")\n":
        raise ValueError(f"{name}: the board file is not laid out as KiCad 9 does it")
    fixed = [item for kind, item in items if kind not in ORDER]
    if any(IDENT.search(item) for item in fixed):
        raise ValueError(f"{name}: the board file has items of a kind that is not known here")
    cut = next(k for k, item in enumerate(fixed) if item.startswith("\t(embedded_fonts"))
    drawn: list[str] = []
    for kind in ORDER:
        drawn += sorted(IDENT.sub(BARE, GROUP.sub("", i)) for own, i in items if own == kind)
    body = "".join(_numbered(drawn, name))
    return text[:start] + "".join(fixed[:cut]) + body + "".join(fixed[cut:]) + ")\n"


def _numbered(items: list[str], name: str) -> Iterator[str]:
    """The items with identifiers; equal ones are told apart by how often they came."""
    seen: dict[str, int] = {}
    for item in items:
        seen[item] = seen.get(item, 0) + 1
        own = uuid.uuid5(SPACE, f"{name}/{seen[item]}/{item}")
        parts = item.split(BARE)
        idents = [f'(uuid "{uuid.uuid5(own, str(k))}")' for k in range(len(parts) - 1)]
        yield "".join(a + b for a, b in zip(parts, [*idents, ""], strict=True))
