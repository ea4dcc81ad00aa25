"""The case: closed solids, and everything that must fit does."""

import itertools
import math
import re

import pytest
from shapely.geometry import LineString, Point, Polygon
from shapely.ops import unary_union

from hardware import ROOT
from hardware.calc import antenna_tables
from hardware.enclosure import case, guide, laser, quarters, ribbons
from hardware.generate import kicad
from hardware.layout import layout_of


@pytest.fixture(scope="module")
def written():
    return case.write()


def test_parts_are_closed_and_fit(written):
    assert written == []
    assert {p.stem for p in case.OUT.glob("*.stl")} >= set(case.COUNTS) == set(case.parts())


def test_a_tile_that_is_too_large_is_noticed(monkeypatch):
    monkeypatch.setitem(case.TABLE["tile"], "action_outline_diameter", 75)
    assert any("overlap" in line for line in case.faults())


def test_a_floor_that_is_too_low_is_noticed(monkeypatch):
    monkeypatch.setitem(case.TABLE, "floor_above_loop", 1)
    assert any("cuts" in line or "touch" in line for line in case.faults())


def test_the_pieces_of_the_plate_fill_it_and_fit_a_printer():
    pieces = case.plate_pieces()
    whole = case.plate().volume()
    assert sum(p.volume() for p in pieces.values()) == pytest.approx(whole, rel=0.01)
    for name, piece in pieces.items():
        x0, y0, z0, x1, y1, z1 = piece.bounding_box()
        assert max(x1 - x0, y1 - y0, z1 - z0) < case.BED, name
        assert len(piece.decompose()) == 1, f"{name} falls apart"


def test_no_joint_crosses_a_zone_or_a_boss():
    lines = [LineString(joint) for joint in quarters.JOINTS]
    high = case.FIELD["height"]
    for kind in ("bowl", "action"):
        for zone, (x, y) in case.centres(kind).items():
            gap = min(line.distance(Point(x, high - y)) for line in lines) - case.LIGHT[kind]
            assert gap > 3.0, zone
    for x, y in case.clamp_places():
        assert min(line.distance(Point(x, high - y)) for line in lines) > 3.5 + 2.0


def test_a_joint_through_a_zone_would_be_found():
    straight = LineString([(178, -10), (178, 366)])
    assert straight.distance(Point(178, 60)) < case.LIGHT["bowl"]


def test_every_splice_bridges_a_joint():
    lines = [LineString(joint) for joint in quarters.JOINTS]
    for x, y, _ in case.splice_places():
        assert min(line.distance(Point(x, case.FIELD["height"] - y)) for line in lines) < 1.0


def entities(text):
    """(polylines, circles) of a DXF file, read back."""
    words = text.split("\n")
    pairs = [(int(code), value) for code, value in zip(words[::2], words[1::2], strict=False)]
    lines, circles, kind = [], [], ""
    for code, value in pairs:
        if code == 0:
            kind = value
            if kind == "POLYLINE":
                lines.append([])
            if kind == "CIRCLE":
                circles.append([])
        elif code in (10, 20, 40) and kind in ("VERTEX", "CIRCLE"):
            (lines if kind == "VERTEX" else circles)[-1].append(float(value))
    return [list(zip(flat[::2], flat[1::2], strict=True)) for flat in lines], circles


def test_sheets_for_the_laser_are_the_case(tmp_path):
    """Closed, one piece each, the size of the field with its rim; holes where the zones are."""
    paths = {path.stem: path for path in laser.write(tmp_path)}
    (outline,), holes = entities(paths["laser-plate"].read_text())
    sheet = Polygon(outline)
    assert sheet.is_valid and sheet.bounds == (-6.0, -6.0, 362.0, 362.0)
    meant = {
        (x, y, case.LIGHT[k]) for k in ("bowl", "action") for x, y in case.centres(k).values()
    }
    assert {tuple(hole) for hole in holes} == meant
    cut = sheet.difference(unary_union([Point(x, y).buffer(r) for x, y, r in holes]))
    assert cut.geom_type == "Polygon" and len(cut.interiors) == 13
    rim, _ = entities(paths["laser-rim"].read_text())
    assert laser.sheets()["rim"].pieces * laser.PLY == case.FIELD["rim_height"]
    assert Polygon(rim[0]).contains(Polygon(rim[1]))
    (back,), _ = entities(paths["laser-skirt-back"].read_text())
    (side,), _ = entities(paths["laser-skirt-side"].read_text())
    assert Polygon(back).is_valid and Polygon(back).area < 368 * 25  # less the ribbons' way
    assert Polygon(side).bounds[2] == 368 - 2 * laser.PLY


