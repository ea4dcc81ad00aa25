"""What the terminal table shows: board, words, question, hand, and what covers them."""

import time
from collections import deque
from contextlib import suppress
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.markup import escape
from rich.panel import Panel as Box
from rich.text import Text

from spiceboard import words as language
from spiceboard.board import lights
from spiceboard.board.client import Refused
from spiceboard.board.match import Match
from spiceboard.table import board, screen
from spiceboard.table.announcements import difference
from spiceboard.table.panel import Chooser, bold
from spiceboard.table.story import Story
from spiceboard.words import N_, _, ngettext
from spiceboard.words.places import inside, place

HARD = 0.4  # strength from which a throw is called hard
ROOMY = 18  # rows for a question beyond which a hand gets a frame
WORDS = 10  # lines of the board's console that are kept
PATIENCE_S = 8.0  # hands of a simulated board put differences right by themselves within it
KEYS_HELP = N_("""\
Numbers or arrows and Enter choose, escape goes a step back.
[b]h[/] shows or covers the hand of whoever is asked.
[b]l[/] tells what has happened, [b]c[/] what the board's console said.
[b]b[/] shows the board, where it has no room beside the words.
[b]y[/] and [b]n[/] decide whether a chip in doubt counts.
[b]u[/] takes your last decision back, and what bots did after it.
[b]a[/] takes the board as it lies where it differs from the game.
[b]m[/] says that the throw which a bot asked you for missed.
[b]k[/] makes all keys of seats void, so that this table gets new ones.
[b]t[/] speaks another language. [b]q[/] leaves; the game is kept.""")
SURE = {  # keys that ask first, with what they ask
    "q": N_("Leave the game? q once more leaves, any other key stays."),
    "a": N_("The game then takes the board as it lies. Really? a once more does it."),
    "k": N_("All keys of seats become void, for other tables too. Really? k once more does it."),
    "u": N_("This goes back: {list}. Really? u once more does it."),
}
COVERED = N_(
    "[bold]{name}, you are asked.[/] The question tells what you hold:\n"
    "press Enter when nobody else looks."
)
AT_THE_END = N_("The game is over. Enter plays another one, l tells what happened, q leaves.")
IN_DOUBT = N_("{name} decides: does the {colour} chip count in {zone}? y or n")
UNHEARD = N_(
    "{colour}: fewer chips are heard than were thrown. {name}: n, the rest lies nowhere; or lay "
    "it so that it is heard."
)


