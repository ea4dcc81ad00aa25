"""One game, played through a client by bots and persons; knows no game, only the contract.

Decisions go over the wire with the seats' keys. What a hand does (throw, lift what goes home) is
done by `hands` where the board is virtual, and by people where it is real. The state of the game
is on the board; what is kept here is what came over the wire.
"""

import contextlib
from collections.abc import Callable, Iterable
from typing import Any

from spiceboard.board.client import Client, Item, Refused
from spiceboard.board.sight import lies_inside, lying_in, lying_inside, on_the_flat
from spiceboard.board.virtual_hands import Hands
from spiceboard.bots import targets
from spiceboard.bots.bot import Bot
from spiceboard.bots.compiled import uncompiled
from spiceboard.errors import UserError
from spiceboard.words import N_
from spicecore import games
from spicecore.parts import colour

SETTLE_S = 2.2  # after a throw all lies still, and the board has said what it saw, if anything
LATE_S = 6.0  # but a chip that eyes see in a zone is waited for: it did not miss
LOOK_S = 0.1  # between looks at the table's clock
LIFT_S = 0.6  # and after a chip was lifted
QUIET_S = 0.25  # after the last chip that it saw moving: a pushed one comes to rest later
LONG_MS = 3300  # a press that counts as long
NOT_UNDOABLE = N_(
    "nothing may be taken back: a throw stays thrown, and a decision that told a secret or drew a "
    "card stays decided"
)
PATIENCE = 60  # looks in a row in which nothing moves on: the game is stuck

Event = list[Any]
View = dict[str, Any]


