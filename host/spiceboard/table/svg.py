"""A terminal screen as SVG: every word at its column, so that no font can move it.

Rich's own export leans on spaces and on fonts from elsewhere; lights (●) become circles here.
"""

import re
from html import escape

from rich.color import ColorSystem
from rich.console import Console, RenderableType
from rich.segment import Segment
from rich.style import Style
from rich.terminal_theme import MONOKAI

CELL_X, CELL_Y, FONT = 8.4, 17.0, 14
PAPER, INK = "#16181d", "#d8d8d4"
FACE = "DejaVu Sans Mono, Menlo, Consolas, monospace"


def colour(style: Style | None, ink: str = INK) -> str:
    """The foreground of a style as #rrggbb."""
    if style is None or style.color is None or style.color.is_default:
        return ink
    return style.color.get_truecolor(MONOKAI).hex


def paper(style: Style | None) -> str | None:
    """The background of a style as #rrggbb, where it has one."""
    if style is None or style.bgcolor is None or style.bgcolor.is_default:
        return None
    return style.bgcolor.get_truecolor(MONOKAI).hex


def cell_of(char: str, x: float, y: float, style: Style | None) -> str:
    """A light, or a character of a frame."""
    return (
        f'<circle cx="{x + CELL_X / 2:.1f}" cy="{y - FONT / 3:.1f}" r="{CELL_X * 0.46:.1f}" '
        f'fill="{colour(style)}"/>'
    )


def word_of(word: str, x: float, y: float, style: Style | None) -> str:
    """One word, stretched to its cells."""
    width = len(word) * CELL_X
    bold = ' font-weight="bold"' if style and style.bold else ""
    dim = ' opacity="0.55"' if style and style.dim else ""
    ink, back = colour(style), ""
    box = f'x="{x:.1f}" y="{y - FONT:.1f}" width="{width:.1f}" height="{CELL_Y}"'
    if style and style.reverse:
        back, ink = f'<rect {box} fill="{INK}"/>', PAPER
    elif paper(style):
        back = f'<rect {box} fill="{paper(style)}"/>'
    if word.isspace():
        return back
    return (
        f'{back}<text x="{x:.1f}" y="{y:.1f}" textLength="{width:.1f}" fill="{ink}"{bold}{dim}>'
        f"{escape(word)}</text>"
    )


def line_of(segments: list[Segment], y: float) -> list[str]:
    """All words and lights of a line."""
    parts, column = [], 0
    for text, style, control in segments:
        if control:
            continue
        pattern = r"●|[^●]+" if paper(style) else r"●|[^\s●]+"  # a background has no gaps
        for match in re.finditer(pattern, text):
            x = (column + match.start()) * CELL_X + CELL_X
            draw = cell_of if match.group() == "●" else word_of
            parts.append(draw(match.group(), x, y, style))
        column += len(text)
    return parts


def export(picture: RenderableType, width: int, height: int) -> str:
    """The picture on a terminal of so many columns and rows."""
    console = Console(width=width, height=height, force_terminal=True, color_system="truecolor")
    assert console.color_system == ColorSystem.TRUECOLOR.name.lower()
    lines = console.render_lines(picture, console.options.update(height=None), pad=False)
    parts = [
        part for row, line in enumerate(lines) for part in line_of(line, (row + 1.5) * CELL_Y)
    ]
    size_x, size_y = (width + 2) * CELL_X, (len(lines) + 1.5) * CELL_Y
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size_x:.0f} {size_y:.0f}" '
        f'font-family="{FACE}" font-size="{FONT}">\n'
        f'<rect width="100%" height="100%" rx="8" fill="{PAPER}"/>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )
