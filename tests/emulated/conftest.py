"""An emulated Pico for the tests, and a small application to flash onto it."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from spiceboard.flash.bundle import Bundle, build
from spiceboard_sim.emulator.image import find_image

ROOT = Path(__file__).resolve().parents[2]
MPY = 0x1306  # bytecode 6.3 for the armv6m, as the image reports it


@pytest.fixture(scope="session")
def image() -> Path:
    """The interpreter; it is built when it is not there (about a minute)."""
    return find_image()


@pytest.fixture
def firmware(tmp_path: Path) -> Callable[..., Path]:
    """Makes a folder of firmware sources of a given version, with filler modules of some size."""

    def make(version: str, app: str | None = None, filler: int = 3) -> Path:
        folder = tmp_path / f"firmware-{version}"
        core = folder / "lib/spicecore"
        (core / "wire").mkdir(parents=True)
        for path in (ROOT / "tests/emulated/firmware").glob("*.py"):
            shutil.copy(path, folder)
        shutil.copy(ROOT / "firmware/slots.py", folder)
        shutil.copy(ROOT / "firmware/lib/spicecore/wire/messages.py", core / "wire")
        (core / "__init__.py").write_text("")
        (folder / "words.py").write_text(f"VERSION = {version!r}\n")
        for number in range(filler):
            words = ", ".join(f"'{version} {number} {word}'" for word in range(90))
            (folder / f"filler{number}.py").write_text(f"WORDS = [{words}]\n")
        if app is not None:
            (folder / "app.py").write_text(app)
        return folder

    return make


def flash_files(bundle: Bundle, slot: str = "a") -> dict[str, bytes]:
    """What lies on a board that has the bundle as its good application in a slot."""
    files = {f"slot/{slot}/{path}": content for path, content in bundle.files.items()}
    files |= bundle.root
    files["slot.txt"] = f"{slot} - good 0\n".encode()
    return files


@pytest.fixture
def bundle_of() -> Callable[[Path, str], Bundle]:
    """Compiles a folder of firmware sources for the emulated board."""
    return lambda folder, version: build(MPY, folder, version)
