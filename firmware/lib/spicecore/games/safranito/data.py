"""The components of Safranito, and small questions about a state that all parts of the rules ask.

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


def order(state: dict) -> list:
    """Seats in play order: clockwise, beginning with the head chef."""
    chef, n = state["chef"], state["n"]
    return [(chef + i) % n for i in range(n)]


def tie_order(state: dict) -> list:
    """Seats in the order that decides a tie."""
    seats = order(state)
    return seats if state["options"]["tie"] == "chef_first" else seats[1:] + seats[:1]


def all_throws(state: dict) -> int:
    """Throws of all seats in a round."""
    return state["n"] * TABLE[state["n"]][2]


def on_turn(state: dict) -> int:
    """The seat whose throw is due in phase throw."""
    return (state["chef"] + state["phase"][1]) % state["n"]


def chips_in(state: dict, zone: str) -> list:
    """Chips that lie in the zone, by seat and rising value."""
    lying = state["lying"]
    return [chip for chip in CHIPS if lying.get(chip) == zone]


def top_chip(state: dict, zone: str, seat: int) -> str | None:
    """The seat's highest chip in the zone."""
    lying = state["lying"]
    for chip in reversed(CHIPS[6 * seat : 6 * seat + 6]):
        if lying.get(chip) == zone:
            return chip
    return None


def totals(state: dict, zone: str) -> list:
    """Total of each seat's chips in the zone."""
    sums = [0] * state["n"]
    for chip, where in state["lying"].items():
        if where == zone:
            sums[SEAT[chip]] += VALUE[chip]
    return sums


def leader(state: dict, zone: str) -> tuple:
    """(seat, total) of the highest total in the zone, ties decided; (None, 0) when empty."""
    sums = totals(state, zone)
    best, most = None, 0
    for seat in tie_order(state):
        if sums[seat] > most:
            best, most = seat, sums[seat]
    return best, most


def bowls_left(state: dict) -> list:
    """Bowls in which chips lie, in zone order."""
    there = set(state["lying"].values())
    return [bowl for bowl in BOWLS if bowl in there]


def believed(state: dict, chip: str) -> str | None:
    """Where the board last knew the chip to be."""
    astray = state["astray"]
    return astray[chip] if chip in astray else state["lying"].get(chip)


def throwable(state: dict, seat: int) -> list:
    """The seat's chips that were not seen in this round: those it may throw."""
    seen = state["seen"]
    return [chip for chip in CHIPS[6 * seat : 6 * seat + 6] if chip not in seen]


def can_cook(state: dict, seat: int, blend: int) -> bool:
    """Does the seat hold the blend's three spices? In referee mode only the player knows."""
    if state["mode"] != "full":
        return True
    hand = state["hands"][seat]
    a, b, c = BLENDS[blend]
    return hand[a] > 0 and hand[b] > 0 and hand[c] > 0


def groups(chips: list) -> list:
    """[[seat, number of chips], ...] sorted by seat: all that is public about hidden chips."""
    counts = [0, 0, 0, 0]
    for chip in chips:
        counts[SEAT[chip]] += 1
    return [[seat, count] for seat, count in enumerate(counts) if count]


def seats_asked(state: dict) -> list:
    """Seats that must decide or throw now."""
    phase = state["phase"]
    name = phase[0]
    if name == "throw":
        return [on_turn(state) if phase[1] < all_throws(state) else state["chef"]]
    if name == "extra_throw":
        return [state["chef"] if phase[2] else phase[1]]
    if name in ("spice_card", "keep", "reserve", "head_chef"):
        return [phase[1]]
    if name == "sale":
        return _sellers_asked(state, phase[3]) or [state["chef"]]
    if name == "buy":
        return [leader(state, phase[1])[0]]
    if name == "cook":
        return [(state["chef"] + phase[1]) % state["n"]]
    return [] if name == "over" else [state["chef"]]


def _sellers_asked(state: dict, counts: list) -> list:
    """Seats that have yet to say whether they sell."""
    turn = state["options"]["sales"] == "turn"
    if state["mode"] != "full" and not turn:
        return []  # sellers say so or lift their chips; the head chef closes the sale
    waiting = [seat for seat in order(state) if counts[seat] is None]
    return waiting[:1] if turn else waiting
