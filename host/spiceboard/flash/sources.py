"""Find the firmware's sources, in a checkout or an installation, and what a board needs of them.

In a checkout that is the folder `firmware/`. An installation carries the same files as data in
`spiceboard/firmware/`, except for `spicecore`, which is a separate installed package.
"""

import ast
import runpy
from pathlib import Path
from typing import Any

import spicecore
from spiceboard.errors import UNFIT, UserError

BOARD = "pico"
ROOT_FILES = ("main.py", "slots.py")  # lie in the root of the flash, as source
FOR_THE_COMPUTER = "image.py"  # a board's file that only the installer reads
_CORE = Path(spicecore.__file__).resolve().parent
_DATA = Path(__file__).resolve().parents[1] / "firmware"
FIRMWARE = _DATA if _DATA.is_dir() else _CORE.parents[1]


class SourcesError(UserError):
    """The folder does not hold firmware that can be compiled."""

    exit_code = UNFIT


def search_path(folder: Path = FIRMWARE) -> list[Path]:
    """Folders from which an interpreter imports the firmware as it lies there."""
    path = [folder, folder / "lib"]
    return path if (folder / "lib/spicecore").is_dir() else [*path, _CORE.parent]


def modules(folder: Path = FIRMWARE) -> dict[str, Path]:
    """All modules, of every board: {path on the search path without suffix: source}.

    The contents of `lib/` lie beside everything else.
    """
    found: dict[str, Path] = {}
    files = {path: path.relative_to(folder) for path in folder.rglob("*.py")}
    if not (folder / "lib/spicecore").is_dir():
        files |= {path: path.relative_to(_CORE.parent) for path in _CORE.rglob("*.py")}
    for path, relative in sorted(files.items()):
        name = Path(*relative.parts[relative.parts[0] == "lib" :]).with_suffix("").as_posix()
        if name in found:
            raise SourcesError(f"two modules are called {name}: {found[name]} and {path}")
        found[name] = path
    return found


def sources(folder: Path = FIRMWARE, board: str = BOARD) -> dict[str, Path]:
    """Modules that go into a slot: {path in the slot without suffix: source}.

    Only the named board's folder is taken, without what the computer alone reads. A package whose
    `__init__` only says what it is goes without it: MicroPython imports from a folder just as
    well, and looks at one file less.
    """
    found: dict[str, Path] = {}
    for name, path in modules(folder).items():
        parts = name.split("/")
        of_board = parts[0] == "boards" and len(parts) > 2
        other = of_board and (parts[1] != board or path.name == FOR_THE_COMPUTER)
        if f"{name}.py" in ROOT_FILES or other or only_says(path):
            continue
        found[name] = path
    return found


def only_says(path: Path) -> bool:
    """Is that the `__init__` of a package, with nothing but a docstring?"""
    if path.name != "__init__.py":
        return False
    try:
        body = ast.parse(path.read_text(encoding="utf-8")).body
    except (OSError, ValueError, SyntaxError):
        return False  # the compiler says what is wrong with it
    return all(isinstance(x, ast.Expr) and isinstance(x.value, ast.Constant) for x in body)


def board_data(module: str, folder: Path = FIRMWARE, board: str = BOARD) -> dict[str, Any]:
    """The names of a board's module that is plain data (`pins`, `image`); empty without it."""
    path = folder / "boards" / board / f"{module}.py"
    return runpy.run_path(str(path)) if path.is_file() else {}


def profile(folder: Path = FIRMWARE, board: str = BOARD) -> str | None:
    """The hardware profile that the firmware's table of pins is for; None without a table."""
    return board_data("pins", folder, board).get("PROFILE")


def pins(folder: Path = FIRMWARE, board: str = BOARD) -> dict[str, int]:
    """{net of the schematic: GPIO} of a board."""
    return dict(board_data("pins", folder, board)["PINS"])
