"""The case: top plate and rim, inserts that carry the tiles, clamps, tray, chips.

    python -m hardware.enclosure.case [--pictures]       STL files into build/hardware/enclosure

All dimensions in mm come from sim/spiceboard_sim/board/geometry.json (the simulator's own table) and from the boards'
layout. Solids are made with manifold3d, so they are closed by construction; trimesh checks it
again on the files. Heights: 0 is the flat between the zones, up is positive; y points up here and
down in the table.

How it goes together: the plate is as thick as a bowl is deep, so an insert is a flat translucent
disc under it. Below the disc, bosses hold the tile so that its loop lies `floor_above_loop` under
the floor; a wall guides it. The plate's hole is wider than the zone, so that the pixels shine up
through a translucent ring round it; this ring keeps the step down to the floor where the rules
have the zone's edge. Plate, rim, insert and ring each have a flat side: nothing needs supports.

The plate comes from a laser in one piece (laser.py), or from a printer in four (quarters.py). No
straight cut misses every zone, so the joints of the four wind between the holes; clamps, splices and
the rim hold them together.
"""

import itertools
import math
import sys

import numpy as np
import trimesh
from manifold3d import CrossSection, FillRule, Manifold

from hardware import GEOMETRY, PICTURES, ROOT
from hardware import OUT as BUILD
from hardware.arguments import parsed
from hardware.circuit import KINDS, board
from hardware.circuit.heights import HEIGHTS
from hardware.enclosure import quarters
from hardware.layout import layout_of

OUT = BUILD / "enclosure"
TABLE = GEOMETRY
FIELD = TABLE["field"]
PLATE = float(TABLE["bowl"]["depth"])  # the plate is as thick as a bowl is deep
RIM, SKIRT = 6.0, 28.0  # thickness of the rim; how far it goes down
FLOOR = 1.2  # of an insert
GAP = 0.25  # play between parts
BOARD = 1.6
WALL = 0.9
SCREW = {"bowl": 2.1, "action": 1.7}  # pilot holes for M2.5 and M2 screws into plastic
BOSS = {"bowl": 5.6, "action": 4.2}
PILOT_END = {"bowl": 0.6, "action": 0.3}  # how far under the flat the pilot holes end
LIGHT = {"bowl": 45.0, "action": 26.0}  # radius of the plate's hole: the pixels shine through it
# what the guide tells to buy: length under the head, thickness of what it holds
SCREWS = {"bowl": ("M2.5", 4.0), "action": ("M2", 4.0), "controller": ("M3", 6.0)}
SOLDER = 0.15  # mm that solder may lift a part
TAILS = 1.5  # mm that the pins of the header stand over the tile's upper side, cut
PLUG = 15.5  # header and ribbon socket with its strain relief under a tile
SLOT, SLOT_HIGH = 48.0, 18.0  # the ribbons' way through the middle of the back wall
PILLAR, PILOT = 7.0, 1.5  # controller tray: top of the pillars, bottom of their holes
TRAY_SIDE = 9.0  # controller tray: height of its sides
# pockets of the halves of a chip: of the tag (0.2 mm), and of a card of 1 mm with the ring of foil on
# it; so the tag lies in the middle plane, whichever way up the chip is
POCKETS = {"tag": 0.3, "ring": 1.1}
DIMPLE = 0.4
SPLICE_HOLE = 17.0  # mm from a joint to the screws of its splice
ROUND = 96


def cylinder(diameter: float, low: float, high: float, x: float = 0.0, y: float = 0.0) -> Manifold:
    return Manifold.cylinder(high - low, diameter / 2, circular_segments=ROUND).translate(
        (x, y, low)
    )


def block(x0: float, y0: float, z0: float, x1: float, y1: float, z1: float) -> Manifold:
    return Manifold.cube((x1 - x0, y1 - y0, z1 - z0)).translate((x0, y0, z0))


def ring(outer: float, inner: float, low: float, high: float) -> Manifold:
    return cylinder(outer, low, high) - cylinder(inner, low - 1, high + 1)


def centres(kind: str) -> dict[str, tuple[float, float]]:
    """Zone centres, y up."""
    return {n: (x, FIELD["height"] - y) for n, (x, y) in TABLE[kind]["centres"].items()}


def tile_top(kind: str) -> float:
    """Height of the tile's upper copper."""
    return -float(TABLE[kind]["depth"] + TABLE["floor_above_loop"])


def tile_diameter(kind: str) -> float:
    return float(TABLE["tile"][f"{kind}_outline_diameter"])


