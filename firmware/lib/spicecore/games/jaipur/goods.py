"""The components of Jaipur, and the scoring of a round. Knows nothing of turns and events.

Counts of goods are lists of six in the order of GOODS; a seventh place counts camels. Card names
are those of the rule text, numbers those of its components.
"""

GOODS = ("diamond", "gold", "silver", "cloth", "spice", "leather")
CAMEL = "camel"
KINDS = GOODS + (CAMEL,)
CARDS = (6, 6, 6, 8, 8, 10, 11)
# Lowest value first: a sale takes from the end, because the most valuable token is on top.
TOKENS = (
    (5, 5, 5, 7, 7),
    (5, 5, 5, 6, 6),
    (5, 5, 5, 5, 5),
    (1, 1, 2, 2, 3, 3, 5),
    (1, 1, 2, 2, 3, 3, 5),
    (1, 1, 1, 1, 1, 1, 2, 3, 4),
)
BONUS_SIZES = (3, 4, 5)
BONUS = ((1, 1, 2, 2, 2, 3, 3), (4, 4, 5, 5, 6, 6), (8, 8, 9, 10, 10))
CAMEL_TOKEN = 5
SEALS_TO_WIN = 2
HAND_LIMIT = 7
MARKET = 5
HAND = 5
PRECIOUS = 3  # the first three goods are sold at least two at a time
PRECIOUS_MINIMUM = 2
PILES_TO_END = 3


def count(cards: list) -> list[int]:
    """How many of each kind (seven numbers) are among card names."""
    return [cards.count(kind) for kind in KINDS]


def cards_of(counts: list) -> list[str]:
    """Card names in the order of KINDS, from six or seven counts."""
    cards = []
    for kind, n in zip(KINDS, counts):  # noqa: B905 - six counts or seven
        if n:
            cards.extend([kind] * n)
    return cards


def sold_cards(state: dict) -> list[int]:
    """How many cards of each kind were sold: those that lie nowhere else (negative: too many)."""
    lying = count(state["market"] + state["deck"])
    for seat in (0, 1):
        held = state["hands"][seat] + [state["herds"][seat]]
        lying = [a + b for a, b in zip(lying, held)]  # noqa: B905 - seven and seven
    return [a - b for a, b in zip(CARDS, lying)]  # noqa: B905 - seven and seven


def empty_piles(state: dict) -> int:
    """How many of the six piles of goods tokens are used up."""
    return state["tokens"].count(0)


def camel_winner(state: dict) -> int | None:
    """The seat with more camels in its herd; None if they have the same number."""
    first, second = state["herds"]
    if first == second:
        return None
    return 0 if first > second else 1


def rupees(state: dict, seat: int) -> int:
    """What a seat's tokens of the round are worth, camel token included."""
    total = sum(value for _, value in state["won"][seat] + state["bonuses"][seat])
    return total + (CAMEL_TOKEN if camel_winner(state) == seat else 0)


def round_winner(state: dict) -> int | None:
    """Who gets the seal: by rupees, bonus tokens, then goods tokens; None if all are equal."""
    keys = [
        (rupees(state, seat), len(state["bonuses"][seat]), len(state["won"][seat]))
        for seat in (0, 1)
    ]
    if keys[0] == keys[1]:
        return None
    return 0 if keys[0] > keys[1] else 1


def result(state: dict) -> dict:
    """The public result of a finished round, with the values of bonus tokens."""
    return {
        "camel_token": camel_winner(state),
        "herds": list(state["herds"]),
        "rupees": [rupees(state, 0), rupees(state, 1)],
        "bonuses": [[list(pair) for pair in won] for won in state["bonuses"]],
        "winner": round_winner(state),
    }


def next_starter(state: dict) -> int:
    """Who starts the next round: the loser, or after a complete tie what the option says."""
    winner = state["phase"][2]
    if winner is not None:
        return 1 - winner
    return state["starter"] if state["options"]["replay"] == "same" else 1 - state["starter"]
