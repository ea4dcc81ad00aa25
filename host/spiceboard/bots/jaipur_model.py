"""Jaipur as the bots think of it: counts instead of cards, and what a hand may be worth.

Goods are 0 to 5 in the order of the token rows, camels 6. All worths are in rupees; they were set
by hand, once, before any bot that uses them was measured against another.
"""

import random
from typing import Any, TypeVar

from spicecore.games.jaipur.goods import BONUS, CAMEL_TOKEN, CARDS, GOODS, TOKENS

KINDS = [*GOODS, "camel"]
Move = tuple[Any, ...]
# A sale of n cards brings this bonus on average; a set of n cards promises some of the next one.
BONUS_MEAN = (0.0, 0.0, 0.0, 2.0, 5.0, 9.0, 9.0, 9.0, 9.0, 9.0, 9.0)
PROMISE = (0.0, 0.4, 1.2, 2.8, 5.4, 8.0, 8.0, 8.0, 8.0, 8.0, 8.0)
HOLD = (0.85, 0.55)  # of a token not sold yet: early, and near the end of a round
FULL_HAND = (0.0, 0.0, 0.0, 0.0, 0.0, 0.2, 0.8, 2.0)  # for a hand of so many goods
CAMELS = (0.0, 1.1, 2.1, 3.0, 3.7, 4.2, 4.6, 4.9, 5.1, 5.3, 5.4, 5.5)
HERD_LEAD = 1.5
OFFERED = 0.3  # of what a card left in the market is worth to the other
TURNED_UP = 0.25  # for each unknown card that a move turns up for the other


def _worth(k: int, left: int, n: int, late: int) -> float:
    """What n cards of good k promise while `left` tokens are in its pile."""
    if n == 0:
        return 0.0
    values = TOKENS[k][max(0, left - n) : left]
    hold = HOLD[late]
    if k < 3 and n == 1:
        return hold * 0.5 * sum(values)  # it takes a second one to be sold
    return hold * (sum(values) + PROMISE[n] * (0.5 if late else 1.0))


# WORTH[late][good][tokens left][cards]
WORTH = [
    [
        [[_worth(k, left, n, late) for n in range(9)] for left in range(len(TOKENS[k]) + 1)]
        for k in range(6)
    ]
    for late in (0, 1)
]


