"""One page of a schematic: its parts, supplies, frames, and what is wired with what."""

from typing import Any

from hardware import DATE, REVISION, circuit
from hardware.circuit import Board
from hardware.generate.parts import Parts
from hardware.generate.sexp import dump, quote
from hardware.generate.symbols import G, Point, Symbols, sheet_file_id
from hardware.generate.wires import spread

PAPER = {"A4": (297.0, 210.0), "A3": (420.0, 297.0)}
SUPPLY = {"GND": "power:GND", "+5V": "power:+5V", "+3V3": "power:+3V3", "+3.3VA": "power:+3.3VA"}
FONT = ["font", ["size", "1.27", "1.27"]]
NAMED = {"VIN", "VIN_F"}  # written on the wire though it stays on its page: the way of the amperes


def sheet(board: Board, ident: str, title: str, paper: str, items: list[Any]) -> list[Any]:
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


class Page(Parts):
    """One sheet being drawn."""

    def __init__(
        self, board: Board, page: str, symbols: Symbols, first: tuple[str, ...] = ()
    ) -> None:
        """`first`: nets that are wired before the others."""
        super().__init__(board, page, symbols)
        self.first = first
        self.torn: list[str] = []  # nets that no wire could join
        self.power = 0

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
        seen: list[Any] = ["effects", FONT]
        if out[1] == 0:
            text = ["at", f"{x + out[0] * 3.6:.4g}", f"{y:.4g}", "90" if rot in (90, 270) else "0"]
            # KiCad turns a field with its symbol: at 90 degrees left and right change places
            seen.append(["justify", "left" if (out[0] > 0) != (rot == 90) else "right"])
        hidden = ["effects", FONT, ["hide", "yes"]]
        here = ["at", f"{x:g}", f"{y:g}", "0"]
        empty = ("Footprint", "Datasheet", "Description")
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
            ["property", '"Reference"', quote(ref), text, hidden],
            ["property", '"Value"', quote(value), text, seen],
            *[["property", quote(name), '""', here, hidden] for name in empty],
            ["pin", '"1"', ["uuid", self.id("power pin", ref)]],
            self.instances(ref),
        ]
        self.items.append(symbol)

    def page_number(self) -> int:
        return list(self.board.pages).index(self.page) + 1

    def connect(self) -> None:
        """Wires each net of the page as a whole; one that leaves the page gets its label there.

        On a page of like blocks (`board.apart`) wires stay within a block.
        """
        spans = self._spans()
        groups = self._groups()
        for (net, _), points in sorted(groups.items()):
            if len(points) == 1 and len(spans[net]) > 1:  # its label has no choice of place
                self.label(net, points[0], self.outward[points[0]], self._leaves(spans[net]))
        rank = {net: k for k, net in enumerate(self.first)}
        whole = self._area()
        for net, block in sorted(
            groups, key=lambda k: (rank.get(k[0], 999), spread(groups[k]), k)
        ):
            points = groups[(net, block)]
            if len(points) > 1 or len(spans[net]) == 1:
                area = self.board.blocks[(self.page, block)][:4] if block else whole
                self._wire_group(net, points, area, spans[net])
        self.junctions()

    def _leaves(self, homes: set[str]) -> bool:
        """Whether a net with these homes is on more than one page."""
        return len({home.split("/")[0] for home in homes}) > 1

    def _spans(self) -> dict[str, set[str]]:
        """{net: its pages; on a page of like blocks "page/block"}."""
        spans: dict[str, set[str]] = {}
        for part in self.board.parts:
            home = f"{part.page}/{part.block}" if part.page in self.board.apart else part.page
            for net in part.pins.values():
                if net:
                    spans.setdefault(net, set()).add(home)
        return spans

    def _groups(self) -> dict[tuple[str, str], list[Point]]:
        """{(net, block or ""): pin ends}; supplies get their symbols instead."""
        apart = self.page in self.board.apart
        groups: dict[tuple[str, str], list[Point]] = {}
        for point, net in self.pins.items():
            if net in SUPPLY:
                self.supply(net, point, self.outward[point])
            else:
                groups.setdefault((net, self.blocks[point] if apart else ""), []).append(point)
        return groups

    def _wire_group(
        self, net: str, points: list[Point], area: tuple[float, ...], homes: set[str]
    ) -> None:
        """Joins the points by wires, as few pieces as the search finds, and names them."""
        clusters = [self.join(net, {points[0]}, points, area)]
        rest = [p for p in points if p not in clusters[0]]
        while rest:
            clusters.append(self.join(net, {rest[0]}, rest, area))
            rest = [p for p in rest if p not in clusters[-1]]
        if len(clusters) > 1:
            self.torn.append(net)
        if len(homes) > 1 or len(clusters) > 1:
            for cluster in clusters:
                self.label_cluster(net, cluster, self._leaves(homes), area)
        elif net in NAMED or (net in circuit.PICO and self.has("PICO")):
            self.label_on_wire(net, clusters[0])

    def has(self, kind: str) -> bool:
        return any(p.kind == kind for p in self.parts)

    def _area(self) -> tuple[float, ...]:
        """Where wires may go: the rectangle round the page's blocks. Titles are kept free."""
        own = {b: v for (page, b), v in self.board.blocks.items() if page == self.page}
        for x, y, _, _, title in own.values():
            self.keep_off(title + title[: len(title) // 2], x + 2, y + 2, "left")
        x0, y0 = min(v[0] for v in own.values()), min(v[1] for v in own.values())
        x1 = max(v[0] + v[2] for v in own.values())
        return x0, y0, x1 - x0, max(v[1] + v[3] for v in own.values()) - y0

    def frame(self) -> None:
        """The blocks' frames with their titles, and the page's notes."""
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
            bold = ["font", ["size", "1.8", "1.8"], ["thickness", "0.3"], ["bold", "yes"]]
            self._words(
                title, left + 2.5, (y + 2) * G, [bold, ["justify", "left"]], "title", block
            )
        for page, x, y, text in self.board.texts:
            if page == self.page:
                look: list[Any] = [FONT, ["justify", "left", "top"]]
                self._words(text, x * G, y * G, look, "note", text)

    def _words(self, text: str, x: float, y: float, look: list[Any], *ident: str) -> None:
        self.items.append(
            [
                "text",
                quote(text),
                ["exclude_from_sim", "no"],
                ["at", f"{x:g}", f"{y:g}", "0"],
                ["effects", *look],
                ["uuid", self.id(*ident)],
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
            sheet(
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
