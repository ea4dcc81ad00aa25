"""How the parts of the table share the screen: the board where there is room, beside it the words.

What is asked is always whole; what is public comes next, and the log has the lines that are left.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.segment import Segment
from rich.text import Text

from spiceboard.words import _

SMALLEST = (80, 24)  # columns and rows below which nothing can be played
SIDE = 54  # columns that the words need beside the board
BESIDE = 2  # columns between the two
LEAST_QUESTION = 8  # rows
LOG_LINES = 10
Line = list[Segment]


class Lines:
    """Lines of segments as something to print."""

    def __init__(self, lines: list[Line]) -> None:
        self.lines = lines

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for number, line in enumerate(self.lines):
            if number:
                yield Segment.line()
            yield from line


@dataclass
class Words:
    """What stands beside the board. `question` gets the number of rows that it may fill, and
    so does `picture`, what a game lays out on the table."""

    top: RenderableType
    public: RenderableType
    question: Callable[[int], RenderableType]
    picture: Callable[[int], RenderableType] | None = None
    log: list[str] = field(default_factory=list)


def lines_of(console: Console, part: RenderableType, width: int) -> list[Line]:
    """The part drawn in so many columns."""
    options = console.options.update(width=max(width, 1), height=None)
    return console.render_lines(part, options, pad=False)


def words(console: Console, parts: Words, width: int, height: int) -> list[Line]:
    """The words in so many columns and rows."""
    top = lines_of(console, parts.top, width)
    public = lines_of(console, parts.public, width)
    rows = max(LEAST_QUESTION, height - len(top) - len(public))
    question = lines_of(console, parts.question(rows), width)
    left = max(0, height - len(top) - len(question))
    if len(public) > left:
        public = [*public[: left - 1], [Segment("...")]] if left else []
    left -= len(public)
    picture: list[Line] = []
    if parts.picture and left:
        picture = lines_of(console, parts.picture(left), width)[:left]
        left -= len(picture)
    log = lines_of(console, Text.from_markup("\n".join(parts.log), style="dim"), width)
    log = log[-min(left, LOG_LINES) :] if left and parts.log else []
    return [*top, *public, *picture, *question, *log]


def beside(board: list[Line], words: list[Line], height: int) -> Lines:
    """The board and the words beside it."""
    width = max((Segment.get_line_length(line) for line in board), default=0) + BESIDE
    lines = []
    for row in range(min(height, max(len(board), len(words)))):
        left = board[row] if row < len(board) else []
        right = words[row] if row < len(words) else []
        gap = Segment(" " * (width - Segment.get_line_length(left)))
        lines.append([*left, gap, *right])
    return Lines(lines)


def too_small(width: int, height: int) -> Text:
    """What to say in a terminal in which the table cannot be drawn; the game waits."""
    text = _(
        "The table needs {columns} columns and {rows} rows, this terminal has {width} and "
        "{height}: make it larger, or its letters smaller."
    )
    columns, rows = SMALLEST
    return Text(text.format(columns=columns, rows=rows, width=width, height=height))