class Face:
    """All that is drawn around one match; knows no game but by its panel."""

    def __init__(self, match: Match, panel: Any, console: Console) -> None:
        self.match, self.panel, self.console = match, panel, console
        self.story = Story()
        self.words: deque[str] = deque(maxlen=WORDS)  # console text of the board
        self.message = ""
        self.chooser: Chooser | None = None
        self.seat: int | None = None  # whose decision is being asked
        self.hand: RenderableType | None = None
        self.own: dict[str, Any] | None = None  # the view of a person who sits alone here
        self.hands: list[RenderableType] = []  # of all seats, once the game is over
        self.showing: str | None = None  # "help", "words" or "story" over the decisions
        self.up = 0  # lines that the story is scrolled up
        self.open_hand = self._alone() is not None  # nobody to hide it from
        self.covered = False  # the question tells a secret, and others sit at this terminal
        self.sure = ""  # the key that has asked whether it is meant
        self.waiting = False  # people look at what a bot did, until Enter
        self.board_in_front = False  # of the words, in a narrow terminal
        self.decided: deque[list[str]] = deque(maxlen=3)  # lines of each of the last decisions
        self._wrong: Any = None  # differences as last seen, and since when
        self._wrong_since = 0.0

    def people(self) -> list[int]:
        """Seats of people."""
        return [s for s in range(int(self.match.game["players"])) if s not in self.match.bots]

    def _alone(self) -> int | None:
        """The only person's seat; None when there are several people, or none."""
        people = self.people()
        return people[0] if len(people) == 1 else None

    @property
    def log(self) -> list[str]:
        """All that was told, as markup, the newest last."""
        return self.story.lines()

    @property
    def view(self) -> dict[str, Any]:
        """The public view as last read."""
        game = self.match.snapshot.get("game") or {}
        return game.get("view") or {}

    # -- drawing

    def draw(self) -> RenderableType:
        """The whole screen."""
        width, height = self.console.width, self.console.height - 1
        if width < screen.SMALLEST[0] or height + 1 < screen.SMALLEST[1]:
            return screen.too_small(width, height + 1)
        if self.showing == "story":
            return self._whole_story(height)
        room = width - screen.SIDE - screen.BESIDE
        narrow = self._narrow()
        parts = screen.Words(
            top=Group(
                Text.from_markup(f"[bold]{self.panel.prompt(self.view)}[/]"), *self._troubles()
            ),
            public=self.panel.public(self._seen_here()),
            question=self._below,
            log=self.log[-screen.LOG_LINES :],
        )
        if not getattr(self.chooser, "pictured", False):
            parts.picture = lambda rows: self.panel.picture(self.view, rows) or Text()
        if narrow and not self.board_in_front:
            chips = self.match.snapshot.get("chips", {})
            parts.top = Group(parts.top, board.in_words(chips)) if chips else parts.top
            return screen.Lines(screen.words(self.console, parts, width, height)[:height])
        if narrow:
            room, parts.picture = 0, None
            parts.public = board.legend(self.panel.labels(self.view))
        drawn = board.draw(
            board.Scale(height, room),
            self._lights(),
            self.match.snapshot.get("chips", {}),
            self.panel.labels(self.view),
            plain=self.console.no_color,
        )
        picture = screen.lines_of(self.console, drawn, width)[:height]
        left = width - screen.BESIDE - board.Scale(height, room).width
        return screen.beside(picture, screen.words(self.console, parts, left, height), height)

    def _narrow(self) -> bool:
        """Has the board no room beside the words?"""
        return self.console.width - screen.SIDE - screen.BESIDE < board.Scale(0).width

    def _seen_here(self) -> dict[str, Any]:
        """What may be shown in the open: who sits alone sees their own money too."""
        return self.own or self.view

    def _lights(self) -> lights.Lights:
        if self.match.hands is not None:
            return self.match.hands.lights()
        return lights.from_show(self.match.snapshot.get("show", {}), int(time.monotonic() * 1000))

    def _whole_story(self, height: int) -> RenderableType:
        """All that has happened, as far as it has room."""
        lines = self.log or [_("nothing yet")]
        rows = height - 3
        self.up = max(0, min(self.up, len(lines) - rows))
        end = len(lines) - self.up
        shown = lines[max(0, end - rows) : end]
        title = _("what has happened (arrows move, any other key closes this)")
        text = Text.from_markup("\n".join(shown), overflow="ellipsis")
        text.no_wrap = True
        return Box(text, title=title)

    def _below(self, rows: int) -> RenderableType:
        """What is asked, or what covers it, in so many rows."""
        if self.showing == "help":
            return Box(Text.from_markup(_(KEYS_HELP)), title=_("keys (any key closes this)"))
        if self.showing == "words":
            text = Text("\n".join(self.words) or _("nothing yet"))
            return Box(text, title=_("the board's console (any key closes this)"))
        parts: list[RenderableType] = list(self.hands)
        if self.open_hand and self.hand is not None and not self.hands:
            covers = _("any key covers it") if self._alone() is None else _("h covers it")
            box = Box(self.hand, title=_("hand ({key})").format(key=covers), border_style="yellow")
            parts.append(box if rows > ROOMY else self.hand)
        why = getattr(self.chooser, "why", str)  # one that says itself why something is refused
        if self.message and self.message != why():
            parts.append(Text.from_markup(f"[red]{escape(self.message)}[/]"))
        if self.sure:
            parts.append(Text.from_markup(f"[red]{self._surely()}[/]"))
        taken = sum(len(screen.lines_of(self.console, part, self._width())) for part in parts) + 1
        parts += self._question(rows - taken)
        return Group(*parts, Text.from_markup(self._hint()))

    def _width(self) -> int:
        """Columns that the words have."""
        if not self._narrow():
            return screen.SIDE
        beside = board.Scale(0).width + screen.BESIDE if self.board_in_front else 0
        return self.console.width - beside

    def _question(self, rows: int) -> list[RenderableType]:
        """What is asked; nothing while what has happened is still being told."""
        if self.match.game["over"]:
            return [Text.from_markup(bold(_(AT_THE_END)))]
        if self.story.telling:
            return []
        if self.waiting:
            return [Text.from_markup(bold(_("Enter goes on")))]
        if self.chooser and self.covered and self.seat is not None:
            return [Text.from_markup(_(COVERED).format(name=self.panel.name(self.seat)))]
        if self._narrow() and self.board_in_front and getattr(self.chooser, "pictured", False):
            return [Text.from_markup(bold(_("b shows the layout again")))]
        return [self.chooser.draw(rows)] if self.chooser else []

    def _surely(self) -> str:
        """What a key asks that is to be pressed twice."""
        text = _(SURE[self.sure])
        if self.sure == "u":
            number = self.match.to_take_back()
            lines = [line for lines in list(self.decided)[-number:] for line in lines[:1]]
            many = ngettext("{n} decision", "{n} decisions", number).format(n=number)
            text = text.format(list=_("; ").join(lines) or many)
            if len(self.people()) > 1:
                text += " " + _("Ask the others first.")
        return text

    def _hint(self) -> str:
        keys = [_("? keys")]
        if self.hand is not None:
            keys.append(_("h hand"))
        if self._narrow():
            keys.append(_("b board"))
        if not self.match.game["over"] and self.match.to_take_back():
            keys.append(_("u take back"))
        keys += [_("l what happened"), _("t language"), _("q leave")]
        return f"[dim]{'  '.join(keys)}[/]"

    def _troubles(self) -> list[RenderableType]:
        """Differences of board and game, and doubts, each with its way out."""
        lines = [f"[red]{difference(*row)}[/]" for row in self._differences()]
        if lines:
            way = _("put it right with your hand, or press a to take it as it lies")
            lines.append(f"[red]{way}[/]")
        for _number, colour, zone in self.match.snapshot.get("doubts", []):
            text = _(IN_DOUBT if zone else UNHEARD).format(
                name=self._arbiter(), colour=_(colour), zone=inside(zone)
            )
            lines.append(f"[yellow]{text}[/]")
        wish = self.match.wish
        if wish is not None:
            text = _(
                "A bot asks you to throw for it: chip {chip}, at {zone}, {how}. "
                "Press m if it misses."
            )
            how = _("hard") if wish["strength"] >= HARD else _("softly")
            parts = {"chip": wish["chip"], "zone": place(wish["zone"]), "how": how}
            lines.append(f"[yellow]{text.format(**parts)}[/]")
        return [Text.from_markup("\n".join(lines))] if lines else []

    def _arbiter(self) -> str:
        """Who decides a doubt, as markup."""
        seat = self.panel.arbiter(self.view) if self.view else None
        return _("whoever sees it best") if seat is None else str(self.panel.name(seat))

    def _differences(self) -> list[Any]:
        """What people should put right: on a simulated board hands do it by themselves, and only
        what stays is told."""
        wrong = self.match.snapshot.get("mismatch", [])
        if wrong != self._wrong:
            self._wrong, self._wrong_since = wrong, time.monotonic()
        patience = PATIENCE_S if self.match.hands is not None else 0
        return wrong if time.monotonic() - self._wrong_since >= patience else []

    # -- what changes it

    def _look_at_hands(self) -> None:
        """At the end all hands are laid open, as far as this table has their keys."""
        self.hands, self.own = [], None
        for seat in range(int(self.match.game["players"])):
            with suppress(Refused):
                view = self.match.page(seat)["view"]
                hand = self.panel.hand(view, seat)
                if hand is not None:
                    self.hands.append(hand)
                if seat == self._alone():
                    self.own = view

    def _speak_another(self) -> None:
        """The next language there is, at once."""
        known = language.languages()
        language.speak(known[(known.index(language.language()) + 1) % len(known)])
        self.chooser = None  # it was asked in the language before
        if self.hands:
            self._look_at_hands()
