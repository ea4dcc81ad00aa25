"""The board as characters: bowls, action spaces, rings of lights, and chips as coloured discs.

Knows places and colours, no game. A cell of a terminal is taken as twice as high as wide.
"""

import math

from rich.style import Style
from rich.text import Text

from spiceboard.bots.targets import BOWLS, GRID
from spiceboard.words import N_, _

ACTION_RADIUS = 0.2  # of an action space's ring, in pitches
MIN_PITCH, MAX_PITCH = 7, 14  # rows
NAMES_FROM_PITCH = 10  # below it there is no room for the names of action spaces
ACTIONS = tuple(zone for zone in GRID if zone not in BOWLS)
COLOURS = {
    N_("blue"): "#4f8fff",
    N_("red"): "#ff5555",
    N_("green"): "#44cc55",
    N_("orange"): "#ffa020",
    N_("mill"): "#e8dcc8",
}
DARK = (52, 52, 56)
RIM = Style(color="#555555")
Colour = tuple[int, int, int]


def ring_rows(pitch: int) -> int:
    """Rows from the middle of a bowl to its ring: neighbouring rings do not touch."""
    return int(pitch * 0.42)


def bright(colour: Colour) -> Colour:
    """A light's colour as an eye sees it: LEDs are dimmed by the current cap, eyes adapt. The hue
    stays: blue beside green looks blue."""
    most = max(colour)
    if not most:
        return DARK
    factor = 255 * (most / 255) ** 0.28 / most
    red, green, blue = (round(part * factor) for part in colour)
    return red, green, blue


def lamp(colour: Colour, brightest: int) -> str:
    """A light without its colour: dark, faint beside the ring's brightest one, or bright."""
    if not any(colour):
        return "\u00b7"
    return "\u25cf" if 2 * max(colour) > brightest else "\u25cb"


class Canvas:
    """A grid of styled characters; what is drawn outside is cut off."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.cells = [[(" ", Style.null())] * width for _ in range(height)]

    def put(self, x: int, y: int, char: str, style: Style) -> None:
        """One character."""
        if 0 <= x < self.width and 0 <= y < self.height:
            self.cells[y][x] = (char, style)

    def text(self, centre: int, y: int, text: Text, room: int) -> None:
        """A line of text around a column, cut to `room` characters."""
        text = text[:room]
        left = centre - text.cell_len // 2
        styles = [Style.null()] * len(text.plain)
        for span in text.spans:
            for index in range(span.start, min(span.end, len(styles))):
                styles[index] += Style.parse(str(span.style))
        for offset, char in enumerate(text.plain):
            self.put(left + offset, y, char, styles[offset])

    def render(self) -> Text:
        """The whole picture."""
        out = Text(no_wrap=True)
        for row in self.cells:
            for char, style in row:
                out.append(char, style)
            out.append("\n")
        return out


class Scale:
    """Where a zone lies on the canvas: as large as fits, twice as many columns as rows."""

    def __init__(self, height: int, width: int | None = None) -> None:
        fitting = [
            pitch
            for pitch in range(MIN_PITCH, MAX_PITCH + 1)
            if 2 * pitch + 2 * ring_rows(pitch) + 3 <= height
            and (width is None or 4 * pitch + 4 * ring_rows(pitch) + 7 <= width)
        ]
        self.pitch = fitting[-1] if fitting else MIN_PITCH  # rows from bowl to bowl
        self.rows = ring_rows(self.pitch)
        self.height = 2 * self.pitch + 2 * self.rows + 3
        self.width = 4 * self.pitch + 4 * self.rows + 7

    def centre(self, zone: str) -> tuple[int, int]:
        """Column and row of a zone's middle."""
        x, y = GRID[zone]
        return (
            round(3 + 2 * self.rows + x * 2 * self.pitch),
            round(1 + self.rows + y * self.pitch),
        )

    def radius(self, zone: str) -> float:
        """Rows from a zone's middle to its ring."""
        return self.rows if zone in BOWLS else self.pitch * ACTION_RADIUS

    def lights(self, zone: str, count: int) -> list[tuple[int, int]]:
        """Columns and rows of a ring's lights, the first at twelve o'clock, then clockwise."""
        x, y = self.centre(zone)
        radius = self.radius(zone)
        angles = [2 * math.pi * index / count for index in range(count)]
        return [
            (round(x + 2 * radius * math.sin(angle)), round(y - radius * math.cos(angle)))
            for angle in angles
        ]


