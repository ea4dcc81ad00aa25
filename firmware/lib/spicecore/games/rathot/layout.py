"""The layout of Rat Hot seen from above: where a strip may go, and which groups it makes.

A square of the table is one integer, `cell(x, y)`, x growing to the right and y downwards; steps
to its neighbours are constants. A laid strip is [strip, x, y, d]: its first square at (x, y), the
others one step on in direction d (0 right, 1 down, 2 left, 3 up). The start strip's S is (0, 0).
"""

from spicecore.games.rathot.strips import SPICES, SQUARES

ROW = 512  # no layout of 43 strips reaches farther than 129 squares from the start
HALF = 256
STEPS = (1, ROW, -1, -ROW)
START_LAID = [0, -1, 0, 0]
MARGIN = 130  # coordinates beyond this touch nothing


def cell(x: int, y: int) -> int:
    """The integer of a square."""
    return (y + HALF) * ROW + x + HALF


def place(at: int) -> tuple[int, int]:
    """(x, y) of a cell."""
    return at % ROW - HALF, at // ROW - HALF


def cells(laid: list) -> tuple[int, int, int]:
    """The three cells of a laid strip, first square first."""
    first, step = (laid[2] + HALF) * ROW + laid[1] + HALF, STEPS[laid[3]]
    return first, first + step, first + 2 * step


# What `surface` said last, for which strips and list of laid ones: the view, the legal events and
# the step of one position ask for the same.
_last: list = [None, None, {}, {}]


def surface(strips: list, laid: list) -> tuple[dict, dict]:
    """(top, face) by cell: height * 64 + place in `laid` of the upper strip, and its square.

    Both are kept for the next call, and a list that was asked for must not change afterwards.
    """
    if _last[0] is not strips or _last[1] is not laid:
        top: dict[int, int] = {}
        face: dict[int, str] = {}
        for i, each in enumerate(laid):
            add(top, face, strips, i, each)
        _last[:] = [strips, laid, top, face]
    return _last[2], _last[3]


def laid_on(strips: list, laid: list, strip: list) -> tuple[list, dict]:
    """(laid, face) after one more strip was laid."""
    top, face = surface(strips, laid)
    top, face, after = dict(top), dict(face), laid + [strip]
    add(top, face, strips, len(laid), strip)
    _last[:] = [strips, after, top, face]
    return after, face


