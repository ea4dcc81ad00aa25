"""Runs inside KiCad's own Python: builds a board from job.json, or finishes it with routes.json.

python3 pcb_script.py place job.json     -> board.kicad_pcb, pads.json
python3 pcb_script.py finish job.json    -> board.kicad_pcb with tracks, vias, zones
"""

import itertools
import json
import math
import sys

import pcbnew

LAYER = {"F": pcbnew.F_Cu, "B": pcbnew.B_Cu}
ORIGIN = None


def mm(value):
    return pcbnew.FromMM(float(value))


def at(x, y):
    return pcbnew.VECTOR2I(mm(x + ORIGIN[0]), mm(y + ORIGIN[1]))


def outline(board, job):
    if job["round"]:
        circle = pcbnew.PCB_SHAPE(board, pcbnew.SHAPE_T_CIRCLE)
        circle.SetCenter(at(0, 0))
        circle.SetEnd(at(job["round"] / 2, 0))
        shapes = [circle]
    else:
        w, h = job["size"]
        r = 3.0
        shapes = []
        for x1, y1, x2, y2 in (
            (r, 0, w - r, 0),
            (w, r, w, h - r),
            (w - r, h, r, h),
            (0, h - r, 0, r),
        ):
            line = pcbnew.PCB_SHAPE(board, pcbnew.SHAPE_T_SEGMENT)
            line.SetStart(at(x1, y1))
            line.SetEnd(at(x2, y2))
            shapes.append(line)
        q = r * (1 - 0.5**0.5)
        for a, m, b in (
            ((0, r), (q, q), (r, 0)),
            ((w - r, 0), (w - q, q), (w, r)),
            ((w, h - r), (w - q, h - q), (w - r, h)),
            ((r, h), (q, h - q), (0, h - r)),
        ):
            arc = pcbnew.PCB_SHAPE(board, pcbnew.SHAPE_T_ARC)
            arc.SetArcGeometry(at(*a), at(*m), at(*b))
            shapes.append(arc)
    for shape in shapes:
        shape.SetLayer(pcbnew.Edge_Cuts)
        shape.SetWidth(mm(0.1))
        board.Add(shape)


