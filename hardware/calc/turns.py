"""Closed turns inside the antenna, through copper and parts: what they cost the loop.

At 13.56 MHz a capacitor of 100 nF is a piece of wire, so a supply and its ground close turns through
it though neither does alone. Here the whole tile is one network: every track, via, patch and pad,
and every part with two legs between its pads, by its impedance. The loop's field drives each piece
(vector potential of its rings times the piece's way); the currents follow from Kirchhoff's laws; what
they take from the loop is an impedance in series with it. The loop's own copper is left out, and the
cable: what leaves by J1 closes no turn inside the loop.
"""

import math
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from hardware import circuit
from hardware.calc import antenna, coil, copper
from spiceboard.tuning.matching import FITTED

NH_PER_MM = (
    0.5  # a track's share; twin tracks have less, lone ones 0.8: less lets more current flow
)
SKIN = 1.2  # resistance of 35 um at 13.56 MHz against that at 0 Hz
ESL, ESR = 0.5e-9, 0.03  # H, ohm of a ceramic capacitor
BEAD_OHM = 80.0  # BLM18AG601 near 13.56 MHz, by its maker's curve
HEIGHT = 0.8e-3  # m: half the board, between its two layers
CENTRE = (148.5, 105.0)  # of the tiles on KiCad's page, mm
Edge = tuple[Any, Any, complex, complex]  # node, node, ohm, V a 1 A in the loop


def impedance(part: circuit.Part) -> complex | None:
    """Ohm between the two legs of a part; None when it joins nothing (empty, open, no such part)."""
    if part.dnp or len(part.pins) != 2:
        return None
    if part.kind == "FB":
        return complex(BEAD_OHM)
    if part.kind in ("R", "R0603", "RFINE"):
        return complex(antenna.parse(part.value) or 0.02)
    if part.kind in ("C", "C0603", "C0805"):
        return antenna.cap(antenna.parse(part.value)) + 1j * antenna.W * ESL + ESR
    if part.kind == "L":
        return 0.8 + 1j * antenna.W * antenna.parse(part.value)
    return None


@cache
def potential(kind: str) -> tuple[np.ndarray, np.ndarray]:
    """(radii in m, vector potential in V s / m round the axis there) of 1 A in the loop."""
    rings = coil.loop(kind).radii()
    radii = np.arange(0.0, max(rings) + 5e-3, 2e-4)
    flux = [sum(coil.coaxial(ring, r, HEIGHT) for ring in rings) for r in radii[1:]]
    return radii, np.array([0.0, *(np.array(flux) / (2 * math.pi * radii[1:]))])


def driven(kind: str, a: tuple[float, float], b: tuple[float, float]) -> complex:
    """V along the straight way from a to b (mm on KiCad's page) of 1 A in the loop."""
    x, y = ((a[k] + b[k]) / 2 - CENTRE[k] for k in (0, 1))
    radius = math.hypot(x, y)
    if radius < 1e-6:
        return 0j
    along = (-(b[0] - a[0]) * y + (b[1] - a[1]) * x) / radius * 1e-3  # m round the axis
    return -1j * antenna.W * float(np.interp(radius * 1e-3, *potential(kind))) * along


def edges(name: str, board: copper.Copper) -> list[Edge]:
    """The network of a tile."""
    out: list[Edge] = []
    own = {board.pads[("AE1", pin)][0][6] for pin in ("1", "2")}
    nets = {pad[6] for pads in board.pads.values() for pad in pads if pad[6]}
    for net in sorted(nets - own):
        seen = set()
        for a, far in board.links(net).items():
            for b, ohm in far:
                if (b, a) in seen:
                    continue
                seen.add((a, b))
                here, there = board.where[a], board.where[b]
                coil = 1j * antenna.W * math.dist(here, there) * NH_PER_MM * 1e-9
                out.append((a, b, ohm * SKIN + 1e-4 + coil, driven(name, here, there)))
    for part in circuit.board(name).parts:
        z = impedance(part)
        if z is not None:
            out.append(_across(name, board, (part.ref, "1"), (part.ref, "2"), z))
    out.append(_across(name, board, ("Q1", "2"), ("Q1", "3"), complex(antenna.SWITCH_ON)))
    for pin in ("11", "13"):  # the drivers
        out.append(_across(name, board, ("U1", pin), ("U1", "33"), complex(antenna.DRIVER)))
    return out


