"""Simulated boards execute bytecode, and behave as if they had read the sources."""

import os
import time
from pathlib import Path

import pytest

from spiceboard.flash.sources import modules
from spiceboard_sim.board.bytecode import KEPT_S, Bytecode
from spiceboard_sim.board.process import SimulatedBoard


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache/spiceboard/bytecode"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "sources/part.py"
    path.parent.mkdir()
    path.write_text('"""One."""\n\n\ndef fail():\n    raise ValueError("one")\n')
    return path


def bytecode(source: Path) -> Bytecode:
    return Bytecode(lambda: {"on/part": source})


def said(path: list[Path], script: str, tmp_path: Path) -> str:
    """What a board says that runs a script with these folders on its path."""
    (tmp_path / "script.py").write_text(script)
    with SimulatedBoard(firmware=tmp_path / "script.py", path=tuple(path), roster=False) as board:
        board.run_for(100)
        return board.read().decode()


@pytest.fixture(scope="module")
def interpreter() -> list[str]:
    with SimulatedBoard(roster=False) as board:
        return board._interpreter()


def test_a_traceback_names_file_and_line_of_the_source(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    interpreter: list[str],
    cache: Path,
    source: Path,
) -> None:
    path = bytecode(source).folders(interpreter)
    monkeypatch.undo()
    script = (
        "import sys\nfrom on import part\nprint(part.__file__)\n"
        "try:\n    part.fail()\nexcept ValueError as error:\n    sys.print_exception(error)\n"
    )
    text = said(path, script, tmp_path)
    assert f"{path[0]}/on/part.mpy" in text
    assert f'File "{source}", line 5, in fail' in text and "ValueError: one" in text


def test_the_firmware_is_bytecode_too(tmp_path: Path) -> None:
    text = said([], "import app.session, machine\nprint(app.session.__file__)\n", tmp_path)
    assert text.strip().endswith("/app/session.mpy")


def test_a_changed_source_takes_effect_at_the_next_start(
    interpreter: list[str], cache: Path, source: Path
) -> None:
    code = bytecode(source)
    first = code.folders(interpreter)
    assert code.folders(interpreter) == first == bytecode(source).folders(interpreter)
    source.write_text(source.read_text().replace("one", "other"))
    second = code.folders(interpreter)
    assert second != first
    assert b"other" in (second[0] / "on/part.mpy").read_bytes()


def test_what_does_not_compile_is_left_to_the_interpreter(
    interpreter: list[str], cache: Path, source: Path
) -> None:
    code = bytecode(source)
    whole = source.read_text()
    source.write_text("x = 1\nx = = 2\n")
    assert code.folders(interpreter) == []
    assert not any(cache.iterdir())
    source.write_text(whole)
    assert code.folders(interpreter) != []
    source.unlink()
    assert code.folders(interpreter) == []


def test_without_a_place_for_it_a_board_reads_its_sources(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    text = said([], "import app.session\nprint(app.session.__file__)\n", tmp_path)
    assert text.strip() == str(modules()["app/session"])


def test_code_for_another_chip_stays_a_source(
    interpreter: list[str], cache: Path, source: Path
) -> None:
    source.write_text("@micropython.asm_thumb\ndef f():\n    nop()\n")
    (folder,) = bytecode(source).folders(interpreter)
    assert (folder / "on/part.py").read_text() == source.read_text()


def test_folders_that_no_start_has_used_are_deleted(
    interpreter: list[str], cache: Path, source: Path
) -> None:
    (old,) = bytecode(source).folders(interpreter)
    before = time.time() - KEPT_S - 60
    os.utime(old, (before, before))
    bytecode(source).folders(interpreter)  # used again: kept
    source.write_text("x = 2\n")
    (second,) = bytecode(source).folders(interpreter)
    assert old.is_dir() and second.is_dir()
    os.utime(old, (before, before))
    source.write_text("x = 22\n")
    bytecode(source).folders(interpreter)
    assert second.is_dir() and not old.exists()
