"""docs/protocol.md and the code name the same commands, errors, events and settings."""

import ast
import re

from checkout import ROOT
from spicecore.storage.on_demand import settings
from spicecore.wire import messages
from spicecore.wire.errors import ERRORS

PAGE = (ROOT / "docs/protocol.md").read_text()
FIRMWARE = "\n".join(path.read_text() for path in sorted((ROOT / "firmware/app").rglob("*.py")))


def first_cells(title: str) -> list[str]:
    """First cells of every table whose head row begins with the title, without back quotes."""
    found: list[str] = []
    inside = False
    for line in PAGE.splitlines():
        if not line.startswith("|"):
            inside = False
        elif line.startswith(f"| {title} |"):
            inside = True
        elif inside and not line.startswith("| ---"):
            found.append(line.strip("|").split(" | ")[0].strip().strip("`"))
    return found


def constant(name: str, file: str) -> object:
    """A literal of a module."""
    for node in ast.parse((ROOT / "firmware" / file).read_text()).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == name:
            return ast.literal_eval(node.value)
    raise AssertionError(name)


def commands(name: str, file: str) -> set[str]:
    """Keys of a module's dispatch table."""
    for node in ast.parse((ROOT / "firmware" / file).read_text()).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == name:
            assert isinstance(node.value, ast.Dict)
            return {ast.literal_eval(key) for key in node.value.keys if key}
    raise AssertionError(name)


def test_commands() -> None:
    seldom = {}
    for name in ("visit", "service", "diag"):
        seldom |= dict.fromkeys(commands("COMMANDS", f"app/on_demand/{name}.py"), name)
    assert seldom == constant("SELDOM", "app/talk.py")
    code = commands("COMMANDS", "app/talk.py") | set(seldom)
    assert set(first_cells("`do`")) == code


def test_what_a_diagnosis_measures() -> None:
    assert set(first_cells("`diag`")) == (
        commands("WHAT", "app/on_demand/diag.py") | commands("WHAT", "app/on_demand/probe.py")
    )


def test_error_codes_are_those_of_the_codec_and_no_other_is_sent() -> None:
    assert first_cells("code") == list(ERRORS)
    sent = set(re.findall(r'Refused\(\s*"(\w+)"', FIRMWARE))
    sent |= set(re.findall(r'_refuse\((?:None|number), "(\w+)"', FIRMWARE))
    assert sent <= set(ERRORS), sent - set(ERRORS)


def test_every_error_code_is_sent_somewhere() -> None:
    source = (
        FIRMWARE
        + (ROOT / "firmware/lib/spicecore/wire/messages.py").read_text().split("class ")[1]
    )
    source += (ROOT / "firmware/lib/spicecore/wire/messages.py").read_text().split("def decode")[1]
    for code in ERRORS:
        assert f'"{code}"' in source, code


def test_board_events() -> None:
    table = (
        "\n".join(first_cells("event")) + PAGE[PAGE.index("taken up again after a start") :][:60]
    )
    named = set(re.findall(r'\["(\w+)"', table))
    sent = set(re.findall(r'tell\(\s*"board",\s*\["(\w+)"', FIRMWARE))
    sent |= set(re.findall(r'"board": \["(\w+)"', FIRMWARE))
    assert sent <= named, sent - named
    assert named - {"refused"} <= sent, named - sent  # refused is passed on from the game


def test_settings() -> None:
    text = PAGE[PAGE.index("Settings (`settings.py`") :].split("\n\n")[0]
    for name in settings.TABLE:
        assert f"`{name}`" in text, name


def test_bounds_and_example_line() -> None:
    assert f"**{messages.REQUEST_MAX}**" in PAGE and f"**{messages.LINE_MAX}**" in PAGE
    line = next(line.strip() for line in PAGE.splitlines() if line.startswith("    $"))
    assert messages.decode(line.encode()) == [[messages.MESSAGE, {"id": 1, "do": "hello"}]]
    assert "29b1" in PAGE and messages.crc16(b"123456789") == 0x29B1
