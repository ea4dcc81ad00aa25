"""Jaipur (Sébastien Pauchon): the rules as one pure step, for two seats.

The contract of a game is in `games/__init__.py`. `docs/jaipur.md` lists the rulings, events,
effects and the notation.
"""

from spicecore import chance, facts
from spicecore.facts import public_mismatch
from spicecore.games import GAMES, refused
from spicecore.games.jaipur.board import lifted, mismatch, placed, press, sensed, show
from spicecore.games.jaipur.goods import (
    BONUS,
    CAMEL,
    CARDS,
    GOODS,
    HAND,
    KINDS,
    MARKET,
    PILES_TO_END,
    SEALS_TO_WIN,
    TOKENS,
    cards_of,
    count,
    empty_piles,
    next_starter,
    result,
    round_winner,
    rupees,
)
from spicecore.games.jaipur.turn import moves, refused_turn
from spicecore.games.jaipur.view import view

NAME = "jaipur"
SEATS = ("blue", "red")
PHYSICAL = ()  # no effect says where chips are
DECISIONS = ("take", "exchange", "camels", "sell", "next_round")
__all__ = [
    "mismatch", "press", "public_mismatch", "sensed", "show", "view",
]  # fmt: skip


def new(options: dict) -> dict:
    """The state after the first deal. Options: those of every game, and

    first       seat that starts, None (default): drawn by lot
    empty_sale  False: no sale from an empty pile of tokens (default True)
    replay      who starts after a wholly tied round: "other" (default) or "same" seat
    """
    from spicecore.games.jaipur.on_demand.options import CHOICES
    from spicecore.games.on_demand.options import checked

    chosen = checked("Jaipur", GAMES[NAME], options, CHOICES)
    x, lot = chance.below(chance.start(chosen["seed"]), 2)
    first = lot if chosen["first"] is None else chosen["first"]
    kept = {"empty_sale": chosen["empty_sale"], "replay": chosen["replay"]}
    return _deal(
        {"options": kept, "chance": x, "round": 1, "starter": first, "seals": [0, 0], "laid": {}}
    )


def _deal(before: dict) -> dict:
    """A fresh round: three camels, five cards each, two more to the market, tokens piled up."""
    state = dict(before)
    deck = cards_of(list(CARDS[:6]) + [CARDS[6] - 3])
    x = chance.shuffle(state["chance"], deck)
    bonus = [list(pile) for pile in BONUS]
    for pile in bonus:
        x = chance.shuffle(x, pile)
    dealt = [count([deck.pop() for _ in range(HAND)]) for _ in (0, 1)]
    state["chance"] = x
    state["market"] = [CAMEL] * 3 + [deck.pop(), deck.pop()]
    state["deck"] = deck
    state["hands"] = [counts[:6] for counts in dealt]
    state["herds"] = [counts[6] for counts in dealt]
    state["known"] = [[0] * 7, [0] * 7]
    state["sold"] = [0] * 6
    state["tokens"] = [len(pile) for pile in TOKENS]
    state["bonus"] = bonus
    state["won"] = [[], []]
    state["bonuses"] = [[], []]
    state["phase"] = ["turn", state["starter"]]
    return state


def text(state: dict) -> str:
    """The whole state, secrets included, as one line; docs/jaipur.md has its fields."""
    from spicecore.games.jaipur.on_demand.text import text as written

    return written(state)


def parse(line: str) -> dict:
    """The state of a line that `text` wrote. ValueError says what is wrong with it."""
    from spicecore.games.jaipur.on_demand.read import parse as read_line

    return read_line(line)


def step(state: dict, event: list) -> tuple[dict, list]:
    """(state', effects) of an event; an illegal one gives the same state and one refusal."""
    refusal = _refusal(state, event)
    if refusal:
        return state, refused(event, len(SEATS), refusal[0], refusal[1])
    if event[0] in facts.FACTS:
        return _fact(state, event)
    if event[0] == "next_round":
        return _next_round(state)
    after = dict(state)  # what changes is replaced: no list is written into
    if state["laid"]:
        after["laid"] = lifted(state["laid"], event[1])
    do = {"take": _take, "exchange": _exchange, "camels": _camels, "sell": _sell}[event[0]]
    effects = do(after, event[1], event[2:])
    return after, effects + _after_turn(after, event[1])


