"""Labels of a sheet: at a bare pin, on a spur of a wire, or along it."""

import math
from typing import Any

from hardware.generate.sexp import quote
from hardware.generate.symbols import G, Point
from hardware.generate.wires import Wires, near


class Labels(Wires):
    """Wires with names on them."""

    def label(self, net: str, point: Point, out: Point, leaves: bool) -> None:
        """A label one stub away from the pin; one that `leaves` is joined to a pin of the sheet."""
        # a name stands on its wire: beyond the word of a supply in the row above
        crowded = not leaves and (point[0] + out[0] * 6, point[1] - 2) in self.solid
        reach = 9 if crowded and out[1] == 0 else 2
        end = (point[0] + out[0] * reach, point[1] + out[1] * reach)
        self.wire(net, [point, end])
        angle = {(1, 0): 0, (0, -1): 90, (-1, 0): 180, (0, 1): 270}[out]
        just = "left" if angle in (0, 90) else "right"
        node: list[Any] = ["hierarchical_label" if leaves else "label", quote(net)]
        if leaves:
            node.append(["shape", "bidirectional"])
        else:
            just = f"{just} bottom"
        node += [
            ["at", f"{end[0] * G:g}", f"{end[1] * G:g}", str(angle)],
            ["effects", ["font", ["size", "1.27", "1.27"]], ["justify", just]],
            ["uuid", self.id("label", net, end)],
        ]
        self.items.append(node)
        for k in range(len(net) + 4):
            spot = (end[0] + out[0] * k, end[1] + out[1] * k)
            self.solid.add(spot)
            self.words |= {
                (spot[0] + out[1], spot[1] + out[0]),
                (spot[0] - out[1], spot[1] - out[0]),
            }

    def label_cluster(
        self, net: str, cluster: set[Point], leaves: bool, area: tuple[float, ...]
    ) -> None:
        """The label stands at a bare pin, or hangs at a wire by a short spur."""
        if len(cluster) == 1:
            point = next(iter(cluster))
            self.label(net, point, self.outward[point], leaves)
            return
        if not leaves and self.label_on_wire(net, cluster):
            return
        best: tuple[float, Point, Point] | None = None
        for p in [p for p, nets in self.wires.items() if net in nets]:
            if not _within(p, area) or (p in self.pins and p not in self.wires):
                continue
            for out in ((1, 0), (-1, 0), (0, -1), (0, 1)):
                if out in self.wires[p][net] or len(self.wires[p]) > 1 or p in self.pins:
                    continue
                free = self._spur(p, out, len(net) + (5 if leaves else 2) + 2, area)
                if free is None:
                    continue
                score = free + (0.5 if out[1] == 0 else 0)
                if best is None or score > best[0]:
                    best = (score, p, out)
        if best is None:
            where = f"{'/'.join(self.names)}: no room for the label {net}"
            raise ValueError(f"{where} near {min(cluster)}")
        self.label(net, best[1], best[2], leaves)

    def _spur(self, p: Point, out: Point, length: int, area: tuple[float, ...]) -> float | None:
        """How good a spur of that length is at a wire's point, with its label; None: no room."""
        free = 0.0
        for k in range(1, length + 1):
            q = (p[0] + out[0] * k, p[1] + out[1] * k)
            side = [(q[0] + out[1], q[1] + out[0]), (q[0] - out[1], q[1] - out[0])]
            taken = any(q in what for what in (self.solid, self.words, self.wires, self.pins))
            if taken or not _within(q, area):
                return None
            free += 1
            if any(s in self.solid or s in self.wires for s in side):
                free -= 0.3
        return free

    def label_on_wire(self, net: str, cluster: set[Point]) -> bool:
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
            far = min(near(p, {c}) for c in cluster)
            score = room - 0.1 * far
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


def _within(p: Point, area: tuple[float, ...]) -> bool:
    x0, y0, w, h = area
    return x0 < p[0] < x0 + w and y0 < p[1] < y0 + h
