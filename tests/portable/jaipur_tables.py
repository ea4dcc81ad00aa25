"""Positions of Jaipur for the tests, built so that all 55 cards and 56 tokens are somewhere."""

from spicecore.games.jaipur import rules as jaipur
from spicecore.games.jaipur.goods import BONUS, CARDS, KINDS, TOKENS, count

LETTERS = "dgscplm"


def cards(letters: str) -> list:
    """ "ddm" -> ["diamond", "diamond", "camel"]."""
    return [KINDS[LETTERS.index(letter)] for letter in letters]


def table(
    market: str = "mmmcl",
    hands: tuple = ("dgscp", "dgscp"),
    herds: tuple = (0, 0),
    sold: tuple = ("", ""),
    deck: str | None = None,
    turn: int = 0,
    bonuses: tuple = ((), ()),
    **options: object,
) -> dict:
    """A position of seat `turn`: `sold` are cards that a seat sold (tokens follow), in order.

    The deck is every card that lies nowhere else, the last letter of `deck` on top (drawn first);
    without `deck`, in the order of KINDS. Bonus tokens lie sorted, the highest on top.
    """
    options["first"] = turn
    state = jaipur.new(options)
    state["market"] = cards(market)
    state["hands"] = [count(cards(hand))[:6] for hand in hands]
    state["herds"] = list(herds)
    state["won"] = [[], []]
    left = [len(pile) for pile in TOKENS]
    rest = list(CARDS)
    for seat in (0, 1):
        for letter in sold[seat]:
            k = LETTERS.index(letter)
            if left[k]:
                left[k] -= 1
                state["won"][seat].append([KINDS[k], TOKENS[k][left[k]]])
    for place in [market, hands[0], hands[1], sold[0], sold[1]]:
        for letter in place:
            rest[LETTERS.index(letter)] -= 1
    rest[6] -= sum(herds)
    state["sold"] = count(cards(sold[0] + sold[1]))[:6]
    state["tokens"] = left
    state["bonus"] = [list(pile) for pile in BONUS]
    for seat in (0, 1):
        for size, value in bonuses[seat]:
            state["bonus"][size - 3].remove(value)
            state["bonuses"][seat].append([size, value])
    top = deck or ""
    for letter in top:
        rest[LETTERS.index(letter)] -= 1
    assert min(rest) >= 0, rest
    state["deck"] = (
        [] if deck == "" else cards("".join(c * n for c, n in zip(LETTERS, rest)) + top)
    )
    if deck != "":
        assert jaipur.parse(jaipur.text(state)) == state
    return state


def kinds(state: dict, seat: int) -> set:
    """The kinds of event that are legal."""
    return {event[0] for event in jaipur.legal(state, seat)}


def refused(state: dict, event: object) -> str:
    """The code with which an event is refused; fails when it is accepted or changes anything."""
    before = jaipur.text(state)
    after, effects = jaipur.step(state, event)
    assert after is state and jaipur.text(state) == before
    assert len(effects) == 1 and effects[0][1] == "refused", effects
    assert effects[0][3].endswith("."), effects
    return effects[0][2]


def done(state: dict, event: list) -> dict:
    """The state after a legal event; the given state must stay as it was."""
    before = jaipur.text(state)
    assert event in jaipur.legal(state, event[1]), event
    after, effects = jaipur.step(state, event)
    assert jaipur.text(state) == before
    assert not any(effect[1] == "refused" for effect in effects), effects
    return after
