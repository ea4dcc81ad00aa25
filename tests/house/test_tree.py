"""What may not stand in the tree, and what an installation brings."""

import json
import re
import shutil
import subprocess
import sys
import zipfile
from collections import Counter
from functools import partial
from pathlib import Path

import pytest

from checkout import ROOT

# Written so that this file does not match itself.
REGISTRIES = "|".join(["pypi[.]org", "pythonhosted[.]org", "npmjs[.]", "deb[.]debian[.]org"])
MACHINE = "|".join(["(?<![\\w.])/work" + "/", "/home/[a-z]+/", "/Users/[a-z]+/"])


def tracked() -> list[Path]:
    """All files that git knows, or a skip where this is no checkout."""
    done = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        pytest.skip("not a git checkout")
    return [ROOT / line for line in done.stdout.splitlines() if (ROOT / line).is_file()]


def test_no_two_test_modules_have_one_name() -> None:
    """A report says `test_roster`: there is one."""
    names = Counter(path.name for path in (ROOT / "tests").rglob("test_*.py"))
    twice = [name for name, number in names.items() if number > 1]
    assert not twice, "rename all but one, for example test_NAME_board.py in tests/board"


def offences(pattern: str) -> list[str]:
    """`file:line` of every line of text that matches."""
    found = []
    for path in tracked():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # a picture
        for number, line in enumerate(text.splitlines(), 1):
            if re.search(pattern, line):
                found.append(f"{path.relative_to(ROOT)}:{number}")
    return found


def test_no_registry_is_named() -> None:
    """Where packages come from is the system's configuration, not the project's."""
    assert [o for o in offences(REGISTRIES) if "test_tree.py" not in o] == []


def test_no_path_of_a_machine_is_named() -> None:
    assert [o for o in offences(MACHINE) if "test_tree.py" not in o] == []


def test_the_changelog_has_an_unreleased_section_on_top() -> None:
    headings = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text(), re.M)
    assert headings[0].startswith("[Unreleased]")


def test_no_link_stands_in_the_tree() -> None:
    """A checkout on Windows has them as text files."""
    done = subprocess.run(["git", "ls-files", "-s"], cwd=ROOT, capture_output=True, text=True)
    assert [line for line in done.stdout.splitlines() if line.startswith("120000")] == []


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from a copy of the sources: a build leaves files beside them."""
    folder = tmp_path_factory.mktemp("wheel")
    copy = folder / "copy"
    for name in ("host", "sim", "firmware"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy / name)
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(folder), "."]
    done = subprocess.run(command, cwd=copy, capture_output=True, text=True, timeout=300)
    if done.returncode and "Could not find" in done.stderr:
        pytest.skip("no network: the build needs hatchling")
    assert done.returncode == 0, done.stderr
    [found] = folder.glob("*.whl")
    return found


def test_a_wheel_brings_each_package_and_the_firmware_once(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert len(names) == len(set(names))
    tops = {name.split("/")[0] for name in names}
    packages = {top for top in tops if not top.endswith(".dist-info")}
    assert packages == {"spiceboard", "spiceboard_sim", "spicecore"}
    for needed in (
        "spiceboard/commands/main.py",
        "spiceboard/firmware/app/session.py",
        "spiceboard/firmware/boards/pico/pins.py",
        "spiceboard/firmware/lib/rfid/mfrc522.py",
        "spiceboard/firmware/main.py",
        "spiceboard_sim/__main__.py",
        "spiceboard_sim/board/geometry.json",
        "spiceboard_sim/micropython/machine.py",
        "spicecore/wire/messages.py",
    ):
        assert needed in names
    assert [name for name in names if name.endswith("wire/messages.py")] == [
        "spicecore/wire/messages.py"
    ]
    entry = next(name for name in names if name.endswith("entry_points.txt"))
    assert b"spiceboard = spiceboard.commands.entry:main" in zipfile.ZipFile(wheel).read(entry)


@pytest.mark.slow
@pytest.mark.parametrize("extra", ["", "[sim]"])
def test_an_installation_in_an_empty_environment_works(
    wheel: Path, extra: str, tmp_path: Path
) -> None:
    """Every command explains itself; with the simulator, a board of its own can be flashed."""
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "venv")], check=True)
    run = partial(subprocess.run, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    bin_ = tmp_path / "venv/bin"
    done = run([str(bin_ / "pip"), "install", "-q", f"{wheel}{extra}"])
    assert done.returncode == 0, done.stderr
    shown = run([str(bin_ / "spiceboard"), "--help"]).stdout
    commands = re.findall(r"^    (\w+) +\w", shown, re.M)
    assert len(commands) > 8
    for name in commands:
        done = run([str(bin_ / "spiceboard"), name, "--help"])
        assert done.returncode == 0, done.stderr
    if extra:
        assert_flash_plans(bin_, tmp_path)


def assert_flash_plans(bin_: Path, folder: Path) -> None:
    """`flash --dry-run` reads a simulated board of this installation, and says what it is."""
    command = [str(bin_ / "spiceboard"), "simulate", "--pty"]
    with subprocess.Popen(
        command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as board:
        try:
            assert board.stdout
            port = json.loads(board.stdout.readline())["port"]
            command = [str(bin_ / "spiceboard"), "flash", "--dry-run", "--port", port]
            done = subprocess.run(command, capture_output=True, text=True, timeout=120)
            assert "simulated" in done.stdout + done.stderr
            assert "Traceback" not in done.stderr
        finally:
            board.terminate()


def drawn_tree() -> dict[str, str]:
    """{path: what it is for} of the picture in docs/architecture.md."""
    page = (ROOT / "docs/architecture.md").read_text()
    found: dict[str, str] = {}
    above: list[str] = []
    for line in page.split("<!-- tree -->\n```\n")[1].split("```")[0].splitlines():
        names, _, purpose = line.strip().partition("  ")
        depth = (len(line) - len(line.lstrip())) // 2
        del above[depth:]
        for name in names.split():
            found["/".join([*above, name.rstrip("/")])] = purpose.strip()
        above.append(names.split()[0].rstrip("/"))
    return found


def test_the_picture_of_the_tree_is_the_tree() -> None:
    found = drawn_tree()
    for path in found:
        assert (ROOT / path).exists(), path
    drawn = {path for path in found if "host/spiceboard/" in path or "firmware/app/" in path}
    packages = {
        folder.parent.relative_to(ROOT).as_posix()
        for root in ("host/spiceboard", "sim/spiceboard_sim", "firmware/app", "firmware/lib")
        for folder in (ROOT / root).glob("*/__init__.py")
    }
    assert packages - set(found) == set(), "docs/architecture.md lacks a folder"
    assert drawn


def test_each_package_says_what_it_is_for() -> None:
    for root in ("host/spiceboard", "sim/spiceboard_sim", "firmware"):
        for path in (ROOT / root).rglob("__init__.py"):
            first = path.read_text().split("\n", 1)[0]
            assert first.startswith('"""') and len(first) > 15, path
