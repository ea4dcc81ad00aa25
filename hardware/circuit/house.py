"""What one common assembly house (JLCPCB, whose shop is LCSC) calls our parts, and how it turns them.

A number stands here only where a public parts list or shop page names it together with the very
maker's number; all others are to be looked up on the house's page. Stock was not asked.

The house counts rotation from its own drawing of a part, which is the footprint of that number in
EasyEDA, the editor of the same firm. Two parts in the same case can be drawn differently. So where
that drawing was seen (in designs that import it), the corner of its pin 1 decides; KiCad draws
every part of ours with pin 1 at the top left.
"""

import re
from dataclasses import dataclass

# corner of pin 1 in the house's drawing: degrees to add to KiCad's rotation (counter-clockwise)
CORNERS = {"TL": 0, "TR": 90, "BR": 180, "BL": 270}


@dataclass(frozen=True)
class Stocked:
    """A part as the house has it: its number, the maker's number of that very part, and the corner
    of pin 1 in the house's drawing (empty where it was not seen, or where it does not matter)."""

    number: str
    mpn: str
    corner: str = ""


# by kind of part, or by kind and value; seen in public parts lists on 2026-11-28 and 29
NUMBERS: dict[tuple[str, str], Stocked] = {
    ("C", "15p"): Stocked("C1548", "0402CG150J500NT"),
    ("C", "100p"): Stocked("C1546", "0402CG101J500NT"),
    ("C", "220p"): Stocked("C39122", "0402CG221J500NT"),
    ("C", "1n"): Stocked("C53547", "0402CG102J500NT"),
    ("C", "10n"): Stocked("C15195", "CL05B103KB5NNNC"),
    ("C", "100n"): Stocked("C1525", "CL05B104KO5NNNC"),
    ("C0805", "10u"): Stocked("C1713", "CL21A106KOQNNNE"),
    ("R", "0R"): Stocked("C17168", "0402WGF0000TCE"),
    ("R", "33R"): Stocked("C25105", "0402WGF330JTCE"),
    ("R", "47R"): Stocked("C25118", "0402WGF470JTCE"),
    ("R", "100R"): Stocked("C25076", "0402WGF1000TCE"),
    ("R", "220R"): Stocked("C25091", "0402WGF2200TCE"),
    ("R", "330R"): Stocked("C25104", "0402WGF3300TCE"),
    ("R", "1k"): Stocked("C11702", "0402WGF1001TCE"),
    ("R", "3k9"): Stocked("C51721", "0402WGF3901TCE"),
    ("R", "4k7"): Stocked("C25900", "0402WGF4701TCE"),
    ("R", "10k"): Stocked("C25744", "0402WGF1002TCE"),
    ("R", "47k"): Stocked("C25792", "0402WGF4702TCE"),
    ("R", "100k"): Stocked("C25741", "0402WGF1003TCE"),
    ("R", "1M"): Stocked("C26083", "0402WGF1004TCE"),
    ("R0603", "2k2"): Stocked("C4190", "0603WAF2201T5E"),
    ("R0603", "3R3"): Stocked("C22979", "0603WAF330KT5E"),
    # drawings: tscircuit designs that import them by these numbers, pads compared
    ("AHCT", ""): Stocked("C7484", "SN74AHCT1G125DBVR", "BR"),
    ("BUF", ""): Stocked("C23654", "SN74LVC1G125DBVR", "BL"),
    ("DEC", ""): Stocked("C2832236", "CD74HC154M96"),
    ("ESD", ""): Stocked("C85364", "SRV05-4-P-T7", "BR"),
    ("FB", ""): Stocked("C19330", "BLM18AG601SN1D"),
    ("FUSE", "3A hold"): Stocked("C18198349", "1812L300/16GR"),
    ("LDO", ""): Stocked("C15578", "TLV1117LV33DCYR"),
    ("LED", ""): Stocked("C2761795", "WS2812B-B/T", "TL"),
    ("LVC244", ""): Stocked("C6079", "74LVC244APW,118"),
    # drawing: a design that compares this number's pads with KiCad's
    ("MUX", ""): Stocked("C496123", "CD74HC4067M96", "BL"),
    ("NMOS", ""): Stocked("C20512", "DMG1012T-7", "BR"),
    ("PNP", ""): Stocked("C53444", "MMBT3906LT1G"),
    ("REF", ""): Stocked("C41283", "TL431BIDBZR"),
    ("SKY", ""): Stocked("C2480", "SS14"),
}


@dataclass(frozen=True)
class Turn:
    """Degrees that the house's zero lies before KiCad's, and what is not certain about it."""

    pattern: str
    degrees: int
    doubt: str = ""


OWN = "by public tables; the house's drawing of this part was not seen"
# By KiCad's name of the footprint, where the drawing of the part itself is not known: after public
# tables (JLCKicadTools and lists made from it).
TURNS = (
    Turn("^SOT-223", 180, OWN),
    Turn(
        "^SOT-23",
        180,
        "as the house draws BAT54S,235, TL431AIDBZR and TL431ACDBZR; single users found 270",
    ),
    Turn("^SOIC-24W", 270, "as the house draws CD74HC4067M96 in this case"),
    Turn("^SOIC-", 270, OWN),
    Turn("^TSSOP-", 270, OWN),
    Turn("^HVQFN-", 0, "the house draws some QFN-32 of 5 mm with pin 1 top left (0), others bottom left (270)"),
    Turn("^D_SM[AB]", 0, "the house draws diodes both ways: the stripe must be at pad 1"),
    Turn("^LED_0603", 0, "the house draws lamps both ways: the cathode must be at pad 1"),
    Turn("^Crystal_SMD_3225", 0, "two ways round are alike"),
    Turn("^JST_SH", 0, "in no table that was seen"),
)  # fmt: skip


def stocked(kind: str, value: str) -> Stocked | None:
    """The house's part, or None where no source names one."""
    return NUMBERS.get((kind, value)) or NUMBERS.get((kind, ""))


def turn(kind: str, value: str, footprint: str) -> Turn:
    """How the house turns a part: by its own drawing, else by the footprint's name (no library)."""
    known = stocked(kind, value)
    if known and known.corner:
        return Turn("", CORNERS[known.corner])
    for entry in TURNS:
        if re.match(entry.pattern, footprint):
            return entry
    return Turn("", 0)
