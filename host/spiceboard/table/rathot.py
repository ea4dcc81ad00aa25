"""Rat Hot at the terminal table: the growing layout, the held strip and where it may lie."""

from collections.abc import Callable
from typing import Any

from rich.console import Group, RenderableType
from rich.style import Style
from rich.table import Table
from rich.text import Text

from spiceboard.table.board import COLOURS
from spiceboard.table.menu import ROWS, Menu
from spiceboard.table.open_game import arbiter as arbiter
from spiceboard.table.open_game import hand as hand
from spiceboard.table.open_game import private as private
from spiceboard.table.open_game import slow as slow
from spiceboard.table.panel import Chooser, Event, View, bold
from spiceboard.words import N_, _, ngettext
from spiceboard.words.refusals import said_by_board
from spicecore.games.rathot.board import RAT_ZONES, SPICE_ZONES, TURN_ZONE
from spicecore.games.rathot.layout import cells, fault, place, surface, worth
from spicecore.games.rathot.strips import CODES, SPICES, owner

SEATS = ("red", "green")
RATS = (N_("red rats"), N_("green rats"))
NAMES = {letter: code for code, letter in CODES.items()}
PAPER = {"R": "#a02828", "G": "#207830", "_": "#555550", "S": "#555550"}
HEIGHTS = "  ²³⁴⁵⁶⁷⁸⁹"  # written after a square that lies higher than the table
WAYS = (N_("right"), N_("down"), N_("left"), N_("up"))
ARROWS = {"right": (1, 0), "down": (0, 1), "left": (-1, 0), "up": (0, -1)}
WIDE = 17  # squares of the layout that are drawn beside each other
MOST_HIGH = 15  # and below each other, where there is room
AROUND = 4  # free squares around what is laid


def name(seat: int | None) -> str:
    """A seat in its colour, as markup."""
    if seat is None:
        return _("both")
    return f"[{COLOURS[SEATS[seat]]}]{_(SEATS[seat].capitalize())}[/]"


def points(view: View) -> list[int]:
    """Points taken so far, by seat."""
    pairs = zip(view["chips"], view["noted"], strict=True)
    return [ones + 2 * twos + more for (ones, twos), more in pairs]


def final(view: View) -> list[int]:
    """What the visible groups are worth in the final count, by seat."""
    counted = [0, 0]
    for spice, sizes in zip(SPICES, view["groups"], strict=True):
        counted[owner(spice)] += sum(worth(size) for size in sizes)
    return counted


def labels(view: View) -> dict[str, list[str]]:
    """The spice of each bowl with the sizes of its groups; rats beside the action spaces."""
    result: dict[str, list[str]] = {}
    for zone, spice in zip(SPICE_ZONES, SPICES, strict=True):
        colour = COLOURS[SEATS[owner(spice)]]
        result[zone] = [f"[{colour}]{NAMES[spice]}[/]"]
        if view:
            sizes = view["groups"][SPICES.index(spice)]
            result[zone].append(" ".join(map(str, sorted(sizes, reverse=True))) or "[dim]-[/]")
    result[TURN_ZONE] = [_("pile"), str(view["pile"])] if view else [_("pile")]
    for seat, zone in enumerate(RAT_ZONES):
        result[zone] = [_(RATS[seat]), *([str(view["rats"][seat])] if view else [])]
    result["spice_card"] = result["reserve"] = [""]
    return result


def square(letter: str, height: int = 1) -> tuple[str, Style]:
    """Three characters of a square, and their colours."""
    code = NAMES[letter]
    word = {"RR": "rat", "GR": "rat", "__": "  "}.get(code, code)
    text = word if len(word) == 3 else word + (HEIGHTS[min(height, 9)] if height > 1 else " ")
    style = Style(color="white", bgcolor=PAPER[code[0]], bold=len(word) == 3)
    return f"{text:3}", style + (Style(underline=True) if height > 1 else Style.null())


def strip_text(letters: str) -> Text:
    """A strip on its own."""
    text = Text()
    for letter in letters:
        text.append(*square(letter))
    return text


