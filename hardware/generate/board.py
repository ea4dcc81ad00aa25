"""Makes a board from description, schematic and layout: places, routes, fills, saves.

python -m hardware.generate.board [bowl action controller]      writes kicad/NAME/NAME.kicad_pcb
"""

import hashlib
import json
import math
import re
import shutil
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import numpy as np
from shapely.geometry import LineString, Point, Polygon, box

from hardware import DATE, GEOMETRY, KICAD, OUT, REVISION, layout
from hardware.arguments import parsed
from hardware.circuit import KINDS, Board, Part, boards
from hardware.generate import kicad, route, symbols
from hardware.generate.sexp import bare
from hardware.generate.stable import stable
from hardware.layout import fabrication

SCRIPT = Path(__file__).with_name("pcb_script.py")  # runs in KiCad's own Python
NAMELESS = ("FID", "FIDL", "HOLE", "HOLE2", "HOLE3", "LOOPB", "LOOPA")  # need no name on the silk
WIDTHS = {
    "tile": {
        "GND": 0.25,
        "+3V3": 0.25,
        "+3.3VA": 0.25,
        "+5V": 0.4,
        "TX1": 0.25,
        "TX2": 0.25,
        "TXF1": 0.4,
        "TXF2": 0.4,
        "ANT1": 0.4,
        "ANT2": 0.4,
        "LOOP1": 0.4,
        "LOOP2": 0.4,
        "SW_D": 0.4,
        "SW_S": 0.4,
    },
    "controller": {
        "GND": 0.3,
        "+3V3": 0.5,
        "+5V": 0.5,
        "VIN": 0.5,
        "VIN_F": 0.5,
        "V_MID": 0.4,
        "VBUS": 0.5,
        "VBUS_F": 0.5,
        "VSYS": 0.5,
    },
}


def netlist(bench: kicad.Bench, name: str) -> dict[tuple[str, str], str]:
    """{(ref, pin): KiCad's net name} by kicad-cli."""
    bench.cli(
        "sch",
        "export",
        "netlist",
        "--format",
        "kicadxml",
        "-o",
        "net.xml",
        f"{name}/{name}.kicad_sch",
    )
    out = {}
    for net in ET.parse(bench.path / "net.xml").getroot().iter("net"):
        for node in net.iter("node"):
            out[(node.get("ref", ""), node.get("pin", ""))] = net.get("name", "")
    return out


def job(board: Board, plan: layout.Layout, nets: dict[tuple[str, str], str]) -> dict[str, Any]:
    """What pcb_script.py gets to know about a board."""
    return {
        "title": board.title,
        "revision": REVISION,
        "date": DATE,
        "round": plan.round,
        "size": plan.size,
        "parts": [_job_part(board, plan, nets, part) for part in board.parts],
        "silk": plan.silk,
        "notes": fabrication.notes(board.name, [fabrication.size_text(plan)]),
        "nets": sorted(set(nets.values())),
        "zones": plan.zones,
        "origin": [148.5, 105.0] if plan.round else [80.0, 50.0],
        "local": "lib/spiceboard.pretty",
        "file": "",
    }


def _job_part(
    board: Board, plan: layout.Layout, nets: dict[tuple[str, str], str], part: Part
) -> dict[str, Any]:
    kind = KINDS[part.kind]
    x, y, rot, side = plan.places[part.ref]
    title, _ = board.pages[part.page]
    told = {words.split()[0] for words, *_ in plan.silk}  # "J1 curry" is name enough
    ident = bare(symbols.uid(board.name, "part", part.ref))
    return {
        "ref": part.ref,
        "value": part.value,
        "footprint": kind.footprint,
        "x": x,
        "y": y,
        "rot": rot,
        "side": side,
        "path": f"/{symbols.sheet_id(board, part.page)}/{ident}",
        "sheetname": f"/{title.split(': ')[-1]}/",
        "sheetfile": f"{board.name}-{part.page}.kicad_sch",
        "dnp": part.dnp,
        "no_bom": not kind.in_bom,
        "pads": {pin: net for (ref, pin), net in nets.items() if ref == part.ref},
        "fields": {k: v for k, v in symbols.fields(part).items() if v},
        "centre": part.kind == "IDC",
        "hide": part.ref in plan.hide or part.kind in NAMELESS,
        "seek": part.ref in plan.hide - told and part.kind not in NAMELESS,
    }


def rename(nets: dict[tuple[str, str], str], board: Board) -> dict[str, str]:
    """{name in the description: KiCad's name}."""
    out = {}
    for net, pins in board.nets().items():
        names = {nets[p] for p in pins}
        if len(names) != 1:
            raise ValueError(f"{board.name}: net {net} is torn apart in the schematic: {names}")
        out[net] = names.pop()
    return out


