"""The boards: real ERC and DRC, sources against the description, no closed loop in the antenna."""

import csv
import itertools
import json
import math
import random
import re
import shutil
import time
import uuid

import pytest
from shapely.geometry import Point

from hardware import DATE, KICAD, circuit
from hardware.calc import report
from hardware.circuit import house
from hardware.enclosure import case
from hardware.generate import assembly, bodies, check, fab, kicad, panel, schematic
from hardware.generate.sexp import bare, every, first, load
from hardware.generate.stable import stable
from hardware.layout import fabrication
from hardware.layout.panel import PANELS

BOARDS = circuit.BOARDS


# --- sources match the description ---------------------------------------------------------
@pytest.mark.parametrize(
    "name",
    [name if name == "action" else pytest.param(name, marks=pytest.mark.slow) for name in BOARDS],
)
def test_schematics_are_what_the_description_draws(name, tmp_path, kicad_here):
    schematic.write(circuit.boards()[name], tmp_path / name)
    for made in sorted((tmp_path / name).iterdir()):
        kept = KICAD / name / made.name
        if made.suffix == ".kicad_sch":
            assert kept.read_text() == made.read_text(), (
                f"{made.name}: run make -C hardware schematics"
            )


def board_nets(name):
    """{frozenset of pads} by net of the board file, single pads left out."""
    nets = {}
    for fp in every(load(KICAD / name / f"{name}.kicad_pcb"), "footprint"):
        ref = next(bare(p[2]) for p in every(fp, "property") if bare(p[1]) == "Reference")
        for pad in every(fp, "pad"):
            net = first(pad, "net")
            if net is not None and bare(pad[1]):
                nets.setdefault(bare(net[-1]), set()).add((ref, bare(pad[1])))
    return {n: p for n, p in nets.items() if not n.startswith("unconnected-")}


@pytest.mark.parametrize("name", BOARDS)
def test_boards_connect_what_the_description_connects(name):
    seen = {frozenset(pads) for pads in board_nets(name).values()}
    meant = {frozenset(pads) for pads in circuit.boards()[name].nets().values()}
    assert seen == meant


@pytest.mark.parametrize("name", BOARDS)
def test_boards_carry_the_values_of_the_description(name):
    values = {}
    for fp in every(load(KICAD / name / f"{name}.kicad_pcb"), "footprint"):
        props = {bare(p[1]): bare(p[2]) for p in every(fp, "property")}
        values[props["Reference"]] = props["Value"]
    assert values == {p.ref: p.value for p in circuit.boards()[name].parts}


@pytest.mark.parametrize("name", BOARDS)
def test_a_board_file_has_its_own_order_and_identifiers(name):
    """KiCad's random ones in their place, and its order by them, give the same file back."""
    kept = (KICAD / name / f"{name}.kicad_pcb").read_text(encoding="utf-8")
    chance = random.Random(name)
    drawn = re.sub(
        r'uuid "[^"]+"', lambda _: f'uuid "{uuid.UUID(int=chance.getrandbits(128))}"', kept
    )
    head, *items = re.split(r"^(?=\t\(segment$)", drawn, flags=re.M)
    last, tail = (
        items[-1][: items[-1].index("\t)\n") + 3],
        items[-1][items[-1].index("\t)\n") + 3 :],
    )
    shuffled = [*items[:-1], last]
    chance.shuffle(shuffled)
    mixed = head + "".join(shuffled) + tail
    assert mixed != kept and stable(mixed, name) == kept


def test_a_board_file_of_another_kind_is_not_touched():
    with pytest.raises(ValueError, match="not laid out"):
        stable("(kicad_pcb\n  (version 20241229))\n", "bowl")


# --- the checks of KiCad -------------------------------------------------------------------
@pytest.mark.slow  # `make hardware` runs the same checks
@pytest.mark.parametrize("name", BOARDS)
def test_erc_drc_and_parity_find_nothing(name, kicad_here):
    verdict = check.check_folder(KICAD / name)
    assert verdict.lines() == []
    assert verdict.clean()