def layout(view: View, rows: int, middle: tuple[int, int] | None = None) -> "Picture":
    """The layout around a square (default: its own middle), in at most so many rows."""
    least_x, least_y, most_x, most_y = view["box"]
    x, y = middle or ((least_x + most_x) // 2, (least_y + most_y) // 2)
    wide = min(WIDE, most_x - least_x + 1 + 2 * AROUND)
    high = max(1, min(rows, MOST_HIGH, most_y - least_y + 1 + 2 * AROUND))
    return Picture(view, x - wide // 2, y - high // 2, wide, high)


class Picture:
    """A window on the layout, into which more can be drawn."""

    def __init__(self, view: View, left: int, top: int, wide: int, high: int) -> None:
        self.left, self.top, self.wide, self.high = left, top, wide, high
        heights, faces = surface(view["strips"], view["laid"])
        self.squares: dict[tuple[int, int], tuple[str, Style]] = {}
        for at, letter in faces.items():
            self.squares[place(at)] = square(letter, heights[at] // 64)

    def text(self) -> Text:
        """The window as lines."""
        lines = []
        for y in range(self.top, self.top + self.high):
            line = Text(no_wrap=True)
            for x in range(self.left, self.left + self.wide):
                line.append(*self.squares.get((x, y), (" \u00b7 ", Style(color="#333333"))))
            lines.append(line)
        joined = Text("\n", no_wrap=True, overflow="crop").join(lines)
        joined.no_wrap, joined.overflow = True, "crop"
        return joined


def public(view: View) -> RenderableType:
    """Points, rats and groups of both, and the strips turned up."""
    if not view:
        return Text(_("no game is on"))
    seats = Table(box=None, padding=(0, 1), show_edge=False)
    for column in ("", _("points"), _("in sight"), _("rats")):
        seats.add_column(column, justify="left" if not column else "right")
    taken, seen = points(view), final(view)
    for seat in (0, 1):
        rats = view["rats"][seat]
        warning = f"[bold red]{rats}[/]" if rats >= 2 else str(rats)
        cells_of = [name(seat), str(taken[seat]), str(seen[seat]), warning]
        seats.add_row(*(Text.from_markup(text) for text in cells_of))
    held = Text(_("turned up: {cards}").format(cards=""))
    for strip in view["held"]:
        held += strip_text(view["strips"][strip]) + Text("  ")
    return Group(Text.from_markup(f"[dim]{pile_text(view['pile'])}[/]"), seats, held)


def pile_text(n: int) -> str:
    """How many strips nobody has seen."""
    return ngettext("{n} strip in the pile.", "{n} strips in the pile.", n).format(n=n)


def picture(view: View, rows: int) -> RenderableType | None:
    """The layout from above."""
    return layout(view, rows).text() if view else None


def prompt(view: View) -> str:
    """Who must do what now."""
    if not view:
        return _("no game is on")
    phase = view["phase"]
    if phase[0] == "turn_up":
        return said(N_("{name} turns up strips."), phase[1])
    if phase[0] == "lay":
        return said(N_("{name} lays a strip ({n} to lay)."), phase[1], n=len(view["held"]))
    if phase[1] == "aborted":
        return _("The game was ended.")
    if phase[1] == "rats":
        text = _("{loser} shows three rats: {name} wins!")
        return text.format(loser=name(1 - phase[2]), name=name(phase[2]))
    total = [a + b for a, b in zip(points(view), final(view), strict=True)]
    if phase[2] is None:
        text = _("Both win, {a} to {b} with the groups in sight.")
    else:
        text = _("{name} wins, {a} to {b} with the groups in sight.")
    return text.format(name=name(phase[2]), a=total[0], b=total[1])


def describe(event: Event, view: View) -> str:
    """A decision as a line of a menu."""
    if event[0] == "turn_up":
        return _("turn up the strips")
    codes = " ".join(NAMES[letter] for letter in view["strips"][event[2]])
    text = _("lay {codes} from ({x}, {y}) {way}")
    return text.format(codes=codes, x=event[3], y=event[4], way=_(WAYS[event[5]]))


def said(text: str, seat: int, **parts: Any) -> str:
    """A translated text with a name, and whatever else belongs into it."""
    return _(text).format(name=name(seat), **parts)


LINES: dict[str, Callable[..., str | None]] = {
    "turn": lambda s: None,
    "rats": lambda s, n: bold(said(N_("{name} shows {n} rats at the end of the turn"), s, n=n)),
    "final": lambda counted, totals: _("last count: {a} and {b} more").format(
        a=counted[0], b=counted[1]
    ),
    "over": lambda s: bold(_("Both win the game") if s is None else wins(s)),
    "aborted": lambda: _("the game was ended"),
}


def wins(seat: int) -> str:
    """Who wins."""
    return said(N_("{name} wins the game"), seat)


def tell(effect: list[Any], view: View) -> str | None:
    """A public effect as a line of the log."""
    kind, parts = effect[1], effect[2:]
    strips = view.get("strips", [])
    if kind == "turned_up" and strips:
        shown = ", ".join(" ".join(NAMES[c] for c in strips[strip]) for strip in parts[1])
        return said(N_("{name} turns up {strips}"), parts[0], strips=shown)
    if kind == "laid" and strips:
        codes = " ".join(NAMES[letter] for letter in strips[parts[1]])
        return said(N_("{name} lays {codes}, {way}"), parts[0], codes=codes, way=_(WAYS[parts[4]]))
    if kind == "scored":
        text = ngettext(
            "{name} scores {n} point for {size} {spice}",
            "{name} scores {n} points for {size} {spice}",
            parts[1],
        )
        spice = NAMES[parts[2]]
        return text.format(name=name(parts[0]), n=parts[1], size=len(parts[3]), spice=spice)
    line = LINES.get(kind)
    return line(*parts) if line else None


def chooser(view: View, legal: list[Event], seat: int) -> Chooser:
    """A cursor on the layout; turning up is a menu of one."""
    if legal[0][0] == "turn_up":
        title = _("{name}, your turn").format(name=name(seat))
        return Menu(title, [(describe(legal[0], view), legal[0])])
    return Cursor(view, legal, seat)


class Cursor:
    """A held strip moved over the layout: arrows move it, r turns it, tab takes the other one."""

    pictured = True

    def __init__(self, view: View, legal: list[Event], seat: int) -> None:
        self.view, self.seat = view, seat
        self.legal = {tuple(event[2:]) for event in legal}
        self.which, self.way = 0, 0
        # begin where the strip may lie, as near to the middle as there is such a place
        starts = [spot for spot in self.legal if spot[0] == view["held"][0] and spot[3] == 0]
        near = min(starts or self.legal, key=lambda spot: abs(spot[1]) + abs(spot[2]))
        self.x, self.y, self.way = near[1], near[2], near[3]

    def _laid(self) -> list[int]:
        return [self.view["held"][self.which], self.x, self.y, self.way]

    def draw(self, rows: int = ROWS) -> RenderableType:
        """The layout with the strip on it, circles where its first square may lie."""
        picture = layout(self.view, rows - 3, self._window(rows - 3))
        laid = self._laid()
        allowed = tuple(laid) in self.legal
        for strip, x, y, way in self.legal:
            if strip == laid[0] and way == self.way:
                text, style = picture.squares.get((x, y), ("   ", Style(color="#40c0c0")))
                picture.squares[(x, y)] = (f"{text[:2]}\u2218", style)
        frame = Style(bgcolor="#c0c0ff" if allowed else "#ff80ff", color="black", bold=True)
        for at, letter in zip(cells(laid), self.view["strips"][laid[0]], strict=True):
            picture.squares[place(at)] = (square(letter)[0], frame)
        why = _("Enter lays it") if allowed else self.why()
        title = _("{name}, lay a strip").format(name=name(self.seat))
        hint = _("arrows move, r turns, tab other strip, g next place")
        return Group(
            Text.from_markup(bold(title)),
            picture.text(),
            Text.from_markup(f"{'[green]' if allowed else '[magenta]'}{why}[/]"),
            Text.from_markup(f"[dim]{hint}[/]"),
        )

    def _window(self, rows: int) -> tuple[int, int]:
        """The middle of what is shown: that of the layout, or the strip where all has no room."""
        least_x, least_y, most_x, most_y = self.view["box"]
        x, y = (least_x + most_x) // 2, (least_y + most_y) // 2
        if most_x - least_x + 1 + 2 * AROUND > WIDE:
            x = self.x
        if most_y - least_y + 1 + 2 * AROUND > min(rows, MOST_HIGH):
            y = self.y
        return x, y

    def why(self) -> str:
        """Why the strip may not lie so; names the square at fault."""
        top = surface(self.view["strips"], self.view["laid"])[0]
        found = fault(top, self._laid(), self.view["options"]["bounds"])
        return said_by_board(found[1]) if found else _("It may not lie there.")

    def key(self, key: str) -> Event | None:
        """Take one key; the event when Enter was pressed on a place where the strip may lie."""
        if key in ARROWS:
            dx, dy = ARROWS[key]
            least_x, least_y, most_x, most_y = self.view["box"]
            self.x = max(least_x - 3, min(self.x + dx, most_x + 3))
            self.y = max(least_y - 3, min(self.y + dy, most_y + 3))
        elif key == "r":
            self.way = (self.way + 1) % 4
        elif key == "tab":
            self.which = (self.which + 1) % len(self.view["held"])
        elif key == "g":
            self._next_place()
        elif key == "enter":
            laid = self._laid()
            if tuple(laid) not in self.legal:
                raise ValueError(self.why())
            return ["lay", self.seat, *laid]
        elif len(key) == 1:
            text = _("`{key}` means nothing here: arrows, r, tab, g, Enter")
            raise ValueError(text.format(key=key))
        return None

    def _next_place(self) -> None:
        """On to the next place where the strip may lie as it is turned, row by row."""
        strip = self.view["held"][self.which]
        spots = sorted((y, x) for s, x, y, way in self.legal if s == strip and way == self.way)
        later = [spot for spot in spots if spot > (self.y, self.x)]
        if spots:
            self.y, self.x = (later or spots)[0]