def _across(name: str, board: copper.Copper, a: Any, b: Any, z: complex) -> Edge:
    here, there = board.pads[a][0][:2], board.pads[b][0][:2]
    return ((a, 0), (b, 0), z, driven(name, here, there))


def reduced(network: list[Edge]) -> list[Edge]:
    """The same network without dead ends and without nodes of two legs."""
    table = dict(enumerate(network))
    legs: dict[Any, set[int]] = {}
    for k, (a, b, *_) in table.items():
        legs.setdefault(a, set()).add(k)
        legs.setdefault(b, set()).add(k)
    waiting, fresh = list(legs), len(table)
    while waiting:
        node = waiting.pop()
        mine = legs.get(node, set())
        if any(table[k][0] == table[k][1] for k in mine):
            continue  # a ring of its own, hanging at this node
        if len(mine) == 1:
            (k,) = mine
            a, b, *_ = table.pop(k)
            other = b if a == node else a
            legs.pop(node)
            legs[other].discard(k)
            waiting.append(other)
        elif len(mine) == 2:
            j, k = sorted(mine)
            (a, za, ea), (b, zb, eb) = (_from(table[e], node) for e in (j, k))
            del table[j], table[k], legs[node]
            legs[a].discard(j)
            legs[b].discard(k)
            table[fresh] = (a, b, za + zb, eb - ea)  # a ring when a is b
            legs[a].add(fresh)
            legs[b].add(fresh)
            fresh += 1
            waiting += [a, b]
    return list(table.values())


def _from(edge: Edge, node: Any) -> tuple[Any, complex, complex]:
    """(far end, ohm, V from `node` to the far end)."""
    a, b, z, volts = edge
    return (b, z, volts) if a == node else (a, z, -volts)


@dataclass(frozen=True)
class Cost:
    """What the turns are to the loop: ohm in series, how many there are, the largest current share."""

    series: complex
    turns: int
    current: float  # of the loop's own


def cost(network: list[Edge]) -> Cost:
    """Solves the network for 1 A in the loop."""
    net = reduced(network)
    nodes = {n: k for k, n in enumerate(sorted({n for a, b, *_ in net for n in (a, b)}, key=repr))}
    if not nodes:
        return Cost(0j, 0, 0.0)
    matrix = np.zeros((len(nodes), len(nodes)), complex)
    right = np.zeros(len(nodes), complex)
    for a, b, z, volts in net:
        i, j = nodes[a], nodes[b]
        if i != j:
            for row, column, sign in ((i, i, 1), (j, j, 1), (i, j, -1), (j, i, -1)):
                matrix[row, column] += sign / z
            right[i] -= volts / z
            right[j] += volts / z
    matrix += np.eye(len(nodes)) * 1e-9  # each part that hangs together has a free level
    level = np.linalg.solve(matrix, right)
    series, most = 0j, 0.0
    for a, b, z, volts in net:
        current = (level[nodes[a]] - level[nodes[b]] + volts) / z
        series += volts.conjugate() * current
        most = max(most, abs(current))
    return Cost(complex(series), len(net) - len(nodes) + _pieces(net), float(most))


def _pieces(net: list[Edge]) -> int:
    """How many parts of the network hang together."""
    root: dict[Any, Any] = {}

    def find(n: Any) -> Any:
        while root.setdefault(n, n) != n:
            n = root[n]
        return n

    for a, b, *_ in net:
        root[find(a)] = find(b)
    return len({find(n) for n in list(root)})


def tile(name: str) -> Cost:
    """The turns of a tile as it is laid."""
    return cost(edges(name, copper.Copper(name)))


def share(name: str, found: Cost) -> tuple[float, float]:
    """(part of the loop's inductance, part of its resistance with RQ) that the turns take."""
    m, wound = antenna.match(FITTED[name]), antenna.built(name, 1.0)
    ohm = wound.copper + 2 * m.rq
    return found.series.imag / (antenna.W * wound.inductance), found.series.real / ohm
