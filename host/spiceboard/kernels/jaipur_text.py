"""Convert positions, moves and events between Jaipur's kernel and `spicecore.games.jaipur`."""

from typing import Any

import numpy as np

from spiceboard.kernels import jaipur as kernel
from spiceboard.kernels import jaipur_places as places
from spiceboard.kernels.jaipur_tables import packed, unpacked
from spicecore.games.jaipur import rules
from spicecore.games.jaipur.goods import GOODS, KINDS, TOKENS, cards_of, count, sold_cards

PHASES = ("turn", "scored", "over")
REASONS = ("piles", "deck", "aborted")
Position = Any  # an int32 array of places.LENGTH


def from_text(line: str) -> Position:
    """The position that a line of the rules' notation describes. ValueError says what is wrong."""
    return from_state(rules.parse(line))


def to_text(s: Position) -> str:
    """The line that describes a position."""
    return rules.text(to_state(s))


def from_state(state: dict[str, Any]) -> Position:
    """The kernel's position for a state of the rules, without the chips on the board."""
    s = np.zeros(places.LENGTH, np.int32)
    options, phase = state["options"], state["phase"]
    s[places.CHANCE], s[places.ROUND] = state["chance"], state["round"]
    s[places.EMPTY_SALE] = options["empty_sale"]
    s[places.REPLAY_SAME] = options["replay"] == "same"
    s[places.STARTER] = state["starter"]
    s[places.SEALS : places.SEALS + 2] = state["seals"]
    s[places.PHASE] = PHASES.index(phase[0])
    s[places.WHO] = -1 if phase[-1] is None else phase[-1]
    s[places.REASON] = REASONS.index(phase[1]) if phase[0] != "turn" else 0
    slots = [KINDS.index(card) for card in state["market"]]
    padded = slots + [places.NO_CARD] * (5 - len(slots))
    s[places.SLOTS] = sum(k << 3 * i for i, k in enumerate(padded))
    s[places.MARKET] = packed(count(state["market"])[:6])
    s[places.CAMELS_OPEN] = slots.count(places.CAMEL)
    s[places.DECK_SIZE] = len(state["deck"])
    s[places.DECK : places.DECK + len(state["deck"])] = [KINDS.index(c) for c in state["deck"]]
    for seat in (0, 1):
        hand, known = state["hands"][seat], state["known"][seat]
        s[places.HANDS + seat], s[places.SIZES + seat] = packed(hand), sum(hand)
        s[places.HERDS + seat] = state["herds"][seat]
        s[places.KNOWN + seat] = sum(n << 4 * k for k, n in enumerate(known[:6]))
        s[places.KNOWN_HERDS + seat] = known[6]
    s[places.TOKENS : places.TOKENS + 6] = state["tokens"]
    s[places.EMPTY_PILES] = state["tokens"].count(0)
    _write_tokens(s, state)
    return s


def _write_tokens(s: Position, state: dict[str, Any]) -> None:
    """Write the tokens that were won and the bonus tokens that are left."""
    for i, pile in enumerate(state["bonus"]):
        s[places.BONUS_SIZE + i] = len(pile)
        s[places.BONUS_AT[i] : places.BONUS_AT[i] + len(pile)] = pile
    for seat in (0, 1):
        won, bonuses = state["won"][seat], state["bonuses"][seat]
        s[places.RUPEES + seat] = sum(value for _, value in won + bonuses)
        s[places.TOKENS_WON + seat], s[places.BONUSES_WON + seat] = len(won), len(bonuses)
        for i, (size, value) in enumerate(bonuses):
            s[places.BONUS_LOG + 18 * seat + i] = size << 4 | value
    log = _merged(state["won"])
    s[places.LOG_SIZE] = len(log)
    s[places.LOG : places.LOG + len(log)] = log


