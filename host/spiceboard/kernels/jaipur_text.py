"""Between Jaipur's kernel and the rules core: positions, moves and events."""

from typing import Any

import numpy as np

from spiceboard.kernels import jaipur as kernel
from spiceboard.kernels.jaipur_tables import packed, unpacked
from spicecore.games.jaipur import rules
from spicecore.games.jaipur.goods import GOODS, KINDS, TOKENS, cards_of, count

PHASES = ("turn", "scored", "over")
REASONS = ("piles", "deck", "aborted")
Position = Any  # an int32 array of kernel.LENGTH


def from_text(line: str) -> Position:
    """The position of a line of the rules' notation. ValueError says what is wrong with it."""
    return from_state(rules.parse(line))


def to_text(s: Position) -> str:
    """The line of a position."""
    return rules.text(to_state(s))


def from_state(state: dict[str, Any]) -> Position:
    """The kernel's position of a state of the rules core. Chips on the board are left out."""
    s = np.zeros(kernel.LENGTH, np.int32)
    options, phase = state["options"], state["phase"]
    s[kernel.CHANCE], s[kernel.ROUND] = state["chance"], state["round"]
    s[kernel.EMPTY_SALE] = options["empty_sale"]
    s[kernel.REPLAY_SAME] = options["replay"] == "same"
    s[kernel.STARTER] = state["starter"]
    s[kernel.SEALS : kernel.SEALS + 2] = state["seals"]
    s[kernel.PHASE] = PHASES.index(phase[0])
    s[kernel.WHO] = -1 if phase[-1] is None else phase[-1]
    s[kernel.REASON] = REASONS.index(phase[1]) if phase[0] != "turn" else 0
    slots = [KINDS.index(card) for card in state["market"]]
    padded = slots + [kernel.NO_CARD] * (5 - len(slots))
    s[kernel.SLOTS] = sum(k << 3 * i for i, k in enumerate(padded))
    s[kernel.MARKET] = packed(count(state["market"])[:6])
    s[kernel.CAMELS_OPEN] = slots.count(kernel.CAMEL)
    s[kernel.DECK_SIZE] = len(state["deck"])
    s[kernel.DECK : kernel.DECK + len(state["deck"])] = [KINDS.index(c) for c in state["deck"]]
    for seat in (0, 1):
        hand, known = state["hands"][seat], state["known"][seat]
        s[kernel.HANDS + seat], s[kernel.SIZES + seat] = packed(hand), sum(hand)
        s[kernel.HERDS + seat] = state["herds"][seat]
        s[kernel.KNOWN + seat] = sum(n << 4 * k for k, n in enumerate(known[:6]))
        s[kernel.KNOWN_HERDS + seat] = known[6]
    s[kernel.TOKENS : kernel.TOKENS + 6] = state["tokens"]
    s[kernel.EMPTY_PILES] = state["tokens"].count(0)
    _write_tokens(s, state)
    return s


def _write_tokens(s: Position, state: dict[str, Any]) -> None:
    """What was won and what is left of the bonus tokens."""
    for i, pile in enumerate(state["bonus"]):
        s[kernel.BONUS_SIZE + i] = len(pile)
        s[kernel.BONUS_AT[i] : kernel.BONUS_AT[i] + len(pile)] = pile
    for seat in (0, 1):
        won, bonuses = state["won"][seat], state["bonuses"][seat]
        s[kernel.RUPEES + seat] = sum(value for _, value in won + bonuses)
        s[kernel.TOKENS_WON + seat], s[kernel.BONUSES_WON + seat] = len(won), len(bonuses)
        for i, (size, value) in enumerate(bonuses):
            s[kernel.BONUS_LOG + 18 * seat + i] = size << 4 | value
    log = _merged(state["won"])
    s[kernel.LOG_SIZE] = len(log)
    s[kernel.LOG : kernel.LOG + len(log)] = log


def _merged(won: list[list[list[Any]]]) -> list[int]:
    """An order in which both seats' tokens can have been won: always from the top of a pile."""
    left = [len(pile) for pile in TOKENS]
    rest = [list(won[0]), list(won[1])]
    log: list[int] = []
    while rest[0] or rest[1]:
        for seat in (0, 1):
            if not rest[seat]:
                continue
            k = GOODS.index(rest[seat][0][0])
            if left[k] and TOKENS[k][left[k] - 1] == rest[seat][0][1]:
                log.append(seat << 3 | k)
                left[k] -= 1
                rest[seat].pop(0)
                break
        else:
            raise ValueError("won: nobody can have won the tokens in this order")
    return log


