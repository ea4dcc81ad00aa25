"""docs/play.md says what rings.py draws and what Safranito shows."""

import re

from checkout import ROOT
from spicecore.games.safranito import rules as safranito
from spicecore.lights import rings
from spicecore.parts import COLOURS

PAGE = (ROOT / "docs/play.md").read_text()


def rows(title: str) -> list[list[str]]:
    """Cells of the table whose head row begins with the title."""
    lines = PAGE.splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith(f"| {title} |"))
    found = []
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            return found
        found.append([cell.strip() for cell in line.strip("|").split(" | ")])
    return found


def lit(shape: list[object], number: int = 0) -> list[tuple[int, int, int]]:
    out = bytearray(48)
    rings.Painter(100, "RGB").render(out, 0, 16, shape, number)
    return [tuple(out[3 * i : 3 * i + 3]) for i in range(16)]  # type: ignore[misc]


def test_every_shape_of_the_table_is_drawn_and_no_other() -> None:
    named = {re.match(r'`\["(\w+)"', cells[0])[1] for cells in rows("shape")}  # type: ignore[index]
    examples: dict[str, list[object]] = {
        "dark": ["dark"],
        "arcs": ["arcs", [[0, 1], [1, 1]]],
        "whole": ["whole", 0],
        "blink": ["blink", 0],
        "pulse": ["pulse", 0],
        "doubt": ["doubt"],
        "count": ["count", "white", 1, 2],
    }
    assert named == set(examples)
    for kind, shape in examples.items():
        assert any(any(light) for light in lit(shape)) == (kind != "dark")
    source = (ROOT / "firmware/lib/spicecore/lights/rings.py").read_text()
    assert set(re.findall(r'kind == "(\w+)"', source)) | {"dark"} == named


def test_times_of_the_table() -> None:
    said = {cells[0]: cells[1] for cells in rows("shape")}
    assert f"each {rings.BLINK_MS} ms" in said['`["blink", owner]`']
    assert f"each {rings.DOUBT_MS} ms" in said['`["doubt"]`']
    assert f"in {rings.PULSE_MS * 16 / 1000} s" in said['`["pulse", owner]`']


def test_colours_and_textures_of_the_table() -> None:
    table = {cells[0]: cells[1:] for cells in rows("owner")}
    bright = {0: "1111", 1: "1010", 2: "1100", 3: "1000"}
    for seat, colour in enumerate(COLOURS):
        code, texture = table[f"{seat}, {colour}"]
        assert code == f"`{rings.SEATS[seat]}`"
        full = tuple(int(rings.SEATS[seat][i : i + 2], 16) for i in (1, 3, 5))
        assert "".join("01"[light == full] for light in lit(["whole", seat])[:4]) == bright[seat]
        assert texture.split()[0] in ("even", "every", "two")
    for name in ("spice", "white", "amber"):
        assert table[name][0] == f"`{rings.NAMED[name]}`"
    assert set(table) == {f"{i}, {c}" for i, c in enumerate(COLOURS)} | set(rings.NAMED) - {"off"}


def test_every_phase_of_safranito_is_in_the_table_and_shows_what_it_says() -> None:
    """Random games; in each state the table's row for its phase is compared with `show`."""
    table = {cells[0].split(",")[0].strip("`"): cells for cells in rows("phase")}
    table["reserve"] = table["head_chef"] = table["spice_card"]
    seen = set()
    for seed in range(6):
        for position in walk(seed):
            phase = position["phase"]
            shown = safranito.show(position)
            asked = safranito.seats_asked(position)
            seen.add(phase[0])
            assert phase[0] in table
            for shape in shown.values():
                assert any(lit(shape)[0]) or shape[0] in ("dark", "count")
            if phase[0] in ("spice_card", "reserve", "head_chef"):
                assert shown[phase[0]] == ["blink", asked[0]]
            elif phase[0] == "keep":
                assert shown["spice_card"] == ["blink", asked[0]]
            elif phase[0] in ("choose", "sale", "round_over"):
                assert shown["head_chef"] == ["blink", position["chef"]]
            elif phase[0] == "buy":
                assert shown[phase[1]] == ["blink", asked[0]]
                assert shown["head_chef"] == ["pulse", position["chef"]]
            elif phase[0] == "cook":
                assert shown["saffron"][0] == "count" and shown["saffron"][1] == asked[0]
            elif phase[0] == "over" and phase[1] is not None:
                assert set(map(str, shown.values())) == {str(["whole", phase[1]])}
            for zone, shape in shown.items():
                if shape[0] == "arcs":
                    check_shares(position, zone, shape[1])
    assert seen >= {"throw", "choose", "sale", "buy", "cook", "round_over", "extra_throw", "over"}


def check_shares(position: dict, zone: str, arcs: list[list[int]]) -> None:
    """By number, or by total where all is revealed; the leader has the largest arc."""
    chips = [chip for chip, lies in position["lying"].items() if lies == zone]
    revealed = all(chip in position["revealed"] for chip in chips)
    sums: dict[int, int] = {}
    for chip in chips:
        seat = "brgo".index(chip[0])
        sums[seat] = sums.get(seat, 0) + (int(chip[1:]) if revealed else 1)
    assert dict(arcs) == sums
    parts = dict(
        zip((seat for seat, _ in arcs), rings.shares([w for _, w in arcs], 16), strict=True)
    )
    best = max(sums.values())
    leaders = [seat for seat in sums if sums[seat] == best]
    assert max(parts.values()) == max(parts[seat] for seat in leaders)
    if len(leaders) > 1:  # a tie: equal up to the one LED that cannot be halved
        assert max(parts[s] for s in leaders) - min(parts[s] for s in leaders) <= 1


def walk(seed: int) -> list[dict]:
    """States of a game that is played at random, but by players who buy and cook."""
    import random

    chance = random.Random(seed)
    position = safranito.new({"players": 2 + seed % 3, "mode": "full", "seed": seed})
    found = [position]
    for _ in range(2500):
        if safranito.over(position):
            break
        lifts = [[chip, None] for chip, zone in position["astray"].items() if zone]
        if lifts:
            event = ["moved", None, lifts]
        else:
            seat = chance.choice(safranito.seats_asked(position))
            events = safranito.legal(position, seat)
            keen = [event for event in events if event[0] in ("cook_open", "cook_reserved", "buy")]
            event = chance.choice(keen or events)
            if event[0] == "moved":
                event = [
                    "moved",
                    None,
                    [[event[2][0][0], chance.choice(list(safranito.show(position)))]],
                ]
        position, _ = safranito.step(position, event)
        found.append(position)
    return found