def _merged(won: list[list[list[Any]]]) -> list[int]:
    """An order in which both seats may have won their tokens: always from the top of a pile."""
    left = [len(pile) for pile in TOKENS]
    rest = [list(won[0]), list(won[1])]
    log: list[int] = []
    while rest[0] or rest[1]:
        for seat in (0, 1):
            if not rest[seat]:
                continue
            k = GOODS.index(rest[seat][0][0])
            if left[k] and TOKENS[k][left[k] - 1] == rest[seat][0][1]:
                log.append(1 << 4 | seat << 3 | k)
                left[k] -= 1
                rest[seat].pop(0)
                break
        else:
            raise ValueError("won: nobody can have won the tokens in this order")
    return log


def to_state(s: Position) -> dict[str, Any]:
    """The rules' state for a position, with no chip on the board."""
    at = s.tolist()  # whole numbers of Python, which are read many times sooner
    who = None if at[places.WHO] < 0 else at[places.WHO]
    name = PHASES[at[places.PHASE]]
    slots = [at[places.SLOTS] >> 3 * i & 7 for i in range(5)]
    left, won = [len(pile) for pile in TOKENS], [[], []]  # type: ignore[var-annotated]
    for entry in _row(at, places.LOG, at[places.LOG_SIZE]):
        k = entry & 7
        for _ in range(entry >> 4):
            left[k] -= 1
            won[entry >> 3 & 1].append([GOODS[k], TOKENS[k][left[k]]])
    state = {
        "options": {
            "empty_sale": bool(at[places.EMPTY_SALE]),
            "replay": "same" if at[places.REPLAY_SAME] else "other",
        },
        "chance": at[places.CHANCE],
        "round": at[places.ROUND],
        "starter": at[places.STARTER],
        "seals": _row(at, places.SEALS, 2),
        "laid": {},
        "market": [KINDS[k] for k in slots if k != places.NO_CARD],
        "deck": [KINDS[k] for k in _row(at, places.DECK, at[places.DECK_SIZE])],
        "hands": [unpacked(at[places.HANDS + seat]) for seat in (0, 1)],
        "herds": _row(at, places.HERDS, 2),
        "known": [
            [at[places.KNOWN + seat] >> 4 * k & 15 for k in range(6)]
            + [at[places.KNOWN_HERDS + seat]]
            for seat in (0, 1)
        ],
        "tokens": _row(at, places.TOKENS, 6),
        "bonus": [_row(at, places.BONUS_AT[i], at[places.BONUS_SIZE + i]) for i in range(3)],
        "won": won,
        "bonuses": [_bonuses(at, seat) for seat in (0, 1)],
        "phase": [name, who] if name == "turn" else [name, REASONS[at[places.REASON]], who],
    }
    state["sold"] = sold_cards(state)[:6]
    return state


def _row(at: list[int], first: int, n: int) -> list[int]:
    return at[first : first + n]


def _bonuses(at: list[int], seat: int) -> list[list[int]]:
    entries = _row(at, places.BONUS_LOG + 18 * seat, at[places.BONUSES_WON + seat])
    return [[entry >> 4, entry & 15] for entry in entries]


def event_of(s: Position, move: int) -> list[Any]:
    """The rules' event for a move of the kernel."""
    move, seat = int(move), int(kernel.on_turn(s))
    kind = move & 7
    if kind == places.TAKE:
        return ["take", seat, GOODS[move >> 3]]
    if kind == places.SELL:
        return ["sell", seat, GOODS[move >> 3 & 7], move >> 6]
    if kind == places.EXCHANGE:
        taken, given = unpacked(move >> 3 & 0o777777), unpacked(move >> 21 & 0o777777)
        return ["exchange", seat, cards_of(taken), cards_of([*given, move >> 39])]
    return ["camels" if kind == places.CAMELS else "next_round", seat]


def move_of(event: list[Any]) -> int:
    """The kernel's move for a seat's event."""
    kind, args = event[0], event[2:]
    if kind == "take":
        return places.TAKE | GOODS.index(args[0]) << 3
    if kind == "sell":
        return places.SELL | GOODS.index(args[0]) << 3 | args[1] << 6
    if kind == "exchange":
        taken, given = count(args[0]), count(args[1])
        return places.EXCHANGE | packed(taken[:6]) << 3 | packed(given[:6]) << 21 | given[6] << 39
    return places.CAMELS if kind == "camels" else places.NEXT_ROUND
