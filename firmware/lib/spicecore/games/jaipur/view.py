"""What a seat may know of a game of Jaipur.

Secrets are removed here and nowhere else: hands, the other's herd, the deck, and the value of a
bonus token until the round is over.
"""

from spicecore.facts import public_chip
from spicecore.games.jaipur.goods import TOKENS, cards_of, next_starter, result, sold_cards


def view(state: dict, seat: int | None) -> dict:
    """All that the seat (None: the public) may know; see docs/jaipur.md for every key."""
    turned_up = state["phase"][0] != "turn" and state["phase"][1] != "aborted"
    seen = {
        "game": "jaipur",
        "seat": seat,
        "phase": list(state["phase"]),
        "round": state["round"],
        "starter": state["starter"],
        "seals": list(state["seals"]),
        "options": dict(state["options"]),
        "market": list(state["market"]),
        "deck": len(state["deck"]),
        "discard": sold_cards(state)[:6],
        "tokens": [list(TOKENS[k][:left]) for k, left in enumerate(state["tokens"])],
        "bonus": [len(pile) for pile in state["bonus"]],
        "won": [[list(pair) for pair in won] for won in state["won"]],
        "bonus_sizes": [[size for size, _ in won] for won in state["bonuses"]],
        "hand_sizes": [sum(hand) for hand in state["hands"]],
        "known": [list(known) for known in state["known"]],
        "laid": sorted([[public_chip(chip), zone] for chip, zone in state["laid"].items()]),
        "next_starter": next_starter(state) if state["phase"][0] == "scored" else None,
        "result": result(state) if turned_up else None,
    }
    if seat is not None:
        seen["hand"] = cards_of(state["hands"][seat])
        seen["herd"] = state["herds"][seat]
        seen["bonuses"] = [list(pair) for pair in state["bonuses"][seat]]
    return seen