def holes(kind: str) -> list[tuple[float, float]]:
    """Mounting holes of the tile, y up."""
    places = layout_of(kind).places
    return [
        (p[0], -p[1])
        for ref, p in sorted(places.items())
        if ref.startswith("H") and ref[1:].isdigit()
    ]


def insert(kind: str) -> Manifold:
    """Floor, guide wall and bosses of one zone, in the zone's own frame."""
    size, top = tile_diameter(kind), tile_top(kind)
    outer = size + 2 * (GAP + WALL)
    body = cylinder(outer, -PLATE - FLOOR, -PLATE)
    body += ring(outer, size + 2 * GAP, top - BOARD - 2.0, -PLATE)
    for x, y in holes(kind):
        body += cylinder(BOSS[kind], top, -PLATE - FLOOR / 2, x, y)
        body -= cylinder(SCREW[kind], top - 1, -PLATE - PILOT_END[kind], x, y)
    key = block(outer / 2 - 1.2, -1.5, top - BOARD - 3, outer / 2 + 1, 1.5, top - BOARD + 0.2)
    return body - key  # a notch in the wall at 3 o'clock shows how the tile is turned


def light_ring(kind: str) -> Manifold:
    """Fills the plate's hole from the zone's edge outwards; of an action space also its floor."""
    wide, inner = 2 * (LIGHT[kind] - GAP), float(TABLE[kind]["diameter"])
    floor = -float(TABLE[kind]["depth"])
    return ring(wide, inner, -PLATE, 0) + (
        cylinder(wide, -PLATE, floor) if floor > -PLATE else Manifold()
    )


def clamp_places() -> list[tuple[float, float]]:
    """Bosses under the plate for the clamps: each insert hangs between those that hold it.

    A bowl in a corner has neighbours on two sides only, and would tip outwards there; so it has a clamp
    of its own towards the corner, as far away as the others.
    """
    xs = sorted({c[0] for c in centres("bowl").values()})
    ys = sorted({c[1] for c in centres("bowl").values()})
    out = [((a + b) / 2, y) for a, b in itertools.pairwise(xs) for y in ys]
    out += [(x, (a + b) / 2) for x in xs for a, b in itertools.pairwise(ys)]
    out += [(x, y + s * 37.0) for x, y in centres("action").values() for s in (-1, 1)]
    aside = (xs[1] - xs[0]) / 2 * math.sqrt(0.5)
    out += [
        (x, y) for x in (xs[0] - aside, xs[-1] + aside) for y in (ys[0] - aside, ys[-1] + aside)
    ]
    return out


CLAMP_LOW = tile_top("bowl") - BOARD - 2.0  # the lower edge of a bowl insert's wall


def plate() -> Manifold:
    """The whole top in one piece: flat, skirt, holes, bosses. The rim is glued on."""
    w, h = FIELD["width"], FIELD["height"]
    body = block(-RIM, -RIM, -SKIRT, w + RIM, h + RIM, 0)
    body -= block(0, 0, -SKIRT - 1, w, h, -PLATE)
    for kind in ("bowl", "action"):
        for x, y in centres(kind).values():
            body -= cylinder(2 * LIGHT[kind], -PLATE - 1, 1, x, y)
    for x, y in clamp_places():
        low = CLAMP_LOW if (x, y) not in _action_places() else tile_top("action") - BOARD - 2.0
        body += cylinder(7.0, low + 0.2, -PLATE + 0.01, x, y)
        body -= cylinder(2.5, low - 1, -PLATE - 0.2, x, y)
    for x, y, turn in splice_places():  # a pilot hole into each piece, from inside the skirt
        for along in (-SPLICE_HOLE, SPLICE_HOLE):
            hole = Manifold.cylinder(RIM - 2.0, 1.25, circular_segments=32).rotate((-90, 0, 0))
            body -= hole.translate((along, 0, -16)).rotate((0, 0, turn)).translate((x, y, 0))
    slot = block(
        w / 2 - SLOT / 2, h - 1, -SKIRT - 1, w / 2 + SLOT / 2, h + RIM + 1, SLOT_HIGH - SKIRT
    )
    return body - slot  # way for the ribbons, in the middle of the back


def splice_places() -> list[tuple[float, float, float]]:
    """(x, y, turn in degrees) of the splices: on the inner face of the skirt, at each joint."""
    w, h = FIELD["width"], FIELD["height"]
    out = []
    for side, along in quarters.SPLICES:
        if side in ("back", "front"):
            out.append((along, h, 0.0) if side == "back" else (along, 0.0, 180.0))
        else:
            out.append((w, h - along, -90.0) if side == "right" else (0.0, h - along, 90.0))
    return out


