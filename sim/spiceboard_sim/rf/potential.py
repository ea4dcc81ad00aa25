"""Mutual inductances from poses: the vector potential of round loops, tabulated once.

A loop's potential runs in circles around its axis and has a closed form (elliptic integrals). Its
flux through a tag is the potential along the tag's turns, whatever their place and tilt: so one
table for each kind of loop gives all mutual inductances by interpolation. SI units inside, mm at
the border. Checked in the tests against Maxwell's formula and Neumann's integral: within 1 % of
the largest value for poses that two bodies of a chip's thickness can have.
"""

from functools import lru_cache
from math import pi
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spiceboard_sim.rf.coupling import MU0

Array = NDArray[np.float64]

POINTS = 16  # on a turn
_ANGLE = 2 * pi * (np.arange(POINTS) + 0.5) / POINTS
_COS, _SIN = np.cos(_ANGLE), np.sin(_ANGLE)


def potential(radius: float, rho: Array, z: Array) -> Array:
    """A_phi (Vs/m per ampere) of a loop of that radius (m) at distances rho from its axis and z
    from its plane."""
    rho = np.maximum(rho, 1e-6)
    m = 4 * radius * rho / ((radius + rho) ** 2 + z * z)
    m = np.minimum(m, 1 - 1e-9)
    first, second = _elliptic(m)
    k = np.sqrt(m)
    return np.asarray(MU0 / pi / k * np.sqrt(radius / rho) * ((1 - m / 2) * first - second))


def _elliptic(m: Array) -> tuple[Array, Array]:
    """Complete elliptic integrals K(m), E(m) by the arithmetic-geometric mean."""
    a, b, c = np.ones_like(m), np.sqrt(1 - m), np.sqrt(m)
    total, power = m / 2, 1.0
    for _ in range(8):
        a, b, c = (a + b) / 2, np.sqrt(a * b), (a - b) / 2
        total = total + power * c * c
        power *= 2
    whole = pi / (2 * a)
    return whole, whole * (1 - total)


class Table:
    """A coil's potential on a grid, to be looked up; radii of its turns in mm."""

    def __init__(self, radii: tuple[float, ...], reach: float, height: float, step: float) -> None:
        self._step = step
        rho, z = np.meshgrid(
            np.arange(0, reach + step, step), np.arange(0, height + step, step), indexing="ij"
        )
        grid = sum((potential(r * 1e-3, rho * 1e-3, z * 1e-3) for r in radii), np.zeros_like(rho))
        self._flat, self._row = np.ravel(grid), rho.shape[1]
        self._last = rho.shape[0] - 1.001, rho.shape[1] - 1.001

    def at(self, rho: Array, z: Array) -> Array:
        """The potential at distances in mm; beyond the grid its last value counts."""
        x = np.minimum(rho / self._step, self._last[0])
        y = np.minimum(np.abs(z) / self._step, self._last[1])
        i, j = x.astype(np.int64), y.astype(np.int64)
        x -= i
        y -= j
        corner = i * self._row + j
        near, far = self._flat[corner], self._flat[corner + self._row]
        low = near + (far - near) * x
        near, far = self._flat[corner + 1], self._flat[corner + (self._row + 1)]
        high = near + (far - near) * x
        return np.asarray(low + (high - low) * y)


@lru_cache(maxsize=16)
def table(radii: tuple[float, ...], reach: float, height: float, step: float) -> Table:
    """A coil's table, made once (some 30 ms)."""
    return Table(radii, reach, height, step)


def axes(tilt: Array, towards: Array) -> tuple[Array, Array, Array]:
    """Unit vectors of discs, each (n, 3): down along the tilt, level, and the axis; y as the
    board's."""
    dip, turn = np.radians(tilt), np.radians(towards)
    zero = np.zeros_like(dip)
    down = np.stack((np.cos(turn) * np.cos(dip), np.sin(turn) * np.cos(dip), -np.sin(dip)), -1)
    level = np.stack((-np.sin(turn), np.cos(turn), zero), -1)
    axis = np.stack((np.cos(turn) * np.sin(dip), np.sin(turn) * np.sin(dip), np.cos(dip)), -1)
    return down, level, axis


def flux(source: Table, centre: Array, down: Array, level: Array, radius: float) -> Array:
    """Flux (Wb per ampere) of a coil in the origin, axis z, through single turns at centres
    (n, 3) mm with those axes."""
    (dx, lx), (dy, ly), (dz, lz) = ((down[..., k, None], level[..., k, None]) for k in range(3))
    x = centre[..., 0, None] + radius * (dx * _COS + lx * _SIN)
    y = centre[..., 1, None] + radius * (dy * _COS + ly * _SIN)
    z = centre[..., 2, None] + radius * (dz * _COS + lz * _SIN)
    rho = np.maximum(np.sqrt(x * x + y * y), 1e-9)
    around = (x * (ly * _COS - dy * _SIN) - y * (lx * _COS - dx * _SIN)) / rho
    along = 2e-3 * pi * radius / POINTS
    return along * np.asarray((source.at(rho, z) * around).sum(axis=-1))


def turned_into(frame: tuple[Any, Any, Any], vectors: Array) -> Array:
    """Vectors in the frame of a disc: components along its down, level and axis."""
    return np.stack([(vectors * part).sum(axis=-1) for part in frame], -1)