def footprints(board, job):
    nets = {}
    for name in job["nets"]:
        item = pcbnew.NETINFO_ITEM(board, name)
        board.Add(item)
        nets[name] = item
    for part in job["parts"]:
        fp = loaded(job, part)
        board.Add(fp)
        put(fp, part)
        for pad in fp.Pads():
            net = part["pads"].get(pad.GetNumber())
            if net:
                pad.SetNet(nets[net])
            if part["ref"].startswith("FID"):  # a pour must not come into the opening of its mask
                pad.SetLocalClearance(pad.GetSize().x // 2 + mm(0.1))
        dress(fp, part)


def loaded(job, part):
    """The footprint from its library, with everything that it says about its part."""
    lib, name = part["footprint"].split(":")
    folder = job["local"] if lib == "spiceboard" else f"/usr/share/kicad/footprints/{lib}.pretty"
    fp = pcbnew.FootprintLoad(folder, name)
    if fp is None:
        raise SystemExit(f"no footprint {part['footprint']}")
    fp.SetFPID(pcbnew.LIB_ID(lib, name))
    fp.SetReference(part["ref"])
    fp.SetValue(part["value"])
    for key, value in part["fields"].items():
        fp.SetField(key, value)
        fp.GetFieldByName(key).SetVisible(False)
    fp.SetPath(pcbnew.KIID_PATH(part["path"]))
    fp.SetSheetname(part["sheetname"])
    fp.SetSheetfile(part["sheetfile"])
    fp.SetDNP(part["dnp"])
    fp.SetExcludedFromBOM(part["no_bom"])
    return fp


def put(fp, part):
    """To its place, side and turn; connectors by the middle of their pads."""
    fp.SetPosition(at(0, 0))
    if part["side"] == "B":
        fp.Flip(at(0, 0), pcbnew.FLIP_DIRECTION_LEFT_RIGHT)
    fp.SetOrientationDegrees(part["rot"])
    x, y = part["x"], part["y"]
    if part["centre"]:
        c = around(fp).GetCenter()
        x -= pcbnew.ToMM(c.x) - ORIGIN[0]
        y -= pcbnew.ToMM(c.y) - ORIGIN[1]
    fp.SetPosition(at(x, y))


def around(fp):
    """The box round a footprint's pads."""
    box = fp.Pads()[0].GetBoundingBox()
    for pad in fp.Pads():
        box.Merge(pad.GetBoundingBox())
    return box


def dress(fp, part):
    """Reference on the silk where there is room, small and legible; value on the fab layer."""
    ref = fp.Reference()
    ref.SetTextSize(pcbnew.VECTOR2I(mm(0.8), mm(0.8)))
    ref.SetTextThickness(mm(0.12))
    ref.SetVisible(not part["hide"])
    fp.Value().SetVisible(False)


def text(board, words, x, y, size, width, side):
    item = pcbnew.PCB_TEXT(board)
    item.SetText(words)
    item.SetLayer(pcbnew.F_SilkS if side == "F" else pcbnew.B_SilkS)
    item.SetTextSize(pcbnew.VECTOR2I(mm(size), mm(size)))
    item.SetTextThickness(mm(width))
    if side == "B":
        item.SetMirrored(True)
    item.SetPosition(at(x, y))
    board.Add(item)


def drawing(board, job):
    """The notes of the fabrication drawing, to the right of the board."""
    right = job["round"] / 2 if job["round"] else job["size"][0]
    top = -job["round"] / 2 if job["round"] else 0
    for k, line in enumerate(job["notes"]):
        if not line:
            continue
        item = pcbnew.PCB_TEXT(board)
        item.SetText(line)
        item.SetLayer(pcbnew.Dwgs_User)
        item.SetTextSize(pcbnew.VECTOR2I(mm(1.2), mm(1.2)))
        item.SetTextThickness(mm(0.15))
        item.SetHorizJustify(pcbnew.GR_TEXT_H_ALIGN_LEFT)
        item.SetPosition(at(right + 6, top + 3 + 2.4 * k))
        board.Add(item)


def references(board, job):
    """Puts the references that the layout hides on the silk, where one of many places is free."""
    taken, pads = {"F": [], "B": []}, {"F": [], "B": []}
    sides = {"F": pcbnew.F_SilkS, "B": pcbnew.B_SilkS}
    for fp in board.GetFootprints():
        for pad in fp.Pads():
            both = pad.GetAttribute() in (pcbnew.PAD_ATTRIB_PTH, pcbnew.PAD_ATTRIB_NPTH)
            for side in taken:
                if both or pad.IsOnLayer(LAYER[side]):
                    taken[side].append(pad.GetBoundingBox())
                    pads[side].append((fp.GetReference(), pad))
        words = [fp.Reference()] if fp.Reference().IsVisible() else []
        for item in [*fp.GraphicalItems(), *words]:
            for side, layer in sides.items():
                if item.GetLayer() == layer:
                    taken[side].append(item.GetBoundingBox())
    for item in board.GetDrawings():
        for side, layer in sides.items():
            if item.GetLayer() == layer:
                taken[side].append(item.GetBoundingBox())
    edge = board.GetBoardEdgesBoundingBox()
    hidden = [p["ref"] for p in job["parts"] if p["seek"]]
    for ref in sorted(hidden, key=lambda r: ("UQDYLJ".find(r[0]) < 0, r)):
        fp = board.FindFootprintByReference(ref)
        side = "B" if fp.IsFlipped() else "F"
        seek(fp, taken[side], pads[side], edge, job)


def gap(spot, pad):
    """How far a point lies outside a pad, in the pad's own turn."""
    at_, size, turn = pad.GetPosition(), pad.GetSize(), pad.GetOrientation().AsRadians()
    dx, dy = spot.x - at_.x, spot.y - at_.y
    u = dx * math.cos(turn) - dy * math.sin(turn)
    v = dx * math.sin(turn) + dy * math.cos(turn)
    return math.hypot(max(abs(u) - size.x / 2, 0), max(abs(v) - size.y / 2, 0))


def belongs(ref, spot, pads):
    """Whether a name in that spot is nearer to its own part's pads than to any other's (that are seen
    on its side)."""
    own = min(gap(spot, pad) for other, pad in pads if other == ref)
    return all(gap(spot, pad) > own + mm(0.1) for other, pad in pads if other != ref)


def seek(fp, taken, pads, edge, job):
    """Tries places around a part, near ones first; leaves the reference hidden if none is free.

    A place nearer to another part counts as none: a wrong name is worse than no name.
    """
    box = around(fp)
    word, centre = fp.Reference(), box.GetCenter()
    word.SetHorizJustify(pcbnew.GR_TEXT_H_ALIGN_CENTER)
    word.SetVertJustify(pcbnew.GR_TEXT_V_ALIGN_CENTER)
    if fp.GetReference()[0] == "J" and len(fp.Pads()) > 8:
        box.Inflate(mm(3.0))
    for far, turn in itertools.product((0.25, 0.6, 1.0, 1.6, 2.4, 3.2), (0, 90)):
        word.SetTextAngleDegrees(turn)
        word.SetPosition(centre)
        size = word.GetBoundingBox()
        dx = (box.GetWidth() + size.GetWidth()) // 2 + mm(far)
        dy = (box.GetHeight() + size.GetHeight()) // 2 + mm(far)
        steps = [mm(k * 0.3) for k in (0, 1, -1, 2, -2, 3, -3, 4, -4)]
        spots = [(x, y) for k in steps for x, y in ((k, -dy), (k, dy), (dx, k), (-dx, k))]
        for x, y in spots:
            word.SetPosition(pcbnew.VECTOR2I(centre.x + x, centre.y + y))
            mine = word.GetBoundingBox()
            room = pcbnew.BOX2I(mine.GetPosition(), mine.GetSize())
            room.Inflate(mm(0.15))
            if any(room.Intersects(other) for other in taken) or not on_board(room, edge, job):
                continue
            if not belongs(fp.GetReference(), mine.GetCenter(), pads):
                continue
            taken.append(mine)
            word.SetVisible(True)
            return


def on_board(room, edge, job):
    """Whether a box keeps 0.5 mm from the edge, and on a tile 4 mm: there runs the loop."""
    if not job["round"]:
        inner = pcbnew.BOX2I(edge.GetPosition(), edge.GetSize())
        inner.Inflate(mm(-0.5))
        return inner.Contains(room)
    reach = mm(job["round"] / 2 - 4.0)
    c = at(0, 0)
    corners = itertools.product(
        (room.GetLeft(), room.GetRight()), (room.GetTop(), room.GetBottom())
    )
    return all((x - c.x) ** 2 + (y - c.y) ** 2 < reach**2 for x, y in corners)


def outline_of(shape):
    chain = shape.Outline(0)
    return [
        [
            round(pcbnew.ToMM(chain.CPoint(i).x) - ORIGIN[0], 4),
            round(pcbnew.ToMM(chain.CPoint(i).y) - ORIGIN[1], 4),
        ]
        for i in range(chain.PointCount())
    ]


def pads(board):
    out = []
    for fp in board.GetFootprints():
        for pad in fp.Pads():
            p = pad.GetPosition()
            layers = [n for n, layer in LAYER.items() if pad.IsOnLayer(layer)]
            poly = pcbnew.SHAPE_POLY_SET()
            layer = LAYER[layers[0]] if layers else pcbnew.F_Cu
            pad.TransformShapeToPolygon(poly, layer, 0, mm(0.005), pcbnew.ERROR_OUTSIDE)
            out.append(
                {
                    "ref": fp.GetReference(),
                    "pin": pad.GetNumber(),
                    "net": pad.GetNetname(),
                    "layers": layers,
                    "x": pcbnew.ToMM(p.x) - ORIGIN[0],
                    "y": pcbnew.ToMM(p.y) - ORIGIN[1],
                    "poly": outline_of(poly),
                    "hole": pcbnew.ToMM(pad.GetDrillSizeX()),
                }
            )
        for item in fp.GraphicalItems():
            if item.GetLayer() in (pcbnew.F_Cu, pcbnew.B_Cu):
                poly = pcbnew.SHAPE_POLY_SET()
                item.TransformShapeToPolygon(
                    poly, item.GetLayer(), 0, mm(0.005), pcbnew.ERROR_OUTSIDE
                )
                out.append(
                    {
                        "ref": fp.GetReference(),
                        "pin": "",
                        "net": "",
                        "x": 0,
                        "y": 0,
                        "hole": 0,
                        "layers": ["F" if item.GetLayer() == pcbnew.F_Cu else "B"],
                        "poly": outline_of(poly),
                    }
                )
    return out


def add_via(board, net, x, y):
    via = pcbnew.PCB_VIA(board)
    via.SetPosition(at(x, y))
    via.SetDrill(mm(0.3))
    via.SetWidth(mm(0.6))
    via.SetNet(board.FindNet(net))
    board.Add(via)


class Pieces:
    """The filled outlines of the ground pours, and which of them hang together."""

    def __init__(self, board, ground):
        self.pieces = []  # (layer, polygons, number)
        for zone in board.Zones():
            if zone.GetNetname() == ground:
                layer = zone.GetLayer()
                fill = zone.GetFilledPolysList(layer)
                self.pieces += [(layer, fill, i) for i in range(fill.OutlineCount())]
        self.boxes = [fill.Outline(i).BBox() for _, fill, i in self.pieces]
        self.parent = list(range(len(self.pieces)))

    def root(self, k):
        while self.parent[k] != k:
            k = self.parent[k]
        return k

    def under(self, spot, layer, reach):
        """The piece on that layer that covers the spot with `reach` mm round it, or None."""
        around_ = [(0, 0), (reach, 0), (-reach, 0), (0, reach), (0, -reach)]
        for k, (own, fill, i) in enumerate(self.pieces):
            if own == layer and self.boxes[k].Contains(spot):
                points = [pcbnew.VECTOR2I(spot.x + mm(dx), spot.y + mm(dy)) for dx, dy in around_]
                if all(fill.Contains(p, i) for p in points):
                    return k
        return None

    def join(self, spot, reach):
        """Joins the pieces over one another there. (joined anything, both there)"""
        a, b = self.under(spot, LAYER["F"], reach), self.under(spot, LAYER["B"], reach)
        if a is None or b is None:
            return False, False
        new = self.root(a) != self.root(b)
        self.parent[self.root(a)] = self.root(b)
        return new, True


def stitches(board, routes):
    """Which of the places offered get a ground via: those of the coarse grid where both pours are,
    and of the fine grid those that join islands of the pours which nothing joins yet."""
    pieces = Pieces(board, routes["ground"])
    vias = [v for v in board.GetTracks() if v.GetClass() == "PCB_VIA"]
    for via in vias:
        if via.GetNetname() == routes["ground"]:
            pieces.join(via.GetPosition(), 0)
    holes = [
        (pcbnew.ToMM(v.GetPosition().x) - ORIGIN[0], pcbnew.ToMM(v.GetPosition().y) - ORIGIN[1])
        for v in vias
    ]
    chosen = []
    for k, (net, x, y) in enumerate(routes["stitch"]):
        if any(abs(x - u) < 0.9 and abs(y - v) < 0.9 for u, v in holes):
            continue
        new, both = pieces.join(at(x, y), 0.4)
        if new or (both and k < routes["coarse"]):
            chosen.append((net, x, y))
            holes.append((x, y))
    return chosen


def add_tracks(board, routes):
    for net, layer, width, points in routes["tracks"]:
        info = board.FindNet(net)
        for (x1, y1), (x2, y2) in itertools.pairwise(points):
            if (x1, y1) == (x2, y2):
                continue
            track = pcbnew.PCB_TRACK(board)
            track.SetStart(at(x1, y1))
            track.SetEnd(at(x2, y2))
            track.SetWidth(mm(width))
            track.SetLayer(LAYER[layer])
            track.SetNet(info)
            board.Add(track)


def add_zone(board, job, n, net, layer, points, ground):
    zone = pcbnew.ZONE(board)
    zone.SetLayer(LAYER[layer])
    zone.SetNet(board.FindNet(net))
    chain = pcbnew.SHAPE_LINE_CHAIN()
    for x, y in points:
        chain.Append(at(x, y))
    chain.SetClosed(True)
    zone.AddPolygon(chain)
    zone.SetLocalClearance(mm(0.25))
    zone.SetMinThickness(mm(0.25))
    zone.SetThermalReliefGap(mm(0.2))
    zone.SetThermalReliefSpokeWidth(mm(0.3 if ground else 1.2))
    # soldered by hand or beside a small part: spokes; where amperes or heat go: the whole pad
    spokes = pcbnew.ZONE_CONNECTION_THERMAL if ground else pcbnew.ZONE_CONNECTION_THT_THERMAL
    zone.SetPadConnection(pcbnew.ZONE_CONNECTION_FULL if job["round"] else spokes)
    zone.SetIslandRemovalMode(pcbnew.ISLAND_REMOVAL_MODE_NEVER)
    zone.SetAssignedPriority(n)
    board.Add(zone)


def drop_useless_vias(board, loose, ground_name):
    """A stitching via goes where an island under it has gone, being no pad's."""
    ground = [z for z in board.Zones() if z.GetNetname() == ground_name]
    for via in [v for v in board.GetTracks() if v.GetClass() == "PCB_VIA"]:
        spot = via.GetPosition()
        if any(spot == at(x, y) for _, x, y in loose):
            sides = [any(z.GetLayer() == side and z.HitTestFilledArea(side, spot, 0) for z in ground)
                     for side in LAYER.values()]  # fmt: skip
            if not all(sides):
                board.Delete(via)


def drop_stubs(board, ground_name):
    """Short stubs that the router leaves where paths meet. Ground's ends may lie in a pour."""
    board.BuildConnectivity()
    joined = board.GetConnectivity()
    for track in list(board.GetTracks()):
        short = track.GetClass() == "PCB_TRACK" and track.GetLength() < mm(0.5)
        if short and track.GetNetname() != ground_name:
            if joined.TestTrackEndpointDangling(track, False):
                board.Delete(track)


def finish(board, job, routes):
    """Tracks, vias, pours, stitches; the pours are filled again after each change."""
    add_tracks(board, routes)
    for net, x, y in routes["vias"]:
        add_via(board, net, x, y)
    for ref, number in routes.get("solid", []):  # pads that have no room for two spokes
        for pad in board.FindFootprintByReference(ref).Pads():
            if pad.GetNumber() == number:
                pad.SetLocalZoneConnection(pcbnew.ZONE_CONNECTION_FULL)
    for n, (net, layer, points) in enumerate(job["zones"]):
        add_zone(board, job, n, net, layer, points, net == routes["ground"])
    filler = pcbnew.ZONE_FILLER(board)
    filler.Fill(board.Zones())
    loose = stitches(board, routes)
    for net, x, y in loose:
        add_via(board, net, x, y)
    for zone in board.Zones():
        zone.SetIslandRemovalMode(pcbnew.ISLAND_REMOVAL_MODE_ALWAYS)
    filler.Fill(board.Zones())
    drop_useless_vias(board, loose, routes["ground"])
    filler.Fill(board.Zones())
    drop_stubs(board, routes["ground"])


def main():
    global ORIGIN
    mode, path = sys.argv[1:3]
    job = json.load(open(path))
    ORIGIN = job["origin"]
    if mode == "place":
        board = pcbnew.CreateEmptyBoard()
        settings = board.GetDesignSettings()
        settings.m_CopperEdgeClearance = mm(0.3)
        title = board.GetTitleBlock()
        title.SetTitle(job["title"])
        title.SetRevision(job["revision"])
        title.SetDate(job["date"])
        title.SetComment(0, "Licence CERN-OHL-P-2.0. Nothing of this has been built yet.")
        board.SetTitleBlock(title)
        outline(board, job)
        footprints(board, job)
        for words in job["silk"]:
            text(board, *words)
        drawing(board, job)
        references(board, job)
        json.dump(pads(board), open("pads.json", "w"))
        board.Save("placed.kicad_pcb")
    else:
        board = pcbnew.LoadBoard("placed.kicad_pcb")
        finish(board, job, json.load(open("routes.json")))
        board.Save("board.kicad_pcb")


main()
