"""The rules of import, read from the source: which package may import which."""

import ast
import functools
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from checkout import ROOT
from spicecore.games import GAMES

BOTH_RUNTIMES = set(
    "array asyncio binascii collections errno gc hashlib io json math micropython os re".split()
    + "struct sys time".split()
)
HARDWARE = {"machine", "rp2", "neopixel", "_rp2"}
# Tables and pure functions.
SHARED_BY_RULES = {"chance", "facts", "fields", "parts"} | {
    f"games.{name}" for name in ("GAMES", "refused", "on_demand.options")
}

# Where packages lie: each module has one name, by the folder that is on the path.
ROOTS = ("firmware/lib", "firmware", "host", "sim")
# What the simulator hands to MicroPython in place of hardware, or to a board as a script.
NOT_OURS = (
    "host/spiceboard/board/on_board",
    "sim/spiceboard_sim/micropython",
    "sim/spiceboard_sim/bench/on_board",
)
# The layers: which top packages a top package may import beside itself.
LAYERS = {
    "spicecore": set(),
    "rfid": set(),
    "pixels": set(),
    "slots": set(),
    "app": {"spicecore", "rfid", "slots"},
    "boards": {"spicecore", "rfid"},
    "main": {"slots"},
    "flash": {"spiceboard"},
    "spiceboard": {"spicecore"},
    "spiceboard_sim": {"spicecore", "spiceboard"},
}


def python_files(folder: str) -> list[Path]:
    """All Python files below a folder of the checkout."""
    return sorted((ROOT / folder).rglob("*.py"))


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@functools.cache
def modules() -> dict[str, Path]:
    """{import name: file} of everything that is imported by a name of ours."""
    found: dict[str, Path] = {}
    for root in ROOTS:
        for path in python_files(root):
            inside = path.relative_to(ROOT / root)
            if inside.parts[0] == "lib" or named(path).startswith(NOT_OURS):
                continue
            name = ".".join(inside.with_suffix("").parts).removesuffix(".__init__")
            assert name not in found, f"{name} is {found[name]} and {path}"
            found[name] = path
    return found


def for_checkers_only(tree: ast.Module) -> set[ast.AST]:
    """Everything below `if TYPE_CHECKING:`, which never runs."""
    return {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }


def imports(source: str) -> list[str]:
    """Names that a source imports when it runs, `from a import b` as `a.b`."""
    found = []
    tree = ast.parse(source)
    unseen = for_checkers_only(tree)
    for node in ast.walk(tree):
        if node in unseen:
            continue
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, "relative imports hide where a module lies"
            found += [f"{node.module}.{alias.name}" for alias in node.names]
    return found


def known(name: str, among: Iterable[str]) -> str:
    """The module that an imported name is, or lies in."""
    while name and name not in among:
        name = name.rpartition(".")[0]
    return name


@functools.cache
def graph() -> dict[str, set[str]]:
    """{module: modules of ours that it imports}, also from within its functions."""
    found = {}
    for name, path in modules().items():
        needs = {known(imported, modules()) for imported in imports(path.read_text())}
        found[name] = needs - {name, ""}
    return found


def root_of(name: str) -> str:
    return name.split(".")[0]


def library_breaches(source: str, own: set[str]) -> list[str]:
    """What a module of firmware/lib imports and may not."""
    return [name for name in imports(source) if root_of(name) not in BOTH_RUNTIMES | own]


def rules_breaches(source: str, game: str) -> list[str]:
    """What a rules module imports beside chance, plain tables, and modules of its own game."""
    allowed = ["micropython", f"spicecore.games.{game}"]
    allowed += [f"spicecore.{name}" for name in SHARED_BY_RULES]
    return [name for name in imports(source) if not known(name, allowed)]


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


# Read by people and type checkers: a board never loads it.
CONTRACT = ROOT / "firmware/lib/rfid/reader.py"


@pytest.mark.parametrize("path", sorted({*python_files("firmware/lib")} - {CONTRACT}), ids=named)
def test_the_library_imports_itself_and_what_both_runtimes_have(path: Path) -> None:
    own = {path.stem for path in (ROOT / "firmware/lib").iterdir()}
    assert library_breaches(path.read_text(), own) == []


@pytest.mark.parametrize("game", GAMES)
def test_rules_import_only_chance_and_tables(game: str) -> None:
    files = python_files(f"firmware/lib/spicecore/games/{game}")
    assert files, f"no rules for {game}"
    for path in files:
        assert rules_breaches(path.read_text(), game) == [], path.name


@pytest.mark.parametrize("layer", LAYERS)
def test_layers_point_one_way(layer: str) -> None:
    names = [name for name in modules() if root_of(name) == layer]
    assert names, f"nothing is called {layer}"
    for name in names:
        seen = {root_of(needed) for needed in graph()[name]} - {layer}
        assert seen <= LAYERS[layer], f"{name} imports {seen - LAYERS[layer]}"


def test_every_top_package_has_its_layer() -> None:
    assert {root_of(name) for name in modules()} == set(LAYERS)


def test_no_modules_import_each_other_in_a_circle() -> None:
    """Also not from within a function, where it would run."""
    assert len(graph()) > 200
    assert circles(graph()) == []


def test_only_the_board_imports_the_hardware() -> None:
    for name, path in modules().items():
        if root_of(name) != "boards":
            used = {root_of(imported) for imported in imports(path.read_text())}
            assert not HARDWARE & used, path


def test_no_test_flag_and_no_second_core_and_no_pull_down_in_the_firmware() -> None:
    """RP2350 erratum 9 forbids pull-downs; a second core and flash writes hang each other."""
    for path in python_files("firmware"):
        tree = ast.parse(path.read_text())
        words = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        words |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        words |= {root_of(name) for name in imports(path.read_text())}
        assert not words & {"SIM", "TESTING", "_thread", "PULL_DOWN"}, path


def test_the_host_needs_nothing_that_only_posix_has() -> None:
    """docs/systems.md: its commands run on Windows too, except for the terminal table."""
    posix = {"curses", "fcntl", "grp", "pty", "pwd", "readline", "resource", "termios", "tty"}
    found = {
        name
        for name, path in modules().items()
        if root_of(name) == "spiceboard" and posix & set(map(root_of, imports(path.read_text())))
    }
    assert found == {"spiceboard.table.keys"}


def test_the_checks_bite() -> None:
    assert library_breaches("import machine", {"spicecore"}) == ["machine"]
    assert library_breaches("import typing\nfrom dataclasses import x", set()) == [
        "typing",
        "dataclasses.x",
    ]
    assert library_breaches("import json\nfrom spicecore import wire", {"spicecore"}) == []
    assert rules_breaches("from spicecore import chance, wire", "jaipur") == ["spicecore.wire"]
    assert rules_breaches("import random", "jaipur") == ["random"]
    assert rules_breaches("from spicecore.games.jaipur.goods import X", "jaipur") == []
    other = "spicecore.games.rathot.strips.X"
    assert rules_breaches("from spicecore.games.rathot.strips import X", "jaipur") == [other]
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == [["b", "c"], ["c", "b"]]
    assert "typing" in sys.stdlib_module_names
