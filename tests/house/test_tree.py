"""What may not stand in the tree, and what an installation brings."""

import re
import shutil
import subprocess
import sys
import zipfile
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


def test_an_installation_brings_one_package_and_one_command(tmp_path: Path) -> None:
    copy = tmp_path / "copy"  # a build leaves files beside the sources
    for name in ("src", "host", "sim", "firmware"):
        leave = shutil.ignore_patterns("__pycache__", "*.egg-info")
        shutil.copytree(ROOT / name, copy / name, symlinks=True, ignore=leave)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy / name)
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(tmp_path), "."]
    done = subprocess.run(command, cwd=copy, capture_output=True, text=True, timeout=300)
    if done.returncode and "Could not find" in done.stderr:
        pytest.skip("no network: the build needs setuptools")
    assert done.returncode == 0, done.stderr
    [wheel] = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"spiceboard"}
    for needed in (
        "spiceboard/host/cli.py",
        "spiceboard/sim/__main__.py",
        "spiceboard/sim/geometry.json",
        "spiceboard/sim/micropython/machine.py",
        "spiceboard/spicecore/wire.py",
        "spiceboard/firmware/main.py",
        "spiceboard/firmware/lib/mfrc522.py",
        "spiceboard/firmware/lib/spicecore/wire.py",
    ):
        assert needed in names
    entry = next(name for name in names if name.endswith("entry_points.txt"))
    assert b"spiceboard = spiceboard.host.cli:main" in zipfile.ZipFile(wheel).read(entry)