def _refusal(state: dict, event: list) -> tuple | None:
    """(code, sentence) when an event cannot be done now, else None."""
    refusal = facts.refused(event, DECISIONS)
    if refusal:
        return refusal
    kind, seat, phase = event[0], event[1], state["phase"]
    if kind == "judged" and (seat is None or seat != arbiter(state)):
        return "not_you", "A doubt is decided by the player whose turn it is."
    if kind in facts.FACTS and kind != "abort":
        return None
    if phase[0] == "over":
        return "over", "The game is over."
    if kind == "abort":
        return None
    if phase[0] == "scored":
        if kind != "next_round":
            return "not_now", "The round is over: go on to the next round."
        if seat != next_starter(state) or len(event) != 2:
            return "not_you", "The next round is opened by the one who starts it."
        return None
    if kind == "next_round":
        return "not_now", "This round is not over."
    if seat != phase[1]:
        return "not_you", "It is the other player's turn."
    return refused_turn(state, event)


def _fact(state: dict, event: list) -> tuple[dict, list]:
    """Take note of what the board reports; see docs/jaipur.md for what chips mean."""
    if event[0] == "abort":
        after = dict(state)
        after["phase"] = ["over", "aborted", None]
        return after, [[None, "aborted"]]
    pairs = [event[2:]] if event[0] == "judged" else event[2]
    return placed(state, pairs, event[0] != "moved"), []


def arbiter(state: dict) -> int | None:
    """The seat that decides where a doubtful chip lies: the one whose turn it is."""
    asked = seats_asked(state)
    return asked[0] if asked else None


def _take(state: dict, seat: int, args: list) -> list:
    k = GOODS.index(args[0])
    _fresh(state, "hands", seat)[k] += 1
    _fresh(state, "known", seat)[k] += 1
    turned = _refill(state, [state["market"].index(args[0])])
    return [[None, "took", seat, args[0]], [None, "turned", turned]]


def _camels(state: dict, seat: int, args: list) -> list:
    places = [i for i, card in enumerate(state["market"]) if card == CAMEL]
    _add_camels(state, seat, len(places))
    _fresh(state, "known", seat)[6] += len(places)
    turned = _refill(state, places)
    return [[None, "camels", seat, len(places)], [None, "turned", turned]]


def _fresh(state: dict, name: str, seat: int) -> list:
    """The seat's list of this name, as a copy that the state now has in its place."""
    own = list(state[name][seat])
    state[name] = [own, state[name][1]] if seat == 0 else [state[name][0], own]
    return own


def _add_camels(state: dict, seat: int, n: int) -> None:
    state["herds"] = list(state["herds"])
    state["herds"][seat] += n


def _refill(state: dict, places: list) -> list[str]:
    """Turn up cards for the empty places; places stay empty if the deck is empty."""
    market, deck = list(state["market"]), state["deck"]
    turned = deck[: -len(places) - 1 : -1]
    state["deck"] = deck[: -len(places)]
    for i, card in zip(places, turned):
        market[i] = card
    for i in reversed(places[len(turned) :]):
        market.pop(i)
    state["market"] = market
    return turned


def _exchange(state: dict, seat: int, args: list) -> list:
    taken, given = args
    hand, known = _fresh(state, "hands", seat), _fresh(state, "known", seat)
    market = state["market"] = list(state["market"])
    for card, paid in zip(taken, given):
        k, p = GOODS.index(card), KINDS.index(paid)
        hand[k] += 1
        known[k] += 1
        if p < 6:
            hand[p] -= 1
        known[p] = max(0, known[p] - 1)
        market[market.index(card)] = paid
    if CAMEL in given:
        _add_camels(state, seat, -given.count(CAMEL))
    return [[None, "exchanged", seat, list(taken), list(given)]]


def _sell(state: dict, seat: int, args: list) -> list:
    good, n = args
    k = GOODS.index(good)
    left = state["tokens"][k]
    values = [TOKENS[k][i] for i in range(left - 1, max(left - n, 0) - 1, -1)]
    known = _fresh(state, "known", seat)
    _fresh(state, "hands", seat)[k] -= n
    known[k] = max(0, known[k] - n)
    state["sold"] = list(state["sold"])
    state["sold"][k] += n
    state["tokens"] = list(state["tokens"])
    state["tokens"][k] = left - len(values)
    _fresh(state, "won", seat).extend([good, value] for value in values)
    effects: list = [[None, "sold", seat, good, n, values]]
    size = min(n, 5)
    if size >= 3 and state["bonus"][size - 3]:
        piles = state["bonus"] = list(state["bonus"])
        value = piles[size - 3][-1]
        piles[size - 3] = piles[size - 3][:-1]
        _fresh(state, "bonuses", seat).append([size, value])
        effects.append([None, "bonus", seat, size])
        effects.append([seat, "bonus_value", size, value])
    return effects


