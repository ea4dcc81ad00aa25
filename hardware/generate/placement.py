"""A map of the middle of a tile: where each small part sits, for those whose name has no room.

Both tiles are alike there. python -m hardware.generate.placement      writes docs/pictures
"""

import math

from hardware import PICTURES, circuit
from hardware.calc import copper

PAGE = PICTURES / "hardware-tile-map.svg"
CENTRE = (148.5, 105.0)
LEFT, RIGHT, TOP, BOTTOM = -16.5, 16.5, -20.5, 17.5  # mm
TRIM = {"C10", "C11", "C12", "C13", "C14", "C15", "C16", "C17", "C18", "C19", "L1", "L2", "R13", "R14"}  # fmt: skip


def draw(board: copper.Copper) -> str:
    """The picture as SVG, in mm; matching parts in colour, empty places dashed."""
    pads, words = [], []
    empty = {part.ref for part in circuit.board("action").parts if part.dnp}
    refs: dict[str, list[copper.Pad]] = {}
    for (ref, _), entries in board.pads.items():
        refs.setdefault(ref, []).extend(entries)
    for ref, entries in sorted(refs.items()):
        if ref == "AE1":
            continue
        colour = "#c47f17" if ref in TRIM else "#9a9a9a"
        for x, y, half_w, half_h, turn, *_ in entries:
            place = f"translate({x - CENTRE[0]:.2f} {y - CENTRE[1]:.2f}) rotate({-math.degrees(turn):.0f})"
            pads.append(
                f'<rect x="{-half_w:.2f}" y="{-half_h:.2f}" width="{2 * half_w:.2f}" '
                f'height="{2 * half_h:.2f}" rx=".15" fill="{colour}" transform="{place}"/>'
            )
        x = sum(e[0] for e in entries) / len(entries) - CENTRE[0]
        y = sum(e[1] for e in entries) / len(entries) - CENTRE[1]
        if LEFT < x < RIGHT and TOP < y < BOTTOM:
            style = "italic" if ref in empty else "normal"
            tall = len(entries) == 2 and abs(entries[0][0] - entries[1][0]) < 0.1
            turned = f' transform="rotate(-90 {x:.2f} {y:.2f})"' if tall else ""
            words.append(
                f'<text x="{x:.2f}" y="{y + 0.3:.2f}" font-style="{style}"{turned}>{ref}</text>'
            )
    width, height = RIGHT - LEFT, BOTTOM - TOP
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{LEFT} {TOP} {width} {height}" '
        f'width="{width * 25:.0f}" height="{height * 25:.0f}">\n'
        f'<rect x="{LEFT}" y="{TOP}" width="{width}" height="{height}" fill="#f7f7f2"/>\n'
        + "\n".join(pads)
        + '\n<g font-family="sans-serif" font-size=".85" font-weight="bold" text-anchor="middle" '
        'fill="#111" stroke="#f7f7f2" stroke-width=".22" paint-order="stroke">\n'
        + "\n".join(words)
        + "\n</g>\n</svg>\n"
    )


if __name__ == "__main__":
    PAGE.write_text(draw(copper.Copper("action")), encoding="utf-8")
