"""How the board takes part in Jaipur: what its rings show, and how chips choose a turn.

Bowls are goods, camels, market and deck; the four action spaces are the four kinds of turn.
Players choose with their own chips and confirm with the button "ok"; if the choice is ambiguous,
the table asks.
"""

from spicecore.facts import differences
from spicecore.games.jaipur.goods import (
    CAMEL,
    HAND_LIMIT,
    MARKET,
    SEALS_TO_WIN,
    TOKENS,
    count,
    next_starter,
)
from spicecore.games.jaipur.turn import moves

# Row by row of the board: the precious goods, the common ones, then camels, market and deck.
GOODS_ZONES = ("curry", "ginger", "cardamom", "chili", "saffron", "garlic")
CAMELS_ZONE, MARKET_ZONE, DECK_ZONE = "mint", "cumin", "cinnamon"
ACTION_ZONES = ("extra_throw", "spice_card", "reserve", "head_chef")
ACTIONS = ("take", "exchange", "camels", "sell")
COLOURS = ("#ff2020", "#ffb000", "#b0b0c0", "#a040ff", "#30c030", "#a05020")
CAMEL_COLOUR = "#c09040"
DECK_CARDS = 40  # cards in the deck when a round starts
CHIP_LETTERS = "br"  # the chips of seat 0 and of seat 1


def placed(state: dict, pairs: list, everybody: bool) -> dict:
    """The state with the places of chips: those of the seat on turn, or of everybody."""
    own = CHIP_LETTERS[state["phase"][1]] if state["phase"][0] == "turn" else ""
    laid = dict(state["laid"])
    for chip, zone in pairs:
        if zone is None:
            laid.pop(chip, None)
        elif everybody or chip[0] == own:
            laid[chip] = zone
    if laid == state["laid"]:
        return state
    after = dict(state)
    after["laid"] = laid
    return after


def lifted(laid: dict, seat: int) -> dict:
    """The chips that remain when a seat's turn is done: its own have chosen and go home."""
    return {chip: zone for chip, zone in laid.items() if chip[0] != CHIP_LETTERS[seat]}


def sensed(state: dict, moves: list) -> list:
    """The event for chips that moved."""
    return ["moved", None, [list(pair) for pair in moves]]


def press(state: dict, button: str) -> list | None:
    """What "ok" means now: the turn that the chips name, the next round, or None."""
    if button != "ok":
        return None
    if state["phase"][0] == "scored":
        return ["next_round", next_starter(state)]
    return chosen(state) if state["phase"][0] == "turn" else None


def chosen(state: dict) -> list | None:
    """The one legal event that the chips on the board name; None if none or several fit.

    One chip on an action space names the action. In the bowls of goods as many chips as cards:
    for a sale the cards sold, for an exchange the goods taken and given, the rest paid in camels.
    """
    mark = CHIP_LETTERS[state["phase"][1]]
    zones = [zone for chip, zone in state["laid"].items() if chip[0] == mark]
    actions = [zone for zone in zones if zone in ACTION_ZONES]
    if len(actions) != 1 or MARKET_ZONE in zones or DECK_ZONE in zones:
        return None
    kind = ACTIONS[ACTION_ZONES.index(actions[0])]
    seat = state["phase"][1]
    herd, empty = state["herds"][seat], state["options"]["empty_sale"]
    open_piles = [left > 0 or empty for left in state["tokens"]]
    marked = [zones.count(zone) for zone in GOODS_ZONES]
    camels = zones.count(CAMELS_ZONE)
    fitting = [
        event
        for event in moves(seat, count(state["market"]), state["hands"][seat], herd, open_piles)
        if event[0] == kind and _fits(event, marked, camels)
    ]
    return fitting[0] if len(fitting) == 1 else None


def _fits(event: list, marked: list, camels: int) -> bool:
    """Whether an event is what these numbers of chips in the bowls say."""
    if event[0] == "exchange":
        named = count(event[2] + event[3])
        return named[:6] == marked and camels in (0, named[6])
    if event[0] == "sell":
        named = count([event[2]] * event[3])
    else:
        named = count(event[2:])
    return named[:6] == marked and camels == 0


def mismatch(state: dict, seen: dict) -> list[list]:
    """Chips that do not lie where the game says: [[chip, zone seen, zone expected], ...]."""
    return differences(state["laid"], seen)


def show(state: dict) -> dict:
    """What each ring shows: only public information."""
    phase = state["phase"]
    rings = {zone: _pile(k, state["tokens"][k]) for k, zone in enumerate(GOODS_ZONES)}
    market = count(state["market"])
    rings[CAMELS_ZONE] = ["count", CAMEL_COLOUR, market[6], MARKET]
    rings[MARKET_ZONE] = ["arcs", [[COLOURS[k], market[k]] for k in range(6) if market[k]]]
    if not any(market[:6]):
        rings[MARKET_ZONE] = ["dark"]
    rings[DECK_ZONE] = ["count", "white", len(state["deck"]), DECK_CARDS]
    for kind, zone in zip(ACTIONS, ACTION_ZONES):  # noqa: B905 - four and four
        rings[zone] = _action(state, kind, zone) if phase[0] == "turn" else _seals(state, zone)
    return rings


def _pile(k: int, left: int) -> list:
    """The tokens left as an arc, brighter the more the top one is worth (7 rupees: full)."""
    if left == 0:
        return ["dark"]
    top = TOKENS[k][left - 1]
    colour = COLOURS[k]
    parts = [int(colour[i : i + 2], 16) * top // 7 for i in (1, 3, 5)]
    shade = "#%02x%02x%02x" % (parts[0], parts[1], parts[2])
    return ["arcs", [[shade, left], ["off", len(TOKENS[k]) - left]]]


def _action(state: dict, kind: str, zone: str) -> list:
    """An action space: whole when a chip chose it, blinking when it may be open, else dark.

    Whether a hand allows a sale or an exchange is secret: they blink whenever they might.
    """
    seat = state["phase"][1]
    if any(z == zone and c[0] == CHIP_LETTERS[seat] for c, z in state["laid"].items()):
        return ["whole", seat]
    goods = sum(1 for card in state["market"] if card != CAMEL)
    size = sum(state["hands"][seat])
    might = {
        "take": goods > 0 and size < HAND_LIMIT,
        "exchange": goods > 1,
        "camels": goods < len(state["market"]),
        "sell": size > 0,
    }
    return ["blink", seat] if might[kind] else ["dark"]


def _seals(state: dict, zone: str) -> list:
    """After a round: the seals of blue on the left, of red on the right; the player who continues
    blinks."""
    seat = ACTION_ZONES.index(zone) // 2
    if state["phase"][0] == "over":
        return ["whole", seat] if seat == state["phase"][2] else ["dark"]
    if seat == next_starter(state) and ACTION_ZONES.index(zone) % 2:
        return ["blink", seat]
    return ["count", seat, state["seals"][seat], SEALS_TO_WIN]