def add(top: dict, face: dict, strips: list, i: int, laid: list) -> None:
    """Put the i-th laid strip on top."""
    first, second, third = cells(laid)
    top[first] = top[second] = top[third] = (top.get(first, 0) // 64 + 1) * 64 + i
    face[first], face[second], face[third] = strips[laid[0]]


def box(top: dict) -> tuple[int, int, int, int]:
    """(least x, least y, greatest x, greatest y) of the layout."""
    low_y, high_y = min(top) // ROW, max(top) // ROW
    xs = [at % ROW for at in top]
    return min(xs) - HALF, low_y - HALF, max(xs) - HALF, high_y - HALF


def places(top: dict, bounds: list | None) -> list[tuple[int, int]]:
    """Every (first cell, step) where a strip may lie to the right or downwards.

    Any strip may lie there, in both directions: its squares do not matter.
    """
    # A map of heights: on the board, numbers of cells make poor hashes, so looking them up in
    # `top` is slow.
    low_x, low_y, high_x, high_y = box(top)
    wide = high_x - low_x + 7  # three squares of room on every side
    corner = cell(low_x - 3, low_y - 3)
    heights = bytearray(wide * (high_y - low_y + 7))
    on_map = []
    for at, upper in top.items():
        i = (at - corner) // ROW * wide + (at - corner) % ROW
        heights[i] = upper // 64
        on_map.append(i)
    met = bytearray(len(heights))  # 1: free, and beside a strip
    sides = ((1, 1), (ROW, wide), (-1, -1), (-ROW, -wide))
    found, beside = [], []
    for at, i in zip(top, on_map):  # noqa: B905 - a cell and its index
        for step, go in sides[:2]:
            if heights[i] == heights[i + go] == heights[i + 2 * go]:
                if not top[at] == top[at + step] == top[at + 2 * step]:
                    found.append((at, step))
        for side, go in sides:
            go += i
            if not heights[go] and not met[go]:
                met[go] = 1
                beside.append((at + side, go))
    # Now the places on the table of which `at` is the first cell beside a strip.
    for at, i in beside:
        for step, go in sides[:2]:
            free = not heights[i + go]
            if free and not heights[i + 2 * go]:
                found.append((at, step))
            if not heights[i - go] and not met[i - go]:
                if free:
                    found.append((at - step, step))
                if not heights[i - 2 * go] and not met[i - 2 * go]:
                    found.append((at - 2 * step, step))
    if bounds:
        limits = (low_x, low_y, high_x, high_y)
        found = [spot for spot in found if _fits(limits, spot, bounds)]
    return found


def _fits(limits: tuple, spot: tuple, bounds: list) -> bool:
    """Whether a layout with a strip at this spot keeps within a width and a height."""
    x, y = place(spot[0])
    end_x, end_y = place(spot[0] + 2 * spot[1])
    wide = max(limits[2], end_x) - min(limits[0], x) + 1
    high = max(limits[3], end_y) - min(limits[1], y) + 1
    return bool(wide <= bounds[0] and high <= bounds[1])


def fault(top: dict, laid: list, bounds: list | None) -> tuple[str, str] | None:
    """Why a strip may not lie there: (code, sentence that names the square), or None."""
    where = cells(laid)
    below = [top.get(at, 0) for at in where]
    for k in range(SQUARES):
        if (below[k] == 0) != (below[0] == 0):
            at, name = (0, k) if below[k] else (k, 0)
            return "table", "Square %s would lie on the table, but %s on a strip." % (
                _name(where[at]),
                _name(where[name]),
            )
        if below[k] // 64 != below[0] // 64:
            low = k if below[k] < below[0] else 0
            return "gap", "Below square %s there would be a gap: it is lower than %s." % (
                _name(where[low]),
                _name(where[0 if low else k]),
            )
    if below[0]:
        if below[0] == below[1] == below[2]:
            return "cover", "All of the strip at %s would be covered by one other." % _name(
                where[0]
            )
    elif not any(at + side in top for at in where for side in STEPS):
        return "touch", "No square from %s to %s has an edge in common with a strip." % (
            _name(where[0]),
            _name(where[2]),
        )
    spot = (min(where), abs(STEPS[laid[3]]))
    if bounds and not _fits(box(top), spot, bounds):
        far = where[2] if laid[3] < 2 else where[0]
        return "edge", "With square %s the layout would be larger than %d by %d." % (
            _name(far),
            bounds[0],
            bounds[1],
        )
    return None


def _name(at: int) -> str:
    return "(%d, %d)" % place(at)


def group(face: dict, at: int) -> set:
    """The cells that are connected with this one by edges and show the same."""
    square = face[at]
    found, fresh = {at}, [at]
    while fresh:
        here = fresh.pop()
        for side in STEPS:
            there = here + side
            if there not in found and face.get(there) == square:
                found.add(there)
                fresh.append(there)
    return found


def groups(face: dict) -> list[tuple[str, set]]:
    """(spice, cells) of every group of two or more, none twice."""
    found, seen = [], set()
    look = face.get
    for at, square in sorted(face.items()):
        if square in SPICES and at not in seen:
            # Most squares are alone: that is seen at once.
            if square in (look(at + 1), look(at + ROW), look(at - 1), look(at - ROW)):
                together = group(face, at)
                seen |= together
                found.append((square, together))
    return found


def changed(before: dict, after: dict, where: tuple, touching: bool) -> list[tuple[str, set]]:
    """(spice, cells) of every group of two or more that a strip on `where` formed or changed.

    A changed group holds a square of the strip, or lost one to it and so lies beside it. A group
    of exactly the same squares as before is unchanged, even if a square was covered by an equal
    one.
    """
    found: list[tuple[str, set]] = []
    seen: set[int] = set()
    near = list(where)
    if not touching:
        near += [at + side for at in where for side in STEPS]
    for at in near:
        square = after.get(at, "")
        if square == "" or square not in SPICES or at in seen:
            continue
        together = group(after, at)
        seen |= together
        if len(together) > 1 and not (before.get(at) == square and group(before, at) == together):
            found.append((square, together))
    return found


def worth(size: int) -> int:
    """Points of a group: 1 for two squares, 2 for three or more."""
    return 0 if size < 2 else 1 if size == 2 else 2


def numbers(spots: list) -> list[int]:
    """A number for each spot, rising: first all to the right, line by line, then column by column
    those downwards."""
    return sorted([at if step == 1 else (ROW + at % ROW) * ROW + at // ROW for at, step in spots])


def pack_spots(spots: list) -> list[int]:
    """Spots as runs of neighbours, four numbers each: down (0 or 1), line, first, how many.

    The line is the row y of spots to the right, or the column x of spots downwards.
    """
    runs: list[int] = []
    due = -1  # what the next spot of the run is
    for spot in numbers(spots):
        if spot == due:
            runs[-1] += 1
        else:
            line, first = spot // ROW, spot % ROW
            runs.extend((line // ROW, line % ROW - HALF, first - HALF, 1))
        due = spot + 1
    return runs


def unpack_spots(runs: list) -> list[int]:
    """The `numbers` of the spots in the runs."""
    found: list[int] = []
    for i in range(0, len(runs), 4):
        first = (runs[i] * ROW + runs[i + 1] + HALF) * ROW + runs[i + 2] + HALF
        found.extend(range(first, first + runs[i + 3]))
    return found
