"""Bots for Safranito: one plays at random, one plans which spices its blends need, one searches.

The plan is made again from the seat's view before every decision. All values are in rupees.
"""

from typing import Any

from spiceboard.bots.bot import Bot, Event, RandomBot, View, beginner, maker
from spiceboard.bots.compiled import CompiledBot
from spiceboard.bots.safranito_memory import Memory
from spiceboard.bots.safranito_model import ANY_CARD, GUESS, LATE, TASTE, throws_of
from spiceboard.bots.targets import BOWLS, ZONES
from spiceboard.words import N_

# Worth of a card by the number of spices that a blend lacks without it.
WORTH = {0: 0, 1: 260, 2: 130, 3: 60}
HITS = {"bowl": 0.85, "action": 0.45}  # how often a soft throw ends in its zone
SOFT, FIRM = 0.1, 0.5
ROUNDS_PLAYED = 12000  # that the strong bot plays out for a decision, at most about


class Random(RandomBot):
    """Any legal decision, any chip at any zone; it never declares a throw as missed unthrown."""

    def decide(self, view: View, legal: list[Event]) -> Event:
        events = [event for event in legal if event[0] != "missed"]
        return self.chance.choice(events or legal)

    def aim(self, view: View, legal: list[Event]) -> dict[str, Any]:
        return {
            "chip": self.chance.choice(throws_of(legal)),
            "zone": self.chance.choice(ZONES),
            "strength": round(self.chance.random(), 2),
        }


class Plan:
    """What a seat's cards are worth to it, from its own view."""

    def __init__(self, view: View) -> None:
        you = view["you"]
        self.seat: int = you["seat"]
        self.money: int = you["money"]
        self.hand: dict[str, int] = dict(you["hand"])
        self.display: dict[str, int] = view["display"]
        self.cooked = len(view["cooked"][self.seat])
        blends = [set(spices) for _, spices in [*you["reserved"], *view["open"]]]
        self.blends = sorted(
            blends, key=lambda spices: (len(self.missing(spices)), sorted(spices))
        )
        self.surplus = self._surplus()

    def missing(self, spices: set[str]) -> set[str]:
        """Spices of a blend that are not in hand."""
        return {spice for spice in spices if not self.hand.get(spice)}

    def _surplus(self) -> dict[str, int]:
        """Cards that none of the nearest blends needs, one card each blend."""
        left = dict(self.hand)
        for spices in self.blends[: 4 - self.cooked]:
            if len(self.missing(spices)) < 3:
                for spice in spices:
                    if left.get(spice):
                        left[spice] -= 1
        return {spice: count for spice, count in left.items() if count}

    def worth(self, spice: str) -> int:
        """Of one more card of the spice."""
        best = ANY_CARD
        for spices in self.blends:
            missing = self.missing(spices)
            if spice in missing:
                best = max(best, WORTH[len(missing)])
        return best

    def keep_worth(self, spice: str) -> int:
        """Of a card in hand: what would be lost with it."""
        if self.surplus.get(spice):
            return ANY_CARD
        without = {**self.hand, spice: self.hand[spice] - 1}
        best = ANY_CARD
        for spices in self.blends:
            if spice in spices:
                missing = sum(not without.get(other) for other in spices)
                best = max(best, WORTH[missing])
        return best


