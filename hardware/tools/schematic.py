"""Writes the KiCad schematics of a board from its description: pages, blocks, wires.

On a page the pins of a net are joined by wires that a small search lays (it keeps off symbols
and texts, prefers few bends, and crosses another wire only at a right angle). Supplies get their
symbol at the pin; a net that leaves its page gets one label there. Identifiers are uuid5 of what
they name, so the same description gives the same bytes.

    python hardware/tools/schematic.py [board ...]
"""

import heapq
import json
import math
import sys
import uuid
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import itertools

import circuit
import kicad
from circuit import KINDS, Board, Part, boards
from sexp import bare, dump, every, first, load, parse, quote

G = 1.27
SPACE = uuid.uuid5(uuid.NAMESPACE_URL, "spiceboard/hardware")
PAPER = {"A4": (297.0, 210.0), "A3": (420.0, 297.0)}
SUPPLY = {"GND": "power:GND", "+5V": "power:+5V", "+3V3": "power:+3V3", "+3.3VA": "power:+3.3VA"}
KICAD = HERE.parent / "kicad"
NAMED = {"VIN", "VIN_F"}  # written on the wire though it stays on its page: the way of the amperes
REVISION, DATE = "A", "2026-11-28"
Point = tuple[int, int]
DIRECTIONS = ((1, 0), (0, 1), (-1, 0), (0, -1))


def uid(*names: object) -> str:
    return quote(str(uuid.uuid5(SPACE, "/".join(str(n) for n in names))))


class Symbols:
    """Stock and local symbols, flattened as KiCad embeds them."""

    def __init__(self) -> None:
        self.libs: dict[str, dict[str, list[Any]]] = {}
        self.cache: dict[str, list[Any]] = {}

    def _lib(self, lib: str) -> dict[str, list[Any]]:
        if lib not in self.libs:
            local = KICAD / "lib" / f"{lib}.kicad_sym"
            path = local if local.exists() else kicad.share() / "symbols" / f"{lib}.kicad_sym"
            self.libs[lib] = {bare(s[1]): s for s in every(load(path), "symbol")}
        return self.libs[lib]

    def get(self, lib_id: str) -> list[Any]:
        if lib_id not in self.cache:
            lib, name = lib_id.split(":")
            found = self._lib(lib)
            symbol = parse(dump(found[name]))
            parent = first(symbol, "extends")
            if parent is not None:
                base = parse(dump(found[bare(parent[1])]))
                own = {bare(p[1]): p for p in every(symbol, "property")}
                merged: list[Any] = []
                for node in base:
                    if isinstance(node, list) and node[0] == "property":
                        merged.append(own.pop(bare(node[1]), node))
                    elif isinstance(node, list) and node[0] == "symbol":
                        tail = bare(node[1]).rsplit("_", 2)[1:]
                        merged.append([node[0], quote("_".join([name, *tail])), *node[2:]])
                    else:
                        merged.append(node)
                spot = max(
                    i for i, n in enumerate(merged) if isinstance(n, list) and n[0] == "property"
                )
                merged[spot + 1 : spot + 1] = list(own.values())
                symbol = merged
            symbol[1] = quote(lib_id)
            self.cache[lib_id] = symbol
        return self.cache[lib_id]

    def pins(self, lib_id: str) -> dict[str, tuple[float, float, int]]:
        """{number: (x, y, angle)} in the library's frame, y up; the angle points into the body."""
        out = {}
        for unit in every(self.get(lib_id), "symbol"):
            for pin in every(unit, "pin"):
                at, number = first(pin, "at"), first(pin, "number")
                assert at is not None and number is not None
                out[bare(number[1])] = (float(at[1]), float(at[2]), int(at[3]))
        return out

    def box(self, lib_id: str) -> tuple[float, float, float, float]:
        """Extent of the drawing without pins: x0, y0, x1, y1, y up."""
        xs, ys = [0.0], [0.0]
        for unit in every(self.get(lib_id), "symbol"):
            for node in unit:
                if not isinstance(node, list) or node[0] in ("pin", "text"):
                    continue
                flat = [node, *[n for n in node if isinstance(n, list)]]
                for item in flat:
                    if item[0] in ("start", "end", "mid", "center", "xy"):
                        xs.append(float(item[1]))
                        ys.append(float(item[2]))
                    if item[0] == "pts":
                        for xy in every(item, "xy"):
                            xs.append(float(xy[1]))
                            ys.append(float(xy[2]))
        return min(xs), min(ys), max(xs), max(ys)


def turn(x: float, y: float, rot: int, mirror: str) -> tuple[float, float]:
    """A point of the symbol in the sheet's frame (y down), relative to the symbol's place."""
    if mirror == "y":
        x = -x
    a = math.radians(rot)
    rx, ry = x * math.cos(a) - y * math.sin(a), x * math.sin(a) + y * math.cos(a)
    return rx, -ry


