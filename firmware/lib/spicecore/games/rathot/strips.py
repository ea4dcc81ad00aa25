"""The strips of Rat Hot: the set that comes with the game, and sets read from a file.

A square is one letter here: 1 to 4 the red spices, 5 to 8 the green ones, r and g the rats, _ an
empty square, s the start. A strip is a text of three letters, a set a list of 43 strips, the start
strip first. The printed strips have not been published: the set below is our own reconstruction
(21 strips and their colour mirrors, every spice ten times). Eight rats a colour is what a
published review counts (spieletest.at, game 1037); we chose which strips have them, see
docs/rathot.md.
"""

EMPTY, START = "_", "s"
RATS = "rg"  # of seat 0, red, and of seat 1, green
SPICES = "12345678"
SQUARES = 3
STRIPS = 43
CODES = {
    "R1": "1", "R2": "2", "R3": "3", "R4": "4", "G1": "5", "G2": "6", "G3": "7", "G4": "8",
    "RR": "r", "GR": "g", "__": EMPTY, "S": START,
}  # fmt: skip
STANDARD = (
    "_s_ r3g g7r g_2 r_6 8g_ 4r_ g8_ r4_ 8_r 4_g _67 _23 3_1 7_5 15r 51g 6g3 2r7 8_5 4_1 2_7 "
    "6_3 2_3 6_7 42_ 86_ _16 _52 21_ 65_ _81 _45 53_ 17_ _75 _31 841 485 873 437 826 462"
).split(" ")


def owner(spice: str) -> int:
    """The seat whose colour a spice has: 0 red, 1 green."""
    return 0 if spice in "1234" else 1


def read(data: object) -> list[str]:
    """The set of a file's data: {"start": [3 codes], "tiles": [42 times [3 codes]]}.

    Codes are R1 to R4, G1 to G4, RR, GR, __ and, on the start strip, S. ValueError says which
    strip or count is wrong.
    """
    if not isinstance(data, dict) or "start" not in data or "tiles" not in data:
        raise ValueError("a set of strips has the two entries start and tiles")
    tiles = data["tiles"]
    if not isinstance(tiles, list) or len(tiles) != STRIPS - 1:
        found = len(tiles) if isinstance(tiles, list) else "no list of"
        raise ValueError("a set has 42 strips beside the start strip, this one %s" % found)
    strips = [_strip(data["start"], "the start strip")]
    strips.extend(_strip(tile, "strip %d" % (n + 1)) for n, tile in enumerate(tiles))
    check(strips)
    return strips


def _strip(codes: object, name: str) -> str:
    if not isinstance(codes, list) or len(codes) != SQUARES:
        raise ValueError("%s must have three squares: %s" % (name, codes))
    for code in codes:
        if not isinstance(code, str) or code not in CODES:
            raise ValueError("%s: %s is no square; there are: %s" % (name, code, sorted(CODES)))
    return "".join(CODES[code] for code in codes)


def check(strips: list) -> None:
    """ValueError unless these strips make a game: 43 strips, one start, enough of every motif."""
    if len(strips) != STRIPS:
        raise ValueError("a set has 43 strips with the start strip, not %d" % len(strips))
    for n, strip in enumerate(strips):
        if not isinstance(strip, str) or len(strip) != SQUARES:
            raise ValueError("strip %d must have three squares" % n)
        for square in strip:
            if square not in SPICES + RATS + EMPTY + START:
                raise ValueError("strip %d: %s is no square" % (n, square))
    if strips[0][1] != START or sum(strip.count(START) for strip in strips) != 1:
        raise ValueError("the start square S is the middle of the start strip, and no other")
    for code, square in sorted(CODES.items()):
        found = sum(strip.count(square) for strip in strips)
        least = 2 if square in SPICES else 1 if square in RATS else 0
        if found < least:
            raise ValueError("%s is on %d squares, at least %d are needed" % (code, found, least))
