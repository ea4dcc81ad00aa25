"""The terminal table: keys, menus and the drawing of the board."""

import io
import json
import os
import pty
import termios

import pytest
from rich.console import Console
from rich.text import Text

from checkout import ROOT
from spiceboard.bots import targets
from spiceboard.errors import UserError
from spiceboard.table import board, keys
from spiceboard.table.menu import Menu, Number


def shown(thing: object, width: int = 120) -> str:
    """What a renderable looks like without colours."""
    console = Console(file=io.StringIO(), width=width, force_terminal=False)
    console.print(thing)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


# -- keys


@pytest.mark.parametrize(
    ("data", "names"),
    [
        (b"a7\r", ["a", "7", "enter"]),
        (b"\x1b[A\x1b[B\x1bOC\x1b[D", ["up", "down", "right", "left"]),
        (b"\x7f\t", ["backspace", "tab"]),
        (b"\x1b[15~x\x1b[200~", ["x"]),
        (b"\x1bq", ["escape", "q"]),
        ("é€".encode(), ["é", "€"]),
        (b"\x00\x01\xff\x80q", ["q"]),
    ],
)
def test_keys_by_name(data: bytes, names: list[str]) -> None:
    assert keys.split(data) == (names, b"")


def test_keys_cut_at_every_byte_are_the_same() -> None:
    data = "a\x1b[A€\x1b[5~é\x1bOBz".encode()
    whole, _ = keys.split(data)
    for cut in range(len(data)):
        first, rest = keys.split(data[:cut])
        second, left = keys.split(rest + data[cut:])
        assert first + second == whole and left == b""


def test_keys_from_a_terminal_which_is_put_back() -> None:
    ours, theirs = pty.openpty()
    before = termios.tcgetattr(theirs)
    with os.fdopen(theirs) as stream, keys.raw_keys(stream) as pressed:
        os.write(ours, b"7\x1b[A")
        assert pressed.pressed(5) == ["7", "up"]
        assert pressed.pressed() == []
        os.write(ours, b"\x1b")
        assert pressed.pressed(5) == []
        assert pressed.pressed(0.01) == ["escape"]
        assert termios.tcgetattr(theirs)[3] != before[3]
    os.close(ours)


def test_without_a_terminal_the_way_out_is_named() -> None:
    with open(os.devnull) as nothing, pytest.raises(UserError, match="--headless"):
        with keys.raw_keys(nothing):
            pass


# -- menus


def press(menu: Menu | Number, *pressed: str) -> object:
    result = None
    for key in pressed:
        assert result is None
        result = menu.key(key)
    return result


def test_menu_by_number_and_by_arrows() -> None:
    items = [(f"thing {n}", n) for n in range(1, 31)]
    assert press(Menu("t", items), "2", "7", "enter") == 27
    assert press(Menu("t", items), "enter") == 1
    assert press(Menu("t", items), "down", "down", "up", "enter") == 2
    assert press(Menu("t", items), "up", "enter") == 30
    assert press(Menu("t", items), "pagedown", "pagedown", "pagedown", "enter") == 30
    assert press(Menu("t", items), "2", "escape", "3", "enter") == 3


def test_menu_says_what_is_wrong() -> None:
    menu = Menu("t", [("one", 1), ("two", 2)])
    with pytest.raises(ValueError, match="there is no number 3: 1 to 2"):
        menu.key("3")
    with pytest.raises(ValueError, match="`x` means nothing here"):
        menu.key("x")
    assert press(menu, "2", "enter") == 2


def test_menu_shows_the_page_of_the_marked_item() -> None:
    menu = Menu("Which?", [(f"thing {n}", n) for n in range(1, 31)])
    assert "thing 14" in shown(menu.draw()) and "thing 15" not in shown(menu.draw())
    press(menu, "3", "0")
    assert "thing 30" in shown(menu.draw())


def test_number_within_bounds() -> None:
    assert press(Number("n", 0, 10, 5), "7", "enter") == 7
    assert press(Number("n", 0, 10, 5), "up", "up", "enter") == 7
    assert press(Number("n", 0, 10, 9), "right", "right", "enter") == 10
    number = Number("n", 0, 10, 5)
    with pytest.raises(ValueError, match="12 is not from 0 to 10"):
        press(number, "1", "2", "enter")
    with pytest.raises(ValueError, match="`x` is not a digit"):
        number.key("x")


# -- the board


def picture(height: int = 37, **changes: dict[str, list[str]]) -> Text:
    lights = {zone: [(0, 0, 0)] * (16 if zone in targets.BOWLS else 8) for zone in targets.GRID}
    return board.draw(board.Scale(height), lights, {}, changes.get("labels", {}))


@pytest.mark.parametrize("height", [10, 24, 30, 37, 60])
def test_every_light_of_every_ring_is_drawn_apart(height: int) -> None:
    scale = board.Scale(height)
    places = [
        place
        for zone in targets.GRID
        for place in scale.lights(zone, 16 if zone in targets.BOWLS else 8)
    ]
    assert len(set(places)) == 176
    assert all(0 < x < scale.width - 1 and 0 < y < scale.height - 1 for x, y in places)
    assert shown(picture(height)).count("●") == 176


def test_the_board_fits_into_its_height() -> None:
    for height in range(21, 60):
        assert board.Scale(height).height <= height


def test_the_plan_is_the_boards_geometry() -> None:
    geometry = json.loads((ROOT / "sim/spiceboard_sim/board/geometry.json").read_text())
    centres = {**geometry["bowl"]["centres"], **geometry["action"]["centres"]}
    assert {zone: tuple(map(float, place)) for zone, place in centres.items()} == targets.CENTRES
    assert geometry["field"]["width"] == geometry["field"]["height"] == targets.SIZE
    assert geometry["bowl"]["diameter"] == 2 * targets.BOWL_RADIUS
    assert geometry["action"]["diameter"] == 2 * targets.ACTION_RADIUS
    assert geometry["chip"]["diameter"] == targets.CHIP_DIAMETER
    assert geometry["chip"]["hole_diameter"] == 2 * targets.HOLE_RADIUS


def test_a_chip_counts_while_the_edge_is_seen_through_its_hole() -> None:
    x, y = targets.CENTRES["saffron"]
    assert targets.zone_at(x + 44.9, y) == "saffron"
    assert targets.zone_at(x + 45.1, y) is None
    assert targets.zone_at(-500, y) is None
    assert targets.on_board(x, y) and not targets.on_board(x, -1)


def test_lights_in_their_colours_and_chips_as_discs() -> None:
    lights = {"curry": [(0, 0, 40)] + [(0, 0, 0)] * 15}
    text = board.draw(
        board.Scale(37), lights, {"curry": {"blue": 2, "red": 1}}, {"curry": ["curry", "120"]}
    )
    scale = board.Scale(37)
    x, y = scale.lights("curry", 16)[0]
    offset = y * (scale.width + 1) + x
    styles = [str(span.style) for span in text.spans if span.start <= offset < span.end]
    assert styles == [f"rgb(0,0,{board.bright((0, 0, 40))[2]})"]
    lines = shown(text).splitlines()
    assert any("curry" in line for line in lines) and any("120" in line for line in lines)
    assert any(" ●●● " in line for line in lines)


def test_a_dimmed_light_is_shown_brighter_but_dark_stays_dark() -> None:
    assert board.bright((0, 0, 0)) == board.DARK
    assert board.bright((0, 0, 40))[2] > 100
    assert board.bright((0, 20, 64)) == (0, 54, 173)  # blue with its own hue, no teal