def make(board: Board, say: Any = print) -> None:
    plan = layout.layouts()[board.name]
    with kicad.Bench() as bench:
        bench.put(KICAD / "lib")
        bench.put(KICAD / board.name)
        nets = netlist(bench, board.name)
        names = rename(nets, board)
        _say_kicads_names(plan, names)
        work = job(board, plan, nets)
        (bench.path / "job.json").write_text(json.dumps(work))
        bench.python(SCRIPT, "place", "job.json")
        pads = json.loads((bench.path / "pads.json").read_text())
        tracks, vias, stitch = _routes(board, plan, pads, names, say)
        tracks = [_snap(t, plan) for t in tracks]
        solid: list[list[str]] = []
        for _ in range(4):
            (bench.path / "routes.json").write_text(
                json.dumps(
                    {
                        "tracks": tracks,
                        "vias": vias,
                        "stitch": stitch[0] + stitch[1],
                        "coarse": len(stitch[0]),
                        "ground": names["GND"],
                        "solid": solid,
                    }
                )
            )
            bench.python(SCRIPT, "finish", "job.json")
            if plan.round:
                break
            starved = _starved(bench, board.name)
            if not starved:
                break
            solid += starved
            say(f"  pads without room for spokes: {' '.join(r + '.' + n for r, n in solid)}")
        text = (bench.path / "board.kicad_pcb").read_text(encoding="utf-8")
        (KICAD / board.name / f"{board.name}.kicad_pcb").write_text(stable(text, board.name))


def _say_kicads_names(plan: layout.Layout, names: dict[str, str]) -> None:
    """Nets of the plan as KiCad calls them."""
    plan.copper = [(names[net], *rest) for net, *rest in plan.copper]  # type: ignore[misc]
    plan.vias = [(names[net], x, y) for net, x, y in plan.vias]
    plan.zones = [(names[net], layer, points) for net, layer, points in plan.zones]
    plan.keep = [(names[net], layer, points) for net, layer, points in plan.keep]


def _starved(bench: kicad.Bench, name: str) -> list[list[str]]:
    """[reference, pin] of the pads that KiCad's DRC finds with too few spokes."""
    shutil.copy(bench.path / "board.kicad_pcb", bench.path / name / f"{name}.kicad_pcb")
    flags = ("--severity-all", "--format", "json", "-o", "drc.json")
    bench.cli("pcb", "drc", *flags, f"{name}/{name}.kicad_pcb")
    report = json.loads((bench.path / "drc.json").read_text())
    words = [
        item["description"]
        for entry in report["violations"]
        if entry["type"] == "starved_thermal"
        for item in entry["items"]
    ]
    found = [re.search(r"[Pp]ad (\S+) \[.*\] of (\S+)", w) for w in words]
    return [list(pair) for pair in sorted({(m[2], m[1]) for m in found if m})]


def _snap(track: Any, plan: layout.Layout) -> Any:
    """Ends that lie on hand-laid copper go on to its next corner: KiCad joins tracks at their ends."""
    net, layer, width, points = track
    points = [tuple(p) for p in points]
    for end in (0, -1):
        for other, side, wide, corners in plan.copper:
            if (other, side) != (net, layer) or [tuple(c) for c in corners] == points:
                continue
            spot = Point(points[end])
            line = LineString(corners)
            near = min(corners, key=lambda c: spot.distance(Point(c)))
            if (
                0.001 < line.distance(spot) < 0.12
                and spot.distance(Point(near)) < 2
                and wide > width
            ):
                points = [near, *points] if end == 0 else [*points, near]
                break
    return (net, layer, width, points)


def _routes(
    board: Board, plan: layout.Layout, pads: list[dict[str, Any]], names: dict[str, str], say: Any
) -> Any:
    """Routes, or the last ones again when nothing that matters to them has changed."""
    stuff = [
        json.dumps(WIDTHS),
        pads,
        plan.copper,
        plan.vias,
        plan.keep,
        plan.round,
        plan.size,
        plan.stitch,
        plan.zones,
    ]
    key = hashlib.sha256(json.dumps(stuff).encode()).hexdigest()
    kept = OUT / f"routes-{board.name}.json"
    if kept.exists():
        last = json.loads(kept.read_text())
        if last["key"] == key:
            say("  routes kept")
            return last["tracks"], last["vias"], last["stitch"]
    tracks, vias, stitch = lay(board, plan, pads, names, say)
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_text(json.dumps({"key": key, "tracks": tracks, "vias": vias, "stitch": stitch}))
    return tracks, vias, stitch