class Trade:
    """A round in the middle of play: what both hold, what lies open, the deck as guessed."""

    def __init__(self) -> None:
        self.market = [0] * 7
        self.hands = [[0] * 6, [0] * 6]
        self.herds = [0, 0]
        self.left = [0] * 6
        self.bonus: list[list[int]] = [[], [], []]
        self.deck: list[int] = []
        self.points = [0, 0]
        self.bonuses = [0, 0]
        self.turn = 0
        self.over = False
        self.patience = 0  # plies that `value` plays on

    # -- moves

    def moves(self) -> list[tuple[float, Move]]:
        """Moves worth a look, best first: all takes and sales, and the exchanges that pay."""
        me, market = self.turn, self.market
        hand, herd, size = self.hands[me], self.herds[me], sum(self.hands[me])
        late = 1 if len(self.deck) < 6 or sum(1 for n in self.left if n == 0) >= 2 else 0
        worth = [WORTH[late][k][self.left[k]] for k in range(6)]
        gain = [worth[k][hand[k] + 1] - worth[k][hand[k]] for k in range(6)]
        offer = [max(worth[k][2] - worth[k][1], worth[k][1]) for k in range(6)]
        crowd = FULL_HAND[size]
        found: list[tuple[float, Move]] = []
        if size < 7:
            for k in range(6):
                if market[k]:
                    score = gain[k] - FULL_HAND[size + 1] + crowd - TURNED_UP
                    found.append((score - self._offered(offer, k, ()), ("take", k)))
        if market[6]:
            score = self._camel_worth(me, market[6]) - TURNED_UP * market[6]
            found.append((score - self._offered(offer, -1, ()), ("camels",)))
        left_open = self._offered(offer, -1, ())
        for k in range(6):
            for n in range(2 if k < 3 else 1, hand[k] + 1):
                score = self._sale(k, n, late) - worth[k][hand[k]] + crowd - FULL_HAND[size - n]
                found.append((score - left_open, ("sell", k, n)))
        found.extend(self._exchanges(gain, worth, offer, hand, herd, size))
        found.sort(key=lambda item: -item[0])
        return found

    def _sale(self, k: int, n: int, late: int) -> float:
        """What a sale brings at once, and what the cards kept still promise."""
        left = self.left[k]
        brought = float(sum(TOKENS[k][max(0, left - n) : left]))
        if n >= 3 and self.bonus[min(n, 5) - 3]:
            brought += BONUS_MEAN[n]
        return brought + WORTH[late][k][max(0, left - n)][self.hands[self.turn][k] - n]

    def _camel_worth(self, seat: int, more: int) -> float:
        """What `more` camels (or fewer, when negative) add to a herd."""
        before, other = self.herds[seat], self.herds[1 - seat]
        after = before + more
        lead = HERD_LEAD * ((after > other) - (before > other))
        return CAMELS[min(after, 11)] - CAMELS[min(before, 11)] + lead

    def _offered(self, offer: list[float], but: int, also: tuple[int, ...]) -> float:
        """What the best card that stays in the market (one of `but` less) is to the other."""
        best = 0.0
        for k in range(6):
            n = self.market[k] - (1 if k == but else 0)
            if (n > 0 or k in also) and offer[k] > best:
                best = offer[k]
        return OFFERED * best

    def _exchanges(
        self,
        gain: list[float],
        worth: list[list[float]],
        offer: list[float],
        hand: list[int],
        herd: int,
        size: int,
    ) -> list[tuple[float, Move]]:
        """For each number of cards the dearest goods of the market against the cheapest cards."""
        wanted: list[tuple[float, int]] = []
        for k in range(6):
            for i in range(self.market[k]):
                n = min(hand[k] + i, 7)
                wanted.append((worth[k][n + 1] - worth[k][n], k))
        wanted.sort(reverse=True)
        found = []
        for first in range(min(2, max(0, len(wanted) - 1))):  # once without the dearest
            for n in range(2, len(wanted) - first + 1):
                taken = sorted(k for _, k in wanted[first : first + n])
                given = self._payment(n, set(taken), worth, hand, herd, size)
                if given is not None:
                    found.append(self._exchange(taken, given, worth, offer))
        return found

    def _payment(
        self,
        n: int,
        taken: set[int],
        worth: list[list[float]],
        hand: list[int],
        herd: int,
        size: int,
    ) -> list[int] | None:
        """The n cards that cost least, of kinds that are not taken, or camels if there is room."""
        costs: list[tuple[float, int]] = []
        for k in range(6):
            if k not in taken:
                for i in range(hand[k]):
                    costs.append((worth[k][hand[k] - i] - worth[k][hand[k] - i - 1], k))
        room = min(herd, 7 - size, n)
        for i in range(room):
            costs.append(
                (-self._camel_worth(self.turn, -i - 1) + self._camel_worth(self.turn, -i), 6)
            )
        if len(costs) < n:
            return None
        costs.sort()
        return sorted(k for _, k in costs[:n])

    def _exchange(
        self, taken: list[int], given: list[int], worth: list[list[float]], offer: list[float]
    ) -> tuple[float, Move]:
        me = self.turn
        hand, size = self.hands[me], sum(self.hands[me])
        camels = given.count(6)
        score = self._camel_worth(me, -camels) + FULL_HAND[size] - FULL_HAND[size + camels]
        for k in range(6):
            n = hand[k] + taken.count(k) - given.count(k)
            score += worth[k][min(n, 8)] - worth[k][hand[k]]
        best = 0.0
        for k in range(6):
            if self.market[k] - taken.count(k) + given.count(k) > 0 and offer[k] > best:
                best = offer[k]
        return score - OFFERED * best, ("exchange", tuple(taken), tuple(given))

    # -- playing

    def play(self, move: Move) -> None:
        """Do a move of the seat on turn."""
        me, kind = self.turn, move[0]
        if kind == "take":
            self.market[move[1]] -= 1
            self.hands[me][move[1]] += 1
            self._refill(1)
        elif kind == "camels":
            n = self.market[6]
            self.herds[me] += n
            self.market[6] = 0
            self._refill(n)
        elif kind == "sell":
            self._sell(me, move[1], move[2])
        else:
            for k in move[1]:
                self.market[k] -= 1
                self.hands[me][k] += 1
            for k in move[2]:
                self.market[k] += 1
                if k == 6:
                    self.herds[me] -= 1
                else:
                    self.hands[me][k] -= 1
        self.turn = 1 - me

    def _refill(self, n: int) -> None:
        for _ in range(n):
            if not self.deck:
                self.over = True
                return
            self.market[self.deck.pop()] += 1

    def _sell(self, me: int, k: int, n: int) -> None:
        left = self.left[k]
        brought = min(left, n)
        self.points[me] += sum(TOKENS[k][left - brought : left])
        self.left[k] = left - brought
        self.hands[me][k] -= n
        if n >= 3:
            pile = self.bonus[min(n, 5) - 3]
            if pile:
                self.points[me] += pile.pop()
                self.bonuses[me] += 1
        if self.left[k] == 0 and sum(1 for each in self.left if each == 0) >= 3:
            self.over = True

    # -- what it comes to

    def value(self) -> float:
        """How likely seat 0 wins the round: by what both have, after a few plies more."""
        for _ in range(self.patience):
            if self.over:
                break
            self.play(self.moves()[0][1])
        lead = self.lead()
        if self.over:
            return 0.5 if lead == 0 else float(lead > 0)
        sureness = 3.0 + 0.35 * len(self.deck)
        return min(1.0, max(0.0, 0.5 + lead / sureness / 6.0))

    def lead(self) -> float:
        """Rupees that seat 0 is ahead, those that hands and herds promise included."""
        lead = float(self.points[0] - self.points[1])
        herds = self.herds
        if self.over:
            if herds[0] != herds[1]:
                lead += CAMEL_TOKEN if herds[0] > herds[1] else -CAMEL_TOKEN
            return lead + 0.1 * (self.bonuses[0] - self.bonuses[1])
        late = 1 if len(self.deck) < 6 else 0
        for k in range(6):
            rows = WORTH[late][k][self.left[k]]
            lead += rows[self.hands[0][k]] - rows[self.hands[1][k]]
        lead += CAMELS[min(11, herds[0])] - CAMELS[min(11, herds[1])]
        return lead + HERD_LEAD * ((herds[0] > herds[1]) - (herds[0] < herds[1]))