@pytest.mark.parametrize("name", BOARDS)
def test_no_rule_was_bent(name):
    project = json.loads((KICAD / name / f"{name}.kicad_pro").read_text())
    assert project["board"]["design_settings"]["rule_severities"] == {}
    assert project["board"]["design_settings"]["drc_exclusions"] == []
    assert project["erc"] == {"erc_exclusions": [], "rule_severities": {}}
    assert not list((KICAD / name).glob("*.kicad_dru"))
    rules = project["board"]["design_settings"]["rules"]
    assert rules["min_clearance"] >= 0.15 and rules["min_track_width"] >= 0.15
    assert rules["min_through_hole_diameter"] >= 0.3


@pytest.fixture
def spoilt(tmp_path):
    """A copy of the action tile to break."""
    shutil.copytree(KICAD / "action", tmp_path / "action")
    return tmp_path / "action"


def test_a_removed_track_is_found(spoilt, kicad_here):
    path = spoilt / "action.kicad_pcb"
    text = path.read_text()
    number = re.search(r'\(net (\d+) "LOOP1"\)', text) or re.search(
        r'\(net (\d+) "[^"]*AE1[^"]*"\)', text
    )
    assert number
    cut = re.sub(
        r"\t\(segment\n(?:\t\t[^\n]*\n)*?\t\t\(net " + number[1] + r"\)\n(?:\t\t[^\n]*\n)*?\t\)\n",
        "",
        text,
    )
    assert cut != text
    path.write_text(cut)
    verdict = check.check_folder(spoilt)
    assert verdict.unconnected and not verdict.clean()


def test_a_renamed_label_is_found(spoilt, kicad_here):
    path = spoilt / "action-reader.kicad_sch"
    text = path.read_text()
    assert '"SCK_R"' in text
    path.write_text(text.replace('(hierarchical_label "SCK_R"', '(hierarchical_label "SCK_WRONG"'))
    verdict = check.check_folder(spoilt)
    assert verdict.erc and verdict.parity and not verdict.clean()


# --- no closed copper loop inside the antenna ----------------------------------------------
def copper(name):
    """(tracks, vias, pads) of a tile: tracks are (net, layer, x1, y1, x2, y2, width)."""
    tree = load(KICAD / name / f"{name}.kicad_pcb")
    tracks, vias, pads = [], [], []
    for s in every(tree, "segment"):
        (x1, y1), (x2, y2) = [tuple(float(v) for v in first(s, k)[1:3]) for k in ("start", "end")]
        tracks.append(
            (
                first(s, "net")[1],
                bare(first(s, "layer")[1]),
                x1,
                y1,
                x2,
                y2,
                float(first(s, "width")[1]),
            )
        )
    for v in every(tree, "via"):
        x, y = (float(q) for q in first(v, "at")[1:3])
        vias.append((first(v, "net")[1], x, y))
    for fp in every(tree, "footprint"):
        at = [float(q) for q in first(fp, "at")[1:]]
        turn = math.radians(at[2] if len(at) > 2 else 0)
        for pad in every(fp, "pad"):
            net, place = first(pad, "net"), [float(q) for q in first(pad, "at")[1:3]]
            if net is None:
                continue
            x = at[0] + place[0] * math.cos(turn) + place[1] * math.sin(turn)
            y = at[1] - place[0] * math.sin(turn) + place[1] * math.cos(turn)
            size = [float(q) for q in first(pad, "size")[1:3]]
            pads.append((net[1], "both" if pad[2] == "thru_hole" else "one", x, y, max(size) / 2))
    return tracks, vias, pads


