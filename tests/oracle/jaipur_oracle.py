"""A second Jaipur, slow and plain, written from the rule text; it imports nothing of the firmware.

Cards and tokens are things in piles: a card is its name, a token a pair (what, value). What may be
done is found by trying every subset of cards, not by counting.
"""

from itertools import combinations
from typing import Any

ORDER = ["diamond", "gold", "silver", "cloth", "spice", "leather", "camel"]
CARDS = {"diamond": 6, "gold": 6, "silver": 6, "cloth": 8, "spice": 8, "leather": 10, "camel": 11}
PILES = {
    "diamond": [7, 7, 5, 5, 5],
    "gold": [6, 6, 5, 5, 5],
    "silver": [5, 5, 5, 5, 5],
    "cloth": [5, 3, 3, 2, 2, 1, 1],
    "spice": [5, 3, 3, 2, 2, 1, 1],
    "leather": [4, 3, 2, 1, 1, 1, 1, 1, 1],
}
BONUS = {3: [1, 1, 2, 2, 2, 3, 3], 4: [4, 4, 5, 5, 6, 6], 5: [8, 8, 9, 10, 10]}
Event = tuple[Any, ...]


class Merchant:
    """One player's side of the table."""

    def __init__(self, dealt: list[str]) -> None:
        self.hand = [card for card in dealt if card != "camel"]
        self.herd = dealt.count("camel")
        self.goods_tokens: list[tuple[str, int]] = []
        self.bonus_tokens: list[tuple[int, int]] = []


class Round:
    """One week of trade, from a deal that somebody else shuffled."""

    def __init__(
        self,
        dealt: list[list[str]],
        market: list[str],
        deck: list[str],
        bonus: dict[int, list[int]],
        starter: int,
    ) -> None:
        self.players = [Merchant(dealt[0]), Merchant(dealt[1])]
        self.market = list(market)
        self.deck = list(deck)  # the first is the top one
        self.bonus = {size: list(pile) for size, pile in bonus.items()}  # first on top
        self.piles = {good: list(values) for good, values in PILES.items()}
        self.discard: list[str] = []
        self.turn = starter
        self.ended = ""
        together = [*dealt[0], *dealt[1], *market, *deck]
        if sorted(together) != sorted(card for card, n in CARDS.items() for _ in range(n)):
            raise AssertionError("the deal is not made of the 55 cards")
        if market[:3] != ["camel"] * 3 or len(market) != 5 or [len(d) for d in dealt] != [5, 5]:
            raise AssertionError("the deal is not three camels, two cards, five cards each")
        if {size: sorted(pile) for size, pile in bonus.items()} != BONUS:
            raise AssertionError("the bonus piles are not those of the box")

    # -- what may be done

    def legal(self) -> set[Event]:
        """Every event of the player on turn, as tuples."""
        if self.ended:
            return set()
        me = self.players[self.turn]
        found: set[Event] = set()
        for card in set(self.market):
            if card == "camel":
                found.add(("camels", self.turn))
            elif len(me.hand) < 7:
                found.add(("take", self.turn, card))
        for good in set(me.hand):
            least = 2 if good in ("diamond", "gold", "silver") else 1
            for n in range(least, me.hand.count(good) + 1):
                found.add(("sell", self.turn, good, n))
        return found | self._exchanges(me)

    def _exchanges(self, me: Merchant) -> set[Event]:
        found: set[Event] = set()
        goods = [card for card in self.market if card != "camel"]
        mine = me.hand + ["camel"] * min(me.herd, 5)
        for size in range(2, len(goods) + 1):
            wanted = {in_order(some) for some in combinations(goods, size)}
            offered = {in_order(some) for some in combinations(mine, size)}
            for taken in wanted:
                for given in offered:
                    if set(taken) & set(given):
                        continue
                    left = len(me.hand) - sum(1 for card in given if card != "camel") + size
                    if left <= 7:
                        found.add(("exchange", self.turn, taken, given))
        return found

    # -- doing it

    def play(self, event: Event) -> None:
        """Do what the player on turn chose; trusts that it is legal."""
        me = self.players[self.turn]
        if event[0] == "take":
            me.hand.append(event[2])
            self.market.remove(event[2])
            self._refill()
        elif event[0] == "camels":
            while "camel" in self.market:
                self.market.remove("camel")
                me.herd += 1
            self._refill()
        elif event[0] == "exchange":
            self._exchange(me, list(event[2]), list(event[3]))
        else:
            self._sell(me, event[2], event[3])
        if not self.ended and sum(1 for pile in self.piles.values() if not pile) >= 3:
            self.ended = "piles"
        if not self.ended:
            self.turn = 1 - self.turn

    def _refill(self) -> None:
        while len(self.market) < 5:
            if not self.deck:
                self.ended = "deck"
                return
            self.market.append(self.deck.pop(0))

    def _exchange(self, me: Merchant, taken: list[str], given: list[str]) -> None:
        for card in given:
            if card == "camel":
                me.herd -= 1
            else:
                me.hand.remove(card)
            self.market.append(card)
        for card in taken:
            self.market.remove(card)
            me.hand.append(card)

    def _sell(self, me: Merchant, good: str, n: int) -> None:
        for _ in range(n):
            me.hand.remove(good)
            self.discard.append(good)
            if self.piles[good]:
                me.goods_tokens.append((good, self.piles[good].pop(0)))
        size = 5 if n > 5 else n
        if size >= 3 and self.bonus[size]:
            me.bonus_tokens.append((size, self.bonus[size].pop(0)))

    # -- counting

    def camel_token(self) -> int | None:
        """Who has more camels, if somebody has."""
        mine, yours = self.players[0].herd, self.players[1].herd
        return None if mine == yours else (0 if mine > yours else 1)

    def rupees(self, seat: int) -> int:
        """All the tokens of a player, the camel token among them."""
        player = self.players[seat]
        camels = 5 if self.camel_token() == seat else 0
        goods = sum(value for _, value in player.goods_tokens)
        return goods + sum(value for _, value in player.bonus_tokens) + camels

    def winner(self) -> int | None:
        """The richest; then more bonus tokens; then more goods tokens; then nobody."""
        for measure in (
            self.rupees,
            lambda seat: len(self.players[seat].bonus_tokens),
            lambda seat: len(self.players[seat].goods_tokens),
        ):
            if measure(0) != measure(1):
                return 0 if measure(0) > measure(1) else 1
        return None


class Match:
    """Rounds until one merchant has two seals of excellence."""

    def __init__(self) -> None:
        self.seals = [0, 0]
        self.first: int | None = None
        self.round: Round | None = None

    def open(self, new: Round) -> None:
        """Begin a round, by the loser of the last one; after a full tie by the other starter."""
        if self.first is not None and new.turn != self.first:
            raise AssertionError("the wrong player starts the round")
        self._starter = new.turn
        self.round = new

    def play(self, event: Event) -> None:
        """A turn; at the end of the round the seal, and who starts the next one."""
        assert self.round is not None
        self.round.play(event)
        if self.round.ended:
            won = self.round.winner()
            if won is None:
                self.first = 1 - self._starter
            else:
                self.seals[won] += 1
                self.first = 1 - won

    def over(self) -> bool:
        """Whether somebody is the Maharaja's merchant."""
        return 2 in self.seals


def in_order(cards: tuple[str, ...]) -> tuple[str, ...]:
    """Cards in the order of the token rows, camels last."""
    return tuple(sorted(cards, key=ORDER.index))
