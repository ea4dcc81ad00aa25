"""What one common assembly house (JLCPCB, whose shop is LCSC) calls our parts, and how it turns them.

A number stands here only where a public parts list or shop page names it together with the very
maker's number; all others are to be looked up on the house's page. Stock was not asked.
"""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Stocked:
    """A part as the house has it: its number, and the maker's number of that very part."""

    number: str
    mpn: str


# by kind of part, or by kind and value; seen in public parts lists on 2026-11-28
NUMBERS: dict[tuple[str, str], Stocked] = {
    ("C", "100n"): Stocked("C1525", "CL05B104KO5NNNC"),
    ("C", "15p"): Stocked("C1548", "0402CG150J500NT"),
    ("C0805", "10u"): Stocked("C1713", "CL21A106KOQNNNE"),
    ("R", "33R"): Stocked("C25105", "0402WGF330JTCE"),
    ("R", "100R"): Stocked("C25076", "0402WGF1000TCE"),
    ("R", "330R"): Stocked("C25104", "0402WGF3300TCE"),
    ("R", "1k"): Stocked("C11702", "0402WGF1001TCE"),
    ("R", "4k7"): Stocked("C25900", "0402WGF4701TCE"),
    ("R", "10k"): Stocked("C25744", "0402WGF1002TCE"),
    ("R", "47k"): Stocked("C25792", "0402WGF4702TCE"),
    ("R", "100k"): Stocked("C25741", "0402WGF1003TCE"),
    ("AHCT", ""): Stocked("C7484", "SN74AHCT1G125DBVR"),
    ("BUF", ""): Stocked("C23654", "SN74LVC1G125DBVR"),
    ("ESD", ""): Stocked("C85364", "SRV05-4-P-T7"),
    ("LDO", ""): Stocked("C15578", "TLV1117LV33DCYR"),
    ("LED", ""): Stocked("C2761795", "WS2812B-B/T"),
    ("MUX", ""): Stocked("C496123", "CD74HC4067M96"),
    ("NMOS", ""): Stocked("C20512", "DMG1012T-7"),
    ("REF", ""): Stocked("C41283", "TL431BIDBZR"),
}


@dataclass(frozen=True)
class Turn:
    """Degrees that the house's zero lies before KiCad's, and what is not certain about it."""

    pattern: str
    degrees: int
    doubt: str = ""


# By KiCad's name of the footprint, after public tables (JLCKicadTools and lists made from it).
TURNS = (
    Turn("^SOT-223", 180),
    Turn("^SOT-23-[56]", 180),
    Turn("^SOT-23", 180, "tables say 180, single users 270"),
    Turn("^SOT-523", 0, "in no table"),
    Turn("^SOIC-", 270),
    Turn("^TSSOP-", 270),
    Turn("^HVQFN-", 0, "in no table by this name; KiBot's default turns ^QFN- by 270"),
    Turn(
        "^LED_WS2812B",
        0,
        "JLCKicadTools had 180 (PR 80) and took it out (PR 93): 0 fits the stocked part; KiBot's "
        "default still has 180",
    ),
    Turn("^Crystal_SMD_3225", 0, "two ways round are alike"),
    Turn("^JST_SH", 0, "in no table that was seen"),
)


def stocked(kind: str, value: str) -> Stocked | None:
    """The house's part, or None where no source names one."""
    return NUMBERS.get((kind, value)) or NUMBERS.get((kind, ""))


def turn(footprint: str) -> Turn:
    """The turn of a footprint by its name without the library; none where nothing is known to differ."""
    for entry in TURNS:
        if re.match(entry.pattern, footprint):
            return entry
    return Turn("", 0)