def rim() -> Manifold:
    """The frame that keeps chips on the board, in one piece."""
    w, h = FIELD["width"], FIELD["height"]
    body = block(-RIM, -RIM, 0, w + RIM, h + RIM, FIELD["rim_height"])
    return body - block(0, 0, -1, w, h, FIELD["rim_height"] + 1)


def _action_places() -> set[tuple[float, float]]:
    return {(x, y + s * 37.0) for x, y in centres("action").values() for s in (-1, 1)}


def plate_pieces() -> dict[str, Manifold]:
    """The plate in four pieces for a printer of 256 mm; no joint crosses a zone."""
    whole, out = plate(), {}
    for name, outline in quarters.pieces().items():
        ring_ = [(x, FIELD["height"] - y) for x, y in outline.exterior.coords[:-1]]
        prism = Manifold.extrude(CrossSection([ring_], FillRule.EvenOdd), 200.0)
        out[f"plate-{name}"] = whole ^ prism.translate((0, 0, -100))
    return out


def rim_quarter() -> Manifold:
    """A corner of the rim; its ends lie elsewhere than the plate's joints and bridge them."""
    w, h = FIELD["width"], FIELD["height"]
    return rim() ^ block(-100, -100, -100, w / 2 - 0.1, h / 2 - 0.1, 100)


def post(kind: str) -> Manifold:
    """A post for a clamp, glued under a plate that came from a laser."""
    low = (CLAMP_LOW if kind == "bowl" else tile_top("action") - BOARD - 2.0) + 0.2
    foot = {"bowl": 13.0, "action": 11.0}[kind]
    body = cylinder(7.0, low, -PLATE) + cylinder(foot, -PLATE - 1.5, -PLATE)
    return body - cylinder(2.5, low - 1, -PLATE - 0.2)


def splice() -> Manifold:
    """Bar over a joint, inside the skirt."""
    bar = block(-25, -6, 0, 25, 6, 4)
    for x in (-SPLICE_HOLE, SPLICE_HOLE):
        bar -= cylinder(3.2, -1, 5, x, 0)
    return bar


def clamp() -> Manifold:
    """Bar under two neighbouring inserts, or one, with a screw in its middle."""
    section = CrossSection([[(-12.0, -4.0), (12.0, -4.0), (12.0, 4.0), (-12.0, 4.0)]])
    return Manifold.extrude(section, 3.0) - cylinder(3.2, -1, 4)


def controller_tray() -> Manifold:
    """Open tray of the controller with four pillars; the sides of jack and USB are cut down."""
    plan = layout_of("controller")
    assert plan.size is not None
    w, h = plan.size
    body = block(-3, -3, 0, w + 3, h + 3, 14) - block(-0.5, -0.5, 2, w + 0.5, h + 0.5, 20)
    for ref in ("H1", "H2", "H3", "H4"):
        x, y = plan.places[ref][0], h - plan.places[ref][1]
        body += cylinder(7, 1, PILLAR, x, y)
        body -= cylinder(2.5, PILOT, 9, x, y)
    jack = h - plan.places["J14"][1]
    body -= block(w - 1, jack - 7, 7, w + 5, jack + 7, 20)
    usb = plan.places["U1"][0] + 8.89
    body -= block(usb - 8, h - 1, 7, usb + 8, h + 5, 20)
    for x in (-4.0, w - 1.0):  # the ribbons come over both sides, side by side: no single notches
        body -= block(x, 4.0, TRAY_SIDE, x + 5.0, h - 4.0, 20)
    return body


def chip_half(holds: str) -> Manifold:
    """Half a chip, with the pocket of the "tag" or of the "ring", and a dimple where the rules look.

    The rule decides by a chip's hole. A through hole would cut the tag's own chip, which sits in
    the middle of a disc; so the hole is a dimple on both faces, of the hole's diameter.
    """
    c = TABLE["chip"]
    half = c["thickness"] / 2
    body = cylinder(c["diameter"], 0, half)
    body -= cylinder(c["tag_diameter"] + 0.5, half - POCKETS[holds], half + 1)
    return body - cylinder(c["hole_diameter"], -1, DIMPLE)


def mill() -> Manifold:
    """The pepper mill: a chip's foot, a waist and a knob; the tag sits under its foot."""
    profile = [
        (0, 0),
        (16, 0),
        (16, 3),
        (11, 6),
        (8, 14),
        (10, 20),
        (7, 24),
        (7, 26),
        (9, 30),
        (6, 34),
        (0, 35),
    ]
    body = Manifold.revolve(
        CrossSection([[(float(x), float(y)) for x, y in profile]]), circular_segments=ROUND
    )
    return body - cylinder(TABLE["chip"]["tag_diameter"] + 0.5, -1, 0.6)


