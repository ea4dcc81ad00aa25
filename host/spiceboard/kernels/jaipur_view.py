"""Make a position of Jaipur's kernel from what a seat may know, and from nothing else."""

from typing import Any

from spiceboard.bots.jaipur_model import hidden
from spiceboard.kernels.jaipur_text import Position, from_state
from spicecore.games.jaipur.goods import BONUS, KINDS, count


def from_view(view: dict[str, Any]) -> Position:
    """The position for `view(state, seat)`. What the seat cannot see is dealt in a fixed order.

    Searches deal it at random before they use it.
    """
    seat = view["seat"]
    other = 1 - seat
    cards, herd = hidden(view)
    unknown = view["hand_sizes"][other] - sum(view["known"][other][:6])
    hand = list(view["known"][other][:6])
    deck = []
    for card in sorted(cards):
        if card != 6 and unknown:
            hand[card] += 1
            unknown -= 1
        else:
            deck.append(KINDS[card])
    piles, bonuses = bonus_tokens(view)
    return from_state(
        {
            "options": view["options"],
            "chance": 1,
            "round": view["round"],
            "starter": view["starter"],
            "seals": view["seals"],
            "phase": view["phase"],
            "market": view["market"],
            "deck": deck,
            "hands": by_seat(seat, count(view["hand"])[:6], hand),
            "herds": by_seat(seat, view["herd"], herd),
            "known": view["known"],
            "tokens": [len(pile) for pile in view["tokens"]],
            "bonus": piles,
            "won": view["won"],
            "bonuses": by_seat(seat, view["bonuses"], bonuses),
        }
    )


def by_seat(seat: int, own: Any, other: Any) -> list[Any]:
    """The two in the order of their seats."""
    return [own, other] if seat == 0 else [other, own]


def bonus_tokens(view: dict[str, Any]) -> tuple[list[list[int]], list[list[int]]]:
    """(piles, the other's tokens [size, value]) made of the bonus tokens that the seat lacks."""
    piles = [sorted(pile) for pile in BONUS]
    for size, value in view["bonuses"]:
        piles[size - 3].remove(value)
    theirs = [[size, piles[size - 3].pop()] for size in view["bonus_sizes"][1 - view["seat"]]]
    return piles, theirs
