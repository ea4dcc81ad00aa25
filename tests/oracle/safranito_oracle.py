"""A second, slow Safranito, written from the rule text and docs/notation.md only.

It shares no line and no import with the firmware. Cards lie in plain lists, chips are named,
every question is answered by looking at the whole table, and a refused event is undone by a
deep copy: slow, and easy to compare with the rule book. `Game.play(event)` answers with the
effects; `view` and `legal` are what a seat may know and do.
"""

import copy

SPICES = "curry ginger cardamom chili saffron garlic mint cumin cinnamon".split()
SPACES = "extra_throw spice_card reserve head_chef".split()
ZONES = SPICES + SPACES
COLOURS = "brgo"
VALUES = (10, 20, 30, 40, 50, 60)
MAX = 2**30 - 1
THROWS = {2: 4, 3: 4, 4: 3}
OPEN = {2: 2, 3: 2, 4: 3}
LAID = {2: 4, 3: 5, 4: 6}
BLENDS = [
    text.split()
    for text in (
        "curry ginger cardamom,chili mint cinnamon,garlic cumin saffron,curry chili garlic,"
        "ginger cumin cinnamon,cardamom mint saffron,curry mint cumin,ginger chili saffron,"
        "cardamom garlic cinnamon,curry saffron cinnamon,ginger garlic mint,cardamom chili cumin,"
        "curry ginger chili,cardamom cumin saffron,garlic mint cinnamon,curry cardamom garlic,"
        "ginger mint cumin,chili saffron cinnamon"
    ).split(",")
]
DEFAULTS = {
    "tie": "chef_first",
    "purses": "secret",
    "sales": "open",
    "decline": "all",
    "action_chips": "stay",
}
PLACE = {zone: place for place, zone in enumerate(ZONES)}
PLACE[None] = 99


class Refusal(Exception):
    """An event that the rules do not allow; its text is the code."""


def seat_of(chip):
    return COLOURS.index(chip[0])


def value_of(chip):
    return int(chip[1:])


def whole(thing):
    return isinstance(thing, int) and not isinstance(thing, bool)


def copied(thing):
    """A copy of everything below a thing, so that nothing is shared."""
    if isinstance(thing, dict):
        return {key: copied(value) for key, value in thing.items()}
    if isinstance(thing, list):
        return [copied(value) for value in thing]
    if isinstance(thing, set):
        return set(thing)
    return Dice(thing.x) if isinstance(thing, Dice) else thing


class Dice:
    """The numbers of docs/notation.md, `Chance`."""

    def __init__(self, x):
        self.x = x

    @classmethod
    def from_seed(cls, seed):
        dice = cls((seed * 0x9E3779B1 + 0x7F4A7C15) % MAX + 1)
        for _ in range(8):
            dice.next()
        return dice

    def next(self):
        self.x ^= self.x << 7 & MAX
        self.x ^= self.x >> 9
        self.x ^= self.x << 10 & MAX

    def below(self, n):
        while True:
            self.next()
            if self.x <= MAX - MAX % n:
                return (self.x - 1) % n

    def shuffle(self, cards):
        for i in reversed(range(1, len(cards))):
            j = self.below(i + 1)
            cards[i], cards[j] = cards[j], cards[i]


