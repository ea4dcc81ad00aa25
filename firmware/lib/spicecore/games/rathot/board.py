"""How the board takes part in Rat Hot: eight bowls are the spices, the centre says whose turn.

The rings show the groups of each spice, the strips left, and each colour's rats; the button "ok"
turns up the strips of a turn. Players choose the place of a strip on a screen; chips are not used.
"""

from spicecore.facts import differences
from spicecore.games.rathot.layout import groups, surface, worth
from spicecore.games.rathot.strips import RATS, SPICES, STRIPS, owner

# Red spices 1 to 4, then the green ones; the centre bowl is left for the turn.
SPICE_ZONES = (
    "curry", "ginger", "cardamom", "chili", "garlic", "mint", "cumin", "cinnamon",
)  # fmt: skip
TURN_ZONE = "saffron"
RAT_ZONES = ("extra_throw", "head_chef")  # of red, of green
DARK_ZONES = ("spice_card", "reserve")
RING_COLOURS = (1, 2)  # red and green are the second and third colour of the board's players
WARN_AT = 2
RATS_TO_LOSE = 3


def sensed(state: dict, moves: list) -> list:
    """The event for chips that moved."""
    return ["moved", None, [list(pair) for pair in moves]]


def press(state: dict, button: str) -> list | None:
    """ "ok" turns up the strips when a turn begins; otherwise the buttons have no meaning."""
    if button == "ok" and state["phase"][0] == "turn_up":
        return ["turn_up", state["phase"][1]]
    return None


def mismatch(state: dict, seen: dict) -> list[list]:
    """Every chip on the board: in this game none belongs there."""
    return differences({}, seen)


def show(state: dict) -> dict:
    """What each ring shows; nothing on the table is secret."""
    _, face = surface(state["strips"], state["laid"])
    arcs: dict[str, list] = {spice: [] for spice in SPICES}
    for spice, together in groups(face):
        colour = RING_COLOURS[owner(spice)]
        # a gap after each group, so that two of 1 point differ from one of 2
        arcs[spice] += [[colour, worth(len(together))], ["off", 1]]
    rings: dict[str, list] = {}
    for zone, spice in zip(SPICE_ZONES, SPICES):  # noqa: B905 - eight and eight
        rings[zone] = ["arcs", arcs[spice]] if arcs[spice] else ["dark"]
    rings[TURN_ZONE] = _turn(state)
    squares = list(face.values())
    for seat, zone in enumerate(RAT_ZONES):
        rings[zone] = _rats(RING_COLOURS[seat], squares.count(RATS[seat]))
    for zone in DARK_ZONES:
        rings[zone] = ["dark"]
    return rings


def _turn(state: dict) -> list:
    """Whose turn it is and how many strips are left; blinking: turn strips up; at the end: who
    won."""
    phase = state["phase"]
    if phase[1] == "aborted":
        return ["dark"]
    if phase[0] == "over" and phase[2] is None:
        return ["arcs", [[RING_COLOURS[0], 1], [RING_COLOURS[1], 1]]]
    if phase[0] == "over":
        return ["whole", RING_COLOURS[phase[2]]]
    colour = RING_COLOURS[phase[1]]
    if phase[0] == "turn_up":
        return ["blink", colour]
    return ["count", colour, len(state["pile"]) + len(state["held"]), STRIPS - 1]


def _rats(colour: int, n: int) -> list:
    """No rats: dark; one: one third lit; two: blinking; three and more: all lit."""
    if n == 0:
        return ["dark"]
    if n >= RATS_TO_LOSE:
        return ["whole", colour]
    return ["blink", colour] if n == WARN_AT else ["count", colour, n, RATS_TO_LOSE]
