"""What lies in Safranito's box, and small questions to a state that all parts of the rules ask.

Spices are the numbers of their bowls, 0..8; seats are 0..3 clockwise. See docs/notation.md.
"""

from spicecore import parts

BOWLS = parts.ZONES[:9]
ACTIONS = parts.ZONES[9:]
ZONES = parts.ZONES
NOWHERE = len(ZONES)  # sorts after every zone
INDEX: dict = {zone: i for i, zone in enumerate(ZONES)}
INDEX[None] = NOWHERE
COLOURS = parts.COLOURS
VALUES = (10, 20, 30, 40, 50, 60)
CHIPS = parts.CHIPS[:24]
SEAT = {chip: i // 6 for i, chip in enumerate(CHIPS)}
VALUE = {chip: VALUES[i % 6] for i, chip in enumerate(CHIPS)}
MILL = parts.MILL

CARDS_PER_SPICE = 6
START_MONEY = 200
BLENDS_TO_WIN = 3
UNKNOWN = -1  # a blend on the real table, whose face the board cannot see
# Only cardamom-chili-cumin is known from the rule book; the others are this project's proposal.
BLENDS = (
    (0, 1, 2), (3, 6, 8), (5, 7, 4), (0, 3, 5), (1, 7, 8), (2, 6, 4),
    (0, 6, 7), (1, 3, 4), (2, 5, 8), (0, 4, 8), (1, 5, 6), (2, 3, 7),
    (0, 1, 3), (2, 7, 4), (5, 6, 8), (0, 2, 5), (1, 6, 7), (3, 4, 8),
)  # fmt: skip
# By number of players: open blends, spice cards a round, throws a seat and round.
TABLE = {2: (2, 4, 4), 3: (2, 5, 4), 4: (3, 6, 3)}


def order(s: dict) -> list:
    """Seats in play order: clockwise from the head chef, himself first."""
    chef, n = s["chef"], s["n"]
    return [(chef + i) % n for i in range(n)]


def tie_order(s: dict) -> list:
    """Seats in the order that decides a tie."""
    seats = order(s)
    return seats if s["options"]["tie"] == "chef_first" else seats[1:] + seats[:1]


def all_throws(s: dict) -> int:
    """Throws of all seats in a round."""
    return s["n"] * TABLE[s["n"]][2]


def on_turn(s: dict) -> int:
    """The seat whose throw is due in phase throw."""
    return (s["chef"] + s["phase"][1]) % s["n"]


def chips_in(s: dict, zone: str) -> list:
    """Chips that lie in the zone, by seat and rising value."""
    lying = s["lying"]
    return [chip for chip in CHIPS if lying.get(chip) == zone]


def top_chip(s: dict, zone: str, seat: int) -> str | None:
    """The seat's highest chip in the zone."""
    lying = s["lying"]
    for chip in reversed(CHIPS[6 * seat : 6 * seat + 6]):
        if lying.get(chip) == zone:
            return chip
    return None


def totals(s: dict, zone: str) -> list:
    """Total of each seat's chips in the zone."""
    sums = [0] * s["n"]
    for chip, where in s["lying"].items():
        if where == zone:
            sums[SEAT[chip]] += VALUE[chip]
    return sums


def leader(s: dict, zone: str) -> tuple:
    """(seat, total) of the highest total in the zone, ties decided; (None, 0) when empty."""
    sums = totals(s, zone)
    best, most = None, 0
    for seat in tie_order(s):
        if sums[seat] > most:
            best, most = seat, sums[seat]
    return best, most


def bowls_left(s: dict) -> list:
    """Bowls in which chips lie, in zone order."""
    there = set(s["lying"].values())
    return [bowl for bowl in BOWLS if bowl in there]


def believed(s: dict, chip: str) -> str | None:
    """Where the board last knew the chip to be."""
    astray = s["astray"]
    return astray[chip] if chip in astray else s["lying"].get(chip)


def throwable(s: dict, seat: int) -> list:
    """The seat's chips that were not seen in this round: those he may throw."""
    seen = s["seen"]
    return [chip for chip in CHIPS[6 * seat : 6 * seat + 6] if chip not in seen]


def can_cook(s: dict, seat: int, blend: int) -> bool:
    """Whether the seat holds the blend's three spices; on the real table nobody knows but he."""
    if s["mode"] != "full":
        return True
    hand = s["hands"][seat]
    a, b, c = BLENDS[blend]
    return hand[a] > 0 and hand[b] > 0 and hand[c] > 0


def groups(chips: list) -> list:
    """[[seat, number of chips], ...] by rising seat: all that is public of hidden chips."""
    counts = [0, 0, 0, 0]
    for chip in chips:
        counts[SEAT[chip]] += 1
    return [[seat, count] for seat, count in enumerate(counts) if count]


def seats_asked(s: dict) -> list:
    """Seats that must decide or throw now."""
    phase = s["phase"]
    name = phase[0]
    if name == "throw":
        return [on_turn(s) if phase[1] < all_throws(s) else s["chef"]]
    if name == "extra_throw":
        return [s["chef"] if phase[2] else phase[1]]
    if name in ("spice_card", "keep", "reserve", "head_chef"):
        return [phase[1]]
    if name == "sale":
        return _sellers_asked(s, phase[3]) or [s["chef"]]
    if name == "buy":
        return [leader(s, phase[1])[0]]
    if name == "cook":
        return [(s["chef"] + phase[1]) % s["n"]]
    return [] if name == "over" else [s["chef"]]


def _sellers_asked(s: dict, counts: list) -> list:
    """Seats that have yet to say whether they sell."""
    turn = s["options"]["sales"] == "turn"
    if s["mode"] != "full" and not turn:
        return []  # who sells says so, or lifts his chips; the head chef closes
    waiting = [seat for seat in order(s) if counts[seat] is None]
    return waiting[:1] if turn else waiting
