"""How a game of Safranito begins: its options checked, cards and blends mixed."""

from spicecore import chance
from spicecore.games.safranito.cook import lay_out
from spicecore.games.safranito.data import BLENDS, CARDS_PER_SPICE, START_MONEY, UNKNOWN
from spicecore.games.safranito.on_demand.options import OPTIONS


def new(options: dict) -> dict:
    """See safranito.new()."""
    for name in options:
        if name not in OPTIONS and name not in ("players", "mode", "seed", "chef", "game"):
            known = ["chef", "mode", "players", "seed"] + sorted(OPTIONS)
            raise ValueError("Safranito has no option %s; there are %s" % (name, known))
    n = options.get("players")
    if type(n) is not int or not 2 <= n <= 4:
        raise ValueError("Safranito is played by 2 to 4, not by %s" % (n,))
    mode = options.get("mode", "full")
    if mode not in ("full", "referee"):
        raise ValueError("mode must be full or referee, not %s" % (mode,))
    seed = options.get("seed", 0)
    if type(seed) is not int or not 0 <= seed < 1 << 30:
        raise ValueError("the seed must be a whole number from 0 to 2**30 - 1")
    chef = options.get("chef")
    if chef is not None and (type(chef) is not int or not 0 <= chef < n):
        raise ValueError("the first head chef must be a seat from 0 to %d, or null" % (n - 1))
    chosen = {}
    for name, values in OPTIONS.items():
        chosen[name] = options.get(name, values[0])
        if chosen[name] not in values:
            raise ValueError("option %s must be one of %s" % (name, list(values)))
    state = _new_state(n, mode, chosen, seed, chef)
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


# Decision: the phases in which it is legal, what its third item is (None: no third), handler.
