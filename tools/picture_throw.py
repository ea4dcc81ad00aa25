"""Draw a thrown board: python tools/picture_throw.py [--seed 3] [--out docs/pictures/throw.png]

Chips thrown by the simulator's hand, at rest, drawn by MuJoCo without a GPU: Mesa's software
driver (apt: libegl1 libegl-mesa0 libgl1-mesa-dri; pip: pyopengl glfw), or MUJOCO_GL=osmesa.
"""

import argparse
import os
import struct
import zlib
from pathlib import Path
from random import Random

os.environ.setdefault("MUJOCO_GL", "egl")

import mujoco

from spiceboard_sim.board.geometry import HEIGHT, WIDTH, ZONE
from spiceboard_sim.throws import scene
from spiceboard_sim.throws.constants import Constants
from spiceboard_sim.throws.engine import Engine
from spiceboard_sim.throws.hand import release
from spicecore.parts import CHIPS, colour

OUT = Path(__file__).resolve().parent.parent / "docs" / "pictures" / "throw.png"
SHADES = {
    "blue": (0.15, 0.3, 0.8, 1),
    "red": (0.8, 0.15, 0.1, 1),
    "green": (0.1, 0.55, 0.2, 1),
    "orange": (0.95, 0.5, 0.05, 1),
    "mill": (0.2, 0.2, 0.2, 1),
}
WOOD = (0.7, 0.56, 0.4, 1)
WIDE, TALL = 800, 600


def thrown(seed: int, count: int) -> Engine:
    """A board with so many chips thrown at random zones."""
    engine = Engine()
    chance = Random(seed)
    for chip in CHIPS[:count]:
        zone = chance.choice(list(ZONE.values()))
        engine.throw(chip, release((zone.x, zone.y), 0.4, engine.constants, chance))
    return engine


def drawn(engine: Engine) -> bytes:
    """The picture's rows, red, green, blue."""
    model = mujoco.MjModel.from_xml_string(scene.text(Constants()))
    model.vis.global_.offwidth, model.vis.global_.offheight = WIDE, TALL
    model.vis.headlight.ambient[:] = 0.5  # little shading: the plate is cut into prisms
    model.vis.headlight.diffuse[:] = 0.45
    model.vis.headlight.specular[:] = 0.05
    model.geom_rgba[:] = WOOD
    for chip in CHIPS:
        model.geom(chip).rgba = SHADES[colour(chip)]
    data = mujoco.MjData(model)
    data.qpos[:] = engine.bodies()
    mujoco.mj_kinematics(model, data)
    camera = mujoco.MjvCamera()
    camera.lookat[:] = (WIDTH / 2000, -HEIGHT / 2000, 0)
    camera.distance, camera.azimuth, camera.elevation = 0.55, 90, -50
    with mujoco.Renderer(model, TALL, WIDE) as renderer:
        mujoco.mj_forward(model, data)
        renderer.update_scene(data, camera)
        return bytes(renderer.render().tobytes())


def png(rows: bytes) -> bytes:
    """The rows as a PNG file."""

    def part(kind: bytes, data: bytes) -> bytes:
        check = zlib.crc32(kind + data)
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", check)

    lines = b"".join(b"\0" + rows[3 * WIDE * y : 3 * WIDE * (y + 1)] for y in range(TALL))
    head = struct.pack(">IIBBBBB", WIDE, TALL, 8, 2, 0, 0, 0)
    body = part(b"IHDR", head) + part(b"IDAT", zlib.compress(lines, 9)) + part(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


def main() -> None:
    """Throw, draw, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--chips", type=int, default=20)
    parser.add_argument("--out", type=Path, default=OUT)
    arguments = parser.parse_args()
    arguments.out.write_bytes(png(drawn(thrown(arguments.seed, arguments.chips))))
    print(arguments.out)


if __name__ == "__main__":
    main()
