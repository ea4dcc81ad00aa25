"""The rules of import, read from the source: who may know whom."""

import ast
import sys
from pathlib import Path

import pytest
from checkout import ROOT

BOTH_RUNTIMES = set(
    "array asyncio binascii collections errno gc hashlib io json math micropython os re".split()
    + "struct sys time".split()
)
HARDWARE = {"machine", "rp2", "neopixel", "_rp2"}
SHARED_BY_RULES = {
    ".chance",
    ".facts",
    ".fields",
    ".parts",
    "micropython",
}  # tables and pure functions
GAMES = ("safranito", "jaipur", "rathot")


def python_files(folder: str) -> list[Path]:
    """All Python files below a folder of the checkout."""
    return sorted((ROOT / folder).rglob("*.py"))


def imports(source: str) -> list[str]:
    """Names of all modules that a source imports, relative ones with their dots."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            stem = "." * node.level + (node.module or "")
            if node.module:
                found.append(stem)
            else:
                found += [stem + alias.name for alias in node.names]
    return found


def root_of(name: str) -> str:
    return name.split(".")[0]


def library_breaches(source: str, own: set[str]) -> list[str]:
    """What a module of firmware/lib imports and may not."""
    return [
        name
        for name in imports(source)
        if not name.startswith(".") and root_of(name) not in BOTH_RUNTIMES | own
    ]


def rules_breaches(source: str, game: str) -> list[str]:
    """What a rules module imports beside chance, plain tables, and modules of its own game."""
    return [
        name
        for name in imports(source)
        if name not in SHARED_BY_RULES and not name.startswith("." + game)
    ]


def own_modules() -> set[str]:
    """Names that firmware/lib itself offers."""
    lib = ROOT / "firmware/lib"
    return {path.stem for path in lib.glob("*.py")} | {"spicecore"}


@pytest.mark.parametrize("path", python_files("firmware/lib"), ids=lambda path: path.name)
def test_the_library_imports_itself_and_what_both_runtimes_have(path: Path) -> None:
    assert library_breaches(path.read_text(), own_modules()) == []


@pytest.mark.parametrize("game", GAMES)
def test_rules_import_only_chance_and_tables(game: str) -> None:
    files = [p for p in python_files("firmware/lib/spicecore") if p.stem.startswith(game)]
    assert files, f"no rules for {game}"
    for path in files:
        assert rules_breaches(path.read_text(), game) == [], path.name


def circles(needs: dict[str, set[str]]) -> list[list[str]]:
    """Ways from a module through its imports back to itself, one for each module that has one."""

    def back(start: str, way: list[str], seen: set[str]) -> list[str] | None:
        for name in sorted(needs.get(way[-1], set())):
            if name == start:
                return way
            if name not in seen:
                seen.add(name)
                found = back(start, [*way, name], seen)
                if found:
                    return found
        return None

    return [found for name in sorted(needs) if (found := back(name, [name], {name}))]


@pytest.mark.parametrize("folder", ["firmware/lib/spicecore", "host/bots"])
def test_no_modules_import_each_other_in_a_circle(folder: str) -> None:
    """Also not from within a function, where it would run."""
    needs = {
        path.stem: {name.split(".")[-1] for name in imports(path.read_text())}
        for path in python_files(folder)
    }
    assert len(needs) > 8
    assert circles(needs) == []


def test_only_the_board_imports_the_hardware() -> None:
    allowed = [ROOT / "firmware/board.py"]
    for path in python_files("firmware"):
        fast_driver = path.relative_to(ROOT / "firmware").parts[0].startswith("rp2")
        if path in allowed or fast_driver:
            continue
        assert not HARDWARE & {root_of(name) for name in imports(path.read_text())}, path


def test_the_host_never_imports_the_simulator() -> None:
    for path in python_files("host"):
        bad = [name for name in imports(path.read_text()) if name.startswith("spiceboard.sim")]
        assert bad == [], path


def test_the_firmware_knows_neither_host_nor_simulator() -> None:
    for path in python_files("firmware"):
        names = imports(path.read_text())
        assert not {"sim", "host", "spiceboard"} & {root_of(name) for name in names}, path


def test_no_test_flag_and_no_second_core_and_no_pull_down_in_the_firmware() -> None:
    """RP2350 erratum 9 forbids pull-downs; a second core and flash writes hang each other."""
    for path in python_files("firmware"):
        tree = ast.parse(path.read_text())
        words = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        words |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        words |= set(imports(path.read_text()))
        assert not words & {"SIM", "TESTING", "_thread", "PULL_DOWN"}, path


def test_the_checks_bite() -> None:
    assert library_breaches("import machine", {"spicecore"}) == ["machine"]
    assert library_breaches("import typing\nfrom dataclasses import x", set()) == [
        "typing",
        "dataclasses",
    ]
    assert library_breaches("import json\nfrom spicecore import wire", {"spicecore"}) == []
    assert rules_breaches("from . import chance, wire", "jaipur") == [".wire"]
    assert rules_breaches("import random", "jaipur") == ["random"]
    assert rules_breaches("from .jaipur_data import X", "jaipur") == []
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == [["b", "c"], ["c", "b"]]
    assert "typing" in sys.stdlib_module_names
