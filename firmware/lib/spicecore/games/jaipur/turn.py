"""What a seat may do on its turn in Jaipur: the full list, and why anything else is refused.

Nothing here changes a state. Every listed event is canonical (cards in the order of KINDS), so an
event is legal exactly if it is in the list.
"""

from spicecore.games.jaipur.goods import (
    CAMEL,
    GOODS,
    HAND_LIMIT,
    KINDS,
    PRECIOUS,
    PRECIOUS_MINIMUM,
    cards_of,
    count,
)


def moves(seat: int, market: list, hand: list, herd: int, open_piles: list) -> list[list]:
    """Every take, exchange, taking of camels and sale that a hand and a herd allow.

    `market` counts seven kinds; `open_piles` says of each good whether it may be sold.
    """
    found: list[list] = []
    if sum(hand) < HAND_LIMIT:
        found = [["take", seat, good] for k, good in enumerate(GOODS) if market[k]]
    found += exchanges(seat, market, hand, herd)
    if market[6]:
        found.append(["camels", seat])
    for k, n in enumerate(hand):
        if n and open_piles[k]:
            found += [["sell", seat, GOODS[k], size] for size in range(lowest_sale(k), n + 1)]
    return found


def lowest_sale(k: int) -> int:
    """The lowest number of cards of good k that can be sold."""
    return PRECIOUS_MINIMUM if k < PRECIOUS else 1


def exchanges(seat: int, market: list, hand: list, herd: int) -> list[list]:
    """Every exchange: 2 to 5 goods of the market for the same number of cards, no good on both
    sides.

    The events share their lists of cards: they are read, never changed.
    """
    room = min(herd, HAND_LIMIT - sum(hand))  # a camel given makes the hand one card larger
    most = min(sum(market[:6]), sum(hand) + room)
    if most < 2:
        return []
    offers: list[list] = [[] for _ in range(most + 1)]
    for paid, size, kinds in choices(hand + [room], most):
        offers[size].append((kinds, paid))
    found: list[list] = []
    for cards, size, kinds in choices(market[:6], most):
        if size > 1:
            for other, paid in offers[size]:
                if not kinds & other:
                    found.append(["exchange", seat, cards, paid])
    return found


def choices(counts: list, most: int) -> list[tuple]:
    """Every way to take up to `most` cards from these counts: (their names, how many, kinds).

    kinds has a bit for each kind of which there is a card.
    """
    found: list[tuple] = [([], 0, 0)]
    for k, n in enumerate(counts):
        if n:
            name, bit = [KINDS[k]], 1 << k
            for cards, size, kinds in found[:]:
                end = most if size + n > most else size + n
                kinds |= bit
                while size < end:
                    size += 1
                    cards = cards + name
                    found.append((cards, size, kinds))
    return found


def refused_turn(state: dict, event: list) -> tuple[str, str] | None:
    """Why a well-formed turn event of the seat on turn is not legal: (code, sentence), or None."""
    check = {"take": _take, "exchange": _exchange, "camels": _camels, "sell": _sell}[event[0]]
    return check(state, event[1], event[2:])


def _good(name: object) -> int:
    """Index of a good; -1 for anything else."""
    return GOODS.index(name) if isinstance(name, str) and name in GOODS else -1


def _take(state: dict, seat: int, args: list) -> tuple[str, str] | None:
    if len(args) != 1 or _good(args[0]) < 0:
        return "malformed", "To take, name one good: " + ", ".join(GOODS) + "."
    if args[0] not in state["market"]:
        return "market", "There is no %s in the market." % args[0]
    if sum(state["hands"][seat]) >= HAND_LIMIT:
        return "hand", "You hold 7 goods already: sell or exchange instead."
    return None


def _camels(state: dict, seat: int, args: list) -> tuple[str, str] | None:
    if args:
        return "malformed", "Taking camels takes all of them: nothing else is named."
    if CAMEL not in state["market"]:
        return "market", "There is no camel in the market."
    return None


def _sell(state: dict, seat: int, args: list) -> tuple[str, str] | None:
    if len(args) != 2 or _good(args[0]) < 0 or type(args[1]) is not int:
        return "malformed", "To sell, name one good and a number of cards."
    k, n = _good(args[0]), args[1]
    if n < 1:
        return "number", "A sale shows at least one card."
    if n > state["hands"][seat][k]:
        return "hand", "You hold %d of %s, not %d." % (state["hands"][seat][k], args[0], n)
    if n < lowest_sale(k):
        return "precious", "Diamond, gold and silver are sold at least two at a time."
    if state["tokens"][k] == 0 and not state["options"]["empty_sale"]:
        return "tokens", "The tokens of %s are used up, and this game buys no more." % args[0]
    return None


def _exchange(state: dict, seat: int, args: list) -> tuple[str, str] | None:
    if len(args) != 2 or not (_cards(args[0]) and _cards(args[1])):
        return "malformed", "To exchange, name the cards taken and the cards given."
    taken, given = count(args[0]), count(args[1])
    if args[0] != cards_of(taken) or args[1] != cards_of(given):
        return "malformed", "Cards of an exchange are named in the order " + ", ".join(KINDS) + "."
    if taken[6]:
        return "camel", "Camels are never taken in an exchange: take all of them, or none."
    if len(args[0]) != len(args[1]):
        return "number", "An exchange gives as many cards as it takes."
    if len(args[0]) < 2:
        return "number", "An exchange is at least two cards for two."
    return _exchange_cards(state, seat, taken, given)


def _cards(cards: object) -> bool:
    """True for a list of card names."""
    return isinstance(cards, list) and all(isinstance(c, str) and c in KINDS for c in cards)


def _exchange_cards(state: dict, seat: int, taken: list, given: list) -> tuple[str, str] | None:
    """Check the part of an exchange that depends on market, hand and herd."""
    market, hand = count(state["market"]), state["hands"][seat]
    for k, good in enumerate(GOODS):
        if taken[k] and given[k]:
            return "both", "%s cannot be taken and given in one exchange." % good
        if taken[k] > market[k]:
            return "market", "The market has %d of %s, not %d." % (market[k], good, taken[k])
        if given[k] > hand[k]:
            return "hand", "You hold %d of %s, not %d." % (hand[k], good, given[k])
    if given[6] > state["herds"][seat]:
        return "herd", "You have %d camels, not %d." % (state["herds"][seat], given[6])
    if sum(hand) + given[6] > HAND_LIMIT:
        return "hand", "With %d camels given you would hold more than 7 goods." % given[6]
    return None