def loops(name):
    """Enclosed areas in mm2 of every cycle that one net's copper makes: {net: [area, ...]}.

    The copper of a net, both layers laid on one another and joined, must have no hole: a hole is a
    closed turn around the axis of the field. (Layers that only cross without a via count as joined
    too, so the test is stricter than the truth.)
    """
    import shapely
    from shapely.geometry import LineString, Point
    from shapely.ops import unary_union

    tracks, vias, pads = copper(name)
    found = {}
    for net in {t[0] for t in tracks}:
        for layer_set in (("F.Cu",), ("B.Cu",), ("F.Cu", "B.Cu")):
            shapes = [
                LineString([(t[2], t[3]), (t[4], t[5])]).buffer(t[6] / 2)
                for t in tracks
                if t[0] == net and t[1] in layer_set
            ]
            shapes += [Point(v[1], v[2]).buffer(0.3) for v in vias if v[0] == net]
            shapes += [Point(p[2], p[3]).buffer(p[4]) for p in pads if p[0] == net]
            whole = unary_union(shapes)
            for piece in getattr(whole, "geoms", [whole]):
                found.setdefault(net, []).extend(shapely.Polygon(r).area for r in piece.interiors)
    return found


LIMIT_MM2 = 10.0  # the smaller loop has 2463


@pytest.mark.parametrize("name", ["bowl", "action"])
def test_no_net_closes_a_turn_inside_the_loop(name):
    """The holes of a net are added up: copper that crosses a turn must not halve it.

    Turns that go through parts are in test_turns.py.
    """
    for net, holes in loops(name).items():
        assert sum(holes) < LIMIT_MM2, f"net {net} of the {name} tile closes {sum(holes):.0f} mm2"


def test_the_walk_finds_a_closed_ring(monkeypatch):
    tracks, vias, pads = copper("bowl")
    ring = [
        (
            "99",
            "F.Cu",
            148.5 + 30 * math.cos(a),
            105 + 30 * math.sin(a),
            148.5 + 30 * math.cos(a + 0.1),
            105 + 30 * math.sin(a + 0.1),
            0.3,
        )
        for a in [k * 0.1 for k in range(64)]
    ]
    monkeypatch.setitem(globals(), "copper", lambda name: (tracks + ring, vias, pads))
    assert max(loops("bowl")["99"]) > 2000


@pytest.mark.parametrize("name", ["bowl", "action"])
def test_pours_inside_the_loop_are_small_and_solid(name):
    for zone in every(load(KICAD / name / f"{name}.kicad_pcb"), "zone"):
        for fill in every(zone, "filled_polygon"):
            xs, ys = zip(
                *[(float(p[1]), float(p[2])) for p in every(first(fill, "pts"), "xy")], strict=True
            )
            area = (max(xs) - min(xs)) * (max(ys) - min(ys))
            assert area < 60, "a pour inside the loop must stay a patch under the reader"


@pytest.fixture(scope="module")
def exported(kicad_here, tmp_path_factory):
    """All files of the action tile but pictures of the docs."""
    out = tmp_path_factory.mktemp("fab")
    fab.export(circuit.boards()["action"], out, pictures=False)
    return out


@pytest.mark.slow
def test_fab_files_read_back(exported):
    assert fab.compare("action", exported) == []
    rows = (exported / "action-bom.csv").read_text().splitlines()
    assert any("MFRC52202HN1" in r for r in rows) and all("," in r for r in rows)
    assert (exported / "action-gerbers.zip").stat().st_size > 10_000
    assert (exported / "action.step").read_text()[:12] == "ISO-10303-21"
    assert (exported / "action-schematic.pdf").read_bytes()[:5] == b"%PDF-"
    for view in ("top", "bottom", "angle"):
        assert (exported / f"action-{view}.png").stat().st_size > 20_000


def rows_of(path):
    with path.open(encoding="utf-8") as file:
        reader = csv.DictReader(file)
        return reader.fieldnames, list(reader)


