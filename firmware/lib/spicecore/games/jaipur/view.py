"""What a seat may know of a game of Jaipur.

Secrets are removed here and nowhere else: hands, the other's herd, the deck, and the value of a
bonus token until the round is over.
"""

from spicecore.facts import public_chip
from spicecore.games.jaipur.goods import TOKENS, cards_of, next_starter, result


def view(state: dict, seat: int | None) -> dict:
    """All that the seat (None: the public) may know; see docs/jaipur.md for every key.

    It shares its lists with the state: they are read, never changed.
    """
    turned_up = state["phase"][0] != "turn" and state["phase"][1] != "aborted"
    seen = {
        "game": "jaipur",
        "seat": seat,
        "phase": state["phase"],
        "round": state["round"],
        "starter": state["starter"],
        "seals": state["seals"],
        "options": state["options"],
        "market": state["market"],
        "deck": len(state["deck"]),
        "discard": state["sold"],
        "tokens": [list(TOKENS[k][:left]) for k, left in enumerate(state["tokens"])],
        "bonus": [len(pile) for pile in state["bonus"]],
        "won": state["won"],
        "bonus_sizes": [[size for size, _ in won] for won in state["bonuses"]],
        "hand_sizes": [sum(hand) for hand in state["hands"]],
        "known": state["known"],
        "laid": sorted([[public_chip(chip), zone] for chip, zone in state["laid"].items()]),
        "next_starter": next_starter(state) if state["phase"][0] == "scored" else None,
        "result": result(state) if turned_up else None,
    }
    if seat is not None:
        seen["hand"] = cards_of(state["hands"][seat])
        seen["herd"] = state["herds"][seat]
        seen["bonuses"] = state["bonuses"][seat]
    return seen