class Sensible:
    """Sells what no blend needs, buys and fetches what one needs, cooks as soon as it can."""

    def __init__(self, seat: int, seed: int) -> None:
        self.seat = seat
        self.fallback = Random(seat, seed)

    def hear(self, told: list[Any]) -> None:
        """It goes by what it sees."""

    def decide(self, view: View, legal: list[Event]) -> Event:
        """The event by the phase; anything a later version of the game adds falls to chance."""
        if throws_of(legal):
            return next(event for event in legal if event[0] == "moved")
        by_phase = {
            "sale": self._sale,
            "buy": self._buy,
            "choose": self._choose,
            "keep": self._keep,
            "cook": self._cook,
        }
        decision = by_phase.get(view["phase"][0])
        if decision:
            return decision(Plan(view), view, legal)
        wanted = ("reveal", "draw", "reserve", "take", "next_round")
        for event in legal:
            if event[0] in wanted:
                return event
        return self.fallback.decide(view, legal)

    def _sale(self, plan: Plan, view: View, legal: list[Event]) -> Event:
        bowl, price = view["bowl"], view["price"]
        close = next((event for event in legal if event[0] == "close"), None)
        if view["offers"][self.seat] is not None and close:
            return close
        count = 0
        have = plan.hand.get(bowl, 0)
        if have and price > plan.keep_worth(bowl) * (1 if plan.money < 100 else 1.3):
            count = plan.surplus.get(bowl, 0) or have
        return ["sell", self.seat, count]

    def _buy(self, plan: Plan, view: View, legal: list[Event]) -> Event:
        can = ["buy", self.seat] in legal
        if can and view["total"] <= plan.worth(view["bowl"]):
            return ["buy", self.seat]
        return ["decline", self.seat]

    def _choose(self, plan: Plan, view: View, legal: list[Event]) -> Event:
        """Sales first, for money; then the bowl with the most useful spice."""

        def key(event: Event) -> tuple[int, int, str]:
            bowl = event[2]
            there = view["zones"].get(bowl, [])
            own = any(seat == self.seat for seat, _ in there)
            worth = plan.worth(bowl) if own and plan.display.get(bowl) else 0
            return plan.surplus.get(bowl, 0) * len(there), worth, bowl

        return max(legal, key=key)

    def _keep(self, plan: Plan, view: View, legal: list[Event]) -> Event:
        return max(legal, key=lambda event: (plan.worth(event[2]), event[2]))

    def _cook(self, plan: Plan, view: View, legal: list[Event]) -> Event:
        for kind in ("cook_open", "cook_reserved", "no_open", "done"):
            found = [event for event in legal if event[0] == kind]
            if found:
                return found[0]
        return legal[0]

    # -- throwing

    def aim(self, view: View, legal: list[Event]) -> dict[str, Any]:
        """The chip and zone that promise most."""
        plan = Plan(view)
        options = [
            (self._promise(plan, view, chip, zone) * self._taste(), chip, zone)
            for chip in sorted(throws_of(legal))
            for zone in ZONES
        ]
        _, chip, zone = max(options)
        crowd = view["zones"].get(zone, [])
        foes = sum(seat != self.seat for seat, _ in crowd)
        strength = FIRM if foes > len(crowd) - foes and zone in BOWLS else SOFT
        return {"chip": chip, "zone": zone, "strength": strength}

    def _taste(self) -> float:
        """Players of one mind would all throw into the same bowl."""
        return self.fallback.chance.uniform(1 - TASTE, 1)

    def _promise(self, plan: Plan, view: View, chip: str, zone: str) -> float:
        """Expected worth of a throw."""
        value = int(chip[1:])
        if zone not in BOWLS:
            return HITS["action"] * self._action(plan, view, value, zone)
        sale = self._sale_promise(plan, view, value, zone)
        return HITS["bowl"] * max(sale, self._purchase(plan, view, value, zone))

    def _sale_promise(self, plan: Plan, view: View, value: int, zone: str) -> float:
        """A chip raises the price of cards that no one needs."""
        cards = plan.surplus.get(zone, 0)
        need = LATE if plan.money < 150 else LATE / 2
        return need * cards * value

    def _purchase(self, plan: Plan, view: View, value: int, zone: str) -> float:
        """A chip in the bowl of a spice that lies on display, against those of the others."""
        cards = plan.display.get(zone, 0)
        if not cards:
            return 0.0
        own, totals = self._totals(view, zone)
        if own:  # there already: a second chip only raises the own price, unless others lead
            if own > max(totals, default=0) or cards > len(totals):
                return 0.0
        total = own + value
        if total > plan.money:
            return 0.0
        ahead = sum(other >= total for other in totals)
        expected = 1.0 if ahead < cards else 0.2
        if not totals and cards == 1:
            expected = 0.5 + value / 120  # others may still come: a high chip holds the place
        return expected * (plan.worth(zone) - LATE / 2 * total)

    def _totals(self, view: View, zone: str) -> tuple[int, list[int]]:
        """My total in a zone, and a guess of each other seat's."""
        own = sum(int(chip[1:]) for chip, where in view["you"]["chips"].items() if where == zone)
        others: dict[int, int] = {}
        for seat, value in view["zones"].get(zone, []):
            if seat != self.seat:
                others[seat] = others.get(seat, 0) + (value or GUESS)
        return own, list(others.values())

    def _action(self, plan: Plan, view: View, value: int, zone: str) -> float:
        """An action space is worth what it gives, if nobody else has more chips there."""
        own, totals = self._totals(view, zone)
        if own and own >= max(totals, default=0):
            return 0.0
        wins = 0.8 if own + value > max(totals, default=0) else 0.15
        if zone == "spice_card":
            best = sorted((plan.worth(bowl) for bowl in BOWLS), reverse=True)
            cards = value // 10
            seen = best[max(0, 4 - cards)]  # of six cards one of the most wanted is among them
            return wins * seen
        if zone == "reserve":
            return wins * (120 if len(plan.blends) < 4 else 60) if view["pile"] else 0.0
        return wins * (30 if zone == "extra_throw" else 15)


class Strong(CompiledBot):
    """Plays rounds out for many guesses of what is hidden, and knows how games go on from there.

    It needs the compiled kernels (the extra `fast`).
    """

    def __init__(self, seat: int, seed: int) -> None:
        super().__init__(seat, seed)
        from spiceboard.kernels import safranito_player, safranito_search  # here: they need numba

        self.think = safranito_player.think
        self.kernel = safranito_search.search
        self.memory = Memory()
        self.otherwise = Sensible(seat, seed)
        self.thrown: dict[str, Any] | None = None

    def decide(self, view: View, legal: list[Event]) -> Event:
        memory = self.memory.look(view)
        if len(legal) == 1 and not throws_of(legal):
            return legal[0]
        chance = self.chance.randrange(1, 1 << 30)
        event, self.thrown = self.think(view, legal, memory, ROUNDS_PLAYED, chance)
        # on a real board chips may still have to be lifted first
        return event if event in legal else self.otherwise.decide(view, legal)

    def hear(self, told: list[Any]) -> None:
        self.memory.hear(told)

    def aim(self, view: View, legal: list[Event]) -> dict[str, Any]:
        """The throw that was decided."""
        if self.thrown is None or self.thrown["chip"] not in throws_of(legal):
            return self.otherwise.aim(view, legal)
        return self.thrown


def make_random(seat: int, seed: int) -> Bot:
    """The random bot."""
    return Random(seat, seed)


def make_sensible(seat: int, seed: int) -> Bot:
    """The bot with a plan."""
    return Sensible(seat, seed)


BOTS = {
    "random": make_random,
    "beginner": beginner(make_sensible, Random),
    "sensible": make_sensible,
    "strong": maker(Strong),
}
COMPILED = ("strong",)
THINKS = {
    "sensible": N_("which blends are near: it buys what they lack and sells the rest"),
    "strong": N_("which chip to throw where, whom to push away, prices to come, the next rounds"),
}