@pytest.mark.slow
def test_lists_for_an_assembly_house(exported):
    """Their headings, the same parts in both, nothing with legs or left out, KiCad's places."""
    heads, parts = rows_of(exported / "action-assembly-bom.csv")
    assert heads[:3] == ["Comment", "Designator", "Footprint"]
    heads, places = rows_of(exported / "action-assembly-cpl.csv")
    assert heads == ["Designator", "Mid X", "Mid Y", "Layer", "Rotation"]
    listed = [ref for row in parts for ref in row["Designator"].split(",")]
    assert sorted(listed) == sorted(row["Designator"] for row in places)
    board = circuit.boards()["action"]
    bought = {p.ref for p in board.parts if circuit.KINDS[p.kind].in_bom and not p.dnp}
    assert set(listed) == bought - {"J1"} and len(listed) > 50
    assert all(row["Manufacturer Part Number"] for row in parts)
    kicads = {row["Ref"]: row for row in rows_of(exported / "action-positions.csv")[1]}
    for row in places:
        theirs = kicads[row["Designator"]]
        for axis in "XY":
            assert row[f"Mid {axis}"].endswith("mm")
            assert float(row[f"Mid {axis}"][:-2]) == pytest.approx(
                float(theirs[f"Pos{axis}"]), abs=1e-3
            )
        assert row["Layer"] == "Top"
        assert (float(row["Rotation"]) - float(theirs["Rot"])) % 360 == pytest.approx(0)


@pytest.mark.slow
def test_a_part_without_a_place_is_named(exported):
    with pytest.raises(ValueError, match="no place for X1"):
        assembly.places(exported / "action-positions.csv", ["U1", "X1"])


@pytest.mark.slow
def test_a_missing_hole_in_the_gerbers_is_found(exported, monkeypatch):
    real = fab.read_back(exported)
    monkeypatch.setattr(fab, "read_back", lambda *_: {**real, "plated": real["plated"] - 1})
    assert fab.compare("action", exported)


TURNED = {  # kind of part: degrees that the house's drawing of its own number asks for
    "LED": 0, "BUF": 270, "AHCT": 180, "ESD": 180, "NMOS": 180, "MUX": 270,
}  # fmt: skip


def test_the_house_turns_by_its_own_drawing_of_a_part():
    """Two buffers in one case are drawn a quarter turn apart, so the case alone cannot tell."""
    for kind, degrees in TURNED.items():
        turn = house.turn(kind, "", assembly.footprint(kind))
        assert (turn.degrees, turn.doubt) == (degrees, ""), kind
    assert assembly.footprint("BUF") == assembly.footprint("AHCT")
    for kind in ("MFRC522", "BAT54S", "LDO", "PPAIR", "SKY", "TVS", "PWRLED"):
        assert house.turn(kind, "", assembly.footprint(kind)).doubt, kind


def test_every_part_with_a_polarity_is_drawn_by_the_house_or_doubted(kicad_here):
    """And KiCad draws them with pin 1 top left (y downwards): the corners count from there."""
    seen = set()
    for board in circuit.boards().values():
        for ref in assembly.placed(board, KICAD / board.name / f"{board.name}.kicad_pcb"):
            part = board.part(ref)
            name = assembly.footprint(part.kind)
            known = house.stocked(part.kind, part.value)
            drawn = bool(known and known.corner)
            if name.startswith(("R_", "C_", "L_", "Fuse_", "Crystal_", "JST_SH")):
                assert not drawn
                continue
            seen.add(part.kind)
            assert drawn or house.turn(part.kind, part.value, name).doubt, (ref, name)
            if drawn:
                lib = (
                    kicad.share()
                    / "footprints"
                    / f"{circuit.KINDS[part.kind].footprint.split(':')[0]}.pretty"
                )
                at = first(_pad_one(load(lib / f"{name}.kicad_mod")), "at")
                assert float(at[1]) < 0 and float(at[2]) < 0, name
    assert {"MFRC522", "LED", "NMOS", "BUF", "LDO"} <= seen


def _pad_one(footprint):
    return next(pad for pad in every(footprint, "pad") if bare(pad[1]) == "1")