class Page:
    """One sheet being drawn."""

    def __init__(
        self, board: Board, page: str, symbols: Symbols, first: tuple[str, ...] = ()
    ) -> None:
        """`first`: nets that are wired before the others."""
        self.board, self.page, self.symbols, self.first = board, page, symbols, first
        self.words: set[Point] = set()  # beside a label: no other label here
        self.torn: list[str] = []  # nets that no wire could join
        self.blocks: dict[Point, str] = {}  # pin ends, by block
        self.parts = [p for p in board.parts if p.page == page]
        self.items: list[list[Any]] = []
        self.used: set[str] = set()
        self.solid: set[Point] = set()  # nothing may pass: bodies and texts
        self.pins: dict[Point, str] = {}  # pin ends, by net
        self.outward: dict[Point, Point] = {}
        self.wires: dict[Point, dict[str, set[Point]]] = {}  # point: net: directions taken
        self.lines: list[tuple[Point, Point]] = []
        self.power = 0
        self.count = 0

    def id(self, *names: object) -> str:
        self.count += 1
        return uid(self.board.name, self.page, self.count, *names)

    # --- parts -----------------------------------------------------------------------------
    def place(self, part: Part) -> None:
        kind = KINDS[part.kind]
        self.used.add(kind.symbol)
        gx, gy = part.at
        pins = self.symbols.pins(kind.symbol)
        for number, (px, py, angle) in pins.items():
            dx, dy = turn(px, py, part.rot, part.mirror)
            point = (round(gx + dx / G), round(gy + dy / G))
            ox, oy = turn(
                -math.cos(math.radians(angle)),
                -math.sin(math.radians(angle)),
                part.rot,
                part.mirror,
            )
            net = part.pins.get(number)
            if number not in part.pins and pins:
                raise ValueError(
                    f"{self.board.name}: {part.ref} says nothing about its pin {number}"
                )
            self.outward[point] = (round(ox), round(oy))
            if net is None:
                self.items.append(
                    [
                        "no_connect",
                        ["at", f"{point[0] * G:g}", f"{point[1] * G:g}"],
                        ["uuid", self.id("nc", part.ref, number)],
                    ]
                )
                self.solid.add(point)
            else:
                self.pins[point] = net
                self.blocks[point] = part.block
        self._block_body(part, kind.symbol)
        self._instance(part, kind.symbol)

    def _block_body(self, part: Part, lib_id: str) -> None:
        x0, y0, x1, y1 = self.symbols.box(lib_id)
        corners = [turn(x, y, part.rot, part.mirror) for x in (x0, x1) for y in (y0, y1)]
        xs, ys = [c[0] / G + part.at[0] for c in corners], [c[1] / G + part.at[1] for c in corners]
        for gx in range(math.ceil(min(xs) - 0.2), math.floor(max(xs) + 0.2) + 1):
            for gy in range(math.ceil(min(ys) - 0.2), math.floor(max(ys) + 0.2) + 1):
                self.solid.add((gx, gy))
        self.extent = (min(xs), min(ys), max(xs), max(ys))

    def _texts(self, part: Part) -> list[tuple[str, float, float, str]]:
        """Where reference and value go: (which, x, y, justify), in grid steps."""
        x0, y0, x1, y1 = self.extent
        x, y = part.at
        if part.kind in ("TP", "FID", "FIDL", "HOLE", "HOLE2", "HOLE3"):
            side = {0: (0, -4.2), 90: (-4, 0), 180: (0, 4.2), 270: (4, 0)}[
                part.rot if part.kind == "TP" else 0
            ]
            just = {0: "", 90: "right", 180: "", 270: "left"}[part.rot if part.kind == "TP" else 0]
            return [("Reference", x + side[0], y + side[1], just)]
        if len(part.pins) == 2 and part.kind not in ("LOOPB", "LOOPA", "BUZ"):
            if (
                part.rot in (90, 270) and part.kind not in ("SKY", "PWRLED", "TVS", "JP", "SW")
            ) or (part.rot in (0, 180) and part.kind in ("SKY", "SW", "JP")):
                return [("Reference", x, y0 - 1.3, ""), ("Value", x, y1 + 1.3, "")]
            return [("Reference", x1 + 1, y - 1, "left"), ("Value", x1 + 1, y + 1, "left")]
        if part.kind == "BUZ" and part.mirror:
            # KiCad turns the side with the symbol
            return [("Reference", x0 - 1, y - 1, "left"), ("Value", x0 - 1, y + 1, "left")]
        if part.kind == "PICO":
            return [("Reference", x0, y0 - 3, "left"), ("Value", x0, y0 - 1.4, "left")]
        if part.kind in ("NMOS", "BUZ"):
            return [("Reference", x1 + 1, y - 1, "left"), ("Value", x1 + 1, y + 1, "left")]
        if part.kind == "PMOS":
            return [("Reference", x, y0 - 4, ""), ("Value", x, y0 - 2, "")]
        if part.kind in ("LOOPA", "LOOPB"):
            return [("Reference", x, y0 - 3, ""), ("Value", x, y0 - 1.4, "")]
        if part.kind == "BAT54S":
            return [("Reference", x, y0 - 3.2, ""), ("Value", x, y0 - 1.4, "")]
        if part.kind == "XTAL":
            return [("Reference", x, y - 7.4, ""), ("Value", x, y + 7.4, "")]
        if part.kind == "LDO":
            return [("Reference", x, y0 - 3.2, ""), ("Value", x, y0 - 1.4, "")]
        if part.kind == "MFRC522":
            return [("Reference", x0, y0 - 8.4, "left"), ("Value", x0 + 5, y0 - 8.4, "left")]
        if part.kind in ("BUF", "AHCT"):
            return [("Reference", x + 2, y1 + 2, "left"), ("Value", x + 2, y1 + 3.6, "left")]
        if part.kind == "IDC":
            return [("Reference", x0, y0 - 3.4, "left"), ("Value", x0, y0 - 1.6, "left")]
        return (
            [("Reference", x0, y0 - 3, "left"), ("Value", x0, y0 - 1.4, "left")]
            if part.kind
            not in ("DEC", "MUX", "LVC244", "LED", "HALL", "BUF", "AHCT", "LDO", "ESD")
            else [
                ("Reference", x1 + (1 if part.kind != "LED" else 0.6), y0 - 1.6, "left"),
                ("Value", x1 + (1 if part.kind != "LED" else 0.6), y0, "left"),
            ]
        )

    def _instance(self, part: Part, lib_id: str) -> None:
        kind = KINDS[part.kind]
        symbol = [
            "symbol",
            ["lib_id", quote(lib_id)],
            ["at", f"{part.at[0] * G:g}", f"{part.at[1] * G:g}", str(part.rot)],
        ]
        if part.mirror:
            symbol.append(["mirror", part.mirror])
        maker, mpn, alternates = order(part)
        symbol += [
            ["unit", "1"],
            ["exclude_from_sim", "no"],
            ["in_bom", "yes" if kind.in_bom else "no"],
            ["on_board", "yes"],
            ["dnp", "yes" if part.dnp else "no"],
            ["uuid", uid(self.board.name, "part", part.ref)],
        ]
        texts = {which: (x, y, just) for which, x, y, just in self._texts(part)}
        fields = {
            "Reference": part.ref,
            "Value": part.value,
            "Footprint": kind.footprint,
            "Datasheet": "",
            "Description": "",
            "Manufacturer": maker,
            "MPN": mpn,
            "Alternates": "; ".join(alternates),
        }
        for name, value in fields.items():
            if name in ("Manufacturer", "MPN", "Alternates") and not value:
                continue
            x, y, just = texts.get(name, (part.at[0], part.at[1], ""))
            effects: list[Any] = ["effects", ["font", ["size", "1.27", "1.27"]]]
            if just:
                turned = {"left": "right", "right": "left"} if part.rot == 90 else {}
                effects.append(["justify", turned.get(just, just)])
            if name not in texts:
                effects.append(["hide", "yes"])
            else:
                self._keep_off(value, x, y, just)
            angle = "90" if part.rot in (90, 270) else "0"
            symbol.append(
                [
                    "property",
                    quote(name),
                    quote(value),
                    ["at", f"{x * G:.4g}", f"{y * G:.4g}", angle],
                    effects,
                ]
            )
        for number in self.symbols.pins(lib_id):
            symbol.append(
                ["pin", quote(number), ["uuid", uid(self.board.name, "pin", part.ref, number)]]
            )
        symbol.append(self._instances(part.ref))
        self.items.append(symbol)

    def _keep_off(self, text: str, x: float, y: float, just: str) -> None:
        """Wires keep off the text (about one grid step a letter)."""
        width = 0.95 * len(text)
        left = x - (width / 2 if not just else (0 if just == "left" else width))
        for gx in range(math.floor(left), math.ceil(left + width) + 1):
            self.solid.add((gx, round(y)))

    def _instances(self, ref: str) -> list[Any]:
        path = f"/{root_id(self.board)}/{sheet_id(self.board, self.page)}"
        return [
            "instances",
            [
                "project",
                quote(self.board.name),
                ["path", quote(path), ["reference", quote(ref)], ["unit", "1"]],
            ],
        ]

    # --- nets ------------------------------------------------------------------------------
    def supply(self, net: str, point: Point, out: Point) -> None:
        """A supply symbol one stub away from the pin."""
        end = (
            (point[0] + out[0] * 2, point[1] + out[1] * 2)
            if out[1] == 0
            else (point[0], point[1] + out[1])
        )
        if net == "GND":
            rot = {(0, 1): 0, (0, -1): 180, (-1, 0): 270, (1, 0): 90}[out]
        else:
            rot = {(0, -1): 0, (0, 1): 180, (-1, 0): 90, (1, 0): 270}[out]
        self.wire(net, [point, end])
        self._power_symbol(SUPPLY[net], net, end, rot, out)
        for k in range(
            0, 4 if out[1] else 8
        ):  # a word beside the symbol is longer than it is high
            self.solid.add((end[0] + out[0] * k, end[1] + out[1] * k))

    def _power_symbol(self, lib_id: str, value: str, at: Point, rot: int, out: Point) -> None:
        self.used.add(lib_id)
        self.power += 1
        ref = f"#{'FLG' if 'FLAG' in lib_id else 'PWR'}{self.page_number() * 100 + self.power:03d}"
        x, y = at[0] * G, at[1] * G
        text = ["at", f"{x + out[0] * 4.2:.4g}", f"{y + out[1] * 4:.4g}", "0"]
        if out[1] == 0:
            text = ["at", f"{x + out[0] * 3.6:.4g}", f"{y:.4g}", "90" if rot in (90, 270) else "0"]
        effects: list[Any] = ["effects", ["font", ["size", "1.27", "1.27"]]]
        if out[1] == 0:
            # KiCad turns a field with its symbol: at 90 degrees left and right change places
            effects.append(["justify", "left" if (out[0] > 0) != (rot == 90) else "right"])
        symbol = [
            "symbol",
            ["lib_id", quote(lib_id)],
            ["at", f"{x:g}", f"{y:g}", str(rot)],
            ["unit", "1"],
            ["exclude_from_sim", "no"],
            ["in_bom", "yes"],
            ["on_board", "yes"],
            ["dnp", "no"],
            ["uuid", self.id("power", ref)],
            [
                "property",
                '"Reference"',
                quote(ref),
                text,
                ["effects", ["font", ["size", "1.27", "1.27"]], ["hide", "yes"]],
            ],
            ["property", '"Value"', quote(value), text, effects],
        ]
        for name in ("Footprint", "Datasheet", "Description"):
            symbol.append(
                [
                    "property",
                    quote(name),
                    '""',
                    ["at", f"{x:g}", f"{y:g}", "0"],
                    ["effects", ["font", ["size", "1.27", "1.27"]], ["hide", "yes"]],
                ]
            )
        symbol += [["pin", '"1"', ["uuid", self.id("power pin", ref)]], self._instances(ref)]
        self.items.append(symbol)

    def page_number(self) -> int:
        return list(self.board.pages).index(self.page) + 1

    def wire(self, net: str, path: list[Point]) -> None:
        """Lays a wire; remembers every grid point it takes."""
        corners = [path[0]]
        for a, b, c in zip(path, path[1:], path[2:], strict=False):
            if (b[0] - a[0], b[1] - a[1]) != (c[0] - b[0], c[1] - b[1]):
                corners.append(b)
        corners.append(path[-1])
        for a, b in itertools.pairwise(corners):
            if a == b:
                continue
            self.lines.append((a, b))
            step = ((b[0] > a[0]) - (b[0] < a[0]), (b[1] > a[1]) - (b[1] < a[1]))
            point = a
            while True:
                taken = self.wires.setdefault(point, {}).setdefault(net, set())
                if point != b:
                    taken.add(step)
                if point != a:
                    taken.add((-step[0], -step[1]))
                if point == b:
                    break
                point = (point[0] + step[0], point[1] + step[1])

    def label(self, net: str, point: Point, out: Point, everywhere: bool) -> None:
        """A label one stub away from the pin."""
        end = (point[0] + out[0] * 2, point[1] + out[1] * 2)
        self.wire(net, [point, end])
        angle = {(1, 0): 0, (0, -1): 90, (-1, 0): 180, (0, 1): 270}[out]
        just = "left" if angle in (0, 90) else "right"
        node: list[Any] = ["global_label" if everywhere else "label", quote(net)]
        if everywhere:
            node.append(["shape", "bidirectional"])
        else:
            just = f"{just} bottom"
        node += [
            ["at", f"{end[0] * G:g}", f"{end[1] * G:g}", str(angle)],
            ["effects", ["font", ["size", "1.27", "1.27"]], ["justify", just]],
            ["uuid", self.id("label", net, end)],
        ]
        if everywhere:
            node.append(
                [
                    "property",
                    '"Intersheetrefs"',
                    '"${INTERSHEET_REFS}"',
                    ["at", "0", "0", "0"],
                    ["effects", ["font", ["size", "1.27", "1.27"]], ["hide", "yes"]],
                ]
            )
        self.items.append(node)
        for k in range(len(net) + 4):
            spot = (end[0] + out[0] * k, end[1] + out[1] * k)
            self.solid.add(spot)
            self.words |= {
                (spot[0] + out[1], spot[1] + out[0]),
                (spot[0] - out[1], spot[1] - out[0]),
            }

    def search(
        self, net: str, sources: set[Point], goals: set[Point], area: tuple[float, ...]
    ) -> list[Point] | None:
        """The cheapest wire from the sources to a goal: length + 4 a bend + 5 a crossing."""
        queue: list[tuple[float, int, Point, int]] = []
        best: dict[tuple[Point, int], float] = {}
        done: set[tuple[Point, int]] = set()
        came: dict[tuple[Point, int], tuple[Point, int] | None] = {}
        tick = 0
        for s in sources:
            allowed = range(4)
            if s in self.pins and s not in self.wires:
                allowed = [DIRECTIONS.index(self.outward[s])]  # type: ignore[assignment]
            for d in allowed:
                best[(s, d)] = 0.0
                came[(s, d)] = None
                heapq.heappush(queue, (0.0, tick, s, d))
                tick += 1
        x0, y0, w, h = area
        left, right = min(g[0] for g in goals), max(g[0] for g in goals)
        top, bottom = min(g[1] for g in goals), max(g[1] for g in goals)

        def ahead(p: Point) -> int:  # never more than what is left to go
            return max(left - p[0], 0, p[0] - right) + max(top - p[1], 0, p[1] - bottom)

        while queue:
            _, _, point, d = heapq.heappop(queue)
            if (point, d) in done:
                continue
            done.add((point, d))
            cost = best[(point, d)]
            if point in goals:
                path, key = [], (point, d)
                while key is not None:
                    path.append(key[0])
                    key = came[key]  # type: ignore[assignment]
                return list(dict.fromkeys(path[::-1]))
            for heading, (dx, dy) in enumerate(DIRECTIONS):
                if (heading + 2) % 4 == d or (came[(point, d)] is None and heading != d):
                    continue
                if heading != d and any(o != net for o in self.wires.get(point, {})):
                    continue  # no corner on another net's wire
                nxt = (point[0] + dx, point[1] + dy)
                if not (x0 < nxt[0] < x0 + w and y0 < nxt[1] < y0 + h):
                    continue
                step = self._step(net, nxt, heading, goals)
                if step is None:
                    continue
                new = cost + step + (4 if heading != d else 0)
                if new < best.get((nxt, heading), 1e9):
                    best[(nxt, heading)] = new
                    came[(nxt, heading)] = (point, d)
                    heapq.heappush(queue, (new + ahead(nxt), tick, nxt, heading))
                    tick += 1
        return None

    def _step(self, net: str, point: Point, d: int, goals: set[Point]) -> float | None:
        if point in goals:
            if any(o != net for o in self.wires.get(point, {})):
                return None  # a branch where two nets cross would join them
            if point in self.pins and point not in self.wires:
                back = DIRECTIONS[(d + 2) % 4]
                return 1.0 if self.outward[point] == back else None
            return 1.0
        if point in self.pins or point in self.solid:
            return None
        cost = 1.0
        for other, taken in self.wires.get(point, {}).items():
            if other == net:
                return 1.0
            straight = taken == {(1, 0), (-1, 0)} or taken == {(0, 1), (0, -1)}
            if not straight or DIRECTIONS[d] in taken:
                return None
            cost += 5.0
        for dx, dy in DIRECTIONS:  # keep a little off everything else
            near = (point[0] + dx, point[1] + dy)
            if near in self.solid or near in self.pins:
                cost += 0.6
            elif any(o != net for o in self.wires.get(near, {})):
                cost += 0.4
        return cost

    def connect(self) -> None:
        """Wires each net of the page as a whole; one that leaves the page gets its label there.

        On a page of like blocks (`board.apart`) wires stay within a block.
        """
        apart = self.page in self.board.apart
        spans: dict[str, set[str]] = {}
        for part in self.board.parts:
            home = f"{part.page}/{part.block}" if part.page in self.board.apart else part.page
            for net in part.pins.values():
                if net:
                    spans.setdefault(net, set()).add(home)
        groups: dict[tuple[str, str], list[Point]] = {}
        for point, net in self.pins.items():
            if net in SUPPLY:
                self.supply(net, point, self.outward[point])
            else:
                groups.setdefault((net, self.blocks[point] if apart else ""), []).append(point)
        whole = self._area()
        rank = {net: k for k, net in enumerate(self.first)}
        ordered = sorted(groups, key=lambda k: (rank.get(k[0], 999), _spread(groups[k]), k))
        for net, block in ordered:
            points = groups[(net, block)]
            area = self.board.blocks[(self.page, block)][:4] if block else whole
            clusters = [self._join(net, {points[0]}, points, area)]
            rest = [p for p in points if p not in clusters[0]]
            while rest:
                clusters.append(self._join(net, {rest[0]}, rest, area))
                rest = [p for p in rest if p not in clusters[-1]]
            leaves = len(spans[net]) > 1
            if len(clusters) > 1:
                self.torn.append(net)
            if leaves or len(clusters) > 1:
                for cluster in clusters:
                    self._label_cluster(net, cluster, leaves, area)
            elif net in NAMED or (net in circuit.PICO and self.has("PICO")):
                self._label_on_wire(net, clusters[0])
        self._junctions()

    def has(self, kind: str) -> bool:
        return any(p.kind == kind for p in self.parts)

    def _area(self) -> tuple[float, ...]:
        """Where wires may go: the rectangle round the page's blocks. Titles are kept free."""
        own = {b: v for (page, b), v in self.board.blocks.items() if page == self.page}
        for x, y, _, _, title in own.values():
            self._keep_off(title + title[: len(title) // 2], x + 2, y + 2, "left")
        x0, y0 = min(v[0] for v in own.values()), min(v[1] for v in own.values())
        x1 = max(v[0] + v[2] for v in own.values())
        return x0, y0, x1 - x0, max(v[1] + v[3] for v in own.values()) - y0

    def _join(
        self, net: str, tree: set[Point], points: list[Point], area: tuple[float, ...]
    ) -> set[Point]:
        """Wires as many of the points together as the search can; returns the pins joined."""
        joined = set(tree)
        grown = set(tree)
        rest = sorted((p for p in points if p not in tree), key=lambda p: _near(p, grown))
        for goal in rest:
            path = self.search(net, {goal}, set(grown), area)
            if path is None:
                continue
            self.wire(net, path)
            grown |= set(path)
            joined.add(goal)
        return joined

    def _label_cluster(
        self, net: str, cluster: set[Point], everywhere: bool, area: tuple[float, ...]
    ) -> None:
        """The label stands at a bare pin, or hangs at a wire by a short spur."""
        if len(cluster) == 1:
            point = next(iter(cluster))
            self.label(net, point, self.outward[point], everywhere)
            return
        if not everywhere and self._label_on_wire(net, cluster):
            return
        mine = [p for p, nets in self.wires.items() if net in nets]
        x0, y0, w, h = area
        best: tuple[float, Point, Point] | None = None
        for p in mine:
            if not (x0 < p[0] < x0 + w and y0 < p[1] < y0 + h) or (
                p in self.pins and p not in self.wires
            ):
                continue
            for out in ((1, 0), (-1, 0), (0, -1), (0, 1)):
                if out in self.wires[p][net] or len(self.wires[p]) > 1 or p in self.pins:
                    continue
                length = len(net) + (5 if everywhere else 2) + 2
                free = 0
                for k in range(1, length + 1):
                    q = (p[0] + out[0] * k, p[1] + out[1] * k)
                    side = [(q[0] + out[1], q[1] + out[0]), (q[0] - out[1], q[1] - out[0])]
                    if (
                        q in self.solid
                        or q in self.words
                        or q in self.wires
                        or q in self.pins
                        or not (x0 < q[0] < x0 + w and y0 < q[1] < y0 + h)
                    ):
                        break
                    free += 1
                    if any(s in self.solid or s in self.wires for s in side):
                        free -= 0.3  # type: ignore[assignment]
                else:
                    score = free + (0.5 if out[1] == 0 else 0)
                    if best is None or score > best[0]:
                        best = (score, p, out)
        if best is None:
            for point in sorted(cluster):
                raise ValueError(
                    f"{self.board.name}/{self.page}: no room for the label {net} near {point}"
                )
        else:
            self.label(net, best[1], best[2], everywhere)

    def _label_on_wire(self, net: str, cluster: set[Point]) -> bool:
        """Writes the name along a level stretch of the net's wire, where the row above is free."""
        length = math.ceil(0.95 * len(net)) + 1
        mine = {p for p, nets in self.wires.items() if net in nets}
        best: tuple[float, Point] | None = None
        for p in sorted(mine):
            run = [(p[0] + k, p[1]) for k in range(length)]
            level = all(q in mine and (1, 0) in self.wires[q][net] for q in run)
            above = [(q[0], q[1] - 1) for q in run]
            if not level or any(
                q in self.solid or q in self.wires or q in self.pins for q in above
            ):
                continue
            if p in self.pins or any(len(self.wires[q]) > 1 for q in run):
                continue
            room = sum(
                (q[0], q[1] - 2) not in self.wires and (q[0], q[1] - 2) not in self.solid
                for q in run
            )
            near = min(_near(p, {c}) for c in cluster)
            score = room - 0.1 * near
            if best is None or score > best[0]:
                best = (score, p)
        if best is None:
            return False
        p = best[1]
        self.items.append(
            [
                "label",
                quote(net),
                ["at", f"{p[0] * G:g}", f"{p[1] * G:g}", "0"],
                ["effects", ["font", ["size", "1.27", "1.27"]], ["justify", "left", "bottom"]],
                ["uuid", self.id("label", net, p)],
            ]
        )
        for k in range(length):
            self.solid.add((p[0] + k, p[1] - 1))
        return True

    def _junctions(self) -> None:
        """Dots where three arms meet; wires end there, for KiCad joins wires at their ends."""
        dots = []
        for point, nets in self.wires.items():
            for _, taken in nets.items():
                arms = len(taken) + (1 if point in self.pins else 0)
                if arms >= 3:
                    dots.append(point)
                    self.items.append(
                        [
                            "junction",
                            ["at", f"{point[0] * G:g}", f"{point[1] * G:g}"],
                            ["diameter", "0"],
                            ["color", "0", "0", "0", "0"],
                            ["uuid", self.id("junction", point)],
                        ]
                    )

        for a, b in self.lines:
            step = ((b[0] > a[0]) - (b[0] < a[0]), (b[1] > a[1]) - (b[1] < a[1]))
            length = abs(b[0] - a[0]) + abs(b[1] - a[1])
            cuts = [(a[0] + step[0] * k, a[1] + step[1] * k) for k in range(1, length)]
            stops = [a, *[c for c in cuts if c in dots], b]
            for c, d in itertools.pairwise(stops):
                self.items.append(
                    [
                        "wire",
                        [
                            "pts",
                            ["xy", f"{c[0] * G:g}", f"{c[1] * G:g}"],
                            ["xy", f"{d[0] * G:g}", f"{d[1] * G:g}"],
                        ],
                        ["stroke", ["width", "0"], ["type", "default"]],
                        ["uuid", self.id("wire", c, d)],
                    ]
                )

    # --- the page --------------------------------------------------------------------------
    def frame(self) -> None:
        for (page, block), (x, y, w, h, title) in self.board.blocks.items():
            if page != self.page:
                continue
            wide, _ = PAPER[self.board.pages[page][1]]
            left, right = max(x * G, 13.0), min((x + w) * G, wide - 13.0)  # inside the border
            self.items.append(
                [
                    "rectangle",
                    ["start", f"{left:g}", f"{y * G:g}"],
                    ["end", f"{right:g}", f"{(y + h) * G:g}"],
                    ["stroke", ["width", "0.15"], ["type", "dash"]],
                    ["fill", ["type", "none"]],
                    ["uuid", self.id("frame", block)],
                ]
            )
            self.items.append(
                [
                    "text",
                    quote(title),
                    ["exclude_from_sim", "no"],
                    ["at", f"{left + 2.5:g}", f"{(y + 2) * G:g}", "0"],
                    [
                        "effects",
                        ["font", ["size", "1.8", "1.8"], ["thickness", "0.3"], ["bold", "yes"]],
                        ["justify", "left"],
                    ],
                    ["uuid", self.id("title", block)],
                ]
            )
        for page, x, y, text in self.board.texts:
            if page == self.page:
                self.items.append(
                    [
                        "text",
                        quote(text),
                        ["exclude_from_sim", "no"],
                        ["at", f"{x * G:g}", f"{y * G:g}", "0"],
                        [
                            "effects",
                            ["font", ["size", "1.27", "1.27"]],
                            ["justify", "left", "top"],
                        ],
                        ["uuid", self.id("note", text)],
                    ]
                )

    def draw(self) -> str:
        for part in self.parts:
            self.place(part)
        for net, (page, block, x, y) in self.board.flags.items():
            if page == self.page:
                self.flag(net, block, (int(x), int(y)))
        self.connect()
        self.frame()
        title, paper = self.board.pages[self.page]
        library = ["lib_symbols", *[self.symbols.get(s) for s in sorted(self.used)]]
        return dump(
            _file(
                self.board,
                sheet_file_id(self.board, self.page),
                title,
                paper,
                [library, *self.items],
            )
        )

    def flag(self, net: str, block: str, at: Point) -> None:
        self._power_symbol("power:PWR_FLAG", "PWR_FLAG", at, 0, (0, -1))
        self.pins[at] = net
        self.blocks[at] = block
        self.outward[at] = (0, 1)
        for dx in range(-4, 5):
            self.solid.add((at[0] + dx, at[1] - 3))


def _near(p: Point, tree: set[Point]) -> int:
    return min(abs(p[0] - q[0]) + abs(p[1] - q[1]) for q in tree)


def _spread(points: list[Point]) -> int:
    xs, ys = [p[0] for p in points], [p[1] for p in points]
    return max(xs) - min(xs) + max(ys) - min(ys)


def order(part: Part) -> tuple[str, str, tuple[str, ...]]:
    """Maker, part number and alternates of a part; empty strings where nothing is fitted."""
    return circuit.order(part.kind, part.value)


def root_id(board: Board) -> str:
    return bare(uid(board.name, "root"))


def sheet_id(board: Board, page: str) -> str:
    return bare(uid(board.name, "sheet", page))


def sheet_file_id(board: Board, page: str) -> str:
    return uid(board.name, "sheet file", page)


def _file(board: Board, ident: str, title: str, paper: str, items: list[Any]) -> list[Any]:
    return [
        "kicad_sch",
        ["version", "20250114"],
        ["generator", '"spiceboard"'],
        ["generator_version", '"9.0"'],
        ["uuid", ident],
        ["paper", quote(paper)],
        [
            "title_block",
            ["title", quote(title)],
            ["date", quote(DATE)],
            ["rev", quote(REVISION)],
            ["company", '"Spiceboard"'],
            ["comment", "1", '"Licence CERN-OHL-P-2.0. Nothing of this has been built yet."'],
        ],
        *items,
        ["embedded_fonts", "no"],
    ]


def neighbours(board: Board, page: str) -> list[str]:
    """What goes from this page to each other one, in words: like names are counted."""
    pages: dict[str, set[str]] = {}
    for part in board.parts:
        for net in part.pins.values():
            if net and net not in SUPPLY:
                pages.setdefault(net, set()).add(part.page)
    out = []
    for other in board.pages:
        shared = sorted(n for n, own in pages.items() if other != page and {page, other} <= own)
        kinds: dict[str, list[str]] = {}
        for net in shared:
            kinds.setdefault(net.split("_")[0], []).append(net)
        words = [ns[0] if len(ns) == 1 else f"{len(ns)} {k}" for k, ns in kinds.items()]
        if words:
            out.append(f"to page {list(board.pages).index(other) + 2}: {', '.join(words)}")
    return out


def root_sheet(board: Board) -> str:
    """The first page: one box a page, with its blocks and what goes to the other pages."""
    items: list[Any] = [["lib_symbols"]]
    for k, (page, (title, _)) in enumerate(board.pages.items()):
        x, y = 40 + 110 * (k % 2), 45 + 62 * (k // 2)
        parts = [block[4] for (own, _), block in board.blocks.items() if own == page]
        parts += ["", *neighbours(board, page)]
        items.append(
            [
                "text",
                quote("\n".join(parts)).replace("\n", "\\n"),
                ["exclude_from_sim", "no"],
                ["at", f"{x + 3}", f"{y + 3}", "0"],
                ["effects", ["font", ["size", "2", "2"]], ["justify", "left", "top"]],
                ["uuid", uid(board.name, "root", page)],
            ]
        )
        items.append(
            [
                "text",
                quote(str(k + 2)),
                ["exclude_from_sim", "no"],
                ["at", f"{x}", f"{y - 1}", "0"],
                [
                    "effects",
                    ["font", ["size", "2", "2"], ["bold", "yes"]],
                    ["justify", "left", "bottom"],
                ],
                ["uuid", uid(board.name, "root number", page)],
            ]
        )
        items.append(
            [
                "sheet",
                ["at", f"{x}", f"{y}"],
                ["size", "100", "44"],
                ["exclude_from_sim", "no"],
                ["in_bom", "yes"],
                ["on_board", "yes"],
                ["dnp", "no"],
                ["stroke", ["width", "0.1524"], ["type", "solid"]],
                ["fill", ["color", "245", "235", "215", "1.0"]],
                ["uuid", quote(sheet_id(board, page))],
                [
                    "property",
                    '"Sheetname"',
                    quote(title.split(": ")[-1]),
                    ["at", f"{x + 5}", f"{y - 1}", "0"],
                    ["effects", ["font", ["size", "2", "2"]], ["justify", "left", "bottom"]],
                ],
                [
                    "property",
                    '"Sheetfile"',
                    quote(f"{board.name}-{page}.kicad_sch"),
                    ["at", f"{x}", f"{y + 45}", "0"],
                    ["effects", ["font", ["size", "1.27", "1.27"]], ["justify", "left", "top"]],
                ],
                [
                    "instances",
                    [
                        "project",
                        quote(board.name),
                        ["path", quote("/" + root_id(board)), ["page", quote(str(k + 2))]],
                    ],
                ],
            ]
        )
    body = _file(board, quote(root_id(board)), board.title, "A4", items)
    body.insert(-1, ["sheet_instances", ["path", '"/"', ["page", '"1"']]])
    return dump(body)


def project(board: Board) -> str:
    """The .kicad_pro: KiCad's default severities, the rules of a cheap two-layer fab."""
    rules = {
        "min_clearance": 0.15,
        "min_copper_edge_clearance": 0.3,
        "min_hole_clearance": 0.25,
        "min_hole_to_hole": 0.25,
        "min_track_width": 0.15,
        "min_via_diameter": 0.5,
        "min_via_annular_width": 0.1,
        "min_through_hole_diameter": 0.3,
    }
    base = {
        "bus_width": 12,
        "clearance": 0.15,
        "diff_pair_gap": 0.25,
        "diff_pair_via_gap": 0.25,
        "diff_pair_width": 0.2,
        "line_style": 0,
        "microvia_diameter": 0.3,
        "microvia_drill": 0.1,
        "name": "Default",
        "pcb_color": "rgba(0, 0, 0, 0.000)",
        "priority": 2147483647,
        "schematic_color": "rgba(0, 0, 0, 0.000)",
        "track_width": 0.2,
        "via_diameter": 0.6,
        "via_drill": 0.3,
        "wire_width": 6,
    }
    return (
        json.dumps(
            {
                "board": {
                    "design_settings": {
                        "rules": rules,
                        "rule_severities": {},
                        "drc_exclusions": [],
                    }
                },
                "erc": {"erc_exclusions": [], "rule_severities": {}},
                "meta": {"filename": f"{board.name}.kicad_pro", "version": 3},
                "net_settings": {"classes": [base], "meta": {"version": 4}},
                "schematic": {"legacy_lib_dir": "", "legacy_lib_list": []},
                "sheets": [
                    [root_id(board), "Root"],
                    *[[sheet_id(board, p), t] for p, (t, _) in board.pages.items()],
                ],
                "text_variables": {},
            },
            indent=2,
        )
        + "\n"
    )


SYM_TABLE = '(sym_lib_table\n  (version 7)\n  (lib (name "spiceboard")(type "KiCad")(uri "${KIPRJMOD}/../lib/spiceboard.kicad_sym")(options "")(descr "Parts that KiCad has not"))\n)\n'
FP_TABLE = '(fp_lib_table\n  (version 7)\n  (lib (name "spiceboard")(type "KiCad")(uri "${KIPRJMOD}/../lib/spiceboard.pretty")(options "")(descr "Loops and the socket"))\n)\n'


def page_text(board: Board, page: str, symbols: Symbols) -> str:
    """The page; drawn again with the nets first that no wire could join, while that helps."""
    first: tuple[str, ...] = ()
    best: tuple[int, str] | None = None
    for _ in range(6):
        sheet = Page(board, page, symbols, first)
        text = sheet.draw()
        if best is None or len(sheet.torn) < best[0]:
            best = (len(sheet.torn), text)
        if not sheet.torn:
            break
        first = (*sheet.torn, *(n for n in first if n not in sheet.torn))
    assert best is not None
    return best[1]


def write(board: Board, out: Path) -> None:
    """All files of the schematic into the folder."""
    out.mkdir(parents=True, exist_ok=True)
    symbols = Symbols()
    for page in board.pages:
        text = page_text(board, page, symbols)
        (out / f"{board.name}-{page}.kicad_sch").write_text(text + "\n")
    (out / f"{board.name}.kicad_sch").write_text(root_sheet(board) + "\n")
    (out / f"{board.name}.kicad_pro").write_text(project(board))
    (out / "sym-lib-table").write_text(SYM_TABLE)
    (out / "fp-lib-table").write_text(FP_TABLE)


def main(names: list[str]) -> None:
    for name, board in boards().items():
        if not names or name in names:
            write(board, KICAD / name)


if __name__ == "__main__":
    main(sys.argv[1:])
