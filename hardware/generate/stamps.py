"""Takes the hour of writing out of files, so that the same sources give the same bytes.

KiCad writes the present time into Gerbers, drill files, PDF, STEP and job files; here it becomes
the date of the boards' revision. The colours of a STEP file are sorted (step.py). Archives are
written with fixed times and in sorted order.
"""

import re
import zipfile
from pathlib import Path

from hardware import DATE
from hardware.generate import step

HOUR = f"{DATE}T00:00:00"
RULES = (  # pattern, what stands there instead; applied to the bytes of a file
    (rb"(CreationDate,)[^*\n]+", rb"\g<1>" + HOUR.encode() + rb"+00:00"),
    (rb'("CreationDate": *")[^"]+', rb"\g<1>" + HOUR.encode() + rb"+00:00"),
    (rb"(G04 Created by KiCad \([^)]*\) date )[^*\n]+", rb"\g<1>" + HOUR.encode()),
    (rb"(; DRILL file \{[^}]*\} date )[^\n]+", rb"\g<1>" + HOUR.encode()),
    (rb"(P  ?\w*  ?DATE +)[^\n]+", rb"\g<1>" + HOUR.encode()),
    (rb"(FILE_NAME\('[^']*',')[^']*", rb"\g<1>" + HOUR.encode()),
)
PDF_DATE = (rb"(/(?:CreationDate|ModDate) *\(D:)(\d+)", DATE.replace("-", "").encode())
PLAIN = (".gbr", ".gbrjob", ".drl", ".step", ".d356", ".csv")


def _pdf(data: bytes) -> bytes:
    """Dates of a PDF in place: its table of offsets must stay true."""
    return re.sub(PDF_DATE[0], lambda m: m[1] + PDF_DATE[1].ljust(len(m[2]), b"0"), data)


def fix(path: Path) -> None:
    """One file, in place; kinds without a time in them are left alone."""
    data = path.read_bytes()
    new = data
    if path.suffix == ".pdf":
        new = _pdf(data)
    elif path.suffix in PLAIN:
        for pattern, instead in RULES:
            new = re.sub(pattern, instead, new)
    if path.suffix == ".step":
        new = step.in_order(new.decode("utf-8")).encode("utf-8")
    if new != data:
        path.write_bytes(new)


def fix_all(folder: Path) -> None:
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            fix(path)


def pack(archive: Path, files: dict[str, Path]) -> None:
    """A zip of {name inside: file} that has the same bytes each time."""
    year, month, day = (int(part) for part in DATE.split("-"))
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as out:
        for name in sorted(files):
            info = zipfile.ZipInfo(name, (year, month, day, 0, 0, 0))
            info.compress_type, info.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            out.writestr(info, files[name].read_bytes())