@pytest.mark.slow
def test_the_house_gets_its_own_turns_and_only_confirmed_numbers(exported):
    board = circuit.board("action")
    parts = {p.ref: p for p in board.parts}
    _, neutral = rows_of(exported / "action-assembly-cpl.csv")
    _, turned = rows_of(exported / "action-jlcpcb-cpl.csv")
    seen = set()
    for ours, theirs in zip(neutral, turned, strict=True):
        part = parts[ours["Designator"]]
        more = (float(theirs["Rotation"]) - float(ours["Rotation"])) % 360
        usual = 180 if assembly.footprint(part.kind).startswith("SOT-23") else 0
        assert more == TURNED.get(part.kind, usual), part.ref
        seen.add(part.kind)
        assert all(ours[k] == theirs[k] for k in ("Designator", "Mid X", "Mid Y", "Layer"))
    assert {"LED", "BUF", "ESD", "NMOS"} <= seen
    _, listed = rows_of(exported / "action-jlcpcb-bom.csv")
    by_number = {row["JLCPCB Part #"]: row for row in listed}
    assert by_number["C1525"]["Manufacturer Part Number"] == "CL05B104KO5NNNC"
    unknown = [row for row in listed if row["JLCPCB Part #"] == assembly.UNKNOWN]
    assert any("MFRC522" in row["Comment"] for row in unknown)
    _, doubts = rows_of(exported / "action-jlcpcb-turns.csv")
    assert {"U1", "D3"} <= {row["Designator"] for row in doubts}


@pytest.mark.slow
def test_papers_for_the_fab(exported):
    for name in ("fabrication", "drill-map-pth", "drill-map-npth"):
        assert (exported / f"action-{name}.pdf").read_bytes()[:5] == b"%PDF-"
    assert (exported / "action.d356").read_text().startswith("P  CODE")
    words = (exported / "action-order.txt").read_text()
    assert "ENIG" in words and "stencil" in words and "PANEL" in words


@pytest.mark.slow
def test_files_carry_no_hour(exported):
    """So a tagged version gives the same bytes again: KiCad writes the present second."""
    year = time.strftime("%Y")
    for path in (exported / "gerbers").iterdir():
        for stamp in re.findall(rf"{year}-\d\d-\d\dT?\s?[\d:]+", path.read_text()):
            assert stamp.startswith(f"{DATE}T00:00:00"), f"{path.name}: {stamp}"


# --- panels --------------------------------------------------------------------------------
@pytest.mark.slow
@pytest.mark.parametrize("name", PANELS)
def test_a_panel_passes_drc(name, kicad_here, tmp_path):
    panel.write(PANELS[name], tmp_path / name)
    verdict = check.check_panel(tmp_path / name)
    assert verdict.lines() == [] and verdict.clean()


@pytest.mark.parametrize("name", PANELS)
def test_a_panel_holds_its_tiles_by_tabs_alone(name):
    sheet = PANELS[name]
    outline = sheet.outline()
    tiles = [Point(spot).buffer(sheet.radius) for spot in sheet.centres()]
    for tile in tiles:
        assert outline.buffer(0.05).contains(tile)
        rim = outline.difference(tile.buffer(0.5)).intersection(tile.buffer(1.5))
        joined = sum(piece.area for piece in getattr(rim, "geoms", [rim]))
        assert joined < 0.2 * math.pi * ((sheet.radius + 1.5) ** 2 - (sheet.radius + 0.5) ** 2)
    for a, b in itertools.combinations(sheet.bites(), 2):
        assert math.dist(a, b) > 0.5 + 0.25  # rule of the fab for two holes
    assert max(sheet.size) < 250 and min(sheet.size) > 70  # what houses take without asking


def test_a_panel_whose_copies_touch_is_found(kicad_here, tmp_path, monkeypatch):
    monkeypatch.setattr(panel, "offset", lambda sheet, copy: (copy * 40.0, 0.0))
    panel.write(PANELS["bowl-panel"], tmp_path / "bowl-panel")
    assert not check.check_panel(tmp_path / "bowl-panel").clean()