def chip_line(chips: dict[str, int], plain: bool = False) -> Text:
    """The chips of a zone as discs in their colours (nothing else is known), the mill as a letter;
    plain: all by the first letter of their colour."""
    line = Text()
    for colour, style in COLOURS.items():  # in the order of the seats, as the values stand too
        disc = _(colour)[:1].upper() if plain or colour == "mill" else "\u25cf"
        line.append(disc * chips.get(colour, 0), Style(color=style, bold=True))
    return line


def in_words(chips: dict[str, dict[str, int]]) -> Text:
    """Which chips lie where, as a sentence: for a screen without room for the board."""
    places = [
        _(zone.replace("_", " "))
        + " "
        + " ".join(f"{there[colour]} {_(colour)}" for colour in COLOURS if colour in there)
        for zone, there in sorted(chips.items(), key=lambda item: list(GRID).index(item[0]))
    ]
    return Text(_("on the board: {list}").format(list=", ".join(places)))


def draw(
    scale: Scale,
    lights: dict[str, list[Colour]],
    chips: dict[str, dict[str, int]],
    labels: dict[str, list[str]],
    plain: bool = False,
) -> Text:
    """The whole board at a scale.

    lights: zone -> colours of its ring, red green blue 0..255, the first light at twelve o'clock;
    chips: zone -> {colour: number}; labels: zone -> short lines of markup, the first its name.
    plain: for a terminal without colours, where lights differ by their shape only.
    """
    canvas = Canvas(scale.width, scale.height)
    draw_rim(canvas)
    for zone in GRID:
        ring = lights.get(zone, [])
        for (x, y), colour in zip(scale.lights(zone, len(ring) or 1), ring, strict=False):
            red, green, blue = bright(colour)
            light = lamp(colour, max(map(max, ring))) if plain else "\u25cf"
            canvas.put(x, y, light, Style(color=f"rgb({red},{green},{blue})"))
        lines = [Text.from_markup(line) for line in labels.get(zone, [zone.replace("_", " ")])]
        draw_inside(canvas, scale, zone, lines, chip_line(chips.get(zone, {}), plain))
    return canvas.render()


def draw_rim(canvas: Canvas) -> None:
    """The edge of the board."""
    right, bottom = canvas.width - 1, canvas.height - 1
    for x in range(canvas.width):
        canvas.put(x, 0, "\u2500", RIM)
        canvas.put(x, bottom, "\u2500", RIM)
    for y in range(canvas.height):
        canvas.put(0, y, "\u2502", RIM)
        canvas.put(right, y, "\u2502", RIM)
    for (x, y), char in {
        (0, 0): "\u256d",
        (right, 0): "\u256e",
        (0, bottom): "\u2570",
        (right, bottom): "\u256f",
    }.items():
        canvas.put(x, y, char, RIM)


def draw_inside(canvas: Canvas, scale: Scale, zone: str, lines: list[Text], chips: Text) -> None:
    """Name, words and chips of a zone; of a small action space the name goes below its ring."""
    column, middle = scale.centre(zone)
    rows = list(lines)
    room, width = 2 * scale.rows - 1, int(4 * scale.radius(zone)) - 1
    if zone not in BOWLS:
        if rows and scale.pitch >= NAMES_FROM_PITCH:
            below = round(middle + scale.radius(zone)) + 1
            canvas.text(column, below, rows[0], scale.pitch)
            del rows[:1]
        elif rows:  # the legend tells the rest
            rows = [Text(f"{ACTIONS.index(zone) + 1}")] if rows[0].plain else []
            chips, rows = (chips, []) if chips.plain else (chips, rows)
        room = 2 * int(scale.radius(zone)) - 1
    if chips.plain:
        rows = [*rows[: room - 1], chips]
    top = middle - (len(rows) - 1) // 2
    for offset, row in enumerate(rows[:room]):
        canvas.text(column, top + offset, shortened(row, width), width)


def shortened(text: Text, room: int) -> Text:
    """A text that has room, or its beginning with a full stop."""
    if text.cell_len <= room or not text.plain[:room].isalpha():
        return text
    short = text[: room - 1]
    short.append(".")
    return short


def legend(labels: dict[str, list[str]]) -> Text:
    """What the numbers of action spaces mean, a line each: for a board without room for names."""
    lines = []
    for number, zone in enumerate(ACTIONS, 1):
        words = " ".join(line for line in labels.get(zone, [zone.replace("_", " ")]) if line)
        if words:
            lines.append(f"{number} {words}")
    return Text.from_markup("\n".join(lines))
