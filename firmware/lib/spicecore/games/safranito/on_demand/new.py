"""Start a game of Safranito: check its options, shuffle cards and blends."""

from spicecore import chance
from spicecore.games import GAMES
from spicecore.games.on_demand.options import checked
from spicecore.games.safranito.cook import lay_out
from spicecore.games.safranito.data import BLENDS, CARDS_PER_SPICE, START_MONEY, UNKNOWN
from spicecore.games.safranito.on_demand.options import CHOICES, OPTIONS


def new(options: dict) -> dict:
    """See safranito.new()."""
    chosen = checked("Safranito", GAMES["safranito"], options, CHOICES)
    n, mode, chef = chosen["players"], chosen["mode"], chosen["chef"]
    if chef is not None and chef >= n:
        raise ValueError("the first head chef must be a seat from 0 to %d, or null" % (n - 1))
    kept = {name: chosen[name] for name in OPTIONS}
    state = _new_state(n, mode, kept, chosen["seed"], chef)
    if mode == "full":
        state["money"] = [START_MONEY] * n
    lay_out(state, [])
    return state


def _new_state(n: int, mode: str, options: dict, seed: int, chef: int | None) -> dict:
    """The state at the start of the first round."""
    x = chance.start(seed)
    if chef is None:
        x, chef = chance.below(x, n)
    full = mode == "full"
    pile = [UNKNOWN] * len(BLENDS)
    deck = None
    if full:
        cards = [spice for spice in range(9) for _ in range(CARDS_PER_SPICE)]
        x = chance.shuffle(x, cards)
        deck = "".join([str(spice) for spice in cards])
        pile = list(range(len(BLENDS)))
        x = chance.shuffle(x, pile)
    return {
        "game": "safranito", "mode": mode, "n": n, "options": options, "round": 1, "chef": chef,
        "phase": ["throw", 0], "lying": {}, "astray": {}, "revealed": [], "seen": [],
        "missed": [0] * n, "traded": [], "open": [], "pile": pile,
        "reserved": [[] for _ in range(n)], "cooked": [[] for _ in range(n)],
        "chance": x, "deck": deck,
        "discard": [0] * 9 if full else None, "display": [0] * 9 if full else None,
        "hands": [[0] * 9 for _ in range(n)] if full else None, "money": None,
    }  # fmt: skip