@pytest.mark.parametrize("name", PANELS)
def test_a_panel_has_a_drawing_of_its_own(name, tmp_path):
    """Its own notes beside it, none of the tiles' on top of one another."""
    sheet = PANELS[name]
    tree = load(panel.write(sheet, tmp_path))
    notes = [n for n in every(tree, "gr_text") if bare(first(n, "layer")[1]) == "Dwgs.User"]
    words = [bare(n[1]) for n in notes]
    assert words[0].startswith(f"SPICEBOARD {name}") and len(words) == len(set(words))
    assert any("ENIG" in line for line in words) and any("tooling holes" in w for w in words)
    assert all(float(first(n, "at")[1]) > panel.PAGE_AT[0] + sheet.size[0] for n in notes)
    assert "panel" in bare(first(first(tree, "title_block"), "title")[1])
    order = fabrication.panel_order_text(sheet)
    assert [line for line in order.splitlines() if line] == words


def test_a_panel_is_drawn_with_the_bodies_of_its_tiles(tmp_path):
    tile = tmp_path / "tile.kicad_pcb"
    shutil.copy(KICAD / "action" / "action.kicad_pcb", tile)
    bodies.put(tile)
    tree = load(panel.write(PANELS["action-panel"], tmp_path, tile))
    shown = [bare(m[1]) for fp in every(tree, "footprint") for m in every(fp, "model")]
    assert sum("SOT-523" in model for model in shown) == 4  # of ours, one for each tile
    parts = circuit.board("action").parts
    fitted = sum(circuit.KINDS[p.kind].in_bom and not p.dnp for p in parts)
    assert len(shown) == 4 * fitted


@pytest.mark.parametrize(
    ("main", "words", "why"),
    [
        (fab.main, ["--pitcures"], "--pitcures"),
        (fab.main, ["--pictures", "--without-pictures"], "not allowed with"),
        (fab.main, ["bowls"], "no board 'bowls'"),
        (check.main, ["--all"], "--all"),
        (report.main, ["write"], "write"),
        (case.main, ["--picture"], "--picture"),
    ],
)
def test_a_wrong_word_is_refused_before_anything_is_written(main, words, why, capsys):
    with pytest.raises(SystemExit) as stopped:
        main(words)
    assert stopped.value.code == 2 and why in capsys.readouterr().err


@pytest.mark.parametrize("name", BOARDS)
def test_pictures_show_what_is_fitted_and_nothing_else(name, tmp_path):
    """A part that is fitted has a body, of KiCad's library or of ours; an empty place has none."""
    copy = tmp_path / f"{name}.kicad_pcb"
    shutil.copy(KICAD / name / copy.name, copy)
    bodies.put(copy)
    fitted = {p.ref: circuit.KINDS[p.kind].in_bom and not p.dnp for p in circuit.board(name).parts}
    assert sum(not ok for ok in fitted.values()) > 0
    for fp in every(load(copy), "footprint"):
        ref = next(bare(p[2]) for p in every(fp, "property") if bare(p[1]) == "Reference")
        models = [bare(model[1]) for model in every(fp, "model")]
        if fitted[ref]:
            assert len(models) == 1, ref
        elif circuit.board(name).part(ref).dnp:
            assert models == [], ref
        for (
            model
        ) in models:  # the library has no folder for these kinds: ours are beside the board
            own = model.startswith("${KIPRJMOD}/")
            assert own == (bare(fp[1]).split(":")[1] in bodies.BODIES), ref
            assert not own or (tmp_path / model.removeprefix("${KIPRJMOD}/")).exists()


def test_a_body_is_as_large_as_its_boxes_say():
    text = bodies.vrml(bodies.BODIES["Fuse_1812_4532Metric"])
    points = [v.split() for v in re.findall(r"point \[ ([^]]*) \]", text)[0].split(",")]
    assert max(float(x) for x, *_ in points) * 2.54 == pytest.approx(-1.6, abs=1e-3)
    assert min(float(x) for x, *_ in points) * 2.54 == pytest.approx(-2.25, abs=1e-3)
    assert text.count("Shape") == 3