def lay(
    board: Board, plan: layout.Layout, pads: list[dict[str, Any]], names: dict[str, str], say: Any
) -> Any:
    """Tracks, vias, and places for ground vias: on a coarse grid, and many more for islands of the
    pour that nothing joins."""
    shapes = _obstacles(plan, pads)
    kind = "tile" if plan.round else "controller"
    widths = {names[n]: w for n, w in WIDTHS[kind].items() if n in names}
    step = 0.1 if plan.round else 0.2
    router = route.Router(_outline(plan), shapes, widths, step=step)
    if plan.round:
        _close_loop_area(router, plan, names)
    for net, layer, pts in plan.zones:
        if net != names["GND"]:
            router.avoid(layer, Polygon(pts))
    ordered = sorted(
        router.nets, key=lambda n: (n == names["GND"], n in widths, _length(n, shapes))
    )
    bad = router.run(ordered, say=say)
    if bad:
        say(f"  NOT ROUTED: {bad} at {router.bad_spots[:40]}")
    tracks, holes = router.tracks()
    tracks = _without_stubs(tracks, plan) + plan.copper
    holes += plan.vias
    pitches = (plan.stitch, 1.2) if plan.stitch else ()
    stitch = [_stitch(router, plan, names["GND"], pitch) for pitch in pitches] or [[], []]
    return tracks, holes, stitch


def _obstacles(plan: layout.Layout, pads: list[dict[str, Any]]) -> list[route.Shape]:
    """Pads, and what is laid by hand."""
    shapes = [s for s in (route.pad_shape(p) for p in pads) if s is not None]
    shapes += [route.track_shape(net, layer, width, pts) for net, layer, width, pts in plan.copper]
    for net, x, y in plan.vias:
        shapes.append(route.Shape(net, "FB", Point(x, y).buffer(0.3), Point(x, y).buffer(0.06)))
    for net, layer, pts in plan.keep:
        area = Polygon(pts)
        shapes.append(route.Shape(net, layer, area, area.buffer(-0.5)))
    return shapes


def _outline(plan: layout.Layout) -> Polygon:
    if plan.round:
        return Point(0, 0).buffer(plan.round / 2, quad_segs=64)
    assert plan.size is not None
    return box(0, 0, *plan.size)


def _without_stubs(tracks: list[Any], plan: layout.Layout) -> list[Any]:
    """A stub inside a wide track of its own net is none."""
    fixed = [
        (net, layer, LineString(pts).buffer(width / 2)) for net, layer, width, pts in plan.copper
    ]
    return [
        t
        for t in tracks
        if not any(
            t[0] == net and t[1] == layer and LineString(t[3]).within(area)
            for net, layer, area in fixed
        )
    ]


def _close_loop_area(router: route.Router, plan: layout.Layout, names: dict[str, str]) -> None:
    """Nothing but the loop's own ends may go where the loop is."""
    kind = "bowl" if plan.round == GEOMETRY["tile"]["bowl_outline_diameter"] else "action"
    inner = GEOMETRY[kind]["loop_radius"] - 1.4
    cols, rows = router.nx, router.ny
    yy, xx = np.mgrid[0:rows, 0:cols]
    far = np.hypot(router.x0 + xx * router.step, router.y0 + yy * router.step) > inner
    for own in [*router.own.values(), router.ownv]:
        for layer in (0, 1):
            shut = far & (own[layer] == 0)
            own[layer][shut] = -1
            if layer == 1 and own is not router.ownv:
                # the outer end comes in under the inner turns
                own[layer][
                    shut
                    & (np.abs(router.x0 + xx * router.step) < 8)
                    & (router.y0 + yy * router.step < 0)
                ] = router.ids[names["LOOP1"]]


def _length(net: str, shapes: list[route.Shape]) -> float:
    mine = [s.area.centroid for s in shapes if s.net == net]
    xs, ys = [p.x for p in mine], [p.y for p in mine]
    return float(max(xs) - min(xs) + max(ys) - min(ys))


def _stitch(
    router: route.Router, plan: layout.Layout, ground: str, pitch: float
) -> list[tuple[str, float, float]]:
    """Ground vias between the pours, wherever there is room for one."""
    assert plan.size is not None
    out = []
    own = [Polygon(pts) for net, _, pts in plan.zones if net != ground]
    ident = router.ids[ground]
    for i in range(1, math.floor(plan.size[0] / pitch)):
        for k in range(1, math.floor(plan.size[1] / pitch)):
            x, y = i * pitch, k * pitch
            r, c = round((y - router.y0) / router.step), round((x - router.x0) / router.step)
            free = all(router.ownv[n, r, c] in (0,) and router.usev[n, r, c] == 0 for n in (0, 1))
            if free and ident and not any(a.covers(Point(x, y)) for a in own):
                out.append(
                    (
                        ground,
                        round(router.x0 + c * router.step, 3),
                        round(router.y0 + r * router.step, 3),
                    )
                )
    return out


def main(words: list[str]) -> None:
    for name in parsed(words, __doc__).boards:
        print(name, flush=True)
        make(boards()[name])


if __name__ == "__main__":
    main(sys.argv[1:])