def test_posts_hold_clamps_at_the_height_of_the_plates_bosses():
    for kind in ("bowl", "action"):
        low = case.post(kind).bounding_box()[2]
        (x, y) = next(
            p for p in case.clamp_places() if (p in case._action_places()) == (kind == "action")
        )
        boss = case.plate() ^ case.block(x - 3, y - 3, -40, x + 3, y + 3, -case.PLATE - 0.1)
        assert boss.bounding_box()[2] == pytest.approx(low, abs=0.01)
        foot = {"bowl": 6.5, "action": 5.5}[kind]
        for zone_kind in ("bowl", "action"):  # and its foot stands beside the inserts
            reach = case.tile_diameter(zone_kind) / 2 + case.GAP + case.WALL
            for zx, zy in case.centres(zone_kind).values():
                assert math.dist((x, y), (zx, zy)) > reach + foot


def widest_gap(at, clamps):
    """Degrees: the widest angle between two clamps as seen from the middle of an insert."""
    turns = sorted(math.atan2(y - at[1], x - at[0]) for x, y in clamps)
    gaps = [b - a for a, b in itertools.pairwise([*turns, turns[0] + math.tau])]
    return math.degrees(max(gaps))


def test_every_insert_hangs_between_its_clamps():
    """Three clamps round it, or two opposite ones: else its free side sinks with the loop."""
    assert len(case.clamp_places()) == case.COUNTS["clamp"]
    assert case.COUNTS["clamp"] == case.COUNTS["post-bowl"] + case.COUNTS["post-action"]
    for kind in ("bowl", "action"):
        touch = case.tile_diameter(kind) / 2 + case.GAP + case.WALL + 12.0 - 2.0  # half a clamp
        for zone, at in case.centres(kind).items():
            clamps = [p for p in case.clamp_places() if math.dist(p, at) < touch]
            assert len(clamps) >= 2 and widest_gap(at, clamps) <= 180.1, zone


def test_two_clamps_at_right_angles_would_not_do():
    assert widest_gap((60, 60), [(119, 60), (60, 119)]) == pytest.approx(270)
    assert widest_gap((60, 60), [(119, 60), (1, 60)]) == pytest.approx(180)


def test_the_guide_counts_posts_clamps_and_screws_as_the_case_does():
    guide = (case.ROOT / "docs" / "build.md").read_text()
    counts = case.COUNTS
    assert f"| `clamp` | {counts['clamp']} |" in guide
    assert (
        f"| `post-bowl`, `post-action` | {counts['post-bowl']}, {counts['post-action']}," in guide
    )
    screws = counts["clamp"] + 2 * counts["splice"]
    assert f"M3x8 for clamps and splices | 4; {screws} |" in guide
    assert len(laser.plate().marks) == counts["clamp"]


def test_loop_lies_as_deep_as_the_simulator_thinks():
    for kind in ("bowl", "action"):
        floor = -case.TABLE[kind]["depth"]
        assert floor - case.tile_top(kind) == case.TABLE["floor_above_loop"]


@pytest.mark.parametrize("kind, screw", [("bowl", 6.0), ("action", 5.0), ("controller", 8.0)])
def test_a_screw_that_is_too_long_is_noticed(monkeypatch, kind, screw):
    monkeypatch.setitem(case.SCREWS, kind, (case.SCREWS[kind][0], screw))
    assert any("too long" in line for line in case.faults())


def test_the_guide_names_these_screws():
    guide = (case.ROOT / "docs" / "build.md").read_text()
    for thread, length in case.SCREWS.values():
        assert f"{thread}x{length:g} " in guide