def _after_turn(state: dict, seat: int) -> list:
    """Pass the turn to the other player, or end the round and perhaps the game."""
    if empty_piles(state) >= PILES_TO_END:
        return _score(state, "piles")
    if len(state["market"]) < MARKET:
        return _score(state, "deck")
    state["phase"] = ["turn", 1 - seat]
    return [[None, "turn", 1 - seat]]


def _score(state: dict, reason: str) -> list:
    winner = round_winner(state)
    effects: list = [[None, "round_over", reason, result(state)]]
    state["phase"] = ["scored", reason, winner]
    if winner is None:
        return effects
    state["seals"] = list(state["seals"])
    state["seals"][winner] += 1
    effects.append([None, "seal", winner, state["seals"][winner]])
    if state["seals"][winner] >= SEALS_TO_WIN:
        state["phase"] = ["over", reason, winner]
        effects.append([None, "over", winner])
    return effects


def _next_round(state: dict) -> tuple[dict, list]:
    before = dict(state)
    before["starter"] = next_starter(state)
    before["round"] = state["round"] + 1
    after = _deal(before)
    effects: list = [[None, "dealt", after["round"], after["starter"], list(after["market"])]]
    for seat in (0, 1):
        effects.append([seat, "hand", cards_of(after["hands"][seat]), after["herds"][seat]])
    return after, effects + [[None, "turn", after["starter"]]]


def packed(state: dict, seat: int) -> list | None:
    """`legal` in a form that fits a line of the wire: what a seat's list of turns depends on.

    It contains the seat's own hand and herd, so it is for that seat only. `unpacked` makes the
    list.
    """
    phase = state["phase"]
    if phase[0] == "turn" and phase[1] == seat:
        empty = state["options"]["empty_sale"]
        open_piles = [left > 0 or empty for left in state["tokens"]]
        market = count(state["market"])
        return ["turn", seat, market, list(state["hands"][seat]), state["herds"][seat], open_piles]
    if phase[0] == "scored" and next_starter(state) == seat:
        return ["next_round", seat]
    return None


def unpacked(brief: list | None) -> list[list]:
    """The events that `packed` stands for."""
    if brief is None:
        return []
    if brief[0] == "next_round":
        return [brief]
    return moves(brief[1], brief[2], brief[3], brief[4], brief[5])


def legal(state: dict, seat: int) -> list[list]:
    """All events that the seat may send now."""
    return unpacked(packed(state, seat))


def seats_asked(state: dict) -> list[int]:
    """The seat on turn, or the one that opens the next round."""
    if state["phase"][0] == "over":
        return []
    return [state["phase"][1] if state["phase"][0] == "turn" else next_starter(state)]


def over(state: dict) -> bool:
    """True when one seat has two seals."""
    return bool(state["phase"][0] == "over")


def standing(state: dict) -> list[list]:
    """[[seat, rank, score], ...]: seals, and rupees only when the round's tokens are turned up."""
    seals = state["seals"]
    rows = []
    for seat in (0, 1) if seals[0] >= seals[1] else (1, 0):
        score = {"seals": seals[seat]}
        if state["phase"][0] != "turn" and state["phase"][1] != "aborted":
            score["rupees"] = rupees(state, seat)
        rows.append([seat, 2 if seals[seat] < seals[1 - seat] else 1, score])
    return rows


def undoable(state: dict, event: list) -> bool:
    """Only turns that revealed nothing: no card turned up, no bonus, no hidden card."""
    if _refusal(state, event) or event[0] not in ("exchange", "sell"):
        return False
    if step(state, event)[0]["phase"][0] != "turn":
        return False  # the end of a round turns up the bonus tokens
    shown = count(event[3] if event[0] == "exchange" else [event[2]] * event[3])
    if event[0] == "sell" and event[3] >= 3:
        return False
    return all(n <= known for n, known in zip(shown[:6], state["known"][event[1]]))