def parts() -> dict[str, Manifold]:
    return {
        **plate_pieces(),
        "rim-quarter": rim_quarter(),
        "ring-bowl": light_ring("bowl"),
        "ring-action": light_ring("action"),
        "insert-bowl": insert("bowl"),
        "insert-action": insert("action"),
        "post-bowl": post("bowl"),
        "post-action": post("action"),
        "clamp": clamp(),
        "splice": splice(),
        "controller-tray": controller_tray(),
        "chip-half-tag": chip_half("tag"),
        "chip-half-ring": chip_half("ring"),
        "mill": mill(),
    }


COUNTS = {  # posts go with a plate from a laser, plate pieces, rims and splices with a printed one
    "plate-back-left": 1, "plate-back-right": 1, "plate-front-right": 1, "plate-front-left": 1,
    "rim-quarter": 4, "ring-bowl": 9, "ring-action": 4, "insert-bowl": 9, "insert-action": 4,
    "post-bowl": 16, "post-action": 8, "clamp": 24, "splice": 4, "controller-tray": 1,
    "chip-half-tag": 24, "chip-half-ring": 24, "mill": 1,
}  # fmt: skip
PLA = 1.24e-3  # g/mm3
RATE = 8.0  # mm3/s that a usual printer lays down on average, 0.2 mm layers
BED = 250.0  # mm of a 256 mm printer that can be used


def print_cost(names: list[str]) -> tuple[float, float]:
    """(g of filament when printed solid, hours) of all pieces of these parts."""
    solids = parts()
    volume = sum(solids[name].volume() * COUNTS[name] for name in names)
    return volume * PLA, volume / RATE / 3600


def fitted_above(kind: str) -> set[str]:
    """Footprints of what is fitted on the upper side of a tile (the header is on the other one)."""
    parts = (p for p in board(kind).parts if KINDS[p.kind].in_bom and not p.dnp)
    return {KINDS[p.kind].footprint.split(":")[1] for p in parts if p.kind != "IDC"}


def tile_solid(kind: str) -> Manifold:
    """The bare tile in its place under a zone."""
    top = tile_top(kind)
    return cylinder(tile_diameter(kind), top - BOARD, top)


def to_mesh(solid: Manifold) -> trimesh.Trimesh:
    mesh = solid.to_mesh()
    return trimesh.Trimesh(
        np.asarray(mesh.vert_properties)[:, :3], np.asarray(mesh.tri_verts), process=True
    )


def evaluated(solid: Manifold) -> Manifold:
    """The same solid, made now: manifold makes a solid at each look as long as nobody asked."""
    solid.num_tri()
    return solid


def faults() -> list[str]:
    """What does not fit, in sentences."""
    out = []
    whole = evaluated(plate())
    for kind in ("bowl", "action"):
        out += _tile_faults(kind) + _insert_faults(kind, whole)
    name, length = SCREWS["controller"]
    if PILLAR + BOARD - length < PILOT:
        out.append(f"{name}x{length:g} is too long for the controller's pillars")
    return out + _overlaps()


def room_above(kind: str) -> float:
    """mm between a tile's upper copper and the floor of its insert."""
    return -PLATE - FLOOR - tile_top(kind)


def _tile_faults(kind: str) -> list[str]:
    """A tile with what stands on it, under the floor of its insert."""
    out = []
    made = evaluated(insert(kind))
    if (made ^ tile_solid(kind)).volume() > 0.01:
        out.append(f"the {kind} tile cuts into its insert")
    pixels = ring(
        2 * (layouts_ring(kind) + 2.7),
        2 * (layouts_ring(kind) - 2.7),
        tile_top(kind),
        tile_top(kind) + 1.6,
    )
    if (made ^ pixels).volume() > 0.01:
        out.append(f"the pixels of the {kind} tile touch the floor")
    room = room_above(kind)
    high = {name: HEIGHTS[name][0] for name in fitted_above(kind)} | {"tails of the header": TAILS}
    out += [
        f"{what} of the {kind} tile: {height:g} mm touch the floor"
        for what, height in high.items()
        if height + SOLDER > room
    ]
    if layouts_ring(kind) + 2.0 > LIGHT[kind]:
        out.append(f"the pixels of the {kind} tile shine against the plate")
    name, length = SCREWS[kind]
    if tile_top(kind) - BOARD + length > -PLATE - PILOT_END[kind] - 0.2:
        out.append(f"{name}x{length:g} is too long for the {kind} tile's bosses")
    if tile_top(kind) - BOARD - PLUG < -SKIRT:
        out.append(f"plugs under the {kind} tiles reach below the skirt")
    return out