def test_pixels_under_the_plate_are_noticed(monkeypatch):
    monkeypatch.setitem(case.LIGHT, "action", 22.0)
    assert any("shine against the plate" in line for line in case.faults())


def test_a_part_that_is_too_high_is_noticed(monkeypatch):
    assert case.faults() == []
    monkeypatch.setitem(case.HEIGHTS, "SOT-23-5", (2.7, ""))
    assert any("SOT-23-5 of the bowl tile: 2.7 mm touch" in line for line in case.faults())
    monkeypatch.setattr(case, "TAILS", 2.7)
    assert any("tails" in line for line in case.faults())


def test_the_guide_says_how_high_a_pixel_may_be():
    guide = " ".join((ROOT / "docs" / "build.md").read_text(encoding="utf-8").split())
    rooms = {kind: case.room_above(kind) for kind in ("bowl", "action")}
    assert f"{rooms['action'] - case.SOLDER:.2f} mm at most fits" in guide
    assert f"({rooms['action']:.1f} mm of room, {case.SOLDER} for solder" in guide
    assert f"a bowl has {rooms['bowl']:.1f} mm" in guide


def test_heights_are_those_of_bodies(kicad_here):
    """KiCad's bodies are nominal: none is higher than our most, and ours are not far off."""
    folder, seen = kicad.share() / "3dmodels", 0
    for name, (most, source) in case.HEIGHTS.items():
        assert source
        for path in folder.glob(f"*/{name}.step"):
            text = path.read_text(encoding="utf-8", errors="replace")
            points = re.findall(r"CARTESIAN_POINT\s*\(\s*'[^']*',\s*\(([^)]*)\)", text)
            high = max(float(point.split(",")[2]) for point in points)
            assert 0.6 * most < high < most + 0.05, (name, high)
            seen += 1
    assert seen >= 10 or not folder.exists()  # bodies are fetched apart (install_models.sh)


def test_the_tag_lies_in_the_middle_of_its_chip():
    """Chips lie either way up, so a tag off the middle comes nearer to its neighbour's."""
    half = case.TABLE["chip"]["thickness"] / 2
    tag, card = 0.2, 1.0 + 0.05  # mm: a wet inlay; a card of 1 mm with a ring of foil
    assert tag < case.POCKETS["tag"] and card < case.POCKETS["ring"]
    assert sum(case.POCKETS.values()) - tag - card < 0.2  # nothing rattles
    assert case.POCKETS["tag"] - tag / 2 <= antenna_tables.OFF_MADE  # what the table counts with
    for pocket in case.POCKETS.values():
        assert half - pocket - case.DIMPLE > 0.49  # three layers are left under the dimple


def test_no_cable_is_longer_than_the_sums_count():
    from hardware.calc import bus

    assert max(ribbons.lengths().values()) <= bus.CABLE_M * 100


def test_the_plan_of_the_ribbons_is_of_this_case_and_no_ribbon_is_short():
    assert ribbons.PAGE.read_text(encoding="utf-8") == ribbons.draw()
    assert f'stroke-width="{ribbons.WIDE}"' in ribbons.draw()  # at their true width
    ends, spots = ribbons.connectors(), ribbons.spots()
    for zone, cm in ribbons.lengths().items():  # straight from plug to plug is the least of all
        (x, y), (u, v) = spots[zone], ends[zone]
        assert 10 * cm > math.hypot(x - u, y + 11 - v) + 40, zone


def test_folded_ribbons_leave_plugs_and_buttons_free():
    assert pytest.approx(16 * 1.27, abs=0.1) == ribbons.WIDE
    assert ribbons.faults() == []
    size = layout_of("controller").size
    x0, _, z0, x1, _, z1 = case.controller_tray().bounding_box()
    for x in (x0, x1 - 2.5):  # both sides are low all along: every ribbon comes over them
        above = case.block(x, 5, case.TRAY_SIDE, x + 2.5, size[1] - 5, z1)
        assert z0 == 0 and (case.controller_tray() ^ above).volume() < 0.01