class Match:
    """The players of one game at one board.

    bots: seat -> bot; the other seats belong to people. `on_item` is called with every item of the
    wire, `on_compiling` before a bot's rules are compiled.
    """

    def __init__(
        self,
        client: Client,
        bots: dict[int, Bot],
        hands: Hands | None = None,
        on_item: Callable[[Item], None] = lambda item: None,
    ) -> None:
        self.client, self.bots, self.hands, self.on_item = client, bots, hands, on_item
        self.on_compiling: Callable[[], None] = lambda: None
        self.snapshot: View = {}
        self.counts = dict.fromkeys(
            ("throws", "misses", "flat", "pushes", "doubts", "accepted"), 0
        )
        self.changed = True
        # A throw that a bot wants somebody to make for it, on a board without virtual hands:
        # {"seat", "phase", "chip", "zone", "strength"}.
        self.wish: View | None = None
        self._thrown: set[str] = set()
        # Whose, the phase before it, the chip.
        self._open_throw: tuple[int, Any, str] | None = None
        self._claimed: set[str] = set()  # thrown chips of which hands have said where they lie
        self._round: Any = None
        self._given: Any = None  # the phase in which chips were last given back
        self._doubts_asked: set[int] = set()
        self._in_the_air = False  # what moves now was pushed
        self._moved: set[str] = set()  # colours of the chips that the board saw moving

    # -- the game as it is

    def start(self, game: str, options: View) -> None:
        """Begin a new game; UserError with the board's sentence when it refuses."""
        self.client.request("new", game=game, options=options)
        self.refresh()

    @property
    def game(self) -> View:
        """The snapshot's part about the game; UserError when none is on."""
        game = self.snapshot.get("game")
        if not isinstance(game, dict):
            raise UserError("no game is on")
        return game

    def refresh(self) -> None:
        """Read the public state again."""
        self.snapshot = self.client.resync()
        self.changed = False
        view = (self.snapshot.get("game") or {}).get("view", {})
        if self.wish and self.wish["phase"] != view.get("phase"):
            self._thrown.add(self.wish["chip"])
            self.wish = None
        if view.get("round") != self._round:
            self._round = view.get("round")
            self._clear()

    def _clear(self) -> None:
        """A new round: every chip goes home, also those on the flat that no reader sees."""
        if self.hands is not None:
            for chip in sorted(self._thrown):
                self.hands.lift(chip)
        self._thrown.clear()
        self._claimed.clear()

    def give_back(self) -> None:
        """When all throws are made, chips that lie in no zone go back to their owners."""
        view = self.game["view"]
        phase = [view["phase"], view.get("throws") is None]
        if self.hands is None or phase == self._given or not self._thrown:
            return
        self._given = phase
        pages = [self.page(seat) for seat in range(int(self.game["players"]))]
        throwing = any(event[0] == "moved" for page in pages for event in page["legal"])
        if view.get("throws") is None and not throwing:
            for chip in [chip for page in pages for chip in page["out"]]:
                self.hands.lift(chip)

    def listen(self, seconds: float) -> bool:
        """Take what the board says within `seconds`; True when the game may have changed."""
        items = self.client.poll(seconds)
        for item in items:
            self._count(item)
            self.on_item(item)
            if item[0] != "console":
                self.changed = True
        return self.changed

    def listen_for(self, seconds: float) -> None:
        """Listen for that long, whatever comes, then read the state."""
        end = self.client.link.now() + seconds
        while (left := end - self.client.link.now()) > 0:
            self.listen(left)
        self.refresh()

    def listen_to_moves(self, seconds: float, awaited: str | None = None) -> None:
        """Listen until chips have moved and then all is quiet, or time is up; read the state.

        With a colour awaited, quiet counts only after a chip of it moved: what an earlier throw
        pushed may settle late, and must not make this throw a missed one.
        """
        clock = self.hands or self.client.link  # a busy machine's table falls behind the wall
        end = clock.now() + seconds
        seen: set[str] = set()
        while (left := end - clock.now()) > 0:
            self._moved.clear()
            self.listen(min(left, LOOK_S))
            seen |= self._moved
            if self._moved and (awaited is None or awaited in seen):
                end = clock.now() + QUIET_S
        self.refresh()

    def _count(self, item: Item) -> None:
        kind, value = item
        if kind in ("game", "board", "resync"):
            for bot in self.bots.values():
                bot.hear([kind, value] if kind == "resync" else value)
        if kind == "board" and value[0] == "moved":
            self._moved.update(name for name, _, _ in value[1])
        if kind == "board" and value[0] == "released":
            self.client.keys.clear()  # void: the first to ask gets new ones
        if kind == "board" and value[0] == "doubt":
            self._moved.add(value[2])
            self.counts["doubts"] += 1
        if kind == "game" and value[0] == "missed":
            self.counts["misses"] += 1
        if kind == "game" and value[0] == "moved" and self._in_the_air:
            self.counts["pushes"] += 1

    def page(self, seat: int) -> View:
        """The seat's own page: `view`, `legal`, `asked`, `mismatch`, `step`.

        Throws of chips that were thrown before in this round and landed nowhere are left out of
        `legal`: the board cannot know them, the hand does.
        """
        page = self.client.request("view", seat=seat, key=self.client.claim(seat))
        if "packed" in page:  # too many for one line: the rules know the short form
            rules = games.load(self.game["name"])
            page["legal"] = rules.unpacked(page["packed"])
        page["out"] = [  # thrown in this round, and nowhere: only the hand can know
            chip
            for chip, zone in (page["view"].get("you") or {}).get("chips", {}).items()
            if chip in self._thrown and zone is None
        ]
        page["legal"] = [
            event
            for event in page["legal"]
            if event[0] != "moved" or event[2][0][0] not in self._thrown
        ]
        return page

    # -- what players do

    def act(self, seat: int, event: Event) -> None:
        """Decide something for a seat; Refused with the game's sentence when it may not."""
        self.client.request("act", seat=seat, key=self.client.claim(seat), event=event)
        self.listen(0)
        self.refresh()

    def throw(self, seat: int, chip: str, zone: str, strength: float) -> None:
        """Throw a chip at a zone's middle; see `throw_at`."""
        self.throw_at(seat, chip, {"zone": zone, "strength": strength})

    def throw_at(self, seat: int, chip: str, aim: View) -> None:
        """Throw a chip with the virtual hand; when it has settled unseen, say that it missed.

        aim: "zone", or "x" and "y" in millimetres, and "strength" 0 (soft) to 1 (hard).
        """
        if self.hands is None:
            raise UserError("this is a real board: throw the chip by hand")
        self._thrown.add(chip)
        phase = self.game["view"]["phase"]
        flat = on_the_flat(self.hands.look())
        self._in_the_air = True
        if "zone" in aim:
            self.hands.throw(chip, aim["zone"], aim["strength"])
        else:
            self.hands.throw_to(chip, aim["x"], aim["y"], aim["strength"])
        self.listen_to_moves(SETTLE_S, colour(chip))
        self._wait_for_late(colour(chip), phase)
        self._in_the_air = False
        self.counts["throws"] += 1
        self.counts["flat"] += max(0, on_the_flat(self.hands.look()) - flat)
        self._open_throw = (seat, phase, chip)
        self.settle_doubts()
        self.finish_throw()

    def finish_throw(self) -> None:
        """Say where the last throw lies, where eyes see it in a zone and the board saw nothing of
        it; else that it missed. Not while it is in doubt: a person may take time to decide."""
        if self._open_throw is None or self.snapshot.get("doubts"):
            return
        seat, phase, chip = self._open_throw
        page = self.page(seat)
        if page["view"]["phase"] != phase or ["missed", seat] not in page["legal"]:
            self._open_throw = None
            return
        zone = None if chip in self._claimed else self._unlisted(colour(chip))
        self._claimed.add(chip)
        if zone and self._say_where(seat, chip, zone):
            self.finish_throw()
            return
        self._open_throw = None
        self._act_if_still(seat, ["missed", seat], page["step"])
        if zone:  # the board asked for the miss first: an earlier throw may lie there
            self._say_where(seat, chip, zone)

    def _say_where(self, seat: int, chip: str, zone: str) -> bool:
        """Say it, and let bots decide; False where the board refuses it."""
        try:
            self.lies(seat, chip, zone)
        except Refused:
            return False
        self.settle_doubts()
        return True

    def _unlisted(self, owner: str) -> str | None:
        """A zone in which eyes see more chips of this colour than the board lists there."""
        assert self.hands is not None
        look, chips = self.hands.look(), self.snapshot.get("chips", {})
        for zone in targets.ZONES:
            if lying_in(look, owner, zone) > chips.get(zone, {}).get(owner, 0):
                return str(zone)
        return None

    def _wait_for_late(self, owner: str, phase: Any) -> None:
        """Wait while eyes see a chip of this colour in a zone where the board sees none yet: it
        stands on its edge, or is hard to read. Nobody would call that a miss."""
        clock = self.hands or self.client.link
        end = clock.now() + LATE_S
        while clock.now() < end and self.game["view"]["phase"] == phase and self.hands:
            told = sum(chips.get(owner, 0) for chips in self.snapshot.get("chips", {}).values())
            if self.snapshot.get("doubts") or lying_inside(self.hands.look(), owner) <= told:
                return
            self.listen_for(LOOK_S)

    def _act_if_still(self, seat: int, event: Event, step: int) -> None:
        """Do it, unless the board saw something meanwhile that made it senseless."""
        try:
            self.act(seat, event)
        except Refused as refused:
            self.refresh()
            if refused.code == "doubt":
                return  # first things first
            if refused.code != "illegal" or self.game["step"] == step:
                raise

    def settle_doubts(self) -> None:
        """Let a head chef who is a bot look at each open doubt and decide it, where eyes are
        virtual too. People are asked."""
        if self.hands is None:
            return
        for number, owner, zone in self.snapshot.get("doubts", []):
            if number not in self._doubts_asked:
                self._doubts_asked.add(number)
                with contextlib.suppress(Refused):  # no bot may
                    self.decide(number, self._sees(owner, zone), self.bots)

    def _sees(self, owner: str, zone: str | None) -> bool:
        """Do eyes see a chip of this colour count there that the board does not list? None: no
        reader heard it; if it lies in a zone, the hand lays it so that one does."""
        assert self.hands is not None
        if zone is None:
            self._lay_unheard(owner)
            return False
        listed = self.snapshot.get("chips", {}).get(zone, {}).get(owner, 0)
        look = self.hands.look()
        return lying_in(look, owner, zone) > listed and lies_inside(look, owner, zone)

    def _lay_unheard(self, owner: str) -> None:
        """Take the chip of this colour that lies in a zone unheard, and lay it there flat."""
        assert self.hands is not None
        zone = self._unlisted(owner)
        for chip in sorted(chip for chip in self._thrown if zone and colour(chip) == owner):
            if zone and self._lies_nowhere(chip):
                before = lying_in(self.hands.look(), owner, zone)
                self.hands.lift(chip)
                if lying_in(self.hands.look(), owner, zone) < before:
                    self.hands.lay(chip, zone)
                    self.listen_to_moves(SETTLE_S, owner)
                    return

    def _lies_nowhere(self, chip: str) -> bool:
        """Does the board know no zone of the chip?"""
        seats = games.load(self.game["name"]).SEATS
        seat = seats.index(colour(chip))
        chips = (self.page(seat)["view"].get("you") or {}).get("chips", {})
        return chips.get(chip) is None

    def lies(self, seat: int, chip: str, zone: str | None) -> None:
        """A seat says where its chip lies that no reader hears well: the head chef is asked. None:
        it was lifted. Refused where a reader hears it well, or the game does not let it be."""
        key = self.client.claim(seat)
        self.client.request("lies", seat=seat, key=key, chip=chip, zone=zone)
        self.listen(0)
        self.refresh()

    def decide(self, number: int, counts: bool, seats: Iterable[int] | None = None) -> None:
        """Decide a doubt in the name of whichever of the seats (None: all) may; one that is gone
        is no error."""
        try:
            self._for_any_seat("decide", seats, doubt=number, counts=counts)
        except Refused as refused:
            if refused.code != "no_doubt":
                raise

    def tidy(self) -> bool:
        """Lift what went home and lay back what was lifted too early; True when hands moved."""
        if self.hands is None or not self.snapshot.get("mismatch"):
            return False
        moved = False
        for seat in range(int(self.game["players"])):
            for chip, seen, expected in self.page(seat)["mismatch"]:
                if (seen is None) != (expected is None):
                    self._move(chip, expected)
                    moved = True
        if moved:
            self.listen_to_moves(LIFT_S)
        return moved

    def put_right(self, chip: str, zone: str | None) -> None:
        """Lift a chip, or lay it where it belongs, with the virtual hand."""
        self._move(chip, zone)
        self.listen_to_moves(LIFT_S)

    def _move(self, chip: str, zone: str | None) -> None:
        assert self.hands is not None
        self.hands.lift(chip)
        if zone is not None:
            self.hands.lay(chip, zone)

    def bot_turn(self) -> bool:
        """Let the first bot that is asked do one thing; False when none is, or it waits."""
        if self.wish is not None or self.snapshot.get("doubts"):
            return False
        for seat in self.game["asked"]:
            if seat in self.bots:
                page = self.page(seat)
                if page["legal"]:
                    self._bot_does(seat, page)
                    return True
        return False

    def _bot_does(self, seat: int, page: View) -> None:
        bot = self.bots[seat]
        if len(page["legal"]) > 1 and uncompiled(bot):
            self.on_compiling()
        event = bot.decide(page["view"], page["legal"])
        if event[0] != "moved":
            self._act_if_still(seat, event, page["step"])
            return
        aim = bot.aim(page["view"], page["legal"])
        if self.hands is None:
            self.wish = {"seat": seat, "phase": page["view"]["phase"], **aim}
        else:
            self.throw(seat, aim["chip"], aim["zone"], aim["strength"])

    def wish_missed(self) -> None:
        """The throw that a bot asked for hit nothing."""
        if self.wish is None:
            raise UserError("nobody has asked for a throw")
        self._thrown.add(self.wish["chip"])
        self.act(self.wish["seat"], ["missed", self.wish["seat"]])

    def play(self) -> list[Any]:
        """Play a game of bots only to its end; its standing [[seat, rank, score], ...]."""
        idle = 0
        while not self.game["over"]:
            before = self.client.request("view")["step"]
            self.settle_doubts()
            if not self.tidy():
                self.bot_turn()
            if self.client.request("view")["step"] != before:
                idle = 0
                continue
            idle += 1
            if idle % 3 == 0 and self.snapshot.get("mismatch"):
                self.accept()  # hands could not mend it
            self.listen_for(SETTLE_S)
            if idle > PATIENCE:
                raise UserError(f"the game does not continue: {self.snapshot}")
        standing: list[Any] = self.game["standing"]
        return standing

    def accept(self) -> None:
        """Take the board as it lies where it differs from the game; Refused when it may not."""
        self._for_any_seat("accept")
        self.counts["accepted"] += 1

    def release(self) -> None:
        """Make all keys void, as a long press of `no` does: for a player who lost theirs."""
        if self.hands is None:
            raise UserError("hold the button `no` on the board for three seconds")
        self.hands.press("no", LONG_MS)
        self.listen_for(LONG_MS / 1000 + SETTLE_S)

    def undo(self) -> None:
        """Take the last decision back; Refused when it told a secret."""
        self._for_any_seat("undo")

    def to_take_back(self) -> int:
        """How many decisions go back with the last one of a person, those of bots that came after
        it with it; 0 where the board takes none of them back."""
        if self.hands is not None and self.game["view"]["phase"][0] == "throw":
            return 0  # eyes saw where each chip came to rest: a second try is none
        deciders = self.game["undo"] if "undo" in self.game else []  # older boards tell none
        for back, seat in enumerate(reversed(deciders), 1):
            if seat not in self.bots:
                return back
        return 0

    def take_back(self) -> None:
        """Go back to before the last decision of a person; UserError where that cannot be."""
        number = self.to_take_back()
        if not number:
            raise UserError(NOT_UNDOABLE)
        for _ in range(number):
            self.undo()

    def _for_any_seat(self, do: str, seats: Iterable[int] | None = None, **arguments: Any) -> None:
        """Ask in the name of whichever seat may; Refused with the last seat's reason."""
        refusal: Refused | None = None
        for seat in self._own_seats() if seats is None else list(seats):
            try:
                key = self.client.claim(seat)
                self.client.request(do, seat=seat, key=key, **arguments)
            except Refused as refused:
                refusal = refused
                if refused.code not in ("wrong_seat", "wrong_key"):
                    break
            else:
                refusal = None
                break
        self.listen(0)
        self.refresh()
        if refusal is not None:
            raise refusal

    def _own_seats(self) -> list[int]:
        """The seats played here, those that are asked first."""
        asked = list(self.game["asked"])
        others = [seat for seat in range(int(self.game["players"])) if seat not in asked]
        return asked + others