def hidden(view: dict[str, Any]) -> tuple[list[int], int]:
    """Cards that the seat cannot see (the deck and the opponent's unknown ones), and the herd.

    The other's herd follows from what is open: 55 cards less those in sight, deck and hands.
    """
    seat = view["seat"]
    other = 1 - seat
    counts = list(CARDS)
    for card in [*view["market"], *view["hand"]]:
        counts[KINDS.index(card)] -= 1
    counts[6] -= view["herd"]
    for k in range(6):
        counts[k] -= view["discard"][k] + view["known"][other][k]
    unknown = view["hand_sizes"][other] - sum(view["known"][other][:6])
    herd = sum(counts) - view["deck"] - unknown
    counts[6] -= herd
    return [k for k in range(7) for _ in range(counts[k])], herd


T = TypeVar("T", bound=Trade)


def guess(view: dict[str, Any], chance: random.Random, kind: type[T]) -> T:
    """A world, of a kind of Trade, that agrees with everything the seat may know."""
    seat = view["seat"]
    other = 1 - seat
    cards, herd = hidden(view)
    trade = kind()
    for card in view["market"]:
        trade.market[KINDS.index(card)] += 1
    for card in view["hand"]:
        trade.hands[seat][KINDS.index(card)] += 1
    trade.herds[seat], trade.herds[other] = view["herd"], herd
    trade.left = [len(pile) for pile in view["tokens"]]
    chance.shuffle(cards)
    trade.hands[other] = list(view["known"][other][:6])
    missing = view["hand_sizes"][other] - sum(trade.hands[other])
    for card in cards:
        if card != 6 and missing:
            trade.hands[other][card] += 1
            missing -= 1
        else:
            trade.deck.append(card)
    chance.shuffle(trade.deck)
    _guess_bonuses(trade, view, chance)
    trade.turn = seat
    return trade


def _guess_bonuses(trade: Trade, view: dict[str, Any], chance: random.Random) -> None:
    """Points won so far; the other's bonus tokens are drawn from those not in sight."""
    seat = view["seat"]
    piles = [list(pile) for pile in BONUS]
    for size, value in view["bonuses"]:
        piles[size - 3].remove(value)
        trade.points[seat] += value
    for pile in piles:
        chance.shuffle(pile)
    for size in view["bonus_sizes"][1 - seat]:
        trade.points[1 - seat] += piles[size - 3].pop()
    trade.bonus = piles
    for each in (0, 1):
        trade.bonuses[each] = len(view["bonus_sizes"][each])
        trade.points[each] += sum(value for _, value in view["won"][each])