def _insert_faults(kind: str, whole: Manifold) -> list[str]:
    """An insert with its light ring, in the plate."""
    out = []
    made, light = evaluated(insert(kind)), light_ring(kind)
    if (made ^ light).volume() > 0.01:
        out.append(f"the light ring of the {kind} zones cuts into the insert")
    both = evaluated(made + light)
    for name, (x, y) in centres(kind).items():
        if (both.translate((x, y, 0)) ^ whole).volume() > 0.01:
            out.append(f"the insert of {name} cuts into the plate")
    if TABLE[kind]["diameter"] < TABLE["chip"]["diameter"]:
        out.append(f"a chip does not fit into the {kind} zone")
    return out


def _overlaps() -> list[str]:
    """Inserts that stand over one another."""
    out = []
    spots = [(kind, x, y) for kind in ("bowl", "action") for x, y in centres(kind).values()]
    for i, (ka, xa, ya) in enumerate(spots):
        for kb, xb, yb in spots[i + 1 :]:
            reach = (tile_diameter(ka) + tile_diameter(kb)) / 2 + 2 * (GAP + WALL)
            if math.hypot(xa - xb, ya - yb) < reach:
                out.append(f"inserts at {xa:.0f},{ya:.0f} and {xb:.0f},{yb:.0f} overlap")
    return out


def layouts_ring(kind: str) -> float:
    """Radius of the ring of pixels."""
    x, y, *_ = layout_of(kind).places["D11"]
    return math.hypot(x, y)


def write() -> list[str]:
    """Writes the STL files; returns what is wrong with them."""
    OUT.mkdir(parents=True, exist_ok=True)
    for old in OUT.glob("*.stl"):  # parts that are no longer made must not get into a release
        old.unlink()
    wrong = faults()
    for name, solid in parts().items():
        path = OUT / f"{name}.stl"
        to_mesh(solid).export(path)
        back = trimesh.load_mesh(path)
        if not back.is_watertight or not back.is_winding_consistent or back.volume <= 0:
            wrong.append(f"{name}.stl is no closed solid")
    return wrong


def pictures() -> None:
    """Two views for the docs, drawn by the painter's algorithm (no graphics card needed)."""
    from hardware.enclosure.draw import picture

    target = PICTURES
    shades = ((205, 180, 140), (190, 165, 125), (200, 172, 130), (184, 158, 120))
    picture(
        [
            *[
                (to_mesh(part), shade)
                for part, shade in zip(plate_pieces().values(), shades, strict=True)
            ],
            (to_mesh(rim()), (120, 85, 55)),
            *[
                (to_mesh(part(k).translate((x, y, 0))), colour)
                for part, colour in ((insert, (235, 235, 225)), (light_ring, (250, 225, 150)))
                for k in ("bowl", "action")
                for x, y in centres(k).values()
            ],
        ],
        target / "hardware-case-top.png",
        (-55, 0, 25),
    )
    shown = [
        (to_mesh(light_ring("bowl").translate((0, 0, 14))), (250, 225, 150)),
        (to_mesh(light_ring("action").translate((100, 0, 14))), (250, 225, 150)),
        (to_mesh(insert("bowl")), (225, 225, 215)),
        (to_mesh(tile_solid("bowl").translate((0, 0, -16))), (40, 110, 70)),
        (to_mesh(insert("action").translate((100, 0, 0))), (225, 225, 215)),
        (to_mesh(tile_solid("action").translate((100, 0, -16))), (40, 110, 70)),
        (to_mesh(chip_half("ring").translate((150, 0, 0))), (180, 80, 60)),
        (to_mesh(mill().translate((150, 50, 0))), (60, 60, 70)),
        (to_mesh(clamp().translate((150, -40, 0))), (120, 120, 130)),
    ]
    picture(shown, target / "hardware-case-parts.png", (125, 0, 20))


def main(words: list[str]) -> int:
    asked = parsed(words, __doc__, ("--pictures",), boards=False)
    wrong = write()
    from hardware.enclosure import laser

    sheets = laser.write(OUT)
    for line in wrong:
        print(line)
    print(
        f"enclosure: {len(COUNTS)} parts, {sum(COUNTS.values())} pieces as STL, {len(sheets)} sheets "
        f"as DXF in {OUT.relative_to(ROOT)}"
    )
    if asked.pictures:
        pictures()
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