class Game:
    """One game; all attributes are what lies on the table and in the hands."""

    def __init__(self, options):
        self.n = options["players"]
        self.full = options.get("mode", "full") == "full"
        self.options = {key: options.get(key, usual) for key, usual in DEFAULTS.items()}
        self.dice = Dice.from_seed(options.get("seed", 0))
        chef = options.get("chef")
        self.chef = self.dice.below(self.n) if chef is None else chef
        self.round = 1
        self.phase = ["throw", 0]
        self.lying, self.astray = {}, {}
        self.revealed, self.seen = set(), set()
        self.missed = [0] * self.n
        self.closed = set()  # bowls that nothing may come into any more in this round
        self.reserved = [[] for _ in range(self.n)]
        self.cooked = [[] for _ in range(self.n)]
        self.hands = [[] for _ in range(self.n)]
        self.money = [200] * self.n
        self.deck, self.discard, self.display = [], [], []
        self.pile = list(range(18)) if self.full else [-1] * 18
        if self.full:
            self.deck = [spice for spice in SPICES for _ in range(6)]
            self.dice.shuffle(self.deck)
            self.dice.shuffle(self.pile)
        self.open = [self.pile.pop(0) for _ in range(OPEN[self.n])]
        if self.full:
            self.display = [self.deck.pop(0) for _ in range(LAID[self.n])]
        self.said = []

    # ---- looking at the table

    def all_throws(self):
        return self.n * THROWS[self.n]

    def clockwise(self):
        return [(self.chef + step) % self.n for step in range(self.n)]

    def tie_order(self):
        order = self.clockwise()
        return order if self.options["tie"] == "chef_first" else order[1:] + order[:1]

    def chips_in(self, zone, seat=None):
        chips = [chip for chip, where in self.lying.items() if where == zone]
        return [chip for chip in chips if seat is None or seat_of(chip) == seat]

    def total(self, zone, seat=None):
        return sum(value_of(chip) for chip in self.chips_in(zone, seat))

    def highest(self, zone):
        """Seat with the highest total there; the first of the tie order among equals."""
        present = [seat for seat in self.tie_order() if self.chips_in(zone, seat)]
        return max(present, key=lambda seat: self.total(zone, seat))  # max keeps the first

    def top_chip(self, zone, seat):
        return max(self.chips_in(zone, seat), key=value_of)

    def believed(self, chip):
        return self.astray[chip] if chip in self.astray else self.lying.get(chip)

    def bowls_in_use(self):
        return any(where in SPICES for where in self.lying.values())

    def throwing(self):
        return self.phase[0] in ("throw", "extra_throw")

    # ---- telling

    def say(self, *words, to=None):
        self.said.append([to, *words])

    def say_home(self, zone, chips):
        if chips:
            seats = sorted({seat_of(chip) for chip in chips})
            groups = [[s, sum(seat_of(chip) == s for chip in chips)] for s in seats]
            self.say("home", zone, groups)

    def say_revealed(self, zone):
        chips = self.chips_in(zone)
        self.revealed |= set(chips)
        pairs = sorted([seat_of(chip), -value_of(chip)] for chip in chips)
        self.say("revealed", zone, [[seat, -value] for seat, value in pairs])

    # ---- moving things

    def send_home(self, zone, chips):
        """Chips leave the game's picture; what is still there must be lifted."""
        for chip in chips:
            zone_now = self.lying.pop(chip)
            self.revealed.discard(chip)
            if chip not in self.astray:
                self.astray[chip] = zone_now
            elif self.astray[chip] is None:
                del self.astray[chip]
        self.say_home(zone, chips)

    def draw_card(self):
        if not self.deck:
            self.deck = sorted(self.discard, key=SPICES.index)
            self.discard = []
            if self.deck:
                self.dice.shuffle(self.deck)
                self.say("reshuffled", len(self.deck))
        return self.deck.pop(0) if self.deck else None

    # ---- an event

    def play(self, event):
        """Play one event; returns its effects. A refused one leaves everything as it was."""
        backup = copied(self.__dict__)
        self.said = []
        before = self.phase[0]
        try:
            self.dispatch(event)
        except Refusal as refusal:
            self.__dict__ = backup
            seat = event[1] if isinstance(event, list) and len(event) > 1 else None
            known = whole(seat) and 0 <= seat < self.n
            return [[seat if known else None, "refused", str(refusal)]]
        if self.phase[0] != before:
            self.say("phase", self.phase[0])
        return self.said

    def need(self, condition, code):
        if not condition:
            raise Refusal(code)

    def dispatch(self, event):
        self.need(isinstance(event, list) and len(event) >= 2, "malformed")
        kind, seat, *rest = event
        self.need(isinstance(kind, str), "malformed")
        facts = {"moved": self.moved, "judged": self.judged, "accept": self.accept}
        if kind == "abort":
            self.need(not rest, "malformed")
            self.need(self.phase[0] != "over", "over")
            self.phase = ["over", None]
            self.say("aborted")
            return
        if kind in facts:
            facts[kind](seat, *self.shaped(kind, rest))
            return
        names = "missed reveal pass draw keep reserve take choose sell close buy decline display"
        names += " cook_open cook_reserved no_open done next_round"
        self.need(kind in names.split(), "unknown_event")
        self.need(whole(seat) and 0 <= seat < self.n, "malformed")
        self.need(self.phase[0] != "over", "over")
        self.need(len(rest) == self.arguments(kind), "malformed")
        getattr(self, "do_" + kind)(seat, *rest)

    def arguments(self, kind):
        """How many things follow the seat in a decision of this kind."""
        if kind in ("cook_open", "cook_reserved"):
            return 1 if self.full else 0
        return 1 if kind in ("keep", "choose", "sell", "display") else 0

    def shaped(self, kind, rest):
        if kind == "judged":
            self.need(len(rest) == 2, "malformed")
            self.check_pair(rest)
            self.need(rest[0] != "mill", "unknown_chip")
            return rest
        self.need(len(rest) == 1 and isinstance(rest[0], list), "malformed")
        for pair in rest[0]:
            self.need(isinstance(pair, list) and len(pair) == 2, "malformed")
            self.check_pair(pair)
        chips = [pair[0] for pair in rest[0]]
        self.need(len(set(chips)) == len(chips), "malformed")
        return rest

    def check_pair(self, pair):
        chip, zone = pair
        self.need(isinstance(chip, str), "malformed")
        if chip != "mill":
            known = chip[:1] in COLOURS[: self.n] and chip[1:] in map(str, VALUES)
            self.need(bool(chip) and known, "unknown_chip")
        self.need(zone is None or (isinstance(zone, str) and zone in ZONES), "unknown_zone")

    def order_of(self, change):
        chip, origin, goal = change
        fresh = chip not in self.seen
        return seat_of(chip), PLACE[origin], PLACE[goal], not fresh, value_of(chip)

    # ---- facts

    def moved(self, seat, pairs):
        self.need(seat is None, "malformed")
        chips = [pair for pair in pairs if pair[0] != "mill"]
        if self.throwing():
            self.moved_in_throw(chips)
            return
        changes = [(c, self.believed(c), z) for c, z in chips if self.believed(c) != z]
        changes.sort(key=self.order_of)
        for chip, origin, goal in changes:
            self.say("moved", seat_of(chip), origin, goal)
            if goal == self.lying.get(chip):
                self.astray.pop(chip, None)
            else:
                self.astray[chip] = goal
        choosing = self.phase[0] == "choose"
        if not self.full:
            self.lifted_at_the_table([chip for chip, _, _ in changes])
        bowls = [zone for chip, zone in pairs if chip == "mill" and zone in SPICES]
        if choosing and bowls:
            self.do_choose(self.chef, bowls[0])

    def lifted_at_the_table(self, touched):
        """Referee mode: a player lifts a chip from the bowl in trade to sell or buy."""
        if self.phase[0] == "sale":
            bowl = self.phase[1]
            for seat in self.clockwise():
                mine = self.chips_in(bowl, seat)
                if not set(mine) & set(touched):
                    continue
                lifted = any(chip in self.astray and self.astray[chip] is None for chip in mine)
                declared = self.phase[3][seat] or 0
                turns = self.options["sales"] == "turn"
                if turns and self.undeclared()[:1] != [seat]:
                    continue
                if lifted and declared == 0:
                    self.do_sell(seat, 1)
                elif not lifted and declared and not turns:
                    self.do_sell(seat, 0)
        elif self.phase[0] == "buy":
            bowl = self.phase[1]
            buyer = self.highest(bowl)
            top = self.top_chip(bowl, buyer)
            if top in touched and top in self.astray and self.astray[top] is None:
                self.do_buy(buyer)

    def moved_in_throw(self, pairs):
        changes = [(c, self.lying.get(c), z) for c, z in pairs if self.lying.get(c) != z]
        changes.sort(key=self.order_of)
        fresh = [chip for chip, _, _ in changes if chip not in self.seen]
        count = [sum(seat_of(chip) == seat for chip in fresh) for seat in range(self.n)]
        thrower, inferred = self.who_threw(count)
        for seat in inferred:
            self.say("missed", seat)
            self.missed[seat] += 1
        thrown = None
        if thrower is not None:
            thrown = next(chip for chip in fresh if seat_of(chip) == thrower)
            goal = next(goal for chip, _, goal in changes if chip == thrown)
            self.say("thrown", thrower, goal)
            self.count_throw(len(inferred))
        for chip, origin, goal in changes:
            if chip == thrown:
                continue
            if chip in fresh:
                self.missed[seat_of(chip)] -= 1
                self.say("back", seat_of(chip), goal)
            else:
                self.say("moved", seat_of(chip), origin, goal)
        self.put(changes)

    def count_throw(self, skipped):
        if self.phase[0] == "throw":
            self.phase = ["throw", self.phase[1] + skipped + 1]
        else:
            self.phase = ["extra_throw", self.phase[1], 1]

    def put(self, changes):
        for chip, _, goal in changes:
            self.revealed.discard(chip)
            if goal is None:
                self.lying.pop(chip, None)
            else:
                self.lying[chip] = goal
                self.seen.add(chip)

    def who_threw(self, count):
        """Seat whose throw this change was (or None), and the seats that missed before it."""
        surplus = [count[seat] - self.missed[seat] for seat in range(self.n)]
        turn = None
        if self.phase[0] == "throw" and self.phase[1] < self.all_throws():
            turn = (self.chef + self.phase[1]) % self.n
        elif self.phase[0] == "extra_throw" and not self.phase[2]:
            turn = self.phase[1]
        if turn is not None and count[turn]:
            surplus[turn] -= 1
            self.need(max(surplus) <= 0, "two_throws")
            return turn, []
        late = [seat for seat in range(self.n) if surplus[seat] > 0]
        if not late:
            return None, []
        open_turns = self.phase[0] == "throw" and turn is not None
        self.need(open_turns, "no_throw")
        self.need(len(late) == 1 and surplus[late[0]] == 1, "two_throws")
        coming = [(self.chef + k) % self.n for k in range(self.phase[1], self.all_throws())]
        self.need(late[0] in coming, "no_throw")
        return late[0], coming[: coming.index(late[0])]

    def judged(self, seat, chip, zone):
        self.need(seat == self.chef, "not_you")
        self.say("judged", seat_of(chip), zone)
        if self.throwing():
            self.moved_in_throw([[chip, zone]])
        else:
            self.accept_pairs([[chip, zone]])

    def accept(self, seat, pairs):
        self.need(seat is None or (whole(seat) and 0 <= seat < self.n), "malformed")
        self.accept_pairs([pair for pair in pairs if pair[0] != "mill"])

    def accept_pairs(self, pairs):
        changed = [
            (c, self.lying.get(c), z)
            for c, z in pairs
            if self.lying.get(c) != z or c in self.astray
        ]
        changed.sort(key=self.order_of)
        told = [[seat_of(chip), origin, goal] for chip, origin, goal in changed if origin != goal]
        self.say("accepted", told)
        if self.throwing():
            self.accept_throws(changed)
            return
        for _, origin, goal in changed:
            self.need(goal == origin or goal not in self.closed, "no_place")
            self.need(goal not in SPACES or self.in_phase_two(), "no_place")
            self.need(goal is None or self.phase[0] not in ("cook", "round_over"), "no_place")
        bowl = self.phase[1] if self.phase[0] in ("sale", "buy") else None
        arrives = any(goal == bowl != origin for _, origin, goal in changed)
        self.put([change for change in changed if change[1] != change[2]])
        for chip, _, _ in changed:
            self.astray.pop(chip, None)
        if arrives and bowl:
            self.say_revealed(bowl)
        if self.phase[0] == "buy" and not self.chips_in(bowl):
            self.trade_done(bowl)
        elif self.phase[0] == "choose" and not self.bowls_in_use():
            self.start_cooking()

    def in_phase_two(self):
        return self.phase[0] in ("spice_card", "keep", "reserve", "head_chef")

    def accept_throws(self, changed):
        fresh = [(chip, goal) for chip, _, goal in changed if chip not in self.seen and goal]
        while fresh:
            chip, word, skipped = self.accept_one(fresh)
            if chip is None:
                break
            seat, goal = seat_of(chip[0]), chip[1]
            for missing in skipped:
                self.say("missed", missing)
                self.missed[missing] += 1
            if word == "thrown":
                self.count_throw(len(skipped))
            else:
                self.missed[seat] -= 1
            self.say(word, seat, goal)
            fresh.remove(chip)
        self.put(changed)

    def accept_one(self, fresh):
        """The next fresh chip to be explained: (chip, how, seats that missed before it)."""

        def first_of(seat):
            return next((item for item in fresh if seat_of(item[0]) == seat), None)

        coming = []
        if self.phase[0] == "throw":
            coming = [(self.chef + k) % self.n for k in range(self.phase[1], self.all_throws())]
        elif not self.phase[2]:
            coming = [self.phase[1]]
        if coming and first_of(coming[0]):
            return first_of(coming[0]), "thrown", []
        for seat in self.clockwise():
            if self.missed[seat] and first_of(seat):
                return first_of(seat), "back", []
        for place, seat in enumerate(coming):
            if first_of(seat):
                return first_of(seat), "thrown", coming[:place]
        return None, "", []

    # ---- phase 1 and 2

    def do_missed(self, seat):
        if self.phase[0] == "throw" and self.phase[1] < self.all_throws():
            self.need(seat == (self.chef + self.phase[1]) % self.n, "not_you")
            self.phase = ["throw", self.phase[1] + 1]
        else:
            self.need(self.phase[0] == "extra_throw" and not self.phase[2], "not_now")
            self.need(seat == self.phase[1], "not_you")
            self.phase = ["extra_throw", seat, 1]
        self.missed[seat] += 1
        self.say("missed", seat)

    def do_reveal(self, seat):
        self.need(seat == self.chef or not self.throwing(), "not_you")
        if self.phase == ["throw", self.all_throws()]:
            self.evaluate("extra_throw")
        else:
            self.need(self.phase[0] == "extra_throw" and self.phase[2], "not_now")
            self.space_done()

    def evaluate(self, space):
        """Look at the action spaces from this one on, until somebody has to decide."""
        for zone in SPACES[SPACES.index(space) :]:
            if not self.chips_in(zone):
                continue
            self.say_revealed(zone)
            winner = self.highest(zone)
            self.say("won", zone, winner, self.total(zone, winner))
            self.phase = [zone, winner]
            if zone == "extra_throw":
                self.phase.append(0)
                return
            if zone == "spice_card":
                self.phase.append(value_of(self.top_chip(zone, winner)) // 10)
                return
            if zone == "reserve":
                if self.pile:
                    return
                self.say("no_blend", winner)
            if zone == "head_chef" and winner != self.chef:
                return
            self.clear_space(zone)
        for zone in SPACES:
            self.send_home(zone, self.chips_in(zone))
        self.missed = [0] * self.n
        self.next_bowl()

    def clear_space(self, zone):
        if self.options["action_chips"] == "home":
            self.send_home(zone, self.chips_in(zone))

    def space_done(self):
        zone = "spice_card" if self.phase[0] == "keep" else self.phase[0]
        self.clear_space(zone)
        following = SPACES[SPACES.index(zone) + 1 :]
        if following:
            self.evaluate(following[0])
        else:
            for space in SPACES:
                self.send_home(space, self.chips_in(space))
            self.missed = [0] * self.n
            self.next_bowl()

    def won(self, seat, *zones):
        self.need(self.phase[0] in zones, "not_now")
        self.need(self.phase[1] == seat, "not_you")

    def do_pass(self, seat):
        self.won(seat, *SPACES)
        self.need(self.phase[0] != "extra_throw" or not self.phase[2], "not_now")
        self.say("passed", seat, self.phase[0])
        self.space_done()

    def do_draw(self, seat):
        self.won(seat, "spice_card")
        if not self.full:
            self.say("drew", seat, self.phase[2])
            self.space_done()
            return
        drawn = [self.draw_card() for _ in range(self.phase[2])]
        drawn = [card for card in drawn if card]
        self.say("drew", seat, len(drawn))
        if drawn:
            self.say("cards", list(drawn), to=seat)
            self.phase = ["keep", seat, drawn]
        else:
            self.space_done()

    def do_keep(self, seat, spice):
        self.won(seat, "keep")
        cards = self.phase[2]
        self.need(spice in cards, "no_card")
        cards.remove(spice)
        self.hands[seat].append(spice)
        self.deck += cards
        self.say("kept", seat)
        self.say("kept_card", spice, to=seat)
        self.space_done()

    def do_reserve(self, seat):
        self.won(seat, "reserve")
        blend = self.pile.pop(0)
        self.reserved[seat].append(blend)
        self.say("reserved", seat)
        if self.full:
            self.say("blend", blend, to=seat)
        self.space_done()

    def do_take(self, seat):
        self.won(seat, "head_chef")
        self.chef = seat
        self.say("chef", seat)
        self.space_done()

    # ---- phase 3

    def next_bowl(self):
        if self.bowls_in_use():
            self.phase = ["choose"]
        else:
            self.start_cooking()

    def do_choose(self, seat, bowl):
        self.need(self.phase[0] == "choose", "not_now")
        self.need(seat == self.chef, "not_you")
        self.need(isinstance(bowl, str) and bowl in SPICES, "unknown_zone")
        self.need(self.chips_in(bowl), "empty_bowl")
        self.say_revealed(bowl)
        self.say("price", bowl, self.total(bowl))
        # a seat that publicly has no cards cannot sell, and is not asked
        counts = [None if not self.full or cards else 0 for cards in self.hands]
        self.phase = ["sale", bowl, self.total(bowl), counts]

    def do_sell(self, seat, count):
        self.need(self.phase[0] == "sale", "not_now")
        bowl = self.phase[1]
        if self.options["sales"] == "turn":
            undeclared = self.undeclared()
            self.need(self.phase[3][seat] is None, "declared")
            self.need(seat == undeclared[0], "not_you")
        self.need(whole(count), "malformed")
        most = self.hands[seat].count(bowl) if self.full else 6
        self.need(0 <= count <= most, "wrong_count")
        self.phase[3][seat] = count
        self.say("offers", seat, count)

    def undeclared(self):
        return [seat for seat in self.clockwise() if self.phase[3][seat] is None]

    def do_close(self, seat):
        self.need(self.phase[0] == "sale", "not_now")
        self.need(seat == self.chef, "not_you")
        if self.full or self.options["sales"] == "turn":
            self.need(not self.undeclared(), "undeclared")
        _, bowl, price, counts = self.phase
        self.closed.add(bowl)
        leaving = []
        for seller in self.clockwise():
            if not counts[seller]:
                continue
            amount = price * counts[seller]
            if self.full:
                self.money[seller] += amount
                for _ in range(counts[seller]):
                    self.hands[seller].remove(bowl)
                    self.discard.append(bowl)
            self.say("sold", seller, bowl, counts[seller], amount)
            leaving += self.chips_in(bowl, seller)
        self.send_home(bowl, leaving)
        self.phase = ["buy", bowl, None]
        self.purchase(bowl)

    def purchase(self, bowl):
        """Somebody may buy, or this bowl is done."""
        chips = self.chips_in(bowl)
        none_left = bowl not in self.display if self.full else self.phase[2] == 0
        if chips and none_left:
            self.say("no_card", bowl)
            self.send_home(bowl, chips)
        if not self.chips_in(bowl):
            self.trade_done(bowl)

    def trade_done(self, bowl):
        self.say("traded", bowl)
        self.next_bowl()

    def buying(self, seat):
        self.need(self.phase[0] == "buy", "not_now")
        self.need(seat == self.highest(self.phase[1]), "not_you")
        return self.phase[1]

    def do_buy(self, seat):
        bowl = self.buying(seat)
        price = self.total(bowl, seat)
        if self.full:
            self.need(self.money[seat] >= price, "no_money")
            self.money[seat] -= price
            self.display.remove(bowl)
            self.hands[seat].append(bowl)
        elif self.phase[2] is not None:
            self.phase = ["buy", bowl, self.phase[2] - 1]
        self.say("bought", seat, bowl, price)
        self.send_home(bowl, [self.top_chip(bowl, seat)])
        self.purchase(bowl)

    def do_decline(self, seat):
        bowl = self.buying(seat)
        self.say("declined", seat, bowl)
        leaving = self.chips_in(bowl, seat)
        if self.options["decline"] == "top":
            leaving = [self.top_chip(bowl, seat)]
        self.send_home(bowl, leaving)
        self.purchase(bowl)

    def do_display(self, seat, count):
        self.need(self.phase[0] == "buy" and not self.full, "not_now")
        self.need(seat == self.chef, "not_you")
        self.need(whole(count), "malformed")
        self.need(0 <= count <= 6, "wrong_count")
        bowl = self.phase[1]
        self.say("displayed", bowl, count)
        self.phase = ["buy", bowl, count]
        self.purchase(bowl)

    # ---- phase 4

    def start_cooking(self):
        self.phase = ["cook", 0, 0]
        self.skip_idle_cooks()

    def cook(self):
        return self.clockwise()[self.phase[1]]

    def skip_idle_cooks(self):
        """Pass over seats that have nothing left to decide."""
        while self.phase[0] == "cook":
            if (self.open and not self.phase[2]) or self.reserved[self.cook()]:
                return
            self.next_cook()

    def next_cook(self):
        following = self.phase[1] + 1
        self.phase = ["cook", following, 0] if following < self.n else ["round_over"]

    def cooking(self, seat):
        self.need(self.phase[0] == "cook", "not_now")
        self.need(seat == self.cook(), "not_you")

    def put_together(self, seat, blends, blend, word):
        self.need(blend in blends, "no_blend")
        if self.full:
            hand = list(self.hands[seat])
            for spice in BLENDS[blend]:
                self.need(spice in hand, "no_card")
                hand.remove(spice)
                self.discard.append(spice)
            self.hands[seat] = hand
        blends.remove(blend)
        self.cooked[seat].append(blend)
        self.say("cooked", seat, blend, word)
        if len(self.cooked[seat]) == 3:
            self.say("winner", seat)
            self.phase = ["over", seat]

    def blend_number(self, blend):
        self.need(whole(blend) and (0 <= blend < 18 if self.full else blend == -1), "no_blend")
        return blend

    def do_cook_open(self, seat, blend=-1):
        self.cooking(seat)
        self.need(not self.phase[2], "not_now")
        self.put_together(seat, self.open, self.blend_number(blend), "open")
        if self.phase[0] == "cook":
            self.phase = ["cook", self.phase[1], 1]
            self.skip_idle_cooks()

    def do_cook_reserved(self, seat, blend=-1):
        self.cooking(seat)
        self.put_together(seat, self.reserved[seat], self.blend_number(blend), "reserved")
        self.skip_idle_cooks()

    def do_no_open(self, seat):
        self.cooking(seat)
        self.need(not self.phase[2] and self.open, "not_now")
        self.phase = ["cook", self.phase[1], 1]
        self.say("no_open", seat)
        self.skip_idle_cooks()

    def do_done(self, seat):
        self.cooking(seat)
        self.say("done", seat)
        self.next_cook()
        self.skip_idle_cooks()

    def do_next_round(self, seat):
        self.need(self.phase[0] == "round_over", "not_now")
        self.need(seat == self.chef, "not_you")
        self.need(not self.astray, "not_clear")
        self.chef = (self.chef + 1) % self.n
        self.round += 1
        self.seen, self.revealed, self.missed = set(), set(), [0] * self.n
        self.closed = set()
        self.say("chef", self.chef)
        self.say("round", self.round)
        opened = []
        while len(self.open) < OPEN[self.n] and self.pile:
            opened.append(self.pile.pop(0))
            self.open.append(opened[-1])
        self.say("opened", opened)
        if self.full:
            laid = [self.draw_card() for _ in range(LAID[self.n])]
            laid = [card for card in laid if card]
            self.display += laid
            self.say("laid", laid)
        else:
            self.say("lay", LAID[self.n])
        self.phase = ["throw", 0]

    # ---- what may be known and done

    def asked(self):
        name = self.phase[0]
        if name == "throw" and self.phase[1] < self.all_throws():
            return [(self.chef + self.phase[1]) % self.n]
        if name == "extra_throw":
            return [self.chef if self.phase[2] else self.phase[1]]
        if name in ("spice_card", "keep", "reserve", "head_chef"):
            return [self.phase[1]]
        if name == "sale" and (self.full or self.options["sales"] == "turn"):
            left = self.undeclared()
            if left:
                return left[:1] if self.options["sales"] == "turn" else left
        if name == "buy":
            return [self.highest(self.phase[1])]
        if name == "cook":
            return [self.cook()]
        return [] if name == "over" else [self.chef]

    def candidates(self, seat):
        """Every decision that could be meant, allowed or not."""
        plain = "missed reveal pass draw reserve take close buy decline no_open done next_round"
        events = [[kind, seat] for kind in plain.split()]
        events += [["keep", seat, spice] for spice in SPICES]
        events += [["choose", seat, bowl] for bowl in SPICES]
        events += [[kind, seat, count] for kind in ("sell", "display") for count in range(7)]
        for kind in ("cook_open", "cook_reserved"):
            events += [[kind, seat, b] for b in range(18)] if self.full else [[kind, seat]]
        return events

    def legal(self, seat):
        """Decisions that the seat may take now: all that `play` would not refuse."""
        found = []
        for event in self.candidates(seat):
            trial = copy.copy(self)
            trial.__dict__ = copied(self.__dict__)
            answer = trial.play(event)
            if not answer or answer[0][1] != "refused":
                found.append(event)
        on_turn = self.phase[0] == "throw" and self.phase[1] < self.all_throws()
        extra = self.phase[0] == "extra_throw" and not self.phase[2]
        if (on_turn or extra) and self.asked() == [seat]:
            for value in VALUES:
                chip = COLOURS[seat] + str(value)
                if chip not in self.seen:
                    found.append(["moved", None, [[chip, None]]])
        return found

    def named_blends(self, blends):
        return [[b, list(BLENDS[b]) if b >= 0 else []] for b in blends]

    def counted(self, cards):
        return {spice: cards.count(spice) for spice in SPICES if spice in cards}

    def public_zones(self):
        zones = {}
        for zone in ZONES:
            items = []
            for chip in self.chips_in(zone):
                value = value_of(chip) if chip in self.revealed else None
                items.append([seat_of(chip), value])
            items.sort(key=lambda item: (item[0], -(item[1] or 0)))
            if items:
                zones[zone] = items
        return zones

    def copy_of_all(self):
        return copied(self.__dict__)

    def view(self, seat):
        name = self.phase[0]
        phase = copied(self.phase)
        if name == "keep":
            phase[2] = len(phase[2])
        made = {"made": self.phase[1], "of": self.all_throws()} if name == "throw" else None
        buyer = self.highest(self.phase[1]) if name == "buy" else None
        seats = range(self.n)
        lifts = [(seat_of(c), PLACE[z], z) for c, z in self.astray.items() if z]
        money = list(self.money) if self.options["purses"] == "open" else [None] * self.n
        view = {
            "game": "safranito",
            "mode": "full" if self.full else "referee",
            "players": self.n,
            "options": self.options,
            "round": self.round,
            "chef": self.chef,
            "phase": phase,
            "asked": self.asked(),
            "throws": made,
            "zones": self.public_zones(),
            "to_lift": [[s, zone] for s, _, zone in sorted(lifts)],
            "seen": [sum(seat_of(chip) == s for chip in self.seen) for s in seats],
            "missed": self.missed,
            "bowl": self.phase[1] if name in ("sale", "buy") else None,
            "price": self.phase[2] if name == "sale" else None,
            "offers": self.phase[3] if name == "sale" else None,
            "buyer": buyer,
            "total": self.total(self.phase[1], buyer) if name == "buy" else None,
            "display": self.counted(self.display) if self.full else None,
            "discard": self.counted(self.discard) if self.full else None,
            "deck": len(self.deck) if self.full else None,
            "open": self.named_blends(self.open),
            "pile": len(self.pile),
            "cooked": [self.named_blends(self.cooked[s]) for s in seats],
            "reserved": [len(self.reserved[s]) for s in seats],
            "cards": [len(self.hands[s]) for s in seats] if self.full else None,
            "money": money if self.full else None,
            "winner": self.phase[1] if name == "over" else None,
        }
        if seat is not None:
            view["you"] = self.own(seat)
        return copied(view)

    def own(self, seat):
        chips = [COLOURS[seat] + str(value) for value in VALUES]
        drawn = self.phase[2] if self.phase[0] == "keep" and self.phase[1] == seat else []
        return {
            "seat": seat,
            "chips": {chip: self.lying.get(chip) for chip in chips},
            "throwable": [chip for chip in chips if chip not in self.seen],
            "hand": self.counted(self.hands[seat]) if self.full else None,
            "money": self.money[seat] if self.full else None,
            "reserved": self.named_blends(self.reserved[seat]),
            "drawn": list(drawn) if self.full else None,
        }
