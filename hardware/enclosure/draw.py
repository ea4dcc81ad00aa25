"""Draws meshes as a shaded PNG with nothing but numpy: a small depth-buffer renderer."""

import struct
import zlib
from pathlib import Path

import numpy as np
import trimesh
from numpy.typing import NDArray

Coloured = tuple[trimesh.Trimesh, tuple[int, int, int]]


def turned(angles: tuple[float, float, float]) -> NDArray[np.float64]:
    """Rotation about z, then x (degrees)."""
    x, _, z = np.radians(angles)
    about_z = np.array([[np.cos(z), -np.sin(z), 0], [np.sin(z), np.cos(z), 0], [0, 0, 1]])
    about_x = np.array([[1, 0, 0], [0, np.cos(x), -np.sin(x)], [0, np.sin(x), np.cos(x)]])
    return np.asarray(about_x @ about_z)


def picture(
    meshes: list[Coloured], path: Path, angles: tuple[float, float, float], width: int = 1000
) -> None:
    """Writes a PNG of the meshes seen along -z after the turn."""
    spin = turned(angles)
    points = np.concatenate([m.vertices @ spin.T for m, _ in meshes])
    low, high = points.min(0), points.max(0)
    scale = (width - 40) / (high[0] - low[0])
    height = int((high[1] - low[1]) * scale) + 40
    image = np.full((height, width, 3), 250, np.uint8)
    depth = np.full((height, width), -1e9)
    light = np.array([0.3, 0.5, 0.8]) / np.linalg.norm([0.3, 0.5, 0.8])
    for mesh, colour in meshes:
        corners = mesh.vertices @ spin.T
        corners = (corners - low) * [scale, scale, scale] + [20, 20, 0]
        corners[:, 1] = height - corners[:, 1]
        normals = mesh.face_normals @ spin.T
        shade = 0.45 + 0.55 * np.clip(normals @ light, 0, 1)
        for k in np.nonzero(normals[:, 2] > 0)[0]:
            _fill(image, depth, corners[mesh.faces[k]], np.array(colour) * shade[k])
    _write(path, image)


def _fill(
    image: NDArray[np.uint8],
    depth: NDArray[np.float64],
    tri: NDArray[np.float64],
    colour: NDArray[np.float64],
) -> None:
    x0, y0 = np.floor(tri[:, :2].min(0)).astype(int)
    x1, y1 = np.ceil(tri[:, :2].max(0)).astype(int)
    xs, ys = np.meshgrid(
        np.arange(max(x0, 0), min(x1 + 1, image.shape[1])),
        np.arange(max(y0, 0), min(y1 + 1, image.shape[0])),
    )
    (ax, ay, az), (bx, by, bz), (cx, cy, cz) = tri
    area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
    if abs(area) < 1e-9 or xs.size == 0:
        return
    u = ((bx - xs) * (cy - ys) - (cx - xs) * (by - ys)) / area
    v = ((cx - xs) * (ay - ys) - (ax - xs) * (cy - ys)) / area
    w = 1 - u - v
    z = u * az + v * bz + w * cz
    seen = (u >= -1e-6) & (v >= -1e-6) & (w >= -1e-6) & (z > depth[ys, xs])
    depth[ys[seen], xs[seen]] = z[seen]
    image[ys[seen], xs[seen]] = np.clip(colour, 0, 255).astype(np.uint8)


def _write(path: Path, image: NDArray[np.uint8]) -> None:
    height, width, _ = image.shape
    raw = b"".join(b"\0" + row.tobytes() for row in image)
    path.parent.mkdir(parents=True, exist_ok=True)

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(raw, 9))
        + chunk(b"IEND", b"")
    )