def to_state(s: Position) -> dict[str, Any]:
    """The state of the rules core that a position stands for; no chip lies on its board."""
    who = None if s[kernel.WHO] < 0 else int(s[kernel.WHO])
    name = PHASES[s[kernel.PHASE]]
    slots = [int(s[kernel.SLOTS]) >> 3 * i & 7 for i in range(5)]
    bonus = [
        s[at : at + n].tolist()
        for at, n in zip(
            kernel.BONUS_AT, s[kernel.BONUS_SIZE : kernel.BONUS_SIZE + 3], strict=True
        )
    ]
    left, won = [len(pile) for pile in TOKENS], [[], []]  # type: ignore[var-annotated]
    for entry in s[kernel.LOG : kernel.LOG + s[kernel.LOG_SIZE]].tolist():
        k = entry & 7
        left[k] -= 1
        won[entry >> 3].append([GOODS[k], TOKENS[k][left[k]]])
    return {
        "options": {
            "empty_sale": bool(s[kernel.EMPTY_SALE]),
            "replay": "same" if s[kernel.REPLAY_SAME] else "other",
        },
        "chance": int(s[kernel.CHANCE]),
        "round": int(s[kernel.ROUND]),
        "starter": int(s[kernel.STARTER]),
        "seals": s[kernel.SEALS : kernel.SEALS + 2].tolist(),
        "laid": {},
        "market": [KINDS[k] for k in slots if k != kernel.NO_CARD],
        "deck": [KINDS[k] for k in s[kernel.DECK : kernel.DECK + s[kernel.DECK_SIZE]]],
        "hands": [unpacked(s[kernel.HANDS + seat]) for seat in (0, 1)],
        "herds": s[kernel.HERDS : kernel.HERDS + 2].tolist(),
        "known": [
            [int(s[kernel.KNOWN + seat]) >> 4 * k & 15 for k in range(6)]
            + [int(s[kernel.KNOWN_HERDS + seat])]
            for seat in (0, 1)
        ],
        "tokens": s[kernel.TOKENS : kernel.TOKENS + 6].tolist(),
        "bonus": bonus,
        "won": won,
        "bonuses": [_bonuses(s, seat) for seat in (0, 1)],
        "phase": [name, who] if name == "turn" else [name, REASONS[s[kernel.REASON]], who],
    }


def _bonuses(s: Position, seat: int) -> list[list[int]]:
    at = kernel.BONUS_LOG + 18 * seat
    return [[each >> 4, each & 15] for each in s[at : at + s[kernel.BONUSES_WON + seat]].tolist()]


def event_of(s: Position, move: int) -> list[Any]:
    """The rules' event of a move of the kernel."""
    move, seat = int(move), int(kernel.on_turn(s))
    kind = move & 7
    if kind == kernel.TAKE:
        return ["take", seat, GOODS[move >> 3]]
    if kind == kernel.SELL:
        return ["sell", seat, GOODS[move >> 3 & 7], move >> 6]
    if kind == kernel.EXCHANGE:
        taken, given = unpacked(move >> 3 & 0o777777), unpacked(move >> 21 & 0o777777)
        return ["exchange", seat, cards_of(taken), cards_of([*given, move >> 39])]
    return ["camels" if kind == kernel.CAMELS else "next_round", seat]


def move_of(event: list[Any]) -> int:
    """The kernel's move of an event of a seat."""
    kind, args = event[0], event[2:]
    if kind == "take":
        return kernel.TAKE | GOODS.index(args[0]) << 3
    if kind == "sell":
        return kernel.SELL | GOODS.index(args[0]) << 3 | args[1] << 6
    if kind == "exchange":
        taken, given = count(args[0]), count(args[1])
        return kernel.EXCHANGE | packed(taken[:6]) << 3 | packed(given[:6]) << 21 | given[6] << 39
    return kernel.CAMELS if kind == "camels" else kernel.NEXT_ROUND