def test_a_ribbon_that_is_led_wrongly_is_noticed(monkeypatch):
    monkeypatch.setattr(ribbons, "FOLD", 60.0)
    assert any("lies over" in line or "back wall" in line for line in ribbons.faults())
    monkeypatch.undo()
    monkeypatch.setattr(ribbons, "THICK", 3.0)
    assert any("higher than the slot" in line for line in ribbons.faults())
    monkeypatch.undo()
    monkeypatch.setattr(ribbons, "STACKS", 15.0)
    assert any("slot" in line for line in ribbons.faults())


def test_parts_have_a_flat_side_to_lie_on():
    """At least the floor of a ring of 2 mm: else it does not print without supports."""
    for name, solid in case.parts().items():
        x0, y0, z0, x1, y1, z1 = solid.bounding_box()
        low, high = solid.slice(z0 + 0.05).area(), solid.slice(z1 - 0.05).area()
        assert max(low, high) > 0.12 * (x1 - x0) * (y1 - y0) or name.startswith(("rim", "ring")), (
            name
        )


def test_the_pictures_show_clamps_that_hold_and_splices_that_touch_the_skirt():
    plate = case.plate()
    inserts = [
        case.insert(kind).translate((x, y, 0))
        for kind in ("bowl", "action")
        for x, y in case.centres(kind).values()
    ]
    clamps = [solid for solid, colour in guide.held() if colour == guide.GREY]
    splices = [solid for solid, colour in guide.held() if colour == guide.RED]
    assert (len(clamps), len(splices)) == (case.COUNTS["clamp"], case.COUNTS["splice"])
    for solid in clamps:
        assert all((solid ^ part).volume() < 0.01 for part in (*inserts, plate))
        raised = solid.translate((0, 0, 0.3))
        assert any((raised ^ part).volume() > 0.1 for part in inserts), "it holds nothing"
    for solid in splices:
        assert (solid ^ plate).volume() < 0.01
        x0, y0, _, x1, y1, _ = solid.bounding_box()
        wide, high = case.FIELD["width"], case.FIELD["height"]
        assert min(x0, y0, wide - x1, high - y1) == pytest.approx(0, abs=0.01)


def test_the_picture_marks_pin_1_where_the_board_has_it():
    from hardware import KICAD
    from hardware.generate.sexp import bare, every, first, load

    _, _, right, front = ribbons.controller()
    seen = 0
    for fp in every(load(KICAD / "controller" / "controller.kicad_pcb"), "footprint"):
        ref = next(bare(p[2]) for p in every(fp, "property") if bare(p[1]) == "Reference")
        if "IDC-Header" not in bare(fp[1]):
            continue
        zone, seen = guide.ZONES[int(ref[1:]) - 1], seen + 1
        x, y, turn = (float(v) for v in first(fp, "at")[1:4])  # pad 1 is the footprint's own zero
        page = (right - (x - 80.0), -(front - (y - 50.0)))
        cx, cy = ribbons.connectors()[zone]
        marked = (cx + guide.pin_1(zone)[0], -cy + guide.pin_1(zone)[1])
        assert math.dist(page, marked) < 0.1, (ref, turn)
    assert seen == 13


def test_conductor_1_stays_one_edge_of_the_ribbon_through_its_folds():
    for zone in guide.FOLDED:
        way = [(x, -y) for x, y in reversed(ribbons.routes()[zone])][:4]
        side = 1.0 if guide.pin_1(zone)[0] > 0 else -1.0
        marks = guide.stripes(way, side)
        for one, two in itertools.pairwise(marks):
            assert one.distance(two) < 0.01, "the mark jumps to the other edge"
        wrong = guide.stripes(way, side)[0].distance(guide.stripes(way, -side)[1])
        assert wrong > 1.0


def test_a_folded_ribbon_is_as_long_as_its_way():
    """Each fold mirrors: what it takes from one piece it gives to the other."""
    for zone in guide.FOLDED:
        way = ribbons.routes()[zone][-4:]
        long = sum(math.dist(a, b) for a, b in itertools.pairwise(way))
        pieces = guide.strip(way)
        assert sum(p.area for p in pieces) == pytest.approx(ribbons.WIDE * long, rel=1e-3)
        for one, two in itertools.pairwise(pieces):
            assert one.intersection(two).area == pytest.approx(ribbons.WIDE**2 / 2, rel=0.02)
